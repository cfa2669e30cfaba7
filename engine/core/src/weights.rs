//! The weights of the score: natural language and everything else, then identifiers. In the order of the signals.
//!
//! Fitted by `docs/fit.py`; what was tried is in `docs/ranking-log.md`.

#![allow(clippy::approx_constant, reason = "a weight near 3.14 has nothing to do with circles")]

/// `(natural, symbol)` by signal.
#[rustfmt::skip]
pub const WEIGHTS: [(f32, f32); 51] = [
    (1.21, 0.69), // words.chunks
    (0.74, 0.69), // words.head
    (0.61, 2.00), // words.whole
    (1.00, 0.18), // words.coverage
    (0.71, 0.62), // words.file
    (1.07, 0.40), // words.folder
    (0.45, 0.59), // doc.chunk
    (0.00, 0.72), // doc.file
    (4.23, 2.63), // meaning.best
    (3.50, 2.73), // meaning.mean
    (0.33, 0.00), // path.stem
    (0.86, 0.99), // path.folder
    (1.33, 1.01), // path.share
    (1.30, 0.37), // path.prefix
    (0.00, 0.21), // define.type
    (0.00, 0.55), // define.type-any-case
    (0.73, 0.60), // define.function
    (0.16, 0.87), // define.phrase
    (0.20, 0.00), // define.phrase-function
    (0.46, 1.04), // define.stem
    (0.32, 0.00), // define.cover
    (0.30, 0.93), // define.match
    (1.47, 0.90), // importance.file
    (8.00, 4.00), // text.literal
    (0.88, 4.59), // asked.kind
    (3.45, 1.36), // asked.docs
    (2.26, 0.00), // asked.config
    (-2.47, 0.00), // docs.how
    (2.04, 0.00), // docs.fact
    (0.97, 1.75), // docs.length
    (-1.21, 0.00), // config.how
    (0.89, 0.00), // config.fact
    (1.22, 0.13), // config.length
    (0.21, 0.28), // prior.main-language
    (-2.96, -0.85), // prior.test
    (-1.06, -0.57), // prior.example
    (-1.49, -0.60), // prior.bench
    (-1.88, -0.41), // prior.compat
    (-0.03, -0.56), // prior.script
    (-1.97, -0.60), // prior.generated
    (-2.00, -1.00), // prior.vendored
    (-1.36, -0.18), // prior.docs-folder
    (-2.39, -2.51), // prior.declarations
    (-0.76, 0.33), // prior.types
    (-0.14, 0.82), // prior.index
    (-0.09, -0.34), // prior.bodiless
    (-3.30, -1.83), // prior.header
    (-3.05, -1.21), // prior.copied
    (1.00, 0.29), // prior.main-package
    (-1.00, -1.19), // prior.docs
    (-1.00, -1.00), // prior.config
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
