//! Skeletons that were made in one run, together in one file: alone each is so short that little in it repeats, and takes a
//! block of the disk.
//!
//! ```text
//! header | how many | key and length of each | lengths of the frames | frames: skeleton after skeleton, compressed
//! ```
//!
//! While a run goes on, each skeleton is an object of its own, so that others see it and nothing is lost with the process
//! (`objects.rs`). At its end those it has made are put into a pack, and then the objects go. A process that has looked for
//! packs before makes again what it misses. The table is read without the rest, which is hashed when one of it is wanted.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock};

use memmap2::Mmap;

use super::files::{self, HEADER, Kind, Trouble};
use super::snapshots::{map, read_table, with_table};
use super::{ObjectKey, Store};

/// So many new skeletons are worth a pack.
pub const WORTH_PACKING: usize = 32;

/// Skeletons are put into a frame until it has this many bytes: all of it is unpacked to read one, once for those that follow.
const FRAME: usize = 1 << 20;

/// A frame longer than this is not believed: the longest skeleton there can be, and those before it.
const LONGEST: usize = 512 << 20;

/// Three tenths smaller than alone, and 4 % smaller than at zstd's default, for 13 ms more in a thousand files.
const LEVEL: i32 = 6;

/// Bytes of an entry: a key and a length.
const ENTRY: usize = 20;

/// All packs, as they were when one was first looked for.
#[derive(Default)]
pub struct Packs(OnceLock<Vec<Pack>>);

/// Skeletons that this process has kept as objects.
#[derive(Default)]
pub struct Made(Mutex<Vec<(ObjectKey, Vec<u8>)>>);

impl Made {
    /// Notes one.
    pub fn note(&self, key: &ObjectKey, blob: &[u8]) {
        if let Ok(mut made) = self.0.lock() {
            made.push((*key, blob.to_vec()));
        }
    }
}

/// One file of skeletons.
pub struct Pack {
    /// Where it lies.
    pub path: PathBuf,
    /// Key of each, in order, and where it lies when all frames are unpacked.
    pub entries: Vec<(ObjectKey, u64, usize)>,
    /// Once it was read whole; none if it is damaged.
    content: OnceLock<Option<Content>>,
}

struct Content {
    map: Mmap,
    /// Each with its length when unpacked.
    frames: Vec<(std::ops::Range<usize>, usize)>,
    /// The frame that was unpacked last: skeletons are read in about the order they were made in.
    last: Mutex<Option<(usize, Arc<Vec<u8>>)>>,
}

impl Pack {
    /// Reads the table of a file. `Ok(None)` if it is damaged; it may be all the same if it is not.
    fn open(path: PathBuf) -> io::Result<Option<Self>> {
        let mut file = File::open(&path)?;
        let size = usize::try_from(file.metadata()?.len()).unwrap_or(usize::MAX);
        let mut head = [0; HEADER + 4];
        if size < head.len() {
            return Ok(None);
        }
        file.read_exact(&mut head)?;
        let count = u32::from_le_bytes(*head.last_chunk::<4>().expect("it is longer")) as usize;
        let Some(length) = count.checked_mul(ENTRY).filter(|&length| length <= size - head.len()) else {
            return Ok(None);
        };
        let mut table = vec![0; length];
        file.read_exact(&mut table)?;
        let mut at = 0;
        let mut entries = Vec::with_capacity(count);
        for [key @ .., a, b, c, d] in table.as_chunks::<ENTRY>().0 {
            let length = u32::from_le_bytes([*a, *b, *c, *d]) as usize;
            entries.push((ObjectKey(*key), at, length));
            at += length as u64;
        }
        entries.sort_unstable();
        Ok(Some(Self { path, entries, content: OnceLock::new() }))
    }

    fn find(&self, key: &ObjectKey) -> Option<(u64, usize)> {
        let at = self.entries.binary_search_by(|(of, _, _)| of.cmp(key)).ok()?;
        Some((self.entries[at].1, self.entries[at].2))
    }

    fn content(&self) -> Option<&Content> {
        let open = || {
            let map = map(&File::open(&self.path).ok()?)?;
            let content = files::content(Kind::Pack, &map)?;
            let table = self.entries.len() * ENTRY + 4;
            let frames = read_table(content.get(table..)?, HEADER + table)?;
            Some(Content { map, frames, last: Mutex::default() })
        };
        self.content.get_or_init(open).as_ref()
    }

    fn object(&self, at: u64, length: usize) -> Option<Vec<u8>> {
        let content = self.content()?;
        let (mut frame, mut at) = (0, usize::try_from(at).ok()?);
        while at >= content.frames.get(frame)?.1 && (at > 0 || length > 0) {
            at -= content.frames[frame].1;
            frame += 1;
        }
        let unpacked = content.unpacked(frame)?;
        unpacked.get(at..at.checked_add(length)?).map(<[u8]>::to_vec)
    }
}

impl Content {
    fn unpacked(&self, frame: usize) -> Option<Arc<Vec<u8>>> {
        let mut last = self.last.lock().ok()?;
        if let Some((_, bytes)) = last.as_ref().filter(|(of, _)| *of == frame) {
            return Some(bytes.clone());
        }
        let (range, length) = self.frames.get(frame).filter(|(_, length)| *length <= LONGEST)?;
        let bytes = zstd::bulk::decompress(&self.map[range.clone()], *length).ok()?;
        let bytes = Some(bytes).filter(|bytes| bytes.len() == *length).map(Arc::new)?;
        *last = Some((frame, bytes.clone()));
        Some(bytes)
    }
}

impl Store {
    /// All packs there are, as they were when first asked for.
    pub fn packs(&self) -> &[Pack] {
        let open = |path: PathBuf| match Pack::open(path.clone()) {
            Ok(Some(pack)) => Some(pack),
            Ok(None) => {
                self.damaged(&path);
                None
            }
            Err(e) if e.kind() == io::ErrorKind::NotFound => None,
            Err(e) => {
                let what = format!("cannot be read: {e}; its files are analysed again");
                self.trouble.note(Trouble { path, what });
                None
            }
        };
        self.packs.0.get_or_init(|| files::below(&self.folder.join("packs")).into_iter().filter_map(open).collect())
    }

    fn damaged(&self, path: &Path) {
        let _ = fs::remove_file(path);
        let what = "was damaged: removed, and made again".to_owned();
        self.trouble.note(Trouble { path: path.to_owned(), what });
    }

    /// The skeleton of this key, if a pack has it and is sound. A damaged pack is noted, removed, and then as good as absent.
    pub fn packed_object(&self, key: &ObjectKey) -> Option<Vec<u8>> {
        for pack in self.packs() {
            let Some((at, length)) = pack.find(key) else { continue };
            let was_read = pack.content.get().is_some();
            if let Some(blob) = pack.object(at, length) {
                return Some(blob);
            }
            if !was_read && pack.path.exists() {
                self.damaged(&pack.path);
            }
        }
        None
    }

    /// Whether a pack has a skeleton, unread.
    pub fn is_packed(&self, key: &ObjectKey) -> bool {
        self.packs().iter().any(|pack| pack.find(key).is_some())
    }

    /// Puts the skeletons that this process has made into a pack, if they are worth one.
    pub fn pack_made(&self) {
        let Ok(mut made) = self.made.0.lock() else { return };
        if made.len() >= WORTH_PACKING {
            // One that cannot be written is noted, and what it would hold stays as it is.
            let _ = self.put_pack(std::mem::take(&mut *made));
        }
    }

    /// Writes a pack of skeletons, and removes the objects of their own that they were.
    fn put_pack(&self, mut skeletons: Vec<(ObjectKey, Vec<u8>)>) -> Option<()> {
        let mut known = BTreeSet::new();
        skeletons.retain(|(key, _)| known.insert(*key));
        let mut name = blake3::Hasher::new();
        for (key, _) in &skeletons {
            name.update(&key.0);
        }
        let key = *name.finalize().as_bytes().first_chunk::<16>().expect("a hash has 32 bytes");
        let path = files::spread(&self.folder.join("packs"), &key);
        let content = packed(&skeletons).map_err(|e| Trouble { path: path.clone(), what: format!("zstd: {e}") });
        let written = content.and_then(|content| files::write(&path, Kind::Pack, &content));
        written.map_err(|trouble| self.trouble.note(trouble)).ok()?;
        let mut folders = BTreeSet::new();
        for object in skeletons.iter().map(|(key, _)| self.object_path(key)) {
            let _ = fs::remove_file(&object);
            folders.extend(object.parent().map(Path::to_owned));
        }
        // An empty folder takes as much of a disk as a small file. This fails while there is something in it.
        folders.iter().for_each(|folder| drop(fs::remove_dir(folder)));
        Some(())
    }

    /// Makes of packs of which less than half is wanted, and of wanted objects of their own, if they are many, one new pack.
    /// Only for a process that has the store to itself. Gives the files that were replaced.
    pub fn repack(&self, wanted: &BTreeSet<ObjectKey>, may_go: &dyn Fn(&Path) -> bool) -> Vec<PathBuf> {
        let (mut kept, mut sources) = (Vec::new(), Vec::new());
        for pack in self.packs() {
            let of_it: Vec<_> = pack.entries.iter().filter(|(key, ..)| wanted.contains(key)).collect();
            if of_it.len() * 2 < pack.entries.len() && may_go(&pack.path) {
                kept.extend(of_it.into_iter().filter_map(|&(key, at, length)| Some((key, pack.object(at, length)?))));
                sources.push(pack.path.clone());
            }
        }
        let loose: Vec<_> = wanted.iter().filter(|key| self.object_path(key).exists()).collect();
        if loose.len() >= WORTH_PACKING {
            kept.extend(loose.into_iter().filter_map(|key| Some((*key, self.object(key)?))));
        }
        if !kept.is_empty() && self.put_pack(kept).is_none() {
            return Vec::new();
        }
        sources
    }
}

/// The content of a pack.
fn packed(skeletons: &[(ObjectKey, Vec<u8>)]) -> io::Result<Vec<u8>> {
    let number = |n: usize| u32::try_from(n).unwrap_or(u32::MAX).to_le_bytes();
    let mut content = number(skeletons.len()).to_vec();
    let mut frames = vec![Vec::new()];
    for (key, blob) in skeletons {
        content.extend_from_slice(&key.0);
        content.extend_from_slice(&number(blob.len()));
        if frames.last().is_some_and(|frame| frame.len() >= FRAME) {
            frames.push(Vec::new());
        }
        frames.last_mut().expect("there is one").extend_from_slice(blob);
    }
    let mut packer = zstd::bulk::Compressor::new(LEVEL)?;
    let frames = frames.iter().map(|frame| Ok((frame.len(), packer.compress(frame)?.into())));
    content.extend(with_table(&frames.collect::<io::Result<Vec<_>>>()?));
    Ok(content)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn skeletons(count: u32) -> Vec<(ObjectKey, Vec<u8>)> {
        let skeleton = |n: u32| {
            let mut key = [7; 16];
            key[..4].copy_from_slice(&n.wrapping_mul(2_654_435_761).to_le_bytes());
            (ObjectKey(key), format!("skeleton {n} ").repeat(n as usize * 16).into_bytes())
        };
        (0..count).map(skeleton).collect()
    }

    #[test]
    fn skeletons_come_back() {
        let folder = std::env::temp_dir().join(format!("seekwell-store-packs-{}", std::process::id()));
        let open = || Store::at(folder.clone(), "engine");
        let (all, store) = (skeletons(200), open());
        all.iter().for_each(|(key, blob)| assert!(store.put_object(key, blob)));
        let objects = || files::below(&folder.join("objects")).len();
        assert_eq!(objects(), 200);
        store.pack_made();
        assert_eq!((objects(), files::below(&folder.join("packs")).len()), (0, 1));
        let store = open();
        for (key, blob) in &all {
            assert!(store.has_object(key));
            assert_eq!(store.object(key).as_ref(), Some(blob));
        }
        assert_eq!(store.object(&ObjectKey([9; 16])), None);
        assert!(store.packs()[0].content().is_some_and(|content| content.frames.len() > 2));

        // What is damaged is found, whatever it is, told once, and made again.
        let path = files::below(&folder.join("packs")).remove(0);
        let whole = fs::read(&path).unwrap();
        for at in [whole.len() - 1, whole.len() / 2, HEADER + 4 + 200 * ENTRY + 1, 20] {
            let mut bytes = whole.clone();
            bytes[at] ^= 1;
            fs::write(&path, bytes).unwrap();
            let store = open();
            assert!(all.iter().all(|(key, _)| store.object(key).is_none()), "{at}");
            assert!(!path.exists() && store.troubles().len() == 1, "{at}");
        }
        for cut in [0, HEADER, HEADER + 7, whole.len() - 1] {
            fs::write(&path, &whole[..cut]).unwrap();
            assert!(all.iter().all(|(key, _)| open().object(key).is_none()), "cut at {cut}");
        }
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn what_is_not_wanted_goes_and_the_rest_stays() {
        let folder = std::env::temp_dir().join(format!("seekwell-store-repack-{}", std::process::id()));
        let open = || Store::at(folder.clone(), "engine");
        let all = skeletons(100);
        open().put_pack(all[..60].to_vec()).unwrap();
        open().put_pack(all[60..].to_vec()).unwrap();
        let wanted: BTreeSet<_> = all[50..100].iter().map(|(key, _)| *key).collect();
        let store = open();
        let replaced = store.repack(&wanted, &|_| true);
        assert_eq!(replaced.len(), 1, "one of both is wanted whole");
        replaced.iter().for_each(|path| fs::remove_file(path).unwrap());
        assert_eq!(files::below(&folder.join("packs")).len(), 2);
        let store = open();
        for (at, (key, blob)) in all.iter().enumerate() {
            assert_eq!(store.object(key).as_ref(), Some(blob).filter(|_| at >= 50), "{at}");
        }
        assert!(open().repack(&wanted, &|_| true).is_empty(), "nothing is left to do");
        fs::remove_dir_all(&folder).unwrap();
    }
}
