//! Strings, numbered.

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
