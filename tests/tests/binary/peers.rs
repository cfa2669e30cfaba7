//! ripgrep as the judge: which lines hold a text, which files match an expression.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use seekwell_core::scan::{Needle, Scanner};
use serde_json::Value;

use super::support::{Tree, has, hits, pass_over};

/// A copy of this crate's own texts: the original may change while it is read.
fn tree() -> Tree {
    let tree = Tree::new(&[]);
    let top = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut folders = vec![top.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("a folder").flatten() {
            let path = entry.path();
            let name = path.extension().and_then(|e| e.to_str());
            if path.is_dir() && path.file_name().is_some_and(|n| n != "target" && n != "node_modules") {
                folders.push(path);
            } else if matches!(name, Some("rs" | "md" | "toml")) {
                let below = path.strip_prefix(top).expect("below").to_string_lossy().into_owned();
                tree.write(&below, std::fs::read(&path).expect("a file"));
            }
        }
    }
    tree.write("odd/crlf.txt", "first needle\r\nsecond\r\nthird needle\r\n");
    tree.write("odd/utf8.txt", "straße needle\nÜBER\nnaïve 😀 needle");
    tree.write("odd/long.txt", format!("{} needle {}\nneedle\n", "x ".repeat(30_000), "y ".repeat(30_000)));
    tree
}

const LITERALS: [&str; 24] = [
    "needle",
    "fn ",
    "assert_eq!",
    "Tree::new",
    "\"",
    "\\",
    "(",
    "[",
    "{",
    "|",
    "*",
    "$",
    ".",
    "a|b",
    "foo(",
    "C++",
    "--flag",
    "//!",
    "😀",
    "straße",
    "    let ",
    "&[",
    "zzz-not-there-zzz",
    "e",
];

const EXPRESSIONS: [&str; 16] = [
    r"fn \w+_\w+\(",
    r"needle",
    r"^use ",
    r"[0-9]{4,}",
    r"foo\(",
    r"a\|b|C\+\+",
    r"\bTree\b",
    r"(?i)ÜBER",
    r"\p{Lu}\p{Ll}+::new",
    r"^$",
    r"..+",
    r"^[^a-z\n]*$",
    r"x{3,5}y",
    r"(?:fn|let) [a-z]+",
    r"naïve .",
    r"zzz-not-there",
];

/// `path:line` of every matching line, by ripgrep.
fn ripgrep(tree: &Tree, arguments: &[&str]) -> BTreeSet<String> {
    let mut command = Command::new("rg");
    command.args(["--no-config", "--no-ignore", "--hidden", "--no-heading", "--no-messages", "--color=never"]);
    let output = command.args(arguments).arg("./").current_dir(tree.path()).output().expect("rg starts");
    assert!(output.status.code().is_some_and(|c| c < 2), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).lines().map(|line| line.trim_start_matches("./").to_owned()).collect()
}

/// The files of an answer, copies included.
fn files(answer: &Value) -> BTreeSet<String> {
    let text = |value: &Value| value.as_str().expect("a path").to_owned();
    hits(answer)
        .iter()
        .flat_map(|hit| {
            std::iter::once(text(&hit["path"])).chain(hit["also_in"].as_array().expect("a list").iter().map(text))
        })
        .collect()
}

#[test]
fn the_exact_mode_finds_the_files_and_the_places_that_ripgrep_finds() {
    if !has("rg") {
        return pass_over("the_exact_mode_finds_the_files_and_the_places_that_ripgrep_finds", "no rg");
    }
    let tree = tree();
    for literal in LITERALS {
        let expected = ripgrep(&tree, &["-l", "-F", "-e", literal]);
        let answer = tree.ask(literal, &["-F", "--no-ignore", "--hidden", "-n", "100000"]);
        assert_eq!(files(&answer), expected, "{literal:?}");
        // The place that is shown holds a matching line.
        let lines = ripgrep(&tree, &["-n", "-F", "-e", literal]);
        for hit in hits(&answer) {
            let (first, last) =
                (hit["start_line"].as_u64().expect("a line"), hit["end_line"].as_u64().expect("a line"));
            let start = |line: u64| format!("{}:{line}:", hit["path"].as_str().expect("a path"));
            assert!(
                (first..=last)
                    .any(|line| lines.range(start(line)..).next().is_some_and(|l| l.starts_with(&start(line)))),
                "{literal:?} {hit}"
            );
        }
    }
}

#[test]
fn expressions_match_the_files_that_ripgrep_matches() {
    if !has("rg") {
        return pass_over("expressions_match_the_files_that_ripgrep_matches", "no rg");
    }
    let tree = tree();
    for expression in EXPRESSIONS {
        let expected = ripgrep(&tree, &["-l", "-e", expression]);
        let answer = tree.json(&["--json", "--no-ignore", "--hidden", "-n", "100000", "-e", expression]);
        assert_eq!(files(&answer), expected, "{expression:?}");
    }
}

#[test]
fn expressions_end_with_the_line() {
    let tree = Tree::new(&[("two.txt", "alpha\nbeta\n"), ("one.txt", "alpha beta\n")]);
    assert_eq!(files(&tree.json(&["--json", "-e", r"alpha\sbeta"])), BTreeSet::from(["one.txt".to_owned()]));
}

/// By the engine's scanner, since the command line shows one place a file: every line, not only every file.
#[test]
fn the_scanner_finds_the_lines_that_ripgrep_finds() {
    if !has("rg") {
        return pass_over("the_scanner_finds_the_lines_that_ripgrep_finds", "no rg");
    }
    let tree = tree();
    let listed = tree.json(&["--files", "--json", "--no-ignore", "--hidden"]);
    let paths: Vec<&str> =
        listed["files"].as_array().expect("files").iter().map(|p| p.as_str().expect("a path")).collect();
    let needle = |pattern: &str, regex| Needle { pattern: pattern.to_owned(), regex, ignore_case: false };
    let literals = LITERALS.iter().map(|l| (needle(l, false), vec!["-n", "-F", "-e", l]));
    let expressions = EXPRESSIONS.iter().map(|e| (needle(e, true), vec!["-n", "-e", e]));
    for (needle, arguments) in literals.chain(expressions) {
        let scanner = Scanner::new(&needle).expect("a needle");
        let mut found = BTreeSet::new();
        for path in &paths {
            let bytes = std::fs::read(tree.path().join(path)).expect("a file");
            for span in scanner.scan(&bytes).expect("text") {
                let line = 1 + bytes[..span.start as usize].iter().filter(|b| **b == b'\n').count();
                found.insert(format!("{path}:{line}"));
            }
        }
        let place = |line: &String| line.splitn(3, ':').take(2).collect::<Vec<_>>().join(":");
        let expected: BTreeSet<String> = ripgrep(&tree, &arguments).iter().map(place).collect();
        assert_eq!(found, expected, "{needle:?}");
    }
}
