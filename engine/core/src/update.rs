//! A generation in which some files are replaced, without making the rest of it again.
//!
//! What comes out answers byte for byte as a generation that was built of the same files from nothing. Numbers of files,
//! chunks and symbols follow the order of paths, so all behind a change move; what depends on the whole tree is made of
//! exact sums, from which what was removed is subtracted; and vectors are made anew where a piece in them weighs otherwise.

use std::collections::HashMap;

use rustc_hash::FxBuildHasher;
use seekwell_types::{Degraded, Lossy};

use crate::analysis::Analysis;
use crate::dense::{DenseUpdate, Origin};
use crate::error::Error;
use crate::generation::{Added, Builder, Chunk, File, GONE, Generation, Parts, Symbol};
use crate::grammar::Languages;
use crate::importance::{self, is_led_to};
use crate::lexical::REMOVED;
use crate::table::Table;

/// What becomes of one file.
pub struct Change {
    /// Its path.
    pub path: String,
    /// The analysis that it is to be made of; none if the file is gone.
    pub new: Option<Analysis>,
}

/// A generation on its way to what it is after some changes: first it is found out what is needed for that, then it is done.
pub struct Update<'t> {
    generation: Generation,
    added: Added,
    table: Option<&'t dyn Table>,
    plan: Plan,
    /// Paths of what was changed, in order.
    changed: Vec<String>,
    dense: Option<DenseUpdate>,
}

impl<'t> Update<'t> {
    /// Begins with some changes, in the order of their paths, each of another path. `summary` is the first part of the rest
    /// of the same snapshot as the generation; without vectors nothing is read of it. [`Error::Snapshot`] if they do not fit
    /// each other, or the generation was updated before.
    pub fn begin(
        mut generation: Generation,
        languages: Languages,
        table: Option<&'t dyn Table>,
        changes: Vec<Change>,
        summary: &[u8],
    ) -> Result<Self, Error> {
        generation.unpack_uses().ok_or(Error::Snapshot)?;
        let table = table.filter(|_| generation.dense.is_some());
        let mut builder = Builder::small(languages, table);
        let mut changed = Vec::with_capacity(changes.len());
        let mut gone = Vec::with_capacity(changes.len());
        for Change { path, new } in changes {
            gone.push(new.is_none());
            if let Some(new) = new {
                builder.add(&path, new)?;
            }
            changed.push(path);
        }
        let mut added = builder.finish();
        let plan = Plan::new(&generation, &added, &changed, &gone).ok_or(Error::Snapshot)?;
        let dense = match (&generation.dense, table, added.dense.take()) {
            (Some(dense), Some(table), Some(new)) => {
                let kept = chunks_of(&generation.files);
                let begun = DenseUpdate::begin(dense, table, summary, &kept, new, &plan.files);
                Some(begun.ok_or(Error::Snapshot)?)
            }
            _ => None,
        };
        Ok(Self { generation, added, table, plan, changed, dense })
    }

    /// The numbers of the parts of the rest that [`Update::finish`] is to be given, in order.
    pub fn needs(&self) -> &[u32] {
        self.dense.as_ref().map_or(&[], DenseUpdate::needs)
    }

    /// The generation after the changes. [`Error::Snapshot`] if the parts are not those needed.
    pub fn finish(self, parts: &[Vec<u8>]) -> Result<Generation, Error> {
        let Self { generation, added, table, plan, changed, dense } = self;
        let dense = match (&generation.dense, table, dense) {
            (Some(before), Some(table), Some(update)) => {
                let (kept, new) = (chunks_of(&generation.files), chunks_of(&added.parts.files));
                let updated = update.finish(before, table, parts, &kept, &new, &plan.files);
                Some(updated.ok_or(Error::Snapshot)?)
            }
            _ => None,
        };
        let vectors = |parts| Parts { dense, ..parts };
        plan.carry_out(generation, added, &changed, vectors)
    }
}

fn chunks_of(files: &[File]) -> Vec<(u32, u32)> {
    files.iter().map(|file| file.chunks).collect()
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
    fn new(generation: &Generation, added: &Added, changed: &[String], gone: &[bool]) -> Option<Self> {
        let before = &generation.files;
        let mut is_kept = vec![true; before.len()];
        let mut changes = changed.iter().zip(gone).peekable();
        for (file, is_kept) in before.iter().zip(&mut is_kept) {
            // A new file that stands before this one.
            while changes.next_if(|(path, gone)| **path < file.path && !**gone).is_some() {}
            *is_kept = changes.next_if(|(path, _)| **path == file.path).is_none();
        }
        changes.all(|(_, gone)| !gone).then_some(())?;
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

    /// Most changes are made within functions: if each changed file uses and defines the same names as before, all files
    /// keep their importance, which those changed take over. Says whether it is so.
    fn carry_importance(&self, before: &Generation, new: &mut Parts) -> bool {
        let defined = |file: &File, symbols: &[Symbol]| {
            let of_file = &symbols[file.symbols.0 as usize..file.symbols.1 as usize];
            let led_to = of_file.iter().filter(|symbol| is_led_to(symbol.record.kind));
            importance::hashed(led_to.map(|symbol| file.strings.get(symbol.record.name)))
        };
        if before.files.len() != self.files.len()
            || self.kept.iter().filter(|&&to| to == GONE).count() != self.new.len()
        {
            return false;
        }
        for (file, &at) in new.files.iter_mut().zip(&self.new) {
            // None was added or removed before it or all were in pairs, which the path tells.
            let Some(old) = before.files.get(at as usize).filter(|old| old.path == file.path) else { return false };
            let alike = old.content == file.content
                && old.uses == file.uses
                && defined(old, &before.symbols) == defined(file, &new.symbols);
            if !alike {
                return false;
            }
            file.standing.importance = old.standing.importance;
        }
        true
    }

    fn carry_out(
        &self,
        generation: Generation,
        added: Added,
        changed: &[String],
        with_vectors: impl FnOnce(Parts) -> Parts,
    ) -> Result<Generation, Error> {
        let Added { parts: mut new, lexical: new_lexical, .. } = added;
        let leads_alike = self.carry_importance(&generation, &mut new);
        let mut is_named = vec![false; generation.vocabulary.len()];
        for symbol in generation.symbols.iter().filter(|s| self.kept[s.file as usize] != GONE) {
            symbol.record.name_terms.iter().for_each(|&term| is_named[term as usize] = true);
        }
        let (vocabulary, terms) = generation.vocabulary.updated(&new.vocabulary, &self.kept, &self.new, &is_named);
        let before = Source::new(generation.files, generation.chunks, generation.symbols);
        let spliced = Spliced::new(self, before, Source::new(new.files, new.chunks, new.symbols), &terms);
        let names = spliced.names(&generation.names, &new.names);
        let is_changed = |path: &str| changed.binary_search_by(|c| c.as_str().cmp(path)).is_ok();
        let mut lossy: Vec<Lossy> = generation.lossy.into_iter().filter(|l| !is_changed(&l.path)).collect();
        lossy.extend(new.lossy);
        lossy.sort_by(|a, b| a.path.cmp(&b.path));
        let mut degraded: Vec<Degraded> = generation.degraded.into_iter().filter(|d| !is_changed(&d.path)).collect();
        degraded.extend(new.degraded);
        degraded.sort_by(|a, b| a.path.cmp(&b.path));

        let Spliced { files, chunks, symbols, kept_chunk, new_chunk, .. } = spliced;
        let lexical = generation.lexical.updated(new_lexical, kept_chunk, new_chunk)?;
        let parts = Parts { files, chunks, symbols, dense: None, vocabulary, names, lossy, degraded };
        let mut parts = with_vectors(parts);
        parts.stand();
        if !leads_alike {
            parts.weigh();
        }
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
