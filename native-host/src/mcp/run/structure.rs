//! The tools that are about structure: each one question to the session.

use seekwell_types::LineSpan;
use seekwell_types::structure::{Change, Row, StructureQuery, Symbol};

use super::{Call, Found, Refusal, STRUCTURE_PATIENCE};
use crate::mcp::answer::{Link, Parts, cut, one_line};
use crate::mcp::arguments::relative;
use crate::mcp::tools::Task;
use crate::print::cursor;
use crate::print::map::{self, MapForm};
use crate::print::structure::{Question, as_json, as_text, run_hints};
use crate::session::{self, StructureOutcome};

/// Files that a map is made of: more than the largest budget has room for.
const MAP_FILES: u32 = 600;

/// Steps of an impact, if nobody says how many.
const STEPS: u32 = 3;

/// Answers a question about structure.
pub fn structure(call: &Call<'_>) -> Result<Found, Refusal> {
    let (command, text, query) = understood(call)?;
    let outcome = call.live.structure(&query, Some(STRUCTURE_PATIENCE), call.progress)?;
    let mut question = Question { command, text, ..Question::default() };
    let mut notes = Vec::new();
    if let Some(typed) = call.given.text("cursor") {
        match cursor::read(typed, &question.as_query()) {
            Ok(offset) => question.offset = offset,
            Err(fault) => notes.push(format!("note: {}", fault.note())),
        }
    }
    notes.extend(said(&outcome, &question));
    let answer = &outcome.answer;
    let what = match command {
        "map" => format!("{} files", answer.total),
        _ => format!("{} for {}", counted(command, answer.rows.len()), cut(&one_line(&question.text), 120)),
    };
    let text = |layout| match command {
        "map" => map::map(&outcome, &question, MapForm::Text, layout),
        _ => as_text(&outcome, &question, layout),
    };
    let data = |layout| match command {
        "map" => map::map(&outcome, &question, MapForm::Json, layout),
        _ => as_json(&outcome, &question, layout),
    };
    let rows = answer.rows.iter().skip(question.offset as usize);
    let parts = Parts {
        root: call.root(),
        title: call.title(&what, &outcome.generation, outcome.partial),
        notes,
        stale: Vec::new(),
        links: rows.filter_map(|row| link(row, command == "refs")).collect(),
        text: &text,
        data: &data,
    };
    Ok(call.found(&parts, answer.rows.is_empty() && answer.files.is_empty()))
}

/// What is asked, from the arguments.
fn understood(call: &Call<'_>) -> Result<(&'static str, String, StructureQuery), Refusal> {
    let given = call.given;
    let name = || {
        let name = given.text("name").map(|name| name.trim_end_matches("()").to_owned());
        name.ok_or_else(|| "`name` is empty; write the name of a symbol".to_owned())
    };
    Ok(match call.entry.task {
        Task::Map => {
            let task = given.text("task").unwrap_or_default().to_owned();
            ("map", task.clone(), StructureQuery::Map { task, files: MAP_FILES })
        }
        Task::Outline => {
            let path = call.path("path")?.ok_or_else(|| "`path` is empty; write the path of a file".to_owned())?;
            ("outline", path.clone(), StructureQuery::Outline { path })
        }
        Task::Definition => ("def", name()?, StructureQuery::Definitions { name: name()? }),
        Task::References => ("refs", name()?, StructureQuery::References { name: name()?, found: Vec::new() }),
        Task::Calls => match (given.text("to"), given.text("direction")) {
            (Some(to), _) => {
                let to = to.trim_end_matches("()").to_owned();
                ("path", format!("{} -> {to}", name()?), StructureQuery::Path { from: name()?, to })
            }
            (None, Some("callees")) => ("callees", name()?, StructureQuery::Callees { name: name()? }),
            (None, _) => ("callers", name()?, StructureQuery::Callers { name: name()? }),
        },
        Task::Impact => {
            let depth = given.number("depth").unwrap_or(STEPS);
            ("impact", name()?, StructureQuery::Impact { name: name()?, depth })
        }
        _ => {
            let names = given.texts("symbols");
            let files = given.texts("files");
            let mut changes = files.iter().map(|typed| change(call, typed)).collect::<Result<Vec<_>, _>>()?;
            if let Some(revision) = given.text("diff") {
                changes.extend(session::changes(call.root(), revision)?);
                if changes.is_empty() && names.is_empty() {
                    return Err(format!("nothing differs from {revision}; no test is affected").into());
                }
            }
            if changes.is_empty() && names.is_empty() {
                let what = "nothing to start from: write `files`, `symbols`, or `diff` with a revision such as HEAD";
                return Err(what.to_owned().into());
            }
            let mut words = names.clone();
            words.extend(changes.iter().map(|change| change.path.clone()));
            ("affected", words.join(" "), StructureQuery::Affected { changes, names })
        }
    })
}

/// `a.rs` or `a.rs:10-20`, which must be there.
fn change(call: &Call<'_>, typed: &str) -> Result<Change, Refusal> {
    let lines = typed.rsplit_once(':').and_then(|(path, lines)| Some((path, span(lines)?)));
    let (path, lines) = match lines {
        Some((path, lines)) => (path, vec![lines]),
        None => (typed, Vec::new()),
    };
    Ok(Change { path: relative(path, call.root())?, lines })
}

fn span(text: &str) -> Option<LineSpan> {
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    let (start, end) = (first.parse().ok()?, last.parse().ok()?);
    (start > 0 && start <= end).then_some(LineSpan { start, end })
}

/// `3 callers`.
fn counted(command: &str, count: usize) -> String {
    let (one, more) = match command {
        "callers" => ("caller", "callers"),
        "callees" => ("callee", "callees"),
        "refs" => ("place", "places"),
        "def" => ("definition", "definitions"),
        "affected" => ("test", "tests"),
        "path" => ("step", "steps"),
        _ => ("symbol", "symbols"),
    };
    format!("{count} {}", if count == 1 { one } else { more })
}

/// What a reader should know, each with the cheap next step.
pub fn said(outcome: &StructureOutcome, question: &Question) -> Vec<String> {
    let answer = &outcome.answer;
    let mut notes = Vec::new();
    if answer.not_found {
        let nearest = match answer.nearest.as_slice() {
            [] => String::new(),
            names => format!("; nearest: {}", names.join(", ")),
        };
        let next = match question.command {
            _ if outcome.partial => "ask again in a few seconds",
            "outline" => "search_code finds files by name",
            "path" => "trace_calls without `to` shows the steps there are",
            _ => "search_code finds it by words and meaning",
        };
        notes.push(format!("not found: {}{nearest}; {next}", cut(&question.text, 200)));
    } else if answer.rows.is_empty() && answer.files.is_empty() {
        notes.push(match question.command {
            "callers" | "impact" => "nothing in this tree uses it".to_owned(),
            "callees" => "it uses nothing that has a name".to_owned(),
            "affected" => "no test reaches it, as far as calls can be followed".to_owned(),
            "outline" => "the file has no symbols; it is searched as text".to_owned(),
            _ => "there is nothing of it in this tree".to_owned(),
        });
    } else if answer.subjects.len() > 1 && matches!(question.command, "callers" | "callees" | "impact" | "refs") {
        notes.push(format!(
            "note: {} definitions have this name, all are meant; Type::name tells them apart",
            answer.subjects.len()
        ));
    }
    notes.extend(answer.notes.iter().map(|note| format!("note: {note}")));
    if question.command == "affected" {
        notes.extend(run_hints(outcome).into_iter().map(|hint| format!("run: {hint}")));
    }
    notes
}

/// Where a row leads: to the place where the rows are places, else to the symbol.
fn link(row: &Row, places: bool) -> Option<Link> {
    let place = row.places.first().filter(|_| places || row.symbol.is_none());
    let place = place.map(|place| Link { path: place.path.clone(), escaped: false, lines: (place.line, place.line) });
    place.or_else(|| row.symbol.as_ref().map(link_to))
}

/// A link to a definition.
pub fn link_to(symbol: &Symbol) -> Link {
    Link { path: symbol.path.clone(), escaped: false, lines: (symbol.lines.start, symbol.lines.end) }
}
