//! Words of a question -> the names of the tree that come nearest to them, by spelling and by meaning.
//!
//! What it takes of each name is worked out when a generation is first asked, and kept with it: two numbers that tell of most
//! names that they are spelt too differently, and a vector.

use std::cell::OnceCell;

use crate::dense::{Dense, QueryVector};
use crate::table::Table;
use crate::words::words;

/// More names are not compared: each costs a vector, and a weak answer should come as fast as a good one.
pub const MOST_NAMES: usize = 3_000;
/// Names less alike than this are no help.
const LEAST_SIMILAR: f32 = 0.35;

/// The names that are offered where an answer is weak.
pub struct Offered {
    /// A symbol of each name, in the order of the names.
    symbols: Vec<u32>,
    outlines: Vec<Outline>,
    /// Vectors of the names, none for one of which the table knows nothing.
    vectors: OnceCell<Vec<Option<QueryVector>>>,
}

/// The vectors of a tree, and the table that they are made with.
pub type Vectors<'a> = (&'a Dense, &'a dyn Table);

impl Offered {
    /// Of these names and their symbols, each name once.
    pub fn new(mut names: Vec<(&str, u32)>) -> Self {
        names.sort_unstable();
        names.dedup_by_key(|(name, _)| *name);
        Self {
            symbols: names.iter().map(|&(_, symbol)| symbol).collect(),
            outlines: names.iter().map(|(name, _)| Spelling::new(name).outline()).collect(),
            vectors: OnceCell::new(),
        }
    }

    /// The names nearest to the words of a question, which have weights, the nearest first; `name` tells that of a symbol. Of
    /// names that are equally near, the first by its bytes goes first.
    pub fn nearest<'n>(
        &self,
        question: &[(String, f32)],
        vectors: Option<Vectors<'_>>,
        name: impl Fn(u32) -> &'n str,
        limit: usize,
    ) -> Vec<&'n str> {
        let asked: Vec<(Spelling, f32)> =
            question.iter().map(|(word, weight)| (Spelling::new(word), *weight)).collect();
        let outlines: Vec<Outline> = asked.iter().map(|(word, _)| word.outline()).collect();
        let meaning = vectors.and_then(|vectors| {
            let query = vector(vectors, question.iter().map(|(word, _)| word.as_str()))?;
            let of_names = self
                .vectors
                .get_or_init(|| self.symbols.iter().map(|&symbol| vector(vectors, words_of(name(symbol)))).collect());
            Some((vectors, query, of_names))
        });
        let mut best: Vec<(f32, &str)> = Vec::with_capacity(limit + 1);
        let mut least = LEAST_SIMILAR;
        for (at, (&symbol, outline)) in self.symbols.iter().zip(&self.outlines).enumerate() {
            let by_meaning = meaning.as_ref().and_then(|((dense, table), query, of_names)| {
                of_names[at].as_ref().map(|of_name| dense.likeness(*table, query, of_name))
            });
            let mut likeness = by_meaning.unwrap_or(0.0).max(0.0);
            for ((word, weight), of_word) in asked.iter().zip(&outlines) {
                if weight * of_word.most_alike(outline) > likeness.max(least) {
                    likeness = likeness.max(weight * word.likeness(&Spelling::new(name(symbol))));
                }
            }
            if likeness > least && limit > 0 {
                let place = best.partition_point(|&(other, _)| other >= likeness);
                best.insert(place, (likeness, name(symbol)));
                best.truncate(limit);
                if best.len() == limit {
                    least = best[limit - 1].0;
                }
            }
        }
        best.into_iter().map(|(_, name)| name).collect()
    }
}

fn words_of(name: &str) -> impl Iterator<Item = &str> {
    words(name, seekwell_types::ByteSpan::new(0, name.len() as u32)).map(|span| &name[span.range()])
}

/// The vector of words that weigh alike.
fn vector<'w>((dense, table): Vectors<'_>, words: impl Iterator<Item = &'w str>) -> Option<QueryVector> {
    let mut pieces = Vec::new();
    words.for_each(|word| table.pieces(word, &mut pieces));
    dense.query(table, pieces.iter().map(|&piece| (piece, 1.0)))
}

/// The pairs of neighbouring letters of a word, sorted.
struct Spelling(Vec<[u8; 2]>);

impl Spelling {
    fn new(word: &str) -> Self {
        let lower: Vec<u8> = word.bytes().filter(|&b| b != b'_').map(|b| b.to_ascii_lowercase()).collect();
        let mut pairs: Vec<[u8; 2]> = lower.windows(2).map(|w| [w[0], w[1]]).collect();
        pairs.sort_unstable();
        Self(pairs)
    }

    /// Dice's coefficient: between 0 and 1.
    fn likeness(&self, other: &Self) -> f32 {
        let (mut a, mut b, mut common) = (0, 0, 0);
        while let (Some(x), Some(y)) = (self.0.get(a), other.0.get(b)) {
            match x.cmp(y) {
                std::cmp::Ordering::Less => a += 1,
                std::cmp::Ordering::Greater => b += 1,
                std::cmp::Ordering::Equal => {
                    (a, b, common) = (a + 1, b + 1, common + 1);
                }
            }
        }
        dice(common, self.0.len() as u32 + other.0.len() as u32)
    }

    fn outline(&self) -> Outline {
        // Multiplied by an odd number, the upper bits depend on both letters.
        let bit = |&pair: &[u8; 2]| 1 << (u16::from_le_bytes(pair).wrapping_mul(0x9E37) >> 10);
        Outline { pairs: self.0.len() as u32, seen: self.0.iter().map(bit).fold(0, |seen, bit: u64| seen | bit) }
    }
}

/// What bounds the likeness of two spellings without comparing them.
#[derive(Clone, Copy)]
struct Outline {
    /// How many pairs there are.
    pairs: u32,
    /// Which of 64 kinds of pairs are among them.
    seen: u64,
}

impl Outline {
    /// The likeness of two spellings is this at most: a pair of a kind that the other has not is surely not common.
    fn most_alike(&self, other: &Self) -> f32 {
        let shared = |a: &Self, b: &Self| a.pairs - (a.seen & !b.seen).count_ones();
        dice(shared(self, other).min(shared(other, self)), self.pairs + other.pairs)
    }
}

fn dice(common: u32, total: u32) -> f32 {
    if total == 0 { 0.0 } else { 2.0 * common as f32 / total as f32 }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NAMES: [&str; 9] =
        ["connect", "connection", "Connections", "conection_pool", "retry", "re_try", "xx", "pool", "Reconnect"];

    #[test]
    fn likeness() {
        let likeness = |a, b| Spelling::new(a).likeness(&Spelling::new(b));
        assert_eq!(likeness("retry", "Re_try"), 1.0);
        assert!(likeness("conection", "connection") > 0.8);
        assert_eq!(likeness("a", "b"), 0.0);
    }

    #[test]
    fn nothing_is_more_alike_than_its_bound() {
        let spellings = NAMES.map(Spelling::new);
        for (a, b) in spellings.iter().flat_map(|a| spellings.iter().map(move |b| (a, b))) {
            assert!(a.outline().most_alike(&b.outline()) >= a.likeness(b));
        }
        assert_eq!(Spelling::new("retry").outline().most_alike(&Spelling::new("xx").outline()), 0.0);
    }

    #[test]
    fn the_nearest_by_spelling() {
        let offered = Offered::new(NAMES.into_iter().zip(0..).chain([("retry", 9)]).collect());
        let name = |symbol: u32| NAMES[symbol as usize % 9];
        let nearest = |word: &str, limit| offered.nearest(&[(word.to_owned(), 1.0)], None, name, limit);
        assert_eq!(nearest("conection", 3), ["connection", "Connections", "conection_pool"]);
        assert_eq!(nearest("retry", 5), ["re_try", "retry"]);
        assert_eq!(nearest("retry", 1), ["re_try"]);
        assert!(nearest("zzz", 5).is_empty() && nearest("retry", 0).is_empty());
    }
}
