//! Errors of syntax: asked for (`textDocument/diagnostic`), or sent after a change.

use lsp_types::{
    Diagnostic, DiagnosticSeverity, DocumentDiagnosticParams, DocumentDiagnosticReport, FullDocumentDiagnosticReport,
    RelatedFullDocumentDiagnosticReport, RelatedUnchangedDocumentDiagnosticReport, UnchangedDocumentDiagnosticReport,
    Url,
};

use crate::lsp::failure::Failure;
use crate::lsp::world::{World, with_worker};

/// What the grammar of a document's language does not allow.
pub fn of(world: &World, uri: &Url) -> Result<Vec<Diagnostic>, Failure> {
    let file = world.file(uri)?;
    let errors = with_worker(|worker| Ok(worker.syntax_errors(&file.name, file.bytes())?))?;
    let text = &file.source.text;
    let one = |error: seekwell_types::structure::SyntaxError| {
        let bytes = text.at(error.lines.start, error.column)..text.at(error.lines.end, error.end_column);
        Diagnostic {
            range: text.range(bytes, file.encoding()),
            severity: Some(DiagnosticSeverity::ERROR),
            source: Some("seekwell".to_owned()),
            message: error.message,
            ..Diagnostic::default()
        }
    };
    Ok(errors.into_iter().map(one).collect())
}

/// The answer to a client that asks by itself. The result's id is a hash of the text: for the same text nothing is sent twice.
pub fn report(world: &World, params: DocumentDiagnosticParams) -> Result<DocumentDiagnosticReport, Failure> {
    let uri = &params.text_document.uri;
    let id = blake3::hash(world.file(uri)?.bytes()).to_hex()[..16].to_owned();
    if params.previous_result_id.as_ref() == Some(&id) {
        let unchanged = UnchangedDocumentDiagnosticReport { result_id: id };
        return Ok(DocumentDiagnosticReport::Unchanged(RelatedUnchangedDocumentDiagnosticReport {
            related_documents: None,
            unchanged_document_diagnostic_report: unchanged,
        }));
    }
    let full = FullDocumentDiagnosticReport { result_id: Some(id), items: of(world, uri)? };
    Ok(DocumentDiagnosticReport::Full(RelatedFullDocumentDiagnosticReport {
        related_documents: None,
        full_document_diagnostic_report: full,
    }))
}
