//! Everything searchable at one moment: what the analyses of a tree come to together. Immutable once committed.

use std::cell::{Cell, OnceCell};
use std::collections::HashMap;

use rustc_hash::FxBuildHasher;
use seekwell_types::{self as types, Content, Degraded, Lossy};
use serde::{Deserialize, Serialize};

use crate::analysis::{Analysis, ChunkRecord, FORMAT, Numbers, Strings, SymbolRecord};
use crate::copies::Copies;
use crate::dense::{Dense, DenseBuilder};
use crate::error::Error;
use crate::grammar::Languages;
use crate::graph::{Graph, Node};
use crate::importance::{self, Definers, UsedNames, is_led_to};
use crate::intent::Kinds;
use crate::lexical::{Lexical, LexicalBuilder, Part};
use crate::names::{folded_equal, folded_hash};
use crate::nearest::{MOST_NAMES, Offered};
use crate::place::{self, Prior, Priors};
use crate::rank::Edge;
use crate::resolve::{NONE, Uses, resolve};
use crate::splice::GONE;
use crate::standing::{self, Gone, Member, Standing};
use crate::symbols::SymbolKind;
use crate::table::Table;
use crate::texts::Texts;
use crate::words::{Terms, words};

/// A file of the tree.
#[derive(Clone, Serialize, Deserialize)]
pub struct File {
    /// Path relative to the root.
    pub path: String,
    /// Language id.
    pub language: String,
    /// What the file is for.
    #[serde(with = "content_as_number")]
    pub content: Content,
    /// Kinds of files it belongs to.
    pub priors: Priors,
    /// Its length in lines.
    pub lines: u32,
    /// blake3 of its bytes, first 16.
    pub content_hash: [u8; 16],
    /// Its chunks: the first one, and one past the last.
    pub chunks: (u32, u32),
    /// Its symbols, likewise.
    pub symbols: (u32, u32),
    /// Letters and digits of its stem.
    pub stem_letters: String,
    /// Letters and digits of its folder.
    pub folder_letters: String,
    /// Terms of its stem, by number in the vocabulary.
    pub stem_terms: Vec<u32>,
    /// Terms of its folders.
    pub folder_terms: Vec<u32>,
    /// Number of the folder it lies in.
    pub folder: u32,
    /// Bytes of its chunks.
    #[serde(skip)]
    pub chunk_bytes: u32,
    /// Names, signatures and doc lines of its symbols and chunks.
    #[serde(skip)]
    pub strings: Texts,
    /// Names that it uses, if it is code; none in a generation that was restored.
    #[serde(skip)]
    pub uses: UsedNames,
    /// Names that it imports, of an index file: it hands them on.
    #[serde(skip)]
    pub exports: UsedNames,
    /// What it is among the others.
    pub standing: Standing,
    /// Kinds of documents and settings that it is of.
    pub kinds: Kinds,
}

/// Bytes of a chunk's hash. Of a hundred thousand texts, two different ones share it in less than one tree of a hundred; one
/// of them would then be taken for a copy. Hashes are what no compressor makes short.
pub(crate) const CHUNK_HASH_BYTES: usize = 5;

/// What of a chunk is needed after it was indexed.
#[derive(Clone, Serialize, Deserialize)]
pub struct Chunk {
    /// The file it is of.
    pub file: u32,
    /// First byte and one past the last.
    pub span: (u32, u32),
    /// First and last line.
    pub lines: (u32, u32),
    /// The symbol it shows, by number in the generation.
    pub symbol: Option<u32>,
    /// Symbols whose names stand in it, by number in the generation.
    pub defines: Numbers,
    /// Its title, in the file's strings.
    pub title: u32,
}

impl Chunk {
    /// The length of its text, in bytes.
    pub const fn bytes(&self) -> u32 {
        self.span.1 - self.span.0
    }
}

/// A symbol; `parent` and `name_terms` are numbers in the generation.
#[derive(Clone, Serialize, Deserialize)]
pub struct Symbol {
    /// The file it is in.
    pub file: u32,
    /// What the analysis says of it.
    pub record: SymbolRecord,
}

/// Serde for the content class of a file: the engine's nouns are not serialisable by themselves.
mod content_as_number {
    use seekwell_types::Content;
    use serde::{Deserialize, Deserializer, Serializer};

    pub fn serialize<S: Serializer>(content: &Content, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_u8(match content {
            Content::Code => 0,
            Content::Docs => 1,
            Content::Config => 2,
        })
    }

    pub fn deserialize<'d, D: Deserializer<'d>>(from: D) -> Result<Content, D::Error> {
        match u8::deserialize(from)? {
            0 => Ok(Content::Code),
            1 => Ok(Content::Docs),
            2 => Ok(Content::Config),
            other => Err(serde::de::Error::custom(format!("no content class has the number {other}"))),
        }
    }
}

/// Terms of names and paths, numbered in the order of their first use.
#[derive(Clone, Default, Serialize, Deserialize)]
pub struct Vocabulary {
    texts: Strings,
    /// All numbers, by the bytes of their texts.
    sorted: Vec<u32>,
    /// Files whose stem or folders hold the term, in order; the flag says stem.
    places: Vec<(u32, bool)>,
    /// End in `places` of each term.
    place_ends: Vec<u32>,
}

impl Vocabulary {
    /// The number of a term.
    pub fn id(&self, term: &str) -> Option<u32> {
        let found = self.sorted.binary_search_by(|&id| self.texts.get(id).cmp(term));
        found.ok().map(|at| self.sorted[at])
    }

    /// The text of a term.
    pub fn text(&self, id: u32) -> &str {
        self.texts.get(id)
    }

    /// Files with the term in their path; the flag says whether it stands in the stem.
    pub fn places(&self, id: u32) -> &[(u32, bool)] {
        let start = if id == 0 { 0 } else { self.place_ends[id as usize - 1] };
        &self.places[start as usize..self.place_ends[id as usize] as usize]
    }

    /// How many terms there are.
    pub fn len(&self) -> usize {
        self.texts.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.texts.is_empty()
    }

    /// Adds the terms of some files, and gives the number of each. Terms keep their numbers.
    pub(crate) fn add(&mut self, added: &Self) -> Vec<u32> {
        let mut numbers = Vec::with_capacity(added.len());
        for text in (0..added.len() as u32).map(|id| added.text(id)) {
            let number = match self.sorted.binary_search_by(|&id| self.texts.get(id).cmp(text)) {
                Ok(at) => self.sorted[at],
                Err(at) => {
                    let number = self.texts.push(text);
                    self.sorted.insert(at, number);
                    self.place_ends.push(self.places.len() as u32);
                    number
                }
            };
            numbers.push(number);
        }
        numbers
    }

    /// Replaces files: `kept` gives the number of each that there was, [`GONE`] for one that is no longer there, `new` of each of
    /// `added`, whose terms have these `numbers`.
    pub(crate) fn place(&mut self, kept: &[u32], added: &Self, numbers: &[u32], new: &[u32]) {
        let mut in_added = vec![u32::MAX; self.len()];
        numbers.iter().zip(0..).for_each(|(&number, id)| in_added[number as usize] = id);
        let mut places = Vec::with_capacity(self.places.len());
        let mut start = 0;
        for (number, id) in in_added.into_iter().enumerate() {
            let first = places.len();
            let end = self.place_ends[number];
            let stay = self.places[start as usize..end as usize].iter();
            let stay = stay.map(|&(file, stem)| (kept[file as usize], stem));
            places.extend(stay.filter(|&(file, _)| file != GONE));
            start = end;
            if id != u32::MAX {
                places.extend(added.places(id).iter().map(|&(file, stem)| (new[file as usize], stem)));
                places[first..].sort_unstable_by_key(|&(file, _)| file);
            }
            self.place_ends[number] = places.len() as u32;
        }
        self.places = places;
    }

    /// Sees to it that terms of which nothing is left are no longer found.
    pub(crate) fn forget(&mut self, is_gone: &[bool]) {
        self.sorted.retain(|&id| !is_gone[id as usize]);
    }

    /// Whether all numbers point to something, for `files` files.
    pub(crate) fn is_sound(&self, files: usize) -> bool {
        let terms = self.texts.len();
        self.sorted.len() == terms
            && self.place_ends.len() == terms
            && self.place_ends.is_sorted()
            && self.place_ends.last().is_none_or(|&end| end as usize == self.places.len())
            && self.sorted.iter().all(|&id| (id as usize) < terms)
            && self.places.iter().all(|&(file, _)| (file as usize) < files)
    }
}

/// A vocabulary while it grows.
#[derive(Default)]
struct VocabularyBuilder {
    ids: HashMap<Box<str>, u32, FxBuildHasher>,
    texts: Strings,
    places: Vec<Vec<(u32, bool)>>,
}

impl VocabularyBuilder {
    fn intern(&mut self, term: &str) -> u32 {
        if let Some(&id) = self.ids.get(term) {
            return id;
        }
        let id = self.texts.push(term);
        self.places.push(Vec::new());
        self.ids.insert(term.into(), id);
        id
    }

    fn finish(self) -> Vocabulary {
        let Self { texts, places, .. } = self;
        let mut sorted: Vec<u32> = (0..texts.len() as u32).collect();
        sorted.sort_unstable_by(|&a, &b| texts.get(a).cmp(texts.get(b)));
        let mut place_ends = Vec::with_capacity(places.len());
        let mut end = 0;
        place_ends.extend(places.iter().map(|of_term| {
            end += of_term.len() as u32;
            end
        }));
        Vocabulary { texts, sorted, places: places.into_iter().flatten().collect(), place_ends }
    }
}

/// Collects analyses; [`Builder::commit`] makes a generation of them.
pub struct Builder<'t> {
    languages: Languages,
    table: Option<&'t dyn Table>,
    terms: Terms,
    files: Vec<File>,
    chunks: Vec<Chunk>,
    /// Of the texts of chunks, [`CHUNK_HASH_BYTES`] of each.
    hashes: Vec<u64>,
    symbols: Vec<Symbol>,
    uses: Uses,
    vocabulary: VocabularyBuilder,
    folder_ids: HashMap<Box<str>, u32, FxBuildHasher>,
    lexical: LexicalBuilder,
    dense: Option<DenseBuilder>,
    lossy: Vec<Lossy>,
    degraded: Vec<Degraded>,
}

impl<'t> Builder<'t> {
    /// An empty one. Without a table there are no vectors.
    pub fn new(languages: Languages, table: Option<&'t dyn Table>) -> Result<Self, Error> {
        Ok(Self::with_lexical(languages, table, LexicalBuilder::new()?))
    }

    /// The same for a few files.
    pub(crate) fn small(languages: Languages, table: Option<&'t dyn Table>) -> Self {
        Self::with_lexical(languages, table, LexicalBuilder::small())
    }

    fn with_lexical(languages: Languages, table: Option<&'t dyn Table>, lexical: LexicalBuilder) -> Self {
        Self {
            languages,
            table,
            terms: Terms::default(),
            files: Vec::new(),
            chunks: Vec::new(),
            hashes: Vec::new(),
            symbols: Vec::new(),
            uses: Uses::default(),
            vocabulary: VocabularyBuilder::default(),
            folder_ids: HashMap::default(),
            lexical,
            dense: table.map(|t| DenseBuilder::new(t.len())),
            lossy: Vec::new(),
            degraded: Vec::new(),
        }
    }

    /// Adds a file. The order of files is the order of their numbers, which breaks ties: add them sorted by path.
    pub fn add(&mut self, path: &str, analysis: Analysis) -> Result<(), Error> {
        let number = self.files.len() as u32;
        self.uses.add(path, &analysis);
        if !analysis.lossy.is_empty() {
            self.lossy.push(Lossy { path: path.to_owned(), encoding: analysis.lossy.clone() });
        }
        if !analysis.degraded.is_empty() {
            self.degraded.push(Degraded { path: path.to_owned(), reason: analysis.degraded.clone() });
        }
        let content = self.languages.named(&analysis.language).map_or_else(|| guess_content(path), |l| l.content);
        let mut priors = place::priors(path, content);
        if analysis.generated {
            priors.add(Prior::Generated);
        }
        standing::of_symbols(&analysis, content, &mut priors);
        let (stem_terms, folder_terms) = self.path_terms(path, number);
        self.add_vectors(path, &analysis);
        let first_symbol = self.symbols.len() as u32;
        let first_chunk = self.chunks.len() as u32;
        for chunk in &analysis.chunks {
            self.lexical.add(&analysis.terms, chunk)?;
            self.chunks.push(placed(chunk, number, first_symbol));
            self.hashes.push(chunk.hash & (u64::MAX >> (64 - 8 * CHUNK_HASH_BYTES)));
        }
        let uses = if content == Content::Code { UsedNames::of(&analysis) } else { UsedNames::default() };
        let exports = if priors.has(Prior::Index) { UsedNames::imported(&analysis) } else { UsedNames::default() };
        let mut global = vec![u32::MAX; analysis.terms.len()];
        for mut record in analysis.symbols {
            record.parent = record.parent.map(|p| p + first_symbol);
            for term in &mut record.name_terms {
                let slot = &mut global[*term as usize];
                if *slot == u32::MAX {
                    *slot = self.vocabulary.intern(analysis.terms.get(*term));
                }
                *term = *slot;
            }
            self.symbols.push(Symbol { file: number, record });
        }
        let folder = &path[..path.len() - place::file_name(path).len()];
        let folder_count = self.folder_ids.len() as u32;
        self.files.push(File {
            content,
            priors,
            lines: analysis.lines,
            content_hash: analysis.content_hash,
            chunks: (first_chunk, self.chunks.len() as u32),
            chunk_bytes: self.chunks[first_chunk as usize..].iter().map(Chunk::bytes).sum(),
            symbols: (first_symbol, self.symbols.len() as u32),
            stem_letters: place::letters(place::telling_stem(path)),
            folder_letters: place::letters(place::folders(path).next_back().unwrap_or_default()),
            stem_terms,
            folder_terms,
            folder: *self.folder_ids.entry(folder.into()).or_insert(folder_count),
            strings: analysis.strings.into(),
            uses,
            exports,
            standing: Standing::default(),
            kinds: Kinds::of_path(path),
            language: analysis.language,
            path: path.to_owned(),
        });
        Ok(())
    }

    fn path_terms(&mut self, path: &str, file: u32) -> (Vec<u32>, Vec<u32>) {
        let vocabulary = &mut self.vocabulary;
        let mut of = |text: &str, stem: bool| {
            let mut ids = Vec::new();
            for word in words(text, types::ByteSpan::new(0, text.len() as u32)) {
                self.terms.of_word(&text[word.range()], |term| {
                    let id = vocabulary.intern(term);
                    if !ids.contains(&id) {
                        ids.push(id);
                    }
                });
            }
            for &id in &ids {
                let places = &mut vocabulary.places[id as usize];
                if places.last() != Some(&(file, true)) {
                    places.push((file, stem));
                }
            }
            ids
        };
        let stem_terms = of(place::telling_stem(path), true);
        let folder_terms = of(&path[..path.len() - place::file_name(path).len()], false);
        (stem_terms, folder_terms)
    }

    fn add_vectors(&mut self, path: &str, analysis: &Analysis) {
        // A blob without pieces, made for keyword search, has no vectors; one such blob and the tree has none.
        if !analysis.has_pieces && !analysis.chunks.is_empty() {
            self.dense = None;
        }
        let (Some(dense), Some(table)) = (&mut self.dense, self.table) else { return };
        let [stem, folders] = path_pieces(table, path);
        dense.file(&stem, &folders);
        analysis.chunks.iter().for_each(|chunk| dense.add(chunk));
    }

    /// Makes the generation.
    pub fn commit(self) -> Result<Generation, Error> {
        let table = self.table;
        let Added { parts, dense, lexical, uses } = self.finish();
        let chunks: Vec<(u32, u32)> = parts.files.iter().map(|file| file.chunks).collect();
        let dense = dense.zip(table).map(|(dense, table)| dense.finish(table, &chunks));
        let mut parts = Parts { dense, ..parts };
        parts.stand();
        let leads = leads(&parts.files, &parts.symbols, &parts.names);
        parts.weigh(&leads);
        let mut generation = Generation::assemble(parts, lexical.finish()?);
        generation.uses = Some(Cell::new(uses));
        Ok(generation)
    }

    /// All that was added, before anything is made of it that depends on all files.
    pub(crate) fn finish(self) -> Added {
        let mut names: Vec<(u32, u32)> = Vec::with_capacity(self.symbols.len());
        for (number, symbol) in self.symbols.iter().enumerate() {
            let name = self.files[symbol.file as usize].strings.get(symbol.record.name);
            names.push((folded_hash(name), number as u32));
        }
        names.sort_unstable();
        let chunks = &self.chunks;
        let parts = Parts {
            dense: None,
            copies: Copies::new(self.hashes, |chunk| chunks[chunk as usize].file),
            files: self.files,
            chunks: self.chunks,
            symbols: self.symbols,
            vocabulary: self.vocabulary.finish(),
            names,
            lossy: self.lossy,
            degraded: self.degraded,
        };
        Added { parts, dense: self.dense, lexical: self.lexical, uses: self.uses }
    }
}

/// The pieces of a path: those of its stem, and those of its folders.
pub(crate) fn path_pieces(table: &dyn Table, path: &str) -> [Vec<u16>; 2] {
    let folders = &path[..path.len() - place::file_name(path).len()];
    [place::telling_stem(path), folders].map(|text| {
        let mut out = Vec::new();
        for word in words(text, types::ByteSpan::new(0, text.len() as u32)) {
            table.pieces(&text[word.range()], &mut out);
        }
        out
    })
}

fn graph(uses: Uses, files: &[File], symbols: &[Symbol]) -> Graph {
    let node = |symbol: &Symbol| {
        let priors = files[symbol.file as usize].priors;
        let beside = [Prior::Test, Prior::Bench, Prior::Example].into_iter().any(|prior| priors.has(prior));
        Node {
            file: symbol.file,
            kind: symbol.record.kind,
            parent: symbol.record.parent.unwrap_or(NONE),
            is_test: beside || symbol.record.test || symbol.record.kind == SymbolKind::Test,
        }
    };
    let nodes: Vec<Node> = symbols.iter().map(node).collect();
    let is_code: Vec<bool> = files.iter().map(|file| file.content == Content::Code).collect();
    Graph::new(resolve(uses), &nodes, &is_code)
}

/// What a builder has collected.
pub(crate) struct Added {
    pub parts: Parts,
    pub dense: Option<DenseBuilder>,
    pub lexical: LexicalBuilder,
    pub uses: Uses,
}

/// What a generation is made of, besides its postings; the rest follows from it.
pub(crate) struct Parts {
    pub files: Vec<File>,
    pub chunks: Vec<Chunk>,
    pub copies: Copies,
    pub symbols: Vec<Symbol>,
    pub dense: Option<Dense>,
    pub vocabulary: Vocabulary,
    /// Hash of the folded name, and the symbol; sorted.
    pub names: Vec<(u32, u32)>,
    pub lossy: Vec<Lossy>,
    pub degraded: Vec<Degraded>,
}

/// The identity of a tree: its paths, its contents, and the format of analyses.
fn identity(files: &[File]) -> String {
    // All at once: many short pieces would take three times as long.
    let mut bytes = FORMAT.to_le_bytes().to_vec();
    for file in files {
        bytes.extend_from_slice(file.path.as_bytes());
        bytes.push(0);
        bytes.extend_from_slice(&file.content_hash);
    }
    blake3::hash(&bytes).to_hex()[..32].to_owned()
}

/// Parts that files are scored by.
const FILE_PARTS: [Part; 3] = [Part::Body, Part::Names, Part::Doc];

fn relative_lengths(lexical: &Lexical, part: Part, files: &[File]) -> Vec<f32> {
    let length = |f: &File| (f.chunks.0..f.chunks.1).map(|c| lexical.length(part, c)).sum::<u32>() as f32;
    let lengths: Vec<f32> = files.iter().map(length).collect();
    let filled = lengths.iter().filter(|&&l| l > 0.0).count().max(1) as f32;
    let average = (lengths.iter().map(|&l| f64::from(l)).sum::<f64>() as f32 / filled).max(1.0);
    lengths.into_iter().map(|l| l / average).collect()
}

fn placed(chunk: &ChunkRecord, file: u32, first_symbol: u32) -> Chunk {
    Chunk {
        file,
        span: chunk.span,
        lines: chunk.lines,
        symbol: chunk.symbol.map(|s| s + first_symbol),
        defines: chunk.defines.iter().map(|s| s + first_symbol).collect(),
        title: chunk.title,
    }
}

/// The content class of a file of unknown language: names in capitals (`LICENSE`, `README`) are for readers.
pub fn guess_content(path: &str) -> Content {
    let stem = place::stem(path);
    let shouted = stem.len() > 2 && stem.chars().all(|c| c.is_ascii_uppercase() || c == '_' || c == '-');
    if shouted { Content::Docs } else { Content::Config }
}

/// The language with the most files of code; empty if there is none. Ties go to the first by id.
fn main_language(files: &[File]) -> String {
    let counts = language_counts(files.iter().filter(|f| f.content == Content::Code));
    counts.into_iter().rev().max_by_key(|&(_, count)| count).map(|(id, _)| id).unwrap_or_default()
}

fn language_counts<'f>(files: impl Iterator<Item = &'f File>) -> Vec<(String, u32)> {
    let mut counts: std::collections::BTreeMap<&str, u32> = std::collections::BTreeMap::new();
    files.for_each(|f| *counts.entry(&f.language).or_default() += 1);
    counts.into_iter().map(|(id, count)| (id.to_owned(), count)).collect()
}

/// Everything searchable at one moment.
pub struct Generation {
    id: OnceCell<String>,
    /// Files, in order of their paths.
    pub files: Vec<File>,
    /// Chunks, file after file.
    pub chunks: Vec<Chunk>,
    /// Symbols, file after file.
    pub symbols: Vec<Symbol>,
    /// Postings of the chunks.
    pub lexical: Lexical,
    /// Vectors of the chunks, if there is a table.
    pub dense: Option<Dense>,
    /// Terms of names and paths.
    pub vocabulary: Vocabulary,
    /// Files of each folder.
    pub folders: Vec<Vec<u32>>,
    /// Who uses whom, resolved when it is first asked for: most questions are not about that.
    graph: OnceCell<Graph>,
    /// What it is resolved from; none in a generation that was restored or updated.
    uses: Option<Cell<Uses>>,
    /// Which chunks stand in several files.
    pub copies: Copies,
    /// Names that are offered where an answer is weak, found out when it is first asked for.
    offered: OnceCell<Offered>,
    /// Length of each file's part over the average, for each of [`FILE_PARTS`], likewise.
    relative_lengths: [OnceCell<Vec<f32>>; 3],
    /// Hash of the folded name, and the symbol.
    pub(crate) names: Vec<(u32, u32)>,
    main_language: OnceCell<String>,
    /// In how many parts it is kept what updates need of names and edges; 0 if it is not.
    pub(crate) lead_parts: u32,
    pub(crate) lossy: Vec<Lossy>,
    pub(crate) degraded: Vec<Degraded>,
}

impl Parts {
    /// Says of each file what it is among the others.
    pub(crate) fn stand(&mut self) {
        let hashes = self.copies.hashes();
        let text = |chunk: u32| (hashes[chunk as usize], self.chunks[chunk as usize].bytes());
        let standings = standing::of_tree(&self.members(), text);
        for (file, standing) in self.files.iter_mut().zip(standings) {
            file.standing = Standing { importance: file.standing.importance, ..standing };
        }
    }

    /// The same after some files came and others went; `holders` come from [`Copies::replace`]. Files keep their importance.
    pub(crate) fn stand_updated(&mut self, fresh: &[u32], gone: &[Gone], holders: &[(u64, u32)]) {
        let mut standings: Vec<Standing> = self.files.iter().map(|file| file.standing).collect();
        let hashes = self.copies.hashes();
        let text = |chunk: u32| (hashes[chunk as usize], self.chunks[chunk as usize].bytes());
        let file = |chunk: u32| self.chunks[chunk as usize].file;
        standing::of_updated(&self.members(), text, file, fresh, gone, holders, &mut standings);
        self.files.iter_mut().zip(standings).for_each(|(file, standing)| file.standing = standing);
    }

    fn members(&self) -> Vec<Member<'_>> {
        let members = self.files.iter().map(|file| {
            let &File { ref path, content, priors, chunks, chunk_bytes: bytes, .. } = file;
            Member { path, content, priors, chunks, bytes }
        });
        members.collect()
    }

    /// Says of each file how much of the tree leads to it, if these are all edges.
    pub(crate) fn weigh(&mut self, leads: &[Edge]) {
        let is_code: Vec<bool> = self.files.iter().map(File::is_code).collect();
        let importance = importance::of_files(leads, &is_code);
        self.files.iter_mut().zip(importance).for_each(|(file, importance)| file.standing.importance = importance);
    }
}

/// The files of code that define a name which uses lead to, by its hash.
pub(crate) fn definers(files: &[File], symbols: &[Symbol], names: &[(u32, u32)], hash: u32) -> Definers {
    let start = names.partition_point(|&(h, _)| h < hash);
    let same = names[start..].iter().take_while(|&&(h, _)| h == hash);
    importance::definers(same.filter_map(|&(_, symbol)| led_to(files, &symbols[symbol as usize])))
}

/// The file that uses of a symbol's name lead to, if they do.
fn led_to(files: &[File], symbol: &Symbol) -> Option<u32> {
    (is_led_to(symbol.record.kind) && files[symbol.file as usize].is_code()).then_some(symbol.file)
}

/// Names that each file of code uses.
pub(crate) fn used_names(files: &[File]) -> Vec<Option<&UsedNames>> {
    files.iter().map(|file| file.is_code().then_some(&file.uses)).collect()
}

/// Which file leads to which, of a tree that was made of its analyses.
pub(crate) fn leads(files: &[File], symbols: &[Symbol], names: &[(u32, u32)]) -> Vec<Edge> {
    let definition = |&(hash, symbol): &(u32, u32)| Some((hash, led_to(files, &symbols[symbol as usize])?));
    importance::leads(&used_names(files), names.iter().filter_map(definition))
}

impl File {
    pub(crate) fn is_code(&self) -> bool {
        self.content == Content::Code
    }
}

impl Generation {
    /// What it was made of.
    pub(crate) fn into_parts(self) -> (Parts, Lexical) {
        let Self { files, chunks, copies, symbols, dense, vocabulary, names, lossy, degraded, lexical, .. } = self;
        (Parts { files, chunks, copies, symbols, dense, vocabulary, names, lossy, degraded }, lexical)
    }

    /// Adds what follows from the parts.
    pub(crate) fn assemble(parts: Parts, lexical: Lexical) -> Self {
        let Parts { files, chunks, copies, symbols, dense, vocabulary, names, lossy, degraded } = parts;
        let folder_count = files.iter().map(|f| f.folder as usize + 1).max().unwrap_or(0);
        let mut folders: Vec<Vec<u32>> = vec![Vec::new(); folder_count];
        for (number, file) in files.iter().enumerate() {
            folders[file.folder as usize].push(number as u32);
        }
        Self {
            id: OnceCell::new(),
            files,
            chunks,
            symbols,
            lexical,
            dense,
            vocabulary,
            folders,
            graph: OnceCell::new(),
            uses: None,
            copies,
            offered: OnceCell::new(),
            relative_lengths: [const { OnceCell::new() }; 3],
            names,
            main_language: OnceCell::new(),
            lead_parts: 0,
            lossy,
            degraded,
        }
    }

    /// Whether it is known who uses whom: only of a tree that was made of its analyses.
    pub fn has_graph(&self) -> bool {
        self.uses.is_some()
    }

    /// Who uses whom; nobody, unless [`Generation::has_graph`].
    pub fn graph(&self) -> &Graph {
        let uses = || self.uses.as_ref().map(Cell::take).unwrap_or_default();
        self.graph.get_or_init(|| graph(uses(), &self.files, &self.symbols))
    }

    /// The names of the tree that come nearest to the words of a question, which have weights: by spelling, and by meaning
    /// where there is a table. Names of types and functions outside of tests come into account, at most [`MOST_NAMES`].
    pub fn nearest(&self, words: &[(String, f32)], table: Option<&dyn Table>, limit: usize) -> Vec<String> {
        let name = |symbol| self.symbol_name(symbol);
        let offered = self.offered.get_or_init(|| {
            let is_offered = |symbol: &Symbol| {
                let kind = symbol.record.kind;
                (kind.is_type() || kind.is_callable()) && !self.files[symbol.file as usize].priors.has(Prior::Test)
            };
            let symbols = (0..).zip(&self.symbols).filter(|(_, symbol)| is_offered(symbol));
            let names = symbols.map(|(number, _)| (name(number), number)).filter(|(name, _)| name.len() > 2);
            Offered::new(names.take(MOST_NAMES).collect())
        });
        let nearest = offered.nearest(words, self.dense.as_ref().zip(table), name, limit);
        nearest.into_iter().map(str::to_owned).collect()
    }

    /// Length of a part of each file over the average of those that have it; empty for parts that files are not scored by.
    pub fn relative_lengths(&self, part: Part) -> &[f32] {
        let of = |at: usize| {
            self.relative_lengths[at].get_or_init(|| relative_lengths(&self.lexical, part, &self.files)).as_slice()
        };
        FILE_PARTS.iter().position(|&p| p == part).map_or(&[], of)
    }

    /// Symbols with this name, without case and underscores, in order.
    pub fn symbols_named(&self, name: &str) -> impl Iterator<Item = u32> {
        let hash = folded_hash(name);
        let start = self.names.partition_point(|&(h, _)| h < hash);
        let same = self.names[start..].iter().take_while(move |&&(h, _)| h == hash);
        same.map(|&(_, symbol)| symbol).filter(move |&s| folded_equal(self.symbol_name(s), name))
    }

    /// A symbol's name as written.
    pub fn symbol_name(&self, symbol: u32) -> &str {
        let symbol = &self.symbols[symbol as usize];
        self.files[symbol.file as usize].strings.get(symbol.record.name)
    }

    /// A symbol's name with its containers.
    pub fn qualified_name(&self, symbol: u32) -> String {
        let mut names: Vec<&str> = Vec::new();
        let mut at = Some(symbol);
        while let Some(i) = at {
            let name = self.symbol_name(i);
            if names.last() != Some(&name) {
                names.push(name);
            }
            at = self.symbols[i as usize].record.parent;
        }
        names.reverse();
        let prose = self.symbols[symbol as usize].record.kind == SymbolKind::Section;
        names.join(if prose { " > " } else { "::" })
    }

    /// Whether the file is in the language that most files of code are in.
    pub fn is_main_language(&self, file: &File) -> bool {
        file.language == *self.main_language.get_or_init(|| main_language(&self.files))
    }

    /// What is told of this generation.
    pub fn summary(&self) -> types::Generation {
        types::Generation {
            id: self.id.get_or_init(|| identity(&self.files)).clone(),
            files: self.files.len() as u32,
            chunks: self.chunks.len() as u32,
            symbols: self.symbols.len() as u32,
            lossy: self.lossy.clone(),
            degraded: self.degraded.clone(),
            languages: language_counts(self.files.iter()),
        }
    }
}
