//! Which paths git tracks: the names in `.git/index`.
//!
//! Tracked files belong to the corpus even where a rule ignores them, and a tracked folder may be a whole repository
//! (a submodule). Versions 2 to 4, both hash lengths, split and sparse indexes. Only names and kinds are kept, and
//! the checksum is not verified: a damaged index shows by its structure, and costs no more than the override.

/// Where the mode stands in an entry, after timestamps, device and inode.
const MODE_AT: usize = 24;
/// Bytes of an entry before its object hash.
const STAT_LEN: usize = 40;
/// Type bits of a mode, and the type of an entry that is another repository's commit.
const TYPE_BITS: u32 = 0o170_000;
const GITLINK: u32 = 0o160_000;
/// The flag that says that two more bytes of flags follow.
const EXTENDED: u16 = 0x4000;
/// Lengths of SHA-1 and SHA-256. The header does not say which; only one of them leads to the end of the file.
const HASH_LENGTHS: [usize; 2] = [20, 32];

/// The tracked paths of one work tree, sorted by bytes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Index {
    names: Vec<u8>,
    /// Where each name ends in `names`, and whether it is another repository.
    entries: Vec<(u32, bool)>,
}

/// A file next to the index that a split index builds on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SharedIndex {
    /// Its name: `sharedindex.` and a hash in hex.
    pub name: String,
    /// Its content.
    pub bytes: Vec<u8>,
}

/// Why an index could not be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum IndexError {
    /// Not an index, or one cut short.
    Damaged,
    /// A version that is not known.
    Version(u32),
    /// A split index without the file that it builds on.
    NoSharedIndex(String),
}

impl std::fmt::Display for IndexError {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        match self {
            Self::Damaged => f.write_str("not a git index, or cut short"),
            Self::Version(version) => write!(f, "git index of version {version}, which is not known"),
            Self::NoSharedIndex(name) => write!(f, "split git index without its {name}"),
        }
    }
}

impl Index {
    /// Reads an index. Under `fold`, names are put into lower case, and so must be the paths that are looked up.
    pub(crate) fn parse(bytes: &[u8], shared: &[SharedIndex], fold: bool) -> Result<Self, IndexError> {
        let read = Raw::parse(bytes)?;
        let mut entries = read.entries;
        if let Some(base) = &read.base {
            let name =
                format!("sharedindex.{}", base.hash.iter().map(|byte| format!("{byte:02x}")).collect::<String>());
            let file = shared.iter().find(|file| file.name == name);
            let file = file.ok_or(IndexError::NoSharedIndex(name))?;
            let below = Raw::parse(&file.bytes)?.entries;
            entries.retain(|(name, _)| !name.is_empty());
            entries.extend((0..).zip(below).filter(|(at, _)| !base.deleted.contains(at)).map(|(_, entry)| entry));
        }
        if fold {
            entries.iter_mut().for_each(|(name, _)| name.make_ascii_lowercase());
        }
        if !entries.is_sorted() {
            entries.sort_unstable();
        }
        let mut index = Self::default();
        for (name, gitlink) in &entries {
            index.names.extend_from_slice(name);
            let end = u32::try_from(index.names.len()).map_err(|_| IndexError::Damaged)?;
            index.entries.push((end, *gitlink));
        }
        Ok(index)
    }

    /// The entries below a folder, given with its slash; all for an empty path.
    pub(crate) fn below(&self, folder: &[u8]) -> Below<'_> {
        let start = self.first_from(0, self.entries.len(), folder);
        let mut end = self.entries.len();
        if !folder.is_empty() {
            // The slash's successor is the first byte that no path below this folder can have in its place.
            let mut after = folder.to_vec();
            after.pop();
            after.push(b'/' + 1);
            end = self.first_from(start, end, &after);
        }
        Below { index: self, start, end }
    }

    fn name(&self, at: usize) -> &[u8] {
        let start = if at == 0 { 0 } else { self.entries[at - 1].0 };
        &self.names[start as usize..self.entries[at].0 as usize]
    }

    /// The first entry of `start..end` whose name is not below `path`.
    fn first_from(&self, start: usize, end: usize, path: &[u8]) -> usize {
        let (mut low, mut high) = (start, end);
        while low < high {
            let middle = low.midpoint(high);
            if self.name(middle) < path { low = middle + 1 } else { high = middle }
        }
        low
    }
}

/// The part of an index that lies below one folder.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Below<'a> {
    index: &'a Index,
    start: usize,
    end: usize,
}

/// What the index says of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tracked {
    /// Nothing.
    No,
    /// It is a tracked file or link.
    File,
    /// It is another repository.
    Gitlink,
}

impl Below<'_> {
    /// What the index says of this very path.
    pub(crate) fn entry(&self, path: &[u8]) -> Tracked {
        let at = self.index.first_from(self.start, self.end, path);
        match self.index.entries.get(at) {
            Some(&(_, gitlink)) if at < self.end && self.index.name(at) == path => {
                if gitlink {
                    Tracked::Gitlink
                } else {
                    Tracked::File
                }
            }
            _ => Tracked::No,
        }
    }

    /// Whether anything below this folder (given with its slash) is tracked.
    pub(crate) fn any_in(&self, folder: &[u8]) -> bool {
        let at = self.index.first_from(self.start, self.end, folder);
        at < self.end && self.index.name(at).starts_with(folder)
    }
}

/// An index file as it is written.
struct Raw {
    /// Names, and whether each is another repository.
    entries: Vec<(Vec<u8>, bool)>,
    base: Option<Base>,
}

/// What a split index says of the file that it builds on.
struct Base {
    hash: Vec<u8>,
    /// Places of entries that are there no longer.
    deleted: std::collections::BTreeSet<u64>,
}

impl Raw {
    fn parse(bytes: &[u8]) -> Result<Self, IndexError> {
        let mut header = Reader(bytes);
        if header.take(4) != Some(b"DIRC") {
            return Err(IndexError::Damaged);
        }
        let version = header.u32().ok_or(IndexError::Damaged)?;
        if !(2..=4).contains(&version) {
            return Err(IndexError::Version(version));
        }
        let count = header.u32().ok_or(IndexError::Damaged)?;
        let read = HASH_LENGTHS.iter().find_map(|&hash| Self::parse_body(header.0, version, count, hash));
        read.ok_or(IndexError::Damaged)
    }

    /// Entries and extensions, for one length of hash; `None` if that does not lead to the end.
    fn parse_body(body: &[u8], version: u32, count: u32, hash: usize) -> Option<Self> {
        let mut reader = Reader(body);
        // Every entry is longer than its fixed part: a count that cannot be true reserves nothing.
        let plausible = (count as usize).min(body.len() / STAT_LEN);
        let mut entries: Vec<(Vec<u8>, bool)> = Vec::with_capacity(plausible);
        let mut previous = Vec::new();
        for _ in 0..count {
            let whole = reader.0;
            let stat = reader.take(STAT_LEN)?;
            let mode = u32::from_be_bytes(stat[MODE_AT..MODE_AT + 4].try_into().ok()?);
            reader.take(hash)?;
            let flags = u16::from_be_bytes(reader.take(2)?.try_into().ok()?);
            if version > 2 && flags & EXTENDED != 0 {
                reader.take(2)?;
            }
            if version == 4 {
                let kept = previous.len().checked_sub(reader.offset()?)?;
                previous.truncate(kept);
                previous.extend_from_slice(reader.until_nul()?);
            } else {
                previous = reader.until_nul()?.to_vec();
                // Entries are padded to eight bytes; the NUL that ends the name is part of it.
                let length = whole.len() - reader.0.len();
                reader.take(length.next_multiple_of(8) - length)?;
            }
            entries.push((previous.clone(), mode & TYPE_BITS == GITLINK));
        }
        let mut base = None;
        while reader.0.len() > hash {
            let signature = reader.take(4)?;
            let length = reader.u32()? as usize;
            let data = reader.take(length)?;
            if signature == b"link" {
                base = Base::parse(data, hash);
            }
        }
        if reader.0.len() != hash || (base.is_none() && entries.iter().any(|(name, _)| name.is_empty())) {
            return None;
        }
        Some(Self { entries, base })
    }
}

impl Base {
    /// `None` also for a link to nothing, which is an index that was split once and is whole again.
    fn parse(data: &[u8], hash: usize) -> Option<Self> {
        let mut reader = Reader(data);
        let hash = reader.take(hash)?.to_vec();
        if hash.iter().all(|&byte| byte == 0) {
            return None;
        }
        let deleted = if reader.0.is_empty() { Some(Default::default()) } else { reader.bitmap() };
        Some(Self { hash, deleted: deleted? })
    }
}

/// Takes bytes from the front.
struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn take(&mut self, length: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(taken)
    }

    fn u32(&mut self) -> Option<u32> {
        Some(u32::from_be_bytes(self.take(4)?.try_into().ok()?))
    }

    fn u64(&mut self) -> Option<u64> {
        Some(u64::from_be_bytes(self.take(8)?.try_into().ok()?))
    }

    fn until_nul(&mut self) -> Option<&'a [u8]> {
        let text = self.take(memchr::memchr(0, self.0)?)?;
        self.take(1)?;
        Some(text)
    }

    /// A number in seven-bit groups, each group but the last standing for one more than it says.
    fn offset(&mut self) -> Option<usize> {
        let mut byte = self.take(1)?[0];
        let mut value = usize::from(byte & 127);
        while byte & 128 != 0 {
            byte = self.take(1)?[0];
            value = value.checked_add(1)?.checked_mul(128)?.checked_add(usize::from(byte & 127))?;
        }
        Some(value)
    }

    /// The set bits of an EWAH bitmap: runs of equal words, each followed by words as they are.
    fn bitmap(&mut self) -> Option<std::collections::BTreeSet<u64>> {
        let bits = u64::from(self.u32()?);
        let words = self.u32()? as usize;
        let mut body = Reader(self.take(words.checked_mul(8)?)?);
        self.u32()?;
        let mut set = std::collections::BTreeSet::new();
        let mut at = 0_u64;
        while let Some(run) = body.u64() {
            let (filled, length, literal) = (run & 1 != 0, (run >> 1) & 0xFFFF_FFFF, run >> 33);
            let end = at.checked_add(length * 64)?;
            if filled {
                set.extend(at..end.min(bits));
            }
            at = end;
            for _ in 0..literal {
                let word = body.u64()?;
                set.extend((0..64).filter(|bit| word >> bit & 1 != 0).map(|bit| at + bit));
                at += 64;
            }
        }
        Some(set)
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::{Index, IndexError, Tracked};

    /// An index with these paths; a path that ends with `@` is another repository.
    pub(in super::super) fn index(version: u32, hash: usize, paths: &[&str]) -> Vec<u8> {
        let mut bytes = b"DIRC".to_vec();
        bytes.extend(version.to_be_bytes());
        bytes.extend(u32::try_from(paths.len()).expect("few").to_be_bytes());
        let mut previous = "";
        for path in paths {
            let start = bytes.len();
            let (name, mode) = path.strip_suffix('@').map_or((*path, 0o100_644_u32), |name| (name, 0o160_000));
            bytes.extend([0; 24]);
            bytes.extend(mode.to_be_bytes());
            bytes.extend(vec![7; 12 + hash]);
            bytes.extend(if version == 3 { [0x40, 0, 0x40, 0] } else { [0; 4] }.iter().take(if version == 3 {
                4
            } else {
                2
            }));
            if version == 4 {
                let common = previous.bytes().zip(name.bytes()).take_while(|(a, b)| a == b).count();
                let strip = previous.len() - common;
                assert!(strip < 128 + 128);
                if strip >= 128 {
                    bytes.extend([128, u8::try_from(strip - 128).expect("below 256")]);
                } else {
                    bytes.push(u8::try_from(strip).expect("below 128"));
                }
                bytes.extend(&name.as_bytes()[common..]);
                bytes.push(0);
                previous = name;
            } else {
                bytes.extend(name.as_bytes());
                bytes.push(0);
                while !(bytes.len() - start).is_multiple_of(8) {
                    bytes.push(0);
                }
            }
        }
        bytes.extend(b"TREE\0\0\0\x03abc");
        bytes.extend(vec![9; hash]);
        bytes
    }

    #[test]
    fn every_version_and_hash_is_read() {
        let long = "z/".repeat(80) + "end";
        let paths = ["a", "gen/api.ts", "gen/x/y", "gen0", "sub@", &long, "zz"];
        for version in 2..=4 {
            for hash in [20, 32] {
                let index = Index::parse(&index(version, hash, &paths), &[], false).expect("a sound index");
                let root = index.below(b"");
                assert_eq!(root.entry(b"gen/api.ts"), Tracked::File, "version {version}, hash {hash}");
                assert_eq!(root.entry(b"sub"), Tracked::Gitlink);
                assert_eq!(root.entry(b"gen"), Tracked::No);
                assert_eq!(root.entry(long.as_bytes()), Tracked::File);
                assert!(root.any_in(b"gen/") && root.any_in(b"gen/x/") && !root.any_in(b"ge/"));
                let below = index.below(b"gen/");
                assert_eq!(below.entry(b"gen/x/y"), Tracked::File);
                assert_eq!(below.entry(b"gen0"), Tracked::No);
                assert_eq!(index.below(b"nothing/").entry(b"nothing/a"), Tracked::No);
            }
        }
    }

    #[test]
    fn damage_is_an_error_and_never_a_panic() {
        let good = index(4, 20, &["a/b", "a/c", "d"]);
        // Behind the entries, 31 bytes of extension and checksum may look like 20 of checksum.
        for cut in 0..good.len() {
            let whole = Index::parse(&good[..cut], &[], false).is_ok();
            assert!(!whole || cut >= good.len() - 31, "cut at {cut}");
        }
        for at in 0..good.len() {
            let mut bad = good.clone();
            bad[at] ^= 0xFF;
            let _ = Index::parse(&bad, &[], false);
        }
        let mut future = good;
        future[7] = 5;
        assert_eq!(Index::parse(&future, &[], false).err(), Some(IndexError::Version(5)));
    }

    #[test]
    fn names_can_be_folded() {
        let index = Index::parse(&index(2, 20, &["B", "a"]), &[], true).expect("a sound index");
        assert_eq!(index.below(b"").entry(b"b"), Tracked::File);
        assert_eq!(index.below(b"").entry(b"a"), Tracked::File);
    }
}
