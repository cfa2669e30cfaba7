//! Where an answer goes on. A cursor is opaque to whoever carries it: an offset, tied to its question, with a check
//! sum, so that no cursor, however garbled, leads anywhere but to the right place or to the beginning.

use seekwell_types::Query;

/// Digits of each of the two hashes: 32 bits tell questions apart and a slip from a cursor.
const DIGITS: usize = 8;

/// Why a cursor is of no use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// It is no cursor, or not a whole one.
    Garbled,
    /// It belongs to another question, or to the same one with other filters.
    Foreign,
}

impl Fault {
    /// What a reader should know.
    pub const fn note(self) -> &'static str {
        match self {
            Self::Garbled => "the cursor is damaged; this is the beginning of the answer",
            Self::Foreign => "the cursor belongs to another query; this is the beginning of the answer",
        }
    }
}

/// The cursor for what follows the first `offset` hits of this question's answer.
pub fn write(query: &Query, offset: u32) -> String {
    let question = question(query);
    format!("{question}{}{offset:x}", check(&question, offset))
}

/// The offset that a cursor stands for.
pub fn read(cursor: &str, query: &Query) -> Result<u32, Fault> {
    let cursor = cursor.trim();
    // `get`, not slices: a cursor may hold any characters.
    let parts = (cursor.get(..DIGITS), cursor.get(DIGITS..2 * DIGITS), cursor.get(2 * DIGITS..));
    let (Some(of), Some(sum), Some(digits)) = parts else { return Err(Fault::Garbled) };
    let offset = u32::from_str_radix(digits, 16).map_err(|_| Fault::Garbled)?;
    if check(of, offset) != sum {
        return Err(Fault::Garbled);
    }
    if of == question(query) { Ok(offset) } else { Err(Fault::Foreign) }
}

/// A hash of everything that decides which hits there are and in which order; not of how many are shown, or how.
fn question(query: &Query) -> String {
    let mut hasher = blake3::Hasher::new_derive_key("seekwell cursor 1");
    let mut field = |text: &str| {
        hasher.update(&(text.len() as u64).to_le_bytes());
        hasher.update(text.as_bytes());
    };
    field(&query.text);
    field(&format!("{:?} {:?} {}", query.mode, query.scope, query.per_file.max(1)));
    for list in [&query.languages, &query.globs, &query.kinds] {
        field(&list.len().to_string());
        list.iter().for_each(|text| field(text));
    }
    field(&query.path_prefix);
    hasher.finalize().to_hex()[..DIGITS].to_owned()
}

fn check(question: &str, offset: u32) -> String {
    blake3::derive_key("seekwell cursor check 1", format!("{question} {offset:x}").as_bytes())[..DIGITS / 2]
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn query(text: &str) -> Query {
        Query { text: text.to_owned(), ..Query::default() }
    }

    #[test]
    fn tied_to_the_question_not_to_the_page() {
        let cursor = write(&query("retry"), 10);
        assert_eq!(read(&cursor, &query("retry")), Ok(10));
        assert_eq!(read(&cursor, &Query { limit: 3, offset: 7, explain: true, per_file: 1, ..query("retry") }), Ok(10));
        assert_eq!(read(&cursor, &query("retries")), Err(Fault::Foreign));
        assert_eq!(read(&cursor, &Query { languages: vec!["rust".to_owned()], ..query("retry") }), Err(Fault::Foreign));
        let kinds = Query { kinds: vec!["a".to_owned()], ..query("q") };
        let globs = Query { globs: vec!["a".to_owned()], ..query("q") };
        assert_eq!(read(&write(&kinds, 1), &globs), Err(Fault::Foreign));
    }

    #[test]
    fn damage_is_seen() {
        let whole = write(&query("q"), 0x1234);
        for cut in 0..whole.len() {
            assert_eq!(read(&whole[..cut], &query("q")), Err(Fault::Garbled), "{cut}");
        }
        for text in ["", "0", "é", "ééééééééééééééééééééé", "+", &format!("{whole}0"), &"f".repeat(100_000)]
        {
            assert_eq!(read(text, &query("q")), Err(Fault::Garbled), "{text}");
        }
    }

    proptest! {
        #[test]
        fn any_offset_returns(text in ".*", offset: u32) {
            prop_assert_eq!(read(&write(&query(&text), offset), &query(&text)), Ok(offset));
        }

        #[test]
        fn no_text_is_a_cursor_by_chance(text in ".*") {
            prop_assert!(read(&text, &query("q")).is_err());
        }

        #[test]
        fn one_changed_byte_is_never_another_place(offset: u32, at in 0usize..17, byte in 0x20u8..0x7f) {
            let whole = write(&query("q"), offset);
            let mut bytes = whole.clone().into_bytes();
            bytes[at] = byte;
            let changed = String::from_utf8(bytes).unwrap();
            if let Ok(read) = read(&changed, &query("q")) {
                prop_assert_eq!(read, offset);
            }
        }
    }
}
