//! A generation as bytes, and back: what makes a second question cost a copy instead of a commit.
//!
//! ```text
//! magic, format | table of sections: length each | sections, each at a multiple of 8
//! ```
//!
//! Vectors, texts and tantivy's files lie in the form they are used in, and are copied or only pointed to. Chunks and symbols
//! are columns of small differences, which are read in one pass and have few bytes; what is left is postcard. A snapshot
//! answers as the generation it was made of, and never otherwise: [`restore`] refuses what it cannot read to its end, and
//! checks every number that points somewhere.

use seekwell_types::{Degraded, Lossy};
use serde::{Deserialize, Serialize};
use tantivy::directory::OwnedBytes;

use crate::analysis::{Numbers, SymbolRecord};
use crate::columns::{Packer, Unpacker};
use crate::copies::Copies;
use crate::dense::{Dense, pack_pieces};
use crate::error::Error;
use crate::generation::{self, CHUNK_HASH_BYTES, Chunk, File, Generation, Parts, Symbol, Vocabulary};
use crate::importance;
use crate::lexical::{Lexical, LexicalParts, Part};
use crate::symbols::SymbolKind;
use crate::table::{PackedRows, Table};
use crate::texts::Texts;

/// Changes whenever a snapshot of the same generation could come out differently.
pub const SNAPSHOT_FORMAT: u32 = 5;

const MAGIC: [u8; 8] = *b"seekwell";
/// Sections begin at multiples of this, so that numbers in them are where processors like them.
const ALIGNMENT: usize = 8;

/// Everything of a generation that is not in a section of its own.
#[derive(Serialize, Deserialize)]
struct Structure {
    files: Vec<File>,
    vocabulary: Vocabulary,
    lossy: Vec<(String, String)>,
    degraded: Vec<(String, String)>,
    /// Names of tantivy's files, in the order of their sections.
    lexical: Vec<String>,
    has_vectors: bool,
    /// How many parts of the rest are about names and edges; those about vectors come after them.
    lead_parts: u32,
}

/// The bytes of a generation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Snapshot {
    /// What questions are answered from: for [`restore`].
    pub searchable: Vec<u8>,
    /// What else [`crate::update::Update`] needs, in parts of which it reads few.
    pub rest: Vec<Vec<u8>>,
}

/// The bytes of a generation. `None` if files were added or removed since it was committed: such a generation is made of
/// its last snapshot and the analyses of what changed.
pub fn snapshot(generation: &Generation) -> Result<Option<Snapshot>, Error> {
    // Only a generation that was made of its analyses knows what each file uses.
    let Some(lexical) = generation.lexical.parts()?.filter(|_| generation.has_graph()) else { return Ok(None) };
    let made_of = match generation.dense.as_ref().map(Dense::made_of) {
        None => None,
        Some(Some(made_of)) => Some(made_of),
        Some(None) => return Ok(None),
    };
    let leads = generation::leads(&generation.files, &generation.symbols, &generation.names);
    let mut rest = importance::pack_leads(&leads, &generation::used_names(&generation.files));
    let structure = Structure {
        lead_parts: rest.len() as u32,
        files: generation.files.clone(),
        vocabulary: generation.vocabulary.clone(),
        lossy: generation.lossy.iter().map(|l| (l.path.clone(), l.encoding.clone())).collect(),
        degraded: generation.degraded.iter().map(|d| (d.path.clone(), d.reason.clone())).collect(),
        lexical: lexical.files.iter().map(|(name, _)| name.clone()).collect(),
        has_vectors: generation.dense.is_some(),
    };
    let mut sections = Sections::default();
    sections.add(&postcard::to_allocvec(&structure).map_err(|e| Error::Index(e.to_string()))?);
    let (text, lengths) = strings(generation);
    sections.add(text.as_bytes());
    sections.add(&lengths);
    let exports = importance::pack_uses(generation.files.iter().map(|file| &file.exports));
    exports.iter().for_each(|part| sections.add(part));
    sections.add(&pack_chunks(generation));
    let bytes = |hash: &u64| *hash.to_le_bytes().first_chunk::<CHUNK_HASH_BYTES>().expect("of 8");
    sections.add(generation.copies.hashes().iter().map(bytes).collect::<Vec<_>>().as_flattened());
    sections.add(&generation.copies.packed());
    sections.add(&pack_symbols(generation));
    let hashes: Vec<u32> = generation.names.iter().map(|&(hash, _)| hash).collect();
    let symbols: Vec<u32> = generation.names.iter().map(|&(_, symbol)| symbol).collect();
    sections.add(bytemuck::cast_slice(&hashes));
    sections.add(bytemuck::cast_slice(&symbols));
    for lengths in &lexical.lengths {
        let mut column = Packer::default();
        column.numbers(lengths.iter().copied());
        sections.add(&column.bytes);
    }
    if let Some(dense) = &generation.dense {
        let (rows, frequency) = dense.parts();
        sections.add(rows.high);
        sections.add(rows.low);
        sections.add(bytemuck::cast_slice(frequency));
        let mut squares = Packer::default();
        squares.steps(made_of.iter().flat_map(|made_of| &made_of.squares).map(|&square| square as u32));
        sections.add(&squares.bytes);
    }
    for (_, bytes) in &lexical.files {
        sections.add(bytes);
    }
    let chunks: Vec<(u32, u32)> = generation.files.iter().map(|file| file.chunks).collect();
    if let Some(made_of) = made_of {
        let known = generation.dense.as_ref().map_or(0, |dense| dense.parts().1.len());
        rest.extend(pack_pieces(&made_of.pieces, &chunks, known));
    }
    Ok(Some(Snapshot { searchable: sections.finish(), rest }))
}

/// The strings that symbols and chunks refer to, file after file, and the length of each: name, signature and documentation
/// of each symbol, then the title of each chunk. Names of what is called are not among them.
fn strings(generation: &Generation) -> (String, Vec<u8>) {
    let (mut text, mut lengths) = (String::new(), Packer::default());
    for file in &generation.files {
        let symbols = &generation.symbols[file.symbols.0 as usize..file.symbols.1 as usize];
        let chunks = &generation.chunks[file.chunks.0 as usize..file.chunks.1 as usize];
        let of_symbols = symbols.iter().flat_map(|s| [s.record.name, s.record.signature, s.record.doc]);
        for number in of_symbols.chain(chunks.iter().map(|chunk| chunk.title)) {
            let string = file.strings.get(number);
            text.push_str(string);
            lengths.number(string.len() as u32);
        }
    }
    (text, lengths.bytes)
}

/// How many strings a symbol has in [`strings`].
const STRINGS_OF_SYMBOL: u32 = 3;

/// Gives each file its strings.
fn distribute(files: &mut [File], text: &OwnedBytes, lengths: &[u8]) -> Option<()> {
    let mut lengths = Unpacker::new(lengths);
    let mut ends: Vec<u32> = Vec::new();
    let mut places = Vec::with_capacity(files.len());
    for file in files.iter() {
        let count = (file.symbols.1 - file.symbols.0).checked_mul(STRINGS_OF_SYMBOL)? + (file.chunks.1 - file.chunks.0);
        let (first, mut end) = (ends.len(), 0u32);
        for _ in 0..count {
            end = end.checked_add(lengths.number()?)?;
            ends.push(end);
        }
        places.push((first, end));
    }
    lengths.is_done().then_some(())?;
    let ends = OwnedBytes::new(bytemuck::cast_slice::<u32, u8>(&ends).to_vec());
    let mut at = 0usize;
    for (number, &(first, length)) in places.iter().enumerate() {
        let last = places.get(number + 1).map_or(ends.len() / 4, |&(next, _)| next);
        let end = at.checked_add(length as usize).filter(|&end| end <= text.len())?;
        files[number].strings = Texts::new(text.slice(at..end), ends.slice(first * 4..last * 4));
        at = end;
    }
    (at == text.len()).then_some(())
}

/// A number that may be none, of those from `first` on.
fn optional(number: Option<u32>, first: u32) -> u32 {
    number.map_or(0, |number| number - first + 1)
}

fn pack_chunks(generation: &Generation) -> Vec<u8> {
    let mut columns = [(); 5].map(|()| Packer::default());
    let [spans, lines, symbols, counts, defines] = &mut columns;
    for file in &generation.files {
        let (mut end, mut line, mut symbol, mut define) = (0, 0, 0, file.symbols.0);
        for chunk in &generation.chunks[file.chunks.0 as usize..file.chunks.1 as usize] {
            spans.near(chunk.span.0, end);
            spans.number(chunk.span.1 - chunk.span.0);
            lines.near(chunk.lines.0, line + 1);
            lines.near(chunk.lines.1, chunk.lines.0);
            let of_file = optional(chunk.symbol, file.symbols.0);
            symbols.near(of_file, symbol);
            counts.number(chunk.defines.len() as u32);
            for &defined in &chunk.defines {
                defines.near(defined, define);
                define = defined + 1;
            }
            (end, line, symbol) = (chunk.span.1, chunk.lines.1, of_file);
        }
    }
    columns.map(|column| column.bytes).concat_with_lengths()
}

/// Columns one after the other behind the lengths of all.
trait ConcatWithLengths {
    fn concat_with_lengths(self) -> Vec<u8>;
}

impl<const N: usize> ConcatWithLengths for [Vec<u8>; N] {
    fn concat_with_lengths(self) -> Vec<u8> {
        let mut out = Packer::default();
        out.numbers(self.iter().map(|column| column.len() as u32));
        self.iter().for_each(|column| out.bytes.extend_from_slice(column));
        out.bytes
    }
}

/// The columns in these bytes.
fn columns<const N: usize>(bytes: &[u8]) -> Option<[Unpacker<'_>; N]> {
    let mut from = Unpacker::new(bytes);
    let lengths = from.numbers(N)?;
    let columns: Vec<_> =
        lengths.into_iter().map(|l| Some(Unpacker::new(from.bytes(l as usize)?))).collect::<Option<_>>()?;
    columns.try_into().ok().filter(|_| from.is_done())
}

fn unpack_chunks(bytes: &[u8], files: &mut [File]) -> Option<Vec<Chunk>> {
    let mut columns: [Unpacker<'_>; 5] = columns(bytes)?;
    let [spans, lines, symbols, counts, defines] = &mut columns;
    let total = files.last().map_or(0, |file| file.chunks.1) as usize;
    let mut out = with_room(total);
    for (number, file) in (0..).zip(files) {
        let (mut end, mut line, mut symbol, mut define) = (0u32, 0u32, 0u32, file.symbols.0);
        let first_title = (file.symbols.1 - file.symbols.0) * STRINGS_OF_SYMBOL;
        for at in file.chunks.0..file.chunks.1 {
            let start = spans.near(end)?;
            let length = spans.number()?;
            end = start.checked_add(length)?;
            file.chunk_bytes = file.chunk_bytes.wrapping_add(length);
            let first_line = lines.near(line.wrapping_add(1))?;
            line = lines.near(first_line)?;
            symbol = symbols.near(symbol)?;
            let count = counts.number()?;
            let mut defined = Numbers::with_capacity(count.min(file.symbols.1 - file.symbols.0) as usize);
            for _ in 0..count {
                let symbol = defines.near(define)?;
                defined.push(symbol);
                define = symbol.wrapping_add(1);
            }
            out.push(Chunk {
                file: number,
                span: (start, end),
                lines: (first_line, line),
                symbol: symbol.checked_sub(1).map(|symbol| symbol.wrapping_add(file.symbols.0)),
                defines: defined,
                title: first_title + (at - file.chunks.0),
            });
        }
    }
    columns.iter().all(Unpacker::is_done).then_some(out)
}

fn pack_symbols(generation: &Generation) -> Vec<u8> {
    let mut columns = [(); 9].map(|()| Packer::default());
    let [kinds, counts, terms, extents, lines, names, name_lines, name_columns, parents] = &mut columns;
    for file in &generation.files {
        let (mut start, mut line) = (0, 0);
        for number in file.symbols.0..file.symbols.1 {
            let record = &generation.symbols[number as usize].record;
            kinds.number(record.kind as u32 * 2 + u32::from(record.test));
            counts.number(record.name_terms.len() as u32);
            terms.numbers(record.name_terms.iter().copied());
            extents.near(record.extent.0, start);
            extents.number(record.extent.1 - record.extent.0);
            lines.near(record.lines.0, line);
            lines.near(record.lines.1, record.lines.0);
            names.near(record.name_span.0, record.extent.0);
            names.near(record.name_span.1 - record.name_span.0, file.strings.length(record.name) as u32);
            name_lines.near(record.name_line, record.lines.0);
            name_columns.number(record.name_column);
            // Parents are of the same file and come before.
            parents.number(record.parent.map_or(0, |parent| number - parent));
            (start, line) = (record.extent.0, record.lines.0);
        }
    }
    columns.map(|column| column.bytes).concat_with_lengths()
}

fn unpack_symbols(bytes: &[u8], files: &[File]) -> Option<Vec<Symbol>> {
    let mut columns: [Unpacker<'_>; 9] = columns(bytes)?;
    let [kinds, counts, terms, extents, lines, names, name_lines, name_columns, parents] = &mut columns;
    let mut out = with_room(files.last().map_or(0, |file| file.symbols.1) as usize);
    for (of, file) in (0..).zip(files) {
        let (mut start, mut line) = (0, 0);
        for number in file.symbols.0..file.symbols.1 {
            let kind = kinds.number()?;
            let mut name_terms = Numbers::new();
            for _ in 0..counts.number()? {
                name_terms.push(terms.number()?);
            }
            start = extents.near(start)?;
            let end = start.checked_add(extents.number()?)?;
            line = lines.near(line)?;
            let last_line = lines.near(line)?;
            let name = (number - file.symbols.0) * STRINGS_OF_SYMBOL;
            let name_start = names.near(start)?;
            let name_length = names.near(file.strings.length(name) as u32)?;
            let record = SymbolRecord {
                kind: *SymbolKind::ALL.get(kind as usize / 2)?,
                name,
                name_terms,
                // Only who uses whom is found by it, and that is not in a snapshot.
                on: None,
                signature: name + 1,
                doc: name + 2,
                extent: (start, end),
                lines: (line, last_line),
                name_span: (name_start, name_start.checked_add(name_length)?),
                name_line: name_lines.near(line)?,
                name_column: name_columns.number()?,
                parent: match parents.number()? {
                    0 => None,
                    up => Some(number.checked_sub(up)?),
                },
                test: kind % 2 == 1,
            };
            out.push(Symbol { file: of, record });
        }
    }
    columns.iter().all(Unpacker::is_done).then_some(out)
}

/// The generation of a snapshot. Without a table there are no vectors, even if the snapshot has them.
pub fn restore(bytes: Vec<u8>, table: Option<&dyn Table>) -> Result<Generation, Error> {
    let (parts, lexical, lead_parts) = parts(OwnedBytes::new(bytes), table).ok_or(Error::Snapshot)?;
    let mut generation = Generation::assemble(parts, lexical);
    generation.lead_parts = lead_parts;
    Ok(generation)
}

fn parts(bytes: OwnedBytes, table: Option<&dyn Table>) -> Option<(Parts, Lexical, u32)> {
    let mut sections = read_sections(&bytes)?.into_iter();
    let mut next = || sections.next();
    let mut structure: Structure = postcard::from_bytes(&next()?).ok()?;
    follow_each_other(&structure.files)?;
    let (text, lengths) = (next()?, next()?);
    distribute(&mut structure.files, &text, &lengths)?;
    let exports = importance::unpack_uses([&next()?, &next()?], structure.files.len())?;
    structure.files.iter_mut().zip(exports).for_each(|(file, exports)| file.exports = exports);
    let chunks = unpack_chunks(&next()?, &mut structure.files)?;
    let mut hashes = with_room(chunks.len());
    let packed = next()?;
    let (known, rest) = packed.as_chunks::<CHUNK_HASH_BYTES>();
    hashes.extend(known.iter().map(|&[a, b, c, d, e]| u64::from_le_bytes([a, b, c, d, e, 0, 0, 0])));
    (hashes.len() == chunks.len() && rest.is_empty()).then_some(())?;
    let copies = Copies::of_parts(hashes, &next()?)?;
    let symbols = unpack_symbols(&next()?, &structure.files)?;
    let hashes: Vec<u32> = numbers(&next()?)?;
    let by_name: Vec<u32> = numbers(&next()?)?;
    let mut lengths: [Vec<u32>; Part::ALL.len()] = Default::default();
    for lengths in &mut lengths {
        let column = next()?;
        let mut column = Unpacker::new(&column);
        *lengths = with_room(chunks.len());
        for _ in 0..chunks.len() {
            lengths.push(column.number()?);
        }
        column.is_done().then_some(())?;
    }
    let mut dense = None;
    if structure.has_vectors {
        let (rows, frequency) = (PackedRows { high: next()?, low: next()? }, next()?);
        let squares = next()?;
        if let Some(table) = table {
            let mut packed = Unpacker::new(&squares);
            let squares = packed.steps(chunks.len()).filter(|_| packed.is_done())?;
            dense = Some(Dense::of_parts(rows, bytemuck::cast_slice(&squares), numbers(&frequency)?, table)?);
        }
    }
    let files = structure.lexical.iter().map(|name| Some((name.clone(), next()?))).collect::<Option<Vec<_>>>()?;
    let mut names = with_room(hashes.len());
    names.extend(hashes.into_iter().zip(by_name));
    let sound = is_sound(&structure, &chunks, &symbols, &names, dense.as_ref());
    let lexical = Lexical::of_parts(LexicalParts { files, lengths }).ok().filter(|_| sound)?;
    let Structure { files, vocabulary, lossy, degraded, lead_parts, .. } = structure;
    let parts = Parts {
        files,
        chunks,
        copies,
        symbols,
        dense,
        vocabulary,
        names,
        lossy: lossy.into_iter().map(|(path, encoding)| Lossy { path, encoding }).collect(),
        degraded: degraded.into_iter().map(|(path, reason)| Degraded { path, reason }).collect(),
    };
    Some((parts, lexical, lead_parts))
}

/// An empty list with room for this many items and those that an update adds: without, it would move all to other memory.
fn with_room<T>(items: usize) -> Vec<T> {
    Vec::with_capacity(items + items / 64 + 64)
}

/// Whether chunks and symbols lie file after file, with nothing between.
fn follow_each_other(files: &[File]) -> Option<()> {
    let (mut chunks, mut symbols) = (0, 0);
    for file in files {
        let follows = |(start, end): (u32, u32), before: u32| start == before && end >= start;
        (follows(file.chunks, chunks) && follows(file.symbols, symbols)).then_some(())?;
        (chunks, symbols) = (file.chunks.1, file.symbols.1);
    }
    Some(())
}

/// Whether all numbers point to something: a damaged snapshot must not bring the engine down.
fn is_sound(
    structure: &Structure,
    chunks: &[Chunk],
    symbols: &[Symbol],
    names: &[(u32, u32)],
    dense: Option<&Dense>,
) -> bool {
    let Structure { files, vocabulary, .. } = structure;
    let (file_count, symbol_count) = (files.len() as u32, symbols.len() as u32);
    let terms = vocabulary.len() as u32;
    names.len() == symbols.len()
        && names.iter().all(|&(_, symbol)| symbol < symbol_count)
        && dense.is_none_or(|dense| dense.chunk_count() == chunks.len())
        && vocabulary.is_sound(files.len())
        && files.iter().all(|f| f.folder < file_count && f.stem_terms.iter().chain(&f.folder_terms).all(|&t| t < terms))
        && chunks
            .iter()
            .all(|c| c.symbol.is_none_or(|s| s < symbol_count) && c.defines.iter().all(|&s| s < symbol_count))
        && symbols.iter().all(|s| s.record.name_terms.iter().all(|&t| t < terms))
}

#[derive(Default)]
struct Sections {
    lengths: Vec<u64>,
    bytes: Vec<u8>,
}

impl Sections {
    fn add(&mut self, bytes: &[u8]) {
        self.lengths.push(bytes.len() as u64);
        self.bytes.extend_from_slice(bytes);
        self.bytes.resize(self.bytes.len().next_multiple_of(ALIGNMENT), 0);
    }

    fn finish(self) -> Vec<u8> {
        let mut out = Vec::with_capacity(self.bytes.len() + 16 + self.lengths.len() * 8);
        out.extend_from_slice(&MAGIC);
        out.extend_from_slice(&SNAPSHOT_FORMAT.to_le_bytes());
        out.extend_from_slice(&(self.lengths.len() as u32).to_le_bytes());
        self.lengths.iter().for_each(|length| out.extend_from_slice(&length.to_le_bytes()));
        out.extend_from_slice(&self.bytes);
        out
    }
}

fn read_sections(bytes: &OwnedBytes) -> Option<Vec<OwnedBytes>> {
    let rest = bytes.strip_prefix(&MAGIC)?.strip_prefix(&SNAPSHOT_FORMAT.to_le_bytes())?;
    let (count, mut table) = rest.split_first_chunk::<4>()?;
    let count = u32::from_le_bytes(*count) as usize;
    let mut at = 16usize.checked_add(count.checked_mul(8)?)?;
    let mut sections = Vec::new();
    for _ in 0..count {
        let (length, rest) = table.split_first_chunk::<8>()?;
        table = rest;
        let end = at.checked_add(usize::try_from(u64::from_le_bytes(*length)).ok()?)?;
        if end > bytes.len() {
            return None;
        }
        sections.push(bytes.slice(at..end));
        at = end.next_multiple_of(ALIGNMENT);
    }
    // Shorter or longer than it says: not what was written.
    (at == bytes.len()).then_some(sections)
}

/// Numbers as they lie in a section, wherever it lies in memory. Every machine that runs the engine has the low byte first.
fn numbers<T: bytemuck::AnyBitPattern + bytemuck::NoUninit>(bytes: &[u8]) -> Option<Vec<T>> {
    (bytes.len().is_multiple_of(size_of::<T>())).then(|| bytemuck::pod_collect_to_vec(bytes))
}
