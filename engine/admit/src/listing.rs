//! The nouns of admission: what a host reads from disk and says, what it gets back. Plain data.

use super::git_index::SharedIndex;
use seekwell_types::Skipped;

/// What the caller wants in the corpus. One value for every command, mode and surface, so that all see the same files.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Whether git's ignore files are left out of account. The patterns below still count, `.git` is never admitted.
    pub no_ignore: bool,
    /// Whether entries with a leading dot are admitted outside a git work tree, too. Inside one they always are.
    pub hidden: bool,
    /// What is left out on request, tracked or not; the last match counts. A negated pattern takes back an earlier one,
    /// and nothing else: these may come from a stranger's config file, which can narrow what is read but not widen it.
    pub excludes: Vec<Exclude>,
    /// File extensions that are left out: `jsonl`, `min.js`. A leading dot is allowed; case does not count.
    pub exclude_extensions: Vec<String>,
}

/// A pattern in gitignore syntax.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Exclude {
    /// The pattern.
    pub pattern: String,
    /// Where it was written, for a reader: `--exclude`, `.seekwell.toml:4`.
    pub origin: String,
}

/// A pattern that can never match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PatternError {
    /// The pattern and where it was written.
    pub exclude: Exclude,
}

impl std::fmt::Display for PatternError {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        let Exclude { pattern, origin } = &self.exclude;
        write!(f, "{origin}: the pattern `{pattern}` can match nothing (an unclosed `[`, a `\\` at the end, or empty)")
    }
}

impl std::error::Error for PatternError {}

/// A folder where a walk begins. Paths here are bytes with `/` between names, without one at the end.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Root {
    /// Its path below the folder that answers are relative to. Empty unless there are several roots.
    pub shown: Vec<u8>,
    /// Its path below the folder that [`Options::excludes`] are relative to.
    pub below_excludes: Vec<u8>,
    /// Its path below the top of the git work tree that it lies in.
    pub below_top: Vec<u8>,
    /// That work tree's repository, if there is one.
    pub repo: Option<Repo>,
    /// The `.gitignore` files of the folders above it, from the work tree's top down.
    pub above: Vec<Above>,
}

/// The `.gitignore` of a folder above the root.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Above {
    /// The folder's path below the work tree's top; empty for the top.
    pub folder: Vec<u8>,
    /// The file's content.
    pub bytes: Vec<u8>,
}

/// What git knows of one work tree.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Repo {
    /// The same for all work trees of one repository, different for two repositories: the canonical path of the common
    /// git folder.
    pub identity: String,
    /// Whether git itself would take it for a repository. A `.git` that is only a marker counts where there is no real
    /// one around it.
    pub sound: bool,
    /// `core.ignoreCase`.
    pub ignore_case: bool,
    /// The content of the index; `None` if there is none.
    pub index: Option<Vec<u8>>,
    /// The files `sharedindex.*` beside it.
    pub shared_indexes: Vec<SharedIndex>,
    /// Ignore files for the whole work tree, weakest first: `core.excludesFile`, then `info/exclude`.
    pub excludes: Vec<IgnoreFile>,
}

/// An ignore file that lies in no folder of the work tree.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct IgnoreFile {
    /// What a reader is told: `.git/info/exclude`, `~/.config/git/ignore`.
    pub label: String,
    /// Its content.
    pub bytes: Vec<u8>,
}

/// A folder that was entered.
pub type FolderId = u32;

/// The content of one folder.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Listing {
    /// The content of its `.gitignore`, if that is a regular file.
    pub gitignore: Option<Vec<u8>>,
    /// What its `.git` leads to, if it has one. Not for a folder that a [`Root`] was given for.
    pub repo: Option<Repo>,
    /// Everything in it but `.` and `..`, in any order.
    pub entries: Vec<Entry>,
}

/// One entry of a folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its name, as on disk.
    pub name: Vec<u8>,
    /// What it is.
    pub kind: Kind,
}

/// What an entry is, links not followed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A regular file.
    File,
    /// A folder.
    Folder,
    /// A symbolic link.
    Link(Link),
    /// Anything else, by its name: `fifo`, `socket`, `device`.
    Special(String),
}

/// A symbolic link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// What it says, for a reader.
    pub text: String,
    /// Where it leads in the end.
    pub target: Target,
}

/// Where a link leads, once every link on the way is followed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// A regular file inside a root, by its path below that root.
    File(Vec<u8>),
    /// A folder, inside a root or not.
    Folder,
    /// Something inside a root that is neither file nor folder.
    Special,
    /// Something outside every root.
    Outside,
    /// Nothing, with the system's reason.
    Missing(String),
}

/// What is to be done with an entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It belongs to the corpus.
    Admit,
    /// It is a folder to enter, under this number.
    Descend(FolderId),
    /// It does not belong, and a reader may want to know.
    Skip(Skip),
    /// It is git's or seekwell's own, and nobody asks.
    Own,
}

/// Why something is left out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Skip {
    /// A short word: `ignored`, `hidden`, `link`, `special-file`, `submodule`, `worktree`.
    pub reason: String,
    /// What a reader can act on: the rule with its file and line, where a link leads.
    pub detail: String,
}

/// What became of a folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Entered {
    /// A verdict for each entry, in the order of the listing.
    Verdicts(Vec<Verdict>),
    /// The folder as a whole is left out.
    Skipped(Skip),
}

/// A root or a folder, entered; with what could not be taken into account on the way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer<T> {
    /// What was asked for.
    pub value: T,
    /// Metadata that could not be read, as entries for the list of what is not searched.
    pub notes: Vec<Skipped>,
}
