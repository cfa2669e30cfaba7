//! Patterns over syntax trees: a part of tree-sitter's query syntax with a matcher of our own.
//!
//! Compiling a [`tree_sitter::Query`] takes milliseconds for each language and a `QueryCursor` takes half as long as
//! the parse. Ours is compiled in microseconds and tried only at nodes of a kind that some pattern starts with, in
//! one walk of the tree ([`scan`]). A test in `seekwell-languages` holds it equal to tree-sitter's own matcher.
//!
//! Understood: `(kind …)`, `(_)`, `"token"`, `_`, alternations `[ … ]`, `field:`, `!field`, `@capture`, `?` `*` `+`,
//! the anchor `.`, and the predicates `#eq?` `#not-eq?` `#any-of?` `#not-any-of?` of a capture against strings.
//! `(#set! merge)` marks definitions that continue the one before them (the equations of a function), `(#set! narrow)`
//! those of which only the name is theirs (several in one node), `(#set! shallow)` those of the two topmost levels;
//! `(#set! second)` marks bindings of the second of two values.
//! Anything else is a [`PatternError`].
//!
//! Each pattern captures its root with its role: `@definition.KIND`, `@reference.{call,import,extends,value}`, `@widen`
//! (the definition of the same `@name`, without one the first definition inside, reaches out to this node), `@scope`
//! (variables inside are local), `@origin` (what is imported inside comes from `@path`) or `@binding` (`@name` is of the
//! type `@type`, or of that of the value `@value`).
//! The other captures are `@name`, `@body`, `@doc`, of imports `@path` (where it comes from) and `@alias` (what it is
//! called here), and those that begin with `_`, for predicates.

mod read;
mod solve;

use crate::grammar::Grammar;
use crate::kinds::{CallKind, SymbolKind};
use std::num::NonZeroU16;
use tree_sitter::Language;

pub use solve::{Match, Visit, scan};

/// What a pattern finds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// A definition.
    Definition(SymbolKind),
    /// A node that the definition of the same name, or else the first inside, reaches out to.
    Widen,
    /// A node inside which variables are local.
    Scope,
    /// A use of a name.
    Reference(CallKind),
    /// A node inside which imports come from one place.
    Origin,
    /// A variable, parameter or field whose type can be seen.
    Binding,
}

impl Role {
    /// The role that this capture name stands for.
    fn from_capture(name: &str) -> Option<Self> {
        match name {
            "widen" => Some(Self::Widen),
            "scope" => Some(Self::Scope),
            "origin" => Some(Self::Origin),
            "binding" => Some(Self::Binding),
            "reference.value" => Some(Self::Reference(CallKind::Value)),
            "reference.call" => Some(Self::Reference(CallKind::Call)),
            "reference.import" => Some(Self::Reference(CallKind::Import)),
            "reference.extends" => Some(Self::Reference(CallKind::Extends)),
            _ => SymbolKind::from_word(name.strip_prefix("definition.")?).map(Self::Definition),
        }
    }
}

/// A capture inside a pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Capture {
    /// The name that is defined or used.
    Name,
    /// Where the body begins.
    Body,
    /// Documentation inside the body.
    Doc,
    /// Where an import comes from.
    Path,
    /// What an import is called here.
    Alias,
    /// The type of a binding.
    Type,
    /// The value of a binding.
    Value,
    /// For predicates.
    Other(u8),
}

/// One pattern.
#[derive(Debug)]
pub struct Rule {
    /// What it finds.
    pub role: Role,
    /// Whether a definition of the same name directly before it is the same definition.
    pub merge: bool,
    /// Whether the definition is its name only: for nodes that define several names.
    pub narrow: bool,
    /// Whether the definition counts on the two topmost levels only: keys of data.
    pub shallow: bool,
    /// Whether a binding's name is the second of what its value is.
    pub second: bool,
    root: NodePattern,
}

/// Which nodes a pattern takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Test {
    /// Nodes of this kind.
    Kind(u16),
    /// Named nodes.
    Named,
    /// Any node.
    Any,
}

#[derive(Clone, Debug)]
struct NodePattern {
    test: Test,
    captures: Vec<Capture>,
    /// What its text must, or must not, be.
    conditions: Vec<Condition>,
    /// Fields that the node must not have.
    absent: Vec<NonZeroU16>,
    children: Vec<ChildPattern>,
    /// Whether no named child may follow the last one matched.
    closed: bool,
}

#[derive(Clone, Debug)]
struct ChildPattern {
    field: Option<NonZeroU16>,
    choices: Vec<NodePattern>,
    /// Whether it may be missing.
    optional: bool,
    /// Whether it may come several times.
    many: bool,
    /// Whether no named child may stand before it.
    anchored: bool,
    /// Whether there is a capture inside: without one the first match is as good as any.
    captures: bool,
}

/// The text of a capture is, or is not, one of some strings.
#[derive(Clone, Debug)]
struct Condition {
    capture: Capture,
    any_of: Vec<String>,
    wanted: bool,
}

/// The compiled patterns of one language.
pub struct Patterns {
    rules: Vec<Rule>,
    /// By kind: where its rules stand in `by_root`. Kinds beyond the end have none.
    roots: Vec<(u16, u16)>,
    by_root: Vec<u16>,
    /// By kind: [`ATTACHED`], [`COMMENT`], [`OPAQUE`], [`ROOT`].
    traits: Vec<u8>,
}

/// The kind belongs to the definition it stands before.
const ATTACHED: u8 = 1;
/// The kind is a comment.
const COMMENT: u8 = 2;
/// Nothing inside the kind matches.
const OPAQUE: u8 = 4;
/// Some pattern starts with the kind.
const ROOT: u8 = 8;

/// Why patterns cannot be compiled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PatternError {
    /// The line, one-based; 0 for what is not in the patterns' text.
    pub line: u32,
    /// What is wrong.
    pub what: String,
}

impl std::fmt::Display for PatternError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "line {}: {}", self.line, self.what)
    }
}

impl std::error::Error for PatternError {}

impl Patterns {
    /// Compiles the patterns of a grammar.
    pub fn of(grammar: &Grammar, language: &Language) -> Result<Self, PatternError> {
        let mut patterns = Self::compile(&[grammar.tags, grammar.calls], language)?;
        for (kinds, mark) in
            [(grammar.attached, ATTACHED), (grammar.comments, ATTACHED | COMMENT), (grammar.opaque, OPAQUE)]
        {
            for kind in kinds {
                let id = kind_id(language, kind, true)
                    .ok_or_else(|| PatternError { line: 0, what: format!("no kind {kind:?}") })?;
                patterns.mark(id, mark);
            }
        }
        Ok(patterns)
    }

    /// Compiles patterns without marked kinds.
    pub fn compile(texts: &[&str], language: &Language) -> Result<Self, PatternError> {
        let mut rules = Vec::new();
        for text in texts {
            read::rules(text, language, &mut rules)?;
        }
        let mut patterns = Self { rules, roots: Vec::new(), by_root: Vec::new(), traits: Vec::new() };
        let mut order: Vec<(u16, u16)> = Vec::new();
        for (index, rule) in patterns.rules.iter().enumerate() {
            let (Test::Kind(kind), Ok(index)) = (rule.root.test, u16::try_from(index)) else {
                return Err(PatternError { line: 0, what: "a pattern must start with a kind".into() });
            };
            order.push((kind, index));
        }
        order.sort_unstable();
        for (kind, index) in order {
            patterns.mark(kind, ROOT);
            let at = patterns.by_root.len() as u16;
            patterns.by_root.push(index);
            patterns.roots.resize(patterns.roots.len().max(usize::from(kind) + 1), (0, 0));
            let range = &mut patterns.roots[usize::from(kind)];
            *range = if range.1 == 0 { (at, 1) } else { (range.0, range.1 + 1) };
        }
        Ok(patterns)
    }

    /// How many patterns there are.
    pub fn len(&self) -> usize {
        self.rules.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.rules.is_empty()
    }

    /// Whether the kind belongs to the definition it stands before.
    pub(crate) fn is_attached(&self, kind: u16) -> bool {
        self.traits(kind) & ATTACHED != 0
    }

    fn mark(&mut self, kind: u16, mark: u8) {
        self.traits.resize(self.traits.len().max(usize::from(kind) + 1), 0);
        self.traits[usize::from(kind)] |= mark;
    }

    fn traits(&self, kind: u16) -> u8 {
        self.traits.get(usize::from(kind)).copied().unwrap_or(0)
    }

    fn rules_at(&self, kind: u16) -> impl Iterator<Item = &Rule> {
        let (start, len) = self.roots.get(usize::from(kind)).copied().unwrap_or((0, 0));
        self.by_root[usize::from(start)..usize::from(start + len)].iter().map(|&rule| &self.rules[usize::from(rule)])
    }
}

/// The id that nodes of this kind have; none if the language has no such visible kind.
fn kind_id(language: &Language, kind: &str, named: bool) -> Option<u16> {
    if kind == "ERROR" && named {
        return Some(u16::MAX);
    }
    let id = language.id_for_node_kind(kind, named);
    (id != 0 && language.node_kind_is_visible(id)).then_some(id)
}
