//! Locks between processes: advisory ones of the system, which end with the process that holds them, however it ends.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, Write};
use std::path::Path;
use std::time::{Duration, Instant};

use super::{Store, files};

/// How often a waiting process looks.
const PAUSE: Duration = Duration::from_millis(40);
/// Who has reported no progress for this long is not waited for: it was stopped, or its disk hangs.
const PATIENCE: Duration = Duration::from_secs(10);

/// The right to write one tree. Ends when dropped, or with the process.
pub struct WriterLock(File);

/// What became of the wish to write a tree.
pub enum Turn {
    /// Nobody else writes it.
    Mine(WriterLock),
    /// Another process wrote it meanwhile, and is done: look again.
    Theirs,
    /// Another process writes it and does not come to an end, or there can be no lock here: answer without writing.
    Busy,
}

impl WriterLock {
    /// Tells those who wait that work goes on.
    pub fn alive(&self, done: u64) {
        let mut file = &self.0;
        let _ = file.rewind();
        let _ = file.write_all(format!("{done:020}").as_bytes());
    }
}

impl Store {
    /// Asks for the right to write a tree, without waiting.
    pub fn try_write(&self, key: &str) -> Option<WriterLock> {
        let file = self.lock_file(key)?;
        file.try_lock().ok().map(|()| WriterLock(file))
    }

    /// Asks for the right to write a tree, and waits for whoever has it as long as it gets on: two processes must not do
    /// the same work.
    pub fn wait_to_write(&self, key: &str) -> Turn {
        let Some(mut file) = self.lock_file(key) else { return Turn::Busy };
        let mut waited = false;
        let mut seen = (String::new(), Instant::now());
        loop {
            match file.try_lock() {
                Ok(()) if waited => return Turn::Theirs,
                Ok(()) => return Turn::Mine(WriterLock(file)),
                Err(TryLockError::Error(_)) => return Turn::Busy,
                Err(TryLockError::WouldBlock) => {}
            }
            waited = true;
            let mut progress = String::new();
            let _ = file.rewind().and_then(|()| file.read_to_string(&mut progress));
            if progress != seen.0 {
                seen = (progress, Instant::now());
            } else if seen.1.elapsed() > PATIENCE {
                return Turn::Busy;
            }
            std::thread::sleep(PAUSE);
        }
    }

    fn lock_file(&self, key: &str) -> Option<File> {
        let folder = self.tree(key);
        let open = || open(&folder.join("lock"));
        let opened = match open() {
            Err(e) if e.kind() == io::ErrorKind::NotFound => {
                files::private_folder(&folder).map_err(|trouble| self.trouble.note(trouble)).ok()?;
                open()
            }
            other => other,
        };
        opened
            .map_err(|e| {
                let what = format!("cannot be locked: {e}; nothing is kept");
                self.trouble.note(super::Trouble { path: folder.clone(), what });
            })
            .ok()
    }
}

fn open(path: &Path) -> io::Result<File> {
    OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)
}

/// The lock of the whole folder, shared; none if there is no folder yet, or no writing to it: then nobody collects
/// garbage there either.
pub fn shared(folder: &Path) -> Option<File> {
    let file = File::open(folder.join("lock")).ok()?;
    // While garbage is collected there is no waiting: what is missing then is made again.
    file.try_lock_shared().ok().map(|()| file)
}

/// Makes the lock of the whole folder.
pub fn make(folder: &Path) {
    let _ = open(&folder.join("lock"));
}

/// The lock of the whole folder for this process alone, if nobody else uses it.
pub fn alone(folder: &Path) -> Option<File> {
    let file = open(&folder.join("lock")).ok()?;
    file.try_lock().ok().map(|()| file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_writes_a_tree() {
        let folder = std::env::temp_dir().join(format!("seekwell-store-lock-{}", std::process::id()));
        let mut store = Store::at(folder.clone(), "engine");
        store.create().unwrap();
        let held = store.try_write("tree").expect("nobody has it");
        assert!(store.try_write("tree").is_none());
        assert!(store.try_write("another").is_some());
        let waiting = std::thread::scope(|scope| {
            let waiting = scope.spawn(|| store.wait_to_write("tree"));
            std::thread::sleep(PAUSE);
            drop(held);
            waiting.join().unwrap()
        });
        assert!(matches!(waiting, Turn::Theirs | Turn::Mine(_)));
        assert!(matches!(store.wait_to_write("tree"), Turn::Mine(_)));
        assert!(alone(&folder).is_none(), "in use");
        drop(store);
        assert!(alone(&folder).is_some());
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
