//! The engine as a library behind the seam that the host has for engines. The product never does this: it is the judge of
//! the component's answers and the measure of what WebAssembly costs.

use seekwell::engine::{
    Analysed, Change, Engine, Failed, FileMatches, Measurement, Needle, Rejected, Rest, Snapshot, Worker, Workspace,
};
use seekwell::session::LanguageInfo;
use seekwell_core::analyse::Analyst;
use seekwell_core::analysis::Analysis;
use seekwell_core::error::Error;
use seekwell_core::find::{self, Finder};
use seekwell_core::generation::{Builder, Generation};
use seekwell_core::navigate::Navigator;
use seekwell_core::occurrences::Occurrences;
use seekwell_core::scan::{self, Scanner};
use seekwell_core::snapshot;
use seekwell_core::syntax::Syntax;
use seekwell_core::table::Table;
use seekwell_core::update::{self, Step, Update};
use seekwell_languages::LANGUAGES;
use seekwell_models::StaticTable;
use seekwell_types::structure::{Occurrence, StructureAnswer, StructureQuery, SyntaxError, Token};
use seekwell_types::{self as types, Answer, ByteSpan, LineSpan, Query};

const TABLE: &dyn Table = &StaticTable;

/// The engine, linked.
pub struct Native;

impl Engine for Native {
    fn worker(&self) -> Result<Box<dyn Worker + '_>, Failed> {
        Ok(Box::new(NativeWorker { analysts: [None, None], scanner: None }))
    }

    fn fingerprint(&self) -> &str {
        "linked"
    }

    fn workspace(&self, vectors: bool) -> Result<Box<dyn Workspace + '_>, Failed> {
        Ok(Box::new(NativeWorkspace { vectors, builder: None, generation: None, received: Vec::new() }))
    }
}

struct NativeWorker {
    analysts: [Option<Analyst<'static>>; 2],
    scanner: Option<(Needle, Scanner)>,
}

impl NativeWorker {
    fn analyst(&mut self, vectors: bool) -> &mut Analyst<'static> {
        let new = || Analyst::new(LANGUAGES, vectors.then_some(TABLE));
        self.analysts[usize::from(vectors)].get_or_insert_with(new)
    }
}

impl Worker for NativeWorker {
    fn analyse(&mut self, path: &str, bytes: &[u8], vectors: bool) -> Result<Vec<u8>, Rejected> {
        self.analyst(vectors).analyse(path, bytes, None).map(|a| a.to_bytes()).map_err(|_| Rejected::Binary)
    }

    fn analyse_to_keep(&mut self, path: &str, bytes: &[u8], vectors: bool) -> Result<Analysed, Rejected> {
        let analysed = self.analyst(vectors).with_skeleton(path, bytes, None);
        let (analysis, skeleton) = analysed.map_err(|_| Rejected::Binary)?;
        Ok(Analysed { analysis: analysis.to_bytes(), skeleton })
    }

    fn analyse_again(&mut self, path: &str, bytes: &[u8], skeleton: &[u8], vectors: bool) -> Option<Vec<u8>> {
        self.analyst(vectors).of_skeleton(path, bytes, skeleton).map(|a| a.to_bytes())
    }

    fn scan(&mut self, bytes: &[u8], needle: &Needle) -> Result<Option<Vec<ByteSpan>>, Failed> {
        if self.scanner.as_ref().is_none_or(|(of, _)| of != needle) {
            let Needle { pattern, regex, ignore_case } = needle.clone();
            let scanner = Scanner::new(&scan::Needle { pattern, regex, ignore_case }).map_err(failed)?;
            self.scanner = Some((needle.clone(), scanner));
        }
        Ok(self.scanner.as_ref().and_then(|(_, s)| s.scan(bytes).ok()))
    }

    fn admits(&mut self, query: &Query, path: &str, bytes: &[u8]) -> Result<bool, Failed> {
        find::admits(LANGUAGES, query, path, bytes).map_err(failed)
    }

    fn snippet(&mut self, bytes: &[u8], lines: LineSpan) -> Result<String, Failed> {
        Ok(seekwell_core::present::snippet(bytes, lines))
    }

    fn needle_of(&mut self, query: &Query) -> Result<Option<Needle>, Failed> {
        let own = |n: scan::Needle| Needle { pattern: n.pattern, regex: n.regex, ignore_case: n.ignore_case };
        Ok(scan::needle(query).map(own))
    }

    fn path_class(&mut self, path: &str) -> Result<String, Failed> {
        Ok(LANGUAGES.path_class(path).to_owned())
    }

    fn occurrences(&mut self, path: &str, bytes: &[u8], name: &str) -> Result<Option<Vec<Occurrence>>, Failed> {
        Ok(Occurrences::new(LANGUAGES).find(path, bytes, name).ok())
    }

    fn token_at(&mut self, path: &str, bytes: &[u8], line: u32, column: u32) -> Result<Option<Token>, Failed> {
        Ok(Occurrences::new(LANGUAGES).token(path, bytes, line, column).ok().flatten())
    }

    fn syntax_errors(&mut self, path: &str, bytes: &[u8]) -> Result<Vec<SyntaxError>, Failed> {
        Ok(Syntax::new(LANGUAGES).faults(path, bytes).unwrap_or_default())
    }

    fn languages(&mut self) -> Result<Vec<LanguageInfo>, Failed> {
        let owned = |words: &[&str]| words.iter().map(|w| (*w).to_owned()).collect();
        let info = |l: &seekwell_core::grammar::Language| LanguageInfo {
            id: l.id.to_owned(),
            name: l.name.to_owned(),
            aliases: owned(l.aliases),
            extensions: owned(l.extensions),
        };
        Ok(LANGUAGES.0.iter().map(info).collect())
    }
}

struct NativeWorkspace {
    vectors: bool,
    builder: Option<Builder<'static>>,
    generation: Option<Generation>,
    received: Vec<u8>,
}

impl NativeWorkspace {
    fn builder(&self) -> Result<Builder<'static>, Failed> {
        Builder::new(LANGUAGES, self.vectors.then_some(TABLE)).map_err(failed)
    }

    fn finder(&self) -> Result<(Finder<'_>, &Generation), Failed> {
        let generation = self.generation.as_ref().ok_or(Failed::Other("nothing was committed yet".to_owned()))?;
        Ok((Finder::new(generation, LANGUAGES, self.vectors.then_some(TABLE)), generation))
    }
}

impl Workspace for NativeWorkspace {
    fn add(&mut self, path: &str, analysis: &[u8]) -> Result<(), Failed> {
        let analysis = Analysis::from_bytes(analysis).ok_or_else(|| failed(Error::Blob))?;
        let mut builder = match self.builder.take() {
            Some(builder) => builder,
            None => self.builder()?,
        };
        let added = builder.add(path, analysis).map_err(failed);
        self.builder = Some(builder);
        added
    }

    fn commit(&mut self) -> Result<types::Generation, Failed> {
        let builder = match self.builder.take() {
            Some(builder) => builder,
            None => self.builder()?,
        };
        let generation = builder.commit().map_err(failed)?;
        let summary = generation.summary();
        self.generation = Some(generation);
        Ok(summary)
    }

    fn snapshot(&mut self) -> Result<Option<Snapshot>, Failed> {
        let Some(generation) = &self.generation else { return Ok(None) };
        let own = |s: snapshot::Snapshot| Snapshot { searchable: s.searchable, rest: s.rest };
        Ok(snapshot::snapshot(generation).map_err(failed)?.map(own))
    }

    fn update(&mut self, changes: &[Change], rest: &dyn Rest) -> Result<types::Generation, Failed> {
        let own = |change: &Change| {
            let new = change.new.as_deref().map(|blob| Analysis::from_bytes(blob).ok_or_else(|| failed(Error::Blob)));
            Ok(update::Change { path: change.path.clone(), new: new.transpose()? })
        };
        let changes = changes.iter().map(own).collect::<Result<Vec<_>, Failed>>()?;
        let generation = self.generation.take().ok_or(Failed::Other("nothing was committed yet".to_owned()))?;
        let table = self.vectors.then_some(TABLE);
        let (mut update, mut needs) = Update::begin(generation, LANGUAGES, table, changes).map_err(failed)?;
        let generation = loop {
            let parts = needs.iter().map(|&number| rest.part(number as usize)).collect::<Option<Vec<_>>>();
            match update.take(parts.ok_or(Failed::Snapshot)?).map_err(failed)? {
                Step::Needs(further, more) => (update, needs) = (*further, more),
                Step::Done(generation) => break *generation,
            }
        };
        let summary = generation.summary();
        self.generation = Some(generation);
        Ok(summary)
    }

    fn receive(&mut self, bytes: &[u8], _left: usize) -> Result<(), Failed> {
        self.received.extend_from_slice(bytes);
        Ok(())
    }

    fn restore(&mut self, bytes: &[u8]) -> Result<types::Generation, Failed> {
        let mut all = std::mem::take(&mut self.received);
        all.extend_from_slice(bytes);
        let generation = snapshot::restore(all, self.vectors.then_some(TABLE)).map_err(failed)?;
        let summary = generation.summary();
        self.generation = Some(generation);
        Ok(summary)
    }

    fn find(&mut self, query: &Query, matches: &[FileMatches]) -> Result<Answer, Failed> {
        let own = |m: &FileMatches| find::FileMatches { path: m.path.clone(), spans: m.spans.clone() };
        let matches: Vec<_> = matches.iter().map(own).collect();
        self.finder()?.0.find(query, &matches).map_err(failed)
    }

    fn ask(&mut self, query: &StructureQuery) -> Result<StructureAnswer, Failed> {
        let generation = self.finder()?.1;
        Navigator::new(generation, LANGUAGES, self.vectors.then_some(TABLE)).answer(query).map_err(failed)
    }

    fn measure(&mut self, query: &Query, places: bool) -> Result<Measurement, Failed> {
        let measured = self.finder()?.0.measure(query, places).map_err(failed)?;
        Ok(Measurement {
            signals: measured.signals.into_iter().map(str::to_owned).collect(),
            rows: measured.rows,
            values: measured.values,
            weights: measured.weights.name().to_owned(),
        })
    }
}

fn failed(error: Error) -> Failed {
    match error {
        Error::EmptyQuery => Failed::EmptyQuery,
        Error::Pattern(why) => Failed::Pattern(why),
        Error::Glob(why) => Failed::Glob(why),
        Error::Snapshot => Failed::Snapshot,
        other => Failed::Other(other.to_string()),
    }
}
