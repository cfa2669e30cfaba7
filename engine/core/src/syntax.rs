//! Text -> what its grammar does not allow.

use seekwell_types::structure::SyntaxError;
use seekwell_types::{ByteSpan, LineSpan};
use tree_sitter::Node;

use crate::analyse::for_parser;
use crate::decode::{Binary, decode};
use crate::grammar::{Languages, Structure};
use crate::parse::Parsers;
use crate::text::{LineIndex, squeeze};

/// Faults of one file that are told. What has more is in another language, or no text that somebody wrote.
const MOST_FAULTS: usize = 100;

/// Characters of a text that is quoted.
const QUOTED: usize = 32;

/// Finds faults, one file after the other.
pub struct Syntax {
    languages: Languages,
    parsers: Parsers,
}

impl Syntax {
    /// For files in these languages.
    pub fn new(languages: Languages) -> Self {
        Self { languages, parsers: Parsers::new() }
    }

    /// What the grammar of a file's language does not allow, in order; nothing for a language without a grammar.
    pub fn faults(&mut self, path: &str, bytes: &[u8]) -> Result<Vec<SyntaxError>, Binary> {
        let decoded = decode(bytes)?;
        let text = &*decoded.text;
        let language = self.languages.of_text(path, text);
        let Some((language, Structure::Grammar(grammar))) = language.map(|l| (l, &l.structure)) else {
            return Ok(Vec::new());
        };
        let source = for_parser(language, text);
        let Ok(parsed) = self.parsers.parse(grammar, &source) else { return Ok(Vec::new()) };
        let lines = LineIndex::new(text);
        let mut found: Vec<(ByteSpan, String)> = Vec::new();
        collect(parsed.tree.root_node(), text, &mut found);
        let mut faults: Vec<SyntaxError> = found
            .into_iter()
            .map(|(span, message)| {
                let ((line, column), (end_line, end_column)) = (lines.place(span.start), lines.place(span.end));
                SyntaxError { span, lines: LineSpan { start: line, end: end_line }, column, end_column, message }
            })
            .collect();
        decoded.to_disk(faults.iter_mut().map(|fault| &mut fault.span));
        Ok(faults)
    }
}

/// Faults below a node, outermost only, in order. An error goes to the end of its first line at most: what the parser passed
/// over to find its way again is not all wrong.
fn collect(root: Node<'_>, text: &str, found: &mut Vec<(ByteSpan, String)>) {
    let mut cursor = root.walk();
    loop {
        let node = cursor.node();
        let mut descend = node.has_error();
        if node.is_missing() {
            let at = node.start_byte() as u32;
            found.push((ByteSpan::new(at, at), format!("missing {:?}", node.kind())));
            descend = false;
        } else if node.is_error() {
            let wrong = &text[node.byte_range()];
            let line = wrong.split(['\n', '\r']).next().unwrap_or_default().trim_end();
            let start = node.start_byte() as u32;
            let message = match line.is_empty() {
                true => "something is missing here".to_owned(),
                false => format!("unexpected {:?}", squeeze(line, QUOTED)),
            };
            found.push((ByteSpan::new(start, start + line.len() as u32), message));
            descend = false;
        }
        if found.len() >= MOST_FAULTS {
            return;
        }
        if descend && cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return;
            }
        }
    }
}
