//! Lists and facts as plain lines: the files of a tree, what is not searched, what is known.

use std::fmt::Write as _;

use seekwell_types::Skipped;

use super::counted;
use super::lines::inert;
use super::rows;
use super::terminal::skipped_words;
use crate::outcome::{Cleaned, FileList, IndexStatus, Indexed, Status, Upkeep};

/// The files that would be searched, each followed by `end`. Paths are as on disk, for whoever reads them next.
pub fn files(list: &FileList, prefix: &str, end: char) -> String {
    list.files.iter().map(|path| format!("{prefix}{path}{end}")).collect()
}

/// What is known of a tree, a line a fact.
pub fn status(status: &Status) -> String {
    let Status { root, generation, skipped, partial, source, engine, model, device, index } = status;
    let mut text = String::new();
    let mut fact = |name: &str, value: &str| {
        if !value.is_empty() {
            let _ = writeln!(text, "{name}: {}", inert(value));
        }
    };
    fact("root", &root.to_string_lossy());
    fact("engine", engine);
    fact("model", model);
    fact("device", device);
    fact("generation", &generation.id);
    fact("source", rows::source_word(*source));
    fact("complete", if *partial { "no, searched in part" } else { "" });
    fact("files", &generation.files.to_string());
    fact("chunks", &generation.chunks.to_string());
    fact("symbols", &generation.symbols.to_string());
    let languages: Vec<String> = generation.languages.iter().map(|(id, files)| format!("{files} {id}")).collect();
    fact("languages", &languages.join(", "));
    fact("skipped", &if skipped.is_empty() { "0".to_owned() } else { skipped_words(skipped) });
    for lossy in &generation.lossy {
        fact("lossy", &format!("{} (read as {})", lossy.path, lossy.encoding));
    }
    for degraded in &generation.degraded {
        fact("as text only", &format!("{} ({})", degraded.path, degraded.reason));
    }
    for (name, value) in index_facts(index) {
        fact(name, &value);
    }
    text
}

/// What is known of an index, each with its name.
fn index_facts(index: &IndexStatus) -> Vec<(&'static str, String)> {
    let IndexStatus { exists, location, bytes, store_bytes, other_engine, stale, carried, troubles } = index;
    let mut facts = Vec::new();
    let size = |bytes: u64| format!("{:.1} MB", bytes as f64 / 1e6);
    facts.push(match exists {
        true => {
            let (own, all) = (size(*bytes), size(*store_bytes));
            ("index", format!("{}, {own} (all trees together {all})", location.to_string_lossy()))
        }
        false => ("index", "none; seekwell index makes one".to_owned()),
    });
    if !other_engine.is_empty() {
        facts.push(("made by", format!("{other_engine}; the next question brings it up to date")));
    }
    if *exists {
        facts.push(("stale", format!("{} when this was asked, none now", counted(*stale as usize, "file"))));
    }
    if *carried {
        facts.push(("carried", "the folder has an index of its own in .seekwell, which is used".to_owned()));
    }
    facts.extend(troubles.iter().map(|trouble| ("trouble", trouble.clone())));
    facts
}

/// What indexing came to, a line a fact.
pub fn indexed(indexed: &Indexed) -> String {
    let Indexed { root, generation, skipped, upkeep, index, carried } = indexed;
    let mut text = String::new();
    let mut fact = |name: &str, value: &str| {
        let _ = writeln!(text, "{name}: {}", inert(value));
    };
    fact("root", &root.to_string_lossy());
    let (files, chunks) = (counted(generation.files as usize, "file"), counted(generation.chunks as usize, "chunk"));
    fact("searched", &format!("{files}, {chunks}, {}", counted(generation.symbols as usize, "symbol")));
    fact("skipped", &if skipped.is_empty() { "0".to_owned() } else { skipped_words(skipped) });
    let Upkeep { looked_at, analysed, gone, .. } = upkeep;
    fact("done", &format!("{looked_at} looked at, {analysed} analysed, {gone} gone"));
    for (name, value) in index_facts(index).into_iter().filter(|(name, _)| !matches!(*name, "stale" | "trouble")) {
        fact(name, &value);
    }
    if let Some(carried) = carried {
        let analyses = counted(*carried, "analysis").replace("analysiss", "analyses");
        fact("written into the folder", &format!(".seekwell, {analyses}; commit it for all who clone this"));
    }
    text
}

/// What a later look came to, on one line.
pub fn brought_up_to_date(indexed: &Indexed) -> String {
    let Upkeep { looked_at, analysed, gone, .. } = &indexed.upkeep;
    let files = counted(indexed.generation.files as usize, "file");
    format!("{looked_at} looked at, {analysed} analysed, {gone} gone; {files} in all\n")
}

/// What cleaning came to.
pub fn cleaned(cleaned: &Cleaned) -> String {
    let Cleaned { location, trees, bytes, in_use } = cleaned;
    let place = inert(&location.to_string_lossy());
    let freed = format!("{:.1} MB freed", *bytes as f64 / 1e6);
    let rest = if *in_use { "; another process uses the store, run it again later for the rest" } else { "" };
    format!("{} forgotten, {freed} in {place}{rest}\n", counted(*trees, "index").replace("indexs", "indexes"))
}

/// What is not searched, a line a path: `path: reason: detail`.
pub fn skipped(list: &[Skipped]) -> String {
    let line = |Skipped { path, reason, detail }: &Skipped| {
        let detail = if detail.is_empty() { String::new() } else { format!(": {detail}") };
        inert(&format!("{path}: {reason}{detail}")) + "\n"
    };
    list.iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::super::samples::outcome;
    use super::*;

    #[test]
    fn facts() {
        let text = status(&super::super::samples::status());
        let expected = "\
root: /abs/dir
engine: component 0.1.0
model: static
device: cpu
generation: 00ff
source: memory
files: 3
chunks: 9
symbols: 7
languages: 1 markdown, 2 rust
skipped: 2 paths skipped: 1 binary, 1 ignored (seekwell status --skipped lists them)
lossy: docs/r%FF.md (read as latin-1)
as text only: src/deep.rs (steps)
index: /cache/store-1, 0.0 MB (all trees together 0.0 MB)
stale: 1 file when this was asked, none now
";
        assert_eq!(text, expected);
        assert_eq!(
            skipped(&outcome().skipped),
            "target/: ignored: .gitignore:1: target\nx.bin: binary: NUL at byte 3\n"
        );
    }

    #[test]
    fn file_lists() {
        let list = FileList { files: vec!["a".to_owned(), "b c".to_owned()], ..FileList::default() };
        assert_eq!(files(&list, "src/", '\n'), "src/a\nsrc/b c\n");
        assert_eq!(files(&list, "", '\0'), "a\0b c\0");
    }
}
