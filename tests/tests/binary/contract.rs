//! The JSON forms to the letter: which keys, in which order, and how numbers are written.

use serde_json::Value;

use super::support::{Tree, hits};

fn tree() -> Tree {
    Tree::new(&[
        ("src/retry.rs", "/// Calls again after a failure.\npub fn with_retry() {\n    again()\n}\n"),
        ("src/main.py", "def main():\n    with_retry()\n"),
        ("docs/retry.md", "# Retry\n\nCall `with_retry` \"again\".\n"),
        ("copy/retry.rs", "/// Calls again after a failure.\npub fn with_retry() {\n    again()\n}\n"),
        ("latin.txt", ""),
        ("bin.dat", "\0\0"),
    ])
}

const ANSWER: [&str; 13] = [
    "schema",
    "command",
    "root",
    "query",
    "route",
    "index",
    "hits",
    "total",
    "truncated",
    "next",
    "weak",
    "not_found",
    "nearest",
];
const HIT: [&str; 13] = [
    "path",
    "start_line",
    "end_line",
    "start_byte",
    "end_byte",
    "language",
    "kind",
    "symbol",
    "description",
    "score",
    "snippet",
    "also_in",
    "explain",
];
const INDEX: [&str; 8] = ["generation", "files", "chunks", "symbols", "skipped", "lossy", "partial", "source"];
const STATUS: [&str; 10] =
    ["schema", "command", "root", "index", "engine", "model", "device", "languages", "skipped", "lossy"];
const STORE: [&str; 8] =
    ["indexed", "location", "bytes", "store_bytes", "other_engine", "stale", "carried", "troubles"];

/// An object written anew with exactly these keys in this order; `inner` writes those that are objects themselves.
fn object(value: &Value, keys: &[&str], inner: &dyn Fn(&str, &Value) -> Option<String>) -> String {
    let fields: Vec<String> = keys
        .iter()
        .map(|key| {
            let field = value.get(key).unwrap_or_else(|| panic!("no {key} in {value}"));
            let text = inner(key, field).unwrap_or_else(|| serde_json::to_string(field).expect("JSON"));
            format!("\"{key}\":{text}")
        })
        .collect();
    format!("{{{}}}", fields.join(","))
}

fn plain(_: &str, _: &Value) -> Option<String> {
    None
}

fn hit(value: &Value) -> String {
    object(value, &HIT, &plain)
}

fn within_answer(key: &str, value: &Value) -> Option<String> {
    match key {
        "route" => Some(object(value, &["kind", "why"], &plain)),
        "index" => Some(object(value, &INDEX, &plain)),
        "hits" => Some(format!("[{}]", value.as_array()?.iter().map(hit).collect::<Vec<_>>().join(","))),
        _ => None,
    }
}

#[test]
fn an_answer_is_these_keys_in_this_order() {
    let tree = tree();
    for line in [
        &["with_retry"][..],
        &["call again", "-n", "1"],
        &["-F", "with_retry"],
        &["-e", "retr."],
        &["nothing xyzzy"],
        &["again", "--budget", "400"],
    ] {
        let run = tree.run(&[line, &["--json"]].concat());
        let value: Value = serde_json::from_str(&run.stdout).unwrap_or_else(|e| panic!("{e}: {}", run.stdout));
        assert_eq!(run.stdout, object(&value, &ANSWER, &within_answer) + "\n", "{line:?}");
        assert_eq!((&value["schema"], &value["command"]), (&"seekwell/1".into(), &"search".into()));
        assert_eq!(value["root"], tree.path().display().to_string());
        assert_eq!((&value["index"]["source"], &value["index"]["partial"]), (&"memory".into(), &false.into()));
    }
}

#[test]
fn json_lines_are_the_same_facts() {
    let tree = tree();
    let whole = tree.json(&["with_retry", "--json"]);
    let run = tree.run(&["with_retry", "--jsonl"]);
    let mut lines = run.stdout.lines();
    let answer = lines.next().expect("an answer");
    let value: Value = serde_json::from_str(answer).expect("JSON");
    let keys: Vec<&str> = std::iter::once("type").chain(ANSWER.into_iter().filter(|k| *k != "hits")).collect();
    assert_eq!(answer, object(&value, &keys, &within_answer));
    assert_eq!(value["type"], "answer");
    for (line, expected) in lines.by_ref().zip(hits(&whole)) {
        assert_eq!(line, format!("{{\"type\":\"hit\",{}", &hit(expected)[1..]));
    }
    assert_eq!(run.stdout.lines().count(), 1 + hits(&whole).len());
    assert!(run.stdout.ends_with('\n'));
    let mut same = value.clone();
    let fields = same.as_object_mut().expect("an object");
    fields.remove("type");
    fields.insert("hits".into(), whole["hits"].clone());
    assert_eq!(same, whole);
}

#[test]
fn status_is_these_keys_in_this_order() {
    let tree = tree();
    tree.write("latin.txt", b"caf\xe9\n");
    let run = tree.run(&["status", "--json"]);
    let value: Value = serde_json::from_str(&run.stdout).expect("JSON");
    let rows = |keys: &'static [&'static str], value: &Value| {
        let rows: Vec<String> = value.as_array().expect("rows").iter().map(|row| object(row, keys, &plain)).collect();
        Some(format!("[{}]", rows.join(",")))
    };
    let inner = |key: &str, value: &Value| match key {
        "index" => Some(object(value, &INDEX, &plain)),
        "languages" => rows(&["language", "files"], value),
        "skipped" => rows(&["path", "reason", "detail"], value),
        "lossy" => rows(&["path", "encoding"], value),
        "degraded" => rows(&["path", "reason"], value),
        "store" => Some(object(value, &STORE, &plain)),
        _ => None,
    };
    let keys: Vec<&str> = STATUS.into_iter().chain(["degraded", "store"]).collect();
    assert_eq!(run.stdout, object(&value, &keys, &inner) + "\n");
    assert_eq!(
        value["skipped"],
        serde_json::json!([{"path": "bin.dat", "reason": "binary", "detail": "its content is not text"}])
    );
    assert_eq!(value["lossy"], serde_json::json!([{"path": "latin.txt", "encoding": "latin-1"}]));
    assert_eq!(
        (&value["index"]["skipped"], &value["index"]["lossy"], &value["index"]["files"]),
        (&1.into(), &1.into(), &5.into())
    );
}

#[test]
fn files_are_these_keys_in_this_order() {
    let tree = tree();
    let run = tree.run(&["--files", "--json"]);
    let value: Value = serde_json::from_str(&run.stdout).expect("JSON");
    assert_eq!(run.stdout, object(&value, &["schema", "command", "root", "files", "skipped"], &plain) + "\n");
    let expected = ["bin.dat", "copy/retry.rs", "docs/retry.md", "latin.txt", "src/main.py", "src/retry.rs"];
    assert_eq!(value["files"], serde_json::json!(expected));
    assert_eq!(tree.run(&["--files"]).stdout, expected.map(|path| format!("{path}\n")).concat());
    assert_eq!(tree.run(&["--files", "-0"]).stdout, expected.map(|path| format!("{path}\0")).concat());
}

/// Every number with a fraction in a JSON text.
fn fractions(text: &str) -> Vec<&str> {
    let number = |c: char| c.is_ascii_digit() || matches!(c, '.' | '-' | '+' | 'e' | 'E');
    let outside_strings = text.split('"').step_by(2);
    outside_strings
        .flat_map(|part| part.split(|c| !number(c)))
        .filter(|n| n.starts_with(|c: char| c.is_ascii_digit() || c == '-') && n.contains(['.', 'e', 'E']))
        .collect()
}

#[test]
fn fractions_have_six_places_at_most_and_no_exponent() {
    let tree = Tree::new(&[]);
    for number in 0..30 {
        tree.write(
            &format!("f{number}.py"),
            format!("def load_{number}(path):\n{}    return path\n", "    path += 1\n".repeat(number)),
        );
    }
    // Only texts without quotes inside are split rightly by `fractions`.
    let run = tree.run(&["load path", "--json", "--explain", "-n", "100", "--depth", "abstract"]);
    assert!(!run.stdout.contains("\\\""), "{}", run.stdout);
    let fractions = fractions(&run.stdout);
    assert!(fractions.len() > 200, "{}", fractions.len());
    for number in fractions {
        let (_, places) = number.split_once('.').unwrap_or_else(|| panic!("an exponent: {number}"));
        assert!((1..=6).contains(&places.len()) && places.bytes().all(|b| b.is_ascii_digit()), "{number}");
    }
}

#[test]
fn an_explanation_adds_up() {
    let answer = tree().json(&["with_retry", "--json", "--explain"]);
    for hit in hits(&answer) {
        let parts = hit["explain"].as_object().expect("signals");
        assert!(!parts.is_empty(), "{hit}");
        for (name, part) in parts {
            let of = |key: &str| part[key].as_f64().unwrap_or_else(|| panic!("{name} has no {key}"));
            assert!((of("value") * of("weight") - of("share")).abs() < 1e-5, "{name}: {part}");
        }
    }
    // Without being asked for, there is none, and nothing else is different.
    let mut bare = answer.clone();
    bare["hits"].as_array_mut().expect("hits").iter_mut().for_each(|hit| hit["explain"] = serde_json::json!({}));
    assert_eq!(tree().json(&["with_retry", "--json"])["hits"], bare["hits"]);
}

#[test]
fn identical_places_are_told_as_copies() {
    let answer = tree().json(&["with_retry", "--json"]);
    let first = &hits(&answer)[0];
    let mut places = vec![first["path"].as_str().expect("a path")];
    places.extend(first["also_in"].as_array().expect("a list").iter().map(|p| p.as_str().expect("a path")));
    places.sort_unstable();
    assert_eq!(places, ["copy/retry.rs", "src/retry.rs"]);
    let paths: Vec<&str> = hits(&answer).iter().map(|hit| hit["path"].as_str().expect("a path")).collect();
    assert_eq!(paths.iter().filter(|path| path.ends_with("retry.rs")).count(), 1, "{paths:?}");
}
