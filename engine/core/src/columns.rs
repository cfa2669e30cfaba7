//! Columns of small numbers as bytes: seven bits a byte, low ones first, so that a number below 128 takes one.
//!
//! Of what rises, or lies near something, the difference is written. What comes out is not short by itself; it is what a
//! general compressor makes short, since most bytes of a column are alike.

/// Writes columns.
#[derive(Default)]
pub struct Packer {
    /// What was written.
    pub bytes: Vec<u8>,
}

impl Packer {
    /// Appends a number.
    pub fn number(&mut self, mut number: u32) {
        while number >= 128 {
            self.bytes.push(number as u8 | 128);
            number >>= 7;
        }
        self.bytes.push(number as u8);
    }

    /// Appends a column.
    pub fn numbers(&mut self, numbers: impl Iterator<Item = u32>) {
        numbers.for_each(|number| self.number(number));
    }

    /// Appends a number that is near another, on either side.
    pub fn near(&mut self, number: u32, other: u32) {
        let difference = number.wrapping_sub(other) as i32;
        self.number(((difference << 1) ^ (difference >> 31)) as u32);
    }

    /// Appends a column of numbers each of which is near the one before it.
    pub fn steps(&mut self, numbers: impl Iterator<Item = u32>) {
        let mut before = 0;
        for number in numbers {
            self.near(number, before);
            before = number;
        }
    }

    /// Appends a column of numbers of which each is larger than the one before it.
    pub fn rising(&mut self, numbers: impl Iterator<Item = u32>) {
        let mut next = 0u64;
        for number in numbers {
            self.number((u64::from(number) - next) as u32);
            next = u64::from(number) + 1;
        }
    }

    /// Appends a text with its length.
    pub fn text(&mut self, text: &str) {
        self.number(text.len() as u32);
        self.bytes.extend_from_slice(text.as_bytes());
    }
}

/// Reads columns. Everything is `None` where the bytes end too early or are no numbers.
pub struct Unpacker<'a> {
    rest: &'a [u8],
}

impl<'a> Unpacker<'a> {
    /// Reads these bytes.
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes }
    }

    /// Whether all was read.
    pub fn is_done(&self) -> bool {
        self.rest.is_empty()
    }

    /// The next bytes.
    pub fn bytes(&mut self, count: usize) -> Option<&'a [u8]> {
        let (bytes, rest) = self.rest.split_at_checked(count)?;
        self.rest = rest;
        Some(bytes)
    }

    /// A number.
    #[inline]
    pub fn number(&mut self) -> Option<u32> {
        match *self.rest {
            [first, ref rest @ ..] if first < 128 => {
                self.rest = rest;
                Some(u32::from(first))
            }
            [first, second, ref rest @ ..] if second < 128 => {
                self.rest = rest;
                Some(u32::from(first & 127) | u32::from(second) << 7)
            }
            _ => self.long(),
        }
    }

    #[inline(never)]
    fn long(&mut self) -> Option<u32> {
        let (&first, rest) = self.rest.split_first()?;
        self.rest = rest;
        let mut number = u32::from(first & 127);
        for shift in [7, 14, 21, 28] {
            let (&byte, rest) = self.rest.split_first()?;
            self.rest = rest;
            number |= u32::from(byte & 127) << shift;
            if byte < 128 {
                return Some(number);
            }
        }
        None
    }

    /// A number that is near another.
    #[inline]
    pub fn near(&mut self, other: u32) -> Option<u32> {
        self.number().map(|by| moved(other, by))
    }

    /// A column.
    pub fn numbers(&mut self, count: usize) -> Option<Vec<u32>> {
        let mut numbers = Vec::with_capacity(count.min(self.rest.len()));
        for _ in 0..count {
            numbers.push(self.number()?);
        }
        Some(numbers)
    }

    /// A column of numbers of which each is larger than the one before it, given one by one.
    pub fn rising(&mut self, count: usize, mut each: impl FnMut(u32)) -> Option<()> {
        let mut next = 0u64;
        for _ in 0..count {
            let number = u32::try_from(next + u64::from(self.number()?)).ok()?;
            each(number);
            next = u64::from(number) + 1;
        }
        Some(())
    }

    /// A column of numbers each of which is near the one before it.
    pub fn steps(&mut self, count: usize) -> Option<Vec<u32>> {
        let mut numbers = Vec::with_capacity(count.min(self.rest.len()));
        let mut before = 0;
        for _ in 0..count {
            before = self.near(before)?;
            numbers.push(before);
        }
        Some(numbers)
    }

    /// How many there are of something of which each takes a byte at least.
    pub fn count(&mut self) -> Option<usize> {
        let count = self.number()? as usize;
        (count <= self.rest.len()).then_some(count)
    }

    /// A text with its length.
    pub fn text(&mut self) -> Option<&'a str> {
        let length = self.number()? as usize;
        std::str::from_utf8(self.bytes(length)?).ok()
    }
}

/// What [`Packer::near`] has written of a number, read as that number.
#[inline]
pub fn moved(other: u32, by: u32) -> u32 {
    other.wrapping_add((by >> 1) ^ (by & 1).wrapping_neg())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back() {
        let all = [0, 1, 127, 128, 300, 1 << 21, u32::MAX - 1, u32::MAX, 5, 4];
        let mut packer = Packer::default();
        packer.numbers(all.into_iter());
        packer.steps(all.into_iter());
        packer.rising([0, 1, 200, u32::MAX].into_iter());
        packer.near(3, 7);
        packer.text("größer");
        let bytes = packer.bytes;
        let mut from = Unpacker::new(&bytes);
        assert_eq!(from.numbers(all.len()).as_deref(), Some(&all[..]));
        assert_eq!(from.steps(all.len()).as_deref(), Some(&all[..]));
        let mut rising = Vec::new();
        assert_eq!(from.rising(4, |number| rising.push(number)), Some(()));
        assert_eq!(rising, [0, 1, 200, u32::MAX]);
        assert_eq!((from.near(7), from.text()), (Some(3), Some("größer")));
        assert!(from.is_done() && from.number().is_none());
        // After the largest number comes none.
        assert_eq!(Unpacker::new(&[255, 255, 255, 255, 15, 0]).rising(2, drop), None);
        // Six bytes are no number, however they go on.
        assert_eq!(Unpacker::new(&[255; 9]).number(), None);
        assert_eq!(Unpacker::new(&[200, 1]).count(), None);
    }
}
