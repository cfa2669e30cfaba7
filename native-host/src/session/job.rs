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
use crate::engine::{Analysed, Change, Engine, Failed, FileMatches, Needle, Rejected, Snapshot, Worker, Workspace};
use crate::store::{self, Difference, Entry, List, Outcome as Fate};
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
    /// Its skeleton is in the store under the key in the entry; the flag says whether its bytes were looked at.
    Kept(Entry, FileMatches, bool),
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
        let cores = self.cores();
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
            let work = |worker: &mut dyn Worker, at: usize| self.one(worker, &self.files[at], keep);
            self.in_order(threads, self.files.len(), &work, &mut |at, done| adder.add(&self.files[at], done))?;
        }
        Ok(adder.gathered)
    }

    /// Has something done to each of `count` things, on some threads, and takes what comes of them in their order.
    fn in_order(
        &self,
        threads: usize,
        count: usize,
        work: &(dyn Fn(&mut dyn Worker, usize) -> Done + Sync),
        take: &mut dyn FnMut(usize, Done) -> Result<(), Error>,
    ) -> Result<(), Error> {
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
                        // The receiver hangs up when it has failed.
                        if at >= count || sender.send((at, work(worker.as_mut(), at))).is_err() {
                            break;
                        }
                    }
                });
            }
            drop(sender);
            let mut waiting = BTreeMap::new();
            let mut expected = 0;
            for (at, done) in receiver {
                waiting.insert(at, done);
                self.goes_on()?;
                while let Some(done) = waiting.remove(&expected) {
                    take(expected, done)?;
                    expected += 1;
                }
            }
            Ok(())
        })
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
                None => Done::Kept(entry.clone(), matches, false),
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

    /// What comes of a file whose bytes are at hand: known to the store, or analysed and kept there.
    fn through_store(
        &self,
        worker: &mut dyn Worker,
        file: &Found,
        bytes: &[u8],
        matches: FileMatches,
        keep: &Keep,
    ) -> Result<Done, Box<Done>> {
        let content = content_hash(bytes);
        let key = keep.object_key(worker, &file.path, &content).map_err(|e| Box::new(Done::Failed(e)))?;
        let entry = keep.entry(file, content, Fate::Analysed(key));
        // There may be a snapshot of it: then nobody needs its analysis. It is read all the same, so that damage is found.
        if !self.only_matching && keep.store.object(&key).is_some() {
            return Ok(Done::Kept(entry, matches, true));
        }
        let (blob, made) = self.analysed(worker, file, bytes, &entry, keep, self.vectors)?;
        Ok(Done::Analysed(Some(entry), blob, matches, made))
    }

    /// The analysis of a file, by its skeleton if there is one in the store; else it is made, and its skeleton kept. The flag
    /// says whether it was.
    fn analysed(
        &self,
        worker: &mut dyn Worker,
        file: &Found,
        bytes: &[u8],
        entry: &Entry,
        keep: &Keep,
        vectors: bool,
    ) -> Result<(Vec<u8>, bool), Box<Done>> {
        let key = entry.object().expect("it is to be analysed");
        let skeleton = keep.store.object(&key);
        let again = skeleton.and_then(|skeleton| worker.analyse_again(&file.path, bytes, &skeleton, vectors));
        if let Some(blob) = again {
            return Ok((blob, false));
        }
        match worker.analyse_to_keep(&file.path, bytes, vectors) {
            Ok(Analysed { analysis, skeleton }) => {
                // What is not saved is never written down.
                if keep.writes() && self.request.overlaid(&file.path).is_none() {
                    keep.store.put_object(&key, &skeleton);
                }
                Ok((analysis, true))
            }
            Err(rejected) => Err(Box::new(rejected_as(file, rejected, |skipped| {
                let Skipped { reason, detail, .. } = skipped.clone();
                Some(keep.entry(file, entry.content, Fate::Skipped { reason, detail }))
            }))),
        }
    }

    /// The analysis of a file that was found in the store: its bytes are read again, and if they are not what they were,
    /// looked at as new.
    fn once_more(&self, worker: &mut dyn Worker, entry: &Entry, keep: &Keep, vectors: bool) -> Done {
        let found = self.files.binary_search_by(|f| f.path.as_bytes().cmp(entry.path.as_bytes()));
        let Some(found) = found.ok().map(|at| &self.files[at]) else { return Done::Unmatched };
        let done = self.read(found).and_then(|bytes| {
            let content = content_hash(&bytes);
            let mut entry = entry.clone();
            if content != entry.content {
                let key = keep.object_key(worker, &found.path, &content).map_err(|e| Box::new(Done::Failed(e)))?;
                entry = keep.entry(found, content, Fate::Analysed(key));
            }
            let (blob, made) = self.analysed(worker, found, &bytes, &entry, keep, vectors)?;
            Ok(Done::Analysed(Some(entry), blob, FileMatches::default(), made))
        });
        done.unwrap_or_else(|done| *done)
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
        // Where there is a snapshot already, nothing is made that only a snapshot would be made for.
        let known = self.from == Material::Analyses && keep.store.has_snapshot(&list.key());
        let vectors = if known { self.semantic() } else { self.vectors };
        let mut workspace = self.engine.workspace(vectors)?;
        self.add_all(workspace.as_mut(), gathered, keep, vectors)?;
        let generation = workspace.commit()?;
        let snapshot = if keep.writes_trees() && !known { workspace.snapshot()? } else { None };
        let list = List::of_entries(&gathered.entries);
        Ok(Assembled { workspace, generation, snapshot: snapshot.map(|bytes| (list, bytes)), restored: false })
    }

    /// Adds the analyses of all files: those at hand, and those whose skeletons are in the store, made on all cores.
    fn add_all(
        &self,
        workspace: &mut dyn Workspace,
        gathered: &mut Gathered,
        keep: &Keep,
        vectors: bool,
    ) -> Result<(), Error> {
        let Gathered { entries, blobs, .. } = gathered;
        let is_missing = |at: &usize| entries[*at].object().is_some() && !blobs.contains_key(&entries[*at].path);
        let missing: Vec<usize> = (0..entries.len()).filter(is_missing).collect();
        let mut blobs = std::mem::take(blobs);
        let mut next = 0;
        let mut add_held = |workspace: &mut dyn Workspace, until: usize| {
            for entry in &entries[next..until] {
                if let Some(blob) = blobs.remove(&entry.path) {
                    workspace.add(&entry.path, &blob)?;
                }
            }
            next = until;
            Ok::<(), Error>(())
        };
        let (mut changed, mut made) = (Vec::new(), 0);
        let mut take = |at: usize, done: Done| {
            add_held(workspace, missing[at])?;
            match done {
                Done::Analysed(Some(entry), blob, _, made_anew) => {
                    made += u32::from(made_anew);
                    workspace.add(&entry.path, &blob)?;
                    changed.push((missing[at], Ok(entry)));
                }
                Done::Skipped(_, skipped) => changed.push((missing[at], Err(skipped))),
                Done::Failed(failed) => return Err(failed.into()),
                // Gone from the tree between two looks at it.
                Done::Unmatched => {}
                Done::Kept(..) | Done::Analysed(None, ..) => unreachable!("an analysis was asked for"),
            }
            Ok(())
        };
        let threads = self.cores().min(missing.len() / FILES_PER_THREAD).max(1);
        let work = |worker: &mut dyn Worker, at: usize| self.once_more(worker, &entries[missing[at]], keep, vectors);
        if threads > 1 {
            self.in_order(threads, missing.len(), &work, &mut take)?;
        } else if !missing.is_empty() {
            let mut worker = self.engine.worker()?;
            (0..missing.len()).try_for_each(|at| take(at, work(worker.as_mut(), at)))?;
        }
        add_held(workspace, entries.len())?;
        gathered.analysed += made;
        gathered.from_store |= !missing.is_empty();
        for (at, now) in changed {
            match now {
                Ok(entry) => gathered.entries[at] = entry,
                Err(skipped) => {
                    let Skipped { reason, detail, .. } = skipped.clone();
                    gathered.entries[at].racy = true;
                    gathered.entries[at].outcome = Fate::Skipped { reason, detail };
                    gathered.skipped.push(skipped);
                    gathered.skipped.sort();
                    gathered.searched -= 1;
                }
            }
        }
        Ok(())
    }

    fn cores(&self) -> usize {
        match self.request.walk.threads {
            0 => std::thread::available_parallelism().map_or(1, usize::from),
            threads => threads,
        }
    }

    /// A workspace from the snapshot of the very same files. A snapshot that the engine cannot read, or falls over, is made
    /// again, as if there were none.
    fn restored(&self, list: &List, keep: &Keep) -> Option<(Box<dyn Workspace + 'e>, Generation)> {
        let mapped = keep.store.snapshot(&list.key())?;
        let mut workspace = self.engine.workspace(self.semantic()).ok()?;
        let generation = mapped.restore(workspace.as_mut()).ok()?;
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
            let mut worker = None;
            let mut at_hand = |path: &str| match gathered.blobs.get(path) {
                Some(blob) => Some(blob.clone()),
                None => {
                    let at = gathered.entries.binary_search_by(|e| e.path.as_str().cmp(path)).ok()?;
                    let entry = &gathered.entries[at];
                    if worker.is_none() {
                        worker = self.engine.worker().ok();
                    }
                    match self.once_more(worker.as_deref_mut()?, entry, keep, self.semantic()) {
                        Done::Analysed(Some(now), blob, ..) if now.content == entry.content => Some(blob),
                        // It changes while it is looked at: all are put together, and what it is then is written down.
                        _ => None,
                    }
                }
            };
            let change = |(path, _, new): Difference| {
                let new = match new {
                    Some(_) => Some(at_hand(&path)?),
                    None => None,
                };
                Some(Change { path, new })
            };
            let Some(changes) = differences.into_iter().map(change).collect::<Option<Vec<_>>>() else { continue };
            let Some(rest) = keep.store.rest(key) else { continue };
            let mut workspace = self.engine.workspace(self.semantic()).ok()?;
            let updated = mapped.restore(workspace.as_mut()).and_then(|_| workspace.update(&changes, &rest));
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
}

fn content_hash(bytes: &[u8]) -> [u8; 16] {
    blake3::hash(bytes).as_bytes()[..16].try_into().expect("a hash has 32 bytes")
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
            Done::Kept(entry, matches, looked_at) => {
                searched(matches);
                gathered.looked_at += u32::from(looked_at);
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
