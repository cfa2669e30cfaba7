//! Text -> words -> terms: the identifier-aware tokenizer.
//!
//! A *word* is a maximal run of letters, digits and underscores. A word has *parts* (`HTTPServer2_start` has `http`,
//! `server`, `2`, `start`), and each part has a *term*: its English Snowball stem. A word of several parts also has a
//! *whole* term, its letters and digits in lower case without underscores, so that `retry_policy` and `RetryPolicy`
//! are one identifier that outranks its parts. Han, Kana and Hangul are taken in pairs of characters, since they put
//! no blanks between words.

use std::collections::HashMap;

use rust_stemmers::{Algorithm, Stemmer};
use rustc_hash::FxBuildHasher;
use seekwell_types::ByteSpan;

use crate::table::Table;

/// Longer runs are data (base64, hashes), not words; their neighbours stay searchable.
pub const LONGEST_WORD: usize = 100;

/// From this length on, a run with as many case and digit changes as random text has is taken for data.
const SUSPICIOUS_WORD: usize = 24;

/// The words of `text[span]`, as spans of the text. Each character is looked at once.
pub fn words(text: &str, span: ByteSpan) -> impl Iterator<Item = ByteSpan> {
    let bytes = &text.as_bytes()[..span.end as usize];
    let mut at = span.start as usize;
    // Length of the word character at an offset; 0 if there is none.
    let word_char = move |at: usize| match bytes.get(at).map(|&b| CLASS[b as usize]) {
        None | Some(OTHER) => 0,
        Some(WIDE) => text[at..span.end as usize].chars().next().filter(|&c| is_word_char(c)).map_or(0, char::len_utf8),
        Some(_) => 1,
    };
    std::iter::from_fn(move || {
        while at < bytes.len() && word_char(at) == 0 {
            at += 1;
            while at < bytes.len() && !text.is_char_boundary(at) {
                at += 1;
            }
        }
        let start = at;
        loop {
            match word_char(at) {
                0 => break,
                length => at += length,
            }
        }
        (at > start).then(|| ByteSpan::new(start as u32, at as u32))
    })
}

fn is_word_char(c: char) -> bool {
    c == '_' || c.is_alphanumeric() || is_combining(c)
}

/// Combining marks continue the letter before them.
fn is_combining(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36F}' | '\u{1AB0}'..='\u{1AFF}' | '\u{20D0}'..='\u{20FF}')
}

const OTHER: u8 = 0;
const LOWER: u8 = 1;
const UPPER: u8 = 2;
const DIGIT: u8 = 3;
const UNDERSCORE: u8 = 4;
const WIDE: u8 = 5;

const CLASS: [u8; 256] = {
    let mut table = [OTHER; 256];
    let mut b = 0;
    while b < 256 {
        table[b] = match b as u8 {
            b'a'..=b'z' => LOWER,
            b'A'..=b'Z' => UPPER,
            b'0'..=b'9' => DIGIT,
            b'_' => UNDERSCORE,
            128.. => WIDE,
            _ => OTHER,
        };
        b += 1;
    }
    table
};

/// Calls `part` with each part of the word, in order, in the case it is written in.
pub fn parts(word: &str, mut part: impl FnMut(&str)) {
    let class = |c: char| match c {
        '\0'..='\x7F' => CLASS[c as usize],
        _ if c.is_uppercase() => UPPER,
        _ if c.is_numeric() => DIGIT,
        _ => LOWER,
    };
    let mut start = 0;
    let mut before = UNDERSCORE;
    let mut chars = word.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let this = if is_combining(c) { before } else { class(c) };
        let next = chars.peek().map_or(UNDERSCORE, |&(_, c)| class(c));
        let splits = match (before, this) {
            (_, UNDERSCORE) | (UNDERSCORE, _) => true,
            (LOWER, UPPER) => true,
            // The last capital of an acronym begins the next part: HTTPServer is HTTP, Server.
            (UPPER, UPPER) => next == LOWER && !plural_acronym(&word[at..]),
            (DIGIT, LOWER | UPPER) | (LOWER | UPPER, DIGIT) => true,
            _ => false,
        };
        if splits {
            if start < at && before != UNDERSCORE {
                part(&word[start..at]);
            }
            start = at;
        }
        before = this;
    }
    if start < word.len() && before != UNDERSCORE {
        part(&word[start..]);
    }
}

/// Whether what follows is the end of a plural like `URLs` and not a new part.
fn plural_acronym(rest: &str) -> bool {
    let mut chars = rest.chars().skip(1);
    chars.next() == Some('s') && chars.next().is_none_or(|c| c == '_' || c.is_uppercase())
}

/// Whether a run of word characters is encoded data rather than a word.
pub fn is_data(word: &str) -> bool {
    if word.len() > LONGEST_WORD {
        return true;
    }
    if word.len() < SUSPICIOUS_WORD || word.contains('_') {
        return false;
    }
    let mut count = 0;
    parts(word, |_| count += 1);
    // Identifiers of this length have parts of five letters and more on average; random base64 has parts of under two.
    count * 3 > word.len()
}

/// Han, Kana and Hangul: scripts that are searched by pairs of characters.
fn is_cjk(c: char) -> bool {
    matches!(c, '\u{2E80}'..='\u{2FDF}' | '\u{3005}'..='\u{3007}' | '\u{3040}'..='\u{30FF}' | '\u{3400}'..='\u{4DBF}'
        | '\u{4E00}'..='\u{9FFF}' | '\u{AC00}'..='\u{D7AF}' | '\u{F900}'..='\u{FAFF}' | '\u{20000}'..='\u{3FFFF}')
}

/// Makes terms of words. Holds the stemmer, which is a table of functions.
pub struct Terms {
    stemmer: Stemmer,
}

impl Default for Terms {
    fn default() -> Self {
        Self { stemmer: Stemmer::create(Algorithm::English) }
    }
}

impl Terms {
    /// Calls `term` with the term of each part of the word; returns how many parts there were.
    pub fn of_word(&self, word: &str, mut term: impl FnMut(&str)) -> usize {
        let mut count = 0;
        let mut lower = String::new();
        parts(word, |part| {
            count += 1;
            lower.clear();
            fold(part, &mut lower);
            if lower.chars().any(is_cjk) {
                pairs(&lower, &mut term);
            } else if lower.len() > 2 && lower.bytes().all(|b| b.is_ascii_lowercase()) {
                term(&self.stemmer.stem(&lower));
            } else {
                term(&lower);
            }
        });
        count
    }
}

/// Lower case, and without the accents that Latin letters carry: `Über` and `uber` are one.
fn fold(part: &str, out: &mut String) {
    for c in part.chars() {
        match c {
            'a'..='z' | '0'..='9' => out.push(c),
            'A'..='Z' => out.push(c.to_ascii_lowercase()),
            _ if is_combining(c) => {}
            _ => c.to_lowercase().filter(|&c| !is_combining(c)).for_each(|c| out.push(without_accent(c))),
        }
    }
}

fn without_accent(c: char) -> char {
    match c {
        'à'..='å' | 'ā' | 'ă' | 'ą' => 'a',
        'ç' | 'ć' | 'č' => 'c',
        'ď' => 'd',
        'è'..='ë' | 'ē' | 'ę' | 'ě' => 'e',
        'ğ' => 'g',
        'ì'..='ï' | 'ī' | 'ı' => 'i',
        'ł' => 'l',
        'ñ' | 'ń' | 'ň' => 'n',
        'ò'..='ö' | 'ø' | 'ō' | 'ő' => 'o',
        'ř' => 'r',
        'ś' | 'ş' | 'š' => 's',
        'ť' => 't',
        'ù'..='ü' | 'ū' | 'ů' | 'ű' => 'u',
        'ý' | 'ÿ' => 'y',
        'ź' | 'ż' | 'ž' => 'z',
        _ => c,
    }
}

fn pairs(text: &str, term: &mut impl FnMut(&str)) {
    let ends: Vec<usize> = text.char_indices().map(|(at, c)| at + c.len_utf8()).collect();
    if ends.len() == 1 {
        return term(text);
    }
    let mut start = 0;
    for (i, &end) in ends.iter().enumerate().skip(1) {
        term(&text[start..end]);
        start = ends[i - 1];
    }
}

/// The whole of an identifier: its letters and digits in lower case.
pub fn whole(word: &str) -> String {
    let mut out = String::with_capacity(word.len());
    word.split('_').for_each(|piece| fold(piece, &mut out));
    out
}

/// Words in a question that say how it is asked, not what is asked for. Dropped from questions only.
pub const STOP_WORDS: [&str; 76] = [
    "a", "about", "all", "an", "and", "any", "are", "as", "at", "be", "been", "by", "can", "code", "could", "did",
    "do", "does", "each", "for", "from", "had", "has", "have", "how", "i", "if", "in", "into", "is", "it", "its", "me",
    "my", "of", "off", "on", "one", "or", "our", "out", "over", "s", "should", "so", "some", "such", "than", "that",
    "the", "their", "them", "then", "there", "these", "they", "this", "those", "to", "up", "was", "we", "were", "what",
    "when", "where", "which", "while", "who", "why", "will", "with", "within", "would", "you", "your",
];

/// Number of a word in a [`Memo`].
pub type WordId = u32;

/// What is known of one distinct word.
#[derive(Clone, Copy)]
struct Word {
    terms: (u32, u32),
    pieces: (u32, u32),
    whole: Option<u32>,
}

/// Remembers what each word comes to. A pure cache: results never depend on what was seen before.
///
/// Source text repeats its words, and an instance sees many files; so splitting, stemming and the
/// table's own tokenization are done once a distinct word.
#[derive(Default)]
pub struct Memo {
    terms: Terms,
    ids: HashMap<Box<str>, WordId, FxBuildHasher>,
    words: Vec<Word>,
    term_ids: HashMap<Box<str>, u32, FxBuildHasher>,
    term_texts: Vec<Box<str>>,
    flat_terms: Vec<u32>,
    flat_pieces: Vec<u16>,
}

/// A memo with more words than this is emptied before the next file: it bounds the memory of a long-lived instance.
const MEMO_WORDS: usize = 150_000;

impl Memo {
    /// Forgets everything if there is too much of it. To be called between files only: ids change.
    pub fn trim(&mut self) {
        if self.words.len() > MEMO_WORDS {
            *self = Self::default();
        }
    }

    /// The number of a word; `table` gives its pieces.
    pub fn intern(&mut self, word: &str, table: Option<&dyn Table>) -> WordId {
        if let Some(&id) = self.ids.get(word) {
            return id;
        }
        let id = self.words.len() as WordId;
        let first_term = self.flat_terms.len() as u32;
        let first_piece = self.flat_pieces.len() as u32;
        let mut whole_id = None;
        if !is_data(word) {
            let (flat, ids, texts) = (&mut self.flat_terms, &mut self.term_ids, &mut self.term_texts);
            let count = self.terms.of_word(word, |term| flat.push(intern_term(ids, texts, term)));
            if count > 1 {
                whole_id = Some(intern_term(ids, texts, &whole(word)));
            }
            if let Some(table) = table {
                table.pieces(word, &mut self.flat_pieces);
            }
        }
        self.words.push(Word {
            terms: (first_term, self.flat_terms.len() as u32),
            pieces: (first_piece, self.flat_pieces.len() as u32),
            whole: whole_id,
        });
        self.ids.insert(word.into(), id);
        id
    }

    /// The terms of a word's parts, by number.
    pub fn terms_of(&self, id: WordId) -> &[u32] {
        let (start, end) = self.words[id as usize].terms;
        &self.flat_terms[start as usize..end as usize]
    }

    /// The table's pieces of a word.
    pub fn pieces_of(&self, id: WordId) -> &[u16] {
        let (start, end) = self.words[id as usize].pieces;
        &self.flat_pieces[start as usize..end as usize]
    }

    /// The whole term of a word of several parts.
    pub fn whole_of(&self, id: WordId) -> Option<u32> {
        self.words[id as usize].whole
    }

    /// The text of a term.
    pub fn term_text(&self, term: u32) -> &str {
        &self.term_texts[term as usize]
    }
}

fn intern_term(ids: &mut HashMap<Box<str>, u32, FxBuildHasher>, texts: &mut Vec<Box<str>>, term: &str) -> u32 {
    if let Some(&id) = ids.get(term) {
        return id;
    }
    let id = texts.len() as u32;
    texts.push(term.into());
    ids.insert(term.into(), id);
    id
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(word: &str) -> Vec<String> {
        let mut out = Vec::new();
        parts(word, |p| out.push(p.to_owned()));
        out
    }

    fn found(text: &str) -> Vec<&str> {
        words(text, ByteSpan::new(0, text.len() as u32)).map(|s| &text[s.range()]).collect()
    }

    #[test]
    fn identifiers_split() {
        assert_eq!(split("HTTPSConnection"), ["HTTPS", "Connection"]);
        assert_eq!(split("parse2JSON"), ["parse", "2", "JSON"]);
        assert_eq!(split("utf8_to_utf16"), ["utf", "8", "to", "utf", "16"]);
        assert_eq!(split("iOSApp"), ["i", "OS", "App"]);
        assert_eq!(split("kMaxSize"), ["k", "Max", "Size"]);
        assert_eq!(split("__init__"), ["init"]);
        assert_eq!(split("URLs"), ["URLs"]);
        assert_eq!(split("with_retry"), ["with", "retry"]);
        assert_eq!(split("___"), Vec::<String>::new());
        assert_eq!(split("größeÄndern"), ["größe", "Ändern"]);
    }

    #[test]
    fn words_of_any_text() {
        assert_eq!(found("foo::bar(a-b, 'C++')"), ["foo", "bar", "a", "b", "C"]);
        assert_eq!(found("naïve—dash “quoted” x"), ["naïve", "dash", "quoted", "x"]);
        assert_eq!(found("—"), Vec::<&str>::new());
        assert_eq!(found("日本語 text"), ["日本語", "text"]);
    }

    #[test]
    fn terms_are_stems() {
        let mut out = Vec::new();
        Terms::default().of_word("RetryingConnections", |t| out.push(t.to_owned()));
        assert_eq!(out, ["retri", "connect"]);
        out.clear();
        Terms::default().of_word("検索語", |t| out.push(t.to_owned()));
        assert_eq!(out, ["検索", "索語"]);
        out.clear();
        Terms::default().of_word("Über", |t| out.push(t.to_owned()));
        assert_eq!(out, ["uber"]);
    }

    #[test]
    fn data_is_not_a_word() {
        assert!(is_data("aGVsbG8gd29ybGQhIFRoaXMgaXMgYmFzZTY0"));
        assert!(!is_data("testThatTheConnectionPoolIsClosedWhenTheClientIsDropped"));
        assert!(!is_data("AbstractSingletonProxyFactoryBean"));
    }

    #[test]
    fn whole_ignores_case_and_underscores() {
        assert_eq!(whole("retry_policy"), whole("RetryPolicy"));
    }
}
