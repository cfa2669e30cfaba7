//! What a symbol can be, and what a use of a name can do.

use serde::{Deserialize, Serialize};

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

/// What a call site does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum CallKind {
    /// Calls a function, method, constructor or macro.
    Call,
    /// Imports a name.
    Import,
    /// Extends or implements a type.
    Extends,
    /// Hands a function on as a value.
    Value,
}
