//! The weights of the score: natural language and everything else, then identifiers. In the order of the signals.
//!
//! Fitted by `docs/fit.py`; what was tried is in `docs/ranking-log.md`.

#![allow(clippy::approx_constant, reason = "a weight near 3.14 has nothing to do with circles")]

/// `(natural, symbol)` by signal.
#[rustfmt::skip]
pub const WEIGHTS: [(f32, f32); 50] = [
    (1.92, 0.73), // words.chunks
    (0.99, 0.73), // words.head
    (0.66, 2.00), // words.whole
    (0.00, 0.00), // words.coverage
    (0.80, 0.63), // words.file
    (1.01, 0.45), // words.folder
    (0.64, 0.68), // doc.chunk
    (0.00, 0.81), // doc.file
    (3.93, 2.43), // meaning.best
    (3.03, 2.43), // meaning.mean
    (0.41, 0.05), // path.stem
    (0.85, 1.03), // path.folder
    (1.43, 1.05), // path.share
    (1.13, 0.35), // path.prefix
    (0.00, 0.18), // define.type
    (0.00, 0.56), // define.type-any-case
    (0.84, 0.74), // define.function
    (0.25, 0.92), // define.phrase
    (0.26, 0.00), // define.phrase-function
    (0.52, 1.12), // define.stem
    (0.42, 0.00), // define.cover
    (0.42, 1.11), // define.match
    (8.00, 4.00), // text.literal
    (1.00, 5.04), // asked.kind
    (3.27, 1.71), // asked.docs
    (2.27, 0.00), // asked.config
    (-2.51, 0.00), // docs.how
    (2.09, 0.00), // docs.fact
    (0.40, 0.85), // docs.length
    (-1.25, 0.00), // config.how
    (1.11, 0.00), // config.fact
    (0.23, -0.26), // config.length
    (0.39, 0.39), // prior.main-language
    (-3.14, -0.92), // prior.test
    (-1.22, -0.55), // prior.example
    (-1.65, -0.80), // prior.bench
    (-2.21, -0.35), // prior.compat
    (-0.24, -0.62), // prior.script
    (-2.13, -0.75), // prior.generated
    (-2.00, -1.00), // prior.vendored
    (-1.49, -0.20), // prior.docs-folder
    (-2.02, -2.39), // prior.declarations
    (-0.68, 0.19), // prior.types
    (-0.23, 0.98), // prior.index
    (-0.20, -0.37), // prior.bodiless
    (-3.14, -1.88), // prior.header
    (-3.37, -1.28), // prior.copied
    (1.10, 0.31), // prior.main-package
    (-1.28, -1.34), // prior.docs
    (-1.00, -1.03), // prior.config
];

/// The same for the signals of a chunk.
#[rustfmt::skip]
pub const PASSAGE_WEIGHTS: [(f32, f32); 15] = [
    (2.82, 3.33), // passage.words
    (0.30, 3.33), // passage.head
    (0.11, 0.00), // passage.whole
    (0.00, 0.00), // passage.doc
    (4.81, 1.55), // passage.meaning
    (3.55, 1.73), // passage.meaning-plain
    (1.00, 1.52), // passage.defines
    (0.51, 0.00), // passage.name-match
    (0.00, 0.00), // passage.name-cover
    (1.02, -0.12), // passage.callable
    (-0.61, 0.39), // passage.type
    (1.39, 1.15), // passage.part
    (-0.80, -0.09), // passage.loose
    (-3.25, -1.27), // passage.test
    (0.68, 0.74), // passage.length
];
