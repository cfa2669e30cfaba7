//! Parses every file under the given folders that has a grammar and says how long parsing and extracting take.
//!
//! `cargo run --release -p seekwell-languages --example measure -- FOLDER…`

#![allow(clippy::disallowed_methods, clippy::disallowed_types, reason = "reads files: it is no part of the engine")]

use seekwell_core::grammar::Structure;
use seekwell_core::parse::Parsers;
use seekwell_core::symbols::extract;
use seekwell_languages::LANGUAGES;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

#[derive(Default)]
struct Total {
    files: usize,
    bytes: usize,
    broken: usize,
    given_up: usize,
    symbols: usize,
    calls: usize,
    parse: Duration,
    extract: Duration,
}

fn main() {
    let mut paths = Vec::new();
    for folder in std::env::args().skip(1) {
        collect(Path::new(&folder), &mut paths);
    }
    paths.sort();
    let mut parsers = Parsers::new();
    let mut totals: BTreeMap<&str, Total> = BTreeMap::new();
    let start = Instant::now();
    for language in LANGUAGES.0 {
        if let Structure::Grammar(grammar) = &language.structure {
            drop(parsers.parse(grammar, ""));
        }
    }
    println!("compiling the patterns of all languages: {:?}", start.elapsed());
    for path in paths {
        let Ok(text) = std::fs::read_to_string(&path) else { continue };
        let Some(language) = LANGUAGES.of_text(&path.to_string_lossy(), &text) else { continue };
        let Structure::Grammar(grammar) = &language.structure else { continue };
        let total = totals.entry(language.id).or_default();
        total.files += 1;
        total.bytes += text.len();
        let start = Instant::now();
        let Ok(parsed) = parsers.parse(grammar, &text) else {
            total.given_up += 1;
            continue;
        };
        total.parse += start.elapsed();
        total.broken += usize::from(parsed.tree.root_node().has_error());
        let start = Instant::now();
        let found = extract(&parsed.tree, &text, parsed.patterns);
        total.extract += start.elapsed();
        total.symbols += found.symbols.len();
        total.calls += found.calls.len();
    }
    for (id, t) in totals {
        println!(
            "{id:12} {:6} files {:6.2} MB, {} broken, {} given up, {} symbols, {} calls, parse {:?}, extract {:?}",
            t.files,
            t.bytes as f64 / 1e6,
            t.broken,
            t.given_up,
            t.symbols,
            t.calls,
            t.parse,
            t.extract
        );
    }
}

fn collect(path: &Path, into: &mut Vec<PathBuf>) {
    if path.is_dir() {
        for entry in std::fs::read_dir(path).into_iter().flatten().flatten() {
            collect(&entry.path(), into);
        }
    } else {
        into.push(path.to_owned());
    }
}
