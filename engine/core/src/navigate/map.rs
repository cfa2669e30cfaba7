//! What matters in a tree, or for a task: files by the PageRank of what is in them, with their best symbols.
//!
//! PageRank alone puts first what everything rests on: a linked list, a file of helpers. Who comes to a tree looks for where
//! its parts meet. So in general a file counts by the geometric mean of two walks, along uses and against them: high is what
//! is used by much and uses much, as hubs and authorities of J. Kleinberg, "Authoritative sources in a hyperlinked
//! environment", 1999, in one number.

use seekwell_types::structure::{FileRow, StructureAnswer};
use seekwell_types::{Content, Mode, Query};

use super::Navigator;
use crate::error::Error;
use crate::find::Finder;
use crate::place::Prior;

/// Hits of a task that the walk starts from.
const SEEDS: u32 = 24;

/// Symbols of a file that are told.
const SYMBOLS: usize = 24;

/// What a file beside the code (tests, benchmarks, examples, vendored and generated code) counts in a map.
const BESIDE: f64 = 0.01;

/// What a file's own rank, along imports, counts beside the sum of its symbols' ranks.
const FILE_SHARE: f64 = 0.5;

impl Navigator<'_> {
    /// The files that matter most, at most so many.
    pub(super) fn map(&self, task: &str, limit: usize) -> Result<StructureAnswer, Error> {
        let generation = self.generation;
        let graph = generation.graph();
        let mut notes = Vec::new();
        let seeds = if task.trim().is_empty() { Vec::new() } else { self.seeds(task)? };
        if !task.trim().is_empty() && seeds.is_empty() {
            notes.push("nothing in the tree matches the task: this is the map in general".to_owned());
        }
        let personal = (!seeds.is_empty()).then(|| graph.personal_rank(&seeds));
        let ranks = personal.as_deref().unwrap_or(&graph.symbol_rank);
        let mut scores: Vec<f64> = vec![0.0; generation.files.len()];
        for (symbol, rank) in ranks.iter().enumerate() {
            let symbol = symbol as u32;
            let kind = generation.symbols[symbol as usize].record.kind;
            if kind.is_callable() || kind.is_type() {
                scores[self.file_of(symbol) as usize] += rank;
            }
        }
        let reach = if personal.is_none() { graph.file_reach() } else { Vec::new() };
        for (file, score) in scores.iter_mut().enumerate() {
            if personal.is_none() {
                *score = libm::sqrt((*score + FILE_SHARE * graph.file_rank[file]) * reach[file]);
            }
            if self.is_beside(file) {
                *score *= BESIDE;
            }
        }
        let told = |&file: &usize| {
            let (first, end) = generation.files[file].symbols;
            generation.files[file].content == Content::Code && first < end && scores[file] > 0.0
        };
        let mut order: Vec<usize> = (0..generation.files.len()).filter(told).collect();
        order.sort_by(|&a, &b| scores[b].total_cmp(&scores[a]).then(a.cmp(&b)));
        let total = order.len() as u32;
        order.truncate(limit);
        let mut number = vec![None; generation.files.len()];
        order.iter().enumerate().for_each(|(at, &file)| number[file] = Some(at as u32));
        let files = order.iter().map(|&file| self.file_row(file, ranks, &number)).collect();
        Ok(StructureAnswer { files, total, not_found: total == 0, notes, ..StructureAnswer::default() })
    }

    fn file_row(&self, file: usize, ranks: &[f64], number: &[Option<u32>]) -> FileRow {
        let generation = self.generation;
        let (first, end) = generation.files[file].symbols;
        let is_told = |&symbol: &u32| {
            let kind = self.record(symbol).kind;
            (kind.is_callable() || kind.is_type()) && !self.is_test(symbol)
        };
        let mut symbols: Vec<u32> = (first..end).filter(is_told).collect();
        symbols.sort_by(|&a, &b| ranks[b as usize].total_cmp(&ranks[a as usize]).then(a.cmp(&b)));
        symbols.truncate(SYMBOLS);
        let edges = generation.graph().file_uses().iter().filter(|edge| edge.from == file as u32);
        let mut uses: Vec<(f32, u32)> =
            edges.filter_map(|edge| Some((edge.weight, number[edge.to as usize]?))).collect();
        uses.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        FileRow {
            path: generation.files[file].path.clone(),
            language: generation.files[file].language.clone(),
            importance: generation.graph().file_percentile[file],
            symbols: symbols.into_iter().map(|symbol| self.symbol(symbol)).collect(),
            uses: uses.into_iter().map(|(_, to)| to).collect(),
        }
    }

    fn is_beside(&self, file: usize) -> bool {
        let priors = self.generation.files[file].priors;
        // A declaration file of TypeScript says again what is defined elsewhere.
        let path = self.generation.files[file].path.as_str();
        let declares = [".d.ts", ".d.mts", ".d.cts"].iter().any(|ending| path.ends_with(ending));
        declares
            || [
                Prior::Test,
                Prior::Bench,
                Prior::Example,
                Prior::Vendored,
                Prior::Generated,
                Prior::Script,
                Prior::DocsFolder,
            ]
            .into_iter()
            .any(|prior| priors.has(prior))
    }

    /// The symbols that a task's words and its meaning lead to, with their scores.
    fn seeds(&self, task: &str) -> Result<Vec<(u32, f64)>, Error> {
        let mode = if self.table.is_some() { Mode::Hybrid } else { Mode::Keyword };
        let query = Query { text: task.to_owned(), mode, limit: SEEDS, per_file: 3, ..Query::default() };
        let answer = Finder::new(self.generation, self.languages, self.table).find(&query, &[])?;
        let mut seeds = Vec::new();
        for hit in &answer.hits {
            let files = &self.generation.files;
            let Ok(file) = files.binary_search_by(|f| f.path.as_bytes().cmp(hit.path.as_bytes())) else { continue };
            let (first, end) = files[file].symbols;
            let inside = |&s: &u32| {
                let line = self.record(s).name_line;
                let kind = self.record(s).kind;
                hit.lines.start <= line && line <= hit.lines.end && (kind.is_callable() || kind.is_type())
            };
            let mut named: Vec<u32> = (first..end).filter(inside).collect();
            if named.is_empty() {
                named.extend(self.innermost(file as u32, hit.span.start));
            }
            let share = f64::from(hit.score) / named.len().max(1) as f64;
            seeds.extend(named.into_iter().map(|symbol| (symbol, share)));
        }
        Ok(seeds)
    }
}
