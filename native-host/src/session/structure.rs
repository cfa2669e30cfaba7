//! Questions about structure: the tree is read as for a search, then asked who uses whom.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use memchr::memmem::Finder;
use seekwell_types::structure::{Facet, FileOccurrences, StructureAnswer, StructureQuery};
use seekwell_types::{Generation, LineSpan, Skipped};

use super::pipeline::{Corpus, Session, max_file_size};
use super::{Error, Request, Source};
use crate::component::config::THREAD_STACK;
use crate::engine::{Failed, Worker};
use crate::walk::{self, Found};

/// A thread is worth its instance from this many files that hold the name on.
const FILES_PER_THREAD: usize = 8;

/// The answer to a question about structure, with what a reader needs to judge it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StructureOutcome {
    /// The folder that paths are relative to, absolute.
    pub root: std::path::PathBuf,
    /// What was searched.
    pub generation: Generation,
    /// What was not, with the reason.
    pub skipped: Vec<Skipped>,
    /// Whether the tree was read in part only.
    pub partial: bool,
    /// What the answer was computed from.
    pub source: Source,
    /// The answer.
    pub answer: StructureAnswer,
    /// For questions about places: the text of the line of each row's first place, in the order of rows.
    pub lines: Vec<String>,
    /// The files of the tree, in order.
    pub files: Vec<String>,
}

impl Session<'_> {
    /// Answers a question about structure. Where a question is about the places of a name, these are found here:
    /// `found` of the query is filled in.
    pub fn structure(&self, request: &Request<'_>, query: &StructureQuery) -> Result<StructureOutcome, Error> {
        let mut corpus = self.corpus_with_uses(request)?;
        let mut query = query.clone();
        let mut lost = Vec::new();
        let places = match &mut query {
            StructureQuery::References { name, found } | StructureQuery::Mentions { name, found } => {
                request.progress.stage("looking up", 0);
                (*found, lost) = self.occurrences(request, &corpus, last_part(name))?;
                true
            }
            StructureQuery::At { spot, facet: Facet::References, found } => {
                request.progress.stage("looking up", 0);
                (*found, lost) = self.occurrences(request, &corpus, &spot.name)?;
                false
            }
            _ => false,
        };
        let mut answer = corpus.ask(&query)?;
        answer.notes.extend(lost.into_iter().map(|path| format!("not looked into, the engine failed on it: {path}")));
        let lines = if places { self.lines(request, &corpus, &answer)? } else { Vec::new() };
        Ok(StructureOutcome {
            files: corpus.walk.files.iter().map(|file| file.path.clone()).collect(),
            root: corpus.walk.root,
            generation: corpus.generation,
            skipped: corpus.skipped,
            partial: false,
            source: corpus.source,
            answer,
            lines,
        })
    }

    /// Where a name stands, in the files that hold its bytes; and the files that could not be looked into.
    fn occurrences(
        &self,
        request: &Request<'_>,
        corpus: &Corpus<'_>,
        name: &str,
    ) -> Result<(Vec<FileOccurrences>, Vec<String>), Error> {
        let finder = Finder::new(name);
        let holds = |file: &Found| {
            let bytes = walk::read(file, max_file_size(request)).ok()?;
            // The bytes of other encodings say nothing before they are decoded.
            let other = bytes.starts_with(&[0xFF, 0xFE]) || bytes.starts_with(&[0xFE, 0xFF]);
            (other || !name.is_ascii() || finder.find(&bytes).is_some()).then_some(bytes)
        };
        let files = &corpus.walk.files;
        let next = AtomicUsize::new(0);
        let found: Mutex<Vec<(usize, FileOccurrences)>> = Mutex::default();
        let lost: Mutex<Vec<String>> = Mutex::default();
        let failed: Mutex<Option<Failed>> = Mutex::default();
        let work = |worker: &mut dyn Worker| {
            loop {
                let at = next.fetch_add(1, Ordering::Relaxed);
                let Some(file) = files.get(at) else { return };
                let Some(bytes) = holds(file) else { continue };
                match worker.occurrences(&file.path, &bytes, name) {
                    Ok(Some(occurrences)) if !occurrences.is_empty() => {
                        let path = file.path.clone();
                        found.lock().expect("no thread panics").push((at, FileOccurrences { path, occurrences }));
                    }
                    Ok(_) => {}
                    // One file never ends the whole.
                    Err(_) => lost.lock().expect("no thread panics").push(file.path.clone()),
                }
            }
        };
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let threads = cores.min(files.len() / FILES_PER_THREAD).max(1);
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .stack_size(THREAD_STACK)
            .build()
            .map_err(|e| Failed::Other(format!("no threads: {e}")))?;
        pool.in_place_scope(|scope| {
            for _ in 0..threads {
                scope.spawn(|_| match self.engine.worker() {
                    Ok(mut worker) => work(worker.as_mut()),
                    Err(other) => *failed.lock().expect("no thread panics") = Some(other),
                });
            }
        });
        if let Some(failed) = failed.into_inner().expect("no thread panics") {
            return Err(failed.into());
        }
        let mut found = found.into_inner().expect("no thread panics");
        found.sort_by_key(|(at, _)| *at);
        let mut lost = lost.into_inner().expect("no thread panics");
        lost.sort();
        Ok((found.into_iter().map(|(_, occurrences)| occurrences).collect(), lost))
    }

    /// The text of the line of each row's first place.
    fn lines(
        &self,
        request: &Request<'_>,
        corpus: &Corpus<'_>,
        answer: &StructureAnswer,
    ) -> Result<Vec<String>, Error> {
        let mut worker = self.engine.worker()?;
        let mut open: Option<(&str, Vec<u8>)> = None;
        let mut lines = Vec::with_capacity(answer.rows.len());
        for row in &answer.rows {
            let Some(place) = row.places.first() else {
                lines.push(String::new());
                continue;
            };
            if open.as_ref().is_none_or(|(path, _)| *path != place.path) {
                let files = &corpus.walk.files;
                let at = files.binary_search_by(|f| f.path.as_bytes().cmp(place.path.as_bytes()));
                let bytes = at.ok().and_then(|at| walk::read(&files[at], max_file_size(request)).ok());
                open = Some((&place.path, bytes.unwrap_or_default()));
            }
            let bytes = open.as_ref().map_or(&[][..], |(_, bytes)| bytes);
            let line = LineSpan { start: place.line, end: place.line };
            lines.push(worker.snippet(bytes, line)?.trim().to_owned());
        }
        Ok(lines)
    }
}

/// The identifier that a qualified name ends with: what can stand in a text as a word.
fn last_part(name: &str) -> &str {
    let name = name.trim().trim_end_matches("()");
    let part = name.rsplit("::").next().unwrap_or(name);
    let part = part.rsplit(['.', '#', '/']).next().unwrap_or(part);
    if part.is_empty() { name } else { part }
}

#[cfg(test)]
mod tests {
    use super::last_part;

    #[test]
    fn the_last_part_is_the_identifier() {
        for (name, part) in [
            ("run", "run"),
            ("Client::get", "get"),
            ("a.b.c()", "c"),
            ("Store#add", "add"),
            ("empty?", "empty?"),
            ("...", "..."),
            ("", ""),
        ] {
            assert_eq!(last_part(name), part);
        }
    }
}
