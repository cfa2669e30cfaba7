//! Bytes on disk -> text, with the way back from offsets in the text to offsets on disk.
//!
//! UTF-8 is taken as it is (a byte order mark is passed over), UTF-16 is decoded when a byte order mark says so, and
//! everything else is read as Latin-1, byte by byte: nothing gets lost, but the reader is told.

use std::borrow::Cow;

use seekwell_types::ByteSpan;

/// How many bytes are looked at for a NUL, which makes a file binary. git looks at as many.
const SNIFF_BYTES: usize = 8000;

/// Above this share of control characters, bytes that are not UTF-8 are data and not Latin-1 text.
const CONTROL_SHARE: f32 = 0.1;

/// The encodings that are told apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// UTF-8 without a byte order mark.
    Utf8,
    /// UTF-8 behind a byte order mark of three bytes.
    Utf8Bom,
    /// UTF-16, low byte first, behind its byte order mark.
    Utf16Le,
    /// UTF-16, high byte first, behind its byte order mark.
    Utf16Be,
    /// Anything else: each byte is the character of that number.
    Latin1,
}

impl Encoding {
    /// The word used in answers.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Utf8 => "utf-8",
            Self::Utf8Bom => "utf-8-bom",
            Self::Utf16Le => "utf-16le",
            Self::Utf16Be => "utf-16be",
            Self::Latin1 => "latin-1",
        }
    }
}

/// A decoded file.
#[derive(Debug)]
pub struct Decoded<'a> {
    /// The text, without a byte order mark.
    pub text: Cow<'a, str>,
    /// What it was decoded from.
    pub encoding: Encoding,
    /// Whether characters may be wrong: Latin-1 was a guess, or UTF-16 held half pairs.
    pub lossy: bool,
}

/// The bytes are not text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Binary;

/// Decodes a file, or says that it is binary.
pub fn decode(bytes: &[u8]) -> Result<Decoded<'_>, Binary> {
    if let Some(rest) = bytes.strip_prefix(b"\xEF\xBB\xBF") {
        return utf8_or_latin1(rest, Encoding::Utf8Bom);
    }
    if let Some(rest) = bytes.strip_prefix(b"\xFF\xFE") {
        return Ok(utf16(rest, u16::from_le_bytes, Encoding::Utf16Le));
    }
    if let Some(rest) = bytes.strip_prefix(b"\xFE\xFF") {
        return Ok(utf16(rest, u16::from_be_bytes, Encoding::Utf16Be));
    }
    utf8_or_latin1(bytes, Encoding::Utf8)
}

fn utf8_or_latin1(bytes: &[u8], encoding: Encoding) -> Result<Decoded<'_>, Binary> {
    let head = &bytes[..bytes.len().min(SNIFF_BYTES)];
    if memchr::memchr(0, head).is_some() || head.starts_with(b"%PDF-") {
        return Err(Binary);
    }
    if let Ok(text) = std::str::from_utf8(bytes) {
        return Ok(Decoded { text: Cow::Borrowed(text), encoding, lossy: false });
    }
    let control = head.iter().filter(|b| matches!(b, 0..=8 | 14..=26 | 28..=31 | 127)).count();
    if control as f32 > head.len() as f32 * CONTROL_SHARE {
        return Err(Binary);
    }

    let text: String = bytes.iter().map(|&b| char::from(b)).collect();
    let encoding = if encoding == Encoding::Utf8Bom { Encoding::Utf8Bom } else { Encoding::Latin1 };
    Ok(Decoded { text: Cow::Owned(text), encoding, lossy: true })
}

fn utf16<'a>(bytes: &[u8], unit: fn([u8; 2]) -> u16, encoding: Encoding) -> Decoded<'a> {
    let units = bytes.chunks_exact(2).map(|pair| unit([pair[0], pair[1]]));
    let mut lossy = bytes.len() % 2 == 1;
    let text = char::decode_utf16(units)
        .map(|c| {
            lossy |= c.is_err();
            c.unwrap_or(char::REPLACEMENT_CHARACTER)
        })
        .collect::<String>();
    Decoded { text: Cow::Owned(text), encoding, lossy }
}

impl Decoded<'_> {
    /// Turns spans of the text into spans of the file on disk, in place. They may come in any order.
    pub fn to_disk<'s>(&self, spans: impl Iterator<Item = &'s mut ByteSpan>) {
        match (self.encoding, self.lossy) {
            (Encoding::Utf8, _) => {}
            (Encoding::Utf8Bom, false) => spans.for_each(|s| *s = ByteSpan::new(s.start + 3, s.end + 3)),
            _ => {
                let map = self.disk_offsets();
                spans.for_each(|s| *s = ByteSpan::new(map(s.start), map(s.end)));
            }
        }
    }

    /// A function from text offsets to disk offsets, for encodings where each character has its own width.
    fn disk_offsets(&self) -> impl Fn(u32) -> u32 {
        let (mark, width): (u32, fn(char) -> u32) = match self.encoding {
            Encoding::Utf16Le | Encoding::Utf16Be => (2, |c| c.len_utf16() as u32 * 2),
            Encoding::Utf8Bom => (3, |_| 1),
            Encoding::Utf8 | Encoding::Latin1 => (0, |_| 1),
        };
        let mut table = Vec::with_capacity(self.text.len() + 1);
        let mut at = mark;
        for c in self.text.chars() {
            table.extend(std::iter::repeat_n(at, c.len_utf8()));
            at += width(c);
        }
        table.push(at);
        move |offset| table[(offset as usize).min(table.len() - 1)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spans(bytes: &[u8], needle: &str) -> ByteSpan {
        let decoded = decode(bytes).expect("text");
        let at = decoded.text.find(needle).expect("needle") as u32;
        let mut span = ByteSpan::new(at, at + needle.len() as u32);
        decoded.to_disk(std::iter::once(&mut span));
        span
    }

    #[test]
    fn utf8_with_and_without_mark() {
        assert_eq!(spans("ä = 1".as_bytes(), "="), ByteSpan::new(3, 4));
        assert_eq!(spans("\u{FEFF}ä = 1".as_bytes(), "="), ByteSpan::new(6, 7));
    }

    #[test]
    fn utf16_both_ways() {
        for big in [false, true] {
            let bytes: Vec<u8> = "\u{FEFF}😀 = 1"
                .encode_utf16()
                .flat_map(|u| if big { u.to_be_bytes() } else { u.to_le_bytes() })
                .collect();
            assert_eq!(spans(&bytes, "="), ByteSpan::new(8, 10));
        }
    }

    #[test]
    fn latin1_is_lossy_and_keeps_offsets() {
        let bytes = b"caf\xE9 = 1";
        let decoded = decode(bytes).expect("text");
        assert!(decoded.lossy);
        assert_eq!(decoded.encoding, Encoding::Latin1);
        assert_eq!(spans(bytes, "="), ByteSpan::new(5, 6));
        assert_eq!(spans(b"\xEF\xBB\xBFcaf\xE9 = 1", "="), ByteSpan::new(8, 9));
    }

    #[test]
    fn binary_by_content() {
        assert_eq!(decode(b"\x7FELF\0\0").expect_err("binary"), Binary);
        assert_eq!(decode(b"%PDF-1.7 no NUL here").expect_err("binary"), Binary);
        assert!(decode(b"").is_ok());
    }
}
