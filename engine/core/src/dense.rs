//! Vectors of chunks: capsules made with the tree's own idf, as packed rows, and the nearest ones to a question.
//!
//! A capsule is not the vector of a chunk's text alone but of what a reader would say of it: its words, its names, its
//! documentation, its signature and where it stands. Each is the sum of table rows times the tree's idf, normalised, so
//! that a long body does not drown a name.

use std::borrow::Cow;

use tantivy::directory::OwnedBytes;

use crate::analysis::{Bag, ChunkRecord};
use crate::bits::{BitPacker, BitUnpacker};
use crate::splice::{GONE, Splice};
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
            maker.path(&weights, pieces.path(file as u32, false), pieces.path(file as u32, true));
            (first..end).for_each(|chunk| maker.capsule(&weights, &pieces, chunk, &mut rows));
        }
        let squares = squares_of(rows.as_slices(), table);
        let rows = PackedRows { high: OwnedBytes::new(rows.high), low: OwnedBytes::new(rows.low) };
        Dense::new(rows, scales_of(&squares), weights, Some(MadeOf { pieces, squares }))
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

/// So many files share a part of what is kept for updates. Of a part all is read, and most updates need that of the file that
/// has changed and few others. Single files do not compress well.
const FILES_IN_PART: usize = 4;

/// An update makes vectors of files in so many parts at most, or in half of all: a few tenths of a second. More are touched only
/// when the count of chunks, which is rounded, becomes another one: the tree is then put together anew once, in place of an
/// update for each question.
const MOST_TOUCHED: usize = 512;

/// So many pieces share a part that says where they are.
const PIECES_IN_PART: usize = 512;

/// The pieces as bytes, for [`DenseUpdate`], in parts: what each file holds, some files a part, and then which of these parts
/// hold each piece, some pieces a part. `files` says for each file which are its chunks; the table has `known` pieces.
pub fn pack_pieces(pieces: &Pieces, files: &[(u32, u32)], known: usize) -> Vec<Vec<u8>> {
    let file_parts = files.len().div_ceil(FILES_IN_PART);
    let mut holders: Vec<Vec<u32>> = vec![Vec::new(); known];
    let mut parts = Vec::with_capacity(file_parts + known.div_ceil(PIECES_IN_PART));
    for (number, files) in (0..).zip(files.chunks(FILES_IN_PART)) {
        let mut out = BitPacker::default();
        for (&chunks, file) in files.iter().zip(number * FILES_IN_PART as u32..) {
            let vocabulary = FilePieces::of(pieces, chunks);
            vocabulary.pack(known, chunks, &mut out);
            pack_file(pieces, chunks, &vocabulary, &mut out);
            let of_path = [false, true].into_iter().flat_map(|folders| pieces.path(file, folders));
            for piece in vocabulary.pieces.iter().copied().chain(of_path) {
                // A path's pieces need not be of this table.
                match holders.get_mut(usize::from(piece)) {
                    Some(parts) if parts.last() != Some(&number) => parts.push(number),
                    _ => {}
                }
            }
        }
        parts.push(out.finish());
    }
    for holders in holders.chunks(PIECES_IN_PART) {
        let mut out = BitPacker::default();
        for parts in holders {
            out.count(parts.len() as u32 + 1);
            out.rising(parts, 0, file_parts as u32);
        }
        parts.push(out.finish());
    }
    parts
}

/// Reads one of the parts of [`pack_pieces`] that say where pieces are: calls `each` with the place of a piece among those of
/// the part, and the parts that hold it.
fn read_holders(bytes: &[u8], pieces: usize, file_parts: u32, mut each: impl FnMut(usize, &[u32])) -> Option<()> {
    let mut from = BitUnpacker::new(bytes);
    let mut parts = Vec::new();
    for piece in 0..pieces {
        let count = from.count()? - 1;
        (count <= file_parts).then_some(())?;
        parts.resize(count as usize, 0);
        from.rising(&mut parts, 0, file_parts)?;
        each(piece, &parts);
    }
    from.is_done().then_some(())
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

/// The pieces of a file's chunks. Of each piece of the file: the chunks whose text holds it, and how often each does. Then of each other bag, chunk after chunk: which pieces of the text are in it, and which others.
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

    fn pack(&self, known: usize, (first, end): (u32, u32), out: &mut BitPacker) {
        out.count(self.pieces.len() as u32 + 1);
        let pieces: Vec<u32> = self.pieces.iter().map(|&piece| u32::from(piece)).collect();
        out.rising(&pieces, 0, known as u32);
        if end - first > 1 {
            self.chunks.iter().for_each(|&chunks| out.count(chunks + 1));
        } else {
            // It holds the piece in its text or not.
            self.chunks.iter().for_each(|&chunks| out.bits(chunks, 1));
        }
    }

    fn unpack(chunks: u32, known: usize, from: &mut BitUnpacker<'_>) -> Option<Self> {
        let count = from.count()? - 1;
        (count as usize <= known).then_some(())?;
        let mut pieces = vec![0; count as usize];
        // Pieces have 16 bits.
        from.rising(&mut pieces, 0, known.min(1 << 16) as u32)?;
        let with = |_| if chunks > 1 { from.count().map(|chunks| chunks - 1) } else { from.bits(1) };
        let chunks = (0..count).map(with).collect::<Option<_>>()?;
        Some(Self { pieces: pieces.into_iter().map(|piece| piece as u16).collect(), chunks })
    }
}

/// Reads what the files of one part of [`pack_pieces`] hold; `files` are their chunks. The chunks are numbered from the first.
fn read_part(bytes: &[u8], files: &[(u32, u32)], known: usize, reader: &mut FileReader) -> Option<Pieces> {
    let mut from = BitUnpacker::new(bytes);
    let mut out = Pieces::default();
    for &(first, end) in files {
        let vocabulary = FilePieces::unpack(end - first, known, &mut from)?;
        reader.read(end - first, (&vocabulary.pieces, &vocabulary.chunks), &mut from, &mut out)?;
    }
    from.is_done().then_some(out)
}

/// How many chunks there are, to four binary digits. A chunk more or less would else move the idf of all pieces by a little, and
/// always that of some by a step; so it does once in many changes.
fn stepped_count(chunks: u32) -> u32 {
    let step = 1 << chunks.checked_ilog2().map_or(0, |digits| digits.saturating_sub(3));
    chunks.saturating_add(step / 2) / step * step
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
        let n = stepped_count(chunks) as f32;
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

    /// The capsules made from here on are of a file with these pieces in its path.
    fn path(&mut self, weights: &Weights, stem: impl Iterator<Item = u16>, folders: impl Iterator<Item = u16>) {
        self.path.fill(0.0);
        weights.add(self.table, &mut self.path, stem.map(|p| (p, 1.0)));
        weights.add(self.table, &mut self.path, folders.map(|p| (p, FOLDERS)));
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
    /// None in a generation that was restored.
    made_of: Option<MadeOf>,
}

/// What a snapshot has of vectors besides what questions need.
pub struct MadeOf {
    /// What they were made of.
    pub pieces: Pieces,
    /// The square of the length of each row.
    pub squares: Vec<i32>,
}

/// Vectors on their way from one tree to another in which some files were replaced.
///
/// A vector is made anew where a piece in it weighs otherwise than before, and comes out as if the tree had never been
/// another. What is needed for it is found out in steps, of which each says which parts of [`pack_pieces`] the next one needs:
/// what the files held that are gone, where the pieces are that weigh otherwise, what the files with these hold.
pub struct DenseUpdate {
    added: DenseBuilder,
    /// Chunks of each file as it was.
    kept: Vec<(u32, u32)>,
    /// Files that are gone, in order.
    gone: Vec<u32>,
    /// What pieces weigh afterwards, once that is known.
    weights: Option<Weights>,
    /// Which pieces weigh otherwise.
    moved: Vec<bool>,
    needs: Vec<u32>,
    needed_for: Needed,
    /// What files with such a piece hold.
    touched: Vec<(u32, Vec<u8>)>,
    reader: FileReader,
}

/// What the parts are needed for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Needed {
    /// To take away what the files held that are gone.
    ToSubtract,
    /// To find the files that hold what weighs otherwise.
    ToFind,
    /// To make vectors of these.
    ToMake,
    Nothing,
}

impl DenseUpdate {
    /// Begins. `kept` are the chunks of each file as it was, `gone` the files of these that are no longer there, in order;
    /// `added` is everything of the new files.
    pub fn begin(kept: Vec<(u32, u32)>, gone: Vec<u32>, added: DenseBuilder) -> Self {
        let mut needs: Vec<u32> = gone.iter().map(|file| file / FILES_IN_PART as u32).collect();
        needs.dedup();
        let (weights, moved, touched, reader) = (None, Vec::new(), Vec::new(), FileReader::default());
        Self { added, kept, gone, weights, moved, needs, needed_for: Needed::ToSubtract, touched, reader }
    }

    /// The numbers of the parts that [`DenseUpdate::take`] is to be given, in order.
    pub fn needs(&self) -> &[u32] {
        &self.needs
    }

    fn file_parts(&self) -> u32 {
        self.kept.len().div_ceil(FILES_IN_PART) as u32
    }

    /// What the files of a part hold, and the number of the first of them.
    fn read(&mut self, part: u32, bytes: &[u8], known: usize) -> Option<(usize, Pieces)> {
        let first = part as usize * FILES_IN_PART;
        let files = self.kept.get(first..self.kept.len().min(first + FILES_IN_PART))?;
        Some((first, read_part(bytes, files, known, &mut self.reader)?))
    }

    /// Takes the parts that are needed. If then none are, it can be finished. `None` if they are not those needed.
    pub fn take(&mut self, before: &Dense, mut parts: Vec<Vec<u8>>) -> Option<()> {
        while self.needed_for != Needed::Nothing {
            let needs = std::mem::take(&mut self.needs);
            (parts.len() == needs.len()).then_some(())?;
            let parts = needs.into_iter().zip(std::mem::take(&mut parts));
            self.needed_for = match self.needed_for {
                Needed::ToSubtract => {
                    self.weigh(before, parts)?;
                    Needed::ToFind
                }
                Needed::ToFind => {
                    self.find(parts)?;
                    Needed::ToMake
                }
                Needed::ToMake | Needed::Nothing => {
                    self.touched = parts.collect();
                    Needed::Nothing
                }
            };
            if !self.needs.is_empty() {
                break;
            }
        }
        Some(())
    }

    /// Finds out what pieces weigh without the files that are gone and with those that come.
    fn weigh(&mut self, before: &Dense, parts: impl Iterator<Item = (u32, Vec<u8>)>) -> Option<()> {
        let mut frequency = before.weights.frequency.clone();
        let mut gone = std::mem::take(&mut self.gone).into_iter().peekable();
        let mut chunks = self.kept.last().map_or(0, |&(_, end)| end) + self.added.chunks;
        for (part, bytes) in parts {
            let (first, pieces) = self.read(part, &bytes, frequency.len())?;
            while let Some(file) = gone.next_if(|&file| (file as usize) < first + FILES_IN_PART) {
                let (base, (start, end)) = (self.kept[first].0, self.kept[file as usize]);
                chunks -= end - start;
                for (piece, _) in (start - base..end - base).flat_map(|chunk| pieces.bag(chunk, TEXT)) {
                    let slot = &mut frequency[usize::from(piece)];
                    *slot = slot.saturating_sub(1);
                }
            }
        }
        frequency.iter_mut().zip(&self.added.frequency).for_each(|(all, more)| *all += more);
        let weights = Weights::new(frequency, chunks);
        self.moved = weights.idf.iter().zip(&before.weights.idf).map(|(new, old)| new != old).collect();
        self.weights = Some(weights);
        let holders = self.moved.chunks(PIECES_IN_PART).zip(self.file_parts()..);
        self.needs = holders.filter(|(moved, _)| moved.contains(&true)).map(|(_, part)| part).collect();
        Some(())
    }

    /// Finds the files that hold a piece which weighs otherwise. `None` if these are so many that a new tree takes less time.
    fn find(&mut self, parts: impl Iterator<Item = (u32, Vec<u8>)>) -> Option<()> {
        let file_parts = self.file_parts();
        let mut is_touched = vec![false; file_parts as usize];
        for (part, bytes) in parts {
            let first = (part - file_parts) as usize * PIECES_IN_PART;
            let moved = &self.moved[first..self.moved.len().min(first + PIECES_IN_PART)];
            read_holders(&bytes, moved.len(), file_parts, |piece, parts| {
                if moved[piece] {
                    parts.iter().for_each(|&part| is_touched[part as usize] = true);
                }
            })?;
        }
        self.needs = (0..).zip(is_touched).filter(|(_, touched)| *touched).map(|(part, _)| part).collect();
        (self.needs.len() <= MOST_TOUCHED.max(file_parts as usize / 2)).then_some(())
    }

    /// The vectors. `chunks` says which chunks are replaced, `paths` gives the pieces of the path of a file that was there and
    /// `added_files` the chunks of each that comes. `None` if something is needed still, or they were updated before.
    pub fn finish(
        mut self,
        mut before: Dense,
        table: &dyn Table,
        chunks: &Splice,
        paths: impl Fn(u32) -> [Vec<u16>; 2],
        added_files: &[(u32, u32)],
    ) -> Option<Dense> {
        (self.needed_for == Needed::Nothing && before.places.is_empty()).then_some(())?;
        let weights = self.weights.take()?;
        let known = weights.frequency.len();
        let old = before.scales.len() as u32;
        let mut newer = PackedRows::<Vec<u8>>::default();
        let mut maker = Maker::new(table);
        for (file, &(first, end)) in (0..).zip(added_files) {
            maker.path(&weights, self.added.pieces.path(file, false), self.added.pieces.path(file, true));
            (first..end).for_each(|chunk| maker.capsule(&weights, &self.added.pieces, chunk, &mut newer));
        }
        let mut next = old + self.added.chunks;
        let mut places: Vec<u32> = (0..old).collect();
        chunks.apply(&mut places, (old..next).collect());
        let numbers = chunks.kept(old as usize);
        for (part, bytes) in std::mem::take(&mut self.touched) {
            let (first, pieces) = self.read(part, &bytes, known)?;
            let base = self.kept[first].0;
            for (file, &(start, end)) in (first as u32..).zip(self.kept[first..].iter().take(FILES_IN_PART)) {
                let has_moved = |&piece: &u16| self.moved.get(usize::from(piece)).copied().unwrap_or(false);
                let [stem, folders] = paths(file);
                let path_moved = stem.iter().chain(&folders).any(has_moved);
                maker.path(&weights, stem.into_iter(), folders.into_iter());
                for chunk in (start..end).filter(|&chunk| numbers[chunk as usize] != GONE) {
                    let in_part = chunk - base;
                    if path_moved || pieces.of_chunks(in_part..in_part + 1).iter().any(has_moved) {
                        maker.capsule(&weights, &pieces, in_part, &mut newer);
                        places[numbers[chunk as usize] as usize] = next;
                        next += 1;
                    }
                }
            }
        }
        before.scales.extend(scales_of(&squares_of(newer.as_slices(), table)));
        Some(Dense { newer, places, weights, made_of: None, ..before })
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

/// The square of the length of each of some rows.
fn squares_of(rows: PackedRows<&[u8]>, table: &dyn Table) -> Vec<i32> {
    let mut squares = Vec::with_capacity(rows.high.len() / table.packed_bytes().high.max(1));
    table.squares_packed(rows, &mut squares);
    squares
}

/// One over the length of each of some rows, with room for those that an update adds.
fn scales_of(squares: &[i32]) -> Vec<f32> {
    let mut scales = Vec::with_capacity(squares.len() + squares.len() / 64 + 64);
    scales.extend(squares.iter().map(|&square| if square == 0 { 0.0 } else { 1.0 / (square as f32).sqrt() }));
    scales
}

impl Dense {
    fn new(rows: PackedRows<OwnedBytes>, scales: Vec<f32>, weights: Weights, made_of: Option<MadeOf>) -> Self {
        Self { rows, newer: PackedRows::default(), places: Vec::new(), scales, weights, made_of }
    }

    /// How many chunks have a row.
    pub fn chunk_count(&self) -> usize {
        if self.places.is_empty() { self.scales.len() } else { self.places.len() }
    }

    /// Rows and the frequency of each piece, of vectors that were not updated.
    pub fn parts(&self) -> (PackedRows<&[u8]>, &[u32]) {
        (self.rows.as_slices(), &self.weights.frequency)
    }

    /// What the vectors were made of and what follows from them, unless they were restored.
    pub fn made_of(&self) -> Option<&MadeOf> {
        self.made_of.as_ref()
    }

    /// The vectors of these parts, with the square of the length of each row, which takes longer to find out than to read;
    /// `None` if they do not fit each other and a table.
    pub fn of_parts(
        rows: PackedRows<OwnedBytes>,
        squares: &[i32],
        frequency: Vec<u32>,
        table: &dyn Table,
    ) -> Option<Self> {
        let size = table.packed_bytes();
        let chunks = rows.high.len().checked_div(size.high)?;
        let are_whole = rows.high.len() == chunks * size.high && rows.low.len() == chunks * size.low;
        (are_whole && frequency.len() == table.len() && squares.len() == chunks).then(|| {
            let weights = Weights::new(frequency, chunks as u32);
            Self::new(rows, scales_of(squares), weights, None)
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
