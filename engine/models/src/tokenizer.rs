//! Text to token ids, exactly as `tokenizer.json` says.
//!
//! In order: a space before each camelCase hump (`readFile` → `read File`, `HTTPServer` → `HTTP Server`); BERT's
//! normalizer (controls removed, CJK spaced, accents removed, lower case); words split at white space, with punctuation
//! (the underscore too) a word each; WordPiece on each word. As model2vec does, unknown words are left out, and no
//! special tokens are added.
//!
//! Two differences from the Python package, both on purpose: text is never cut off at 512 tokens, and `[UNK]` or
//! `[PAD]` in a source file is the text it looks like, not a special token (`tokenizers` calls that
//! `encode_special_tokens`).

use crate::trie::word_piece;
use crate::word::{self, MAX_WORD};

/// Appends the token ids of a text, in text order.
///
/// A text may be cut into words before and after each space, tab, line feed, carriage return and ASCII punctuation, and
/// nowhere else: the tokens of the parts, one after the other, are those of the text. So a maximal run of ASCII letters,
/// digits and underscores is a word *if what stands beside it is one of those*. Bytes of other characters (`naïve`) and
/// of control characters (which vanish, so that their neighbours meet) belong to the word.
pub fn pieces(text: &str, out: &mut Vec<u16>) {
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        match KINDS[usize::from(byte)] {
            Kind::Space => at += 1,
            Kind::Punctuation => {
                word_piece(1, |_| byte, out);
                at += 1;
            }
            Kind::Alphanumeric | Kind::Other => {
                let rest = &bytes[at..];
                let mut plain = true;
                let len = rest.iter().position(|byte| {
                    let kind = KINDS[usize::from(*byte)];
                    plain &= kind != Kind::Other;
                    matches!(kind, Kind::Space | Kind::Punctuation)
                });
                let end = at + len.unwrap_or(rest.len());
                if plain {
                    ascii(&bytes[at..end], out)
                } else {
                    word::pieces(&text[at..end], out)
                }
                at = end;
            }
        }
    }
}

/// Appends the tokens of a run of ASCII letters and digits.
fn ascii(run: &[u8], out: &mut Vec<u16>) {
    let mut start = 0;
    while start < run.len() {
        let end = hump_end(run, start);
        let hump = &run[start..end];
        if hump.len() <= MAX_WORD {
            word_piece(hump.len(), |at| LOWER[usize::from(hump[at])], out);
        }
        start = end;
    }
}

/// Where the camelCase hump that begins at `start` ends.
fn hump_end(run: &[u8], start: usize) -> usize {
    for at in start + 1..run.len() {
        if run[at].is_ascii_uppercase() {
            let after_acronym = || run.get(at + 1).is_some_and(u8::is_ascii_lowercase);
            if !run[at - 1].is_ascii_uppercase() || after_acronym() {
                return at;
            }
        }
    }
    run.len()
}

/// Bytes as the scan sees them.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Space,
    Punctuation,
    Alphanumeric,
    /// Controls and parts of other characters.
    Other,
}

static KINDS: [Kind; 256] = {
    let mut kinds = [Kind::Other; 256];
    let mut byte = 0;
    while byte < 256 {
        kinds[byte] = match byte as u8 {
            b if b.is_ascii_alphanumeric() => Kind::Alphanumeric,
            b if b.is_ascii_punctuation() => Kind::Punctuation,
            b' ' | b'\t' | b'\n' | b'\r' => Kind::Space,
            _ => Kind::Other,
        };
        byte += 1;
    }
    kinds
};

static LOWER: [u8; 256] = {
    let mut lower = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        lower[byte] = (byte as u8).to_ascii_lowercase();
        byte += 1;
    }
    lower
};
