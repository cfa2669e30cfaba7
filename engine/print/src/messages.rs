//! What a reader should know about an answer, for stderr: that it is weak, why there is none, and what to do next.
//!
//! Not on stdout, so that in a pipe there are hits or nothing. The words are read by people and by models: each names
//! the cheap next step.

use seekwell_types::{Mode, Query, Scope};

use super::lines::one_line;
use super::{counted, reasons};
use crate::outcome::{Outcome, Upkeep};

/// Nearest words that are named.
const WORDS: usize = 8;

/// Unreadable paths that are named.
const UNREADABLE: usize = 5;

/// The messages of an answer, a line each. In the JSON forms `data` has said that it is weak or missing.
pub fn search(outcome: &Outcome, query: &Query, data: bool) -> Vec<String> {
    let answer = &outcome.answer;
    let mut lines = Vec::new();
    if !data && answer.hits.is_empty() {
        lines.push(missing(outcome, query));
    } else if !data && answer.weak {
        lines.push(format!("weak: no strong match{}", nearest(&answer.nearest)));
    }
    lines.extend(answer.notes.iter().map(|note| format!("note: {}", one_line(note))));
    let mut unreadable = outcome.skipped.iter().filter(|s| s.reason == "unreadable");
    lines.extend(unreadable.by_ref().take(UNREADABLE).map(|s| format!("unreadable: {}: {}", s.path, s.detail)));
    match unreadable.count() {
        0 => {}
        more => lines.push(format!("unreadable: {more} more; seekwell status --skipped lists them")),
    }
    let Upkeep { begun, looked_at, gone, troubles, .. } = &outcome.upkeep;
    if *begun {
        let files = counted(outcome.generation.files as usize, "file");
        lines.push(format!(
            "note: an index of {files} is kept in the cache; the next question is answered at once (--no-store to do without)"
        ));
    } else if looked_at + gone > 0 {
        lines.push(format!("note: index brought up to date: {looked_at} changed or new, {gone} gone"));
    }
    lines.extend(troubles.iter().cloned());
    if outcome.partial {
        lines.push(
            "note: the tree was searched in part only; seekwell status --skipped says what was left out".to_owned(),
        );
    }
    lines.iter().map(|line| super::lines::inert(line)).collect()
}

/// Why there is no hit, and what to try.
fn missing(outcome: &Outcome, query: &Query) -> String {
    let answer = &outcome.answer;
    if outcome.generation.files == 0 {
        let skipped = match outcome.skipped.len() {
            0 => "there are no files here; name another PATH".to_owned(),
            n => format!(
                "no file is searched here, {} skipped: {}; seekwell status --skipped says why",
                counted(n, "path"),
                reasons(&outcome.skipped)
            ),
        };
        return format!("not found: {skipped}");
    }
    if query.offset > 0 && answer.total > 0 {
        return format!("no more hits: the answer has {} in all; leave out --cursor to see them", answer.total);
    }
    let filters = filters(query);
    let files = counted(outcome.generation.files as usize, "file");
    let why = match query.mode {
        Mode::Exact => format!("the text stands in none of {files}"),
        Mode::Regex => format!("the expression matches nothing in {files}"),
        Mode::Hybrid | Mode::Semantic | Mode::Keyword => format!("nothing in {files} matches"),
    };
    let with = if filters.is_empty() { String::new() } else { format!(" with {}", filters.join(", ")) };
    format!("not found: {why}{with}{}; {}", nearest(&answer.nearest), next_step(query, &filters))
}

fn next_step(query: &Query, filters: &[&str]) -> String {
    // Metacharacters in a text that is nowhere: it was meant as an expression, or the other way round.
    let expression = query.text.contains(['|', '*', '+', '[', '(', '\\', '^', '$']);
    match query.mode {
        _ if !filters.is_empty() => format!("next: leave out {}", filters.join(" or ")),
        Mode::Exact if expression => "next: --mode regex reads it as a regular expression".to_owned(),
        Mode::Exact => "next: leave out -F to search for its words".to_owned(),
        Mode::Regex => "next: -F searches for the text itself".to_owned(),
        Mode::Keyword => "next: --mode hybrid also searches by meaning".to_owned(),
        Mode::Hybrid | Mode::Semantic => "next: try other words, or --no-ignore and --hidden for more files".to_owned(),
    }
}

fn filters(query: &Query) -> Vec<&'static str> {
    let set = [
        (!query.languages.is_empty(), "-t"),
        (!query.globs.is_empty(), "-g"),
        (!query.path_prefix.is_empty(), "--path"),
        (!query.kinds.is_empty(), "--kind"),
        (query.scope != Scope::All, "--content"),
    ];
    set.into_iter().filter(|(set, _)| *set).map(|(_, name)| name).collect()
}

fn nearest(words: &[String]) -> String {
    if words.is_empty() {
        return String::new();
    }
    let words: Vec<String> = words.iter().take(WORDS).map(|word| one_line(word).chars().take(60).collect()).collect();
    format!("; nearest words: {}", words.join(", "))
}

#[cfg(test)]
mod tests {
    use seekwell_types::Answer;

    use super::super::samples::{outcome, query, skipped};
    use super::*;

    fn none(nearest: &[&str]) -> Outcome {
        let nearest = nearest.iter().map(|word| (*word).to_owned()).collect();
        Outcome { answer: Answer { not_found: true, nearest, ..Answer::default() }, ..outcome() }
    }

    #[test]
    fn a_strong_answer_says_nothing() {
        assert!(search(&outcome(), &query(), false).is_empty());
    }

    #[test]
    fn weak_answers_are_marked() {
        let mut weak = outcome();
        weak.answer.weak = true;
        weak.answer.nearest = vec!["retry".to_owned(), "back\noff".to_owned()];
        weak.answer.notes = vec!["no model\nis installed".to_owned()];
        let expected = ["weak: no strong match; nearest words: retry, back off", "note: no model is installed"];
        assert_eq!(search(&weak, &query(), false), expected);
        assert_eq!(search(&weak, &query(), true), expected[1..]);
    }

    #[test]
    fn a_miss_says_why_and_what_next() {
        let miss = |query: &Query| search(&none(&[]), query, false).join("|");
        let mode = |mode, text: &str| Query { mode, text: text.to_owned(), ..Query::default() };
        assert_eq!(
            search(&none(&["signup", "limit"]), &query(), false),
            [
                "not found: nothing in 3 files matches; nearest words: signup, limit; next: try other words, or --no-ignore and --hidden for more files"
            ]
        );
        assert_eq!(
            miss(&mode(Mode::Exact, "a|b")),
            "not found: the text stands in none of 3 files; next: --mode regex reads it as a regular expression"
        );
        assert_eq!(
            miss(&mode(Mode::Regex, "a")),
            "not found: the expression matches nothing in 3 files; next: -F searches for the text itself"
        );
        let filtered = Query { languages: vec!["rust".to_owned()], kinds: vec!["test".to_owned()], ..query() };
        assert_eq!(
            miss(&filtered),
            "not found: nothing in 3 files matches with -t, --kind; next: leave out -t or --kind"
        );
        let mut empty = none(&[]);
        empty.generation.files = 0;
        assert_eq!(
            search(&empty, &query(), false),
            [
                "not found: no file is searched here, 2 paths skipped: 1 binary, 1 ignored; seekwell status --skipped says why"
            ]
        );
        let mut past = none(&[]);
        past.answer.total = 5;
        assert_eq!(
            search(&past, &Query { offset: 9, ..query() }, false),
            ["no more hits: the answer has 5 in all; leave out --cursor to see them"]
        );
    }

    #[test]
    fn unreadable_files_are_told_a_few_by_name() {
        let mut some = outcome();
        some.skipped = (0..7).map(|n| skipped(&format!("f{n}"), "unreadable", "denied")).collect();
        let lines = search(&some, &query(), true);
        assert_eq!((lines.len(), lines[0].as_str()), (6, "unreadable: f0: denied"));
        assert_eq!(lines[5], "unreadable: 2 more; seekwell status --skipped lists them");
    }
}
