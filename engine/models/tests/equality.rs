//! Token ids are those of the `tokenizers` crate, and splitting text at boundaries changes nothing.

use proptest::prelude::*;
use seekwell_core::table::Table;
use seekwell_models::StaticTable;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use tokenizers::Tokenizer;

const UNKNOWN: u32 = 1;

static REFERENCE: LazyLock<Tokenizer> = LazyLock::new(|| {
    let default = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/static-code-16k-128-int8");
    let folder = std::env::var_os("SEEKWELL_TABLE").map_or(default, PathBuf::from);
    let mut tokenizer = Tokenizer::from_file(folder.join("tokenizer.json")).expect("the tokenizer loads");
    tokenizer.set_encode_special_tokens(true);
    tokenizer
});

fn reference(text: &str) -> Vec<u16> {
    let encoding = REFERENCE.encode_fast(text, false).expect("any text can be encoded");
    encoding.get_ids().iter().filter(|id| **id != UNKNOWN).map(|id| *id as u16).collect()
}

fn ours(text: &str) -> Vec<u16> {
    let mut ids = Vec::new();
    StaticTable.pieces(text, &mut ids);
    ids
}

/// Whether text can be cut on both sides of this byte without changing its tokens. Not at form feed and vertical tab,
/// which are removed like other controls and join their neighbours.
fn is_boundary(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r') || byte.is_ascii_punctuation()
}

/// The tokens of the words between boundaries, and of the boundaries, one after the other.
fn by_words(text: &str) -> Vec<u16> {
    let mut ids = Vec::new();
    for part in text.split_inclusive(|c: char| u8::try_from(c).is_ok_and(is_boundary)) {
        let at = part.len() - usize::from(part.as_bytes().last().copied().is_some_and(is_boundary));
        StaticTable.pieces(&part[..at], &mut ids);
        StaticTable.pieces(&part[at..], &mut ids);
    }
    ids
}

fn check(text: &str) {
    let expected = reference(text);
    assert_eq!(ours(text), expected, "{text:?}");
    assert_eq!(by_words(text), expected, "cut into words: {text:?}");
}

fn source_files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder").flatten() {
        let path = entry.path();
        if path.is_dir() {
            source_files(&path, found);
        } else if path.extension().is_some_and(|e| ["rs", "md", "toml", "txt", "wit"].iter().any(|known| e == *known)) {
            found.push(path);
        }
    }
}

#[test]
fn source_text() {
    let engine = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("in the repository");
    let mut files = Vec::new();
    source_files(engine, &mut files);
    assert!(files.len() > 10, "{}", engine.display());
    for path in files {
        if let Ok(text) = std::fs::read_to_string(&path) {
            check(&text);
        }
    }
}

#[test]
fn hard_text() {
    let text = include_str!("data/hard.txt");
    check(text);
    for line in text.lines() {
        check(line);
        // Escapes, for what a text file cannot show.
        let spelled: String = line.split("\\u{").enumerate().fold(String::new(), |mut text, (i, part)| {
            match part.split_once('}') {
                Some((hex, rest)) if i > 0 => {
                    let point = u32::from_str_radix(hex, 16).expect("hexadecimal");
                    text.push(char::from_u32(point).expect("a character"));
                    text.push_str(rest);
                }
                _ => text.push_str(part),
            }
            text
        });
        check(&spelled);
    }
}

/// Long words around the limit of 100 characters, in one, two and four bytes a character.
#[test]
fn long_words() {
    for c in ["a", "é", "ß", "한", "𝔞", "1"] {
        for n in [33, 34, 50, 51, 99, 100, 101, 400] {
            check(&format!("x {} y", c.repeat(n)));
            check(&format!("{}Humps{}", c.repeat(n), c.repeat(n)));
        }
    }
}

/// Each character within a word, beside a hump and alone. Planes past the third hold nothing but tags and private use.
#[test]
fn every_character() {
    let points = (0..0x3_2000).chain(0xe_0000..0xe_0200).chain(0x10_ff00..0x11_0000);
    let all: Vec<char> = points.filter_map(char::from_u32).collect();
    for some in all.chunks(512) {
        let text: String = some.iter().map(|c| format!("a{c}b A{c}Bc {c}\n")).collect();
        let expected = reference(&text);
        if ours(&text) != expected || by_words(&text) != expected {
            some.iter().for_each(|c| check(&format!("a{c}b A{c}Bc {c}\n")));
            check(&text);
        }
    }
}

/// Text from parts that interact: humps, marks, boundaries, controls, characters that decompose.
fn fragments() -> impl Strategy<Value = String> {
    let parts = prop_oneof![
        4 => prop::sample::select(vec![
            "read", "File", "HTTP", "Server2x", "_", "__", "a", "B", "9", "é", "É", "İ", "ı", "K", "ß", "ẞ", "Σ", "ς",
            "\u{301}", "\u{307}", "\u{338}", "=", "<", "≠", "\u{1d165}", "\u{302e}", "\u{1b44}", "\u{9be}", "\u{200d}",
            "\u{feff}", "\u{ad}", "\0", "\u{b}", "\u{c}", "\u{85}", "\u{a0}", "\u{2028}", "\u{3000}", "中", "豈", "한국",
            "カ\u{3099}", "ガ", "कि", "👩\u{200d}🚀", "\u{fffd}", "\u{e000}", "[UNK]", "[PAD]", "##", "##ing", ";", "\u{37e}",
            " ", "\n", "\r\n", "\t",
        ])
        .prop_map(str::to_owned),
        2 => "[a-zA-Z0-9_]{1,12}",
        1 => any::<char>().prop_map(String::from),
        1 => "\\p{M}{1,3}",
    ];
    prop::collection::vec(parts, 0..24).prop_map(|parts| parts.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn interacting_text(text in fragments()) {
        check(&text);
    }

    #[test]
    fn arbitrary_text(text in any::<String>()) {
        check(&text);
    }
}
