//! What the BERT normalizer and pre-tokenizer do to each character, computed once for all of Unicode.
//!
//! A code point's *class* (`u16`) is found through a block index (128 code points a block). Small classes say what
//! happens; from `MAPPED` on it is an index into `maps`, where the characters that take its place stand. A map entry is
//! `last << 31 | isolated << 30 | character`. The meaning of each class is explained in `src/chars.rs`.
//!
//! What a character becomes depends on its neighbours in one way only: NFD sorts combining marks. Nonspacing marks are
//! then dropped, and a word that holds any other mark with a combining class is unknown whatever the order, as long as
//! no token holds one. `build` makes sure of that, and the sorting is left out.

use unicode_categories::UnicodeCategories as _;
use unicode_normalization_alignments::char::{canonical_combining_class, decompose_canonical};

/// Stays as it is.
const PLAIN: u16 = 0;
/// Taken out: controls at first, nonspacing marks in the end.
const REMOVED: u16 = 1;
/// Separates words.
const SPACE: u16 = 2;
/// A word of its own.
const ISOLATED: u16 = 3;
/// A Hangul syllable, decomposed by arithmetic.
const HANGUL: u16 = 4;
/// The first index into the maps.
const MAPPED: u16 = 5;

const BLOCK: usize = 128;

/// The arrays.
pub struct Chars {
    /// Which block of `classes` holds each block of code points.
    pub blocks: Vec<u8>,
    /// Distinct blocks, one after the other.
    pub classes: Vec<u16>,
    /// Characters that take the place of mapped ones.
    pub maps: Vec<u32>,
}

/// Computes all three, for a vocabulary of token texts.
pub fn build(vocabulary: &[String]) -> Chars {
    let sorted = |c: char| canonical_combining_class(c) != 0;
    assert!(!vocabulary.iter().any(|token| token.contains(sorted)), "marks need not be sorted");
    let mut chars = Chars { blocks: Vec::new(), classes: Vec::new(), maps: Vec::new() };
    for start in (0..=u32::from(char::MAX)).step_by(BLOCK) {
        // Surrogates are no characters; what their block says is never read.
        let block: Vec<u16> =
            (start..start + BLOCK as u32).map(|c| char::from_u32(c).map_or(PLAIN, |c| chars.class(c))).collect();
        let known = chars.classes.chunks(BLOCK).position(|other| other == block);
        let index = known.unwrap_or_else(|| {
            chars.classes.extend_from_slice(&block);
            chars.classes.len() / BLOCK - 1
        });
        chars.blocks.push(u8::try_from(index).expect("fewer than 256 distinct blocks"));
    }
    chars
}

impl Chars {
    fn class(&mut self, c: char) -> u16 {
        let kept = matches!(c, '\t' | '\n' | '\r');
        if !kept && (c == '\0' || c == '\u{fffd}' || c.is_other()) {
            return REMOVED;
        }
        if c.is_whitespace() {
            return SPACE;
        }
        if ('\u{ac00}'..='\u{d7a3}').contains(&c) {
            return HANGUL;
        }
        let cjk = is_chinese(c);
        let mut entries = Vec::new();
        decompose_canonical(c, |d| entries.extend(entry(d, cjk)));
        assert!(!cjk || entries.len() == 1, "a CJK character is one word, {c:?}");
        match entries[..] {
            [] => REMOVED,
            [one] if one == u32::from(c) => PLAIN,
            [one] if one == u32::from(c) | 1 << 30 => ISOLATED,
            _ => {
                let index = self.maps.len();
                *entries.last_mut().expect("not empty") |= 1 << 31;
                self.maps.extend(entries);
                MAPPED + u16::try_from(index).expect("few maps")
            }
        }
    }
}

/// What becomes of one character of a decomposition: no mark, in lower case.
fn entry(d: char, cjk: bool) -> Option<u32> {
    if d.is_mark_nonspacing() {
        return None;
    }
    let mut lower = d.to_lowercase();
    let (Some(c), None) = (lower.next(), lower.next()) else { panic!("{d:?} has two characters in lower case") };
    assert!(!c.is_whitespace(), "{d:?} becomes a space after spaces were seen");
    let isolated = cjk || c.is_ascii_punctuation() || c.is_punctuation();
    let sorted = canonical_combining_class(d) != 0;
    assert!(!sorted || !isolated, "marks are sorted within a word, {d:?}");
    Some(u32::from(isolated) << 30 | u32::from(c))
}

/// The ranges of `tokenizers`' `is_chinese_char`.
fn is_chinese(c: char) -> bool {
    matches!(
        u32::from(c),
        0x4E00..=0x9FFF
            | 0x3400..=0x4DBF
            | 0x20000..=0x2A6DF
            | 0x2A700..=0x2B73F
            | 0x2B740..=0x2B81F
            | 0x2B920..=0x2CEAF
            | 0xF900..=0xFAFF
            | 0x2F800..=0x2FA1F
    )
}
