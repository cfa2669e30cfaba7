//! Field cases 45 to 47: any text is a question. Never an error, never a false zero.

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;

use super::support::{Tree, hits, paths};

/// Texts that other tools failed on.
const TEXTS: [&str; 34] = [
    "a|b",
    "foo(",
    "[",
    "*",
    "\\",
    "a.*b",
    "$x",
    "C++",
    "foo::bar",
    "--flag",
    "-n",
    "a-b",
    "v1.2.3",
    "#define",
    "@decorator",
    "user's",
    "multi-agent",
    "TODO: fix",
    "grammar::fa",
    "2026.4.10",
    "\"1.0.21\"",
    "--error-on-warnings",
    "snake_case_name",
    "src/foo.rs",
    "self.cache",
    "\"unbalanced",
    "NOT found",
    "title:foo",
    "timestamp|activity|filter",
    "where is the config?",
    "section-bounded chunking",
    "C:\\data\\*",
    "{a,}",
    "größer",
];

/// One file for each text, and others around them.
fn tree() -> Tree {
    let tree = Tree::new(&[("other/code.rs", "fn unrelated() {\n    let number = 1;\n}\n")]);
    for (number, text) in TEXTS.iter().enumerate() {
        tree.write(&format!("f{number}.txt"), format!("a line before\nhere {text} stands\na line after\n"));
    }
    tree
}

#[test]
fn never_an_error() {
    let tree = tree();
    let long = "x".repeat(10_000);
    let words = "word ".repeat(2_000);
    let odd = [
        "'",
        "/",
        ".",
        "!",
        "()",
        "%",
        "\"",
        "\"\"",
        "``",
        "^$",
        "\u{0}".trim_matches('\0'),
        "  padded  ",
        "\u{202e}",
        "😀",
        "e\u{301}",
        "\n",
        "a\nb",
        "\t.",
        &long,
        &words,
    ];
    for text in TEXTS.iter().chain(odd.iter()).filter(|t| !t.trim().is_empty()) {
        let sentence = format!("where does {text} come from");
        let quoted = format!("\"{text}\"");
        for question in [*text, sentence.as_str(), quoted.as_str()] {
            // Each way of asking by the default mode, each mode for the text alone.
            let modes: &[&str] =
                if question == *text { &["hybrid", "semantic", "keyword", "exact"] } else { &["hybrid"] };
            for mode in modes {
                let run = tree.run(&["search", "--mode", mode, "--json", "--", question]);
                assert!(run.code < 2, "{mode} {question:?}: {}", run.stderr);
                serde_json::from_str::<serde_json::Value>(&run.stdout).expect("JSON");
            }
        }
    }
}

#[test]
fn any_bytes_are_a_question() {
    let tree = tree();
    for bytes in [vec![0xff, 0xfe], vec![0xc3], b"caf\xe9".to_vec(), vec![1, 2, 3], vec![0x7f]] {
        let run = tree.run(&[OsString::from("--json"), OsString::from_vec(bytes.clone())]);
        assert!(run.code < 2, "{bytes:?}: {}", run.stderr);
        serde_json::from_str::<serde_json::Value>(&run.stdout).expect("JSON");
    }
}

#[test]
fn exact_finds_each_text_where_it_stands_and_nowhere_else() {
    let tree = tree();
    for (number, text) in TEXTS.iter().enumerate() {
        let mut holding: Vec<String> =
            TEXTS.iter().enumerate().filter(|(_, t)| t.contains(text)).map(|(n, _)| format!("f{n}.txt")).collect();
        let mut found = tree.paths(text, &["--mode", "exact", "-n", "100"]);
        holding.sort();
        found.sort();
        assert_eq!(found, holding, "f{number}.txt {text:?}");
    }
}

#[test]
fn words_find_each_text_among_all_answers() {
    let tree = tree();
    for (number, text) in TEXTS.iter().enumerate() {
        for mode in ["hybrid", "keyword"] {
            let found = tree.paths(text, &["--mode", mode, "-n", "100"]);
            assert!(found.contains(&format!("f{number}.txt")), "{mode} {text:?}: {found:?}");
        }
    }
}

/// A text without any letter or digit stands somewhere: that is an answer, not zero.
#[test]
fn punctuation_that_stands_somewhere_is_found() {
    for text in ["\"", "'", ".", "😀", "()", "!="] {
        let tree = Tree::new(&[("other.py", "value = 1\n")]);
        tree.write("holds.py", format!("# before\nx = 1 # {text}\n"));
        assert_eq!(tree.paths(text, &["-F"])[..], ["holds.py"], "{text}: exact");
        assert_eq!(tree.paths(text, &[]).first().map(String::as_str), Some("holds.py"), "{text}");
    }
}

#[test]
fn blanks_are_a_text() {
    let tree = Tree::new(&[("two.py", "a  =  1\n"), ("one.py", "a = 1\n")]);
    assert_eq!(tree.paths("  ", &["-F"]), ["two.py"]);
}

#[test]
fn a_dash_before_a_text_is_no_option_behind_two_dashes() {
    let tree = tree();
    for text in ["--flag", "-n", "--error-on-warnings"] {
        let number = TEXTS.iter().position(|t| *t == text).expect("one of the texts");
        for line in
            [&["--json", "-F", "--", text][..], &["search", "--json", "-F", "--", text], &["--json", "-e", text]]
        {
            let answer = tree.json(line);
            assert_eq!(answer["query"], text);
            assert!(paths(&answer).contains(&format!("f{number}.txt")), "{line:?}");
        }
    }
}

#[test]
fn bars_are_text_unless_an_expression_is_asked_for() {
    let tree = Tree::new(&[("both.py", "x = 'left|right'\n"), ("left.py", "left = 1\n"), ("right.py", "right = 2\n")]);
    assert_eq!(tree.paths("left|right", &["-F"]), ["both.py"]);
    let mut all = tree.paths("left|right", &["--mode", "regex"]);
    all.sort();
    assert_eq!(all, ["both.py", "left.py", "right.py"]);
    assert!(tree.paths("left|right", &[]).contains(&"both.py".to_owned()));
    // A literal that finds nothing says how else it can be read.
    let run = tree.run(&["-F", "left|up"]);
    assert_eq!(run.code, 1);
    assert!(run.stderr.contains("--mode regex"), "{}", run.stderr);
}

#[test]
fn globs_as_people_type_them() {
    let tree = Tree::new(&[
        ("src/a.ts", "export const needle = 1;\n"),
        ("src/deep/b.ts", "export const needle = 2;\n"),
        ("src/deep/axb.js", "const needle = 3;\n"),
        ("src/deep/axxb.js", "const needle = 4;\n"),
        ("docs/c.md", "# needle\n"),
        ("a", "needle\n"),
    ]);
    let cases: &[(&[&str], &[&str])] = &[
        (&["*.ts"], &["src/a.ts", "src/deep/b.ts"]),
        (&["/*.ts"], &[]),
        (&["src/*.ts"], &["src/a.ts"]),
        (&["src/**/*.ts"], &["src/a.ts", "src/deep/b.ts"]),
        (&["src\\**\\*.ts"], &["src/a.ts", "src/deep/b.ts"]),
        (&["a?b.js"], &["src/deep/axb.js"]),
        (&["*/c.md"], &["docs/c.md"]),
        (&["*/b.ts"], &[]),
        (&["*.{ts,md}"], &["docs/c.md", "src/a.ts", "src/deep/b.ts"]),
        (&["{a,}"], &["a"]),
        (&["!*.ts", "!a"], &["docs/c.md", "src/deep/axb.js", "src/deep/axxb.js"]),
        (&["src/**", "!*.js"], &["src/a.ts", "src/deep/b.ts"]),
        (&["deep"], &["src/deep/axb.js", "src/deep/axxb.js", "src/deep/b.ts"]),
    ];
    for (globs, expected) in cases {
        let options: Vec<&str> = ["-F"].into_iter().chain(globs.iter().flat_map(|g| ["-g", g])).collect();
        let mut found = tree.paths("needle", &options);
        found.sort();
        assert_eq!(found, *expected, "{globs:?}");
    }
    for broken in ["[", "{", "{a", "a[b"] {
        let run = tree.run(&["needle", "-g", broken]);
        assert_eq!(run.code, 2, "{broken}");
        assert!(run.stderr.starts_with(&format!("seekwell: not a glob: {broken}: ")), "{}", run.stderr);
    }
}

/// Field case 48.
#[test]
fn empty_matches_do_not_flood() {
    let tree = Tree::new(&[("ten.txt", &"line\n".repeat(10))]);
    for pattern in ["^", "$", "x*"] {
        let answer = tree.ask(pattern, &["--mode", "regex"]);
        assert_eq!(hits(&answer).len(), 1, "{pattern}");
        assert_eq!((&answer["hits"][0]["start_line"], &answer["hits"][0]["end_line"]), (&1.into(), &10.into()));
    }
}

/// Field case 52: a whole identifier outranks its parts, where it is only mentioned, too.
#[test]
fn the_whole_identifier_outranks_its_parts() {
    for (question, mention) in
        [("frobnicate_widget", "frobnicate_widget()"), ("frobnicateWidget", "frobnicateWidget()")]
    {
        let tree = Tree::new(&[("parts.py", "# frobnicate the widget\ndef widget(): pass\n")]);
        tree.write("whole.py", format!("def f():\n    {mention}\n"));
        assert_eq!(tree.paths(question, &[])[0], "whole.py", "{question}");
    }
}

/// What is quoted, or punctuated as source text is, stands in the first answer if it stands anywhere.
#[test]
fn a_text_that_stands_somewhere_comes_first() {
    for text in ["left|right", "\"left right\"", "left(right)", "C++ left"] {
        let tree = Tree::new(&[("left.py", "left = 1\n"), ("right.py", "right = 2\n")]);
        tree.write("both.py", format!("x = '{}'\n", text.trim_matches('"')));
        assert_eq!(tree.paths(text, &[])[0], "both.py", "{text}");
    }
}
