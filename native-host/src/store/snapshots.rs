//! Generations, each under a hash of the list of analyses that it was made of.
//!
//! ```text
//! header | length of the list | the list | lengths of the frames | frames: what the engine answers from
//! ```
//!
//! What the engine answers from comes in frames of one size, each compressed by itself where that is worth its time: a frame
//! is unpacked into the same memory as the one before, and handed over. What else is needed to bring the engine up to date
//! lies in a file of its own, `….rest`, which most questions never read: parts, of which those are unpacked that are needed.

use std::cell::RefCell;
use std::cmp::Ordering;
use std::fs::File;
use std::io;

use memmap2::Mmap;
use serde::{Deserialize, Serialize};

use super::files::{self, Kind, Trouble};
use super::{Entry, ObjectKey, Store};
use crate::engine::{self, Failed, Snapshot, Workspace};
use seekwell_types::Generation;

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

/// What tells two lists apart: path, the skeleton in the first, that in the second.
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

/// Bytes of a frame before it is compressed: what is still near a processor while it is unpacked and handed over. A quarter
/// of it makes a snapshot 2 % larger.
const FRAME: usize = 1 << 20;

/// A list of paths longer than this is not believed, nor is a part of the rest, nor a manifest.
const LONGEST: usize = 256 << 20;

/// 3 % smaller than at zstd's default, for 35 ms more in a thousand files, once; what is gained above costs more.
const LEVEL: i32 = 6;

/// A snapshot of more bytes than this is not compressed, and handed over at once: unpacking that of ten thousand files cost a
/// question to them 50 ms (`docs/benchmarks.md`), of the 200 that it may take.
const PACKED_UP_TO: usize = 32 << 20;

/// A frame that would not get shorter by an eighth is kept as it is: it is read much oftener than written.
fn is_worth_it(packed: usize, raw: usize) -> bool {
    packed + raw / 8 <= raw
}

/// A snapshot, mapped.
pub struct Mapped {
    map: Mmap,
    list: std::ops::Range<usize>,
    /// Each with its length when unpacked.
    frames: Vec<(std::ops::Range<usize>, usize)>,
}

impl Mapped {
    /// Makes a workspace of the engine's snapshot.
    pub fn restore(&self, workspace: &mut dyn Workspace) -> Result<Generation, Failed> {
        let mut unpacker = zstd::bulk::Decompressor::new().map_err(|_| Failed::Snapshot)?;
        let mut left: usize = self.frames.iter().map(|(_, length)| length).sum();
        let mut buffer = Vec::with_capacity(FRAME);
        for (at, (range, length)) in self.frames.iter().enumerate() {
            left -= length;
            let packed = &self.map[range.clone()];
            let frame = if packed.len() == *length {
                packed
            } else {
                buffer.clear();
                unpacker.decompress_to_buffer(packed, &mut buffer).map_err(|_| Failed::Snapshot)?;
                &buffer[..]
            };
            if frame.len() != *length {
                return Err(Failed::Snapshot);
            }
            if at + 1 == self.frames.len() {
                return workspace.restore(frame);
            }
            workspace.receive(frame, left)?;
        }
        Err(Failed::Snapshot)
    }

    /// What it was made of.
    pub fn list(&self) -> Option<List> {
        postcard::from_bytes(&unpack_with_length(&self.map[self.list.clone()])?).ok()
    }
}

/// What is needed to bring a snapshot up to date, mapped.
pub struct Rest {
    map: Mmap,
    /// One for all parts: to make one takes longer than to unpack a part.
    unpacker: RefCell<zstd::bulk::Decompressor<'static>>,
    /// Each with its length when unpacked.
    parts: Vec<(std::ops::Range<usize>, usize)>,
}

impl engine::Rest for Rest {
    fn part(&self, number: usize) -> Option<Vec<u8>> {
        let (range, length) = self.parts.get(number).filter(|(_, length)| *length <= LONGEST)?;
        let unpacked = self.unpacker.borrow_mut().decompress(&self.map[range.clone()], *length).ok();
        unpacked.filter(|bytes| bytes.len() == *length)
    }
}

fn unpack(packed: &[u8], length: usize) -> Option<Vec<u8>> {
    if length > LONGEST {
        return None;
    }
    zstd::bulk::decompress(packed, length).ok().filter(|bytes| bytes.len() == length)
}

/// Some bytes compressed, behind their length.
pub(super) fn pack_with_length(bytes: &[u8]) -> io::Result<Vec<u8>> {
    let length = u32::try_from(bytes.len()).unwrap_or(u32::MAX).to_le_bytes();
    Ok([&length[..], &pack(bytes)?].concat())
}

/// What [`pack_with_length`] was given.
pub(super) fn unpack_with_length(bytes: &[u8]) -> Option<Vec<u8>> {
    let (length, packed) = bytes.split_first_chunk::<4>()?;
    unpack(packed, u32::from_le_bytes(*length) as usize)
}

fn pack(bytes: &[u8]) -> io::Result<Vec<u8>> {
    zstd::bulk::compress(bytes, LEVEL)
}

/// How many parts there are, the lengths of each, unpacked and packed, and then all.
pub(super) fn with_table(parts: &[(usize, std::borrow::Cow<'_, [u8]>)]) -> Vec<u8> {
    let number = |n: usize| u32::try_from(n).unwrap_or(u32::MAX).to_le_bytes();
    let mut out = number(parts.len()).to_vec();
    parts.iter().for_each(|(length, packed)| out.extend([number(*length), number(packed.len())].concat()));
    parts.iter().for_each(|(_, packed)| out.extend_from_slice(packed));
    out
}

/// Where the parts lie in some bytes, moved by `at`, each with its length when unpacked; `None` if they do not fill them.
pub(super) fn read_table(bytes: &[u8], at: usize) -> Option<Vec<(std::ops::Range<usize>, usize)>> {
    let number = |at: usize| Some(u32::from_le_bytes(*bytes.get(at..)?.first_chunk::<4>()?) as usize);
    let count = number(0)?;
    let mut start = count.checked_mul(8)?.checked_add(4).filter(|&start| start <= bytes.len())?;
    let mut parts = Vec::with_capacity(count);
    for part in 0..count {
        let (length, packed) = (number(4 + part * 8)?, number(8 + part * 8)?);
        let end = start.checked_add(packed).filter(|&end| end <= bytes.len())?;
        parts.push((at + start..at + end, length));
        start = end;
    }
    (start == bytes.len()).then_some(parts)
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
        let parts = files::content(Kind::Rest, &map).and_then(|content| read_table(content, files::HEADER));
        let Some(parts) = parts else {
            let what = "was damaged: removed, and made again from analyses".to_owned();
            let _ = std::fs::remove_file(&path);
            self.trouble.note(Trouble { path, what });
            return None;
        };
        let unpacker = RefCell::new(zstd::bulk::Decompressor::new().ok()?);
        Some(Rest { map, unpacker, parts })
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
        let key = list.key();
        let path = files::spread(&self.folder.join("snapshots"), &key.0);
        let packed = packed(list, snapshot)
            .map_err(|e| Trouble { path: path.clone(), what: format!("zstd: {e}; the snapshot is not kept") });
        let written = packed.and_then(|(content, rest)| {
            files::write(&self.rest_path(&key), Kind::Rest, &rest)?;
            files::write(&path, Kind::Snapshot, &content)
        });
        written.map_err(|trouble| self.trouble.note(trouble)).is_ok()
    }
}

/// The contents of the two files of a snapshot.
fn packed(list: &List, snapshot: &Snapshot) -> io::Result<(Vec<u8>, Vec<u8>)> {
    let list = postcard::to_allocvec(list).expect("a list holds only serialisable values");
    let list = pack_with_length(&list)?;
    let frame = |raw| {
        let packed = pack(raw)?;
        let worth = is_worth_it(packed.len(), raw.len());
        Ok((raw.len(), if worth { packed.into() } else { raw.into() }))
    };
    let searchable = &snapshot.searchable[..];
    let frames = if searchable.len() > PACKED_UP_TO {
        vec![(searchable.len(), searchable.into())]
    } else {
        searchable.chunks(FRAME).map(frame).collect::<io::Result<Vec<_>>>()?
    };
    let mut packer = zstd::bulk::Compressor::new(LEVEL)?;
    let parts = snapshot.rest.iter().map(|part| Ok((part.len(), packer.compress(part)?.into())));
    let parts = parts.collect::<io::Result<Vec<_>>>()?;
    let content = [&(list.len() as u64).to_le_bytes()[..], &list, &with_table(&frames)].concat();
    Ok((content, with_table(&parts)))
}

pub(super) fn map(file: &File) -> Option<Mmap> {
    // SAFETY: files of the store are never changed in place by seekwell, only renamed into place and unlinked, in a folder
    // that only this user can write to; whoever writes here as this user has won already. Mapping saves a copy of all of it.
    #[allow(unsafe_code, reason = "the system cannot promise that a mapped file stays as it is")]
    unsafe { Mmap::map(file) }.ok()
}

fn open(file: &File) -> Option<Mapped> {
    let map = map(file)?;
    let content = files::content(Kind::Snapshot, &map)?;
    let length = usize::try_from(u64::from_le_bytes(*content.first_chunk::<8>()?)).ok()?;
    let list = files::HEADER + 8..(files::HEADER + 8).checked_add(length).filter(|&end| end <= map.len())?;
    let frames = read_table(&map[list.end..], list.end)?;
    Some(Mapped { map, list, frames })
}

#[cfg(test)]
mod tests {
    use seekwell_types::structure::{StructureAnswer, StructureQuery};
    use seekwell_types::{Answer, Query};

    use super::*;
    use crate::engine::{Change, FileMatches, Measurement};

    /// Takes a snapshot, and nothing else.
    #[derive(Default)]
    struct Taker(Vec<u8>, Option<usize>);

    impl Workspace for Taker {
        fn receive(&mut self, bytes: &[u8], left: usize) -> Result<(), Failed> {
            self.0.extend_from_slice(bytes);
            assert!(self.1.is_none_or(|before| before == bytes.len() + left));
            self.1 = Some(left);
            Ok(())
        }

        fn restore(&mut self, bytes: &[u8]) -> Result<Generation, Failed> {
            self.receive(bytes, 0).map(|()| Generation::default())
        }

        fn add(&mut self, _: &str, _: &[u8]) -> Result<(), Failed> {
            unreachable!("not for this test")
        }

        fn commit(&mut self) -> Result<Generation, Failed> {
            unreachable!("not for this test")
        }

        fn snapshot(&mut self) -> Result<Option<Snapshot>, Failed> {
            unreachable!("not for this test")
        }

        fn update(&mut self, _: &[Change], _: &dyn engine::Rest) -> Result<Generation, Failed> {
            unreachable!("not for this test")
        }

        fn find(&mut self, _: &Query, _: &[FileMatches]) -> Result<Answer, Failed> {
            unreachable!("not for this test")
        }

        fn ask(&mut self, _: &StructureQuery) -> Result<StructureAnswer, Failed> {
            unreachable!("not for this test")
        }

        fn measure(&mut self, _: &Query, _: bool) -> Result<Measurement, Failed> {
            unreachable!("not for this test")
        }
    }

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
        // A frame that gets shorter, one that does not, and a short one.
        let mut random = blake3::Hasher::new().finalize_xof();
        let mut searchable = vec![7; FRAME * 2 + 100];
        random.fill(&mut searchable[FRAME..FRAME * 2]);
        let snapshot = Snapshot { searchable, rest: vec![b"and".repeat(9), Vec::new(), b"the rest".to_vec()] };
        assert!(store.put_snapshot(&list, &snapshot));
        let rest = store.rest(&list.key()).expect("it is there");
        let parts: Vec<_> = (0..4).map(|number| engine::Rest::part(&rest, number)).collect();
        assert_eq!(parts[..3], snapshot.rest.iter().cloned().map(Some).collect::<Vec<_>>());
        assert_eq!(parts[3], None);
        let mapped = store.snapshot(&list.key()).expect("it is there");
        assert_eq!(mapped.list(), Some(list.clone()));
        let size = mapped.map.len();
        assert!((FRAME..FRAME + 1_000).contains(&size), "{size}");
        let mut taker = Taker::default();
        assert_eq!(mapped.restore(&mut taker), Ok(Generation::default()));
        assert!(taker.0 == snapshot.searchable);
        let path = files::spread(&folder.join("snapshots"), &list.key().0);
        std::fs::write(&path, &std::fs::read(&path).unwrap()[..80]).unwrap();
        assert!(store.snapshot(&list.key()).is_none());
        assert!(!path.exists() && store.troubles().len() == 1);
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
