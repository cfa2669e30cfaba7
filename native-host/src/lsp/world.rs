//! What the client has open: documents and folders; and how a question about one of its files is asked.
//!
//! A request gets a [`World`] as it was when the request came: edits that come later do not change the text under its
//! positions. What an editor has not saved is put over the files of the tree before the next question ([`Folder::sync`]), and
//! not with each key: only the last text counts.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use lsp_types::{Position, Range, Url};
use seekwell_types::structure::{Facet, FileOccurrences, Spot, StructureAnswer, StructureQuery, Symbol, Token};
use seekwell_types::{LineSpan, Query};

use super::client::lock;
use super::failure::Failure;
use super::features::Features;
use super::text::{Encoding, Text};
use super::uri;
use crate::component::Component;
use crate::engine::{Engine as _, Rejected, Worker};
use crate::progress::Progress;
use crate::session::{Live, LiveOptions, Outcome, StructureOutcome};

/// How long a question waits for a tree that is not whole yet; then it is answered from what there is of it.
const PATIENCE: Duration = Duration::from_millis(1500);

/// What was agreed at the beginning.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// What columns count.
    pub encoding: Encoding,
    /// What is offered.
    pub features: Features,
    /// Whether the client takes nested symbols.
    pub nested_symbols: bool,
    /// Whether the client takes links for definitions, and for implementations.
    pub links: (bool, bool),
    /// Whether hovers may be Markdown.
    pub markdown: bool,
    /// Whether the client asks for diagnostics by itself.
    pub pulls: bool,
    /// Whether we may have the client watch files.
    pub watches: bool,
    /// Whether the client shows progress that we begin.
    pub progress: bool,
}

/// A document that is open.
#[derive(Clone, Debug)]
pub struct Document {
    /// Its URI, as the client writes it.
    pub uri: Url,
    /// Its path, if it is a file.
    pub path: Option<PathBuf>,
    /// The client's word for its language.
    pub language: String,
    /// The client's number of this text.
    pub version: i32,
    /// Our own: it grows with every change of any document.
    pub edition: u64,
    /// What is in it.
    pub text: Text,
}

/// Everything that is open.
#[derive(Clone, Default)]
pub struct World {
    /// What was agreed.
    pub settings: Arc<Settings>,
    /// Documents by URI.
    pub documents: Arc<BTreeMap<String, Arc<Document>>>,
    /// The number of the last change.
    pub edition: u64,
    /// Folders; a file belongs to the deepest one around it.
    pub folders: Arc<Vec<Arc<Folder>>>,
}

/// A folder that is open.
pub struct Folder {
    /// Its path, as the client writes it.
    pub path: PathBuf,
    /// Its tree.
    pub live: Arc<Live>,
    /// What was put over the tree's files, by path, with the edition of each; and the last edition of all.
    synced: Mutex<(u64, BTreeMap<String, u64>)>,
    /// Whether it was read as a whole once.
    read: AtomicBool,
}

impl Folder {
    /// Opens the tree below a folder, unless that is everything there is.
    pub fn open(uri: &Url, options: &dyn Fn(&Path) -> Result<LiveOptions, String>) -> Result<Self, String> {
        let path = uri::to_path(uri).ok_or_else(|| format!("not a folder of this machine: {uri}"))?;
        let full = path.canonicalize().map_err(|e| format!("cannot read: {}: {e}", path.display()))?;
        let home = std::env::home_dir().and_then(|home| home.canonicalize().ok());
        if full.parent().is_none() || Some(&full) == home.as_ref() {
            let shown = path.display();
            return Err(format!("{shown} is not indexed, since it is everything; open the folder of a project"));
        }
        let live = Live::open(&path, options(&path)?).map_err(|e| e.to_string())?;
        Ok(Self { path, live, synced: Mutex::default(), read: AtomicBool::new(false) })
    }

    /// Asks about the structure of the tree, with the documents put over it. While the tree is read for the first time, the
    /// answer may be from a part of it; after that, it is always from all of it, as it is now: the places of a text that was
    /// edited meanwhile would be wrong ones.
    pub fn ask(
        self: &Arc<Self>,
        world: &World,
        query: &StructureQuery,
        progress: &dyn Progress,
    ) -> Result<StructureOutcome, Failure> {
        self.sync(world);
        let outcome = self.live.structure(query, self.patience(), progress)?;
        self.was_read(!outcome.partial);
        Ok(outcome)
    }

    /// Searches the tree, likewise.
    pub fn search(self: &Arc<Self>, world: &World, query: &Query, progress: &dyn Progress) -> Result<Outcome, Failure> {
        self.sync(world);
        let outcome = self.live.search(query, self.patience(), progress)?;
        self.was_read(!outcome.partial);
        Ok(outcome)
    }

    fn patience(&self) -> Option<Duration> {
        (!self.read.load(Ordering::Relaxed)).then_some(PATIENCE)
    }

    /// Takes note that the tree was read.
    pub fn was_read(&self, whole: bool) {
        self.read.fetch_or(whole, Ordering::Relaxed);
    }

    /// Its name, for a reader.
    pub fn name(&self) -> String {
        self.path.file_name().map_or_else(|| "/".to_owned(), |name| name.to_string_lossy().into_owned())
    }

    /// The path of a file below it, as the engine has it.
    fn below(&self, path: &Path) -> Option<String> {
        uri::below(path, &self.path).or_else(|| {
            // By a link, or under another spelling.
            let folder = path.parent()?.canonicalize().ok()?;
            uri::below(&folder.join(path.file_name()?), self.live.root())
        })
    }

    /// Has the tree read with the documents put over it before somebody asks, if it takes no longer than `most`.
    pub fn read_ahead(self: &Arc<Self>, world: &World, most: Duration) {
        self.sync(world);
        self.live.refresh(most);
    }

    /// Puts the documents over the files of the tree.
    fn sync(self: &Arc<Self>, world: &World) {
        let mut synced = lock(&self.synced);
        if synced.0 >= world.edition {
            return;
        }
        let (edition, known) = &mut *synced;
        *edition = world.edition;
        let mut open: BTreeMap<String, &Arc<Document>> = BTreeMap::new();
        for document in world.documents.values() {
            if let Some((folder, path)) = document.path.as_deref().and_then(|path| world.folder_of(path))
                && Arc::ptr_eq(folder, self)
            {
                open.insert(path, document);
            }
        }
        known.retain(|path, _| {
            let still = open.contains_key(path);
            if !still {
                self.live.overlay(path, None);
            }
            still
        });
        for (path, document) in open {
            if known.get(&path) != Some(&document.edition) {
                self.live.overlay(&path, Some(document.text.as_str().as_bytes().to_vec()));
                known.insert(path, document.edition);
            }
        }
    }
}

impl World {
    /// The deepest folder around a file, with the file's path below it.
    fn folder_of(&self, path: &Path) -> Option<(&Arc<Folder>, String)> {
        let around = self.folders.iter().filter_map(|folder| Some((folder, folder.below(path)?)));
        around.min_by_key(|(_, below)| below.len())
    }

    /// The open document at a path.
    fn document_at(&self, path: &Path) -> Option<&Arc<Document>> {
        self.documents.values().find(|document| document.path.as_deref() == Some(path))
    }

    /// The file of a URI, with its text as the client has it.
    pub fn file(&self, uri: &Url) -> Result<File<'_>, Failure> {
        let document = self.documents.get(uri.as_str());
        let path = uri::to_path(uri);
        let place = path.as_deref().and_then(|path| self.folder_of(path));
        let name = match (&place, &path) {
            (Some((_, below)), _) => below.clone(),
            (None, Some(path)) => path.to_string_lossy().trim_start_matches('/').to_owned(),
            (None, None) => uri.path().trim_start_matches('/').to_owned(),
        };
        let source = match (document, &place) {
            (Some(document), _) => Source::of_document(document),
            (None, Some((folder, below))) => {
                let bytes = folder.live.read(below).map_err(|e| Failure::Failed(e.to_string()))?;
                Source::of_bytes(uri.clone(), &bytes)?
            }
            (None, None) => {
                return Err(Failure::Params(format!("not open, and in none of the open folders: {uri}")));
            }
        };
        let name = match document.filter(|_| place.is_none()) {
            Some(document) => with_extension(name, &document.language)?,
            None => name,
        };
        Ok(File { world: self, folder: place.map(|(folder, _)| Arc::clone(folder)), name, source: Rc::new(source) })
    }

    /// A question to all folders, or, where there is none, to each open document by itself.
    pub fn everywhere(&self, query: &StructureQuery, progress: &dyn Progress) -> Result<Vec<Answered<'_>>, Failure> {
        let mut answers = Vec::new();
        for folder in self.folders.iter() {
            let outcome = folder.ask(self, query, progress)?;
            answers.push(Answered::new(outcome.answer, self, Some(folder), None));
        }
        if self.folders.is_empty() {
            for document in self.documents.values() {
                let file = self.file(&document.uri)?;
                answers.push(file.ask_alone(query)?);
            }
        }
        Ok(answers)
    }
}

/// A name without an extension gets one of the client's language, so that the engine knows it.
fn with_extension(name: String, language: &str) -> Result<String, Failure> {
    if Path::new(&name).extension().is_some() || language.is_empty() {
        return Ok(name);
    }
    let languages = with_worker(|worker| Ok(worker.languages()?))?;
    let is = |word: &String| word.eq_ignore_ascii_case(language);
    let known = languages.into_iter().find(|l| is(&l.id) || l.aliases.iter().any(is));
    Ok(match known.and_then(|l| l.extensions.into_iter().next()) {
        Some(extension) => format!("{name}.{extension}"),
        None => name,
    })
}

/// The text of a file, and how the engine's places are found in it.
#[derive(Clone, Debug)]
pub struct Source {
    /// Its URI.
    pub uri: Url,
    /// Its text.
    pub text: Text,
    /// Bytes on disk before the text, if the rest of the disk's bytes are the text's.
    before: Option<usize>,
}

impl Source {
    fn of_document(document: &Document) -> Self {
        Self { uri: document.uri.clone(), text: document.text.clone(), before: Some(0) }
    }

    fn of_bytes(uri: Url, bytes: &[u8]) -> Result<Self, Failure> {
        let (rest, before) = match bytes.strip_prefix(b"\xEF\xBB\xBF") {
            Some(rest) => (rest, 3),
            None => (bytes, 0),
        };
        if let Ok(text) = std::str::from_utf8(rest) {
            return Ok(Self { uri, text: Text::new(text), before: Some(before) });
        }
        let all = LineSpan { start: 1, end: u32::MAX };
        let text = with_worker(|worker| Ok(worker.snippet(bytes, all)?))?;
        Ok(Self { uri, text: Text::new(text), before: None })
    }

    /// The range of a name that stands at the engine's line and column.
    pub fn name_range(&self, line: u32, column: u32, name: &str, encoding: Encoding) -> Range {
        let start = self.text.at(line, column);
        let rest = &self.text.as_str()[start..self.text.line(line.max(1) as usize - 1).end.max(start)];
        // The engine's names of several words have one blank between two, whatever stands in the file.
        let length = if rest.starts_with(name) { name.len() } else { rest.trim_end().len() };
        self.text.range(start..start + length, encoding)
    }

    /// The ranges of a symbol: all of it, and its name, which lies inside.
    pub fn symbol_ranges(&self, symbol: &Symbol, encoding: Encoding) -> (Range, Range) {
        let name = self.name_range(symbol.name_line, symbol.name_column, &symbol.name, encoding);
        let all = match self.before {
            Some(before) => {
                let at = |byte: u32| (byte as usize).saturating_sub(before);
                self.text.range(at(symbol.span.start)..at(symbol.span.end), encoding)
            }
            None => {
                let first = self.text.line(symbol.lines.start.max(1) as usize - 1);
                let last = self.text.line(symbol.lines.end.max(1) as usize - 1);
                self.text.range(first.start..last.end.max(first.start), encoding)
            }
        };
        (Range::new(all.start.min(name.start), all.end.max(name.end)), name)
    }
}

/// A file that is asked about.
pub struct File<'w> {
    /// Everything that is open.
    pub world: &'w World,
    /// The folder it is in.
    pub folder: Option<Arc<Folder>>,
    /// Its path in the folder; without one, its whole path.
    pub name: String,
    /// Its text.
    pub source: Rc<Source>,
}

/// What stands at a position.
pub struct Stands {
    /// The name, and what its file tells of it.
    pub token: Token,
    /// Where it stands.
    pub range: Range,
}

impl<'w> File<'w> {
    /// What columns count.
    pub fn encoding(&self) -> Encoding {
        self.world.settings.encoding
    }

    /// The bytes of the text.
    pub fn bytes(&self) -> &[u8] {
        self.source.text.as_str().as_bytes()
    }

    /// What stands at a position, or directly before it.
    pub fn at(&self, position: Position) -> Result<Option<Stands>, Failure> {
        let text = &self.source.text;
        let (line, column) = text.place(text.offset(position, self.encoding()));
        let token = with_worker(|worker| Ok(worker.token_at(&self.name, self.bytes(), line, column)?))?;
        Ok(token.map(|token| {
            let of = &token.occurrence;
            let range = self.source.name_range(of.line, of.column, &token.name, self.encoding());
            Stands { token, range }
        }))
    }

    /// Asks about what stands at a place.
    pub fn ask_at(&self, token: &Token, facet: Facet, progress: &dyn Progress) -> Result<Answered<'w>, Failure> {
        let spot = Spot {
            path: self.name.clone(),
            name: token.name.clone(),
            on: token.occurrence.on.clone(),
            line: token.occurrence.line,
            column: token.occurrence.column,
        };
        self.ask(&StructureQuery::At { spot, facet, found: Vec::new() }, progress)
    }

    /// Asks the tree that the file is in; a file that is in none, or that its tree does not have (yet), is asked by itself.
    pub fn ask(&self, query: &StructureQuery, progress: &dyn Progress) -> Result<Answered<'w>, Failure> {
        let Some(folder) = &self.folder else { return self.ask_alone(query) };
        let outcome = folder.ask(self.world, query, progress)?;
        let missing = outcome.files.binary_search_by(|f| f.as_bytes().cmp(self.name.as_bytes())).is_err();
        if outcome.answer.not_found && (missing || outcome.partial) {
            return self.ask_alone(query);
        }
        Ok(Answered::new(outcome.answer, self.world, Some(folder), None))
    }

    /// Asks the file by itself.
    pub fn ask_alone(&self, query: &StructureQuery) -> Result<Answered<'w>, Failure> {
        let (name, bytes) = (&self.name, self.bytes());
        let mut query = query.clone();
        let answer = with_worker(|worker| {
            let analysis = match worker.analyse(name, bytes, false) {
                Ok(analysis) => analysis,
                Err(Rejected::Binary) => return Ok(StructureAnswer { not_found: true, ..StructureAnswer::default() }),
                Err(Rejected::Limit(word)) => {
                    return Err(Failure::Failed(format!("{name} is more than the engine takes ({word})")));
                }
                Err(Rejected::Failed(failed)) => return Err(failed.into()),
            };
            if let StructureQuery::At { spot, facet: Facet::References, found } = &mut query {
                let occurrences = worker.occurrences(name, bytes, &spot.name)?.unwrap_or_default();
                *found = vec![FileOccurrences { path: name.clone(), occurrences }];
            }
            let mut workspace = Component::shared()?.workspace(false)?;
            workspace.add(name, &analysis)?;
            workspace.commit()?;
            Ok(workspace.ask(&query)?)
        })?;
        Ok(Answered::new(answer, self.world, None, Some((name.clone(), Rc::clone(&self.source)))))
    }
}

/// An answer, with the way from its paths to texts.
pub struct Answered<'w> {
    /// The answer.
    pub answer: StructureAnswer,
    world: &'w World,
    folder: Option<Arc<Folder>>,
    sources: RefCell<BTreeMap<String, Option<Rc<Source>>>>,
}

impl<'w> Answered<'w> {
    fn new(
        answer: StructureAnswer,
        world: &'w World,
        folder: Option<&Arc<Folder>>,
        alone: Option<(String, Rc<Source>)>,
    ) -> Self {
        let sources = alone.into_iter().map(|(path, source)| (path, Some(source))).collect();
        Self { answer, world, folder: folder.cloned(), sources: RefCell::new(sources) }
    }

    /// The text of a file of the answer; none if it is gone meanwhile.
    pub fn source(&self, path: &str) -> Option<Rc<Source>> {
        if let Some(known) = self.sources.borrow().get(path) {
            return known.clone();
        }
        let found = self.find(path).map(Rc::new);
        self.sources.borrow_mut().insert(path.to_owned(), found.clone());
        found
    }

    fn find(&self, path: &str) -> Option<Source> {
        let folder = self.folder.as_ref()?;
        let full = folder.path.join(path);
        if let Some(document) = self.world.document_at(&full) {
            return Some(Source::of_document(document));
        }
        Source::of_bytes(uri::of_path(&full)?, &folder.live.read(path).ok()?).ok()
    }

    /// What columns count.
    pub fn encoding(&self) -> Encoding {
        self.world.settings.encoding
    }
}

/// Runs something with a worker.
pub fn with_worker<T>(run: impl FnOnce(&mut dyn Worker) -> Result<T, Failure>) -> Result<T, Failure> {
    run(Component::shared()?.worker()?.as_mut())
}
