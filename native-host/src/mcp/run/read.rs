//! `read_symbol`: the source of what has a name or stands at a place, with who calls it and what it calls.

use seekwell_types::structure::{Confidence, Row, StructureQuery, Symbol};
use serde_json::{Value, json};

use super::structure::{link_to, said};
use super::{Call, Found, Refusal, STRUCTURE_PATIENCE};
use crate::mcp::answer::{Link, Parts, numbered, split};
use crate::print::Layout;
use crate::print::structure::{Question, as_json, as_text};
use crate::session::StructureOutcome;

/// Definitions of one name whose source is shown; all are listed.
const SHOWN: usize = 5;

/// Callers, and callees, that are named.
const NEIGHBOURS: u32 = 12;

/// Lines shown around a place that no symbol is around.
const AROUND: u32 = 40;

/// Lines that are read of one symbol at most: more than the largest budget has room for.
const LINES: u32 = 3_000;

/// `read_symbol`.
pub fn read(call: &Call<'_>) -> Result<Found, Refusal> {
    let path = call.path("path")?;
    match (call.given.text("name"), path) {
        (Some(name), path) => named(call, name.trim_end_matches("()"), path.as_deref()),
        (None, Some(path)) => placed(call, &path),
        (None, None) => Err("read_symbol needs `name`, or `path` with `line`".to_owned().into()),
    }
}

/// What the answer is made of.
struct Reading {
    /// The definitions, the ones that are shown first.
    symbols: Vec<(Symbol, String)>,
    callers: Option<StructureOutcome>,
    callees: Option<StructureOutcome>,
}

fn named(call: &Call<'_>, name: &str, path: Option<&str>) -> Result<Found, Refusal> {
    let query = StructureQuery::Definitions { name: name.to_owned() };
    let outcome = call.live.structure(&query, Some(STRUCTURE_PATIENCE), call.progress)?;
    let question = Question { command: "def", text: name.to_owned(), ..Question::default() };
    let mut notes = said(&outcome, &question);
    let below = |symbol: &Symbol| {
        path.is_none_or(|path| {
            symbol.path == path || symbol.path.strip_prefix(path).is_some_and(|rest| rest.starts_with('/'))
        })
    };
    let all: Vec<Symbol> = outcome.answer.rows.iter().filter_map(|row| row.symbol.clone()).collect();
    let mut symbols: Vec<Symbol> = all.iter().filter(|symbol| below(symbol)).cloned().collect();
    if symbols.is_empty() && !all.is_empty() {
        notes.push(format!("note: not below {}; these are the definitions elsewhere", path.unwrap_or_default()));
        symbols = all;
    }
    if symbols.len() > 1 {
        notes.push(format!("note: {} definitions have this name; `path` or Type::name chooses one", symbols.len()));
    }
    shown(call, symbols, &outcome, question, notes)
}

/// What stands at a place: the symbol around the line, or the lines that were asked for.
fn placed(call: &Call<'_>, path: &str) -> Result<Found, Refusal> {
    let given = call.given;
    let line = given.number("line");
    if let (Some(line), None) = (line, given.number("end_line")) {
        let (outcome, symbol) = enclosing(call, path, line)?;
        if let Some(symbol) = symbol {
            let question = Question { command: "def", text: symbol.name.clone(), ..Question::default() };
            return shown(call, vec![symbol], &outcome, question, Vec::new());
        }
    }
    let first = line.unwrap_or(1).max(1);
    let last = match (line, given.number("end_line")) {
        (_, Some(last)) if last < first => {
            return Err(format!("`end_line` is {last}, before `line` {first}; write the last line").into());
        }
        (_, Some(last)) => last.min(first.saturating_add(LINES)),
        (Some(_), None) => first + AROUND / 2,
        (None, None) => LINES,
    };
    let first = if line.is_some() && given.number("end_line").is_none() {
        first.saturating_sub(AROUND / 2).max(1)
    } else {
        first
    };
    let text = call.lines(path, first, last)?;
    let count = u32::try_from(split(&text).count()).unwrap_or(u32::MAX);
    let last = first + count.saturating_sub(1);
    let query = StructureQuery::Outline { path: path.to_owned() };
    let outcome = call.live.structure(&query, Some(STRUCTURE_PATIENCE), call.progress)?;
    let what = format!("{path}:{first}-{last}");
    let body = |layout: Layout| {
        let room = layout.budget.map_or(usize::MAX, |tokens| tokens as usize * 4);
        let (mut lines, shown) = numbered(&text, first, room.saturating_sub(what.len() + 80));
        if shown < count {
            lines.push_str(&format!(
                "-- {} more lines; go on with line {} and end_line {last}\n",
                count - shown,
                first + shown
            ));
        }
        format!("{what}\n{lines}")
    };
    let data = |layout: Layout| {
        let room = layout.budget.map_or(usize::MAX, |tokens| tokens as usize * 4);
        let mut value = frame(&outcome, "read", &what);
        let whole = value.to_string().len() + 160;
        let (kept, shown) = fitting(&text, room.saturating_sub(whole));
        value["symbols"] =
            json!([{"path": path, "start_line": first, "end_line": first + shown.saturating_sub(1), "source": kept}]);
        value["truncated"] = (shown < count).into();
        value.to_string()
    };
    let parts = Parts {
        root: call.root(),
        title: call.title(&format!("{count} lines"), &outcome.generation, outcome.partial),
        notes: Vec::new(),
        stale: Vec::new(),
        links: vec![Link { path: path.to_owned(), escaped: false, lines: (first, last) }],
        text: &body,
        data: &data,
    };
    Ok(call.found(&parts, count == 0))
}

/// The lines of the innermost symbol around a line; some lines around it where there is none.
pub fn around(call: &Call<'_>, path: &str, line: u32) -> Result<(u32, u32), Refusal> {
    let (_, symbol) = enclosing(call, path, line)?;
    let near = (line.saturating_sub(AROUND / 2).max(1), line + AROUND / 2);
    Ok(symbol.map_or(near, |symbol| (symbol.lines.start, symbol.lines.end)))
}

/// The innermost symbol around a line that is more than a field or a variable.
fn enclosing(call: &Call<'_>, path: &str, line: u32) -> Result<(StructureOutcome, Option<Symbol>), Refusal> {
    let query = StructureQuery::Outline { path: path.to_owned() };
    let outcome = call.live.structure(&query, Some(STRUCTURE_PATIENCE), call.progress)?;
    if outcome.answer.not_found && call.live.read(path).is_err() {
        return Err(call.no_such_file(path));
    }
    let symbols = outcome.answer.rows.iter().filter_map(|row| row.symbol.as_ref());
    let around = symbols.filter(|s| s.lines.start <= line && line <= s.lines.end);
    let large = around.filter(|s| !matches!(s.kind.as_str(), "field" | "variable"));
    let symbol = large.min_by_key(|s| s.lines.end - s.lines.start).cloned();
    Ok((outcome, symbol))
}

fn shown(
    call: &Call<'_>,
    symbols: Vec<Symbol>,
    outcome: &StructureOutcome,
    question: Question,
    notes: Vec<String>,
) -> Result<Found, Refusal> {
    let mut reading = Reading { symbols: Vec::new(), callers: None, callees: None };
    for symbol in symbols.iter().take(SHOWN) {
        let last = symbol.lines.end.min(symbol.lines.start.saturating_add(LINES));
        let text = call.lines(&symbol.path, symbol.lines.start, last).unwrap_or_default();
        reading.symbols.push((symbol.clone(), text));
    }
    if let [symbol] = symbols.as_slice() {
        let neighbours = |query: StructureQuery| -> Result<StructureOutcome, Refusal> {
            let mut outcome = call.live.structure(&query, Some(STRUCTURE_PATIENCE), call.progress)?;
            let subject = outcome.answer.subjects.iter().position(|s| s.path == symbol.path && s.span == symbol.span);
            let subject = subject.and_then(|at| u32::try_from(at).ok());
            // Others have the name, too: their rows are not about this one.
            let others = |row: &Row| row.subject.is_some() && subject.is_some() && row.subject != subject;
            // What is not of this tree says little: `map`, `len`, `push`.
            let external = |row: &Row| row.symbol.is_none() && row.confidence == Some(Confidence::External);
            outcome.answer.rows.retain(|row| !others(row) && !external(row));
            Ok(outcome)
        };
        let name = full_name(symbol);
        reading.callers = Some(neighbours(StructureQuery::Callers { name: name.clone() })?);
        reading.callees = Some(neighbours(StructureQuery::Callees { name })?);
    }
    let what = match symbols.as_slice() {
        [] => "nothing".to_owned(),
        [symbol] => format!("{} {}", symbol.kind, full_name(symbol)),
        several => format!("{} definitions", several.len()),
    };
    let stale: Vec<String> = Vec::new();
    let parts = Parts {
        root: call.root(),
        title: call.title(&what, &outcome.generation, outcome.partial),
        notes,
        stale,
        links: symbols.iter().map(link_to).collect(),
        text: &|layout| reading.text(&symbols, layout),
        data: &|layout| reading.data(outcome, &question, layout),
    };
    Ok(call.found(&parts, symbols.is_empty()))
}

impl Reading {
    /// Who uses it and what it uses, with their words.
    fn neighbours(&self) -> impl Iterator<Item = (&'static str, &StructureOutcome)> {
        let all = [("callers", self.callers.as_ref()), ("callees", self.callees.as_ref())];
        all.into_iter().filter_map(|(word, outcome)| Some((word, outcome?)))
    }

    fn text(&self, all: &[Symbol], layout: Layout) -> String {
        if self.symbols.is_empty() {
            return String::new();
        }
        let room = layout.budget.map_or(usize::MAX, |tokens| tokens as usize * 4);
        let mut below = String::new();
        for (word, outcome) in self.neighbours() {
            let budget = u32::try_from(room / 8 / 4).unwrap_or(u32::MAX);
            let question = Question { command: word, limit: Some(NEIGHBOURS), ..Question::default() };
            let text =
                as_text(outcome, &question, Layout { depth: None, budget: Some(budget.max(crate::print::MIN_TEXT)) });
            below.push_str(&format!("{word}: {}\n", outcome.answer.rows.len()));
            text.lines()
                .filter(|line| !line.starts_with("-- "))
                .for_each(|line| below.push_str(&format!("  {line}\n")));
        }
        let rest = all.get(self.symbols.len()..).unwrap_or_default();
        for symbol in rest.iter().take(20) {
            below.push_str(&format!("also {}\n", head(symbol)));
        }
        let mut text = String::new();
        for (at, (symbol, source)) in self.symbols.iter().enumerate() {
            // What one leaves is for those after it.
            let left = room.saturating_sub(text.len() + below.len());
            let share = left / (self.symbols.len() - at);
            let head = head(symbol);
            let count = u32::try_from(split(source).count()).unwrap_or(u32::MAX);
            let (lines, shown) = numbered(source, symbol.lines.start, share.saturating_sub(head.len() + 100));
            text.push_str(&format!("{head}\n{lines}"));
            if shown < count {
                let next = symbol.lines.start + shown;
                text.push_str(&format!(
                    "  … {} more lines: path {}, line {next}, end_line {}\n",
                    count - shown,
                    symbol.path,
                    symbol.lines.end
                ));
            }
        }
        text + &below
    }

    fn data(&self, outcome: &StructureOutcome, question: &Question, layout: Layout) -> String {
        let room = layout.budget.map_or(usize::MAX, |tokens| tokens as usize * 4);
        let mut value = frame(outcome, "read", &question.text);
        value["not_found"] = self.symbols.is_empty().into();
        let mut truncated = false;
        for (word, outcome) in self.neighbours() {
            let budget = u32::try_from(room / 6 / 4).unwrap_or(u32::MAX).max(crate::print::MIN_JSON);
            let question = Question { command: word, limit: Some(NEIGHBOURS), ..Question::default() };
            let text = as_json(outcome, &question, Layout { depth: None, budget: Some(budget) });
            let mut neighbours: Value = serde_json::from_str(&text).unwrap_or_default();
            let mut rows = neighbours["symbols"].take();
            for row in rows.as_array_mut().into_iter().flatten() {
                // What a name and a place are needed for, no more: there are tools for the rest.
                let (name, path) = (row["name"].take(), row["path"].take());
                *row = json!({"name": name, "path": path, "name_line": row["name_line"], "kind": row["kind"]});
            }
            value[word] = rows;
        }
        let mut list: Vec<Value> = Vec::new();
        let mut left = room.saturating_sub(value.to_string().len() + 120);
        for (at, (symbol, source)) in self.symbols.iter().enumerate() {
            let mut row = json!({
                "name": symbol.name, "container": symbol.container, "kind": symbol.kind, "language": symbol.language,
                "path": symbol.path, "start_line": symbol.lines.start, "end_line": symbol.lines.end,
                "name_line": symbol.name_line, "signature": symbol.signature, "doc": symbol.doc, "source": "",
            });
            let share = left / (self.symbols.len() - at);
            let (kept, shown) = fitting(source, share.saturating_sub(row.to_string().len() + 2));
            truncated |= (shown as usize) < split(source).count();
            row["source"] = kept.into();
            left = left.saturating_sub(row.to_string().len() + 1);
            list.push(row);
        }
        value["symbols"] = list.into();
        value["truncated"] = truncated.into();
        value.to_string()
    }
}

/// What stands around the rows of any answer about structure.
fn frame(outcome: &StructureOutcome, command: &str, query: &str) -> Value {
    let mut none = StructureOutcome { root: outcome.root.clone(), ..StructureOutcome::default() };
    none.generation = outcome.generation.clone();
    none.skipped = outcome.skipped.clone();
    none.partial = outcome.partial;
    none.source = outcome.source;
    none.answer.nearest = outcome.answer.nearest.clone();
    let question = Question { command: "def", text: crate::mcp::answer::cut(query, 200), ..Question::default() };
    let mut frame: Value = serde_json::from_str(&as_json(&none, &question, Layout::default())).unwrap_or_default();
    frame["command"] = command.into();
    frame
}

/// Whole lines of a text that fit into so many bytes of JSON, and how many these are.
fn fitting(text: &str, room: usize) -> (String, u32) {
    let mut kept = String::new();
    let (mut used, mut shown) = (0, 0);
    for line in split(text) {
        used += serde_json::to_string(line).map_or(0, |json| json.len());
        if used > room {
            break;
        }
        kept.push_str(line);
        kept.push('\n');
        shown += 1;
    }
    (kept, shown)
}

/// `path:42-78 function Client::send`.
fn head(symbol: &Symbol) -> String {
    let Symbol { path, lines, kind, .. } = symbol;
    let line = format!("{path}:{}-{} {kind} {}", lines.start, lines.end, full_name(symbol));
    crate::mcp::answer::one_line(&line)
}

fn full_name(symbol: &Symbol) -> String {
    match symbol.container.as_str() {
        "" => symbol.name.clone(),
        container => format!("{container}::{}", symbol.name),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_lines_that_fit() {
        assert_eq!(fitting("ab\ncd", 100), ("ab\ncd\n".to_owned(), 2));
        assert_eq!(fitting("ab\n\"\"\"\"", 6), ("ab\n".to_owned(), 1));
        assert_eq!(fitting("ab", 0), (String::new(), 0));
    }
}
