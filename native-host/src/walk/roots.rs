//! From the paths as they were given to the places where walks begin.

use super::{WalkError, below};
use std::path::{Path, PathBuf};

/// Where walks begin.
pub(super) struct Roots {
    /// The folder that all paths are relative to; canonical.
    pub(super) root: PathBuf,
    /// The given paths, canonical, each once, by path.
    pub(super) starts: Vec<Start>,
}

/// A given path.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Start {
    /// The path, canonical: every spelling of it and every link to it is the same.
    pub(super) path: PathBuf,
    /// Whether it is a folder.
    pub(super) is_folder: bool,
}

/// Finds the given paths and the folder around them.
pub(super) fn resolve(paths: &[PathBuf]) -> Result<Roots, WalkError> {
    let here = [PathBuf::from(".")];
    let paths = if paths.is_empty() { &here } else { paths };
    let mut starts = paths.iter().map(|path| start(path)).collect::<Result<Vec<_>, _>>()?;
    starts.sort();
    starts.dedup();
    let root = starts.iter().map(Start::folder).reduce(common_folder);
    Ok(Roots { root: root.unwrap_or(Path::new("/")).to_path_buf(), starts })
}

impl Start {
    fn folder(&self) -> &Path {
        if self.is_folder { &self.path } else { self.path.parent().unwrap_or(&self.path) }
    }
}

fn start(path: &Path) -> Result<Start, WalkError> {
    let not_there = |error| WalkError::NotThere(path.to_path_buf(), error);
    let canonical = std::fs::canonicalize(path).map_err(not_there)?;
    if canonical.components().any(|name| name.as_os_str() == ".git") {
        return Err(WalkError::InsideGit(path.to_path_buf()));
    }
    let is_folder = std::fs::metadata(&canonical).map_err(not_there)?.is_dir();
    Ok(Start { path: canonical, is_folder })
}

fn common_folder<'a>(one: &'a Path, other: &'a Path) -> &'a Path {
    one.ancestors().find(|folder| below(other, folder).is_some()).unwrap_or(one)
}
