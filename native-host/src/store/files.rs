//! Files of the store: whole or not there, and true to their own hash.
//!
//! ```text
//! magic, kind | blake3 of the rest | the rest
//! ```

use std::collections::BTreeSet;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

/// What a file of the store begins with; the last byte says what it is.
const MAGIC: [u8; 8] = *b"seekwl\x00\x01";
/// How often a folder that is not there is made for a file.
const ATTEMPTS: usize = 4;
/// Bytes before the content.
pub const HEADER: usize = 16 + blake3::OUT_LEN;

/// What a file holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The skeleton of one file.
    Object = 1,
    /// A generation.
    Snapshot = 2,
    /// What is known of a tree.
    Manifest = 3,
    /// What else is needed to bring a generation up to date.
    Rest = 4,
    /// Skeletons of many files.
    Pack = 5,
}

/// Why something of the store could not be read or written. Never a reason to fail: the answer is computed without.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trouble {
    /// The file or folder.
    pub path: PathBuf,
    /// What is the matter, and what is done about it.
    pub what: String,
}

impl std::fmt::Display for Trouble {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "store: {}: {}", self.path.display(), self.what)
    }
}

/// Troubles of one process. Each kind is told once: a full disk fails for every file alike.
#[derive(Default)]
pub struct Troubles(Mutex<(BTreeSet<String>, Vec<String>)>);

impl Troubles {
    /// Notes a trouble.
    pub fn note(&self, trouble: Trouble) {
        let Ok(mut noted) = self.0.lock() else { return };
        let line = trouble.to_string();
        if noted.0.insert(trouble.what) {
            noted.1.push(line);
        }
    }

    /// What was noted.
    pub fn lines(&self) -> Vec<String> {
        self.0.lock().map(|noted| noted.1.clone()).unwrap_or_default()
    }
}

/// The header for this content.
pub fn header(kind: Kind, content: &[u8]) -> [u8; HEADER] {
    let mut header = [0; HEADER];
    header[..8].copy_from_slice(&MAGIC);
    header[8] = kind as u8;
    header[16..].copy_from_slice(blake3::hash(content).as_bytes());
    header
}

/// The content of a file, if it is what it says it is.
pub fn content(kind: Kind, bytes: &[u8]) -> Option<&[u8]> {
    let (head, content) = bytes.split_at_checked(HEADER)?;
    (head == header(kind, content)).then_some(content)
}

/// Writes a file under another name and renames it: another process sees all of it or nothing. What a process that died
/// has left under such a name is removed with the other garbage.
pub fn write(path: &Path, kind: Kind, content: &[u8]) -> Result<(), Trouble> {
    static NUMBER: AtomicU64 = AtomicU64::new(0);
    let folder = path.parent().unwrap_or(path);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let partial = folder.join(format!("{PARTIAL}{}.{number}", std::process::id()));
    let header = header(kind, content);
    let attempt = || {
        let mut file = create(&partial)?;
        file.write_all(&header)?;
        file.write_all(content)?;
        drop(file);
        fs::rename(&partial, path)
    };
    let mut done = attempt();
    // Once if it was not there yet; again if another process removes it at this very moment, since it is empty.
    for _ in 0..ATTEMPTS {
        if !done.as_ref().is_err_and(|e| e.kind() == io::ErrorKind::NotFound) {
            break;
        }
        private_folder(folder)?;
        done = attempt();
    }
    done.map_err(|e| {
        let _ = fs::remove_file(&partial);
        let what = format!("cannot be written: {e}; answers are computed without it");
        // The folder, not the file: thousands of files fail in one way.
        Trouble { path: folder.to_owned(), what }
    })
}

/// Writes a text for readers in the same way.
pub fn write_text(path: &Path, text: &str) -> Result<(), Trouble> {
    let partial = path.with_extension(format!("partial-{}", std::process::id()));
    let written = fs::write(&partial, text).and_then(|()| fs::rename(&partial, path));
    written.map_err(|e| {
        let _ = fs::remove_file(&partial);
        Trouble { path: path.to_owned(), what: format!("cannot be written: {e}") }
    })
}

/// Beginning of the name of a file that is being written.
pub const PARTIAL: &str = ".partial-";

fn create(path: &Path) -> io::Result<fs::File> {
    let mut options = fs::OpenOptions::new();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

/// Makes a folder and those around it, for this user alone.
pub fn private_folder(folder: &Path) -> Result<(), Trouble> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder).map_err(|e| Trouble {
        path: folder.to_owned(),
        what: format!("cannot be made: {e}; answers are computed without it"),
    })
}

/// `ab/cdef…`: git's way to keep folders small.
pub fn spread(folder: &Path, key: &[u8; 16]) -> PathBuf {
    let hex = hex(key);
    folder.join(&hex[..2]).join(&hex[2..])
}

/// The files in the folders of a folder, in the order of their paths.
pub fn below(folder: &Path) -> Vec<PathBuf> {
    let list = |folder: &Path| fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let is_whole = |path: &PathBuf| !path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(PARTIAL));
    let mut files: Vec<PathBuf> = list(folder).flat_map(|folder| list(&folder)).filter(is_whole).collect();
    files.sort();
    files
}

/// Lower-case hexadecimal.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_changed_is_not_read() {
        let folder = std::env::temp_dir().join(format!("seekwell-store-files-{}", std::process::id()));
        let path = folder.join("ab").join("x");
        write(&path, Kind::Object, b"content").unwrap();
        let whole = fs::read(&path).unwrap();
        assert_eq!(content(Kind::Object, &whole), Some(&b"content"[..]));
        assert_eq!(content(Kind::Manifest, &whole), None, "another kind");
        for at in 0..whole.len() {
            assert_eq!(content(Kind::Object, &whole[..at]), None, "cut at {at}");
            let mut changed = whole.clone();
            changed[at] ^= 1;
            assert_eq!(content(Kind::Object, &changed), None, "changed at {at}");
        }
        let names: Vec<_> = fs::read_dir(folder.join("ab")).unwrap().map(|e| e.unwrap().file_name()).collect();
        assert_eq!(names, ["x"], "nothing else is left");
        fs::remove_dir_all(&folder).unwrap();
    }
}
