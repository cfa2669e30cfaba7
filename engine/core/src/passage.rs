//! Chunk of a candidate file -> named signals and one score: which place of a file is shown, and how good the best is.
//!
//! The same kind of linear score as for files (see [`crate::signals`]), over evidence that lies in one place. Its weights
//! are fitted by `docs/fit.py` on questions whose answers are lines (`tests/truth/chunks.jsonl`).

use crate::evidence::Evidence;
use crate::generation::{Chunk, Generation};
use crate::question::Question;
use crate::symbols::SymbolKind;
use crate::weights::PASSAGE_WEIGHTS;

macro_rules! passage_signals {
    ($($variant:ident $name:literal $doc:literal,)*) => {
        /// The signals of a chunk's score.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum PassageSignal { $(#[doc = $doc] $variant,)* }

        impl PassageSignal {
            /// All signals, in order.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// The name in weights and logs.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }
        }
    };
}

passage_signals! {
    Words "passage.words" "BM25F, over the best chunk of all.",
    Head "passage.head" "The same with the words before the first turn of the question weighing more.",
    Whole "passage.whole" "BM25 of whole identifiers, over the best chunk of all.",
    Doc "passage.doc" "BM25 of documentation, over the best chunk of all.",
    Meaning "passage.meaning" "Cosine of the capsule with the question, earlier words weighing more.",
    MeaningPlain "passage.meaning-plain" "Cosine of the capsule with the plain question.",
    Defines "passage.defines" "How surely the question names what is defined here.",
    NameMatch "passage.name-match" "Best balance (F1, by idf) of the question and the name of one definition.",
    NameCover "passage.name-cover" "Best share of the question, by idf, that the name of one definition covers.",
    Callable "passage.callable" "A function, method or macro is defined here.",
    Type "passage.type" "A type is defined here.",
    Part "passage.part" "Within a definition that begins in another chunk.",
    Loose "passage.loose" "Outside of any definition: imports, constants, statements.",
    Test "passage.test" "In a test, or in a module of tests.",
    Length "passage.length" "Lines, up to 40, over 40.",
}

/// Number of signals.
pub const COUNT: usize = PassageSignal::ALL.len();

/// The signals of one chunk.
#[derive(Clone, Debug)]
pub struct PassageValues(pub [f32; COUNT]);

impl PassageValues {
    fn set(&mut self, signal: PassageSignal, value: f32) {
        self.0[signal as usize] = value;
    }

    /// The weighted sum, with the weights for identifiers or for all other questions.
    pub fn score(&self, symbol: bool) -> f32 {
        let weight = |&(natural, for_symbols): &(f32, f32)| if symbol { for_symbols } else { natural };
        self.0.iter().zip(&PASSAGE_WEIGHTS).map(|(value, weights)| weight(weights) * value).sum()
    }
}

/// How well the name of a symbol and the question fit.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct NameFit {
    /// Share of the question, by idf, that the name covers.
    pub cover: f32,
    /// F1 of that and of the share of the name that the question covers.
    pub balance: f32,
}

/// Measures chunks for one question.
pub struct PassageMeter<'a> {
    generation: &'a Generation,
    evidence: &'a Evidence,
    idf_sum: f32,
    /// Symbols that the question names, in order, and how surely: 1 for an identifier spelt alike.
    named: Vec<(u32, f32)>,
    /// Of each term of the vocabulary, whether the question has it: few names have one, and all are asked.
    is_asked: Vec<bool>,
}

/// Symbols that the question names, in order, and how surely.
fn named(generation: &Generation, question: &Question) -> Vec<(u32, f32)> {
    let mut named: Vec<(u32, f32)> = Vec::new();
    for identifier in &question.identifiers {
        let sure = |s: u32| if generation.symbol_name(s) == identifier.text { 1.0 } else { 0.9 };
        named.extend(generation.symbols_named(&identifier.text).map(|s| (s, sure(s))));
    }
    for run in question.runs.iter().filter(|run| run.count > 1) {
        named.extend(generation.symbols_named(&run.joined).map(|s| (s, 0.8)));
    }
    named.sort_by(|a, b| a.0.cmp(&b.0).then(b.1.total_cmp(&a.1)));
    named.dedup_by_key(|(symbol, _)| *symbol);
    named
}

fn share(value: f32, of: f32) -> f32 {
    if of > 0.0 { value / of } else { 0.0 }
}

const LONG: f32 = 40.0;

impl<'a> PassageMeter<'a> {
    /// A meter for one question.
    pub fn new(generation: &'a Generation, question: &'a Question, evidence: &'a Evidence) -> Self {
        let named = named(generation, question);
        let mut is_asked = vec![false; generation.vocabulary.len()];
        evidence.vocabulary_ids.iter().flatten().for_each(|&id| is_asked[id as usize] = true);
        Self { generation, evidence, idf_sum: evidence.idf.iter().sum(), named, is_asked }
    }

    /// The signals of a chunk; `symbols` are those among its definitions that may be shown.
    pub fn measure(&self, number: u32, symbols: &[u32]) -> PassageValues {
        use PassageSignal as S;
        let chunk = &self.generation.chunks[number as usize];
        let at = number as usize;
        let evidence = self.evidence;
        let mut values = PassageValues([0.0; COUNT]);
        values.set(S::Words, share(evidence.chunk_words[at], evidence.best.words));
        values.set(S::Head, share(evidence.chunk_head[at], evidence.best.head));
        values.set(S::Whole, share(evidence.chunk_whole[at], evidence.best.whole));
        values.set(S::Doc, share(evidence.chunk_doc[at], evidence.best.doc));
        values.set(S::Meaning, evidence.cosine_position.get(at).copied().unwrap_or(0.0));
        values.set(S::MeaningPlain, evidence.cosine.get(at).copied().unwrap_or(0.0));
        values.set(S::Defines, self.sureness(symbols).1);
        let kind = |s: u32| self.generation.symbols[s as usize].record.kind;
        let (mut fit, mut callable, mut types) = (NameFit::default(), false, false);
        for &symbol in symbols {
            callable |= kind(symbol).is_callable();
            types |= kind(symbol).is_type();
            if let Some(of_name) = self.name_fit(symbol) {
                fit.cover = fit.cover.max(of_name.cover);
                fit.balance = fit.balance.max(of_name.balance);
            }
        }
        let flag = |holds: bool| f32::from(u8::from(holds));
        values.set(S::NameMatch, fit.balance);
        values.set(S::NameCover, fit.cover);
        values.set(S::Callable, flag(callable));
        values.set(S::Type, flag(types));
        values.set(S::Part, flag(symbols.is_empty() && chunk.symbol.is_some()));
        values.set(S::Loose, flag(symbols.is_empty() && chunk.symbol.is_none()));
        values.set(S::Test, flag(self.is_test(chunk)));
        values.set(S::Length, ((chunk.lines.1 + 1 - chunk.lines.0) as f32 / LONG).min(1.0));
        values
    }

    /// How the name of a symbol and the question fit; `None` if they share no word, or it is a heading.
    pub fn name_fit(&self, symbol: u32) -> Option<NameFit> {
        let record = &self.generation.symbols[symbol as usize].record;
        let is_asked = |&term: &u32| self.is_asked[term as usize];
        if record.kind == SymbolKind::Section || !record.name_terms.iter().any(is_asked) {
            return None;
        }
        let (mut matched, mut count) = (0.0, 0);
        for (at, id) in self.evidence.vocabulary_ids.iter().enumerate() {
            if id.is_some_and(|id| record.name_terms.contains(&id)) {
                matched += self.evidence.idf[at];
                count += 1;
            }
        }
        let cover = share(matched, self.idf_sum);
        let precision = count as f32 / record.name_terms.len() as f32;
        Some(NameFit { cover, balance: 2.0 * precision * cover / (precision + cover) })
    }

    /// Whether a chunk stands in a test: its symbol or one around it is one.
    fn is_test(&self, chunk: &Chunk) -> bool {
        let mut at = chunk.symbol;
        while let Some(symbol) = at {
            let record = &self.generation.symbols[symbol as usize].record;
            let name = self.generation.symbol_name(symbol);
            if record.kind == SymbolKind::Test || crate::standing::is_test_name(name, record.kind == SymbolKind::Module)
            {
                return true;
            }
            at = record.parent;
        }
        false
    }

    /// The symbol among those of a chunk that the question names; else the one whose name has most of its words.
    pub fn defined(&self, symbols: &[u32]) -> Option<u32> {
        self.sureness(symbols).0.or_else(|| self.named_best(symbols))
    }

    /// The symbol among those of a chunk that the question names, and how surely: 1 for an identifier spelt alike. Of two
    /// with one name, the type or function goes before its module and its `impl`.
    fn sureness(&self, symbols: &[u32]) -> (Option<u32>, f32) {
        let generation = self.generation;
        let mut best: (Option<u32>, f32, u8) = (None, 0.0, 0);
        for &symbol in symbols {
            let Ok(at) = self.named.binary_search_by_key(&symbol, |&(named, _)| named) else { continue };
            let sure = self.named[at].1;
            let kind = generation.symbols[symbol as usize].record.kind;
            let rank = match kind {
                SymbolKind::Module => 0,
                SymbolKind::Impl | SymbolKind::Field | SymbolKind::Section => 1,
                SymbolKind::Variable => 2,
                _ => 3,
            };
            if best.0.is_none() || (rank, sure) > (best.2, best.1) {
                best = (Some(symbol), sure, rank);
            }
        }
        // Of two chunks that define the name, the one with the type or function is shown.
        let lead = [0.4, 0.6, 0.9, 1.0][usize::from(best.2)];
        (best.0, best.1 * lead)
    }

    /// The symbol of the chunk whose name has most of the question's words.
    fn named_best(&self, symbols: &[u32]) -> Option<u32> {
        let mut best = (0, None);
        for &symbol in symbols {
            let record = &self.generation.symbols[symbol as usize].record;
            // A module's name is its file's: it says nothing of this place.
            if record.kind == SymbolKind::Module {
                continue;
            }
            let terms = &record.name_terms;
            let ids = &self.evidence.vocabulary_ids;
            let count = ids.iter().filter(|id| id.is_some_and(|id| terms.contains(&id))).count();
            if count > best.0 {
                best = (count, Some(symbol));
            }
        }
        best.1
    }
}
