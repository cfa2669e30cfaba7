//! Lines of a text. A line ends at `\n`, `\r\n` or `\r`, as editors and the language server protocol count them.

use seekwell_types::{ByteSpan, LineSpan};

/// Where the lines of a text begin.
pub struct LineIndex {
    /// Offset of the first byte of each line; never empty, starts with 0.
    starts: Vec<u32>,
    length: u32,
}

impl LineIndex {
    /// Finds the lines of `text`.
    pub fn new(text: &str) -> Self {
        let bytes = text.as_bytes();
        let mut starts = Vec::with_capacity(bytes.len() / 32 + 1);
        starts.push(0);
        for at in memchr::memchr2_iter(b'\n', b'\r', bytes) {
            // `\r\n` is one end of line: its `\r` is passed over here.
            if bytes[at] == b'\n' || bytes.get(at + 1) != Some(&b'\n') {
                starts.push(at as u32 + 1);
            }
        }
        Self { starts, length: bytes.len() as u32 }
    }

    /// Number of lines; a text that ends with a line break has no further, empty line.
    pub fn count(&self) -> u32 {
        let last_is_empty = self.starts.len() > 1 && self.starts.last() == Some(&self.length);
        (self.starts.len() - usize::from(last_is_empty)) as u32
    }

    /// Zero-based number of the line that holds the byte at `offset`.
    pub fn line_at(&self, offset: u32) -> u32 {
        self.starts.partition_point(|&start| start <= offset) as u32 - 1
    }

    /// Line and column of the byte at `offset`, both one-based; columns are bytes.
    pub fn place(&self, offset: u32) -> (u32, u32) {
        let line = self.line_at(offset);
        (line + 1, offset - self.start_of(line) + 1)
    }

    /// First byte of the zero-based line; the text's length past its end.
    pub fn start_of(&self, line: u32) -> u32 {
        self.starts.get(line as usize).copied().unwrap_or(self.length)
    }

    /// One past the line break of the zero-based line.
    pub fn end_of(&self, line: u32) -> u32 {
        self.start_of(line + 1)
    }

    /// The lines that `span` touches.
    pub fn lines_of(&self, span: ByteSpan) -> LineSpan {
        let last = if span.is_empty() { span.start } else { span.end - 1 };
        LineSpan { start: self.line_at(span.start) + 1, end: self.line_at(last) + 1 }
    }
}

/// One line for a reader: runs of white space become one blank, at most `limit` characters are kept.
pub fn squeeze(text: &str, limit: usize) -> String {
    let mut line = String::new();
    let mut count = 0;
    for word in text.split_whitespace() {
        if !line.is_empty() {
            line.push(' ');
            count += 1;
        }
        for c in word.chars() {
            if count >= limit {
                line.push('…');
                return line;
            }
            line.push(c);
            count += 1;
        }
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_kinds_of_line_break() {
        let index = LineIndex::new("a\nb\r\nc\rd");
        assert_eq!(index.count(), 4);
        assert_eq!([0, 1, 2, 3].map(|l| index.start_of(l)), [0, 2, 5, 7]);
        assert_eq!(index.line_at(3), 1);
        assert_eq!(index.lines_of(ByteSpan::new(2, 5)), LineSpan { start: 2, end: 2 });
        assert_eq!(index.lines_of(ByteSpan::new(2, 6)), LineSpan { start: 2, end: 3 });
    }

    #[test]
    fn last_line_with_and_without_break() {
        assert_eq!(LineIndex::new("").count(), 1);
        assert_eq!(LineIndex::new("a").count(), 1);
        assert_eq!(LineIndex::new("a\n").count(), 1);
        assert_eq!(LineIndex::new("a\n\n").count(), 2);
        assert_eq!(LineIndex::new("a\r").count(), 1);
    }

    #[test]
    fn squeezed() {
        assert_eq!(squeeze("  a\n\t b  ", 10), "a b");
        assert_eq!(squeeze("äöü", 2), "äö…");
    }
}
