//! What holds for the analysis of any file: of every language's sample, and of samples with damage done to them.

use std::cell::RefCell;
use std::path::{Path, PathBuf};

use proptest::prelude::*;
use proptest::test_runner::{Config, TestCaseResult};
use seekwell_core::analyse::Analyst;
use seekwell_core::analysis::Analysis;
use seekwell_core::decode::{Encoding, decode};
use seekwell_core::find::Finder;
use seekwell_core::generation::Builder;
use seekwell_core::symbols::SymbolKind;
use seekwell_core::table::Table;
use seekwell_languages::LANGUAGES;
use seekwell_models::StaticTable;
use seekwell_types::{Mode, Query};

const TABLE: &dyn Table = &StaticTable;

/// A file: its name, which decides its language, and its bytes.
type Sample = (String, Vec<u8>);

/// The samples of all languages, and texts that no grammar is for.
fn samples() -> Vec<Sample> {
    let top = Path::new(env!("CARGO_MANIFEST_DIR")).join("../engine/languages/tests/fixtures");
    let mut folders: Vec<PathBuf> =
        std::fs::read_dir(top).expect("fixtures").map(|e| e.expect("an entry").path()).collect();
    folders.sort();
    let mut samples: Vec<Sample> = Vec::new();
    for folder in folders {
        let mut files: Vec<PathBuf> =
            std::fs::read_dir(folder).expect("a folder").map(|e| e.expect("an entry").path()).collect();
        files.retain(|path| path.extension().is_some_and(|e| e != "symbols"));
        files.sort();
        samples.extend(files.into_iter().map(|path| {
            let name = path.file_name().expect("a name").to_string_lossy().into_owned();
            (name, std::fs::read(path).expect("a sample"))
        }));
    }
    assert!(samples.len() >= 30, "{}", samples.len());
    let mut add = |name: &str, text: &[u8]| samples.push((name.to_owned(), text.to_vec()));
    add(
        "a.md",
        b"---\ntitle: x\n---\n# One\n\ntext\n\n```rust\n# not a heading\n```\n\nTwo\n===\n\n## Three ##\n\ntext\n",
    );
    add("a.rst", b"One\n===\n\ntext\n\nTwo\n---\n\ntext\n");
    add("a.adoc", b"= One\n\n== Two\n\ntext\n");
    add("a.vue", b"<template>\n<p>x</p>\n</template>\n<script lang=\"ts\">\nfunction one() {}\n</script>\n<style>\n.a { b: c }\n</style>\n");
    add("a.txt", "Überschrift 😀\r\rtext\r\nmore\n".repeat(60).as_bytes());
    add("nothing", b"");
    samples
}

/// Damage: where, as a share of the file, how long, and what.
#[derive(Clone, Debug)]
enum Damage {
    Delete(f64, usize),
    Repeat(f64, usize),
    Insert(f64, &'static [u8]),
    Flip(f64, u8),
    /// The whole file in another encoding.
    Utf16(bool),
    LineEnds(&'static str),
}

const INSERTED: [&[u8]; 14] = [
    b"{",
    b"}",
    b"(",
    b"\"",
    b"/*",
    b"\n",
    b"\r",
    b"\r\n",
    b"\t",
    "😀".as_bytes(),
    "e\u{301}".as_bytes(),
    b"\xff",
    b"\xef\xbb\xbf",
    b"#",
];

fn damage() -> impl Strategy<Value = Damage> {
    let share = || 0.0..1.0;
    prop_oneof![
        4 => (share(), 1usize..200).prop_map(|(at, n)| Damage::Delete(at, n)),
        2 => (share(), 1usize..2_000).prop_map(|(at, n)| Damage::Repeat(at, n)),
        4 => (share(), 0..INSERTED.len()).prop_map(|(at, i)| Damage::Insert(at, INSERTED[i])),
        2 => (share(), any::<u8>()).prop_map(|(at, mask)| Damage::Flip(at, mask)),
        1 => any::<bool>().prop_map(Damage::Utf16),
        1 => prop_oneof![Just("\r"), Just("\r\n")].prop_map(Damage::LineEnds),
    ]
}

fn damaged(mut bytes: Vec<u8>, damages: &[Damage]) -> Vec<u8> {
    for damage in damages {
        let place = |at: f64, bytes: &[u8]| (bytes.len() as f64 * at) as usize;
        match *damage {
            Damage::Delete(at, n) => {
                let at = place(at, &bytes);
                bytes.drain(at..(at + n).min(bytes.len()));
            }
            Damage::Repeat(at, n) => {
                let at = place(at, &bytes);
                let part = bytes[at..(at + n).min(bytes.len())].to_vec();
                bytes.splice(at..at, part);
            }
            Damage::Insert(at, text) => {
                let at = place(at, &bytes);
                bytes.splice(at..at, text.iter().copied());
            }
            Damage::Flip(at, mask) => {
                let at = place(at, &bytes);
                bytes.iter_mut().skip(at).take(1).for_each(|byte| *byte ^= mask);
            }
            Damage::Utf16(big) => {
                let text = format!("\u{FEFF}{}", String::from_utf8_lossy(&bytes));
                bytes = text.encode_utf16().flat_map(|u| if big { u.to_be_bytes() } else { u.to_le_bytes() }).collect();
            }
            Damage::LineEnds(end) => {
                bytes = bytes.split(|b| *b == b'\n').collect::<Vec<_>>().join(end.as_bytes());
            }
        }
    }
    bytes
}

/// Units of the file: bytes, or pairs of bytes in UTF-16. Lines are counted over them, as people count.
fn units(bytes: &[u8]) -> (usize, usize, Vec<u16>) {
    match bytes {
        [0xff, 0xfe, rest @ ..] => (2, 2, rest.chunks_exact(2).map(|p| u16::from_le_bytes([p[0], p[1]])).collect()),
        [0xfe, 0xff, rest @ ..] => (2, 2, rest.chunks_exact(2).map(|p| u16::from_be_bytes([p[0], p[1]])).collect()),
        [0xef, 0xbb, 0xbf, rest @ ..] => (3, 1, rest.iter().map(|&b| u16::from(b)).collect()),
        _ => (0, 1, bytes.iter().map(|&b| u16::from(b)).collect()),
    }
}

/// The checks of one analysis. `Ok` for a binary file, which has none.
fn check(analyst: &mut Analyst<'_>, path: &str, bytes: &[u8]) -> TestCaseResult {
    let Ok(decoded) = decode(bytes) else {
        prop_assert!(analyst.analyse(path, bytes, None).is_err());
        return Ok(());
    };
    let (analysis, skeleton) = analyst.with_skeleton(path, bytes, None).expect("decode took it for text");
    let again = analyst.of_skeleton(path, bytes, &skeleton);
    prop_assert_eq!(again.as_ref(), Some(&analysis), "without parsing");
    let (mark, width, units) = units(bytes);
    let end = mark + width * units.len();
    let breaks: Vec<usize> =
        (0..units.len()).filter(|&i| units[i] == 10 || units[i] == 13 && units.get(i + 1) != Some(&10)).collect();
    let line = |offset: u32| 1 + breaks.partition_point(|&i| i < (offset as usize - mark) / width) as u32;
    let is_boundary = |offset: u32| match decoded.encoding {
        Encoding::Utf8 | Encoding::Utf8Bom if !decoded.lossy => decoded.text.is_char_boundary(offset as usize - mark),
        Encoding::Utf16Le | Encoding::Utf16Be => {
            let at = (offset as usize - mark) / width;
            let low = |u: u16| (0xdc00..0xe000).contains(&u);
            let high = |u: u16| (0xd800..0xdc00).contains(&u);
            (offset as usize - mark).is_multiple_of(2)
                && !(at > 0 && at < units.len() && low(units[at]) && high(units[at - 1]))
        }
        _ => true,
    };

    prop_assert_eq!(analysis.bytes as usize, bytes.len());
    let open_end = units.is_empty() || breaks.last() != Some(&(units.len() - 1));
    prop_assert_eq!(analysis.lines as usize, breaks.len() + usize::from(open_end));

    let mut at = mark as u32;
    for chunk in &analysis.chunks {
        let (start, stop) = chunk.span;
        prop_assert_eq!(start, at, "chunks follow each other");
        prop_assert!(start < stop, "no chunk is empty: {:?}", chunk.span);
        prop_assert!(is_boundary(start) && is_boundary(stop), "{:?}", chunk.span);
        prop_assert_eq!(chunk.lines, (line(start), line(stop - width as u32)), "{:?}", chunk.span);
        prop_assert!(
            chunk
                .symbol
                .into_iter()
                .chain(chunk.defines.iter().copied())
                .all(|s| (s as usize) < analysis.symbols.len())
        );
        at = stop;
    }
    prop_assert_eq!(at as usize, end, "chunks reach the end");

    for (number, symbol) in analysis.symbols.iter().enumerate() {
        let (start, stop) = symbol.extent;
        let name = symbol.name_span;
        prop_assert!(mark as u32 <= start && start <= name.0 && name.1 <= stop && stop as usize <= end, "{:?}", symbol);
        // A heading may be empty (`##`); nothing else is without a name.
        prop_assert!(name.0 < name.1 || name.0 == name.1 && symbol.kind == SymbolKind::Section, "{:?}", symbol);
        prop_assert!([start, stop, name.0, name.1].into_iter().all(is_boundary), "{:?}", symbol);
        prop_assert_eq!(symbol.lines, (line(start), line(stop - width as u32)), "{:?}", symbol);
        prop_assert_eq!(symbol.name_line, line(name.0));
        prop_assert!(symbol.parent.is_none_or(|p| (p as usize) < number));
        if name.0 == name.1 {
            continue;
        }
        // Each is defined by one chunk, the one that holds its name.
        let chunks: Vec<_> = analysis.chunks.iter().filter(|c| c.defines.contains(&(number as u32))).collect();
        prop_assert_eq!(chunks.len(), 1, "{:?}", symbol);
        prop_assert!(chunks[0].span.0 <= name.0 && name.0 < chunks[0].span.1);
    }
    for call in &analysis.calls {
        prop_assert!((mark..end).contains(&(call.start as usize)) && is_boundary(call.start), "{:?}", call);
    }
    prop_assert_eq!(Analysis::from_bytes(&analysis.to_bytes()), Some(analysis));
    Ok(())
}

#[test]
fn samples_as_they_are() {
    let mut analyst = Analyst::new(LANGUAGES, Some(TABLE));
    for (name, bytes) in samples() {
        for ends in ["\n", "\r\n", "\r"] {
            for bom in ["", "\u{FEFF}"] {
                let text = String::from_utf8(bytes.clone()).expect("samples are UTF-8").replace('\n', ends);
                let text = format!("{bom}{text}");
                check(&mut analyst, &name, text.as_bytes()).unwrap_or_else(|e| panic!("{name} {ends:?} {bom:?}: {e}"));
            }
        }
    }
}

/// Cases of each property; all together take a few seconds. `PROPTEST_CASES` asks for more, for a night.
fn config(cases: u32) -> Config {
    let asked = std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok());
    let cases = asked.unwrap_or(cases);
    Config { cases, failure_persistence: None, max_shrink_iters: 2_000, ..Config::default() }
}

#[test]
fn samples_with_damage() {
    let samples = samples();
    let analyst = RefCell::new(Analyst::new(LANGUAGES, Some(TABLE)));
    let mut runner = proptest::test_runner::TestRunner::new(config(3_000));
    let input = (0..samples.len(), prop::collection::vec(damage(), 1..8));
    let result = runner.run(&input, |(number, damages)| {
        let (name, bytes) = &samples[number];
        check(&mut analyst.borrow_mut(), name, &damaged(bytes.clone(), &damages))
    });
    result.unwrap_or_else(|e| panic!("{e}"));
}

#[test]
fn any_bytes_in_any_language() {
    let samples = samples();
    let analyst = RefCell::new(Analyst::new(LANGUAGES, Some(TABLE)));
    let mut runner = proptest::test_runner::TestRunner::new(config(1_000));
    let bytes = prop_oneof![
        prop::collection::vec(any::<u8>(), 0..600),
        prop::collection::vec(
            prop_oneof![Just(b'\n'), Just(b'\r'), Just(b' '), Just(b'{'), Just(b'a'), Just(0xc3)],
            0..3_000
        ),
        ".{0,400}".prop_map(String::into_bytes),
    ];
    let result = runner.run(&(0..samples.len(), bytes), |(number, bytes)| {
        check(&mut analyst.borrow_mut(), &samples[number].0, &bytes)
    });
    result.unwrap_or_else(|e| panic!("{e}"));
}

/// What was analysed before does not show.
#[test]
fn an_analyst_forgets() {
    let samples = samples();
    let mut used = Analyst::new(LANGUAGES, Some(TABLE));
    let first: Vec<Analysis> =
        samples.iter().map(|(name, bytes)| used.analyse(name, bytes, None).expect("text")).collect();
    for ((name, bytes), before) in samples.iter().zip(&first).rev() {
        assert_eq!(&used.analyse(name, bytes, None).expect("text"), before, "{name}");
        assert_eq!(&Analyst::new(LANGUAGES, Some(TABLE)).analyse(name, bytes, None).expect("text"), before, "{name}");
    }
}

/// What a store may do to a blob.
#[derive(Clone, Debug)]
enum Loss {
    Cut(f64),
    Flip(f64, u8),
    Fill(f64, usize, u8),
}

fn loss() -> impl Strategy<Value = Loss> {
    prop_oneof![
        (0.0..1.0).prop_map(Loss::Cut),
        (0.0..1.0, 0u8..8).prop_map(|(at, bit)| Loss::Flip(at, 1 << bit)),
        (0.0..1.0, 1usize..8, any::<u8>()).prop_map(|(at, n, byte)| Loss::Fill(at, n, byte)),
    ]
}

fn lost(mut blob: Vec<u8>, losses: &[Loss]) -> Vec<u8> {
    for loss in losses {
        let place = |at: f64| (blob.len() as f64 * at) as usize;
        match *loss {
            Loss::Cut(at) => blob.truncate(place(at)),
            Loss::Flip(at, mask) => {
                let at = place(at);
                blob.iter_mut().skip(at).take(1).for_each(|byte| *byte ^= mask);
            }
            Loss::Fill(at, n, byte) => {
                let at = place(at);
                blob.iter_mut().skip(at).take(n).for_each(|b| *b = byte);
            }
        }
    }
    blob
}

/// A tree of this analysis alone can be committed and asked.
fn commit_and_ask(analysis: Analysis) {
    let mut builder = Builder::new(LANGUAGES, Some(TABLE)).expect("a builder");
    builder.add("a/file.rs", analysis).expect("added");
    let generation = builder.commit().expect("committed");
    let finder = Finder::new(&generation, LANGUAGES, Some(TABLE));
    for (text, mode) in
        [("store", Mode::Hybrid), ("keeps things of the cache", Mode::Hybrid), ("Store::get", Mode::Keyword)]
    {
        let query = Query { text: text.to_owned(), mode, limit: 10, explain: true, ..Query::default() };
        finder.find(&query, &[]).expect("an answer");
    }
}

/// A blob that was cut short is no blob.
#[test]
fn blobs_cut_short_are_refused() {
    let mut analyst = Analyst::new(LANGUAGES, Some(TABLE));
    let (name, bytes) = &samples()[0];
    let blob = analyst.analyse(name, bytes, None).expect("text").to_bytes();
    for length in 0..blob.len() {
        assert_eq!(Analysis::from_bytes(&blob[..length]), None, "{length} of {}", blob.len());
    }
    assert!(Analysis::from_bytes(&blob).is_some());
}

#[test]
fn damaged_blobs_are_refused_or_can_be_used() {
    let mut analyst = Analyst::new(LANGUAGES, Some(TABLE));
    let blobs: Vec<Vec<u8>> =
        samples().iter().map(|(name, bytes)| analyst.analyse(name, bytes, None).expect("text").to_bytes()).collect();
    let counts = RefCell::new((0, 0));
    let mut runner = proptest::test_runner::TestRunner::new(config(1_500));
    let result = runner.run(&(0..blobs.len(), prop::collection::vec(loss(), 1..4)), |(number, losses)| {
        let blob = lost(blobs[number].clone(), &losses);
        match Analysis::from_bytes(&blob) {
            None => counts.borrow_mut().0 += 1,
            Some(analysis) => {
                counts.borrow_mut().1 += 1;
                commit_and_ask(analysis);
            }
        }
        Ok(())
    });
    result.unwrap_or_else(|e| panic!("{e}"));
    let (refused, used) = counts.into_inner();
    assert!(refused > 100 && used > 100, "both happen: {refused} refused, {used} used");
}

/// A skeleton that a disk has damaged is refused, or an analysis can be made of it.
#[test]
fn damaged_skeletons_are_refused_or_can_be_used() {
    let samples = samples();
    let analyst = RefCell::new(Analyst::new(LANGUAGES, Some(TABLE)));
    let skeleton = |(name, bytes): &Sample| analyst.borrow_mut().with_skeleton(name, bytes, None).expect("text").1;
    let skeletons: Vec<Vec<u8>> = samples.iter().map(skeleton).collect();
    let counts = RefCell::new((0, 0));
    let mut runner = proptest::test_runner::TestRunner::new(config(1_500));
    let result = runner.run(&(0..skeletons.len(), prop::collection::vec(loss(), 1..4)), |(number, losses)| {
        let (name, bytes) = &samples[number];
        let skeleton = lost(skeletons[number].clone(), &losses);
        match analyst.borrow_mut().of_skeleton(name, bytes, &skeleton) {
            None => counts.borrow_mut().0 += 1,
            Some(analysis) => {
                counts.borrow_mut().1 += 1;
                prop_assert!(Analysis::from_bytes(&analysis.to_bytes()).is_some(), "it is sound");
                commit_and_ask(analysis);
            }
        }
        Ok(())
    });
    result.unwrap_or_else(|e| panic!("{e}"));
    let (refused, used) = counts.into_inner();
    assert!(refused > 100 && used > 100, "both happen: {refused} refused, {used} used");
}

/// What files use leads to those that define it, whatever their order; a name that a file defines itself leads nowhere.
#[test]
fn files_that_others_build_on_are_important() {
    let files = [
        ("a.rs", "fn run() { connect(); helper(); }\nfn helper() {}\n"),
        ("b.rs", "fn go() { connect(); }\n"),
        ("c.rs", "fn helper() {}\nfn alone() { helper(); }\n"),
        ("d.rs", "pub fn connect() {}\n"),
        ("e.md", "# connect\n\nIt connects.\n"),
    ];
    let mut analyst = Analyst::new(LANGUAGES, None);
    let mut builder = Builder::new(LANGUAGES, None).expect("a builder");
    for (path, text) in files {
        builder.add(path, analyst.analyse(path, text.as_bytes(), None).expect("text")).expect("an analysis");
    }
    let generation = builder.commit().expect("a generation");
    let importance: Vec<f32> = generation.files.iter().map(|file| file.standing.importance).collect();
    let unused = importance[0];
    assert_eq!(importance, [unused, unused, unused, 1.0, 0.0]);
    assert!(unused < 1.0);
}
