//! What the host needs of an engine. The product has one: the component ([`crate::component`]). Tests and benchmarks link
//! the same engine natively and put it behind the same seam.

use seekwell_types::structure::{Occurrence, StructureAnswer, StructureQuery, SyntaxError, Token};
use seekwell_types::{Answer, ByteSpan, Generation, LineSpan, Query};

use crate::session::LanguageInfo;

/// An engine that can be used from many threads.
pub trait Engine: Sync {
    /// A worker for one thread.
    fn worker(&self) -> Result<Box<dyn Worker + '_>, Failed>;
    /// What the engine is made of, as a hash: analyses and snapshots of engines with different fingerprints differ.
    fn fingerprint(&self) -> &str;
    /// An empty workspace.
    fn workspace(&self, vectors: bool) -> Result<Box<dyn Workspace + '_>, Failed>;
}

/// Analyses and scans files, one after the other, and remembers nothing of them.
pub trait Worker {
    /// Analyses a file.
    fn analyse(&mut self, path: &str, bytes: &[u8], vectors: bool) -> Result<Vec<u8>, Rejected>;
    /// Analyses a file, and gives what to keep for [`Worker::analyse_again`].
    fn analyse_to_keep(&mut self, path: &str, bytes: &[u8], vectors: bool) -> Result<Analysed, Rejected>;
    /// The analysis of a file of which there is a skeleton, without parsing it; `None` if that does not fit.
    fn analyse_again(&mut self, path: &str, bytes: &[u8], skeleton: &[u8], vectors: bool) -> Option<Vec<u8>>;
    /// Where the needle stands in a file; `None` if its content is not text.
    fn scan(&mut self, bytes: &[u8], needle: &Needle) -> Result<Option<Vec<ByteSpan>>, Failed>;
    /// Whether hits of the question may lie in a file, as far as its filters for languages, paths and content say.
    fn admits(&mut self, query: &Query, path: &str, bytes: &[u8]) -> Result<bool, Failed>;
    /// The text of some lines of a file.
    fn snippet(&mut self, bytes: &[u8], lines: LineSpan) -> Result<String, Failed>;
    /// What the question wants to find as it stands.
    fn needle_of(&mut self, query: &Query) -> Result<Option<Needle>, Failed>;
    /// What of a path an analysis depends on, besides the bytes.
    fn path_class(&mut self, path: &str) -> Result<String, Failed>;
    /// Every place of a name in a file; `None` if its content is not text.
    fn occurrences(&mut self, path: &str, bytes: &[u8], name: &str) -> Result<Option<Vec<Occurrence>>, Failed>;
    /// What stands at a place of a file: line and column one-based, the column in bytes of the decoded line.
    fn token_at(&mut self, path: &str, bytes: &[u8], line: u32, column: u32) -> Result<Option<Token>, Failed>;
    /// What the grammar of the file's language does not allow.
    fn syntax_errors(&mut self, path: &str, bytes: &[u8]) -> Result<Vec<SyntaxError>, Failed>;
    /// The languages, by id.
    fn languages(&mut self) -> Result<Vec<LanguageInfo>, Failed>;
}

/// Holds a tree. Any thread may ask it, one at a time.
pub trait Workspace: Send {
    /// Adds a file, in the order of paths.
    fn add(&mut self, path: &str, analysis: &[u8]) -> Result<(), Failed>;
    /// Makes what was added searchable.
    fn commit(&mut self) -> Result<Generation, Failed>;
    /// What was committed, as bytes; none if there is nothing, or if it was restored or updated since.
    fn snapshot(&mut self) -> Result<Option<Snapshot>, Failed>;
    /// Takes the next bytes of a snapshot; `left` come after them.
    fn receive(&mut self, bytes: &[u8], left: usize) -> Result<(), Failed>;
    /// Takes a snapshot in place of `add` and `commit`: what was received and these bytes.
    fn restore(&mut self, searchable: &[u8]) -> Result<Generation, Failed>;
    /// Replaces files of what was restored; `changes` come by path, `rest` is of the same snapshot.
    fn update(&mut self, changes: &[Change], rest: &dyn Rest) -> Result<Generation, Failed>;
    /// Answers a question. `matches` come by path.
    fn find(&mut self, query: &Query, matches: &[FileMatches]) -> Result<Answer, Failed>;
    /// Answers a question about structure.
    fn ask(&mut self, query: &StructureQuery) -> Result<StructureAnswer, Failed>;
    /// The candidates of a question with all their signals; with `places`, the chunks of the candidates with theirs.
    fn measure(&mut self, query: &Query, places: bool) -> Result<Measurement, Failed>;
}

/// A committed tree as bytes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Snapshot {
    /// What questions are answered from.
    pub searchable: Vec<u8>,
    /// What else updates need, in parts, of which each needs few.
    pub rest: Vec<Vec<u8>>,
}

/// What else an update needs, wherever it is.
pub trait Rest {
    /// The part of this number; `None` if it is not there or cannot be read.
    fn part(&self, number: usize) -> Option<Vec<u8>>;
}

impl Rest for Vec<Vec<u8>> {
    fn part(&self, number: usize) -> Option<Vec<u8>> {
        self.get(number).cloned()
    }
}

/// An analysis, and what to keep of the work it took.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Analysed {
    /// The analysis.
    pub analysis: Vec<u8>,
    /// What parsing has found: with it and the same bytes, the analysis can be made again without.
    pub skeleton: Vec<u8>,
}

/// What becomes of one file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Change {
    /// Its path.
    pub path: String,
    /// The analysis that it is to be made of; none if the file is gone.
    pub new: Option<Vec<u8>>,
}

/// What is looked for as it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Needle {
    /// The text, or the regular expression.
    pub pattern: String,
    /// Whether it is a regular expression.
    pub regex: bool,
    /// Whether letters match without regard to case.
    pub ignore_case: bool,
}

/// Where the needle stands in one file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileMatches {
    /// The file.
    pub path: String,
    /// The places, in order.
    pub spans: Vec<ByteSpan>,
}

/// The signals of a question's candidates, best first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Measurement {
    /// Names of the signals: the columns.
    pub signals: Vec<String>,
    /// Candidates, or places in them: the rows.
    pub rows: Vec<String>,
    /// Row after row.
    pub values: Vec<f32>,
    /// The weights that apply: `natural`, `symbol` for identifiers, `message` for what a program has printed.
    pub weights: String,
}

/// Why a file has no analysis.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Rejected {
    /// Its content is not text.
    Binary,
    /// It brought the engine down with and without its structure; the word for the reason.
    Limit(String),
    /// The engine itself failed.
    Failed(Failed),
}

/// What the engine says when it cannot go on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failed {
    /// The question holds no text.
    EmptyQuery,
    /// Not a regular expression.
    Pattern(String),
    /// Not a glob.
    Glob(String),
    /// Not a snapshot of this engine.
    Snapshot,
    /// Anything else, in its own words.
    Other(String),
}

impl std::fmt::Display for Failed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Snapshot => f.write_str("not a snapshot of this engine"),
            Self::EmptyQuery => f.write_str("the query is empty"),
            Self::Pattern(why) | Self::Glob(why) | Self::Other(why) => f.write_str(why),
        }
    }
}

impl std::error::Error for Failed {}
