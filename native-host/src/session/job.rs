//! The files of one request on their way into a workspace: each looked at as far as is needed, on all cores, and put
//! together from analyses or from a snapshot.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;

use seekwell_types::{Generation, Mode, Skipped};

use super::keep::Keep;
use super::{Error, Request};
use crate::component::config::THREAD_STACK;
use crate::engine::{Change, Engine, Failed, FileMatches, Needle, Rejected, Snapshot, Worker, Workspace};
use crate::store::{self, Difference, Entry, List, ObjectKey, Outcome as Fate};
use crate::walk::Found;

/// A thread is worth its instance from this many files on.
const FILES_PER_THREAD: usize = 12;

/// What is said of a binary file.
const NOT_TEXT: &str = "its content is not text";

/// Analyses that were made are held in memory up to this many bytes until they are put together; those beyond are read back
/// from the store.
const HELD: usize = 256 << 20;

/// The files of one request on their way into a workspace.
pub struct Job<'e, 'j> {
    pub engine: &'e dyn Engine,
    pub files: &'j [Found],
    pub request: &'j Request<'j>,
    pub needle: Option<Needle>,
    pub vectors: bool,
    pub only_matching: bool,
    /// What the workspace may be made of.
    pub from: Material,
}

/// What a workspace may be made of, where there is a store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Material {
    /// A snapshot of the very same files or of nearly the same ones, else analyses.
    Anything,
    /// A snapshot of the very same files, else analyses.
    SameFiles,
    /// Analyses.
    Analyses,
}

/// What came of one file.
enum Done {
    /// It is as it was, and its analysis in the store under the key in the entry.
    Kept(Entry, FileMatches),
    /// Its analysis, with what is to be known of it; the flag says whether it was made just now.
    Analysed(Option<Entry>, Vec<u8>, FileMatches, bool),
    /// Searched, and nothing found: in modes where only matching files are analysed.
    Unmatched,
    Skipped(Option<Entry>, Skipped),
    Failed(Failed),
}

/// What came of all files.
#[derive(Default)]
pub struct Gathered {
    pub skipped: Vec<Skipped>,
    pub matches: Vec<FileMatches>,
    pub searched: u32,
    /// What is to be known of each file, by path; empty without a store.
    pub entries: Vec<Entry>,
    /// Analyses at hand, by path. Without a store these are all there are.
    blobs: BTreeMap<String, Vec<u8>>,
    /// Bytes in them.
    held: usize,
    pub analysed: u32,
    pub looked_at: u32,
    pub from_store: bool,
}

/// A workspace with its generation.
pub struct Assembled<'e> {
    pub workspace: Box<dyn Workspace + 'e>,
    pub generation: Generation,
    /// What to keep of it.
    pub snapshot: Option<(List, Snapshot)>,
    pub restored: bool,
}

impl<'e> Job<'e, '_> {
    /// Has all files looked at, on all cores, and takes what comes of them in the order of their paths.
    pub fn run<'w>(
        &self,
        mut worker: Box<dyn Worker + 'w>,
        workspace: Option<&mut (dyn Workspace + 'w)>,
        keep: Option<&Keep>,
    ) -> Result<Gathered, Error> {
        let cores = match self.request.walk.threads {
            0 => std::thread::available_parallelism().map_or(1, usize::from),
            threads => threads,
        };
        let unknown = match keep {
            // A scan reads every file.
            Some(keep) if self.needle.is_none() => self.files.iter().filter(|f| keep.current(f).is_none()).count(),
            _ => self.files.len(),
        };
        let threads = cores.min(unknown / FILES_PER_THREAD).max(1);
        let mut adder = Adder { workspace, keep, gathered: Gathered::default(), done: 0 };
        if threads == 1 {
            for file in self.files {
                self.goes_on()?;
                adder.add(file, self.one(worker.as_mut(), file, keep))?;
            }
        } else {
            drop(worker);
            self.run_parallel(threads, keep, &mut adder)?;
        }
        Ok(adder.gathered)
    }

    fn run_parallel(&self, threads: usize, keep: Option<&Keep>, adder: &mut Adder<'_, '_>) -> Result<(), Error> {
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
                        if sender.send((at, self.one(worker.as_mut(), file, keep))).is_err() {
                            break;
                        }
                    }
                });
            }
            drop(sender);
            self.add_in_order(receiver, adder)
        })
    }

    fn add_in_order(&self, receiver: mpsc::Receiver<(usize, Done)>, adder: &mut Adder<'_, '_>) -> Result<(), Error> {
        let mut waiting = BTreeMap::new();
        let mut expected = 0;
        for (at, done) in receiver {
            waiting.insert(at, done);
            self.goes_on()?;
            while let Some(done) = waiting.remove(&expected) {
                adder.add(&self.files[expected], done)?;
                expected += 1;
            }
        }
        Ok(())
    }

    fn goes_on(&self) -> Result<(), Error> {
        if self.request.progress.cancelled() { Err(Error::Cancelled) } else { Ok(()) }
    }

    fn one(&self, worker: &mut dyn Worker, file: &Found, keep: Option<&Keep>) -> Done {
        let done = self.looked_at(worker, file, keep).unwrap_or_else(|done| *done);
        self.request.progress.advance(1);
        done
    }

    /// Looks at a file as far as is needed: not at all if it is as it was, else at its bytes, and if these are new, into them.
    fn looked_at(&self, worker: &mut dyn Worker, file: &Found, keep: Option<&Keep>) -> Result<Done, Box<Done>> {
        let current = keep.and_then(|keep| keep.current(file));
        let mut matches = FileMatches { path: file.path.clone(), spans: Vec::new() };
        let mut bytes = None;
        if let Some(needle) = &self.needle {
            let read = self.read(file)?;
            // A scan that fails is no reason to lose the file; a bad pattern was found out before.
            match worker.scan(&read, needle) {
                Ok(Some(spans)) => matches.spans = spans,
                Ok(None) => return Err(Box::new(skipped(file, "binary", NOT_TEXT, current.cloned()))),
                Err(_) => {}
            }
            if self.only_matching && matches.spans.is_empty() {
                return Ok(Done::Unmatched);
            }
            bytes = Some(read);
        }
        if let Some(entry) = current.filter(|_| !self.only_matching) {
            return Ok(match entry.skipped() {
                Some(skipped) => Done::Skipped(Some(entry.clone()), skipped),
                None => Done::Kept(entry.clone(), matches),
            });
        }
        let bytes = match bytes {
            Some(bytes) => bytes,
            None => self.read(file)?,
        };
        match keep {
            Some(keep) => self.through_store(worker, file, &bytes, matches, keep),
            None => match worker.analyse(&file.path, &bytes, self.vectors) {
                Ok(blob) => Ok(Done::Analysed(None, blob, matches, true)),
                Err(rejected) => Err(Box::new(rejected_as(file, rejected, |_| None))),
            },
        }
    }

    fn read(&self, file: &Found) -> Result<Cow<'_, [u8]>, Box<Done>> {
        self.request.read(file).map_err(|skipped| Box::new(Done::Skipped(None, skipped)))
    }

    /// The analysis of a file whose bytes are at hand: from the store, or made and kept there.
    fn through_store(
        &self,
        worker: &mut dyn Worker,
        file: &Found,
        bytes: &[u8],
        matches: FileMatches,
        keep: &Keep,
    ) -> Result<Done, Box<Done>> {
        let content: [u8; 16] = blake3::hash(bytes).as_bytes()[..16].try_into().expect("a hash has 32 bytes");
        let key = keep.object_key(worker, &file.path, &content).map_err(|e| Box::new(Done::Failed(e)))?;
        let entry = keep.entry(file, content, Fate::Analysed(key));
        if let Some(blob) = keep.store.object(&key) {
            return Ok(Done::Analysed(Some(entry), blob, matches, false));
        }
        match worker.analyse(&file.path, bytes, self.vectors) {
            Ok(blob) => {
                if keep.writes() && self.vectors {
                    keep.store.put_object(&key, &blob);
                }
                Ok(Done::Analysed(Some(entry), blob, matches, true))
            }
            Err(rejected) => Err(Box::new(rejected_as(file, rejected, |skipped| {
                let Skipped { reason, detail, .. } = skipped.clone();
                Some(keep.entry(file, content, Fate::Skipped { reason, detail }))
            }))),
        }
    }

    /// Makes a workspace of what was gathered: from a snapshot of the very same files if there is one, else from the
    /// analyses.
    pub fn assemble(&self, gathered: &mut Gathered, keep: Option<&Keep>) -> Result<Assembled<'e>, Error> {
        let list = List::of_entries(&gathered.entries);
        let keep = keep.expect("analyses are gathered for a store");
        let restored = match self.from {
            Material::Analyses => None,
            Material::SameFiles => self.restored(&list, keep),
            Material::Anything => self.restored(&list, keep).or_else(|| self.brought_up_to_date(&list, gathered, keep)),
        };
        if let Some((workspace, generation)) = restored {
            return Ok(Assembled { workspace, generation, snapshot: None, restored: true });
        }
        let mut workspace = self.engine.workspace(self.vectors)?;
        for at in 0..gathered.entries.len() {
            let Some(key) = gathered.entries[at].object() else { continue };
            let path = gathered.entries[at].path.clone();
            let blob = gathered.blobs.remove(&path).or_else(|| {
                gathered.from_store = true;
                keep.store.object(&key)
            });
            let blob = match blob {
                Some(blob) => blob,
                None => match self.again(&path, keep, gathered, at)? {
                    Some(blob) => blob,
                    None => continue,
                },
            };
            workspace.add(&path, &blob)?;
        }
        let generation = workspace.commit()?;
        let known = self.from == Material::Analyses && keep.store.has_snapshot(&list.key());
        let snapshot = if keep.writes() && !known { workspace.snapshot()? } else { None };
        let list = List::of_entries(&gathered.entries);
        Ok(Assembled { workspace, generation, snapshot: snapshot.map(|bytes| (list, bytes)), restored: false })
    }

    /// A workspace from the snapshot of the very same files. A snapshot that the engine cannot read, or falls over, is made
    /// again, as if there were none.
    fn restored(&self, list: &List, keep: &Keep) -> Option<(Box<dyn Workspace + 'e>, Generation)> {
        let mapped = keep.store.snapshot(&list.key())?;
        let mut workspace = self.engine.workspace(self.semantic()).ok()?;
        let generation = workspace.restore(mapped.snapshot()).ok()?;
        Some((workspace, generation))
    }

    /// A workspace from the snapshot of nearly the same files, and the analyses of those that differ.
    fn brought_up_to_date(
        &self,
        list: &List,
        gathered: &Gathered,
        keep: &Keep,
    ) -> Option<(Box<dyn Workspace + 'e>, Generation)> {
        for key in &keep.manifest.lists {
            let Some(mapped) = keep.store.snapshot(key) else { continue };
            let Some(differences) = mapped.list().and_then(|before| before.differences(list)) else { continue };
            if !store::is_near(differences.len(), list.0.len()) {
                continue;
            }
            let at_hand = |path: &str, key: ObjectKey| match gathered.blobs.get(path) {
                Some(blob) => Some(blob.clone()),
                None => keep.store.object(&key),
            };
            let change = |(path, old, new): Difference| {
                let old = old.map(|key| keep.store.object(&key).ok_or(())).transpose();
                let new = new.map(|key| at_hand(&path, key).ok_or(())).transpose();
                Some(Change { old: old.ok()?, new: new.ok()?, path })
            };
            let Some(changes) = differences.into_iter().map(change).collect::<Option<Vec<_>>>() else { continue };
            let rest = keep.store.rest(key).filter(|_| self.semantic());
            if self.semantic() && rest.is_none() {
                continue;
            }
            let rest = rest.as_deref().unwrap_or_default();
            let mut workspace = self.engine.workspace(self.semantic()).ok()?;
            let updated = workspace.restore(mapped.snapshot()).and_then(|_| workspace.update(&changes, rest));
            if let Ok(generation) = updated {
                return Some((workspace, generation));
            }
        }
        None
    }

    /// Whether vectors are asked for.
    fn semantic(&self) -> bool {
        matches!(self.request.query.mode, Mode::Hybrid | Mode::Semantic)
    }

    /// Analyses a file whose analysis was thought to be in the store and is not. `None` if it is not searched any more.
    fn again(&self, path: &str, keep: &Keep, gathered: &mut Gathered, at: usize) -> Result<Option<Vec<u8>>, Error> {
        let found = self.files.iter().find(|f| f.path == path);
        let Some(found) = found else { return Ok(None) };
        let mut worker = self.engine.worker()?;
        let none = FileMatches::default();
        let done = self.read(found).and_then(|bytes| self.through_store(worker.as_mut(), found, &bytes, none, keep));
        gathered.analysed += 1;
        match done.unwrap_or_else(|done| *done) {
            Done::Analysed(Some(entry), blob, ..) => {
                gathered.entries[at] = entry;
                Ok(Some(blob))
            }
            Done::Skipped(_, skipped) => {
                let Skipped { reason, detail, .. } = skipped.clone();
                gathered.entries[at].racy = true;
                gathered.entries[at].outcome = Fate::Skipped { reason, detail };
                gathered.skipped.push(skipped);
                gathered.skipped.sort();
                gathered.searched -= 1;
                Ok(None)
            }
            Done::Failed(failed) => Err(failed.into()),
            Done::Kept(..) | Done::Unmatched | Done::Analysed(None, ..) => {
                unreachable!("the store gives an analysis or none")
            }
        }
    }
}

/// What becomes of a file that has no analysis; `entry` is what is to be known of it.
fn rejected_as(file: &Found, rejected: Rejected, entry: impl Fn(&Skipped) -> Option<Entry>) -> Done {
    let (reason, detail) = match &rejected {
        Rejected::Binary => ("binary", NOT_TEXT),
        Rejected::Limit(why) => ("limit", &why[..]),
        Rejected::Failed(failed) => return Done::Failed(failed.clone()),
    };
    let skipped = Skipped { path: file.path.clone(), reason: reason.to_owned(), detail: detail.to_owned() };
    Done::Skipped(entry(&skipped), skipped)
}

fn skipped(file: &Found, reason: &str, detail: &str, entry: Option<Entry>) -> Done {
    let skipped = Skipped { path: file.path.clone(), reason: reason.to_owned(), detail: detail.to_owned() };
    Done::Skipped(entry, skipped)
}

/// Takes what comes of files, in the order of their paths.
struct Adder<'a, 'w> {
    workspace: Option<&'a mut (dyn Workspace + 'w)>,
    keep: Option<&'a Keep>,
    gathered: Gathered,
    done: u64,
}

impl Adder<'_, '_> {
    fn add(&mut self, file: &Found, done: Done) -> Result<(), Error> {
        let gathered = &mut self.gathered;
        self.done += 1;
        if self.done.is_multiple_of(64) {
            self.keep.inspect(|keep| keep.alive(self.done));
        }
        let mut searched = |matches: FileMatches| {
            gathered.searched += 1;
            if !matches.spans.is_empty() {
                gathered.matches.push(matches);
            }
        };
        match done {
            Done::Kept(entry, matches) => {
                searched(matches);
                gathered.from_store = true;
                gathered.entries.push(entry);
            }
            Done::Analysed(entry, blob, matches, made) => {
                searched(matches);
                gathered.looked_at += 1;
                gathered.analysed += u32::from(made);
                gathered.from_store |= !made;
                if let Some(workspace) = &mut self.workspace {
                    workspace.add(&file.path, &blob)?;
                } else if gathered.held + blob.len() <= HELD || !self.keep.is_some_and(Keep::writes) {
                    gathered.held += blob.len();
                    gathered.blobs.insert(file.path.clone(), blob);
                }
                gathered.entries.extend(entry);
            }
            Done::Unmatched => gathered.searched += 1,
            Done::Skipped(entry, skipped) => {
                gathered.entries.extend(entry);
                gathered.skipped.push(skipped);
            }
            Done::Failed(failed) => return Err(failed.into()),
        }
        Ok(())
    }
}
