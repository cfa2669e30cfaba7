//! Which texts stand in several files, by the hashes of chunks.

use std::collections::HashSet;

use rustc_hash::FxBuildHasher;

use crate::splice::Splice;

/// The text of each chunk, as far as copies are known by it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Copies {
    /// Hash of each chunk's text.
    hashes: Vec<u64>,
    /// Whether it stands in another file, too.
    copied: Vec<bool>,
}

impl Copies {
    /// Of chunks with these hashes; `file` gives the file of each, which rises with its number.
    pub fn new(hashes: Vec<u64>, file: impl Fn(u32) -> u32) -> Self {
        let mut holders: Vec<(u64, u32)> = hashes.iter().copied().zip(0..).collect();
        holders.sort_unstable();
        let mut copies = Self { copied: vec![false; hashes.len()], hashes };
        copies.mark(&holders, file);
        copies
    }

    /// Those of [`Copies::hashes`] and [`Copies::packed`]; `None` if they do not fit each other.
    pub fn of_parts(hashes: Vec<u64>, packed: &[u8]) -> Option<Self> {
        (packed.len() == hashes.len().div_ceil(8)).then_some(())?;
        let bits = packed.iter().flat_map(|byte| (0..8).map(move |bit| byte >> bit & 1 == 1));
        let copied = bits.take(hashes.len()).collect();
        Some(Self { hashes, copied })
    }

    /// The hashes.
    pub fn hashes(&self) -> &[u64] {
        &self.hashes
    }

    /// The same, and nothing else.
    pub fn into_hashes(self) -> Vec<u64> {
        self.hashes
    }

    /// Which are copied, eight a byte.
    pub fn packed(&self) -> Vec<u8> {
        let byte = |flags: &[bool]| flags.iter().rev().fold(0, |byte, &flag| byte << 1 | u8::from(flag));
        self.copied.chunks(8).map(byte).collect()
    }

    /// Whether the text of a chunk stands in another file, too.
    pub fn has(&self, chunk: u32) -> bool {
        self.copied[chunk as usize]
    }

    /// Marks those of whose text this holds; `holders` are all with some hashes, in order.
    fn mark(&mut self, holders: &[(u64, u32)], file: impl Fn(u32) -> u32) {
        for same in holders.chunk_by(|a, b| a.0 == b.0) {
            // In order, so that all are of one file if the first and the last one are.
            let is_copied = file(same[0].1) != file(same[same.len() - 1].1);
            same.iter().for_each(|&(_, chunk)| self.copied[chunk as usize] = is_copied);
        }
    }

    /// Replaces chunks; `file` gives the file of each chunk afterwards. Returns all chunks afterwards whose hashes are among
    /// those that go and come, with their hashes, in order.
    pub fn replace(&mut self, chunks: &Splice, new: Vec<u64>, file: impl Fn(u32) -> u32) -> Vec<(u64, u32)> {
        let mut wanted = Hashes::default();
        chunks.gone().flatten().for_each(|chunk| wanted.add(self.hashes[chunk as usize]));
        new.iter().for_each(|&hash| wanted.add(hash));
        chunks.apply(&mut self.copied, vec![false; new.len()]);
        chunks.apply(&mut self.hashes, new);
        let mut holders: Vec<(u64, u32)> =
            self.hashes.iter().copied().zip(0..).filter(|&(hash, _)| wanted.has(hash)).collect();
        holders.sort_unstable();
        self.mark(&holders, file);
        holders
    }
}

/// Some hashes. Most that are asked for are not among them, which a bit tells.
#[derive(Default)]
struct Hashes {
    all: HashSet<u64, FxBuildHasher>,
    bits: Vec<u64>,
}

impl Hashes {
    /// Words of bits, a power of two.
    const WORDS: usize = 1 << 10;

    fn add(&mut self, hash: u64) {
        self.bits.resize(Self::WORDS, 0);
        self.bits[Self::word(hash)] |= 1 << (hash % 64);
        self.all.insert(hash);
    }

    fn has(&self, hash: u64) -> bool {
        self.bits.get(Self::word(hash)).is_some_and(|word| word >> (hash % 64) & 1 == 1) && self.all.contains(&hash)
    }

    const fn word(hash: u64) -> usize {
        (hash >> 6) as usize % Self::WORDS
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_stand_in_several_files() {
        // Files of two chunks each.
        let file = |chunk| chunk / 2;
        let mut copies = Copies::new(vec![7, 7, 8, 9, 9, 10, 8], file);
        let flags = |copies: &Copies| (0..7).map(|chunk| u8::from(copies.has(chunk))).collect::<Vec<_>>();
        assert_eq!(flags(&copies), [0, 0, 1, 1, 1, 0, 1]);
        let again = Copies::of_parts(copies.hashes().to_vec(), &copies.packed());
        assert_eq!(again.as_ref(), Some(&copies));
        assert_eq!(Copies::of_parts(vec![1; 9], &[0]), None);

        let mut second = Splice::default();
        second.replace(2..4, 2);
        assert_eq!(copies.replace(&second, vec![7, 11], file), [(7, 0), (7, 1), (7, 2), (8, 6), (9, 4), (11, 3)]);
        assert_eq!(flags(&copies), [1, 1, 1, 0, 0, 0, 0]);
        assert_eq!(copies, Copies::new(copies.hashes().to_vec(), file));
    }
}
