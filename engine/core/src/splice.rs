//! Lists in which some stretches are replaced by others, without making the rest of them anew.

use std::ops::Range;

/// In place of the number of an item that is no longer there.
pub const GONE: u32 = u32::MAX;

/// Up to so many stretches are replaced one by one, each of which moves all behind it; of more, a new list is made.
const FEW: usize = 4;

/// Which stretches of a list are replaced. What comes in their place stands in a list of its own, stretch after stretch.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Splice {
    /// In order: what is replaced, by its numbers in the list as it was, and by how many.
    edits: Vec<(Range<u32>, u32)>,
}

impl Splice {
    /// Replaces a stretch behind those that are replaced already by so many items.
    pub fn replace(&mut self, at: Range<u32>, by: u32) {
        self.edits.push((at, by));
    }

    /// The same for a list that lies stretch after stretch behind the items of this one: `kept` gives the stretch of each item
    /// that was there, `added` that of each that comes.
    pub fn within(&self, kept: &[(u32, u32)], added: &[(u32, u32)]) -> Self {
        let start_of = |item: u32| match kept.get(item as usize) {
            Some(&(start, _)) => start,
            None => kept.last().map_or(0, |&(_, end)| end),
        };
        let mut added = added.iter();
        let mut edit = |(at, by): &(Range<u32>, u32)| {
            let by = added.by_ref().take(*by as usize).map(|(start, end)| end - start).sum();
            (start_of(at.start)..start_of(at.end), by)
        };
        Self { edits: self.edits.iter().map(&mut edit).collect() }
    }

    /// Whether an item that stays has another number than before.
    pub fn moves(&self) -> bool {
        self.edits.iter().any(|(at, by)| at.len() as u32 != *by)
    }

    /// The number of each of `count` items that were there, [`GONE`] if it is not any more.
    pub fn kept(&self, count: usize) -> Vec<u32> {
        let mut numbers = Vec::with_capacity(count);
        let mut next = 0;
        let keep = |numbers: &mut Vec<u32>, until: usize, next: &mut u32| {
            let first = *next;
            *next += (until - numbers.len()) as u32;
            numbers.extend(first..*next);
        };
        for (at, by) in &self.edits {
            keep(&mut numbers, at.start as usize, &mut next);
            numbers.resize(at.end as usize, GONE);
            next += by;
        }
        keep(&mut numbers, count, &mut next);
        numbers
    }

    /// The stretches that go, by their numbers before.
    pub fn gone(&self) -> impl Iterator<Item = Range<u32>> {
        self.edits.iter().map(|(at, _)| at.clone())
    }

    /// The number of each item that comes.
    pub fn added(&self) -> Vec<u32> {
        let mut numbers = Vec::new();
        // How many more there are before a stretch than there were.
        let mut more = 0u32;
        for (at, by) in &self.edits {
            let first = at.start.wrapping_add(more);
            numbers.extend(first..first + by);
            more = more.wrapping_add(*by).wrapping_sub(at.len() as u32);
        }
        numbers
    }

    /// Replaces the stretches of a list.
    pub fn apply<T>(&self, list: &mut Vec<T>, mut new: Vec<T>) {
        if self.edits.len() <= FEW {
            for (at, by) in self.edits.iter().rev() {
                let by = new.split_off(new.len() - *by as usize);
                list.splice(at.start as usize..at.end as usize, by);
            }
            return;
        }
        let mut out = Vec::with_capacity(list.len() + new.len());
        let mut old = std::mem::take(list).into_iter();
        let (mut new, mut taken) = (new.into_iter(), 0);
        for (at, by) in &self.edits {
            out.extend(old.by_ref().take((at.start - taken) as usize));
            old.by_ref().take(at.len()).for_each(drop);
            out.extend(new.by_ref().take(*by as usize));
            taken = at.end;
        }
        out.extend(old);
        *list = out;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn splice(edits: &[(Range<u32>, u32)]) -> Splice {
        let mut splice = Splice::default();
        edits.iter().for_each(|(at, by)| splice.replace(at.clone(), *by));
        splice
    }

    #[test]
    fn stretches_are_replaced() {
        // Few stretches, which are replaced in place, and more than those.
        for edits in [
            vec![(0..0, 1), (1..3, 1), (5..5, 2), (6..7, 0)],
            vec![(0..1, 0), (1..1, 1), (2..3, 1), (3..4, 2), (5..7, 0), (8..8, 1)],
        ] {
            let splice = splice(&edits);
            let count = edits.iter().map(|(_, by)| by).sum::<u32>();
            let (mut list, new): (Vec<u32>, Vec<u32>) = ((0..8).collect(), (100..100 + count).collect());
            splice.apply(&mut list, new.clone());
            let mut expected = vec![0; list.len()];
            let numbers = splice.kept(8).into_iter().zip(0..).chain(splice.added().into_iter().zip(new));
            for (number, value) in numbers.filter(|&(number, _)| number != GONE) {
                expected[number as usize] = value;
            }
            assert_eq!(list, expected, "{edits:?}");
            let gone = splice.kept(8).iter().filter(|&&number| number == GONE).count();
            assert_eq!(list.len(), 8 - gone + count as usize);
        }
    }

    #[test]
    fn stretches_of_stretches() {
        let files = splice(&[(0..1, 1), (2..2, 1), (2..3, 0)]);
        let chunks = files.within(&[(0, 2), (2, 2), (2, 5)], &[(0, 3), (3, 4)]);
        assert_eq!(chunks, splice(&[(0..2, 3), (2..2, 1), (2..5, 0)]));
        assert!(chunks.moves() && !splice(&[(0..1, 1)]).moves());
        assert!(files.within(&[], &[(0, 3), (3, 4)]).kept(0).is_empty());
    }
}
