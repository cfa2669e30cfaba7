//! The weights of the score: natural language and everything else, then identifiers. In the order of the signals.
//!
//! Starting values from a laboratory over 41 repositories.

/// `(natural, symbol)` by signal.
#[rustfmt::skip]
pub const WEIGHTS: [(f32, f32); 36] = [
    (0.79, 0.21), // words.chunks
    (1.37, 0.21), // words.head
    (0.63, 0.33), // words.whole
    (0.50, 0.25), // words.file
    (2.02, 0.58), // words.folder
    (0.36, 0.56), // doc.chunk
    (0.59, 1.00), // doc.file
    (4.41, 1.63), // meaning.best
    (1.45, 1.94), // meaning.mean
    (0.43, 0.00), // path.stem
    (0.73, 0.34), // path.folder
    (1.44, 1.41), // path.share
    (1.11, 0.05), // path.prefix
    (0.00, 0.50), // define.type
    (0.00, 1.96), // define.type-any-case
    (2.11, 1.66), // define.function
    (0.12, 0.35), // define.phrase
    (0.12, 0.35), // define.phrase-function
    (0.45, 1.28), // define.stem
    (1.30, 0.03), // define.cover
    (0.83, 0.68), // define.match
    (3.00, 1.00), // text.literal
    (1.77, 0.18), // prior.main-language
    (-3.62, -0.73), // prior.test
    (-1.44, -0.19), // prior.example
    (-1.40, -0.14), // prior.bench
    (-3.02, -0.22), // prior.compat
    (-1.33, -0.53), // prior.script
    (-3.13, -0.76), // prior.generated
    (-2.00, -0.50), // prior.vendored
    (-1.11, -0.24), // prior.docs-folder
    (-2.05, -0.80), // prior.declarations
    (-0.91, 0.34), // prior.types
    (-0.59, 0.87), // prior.index
    (-1.48, -0.27), // prior.docs
    (-0.30, -0.05), // prior.config
];
