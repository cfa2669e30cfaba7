//! What the store holds, and the removal of what nobody needs.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use super::files::{PARTIAL, hex};
use super::packs::Pack;
use super::{Manifest, ObjectKey, Store, lock, manifest};

/// What was written within this time may be wanted again: another branch, a tree that is not here at the moment.
const KEPT: Duration = Duration::from_secs(14 * 24 * 3600);
/// Garbage is not looked for more often.
const PERIOD: Duration = Duration::from_secs(24 * 3600);

/// How much there is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    /// Files.
    pub files: u64,
    /// Bytes in them.
    pub bytes: u64,
}

/// One tree of the store.
pub struct Tree {
    /// Its folder in the store.
    pub folder: PathBuf,
    /// What is known of it; none if that cannot be read.
    pub manifest: Option<Manifest>,
}

impl Tree {
    /// The folder that was indexed.
    pub fn root(&self) -> Option<PathBuf> {
        self.manifest.as_ref().map(|manifest| path_of(&manifest.root))
    }
}

impl Store {
    /// Everything the store holds.
    pub fn usage(&self) -> Usage {
        let mut usage = Usage::default();
        each_file(&self.folder, &mut |_, meta| {
            usage.files += 1;
            usage.bytes += meta.len();
        });
        usage
    }

    /// What one tree has a share in: its manifest, its analyses and its snapshots.
    pub fn usage_of(&self, key: &str, manifest: &Manifest) -> Usage {
        let objects = manifest.files.iter().filter_map(super::Entry::object).map(|key| key.0).collect::<BTreeSet<_>>();
        let in_objects = objects.iter().map(|key| super::files::spread(&self.folder.join("objects"), key));
        let has_one = |pack: &&Pack| pack.entries.iter().any(|(key, ..)| objects.contains(&key.0));
        let in_packs = self.packs().iter().filter(has_one).map(|pack| pack.path.clone());
        let in_snapshots = manifest.lists.iter().flat_map(|key| {
            let path = super::files::spread(&self.folder.join("snapshots"), &key.0);
            [path.with_extension("rest"), path]
        });
        let own = std::iter::once(self.tree(key).join("manifest"));
        let mut usage = Usage::default();
        for meta in in_objects.chain(in_packs).chain(in_snapshots).chain(own).filter_map(|path| fs::metadata(path).ok())
        {
            usage.files += 1;
            usage.bytes += meta.len();
        }
        usage
    }

    /// All trees, in the order of their keys.
    pub fn trees(&self) -> Vec<Tree> {
        let mut folders: Vec<PathBuf> = entries(&self.folder.join("trees")).into_iter().map(|(path, _)| path).collect();
        folders.sort();
        let tree = |folder: PathBuf| Tree {
            manifest: manifest::read(&folder.join("manifest")).unwrap_or_else(|trouble| {
                self.trouble.note(trouble);
                None
            }),
            folder,
        };
        folders.into_iter().map(tree).collect()
    }

    /// Forgets the trees at and below a folder. Gives how many there were.
    pub fn forget(&self, root: &Path) -> usize {
        let below = |tree: &&Tree| tree.root().is_some_and(|r| r.starts_with(root));
        let trees = self.trees();
        let forgotten: Vec<&Tree> = trees.iter().filter(below).collect();
        forgotten.iter().for_each(|tree| drop(fs::remove_dir_all(&tree.folder)));
        forgotten.len()
    }

    /// Removes what no tree refers to: at once if `all`, else what has lain for two weeks, at most once a day. `None` if it
    /// was not looked for, or another process uses the store.
    pub fn collect(mut self, all: bool) -> Option<Usage> {
        let mark = self.folder.join("collected");
        let now = SystemTime::now();
        let age = |meta: &fs::Metadata| meta.modified().ok().and_then(|then| now.duration_since(then).ok());
        if !all && fs::metadata(&mark).ok().and_then(|meta| age(&meta)).is_some_and(|age| age < PERIOD) {
            return None;
        }
        // Whoever uses the store holds its lock shared; this process now wants it alone.
        self._in_use = None;
        let _alone = lock::alone(&self.folder)?;
        let _ = fs::write(&mark, b"");
        for tree in self.trees() {
            // A tree whose folder is gone is forgotten, unless the disk is only away for a while.
            let gone = tree.root().is_some_and(|root| !root.exists());
            let old = fs::metadata(tree.folder.join("manifest")).ok().and_then(|m| age(&m)).is_none_or(|a| a > KEPT);
            if gone && (all || old) {
                let _ = fs::remove_dir_all(&tree.folder);
            }
        }
        let mut wanted: BTreeSet<String> = BTreeSet::new();
        let mut skeletons: BTreeSet<ObjectKey> = BTreeSet::new();
        for manifest in self.trees().into_iter().filter_map(|tree| tree.manifest) {
            skeletons.extend(manifest.files.iter().filter_map(super::Entry::object));
            wanted.extend(manifest.lists.iter().map(|list| hex(&list.0)));
        }
        wanted.extend(skeletons.iter().map(|key| hex(&key.0)));
        let mut removed = Usage::default();
        let is_old = |path: &Path| fs::metadata(path).ok().and_then(|meta| age(&meta)).is_none_or(|age| age > KEPT);
        let replaced = self.repack(&skeletons, &|path| all || is_old(path));
        for path in replaced {
            let bytes = fs::metadata(&path).map_or(0, |meta| meta.len());
            if fs::remove_file(&path).is_ok() {
                removed.files += 1;
                removed.bytes += bytes;
            }
        }
        for kind in ["objects", "packs", "snapshots"] {
            each_file(&self.folder.join(kind), &mut |path, meta| {
                let name = |path: &Path| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
                let hex = path.parent().map(name).unwrap_or_default() + name(path).trim_end_matches(".rest");
                let partial = name(path).starts_with(PARTIAL);
                let old = all || partial || age(meta).is_none_or(|age| age > KEPT);
                // Of a pack that has something wanted, all stays: `repack` has looked at it.
                let stays = if kind == "packs" { !partial } else { wanted.contains(&hex) };
                if old && !stays && fs::remove_file(path).is_ok() {
                    removed.files += 1;
                    removed.bytes += meta.len();
                }
            });
        }
        Some(removed)
    }

    /// Removes the whole store. `false` if another process uses it.
    pub fn remove_all(mut self) -> std::io::Result<bool> {
        self._in_use = None;
        if !self.folder.exists() {
            return Ok(true);
        }
        let Some(_alone) = lock::alone(&self.folder) else { return Ok(false) };
        fs::remove_dir_all(&self.folder).map(|()| true)
    }
}

#[cfg(unix)]
fn path_of(bytes: &[u8]) -> PathBuf {
    PathBuf::from(<std::ffi::OsStr as std::os::unix::ffi::OsStrExt>::from_bytes(bytes))
}

#[cfg(not(unix))]
fn path_of(bytes: &[u8]) -> PathBuf {
    PathBuf::from(String::from_utf8_lossy(bytes).into_owned())
}

fn entries(folder: &Path) -> Vec<(PathBuf, fs::Metadata)> {
    let listed = fs::read_dir(folder).into_iter().flatten().flatten();
    listed.filter_map(|entry| Some((entry.path(), entry.metadata().ok()?))).collect()
}

fn each_file(folder: &Path, each: &mut dyn FnMut(&Path, &fs::Metadata)) {
    for (path, meta) in entries(folder) {
        if meta.is_dir() {
            each_file(&path, each);
        } else {
            each(&path, &meta);
        }
    }
}
