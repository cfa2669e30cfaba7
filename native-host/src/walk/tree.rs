//! Folder by folder: list, ask, go on.

use super::git::{Git, MAX_IGNORE_FILE};
use super::roots::{Roots, Start};
use super::{Admit, Found, Stamp, Unread, Walk, WalkError, WalkOptions, below, read_regular, shown};
use seekwell_admit::{Entered, Entry, FolderId, Kind, Link, Listing, Root, Skip, Target, Verdict, too_large};
use seekwell_types::Skipped;
use std::collections::BTreeMap;
use std::fs::{DirEntry, FileType, Metadata};
use std::io;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

/// Walks every start.
pub(super) fn walk(roots: Roots, options: &WalkOptions, admit: &mut dyn Admit) -> Result<Walk, WalkError> {
    let base = options.excludes_base.as_ref().and_then(|base| std::fs::canonicalize(base).ok());
    let base = base.filter(|base| roots.root.starts_with(base)).unwrap_or_else(|| roots.root.clone());
    let git = Git::new(&options.environment);
    let mut walker = Walker {
        roots: &roots,
        base,
        git,
        limit: options.max_file_size,
        unsaved: &options.unsaved,
        admit,
        files: Vec::new(),
        skipped: Vec::new(),
    };
    for start in &roots.starts {
        walker.start(start)?;
    }
    let Walker { mut files, mut skipped, .. } = walker;
    files.sort_by(|one, other| one.path.cmp(&other.path).then(one.path_escaped.cmp(&other.path_escaped)));
    files.dedup_by(|one, other| one.path == other.path && one.path_escaped == other.path_escaped);
    // What one start leaves out, another may have been given for.
    let given: Vec<_> =
        roots.starts.iter().filter_map(|start| below(&start.path, &roots.root)).map(|path| shown(&path).0).collect();
    skipped.retain(|entry| {
        !given.iter().any(|given| entry.path.trim_end_matches('/') == given && entry.reason != "too-large")
    });
    skipped.sort();
    skipped.dedup();
    Ok(Walk { root: roots.root.clone(), files, skipped })
}

struct Walker<'a> {
    roots: &'a Roots,
    /// The folder that exclude patterns are relative to.
    base: PathBuf,
    git: Git,
    limit: u64,
    unsaved: &'a BTreeMap<PathBuf, u64>,
    admit: &'a mut dyn Admit,
    files: Vec<Found>,
    skipped: Vec<Skipped>,
}

/// A folder still to be listed.
struct Open {
    id: FolderId,
    /// Path below the root of all, with a slash unless empty.
    path: Vec<u8>,
    absolute: PathBuf,
    is_root: bool,
}

impl Walker<'_> {
    fn start(&mut self, start: &Start) -> Result<(), WalkError> {
        let path = below(&start.path, &self.roots.root).unwrap_or_default();
        if !start.is_folder {
            match std::fs::symlink_metadata(&start.path) {
                Ok(metadata) if metadata.is_file() => self.found(&path, start.path.clone(), &metadata),
                Ok(metadata) => self.skip(&path, "special-file", special(metadata.file_type()).into()),
                Err(error) => self.skip(&path, "unreadable", error.to_string()),
            }
            return Ok(());
        }
        let mut folder = path.clone();
        if !folder.is_empty() {
            folder.push(b'/');
        }
        let around = self.git.around(&start.path, &shown(&folder).0);
        let (below_top, repo, above) = match around {
            Some(around) => (around.below_top, Some(around.repo), around.above),
            None => Default::default(),
        };
        let below_excludes = below(&start.path, &self.base).unwrap_or_default();
        let root = Root { shown: path, below_excludes, below_top, repo, above };
        let answer = self.admit.root(&root).map_err(WalkError::Admission)?;
        self.skipped.extend(answer.notes);
        let mut open = vec![Open { id: answer.value, path: folder, absolute: start.path.clone(), is_root: true }];
        while let Some(folder) = open.pop() {
            self.enter(&folder, &mut open)?;
        }
        Ok(())
    }

    /// Lists one folder, and adds those in it that are to be entered.
    fn enter(&mut self, folder: &Open, open: &mut Vec<Open>) -> Result<(), WalkError> {
        let mut found: Vec<(Option<DirEntry>, Entry)> = match self.list(folder) {
            Ok(found) => found.into_iter().map(|(disk, entry)| (Some(disk), entry)).collect(),
            Err(error) if folder.is_root => return Err(WalkError::NotListed(folder.absolute.clone(), error)),
            Err(error) => {
                self.skip(&folder.path, "unreadable", error.to_string());
                return Ok(());
            }
        };
        for path in self.unsaved.keys().filter(|path| path.parent() == Some(&folder.absolute)) {
            let name = path.file_name().unwrap_or_default().as_encoded_bytes();
            if let Err(at) = found.binary_search_by(|(_, entry)| entry.name.as_slice().cmp(name)) {
                found.insert(at, (None, Entry { name: name.to_vec(), kind: Kind::File }));
            }
        }
        let has = |name: &[u8]| found.iter().any(|(_, entry)| entry.name == name);
        let mut gitignore = None;
        if found.iter().any(|(disk, entry)| disk.is_some() && entry.name == b".gitignore" && entry.kind == Kind::File) {
            match read_regular(&folder.absolute.join(".gitignore"), MAX_IGNORE_FILE) {
                Ok(bytes) => gitignore = Some(bytes),
                Err(unread) => {
                    let why =
                        if let Unread::Error(error) = unread { error.to_string() } else { "not an ignore file".into() };
                    self.skip(
                        &[&folder.path, &b".gitignore"[..]].concat(),
                        "unreadable",
                        format!("{why}; its rules do not hold"),
                    );
                }
            }
        }
        let repo =
            (!folder.is_root && has(b".git")).then(|| self.git.repo_in(&folder.absolute, &shown(&folder.path).0));
        let (disk, entries): (Vec<_>, Vec<_>) = found.into_iter().unzip();
        let listing = Listing { gitignore, repo: repo.flatten(), entries };
        let answer = self.admit.enter(folder.id, &listing).map_err(WalkError::Admission)?;
        self.skipped.extend(answer.notes);
        match answer.value {
            Entered::Skipped(skip) => self.skip(&folder.path, &skip.reason, skip.detail),
            Entered::Verdicts(verdicts) => {
                for ((disk, entry), verdict) in disk.iter().zip(&listing.entries).zip(verdicts) {
                    match disk {
                        Some(disk) => self.follow(folder, disk, entry, verdict, open),
                        None => self.follow_unsaved(folder, entry, verdict),
                    }
                }
            }
        }
        Ok(())
    }

    /// Does what the engine said of an entry.
    fn follow(&mut self, folder: &Open, disk: &DirEntry, entry: &Entry, verdict: Verdict, open: &mut Vec<Open>) {
        let mut path = [folder.path.as_slice(), &entry.name].concat();
        match verdict {
            Verdict::Own => {}
            Verdict::Admit => {
                // A link is opened where it leads, which was just seen to be inside.
                let place = match entry.kind {
                    Kind::Link(_) => {
                        std::fs::canonicalize(disk.path()).and_then(|target| Ok((target.metadata()?, target)))
                    }
                    _ => disk.metadata().map(|metadata| (metadata, disk.path())),
                };
                match place {
                    Ok((metadata, absolute)) => self.found(&path, absolute, &metadata),
                    Err(error) => self.skip(&path, "unreadable", error.to_string()),
                }
            }
            Verdict::Descend(id) => {
                path.push(b'/');
                open.push(Open { id, path, absolute: disk.path(), is_root: false });
            }
            Verdict::Skip(Skip { reason, detail }) => {
                if entry.kind == Kind::Folder {
                    path.push(b'/');
                }
                self.skip(&path, &reason, detail);
            }
        }
    }

    /// The same, for a file that is not on disk. One that does not belong is none that was left out: it is not there.
    fn follow_unsaved(&mut self, folder: &Open, entry: &Entry, verdict: Verdict) {
        let absolute = folder.absolute.join(String::from_utf8_lossy(&entry.name).as_ref());
        let Some(&size) = self.unsaved.get(&absolute) else { return };
        if verdict == Verdict::Admit && size <= self.limit {
            let (path, path_escaped) = shown(&[folder.path.as_slice(), &entry.name].concat());
            self.files.push(Found { path, path_escaped, absolute, size, stamp: Stamp::default() });
        }
    }

    /// The entries of a folder by name; those that cannot be told apart are reported at once.
    fn list(&mut self, folder: &Open) -> io::Result<Vec<(DirEntry, Entry)>> {
        let mut found = Vec::new();
        for disk in std::fs::read_dir(&folder.absolute)? {
            let disk = match disk {
                Ok(disk) => disk,
                Err(error) => {
                    self.skip(&folder.path, "unreadable", format!("not listed to its end: {error}"));
                    break;
                }
            };
            let name = disk.file_name().as_encoded_bytes().to_vec();
            match disk.file_type() {
                Ok(kind) => {
                    let kind = self.kind(&disk, kind);
                    found.push((disk, Entry { name, kind }));
                }
                Err(error) => self.skip(&[&folder.path, name.as_slice()].concat(), "unreadable", error.to_string()),
            }
        }
        found.sort_by(|(_, one), (_, other)| one.name.cmp(&other.name));
        Ok(found)
    }

    fn kind(&self, disk: &DirEntry, kind: FileType) -> Kind {
        if kind.is_file() {
            Kind::File
        } else if kind.is_dir() {
            Kind::Folder
        } else if kind.is_symlink() {
            let text = std::fs::read_link(disk.path()).map(|text| text.display().to_string()).unwrap_or_default();
            Kind::Link(Link { text, target: self.target(&disk.path()) })
        } else {
            Kind::Special(special(kind).into())
        }
    }

    /// Where a link leads, judged by where it ends, not by what it says.
    fn target(&self, link: &Path) -> Target {
        let target = std::fs::canonicalize(link).and_then(|target| Ok((target.metadata()?, target)));
        let (metadata, target) = match target {
            Ok(target) => target,
            Err(error) => return Target::Missing(error.to_string()),
        };
        if metadata.is_dir() {
            return Target::Folder;
        }
        let inside = self.roots.starts.iter().find_map(|start| below(&target, &start.path));
        match inside {
            None => Target::Outside,
            Some(path) if metadata.is_file() => Target::File(path),
            Some(_) => Target::Special,
        }
    }

    fn found(&mut self, path: &[u8], absolute: PathBuf, metadata: &Metadata) {
        if metadata.len() > self.limit {
            return self.skip(path, "too-large", too_large(metadata.len(), self.limit));
        }
        let (path, path_escaped) = shown(path);
        self.files.push(Found { path, path_escaped, absolute, size: metadata.len(), stamp: stamp(metadata) });
    }

    fn skip(&mut self, path: &[u8], reason: &str, detail: String) {
        let path = if path.is_empty() { b"./" } else { path };
        self.skipped.push(Skipped { path: shown(path).0, reason: reason.into(), detail });
    }
}

fn stamp(metadata: &Metadata) -> Stamp {
    #[cfg(unix)]
    let (ctime, inode) = {
        use std::os::unix::fs::MetadataExt;
        (metadata.ctime().saturating_mul(1_000_000_000).saturating_add(metadata.ctime_nsec()), metadata.ino())
    };
    #[cfg(not(unix))]
    let (ctime, inode) = (0, 0);
    Stamp { mtime: mtime(metadata), ctime, inode }
}

/// Nanoseconds since 1970; 0 where the system does not say.
fn mtime(metadata: &Metadata) -> i64 {
    let Ok(time) = metadata.modified() else { return 0 };
    match time.duration_since(UNIX_EPOCH) {
        Ok(since) => i64::try_from(since.as_nanos()).unwrap_or(i64::MAX),
        Err(before) => i64::try_from(before.duration().as_nanos()).map_or(i64::MIN, |nanos| -nanos),
    }
}

/// What an entry is that is neither file, folder nor link.
fn special(kind: FileType) -> &'static str {
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt;
        if kind.is_fifo() {
            return "fifo";
        } else if kind.is_socket() {
            return "socket";
        } else if kind.is_block_device() || kind.is_char_device() {
            return "device";
        }
    }
    let _ = kind;
    "not a regular file"
}
