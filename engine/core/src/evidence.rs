//! Question + generation -> what speaks for each chunk and each file: words by field-weighted BM25, meaning by cosine.
//!
//! All of it is evidence that needs no parse of a file beyond its terms; what needs symbols is asked of candidates only
//! (see [`crate::signals`]).

use crate::error::Error;
use crate::generation::Generation;
use crate::lexical::Part;
use crate::question::Question;
use crate::table::Table;

/// Saturation of BM25, the usual value.
const K1: f32 = 1.2;

/// A field of BM25F: its part, its weight and how much its length counts (b).
struct Field(Part, f32, f32);

/// Chunk fields. Weights from a laboratory over 41 repositories.
const CHUNK_FIELDS: [Field; 4] = [
    Field(Part::Body, 1.0, 0.75),
    Field(Part::Names, 2.5, 0.3),
    Field(Part::Signature, 1.0, 0.3),
    Field(Part::Doc, 1.0, 0.5),
];
/// What a term in the file's stem or its folders adds to each of its chunks.
const CHUNK_STEM: f32 = 3.0;
const CHUNK_FOLDERS: f32 = 1.0;

/// File fields: body, names, documentation.
const FILE_FIELDS: [Field; 3] =
    [Field(Part::Body, 0.3, 0.75), Field(Part::Names, 1.5, 0.5), Field(Part::Doc, 0.5, 0.5)];
const FILE_STEM: f32 = 6.0;
const FILE_FOLDERS: f32 = 2.0;

/// What was found for one question, chunk by chunk and file by file.
pub struct Evidence {
    /// idf of each term of the question.
    pub idf: Vec<f32>,
    /// Numbers of the terms in the vocabulary of names and paths.
    pub vocabulary_ids: Vec<Option<u32>>,
    /// BM25F of each chunk.
    pub chunk_words: Vec<f32>,
    /// The same with head weights.
    pub chunk_head: Vec<f32>,
    /// BM25 over whole identifiers.
    pub chunk_whole: Vec<f32>,
    /// BM25 over documentation.
    pub chunk_doc: Vec<f32>,
    /// BM25F of each file.
    pub file_words: Vec<f32>,
    /// BM25 over a file's documentation.
    pub file_doc: Vec<f32>,
    /// Cosine of each chunk with the position-weighted question; empty without vectors.
    pub cosine_position: Vec<f32>,
    /// Cosine of each chunk with the plain question; empty without vectors.
    pub cosine: Vec<f32>,
    /// What the chunks of each file come to.
    pub of_files: Vec<OfFile>,
    /// The best chunk of all.
    pub best: Best,
}

/// What the chunks of one file come to: the three best scores of each kind, the best first, 0 where there are fewer above it.
#[derive(Clone, Copy, Debug, Default)]
pub struct OfFile {
    /// BM25F.
    pub words: [f32; 3],
    /// With head weights.
    pub head: [f32; 3],
    /// BM25 over whole identifiers.
    pub whole: [f32; 3],
    /// BM25 over documentation.
    pub doc: [f32; 3],
    /// Cosine with the position-weighted question.
    pub cosine_position: [f32; 3],
}

/// The best chunk of all, by each kind of words.
#[derive(Clone, Copy, Debug, Default)]
pub struct Best {
    /// By BM25F.
    pub words: f32,
    /// With head weights.
    pub head: f32,
    /// By whole identifiers.
    pub whole: f32,
    /// By documentation.
    pub doc: f32,
}

impl Evidence {
    /// Sums up by file what is known of its chunks: one pass, since everything after it asks for that.
    fn sum_up(&mut self, generation: &Generation) {
        let has_wholes = self.chunk_whole.iter().any(|&score| score > 0.0);
        self.of_files.reserve(generation.files.len());
        for file in &generation.files {
            let chunks = file.chunks.0 as usize..file.chunks.1 as usize;
            // There are no cosines without vectors.
            let best = |scores: &[f32]| best_three(scores.get(chunks.clone()).unwrap_or_default().iter().copied());
            let mut of_file = OfFile {
                words: best(&self.chunk_words),
                cosine_position: best(&self.cosine_position),
                ..OfFile::default()
            };
            if of_file.words[0] > 0.0 {
                of_file.head = best(&self.chunk_head);
                of_file.doc = best(&self.chunk_doc);
            }
            if has_wholes {
                of_file.whole = best(&self.chunk_whole);
            }
            self.best.words = self.best.words.max(of_file.words[0]);
            self.best.head = self.best.head.max(of_file.head[0]);
            self.best.whole = self.best.whole.max(of_file.whole[0]);
            self.best.doc = self.best.doc.max(of_file.doc[0]);
            self.of_files.push(of_file);
        }
    }
}

/// The three largest scores above 0, the largest first; 0 where there are fewer.
pub fn best_three(scores: impl IntoIterator<Item = f32>) -> [f32; 3] {
    let [mut first, mut second, mut third] = [0.0f32; 3];
    for score in scores {
        if score > third {
            (first, second, third) = match score {
                _ if score > first => (score, first, second),
                _ if score > second => (first, score, second),
                _ => (first, second, score),
            };
        }
    }
    [first, second, third]
}

/// idf as in BM25, never negative.
pub fn idf(count: usize, frequency: u32) -> f32 {
    let (n, df) = (count as f32, frequency as f32);
    libm::logf(1.0 + ((n - df).max(0.0) + 0.5) / (df + 0.5))
}

/// Gathers the evidence for a question.
pub fn gather(generation: &Generation, question: &Question, table: Option<&dyn Table>) -> Result<Evidence, Error> {
    let lexical = &generation.lexical;
    let (chunks, files) = (generation.chunks.len(), generation.files.len());
    let mut evidence = Evidence {
        idf: Vec::with_capacity(question.terms.len()),
        vocabulary_ids: question.terms.iter().map(|t| generation.vocabulary.id(&t.text)).collect(),
        chunk_words: vec![0.0; chunks],
        chunk_head: vec![0.0; chunks],
        chunk_whole: vec![0.0; chunks],
        chunk_doc: vec![0.0; chunks],
        file_words: vec![0.0; files],
        file_doc: vec![0.0; files],
        cosine_position: Vec::new(),
        cosine: Vec::new(),
        of_files: Vec::new(),
        best: Best::default(),
    };
    let mut counter = Counter::new(generation);
    for (term, id) in question.terms.iter().zip(evidence.vocabulary_ids.clone()) {
        let mut frequency = lexical.document_frequency(Part::Body, &term.text)?;
        if frequency == 0 {
            frequency = id.map_or(0, |id| generation.vocabulary.places(id).len() as u32);
        }
        let idf = idf(chunks, frequency);
        evidence.idf.push(idf);
        counter.count(&term.text, id)?;
        counter.score(&mut evidence, idf, term.head);
    }
    for whole in &question.wholes {
        let frequency = lexical.document_frequency(Part::Whole, whole)?;
        // Most runs of words are no identifier.
        if frequency == 0 {
            continue;
        }
        let idf = idf(chunks, frequency);
        lexical.postings(Part::Whole, whole, |chunk, tf| {
            evidence.chunk_whole[chunk as usize] += idf * tf as f32 / (tf as f32 + K1);
        })?;
    }
    if let (Some(dense), Some(table)) = (&generation.dense, table) {
        let mut pieces: Vec<(u16, f32)> = Vec::new();
        let mut buffer = Vec::new();
        for (word, weight) in &question.words {
            buffer.clear();
            table.pieces(word, &mut buffer);
            pieces.extend(buffer.iter().map(|&p| (p, *weight)));
        }
        let by_position = dense.query(table, pieces.iter().copied());
        let plain = dense.query(table, pieces.iter().map(|&(p, _)| (p, 1.0)));
        // Where one of the two has no vector, the other takes its place in the pass, and is not counted twice.
        if let Some(any) = by_position.as_ref().or(plain.as_ref()) {
            let [position, cosine] =
                dense.cosines(table, [by_position.as_ref().unwrap_or(any), plain.as_ref().unwrap_or(any)]);
            evidence.cosine_position = if by_position.is_some() { position } else { Vec::new() };
            evidence.cosine = if plain.is_some() { cosine } else { Vec::new() };
        }
    }
    evidence.sum_up(generation);
    Ok(evidence)
}

/// Term frequencies of one term, by chunk and by file, kept between terms for their memory.
struct Counter<'g> {
    generation: &'g Generation,
    chunk: Vec<f32>,
    chunk_doc: Vec<f32>,
    touched: Vec<u32>,
    /// The file of each chunk, side by side: it is asked for each posting.
    file_of: Vec<u32>,
    file: Vec<f32>,
    file_doc: Vec<f32>,
    touched_files: Vec<u32>,
}

impl<'g> Counter<'g> {
    fn new(generation: &'g Generation) -> Self {
        let (chunks, files) = (generation.chunks.len(), generation.files.len());
        Self {
            generation,
            chunk: vec![0.0; chunks],
            chunk_doc: vec![0.0; chunks],
            touched: Vec::new(),
            file_of: generation.chunks.iter().map(|chunk| chunk.file).collect(),
            file: vec![0.0; files],
            file_doc: vec![0.0; files],
            touched_files: Vec::new(),
        }
    }

    fn count(&mut self, term: &str, id: Option<u32>) -> Result<(), Error> {
        let generation = self.generation;
        for Field(part, weight, b) in CHUNK_FIELDS {
            let average = generation.lexical.average(part).max(1.0);
            let lengths = generation.lexical.lengths(part);
            let file_field = FILE_FIELDS.iter().find(|f| f.0 == part).map(|f| (f, generation.relative_lengths(part)));
            generation.lexical.postings(part, term, |chunk, tf| {
                let norm = 1.0 - b + b * lengths[chunk as usize] as f32 / average;
                let tf = tf as f32;
                self.add_chunk(chunk, weight * tf / norm);
                if part == Part::Doc {
                    self.chunk_doc[chunk as usize] = tf / norm;
                }
                if let Some((Field(_, weight, b), lengths)) = file_field {
                    let file = self.file_of[chunk as usize];
                    let norm = 1.0 - b + b * lengths[file as usize];
                    self.add_file(file, weight * tf / norm);
                    if part == Part::Doc {
                        self.file_doc[file as usize] += tf / norm;
                    }
                }
            })?;
        }
        for &(file, in_stem) in id.map_or(&[][..], |id| generation.vocabulary.places(id)) {
            let (for_chunk, for_file) = if in_stem { (CHUNK_STEM, FILE_STEM) } else { (CHUNK_FOLDERS, FILE_FOLDERS) };
            self.add_file(file, for_file);
            let (first, end) = generation.files[file as usize].chunks;
            (first..end).for_each(|chunk| self.add_chunk(chunk, for_chunk));
        }
        Ok(())
    }

    fn add_chunk(&mut self, chunk: u32, tf: f32) {
        let slot = &mut self.chunk[chunk as usize];
        if *slot == 0.0 {
            self.touched.push(chunk);
        }
        *slot += tf;
    }

    fn add_file(&mut self, file: u32, tf: f32) {
        let slot = &mut self.file[file as usize];
        if *slot == 0.0 {
            self.touched_files.push(file);
        }
        *slot += tf;
    }

    /// Adds what the term comes to, and forgets its counts.
    fn score(&mut self, evidence: &mut Evidence, idf: f32, head: f32) {
        let saturate = |tf: f32| idf * tf / (tf + K1);
        for chunk in self.touched.drain(..) {
            let at = chunk as usize;
            let score = saturate(std::mem::take(&mut self.chunk[at]));
            evidence.chunk_words[at] += score;
            evidence.chunk_head[at] += head * score;
            evidence.chunk_doc[at] += saturate(std::mem::take(&mut self.chunk_doc[at]));
        }
        for file in self.touched_files.drain(..) {
            let at = file as usize;
            evidence.file_words[at] += head * saturate(std::mem::take(&mut self.file[at]));
            evidence.file_doc[at] += saturate(std::mem::take(&mut self.file_doc[at]));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn idf_falls_and_stays_positive() {
        assert!(idf(100, 1) > idf(100, 50));
        assert!(idf(100, 100) > 0.0);
        assert!(idf(0, 0) > 0.0);
    }

    #[test]
    fn the_three_best() {
        assert_eq!(best_three([0.5, 0.1, -1.0, 0.9, 0.5, 0.7]), [0.9, 0.7, 0.5]);
        assert_eq!(best_three([0.2, -0.3]), [0.2, 0.0, 0.0]);
        assert_eq!(best_three([]), [0.0; 3]);
    }
}
