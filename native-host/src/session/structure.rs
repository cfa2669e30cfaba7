//! Questions about structure: the tree is read as for a search, then asked who uses whom.

use std::borrow::Cow;
use std::sync::{Arc, Mutex, PoisonError};

use memchr::memmem::Finder;
use seekwell_print::structure::identifier;
use seekwell_types::LineSpan;
use seekwell_types::structure::{Facet, FileOccurrences, StructureAnswer, StructureQuery};

use super::cores::on_all_cores;
use super::pipeline::{Corpus, Session};
use super::{Error, Request, StructureOutcome};
use crate::walk::{Found, Walk};

impl Session<'_> {
    /// Answers a question about structure. Where a question is about the places of a name, these are found here:
    /// `found` of the query is filled in.
    pub fn structure(&self, request: &Request<'_>, query: &StructureQuery) -> Result<StructureOutcome, Error> {
        let corpus = self.corpus_with_uses(request)?;
        let walk = Arc::clone(&corpus.walk);
        self.structure_of(request, &walk, &Mutex::new(corpus), query)
    }

    /// The same, of a tree that was read already. While its files are looked through, others can ask it.
    pub(super) fn structure_of(
        &self,
        request: &Request<'_>,
        walk: &Walk,
        corpus: &Mutex<Corpus<'_>>,
        query: &StructureQuery,
    ) -> Result<StructureOutcome, Error> {
        let mut query = query.clone();
        let mut lost = Vec::new();
        let places = match &mut query {
            StructureQuery::References { name, found } | StructureQuery::Mentions { name, found } => {
                request.progress.stage("looking up", 0);
                (*found, lost) = self.occurrences(request, walk, identifier(name))?;
                true
            }
            StructureQuery::At { spot, facet: Facet::References, found } => {
                request.progress.stage("looking up", 0);
                (*found, lost) = self.occurrences(request, walk, &spot.name)?;
                false
            }
            _ => false,
        };
        let mut outcome = {
            // An instance that trapped says so at each call.
            let mut corpus = corpus.lock().unwrap_or_else(PoisonError::into_inner);
            if request.progress.cancelled() {
                return Err(Error::Cancelled);
            }
            StructureOutcome {
                answer: corpus.ask(&query)?,
                root: walk.root.clone(),
                generation: corpus.generation.clone(),
                skipped: corpus.skipped.clone(),
                partial: false,
                source: corpus.source,
                files: Vec::new(),
                lines: Vec::new(),
            }
        };
        let lost = lost.into_iter().map(|path| format!("not looked into, the engine failed on it: {path}"));
        outcome.answer.notes.extend(lost);
        outcome.files = walk.files.iter().map(|file| file.path.clone()).collect();
        if places {
            outcome.lines = self.lines(request, walk, &outcome.answer)?;
        }
        Ok(outcome)
    }

    /// Where a name stands, in the files that hold its bytes; and the files that could not be looked into.
    fn occurrences(
        &self,
        request: &Request<'_>,
        walk: &Walk,
        name: &str,
    ) -> Result<(Vec<FileOccurrences>, Vec<String>), Error> {
        let finder = Finder::new(name);
        let holds = |file: &Found| {
            let bytes = request.read(file).ok()?;
            // The bytes of other encodings say nothing before they are decoded.
            let other = bytes.starts_with(&[0xFF, 0xFE]) || bytes.starts_with(&[0xFE, 0xFF]);
            (other || !name.is_ascii() || finder.find(&bytes).is_some()).then_some(bytes)
        };
        let files = &walk.files;
        let found: Mutex<Vec<(usize, FileOccurrences)>> = Mutex::default();
        let lost: Mutex<Vec<String>> = Mutex::default();
        on_all_cores(self.engine, files.len(), &|worker, at| {
            let file = &files[at];
            if request.progress.cancelled() {
                return Ok(());
            }
            let Some(bytes) = holds(file) else { return Ok(()) };
            match worker.occurrences(&file.path, &bytes, name) {
                Ok(Some(occurrences)) if !occurrences.is_empty() => {
                    let path = file.path.clone();
                    found.lock().expect("no thread panics").push((at, FileOccurrences { path, occurrences }));
                }
                Ok(_) => {}
                // One file never ends the whole.
                Err(_) => lost.lock().expect("no thread panics").push(file.path.clone()),
            }
            Ok(())
        })?;
        if request.progress.cancelled() {
            return Err(Error::Cancelled);
        }
        let mut found = found.into_inner().expect("no thread panics");
        found.sort_by_key(|(at, _)| *at);
        let mut lost = lost.into_inner().expect("no thread panics");
        lost.sort();
        Ok((found.into_iter().map(|(_, occurrences)| occurrences).collect(), lost))
    }

    /// The text of the line of each row's first place.
    fn lines(&self, request: &Request<'_>, walk: &Walk, answer: &StructureAnswer) -> Result<Vec<String>, Error> {
        let mut worker = self.engine.worker()?;
        let mut open: Option<(&str, Cow<'_, [u8]>)> = None;
        let mut lines = Vec::with_capacity(answer.rows.len());
        for row in &answer.rows {
            let Some(place) = row.places.first() else {
                lines.push(String::new());
                continue;
            };
            if open.as_ref().is_none_or(|(path, _)| *path != place.path) {
                let files = &walk.files;
                if request.progress.cancelled() {
                    return Err(Error::Cancelled);
                }
                let at = files.binary_search_by(|f| f.path.as_bytes().cmp(place.path.as_bytes()));
                let bytes = at.ok().and_then(|at| request.read(&files[at]).ok());
                open = Some((&place.path, bytes.unwrap_or_default()));
            }
            let bytes = open.as_ref().map_or(&[][..], |(_, bytes)| bytes);
            let line = LineSpan { start: place.line, end: place.line };
            lines.push(worker.snippet(bytes, line)?.trim().to_owned());
        }
        Ok(lines)
    }
}
