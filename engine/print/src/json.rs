//! `--json`: one object, its keys in the order of the contract, the same bytes for the same tree and question.

use seekwell_types::{Degraded, Lossy, Query, Skipped};
use serde::Serialize;

use super::budget::{self, Pieces};
use super::rows::{Document, Index, SCHEMA, json, squeezed};
use super::{Depth, Layout};
use crate::outcome::{FileList, IndexStatus, Indexed, Outcome, Source, Status};

/// The answer to a search. Snippets are whole unless the layout says otherwise.
pub fn search(outcome: &Outcome, query: &Query, layout: Layout) -> String {
    let document = Document { outcome, query, echo: &query.text };
    budget::assemble(&document, layout.depth.unwrap_or(Depth::Full), layout.room())
}

impl Pieces for Document<'_> {
    fn count(&self) -> usize {
        self.outcome.answer.hits.len()
    }

    fn hit(&self, index: usize, depth: Depth) -> String {
        let comma = if index == 0 { "" } else { "," };
        format!("{comma}{}", self.row(index, depth))
    }

    fn around(&self, shown: usize, shortened: bool) -> (String, String) {
        (format!("{},\"hits\":[", self.opening()), format!("],{}\n", self.closing(shown, shortened)))
    }

    fn squeezed(&self, room: usize) -> String {
        squeezed(self.outcome, self.query, room, |document| {
            let shown = document.count();
            let (before, after) = document.around(shown, true);
            let hit = if shown == 0 { String::new() } else { document.hit(0, Depth::Line) };
            before + &hit + &after
        })
    }
}

#[derive(Serialize)]
struct FilesObject<'a> {
    schema: &'static str,
    command: &'static str,
    root: &'a str,
    files: &'a [String],
    skipped: usize,
}

/// The files that would be searched.
pub fn files(list: &FileList) -> String {
    let root = list.root.to_string_lossy();
    json(&FilesObject {
        schema: SCHEMA,
        command: "files",
        root: &root,
        files: &list.files,
        skipped: list.skipped.len(),
    }) + "\n"
}

#[derive(Serialize)]
struct StatusObject<'a> {
    schema: &'static str,
    command: &'static str,
    root: &'a str,
    index: Index<'a>,
    engine: &'a str,
    model: &'a str,
    device: &'a str,
    languages: Vec<LanguageRow<'a>>,
    skipped: Vec<SkippedRow<'a>>,
    lossy: Vec<LossyRow<'a>>,
    degraded: Vec<DegradedRow<'a>>,
    store: StoreRow<'a>,
}

#[derive(Serialize)]
struct StoreRow<'a> {
    indexed: bool,
    location: &'a str,
    bytes: u64,
    store_bytes: u64,
    other_engine: &'a str,
    stale: u32,
    carried: bool,
    troubles: &'a [String],
}

impl<'a> StoreRow<'a> {
    fn new(index: &'a IndexStatus, location: &'a str) -> Self {
        let IndexStatus { exists, location: _, bytes, store_bytes, other_engine, stale, carried, troubles } = index;
        Self {
            indexed: *exists,
            location,
            bytes: *bytes,
            store_bytes: *store_bytes,
            other_engine,
            stale: *stale,
            carried: *carried,
            troubles,
        }
    }
}

#[derive(Serialize)]
struct IndexedObject<'a> {
    schema: &'static str,
    command: &'static str,
    root: &'a str,
    index: Index<'a>,
    begun: bool,
    looked_at: u32,
    analysed: u32,
    gone: u32,
    carried: Option<usize>,
    store: StoreRow<'a>,
}

/// What indexing came to.
pub fn indexed(indexed: &Indexed) -> String {
    let Indexed { root, generation, skipped, upkeep, index, carried } = indexed;
    json(&IndexedObject {
        schema: SCHEMA,
        command: "index",
        root: &root.to_string_lossy(),
        index: Index::new(generation, skipped, false, Source::Store),
        begun: upkeep.begun,
        looked_at: upkeep.looked_at,
        analysed: upkeep.analysed,
        gone: upkeep.gone,
        carried: *carried,
        store: StoreRow::new(index, &index.location.to_string_lossy()),
    }) + "\n"
}

#[derive(Serialize)]
struct LanguageRow<'a> {
    language: &'a str,
    files: u32,
}

#[derive(Serialize)]
struct SkippedRow<'a> {
    path: &'a str,
    reason: &'a str,
    detail: &'a str,
}

#[derive(Serialize)]
struct LossyRow<'a> {
    path: &'a str,
    encoding: &'a str,
}

#[derive(Serialize)]
struct DegradedRow<'a> {
    path: &'a str,
    reason: &'a str,
}

/// What is known of a tree, with everything that is not searched.
pub fn status(status: &Status) -> String {
    let Status { root, generation, skipped, partial, source, engine, model, device, index } = status;
    json(&StatusObject {
        schema: SCHEMA,
        command: "status",
        root: &root.to_string_lossy(),
        index: Index::new(generation, skipped, *partial, *source),
        engine,
        model,
        device,
        languages: generation
            .languages
            .iter()
            .map(|(language, files)| LanguageRow { language, files: *files })
            .collect(),
        skipped: skipped.iter().map(|Skipped { path, reason, detail }| SkippedRow { path, reason, detail }).collect(),
        lossy: generation.lossy.iter().map(|Lossy { path, encoding }| LossyRow { path, encoding }).collect(),
        degraded: generation.degraded.iter().map(|Degraded { path, reason }| DegradedRow { path, reason }).collect(),
        store: StoreRow::new(index, &index.location.to_string_lossy()),
    }) + "\n"
}

#[cfg(test)]
mod tests {
    use super::super::samples::{outcome, query};
    use super::*;

    #[test]
    fn the_contract_to_the_byte() {
        let expected = concat!(
            r#"{"schema":"seekwell/1","command":"search","root":"/abs/dir","query":"retry \"x\"","#,
            r#""route":{"kind":"natural","why":"two words"},"#,
            r#""index":{"generation":"00ff","files":3,"chunks":9,"symbols":7,"skipped":2,"lossy":1,"partial":false,"source":"memory"},"#,
            r#""hits":[{"path":"src/a.rs","start_line":42,"end_line":44,"start_byte":900,"end_byte":970,"language":"rust","kind":"function","#,
            r#""symbol":"with_retry","description":"Tries again.","score":0.91,"#,
            r#""snippet":"pub fn with_retry() {\n    again() // retry\n}\n","also_in":["b/a.rs"],"#,
            r#""explain":{"bm25":{"value":0.5,"weight":1.2,"share":0.6},"path":{"value":0.31,"weight":1.0,"share":0.31}}},"#,
            r#"{"path":"docs/r%FF.md","path_escaped":true,"start_line":1,"end_line":1,"start_byte":0,"end_byte":8,"language":"markdown","kind":"section","#,
            r##""symbol":"","description":"","score":0.333333,"snippet":"# Retry","also_in":[],"explain":{}}],"##,
            r#""total":5,"truncated":true,"next":"NEXT","weak":false,"not_found":false,"nearest":[]}"#,
            "\n"
        );
        let text = search(&outcome(), &query(), Layout::default());
        let next = super::super::cursor::write(&query(), 2);
        assert_eq!(text, expected.replace("NEXT", &next));
    }

    #[test]
    fn shallow_hits_have_empty_fields_not_fewer() {
        let layout = Layout { depth: Some(Depth::Abstract), budget: None };
        let text = search(&outcome(), &query(), layout);
        assert!(
            text.contains(r#""description":"Tries again.","score":0.91,"snippet":"","also_in":["b/a.rs"]"#),
            "{text}"
        );
    }

    #[test]
    fn the_last_page_has_no_next() {
        let text = search(&outcome(), &Query { offset: 3, ..query() }, Layout::default());
        assert!(text.contains(r#""total":5,"truncated":false,"next":null,"#), "{text}");
    }

    #[test]
    fn file_lists_and_status() {
        let list = FileList { root: "/r".into(), files: vec!["a".into(), "b/c".into()], skipped: outcome().skipped };
        assert_eq!(
            files(&list),
            "{\"schema\":\"seekwell/1\",\"command\":\"files\",\"root\":\"/r\",\"files\":[\"a\",\"b/c\"],\"skipped\":2}\n"
        );
        let text = status(&super::super::samples::status());
        assert_eq!(
            text,
            concat!(
                r#"{"schema":"seekwell/1","command":"status","root":"/abs/dir","#,
                r#""index":{"generation":"00ff","files":3,"chunks":9,"symbols":7,"skipped":2,"lossy":1,"partial":false,"source":"memory"},"#,
                r#""engine":"component 0.1.0","model":"static","device":"cpu","#,
                r#""languages":[{"language":"markdown","files":1},{"language":"rust","files":2}],"#,
                r#""skipped":[{"path":"target/","reason":"ignored","detail":".gitignore:1: target"},{"path":"x.bin","reason":"binary","detail":"NUL at byte 3"}],"#,
                r#""lossy":[{"path":"docs/r%FF.md","encoding":"latin-1"}],"degraded":[{"path":"src/deep.rs","reason":"steps"}],"#,
                r#""store":{"indexed":true,"location":"/cache/store-1","bytes":2048,"store_bytes":4096,"other_engine":"","#,
                r#""stale":1,"carried":false,"troubles":[]}}"#,
                "\n"
            )
        );
    }
}
