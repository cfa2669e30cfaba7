//! The text of patterns -> rules.

use super::{Capture, ChildPattern, Condition, NodePattern, PatternError, Role, Rule, Test, kind_id};
use std::num::NonZeroU16;
use tree_sitter::Language;

/// Reads all patterns of a text.
pub(super) fn rules(text: &str, language: &Language, into: &mut Vec<Rule>) -> Result<(), PatternError> {
    let mut reader = Reader { text, at: 0, language, kinds: Vec::new(), others: Vec::new() };
    loop {
        reader.blank();
        if reader.peek().is_none() {
            return Ok(());
        }
        reader.others.clear();
        reader.rule(into)?;
    }
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
    language: &'a Language,
    /// Kinds that were looked up: a look-up passes over all kinds of the language.
    kinds: Vec<(&'a str, u16)>,
    /// Names of the `@_` captures of the pattern that is being read.
    others: Vec<&'a str>,
}

/// What captures and conditions belong to, while a pattern is read.
#[derive(Default)]
struct Rest {
    role: Option<Role>,
    merge: bool,
    narrow: bool,
    shallow: bool,
    second: bool,
    conditions: Vec<Condition>,
}

impl<'a> Reader<'a> {
    /// One pattern, perhaps in parentheses with its conditions.
    fn rule(&mut self, into: &mut Vec<Rule>) -> Result<(), PatternError> {
        let mut rest = Rest::default();
        let group = self.rest().starts_with('(') && {
            let inner = self.rest()[1..].trim_start();
            inner.starts_with('(') || inner.starts_with('[')
        };
        if group {
            self.at += 1;
            self.blank();
        }
        let roots = self.choices(&mut rest, true)?;
        if group {
            loop {
                self.blank();
                if self.eat(')') {
                    break;
                }
                if !self.rest().starts_with("(#") {
                    return self.fail("only conditions may follow a pattern in a group");
                }
                self.condition(&mut rest)?;
            }
        }
        let Some(role) = rest.role else {
            return self.fail(
                "no role: capture the root with @definition.KIND, @reference.KIND, @widen, @scope, @origin or @binding",
            );
        };
        let all_have = |capture| roots.iter().all(|root| has_capture(root, capture));
        if !matches!(role, Role::Scope | Role::Widen | Role::Origin) && !all_have(Capture::Name) {
            return self.fail("no @name");
        }
        if role == Role::Origin && !all_have(Capture::Path) {
            return self.fail("no @path");
        }
        for mut root in roots {
            attach(&mut root, &rest.conditions);
            let Rest { merge, narrow, shallow, second, .. } = rest;
            into.push(Rule { role, merge, narrow, shallow, second, root });
        }
        Ok(())
    }

    /// A node or an alternation, with its captures. Quantifiers are left to the caller.
    fn choices(&mut self, rest: &mut Rest, top: bool) -> Result<Vec<NodePattern>, PatternError> {
        let mut choices = Vec::new();
        if self.eat('[') {
            loop {
                self.blank();
                if self.eat(']') {
                    break;
                }
                choices.extend(self.choices(rest, false)?);
            }
            if choices.is_empty() {
                return self.fail("an empty alternation");
            }
        } else {
            choices.push(self.node(rest)?);
        }
        if top {
            self.captures(&mut choices, rest, true)?;
        } else if !matches!(self.peek(), Some('?' | '*' | '+')) {
            self.captures(&mut choices, rest, false)?;
        }
        Ok(choices)
    }

    /// The captures that follow a node.
    fn captures(&mut self, nodes: &mut [NodePattern], rest: &mut Rest, top: bool) -> Result<(), PatternError> {
        loop {
            self.blank();
            if !self.eat('@') {
                return Ok(());
            }
            let name = self.word();
            if let Some(role) = Role::from_capture(name) {
                if !top || rest.role.is_some() {
                    return self.fail("a role is captured once, at the root");
                }
                rest.role = Some(role);
                continue;
            }
            let capture = self.capture(name)?;
            for node in &mut *nodes {
                node.captures.push(capture);
            }
        }
    }

    fn capture(&mut self, name: &'a str) -> Result<Capture, PatternError> {
        match name {
            "name" => Ok(Capture::Name),
            "body" => Ok(Capture::Body),
            "doc" => Ok(Capture::Doc),
            "path" => Ok(Capture::Path),
            "alias" => Ok(Capture::Alias),
            "type" => Ok(Capture::Type),
            "value" => Ok(Capture::Value),
            _ if name.starts_with('_') => {
                let at = self.others.iter().position(|other| *other == name).unwrap_or_else(|| {
                    self.others.push(name);
                    self.others.len() - 1
                });
                u8::try_from(at).map(Capture::Other).or_else(|_| self.fail("too many captures"))
            }
            _ => self.fail(&format!("unknown capture @{name}")),
        }
    }

    /// A single node: `(kind …)`, `(_ …)`, `_`, `"token"`.
    fn node(&mut self, rest: &mut Rest) -> Result<NodePattern, PatternError> {
        let mut node = NodePattern {
            test: Test::Any,
            captures: Vec::new(),
            conditions: Vec::new(),
            absent: Vec::new(),
            children: Vec::new(),
            closed: false,
        };
        match self.peek() {
            Some('"') => {
                let token = self.string()?;
                let Some(id) = kind_id(self.language, &token, false) else {
                    return self.fail(&format!("no token {token:?}"));
                };
                node.test = Test::Kind(id);
            }
            Some('_') => {
                self.at += 1;
            }
            Some('(') => {
                self.at += 1;
                self.blank();
                let kind = self.word();
                node.test = match kind {
                    "" => return self.fail("expected a kind"),
                    "_" => Test::Named,
                    _ => Test::Kind(self.kind(kind)?),
                };
                self.inside(&mut node, rest)?;
            }
            _ => return self.fail("expected a node"),
        }
        Ok(node)
    }

    /// What stands between a node's kind and its closing parenthesis.
    fn inside(&mut self, node: &mut NodePattern, rest: &mut Rest) -> Result<(), PatternError> {
        let mut anchored = false;
        loop {
            self.blank();
            match self.peek() {
                None => return self.fail("unclosed pattern"),
                Some(')') => {
                    self.at += 1;
                    node.closed = anchored;
                    return Ok(());
                }
                Some('.') => {
                    self.at += 1;
                    anchored = true;
                }
                Some('!') => {
                    self.at += 1;
                    let name = self.word();
                    let field = self.field(name)?;
                    node.absent.push(field);
                }
                Some('(') if self.rest().starts_with("(#") => self.condition(rest)?,
                _ => {
                    let child = self.child(rest, anchored)?;
                    anchored = false;
                    node.children.push(child);
                }
            }
        }
    }

    fn child(&mut self, rest: &mut Rest, anchored: bool) -> Result<ChildPattern, PatternError> {
        let mut field = None;
        let name = self.peek_word();
        if !name.is_empty() && self.rest()[name.len()..].starts_with(':') {
            self.at += name.len() + 1;
            field = Some(self.field(name)?);
            self.blank();
        }
        let mut choices = self.choices(rest, false)?;
        let (optional, many) = match self.peek() {
            Some('?') => (true, false),
            Some('*') => (true, true),
            Some('+') => (false, true),
            _ => (false, false),
        };
        if optional || many {
            self.at += 1;
            self.captures(&mut choices, rest, false)?;
        }
        let captures = choices.iter().any(any_capture);
        Ok(ChildPattern { field, choices, optional, many, anchored, captures })
    }

    /// `(#eq? @capture "text")` and its like.
    fn condition(&mut self, rest: &mut Rest) -> Result<(), PatternError> {
        self.at += "(#".len();
        let name = self.word();
        if name == "set" && self.eat('!') {
            self.blank();
            match self.word() {
                "merge" => rest.merge = true,
                "narrow" => rest.narrow = true,
                "shallow" => rest.shallow = true,
                "second" => rest.second = true,
                _ => return self.fail("only #set! merge, narrow, shallow and second are known"),
            }
        } else {
            let wanted = match name {
                "eq" | "any-of" => true,
                "not-eq" | "not-any-of" => false,
                _ => return self.fail(&format!("unknown condition #{name}")),
            };
            if !self.eat('?') {
                return self.fail("expected ?");
            }
            self.blank();
            if !self.eat('@') {
                return self.fail("a condition is about a capture");
            }
            let word = self.word();
            let capture = self.capture(word)?;
            let mut any_of = Vec::new();
            self.blank();
            while self.peek() == Some('"') {
                any_of.push(self.string()?);
                self.blank();
            }
            if any_of.is_empty() {
                return self.fail("a condition compares with strings");
            }
            rest.conditions.push(Condition { capture, any_of, wanted });
        }
        self.blank();
        if self.eat(')') { Ok(()) } else { self.fail("expected )") }
    }

    fn kind(&mut self, kind: &'a str) -> Result<u16, PatternError> {
        if let Some((_, id)) = self.kinds.iter().find(|(name, _)| *name == kind) {
            return Ok(*id);
        }
        let Some(id) = kind_id(self.language, kind, true) else {
            return self.fail(&format!("no kind {kind:?}"));
        };
        self.kinds.push((kind, id));
        Ok(id)
    }

    fn field(&self, name: &str) -> Result<NonZeroU16, PatternError> {
        self.language.field_id_for_name(name).map_or_else(|| self.fail(&format!("no field {name:?}")), Ok)
    }

    fn string(&mut self) -> Result<String, PatternError> {
        let mut value = String::new();
        let mut chars = self.rest().char_indices().skip(1);
        while let Some((at, c)) = chars.next() {
            match c {
                '"' => {
                    self.at += at + 1;
                    return Ok(value);
                }
                '\\' => match chars.next() {
                    Some((_, 'n')) => value.push('\n'),
                    Some((_, 't')) => value.push('\t'),
                    Some((_, c)) => value.push(c),
                    None => break,
                },
                c => value.push(c),
            }
        }
        self.fail("unclosed string")
    }

    fn word(&mut self) -> &'a str {
        let word = self.peek_word();
        self.at += word.len();
        word
    }

    fn peek_word(&self) -> &'a str {
        let rest = self.rest();
        let end = rest.find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '-' | '.'))).unwrap_or(rest.len());
        // An anchor is no part of a word, but a dot inside a capture's name is.
        if rest.starts_with('.') { "" } else { &rest[..end] }
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn eat(&mut self, c: char) -> bool {
        let found = self.rest().starts_with(c);
        if found {
            self.at += c.len_utf8();
        }
        found
    }

    /// Passes over space and comments.
    fn blank(&mut self) {
        loop {
            self.at += self.rest().len() - self.rest().trim_start().len();
            if !self.rest().starts_with(';') {
                return;
            }
            self.at += self.rest().find('\n').unwrap_or(self.rest().len());
        }
    }

    fn fail<T>(&self, what: &str) -> Result<T, PatternError> {
        let line = self.text[..self.at].matches('\n').count() as u32 + 1;
        Err(PatternError { line, what: what.to_owned() })
    }
}

/// Puts conditions where what they are about is captured, so that they are checked before anything else is tried.
fn attach(node: &mut NodePattern, conditions: &[Condition]) {
    if conditions.is_empty() {
        return;
    }
    node.conditions.extend(conditions.iter().filter(|c| node.captures.contains(&c.capture)).cloned());
    for choice in node.children.iter_mut().flat_map(|child| &mut child.choices) {
        attach(choice, conditions);
    }
}

fn any_capture(node: &NodePattern) -> bool {
    !node.captures.is_empty() || node.children.iter().any(|child| child.captures)
}

fn has_capture(node: &NodePattern, capture: Capture) -> bool {
    node.captures.contains(&capture)
        || node.children.iter().flat_map(|child| &child.choices).any(|choice| has_capture(choice, capture))
}
