//! Exit codes, pipes, colour, and which words are commands.

use std::io::{BufRead, BufReader, Read};
use std::process::Stdio;

use super::support::{Tree, command, paths};

fn tree() -> Tree {
    Tree::new(&[
        ("map.py", "def map_values(table):\n    \"\"\"Applies map to each value.\"\"\"\n    return table\n"),
        ("other.py", "def filter_rows(table):\n    return table\n"),
    ])
}

#[test]
fn zero_for_hits_one_for_none_two_for_errors() {
    let tree = tree();
    for form in [&[][..], &["--json"], &["--jsonl"], &["--depth", "full"], &["--budget", "300"]] {
        let code = |line: &[&str]| tree.run(&[line, form].concat()).code;
        assert_eq!(code(&["map_values"]), 0, "{form:?}");
        assert_eq!(code(&["-F", "no such text stands here"]), 1, "{form:?}");
        assert_eq!(code(&["map_values", "nowhere"]), 2, "{form:?}");
    }
    assert_eq!(tree.run(&["status"]).code, 0);
    assert_eq!(tree.run(&["--files"]).code, 0);
    assert_eq!(tree.run(&["--files", "--exclude", "*.py"]).code, 1);
    assert_eq!(tree.run(&["--help"]).code, 0);
    assert_eq!(tree.run(&["--version"]).code, 0);
    assert_eq!(Tree::new(&[]).run(&["anything"]).code, 1);
}

#[test]
fn a_miss_says_why_on_stderr_and_nothing_on_stdout() {
    let tree = tree();
    let run = tree.run(&["-F", "a|b"]);
    assert_eq!((run.code, run.stdout.as_str()), (1, ""));
    let first = run.stderr.lines().next();
    assert_eq!(
        first,
        Some("not found: the text stands in none of 2 files; next: --mode regex reads it as a regular expression")
    );
}

#[test]
fn a_closed_pipe_is_quiet() {
    let tree = Tree::new(&[]);
    for number in 0..300 {
        let body = "    value = request.value\n".repeat(20);
        tree.write(
            &format!("handler_{number}.py"),
            format!("def handler_{number}(request):\n{body}    return value\n"),
        );
    }
    for form in [&["--depth", "full"][..], &["--json"], &["--jsonl"]] {
        let line = [&["-F", "request", "-n", "1000"], form].concat();
        let whole = tree.run(&line).stdout;
        assert!(whole.len() > 100_000, "more than a pipe holds: {}", whole.len());
        let mut child = command(&tree.path(), &line)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("it starts");
        let mut head = [0; 40];
        let mut stdout = BufReader::with_capacity(64, child.stdout.take().expect("piped"));
        stdout.read_exact(&mut head).expect("a beginning");
        assert_eq!(head, whole.as_bytes()[..40]);
        drop(stdout);
        let output = child.wait_with_output().expect("it ends");
        assert_eq!(output.status.code(), Some(0), "{form:?}");
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{form:?}");
    }
}

#[test]
fn the_first_line_is_enough_for_head() {
    let tree = tree();
    let mut child = command(&tree.path(), &["table"]).stdout(Stdio::piped()).spawn().expect("it starts");
    let mut line = String::new();
    BufReader::new(child.stdout.take().expect("piped")).read_line(&mut line).expect("a line");
    assert!(line.starts_with("map.py:1-3 [") || line.starts_with("other.py:1-2 ["), "{line}");
    assert_eq!(child.wait().expect("it ends").code(), Some(0));
}

#[test]
fn colour_in_a_pipe_only_when_asked_for() {
    let tree = tree();
    for line in
        [&["map_values"][..], &["map_values", "--explain"], &["map_values", "--heading"], &["status"], &["--help"]]
    {
        let run = tree.run(line);
        assert!(!run.stdout.is_empty() && !run.stdout.contains('\u{1b}') && !run.stderr.contains('\u{1b}'), "{line:?}");
    }
    assert!(tree.run(&["map_values", "--color", "always"]).stdout.contains("\u{1b}["));
    assert!(!tree.run(&["map_values", "--color", "never"]).stdout.contains('\u{1b}'));
    // The terminal's form and the pipe's differ in colour alone.
    let plain = tree.run(&["map_values", "--color", "never"]).stdout;
    let mut colored = tree.run(&["map_values", "--color", "always"]).stdout;
    while let Some(start) = colored.find("\u{1b}[") {
        let end = start + colored[start..].find('m').expect("a colour ends");
        colored.replace_range(start..=end, "");
    }
    assert_eq!(colored, plain);
}

#[test]
fn a_line_in_a_pipe_has_its_place() {
    let run = tree().run(&["map_values", "-n", "1"]);
    let mut lines = run.stdout.lines();
    let head = lines.next().expect("a head");
    let (place, rest) = head.split_once(" [").expect("a score");
    let (score, rest) = rest.split_once("] ").expect("a score");
    assert_eq!(place, "map.py:1-3");
    assert!(score.len() == 4 && score.parse::<f32>().is_ok_and(|s| (0.0..=1.0).contains(&s)), "{score}");
    assert_eq!(rest, "function map_values: def map_values(table) — Applies map to each value.");
    let texts: Vec<&str> = lines.collect();
    let expected = [
        "map.py:1:def map_values(table):",
        "map.py:2:    \"\"\"Applies map to each value.\"\"\"",
        "map.py:3:    return table",
    ];
    assert_eq!(texts, expected);
}

#[test]
fn words_that_are_commands_can_be_searched() {
    let tree = tree();
    tree.write("status.py", "def status(): pass\n");
    for line in [&["search", "map", "--json"][..], &["--json", "--", "map"], &["--json", "map"]] {
        assert_eq!(paths(&tree.json(line))[0], "map.py", "{line:?}");
    }
    for line in [&["search", "status", "--json"][..], &["--json", "--", "status"], &["--json", "status"]] {
        let answer = tree.json(line);
        assert_eq!((&answer["command"], &answer["query"]), (&"search".into(), &"status".into()), "{line:?}");
        assert_eq!(paths(&answer)[0], "status.py", "{line:?}");
    }
    for command in ["status", "map"] {
        assert_eq!(tree.json(&[command, "--json"])["command"], command);
    }
}
