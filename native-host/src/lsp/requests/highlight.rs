//! `textDocument/documentHighlight`: the places of a name in one document, read or written.

use lsp_types::{DocumentHighlight, DocumentHighlightKind, DocumentHighlightParams, Range};
use seekwell_types::structure::Role;

use super::places::local_range;
use crate::lsp::failure::Failure;
use crate::lsp::world::{World, with_worker};

/// The places in the document of what stands at a position.
pub fn highlight(world: &World, params: DocumentHighlightParams) -> Result<Option<Vec<DocumentHighlight>>, Failure> {
    let params = params.text_document_position_params;
    let file = world.file(&params.text_document.uri)?;
    let Some(stands) = file.at(params.position)? else { return Ok(None) };
    let one = |range: Range, role: Role| DocumentHighlight {
        range,
        kind: Some(match role {
            Role::Definition | Role::Write => DocumentHighlightKind::WRITE,
            Role::Text | Role::Mention => DocumentHighlightKind::TEXT,
            _ => DocumentHighlightKind::READ,
        }),
    };
    if !stands.token.locals.is_empty() {
        let places = stands.token.locals.iter();
        return Ok(Some(places.map(|local| one(local_range(&file, &stands, local), local.role)).collect()));
    }
    let name = &stands.token.name;
    let found = with_worker(|worker| Ok(worker.occurrences(&file.name, file.bytes(), name)?))?;
    let text = matches!(stands.token.occurrence.role, Role::Text);
    let places = found.unwrap_or_default().into_iter().filter(|of| !of.local && (of.role == Role::Text) == text);
    let range = |line, column| file.source.name_range(line, column, name, file.encoding());
    Ok(Some(places.map(|of| one(range(of.line, of.column), of.role)).collect()))
}
