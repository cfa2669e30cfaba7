//! The objects of the JSON forms. Fields are written in the order of declaration, which is the contract's.

use std::borrow::Cow;

use seekwell_types::{Generation, Query, RouteKind, Skipped};
use serde::Serialize;

use super::explain::Explain;
use super::{Depth, cursor, lines};
use crate::outcome::{Outcome, Source};

/// Version of the JSON forms. It changes when a field changes meaning, not when one is added.
pub(super) const SCHEMA: &str = "seekwell/1";

#[derive(Serialize)]
struct Opening<'a> {
    schema: &'static str,
    command: &'static str,
    root: Cow<'a, str>,
    query: &'a str,
    route: Route<'a>,
    index: Index<'a>,
}

#[derive(Serialize)]
struct Route<'a> {
    kind: &'static str,
    why: &'a str,
}

/// What was searched.
#[derive(Serialize)]
pub(super) struct Index<'a> {
    generation: &'a str,
    files: u32,
    chunks: u32,
    symbols: u32,
    skipped: usize,
    lossy: usize,
    partial: bool,
    source: &'static str,
}

impl<'a> Index<'a> {
    pub(super) fn new(generation: &'a Generation, skipped: &[Skipped], partial: bool, source: Source) -> Self {
        Self {
            generation: &generation.id,
            files: generation.files,
            chunks: generation.chunks,
            symbols: generation.symbols,
            skipped: skipped.len(),
            lossy: generation.lossy.len(),
            partial,
            source: source_word(source),
        }
    }
}

/// The word for where a generation came from.
pub(super) const fn source_word(source: Source) -> &'static str {
    match source {
        Source::Memory => "memory",
        Source::Store => "store",
    }
}

#[derive(Serialize)]
struct Row<'a> {
    path: &'a str,
    #[serde(skip_serializing_if = "is_false")]
    path_escaped: bool,
    start_line: u32,
    end_line: u32,
    start_byte: u32,
    end_byte: u32,
    language: &'a str,
    kind: &'a str,
    symbol: &'a str,
    description: &'a str,
    score: f64,
    snippet: &'a str,
    also_in: &'a [String],
    explain: Explain<'a>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it with a reference")]
fn is_false(flag: &bool) -> bool {
    !*flag
}

#[derive(Serialize)]
struct Closing<'a> {
    total: u32,
    truncated: bool,
    next: Option<String>,
    weak: bool,
    not_found: bool,
    nearest: &'a [String],
}

/// An answer to be printed in a JSON form.
pub(super) struct Document<'a> {
    pub(super) outcome: &'a Outcome,
    pub(super) query: &'a Query,
    /// The question as it is repeated: cut, where there is no room for it.
    pub(super) echo: &'a str,
}

impl Document<'_> {
    /// What stands before the hits, without its closing brace.
    pub(super) fn opening(&self) -> String {
        let Outcome { root, generation, skipped, partial, source, answer, .. } = self.outcome;
        let opening = Opening {
            schema: SCHEMA,
            command: "search",
            root: root.to_string_lossy(),
            query: self.echo,
            route: Route { kind: route_word(answer.route.kind), why: &answer.route.why },
            index: Index::new(generation, skipped, *partial, *source),
        };
        let mut text = json(&opening);
        text.truncate(text.len() - 1);
        text
    }

    /// What stands after the hits, without its opening brace.
    pub(super) fn closing(&self, shown: usize, shortened: bool) -> String {
        let answer = &self.outcome.answer;
        let next = next(self.outcome, self.query, shown);
        let closing = Closing {
            total: answer.total,
            truncated: shortened || next.is_some(),
            next,
            weak: answer.weak,
            not_found: answer.not_found,
            nearest: &answer.nearest,
        };
        json(&closing).split_off(1)
    }

    /// One hit, as an object.
    pub(super) fn row(&self, index: usize, depth: Depth) -> String {
        let hit = &self.outcome.answer.hits[index];
        let snippet = self.outcome.snippets.get(index);
        let text = snippet.map_or("", |snippet| snippet.text.as_str());
        let more = depth >= Depth::Abstract;
        json(&Row {
            path: &hit.path,
            path_escaped: snippet.is_some_and(|snippet| snippet.path_escaped),
            start_line: hit.lines.start,
            end_line: hit.lines.end,
            start_byte: hit.span.start,
            end_byte: hit.span.end,
            language: &hit.language,
            kind: &hit.kind,
            symbol: &hit.symbol,
            description: if more { &hit.description } else { "" },
            score: six(hit.score),
            snippet: match depth {
                Depth::Line | Depth::Abstract => "",
                Depth::Overview => lines::first(text, lines::OVERVIEW),
                Depth::Full => text,
            },
            also_in: if more { &hit.also_in } else { &[] },
            explain: Explain(if more { &hit.signals } else { &[] }),
        })
    }
}

/// The cursor for what follows the first `shown` hits of this page, if anything does.
pub(super) fn next(outcome: &Outcome, query: &Query, shown: usize) -> Option<String> {
    let end = query.offset.saturating_add(u32::try_from(shown).unwrap_or(u32::MAX));
    (end < outcome.answer.total).then(|| cursor::write(query, end))
}

/// Prints the first hit only, with every text cut as far as `room` demands, the least needed first. `render` prints a
/// document whose outcome has one hit at most, on its line.
pub(super) fn squeezed(
    outcome: &Outcome,
    query: &Query,
    room: usize,
    render: impl Fn(&Document<'_>) -> String,
) -> String {
    let mut outcome = Outcome {
        root: outcome.root.clone(),
        generation: outcome.generation.clone(),
        skipped: outcome.skipped.clone(),
        snippets: outcome.snippets.iter().take(1).cloned().collect(),
        answer: seekwell_types::Answer {
            hits: outcome.answer.hits.iter().take(1).cloned().collect(),
            ..outcome.answer.clone()
        },
        upkeep: outcome.upkeep.clone(),
        partial: outcome.partial,
        source: outcome.source,
    };
    let mut echo = query.text.clone();
    let steps: [fn(&mut Outcome, &mut String, usize); 9] = [
        |o, _, _| o.answer.nearest.clear(),
        |o, _, over| shorten(&mut o.answer.route.why, over),
        |_, echo, over| shorten(echo, over),
        |o, _, over| o.answer.hits.iter_mut().for_each(|hit| shorten(&mut hit.symbol, over)),
        |o, _, over| shorten(&mut o.generation.id, over),
        |o, _, over| o.answer.hits.iter_mut().for_each(|hit| shorten(&mut hit.kind, over)),
        |o, _, over| o.answer.hits.iter_mut().for_each(|hit| shorten(&mut hit.language, over)),
        |o, _, over| {
            let mut root = o.root.to_string_lossy().into_owned();
            shorten(&mut root, over);
            o.root = root.into();
        },
        |o, _, over| o.answer.hits.iter_mut().for_each(|hit| shorten(&mut hit.path, over)),
    ];
    let mut steps = steps.iter();
    loop {
        let text = render(&Document { outcome: &outcome, query, echo: &echo });
        if text.len() <= room {
            return text;
        }
        let over = text.len() - room;
        match steps.next() {
            Some(step) => step(&mut outcome, &mut echo, over),
            // Below the least budget, which callers check.
            None => return text,
        }
    }
}

/// Takes at least `over` bytes of JSON off the end of a text, or all of it but the mark that it was cut.
fn shorten(text: &mut String, over: usize) {
    const MARK: &str = "…";
    if text.chars().map(escaped_len).sum::<usize>() <= MARK.len() {
        return;
    }
    let mut gained = 0;
    let mut end = text.len();
    for (at, c) in text.char_indices().rev() {
        if gained >= over + MARK.len() {
            break;
        }
        gained += escaped_len(c);
        end = at;
    }
    text.truncate(end);
    text.push_str(MARK);
}

/// Bytes that serde_json writes for a character of a string.
const fn escaped_len(c: char) -> usize {
    match c {
        '"' | '\\' | '\n' | '\r' | '\t' | '\u{8}' | '\u{c}' => 2,
        '\0'..='\u{1f}' => 6,
        _ => c.len_utf8(),
    }
}

/// A float of six places, the same on every machine; what is no number is 0.
pub(super) fn six(value: f32) -> f64 {
    let rounded = (f64::from(value) * 1e6).round() / 1e6;
    // `+ 0.0` makes a zero of the negative one.
    if rounded.is_finite() { rounded + 0.0 } else { 0.0 }
}

/// A value as JSON, on one line.
pub(super) fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("structs of strings, numbers and lists have a JSON form")
}

const fn route_word(kind: RouteKind) -> &'static str {
    match kind {
        RouteKind::Natural => "natural",
        RouteKind::Symbol => "symbol",
        RouteKind::Literal => "literal",
        RouteKind::Regex => "regex",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_have_six_places() {
        assert_eq!(json(&six(0.91)), "0.91");
        assert_eq!(json(&six(1.0)), "1.0");
        assert_eq!(json(&six(1.0 / 3.0)), "0.333333");
        assert_eq!(
            (json(&six(-0.0)), json(&six(f32::NAN)), json(&six(f32::INFINITY))),
            ("0.0".into(), "0.0".into(), "0.0".into())
        );
    }

    #[test]
    fn shortened_by_what_is_written() {
        for (text, over) in [("abcdefgh", 2), ("\u{1}\u{1}\u{1}", 3), ("ééééé", 1), ("\"\"\"\"\"\"", 4)] {
            let mut cut = text.to_owned();
            shorten(&mut cut, over);
            assert!(json(&cut).len() + over <= json(&text).len(), "{text:?} {cut:?}");
            assert!(cut.ends_with('…'));
        }
        let mut all = "abcdefgh".to_owned();
        shorten(&mut all, 1_000);
        assert_eq!(all, "…");
    }
}
