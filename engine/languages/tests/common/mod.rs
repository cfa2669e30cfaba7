//! The fixtures, and how they are read.
#![allow(dead_code, reason = "not every test reads every field")]

use seekwell_core::grammar::{Grammar, Language, Structure};
use seekwell_languages::LANGUAGES;
use std::path::PathBuf;

/// A small file in one language.
pub struct Fixture {
    pub language: &'static Language,
    pub grammar: &'static Grammar,
    pub path: PathBuf,
    pub text: String,
}

/// The `sample.*` of every language that has a grammar in this build, by language.
pub fn fixtures() -> Vec<Fixture> {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
    let mut fixtures = Vec::new();
    for language in LANGUAGES.0 {
        let Structure::Grammar(grammar) = &language.structure else { continue };
        let folder = root.join(language.id);
        let mut paths: Vec<PathBuf> = std::fs::read_dir(&folder)
            .unwrap_or_else(|error| panic!("{}: {error}", folder.display()))
            .map(|entry| entry.expect("a folder of ours").path())
            .filter(|path| path.extension().is_some_and(|extension| extension != "symbols"))
            .collect();
        paths.sort();
        assert!(!paths.is_empty(), "{}: no sample", folder.display());
        for path in paths {
            let text = std::fs::read_to_string(&path).expect("samples are UTF-8");
            fixtures.push(Fixture { language, grammar, path, text });
        }
    }
    fixtures
}
