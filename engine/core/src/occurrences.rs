//! Every place of a name in one file, with what the name does there: by identifier, not by similarity.
//!
//! A place counts if the name stands there as a whole word. What it does is read off the syntax tree where there is one;
//! in comments, strings and prose it is text, or a mention, if it stands in back-ticks or in a link.

use seekwell_types::ByteSpan;
use seekwell_types::structure::{LocalPlace, Occurrence, Role, Token};
use tree_sitter::{Node, Tree};

use crate::analyse::{Analyst, for_parser};
use crate::decode::{Binary, Decoded, decode};
use crate::grammar::{Languages, Structure};
use crate::locals;
use crate::parse::Parsers;
use crate::qualifier::receiver;
use crate::symbols::{CallKind, Extracted, SymbolKind, extract};
use crate::text::LineIndex;

/// Ancestors that are asked what a name does in them.
const ANCESTORS: usize = 12;

/// Finds places of names, one file after the other.
pub struct Occurrences {
    languages: Languages,
    parsers: Parsers,
}

impl Occurrences {
    /// For files in these languages.
    pub fn new(languages: Languages) -> Self {
        Self { languages, parsers: Parsers::new() }
    }

    /// The places of a name in a file, in order.
    pub fn find(&mut self, path: &str, bytes: &[u8], name: &str) -> Result<Vec<Occurrence>, Binary> {
        let decoded = decode(bytes)?;
        let text = &*decoded.text;
        let spans = whole_words(text, name);
        if spans.is_empty() {
            return Ok(Vec::new());
        }
        let told = self.told(path, text, &spans);
        Ok(occurrences(&decoded, spans, told))
    }

    /// What stands at a place: the line and the column are one-based, the column in bytes of the decoded line. None if there
    /// is no name.
    pub fn token(&mut self, path: &str, bytes: &[u8], line: u32, column: u32) -> Result<Option<Token>, Binary> {
        let decoded = decode(bytes)?;
        let text = &*decoded.text;
        let lines = LineIndex::new(text);
        let (start, end) = (lines.start_of(line.max(1) - 1), lines.end_of(line.max(1) - 1));
        let at = text.floor_char_boundary(start.saturating_add(column.max(1) - 1).min(end) as usize);
        let Some(span) = word_at(text, at) else { return Ok(None) };
        let name = text[span.range()].to_owned();
        let spans = whole_words(text, &name);
        let Ok(number) = spans.binary_search(&span) else { return Ok(None) };
        let told = self.told(path, text, &spans);
        let declared: Vec<Option<usize>> = told.iter().map(|told| told.1).collect();
        let mut found = occurrences(&decoded, spans, told);
        let occurrence = found[number].clone();
        let mut locals = Vec::new();
        if let Some(declaration) = declared[number] {
            let same = |(_, of): &(Occurrence, &Option<usize>)| **of == Some(declaration);
            locals.extend(found.drain(..).zip(&declared).filter(same).map(|(of, _)| LocalPlace {
                span: of.span,
                line: of.line,
                column: of.column,
                role: of.role,
            }));
        }
        Ok(Some(Token { name, occurrence, locals }))
    }

    /// What each place of a name does, and the number of the place that declares it, if it is a variable of a function.
    fn told(&mut self, path: &str, text: &str, spans: &[ByteSpan]) -> Vec<(Role, Option<usize>)> {
        let language = self.languages.of_text(path, text);
        let as_text = || spans.iter().map(|&span| (spoken_of(text, span), None)).collect();
        match language.map(|l| (l, &l.structure)) {
            Some((language, Structure::Grammar(grammar))) => {
                let source = for_parser(language, text);
                let Ok(parsed) = self.parsers.parse(grammar, &source) else { return as_text() };
                let found = extract(&parsed.tree, &source, parsed.patterns);
                let of = |(span, (number, declared)): (&ByteSpan, (usize, Option<usize>))| match known(&found, *span)
                    .unwrap_or_else(|| in_tree(&parsed.tree, text, *span))
                {
                    role @ (Role::Definition | Role::Import | Role::Text | Role::Mention) => (role, None),
                    _ if declared == Some(number) => (Role::Definition, declared),
                    role => (role, declared),
                };
                let declared = locals::declarations(&parsed.tree, &source, language.id, spans);
                spans.iter().zip(declared.into_iter().enumerate()).map(of).collect()
            }
            Some((_, Structure::Embedded | Structure::Notebook)) => {
                // The trees of the blocks are not kept: what is neither defined nor called there is read.
                let mut analyst = Analyst::new(self.languages, None);
                let found = analyst.extracted(path, text);
                spans.iter().map(|&span| (known(&found, span).unwrap_or(Role::Read), None)).collect()
            }
            _ => as_text(),
        }
    }
}

/// Places in the text, as they are told.
fn occurrences(decoded: &Decoded<'_>, mut spans: Vec<ByteSpan>, told: Vec<(Role, Option<usize>)>) -> Vec<Occurrence> {
    let text = &*decoded.text;
    let lines = LineIndex::new(text);
    let places: Vec<(u32, u32)> = spans.iter().map(|span| lines.place(span.start)).collect();
    let before: Vec<String> = spans.iter().map(|span| receiver(text.as_bytes(), span.start as usize, 0)).collect();
    decoded.to_disk(spans.iter_mut());
    let one = |(((span, (line, column)), on), (role, declared)): (_, (Role, Option<usize>))| Occurrence {
        span,
        line,
        column,
        role,
        on,
        local: declared.is_some(),
    };
    spans.into_iter().zip(places).zip(before).zip(told).map(one).collect()
}

/// The word that a place is in or directly behind.
fn word_at(text: &str, at: usize) -> Option<ByteSpan> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let start = text[..at].char_indices().rev().take_while(|&(_, c)| is_word(c)).last().map_or(at, |(start, _)| start);
    let end = text[at..].char_indices().find(|&(_, c)| !is_word(c)).map_or(text.len(), |(end, _)| at + end);
    (start < end).then(|| ByteSpan::new(start as u32, end as u32))
}

/// Where a name stands as a whole word.
fn whole_words(text: &str, name: &str) -> Vec<ByteSpan> {
    if name.trim().is_empty() {
        return Vec::new();
    }
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let bounded = |end: Option<char>, next: Option<char>| !(end.is_some_and(is_word) && next.is_some_and(is_word));
    memchr::memmem::find_iter(text.as_bytes(), name.as_bytes())
        .filter(|&at| {
            let end = at + name.len();
            bounded(name.chars().next(), text[..at].chars().next_back())
                && bounded(name.chars().next_back(), text[end..].chars().next())
        })
        .map(|at| ByteSpan::new(at as u32, (at + name.len()) as u32))
        .collect()
}

/// What the patterns of the language say of a place.
fn known(found: &Extracted, span: ByteSpan) -> Option<Role> {
    let defines = |s: &&crate::symbols::Symbol| s.name.contains(span) && s.kind != SymbolKind::Impl;
    if found.symbols.iter().any(|s| defines(&s)) {
        return Some(Role::Definition);
    }
    let used = found.calls.iter().find(|call| call.name.contains(span) || call.alias == span)?;
    Some(match used.kind {
        CallKind::Call => Role::Call,
        CallKind::Import => Role::Import,
        CallKind::Extends => Role::Extends,
        CallKind::Value => Role::Read,
    })
}

/// What the nodes around a place say of it.
fn in_tree(tree: &Tree, text: &str, span: ByteSpan) -> Role {
    let Some(leaf) = tree.root_node().descendant_for_byte_range(span.start as usize, span.end as usize) else {
        return Role::Text;
    };
    let mut node = leaf;
    for _ in 0..ANCESTORS {
        let kind = node.kind();
        // Code inside of a string is code.
        if ["interpol", "expansion", "substitution"].iter().any(|part| kind.contains(part)) {
            break;
        }
        if is_text(kind) {
            return spoken_of(text, span);
        }
        let Some(parent) = node.parent() else { break };
        if imports(parent.kind()) {
            return Role::Import;
        }
        if writes(parent, node) {
            return Role::Write;
        }
        // What is inside a call, a block or a body is no longer about this name.
        if node.start_byte() != leaf.start_byte() && node.end_byte() != leaf.end_byte() && !is_wrapping(kind) {
            break;
        }
        node = parent;
    }
    Role::Read
}

fn is_text(kind: &str) -> bool {
    kind.contains("comment") || kind.contains("string") && !kind.contains("interpol") || kind == "heredoc_content"
}

fn imports(kind: &str) -> bool {
    kind.contains("import") || kind.contains("use_declaration") || kind.contains("using_directive")
}

/// Kinds around a name that do not end what is written or said there.
fn is_wrapping(kind: &str) -> bool {
    ["pattern", "list", "tuple", "member", "field", "index", "subscript", "interpol", "string", "comment"]
        .iter()
        .any(|part| kind.contains(part))
}

/// Whether a node is what its parent writes to.
fn writes(parent: Node<'_>, node: Node<'_>) -> bool {
    let kind = parent.kind();
    if kind.contains("update_expression") || kind == "inc_statement" || kind == "dec_statement" {
        return true;
    }
    let assigns = kind.contains("assign")
        || kind.contains("declarator")
        || kind.contains("let_declaration")
        || kind.contains("short_var");
    if !assigns {
        return false;
    }
    let is = |field: &str| parent.child_by_field_name(field).is_some_and(|child| child == node);
    // Where a grammar has no fields, the first child is what is written to.
    is("left")
        || is("name")
        || is("pattern")
        || is("target")
        || parent.child_by_field_name("left").is_none() && parent.named_child(0) == Some(node)
}

/// Whether a place in text is a mention: in back-ticks, in a link (`[name]`, `[..](..)`), in `{@link name}` or
/// `:func:`.
fn spoken_of(text: &str, span: ByteSpan) -> Role {
    let line_start = text[..span.start as usize].rfind('\n').map_or(0, |at| at + 1);
    let line_end = text[span.end as usize..].find('\n').map_or(text.len(), |at| at + span.end as usize);
    let (before, after) = (&text[line_start..span.start as usize], &text[span.end as usize..line_end]);
    // An odd number of back-ticks before it and one behind: inside.
    let ticked = before.matches('`').count() % 2 == 1 && after.contains('`');
    let bracketed = match (before.rfind(['[', ']']), after.find(['[', ']'])) {
        (Some(open), Some(close)) => before[open..].starts_with('[') && after[close..].starts_with(']'),
        _ => false,
    };
    let linked = before.rfind("{@").is_some_and(|at| !before[at..].contains('}')) && after.contains('}');
    if ticked || bracketed || linked { Role::Mention } else { Role::Text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_whole() {
        let at = |text: &str, name: &str| whole_words(text, name).iter().map(|s| s.start).collect::<Vec<_>>();
        assert_eq!(at("run rerun run_all run. Run run", "run"), [0, 18, 27]);
        assert_eq!(at("empty? empty?x is_empty?", "empty?"), [0, 7]);
        assert_eq!(at("été été_ l'été", "été"), [0, 15]);
        assert_eq!(at("a b", ""), [] as [u32; 0]);
        assert_eq!(at("a+b + c", "+"), [1, 4]);
    }

    #[test]
    fn mentions_in_prose() {
        let role = |text: &str| spoken_of(text, whole_words(text, "run")[0]);
        for text in ["call `run` now", "see [run](x.md)", "[`run`]", "{@link run}", ":func:`a.run`"] {
            assert_eq!(role(text), Role::Mention, "{text}");
        }
        for text in ["run", "`a` run `b`", "[a] run [b]", "a run of it"] {
            assert_eq!(role(text), Role::Text, "{text}");
        }
    }
}
