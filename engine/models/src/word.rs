//! The full way, for text that is not plain ASCII: characters into words, words into tokens.

use crate::chars::{Outcome, jamo, mapped, outcome};
use crate::trie::word_piece;

/// Characters in the longest word that is looked up (`max_input_chars_per_word`); longer ones are unknown.
pub const MAX_WORD: usize = 100;

/// Appends the tokens of any text.
pub fn pieces(text: &str, out: &mut Vec<u16>) {
    let mut word = Word::new();
    let mut previous = '\0';
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        // The camelCase split looks at the text as written, before anything is removed from it.
        if c.is_ascii_uppercase() {
            let hump = previous.is_ascii_lowercase() || previous.is_ascii_digit();
            let next = || chars.clone().next().is_some_and(|next| next.is_ascii_lowercase());
            if hump || (previous.is_ascii_uppercase() && next()) {
                word.finish(out);
            }
        }
        previous = c;
        match outcome(c) {
            Outcome::Plain => word.push(c),
            Outcome::Removed => {}
            Outcome::Space => word.finish(out),
            Outcome::Isolated => word.alone(c, out),
            Outcome::Hangul => jamo(c).for_each(|c| word.push(c)),
            Outcome::Mapped(entries) => {
                for entry in entries {
                    match mapped(*entry) {
                        (c, true) => word.alone(c, out),
                        (c, false) => word.push(c),
                    }
                }
            }
        }
    }
    word.finish(out);
}

/// The word being read.
struct Word {
    bytes: [u8; MAX_WORD * char::MAX_LEN_UTF8],
    len: usize,
    /// Characters so far, also those past the limit, which are not kept.
    chars: usize,
}

impl Word {
    fn new() -> Self {
        Self { bytes: [0; _], len: 0, chars: 0 }
    }

    fn push(&mut self, c: char) {
        self.chars += 1;
        if self.chars <= MAX_WORD {
            self.len += c.encode_utf8(&mut self.bytes[self.len..]).len();
        }
    }

    /// Ends the word and gives out one of a single character.
    fn alone(&mut self, c: char, out: &mut Vec<u16>) {
        self.finish(out);
        self.push(c);
        self.finish(out);
    }

    /// Gives out the word's tokens and begins the next one.
    fn finish(&mut self, out: &mut Vec<u16>) {
        if self.chars <= MAX_WORD {
            word_piece(self.len, |at| self.bytes[at], out);
        }
        self.len = 0;
        self.chars = 0;
    }
}
