//! What is known of one tree: its files as they were seen last, and what became of each.

use std::fs;
use std::io;
use std::path::Path;

use seekwell_types::Skipped;
use serde::{Deserialize, Serialize};

pub use seekwell_keep::RACY;

use super::files::{self, Kind, Trouble};
use super::{ListKey, ObjectKey, Store, snapshots};
use crate::walk::{Found, Stamp};

/// How many generations of a tree are kept: a branch, and the one before.
const KEPT_LISTS: usize = 2;

/// One tree.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    /// Fingerprint of the engine.
    pub fingerprint: String,
    /// Its version, for readers.
    pub engine: String,
    /// The embedding table, for readers.
    pub model: String,
    /// The root, in the bytes of the system.
    pub root: Vec<u8>,
    /// Nanoseconds since 1970 when the tree was looked at.
    pub looked_at: i64,
    /// The files, by path.
    pub files: Vec<Entry>,
    /// Generations that there may be snapshots of, the newest first.
    pub lists: Vec<ListKey>,
}

/// One file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    /// Path relative to the root.
    pub path: String,
    /// Whether it is escaped.
    pub path_escaped: bool,
    /// Size in bytes.
    pub size: u64,
    /// What tells whether it was changed.
    pub stamp: Stamp,
    /// Whether the stamp says nothing, since the file was changed just before it was read.
    pub racy: bool,
    /// First 16 bytes of the blake3 hash of its bytes.
    pub content: [u8; 16],
    /// What became of it.
    pub outcome: Outcome,
}

/// What became of a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Outcome {
    /// It is searched: its skeleton.
    Analysed(ObjectKey),
    /// It is not, and this is why.
    Skipped {
        /// A short word.
        reason: String,
        /// What is behind it.
        detail: String,
    },
}

impl Entry {
    /// The entry of a file whose bytes were read after `looked_at`.
    pub fn new(found: &Found, looked_at: i64, content: [u8; 16], outcome: Outcome) -> Self {
        let Found { path, path_escaped, size, stamp, .. } = found.clone();
        let changed = stamp.mtime.max(stamp.ctime);
        Self { path, path_escaped, size, stamp, racy: changed > looked_at.saturating_sub(RACY), content, outcome }
    }

    /// Whether the file is certainly as it was.
    pub fn is_current(&self, found: &Found) -> bool {
        !self.racy && self.size == found.size && self.stamp == found.stamp
    }

    /// What is said of the file if it is not searched.
    pub fn skipped(&self) -> Option<Skipped> {
        match &self.outcome {
            Outcome::Analysed(_) => None,
            Outcome::Skipped { reason, detail } => {
                Some(Skipped { path: self.path.clone(), reason: reason.clone(), detail: detail.clone() })
            }
        }
    }

    /// The skeleton, if the file is searched.
    pub fn object(&self) -> Option<ObjectKey> {
        match self.outcome {
            Outcome::Analysed(key) => Some(key),
            Outcome::Skipped { .. } => None,
        }
    }
}

impl Manifest {
    /// What is known of a file.
    pub fn entry(&self, found: &Found) -> Option<&Entry> {
        let order =
            |e: &Entry| e.path.as_bytes().cmp(found.path.as_bytes()).then(e.path_escaped.cmp(&found.path_escaped));
        self.files.binary_search_by(order).ok().map(|at| &self.files[at])
    }

    /// Puts a generation before those that are known.
    pub fn remember(&mut self, list: ListKey) {
        self.lists.retain(|known| *known != list);
        self.lists.insert(0, list);
        self.lists.truncate(KEPT_LISTS);
    }
}

impl Store {
    /// What is known of a tree. A manifest that is damaged, or of another engine, is as good as none.
    pub fn manifest(&self, key: &str) -> Option<Manifest> {
        let manifest = self.any_manifest(key)?;
        (manifest.fingerprint == self.fingerprint()).then_some(manifest)
    }

    /// The same, whichever engine it was made by.
    pub fn any_manifest(&self, key: &str) -> Option<Manifest> {
        let path = self.tree(key).join("manifest");
        read(&path).unwrap_or_else(|trouble| {
            self.trouble.note(trouble);
            None
        })
    }

    /// Replaces what is known of a tree.
    pub fn put_manifest(&self, key: &str, manifest: &Manifest) -> bool {
        let path = self.tree(key).join("manifest");
        let bytes = postcard::to_allocvec(manifest).expect("a manifest holds only serialisable values");
        let packed = snapshots::pack_with_length(&bytes)
            .map_err(|e| Trouble { path: path.clone(), what: format!("zstd: {e}; the manifest is not kept") });
        let written = packed.and_then(|packed| files::write(&path, Kind::Manifest, &packed));
        written.map_err(|trouble| self.trouble.note(trouble)).is_ok()
    }

    /// Whether there is an index of the tree, of whatever engine.
    pub fn knows(&self, key: &str) -> bool {
        self.tree(key).join("manifest").exists()
    }
}

/// Reads a manifest; `None` if there is none.
pub fn read(path: &Path) -> Result<Option<Manifest>, Trouble> {
    let bytes = match fs::read(path) {
        Ok(bytes) => bytes,
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(e) => {
            let what = format!("cannot be read: {e}; the tree is looked at as if for the first time");
            return Err(Trouble { path: path.to_owned(), what });
        }
    };
    let content = files::content(Kind::Manifest, &bytes).and_then(snapshots::unpack_with_length);
    let manifest = content.and_then(|content| postcard::from_bytes(&content).ok());
    let damaged = || Trouble {
        path: path.to_owned(),
        what: "was damaged, or is of another version; the tree is looked at as if for the first time".to_owned(),
    };
    manifest.map(Some).ok_or_else(damaged)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(mtime: i64) -> Found {
        let stamp = Stamp { mtime, ctime: 5, inode: 7 };
        Found { path: "a".to_owned(), path_escaped: false, absolute: "/a".into(), size: 3, stamp }
    }

    #[test]
    fn a_file_is_current_if_nothing_of_it_has_moved() {
        let now = 10 * RACY;
        let entry = Entry::new(&found(0), now, [1; 16], Outcome::Analysed(ObjectKey([2; 16])));
        assert!(entry.is_current(&found(0)));
        assert!(!entry.is_current(&found(1)));
        assert!(!entry.is_current(&Found { size: 4, ..found(0) }));
        for stamp in [Stamp { ctime: 6, ..found(0).stamp }, Stamp { inode: 8, ..found(0).stamp }] {
            assert!(!entry.is_current(&Found { stamp, ..found(0) }));
        }
        let fresh = Entry::new(&found(now - 1), now, [1; 16], Outcome::Analysed(ObjectKey([2; 16])));
        assert!(!fresh.is_current(&found(now - 1)), "changed within a tick of being read");
    }

    #[test]
    fn manifests_come_back() {
        let folder = std::env::temp_dir().join(format!("seekwell-store-manifest-{}", std::process::id()));
        let store = Store::at(folder.clone(), "engine");
        assert_eq!(store.manifest("tree"), None);
        let entry = Entry::new(&found(0), 0, [1; 16], Outcome::Skipped { reason: "binary".into(), detail: "x".into() });
        let mut manifest = Manifest { fingerprint: "engine".into(), files: vec![entry.clone()], ..Manifest::default() };
        for list in 0..4 {
            manifest.remember(ListKey([list; 16]));
        }
        assert_eq!(manifest.lists, [ListKey([3; 16]), ListKey([2; 16])]);
        assert!(store.put_manifest("tree", &manifest));
        assert_eq!(store.manifest("tree").as_ref(), Some(&manifest));
        assert_eq!(manifest.entry(&found(9)), Some(&entry));
        assert_eq!(Store::at(folder.clone(), "another").manifest("tree"), None);
        let path = folder.join("trees/tree/manifest");
        fs::write(&path, &fs::read(&path).unwrap()[..60]).unwrap();
        assert_eq!(store.manifest("tree"), None);
        assert_eq!(store.troubles().len(), 1);
        fs::remove_dir_all(&folder).unwrap();
    }
}
