//! The static embedding table: text → token ids → vectors, from data in the binary.
//!
//! ```text
//! text → pieces → token ids → add_row → sum → normalize → quantize → dot
//! ```
//!
//! The table is one `i8` row for each of 16,000 WordPiece tokens, made from all-MiniLM-L6-v2 for code (`README.md`,
//! `NOTICE`). A text's vector is the weighted sum of its tokens' rows. Nothing is parsed, allocated or computed at start:
//! the rows, the vocabulary's trie and the character tables are written by `build.rs` in the form they are used in, and
//! lie in the data segment.
//!
//! What is not in here: I/O, a clock, threads, randomness, hash maps, and any operation whose result could differ
//! between processors. Natively and in WebAssembly the same text gives the same bits.
//!
//! ```
//! use seekwell_core::table::Table;
//! use seekwell_models::StaticTable;
//!
//! let codes = |text| {
//!     let (mut pieces, mut codes) = (Vec::new(), Vec::new());
//!     StaticTable.pieces(text, &mut pieces);
//!     let mut vector = vec![0.0; StaticTable.dimensions()];
//!     pieces.iter().for_each(|&piece| StaticTable.add_row(&mut vector, piece, 1.0));
//!     StaticTable.normalize(&mut vector);
//!     let scale = StaticTable.quantize(&vector, &mut codes);
//!     (codes, scale)
//! };
//! let cosine = |(a, x): &(Vec<i8>, f32), (b, y): &(Vec<i8>, f32)| StaticTable.dot(a, b) as f32 * x * y;
//! let question = codes("parse the configuration file");
//! let (near, far) = (codes("fn load_config(path: &Path)"), codes("struct HttpClient"));
//! assert!(cosine(&question, &near) > cosine(&question, &far));
//! ```

#![deny(missing_docs)]
#![deny(clippy::disallowed_methods, clippy::disallowed_types, reason = "values in, values out: see clippy.toml")]

mod data;
mod trie;

mod chars;
mod word;

mod static_table;
mod table;
mod tokenizer;
mod vector;

pub use static_table::StaticTable;
