//! How much of a tree leads to each of its files.
//!
//! A file that many others build on is likelier to be the one that is asked for. The measure is PageRank over files (see
//! [`crate::rank`]): a file leads to those that define the functions and types whose names it uses. Names are not resolved
//! for this. Cross-validated over the questions of `docs/ranking-log.md` the percentile gains as much with names alone as
//! with resolved uses, and names of one file follow from that file, so that a change elsewhere costs only the walk.

use std::collections::HashMap;

use rustc_hash::FxBuildHasher;
use seekwell_types::Content;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::analysis::Analysis;
use crate::generation::{File, Symbol, folded_hash};
use crate::kinds::SymbolKind;
use crate::rank::{Edge, page_rank, percentiles};

/// A name that more files define than this says nothing of any of them.
const MANY: usize = 8;

/// Names that a file uses, each once, as hashes without case and underscores, in order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct UsedNames(Vec<u32>);

impl UsedNames {
    /// Those of an analysis.
    pub fn of(analysis: &Analysis) -> Self {
        let mut numbers: Vec<u32> = analysis.calls.iter().map(|call| call.name).collect();
        numbers.sort_unstable();
        numbers.dedup();
        let mut hashes: Vec<u32> = numbers.into_iter().map(|n| short(folded_hash(analysis.strings.get(n)))).collect();
        hashes.sort_unstable();
        hashes.dedup();
        Self(hashes)
    }
}

/// As differences: they are smaller than the hashes.
impl Serialize for UsedNames {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let steps = self.0.iter().scan(0, |last, &hash| Some(hash - std::mem::replace(last, hash)));
        to.collect_seq(steps.collect::<Vec<u32>>())
    }
}

impl<'d> Deserialize<'d> for UsedNames {
    fn deserialize<D: Deserializer<'d>>(from: D) -> Result<Self, D::Error> {
        let mut hashes = Vec::<u32>::deserialize(from)?;
        let mut last = 0u32;
        for hash in &mut hashes {
            last = last.wrapping_add(*hash);
            *hash = last;
        }
        Ok(Self(hashes))
    }
}

/// 32 of the 64 bits: of a million names few share them, and what they would add is a stray edge.
fn short(hash: u64) -> u32 {
    (hash ^ (hash >> 32)) as u32
}

/// Whether uses lead to symbols of this kind.
fn is_led_to(kind: SymbolKind) -> bool {
    kind.is_callable() || kind.is_type() || kind == SymbolKind::Module
}

/// Hashes of the names that a file defines and that uses lead to, in order.
pub fn defined_names(file: &File, symbols: &[Symbol]) -> Vec<u32> {
    let name = |symbol: &Symbol| short(folded_hash(file.strings.get(symbol.record.name)));
    let mut names: Vec<u32> = symbols.iter().filter(|s| is_led_to(s.record.kind)).map(name).collect();
    names.sort_unstable();
    names.dedup();
    names
}

/// By file: the share of the tree's files of code that it stands above, 0 to 1; 0 for other files. `names` are the symbols
/// by the hashes of their names, in order.
pub fn of_files(files: &[File], symbols: &[Symbol], names: &[(u64, u32)]) -> Vec<f32> {
    let is_code = |file: u32| files[file as usize].content == Content::Code;
    let mut lists: Vec<u32> = Vec::new();
    let mut defined: HashMap<u32, (u32, u32), FxBuildHasher> = HashMap::default();
    for group in names.chunk_by(|a, b| a.0 == b.0) {
        let from = lists.len();
        for symbol in group.iter().map(|&(_, symbol)| &symbols[symbol as usize]) {
            if is_led_to(symbol.record.kind) && is_code(symbol.file) && lists[from..].last() != Some(&symbol.file) {
                lists.push(symbol.file);
            }
        }
        match lists.len() - from {
            1..=MANY => drop(defined.insert(short(group[0].0), (from as u32, lists.len() as u32))),
            _ => lists.truncate(from),
        }
    }
    let mut edges = Vec::new();
    let mut weights = vec![0.0f32; files.len()];
    let mut reached: Vec<u32> = Vec::new();
    for from in (0..files.len() as u32).filter(|&file| is_code(file)) {
        for hash in &files[from as usize].uses.0 {
            let Some(&(first, end)) = defined.get(hash) else { continue };
            let list = &lists[first as usize..end as usize];
            // What a file defines itself it most likely means.
            if list.contains(&from) {
                continue;
            }
            for &to in list {
                if weights[to as usize] == 0.0 {
                    reached.push(to);
                }
                weights[to as usize] += 1.0 / list.len() as f32;
            }
        }
        reached.sort_unstable();
        let weight = |&to: &u32| Edge { from, to, weight: std::mem::take(&mut weights[to as usize]) };
        edges.extend(reached.iter().map(weight));
        reached.clear();
    }
    percentiles(&page_rank(files.len(), &edges, &[]), |at| is_code(at as u32))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_survive_being_written() {
        let names = UsedNames(vec![0, 7, u32::MAX]);
        let bytes = postcard::to_allocvec(&names).unwrap();
        assert_eq!(postcard::from_bytes::<UsedNames>(&bytes).unwrap(), names);
        // Steps that lead past the last number are of a damaged snapshot, and bring nothing down.
        let damaged = postcard::to_allocvec(&[u32::MAX, u32::MAX]).unwrap();
        postcard::from_bytes::<UsedNames>(&damaged[1..]).ok();
    }
}
