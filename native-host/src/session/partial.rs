//! Answers before a tree is whole: the files that speak of what is asked are analysed first, as many as there is time for.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use memchr::memmem::Finder;
use rayon::prelude::*;

use super::cores::on_all_cores;
use super::pipeline::{Corpus, Session};
use super::{Error, Request, Source, StoreUse, Upkeep};
use crate::engine::{Analysed, Worker};
use crate::store::{ObjectKey, Store};
use crate::walk::{Found, Walk};

/// Words of a question that files are looked through for, at most.
const MOST_WORDS: usize = 24;
/// A shorter word stands everywhere.
const SHORTEST: usize = 3;
/// Of a file, so many bytes are looked through: the names that matter come early, and there are many files.
const LOOKED_THROUGH: usize = 256 << 10;
/// BM25's usual constants (Robertson and Zaragoza 2009, section 3.4): a long file has many words, and takes long to analyse.
const K1: f32 = 1.2;
const B: f32 = 0.75;
/// Of the time there is, the share that goes into looking through files, to choose; the rest is for those that are chosen.
const SHARE_FOR_LOOKING: u32 = 2;
/// However little time there is: a file that was not chosen has no answer in it.
const LEAST_LOOKING: Duration = Duration::from_millis(300);
/// Of the time there is, the share that is left for putting the part together and for the answer from it.
const SHARE_FOR_ANSWERING: u32 = 6;
/// What is worth as much as a word in the text: the same word in the path.
const IN_PATH: f32 = 2.0;

/// A tree that was read in part.
pub struct Part<'e> {
    /// What there is of it.
    pub corpus: Corpus<'e>,
    /// Files that belong to the tree.
    pub of: usize,
}

impl<'e> Session<'e> {
    /// As much of a tree as can be analysed until `until`; with at least one file, if there is one. The files that hold the
    /// words of `about` come first. What is found out is left in the store, if there is one: whoever reads all of the tree
    /// need not do it again.
    pub(super) fn part(
        &self,
        request: &Request<'_>,
        walk: Arc<Walk>,
        about: &str,
        until: Instant,
    ) -> Result<Part<'e>, Error> {
        let now = Instant::now();
        let time = until.saturating_duration_since(now);
        let looking = (time / SHARE_FOR_LOOKING).max(LEAST_LOOKING);
        let order = by_promise(request, &walk, &words(about), now + looking);
        let until = until - time / SHARE_FOR_ANSWERING;
        let store = match request.store {
            StoreUse::Never => None,
            _ => Store::open(self.engine.fingerprint()).map(|store| store.with_carried(&walk.root)),
        };
        let analysed: Mutex<Vec<(usize, Vec<u8>)>> = Mutex::default();
        on_all_cores(self.engine, order.len(), &|worker, turn| {
            if turn > 0 && (Instant::now() >= until || request.progress.cancelled()) {
                return Ok(());
            }
            let at = order[turn];
            if let Some(blob) = analysis(request, store.as_ref(), worker, &walk.files[at]) {
                analysed.lock().expect("no thread panics").push((at, blob));
            }
            Ok(())
        })?;
        let mut analysed = analysed.into_inner().expect("no thread panics");
        analysed.sort_by_key(|(at, _)| *at);
        let mut workspace = self.engine.workspace(true)?;
        for (at, blob) in &analysed {
            if request.progress.cancelled() {
                return Err(Error::Cancelled);
            }
            workspace.add(&walk.files[*at].path, blob)?;
        }
        let generation = workspace.commit()?;
        let skipped = walk.skipped.clone();
        let of = walk.files.len();
        let corpus = Corpus {
            workspace,
            generation,
            walk,
            skipped,
            matches: Vec::new(),
            source: Source::Memory,
            upkeep: Upkeep::default(),
        };
        Ok(Part { corpus, of })
    }
}

/// The analysis of a file: by its skeleton where the store has one, else made, and its skeleton left there. None if it cannot
/// be read or analysed, which is told once the tree is whole.
fn analysis(request: &Request<'_>, store: Option<&Store>, worker: &mut dyn Worker, file: &Found) -> Option<Vec<u8>> {
    let bytes = request.read(file).ok()?;
    let Some(store) = store else { return worker.analyse(&file.path, &bytes, true).ok() };
    let content = blake3::hash(&bytes).as_bytes()[..16].try_into().expect("a hash has 32 bytes");
    let key = ObjectKey::new(store.fingerprint(), &worker.path_class(&file.path).ok()?, &content);
    let skeleton = store.object(&key);
    if let Some(blob) = skeleton.and_then(|skeleton| worker.analyse_again(&file.path, &bytes, &skeleton, true)) {
        return Some(blob);
    }
    let Analysed { analysis, skeleton } = worker.analyse_to_keep(&file.path, &bytes, true).ok()?;
    // Whoever reads the whole tree has made the folder, if there is to be one. What is not saved is never written down.
    if request.store == StoreUse::Always && request.overlaid(&file.path).is_none() && store.folder().exists() {
        store.put_object(&key, &skeleton);
    }
    Some(analysis)
}

/// The words that a text may stand for in files: the parts of its identifiers, in small letters, each once.
fn words(text: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut word = String::new();
    let mut before = ' ';
    for c in text.chars().chain([' ']) {
        let begins = c.is_uppercase() && before.is_lowercase();
        if (begins || !c.is_alphanumeric()) && !word.is_empty() {
            if word.len() >= SHORTEST && !words.contains(&word) {
                words.push(std::mem::take(&mut word));
            }
            word.clear();
        }
        if c.is_alphanumeric() {
            word.extend(c.to_lowercase());
        }
        before = c;
    }
    words.truncate(MOST_WORDS);
    words
}

/// The files of a tree by their numbers, those first that hold the rarest of the words. Files that were not looked through
/// until `until` are judged by their paths.
fn by_promise(request: &Request<'_>, walk: &Walk, words: &[String], until: Instant) -> Vec<usize> {
    let files = &walk.files;
    let mut order: Vec<usize> = (0..files.len()).collect();
    let finders: Vec<Finder<'_>> = words.iter().map(Finder::new).collect();
    if finders.is_empty() {
        return order;
    }
    // A bit for each word.
    let bits =
        |text: &[u8]| finders.iter().enumerate().fold(0, |bits, (i, f)| bits | u32::from(f.find(text).is_some()) << i);
    let in_path: Vec<u32> = files.iter().map(|file| bits(file.path.to_lowercase().as_bytes())).collect();
    let words_in = |bits: u32| (0..words.len()).filter(move |i| bits >> i & 1 == 1);
    order.sort_by_key(|&at| (std::cmp::Reverse(in_path[at].count_ones()), at));
    let in_text = |&at: &usize| {
        if Instant::now() >= until || request.progress.cancelled() {
            return None;
        }
        let bytes = request.read(&files[at]).unwrap_or_default();
        Some((at, bits(&bytes[..bytes.len().min(LOOKED_THROUGH)].to_ascii_lowercase())))
    };
    let in_text: Vec<(usize, u32)> = order.par_iter().filter_map(in_text).collect();
    let mut held = in_path.clone();
    in_text.iter().for_each(|&(at, text)| held[at] |= text);
    let looked_at = in_text.len().max(1) as f32;
    let rarity: Vec<f32> = (0..words.len())
        .map(|i| {
            let holding = in_text.iter().filter(|(at, _)| held[*at] >> i & 1 == 1).count();
            ((looked_at + 1.0) / (holding + 1) as f32).ln()
        })
        .collect();
    let worth = |bits: u32| words_in(bits).map(|i| rarity[i]).sum::<f32>();
    let mean = in_text.iter().map(|(at, _)| files[*at].size as f32).sum::<f32>() / looked_at;
    let mut promise: Vec<f32> = in_path.iter().map(|&path| IN_PATH * worth(path)).collect();
    for &(at, text) in &in_text {
        let length = files[at].size as f32 / mean.max(1.0);
        promise[at] += worth(text) * (K1 + 1.0) / (1.0 + K1 * (1.0 - B + B * length));
    }
    order.sort_by(|&a, &b| promise[b].total_cmp(&promise[a]).then(a.cmp(&b)));
    order
}

#[cfg(test)]
mod tests {
    use super::words;

    #[test]
    fn words_are_the_parts_of_identifiers() {
        assert_eq!(words("where is withRetry, or MAX_RETRIES?"), ["where", "with", "retry", "max", "retries"]);
        assert_eq!(words("retry Retry is a"), ["retry"]);
        assert!(words("?? a b").is_empty());
    }
}
