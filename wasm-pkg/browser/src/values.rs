//! Engine types <-> JavaScript objects. First what comes in, then what goes out.

use seekwell_core::find::FileMatches;
use seekwell_core::{scan, update};
use seekwell_languages::LANGUAGES;
use seekwell_types as own;
use serde::de::{Deserializer, Visitor};
use serde::{Deserialize, Serialize};
use tsify::Tsify;

use crate::error::{Result, coded};

/// A question with its filters. Filters act before anything is ranked; `limit` never changes the order.
#[derive(Deserialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct Query {
    /// What is asked, as typed.
    pub text: String,
    /// How it is answered; `hybrid` by default.
    #[tsify(optional)]
    #[serde(default)]
    pub mode: Mode,
    /// Hits at most; 10 by default.
    #[tsify(optional)]
    #[serde(default = "ten")]
    pub limit: u32,
    /// Hits of one file at most; 1 by default.
    #[tsify(optional)]
    #[serde(default)]
    pub per_file: u32,
    /// Hits that are passed over first; 0 by default.
    #[tsify(optional)]
    #[serde(default)]
    pub offset: u32,
    /// Languages that a hit may have, by id, name, alias or extension; any by default.
    #[tsify(optional)]
    #[serde(default)]
    pub languages: Vec<String>,
    /// Globs as ripgrep's `-g`.
    #[tsify(optional)]
    #[serde(default)]
    pub globs: Vec<String>,
    /// A folder or file that the path must lie in.
    #[tsify(optional)]
    #[serde(default)]
    pub path: String,
    /// Symbol kinds that a hit may have; any by default.
    #[tsify(optional)]
    #[serde(default)]
    pub kinds: Vec<String>,
    /// The content class that a hit must have; any by default.
    #[tsify(optional)]
    #[serde(default)]
    pub content: Option<Content>,
    /// Whether hits carry the signals of their scores.
    #[tsify(optional)]
    #[serde(default)]
    pub explain: bool,
}

const fn ten() -> u32 {
    10
}

/// How a question is answered.
#[derive(Clone, Copy, Default, Deserialize, Tsify)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    /// Words, meaning and structure together.
    #[default]
    Hybrid,
    /// The embedding table alone.
    Semantic,
    /// Words and structure.
    Keyword,
    /// The text itself.
    Exact,
    /// A regular expression.
    Regex,
}

/// What kind of content a file holds.
#[derive(Clone, Copy, Deserialize, Tsify)]
#[serde(rename_all = "lowercase")]
pub enum Content {
    /// Program text.
    Code,
    /// Prose.
    Docs,
    /// Data and settings.
    Config,
}

impl Query {
    /// The engine's question. An unknown language or kind is an error that says so.
    pub fn own(self) -> Result<own::Query> {
        let language = |word: String| {
            let word = word.trim_start_matches('.');
            let by_extension =
                || LANGUAGES.0.iter().find(|l| l.extensions.iter().any(|e| e.eq_ignore_ascii_case(word)));
            let found = LANGUAGES.named(word).or_else(by_extension);
            found
                .map(|l| l.id.to_owned())
                .ok_or_else(|| coded("unknown-language", &format!("unknown language: {word}")))
        };
        let kinds = crate::kinds();
        let kind = |word: String| match kinds.contains(&word) {
            true => Ok(word),
            false => Err(coded("unknown-kind", &format!("unknown kind: {word}; the kinds are {}", kinds.join(", ")))),
        };
        Ok(own::Query {
            text: self.text,
            mode: match self.mode {
                Mode::Hybrid => own::Mode::Hybrid,
                Mode::Semantic => own::Mode::Semantic,
                Mode::Keyword => own::Mode::Keyword,
                Mode::Exact => own::Mode::Exact,
                Mode::Regex => own::Mode::Regex,
            },
            limit: self.limit,
            per_file: self.per_file,
            offset: self.offset,
            languages: self.languages.into_iter().map(language).collect::<Result<_>>()?,
            globs: self.globs,
            path_prefix: self.path,
            kinds: self.kinds.into_iter().map(kind).collect::<Result<_>>()?,
            scope: match self.content {
                None => own::Scope::All,
                Some(Content::Code) => own::Scope::Only(own::Content::Code),
                Some(Content::Docs) => own::Scope::Only(own::Content::Docs),
                Some(Content::Config) => own::Scope::Only(own::Content::Config),
            },
            explain: self.explain,
        })
    }
}

/// What a tree's `.seekwell.toml` says; what it leaves out is undefined or empty.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct Settings {
    /// Excluded paths, in gitignore syntax.
    pub exclude: Vec<String>,
    /// Excluded extensions.
    pub exclude_extensions: Vec<String>,
    /// Hits shown at most.
    #[tsify(optional)]
    pub limit: Option<u32>,
    /// Content class searched; `all` for any.
    #[tsify(optional, type = "\"code\" | \"docs\" | \"config\" | \"all\"")]
    pub content: Option<&'static str>,
    /// Size in bytes above which a file is not read.
    #[tsify(optional)]
    pub max_filesize: Option<f64>,
}

impl Settings {
    /// From the settings' own.
    pub fn of(config: seekwell_settings::Config) -> Self {
        let word = |scope| match scope {
            own::Scope::All => "all",
            own::Scope::Only(own::Content::Code) => "code",
            own::Scope::Only(own::Content::Docs) => "docs",
            own::Scope::Only(own::Content::Config) => "config",
        };
        Self {
            exclude: config.ignore_patterns,
            exclude_extensions: config.ignore_extensions,
            limit: config.limit,
            content: config.content.map(word),
            max_filesize: config.max_filesize.map(|size| size as f64),
        }
    }
}

/// What is looked for as it stands.
#[derive(Deserialize, Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct Needle {
    /// The text, or the regular expression.
    pub pattern: String,
    /// Whether it is a regular expression.
    pub regex: bool,
    /// Whether letters match without regard to case.
    pub ignore_case: bool,
}

impl Needle {
    /// From the engine's.
    pub fn of(needle: scan::Needle) -> Self {
        let scan::Needle { pattern, regex, ignore_case } = needle;
        Self { pattern, regex, ignore_case }
    }

    /// The engine's.
    pub fn own(self) -> scan::Needle {
        let Self { pattern, regex, ignore_case } = self;
        scan::Needle { pattern, regex, ignore_case }
    }
}

/// Where the needle stands in one file, as start, end, start, end ….
#[derive(Deserialize, Tsify)]
pub struct Matches {
    /// The file.
    pub path: String,
    /// The places, in order.
    pub spans: Vec<u32>,
}

impl Matches {
    /// The engine's.
    pub fn own(self) -> FileMatches {
        let spans = self.spans.chunks_exact(2).map(|pair| own::ByteSpan::new(pair[0], pair[1])).collect();
        FileMatches { path: self.path, spans }
    }
}

/// What becomes of one file.
#[derive(Deserialize, Tsify)]
pub struct Change {
    /// Its path.
    pub path: String,
    /// The analysis that it is to be made of; none if the file is gone.
    #[tsify(optional, type = "Uint8Array")]
    #[serde(default)]
    pub new: Option<Bytes>,
}

/// Bytes of a file or of an analysis.
#[derive(Deserialize)]
pub struct Bytes(#[serde(deserialize_with = "bytes")] pub Vec<u8>);

/// Bytes as a `Uint8Array` instead of a list of numbers.
pub fn bytes<'d, D: Deserializer<'d>>(from: D) -> std::result::Result<Vec<u8>, D::Error> {
    struct Bytes;
    impl Visitor<'_> for Bytes {
        type Value = Vec<u8>;
        fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str("a Uint8Array")
        }
        fn visit_byte_buf<E>(self, bytes: Vec<u8>) -> std::result::Result<Self::Value, E> {
            Ok(bytes)
        }
        fn visit_bytes<E>(self, bytes: &[u8]) -> std::result::Result<Self::Value, E> {
            Ok(bytes.to_vec())
        }
    }
    from.deserialize_byte_buf(Bytes)
}

impl Change {
    /// The engine's; none if the analysis is not this engine's.
    pub fn own(self) -> Option<update::Change> {
        let new = match self.new {
            Some(Bytes(blob)) => Some(seekwell_core::analysis::Analysis::from_bytes(&blob)?),
            None => None,
        };
        Some(update::Change { path: self.path, new })
    }
}

/// A path that is not searched, with the reason.
#[derive(Clone, Deserialize, Serialize, Tsify)]
pub struct Skipped {
    /// The path; folders end with `/`.
    pub path: String,
    /// A short word from an open list.
    pub reason: String,
    /// What a reader can act on.
    pub detail: String,
}

impl Skipped {
    /// From the engine's.
    pub fn of(skipped: own::Skipped) -> Self {
        let own::Skipped { path, reason, detail } = skipped;
        Self { path, reason, detail }
    }

    /// The engine's.
    pub fn own(self) -> own::Skipped {
        let Self { path, reason, detail } = self;
        own::Skipped { path, reason, detail }
    }
}

/// A language that the engine tells apart.
#[derive(Serialize, Tsify)]
pub struct Language {
    /// Stable id.
    pub id: String,
    /// Name for readers.
    pub name: String,
    /// Other words for it.
    pub aliases: Vec<String>,
    /// File extensions without the dot.
    pub extensions: Vec<String>,
    /// Whether there is a grammar for it.
    pub structured: bool,
}

/// A file, decoded.
#[derive(Serialize, Tsify)]
pub struct DecodedFile {
    /// Its text.
    pub text: String,
    /// Language id; `text` if none.
    pub language: String,
    /// Bytes on disk.
    pub bytes: u32,
}

/// What is known of a committed tree.
#[derive(Serialize, Tsify)]
pub struct Generation {
    /// Its identity.
    pub id: String,
    /// Files searched.
    pub files: u32,
    /// Chunks.
    pub chunks: u32,
    /// Symbols.
    pub symbols: u32,
    /// Files decoded with loss, by path.
    pub lossy: Vec<Lossy>,
    /// Files without their structure, by path.
    pub degraded: Vec<Degraded>,
    /// Files per language, by id.
    pub languages: Vec<LanguageCount>,
}

/// A file that was decoded with loss.
#[derive(Serialize, Tsify)]
pub struct Lossy {
    /// The file.
    pub path: String,
    /// The encoding that it was read as.
    pub encoding: String,
}

/// A file whose structure was given up.
#[derive(Serialize, Tsify)]
pub struct Degraded {
    /// The file.
    pub path: String,
    /// A short word.
    pub reason: String,
}

/// How many files of a language there are.
#[derive(Serialize, Tsify)]
pub struct LanguageCount {
    /// Language id.
    pub language: String,
    /// Files.
    pub files: u32,
}

impl Generation {
    /// From the engine's.
    pub fn of(generation: &own::Generation) -> Self {
        let lossy = |l: &own::Lossy| Lossy { path: l.path.clone(), encoding: l.encoding.clone() };
        let degraded = |d: &own::Degraded| Degraded { path: d.path.clone(), reason: d.reason.clone() };
        let count = |(language, files): &(String, u32)| LanguageCount { language: language.clone(), files: *files };
        Self {
            id: generation.id.clone(),
            files: generation.files,
            chunks: generation.chunks,
            symbols: generation.symbols,
            lossy: generation.lossy.iter().map(lossy).collect(),
            degraded: generation.degraded.iter().map(degraded).collect(),
            languages: generation.languages.iter().map(count).collect(),
        }
    }
}

/// The answer to a question, without the text of its hits.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct Answer {
    /// How the question was understood.
    pub route: Route,
    /// The hits, best first.
    pub hits: Vec<Hit>,
    /// How many hits there are without `offset` and `limit`.
    pub total: u32,
    /// Whether the best hit is unlikely to answer the question.
    pub weak: bool,
    /// Whether nothing matches.
    pub not_found: bool,
    /// When weak or not found: names of this tree that come nearest.
    pub nearest: Vec<String>,
    /// What a reader should know about this answer, a sentence each.
    pub notes: Vec<String>,
}

/// How a question was understood, and why.
#[derive(Serialize, Tsify)]
pub struct Route {
    /// The kind.
    #[tsify(type = "\"natural\" | \"symbol\" | \"literal\" | \"regex\"")]
    pub kind: &'static str,
    /// One sentence for a reader.
    pub why: String,
}

/// One place that answers a question.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct Hit {
    /// The file.
    pub path: String,
    /// First line, one-based.
    pub start_line: u32,
    /// Last line.
    pub end_line: u32,
    /// First byte.
    pub start_byte: u32,
    /// One past the last byte.
    pub end_byte: u32,
    /// Language id; `text` where there is none.
    pub language: String,
    /// Symbol kind, `section` in prose, or `text`.
    pub kind: String,
    /// Name of the symbol defined here, with its containers; empty if none.
    pub symbol: String,
    /// One line for a reader.
    pub description: String,
    /// Between 0 and 1, to six places.
    pub score: f64,
    /// Other files whose text at this place is identical.
    pub also_in: Vec<String>,
    /// The signals of the score, the largest share first; empty unless asked for.
    pub signals: Vec<Signal>,
    /// First 16 bytes of the blake3 hash of the file that was analysed, in hexadecimal.
    pub content_hash: String,
}

/// One named part of a score.
#[derive(Serialize, Tsify)]
pub struct Signal {
    /// Its name in the documentation of the ranking.
    pub name: String,
    /// What was measured.
    pub value: f64,
    /// Its weight for this kind of question.
    pub weight: f64,
}

impl Answer {
    /// From the engine's.
    pub fn of(answer: &own::Answer) -> Self {
        Self {
            route: Route {
                kind: match answer.route.kind {
                    own::RouteKind::Natural => "natural",
                    own::RouteKind::Symbol => "symbol",
                    own::RouteKind::Literal => "literal",
                    own::RouteKind::Regex => "regex",
                },
                why: answer.route.why.clone(),
            },
            hits: answer.hits.iter().map(hit).collect(),
            total: answer.total,
            weak: answer.weak,
            not_found: answer.not_found,
            nearest: answer.nearest.clone(),
            notes: answer.notes.clone(),
        }
    }
}

fn hit(hit: &own::Hit) -> Hit {
    let signal = |s: &own::Signal| Signal { name: s.name.clone(), value: six(s.value), weight: six(s.weight) };
    Hit {
        path: hit.path.clone(),
        start_line: hit.lines.start,
        end_line: hit.lines.end,
        start_byte: hit.span.start,
        end_byte: hit.span.end,
        language: hit.language.clone(),
        kind: hit.kind.clone(),
        symbol: hit.symbol.clone(),
        description: hit.description.clone(),
        score: six(hit.score),
        also_in: hit.also_in.clone(),
        signals: hit.signals.iter().map(signal).collect(),
        content_hash: hex(&hit.content_hash),
    }
}

/// A float of six places, as in JSON.
pub fn six(value: f32) -> f64 {
    (f64::from(value) * 1e6).round() / 1e6
}

/// Bytes in hexadecimal.
pub fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write as _;
    bytes.iter().fold(String::with_capacity(bytes.len() * 2), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}
