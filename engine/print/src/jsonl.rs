//! `--jsonl`: a line of type `answer` with everything but the hits, then a line of type `hit` for each.
//!
//! The answer comes first, so that a reader knows from the first line whether there is more, and how good it is.

use seekwell_types::Query;

use super::budget::{self, Pieces};
use super::rows::{Document, squeezed};
use super::{Depth, Layout};
use crate::outcome::Outcome;

/// The answer to a search. Snippets are whole unless the layout says otherwise.
pub fn search(outcome: &Outcome, query: &Query, layout: Layout) -> String {
    let lines = Lines(Document { outcome, query, echo: &query.text });
    budget::assemble(&lines, layout.depth.unwrap_or(Depth::Full), layout.room())
}

struct Lines<'a>(Document<'a>);

/// The line that begins with `{"type":…` instead of `{`.
fn typed(word: &str, object: &str) -> String {
    format!("{{\"type\":\"{word}\",{}\n", &object[1..])
}

fn answer(document: &Document<'_>, shown: usize, shortened: bool) -> String {
    typed("answer", &format!("{},{}", document.opening(), document.closing(shown, shortened)))
}

impl Pieces for Lines<'_> {
    fn count(&self) -> usize {
        self.0.count()
    }

    fn hit(&self, index: usize, depth: Depth) -> String {
        typed("hit", &self.0.row(index, depth))
    }

    fn around(&self, shown: usize, shortened: bool) -> (String, String) {
        (answer(&self.0, shown, shortened), String::new())
    }

    fn squeezed(&self, room: usize) -> String {
        squeezed(self.0.outcome, self.0.query, room, |document| {
            let shown = document.count();
            let hit = if shown == 0 { String::new() } else { typed("hit", &document.row(0, Depth::Line)) };
            answer(document, shown, true) + &hit
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::samples::{outcome, query};
    use super::*;

    #[test]
    fn the_answer_then_its_hits() {
        let text = search(&outcome(), &query(), Layout { depth: Some(Depth::Abstract), budget: None });
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 3);
        assert!(
            lines[0]
                .starts_with(r#"{"type":"answer","schema":"seekwell/1","command":"search","root":"/abs/dir","query":"#)
        );
        assert!(lines[0].ends_with(r#""weak":false,"not_found":false,"nearest":[]}"#));
        assert!(lines[1].starts_with(r#"{"type":"hit","path":"src/a.rs","start_line":42,"#));
        for line in lines {
            serde_json::from_str::<serde_json::Value>(line).unwrap();
        }
    }

    #[test]
    fn no_hits_is_still_an_answer() {
        let mut none = outcome();
        none.answer.hits.clear();
        none.answer.total = 0;
        assert_eq!(search(&none, &query(), Layout::default()).lines().count(), 1);
    }
}
