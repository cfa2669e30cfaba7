//! Query + generation -> answer: candidates from words and meaning, one score a file, the best chunk of each.

use seekwell_types::{Answer, ByteSpan, Hit, LineSpan, Mode, Query, RouteKind, Signal as Part};

use crate::decode::decode;
use crate::error::Error;
use crate::evidence::{Evidence, gather};
use crate::filter::{Filter, Shown, kind_without_symbol};
use crate::generation::{Chunk, File, Generation, guess_content};
use crate::grammar::Languages;
use crate::passage::{PassageMeter, PassageSignal, PassageValues};
use crate::question::{Question, WeightSet};
use crate::signals::{Meter, Signal, Values, score, weight};
use crate::symbols::SymbolKind;
use crate::table::Table;

/// How many files each way of retrieval proposes. The two lists of fifty held an answer in 99.8 % of the laboratory's
/// questions; the others cost little.
const PROPOSED: usize = 60;

/// A file is not proposed for a meaning farther than this cosine: unrelated texts lie about 0. Of 2,016 right answers 0.7 % do,
/// and nearly all of these hold words of the question.
const MEANT: f32 = 0.08;

/// What it adds to a chunk's score that the text of the question stands in it as it is: more than all else.
const STANDS_HERE: f32 = 100.0;

/// Where the text of a question stands in a file as it is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileMatches {
    /// Path relative to the root.
    pub path: String,
    /// The places, in bytes on disk, in order.
    pub spans: Vec<ByteSpan>,
}

/// A file that was measured.
pub struct Candidate {
    /// Its number.
    pub file: u32,
    /// Its signals.
    pub values: Values,
    /// Their weighted sum.
    pub score: f32,
}

/// What was measured for one question: a matrix.
pub struct Measured {
    /// Names of the signals: the columns.
    pub signals: Vec<&'static str>,
    /// Paths, or places in them: the rows.
    pub rows: Vec<String>,
    /// The values, row after row.
    pub values: Vec<f32>,
    /// The weights that apply.
    pub weights: WeightSet,
}

/// Answers questions over one generation.
pub struct Finder<'a> {
    generation: &'a Generation,
    languages: Languages,
    table: Option<&'a dyn Table>,
}

impl<'a> Finder<'a> {
    /// A finder over a generation.
    pub fn new(generation: &'a Generation, languages: Languages, table: Option<&'a dyn Table>) -> Self {
        Self { generation, languages, table }
    }

    /// Answers a question. `matches` says where its needle stands (see [`crate::scan::needle`]), sorted by path.
    pub fn find(&self, query: &Query, matches: &[FileMatches]) -> Result<Answer, Error> {
        let scanned = matches!(query.mode, Mode::Exact | Mode::Regex);
        let empty =
            if scanned { query.text.is_empty() && query.mode == Mode::Exact } else { query.text.trim().is_empty() };
        if empty {
            return Err(Error::EmptyQuery);
        }
        let filter = Filter::new(query, self.languages)?;
        let table = self.table.filter(|_| matches!(query.mode, Mode::Hybrid | Mode::Semantic));
        let question = self.question(query);
        let evidence = gather(self.generation, &question, table)?;
        let places = self.places(matches);
        let meter = Meter::new(self.generation, &question, &evidence);
        let candidates = self.candidates(query.mode, &filter, &meter, &places);
        let search = Search {
            finder: self,
            passages: &meter.passages,
            filter: &filter,
            question: &question,
            evidence: &evidence,
            places: &places,
            scanned,
        };

        let weights = question.weights();
        let per_file = query.per_file.max(1) as usize;
        // Where each file has one hit, and it is nobody's twin, which chunk that is can be asked later: most are on no page.
        let one_each = per_file == 1 && !scanned;
        let mut found: Vec<Found<'_>> = Vec::new();
        for candidate in &candidates {
            if one_each && search.is_alone(candidate.file) {
                let score = calibrated(candidate.score, weights);
                found.push(Found { candidate, place: None, score, also_in: Vec::new() });
                continue;
            }
            for (rank, place) in search.best_chunks(candidate.file, per_file).into_iter().enumerate() {
                let data = &self.generation.chunks[place.0 as usize];
                let hashes = self.generation.copies.hashes();
                let is_twin = |of: &Place| hashes[of.0 as usize] == hashes[place.0 as usize];
                let twin = found.iter_mut().find(|f| is_long(data) && f.place.as_ref().is_some_and(is_twin));
                match twin {
                    Some(first) if first.candidate.file != candidate.file => {
                        if !first.also_in.contains(&candidate.file) {
                            first.also_in.push(candidate.file);
                        }
                    }
                    _ => {
                        // Further places of one file follow the first at a distance.
                        let score = calibrated(candidate.score, weights) / (1.0 + rank as f32);
                        found.push(Found { candidate, place: Some(place), score, also_in: Vec::new() });
                    }
                }
            }
        }
        if query.per_file > 1 {
            found.sort_by(|a, b| b.score.total_cmp(&a.score));
        }
        let total = found.len() as u32;
        let best = candidates.first();
        let weak = !scanned && best.is_none_or(|best| search.is_weak(best));
        let not_found = found.is_empty();
        let page = found.iter().skip(query.offset as usize).take(query.limit as usize);
        let hits = page.filter_map(|found| search.hit(found, weights, query.explain)).collect();
        let nearest =
            if not_found || weak { self.generation.nearest(&question.words, table, NEAREST) } else { Vec::new() };
        Ok(Answer {
            notes: search.notes(query, not_found, weak),
            route: question.route.clone(),
            hits,
            total,
            weak: weak && !not_found,
            not_found,
            nearest,
        })
    }

    /// All candidates with their signals, best first: what weights are fitted on. With `places`, the chunks of the
    /// candidates, each as `path:first-last` (lines).
    pub fn measure(&self, query: &Query, places: bool) -> Result<Measured, Error> {
        let filter = Filter::new(query, self.languages)?;
        let table = self.table.filter(|_| matches!(query.mode, Mode::Hybrid | Mode::Semantic));
        let question = self.question(query);
        let evidence = gather(self.generation, &question, table)?;
        let meter = Meter::new(self.generation, &question, &evidence);
        let candidates = self.candidates(query.mode, &filter, &meter, &[]);
        let generation = self.generation;
        let path = |c: &Candidate| generation.files[c.file as usize].path.as_str();
        let weights = question.weights();
        if !places {
            return Ok(Measured {
                signals: Signal::ALL.iter().map(|s| s.name()).collect(),
                rows: candidates.iter().map(|c| path(c).to_owned()).collect(),
                values: candidates.iter().flat_map(|c| c.values.0).collect(),
                weights,
            });
        }
        let signals = PassageSignal::ALL.iter().map(|s| s.name()).collect();
        let mut measured = Measured { signals, rows: Vec::new(), values: Vec::new(), weights };
        for candidate in &candidates {
            let (first, end) = generation.files[candidate.file as usize].chunks;
            for number in first..end {
                let chunk = &generation.chunks[number as usize];
                let PassageValues(values) = meter.passages.measure(number, &chunk.defines);
                measured.rows.push(format!("{}:{}-{}", path(candidate), chunk.lines.0, chunk.lines.1));
                measured.values.extend(values);
            }
        }
        Ok(measured)
    }

    /// The question, understood in the light of this generation's symbols.
    pub fn question(&self, query: &Query) -> Question {
        Question::new(&query.text, query.mode, |name| {
            self.generation.symbols_named(name).any(|s| self.generation.symbol_name(s) == name)
        })
    }

    /// Matches by file number.
    fn places<'m>(&self, matches: &'m [FileMatches]) -> Vec<(u32, &'m [ByteSpan])> {
        let number = |path: &str| self.generation.files.binary_search_by(|f| f.path.as_str().cmp(path)).ok();
        matches
            .iter()
            .filter(|m| !m.spans.is_empty())
            .filter_map(|m| number(&m.path).map(|n| (n as u32, m.spans.as_slice())))
            .collect()
    }

    fn candidates(
        &self,
        mode: Mode,
        filter: &Filter,
        meter: &Meter<'_>,
        places: &[(u32, &[ByteSpan])],
    ) -> Vec<Candidate> {
        let generation = self.generation;
        let (question, evidence) = (meter.question, meter.evidence);
        let admits = |f: &File| f.chunks.0 < f.chunks.1 && filter.admits(f) && filter.holds_kind(generation, f);
        let admitted: Vec<bool> = generation.files.iter().map(admits).collect();
        let literal = |file: u32| places.binary_search_by_key(&file, |&(f, _)| f).is_ok();
        let mut chosen: Vec<u32> = Vec::new();
        match mode {
            Mode::Exact | Mode::Regex => chosen.extend(places.iter().map(|&(file, _)| file)),
            Mode::Hybrid | Mode::Keyword | Mode::Semantic => {
                let of_files = &evidence.of_files;
                let sum = |best: &[f32; 3]| best.iter().sum::<f32>();
                // Alone, meaning ranks everything, however far.
                let lift = if mode == Mode::Semantic && !evidence.cosine_position.is_empty() { 2.0 } else { 0.0 };
                chosen.extend(top_files(&admitted, |f| {
                    let best = &of_files[f].cosine_position;
                    let near = mode == Mode::Semantic || best[0] > MEANT;
                    if near { sum(best) + lift } else { 0.0 }
                }));
                if mode != Mode::Semantic {
                    chosen.extend(top_files(&admitted, |f| sum(&of_files[f].words)));
                    chosen.extend(top_files(&admitted, |f| sum(&of_files[f].head)));
                    chosen.extend(top_files(&admitted, |f| evidence.file_words[f]));
                    chosen.extend(top_files(&admitted, |f| sum(&of_files[f].whole)));
                    let names =
                        question.identifiers.iter().map(|i| &i.text).chain(question.runs.iter().map(|r| &r.joined));
                    for name in names {
                        chosen.extend(
                            generation.symbols_named(name).take(PROPOSED).map(|s| generation.symbols[s as usize].file),
                        );
                    }
                    chosen.extend(places.iter().map(|&(file, _)| file).take(PROPOSED));
                }
            }
        }
        chosen.sort_unstable();
        chosen.dedup();
        chosen.retain(|&f| admitted[f as usize]);
        let mut candidates: Vec<Candidate> = chosen
            .into_iter()
            .map(|file| {
                let values = meter.measure(file, literal(file));
                let score = match mode {
                    Mode::Semantic => values.get(Signal::Meaning),
                    _ => score(&values, question.weights()),
                };
                Candidate { file, values, score }
            })
            .collect();
        candidates.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.file.cmp(&b.file)));
        candidates
    }
}

/// Whether hits of a question may lie in a file, by its path and content; filters by kind are not applied.
pub fn admits(languages: Languages, query: &Query, path: &str, bytes: &[u8]) -> Result<bool, Error> {
    let filter = Filter::new(query, languages)?;
    let text = decode(bytes).map_or(std::borrow::Cow::Borrowed(""), |d| d.text);
    let language = languages.of_text(path, &text);
    let content = language.map_or_else(|| guess_content(path), |l| l.content);
    Ok(filter.admits_place(path, language.map_or("text", |l| l.id), content))
}

/// Identical places shorter than this are not told as copies: closing braces are alike everywhere.
const SHORTEST_TWIN: u32 = 60;

/// Whether a chunk is told as a copy of another.
fn is_long(chunk: &Chunk) -> bool {
    chunk.span.1 - chunk.span.0 > SHORTEST_TWIN
}

/// How many words a weak answer offers.
const NEAREST: usize = 5;

/// The files with the highest positive scores, best first; ties go to the first.
fn top_files(admitted: &[bool], score: impl Fn(usize) -> f32) -> Vec<u32> {
    let mut scored: Vec<(f32, u32)> =
        (0..admitted.len()).filter(|&f| admitted[f]).map(|f| (score(f), f as u32)).filter(|s| s.0 > 0.0).collect();
    let order = |a: &(f32, u32), b: &(f32, u32)| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1));
    if scored.len() > PROPOSED {
        scored.select_nth_unstable_by(PROPOSED - 1, order);
        scored.truncate(PROPOSED);
    }
    scored.sort_by(order);
    scored.into_iter().map(|(_, f)| f).collect()
}

/// A chunk, and the symbol it is shown as.
type Place = (u32, Option<u32>);

/// A hit, not yet told.
struct Found<'c> {
    candidate: &'c Candidate,
    /// None while it was not asked: the best chunk of the file.
    place: Option<Place>,
    score: f32,
    /// Files with the same chunk.
    also_in: Vec<u32>,
}

/// One question under way.
struct Search<'s> {
    finder: &'s Finder<'s>,
    passages: &'s PassageMeter<'s>,
    filter: &'s Filter,
    question: &'s Question,
    evidence: &'s Evidence,
    places: &'s [(u32, &'s [ByteSpan])],
    scanned: bool,
}

impl Search<'_> {
    fn spans(&self, file: u32) -> &[ByteSpan] {
        self.places.binary_search_by_key(&file, |&(f, _)| f).map_or(&[], |at| self.places[at].1)
    }

    /// The score of a chunk that can be shown as this, but for what stands in it as it is.
    fn score(&self, chunk: u32, shown: &Shown) -> f32 {
        let defines = &self.finder.generation.chunks[chunk as usize].defines;
        let symbols = if let Shown::Symbols(symbols) = shown { &symbols[..] } else { &defines[..] };
        self.passages.measure(chunk, symbols).score(self.question.is_symbol())
    }

    /// Whether the best chunk of a file is surely none whose text stands in other files: there is none, or one that only this
    /// file has is better. `false` says nothing.
    fn is_alone(&self, file: u32) -> bool {
        let generation = self.finder.generation;
        let (first, end) = generation.files[file as usize].chunks;
        if !(first..end).any(|chunk| generation.copies.has(chunk)) {
            return true;
        }
        if !self.spans(file).is_empty() {
            return false;
        }
        let score = |chunk: u32| {
            let shown = self.filter.shown(generation, chunk);
            if shown.is_empty() { f32::NEG_INFINITY } else { self.score(chunk, &shown) }
        };
        // The one with most words of the question is the likeliest to be the best.
        let words = |chunk: u32| self.evidence.chunk_words[chunk as usize];
        let own = (first..end).filter(|&chunk| !generation.copies.has(chunk));
        let Some(own) = own.max_by(|&a, &b| words(a).total_cmp(&words(b))) else { return false };
        let own = score(own);
        (first..end).filter(|&chunk| generation.copies.has(chunk)).all(|chunk| score(chunk) < own)
    }

    /// The best chunks of a file, each with the symbol to show.
    fn best_chunks(&self, file: u32, count: usize) -> Vec<Place> {
        let generation = self.finder.generation;
        let (first, end) = generation.files[file as usize].chunks;
        let spans = self.spans(file);
        let mut scored: Vec<(f32, u32, Shown)> = Vec::new();
        for chunk in first..end {
            let wanted = self.filter.shown(generation, chunk);
            if wanted.is_empty() {
                continue;
            }
            let data = &generation.chunks[chunk as usize];
            let inside =
                spans.iter().filter(|s| data.span.0 <= s.start && s.start < data.span.1.max(data.span.0 + 1)).count();
            if self.scanned && inside == 0 {
                continue;
            }
            let mut score = self.score(chunk, &wanted);
            if inside > 0 {
                score += STANDS_HERE;
            }
            scored.push((score, chunk, wanted));
        }
        scored.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        scored.truncate(count);
        let shown = |chunk: u32, wanted: Shown| {
            let data = &generation.chunks[chunk as usize];
            match wanted {
                Shown::Symbols(symbols) => self.passages.defined(&symbols).or(symbols.first().copied()),
                Shown::Itself => None,
                Shown::Anything | Shown::Nothing => {
                    self.passages.defined(&data.defines).or_else(|| self.first_of(data))
                }
            }
        };
        scored.into_iter().map(|(_, chunk, wanted)| (chunk, shown(chunk, wanted))).collect()
    }

    /// The symbol that a chunk is shown as when the question names none: its first, but for the module that its file is.
    fn first_of(&self, chunk: &Chunk) -> Option<u32> {
        let kind = |s: u32| self.finder.generation.symbols[s as usize].record.kind;
        let tells = |&s: &u32| !matches!(kind(s), SymbolKind::Module | SymbolKind::Field);
        match chunk.symbol {
            Some(first) if kind(first) == SymbolKind::Module => {
                chunk.defines.iter().copied().find(tells).or(chunk.symbol)
            }
            first => first,
        }
    }

    /// What is told of a hit; `None` for a file of which no chunk may be shown.
    fn hit(&self, found: &Found<'_>, weights: WeightSet, explain: bool) -> Option<Hit> {
        let Found { candidate, place, score, .. } = *found;
        let generation = self.finder.generation;
        let (chunk, shown) = place.or_else(|| self.best_chunks(candidate.file, 1).pop())?;
        let chunk = &generation.chunks[chunk as usize];
        let file = &generation.files[candidate.file as usize];
        let record = shown.map(|s| &generation.symbols[s as usize].record);
        let strings = &file.strings;
        let description = match record {
            Some(record) => {
                let (signature, doc) = (strings.get(record.signature), strings.get(record.doc));
                if doc.is_empty() { signature.to_owned() } else { format!("{signature} — {doc}") }
            }
            None => strings.get(chunk.title).to_owned(),
        };
        let kind = match record {
            Some(record) => record.kind.word(),
            None => kind_without_symbol(generation, candidate.file),
        };
        Some(Hit {
            path: file.path.clone(),
            span: ByteSpan::new(chunk.span.0, chunk.span.1),
            lines: LineSpan { start: chunk.lines.0, end: chunk.lines.1 },
            language: file.language.clone(),
            kind: kind.to_owned(),
            symbol: shown.map(|s| generation.qualified_name(s)).unwrap_or_default(),
            description,
            score,
            also_in: found.also_in.iter().map(|&file| generation.files[file as usize].path.clone()).collect(),
            signals: if explain { explanation(&candidate.values, weights) } else { Vec::new() },
            content_hash: file.content_hash,
        })
    }

    /// Whether the best file is unlikely to be an answer: few of the question's words stand in it, and it means
    /// something else.
    fn is_weak(&self, best: &Candidate) -> bool {
        let defines = [Signal::DefinesType, Signal::DefinesTypeAnyCase, Signal::DefinesFunction, Signal::Literal];
        if defines.iter().any(|&s| best.values.get(s) > 0.0) {
            return false;
        }
        let best_words = self.evidence.of_files[best.file as usize].words[0];
        // A chunk that holds every word once, at average length, comes to about 0.45 of the sum of idf.
        let possible: f32 = self.evidence.idf.iter().sum::<f32>() * 0.45;
        let coverage = if possible > 0.0 { best_words / possible } else { 0.0 };
        coverage + best.values.get(Signal::Meaning).max(0.0) < WEAK
    }

    fn notes(&self, query: &Query, not_found: bool, weak: bool) -> Vec<String> {
        let mut notes = Vec::new();
        if not_found && query.mode == Mode::Exact && regex::escape(&query.text) != query.text {
            notes.push("no such text; to read it as a regular expression, use --mode regex".to_owned());
        } else if not_found && self.scanned && !self.places.is_empty() {
            notes.push(format!("{} files hold this text, and the filters leave none of them", self.places.len()));
        } else if not_found && self.scanned {
            notes.push("no file holds this text; --mode hybrid searches by words and meaning".to_owned());
        } else if not_found || weak {
            let unknown: Vec<&str> =
                self.question.words.iter().map(|(word, _)| word.as_str()).filter(|word| !self.is_known(word)).collect();
            if !unknown.is_empty() {
                notes.push(format!("not in this tree: {}", unknown.join(", ")));
            }
        }
        if self.question.route.kind == RouteKind::Literal && !self.scanned && self.places.is_empty() {
            notes.push("the text does not stand here as it is; these are the nearest by words and meaning".to_owned());
        }
        notes
    }

    fn is_known(&self, word: &str) -> bool {
        let mut known = false;
        crate::words::Terms::default().of_word(word, |term| {
            let lexical = &self.finder.generation.lexical;
            known |= lexical.document_frequency(crate::lexical::Part::Body, term).unwrap_or(0) > 0;
            known |= self.finder.generation.vocabulary.id(term).is_some();
        });
        known
    }
}

/// Below this sum of coverage and cosine an answer is said to be weak.
const WEAK: f32 = 0.75;

/// A score between 0 and 1: the logistic of the weighted sum. The centres lie between what answers and what other files come
/// to in small trees. In large ones more adds up: among the ten best of 1,634 questions with known answers, the two balance at
/// a sum of 12.3 (12.9 for identifiers).
fn calibrated(score: f32, set: WeightSet) -> f32 {
    let (centre, spread) = match set {
        WeightSet::Natural => (7.0, 1.8),
        WeightSet::Symbol => (4.5, 1.0),
        WeightSet::Message => (7.0, 1.8),
    };
    1.0 / (1.0 + libm::expf(-(score - centre) / spread))
}

/// The signals that moved the score, the largest share first.
fn explanation(values: &Values, set: WeightSet) -> Vec<Part> {
    let mut parts: Vec<Part> = Signal::ALL
        .iter()
        .map(|&s| Part { name: s.name().to_owned(), value: values.get(s), weight: weight(s, set) })
        .filter(|p| p.value * p.weight != 0.0)
        .collect();
    parts.sort_by(|a, b| (b.value * b.weight).abs().total_cmp(&(a.value * a.weight).abs()));
    parts
}
