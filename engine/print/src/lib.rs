//! Answers as text: pure functions from values to a `String`, so that whoever has the values can print them.
//!
//! A printer writes to nothing, asks nothing of the machine and never fails. What differs between a terminal and a
//! pipe is handed in ([`terminal::Style`]). So the command line, the servers and a page in a browser write the same bytes
//! of the same answer.

#![deny(missing_docs)]
#![deny(clippy::disallowed_methods, clippy::disallowed_types, reason = "values in, values out: see clippy.toml")]

mod budget;
pub mod cursor;
mod explain;
mod highlight;
pub mod json;
pub mod jsonl;
mod lines;
pub mod map;
pub mod messages;
pub mod outcome;
pub mod plain;
mod rows;
pub mod structure;
pub mod terminal;
mod terms;

#[cfg(test)]
mod samples;

pub use budget::{MIN_JSON, MIN_TEXT};

use seekwell_types::Skipped;

/// How much of a hit is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Depth {
    /// Place and name. Not for asking: what is left when a budget has no room for more.
    Line,
    /// And the description.
    Abstract,
    /// And the first lines of the text.
    Overview,
    /// And the whole text.
    Full,
}

/// What is printed of an answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Layout {
    /// How much of each hit; none means what suits the form.
    pub depth: Option<Depth>,
    /// Tokens that the whole output may take, of four bytes each; at least [`MIN_TEXT`] or [`MIN_JSON`].
    pub budget: Option<u32>,
}

impl Layout {
    fn room(self) -> Option<usize> {
        self.budget.map(|tokens| tokens as usize * 4)
    }
}

/// Skipped paths by reason, the most frequent first: `9 ignored, 2 binary`. A few reasons only.
fn reasons(skipped: &[Skipped]) -> String {
    let mut counts: Vec<(usize, &str)> = Vec::new();
    for reason in skipped.iter().map(|s| s.reason.as_str()) {
        match counts.iter_mut().find(|(_, seen)| *seen == reason) {
            Some((count, _)) => *count += 1,
            None => counts.push((1, reason)),
        }
    }
    counts.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(b.1)));
    let rest = counts.len().saturating_sub(6);
    let mut parts: Vec<String> = counts.iter().take(6).map(|(count, reason)| format!("{count} {reason}")).collect();
    if rest > 0 {
        parts.push("…".to_owned());
    }
    parts.join(", ")
}

/// `1 file`, `2 files`.
fn counted(count: usize, noun: &str) -> String {
    if count == 1 { format!("1 {noun}") } else { format!("{count} {noun}s") }
}
