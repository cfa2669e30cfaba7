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
    let sizes = sizes(members, &chunk);
    headers(members, &mut standings);
    copies(members, &sizes, chunk, &mut standings);
    packages(members, &sizes, &mut standings);
    depths(members, &mut standings);
    let paths: Vec<&str> = members.iter().map(|m| m.path).collect();
    standings.iter_mut().zip(platform::of_tree(&paths)).for_each(|(standing, for_one)| standing.platform = for_one);
    standings
}

fn sizes(members: &[Member<'_>], chunk: &impl Fn(u32) -> (u64, u32)) -> Vec<u64> {
    let size = |m: &Member<'_>| (m.chunks.0..m.chunks.1).map(|c| u64::from(chunk(c).1)).sum();
    members.iter().map(size).collect()
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

fn copies(members: &[Member<'_>], sizes: &[u64], chunk: impl Fn(u32) -> (u64, u32), standings: &mut [Standing]) {
    let of = |number: usize| (members[number].chunks.0..members[number].chunks.1).map(&chunk);
    let mut origins = Origins::default();
    (0..members.len()).for_each(|number| origins.add(number, of(number), sizes));
    for (number, standing) in standings.iter_mut().enumerate() {
        standing.copied = origins.copied(number, of(number), sizes);
    }
}

/// By hash: the smallest file with a chunk, which is where it comes from; ties go to the first.
#[derive(Default)]
struct Origins(HashMap<u64, u32, FxBuildHasher>);

impl Origins {
    /// Adds the next file with some of its chunks.
    fn add(&mut self, number: usize, chunks: impl Iterator<Item = (u64, u32)>, sizes: &[u64]) {
        for (hash, _) in chunks.filter(|&(_, bytes)| bytes >= SHORTEST_COPY) {
            let first = self.0.entry(hash).or_insert(number as u32);
            if sizes[number] < sizes[*first as usize] {
                *first = number as u32;
            }
        }
    }

    /// The share of a file that stands in smaller ones, if it is put together of several; all that hold one of its chunks
    /// were added.
    fn copied(&self, number: usize, chunks: impl Iterator<Item = (u64, u32)>, sizes: &[u64]) -> f32 {
        let (mut copied, mut from, mut several) = (0, None, false);
        for (hash, bytes) in chunks {
            let Some(&first) = self.0.get(&hash).filter(|&&first| sizes[first as usize] < sizes[number]) else {
                continue;
            };
            copied += u64::from(bytes);
            several |= from.is_some_and(|other| other != first);
            from = Some(first);
        }
        let share = copied as f32 / sizes[number].max(1) as f32;
        if several && share >= PUT_TOGETHER { share } else { 0.0 }
    }
}

/// The standing of each file, but for its importance, after some were replaced: `standings` are those before, or anything for
/// the files that were, `replaced` their numbers and `hashes` those of the chunks that they had. All paths are what they were,
/// and what is code is code still. It comes out as from [`of_tree`].
pub fn of_updated(
    members: &[Member<'_>],
    chunk: impl Fn(u32) -> (u64, u32),
    replaced: &[(u32, Standing)],
    hashes: impl Iterator<Item = u64>,
    standings: &mut [Standing],
) {
    // A copy is other than before where a file holds a chunk that a replaced one holds or held.
    let of = |number: usize| (members[number].chunks.0..members[number].chunks.1).map(&chunk);
    let hashes_of = |number: usize| of(number).map(|(hash, _)| hash);
    let mut wanted = Hashes::default();
    hashes.chain(replaced.iter().flat_map(|&(number, _)| hashes_of(number as usize))).for_each(|hash| wanted.add(hash));
    let mut holders: Vec<usize> = Vec::new();
    let size_of = |number: usize| {
        let mut size = 0;
        for (hash, bytes) in of(number) {
            size += u64::from(bytes);
            if wanted.has(hash) && holders.last() != Some(&number) {
                holders.push(number);
            }
        }
        size
    };
    let sizes: Vec<u64> = (0..members.len()).map(size_of).collect();
    for &(number, before) in replaced {
        standings[number as usize] = Standing { copied: 0.0, ..before };
    }
    packages(members, &sizes, standings);
    // All that is known of their hashes so far is who holds some.
    let is_replaced = |number: usize| replaced.binary_search_by_key(&(number as u32), |&(at, _)| at).is_ok();
    let among: Vec<usize> = if holders.iter().all(|&number| is_replaced(number)) {
        holders.clone()
    } else {
        holders.iter().flat_map(|&number| hashes_of(number)).for_each(|hash| wanted.add(hash));
        (0..members.len()).filter(|&number| hashes_of(number).any(|hash| wanted.has(hash))).collect()
    };
    let mut origins = Origins::default();
    among.into_iter().for_each(|number| origins.add(number, of(number).filter(|&(hash, _)| wanted.has(hash)), &sizes));
    holders.into_iter().for_each(|number| standings[number].copied = origins.copied(number, of(number), &sizes));
}

/// Some hashes. Most that are asked for are not among them, which a bit tells.
#[derive(Default)]
struct Hashes {
    all: HashSet<u64, FxBuildHasher>,
    bits: Vec<u64>,
}

impl Hashes {
    /// Bits, as a power of two.
    const BITS: u32 = 16;

    fn add(&mut self, hash: u64) {
        self.bits.resize(1 << (Self::BITS - 6), 0);
        self.bits[Self::word(hash)] |= 1 << (hash % 64);
        self.all.insert(hash);
    }

    fn has(&self, hash: u64) -> bool {
        self.bits.get(Self::word(hash)).is_some_and(|word| word >> (hash % 64) & 1 == 1) && self.all.contains(&hash)
    }

    const fn word(hash: u64) -> usize {
        (hash >> 6) as usize % (1 << (Self::BITS - 6))
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

fn packages<'m>(members: &[Member<'m>], sizes: &[u64], standings: &mut [Standing]) {
    let folder = |path: &str| path.len() - place::file_name(path).len();
    let is_manifest =
        |name: &str| MANIFESTS.contains(&name) || MANIFEST_ENDINGS.iter().any(|ending| name.ends_with(ending));
    let mut packages: Vec<&str> =
        members.iter().filter(|m| is_manifest(place::file_name(m.path))).map(|m| &m.path[..folder(m.path)]).collect();
    packages.sort_unstable();
    packages.dedup();
    if packages.len() < 2 {
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
    for ((member, owner), size) in members.iter().zip(&owners).zip(sizes) {
        if let Some(at) = owner.filter(|_| counts(member)) {
            bytes[at] += size;
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
    use super::*;

    fn member(path: &str, chunks: (u32, u32)) -> Member<'_> {
        let content = if path.ends_with(".toml") { Content::Config } else { Content::Code };
        Member { path, content, priors: place::priors(path, content), chunks }
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
        let members = [member("a.c", (0, 1)), member("all.c", (1, 4)), member("b.c", (4, 5)), member("twin.c", (5, 6))];
        let hashes = [1, 1, 2, 9, 2, 1];
        let standings = of_tree(&members, |c| (hashes[c as usize], 100));
        assert!((standings[1].copied - 2.0 / 3.0).abs() < 1e-6);
        assert!([0, 2, 3].iter().all(|&i| standings[i].copied == 0.0));
    }

    #[test]
    fn the_largest_package_is_the_main_one() {
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

    #[test]
    fn an_updated_tree_stands_as_a_new_one() {
        let paths = ["a/Cargo.toml", "a/x.c", "a/y.c", "b/Cargo.toml", "b/x.c", "b/x.h", "b/z.c"];
        let mut random = random();
        let mut were_copied = 0;
        for _ in 0..500 {
            // Hashes and lengths of each file's chunks; a hash tells the length.
            let mut file = || -> Vec<(u64, u32)> {
                let count = random(5);
                let hashes = (0..count).map(|_| random(9));
                hashes.map(|hash| (u64::from(hash), 60 + 20 * hash)).collect()
            };
            let mut tree: Vec<Vec<(u64, u32)>> = paths.iter().map(|_| file()).collect();
            let (one, other) = (file(), file());
            let standings_of = |tree: &[Vec<(u64, u32)>], update: Option<(&[(u32, Standing)], &[u64], Vec<Standing>)>| {
                let mut end = 0;
                let mut range = |chunks: &Vec<_>| {
                    end += chunks.len() as u32;
                    (end - chunks.len() as u32, end)
                };
                let members: Vec<_> = paths.iter().zip(tree).map(|(path, chunks)| member(path, range(chunks))).collect();
                let chunks = tree.concat();
                let chunk = |at: u32| chunks[at as usize];
                match update {
                    None => of_tree(&members, chunk),
                    Some((replaced, hashes, mut standings)) => {
                        of_updated(&members, chunk, replaced, hashes.iter().copied(), &mut standings);
                        standings
                    }
                }
            };
            let mut standings = standings_of(&tree, None);
            let (mut replaced, mut hashes) = (Vec::new(), Vec::new());
            for (at, new) in [(1, one), (4, other)] {
                replaced.push((at as u32, std::mem::take(&mut standings[at])));
                hashes.extend(std::mem::replace(&mut tree[at], new).into_iter().map(|(hash, _)| hash));
            }
            let anew = standings_of(&tree, None);
            were_copied += anew.iter().filter(|standing| standing.copied > 0.0).count();
            assert_eq!(standings_of(&tree, Some((&replaced, &hashes, standings))), anew);
        }
        assert!(were_copied > 100, "{were_copied}");
    }

    #[test]
    fn names_of_tests() {
        assert!(["test_get", "TestClient", "testEmpty"].into_iter().all(|n| is_test_name(n, false)));
        assert!(["bats_test_begin", "contest", "attest", "run"].into_iter().all(|n| !is_test_name(n, true)));
        assert!(is_test_name("GetTests", true) && !is_test_name("retry_test", false));
    }
}
