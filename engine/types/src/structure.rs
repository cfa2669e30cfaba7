//! Questions about structure, and what comes back.

use crate::{ByteSpan, LineSpan};

/// A question about structure. Names may be qualified as any language writes it: `Client::get`, `Client.get`,
/// `Client#get`.
#[derive(Clone, Debug, PartialEq)]
pub enum StructureQuery {
    /// The symbols of a file, nested.
    Outline {
        /// The file, relative to the root.
        path: String,
    },
    /// Where a name is defined.
    Definitions {
        /// The name.
        name: String,
    },
    /// Where a name stands, with what each use of it means.
    References {
        /// The name.
        name: String,
        /// Where it stands, by path.
        found: Vec<FileOccurrences>,
    },
    /// What uses a symbol.
    Callers {
        /// The name.
        name: String,
    },
    /// What a symbol uses.
    Callees {
        /// The name.
        name: String,
    },
    /// What uses a symbol, and what uses that, and so on.
    Impact {
        /// The name.
        name: String,
        /// How many steps are taken; 0 means all.
        depth: u32,
    },
    /// The shortest way of calls from one symbol to another.
    Path {
        /// Where it starts.
        from: String,
        /// Where it leads.
        to: String,
    },
    /// The files that matter, with the symbols that matter in each.
    Map {
        /// What they should matter for; empty means in general.
        task: String,
        /// How many files are told at most.
        files: u32,
    },
    /// The tests that reach what was changed.
    Affected {
        /// What was changed, by place.
        changes: Vec<Change>,
        /// What was changed, by name.
        names: Vec<String>,
    },
    /// Where documentation speaks of a symbol: in back-ticks, or as a link.
    Mentions {
        /// The name.
        name: String,
        /// Where it stands, by path.
        found: Vec<FileOccurrences>,
    },
    /// What stands at a place of a file, and what belongs to that.
    At {
        /// The place.
        spot: Spot,
        /// What is asked of it.
        facet: Facet,
        /// Where its name stands, by path: for [`Facet::References`].
        found: Vec<FileOccurrences>,
    },
    /// Symbols by a part of their name, the best first.
    Symbols {
        /// Letters of the name in their order; a capital letter begins a word of it. Empty means any.
        text: String,
        /// How many are told at most.
        limit: u32,
    },
}

/// A place of a file with the name that stands there, as [`Token`] has it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Spot {
    /// The file.
    pub path: String,
    /// The name.
    pub name: String,
    /// What stands before it as a path; empty if nothing does.
    pub on: String,
    /// Line of the name's start, one-based.
    pub line: u32,
    /// Column of the name's start, one-based, in bytes of the decoded line.
    pub column: u32,
}

/// What is asked of a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Facet {
    /// Where that is defined which stands there.
    Definitions,
    /// What extends, implements or overrides it.
    Implementations,
    /// What uses it.
    Callers,
    /// What it uses.
    Callees,
    /// Every place that means the same.
    References,
}

/// What stands at a place, as far as its file tells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    /// The name.
    pub name: String,
    /// Where it stands, and what it does there.
    pub occurrence: Occurrence,
    /// If it is a variable or parameter of the function around it: all its places, in order.
    pub locals: Vec<LocalPlace>,
}

/// A place of a variable or parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LocalPlace {
    /// The place in bytes of the file on disk.
    pub span: ByteSpan,
    /// Its line, one-based.
    pub line: u32,
    /// Its column, one-based, in bytes of the decoded line.
    pub column: u32,
    /// What the name does there; [`Role::Definition`] where it is declared.
    pub role: Role,
}

/// Something in a file that its language's grammar does not allow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyntaxError {
    /// The place in bytes of the file on disk; empty where something is missing.
    pub span: ByteSpan,
    /// Its lines, one-based: the first and the last.
    pub lines: LineSpan,
    /// Column of its start, one-based, in bytes of the decoded line.
    pub column: u32,
    /// Column of its end, one past its last byte, likewise.
    pub end_column: u32,
    /// What is wrong, for a reader: `missing ")"`, `unexpected "else"`.
    pub message: String,
}

/// Where a name stands in one file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileOccurrences {
    /// The file.
    pub path: String,
    /// The places, in order.
    pub occurrences: Vec<Occurrence>,
}

/// One place of a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Occurrence {
    /// The place in bytes of the file on disk.
    pub span: ByteSpan,
    /// Its line, one-based.
    pub line: u32,
    /// Its column, one-based, in bytes of the decoded line.
    pub column: u32,
    /// What the name does there.
    pub role: Role,
    /// What stands before it as a path (`self.inner`, `Client::new()`, `?` for what cannot be said); empty if nothing does.
    pub on: String,
    /// Whether it is a variable or parameter of the function around it, and so nothing that other files could name.
    pub local: bool,
}

/// What a name does where it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Role {
    /// It is defined.
    Definition,
    /// It is called.
    Call,
    /// It is imported.
    Import,
    /// It is extended or implemented.
    Extends,
    /// It is read, or handed on.
    Read,
    /// It is written to.
    Write,
    /// It is spoken of in back-ticks or as a link.
    Mention,
    /// It stands in a comment, a string or prose.
    Text,
}

impl Role {
    /// The word in answers.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Definition => "definition",
            Self::Call => "call",
            Self::Import => "import",
            Self::Extends => "extends",
            Self::Read => "read",
            Self::Write => "write",
            Self::Mention => "mention",
            Self::Text => "text",
        }
    }
}

/// How it is known what a use means, the surest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Confidence {
    /// Defined in a scope around it.
    Scope,
    /// Defined at the top of its file.
    File,
    /// Imported by its file.
    Import,
    /// Defined in its package.
    Package,
    /// A member of a type that can be seen.
    Receiver,
    /// The only definition of that name in the tree.
    Unique,
    /// One of several definitions.
    Ambiguous,
    /// Not defined in the tree.
    External,
}

impl Confidence {
    /// The word in answers.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Scope => "scope",
            Self::File => "file",
            Self::Import => "import",
            Self::Package => "package",
            Self::Receiver => "receiver",
            Self::Unique => "unique",
            Self::Ambiguous => "ambiguous",
            Self::External => "external",
        }
    }
}

/// Lines that were changed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Change {
    /// The file.
    pub path: String,
    /// The lines as they are now; empty means the whole file.
    pub lines: Vec<LineSpan>,
}

/// A definition.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Symbol {
    /// Its name.
    pub name: String,
    /// The names around it (`Client`); empty at the top.
    pub container: String,
    /// Its kind.
    pub kind: String,
    /// Language id.
    pub language: String,
    /// The file.
    pub path: String,
    /// Its lines, with comments and decorators.
    pub lines: LineSpan,
    /// Its bytes, likewise.
    pub span: ByteSpan,
    /// Line of its name, one-based.
    pub name_line: u32,
    /// Column of its name, one-based, in bytes of the decoded line.
    pub name_column: u32,
    /// Its signature or heading, on one line.
    pub signature: String,
    /// The first sentence of its documentation.
    pub doc: String,
    /// The share of the tree's functions and types that it ranks above by PageRank, 0 to 1.
    pub importance: f32,
    /// Whether it is a test.
    pub test: bool,
}

/// A place in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The file.
    pub path: String,
    /// Line, one-based.
    pub line: u32,
    /// Column, one-based, in bytes of the decoded line.
    pub column: u32,
    /// The place in bytes of the file on disk.
    pub span: ByteSpan,
    /// What the name does there.
    pub role: Role,
}

/// One part of an answer.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Row {
    /// The symbol that it is about: who uses, what is used, what is around a place. None at the top of a file, and for
    /// what is not in the tree.
    pub symbol: Option<Symbol>,
    /// The name that is used; the file's path where no symbol is around.
    pub name: String,
    /// Which of the answer's subjects it belongs to, where that is known.
    pub subject: Option<u32>,
    /// Where the uses stand.
    pub places: Vec<Place>,
    /// How it is known what they mean.
    pub confidence: Option<Confidence>,
    /// The definitions that are meant, where these are several: at most 20.
    pub candidates: Vec<Symbol>,
    /// How many these are.
    pub candidate_count: u32,
    /// Steps from a subject.
    pub depth: u32,
    /// The row that it came from, by number.
    pub parent: Option<u32>,
}

/// One file of a map.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FileRow {
    /// The file.
    pub path: String,
    /// Language id.
    pub language: String,
    /// The share of the tree's files of code that it ranks above by PageRank, 0 to 1.
    pub importance: f32,
    /// Its symbols, the most important first.
    pub symbols: Vec<Symbol>,
    /// The other files of the map that it uses, by number, the most used first.
    pub uses: Vec<u32>,
}

/// The answer to a question about structure.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StructureAnswer {
    /// What the name of the question means: all definitions of it.
    pub subjects: Vec<Symbol>,
    /// The parts.
    pub rows: Vec<Row>,
    /// The files of a map, the most important first.
    pub files: Vec<FileRow>,
    /// How many rows or files there are in all.
    pub total: u32,
    /// Whether the name, file or way does not exist.
    pub not_found: bool,
    /// If not found: names or paths of this tree that come nearest.
    pub nearest: Vec<String>,
    /// What a reader should know about this answer, a sentence each.
    pub notes: Vec<String>,
}
