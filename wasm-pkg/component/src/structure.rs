//! Engine types <-> WIT types of the interface `structure`. First what comes in, then what goes out.

use seekwell_types::structure as own;
use seekwell_types::{ByteSpan, LineSpan};

use crate::convert::byte_span;
use crate::generated::exports::seekwell::engine::{structure, types};

pub fn query(question: structure::Question) -> own::StructureQuery {
    use own::StructureQuery as Query;
    match question {
        structure::Question::Outline(path) => Query::Outline { path },
        structure::Question::Definitions(name) => Query::Definitions { name },
        structure::Question::References(of) => Query::References { name: of.name, found: found(of.found) },
        structure::Question::Callers(name) => Query::Callers { name },
        structure::Question::Callees(name) => Query::Callees { name },
        structure::Question::Impact(of) => Query::Impact { name: of.name, depth: of.depth },
        structure::Question::Path(ends) => Query::Path { from: ends.from, to: ends.to },
        structure::Question::Map(options) => Query::Map { task: options.task, files: options.files },
        structure::Question::Affected(set) => {
            Query::Affected { changes: set.changes.into_iter().map(change).collect(), names: set.names }
        }
        structure::Question::Mentions(of) => Query::Mentions { name: of.name, found: found(of.found) },
        structure::Question::At(of) => {
            Query::At { spot: spot(of.spot), facet: facet(of.facet), found: found(of.found) }
        }
        structure::Question::Symbols(part) => Query::Symbols { text: part.text, limit: part.limit },
    }
}

fn found(files: Vec<structure::FileOccurrences>) -> Vec<own::FileOccurrences> {
    let one = |o: structure::Occurrence| own::Occurrence {
        span: ByteSpan::new(o.span.start, o.span.end),
        line: o.line,
        column: o.column,
        role: role_in(o.role),
        on: o.on,
        local: o.local,
    };
    let file = |f: structure::FileOccurrences| own::FileOccurrences {
        path: f.path,
        occurrences: f.occurrences.into_iter().map(one).collect(),
    };
    files.into_iter().map(file).collect()
}

fn spot(spot: structure::Spot) -> own::Spot {
    own::Spot { path: spot.path, name: spot.name, on: spot.on, line: spot.line, column: spot.column }
}

const fn facet(facet: structure::Facet) -> own::Facet {
    match facet {
        structure::Facet::Definitions => own::Facet::Definitions,
        structure::Facet::Implementations => own::Facet::Implementations,
        structure::Facet::Callers => own::Facet::Callers,
        structure::Facet::Callees => own::Facet::Callees,
        structure::Facet::References => own::Facet::References,
    }
}

fn change(change: structure::Change) -> own::Change {
    let lines = |l: types::LineSpan| LineSpan { start: l.start, end: l.end };
    own::Change { path: change.path, lines: change.lines.into_iter().map(lines).collect() }
}

const fn role_in(role: structure::Role) -> own::Role {
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

pub fn occurrence(of: own::Occurrence) -> structure::Occurrence {
    structure::Occurrence {
        span: byte_span(of.span),
        line: of.line,
        column: of.column,
        role: role(of.role),
        on: of.on,
        local: of.local,
    }
}

pub fn token(token: own::Token) -> structure::Token {
    let local = |of: own::LocalPlace| structure::LocalPlace {
        span: byte_span(of.span),
        line: of.line,
        column: of.column,
        role: role(of.role),
    };
    structure::Token {
        name: token.name,
        occurrence: occurrence(token.occurrence),
        locals: token.locals.into_iter().map(local).collect(),
    }
}

pub fn syntax_error(error: own::SyntaxError) -> structure::SyntaxError {
    structure::SyntaxError {
        span: byte_span(error.span),
        lines: types::LineSpan { start: error.lines.start, end: error.lines.end },
        column: error.column,
        end_column: error.end_column,
        message: error.message,
    }
}

const fn role(role: own::Role) -> structure::Role {
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

const fn confidence(confidence: own::Confidence) -> structure::Confidence {
    match confidence {
        own::Confidence::Scope => structure::Confidence::Scope,
        own::Confidence::File => structure::Confidence::File,
        own::Confidence::Import => structure::Confidence::Imports,
        own::Confidence::Package => structure::Confidence::SamePackage,
        own::Confidence::Receiver => structure::Confidence::Receiver,
        own::Confidence::Unique => structure::Confidence::Unique,
        own::Confidence::Ambiguous => structure::Confidence::Ambiguous,
        own::Confidence::External => structure::Confidence::External,
    }
}

fn symbol(symbol: own::Symbol) -> structure::Symbol {
    structure::Symbol {
        name: symbol.name,
        container: symbol.container,
        kind: symbol.kind,
        language: symbol.language,
        path: symbol.path,
        lines: types::LineSpan { start: symbol.lines.start, end: symbol.lines.end },
        span: byte_span(symbol.span),
        name_line: symbol.name_line,
        name_column: symbol.name_column,
        signature: symbol.signature,
        doc: symbol.doc,
        importance: symbol.importance,
        test: symbol.test,
    }
}

fn place(place: own::Place) -> structure::Place {
    structure::Place {
        path: place.path,
        line: place.line,
        column: place.column,
        span: byte_span(place.span),
        role: role(place.role),
    }
}

fn row(row: own::Row) -> structure::Row {
    structure::Row {
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

fn file_row(file: own::FileRow) -> structure::FileRow {
    structure::FileRow {
        path: file.path,
        language: file.language,
        importance: file.importance,
        symbols: file.symbols.into_iter().map(symbol).collect(),
        uses: file.uses,
    }
}

pub fn answer(answer: own::StructureAnswer) -> structure::Answer {
    structure::Answer {
        subjects: answer.subjects.into_iter().map(symbol).collect(),
        rows: answer.rows.into_iter().map(row).collect(),
        files: answer.files.into_iter().map(file_row).collect(),
        total: answer.total,
        not_found: answer.not_found,
        nearest: answer.nearest,
        notes: answer.notes,
    }
}
