//! Strings, numbered, and names compared without case.

use std::collections::HashMap;

use rustc_hash::FxBuildHasher;

use crate::analysis::Strings;

/// Each string once, numbered in the order of first use.
#[derive(Default)]
pub struct Names {
    ids: HashMap<Box<str>, u32, FxBuildHasher>,
    texts: Strings,
}

impl Names {
    /// The number of a string, which is given one if it has none.
    pub fn intern(&mut self, name: &str) -> u32 {
        if let Some(&id) = self.ids.get(name) {
            return id;
        }
        let id = self.texts.push(name);
        self.ids.insert(name.into(), id);
        id
    }

    /// The number of a string that was seen.
    pub fn find(&self, name: &str) -> Option<u32> {
        self.ids.get(name).copied()
    }

    /// The string of a number.
    pub fn get(&self, id: u32) -> &str {
        self.texts.get(id)
    }

    /// The strings alone.
    pub fn into_strings(self) -> Strings {
        self.texts
    }
}

/// Hash of a name without case, underscores and hyphens, the same on every machine. Of a million names few share one.
pub fn folded_hash(name: &str) -> u32 {
    // The multiplier of the `fxhash` crate. Its successor hashes words of the machine, which are others in wasm.
    const MULTIPLIER: u64 = 0x517c_c1b7_2722_0a95;
    let letters = name.chars().filter(|&c| c != '_' && c != '-').flat_map(char::to_lowercase);
    let hash = letters.fold(0u64, |hash, c| (hash.rotate_left(5) ^ u64::from(u32::from(c))).wrapping_mul(MULTIPLIER));
    // What a product knows of all its letters is in the high bits.
    (hash >> 32) as u32
}

/// Whether two names are equal without case, underscores and hyphens.
pub fn folded_equal(a: &str, b: &str) -> bool {
    fn fold(s: &str) -> impl Iterator<Item = char> {
        s.chars().filter(|&c| c != '_' && c != '-').flat_map(char::to_lowercase)
    }
    fold(a).eq(fold(b))
}
