//! How much of a tree leads to each of its files.
//!
//! A file that many others build on is likelier to be the one that is asked for. The measure is PageRank over files (see
//! [`crate::rank`]): a file leads to those that define the functions and types whose names it uses. Names are not resolved
//! for this. Cross-validated over the questions of `docs/ranking-log.md` the percentile gains as much with names alone as
//! with resolved uses, and names of one file follow from that file, so that a change elsewhere costs only the walk.

//!
//! An update does not take names and edges together anew: it reads which edges there were and, of the few names that are
//! defined by other files now, who uses them ([`LeadUpdate`]). Only the walk is taken again, if an edge has changed.

use std::collections::{BTreeMap, HashMap};

use rustc_hash::FxBuildHasher;
use smallvec::SmallVec;

use crate::analysis::Analysis;
use crate::bits::{BitPacker, BitUnpacker};
use crate::columns::{Packer, Unpacker};
use crate::kinds::{CallKind, SymbolKind};
use crate::names::folded_hash;
use crate::rank::{Edge, page_rank, percentiles};
use crate::splice::GONE;

/// A name that more files define than this says nothing of any of them.
const MANY: usize = 8;

/// What a name weighs, divided among the files that define it: by as many as [`MANY`] without a remainder, so that sums are
/// exact, and what is taken away leaves what was there before.
const WHOLE: u32 = 840;

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
        self.0.binary_search(&folded_hash(name)).is_ok()
    }
}

/// Names that some files use, each file's by itself: all there are, and then which of them each file uses.
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

/// Whether uses lead to symbols of this kind.
pub fn is_led_to(kind: SymbolKind) -> bool {
    kind.is_callable() || kind.is_type() || kind == SymbolKind::Module
}

/// Names, as hashes without case and underscores, in order and each once: two files whose lists are equal define the same.
pub fn hashed<'a>(names: impl Iterator<Item = &'a str>) -> Vec<u32> {
    let mut hashes: Vec<u32> = names.map(folded_hash).collect();
    hashes.sort_unstable();
    hashes.dedup();
    hashes
}

/// The files that define a name, in order, each once; none if there are more than [`MANY`].
pub type Definers = SmallVec<[u32; MANY]>;

/// The definers among the files of all symbols of a name, in order.
pub fn definers(files: impl Iterator<Item = u32>) -> Definers {
    let mut definers = Definers::new();
    for file in files {
        if definers.last() != Some(&file) {
            if definers.len() == MANY {
                return Definers::new();
            }
            definers.push(file);
        }
    }
    definers
}

/// Calls `each` with the files that a use of a name leads to, and the weight. What a file defines itself it most likely means.
fn led_to(from: u32, definers: &[u32], mut each: impl FnMut(u32, u32)) {
    if !definers.is_empty() && !definers.contains(&from) {
        definers.iter().for_each(|&to| each(to, WHOLE / definers.len() as u32));
    }
}

/// Which file leads to which. `uses` are the names that each file of code uses; `definitions` the hash of each name that uses
/// lead to and the file that defines it, in order. Edges come by target and start, as [`page_rank`] takes them.
pub fn leads(uses: &[Option<&UsedNames>], definitions: impl Iterator<Item = (u32, u32)>) -> Vec<Edge> {
    let definitions: Vec<(u32, u32)> = definitions.collect();
    let mut defined: HashMap<u32, Definers, FxBuildHasher> = HashMap::default();
    for group in definitions.chunk_by(|a, b| a.0 == b.0) {
        defined.insert(group[0].0, definers(group.iter().map(|&(_, file)| file)));
    }
    let mut edges = Vec::new();
    let mut weights = vec![0; uses.len()];
    let mut reached: Vec<u32> = Vec::new();
    for (names, from) in uses.iter().zip(0..) {
        for definers in names.iter().flat_map(|names| &names.0).filter_map(|hash| defined.get(hash)) {
            led_to(from, definers, |to, weight| {
                if weights[to as usize] == 0 {
                    reached.push(to);
                }
                weights[to as usize] += weight;
            });
        }
        let edge = |to: u32| Edge { from, to, weight: std::mem::take(&mut weights[to as usize]) as f32 };
        edges.extend(reached.drain(..).map(edge));
    }
    edges.sort_unstable_by_key(|edge| (edge.to, edge.from));
    edges
}

/// By file: the share of the tree's files of code that it stands above, 0 to 1; 0 for other files.
pub fn of_files(leads: &[Edge], is_code: &[bool]) -> Vec<f32> {
    percentiles(&page_rank(is_code.len(), leads, &[], STEPS), |at| is_code[at])
}

/// Steps of the walk. Cross-validated, the percentiles rank as well as after 12, and after 30 as well but for 0.0004.
const STEPS: usize = 8;

/// So many names share a part of what is kept for updates, on average.
const NAMES_IN_PART: usize = 256;

/// Which part a name is in is told by so many high bits of its hash: parts for this many names.
fn bits_for(names: usize) -> u32 {
    (names / NAMES_IN_PART).max(2).ilog2()
}

/// What updates need of names and edges, in parts: the edges, and then by the high bits of their hashes who uses each name.
/// `uses` are the names that each file of code uses.
pub fn pack_leads(leads: &[Edge], uses: &[Option<&UsedNames>]) -> Vec<Vec<u8>> {
    let mut edges = Packer::default();
    let mut counts = vec![0; uses.len()];
    leads.iter().for_each(|edge| counts[edge.to as usize] += 1);
    edges.numbers(counts.into_iter());
    leads.chunk_by(|a, b| a.to == b.to).for_each(|to| edges.rising(to.iter().map(|edge| edge.from)));
    edges.numbers(leads.iter().map(|edge| weight_as_number(edge.weight as u32)));
    let mut users: Vec<(u32, u32)> = Vec::new();
    for (names, file) in uses.iter().zip(0..) {
        users.extend(names.iter().flat_map(|names| &names.0).map(|&hash| (hash, file)));
    }
    users.sort_unstable();
    let names = users.chunk_by(|a, b| a.0 == b.0);
    let bits = bits_for(names.clone().count());
    let mut names = names.peekable();
    let mut parts = vec![edges.bytes];
    for part in 0..1u32 << bits {
        let mut of_part: Vec<&[(u32, u32)]> = Vec::new();
        while let Some(name) = names.next_if(|name| name[0].0 >> (32 - bits) == part) {
            of_part.push(name);
        }
        let mut out = BitPacker::default();
        let hashes: Vec<u32> = of_part.iter().map(|name| name[0].0 & (u32::MAX >> bits)).collect();
        out.count(hashes.len() as u32 + 1);
        out.rising(&hashes, 0, 1 << (32 - bits));
        for name in of_part {
            let files: Vec<u32> = name.iter().map(|&(_, file)| file).collect();
            out.count(files.len() as u32);
            out.rising(&files, 0, uses.len() as u32);
        }
        parts.push(out.finish());
    }
    parts
}

/// The commonest weights, those of one name, as the smallest numbers.
fn weight_as_number(weight: u32) -> u32 {
    let shares = WHOLE / weight.max(1);
    if shares * weight == WHOLE && shares as usize <= MANY { shares } else { MANY as u32 + weight }
}

fn weight_of_number(number: u32) -> Option<u32> {
    match number {
        0 => None,
        shares if shares as usize <= MANY => Some(WHOLE / shares),
        larger => Some(larger - MANY as u32),
    }
}

/// Reads the first part of [`pack_leads`], for so many files.
fn unpack_edges(bytes: &[u8], files: usize) -> Option<Vec<Edge>> {
    let mut from = Unpacker::new(bytes);
    let counts = from.numbers(files)?;
    // An edge takes two bytes at least.
    let all: u64 = counts.iter().map(|&count| u64::from(count)).sum();
    (all <= bytes.len() as u64 / 2).then_some(())?;
    // With room for those that come.
    let mut edges: Vec<Edge> = Vec::with_capacity(all as usize + all as usize / 64 + 64);
    edges.resize(all as usize, Edge { from: 0, to: 0, weight: 0.0 });
    let mut rest = &mut edges[..];
    for (count, to) in counts.into_iter().zip(0..) {
        let (to_one, others) = std::mem::take(&mut rest).split_at_mut(count as usize);
        let mut next = 0u64;
        for edge in to_one {
            next += u64::from(from.number()?);
            (edge.from, edge.to) = (next as u32, to);
            next += 1;
        }
        (next <= files as u64).then_some(())?;
        rest = others;
    }
    for edge in &mut edges {
        edge.weight = weight_of_number(from.number()?)? as f32;
    }
    from.is_done().then_some(edges)
}

/// The names of one part of [`pack_leads`] among `wanted`, which are in order, and who uses each.
fn unpack_users(bytes: &[u8], part: u32, bits: u32, files: u32, wanted: &[u32]) -> Option<Vec<(u32, Vec<u32>)>> {
    let mut from = BitUnpacker::new(bytes);
    let count = from.count()? as usize - 1;
    // A name takes a bit at least, for who uses it.
    (count <= bytes.len() * 8).then_some(())?;
    let mut hashes = vec![0; count];
    from.rising(&mut hashes, 0, 1 << (32 - bits))?;
    let mut found = Vec::new();
    let mut users = Vec::new();
    for hash in hashes {
        let hash = part << (32 - bits) | hash;
        let count = from.count().filter(|&count| count <= files)?;
        users.clear();
        users.resize(count as usize, 0);
        from.rising(&mut users, 0, files)?;
        if wanted.binary_search(&hash).is_ok() {
            found.push((hash, users.clone()));
        }
    }
    from.is_done().then_some(found)
}

/// A file that is replaced, added or removed, as far as edges depend on it.
pub struct ChangedLeads {
    /// Its number in the tree as it was.
    pub old: Option<u32>,
    /// Its number in the tree as it becomes.
    pub new: Option<u32>,
    /// The names it defined that uses lead to, as [`hashed`]; none unless it was code.
    pub defined: Vec<u32>,
    /// Those it defines now.
    pub defines: Vec<u32>,
    /// The names it uses now.
    pub uses: UsedNames,
}

/// Edges on their way from one tree to another in which some files were replaced: they come out as if they were taken
/// together anew.
pub struct LeadUpdate {
    changed: Vec<ChangedLeads>,
    /// Names that other files define now, in order, and who did before.
    moved: Vec<(u32, Definers)>,
    /// High bits of a hash that tell its part.
    bits: u32,
    needs: Vec<u32>,
    /// The edges as they were, and who uses each of the names that moved.
    edges: Vec<Edge>,
    users: Vec<(u32, Vec<u32>)>,
}

impl LeadUpdate {
    /// Finds out what is needed. There are so many `parts` of [`pack_leads`]; `definers` gives those of a name before.
    pub fn begin(changed: Vec<ChangedLeads>, parts: u32, definers: impl Fn(u32) -> Definers) -> Option<Self> {
        let bits = parts.checked_sub(1).filter(|names| names.is_power_of_two() && *names > 1)?.ilog2();
        let only_in = |a: &[u32], b: &[u32]| -> Vec<u32> {
            a.iter().copied().filter(|hash| b.binary_search(hash).is_err()).collect()
        };
        let differences =
            |c: &ChangedLeads| [only_in(&c.defined, &c.defines), only_in(&c.defines, &c.defined)].concat();
        let mut moved: Vec<u32> = changed.iter().flat_map(differences).collect();
        moved.sort_unstable();
        moved.dedup();
        let mut needs: Vec<u32> = moved.iter().map(|hash| 1 + (hash >> (32 - bits))).collect();
        needs.dedup();
        needs.insert(0, 0);
        let moved = moved.into_iter().map(|hash| (hash, definers(hash))).collect();
        Some(Self { changed, moved, bits, needs, edges: Vec::new(), users: Vec::new() })
    }

    /// The numbers of the parts that [`LeadUpdate::take`] is to be given, in order.
    pub fn needs(&self) -> &[u32] {
        &self.needs
    }

    /// Takes what is needed, of a tree of so many files. `None` if it is something else.
    pub fn take(&mut self, parts: Vec<Vec<u8>>, files: usize) -> Option<()> {
        let needs = std::mem::take(&mut self.needs);
        (parts.len() == needs.len()).then_some(())?;
        let wanted: Vec<u32> = self.moved.iter().map(|&(hash, _)| hash).collect();
        for (part, bytes) in needs.into_iter().zip(&parts) {
            match part.checked_sub(1) {
                None => self.edges = unpack_edges(bytes, files)?,
                Some(part) => self.users.extend(unpack_users(bytes, part, self.bits, files as u32, &wanted)?),
            }
        }
        Some(())
    }

    /// The edges, and whether they are other ones than before. `kept` gives the number of each file that was there, [`GONE`]
    /// for those changed, `definers` those of a name now. `None` if what was taken does not fit.
    pub fn finish(self, kept: &[u32], definers: impl Fn(u32) -> Definers) -> Option<(Vec<Edge>, bool)> {
        let Self { changed, moved, mut edges, users, .. } = self;
        // What is replaced stays where it is: it is the same file.
        let mut now = kept.to_vec();
        for (old, new) in changed.iter().filter_map(|file| file.old.map(|old| (old, file.new.unwrap_or(GONE)))) {
            *now.get_mut(old as usize)? = new;
        }
        let mut differences: BTreeMap<(u32, u32), i64> = BTreeMap::new();
        let mut add = |to: u32, from: u32, weight: i64| {
            if to != GONE && from != GONE {
                *differences.entry((to, from)).or_default() += weight;
            }
        };
        for edge in edges.iter().filter(|edge| kept[edge.from as usize] == GONE) {
            add(now[edge.to as usize], now[edge.from as usize], -(edge.weight as i64));
        }
        for (hash, users) in users {
            let before = &moved[moved.binary_search_by_key(&hash, |&(hash, _)| hash).expect("it was wanted")].1;
            let after = definers(hash);
            for user in users {
                let from = kept[user as usize];
                led_to(user, before, |to, weight| add(now[to as usize], from, -i64::from(weight)));
                led_to(from, &after, |to, weight| add(to, from, i64::from(weight)));
            }
        }
        for file in &changed {
            let Some(from) = file.new else { continue };
            for definers in file.uses.0.iter().map(|&hash| definers(hash)) {
                led_to(from, &definers, |to, weight| add(to, from, i64::from(weight)));
            }
        }
        let mut are_others = false;
        if now.iter().zip(0..).any(|(&now, old)| now != old) {
            let count = edges.len();
            edges.retain_mut(|edge| {
                (edge.from, edge.to) = (now[edge.from as usize], now[edge.to as usize]);
                edge.from != GONE && edge.to != GONE
            });
            are_others = edges.len() != count;
        }
        differences.retain(|_, by| *by != 0);
        are_others |= !differences.is_empty();
        change(&mut edges, differences)?;
        Some((edges, are_others))
    }
}

/// Changes weights by these differences, of which each is of a target and a start. `None` if less is left of one than nothing,
/// which is only so if what was read is damaged.
fn change(edges: &mut Vec<Edge>, differences: BTreeMap<(u32, u32), i64>) -> Option<()> {
    let mut new = Vec::new();
    let mut is_one_gone = false;
    for ((to, from), by) in differences {
        match edges.binary_search_by_key(&(to, from), |edge| (edge.to, edge.from)) {
            Ok(at) => {
                let weight = edges[at].weight as i64 + by;
                (weight >= 0).then_some(())?;
                edges[at].weight = weight as f32;
                is_one_gone |= weight == 0;
            }
            Err(at) => {
                (by > 0).then_some(())?;
                new.push((at, Edge { from, to, weight: by as f32 }));
            }
        }
    }
    // From the end on, so that each is moved once.
    let (mut end, mut write) = (edges.len(), edges.len() + new.len());
    edges.resize(write, Edge { from: 0, to: 0, weight: 0.0 });
    for (at, edge) in new.into_iter().rev() {
        edges.copy_within(at..end, write - (end - at));
        write -= end - at + 1;
        edges[write] = edge;
        end = at;
    }
    if is_one_gone {
        edges.retain(|edge| edge.weight > 0.0);
    }
    Some(())
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

    #[test]
    fn edges_and_users_come_back() {
        let names = [vec![1, 5, u32::MAX], vec![], vec![0, 5], vec![5]].map(UsedNames);
        let uses: Vec<_> = names.iter().map(Some).collect();
        // 5 is defined by the second file and the third, which means its own.
        let edges = leads(&uses, [(0, 1), (5, 1), (5, 2), (u32::MAX, 3)].into_iter());
        let edge = |from, to, weight: u32| Edge { from, to, weight: weight as f32 };
        let expected = [(0, 1, 420), (2, 1, 840), (3, 1, 420), (0, 2, 420), (3, 2, 420), (0, 3, 840)];
        assert_eq!(edges, expected.map(|(from, to, weight)| edge(from, to, weight)));
        let parts = pack_leads(&edges, &uses);
        assert_eq!(unpack_edges(&parts[0], 4), Some(edges));
        assert_eq!(unpack_edges(&parts[0], 3), None);
        assert_eq!(unpack_edges(&parts[0][..parts[0].len() - 1], 4), None);
        let users = |part: u32, wanted: &[u32]| unpack_users(&parts[part as usize + 1], part, 1, 4, wanted);
        assert_eq!(users(0, &[0, 5, 6]), Some(vec![(0, vec![2]), (5, vec![0, 2, 3])]));
        assert_eq!(users(1, &[u32::MAX]), Some(vec![(u32::MAX, vec![0])]));
        assert_eq!(parts.len(), 3);
    }

    #[test]
    fn a_name_that_many_define_leads_nowhere() {
        assert_eq!(definers([1, 1, 2].into_iter())[..], [1, 2]);
        assert_eq!(definers(0..8).len(), 8);
        assert!(definers(0..9).is_empty());
    }

    #[test]
    fn edges_change() {
        let edge = |from, to, weight: u32| Edge { from, to, weight: weight as f32 };
        let mut edges = vec![edge(1, 0, 5), edge(3, 0, 5), edge(0, 2, 7)];
        let differences = [((0, 0), 1), ((0, 2), 2), ((0, 3), -5), ((2, 0), 1), ((3, 0), 4)];
        assert_eq!(change(&mut edges, differences.into_iter().collect()), Some(()));
        assert_eq!(edges, [edge(0, 0, 1), edge(1, 0, 5), edge(2, 0, 2), edge(0, 2, 8), edge(0, 3, 4)]);
        assert_eq!(change(&mut edges.clone(), [((0, 1), -6)].into_iter().collect()), None);
        assert_eq!(change(&mut edges, [((9, 9), -1)].into_iter().collect()), None);
    }

    #[test]
    fn weights_come_back() {
        for weight in 1..3 * WHOLE {
            assert_eq!(weight_of_number(weight_as_number(weight)), Some(weight));
        }
        assert_eq!((1..=8).map(|n| weight_as_number(WHOLE / n)).collect::<Vec<_>>(), (1..=8).collect::<Vec<_>>());
        assert_eq!(weight_of_number(0), None);
    }
}
