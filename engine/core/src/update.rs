//! A generation in which some files are replaced, without making the rest of it again.
//!
//! What comes out answers byte for byte as a generation that was built of the same files from nothing. Numbers of files,
//! chunks and symbols follow the order of paths, so all behind a change move; what depends on the whole tree is made of
//! exact sums, from which what was removed is subtracted; and vectors are made anew where a piece in them weighs otherwise.

use std::collections::HashMap;

use rustc_hash::FxBuildHasher;
use seekwell_types::{Degraded, Lossy};

use crate::analysis::Analysis;
use crate::dense::{Origin, Pieces};
use crate::error::Error;
use crate::generation::{Added, Builder, Chunk, File, GONE, Generation, Parts, Symbol};
use crate::grammar::Languages;
use crate::lexical::REMOVED;
use crate::snapshot::read_rest;
use crate::table::Table;

/// What becomes of one file.
pub struct Change {
    /// Its path.
    pub path: String,
    /// The analysis that the generation was made of; none if the file is new.
    pub old: Option<Analysis>,
    /// The analysis that it is to be made of; none if the file is gone.
    pub new: Option<Analysis>,
}

/// The generation after some changes, in the order of their paths, each of another path. `rest` comes from the same snapshot
/// as the generation. [`Error::Snapshot`] if the changes are not of this generation, or it was updated before.
pub fn update(
    generation: Generation,
    languages: Languages,
    table: Option<&dyn Table>,
    mut changes: Vec<Change>,
    rest: Vec<u8>,
) -> Result<Generation, Error> {
    let pieces = match (&generation.dense, table) {
        (Some(_), Some(table)) => Some(read_rest(rest, &generation, table).ok_or(Error::Snapshot)?),
        _ => None,
    };
    let mut builder = Builder::small(languages, table.filter(|_| pieces.is_some()))?;
    for change in &mut changes {
        if let Some(new) = change.new.take() {
            builder.add(&change.path, new)?;
        }
    }
    let added = builder.finish();
    let plan = Plan::new(&generation, &added, &changes).ok_or(Error::Snapshot)?;
    plan.carry_out(generation, added, table, &changes, pieces.as_ref())
}

/// Which file goes where.
struct Plan {
    /// Where each file of the new tree comes from.
    files: Vec<Origin>,
    /// New number of each file that was there.
    kept: Vec<u32>,
    /// New number of each file that is added.
    new: Vec<u32>,
}

impl Plan {
    fn new(generation: &Generation, added: &Added, changes: &[Change]) -> Option<Self> {
        let before = &generation.files;
        let mut is_kept = vec![true; before.len()];
        let mut replaced = changes.iter().peekable();
        for (file, is_kept) in before.iter().zip(&mut is_kept) {
            // A new file that stands before this one.
            while replaced.next_if(|c| c.path < file.path && c.old.is_none()).is_some() {}
            if let Some(change) = replaced.next_if(|c| c.path == file.path) {
                let same = change.old.as_ref().is_some_and(|old| old.content_hash == file.content_hash);
                same.then_some(())?;
                *is_kept = false;
            }
        }
        replaced.all(|c| c.old.is_none()).then_some(())?;
        let mut plan = Self { files: Vec::new(), kept: vec![GONE; before.len()], new: Vec::new() };
        let mut coming = added.parts.files.iter().peekable();
        for (number, file) in before.iter().enumerate().filter(|(number, _)| is_kept[*number]) {
            while coming.next_if(|new| new.path < file.path).is_some() {
                plan.add_new();
            }
            plan.kept[number] = plan.files.len() as u32;
            plan.files.push(Origin::Kept(number as u32));
        }
        coming.for_each(|_| plan.add_new());
        Some(plan)
    }

    fn add_new(&mut self) {
        let origin = Origin::Added(self.new.len() as u32);
        self.new.push(self.files.len() as u32);
        self.files.push(origin);
    }

    fn carry_out(
        &self,
        generation: Generation,
        added: Added,
        table: Option<&dyn Table>,
        changes: &[Change],
        pieces: Option<&Pieces>,
    ) -> Result<Generation, Error> {
        let Added { parts: new, dense: new_dense, lexical: new_lexical, .. } = added;
        let mut is_named = vec![false; generation.vocabulary.len()];
        for symbol in generation.symbols.iter().filter(|s| self.kept[s.file as usize] != GONE) {
            symbol.record.name_terms.iter().for_each(|&term| is_named[term as usize] = true);
        }
        let (vocabulary, terms) = generation.vocabulary.updated(&new.vocabulary, &self.kept, &self.new, &is_named);
        let chunks_of = |files: &[File]| files.iter().map(|f| f.chunks).collect::<Vec<_>>();
        let (kept_chunks, new_chunks) = (chunks_of(&generation.files), chunks_of(&new.files));
        let dense = match (&generation.dense, table, pieces, new_dense) {
            (Some(dense), Some(table), Some(pieces), Some(new_dense)) => {
                Some(dense.updated(table, pieces, &kept_chunks, new_dense, &new_chunks, &self.files))
            }
            _ => None,
        };
        let before = Source::new(generation.files, generation.chunks, generation.symbols);
        let spliced = Spliced::new(self, before, Source::new(new.files, new.chunks, new.symbols), &terms);
        let names = spliced.names(&generation.names, &new.names);
        let is_changed = |path: &str| changes.binary_search_by(|c| c.path.as_str().cmp(path)).is_ok();
        let mut lossy: Vec<Lossy> = generation.lossy.into_iter().filter(|l| !is_changed(&l.path)).collect();
        lossy.extend(new.lossy);
        lossy.sort_by(|a, b| a.path.cmp(&b.path));
        let mut degraded: Vec<Degraded> = generation.degraded.into_iter().filter(|d| !is_changed(&d.path)).collect();
        degraded.extend(new.degraded);
        degraded.sort_by(|a, b| a.path.cmp(&b.path));

        let Spliced { files, chunks, symbols, kept_chunk, new_chunk, .. } = spliced;
        let removed = changes.iter().filter_map(|c| c.old.as_ref());
        let lexical = generation.lexical.updated(new_lexical, kept_chunk, new_chunk, removed)?;
        let mut parts = Parts { files, chunks, symbols, dense, vocabulary, names, lossy, degraded };
        parts.stand();
        Ok(Generation::assemble(parts, lexical))
    }
}

/// Files, chunks and symbols in their new order, and where each went.
struct Spliced {
    files: Vec<File>,
    chunks: Vec<Chunk>,
    symbols: Vec<Symbol>,
    kept_chunk: Vec<u32>,
    new_chunk: Vec<u32>,
    kept_symbol: Vec<u32>,
    new_symbol: Vec<u32>,
}

/// Files in their order, each with its chunks and symbols, to be taken over or left behind.
struct Source {
    files: std::vec::IntoIter<File>,
    chunks: std::vec::IntoIter<Chunk>,
    symbols: std::vec::IntoIter<Symbol>,
    chunk_count: usize,
    symbol_count: usize,
    next: u32,
}

impl Source {
    fn new(files: Vec<File>, chunks: Vec<Chunk>, symbols: Vec<Symbol>) -> Self {
        let (chunk_count, symbol_count) = (chunks.len(), symbols.len());
        let (files, chunks, symbols) = (files.into_iter(), chunks.into_iter(), symbols.into_iter());
        Self { files, chunks, symbols, chunk_count, symbol_count, next: 0 }
    }

    /// The file of this number; those before it are left behind.
    fn take(&mut self, number: u32) -> File {
        loop {
            let file = self.files.next().expect("a plan takes files that there are, in their order");
            self.next += 1;
            if self.next > number {
                return file;
            }
            self.chunks.by_ref().take(count(file.chunks)).for_each(drop);
            self.symbols.by_ref().take(count(file.symbols)).for_each(drop);
        }
    }
}

fn count(range: (u32, u32)) -> usize {
    (range.1 - range.0) as usize
}

impl Spliced {
    fn new(plan: &Plan, mut before: Source, mut new: Source, terms: &[u32]) -> Self {
        let mut out = Self {
            files: Vec::with_capacity(plan.files.len()),
            chunks: Vec::with_capacity(before.chunk_count + new.chunk_count),
            symbols: Vec::with_capacity(before.symbol_count + new.symbol_count),
            kept_chunk: vec![REMOVED; before.chunk_count],
            new_chunk: vec![REMOVED; new.chunk_count],
            kept_symbol: vec![GONE; before.symbol_count],
            new_symbol: vec![GONE; new.symbol_count],
        };
        let mut folders = Folders::default();
        for origin in &plan.files {
            let file = match *origin {
                Origin::Kept(number) => out.add(number, &mut before, None),
                Origin::Added(number) => out.add(number, &mut new, Some(terms)),
            };
            let folder = folders.number(&file.path);
            out.files.push(File { folder, ..file });
        }
        out
    }

    /// Takes over a file; `terms` gives the numbers of its terms if it is new.
    fn add(&mut self, number: u32, source: &mut Source, terms: Option<&[u32]>) -> File {
        let mut file = source.take(number);
        let at = self.files.len() as u32;
        let (first_chunk, first_symbol) = (self.chunks.len() as u32, self.symbols.len() as u32);
        let (old_chunks, old_symbols) = (file.chunks, file.symbols);
        let moved = |symbol: u32| symbol - old_symbols.0 + first_symbol;
        let term = |term: &mut u32| *term = terms.map_or(*term, |terms| terms[*term as usize]);
        let (chunk_went, symbol_went) = match terms {
            Some(_) => (&mut self.new_chunk, &mut self.new_symbol),
            None => (&mut self.kept_chunk, &mut self.kept_symbol),
        };
        for (old, mut chunk) in (old_chunks.0..old_chunks.1).zip(source.chunks.by_ref()) {
            chunk.file = at;
            chunk.symbol = chunk.symbol.map(moved);
            chunk.defines.iter_mut().for_each(|symbol| *symbol = moved(*symbol));
            chunk_went[old as usize] = self.chunks.len() as u32;
            self.chunks.push(chunk);
        }
        for (old, mut symbol) in (old_symbols.0..old_symbols.1).zip(source.symbols.by_ref()) {
            symbol.file = at;
            symbol.record.parent = symbol.record.parent.map(moved);
            symbol.record.name_terms.iter_mut().for_each(term);
            symbol_went[old as usize] = self.symbols.len() as u32;
            self.symbols.push(symbol);
        }
        file.stem_terms.iter_mut().chain(&mut file.folder_terms).for_each(term);
        file.chunks = (first_chunk, self.chunks.len() as u32);
        file.symbols = (first_symbol, self.symbols.len() as u32);
        file
    }

    /// The symbols by the hashes of their names.
    fn names(&self, before: &[(u64, u32)], new: &[(u64, u32)]) -> Vec<(u64, u32)> {
        let moved = |&(hash, symbol): &(u64, u32), went: &[u32]| (hash, went[symbol as usize]);
        let kept = before.iter().map(|name| moved(name, &self.kept_symbol)).filter(|&(_, symbol)| symbol != GONE);
        let mut added = new.iter().map(|name| moved(name, &self.new_symbol)).peekable();
        let mut names = Vec::with_capacity(self.symbols.len());
        // Files keep their order, so both lists are sorted still.
        for name in kept {
            while let Some(earlier) = added.next_if(|added| *added < name) {
                names.push(earlier);
            }
            names.push(name);
        }
        names.extend(added);
        names
    }
}

/// Numbers folders in the order of their first files.
#[derive(Default)]
struct Folders {
    numbers: HashMap<Box<str>, u32, FxBuildHasher>,
}

impl Folders {
    fn number(&mut self, path: &str) -> u32 {
        let folder = &path[..path.len() - crate::place::file_name(path).len()];
        let next = self.numbers.len() as u32;
        match self.numbers.get(folder) {
            Some(&number) => number,
            None => *self.numbers.entry(folder.into()).or_insert(next),
        }
    }
}
