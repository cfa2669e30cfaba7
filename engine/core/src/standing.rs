//! What a file is by what it holds, and among the files of its tree: a test, bare declarations, a header, a copy of other
//! files, part of the main package.
//!
//! Paths say much of this (see [`crate::place`]); here is what they cannot say.

use std::collections::{HashMap, HashSet};

use rustc_hash::FxBuildHasher;
use seekwell_types::Content;
use serde::{Deserialize, Serialize};

use crate::analysis::Analysis;
use crate::kinds::SymbolKind;
use crate::place::{self, Prior, Priors};
use crate::platform;
use crate::words::parts;

/// A file among the others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Standing {
    /// A C header that another file with its name implements.
    pub header: bool,
    /// Share of its bytes that stand in other, smaller files too, if it is put together of several.
    pub copied: f32,
    /// Bytes of code of its package over those of the largest one; 0 if there are no packages.
    pub package: f32,
    /// Share of the tree's files of code that it stands above by what leads to it (see [`crate::importance`]).
    pub importance: f32,
    /// Folders that it lies in below the shallowest file of code, at most [`DEEPEST`].
    pub depth: u8,
    /// For a platform that few questions mean (see [`crate::platform`]).
    pub platform: bool,
}

/// A file, as far as its standing depends on it.
pub struct Member<'a> {
    /// Path relative to the root.
    pub path: &'a str,
    /// What it is for.
    pub content: Content,
    /// Its priors by path and content.
    pub priors: Priors,
    /// Its chunks: the first one, and one past the last.
    pub chunks: (u32, u32),
    /// Bytes of them.
    pub bytes: u32,
}

/// Adds the priors that a file's own symbols show.
pub fn of_symbols(analysis: &Analysis, content: Content, priors: &mut Priors) {
    let name = |s: &crate::analysis::SymbolRecord| analysis.strings.get(s.name);
    let tests = |s: &crate::analysis::SymbolRecord| match s.kind {
        SymbolKind::Test => true,
        kind if kind.is_type() => is_test_name(name(s), true),
        kind => kind.is_callable() && is_test_name(name(s), false),
    };
    if priors.has(Prior::PerhapsTest) && analysis.symbols.iter().any(tests) {
        priors.add(Prior::Test);
    }
    // A prototype or an accessor is written on its line; two more make a body.
    let has_body = |s: &crate::analysis::SymbolRecord| s.kind.is_callable() && s.lines.1 >= s.name_line + 2;
    if content == Content::Code && !analysis.symbols.is_empty() && !analysis.symbols.iter().any(has_body) {
        priors.add(Prior::Bodiless);
    }
}

/// Whether a name is a test's: `test_get`, `testEmpty`; of types also `GetTests`.
pub fn is_test_name(name: &str, is_type: bool) -> bool {
    // Most names hold neither word, and are asked about once a chunk.
    if !name.as_bytes().windows(3).any(|part| matches!(part, b"est" | b"EST" | b"pec" | b"PEC")) {
        return false;
    }
    let mut words: Vec<String> = Vec::new();
    parts(name, |part| words.push(part.to_lowercase()));
    let is_test = |w: &String| matches!(w.as_str(), "test" | "tests" | "spec");
    words.first().is_some_and(is_test) || (is_type && words.last().is_some_and(is_test))
}

/// Chunks shorter than this are alike in unrelated files: braces, imports, licences' last lines.
const SHORTEST_COPY: u32 = 80;
/// A file is put together of others from this share of its bytes on.
const PUT_TOGETHER: f32 = 0.3;

/// The standing of each file but for its importance. `chunk` gives the hash and the length of a chunk.
pub fn of_tree(members: &[Member<'_>], chunk: impl Fn(u32) -> (u64, u32)) -> Vec<Standing> {
    let mut standings = vec![Standing::default(); members.len()];
    headers(members, &mut standings);
    copies(members, chunk, &mut standings);
    packages(members, &mut standings);
    depths(members, &mut standings);
    platforms(members, &mut standings);
    standings
}

fn platforms(members: &[Member<'_>], standings: &mut [Standing]) {
    let paths: Vec<&str> = members.iter().map(|m| m.path).collect();
    standings.iter_mut().zip(platform::of_tree(&paths)).for_each(|(standing, for_one)| standing.platform = for_one);
}

/// Folders below this one are not told apart.
pub const DEEPEST: u8 = 6;

/// What a tree is about lies in its upper folders. Counted from the first that holds code: how deep a language's customs or a
/// monorepo begin says nothing.
fn depths(members: &[Member<'_>], standings: &mut [Standing]) {
    let folders = |m: &Member<'_>| place::folders(m.path).count();
    let top = members.iter().filter(|m| m.content == Content::Code).map(folders).min().unwrap_or(0);
    for (member, standing) in members.iter().zip(standings) {
        standing.depth = folders(member).saturating_sub(top).min(usize::from(DEEPEST)) as u8;
    }
}

/// In C++ the header is what a reader looks for; in C it repeats the signatures of the file beside it.
fn headers(members: &[Member<'_>], standings: &mut [Standing]) {
    let is = |m: &Member<'_>, ending: &str| m.path.ends_with(ending);
    let mut implemented: Vec<&str> = members.iter().filter(|m| is(m, ".c")).map(|m| place::stem(m.path)).collect();
    implemented.sort_unstable();
    for (member, standing) in members.iter().zip(standings) {
        standing.header = is(member, ".h") && implemented.binary_search(&place::stem(member.path)).is_ok();
    }
}

fn copies(members: &[Member<'_>], chunk: impl Fn(u32) -> (u64, u32), standings: &mut [Standing]) {
    let of = |member: &Member<'_>| (member.chunks.0..member.chunks.1).map(&chunk);
    let mut origins = Origins::default();
    (0..).zip(members).for_each(|(number, member)| origins.add(number, of(member), members));
    for ((number, member), standing) in (0..).zip(members).zip(standings) {
        standing.copied = origins.copied(number, of(member), members);
    }
}

/// By hash: the smallest file with a chunk, which is where it comes from; ties go to the first.
#[derive(Default)]
struct Origins(HashMap<u64, u32, FxBuildHasher>);

impl Origins {
    /// Adds the next file with some of its chunks.
    fn add(&mut self, number: u32, chunks: impl Iterator<Item = (u64, u32)>, members: &[Member<'_>]) {
        let size = |number: u32| members[number as usize].bytes;
        for (hash, _) in chunks.filter(|&(_, bytes)| bytes >= SHORTEST_COPY) {
            let first = self.0.entry(hash).or_insert(number);
            if size(number) < size(*first) {
                *first = number;
            }
        }
    }

    /// The share of a file that stands in smaller ones, if it is put together of several; all that hold one of its chunks
    /// were added.
    fn copied(&self, number: u32, chunks: impl Iterator<Item = (u64, u32)>, members: &[Member<'_>]) -> f32 {
        let size = |number: u32| members[number as usize].bytes;
        let (mut copied, mut from, mut several) = (0, None, false);
        for (hash, bytes) in chunks {
            let Some(&first) = self.0.get(&hash).filter(|&&first| size(first) < size(number)) else { continue };
            copied += bytes;
            several |= from.is_some_and(|other| other != first);
            from = Some(first);
        }
        let share = copied as f32 / size(number).max(1) as f32;
        if several && share >= PUT_TOGETHER { share } else { 0.0 }
    }
}

/// A file as it was, that is replaced or removed.
pub struct Gone {
    /// Its path.
    pub path: String,
    /// What it was for.
    pub content: Content,
    /// Its standing.
    pub standing: Standing,
    /// Bytes of its chunks.
    pub bytes: u32,
    /// Hash and length of each.
    pub chunks: Vec<(u64, u32)>,
}

/// The standing of each file after some were replaced, removed or added; it comes out as from [`of_tree`], but for the
/// importance, which stays what it was. `fresh` are the numbers of the files that came, `gone` those that were, both in order.
/// `standings` are those before, or anything for what is fresh. `chunk` gives the hash and the length of a chunk, `file` the
/// file it is of; `holders` are all that have a hash of a chunk that came or went, with it, in order.
pub fn of_updated(
    members: &[Member<'_>],
    chunk: impl Fn(u32) -> (u64, u32),
    file: impl Fn(u32) -> u32,
    fresh: &[u32],
    gone: &[Gone],
    holders: &[(u64, u32)],
    standings: &mut [Standing],
) {
    let mut added_or_removed: Vec<&str> = gone.iter().map(|file| file.path.as_str()).collect();
    let mut is_other = false;
    for &number in fresh {
        let member = &members[number as usize];
        let before = gone.binary_search_by(|file| file.path.as_str().cmp(member.path)).ok().map(|at| &gone[at]);
        standings[number as usize] =
            before.map_or_else(Standing::default, |before| Standing { copied: 0.0, ..before.standing });
        is_other |= before.is_none_or(|before| before.content != member.content);
        match before {
            Some(_) => added_or_removed.retain(|path| *path != member.path),
            None => added_or_removed.push(member.path),
        }
    }
    packages(members, standings);
    if is_other || !added_or_removed.is_empty() {
        headers(members, standings);
        depths(members, standings);
    }
    if added_or_removed.into_iter().any(platform::names_one) {
        platforms(members, standings);
    }
    update_copies(members, chunk, file, fresh, gone, holders, standings);
}

fn update_copies(
    members: &[Member<'_>],
    chunk: impl Fn(u32) -> (u64, u32),
    file: impl Fn(u32) -> u32,
    fresh: &[u32],
    gone: &[Gone],
    holders: &[(u64, u32)],
    standings: &mut [Standing],
) {
    // Where a text comes from now, and where it came from. What holds it is another copy only if these differ.
    let mut before: Vec<(u64, u32, &str)> = Vec::new();
    for file in gone {
        let long = file.chunks.iter().filter(|&&(_, bytes)| bytes >= SHORTEST_COPY);
        before.extend(long.map(|&(hash, _)| (hash, file.bytes, file.path.as_str())));
    }
    before.sort_unstable();
    let is_fresh = |number: u32| fresh.binary_search(&number).is_ok();
    let mut origins = Origins::default();
    let mut affected: Vec<u32> = Vec::new();
    for same in holders.chunk_by(|a, b| a.0 == b.0) {
        let hash = same[0].0;
        let long = same.iter().filter(|&&(_, at)| chunk(at).1 >= SHORTEST_COPY).map(|&(_, at)| file(at));
        // Files are in the order of their paths.
        let now = long.clone().min_by_key(|&number| (members[number as usize].bytes, number));
        let of_file = |number: u32| (members[number as usize].bytes, members[number as usize].path);
        let first = before.partition_point(|&(of, ..)| of < hash);
        let were = before[first..].iter().take_while(|&&(of, ..)| of == hash).map(|&(_, bytes, path)| (bytes, path));
        if now.map(of_file) != long.filter(|&number| !is_fresh(number)).map(of_file).chain(were).min() {
            affected.extend(same.iter().map(|&(_, at)| file(at)));
        }
        origins.0.extend(now.map(|number| (hash, number)));
    }
    affected.retain(|&number| !is_fresh(number));
    let of = |number: u32| (members[number as usize].chunks.0..members[number as usize].chunks.1).map(&chunk);
    if !affected.is_empty() {
        // Where the other chunks of these come from.
        let wanted: HashSet<u64, FxBuildHasher> =
            affected.iter().flat_map(|&number| of(number)).map(|(hash, _)| hash).collect();
        for number in 0..members.len() as u32 {
            origins.add(number, of(number).filter(|(hash, _)| wanted.contains(hash)), members);
        }
    }
    for number in affected.into_iter().chain(fresh.iter().copied()) {
        standings[number as usize].copied = origins.copied(number, of(number), members);
    }
}

/// Files that make a folder a package.
const MANIFESTS: [&str; 13] = [
    "Cargo.toml",
    "package.json",
    "pyproject.toml",
    "setup.py",
    "go.mod",
    "pom.xml",
    "build.gradle",
    "build.gradle.kts",
    "mix.exs",
    "composer.json",
    "Package.swift",
    "build.sbt",
    "pubspec.yaml",
];
/// Endings of such files that are named as the package is.
const MANIFEST_ENDINGS: [&str; 4] = [".csproj", ".cabal", ".gemspec", ".fsproj"];

fn packages<'m>(members: &[Member<'m>], standings: &mut [Standing]) {
    let folder = |path: &str| path.len() - place::file_name(path).len();
    let is_manifest =
        |name: &str| MANIFESTS.contains(&name) || MANIFEST_ENDINGS.iter().any(|ending| name.ends_with(ending));
    let mut packages: Vec<&str> =
        members.iter().filter(|m| is_manifest(place::file_name(m.path))).map(|m| &m.path[..folder(m.path)]).collect();
    packages.sort_unstable();
    packages.dedup();
    if packages.len() < 2 {
        standings.iter_mut().for_each(|standing| standing.package = 0.0);
        return;
    }
    // The innermost package around a folder: try it, and then those it lies in.
    let around = |path: &str| {
        let mut end = path.len();
        loop {
            if let Ok(at) = packages.binary_search(&&path[..end]) {
                return Some(at);
            }
            if end == 0 {
                return None;
            }
            end = path[..end - 1].rfind('/').map_or(0, |at| at + 1);
        }
    };
    // Most files lie in the folder of the one before.
    let mut last = ("", around(""));
    let of = |member: &Member<'m>| {
        let own = &member.path[..folder(member.path)];
        if own != last.0 {
            last = (own, around(own));
        }
        last.1
    };
    let aside = [Prior::Test, Prior::Example, Prior::Bench, Prior::Generated, Prior::Vendored, Prior::DocsFolder];
    let counts = |m: &Member<'_>| m.content == Content::Code && !aside.iter().any(|&p| m.priors.has(p));
    let owners: Vec<Option<usize>> = members.iter().map(of).collect();
    let mut bytes = vec![0u64; packages.len()];
    for (member, owner) in members.iter().zip(&owners) {
        if let Some(at) = owner.filter(|_| counts(member)) {
            bytes[at] += u64::from(member.bytes);
        }
    }
    let largest = bytes.iter().copied().max().unwrap_or(0).max(1) as f32;
    for ((member, owner), standing) in members.iter().zip(owners).zip(standings) {
        let of_package = owner.filter(|_| member.content == Content::Code);
        standing.package = of_package.map_or(0.0, |at| bytes[at] as f32 / largest);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    /// A file whose chunks have this many bytes each.
    fn sized(path: &str, chunks: (u32, u32), bytes: u32) -> Member<'_> {
        let content = if path.ends_with(".toml") { Content::Config } else { Content::Code };
        let bytes = (chunks.1 - chunks.0) * bytes;
        Member { path, content, priors: place::priors(path, content), chunks, bytes }
    }

    fn member(path: &str, chunks: (u32, u32)) -> Member<'_> {
        sized(path, chunks, 0)
    }

    #[test]
    fn headers_with_an_implementation() {
        let members = ["a.h", "b/a.c", "include/b.h"].map(|path| member(path, (0, 0)));
        let standings = of_tree(&members, |_| (0, 0));
        assert_eq!(standings.iter().map(|s| s.header).collect::<Vec<_>>(), [true, false, false]);
    }

    #[test]
    fn a_file_put_together_of_others() {
        // all.c holds the chunks of a.c and b.c, and one of its own; twin.c is a plain copy of a.c.
        let member = |path, chunks| sized(path, chunks, 100);
        let members = [member("a.c", (0, 1)), member("all.c", (1, 4)), member("b.c", (4, 5)), member("twin.c", (5, 6))];
        let hashes = [1, 1, 2, 9, 2, 1];
        let standings = of_tree(&members, |c| (hashes[c as usize], 100));
        assert!((standings[1].copied - 2.0 / 3.0).abs() < 1e-6);
        assert!([0, 2, 3].iter().all(|&i| standings[i].copied == 0.0));
    }

    #[test]
    fn the_largest_package_is_the_main_one() {
        let member = |path, chunks| sized(path, chunks, 10);
        let members = [
            member("big/Cargo.toml", (0, 0)),
            member("big/src/lib.c", (0, 4)),
            member("small/Cargo.toml", (4, 4)),
            member("small/src/lib.c", (4, 5)),
            member("small/tests/huge.c", (5, 50)),
        ];
        let standings = of_tree(&members, |c| (u64::from(c), 10));
        let package: Vec<f32> = standings.iter().map(|s| s.package).collect();
        assert_eq!(package, [0.0, 1.0, 0.0, 0.25, 0.25]);
    }

    #[test]
    fn depth_is_counted_from_the_first_code() {
        let members = ["README.toml", "src/a.c", "src/b/c.c", "1/2/3/4/5/6/7/8/d.c"].map(|path| member(path, (0, 0)));
        let standings = of_tree(&members, |_| (0, 0));
        assert_eq!(standings.iter().map(|s| s.depth).collect::<Vec<_>>(), [0, 0, 1, DEEPEST]);
    }

    /// Numbers that look random, the same each time.
    fn random() -> impl FnMut(u32) -> u32 {
        let mut state = 1u32;
        move |below| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 16) % below
        }
    }

    /// Hash and length of each of some chunks; a hash tells the length.
    type Chunks = Vec<(u64, u32)>;

    fn bytes(chunks: &[(u64, u32)]) -> u32 {
        chunks.iter().map(|&(_, bytes)| bytes).sum()
    }

    fn members<'a>(tree: &'a BTreeMap<&'static str, Chunks>) -> Vec<Member<'a>> {
        let mut end = 0;
        let mut member = |(path, chunks): (&&'static str, &'a Chunks)| {
            end += chunks.len() as u32;
            Member { bytes: bytes(chunks), ..sized(path, (end - chunks.len() as u32, end), 0) }
        };
        tree.iter().map(&mut member).collect()
    }

    #[test]
    fn an_updated_tree_stands_as_a_new_one() {
        let paths = ["a/Cargo.toml", "a/unix/x.c", "a/win/x.c", "a/y.c", "b/Cargo.toml", "b/b/x.c", "b/x.h", "b/z.c"];
        let mut random = random();
        let mut were = [0; 3];
        for _ in 0..800 {
            let mut tree = |sparse: u32| -> BTreeMap<&'static str, Chunks> {
                let mut file = |_| {
                    let count = random(5);
                    let hashes: Vec<u32> = (0..count).map(|_| random(9)).collect();
                    hashes.into_iter().map(|hash| (u64::from(hash), 60 + 20 * hash)).collect()
                };
                let all: Vec<_> = paths.iter().map(|path| (*path, file(path))).collect();
                all.into_iter().filter(|_| random(4) >= sparse).collect()
            };
            // The second tree holds what becomes of some files of the first.
            let (before, changes) = (tree(1), tree(3));
            let mut after = before.clone();
            let removed = if random(2) == 0 { before.keys().next_back().copied() } else { None };
            for (&path, chunks) in changes.iter().filter(|(path, _)| Some(**path) != removed) {
                after.insert(path, chunks.clone());
            }
            removed.map(|path| after.remove(path));
            let is_changed = |path: &str| changes.contains_key(path) || removed == Some(path);

            let of = |tree: &BTreeMap<&'static str, Chunks>| {
                let chunks: Chunks = tree.values().flatten().copied().collect();
                of_tree(&members(tree), |at| chunks[at as usize])
            };
            let old = of(&before);
            let gone: Vec<Gone> = (before.iter().zip(&old).zip(members(&before)))
                .filter(|((file, _), _)| is_changed(file.0))
                .map(|(((path, chunks), &standing), member)| {
                    let (content, path) = (member.content, (*path).to_owned());
                    Gone { path, content, standing, bytes: bytes(chunks), chunks: chunks.clone() }
                })
                .collect();
            let mut kept = before.keys().zip(&old).filter(|(path, _)| !is_changed(path)).map(|(_, &standing)| standing);
            let (mut fresh, mut standings) = (Vec::new(), Vec::new());
            for (path, number) in after.keys().zip(0..) {
                if is_changed(path) {
                    fresh.push(number);
                    standings.push(Standing { copied: 0.5, depth: 9, ..Standing::default() });
                } else {
                    standings.extend(kept.next());
                }
            }
            let now = members(&after);
            let chunks: Chunks = after.values().flatten().copied().collect();
            let file = |at: u32| now.iter().position(|m| (m.chunks.0..m.chunks.1).contains(&at)).expect("one") as u32;
            let mut wanted: Vec<u64> = gone.iter().flat_map(|file| &file.chunks).map(|&(hash, _)| hash).collect();
            wanted.extend((0..chunks.len()).filter(|&at| fresh.contains(&file(at as u32))).map(|at| chunks[at].0));
            let mut holders: Vec<(u64, u32)> = chunks.iter().map(|&(hash, _)| hash).zip(0..).collect();
            holders.retain(|(hash, _)| wanted.contains(hash));
            holders.sort_unstable();
            of_updated(&now, |at| chunks[at as usize], file, &fresh, &gone, &holders, &mut standings);
            assert_eq!(standings, of(&after), "{before:?} -> {after:?}");
            were[0] += standings.iter().filter(|standing| standing.copied > 0.0).count();
            were[1] += standings.iter().filter(|standing| standing.platform).count();
            were[2] += usize::from(before.len() != after.len());
        }
        assert!(were.iter().all(|&times| times > 100), "{were:?}");
    }

    #[test]
    fn names_of_tests() {
        assert!(["test_get", "TestClient", "testEmpty"].into_iter().all(|n| is_test_name(n, false)));
        assert!(["bats_test_begin", "contest", "attest", "run"].into_iter().all(|n| !is_test_name(n, true)));
        assert!(is_test_name("GetTests", true) && !is_test_name("retry_test", false));
    }
}
