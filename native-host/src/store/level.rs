//! An index that a repository carries, for all who clone it: `.seekwell/` with the skeletons of its files.
//!
//! A repository's index is a stranger's. It can save work, never change what is found: a skeleton is used only under the
//! hash of the very bytes that lie on this disk, if it was made by this very engine, and is whole. It holds no snapshot, and
//! nothing that runs; whoever doubts it leaves it out with `--no-store`.

use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::files::{self, Kind, Trouble};
use super::{Manifest, ObjectKey, Store, objects};

/// The folder's name, at the root.
pub const FOLDER_NAME: &str = ".seekwell";
const PINS: &str = "index.toml";

/// What the index is pinned to.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pins {
    /// Version of seekwell, for readers.
    pub version: String,
    /// The embedding table, for readers.
    pub model: String,
    /// The engine: another one cannot use it.
    pub fingerprint: String,
}

/// The index of a repository, ready to read from.
pub struct Carried {
    objects: PathBuf,
}

impl Carried {
    /// The index at this root, or around it as far as the repository goes; `None` if there is none. One that cannot be used
    /// is an error that says what to do.
    pub fn open(root: &Path, fingerprint: &str) -> Result<Option<Self>, Trouble> {
        let mut around = root.ancestors();
        let is_there = |folder: &Path| folder.join(FOLDER_NAME).join(PINS).symlink_metadata().is_ok();
        let at = loop {
            match around.next() {
                Some(folder) if is_there(folder) => break folder,
                Some(folder) if !folder.join(".git").exists() => {}
                _ => return Ok(None),
            }
        };
        let folder = at.join(FOLDER_NAME);
        let path = folder.join(PINS);
        let trouble = |what: String| Trouble { path: path.clone(), what };
        match path.symlink_metadata() {
            Ok(meta) if meta.is_file() => {}
            _ => return Ok(None),
        }
        let text = fs::read_to_string(&path).map_err(|e| trouble(format!("cannot be read: {e}; it is not used")))?;
        let pins: Pins = toml::from_str(&text).map_err(|e| {
            let why = e.message().replace('\n', ", ");
            trouble(format!("not the index of a repository: {why}; seekwell index --repo-level makes it anew"))
        })?;
        if pins.fingerprint != fingerprint {
            let what = format!(
                "made by another engine (seekwell {}, {}); it is not used, seekwell index --repo-level makes it anew",
                pins.version, pins.model
            );
            return Err(trouble(what));
        }
        Ok(Some(Self { objects: folder.join("objects") }))
    }

    /// A skeleton. Nothing but a regular file is opened, and nothing unsound is used.
    pub fn object(&self, key: &ObjectKey) -> Option<Vec<u8>> {
        let path = files::spread(&self.objects, &key.0);
        path.symlink_metadata().ok().filter(fs::Metadata::is_file)?;
        objects::unpack(&fs::read(path).ok()?)
    }

    /// Whether the skeleton is here, unread.
    pub fn has(&self, key: &ObjectKey) -> bool {
        files::spread(&self.objects, &key.0).symlink_metadata().is_ok_and(|meta| meta.is_file())
    }
}

impl Store {
    /// Writes the skeletons of a tree into the tree, and removes those that are no longer of it. Gives how many there are.
    pub fn carry(&self, root: &Path, manifest: &Manifest) -> Result<usize, Trouble> {
        let folder = root.join(FOLDER_NAME);
        if folder.symlink_metadata().is_ok_and(|meta| !meta.is_dir()) {
            return Err(Trouble { path: folder, what: "is not a folder; remove it".to_owned() });
        }
        let mut wanted: Vec<ObjectKey> = manifest.files.iter().filter_map(super::Entry::object).collect();
        wanted.sort_unstable();
        wanted.dedup();
        let objects = folder.join("objects");
        remove_others(&objects, &wanted);
        for key in &wanted {
            let path = files::spread(&objects, &key.0);
            if fs::read(&path).is_ok_and(|bytes| objects::unpack(&bytes).is_some()) {
                continue;
            }
            let gone = || Trouble { path: path.clone(), what: "was removed meanwhile; run it again".to_owned() };
            let blob = self.object(key).ok_or_else(gone)?;
            files::write(&path, Kind::Object, &objects::pack(&blob)?)?;
        }
        let pins = Pins {
            version: manifest.engine.clone(),
            model: manifest.model.clone(),
            fingerprint: self.fingerprint().to_owned(),
        };
        let text = format!(
            "# Analyses of this repository's files, for all who clone it. Made by `seekwell index --repo-level`.\n\
             version = {:?}\nmodel = {:?}\nfingerprint = {:?}\n",
            pins.version, pins.model, pins.fingerprint
        );
        files::write_text(&folder.join(PINS), &text)?;
        Ok(wanted.len())
    }
}

/// Removes analyses that are not wanted any more.
fn remove_others(objects: &Path, wanted: &[ObjectKey]) {
    let list =
        |folder: &Path| fs::read_dir(folder).into_iter().flatten().flatten().map(|e| e.path()).collect::<Vec<_>>();
    let name = |path: &Path| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    for folder in list(objects) {
        for path in list(&folder) {
            let hex = name(&folder) + &name(&path);
            if !wanted.iter().any(|key| files::hex(&key.0) == hex) {
                let _ = fs::remove_file(path);
            }
        }
        // Fails while there is something in it.
        let _ = fs::remove_dir(folder);
    }
}
