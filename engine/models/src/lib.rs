//! The static embedding table: text → token ids → vectors, from data in the binary.
//!
//! ```text
//! text → pieces → token ids → embed → Vector → normalize → quantize → dot_i8
//! ```
//!
//! The table is one `i8` row for each of 16,048 WordPiece tokens, made from all-MiniLM-L6-v2 for code (see `NOTICE`).
//! A text's vector is the weighted sum of its tokens' rows. Nothing is parsed, allocated or computed at start: the
//! rows, the vocabulary's trie and the character tables are written by `build.rs` in the form they are used in, and lie
//! in the data segment.
//!
//! What is not in here: I/O, a clock, threads, randomness, hash maps, and any operation whose result could differ
//! between processors. Natively and in WebAssembly the same text gives the same bits.
//!
//! ```
//! use seekwell_models::{cosine, embed, pieces};
//!
//! let vector = |text| {
//!     let mut ids = Vec::new();
//!     pieces(text, &mut ids);
//!     embed(ids.into_iter().map(|id| (id, 1.0))).normalize()
//! };
//! let question = vector("parse the configuration file");
//! let (near, far) = (vector("fn load_config(path: &Path)"), vector("struct HttpClient"));
//! assert!(cosine(&question, &near) > cosine(&question, &far));
//! ```

#![deny(missing_docs)]
#![deny(clippy::disallowed_methods, clippy::disallowed_types, reason = "values in, values out: see clippy.toml")]

mod data;
mod trie;

mod chars;
mod word;

mod static_table;
pub mod table;
pub mod tokenizer;
pub mod vector;

pub use data::{DIMENSIONS, FINGERPRINT, TOKENS};
pub use static_table::StaticTable;
pub use table::{SCALE, add_row, embed, row};
pub use tokenizer::{is_boundary, pieces, word_pieces};
pub use vector::{Vector, cosine, dot_i8};
