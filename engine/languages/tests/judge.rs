//! Our matcher against tree-sitter's own.

#![allow(clippy::disallowed_methods, reason = "reads files: it is no part of the engine")]

mod common;

use seekwell_core::grammar::Grammar;
use seekwell_core::parse::Parsers;
use seekwell_core::pattern::{Match, Role, Visit, scan};
use seekwell_types::Content;
use std::collections::BTreeSet;
use std::ops::Range;
use streaming_iterator::StreamingIterator;
use tree_sitter::{Node, Query, QueryCursor};

/// Capture of the root, the root, the name.
type Found = BTreeSet<(String, (usize, usize), Option<(usize, usize)>)>;

/// Language, root and name of what only ours finds, rightly: where several children have one field, or an anchor follows
/// them, tree-sitter loses some.
const ONLY_OURS: [(&str, &str, &str); 3] = [
    ("go", "Mid, High", "High"),
    ("scala", "extends Base[T](limit) with Named", "Named"),
    ("scala", "import scala.collection.mutable", "mutable"),
];

/// What was found, and the spans of opaque nodes.
struct Collect(Found, Vec<(usize, usize)>);

impl<'t> Visit<'t> for Collect {
    fn attached(&mut self, _: Node<'t>, _: bool) {}

    fn matched(&mut self, found: &Match<'_, 't>) {
        let role = match found.role() {
            Role::Definition(kind) => format!("definition.{}", kind.word()),
            Role::Reference(kind) => format!("reference.{}", format!("{kind:?}").to_lowercase()),
            Role::Widen => "widen".to_owned(),
            Role::Scope => "scope".to_owned(),
            Role::Origin => "origin".to_owned(),
            Role::Binding => "binding".to_owned(),
        };
        self.0.insert((role, pair(found.node.byte_range()), found.name().map(|name| pair(name.byte_range()))));
    }
}

fn pair(range: Range<usize>) -> (usize, usize) {
    (range.start, range.end)
}

/// The opaque nodes of a (shallow) tree.
fn opaque(grammar: &Grammar, node: Node<'_>) -> Vec<(usize, usize)> {
    if grammar.opaque.contains(&node.kind()) {
        return vec![pair(node.byte_range())];
    }
    node.children(&mut node.walk()).flat_map(|child| opaque(grammar, child)).collect()
}

#[test]
fn the_same_as_tree_sitter() {
    let mut parsers = Parsers::new();
    let mut different = Vec::new();
    for fixture in common::fixtures() {
        let parsed = parsers.parse(fixture.grammar, &fixture.text).expect("samples are small");
        let mut ours = Collect(Found::new(), opaque(fixture.grammar, parsed.tree.root_node()));
        scan(&parsed.tree, &fixture.text, parsed.patterns, &mut ours);
        let mut theirs = Found::new();
        let language = (fixture.grammar.language)();
        for text in [fixture.grammar.tags, fixture.grammar.calls] {
            let query = Query::new(&language, text).unwrap_or_else(|error| panic!("{}: {error}", fixture.language.id));
            let mut cursor = QueryCursor::new();
            let mut matches = cursor.matches(&query, parsed.tree.root_node(), fixture.text.as_bytes());
            while let Some(found) = matches.next() {
                let mut root = None;
                let mut name = None;
                for capture in found.captures {
                    let word = query.capture_names()[capture.index as usize];
                    match word {
                        "name" => name = name.or(Some(capture.node)),
                        "body" | "doc" | "path" | "alias" | "type" | "value" => {}
                        _ if word.starts_with('_') => {}
                        _ => root = Some((word, capture.node)),
                    }
                }
                let (role, root) = root.expect("each pattern captures its root");
                theirs.insert((role.to_owned(), pair(root.byte_range()), name.map(|name| pair(name.byte_range()))));
            }
        }
        let show = |set: BTreeSet<_>| -> Vec<String> {
            set.iter()
                .map(|(role, root, name): &(String, (usize, usize), Option<(usize, usize)>)| {
                    format!("{role} {:?} {:?}", name.map(|n| &fixture.text[n.0..n.1]), &fixture.text[root.0..root.1])
                })
                .collect()
        };
        let text = |span: (usize, usize)| &fixture.text[span.0..span.1];
        let is_known = |(_, root, name): &(String, (usize, usize), Option<(usize, usize)>)| {
            name.is_some_and(|name| ONLY_OURS.contains(&(fixture.language.id, text(*root), text(name))))
        };
        let only_ours: Found = ours.0.difference(&theirs).filter(|found| !is_known(found)).cloned().collect();
        // In data, what is inside a list is left out on purpose; in code nothing may be lost to an opaque kind.
        let left_out = if fixture.language.content == Content::Config { &ours.1[..] } else { &[] };
        let is_inside = |root: (usize, usize)| left_out.iter().any(|span| span.0 <= root.0 && root.1 <= span.1);
        let only_theirs: Found = theirs.difference(&ours.0).filter(|found| !is_inside(found.1)).cloned().collect();
        if !only_ours.is_empty() || !only_theirs.is_empty() {
            different.push(format!(
                "{}:\nonly ours: {:#?}\nonly theirs: {:#?}",
                fixture.path.display(),
                show(only_ours),
                show(only_theirs),
            ));
        }
    }
    assert!(different.is_empty(), "{}", different.join("\n"));
}
