//! What a session comes to: the nouns that printers read. Plain data; a host fills it, be it native or a browser.

use std::path::PathBuf;

use seekwell_types::structure::StructureAnswer;
use seekwell_types::{Answer, Generation, Skipped};

/// What the answer was computed from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Source {
    /// Everything was read and analysed for this question.
    #[default]
    Memory,
    /// A stored index.
    Store,
}

/// What a question did to the store.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Upkeep {
    /// Whether the index of this tree was begun.
    pub begun: bool,
    /// Files whose analysis was neither in the index nor elsewhere in the store.
    pub analysed: u32,
    /// Files that were read again, since they may have changed, or are new.
    pub looked_at: u32,
    /// Files that are no longer there.
    pub gone: u32,
    /// What could not be read or written, a line each. The answer is right without it.
    pub troubles: Vec<String>,
}

/// The text of one hit.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Snippet {
    /// The text of the hit's lines, decoded.
    pub text: String,
    /// Whether the hit's path is percent-escaped, since its bytes are not UTF-8.
    pub path_escaped: bool,
}

/// The answer, with what a reader needs to judge it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outcome {
    /// The folder that paths are relative to, absolute.
    pub root: PathBuf,
    /// What was searched.
    pub generation: Generation,
    /// What was not, with the reason.
    pub skipped: Vec<Skipped>,
    /// Whether the tree was searched in part only.
    pub partial: bool,
    /// What the answer was computed from.
    pub source: Source,
    /// What was done to the store, and what is the matter with it.
    pub upkeep: Upkeep,
    /// The answer.
    pub answer: Answer,
    /// Texts of `answer.hits`, in the same order.
    pub snippets: Vec<Snippet>,
}

/// The answer to a question about structure, with what a reader needs to judge it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StructureOutcome {
    /// The folder that paths are relative to, absolute.
    pub root: PathBuf,
    /// What was searched.
    pub generation: Generation,
    /// What was not, with the reason.
    pub skipped: Vec<Skipped>,
    /// Whether the tree was read in part only.
    pub partial: bool,
    /// What the answer was computed from.
    pub source: Source,
    /// The answer.
    pub answer: StructureAnswer,
    /// For questions about places: the text of the line of each row's first place, in the order of rows.
    pub lines: Vec<String>,
    /// The files of the tree, in order.
    pub files: Vec<String>,
}

/// The files that would be searched.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileList {
    /// The folder that paths are relative to, absolute.
    pub root: PathBuf,
    /// Paths relative to the root, in order.
    pub files: Vec<String>,
    /// What would not be searched, with the reason.
    pub skipped: Vec<Skipped>,
}

/// What is known of a tree.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Status {
    /// The folder that paths are relative to, absolute.
    pub root: PathBuf,
    /// What is searched.
    pub generation: Generation,
    /// What is not, with the reason.
    pub skipped: Vec<Skipped>,
    /// Whether the tree was read in part only.
    pub partial: bool,
    /// Where the generation came from.
    pub source: Source,
    /// The engine and its version.
    pub engine: String,
    /// The embedding table or model.
    pub model: String,
    /// The device that ran it.
    pub device: String,
    /// The index of this tree.
    pub index: IndexStatus,
}

/// What is known of the index of a tree.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct IndexStatus {
    /// Whether there is one.
    pub exists: bool,
    /// Where the store lies; empty on a machine without a place for caches.
    pub location: PathBuf,
    /// Bytes that this tree has a share in.
    pub bytes: u64,
    /// Bytes of all trees together.
    pub store_bytes: u64,
    /// The engine that made it, if that is another one: it heals at the next question.
    pub other_engine: String,
    /// Files that had changed since the last question, were new, or are gone. They are up to date now.
    pub stale: u32,
    /// Whether the tree carries an index of its own that is used.
    pub carried: bool,
    /// What is the matter with the store, a line each.
    pub troubles: Vec<String>,
}

/// What indexing came to.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Indexed {
    /// The folder, absolute.
    pub root: PathBuf,
    /// What is searched.
    pub generation: Generation,
    /// What is not, with the reason.
    pub skipped: Vec<Skipped>,
    /// What was done.
    pub upkeep: Upkeep,
    /// Where the index is, and how large.
    pub index: IndexStatus,
    /// Analyses that were written into the tree.
    pub carried: Option<usize>,
}

/// What cleaning came to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cleaned {
    /// Where the store lies.
    pub location: PathBuf,
    /// Trees that were forgotten.
    pub trees: usize,
    /// Bytes freed.
    pub bytes: u64,
    /// Whether another process uses the store, so that its garbage is still there.
    pub in_use: bool,
}
