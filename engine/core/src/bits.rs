//! Numbers as bits, for lists that are so short and so many that whole bytes are too much.
//!
//! Where in a range a few things lie is written by binary interpolative coding (A. Moffat, L. Stuiver, 2000): the middle one
//! first, in no more bits than it has places left, then both halves in what it leaves them. Things that lie close together
//! cost little, and those that fill their range nothing. Bits are filled from the low ones up.

/// Writes bits.
#[derive(Default)]
pub struct BitPacker {
    bytes: Vec<u8>,
    /// Bits that make no byte yet, and how many.
    waiting: u64,
    count: u32,
}

impl BitPacker {
    /// Appends the `count` low bits of a number, 32 at most.
    pub fn bits(&mut self, number: u32, count: u32) {
        self.waiting |= (u64::from(number) & ((1 << count) - 1)) << self.count;
        self.count += count;
        while self.count >= 8 {
            self.bytes.push(self.waiting as u8);
            self.waiting >>= 8;
            self.count -= 8;
        }
    }

    /// Appends a number above 0, in few bits if it is small: Elias' gamma code.
    pub fn count(&mut self, number: u32) {
        let length = number.ilog2();
        self.bits(0, length);
        self.bits(1, 1);
        self.bits(number, length);
    }

    /// Appends a number below `limit`: with `limit` no power of two, the first ones take a bit less.
    fn below(&mut self, number: u32, limit: u32) {
        let length = limit.ilog2();
        let short = (2 << length) - u64::from(limit);
        if u64::from(number) < short {
            self.bits(number, length);
        } else {
            // The bits that decide stand first.
            let coded = u64::from(number) + short;
            self.bits((coded >> 1) as u32, length);
            self.bits(coded as u32 & 1, 1);
        }
    }

    /// Appends numbers of which each is larger than the one before it, all from `first` to before `end`.
    pub fn rising(&mut self, numbers: &[u32], first: u32, end: u32) {
        if numbers.is_empty() || numbers.len() as u32 == end - first {
            return;
        }
        let at = numbers.len() / 2;
        let (before, middle, after) = (&numbers[..at], numbers[at], &numbers[at + 1..]);
        let least = first + before.len() as u32;
        self.below(middle - least, end - after.len() as u32 - least);
        self.rising(before, first, middle);
        self.rising(after, middle + 1, end);
    }

    /// All that was written, up to a whole byte.
    pub fn finish(mut self) -> Vec<u8> {
        self.bits(0, self.count.wrapping_neg() % 8);
        self.bytes
    }
}

/// Reads bits. Everything is `None` where they end too early.
pub struct BitUnpacker<'a> {
    rest: &'a [u8],
    waiting: u64,
    count: u32,
}

impl<'a> BitUnpacker<'a> {
    /// Reads these bytes.
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes, waiting: 0, count: 0 }
    }

    /// Whether all was read, but for what fills the last byte.
    pub fn is_done(&self) -> bool {
        self.rest.is_empty() && self.count < 8 && self.waiting == 0
    }

    /// Makes more than 32 bits wait, if there are so many.
    #[inline]
    fn fill(&mut self) {
        if self.count > 32 {
            return;
        }
        if let Some((bytes, rest)) = self.rest.split_first_chunk::<4>() {
            self.waiting |= u64::from(u32::from_le_bytes(*bytes)) << self.count;
            (self.rest, self.count) = (rest, self.count + 32);
            return;
        }
        while let Some((&byte, rest)) = self.rest.split_first() {
            self.waiting |= u64::from(byte) << self.count;
            (self.rest, self.count) = (rest, self.count + 8);
        }
    }

    /// The next bits, 32 at most.
    #[inline]
    pub fn bits(&mut self, count: u32) -> Option<u32> {
        self.fill();
        self.count = self.count.checked_sub(count)?;
        let bits = self.waiting & ((1 << count) - 1);
        self.waiting >>= count;
        Some(bits as u32)
    }

    /// A number above 0.
    #[inline]
    pub fn count(&mut self) -> Option<u32> {
        self.fill();
        // More than 31 zeros begin no number; nor do zeros up to the end.
        let length = self.waiting.trailing_zeros();
        if length > 31 {
            return None;
        }
        self.bits(length + 1)?;
        Some(1 << length | self.bits(length)?)
    }

    #[inline]
    fn below(&mut self, limit: u32) -> Option<u32> {
        let length = limit.ilog2();
        let short = (2 << length) - u64::from(limit);
        let number = u64::from(self.bits(length)?);
        if number < short {
            return Some(number as u32);
        }
        Some(((number << 1 | u64::from(self.bits(1)?)) - short) as u32)
    }

    /// Fills `numbers` with what [`BitPacker::rising`] has written of so many. They are in the range, whatever the bytes.
    pub fn rising(&mut self, numbers: &mut [u32], first: u32, end: u32) -> Option<()> {
        (numbers.len() <= end.checked_sub(first)? as usize).then_some(())?;
        self.rising_within(numbers, first, end)
    }

    fn rising_within(&mut self, numbers: &mut [u32], first: u32, end: u32) -> Option<()> {
        if numbers.len() as u32 == end - first {
            numbers.iter_mut().zip(first..).for_each(|(number, value)| *number = value);
            return Some(());
        }
        let (before, from) = numbers.split_at_mut(numbers.len() / 2);
        let Some((middle, after)) = from.split_first_mut() else { return Some(()) };
        // Most lists have one number or two: nothing is looked for where nothing is.
        if before.is_empty() {
            *middle = first + self.below(end - first)?;
            return Some(());
        }
        let least = first + before.len() as u32;
        *middle = least + self.below(end - after.len() as u32 - least)?;
        self.rising_within(before, first, *middle)?;
        self.rising_within(after, *middle + 1, end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back() {
        let counts = [1, 2, 3, 4, 255, 1 << 20, u32::MAX];
        let lists: [(&[u32], u32, u32); 8] = [
            (&[], 0, 0),
            (&[], 3, 9),
            (&[4], 4, 5),
            (&[0, 1, 2, 3], 0, 4),
            (&[7, 8, 9, 100, 101, 4_000_000_000], 5, u32::MAX),
            (&[0, 4], 0, 5),
            (&[1, 2, 3, 5, 8, 13, 21], 1, 22),
            (&[6], 0, 7),
        ];
        let mut packer = BitPacker::default();
        packer.bits(5, 3);
        counts.into_iter().for_each(|number| packer.count(number));
        packer.bits(u32::MAX, 32);
        lists.into_iter().for_each(|(numbers, first, end)| packer.rising(numbers, first, end));
        for limit in 1..40 {
            (0..limit).for_each(|number| packer.below(number, limit));
        }
        let bytes = packer.finish();
        let mut from = BitUnpacker::new(&bytes);
        assert_eq!(from.bits(3), Some(5));
        counts.into_iter().for_each(|number| assert_eq!(from.count(), Some(number)));
        assert_eq!(from.bits(32), Some(u32::MAX));
        for (numbers, first, end) in lists {
            let mut read = vec![0; numbers.len()];
            assert_eq!(from.rising(&mut read, first, end), Some(()));
            assert_eq!(read, numbers);
        }
        for limit in 1..40 {
            (0..limit).for_each(|number| assert_eq!(from.below(limit), Some(number)));
        }
        assert!(from.is_done() && from.bits(8).is_none() && from.count().is_none());
    }

    #[test]
    fn what_fills_its_range_or_lies_close_costs_little() {
        let length = |numbers: &[u32], end| {
            let mut packer = BitPacker::default();
            packer.rising(numbers, 0, end);
            packer.finish().len()
        };
        assert_eq!(length(&(0..1000).collect::<Vec<_>>(), 1000), 0);
        let (close, far): (Vec<_>, Vec<_>) = (0..20).map(|n| (500 + n, n * 50)).unzip();
        assert!(length(&close, 1000) * 3 < length(&far, 1000) * 2);
        assert_eq!(length(&[3], 4), 1);
    }

    #[test]
    fn what_no_packer_wrote_is_refused_or_in_range() {
        assert_eq!(BitUnpacker::new(&[]).count(), None);
        assert_eq!(BitUnpacker::new(&[0; 16]).count(), None);
        assert_eq!(BitUnpacker::new(&[0, 0, 0, 128]).count(), None, "its bits are missing");
        assert_eq!(BitUnpacker::new(&[0; 9]).rising(&mut [0; 3], 5, 7), None, "three in two");
        assert_eq!(BitUnpacker::new(&[0; 9]).rising(&mut [0; 1], 7, 5), None);
        let mut random = 7u32;
        for _ in 0..500 {
            let mut byte = || {
                random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                (random >> 24) as u8
            };
            let (count, range) = (usize::from(byte() % 40), u32::from(byte()) + 40);
            let bytes: Vec<u8> = (0..byte()).map(|_| byte()).collect();
            let mut numbers = vec![0; count];
            if BitUnpacker::new(&bytes).rising(&mut numbers, 3, range).is_some() {
                assert!(numbers.is_sorted_by(|a, b| a < b), "{numbers:?}");
                assert!(numbers.iter().all(|number| (3..range).contains(number)), "{numbers:?}");
            }
        }
    }
}
