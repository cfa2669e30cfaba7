//! What cannot be done is told in one line: what, where, and what to do instead. Exit code 2, nothing on stdout.

use super::support::{Tree, command_by, is_root, pass_over, run};

fn tree() -> Tree {
    Tree::new(&[("a.py", "def alpha(x):\n    return x\n"), ("sub/b.py", "def beta():\n    pass\n")])
}

/// The one line that a run ends with.
fn told(tree: &Tree, arguments: &[&str]) -> String {
    let run = tree.run(arguments);
    assert_eq!((run.code, run.stdout.as_str()), (2, ""), "{arguments:?}: {}", run.stderr);
    let line = run.stderr.strip_suffix('\n').unwrap_or_else(|| panic!("{arguments:?}: no line: {:?}", run.stderr));
    assert!(!line.contains(['\n', '\r', '\u{1b}']), "{arguments:?}: not one line: {line:?}");
    line.strip_prefix("seekwell: ").unwrap_or_else(|| panic!("{arguments:?}: {line}")).to_owned()
}

#[test]
fn each_says_what_where_and_what_next() {
    let tree = tree();
    let root = tree.path().display().to_string();
    let kinds = "module, class, interface, enum, type, impl, function, method, constructor, macro, field, variable, \
                 test, section, text";
    let cases: &[(&[&str], String)] = &[
        (&[], "no query: nothing to search for; write seekwell QUERY [PATH...], or seekwell --help".into()),
        (
            &["alpha", "no/such"],
            "no such file or folder: no/such; paths follow the query, relative to the current folder".into(),
        ),
        (
            &["alpha", "beta"],
            "no such file or folder: beta; to search for all these words: seekwell 'alpha beta'".into(),
        ),
        (
            &["status", "nope"],
            "no such file or folder: nope; paths follow the query, relative to the current folder".into(),
        ),
        (
            &["--files", "nope"],
            "no such file or folder: nope; paths follow the query, relative to the current folder".into(),
        ),
        (
            &["alpha", "/dev/null"],
            "cannot search: /dev/null: it is neither a file nor a folder; name a readable file or folder".into(),
        ),
        (
            &["alpha", "a.py/x"],
            "cannot search: a.py/x: Not a directory (os error 20); name a readable file or folder".into(),
        ),
        (
            &["alpha", "-t", "pyhton"],
            "unknown language: pyhton; did you mean python or cython? seekwell --type-list lists all".into(),
        ),
        (&["alpha", "-t", "python,xyzzy-9"], "unknown language: xyzzy-9; seekwell --type-list lists all".into()),
        (
            &["alpha", "--kind", "functoin"],
            format!("unknown kind: functoin; did you mean function? the kinds are {kinds}"),
        ),
        (
            &["alpha", "--mode", "fuzzy"],
            "not a value for --mode: fuzzy; write one of hybrid, semantic, keyword, exact, regex".into(),
        ),
        (&["alpha", "--content", "x"], "not a value for --content: x; write one of code, docs, config, all".into()),
        (&["alpha", "-n", "0"], "not a value for --limit: 0; 0 is not in 1..=4294967295".into()),
        (
            &["alpha", "--since", "soon"],
            "not a value for --since: soon; write it as 30m, 3h, 2d, 1w or 2026-01-31".into(),
        ),
        (
            &["alpha", "--max-filesize", "1T"],
            "not a value for --max-filesize: 1T; write it as 4096, 500K, 10M or 1G".into(),
        ),
        (
            &["alpha", "--path", "../x"],
            format!("not a value for --path: ../x; it is not below {root}; write it relative to that"),
        ),
        (
            &["alpha", "--budget", "63"],
            "not a value for --budget: 63; 64 is the least that holds a hit in this form".into(),
        ),
        (
            &["alpha", "--json", "--budget", "255"],
            "not a value for --budget: 255; 256 is the least that holds a hit in this form".into(),
        ),
        (
            &["alpha", "--jsonl", "--budget", "64"],
            "not a value for --budget: 64; 256 is the least that holds a hit in this form".into(),
        ),
        (&["alpha", "--json", "--jsonl"], "cannot be used together: --json and --jsonl; leave one out".into()),
        (&["--flag"], "unknown option: --flag; to search for this text: seekwell -- --flag".into()),
        (
            &["alpha", "-g", "x["],
            "not a glob: x[: x[: unclosed character class; missing ']'; write it as for rg -g".into(),
        ),
        (
            &["completions", "csh"],
            "not a value for <SHELL>: csh; write one of bash, elvish, fish, powershell, zsh".into(),
        ),
    ];
    for (arguments, expected) in cases {
        assert_eq!(&told(&tree, arguments), expected, "{arguments:?}");
    }
}

#[test]
fn an_empty_query_is_told_in_every_form() {
    let expected = "the query is empty; write what to search for, or seekwell --files to list what would be searched";
    for arguments in [&[""][..], &["  \t "], &["search", ""], &["", "--json"], &["", "--mode", "keyword"], &["-F", ""]]
    {
        assert_eq!(told(&tree(), arguments), expected, "{arguments:?}");
    }
}

#[test]
fn an_expression_that_cannot_be_read_is_shown_with_its_fault() {
    for (pattern, fault) in [
        ("(", "unclosed group"),
        ("[a", "unclosed character class"),
        ("a{2,1}", "invalid repetition count range"),
        (r"\p{Foo}", "Unicode property not found"),
        ("(?<=a)b", "look-around, including look-ahead and look-behind, is not supported"),
        ("a{1000}{1000}{10}", "Compiled regex exceeds size limit"),
    ] {
        for arguments in [&["-e", pattern][..], &["--mode", "regex", "--", pattern]] {
            let line = told(&tree(), arguments);
            assert!(line.starts_with(&format!("not a regular expression: {pattern}: ")), "{line}");
            assert!(line.contains(fault), "{line}");
            assert!(line.ends_with("; for the text itself use -F"), "{line}");
        }
    }
}

#[test]
fn broken_settings_name_file_line_and_key() {
    let tree = tree();
    let file = tree.path().join(".seekwell.toml").display().to_string();
    for (text, expected) in [
        ("[ignore]\n\npaterns = []\n", ":3: unknown key: ignore.paterns; did you mean patterns?"),
        ("[search]\nlimit = \"x\"\n", ":2: search.limit: not a whole number from 1; write limit = 10"),
        (
            "[search]\nlimit = 3\n[run]\ncommand = \"rm\"\n",
            ":3: unknown key: run; the keys are ignore.patterns, ignore.extensions, search.limit, search.content, search.max-filesize, store.use",
        ),
        (
            "[ignore]\npatterns = [\n  \"ok\",\n  \"../up\"]\n",
            ":4: ignore.patterns: ../up: leads out of the root; write it relative to the root",
        ),
        ("[search\n", ":1: not TOML: unclosed table, expected `]`; see toml.io"),
        (
            "[ignore]\npatterns = [\n  \"ok\",\n  \"[\"]\n",
            ":4: ignore.patterns: [: can match nothing (an unclosed `[`, a `\\` at the end, or empty); write it as in .gitignore",
        ),
    ] {
        tree.write(".seekwell.toml", text);
        for arguments in [&["alpha"][..], &["alpha", "--json"], &["status"], &["--files"]] {
            assert_eq!(told(&tree, arguments), format!("settings: {file}{expected}"), "{text:?} {arguments:?}");
        }
    }
    tree.write(".seekwell.toml", b"\xff\xfe");
    assert_eq!(told(&tree, &["alpha"]), format!("settings: {file}: is not UTF-8; save it as UTF-8"));
}

#[test]
fn what_may_not_be_read_is_told() {
    use std::os::unix::fs::PermissionsExt;
    let tree = tree();
    tree.write("secret.py", "def secret(): pass\n");
    tree.write("locked/x.py", "def locked(): pass\n");
    let mode = |path: &str, mode| {
        let path = tree.path().join(path);
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).expect("our own file");
    };
    mode("", 0o755);
    mode("secret.py", 0o000);
    mode("locked", 0o000);
    // Root may read everything.
    let nobody = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"];
    let starter: &[&str] = if is_root() { &nobody } else { &[] };
    if is_root() && !super::support::has("setpriv") {
        return pass_over("what_may_not_be_read_is_told", "no setpriv to become another user with");
    }
    let cache = tempfile::tempdir().expect("a folder");
    std::fs::set_permissions(cache.path(), std::fs::Permissions::from_mode(0o777)).expect("our own folder");
    let run_in = |arguments: &[&str]| {
        run(command_by(starter, &tree.path(), arguments).env("SEEKWELL_CACHE", cache.path().join("own")))
    };

    for path in ["secret.py", "locked", "locked/x.py"] {
        let run = run_in(&["alpha", path]);
        let expected = format!(
            "seekwell: cannot search: {path}: Permission denied (os error 13); name a readable file or folder\n"
        );
        assert_eq!((run.code, run.stdout.as_str(), run.stderr), (2, "", expected));
    }
    // In passing: the rest is searched, what is missing is told, and the code is that of the hits.
    let run = run_in(&["alpha", "--json"]);
    let expected = "unreadable: locked/: Permission denied (os error 13)\nunreadable: secret.py: Permission denied (os error 13)\n";
    assert_eq!((run.code, run.stderr.as_str()), (0, expected), "{}", run.stdout);
    let answer: serde_json::Value = serde_json::from_str(&run.stdout).expect("JSON");
    assert_eq!((&answer["hits"][0]["path"], &answer["index"]["skipped"]), (&"a.py".into(), &2.into()));
    let run = run_in(&["status", "--skipped"]);
    let expected = "locked/: unreadable: Permission denied (os error 13)\nsecret.py: unreadable: Permission denied (os error 13)\n";
    assert_eq!((run.code, run.stdout.as_str()), (0, expected), "{}", run.stderr);
    mode("locked", 0o755);
}
