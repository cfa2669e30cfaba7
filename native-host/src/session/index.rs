//! The index as something to talk about: made, described, removed.

use std::path::Path;

use super::keep::tree_of;
use super::pipeline::Corpus;
use super::{Cleaned, Error, IndexStatus, Indexed, Request};
use crate::store::{self, Store};

/// What is known of the index of the tree that was just read.
pub fn status(fingerprint: &str, request: &Request<'_>, corpus: &Corpus<'_>) -> IndexStatus {
    let Some(store) = Store::open(fingerprint).map(|store| store.with_carried(&corpus.walk.root)) else {
        return IndexStatus::default();
    };
    let mut status =
        IndexStatus { location: store.folder().to_owned(), carried: store.is_carried(), ..Default::default() };
    let tree = tree_of(request, &corpus.walk.root);
    if let Some((key, manifest)) = tree.and_then(|key| Some((key.clone(), store.any_manifest(&key)?))) {
        status.exists = true;
        status.bytes = store.usage_of(&key, &manifest).bytes;
        if manifest.fingerprint != fingerprint {
            status.other_engine = format!("seekwell {}, {}", manifest.engine, manifest.model);
        }
    }
    status.store_bytes = store.usage().bytes;
    status.stale = corpus.upkeep.looked_at + corpus.upkeep.gone;
    status.troubles = corpus.upkeep.troubles.clone();
    status.troubles.extend(store.troubles());
    status.troubles.dedup();
    status
}

/// The account of indexing; with `carry`, the analyses are written into the tree first.
pub fn indexed(fingerprint: &str, request: &Request<'_>, corpus: Corpus<'_>, carry: bool) -> Result<Indexed, Error> {
    let refused = |detail: String| Error::Store { detail };
    let index = status(fingerprint, request, &corpus);
    if !index.exists {
        let why = index.troubles.first().cloned().unwrap_or_else(|| {
            "there is no place for an index: neither SEEKWELL_CACHE, XDG_CACHE_HOME nor HOME is set; set one".to_owned()
        });
        return Err(refused(format!("the index was not made: {why}")));
    }
    let mut carried = None;
    if carry {
        let store = Store::open(fingerprint).ok_or_else(|| refused("there is no store".to_owned()))?;
        let key = tree_of(request, &corpus.walk.root).unwrap_or_default();
        let manifest = store.manifest(&key).ok_or_else(|| refused("the index is gone; run it again".to_owned()))?;
        carried = Some(store.carry(&corpus.walk.root, &manifest).map_err(|trouble| refused(trouble.to_string()))?);
    }
    if let Some(store) = Store::open(fingerprint) {
        store.collect(false);
    }
    let Corpus { generation, walk, skipped, upkeep, .. } = corpus;
    Ok(Indexed { root: walk.root.clone(), generation, skipped, upkeep, index, carried })
}

/// Forgets the indexes at and below a folder, or all.
pub fn clean(root: Option<&Path>) -> Result<Cleaned, Error> {
    let failed = |detail: String| Error::Store { detail };
    // Which engine is of no matter here.
    let Some(store) = Store::open("") else { return Ok(Cleaned::default()) };
    let mut cleaned = Cleaned { location: store.folder().to_owned(), ..Cleaned::default() };
    let before = store.usage().bytes;
    match root {
        Some(root) => {
            cleaned.trees = store.forget(root);
            cleaned.in_use = store.collect(true).is_none() && before > 0;
        }
        None => {
            cleaned.trees = store.trees().len();
            let removed = store.remove_all();
            let removed = removed.map_err(|e| {
                failed(format!("cannot remove {}: {e}; remove the folder by hand", cleaned.location.display()))
            });
            cleaned.in_use = !removed?;
        }
    }
    if let Some(folder) = store::folder() {
        let after = Store::at(folder, "").usage().bytes;
        cleaned.bytes = before.saturating_sub(after);
    }
    Ok(cleaned)
}
