//! What is found in each sample, against a golden text. `UPDATE_GOLDEN=1` writes it anew.

#![allow(clippy::disallowed_methods, reason = "reads files: it is no part of the engine")]

mod common;

use seekwell_core::grammar::{Grammar, Structure};
use seekwell_core::parse::Parsers;
use seekwell_core::pattern::Patterns;
use seekwell_core::symbols::{Call, Extracted, extract};
use seekwell_languages::LANGUAGES;
use seekwell_types::ByteSpan;
use std::cmp::Reverse;
use std::fmt::Write;
use std::path::{Path, PathBuf};

#[test]
fn samples() {
    let update = std::env::var_os("UPDATE_GOLDEN").is_some();
    let mut parsers = Parsers::new();
    let mut different = Vec::new();
    for fixture in common::fixtures() {
        let parsed = parsers.parse(fixture.grammar, &fixture.text).expect("samples are small");
        let found = print(&extract(&parsed.tree, &fixture.text, parsed.patterns), &fixture.text);
        let golden = fixture.path.with_extension("symbols");
        if update {
            std::fs::write(&golden, &found).expect("the folder can be written");
        } else if std::fs::read_to_string(&golden).unwrap_or_default() != found {
            different.push(format!("{}:\n{found}", golden.display()));
        }
    }
    assert!(different.is_empty(), "UPDATE_GOLDEN=1 accepts:\n{}", different.join("\n"));
}

#[test]
fn queries_are_understood() {
    let faults: Vec<String> = LANGUAGES
        .0
        .iter()
        .filter_map(|language| {
            let Structure::Grammar(grammar) = &language.structure else { return None };
            let fault = Patterns::of(grammar, &(grammar.language)()).err()?;
            Some(format!("{}: {fault}", language.id))
        })
        .collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// A line for each symbol, then one for the calls of each symbol.
fn print(found: &Extracted, text: &str) -> String {
    let mut out = String::new();
    for symbol in &found.symbols {
        let mut depth = 0;
        let mut parent = symbol.parent;
        while let Some(at) = parent {
            depth += 1;
            parent = found.symbols[at as usize].parent;
        }
        let lines = (line(text, symbol.extent.start), line(text, symbol.extent.end - 1));
        let _ = write!(out, "{:indent$}{} {}", "", symbol.kind.word(), &text[symbol.name.range()], indent = depth * 2);
        let _ = write!(out, " [{}-{}] {}", lines.0, lines.1, first_line(text, symbol.signature));
        if !symbol.doc.is_empty() {
            let _ = write!(out, " ## {}", first_line(text, symbol.doc));
        }
        out.push('\n');
    }
    out.push_str("---\n");
    for (at, symbol) in std::iter::once((None, "(file)"))
        .chain(found.symbols.iter().enumerate().map(|(at, s)| (Some(at as u32), &text[s.name.range()])))
    {
        let calls: Vec<String> =
            found.calls.iter().filter(|call| call.within == at).map(|call| used(call, text)).collect();
        if !calls.is_empty() {
            let _ = writeln!(out, "{symbol}: {}", calls.join(", "));
        }
        let bindings: Vec<String> = found
            .bindings
            .iter()
            .filter(|binding| binding.within == at)
            .map(|binding| format!("{}: {}", &text[binding.name.range()], binding.of))
            .collect();
        if !bindings.is_empty() {
            let _ = writeln!(out, "{symbol} knows {}", bindings.join(", "));
        }
    }
    out
}

/// A use of a name: its kind, what it is on, the name, what it is called here.
fn used(call: &Call, text: &str) -> String {
    let mut used = format!("{:?} {}", call.kind, &text[call.name.range()]);
    if !call.on.is_empty() {
        let _ = write!(used, " on {}", call.on);
    }
    if !call.alias.is_empty() {
        let _ = write!(used, " as {}", &text[call.alias.range()]);
    }
    used
}

fn line(text: &str, at: u32) -> usize {
    text[..at as usize].matches('\n').count() + 1
}

fn first_line(text: &str, span: ByteSpan) -> &str {
    text[span.range()].trim().lines().next().unwrap_or_default()
}

#[test]
fn spans_nest() {
    let mut parsers = Parsers::new();
    for fixture in common::fixtures() {
        check(&mut parsers, fixture.grammar, &fixture.text, &fixture.path);
    }
    // Any folder, for whoever changes a query: `CORPUS=~/src cargo test -p seekwell-languages spans_nest`.
    if let Some(corpus) = std::env::var_os("CORPUS") {
        let mut folders = vec![PathBuf::from(corpus)];
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
                let path = entry.path();
                if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                    folders.push(path);
                } else if let Ok(text) = std::fs::read_to_string(&path)
                    && let Some(language) = LANGUAGES.of_text(&path.to_string_lossy(), &text)
                    && let Structure::Grammar(grammar) = &language.structure
                {
                    check(&mut parsers, grammar, &text, &path);
                }
            }
        }
    }
}

/// Everything that the rest of the engine relies on.
fn check(parsers: &mut Parsers, grammar: &'static Grammar, text: &str, path: &Path) {
    let Ok(parsed) = parsers.parse(grammar, text) else { return };
    let found = extract(&parsed.tree, text, parsed.patterns);
    // By symbol, and last for the file: where its last child ends.
    let mut ends = vec![0; found.symbols.len() + 1];
    for (at, symbol) in found.symbols.iter().enumerate() {
        let what = || format!("{}: {:?} {}", path.display(), symbol, &text[symbol.name.range()]);
        for span in [symbol.span, symbol.extent, symbol.doc, symbol.signature, symbol.name] {
            assert!(text.get(span.range()).is_some(), "{}: {symbol:?}", path.display());
        }
        assert!(!symbol.name.is_empty(), "{}", what());
        assert!(symbol.span.contains(symbol.name), "{}", what());
        assert!(symbol.extent.contains(symbol.span), "{}", what());
        assert!(symbol.span.contains(symbol.signature), "{}", what());
        assert!(symbol.extent.contains(symbol.doc), "{}", what());
        if let Some(parent) = symbol.parent {
            assert!((parent as usize) < at, "{}", what());
            assert!(found.symbols[parent as usize].span.contains(symbol.extent), "{}", what());
        }
        let end = &mut ends[symbol.parent.map_or(found.symbols.len(), |parent| parent as usize)];
        assert!(*end <= symbol.extent.start, "{}", what());
        *end = symbol.extent.end;
    }
    assert!(found.symbols.is_sorted_by_key(|s| (s.span.start, Reverse(s.span.end))), "{}", path.display());
    assert!(found.calls.is_sorted_by_key(|call| call.name), "{}", path.display());
}

#[test]
fn depth_costs_no_stack() {
    let mut parsers = Parsers::new();
    for fixture in common::fixtures() {
        for (open, close) in [("{", "}"), ("(", ")")] {
            let text = format!("{}{}{}{}", fixture.text, open.repeat(16_384), close.repeat(16_384), fixture.text);
            if let Ok(parsed) = parsers.parse(fixture.grammar, &text) {
                extract(&parsed.tree, &text, parsed.patterns);
            }
        }
    }
}
