//! Rules + tree -> matches.

use super::{ATTACHED, COMMENT, Capture, ChildPattern, NodePattern, OPAQUE, Patterns, ROOT, Role, Rule, Test};
use tree_sitter::{Node, Tree, TreeCursor};

/// One match of a rule.
pub struct Match<'a, 't> {
    /// The rule.
    pub rule: &'a Rule,
    /// The node that the rule starts with.
    pub node: Node<'t>,
    captures: &'a [(Capture, Node<'t>)],
}

impl<'t> Match<'_, 't> {
    /// The name that is defined or used; patterns of [`Role::Scope`] and [`Role::Widen`] need none.
    pub fn name(&self) -> Option<Node<'t>> {
        self.get(Capture::Name)
    }

    /// Where the body begins.
    pub fn body(&self) -> Option<Node<'t>> {
        self.get(Capture::Body)
    }

    /// Documentation inside the body.
    pub fn doc(&self) -> Option<Node<'t>> {
        self.get(Capture::Doc)
    }

    /// Where an import comes from.
    pub fn path(&self) -> Option<Node<'t>> {
        self.get(Capture::Path)
    }

    /// What an import is called here.
    pub fn alias(&self) -> Option<Node<'t>> {
        self.get(Capture::Alias)
    }

    /// The type of a binding.
    pub fn type_of(&self) -> Option<Node<'t>> {
        self.get(Capture::Type)
    }

    /// The value of a binding.
    pub fn value(&self) -> Option<Node<'t>> {
        self.get(Capture::Value)
    }

    /// What was found.
    pub fn role(&self) -> Role {
        self.rule.role
    }

    fn get(&self, capture: Capture) -> Option<Node<'t>> {
        self.captures.iter().find(|(c, _)| *c == capture).map(|(_, node)| *node)
    }
}

/// Who is told what [`scan`] meets, in document order, outer nodes first.
pub trait Visit<'t> {
    /// A comment, attribute or decorator.
    fn attached(&mut self, node: Node<'t>, comment: bool);
    /// A match.
    fn matched(&mut self, found: &Match<'_, 't>);
}

/// Walks the tree once. The depth of the tree costs no stack: the cursor keeps the way up on the heap.
pub fn scan<'t>(tree: &'t Tree, text: &str, patterns: &Patterns, visit: &mut impl Visit<'t>) {
    let mut cursor = tree.walk();
    let mut solver = Solver { text: text.as_bytes(), cursor: tree.walk(), children: Vec::new(), bound: Vec::new() };
    loop {
        let node = cursor.node();
        let kind = node.kind_id();
        let traits = patterns.traits(kind);
        if traits != 0 {
            if traits & ATTACHED != 0 {
                visit.attached(node, traits & COMMENT != 0);
            }
            if traits & ROOT != 0 {
                solver.at(node, patterns.rules_at(kind), visit);
            }
        }
        if traits & OPAQUE == 0 && cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return;
            }
        }
    }
}

/// A child of a node that a pattern is being tried at.
#[derive(Clone, Copy)]
struct Child<'t> {
    node: Node<'t>,
    kind: u16,
    field: u16,
}

/// What is still to be found: `wanted` among `children[from..end]`, then `next`.
#[derive(Clone, Copy)]
struct Goal<'a> {
    wanted: &'a [ChildPattern],
    /// Whether the first of `wanted` was found already and may come again.
    again: bool,
    from: usize,
    end: usize,
    closed: bool,
    next: Option<&'a Goal<'a>>,
}

struct Solver<'x, 't> {
    text: &'x [u8],
    cursor: TreeCursor<'t>,
    /// Children of the nodes on the way from the root of the pattern, used as a stack.
    children: Vec<Child<'t>>,
    bound: Vec<(Capture, Node<'t>)>,
}

/// What a match is handed to.
struct Emit<'a, 't, V> {
    rule: &'a Rule,
    root: Node<'t>,
    visit: &'a mut V,
}

impl<'t> Solver<'_, 't> {
    /// Tries the rules that start with the node's kind.
    fn at<'p, V: Visit<'t>>(&mut self, node: Node<'t>, rules: impl Iterator<Item = &'p Rule>, visit: &mut V) {
        self.children.clear();
        let mut loaded = false;
        for rule in rules {
            if !self.allows(&rule.root, node) {
                continue;
            }
            if !loaded && !rule.root.children.is_empty() {
                self.load(node);
                loaded = true;
            }
            let end = self.children.len();
            let goal =
                Goal { wanted: &rule.root.children, again: false, from: 0, end, closed: rule.root.closed, next: None };
            self.bound.clear();
            self.bind(&rule.root, node);
            self.solve(Some(&goal), &mut Emit { rule, root: node, visit });
        }
    }

    /// Whether the goal was reached at least once; each way to reach it is handed on. Recursion is as deep as the
    /// pattern is long.
    fn solve<V: Visit<'t>>(&mut self, goal: Option<&Goal<'_>>, emit: &mut Emit<'_, 't, V>) -> bool {
        let Some(goal) = goal else {
            emit.visit.matched(&Match { rule: emit.rule, node: emit.root, captures: &self.bound });
            return true;
        };
        let Some((child, rest)) = goal.wanted.split_first() else {
            let more = goal.closed && self.children[goal.from..goal.end].iter().any(|c| c.node.is_named());
            return !more && self.solve(goal.next, emit);
        };
        let mut found = false;
        for at in goal.from..goal.end {
            let here = self.children[at];
            if child.field.is_none_or(|field| field.get() == here.field) {
                for choice in &child.choices {
                    if takes(choice, here) && self.allows(choice, here.node) {
                        let wanted = if child.many { goal.wanted } else { rest };
                        let after = Goal { wanted, again: child.many, from: at + 1, ..*goal };
                        found |= self.descend(choice, here.node, &after, emit);
                    }
                }
            }
            // One run of repeated children is enough, and so is one way to match what is not captured.
            let enough = found && (child.many || !child.captures);
            if enough || child.anchored && here.node.is_named() {
                break;
            }
        }
        if !found && (child.optional || goal.again) {
            return self.solve(Some(&Goal { wanted: rest, again: false, ..*goal }), emit);
        }
        found
    }

    /// Takes the node for this part of the pattern and goes on with its children, then with `after`.
    fn descend<V: Visit<'t>>(
        &mut self,
        choice: &NodePattern,
        node: Node<'t>,
        after: &Goal<'_>,
        emit: &mut Emit<'_, 't, V>,
    ) -> bool {
        let (bound, from) = (self.bound.len(), self.children.len());
        self.bind(choice, node);
        let found = if choice.children.is_empty() {
            self.solve(Some(after), emit)
        } else {
            self.load(node);
            let end = self.children.len();
            let inner =
                Goal { wanted: &choice.children, again: false, from, end, closed: choice.closed, next: Some(after) };
            self.solve(Some(&inner), emit)
        };
        self.children.truncate(from);
        self.bound.truncate(bound);
        found
    }

    fn bind(&mut self, pattern: &NodePattern, node: Node<'t>) {
        self.bound.extend(pattern.captures.iter().map(|capture| (*capture, node)));
    }

    /// Puts the node's children on the stack.
    fn load(&mut self, node: Node<'t>) {
        self.cursor.reset(node);
        let mut more = self.cursor.goto_first_child();
        while more {
            let node = self.cursor.node();
            let field = self.cursor.field_id().map_or(0, std::num::NonZeroU16::get);
            self.children.push(Child { node, kind: node.kind_id(), field });
            more = self.cursor.goto_next_sibling();
        }
    }

    /// Whether the node has none of the fields that it must not have, and the text that it must have.
    fn allows(&self, pattern: &NodePattern, node: Node<'t>) -> bool {
        pattern.absent.iter().all(|field| node.child_by_field_id(field.get()).is_none())
            && pattern.conditions.iter().all(|condition| {
                let text = self.text.get(node.byte_range()).unwrap_or_default();
                condition.any_of.iter().any(|wanted| wanted.as_bytes() == text) == condition.wanted
            })
    }
}

/// Whether the child is of the pattern's kind.
fn takes(pattern: &NodePattern, child: Child<'_>) -> bool {
    match pattern.test {
        Test::Kind(kind) => child.kind == kind,
        Test::Named => child.node.is_named() && !child.node.is_error(),
        Test::Any => !child.node.is_error(),
    }
}
