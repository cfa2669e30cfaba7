//! Files that hold nothing and are made to be told of: see [`crate::watch::Watch::catch_up`].

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use tempfile::TempDir;

/// A folder of such files outside of any tree, which goes when this is dropped.
pub struct Marks {
    folder: TempDir,
    path: PathBuf,
    made: AtomicU64,
}

impl Marks {
    /// A new folder, where the system keeps what is of no lasting use.
    pub fn new() -> io::Result<Self> {
        let folder = tempfile::Builder::new().prefix("seekwell-").tempdir()?;
        let path = folder.path().canonicalize()?;
        Ok(Self { folder, path, made: AtomicU64::new(0) })
    }

    /// The folder, without symbolic links.
    pub fn folder(&self) -> &Path {
        &self.path
    }

    /// Makes the next file, whose name is its number.
    pub fn make(&self) -> io::Result<u64> {
        let number = self.made.fetch_add(1, Ordering::Relaxed) + 1;
        File::create_new(self.folder.path().join(number.to_string())).map(|_| number)
    }

    /// Removes a file. What stays behind goes with the folder.
    pub fn remove(&self, number: u64) {
        let _ = std::fs::remove_file(self.folder.path().join(number.to_string()));
    }
}
