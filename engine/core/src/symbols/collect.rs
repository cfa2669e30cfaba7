//! What the walk of a tree brings together: definitions with the comments before them, scopes, uses.

use super::{Call, Extracted, SymbolKind, nest};
use crate::pattern::{Match, Patterns, Role, Visit, scan};
use seekwell_types::ByteSpan;
use tree_sitter::{Node, Tree};

/// The symbols and call sites of a file.
pub fn extract(tree: &Tree, text: &str, patterns: &Patterns) -> Extracted {
    let mut found = Collected::default();
    let mut collector = Collector { text: text.as_bytes(), patterns, run: None, found: &mut found };
    scan(tree, text, patterns, &mut collector);
    nest::nest(found, text)
}

/// Everything that was met, in document order.
#[derive(Default)]
pub(super) struct Collected {
    pub definitions: Vec<Definition>,
    pub scopes: Vec<ByteSpan>,
    /// Nodes that widen the first definition inside, with where its signature starts and what stands before it.
    pub wrappers: Vec<Wrapper>,
    /// `within` is not known yet.
    pub calls: Vec<Call>,
}

/// A definition before it is known what is around it.
#[derive(Clone, Debug)]
pub(super) struct Definition {
    /// None for a node that only widens.
    pub kind: Option<SymbolKind>,
    pub merge: bool,
    pub shallow: bool,
    pub span: ByteSpan,
    pub name: ByteSpan,
    /// Where the signature starts.
    pub head: u32,
    pub body: Option<u32>,
    pub doc: Option<ByteSpan>,
    pub before: Option<Run>,
}

/// A node around one definition, such as a decorated one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wrapper {
    pub span: ByteSpan,
    pub head: u32,
    pub before: Option<Run>,
}

/// Comments, attributes and decorators one after the other, without a blank line between them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Run {
    pub start: u32,
    end: u32,
    /// The first comments in it.
    pub doc: Option<ByteSpan>,
    /// Whether the comments reach to the end of the run.
    open: bool,
}

struct Collector<'a> {
    text: &'a [u8],
    patterns: &'a Patterns,
    /// The last run met. Whatever stands directly behind it, on whatever level of the tree, takes it.
    run: Option<Run>,
    found: &'a mut Collected,
}

impl<'t> Visit<'t> for Collector<'_> {
    fn attached(&mut self, node: Node<'t>, comment: bool) {
        let mut span = span_of(node);
        // Some grammars count the line break as part of the comment.
        while span.end > span.start && matches!(self.text.get(span.end as usize - 1), Some(b'\n' | b'\r')) {
            span.end -= 1;
        }
        let continued = self.run.filter(|run| self.adjacent(run.end, span.start));
        self.run = match continued {
            // A comment behind code speaks of that code.
            None if comment && self.code_before(span.start) => None,
            None => Some(Run { start: span.start, end: span.end, doc: comment.then_some(span), open: comment }),
            Some(run) => {
                let doc = match run.doc {
                    Some(doc) if comment && run.open => Some(ByteSpan::new(doc.start, span.end)),
                    None if comment => Some(span),
                    doc => doc,
                };
                Some(Run { end: span.end, doc, open: comment && (run.open || run.doc.is_none()), ..run })
            }
        };
    }

    fn matched(&mut self, found: &Match<'_, 't>) {
        let span = span_of(found.node);
        let kind = match found.role() {
            Role::Scope => return self.found.scopes.push(span),
            Role::Definition(kind) => Some(kind),
            Role::Widen => None,
            Role::Reference(kind) => {
                let name = found.name().map(|name| self.bare(span_of(name), true));
                if let Some(name) = name.filter(|name| !name.is_empty()) {
                    self.found.calls.push(Call { kind, name, within: None });
                }
                return;
            }
        };
        let before = self.run.filter(|run| self.adjacent(run.end, span.start));
        let code = kind != Some(SymbolKind::Section);
        let Some(name) = found.name().map(|name| self.bare(span_of(name), code)) else {
            let head = self.head(found.node);
            return self.found.wrappers.push(Wrapper { span, head, before });
        };
        // The parser makes up what is missing, with no text to it.
        if name.is_empty() {
            return;
        }
        let narrow = found.rule.narrow;
        self.found.definitions.push(Definition {
            kind,
            merge: found.rule.merge,
            shallow: found.rule.shallow,
            span: if narrow { name } else { span },
            name,
            head: if narrow { name.start } else { self.head(found.node) },
            body: found.body().map(|node| node.start_byte() as u32),
            doc: found.doc().map(span_of),
            before: before.filter(|_| !narrow),
        });
    }
}

impl Collector<'_> {
    /// Whether at most one line break, and nothing that can be seen, is between the two places.
    fn adjacent(&self, end: u32, start: u32) -> bool {
        let Some(between) = self.text.get(end as usize..start as usize) else { return false };
        let mut breaks = 0;
        for (at, byte) in between.iter().enumerate() {
            match byte {
                b'\n' => breaks += 1,
                b'\r' if between.get(at + 1) != Some(&b'\n') => breaks += 1,
                _ if byte.is_ascii_whitespace() => {}
                _ => return false,
            }
            if breaks > 1 {
                return false;
            }
        }
        true
    }

    /// Whether something stands before this place on its line.
    fn code_before(&self, start: u32) -> bool {
        let before = self.text.get(..start as usize).unwrap_or_default();
        before.iter().rev().take_while(|b| !matches!(b, b'\n' | b'\r')).any(|b| !b.is_ascii_whitespace())
    }

    /// A name without what only marks it as one: quotes, and in code the colon of a symbol (`:name`, `name: `).
    fn bare(&self, name: ByteSpan, code: bool) -> ByteSpan {
        let text = self.text.get(name.range()).unwrap_or_default().trim_ascii_end();
        let key = text.strip_suffix(b":").filter(|rest| code && rest.last().is_some_and(|b| is_word(*b)));
        let text = key.unwrap_or(text);
        let (start, end) = (name.start, name.start + text.len() as u32);
        let [first, inner @ .., last] = text else { return ByteSpan::new(start, end) };
        match (first, last) {
            (b'"', b'"') | (b'\'', b'\'') if !inner.is_empty() => ByteSpan::new(start + 1, end - 1),
            (b'<', b'>') if inner.iter().any(|b| is_word(*b)) => ByteSpan::new(start + 1, end - 1),
            (b':', last) if code && (is_word(*last) || b"?!=".contains(last)) && text[1] != b':' => {
                ByteSpan::new(start + 1, end)
            }
            _ => ByteSpan::new(start, end),
        }
    }

    /// Where the definition begins behind attributes and decorators that are part of its node: those of Java stand
    /// two levels down (`modifiers`).
    fn head(&self, node: Node<'_>) -> u32 {
        let mut start = node.start_byte();
        let mut node = node;
        for _level in 0..3 {
            let mut at = 0;
            let mut child = node.child(0);
            while let Some(here) = child.filter(|child| self.patterns.is_attached(child.kind_id())) {
                at += 1;
                child = node.child(at);
                start = child.map_or(here.end_byte(), |child| child.start_byte());
            }
            match child {
                Some(child) if child.start_byte() == start => node = child,
                // Only attributes in here: what follows is the next sibling, which the text knows.
                None if at > 0 => {
                    let rest = self.text.get(start..).unwrap_or_default();
                    return (start + rest.iter().take_while(|b| b.is_ascii_whitespace()).count()) as u32;
                }
                _ => break,
            }
        }
        start as u32
    }
}

fn span_of(node: Node<'_>) -> ByteSpan {
    ByteSpan::new(node.start_byte() as u32, node.end_byte() as u32)
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || !byte.is_ascii()
}
