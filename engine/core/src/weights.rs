//! The weights of the score: natural language and everything else, then identifiers. In the order of the signals.
//!
//! Fitted by `docs/fit.py`; what was tried is in `docs/ranking-log.md`.

/// `(natural, symbol)` by signal.
#[rustfmt::skip]
pub const WEIGHTS: [(f32, f32); 36] = [
    (1.52, 0.30), // words.chunks
    (1.46, 0.30), // words.head
    (0.88, 2.00), // words.whole
    (0.17, 0.29), // words.file
    (1.40, 0.67), // words.folder
    (0.77, 0.76), // doc.chunk
    (0.10, 1.31), // doc.file
    (4.58, 2.02), // meaning.best
    (2.71, 1.80), // meaning.mean
    (0.43, 0.20), // path.stem
    (0.79, 0.67), // path.folder
    (1.23, 0.70), // path.share
    (1.01, 0.29), // path.prefix
    (0.00, 0.81), // define.type
    (0.00, 0.13), // define.type-any-case
    (0.79, 0.73), // define.function
    (0.04, 0.82), // define.phrase
    (0.16, 0.00), // define.phrase-function
    (0.49, 1.31), // define.stem
    (0.08, 0.00), // define.cover
    (0.81, 1.09), // define.match
    (8.00, 4.00), // text.literal
    (0.31, -0.04), // prior.main-language
    (-2.71, -0.64), // prior.test
    (-1.93, -0.49), // prior.example
    (-1.94, -0.31), // prior.bench
    (-2.21, -0.29), // prior.compat
    (-1.62, -0.23), // prior.script
    (-2.74, -0.98), // prior.generated
    (-2.00, -1.00), // prior.vendored
    (-1.99, -0.39), // prior.docs-folder
    (-3.43, -1.12), // prior.declarations
    (-0.71, 0.34), // prior.types
    (0.72, 1.61), // prior.index
    (-2.09, -0.32), // prior.docs
    (-1.33, -0.19), // prior.config
];
