//! A tree that stays open, for servers: it is asked many times, by several threads, while its files change.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use seekwell_types::structure::StructureQuery;
use seekwell_types::{Mode, Query};

use super::{Error, Outcome, Request, Session, Status, StoreUse, StructureOutcome, WalkOptions};
use crate::component::Component;
use crate::engine::Engine;
use crate::progress::Progress;

/// How a tree is kept open.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LiveOptions {
    /// Which files are read.
    pub walk: WalkOptions,
    /// What of the store is used.
    pub store: StoreUse,
}

/// A tree that stays open.
pub struct Live {
    root: PathBuf,
    options: LiveOptions,
    engine: &'static dyn Engine,
}

impl Live {
    /// Opens the tree below a folder. Nothing is read yet.
    pub fn open(root: &Path, options: LiveOptions) -> Result<Arc<Self>, Error> {
        let root = super::root_of(&[root.to_owned()])?;
        Ok(Arc::new(Self { root, options, engine: Component::shared()? }))
    }

    /// The folder that all paths are relative to, absolute.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Answers a question. With a `patience`, a tree that is not whole by then is answered from what there is of it, and
    /// the outcome says that it is partial.
    pub fn search(&self, query: &Query, patience: Option<Duration>, progress: &dyn Progress) -> Result<Outcome, Error> {
        let _ = patience;
        Session::new(self.engine).search(&self.request(query.clone(), progress))
    }

    /// Answers a question about structure; `patience` as for [`Self::search`].
    pub fn structure(
        &self,
        query: &StructureQuery,
        patience: Option<Duration>,
        progress: &dyn Progress,
    ) -> Result<StructureOutcome, Error> {
        let _ = patience;
        let empty = Query { mode: Mode::Keyword, ..Query::default() };
        Session::new(self.engine).structure(&self.request(empty, progress), query)
    }

    /// What is known of the tree.
    pub fn status(&self, progress: &dyn Progress) -> Result<Status, Error> {
        Session::new(self.engine).status(&self.request(Query::default(), progress))
    }

    /// The bytes of a file as it is searched: what an editor has not saved yet, else what is on disk. `path` is relative to
    /// the root; nothing outside of it is read.
    pub fn read(&self, path: &str) -> Result<Vec<u8>, Error> {
        let full = self.root.join(path);
        let unreadable = |e: std::io::Error| Error::Unreadable { path: PathBuf::from(path), detail: e.to_string() };
        let full = full.canonicalize().map_err(unreadable)?;
        if !full.starts_with(&self.root) {
            return Err(unreadable(std::io::Error::other("it lies outside of the folder")));
        }
        std::fs::read(full).map_err(unreadable)
    }

    /// What an editor has of a file that it has not saved: taken in place of what is on disk from now on; with `None`, the
    /// disk counts again. `path` is relative to the root.
    pub fn overlay(&self, path: &str, bytes: Option<Vec<u8>>) {
        let _ = (path, bytes);
    }

    /// Something in the tree may have changed; it is looked at before the next answer.
    pub fn touched(&self) {}

    /// Whether an answer now would be from the whole tree, without waiting.
    pub fn is_whole(&self) -> bool {
        false
    }

    fn request<'a>(&self, query: Query, progress: &'a dyn Progress) -> Request<'a> {
        Request {
            paths: vec![self.root.clone()],
            query,
            walk: self.options.walk.clone(),
            since: None,
            store: self.options.store,
            verify: false,
            progress,
        }
    }
}
