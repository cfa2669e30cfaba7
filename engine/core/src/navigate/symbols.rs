//! A part of a name -> the symbols that have it, as one types it in an editor.

use std::cmp::Reverse;

use seekwell_types::Content;
use seekwell_types::structure::{Row, StructureAnswer};

use super::Navigator;
use crate::place::Prior;
use crate::symbols::SymbolKind;

/// How well a name fits, the best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Fit {
    /// It is the name.
    Same,
    /// It is the name but for the case of letters.
    SameLetters,
    /// The name begins with it.
    Start,
    /// Its letters begin words of the name, from the first word on.
    Humps,
    /// It begins at a word of the name.
    Word,
    /// Its letters begin words of the name, not from the first one on.
    LaterHumps,
    /// It is inside the name.
    Inside,
}

impl Navigator<'_> {
    /// Symbols whose name has these letters, the best first; the most important ones if there are no letters.
    pub(super) fn symbols(&self, text: &str, limit: usize) -> StructureAnswer {
        let typed = text.split_whitespace().collect::<String>();
        let (around, name) = split(typed.trim_end_matches("()"));
        let mut found: Vec<(Fit, bool, Reverse<u32>, usize, u32)> = Vec::new();
        for symbol in 0..self.generation.symbols.len() as u32 {
            if let Some(fit) = self.fit(symbol, around, name) {
                let importance = self.generation.graph().symbol_percentile[symbol as usize];
                let length = if name.is_empty() { 0 } else { self.generation.symbol_name(symbol).len() };
                // Percentiles lie between 0 and 1, where bits order as numbers do.
                found.push((fit, self.is_lesser(symbol), Reverse(importance.to_bits()), length, symbol));
            }
        }
        let total = found.len() as u32;
        if found.len() > limit {
            found.select_nth_unstable(limit);
            found.truncate(limit);
        }
        found.sort_unstable();
        let row = |(_, _, _, _, symbol): (Fit, bool, Reverse<u32>, usize, u32)| Row {
            symbol: Some(self.symbol(symbol)),
            name: self.generation.symbol_name(symbol).to_owned(),
            ..Row::default()
        };
        let rows: Vec<Row> = found.into_iter().map(row).collect();
        StructureAnswer { not_found: rows.is_empty(), total, rows, ..StructureAnswer::default() }
    }

    fn fit(&self, symbol: u32, around: &str, name: &str) -> Option<Fit> {
        let kind = self.record(symbol).kind;
        if kind == SymbolKind::Impl {
            return None;
        }
        if name.is_empty() && around.is_empty() {
            return (kind.is_callable() || kind.is_type()).then_some(Fit::Same);
        }
        let fit = fit(self.generation.symbol_name(symbol), name)?;
        let inside = around.is_empty() || {
            let container = self.container(symbol).to_lowercase();
            container.contains(&around.to_lowercase())
        };
        inside.then_some(fit)
    }

    /// Whether a symbol is beside the code: in tests, examples, vendored or generated files, in prose or data.
    fn is_lesser(&self, symbol: u32) -> bool {
        let file = &self.generation.files[self.file_of(symbol) as usize];
        let beside = [Prior::Test, Prior::Bench, Prior::Example, Prior::Vendored, Prior::Generated];
        file.content != Content::Code || self.is_test(symbol) || beside.into_iter().any(|prior| file.priors.has(prior))
    }
}

/// `Client::get` -> what is around the name, and the name.
fn split(typed: &str) -> (&str, &str) {
    let at = typed.rfind(['.', ':', '#', '/']);
    match at {
        Some(at) if at > 0 => (typed[..at].trim_end_matches(['.', ':', '#', '/']), &typed[at + 1..]),
        Some(_) => ("", typed.trim_start_matches(['.', ':', '#', '/'])),
        None => ("", typed),
    }
}

/// How well a name fits what was typed; none if it does not.
fn fit(name: &str, typed: &str) -> Option<Fit> {
    if typed.is_empty() {
        return Some(Fit::Start);
    }
    if name == typed {
        return Some(Fit::Same);
    }
    let letters: Vec<char> = name.chars().take(200).collect();
    let wanted: Vec<char> = typed.chars().filter(|&c| c != '_' && c != '-').collect();
    let plain: Vec<(usize, char)> =
        letters.iter().copied().enumerate().filter(|&(_, c)| c != '_' && c != '-').collect();
    if wanted.is_empty() {
        return name.contains(typed).then_some(Fit::Inside);
    }
    let same = |a: char, b: char| a == b || a.to_lowercase().eq(b.to_lowercase());
    let run = |from: usize| {
        plain.len() - from >= wanted.len() && wanted.iter().zip(&plain[from..]).all(|(&w, &(_, c))| same(w, c))
    };
    let begins = |at: usize| is_hump(&letters, plain[at].0);
    // A capital that is typed inside a word is no part of that word.
    let capitals = |from: usize| {
        wanted
            .iter()
            .zip(&plain[from..])
            .enumerate()
            .all(|(at, (&w, &(_, c)))| !w.is_uppercase() || w == c || begins(from + at))
    };
    if !plain.is_empty() && run(0) && capitals(0) {
        return Some(if plain.len() == wanted.len() { Fit::SameLetters } else { Fit::Start });
    }
    let starts: Vec<usize> = (0..plain.len()).filter(|&at| begins(at)).collect();
    let humps = |first: usize| {
        let mut at = Some(first);
        same(wanted[0], plain[first].1) && {
            let mut fits = true;
            for &next in &wanted[1..] {
                at = at.and_then(|at| next_hump(&plain, &starts, at, next));
                fits &= at.is_some();
            }
            fits
        }
    };
    match starts.iter().copied().find(|&start| humps(start)) {
        Some(0) => return Some(Fit::Humps),
        later => {
            if starts.iter().any(|&start| run(start) && capitals(start)) {
                return Some(Fit::Word);
            }
            if later.is_some() {
                return Some(Fit::LaterHumps);
            }
        }
    }
    (wanted.len() > 2 && (0..plain.len()).any(run)).then_some(Fit::Inside)
}

/// The place of the next letter: right behind the one before, unless it is a capital, or at the start of a later word.
fn next_hump(plain: &[(usize, char)], starts: &[usize], at: usize, next: char) -> Option<usize> {
    let same = |a: char, b: char| a == b || a.to_lowercase().eq(b.to_lowercase());
    let follows = at + 1 < plain.len() && same(plain[at + 1].1, next);
    let capital = next.is_uppercase();
    if follows && (!capital || starts.contains(&(at + 1))) {
        return Some(at + 1);
    }
    starts.iter().copied().find(|&start| start > at && same(plain[start].1, next))
}

/// Whether a word of the name begins here: a capital behind a small letter or before one, a letter behind a mark, a digit
/// behind a letter.
fn is_hump(letters: &[char], at: usize) -> bool {
    let Some(before) = at.checked_sub(1).map(|at| letters[at]) else { return true };
    let c = letters[at];
    if !before.is_alphanumeric() {
        return true;
    }
    let next_small = letters.get(at + 1).is_some_and(|next| next.is_lowercase());
    c.is_uppercase() && (!before.is_uppercase() || next_small) || c.is_numeric() != before.is_numeric()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_fit_what_is_typed() {
        for (name, typed, expected) in [
            ("with_retry", "with_retry", Some(Fit::Same)),
            ("withRetry", "with_retry", Some(Fit::SameLetters)),
            ("with_retry", "withRetry", Some(Fit::SameLetters)),
            ("with_retry_twice", "withre", Some(Fit::Start)),
            ("with_retry", "WR", Some(Fit::Humps)),
            ("WebRequest", "WR", Some(Fit::Humps)),
            ("WebRequest", "wr", Some(Fit::Humps)),
            ("WebRequest", "WebRe", Some(Fit::Start)),
            ("WebSocketRequest", "WeReq", Some(Fit::Humps)),
            ("HTTPServer", "HS", Some(Fit::Humps)),
            ("parse2JSON", "p2J", Some(Fit::Humps)),
            ("with_retry", "retry", Some(Fit::Word)),
            ("a_web_request", "WR", Some(Fit::LaterHumps)),
            ("preretry", "retry", Some(Fit::Inside)),
            ("wrap", "WR", None),
            ("http_server", "HTTP", Some(Fit::Inside)),
            ("withRetry", "WT", None),
            ("growl", "WR", None),
            ("abc", "", Some(Fit::Start)),
            ("été_vert", "év", Some(Fit::Humps)),
        ] {
            assert_eq!(fit(name, typed), expected, "{name} {typed}");
        }
    }

    #[test]
    fn containers_are_split_off() {
        assert_eq!(split("Client::get"), ("Client", "get"));
        assert_eq!(split("a.b.c"), ("a.b", "c"));
        assert_eq!(split("Client::"), ("Client", ""));
        assert_eq!(split("get"), ("", "get"));
        assert_eq!(split("::get"), ("", "get"));
    }
}
