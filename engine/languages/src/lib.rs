//! The language table: one row per language, with its tree-sitter grammar and queries.
//!
//! The engine knows no language; it is handed [`LANGUAGES`]. Every row is always there, so that files are recognised
//! the same in every build; a cargo feature per language says whether its grammar is compiled in. Without it the
//! language's files are cut as plain text.
//!
//! What a language defines and uses is written in `queries/<id>/tags.scm` and `calls.scm`; see
//! [`seekwell_core::pattern`] for the syntax.

#![deny(missing_docs)]
#![deny(clippy::disallowed_methods, clippy::disallowed_types, reason = "values in, values out: see clippy.toml")]

mod grammars;
#[cfg_attr(
    not(all(feature = "python", feature = "ruby", feature = "yaml")),
    allow(dead_code, reason = "its grammar is left out")
)]
mod scanners;
mod table;
#[cfg(target_arch = "wasm32")]
mod wasm_alloc;

use seekwell_core::grammar::Languages;

/// All languages.
pub static LANGUAGES: Languages = all();

/// All languages.
pub const fn all() -> Languages {
    Languages(&table::ROWS)
}
