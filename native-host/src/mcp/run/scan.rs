//! `scan_text`: every line with a text, as grep lists them, the files in the order of their rank.

use seekwell_types::{Mode, Query};
use serde_json::{Value, json};

use super::{Call, Found, PATIENCE, Refusal};
use crate::mcp::answer::{Link, Parts, cut, split};
use crate::print::{self, Layout, cursor};
use crate::session::Outcome;

/// Files of one answer: those with the best places.
const FILES: u32 = 400;

/// A longer line is minified, or data: its beginning is shown.
const LONGEST: usize = 300;

/// A line that matches.
struct Line {
    file: usize,
    number: u32,
    /// One-based, in bytes of the decoded line.
    column: usize,
    text: String,
}

/// What is looked for in a line.
enum Pattern {
    Text(String),
    Expression(regex::Regex),
}

impl Pattern {
    /// Where in the line it stands.
    fn at(&self, line: &str) -> Option<usize> {
        match self {
            Self::Text(text) => line.find(text),
            Self::Expression(expression) => expression.find(line).map(|found| found.start()),
        }
    }
}

/// `scan_text`.
pub fn scan(call: &Call<'_>) -> Result<Found, Refusal> {
    let given = call.given;
    let pattern = given.verbatim("pattern").ok_or_else(|| "`pattern` is empty; write what to look for".to_owned())?;
    let ignore_case = given.flag("ignore_case");
    let expression = match (given.flag("regex"), ignore_case) {
        (true, true) => Some(format!("(?i){pattern}")),
        (true, false) => Some(pattern.to_owned()),
        (false, true) => Some(format!("(?i){}", regex::escape(pattern))),
        (false, false) => None,
    };
    let mut query = Query {
        text: expression.clone().unwrap_or_else(|| pattern.to_owned()),
        mode: if expression.is_some() { Mode::Regex } else { Mode::Exact },
        limit: FILES,
        globs: given.text("glob").map(str::to_owned).into_iter().collect(),
        path_prefix: call.path("path")?.unwrap_or_default(),
        ..Query::default()
    };
    let mut notes = Vec::new();
    let outcome = call.live.search(&query, Some(PATIENCE), call.progress)?;
    let matcher = match &expression {
        // What the engine has taken as an expression is one here, too: the same syntax.
        Some(expression) => {
            regex::Regex::new(expression).map_or_else(|_| Pattern::Text(pattern.to_owned()), Pattern::Expression)
        }
        None => Pattern::Text(split(pattern).next().unwrap_or_default().to_owned()),
    };
    let lines = lines(call, &outcome, &matcher)?;
    // A page of lines begins at a line.
    query.offset = 0;
    let mut offset = 0;
    if let Some(typed) = given.text("cursor") {
        match cursor::read(typed, &query) {
            Ok(at) => offset = (at as usize).min(lines.len()),
            Err(fault) => notes.push(format!("note: {}", fault.note())),
        }
    }
    let files = outcome.answer.hits.len();
    if outcome.answer.total as usize > files {
        notes.push(format!("note: {} files match, the lines of the best {files} are listed", outcome.answer.total));
    }
    if lines.is_empty() {
        let next = match (outcome.partial, given.flag("regex")) {
            (true, _) => "ask again in a few seconds",
            (false, true) => "leave out `regex` to look for the text itself, or use search_code for words",
            (false, false) => "try `ignore_case`, or search_code for its words",
        };
        notes.push(format!("not found: it stands in none of {} files; {next}", outcome.generation.files));
    }
    let stale = call.stale(outcome.answer.hits.iter().take(40).map(|hit| (hit.path.as_str(), &hit.content_hash)));
    let mut links: Vec<Link> = Vec::new();
    for line in &lines[offset..] {
        let hit = &outcome.answer.hits[line.file];
        if links.iter().all(|link| link.path != hit.path) {
            links.push(Link { path: hit.path.clone(), escaped: false, lines: (line.number, line.number) });
        }
    }
    let page = Page { outcome: &outcome, query: &query, lines: &lines, offset };
    let what = format!("{} lines in {files} files", lines.len());
    let parts = Parts {
        root: call.root(),
        title: call.title(&what, &outcome.generation, outcome.partial),
        notes,
        stale,
        links,
        text: &|layout| page.text(layout),
        data: &|layout| page.data(layout),
    };
    Ok(call.found(&parts, lines.is_empty()))
}

/// All lines that match, in the files of the answer.
fn lines(call: &Call<'_>, outcome: &Outcome, pattern: &Pattern) -> Result<Vec<Line>, Refusal> {
    let mut lines = Vec::new();
    for (file, hit) in outcome.answer.hits.iter().enumerate() {
        if call.progress.cancelled() {
            return Err(Refusal::Cancelled);
        }
        let before = lines.len();
        let text = call.lines(&hit.path, 1, u32::MAX - 1).unwrap_or_default();
        for (at, line) in split(&text).enumerate() {
            if let Some(column) = pattern.at(line) {
                let number = u32::try_from(at + 1).unwrap_or(u32::MAX);
                lines.push(Line { file, number, column: column + 1, text: excerpt(line, column) });
            }
        }
        // What runs over several lines is shown where it begins.
        if lines.len() == before {
            let text = outcome.snippets.get(file).map(|snippet| snippet.text.as_str()).unwrap_or_default();
            let first = split(text).next().unwrap_or_default();
            lines.push(Line { file, number: hit.lines.start, column: 1, text: excerpt(first, 0) });
        }
    }
    Ok(lines)
}

/// A line, or of a long one the part around the place.
fn excerpt(line: &str, column: usize) -> String {
    let from = if line.len() <= LONGEST { 0 } else { line.floor_char_boundary(column.saturating_sub(LONGEST / 3)) };
    let lead = if from > 0 { "…" } else { "" };
    let text: String = line[from..].chars().map(|c| if c.is_control() && c != '\t' { '\u{fffd}' } else { c }).collect();
    format!("{lead}{}", cut(&text, LONGEST))
}

struct Page<'a> {
    outcome: &'a Outcome,
    query: &'a Query,
    lines: &'a [Line],
    offset: usize,
}

impl Page<'_> {
    fn path(&self, line: &Line) -> &str {
        &self.outcome.answer.hits[line.file].path
    }

    fn next(&self, shown: usize) -> Option<String> {
        let end = self.offset + shown;
        (end < self.lines.len()).then(|| cursor::write(self.query, u32::try_from(end).unwrap_or(u32::MAX)))
    }

    /// `path:line:text`.
    fn text(&self, layout: Layout) -> String {
        let room = layout.budget.map_or(usize::MAX, |tokens| tokens as usize * 4);
        let tail = |shown: usize| match self.next(shown) {
            Some(next) => format!("-- {shown} of {} lines; more: --cursor {next}\n", self.lines.len() - self.offset),
            None => String::new(),
        };
        let mut text = String::new();
        let mut shown = 0;
        for line in &self.lines[self.offset..] {
            let path: String = self.path(line).chars().map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect();
            let row = format!("{path}:{}:{}\n", line.number, line.text);
            // The end is written with the largest numbers that it can have.
            if text.len() + row.len() + tail(0).len() + 8 > room {
                if shown == 0 {
                    text = cut(&row, room.saturating_sub(tail(0).len() + 12)) + "\n";
                    shown = 1;
                }
                break;
            }
            text.push_str(&row);
            shown += 1;
        }
        text + &tail(shown)
    }

    fn data(&self, layout: Layout) -> String {
        let room = layout.budget.map_or(usize::MAX, |tokens| tokens as usize * 4);
        let mut frame = self.frame();
        let mut used = frame.to_string().len() + 160;
        let mut hits: Vec<Value> = Vec::new();
        let mut shown = 0;
        for line in &self.lines[self.offset..] {
            let path = self.path(line);
            let mut found = json!({"line": line.number, "column": line.column, "text": line.text});
            let new = hits.last().is_none_or(|hit| hit["path"] != path);
            let mut size = found.to_string().len() + 1 + if new { path.len() + 32 } else { 0 };
            if used + size > room && shown == 0 {
                found["text"] = "".into();
                size = found.to_string().len();
            }
            if used + size > room && shown > 0 {
                break;
            }
            used += size;
            if new {
                hits.push(json!({"path": path, "matches": []}));
            }
            if let Some(matches) = hits.last_mut().and_then(|hit| hit["matches"].as_array_mut()) {
                matches.push(found);
            }
            shown += 1;
        }
        let next = self.next(shown);
        frame["total"] = self.lines.len().into();
        frame["truncated"] = next.is_some().into();
        frame["next"] = next.into();
        frame["not_found"] = self.lines.is_empty().into();
        frame["hits"] = hits.into();
        frame.to_string()
    }

    /// What stands around the hits of any answer.
    fn frame(&self) -> Value {
        let mut none = Outcome { root: self.outcome.root.clone(), ..Outcome::default() };
        none.generation = self.outcome.generation.clone();
        none.skipped = self.outcome.skipped.clone();
        none.partial = self.outcome.partial;
        none.source = self.outcome.source;
        none.answer.route = self.outcome.answer.route.clone();
        let asked = Query { text: cut(&self.query.text, 200), ..Query::default() };
        let mut frame: Value =
            serde_json::from_str(&print::json::search(&none, &asked, Layout::default())).unwrap_or_default();
        frame["command"] = "scan".into();
        frame
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_are_shown_around_the_place() {
        let line = format!("{}needle{}", "é".repeat(400), "x".repeat(400));
        let shown = excerpt(&line, 800);
        assert!(shown.contains("needle") && shown.len() <= LONGEST + 3, "{shown}");
        assert_eq!(excerpt("a\u{1b}b", 0), "a\u{fffd}b");
    }
}
