//! What differs between the files of a tree and a revision of git, by lines. No program is started: objects are read by
//! a library, with only what the repository itself says trusted.

use std::collections::BTreeMap;
use std::path::Path;

use gix::objs::Kind;
use gix::traverse::tree::Recorder;
use imara_diff::{Algorithm, Diff, InternedInput};
use seekwell_types::LineSpan;
use seekwell_types::structure::Change;

/// A file of the revision.
struct Old {
    id: gix::ObjectId,
    is_link: bool,
}

/// The lines of files below `root` that a revision does not have, or has otherwise. A file that is gone has no lines, and
/// neither has one that is new: they are changed as a whole.
pub fn changes(root: &Path, revision: &str) -> Result<Vec<Change>, String> {
    let repository = gix::discover(root).map_err(|e| e.to_string())?;
    let top = repository.workdir().ok_or("the repository has no files of its own")?;
    let top = top.canonicalize().map_err(|e| e.to_string())?;
    let inside = root.strip_prefix(&top).map_err(|_| "the folder is not in the repository".to_owned())?;
    let inside: String = inside.components().map(|part| part.as_os_str().to_string_lossy() + "/").collect();
    let commit = repository.rev_parse_single(revision).map_err(|e| e.to_string())?;
    let tree = commit.object().map_err(|e| e.to_string())?.peel_to_tree().map_err(|e| e.to_string())?;
    let mut recorder = Recorder::default();
    tree.traverse().breadthfirst(&mut recorder).map_err(|e| e.to_string())?;
    let mut old: BTreeMap<String, Old> = BTreeMap::new();
    for entry in recorder.records.into_iter().filter(|entry| !entry.mode.is_tree() && !entry.mode.is_commit()) {
        let path = entry.filepath.to_string();
        if let Some(path) = path.strip_prefix(inside.as_str()) {
            old.insert(path.to_owned(), Old { id: entry.oid, is_link: entry.mode.is_link() });
        }
    }
    let mut changes = Vec::new();
    for (path, old) in &old {
        if old.is_link {
            continue;
        }
        let Ok(now) = std::fs::read(root.join(path)) else {
            changes.push(Change { path: path.clone(), lines: Vec::new() });
            continue;
        };
        if same(&repository, &old.id, &now) {
            continue;
        }
        let before = repository.find_object(old.id).map_err(|e| e.to_string())?;
        let lines = changed_lines(&before.data, &now);
        if !lines.is_empty() {
            changes.push(Change { path: path.clone(), lines });
        }
    }
    for path in added(root, &old) {
        changes.push(Change { path, lines: Vec::new() });
    }
    changes.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(changes)
}

/// Whether a file is what git has of it, perhaps with its line ends written otherwise.
fn same(repository: &gix::Repository, id: &gix::ObjectId, now: &[u8]) -> bool {
    let hash = |bytes: &[u8]| gix::objs::compute_hash(repository.object_hash(), Kind::Blob, bytes).ok();
    if hash(now).is_some_and(|hash| hash == *id) {
        return true;
    }
    let unix: Vec<u8> = String::from_utf8_lossy(now).replace("\r\n", "\n").into_bytes();
    unix.len() != now.len() && hash(&unix).is_some_and(|hash| hash == *id)
}

/// Files below the root that the revision does not have, as far as git's ignore rules let them in.
fn added(root: &Path, old: &BTreeMap<String, Old>) -> Vec<String> {
    let Ok(mut admission) = seekwell_admit::Admission::new(seekwell_admit::Options::default()) else {
        return Vec::new();
    };
    let options = super::WalkOptions::from_env();
    let Ok(walk) = super::walk(&[root.to_owned()], &options, &mut admission) else { return Vec::new() };
    walk.files.into_iter().map(|file| file.path).filter(|path| !old.contains_key(path)).collect()
}

/// The lines of a text that another does not have; where lines were taken out, those around the place.
fn changed_lines(before: &[u8], now: &[u8]) -> Vec<LineSpan> {
    let (before, now) =
        (String::from_utf8_lossy(before).replace("\r\n", "\n"), String::from_utf8_lossy(now).replace("\r\n", "\n"));
    let input = InternedInput::new(before.as_str(), now.as_str());
    let diff = Diff::compute(Algorithm::Histogram, &input);
    let count = now.lines().count().max(1) as u32;
    diff.hunks()
        .map(|hunk| match hunk.after.is_empty() {
            true => LineSpan { start: hunk.after.start.clamp(1, count), end: (hunk.after.start + 1).min(count) },
            false => LineSpan { start: hunk.after.start + 1, end: hunk.after.end },
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_differ() {
        let of = |before: &str, now: &str| {
            changed_lines(before.as_bytes(), now.as_bytes()).into_iter().map(|l| (l.start, l.end)).collect::<Vec<_>>()
        };
        assert_eq!(of("a\nb\nc\n", "a\nx\nc\n"), [(2, 2)]);
        assert_eq!(of("a\nb\n", "a\nb\nc\nd\n"), [(3, 4)]);
        assert_eq!(of("a\nb\nc\n", "a\nc\n"), [(1, 2)]);
        assert_eq!(of("a\n", "a\n"), []);
        assert_eq!(of("a\nb\n", ""), [(1, 1)]);
        assert_eq!(of("a\r\nb\r\n", "a\nb\n"), []);
    }
}
