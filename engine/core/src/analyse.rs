//! One file through decode, parse, symbols, chunk and describe: bytes in, an [`Analysis`] out.
//!
//! An [`Analyst`] is reused across files for the sake of its parsers and its memo of words; what it returns depends on
//! the bytes and the path's language alone.

use std::borrow::Cow;
use std::collections::HashMap;

use rustc_hash::FxBuildHasher;
use seekwell_types::ByteSpan;

use crate::analysis::{Analysis, Bag, BindingRecord, CallRecord, ChunkRecord, FORMAT, Numbers, Strings, SymbolRecord};
use crate::chunk::{Chunk, chunks};
use crate::decode::{Binary, Decoded, decode};
use crate::grammar::{Grammar, Language, Languages, Structure};
use crate::notebook;
use crate::parse::Parsers;
use crate::prose;
use crate::skeleton;
use crate::symbols::{Binding, Call, Extracted, Symbol, SymbolKind, extract};
use crate::table::Table;
use crate::text::{LineIndex, squeeze};
use crate::unwrap::items_in_macros;
use crate::words::{Memo, WordId, words};

/// Lines of this many bytes on average are a minifier's: parsing them gives nothing to read.
const MINIFIED_LINE: usize = 500;
/// Smaller files are never taken for minified.
const MINIFIED_SIZE: usize = 10_000;
/// Where a file says that a program wrote it, in bytes from its start.
const GENERATED_HEAD: usize = 1_200;
/// Length of the lines for readers, in characters.
const LINE_FOR_READERS: usize = 160;
/// Words in attributes, annotations and decorators that make a test of a function.
const TEST_MARKS: [&str; 14] = [
    "test",
    "Test",
    "tests",
    "rstest",
    "test_case",
    "test_matrix",
    "quickcheck",
    "wasm_bindgen_test",
    "ParameterizedTest",
    "RepeatedTest",
    "TestFactory",
    "Fact",
    "Theory",
    "TestMethod",
];
/// A word counts at most so often in a chunk: BM25 has long saturated, and one table of numbers must not be an index.
const MOST_REPEATS: u32 = 30;

/// Analyses files, one after the other.
pub struct Analyst<'t> {
    languages: Languages,
    table: Option<&'t dyn Table>,
    parsers: Parsers,
    memo: Memo,
    counts: Counts,
    term_locals: Locals,
}

/// Why a file's structure is not looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Degrade<'a>(pub &'a str);

impl<'t> Analyst<'t> {
    /// An analyst for these languages. Without a table, analyses hold no pieces.
    pub fn new(languages: Languages, table: Option<&'t dyn Table>) -> Self {
        Self {
            languages,
            table,
            parsers: Parsers::default(),
            memo: Memo::default(),
            counts: Counts::default(),
            term_locals: Locals::default(),
        }
    }

    /// Analyses a file. With `degrade`, its structure is not looked for, and the analysis says why: for files that
    /// brought an instance down before.
    pub fn analyse(&mut self, path: &str, bytes: &[u8], degrade: Option<Degrade<'_>>) -> Result<Analysis, Binary> {
        let decoded = decode(bytes)?;
        let lines = LineIndex::new(&decoded.text);
        let (found, degraded) = self.found(path, &decoded.text, &lines, degrade);
        Ok(self.described(path, bytes, &decoded, &lines, &found, degraded))
    }

    /// The same, with what is to be kept for [`Analyst::of_skeleton`].
    pub fn with_skeleton(
        &mut self,
        path: &str,
        bytes: &[u8],
        degrade: Option<Degrade<'_>>,
    ) -> Result<(Analysis, Vec<u8>), Binary> {
        let decoded = decode(bytes)?;
        let lines = LineIndex::new(&decoded.text);
        let (found, degraded) = self.found(path, &decoded.text, &lines, degrade);
        let skeleton = skeleton::pack(&decoded.text, &found, &degraded);
        Ok((self.described(path, bytes, &decoded, &lines, &found, degraded), skeleton))
    }

    /// The analysis of a file of which there is a skeleton: the same as [`Analyst::analyse`] gives, without parsing. `None`
    /// if it is not a skeleton of these bytes.
    pub fn of_skeleton(&mut self, path: &str, bytes: &[u8], skeleton: &[u8]) -> Option<Analysis> {
        let decoded = decode(bytes).ok()?;
        let lines = LineIndex::new(&decoded.text);
        let (found, degraded) = skeleton::unpack(skeleton, &decoded.text)?;
        Some(self.described(path, bytes, &decoded, &lines, &found, degraded))
    }

    /// What the parser finds in a text, and why it was not asked or gave up, if so.
    fn found(
        &mut self,
        path: &str,
        text: &str,
        lines: &LineIndex,
        degrade: Option<Degrade<'_>>,
    ) -> (Extracted, String) {
        let language = self.languages.of_text(path, text);
        let degrade = degrade.map(|d| d.0).or(is_minified(text, lines).then_some("minified"));
        let (found, degraded) = match (language, degrade) {
            (Some(language), None) => self.structure(language, text, lines),
            (Some(language), Some(why)) if matches!(language.structure, Structure::Grammar(_)) => {
                (Extracted::default(), why)
            }
            _ => (Extracted::default(), ""),
        };
        (found, degraded.to_owned())
    }

    /// Describes a file in which this was found.
    fn described(
        &mut self,
        path: &str,
        bytes: &[u8],
        decoded: &Decoded<'_>,
        lines: &LineIndex,
        found: &Extracted,
        degraded: String,
    ) -> Analysis {
        self.memo.trim();
        self.term_locals.reset();
        let text = &*decoded.text;
        let language = self.languages.of_text(path, text);
        let pieces = chunks(text, lines, &found.symbols);
        let mut analysis = Analysis {
            format: FORMAT,
            content_hash: content_hash(bytes),
            language: language.map_or("text", |l| l.id).to_owned(),
            bytes: bytes.len() as u32,
            lines: lines.count(),
            lossy: if decoded.lossy { decoded.encoding.word().to_owned() } else { String::new() },
            degraded,
            generated: is_minified(text, lines) || says_generated(text),
            has_pieces: self.table.is_some(),
            ..Analysis::default()
        };
        let mut writer = Writer { analyst: self, text, lines, symbols: &found.symbols, out: &mut analysis };
        writer.symbols();
        writer.chunks(&pieces);
        writer.uses(found);
        to_disk(decoded, &mut analysis);
        analysis
    }

    /// The symbols and uses of a text, whatever it costs; nothing else of it.
    pub(crate) fn extracted(&mut self, path: &str, text: &str) -> Extracted {
        let language = self.languages.of_text(path, text);
        language.map(|l| self.structure(l, text, &LineIndex::new(text)).0).unwrap_or_default()
    }

    fn structure(&mut self, language: &'static Language, text: &str, lines: &LineIndex) -> (Extracted, &'static str) {
        let symbols_only = |symbols| (Extracted { symbols, ..Extracted::default() }, "");
        match &language.structure {
            Structure::Grammar(grammar) => extracted(&mut self.parsers, grammar, &for_parser(language, text)),
            Structure::Markdown => symbols_only(prose::markdown(text, lines)),
            Structure::Headings => symbols_only(prose::headings(text, lines)),
            Structure::Embedded => self.embedded(text),
            Structure::Notebook => self.notebook(text),
            Structure::Plain => (Extracted::default(), ""),
        }
    }

    /// The symbols of all blocks of a host document, moved to where the blocks stand.
    fn embedded(&mut self, text: &str) -> (Extracted, &'static str) {
        let mut blocks = Blocks::default();
        for (tag, span) in prose::embedded(text) {
            let name = if tag.starts_with("style") {
                "css"
            } else if tag.contains("ts") {
                "typescript"
            } else {
                "javascript"
            };
            let moved = |s: ByteSpan| ByteSpan::new(s.start + span.start, s.end + span.start);
            self.block(name, &with_line_feeds(&text[span.range()]), &moved, &mut blocks);
        }
        (blocks.all, blocks.degraded)
    }

    /// The symbols of all code cells of a notebook.
    fn notebook(&mut self, text: &str) -> (Extracted, &'static str) {
        let mut blocks = Blocks::default();
        let language = notebook::language(text);
        for cell in notebook::cells(text) {
            self.block(language, &cell.source, &|span| cell.place(span), &mut blocks);
        }
        // A docstring's place holds the quotes and escapes of JSON: nothing to read.
        blocks.all.symbols.iter_mut().for_each(|s| s.doc.end = s.doc.start);
        (blocks.all, blocks.degraded)
    }

    /// Adds the symbols of one block in the language of that name, if there is a grammar for it.
    fn block(&mut self, language: &str, source: &str, moved: &dyn Fn(ByteSpan) -> ByteSpan, blocks: &mut Blocks) {
        let Some(Structure::Grammar(grammar)) = self.languages.named(language).map(|l| &l.structure) else { return };
        let (found, why) = extracted(&mut self.parsers, grammar, source);
        let Blocks { all, degraded } = blocks;
        if degraded.is_empty() {
            *degraded = why;
        }
        let first = all.symbols.len() as u32;
        all.symbols.extend(found.symbols.into_iter().map(|s| Symbol {
            kind: s.kind,
            name: moved(s.name),
            on: s.on,
            span: moved(s.span),
            extent: moved(s.extent),
            signature: moved(s.signature),
            doc: moved(s.doc),
            parent: s.parent.map(|p| p + first),
        }));
        all.calls.extend(found.calls.into_iter().map(|c| Call {
            name: moved(c.name),
            alias: moved(c.alias),
            within: c.within.map(|w| w + first),
            ..c
        }));
        all.bindings.extend(found.bindings.into_iter().map(|b| Binding {
            name: moved(b.name),
            within: b.within.map(|w| w + first),
            ..b
        }));
    }
}

/// What was found in the blocks of a document.
#[derive(Default)]
struct Blocks {
    all: Extracted,
    degraded: &'static str,
}

/// What the parser of a language is given of a text, with every offset as it was.
pub(crate) fn for_parser<'t>(language: &Language, text: &'t str) -> Cow<'t, str> {
    match with_line_feeds(text) {
        Cow::Borrowed(text) if language.id == "rust" => items_in_macros(text),
        Cow::Owned(text) if language.id == "rust" => Cow::Owned(items_in_macros(&text).into_owned()),
        text => text,
    }
}

/// The text with a line feed for each `\r` that ends a line alone, which grammars do not take for an end: one line comment
/// would take the rest of the file. Offsets stay.
fn with_line_feeds(text: &str) -> Cow<'_, str> {
    let bytes = text.as_bytes();
    let lone = |&at: &usize| bytes.get(at + 1) != Some(&b'\n');
    let mut at = memchr::memchr_iter(b'\r', bytes).filter(lone).peekable();
    if at.peek().is_none() {
        return Cow::Borrowed(text);
    }
    let mut owned = text.to_owned();
    at.for_each(|at| owned.replace_range(at..=at, "\n"));
    Cow::Owned(owned)
}

/// Symbols and calls of a text, and why there are none.
fn extracted(parsers: &mut Parsers, grammar: &'static Grammar, text: &str) -> (Extracted, &'static str) {
    match parsers.parse(grammar, text) {
        Ok(parsed) => (extract(&parsed.tree, text, parsed.patterns), ""),
        Err(given_up) => (Extracted::default(), given_up.reason),
    }
}

/// blake3 of a file's bytes, first 16: the identity of its content.
pub fn content_hash(bytes: &[u8]) -> [u8; 16] {
    let hash = blake3::hash(bytes);
    hash.as_bytes()[..16].try_into().expect("a hash has 32 bytes")
}

/// Whether lines of a text are a minifier's.
fn is_minified(text: &str, lines: &LineIndex) -> bool {
    text.len() > MINIFIED_SIZE && text.len() / lines.count() as usize > MINIFIED_LINE
}

fn says_generated(text: &str) -> bool {
    let head = text[..text.floor_char_boundary(GENERATED_HEAD)].to_ascii_lowercase();
    [
        "do not edit",
        "don't edit",
        "@generated",
        "autogenerated",
        "auto-generated",
        "automatically generated",
        "code generated by",
    ]
    .iter()
    .any(|mark| head.contains(mark))
}

/// Whether what stands before a function says that it is a test: `#[tokio::test]`, `@Test`, `[Fact]`.
fn says_test(before: &str) -> bool {
    let marks = before.lines().map(str::trim_start).filter(|line| line.starts_with(['#', '@', '[']));
    marks.filter(|line| !line.starts_with("# ")).any(|line| {
        let mut words = line.split(|c: char| !(c.is_alphanumeric() || c == '_')).filter(|word| !word.is_empty());
        // `#[cfg(test)]` says when it is compiled, not what it is.
        words.clone().next() != Some("cfg") && words.any(|word| TEST_MARKS.contains(&word))
    })
}

/// Fills an analysis from what was found in the text.
struct Writer<'w, 't> {
    analyst: &'w mut Analyst<'t>,
    text: &'w str,
    lines: &'w LineIndex,
    symbols: &'w [Symbol],
    out: &'w mut Analysis,
}

impl Writer<'_, '_> {
    fn symbols(&mut self) {
        for symbol in self.symbols {
            let name = &self.text[symbol.name.range()];
            let signature = match symbol.kind {
                SymbolKind::Section => name,
                _ => &self.text[symbol.signature.range()],
            };
            let doc = first_sentence(&self.text[symbol.doc.range()]);
            let lines = self.lines.lines_of(symbol.extent);
            let name_terms = self.name_terms(symbol.name);
            let before = ByteSpan::new(symbol.extent.start, symbol.signature.start.max(symbol.extent.start));
            let (name_line, name_column) = self.lines.place(symbol.name.start);
            let strings = &mut self.out.strings;
            self.out.symbols.push(SymbolRecord {
                kind: symbol.kind,
                name: strings.push(&squeeze(name, LINE_FOR_READERS)),
                name_terms,
                on: not_empty(&symbol.on).map(|on| strings.push(on)),
                signature: strings.push(squeeze(signature, LINE_FOR_READERS).trim_end_matches(['{', ':', '=', ' '])),
                doc: strings.push(&doc),
                extent: (symbol.extent.start, symbol.extent.end),
                lines: (lines.start, lines.end),
                name_span: (symbol.name.start, symbol.name.end),
                name_line,
                name_column,
                parent: symbol.parent,
                test: symbol.kind.is_callable() && says_test(&self.text[before.range()]),
            });
        }
    }

    fn name_terms(&mut self, name: ByteSpan) -> Numbers {
        let Analyst { memo, table, term_locals, .. } = &mut *self.analyst;
        let mut terms = Numbers::new();
        for word in words(self.text, name) {
            let id = memo.intern(&self.text[word.range()], *table);
            for i in 0..memo.terms_of(id).len() {
                let term = memo.terms_of(id)[i];
                terms.push(term_locals.local(term, memo.term_text(term), &mut self.out.terms));
            }
        }
        terms
    }

    fn chunks(&mut self, pieces: &[Chunk]) {
        let mut defines: Vec<Vec<u32>> = vec![Vec::new(); pieces.len()];
        for (i, symbol) in self.symbols.iter().enumerate() {
            let at = pieces.partition_point(|c| c.span.end <= symbol.name.start);
            if let Some(list) = defines.get_mut(at) {
                list.push(i as u32);
            }
        }
        for (chunk, defines) in pieces.iter().zip(defines) {
            let record = self.chunk(chunk, defines);
            self.out.chunks.push(record);
        }
    }

    fn chunk(&mut self, chunk: &Chunk, defines: Vec<u32>) -> ChunkRecord {
        let symbols = self.symbols;
        let text = &self.text[chunk.span.range()];
        let lines = self.lines.lines_of(chunk.span);
        let hash = blake3::hash(text.trim().as_bytes());
        let title = text.lines().map(str::trim).find(|l| l.chars().any(char::is_alphanumeric)).unwrap_or_default();
        let title = self.out.strings.push(&squeeze(title, LINE_FOR_READERS));
        let mut record = ChunkRecord {
            span: (chunk.span.start, chunk.span.end),
            lines: (lines.start, lines.end),
            symbol: chunk.symbol,
            hash: u64::from_le_bytes(hash.as_bytes()[..8].try_into().expect("eight bytes")),
            title,
            ..ChunkRecord::default()
        };

        self.count(chunk.span);
        self.write_bags(&mut record.body, Some(&mut record.whole), &mut record.body_pieces);

        let shown = || defines.iter().map(|&i| &symbols[i as usize]).filter(|s| s.kind != SymbolKind::Field);
        shown().for_each(|s| self.count(s.name));
        let mut container = chunk.symbol;
        if let Some(first) = chunk.symbol.filter(|first| defines.contains(first)) {
            container = symbols[first as usize].parent;
        }
        while let Some(at) = container {
            self.count(symbols[at as usize].name);
            container = symbols[at as usize].parent;
        }
        self.write_bags(&mut record.names, None, &mut record.name_pieces);

        shown().for_each(|s| self.count(s.signature));
        self.write_bags(&mut record.signature, None, &mut record.signature_pieces);

        shown().for_each(|s| self.count(s.doc));
        self.write_bags(&mut record.doc, None, &mut record.doc_pieces);
        record.defines = defines;
        record
    }

    /// Counts the words of a span.
    fn count(&mut self, span: ByteSpan) {
        let Analyst { memo, table, counts, .. } = &mut *self.analyst;
        for word in words(self.text, span) {
            counts.add(memo.intern(&self.text[word.range()], *table));
        }
    }

    /// Turns the counted words into bags and forgets them.
    fn write_bags(&mut self, terms: &mut Bag, mut wholes: Option<&mut Bag>, pieces: &mut Bag) {
        let Analyst { memo, counts, term_locals, .. } = &mut *self.analyst;
        let mut term_counts = std::mem::take(&mut counts.second);
        let mut piece_counts = std::mem::take(&mut counts.third);
        counts.first.drain(|word, count| {
            let count = count.min(MOST_REPEATS);
            memo.terms_of(word).iter().for_each(|&t| term_counts.add_many(t, count));
            memo.pieces_of(word).iter().for_each(|&p| piece_counts.add_many(u32::from(p), count));
            if let Some(bag) = &mut wholes
                && let Some(whole) = memo.whole_of(word)
            {
                bag.push((term_locals.local(whole, memo.term_text(whole), &mut self.out.terms), count));
            }
        });
        terms.reserve_exact(term_counts.len());
        term_counts.drain(|term, count| {
            let local = term_locals.local(term, memo.term_text(term), &mut self.out.terms);
            terms.push((local, count.min(MOST_REPEATS)));
        });
        pieces.reserve_exact(piece_counts.len());
        piece_counts.drain(|piece, count| pieces.push((piece, count.min(MOST_REPEATS))));
        // In order they take half the room that they take as they come.
        pieces.sort_unstable();
        counts.second = term_counts;
        counts.third = piece_counts;
    }

    fn uses(&mut self, found: &Extracted) {
        let text = self.text;
        // The same few names are used again and again.
        let mut numbers: HashMap<&str, u32, FxBuildHasher> = HashMap::default();
        let strings = &mut self.out.strings;
        let mut number = |word| *numbers.entry(word).or_insert_with(|| strings.push(word));
        for call in &found.calls {
            let (line, column) = self.lines.place(call.name.start);
            self.out.calls.push(CallRecord {
                kind: call.kind,
                name: number(&text[call.name.range()]),
                on: not_empty(&call.on).map(&mut number),
                alias: not_empty(&text[call.alias.range()]).map(&mut number),
                start: call.name.start,
                line,
                column,
                within: call.within,
            });
        }
        for binding in &found.bindings {
            let (name, of) = (number(&text[binding.name.range()]), number(&binding.of));
            self.out.bindings.push(BindingRecord { name, of, within: binding.within });
        }
    }
}

fn not_empty(text: &str) -> Option<&str> {
    (!text.is_empty()).then_some(text)
}

/// The first sentence of a documentation comment, without its marks.
fn first_sentence(doc: &str) -> String {
    let mut line = String::new();
    for raw in doc.lines() {
        let raw = raw.trim().trim_start_matches(['/', '*', '!', '#', '-', '<', ';', '%', '"', '\'', '|', '{', ' ']);
        let raw = raw.trim_end_matches(['*', '/', '"', '\'', '}', ' ']).trim();
        if raw.is_empty() {
            if line.is_empty() {
                continue;
            }
            break;
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(raw);
        if line.ends_with('.') || line.len() > LINE_FOR_READERS * 2 {
            break;
        }
    }
    let end = line.find(". ").map_or(line.len(), |at| at + 1);
    squeeze(&line[..end], LINE_FOR_READERS)
}

/// Moves all spans from the text to the file on disk.
fn to_disk(decoded: &Decoded<'_>, analysis: &mut Analysis) {
    let mut spans: Vec<ByteSpan> = Vec::new();
    let pair = |(start, end): (u32, u32)| ByteSpan::new(start, end);
    spans.extend(analysis.chunks.iter().map(|c| pair(c.span)));
    spans.extend(analysis.symbols.iter().flat_map(|s| [pair(s.extent), pair(s.name_span)]));
    spans.extend(analysis.calls.iter().map(|c| ByteSpan::new(c.start, c.start)));
    decoded.to_disk(spans.iter_mut());
    let mut moved = spans.into_iter().map(|s| (s.start, s.end));
    let mut next = || moved.next().expect("as many as went in");
    analysis.chunks.iter_mut().for_each(|c| c.span = next());
    for symbol in &mut analysis.symbols {
        symbol.extent = next();
        symbol.name_span = next();
    }
    analysis.calls.iter_mut().for_each(|c| c.start = next().0);
}

/// How often each number was added, in the order of first addition.
#[derive(Default)]
struct Tally {
    counts: Vec<u32>,
    order: Vec<u32>,
}

impl Tally {
    fn add_many(&mut self, number: u32, count: u32) {
        let at = number as usize;
        if at >= self.counts.len() {
            self.counts.resize(at + at / 2 + 1, 0);
        }
        if self.counts[at] == 0 {
            self.order.push(number);
        }
        self.counts[at] += count;
    }

    fn len(&self) -> usize {
        self.order.len()
    }

    fn drain(&mut self, mut each: impl FnMut(u32, u32)) {
        for number in self.order.drain(..) {
            each(number, std::mem::take(&mut self.counts[number as usize]));
        }
    }
}

/// Counters for words, terms and pieces, kept between chunks for their memory.
#[derive(Default)]
struct Counts {
    first: Tally,
    second: Tally,
    third: Tally,
}

impl Counts {
    fn add(&mut self, word: WordId) {
        self.first.add_many(word, 1);
    }
}

/// Numbers of the memo's terms within one file.
#[derive(Default)]
struct Locals {
    local: Vec<u32>,
    used: Vec<u32>,
}

const UNUSED: u32 = u32::MAX;

impl Locals {
    fn local(&mut self, term: u32, text: &str, strings: &mut Strings) -> u32 {
        let at = term as usize;
        if at >= self.local.len() {
            self.local.resize(at + at / 2 + 1, UNUSED);
        }
        if self.local[at] == UNUSED {
            self.local[at] = strings.push(text);
            self.used.push(term);
        }
        self.local[at]
    }

    fn reset(&mut self) {
        for term in self.used.drain(..) {
            self.local[term as usize] = UNUSED;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_sentences() {
        assert_eq!(first_sentence("/// Retries a call. Then more.\n/// x"), "Retries a call.");
        assert_eq!(first_sentence("/**\n * Opens\n * the door.\n */"), "Opens the door.");
        assert_eq!(first_sentence("\"\"\"Doc.\"\"\""), "Doc.");
        assert_eq!(first_sentence("# one\n# two\n"), "one two");
    }

    #[test]
    fn tests_by_what_stands_before_them() {
        for yes in
            ["#[test]\n", "#[tokio::test(flavor = \"x\")]\n#[cfg(unix)]\n", "    @Test\n", "[Fact]\n", "#[rstest]"]
        {
            assert!(says_test(yes), "{yes}");
        }
        for no in ["", "/// A test.\n", "#[cfg(test)]\n", "# test\n", "@staticmethod\n", "#[latest]\n"] {
            assert!(!says_test(no), "{no}");
        }
    }

    #[test]
    fn analyses_do_not_depend_on_what_was_seen_before() {
        let languages = Languages(&[]);
        let text = b"alpha beta_gamma AlphaBeta\n\nalpha 12 \xC3\xA4\n";
        let fresh = Analyst::new(languages, None).analyse("a.txt", text, None).expect("text");
        let mut used = Analyst::new(languages, None);
        used.analyse("b.txt", b"gamma beta other words beta_gamma", None).expect("text");
        assert_eq!(used.analyse("a.txt", text, None).expect("text"), fresh);
        let blob = fresh.to_bytes();
        assert_eq!(Analysis::from_bytes(&blob).expect("own blob"), fresh);
        assert_eq!(Analysis::from_bytes(&blob[..blob.len() / 2]), None);
    }
}
