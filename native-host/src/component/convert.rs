//! WIT types <-> the host's. First what goes to the engine, then what comes from it.

use seekwell_types as own;

use super::generated::exports::seekwell::engine::{analysis, corpus, scan, search, types};
use crate::engine::{Change, Failed, FileMatches, Measurement, Needle, Snapshot};
use crate::session::LanguageInfo;

pub fn query(query: &own::Query) -> types::Query {
    types::Query {
        text: query.text.clone(),
        mode: match query.mode {
            own::Mode::Hybrid => types::Mode::Hybrid,
            own::Mode::Semantic => types::Mode::Semantic,
            own::Mode::Keyword => types::Mode::Keyword,
            own::Mode::Exact => types::Mode::Exact,
            own::Mode::Regex => types::Mode::Regex,
        },
        limit: query.limit,
        per_file: query.per_file,
        offset: query.offset,
        languages: query.languages.clone(),
        globs: query.globs.clone(),
        path_prefix: query.path_prefix.clone(),
        kinds: query.kinds.clone(),
        scope: match query.scope {
            own::Scope::All => None,
            own::Scope::Only(own::Content::Code) => Some(types::Content::Code),
            own::Scope::Only(own::Content::Docs) => Some(types::Content::Docs),
            own::Scope::Only(own::Content::Config) => Some(types::Content::Config),
        },
        explain: query.explain,
    }
}

pub fn needle_in(needle: &Needle) -> scan::Needle {
    scan::Needle { pattern: needle.pattern.clone(), regex: needle.regex, ignore_case: needle.ignore_case }
}

pub fn file_matches(matches: &FileMatches) -> search::FileMatches {
    let spans = matches.spans.iter().map(|s| types::ByteSpan { start: s.start, end: s.end }).collect();
    search::FileMatches { path: matches.path.clone(), spans }
}

pub fn change(change: &Change) -> corpus::Change {
    corpus::Change { path: change.path.clone(), new: change.new.clone() }
}

pub fn snapshot(snapshot: corpus::Snapshot) -> Snapshot {
    Snapshot { searchable: snapshot.searchable, rest: snapshot.rest }
}

pub fn needle(needle: scan::Needle) -> Needle {
    Needle { pattern: needle.pattern, regex: needle.regex, ignore_case: needle.ignore_case }
}

pub fn byte_span(span: types::ByteSpan) -> own::ByteSpan {
    own::ByteSpan::new(span.start, span.end)
}

pub fn error(error: types::Error) -> Failed {
    match error {
        types::Error::EmptyQuery => Failed::EmptyQuery,
        types::Error::Pattern(why) => Failed::Pattern(why),
        types::Error::Glob(why) => Failed::Glob(why),
        types::Error::Blob => Failed::Other("not an analysis of this engine".to_owned()),
        types::Error::Snapshot => Failed::Snapshot,
        types::Error::NotCommitted => Failed::Other("nothing was committed yet".to_owned()),
        types::Error::Index(why) => Failed::Other(why),
    }
}

pub fn language(language: analysis::Language) -> LanguageInfo {
    LanguageInfo { id: language.id, name: language.name, aliases: language.aliases, extensions: language.extensions }
}

pub fn generation(generation: types::Generation) -> own::Generation {
    let lossy = |l: types::Lossy| own::Lossy { path: l.path, encoding: l.encoding };
    let degraded = |d: types::Degraded| own::Degraded { path: d.path, reason: d.reason };
    own::Generation {
        id: generation.id,
        files: generation.files,
        chunks: generation.chunks,
        symbols: generation.symbols,
        lossy: generation.lossy.into_iter().map(lossy).collect(),
        degraded: generation.degraded.into_iter().map(degraded).collect(),
        languages: generation.languages.into_iter().map(|c| (c.language, c.files)).collect(),
    }
}

pub fn answer(answer: types::Answer) -> own::Answer {
    own::Answer {
        route: own::Route {
            kind: match answer.route.kind {
                types::RouteKind::Natural => own::RouteKind::Natural,
                types::RouteKind::Symbol => own::RouteKind::Symbol,
                types::RouteKind::Literal => own::RouteKind::Literal,
                types::RouteKind::Regex => own::RouteKind::Regex,
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

fn hit(hit: types::Hit) -> own::Hit {
    let signal = |s: types::Signal| own::Signal { name: s.name, value: s.value, weight: s.weight };
    own::Hit {
        path: hit.path,
        span: byte_span(hit.span),
        lines: own::LineSpan { start: hit.lines.start, end: hit.lines.end },
        language: hit.language,
        kind: hit.kind,
        symbol: hit.symbol,
        description: hit.description,
        score: hit.score,
        also_in: hit.also_in,
        signals: hit.signals.into_iter().map(signal).collect(),
        content_hash: hit.content_hash.try_into().unwrap_or_default(),
    }
}

pub fn measurement(measured: search::Measurement) -> Measurement {
    Measurement { signals: measured.signals, rows: measured.rows, values: measured.values, weights: measured.weights }
}
