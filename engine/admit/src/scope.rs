//! Scopes and layers: which ignore rules are in force at a place of the tree.
//!
//! A scope is a git work tree, or what lies in none; a layer is one `.gitignore` within it. Both know the one around
//! them, so that a folder needs two numbers to say what holds in it.

use super::git_index::Index;
use super::listing::{Repo, Root};
use super::rules::{Rule, Rules, Subject};
use seekwell_types::Skipped;

/// A work tree, or the part of a walk that lies in none.
#[derive(Debug, Default)]
pub(super) struct Scope {
    /// The scope that it lies in.
    outer: Option<usize>,
    /// Whose work tree it is; `None` if no one's.
    pub(super) identity: Option<String>,
    /// Whether git would say so, too.
    pub(super) sound: bool,
    /// Whether names are compared without case.
    pub(super) fold: bool,
    /// What is tracked.
    pub(super) index: Index,
    /// Path of the place where the walk comes in, below the work tree's top, with a slash.
    entry: Vec<u8>,
    /// Length of that place's path below the root, with its slash.
    start: usize,
    /// Rules for the whole work tree, strongest first.
    everywhere: Vec<Rules>,
}

impl Scope {
    /// The path below the work tree's top for one below the root.
    pub(super) fn path_of(&self, below_root: &[u8]) -> Vec<u8> {
        let mut path = self.entry.clone();
        path.extend_from_slice(&below_root[self.start..]);
        if self.fold {
            path.make_ascii_lowercase();
        }
        path
    }
}

/// The rules of one `.gitignore`, over those of the folders above.
#[derive(Debug)]
struct Layer {
    outer: Option<usize>,
    rules: Rules,
    /// Length of its folder's path below the work tree's top, with its slash.
    base: usize,
}

/// All scopes and layers of a walk.
#[derive(Debug, Default)]
pub(super) struct Scopes {
    scopes: Vec<Scope>,
    layers: Vec<Layer>,
}

impl std::ops::Index<usize> for Scopes {
    type Output = Scope;

    fn index(&self, scope: usize) -> &Scope {
        &self.scopes[scope]
    }
}

impl Scopes {
    /// Opens the scope that a root lies in, with the layers above it.
    pub(super) fn open_root(
        &mut self,
        root: &Root,
        no_ignore: bool,
        notes: &mut Vec<Skipped>,
    ) -> (usize, Option<usize>) {
        let up = "../".repeat(depth(&root.below_top));
        let entry = slashed(&root.below_top);
        let place = String::from_utf8_lossy(&slashed(&root.shown)).into_owned() + &up;
        let scope = match &root.repo {
            Some(repo) => self.open(None, repo, Place { entry, start: 0, label: &place }, no_ignore, notes),
            None => {
                self.scopes.push(Scope { entry, ..Scope::default() });
                self.scopes.len() - 1
            }
        };
        let mut layer = None;
        for above in root.above.iter().filter(|_| !no_ignore) {
            let folder = slashed(&above.folder);
            // Said from where the reader stands: two folders up is `../../.gitignore`.
            let up = "../".repeat(depth(&root.below_top).saturating_sub(depth(&above.folder)));
            let label = String::from_utf8_lossy(&slashed(&root.shown)).into_owned() + &up;
            layer = self.add_layer(scope, layer, &label, &above.bytes, folder.len());
        }
        (scope, layer)
    }

    /// Opens the scope of a repository.
    pub(super) fn open(
        &mut self,
        outer: Option<usize>,
        repo: &Repo,
        place: Place,
        no_ignore: bool,
        notes: &mut Vec<Skipped>,
    ) -> usize {
        let index = match &repo.index {
            None => Index::default(),
            Some(bytes) => Index::parse(bytes, &repo.shared_indexes, repo.ignore_case).unwrap_or_else(|error| {
                notes.push(Skipped {
                    path: format!("{}.git/index", place.label),
                    reason: "unreadable".into(),
                    detail: format!("{error}; tracked files that a rule ignores are left out"),
                });
                Index::default()
            }),
        };
        let files = repo.excludes.iter().rev().filter(|_| !no_ignore);
        self.scopes.push(Scope {
            outer,
            identity: Some(repo.identity.clone()),
            sound: repo.sound,
            fold: repo.ignore_case,
            index,
            entry: place.entry,
            start: place.start,
            everywhere: files.map(|file| Rules::parse(file.label.clone(), &file.bytes, repo.ignore_case)).collect(),
        });
        self.scopes.len() - 1
    }

    /// Puts a `.gitignore` over the layers that hold already; gives the layer that holds then.
    pub(super) fn add_layer(
        &mut self,
        scope: usize,
        outer: Option<usize>,
        place: &str,
        bytes: &[u8],
        base: usize,
    ) -> Option<usize> {
        let rules = Rules::parse(format!("{place}.gitignore"), bytes, self.scopes[scope].fold);
        if rules.is_empty() {
            return outer;
        }
        self.layers.push(Layer { outer, rules, base });
        Some(self.layers.len() - 1)
    }

    /// Whether one of this scope and those around it belongs to that repository.
    pub(super) fn is_within(&self, scope: usize, identity: &str) -> bool {
        let chain = std::iter::successors(Some(scope), |&scope| self.scopes[scope].outer);
        chain.into_iter().any(|scope| self.scopes[scope].identity.as_deref() == Some(identity))
    }

    /// The git rule that counts for a path (below the work tree's top, folded if the scope is), and its file: the
    /// nearest `.gitignore` that says anything, then `info/exclude`, then `core.excludesFile`.
    pub(super) fn ruling(&self, scope: usize, layer: Option<usize>, subject: Subject) -> Option<(&Rules, &Rule)> {
        let layers = std::iter::successors(layer, |&layer| self.layers[layer].outer).map(|layer| &self.layers[layer]);
        let layers = layers.map(|layer| (&layer.rules, layer.base));
        let everywhere = self.scopes[scope].everywhere.iter().map(|rules| (rules, 0));
        layers.chain(everywhere).find_map(|(rules, base)| {
            let subject = Subject { path: &subject.path[base..], ..subject };
            rules.last_match(subject).map(|rule| (rules, rule))
        })
    }
}

/// Where a repository's scope begins.
pub(super) struct Place<'a> {
    /// Path of the place where the walk comes in, below the work tree's top, with a slash.
    pub(super) entry: Vec<u8>,
    /// Length of that place's path below the root, with its slash.
    pub(super) start: usize,
    /// The work tree's top as a reader sees it, with a slash.
    pub(super) label: &'a str,
}

/// A folder's path with a slash at its end, unless it is empty.
pub(super) fn slashed(folder: &[u8]) -> Vec<u8> {
    let mut path = folder.to_vec();
    if !path.is_empty() {
        path.push(b'/');
    }
    path
}

/// How many names a path has.
fn depth(path: &[u8]) -> usize {
    if path.is_empty() { 0 } else { 1 + memchr::memchr_iter(b'/', path).count() }
}
