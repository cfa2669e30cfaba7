//! One question from the tree to the answer: walk -> analyse on all cores -> commit -> find -> snippets.

use std::collections::{BTreeMap, BTreeSet};
use std::time::UNIX_EPOCH;

use seekwell_admit::{Admission, Exclude, Options};
use seekwell_types::structure::{StructureAnswer, StructureQuery};
use seekwell_types::{Answer, Generation, Mode, Query, Scope, Skipped};

use super::job::{Assembled, Gathered, Job, Material};
use super::keep::Keep;
use super::{Error, FileList, Indexed, Outcome, Request, Snippet, Source, Status, Upkeep, index};
use crate::engine::{Engine, Failed, FileMatches, Measurement, Workspace};
use crate::walk::{self, Walk, WalkError};

/// Name of the embedding table in the component.
pub const TABLE: &str = "static-code-16k-128-int8";

/// How often a question is answered again because a file that was to be shown has changed. Files that change faster are shown
/// as they are, with a note.
const MOST_ATTEMPTS: usize = 3;

/// A session with an engine.
pub struct Session<'e> {
    pub(super) engine: &'e dyn Engine,
}

/// A tree that was analysed, ready for questions.
pub struct Corpus<'e> {
    workspace: Box<dyn Workspace + 'e>,
    /// What it holds.
    pub generation: Generation,
    /// What was found.
    pub walk: Walk,
    /// What is not searched.
    pub skipped: Vec<Skipped>,
    matches: Vec<FileMatches>,
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
            let answer = corpus.find(&request.query).map_err(|e| explain(e, &request.query))?;
            let (snippets, stale) = self.snippets(request, &corpus.walk, &answer)?;
            let known = |path: &&String| !doubted.contains(*path);
            if corpus.source == Source::Store && attempt < MOST_ATTEMPTS && stale.keys().any(|path| known(&path)) {
                doubted.extend(stale.into_keys());
                continue;
            }
            let mut answer = answer;
            answer.notes.extend(stale.into_values());
            return Ok(Outcome {
                root: corpus.walk.root,
                generation: corpus.generation,
                skipped: corpus.skipped,
                partial: false,
                source: corpus.source,
                upkeep: corpus.upkeep,
                answer,
                snippets,
            });
        }
        unreachable!("the last attempt returns")
    }

    /// Says what is known of a tree.
    pub fn status(&self, request: &Request<'_>) -> Result<Status, Error> {
        let corpus = self.corpus(request)?;
        Ok(Status {
            index: index::status(self.engine.fingerprint(), request, &corpus),
            root: corpus.walk.root,
            generation: corpus.generation,
            skipped: corpus.skipped,
            partial: false,
            source: corpus.source,
            engine: format!("seekwell {}", env!("CARGO_PKG_VERSION")),
            model: TABLE.to_owned(),
            device: "cpu".to_owned(),
        })
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
        request.progress.stage("reading", 0);
        let mut walk = walk_tree(request)?;
        let skipped = std::mem::take(&mut walk.skipped);
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
            vectors: semantic || keep.as_ref().is_some_and(Keep::writes),
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
        gathered.skipped.extend(skipped);
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

    /// The text of each hit, read from the file again; and where it has changed meanwhile, what the reader is told.
    fn snippets(
        &self,
        request: &Request<'_>,
        walk: &Walk,
        answer: &Answer,
    ) -> Result<(Vec<Snippet>, BTreeMap<String, String>), Error> {
        let mut worker = self.engine.worker()?;
        let limit = max_file_size(request);
        let mut stale = BTreeMap::new();
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
        walk.files.retain(|f| f.stamp.mtime >= since);
    }
    walk.files.sort_by(|a, b| a.path.as_bytes().cmp(b.path.as_bytes()));
    Ok(walk)
}

/// Size above which a file of the request is not read.
pub fn max_file_size(request: &Request<'_>) -> u64 {
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
