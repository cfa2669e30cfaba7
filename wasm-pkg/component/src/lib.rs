//! The engine as a component of world `standalone`: translation, nothing else.
//!
//! What is here is the boundary: exports, the state of an instance, and [`convert`]. No decision about files, chunks or
//! order is made in this crate.

#![cfg(target_arch = "wasm32")]

mod convert;
mod random;
mod structure;

use std::cell::RefCell;

use seekwell_core::analyse::{Analyst, Degrade};
use seekwell_core::analysis::Analysis;
use seekwell_core::find::{self, Finder};
use seekwell_core::generation::{Builder, Generation};
use seekwell_core::navigate::Navigator;
use seekwell_core::occurrences::Occurrences;
use seekwell_core::scan::{Needle, Scanner};
use seekwell_core::symbols::SymbolKind;
use seekwell_core::syntax::Syntax;
use seekwell_core::table::Table;
use seekwell_core::update::{Step, Update};
use seekwell_core::{present, scan, snapshot};

#[allow(unsafe_code, missing_docs, clippy::all, reason = "generated")]
mod generated {
    wit_bindgen::generate!({ world: "standalone", path: "../../wit" });
    use super::Component;
    export!(Component);
}

use generated::exports::seekwell::engine::{
    analysis, corpus, scan as wit_scan, search, structure as wit_structure, types,
};

fn table() -> &'static dyn Table {
    &seekwell_models::StaticTable
}

struct Component;

thread_local! {
    /// One analyst with vectors and one without: their memos of words differ.
    static ANALYSTS: RefCell<[Option<Analyst<'static>>; 2]> = const { RefCell::new([None, None]) };
    /// For its parsers.
    static OCCURRENCES: RefCell<Option<Occurrences>> = const { RefCell::new(None) };
    /// Likewise.
    static SYNTAX: RefCell<Option<Syntax>> = const { RefCell::new(None) };
    /// The scanner of the last needle: a scan goes over many files with one.
    static SCANNER: RefCell<Option<(Needle, Scanner)>> = const { RefCell::new(None) };
}

fn with_analyst<T>(vectors: bool, work: impl FnOnce(&mut Analyst<'static>) -> T) -> T {
    ANALYSTS.with_borrow_mut(|analysts| {
        let new = || Analyst::new(seekwell_languages::LANGUAGES, vectors.then(table));
        work(analysts[usize::from(vectors)].get_or_insert_with(new))
    })
}

impl analysis::Guest for Component {
    fn analyse(path: String, bytes: Vec<u8>, options: analysis::Options) -> Result<Vec<u8>, analysis::Rejection> {
        let degrade = options.degrade.as_deref().map(Degrade);
        let analysed = with_analyst(options.vectors, |analyst| analyst.analyse(&path, &bytes, degrade));
        analysed.map(|a| a.to_bytes()).map_err(|_| analysis::Rejection::Binary)
    }

    fn analyse_to_keep(
        path: String,
        bytes: Vec<u8>,
        options: analysis::Options,
    ) -> Result<analysis::Analysed, analysis::Rejection> {
        let degrade = options.degrade.as_deref().map(Degrade);
        let analysed = with_analyst(options.vectors, |analyst| analyst.with_skeleton(&path, &bytes, degrade));
        let (analysis, skeleton) = analysed.map_err(|_| analysis::Rejection::Binary)?;
        Ok(analysis::Analysed { analysis: analysis.to_bytes(), skeleton })
    }

    fn analyse_again(path: String, bytes: Vec<u8>, skeleton: Vec<u8>, vectors: bool) -> Option<Vec<u8>> {
        with_analyst(vectors, |analyst| analyst.of_skeleton(&path, &bytes, &skeleton)).map(|a| a.to_bytes())
    }

    fn path_class(path: String) -> String {
        seekwell_languages::LANGUAGES.path_class(&path).to_owned()
    }

    fn languages() -> Vec<analysis::Language> {
        seekwell_languages::LANGUAGES.0.iter().map(convert::language).collect()
    }

    fn kinds() -> Vec<String> {
        SymbolKind::ALL.iter().map(|kind| kind.word().to_owned()).collect()
    }
}

impl corpus::Guest for Component {
    type Workspace = Workspace;
}

/// The state of a workspace: a builder that collects, or the generation that was committed last.
struct Workspace(RefCell<State>);

struct State {
    vectors: bool,
    builder: Option<Builder<'static>>,
    generation: Option<Generation>,
    /// What has come of a snapshot so far.
    received: Vec<u8>,
    update: Option<Update<'static>>,
}

impl corpus::GuestWorkspace for Workspace {
    fn new(vectors: bool) -> Self {
        Self(RefCell::new(State { vectors, builder: None, generation: None, received: Vec::new(), update: None }))
    }

    fn add(&self, path: String, analysis: Vec<u8>) -> Result<(), types::Error> {
        let state = &mut *self.0.borrow_mut();
        let analysis = Analysis::from_bytes(&analysis).ok_or(types::Error::Blob)?;
        let builder = match &mut state.builder {
            Some(builder) => builder,
            empty => empty.insert(new_builder(state.vectors)?),
        };
        builder.add(&path, analysis).map_err(convert::error)
    }

    fn commit(&self) -> Result<types::Generation, types::Error> {
        let state = &mut *self.0.borrow_mut();
        let builder = match state.builder.take() {
            Some(builder) => builder,
            None => new_builder(state.vectors)?,
        };
        let generation = builder.commit().map_err(convert::error)?;
        let summary = convert::generation(generation.summary());
        state.generation = Some(generation);
        Ok(summary)
    }

    fn snapshot(&self) -> Result<Option<corpus::Snapshot>, types::Error> {
        let state = self.0.borrow();
        let Some(generation) = &state.generation else { return Ok(None) };
        Ok(snapshot::snapshot(generation).map_err(convert::error)?.map(convert::snapshot))
    }

    fn receive(&self, bytes: Vec<u8>, left: u32) {
        let received = &mut self.0.borrow_mut().received;
        if received.is_empty() {
            received.reserve_exact(bytes.len().saturating_add(left as usize));
        }
        received.extend_from_slice(&bytes);
    }

    fn restore(&self, bytes: Vec<u8>) -> Result<types::Generation, types::Error> {
        let state = &mut *self.0.borrow_mut();
        let mut all = std::mem::take(&mut state.received);
        if all.is_empty() {
            all = bytes;
        } else {
            all.extend_from_slice(&bytes);
        }
        let generation = snapshot::restore(all, state.vectors.then(table)).map_err(convert::error)?;
        let summary = convert::generation(generation.summary());
        state.generation = Some(generation);
        Ok(summary)
    }

    fn begin_update(&self, changes: Vec<corpus::Change>) -> Result<Vec<u32>, types::Error> {
        let state = &mut *self.0.borrow_mut();
        let changes = changes.into_iter().map(convert::change).collect::<Option<Vec<_>>>().ok_or(types::Error::Blob)?;
        let generation = state.generation.take().ok_or(types::Error::NotCommitted)?;
        let table = state.vectors.then(table);
        let begun = Update::begin(generation, seekwell_languages::LANGUAGES, table, changes);
        let (begun, needs) = begun.map_err(convert::error)?;
        state.update = Some(begun);
        Ok(needs)
    }

    fn update(&self, parts: Vec<Vec<u8>>) -> Result<corpus::Updated, types::Error> {
        let state = &mut *self.0.borrow_mut();
        let update = state.update.take().ok_or(types::Error::NotCommitted)?;
        match update.take(parts).map_err(convert::error)? {
            Step::Needs(update, needs) => {
                state.update = Some(*update);
                Ok(corpus::Updated::Needs(needs))
            }
            Step::Done(generation) => {
                let summary = convert::generation(generation.summary());
                state.generation = Some(*generation);
                Ok(corpus::Updated::Done(summary))
            }
        }
    }
}

fn new_builder(vectors: bool) -> Result<Builder<'static>, types::Error> {
    Builder::new(seekwell_languages::LANGUAGES, vectors.then(table)).map_err(convert::error)
}

impl search::Guest for Component {
    fn find(
        workspace: corpus::WorkspaceBorrow<'_>,
        query: types::Query,
        matches: Vec<search::FileMatches>,
    ) -> Result<types::Answer, types::Error> {
        let state = workspace.get::<Workspace>().0.borrow();
        let finder = finder(&state)?;
        let matches: Vec<_> = matches.into_iter().map(convert::file_matches).collect();
        finder.find(&convert::query(query), &matches).map(convert::answer).map_err(convert::error)
    }

    fn admits(query: types::Query, path: String, bytes: Vec<u8>) -> Result<bool, types::Error> {
        find::admits(seekwell_languages::LANGUAGES, &convert::query(query), &path, &bytes).map_err(convert::error)
    }

    fn measure(
        workspace: corpus::WorkspaceBorrow<'_>,
        query: types::Query,
        places: bool,
    ) -> Result<search::Measurement, types::Error> {
        let state = workspace.get::<Workspace>().0.borrow();
        let measured = finder(&state)?.measure(&convert::query(query), places).map_err(convert::error)?;
        Ok(convert::measurement(measured))
    }

    fn snippet(bytes: Vec<u8>, lines: types::LineSpan) -> String {
        present::snippet(&bytes, convert::line_span(lines))
    }
}

fn finder(state: &State) -> Result<Finder<'_>, types::Error> {
    let generation = state.generation.as_ref().ok_or(types::Error::NotCommitted)?;
    Ok(Finder::new(generation, seekwell_languages::LANGUAGES, state.vectors.then(table)))
}

impl wit_structure::Guest for Component {
    fn ask(
        workspace: corpus::WorkspaceBorrow<'_>,
        question: wit_structure::Question,
    ) -> Result<wit_structure::Answer, types::Error> {
        let state = workspace.get::<Workspace>().0.borrow();
        let generation = state.generation.as_ref().ok_or(types::Error::NotCommitted)?;
        let navigator = Navigator::new(generation, seekwell_languages::LANGUAGES, state.vectors.then(table));
        navigator.answer(&structure::query(question)).map(structure::answer).map_err(convert::error)
    }

    fn occurrences(path: String, bytes: Vec<u8>, name: String) -> Option<Vec<wit_structure::Occurrence>> {
        OCCURRENCES.with_borrow_mut(|occurrences| {
            let occurrences = occurrences.get_or_insert_with(|| Occurrences::new(seekwell_languages::LANGUAGES));
            let found = occurrences.find(&path, &bytes, &name).ok()?;
            Some(found.into_iter().map(structure::occurrence).collect())
        })
    }

    fn token_at(path: String, bytes: Vec<u8>, line: u32, column: u32) -> Option<wit_structure::Token> {
        OCCURRENCES.with_borrow_mut(|occurrences| {
            let occurrences = occurrences.get_or_insert_with(|| Occurrences::new(seekwell_languages::LANGUAGES));
            occurrences.token(&path, &bytes, line, column).ok().flatten().map(structure::token)
        })
    }

    fn syntax_errors(path: String, bytes: Vec<u8>) -> Vec<wit_structure::SyntaxError> {
        SYNTAX.with_borrow_mut(|syntax| {
            let syntax = syntax.get_or_insert_with(|| Syntax::new(seekwell_languages::LANGUAGES));
            let faults = syntax.faults(&path, &bytes).unwrap_or_default();
            faults.into_iter().map(structure::syntax_error).collect()
        })
    }
}

impl wit_scan::Guest for Component {
    fn needle_of(query: types::Query) -> Option<wit_scan::Needle> {
        scan::needle(&convert::query(query)).map(convert::needle_out)
    }

    fn scan(bytes: Vec<u8>, needle: wit_scan::Needle) -> Result<Option<Vec<types::ByteSpan>>, types::Error> {
        let needle = convert::needle(needle);
        SCANNER.with_borrow_mut(|cached| {
            if cached.as_ref().is_none_or(|(of, _)| *of != needle) {
                let scanner = Scanner::new(&needle).map_err(convert::error)?;
                *cached = Some((needle, scanner));
            }
            let scanner = cached.as_ref().map(|(_, scanner)| scanner);
            let scanned = scanner.and_then(|s| s.scan(&bytes).ok());
            Ok(scanned.map(|spans| spans.into_iter().map(convert::byte_span).collect()))
        })
    }
}
