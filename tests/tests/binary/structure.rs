//! The commands about structure on the real binary: what they find, what they say of what is not there, and that they keep
//! to their budgets and end, whatever the tree is like.

use std::process::Command;

use serde_json::Value;

use super::support::{Tree, has, pass_over};

/// A small project with a bit of everything: a call through an import, a method on a known type, an ambiguous name, tests.
fn project() -> Tree {
    Tree::new(&[
        ("Cargo.toml", "[package]\nname = \"shop\"\n"),
        (
            "src/lib.rs",
            "pub mod net;\nmod util;\n\n/// Runs it.\npub fn run() {\n    let client = net::Client::new();\n    client.get();\n    util::help();\n}\n\n#[cfg(test)]\nmod tests {\n    use super::*;\n\n    #[test]\n    fn runs() {\n        assert!(check(run()));\n    }\n\n    fn check(_: ()) -> bool { true }\n}\n",
        ),
        (
            "src/net.rs",
            "use crate::util::help;\n\n/// Fetches.\npub struct Client;\n\nimpl Client {\n    /// Makes one.\n    pub fn new() -> Self { Client }\n\n    pub fn get(&self) {\n        help();\n        self.send();\n        println!(\"x\");\n    }\n\n    fn send(&self) {}\n}\n",
        ),
        (
            "src/util.rs",
            "/// Helps `Client`.\npub fn help() -> u32 {\n    let mut help = 1;\n    help = 2;\n    help\n}\n",
        ),
        ("tests/all.rs", "#[test]\nfn gets() {\n    let client = shop::net::Client::new();\n    client.get();\n}\n"),
        ("docs/guide.md", "# Guide\n\nCall `help` first. The help is long. See [Client](../src/net.rs).\n"),
        (
            "three.py",
            "class A:\n    def run_it(self): pass\nclass B:\n    def run_it(self): pass\nclass C:\n    def run_it(self): pass\ndef use(x):\n    x.run_it()\n",
        ),
    ])
}

fn symbols(answer: &Value) -> Vec<String> {
    let list = answer["symbols"].as_array().expect("symbols");
    list.iter()
        .map(|s| format!("{}:{} {}", s["path"].as_str().unwrap(), s["name_line"], s["name"].as_str().unwrap()))
        .collect()
}

fn words(list: &Value) -> Vec<&str> {
    list.as_array().expect("a list").iter().map(|w| w.as_str().expect("a text")).collect()
}

#[test]
fn definitions_are_symbols_with_the_fields_of_the_contract() {
    let tree = project();
    let answer = tree.json(&["def", "Client::get", "--json"]);
    assert_eq!(symbols(&answer), ["src/net.rs:10 get"]);
    let symbol = answer["symbols"][0].as_object().expect("an object");
    let keys: Vec<&str> = symbol.keys().map(String::as_str).collect();
    for key in [
        "name",
        "kind",
        "path",
        "start_line",
        "end_line",
        "name_line",
        "name_column",
        "importance",
        "container",
        "ambiguous",
    ] {
        assert!(keys.contains(&key), "{key} is missing of {keys:?}");
    }
    assert_eq!(
        (&symbol["kind"], &symbol["container"], &symbol["ambiguous"]),
        (&"method".into(), &"Client".into(), &false.into())
    );
    assert_eq!(
        (&symbol["name_column"], &answer["schema"], &answer["command"]),
        (&12.into(), &"seekwell/1".into(), &"def".into())
    );
    let run = tree.run(&["def", "Client.get"]);
    assert_eq!(run.stdout, "src/net.rs:10:12 method Client::get: pub fn get(&self)\n");
}

#[test]
fn three_classes_with_one_method_are_told_apart() {
    let tree = project();
    let answer = tree.json(&["def", "run_it", "--json"]);
    assert_eq!(symbols(&answer), ["three.py:2 run_it", "three.py:4 run_it", "three.py:6 run_it"]);
    assert!(answer["symbols"].as_array().unwrap().iter().all(|s| s["ambiguous"] == true));
    let answer = tree.json(&["callers", "run_it", "--json"]);
    assert_eq!(symbols(&answer), ["three.py:7 use"]);
    assert_eq!(
        (&answer["symbols"][0]["confidence"], &answer["symbols"][0]["candidate_count"]),
        (&"ambiguous".into(), &3.into())
    );
    assert_eq!(answer["subject_count"], 3);
    let answer = tree.json(&["def", "B.run_it", "--json"]);
    assert_eq!(symbols(&answer), ["three.py:4 run_it"]);
}

#[test]
fn callers_and_callees_with_confidence() {
    let tree = project();
    let answer = tree.json(&["callers", "help", "--json"]);
    assert_eq!(symbols(&answer), ["src/lib.rs:5 run", "src/net.rs:10 get"]);
    assert!(answer["symbols"].as_array().unwrap().iter().all(|s| s["confidence"] == "import"), "{answer:#}");
    let answer = tree.json(&["callees", "Client::get", "--json"]);
    let told: Vec<String> = answer["symbols"]
        .as_array()
        .unwrap()
        .iter()
        .map(|s| format!("{} {}", s["name"].as_str().unwrap(), s["confidence"].as_str().unwrap()))
        .collect();
    assert_eq!(told, ["help import", "send receiver", "println external"]);
    // A call inside of an assertion, in an inline test.
    let answer = tree.json(&["callers", "run", "--json"]);
    assert_eq!(symbols(&answer), ["src/lib.rs:16 runs"]);
}

#[test]
fn every_whole_word_is_a_reference_with_its_role() {
    let tree = project();
    let answer = tree.json(&["refs", "help", "--json"]);
    let told: Vec<String> = answer["references"]
        .as_array()
        .unwrap()
        .iter()
        .map(|r| format!("{}:{} {}", r["path"].as_str().unwrap(), r["line"], r["role"].as_str().unwrap()))
        .collect();
    assert_eq!(
        told,
        [
            "docs/guide.md:3 mention",
            "docs/guide.md:3 text",
            "src/lib.rs:8 call",
            "src/net.rs:1 import",
            "src/net.rs:11 call",
            "src/util.rs:2 definition",
            "src/util.rs:3 definition",
            "src/util.rs:4 write",
            "src/util.rs:5 read",
        ]
    );
    assert_eq!(answer["total"], 9);
    assert_eq!(answer["references"][2]["text"], "util::help();");
    let answer = tree.json(&["mentions", "help", "--json"]);
    assert_eq!(answer["total"], 1);
    assert_eq!(answer["references"][0]["within"], "Guide");
}

#[test]
fn impact_ways_and_outline() {
    let tree = project();
    let answer = tree.json(&["impact", "help", "--depth", "0", "--json"]);
    let told: Vec<String> = answer["symbols"]
        .as_array()
        .unwrap()
        .iter()
        .map(|s| format!("{} {}", s["depth"], s["name"].as_str().unwrap()))
        .collect();
    assert_eq!(told, ["1 get", "2 gets", "1 run", "2 runs"], "{answer:#}");
    assert_eq!(symbols(&tree.json(&["impact", "help", "--depth", "1", "--json"])).len(), 2);
    assert_eq!(
        tree.run(&["impact", "help", "--by-file"]).stdout,
        "src/lib.rs: 2 in 1 step\nsrc/net.rs: 1 in 1 step\ntests/all.rs: 1 in 2 steps\n"
    );
    let answer = tree.json(&["path", "runs", "send", "--json"]);
    let way: Vec<&str> = answer["symbols"].as_array().unwrap().iter().map(|s| s["name"].as_str().unwrap()).collect();
    assert_eq!(way, ["runs", "run", "get", "send"]);
    let run = tree.run(&["path", "send", "runs"]);
    assert_eq!((run.code, run.stdout.as_str()), (1, ""));
    assert!(run.stderr.contains("no way of calls leads from send to runs"), "{}", run.stderr);
    let run = tree.run(&["outline", "src/net.rs"]);
    let expected = "3-4 class Client: pub struct Client; — Fetches.\n6-17 impl Client: impl Client\n  7-8 method new: pub fn new() -> Self — Makes one.\n  10-14 method get: pub fn get(&self)\n  16-16 method send: fn send(&self)\n";
    assert_eq!(run.stdout, expected);
}

#[test]
fn affected_tests_with_hints_and_a_gate() {
    let tree = project();
    let run = tree.run(&["affected", "src/util.rs"]);
    assert_eq!(run.code, 0);
    let expected =
        "src/lib.rs:16:8 function tests::runs [file] at 17\ntests/all.rs:2:4 function gets [receiver] at 4\n";
    assert_eq!(run.stdout, expected, "{}", run.stderr);
    assert!(run.stderr.contains("run: cargo test -- gets runs"), "{}", run.stderr);
    assert_eq!(tree.run(&["affected", "src/util.rs", "--gate"]).code, 1);
    assert_eq!(tree.run(&["affected", "--symbol", "send"]).code, 0);
    let lines = tree.json(&["affected", "src/lib.rs:8-8", "--json"]);
    assert_eq!(symbols(&lines), ["src/lib.rs:16 runs"]);
    // What nothing uses affects nothing.
    let run = tree.run(&["affected", "three.py", "--gate"]);
    assert_eq!((run.code, run.stdout.as_str()), (0, ""));
    let run = tree.run(&["affected"]);
    assert_eq!(run.code, 2);
    assert!(run.stderr.contains("write seekwell affected FILE..., --symbol NAME, or --diff [REV]"), "{}", run.stderr);
}

#[test]
fn affected_by_what_differs_from_a_revision() {
    if !has("git") {
        return pass_over("affected_by_what_differs_from_a_revision", "there is no git");
    }
    let tree = project();
    let git = |arguments: &[&str]| {
        let line = ["-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "init.defaultBranch=main"];
        let done = Command::new("git").args(line).args(arguments).current_dir(tree.path()).output().expect("git");
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    };
    git(&["init", "-q"]);
    git(&["add", "-A"]);
    git(&["commit", "-qm", "one"]);
    assert_eq!(tree.run(&["affected", "--diff", "--gate"]).code, 0);
    tree.write("src/util.rs", "/// Helps `Client`.\npub fn help() -> u32 {\n    7\n}\n");
    let answer = tree.json(&["affected", "--diff", "--json"]);
    assert_eq!(symbols(&answer), ["src/lib.rs:16 runs", "tests/all.rs:2 gets"]);
    git(&["commit", "-qam", "two"]);
    assert_eq!(tree.run(&["affected", "--diff", "--gate"]).code, 0);
    assert_eq!(symbols(&tree.json(&["affected", "--diff", "HEAD~1", "--json"])).len(), 2);
    let run = tree.run(&["affected", "--diff", "nowhere"]);
    assert_eq!(run.code, 2);
    assert!(run.stderr.contains("cannot compare with revision: nowhere"), "{}", run.stderr);
}

#[test]
fn what_is_not_there_ends_with_one_and_the_nearest_names() {
    let tree = project();
    for command in ["def", "refs", "callers", "callees", "impact", "mentions"] {
        let run = tree.run(&[command, "Clyent"]);
        assert_eq!((run.code, run.stdout.as_str()), (1, ""), "{command}");
        assert!(run.stderr.contains("not found: Clyent; nearest: Client"), "{command}: {}", run.stderr);
        let answer = tree.json(&[command, "Clyent", "--json"]);
        assert_eq!(answer["not_found"], true, "{command}");
        assert_eq!(words(&answer["nearest"]), ["Client"], "{command}");
    }
    let run = tree.run(&["outline", "src/nut.rs"]);
    assert_eq!(run.code, 2);
    assert!(run.stderr.contains("no such file or folder"), "{}", run.stderr);
    let run = tree.run(&["def", "  "]);
    assert_eq!(run.code, 2);
    assert!(run.stderr.contains("the name is empty"), "{}", run.stderr);
    // A name in other letters is found, and told.
    let run = tree.run(&["def", "CLIENT"]);
    assert_eq!(run.code, 0);
    assert!(run.stderr.contains("written otherwise in this tree: Client"), "{}", run.stderr);
}

#[test]
fn odd_trees_end_and_say_the_same_twice() {
    let tree = Tree::new(&[
        ("loop.php", "<?php\ntrait EnumTrait { use EnumTrait; function go() { $this->go(); self::go(); } }\n"),
        ("a.ts", "export * from './b';\nexport { lost } from './b';\nimport { lost } from './b';\nlost();\n"),
        ("b.ts", "export * from './a';\nexport { lost } from './a';\n"),
        (
            "self.py",
            "from self import *\nfrom . import self\nclass Own(Own):\n    def go(self):\n        super().go()\n        self.go()\ndef a(): b()\ndef b(): a()\n",
        ),
        ("x.rs", "pub use self::*;\ntrait T: T { fn t(&self) { self.t() } }\nimpl<X: T> T for X {}\nfn f() { f() }\n"),
        ("empty.rs", ""),
        ("broken.rs", "fn a( { impl } fn (b) { c( \n"),
        ("names.rs", "fn r#type() {}\nfn größe() { größe() }\n"),
    ]);
    for line in [
        &["map", "--json"][..],
        &["def", "go", "--json"],
        &["callers", "go", "--json"],
        &["callees", "Own", "--json"],
        &["impact", "a", "--depth", "0", "--json"],
        &["impact", "T", "--depth", "0", "--json"],
        &["path", "a", "a", "--json"],
        &["refs", "go", "--json"],
        &["refs", "größe", "--json"],
        &["outline", "broken.rs", "--json"],
        &["affected", "self.py", "a.ts", "x.rs", "--json"],
    ] {
        let (one, two) = (tree.run(line), tree.run(line));
        assert!(one.code < 2, "{line:?}: {}", one.stderr);
        assert_eq!(one, two, "{line:?}");
    }
    let answer = tree.json(&["impact", "a", "--depth", "0", "--json"]);
    assert_eq!(symbols(&answer), ["self.py:8 b"], "each symbol once");
}

/// A tree with more in it than a budget holds.
fn large() -> Tree {
    let tree = Tree::new(&[]);
    for file in 0..60 {
        let mut text = String::from("from hub import central_function\n");
        for function in 0..12 {
            text.push_str(&format!("def function_{file}_{function}(argument_one, argument_two):\n    \"\"\"Does number {function} \\\"quoted\\\" <b>.\"\"\"\n    central_function(argument_one)\n"));
        }
        tree.write(&format!("package_{}/module_{file}.py", file % 7), text);
    }
    tree.write("hub.py", "def central_function(x):\n    return x\n");
    tree.write("tests/test_hub.py", "from hub import central_function\ndef test_central():\n    central_function(1)\n");
    tree
}

#[test]
fn budgets_are_kept_to_the_byte_and_never_empty() {
    let tree = large();
    for budget in [64, 100, 256, 300, 1_000, 4_000, 16_000] {
        let tokens = budget.to_string();
        for line in [
            &["map"][..],
            &["map", "--for", "call the central function"],
            &["map", "--format", "mermaid"],
            &["refs", "central_function"],
            &["callers", "central_function"],
            &["impact", "central_function"],
            &["impact", "central_function", "--by-file"],
            &["def", "function_1_1"],
            &["affected", "hub.py"],
            &["outline", "package_0/module_0.py"],
        ] {
            let run = tree.run(&[line, &["--budget", &tokens]].concat());
            assert_eq!(run.code, 0, "{line:?}: {}", run.stderr);
            assert!(run.stdout.len() <= budget * 4, "{line:?}: {} bytes for {budget} tokens", run.stdout.len());
            assert!(!run.stdout.is_empty(), "{line:?} within {budget}");
        }
        if budget < 256 {
            continue;
        }
        for (line, list) in [
            (&["map", "--json"][..], "files"),
            (&["map", "--json", "--for", "call the central function"], "files"),
            (&["refs", "central_function", "--json"], "references"),
            (&["callers", "central_function", "--json"], "symbols"),
            (&["impact", "central_function", "--json"], "symbols"),
            (&["def", "function_1_1", "--json"], "symbols"),
            (&["affected", "hub.py", "--json"], "symbols"),
        ] {
            let run = tree.run(&[line, &["--budget", &tokens]].concat());
            assert!(run.stdout.len() <= budget * 4, "{line:?}: {} bytes for {budget} tokens", run.stdout.len());
            let answer: Value =
                serde_json::from_str(&run.stdout).unwrap_or_else(|e| panic!("{line:?}: {e}: {}", run.stdout));
            let shown = answer[list].as_array().expect("a list").len() as u64;
            assert!(shown > 0, "{line:?} within {budget}");
            assert_eq!(
                answer["truncated"].as_bool(),
                Some(shown < answer["total"].as_u64().unwrap() || answer["truncated"] == true),
                "{line:?}"
            );
        }
    }
    let xml = tree.run(&["map", "--format", "xml", "--budget", "300"]).stdout;
    assert!(xml.len() <= 1_200 && xml.starts_with("<map ") && xml.ends_with("</map>\n"), "{xml}");
    assert!(!xml.contains("<b>"), "what stands in files is escaped: {xml}");
}

#[test]
fn pages_of_rows_follow_each_other() {
    let tree = large();
    let whole = tree.json(&["callers", "central_function", "--json"]);
    let mut pages = Vec::new();
    let mut cursor: Option<String> = None;
    loop {
        let mut line = vec!["callers", "central_function", "--json", "-n", "250"];
        if let Some(cursor) = &cursor {
            line.extend(["--cursor", cursor.as_str()]);
        }
        let page = tree.json(&line);
        pages.extend(symbols(&page));
        assert_eq!(page["total"], whole["total"]);
        match page["next"].as_str() {
            Some(next) => cursor = Some(next.to_owned()),
            None => break,
        }
    }
    assert_eq!(pages, symbols(&whole));
    let run = tree.run(&["callers", "central_function", "-n", "1", "--cursor", "nonsense"]);
    assert_eq!(run.code, 0);
    assert!(run.stderr.contains("the cursor is damaged"), "{}", run.stderr);
}

#[test]
fn a_map_names_the_code_before_its_tests_and_is_for_a_task() {
    let tree = large();
    tree.write("zoo/feed.py", "def feed_animals(food):\n    \"\"\"Gives food to the hungry animals.\"\"\"\n    weigh_food(food)\ndef weigh_food(food):\n    return food\n");
    let paths = |line: &[&str]| -> Vec<String> {
        let answer = tree.json(line);
        answer["files"].as_array().unwrap().iter().map(|f| f["path"].as_str().unwrap().to_owned()).collect()
    };
    let general = paths(&["map", "--json", "-n", "100"]);
    assert_eq!(general[0], "hub.py");
    assert_eq!(general.last().map(String::as_str), Some("tests/test_hub.py"));
    let task = paths(&["map", "--json", "--for", "give food to hungry animals"]);
    assert_eq!(task[0], "zoo/feed.py");
    let page = tree.run(&["map", "--format", "html"]).stdout;
    assert!(page.starts_with("<!doctype html>") && page.ends_with("</html>\n") && page.contains("hub.py"));
    assert!(!page.contains("http://") && !page.contains("https://") && !page.contains("<script"), "it stands alone");
    let graph = tree.run(&["map", "--format", "mermaid"]).stdout;
    assert!(graph.starts_with("graph LR\n") && graph.contains("-->"), "{graph}");
}
