//! Prints the speed of tokenization and embedding on a folder of source code, next to the `tokenizers` crate.
//!
//! ```text
//! cargo run --release -p seekwell-models --example throughput -- ~/.cargo/registry/src
//! ```
//!
//! *distinct words* is the engine's way: each file's words once, which is where it asks for pieces. Its MB/s count the whole
//! text as read. One thread.

use seekwell_core::table::Table;
use seekwell_models::StaticTable;
use std::collections::BTreeSet;
use std::hint::black_box;
use std::path::Path;
use std::time::{Duration, Instant};
use tokenizers::Tokenizer;

/// Enough for stable figures; the reference takes about a second for two of these.
const MOST_BYTES: usize = 64 << 20;
const REFERENCE_BYTES: usize = 8 << 20;

fn main() {
    let folder = std::env::args().nth(1).expect("usage: throughput FOLDER");
    let mut texts = Vec::new();
    collect(Path::new(&folder), &mut texts, &mut 0);
    let bytes: usize = texts.iter().map(String::len).sum();
    println!("{} files, {:.1} MB", texts.len(), bytes as f64 / 1e6);

    let mut ids = Vec::new();
    let time = timed(|| texts.iter().for_each(|text| StaticTable.pieces(text, &mut ids)));
    rate("pieces, whole text", bytes, time);
    println!("{:>28} {:.1} million tokens a second", "", ids.len() as f64 / time.as_secs_f64() / 1e6);

    let words: Vec<BTreeSet<&str>> = texts.iter().map(|text| text.split(boundary).collect()).collect();
    let distinct: usize = words.iter().map(BTreeSet::len).sum();
    let mut out = Vec::new();
    let time = timed(|| words.iter().flatten().for_each(|word| StaticTable.pieces(word, &mut out)));
    rate("pieces, distinct words", bytes, time);
    println!("{:>28} {:.0} ns a word", "", time.as_secs_f64() * 1e9 / distinct as f64);

    let mut sum = vec![0.0; StaticTable.dimensions()];
    let time = timed(|| ids.iter().for_each(|id| StaticTable.add_row(&mut sum, *id, 1.5)));
    println!("{:>28} {:.1} ns a row", "add_row", time.as_secs_f64() * 1e9 / ids.len() as f64);
    let mut codes = Vec::new();
    StaticTable.quantize(&sum, &mut codes);
    let codes = black_box(codes);
    let time = timed(|| {
        black_box(ids.iter().map(|_| i64::from(StaticTable.dot(&codes, black_box(&codes)))).sum::<i64>());
    });
    println!("{:>28} {:.1} ns a pair of rows", "dot", time.as_secs_f64() * 1e9 / ids.len() as f64);

    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/static-code-16k-128-int8/tokenizer.json");
    let reference = Tokenizer::from_file(file).expect("the tokenizer loads");
    let mut read = 0;
    let some = texts.iter().take_while(|text| {
        read += text.len();
        read <= REFERENCE_BYTES
    });
    let some: Vec<&String> = some.collect();
    let time = timed(|| some.iter().for_each(|text| drop(black_box(reference.encode_fast(text.as_str(), false)))));
    rate("tokenizers::encode_fast", some.iter().map(|text| text.len()).sum(), time);
}

fn boundary(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\n' | '\r') || c.is_ascii_punctuation()
}

fn timed(work: impl FnOnce()) -> Duration {
    let start = Instant::now();
    work();
    start.elapsed()
}

fn rate(what: &str, bytes: usize, time: Duration) {
    println!("{what:>28} {:.1} MB/s", bytes as f64 / time.as_secs_f64() / 1e6);
}

/// Reads the source files below a folder, in order of name.
fn collect(folder: &Path, texts: &mut Vec<String>, bytes: &mut usize) {
    let mut paths: Vec<_> = std::fs::read_dir(folder).expect("a folder").flatten().map(|e| e.path()).collect();
    paths.sort();
    for path in paths {
        if *bytes > MOST_BYTES {
            return;
        }
        if path.is_dir() {
            collect(&path, texts, bytes);
        } else if path.extension().is_some_and(|e| ["rs", "md", "c", "h", "js", "py", "go"].iter().any(|x| e == *x)) {
            // The parser.c of tree-sitter are megabytes of numbers, not code that anybody searches.
            if let Ok(text) = std::fs::read_to_string(&path)
                && text.len() < 1 << 20
            {
                *bytes += text.len();
                texts.push(text);
            }
        }
    }
}
