//! Filters act before anything is ranked: what they leave is found, however many better places they take away.

use std::time::{Duration, SystemTime};

use super::support::{Tree, hits, paths};

/// One modest answer of each kind among 150 that are better.
fn tree() -> Tree {
    let tree = Tree::new(&[
        ("far/away/ledger.rs", "/// Keeps the invoice total.\npub struct Ledger {\n    rows: Vec<u32>,\n}\n"),
        ("docs/billing.md", "# Billing\n\nAn invoice has a total.\n"),
        ("settings.yaml", "billing:\n  invoice: total\n"),
        ("notes/plain.txt", "a total, of an invoice\n"),
    ]);
    for number in 0..150 {
        let text = format!(
            "def parse_invoice_total_{number}(text):\n    \"\"\"Parses the invoice total from a text.\"\"\"\n    return parse(text)\n"
        );
        tree.write(&format!("src/parse_invoice_{number}.py"), text);
    }
    tree
}

const QUESTION: &str = "parse the invoice total";

#[test]
fn each_filter_finds_the_one_it_leaves() {
    let tree = tree();
    let cases: [(&[&str], &str); 10] = [
        (&["-t", "rust"], "far/away/ledger.rs"),
        (&["-t", "rs"], "far/away/ledger.rs"),
        (&["-g", "*.rs"], "far/away/ledger.rs"),
        (&["-g", "!src/**", "-g", "!*.{md,yaml,txt}"], "far/away/ledger.rs"),
        (&["--path", "far"], "far/away/ledger.rs"),
        (&["--path", "./far/away/"], "far/away/ledger.rs"),
        (&["--path", "docs/billing.md"], "docs/billing.md"),
        (&["--content", "config"], "settings.yaml"),
        (&["--exclude-ext", "py,md,yaml,txt"], "far/away/ledger.rs"),
        (&["--exclude", "/src/", "-t", "yaml"], "settings.yaml"),
    ];
    for mode in ["hybrid", "keyword"] {
        for (options, expected) in cases {
            let found = tree.paths(QUESTION, &[options, &["--mode", mode]].concat());
            assert_eq!(found, [expected], "{mode} {options:?}");
        }
    }
    for options in [&["--path", "docs"][..], &["-t", "markdown"], &["-g", "*.md"]] {
        assert_eq!(
            tree.paths(QUESTION, &[options, &["--mode", "semantic"]].concat()),
            ["docs/billing.md"],
            "{options:?}"
        );
    }
    let mut docs = tree.paths(QUESTION, &["--content", "docs"]);
    docs.sort();
    assert_eq!(docs, ["docs/billing.md", "notes/plain.txt"]);
}

#[test]
fn a_kind_is_looked_for_before_ranking() {
    let tree = tree();
    for mode in ["hybrid", "keyword"] {
        assert_eq!(tree.paths(QUESTION, &["--kind", "class", "--mode", mode]), ["far/away/ledger.rs"], "{mode}");
    }
}

#[test]
fn a_kind_is_held_to() {
    let tree = tree();
    for (kind, options) in
        [("class", &["-t", "rust"][..]), ("function", &["-n", "30"]), ("section", &["--content", "docs"])]
    {
        let answer = tree.ask("invoice total", &[&["--kind", kind], options].concat());
        assert!(!hits(&answer).is_empty(), "{kind}");
        assert!(hits(&answer).iter().all(|hit| hit["kind"] == kind), "{kind}: {answer}");
    }
    assert!(hits(&tree.ask("invoice total", &["--kind", "enum"])).is_empty());
    // Another language's word for it.
    assert_eq!(tree.ask("invoice", &["--kind", "struct"])["hits"], tree.ask("invoice", &["--kind", "class"])["hits"]);
}

#[test]
fn every_kind_that_answers_name_can_be_asked_for() {
    let tree = tree();
    tree.write("data.csv", "invoice,total\n1,2\n");
    let all = tree.ask("invoice total", &["-n", "500", "--exclude", "/src/"]);
    for kind in ["text", "section", "class"] {
        let mut expected: Vec<_> =
            hits(&all).iter().filter(|hit| hit["kind"] == kind).map(|hit| hit["path"].clone()).collect();
        let found = tree.ask("invoice total", &["-n", "500", "--exclude", "/src/", "--kind", kind]);
        let mut found: Vec<_> = hits(&found).iter().map(|hit| hit["path"].clone()).collect();
        expected.sort_by_key(ToString::to_string);
        found.sort_by_key(ToString::to_string);
        assert_eq!(found, expected, "{kind}");
    }
}

#[test]
fn only_what_changed_since() {
    let tree = tree();
    let old = SystemTime::now() - Duration::from_secs(10 * 86_400);
    for number in 0..150 {
        let path = tree.path().join(format!("src/parse_invoice_{number}.py"));
        std::fs::File::options().append(true).open(path).and_then(|f| f.set_modified(old)).expect("our own file");
    }
    for since in ["9d", "1w", "30m", "200h"] {
        let answer = tree.ask(QUESTION, &["--since", since]);
        assert_eq!((hits(&answer).len(), &answer["index"]["files"]), (4, &4.into()), "{since}");
        assert!(paths(&answer).iter().all(|path| !path.starts_with("src/")), "{since}");
    }
    assert_eq!(tree.ask(QUESTION, &["--since", "11d"])["index"]["files"], 154);
    assert_eq!(tree.ask(QUESTION, &["--since", "2020-01-01"])["index"]["files"], 154);
}

#[test]
fn the_list_of_files_obeys_the_filters() {
    let tree = tree();
    for options in [&["-t", "rust"][..], &["-g", "*.rs"], &["--path", "far"]] {
        assert_eq!(tree.run(&[&["--files"], options].concat()).stdout, "far/away/ledger.rs\n", "{options:?}");
    }
}

/// A word in other letters, or two words where one is meant, is the same filter.
#[test]
fn filters_combine_by_and_lists_by_or() {
    let tree = tree();
    let count = |options: &[&str]| tree.ask("invoice", &[options, &["-F", "-n", "500"]].concat())["total"].clone();
    assert_eq!(count(&["-t", "python"]), 150);
    assert_eq!(count(&["-t", "PYTHON,rust"]), 151);
    assert_eq!(count(&["-t", "py", "-t", "md", "-t", "yml"]), 152);
    assert_eq!(count(&["-t", "python", "-g", "*_1?.py"]), 10);
    assert_eq!(count(&["-t", "python", "--path", "docs"]), 0);
    assert_eq!(count(&["-g", "*.md", "-g", "*.txt"]), 2);
}
