//! Questions about structure -> answers: outlines, definitions, uses, ways, maps, tests.
//!
//! One function answers all of them ([`Navigator::answer`]). What a name means is found once, in [`names`]; if it means
//! several things, all of them are subjects of the answer, and each row says which one it is about.

mod affected;
mod at;
mod conventions;
mod map;
mod names;
mod symbols;
mod uses;

use seekwell_types::structure::{Place, Role, Row, StructureAnswer, StructureQuery, Symbol};
use seekwell_types::{ByteSpan, LineSpan, structure as types};

use crate::error::Error;
use crate::generation::Generation;
use crate::grammar::Languages;
use crate::resolve::{Confidence, NONE, Site};
use crate::symbols::{CallKind, SymbolKind};
use crate::table::Table;

/// Candidates of an ambiguous use that are told; how many there are is told always.
const CANDIDATES: usize = 20;

/// Answers questions about the structure of one generation.
pub struct Navigator<'g> {
    generation: &'g Generation,
    languages: Languages,
    table: Option<&'g dyn Table>,
}

impl<'g> Navigator<'g> {
    /// For a generation. The table is used by maps for a task only.
    pub fn new(generation: &'g Generation, languages: Languages, table: Option<&'g dyn Table>) -> Self {
        Self { generation, languages, table }
    }

    /// Answers a question.
    pub fn answer(&self, query: &StructureQuery) -> Result<StructureAnswer, Error> {
        if !self.generation.has_graph() {
            return Err(Error::Index("who uses whom is only known of a tree that was made of its analyses".to_owned()));
        }
        Ok(match query {
            StructureQuery::Outline { path } => self.outline(path),
            StructureQuery::Definitions { name } => self.definitions(name),
            StructureQuery::References { name, found } => self.references(name, found),
            StructureQuery::Mentions { name, found } => self.mentions(name, found),
            StructureQuery::Callers { name } => self.about(name, |subjects| self.callers(subjects)),
            StructureQuery::Callees { name } => self.about(name, |subjects| self.callees(subjects)),
            StructureQuery::Impact { name, depth } => self.about(name, |subjects| self.impact(subjects, *depth)),
            StructureQuery::Path { from, to } => self.way(from, to),
            StructureQuery::Map { task, files } => self.map(task, *files as usize)?,
            StructureQuery::Affected { changes, names } => self.affected(changes, names),
            StructureQuery::At { spot, facet, found } => self.at(spot, *facet, found),
            StructureQuery::Symbols { text, limit } => self.symbols(text, *limit as usize),
        })
    }

    fn outline(&self, path: &str) -> StructureAnswer {
        let path = path.trim_start_matches("./");
        let files = &self.generation.files;
        let Ok(file) = files.binary_search_by(|file| file.path.as_bytes().cmp(path.as_bytes())) else {
            return StructureAnswer {
                not_found: true,
                nearest: names::nearest(path, files.iter().map(|file| file.path.as_str())),
                ..StructureAnswer::default()
            };
        };
        let (first, end) = files[file].symbols;
        let row = |symbol: u32| {
            let parent = self.record(symbol).parent;
            let around = std::iter::successors(parent, |&at| self.record(at).parent);
            Row {
                symbol: Some(self.symbol(symbol)),
                name: self.generation.symbol_name(symbol).to_owned(),
                depth: around.count() as u32,
                parent: parent.map(|parent| parent - first),
                ..Row::default()
            }
        };
        let rows: Vec<Row> = (first..end).map(row).collect();
        StructureAnswer { total: rows.len() as u32, rows, ..StructureAnswer::default() }
    }

    fn definitions(&self, name: &str) -> StructureAnswer {
        self.about(name, |subjects| {
            let row = |(number, &symbol): (usize, &u32)| Row {
                symbol: Some(self.symbol(symbol)),
                name: self.generation.symbol_name(symbol).to_owned(),
                subject: Some(number as u32),
                ..Row::default()
            };
            subjects.iter().enumerate().map(row).collect()
        })
    }

    /// An answer about what a name means, or what comes nearest to it.
    fn about(&self, name: &str, rows: impl FnOnce(&[u32]) -> Vec<Row>) -> StructureAnswer {
        let (subjects, notes) = self.subjects(name);
        if subjects.is_empty() {
            return self.nothing(name);
        }
        let rows = rows(&subjects);
        let subjects = subjects.iter().map(|&symbol| self.symbol(symbol)).collect();
        StructureAnswer { subjects, total: rows.len() as u32, rows, notes, ..StructureAnswer::default() }
    }

    fn nothing(&self, name: &str) -> StructureAnswer {
        StructureAnswer { not_found: true, nearest: self.nearest_names(name), ..StructureAnswer::default() }
    }

    fn record(&self, symbol: u32) -> &'g crate::analysis::SymbolRecord {
        &self.generation.symbols[symbol as usize].record
    }

    fn path(&self, file: u32) -> &'g str {
        &self.generation.files[file as usize].path
    }

    fn file_of(&self, symbol: u32) -> u32 {
        self.generation.symbols[symbol as usize].file
    }

    /// A symbol as it is told.
    fn symbol(&self, symbol: u32) -> Symbol {
        let generation = self.generation;
        let record = self.record(symbol);
        let file = &generation.files[self.file_of(symbol) as usize];
        Symbol {
            name: generation.symbol_name(symbol).to_owned(),
            container: self.container(symbol),
            kind: record.kind.word().to_owned(),
            language: file.language.clone(),
            path: file.path.clone(),
            lines: LineSpan { start: record.lines.0, end: record.lines.1 },
            span: ByteSpan::new(record.extent.0, record.extent.1),
            name_line: record.name_line,
            name_column: record.name_column,
            signature: file.strings.get(record.signature).to_owned(),
            doc: file.strings.get(record.doc).to_owned(),
            importance: generation.graph().symbol_percentile[symbol as usize],
            test: self.is_test(symbol),
        }
    }

    /// The names around a symbol: what it is nested in, or the type it is declared for.
    fn container(&self, symbol: u32) -> String {
        let of = self.generation.graph().member_of[symbol as usize];
        match self.record(symbol).parent {
            Some(parent) => self.generation.qualified_name(parent),
            None if of != NONE => self.generation.qualified_name(of),
            None => String::new(),
        }
    }

    /// A symbol's name with its container, for comparing and ordering.
    fn full_name(&self, symbol: u32) -> String {
        let container = self.container(symbol);
        let name = self.generation.symbol_name(symbol);
        if container.is_empty() || container == name { name.to_owned() } else { format!("{container}::{name}") }
    }

    fn is_test(&self, symbol: u32) -> bool {
        affected::is_test(self.generation, symbol)
    }

    /// The function or type that a use stands in.
    fn user(&self, within: u32) -> Option<u32> {
        let first = Some(within).filter(|w| *w != NONE);
        let mut around = std::iter::successors(first, |&at| self.record(at).parent);
        let kind = |at: u32| self.record(at).kind;
        around.find(|&at| kind(at).is_callable() || kind(at).is_type() || kind(at) == SymbolKind::Section)
    }

    fn place(&self, site: &Site) -> Place {
        let length = self.generation.graph().name(site).len() as u32;
        Place {
            path: self.path(site.file).to_owned(),
            line: site.line,
            column: site.column,
            span: ByteSpan::new(site.start, site.start + length),
            role: role(site.kind),
        }
    }

    /// The definitions that a use may mean, where these are several.
    fn candidates(&self, site: &Site) -> (Vec<Symbol>, u32) {
        match self.generation.graph().targets(site) {
            several @ [_, _, ..] => {
                (several.iter().take(CANDIDATES).map(|&s| self.symbol(s)).collect(), several.len() as u32)
            }
            _ => (Vec::new(), 0),
        }
    }
}

const fn role(kind: CallKind) -> Role {
    match kind {
        CallKind::Call => Role::Call,
        CallKind::Import => Role::Import,
        CallKind::Extends => Role::Extends,
        CallKind::Value => Role::Read,
    }
}

const fn confidence(of: Confidence) -> types::Confidence {
    match of {
        Confidence::Scope => types::Confidence::Scope,
        Confidence::File => types::Confidence::File,
        Confidence::Import => types::Confidence::Import,
        Confidence::Package => types::Confidence::Package,
        Confidence::Receiver => types::Confidence::Receiver,
        Confidence::Unique => types::Confidence::Unique,
        Confidence::Ambiguous => types::Confidence::Ambiguous,
        Confidence::External => types::Confidence::External,
    }
}
