//! Every language with a grammar: its sample is found by a symbol of its, by the component in the binary.

use std::path::{Path, PathBuf};

use seekwell_core::grammar::Structure;
use seekwell_languages::LANGUAGES;
use serde_json::Value;

use super::support::{Tree, hits};

/// A line of a golden list: kind and name, which may hold blanks, and its lines.
fn symbol(line: &str) -> Option<(&str, &str, u64, u64)> {
    let line = line.trim_start();
    let (kind, rest) = line.split_once(' ')?;
    let (name, rest) = rest.split_once(" [")?;
    let (lines, _) = rest.split_once(']')?;
    let (first, last) = lines.split_once('-')?;
    Some((kind, name, first.parse().ok()?, last.parse().ok()?))
}

/// The sample of a language and the golden list of its symbols.
fn sample(id: &str) -> (PathBuf, Vec<String>) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../engine/languages/tests/fixtures").join(id);
    let entries = std::fs::read_dir(&folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    let mut files: Vec<PathBuf> = entries.map(|e| e.expect("an entry").path()).collect();
    files.sort();
    let is_golden = |path: &&PathBuf| path.extension().is_some_and(|e| e == "symbols");
    let is_sample = |path: &&PathBuf| path.file_stem().is_some_and(|s| s.eq_ignore_ascii_case("sample"));
    let golden = files.iter().filter(is_golden).find(is_sample).unwrap_or_else(|| panic!("{id}: no golden list"));
    let sample =
        files.iter().filter(is_sample).find(|path| !is_golden(path)).unwrap_or_else(|| panic!("{id}: no sample"));
    let text = std::fs::read_to_string(golden).expect("a golden list");
    (sample.clone(), text.lines().take_while(|l| *l != "---").map(str::to_owned).collect())
}

/// The first function or class; where there is none (data, style sheets), the first symbol of any kind.
fn wanted(golden: &[String]) -> Option<(&str, &str, u64, u64)> {
    let all = || golden.iter().filter_map(|line| symbol(line));
    let main = ["function", "class", "method", "interface"];
    all().find(|s| main.contains(&s.0)).or_else(|| all().next())
}

/// A symbol of this name, in any case, since `package store` is one for `Store`, too.
#[test]
fn each_is_found_by_a_symbol_of_its_own() {
    find_each(&|_, symbol, _, name, _| symbol.to_lowercase().ends_with(&name.to_lowercase()));
}

#[test]
fn each_is_shown_where_it_is_defined() {
    find_each(&|hit, symbol, kind, name, (first, last)| {
        let number = |key: &str| hit[key].as_u64().unwrap_or(0);
        let around = number("start_line") <= first && first <= number("end_line") && last >= number("start_line");
        hit["kind"] == kind && symbol.ends_with(name) && around
    });
}

/// Whether a hit is right: the hit, its symbol, and what the golden list has of the symbol asked for.
type Judge = dyn Fn(&Value, &str, &str, &str, (u64, u64)) -> bool;

fn find_each(judge: &Judge) {
    let grammars: Vec<&str> =
        LANGUAGES.0.iter().filter(|l| matches!(l.structure, Structure::Grammar(_))).map(|l| l.id).collect();
    assert!(grammars.len() >= 30, "{}: were all grammars compiled in?", grammars.len());
    // All samples in one tree: a language must be found among the others.
    let tree = Tree::new(&[]);
    for id in &grammars {
        let (sample, _) = sample(id);
        let name = sample.file_name().expect("a name").to_string_lossy().into_owned();
        tree.write(&format!("{id}/{name}"), std::fs::read(&sample).expect("a sample"));
    }
    let status = tree.json(&["status", "--json"]);
    let counted: Vec<&str> = status["languages"]
        .as_array()
        .expect("rows")
        .iter()
        .map(|row| row["language"].as_str().expect("an id"))
        .collect();
    let mut expected = grammars.clone();
    expected.sort_unstable();
    assert_eq!(counted, expected, "every sample is recognised");
    assert_eq!(status["degraded"], Value::Array(Vec::new()), "and parsed");

    let mut wrong = Vec::new();
    for id in grammars {
        let (_, golden) = sample(id);
        let (kind, name, first, last) = wanted(&golden).unwrap_or_else(|| panic!("{id}: no symbol"));
        let answer = tree.ask(name, &["-n", "50", "-t", id]);
        let Some(hit) = hits(&answer).first() else {
            wrong.push(format!("{id}: `{name}` is not found"));
            continue;
        };
        let number = |key: &str| hit[key].as_u64().unwrap_or(0);
        let symbol = hit["symbol"].as_str().unwrap_or_default();
        if hit["language"] != id || hit["kind"] == "text" || !judge(hit, symbol, kind, name, (first, last)) {
            wrong.push(format!(
                "{id}: {kind} `{name}` {first}-{last}, but {} {} `{symbol}` {}-{}",
                hit["language"],
                hit["kind"],
                number("start_line"),
                number("end_line")
            ));
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

/// `-t` takes every id, and `--type-list` lists it.
#[test]
fn each_can_be_asked_for() {
    let tree = Tree::new(&[("a.py", "x = 1\n")]);
    let list = tree.run(&["--type-list"]).stdout;
    for language in LANGUAGES.0 {
        assert!(list.lines().any(|line| line.starts_with(language.id)), "{}", language.id);
    }
    let all: Vec<&str> = LANGUAGES.0.iter().flat_map(|l| [l.id].into_iter().chain(l.aliases.iter().copied())).collect();
    assert_eq!(tree.run(&["x", "-t", &all.join(",")]).code, 0);
}
