//! Skeletons of files, each under a hash of all that it depends on: with the file's bytes, an analysis can be made of one
//! without parsing.

use std::fs;
use std::io;

use super::Store;
use super::files::{self, Kind, Trouble};

/// zstd's default: a skeleton has few bytes, which higher levels have little to find in.
const LEVEL: i32 = 3;

/// A skeleton longer than this is not believed: the largest file that is read comes to a tenth of it.
const LONGEST: usize = 256 << 20;

/// The name of a skeleton: a hash of the engine, of what counts of the path, and of the content.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
pub struct ObjectKey(pub [u8; 16]);

impl ObjectKey {
    /// The key of a file of this content. A skeleton serves analyses with and without what the embedding table needs.
    pub fn new(fingerprint: &str, path_class: &str, content: &[u8; 16]) -> Self {
        Self(seekwell_keep::analysis(fingerprint, path_class, content))
    }
}

impl Store {
    /// The skeleton of this key, if it is here and sound. A damaged one is noted, removed, and then as good as absent.
    pub fn object(&self, key: &ObjectKey) -> Option<Vec<u8>> {
        if let Some(blob) = self.carried.as_ref().and_then(|carried| carried.object(key)) {
            return Some(blob);
        }
        let path = self.object_path(key);
        let bytes = match fs::read(&path) {
            Ok(bytes) => bytes,
            Err(e) if e.kind() == io::ErrorKind::NotFound => return self.packed_object(key),
            Err(e) => {
                let what = format!("cannot be read: {e}; the file is analysed again");
                self.trouble.note(Trouble { path, what });
                return None;
            }
        };
        let blob = unpack(&bytes);
        if blob.is_none() {
            let what = "was damaged: removed, and made again".to_owned();
            let _ = fs::remove_file(&path);
            self.trouble.note(Trouble { path, what });
        }
        blob
    }

    /// Whether the skeleton is here, unread.
    pub fn has_object(&self, key: &ObjectKey) -> bool {
        self.carried.as_ref().is_some_and(|carried| carried.has(key))
            || self.object_path(key).exists()
            || self.is_packed(key)
    }

    /// Keeps a skeleton, as an object of its own until [`Store::pack_made`]. What cannot be written is noted.
    pub fn put_object(&self, key: &ObjectKey, blob: &[u8]) -> bool {
        let written = pack(blob).and_then(|packed| files::write(&self.object_path(key), Kind::Object, &packed));
        let is_kept = written.map_err(|trouble| self.trouble.note(trouble)).is_ok();
        if is_kept {
            self.made.note(key, blob);
        }
        is_kept
    }

    pub(super) fn object_path(&self, key: &ObjectKey) -> std::path::PathBuf {
        files::spread(&self.folder.join("objects"), &key.0)
    }
}

/// Compresses a skeleton.
pub fn pack(blob: &[u8]) -> Result<Vec<u8>, Trouble> {
    let length = u32::try_from(blob.len()).unwrap_or(u32::MAX).to_le_bytes();
    zstd::bulk::compress(blob, LEVEL)
        .map(|packed| [&length[..], &packed].concat())
        .map_err(|e| Trouble { path: "objects".into(), what: format!("zstd: {e}; the skeleton is not kept") })
}

/// The skeleton in the bytes of an object's file.
pub fn unpack(bytes: &[u8]) -> Option<Vec<u8>> {
    let (length, packed) = files::content(Kind::Object, bytes)?.split_first_chunk::<4>()?;
    let length = u32::from_le_bytes(*length) as usize;
    if length > LONGEST {
        return None;
    }
    zstd::bulk::decompress(packed, length).ok().filter(|blob| blob.len() == length)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_tell_everything_apart() {
        let key = |engine, class, content: u8| ObjectKey::new(engine, class, &[content; 16]);
        let all = [key("a", "rs", 1), key("b", "rs", 1), key("a", "py", 1), key("a", "rs", 2), key("ar", "s", 1)];
        for (i, one) in all.iter().enumerate() {
            assert!(all[i + 1..].iter().all(|other| other != one));
        }
        assert_eq!(key("a", "rs", 1), all[0]);
    }

    #[test]
    fn analyses_come_back() {
        let folder = std::env::temp_dir().join(format!("seekwell-store-objects-{}", std::process::id()));
        let store = Store::at(folder.clone(), "engine");
        let key = ObjectKey::new("engine", "rs", &[7; 16]);
        assert_eq!(store.object(&key), None);
        assert!(store.put_object(&key, b"a skeleton") && store.has_object(&key));
        assert_eq!(store.object(&key).as_deref(), Some(&b"a skeleton"[..]));
        let path = files::spread(&folder.join("objects"), &key.0);
        let mut bytes = fs::read(&path).unwrap();
        *bytes.last_mut().unwrap() ^= 1;
        fs::write(&path, bytes).unwrap();
        assert_eq!(store.object(&key), None);
        assert_eq!(store.troubles().len(), 1);
        assert!(!path.exists(), "a damaged object is not met twice");
        fs::remove_dir_all(&folder).unwrap();
    }
}
