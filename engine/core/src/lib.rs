//! The engine: values in, values out.
//!
//! ```text
//!          decode -> parse -> symbols -> chunk -> analyse      one file: bytes -> analysis, stateless
//!                        resolve -> rank -> graph               a tree: uses of names -> who uses whom
//!                                    generation                 a tree: analyses -> everything searchable
//!          question -> evidence -> signals -> find -> present   a question -> hits
//!                                    navigate                   a question about structure -> symbols, uses, tests
//! ```
//!
//! - [`decode`](decode::decode) makes text of bytes, [`parse`] a tree of text, [`symbols::extract`] symbols and calls of
//!   a tree, [`chunk::chunks`] the places that are ranked and shown; [`analyse::Analyst`] does all of it for one file.
//! - [`resolve`] finds the definition that each use of a name means, in stages with a confidence, [`rank`] has PageRank,
//!   and [`graph::Graph`] the uses, indexed, with the share of the walk that ends at each symbol and file.
//! - [`generation::Builder`] takes analyses and commits a [`generation::Generation`]: postings by [`lexical`], vectors by
//!   [`dense`], names and paths; [`nearest`] has the names that are offered where an answer is weak.
//! - [`snapshot`] keeps a generation as bytes, [`update`] brings a kept one up to date.
//! - [`find::Finder`] answers: [`question::Question`] says what is looked for, [`evidence`] what speaks for each chunk and
//!   file, [`signals`] what that comes to, [`present`] cuts the text that is shown.
//! - [`navigate`] answers questions about structure, [`occurrences`] finds the places of a name in a file, [`locals`] those of
//!   a variable in its function, [`syntax`] what the grammar does not allow.
//! - [`scan`] finds text as it stands, without an index.
//!
//! This crate does not know what a file system, a clock, a thread or a source of randomness is, and it never iterates
//! over a hash map: the same bytes give the same answer on every machine, natively and in WebAssembly.

#![deny(missing_docs)]
#![deny(clippy::disallowed_methods, clippy::disallowed_types, reason = "values in, values out: see clippy.toml")]
#![deny(clippy::iter_over_hash_type, reason = "answers must not depend on the order of a hash map")]

pub mod error;
pub mod bits;
pub mod columns;
pub mod splice;
pub mod copies;
pub mod table;
pub mod text;

pub mod kinds;
pub mod grammar;
pub mod decode;
pub mod pattern;
pub mod qualifier;
pub mod parse;
pub mod symbols;
pub mod prose;
pub mod notebook;
pub mod unwrap;
pub mod chunk;
pub mod words;
pub mod analysis;
pub mod texts;
pub mod skeleton;
pub mod analyse;
pub mod locals;
pub mod occurrences;
pub mod syntax;
pub mod place;
pub mod platform;
pub mod standing;
pub mod intent;
pub mod message;
pub mod names;
pub mod resolve;
pub mod rank;
pub mod importance;
pub mod graph;

pub mod lexical;
pub mod dense;
pub mod nearest;
pub mod generation;
pub mod snapshot;
pub mod update;

pub mod question;
pub mod evidence;
pub mod weights;
pub mod passage;
pub mod signals;
pub mod filter;
pub mod find;
pub mod navigate;
pub mod scan;
pub mod present;
