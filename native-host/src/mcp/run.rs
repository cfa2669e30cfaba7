//! What each tool does: from checked arguments to an answer, through the session.

mod read;
mod scan;
mod search;
mod structure;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rmcp::model::CallToolResult;
use serde_json::{Value, json};

use super::answer::{self, Parts};
use super::arguments::{Given, relative};
use super::tools::{Entry, Task};
use crate::component::Component;
use crate::engine::Engine as _;
use crate::print::{Layout, json as print_json, plain};
use crate::progress::Progress;
use crate::session::{self, Live, Status};

/// How long a search waits for a tree that is not whole: clients give up on a server that keeps them waiting at the first
/// question, and what there is by then answers most of them.
const PATIENCE: Duration = Duration::from_millis(1_200);

/// The same for structure, where half an answer says less.
const STRUCTURE_PATIENCE: Duration = Duration::from_secs(8);

/// How often it is looked whether a tree is whole.
const GLANCE: Duration = Duration::from_millis(10);

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// What the model is told, so that its next call is right.
    Told(String),
    /// Nobody waits for it any more.
    Cancelled,
}

impl From<String> for Refusal {
    fn from(text: String) -> Self {
        Self::Told(text)
    }
}

impl From<session::Error> for Refusal {
    fn from(e: session::Error) -> Self {
        match e {
            session::Error::Cancelled => Self::Cancelled,
            session::Error::Regex { pattern, detail } => Self::Told(format!(
                "not a regular expression: {}: {detail}; leave out `regex` to look for the text itself",
                answer::cut(&pattern, 200)
            )),
            e => Self::Told(e.to_string()),
        }
    }
}

/// One call of a tool, on one root.
pub struct Call<'a> {
    /// The tool.
    pub entry: &'static Entry,
    /// Its arguments.
    pub given: &'a Given,
    /// The tree.
    pub live: &'a Live,
    /// All open roots.
    pub roots: &'a [PathBuf],
    /// Who is told how far it has come, and says whether to go on.
    pub progress: &'a dyn Progress,
    /// Tokens that the answer may take.
    pub budget: u32,
}

/// An answer, and whether there is anything in it.
pub struct Found {
    /// The answer.
    pub result: CallToolResult,
    /// Whether what was asked for is not in this tree.
    pub nothing: bool,
}

/// Does what a tool does.
pub fn run(call: &Call<'_>) -> Result<Found, Refusal> {
    match call.entry.task {
        Task::Search => search::search(call),
        Task::Similar => search::similar(call),
        Task::Read => read::read(call),
        Task::Scan => scan::scan(call),
        Task::Status => status(call),
        _ => structure::structure(call),
    }
}

impl Call<'_> {
    fn root(&self) -> &Path {
        self.live.root()
    }

    /// A path among the arguments, relative to the root.
    fn path(&self, name: &str) -> Result<Option<String>, Refusal> {
        let path = self.given.text(name).map(|typed| relative(typed, self.root())).transpose()?;
        Ok(path.filter(|path| !path.is_empty()))
    }

    /// What stands first in each answer: the tool, what it came to, where, and of what state of the tree.
    fn title(&self, what: &str, generation: &seekwell_types::Generation, partial: bool) -> String {
        let others: Vec<String> =
            self.roots.iter().filter(|root| *root != self.root()).map(|root| root.display().to_string()).collect();
        let others = if others.is_empty() { String::new() } else { format!(" (also open: {})", others.join(", ")) };
        let id = generation.id.get(..12).unwrap_or(&generation.id);
        let partial = if partial { ", PARTIAL: files are still being read, ask again in a few seconds" } else { "" };
        format!(
            "{}: {what}; root {}{others}; {} files, generation {id}{partial}",
            self.entry.name,
            self.root().display(),
            generation.files
        )
    }

    /// Those of these files that are not what they were when they were analysed.
    fn stale<'b>(&self, hits: impl Iterator<Item = (&'b str, &'b [u8; 16])>) -> Vec<String> {
        let mut stale: Vec<String> = Vec::new();
        for (path, hash) in hits {
            let Ok(bytes) = self.live.read(path) else { continue };
            if blake3::hash(&bytes).as_bytes()[..16] != hash[..] && !stale.iter().any(|seen| seen == path) {
                stale.push(path.to_owned());
            }
        }
        stale
    }

    /// The text of some lines of a file, decoded.
    fn lines(&self, path: &str, first: u32, last: u32) -> Result<String, Refusal> {
        let bytes = self.live.read(path).map_err(|_| self.no_such_file(path))?;
        let mut worker = Component::shared().map_err(session::Error::from)?.worker().map_err(session::Error::from)?;
        let lines = seekwell_types::LineSpan { start: first.max(1), end: last.max(first) };
        Ok(worker.snippet(&bytes, lines).map_err(session::Error::from)?)
    }

    fn no_such_file(&self, path: &str) -> Refusal {
        Refusal::Told(format!(
            "no such file: {} in {}; paths are relative to that; search_code finds files by name",
            answer::cut(path, 200),
            self.root().display()
        ))
    }

    fn found(&self, parts: &Parts<'_>, nothing: bool) -> Found {
        Found { result: answer::assemble(parts, self.budget), nothing }
    }
}

/// `get_index_status`.
fn status(call: &Call<'_>) -> Result<Found, Refusal> {
    let status = match whole_soon(call)? {
        true => call.live.status(call.progress)?,
        // What is known of a tree that is still being read is how far that has come.
        false => Status { root: call.root().to_owned(), partial: true, ..Status::default() },
    };
    let at_work = call.live.work().map(|(stage, done, total)| match total {
        0 => format!("at work: {stage}, {done} done"),
        total => format!("at work: {stage}, {done} of {total}"),
    });
    let unwatched = call.live.unwatched().map(|why| format!("note: {why}"));
    let roots: Vec<String> = call.roots.iter().map(|root| root.display().to_string()).collect();
    let text = |layout: Layout| {
        let facts = plain::status(&status).replace("(seekwell status --skipped lists them)", "(below)");
        let skipped = plain::skipped(&status.skipped);
        let all = format!("{facts}\n{skipped}");
        let room = layout.budget.map_or(usize::MAX, |tokens| tokens as usize * 4);
        whole_lines(&all, room)
    };
    let data = |layout: Layout| {
        let room = layout.budget.map_or(usize::MAX, |tokens| tokens as usize * 4);
        let mut value: Value = serde_json::from_str(&print_json::status(&status)).unwrap_or_else(|_| json!({}));
        value["roots"] = roots.clone().into();
        value["version"] = env!("CARGO_PKG_VERSION").into();
        let size = |value: &Value| serde_json::to_string(value).map_or(0, |text| text.len());
        for list in ["skipped", "degraded", "lossy", "languages"] {
            while size(&value) > room
                && let Some(rows) = value[list].as_array_mut()
                && !rows.is_empty()
            {
                rows.truncate(rows.len() / 2);
                value["truncated"] = true.into();
            }
        }
        value.to_string()
    };
    let what = if status.partial { "being read" } else { "whole" };
    let parts = Parts {
        root: call.root(),
        title: call.title(what, &status.generation, status.partial),
        notes: at_work.into_iter().chain(unwatched).chain(status.index.troubles.clone()).collect(),
        stale: Vec::new(),
        links: Vec::new(),
        text: &text,
        data: &data,
    };
    Ok(call.found(&parts, false))
}

/// Whether the tree is whole, or becomes it in the time that a client waits gladly.
fn whole_soon(call: &Call<'_>) -> Result<bool, Refusal> {
    let begun = Instant::now();
    call.live.prepare();
    while call.live.work().is_some() && !call.live.is_whole() {
        if call.progress.cancelled() {
            return Err(Refusal::Cancelled);
        }
        if begun.elapsed() >= PATIENCE {
            return Ok(false);
        }
        std::thread::sleep(GLANCE);
    }
    Ok(true)
}

/// The first lines that there is room for, and how many are left out.
fn whole_lines(text: &str, room: usize) -> String {
    if text.len() <= room {
        return text.to_owned();
    }
    let mut kept = 0;
    for line in text.split_inclusive('\n') {
        if kept + line.len() + 48 > room {
            break;
        }
        kept += line.len();
    }
    let left = text[kept..].lines().count();
    format!("{}-- {left} more lines; a larger budget shows them\n", &text[..kept])
}

/// The text of some lines of a file; none if it is not one of the tree.
pub fn text_of(live: &Live, path: &str, (first, last): (u32, u32)) -> Option<String> {
    let bytes = live.read(path).ok()?;
    let mut worker = Component::shared().ok()?.worker().ok()?;
    worker.snippet(&bytes, seekwell_types::LineSpan { start: first, end: last }).ok()
}
