//! Whether a question is a message that a program has printed, pasted as it was.
//!
//! What answers one is the place where its words stand together, however that place is called; what answers a question about
//! messages ("error types and how they are reported") is a definition. The signs are those of a printed sentence: a label, a
//! statement that something went wrong, the punctuation and the values of a log. One sign alone is not enough.

/// What a label or its last word ends in.
const FAILURES: [&str; 6] = ["error", "exception", "warning", "fatal", "panic", "failure"];

/// Levels, as logs have them.
const LEVELS: [&str; 6] = ["ERROR", "WARN", "WARNING", "FATAL", "PANIC", "CRITICAL"];

/// How a message begins that says no label.
const BEGINNINGS: [&str; 28] = [
    "attempt to",
    "attempted to",
    "broken",
    "can not",
    "can't",
    "cannot",
    "could not",
    "couldn't",
    "expected",
    "failed",
    "failing",
    "illegal",
    "insecure",
    "invalid",
    "missing",
    "no such",
    "not",
    "timed out",
    "timeout",
    "unable to",
    "unexpected",
    "unhandled",
    "unknown",
    "unrecognized",
    "unresolved",
    "unsupported",
    "unterminated",
    "undefined",
];

/// What is said where something went wrong.
const STATEMENTS: [&str; 33] = [
    "aborted",
    "already",
    "been",
    "cannot",
    "denied",
    "detected",
    "died",
    "ended",
    "exceeded",
    "exceeds",
    "failed to",
    "must be",
    "no longer",
    "no such",
    "not available",
    "not exist",
    "not found",
    "not set",
    "not supported",
    "occurred",
    "prohibited",
    "reached",
    "refused",
    "rejected",
    "requires",
    "too big",
    "too few",
    "too large",
    "too long",
    "too many",
    "too short",
    "unable to",
    "unterminated",
];

/// Before `not` or `no` they make such a statement.
const VERBS: [&str; 15] =
    ["is", "are", "was", "were", "does", "do", "did", "has", "have", "could", "can", "will", "must", "may", "would"];

/// Requests to somebody who looks for something.
const REQUESTS: [&str; 8] = ["explain", "find", "handle", "handling", "implement", "list", "show", "tests"];

/// Signs, in halves, that make a message.
const ENOUGH: u32 = 4;

/// Whether a text, which is none of the known forms of questions, reads as a message.
pub fn is_message(text: &str) -> bool {
    let text = text.trim();
    let words: Vec<String> = text.split_whitespace().map(bare).filter(|word| !word.is_empty()).collect();
    let Some(first) = words.first().filter(|_| words.len() > 2) else { return false };
    let label = Label::of(text);
    if REQUESTS.contains(&first.as_str()) || (text.ends_with('?') && label == Label::None) {
        return false;
    }
    let after_label = usize::from(label != Label::None);
    let begins = |from: usize, phrase: &str| holds_at(&words, from, phrase);
    let denies = |pair: &[String]| VERBS.contains(&pair[0].as_str()) && matches!(pair[1].as_str(), "not" | "no");
    let states = words.windows(2).any(denies)
        || words.iter().any(|word| word.ends_with("n't"))
        || STATEMENTS.iter().any(|phrase| (0..words.len()).any(|at| begins(at, phrase)));
    let signs = [
        (label == Label::Failure, 4),
        (label == Label::Place, 3),
        (label == Label::Word, 2),
        (BEGINNINGS.iter().any(|phrase| begins(0, phrase) || begins(after_label, phrase)), 3),
        (states, 2),
        (is_sentence(text), 2),
        (has_quoted(text), 1),
        (text.contains(|c: char| c.is_ascii_digit() || c == '('), 1),
        (is_capitalised(text), 1),
    ];
    signs.iter().filter(|(holds, _)| *holds).map(|(_, halves)| halves).sum::<u32>() >= ENOUGH
}

/// What stands before the first colon.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Label {
    /// The name of an error, the level of a log.
    Failure,
    /// A file and a line in it.
    Place,
    /// One word: a program, a part of it.
    Word,
    None,
}

impl Label {
    fn of(text: &str) -> Self {
        if text.split([' ', ':']).next().is_some_and(|word| LEVELS.contains(&word)) {
            return Self::Failure;
        }
        // No end of a label: `std::io`, `http://`.
        let ends = |&at: &usize| !text[at + 1..].starts_with([':', '/']) && !text[..at].ends_with(':');
        let Some(end) = text.match_indices(':').map(|(at, _)| at).find(ends) else { return Self::None };
        let (names, after): (Vec<&str>, _) = (text[..end].split_whitespace().collect(), &text[end + 1..]);
        let is_number = |word: &str| word.bytes().all(|b| b.is_ascii_digit());
        let last = names.iter().rev().find(|word| !is_number(word)).map(|word| word.to_lowercase()).unwrap_or_default();
        let fails = |part: &str| FAILURES.iter().any(|failure| part.ends_with(failure));
        let is_line = || after.split_once(':').is_some_and(|(line, _)| !line.is_empty() && is_number(line));
        match names.len() {
            1..=3 if last.split(['.', ':']).any(fails) => Self::Failure,
            1 if is_line() => Self::Place,
            1 if after.starts_with(char::is_whitespace) => Self::Word,
            _ => Self::None,
        }
    }
}

/// A word in lower case without the punctuation around it.
fn bare(word: &str) -> String {
    word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase()
}

fn holds_at(words: &[String], at: usize, phrase: &str) -> bool {
    phrase.split(' ').enumerate().all(|(i, part)| words.get(at + i).is_some_and(|word| word == part))
}

/// Ends as a sentence does.
fn is_sentence(text: &str) -> bool {
    text.strip_suffix(['.', '!']).is_some_and(|rest| rest.ends_with(char::is_alphanumeric))
}

/// Names something between quotation marks.
fn has_quoted(text: &str) -> bool {
    ['"', '\'', '`'].into_iter().any(|quote| {
        let opened = text.find(quote).filter(|&at| at == 0 || text[..at].ends_with([' ', ':', '(']));
        opened.is_some_and(|at| text[at + 1..].contains(quote))
    })
}

/// Begins with a word that is capitalised as the first of a sentence is, and is no name.
fn is_capitalised(text: &str) -> bool {
    let first = text.split(' ').next().unwrap_or_default();
    let mut letters = first.chars();
    letters.next().is_some_and(char::is_uppercase) && letters.all(|c| c.is_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages() {
        for text in [
            "ValueError: Cannot perform this kind of matching",
            "java.lang.IllegalStateException: pool is sealed",
            "WARNING:consumer:Worker 2 died, restarting.",
            "Error 22: Unsupported option: --foo",
            "Attempt to write to a read-only database",
            "Failed to read YAML configuration file .x.yaml",
            "Connection is not available, request timed out after 30001ms.",
            "tool: unterminated ' quote in command",
            "tool.conf:12: included by itself",
            "PoolError::NoRuntimeSpecified: no runtime",
            "This program requires version 11.0, and you are running 10.15.",
            "Option \"max\" must be at least 90 seconds",
        ] {
            assert!(is_message(text), "{text}");
        }
    }

    #[test]
    fn questions() {
        for text in [
            "error types and how errors are converted to responses",
            "error handling: conversion to responses",
            "retry logic with exponential backoff",
            "invalid tokens",
            "unknown command suggestion for users",
            "tests that failed to connect",
            "systray: native code and widget",
            "std::io::Error conversion from parse failure",
            "convert \"3.5 GiB\" into kilobytes",
            "ReadTimeout",
            "is the connection already closed?",
        ] {
            assert!(!is_message(text), "{text}");
        }
    }
}
