//! The session: walks a tree, has it analysed, asks, and cuts the text that is shown. Every surface goes through here and
//! differs only in how it translates.

mod cores;
mod index;
mod job;
mod keep;
mod live;
mod partial;
mod pipeline;
mod structure;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use seekwell_types::structure::{Change, StructureQuery};
use seekwell_types::{Query, Skipped};

use crate::component::Component;
use crate::engine::Engine;
use crate::progress::Progress;
use crate::walk::{self, Found};

pub use live::{Live, LiveOptions};
pub use pipeline::Session;
pub use seekwell_print::outcome::{
    Cleaned, FileList, IndexStatus, Indexed, Outcome, Snippet, Source, Status, StructureOutcome, Upkeep,
};
pub use seekwell_settings::StoreUse;

/// Version of the WIT package that the component is built for.
pub const WIT_VERSION: &str = "0.1.0";
/// Version of the snapshot format that this build writes.
pub const SNAPSHOT_FORMAT: u32 = 3;
/// Size above which a file is not searched, unless the caller says otherwise.
pub const DEFAULT_MAX_FILESIZE: u64 = seekwell_admit::MAX_FILE_SIZE;

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
    /// What of the store is used.
    pub store: StoreUse,
    /// Trust no stamp: hash every file, and analyse those whose content is not as it was.
    pub verify: bool,
    /// What stands in place of files on disk.
    pub overlay: Option<&'a Overlay>,
    /// Who is told how far the work has come.
    pub progress: &'a dyn Progress,
}

/// What an editor has of files and has not saved, by path relative to the root.
pub type Overlay = BTreeMap<String, Vec<u8>>;

impl Request<'_> {
    /// Size above which a file is not read.
    fn max_filesize(&self) -> u64 {
        self.walk.max_filesize.unwrap_or(DEFAULT_MAX_FILESIZE)
    }

    /// What stands in place of a file on disk.
    fn overlaid(&self, path: &str) -> Option<&[u8]> {
        self.overlay?.get(path).map(Vec::as_slice)
    }

    /// The bytes of a file that was found.
    fn read(&self, found: &Found) -> Result<Cow<'_, [u8]>, Skipped> {
        match self.overlaid(&found.path) {
            Some(bytes) => Ok(Cow::Borrowed(bytes)),
            None => walk::read(found, self.max_filesize()).map(Cow::Owned),
        }
    }
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
    /// The store cannot do what was asked for.
    Store {
        /// What is the matter.
        detail: String,
    },
    /// What differs from a revision of git cannot be told.
    Revision {
        /// The revision, as typed.
        revision: String,
        /// What is in the way, in one line.
        detail: String,
    },
    /// Whoever asked wants no answer any more.
    Cancelled,
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
            Self::Store { detail } => f.write_str(detail),
            Self::Revision { revision, detail } => {
                write!(f, "cannot compare with revision: {revision}: {detail}; name the changed files instead")
            }
            Self::Cancelled => f.write_str("cancelled"),
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

/// Brings the index of a tree up to date, and begins it if there is none. With `carry`, its analyses are written into the
/// tree as well.
pub fn index(request: &Request<'_>, carry: bool) -> Result<Indexed, Error> {
    Session::new(Component::shared()?).index(request, carry)
}

/// Forgets the indexes at and below a folder, and frees what no other tree needs; without a folder, everything.
pub fn clean(root: Option<&Path>) -> Result<Cleaned, Error> {
    index::clean(root)
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
