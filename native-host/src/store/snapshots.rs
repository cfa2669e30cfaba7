//! Generations, each under a hash of the list of analyses that it was made of.
//!
//! ```text
//! header | length of the list | the list | padding to 8 | what the engine answers from
//! ```
//!
//! What else the engine needs to bring it up to date lies in a file of its own, `….rest`, which most questions never read.

use std::cmp::Ordering;
use std::fs::File;
use std::io;

use memmap2::Mmap;
use serde::{Deserialize, Serialize};

use super::files::{self, Kind, Trouble};
use super::{Entry, ObjectKey, Store};
use crate::engine::Snapshot;

/// The files of a generation and their analyses, by path.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct List(pub Vec<(String, ObjectKey)>);

/// The name of a generation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct ListKey(pub [u8; 16]);

impl List {
    /// The files of a tree that are searched.
    pub fn of_entries(entries: &[Entry]) -> Self {
        Self(entries.iter().filter_map(|e| Some((e.path.clone(), e.object()?))).collect())
    }

    /// Its key: objects' keys hold the engine's fingerprint, so this one does.
    pub fn key(&self) -> ListKey {
        ListKey(seekwell_keep::generation(self.0.iter().map(|(path, object)| (path.as_str(), &object.0))))
    }
}

/// What tells two lists apart: path, the analysis in the first, that in the second.
pub type Difference = (String, Option<ObjectKey>, Option<ObjectKey>);

impl List {
    /// What tells this list from another, by path. `None` if a path stands twice in one of them, which is so for two names
    /// of which one is escaped to the other.
    pub fn differences(&self, other: &Self) -> Option<Vec<Difference>> {
        let strict = |list: &Self| list.0.windows(2).all(|pair| pair[0].0 < pair[1].0);
        (strict(self) && strict(other)).then_some(())?;
        let (mut mine, mut theirs) = (self.0.iter().peekable(), other.0.iter().peekable());
        let mut differences = Vec::new();
        loop {
            let order = match (mine.peek(), theirs.peek()) {
                (None, None) => return Some(differences),
                (Some(_), None) => Ordering::Less,
                (None, Some(_)) => Ordering::Greater,
                (Some(a), Some(b)) => a.0.cmp(&b.0),
            };
            let old = if order.is_le() { mine.next() } else { None };
            let new = if order.is_ge() { theirs.next() } else { None };
            let (old_key, new_key) = (old.map(|o| o.1), new.map(|n| n.1));
            if let Some((path, _)) = old.or(new).filter(|_| old_key != new_key) {
                differences.push((path.clone(), old_key, new_key));
            }
        }
    }
}

/// A snapshot, mapped.
pub struct Mapped {
    map: Mmap,
    list: std::ops::Range<usize>,
    snapshot: std::ops::Range<usize>,
}

impl Mapped {
    /// The engine's snapshot.
    pub fn snapshot(&self) -> &[u8] {
        &self.map[self.snapshot.clone()]
    }

    /// What it was made of.
    pub fn list(&self) -> Option<List> {
        postcard::from_bytes(&self.map[self.list.clone()]).ok()
    }
}

/// What is needed to bring a snapshot up to date, mapped.
pub struct Rest(Mmap);

impl std::ops::Deref for Rest {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.0[files::HEADER..]
    }
}

impl Store {
    /// The snapshot of a list, if it is here and sound. A damaged one is noted, removed, and then as good as absent.
    pub fn snapshot(&self, key: &ListKey) -> Option<Mapped> {
        let path = files::spread(&self.folder.join("snapshots"), &key.0);
        let file = match File::open(&path) {
            Ok(file) => file,
            Err(e) if e.kind() == io::ErrorKind::NotFound => return None,
            Err(e) => {
                let what = format!("cannot be read: {e}; made again from analyses");
                self.trouble.note(Trouble { path, what });
                return None;
            }
        };
        let mapped = open(&file);
        if mapped.is_none() {
            let what = "was damaged: removed, and made again from analyses".to_owned();
            let _ = std::fs::remove_file(&path);
            self.trouble.note(Trouble { path, what });
        }
        mapped
    }

    /// What is needed to bring the snapshot of a list up to date, if it is here and sound.
    pub fn rest(&self, key: &ListKey) -> Option<Rest> {
        let path = self.rest_path(key);
        let map = map(&File::open(&path).ok()?)?;
        if files::content(Kind::Rest, &map).is_none() {
            let what = "was damaged: removed, and made again from analyses".to_owned();
            let _ = std::fs::remove_file(&path);
            self.trouble.note(Trouble { path, what });
            return None;
        }
        Some(Rest(map))
    }

    /// Whether there is a snapshot of a list, unread.
    pub fn has_snapshot(&self, key: &ListKey) -> bool {
        files::spread(&self.folder.join("snapshots"), &key.0).exists()
    }

    fn rest_path(&self, key: &ListKey) -> std::path::PathBuf {
        files::spread(&self.folder.join("snapshots"), &key.0).with_extension("rest")
    }

    /// Keeps a snapshot. What cannot be written is noted.
    pub fn put_snapshot(&self, list: &List, snapshot: &Snapshot) -> bool {
        let Snapshot { searchable: snapshot, rest } = snapshot;
        let packed = postcard::to_allocvec(list).expect("a list holds only serialisable values");
        let mut content = Vec::with_capacity(snapshot.len() + packed.len() + 16);
        content.extend_from_slice(&(packed.len() as u64).to_le_bytes());
        content.extend_from_slice(&packed);
        content.resize(content.len().next_multiple_of(8), 0);
        content.extend_from_slice(snapshot);
        let key = list.key();
        let path = files::spread(&self.folder.join("snapshots"), &key.0);
        let written = files::write(&self.rest_path(&key), Kind::Rest, rest)
            .and_then(|()| files::write(&path, Kind::Snapshot, &content));
        written.map_err(|trouble| self.trouble.note(trouble)).is_ok()
    }
}

fn map(file: &File) -> Option<Mmap> {
    // SAFETY: files of the store are never changed in place by seekwell, only renamed into place and unlinked, in a folder
    // that only this user can write to; whoever writes here as this user has won already. Mapping saves a copy of all of it.
    #[allow(unsafe_code, reason = "the system cannot promise that a mapped file stays as it is")]
    unsafe { Mmap::map(file) }.ok()
}

fn open(file: &File) -> Option<Mapped> {
    let map = map(file)?;
    let content = files::content(Kind::Snapshot, &map)?;
    let length = u64::from_le_bytes(*content.first_chunk::<8>()?);
    let list = files::HEADER + 8..(files::HEADER + 8).checked_add(usize::try_from(length).ok()?)?;
    let start = files::HEADER + (list.end - files::HEADER).next_multiple_of(8);
    (start <= map.len()).then(|| Mapped { list, snapshot: start..map.len(), map })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_told_apart() {
        let list = |entries: &[(&str, u8)]| {
            List(entries.iter().map(|&(path, key)| (path.to_owned(), ObjectKey([key; 16]))).collect())
        };
        let (before, after) = (list(&[("a", 1), ("b", 2), ("d", 3)]), list(&[("b", 4), ("c", 5), ("d", 3)]));
        let [one, two, four, five] = [1, 2, 4, 5].map(|key| Some(ObjectKey([key; 16])));
        let expected = vec![("a".into(), one, None), ("b".into(), two, four), ("c".into(), None, five)];
        assert_eq!(before.differences(&after), Some(expected));
        assert_eq!(after.differences(&after), Some(vec![]));
        assert_eq!(list(&[]).differences(&after).map(|d| d.len()), Some(3));
        assert_eq!(list(&[("a", 1), ("a", 2)]).differences(&after), None);
    }

    #[test]
    fn snapshots_come_back() {
        let folder = std::env::temp_dir().join(format!("seekwell-store-snapshots-{}", std::process::id()));
        let store = Store::at(folder.clone(), "engine");
        let list = List(vec![("a".into(), ObjectKey([1; 16])), ("b".into(), ObjectKey([2; 16]))]);
        assert!(store.snapshot(&list.key()).is_none());
        let snapshot = Snapshot { searchable: b"everything".to_vec(), rest: b"and the rest".to_vec() };
        assert!(store.put_snapshot(&list, &snapshot));
        assert_eq!(store.rest(&list.key()).as_deref(), Some(&snapshot.rest[..]));
        let mapped = store.snapshot(&list.key()).expect("it is there");
        assert_eq!((mapped.snapshot(), mapped.list()), (&b"everything"[..], Some(list.clone())));
        let path = files::spread(&folder.join("snapshots"), &list.key().0);
        std::fs::write(&path, &std::fs::read(&path).unwrap()[..80]).unwrap();
        assert!(store.snapshot(&list.key()).is_none());
        assert!(!path.exists() && store.troubles().len() == 1);
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
