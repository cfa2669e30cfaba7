//! Which files and chunks a question is asked of. Filters act before anything is ranked.

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};
use seekwell_types::{Content, Query, Scope};

use crate::error::Error;
use crate::generation::{File, Generation};
use crate::grammar::Languages;

/// The filters of a question, compiled.
pub struct Filter {
    languages: Vec<&'static str>,
    include: GlobSet,
    exclude: GlobSet,
    prefix: String,
    scope: Scope,
    /// Kinds a hit must have; empty means any.
    kinds: Vec<String>,
}

impl Filter {
    /// Compiles the filters of a question. Languages and kinds that do not exist match nothing; the host says so first.
    pub fn new(query: &Query, languages: Languages) -> Result<Self, Error> {
        let (mut include, mut exclude) = (GlobSetBuilder::new(), GlobSetBuilder::new());
        for glob in &query.globs {
            match glob.strip_prefix('!') {
                Some(glob) => add_glob(&mut exclude, glob)?,
                None => add_glob(&mut include, glob)?,
            }
        }
        let build = |builder: GlobSetBuilder| builder.build().map_err(|e| Error::Glob(e.to_string()));
        let named = |name: &String| languages.named(name).map_or("", |l| l.id);
        Ok(Self {
            languages: query.languages.iter().map(named).collect(),
            include: build(include)?,
            exclude: build(exclude)?,
            prefix: query.path_prefix.replace('\\', "/").trim_start_matches("./").trim_matches('/').to_owned(),
            scope: query.scope,
            kinds: query.kinds.clone(),
        })
    }

    /// Whether hits may lie in the file.
    pub fn admits(&self, file: &File) -> bool {
        self.admits_place(&file.path, &file.language, file.content)
    }

    /// Whether hits may lie in a file of this path, language and content.
    pub fn admits_place(&self, path: &str, language: &str, content: Content) -> bool {
        (self.languages.is_empty() || self.languages.contains(&language))
            && (self.include.is_empty() || self.include.is_match(path))
            && (self.exclude.is_empty() || !self.exclude.is_match(path))
            && (self.prefix.is_empty()
                || path.strip_prefix(&self.prefix).is_some_and(|r| r.is_empty() || r.starts_with('/')))
            && match self.scope {
                Scope::All => true,
                Scope::Only(wanted) => content == wanted,
            }
    }

    /// Whether a chunk of the file can be a hit of the wanted kinds.
    pub fn holds_kind(&self, generation: &Generation, file: &File) -> bool {
        self.kinds.is_empty() || (file.chunks.0..file.chunks.1).any(|c| !self.shown(generation, c).is_empty())
    }

    /// What the chunk can be shown as: with filters by kind, the symbols of those kinds that are defined in it (or itself,
    /// where it has none and is called by one of the words for that); without, everything.
    pub fn shown(&self, generation: &Generation, chunk: u32) -> Shown {
        let data = &generation.chunks[chunk as usize];
        if self.kinds.is_empty() {
            return Shown::Anything;
        }
        let wanted = |word: &str| self.kinds.iter().any(|k| k == word);
        let of_kind = |&s: &u32| wanted(generation.symbols[s as usize].record.kind.word());
        let symbols: Vec<u32> = data.defines.iter().copied().filter(of_kind).collect();
        match data.symbol {
            _ if !symbols.is_empty() => Shown::Symbols(symbols),
            Some(part_of) if data.defines.is_empty() && of_kind(&part_of) => Shown::Symbols(vec![part_of]),
            None if data.defines.is_empty() && wanted(kind_without_symbol(generation, data.file)) => Shown::Itself,
            _ => Shown::Nothing,
        }
    }
}

/// What a chunk can be shown as.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shown {
    /// No filter by kind.
    Anything,
    /// As one of these symbols.
    Symbols(Vec<u32>),
    /// As a piece of text.
    Itself,
    /// It is of no wanted kind.
    Nothing,
}

impl Shown {
    /// Whether it is of no wanted kind.
    pub fn is_empty(&self) -> bool {
        *self == Self::Nothing
    }
}

/// The kind that a chunk without a symbol has in answers.
pub fn kind_without_symbol(generation: &Generation, file: u32) -> &'static str {
    match generation.files[file as usize].content {
        Content::Docs => "section",
        Content::Code | Content::Config => "text",
    }
}

/// A glob as ripgrep's `-g`: without a slash it matches names in any folder; `/` before it anchors it to the root;
/// `\` separates folders too, as people on Windows type them.
fn add_glob(builder: &mut GlobSetBuilder, glob: &str) -> Result<(), Error> {
    let slashed = glob.replace('\\', "/");
    let anchored = slashed.strip_prefix('/');
    let mut patterns = match anchored {
        Some(rest) => vec![rest.to_owned()],
        None if slashed.trim_end_matches('/').contains('/') => vec![slashed.clone()],
        None => vec![slashed.clone(), format!("**/{slashed}")],
    };
    // A folder stands for everything in it.
    for at in 0..patterns.len() {
        patterns.push(format!("{}/**", patterns[at].trim_end_matches('/')));
    }
    for pattern in patterns {
        let compiled = GlobBuilder::new(&pattern).literal_separator(true).build();
        builder.add(compiled.map_err(|e| Error::Glob(format!("{glob}: {}", e.kind())))?);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matches(glob: &str, path: &str) -> bool {
        let mut builder = GlobSetBuilder::new();
        add_glob(&mut builder, glob).expect("glob");
        builder.build().expect("set").is_match(path)
    }

    #[test]
    fn globs_as_ripgrep_has_them() {
        assert!(matches("*.rs", "a/b/c.rs") && matches("*.rs", "c.rs"));
        assert!(!matches("/*.rs", "a/c.rs") && matches("/*.rs", "c.rs"));
        assert!(matches("src\\**\\*.ts", "src/a/b.ts") && matches("src/**/*.ts", "src/b.ts"));
        assert!(matches("src/", "src/a.rs") && matches("docs", "a/docs/b.md"));
        assert!(!matches("a?b", "axxb") && matches("a?b", "axb"));
        assert!(matches("*.{js,ts}", "x.ts") && matches("{a,}", "a"));
        assert!(!matches("*/x", "a/b/x") && matches("*/x", "a/x"));
        let mut builder = GlobSetBuilder::new();
        assert!(matches!(add_glob(&mut builder, "a["), Err(Error::Glob(_))));
        assert!(matches!(add_glob(&mut builder, "{"), Err(Error::Glob(_))));
    }
}
