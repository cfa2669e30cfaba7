//! Text + symbols -> chunks: the places that are ranked and shown.
//!
//! Chunks follow definitions. A definition that fits is one chunk with its comments, attributes and decorators; a
//! larger one that holds others becomes a header and is descended into; a larger one that holds none is cut at blank
//! lines. Small neighbours in one container are merged. The chunks of a file are in order, do not overlap, begin and
//! end at line breaks and cover every byte.

use seekwell_types::ByteSpan;

use crate::symbols::Symbol;
use crate::text::LineIndex;

/// A definition of up to this many bytes is one chunk.
///
/// The three sizes come from a laboratory run over 41 repositories, where they were flat within a third either way.
const WHOLE_DEFINITION: u32 = 1_100;
/// Where longer text without structure is cut.
const WINDOW: u32 = 800;
/// Neighbours are merged up to this many bytes.
const MERGED: u32 = 750;
/// Definitions nested deeper than this are cut as text; real code stays below ten.
const DEEPEST: u32 = 24;

/// A piece of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chunk {
    /// Its bytes in the text.
    pub span: ByteSpan,
    /// The symbol it shows: the first one defined in it, or the one that it is a part of.
    pub symbol: Option<u32>,
}

/// Cuts a text into chunks. `symbols` come sorted by start, parents before their children.
pub fn chunks(text: &str, lines: &LineIndex, symbols: &[Symbol]) -> Vec<Chunk> {
    let mut children: Vec<Vec<u32>> = vec![Vec::new(); symbols.len() + 1];
    for (i, symbol) in symbols.iter().enumerate() {
        children[symbol.parent.map_or(0, |p| p as usize + 1)].push(i as u32);
    }
    let mut cutter = Cutter { text, lines, symbols, children, out: Vec::new() };
    cutter.container(ByteSpan::new(0, text.len() as u32), None, 0);
    cutter.out
}

struct Cutter<'a> {
    text: &'a str,
    lines: &'a LineIndex,
    symbols: &'a [Symbol],
    /// Children of symbol `i` at `i + 1`; of the file at 0.
    children: Vec<Vec<u32>>,
    out: Vec<Chunk>,
}

/// A part of a container, before merging.
struct Unit {
    span: ByteSpan,
    symbol: Option<u32>,
    /// Whether it may share a chunk with its neighbours.
    merges: bool,
}

impl Cutter<'_> {
    /// Cuts a file or a definition that holds others; `span` begins and ends at line breaks.
    fn container(&mut self, span: ByteSpan, owner: Option<u32>, depth: u32) {
        let members = std::mem::take(&mut self.children[owner.map_or(0, |o| o as usize + 1)]);
        let mut pending: Vec<Unit> = Vec::new();
        let mut at = span.start;
        for &member in &members {
            let place = self.whole_lines(self.symbols[member as usize].extent, at, span.end);
            if place.is_empty() {
                continue;
            }
            self.gap(ByteSpan::new(at, place.start), owner, &mut pending);
            at = place.end;
            let holds_others = depth < DEEPEST && !self.children[member as usize + 1].is_empty();
            if place.len() <= WHOLE_DEFINITION {
                pending.push(Unit { span: place, symbol: Some(member), merges: true });
            } else if holds_others {
                self.flush(&mut pending, owner);
                self.container(place, Some(member), depth + 1);
            } else {
                self.windows(place, Some(member), false, &mut pending);
            }
        }
        self.gap(ByteSpan::new(at, span.end), owner, &mut pending);
        self.flush(&mut pending, owner);
    }

    /// A definition's extent, widened to whole lines, within what is left of its container.
    fn whole_lines(&self, extent: ByteSpan, from: u32, to: u32) -> ByteSpan {
        let start = self.lines.start_of(self.lines.line_at(extent.start)).max(from);
        let last = extent.end.max(extent.start + 1) - 1;
        let end = self.lines.end_of(self.lines.line_at(last)).min(to);
        ByteSpan::new(start.min(to), end.max(start.min(to)))
    }

    /// Text between definitions.
    fn gap(&self, span: ByteSpan, owner: Option<u32>, pending: &mut Vec<Unit>) {
        if span.is_empty() {
            return;
        }
        if span.len() <= WINDOW {
            // A header is what is shown for its definition: no member is hidden in it.
            pending.push(Unit { span, symbol: owner, merges: !self.names(owner, span) });
        } else {
            self.windows(span, owner, true, pending);
        }
    }

    /// Cuts text near every [`WINDOW`] bytes, at the last blank line in the second half of the window if there is one.
    fn windows(&self, span: ByteSpan, symbol: Option<u32>, merges: bool, pending: &mut Vec<Unit>) {
        let mut start = span.start;
        while start < span.end {
            let mut end = start;
            let mut blank = None;
            let mut line = self.lines.line_at(start);
            while end < span.end && (end == start || self.lines.end_of(line) - start <= WINDOW) {
                end = self.lines.end_of(line).min(span.end);
                let is_blank = self.text[self.lines.start_of(line) as usize..end as usize].trim().is_empty();
                if is_blank && end - start >= WINDOW / 2 {
                    blank = Some(end);
                }
                line += 1;
            }
            // The rest is not worth a window of its own.
            if span.end - end < WINDOW / 4 && span.end - start <= WHOLE_DEFINITION {
                end = span.end;
            } else if end < span.end {
                end = blank.unwrap_or(end);
            }
            pending.push(Unit { span: ByteSpan::new(start, end), symbol, merges });
            start = end;
        }
    }

    /// Whether the owner's own name stands in `span`: then it is the header.
    fn names(&self, owner: Option<u32>, span: ByteSpan) -> bool {
        owner.is_some_and(|o| span.contains(self.symbols[o as usize].name))
    }

    /// Merges small neighbours and writes them out.
    fn flush(&mut self, pending: &mut Vec<Unit>, owner: Option<u32>) {
        let mut current: Option<Unit> = None;
        for unit in pending.drain(..) {
            // Closing braces and blank lines belong to what they close.
            let blank = !self.text[unit.span.range()].bytes().any(|b| b.is_ascii_alphanumeric() || b >= 128);
            match &mut current {
                Some(merged)
                    if blank || (merged.merges && unit.merges && unit.span.end - merged.span.start <= MERGED) =>
                {
                    merged.span.end = unit.span.end;
                    if merged.symbol == owner && !self.names(owner, merged.span) {
                        merged.symbol = unit.symbol;
                    }
                }
                _ => {
                    self.out.extend(current.take().map(|u| Chunk { span: u.span, symbol: u.symbol }));
                    current = Some(unit);
                }
            }
        }
        self.out.extend(current.map(|u| Chunk { span: u.span, symbol: u.symbol }));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::symbols::SymbolKind;
    use proptest::prelude::*;

    fn symbol(start: u32, end: u32, parent: Option<u32>) -> Symbol {
        let span = ByteSpan::new(start, end);
        let name = ByteSpan::new(start, start);
        Symbol {
            kind: SymbolKind::Function,
            name,
            on: String::new(),
            span,
            extent: span,
            signature: name,
            doc: name,
            parent,
        }
    }

    fn cut(text: &str, symbols: &[Symbol]) -> Vec<Chunk> {
        chunks(text, &LineIndex::new(text), symbols)
    }

    #[test]
    fn definitions_are_chunks() {
        let body = "x".repeat(500);
        let text = format!("use a;\n\nfn one {{\n{body}\n}}\n\nfn two {{\n{body}\n}}\n");
        let two = text.find("fn two").expect("two") as u32;
        let symbols = [symbol(8, two - 2, None), symbol(two, text.len() as u32 - 1, None)];
        let cut = cut(&text, &symbols);
        assert_eq!(cut.len(), 2);
        assert_eq!(cut[0].symbol, Some(0));
        assert_eq!(&text[cut[1].span.range()], &text[two as usize..]);
    }

    #[test]
    fn a_large_container_is_a_header_and_its_members() {
        let body = "x".repeat(700);
        let text = format!("class A {{\n  int f;\n  m {{\n{body}\n}}\n  n {{\n{body}\n}}\n}}\n");
        let m = text.find("  m").expect("m") as u32 + 2;
        let n = text.find("  n").expect("n") as u32 + 2;
        let end = text.len() as u32 - 1;
        let symbols = [symbol(0, end, None), symbol(m, n - 3, Some(0)), symbol(n, end - 2, Some(0))];
        let shown: Vec<_> = cut(&text, &symbols).iter().map(|c| c.symbol).collect();
        assert_eq!(shown, [Some(0), Some(1), Some(2)]);
    }

    proptest! {
        #[test]
        fn chunks_cover_the_text(
            lines in prop::collection::vec("[a-z ]{0,60}", 0..80),
            cuts in prop::collection::vec((0u32..3000, 0u32..3000), 0..12),
        ) {
            let text = lines.join("\n");
            let n = text.len() as u32;
            let mut spans: Vec<(u32, u32)> = cuts.iter().map(|&(a, b)| (a.min(b).min(n), a.max(b).min(n))).collect();
            spans.sort_by_key(|&(a, b)| (a, std::cmp::Reverse(b)));
            let mut symbols: Vec<Symbol> = Vec::new();
            for (a, b) in spans {
                let parent = symbols.iter().rposition(|s| s.span.start <= a && b <= s.span.end).map(|p| p as u32);
                let crosses = symbols.iter().any(|s| s.span.start < b && a < s.span.end && !(s.span.start <= a && b <= s.span.end));
                if a < b && !crosses {
                    symbols.push(symbol(a, b, parent));
                }
            }
            let mut at = 0;
            for chunk in cut(&text, &symbols) {
                prop_assert_eq!(chunk.span.start, at);
                prop_assert!(chunk.span.end > at);
                at = chunk.span.end;
            }
            prop_assert_eq!(at, n);
        }
    }
}
