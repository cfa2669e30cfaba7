//! Postings of chunks, by tantivy: one document a chunk, one field for each kind of evidence.
//!
//! tantivy inverts, compresses and looks up; scoring is ours, since a field-weighted BM25 needs term frequencies and
//! lengths side by side, which its own scorer does not combine. What an update adds to a tree is too little for it. Lengths are kept exactly, not as tantivy's one-byte norms.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use rustc_hash::FxBuildHasher;
use tantivy::directory::error::{DeleteError, OpenReadError, OpenWriteError};
use tantivy::directory::{FileHandle, OwnedBytes, RamDirectory, WatchCallback, WatchHandle, WritePtr};
use tantivy::index::SegmentComponent;
use tantivy::indexer::SingleSegmentIndexWriter;
use tantivy::schema::{Field, IndexRecordOption, Schema, TextFieldIndexing, TextOptions};
use tantivy::tokenizer::{Token, TokenStream, Tokenizer, TokenizerManager};
use tantivy::{Directory, DocSet, Index, IndexSettings, InvertedIndexReader, SegmentReader, TantivyDocument, Term};

use crate::analysis::{Bag, ChunkRecord, Strings};
use crate::error::Error;
use crate::splice::{GONE, Splice};

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
    postings: Collected,
    fields: [Field; 5],
    lengths: [Vec<u32>; 5],
}

/// Where postings are collected.
enum Collected {
    Tantivy(Box<Writer>),
    Few(Few),
}

struct Writer {
    writer: SingleSegmentIndexWriter,
    directory: RamDirectory,
    text: String,
}

/// Chunks with a term, in order, each with how often it has it.
type Occurrences = Vec<(u32, u32)>;

/// The postings of a few chunks, for an update: tantivy takes milliseconds to make a segment, however small it is.
#[derive(Default)]
struct Few {
    /// By part and term: the chunks that hold it, by their place among these, and how often.
    terms: [HashMap<String, Occurrences, FxBuildHasher>; 5],
    /// The number in the generation of each chunk.
    chunks: Vec<u32>,
}

impl Few {
    fn add(&mut self, part: Part, chunk: u32, term: &str, count: u32) {
        let terms = &mut self.terms[part as usize];
        if !terms.contains_key(term) {
            terms.insert(term.to_owned(), Vec::new());
        }
        let chunks = terms.get_mut(term).expect("it was put there");
        match chunks.last_mut() {
            Some((last, times)) if *last == chunk => *times += count,
            _ => chunks.push((chunk, count)),
        }
    }

    fn of(&self, part: Part, term: &str) -> &[(u32, u32)] {
        self.terms[part as usize].get(term).map_or(&[], Vec::as_slice)
    }
}

impl LexicalBuilder {
    /// An empty one for a few files, that a tree is to be updated with.
    pub fn small() -> Self {
        let fields = Part::ALL.map(|part| Field::from_field_id(part as u32));
        Self { postings: Collected::Few(Few::default()), fields, lengths: Default::default() }
    }

    /// An empty one for a tree.
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
        let directory = RamDirectory::create();
        let writer = Index::builder()
            .schema(schema.build())
            .tokenizers(tokenizers)
            .settings(settings)
            .single_segment_index_writer(directory.clone(), ARENA_BYTES)?;
        let writer = Box::new(Writer { writer, directory, text: String::new() });
        Ok(Self { postings: Collected::Tantivy(writer), fields, lengths: Default::default() })
    }

    /// Adds the next chunk; its number is how many were added before.
    pub fn add(&mut self, terms: &Strings, chunk: &ChunkRecord) -> Result<(), Error> {
        let number = self.lengths[0].len() as u32;
        for part in Part::ALL {
            self.lengths[part as usize].push(bag_of(chunk, part).iter().map(|&(_, count)| count).sum());
        }
        match &mut self.postings {
            Collected::Tantivy(writer) => {
                let mut document = TantivyDocument::new();
                for part in Part::ALL.into_iter().filter(|&part| !bag_of(chunk, part).is_empty()) {
                    write_bag(terms, bag_of(chunk, part), &mut writer.text);
                    document.add_text(self.fields[part as usize], &writer.text);
                }
                writer.writer.add_document(document)?;
            }
            Collected::Few(few) => {
                for part in Part::ALL {
                    for &(term, count) in bag_of(chunk, part) {
                        few.add(part, number, terms.get(term), times(count));
                    }
                }
            }
        }
        Ok(())
    }

    /// Makes everything searchable.
    pub fn finish(self) -> Result<Lexical, Error> {
        let Self { postings, fields, lengths } = self;
        Ok(match postings {
            Collected::Tantivy(writer) => {
                let index = writer.writer.finalize()?;
                let segment = Segment::open(index, Box::new(writer.directory), fields)?;
                Lexical::new(vec![segment], None, fields, lengths)
            }
            Collected::Few(mut few) => {
                few.chunks = (0..lengths[0].len() as u32).collect();
                Lexical::new(Vec::new(), Some(few), fields, lengths)
            }
        })
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
    /// The tree as it was committed; none if nothing was.
    segments: Vec<Segment>,
    /// What was added to it since.
    added: Option<Few>,
    fields: [Field; 5],
    lengths: [Vec<u32>; 5],
    averages: [f32; 5],
}

/// Postings that tantivy wrote at one time.
struct Segment {
    index: Index,
    directory: Box<dyn Directory>,
    /// One a part; none if there is no chunk.
    readers: Vec<Arc<InvertedIndexReader>>,
    /// The number in the generation of each chunk, [`GONE`] for one that is no longer there; empty while all are as they
    /// were written.
    chunks: Vec<u32>,
    /// Those that are no longer there, in order.
    removed: Vec<u32>,
}

impl Segment {
    fn open(index: Index, directory: Box<dyn Directory>, fields: [Field; 5]) -> Result<Self, Error> {
        let segments = index.searchable_segments()?;
        let mut readers = Vec::with_capacity(Part::ALL.len());
        if let Some(segment) = segments.first() {
            let reader = SegmentReader::open(segment)?;
            for field in fields {
                readers.push(reader.inverted_index(field)?);
            }
        }
        Ok(Self { index, directory, readers, chunks: Vec::new(), removed: Vec::new() })
    }

    /// The files of the segment.
    fn files(&self) -> Result<Vec<(String, OwnedBytes)>, Error> {
        use SegmentComponent::{FastFields, FieldNorms, Positions, Postings, Store, Terms};
        let metas = self.index.searchable_segment_metas()?;
        let components = [Terms, Postings, Positions, FieldNorms, FastFields, Store];
        let names = metas.iter().flat_map(|meta| components.clone().map(|component| meta.relative_path(component)));
        let mut files = Vec::new();
        for name in names {
            if self.directory.exists(&name).map_err(unreadable)? {
                let bytes = self.directory.open_read(&name).map_err(unreadable)?.read_bytes()?;
                files.push((name.to_string_lossy().into_owned(), bytes));
            }
        }
        let meta = self.directory.atomic_read(Path::new(META)).map_err(unreadable)?;
        files.push((META.to_owned(), OwnedBytes::new(meta)));
        Ok(files)
    }
}

/// Name of the file that describes an index, in every directory of tantivy's.
const META: &str = "meta.json";

fn unreadable(error: OpenReadError) -> Error {
    Error::Index(error.to_string())
}

/// What a lexical index of one segment is made of: tantivy's files by name, and the lengths of all parts of all chunks.
pub struct LexicalParts {
    /// tantivy's files.
    pub files: Vec<(String, OwnedBytes)>,
    /// Lengths, a list for each part.
    pub lengths: [Vec<u32>; 5],
}

impl Lexical {
    fn new(segments: Vec<Segment>, added: Option<Few>, fields: [Field; 5], lengths: [Vec<u32>; 5]) -> Self {
        let averages = lengths.each_ref().map(|lengths| {
            let filled = lengths.iter().filter(|&&l| l > 0).count();
            lengths.iter().map(|&l| f64::from(l)).sum::<f64>() as f32 / filled.max(1) as f32
        });
        Self { segments, added, fields, lengths, averages }
    }

    /// The parts, as long as nothing was added or removed since it was committed.
    pub fn parts(&self) -> Result<Option<LexicalParts>, Error> {
        match &self.segments[..] {
            // A segment of which all chunks were removed has numbers, too: it had chunks.
            [segment] if segment.chunks.is_empty() && self.added.is_none() => {
                Ok(Some(LexicalParts { files: segment.files()?, lengths: self.lengths.clone() }))
            }
            _ => Ok(None),
        }
    }

    /// An index of these parts.
    pub fn of_parts(parts: LexicalParts) -> Result<Self, Error> {
        let directory = Files(Arc::new(parts.files));
        let index = Index::open(directory.clone())?;
        let schema = index.schema();
        let mut fields = [Field::from_field_id(0); 5];
        for part in Part::ALL {
            fields[part as usize] = schema.get_field(part.name())?;
        }
        let segment = Segment::open(index, Box::new(directory), fields)?;
        Ok(Self::new(vec![segment], None, fields, parts.lengths))
    }

    /// The postings of a tree in which some chunks were replaced by what was added.
    pub(crate) fn updated(mut self, added: LexicalBuilder, chunks: &Splice) -> Result<Self, Error> {
        let [segment] = &mut self.segments[..] else { return Err(Error::Snapshot) };
        let LexicalBuilder { postings: Collected::Few(few), lengths: of_new, .. } = added else {
            return Err(Error::Snapshot);
        };
        if self.added.is_some() || !segment.chunks.is_empty() {
            return Err(Error::Snapshot);
        }
        segment.chunks = chunks.kept(self.lengths[0].len());
        segment.removed = (0..).zip(&segment.chunks).filter(|(_, now)| **now == GONE).map(|(chunk, _)| chunk).collect();
        self.lengths.iter_mut().zip(of_new).for_each(|(lengths, new)| chunks.apply(lengths, new));
        let new = chunks.added();
        let added = (!new.is_empty()).then_some(Few { chunks: new, ..few });
        Ok(Self::new(self.segments, added, self.fields, self.lengths))
    }

    /// How many chunks there are.
    pub fn chunk_count(&self) -> usize {
        self.lengths[0].len()
    }

    /// In how many chunks the term occurs.
    pub fn document_frequency(&self, part: Part, term: &str) -> Result<u32, Error> {
        let mut frequency = self.added.as_ref().map_or(0, |few| few.of(part, term).len() as u32);
        for segment in &self.segments {
            let Some(reader) = segment.readers.get(part as usize) else { continue };
            let term = Term::from_field_text(self.fields[part as usize], term);
            if segment.removed.is_empty() {
                frequency += reader.doc_freq(&term)?;
                continue;
            }
            let Some(mut postings) = reader.read_postings(&term, IndexRecordOption::Basic)? else { continue };
            frequency += postings.doc_freq();
            // tantivy has counted the chunks that are no longer there, too.
            for &chunk in &segment.removed {
                if postings.doc() < chunk {
                    postings.seek(chunk);
                }
                frequency -= u32::from(postings.doc() == chunk);
            }
        }
        Ok(frequency)
    }

    /// Calls `each` with the chunks that hold the term and how often: those that were committed in the order of the tree, then
    /// those that were added since.
    pub fn postings(&self, part: Part, text: &str, mut each: impl FnMut(u32, u32)) -> Result<(), Error> {
        let term = Term::from_field_text(self.fields[part as usize], text);
        for segment in &self.segments {
            let Some(reader) = segment.readers.get(part as usize) else { continue };
            // Block by block: one at a time, each costs as much as what is done with it.
            let Some(mut block) = reader.read_block_postings(&term, IndexRecordOption::WithFreqs)? else { continue };
            while block.block_len() > 0 {
                for (&document, &count) in block.docs().iter().zip(block.freqs()) {
                    match &segment.chunks[..] {
                        [] => each(document, count),
                        numbers if numbers[document as usize] == GONE => {}
                        numbers => each(numbers[document as usize], count),
                    }
                }
                block.advance();
            }
        }
        if let Some(few) = &self.added {
            few.of(part, text).iter().for_each(|&(chunk, count)| each(few.chunks[chunk as usize], count));
        }
        Ok(())
    }

    /// Length of a part of a chunk, in terms.
    pub fn length(&self, part: Part, chunk: u32) -> u32 {
        self.lengths[part as usize][chunk as usize]
    }

    /// Length of a part of each chunk, in terms.
    pub fn lengths(&self, part: Part) -> &[u32] {
        &self.lengths[part as usize]
    }

    /// Average length of a part, over the chunks that have it.
    pub fn average(&self, part: Part) -> f32 {
        self.averages[part as usize]
    }
}

/// tantivy's files in memory that somebody else holds. Nothing can be written to it.
#[derive(Clone, Debug)]
struct Files(Arc<Vec<(String, OwnedBytes)>>);

impl Files {
    fn get(&self, path: &Path) -> Result<OwnedBytes, OpenReadError> {
        let found = self.0.iter().find(|(name, _)| Path::new(name) == path);
        found.map(|(_, bytes)| bytes.clone()).ok_or_else(|| OpenReadError::FileDoesNotExist(path.to_owned()))
    }
}

fn read_only() -> std::io::Error {
    std::io::Error::from(std::io::ErrorKind::Unsupported)
}

impl Directory for Files {
    fn get_file_handle(&self, path: &Path) -> Result<Arc<dyn FileHandle>, OpenReadError> {
        Ok(Arc::new(self.get(path)?))
    }

    fn delete(&self, path: &Path) -> Result<(), DeleteError> {
        Err(DeleteError::IoError { io_error: Arc::new(read_only()), filepath: path.to_owned() })
    }

    fn exists(&self, path: &Path) -> Result<bool, OpenReadError> {
        Ok(self.get(path).is_ok())
    }

    fn open_write(&self, path: &Path) -> Result<WritePtr, OpenWriteError> {
        Err(OpenWriteError::wrap_io_error(read_only(), path.to_owned()))
    }

    fn atomic_read(&self, path: &Path) -> Result<Vec<u8>, OpenReadError> {
        Ok(self.get(path)?.to_vec())
    }

    fn atomic_write(&self, _path: &Path, _data: &[u8]) -> std::io::Result<()> {
        Err(read_only())
    }

    fn sync_directory(&self) -> std::io::Result<()> {
        Ok(())
    }

    fn watch(&self, _callback: WatchCallback) -> tantivy::Result<WatchHandle> {
        Ok(WatchHandle::empty())
    }
}

const BAGS: &str = "bags";

/// The analysis has counted the terms already; a bag reaches tantivy as text, each term behind a control character that
/// says how often it occurs. No term holds a control character.
fn write_bag(terms: &Strings, bag: &Bag, out: &mut String) {
    out.clear();
    for &(term, count) in bag {
        out.push(char::from(times(count) as u8));
        out.push_str(terms.get(term));
    }
}

/// How often a term is taken to occur: what [`write_bag`] can say.
fn times(count: u32) -> u32 {
    count.clamp(1, 31)
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
        for mut builder in [LexicalBuilder::new().expect("new"), LexicalBuilder::small()] {
            builder.add(&terms, &chunk(vec![(retry, 3), (policy, 1)])).expect("add");
            builder.add(&terms, &chunk(vec![])).expect("add");
            builder.add(&terms, &chunk(vec![(policy, 40)])).expect("add");
            let lexical = builder.finish().expect("finish");
            let mut found = Vec::new();
            lexical.postings(Part::Body, "polici", |chunk, count| found.push((chunk, count))).expect("postings");
            assert_eq!(found, [(0, 1), (2, 31)]);
            assert_eq!(lexical.document_frequency(Part::Body, "retri").expect("frequency"), 1);
            assert_eq!(lexical.document_frequency(Part::Doc, "retri").expect("frequency"), 0);
            assert_eq!((lexical.length(Part::Body, 0), lexical.length(Part::Body, 1)), (4, 0));
            assert_eq!(lexical.average(Part::Body), 22.0);
        }
    }

    #[test]
    fn nothing_to_find() {
        let lexical = LexicalBuilder::new().expect("new").finish().expect("finish");
        assert_eq!(lexical.chunk_count(), 0);
        lexical.postings(Part::Body, "a", |_, _| unreachable!("there is no chunk")).expect("postings");
    }
}
