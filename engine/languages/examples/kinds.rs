//! Scratch: which kinds hold no root of a pattern.
use seekwell_core::grammar::Structure;
use seekwell_core::parse::Parsers;
use seekwell_core::pattern::{Match, Visit, scan};
use seekwell_languages::LANGUAGES;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use tree_sitter::Node;

struct Roots(BTreeSet<usize>, usize);
impl<'t> Visit<'t> for Roots {
    fn attached(&mut self, _: Node<'t>, _: bool) {}
    fn matched(&mut self, m: &Match<'_, 't>) { self.0.insert(m.node.id()); self.1 += 1; }
}

fn main() {
    let mut args = std::env::args().skip(1);
    if std::env::args().nth(1).as_deref() == Some("tree") {
        for path in args.skip(1) {
            let text = std::fs::read_to_string(&path).unwrap();
            let language = LANGUAGES.of(&path, "").unwrap();
            let Structure::Grammar(grammar) = &language.structure else { return };
            let mut parser = tree_sitter::Parser::new();
            parser.set_language(&(grammar.language)()).unwrap();
            let tree = parser.parse(&text, None).unwrap();
            let mut cursor = tree.walk();
            let mut depth = 0;
            'tree: loop {
                let node = cursor.node();
                let field = cursor.field_name().map(|f| format!("{f}: ")).unwrap_or_default();
                let leaf = if node.child_count() == 0 { format!(" {:?}", &text[node.byte_range()]) } else { String::new() };
                println!("{}{field}{}{}", "  ".repeat(depth), if node.is_named() { node.kind().to_owned() } else { format!("{:?}", node.kind()) }, if node.is_named() { leaf } else { String::new() });
                if cursor.goto_first_child() { depth += 1; continue }
                while !cursor.goto_next_sibling() { if !cursor.goto_parent() { break 'tree } depth -= 1; }
            }
        }
        return;
    }
    if std::env::args().nth(1).as_deref() == Some("compile") {
        for language in LANGUAGES.0 {
            let Structure::Grammar(grammar) = &language.structure else { continue };
            if let Err(e) = seekwell_core::pattern::Patterns::of(grammar, &(grammar.language)()) { println!("{}: {e}", language.id); }
        }
        return;
    }
    let id = args.next().unwrap();
    let language = LANGUAGES.named(&id).unwrap();
    let Structure::Grammar(grammar) = &language.structure else { return };
    let mut paths = Vec::new();
    for folder in args { collect(Path::new(&folder), &mut paths); }
    let mut parsers = Parsers::new();
    let mut stat: BTreeMap<&'static str, (usize, usize, usize)> = BTreeMap::new();
    let mut total = 0;
    for path in paths {
        if LANGUAGES.of(&path.to_string_lossy(), "").map(|l| l.id) != Some(language.id) { continue }
        let Ok(text) = std::fs::read_to_string(&path) else { continue };
        let Ok(parsed) = parsers.parse(grammar, &text) else { continue };
        let mut roots = Roots(BTreeSet::new(), 0);
        scan(&parsed.tree, &text, parsed.patterns, &mut roots);
        // postorder
        let mut cursor = parsed.tree.walk();
        let mut stack: Vec<(usize, usize)> = vec![];
        'walk: loop {
            let node = cursor.node();
            stack.push((0, 0));
            total += 1;
            if cursor.goto_first_child() { continue }
            loop {
                let node2 = cursor.node();
                let (size, hits) = stack.pop().unwrap();
                let e = stat.entry(node2.kind()).or_default();
                e.0 += 1; e.1 += size; e.2 += hits;
                let own = usize::from(roots.0.contains(&node2.id()));
                if let Some(top) = stack.last_mut() { top.0 += size + 1; top.1 += hits + own; }
                if cursor.goto_next_sibling() { break }
                if !cursor.goto_parent() { break 'walk }
            }
            let _ = node;
        }
    }
    let mut all: Vec<_> = stat.into_iter().filter(|(_, s)| s.1 > 0).collect();
    all.sort_by_key(|(_, s)| std::cmp::Reverse(s.1));
    println!("{total} nodes");
    for (kind, (n, size, hits)) in all.into_iter().take(70) {
        println!("{kind:30} {n:8} nodes, {size:9} inside, {hits:8} roots inside");
    }
}
fn collect(path: &Path, into: &mut Vec<PathBuf>) {
    if path.is_dir() {
        for entry in std::fs::read_dir(path).into_iter().flatten().flatten() { collect(&entry.path(), into); }
    } else { into.push(path.to_owned()); }
}
