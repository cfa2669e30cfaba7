//! A tree that stays open, for servers: it is asked many times, by several threads, while its files change.
//!
//! One thread at a time reads the tree, in the background, while whoever asks waits for it, or is answered from what there
//! is. The tree is looked at again when the system says that something in it has changed; where the system cannot say, before
//! each answer.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use seekwell_keep::RACY;
use seekwell_types::structure::StructureQuery;
use seekwell_types::{Mode, Query};

use super::job::Material;
use super::partial::Part;
use super::pipeline::{Corpus, MOST_ATTEMPTS, explain, walk_tree};
use super::{Error, Outcome, Overlay, Request, Session, Status, StoreUse, StructureOutcome, WalkOptions};
use crate::component::Component;
use crate::component::config::THREAD_STACK;
use crate::engine::{Engine, Failed};
use crate::progress::Progress;
use crate::walk::Walk;
use crate::watch::{self, Watch};
use seekwell_print::structure::identifier;

/// A tree that nobody has asked for so long gives its memory back; the next question reads it from the store.
const IDLE: Duration = Duration::from_secs(600);
/// How often it is looked whether there is something to do without being asked.
const ROUND: Duration = Duration::from_secs(1);
/// How often one who waits looks whether he is still wanted, and tells how far the work has come.
const GLANCE: Duration = Duration::from_millis(20);
/// Of the time that one is willing to wait, the share that goes into waiting for the whole tree. With the rest, a part of it
/// is read.
const SHARE_FOR_WHOLE: u32 = 4;

/// How a tree is kept open.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LiveOptions {
    /// Which files are read.
    pub walk: WalkOptions,
    /// What of the store is used. Whoever keeps a tree open will ask often: unless nothing or only what is there may be used,
    /// an index is begun for a tree of any size.
    pub store: StoreUse,
}

/// A tree that stays open. Work that goes on for it ends when it is dropped.
pub struct Live {
    tree: Arc<Tree>,
}

struct Tree {
    root: PathBuf,
    options: LiveOptions,
    engine: &'static dyn Engine,
    opened: Instant,
    /// Counts whatever may have changed the tree.
    changes: AtomicU64,
    /// When the last of it was, in milliseconds since the tree was opened.
    changed_at: AtomicU64,
    /// Whether the system tells of changes. If not, the tree may always have changed.
    told: AtomicBool,
    closing: AtomicBool,
    gauge: Gauge,
    urgent: Urgent,
    state: Mutex<State>,
    /// Something of the state has changed.
    news: Condvar,
}

#[derive(Default)]
struct State {
    held: Option<Arc<Held>>,
    /// Whether a thread reads the tree.
    reading: bool,
    /// What is known of the tree that is being read, while nothing of it is held.
    walk: Option<Arc<Walk>>,
    /// Times that the tree was read, or was to be.
    readings: u64,
    /// How long that took the last time.
    took: Duration,
    /// What was in the way the last time.
    failed: Option<Error>,
    /// Files whose stamps are not to be trusted when the tree is read again.
    doubted: std::collections::BTreeSet<String>,
    overlay: Arc<Overlay>,
    /// When it was last asked.
    asked: Option<Instant>,
    watch: Option<Arc<Watch>>,
    watched: bool,
}

/// The whole tree, as it was at a moment.
struct Held {
    corpus: Mutex<Corpus<'static>>,
    /// The corpus's own.
    walk: Arc<Walk>,
    overlay: Arc<Overlay>,
    /// The count of changes before it was looked at.
    at: AtomicU64,
    /// Moment of the walk, nanoseconds since 1970.
    looked_at: i64,
    made_for: For,
}

/// What a tree that is held can serve.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct For {
    /// It can tell who uses whom.
    uses: bool,
    /// It can be searched by meaning.
    meaning: bool,
}

impl For {
    const SEARCH: Self = Self { uses: false, meaning: true };
    const STRUCTURE: Self = Self { uses: true, meaning: false };
}

/// How an answer is wanted.
#[derive(Clone, Copy)]
struct Wanted<'a> {
    what: For,
    patience: Option<Duration>,
    progress: &'a dyn Progress,
}

impl Held {
    fn new(corpus: Corpus<'static>, overlay: Arc<Overlay>, at: u64, looked_at: i64, made_for: For) -> Self {
        let walk = Arc::clone(&corpus.walk);
        Self { corpus: Mutex::new(corpus), walk, overlay, at: AtomicU64::new(at), looked_at, made_for }
    }

    fn at(&self) -> u64 {
        self.at.load(Ordering::Acquire)
    }

    fn corpus(&self) -> MutexGuard<'_, Corpus<'static>> {
        // An instance that trapped says so at each call.
        self.corpus.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn serves(&self, what: For) -> bool {
        (self.made_for.uses || !what.uses) && (self.made_for.meaning || !what.meaning)
    }
}

impl Live {
    /// Opens the tree below a folder. Nothing is read yet.
    pub fn open(root: &Path, options: LiveOptions) -> Result<Arc<Self>, Error> {
        let root = super::root_of(&[root.to_owned()])?;
        let tree = Tree {
            root,
            options,
            engine: Component::shared()?,
            opened: Instant::now(),
            changes: AtomicU64::new(1),
            changed_at: AtomicU64::new(0),
            told: AtomicBool::new(false),
            closing: AtomicBool::new(false),
            gauge: Gauge::default(),
            urgent: Urgent::default(),
            state: Mutex::default(),
            news: Condvar::new(),
        };
        Ok(Arc::new(Self { tree: Arc::new(tree) }))
    }

    /// The folder that all paths are relative to, absolute.
    pub fn root(&self) -> &Path {
        &self.tree.root
    }

    /// Begins to read the tree, if nothing was asked of it yet, and returns at once.
    pub fn prepare(&self) {
        let mut state = self.tree.state();
        state.asked.get_or_insert_with(Instant::now);
        if state.held.is_none() && !state.reading {
            self.tree.read_in_background(&mut state, For::SEARCH);
        }
    }

    /// Answers a question. With a `patience`, a tree that is not whole by then is answered from what there is of it, and
    /// the outcome says that it is partial.
    pub fn search(&self, query: &Query, patience: Option<Duration>, progress: &dyn Progress) -> Result<Outcome, Error> {
        let tree = &self.tree;
        let overlay = tree.state().overlay.clone();
        if matches!(query.mode, Mode::Exact | Mode::Regex) {
            // Every file is looked through, and only those that match are analysed: there is nothing to hold.
            return Session::new(tree.engine).search(&tree.request(query.clone(), &overlay, progress));
        }
        let wanted = Wanted { what: For::SEARCH, patience, progress };
        for attempt in 0.. {
            let (outcome, stale) = tree.ask(wanted, &query.text, |held, request| {
                let session = Session::new(tree.engine);
                let request = Request { query: query.clone(), ..request };
                let matches = session.matches_of(&request, &held.walk)?;
                let mut outcome = {
                    let mut corpus = held.corpus();
                    if progress.cancelled() {
                        return Err(Error::Cancelled);
                    }
                    let answer = corpus.find_among(query, &matches).map_err(|e| explain(e, query))?;
                    corpus.outcome(answer, Vec::new())
                };
                // While files are read, others can ask.
                let (snippets, stale) = session.snippets(&request, &held.walk, &outcome.answer)?;
                outcome.answer.notes.extend(stale.values().cloned());
                outcome.snippets = snippets;
                Ok((outcome, stale))
            })?;
            if stale.is_empty() || outcome.partial || attempt >= MOST_ATTEMPTS {
                return Ok(outcome);
            }
            tree.state().doubted.extend(stale.into_keys());
            tree.touched();
        }
        unreachable!("the last attempt returns")
    }

    /// Answers a question about structure; `patience` as for [`Self::search`].
    pub fn structure(
        &self,
        query: &StructureQuery,
        patience: Option<Duration>,
        progress: &dyn Progress,
    ) -> Result<StructureOutcome, Error> {
        let tree = &self.tree;
        let wanted = Wanted { what: For::STRUCTURE, patience, progress };
        tree.ask(wanted, &subject(query), |held, request| {
            Session::new(tree.engine).structure_of(&request, &held.walk, &held.corpus, query)
        })
    }

    /// What is known of the tree, and of its index.
    pub fn status(&self, progress: &dyn Progress) -> Result<Status, Error> {
        let tree = &self.tree;
        let wanted = Wanted { what: For::SEARCH, patience: None, progress };
        tree.ask(wanted, "", |held, request| Ok(Session::new(tree.engine).status_of(&request, &held.corpus())))
    }

    /// The bytes of a file as it is searched: what an editor has not saved yet, else what is on disk. `path` is relative to
    /// the root; nothing outside of it is read.
    pub fn read(&self, path: &str) -> Result<Vec<u8>, Error> {
        if let Some(bytes) = self.tree.state().overlay.get(path) {
            return Ok(bytes.clone());
        }
        let unreadable = |e: std::io::Error| Error::Unreadable { path: PathBuf::from(path), detail: e.to_string() };
        let full = self.tree.root.join(path).canonicalize().map_err(unreadable)?;
        if !full.starts_with(&self.tree.root) {
            return Err(unreadable(std::io::Error::other("it lies outside of the folder")));
        }
        crate::walk::read_path(&full, self.tree.max_filesize())
            .map_err(|skipped| Error::Unreadable { path: PathBuf::from(path), detail: skipped.detail })
    }

    /// What an editor has of a file that it has not saved: taken in place of what is on disk from now on; with `None`, the
    /// disk counts again. `path` is relative to the root. A file that is not on disk yet counts if its folder is there, and
    /// nothing ignores it.
    pub fn overlay(&self, path: &str, bytes: Option<Vec<u8>>) {
        let mut state = self.tree.state();
        let bytes = bytes.filter(|bytes| {
            // What is just as on disk, such as a file that was opened a moment ago, is no other file.
            !crate::walk::read_path(&self.tree.root.join(path), self.tree.max_filesize())
                .is_ok_and(|disk| disk == *bytes)
        });
        if state.overlay.get(path) == bytes.as_ref() {
            return;
        }
        let overlay = Arc::make_mut(&mut state.overlay);
        match bytes {
            Some(bytes) => overlay.insert(path.to_owned(), bytes),
            None => overlay.remove(path),
        };
        drop(state);
        self.tree.touched();
    }

    /// Reads again at once what has changed since the tree was held, without being asked, if that takes no longer than `most`.
    pub fn refresh(&self, most: Duration) {
        let tree = &self.tree;
        let mut state = tree.state();
        let changes = tree.changes.load(Ordering::Acquire);
        let what = state.held.as_ref().filter(|held| held.at() < changes).map(|held| held.made_for);
        if let Some(what) = what
            && !state.reading
            && state.took <= most
        {
            tree.read_in_background(&mut state, what);
        }
    }

    /// Something in the tree may have changed; it is looked at before the next answer.
    pub fn touched(&self) {
        self.tree.touched();
    }

    /// Whether an answer now would be from the whole tree, without waiting.
    pub fn is_whole(&self) -> bool {
        let changes = self.tree.changes.load(Ordering::Acquire);
        self.tree.state().held.as_ref().is_some_and(|held| held.at() >= changes)
    }

    /// What is done at the moment, and how far it has come: stage, steps done, steps in all (0 where that is not known).
    /// `None` while nothing is done.
    pub fn work(&self) -> Option<(String, u64, u64)> {
        self.tree.state().reading.then(|| self.tree.gauge.read())
    }

    /// Why the system does not tell of changes, if it does not: the tree is then looked at before each answer.
    pub fn unwatched(&self) -> Option<String> {
        self.tree.state().watch.as_ref().and_then(|watch| watch.reason().map(str::to_owned))
    }
}

impl Drop for Live {
    fn drop(&mut self) {
        self.tree.closing.store(true, Ordering::Release);
    }
}

impl Tree {
    fn state(&self) -> MutexGuard<'_, State> {
        // What a thread that panicked has left is whole: the state is replaced in single steps.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn max_filesize(&self) -> u64 {
        self.options.walk.max_filesize.unwrap_or(super::DEFAULT_MAX_FILESIZE)
    }

    fn touched(&self) {
        self.changed_at.store(self.opened.elapsed().as_millis() as u64, Ordering::Release);
        self.changes.fetch_add(1, Ordering::AcqRel);
    }

    fn request<'a>(&'a self, query: Query, overlay: &'a Overlay, progress: &'a dyn Progress) -> Request<'a> {
        Request {
            paths: vec![self.root.clone()],
            query,
            walk: self.options.walk.clone(),
            since: None,
            store: match self.options.store {
                StoreUse::Auto => StoreUse::Always,
                other => other,
            },
            verify: false,
            overlay: Some(overlay),
            progress,
        }
    }

    /// Has a question answered by the tree as it is now, or, when patience is at its end, by what there is of it.
    fn ask<T: Partial>(
        self: &Arc<Self>,
        wanted: Wanted<'_>,
        about: &str,
        answer: impl Fn(&Held, Request<'_>) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let begun = Instant::now();
        let deadline = wanted.patience.map(|patience| begun + patience);
        let share = wanted.patience.map(|patience| begun + patience / SHARE_FOR_WHOLE);
        let with = |held: &Held| answer(held, self.request(Query::default(), &held.overlay, wanted.progress));
        // What was changed before the question is to be in the answer, and the system tells of it in its own time.
        let watch = self.state().watch.clone();
        if let Some(watch) = watch {
            watch.catch_up();
        }
        let mut state = self.state();
        state.asked = Some(begun);
        if !self.told.load(Ordering::Acquire) {
            self.touched();
        }
        let changes = self.changes.load(Ordering::Acquire);
        let readings = state.readings;
        let mut seen = (String::new(), 0);
        loop {
            if let Some(held) = state.held.as_ref().filter(|held| held.at() >= changes && held.serves(wanted.what)) {
                let held = held.clone();
                drop(state);
                return with(&held);
            }
            if !state.reading {
                if state.readings > readings
                    && let Some(failed) = state.failed.take()
                {
                    return Err(failed);
                }
                self.read_in_background(&mut state, wanted.what);
            }
            state = self.news.wait_timeout(state, GLANCE).unwrap_or_else(PoisonError::into_inner).0;
            if wanted.progress.cancelled() {
                return Err(Error::Cancelled);
            }
            self.gauge.tell(wanted.progress, &mut seen);
            if share.is_some_and(|share| Instant::now() >= share) && state.reading {
                break;
            }
        }
        // What was whole a moment ago is more than what could be read now.
        if let Some(held) = state.held.clone().filter(|held| held.serves(wanted.what)) {
            drop(state);
            let mut answer = with(&held)?;
            answer.is_partial("files have changed and are still being read: this is from before".to_owned());
            return Ok(answer);
        }
        let overlay = state.overlay.clone();
        // Nobody can tell what is in a tree before it is listed.
        while state.walk.is_none() && state.reading {
            state = self.news.wait_timeout(state, GLANCE).unwrap_or_else(PoisonError::into_inner).0;
            if wanted.progress.cancelled() {
                return Err(Error::Cancelled);
            }
        }
        let walk = state.walk.clone();
        drop(state);
        let request = self.request(Query { mode: Mode::Hybrid, ..Query::default() }, &overlay, wanted.progress);
        let until = deadline.expect("without one, the loop does not end");
        // Whoever waits for an answer has all processors until then.
        let _urgent = self.urgent.begin(until);
        let walk = walk.map_or_else(|| walk_tree(&request).map(Arc::new), Ok)?;
        let Part { corpus, of } = Session::new(self.engine).part(&request, walk, about, until)?;
        let files = corpus.generation.files;
        let mut answer = with(&Held::new(corpus, overlay.clone(), 0, 0, wanted.what))?;
        answer.is_partial(format!(
            "{files} of {of} files so far, those first that have the words of the question; ask again soon"
        ));
        Ok(answer)
    }

    /// Reads the tree in a thread of its own.
    fn read_in_background(self: &Arc<Self>, state: &mut State, what: For) {
        if !state.watched {
            state.watched = true;
            self.keep_watch();
        }
        state.reading = true;
        self.gauge.stage("reading", 0);
        let tree = self.clone();
        let work = move || {
            let begun = Instant::now();
            let read = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| tree.read(what)));
            let read = read.unwrap_or_else(|_| Err(Failed::Other("a thread has panicked".to_owned()).into()));
            let mut state = tree.state();
            match read {
                Ok(Some(held)) => {
                    state.held = Some(Arc::new(held));
                    state.failed = None;
                }
                Ok(None) => state.failed = None,
                Err(error) => state.failed = Some(error),
            }
            state.reading = false;
            state.walk = None;
            state.readings += 1;
            state.took = begun.elapsed();
            drop(state);
            tree.news.notify_all();
        };
        if let Err(e) = std::thread::Builder::new().name("reader".to_owned()).stack_size(THREAD_STACK).spawn(work) {
            state.reading = false;
            state.readings += 1;
            state.failed = Some(Failed::Other(format!("no threads: {e}")).into());
        }
    }

    /// The whole tree as it is now; `None` if what is held is that.
    fn read(&self, what: For) -> Result<Option<Held>, Error> {
        let looked_at = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |d| d.as_nanos() as i64);
        let at = self.changes.load(Ordering::Acquire);
        let (overlay, doubted) = {
            let mut state = self.state();
            (state.overlay.clone(), std::mem::take(&mut state.doubted))
        };
        let observer = Observer { tree: self };
        let query = || Query { mode: Mode::Hybrid, ..Query::default() };
        let request = self.request(query(), &overlay, &observer);
        let walk = Arc::new(walk_tree(&request)?);
        let held = {
            let mut state = self.state();
            if state.held.is_none() {
                state.walk = Some(Arc::clone(&walk));
                self.news.notify_all();
            }
            state.held.clone()
        };
        let same = |held: &&Arc<Held>| {
            let settled = held.looked_at.saturating_sub(RACY);
            Arc::ptr_eq(&held.overlay, &overlay)
                && held.serves(what)
                && doubted.is_empty()
                && held.walk == walk
                && walk.files.iter().all(|file| file.stamp.mtime.max(file.stamp.ctime) < settled)
        };
        if let Some(held) = held.as_ref().filter(same) {
            held.at.store(at, Ordering::Release);
            return Ok(None);
        }
        let session = Session::new(self.engine);
        let from = if what.uses { Material::Analyses } else { Material::Anything };
        if !overlay.is_empty() && held.is_none() {
            // What editors hold is never written down: the tree on disk is, before, for the next time.
            let disk = Overlay::new();
            session.corpus_of(&self.request(query(), &disk, &observer), walk.clone(), &doubted, Material::SameFiles)?;
        }
        // What editors hold changes with each key, and is asked about its structure: vectors are made for who searches.
        let meaning = what.meaning || overlay.is_empty();
        let query = if meaning { query() } else { Query { mode: Mode::Keyword, ..query() } };
        let request = Request { query, ..request };
        let mut corpus = session.corpus_of(&request, walk, &doubted, from)?;
        if what.uses {
            // Who uses whom is found out when first asked: now, and not when somebody waits. Trouble is told to who asks.
            let _ = corpus.ask(&StructureQuery::Symbols { text: String::new(), limit: 1 });
        }
        let made_for = For { uses: what.uses, meaning };
        Ok(Some(Held::new(corpus, overlay, at, looked_at, made_for)))
    }

    /// Hears of changes from now on; reads what has changed once it is quiet, and lets go of what nobody asks for.
    fn keep_watch(self: &Arc<Self>) {
        let heard = Arc::downgrade(self);
        let tree = Arc::downgrade(self);
        let root = self.root.clone();
        let keeper = move || {
            // A large tree takes its time to be watched; questions need not wait for it.
            let lost = heard.clone();
            let watch = Watch::new(
                &root,
                move || {
                    if let Some(tree) = heard.upgrade() {
                        tree.touched()
                    }
                },
                move || {
                    if let Some(tree) = lost.upgrade() {
                        tree.told.store(false, Ordering::Release)
                    }
                },
            );
            match tree.upgrade() {
                Some(tree) => {
                    tree.told.store(watch.reason().is_none(), Ordering::Release);
                    // What changed before there was a watch.
                    tree.touched();
                    tree.state().watch = Some(Arc::new(watch));
                }
                None => return,
            }
            while let Some(()) = Self::round(&tree) {
                std::thread::sleep(ROUND);
            }
        };
        // Without this thread, the tree is looked at before each answer.
        let _ = std::thread::Builder::new().name("keeper".to_owned()).spawn(keeper);
    }

    /// What is to be done without being asked. `None` when the tree is closed.
    fn round(tree: &Weak<Self>) -> Option<()> {
        let tree = tree.upgrade()?;
        if tree.closing.load(Ordering::Acquire) {
            tree.state().watch = None;
            return None;
        }
        let mut state = tree.state();
        if state.asked.is_none_or(|asked| asked.elapsed() >= IDLE) {
            if state.held.take().is_some()
                && let Ok(component) = Component::shared()
            {
                component.rest();
            }
            return Some(());
        }
        let quiet = tree.opened.elapsed().as_millis() as u64 - tree.changed_at.load(Ordering::Acquire);
        let told = tree.told.load(Ordering::Acquire);
        let changes = tree.changes.load(Ordering::Acquire);
        let what = state.held.as_ref().filter(|held| held.at() < changes).map(|held| held.made_for);
        if let Some(what) = what
            && told
            && !state.reading
            && u128::from(quiet) >= watch::QUIET.as_millis()
        {
            tree.read_in_background(&mut state, what);
        }
        Some(())
    }
}

/// What a question about structure is about, in words.
fn subject(query: &StructureQuery) -> String {
    match query {
        StructureQuery::Definitions { name }
        | StructureQuery::Callers { name }
        | StructureQuery::Callees { name }
        | StructureQuery::Impact { name, .. }
        | StructureQuery::References { name, .. }
        | StructureQuery::Mentions { name, .. } => identifier(name).to_owned(),
        StructureQuery::Path { from, to } => format!("{} {}", identifier(from), identifier(to)),
        StructureQuery::Map { task, .. } => task.clone(),
        StructureQuery::Outline { path } => path.clone(),
        StructureQuery::At { spot, .. } => spot.name.clone(),
        StructureQuery::Symbols { text, .. } => text.clone(),
        StructureQuery::Affected { changes, names } => {
            let mut words = names.join(" ");
            changes.iter().for_each(|change| words.push_str(&format!(" {}", change.path)));
            words
        }
    }
}

/// What can be said to be of a part of a tree only.
trait Partial {
    fn is_partial(&mut self, note: String);
}

impl<S> Partial for (Outcome, S) {
    fn is_partial(&mut self, note: String) {
        self.0.partial = true;
        self.0.answer.notes.push(note);
    }
}

impl Partial for StructureOutcome {
    fn is_partial(&mut self, note: String) {
        self.partial = true;
        self.answer.notes.push(note);
    }
}

impl Partial for Status {
    fn is_partial(&mut self, _note: String) {
        self.partial = true;
    }
}

/// Questions that are answered from a part of the tree: while there are some, reading all of it waits.
#[derive(Default)]
struct Urgent {
    /// How many there are, and when the last of them is to be answered.
    waiting: Mutex<(usize, Option<Instant>)>,
    done: Condvar,
}

/// One of them; it is over when this is dropped.
struct Waiting<'u>(&'u Urgent);

impl Urgent {
    fn begin(&self, until: Instant) -> Waiting<'_> {
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        waiting.0 += 1;
        waiting.1 = waiting.1.max(Some(until));
        Waiting(self)
    }

    /// Waits until they are over or their time is, or until `ends`.
    fn give_way(&self, ends: &dyn Fn() -> bool) {
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        while waiting.0 > 0 && waiting.1.is_some_and(|until| Instant::now() < until) && !ends() {
            waiting = self.done.wait_timeout(waiting, GLANCE).unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.waiting.lock().unwrap_or_else(PoisonError::into_inner).0 -= 1;
        self.0.done.notify_all();
    }
}

/// How far the reading of a tree has come.
#[derive(Default)]
struct Gauge {
    stage: Mutex<(String, u64)>,
    done: AtomicU64,
}

impl Gauge {
    fn stage(&self, name: &str, total: u64) {
        let mut stage = self.stage.lock().unwrap_or_else(PoisonError::into_inner);
        *stage = (name.to_owned(), total);
        self.done.store(0, Ordering::Relaxed);
    }

    fn read(&self) -> (String, u64, u64) {
        let stage = self.stage.lock().unwrap_or_else(PoisonError::into_inner);
        (stage.0.clone(), self.done.load(Ordering::Relaxed), stage.1)
    }

    /// Tells one who waits what has changed since he was told last: the stage, and the steps done in it.
    fn tell(&self, progress: &dyn Progress, seen: &mut (String, u64)) {
        let (stage, done, total) = self.read();
        if stage != seen.0 {
            progress.stage(&stage, total);
            *seen = (stage, 0);
        }
        if done > seen.1 {
            progress.advance(done - seen.1);
            seen.1 = done;
        }
    }
}

/// Who is told of the work in the background.
struct Observer<'t> {
    tree: &'t Tree,
}

impl Progress for Observer<'_> {
    fn stage(&self, name: &str, total: u64) {
        self.tree.gauge.stage(name, total);
    }

    fn advance(&self, steps: u64) {
        self.tree.gauge.done.fetch_add(steps, Ordering::Relaxed);
        self.tree.urgent.give_way(&|| self.cancelled());
    }

    fn cancelled(&self) -> bool {
        self.tree.closing.load(Ordering::Acquire)
    }
}
