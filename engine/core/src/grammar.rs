//! What the engine knows of a language: how its files are recognised, how they are parsed, what their nodes mean.
//!
//! The engine holds no table of its own. Whoever drives it passes one ([`Languages`]), so that this crate builds
//! without a single C grammar.

use seekwell_types::Content;

/// One row of the language table.
pub struct Language {
    /// Stable id, lower case (`rust`): what `-t` takes, what answers carry.
    pub id: &'static str,
    /// Name for readers.
    pub name: &'static str,
    /// Other words that `-t` takes.
    pub aliases: &'static [&'static str],
    /// File extensions without the dot, lower case.
    pub extensions: &'static [&'static str],
    /// Whole file names (`Dockerfile`), compared without case.
    pub file_names: &'static [&'static str],
    /// Interpreters of a `#!` line (`bash`), without version digits.
    pub interpreters: &'static [&'static str],
    /// What its files are for.
    pub content: Content,
    /// How the files are cut and which symbols they have.
    pub structure: Structure,
    /// For an extension that two languages share: the other language's id if this path and text are in it.
    pub shared: Option<fn(path: &str, text: &str) -> Option<&'static str>>,
}

/// Where a file's structure comes from.
pub enum Structure {
    /// A tree-sitter grammar with its queries.
    Grammar(Grammar),
    /// Headings of Markdown.
    Markdown,
    /// Headings of reStructuredText (underlined) or AsciiDoc (`==`).
    Headings,
    /// None: windows of lines.
    Plain,
    /// A host document whose embedded blocks are in other languages (Vue, Svelte, Astro): `<script>` and `<style>`.
    Embedded,
    /// The code cells of a Jupyter notebook, in the language of its kernel.
    Notebook,
}

/// A tree-sitter grammar and the queries over it.
pub struct Grammar {
    /// The parser's table.
    pub language: fn() -> tree_sitter::Language,
    /// Definitions, in tree-sitter's query syntax (see [`crate::pattern`] for the part that is understood).
    pub tags: &'static str,
    /// Calls and imports, likewise.
    pub calls: &'static str,
    /// Kinds of sibling nodes that belong to the definition they stand directly before: comments, attributes, decorators.
    pub attached: &'static [&'static str],
    /// Which of these are comments, i.e. documentation when attached.
    pub comments: &'static [&'static str],
    /// Kinds inside which there is nothing to find; the walk passes over them. Only worth naming where they are many.
    pub opaque: &'static [&'static str],
    /// Whether a text could bring the grammar's own scanner to write past the buffer that its state is kept in. Such a text is
    /// not parsed.
    pub overflows: Option<fn(&str) -> bool>,
}

/// The languages that an engine can tell apart.
#[derive(Clone, Copy)]
pub struct Languages(pub &'static [Language]);

impl Languages {
    /// The language with this id or alias, compared without case.
    pub fn named(self, name: &str) -> Option<&'static Language> {
        let is = |word: &str| word.eq_ignore_ascii_case(name);
        self.0
            .iter()
            .find(|l| is(l.id))
            .or_else(|| self.0.iter().find(|l| l.aliases.iter().any(|a| is(a)) || is(l.name)))
    }

    /// The language of a file whose text is known: like [`Self::of`], with a second look where languages share an
    /// extension.
    pub fn of_text(self, path: &str, text: &str) -> Option<&'static Language> {
        let language = self.of(path, text.lines().next().unwrap_or_default())?;
        let other = language.shared.and_then(|shared| shared(path, text)).and_then(|id| self.named(id));
        Some(other.unwrap_or(language))
    }

    /// What of a path an analysis depends on: files with the same bytes and the same class have the same analysis. It is the
    /// file name if a language is known by it, else the extension if one is known by that, else nothing.
    pub fn path_class(self, path: &str) -> &str {
        let name = path.rsplit('/').next().unwrap_or(path);
        if self.0.iter().any(|l| l.file_names.iter().any(|n| n.eq_ignore_ascii_case(name))) {
            return name;
        }
        let extension = name.rsplit_once('.').filter(|(stem, _)| !stem.is_empty()).map(|(_, extension)| extension);
        let known = |e: &&str| self.0.iter().any(|l| l.extensions.iter().any(|known| known.eq_ignore_ascii_case(e)));
        extension.filter(known).unwrap_or_default()
    }

    /// The language of a file, by its name, then its extension, then the `#!` of its first line.
    pub fn of(self, path: &str, first_line: &str) -> Option<&'static Language> {
        let name = path.rsplit('/').next().unwrap_or(path);
        if let Some(l) = self.0.iter().find(|l| l.file_names.iter().any(|n| n.eq_ignore_ascii_case(name))) {
            return Some(l);
        }
        if let Some((stem, extension)) = name.rsplit_once('.')
            && !stem.is_empty()
            && let Some(l) = self.0.iter().find(|l| l.extensions.iter().any(|e| e.eq_ignore_ascii_case(extension)))
        {
            return Some(l);
        }
        let interpreter = interpreter(first_line)?;
        self.0.iter().find(|l| l.interpreters.contains(&interpreter))
    }
}

/// The interpreter that a `#!` line names: `python` for `#!/usr/bin/env -S python3.11 -u`.
fn interpreter(first_line: &str) -> Option<&str> {
    let words = first_line.strip_prefix("#!")?.split_ascii_whitespace();
    let program = words
        .map(|word| word.rsplit('/').next().unwrap_or(word))
        .find(|word| *word != "env" && !word.starts_with('-') && !word.contains('='))?;
    Some(program.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.'))
}

#[cfg(test)]
mod tests {
    use super::interpreter;

    #[test]
    fn interpreters() {
        assert_eq!(interpreter("#!/bin/bash"), Some("bash"));
        assert_eq!(interpreter("#!/usr/bin/env -S python3.11 -u"), Some("python"));
        assert_eq!(interpreter("#!/usr/bin/env LANG=C ruby"), Some("ruby"));
        assert_eq!(interpreter("# no"), None);
        assert_eq!(interpreter("#!"), None);
    }
}
