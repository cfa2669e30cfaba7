//! Which parts of a line are what was asked for: for emphasis only, never for ranking.

use std::ops::Range;

use regex::{Regex, RegexBuilder};
use seekwell_types::{Mode, Query};

/// Words that stand everywhere: emphasis on them would hide the others.
const COMMON: [&str; 44] = [
    "a", "an", "and", "any", "are", "as", "at", "be", "by", "can", "do", "does", "find", "for", "from", "get", "has",
    "have", "how", "i", "if", "in", "is", "it", "its", "not", "of", "on", "or", "our", "that", "the", "there", "this",
    "to", "was", "we", "what", "when", "where", "which", "who", "why", "with",
];

/// More words than this add nothing that a reader could see.
const MOST: usize = 32;

/// What is emphasised.
pub(super) enum Terms {
    /// Words of the question, lower case.
    Words(Vec<Vec<char>>),
    /// The text of the question.
    Text(String),
    /// The question as an expression.
    Regex(Regex),
}

impl Terms {
    /// The terms of a question.
    pub(super) fn of(query: &Query) -> Self {
        match query.mode {
            Mode::Exact => Self::Text(query.text.clone()),
            Mode::Regex => match RegexBuilder::new(&query.text).multi_line(true).size_limit(1 << 20).build() {
                Ok(regex) => Self::Regex(regex),
                Err(_) => Self::Words(Vec::new()),
            },
            Mode::Hybrid | Mode::Semantic | Mode::Keyword => Self::Words(words(&query.text)),
        }
    }

    /// The parts of a line that are a term, in order, not overlapping.
    pub(super) fn spans(&self, line: &str) -> Vec<Range<usize>> {
        let mut found: Vec<Range<usize>> = match self {
            Self::Text(text) if text.is_empty() => Vec::new(),
            Self::Text(text) => line.match_indices(text.as_str()).map(|(at, part)| at..at + part.len()).collect(),
            Self::Regex(regex) => regex.find_iter(line).map(|m| m.range()).filter(|r| !r.is_empty()).collect(),
            Self::Words(words) => word_spans(line, words),
        };
        found.sort_by_key(|span| (span.start, std::cmp::Reverse(span.end)));
        let mut end = 0;
        found.retain(|span| {
            let free = span.start >= end;
            if free {
                end = span.end;
            }
            free
        });
        found
    }

    /// How many different terms a line has.
    pub(super) fn count(&self, line: &str) -> usize {
        match self {
            Self::Words(words) => {
                words.iter().filter(|w| !word_spans(line, std::slice::from_ref(w)).is_empty()).count()
            }
            _ => usize::from(!self.spans(line).is_empty()),
        }
    }
}

fn words(text: &str) -> Vec<Vec<char>> {
    let mut words: Vec<Vec<char>> = Vec::new();
    let lower = text.to_lowercase();
    let parts = lower.split(|c: char| !c.is_alphanumeric()).filter(|w| !w.is_empty() && !COMMON.contains(w));
    for word in parts {
        let word: Vec<char> = word.chars().collect();
        let seen = words.contains(&word) || word.len() == 1 && word[0].is_ascii();
        if !seen && words.len() < MOST {
            words.push(word);
        }
    }
    words
}

/// Places where a word begins a word or a part of an identifier (`retry` in `with_retry` and `withRetry`).
fn word_spans(line: &str, words: &[Vec<char>]) -> Vec<Range<usize>> {
    let chars: Vec<(usize, char)> = line.char_indices().collect();
    let lower: Vec<char> = chars.iter().map(|(_, c)| c.to_lowercase().next().unwrap_or(*c)).collect();
    let mut spans = Vec::new();
    for at in 0..chars.len() {
        let begins = at == 0 || {
            let (before, here) = (chars[at - 1].1, chars[at].1);
            !before.is_alphanumeric()
                || !before.is_uppercase() && here.is_uppercase()
                || before.is_numeric() != here.is_numeric()
                || !here.is_ascii()
        };
        if !begins {
            continue;
        }
        for word in words {
            let end = at + word.len();
            if !lower[at..].starts_with(word) {
                continue;
            }
            // A short word inside a longer one is chance: `is` in `island`.
            let whole = lower.get(end).is_none_or(|c| !c.is_alphabetic());
            if word.len() >= 3 || whole || !word[0].is_ascii() {
                spans.push(chars[at].0..chars.get(end).map_or(line.len(), |(at, _)| *at));
            }
        }
    }
    spans
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found<'l>(mode: Mode, text: &str, line: &'l str) -> Vec<&'l str> {
        let terms = Terms::of(&Query { text: text.to_owned(), mode, ..Query::default() });
        terms.spans(line).into_iter().map(|span| &line[span]).collect()
    }

    #[test]
    fn words_at_the_beginnings_of_parts() {
        let line = "fn with_retry(maxRetries: RetryPolicy, country: X)";
        assert_eq!(found(Mode::Hybrid, "Where is the retry policy?", line), ["retry", "Retry", "Policy"]);
        assert_eq!(found(Mode::Keyword, "io", "io::Error of radio IoError"), ["io"]);
        assert_eq!(found(Mode::Hybrid, "größe 配置", "let GRÖSSE = Größe; // 读取配置"), ["Größe", "配置"]);
    }

    #[test]
    fn texts_and_expressions() {
        assert_eq!(found(Mode::Exact, "a.b", "a.b axb A.b"), ["a.b"]);
        assert_eq!(found(Mode::Exact, "", "abc"), Vec::<&str>::new());
        assert_eq!(found(Mode::Regex, "a.b", "a.b axb A.b"), ["a.b", "axb"]);
        assert_eq!(found(Mode::Regex, "x*", "abc"), Vec::<&str>::new());
        assert_eq!(found(Mode::Regex, "(", "("), Vec::<&str>::new());
    }
}
