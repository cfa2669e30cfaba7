//! A generation as bytes, and back: what makes a second question cost a copy instead of a commit.
//!
//! ```text
//! magic, format | table of sections: length each | sections, each at a multiple of 8
//! ```
//!
//! Vectors, lengths, names and tantivy's files lie in the form they are used in, and are copied or only pointed to; the
//! rest, which has a hundredth of the bytes, is postcard. A snapshot answers as the generation it was made of, and never
//! otherwise: [`restore`] refuses what it cannot read to its end, and checks every number that points somewhere.

use seekwell_types::{Degraded, Lossy};
use serde::{Deserialize, Serialize};
use tantivy::directory::OwnedBytes;

use crate::dense::{Dense, Pieces};
use crate::error::Error;
use crate::generation::{Chunk, File, Generation, Parts, Symbol, Vocabulary};
use crate::lexical::{Lexical, LexicalParts, Part};
use crate::table::Table;
use crate::texts::Texts;

/// Changes whenever a snapshot of the same generation could come out differently.
pub const SNAPSHOT_FORMAT: u32 = 1;

const MAGIC: [u8; 8] = *b"seekwell";
/// Sections begin at multiples of this, so that numbers in them are where processors like them.
const ALIGNMENT: usize = 8;

/// Everything of a generation that is not in a section of its own.
#[derive(Serialize, Deserialize)]
struct Structure {
    files: Vec<File>,
    chunks: Vec<Chunk>,
    symbols: Vec<Symbol>,
    vocabulary: Vocabulary,
    lossy: Vec<(String, String)>,
    degraded: Vec<(String, String)>,
    /// Names of tantivy's files, in the order of their sections.
    lexical: Vec<String>,
    has_vectors: bool,
}

/// The bytes of a generation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Snapshot {
    /// What questions are answered from: for [`restore`].
    pub searchable: Vec<u8>,
    /// What else [`crate::update::update`] needs.
    pub rest: Vec<u8>,
}

/// The bytes of a generation. `None` if files were added or removed since it was committed: such a generation is made of
/// its last snapshot and the analyses of what changed.
pub fn snapshot(generation: &Generation) -> Result<Option<Snapshot>, Error> {
    let Some(lexical) = generation.lexical.parts()? else { return Ok(None) };
    let rest = match generation.dense.as_ref().map(Dense::pieces) {
        None => None,
        Some(Some(pieces)) => Some(pieces),
        Some(None) => return Ok(None),
    };
    let Compacted { chunks, symbols, text, ends, counts } = compacted(generation);
    let structure = Structure {
        files: generation.files.clone(),
        chunks,
        symbols,
        vocabulary: generation.vocabulary.clone(),
        lossy: generation.lossy.iter().map(|l| (l.path.clone(), l.encoding.clone())).collect(),
        degraded: generation.degraded.iter().map(|d| (d.path.clone(), d.reason.clone())).collect(),
        lexical: lexical.files.iter().map(|(name, _)| name.clone()).collect(),
        has_vectors: generation.dense.is_some(),
    };
    let mut sections = Sections::default();
    sections.add(&postcard::to_allocvec(&structure).map_err(|e| Error::Index(e.to_string()))?);
    sections.add(text.as_bytes());
    sections.add(bytemuck::cast_slice(&ends));
    sections.add(bytemuck::cast_slice(&counts));
    let hashes: Vec<u64> = generation.names.iter().map(|&(hash, _)| hash).collect();
    let symbols: Vec<u32> = generation.names.iter().map(|&(_, symbol)| symbol).collect();
    sections.add(bytemuck::cast_slice(&hashes));
    sections.add(bytemuck::cast_slice(&symbols));
    for lengths in &lexical.lengths {
        sections.add(bytemuck::cast_slice(lengths));
    }
    if let Some(dense) = &generation.dense {
        let (rows, scales, frequency) = dense.parts();
        sections.add(rows);
        sections.add(bytemuck::cast_slice(scales));
        sections.add(bytemuck::cast_slice(frequency));
    }
    for (_, bytes) in &lexical.files {
        sections.add(bytes);
    }
    let mut others = Sections::default();
    rest.into_iter().flat_map(Pieces::columns).for_each(|column| others.add(column));
    Ok(Some(Snapshot { searchable: sections.finish(), rest: others.finish() }))
}

/// The strings that symbols and chunks refer to, file after file; names of what is called are not among them.
struct Compacted {
    chunks: Vec<Chunk>,
    symbols: Vec<Symbol>,
    text: String,
    /// End of each string in its file's text.
    ends: Vec<u32>,
    /// How many strings each file has.
    counts: Vec<u32>,
}

fn compacted(generation: &Generation) -> Compacted {
    let (chunks, symbols) = (generation.chunks.clone(), generation.symbols.clone());
    let mut out = Compacted { chunks, symbols, text: String::new(), ends: Vec::new(), counts: Vec::new() };
    for file in &generation.files {
        let start = out.text.len();
        let mut count = 0;
        let mut move_string = |number: &mut u32| {
            out.text.push_str(file.strings.get(*number));
            out.ends.push((out.text.len() - start) as u32);
            *number = count;
            count += 1;
        };
        for symbol in &mut out.symbols[file.symbols.0 as usize..file.symbols.1 as usize] {
            let record = &mut symbol.record;
            [&mut record.name, &mut record.signature, &mut record.doc].into_iter().for_each(&mut move_string);
        }
        for chunk in &mut out.chunks[file.chunks.0 as usize..file.chunks.1 as usize] {
            move_string(&mut chunk.title);
        }
        out.counts.push(count);
    }
    out
}

/// Gives each file its strings.
fn distribute(files: &mut [File], text: &OwnedBytes, ends: &OwnedBytes, counts: &[u32]) -> Option<()> {
    let (mut text_at, mut ends_at) = (0usize, 0usize);
    (files.len() == counts.len()).then_some(())?;
    for (file, &count) in files.iter_mut().zip(counts) {
        let ends_end = ends_at.checked_add(count as usize * 4).filter(|&end| end <= ends.len())?;
        let own_ends = ends.slice(ends_at..ends_end);
        let length = own_ends.last_chunk::<4>().map_or(0, |end| u32::from_le_bytes(*end) as usize);
        let text_end = text_at.checked_add(length).filter(|&end| end <= text.len())?;
        file.strings = Texts::new(text.slice(text_at..text_end), own_ends);
        (text_at, ends_at) = (text_end, ends_end);
    }
    Some(())
}

/// What an update needs of the tree as it was, besides the generation: the pieces that its vectors were made of. `None` if
/// these are not bytes of [`snapshot`], or of another tree.
pub fn read_rest(bytes: Vec<u8>, generation: &Generation, table: &dyn Table) -> Option<Pieces> {
    let columns = read_sections(&OwnedBytes::new(bytes))?;
    let columns = <[OwnedBytes; 5]>::try_from(columns).ok()?;
    Pieces::of_columns(columns, generation.chunks.len(), generation.files.len(), table.len())
}

/// The generation of a snapshot. Without a table there are no vectors, even if the snapshot has them.
pub fn restore(bytes: Vec<u8>, table: Option<&dyn Table>) -> Result<Generation, Error> {
    let (parts, lexical) = parts(OwnedBytes::new(bytes), table).ok_or(Error::Snapshot)?;
    Ok(Generation::assemble(parts, lexical))
}

fn parts(bytes: OwnedBytes, table: Option<&dyn Table>) -> Option<(Parts, Lexical)> {
    let mut sections = read_sections(&bytes)?.into_iter();
    let mut next = || sections.next();
    let mut structure: Structure = postcard::from_bytes(&next()?).ok()?;
    let (text, ends) = (next()?, next()?);
    distribute(&mut structure.files, &text, &ends, &numbers::<u32>(&next()?)?)?;
    let hashes: Vec<u64> = numbers(&next()?)?;
    let symbols: Vec<u32> = numbers(&next()?)?;
    let mut lengths: [Vec<u32>; Part::ALL.len()] = Default::default();
    for lengths in &mut lengths {
        *lengths = numbers(&next()?)?;
    }
    let mut dense = None;
    if structure.has_vectors {
        let (rows, scales, frequency) = (next()?, next()?, next()?);
        if let Some(table) = table {
            dense = Some(Dense::of_parts(rows, numbers(&scales)?, numbers(&frequency)?, table)?);
        }
    }
    let files = structure.lexical.iter().map(|name| Some((name.clone(), next()?))).collect::<Option<Vec<_>>>()?;
    let names: Vec<(u64, u32)> = hashes.into_iter().zip(symbols).collect();
    let sound = is_sound(&structure, &names, &lengths, dense.as_ref());
    let lexical = Lexical::of_parts(LexicalParts { files, lengths }).ok().filter(|_| sound)?;
    let Structure { files, chunks, symbols, vocabulary, lossy, degraded, .. } = structure;
    let parts = Parts {
        files,
        chunks,
        symbols,
        dense,
        vocabulary,
        names,
        lossy: lossy.into_iter().map(|(path, encoding)| Lossy { path, encoding }).collect(),
        degraded: degraded.into_iter().map(|(path, reason)| Degraded { path, reason }).collect(),
    };
    Some((parts, lexical))
}

/// Whether all numbers point to something: a damaged snapshot must not bring the engine down.
fn is_sound(
    structure: &Structure,
    names: &[(u64, u32)],
    lengths: &[Vec<u32>; Part::ALL.len()],
    dense: Option<&Dense>,
) -> bool {
    let Structure { files, chunks, symbols, vocabulary, .. } = structure;
    let (file_count, chunk_count, symbol_count) = (files.len() as u32, chunks.len() as u32, symbols.len() as u32);
    let terms = vocabulary.len() as u32;
    let within = |range: (u32, u32), end| range.0 <= range.1 && range.1 <= end;
    names.len() == symbols.len()
        && names.iter().all(|&(_, symbol)| symbol < symbol_count)
        && lengths.iter().all(|lengths| lengths.len() == chunks.len())
        && dense.is_none_or(|dense| dense.parts().1.len() == chunks.len())
        && vocabulary.is_sound(files.len())
        && files.iter().all(|f| {
            within(f.chunks, chunk_count)
                && within(f.symbols, symbol_count)
                && f.folder < file_count
                && f.stem_terms.iter().chain(&f.folder_terms).all(|&t| t < terms)
        })
        && chunks.iter().all(|c| {
            c.file < file_count
                && c.span.0 <= c.span.1
                && c.symbol.is_none_or(|s| s < symbol_count)
                && c.defines.iter().all(|&s| s < symbol_count)
        })
        && symbols.iter().enumerate().all(|(number, s)| {
            s.file < file_count
                && s.record.parent.is_none_or(|p| (p as usize) < number)
                && s.record.name_terms.iter().all(|&t| t < terms)
        })
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
