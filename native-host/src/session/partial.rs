//! Answers before a tree is whole: the files that speak of what is asked are analysed first, as many as there is time for.

use std::sync::Mutex;
use std::time::Instant;

use memchr::memmem::Finder;
use rayon::prelude::*;

use super::cores::on_all_cores;
use super::pipeline::{Corpus, Session, walk_tree};
use super::{Error, Request, Source, Upkeep};
use crate::walk::{Found, Walk};

/// Words of a question that files are looked through for, at most.
const MOST_WORDS: usize = 24;
/// A shorter word stands everywhere.
const SHORTEST: usize = 3;
/// Of a file, so many bytes are looked through: the names that matter come early, and there are many files.
const LOOKED_THROUGH: usize = 256 << 10;
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
    /// words of `about` come first.
    pub(super) fn part(&self, request: &Request<'_>, about: &str, until: Instant) -> Result<Part<'e>, Error> {
        let walk = walk_tree(request)?;
        let order = by_promise(request, &walk, &words(about));
        let analysed: Mutex<Vec<(usize, Vec<u8>)>> = Mutex::default();
        on_all_cores(self.engine, order.len(), &|worker, turn| {
            if turn > 0 && (Instant::now() >= until || request.progress.cancelled()) {
                return Ok(());
            }
            let at = order[turn];
            // What cannot be read or analysed is told of once the tree is whole.
            if let Ok(bytes) = request.read(&walk.files[at])
                && let Ok(blob) = worker.analyse(&walk.files[at].path, &bytes, true)
            {
                analysed.lock().expect("no thread panics").push((at, blob));
            }
            Ok(())
        })?;
        if request.progress.cancelled() {
            return Err(Error::Cancelled);
        }
        let mut analysed = analysed.into_inner().expect("no thread panics");
        analysed.sort_by_key(|(at, _)| *at);
        let mut workspace = self.engine.workspace(true)?;
        for (at, blob) in &analysed {
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

/// The files of a tree by their numbers, those first that hold the rarest of the words.
fn by_promise(request: &Request<'_>, walk: &Walk, words: &[String]) -> Vec<usize> {
    let files = &walk.files;
    let mut order: Vec<usize> = (0..files.len()).collect();
    let finders: Vec<Finder<'_>> = words.iter().map(Finder::new).collect();
    if finders.is_empty() {
        return order;
    }
    // Of each file, a bit a word: those in its text, and those in its path.
    let held = |file: &Found| -> (u32, u32) {
        let bits = |text: &[u8]| {
            finders.iter().enumerate().fold(0, |bits, (i, f)| bits | u32::from(f.find(text).is_some()) << i)
        };
        let path = bits(file.path.to_lowercase().as_bytes());
        let text =
            request.read(file).map_or(0, |bytes| bits(&bytes[..bytes.len().min(LOOKED_THROUGH)].to_ascii_lowercase()));
        (text, path)
    };
    let held: Vec<(u32, u32)> = files.par_iter().map(held).collect();
    let rarity: Vec<f32> = (0..words.len())
        .map(|i| {
            let holding = held.iter().filter(|(text, path)| (text | path) >> i & 1 == 1).count();
            ((files.len() + 1) as f32 / (holding + 1) as f32).ln()
        })
        .collect();
    let worth = |bits: u32| (0..words.len()).filter(|i| bits >> i & 1 == 1).map(|i| rarity[i]).sum::<f32>();
    let promise: Vec<f32> = held.iter().map(|&(text, path)| worth(text) + IN_PATH * worth(path)).collect();
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
