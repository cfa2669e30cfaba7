//! Containment: a file that is made to break parsers costs its own structure at most.

use std::time::{Duration, Instant};

use super::support::{Tree, hits};

/// Generous: the machine may be busy. Unoptimised paths would take minutes.
const REASONABLE: Duration = Duration::from_secs(60);

fn wrapped(text: &str) -> String {
    text.as_bytes().chunks(79).map(|line| String::from_utf8_lossy(line).into_owned() + "\n").collect()
}

/// The hostile file with a marker in it, beside an innocent one.
struct Case {
    path: &'static str,
    text: String,
    marker: &'static str,
    /// Why the structure was given up, if it must be.
    degraded: Option<&'static str>,
}

fn case(path: &'static str, text: String, marker: &'static str, degraded: Option<&'static str>) -> Case {
    assert!(text.contains(marker));
    Case { path, text, marker, degraded }
}

fn check(case: &Case, options: &[&str]) {
    let tree = Tree::new(&[("innocent.rs", "/// Does no harm.\npub fn innocent_function() -> u32 {\n    1\n}\n")]);
    tree.write(case.path, &case.text);
    let started = Instant::now();
    let status = tree.json(&[&["status", "--json"], options].concat());
    assert!(started.elapsed() < REASONABLE, "{}: {:?}", case.path, started.elapsed());
    assert_eq!(
        (&status["index"]["files"], &status["index"]["skipped"]),
        (&2.into(), &0.into()),
        "{}: {status}",
        case.path
    );
    match case.degraded {
        Some(reason) => assert_eq!(status["degraded"], serde_json::json!([{"path": case.path, "reason": reason}])),
        None => assert_eq!(status["degraded"], serde_json::json!([]), "{}", case.path),
    }

    let answer = tree.ask("innocent_function", options);
    let first = &hits(&answer)[0];
    assert_eq!((&first["path"], &first["kind"]), (&"innocent.rs".into(), &"function".into()), "{}", case.path);

    for mode in ["keyword", "exact"] {
        let answer = tree.ask(case.marker, &[options, &["--mode", mode, "-n", "1"]].concat());
        let hit = &hits(&answer)[0];
        assert_eq!(hit["path"], case.path, "{mode}: {}", case.marker);
        assert!(hit["snippet"].as_str().expect("a snippet").contains(case.marker), "{mode}: {}", case.marker);
    }
    // Asked by meaning, too, a hit of the bad file is no more than text.
    let answer = tree.ask(case.marker, options);
    let hit = hits(&answer).iter().find(|hit| hit["path"] == case.path).expect("it is among the answers");
    if case.degraded.is_some() {
        assert_eq!((&hit["kind"], &hit["symbol"]), (&"text".into(), &"".into()), "{hit}");
    }
}

fn nested(count: usize) -> [String; 2] {
    ["{".repeat(count), "}".repeat(count)]
}

/// What some grammars' scanners would write past the end of the parser's buffer for: such files are not parsed.
#[test]
fn more_than_a_scanner_can_hold() {
    let word = "A".repeat(300);
    let ruby = format!("def before\n  x = <<{word}\nheredoc_marker #{{1}}\n{word}\nend\n");
    check(&case("long.rb", ruby, "heredoc_marker", Some("scanner")), &[]);
    let yaml: String = (0..300).map(|n| format!("{}a{n}:\n", " ".repeat(n))).collect();
    check(&case("deep.yaml", yaml + &" ".repeat(300) + "level_marker: 1\n", "level_marker", Some("scanner")), &[]);
    let python: String = (0..520).map(|n| format!("{}if x:\n", " ".repeat(n))).collect();
    check(&case("deep.py", python + &" ".repeat(520) + "block_marker = 'a'\n", "block_marker", Some("scanner")), &[]);
}

#[test]
fn braces_in_lines() {
    for count in [16_384, 200_000] {
        let [open, close] = nested(count).map(|braces| wrapped(&braces));
        let text =
            format!("int before;\nvoid f(void)\n{open}int brace_marker;\n{close}int after(void) {{ return 1; }}\n");
        check(&case("deep.c", text, "brace_marker", None), &[]);
    }
}

#[test]
fn braces_on_one_line() {
    for count in [16_384, 200_000] {
        let [open, close] = nested(count);
        let text = format!("int brace_marker;\n{open}\n{close}\n");
        check(&case("deep.c", text, "brace_marker", Some("minified")), &[]);
    }
}

#[test]
fn twenty_megabytes_of_braces() {
    let options = ["--max-filesize", "64M"];
    let one_line = format!("int brace_marker;\n{}", "{".repeat(20_000_000));
    check(&case("huge.c", one_line, "brace_marker", Some("minified")), &options);
    let lines = format!("int brace_marker;\n{}", format!("{}\n", "{".repeat(79)).repeat(250_000));
    check(&case("huge.c", lines, "brace_marker", Some("memory")), &options);
}

#[test]
fn json_arrays() {
    let text = format!("{}\"json_marker\"{}", "[".repeat(100_000), "]".repeat(100_000));
    check(&case("deep.json", text, "json_marker", Some("minified")), &[]);
    let text = wrapped(&"[".repeat(100_000)) + "\"json_marker\"\n" + &wrapped(&"]".repeat(100_000));
    check(&case("deep.json", text, "json_marker", None), &[]);
    let text = "{\"a\":\n".repeat(50_000) + "\"json_marker\"\n" + &"}".repeat(50_000);
    check(&case("deep.json", text, "json_marker", None), &[]);
}

/// Field case 39.
#[test]
fn a_dump_on_one_line() {
    let rows: Vec<String> = (0..150_000).map(|n| format!("({n},'person_{n}','a street')")).collect();
    let text = format!("INSERT INTO people VALUES {};\n", rows.join(","));
    assert!(text.len() > 5_000_000);
    check(&case("dump.sql", text, "person_77777", Some("minified")), &[]);
}

#[test]
fn parentheses_in_python() {
    let text = format!("paren_marker = {}1{}\n", "(".repeat(5_000), ")".repeat(5_000));
    check(&case("deep.py", text, "paren_marker", Some("minified")), &[]);
    let text = format!("paren_marker = {}", wrapped(&format!("{}1{}", "(".repeat(5_000), ")".repeat(5_000))));
    check(&case("deep.py", text, "paren_marker", None), &[]);
}

#[test]
fn definitions_in_definitions() {
    check(
        &case(
            "deep.js",
            "class A { m() {\n".repeat(3_000) + "let class_marker;\n" + &"}}\n".repeat(3_000),
            "class_marker",
            None,
        ),
        &[],
    );
    check(
        &case("deep.rs", "mod a {\n".repeat(3_000) + "fn mod_marker() {}\n" + &"}\n".repeat(3_000), "mod_marker", None),
        &[],
    );
    let functions: String = (0..400).map(|n| format!("{}def f{n}():\n", " ".repeat(n))).collect();
    check(&case("deep.py", format!("{functions}{}def_marker = 1\n", " ".repeat(400)), "def_marker", None), &[]);
    check(&case("deep.html", "<div>\n".repeat(5_000) + "html_marker\n", "html_marker", None), &[]);
}

/// Time must grow with the size of a file, not with its square.
#[test]
fn words_outside_ascii() {
    let tree = Tree::new(&[("long.md", &format!("# needle\n\n{}\n", "é😀".repeat(40_000)))]);
    let started = Instant::now();
    assert_eq!(tree.paths("needle", &["--mode", "keyword"]), ["long.md"]);
    assert!(started.elapsed() < Duration::from_secs(1), "{:?}", started.elapsed());
}

/// Many bad files at once take no good one with them.
#[test]
fn a_tree_full_of_them() {
    let tree = Tree::new(&[]);
    let lines = format!("int marker;\n{}", format!("{}\n", "{".repeat(79)).repeat(250_000));
    for number in 0..2 {
        tree.write(&format!("bad{number}.c"), &lines);
    }
    for number in 0..30 {
        tree.write(
            &format!("good{number}.c"),
            format!("/* Good. */\nint good_function_{number}(void)\n{{\n    return {number};\n}}\n"),
        );
    }
    let started = Instant::now();
    let options = ["--max-filesize", "64M", "--threads", "2"];
    let status = tree.json(&[&["status", "--json"][..], &options].concat());
    assert!(started.elapsed() < REASONABLE, "{:?}", started.elapsed());
    assert_eq!((&status["index"]["files"], &status["index"]["skipped"]), (&32.into(), &0.into()));
    let row = |path: &str| serde_json::json!({"path": path, "reason": "memory"});
    assert_eq!(status["degraded"], serde_json::json!([row("bad0.c"), row("bad1.c")]));
    let answer = tree.ask("good_function_29", &options);
    assert_eq!(hits(&answer)[0]["symbol"], "good_function_29");
}
