//! Turns the published table (`model.safetensors`, `tokenizer.json`) into bytes that need no parsing at start.
//!
//! Written to `OUT_DIR`, each file a flat array that `src/data.rs` embeds (numbers little-endian):
//!
//! | file | content |
//! | --- | --- |
//! | `rows.bin` | the table, `i8`, token after token |
//! | `trie_units.bin`, `trie_ids.bin` | double-array trie over the token texts, `u32` and `u16` a slot |
//! | `char_blocks.bin`, `char_classes.bin`, `char_maps.bin` | what normalisation does to each character |
//! | `shape.rs` | the lengths of all these as constants |
//!
//! `SEEKWELL_TABLE` names another folder of the same layout (the 256-dimensional table, say); everything else
//! follows from the files. A tokenizer of any other kind than the one `src/tokenizer.rs` implements is refused.

use serde_json::{Value, json};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

#[path = "build/chars.rs"]
mod chars;
#[path = "build/trie.rs"]
mod trie;

/// The table in the repository.
const TABLE: &str = "data/static-code-16k-128-int8";

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed=build");
    println!("cargo:rerun-if-env-changed=SEEKWELL_TABLE");
    let folder = match std::env::var_os("SEEKWELL_TABLE") {
        Some(folder) => PathBuf::from(folder),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join(TABLE),
    };
    println!("cargo:rerun-if-changed={}", folder.display());
    let out = PathBuf::from(std::env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    let write = |name: &str, bytes: &[u8]| std::fs::write(out.join(name), bytes).expect("OUT_DIR is writable");
    let read = |name: &str| {
        let path = folder.join(name);
        std::fs::read(&path).unwrap_or_else(|e| panic!("cannot read {}: {e}", path.display()))
    };

    let model = read("model.safetensors");
    let tokenizer = read("tokenizer.json");
    let (rows, tokens, dimensions) = rows(&model);
    write("rows.bin", rows);

    let vocabulary = vocabulary(&tokenizer);
    assert_eq!(vocabulary.len(), tokens, "one row for each token");
    let trie = trie::build(&vocabulary);
    write("trie_units.bin", &trie.units.iter().flat_map(|u| u.to_le_bytes()).collect::<Vec<_>>());
    write("trie_ids.bin", &trie.ids.iter().flat_map(|i| i.to_le_bytes()).collect::<Vec<_>>());

    let chars = chars::build(&vocabulary);
    write("char_blocks.bin", &chars.blocks);
    write("char_classes.bin", &chars.classes.iter().flat_map(|c| c.to_le_bytes()).collect::<Vec<_>>());
    write("char_maps.bin", &chars.maps.iter().flat_map(|m| m.to_le_bytes()).collect::<Vec<_>>());

    let mut shape = String::new();
    let mut constant = |doc: &str, declaration: &str, value: String| {
        writeln!(shape, "/// {doc}\npub const {declaration} = {value};").expect("strings take all text");
    };
    constant("Values in a vector.", "DIMENSIONS: usize", dimensions.to_string());
    constant("Rows of the table; token ids are below it.", "TOKENS: usize", tokens.to_string());
    constant("Slots of the trie.", "TRIE_SLOTS: usize", trie.units.len().to_string());
    constant("Where a word's walk begins.", "TRIE_WORD: u32", trie.word_root.to_string());
    constant("Where the walk of a word's remainder begins.", "TRIE_REST: u32", trie.rest_root.to_string());
    constant("Blocks of code points.", "CHAR_BLOCKS: usize", chars.blocks.len().to_string());
    constant("Classes in all distinct blocks.", "CHAR_CLASSES: usize", chars.classes.len().to_string());
    constant("Mapped characters.", "CHAR_MAPS: usize", chars.maps.len().to_string());
    write("shape.rs", shape.as_bytes());
}

/// The `i8` tensor `embeddings`: its bytes, rows and columns. The file is a `u64` length, a JSON header, the data.
fn rows(model: &[u8]) -> (&[u8], usize, usize) {
    let (length, rest) = model.split_at(8);
    let length = u64::from_le_bytes(length.try_into().expect("eight bytes")) as usize;
    let (header, data) = rest.split_at(length);
    let header: Value = serde_json::from_slice(header).expect("model.safetensors has a JSON header");
    let tensor = &header["embeddings"];
    assert_eq!(tensor["dtype"], "I8", "the table is int8");
    let number = |v: &Value| v.as_u64().expect("a size") as usize;
    let (tokens, dimensions) = (number(&tensor["shape"][0]), number(&tensor["shape"][1]));
    let offsets = number(&tensor["data_offsets"][0])..number(&tensor["data_offsets"][1]);
    assert_eq!(offsets.len(), tokens * dimensions);
    assert_eq!(dimensions % 128, 0, "packed vectors are worked on 128 values at a time");
    assert!(tokens < usize::from(u16::MAX), "token ids are u16, the last of them means none");
    (&data[offsets], tokens, dimensions)
}

/// Token texts by id.
fn vocabulary(tokenizer: &[u8]) -> Vec<String> {
    let tokenizer: Value = serde_json::from_slice(tokenizer).expect("tokenizer.json is JSON");
    let expected = json!({ "type": "Sequence", "normalizers": [
        { "type": "Replace", "pattern": { "Regex": "(?<=[a-z0-9])(?=[A-Z])" }, "content": " " },
        { "type": "Replace", "pattern": { "Regex": "(?<=[A-Z])(?=[A-Z][a-z])" }, "content": " " },
        { "type": "BertNormalizer", "clean_text": true, "handle_chinese_chars": true, "strip_accents": null,
          "lowercase": true } ] });
    assert_eq!(tokenizer["normalizer"], expected, "src/tokenizer.rs implements these normalizers only");
    assert_eq!(tokenizer["pre_tokenizer"], json!({ "type": "BertPreTokenizer" }));
    let model = &tokenizer["model"];
    assert_eq!(model["type"], "WordPiece");
    assert_eq!(model["unk_token"], "[UNK]");
    assert_eq!(model["continuing_subword_prefix"], "##");
    assert_eq!(model["max_input_chars_per_word"], 100, "MAX_WORD in src/word.rs");
    let entries = model["vocab"].as_object().expect("a vocabulary");
    let mut vocabulary = vec![String::new(); entries.len()];
    for (text, id) in entries {
        vocabulary[id.as_u64().expect("an id") as usize].clone_from(text);
    }
    assert!(vocabulary.iter().all(|text| !text.is_empty()), "ids are 0..n");
    vocabulary
}
