//! What a path says of a file: the words of its name and folders, and which kind of file it is.
//!
//! Kinds are priors: a test, an example or a vendored copy is demoted, never dropped, and not at all when the question
//! asks for it. A folder or file counts by whole words: `contest.py` is not a test.

use seekwell_types::Content;
use serde::{Deserialize, Serialize};

use crate::words::parts;

/// Kinds of files that questions seldom mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Prior {
    /// Tests, mocks, fixtures.
    Test,
    /// Examples, samples, demos.
    Example,
    /// Benchmarks and fuzzers.
    Bench,
    /// Kept for compatibility: legacy, deprecated, polyfills.
    Compat,
    /// Scripts, tools, build and CI.
    Script,
    /// Generated, amalgamated, built; or said so in the head of the file.
    Generated,
    /// Copies of other projects.
    Vendored,
    /// In a folder of documentation.
    DocsFolder,
    /// Declarations without code (`.d.ts`, `.pyi`).
    Declarations,
    /// Types, models, schemas.
    Types,
    /// Index files: `mod`, `index`, `__init__`, `main`.
    Index,
    /// Code without a single body: declarations, constants, re-exports.
    Bodiless,
    /// Named as a test may be, and as other files are too: a test if it has tests inside.
    PerhapsTest,
}

impl Prior {
    /// All of them.
    pub const ALL: [Self; 13] = [
        Self::Test,
        Self::Example,
        Self::Bench,
        Self::Compat,
        Self::Script,
        Self::Generated,
        Self::Vendored,
        Self::DocsFolder,
        Self::Declarations,
        Self::Types,
        Self::Index,
        Self::Bodiless,
        Self::PerhapsTest,
    ];
}

/// A set of priors.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Priors(u16);

impl Priors {
    /// Whether the prior holds.
    pub const fn has(self, prior: Prior) -> bool {
        self.0 & (1 << prior as u16) != 0
    }

    /// Adds a prior.
    pub fn add(&mut self, prior: Prior) {
        self.0 |= 1 << prior as u16;
    }
}

/// File name without folders.
pub fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// File name up to its last dot; a leading dot begins the name.
pub fn stem(path: &str) -> &str {
    let name = file_name(path);
    match name.rfind('.') {
        Some(at) if at > 0 => &name[..at],
        _ => name,
    }
}

/// Stem that tells what is in the file: an index file (`mod.rs`, `index.ts`, `__init__.py`) is known by its folder, past
/// folders that every project has.
pub fn telling_stem(path: &str) -> &str {
    let own = stem(path);
    if !matches!(own, "mod" | "index" | "__init__" | "init" | "package-info") {
        return own;
    }
    let common = ["src", "lib", "app", "source", "main"];
    folders(path).rev().find(|folder| !common.contains(folder)).unwrap_or(own)
}

/// Folders, outermost first.
pub fn folders(path: &str) -> impl DoubleEndedIterator<Item = &str> {
    let end = path.len() - file_name(path).len();
    path[..end].split('/').filter(|f| !f.is_empty())
}

/// Letters and digits only, in lower case.
pub fn letters(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// The priors of a file by its path.
pub fn priors(path: &str, content: Content) -> Priors {
    let mut priors = Priors::default();
    for folder in folders(path) {
        let whole = folder.to_ascii_lowercase();
        each_word(folder, |word| {
            // What a document calls a specification is none of the code.
            if content != Content::Docs || !word.starts_with("spec") {
                folder_priors(word, &mut priors);
            }
        });
        if ["third_party", "thirdparty", "node_modules", "3rdparty"].contains(&whole.as_str()) {
            priors.add(Prior::Vendored);
        }
        if whole == ".github" || whole == ".circleci" {
            priors.add(Prior::Script);
        }
    }
    let name = file_name(path).to_ascii_lowercase();
    let stem = stem(path);
    name_priors(&name, stem, content, &mut priors);
    priors
}

fn folder_priors(word: &str, priors: &mut Priors) {
    match word {
        "test" | "tests" | "testing" | "spec" | "specs" | "mock" | "mocks" | "fixture" | "fixtures" | "testdata"
        | "testutil" | "testutils" | "e2e" | "snapshots" => priors.add(Prior::Test),
        "example" | "examples" | "sample" | "samples" | "demo" | "demos" | "sandbox" | "playground" | "tutorial" => {
            priors.add(Prior::Example);
        }
        "bench" | "benches" | "benchmark" | "benchmarks" | "fuzz" | "fuzzing" | "perf" => priors.add(Prior::Bench),
        "compat" | "legacy" | "deprecated" | "polyfill" | "polyfills" | "obsolete" => priors.add(Prior::Compat),
        "script" | "scripts" | "tool" | "tools" | "build" | "ci" | "cmake" | "hack" => priors.add(Prior::Script),
        "generated" | "gen" | "dist" | "amalgamation" | "amalgamated" => priors.add(Prior::Generated),
        "vendor" | "vendored" | "extern" | "external" => priors.add(Prior::Vendored),
        "doc" | "docs" | "documentation" | "website" => priors.add(Prior::DocsFolder),
        _ => {}
    }
}

fn name_priors(name: &str, stem: &str, content: Content, priors: &mut Priors) {
    let mut first = true;
    let mut last = String::new();
    each_word(stem, |word| {
        match word {
            "test" | "tests" | "spec" | "specs" if first => priors.add(Prior::PerhapsTest),
            "testing" => priors.add(Prior::PerhapsTest),
            "mock" | "mocks" | "conftest" => priors.add(Prior::Test),
            "example" | "examples" | "demo" => priors.add(Prior::Example),
            "bench" | "benchmark" | "benchmarks" | "fuzz" => priors.add(Prior::Bench),
            "compat" | "legacy" | "deprecated" | "polyfill" => priors.add(Prior::Compat),
            "generated" => priors.add(Prior::Generated),
            _ => {}
        }
        first = false;
        last.clear();
        last.push_str(word);
    });
    match last.as_str() {
        // A command may end so: `run-test`.
        "test" | "tests" | "spec" | "specs" if !name.contains('.') => priors.add(Prior::PerhapsTest),
        "test" | "tests" | "spec" | "specs" => priors.add(Prior::Test),
        "types" | "type" | "typings" | "models" | "model" | "schemas" | "schema" => priors.add(Prior::Types),
        _ => {}
    }
    if name.ends_with(".bats") || name.ends_with(".t") {
        priors.add(Prior::Test);
    }
    if name.ends_with(".d.ts") || name.ends_with(".d.mts") || name.ends_with(".d.cts") || name.ends_with(".pyi") {
        priors.add(Prior::Declarations);
    }
    let locks = ["package-lock.json", "pnpm-lock.yaml", "go.sum", "npm-shrinkwrap.json"];
    if name.ends_with(".lock") || locks.contains(&name) {
        priors.add(Prior::Generated);
    }
    if name.contains(".min.") || name.contains(".pb.") || name.contains("_pb2") || name.contains(".g.") {
        priors.add(Prior::Generated);
    }
    if matches!(
        name,
        "setup.py" | "conanfile.py" | "gulpfile.js" | "gruntfile.js" | "noxfile.py" | "build.rs" | "mix.exs"
    ) {
        priors.add(Prior::Script);
    }
    let index = matches!(stem, "mod" | "index" | "__init__" | "main" | "package-info" | "init" | "lib");
    if content == Content::Code && index {
        priors.add(Prior::Index);
    }
}

/// Words of a name in lower case, split as identifiers are.
fn each_word(name: &str, mut each: impl FnMut(&str)) {
    for run in name.split(|c: char| !c.is_alphanumeric() && c != '_') {
        parts(run, |part| each(&part.to_lowercase()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn has(path: &str, prior: Prior) -> bool {
        priors(path, Content::Code).has(prior)
    }

    #[test]
    fn tests_by_whole_words() {
        for path in ["tests/a.rs", "a_test.go", "FooTest.java", "a.spec.ts", "__tests__/a.js", "pkg/testdata/x"] {
            assert!(has(path, Prior::Test), "{path}");
        }
        for path in ["contest.py", "src/latest.rs", "attestation/a.go", "src/inspect.rs", "protester.rb"] {
            assert!(!has(path, Prior::Test), "{path}");
        }
    }

    #[test]
    fn names_that_may_be_tests() {
        for path in ["src/test_a.py", "flask/testing.py", "bin/run-test"] {
            assert!(has(path, Prior::PerhapsTest) && !has(path, Prior::Test), "{path}");
        }
        assert!(!priors("docs/specs/format.md", Content::Docs).has(Prior::Test));
    }

    #[test]
    fn index_files_are_known_by_their_folder() {
        assert_eq!(telling_stem("axum/src/response/mod.rs"), "response");
        assert_eq!(telling_stem("packages/core/src/index.ts"), "core");
        assert_eq!(telling_stem("src/lib/index.js"), "index");
        assert_eq!(telling_stem("src/retry.rs"), "retry");
    }

    #[test]
    fn names() {
        assert_eq!(stem("a/b.test.ts"), "b.test");
        assert_eq!(stem(".gitignore"), ".gitignore");
        assert_eq!(folders("a/b/c.rs").collect::<Vec<_>>(), ["a", "b"]);
        assert_eq!(letters("Retry_Policy-2"), "retrypolicy2");
        assert!(has("vendor/github.com/x/a.go", Prior::Vendored));
        assert!(has("types/index.d.ts", Prior::Declarations));
    }
}
