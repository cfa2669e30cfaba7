//! The session: walks a tree, has it analysed, asks, and cuts the text that is shown. Every surface goes through here and
//! differs only in how it translates.

mod pipeline;
mod structure;

use std::fmt;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use seekwell_types::structure::{Change, StructureQuery};
use seekwell_types::{Answer, Generation, Query, Skipped};

use crate::component::Component;
use crate::engine::Engine;
use crate::progress::Progress;

pub use pipeline::Session;
pub use structure::StructureOutcome;

/// Version of the WIT package that the component is built for.
pub const WIT_VERSION: &str = "0.1.0";
/// Version of the snapshot format that this build writes.
pub const SNAPSHOT_FORMAT: u32 = 1;
/// Size above which a file is not searched, unless the caller says otherwise.
pub const DEFAULT_MAX_FILESIZE: u64 = 8 << 20;

/// Which files of a tree are read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WalkOptions {
    /// Read what ignore files exclude, too.
    pub no_ignore: bool,
    /// Read hidden files and folders, too.
    pub hidden: bool,
    /// Excluded paths, in gitignore syntax, anchored at the root. A layer of its own: `!` takes back a pattern of this
    /// list, never one of an ignore file.
    pub exclude: Vec<String>,
    /// Excluded extensions, without the dot.
    pub exclude_extensions: Vec<String>,
    /// Size above which a file is not read; [`DEFAULT_MAX_FILESIZE`] if none.
    pub max_filesize: Option<u64>,
    /// Threads; 0 means as many as there are cores.
    pub threads: usize,
}

/// What is asked of a tree.
pub struct Request<'a> {
    /// Folders and files to search; empty means the current folder.
    pub paths: Vec<PathBuf>,
    /// The question.
    pub query: Query,
    /// Which files are read.
    pub walk: WalkOptions,
    /// Only files changed at or after this moment.
    pub since: Option<SystemTime>,
    /// Who is told how far the work has come.
    pub progress: &'a dyn Progress,
}

/// What the answer was computed from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Source {
    /// Everything was read and analysed for this question.
    #[default]
    Memory,
    /// A stored index.
    Store,
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
    /// The answer.
    pub answer: Answer,
    /// Texts of `answer.hits`, in the same order.
    pub snippets: Vec<Snippet>,
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
}

/// One language that the engine knows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LanguageInfo {
    /// What `-t` takes and answers carry.
    pub id: String,
    /// Name for readers.
    pub name: String,
    /// Other words that `-t` takes.
    pub aliases: Vec<String>,
    /// File extensions without the dot.
    pub extensions: Vec<String>,
}

/// Why a session cannot answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Error {
    /// A path that the caller named cannot be read.
    Unreadable {
        /// The path, as given.
        path: PathBuf,
        /// What the system says.
        detail: String,
    },
    /// The question is not a regular expression.
    Regex {
        /// The expression.
        pattern: String,
        /// What is wrong with it, in one line.
        detail: String,
    },
    /// A glob of the question cannot be understood.
    Glob {
        /// The glob.
        glob: String,
        /// What is wrong with it, in one line.
        detail: String,
    },
    /// What differs from a revision of git cannot be told.
    Revision {
        /// The revision, as typed.
        revision: String,
        /// What is in the way, in one line.
        detail: String,
    },
    /// The engine failed.
    Engine {
        /// What happened.
        detail: String,
    },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable { path, detail } => {
                write!(f, "cannot read: {}: {detail}; check its permissions", path.display())
            }
            Self::Regex { pattern, detail } => {
                write!(f, "not a regular expression: {pattern}: {detail}; for the text itself use -F")
            }
            Self::Glob { glob, detail } => write!(f, "not a glob: {glob}: {detail}; write it as for rg -g"),
            Self::Revision { revision, detail } => {
                write!(f, "cannot compare with revision: {revision}: {detail}; name the changed files instead")
            }
            Self::Engine { detail } => write!(f, "the engine failed: {detail}; please report it"),
        }
    }
}

impl std::error::Error for Error {}

/// The folder that the paths of an answer are relative to: the one folder named, else the deepest that holds all
/// of `paths`; the current folder if there are none.
pub fn root_of(paths: &[PathBuf]) -> Result<PathBuf, Error> {
    let absolute = |path: &Path| {
        let unreadable = |e: std::io::Error| Error::Unreadable { path: path.to_owned(), detail: e.to_string() };
        let path = path.canonicalize().map_err(unreadable)?;
        Ok(if path.is_dir() { path } else { path.parent().map(Path::to_owned).unwrap_or(path) })
    };
    let Some((first, rest)) = paths.split_first() else { return absolute(Path::new(".")) };
    let mut root = absolute(first)?;
    for path in rest {
        let other = absolute(path)?;
        while !other.starts_with(&root) && root.pop() {}
    }
    Ok(root)
}

/// The languages that `-t` can name, in order of their ids.
pub fn languages() -> Result<Vec<LanguageInfo>, Error> {
    let engine = Component::shared()?;
    Ok(engine.worker()?.languages()?)
}

/// Answers a question.
pub fn search(request: &Request<'_>) -> Result<Outcome, Error> {
    Session::new(Component::shared()?).search(request)
}

/// Answers a question about structure.
pub fn structure(request: &Request<'_>, query: &StructureQuery) -> Result<StructureOutcome, Error> {
    Session::new(Component::shared()?).structure(request, query)
}

/// What differs between a tree and a revision of the git repository that it is in.
pub fn changes(root: &Path, revision: &str) -> Result<Vec<Change>, Error> {
    crate::walk::diff::changes(root, revision)
        .map_err(|detail| Error::Revision { revision: revision.to_owned(), detail })
}

/// Lists the files that [`search`] would search.
pub fn files(request: &Request<'_>) -> Result<FileList, Error> {
    pipeline::files(request, &|| Ok(Component::shared()?))
}

/// Says what is known of a tree.
pub fn status(request: &Request<'_>) -> Result<Status, Error> {
    Session::new(Component::shared()?).status(request)
}
