//! Variables and parameters of a function: which of them a place means, and where else it stands.
//!
//! Symbols are what a tree of files shares; what lives inside one function is read off the syntax tree when it is asked for.
//! No grammar needs a table for that: all of them name their nodes after the same few words (`parameter`, `declarator`,
//! `pattern`), and what is declared stands in a field of the same few names.

use std::ops::Range;

use seekwell_types::ByteSpan;
use tree_sitter::{Node, Tree};

use crate::qualifier::receiver;

/// Nodes between a name and what declares it: patterns and declarators inside each other.
const DEEPEST_PATTERN: usize = 10;

/// A function with more places of one name than this was made to be slow: nothing is said of it.
const MOST_PLACES: usize = 2_000;

/// Likewise of a file.
const MOST_IN_FILE: usize = 10_000;

/// Fields in which a declaration has what it declares.
const DECLARED: [&str; 7] = ["pattern", "left", "name", "declarator", "alias", "parameter", "parameters"];

/// Fields of a declaration in which nothing is declared.
const NOT_DECLARED: [&str; 8] =
    ["type", "right", "default", "body", "return_type", "function", "arguments", "condition"];

/// Kinds of nodes that declare what stands in one of [`DECLARED`], or at their start.
const DECLARING: [&str; 22] = [
    "let_declaration",
    "let_condition",
    "match_arm",
    "variable_declarator",
    "init_declarator",
    "local_variable",
    "short_var_declaration",
    "var_spec",
    "const_spec",
    "property_declaration",
    "variable_declaration",
    "for_expression",
    "for_statement",
    "for_in_statement",
    "enhanced_for_statement",
    "for_range_loop",
    "foreach_statement",
    "for_in_clause",
    "range_clause",
    "catch_clause",
    "named_expression",
    "as_pattern",
];

/// Kinds that declare by being assigned to, in the languages that have no declarations.
const ASSIGNING: [&str; 4] = ["assignment", "augmented_assignment", "assignment_expression", "variable_assignment"];

/// For each of these places of one name, which come in order: the number of the place that declares the variable or parameter
/// that it is; none where it is something else.
pub fn declarations(tree: &Tree, text: &str, language: &str, spans: &[ByteSpan]) -> Vec<Option<usize>> {
    let mut declared = vec![None; spans.len()];
    // What begins with a capital letter is a variant or a constant where it looks like a pattern.
    let first = spans.first().and_then(|span| text.get(span.range()));
    if spans.len() > MOST_IN_FILE
        || language == "rust" && first.is_some_and(|name| name.starts_with(char::is_uppercase))
    {
        return declared;
    }
    let bare = |(number, &span): (usize, &ByteSpan)| {
        let leaf = leaf_at(tree, span).filter(|&leaf| is_bare(leaf, text))?;
        Some((number, leaf, outermost_function(leaf)?))
    };
    let all: Vec<(usize, Node<'_>, Node<'_>)> = spans.iter().enumerate().filter_map(bare).collect();
    for places in all.chunk_by(|(_, _, one), (_, _, other)| one == other).filter(|places| places.len() <= MOST_PLACES) {
        let scope = |&(number, leaf, _): &(usize, Node<'_>, Node<'_>)| {
            Some(Declaration {
                number,
                at: leaf.byte_range(),
                from: visible_from(leaf),
                scope: declared_in(leaf, language)?.byte_range(),
            })
        };
        let declarations: Vec<Declaration> = places.iter().filter_map(scope).collect();
        for (number, leaf, _) in places {
            declared[*number] = meant(&declarations, shadows(language), &leaf.byte_range());
        }
    }
    declared
}

/// A place that declares a variable.
struct Declaration {
    /// The number of the place.
    number: usize,
    /// Its bytes.
    at: Range<usize>,
    /// Where it begins to count.
    from: usize,
    /// The bytes of what it is declared for.
    scope: Range<usize>,
}

/// The declaration that a place means: of those whose scope holds it, the first of the smallest scope. Where a second
/// declaration is another variable, the last one before it.
fn meant(declarations: &[Declaration], shadows: bool, place: &Range<usize>) -> Option<usize> {
    let holds = |d: &&Declaration| d.scope.start <= place.start && place.end <= d.scope.end;
    let counts = |d: &&Declaration| holds(d) && (!shadows || d.at == *place || d.from <= place.start);
    let of = declarations.iter().filter(counts);
    match shadows {
        false => of.min_by_key(|d| (d.scope.len(), d.number)),
        true => of.min_by_key(|d| (d.at != *place, d.scope.len(), std::cmp::Reverse(d.number))),
    }
    .map(|d| d.number)
}

/// Where a declaration begins to count: behind the value that it is given.
fn visible_from(declared: Node<'_>) -> usize {
    let declaration = ancestors(declared).take(DEEPEST_PATTERN).find(|node| node.kind() == "let_declaration");
    declaration.map_or(declared.start_byte(), |node| node.end_byte())
}

/// Whether a second declaration in one scope is another variable.
fn shadows(language: &str) -> bool {
    matches!(language, "rust" | "elixir" | "haskell")
}

/// Whether a variable is declared by its first assignment, for the whole function.
fn assigns(language: &str) -> bool {
    matches!(language, "python" | "ruby" | "php" | "bash" | "elixir")
}

/// The scope that a place declares its name for; none if it declares nothing.
fn declared_in<'t>(leaf: Node<'t>, language: &str) -> Option<Node<'t>> {
    let mut child = leaf;
    for node in ancestors(leaf).take(DEEPEST_PATTERN) {
        let kind = node.kind();
        if is_function(kind) {
            // Its own name and its result are no parameters of it; a single parameter without parentheses is.
            return is_field(node, child, &["parameter", "parameters"]).then_some(node);
        }
        // `{ key: name }` and `Point { x: name }` have the name as a value, and yet declare it.
        let value = !kind.contains("pattern") && is_field(node, child, &["value"]);
        if value || is_field(node, child, &NOT_DECLARED) {
            return None;
        }
        let parameter = kind.contains("parameter") && !kind.contains("type_parameter");
        let declares = DECLARING.contains(&kind) || kind == "declaration";
        let assigned = assigns(language) && ASSIGNING.contains(&kind);
        if parameter || declares || assigned {
            let is_first = node.named_child(0) == Some(child);
            let counts = parameter && (is_field(node, child, &DECLARED) || is_first || is_list(kind))
                || is_field(node, child, &DECLARED)
                || !has_declared(node) && is_first && (declares || assigned);
            if parameter && !counts {
                return None;
            }
            if counts {
                let scope = if assigns(language) { function_around(node) } else { scope_around(node, parameter) };
                return scope.or_else(|| outermost_function(node));
            }
            if !parameter {
                return None;
            }
        }
        if !is_wrapping(kind) && !parameter {
            return None;
        }
        child = node;
    }
    None
}

/// Kinds inside a declaration around what is declared.
fn is_wrapping(kind: &str) -> bool {
    [
        "pattern",
        "declarator",
        "tuple",
        "list",
        "identifier",
        "shorthand",
        "rest",
        "spread",
        "target",
        "variable_name",
        "assignment_statement",
    ]
    .iter()
    .any(|part| kind.contains(part))
        && !kind.contains("comprehension")
}

fn is_list(kind: &str) -> bool {
    kind.ends_with("parameters") || kind.ends_with("parameter_list")
}

fn has_declared(node: Node<'_>) -> bool {
    DECLARED.iter().any(|field| node.child_by_field_name(field).is_some())
}

fn is_field(node: Node<'_>, child: Node<'_>, fields: &[&str]) -> bool {
    fields.iter().any(|field| {
        let mut cursor = node.walk();
        node.children_by_field_name(field, &mut cursor).any(|of| of == child)
    })
}

/// What a declaration is for: the block, loop or branch around it; for a parameter, the function.
fn scope_around<'t>(node: Node<'t>, parameter: bool) -> Option<Node<'t>> {
    if parameter {
        return std::iter::once(node).chain(ancestors(node)).find(|node| is_function(node.kind()));
    }
    let is_scope = |kind: &str| {
        is_function(kind)
            || ["block", "body", "compound", "match_arm", "catch", "comprehension", "clause", "case", "if_", "while_"]
                .iter()
                .any(|part| kind.contains(part))
            || kind.starts_with("for")
            || kind.starts_with("enhanced_for")
    };
    // `range_clause` and `for_in_clause` declare for the loop that they are of.
    std::iter::once(node)
        .chain(ancestors(node))
        .find(|node| is_scope(node.kind()) && node.kind() != "range_clause" && node.kind() != "for_in_clause")
}

fn function_around(node: Node<'_>) -> Option<Node<'_>> {
    ancestors(node).find(|node| is_function(node.kind()) || node.kind().contains("comprehension"))
}

fn outermost_function(node: Node<'_>) -> Option<Node<'_>> {
    ancestors(node).filter(|node| is_function(node.kind())).last()
}

/// Whether nodes of this kind are functions of some kind, with parameters and a body.
fn is_function(kind: &str) -> bool {
    let one = ["function", "method", "lambda", "closure", "constructor", "func_literal", "do_block", "subroutine"];
    let other = [
        "call",
        "invocation",
        "type",
        "signature",
        "modifier",
        "name",
        "reference",
        "identifier",
        "body",
        "declarator",
        "parameter",
    ];
    one.iter().any(|part| kind.contains(part)) && !other.iter().any(|part| kind.contains(part))
}

fn ancestors(node: Node<'_>) -> impl Iterator<Item = Node<'_>> {
    std::iter::successors(node.parent(), |node| node.parent())
}

/// The smallest node at exactly this place.
fn leaf_at(tree: &Tree, span: ByteSpan) -> Option<Node<'_>> {
    let node = tree.root_node().descendant_for_byte_range(span.start as usize, span.end as usize)?;
    (span_of(node) == span && node.child_count() == 0 || is_name(node) && span_of(node) == span).then_some(node)
}

fn is_name(node: Node<'_>) -> bool {
    node.is_named() && (node.kind().contains("identifier") || node.kind().contains("name"))
}

/// Whether a node is a name that can be a variable's: nothing before it that it would be a member of, and no name of a
/// field or argument.
fn is_bare(node: Node<'_>, text: &str) -> bool {
    let kind = node.kind();
    let parent = node.parent().map_or("", |parent| parent.kind());
    let named = match kind {
        "shorthand_property_identifier" | "shorthand_property_identifier_pattern" | "shorthand_field_identifier" => {
            true
        }
        "name" => parent == "variable_name",
        _ if ["field_identifier", "type_identifier", "property_identifier"].contains(&kind) => false,
        _ => kind.contains("identifier") || kind.contains("variable") || kind == "word",
    };
    let argument = matches!(parent, "keyword_argument" | "named_argument" | "value_argument")
        && node.parent().is_some_and(|parent| is_field(parent, node, &["name"]));
    named && node.is_named() && !argument && receiver(text.as_bytes(), node.start_byte(), 0).is_empty()
}

fn span_of(node: Node<'_>) -> ByteSpan {
    ByteSpan::new(node.start_byte() as u32, node.end_byte() as u32)
}
