//! Candidate file -> named signals, and the weights that make one score of them.
//!
//! The families come from a laboratory over 41 repositories (817 questions): a regularised linear score over named
//! evidence ranked better there than any fusion of ranks. Weights are fitted by `docs/fit.py` on the engine's own values.
//! Its cross-validated figures are for weights that never saw the repository they rank; those that are committed were fitted
//! on all repositories.

use std::cell::RefCell;
use std::collections::HashMap;

use rustc_hash::FxBuildHasher;
use seekwell_types::Content;

use crate::evidence::{Evidence, best_three, idf};
use crate::generation::{File, Generation};
use crate::intent::Kind;
use crate::lexical::Part;
use crate::passage::PassageMeter;
use crate::place::{Prior, letters};
use crate::question::{Form, Identifier, QueryTerm, Question, Run, WeightSet};
use crate::symbols::SymbolKind;
use crate::weights::WEIGHTS;

macro_rules! signals {
    ($($variant:ident $name:literal $doc:literal,)*) => {
        /// The signals of a file's score.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Signal { $(#[doc = $doc] $variant,)* }

        impl Signal {
            /// All signals, in order.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// The name in explanations, weights and logs.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }
        }
    };
}

signals! {
    Words "words.chunks" "BM25F of the file's three best chunks, over three times the best chunk of all.",
    Head "words.head" "The same with the words before the first turn of the question weighing more.",
    Whole "words.whole" "Best chunk by whole identifiers, over the best file; times 2.5 if none is defined anywhere.",
    Coverage "words.coverage" "BM25F of the best chunk over what one would have that holds each word once.",
    FileWords "words.file" "BM25F of the whole file, over the best file.",
    Folder "words.folder" "Mean of the three best file scores in the same folder.",
    Doc "doc.chunk" "Best chunk by documentation, over the best file.",
    FileDoc "doc.file" "Documentation of the whole file, over the best file.",
    Meaning "meaning.best" "Best cosine of a chunk's capsule with the question, earlier words weighing more.",
    MeaningMean "meaning.mean" "Mean cosine of the three best chunks with the plain question.",
    StemIs "path.stem" "Number of consecutive words of the question that are the file's name.",
    FolderIs "path.folder" "The same for its folder.",
    StemShare "path.share" "How much of the file's name the question explains, by idf.",
    PathPrefix "path.prefix" "Share of the question's words, by idf, that begin like a word of the path.",
    DefinesType "define.type" "An identifier of the question is a type defined here, spelt alike.",
    DefinesTypeAnyCase "define.type-any-case" "The same without case and underscores.",
    DefinesFunction "define.function" "An identifier of the question is a function or value defined here.",
    DefinesPhrase "define.phrase" "Number of consecutive words of the question that are the name of a type defined here.",
    DefinesPhraseFunction "define.phrase-function" "The same for functions, from two words on.",
    Exports "define.export" "An index file imports an identifier of the question that is defined nowhere.",
    IdentifierIsStem "define.stem" "An identifier of the question is the file's name: 2 spelt alike, 1 otherwise.",
    NameCover "define.cover" "Best share of the question, by idf, that one function's name covers.",
    NameMatch "define.match" "Best balance (F1, by idf) of the question and the name of one definition.",
    Importance "importance.file" "Share of the files of code that less of the tree leads to; none if many places are asked for.",
    Literal "text.literal" "The question stands in the file as it is.",
    AskedKind "asked.kind" "A kind of document or settings that the question asks for: its licence, its change log, its CI.",
    AskedDocs "asked.docs" "A document, and documents are asked for.",
    AskedConfig "asked.config" "Settings, and settings are asked for.",
    DocsHow "docs.how" "A document, and the question is how something works.",
    DocsFact "docs.fact" "A document, and the question is which, what, where or whether.",
    DocsLength "docs.length" "A document; words of the question, up to 12, over 12.",
    ConfigHow "config.how" "Settings, and the question is how something works.",
    ConfigFact "config.fact" "Settings, and the question is which, what, where or whether.",
    ConfigLength "config.length" "Settings; words of the question, up to 12, over 12.",
    MainLanguage "prior.main-language" "The file is in the language that most of the code is in.",
    Test "prior.test" "A test; none if tests are asked for.",
    Example "prior.example" "An example.",
    Bench "prior.bench" "A benchmark or fuzzer.",
    Compat "prior.compat" "Kept for compatibility.",
    Script "prior.script" "A script, tool or build file.",
    Generated "prior.generated" "Written by a program.",
    Vendored "prior.vendored" "A copy of another project's file.",
    DocsFolder "prior.docs-folder" "In a folder of documentation, and no document.",
    Declarations "prior.declarations" "Declarations without code.",
    Types "prior.types" "A file of types, models or schemas.",
    Index "prior.index" "An index file (`mod`, `index`, `__init__`).",
    Bodiless "prior.bodiless" "Code without a single body: declarations, constants, re-exports.",
    Header "prior.header" "A header that another file with its name implements.",
    Copied "prior.copied" "Share of the file that is put together of other files.",
    MainPackage "prior.main-package" "Size of the file's package over the largest of the tree; none if there is but one.",
    Platform "prior.platform" "For a platform that few questions mean; none if the question names one.",
    Depth "prior.depth" "Folders that it lies in below the shallowest file of code, up to 6.",
    NameLength "prior.name" "Words of the name of a file of code that the question does not hold, up to 4.",
    IsDocs "prior.docs" "A document.",
    IsConfig "prior.config" "Data or settings.",
}

/// Number of signals.
pub const COUNT: usize = Signal::ALL.len();

/// The signals of one file.
#[derive(Clone, Debug)]
pub struct Values(pub [f32; COUNT]);

impl Values {
    /// The value of a signal.
    pub fn get(&self, signal: Signal) -> f32 {
        self.0[signal as usize]
    }

    fn set(&mut self, signal: Signal, value: f32) {
        self.0[signal as usize] = value;
    }

    fn raise(&mut self, signal: Signal, value: f32) {
        let slot = &mut self.0[signal as usize];
        *slot = slot.max(value);
    }
}

/// Weight of a signal in a set.
pub fn weight(signal: Signal, set: WeightSet) -> f32 {
    let (natural, symbol, message) = WEIGHTS[signal as usize];
    match set {
        WeightSet::Natural => natural,
        WeightSet::Symbol => symbol,
        WeightSet::Message => message,
    }
}

/// The weighted sum.
pub fn score(values: &Values, set: WeightSet) -> f32 {
    Signal::ALL.iter().map(|&s| weight(s, set) * values.get(s)).sum()
}

/// Measures files for one question.
pub struct Meter<'a> {
    generation: &'a Generation,
    /// What is asked.
    pub question: &'a Question,
    /// What was found for it.
    pub evidence: &'a Evidence,
    /// Measures chunks.
    pub passages: PassageMeter<'a>,
    best_file: f32,
    best_file_doc: f32,
    idf_sum: f32,
    /// Whether none of the question's identifiers is defined anywhere.
    undefined: bool,
    /// Identifiers that are defined nowhere, by number.
    foreign: Vec<usize>,
    /// Symbols that the question names, by the file they are in.
    named: Vec<(u32, Named)>,
    /// The letters of each identifier of the question.
    identifier_letters: Vec<String>,
    /// What folders come to, once it was asked for: candidates share folders, and folders can be large.
    folders: RefCell<HashMap<u32, Folder, FxBuildHasher>>,
    /// The idf of terms in paths, likewise.
    path_idf: RefCell<HashMap<u32, f32, FxBuildHasher>>,
}

/// What a folder comes to.
struct Folder {
    /// Mean of its three best files, by words.
    mean: f32,
    /// [`Signal::FolderIs`] of its files.
    is: f32,
    /// Of each term of the question, whether a word of the folder's path begins alike.
    begins: Vec<bool>,
}

/// A symbol that the question names, and by what.
#[derive(Clone, Copy)]
enum Named {
    /// The number of the identifier, and the symbol.
    Identifier(usize, u32),
    /// The number of the run of words, and the symbol.
    Run(usize, u32),
}

/// A mention of an identifier that is defined nowhere counts so many times: nothing else can show the place, and a file that
/// merely defines a part of it must not.
const UNDEFINED: f32 = 2.5;

/// The largest of values that are not negative.
fn largest(values: impl IntoIterator<Item = f32>) -> f32 {
    values.into_iter().fold(0.0, f32::max)
}

/// A name explains little if its words stand everywhere, as a project's own name does: this much idf weighs as much as
/// the certainty that the question means it.
const COMMON: f32 = 1.0;

/// A chunk that holds every word of the question once, at average length, comes to about this share of the sum of idf.
const POSSIBLE: f32 = 0.45;

/// Questions are not told apart by length from this many words on.
const LONG_QUESTION: usize = 12;

/// Names are not told apart by length from this many words on.
const LONG_NAME: usize = 4;

fn share(value: f32, of: f32) -> f32 {
    if of > 0.0 { value / of } else { 0.0 }
}

impl<'a> Meter<'a> {
    /// A meter for one question.
    pub fn new(generation: &'a Generation, question: &'a Question, evidence: &'a Evidence) -> Self {
        let file_of = |symbol: u32| generation.symbols[symbol as usize].file;
        let mut named: Vec<(u32, Named)> = Vec::new();
        for (number, identifier) in question.identifiers.iter().enumerate() {
            let symbols = generation.symbols_named(&identifier.text);
            named.extend(symbols.map(|symbol| (file_of(symbol), Named::Identifier(number, symbol))));
        }
        for (number, run) in question.runs.iter().enumerate() {
            let symbols = generation.symbols_named(&run.joined);
            named.extend(symbols.map(|symbol| (file_of(symbol), Named::Run(number, symbol))));
        }
        named.sort_by_key(|&(file, _)| file);
        Self {
            generation,
            question,
            evidence,
            named,
            identifier_letters: question.identifiers.iter().map(|identifier| letters(&identifier.text)).collect(),
            folders: RefCell::default(),
            path_idf: RefCell::default(),
            passages: PassageMeter::new(generation, question, evidence),
            best_file: largest(evidence.file_words.iter().copied()),
            best_file_doc: largest(evidence.file_doc.iter().copied()),
            idf_sum: evidence.idf.iter().sum(),
            undefined: {
                let defined = |name: &str| generation.symbols_named(name).next().is_some();
                let names = &question.identifiers;
                !names.is_empty() && !names.iter().any(|i| defined(&i.text))
            },
            foreign: {
                let identifier = |at: &usize| question.identifiers[*at].text.as_str();
                let is_foreign = |at: &usize| {
                    let is_meant = |s| is_meant(generation, s, identifier(at));
                    !generation.symbols_named(identifier(at)).any(is_meant)
                };
                (0..question.identifiers.len()).filter(is_foreign).collect()
            },
        }
    }

    /// The signals of a file; `literal` says whether the question stands in it as it is.
    pub fn measure(&self, number: u32, literal: bool) -> Values {
        let file = &self.generation.files[number as usize];
        let mut values = Values([0.0; COUNT]);
        self.words(number, file, &mut values);
        self.path(file, &mut values);
        self.definitions(number, file, &mut values);
        self.priors(file, &mut values);
        values.set(Signal::Literal, f32::from(u8::from(literal)));
        values
    }

    fn words(&self, number: u32, file: &File, values: &mut Values) {
        let evidence = self.evidence;
        let (of_file, best) = (&evidence.of_files[number as usize], &evidence.best);
        values.set(Signal::Words, share(of_file.words.iter().sum(), 3.0 * best.words));
        values.set(Signal::Head, share(of_file.head.iter().sum(), 3.0 * best.head));
        values.set(Signal::Coverage, share(of_file.words[0], POSSIBLE * self.idf_sum));
        let times = if self.undefined { UNDEFINED } else { 1.0 };
        values.set(Signal::Whole, times * share(of_file.whole[0], best.whole));
        values.set(Signal::Doc, share(of_file.doc[0], best.doc));
        values.set(Signal::FileDoc, share(evidence.file_doc[number as usize], self.best_file_doc));
        values.set(Signal::FileWords, share(evidence.file_words[number as usize], self.best_file));
        values.set(Signal::Meaning, of_file.cosine_position[0]);
        let three = (file.chunks.1 - file.chunks.0).clamp(1, 3) as f32;
        let chunks = file.chunks.0 as usize..file.chunks.1 as usize;
        let cosines = best_three(evidence.cosine.get(chunks).unwrap_or_default().iter().copied());
        values.set(Signal::MeaningMean, cosines.iter().sum::<f32>() / three);
    }

    /// What the folder of a file comes to.
    fn folder(&self, file: &File) -> Folder {
        let neighbours = &self.generation.folders[file.folder as usize];
        let best = best_three(neighbours.iter().map(|&neighbour| self.evidence.file_words[neighbour as usize]));
        Folder {
            mean: best.iter().sum::<f32>() / neighbours.len().clamp(1, 3) as f32,
            is: self.longest_run(&file.folder_letters),
            begins: self.question.terms.iter().map(|term| self.begins_any(&file.folder_terms, term)).collect(),
        }
    }

    /// Whether one of these terms of the vocabulary begins like a term of the question.
    fn begins_any(&self, places: &[u32], term: &QueryTerm) -> bool {
        places.iter().any(|&place| begins_alike(self.generation.vocabulary.text(place), &term.text))
    }

    /// How many consecutive words of the question are these letters, times how surely they mean one thing.
    fn longest_run(&self, letters: &str) -> f32 {
        let equal = |run: &&Run| same_word(&run.joined, letters);
        largest(self.question.runs.iter().filter(equal).map(|run| run.count as f32 * self.telling(run)))
    }

    fn path(&self, file: &File, values: &mut Values) {
        let mut folders = self.folders.borrow_mut();
        let folder = folders.entry(file.folder).or_insert_with(|| self.folder(file));
        values.set(Signal::Folder, share(folder.mean, self.best_file));
        values.set(Signal::FolderIs, folder.is);
        values.set(Signal::StemIs, self.longest_run(&file.stem_letters));

        let (mut explained, mut all, mut left) = (0.0, 0.0, 0);
        for &term in &file.stem_terms {
            let weight = self.name_idf(term);
            all += weight;
            match self.evidence.vocabulary_ids.iter().position(|&id| id == Some(term)) {
                Some(at) => explained += weight * self.question.terms[at].head,
                None => left += 1,
            }
        }
        values.set(Signal::StemShare, explained / (all + COMMON));
        if file.content == Content::Code {
            values.set(Signal::NameLength, left.min(LONG_NAME) as f32);
        }

        let terms = self.question.terms.iter().zip(&folder.begins).zip(&self.evidence.idf);
        let begins =
            |&((term, &begins), _): &((&QueryTerm, &bool), &f32)| begins || self.begins_any(&file.stem_terms, term);
        let begun = terms.filter(begins).map(|(_, idf)| idf).sum();
        values.set(Signal::PathPrefix, share(begun, self.idf_sum));
    }

    /// How surely a run of words means one thing, by idf: between 0 and 1.
    fn telling(&self, run: &Run) -> f32 {
        let idf: f32 = run.terms.iter().map(|&term| self.evidence.idf[usize::from(term)]).sum();
        idf / (idf + COMMON)
    }

    fn name_idf(&self, term: u32) -> f32 {
        *self.path_idf.borrow_mut().entry(term).or_insert_with(|| {
            let vocabulary = &self.generation.vocabulary;
            let text = vocabulary.text(term);
            let frequency = self.generation.lexical.document_frequency(Part::Body, text).unwrap_or(0);
            idf(self.generation.chunks.len(), frequency.max(vocabulary.places(term).len() as u32))
        })
    }

    fn definitions(&self, number: u32, file: &File, values: &mut Values) {
        let first = self.named.partition_point(|&(of, _)| of < number);
        for &(_, named) in self.named[first..].iter().take_while(|&&(of, _)| of == number) {
            match named {
                Named::Identifier(identifier, symbol) => {
                    self.defines_identifier(&self.question.identifiers[identifier], symbol, values);
                }
                Named::Run(run, symbol) => {
                    let count = self.question.runs[run].count;
                    let kind = self.generation.symbols[symbol as usize].record.kind;
                    if kind.is_type() {
                        values.raise(Signal::DefinesPhrase, count as f32);
                    } else if kind.is_callable() && count > 1 {
                        values.raise(Signal::DefinesPhraseFunction, count as f32);
                    }
                }
            }
        }
        let exports = self.foreign.iter().any(|&at| file.exports.has(&self.question.identifiers[at].text));
        values.set(Signal::Exports, f32::from(u8::from(exports)));
        for (identifier, letters) in self.question.identifiers.iter().zip(&self.identifier_letters) {
            if file.stem_letters == *letters {
                let exact = crate::place::telling_stem(&file.path) == identifier.text;
                values.set(Signal::IdentifierIsStem, if exact { 2.0 } else { 1.0 });
            }
        }
        self.names(file, values);
    }

    fn defines_identifier(&self, identifier: &Identifier, symbol: u32, values: &mut Values) {
        let record = &self.generation.symbols[symbol as usize].record;
        let exact = self.generation.symbol_name(symbol) == identifier.text;
        let in_container = !identifier.container.is_empty()
            && record.parent.is_some_and(|p| {
                same_word(&self.generation.symbol_name(p).to_lowercase(), &identifier.container.to_lowercase())
            });
        let level = if record.parent.is_none() || in_container { 1.5 } else { 1.0 };
        let (signal, value) = match record.kind {
            kind if kind.is_type() => (Signal::DefinesTypeAnyCase, level),
            SymbolKind::Impl => (Signal::DefinesTypeAnyCase, 0.6),
            SymbolKind::Section => return,
            kind if kind.is_callable() => (Signal::DefinesFunction, if exact { level } else { 0.8 * level }),
            _ => (Signal::DefinesFunction, 0.7 * level),
        };
        values.raise(signal, value);
        if exact && signal == Signal::DefinesTypeAnyCase {
            values.raise(Signal::DefinesType, value);
        }
    }

    /// How well one name of the file covers the question.
    fn names(&self, file: &File, values: &mut Values) {
        let (mut cover, mut balance) = (0.0f32, 0.0f32);
        for symbol in file.symbols.0..file.symbols.1 {
            let Some(fit) = self.passages.name_fit(symbol) else { continue };
            balance = balance.max(fit.balance);
            let kind = self.generation.symbols[symbol as usize].record.kind;
            if kind.is_callable() || kind == SymbolKind::Variable {
                cover = cover.max(fit.cover);
            }
        }
        values.set(Signal::NameCover, cover);
        values.set(Signal::NameMatch, balance);
    }

    fn priors(&self, file: &File, values: &mut Values) {
        let mut set = |signal, holds: bool| values.set(signal, f32::from(u8::from(holds)));
        let has = |prior| file.priors.has(prior);
        set(Signal::MainLanguage, self.generation.is_main_language(file));
        set(Signal::Test, has(Prior::Test) && !self.question.asks_tests);
        set(Signal::Example, has(Prior::Example));
        set(Signal::Bench, has(Prior::Bench));
        set(Signal::Compat, has(Prior::Compat));
        set(Signal::Script, has(Prior::Script));
        set(Signal::Generated, has(Prior::Generated));
        set(Signal::Vendored, has(Prior::Vendored));
        set(Signal::DocsFolder, has(Prior::DocsFolder) && file.content != Content::Docs);
        set(Signal::Declarations, has(Prior::Declarations));
        set(Signal::Types, has(Prior::Types));
        set(Signal::Index, has(Prior::Index));
        set(Signal::Bodiless, has(Prior::Bodiless));
        set(Signal::Header, file.standing.header);
        set(Signal::Platform, file.standing.platform && !self.question.asks_platform);
        set(Signal::IsDocs, file.content == Content::Docs);
        set(Signal::IsConfig, file.content == Content::Config);
        let asked = self.question.kinds;
        let flag = |holds: bool| f32::from(u8::from(holds));
        values.set(Signal::AskedKind, flag(asked.common(file.kinds).has_particular()));
        let docs = [Kind::License, Kind::Contributing, Kind::Changes, Kind::Readme, Kind::Manual];
        let config = [Kind::Integration, Kind::Container, Kind::Manifest, Kind::Style, Kind::Settings];
        let among = |kinds: &[Kind]| flag(kinds.iter().any(|&kind| asked.has(kind)));
        values.set(Signal::AskedDocs, flag(file.content == Content::Docs) * among(&docs));
        values.set(Signal::AskedConfig, flag(file.content == Content::Config) * among(&config));
        let length = self.question.length.min(LONG_QUESTION) as f32 / LONG_QUESTION as f32;
        let is = |form| flag(self.question.form == form);
        match file.content {
            Content::Docs => {
                values.set(Signal::DocsHow, is(Form::How));
                values.set(Signal::DocsFact, is(Form::Fact));
                values.set(Signal::DocsLength, length);
            }
            Content::Config => {
                values.set(Signal::ConfigHow, is(Form::How));
                values.set(Signal::ConfigFact, is(Form::Fact));
                values.set(Signal::ConfigLength, length);
            }
            Content::Code => {}
        }
        // What is there many times, one file each, is what nothing builds on: formatters, adapters, examples.
        values.set(Signal::Importance, if self.question.asks_many { 0.0 } else { file.standing.importance });
        values.set(Signal::Depth, f32::from(file.standing.depth));
        values.set(Signal::Copied, file.standing.copied);
        values.set(Signal::MainPackage, file.standing.package);
    }
}

/// Whether an identifier may mean a symbol with its letters: spelt as a type, `FromRequest` does not mean a method `from_request`.
fn is_meant(generation: &Generation, symbol: u32, identifier: &str) -> bool {
    let kind = generation.symbols[symbol as usize].record.kind;
    let has = |of: fn(char) -> bool| identifier.contains(of);
    let is_for_type = identifier.starts_with(char::is_uppercase) && has(char::is_lowercase);
    kind != SymbolKind::Section && (!is_for_type || kind.is_type() || generation.symbol_name(symbol) == identifier)
}

/// Equal, or equal but for a plural `s`.
fn same_word(a: &str, b: &str) -> bool {
    !a.is_empty() && (a == b || a.strip_suffix('s') == Some(b) || b.strip_suffix('s') == Some(a))
}

/// One is the beginning of the other from three letters on, or the first five letters are equal.
fn begins_alike(a: &str, b: &str) -> bool {
    let (short, long) = if a.len() <= b.len() { (a, b) } else { (b, a) };
    (short.len() >= 3 && long.starts_with(short))
        || (a.len() >= 5 && b.len() >= 5 && a.as_bytes()[..5] == b.as_bytes()[..5])
        || a == b
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_alike() {
        assert!(same_word("tokens", "token") && same_word("token", "tokens") && !same_word("", "s"));
        assert!(
            begins_alike("config", "configur")
                && begins_alike("connection", "connector")
                && !begins_alike("to", "token")
        );
    }

    #[test]
    fn every_signal_has_its_weights() {
        assert_eq!(WEIGHTS.len(), COUNT);
        for &signal in Signal::ALL {
            let (natural, symbol, message) = WEIGHTS[signal as usize];
            let free = ["prior.", "docs.", "config."];
            let may_be_negative = free.iter().any(|family| signal.name().starts_with(family));
            assert!(
                may_be_negative || [natural, symbol, message].into_iter().all(|weight| weight >= 0.0),
                "{} is evidence for a file",
                signal.name()
            );
        }
    }
}
