//! What lies in a tree that is no plain file: nothing hangs, nothing aborts, everything is told.

use std::os::unix::ffi::OsStringExt;
use std::os::unix::fs::symlink;
use std::os::unix::net::UnixListener;

use serde_json::json;

use super::support::{Tree, hits};

/// A tree with one entry of each kind; the socket lives as long as its listener.
fn tree() -> (Tree, UnixListener) {
    let tree = Tree::new(&[
        (
            "a.py",
            "def found_here():\n    return 'a line that is long enough to be told as a copy, if there were one'\n",
        ),
        ("deep/b.py", "def found_below(): pass\n"),
        (".gitignore", "ignored*\n/build/\n"),
        ("ignored.txt", "found_here ignored\n"),
        ("build/out.py", "def found_built(): pass\n"),
        (".hidden.py", "def found_hidden(): pass\n"),
        ("data.bin", "\0found_here"),
    ]);
    let at = |path: &str| tree.path().join(path);
    let fifo = std::process::Command::new("mkfifo").arg(at("pipe")).status().expect("mkfifo is there");
    assert!(fifo.success());
    let socket = UnixListener::bind(at("socket")).expect("a socket");
    symlink(".", at("loop")).expect("a link");
    symlink("../deep", at("deep/up")).expect("a link");
    symlink("loop/loop", at("twice")).expect("a link");
    symlink("/etc/hostname", at("outside")).expect("a link");
    symlink("/", at("everything")).expect("a link");
    symlink("nowhere", at("broken")).expect("a link");
    symlink("self", at("self")).expect("a link");
    symlink("pipe", at("to-pipe")).expect("a link");
    symlink("deep/b.py", at("alias.py")).expect("a link");
    tree.write("large.txt", "found_large ".repeat(800_000));
    (tree, socket)
}

#[test]
fn nothing_hangs_and_everything_is_told() {
    let (tree, _socket) = tree();
    let expected = [
        ".gitignore: hidden: outside a git work tree: --hidden admits it",
        ".hidden.py: hidden: outside a git work tree: --hidden admits it",
        "broken: link: leads nowhere: nowhere (No such file or directory (os error 2))",
        "build/: ignored: .gitignore:2: /build/",
        "data.bin: binary: its content is not text",
        "deep/up: link: to a folder, not followed: ../deep (name it as a path of its own to search it)",
        "everything: link: to a folder, not followed: / (name it as a path of its own to search it)",
        "ignored.txt: ignored: .gitignore:1: ignored*",
        "large.txt: too-large: 9600000 bytes, the limit is 8388608",
        "loop: link: to a folder, not followed: . (name it as a path of its own to search it)",
        "outside: link: leads out of the root: /etc/hostname",
        "pipe: special-file: fifo",
        "self: link: leads nowhere: self (Too many levels of symbolic links (os error 40))",
        "socket: special-file: socket",
        "to-pipe: special-file: link to pipe",
        "twice: link: to a folder, not followed: loop/loop (name it as a path of its own to search it)",
    ];
    let run = tree.run(&["status", "--skipped"]);
    assert_eq!((run.code, run.stdout.lines().collect::<Vec<_>>()), (0, expected.to_vec()), "{}", run.stderr);
    let status = tree.json(&["status", "--json"]);
    let rows: Vec<String> = status["skipped"]
        .as_array()
        .expect("rows")
        .iter()
        .map(|row| {
            format!(
                "{}: {}: {}",
                row["path"].as_str().unwrap(),
                row["reason"].as_str().unwrap(),
                row["detail"].as_str().unwrap()
            )
        })
        .collect();
    assert_eq!(rows, expected);
    assert_eq!((&status["index"]["skipped"], &status["index"]["files"]), (&expected.len().into(), &3.into()));
    let run = tree.run(&["found_here"]);
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    assert!(run.stdout.starts_with("a.py:1-2 ["), "{}", run.stdout);
}

#[test]
fn what_is_left_out_is_not_found_and_what_is_asked_for_is() {
    let (tree, _socket) = tree();
    let found = |query: &str, options: &[&str]| {
        let mut paths = tree.paths(query, &[&["-F", "-n", "50"], options].concat());
        paths.sort();
        paths
    };
    assert_eq!(found("found_", &[]), ["a.py", "alias.py", "deep/b.py"]);
    assert_eq!(found("found_", &["--hidden"]), [".hidden.py", "a.py", "alias.py", "deep/b.py"]);
    assert_eq!(found("found_", &["--no-ignore"]), ["a.py", "alias.py", "build/out.py", "deep/b.py", "ignored.txt"]);
    assert_eq!(found("found_", &["--max-filesize", "10M"]), ["a.py", "alias.py", "deep/b.py", "large.txt"]);
    assert_eq!(found("found_", &["--max-filesize", "50"]), ["alias.py", "deep/b.py"]);
    assert_eq!(found("found_", &["--exclude", "deep/"]), ["a.py", "alias.py"]);
    assert_eq!(found("found_", &["--exclude-ext", "py"]), Vec::<String>::new());
    tree.write(".seekwell.toml", "[ignore]\npatterns = [\"alias*\"]\n[search]\nmax-filesize = \"60\"\n");
    assert_eq!(found("found_", &[]), ["deep/b.py"]);
    // A repository's own settings widen nothing.
    tree.write(".seekwell.toml", "[ignore]\npatterns = [\"!ignored.txt\"]\n[search]\nmax-filesize = \"1G\"\n");
    assert_eq!(found("found_", &[]), ["a.py", "alias.py", "deep/b.py"]);
}

#[test]
fn all_modes_see_the_same_files() {
    let (tree, _socket) = tree();
    for options in [&[][..], &["--no-ignore"], &["--hidden"], &["--no-ignore", "--hidden", "--max-filesize", "10M"]] {
        let files = tree.json(&[&["--files", "--json"], options].concat());
        let listed = files["files"].as_array().expect("files").len();
        // The list is of what is read; that a file is binary shows only then.
        let searched =
            |mode: &str| tree.ask("found_here", &[options, &["--mode", mode]].concat())["index"]["files"].clone();
        let counts = ["hybrid", "semantic", "keyword"].map(searched);
        assert_eq!(counts, [json!(listed - 1), json!(listed - 1), json!(listed - 1)], "{options:?}");
        let status = tree.json(&[&["status", "--json"], options].concat());
        assert_eq!(status["index"]["files"], listed - 1);
    }
}

#[test]
fn the_exact_mode_counts_what_all_others_count() {
    let (tree, _socket) = tree();
    let index = |mode: &str| tree.ask("found_here", &["--mode", mode])["index"].clone();
    let (hybrid, exact) = (index("hybrid"), index("exact"));
    assert_eq!((&exact["files"], &exact["skipped"]), (&hybrid["files"], &hybrid["skipped"]));
}

#[test]
fn names_that_are_no_text_are_found_and_escaped() {
    let tree = Tree::new(&[("50%.py", "def plain_percent(): pass\n"), ("two\nlines.py", "def broken_name(): pass\n")]);
    let name = std::ffi::OsString::from_vec(b"50%\xff.py".to_vec());
    std::fs::write(tree.path().join(name), "def odd_name():\n    return 1\n").expect("a file");
    let answer = tree.ask("odd_name", &["-n", "1"]);
    let hit = &hits(&answer)[0];
    assert_eq!((&hit["path"], &hit["path_escaped"]), (&"50%25%FF.py".into(), &true.into()));
    assert_eq!(hit["snippet"], "def odd_name():\n    return 1");
    let answer = tree.ask("plain_percent", &["-n", "1"]);
    let hit = &hits(&answer)[0];
    assert_eq!((&hit["path"], hit.get("path_escaped")), (&"50%.py".into(), None));
    assert_eq!(tree.paths("broken_name", &["-n", "1"]), ["two\nlines.py"]);
    assert_eq!(tree.run(&["--files", "-0"]).stdout, "50%.py\x0050%25%FF.py\0two\nlines.py\0");
}

/// Field case 23.
#[test]
fn names_that_look_alike_are_different_files() {
    let names = [
        "2026_06_16.md",
        "2026-06-16.md",
        "README.md",
        "readme.md",
        "a b.md",
        "a-b.md",
        "a_b.md",
        "# Meeting - 5.md",
        "***/x.md",
        "[ab]/x.md",
    ];
    let tree = Tree::new(&[]);
    names.iter().enumerate().for_each(|(n, name)| tree.write(name, format!("# Note {n}\n\nword{n}only here\n")));
    for (n, name) in names.iter().enumerate() {
        assert_eq!(tree.paths(&format!("word{n}only"), &["-F"]), [*name]);
    }
    assert_eq!(tree.json(&["status", "--json"])["index"]["files"], names.len());
}

#[test]
fn a_named_file_is_searched_whatever_ignores_it() {
    let (tree, _socket) = tree();
    let answer = tree.json(&["--json", "-F", "found_here", "ignored.txt"]);
    assert_eq!(hits(&answer)[0]["path"], "ignored.txt");
    let answer = tree.json(&["--json", "-F", "found_built", "build"]);
    assert_eq!(
        (&hits(&answer)[0]["path"], &answer["root"]),
        (&"out.py".into(), &tree.path().join("build").display().to_string().into())
    );
    let answer = tree.json(&["--json", "-F", "found_", "deep", "a.py"]);
    assert_eq!(answer["index"]["files"], 2);
}
