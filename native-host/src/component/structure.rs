//! WIT types of the interface `structure` <-> the host's. First what goes to the engine, then what comes from it.

use seekwell_types::structure as own;
use seekwell_types::{ByteSpan, LineSpan};

use super::convert::byte_span;
use super::generated::exports::seekwell::engine::{structure, types};

pub fn question(query: &own::StructureQuery) -> structure::Question {
    use own::StructureQuery as Query;
    let places = |name: &str, files: &[own::FileOccurrences]| structure::NamePlaces {
        name: name.to_owned(),
        found: files.iter().map(found).collect(),
    };
    match query {
        Query::Outline { path } => structure::Question::Outline(path.clone()),
        Query::Definitions { name } => structure::Question::Definitions(name.clone()),
        Query::References { name, found } => structure::Question::References(places(name, found)),
        Query::Callers { name } => structure::Question::Callers(name.clone()),
        Query::Callees { name } => structure::Question::Callees(name.clone()),
        Query::Impact { name, depth } => {
            structure::Question::Impact(structure::Reach { name: name.clone(), depth: *depth })
        }
        Query::Path { from, to } => structure::Question::Path(structure::Ends { from: from.clone(), to: to.clone() }),
        Query::Map { task, files } => {
            structure::Question::Map(structure::MapOptions { task: task.clone(), files: *files })
        }
        Query::Affected { changes, names } => structure::Question::Affected(structure::ChangeSet {
            changes: changes.iter().map(change).collect(),
            names: names.clone(),
        }),
        Query::Mentions { name, found } => structure::Question::Mentions(places(name, found)),
        Query::At { spot: of, facet: asked, found: files } => structure::Question::At(structure::PlaceQuestion {
            spot: spot(of),
            facet: facet(*asked),
            found: files.iter().map(found).collect(),
        }),
        Query::Symbols { text, limit } => {
            structure::Question::Symbols(structure::NamePart { text: text.clone(), limit: *limit })
        }
    }
}

fn found(file: &own::FileOccurrences) -> structure::FileOccurrences {
    let one = |o: &own::Occurrence| structure::Occurrence {
        span: span_in(o.span),
        line: o.line,
        column: o.column,
        role: role_in(o.role),
        on: o.on.clone(),
        local: o.local,
    };
    structure::FileOccurrences { path: file.path.clone(), occurrences: file.occurrences.iter().map(one).collect() }
}

fn spot(spot: &own::Spot) -> structure::Spot {
    structure::Spot {
        path: spot.path.clone(),
        name: spot.name.clone(),
        on: spot.on.clone(),
        line: spot.line,
        column: spot.column,
    }
}

const fn facet(facet: own::Facet) -> structure::Facet {
    match facet {
        own::Facet::Definitions => structure::Facet::Definitions,
        own::Facet::Implementations => structure::Facet::Implementations,
        own::Facet::Callers => structure::Facet::Callers,
        own::Facet::Callees => structure::Facet::Callees,
        own::Facet::References => structure::Facet::References,
    }
}

fn change(change: &own::Change) -> structure::Change {
    let lines = |l: &LineSpan| types::LineSpan { start: l.start, end: l.end };
    structure::Change { path: change.path.clone(), lines: change.lines.iter().map(lines).collect() }
}

const fn span_in(span: ByteSpan) -> types::ByteSpan {
    types::ByteSpan { start: span.start, end: span.end }
}

const fn role_in(role: own::Role) -> structure::Role {
    match role {
        own::Role::Definition => structure::Role::Definition,
        own::Role::Call => structure::Role::Call,
        own::Role::Import => structure::Role::Imports,
        own::Role::Extends => structure::Role::Extends,
        own::Role::Read => structure::Role::Read,
        own::Role::Write => structure::Role::Write,
        own::Role::Mention => structure::Role::Mention,
        own::Role::Text => structure::Role::Text,
    }
}

pub fn occurrence(of: structure::Occurrence) -> own::Occurrence {
    own::Occurrence {
        span: byte_span(of.span),
        line: of.line,
        column: of.column,
        role: role(of.role),
        on: of.on,
        local: of.local,
    }
}

pub fn token(token: structure::Token) -> own::Token {
    let local = |of: structure::LocalPlace| own::LocalPlace {
        span: byte_span(of.span),
        line: of.line,
        column: of.column,
        role: role(of.role),
    };
    own::Token {
        name: token.name,
        occurrence: occurrence(token.occurrence),
        locals: token.locals.into_iter().map(local).collect(),
    }
}

pub fn syntax_error(error: structure::SyntaxError) -> own::SyntaxError {
    own::SyntaxError {
        span: byte_span(error.span),
        lines: LineSpan { start: error.lines.start, end: error.lines.end },
        column: error.column,
        end_column: error.end_column,
        message: error.message,
    }
}

const fn role(role: structure::Role) -> own::Role {
    match role {
        structure::Role::Definition => own::Role::Definition,
        structure::Role::Call => own::Role::Call,
        structure::Role::Imports => own::Role::Import,
        structure::Role::Extends => own::Role::Extends,
        structure::Role::Read => own::Role::Read,
        structure::Role::Write => own::Role::Write,
        structure::Role::Mention => own::Role::Mention,
        structure::Role::Text => own::Role::Text,
    }
}

const fn confidence(confidence: structure::Confidence) -> own::Confidence {
    match confidence {
        structure::Confidence::Scope => own::Confidence::Scope,
        structure::Confidence::File => own::Confidence::File,
        structure::Confidence::Imports => own::Confidence::Import,
        structure::Confidence::SamePackage => own::Confidence::Package,
        structure::Confidence::Receiver => own::Confidence::Receiver,
        structure::Confidence::Unique => own::Confidence::Unique,
        structure::Confidence::Ambiguous => own::Confidence::Ambiguous,
        structure::Confidence::External => own::Confidence::External,
    }
}

fn symbol(symbol: structure::Symbol) -> own::Symbol {
    own::Symbol {
        name: symbol.name,
        container: symbol.container,
        kind: symbol.kind,
        language: symbol.language,
        path: symbol.path,
        lines: LineSpan { start: symbol.lines.start, end: symbol.lines.end },
        span: byte_span(symbol.span),
        name_line: symbol.name_line,
        name_column: symbol.name_column,
        signature: symbol.signature,
        doc: symbol.doc,
        importance: symbol.importance,
        test: symbol.test,
    }
}

fn place(place: structure::Place) -> own::Place {
    own::Place {
        path: place.path,
        line: place.line,
        column: place.column,
        span: byte_span(place.span),
        role: role(place.role),
    }
}

fn row(row: structure::Row) -> own::Row {
    own::Row {
        symbol: row.symbol.map(symbol),
        name: row.name,
        subject: row.subject,
        places: row.places.into_iter().map(place).collect(),
        confidence: row.confidence.map(confidence),
        candidates: row.candidates.into_iter().map(symbol).collect(),
        candidate_count: row.candidate_count,
        depth: row.depth,
        parent: row.parent,
    }
}

fn file_row(file: structure::FileRow) -> own::FileRow {
    own::FileRow {
        path: file.path,
        language: file.language,
        importance: file.importance,
        symbols: file.symbols.into_iter().map(symbol).collect(),
        uses: file.uses,
    }
}

pub fn answer(answer: structure::Answer) -> own::StructureAnswer {
    own::StructureAnswer {
        subjects: answer.subjects.into_iter().map(symbol).collect(),
        rows: answer.rows.into_iter().map(row).collect(),
        files: answer.files.into_iter().map(file_row).collect(),
        total: answer.total,
        not_found: answer.not_found,
        nearest: answer.nearest,
        notes: answer.notes,
    }
}
