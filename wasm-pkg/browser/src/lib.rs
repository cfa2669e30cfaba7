//! The engine for JavaScript: what of it works on one file, as functions; a tree, the rules of admission and the store, as
//! classes. Translation, nothing else: no decision about files, chunks or order is made in this crate.
//!
//! Everything here is synchronous and belongs to one thread, apart from the store. The package's JavaScript puts it into
//! workers.

#![cfg(target_arch = "wasm32")]

mod admission;
mod error;
#[path = "../../component/src/random.rs"]
mod random;
mod store;
mod structure;
mod values;
mod workspace;

use std::cell::RefCell;

use js_sys::Uint8Array;
use seekwell_core::analyse::{Analyst, Degrade};
use seekwell_core::decode::decode;
use seekwell_core::find;
use seekwell_core::grammar::Structure;
use seekwell_core::occurrences::Occurrences;
use seekwell_core::present;
use seekwell_core::scan::{self, Scanner};
use seekwell_core::symbols::SymbolKind;
use seekwell_core::table::Table;
use seekwell_languages::LANGUAGES;
use seekwell_types::LineSpan;
use tsify::Ts;
use wasm_bindgen::prelude::wasm_bindgen;

use error::{Result, coded, engine, read, write};
use values::{DecodedFile, Language, Needle, Query, Settings};

fn table() -> &'static dyn Table {
    &seekwell_models::StaticTable
}

thread_local! {
    /// One analyst with vectors and one without: their memos of words differ.
    static ANALYSTS: RefCell<[Option<Analyst<'static>>; 2]> = const { RefCell::new([None, None]) };
    /// For its parsers.
    static OCCURRENCES: RefCell<Option<Occurrences>> = const { RefCell::new(None) };
    /// The scanner of the last needle: a scan goes over many files with one.
    static SCANNER: RefCell<Option<(scan::Needle, Scanner)>> = const { RefCell::new(None) };
    /// What the engine said last before it gave up.
    static PANIC: RefCell<Option<String>> = const { RefCell::new(None) };
}

#[wasm_bindgen(start)]
fn start() {
    std::panic::set_hook(Box::new(|info| {
        PANIC.with_borrow_mut(|said| *said = Some(info.to_string()));
    }));
}

/// What the engine said before it trapped; the instance is of no use any more.
#[wasm_bindgen(js_name = lastPanic)]
pub fn last_panic() -> Option<String> {
    PANIC.with_borrow(Clone::clone)
}

/// Version of the engine.
#[wasm_bindgen]
pub fn version() -> String {
    env!("CARGO_PKG_VERSION").to_owned()
}

/// Analyses a file; undefined if its content is not text. The path chooses the language. With `degrade`, its structure is
/// not looked for, and the analysis gives this reason: for a file that the engine fell over before.
#[wasm_bindgen]
pub fn analyse(path: &str, bytes: &[u8], vectors: bool, degrade: Option<String>) -> Option<Vec<u8>> {
    ANALYSTS.with_borrow_mut(|analysts| {
        let analysed = analyst_of(analysts, vectors).analyse(path, bytes, degrade.as_deref().map(Degrade));
        analysed.ok().map(|analysis| analysis.to_bytes())
    })
}

fn analyst_of<'a>(analysts: &'a mut [Option<Analyst<'static>>; 2], vectors: bool) -> &'a mut Analyst<'static> {
    analysts[usize::from(vectors)].get_or_insert_with(|| Analyst::new(LANGUAGES, vectors.then(table)))
}

/// An analysis, and what is worth keeping of the work it took.
#[wasm_bindgen(getter_with_clone)]
pub struct Analysed {
    /// The analysis.
    pub analysis: Uint8Array,
    /// What parsing has found, for {@link analyseAgain}. A tenth of the analysis.
    pub skeleton: Uint8Array,
}

/// Analyses a file as {@link analyse} does, and gives what is needed to do it again without parsing.
#[wasm_bindgen(js_name = analyseToKeep)]
pub fn analyse_to_keep(path: &str, bytes: &[u8], vectors: bool, degrade: Option<String>) -> Option<Analysed> {
    ANALYSTS.with_borrow_mut(|analysts| {
        let analysed = analyst_of(analysts, vectors).with_skeleton(path, bytes, degrade.as_deref().map(Degrade));
        let (analysis, skeleton) = analysed.ok()?;
        let [analysis, skeleton] = [&analysis.to_bytes(), &skeleton].map(|bytes| Uint8Array::from(&bytes[..]));
        Some(Analysed { analysis, skeleton })
    })
}

/// Analyses a file of which there is a skeleton, made of the same bytes and a path of the same class: the same analysis as
/// before, for a fraction of the work. Undefined if it is no skeleton of these bytes.
#[wasm_bindgen(js_name = analyseAgain)]
pub fn analyse_again(path: &str, bytes: &[u8], skeleton: &[u8], vectors: bool) -> Option<Vec<u8>> {
    ANALYSTS.with_borrow_mut(|analysts| {
        analyst_of(analysts, vectors).of_skeleton(path, bytes, skeleton).map(|analysis| analysis.to_bytes())
    })
}

/// The first 16 bytes of the content's blake3 hash, in hexadecimal: what {@link Hit}s carry as `contentHash`.
#[wasm_bindgen(js_name = contentHash)]
pub fn content_hash(bytes: &[u8]) -> String {
    values::hex(&blake3::hash(bytes).as_bytes()[..16])
}

/// What of a path an analysis depends on: files with the same bytes and the same class have the same analysis.
#[wasm_bindgen(js_name = pathClass)]
pub fn path_class(path: &str) -> String {
    LANGUAGES.path_class(path).to_owned()
}

/// The languages, by id.
#[wasm_bindgen]
pub fn languages() -> Result<Vec<Ts<Language>>> {
    let owned = |words: &[&str]| words.iter().map(|w| (*w).to_owned()).collect();
    let language = |l: &seekwell_core::grammar::Language| Language {
        id: l.id.to_owned(),
        name: l.name.to_owned(),
        aliases: owned(l.aliases),
        extensions: owned(l.extensions),
        structured: !matches!(l.structure, Structure::Plain),
    };
    LANGUAGES.0.iter().map(|l| write(language(l))).collect()
}

/// The symbol kinds that a question can filter by, and `text` for what has no symbol.
#[wasm_bindgen]
pub fn kinds() -> Vec<String> {
    SymbolKind::ALL.iter().map(|kind| kind.word()).chain(["text"]).map(str::to_owned).collect()
}

/// The text that a question wants to find as it stands; undefined if it is no such question.
#[wasm_bindgen(js_name = needleOf)]
pub fn needle_of(query: Ts<Query>) -> Result<Option<Ts<Needle>>> {
    scan::needle(&read(&query)?.own()?).map(Needle::of).map(write).transpose()
}

/// Where the needle stands in a file, in order, at most 10,000 times, as start, end, start, end …; undefined if its content is
/// not text.
#[wasm_bindgen]
pub fn scan(bytes: &[u8], needle: Ts<Needle>) -> Result<Option<Vec<u32>>> {
    let needle = read(&needle)?.own();
    SCANNER.with_borrow_mut(|kept| {
        if kept.as_ref().is_none_or(|(of, _)| *of != needle) {
            *kept = Some((needle.clone(), Scanner::new(&needle).map_err(engine)?));
        }
        let spans = kept.as_ref().and_then(|(_, scanner)| scanner.scan(bytes).ok());
        Ok(spans.map(|spans| spans.into_iter().flat_map(|span| [span.start, span.end]).collect()))
    })
}

/// Whether hits of a question may lie in a file, by its path and content.
#[wasm_bindgen]
pub fn admits(query: Ts<Query>, path: &str, bytes: &[u8]) -> Result<bool> {
    find::admits(LANGUAGES, &read(&query)?.own()?, path, bytes).map_err(engine)
}

/// The text of some lines of a file, decoded, without its last line break.
#[wasm_bindgen]
pub fn snippet(bytes: &[u8], first: u32, last: u32) -> String {
    present::snippet(bytes, LineSpan { start: first, end: last })
}

/// Every place of a name in a file, as five numbers each (start, end, line, column, role as its place in {@link roles});
/// undefined if its content is not text.
#[wasm_bindgen]
pub fn occurrences(path: &str, bytes: &[u8], name: &str) -> Option<Vec<u32>> {
    OCCURRENCES.with_borrow_mut(|finder| {
        let finder = finder.get_or_insert_with(|| Occurrences::new(LANGUAGES));
        finder.find(path, bytes, name).ok().map(|found| found.iter().flat_map(structure::numbers).collect())
    })
}

/// A file as the engine decodes it; undefined if its content is not text.
#[wasm_bindgen]
pub fn decoded(path: &str, bytes: &[u8]) -> Result<Option<Ts<DecodedFile>>> {
    let Ok(decoded) = decode(bytes) else { return Ok(None) };
    let text = decoded.text.into_owned();
    let language = LANGUAGES.of_text(path, &text).map_or("text", |l| l.id).to_owned();
    write(DecodedFile { text, language, bytes: bytes.len() as u32 }).map(Some)
}

/// The text of one line of a file, decoded, without white space at its ends.
#[wasm_bindgen(js_name = lineText)]
pub fn line_text(bytes: &[u8], line: u32) -> String {
    present::snippet(bytes, LineSpan { start: line, end: line }).trim().to_owned()
}

/// Bytes of memory that the instance has taken; it never gives any back.
#[wasm_bindgen(js_name = memoryBytes)]
pub fn memory_bytes() -> f64 {
    (core::arch::wasm32::memory_size(0) * 65_536) as f64
}

/// What the text of a tree's `.seekwell.toml` says; an error of code `config` names line and key.
#[wasm_bindgen]
pub fn settings(text: &str) -> Result<Ts<Settings>> {
    let file = std::path::Path::new(seekwell_settings::FILE_NAME);
    let config = seekwell_settings::parse(text, file).map_err(|error| coded("config", &error.to_string()))?;
    write(Settings::of(config))
}
