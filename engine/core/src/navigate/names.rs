//! A name as it is typed -> the symbols that it means, and the names that come nearest.

use super::Navigator;
use crate::place::Prior;
use crate::symbols::SymbolKind;

/// Names that are offered instead of one that is not there.
const OFFERED: usize = 5;

impl Navigator<'_> {
    /// The symbols that a name means, the most important first, and what is to be said of it.
    pub(super) fn subjects(&self, name: &str) -> (Vec<u32>, Vec<String>) {
        let name = name.trim().trim_end_matches("()");
        let exact = self.meant(name, false);
        if !exact.is_empty() {
            return (exact, Vec::new());
        }
        let folded = self.meant(name, true);
        let notes = match folded.first() {
            Some(&first) => vec![format!("written otherwise in this tree: {}", self.generation.symbol_name(first))],
            None => Vec::new(),
        };
        (folded, notes)
    }

    fn meant(&self, name: &str, folded: bool) -> Vec<u32> {
        let whole = self.with_name(name, &[], folded);
        if !whole.is_empty() {
            return self.ordered(whole);
        }
        let parts: Vec<&str> = name.split("::").flat_map(|part| part.split(['.', '#', '/'])).collect();
        let Some((last, around)) = parts.split_last() else { return Vec::new() };
        if around.is_empty() || last.is_empty() {
            return Vec::new();
        }
        self.ordered(self.with_name(last, around, folded))
    }

    /// Symbols of this name that stand in these containers, or in files or folders called like them.
    fn with_name(&self, name: &str, around: &[&str], folded: bool) -> Vec<u32> {
        let same = |a: &str, b: &str| if folded { letters(a) == letters(b) } else { a == b };
        let fits = |&symbol: &u32| {
            if !same(self.generation.symbol_name(symbol), name) {
                return false;
            }
            let container = self.container(symbol);
            let path = crate::place::stem(self.path(self.file_of(symbol)));
            let mut have: Vec<&str> = crate::place::folders(self.path(self.file_of(symbol))).collect();
            have.push(path);
            have.extend(container.split("::").flat_map(|part| part.split('.')).filter(|part| !part.is_empty()));
            // Each container that was named, in order, from the inside out.
            let mut have = have.iter().rev();
            around.iter().rev().filter(|part| !part.is_empty()).all(|part| have.any(|h| same(h, part)))
        };
        self.generation.symbols_named(name).filter(fits).collect()
    }

    /// Without what defines nothing beside what does, the most important first.
    fn ordered(&self, mut symbols: Vec<u32>) -> Vec<u32> {
        let kind = |s: u32| self.record(s).kind;
        for lesser in [SymbolKind::Section, SymbolKind::Impl, SymbolKind::Test, SymbolKind::Field] {
            if symbols.iter().any(|&s| kind(s) != lesser) {
                symbols.retain(|&s| kind(s) != lesser);
            }
        }
        let priors = |s: u32| self.generation.files[self.file_of(s) as usize].priors;
        let beside = |s: u32| {
            [Prior::Test, Prior::Bench, Prior::Example, Prior::Vendored].into_iter().any(|prior| priors(s).has(prior))
        };
        let importance = |s: u32| self.generation.graph().symbol_percentile[s as usize];
        symbols.sort_by(|&a, &b| {
            (beside(a), -importance(a)).partial_cmp(&(beside(b), -importance(b))).unwrap_or(a.cmp(&b)).then(a.cmp(&b))
        });
        symbols
    }

    /// Names of this tree that come nearest to one that is not there.
    pub(super) fn nearest_names(&self, name: &str) -> Vec<String> {
        let last = name.trim_end_matches("()").rsplit(['.', ':', '#', '/']).next().unwrap_or(name);
        nearest(last, (0..self.generation.symbols.len() as u32).map(|s| self.generation.symbol_name(s)))
    }
}

/// Letters in lower case, without underscores.
fn letters(name: &str) -> String {
    name.chars().filter(|&c| c != '_').flat_map(char::to_lowercase).collect()
}

/// Of many names, those that come nearest to one: by edits, then by what they share.
pub(super) fn nearest<'n>(name: &str, names: impl Iterator<Item = &'n str>) -> Vec<String> {
    let wanted: Vec<char> = name.to_lowercase().chars().take(64).collect();
    if wanted.is_empty() {
        return Vec::new();
    }
    let allowed = 1 + wanted.len() / 3;
    let mut near: Vec<(usize, &str)> = Vec::new();
    for candidate in names {
        let letters: Vec<char> = candidate.to_lowercase().chars().take(200).collect();
        let within =
            wanted.len() >= 4 && contains(&letters, &wanted) || letters.len() >= 4 && contains(&wanted, &letters);
        let distance = if within {
            1 + letters.len().abs_diff(wanted.len()) / 8
        } else if letters.len().abs_diff(wanted.len()) > allowed {
            continue;
        } else {
            edits(&wanted, &letters)
        };
        if distance <= allowed {
            near.push((distance, candidate));
        }
    }
    near.sort_unstable();
    near.dedup();
    near.into_iter().take(OFFERED).map(|(_, name)| name.to_owned()).collect()
}

fn contains(text: &[char], part: &[char]) -> bool {
    text.windows(part.len()).any(|window| window == part)
}

/// Letters added, dropped or replaced from one word to the other (Levenshtein).
fn edits(a: &[char], b: &[char]) -> usize {
    let mut above: Vec<usize> = (0..=b.len()).collect();
    for (i, from) in a.iter().enumerate() {
        let mut before = above[0];
        above[0] = i + 1;
        for (j, to) in b.iter().enumerate() {
            let replaced = before + usize::from(from != to);
            before = above[j + 1];
            above[j + 1] = replaced.min(before + 1).min(above[j] + 1);
        }
    }
    above[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_names() {
        let names = ["with_retry", "withRetry", "retry", "fetch", "retries"];
        assert_eq!(nearest("with_rety", names.into_iter()), ["with_retry", "withRetry"]);
        assert_eq!(nearest("retry", ["retry_all", "x"].into_iter()), ["retry_all"]);
        assert!(nearest("", names.into_iter()).is_empty());
        let chars = |s: &str| s.chars().collect::<Vec<_>>();
        assert_eq!((edits(&chars("kitten"), &chars("sitting")), edits(&[], &chars("ab"))), (3, 2));
    }
}
