//! The text of a hit: which of its lines are shown, and how.

use std::fmt::Write as _;

use super::super::highlight::{Class, Highlighter};
use super::super::lines::{self, OVERVIEW, inert};
use super::super::{Depth, counted};
use super::{DIM, MATCH, NUMBER, PATH, Page, code};

/// A line longer than this is cut, unless everything is asked for: it is minified, or data.
const LONGEST: usize = 400;

impl Page<'_> {
    /// The text of the hit, with line numbers.
    pub(super) fn body(&self, index: usize, depth: Depth, text: &mut String) {
        let hit = &self.outcome.answer.hits[index];
        let style = self.style;
        let Some(snippet) = self.outcome.snippets.get(index) else { return };
        let all: Vec<&str> = lines::split(&snippet.text).collect();
        let picked = if depth == Depth::Full { vec![(0, all.len())] } else { self.overview(&all) };
        let number = |line: usize| u64::from(hit.lines.start) + line as u64;
        let width = number(all.len()).to_string().len();
        let path = style.paint(PATH, &self.path(hit));
        let mut highlighter = style.color.then(|| Highlighter::new(&hit.language));
        for (at, line) in all.iter().enumerate() {
            // Also for lines that are left out: a comment may begin there.
            let classes = highlighter.as_mut().map(|h| h.line(line)).unwrap_or_default();
            let Some((first, _)) = picked.iter().find(|(first, end)| (*first..*end).contains(&at)) else { continue };
            if style.heading && at == *first && at > 0 {
                let _ = writeln!(text, "{}", style.paint(DIM, "--"));
            }
            let kept = if depth == Depth::Full { line.len() } else { lines::boundary(line, LONGEST) };
            let shown = if style.color { self.emphasised(&line[..kept], &classes) } else { style.shown(&line[..kept]) };
            let cut = if kept < line.len() { format!(" … {} more bytes", line.len() - kept) } else { String::new() };
            let here = number(at);
            let _ = if style.heading {
                writeln!(text, "{}:{shown}{cut}", style.paint(NUMBER, &format!("{here:>width$}")))
            } else {
                writeln!(text, "{path}:{}:{shown}{cut}", style.paint(NUMBER, &here.to_string()))
            };
        }
        let end = picked.last().map_or(0, |(_, end)| *end);
        if style.heading && end < all.len() {
            let rest = format!("… {}", counted(all.len() - end, "more line"));
            let _ = writeln!(text, "{}", style.paint(DIM, &rest));
        }
    }

    /// Ranges of the lines shown of a long text: the first ones, or fewer and those around the line that has the most
    /// of what was asked for.
    fn overview(&self, all: &[&str]) -> Vec<(usize, usize)> {
        // A few lines more than that are not worth a cut.
        if all.len() <= OVERVIEW + 2 {
            return vec![(0, all.len())];
        }
        let counts: Vec<usize> =
            all.iter().map(|line| self.terms.count(&line[..lines::boundary(line, LONGEST)])).collect();
        let most = |range: std::ops::Range<usize>| counts[range].iter().copied().max().unwrap_or(0);
        let best = most(OVERVIEW..all.len());
        if best <= most(0..OVERVIEW) {
            return vec![(0, OVERVIEW)];
        }
        let at = OVERVIEW + counts[OVERVIEW..].iter().position(|count| *count == best).unwrap_or(0);
        let window = OVERVIEW / 2;
        let first = (at - window / 2).min(all.len() - window);
        vec![(0, OVERVIEW - window), (first, first + window)]
    }

    /// A line with its colours, what was asked for above all.
    pub(super) fn emphasised(&self, line: &str, classes: &[(std::ops::Range<usize>, Class)]) -> String {
        if !self.style.color {
            return self.style.shown(line);
        }
        let marked = self.terms.spans(line);
        let mut cuts: Vec<usize> = vec![0, line.len()];
        cuts.extend(marked.iter().flat_map(|span| [span.start, span.end]));
        cuts.extend(classes.iter().flat_map(|(span, _)| [span.start, span.end]));
        cuts.retain(|cut| *cut <= line.len());
        cuts.sort_unstable();
        cuts.dedup();
        let (mut marks, mut parts) = (marked.iter().peekable(), classes.iter().peekable());
        let mut text = String::new();
        for pair in cuts.windows(2) {
            let (from, to) = (pair[0], pair[1]);
            while marks.next_if(|span| span.end <= from).is_some() {}
            while parts.next_if(|(span, _)| span.end <= from).is_some() {}
            let piece = inert(&line[from..to]);
            if marks.peek().is_some_and(|span| span.start <= from) {
                text.push_str(&self.style.paint(MATCH, &piece));
            } else if let Some((_, class)) = parts.peek().filter(|(span, _)| span.start <= from) {
                text.push_str(&self.style.paint(code(*class), &piece));
            } else {
                text.push_str(&piece);
            }
        }
        text
    }
}
