//! `textDocument/definition`, `textDocument/implementation` and `textDocument/references`.

use lsp_types::{GotoDefinitionParams, GotoDefinitionResponse, Location, Range, ReferenceParams};
use seekwell_types::structure::{Facet, LocalPlace, Role};

use crate::lsp::convert::Target;
use crate::lsp::failure::Failure;
use crate::lsp::world::{File, Stands, World};
use crate::progress::Progress;

/// Where what stands at a position is defined.
pub fn definition(
    world: &World,
    params: GotoDefinitionParams,
    progress: &dyn Progress,
) -> Result<Option<GotoDefinitionResponse>, Failure> {
    go_to(world, params, Facet::Definitions, world.settings.links.0, progress)
}

/// What implements, extends or overrides it.
pub fn implementation(
    world: &World,
    params: GotoDefinitionParams,
    progress: &dyn Progress,
) -> Result<Option<GotoDefinitionResponse>, Failure> {
    go_to(world, params, Facet::Implementations, world.settings.links.1, progress)
}

fn go_to(
    world: &World,
    params: GotoDefinitionParams,
    facet: Facet,
    links: bool,
    progress: &dyn Progress,
) -> Result<Option<GotoDefinitionResponse>, Failure> {
    let params = params.text_document_position_params;
    let file = world.file(&params.text_document.uri)?;
    let Some(stands) = named(&file, params.position)? else { return Ok(None) };
    let targets: Vec<Target> = match declaration(&file, &stands) {
        Some(local) => vec![local],
        None => {
            let answered = file.ask_at(&stands.token, facet, progress)?;
            answered.answer.rows.iter().filter_map(|row| Target::of(row, &answered)).collect()
        }
    };
    if targets.is_empty() {
        return Ok(None);
    }
    Ok(Some(match links {
        true => GotoDefinitionResponse::Link(targets.into_iter().map(|target| target.link(stands.range)).collect()),
        false => GotoDefinitionResponse::Array(targets.into_iter().map(Target::location).collect()),
    }))
}

/// What stands at a position, if it is a name that means something: none in a comment, a string or prose.
pub fn named(file: &File<'_>, position: lsp_types::Position) -> Result<Option<Stands>, Failure> {
    Ok(file.at(position)?.filter(|stands| stands.token.occurrence.role != Role::Text))
}

/// The declaration of a variable or parameter.
fn declaration(file: &File<'_>, stands: &Stands) -> Option<Target> {
    let local = stands.token.locals.iter().find(|local| local.role == Role::Definition)?;
    let name = local_range(file, stands, local);
    Some(Target { location: Location::new(file.source.uri.clone(), name), name })
}

/// The range of a place of a variable.
pub fn local_range(file: &File<'_>, stands: &Stands, local: &LocalPlace) -> Range {
    file.source.name_range(local.line, local.column, &stands.token.name, file.encoding())
}

/// Every place that means the same.
pub fn references(
    world: &World,
    params: ReferenceParams,
    progress: &dyn Progress,
) -> Result<Option<Vec<Location>>, Failure> {
    let declarations = params.context.include_declaration;
    let params = params.text_document_position;
    let file = world.file(&params.text_document.uri)?;
    let Some(stands) = named(&file, params.position)? else { return Ok(None) };
    let wanted = |role: Role| declarations || role != Role::Definition;
    if !stands.token.locals.is_empty() {
        let places = stands.token.locals.iter().filter(|local| wanted(local.role));
        let location = |local| Location::new(file.source.uri.clone(), local_range(&file, &stands, local));
        return Ok(Some(places.map(location).collect()));
    }
    let answered = file.ask_at(&stands.token, Facet::References, progress)?;
    if answered.answer.not_found {
        return Ok(None);
    }
    let mut found = Vec::new();
    for place in answered.answer.rows.iter().flat_map(|row| &row.places).filter(|place| wanted(place.role)) {
        let Some(source) = answered.source(&place.path) else { continue };
        let range = source.name_range(place.line, place.column, &stands.token.name, answered.encoding());
        found.push(Location::new(source.uri.clone(), range));
    }
    Ok(Some(found))
}
