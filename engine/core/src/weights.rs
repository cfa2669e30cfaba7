//! The weights of the score: natural language and everything else, identifiers, messages that a
//! program has printed. In the order of the signals.
//!
//! Fitted by `docs/fit.py`; what was tried is in `docs/ranking-log.md`.

#![allow(clippy::approx_constant, reason = "a weight near 3.14 has nothing to do with circles")]

/// `(natural, symbol, message)` by signal.
#[rustfmt::skip]
pub const WEIGHTS: [(f32, f32, f32); 55] = [
    (0.99, 0.74, 2.82), // words.chunks
    (0.75, 0.74, 1.51), // words.head
    (0.56, 2.00, 0.23), // words.whole
    (0.75, 0.19, 5.71), // words.coverage
    (0.92, 0.63, 0.94), // words.file
    (1.02, 0.36, 0.00), // words.folder
    (0.47, 0.52, 0.00), // doc.chunk
    (0.00, 0.65, 0.00), // doc.file
    (4.30, 2.61, 0.00), // meaning.best
    (3.39, 2.68, 0.00), // meaning.mean
    (0.12, 0.08, 0.00), // path.stem
    (0.90, 1.04, 0.48), // path.folder
    (0.74, 0.78, 0.00), // path.share
    (1.72, 0.32, 0.30), // path.prefix
    (0.00, 0.17, 0.00), // define.type
    (0.00, 0.55, 0.40), // define.type-any-case
    (0.74, 0.50, 0.00), // define.function
    (0.16, 0.84, 0.00), // define.phrase
    (0.18, 0.00, 0.46), // define.phrase-function
    (1.00, 4.00, 0.00), // define.export
    (0.41, 1.00, 0.00), // define.stem
    (0.42, 0.00, 0.00), // define.cover
    (0.20, 0.88, 0.00), // define.match
    (1.32, 0.80, 0.54), // importance.file
    (8.00, 4.00, 8.00), // text.literal
    (0.82, 4.01, 0.00), // asked.kind
    (3.34, 1.46, 0.00), // asked.docs
    (2.07, 0.00, 0.00), // asked.config
    (-2.13, 0.00, 0.00), // docs.how
    (1.89, 0.00, 0.00), // docs.fact
    (0.60, 1.08, -0.88), // docs.length
    (-1.01, 0.00, 0.00), // config.how
    (1.24, 0.00, 0.00), // config.fact
    (0.34, -0.40, -0.70), // config.length
    (0.37, 0.34, 1.35), // prior.main-language
    (-2.76, -0.89, -2.15), // prior.test
    (-0.98, -0.62, -0.72), // prior.example
    (-1.60, -0.58, -0.17), // prior.bench
    (-1.83, -0.40, -0.16), // prior.compat
    (0.00, -0.52, -1.05), // prior.script
    (-1.92, -0.58, -0.59), // prior.generated
    (-2.00, -1.00, -2.00), // prior.vendored
    (-0.99, -0.20, -1.10), // prior.docs-folder
    (-1.96, -2.30, -1.90), // prior.declarations
    (-0.82, 0.34, -0.77), // prior.types
    (-0.17, 0.54, -0.41), // prior.index
    (-0.20, -0.36, 0.00), // prior.bodiless
    (-3.25, -1.85, -3.25), // prior.header
    (-3.41, -1.22, -0.73), // prior.copied
    (1.24, 0.29, -0.51), // prior.main-package
    (-3.09, -0.10, -1.18), // prior.platform
    (-0.29, 0.00, -0.36), // prior.depth
    (-0.50, -0.25, -0.17), // prior.name
    (-1.04, -1.08, -0.63), // prior.docs
    (-0.75, -0.81, -0.50), // prior.config
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
