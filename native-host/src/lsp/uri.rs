//! URIs of files <-> paths.

use std::path::{Path, PathBuf};

use lsp_types::Url;

/// The path of a file's URI; none for other schemes, such as a buffer that was never saved.
pub fn to_path(uri: &Url) -> Option<PathBuf> {
    (uri.scheme() == "file").then(|| uri.to_file_path().ok()).flatten()
}

/// The URI of an absolute path.
pub fn of_path(path: &Path) -> Option<Url> {
    Url::from_file_path(path).ok()
}

/// The path below a folder as the engine has it, with `/` between names; none if it is not below or not UTF-8.
pub fn below(path: &Path, folder: &Path) -> Option<String> {
    let rest = path.strip_prefix(folder).ok()?;
    let names: Option<Vec<&str>> = rest.components().map(|part| part.as_os_str().to_str()).collect();
    Some(names?.join("/")).filter(|rest| !rest.is_empty())
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn blanks_escapes_and_letters_of_all_kinds() {
        for (uri, path) in [
            ("file:///a/b%20c.rs", "/a/b c.rs"),
            ("file:///a/%C3%A9.rs", "/a/é.rs"),
            ("file:///a/é x.rs", "/a/é x.rs"),
            ("file:///a/100%25.rs", "/a/100%.rs"),
            ("file:///a/b%23c%3F.rs", "/a/b#c?.rs"),
            ("file:///a/%5Bid%5D/+page.ts", "/a/[id]/+page.ts"),
            ("file://localhost/a/b", "/a/b"),
        ] {
            assert_eq!(to_path(&Url::parse(uri).unwrap()).unwrap(), Path::new(path), "{uri}");
            let back = of_path(Path::new(path)).unwrap();
            assert_eq!(to_path(&back).unwrap(), Path::new(path), "{back}");
        }
        assert_eq!(to_path(&Url::parse("untitled:Untitled-1").unwrap()), None);
    }

    #[test]
    fn below_a_folder() {
        assert_eq!(below(Path::new("/a/b/c.rs"), Path::new("/a")).as_deref(), Some("b/c.rs"));
        assert_eq!(below(Path::new("/ab/c.rs"), Path::new("/a")), None);
        assert_eq!(below(Path::new("/a"), Path::new("/a")), None);
    }
}
