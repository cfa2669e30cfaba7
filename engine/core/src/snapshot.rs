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

use crate::dense::Dense;
use crate::error::Error;
use crate::generation::{Chunk, File, Generation, Parts, Symbol, Vocabulary};
use crate::lexical::{Lexical, LexicalParts, Part};
use crate::table::Table;

/// Changes whenever a snapshot of the same generation could come out differently.
pub const SNAPSHOT_FORMAT: u32 = 1;

const MAGIC: [u8; 8] = *b"seekwell";
/// Sections begin at multiples of this, so that numbers in them are where processors like them.
const ALIGNMENT: usize = 8;

/// Everything of a generation that is not in a section of its own.
#[derive(Serialize, Deserialize)]
struct Structure {
    id: String,
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

/// The bytes of a generation. `None` if files were added or removed since it was committed: such a generation is made of
/// its last snapshot and the analyses of what changed.
pub fn snapshot(generation: &Generation) -> Result<Option<Vec<u8>>, Error> {
    let Some(lexical) = generation.lexical.parts()? else { return Ok(None) };
    let structure = Structure {
        id: generation.id.clone(),
        files: generation.files.clone(),
        chunks: generation.chunks.clone(),
        symbols: generation.symbols.clone(),
        vocabulary: generation.vocabulary.clone(),
        lossy: generation.lossy.iter().map(|l| (l.path.clone(), l.encoding.clone())).collect(),
        degraded: generation.degraded.iter().map(|d| (d.path.clone(), d.reason.clone())).collect(),
        lexical: lexical.files.iter().map(|(name, _)| name.clone()).collect(),
        has_vectors: generation.dense.is_some(),
    };
    let mut sections = Sections::default();
    sections.add(&postcard::to_allocvec(&structure).map_err(|e| Error::Index(e.to_string()))?);
    let hashes: Vec<u64> = generation.names.iter().map(|&(hash, _)| hash).collect();
    let symbols: Vec<u32> = generation.names.iter().map(|&(_, symbol)| symbol).collect();
    sections.add(bytemuck::cast_slice(&hashes));
    sections.add(bytemuck::cast_slice(&symbols));
    for lengths in &lexical.lengths {
        sections.add(bytemuck::cast_slice(lengths));
    }
    if let Some(dense) = &generation.dense {
        let (rows, scales, frequency) = dense.parts();
        sections.add(bytemuck::cast_slice(rows));
        sections.add(bytemuck::cast_slice(scales));
        sections.add(bytemuck::cast_slice(frequency));
    }
    for (_, bytes) in &lexical.files {
        sections.add(bytes);
    }
    Ok(Some(sections.finish()))
}

/// The generation of a snapshot. Without a table there are no vectors, even if the snapshot has them.
pub fn restore(bytes: Vec<u8>, table: Option<&dyn Table>) -> Result<Generation, Error> {
    parts(OwnedBytes::new(bytes), table).map(Generation::assemble).ok_or(Error::Snapshot)
}

fn parts(bytes: OwnedBytes, table: Option<&dyn Table>) -> Option<Parts> {
    let mut sections = read_sections(&bytes)?.into_iter();
    let mut next = || sections.next();
    let structure: Structure = postcard::from_bytes(&next()?).ok()?;
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
            let rows: &[i8] = bytemuck::cast_slice(&rows);
            dense = Some(Dense::of_parts(rows.to_vec(), numbers(&scales)?, numbers(&frequency)?, table)?);
        }
    }
    let files = structure.lexical.iter().map(|name| Some((name.clone(), next()?))).collect::<Option<Vec<_>>>()?;
    let names: Vec<(u64, u32)> = hashes.into_iter().zip(symbols).collect();
    let sound = is_sound(&structure, &names, &lengths, dense.as_ref());
    let lexical = Lexical::of_parts(LexicalParts { files, lengths }).ok().filter(|_| sound)?;
    let Structure { id, files, chunks, symbols, vocabulary, lossy, degraded, .. } = structure;
    Some(Parts {
        id,
        files,
        chunks,
        symbols,
        lexical,
        dense,
        vocabulary,
        names,
        lossy: lossy.into_iter().map(|(path, encoding)| Lossy { path, encoding }).collect(),
        degraded: degraded.into_iter().map(|(path, reason)| Degraded { path, reason }).collect(),
    })
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
