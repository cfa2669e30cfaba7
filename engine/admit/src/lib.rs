//! Which entries of a tree belong to the corpus: the pure half of walking.
//!
//! A host, native or in a browser, lists folders and reads git's ignore files; what is admitted is decided here, so
//! that all hosts see the same files. The measure is git: inside a work tree the admitted files are those that
//! `git ls-files -co --exclude-standard` names, provided they are regular files, or links to one inside the root.
//! So hidden files count, and a tracked file counts even where a rule ignores it. Outside a work tree `.gitignore`
//! files are honoured likewise, but hidden entries are left out.
//!
//! Where this differs from git, on purpose:
//! - A repository inside the tree is entered with rules of its own, where git names only its folder; a second work
//!   tree of a repository that is being walked is left out, since all its hits would be duplicates.
//! - `.seekwell` is never admitted, links to folders are not followed, links out of the root are refused.
//! - A root that is itself ignored is walked: whoever names it wants it.
//! - A `.gitignore` that a sparse checkout left out is not read from git's objects.
//!
//! The order of the conversation: [`Admission::root`] once for each root, then [`Admission::enter`] for every
//! [`Verdict::Descend`], in any order.

#![deny(missing_docs)]
#![deny(clippy::disallowed_methods, clippy::disallowed_types, reason = "values in, values out: see clippy.toml")]

mod git_config;
mod git_index;
mod glob;
mod listing;
mod rules;
mod scope;

pub use git_config::{GitConfig, is_head};
pub use git_index::SharedIndex;
pub use listing::*;

use git_index::{Below, Tracked};
use rules::{Rules, Subject};
use scope::{Place, Scopes, slashed};

/// Files above this are left out unless the caller says otherwise, in bytes. In 47 repositories looked at (tokio, curl,
/// redux, rack …) the largest text has 2.8 MB and the largest file, an image, 3.9 MB. Above lie dumps, bundles and data,
/// whose analysis costs seconds and whose words drown the rest.
pub const MAX_FILE_SIZE: u64 = 8 << 20;

/// What is said of a file above the limit, with the reason `too-large`.
pub fn too_large(size: u64, limit: u64) -> String {
    format!("{size} bytes, the limit is {limit}")
}

/// The folder that git keeps for itself.
const GIT: &[u8] = b".git";
/// The folder that seekwell keeps for itself.
const STORE: &[u8] = b".seekwell";

/// Decides what belongs to the corpus, folder by folder. One for each walk.
#[derive(Debug)]
pub struct Admission {
    options: Options,
    excludes: Rules,
    /// Endings of names that are left out: `.min.js`.
    extensions: Vec<String>,
    scopes: Scopes,
    roots: Vec<RootPaths>,
    folders: Vec<Folder>,
}

/// How the paths of a root continue outwards; each with a slash unless empty.
#[derive(Debug)]
struct RootPaths {
    shown: Vec<u8>,
    below_excludes: Vec<u8>,
}

/// A folder to enter.
#[derive(Clone, Debug)]
struct Folder {
    root: usize,
    /// Path below the root, with a slash; empty for the root.
    path: Vec<u8>,
    scope: usize,
    layer: Option<usize>,
    /// The rule that ignores it, if it is entered only for the tracked files in it.
    ignored: Option<String>,
    /// Whether the index has it as another repository.
    gitlink: bool,
}

/// A verdict whose folder has no number yet.
enum Judged {
    Verdict(Verdict),
    Descend(Folder),
}

impl Admission {
    /// Prepares a walk; an error names the first pattern that can never match.
    pub fn new(options: Options) -> Result<Self, PatternError> {
        let patterns = options.excludes.iter().map(|exclude| exclude.pattern.as_str());
        let excludes = Rules::from_patterns(patterns)
            .map_err(|place| PatternError { exclude: options.excludes[place].clone() })?;
        let extensions = options.exclude_extensions.iter();
        let extensions = extensions.map(|extension| extension.trim_start_matches('*').trim_start_matches('.'));
        let extensions = extensions.filter(|extension| !extension.is_empty()).map(|extension| format!(".{extension}"));
        Ok(Self {
            extensions: extensions.collect(),
            excludes,
            options,
            scopes: Scopes::default(),
            roots: Vec::new(),
            folders: Vec::new(),
        })
    }

    /// Begins a tree; gives the number under which its root is entered. Whether something ignores the root itself does
    /// not matter.
    pub fn root(&mut self, root: &Root) -> Answer<FolderId> {
        let mut notes = Vec::new();
        let (scope, layer) = self.scopes.open_root(root, self.options.no_ignore, &mut notes);
        self.roots.push(RootPaths { shown: slashed(&root.shown), below_excludes: slashed(&root.below_excludes) });
        let path = Vec::new();
        let folder = Folder { root: self.roots.len() - 1, path, scope, layer, ignored: None, gitlink: false };
        Answer { value: self.number(folder), notes }
    }

    /// Judges the entries of a folder.
    ///
    /// # Panics
    /// If the number was given by no [`Admission::root`] and no [`Verdict::Descend`] of this walk.
    pub fn enter(&mut self, folder: FolderId, listing: &Listing) -> Answer<Entered> {
        let mut notes = Vec::new();
        let mut folder = self.folders[folder as usize].clone();
        let mut shown = self.roots[folder.root].shown.clone();
        shown.extend_from_slice(&folder.path);
        let shown = String::from_utf8_lossy(&shown);
        if let Some(repo) = listing.repo.as_ref().filter(|repo| self.opens_scope(&folder, repo)) {
            if self.scopes.is_within(folder.scope, &repo.identity) {
                let detail = "another work tree of the repository around it: name it as a path of its own to search it";
                return Answer { value: Entered::Skipped(skip("worktree", detail)), notes };
            }
            let place = Place { entry: Vec::new(), start: folder.path.len(), label: &shown };
            folder.scope = self.scopes.open(Some(folder.scope), repo, place, self.options.no_ignore, &mut notes);
            folder.layer = None;
            folder.ignored = None;
        } else if folder.gitlink {
            let detail = "a submodule that is not checked out (git submodule update --init)";
            return Answer { value: Entered::Skipped(skip("submodule", detail)), notes };
        }
        let tree_path = self.scopes[folder.scope].path_of(&folder.path);
        if let Some(bytes) = listing.gitignore.as_ref().filter(|_| !self.options.no_ignore && folder.ignored.is_none())
        {
            folder.layer = self.scopes.add_layer(folder.scope, folder.layer, &shown, bytes, tree_path.len());
        }
        let below = self.scopes[folder.scope].index.below(&tree_path);
        let mut own_path = self.roots[folder.root].below_excludes.clone();
        own_path.extend_from_slice(&folder.path);
        let entries = listing.entries.iter();
        let judged: Vec<_> = entries.map(|entry| self.judge(&folder, below, &tree_path, &own_path, entry)).collect();
        let verdicts = judged.into_iter().map(|judged| match judged {
            Judged::Verdict(verdict) => verdict,
            Judged::Descend(folder) => Verdict::Descend(self.number(folder)),
        });
        Answer { value: Entered::Verdicts(verdicts.collect()), notes }
    }

    /// Whether a repository found in a folder is one to the walk: git does not see one where the tree around it tracks
    /// files of that folder, nor one that is not sound.
    fn opens_scope(&self, folder: &Folder, repo: &Repo) -> bool {
        let scope = &self.scopes[folder.scope];
        let path = scope.path_of(&folder.path);
        (repo.sound || !scope.sound) && (folder.path.is_empty() || !scope.index.below(&path).any_in(&path))
    }

    /// Judges one entry. `tree_path` is the folder's path as git sees it, `own_path` as the caller's patterns do.
    fn judge(&self, folder: &Folder, below: Below, tree_path: &[u8], own_path: &[u8], entry: &Entry) -> Judged {
        let scope = &self.scopes[folder.scope];
        let name = entry.name.as_slice();
        if name == GIT || name == STORE || (scope.fold && name.eq_ignore_ascii_case(GIT)) {
            return Judged::Verdict(Verdict::Own);
        }
        let is_folder = entry.kind == Kind::Folder;
        let path = [own_path, name].concat();
        let rule = self.excludes.last_match(Subject { path: &path, name, is_folder });
        if let Some(rule) = rule.filter(|rule| !rule.negated) {
            let exclude = &self.options.excludes[rule.line() as usize];
            return Judged::skip("ignored", format!("{}: {}", exclude.origin, rule.cite()));
        }
        if let Some(ending) = self.extensions.iter().find(|ending| !is_folder && has_ending(name, ending)) {
            return Judged::skip("ignored", format!("excluded extension: {}", &ending[1..]));
        }
        let mut path = [tree_path, name].concat();
        if scope.fold {
            path.make_ascii_lowercase();
        }
        let ignored = self.ignored(folder, &path, tree_path.len(), is_folder);
        let gitlink = is_folder && below.entry(&path) == Tracked::Gitlink;
        if let Some(rule) = &ignored {
            let tracked = if is_folder {
                path.push(b'/');
                gitlink || below.any_in(&path)
            } else {
                below.entry(&path) != Tracked::No
            };
            if !tracked {
                return Judged::skip("ignored", rule.clone());
            }
        }
        if name.first() == Some(&b'.') && scope.identity.is_none() && !self.options.hidden {
            return Judged::skip("hidden", "outside a git work tree: --hidden admits it".into());
        }
        match &entry.kind {
            Kind::File => Judged::Verdict(Verdict::Admit),
            Kind::Link(link) => Judged::Verdict(judge_link(link)),
            Kind::Special(what) => Judged::skip("special-file", what.clone()),
            Kind::Folder => {
                let path = [&folder.path, name, b"/"].concat();
                Judged::Descend(Folder { path, ignored, gitlink, ..folder.clone() })
            }
        }
    }

    /// The rule of git's that ignores an entry, for a reader. `path` is below the work tree's top, its name at
    /// `name_at`.
    fn ignored(&self, folder: &Folder, path: &[u8], name_at: usize, is_folder: bool) -> Option<String> {
        if self.options.no_ignore {
            return None;
        }
        // Nothing below an ignored folder can be taken back.
        folder.ignored.clone().or_else(|| {
            let subject = Subject { path, name: &path[name_at..], is_folder };
            let (file, rule) = self.scopes.ruling(folder.scope, folder.layer, subject)?;
            (!rule.negated).then(|| file.cite(rule))
        })
    }

    fn number(&mut self, folder: Folder) -> FolderId {
        self.folders.push(folder);
        FolderId::try_from(self.folders.len() - 1).expect("fewer folders than bytes of memory")
    }
}

impl Judged {
    fn skip(reason: &str, detail: String) -> Self {
        Self::Verdict(Verdict::Skip(Skip { reason: reason.into(), detail }))
    }
}

/// Links to files are followed where they stay inside the root; all others are told.
fn judge_link(link: &Link) -> Verdict {
    let text = &link.text;
    let detail = match &link.target {
        Target::File(path) if path.split(|&byte| byte == b'/').any(|name| name == GIT || name == STORE) => {
            format!("leads to a file of git's or seekwell's own: {text}")
        }
        Target::File(_) => return Verdict::Admit,
        Target::Folder => format!("to a folder, not followed: {text} (name it as a path of its own to search it)"),
        Target::Special => return Verdict::Skip(skip("special-file", &format!("link to {text}"))),
        Target::Outside => format!("leads out of the root: {text}"),
        Target::Missing(why) => format!("leads nowhere: {text} ({why})"),
    };
    Verdict::Skip(skip("link", &detail))
}

fn skip(reason: &str, detail: &str) -> Skip {
    Skip { reason: reason.into(), detail: detail.into() }
}

/// Whether a name ends with this, letters compared without case, and has something before it.
fn has_ending(name: &[u8], ending: &str) -> bool {
    let stem = name.len().saturating_sub(ending.len());
    stem > 0 && name[stem..].eq_ignore_ascii_case(ending.as_bytes())
}

#[cfg(test)]
mod tests;
