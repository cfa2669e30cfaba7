//! Tree + patterns -> symbols with nesting, and call sites with names unresolved.

mod collect;
mod nest;

use seekwell_types::ByteSpan;

pub use crate::kinds::{CallKind, SymbolKind};
pub use collect::extract;

/// What was found in one file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Extracted {
    /// Symbols by the start of their spans, wider first, so that parents come before their children.
    pub symbols: Vec<Symbol>,
    /// Call sites by the place of the name.
    pub calls: Vec<Call>,
    /// Variables, parameters and fields whose type can be seen, by place.
    pub bindings: Vec<Binding>,
}

/// A definition in one file. Spans are bytes of the decoded text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symbol {
    /// What it is.
    pub kind: SymbolKind,
    /// Its name, as written.
    pub name: ByteSpan,
    /// What the name is declared on, as a path: `Client` of `void Client::get()`, `func (c *Client) Get`, `fun
    /// Client.get()`; else empty.
    pub on: String,
    /// The defining node, decorators and `export` included.
    pub span: ByteSpan,
    /// `span` widened upwards by the comments, attributes and decorators directly before it.
    pub extent: ByteSpan,
    /// From the start of `span`, past attributes and decorators inside it, to where the body begins; the first line
    /// where there is no body.
    pub signature: ByteSpan,
    /// Documentation: the docstring inside it, or the comments before it; empty if none.
    pub doc: ByteSpan,
    /// The innermost symbol around it, by index in the same list. Parents come before their children.
    pub parent: Option<u32>,
}

/// A name that is used, unresolved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// What is done with it.
    pub kind: CallKind,
    /// The name as written, without qualifiers.
    pub name: ByteSpan,
    /// What stands before it, as a path (see [`crate::qualifier`]); of an import, where it comes from, as written.
    pub on: String,
    /// What an import is called here, where that is another name; else empty.
    pub alias: ByteSpan,
    /// The symbol it stands in.
    pub within: Option<u32>,
}

/// A name whose type can be seen, unresolved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Binding {
    /// The name.
    pub name: ByteSpan,
    /// The path of its type, or, after `=`, of its value (see [`crate::qualifier`]). After `.` it is a field that is
    /// given its type in a method; after `=#` it is the second of what the value is; after `)` it is a function, and this
    /// what it returns.
    pub of: String,
    /// The symbol it stands in.
    pub within: Option<u32>,
}
