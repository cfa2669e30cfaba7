//! Engine types <-> WIT types. First what comes in, then what goes out.

use seekwell_core::analysis::Analysis;
use seekwell_core::error::Error;
use seekwell_core::find::{FileMatches, Measured};
use seekwell_core::grammar::{Language, Structure};
use seekwell_core::scan::Needle;
use seekwell_core::snapshot::Snapshot;
use seekwell_core::update::Change;
use seekwell_types as own;

use crate::generated::exports::seekwell::engine::{analysis, corpus, scan, search, types};

pub fn query(query: types::Query) -> own::Query {
    own::Query {
        text: query.text,
        mode: match query.mode {
            types::Mode::Hybrid => own::Mode::Hybrid,
            types::Mode::Semantic => own::Mode::Semantic,
            types::Mode::Keyword => own::Mode::Keyword,
            types::Mode::Exact => own::Mode::Exact,
            types::Mode::Regex => own::Mode::Regex,
        },
        limit: query.limit,
        per_file: query.per_file,
        offset: query.offset,
        languages: query.languages,
        globs: query.globs,
        path_prefix: query.path_prefix,
        kinds: query.kinds,
        scope: match query.scope {
            None => own::Scope::All,
            Some(types::Content::Code) => own::Scope::Only(own::Content::Code),
            Some(types::Content::Docs) => own::Scope::Only(own::Content::Docs),
            Some(types::Content::Config) => own::Scope::Only(own::Content::Config),
        },
        explain: query.explain,
    }
}

pub fn line_span(lines: types::LineSpan) -> own::LineSpan {
    own::LineSpan { start: lines.start, end: lines.end }
}

pub fn file_matches(matches: search::FileMatches) -> FileMatches {
    let spans = matches.spans.into_iter().map(|s| own::ByteSpan::new(s.start, s.end)).collect();
    FileMatches { path: matches.path, spans }
}

pub fn needle(needle: scan::Needle) -> Needle {
    Needle { pattern: needle.pattern, regex: needle.regex, ignore_case: needle.ignore_case }
}

pub fn needle_out(needle: Needle) -> scan::Needle {
    scan::Needle { pattern: needle.pattern, regex: needle.regex, ignore_case: needle.ignore_case }
}

pub fn byte_span(span: own::ByteSpan) -> types::ByteSpan {
    types::ByteSpan { start: span.start, end: span.end }
}

/// `None` if one of the analyses is not this engine's.
pub fn change(change: corpus::Change) -> Option<Change> {
    let new = match change.new {
        Some(blob) => Some(Analysis::from_bytes(&blob)?),
        None => None,
    };
    Some(Change { path: change.path, new })
}

pub fn snapshot(snapshot: Snapshot) -> corpus::Snapshot {
    corpus::Snapshot { searchable: snapshot.searchable, rest: snapshot.rest }
}

pub fn error(error: Error) -> types::Error {
    match error {
        Error::EmptyQuery => types::Error::EmptyQuery,
        Error::Pattern(why) => types::Error::Pattern(why),
        Error::Glob(why) => types::Error::Glob(why),
        Error::Blob => types::Error::Blob,
        Error::Snapshot => types::Error::Snapshot,
        Error::NotCommitted => types::Error::NotCommitted,
        other => types::Error::Index(other.to_string()),
    }
}

pub fn language(language: &Language) -> analysis::Language {
    let owned = |words: &[&str]| words.iter().map(|w| (*w).to_owned()).collect();
    analysis::Language {
        id: language.id.to_owned(),
        name: language.name.to_owned(),
        aliases: owned(language.aliases),
        extensions: owned(language.extensions),
        structured: !matches!(language.structure, Structure::Plain),
    }
}

pub fn generation(generation: own::Generation) -> types::Generation {
    let lossy = |l: own::Lossy| types::Lossy { path: l.path, encoding: l.encoding };
    let degraded = |d: own::Degraded| types::Degraded { path: d.path, reason: d.reason };
    let count = |(language, files)| types::LanguageCount { language, files };
    types::Generation {
        id: generation.id,
        files: generation.files,
        chunks: generation.chunks,
        symbols: generation.symbols,
        lossy: generation.lossy.into_iter().map(lossy).collect(),
        degraded: generation.degraded.into_iter().map(degraded).collect(),
        languages: generation.languages.into_iter().map(count).collect(),
    }
}

pub fn answer(answer: own::Answer) -> types::Answer {
    types::Answer {
        route: types::Route {
            kind: match answer.route.kind {
                own::RouteKind::Natural => types::RouteKind::Natural,
                own::RouteKind::Symbol => types::RouteKind::Symbol,
                own::RouteKind::Literal => types::RouteKind::Literal,
                own::RouteKind::Regex => types::RouteKind::Regex,
            },
            why: answer.route.why,
        },
        hits: answer.hits.into_iter().map(hit).collect(),
        total: answer.total,
        weak: answer.weak,
        not_found: answer.not_found,
        nearest: answer.nearest,
        notes: answer.notes,
    }
}

fn hit(hit: own::Hit) -> types::Hit {
    let signal = |s: own::Signal| types::Signal { name: s.name, value: s.value, weight: s.weight };
    types::Hit {
        path: hit.path,
        span: byte_span(hit.span),
        lines: types::LineSpan { start: hit.lines.start, end: hit.lines.end },
        language: hit.language,
        kind: hit.kind,
        symbol: hit.symbol,
        description: hit.description,
        score: hit.score,
        also_in: hit.also_in,
        signals: hit.signals.into_iter().map(signal).collect(),
        content_hash: hit.content_hash.to_vec(),
    }
}

pub fn measurement(measured: Measured) -> search::Measurement {
    search::Measurement {
        signals: measured.signals.into_iter().map(str::to_owned).collect(),
        rows: measured.rows,
        values: measured.values,
        weights: measured.weights.name().to_owned(),
    }
}
