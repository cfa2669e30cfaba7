//! A tree that stays open answers as one that is read for the first time, whatever happens to its files.

use std::path::Path;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use seekwell::progress::{Progress, Quiet};
use seekwell::session::{self, Error, Live, LiveOptions, Outcome, StoreUse};
use seekwell_tests::request;
use seekwell_types::structure::StructureQuery;
use seekwell_types::{Mode, Query};
use tempfile::TempDir;

/// The store of this process, set before anything reads the environment.
static CACHE: LazyLock<TempDir> = LazyLock::new(|| {
    let cache = TempDir::new().expect("a folder");
    #[allow(unsafe_code, reason = "every test comes through here before it does anything else")]
    unsafe {
        std::env::set_var("SEEKWELL_CACHE", cache.path());
    }
    cache
});

const FILES: [(&str, &str); 5] = [
    (
        "src/retry.rs",
        "use crate::pause::pause;\n\n/// Calls again after a pause that doubles.\npub fn with_retry(n: u32) { for _ in 0..n { pause(); } }\n",
    ),
    ("src/pause.rs", "pub fn pause() { std::thread::sleep(std::time::Duration::from_secs(1)); }\n"),
    ("src/main.rs", "mod pause; mod retry;\nfn main() { retry::with_retry(3); }\n"),
    ("lib/load.py", "def load_table(path):\n    \"\"\"Reads a table of numbers.\"\"\"\n    return open(path).read()\n"),
    ("README.md", "# Sample\n\nRetries with exponential backoff.\n"),
];

fn tree() -> TempDir {
    LazyLock::force(&CACHE);
    let tree = TempDir::new().expect("a folder");
    FILES.iter().for_each(|(path, text)| write(tree.path(), path, text));
    tree
}

fn write(root: &Path, path: &str, text: &str) {
    let full = root.join(path);
    std::fs::create_dir_all(full.parent().expect("a folder")).expect("a folder");
    std::fs::write(full, text).expect("a file");
}

fn open(root: &Path) -> std::sync::Arc<Live> {
    Live::open(root, LiveOptions::default()).expect("it opens")
}

fn query(text: &str) -> Query {
    Query { text: text.to_owned(), limit: 10, explain: true, ..Query::default() }
}

fn ask(live: &Live, text: &str) -> Outcome {
    live.search(&query(text), None, &Quiet).expect("an answer")
}

/// The outcome without what depends on how it was come by.
fn bare(outcome: Outcome) -> Outcome {
    Outcome { source: session::Source::Memory, upkeep: session::Upkeep::default(), ..outcome }
}

fn fresh(root: &Path, text: &str) -> Outcome {
    bare(session::search(&request(vec![root.to_owned()], query(text))).expect("an answer"))
}

fn paths(outcome: &Outcome) -> Vec<&str> {
    outcome.answer.hits.iter().map(|hit| &hit.path[..]).collect()
}

#[test]
fn after_any_change_it_answers_as_one_that_was_just_read() {
    let tree = tree();
    let root = tree.path();
    let live = open(root);
    let steps: [&dyn Fn(); 6] = [
        &|| {},
        &|| write(root, "src/retry.rs", "pub fn try_again() {}\n"),
        &|| write(root, "src/backoff.rs", "/// Exponential backoff.\npub fn backoff(n: u32) -> u32 { 1 << n }\n"),
        &|| std::fs::rename(root.join("lib/load.py"), root.join("lib/read.py")).expect("renamed"),
        &|| std::fs::remove_file(root.join("README.md")).expect("removed"),
        &|| write(root, ".gitignore", "src/\n"),
    ];
    for (n, step) in steps.iter().enumerate() {
        step();
        live.touched();
        for text in ["retry with exponential backoff", "load_table", "\"std::thread\"", "zebra"] {
            assert_eq!(bare(ask(&live, text)), fresh(root, text), "step {n}: {text}");
        }
        let found = |mode| {
            let query = Query { mode, ..query("backoff|retry") };
            live.search(&query, None, &Quiet).expect("an answer").answer.total
        };
        let total = [found(Mode::Exact), found(Mode::Regex), found(Mode::Keyword)];
        let asked = |mode| {
            let query = Query { mode, ..query("backoff|retry") };
            session::search(&request(vec![root.to_owned()], query)).expect("an answer").answer.total
        };
        assert_eq!(total, [asked(Mode::Exact), asked(Mode::Regex), asked(Mode::Keyword)], "step {n}");
    }
}

#[test]
fn the_system_tells_of_changes() {
    let tree = tree();
    let live = open(tree.path());
    assert!(!paths(&ask(&live, "zebra")).contains(&"src/zebra.rs"));
    write(tree.path(), "src/zebra.rs", "pub fn zebra() {}\n");
    let begun = Instant::now();
    while paths(&ask(&live, "zebra")).first() != Some(&"src/zebra.rs") {
        assert!(begun.elapsed() < Duration::from_secs(20), "the new file is not found: {:?}", live.unwatched());
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn what_is_not_saved_counts_and_is_not_kept() {
    let tree = tree();
    let root = tree.path();
    let live = open(root);
    let callers = |name: &str| {
        let query = StructureQuery::Callers { name: name.to_owned() };
        live.structure(&query, None, &Quiet).expect("an answer").answer.rows.len()
    };
    // Before the first question, as an editor does that opens with a changed file.
    live.overlay("src/main.rs", Some(b"fn main() { zebra(); }\nfn zebra() { pause::pause(); }\nmod pause;\n".to_vec()));
    assert_eq!((callers("pause"), callers("with_retry")), (2, 0));
    assert_eq!(paths(&ask(&live, "zebra"))[0], "src/main.rs");
    assert!(ask(&live, "zebra").snippets[0].text.contains("zebra"));
    // Another process, with the same store.
    let other = session::Request { store: StoreUse::Existing, ..request(vec![root.to_owned()], query("zebra")) };
    let other = session::search(&other).expect("an answer");
    assert_eq!(other.source, session::Source::Store);
    assert_eq!(bare(other), fresh(root, "zebra"));
    live.overlay("src/main.rs", Some(b"fn main() { quagga() }\nfn quagga() {}\n".to_vec()));
    assert_eq!(bare(ask(&live, "zebra")).answer.weak, fresh(root, "zebra").answer.weak);
    assert_eq!(paths(&ask(&live, "quagga"))[0], "src/main.rs");
    live.overlay("src/main.rs", None);
    assert_eq!(bare(ask(&live, "quagga")), fresh(root, "quagga"));
    assert_eq!((callers("pause"), callers("with_retry")), (1, 1));
    assert_eq!(live.read("src/main.rs").expect("it is there"), FILES[2].1.as_bytes());
}

#[test]
fn a_file_that_was_never_saved_counts_where_it_would_be() {
    let tree = tree();
    let root = tree.path();
    write(root, ".gitignore", "*.gen.rs\n");
    let live = open(root);
    let definitions = |name: &str| {
        let query = StructureQuery::Definitions { name: name.to_owned() };
        let rows = live.structure(&query, None, &Quiet).expect("an answer").answer.rows;
        rows.into_iter().filter_map(|row| Some(row.symbol?.path)).collect::<Vec<_>>()
    };
    assert_eq!(definitions("zebra"), [""; 0]);
    for path in ["src/zebra.rs", "src/zebra.gen.rs", "none/zebra.rs"] {
        live.overlay(path, Some(b"pub fn zebra() { crate::pause::pause() }\n".to_vec()));
    }
    assert_eq!(definitions("zebra"), ["src/zebra.rs"], "neither what is ignored nor what has no folder");
    let hits = ask(&live, "zebra");
    assert_eq!(paths(&hits)[0], "src/zebra.rs");
    assert!(hits.snippets[0].text.contains("fn zebra"));
    live.overlay("src/zebra.rs", None);
    assert_eq!(definitions("zebra"), [""; 0]);
}

#[test]
fn without_patience_the_most_promising_files_come_first() {
    let tree = tree();
    for n in 0..600 {
        write(tree.path(), &format!("many/f{n:03}.rs"), &format!("pub fn number_{n}() -> u32 {{ {n} }}\n"));
    }
    write(tree.path(), "zoo/last.rs", "pub fn count_zebras() {}\n");
    let live = open(tree.path());
    let part = live.search(&query("count the zebras"), Some(Duration::ZERO), &Quiet).expect("an answer");
    assert!(part.partial && part.generation.files < 606, "{:?}", part.generation);
    assert_eq!(paths(&part)[0], "zoo/last.rs");
    assert!(part.answer.notes.iter().any(|note| note.contains("of 606 files")), "{:?}", part.answer.notes);
    let whole = ask(&live, "count the zebras");
    assert!(!whole.partial);
    assert_eq!(bare(whole), fresh(tree.path(), "count the zebras"));
    assert!(live.is_whole() && live.work().is_none());
}

struct Stopped(AtomicBool);

impl Progress for Stopped {
    fn stage(&self, _name: &str, _total: u64) {}
    fn advance(&self, _steps: u64) {}
    fn cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

#[test]
fn whoever_wants_no_answer_gets_none() {
    let tree = tree();
    let live = open(tree.path());
    let stopped = Stopped(AtomicBool::new(true));
    assert_eq!(live.search(&query("retry"), None, &stopped), Err(Error::Cancelled));
    stopped.0.store(false, Ordering::Relaxed);
    assert_eq!(
        live.search(&query("with_retry"), None, &stopped).expect("an answer").answer.hits[0].path,
        "src/retry.rs"
    );
    // The tree is held: what is asked of it now is stopped between one file and the next, and the tree still answers.
    let references = StructureQuery::References { name: "pause".to_owned(), found: Vec::new() };
    let whole = live.structure(&references, None, &stopped).expect("an answer");
    stopped.0.store(true, Ordering::Relaxed);
    assert_eq!(live.structure(&references, None, &stopped), Err(Error::Cancelled));
    assert_eq!(live.search(&query("with_retry"), None, &stopped), Err(Error::Cancelled));
    stopped.0.store(false, Ordering::Relaxed);
    assert_eq!(live.structure(&references, None, &stopped), Ok(whole));
}

#[test]
fn nothing_outside_of_the_tree_is_read() {
    let tree = tree();
    let live = open(tree.path());
    for path in ["../x", "/etc/passwd", "src/../../x", "src", "none.rs"] {
        assert!(matches!(live.read(path), Err(Error::Unreadable { .. })), "{path}");
    }
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("/etc/passwd", tree.path().join("link")).expect("a link");
        assert!(live.read("link").is_err());
    }
    assert!(Live::open(&tree.path().join("none"), LiveOptions::default()).is_err());
}
