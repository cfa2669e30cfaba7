//! What is kept between questions, so that a second one costs only what has changed.
//!
//! ```text
//! FOLDER/objects/ab/cdef…     skeletons of files, by content, class of path and engine: shared by all trees
//! FOLDER/packs/ab/cdef…       the same, many in a file, by the list of them
//! FOLDER/snapshots/ab/cdef…   generations, by the list of what they were made of: shared by clones and worktrees
//! FOLDER/trees/KEY/manifest   one tree: its files as they were seen last, and what became of each
//! FOLDER/trees/KEY/lock       held by the process that writes this tree
//! FOLDER/lock                 held shared by all that use the folder, and alone by the one that collects garbage
//! ```
//!
//! Everything but a manifest is named by what it is made of, is written under another name and renamed, and carries a hash
//! of its own content. So readers never wait, a process that is killed leaves nothing half done, and what a disk or a
//! stranger has damaged is found out and made again. A manifest is replaced as a whole. The folder lies in the user's
//! cache, never in the tree, unless the tree has opted in to [`level::FOLDER_NAME`].

pub mod collect;
pub mod mark;
mod files;
pub mod level;
mod lock;
pub mod manifest;
mod objects;
mod packs;
mod snapshots;

use std::path::{Path, PathBuf};

pub use collect::Usage;
pub use files::Trouble;
pub use lock::{Turn, WriterLock};
pub use manifest::{Entry, Manifest, Outcome};
pub use objects::ObjectKey;
pub use seekwell_keep::is_near;
pub use snapshots::{Difference, List, ListKey, Mapped};

use crate::component::cache_folder;

/// Changes whenever the layout of the folder does. Another format lies beside this one.
pub const STORE_FORMAT: u32 = 3;

/// A folder of the store, in use by this process.
pub struct Store {
    folder: PathBuf,
    fingerprint: String,
    /// Keeps the collector of garbage out while this process reads.
    _in_use: Option<std::fs::File>,
    trouble: files::Troubles,
    packs: packs::Packs,
    made: packs::Made,
    /// An index that the tree itself carries: read, never written by a question.
    carried: Option<level::Carried>,
}

/// Where the store lies, whether it is there or not; none on a machine without a place for caches.
pub fn folder() -> Option<PathBuf> {
    Some(cache_folder()?.join(format!("store-{STORE_FORMAT}")))
}

impl Store {
    /// The store of this user, for an engine. Creates nothing.
    pub fn open(fingerprint: &str) -> Option<Self> {
        Some(Self::at(folder()?, fingerprint))
    }

    /// A store in this folder.
    pub fn at(folder: PathBuf, fingerprint: &str) -> Self {
        let trouble = files::Troubles::default();
        let in_use = lock::shared(&folder);
        Self {
            folder,
            fingerprint: fingerprint.to_owned(),
            _in_use: in_use,
            trouble,
            packs: packs::Packs::default(),
            made: packs::Made::default(),
            carried: None,
        }
    }

    /// Reads from the index that a tree carries, too. A carried index that cannot be used is told by [`Store::troubles`].
    pub fn with_carried(mut self, root: &Path) -> Self {
        match level::Carried::open(root, &self.fingerprint) {
            Ok(carried) => self.carried = carried,
            Err(why) => self.trouble.note(why),
        }
        self
    }

    /// Whether the tree itself carries an index that this engine can use.
    pub fn is_carried(&self) -> bool {
        self.carried.is_some()
    }

    /// Where it lies.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The engine that it is used with.
    pub fn fingerprint(&self) -> &str {
        &self.fingerprint
    }

    /// What was found damaged or could not be written, a line each; what was damaged is made again.
    pub fn troubles(&self) -> Vec<String> {
        self.trouble.lines()
    }

    /// Makes the folders, if they are not there. Private: analyses hold the words of the files.
    pub fn create(&mut self) -> Result<(), Trouble> {
        files::private_folder(&self.folder)?;
        if self._in_use.is_none() {
            lock::make(&self.folder);
            self._in_use = lock::shared(&self.folder);
        }
        Ok(())
    }

    fn tree(&self, key: &str) -> PathBuf {
        self.folder.join("trees").join(key)
    }
}
