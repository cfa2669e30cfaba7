//! Ranking guarded by a file: every question of `truth/*.tsv` is asked of its small corpus, and the rank of its answer must
//! be what `ranks.csv` says. A change of the ranking shows in review as lines of that file that move; `UPDATE_RANKS=1`
//! rewrites it.
//!
//! The corpora are the fixtures of this suite and the samples of the languages: small, ours, and they change seldom.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use seekwell::component::Component;
use seekwell::engine::Engine;
use seekwell::session::Session;
use seekwell_tests::fixture;
use seekwell_tests::native::Native;
use seekwell_tests::request;
use seekwell_types::Query;

fn top() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).to_owned()
}

/// Corpus, question and the path that answers it.
fn questions() -> Vec<(String, String, String)> {
    let entries = std::fs::read_dir(top().join("truth")).expect("truth");
    let mut files: Vec<PathBuf> =
        entries.map(|e| e.expect("entry").path()).filter(|p| p.extension().is_some_and(|e| e == "tsv")).collect();
    files.sort();
    let mut all = Vec::new();
    for file in files {
        let text = std::fs::read_to_string(&file).expect("questions");
        let mut corpus = String::new();
        for line in text.lines().filter(|l| !l.trim().is_empty()) {
            if let Some(name) = line.strip_prefix("# corpus: ") {
                corpus = name.trim().to_owned();
            } else {
                let (question, path) = line.split_once('\t').expect("question, tab, path");
                all.push((corpus.clone(), question.trim().to_owned(), path.trim().to_owned()));
            }
        }
    }
    all
}

/// A folder with the corpus: a folder of this repository, or a fixture written out.
fn corpus(name: &str) -> (PathBuf, Option<tempfile::TempDir>) {
    let path = top().join(name);
    if path.is_dir() {
        return (path, None);
    }
    let folder = tempfile::tempdir().expect("folder");
    fixture::parse(&std::fs::read_to_string(path).expect("corpus")).write(folder.path()).expect("files");
    (folder.path().to_owned(), Some(folder))
}

fn ranks(engine: &dyn Engine) -> String {
    let mut csv = "corpus,question,answer,rank\n".to_owned();
    let session = Session::new(engine);
    let questions = questions();
    for group in questions.chunk_by(|a, b| a.0 == b.0) {
        let (folder, _guard) = corpus(&group[0].0);
        let query = Query { limit: 50, per_file: 1, ..Query::default() };
        let mut ask = request(vec![folder], query.clone());
        ask.walk.hidden = true;
        let mut corpus = session.corpus(&ask).expect("corpus");
        for (name, question, path) in group {
            let answer = corpus.find(&Query { text: question.clone(), ..query.clone() }).expect("answer");
            let rank =
                answer.hits.iter().position(|h| h.path == *path || h.also_in.contains(path)).map_or(0, |at| at + 1);
            let _ = writeln!(csv, "{name},\"{}\",{path},{rank}", question.replace('"', "\"\""));
        }
    }
    csv
}

#[test]
fn ranks_are_as_committed() {
    let found = ranks(&Native);
    let file = top().join("ranks.csv");
    if std::env::var_os("UPDATE_RANKS").is_some() {
        std::fs::write(&file, &found).expect("ranks.csv");
    }
    let committed = std::fs::read_to_string(&file).expect("ranks.csv");
    let moved: Vec<(&str, &str)> = committed.lines().zip(found.lines()).filter(|(a, b)| a != b).collect();
    assert!(moved.is_empty() && committed == found, "ranks moved (UPDATE_RANKS=1 accepts them): {moved:#?}");
}

#[test]
fn the_component_ranks_alike() {
    assert_eq!(ranks(Component::shared().expect("component")), ranks(&Native));
}
