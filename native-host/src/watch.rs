//! Hears when a tree changes: from the system where that can tell, by looking every few seconds where it cannot.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::sleep;
use std::time::{Duration, Instant};

use notify::{ErrorKind, Event, EventKind, RecursiveMode, Watcher as _};

use crate::store::mark::Marks;

/// Changes come in bursts, a switch of branches or a build: the tree is looked at when there was none for this long.
pub const QUIET: Duration = Duration::from_secs(2);
/// Under steady changes, such as a log that is written, the tree is looked at all the same after this.
const AT_MOST: Duration = Duration::from_secs(20);
/// How often the tree is looked at where the system tells nothing.
pub const PERIOD: Duration = Duration::from_secs(2);

/// Waits for changes below a folder.
pub struct Watcher {
    told: Option<Told>,
    /// Why the system does not tell, for a reader.
    reason: Option<String>,
}

struct Told {
    /// Ends the watch when dropped.
    _watcher: notify::RecommendedWatcher,
    events: Receiver<notify::Result<Event>>,
}

/// What was heard.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Heard {
    /// Something may have changed.
    Change,
    /// The system tells no more, and why; the tree is looked at every few seconds from now on.
    Lost(String),
}

impl Watcher {
    /// A watch of a folder and all below it. It never fails: where the system cannot watch, it looks, and says why.
    pub fn new(root: &Path, poll: bool) -> Self {
        if poll {
            return Self { told: None, reason: None };
        }
        let (sender, events) = channel();
        let watching = notify::recommended_watcher(sender).and_then(|mut watcher| {
            watcher.watch(root, RecursiveMode::Recursive)?;
            Ok(watcher)
        });
        match watching {
            Ok(watcher) => Self { told: Some(Told { _watcher: watcher, events }), reason: None },
            Err(error) => Self { told: None, reason: Some(explained(&error)) },
        }
    }

    /// Why it looks instead of being told, if it was not asked to.
    pub fn reason(&self) -> Option<&str> {
        self.reason.as_deref()
    }

    /// How it hears of changes.
    pub fn how(&self) -> String {
        match self.told {
            Some(_) => format!("told of changes; looks {} s after the last one", QUIET.as_secs()),
            None => format!("looks every {} s", PERIOD.as_secs()),
        }
    }

    /// Waits until something may have changed.
    pub fn wait(&mut self) -> Heard {
        let Some(told) = &self.told else {
            sleep(PERIOD);
            return Heard::Change;
        };
        let lost = match first(&told.events) {
            Ok(()) => settle(&told.events),
            lost => lost,
        };
        match lost {
            Ok(()) => Heard::Change,
            Err(why) => {
                self.told = None;
                self.reason = Some(why.clone());
                Heard::Lost(why)
            }
        }
    }
}

/// Hears of each change below a folder as it happens, until it is dropped.
pub struct Watch {
    _watcher: Option<notify::RecommendedWatcher>,
    /// Why the system does not tell, for a reader.
    reason: Option<String>,
    marker: Option<Marker>,
}

/// A folder of our own that the same watch hears of. The system tells of things in their order: once it has told of a file
/// that was made there, it has told of all that changed before. Watchman's cookies are the same, but lie in the tree.
struct Marker {
    marks: Marks,
    told: Arc<ToldOf>,
    /// How often in a row a file was not told of in time.
    late: AtomicU32,
}

/// The last file that was told of.
#[derive(Default)]
struct ToldOf {
    last: Mutex<u64>,
    more: Condvar,
}

/// The system tells of a file within a fraction of a millisecond, unless it is busy. Nobody waits longer than this.
const TOLD_WITHIN: Duration = Duration::from_millis(50);
/// Where a file is not told of so many times in a row, none ever will be: its folder and the tree are told of apart.
const NEVER: u32 = 3;

impl Watch {
    /// Calls `changed` at each change, from a thread of its own, and `lost` if the system stops telling. It never fails:
    /// where the system cannot watch, nothing is ever called, and [`Self::reason`] says why.
    pub fn new(root: &Path, changed: impl Fn() + Send + 'static, lost: impl Fn() + Send + 'static) -> Self {
        let marks = Marks::new().ok();
        let place = marks.as_ref().map(|marks| marks.folder().to_owned());
        let told = Arc::new(ToldOf::default());
        let (telling, at) = (Arc::clone(&told), place.clone());
        let heard = move |event: notify::Result<Event>| match event {
            Ok(event) if at.as_ref().is_some_and(|at| telling.hears(&event, at)) => {}
            Ok(event) if counts(&event) => changed(),
            Ok(_) => {}
            Err(_) => {
                lost();
                changed();
            }
        };
        let mut marked = false;
        let watching = notify::recommended_watcher(heard).and_then(|mut watcher| {
            watcher.watch(root, RecursiveMode::Recursive)?;
            marked = place.is_some_and(|place| watcher.watch(&place, RecursiveMode::NonRecursive).is_ok());
            Ok(watcher)
        });
        let marker = marks.filter(|_| marked).map(|marks| Marker { marks, told, late: AtomicU32::new(0) });
        match watching {
            Ok(watcher) => Self { _watcher: Some(watcher), reason: None, marker },
            Err(error) => Self { _watcher: None, reason: Some(explained(&error)), marker: None },
        }
    }

    /// Waits until all that has changed by now was told of. Where that cannot be known it does not wait.
    pub fn catch_up(&self) {
        let Some(marker) = self.marker.as_ref().filter(|marker| marker.late.load(Ordering::Relaxed) < NEVER) else {
            return;
        };
        let Ok(number) = marker.marks.make() else { return };
        let last = marker.told.last.lock().unwrap_or_else(PoisonError::into_inner);
        let waited = marker.told.more.wait_timeout_while(last, TOLD_WITHIN, |last| *last < number);
        let (last, waited) = waited.unwrap_or_else(PoisonError::into_inner);
        drop(last);
        marker.marks.remove(number);
        if waited.timed_out() {
            marker.late.fetch_add(1, Ordering::Relaxed);
        } else {
            marker.late.store(0, Ordering::Relaxed);
        }
    }

    /// Why the system does not tell of changes, if it does not.
    pub fn reason(&self) -> Option<&str> {
        self.reason.as_deref()
    }
}

impl ToldOf {
    /// Whether an event is of marks alone; those it tells of are known from then on.
    fn hears(&self, event: &Event, folder: &Path) -> bool {
        let ours = !event.paths.is_empty() && event.paths.iter().all(|path| path.starts_with(folder));
        if ours {
            let number = |path: &PathBuf| path.file_name()?.to_str()?.parse::<u64>().ok();
            let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
            *last = event.paths.iter().filter_map(number).fold(*last, u64::max);
            self.more.notify_all();
        }
        ours
    }
}

/// Waits for the first event that counts.
fn first(events: &Receiver<notify::Result<Event>>) -> Result<(), String> {
    loop {
        match events.recv() {
            Ok(Ok(event)) if counts(&event) => return Ok(()),
            Ok(Ok(_)) => {}
            Ok(Err(error)) => return Err(explained(&error)),
            Err(_) => return Err("the system has ended the watch; looking every few seconds instead".to_owned()),
        }
    }
}

/// Waits until there was no event for a while.
fn settle(events: &Receiver<notify::Result<Event>>) -> Result<(), String> {
    let begun = Instant::now();
    let mut last = Instant::now();
    while begun.elapsed() < AT_MOST {
        match events.recv_timeout(QUIET.saturating_sub(last.elapsed())) {
            Ok(Ok(event)) if counts(&event) => last = Instant::now(),
            Ok(Ok(_)) => {}
            Ok(Err(error)) => return Err(explained(&error)),
            Err(RecvTimeoutError::Timeout) => return Ok(()),
            Err(RecvTimeoutError::Disconnected) => {
                return Err("the system has ended the watch; looking every few seconds instead".to_owned());
            }
        }
    }
    Ok(())
}

/// Whether an event can mean that other files are searched, or other bytes: reading is none, and git's own housekeeping
/// neither. Events that were lost count.
fn counts(event: &Event) -> bool {
    let in_git = |path: &std::path::PathBuf| path.components().any(|c| c.as_os_str() == ".git");
    let only_git = !event.paths.is_empty() && event.paths.iter().all(in_git);
    event.need_rescan() || (!matches!(event.kind, EventKind::Access(_)) && !only_git)
}

/// What a reader should know of a watch that failed. The system's own words for a full table of watches speak of the disk.
fn explained(error: &notify::Error) -> String {
    let full = match &error.kind {
        ErrorKind::MaxFilesWatch => true,
        // ENOSPC, and EMFILE for the number of watchers.
        ErrorKind::Io(e) => cfg!(target_os = "linux") && matches!(e.raw_os_error(), Some(28 | 24)),
        _ => false,
    };
    if full {
        "the system's limit of watched folders is reached (fs.inotify.max_user_watches or max_user_instances), not the disk; \
         looking every few seconds instead"
            .to_owned()
    } else {
        format!("the system cannot watch this folder: {error}; looking every few seconds instead")
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicU64;

    use super::*;

    #[test]
    fn a_full_table_of_watches_is_told_as_such() {
        assert!(explained(&notify::Error::new(ErrorKind::MaxFilesWatch)).contains("limit of watched folders"));
        let other = explained(&notify::Error::generic("no such thing"));
        assert!(other.contains("no such thing") && other.ends_with("instead"));
    }

    #[test]
    fn a_watch_that_fails_looks_instead() {
        let watcher = Watcher::new(Path::new("/there/is/no/such/folder"), false);
        assert!(watcher.reason().is_some() && watcher.how().starts_with("looks"));
        assert_eq!(Watcher::new(Path::new("/"), true).reason(), None, "it was asked to");
    }

    #[test]
    fn what_has_changed_was_told_of_once_the_watch_has_caught_up() {
        let tree = tempfile::tempdir().unwrap();
        let changes = Arc::new(AtomicU64::new(0));
        let counted = Arc::clone(&changes);
        let watch = Watch::new(
            tree.path(),
            move || {
                counted.fetch_add(1, Ordering::SeqCst);
            },
            || {},
        );
        assert!(watch.marker.is_some(), "{:?}", watch.reason());
        for round in 0..100 {
            let before = changes.load(Ordering::SeqCst);
            std::fs::write(tree.path().join(format!("{round}.txt")), "text").unwrap();
            watch.catch_up();
            let late = watch.marker.as_ref().is_some_and(|marker| marker.late.load(Ordering::Relaxed) > 0);
            assert!(late || changes.load(Ordering::SeqCst) > before, "round {round}");
            // Catching up is no change by itself. What was late may come yet.
            watch.catch_up();
            let settled = changes.load(Ordering::SeqCst);
            watch.catch_up();
            assert!(late || changes.load(Ordering::SeqCst) == settled, "round {round}");
        }
    }

    #[test]
    fn a_lost_watch_is_heard_and_looking_goes_on() {
        let (sender, events) = channel();
        sender.send(Err(notify::Error::new(ErrorKind::MaxFilesWatch))).unwrap();
        let unused = notify::recommended_watcher(|_| {}).unwrap();
        let mut watcher = Watcher { told: Some(Told { _watcher: unused, events }), reason: None };
        assert!(matches!(watcher.wait(), Heard::Lost(_)));
        assert_eq!(watcher.wait(), Heard::Change);
    }

    #[test]
    fn reading_is_no_change() {
        let access = Event::new(EventKind::Access(notify::event::AccessKind::Any));
        assert!(!counts(&access));
        let change = Event::new(EventKind::Any);
        assert!(counts(&change.clone().add_path("/a/b.rs".into())));
        assert!(!counts(&change.clone().add_path("/a/.git/index".into())));
        assert!(counts(&change));
    }
}
