//! Text + grammar -> tree, within a budget of steps.

use crate::grammar::Grammar;
use crate::pattern::Patterns;
use std::ops::ControlFlow;
use tree_sitter::{ParseOptions, Parser, Tree};

/// How often the parser may report progress (every 100 of its operations) before the structure is given up.
///
/// Of 776 files of tokio 679 stay under 100 reports and all under 1,000; 30,000 are spent in about half a second. The
/// count is part of the answer: it is the same on every machine, which a deadline would not be.
pub const PARSE_BUDGET: u32 = 30_000;

/// A file that was parsed.
pub struct Parsed<'a> {
    /// The tree; where the file has errors, so has the tree.
    pub tree: Tree,
    /// The patterns of its language.
    pub patterns: &'a Patterns,
}

/// Why a file has no structure: `steps`, `scanner` ([`Grammar::overflows`]), or `grammar` where grammar and library do not fit
/// (which tests rule out).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GivenUp {
    /// The word for [`seekwell_types::Degraded::reason`].
    pub reason: &'static str,
}

/// Parsers and patterns of the languages met so far.
#[derive(Default)]
pub struct Parsers {
    slots: Vec<Slot>,
}

struct Slot {
    grammar: &'static Grammar,
    /// None if the grammar does not fit.
    ready: Option<(Parser, Patterns)>,
}

impl Slot {
    fn new(grammar: &'static Grammar) -> Self {
        let language = (grammar.language)();
        let mut parser = Parser::new();
        let ready = parser.set_language(&language).ok().and_then(|()| Patterns::of(grammar, &language).ok());
        Self { grammar, ready: ready.map(|patterns| (parser, patterns)) }
    }
}

impl Parsers {
    /// None ready yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Parses a text. Broken text gives a tree with errors in it; only too much work gives none.
    pub fn parse(&mut self, grammar: &'static Grammar, text: &str) -> Result<Parsed<'_>, GivenUp> {
        self.parse_within(grammar, text, PARSE_BUDGET)
    }

    /// [`Self::parse`] with another budget.
    pub fn parse_within(&mut self, grammar: &'static Grammar, text: &str, budget: u32) -> Result<Parsed<'_>, GivenUp> {
        let at = self.slots.iter().position(|slot| std::ptr::eq(slot.grammar, grammar)).unwrap_or_else(|| {
            self.slots.push(Slot::new(grammar));
            self.slots.len() - 1
        });
        let Some((parser, patterns)) = &mut self.slots[at].ready else {
            return Err(GivenUp { reason: "grammar" });
        };
        if grammar.overflows.is_some_and(|overflows| overflows(text)) {
            return Err(GivenUp { reason: "scanner" });
        }
        let mut left = budget;
        let mut progress = |_: &tree_sitter::ParseState| {
            left = left.saturating_sub(1);
            if left == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let options = ParseOptions::new().progress_callback(&mut progress);
        let bytes = text.as_bytes();
        let tree = parser.parse_with_options(&mut |at, _| bytes.get(at..).unwrap_or_default(), None, Some(options));
        match tree {
            Some(tree) => Ok(Parsed { tree, patterns }),
            None => {
                // Otherwise the parser would go on with this text at the next call.
                parser.reset();
                Err(GivenUp { reason: "steps" })
            }
        }
    }
}
