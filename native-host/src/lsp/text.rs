//! Texts as the protocol counts them: lines, columns in the units that were agreed, edits.
//!
//! A line ends at `\n`, `\r\n` or `\r` and at nothing else, which is the engine's rule, too. Columns are code units of the
//! agreed encoding; a column past the end of its line means the end, and one inside of a character means its start.

use std::ops::Range;
use std::sync::Arc;

use lsp_types::{Position, PositionEncodingKind};

/// What a column counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Encoding {
    /// Bytes.
    Utf8,
    /// Code units of UTF-16: two for what lies beyond the basic plane, such as most emoji.
    #[default]
    Utf16,
    /// Characters (scalar values).
    Utf32,
}

impl Encoding {
    /// The one to use with a client that offers these, in its order of preference; UTF-16 if it offers none.
    pub fn agreed(offered: Option<&[PositionEncodingKind]>) -> Self {
        let known = |kind: &PositionEncodingKind| match kind.as_str() {
            "utf-8" => Some(Self::Utf8),
            "utf-16" => Some(Self::Utf16),
            "utf-32" => Some(Self::Utf32),
            _ => None,
        };
        offered.unwrap_or_default().iter().find_map(known).unwrap_or_default()
    }

    /// The protocol's word.
    pub fn kind(self) -> PositionEncodingKind {
        match self {
            Self::Utf8 => PositionEncodingKind::UTF8,
            Self::Utf16 => PositionEncodingKind::UTF16,
            Self::Utf32 => PositionEncodingKind::UTF32,
        }
    }

    fn units(self, c: char) -> usize {
        match self {
            Self::Utf8 => c.len_utf8(),
            Self::Utf16 => c.len_utf16(),
            Self::Utf32 => 1,
        }
    }

    /// How many units a text is.
    fn length(self, text: &str) -> usize {
        match self {
            Self::Utf8 => text.len(),
            _ if text.is_ascii() => text.len(),
            _ => text.chars().map(|c| self.units(c)).sum(),
        }
    }
}

/// A text with its lines.
#[derive(Clone, Debug)]
pub struct Text {
    text: Arc<str>,
    /// First byte of each line; the last line may be empty.
    starts: Vec<u32>,
}

impl Text {
    /// Finds the lines of a text.
    pub fn new(text: impl Into<Arc<str>>) -> Self {
        let text = text.into();
        let bytes = text.as_bytes();
        let mut starts = vec![0];
        for at in memchr::memchr2_iter(b'\n', b'\r', bytes) {
            // `\r\n` is one end of line: its `\r` is passed over here.
            if bytes[at] == b'\n' || bytes.get(at + 1) != Some(&b'\n') {
                starts.push(at as u32 + 1);
            }
        }
        Self { text, starts }
    }

    /// The text itself.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The bytes of a line, counted from 0, without its end; empty past the last line.
    pub fn line(&self, line: usize) -> Range<usize> {
        let Some(&start) = self.starts.get(line) else { return self.text.len()..self.text.len() };
        let start = start as usize;
        let end = self.starts.get(line + 1).map_or(self.text.len(), |&next| next as usize);
        let content = self.text[start..end].trim_end_matches(['\n', '\r']);
        start..start + content.len()
    }

    /// The byte at a position.
    pub fn offset(&self, position: Position, encoding: Encoding) -> usize {
        let line = self.line(position.line as usize);
        let mut left = position.character as usize;
        for (at, c) in self.text[line.clone()].char_indices() {
            let units = encoding.units(c);
            if left < units {
                return line.start + at;
            }
            left -= units;
        }
        line.end
    }

    /// The position of a byte. A byte inside of an end of line, or of a character, is at its start.
    pub fn position(&self, offset: usize, encoding: Encoding) -> Position {
        let offset = self.text.floor_char_boundary(offset.min(self.text.len()));
        let line = self.starts.partition_point(|&start| start as usize <= offset) - 1;
        let content = self.line(line);
        let end = offset.min(content.end);
        let column = encoding.length(&self.text[content.start..end]);
        Position::new(line as u32, column as u32)
    }

    /// The range of some bytes.
    pub fn range(&self, bytes: Range<usize>, encoding: Encoding) -> lsp_types::Range {
        lsp_types::Range::new(self.position(bytes.start, encoding), self.position(bytes.end.max(bytes.start), encoding))
    }

    /// The byte at the engine's line and column: both one-based, the column in bytes.
    pub fn at(&self, line: u32, column: u32) -> usize {
        let line = self.line(line.max(1) as usize - 1);
        self.text.floor_char_boundary((line.start + column.max(1) as usize - 1).min(line.end))
    }

    /// The engine's line and column of a byte.
    pub fn place(&self, offset: usize) -> (u32, u32) {
        let offset = offset.min(self.text.len());
        let line = self.starts.partition_point(|&start| start as usize <= offset) - 1;
        (line as u32 + 1, (offset - self.starts[line] as usize) as u32 + 1)
    }

    /// The text after an edit; without a range, the edit is the whole text.
    pub fn edited(&self, range: Option<lsp_types::Range>, new: &str, encoding: Encoding) -> Self {
        let Some(range) = range else { return Self::new(new) };
        let start = self.offset(range.start, encoding);
        let end = self.offset(range.end, encoding).max(start);
        let mut text = String::with_capacity(self.text.len() - (end - start) + new.len());
        text.push_str(&self.text[..start]);
        text.push_str(new);
        text.push_str(&self.text[end..]);
        Self::new(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const ALL: [Encoding; 3] = [Encoding::Utf8, Encoding::Utf16, Encoding::Utf32];

    fn kinds(words: &[&'static str]) -> Vec<PositionEncodingKind> {
        words.iter().map(|&word| PositionEncodingKind::new(word)).collect()
    }

    #[test]
    fn the_clients_order_counts() {
        assert_eq!(Encoding::agreed(None), Encoding::Utf16);
        assert_eq!(Encoding::agreed(Some(&kinds(&["utf-7"]))), Encoding::Utf16);
        assert_eq!(Encoding::agreed(Some(&kinds(&["utf-32", "utf-8"]))), Encoding::Utf32);
        assert_eq!(Encoding::agreed(Some(&kinds(&["utf-8", "utf-16"]))), Encoding::Utf8);
    }

    #[test]
    fn columns_after_an_emoji_and_a_combining_mark() {
        // The family is five characters, of which four are pairs; the mark is one of its own.
        let text = Text::new("👩‍👩‍👧 e\u{301} x = 1");
        let at = text.as_str().find('x').unwrap();
        let columns = ALL.map(|encoding| text.position(at, encoding).character);
        assert_eq!(columns, [at as u32, 12, 9]);
        for (encoding, column) in ALL.into_iter().zip(columns) {
            assert_eq!(text.offset(Position::new(0, column), encoding), at);
        }
    }

    #[test]
    fn three_kinds_of_line_end() {
        let text = Text::new("a\nb\r\nc\rd\u{2028}e\u{85}f");
        let lines: Vec<&str> = (0..5).map(|line| &text.as_str()[text.line(line)]).collect();
        assert_eq!(lines, ["a", "b", "c", "d\u{2028}e\u{85}f", ""]);
        assert_eq!(text.position(4, Encoding::Utf8), Position::new(1, 1), "inside of an end of line");
        assert_eq!(Text::new("a\n").position(2, Encoding::Utf8), Position::new(1, 0));
    }

    #[test]
    fn positions_past_the_end_and_inside_of_a_character() {
        let text = Text::new("é😀\nx");
        assert_eq!(text.offset(Position::new(0, 99), Encoding::Utf16), 6);
        assert_eq!(text.offset(Position::new(9, 0), Encoding::Utf16), 8);
        assert_eq!(text.offset(Position::new(0, 2), Encoding::Utf16), 2, "between the halves of a pair");
        assert_eq!(text.offset(Position::new(0, 1), Encoding::Utf8), 0);
    }

    #[test]
    fn edits() {
        let text = Text::new("one\r\ntwo\r\n");
        let range = |a, b, c, d| Some(lsp_types::Range::new(Position::new(a, b), Position::new(c, d)));
        let edited = |r, new| text.edited(r, new, Encoding::Utf16).as_str().to_owned();
        assert_eq!(edited(range(0, 3, 1, 0), " "), "one two\r\n");
        assert_eq!(edited(range(2, 0, 2, 0), "three"), "one\r\ntwo\r\nthree");
        assert_eq!(edited(range(0, 0, 99, 0), ""), "");
        assert_eq!(edited(None, "new"), "new");
        assert_eq!(
            edited(range(1, 2, 0, 1), "X"),
            "one\r\ntwX".to_owned() + "o\r\n",
            "a range that is turned round is empty"
        );
    }

    /// Texts with what makes positions hard.
    fn texts() -> impl Strategy<Value = String> {
        let part = prop_oneof![
            Just("\n".to_owned()),
            Just("\r\n".to_owned()),
            Just("\r".to_owned()),
            Just("😀".to_owned()),
            Just("e\u{301}".to_owned()),
            Just("\u{2028}".to_owned()),
            "[a-zéß漢 ]{0,4}",
        ];
        proptest::collection::vec(part, 0..24).prop_map(|parts| parts.concat())
    }

    proptest! {
        #[test]
        fn there_and_back(text in texts(), at in 0usize..200) {
            let text = Text::new(text);
            let at = text.as_str().floor_char_boundary(at.min(text.as_str().len()));
            for encoding in ALL {
                let position = text.position(at, encoding);
                let back = text.offset(position, encoding);
                // Only the byte between `\r` and `\n` has no position of its own.
                let inside = text.as_str()[..at].ends_with('\r') && text.as_str()[at..].starts_with('\n');
                prop_assert_eq!(back, if inside { at - 1 } else { at });
                prop_assert_eq!(text.position(back, encoding), position);
            }
            let (line, column) = text.place(at);
            let inside = text.as_str()[..at].ends_with('\r') && text.as_str()[at..].starts_with('\n');
            prop_assert!(inside || text.at(line, column) == at);
        }

        #[test]
        fn columns_count_units(text in texts(), at in 0usize..200) {
            let text = Text::new(text);
            let at = text.as_str().floor_char_boundary(at.min(text.as_str().len()));
            let line_start = text.as_str()[..at].rfind(['\n', '\r']).map_or(0, |end| end + 1);
            let before = &text.as_str()[line_start..at];
            let expected = [before.len(), before.encode_utf16().count(), before.chars().count()];
            if !(before.is_empty() && text.as_str()[at..].starts_with('\n') && text.as_str()[..at].ends_with('\r')) {
                for (encoding, expected) in ALL.into_iter().zip(expected) {
                    prop_assert_eq!(text.position(at, encoding).character as usize, expected);
                }
            }
        }

        #[test]
        fn any_position_is_a_place(text in texts(), line in 0u32..40, character in 0u32..40) {
            let text = Text::new(text);
            for encoding in ALL {
                let at = text.offset(Position::new(line, character), encoding);
                prop_assert!(text.as_str().is_char_boundary(at));
            }
        }

        #[test]
        fn edits_one_after_the_other_give_the_new_text(old in texts(), new in texts(), from in 0usize..60, to in 0usize..60) {
            let text = Text::new(old.clone());
            let (from, to) = (from.min(to).min(old.len()), from.max(to).min(old.len()));
            let (from, to) = (old.floor_char_boundary(from), old.floor_char_boundary(to));
            for encoding in ALL {
                let range = text.range(from..to, encoding);
                let (start, end) = (text.offset(range.start, encoding), text.offset(range.end, encoding));
                let expected = format!("{}{new}{}", &old[..start], &old[end..]);
                let edited = text.edited(Some(range), &new, encoding);
                prop_assert_eq!(edited.as_str(), expected);
            }
        }
    }
}
