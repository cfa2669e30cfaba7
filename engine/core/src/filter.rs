//! Which files and chunks a question is asked of. Filters act before anything is ranked.

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};
use seekwell_types::{Query, Scope};

use crate::error::Error;
use crate::generation::{File, Generation};
use crate::grammar::Languages;
use crate::symbols::SymbolKind;

/// The filters of a question, compiled.
pub struct Filter {
    languages: Vec<&'static str>,
    include: GlobSet,
    exclude: GlobSet,
    prefix: String,
    scope: Scope,
    /// Kinds a hit must have; empty means any.
    pub kinds: Vec<SymbolKind>,
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
            kinds: query.kinds.iter().filter_map(|k| SymbolKind::from_word(k)).collect(),
        })
    }

    /// Whether hits may lie in the file.
    pub fn admits(&self, file: &File) -> bool {
        let path = file.path.as_str();
        (self.languages.is_empty() || self.languages.contains(&file.language.as_str()))
            && (self.include.is_empty() || self.include.is_match(path))
            && !self.exclude.is_match(path)
            && (self.prefix.is_empty() || path.strip_prefix(&self.prefix).is_some_and(|r| r.is_empty() || r.starts_with('/')))
            && match self.scope {
                Scope::All => true,
                Scope::Only(content) => file.content == content,
            }
    }

    /// The symbol that makes the chunk a hit of the wanted kinds; `None` in `Some` if any chunk will do.
    pub fn chunk(&self, generation: &Generation, chunk: u32) -> Option<Option<u32>> {
        if self.kinds.is_empty() {
            return Some(None);
        }
        let of_kind = |&&s: &&u32| self.kinds.contains(&generation.symbols[s as usize].record.kind);
        generation.chunks[chunk as usize].defines.iter().find(of_kind).map(|&s| Some(s))
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
