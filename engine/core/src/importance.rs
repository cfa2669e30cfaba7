//! How much of a tree leads to each of its files.
//!
//! A file that many others build on is likelier to be the one that is asked for. The measure is PageRank over files (see
//! [`crate::rank`]): a file leads to those that define the functions and types whose names it uses. Names are not resolved
//! for this. Cross-validated over the questions of `docs/ranking-log.md` the percentile gains as much with names alone as
//! with resolved uses, and names of one file follow from that file, so that a change elsewhere costs only the walk.

use std::collections::HashMap;

use rustc_hash::FxBuildHasher;

use crate::analysis::Analysis;
use crate::bits::{BitPacker, BitUnpacker};
use crate::columns::{Packer, Unpacker};
use crate::kinds::{CallKind, SymbolKind};
use crate::names::folded_hash;
use crate::rank::{Edge, page_rank, percentiles};

/// A name that more files define than this says nothing of any of them.
const MANY: usize = 8;

/// Names that a file uses, each once, as hashes without case and underscores, in order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct UsedNames(Vec<u32>);

impl UsedNames {
    /// Those of an analysis.
    pub fn of(analysis: &Analysis) -> Self {
        Self::where_kind(analysis, |_| true)
    }

    /// Those that it imports.
    pub fn imported(analysis: &Analysis) -> Self {
        Self::where_kind(analysis, |kind| kind == CallKind::Import)
    }

    fn where_kind(analysis: &Analysis, admits: impl Fn(CallKind) -> bool) -> Self {
        let calls = analysis.calls.iter().filter(|call| admits(call.kind));
        let mut numbers: Vec<u32> = calls.map(|call| call.name).collect();
        numbers.sort_unstable();
        numbers.dedup();
        Self(hashed(numbers.into_iter().map(|number| analysis.strings.get(number))))
    }

    /// Whether a name is among them.
    pub fn has(&self, name: &str) -> bool {
        self.0.binary_search(&short(folded_hash(name))).is_ok()
    }
}

/// The names that some files use, for a snapshot: all there are, and then which of them each file uses.
pub fn pack_uses<'u>(uses: impl Iterator<Item = &'u UsedNames> + Clone) -> [Vec<u8>; 2] {
    let mut all: Vec<u32> = uses.clone().flat_map(|names| names.0.iter().copied()).collect();
    all.sort_unstable();
    all.dedup();
    let mut hashes = Packer::default();
    hashes.number(all.len() as u32);
    hashes.rising(all.iter().copied());
    let mut of_files = BitPacker::default();
    for names in uses {
        let place = |hash: &u32| all.binary_search(hash).expect("it is among all") as u32;
        let places: Vec<u32> = names.0.iter().map(place).collect();
        of_files.count(places.len() as u32 + 1);
        of_files.rising(&places, 0, all.len() as u32);
    }
    [hashes.bytes, of_files.finish()]
}

/// What [`pack_uses`] has written of so many files; `None` if it is something else.
pub fn unpack_uses([hashes, of_files]: [&[u8]; 2], files: usize) -> Option<Vec<UsedNames>> {
    let mut hashes = Unpacker::new(hashes);
    let mut all = Vec::new();
    let count = hashes.count()?;
    hashes.rising(count, |hash| all.push(hash)).filter(|()| hashes.is_done())?;
    let mut from = BitUnpacker::new(of_files);
    let mut uses = Vec::with_capacity(files);
    for _ in 0..files {
        let count = from.count()? as usize - 1;
        (count <= all.len()).then_some(())?;
        let mut names = vec![0; count];
        from.rising(&mut names, 0, all.len() as u32)?;
        names.iter_mut().for_each(|name| *name = all[*name as usize]);
        uses.push(UsedNames(names));
    }
    from.is_done().then_some(uses)
}

/// 32 of the 64 bits: of a million names few share them, and what they would add is a stray edge.
fn short(hash: u64) -> u32 {
    (hash ^ (hash >> 32)) as u32
}

/// Whether uses lead to symbols of this kind.
pub fn is_led_to(kind: SymbolKind) -> bool {
    kind.is_callable() || kind.is_type() || kind == SymbolKind::Module
}

/// Names, as hashes without case and underscores, in order and each once: two files whose lists are equal define the same.
pub fn hashed<'a>(names: impl Iterator<Item = &'a str>) -> Vec<u32> {
    let mut hashes: Vec<u32> = names.map(|name| short(folded_hash(name))).collect();
    hashes.sort_unstable();
    hashes.dedup();
    hashes
}

/// By file: the share of the tree's files of code that it stands above, 0 to 1; 0 for other files. `uses` are the names
/// that each file of code uses; `definitions` the hash of each name that uses lead to and the file that defines it, both in
/// order.
pub fn of_files(uses: &[Option<&UsedNames>], definitions: impl Iterator<Item = (u64, u32)>) -> Vec<f32> {
    let mut definitions: Vec<(u64, u32)> = definitions.collect();
    definitions.dedup();
    let mut defined: HashMap<u32, &[(u64, u32)], FxBuildHasher> = HashMap::default();
    for group in definitions.chunk_by(|a, b| a.0 == b.0).filter(|group| group.len() <= MANY) {
        defined.insert(short(group[0].0), group);
    }
    let mut edges = Vec::new();
    let mut weights = vec![0.0f32; uses.len()];
    let mut reached: Vec<u32> = Vec::new();
    for (from, names) in uses.iter().enumerate() {
        let from = from as u32;
        for hash in names.iter().flat_map(|names| &names.0) {
            // What a file defines itself it most likely means.
            let Some(group) = defined.get(hash).filter(|group| group.iter().all(|&(_, file)| file != from)) else {
                continue;
            };
            for &(_, to) in *group {
                if weights[to as usize] == 0.0 {
                    reached.push(to);
                }
                weights[to as usize] += 1.0 / group.len() as f32;
            }
        }
        reached.sort_unstable();
        let weight = |&to: &u32| Edge { from, to, weight: std::mem::take(&mut weights[to as usize]) };
        edges.extend(reached.iter().map(weight));
        reached.clear();
    }
    percentiles(&page_rank(uses.len(), &edges, &[]), |at| uses[at].is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn uses_come_back() {
        let all = [vec![1, 5, u32::MAX], vec![], vec![0, 5], vec![5]].map(UsedNames);
        let [hashes, of_files] = pack_uses(all.iter());
        assert_eq!(unpack_uses([&hashes, &of_files], 4).as_deref(), Some(&all[..]));
        assert_eq!(unpack_uses([&hashes, &of_files], 5), None);
        assert_eq!(unpack_uses([&hashes[..hashes.len() - 1], &of_files], 4), None);
        assert_eq!(unpack_uses([&hashes, &of_files[..of_files.len() - 1]], 4), None);
        assert_eq!(unpack_uses([&[0], &[]], 0), Some(vec![]));
    }
}
