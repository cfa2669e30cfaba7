//! Postings of chunks, by tantivy: one document a chunk, one field for each kind of evidence.
//!
//! tantivy inverts, compresses and looks up; scoring is ours, since a field-weighted BM25 needs term frequencies and
//! lengths side by side, which its own scorer does not combine. Lengths are kept exactly, not as tantivy's one-byte norms.

use tantivy::directory::RamDirectory;
use tantivy::indexer::SingleSegmentIndexWriter;
use tantivy::postings::Postings;
use tantivy::schema::{Field, IndexRecordOption, Schema, TextFieldIndexing, TextOptions};
use tantivy::tokenizer::{Token, TokenStream, Tokenizer, TokenizerManager};
use tantivy::{DocSet, Index, IndexSettings, InvertedIndexReader, SegmentReader, TERMINATED, TantivyDocument, Term};

use crate::analysis::{Bag, ChunkRecord, Strings};
use crate::error::Error;

/// The fields of a chunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// All its text.
    Body,
    /// Names defined and their containers.
    Names,
    /// Signatures.
    Signature,
    /// Documentation.
    Doc,
    /// Identifiers of several parts, whole.
    Whole,
}

impl Part {
    /// All parts, in the order of their fields.
    pub const ALL: [Self; 5] = [Self::Body, Self::Names, Self::Signature, Self::Doc, Self::Whole];

    const fn name(self) -> &'static str {
        ["body", "names", "signature", "doc", "whole"][self as usize]
    }
}

/// tantivy's arena starts from this; it grows past it, since a single segment is never flushed early.
const ARENA_BYTES: usize = 16 << 20;

/// Collects chunks; [`LexicalBuilder::finish`] makes them searchable.
pub struct LexicalBuilder {
    writer: SingleSegmentIndexWriter,
    fields: [Field; 5],
    lengths: [Vec<u32>; 5],
    text: String,
}

impl LexicalBuilder {
    /// An empty one.
    pub fn new() -> Result<Self, Error> {
        let mut schema = Schema::builder();
        let indexing = TextFieldIndexing::default()
            .set_tokenizer(BAGS)
            .set_index_option(IndexRecordOption::WithFreqs)
            .set_fieldnorms(false);
        let options = TextOptions::default().set_indexing_options(indexing);
        let fields = Part::ALL.map(|part| schema.add_text_field(part.name(), options.clone()));
        let tokenizers = TokenizerManager::new();
        tokenizers.register(BAGS, BagTokenizer::default());
        let settings = IndexSettings {
            // The default compresses on a thread of its own; there are no stored fields, and no threads in wasm.
            docstore_compress_dedicated_thread: false,
            ..IndexSettings::default()
        };
        let writer = Index::builder()
            .schema(schema.build())
            .tokenizers(tokenizers)
            .settings(settings)
            .single_segment_index_writer(RamDirectory::create(), ARENA_BYTES)?;
        Ok(Self { writer, fields, lengths: Default::default(), text: String::new() })
    }

    /// Adds the next chunk; its number is how many were added before.
    pub fn add(&mut self, terms: &Strings, chunk: &ChunkRecord) -> Result<(), Error> {
        let mut document = TantivyDocument::new();
        for part in Part::ALL {
            let bag = bag_of(chunk, part);
            self.lengths[part as usize].push(bag.iter().map(|&(_, count)| count).sum());
            if !bag.is_empty() {
                write_bag(terms, bag, &mut self.text);
                document.add_text(self.fields[part as usize], &self.text);
            }
        }
        Ok(self.writer.add_document(document)?)
    }

    /// Makes everything searchable.
    pub fn finish(self) -> Result<Lexical, Error> {
        let index = self.writer.finalize()?;
        let segments = index.searchable_segments()?;
        let readers = match segments.first() {
            Some(segment) => {
                let reader = SegmentReader::open(segment)?;
                let mut readers = Vec::with_capacity(Part::ALL.len());
                for field in self.fields {
                    readers.push(reader.inverted_index(field)?);
                }
                readers
            }
            None => Vec::new(),
        };
        let averages = self.lengths.each_ref().map(|lengths| {
            let filled = lengths.iter().filter(|&&l| l > 0).count();
            lengths.iter().map(|&l| f64::from(l)).sum::<f64>() as f32 / filled.max(1) as f32
        });
        Ok(Lexical { _index: index, readers, fields: self.fields, lengths: self.lengths, averages })
    }
}

fn bag_of(chunk: &ChunkRecord, part: Part) -> &Bag {
    match part {
        Part::Body => &chunk.body,
        Part::Names => &chunk.names,
        Part::Signature => &chunk.signature,
        Part::Doc => &chunk.doc,
        Part::Whole => &chunk.whole,
    }
}

/// The chunks of a generation by their terms.
pub struct Lexical {
    _index: Index,
    /// One a part; none if there is no chunk.
    readers: Vec<std::sync::Arc<InvertedIndexReader>>,
    fields: [Field; 5],
    lengths: [Vec<u32>; 5],
    averages: [f32; 5],
}

impl Lexical {
    /// How many chunks there are.
    pub fn chunk_count(&self) -> usize {
        self.lengths[0].len()
    }

    /// In how many chunks the term occurs.
    pub fn document_frequency(&self, part: Part, term: &str) -> Result<u32, Error> {
        let Some(reader) = self.readers.get(part as usize) else { return Ok(0) };
        Ok(reader.doc_freq(&Term::from_field_text(self.fields[part as usize], term))?)
    }

    /// Calls `each` with the chunks that hold the term, in order, and how often.
    pub fn postings(&self, part: Part, term: &str, mut each: impl FnMut(u32, u32)) -> Result<(), Error> {
        let Some(reader) = self.readers.get(part as usize) else { return Ok(()) };
        let term = Term::from_field_text(self.fields[part as usize], term);
        let Some(mut postings) = reader.read_postings(&term, IndexRecordOption::WithFreqs)? else { return Ok(()) };
        while postings.doc() != TERMINATED {
            each(postings.doc(), postings.term_freq());
            postings.advance();
        }
        Ok(())
    }

    /// Length of a part of a chunk, in terms.
    pub fn length(&self, part: Part, chunk: u32) -> u32 {
        self.lengths[part as usize][chunk as usize]
    }

    /// Average length of a part, over the chunks that have it.
    pub fn average(&self, part: Part) -> f32 {
        self.averages[part as usize]
    }

    /// The terms of a part, in order of their bytes.
    pub fn terms(&self, part: Part, mut each: impl FnMut(&str, u32)) -> Result<(), Error> {
        let Some(reader) = self.readers.get(part as usize) else { return Ok(()) };
        let mut stream = reader.terms().stream()?;
        while let Some((term, info)) = stream.next() {
            if let Ok(term) = std::str::from_utf8(term) {
                each(term, info.doc_freq);
            }
        }
        Ok(())
    }
}

const BAGS: &str = "bags";

/// The analysis has counted the terms already; a bag reaches tantivy as text, each term behind a control character that
/// says how often it occurs. No term holds a control character.
fn write_bag(terms: &Strings, bag: &Bag, out: &mut String) {
    out.clear();
    for &(term, count) in bag {
        out.push(char::from(count.clamp(1, 31) as u8));
        out.push_str(terms.get(term));
    }
}

/// Gives tantivy each term of a bag as many times as it occurs.
#[derive(Clone, Default)]
struct BagTokenizer {
    token: Token,
}

struct BagStream<'a> {
    rest: &'a str,
    repeats: u8,
    token: &'a mut Token,
}

impl Tokenizer for BagTokenizer {
    type TokenStream<'a> = BagStream<'a>;

    fn token_stream<'a>(&'a mut self, text: &'a str) -> BagStream<'a> {
        self.token.reset();
        BagStream { rest: text, repeats: 0, token: &mut self.token }
    }
}

impl TokenStream for BagStream<'_> {
    fn advance(&mut self) -> bool {
        if self.repeats == 0 {
            let Some(&count) = self.rest.as_bytes().first() else { return false };
            let rest = &self.rest[1..];
            let end = rest.bytes().position(|b| b < 32).unwrap_or(rest.len());
            self.token.text.clear();
            self.token.text.push_str(&rest[..end]);
            self.rest = &rest[end..];
            self.repeats = count;
        }
        self.repeats -= 1;
        self.token.position = self.token.position.wrapping_add(1);
        true
    }

    fn token(&self) -> &Token {
        self.token
    }

    fn token_mut(&mut self) -> &mut Token {
        self.token
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bags_come_back() {
        let mut terms = Strings::default();
        let (retry, policy) = (terms.push("retri"), terms.push("polici"));
        let chunk = |body: Bag| ChunkRecord { body, ..ChunkRecord::default() };
        let mut builder = LexicalBuilder::new().expect("new");
        builder.add(&terms, &chunk(vec![(retry, 3), (policy, 1)])).expect("add");
        builder.add(&terms, &chunk(vec![])).expect("add");
        builder.add(&terms, &chunk(vec![(policy, 2)])).expect("add");
        let lexical = builder.finish().expect("finish");
        let mut found = Vec::new();
        lexical.postings(Part::Body, "polici", |chunk, count| found.push((chunk, count))).expect("postings");
        assert_eq!(found, [(0, 1), (2, 2)]);
        assert_eq!(lexical.document_frequency(Part::Body, "retri").expect("frequency"), 1);
        assert_eq!(lexical.document_frequency(Part::Doc, "retri").expect("frequency"), 0);
        assert_eq!((lexical.length(Part::Body, 0), lexical.length(Part::Body, 1)), (4, 0));
        assert_eq!(lexical.average(Part::Body), 3.0);
    }

    #[test]
    fn nothing_to_find() {
        let lexical = LexicalBuilder::new().expect("new").finish().expect("finish");
        assert_eq!(lexical.chunk_count(), 0);
        lexical.postings(Part::Body, "a", |_, _| unreachable!("there is no chunk")).expect("postings");
    }
}
