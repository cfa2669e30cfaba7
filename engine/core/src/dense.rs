//! Vectors of chunks: capsules made with the tree's own idf, as packed rows, and the nearest ones to a question.
//!
//! A capsule is not the vector of a chunk's text alone but of what a reader would say of it: its words, its names, its
//! documentation, its signature and where it stands. Each is the sum of table rows times the tree's idf, normalised, so
//! that a long body does not drown a name.

use std::borrow::Cow;

use tantivy::directory::OwnedBytes;

use crate::analysis::{Bag, ChunkRecord};
use crate::bits::{BitPacker, BitUnpacker};
use crate::columns::{Packer, Unpacker};
use crate::table::{PackedRows, Table};

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

/// Pieces in fewer chunks than this are weighed once for all that are in as many.
const RARE: u32 = 256;

/// Collects the pieces of chunks; [`DenseBuilder::finish`] makes vectors of them.
pub struct DenseBuilder {
    pieces: Pieces,
    frequency: Vec<u32>,
    chunks: u32,
}

impl DenseBuilder {
    /// An empty one for a table of `pieces` rows.
    pub fn new(pieces: usize) -> Self {
        Self { pieces: Pieces::default(), frequency: vec![0; pieces], chunks: 0 }
    }

    /// The chunks added from here on stand in a file of this path.
    pub fn file(&mut self, stem: &[u16], folders: &[u16]) {
        for part in [stem, folders] {
            self.pieces.paths.extend_from_slice(part);
            self.pieces.path_ends.push(self.pieces.paths.len() as u32);
        }
    }

    /// Adds the next chunk.
    pub fn add(&mut self, chunk: &ChunkRecord) {
        // Pieces have 16 bits.
        let known = self.frequency.len().min(1 << 16) as u32;
        for (number, bag) in bags_of(chunk).into_iter().enumerate() {
            // What an analyst has made is in order, and nothing else stays what it is in the form that is kept.
            let in_order = bag.is_sorted_by(|(a, _), (b, _)| a < b);
            let ordered = if in_order { Cow::Borrowed(bag) } else { Cow::Owned(in_piece_order(bag)) };
            for &(piece, count) in ordered.iter().filter(|&&(piece, _)| piece < known) {
                self.pieces.pieces.push(piece as u16);
                self.pieces.counts.push(count.clamp(1, 255) as u8);
                if number == TEXT {
                    self.frequency[piece as usize] += 1;
                }
            }
            self.pieces.ends.push(self.pieces.counts.len() as u32);
        }
        self.chunks += 1;
    }

    /// Makes the vectors; `files` says for each file which are its chunks.
    pub fn finish(self, table: &dyn Table, files: &[(u32, u32)]) -> Dense {
        let (size, chunks) = (table.packed_bytes(), self.chunks as usize);
        let with_room = |bytes| Vec::with_capacity(chunks * bytes);
        let mut rows = PackedRows { high: with_room(size.high), low: with_room(size.low) };
        let pieces = self.pieces;
        let weights = Weights::new(self.frequency, self.chunks);
        let mut maker = Maker::new(table);
        for (file, &(first, end)) in files.iter().enumerate() {
            maker.path(&weights, &pieces, file as u32);
            (first..end).for_each(|chunk| maker.capsule(&weights, &pieces, chunk, &mut rows));
        }
        let rows = PackedRows { high: OwnedBytes::new(rows.high), low: OwnedBytes::new(rows.low) };
        Dense::new(rows, weights, Some(pieces), table)
    }
}

/// A bag in the order of its pieces, each once.
fn in_piece_order(bag: &Bag) -> Bag {
    let mut bag = bag.clone();
    bag.sort_by_key(|&(piece, _)| piece);
    bag.dedup_by_key(|&mut (piece, _)| piece);
    bag
}

fn bags_of(chunk: &ChunkRecord) -> [&Bag; BAGS] {
    [&chunk.body_pieces, &chunk.name_pieces, &chunk.signature_pieces, &chunk.doc_pieces]
}

/// Body, names, signature, doc.
const BAGS: usize = 4;
/// The body's number: all text of a chunk.
const TEXT: usize = 0;
/// What each bag counts in a capsule.
const BAG_WEIGHTS: [f32; BAGS] = [1.0, NAMES, SIGNATURE, DOC];

/// The pieces of chunks and paths: what vectors are made of, not needed to answer a question.
#[derive(Clone, Default)]
pub struct Pieces {
    /// Bag after bag.
    pieces: Vec<u16>,
    /// How often each occurs.
    counts: Vec<u8>,
    /// End of each bag, four a chunk.
    ends: Vec<u32>,
    /// Pieces of the paths: of each file those of its stem, then those of its folders.
    paths: Vec<u16>,
    /// End of each, two a file.
    path_ends: Vec<u32>,
}

/// The range of the `at`th of some lists whose ends are these.
fn range_at(ends: &[u32], at: usize) -> std::ops::Range<usize> {
    let start = if at == 0 { 0 } else { ends[at - 1] };
    start as usize..ends[at] as usize
}

impl Pieces {
    fn bag(&self, chunk: u32, bag: usize) -> impl Iterator<Item = (u16, u8)> {
        let range = range_at(&self.ends, chunk as usize * BAGS + bag);
        self.pieces[range.clone()].iter().copied().zip(self.counts[range].iter().copied())
    }

    fn path(&self, file: u32, folders: bool) -> impl Iterator<Item = u16> {
        self.paths[range_at(&self.path_ends, file as usize * 2 + usize::from(folders))].iter().copied()
    }

    /// The pieces of all bags of some chunks.
    fn of_chunks(&self, chunks: std::ops::Range<u32>) -> &[u16] {
        if chunks.is_empty() {
            return &[];
        }
        let first = range_at(&self.ends, chunks.start as usize * BAGS).start;
        let end = range_at(&self.ends, chunks.end as usize * BAGS - 1).end;
        &self.pieces[first..end]
    }
}

/// So many files share a part of what is kept for updates. Of a part all is read, and an update needs some hundred files,
/// however many there are: those that hold a piece which weighs otherwise now. Single files do not compress well.
const FILES_IN_PART: usize = 4;

/// The pieces as bytes, for [`DenseUpdate`]: what each file holds, which every update reads, and then part after part what
/// each chunk holds. `files` says for each file which are its chunks.
pub fn pack_pieces(pieces: &Pieces, files: &[(u32, u32)]) -> Vec<Vec<u8>> {
    let vocabularies: Vec<FilePieces> = files.iter().map(|&chunks| FilePieces::of(pieces, chunks)).collect();
    // Every update reads all of it, so it is columns: as bits it takes a sixth less, and an
    // update of ten thousand files some 60 ms more.
    let mut summary = Packer::default();
    summary.numbers(vocabularies.iter().map(|v| v.pieces.len() as u32));
    for v in &vocabularies {
        summary.rising(v.pieces.iter().map(|&piece| u32::from(piece)));
    }
    summary.numbers(vocabularies.iter().flat_map(|v| v.chunks.iter().copied()));
    summary.numbers((0..files.len() * 2).map(|at| range_at(&pieces.path_ends, at).len() as u32));
    summary.numbers(pieces.paths.iter().map(|&piece| u32::from(piece)));

    let mut parts = vec![summary.bytes];
    for (files, vocabularies) in files.chunks(FILES_IN_PART).zip(vocabularies.chunks(FILES_IN_PART)) {
        let mut part = BitPacker::default();
        for (&chunks, vocabulary) in files.iter().zip(vocabularies) {
            pack_file(pieces, chunks, vocabulary, &mut part);
        }
        parts.push(part.finish());
    }
    parts
}

/// Pairs of numbers in groups whose sizes are known before: many small lists in a few large ones.
struct Grouped {
    firsts: Vec<u32>,
    seconds: Vec<u32>,
    /// End of each group.
    ends: Vec<usize>,
    /// Where the next pair of each group goes.
    next: Vec<usize>,
}

impl Grouped {
    /// Room for so many pairs in each group.
    fn new(counts: impl Iterator<Item = usize>) -> Self {
        let (mut next, mut ends, mut end) = (Vec::new(), Vec::new(), 0);
        for count in counts {
            next.push(end);
            end += count;
            ends.push(end);
        }
        Self { firsts: vec![0; end], seconds: vec![0; end], ends, next }
    }

    fn add(&mut self, group: usize, first: u32, second: u32) {
        let at = self.next[group];
        (self.firsts[at], self.seconds[at]) = (first, second);
        self.next[group] += 1;
    }

    fn groups(&self) -> impl Iterator<Item = (&[u32], &[u32])> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, &end)| (&self.firsts[start..end], &self.seconds[start..end]))
    }
}

/// A bag while it is kept: pieces by their place in the sorted list of their file, and how often each occurs.
type Places = Vec<(u32, u8)>;

/// What is not in the summary of the pieces of a file's chunks. Of each piece of the file: the chunks whose text holds it, and
/// how often each does. Then of each other bag, chunk after chunk: which pieces of the text are in it, and which others.
fn pack_file(pieces: &Pieces, (first, end): (u32, u32), vocabulary: &FilePieces, out: &mut BitPacker) {
    let place = |piece: u16| vocabulary.pieces.binary_search(&piece).expect("it is of the file") as u32;
    let places = |chunk: u32, bag: usize| -> Places { pieces.bag(chunk, bag).map(|(p, n)| (place(p), n)).collect() };
    let mut chunks_with = Grouped::new(vocabulary.chunks.iter().map(|&chunks| chunks as usize));
    for chunk in first..end {
        for (place, count) in places(chunk, TEXT) {
            chunks_with.add(place as usize, chunk - first, u32::from(count));
        }
    }
    for (chunks, counts) in chunks_with.groups() {
        out.rising(chunks, 0, end - first);
        counts.iter().for_each(|&count| out.count(count));
    }
    for chunk in first..end {
        let text = places(chunk, TEXT);
        for bag in (TEXT + 1..BAGS).map(|bag| places(chunk, bag)) {
            let (mut within, mut others) = (Vec::new(), Vec::new());
            for &(place, _) in &bag {
                match text.binary_search_by_key(&place, |&(place, _)| place) {
                    Ok(at) => within.push(at as u32),
                    Err(_) => others.push(place),
                }
            }
            out.count(within.len() as u32 + 1);
            out.count(others.len() as u32 + 1);
            out.rising(&within, 0, text.len() as u32);
            out.rising(&others, 0, vocabulary.pieces.len() as u32);
            bag.iter().for_each(|&(_, count)| out.count(u32::from(count)));
        }
    }
}

/// Reads what [`pack_file`] has written, file after file, in memory that it keeps.
#[derive(Default)]
struct FileReader {
    /// Numbers that were read just now.
    numbers: Vec<u32>,
    others: Vec<u32>,
    /// Chunk, place and count of what stands in texts, piece after piece.
    found: Vec<(u32, u32, u8)>,
    /// The same as place and count, chunk after chunk, and where that of each chunk ends.
    texts: Vec<(u32, u8)>,
    ends: Vec<u32>,
}

impl FileReader {
    /// Appends the bags of the chunks of a file. `vocabulary` has its pieces, `with` in how many chunks' texts each is. What is
    /// no piece of it is `None`; each piece that is read has taken a bit at least.
    fn read(
        &mut self,
        chunks: u32,
        (vocabulary, with): (&[u16], &[u32]),
        from: &mut BitUnpacker<'_>,
        out: &mut Pieces,
    ) -> Option<()> {
        fn count(from: &mut BitUnpacker<'_>) -> Option<u8> {
            from.count().and_then(|count| u8::try_from(count).ok())
        }
        let Self { numbers, others, found, texts, ends } = self;
        found.clear();
        ends.clear();
        ends.resize(chunks as usize, 0);
        for (place, &with) in (0..).zip(with) {
            (with <= chunks).then_some(())?;
            numbers.resize(with as usize, 0);
            from.rising(numbers, 0, chunks)?;
            for &chunk in &*numbers {
                found.push((chunk, place, count(from)?));
                ends[chunk as usize] += 1;
            }
        }
        // First where each chunk begins, which moves on with what is put there.
        let mut start = 0;
        for end in &mut *ends {
            start += std::mem::replace(end, start);
        }
        texts.clear();
        texts.resize(found.len(), (0, 0));
        for &(chunk, place, count) in &*found {
            let at = &mut ends[chunk as usize];
            texts[*at as usize] = (place, count);
            *at += 1;
        }
        let mut start = 0;
        for &end in &*ends {
            let text = &texts[start as usize..end as usize];
            start = end;
            out.pieces.extend(text.iter().map(|&(place, _)| vocabulary[place as usize]));
            out.counts.extend(text.iter().map(|&(_, count)| count));
            out.ends.push(out.pieces.len() as u32);
            for _ in TEXT + 1..BAGS {
                let (within, other) = (from.count()? as usize - 1, from.count()? as usize - 1);
                (within <= text.len() && other <= vocabulary.len()).then_some(())?;
                numbers.resize(within, 0);
                from.rising(numbers, 0, text.len() as u32)?;
                others.resize(other, 0);
                from.rising(others, 0, vocabulary.len() as u32)?;
                let mut within = numbers.iter().map(|&at| text[at as usize].0).peekable();
                let mut others = others.iter().copied().peekable();
                loop {
                    let place = match (within.peek(), others.peek()) {
                        (Some(a), Some(b)) if a <= b => within.next(),
                        (_, Some(_)) => others.next(),
                        _ => within.next(),
                    };
                    let Some(place) = place else { break };
                    out.pieces.push(vocabulary[place as usize]);
                    out.counts.push(count(from)?);
                }
                out.ends.push(out.pieces.len() as u32);
            }
        }
        Some(())
    }
}

/// The pieces of one file, each once, in order.
struct FilePieces {
    pieces: Vec<u16>,
    /// In how many chunks' texts each occurs.
    chunks: Vec<u32>,
}

impl FilePieces {
    fn of(all: &Pieces, (first, end): (u32, u32)) -> Self {
        let mut pieces = all.of_chunks(first..end).to_vec();
        pieces.sort_unstable();
        pieces.dedup();
        let mut chunks = vec![0; pieces.len()];
        for (piece, _) in (first..end).flat_map(|chunk| all.bag(chunk, TEXT)) {
            chunks[pieces.binary_search(&piece).expect("it is of the file")] += 1;
        }
        Self { pieces, chunks }
    }
}

/// What every update reads of [`pack_pieces`].
struct Summary {
    /// The pieces of all files, file after file, each list in order.
    pieces: Vec<u16>,
    /// In how many chunks' texts of the file each occurs.
    chunks: Vec<u32>,
    /// End of each file's pieces.
    ends: Vec<u32>,
    /// The pieces of paths, and nothing else.
    paths: Pieces,
}

impl Summary {
    fn read(bytes: &[u8], files: usize, known: usize) -> Option<Self> {
        // Pieces have 16 bits.
        let known = known.min(1 << 16) as u32;
        let mut from = Unpacker::new(bytes);
        let as_ends = |lengths: Vec<u32>, most: usize| {
            let mut end = 0u32;
            let mut next = |length| {
                end = end.checked_add(length).filter(|&end| end as usize <= most)?;
                Some(end)
            };
            lengths.into_iter().map(&mut next).collect::<Option<Vec<u32>>>()
        };
        // A piece takes a byte at least.
        let ends = as_ends(from.numbers(files)?, bytes.len())?;
        let mut pieces = Vec::with_capacity(ends.last().map_or(0, |&end| end as usize));
        for file in 0..files {
            let mut largest = 0;
            let each = |piece| {
                largest = piece;
                pieces.push(piece as u16);
            };
            from.rising(range_at(&ends, file).len(), each)?;
            (largest < known).then_some(())?;
        }
        let chunks = from.numbers(pieces.len())?;
        let path_ends = as_ends(from.numbers(files * 2)?, bytes.len())?;
        // Unlike the others, a path is not made of pieces that the table was asked for in vain.
        let paths = from.numbers(path_ends.last().map_or(0, |&end| end as usize))?;
        let paths = paths.into_iter().map(|piece| u16::try_from(piece).ok()).collect::<Option<Vec<u16>>>()?;
        from.is_done().then_some(())?;
        Some(Self { pieces, chunks, ends, paths: Pieces { paths, path_ends, ..Pieces::default() } })
    }

    fn of_file(&self, file: u32) -> (&[u16], &[u32]) {
        let range = range_at(&self.ends, file as usize);
        (&self.pieces[range.clone()], &self.chunks[range])
    }

    /// Whether a file or its path holds one of some pieces.
    fn has(&self, file: u32, some: &[bool]) -> bool {
        let is_one = |piece: u16| some.get(usize::from(piece)).copied().unwrap_or(false);
        self.of_file(file).0.iter().any(|&piece| some[usize::from(piece)]) || self.path_has(file, is_one)
    }

    fn path_has(&self, file: u32, is_one: impl Fn(u16) -> bool) -> bool {
        self.paths.path(file, false).chain(self.paths.path(file, true)).any(is_one)
    }
}

/// The pieces of the chunks of the files of one part, by their numbers from its first.
fn read_part(
    bytes: &[u8],
    summary: &Summary,
    first: u32,
    files: &[(u32, u32)],
    reader: &mut FileReader,
) -> Option<Pieces> {
    let mut from = BitUnpacker::new(bytes);
    let mut out = Pieces::default();
    for (file, &(first_chunk, end)) in (first..).zip(files) {
        reader.read(end - first_chunk, summary.of_file(file), &mut from, &mut out)?;
    }
    from.is_done().then_some(out)
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
        let idf = |df: u32| if df == 0 { unknown } else { stepped(libm::logf(1.0 + n / (1.0 + df as f32))) };
        // Most pieces are rare, and those that are equally rare weigh the same.
        let rare: Vec<f32> = (0..RARE).map(idf).collect();
        let of = |&df: &u32| rare.get(df as usize).copied().unwrap_or_else(|| idf(df));
        Self { idf: frequency.iter().map(of).collect(), frequency }
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

    /// Appends the row of a chunk.
    fn capsule(&mut self, weights: &Weights, pieces: &Pieces, chunk: u32, rows: &mut PackedRows<Vec<u8>>) {
        let Self { table, damped, path, part, capsule } = self;
        capsule.iter_mut().zip(&*path).for_each(|(c, p)| *c = PATH * p);
        for (bag, weight) in BAG_WEIGHTS.into_iter().enumerate() {
            let mut counted = pieces.bag(chunk, bag).peekable();
            if counted.peek().is_none() {
                continue;
            }
            part.fill(0.0);
            let count = |n: u8| if bag == TEXT { damped[usize::from(n)] } else { f32::from(n) };
            weights.add(*table, part, counted.map(|(piece, n)| (piece, count(n))));
            table.normalize(part);
            capsule.iter_mut().zip(&*part).for_each(|(c, p)| *c += weight * p);
        }
        table.normalize(capsule);
        table.pack(capsule, rows);
    }
}

/// One vector a chunk.
pub struct Dense {
    /// Rows, one a chunk.
    rows: PackedRows<OwnedBytes>,
    /// Rows that were made since.
    newer: PackedRows<Vec<u8>>,
    /// Where the row of each chunk lies: first those in `rows`, then those in `newer`. Empty while they lie in order.
    places: Vec<u32>,
    /// One over the length of each row, in the order of `rows` and `newer`; 0 for the zero vector.
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

/// Vectors on their way from one tree to another in which some files were replaced.
///
/// A vector is made anew where a piece in it weighs otherwise than before, and comes out as if the tree had never been
/// another. Which pieces these are is known from what each file holds ([`DenseUpdate::begin`]); what their chunks hold is
/// then looked up for few files ([`DenseUpdate::finish`]).
pub struct DenseUpdate {
    summary: Summary,
    added: DenseBuilder,
    weights: Weights,
    /// Which pieces weigh otherwise.
    moved: Vec<bool>,
    /// Parts of [`pack_pieces`] that are needed, in order.
    needs: Vec<u32>,
    /// Whether a file that is kept holds such a piece, by the numbers of the tree as it was.
    is_touched: Vec<bool>,
}

impl DenseUpdate {
    /// Finds out what is needed. `summary` is the first part of [`pack_pieces`], `kept` the chunks of each file as it was;
    /// `added` is everything of the new files, `files` says where each file comes from. `None` if they do not fit.
    pub fn begin(
        before: &Dense,
        table: &dyn Table,
        summary: &[u8],
        kept: &[(u32, u32)],
        added: DenseBuilder,
        files: &[Origin],
    ) -> Option<Self> {
        let summary = Summary::read(summary, kept.len(), table.len())?;
        let mut is_kept = vec![false; kept.len()];
        let mut chunks = added.chunks;
        for origin in files {
            if let Origin::Kept(file) = *origin {
                is_kept[file as usize] = true;
                chunks += kept[file as usize].1 - kept[file as usize].0;
            }
        }
        let mut frequency = before.weights.frequency.clone();
        for file in (0..kept.len() as u32).filter(|&file| !is_kept[file as usize]) {
            let (pieces, counts) = summary.of_file(file);
            for (&piece, &count) in pieces.iter().zip(counts) {
                let slot = &mut frequency[usize::from(piece)];
                *slot = slot.saturating_sub(count);
            }
        }
        frequency.iter_mut().zip(&added.frequency).for_each(|(all, more)| *all += more);
        let weights = Weights::new(frequency, chunks);
        let moved: Vec<bool> = weights.idf.iter().zip(&before.weights.idf).map(|(new, old)| new != old).collect();
        let touched = |file: usize| is_kept[file] && summary.has(file as u32, &moved);
        let is_touched: Vec<bool> = (0..kept.len()).map(touched).collect();
        let with_parts = is_touched.chunks(FILES_IN_PART).zip(1..);
        let needs = with_parts.filter(|(files, _)| files.contains(&true)).map(|(_, part)| part).collect();
        Some(Self { summary, added, weights, moved, needs, is_touched })
    }

    /// The numbers of the parts that [`DenseUpdate::finish`] is to be given, in order.
    pub fn needs(&self) -> &[u32] {
        &self.needs
    }

    /// The vectors. `parts` are those needed; `None` if they are not.
    pub fn finish(
        self,
        before: &Dense,
        table: &dyn Table,
        parts: &[Vec<u8>],
        kept: &[(u32, u32)],
        added_files: &[(u32, u32)],
        files: &[Origin],
    ) -> Option<Dense> {
        let Self { summary, added, weights, moved, needs, is_touched } = self;
        (parts.len() == needs.len()).then_some(())?;
        let mut parts = needs.iter().zip(parts);
        let mut part: Option<(usize, Pieces)> = None;
        let mut reader = FileReader::default();
        let old = before.scales.len() as u32;
        let mut newer = PackedRows::<Vec<u8>>::default();
        let size = table.packed_bytes().high.max(1);
        let mut places = Vec::with_capacity(old as usize);
        let mut maker = Maker::new(table);
        for origin in files {
            let file = match *origin {
                Origin::Added(file) => {
                    maker.path(&weights, &added.pieces, file);
                    for chunk in added_files[file as usize].0..added_files[file as usize].1 {
                        places.push(old + (newer.high.len() / size) as u32);
                        maker.capsule(&weights, &added.pieces, chunk, &mut newer);
                    }
                    continue;
                }
                Origin::Kept(file) => file,
            };
            let (first, end) = kept[file as usize];
            if !is_touched[file as usize] {
                places.extend(first..end);
                continue;
            }
            let first_file = file as usize / FILES_IN_PART * FILES_IN_PART;
            // Files come in their order, and so do parts.
            let in_part = &kept[first_file..kept.len().min(first_file + FILES_IN_PART)];
            if part.as_ref().is_none_or(|(of, _)| *of != first_file) {
                let (&number, bytes) = parts.next()?;
                (number as usize == first_file / FILES_IN_PART + 1).then_some(())?;
                part = Some((first_file, read_part(bytes, &summary, first_file as u32, in_part, &mut reader)?));
            }
            let (_, pieces) = part.as_ref()?;
            let path_moved = summary.path_has(file, |p| moved.get(usize::from(p)).copied().unwrap_or(false));
            maker.path(&weights, &summary.paths, file);
            for chunk in first..end {
                let in_part = chunk - in_part[0].0;
                let has_moved = |&piece: &u16| moved[usize::from(piece)];
                if path_moved || pieces.of_chunks(in_part..in_part + 1).iter().any(has_moved) {
                    places.push(old + (newer.high.len() / size) as u32);
                    maker.capsule(&weights, pieces, in_part, &mut newer);
                } else {
                    places.push(chunk);
                }
            }
        }
        let mut scales = before.scales.clone();
        add_scales(newer.as_slices(), table, &mut scales);
        Some(Dense { rows: before.rows.clone(), newer, places, scales, weights, pieces: None })
    }
}

/// A question's vector.
pub struct QueryVector {
    row: Vec<i8>,
    scale: f32,
}

impl<T: std::ops::Deref<Target = [u8]>> PackedRows<T> {
    fn as_slices(&self) -> PackedRows<&[u8]> {
        PackedRows { high: &self.high, low: &self.low }
    }
}

/// Appends the scale of each of some rows.
fn add_scales(rows: PackedRows<&[u8]>, table: &dyn Table, scales: &mut Vec<f32>) {
    let mut squares = Vec::with_capacity(rows.high.len() / table.packed_bytes().high.max(1));
    table.squares_packed(rows, &mut squares);
    scales.extend(squares.into_iter().map(|square| if square == 0 { 0.0 } else { 1.0 / (square as f32).sqrt() }));
}

impl Dense {
    fn new(rows: PackedRows<OwnedBytes>, weights: Weights, pieces: Option<Pieces>, table: &dyn Table) -> Self {
        let mut scales = Vec::new();
        add_scales(rows.as_slices(), table, &mut scales);
        Self { rows, newer: PackedRows::default(), places: Vec::new(), scales, weights, pieces }
    }

    /// How many chunks have a row.
    pub fn chunk_count(&self) -> usize {
        if self.places.is_empty() { self.scales.len() } else { self.places.len() }
    }

    /// Rows and the frequency of each piece, of vectors that were not updated.
    pub fn parts(&self) -> (PackedRows<&[u8]>, &[u32]) {
        (self.rows.as_slices(), &self.weights.frequency)
    }

    /// What the vectors were made of, unless they were restored.
    pub fn pieces(&self) -> Option<&Pieces> {
        self.pieces.as_ref()
    }

    /// The vectors of these parts; `None` if they do not fit each other and a table.
    pub fn of_parts(rows: PackedRows<OwnedBytes>, frequency: Vec<u32>, table: &dyn Table) -> Option<Self> {
        let size = table.packed_bytes();
        let chunks = rows.high.len().checked_div(size.high)?;
        let are_whole = rows.high.len() == chunks * size.high && rows.low.len() == chunks * size.low;
        (are_whole && frequency.len() == table.len()).then(|| {
            let weights = Weights::new(frequency, chunks as u32);
            Self::new(rows, weights, None, table)
        })
    }

    /// The vector of a question: pieces with the weights of the words they stand in. `None` if it has no piece.
    pub fn query(&self, table: &dyn Table, pieces: impl Iterator<Item = (u16, f32)>) -> Option<QueryVector> {
        let dimensions = table.dimensions();
        let mut vector = vec![0.0; dimensions];
        self.weights.add(table, &mut vector, pieces);
        table.normalize(&mut vector).then(|| {
            let mut row = Vec::with_capacity(dimensions);
            let scale = table.quantize(&vector, &mut row);
            QueryVector { row, scale }
        })
    }

    /// Cosines of two questions with each chunk, chunk after chunk: both at once, since most of the work is to read the rows.
    pub fn cosines(&self, table: &dyn Table, questions: [&QueryVector; 2]) -> [Vec<f32>; 2] {
        let mut dots = Vec::with_capacity(self.scales.len());
        let codes = questions.map(|question| &question.row[..]);
        table.dots_packed(self.rows.as_slices(), codes, &mut dots);
        table.dots_packed(self.newer.as_slices(), codes, &mut dots);
        let cosines = |which: usize| {
            let cosine = |at: usize| dots[at][which] as f32 * self.scales[at] * questions[which].scale;
            match &self.places[..] {
                [] => (0..dots.len()).map(cosine).collect(),
                places => places.iter().map(|&place| cosine(place as usize)).collect(),
            }
        };
        [cosines(0), cosines(1)]
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
        fn pack(&self, vector: &[f32], out: &mut PackedRows<Vec<u8>>) {
            out.high.extend(vector.iter().map(|v| (v * 100.0) as i8 as u8));
        }
        fn dots_packed(&self, rows: PackedRows<&[u8]>, codes: [&[i8]; 2], out: &mut Vec<[i32; 2]>) {
            let rows = bytemuck::cast_slice::<u8, i8>(rows.high);
            out.extend(rows.chunks(4).map(|row| codes.map(|codes| self.dot(row, codes))));
        }
        fn squares_packed(&self, rows: PackedRows<&[u8]>, out: &mut Vec<i32>) {
            let rows = bytemuck::cast_slice::<u8, i8>(rows.high);
            out.extend(rows.chunks(4).map(|row| self.dot(row, row)));
        }
        fn packed_bytes(&self) -> PackedRows<usize> {
            PackedRows { high: 4, low: 0 }
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
        let other = dense.query(&Axes, [(0, 1.0)].into_iter()).expect("a piece");
        let [cosines, others] = dense.cosines(&Axes, [&query, &other]);
        assert!(cosines[1] > 0.7 && cosines[0].abs() < 0.01, "{cosines:?}");
        assert!(others[0] > 0.3 && others[1].abs() < 0.01, "{others:?}");
        assert!(dense.query(&Axes, std::iter::empty()).is_none());
    }
}
