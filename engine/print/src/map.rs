//! The map of a tree, in five forms: lines, JSON, XML, a Mermaid graph, and one HTML page.

mod html;

use std::fmt::Write as _;

use seekwell_types::structure::{FileRow, Symbol};
use serde::Serialize;

use super::budget::{self, Pieces};
use super::lines::inert;
use super::rows::{Index, SCHEMA, json, six};
use super::structure::Question;
use super::{Depth, Layout};
use crate::outcome::StructureOutcome;

pub use html::page;

/// Bytes that a file of a map should have room for, with its best symbols: with a budget, there are as many files as
/// that allows.
const PER_FILE: usize = 240;

/// Files of a graph without a budget: more is no picture.
const GRAPH: usize = 40;

/// Edges that a file of a graph starts.
const EDGES: usize = 4;

/// The form of a map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MapForm {
    /// Lines.
    Text,
    /// One JSON object.
    Json,
    /// XML for agents.
    Xml,
}

/// A map as text, JSON or XML, within a budget if there is one.
pub fn map(outcome: &StructureOutcome, question: &Question, form: MapForm, layout: Layout) -> String {
    let files = &outcome.answer.files;
    let limit = question.limit.map_or(files.len(), |limit| files.len().min(limit as usize));
    let room = layout.budget.map(|tokens| tokens as usize * 4);
    let count = room.map_or(limit, |room| limit.min((room / PER_FILE).max(1)));
    let document =
        Document { outcome, question, form, echo: &question.text, files: &files[..count], notes: usize::MAX };
    budget::assemble(&document, Depth::Full, room)
}

#[derive(Clone, Copy)]
struct Document<'a> {
    outcome: &'a StructureOutcome,
    question: &'a Question,
    form: MapForm,
    echo: &'a str,
    files: &'a [FileRow],
    notes: usize,
}

#[derive(Serialize)]
struct FileObject<'a> {
    path: &'a str,
    language: &'a str,
    importance: f64,
    symbols: Vec<SymbolObject<'a>>,
    uses: Vec<&'a str>,
}

#[derive(Serialize)]
struct SymbolObject<'a> {
    name: &'a str,
    kind: &'a str,
    name_line: u32,
    importance: f64,
    container: &'a str,
    signature: &'a str,
}

#[derive(Serialize)]
struct Opening<'a> {
    schema: &'static str,
    command: &'static str,
    root: std::borrow::Cow<'a, str>,
    query: &'a str,
    index: Index<'a>,
}

#[derive(Serialize)]
struct Closing<'a> {
    total: u32,
    truncated: bool,
    next: Option<String>,
    not_found: bool,
    nearest: &'a [String],
    notes: &'a [String],
}

impl Pieces for Document<'_> {
    fn count(&self) -> usize {
        self.files.len()
    }

    fn hit(&self, index: usize, depth: Depth) -> String {
        let file = &self.files[index];
        let symbols = symbols(file, depth);
        match self.form {
            MapForm::Text => self.text(file, symbols, depth),
            MapForm::Json => format!("{}{}", if index == 0 { "" } else { "," }, self.object(file, symbols, depth)),
            MapForm::Xml => self.element(file, symbols, depth),
        }
    }

    fn around(&self, shown: usize, shortened: bool) -> (String, String) {
        let StructureOutcome { root, generation, skipped, partial, source, answer, .. } = self.outcome;
        let more = shown < answer.total as usize;
        let notes = &answer.notes[..self.notes.min(answer.notes.len())];
        match self.form {
            MapForm::Text => {
                let after =
                    if more || shortened { format!("-- {shown} of {} files\n", answer.total) } else { String::new() };
                (String::new(), after)
            }
            MapForm::Xml => {
                let task =
                    if self.echo.is_empty() { String::new() } else { format!(" for=\"{}\"", escaped(self.echo)) };
                let before = format!("<map root=\"{}\"{task}>\n", escaped(&root.to_string_lossy()));
                (before, format!("<files shown=\"{shown}\" total=\"{}\"/>\n</map>\n", answer.total))
            }
            MapForm::Json => {
                let opening = Opening {
                    schema: SCHEMA,
                    command: "map",
                    root: root.to_string_lossy(),
                    query: self.echo,
                    index: Index::new(generation, skipped, *partial, *source),
                };
                let mut before = json(&opening);
                before.truncate(before.len() - 1);
                let closing = Closing {
                    total: answer.total,
                    truncated: more || shortened,
                    next: None,
                    not_found: answer.not_found,
                    nearest: &answer.nearest,
                    notes,
                };
                (format!("{before},\"files\":["), format!("],{}\n", json(&closing).split_off(1)))
            }
        }
    }

    fn squeezed(&self, room: usize) -> String {
        let mut outcome = self.outcome.clone();
        let mut echo = self.echo.to_owned();
        let mut files: Vec<FileRow> = self.files.iter().take(1).cloned().collect();
        for round in 0..10 {
            let document = Document { outcome: &outcome, echo: &echo, files: &files, notes: 0, ..*self };
            let (before, after) = document.around(files.len(), true);
            let text = before + &files.first().map_or(String::new(), |_| document.hit(0, Depth::Line)) + &after;
            if text.len() <= room {
                return text;
            }
            let keep = 160usize >> round.min(6);
            cut(&mut echo, keep);
            let mut root = outcome.root.to_string_lossy().into_owned();
            cut(&mut root, keep);
            outcome.root = root.into();
            files.iter_mut().for_each(|file| cut(&mut file.path, keep));
        }
        let document = Document { outcome: &outcome, echo: "", files: &[], notes: 0, ..*self };
        let (before, after) = document.around(0, true);
        before + &after
    }
}

/// The symbols of a file that are told at a depth.
fn symbols(file: &FileRow, depth: Depth) -> &[Symbol] {
    let shown = match depth {
        Depth::Line => 0,
        Depth::Abstract => 6,
        Depth::Overview => 6,
        Depth::Full => usize::MAX,
    };
    &file.symbols[..shown.min(file.symbols.len())]
}

impl Document<'_> {
    /// The path, then the names on one line, or each with its signature.
    fn text(&self, file: &FileRow, symbols: &[Symbol], depth: Depth) -> String {
        let mut text = inert(&format!("{}{}", self.question.prefix, file.path));
        match depth {
            Depth::Line => {}
            Depth::Abstract => {
                let names: Vec<String> = symbols.iter().map(full_name).collect();
                let _ = write!(text, ": {}", inert(&names.join(", ")));
            }
            Depth::Overview | Depth::Full => {
                for symbol in symbols {
                    let signature =
                        if symbol.signature.is_empty() { full_name(symbol) } else { symbol.signature.clone() };
                    let of =
                        if symbol.container.is_empty() { String::new() } else { format!(" ({})", symbol.container) };
                    let _ = write!(text, "\n  {}: {}{}", symbol.name_line, inert(&signature), inert(&of));
                }
            }
        }
        text + "\n"
    }

    fn object(&self, file: &FileRow, symbols: &[Symbol], depth: Depth) -> String {
        let deep = depth >= Depth::Overview;
        let object = |symbol: &'_ Symbol| -> String {
            json(&SymbolObject {
                name: &symbol.name,
                kind: &symbol.kind,
                name_line: symbol.name_line,
                importance: six(symbol.importance),
                container: &symbol.container,
                signature: if deep { &symbol.signature } else { "" },
            })
        };
        let mut text = json(&FileObject {
            path: &file.path,
            language: &file.language,
            importance: six(file.importance),
            symbols: Vec::new(),
            uses: if depth == Depth::Full { self.used(file) } else { Vec::new() },
        });
        let inner: Vec<String> = symbols.iter().map(object).collect();
        // The list is empty above: it is filled here, so that objects of symbols are written in one place.
        if let Some(at) = text.find("\"symbols\":[]") {
            text.insert_str(at + "\"symbols\":[".len(), &inner.join(","));
        }
        text
    }

    fn element(&self, file: &FileRow, symbols: &[Symbol], depth: Depth) -> String {
        let head = format!("<file path=\"{}\" language=\"{}\"", escaped(&file.path), escaped(&file.language));
        if symbols.is_empty() {
            return head + "/>\n";
        }
        let mut text = head + ">\n";
        for symbol in symbols {
            let signature = if depth >= Depth::Overview && !symbol.signature.is_empty() {
                format!(" signature=\"{}\"", escaped(&symbol.signature))
            } else {
                String::new()
            };
            let _ = writeln!(
                text,
                "<symbol kind=\"{}\" name=\"{}\" line=\"{}\"{signature}/>",
                escaped(&symbol.kind),
                escaped(&full_name(symbol)),
                symbol.name_line
            );
        }
        if depth == Depth::Full {
            for path in self.used(file) {
                let _ = writeln!(text, "<calls path=\"{}\"/>", escaped(path));
            }
        }
        text + "</file>\n"
    }

    /// The files of the answer that a file uses most.
    fn used(&self, file: &FileRow) -> Vec<&str> {
        let all = &self.outcome.answer.files;
        file.uses.iter().take(EDGES * 2).filter_map(|&at| all.get(at as usize)).map(|f| f.path.as_str()).collect()
    }
}

/// A map as a Mermaid graph: files, and which of them use which. It fits into the budget by showing fewer files.
pub fn mermaid(outcome: &StructureOutcome, question: &Question, layout: Layout) -> String {
    let room = layout.budget.map_or(usize::MAX, |tokens| tokens as usize * 4);
    let all = outcome.answer.files.len();
    let mut count = question.limit.map_or(GRAPH, |limit| limit as usize).min(all);
    loop {
        let text = graph(outcome, count);
        if text.len() <= room || count == 0 {
            return text;
        }
        count -= (count / 8).max(1);
    }
}

fn graph(outcome: &StructureOutcome, count: usize) -> String {
    let answer = &outcome.answer;
    let mut text = "graph LR\n".to_owned();
    for (number, file) in answer.files.iter().take(count).enumerate() {
        // Quotes end a label, and so does nothing else.
        let label = file.path.replace('"', "#quot;").replace(['\n', '\r'], " ");
        let _ = writeln!(text, "  f{number}[\"{label}\"]");
    }
    for (number, file) in answer.files.iter().take(count).enumerate() {
        for to in file.uses.iter().filter(|&&to| (to as usize) < count && to as usize != number).take(EDGES) {
            let _ = writeln!(text, "  f{number} --> f{to}");
        }
    }
    if (answer.total as usize) > count {
        let _ = writeln!(text, "  %% {count} of {} files", answer.total);
    }
    text
}

fn full_name(symbol: &Symbol) -> String {
    match symbol.container.as_str() {
        "" => symbol.name.clone(),
        container => format!("{container}::{}", symbol.name),
    }
}

/// A text of at most so many bytes, with a mark that it was cut.
fn cut(text: &mut String, keep: usize) {
    if text.len() > keep {
        text.truncate(super::lines::boundary(text, keep.saturating_sub("…".len())));
        text.push('…');
    }
}

/// Text for an attribute or an element of XML or HTML. Characters that XML does not know become pictures.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in inert(text).chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_xml_must_not_hold_is_escaped() {
        assert_eq!(escaped("a<b>&\"c\"'\u{1}"), "a&lt;b&gt;&amp;&quot;c&quot;&#39;␁");
    }
}
