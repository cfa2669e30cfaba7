//! What a session keeps of a tree between questions: the rule when it does, and the state while it works.

use std::collections::BTreeSet;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use seekwell_types::Mode;

use super::{Request, StoreUse, Upkeep, WalkOptions};
use crate::engine::{Snapshot, Worker};
use crate::store::{Entry, List, Manifest, Outcome, Store, Turn, WriterLock};
use crate::walk::{Found, Walk};

/// A tree with so many files is worth an index without being asked for one: without, a question to it takes more than 0.3 s
/// of a processor, and the index costs a tenth more once, at most. Smaller trees answer at once, and nothing is written.
pub const WORTH_KEEPING: usize = 150;

/// The store, as one request uses it.
pub struct Keep {
    /// The store.
    pub store: Store,
    /// What the tree is called there, if there is or will be an index of it.
    pub tree: Option<String>,
    /// What was known of the tree.
    pub manifest: Manifest,
    /// Whether anything was.
    pub known: bool,
    /// Moment of the walk, nanoseconds since 1970.
    pub looked_at: i64,
    /// Files whose stamps are not to be trusted.
    pub doubted: BTreeSet<String>,
    verify: bool,
    /// Whether files are overlaid: what is found then is not what is on disk, and is not written down.
    overlaid: bool,
    lock: Option<WriterLock>,
    upkeep: Upkeep,
}

impl Keep {
    /// What of the store a request uses; `None` if nothing.
    pub fn open(request: &Request<'_>, walk: &Walk, fingerprint: &str, doubted: &BTreeSet<String>) -> Option<Self> {
        if request.store == StoreUse::Never {
            return None;
        }
        let store = Store::open(fingerprint)?.with_carried(&walk.root);
        let tree = tree_of(request, &walk.root).filter(|key| match request.store {
            StoreUse::Never => false,
            StoreUse::Existing => store.knows(key),
            StoreUse::Auto => store.is_carried() || walk.files.len() >= WORTH_KEEPING || store.knows(key),
            StoreUse::Always => true,
        });
        if tree.is_none() && !store.is_carried() && !store.folder().exists() {
            return None;
        }
        let looked_at = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |d| d.as_nanos() as i64);
        let mut keep = Self {
            store,
            tree,
            manifest: Manifest::default(),
            known: false,
            looked_at,
            doubted: doubted.iter().chain(request.overlay.into_iter().flat_map(|o| o.keys())).cloned().collect(),
            verify: request.verify,
            overlaid: request.overlay.is_some_and(|overlay| !overlay.is_empty()),
            lock: None,
            upkeep: Upkeep::default(),
        };
        keep.load();
        if keep.tree.is_some() && !keep.known {
            keep.begin(request);
        }
        Some(keep)
    }

    fn load(&mut self) {
        if let Some(manifest) = self.tree.as_ref().and_then(|key| self.store.manifest(key)) {
            self.manifest = manifest;
            self.known = true;
        }
    }

    /// A first index: whoever comes second waits for the first, instead of doing the same work.
    fn begin(&mut self, request: &Request<'_>) {
        if let Err(trouble) = self.store.create() {
            self.upkeep.troubles.push(trouble.to_string());
            self.tree = None;
            return;
        }
        let Some(key) = &self.tree else { return };
        match self.store.try_write(key) {
            Some(lock) => self.lock = Some(lock),
            None => {
                request.progress.stage("waiting", 0);
                match self.store.wait_to_write(key) {
                    Turn::Mine(lock) => self.lock = Some(lock),
                    Turn::Theirs | Turn::Busy => {}
                }
            }
        }
        // Another process may have done it all just before.
        self.load();
        self.upkeep.begun = !self.known;
    }

    /// The entry of a file that is certainly as it was.
    pub fn current(&self, found: &Found) -> Option<&Entry> {
        let current = |entry: &&Entry| entry.is_current(found) && !self.verify && !self.doubted.contains(&found.path);
        self.manifest.entry(found).filter(current)
    }

    /// Whether analyses that were made are kept.
    pub fn writes(&self) -> bool {
        self.tree.is_some()
    }

    /// Whether what is put together of all files is kept.
    pub fn writes_trees(&self) -> bool {
        self.writes() && !self.overlaid
    }

    /// The key of a file's analysis.
    pub fn object_key(
        &self,
        worker: &mut dyn Worker,
        path: &str,
        content: &[u8; 16],
    ) -> Result<crate::store::ObjectKey, crate::engine::Failed> {
        Ok(crate::store::ObjectKey::new(self.store.fingerprint(), &worker.path_class(path)?, content))
    }

    /// The entry of a file that was read just now.
    pub fn entry(&self, found: &Found, content: [u8; 16], outcome: Outcome) -> Entry {
        Entry::new(found, self.looked_at, content, outcome)
    }

    /// Tells waiting processes that work goes on.
    pub fn alive(&self, done: u64) {
        if let Some(lock) = &self.lock {
            lock.alive(done);
        }
    }

    /// Notes what was done.
    pub fn count(&mut self, analysed: u32, looked_at: u32) {
        self.upkeep.analysed += analysed;
        self.upkeep.looked_at += looked_at;
    }

    /// Keeps what is known now: the snapshot, if there is a new one, and then the manifest that refers to it. Gives the
    /// account of it all.
    pub fn close(mut self, root: &Path, entries: Vec<Entry>, snapshot: Option<(&List, &Snapshot)>) -> Upkeep {
        let is_there = |path: &str| entries.binary_search_by(|e| e.path.as_str().cmp(path)).is_ok();
        self.upkeep.gone = self.manifest.files.iter().filter(|e| !is_there(&e.path)).count() as u32;
        self.store.pack_made();
        if let Some(key) = self.tree.clone() {
            let list = List::of_entries(&entries);
            let changed = !self.overlaid && (entries != self.manifest.files || snapshot.is_some() || !self.known);
            // Of several processes that have seen the same change, one writes it down.
            if changed && self.lock.is_none() {
                self.lock = self.store.try_write(&key);
            }
            if changed && self.lock.is_some() {
                if let Some((list, snapshot)) = snapshot {
                    self.store.put_snapshot(list, snapshot);
                }
                let mut manifest = Manifest {
                    fingerprint: self.store.fingerprint().to_owned(),
                    engine: env!("CARGO_PKG_VERSION").to_owned(),
                    model: super::pipeline::TABLE.to_owned(),
                    root: root.as_os_str().as_encoded_bytes().to_vec(),
                    looked_at: self.looked_at,
                    files: entries,
                    lists: self.manifest.lists.clone(),
                };
                // Written just now, or by another tree of the same files: a clone, a worktree.
                if self.store.has_snapshot(&list.key()) {
                    manifest.remember(list.key());
                }
                self.store.put_manifest(&key, &manifest);
            }
        }
        if self.tree.is_none() {
            // There is no index that was brought up to date: analyses were only looked for.
            self.upkeep.looked_at = 0;
            self.upkeep.gone = 0;
        }
        self.upkeep.troubles.extend(self.store.troubles());
        self.upkeep
    }
}

/// What the tree of a request is called in the store: a hash of its root and of all that decides which files it has. `None`
/// for a request that does not mean a whole tree.
pub fn tree_of(request: &Request<'_>, root: &Path) -> Option<String> {
    let whole = match &request.paths[..] {
        [] => true,
        [path] => path.is_dir(),
        _ => false,
    };
    let scanned = matches!(request.query.mode, Mode::Exact | Mode::Regex);
    (whole && request.since.is_none() && !scanned).then(|| tree_key(root, &request.walk))
}

/// The key of a tree.
pub fn tree_key(root: &Path, walk: &WalkOptions) -> String {
    let WalkOptions { no_ignore, hidden, exclude, exclude_extensions, max_filesize, threads: _ } = walk;
    let mut hasher = blake3::Hasher::new_derive_key("seekwell tree");
    let mut part = |bytes: &[u8]| {
        hasher.update(&(bytes.len() as u64).to_le_bytes()).update(bytes);
    };
    part(root.as_os_str().as_encoded_bytes());
    part(&[u8::from(*no_ignore), u8::from(*hidden)]);
    part(&max_filesize.unwrap_or(super::DEFAULT_MAX_FILESIZE).to_le_bytes());
    for list in [exclude, exclude_extensions] {
        part(&(list.len() as u64).to_le_bytes());
        list.iter().for_each(|text| part(text.as_bytes()));
    }
    hasher.finalize().to_hex()[..32].to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_decides_the_files_decides_the_key() {
        let key = |change: &dyn Fn(&mut WalkOptions)| {
            let mut walk = WalkOptions::default();
            change(&mut walk);
            tree_key(Path::new("/a"), &walk)
        };
        let plain = key(&|_| {});
        let others = [
            key(&|w| w.hidden = true),
            key(&|w| w.no_ignore = true),
            key(&|w| w.max_filesize = Some(1)),
            key(&|w| w.exclude = vec!["md".into()]),
            key(&|w| w.exclude_extensions = vec!["md".into()]),
            tree_key(Path::new("/b"), &WalkOptions::default()),
        ];
        for (i, one) in others.iter().enumerate() {
            assert!(*one != plain && others[i + 1..].iter().all(|other| other != one), "{i}");
        }
        assert_eq!(key(&|w| w.threads = 3), plain);
        assert_eq!(key(&|w| w.max_filesize = Some(super::super::DEFAULT_MAX_FILESIZE)), plain);
    }
}
