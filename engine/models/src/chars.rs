//! What happens to a character on its way into a word.
//!
//! BERT's normalizer cleans, spaces CJK characters, decomposes (NFD), drops nonspacing marks and lowers; its
//! pre-tokenizer splits at white space and isolates punctuation. What that comes to is fixed for each character, so it
//! is one table (`build/chars.rs`, which also says why the sorting of marks in NFD may be left out).
//!
//! The tables are those of the crate `tokenizers` (by way of its dependencies, Unicode 8 and 9), not of the newest
//! standard: text has to be cut as the table's training did.

use crate::data::{BLOCKS, CLASSES, MAPS};

/// The outcome for one character.
pub enum Outcome {
    /// Belongs to the word as it is.
    Plain,
    /// Vanishes, and its neighbours meet: controls, formats, private use, U+FFFD, nonspacing marks.
    Removed,
    /// Separates words.
    Space,
    /// Is a word of its own: punctuation, CJK.
    Isolated,
    /// A Hangul syllable, which [`jamo`] takes apart.
    Hangul,
    /// Becomes these.
    Mapped(&'static [u32]),
}

/// Looks a character up.
pub fn outcome(c: char) -> Outcome {
    let point = c as usize;
    match CLASSES[usize::from(BLOCKS[point >> 7]) << 7 | point & 0x7f] {
        0 => Outcome::Plain,
        1 => Outcome::Removed,
        2 => Outcome::Space,
        3 => Outcome::Isolated,
        4 => Outcome::Hangul,
        class => {
            let entries = &MAPS[usize::from(class) - 5..];
            let last = entries.iter().position(|entry| entry >> 31 != 0);
            Outcome::Mapped(&entries[..=last.expect("build.rs marks the last of each mapping")])
        }
    }
}

/// A character that a mapped one becomes, and whether it is a word of its own.
pub fn mapped(entry: u32) -> (char, bool) {
    let c = char::from_u32(entry & 0x1f_ffff).expect("build.rs writes characters");
    (c, entry & 1 << 30 != 0)
}

/// The two or three jamo of a Hangul syllable (The Unicode Standard, section 3.12).
pub fn jamo(syllable: char) -> impl Iterator<Item = char> {
    let index = syllable as u32 - 0xac00;
    let last = index % 28;
    let points = [0x1100 + index / 588, 0x1161 + index % 588 / 28, 0x11a7 + last];
    points.into_iter().take(if last == 0 { 2 } else { 3 }).filter_map(char::from_u32)
}
