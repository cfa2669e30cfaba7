//! No network, and no model where none is needed.

use seekwell_core::analyse::Analyst;
use seekwell_core::find::Finder;
use seekwell_core::generation::{Builder, Generation};
use seekwell_core::table::{PackedRows, Table};
use seekwell_languages::LANGUAGES;
use seekwell_types::{Answer, Mode, Query};

use super::support::{Tree, command, command_by, has, is_root, pass_over, run};

const FILES: [(&str, &str); 4] = [
    ("a.py", "def parse_invoice(text):\n    \"\"\"Parses an invoice.\"\"\"\n    return text\n"),
    ("b.rs", "/// Sends an invoice.\npub fn send_invoice() {}\n"),
    ("c.md", "# Invoices\n\nAn invoice is sent by `send_invoice`.\n"),
    ("d.toml", "[invoice]\ncurrency = \"EUR\"\n"),
];

#[test]
fn without_a_network_everything_is_the_same() {
    if !is_root() || !has("unshare") {
        return pass_over("without_a_network_everything_is_the_same", "no right to make a network of its own");
    }
    let tree = Tree::new(&FILES);
    for line in [
        &["send an invoice", "--json"][..],
        &["parse_invoice"],
        &["invoice", "--mode", "semantic", "--json"],
        &["status", "--json"],
        &["--files"],
    ] {
        let alone = run(&mut command_by(&["unshare", "-n"], &tree.path(), line));
        let usual = run(&mut command(&tree.path(), line));
        assert_eq!(alone, usual, "{line:?}");
        assert_eq!(usual.code, 0, "{line:?}: {}", usual.stderr);
    }
}

#[test]
fn without_a_home_a_cache_or_a_variable_everything_is_the_same() {
    let tree = Tree::new(&FILES);
    let line = ["send an invoice", "--json"];
    let usual = run(&mut command(&tree.path(), &line));
    let bare = run(command(&tree.path(), &line).env_clear());
    assert_eq!(bare, usual);
    let unwritable = run(command(&tree.path(), &line).env("SEEKWELL_CACHE", "/dev/null/no/folder"));
    assert_eq!(unwritable, usual);
}

/// Nothing is written into the tree.
#[test]
fn a_search_leaves_no_trace_in_the_tree() {
    let tree = Tree::new(&FILES);
    let list = || {
        let mut names: Vec<_> =
            std::fs::read_dir(tree.path()).expect("a folder").map(|e| e.expect("an entry").file_name()).collect();
        names.sort();
        names
    };
    let before = list();
    for line in [&["invoice"][..], &["status"], &["--files"], &["-F", "invoice"]] {
        assert_eq!(tree.run(line).code, 0);
    }
    assert_eq!(list(), before);
}

/// A table that must not be asked.
struct Untouchable;

impl Table for Untouchable {
    fn pieces(&self, _: &str, _: &mut Vec<u16>) {
        panic!("the table was asked for pieces")
    }
    fn add_row(&self, _: &mut [f32], _: u16, _: f32) {
        panic!("the table was asked for a row")
    }
    fn normalize(&self, _: &mut [f32]) -> bool {
        panic!("the table was asked to normalise")
    }
    fn quantize(&self, _: &[f32], _: &mut Vec<i8>) -> f32 {
        panic!("the table was asked to quantise")
    }
    fn dot(&self, _: &[i8], _: &[i8]) -> i32 {
        panic!("the table was asked for a product")
    }
    fn pack(&self, _: &[f32], _: &mut PackedRows<Vec<u8>>) {
        panic!("the table was asked to pack")
    }
    fn dots_packed(&self, _: PackedRows<&[u8]>, _: [&[i8]; 2], _: &mut Vec<[i32; 2]>) {
        panic!("the table was asked for products")
    }
    fn squares_packed(&self, _: PackedRows<&[u8]>, _: &mut Vec<i32>) {
        panic!("the table was asked for lengths")
    }
    fn packed_bytes(&self) -> PackedRows<usize> {
        panic!("the table was asked for the size of a row")
    }
    fn dimensions(&self) -> usize {
        panic!("the table was asked for its size")
    }
    fn len(&self) -> usize {
        panic!("the table was asked for its length")
    }
}

fn generation(table: Option<&'static dyn Table>) -> Generation {
    let mut analyst = Analyst::new(LANGUAGES, table);
    let mut builder = Builder::new(LANGUAGES, table).expect("a builder");
    for (path, text) in FILES {
        builder.add(path, analyst.analyse(path, text.as_bytes(), None).expect("text")).expect("added");
    }
    builder.commit().expect("committed")
}

fn ask(generation: &Generation, table: Option<&'static dyn Table>, mode: Mode, text: &str) -> Answer {
    let query = Query { text: text.to_owned(), mode, limit: 10, ..Query::default() };
    Finder::new(generation, LANGUAGES, table).find(&query, &[]).expect("an answer")
}

#[test]
fn keyword_questions_are_answered_without_a_table() {
    let bare = generation(None);
    assert!(bare.dense.is_none());
    let whole = generation(Some(&seekwell_models::StaticTable));
    assert!(whole.dense.is_some());
    for text in ["send_invoice", "parse an invoice", "currency", "where is the invoice sent", "no such word xyzzy"] {
        let answer = ask(&bare, None, Mode::Keyword, text);
        assert_eq!(answer.not_found, text.ends_with("xyzzy"), "{text}: {answer:?}");
        // Nobody asks a table that is there, and vectors that are there do not show.
        assert_eq!(ask(&bare, Some(&Untouchable), Mode::Keyword, text), answer, "{text}");
        assert_eq!(ask(&whole, Some(&Untouchable), Mode::Keyword, text), answer, "{text}");
    }
    assert_eq!(ask(&bare, None, Mode::Keyword, "send_invoice").hits[0].path, "b.rs");
}

/// So that the check above can fail.
#[test]
#[should_panic(expected = "the table was asked")]
fn other_questions_do_ask_the_table() {
    ask(&generation(Some(&seekwell_models::StaticTable)), Some(&Untouchable), Mode::Semantic, "send an invoice");
}

#[test]
fn the_binary_answers_keyword_questions_as_the_library_does_without_a_table() {
    let tree = Tree::new(&FILES);
    let bare = generation(None);
    for text in ["send_invoice", "parse an invoice", "currency"] {
        let answer = ask(&bare, None, Mode::Keyword, text);
        let library: Vec<String> = answer.hits.iter().map(|hit| hit.path.clone()).collect();
        assert_eq!(tree.paths(text, &["--mode", "keyword"]), library, "{text}");
    }
}
