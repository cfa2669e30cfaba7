//! Light colouring of code: comments, strings, numbers and keywords of a language family, line by line.
//!
//! Only what helps an eye to find its way through a dozen lines. It knows no grammar, loads nothing, and a wrong guess
//! costs a colour.

use std::ops::Range;

/// What a part of a line is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Class {
    /// A comment.
    Comment,
    /// A string or character literal.
    Text,
    /// A number.
    Number,
    /// A word of the language.
    Keyword,
    /// A heading of prose.
    Heading,
}

struct Family {
    languages: &'static [&'static str],
    line_comments: &'static [&'static str],
    block_comment: Option<(&'static str, &'static str)>,
    quotes: &'static [&'static str],
    /// Whether `'` begins a literal of one character only: it is a lifetime, a type variable or an apostrophe else.
    single_is_char: bool,
    keywords: &'static [&'static str],
}

const C_WORDS: &[&str] = &[
    "abstract",
    "as",
    "async",
    "await",
    "auto",
    "bool",
    "boolean",
    "break",
    "case",
    "catch",
    "char",
    "class",
    "const",
    "continue",
    "crate",
    "data",
    "default",
    "defer",
    "delete",
    "do",
    "double",
    "dyn",
    "else",
    "enum",
    "export",
    "extends",
    "extension",
    "extern",
    "false",
    "final",
    "finally",
    "float",
    "fn",
    "for",
    "foreach",
    "from",
    "fun",
    "func",
    "function",
    "go",
    "guard",
    "if",
    "impl",
    "implements",
    "import",
    "in",
    "inline",
    "int",
    "interface",
    "internal",
    "is",
    "let",
    "long",
    "loop",
    "match",
    "mod",
    "module",
    "mut",
    "namespace",
    "new",
    "nil",
    "null",
    "object",
    "override",
    "package",
    "private",
    "protected",
    "protocol",
    "pub",
    "public",
    "range",
    "ref",
    "return",
    "sealed",
    "select",
    "self",
    "Self",
    "sizeof",
    "static",
    "struct",
    "super",
    "switch",
    "template",
    "this",
    "throw",
    "throws",
    "trait",
    "true",
    "try",
    "type",
    "typedef",
    "typename",
    "typeof",
    "union",
    "unsafe",
    "use",
    "using",
    "val",
    "var",
    "virtual",
    "void",
    "when",
    "where",
    "while",
    "yield",
];
const SCRIPT_WORDS: &[&str] = &[
    "and",
    "as",
    "assert",
    "async",
    "await",
    "begin",
    "break",
    "case",
    "class",
    "continue",
    "def",
    "defmodule",
    "defp",
    "del",
    "do",
    "done",
    "elif",
    "else",
    "elsif",
    "end",
    "ensure",
    "esac",
    "except",
    "export",
    "False",
    "false",
    "fi",
    "finally",
    "for",
    "from",
    "function",
    "global",
    "if",
    "import",
    "in",
    "is",
    "lambda",
    "local",
    "match",
    "module",
    "next",
    "nil",
    "None",
    "nonlocal",
    "not",
    "null",
    "or",
    "pass",
    "raise",
    "require",
    "rescue",
    "return",
    "self",
    "then",
    "True",
    "true",
    "try",
    "unless",
    "until",
    "when",
    "while",
    "with",
    "yield",
];
const DASH_WORDS: &[&str] = &[
    "and", "as", "begin", "by", "case", "class", "create", "data", "delete", "deriving", "do", "else", "elseif", "end",
    "false", "for", "from", "function", "group", "having", "if", "import", "in", "index", "insert", "instance", "into",
    "join", "let", "local", "module", "newtype", "nil", "not", "null", "of", "on", "or", "order", "primary", "return",
    "select", "set", "table", "then", "true", "type", "update", "values", "where", "while",
];

const FAMILIES: [Family; 7] = [
    Family {
        languages: &["rust", "c", "cpp", "c-sharp", "csharp", "java", "go", "kotlin", "swift", "scala", "zig", "proto"],
        line_comments: &["//"],
        block_comment: Some(("/*", "*/")),
        quotes: &["\"\"\"", "\"", "'"],
        single_is_char: true,
        keywords: C_WORDS,
    },
    Family {
        languages: &["javascript", "typescript", "tsx", "jsx", "php", "dart", "vue", "svelte", "astro", "css", "scss"],
        line_comments: &["//"],
        block_comment: Some(("/*", "*/")),
        quotes: &["\"", "'", "`"],
        single_is_char: false,
        keywords: C_WORDS,
    },
    Family {
        languages: &[
            "python",
            "ruby",
            "bash",
            "elixir",
            "hcl",
            "yaml",
            "toml",
            "dockerfile",
            "make",
            "nix",
            "r",
            "perl",
        ],
        line_comments: &["#"],
        block_comment: None,
        quotes: &["\"\"\"", "'''", "\"", "'"],
        single_is_char: false,
        keywords: SCRIPT_WORDS,
    },
    Family {
        languages: &["sql", "lua"],
        line_comments: &["--"],
        block_comment: None,
        quotes: &["\"", "'"],
        single_is_char: false,
        keywords: DASH_WORDS,
    },
    Family {
        languages: &["haskell"],
        line_comments: &["--"],
        block_comment: Some(("{-", "-}")),
        quotes: &["\"", "'"],
        single_is_char: true,
        keywords: DASH_WORDS,
    },
    Family {
        languages: &["json", "jsonc"],
        line_comments: &["//"],
        block_comment: Some(("/*", "*/")),
        quotes: &["\""],
        single_is_char: false,
        keywords: &["true", "false", "null"],
    },
    Family {
        languages: &["html", "xml"],
        line_comments: &[],
        block_comment: Some(("<!--", "-->")),
        quotes: &["\""],
        single_is_char: false,
        keywords: &[],
    },
];

/// Colours the lines of one text, top to bottom.
pub(super) struct Highlighter {
    family: Option<&'static Family>,
    markdown: bool,
    /// What a construct that is open across the line end is closed by.
    open: Option<(&'static str, Class)>,
}

impl Highlighter {
    /// A highlighter for a text in this language.
    pub(super) fn new(language: &str) -> Self {
        let family = FAMILIES.iter().find(|family| family.languages.contains(&language));
        Self { family, markdown: language == "markdown", open: None }
    }

    /// The classified parts of the next line, in order, not overlapping.
    pub(super) fn line(&mut self, line: &str) -> Vec<(Range<usize>, Class)> {
        if self.markdown {
            let heading = line.starts_with('#');
            return if heading { vec![(0..line.len(), Class::Heading)] } else { Vec::new() };
        }
        let Some(family) = self.family else { return Vec::new() };
        let mut parts = Vec::new();
        let mut at = 0;
        while at < line.len() {
            if let Some((close, class)) = self.open {
                let end = close_at(line, at, close, class);
                parts.push((at..end.unwrap_or(line.len()), class));
                at = end.unwrap_or(line.len());
                // A plain string ends with its line; blocks and long strings go on.
                if end.is_some() || matches!(close, "\"" | "'") {
                    self.open = None;
                }
                continue;
            }
            at = self.token(family, line, at, &mut parts);
        }
        parts
    }

    /// Classifies what begins at `at`, and returns where it ends.
    fn token(&mut self, family: &Family, line: &str, at: usize, parts: &mut Vec<(Range<usize>, Class)>) -> usize {
        let rest = &line[at..];
        if family.line_comments.iter().any(|mark| rest.starts_with(mark) && begins_comment(line, at, mark)) {
            parts.push((at..line.len(), Class::Comment));
            return line.len();
        }
        if let Some((begin, close)) = family.block_comment.filter(|(begin, _)| rest.starts_with(begin)) {
            return self.enter(line, at, begin, close, Class::Comment, parts);
        }
        if let Some(quote) = family.quotes.iter().find(|quote| rest.starts_with(**quote)) {
            if *quote != "'" || !family.single_is_char {
                return self.enter(line, at, quote, quote, Class::Text, parts);
            }
            if let Some(length) = char_literal(rest) {
                parts.push((at..at + length, Class::Text));
                return at + length;
            }
        }
        let first = rest.chars().next().expect("`at` is before the end of the line");
        if !(first.is_alphanumeric() || first == '_') {
            return at + first.len_utf8();
        }
        let length = rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(rest.len());
        if first.is_ascii_digit() {
            parts.push((at..at + length, Class::Number));
        } else if family.keywords.contains(&&rest[..length]) || is_upper_sql(family, &rest[..length]) {
            parts.push((at..at + length, Class::Keyword));
        }
        at + length
    }

    /// Enters a construct; its opening mark is part of it.
    fn enter(
        &mut self,
        line: &str,
        at: usize,
        begin: &str,
        close: &'static str,
        class: Class,
        parts: &mut Vec<(Range<usize>, Class)>,
    ) -> usize {
        match close_at(line, at + begin.len(), close, class) {
            Some(end) => {
                parts.push((at..end, class));
                end
            }
            None => {
                parts.push((at..line.len(), class));
                self.open = (!matches!(close, "\"" | "'")).then_some((close, class));
                line.len()
            }
        }
    }
}

/// Where the construct that is open at `from` ends, past its closing mark.
fn close_at(line: &str, from: usize, close: &str, class: Class) -> Option<usize> {
    let mut at = from;
    while at < line.len() {
        let rest = &line[at..];
        if rest.starts_with(close) {
            return Some(at + close.len());
        }
        let mut chars = rest.chars();
        let first = chars.next()?;
        at += first.len_utf8();
        if first == '\\' && class == Class::Text {
            at += chars.next().map_or(0, char::len_utf8);
        }
    }
    None
}

/// Length of a literal like `'x'` or `'\u{1b}'`.
fn char_literal(rest: &str) -> Option<usize> {
    let inner = &rest[1..];
    let first = inner.chars().next()?;
    if first == '\\' {
        let end = inner[1..].char_indices().skip(1).take(10).find(|(_, c)| *c == '\'')?.0;
        return Some(1 + 1 + end + 1);
    }
    inner[first.len_utf8()..].starts_with('\'').then(|| 1 + first.len_utf8() + 1)
}

/// `#` inside a word is none (`$#`, `a#b`), and `//` after a colon is an address.
fn begins_comment(line: &str, at: usize, mark: &str) -> bool {
    let before = line[..at].chars().next_back();
    match mark {
        "#" => before.is_none_or(|c| c.is_whitespace() || c == ';'),
        "//" => before != Some(':'),
        _ => true,
    }
}

fn is_upper_sql(family: &Family, word: &str) -> bool {
    family.languages.contains(&"sql") && family.keywords.iter().any(|keyword| keyword.eq_ignore_ascii_case(word))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn classes<'t>(language: &str, lines: &[&'t str]) -> Vec<(&'t str, Class)> {
        let mut highlighter = Highlighter::new(language);
        let parts = |line: &'t str| highlighter.line(line).into_iter().map(|(r, c)| (&line[r], c)).collect::<Vec<_>>();
        lines.iter().copied().flat_map(parts).collect()
    }

    #[test]
    fn families() {
        use Class::{Comment, Heading, Keyword, Number, Text};
        assert_eq!(
            classes("rust", &["fn f<'a>(x: &'a str) { 'x'; '\\''; \"a\\\"b\" } // why"]),
            [("fn", Keyword), ("'x'", Text), ("'\\''", Text), ("\"a\\\"b\"", Text), ("// why", Comment)]
        );
        assert_eq!(
            classes("go", &["/* a", "b */ return 12"]),
            [("/* a", Comment), ("b */", Comment), ("return", Keyword), ("12", Number)]
        );
        assert_eq!(
            classes("python", &["def f(): # x", "  '''a", "b''' + 'it'", "x#y"]),
            [("def", Keyword), ("# x", Comment), ("'''a", Text), ("b'''", Text), ("'it'", Text)]
        );
        assert_eq!(classes("sql", &["SELECT a -- b"]), [("SELECT", Keyword), ("-- b", Comment)]);
        assert_eq!(classes("typescript", &["`a", "b` 'c'"]), [("`a", Text), ("b`", Text), ("'c'", Text)]);
        assert_eq!(classes("markdown", &["# A", "if 1"]), [("# A", Heading)]);
        assert_eq!(classes("text", &["if \"a\""]), []);
        assert_eq!(classes("yaml", &["url: http://x # y"]), [("# y", Comment)]);
    }

    proptest! {
        #[test]
        fn parts_are_in_order_and_on_boundaries(lines in proptest::collection::vec("[a1 '\"`#/*\\\\<!{}é-]{0,30}", 0..5), family in 0usize..7) {
            let mut highlighter = Highlighter::new(FAMILIES[family].languages[0]);
            for line in &lines {
                let mut end = 0;
                for (range, _) in highlighter.line(line) {
                    prop_assert!(range.start >= end && line.get(range.clone()).is_some(), "{line:?} {range:?}");
                    end = range.end;
                }
            }
        }
    }
}
