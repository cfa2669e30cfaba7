//! What the walk of a tree brings together: definitions with the comments before them, scopes, uses.

use super::{Binding, Call, CallKind, Extracted, SymbolKind, nest};
use crate::pattern::{Match, Patterns, Role, Visit, scan};
use crate::qualifier::{receiver, type_path, value_path};
use seekwell_types::ByteSpan;
use tree_sitter::{Node, Tree};

/// Values and types are read off so many bytes.
const VALUE_BYTES: usize = 240;

/// The symbols and call sites of a file.
pub fn extract(tree: &Tree, text: &str, patterns: &Patterns) -> Extracted {
    let mut found = Collected::default();
    let mut collector =
        Collector { text: text.as_bytes(), patterns, run: None, origins: Vec::new(), found: &mut found };
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
    /// Likewise.
    pub bindings: Vec<Binding>,
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
    /// Nodes around the current place that say where imports come from, outermost first.
    origins: Vec<(ByteSpan, ByteSpan)>,
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
            Role::Reference(kind) => return self.reference(kind, found),
            Role::Origin => {
                let path = found.path().map(|path| self.bare(span_of(path), true));
                self.leave_origins(span);
                self.origins.extend(path.map(|path| (span, path)));
                return;
            }
            Role::Binding => return self.binding(found),
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
    fn reference(&mut self, kind: CallKind, found: &Match<'_, '_>) {
        let span = span_of(found.node);
        let Some(name) = found.name().map(|name| self.bare(span_of(name), true)).filter(|name| !name.is_empty()) else {
            return;
        };
        let nothing = ByteSpan::new(name.start, name.start);
        let (on, alias) = if kind == CallKind::Import {
            let alias = found.alias().map_or(nothing, |alias| self.bare(span_of(alias), true));
            (self.import_path(found, name), alias)
        } else {
            (receiver(self.text, name.start as usize, span.start as usize), nothing)
        };
        self.found.calls.push(Call { kind, name, on, alias, within: None });
    }

    /// Where an import comes from: the paths of the nodes around it, its own, and what stands before its name.
    fn import_path(&mut self, found: &Match<'_, '_>, name: ByteSpan) -> String {
        let span = span_of(found.node);
        self.leave_origins(span);
        let own = found.path().map(|path| self.bare(span_of(path), true)).filter(|path| *path != name);
        let mut path = String::new();
        for part in self.origins.iter().map(|(_, path)| *path).chain(own) {
            let part = String::from_utf8_lossy(self.text.get(part.range()).unwrap_or_default());
            if !path.is_empty() {
                path.push_str("::");
            }
            path.extend(part.chars().filter(|c| !c.is_whitespace()));
        }
        if path.is_empty() { self.path_before(span, name) } else { path }
    }

    fn leave_origins(&mut self, at: ByteSpan) {
        while self.origins.last().is_some_and(|(node, _)| !node.contains(at)) {
            self.origins.pop();
        }
    }

    /// The path that stands before an imported name in its statement: `a.b` in `import a.b.{x, name}`.
    fn path_before(&self, statement: ByteSpan, name: ByteSpan) -> String {
        let before = self.text.get(statement.start as usize..name.start as usize).unwrap_or_default();
        let before = String::from_utf8_lossy(before);
        let before = match before.split_once('{') {
            Some((path, _)) => path,
            None => before.rsplit(',').next().unwrap_or_default(),
        };
        let last = before.split_whitespace().next_back().unwrap_or_default();
        let path = last.trim_matches(['.', ':', '\\', '/', '"', '\'', '(']);
        let is_path = |c: char| c.is_alphanumeric() || "_.:\\/$-".contains(c);
        let keyword = [
            "import",
            "export",
            "use",
            "using",
            "from",
            "static",
            "alias",
            "require",
            "include",
            "source",
            "function",
            "qualified",
        ];
        if path.chars().all(is_path) && !keyword.contains(&path) { path.to_owned() } else { String::new() }
    }

    fn binding(&mut self, found: &Match<'_, '_>) {
        let Some(name) = found.name().map(|name| self.bare(span_of(name), true)) else { return };
        let cut =
            |from: usize, to: usize| String::from_utf8_lossy(self.text.get(from..to).unwrap_or_default()).into_owned();
        let text = |node: Node<'_>| cut(node.start_byte(), node.end_byte().min(node.start_byte() + VALUE_BYTES));
        // `var` and its like say no type.
        let typed = found.type_of().map(|node| type_path(&text(node)));
        let typed =
            typed.filter(|of| !["var", "val", "let", "auto", "const", "dynamic", "any", "Any"].contains(&&**of));
        let valued = || found.value().map(|node| value_path(&self.without_arguments(node))).filter(|of| !of.is_empty());
        let of = match typed {
            // A function: its parameters are the value.
            Some(of) if found.value().is_some_and(|value| value.kind().ends_with("parameters")) => format!("){of}"),
            Some(of) => of,
            None => valued().map_or(String::new(), |of| format!("={}{of}", if found.rule.second { "#" } else { "" })),
        };
        if !of.is_empty() {
            let field = if found.path().is_some() { "." } else { "" };
            self.found.bindings.push(Binding { name, of: format!("{field}{of}"), within: None });
        }
    }

    /// The text of a value; of a long one without what stands between the parentheses of its calls.
    fn without_arguments(&self, value: Node<'_>) -> String {
        let text =
            |node: Node<'_>| String::from_utf8_lossy(self.text.get(node.byte_range()).unwrap_or_default()).into_owned();
        // What is longer says nothing that could be read off.
        let cut = || {
            let start = value.start_byte();
            let bytes = self.text.get(start..value.end_byte().min(start + VALUE_BYTES)).unwrap_or_default();
            String::from_utf8_lossy(bytes).into_owned()
        };
        let mut pieces: Vec<String> = Vec::new();
        let mut node = value;
        // Down the left side: `a.b(…).c(…)` is a call of a member of a call.
        while node.end_byte() - node.start_byte() > VALUE_BYTES {
            for at in (1..node.child_count()).rev() {
                let Some(child) = node.child(at as u32) else { continue };
                let kind = child.kind();
                match child.end_byte() - child.start_byte() {
                    _ if kind.contains("type_arguments") => {}
                    _ if kind.contains("argument") => pieces.push("()".to_owned()),
                    0..VALUE_BYTES => pieces.push(text(child)),
                    _ => return cut(),
                }
            }
            // `new` and `await` stand on the left of what they are about.
            match node.child(0).filter(Node::is_named) {
                Some(first) if pieces.len() < VALUE_BYTES => node = first,
                _ => return cut(),
            }
        }
        pieces.push(text(node));
        pieces.reverse();
        pieces.concat()
    }

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
