//! The strings of a file in the form they are stored in, wherever that lies: nothing is copied to read them.

use tantivy::directory::OwnedBytes;

use crate::analysis::Strings;

/// Many short strings, numbered.
#[derive(Clone)]
pub struct Texts {
    text: OwnedBytes,
    /// End of each, four bytes each, the low one first.
    ends: OwnedBytes,
}

impl Default for Texts {
    fn default() -> Self {
        Self { text: OwnedBytes::empty(), ends: OwnedBytes::empty() }
    }
}

impl Texts {
    /// The strings in these bytes, with their ends in those. A number out of range reads as an empty string.
    pub fn new(text: OwnedBytes, ends: OwnedBytes) -> Self {
        Self { text, ends }
    }

    /// Length in bytes of the string of this number; 0 for a number that was never given.
    pub fn length(&self, number: u32) -> usize {
        self.range(number).map_or(0, |range| range.len())
    }

    /// The string of this number; empty for a number that was never given.
    pub fn get(&self, number: u32) -> &str {
        let bytes = self.range(number).and_then(|range| self.text.get(range)).unwrap_or_default();
        std::str::from_utf8(bytes).unwrap_or_default()
    }

    fn range(&self, number: u32) -> Option<std::ops::Range<usize>> {
        let end_at = |at: usize| {
            let bytes = self.ends.get(4 * at..4 * at + 4)?;
            Some(u32::from_le_bytes(bytes.try_into().ok()?) as usize)
        };
        let number = number as usize;
        let start = if number == 0 { Some(0) } else { end_at(number - 1) };
        start.zip(end_at(number)).map(|(start, end)| start..end)
    }
}

impl From<Strings> for Texts {
    fn from(strings: Strings) -> Self {
        let (text, ends) = strings.into_parts();
        let ends = bytemuck::cast_slice::<u32, u8>(&ends).to_vec();
        Self { text: OwnedBytes::new(text.into_bytes()), ends: OwnedBytes::new(ends) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_stay_what_they_are() {
        let mut strings = Strings::default();
        let all = ["", "a", "größer", "", "z"];
        let numbers: Vec<u32> = all.iter().map(|text| strings.push(text)).collect();
        assert_eq!(numbers, [0, 1, 2, 3, 4]);
        let texts = Texts::from(strings);
        assert!(all.iter().enumerate().all(|(number, text)| texts.get(number as u32) == *text));
        assert!(all.iter().enumerate().all(|(number, text)| texts.length(number as u32) == text.len()));
        assert_eq!((texts.get(5), texts.length(5)), ("", 0));
        assert_eq!(Texts::default().get(0), "");
        let cut = Texts::new(OwnedBytes::new(vec![0xc3]), OwnedBytes::new(vec![1, 0, 0, 0, 9, 9]));
        assert_eq!((cut.get(0), cut.get(1)), ("", ""));
    }
}
