//! Answers for tests: one fixed, and any.

use std::path::PathBuf;

use proptest::prelude::*;
use seekwell_types::{
    Answer, ByteSpan, Degraded, Generation, Hit, LineSpan, Lossy, Mode, Query, Route, RouteKind, Signal, Skipped,
};

use crate::outcome::{IndexStatus, Outcome, Snippet, Source, Status, Upkeep};

/// The question of [`outcome`].
pub(super) fn query() -> Query {
    Query { text: "retry \"x\"".to_owned(), limit: 2, ..Query::default() }
}

/// Two hits of five.
pub(super) fn outcome() -> Outcome {
    let code = Hit {
        path: "src/a.rs".to_owned(),
        span: ByteSpan::new(900, 970),
        lines: LineSpan { start: 42, end: 44 },
        language: "rust".to_owned(),
        kind: "function".to_owned(),
        symbol: "with_retry".to_owned(),
        description: "Tries again.".to_owned(),
        score: 0.91,
        also_in: vec!["b/a.rs".to_owned()],
        signals: vec![signal("bm25", 0.5, 1.2), signal("path", 0.31, 1.0)],
        ..Hit::default()
    };
    let prose = Hit {
        path: "docs/r%FF.md".to_owned(),
        span: ByteSpan::new(0, 8),
        lines: LineSpan { start: 1, end: 1 },
        language: "markdown".to_owned(),
        kind: "section".to_owned(),
        score: 1.0 / 3.0,
        ..Hit::default()
    };
    Outcome {
        root: "/abs/dir".into(),
        generation: Generation {
            id: "00ff".to_owned(),
            files: 3,
            chunks: 9,
            symbols: 7,
            lossy: vec![Lossy { path: "docs/r%FF.md".to_owned(), encoding: "latin-1".to_owned() }],
            degraded: vec![Degraded { path: "src/deep.rs".to_owned(), reason: "steps".to_owned() }],
            languages: vec![("markdown".to_owned(), 1), ("rust".to_owned(), 2)],
        },
        skipped: vec![
            skipped("target/", "ignored", ".gitignore:1: target"),
            skipped("x.bin", "binary", "NUL at byte 3"),
        ],
        partial: false,
        source: Source::Memory,
        upkeep: Upkeep::default(),
        answer: Answer {
            route: Route { kind: RouteKind::Natural, why: "two words".to_owned() },
            hits: vec![code, prose],
            total: 5,
            ..Answer::default()
        },
        snippets: vec![
            Snippet { text: "pub fn with_retry() {\n    again() // retry\n}\n".to_owned(), path_escaped: false },
            Snippet { text: "# Retry".to_owned(), path_escaped: true },
        ],
    }
}

/// What `status` says of the same tree.
pub(super) fn status() -> Status {
    let Outcome { root, generation, skipped, partial, source, .. } = outcome();
    let [engine, model, device] = ["component 0.1.0", "static", "cpu"].map(str::to_owned);
    let index = IndexStatus {
        exists: true,
        location: PathBuf::from("/cache/store-1"),
        bytes: 2_048,
        store_bytes: 4_096,
        stale: 1,
        ..IndexStatus::default()
    };
    Status { root, generation, skipped, partial, source, engine, model, device, index }
}

fn signal(name: &str, value: f32, weight: f32) -> Signal {
    Signal { name: name.to_owned(), value, weight }
}

pub(super) fn skipped(path: &str, reason: &str, detail: &str) -> Skipped {
    Skipped { path: path.to_owned(), reason: reason.to_owned(), detail: detail.to_owned() }
}

/// Any characters, control characters and quotes too, now and then very many.
fn any_text() -> impl Strategy<Value = String> {
    prop_oneof![
        8 => "[a-z_/ .]{0,24}",
        2 => proptest::collection::vec(any::<char>(), 0..40).prop_map(|chars| chars.into_iter().collect()),
        1 => "[\u{0}-\u{1f}\"\\\\\n\r]{0,60}",
        1 => ("[a-zé\"\n]{1,6}", 0usize..900).prop_map(|(text, times)| text.repeat(times)),
    ]
}

prop_compose! {
    fn any_hit()(
        texts in proptest::collection::vec(any_text(), 5),
        path in any_text(),
        also_in in proptest::collection::vec(any_text(), 0..3),
        signals in proptest::collection::vec((any_text(), any::<f32>(), any::<f32>()), 0..3),
        (start, end, first, last) in any::<(u32, u32, u32, u32)>(),
        (score, path_escaped) in (any::<f32>(), any::<bool>()),
    ) -> (Hit, Snippet) {
        let [language, kind, symbol, description, text] = texts.try_into().expect("five were asked for");
        let signals = signals.into_iter().map(|(name, value, weight)| Signal { name, value, weight }).collect();
        let hit = Hit {
            path, language, kind, symbol, description, score, also_in, signals,
            span: ByteSpan { start, end }, lines: LineSpan { start: first, end: last }, content_hash: [0; 16],
        };
        (hit, Snippet { text, path_escaped })
    }
}

prop_compose! {
    /// Any answer: no field is tied to another, apart from as many snippets as hits and no fewer hits in all.
    pub(super) fn any_outcome()(
        hits in proptest::collection::vec(any_hit(), 0..12),
        (root, id, why) in (any_text(), any_text(), any_text()),
        nearest in proptest::collection::vec(any_text(), 0..4),
        skips in proptest::collection::vec(any_text(), 0..10),
        more in prop_oneof![Just(0u32), 0u32..100, any::<u32>()],
        (files, weak, partial) in any::<(u32, bool, bool)>(),
    ) -> Outcome {
        let (hits, snippets): (Vec<_>, Vec<_>) = hits.into_iter().unzip();
        Outcome {
            root: root.into(),
            generation: Generation { id, files, chunks: files, symbols: files, ..Generation::default() },
            skipped: skips.iter().map(|reason| skipped("p", reason, "")).collect(),
            partial,
            source: Source::Store,
            upkeep: Upkeep::default(),
            answer: Answer {
                route: Route { kind: RouteKind::Literal, why },
                total: u32::try_from(hits.len()).unwrap().saturating_add(more),
                not_found: hits.is_empty(),
                hits, weak, nearest, notes: Vec::new(),
            },
            snippets,
        }
    }
}

prop_compose! {
    /// Any question.
    pub(super) fn any_query()(text in any_text(), offset in prop_oneof![Just(0u32), 0u32..50, any::<u32>()], mode in 0usize..5) -> Query {
        let mode = [Mode::Hybrid, Mode::Semantic, Mode::Keyword, Mode::Exact, Mode::Regex][mode];
        Query { text, offset, mode, limit: 10, ..Query::default() }
    }
}
