//! The weights of the score: natural language and everything else, identifiers, messages that a
//! program has printed. In the order of the signals.
//!
//! Fitted by `docs/fit.py`; what was tried is in `docs/ranking-log.md`.

#![allow(clippy::approx_constant, reason = "a weight near 3.14 has nothing to do with circles")]

/// `(natural, symbol, message)` by signal.
#[rustfmt::skip]
pub const WEIGHTS: [(f32, f32, f32); 55] = [
    (1.00, 0.74, 1.00), // words.chunks
    (0.89, 0.74, 0.89), // words.head
    (0.60, 2.00, 0.60), // words.whole
    (0.96, 0.19, 0.96), // words.coverage
    (0.84, 0.63, 0.84), // words.file
    (0.99, 0.36, 0.99), // words.folder
    (0.40, 0.52, 0.40), // doc.chunk
    (0.00, 0.65, 0.00), // doc.file
    (4.18, 2.61, 4.18), // meaning.best
    (3.35, 2.68, 3.35), // meaning.mean
    (0.14, 0.08, 0.14), // path.stem
    (0.91, 1.05, 0.91), // path.folder
    (0.67, 0.78, 0.67), // path.share
    (1.72, 0.32, 1.72), // path.prefix
    (0.00, 0.17, 0.00), // define.type
    (0.00, 0.55, 0.00), // define.type-any-case
    (0.69, 0.50, 0.69), // define.function
    (0.14, 0.85, 0.14), // define.phrase
    (0.19, 0.00, 0.19), // define.phrase-function
    (1.00, 4.00, 1.00), // define.export
    (0.40, 1.00, 0.40), // define.stem
    (0.39, 0.00, 0.39), // define.cover
    (0.13, 0.88, 0.13), // define.match
    (1.31, 0.80, 1.31), // importance.file
    (8.00, 4.00, 8.00), // text.literal
    (0.76, 4.01, 0.76), // asked.kind
    (3.28, 1.44, 3.28), // asked.docs
    (2.14, 0.00, 2.14), // asked.config
    (-2.06, 0.00, -2.06), // docs.how
    (1.98, 0.00, 1.98), // docs.fact
    (0.41, 1.11, 0.41), // docs.length
    (-0.96, 0.00, -0.96), // config.how
    (1.24, 0.00, 1.24), // config.fact
    (0.29, -0.40, 0.29), // config.length
    (0.47, 0.34, 0.47), // prior.main-language
    (-2.78, -0.89, -2.78), // prior.test
    (-0.99, -0.62, -0.99), // prior.example
    (-1.61, -0.58, -1.61), // prior.bench
    (-1.82, -0.41, -1.82), // prior.compat
    (0.00, -0.53, 0.00), // prior.script
    (-1.95, -0.58, -1.95), // prior.generated
    (-2.00, -1.00, -2.00), // prior.vendored
    (-1.08, -0.20, -1.08), // prior.docs-folder
    (-2.01, -2.30, -2.01), // prior.declarations
    (-0.81, 0.34, -0.81), // prior.types
    (-0.19, 0.54, -0.19), // prior.index
    (-0.16, -0.36, -0.16), // prior.bodiless
    (-3.35, -1.87, -3.35), // prior.header
    (-3.37, -1.22, -3.37), // prior.copied
    (1.18, 0.29, 1.18), // prior.main-package
    (-3.09, -0.10, -3.09), // prior.platform
    (-0.29, 0.00, -0.29), // prior.depth
    (-0.49, -0.25, -0.49), // prior.name
    (-1.01, -1.08, -1.01), // prior.docs
    (-0.77, -0.81, -0.77), // prior.config
];

/// The same for the signals of a chunk.
#[rustfmt::skip]
pub const PASSAGE_WEIGHTS: [(f32, f32); 15] = [
    (2.79, 3.36), // passage.words
    (0.21, 3.36), // passage.head
    (0.00, 0.00), // passage.whole
    (0.00, 0.00), // passage.doc
    (5.45, 1.77), // passage.meaning
    (4.74, 1.92), // passage.meaning-plain
    (1.10, 1.46), // passage.defines
    (0.38, 0.00), // passage.name-match
    (0.00, 0.00), // passage.name-cover
    (1.07, -0.11), // passage.callable
    (-0.61, 0.44), // passage.type
    (1.43, 1.12), // passage.part
    (-0.73, -0.10), // passage.loose
    (-3.44, -1.31), // passage.test
    (0.61, 0.72), // passage.length
];
