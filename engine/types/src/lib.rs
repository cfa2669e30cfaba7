//! The nouns of the contract: what a question is, what an answer is, what is said of files that are not searched.
//!
//! Plain data with public fields. The engine fills it, the component translates it to WIT types and the host back,
//! printers read it. Nothing here does anything, and nothing here can be serialised by itself: each surface decides
//! what it writes.
//!
//! Spans are half-open byte ranges in the *file as it is on disk*; lines are one-based and inclusive, and end at
//! `\n`, `\r\n` or `\r`.

#![deny(missing_docs)]

pub mod structure;

/// A half-open range of bytes, `start..end`, in the file as it is on disk.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ByteSpan {
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl ByteSpan {
    /// The span `start..end`.
    pub const fn new(start: u32, end: u32) -> Self {
        Self { start, end }
    }

    /// Length in bytes.
    pub const fn len(self) -> u32 {
        self.end - self.start
    }

    /// Whether the span holds no byte.
    pub const fn is_empty(self) -> bool {
        self.start >= self.end
    }

    /// Whether `other` lies within this span.
    pub const fn contains(self, other: Self) -> bool {
        self.start <= other.start && other.end <= self.end
    }

    /// The span as a range of indices.
    pub const fn range(self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// Lines `start..=end`, one-based.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LineSpan {
    /// First line, one-based.
    pub start: u32,
    /// Last line, inclusive.
    pub end: u32,
}

/// What kind of content a file holds: decides which questions it is for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Content {
    /// Program text.
    #[default]
    Code,
    /// Prose: Markdown, reStructuredText, AsciiDoc, plain text.
    Docs,
    /// Data and settings: JSON, YAML, TOML, lock files.
    Config,
}

/// Which files a question is asked of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scope {
    /// Every file.
    #[default]
    All,
    /// Files of one content class only.
    Only(Content),
}

/// How a question is answered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// Words, meaning and structure together.
    #[default]
    Hybrid,
    /// The embedding table alone.
    Semantic,
    /// Words and structure; the embedding table is never touched.
    Keyword,
    /// The text itself, byte for byte.
    Exact,
    /// A regular expression in the syntax of the `regex` crate.
    Regex,
}

/// A question with its filters. Filters act before anything is ranked, `limit` never changes the order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Query {
    /// What is asked, as typed. Any text is a valid question, apart from an empty one.
    pub text: String,
    /// How it is answered.
    pub mode: Mode,
    /// How many hits are wanted at most.
    pub limit: u32,
    /// How many hits of one file are shown at most; 0 means one.
    pub per_file: u32,
    /// How many hits are passed over first (paging).
    pub offset: u32,
    /// Language ids (`rust`) a hit must have; empty means any.
    pub languages: Vec<String>,
    /// Globs as ripgrep's `-g`: a path must match one of those without `!`, and none of those with it.
    pub globs: Vec<String>,
    /// A folder or file that the path must lie in, relative to the root; empty means any.
    pub path_prefix: String,
    /// Symbol kinds (`function`) a hit must have; empty means any.
    pub kinds: Vec<String>,
    /// Content class.
    pub scope: Scope,
    /// Whether each hit carries its explanation.
    pub explain: bool,
}

/// How the question was understood.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RouteKind {
    /// Words in a human language.
    #[default]
    Natural,
    /// One identifier, perhaps qualified.
    Symbol,
    /// Text that stands in a file as it is.
    Literal,
    /// A regular expression.
    Regex,
}

/// How the question was understood, and why.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Route {
    /// The kind.
    pub kind: RouteKind,
    /// One sentence for a reader.
    pub why: String,
}

/// One named part of a hit's score: `share` = `value` x `weight`; the score is the sum of the shares.
#[derive(Clone, Debug, PartialEq)]
pub struct Signal {
    /// The signal's name, as in the ranking documentation.
    pub name: String,
    /// What was measured.
    pub value: f32,
    /// Its weight for this kind of question.
    pub weight: f32,
}

/// One place that answers the question.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Hit {
    /// Path relative to the root, `/` between parts.
    pub path: String,
    /// The place, in bytes of the file on disk.
    pub span: ByteSpan,
    /// The place, in lines.
    pub lines: LineSpan,
    /// Language id, `text` where there is none.
    pub language: String,
    /// Symbol kind (`function`, `type` …), `section` in prose, or `text`.
    pub kind: String,
    /// Name of the symbol defined here, with its containers (`Client::send`); empty if none.
    pub symbol: String,
    /// One line for a reader: signature, doc line or heading.
    pub description: String,
    /// Between 0 and 1; comparable within one answer and, roughly, between answers.
    pub score: f32,
    /// Other paths whose text at this place is identical.
    pub also_in: Vec<String>,
    /// Signals of the score, largest share first; empty unless asked for.
    pub signals: Vec<Signal>,
    /// Content hash (blake3, first 16 bytes) of the file that was analysed: whoever shows the place can see whether it is still that file.
    pub content_hash: [u8; 16],
}

/// The answer to a question.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Answer {
    /// How the question was understood.
    pub route: Route,
    /// The hits, best first.
    pub hits: Vec<Hit>,
    /// How many hits there are without `limit`.
    pub total: u32,
    /// Whether the best hit is unlikely to answer the question.
    pub weak: bool,
    /// Whether nothing at all matches.
    pub not_found: bool,
    /// When weak or not found: words of this tree that come nearest to those of the question.
    pub nearest: Vec<String>,
    /// What a reader should know about this answer, a sentence each.
    pub notes: Vec<String>,
}

/// What the engine knows of the tree that it answers from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Generation {
    /// Identity: a hash over all paths and content hashes and the engine's fingerprint, in hex.
    pub id: String,
    /// Files searched.
    pub files: u32,
    /// Chunks.
    pub chunks: u32,
    /// Symbols.
    pub symbols: u32,
    /// Files decoded with loss.
    pub lossy: Vec<Lossy>,
    /// Files searched as text because their structure was given up.
    pub degraded: Vec<Degraded>,
    /// Files per language id, by id.
    pub languages: Vec<(String, u32)>,
}

/// A file that was decoded with loss.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Lossy {
    /// Path relative to the root.
    pub path: String,
    /// The encoding it was read as.
    pub encoding: String,
}

/// A file whose structure was given up; it is searched as text.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Degraded {
    /// Path relative to the root.
    pub path: String,
    /// A short word or phrase: `steps`, `memory`, `trap`.
    pub reason: String,
}

/// A path that is not searched, with the reason.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Skipped {
    /// Path relative to the root; folders end with `/`.
    pub path: String,
    /// A short word from an open list: `ignored`, `hidden`, `binary`, `too-large`, `unreadable`, `special-file`, `link`, `minified`, `limit`.
    pub reason: String,
    /// What a reader can act on: the rule and its file, the size, the error.
    pub detail: String,
}
