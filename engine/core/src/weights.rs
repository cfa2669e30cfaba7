//! The weights of the score: natural language and everything else, then identifiers. In the order of the signals.
//!
//! Fitted by `docs/fit.py`; what was tried is in `docs/ranking-log.md`.

#![allow(clippy::approx_constant, reason = "a weight near 3.14 has nothing to do with circles")]

/// `(natural, symbol)` by signal.
#[rustfmt::skip]
pub const WEIGHTS: [(f32, f32); 50] = [
    (1.21, 0.70), // words.chunks
    (1.02, 0.70), // words.head
    (0.60, 2.00), // words.whole
    (0.96, 0.17), // words.coverage
    (0.52, 0.57), // words.file
    (1.07, 0.41), // words.folder
    (0.57, 0.68), // doc.chunk
    (0.00, 0.80), // doc.file
    (4.05, 2.66), // meaning.best
    (3.62, 2.77), // meaning.mean
    (0.32, 0.00), // path.stem
    (0.83, 1.00), // path.folder
    (1.38, 1.03), // path.share
    (0.91, 0.35), // path.prefix
    (0.00, 0.18), // define.type
    (0.00, 0.60), // define.type-any-case
    (0.77, 0.68), // define.function
    (0.22, 0.87), // define.phrase
    (0.20, 0.00), // define.phrase-function
    (0.50, 1.05), // define.stem
    (0.46, 0.00), // define.cover
    (0.44, 1.09), // define.match
    (8.00, 4.00), // text.literal
    (0.85, 4.62), // asked.kind
    (3.47, 1.50), // asked.docs
    (2.12, 0.00), // asked.config
    (-2.54, 0.00), // docs.how
    (2.00, 0.00), // docs.fact
    (0.44, 1.04), // docs.length
    (-1.23, 0.00), // config.how
    (0.89, 0.00), // config.fact
    (0.45, -0.32), // config.length
    (0.42, 0.36), // prior.main-language
    (-3.18, -0.91), // prior.test
    (-1.33, -0.63), // prior.example
    (-1.54, -0.68), // prior.bench
    (-1.89, -0.37), // prior.compat
    (-0.25, -0.56), // prior.script
    (-1.98, -0.61), // prior.generated
    (-2.00, -1.00), // prior.vendored
    (-1.55, -0.20), // prior.docs-folder
    (-1.97, -2.34), // prior.declarations
    (-0.64, 0.37), // prior.types
    (-0.27, 1.03), // prior.index
    (-0.24, -0.39), // prior.bodiless
    (-3.26, -1.73), // prior.header
    (-3.12, -1.19), // prior.copied
    (1.11, 0.33), // prior.main-package
    (-1.37, -1.33), // prior.docs
    (-1.00, -1.04), // prior.config
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
