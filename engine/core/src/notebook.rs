//! Jupyter notebooks: the code of their cells, with the way back from each byte of it to the file.
//!
//! A notebook is JSON, and a cell's source a list of strings. The strings of one cell are joined and unescaped to what the
//! cell's language can parse; what is found there is told at its place in the JSON.

use seekwell_types::ByteSpan;

/// The code of one cell.
#[derive(Debug, Default)]
pub struct Cell {
    /// The source, unescaped.
    pub source: String,
    /// Where each byte of the source stands in the file.
    places: Vec<u32>,
}

impl Cell {
    /// Where a span of the source stands in the file.
    pub fn place(&self, span: ByteSpan) -> ByteSpan {
        let at = |i: u32| self.places.get(i as usize).copied();
        let start = at(span.start).or_else(|| self.places.last().map(|&p| p + 1)).unwrap_or(0);
        if span.is_empty() {
            return ByteSpan::new(start, start);
        }
        let last = at(span.end - 1).unwrap_or(start);
        ByteSpan::new(start, last.max(start) + 1)
    }

    fn push(&mut self, c: char, place: u32, raw: bool) {
        // Lines for IPython or the shell are none of the language's.
        let magic = matches!(c, '%' | '!') && (self.source.is_empty() || self.source.ends_with('\n'));
        self.source.push(if magic { '#' } else { c });
        self.places.extend((0..c.len_utf8() as u32).map(|i| place + if raw { i } else { 0 }));
    }
}

/// The language of a notebook's code, as its kernel calls it; Python if it does not say.
pub fn language(text: &str) -> &str {
    let key = "\"language\":";
    let named = text.rfind(key).and_then(|at| {
        let value = text[at + key.len()..].trim_start().strip_prefix('"')?;
        value.split('"').next()
    });
    named.filter(|name| !name.is_empty()).unwrap_or("python")
}

/// The code cells of a notebook, in order.
pub fn cells(text: &str) -> Vec<Cell> {
    let mut cells = Vec::new();
    let mut is_code = false;
    let mut at = 0;
    while let Some((key, after)) = next_string(text, at) {
        at = after;
        let rest = text[at..].trim_start();
        let Some(value) = rest.strip_prefix(':') else { continue };
        let value = text.len() - value.trim_start().len();
        match &text[key.range()] {
            "cell_type" => is_code = text[value..].starts_with("\"code\""),
            "source" => {
                let (cell, end) = source(text, value);
                at = end;
                if is_code && !cell.source.is_empty() {
                    cells.push(cell);
                }
            }
            _ => {}
        }
    }
    cells
}

/// The string or list of strings that begins at `at`, joined, and where it ends.
fn source(text: &str, mut at: usize) -> (Cell, usize) {
    let mut cell = Cell::default();
    let list = text[at..].starts_with('[');
    at += usize::from(list);
    loop {
        let next = text.len() - text[at..].trim_start_matches([' ', '\n', '\r', '\t', ',']).len();
        if !text[next..].starts_with('"') {
            return (cell, next + usize::from(text[next..].starts_with(']')));
        }
        let Some((content, end)) = next_string(text, next) else { return (cell, text.len()) };
        unescape(text, content, &mut cell);
        at = end;
        if !list {
            return (cell, at);
        }
    }
}

/// The content of the first JSON string from `at` on, and the offset behind its closing quote.
fn next_string(text: &str, at: usize) -> Option<(ByteSpan, usize)> {
    let bytes = text.as_bytes();
    let start = at + memchr::memchr(b'"', bytes.get(at..)?)? + 1;
    let mut end = start;
    loop {
        end += memchr::memchr2(b'"', b'\\', bytes.get(end..)?)?;
        if bytes[end] == b'"' {
            return Some((ByteSpan::new(start as u32, end as u32), end + 1));
        }
        end += 2;
    }
}

fn unescape(text: &str, content: ByteSpan, cell: &mut Cell) {
    let mut chars = text[content.range()].char_indices();
    while let Some((at, c)) = chars.next() {
        let place = content.start + at as u32;
        if c != '\\' {
            cell.push(c, place, true);
            continue;
        }
        let c = match chars.next().map(|(_, c)| c) {
            Some('n') => '\n',
            Some('t') => '\t',
            Some('r') => '\r',
            Some('u') => {
                let code = chars.as_str().get(..4).and_then(|hex| u32::from_str_radix(hex, 16).ok());
                chars.by_ref().take(4).for_each(|_| ());
                code.and_then(char::from_u32).unwrap_or(char::REPLACEMENT_CHARACTER)
            }
            Some(c) => c,
            None => return,
        };
        cell.push(c, place, false);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOTEBOOK: &str = r#"{"cells": [
 {"cell_type": "markdown", "source": ["def not_code(): pass"]},
 {"cell_type": "code", "outputs": [{"data": {"image/png": "iVBORw0KGgo="}}], "source": [
  "%matplotlib inline\n",
  "def \u00e4hnlich(x):\n",
  "    return \"ü\"\n"
 ]},
 {"cell_type": "code", "source": "x = 1"}
], "metadata": {"kernelspec": {"language": "julia"}}}"#;

    #[test]
    fn code_and_where_it_stands() {
        let cells = cells(NOTEBOOK);
        assert_eq!(cells.len(), 2);
        assert_eq!(cells[0].source, "#matplotlib inline\ndef ähnlich(x):\n    return \"ü\"\n");
        assert_eq!(cells[1].source, "x = 1");
        let at = cells[0].source.find("return").expect("return") as u32;
        assert_eq!(&NOTEBOOK[cells[0].place(ByteSpan::new(at, at + 6)).range()], "return");
        let name = cells[0].source.find("ähnlich").expect("name") as u32;
        assert_eq!(&NOTEBOOK[cells[0].place(ByteSpan::new(name, name + 8)).range()], "\\u00e4hnlich");
        assert_eq!(language(NOTEBOOK), "julia");
        assert_eq!(language("{}"), "python");
    }

    #[test]
    fn broken_notebooks_have_what_can_be_read() {
        for cut in 0..NOTEBOOK.len() {
            if NOTEBOOK.is_char_boundary(cut) {
                cells(&NOTEBOOK[..cut]);
            }
        }
        assert!(cells("\"source\": [\"\\").is_empty());
    }
}
