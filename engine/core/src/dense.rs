//! Vectors of chunks: capsules made with the tree's own idf, as int8 rows, and the nearest ones to a question.
//!
//! A capsule is not the vector of a chunk's text alone but of what a reader would say of it: its words, its names, its
//! documentation, its signature and where it stands. Each is the sum of table rows times the tree's idf, normalised, so
//! that a long body does not drown a name.

use tantivy::directory::OwnedBytes;

use crate::analysis::{Bag, ChunkRecord};
use crate::table::Table;

/// Weights of a capsule's parts. From the laboratory; dense retrieval rose from 0.71 (mean of the text) to 0.81 with
/// these and the tree's idf.
const NAMES: f32 = 0.6;
const DOC: f32 = 0.6;
const SIGNATURE: f32 = 0.5;
const PATH: f32 = 1.2;
/// Share of the folders in the path's part, against 1 for the file's stem.
const FOLDERS: f32 = 0.5;
/// A piece that the tree does not know weighs this share of the largest idf there is.
const UNKNOWN: f32 = 0.8;

/// Steps of a piece's idf, in nats. A whole step is less than the difference between a word of every tenth file and one of
/// every eighth; and with steps, a file that changes moves the idf of few pieces, so that few vectors are made anew.
const IDF_STEP: f32 = 0.25;

/// Collects the pieces of chunks; [`DenseBuilder::finish`] makes vectors of them.
pub struct DenseBuilder {
    pieces: PiecesBuilder,
    frequency: Vec<u32>,
    chunks: u32,
}

impl DenseBuilder {
    /// An empty one for a table of `pieces` rows.
    pub fn new(pieces: usize) -> Self {
        Self { pieces: PiecesBuilder::default(), frequency: vec![0; pieces], chunks: 0 }
    }

    /// The chunks added from here on stand in a file of this path.
    pub fn file(&mut self, stem: &[u16], folders: &[u16]) {
        for part in [stem, folders] {
            part.iter().for_each(|piece| self.pieces.paths.extend_from_slice(&piece.to_le_bytes()));
            self.pieces.path_ends.push(self.pieces.paths.len() as u32 / 2);
        }
    }

    /// Adds the next chunk.
    pub fn add(&mut self, chunk: &ChunkRecord) {
        for &(piece, _) in &chunk.body_pieces {
            if let Some(frequency) = self.frequency.get_mut(piece as usize) {
                *frequency += 1;
            }
        }
        let known = self.frequency.len() as u32;
        for bag in bags_of(chunk) {
            for &(piece, count) in bag.iter().filter(|&&(piece, _)| piece < known) {
                self.pieces.pieces.extend_from_slice(&(piece as u16).to_le_bytes());
                self.pieces.counts.push(count.min(255) as u8);
            }
            self.pieces.ends.push(self.pieces.counts.len() as u32);
        }
        self.chunks += 1;
    }

    /// Makes the vectors; `files` says for each file which are its chunks.
    pub fn finish(self, table: &dyn Table, files: &[(u32, u32)]) -> Dense {
        let dimensions = table.dimensions();
        let mut rows = Vec::with_capacity(self.chunks as usize * dimensions);
        let mut scales = Vec::with_capacity(self.chunks as usize);
        let pieces = self.pieces.finish();
        let weights = Weights::new(self.frequency, self.chunks);
        let mut maker = Maker::new(table);
        for (file, &(first, end)) in files.iter().enumerate() {
            maker.path(&weights, &pieces, file as u32);
            for chunk in first..end {
                scales.push(maker.capsule(&weights, &pieces, chunk, &mut rows));
            }
        }
        let rows = OwnedBytes::new(bytemuck::allocation::cast_vec::<i8, u8>(rows));
        Dense { dimensions, rows, newer: Vec::new(), places: Vec::new(), scales, weights, pieces: Some(pieces) }
    }
}

fn bags_of(chunk: &ChunkRecord) -> [&Bag; BAGS] {
    [&chunk.body_pieces, &chunk.name_pieces, &chunk.signature_pieces, &chunk.doc_pieces]
}

/// Body, names, signature, doc.
const BAGS: usize = 4;
/// What each bag counts in a capsule.
const BAG_WEIGHTS: [f32; BAGS] = [1.0, NAMES, SIGNATURE, DOC];

/// The pieces of all chunks and paths: what vectors are made of, not needed to answer a question. Columns of numbers with
/// the low byte first, so that they can be used where they lie.
#[derive(Clone)]
pub struct Pieces {
    /// Bag after bag, two bytes each.
    pieces: OwnedBytes,
    /// How often each occurs, one byte each.
    counts: OwnedBytes,
    /// End of each bag, four a chunk.
    ends: OwnedBytes,
    /// Pieces of the paths: of each file those of its stem, then those of its folders.
    paths: OwnedBytes,
    /// End of each, two a file.
    path_ends: OwnedBytes,
}

#[derive(Default)]
struct PiecesBuilder {
    pieces: Vec<u8>,
    counts: Vec<u8>,
    ends: Vec<u32>,
    paths: Vec<u8>,
    path_ends: Vec<u32>,
}

impl PiecesBuilder {
    fn finish(self) -> Pieces {
        let bytes = |numbers: &[u32]| OwnedBytes::new(bytemuck::cast_slice::<u32, u8>(numbers).to_vec());
        Pieces {
            pieces: OwnedBytes::new(self.pieces),
            counts: OwnedBytes::new(self.counts),
            ends: bytes(&self.ends),
            paths: OwnedBytes::new(self.paths),
            path_ends: bytes(&self.path_ends),
        }
    }
}

fn u16_at(column: &[u8], at: usize) -> u16 {
    u16::from_le_bytes([column[2 * at], column[2 * at + 1]])
}

fn u32_at(column: &[u8], at: usize) -> u32 {
    let at = 4 * at;
    u32::from_le_bytes([column[at], column[at + 1], column[at + 2], column[at + 3]])
}

/// The range of the `at`th of some lists whose ends are these.
fn range_at(ends: &[u8], at: usize) -> std::ops::Range<usize> {
    let start = if at == 0 { 0 } else { u32_at(ends, at - 1) };
    start as usize..u32_at(ends, at) as usize
}

impl Pieces {
    /// The columns.
    pub fn columns(&self) -> [&OwnedBytes; 5] {
        [&self.pieces, &self.counts, &self.ends, &self.paths, &self.path_ends]
    }

    /// Pieces of these columns, for so many chunks and files; `None` if they do not fit each other and a table of `known`
    /// pieces.
    pub fn of_columns(columns: [OwnedBytes; 5], chunks: usize, files: usize, known: usize) -> Option<Self> {
        let [pieces, counts, ends, paths, path_ends] = columns;
        let sound = |ends: &[u8], lists: usize, total: usize| {
            let rising = |at: usize| at == 0 || u32_at(ends, at - 1) <= u32_at(ends, at);
            ends.len() == lists * 4
                && (0..lists).all(rising)
                && (if lists == 0 { 0 } else { u32_at(ends, lists - 1) as usize }) == total
        };
        let all_known = |column: &[u8]| column.chunks_exact(2).all(|p| usize::from(u16_at(p, 0)) < known);
        let fits = pieces.len() == counts.len() * 2
            && paths.len().is_multiple_of(2)
            && sound(&ends, chunks * BAGS, counts.len())
            && sound(&path_ends, files * 2, paths.len() / 2)
            && all_known(&pieces);
        fits.then_some(Self { pieces, counts, ends, paths, path_ends })
    }

    fn bag(&self, chunk: u32, bag: usize) -> impl Iterator<Item = (u16, u8)> {
        let range = range_at(&self.ends, chunk as usize * BAGS + bag);
        range.map(|at| (u16_at(&self.pieces, at), self.counts[at]))
    }

    fn path(&self, file: u32, folders: bool) -> impl Iterator<Item = u16> {
        range_at(&self.path_ends, file as usize * 2 + usize::from(folders)).map(|at| u16_at(&self.paths, at))
    }

    /// Whether the path of a file holds one of some pieces.
    fn path_has(&self, file: u32, some: &[bool]) -> bool {
        let has = |piece: u16| some.get(usize::from(piece)).copied().unwrap_or(false);
        self.path(file, false).chain(self.path(file, true)).any(has)
    }

    /// Whether a chunk holds one of some pieces.
    fn chunk_has(&self, chunk: u32, some: &[bool]) -> bool {
        let first = range_at(&self.ends, chunk as usize * BAGS).start;
        let end = range_at(&self.ends, chunk as usize * BAGS + BAGS - 1).end;
        self.pieces[2 * first..2 * end].chunks_exact(2).any(|p| some[usize::from(u16_at(p, 0))])
    }

    /// Pieces that stand in the body of a chunk: what counts for their frequency.
    fn body(&self, chunk: u32) -> impl Iterator<Item = u16> {
        self.bag(chunk, 0).map(|(piece, _)| piece)
    }
}

/// What pieces weigh in a tree.
#[derive(Clone)]
struct Weights {
    /// In how many chunks each piece occurs.
    frequency: Vec<u32>,
    idf: Vec<f32>,
}

impl Weights {
    fn new(frequency: Vec<u32>, chunks: u32) -> Self {
        let n = chunks as f32;
        let stepped = |idf: f32| libm::roundf(idf / IDF_STEP) * IDF_STEP;
        let unknown = stepped(UNKNOWN * libm::logf(1.0 + n));
        let idf = |&df: &u32| if df == 0 { unknown } else { stepped(libm::logf(1.0 + n / (1.0 + df as f32))) };
        Self { idf: frequency.iter().map(idf).collect(), frequency }
    }

    fn add(&self, table: &dyn Table, sum: &mut [f32], pieces: impl Iterator<Item = (u16, f32)>) {
        for (piece, weight) in pieces {
            // A piece that no table has adds nothing.
            let idf = self.idf.get(usize::from(piece)).copied().unwrap_or(0.0);
            table.add_row(sum, piece, weight * idf);
        }
    }
}

/// Makes capsules, one after the other, in memory that it keeps.
struct Maker<'t> {
    table: &'t dyn Table,
    /// 1 + ln tf, looked up: bodies hold a million pieces.
    damped: Vec<f32>,
    path: Vec<f32>,
    part: Vec<f32>,
    capsule: Vec<f32>,
}

impl<'t> Maker<'t> {
    fn new(table: &'t dyn Table) -> Self {
        let dimensions = table.dimensions();
        let damped = (0..256).map(|tf| 1.0 + libm::logf((tf as f32).max(1.0))).collect();
        let empty = || vec![0.0; dimensions];
        Self { table, damped, path: empty(), part: empty(), capsule: empty() }
    }

    /// The capsules made from here on are of this file.
    fn path(&mut self, weights: &Weights, pieces: &Pieces, file: u32) {
        self.path.fill(0.0);
        weights.add(self.table, &mut self.path, pieces.path(file, false).map(|p| (p, 1.0)));
        weights.add(self.table, &mut self.path, pieces.path(file, true).map(|p| (p, FOLDERS)));
        self.table.normalize(&mut self.path);
    }

    /// Appends the row of a chunk, and gives its scale.
    fn capsule(&mut self, weights: &Weights, pieces: &Pieces, chunk: u32, rows: &mut Vec<i8>) -> f32 {
        let Self { table, damped, path, part, capsule } = self;
        capsule.iter_mut().zip(&*path).for_each(|(c, p)| *c = PATH * p);
        for (bag, weight) in BAG_WEIGHTS.into_iter().enumerate() {
            let mut counted = pieces.bag(chunk, bag).peekable();
            if counted.peek().is_none() {
                continue;
            }
            part.fill(0.0);
            let count = |n: u8| if bag == 0 { damped[usize::from(n)] } else { f32::from(n) };
            weights.add(*table, part, counted.map(|(piece, n)| (piece, count(n))));
            table.normalize(part);
            capsule.iter_mut().zip(&*part).for_each(|(c, p)| *c += weight * p);
        }
        table.normalize(capsule);
        table.quantize(capsule, rows)
    }
}

/// One vector a chunk.
pub struct Dense {
    dimensions: usize,
    /// Row after row, `dimensions` values each.
    rows: OwnedBytes,
    /// Rows that were made since, likewise.
    newer: Vec<i8>,
    /// Where the row of each chunk lies: first those in `rows`, then those in `newer`. Empty while they lie in order.
    places: Vec<u32>,
    /// What a row's values are multiplied with.
    scales: Vec<f32>,
    weights: Weights,
    /// What they were made of; none in a generation that was restored.
    pieces: Option<Pieces>,
}

/// Where the vectors and pieces of an updated tree come from.
pub enum Origin {
    /// The file of this number in the tree as it was.
    Kept(u32),
    /// The file of this number among those that were added.
    Added(u32),
}

/// A question's vector.
pub struct QueryVector {
    row: Vec<i8>,
    scale: f32,
}

impl Dense {
    /// The row of each chunk, in their order.
    fn rows(&self) -> impl Iterator<Item = &[i8]> {
        let rows = bytemuck::cast_slice::<u8, i8>(&self.rows);
        let size = self.dimensions;
        let before = (rows.len() / size.max(1)) as u32;
        let at = move |place: u32| match place.checked_sub(before) {
            None => &rows[place as usize * size..(place as usize + 1) * size],
            Some(place) => &self.newer[place as usize * size..(place as usize + 1) * size],
        };
        (0..self.scales.len() as u32).map(move |chunk| match self.places.get(chunk as usize) {
            None => at(chunk),
            Some(&place) => at(place),
        })
    }

    /// Rows, scales and the frequency of each piece, of vectors that were not updated.
    pub fn parts(&self) -> (&[u8], &[f32], &[u32]) {
        (&self.rows, &self.scales, &self.weights.frequency)
    }

    /// What the vectors were made of, unless they were restored.
    pub fn pieces(&self) -> Option<&Pieces> {
        self.pieces.as_ref()
    }

    /// The vectors of these parts; `None` if they do not fit each other and a table.
    pub fn of_parts(rows: OwnedBytes, scales: Vec<f32>, frequency: Vec<u32>, table: &dyn Table) -> Option<Self> {
        let dimensions = table.dimensions();
        let fits = rows.len() == scales.len() * dimensions && frequency.len() == table.len();
        fits.then(|| {
            let weights = Weights::new(frequency, scales.len() as u32);
            Self { dimensions, rows, newer: Vec::new(), places: Vec::new(), scales, weights, pieces: None }
        })
    }

    /// The vectors of a tree in which some files were replaced: `files` says where each comes from. `kept` are the chunks of
    /// each file as it was, `pieces` what they were made of; `added` is everything of the new files. A vector is made anew
    /// where a piece in it weighs otherwise than before, and comes out as if the tree had never been another.
    pub fn updated(
        &self,
        table: &dyn Table,
        pieces: &Pieces,
        kept: &[(u32, u32)],
        added: DenseBuilder,
        added_files: &[(u32, u32)],
        files: &[Origin],
    ) -> Self {
        let added_pieces = added.pieces.finish();
        let mut frequency = self.weights.frequency.clone();
        let mut is_kept = vec![false; kept.len()];
        files.iter().for_each(|origin| {
            if let Origin::Kept(file) = origin {
                is_kept[*file as usize] = true;
            }
        });
        for (&(first, end), _) in kept.iter().zip(&is_kept).filter(|(_, is_kept)| !**is_kept) {
            for piece in (first..end).flat_map(|chunk| pieces.body(chunk)) {
                let slot = &mut frequency[usize::from(piece)];
                *slot = slot.saturating_sub(1);
            }
        }
        frequency.iter_mut().zip(&added.frequency).for_each(|(all, more)| *all += more);
        let range = |origin: &Origin| match *origin {
            Origin::Kept(file) => kept[file as usize],
            Origin::Added(file) => added_files[file as usize],
        };
        let chunks = files.iter().map(|origin| range(origin).1 - range(origin).0).sum();
        let weights = Weights::new(frequency, chunks);
        let moved: Vec<bool> = weights.idf.iter().zip(&self.weights.idf).map(|(new, old)| new != old).collect();

        let before = self.scales.len() as u32;
        let mut newer: Vec<i8> = Vec::new();
        let mut places = Vec::with_capacity(chunks as usize);
        let mut scales = Vec::with_capacity(chunks as usize);
        let mut maker = Maker::new(table);
        for origin in files {
            let (first, end) = range(origin);
            let (of, file, path_moved) = match *origin {
                Origin::Kept(file) => (pieces, file, pieces.path_has(file, &moved)),
                Origin::Added(file) => (&added_pieces, file, true),
            };
            let mut path_made = false;
            for chunk in first..end {
                if !path_moved && !pieces.chunk_has(chunk, &moved) {
                    places.push(chunk);
                    scales.push(self.scales[chunk as usize]);
                    continue;
                }
                if !path_made {
                    maker.path(&weights, of, file);
                    path_made = true;
                }
                places.push(before + (newer.len() / self.dimensions.max(1)) as u32);
                scales.push(maker.capsule(&weights, of, chunk, &mut newer));
            }
        }
        let rows = self.rows.clone();
        Self { dimensions: self.dimensions, rows, newer, places, scales, weights, pieces: None }
    }

    /// The vector of a question: pieces with the weights of the words they stand in. `None` if it has no piece.
    pub fn query(&self, table: &dyn Table, pieces: impl Iterator<Item = (u16, f32)>) -> Option<QueryVector> {
        let mut vector = vec![0.0; self.dimensions];
        self.weights.add(table, &mut vector, pieces);
        table.normalize(&mut vector).then(|| {
            let mut row = Vec::with_capacity(self.dimensions);
            let scale = table.quantize(&vector, &mut row);
            QueryVector { row, scale }
        })
    }

    /// Cosine of a question and each chunk, chunk after chunk.
    pub fn cosines(&self, table: &dyn Table, query: &QueryVector) -> Vec<f32> {
        self.rows()
            .zip(&self.scales)
            .map(|(row, scale)| table.dot(row, &query.row) as f32 * scale * query.scale)
            .collect()
    }

    /// Cosine of two vectors.
    pub fn likeness(&self, table: &dyn Table, a: &QueryVector, b: &QueryVector) -> f32 {
        table.dot(&a.row, &b.row) as f32 * a.scale * b.scale
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Four pieces, each its own axis.
    struct Axes;

    impl Table for Axes {
        fn pieces(&self, word: &str, out: &mut Vec<u16>) {
            out.extend(word.bytes().map(|b| u16::from(b - b'a')));
        }
        fn add_row(&self, sum: &mut [f32], piece: u16, weight: f32) {
            sum[usize::from(piece)] += weight;
        }
        fn normalize(&self, vector: &mut [f32]) -> bool {
            let length = vector.iter().map(|v| v * v).sum::<f32>().sqrt();
            vector.iter_mut().for_each(|v| *v /= length.max(f32::MIN_POSITIVE));
            length > 0.0
        }
        fn quantize(&self, vector: &[f32], out: &mut Vec<i8>) -> f32 {
            out.extend(vector.iter().map(|v| (v * 100.0) as i8));
            0.01
        }
        fn dot(&self, a: &[i8], b: &[i8]) -> i32 {
            a.iter().zip(b).map(|(&a, &b)| i32::from(a) * i32::from(b)).sum()
        }
        fn dimensions(&self) -> usize {
            4
        }
        fn len(&self) -> usize {
            4
        }
    }

    #[test]
    fn nearest_is_the_one_with_the_word() {
        let mut builder = DenseBuilder::new(4);
        builder.file(&[3], &[]);
        builder.add(&ChunkRecord { body_pieces: vec![(0, 2), (1, 1)], ..ChunkRecord::default() });
        builder.add(&ChunkRecord { body_pieces: vec![(2, 1)], name_pieces: vec![(2, 1)], ..ChunkRecord::default() });
        let dense = builder.finish(&Axes, &[(0, 2)]);
        let query = dense.query(&Axes, [(2, 1.0)].into_iter()).expect("a piece");
        let cosines = dense.cosines(&Axes, &query);
        assert!(cosines[1] > 0.7 && cosines[0].abs() < 0.01, "{cosines:?}");
        assert!(dense.query(&Axes, std::iter::empty()).is_none());
    }
}
