//! A generation in which some files are replaced, without making the rest of it again.
//!
//! What comes out answers byte for byte as a generation that was built of the same files from nothing. Numbers of files,
//! chunks and symbols follow the order of paths, so all behind a change may move; what depends on the whole tree is made of
//! exact sums, from which what was removed is subtracted; and vectors are made anew where a piece in them weighs otherwise.

use std::collections::HashMap;

use rustc_hash::FxBuildHasher;

use crate::analysis::Analysis;
use crate::dense::DenseUpdate;
use crate::error::Error;
use crate::generation::{Added, Builder, Chunk, File, Generation, Parts, Symbol, definers, path_pieces};
use crate::grammar::Languages;
use crate::importance::{self, ChangedLeads, LeadUpdate, is_led_to};
use crate::splice::{GONE, Splice};
use crate::standing::Gone;
use crate::table::Table;

/// What becomes of one file.
pub struct Change {
    /// Its path.
    pub path: String,
    /// The analysis that it is to be made of; none if the file is gone.
    pub new: Option<Analysis>,
}

/// A generation on its way to what it is after some changes. What else of its snapshot is needed is found out in steps.
pub struct Update<'t> {
    generation: Generation,
    added: Added,
    table: Option<&'t dyn Table>,
    plan: Plan,
    leads: Option<LeadUpdate>,
    dense: Option<DenseUpdate>,
}

/// What a step of an update has come to.
pub enum Step<'t> {
    /// It needs more: parts of the rest of the snapshot that the generation was restored from, by their numbers, in order.
    Needs(Box<Update<'t>>, Vec<u32>),
    /// The generation after the changes.
    Done(Box<Generation>),
}

impl<'t> Update<'t> {
    /// Begins with some changes, in the order of their paths, each of another path, and says which parts the first
    /// [`Update::take`] is to be given. [`Error::Snapshot`] if they do not fit the generation, or if that was not restored, or was
    /// updated before.
    pub fn begin(
        generation: Generation,
        languages: Languages,
        table: Option<&'t dyn Table>,
        changes: Vec<Change>,
    ) -> Result<(Self, Vec<u32>), Error> {
        let table = table.filter(|_| generation.dense.is_some());
        let mut builder = Builder::small(languages, table);
        let mut paths = Vec::with_capacity(changes.len());
        for Change { path, new } in changes {
            let is_there = new.is_some();
            if let Some(new) = new {
                builder.add(&path, new)?;
            }
            paths.push((path, is_there));
        }
        let mut added = builder.finish();
        let plan = Plan::new(&generation.files, paths).ok_or(Error::Snapshot)?;
        let leads = match plan.leads(&generation, &mut added.parts) {
            Some(changed) => {
                let definers = |hash| definers(&generation.files, &generation.symbols, &generation.names, hash);
                Some(LeadUpdate::begin(changed, generation.lead_parts, definers).ok_or(Error::Snapshot)?)
            }
            None if generation.lead_parts == 0 => return Err(Error::Snapshot),
            None => None,
        };
        let dense = added.dense.take().filter(|_| generation.dense.is_some());
        let dense = dense.map(|new| DenseUpdate::begin(chunks_of(&generation.files), plan.gone(), new));
        let begun = Self { generation, added, table, plan, leads, dense };
        let needs = begun.needs();
        Ok((begun, needs))
    }

    /// The parts about vectors come after those about names and edges.
    fn needs(&self) -> Vec<u32> {
        let of_leads = self.leads.iter().flat_map(LeadUpdate::needs).copied();
        let of_vectors = self.dense.iter().flat_map(DenseUpdate::needs).map(|part| self.generation.lead_parts + part);
        of_leads.chain(of_vectors).collect()
    }

    /// Takes the parts that were needed. [`Error::Snapshot`] if they are others.
    pub fn take(mut self, mut parts: Vec<Vec<u8>>) -> Result<Step<'t>, Error> {
        let of_leads = self.leads.as_ref().map_or(0, |leads| leads.needs().len());
        if parts.len() < of_leads {
            return Err(Error::Snapshot);
        }
        let of_vectors = parts.split_off(of_leads);
        if let Some(leads) = &mut self.leads {
            leads.take(parts, self.generation.files.len()).ok_or(Error::Snapshot)?;
        }
        if let (Some(dense), Some(before)) = (&mut self.dense, &self.generation.dense) {
            dense.take(before, of_vectors).ok_or(Error::Snapshot)?;
        }
        let needs = self.needs();
        if needs.is_empty() {
            self.finish().map(|generation| Step::Done(Box::new(generation))).ok_or(Error::Snapshot)
        } else {
            Ok(Step::Needs(Box::new(self), needs))
        }
    }

    fn finish(self) -> Option<Generation> {
        let Self { generation, added, table, plan, leads, dense } = self;
        let Added { parts: mut new, lexical: added, .. } = added;
        let (mut parts, lexical) = generation.into_parts();
        let is_alike = plan.is_alike(&parts.files, &new.files);
        let chunks = plan.files.within(&chunks_of(&parts.files), &chunks_of(&new.files));
        let symbols = plan.files.within(&symbols_of(&parts.files), &symbols_of(&new.files));
        let kept = plan.files.kept(parts.files.len());

        // What depends on what is about to be replaced comes first.
        parts.dense = match (parts.dense, table, dense) {
            (Some(vectors), Some(table), Some(update)) => {
                let paths = |file: u32| path_pieces(table, &parts.files[file as usize].path);
                Some(update.finish(vectors, table, &chunks, paths, &chunks_of(&new.files))?)
            }
            _ => None,
        };
        let lexical = lexical.updated(added, &chunks).ok()?;
        let (gone, terms) = (plan.as_they_were(&parts), plan.terms(&parts));
        let stay = plan.replace_words(&mut parts, &mut new, &kept);
        // Most edits are within functions.
        if symbols.moves() || !plan.keeps_names(&parts, &new) {
            replace_names(&mut parts.names, new.names, &symbols.kept(parts.symbols.len()), &symbols.added());
        }
        plan.replace_notes(&mut parts.lossy, new.lossy, |lossy| &lossy.path);
        plan.replace_notes(&mut parts.degraded, new.degraded, |degraded| &degraded.path);
        plan.keep_folders(&parts.files, &mut new.files);
        chunks.apply(&mut parts.chunks, new.chunks);
        symbols.apply(&mut parts.symbols, new.symbols);
        plan.files.apply(&mut parts.files, new.files);

        renumber(&mut parts);
        if plan.files.moves() {
            number_folders(&mut parts.files);
        }
        forget(&mut parts, &terms, &stay);
        let holders = {
            let of_chunks = &parts.chunks;
            parts.copies.replace(&chunks, new.copies.into_hashes(), |chunk| of_chunks[chunk as usize].file)
        };
        parts.stand_updated(&plan.files.added(), &gone, &holders);
        if let Some(leads) = leads {
            let definers = |hash| definers(&parts.files, &parts.symbols, &parts.names, hash);
            let (edges, are_others) = leads.finish(&kept, definers)?;
            if are_others || !is_alike {
                parts.weigh(&edges);
            }
        }
        Some(Generation::assemble(parts, lexical))
    }
}

fn chunks_of(files: &[File]) -> Vec<(u32, u32)> {
    files.iter().map(|file| file.chunks).collect()
}

fn symbols_of(files: &[File]) -> Vec<(u32, u32)> {
    files.iter().map(|file| file.symbols).collect()
}

fn of<T>(items: &[T], (first, end): (u32, u32)) -> &[T] {
    &items[first as usize..end as usize]
}

/// Which files are replaced by which.
struct Plan {
    files: Splice,
    /// In the order of their paths.
    changes: Vec<Changed>,
}

struct Changed {
    path: String,
    /// Its number in the tree as it was.
    old: Option<u32>,
    /// Its number among what is added, and in the tree as it becomes.
    new: Option<(u32, u32)>,
}

impl Plan {
    /// `changes` are paths, and whether there is a file afterwards. `None` if they are not in order, or one that is to go is not
    /// there.
    fn new(files: &[File], changes: Vec<(String, bool)>) -> Option<Self> {
        changes.is_sorted_by(|(a, _), (b, _)| a < b).then_some(())?;
        let mut plan = Self { files: Splice::default(), changes: Vec::with_capacity(changes.len()) };
        let mut added = 0;
        for (path, is_there) in changes {
            let (at, old) = match files.binary_search_by(|file| file.path.as_str().cmp(&path)) {
                Ok(at) => (at as u32, Some(at as u32)),
                Err(at) => (at as u32, None),
            };
            (old.is_some() || is_there).then_some(())?;
            plan.files.replace(at..at + u32::from(old.is_some()), u32::from(is_there));
            plan.changes.push(Changed { path, old, new: is_there.then_some((added, 0)) });
            added += u32::from(is_there);
        }
        let new = plan.changes.iter_mut().filter_map(|changed| changed.new.as_mut());
        new.zip(plan.files.added()).for_each(|(new, number)| new.1 = number);
        Some(plan)
    }

    /// Old number of each file that is no longer what it was, in order.
    fn gone(&self) -> Vec<u32> {
        self.changes.iter().filter_map(|changed| changed.old).collect()
    }

    /// Of each file that is there before and after: its old number, that among what is added, and its new one.
    fn replaced(&self) -> impl Iterator<Item = (u32, u32, u32)> {
        self.changes.iter().filter_map(|changed| changed.old.zip(changed.new)).map(|(old, (new, at))| (old, new, at))
    }

    /// Whether no file comes or goes, or becomes one of another class.
    fn is_alike(&self, before: &[File], new: &[File]) -> bool {
        !self.files.moves()
            && self.replaced().all(|(old, new_file, _)| before[old as usize].content == new[new_file as usize].content)
    }

    /// What edges between files depend on; `None` if they do not change.
    fn leads(&self, before: &Generation, new: &mut Parts) -> Option<Vec<ChangedLeads>> {
        let defined = |file: &File, symbols: &[Symbol]| {
            let led_to = of(symbols, file.symbols).iter().filter(|s| file.is_code() && is_led_to(s.record.kind));
            importance::hashed(led_to.map(|symbol| file.strings.get(symbol.record.name)))
        };
        let is_code = |changed: &Changed| {
            changed.old.is_some_and(|old| before.files[old as usize].is_code())
                || changed.new.is_some_and(|(file, _)| new.files[file as usize].is_code())
        };
        (self.files.moves() || self.changes.iter().any(is_code)).then_some(())?;
        let changed = |changed: &Changed| {
            let old = changed.old.map(|old| &before.files[old as usize]);
            let new_file = changed.new.map(|(file, _)| file as usize);
            ChangedLeads {
                old: changed.old,
                new: changed.new.map(|(_, at)| at),
                defined: old.map_or(Vec::new(), |file| defined(file, &before.symbols)),
                defines: new_file.map_or(Vec::new(), |file| defined(&new.files[file], &new.symbols)),
                uses: new_file.map_or_else(Default::default, |file| std::mem::take(&mut new.files[file].uses)),
            }
        };
        Some(self.changes.iter().map(changed).collect())
    }

    /// Replaces terms of names and paths: those of what is added get their numbers in the tree, which are returned.
    fn replace_words(&self, parts: &mut Parts, new: &mut Parts, kept: &[u32]) -> Vec<u32> {
        let numbers = parts.vocabulary.add(&new.vocabulary);
        // Files that stay where they are have the same terms in their paths.
        if self.files.moves() {
            parts.vocabulary.place(kept, &new.vocabulary, &numbers, &self.files.added());
        }
        let of_paths = new.files.iter_mut().flat_map(|file| file.stem_terms.iter_mut().chain(&mut file.folder_terms));
        let of_names = new.symbols.iter_mut().flat_map(|symbol| &mut symbol.record.name_terms);
        of_paths.chain(of_names).for_each(|term| *term = numbers[*term as usize]);
        numbers
    }

    /// Whether the symbols of replaced files are called as they were, one by one.
    fn keeps_names(&self, before: &Parts, new: &Parts) -> bool {
        fn names(parts: &Parts, file: u32) -> impl Iterator<Item = &str> {
            let file = &parts.files[file as usize];
            of(&parts.symbols, file.symbols).iter().map(|symbol| file.strings.get(symbol.record.name))
        }
        self.replaced().all(|(old, new_file, _)| names(before, old).eq(names(new, new_file)))
    }

    /// Replaces what is to be told of files.
    fn replace_notes<T>(&self, notes: &mut Vec<T>, new: Vec<T>, path: impl Fn(&T) -> &String) {
        notes.retain(|note| self.changes.binary_search_by(|changed| changed.path.cmp(path(note))).is_err());
        notes.extend(new);
        notes.sort_by(|a, b| path(a).cmp(path(b)));
    }

    /// What the standing of others depends on, of the files that are no longer what they were.
    fn as_they_were(&self, parts: &Parts) -> Vec<Gone> {
        let gone = |old: u32| {
            let &File { ref path, content, standing, chunks, chunk_bytes: bytes, .. } = &parts.files[old as usize];
            let hashes = of(parts.copies.hashes(), chunks).iter().copied();
            let chunks = hashes.zip(of(&parts.chunks, chunks).iter().map(Chunk::bytes)).collect();
            Gone { path: path.clone(), content, standing, bytes, chunks }
        };
        self.gone().into_iter().map(gone).collect()
    }

    /// Terms of the names and paths of files that are no longer what they were.
    fn terms(&self, parts: &Parts) -> Vec<u32> {
        let gone: Vec<&File> = self.gone().into_iter().map(|file| &parts.files[file as usize]).collect();
        let of_names = gone.iter().flat_map(|file| of(&parts.symbols, file.symbols)).flat_map(|s| &s.record.name_terms);
        let of_paths = gone.iter().flat_map(|file| file.stem_terms.iter().chain(&file.folder_terms));
        of_names.chain(of_paths).copied().collect()
    }

    fn keep_folders(&self, before: &[File], new: &mut [File]) {
        self.replaced().for_each(|(old, new_file, _)| new[new_file as usize].folder = before[old as usize].folder);
    }
}

/// Replaces symbols in the list by the hashes of their names. Both lists are in order, and files keep theirs, so that what stays
/// is in order still.
fn replace_names(names: &mut Vec<(u32, u32)>, new: Vec<(u32, u32)>, kept: &[u32], added: &[u32]) {
    names.retain_mut(|(_, symbol)| {
        *symbol = kept[*symbol as usize];
        *symbol != GONE
    });
    // From the end on, each name is moved once.
    let (mut read, mut write) = (names.len(), names.len() + new.len());
    names.resize(write, (0, 0));
    for (hash, symbol) in new.into_iter().rev() {
        let name = (hash, added[symbol as usize]);
        while read > 0 && names[read - 1] > name {
            (read, write) = (read - 1, write - 1);
            names[write] = names[read];
        }
        write -= 1;
        names[write] = name;
    }
}

/// Gives files the numbers of their chunks and symbols, and these those of their files and of each other.
fn renumber(parts: &mut Parts) {
    let (mut chunk, mut symbol) = (0, 0);
    for (number, file) in (0..).zip(&mut parts.files) {
        let (first_chunk, first_symbol) = (chunk, symbol);
        chunk += file.chunks.1 - file.chunks.0;
        symbol += file.symbols.1 - file.symbols.0;
        let chunks = &mut parts.chunks[first_chunk as usize..chunk as usize];
        let symbols = &mut parts.symbols[first_symbol as usize..symbol as usize];
        let by = first_symbol.wrapping_sub(file.symbols.0);
        let of_other = |of: Option<u32>| of.is_some_and(|of| of != number);
        if by != 0 || of_other(chunks.first().map(|c| c.file)) || of_other(symbols.first().map(|s| s.file)) {
            chunks.iter_mut().for_each(|chunk| chunk.moved(number, by));
            symbols.iter_mut().for_each(|symbol| symbol.moved(number, by));
        }
        (file.chunks, file.symbols) = ((first_chunk, chunk), (first_symbol, symbol));
    }
}

impl Chunk {
    /// It is of the file of this number now, whose symbols have moved by so many.
    fn moved(&mut self, file: u32, by: u32) {
        self.file = file;
        self.symbol.iter_mut().chain(&mut self.defines).for_each(|symbol| *symbol = symbol.wrapping_add(by));
    }
}

impl Symbol {
    fn moved(&mut self, file: u32, by: u32) {
        self.file = file;
        self.record.parent = self.record.parent.map(|parent| parent.wrapping_add(by));
    }
}

/// Numbers folders in the order of their first files.
fn number_folders(files: &mut [File]) {
    let mut numbers: HashMap<String, u32, FxBuildHasher> = HashMap::default();
    for file in files {
        let folder = &file.path[..file.path.len() - crate::place::file_name(&file.path).len()];
        let next = numbers.len() as u32;
        file.folder = match numbers.get(folder) {
            Some(&number) => number,
            None => *numbers.entry(folder.to_owned()).or_insert(next),
        };
    }
}

/// Sees to it that of these terms those which nothing uses any more are not found; some certainly `stay`.
fn forget(parts: &mut Parts, terms: &[u32], stay: &[u32]) {
    let mut is_doubtful = vec![false; parts.vocabulary.len()];
    terms.iter().for_each(|&term| is_doubtful[term as usize] = parts.vocabulary.places(term).is_empty());
    stay.iter().for_each(|&term| is_doubtful[term as usize] = false);
    let mut doubtful = is_doubtful.iter().filter(|&&is| is).count();
    for &term in parts.symbols.iter().flat_map(|symbol| &symbol.record.name_terms) {
        if doubtful == 0 {
            return;
        }
        doubtful -= usize::from(std::mem::take(&mut is_doubtful[term as usize]));
    }
    parts.vocabulary.forget(&is_doubtful);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stay_in_order() {
        let mut names = vec![(1, 4), (3, 0), (3, 2), (7, 1), (7, 3)];
        // The symbols 1 and 2 are replaced by three.
        replace_names(&mut names, vec![(0, 1), (3, 0), (9, 2)], &[0, GONE, GONE, 4, 5], &[1, 2, 3]);
        assert_eq!(names, [(0, 2), (1, 5), (3, 0), (3, 1), (7, 4), (9, 3)]);
    }
}
