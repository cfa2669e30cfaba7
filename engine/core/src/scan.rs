//! Text as it stands: literal and regular-expression matches in one file, without an index.

use regex::Regex;
use seekwell_types::{ByteSpan, Mode, Query};

use crate::decode::{Binary, decode};
use crate::error::Error;
use crate::question::Question;
use crate::text::LineIndex;

/// More matches in one file are not listed: a question that matches everywhere is answered by any of them.
pub const MOST_MATCHES: usize = 10_000;

/// A regular expression whose automaton would be larger is refused.
const LARGEST_REGEX: usize = 8 << 20;

/// What is looked for as it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Needle {
    /// The text, or the regular expression.
    pub pattern: String,
    /// Whether it is a regular expression.
    pub regex: bool,
    /// Whether letters match without regard to case.
    pub ignore_case: bool,
}

/// The text that the question wants to find as it stands, if it is such a question.
///
/// In the exact and regex modes nothing else counts. In the others it is one more piece of evidence for a question in
/// quotes or with the punctuation of source text.
pub fn needle(query: &Query) -> Option<Needle> {
    match query.mode {
        Mode::Exact => Some(Needle { pattern: query.text.clone(), regex: false, ignore_case: false }),
        Mode::Regex => Some(Needle { pattern: query.text.clone(), regex: true, ignore_case: false }),
        Mode::Semantic => None,
        Mode::Hybrid | Mode::Keyword => {
            let literal = Question::new(&query.text, query.mode, |_| false).literal?;
            Some(Needle { pattern: literal, regex: false, ignore_case: true })
        }
    }
}

/// The matches in a text that begins at `offset`.
fn spans(regex: &Regex, text: &str, offset: u32) -> impl Iterator<Item = ByteSpan> {
    regex.find_iter(text).map(move |m| ByteSpan::new(offset + m.start() as u32, offset + m.end() as u32))
}

/// A needle, compiled.
pub struct Scanner {
    regex: Regex,
    /// Whether no match may go over the end of a line: for expressions. A text may be of several lines.
    by_line: bool,
}

impl Scanner {
    /// Compiles a needle.
    pub fn new(needle: &Needle) -> Result<Self, Error> {
        let pattern = if needle.regex { needle.pattern.clone() } else { regex::escape(&needle.pattern) };
        let regex = regex::RegexBuilder::new(&pattern)
            .case_insensitive(needle.ignore_case)
            .size_limit(LARGEST_REGEX)
            .build()
            .map_err(|e| Error::Pattern(e.to_string()))?;
        Ok(Self { regex, by_line: needle.regex })
    }

    /// Where the needle stands in a file, in bytes on disk, at most [`MOST_MATCHES`] times. Empty matches count once a
    /// line, and not behind the last line break.
    pub fn scan(&self, bytes: &[u8]) -> Result<Vec<ByteSpan>, Binary> {
        let decoded = decode(bytes)?;
        let mut spans = match self.by_line {
            true => self.line_by_line(&decoded.text),
            false => spans(&self.regex, &decoded.text, 0).take(MOST_MATCHES).collect(),
        };
        decoded.to_disk(spans.iter_mut());
        Ok(spans)
    }

    /// As ripgrep searches: no match goes over the end of a line, whatever the expression says of white space.
    fn line_by_line(&self, text: &str) -> Vec<ByteSpan> {
        let lines = LineIndex::new(text);
        let mut all = Vec::new();
        for line in 0..lines.count() {
            let start = lines.start_of(line);
            let content = text[start as usize..lines.end_of(line) as usize].trim_end_matches(['\n', '\r']);
            let mut found = spans(&self.regex, content, start).peekable();
            // Empty matches count once a line, and only where there is no other.
            let first_empty = found.next_if(|s| s.is_empty());
            let before = all.len();
            all.extend(found.filter(|s| !s.is_empty()));
            if all.len() == before {
                all.extend(first_empty);
            }
            if all.len() >= MOST_MATCHES {
                all.truncate(MOST_MATCHES);
                break;
            }
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scan(pattern: &str, regex: bool, text: &str) -> Vec<(u32, u32)> {
        let scanner = Scanner::new(&Needle { pattern: pattern.into(), regex, ignore_case: false }).expect("needle");
        scanner.scan(text.as_bytes()).expect("text").into_iter().map(|s| (s.start, s.end)).collect()
    }

    #[test]
    fn literals_are_literal() {
        for pattern in ["a|b", "foo(", "[", "*", "\\", "a.*b", "$x", "\""] {
            assert_eq!(scan(pattern, false, &format!("x\n{pattern}\n")), [(2, 2 + pattern.len() as u32)], "{pattern}");
        }
    }

    #[test]
    fn empty_matches_count_once_a_line() {
        let text = "one\ntwo\nthree\n";
        for pattern in ["", "^", "$", "x*"] {
            assert_eq!(scan(pattern, true, text).len(), 3, "{pattern:?}");
        }
    }

    #[test]
    fn bad_patterns_are_told() {
        let needle = Needle { pattern: "(".into(), regex: true, ignore_case: false };
        assert!(matches!(Scanner::new(&needle), Err(Error::Pattern(_))));
    }
}
