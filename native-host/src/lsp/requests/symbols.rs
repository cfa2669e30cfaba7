//! `textDocument/documentSymbol` and `workspace/symbol`.

use lsp_types::{
    DocumentSymbol, DocumentSymbolParams, DocumentSymbolResponse, Location, SymbolInformation, WorkspaceSymbolParams,
};
use seekwell_types::structure::{StructureQuery, Symbol};

use crate::lsp::convert::{self, Target};
use crate::lsp::failure::Failure;
use crate::lsp::world::{Answered, World};
use crate::progress::Progress;

/// Symbols that a search for a part of a name gives. Clients filter once more as one goes on typing.
const MOST: u32 = 256;

/// The symbols of a document: nested, if the client takes that. Read off its text alone, so that it never waits.
pub fn document(world: &World, params: DocumentSymbolParams) -> Result<DocumentSymbolResponse, Failure> {
    let file = world.file(&params.text_document.uri)?;
    let answered = file.ask_alone(&StructureQuery::Outline { path: file.name.clone() })?;
    if !world.settings.nested_symbols {
        let flat = |row: &seekwell_types::structure::Row| information(row.symbol.as_ref()?, &answered);
        return Ok(DocumentSymbolResponse::Flat(answered.answer.rows.iter().filter_map(flat).collect()));
    }
    let rows = &answered.answer.rows;
    let mut open: Vec<Option<DocumentSymbol>> =
        rows.iter().map(|row| row.symbol.as_ref().and_then(|symbol| one(symbol, &answered))).collect();
    // Parents come before their children: from the end, each has its children before it goes into its parent.
    let mut top = Vec::new();
    for (at, row) in rows.iter().enumerate().rev() {
        let Some(mut symbol) = open[at].take() else { continue };
        if let Some(children) = &mut symbol.children {
            children.reverse();
        }
        match row.parent.and_then(|parent| open[parent as usize].as_mut()) {
            Some(parent) => {
                // What a language declares outside of its type lies outside of its range.
                parent.range.start = parent.range.start.min(symbol.range.start);
                parent.range.end = parent.range.end.max(symbol.range.end);
                parent.children.get_or_insert_default().push(symbol);
            }
            None => top.push(symbol),
        }
    }
    top.reverse();
    Ok(DocumentSymbolResponse::Nested(top))
}

fn one(symbol: &Symbol, answered: &Answered<'_>) -> Option<DocumentSymbol> {
    let (range, selection_range) = answered.source(&symbol.path)?.symbol_ranges(symbol, answered.encoding());
    #[allow(deprecated, reason = "the type has the field")]
    Some(DocumentSymbol {
        name: convert::name(symbol),
        detail: convert::detail(symbol),
        kind: convert::kind(symbol),
        tags: None,
        deprecated: None,
        range,
        selection_range,
        children: None,
    })
}

fn information(symbol: &Symbol, answered: &Answered<'_>) -> Option<SymbolInformation> {
    let Target { location, .. } = Target::of_symbol(symbol, answered)?;
    #[allow(deprecated, reason = "the type has the field")]
    Some(SymbolInformation {
        name: convert::name(symbol),
        kind: convert::kind(symbol),
        tags: None,
        deprecated: None,
        location: Location::new(location.uri, location.range),
        container_name: Some(if symbol.container.is_empty() { symbol.path.clone() } else { symbol.container.clone() }),
    })
}

/// Symbols of all folders by a part of their name, the best of each folder in turn; the most important ones if none is given.
pub fn workspace(
    world: &World,
    params: WorkspaceSymbolParams,
    progress: &dyn Progress,
) -> Result<Vec<SymbolInformation>, Failure> {
    let query = StructureQuery::Symbols { text: params.query, limit: MOST };
    let answers = world.everywhere(&query, progress)?;
    let mut lists: Vec<_> = answers.iter().map(|answered| (answered, answered.answer.rows.iter())).collect();
    let mut found: Vec<SymbolInformation> = Vec::new();
    while found.len() < MOST as usize {
        let before = lists.len();
        let mut taken = 0;
        for (answered, rows) in &mut lists {
            let Some(row) = rows.next() else { continue };
            taken += 1;
            found.extend(row.symbol.as_ref().and_then(|symbol| information(symbol, answered)));
        }
        if taken == 0 || before == 0 {
            break;
        }
    }
    // A folder inside of another one is in both trees.
    let mut seen = std::collections::BTreeSet::new();
    found.retain(|symbol| {
        let at = symbol.location.range.start;
        seen.insert((symbol.location.uri.to_string(), at.line, at.character, symbol.name.clone()))
    });
    Ok(found)
}
