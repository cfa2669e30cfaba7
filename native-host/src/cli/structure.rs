//! The commands about structure: one question each, the same way from the arguments to the answer.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use seekwell_types::structure::{Change, StructureQuery};
use seekwell_types::{LineSpan, Mode, Query};

use super::args::{
    AffectedArgs, Command, ImpactArgs, MapArgs, MapFormat, NameArgs, OutlineArgs, PathArgs, RowArgs, WalkArgs,
};
use super::ask::Ask;
use super::error::Error;
use super::{Ended, ask};
use crate::engine::Engine;
use crate::print::map::MapForm;
use crate::print::structure::Question;
use crate::print::{self, Layout, MIN_JSON, MIN_TEXT, cursor};
use crate::progress::{Bar, Quiet};
use crate::session::{self, Session, StructureOutcome};

/// Files that a map is made of. What 16,000 tokens have room for is less.
const MAP_FILES: u32 = 600;

/// Files of a map that are printed if nobody says how many.
const MAP_SHOWN: u32 = 40;

/// `def`, `refs`, `callers`, `callees`, `mentions`.
pub(super) fn name(command: &'static str, args: &NameArgs) -> Result<Ended, Error> {
    let name = text(&args.name)?;
    let query = named(command, &name);
    let asked = Asked::new(args.path.as_deref(), &args.walk)?;
    rows(asked, command, name, &query, &args.rows)
}

/// What a command asks of a name.
fn named(command: &str, name: &str) -> StructureQuery {
    let name = name.to_owned();
    match command {
        "def" => StructureQuery::Definitions { name },
        "refs" => StructureQuery::References { name, found: Vec::new() },
        "callers" => StructureQuery::Callers { name },
        "callees" => StructureQuery::Callees { name },
        _ => StructureQuery::Mentions { name, found: Vec::new() },
    }
}

/// The JSON answer of another engine than the binary's, to the commands that are about names and maps.
pub(super) fn json_with(engine: &dyn Engine, command: &Command) -> Result<String, Error> {
    let (word, args) = match command {
        Command::Def(args) => ("def", args),
        Command::Refs(args) => ("refs", args),
        Command::Callers(args) => ("callers", args),
        Command::Callees(args) => ("callees", args),
        Command::Mentions(args) => ("mentions", args),
        Command::Impact(args) => ("impact", &args.name),
        _ => return Err(Error::Usage("this command has no answer in JSON by another engine".to_owned())),
    };
    let name = text(&args.name)?;
    let query = match command {
        Command::Impact(args) => StructureQuery::Impact { name: name.clone(), depth: args.depth },
        _ => named(word, &name),
    };
    let asked = Asked::new(args.path.as_deref(), &args.walk)?;
    let outcome = Session::new(engine).structure(&asked.ask.request(&Quiet), &query)?;
    let question = asked.question(word, name, args.rows.limit, 0, &outcome);
    Ok(print::structure::as_json(&outcome, &question, layout(args.rows.budget, true)?))
}

/// `outline`.
pub(super) fn outline(args: &OutlineArgs) -> Result<Ended, Error> {
    let folder = args.file.parent().filter(|folder| !folder.as_os_str().is_empty());
    ask::status(Some(&args.file), &WalkArgs::default())?;
    let file = args.file.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    // The file alone is read: what is around it does not change its outline.
    let mut asked = Asked::new(folder, &args.walk)?;
    asked.ask.paths = vec![args.file.clone()];
    rows(asked, "outline", file.clone(), &StructureQuery::Outline { path: file }, &args.rows)
}

/// `impact`.
pub(super) fn impact(args: &ImpactArgs) -> Result<Ended, Error> {
    let NameArgs { name, path, rows: output, walk } = &args.name;
    let name = text(name)?;
    let query = StructureQuery::Impact { name: name.clone(), depth: args.depth };
    let mut asked = Asked::new(path.as_deref(), walk)?;
    asked.by_file = args.by_file;
    rows(asked, "impact", name, &query, output)
}

/// `path`.
pub(super) fn way(args: &PathArgs) -> Result<Ended, Error> {
    let (from, to) = (text(&args.from)?, text(&args.to)?);
    let asked = Asked::new(args.path.as_deref(), &args.walk)?;
    let words = format!("{from} -> {to}");
    rows(asked, "path", words, &StructureQuery::Path { from, to }, &args.rows)
}

/// `affected`.
pub(super) fn affected(args: &AffectedArgs) -> Result<Ended, Error> {
    let mut asked = Asked::new(args.root.as_deref(), &args.walk)?;
    let changes = match &args.diff {
        Some(revision) => session::changes(&asked.ask.root, revision)?,
        None => args.files.iter().map(|typed| change(typed, &asked.ask.root)).collect::<Result<_, _>>()?,
    };
    if args.diff.is_none() && changes.is_empty() && args.symbols.is_empty() {
        return Err(Error::Usage(
            "nothing to start from; write seekwell affected FILE..., --symbol NAME, or --diff [REV]".to_owned(),
        ));
    }
    asked.gate = args.gate;
    let mut words: Vec<String> = args.symbols.clone();
    words.extend(changes.iter().map(|change| change.path.clone()));
    let query = StructureQuery::Affected { changes, names: args.symbols.clone() };
    rows(asked, "affected", words.join(" "), &query, &args.rows)
}

/// `map`.
pub(super) fn map(args: &MapArgs) -> Result<Ended, Error> {
    let format = if args.json { MapFormat::Json } else { args.format };
    let data = matches!(format, MapFormat::Json | MapFormat::Xml);
    let layout = layout(args.budget, data)?;
    let task = args.task.clone().unwrap_or_default();
    let mut asked = Asked::new(args.path.as_deref(), &args.walk)?;
    if !task.is_empty() {
        asked.ask.query.mode = Mode::Hybrid;
    }
    let query = StructureQuery::Map { task: task.clone(), files: MAP_FILES };
    let outcome = asked.outcome(&query)?;
    // A page and a graph choose for themselves, and a budget says more than a number.
    let shown = args.limit.or(match format {
        MapFormat::Text | MapFormat::Json | MapFormat::Xml if args.budget.is_none() => Some(MAP_SHOWN),
        _ => None,
    });
    let question = asked.question("map", task, shown, 0, &outcome);
    for line in print::structure::messages(&outcome, &question, data) {
        super::tell(&line);
    }
    let text = match format {
        MapFormat::Text => print::map::map(&outcome, &question, MapForm::Text, layout),
        MapFormat::Json => print::map::map(&outcome, &question, MapForm::Json, layout),
        MapFormat::Xml => print::map::map(&outcome, &question, MapForm::Xml, layout),
        MapFormat::Mermaid => print::map::mermaid(&outcome, &question, layout),
        MapFormat::Html => print::map::page(&outcome, &question),
    };
    super::write(&text)?;
    Ok(if outcome.answer.files.is_empty() { Ended::None } else { Ended::Hits })
}

/// A question to a folder.
struct Asked {
    ask: Ask,
    /// Whether an impact is told by file.
    by_file: bool,
    /// Whether affected tests are a failure.
    gate: bool,
}

impl Asked {
    fn new(path: Option<&Path>, walk: &WalkArgs) -> Result<Self, Error> {
        let mut ask = ask::status(path, walk)?;
        // Structure needs no vectors.
        ask.query = Query { mode: Mode::Keyword, ..Query::default() };
        Ok(Self { ask, by_file: false, gate: false })
    }

    fn outcome(&self, query: &StructureQuery) -> Result<StructureOutcome, Error> {
        let bar = Bar::new();
        Ok(session::structure(&self.ask.request(&bar), query)?)
    }

    fn question(
        &self,
        command: &'static str,
        text: String,
        limit: Option<u32>,
        offset: u32,
        outcome: &StructureOutcome,
    ) -> Question {
        let current = std::env::current_dir().ok();
        let prefix = super::prefix(&outcome.root, current.as_deref(), &self.ask.paths);
        Question { command, text, offset, limit, prefix }
    }
}

/// Asks, prints the rows, says what a reader should know.
fn rows(
    asked: Asked,
    command: &'static str,
    text: String,
    query: &StructureQuery,
    args: &RowArgs,
) -> Result<Ended, Error> {
    let layout = layout(args.budget, args.json)?;
    let outcome = asked.outcome(query)?;
    let mut question = asked.question(command, text, args.limit, 0, &outcome);
    if let Some(typed) = &args.cursor {
        match cursor::read(typed, &question.as_query()) {
            Ok(offset) => question.offset = offset,
            Err(fault) => super::tell(&format!("note: {}", fault.note())),
        }
    }
    for line in print::structure::messages(&outcome, &question, args.json) {
        super::tell(&line);
    }
    let text = match (args.json, asked.by_file) {
        (true, _) => print::structure::as_json(&outcome, &question, layout),
        (false, true) => print::structure::by_file(&outcome, &question, layout),
        (false, false) => print::structure::as_text(&outcome, &question, layout),
    };
    super::write(&text)?;
    if command == "affected" && !args.json {
        let hints = print::structure::run_hints(&outcome);
        hints.iter().for_each(|hint| super::tell(&format!("run: {hint}")));
    }
    let some = !outcome.answer.rows.is_empty();
    Ok(match command {
        // A gate is shut by what it finds.
        "affected" if asked.gate => {
            if some {
                Ended::None
            } else {
                Ended::Hits
            }
        }
        _ => {
            if some {
                Ended::Hits
            } else {
                Ended::None
            }
        }
    })
}

fn layout(budget: Option<u32>, data: bool) -> Result<Layout, Error> {
    let least = if data { MIN_JSON } else { MIN_TEXT };
    match budget.filter(|budget| *budget < least) {
        Some(budget) => Err(Error::Value {
            option: "--budget",
            value: budget.to_string(),
            next: format!("{least} is the least that holds a row in this form"),
        }),
        None => Ok(Layout { depth: None, budget }),
    }
}

fn text(typed: &OsStr) -> Result<String, Error> {
    let text = typed.to_string_lossy().trim().to_owned();
    if text.is_empty() {
        return Err(Error::Usage("the name is empty; write the name of a symbol".to_owned()));
    }
    Ok(text)
}

/// `FILE` or `FILE:FIRST-LAST`, relative to the root.
fn change(typed: &Path, root: &Path) -> Result<Change, Error> {
    let words = typed.to_string_lossy().into_owned();
    let (path, lines) = match words.rsplit_once(':').and_then(|(path, lines)| Some((path, span(lines)?))) {
        Some((path, lines)) if !typed.exists() => (PathBuf::from(path), vec![lines]),
        _ => (typed.to_owned(), Vec::new()),
    };
    // As typed from the current folder if that is below the root, else as it stands.
    let absolute = path.canonicalize().ok();
    let below = absolute.as_deref().and_then(|path| path.strip_prefix(root).ok());
    let path = below.map_or_else(|| path.to_string_lossy().into_owned(), |path| path.to_string_lossy().into_owned());
    Ok(Change { path: path.replace('\\', "/"), lines })
}

fn span(text: &str) -> Option<LineSpan> {
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    let (start, end) = (first.parse().ok()?, last.parse().ok()?);
    (start > 0 && start <= end).then_some(LineSpan { start, end })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_name_lines() {
        let of = |typed: &str| change(Path::new(typed), Path::new("/")).unwrap();
        assert_eq!(of("a.rs:3-5"), Change { path: "a.rs".into(), lines: vec![LineSpan { start: 3, end: 5 }] });
        assert_eq!(of("a.rs:7").lines, [LineSpan { start: 7, end: 7 }]);
        assert_eq!(of("a.rs"), Change { path: "a.rs".into(), lines: Vec::new() });
        assert_eq!(of("a:b").path, "a:b");
        assert!(span("5-3").is_none() && span("0").is_none());
    }
}
