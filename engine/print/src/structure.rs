//! Answers about structure: one object in JSON, or a line for each symbol, use or test.
//!
//! A row of an answer is a symbol with what the command says of it; what each command adds is in [`Entry`]. All forms
//! are fitted into a budget by the same rule as hits of a search ([`super::budget`]).

use std::collections::{BTreeMap, BTreeSet};

use seekwell_types::Query;
use seekwell_types::structure::{Place, Row, Symbol};
use serde::Serialize;

use super::budget::{self, Pieces};
use super::lines::{boundary, inert, one_line};
use super::rows::{Index, SCHEMA, json, six};
use super::{Depth, Layout, cursor};
use crate::outcome::StructureOutcome;

/// Definitions of the question's name that are told beside the rows; how many there are is told always.
const SUBJECTS: usize = 20;

/// Places of one row that a line of text names.
const PLACES: usize = 6;

/// What was asked, for the answer to say.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Question {
    /// The command's word.
    pub command: &'static str,
    /// The name, file or task; both names of a way, with `->` between.
    pub text: String,
    /// Rows that are passed over first.
    pub offset: u32,
    /// Rows at most.
    pub limit: Option<u32>,
    /// What leads from the current folder to the root, for lines of text.
    pub prefix: String,
}

impl Question {
    /// The question that a cursor is tied to.
    pub fn as_query(&self) -> Query {
        Query { text: format!("{} {}", self.command, self.text), ..Query::default() }
    }
}

/// An answer as one JSON object.
pub fn as_json(outcome: &StructureOutcome, question: &Question, layout: Layout) -> String {
    let document = Document { outcome, question, form: Form::Json, echo: &question.text, subjects: SUBJECTS };
    budget::assemble(&document, Depth::Full, layout.room())
}

/// An answer as lines. Empty if there are no rows.
pub fn as_text(outcome: &StructureOutcome, question: &Question, layout: Layout) -> String {
    let document = Document { outcome, question, form: Form::Text, echo: &question.text, subjects: SUBJECTS };
    budget::assemble(&document, Depth::Full, layout.room())
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Json,
    Text,
}

#[derive(Clone, Copy)]
struct Document<'a> {
    outcome: &'a StructureOutcome,
    question: &'a Question,
    form: Form,
    /// The question as it is repeated.
    echo: &'a str,
    /// Subjects that are told.
    subjects: usize,
}

/// A symbol, as every command tells it.
#[derive(Serialize)]
struct SymbolObject<'a> {
    name: &'a str,
    kind: &'a str,
    path: &'a str,
    start_line: u32,
    end_line: u32,
    name_line: u32,
    name_column: u32,
    importance: f64,
    container: &'a str,
    ambiguous: bool,
}

impl<'a> SymbolObject<'a> {
    fn new(symbol: &'a Symbol, ambiguous: bool) -> Self {
        Self {
            name: &symbol.name,
            kind: &symbol.kind,
            path: &symbol.path,
            start_line: symbol.lines.start,
            end_line: symbol.lines.end,
            name_line: symbol.name_line,
            name_column: symbol.name_column,
            importance: six(symbol.importance),
            container: &symbol.container,
            ambiguous,
        }
    }
}

#[derive(Serialize)]
struct PlaceObject<'a> {
    path: &'a str,
    line: u32,
    column: u32,
    start_byte: u32,
    end_byte: u32,
    role: &'static str,
}

impl<'a> PlaceObject<'a> {
    fn new(place: &'a Place) -> Self {
        Self {
            path: &place.path,
            line: place.line,
            column: place.column,
            start_byte: place.span.start,
            end_byte: place.span.end,
            role: place.role.word(),
        }
    }
}

/// A row of `symbols`.
#[derive(Serialize)]
struct Entry<'a> {
    #[serde(flatten)]
    symbol: SymbolObject<'a>,
    language: &'a str,
    signature: &'a str,
    doc: &'a str,
    test: bool,
    depth: u32,
    parent: Option<u32>,
    subject: Option<u32>,
    confidence: Option<&'static str>,
    places: Vec<PlaceObject<'a>>,
    candidates: Vec<SymbolObject<'a>>,
    candidate_count: u32,
}

/// A row of `references`.
#[derive(Serialize)]
struct Reference<'a> {
    #[serde(flatten)]
    place: PlaceObject<'a>,
    /// Name of the symbol around it, with its container.
    within: String,
    subject: Option<u32>,
    confidence: Option<&'static str>,
    candidate_count: u32,
    text: &'a str,
}

#[derive(Serialize)]
struct Opening<'a> {
    schema: &'static str,
    command: &'static str,
    root: std::borrow::Cow<'a, str>,
    query: &'a str,
    index: Index<'a>,
    subjects: Vec<SymbolObject<'a>>,
    subject_count: usize,
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
        let left = self.outcome.answer.rows.len().saturating_sub(self.question.offset as usize);
        self.question.limit.map_or(left, |limit| left.min(limit as usize))
    }

    fn hit(&self, index: usize, depth: Depth) -> String {
        let number = self.question.offset as usize + index;
        let row = &self.outcome.answer.rows[number];
        let line = self.outcome.lines.get(number).map_or("", String::as_str);
        match self.form {
            Form::Json => {
                let comma = if index == 0 { "" } else { "," };
                format!(
                    "{comma}{}",
                    if self.is_places() { reference(row, line, depth) } else { self.entry(row, depth) }
                )
            }
            Form::Text if self.is_places() => self.place_line(row, line, depth),
            Form::Text => self.row_lines(row, depth),
        }
    }

    fn around(&self, shown: usize, shortened: bool) -> (String, String) {
        let next = self.next(shown);
        if self.form == Form::Text {
            let after = match &next {
                Some(next) if self.question.limit.is_some() || shortened => {
                    format!("-- {} of {}; --cursor {next}\n", shown, self.outcome.answer.total)
                }
                _ if shortened => "-- cut to the budget\n".to_owned(),
                _ => String::new(),
            };
            return (String::new(), after);
        }
        let list = if self.is_places() { "references" } else { "symbols" };
        let mut before = json(&self.opening());
        before.truncate(before.len() - 1);
        let answer = &self.outcome.answer;
        let closing = Closing {
            total: answer.total,
            truncated: shortened || next.is_some(),
            next,
            not_found: answer.not_found,
            nearest: &answer.nearest,
            notes: &answer.notes,
        };
        (format!("{before},\"{list}\":["), format!("],{}\n", json(&closing).split_off(1)))
    }

    fn squeezed(&self, room: usize) -> String {
        match self.form {
            Form::Text => self.squeezed_text(room),
            Form::Json => self.squeezed_json(room),
        }
    }
}

impl Document<'_> {
    /// Whether the rows are places of a name.
    fn is_places(&self) -> bool {
        matches!(self.question.command, "refs" | "mentions")
    }

    fn opening(&self) -> Opening<'_> {
        let StructureOutcome { root, generation, skipped, partial, source, answer, .. } = self.outcome;
        let several = answer.subjects.len() > 1;
        // What `def` tells as its rows is not told twice.
        let told = if self.question.command == "def" { 0 } else { self.subjects };
        Opening {
            schema: SCHEMA,
            command: self.question.command,
            root: root.to_string_lossy(),
            query: self.echo,
            index: Index::new(generation, skipped, *partial, *source),
            subjects: answer.subjects.iter().take(told).map(|s| SymbolObject::new(s, several)).collect(),
            subject_count: answer.subjects.len(),
        }
    }

    fn next(&self, shown: usize) -> Option<String> {
        let end = self.question.offset as usize + shown;
        let more = end < self.outcome.answer.rows.len();
        more.then(|| cursor::write(&self.question.as_query(), u32::try_from(end).unwrap_or(u32::MAX)))
    }

    fn entry(&self, row: &Row, depth: Depth) -> String {
        let several =
            row.candidate_count > 1 || self.question.command == "def" && self.outcome.answer.subjects.len() > 1;
        let nobody = Symbol::default();
        let symbol = row.symbol.as_ref().unwrap_or(&nobody);
        let mut object = SymbolObject::new(symbol, several);
        let place = row.places.first();
        if row.symbol.is_none() {
            object.name = &row.name;
            // At the top of a file, or nothing of the tree.
            let top = self.question.command != "callees" && row.candidate_count < 2;
            object.kind = if top {
                "file"
            } else if several {
                ""
            } else {
                "external"
            };
            object.path = if top { place.map_or(&row.name, |place| &place.path) } else { "" };
        }
        let more = depth > Depth::Line;
        let all = depth == Depth::Full;
        let shown = if all { usize::MAX } else { usize::from(more) };
        json(&Entry {
            symbol: object,
            language: &symbol.language,
            signature: if more { &symbol.signature } else { "" },
            doc: if more { &symbol.doc } else { "" },
            test: symbol.test,
            depth: row.depth,
            parent: row.parent,
            subject: row.subject,
            confidence: row.confidence.map(|confidence| confidence.word()),
            places: row.places.iter().take(shown).map(PlaceObject::new).collect(),
            candidates: row
                .candidates
                .iter()
                .take(if all { usize::MAX } else { 0 })
                .map(|s| SymbolObject::new(s, true))
                .collect(),
            candidate_count: row.candidate_count,
        })
    }

    fn shown_path(&self, path: &str) -> String {
        inert(&format!("{}{path}", self.question.prefix))
    }

    /// `path:line:column role within: text`
    fn place_line(&self, row: &Row, line: &str, depth: Depth) -> String {
        let Some(place) = row.places.first() else { return String::new() };
        let mut text =
            format!("{}:{}:{} {}", self.shown_path(&place.path), place.line, place.column, place.role.word());
        if depth > Depth::Line {
            if let Some(symbol) = &row.symbol {
                text.push_str(&format!(" in {}", inert(&full_name(symbol))));
            }
            if let Some(confidence) = row.confidence {
                text.push_str(&format!(" [{}]", confidence_words(row, confidence.word())));
            }
        }
        if depth > Depth::Abstract && !line.is_empty() {
            text.push_str(&format!(": {}", inert(&one_line(line))));
        }
        text + "\n"
    }

    /// `path:line:column kind name [confidence]: signature — doc`, indented by depth.
    fn row_lines(&self, row: &Row, depth: Depth) -> String {
        let indent = match self.question.command {
            "impact" => row.depth.saturating_sub(1),
            "outline" | "path" => row.depth,
            _ => 0,
        };
        let mut text = "  ".repeat(indent.min(12) as usize);
        text.push_str(&self.head(row));
        if depth > Depth::Line {
            if let Some(confidence) = row.confidence {
                text.push_str(&format!(" [{}]", confidence_words(row, confidence.word())));
            }
            if self.question.command != "def" && self.question.command != "outline" {
                text.push_str(&self.at(row, depth));
            }
        }
        let tells = depth > Depth::Abstract && matches!(self.question.command, "def" | "outline");
        if let Some(symbol) = row.symbol.as_ref().filter(|_| tells) {
            text.push_str(&inert(&described(symbol)));
        }
        text.push('\n');
        if depth == Depth::Full && self.question.command == "callees" {
            for candidate in &row.candidates {
                text.push_str(&format!("    or {}\n", self.symbol_line(candidate)));
            }
        }
        text
    }

    fn head(&self, row: &Row) -> String {
        match (&row.symbol, row.places.first()) {
            (Some(symbol), _) if self.question.command == "outline" => {
                format!("{}-{} {} {}", symbol.lines.start, symbol.lines.end, symbol.kind, inert(&symbol.name))
            }
            (Some(symbol), _) => self.symbol_line(symbol),
            (None, Some(place)) if self.question.command != "callees" => {
                format!("{}:{}:{} file", self.shown_path(&place.path), place.line, place.column)
            }
            (None, Some(_)) => inert(&row.name),
            (None, None) => self.shown_path(&row.name),
        }
    }

    fn symbol_line(&self, symbol: &Symbol) -> String {
        let place = format!("{}:{}:{}", self.shown_path(&symbol.path), symbol.name_line, symbol.name_column);
        format!("{place} {} {}", symbol.kind, inert(&full_name(symbol)))
    }

    /// Where the uses stand: by line alone where that is in the symbol's own file.
    fn at(&self, row: &Row, depth: Depth) -> String {
        let shown = if depth == Depth::Full { PLACES } else { 1 };
        let own = row.symbol.as_ref().map(|symbol| symbol.path.as_str());
        let mut parts: Vec<String> = Vec::new();
        for place in row.places.iter().take(shown) {
            parts.push(match own {
                Some(path) if path == place.path => format!("{}", place.line),
                _ => format!("{}:{}", self.shown_path(&place.path), place.line),
            });
        }
        match (parts.len(), row.places.len()) {
            (0, _) => String::new(),
            (few, all) if few < all => format!(" at {}, {} more", parts.join(", "), all - few),
            _ => format!(" at {}", parts.join(", ")),
        }
    }

    fn squeezed_text(&self, room: usize) -> String {
        if self.count() == 0 {
            return String::new();
        }
        let (_, after) = self.around(1, true);
        let line = self.hit(0, Depth::Line);
        let line = line.lines().next().unwrap_or_default();
        let line_room = room.saturating_sub(after.len() + 1);
        if line.len() <= line_room {
            return format!("{line}\n{after}");
        }
        let end = boundary(line, line_room.saturating_sub("…".len()));
        format!("{}…\n{after}", &line[..end])
    }

    /// The first row only, with every text cut as far as the room demands.
    fn squeezed_json(&self, room: usize) -> String {
        let mut outcome = self.outcome.clone();
        let mut echo = self.echo.to_owned();
        let mut subjects = self.subjects;
        // The least needed goes first; each round halves what is left.
        for round in 0..12 {
            let document = Document { outcome: &outcome, echo: &echo, subjects, ..*self };
            let shown = document.count().min(1);
            let (before, after) = document.around(shown, true);
            let row = if shown == 0 { String::new() } else { document.hit(0, Depth::Line) };
            let text = before + &row + &after;
            if text.len() <= room {
                return text;
            }
            let keep = 120usize >> round.min(5);
            subjects = if round == 0 { 3 } else { 0 };
            outcome.answer.nearest.truncate(if round < 1 { 2 } else { 0 });
            outcome.answer.notes.truncate(if round < 2 { 1 } else { 0 });
            cut(&mut echo, keep);
            let mut root = outcome.root.to_string_lossy().into_owned();
            if round > 2 {
                cut(&mut root, keep * 2);
                outcome.root = root.into();
            }
            for row in outcome.answer.rows.iter_mut().skip(self.question.offset as usize).take(1) {
                cut(&mut row.name, keep);
                row.places.iter_mut().for_each(|place| cut(&mut place.path, keep));
                if let Some(symbol) = &mut row.symbol {
                    [&mut symbol.name, &mut symbol.path, &mut symbol.container].into_iter().for_each(|t| cut(t, keep));
                }
            }
        }
        // Below the least budget, which callers check.
        let document = Document { outcome: &outcome, echo: "", subjects: 0, ..*self };
        let (before, after) = document.around(0, true);
        before + &after
    }
}

/// An impact by file: how many symbols of each are reached, and in how few steps; the nearest first.
pub fn by_file(outcome: &StructureOutcome, question: &Question, layout: Layout) -> String {
    let mut files: BTreeMap<&str, (u32, usize)> = BTreeMap::new();
    for symbol in outcome.answer.rows.iter().filter_map(|row| Some((row.symbol.as_ref()?, row.depth))) {
        let (nearest, count) = files.entry(&symbol.0.path).or_insert((symbol.1, 0));
        *nearest = symbol.1.min(*nearest);
        *count += 1;
    }
    let mut files: Vec<(u32, usize, &str)> = files.into_iter().map(|(path, (depth, n))| (depth, n, path)).collect();
    files.sort_by(|a, b| a.0.cmp(&b.0).then(b.1.cmp(&a.1)).then(a.2.cmp(b.2)));
    let room = layout.budget.map_or(usize::MAX, |tokens| tokens as usize * 4);
    let limit = question.limit.map_or(files.len(), |limit| limit as usize);
    let mut text = String::new();
    for (shown, (depth, count, path)) in files.iter().take(limit).enumerate() {
        let path = inert(&format!("{}{path}", question.prefix));
        let line = format!("{path}: {count} in {depth} step{}\n", if *depth == 1 { "" } else { "s" });
        let tail = format!("-- {shown} of {} files\n", files.len());
        if text.len() + line.len() + if shown + 1 < files.len() { tail.len() } else { 0 } > room {
            if text.is_empty() {
                let end = boundary(&line, room.saturating_sub("…\n".len()));
                return format!("{}…\n", &line[..end]);
            }
            return text + &tail;
        }
        text.push_str(&line);
    }
    text
}

/// Commands that run the affected tests, one a tool and package.
pub fn run_hints(outcome: &StructureOutcome) -> Vec<String> {
    let tests: Vec<&Symbol> = outcome.answer.rows.iter().filter_map(|row| row.symbol.as_ref()).collect();
    let mut hints: Vec<String> = Vec::new();
    // What a shell would take apart is in quotes.
    let quoted = |text: &str| {
        let plain = |c: char| c.is_alphanumeric() || "_-./:=@+,".contains(c);
        if !text.is_empty() && text.chars().all(plain) {
            text.to_owned()
        } else {
            format!("'{}'", text.replace('\'', "'\\''"))
        }
    };
    let folder_with = |path: &str, marker: &str| -> Option<String> {
        let mut folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
        loop {
            let file = if folder.is_empty() { marker.to_owned() } else { format!("{folder}/{marker}") };
            if outcome.files.binary_search(&file).is_ok() {
                return Some(folder.to_owned());
            }
            if folder.is_empty() {
                return None;
            }
            folder = folder.rsplit_once('/').map_or("", |(folder, _)| folder);
        }
    };
    let mut cargo: BTreeMap<Option<String>, Vec<&str>> = BTreeMap::new();
    let mut pytest: Vec<String> = Vec::new();
    let mut go: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    let mut jest: BTreeSet<&str> = BTreeSet::new();
    let mut others: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for test in tests {
        match test.language.as_str() {
            "rust" => cargo.entry(folder_with(&test.path, "Cargo.toml")).or_default().push(&test.name),
            "python" => {
                let class = if test.container.is_empty() { String::new() } else { format!("::{}", test.container) };
                pytest.push(quoted(&format!("{}{class}::{}", test.path, test.name)));
            }
            "go" => {
                let folder = test.path.rsplit_once('/').map_or("", |(folder, _)| folder);
                go.entry(folder).or_default().push(&test.name);
            }
            "javascript" | "typescript" | "tsx" => {
                jest.insert(&test.path);
            }
            language => {
                others.entry(language).or_default().insert(&test.path);
            }
        }
    }
    for (folder, names) in cargo {
        let manifest = match folder.as_deref() {
            None | Some("") => String::new(),
            Some(folder) => format!(" --manifest-path {}", quoted(&format!("{folder}/Cargo.toml"))),
        };
        hints.push(format!("cargo test{manifest} -- {}", few(&names)));
    }
    if !pytest.is_empty() {
        hints.push(format!("pytest {}", few(&pytest.iter().map(String::as_str).collect::<Vec<_>>())));
    }
    for (folder, names) in go {
        let mut names = names;
        names.sort_unstable();
        names.dedup();
        let folder = if folder.is_empty() { ".".to_owned() } else { quoted(&format!("./{folder}")) };
        hints.push(format!("go test {folder} -run '^({})$'", names.join("|")));
    }
    if !jest.is_empty() {
        let paths: Vec<String> = jest.into_iter().map(quoted).collect();
        hints.push(format!("npx jest {}", few(&paths.iter().map(String::as_str).collect::<Vec<_>>())));
    }
    for (language, paths) in others {
        hints.push(format!("{language}: {}", few(&paths.into_iter().collect::<Vec<_>>())));
    }
    hints
}

/// Words, without repetition, as many as a command line should have.
fn few(words: &[&str]) -> String {
    const MOST: usize = 60;
    let mut sorted = words.to_vec();
    sorted.sort_unstable();
    sorted.dedup();
    let more = sorted.len().saturating_sub(MOST);
    let listed = sorted[..sorted.len() - more].join(" ");
    if more == 0 { listed } else { format!("{listed} # and {more} more") }
}

/// A text of at most so many bytes, with a mark that it was cut.
fn cut(text: &mut String, keep: usize) {
    if text.len() > keep {
        text.truncate(boundary(text, keep.saturating_sub("…".len())));
        text.push('…');
    }
}

fn reference(row: &Row, line: &str, depth: Depth) -> String {
    let Some(place) = row.places.first() else { return "{}".to_owned() };
    let more = depth > Depth::Line;
    json(&Reference {
        place: PlaceObject::new(place),
        within: row.symbol.as_ref().filter(|_| more).map(full_name).unwrap_or_default(),
        subject: row.subject,
        confidence: row.confidence.map(|confidence| confidence.word()),
        candidate_count: row.candidate_count,
        text: if depth > Depth::Abstract { line } else { "" },
    })
}

fn confidence_words(row: &Row, word: &str) -> String {
    if row.candidate_count > 1 { format!("{word}, one of {}", row.candidate_count) } else { word.to_owned() }
}

fn full_name(symbol: &Symbol) -> String {
    match symbol.container.as_str() {
        "" => symbol.name.clone(),
        container => format!("{container}::{}", symbol.name),
    }
}

/// `: signature — doc`, as far as there are any.
fn described(symbol: &Symbol) -> String {
    let signature = if symbol.signature == symbol.name { "" } else { symbol.signature.as_str() };
    match (signature, symbol.doc.as_str()) {
        ("", "") => String::new(),
        (signature, "") => format!(": {signature}"),
        ("", doc) => format!(": {doc}"),
        (signature, doc) => format!(": {signature} — {doc}"),
    }
}

/// What a reader should know, for stderr.
pub fn messages(outcome: &StructureOutcome, question: &Question, data: bool) -> Vec<String> {
    let answer = &outcome.answer;
    let mut lines = Vec::new();
    if !data && answer.not_found {
        let nearest = match answer.nearest.as_slice() {
            [] => String::new(),
            names => format!("; nearest: {}", names.join(", ")),
        };
        let next = match question.command {
            "outline" => "seekwell --files lists the files",
            "path" => "seekwell callees and callers show the steps there are",
            _ => "seekwell search finds it by words and meaning",
        };
        lines.push(format!("not found: {}{nearest}; {next}", question.text));
    } else if !data && answer.rows.is_empty() && answer.files.is_empty() {
        lines.push(format!("nothing: {} has no answer in this tree", question.text));
    } else if !data
        && answer.subjects.len() > 1
        && matches!(question.command, "callers" | "callees" | "impact" | "refs")
    {
        lines.push(format!(
            "note: {} definitions have this name; all are meant. A qualified name (Type::name) tells them apart",
            answer.subjects.len()
        ));
    }
    lines.extend(answer.notes.iter().map(|note| format!("note: {}", one_line(note))));
    lines.iter().map(|line| inert(line)).collect()
}
