//! WordPiece over a double-array trie.
//!
//! A node is a *base*; its child by byte `b` sits in slot `base ^ b` if that slot's label is `b`. A unit is
//! `child's base << 9 | accepting << 8 | label`. How the array is filled is told in `build/trie.rs`.

use crate::data::{TRIE_IDS, TRIE_REST, TRIE_UNITS, TRIE_WORD};

/// Appends the tokens of one word, or nothing if some part of the word is in no token.
///
/// Greedy: the longest token that begins the word, then the longest continuation, and so on. A failure after some
/// tokens makes the whole word unknown, and unknown words count for nothing, so what was appended is taken back.
///
/// `byte` gives the word's bytes `0..len` in lower case. Tokens are whole UTF-8 strings, so a match never ends inside a
/// character.
#[inline]
pub fn word_piece(len: usize, byte: impl Fn(usize) -> u8, out: &mut Vec<u16>) {
    let before = out.len();
    let mut start = 0;
    let mut root = TRIE_WORD;
    while start < len {
        let mut base = root as usize;
        let mut longest = None;
        for at in start..len {
            let label = byte(at);
            let slot = base ^ usize::from(label);
            let Some(&unit) = TRIE_UNITS.get(slot) else { break };
            if unit & 0xff != u32::from(label) {
                break;
            }
            if unit & 0x100 != 0 {
                longest = Some((slot, at + 1));
            }
            base = (unit >> 9) as usize;
        }
        let Some((slot, end)) = longest else {
            out.truncate(before);
            return;
        };
        out.push(TRIE_IDS[slot]);
        start = end;
        root = TRIE_REST;
    }
}
