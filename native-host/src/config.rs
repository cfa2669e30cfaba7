//! `.seekwell.toml` at the root of a tree, read from disk; what it can say is told by [`seekwell_settings`].

use std::io::Read;
use std::path::Path;

use seekwell_settings::MAX_BYTES;
pub use seekwell_settings::{Config, ConfigError, FILE_NAME, parse};

/// The settings of the tree at `root`; defaults if it has none.
pub fn load(root: &Path) -> Result<Config, ConfigError> {
    let file = root.join(FILE_NAME);
    let refuse = |what: String| ConfigError { file: file.clone(), line: None, what };
    let unreadable = |e: std::io::Error| refuse(format!("cannot be read: {e}; check its permissions or remove it"));
    match file.symlink_metadata() {
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(Config::default()),
        Err(e) => return Err(unreadable(e)),
        // A link may lead out of the root, a FIFO never ends.
        Ok(meta) if !meta.is_file() => return Err(refuse("is not a regular file; replace it by one".to_owned())),
        Ok(meta) if meta.len() > MAX_BYTES => {
            return Err(refuse(format!("is larger than {MAX_BYTES} bytes; shorten it")));
        }
        Ok(_) => {}
    }
    let mut bytes = Vec::new();
    let opened = std::fs::File::open(&file).map_err(unreadable)?;
    opened.take(MAX_BYTES).read_to_end(&mut bytes).map_err(unreadable)?;
    let text = String::from_utf8(bytes).map_err(|_| refuse("is not UTF-8; save it as UTF-8".to_owned()))?;
    parse(&text, &file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_regular_file_is_read() {
        let root = std::env::temp_dir().join(format!("seekwell-config-{}", std::process::id()));
        std::fs::create_dir_all(root.join(FILE_NAME)).unwrap();
        let e = load(&root).unwrap_err();
        assert_eq!((e.line, e.what.as_str()), (None, "is not a regular file; replace it by one"));
        std::fs::remove_dir(root.join(FILE_NAME)).unwrap();
        assert_eq!(load(&root), Ok(Config::default()));
        std::fs::write(root.join(FILE_NAME), b"\xff").unwrap();
        assert_eq!(load(&root).unwrap_err().what, "is not UTF-8; save it as UTF-8");
        std::fs::remove_dir_all(&root).unwrap();
    }
}
