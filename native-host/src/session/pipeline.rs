//! One question from the tree to the answer: walk -> analyse on all cores -> commit -> find -> snippets.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};
use std::time::UNIX_EPOCH;

use seekwell_admit::{Admission, Exclude, Options};
use seekwell_types::structure::{StructureAnswer, StructureQuery};
use seekwell_types::{Answer, Generation, Mode, Query, Scope, Skipped};

use super::cores::on_all_cores;
use super::job::{Assembled, Gathered, Job, Material};
use super::keep::Keep;
use super::{Error, FileList, Indexed, Outcome, Request, Snippet, Source, Status, Upkeep, index};
use crate::engine::{Engine, Failed, FileMatches, Measurement, Workspace};
use crate::walk::{self, Walk, WalkError};

/// Name of the embedding table in the component.
pub const TABLE: &str = "static-code-16k-128-int8";

/// How often a question is answered again because a file that was to be shown has changed. Files that change faster are shown
/// as they are, with a note.
pub(super) const MOST_ATTEMPTS: usize = 3;

/// A session with an engine.
pub struct Session<'e> {
    pub(super) engine: &'e dyn Engine,
}

/// A tree that was analysed, ready for questions.
pub struct Corpus<'e> {
    pub(super) workspace: Box<dyn Workspace + 'e>,
    /// What it holds.
    pub generation: Generation,
    /// What was found.
    pub walk: Arc<Walk>,
    /// What is not searched.
    pub skipped: Vec<Skipped>,
    pub(super) matches: Vec<FileMatches>,
    /// Where it came from.
    pub source: Source,
    /// What was done to the store.
    pub upkeep: Upkeep,
}

impl<'e> Session<'e> {
    /// A session with this engine.
    pub fn new(engine: &'e dyn Engine) -> Self {
        Self { engine }
    }

    /// Answers a question. A hit whose file is not as the store had it is not shown: the file is looked at again, and the
    /// question answered once more.
    pub fn search(&self, request: &Request<'_>) -> Result<Outcome, Error> {
        let mut doubted = BTreeSet::new();
        for attempt in 0.. {
            let mut corpus = self.corpus_but(request, &doubted, Material::Anything)?;
            let mut answer = corpus.find(&request.query).map_err(|e| explain(e, &request.query))?;
            let (snippets, stale) = self.snippets(request, &corpus.walk, &answer)?;
            let known = |path: &&String| !doubted.contains(*path);
            if corpus.source == Source::Store && attempt < MOST_ATTEMPTS && stale.keys().any(|path| known(&path)) {
                doubted.extend(stale.into_keys());
                continue;
            }
            answer.notes.extend(stale.into_values());
            return Ok(corpus.outcome(answer, snippets));
        }
        unreachable!("the last attempt returns")
    }

    /// Says what is known of a tree.
    pub fn status(&self, request: &Request<'_>) -> Result<Status, Error> {
        Ok(self.status_of(request, &self.corpus(request)?))
    }

    /// The same, of a tree that was read already.
    pub(super) fn status_of(&self, request: &Request<'_>, corpus: &Corpus<'_>) -> Status {
        Status {
            index: index::status(self.engine.fingerprint(), request, corpus),
            root: corpus.walk.root.clone(),
            generation: corpus.generation.clone(),
            skipped: corpus.skipped.clone(),
            partial: false,
            source: corpus.source,
            engine: format!("seekwell {}", env!("CARGO_PKG_VERSION")),
            model: TABLE.to_owned(),
            device: "cpu".to_owned(),
        }
    }

    /// Brings the index of a tree up to date; with `carry`, the one that the tree carries as well.
    pub fn index(&self, request: &Request<'_>, carry: bool) -> Result<Indexed, Error> {
        let corpus = self.corpus_but(request, &BTreeSet::new(), Material::SameFiles)?;
        index::indexed(self.engine.fingerprint(), request, corpus, carry)
    }

    /// Walks and analyses a tree for the request's question. The question's filters are not applied yet.
    pub fn corpus(&self, request: &Request<'_>) -> Result<Corpus<'e>, Error> {
        self.corpus_but(request, &BTreeSet::new(), Material::Anything)
    }

    /// The same, made of analyses and not of a snapshot: for questions about who uses whom, which no snapshot tells.
    pub fn corpus_with_uses(&self, request: &Request<'_>) -> Result<Corpus<'e>, Error> {
        self.corpus_but(request, &BTreeSet::new(), Material::Analyses)
    }

    /// The same, trusting nothing that is known of some files.
    fn corpus_but(
        &self,
        request: &Request<'_>,
        doubted: &BTreeSet<String>,
        from: Material,
    ) -> Result<Corpus<'e>, Error> {
        self.corpus_of(request, Arc::new(walk_tree(request)?), doubted, from)
    }

    /// The same, of a tree that was walked already.
    pub(super) fn corpus_of(
        &self,
        request: &Request<'_>,
        walk: Arc<Walk>,
        doubted: &BTreeSet<String>,
        from: Material,
    ) -> Result<Corpus<'e>, Error> {
        let mut worker = self.engine.worker()?;
        let needle = worker.needle_of(&request.query)?;
        if let Some(needle) = &needle {
            // A pattern that cannot be read is told before a tree of files is.
            worker.scan(b"", needle).map_err(|e| explain(e, &request.query))?;
        }
        let keep = Keep::open(request, &walk, self.engine.fingerprint(), doubted);
        let semantic = matches!(request.query.mode, Mode::Hybrid | Mode::Semantic);
        let job = Job {
            engine: self.engine,
            files: &walk.files,
            request,
            needle,
            // What is kept must serve every question.
            vectors: semantic || keep.as_ref().is_some_and(Keep::writes_trees),
            only_matching: matches!(request.query.mode, Mode::Exact | Mode::Regex),
            from,
        };
        request.progress.stage("analysing", walk.files.len() as u64);
        // Without a store the analyses go straight into the workspace; with one, there may be a snapshot in their place.
        let mut streamed = match &keep {
            Some(_) if !job.only_matching => None,
            _ => Some(self.engine.workspace(job.vectors)?),
        };
        let mut gathered = job.run(worker, streamed.as_deref_mut(), keep.as_ref())?;
        gathered.skipped.extend(walk.skipped.iter().cloned());
        gathered.skipped.sort();
        request.progress.stage("indexing", 0);
        let assembled = match streamed {
            Some(mut workspace) => {
                let generation = workspace.commit()?;
                Assembled { workspace, generation, snapshot: None, restored: false }
            }
            None => job.assemble(&mut gathered, keep.as_ref())?,
        };
        let Assembled { workspace, mut generation, snapshot, restored } = assembled;
        // In the exact and regex modes only files that match are analysed, but all were searched.
        generation.files = generation.files.max(gathered.searched);
        let source = if restored || gathered.from_store { Source::Store } else { Source::Memory };
        let upkeep = match keep {
            None => Upkeep::default(),
            Some(mut keep) => {
                keep.count(gathered.analysed, gathered.looked_at);
                let snapshot = snapshot.as_ref().map(|(list, snapshot)| (list, snapshot));
                keep.close(&walk.root, gathered.entries, snapshot)
            }
        };
        let Gathered { skipped, matches, .. } = gathered;
        Ok(Corpus { workspace, generation, walk, skipped, matches, source, upkeep })
    }

    /// Where the needle of a question stands in each file of a tree; nothing for a question that has none.
    pub(super) fn matches_of(&self, request: &Request<'_>, walk: &Walk) -> Result<Vec<FileMatches>, Error> {
        let mut worker = self.engine.worker()?;
        let Some(needle) = worker.needle_of(&request.query)? else { return Ok(Vec::new()) };
        worker.scan(b"", &needle).map_err(|e| explain(e, &request.query))?;
        let found: Mutex<Vec<(usize, FileMatches)>> = Mutex::default();
        on_all_cores(self.engine, walk.files.len(), &|worker, at| {
            if request.progress.cancelled() {
                return Ok(());
            }
            let file = &walk.files[at];
            let Ok(bytes) = request.read(file) else { return Ok(()) };
            // A file that is no text, or that the engine fails on, is told of elsewhere.
            if let Ok(Some(spans)) = worker.scan(&bytes, &needle)
                && !spans.is_empty()
            {
                let matches = FileMatches { path: file.path.clone(), spans };
                found.lock().expect("no thread panics").push((at, matches));
            }
            Ok(())
        })?;
        if request.progress.cancelled() {
            return Err(Error::Cancelled);
        }
        let mut found = found.into_inner().expect("no thread panics");
        found.sort_by_key(|(at, _)| *at);
        Ok(found.into_iter().map(|(_, matches)| matches).collect())
    }

    /// The text of each hit, read from the file again; and where it has changed meanwhile, what the reader is told.
    pub(super) fn snippets(
        &self,
        request: &Request<'_>,
        walk: &Walk,
        answer: &Answer,
    ) -> Result<(Vec<Snippet>, BTreeMap<String, String>), Error> {
        let mut worker = self.engine.worker()?;
        let mut stale = BTreeMap::new();
        let mut snippets = Vec::with_capacity(answer.hits.len());
        for hit in &answer.hits {
            if request.progress.cancelled() {
                return Err(Error::Cancelled);
            }
            let found = walk.files.binary_search_by(|f| f.path.as_bytes().cmp(hit.path.as_bytes()));
            let Some(found) = found.ok().map(|at| &walk.files[at]) else {
                snippets.push(Snippet::default());
                continue;
            };
            let text = match request.read(found) {
                Ok(bytes) => {
                    if blake3::hash(&bytes).as_bytes()[..16] != hit.content_hash {
                        stale.insert(hit.path.clone(), format!("changed while it was searched: {}", hit.path));
                    }
                    worker.snippet(&bytes, hit.lines)?
                }
                Err(gone) => {
                    let note = format!("gone since it was searched: {} ({})", hit.path, gone.detail);
                    stale.insert(hit.path.clone(), note);
                    String::new()
                }
            };
            snippets.push(Snippet { text, path_escaped: found.path_escaped });
        }
        Ok((snippets, stale))
    }
}

impl Corpus<'_> {
    /// Answers a question.
    pub fn find(&mut self, query: &Query) -> Result<Answer, Failed> {
        self.workspace.find(query, &self.matches)
    }

    /// Answers another question than the one it was read for; `matches` say where its needle stands.
    pub fn find_among(&mut self, query: &Query, matches: &[FileMatches]) -> Result<Answer, Failed> {
        self.workspace.find(query, matches)
    }

    /// An answer, with what a reader needs to judge it.
    pub(super) fn outcome(&self, answer: Answer, snippets: Vec<Snippet>) -> Outcome {
        Outcome {
            root: self.walk.root.clone(),
            generation: self.generation.clone(),
            skipped: self.skipped.clone(),
            partial: false,
            source: self.source,
            upkeep: self.upkeep.clone(),
            answer,
            snippets,
        }
    }

    /// Answers a question about structure.
    pub fn ask(&mut self, query: &StructureQuery) -> Result<StructureAnswer, Failed> {
        self.workspace.ask(query)
    }

    /// The candidates of a question with all their signals; with `places`, the chunks of the candidates with theirs.
    pub fn measure(&mut self, query: &Query, places: bool) -> Result<Measurement, Failed> {
        self.workspace.measure(query, places)
    }
}

/// Lists the files that would be searched.
pub fn files(
    request: &Request<'_>,
    engine: &dyn Fn() -> Result<&'static dyn Engine, Failed>,
) -> Result<FileList, Error> {
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
            let bytes = request.read(&file).unwrap_or_default();
            if worker.admits(query, &file.path, &bytes).map_err(|e| explain(e, query))? {
                files.push(file);
            }
        }
        walk.files = files;
    }
    Ok(FileList { root: walk.root, files: walk.files.into_iter().map(|f| f.path).collect(), skipped: walk.skipped })
}

pub(super) fn walk_tree(request: &Request<'_>) -> Result<Walk, Error> {
    request.progress.stage("reading", 0);
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
    options.max_file_size = request.max_filesize();
    if let (Some(overlay), [root]) = (request.overlay, &request.paths[..]) {
        options.unsaved = overlay.iter().map(|(path, bytes)| (root.join(path), bytes.len() as u64)).collect();
    }
    let mut walk = walk::walk(&request.paths, &options, &mut admission).map_err(|e| walk_error(e, request))?;
    if let Some(since) = request.since {
        let since = since.duration_since(UNIX_EPOCH).map_or(0, |d| d.as_nanos() as i64);
        walk.files.retain(|f| f.stamp.mtime >= since);
    }
    walk.files.sort_by(|a, b| a.path.as_bytes().cmp(b.path.as_bytes()));
    Ok(walk)
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
pub(super) fn explain(failed: Failed, query: &Query) -> Error {
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
