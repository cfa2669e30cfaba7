//! `textDocument/hover`: the signature, the first sentence of the documentation, where it is, and how sure that is.

use std::fmt::Write;

use lsp_types::{Hover, HoverContents, HoverParams, MarkupContent, MarkupKind};
use seekwell_types::structure::{Facet, Role, Row, Symbol};

use super::places::named;
use crate::lsp::convert::how_sure;
use crate::lsp::failure::Failure;
use crate::lsp::world::{File, Stands, World};
use crate::progress::Progress;

/// Definitions that are told where a name has several.
const TOLD: usize = 4;

/// What is to be said of what stands at a position.
pub fn hover(world: &World, params: HoverParams, progress: &dyn Progress) -> Result<Option<Hover>, Failure> {
    let params = params.text_document_position_params;
    let file = world.file(&params.text_document.uri)?;
    let Some(stands) = named(&file, params.position)? else { return Ok(None) };
    let mut text = Writer { markdown: world.settings.markdown, out: String::new() };
    if stands.token.locals.is_empty() {
        let answered = file.ask_at(&stands.token, Facet::Definitions, progress)?;
        let rows = &answered.answer.rows;
        for (number, row) in rows.iter().take(TOLD).enumerate() {
            if number > 0 {
                text.rule();
            }
            text.row(row);
        }
        if rows.len() > TOLD {
            let all = rows[0].candidate_count.max(rows.len() as u32);
            text.line(&format!("and {} more of this name", all as usize - TOLD));
        }
    } else {
        text.local(&file, &stands);
    }
    if text.out.is_empty() {
        return Ok(None);
    }
    let kind = if world.settings.markdown { MarkupKind::Markdown } else { MarkupKind::PlainText };
    let contents = HoverContents::Markup(MarkupContent { kind, value: text.out.trim_end().to_owned() });
    Ok(Some(Hover { contents, range: Some(stands.range) }))
}

/// Writes what a hover says. Text of a file goes into a fence or is escaped: it is quoted, and never markup of ours.
struct Writer {
    markdown: bool,
    out: String,
}

impl Writer {
    fn row(&mut self, row: &Row) {
        match &row.symbol {
            Some(symbol) => self.symbol(symbol),
            None => {
                let path = self.quoted(&row.name);
                self.line(&format!("the file {path}"));
            }
        }
        if let Some(confidence) = row.confidence {
            self.line(how_sure(confidence));
        }
    }

    fn symbol(&mut self, symbol: &Symbol) {
        let signature = if symbol.signature.is_empty() { &symbol.name } else { &symbol.signature };
        self.code(&symbol.language, signature);
        if !symbol.doc.is_empty() {
            let doc = self.escaped(&symbol.doc);
            self.line(&doc);
        }
        let place = self.quoted(&format!("{}:{}", symbol.path, symbol.name_line));
        let mut line = format!("{} · {place}", symbol.kind);
        if !symbol.container.is_empty() {
            let container = self.quoted(&symbol.container);
            let _ = write!(line, " · in {container}");
        }
        if symbol.test {
            line.push_str(" · a test");
        }
        self.line(&line);
    }

    fn local(&mut self, file: &File<'_>, stands: &Stands) {
        let locals = &stands.token.locals;
        let Some(declared) = locals.iter().find(|local| local.role == Role::Definition) else { return };
        let text = &file.source.text;
        let line = &text.as_str()[text.line(declared.line.max(1) as usize - 1)];
        let language = file.name.rsplit('.').next().unwrap_or_default();
        self.code(language, line.trim());
        let uses = locals.len() - 1;
        let places = if uses == 1 { "place" } else { "places" };
        self.line(&format!("local · declared in line {} · used in {uses} {places}", declared.line));
    }

    fn code(&mut self, language: &str, code: &str) {
        if self.markdown {
            // Longer than any fence inside.
            let longest = code.split(|c| c != '`').map(str::len).max().unwrap_or(0);
            let fence = "`".repeat(longest.max(2) + 1);
            let _ = write!(self.out, "{fence}{language}\n{code}\n{fence}\n\n");
        } else {
            let _ = write!(self.out, "{code}\n\n");
        }
    }

    fn quoted(&self, text: &str) -> String {
        if self.markdown && !text.contains('`') { format!("`{text}`") } else { self.escaped(text) }
    }

    fn escaped(&self, text: &str) -> String {
        if !self.markdown {
            return text.to_owned();
        }
        let mut out = String::with_capacity(text.len());
        for c in text.chars() {
            if c.is_ascii_punctuation() && !",.:;-'\"()/!?%=+".contains(c) {
                out.push('\\');
            }
            out.push(c);
        }
        out
    }

    fn line(&mut self, line: &str) {
        let _ = write!(self.out, "{line}\n\n");
    }

    fn rule(&mut self) {
        self.out.push_str(if self.markdown { "---\n\n" } else { "\n" });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_of_a_file_is_no_markup() {
        let mut text = Writer { markdown: true, out: String::new() };
        text.code("rust", "fn a() /* ``` */");
        assert!(text.out.starts_with("````rust\n") && text.out.ends_with("````\n\n"), "{}", text.out);
        assert_eq!(text.escaped("![x](http://a) <b> *c*"), r"!\[x\](http://a) \<b\> \*c\*");
        assert_eq!(text.quoted("a`b"), r"a\`b");
        assert_eq!(Writer { markdown: false, out: String::new() }.escaped("[x]"), "[x]");
    }
}
