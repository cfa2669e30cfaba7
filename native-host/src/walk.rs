//! The user's tree: the only place of the host that reads it.
//!
//! Listing is done here, deciding is not: every folder is put to an [`Admit`], which is the engine, in its component
//! or linked in. So a browser, which lists folders in another way, skips the same files. Nothing but regular files
//! is ever opened, links out of the given paths are refused, and what cannot be read is told and passed over.

pub mod diff;
mod git;
mod roots;
mod tree;

use seekwell_admit::{Admission, Answer, Entered, FolderId, Listing, Root, too_large};
use seekwell_types::Skipped;
use std::collections::BTreeMap;
use std::fmt;
use std::fs::{File, OpenOptions};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

pub use seekwell_admit::MAX_FILE_SIZE as DEFAULT_MAX_FILE_SIZE;

/// Whoever decides what belongs to the corpus: see [`Admission`], which does.
pub trait Admit {
    /// Begins a tree; gives the number under which its root is entered.
    fn root(&mut self, root: &Root) -> Result<Answer<FolderId>, AdmitFailed>;

    /// Judges the entries of a folder.
    fn enter(&mut self, folder: FolderId, listing: &Listing) -> Result<Answer<Entered>, AdmitFailed>;
}

impl Admit for Admission {
    fn root(&mut self, root: &Root) -> Result<Answer<FolderId>, AdmitFailed> {
        Ok(Self::root(self, root))
    }

    fn enter(&mut self, folder: FolderId, listing: &Listing) -> Result<Answer<Entered>, AdmitFailed> {
        Ok(Self::enter(self, folder, listing))
    }
}

/// The engine could not answer: its component trapped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AdmitFailed {
    /// What it said.
    pub message: String,
}

/// How to walk; what to admit is told to the [`Admit`].
#[derive(Clone, Debug)]
pub struct WalkOptions {
    /// Larger files are left out, in bytes.
    pub max_file_size: u64,
    /// The folder that exclude patterns are relative to, if that is not the root: where the config file is.
    pub excludes_base: Option<PathBuf>,
    /// Where git keeps the user's settings.
    pub environment: Environment,
    /// Files that are found where they would be, though they are not on disk (yet): full paths, with the size of each in
    /// bytes. Those of folders that are not there are not found.
    pub unsaved: BTreeMap<PathBuf, u64>,
}

impl WalkOptions {
    /// The default limits, and this process's environment.
    pub fn from_env() -> Self {
        let environment = Environment::from_env();
        Self { max_file_size: DEFAULT_MAX_FILE_SIZE, excludes_base: None, environment, unsaved: BTreeMap::new() }
    }
}

/// Where git keeps the user's settings. The default knows of none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Environment {
    /// `$HOME`.
    pub home: Option<PathBuf>,
    /// `$XDG_CONFIG_HOME`, or `.config` in the home.
    pub config_home: Option<PathBuf>,
    /// `$GIT_CONFIG_GLOBAL`: read in place of the user's two files.
    pub git_config_global: Option<PathBuf>,
    /// The machine's file.
    pub git_config_system: Option<PathBuf>,
}

impl Environment {
    /// Reads the variables that git reads.
    pub fn from_env() -> Self {
        let path = |name| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        let home = path("HOME").or_else(|| path("USERPROFILE"));
        let no_system = std::env::var("GIT_CONFIG_NOSYSTEM").is_ok_and(|value| !matches!(&*value, "" | "0" | "false"));
        let system = path("GIT_CONFIG_SYSTEM").unwrap_or_else(|| "/etc/gitconfig".into());
        Self {
            config_home: path("XDG_CONFIG_HOME").or_else(|| Some(home.as_ref()?.join(".config"))),
            git_config_global: std::env::var_os("GIT_CONFIG_GLOBAL").map(PathBuf::from),
            git_config_system: (!no_system).then_some(system),
            home,
        }
    }
}

/// What a walk found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Walk {
    /// The folder that paths are relative to; canonical.
    pub root: PathBuf,
    /// The files that belong to the corpus, by path.
    pub files: Vec<Found>,
    /// What does not, by path. A folder is one entry, with a slash at its end.
    pub skipped: Vec<Skipped>,
}

/// A file that belongs to the corpus.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// Path relative to the root, `/` between names.
    pub path: String,
    /// Whether the name on disk is not UTF-8: bytes that are not, and `%`, then stand as `%XX`.
    pub path_escaped: bool,
    /// Where to open it. For a link, its target.
    pub absolute: PathBuf,
    /// Size in bytes.
    pub size: u64,
    /// What tells whether it was changed since.
    pub stamp: Stamp,
}

/// What the system says of a file that moves when the file is changed or replaced. Times are nanoseconds since 1970; what the
/// system does not say is 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Stamp {
    /// Time of the last change of its content, which any program can set.
    pub mtime: i64,
    /// Time of the last change of its content, name or rights, which no program can set.
    pub ctime: i64,
    /// Its number in the file system.
    pub inode: u64,
}

/// Why there was no walk at all.
#[derive(Debug)]
pub enum WalkError {
    /// A given path is not there, or the folder that it is in cannot be searched.
    NotThere(PathBuf, io::Error),
    /// A given folder cannot be listed.
    NotListed(PathBuf, io::Error),
    /// A given path is inside a `.git` folder.
    InsideGit(PathBuf),
    /// The engine failed.
    Admission(AdmitFailed),
}

impl fmt::Display for WalkError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::NotThere(path, error) if error.kind() == io::ErrorKind::NotFound => {
                let here = std::env::current_dir().unwrap_or_default();
                write!(f, "no such file or folder: {} (looked from {}; ", path.display(), here.display())?;
                f.write_str("paths come after the query, and a query of several words needs quotes)")
            }
            Self::NotThere(path, error) => {
                write!(f, "cannot reach {}: {error} (check the permissions of the folders it is in)", path.display())
            }
            Self::NotListed(path, error) => {
                write!(f, "cannot list the folder {}: {error} (check its permissions)", path.display())
            }
            Self::InsideGit(path) => {
                write!(f, "not searched: {} is git's own (name the work tree around it)", path.display())
            }
            Self::Admission(failed) => {
                write!(f, "the engine failed while the tree was walked: {} (please report this)", failed.message)
            }
        }
    }
}

impl std::error::Error for WalkError {}

/// Walks the given files and folders; none means the working directory. A single folder is the root that paths are
/// relative to; a single file's root is the folder it is in; of several, it is the nearest folder around all of them.
/// What is given is walked even if something ignores it.
pub fn walk(paths: &[PathBuf], options: &WalkOptions, admit: &mut dyn Admit) -> Result<Walk, WalkError> {
    let roots = roots::resolve(paths)?;
    tree::walk(roots, options, admit)
}

/// Reads a file that was found. It may have become anything since: it is opened without waiting, and refused unless it
/// still is a regular file of at most `limit` bytes.
pub fn read(found: &Found, limit: u64) -> Result<Vec<u8>, Skipped> {
    read_path(&found.absolute, limit).map_err(|skipped| Skipped { path: found.path.clone(), ..skipped })
}

/// The same, by where it is.
pub fn read_path(path: &Path, limit: u64) -> Result<Vec<u8>, Skipped> {
    let skipped =
        |reason: &str, detail: String| Skipped { path: path.to_string_lossy().into(), reason: reason.into(), detail };
    match read_regular(path, limit) {
        Ok(bytes) => Ok(bytes),
        Err(Unread::Error(error)) => Err(skipped("unreadable", error.to_string())),
        Err(Unread::NotRegular) => Err(skipped("special-file", "no longer a regular file".into())),
        Err(Unread::TooLarge(size)) => Err(skipped("too-large", too_large(size, limit))),
    }
}

/// Why a file was not read.
enum Unread {
    Error(io::Error),
    NotRegular,
    TooLarge(u64),
}

/// Reads a regular file, links not followed at its last name. The check comes before and after opening: before, since
/// opening a device can have effects; after, since the entry can be exchanged in between.
fn read_regular(path: &Path, limit: u64) -> Result<Vec<u8>, Unread> {
    if !std::fs::symlink_metadata(path).map_err(Unread::Error)?.is_file() {
        return Err(Unread::NotRegular);
    }
    let file = open_without_waiting(path).map_err(Unread::Error)?;
    let metadata = file.metadata().map_err(Unread::Error)?;
    if !metadata.is_file() {
        return Err(Unread::NotRegular);
    }
    if metadata.len() > limit {
        return Err(Unread::TooLarge(metadata.len()));
    }
    let mut bytes = Vec::with_capacity(usize::try_from(metadata.len()).unwrap_or(0) + 1);
    // One more than the limit, to see a file that grows while it is read.
    file.take(limit.saturating_add(1)).read_to_end(&mut bytes).map_err(Unread::Error)?;
    let size = bytes.len() as u64;
    if size > limit { Err(Unread::TooLarge(size)) } else { Ok(bytes) }
}

/// Opens a file; a FIFO in its place is opened at once instead of waiting for a writer.
fn open_without_waiting(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true);
    #[cfg(unix)]
    {
        /// `O_NONBLOCK`, which has one value on Linux and one on the BSDs and macOS.
        const NONBLOCK: i32 = if cfg!(any(target_os = "linux", target_os = "android")) { 0o4000 } else { 4 };
        std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, NONBLOCK);
    }
    options.open(path)
}

/// A path as it is shown, and whether it had to be escaped: bytes that are not UTF-8 become `%XX`, and so does `%`
/// then.
fn shown(path: &[u8]) -> (String, bool) {
    if let Ok(text) = std::str::from_utf8(path) {
        return (text.into(), false);
    }
    let mut text = String::with_capacity(path.len() + 8);
    for chunk in path.utf8_chunks() {
        text.push_str(&chunk.valid().replace('%', "%25"));
        text.extend(chunk.invalid().iter().map(|byte| format!("%{byte:02X}")));
    }
    (text, true)
}

/// The bytes of a path below a folder, with `/` between names; `None` if it is not below it.
fn below(path: &Path, folder: &Path) -> Option<Vec<u8>> {
    let names = path.strip_prefix(folder).ok()?.components();
    Some(names.map(|name| name.as_os_str().as_encoded_bytes()).collect::<Vec<_>>().join(&b'/'))
}

#[cfg(test)]
mod tests {
    use super::shown;

    #[test]
    fn names_that_are_no_text_are_escaped() {
        assert_eq!(shown("50%/ä".as_bytes()), ("50%/ä".into(), false));
        assert_eq!(shown(b"50%/\xFFa\xC3"), ("50%25/%FFa%C3".into(), true));
    }
}
