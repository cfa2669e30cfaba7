//! What one file comes to, on its own: the blob that is stored under the file's content and shared by every tree.
//!
//! Nothing here depends on other files or on the path: document frequencies, importance and path evidence belong to a
//! generation. Terms and names are numbers into the file's own string table; spans are bytes on disk.

use seekwell_types::{ByteSpan, LineSpan};
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

use crate::symbols::{CallKind, SymbolKind};

/// Changes whenever an analysis of the same bytes could come out differently.
pub const FORMAT: u32 = 3;

/// The analysis of one file.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Analysis {
    /// [`FORMAT`] of the engine that made it.
    pub format: u32,
    /// blake3 of the bytes, first 16.
    pub content_hash: [u8; 16],
    /// Language id; `text` if none was recognised.
    pub language: String,
    /// Length on disk, in bytes.
    pub bytes: u32,
    /// Number of lines.
    pub lines: u32,
    /// The encoding's word if characters may be wrong, else empty.
    pub lossy: String,
    /// Why the structure was given up, else empty.
    pub degraded: String,
    /// Whether the head of the file says that a program wrote it, or its lines are a minifier's.
    pub generated: bool,
    /// Whether the table's pieces are in it; without them there is no semantic search.
    pub has_pieces: bool,
    /// Terms, in the order of their first use.
    pub terms: Strings,
    /// Names, signatures and doc lines.
    pub strings: Strings,
    /// Chunks, in order.
    pub chunks: Vec<ChunkRecord>,
    /// Symbols, in order; parents come before their children.
    pub symbols: Vec<SymbolRecord>,
    /// Uses of names, in order.
    pub calls: Vec<CallRecord>,
    /// Names whose type can be seen, in order.
    pub bindings: Vec<BindingRecord>,
}

/// A bag: each number once, with how often it occurs, in the order of first use.
pub type Bag = Vec<(u32, u32)>;

/// One chunk. Bags hold numbers of [`Analysis::terms`], piece bags numbers of table rows.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ChunkRecord {
    /// First byte and one past the last.
    pub span: (u32, u32),
    /// First and last line, one-based.
    pub lines: (u32, u32),
    /// The symbol it shows.
    pub symbol: Option<u32>,
    /// Symbols whose name stands in it.
    pub defines: Vec<u32>,
    /// blake3 of its text, first 8 bytes: equal text in two files is shown once.
    pub hash: u64,
    /// Terms of all its text.
    pub body: Bag,
    /// Terms of the names it defines and of their containers.
    pub names: Bag,
    /// Terms of their signatures.
    pub signature: Bag,
    /// Terms of their documentation.
    pub doc: Bag,
    /// Whole terms of its identifiers of several parts.
    pub whole: Bag,
    /// Pieces of all its text.
    pub body_pieces: Bag,
    /// Pieces of names and containers.
    pub name_pieces: Bag,
    /// Pieces of signatures.
    pub signature_pieces: Bag,
    /// Pieces of documentation.
    pub doc_pieces: Bag,
    /// One line for a reader when no symbol describes it: the first line with letters (number into `strings`).
    pub title: u32,
}

/// A list of numbers, of which most are so short that they take no memory of their own.
pub type Numbers = SmallVec<[u32; 4]>;

/// One symbol.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SymbolRecord {
    /// What it is.
    pub kind: SymbolKind,
    /// Its name (number into `strings`).
    pub name: u32,
    /// Terms of its name's parts.
    pub name_terms: Numbers,
    /// What its name is declared on, where that is not around it: `Client` in `func (c *Client) Get` (number into
    /// `strings`).
    pub on: Option<u32>,
    /// Its signature or heading on one line (number into `strings`).
    pub signature: u32,
    /// First sentence of its documentation (number into `strings`).
    pub doc: u32,
    /// Its bytes with comments and decorators.
    pub extent: (u32, u32),
    /// Lines of its extent, one-based.
    pub lines: (u32, u32),
    /// Where its name stands, in bytes.
    pub name_span: (u32, u32),
    /// Line of its name, one-based.
    pub name_line: u32,
    /// Column of its name, one-based, in bytes of the decoded line.
    pub name_column: u32,
    /// The symbol around it.
    pub parent: Option<u32>,
    /// Whether an attribute, annotation or decorator says that it is a test.
    pub test: bool,
}

/// One use of a name.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CallRecord {
    /// What is done with it.
    pub kind: CallKind,
    /// The name (number into `strings`).
    pub name: u32,
    /// What stands before it, or where it is imported from (number into `strings`; see [`crate::symbols::Call::on`]).
    pub on: Option<u32>,
    /// What an import is called here, if not by its name (number into `strings`).
    pub alias: Option<u32>,
    /// Where it stands, in bytes.
    pub start: u32,
    /// Its line, one-based.
    pub line: u32,
    /// Its column, one-based, in bytes of the decoded line.
    pub column: u32,
    /// The symbol it stands in.
    pub within: Option<u32>,
}

/// A name whose type can be seen.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BindingRecord {
    /// The name (number into `strings`).
    pub name: u32,
    /// The path of its type, or, after `=`, of its value (number into `strings`).
    pub of: u32,
    /// The symbol it stands in.
    pub within: Option<u32>,
}

impl ChunkRecord {
    /// The span.
    pub fn byte_span(&self) -> ByteSpan {
        ByteSpan::new(self.span.0, self.span.1)
    }

    /// The lines.
    pub fn line_span(&self) -> LineSpan {
        LineSpan { start: self.lines.0, end: self.lines.1 }
    }
}

/// Many short strings in one allocation.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Strings {
    text: String,
    ends: Vec<u32>,
}

impl Strings {
    /// Appends a string and returns its number.
    pub fn push(&mut self, text: &str) -> u32 {
        self.text.push_str(text);
        self.ends.push(self.text.len() as u32);
        self.ends.len() as u32 - 1
    }

    /// The string of this number; empty for a number that was never given.
    pub fn get(&self, number: u32) -> &str {
        let Some(&end) = self.ends.get(number as usize) else { return "" };
        let start = if number == 0 { 0 } else { self.ends[number as usize - 1] };
        self.text.get(start as usize..end as usize).unwrap_or("")
    }

    /// All the text, and the end of each string in it.
    pub fn into_parts(self) -> (String, Vec<u32>) {
        (self.text, self.ends)
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }
}

impl Analysis {
    /// The blob.
    pub fn to_bytes(&self) -> Vec<u8> {
        postcard::to_allocvec(self).expect("an analysis holds only serialisable values")
    }

    /// Reads a blob; `None` if it is not one of this engine's.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let analysis: Self = postcard::from_bytes(bytes).ok()?;
        (analysis.format == FORMAT && analysis.is_sound()).then_some(analysis)
    }

    /// Whether all numbers point to something: a blob from a damaged store must not bring the engine down.
    fn is_sound(&self) -> bool {
        let symbols = self.symbols.len() as u32;
        let terms = self.terms.len() as u32;
        let bag = |bag: &Bag| bag.iter().all(|&(term, _)| term < terms);
        let within = |s: Option<u32>| s.is_none_or(|s| s < symbols);
        self.chunks.iter().all(|c| {
            within(c.symbol)
                && c.defines.iter().all(|&s| s < symbols)
                && c.span.0 <= c.span.1
                && [&c.body, &c.names, &c.signature, &c.doc, &c.whole].into_iter().all(bag)
        }) && self
            .symbols
            .iter()
            .enumerate()
            .all(|(i, s)| s.parent.is_none_or(|p| (p as usize) < i) && s.name_terms.iter().all(|&t| t < terms))
            && self.calls.iter().all(|c| within(c.within))
            && self.bindings.iter().all(|b| within(b.within))
    }
}
