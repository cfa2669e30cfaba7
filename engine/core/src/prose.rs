//! Headings of Markdown, reStructuredText and AsciiDoc as nested symbols, and the embedded blocks of host documents.

use seekwell_types::ByteSpan;

use crate::symbols::{Symbol, SymbolKind};
use crate::text::LineIndex;

/// A heading: its level (1 is the highest), the line it begins on and its words.
struct Heading {
    level: u8,
    line: u32,
    words: ByteSpan,
}

/// Sections of Markdown: `#` headings and underlined ones; fences and front matter hold none.
pub fn markdown(text: &str, lines: &LineIndex) -> Vec<Symbol> {
    let mut headings = Vec::new();
    let mut fence: Option<(u8, usize)> = None;
    let mut line = front_matter(text, lines);
    while line < lines.count() {
        let span = line_span(text, lines, line);
        let content = &text[span.range()];
        let trimmed = content.trim_start();
        let indent = content.len() - trimmed.len();
        if let Some((mark, count)) = fence {
            if run(trimmed, mark) >= count && trimmed[run(trimmed, mark)..].trim().is_empty() {
                fence = None;
            }
        } else if indent < 4 {
            let ticks = run(trimmed, b'`').max(run(trimmed, b'~'));
            let level = run(trimmed, b'#');
            if ticks >= 3 {
                fence = Some((trimmed.as_bytes()[0], ticks));
            } else if (1..=6).contains(&level) && matches!(trimmed.as_bytes().get(level), None | Some(b' ' | b'\t')) {
                let words = trimmed[level..].trim().trim_end_matches('#').trim_end();
                if !words.is_empty() {
                    headings.push(Heading { level: level as u8, line, words: span_in(text, words) });
                }
            } else if line > 0 && !trimmed.is_empty() && is_underline(trimmed, b"=-") {
                let above = line_span(text, lines, line - 1);
                let words = text[above.range()].trim();
                let is_text = !words.is_empty() && !words.starts_with(['#', '-', '*', '>', '|', '`']);
                if is_text && headings.last().is_none_or(|h| h.line < line - 1) {
                    let level = if trimmed.starts_with('=') { 1 } else { 2 };
                    headings.push(Heading { level, line: line - 1, words: span_in(text, words) });
                }
            }
        }
        line += 1;
    }
    sections(text, lines, &headings)
}

/// Sections of reStructuredText (underlined, the order of marks gives the level) and AsciiDoc (`==`).
pub fn headings(text: &str, lines: &LineIndex) -> Vec<Symbol> {
    let mut found = Vec::new();
    let mut marks: Vec<u8> = Vec::new();
    for line in 0..lines.count() {
        let content = &text[line_span(text, lines, line).range()];
        let level = run(content, b'=');
        if (1..=6).contains(&level) && content.as_bytes().get(level) == Some(&b' ') {
            let words = content[level..].trim();
            found.push(Heading { level: level as u8, line, words: span_in(text, words) });
        } else if line > 0 && content.trim_end().len() >= 3 && is_underline(content, b"=-~^\"'`*+#.:_") {
            let words = text[line_span(text, lines, line - 1).range()].trim_end();
            let starts_at_margin = words.chars().next().is_some_and(char::is_alphanumeric);
            if starts_at_margin && content.trim_end().len() + 2 >= words.chars().count() {
                let mark = content.as_bytes()[0];
                let level = marks.iter().position(|&m| m == mark).unwrap_or_else(|| {
                    marks.push(mark);
                    marks.len() - 1
                });
                found.push(Heading { level: level as u8 + 1, line: line - 1, words: span_in(text, words) });
            }
        }
    }
    sections(text, lines, &found)
}

/// `<script>` and `<style>` blocks of a host document: the words of the opening tag and the content's span.
pub fn embedded(text: &str) -> Vec<(String, ByteSpan)> {
    let mut blocks = Vec::new();
    // Astro puts its code between two lines of dashes at the top.
    if let Some(rest) = text.strip_prefix("---\n")
        && let Some(end) = rest.find("\n---")
    {
        blocks.push(("script lang=\"ts\"".to_owned(), ByteSpan::new(4, 4 + end as u32 + 1)));
    }
    let mut at = blocks.last().map_or(0, |(_, span)| span.end as usize);
    while let Some(open) = text[at..].find('<').map(|i| at + i) {
        at = open + 1;
        let Some(tag) = ["script", "style"].into_iter().find(|tag| text[at..].starts_with(tag)) else { continue };
        let Some(start) = text[at..].find('>').map(|i| at + i + 1) else { break };
        let close = format!("</{tag}");
        let end = text[start..].find(&close).map_or(text.len(), |i| start + i);
        blocks.push((text[at..start - 1].to_owned(), ByteSpan::new(start as u32, end as u32)));
        at = end;
    }
    blocks
}

/// Nests headings: a section ends where the next one of its level or above begins.
fn sections(text: &str, lines: &LineIndex, headings: &[Heading]) -> Vec<Symbol> {
    let mut symbols: Vec<Symbol> = Vec::with_capacity(headings.len());
    let mut open: Vec<(u8, u32)> = Vec::new();
    for heading in headings {
        let start = lines.start_of(heading.line);
        while let Some(&(level, index)) = open.last() {
            if level < heading.level {
                break;
            }
            close(&mut symbols[index as usize], start);
            open.pop();
        }
        let line_end = line_span(text, lines, heading.line).end;
        symbols.push(Symbol {
            on: String::new(),
            kind: SymbolKind::Section,
            name: heading.words,
            span: ByteSpan::new(start, line_end),
            extent: ByteSpan::new(start, line_end),
            signature: heading.words,
            doc: ByteSpan::new(start, start),
            parent: open.last().map(|&(_, index)| index),
        });
        open.push((heading.level, symbols.len() as u32 - 1));
    }
    for (_, index) in open {
        close(&mut symbols[index as usize], text.len() as u32);
    }
    symbols
}

fn close(section: &mut Symbol, end: u32) {
    section.span.end = end;
    section.extent.end = end;
}

/// The first line after YAML or TOML front matter; 0 if there is none.
fn front_matter(text: &str, lines: &LineIndex) -> u32 {
    let mark = text[line_span(text, lines, 0).range()].trim_end().to_owned();
    if mark != "---" && mark != "+++" {
        return 0;
    }
    (1..lines.count()).find(|&l| text[line_span(text, lines, l).range()].trim_end() == mark).map_or(0, |l| l + 1)
}

/// A line without its line break.
fn line_span(text: &str, lines: &LineIndex, line: u32) -> ByteSpan {
    let span = ByteSpan::new(lines.start_of(line), lines.end_of(line));
    let length = text[span.range()].trim_end_matches(['\n', '\r']).len() as u32;
    ByteSpan::new(span.start, span.start + length)
}

/// How many times `mark` stands at the start.
fn run(text: &str, mark: u8) -> usize {
    text.bytes().take_while(|&b| b == mark).count()
}

fn is_underline(content: &str, marks: &[u8]) -> bool {
    let content = content.trim_end();
    content.bytes().next().is_some_and(|mark| marks.contains(&mark) && run(content, mark) == content.len())
}

/// Where `part`, a slice of `text`, stands.
fn span_in(text: &str, part: &str) -> ByteSpan {
    let start = (part.as_ptr().addr() - text.as_ptr().addr()) as u32;
    ByteSpan::new(start, start + part.len() as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outline(symbols: &[Symbol], text: &str) -> Vec<(String, Option<u32>, String)> {
        let first = |s: &Symbol| text[s.span.range()].lines().last().unwrap_or_default().to_owned();
        symbols.iter().map(|s| (text[s.name.range()].to_owned(), s.parent, first(s))).collect()
    }

    #[test]
    fn markdown_nests_and_passes_fences() {
        let text = "---\n# no: heading\n---\n# A #\n\n## B\n```sh\n# no heading\n```\nb\n\nC\n===\nlast\n";
        let symbols = markdown(text, &LineIndex::new(text));
        let found = outline(&symbols, text);
        assert_eq!(found[0], ("A".into(), None, String::new()));
        assert_eq!(found[1], ("B".into(), Some(0), String::new()));
        assert_eq!(found[2], ("C".into(), None, "last".into()));
        assert_eq!(found.len(), 3);
    }

    #[test]
    fn rst_levels_by_order_of_marks() {
        let text = "Title\n=====\n\nPart\n----\n\ntext\n\nNext\n----\n";
        let found = outline(&headings(text, &LineIndex::new(text)), text);
        let parents: Vec<_> = found.iter().map(|(name, parent, _)| (name.as_str(), *parent)).collect();
        assert_eq!(parents, [("Title", None), ("Part", Some(0)), ("Next", Some(0))]);
    }

    #[test]
    fn asciidoc_levels_by_count() {
        let text = "= Title\n\n== Part\ntext\n";
        let found = outline(&headings(text, &LineIndex::new(text)), text);
        assert_eq!(found[1].1, Some(0));
    }

    #[test]
    fn blocks_of_vue() {
        let text =
            "<template><p/></template>\n<script setup lang=\"ts\">\nconst a = 1\n</script>\n<style>\nb {}\n</style>\n";
        let blocks = embedded(text);
        assert_eq!(blocks.len(), 2);
        assert_eq!(blocks[0].0, "script setup lang=\"ts\"");
        assert_eq!(&text[blocks[0].1.range()], "\nconst a = 1\n");
    }
}
