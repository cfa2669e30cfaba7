//! Tree + patterns -> symbols with nesting, and call sites with names unresolved.

mod collect;
mod nest;

use seekwell_types::ByteSpan;
use serde::{Deserialize, Serialize};

pub use collect::extract;

/// What was found in one file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Extracted {
    /// Symbols by the start of their spans, wider first, so that parents come before their children.
    pub symbols: Vec<Symbol>,
    /// Call sites by the place of the name.
    pub calls: Vec<Call>,
}

/// What a symbol is. A closed set on purpose: ranking and filters know each of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum SymbolKind {
    /// Module, namespace, package.
    Module,
    /// Class, struct, record, object.
    Class,
    /// Interface, trait, protocol, type class.
    Interface,
    /// Enumeration, union, sum type.
    Enum,
    /// Type alias, associated type.
    Type,
    /// Implementation or extension of a type (`impl`, `extension`, `instance`).
    Impl,
    /// Function outside a type.
    Function,
    /// Function inside a type.
    Method,
    /// Constructor.
    Constructor,
    /// Macro.
    Macro,
    /// Field, property, enum member.
    Field,
    /// Constant, static, top-level variable.
    Variable,
    /// Test.
    Test,
    /// Heading in prose, key in data, rule in a style sheet, block in HCL.
    Section,
}

impl SymbolKind {
    /// The word used in queries (`@definition.WORD`), filters and answers.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Module => "module",
            Self::Class => "class",
            Self::Interface => "interface",
            Self::Enum => "enum",
            Self::Type => "type",
            Self::Impl => "impl",
            Self::Function => "function",
            Self::Method => "method",
            Self::Constructor => "constructor",
            Self::Macro => "macro",
            Self::Field => "field",
            Self::Variable => "variable",
            Self::Test => "test",
            Self::Section => "section",
        }
    }

    /// All kinds, in the order of declaration.
    pub const ALL: [Self; 14] = [
        Self::Module,
        Self::Class,
        Self::Interface,
        Self::Enum,
        Self::Type,
        Self::Impl,
        Self::Function,
        Self::Method,
        Self::Constructor,
        Self::Macro,
        Self::Field,
        Self::Variable,
        Self::Test,
        Self::Section,
    ];

    /// The kind with this word.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.word() == word)
    }

    /// Whether it names a type of its own.
    pub const fn is_type(self) -> bool {
        matches!(self, Self::Class | Self::Interface | Self::Enum | Self::Type)
    }

    /// Whether it can be called.
    pub const fn is_callable(self) -> bool {
        matches!(self, Self::Function | Self::Method | Self::Constructor | Self::Macro | Self::Test)
    }
}

/// A definition in one file. Spans are bytes of the decoded text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symbol {
    /// What it is.
    pub kind: SymbolKind,
    /// Its name, as written.
    pub name: ByteSpan,
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

/// What a call site does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum CallKind {
    /// Calls a function, method, constructor or macro.
    Call,
    /// Imports a name.
    Import,
    /// Extends or implements a type.
    Extends,
}

/// A name that is used, unresolved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// What is done with it.
    pub kind: CallKind,
    /// The name as written, without qualifiers.
    pub name: ByteSpan,
    /// The symbol it stands in.
    pub within: Option<u32>,
}
