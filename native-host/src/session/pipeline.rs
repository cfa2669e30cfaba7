//! One question from the tree to the answer: walk -> analyse on all cores -> commit -> find -> snippets.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::time::UNIX_EPOCH;

use seekwell_admit::{Admission, Exclude, Options};
use seekwell_types::structure::{StructureAnswer, StructureQuery};
use seekwell_types::{Answer, Generation, Mode, Query, Scope, Skipped};

use super::{Error, FileList, Outcome, Request, Snippet, Source, Status};
use crate::component::config::THREAD_STACK;
use crate::engine::{Engine, Failed, FileMatches, Measurement, Needle, Rejected, Worker, Workspace};
use crate::walk::{self, Found, Walk, WalkError};

/// A thread is worth its instance from this many files on.
const FILES_PER_THREAD: usize = 12;

/// What is said of a binary file.
const NOT_TEXT: &str = "its content is not text";

/// Name of the embedding table in the component.
const TABLE: &str = "static-code-16k-128-int8";

/// A session with an engine.
pub struct Session<'e> {
    pub(super) engine: &'e dyn Engine,
}

/// A tree that was analysed, ready for questions.
pub struct Corpus<'e> {
    workspace: Box<dyn Workspace + 'e>,
    /// What it holds.
    pub generation: Generation,
    pub(super) walk: Walk,
    pub(super) skipped: Vec<Skipped>,
    matches: Vec<FileMatches>,
}

impl<'e> Session<'e> {
    /// A session with this engine.
    pub fn new(engine: &'e dyn Engine) -> Self {
        Self { engine }
    }

    /// Answers a question.
    pub fn search(&self, request: &Request<'_>) -> Result<Outcome, Error> {
        let mut corpus = self.corpus(request)?;
        let answer = corpus.find(&request.query).map_err(|e| explain(e, &request.query))?;
        let (snippets, notes) = self.snippets(request, &corpus.walk, &answer)?;
        let mut answer = answer;
        answer.notes.extend(notes);
        Ok(Outcome {
            root: corpus.walk.root,
            generation: corpus.generation,
            skipped: corpus.skipped,
            partial: false,
            source: Source::Memory,
            answer,
            snippets,
        })
    }

    /// Says what is known of a tree.
    pub fn status(&self, request: &Request<'_>) -> Result<Status, Error> {
        let corpus = self.corpus(request)?;
        Ok(Status {
            root: corpus.walk.root,
            generation: corpus.generation,
            skipped: corpus.skipped,
            partial: false,
            source: Source::Memory,
            engine: format!("seekwell {}", env!("CARGO_PKG_VERSION")),
            model: TABLE.to_owned(),
            device: "cpu".to_owned(),
        })
    }

    /// Walks and analyses a tree for the request's question. The question's filters are not applied yet.
    pub fn corpus(&self, request: &Request<'_>) -> Result<Corpus<'e>, Error> {
        request.progress.stage("reading", 0);
        let mut walk = walk_tree(request)?;
        let skipped = std::mem::take(&mut walk.skipped);
        let mut worker = self.engine.worker()?;
        let needle = worker.needle_of(&request.query)?;
        if let Some(needle) = &needle {
            // A pattern that cannot be read is told before a tree of files is.
            worker.scan(b"", needle).map_err(|e| explain(e, &request.query))?;
        }
        let job = Job {
            engine: self.engine,
            files: &walk.files,
            request,
            needle,
            vectors: matches!(request.query.mode, Mode::Hybrid | Mode::Semantic),
            only_matching: matches!(request.query.mode, Mode::Exact | Mode::Regex),
        };
        request.progress.stage("analysing", walk.files.len() as u64);
        let mut workspace = self.engine.workspace(job.vectors)?;
        let gathered = job.run(worker, workspace.as_mut(), skipped)?;
        request.progress.stage("indexing", 0);
        let mut generation = workspace.commit()?;
        // In the exact and regex modes only files that match are analysed, but all were searched.
        generation.files = generation.files.max(gathered.searched);
        Ok(Corpus { workspace, generation, walk, skipped: gathered.skipped, matches: gathered.matches })
    }

    /// The text of each hit, read from the file again; the reader is told where it has changed meanwhile.
    fn snippets(
        &self,
        request: &Request<'_>,
        walk: &Walk,
        answer: &Answer,
    ) -> Result<(Vec<Snippet>, Vec<String>), Error> {
        let mut worker = self.engine.worker()?;
        let limit = max_file_size(request);
        let mut notes = Vec::new();
        let mut snippets = Vec::with_capacity(answer.hits.len());
        for hit in &answer.hits {
            let found = walk.files.binary_search_by(|f| f.path.as_bytes().cmp(hit.path.as_bytes()));
            let Some(found) = found.ok().map(|at| &walk.files[at]) else {
                snippets.push(Snippet::default());
                continue;
            };
            let text = match walk::read(found, limit) {
                Ok(bytes) => {
                    if blake3::hash(&bytes).as_bytes()[..16] != hit.content_hash {
                        notes.push(format!("changed while it was searched: {}", hit.path));
                    }
                    worker.snippet(&bytes, hit.lines)?
                }
                Err(gone) => {
                    notes.push(format!("gone since it was searched: {} ({})", hit.path, gone.detail));
                    String::new()
                }
            };
            snippets.push(Snippet { text, path_escaped: found.path_escaped });
        }
        Ok((snippets, notes))
    }
}

impl Corpus<'_> {
    /// Answers a question.
    pub fn find(&mut self, query: &Query) -> Result<Answer, Failed> {
        self.workspace.find(query, &self.matches)
    }

    /// Answers a question about structure.
    pub fn ask(&mut self, query: &StructureQuery) -> Result<StructureAnswer, Failed> {
        self.workspace.ask(query)
    }

    /// The candidates of a question with all their signals.
    pub fn measure(&mut self, query: &Query) -> Result<Measurement, Failed> {
        self.workspace.measure(query)
    }
}

/// Lists the files that would be searched.
pub fn files(
    request: &Request<'_>,
    engine: &dyn Fn() -> Result<&'static dyn Engine, Failed>,
) -> Result<FileList, Error> {
    request.progress.stage("reading", 0);
    let mut walk = walk_tree(request)?;
    let query = &request.query;
    let filtered = !(query.languages.is_empty()
        && query.globs.is_empty()
        && query.path_prefix.is_empty()
        && query.scope == Scope::All);
    if filtered {
        // Which language a file is in may take a look into it; without filters, nothing is opened.
        let mut worker = engine()?.worker()?;
        let mut files = Vec::with_capacity(walk.files.len());
        for file in walk.files {
            let bytes = walk::read(&file, max_file_size(request)).unwrap_or_default();
            if worker.admits(query, &file.path, &bytes).map_err(|e| explain(e, query))? {
                files.push(file);
            }
        }
        walk.files = files;
    }
    Ok(FileList { root: walk.root, files: walk.files.into_iter().map(|f| f.path).collect(), skipped: walk.skipped })
}

fn walk_tree(request: &Request<'_>) -> Result<Walk, Error> {
    let options = Options {
        no_ignore: request.walk.no_ignore,
        hidden: request.walk.hidden,
        excludes: request
            .walk
            .exclude
            .iter()
            .map(|pattern| Exclude { pattern: pattern.clone(), origin: "exclude".to_owned() })
            .collect(),
        exclude_extensions: request.walk.exclude_extensions.clone(),
    };
    let mut admission =
        Admission::new(options).map_err(|e| Error::Glob { glob: e.exclude.pattern.clone(), detail: e.to_string() })?;
    let mut options = walk::WalkOptions::from_env();
    options.max_file_size = max_file_size(request);
    let mut walk = walk::walk(&request.paths, &options, &mut admission).map_err(|e| walk_error(e, request))?;
    if let Some(since) = request.since {
        let since = since.duration_since(UNIX_EPOCH).map_or(0, |d| d.as_nanos() as i64);
        walk.files.retain(|f| f.mtime >= since);
    }
    walk.files.sort_by(|a, b| a.path.as_bytes().cmp(b.path.as_bytes()));
    Ok(walk)
}

pub(super) fn max_file_size(request: &Request<'_>) -> u64 {
    request.walk.max_filesize.unwrap_or(super::DEFAULT_MAX_FILESIZE)
}

fn walk_error(error: WalkError, request: &Request<'_>) -> Error {
    match error {
        WalkError::NotThere(path, e) | WalkError::NotListed(path, e) => {
            Error::Unreadable { path, detail: e.to_string() }
        }
        other => {
            let path = request.paths.first().cloned().unwrap_or_default();
            Error::Unreadable { path, detail: other.to_string() }
        }
    }
}

/// The engine's words for a bad question, with the question.
fn explain(failed: Failed, query: &Query) -> Error {
    match failed {
        Failed::Pattern(detail) => Error::Regex { pattern: query.text.clone(), detail },
        Failed::Glob(detail) => Error::Glob { glob: query.globs.join(" "), detail },
        other => other.into(),
    }
}

impl From<Failed> for Error {
    fn from(failed: Failed) -> Self {
        Self::Engine { detail: failed.to_string() }
    }
}

/// The files of one request on their way into a workspace.
struct Job<'j> {
    engine: &'j dyn Engine,
    files: &'j [Found],
    request: &'j Request<'j>,
    needle: Option<Needle>,
    vectors: bool,
    only_matching: bool,
}

/// What came of one file.
enum Done {
    Analysed(Vec<u8>, FileMatches),
    /// Searched, and nothing found: in modes where only matching files are analysed.
    Unmatched,
    Skipped(Skipped),
    Failed(Failed),
}

struct Gathered {
    skipped: Vec<Skipped>,
    matches: Vec<FileMatches>,
    searched: u32,
}

impl Job<'_> {
    /// Analyses all files on all cores and adds them in the order of their paths.
    fn run<'w>(
        &self,
        mut worker: Box<dyn Worker + 'w>,
        workspace: &mut dyn Workspace,
        skipped: Vec<Skipped>,
    ) -> Result<Gathered, Error> {
        let cores = match self.request.walk.threads {
            0 => std::thread::available_parallelism().map_or(1, usize::from),
            threads => threads,
        };
        let threads = cores.min(self.files.len() / FILES_PER_THREAD).max(1);
        let mut adder = Adder { workspace, gathered: Gathered { skipped, matches: Vec::new(), searched: 0 } };
        if threads == 1 {
            for file in self.files {
                adder.add(file, self.one(worker.as_mut(), file))?;
            }
        } else {
            drop(worker);
            self.run_parallel(threads, &mut adder)?;
        }
        let mut gathered = adder.gathered;
        gathered.skipped.sort();
        Ok(gathered)
    }

    fn run_parallel(&self, threads: usize, adder: &mut Adder<'_>) -> Result<(), Error> {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .stack_size(THREAD_STACK)
            .build()
            .map_err(|e| Failed::Other(format!("no threads: {e}")))?;
        let next = AtomicUsize::new(0);
        // Bounded, so that analyses do not pile up when the corpus is slower than the workers.
        let (sender, receiver) = mpsc::sync_channel::<(usize, Done)>(threads * 32);
        pool.in_place_scope(|scope| {
            for _ in 0..threads {
                let sender = sender.clone();
                let next = &next;
                scope.spawn(move |_| {
                    let mut worker = match self.engine.worker() {
                        Ok(worker) => worker,
                        Err(failed) => {
                            let _ = sender.send((next.fetch_add(1, Ordering::Relaxed), Done::Failed(failed)));
                            return;
                        }
                    };
                    loop {
                        let at = next.fetch_add(1, Ordering::Relaxed);
                        let Some(file) = self.files.get(at) else { break };
                        // The receiver hangs up when it has failed.
                        if sender.send((at, self.one(worker.as_mut(), file))).is_err() {
                            break;
                        }
                    }
                });
            }
            drop(sender);
            self.add_in_order(receiver, adder)
        })
    }

    fn add_in_order(&self, receiver: mpsc::Receiver<(usize, Done)>, adder: &mut Adder<'_>) -> Result<(), Error> {
        let mut waiting = std::collections::BTreeMap::new();
        let mut expected = 0;
        for (at, done) in receiver {
            waiting.insert(at, done);
            while let Some(done) = waiting.remove(&expected) {
                adder.add(&self.files[expected], done)?;
                expected += 1;
            }
        }
        Ok(())
    }

    fn one(&self, worker: &mut dyn Worker, file: &Found) -> Done {
        let done = self.analysed(worker, file);
        self.request.progress.advance(1);
        done
    }

    fn analysed(&self, worker: &mut dyn Worker, file: &Found) -> Done {
        let bytes = match walk::read(file, max_file_size(self.request)) {
            Ok(bytes) => bytes,
            Err(skipped) => return Done::Skipped(skipped),
        };
        let skipped = |reason: &str, detail: &str| {
            Done::Skipped(Skipped { path: file.path.clone(), reason: reason.to_owned(), detail: detail.to_owned() })
        };
        let mut matches = FileMatches { path: file.path.clone(), spans: Vec::new() };
        if let Some(needle) = &self.needle {
            // A scan that fails is no reason to lose the file; a bad pattern was found out before.
            match worker.scan(&bytes, needle) {
                Ok(Some(spans)) => matches.spans = spans,
                Ok(None) => return skipped("binary", NOT_TEXT),
                Err(_) => {}
            }
            if self.only_matching && matches.spans.is_empty() {
                return Done::Unmatched;
            }
        }
        match worker.analyse(&file.path, &bytes, self.vectors) {
            Ok(blob) => Done::Analysed(blob, matches),
            Err(Rejected::Binary) => skipped("binary", NOT_TEXT),
            Err(Rejected::Limit(why)) => skipped("limit", &why),
            Err(Rejected::Failed(failed)) => Done::Failed(failed),
        }
    }
}

/// Takes what comes of files, in the order of their paths.
struct Adder<'a> {
    workspace: &'a mut dyn Workspace,
    gathered: Gathered,
}

impl Adder<'_> {
    fn add(&mut self, file: &Found, done: Done) -> Result<(), Error> {
        match done {
            Done::Analysed(blob, matches) => {
                self.gathered.searched += 1;
                self.workspace.add(&file.path, &blob)?;
                if !matches.spans.is_empty() {
                    self.gathered.matches.push(matches);
                }
            }
            Done::Unmatched => self.gathered.searched += 1,
            Done::Skipped(skipped) => self.gathered.skipped.push(skipped),
            Done::Failed(failed) => return Err(failed.into()),
        }
        Ok(())
    }
}
