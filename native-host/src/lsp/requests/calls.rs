//! `textDocument/prepareCallHierarchy`, `callHierarchy/incomingCalls`, `callHierarchy/outgoingCalls`.

use lsp_types::{
    CallHierarchyIncomingCall, CallHierarchyIncomingCallsParams, CallHierarchyItem, CallHierarchyOutgoingCall,
    CallHierarchyOutgoingCallsParams, CallHierarchyPrepareParams, Range, SymbolKind, Url,
};
use seekwell_types::structure::{Confidence, Facet, Place, Role, Row, Symbol};

use super::places::named;
use crate::lsp::convert::{self, Target};
use crate::lsp::failure::Failure;
use crate::lsp::world::{Answered, World};
use crate::progress::Progress;

/// Definitions of an ambiguous name that are told.
const CANDIDATES: usize = 8;

/// The functions and types that stand at a position.
pub fn prepare(
    world: &World,
    params: CallHierarchyPrepareParams,
    progress: &dyn Progress,
) -> Result<Option<Vec<CallHierarchyItem>>, Failure> {
    let params = params.text_document_position_params;
    let file = world.file(&params.text_document.uri)?;
    let Some(stands) = named(&file, params.position)? else { return Ok(None) };
    if !stands.token.locals.is_empty() {
        return Ok(None);
    }
    let answered = file.ask_at(&stands.token, Facet::Definitions, progress)?;
    let symbols = answered.answer.rows.iter().filter_map(|row| row.symbol.as_ref()).filter(|s| can_be_called(s));
    let items: Vec<_> = symbols.take(CANDIDATES).filter_map(|symbol| item(symbol, None, &answered)).collect();
    Ok((!items.is_empty()).then_some(items))
}

/// Whether a symbol has calls: a function, or a type, which is called to make one.
fn can_be_called(symbol: &Symbol) -> bool {
    !matches!(symbol.kind.as_str(), "module" | "field" | "variable" | "section" | "impl")
}

fn item(symbol: &Symbol, note: Option<&str>, answered: &Answered<'_>) -> Option<CallHierarchyItem> {
    let Target { location, name } = Target::of_symbol(symbol, answered)?;
    let place = if symbol.container.is_empty() {
        symbol.path.clone()
    } else {
        format!("{} · {}", symbol.container, symbol.path)
    };
    Some(CallHierarchyItem {
        name: convert::name(symbol),
        kind: convert::kind(symbol),
        tags: None,
        detail: Some(note.map_or_else(|| place.clone(), |note| format!("{place} ({note})"))),
        uri: location.uri,
        range: location.range,
        selection_range: name,
        data: None,
    })
}

/// What uses an item, with the places.
pub fn incoming(
    world: &World,
    params: CallHierarchyIncomingCallsParams,
    progress: &dyn Progress,
) -> Result<Option<Vec<CallHierarchyIncomingCall>>, Failure> {
    let Some(answered) = ask(world, &params.item, Facet::Callers, progress)? else { return Ok(None) };
    let name = &params.item.name;
    let call = |row: &Row| {
        let (places, ranges) = ranges(row, name, &answered);
        let first = places.first()?;
        let note = note(row);
        let from = match &row.symbol {
            Some(symbol) => item(symbol, note.as_deref(), &answered)?,
            None => file_item(&first.path, note, &answered)?,
        };
        Some(CallHierarchyIncomingCall { from, from_ranges: ranges })
    };
    Ok(Some(answered.answer.rows.iter().filter_map(call).collect()))
}

/// What an item uses, with the places, as far as that is in the tree.
pub fn outgoing(
    world: &World,
    params: CallHierarchyOutgoingCallsParams,
    progress: &dyn Progress,
) -> Result<Option<Vec<CallHierarchyOutgoingCall>>, Failure> {
    let Some(answered) = ask(world, &params.item, Facet::Callees, progress)? else { return Ok(None) };
    let mut calls = Vec::new();
    for row in &answered.answer.rows {
        let (_, ranges) = ranges(row, &row.name, &answered);
        if ranges.is_empty() {
            continue;
        }
        let note = note(row);
        let symbols = row.symbol.iter().chain(row.candidates.iter().take(CANDIDATES));
        for symbol in symbols.filter(|symbol| can_be_called(symbol)) {
            if let Some(to) = item(symbol, note.as_deref(), &answered) {
                calls.push(CallHierarchyOutgoingCall { to, from_ranges: ranges.clone() });
            }
        }
    }
    Ok(Some(calls))
}

/// Asks about an item of ours: by the place of its name, which is all that a client must keep of it.
fn ask<'w>(
    world: &'w World,
    item: &CallHierarchyItem,
    facet: Facet,
    progress: &dyn Progress,
) -> Result<Option<Answered<'w>>, Failure> {
    let file = world.file(&item.uri)?;
    // The top of a file is called by nobody.
    if item.kind == SymbolKind::FILE {
        return Ok(None);
    }
    let Some(stands) = file.at(item.selection_range.start)? else { return Ok(None) };
    Ok(Some(file.ask_at(&stands.token, facet, progress)?))
}

/// The calls of a row, and their ranges: imports and supertypes are none.
fn ranges<'r>(row: &'r Row, name: &str, answered: &Answered<'_>) -> (Vec<&'r Place>, Vec<Range>) {
    let calls = row.places.iter().filter(|place| matches!(place.role, Role::Call | Role::Read));
    let range = |place: &'r Place| {
        let source = answered.source(&place.path)?;
        Some((place, source.name_range(place.line, place.column, name, answered.encoding())))
    };
    calls.filter_map(range).unzip()
}

/// What is to be said of a row that is not certain.
fn note(row: &Row) -> Option<String> {
    (row.confidence == Some(Confidence::Ambiguous))
        .then(|| format!("one of {} definitions of this name", row.candidate_count.max(2)))
}

/// The top of a file as a caller.
fn file_item(path: &str, note: Option<String>, answered: &Answered<'_>) -> Option<CallHierarchyItem> {
    let uri: Url = answered.source(path)?.uri.clone();
    Some(CallHierarchyItem {
        name: path.rsplit('/').next().unwrap_or(path).to_owned(),
        kind: SymbolKind::FILE,
        tags: None,
        detail: Some(note.map_or_else(|| path.to_owned(), |note| format!("{path} ({note})"))),
        uri,
        range: Range::default(),
        selection_range: Range::default(),
        data: None,
    })
}
