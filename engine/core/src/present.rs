//! A file's bytes + a place -> the text that is shown.

use seekwell_types::LineSpan;

use crate::decode::decode;
use crate::text::LineIndex;

/// The text of lines `lines` (one-based, inclusive) of a file, with its own line breaks but for the last one. Lines past
/// the end are left out; a binary file has none.
pub fn snippet(bytes: &[u8], lines: LineSpan) -> String {
    let Ok(decoded) = decode(bytes) else { return String::new() };
    let index = LineIndex::new(&decoded.text);
    let start = index.start_of(lines.start.max(1) - 1);
    let end = index.end_of(lines.end.max(1) - 1).max(start);
    let text = &decoded.text[start as usize..end as usize];
    let text = text.strip_suffix('\n').unwrap_or(text);
    text.strip_suffix('\r').unwrap_or(text).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exactly_the_lines() {
        let lines = |start, end| LineSpan { start, end };
        assert_eq!(snippet(b"a\nb\r\nc", lines(1, 2)), "a\nb");
        assert_eq!(snippet(b"a\nb\r\nc", lines(3, 3)), "c");
        assert_eq!(snippet(b"a\nb\r\nc", lines(2, 9)), "b\r\nc");
        assert_eq!(snippet(b"\xEF\xBB\xBFa\n", lines(1, 1)), "a");
        assert_eq!(snippet(b"\0", lines(1, 1)), "");
        assert_eq!(snippet(b"", lines(4, 2)), "");
    }
}
