//! A double-array trie: two tries, in fact, one of word starts and one of `##` continuations, in one array.
//!
//! A node is a *base*; its child by byte `b` sits in slot `base ^ b`. A slot (unit) is
//! `child's base << 9 | accepting << 8 | b`. No two nodes share a base, so a slot whose label is the byte sought
//! belongs to the node asked. Free slots have the label 0, a byte no token contains.

/// The arrays, of equal length.
pub struct Trie {
    /// A unit per slot.
    pub units: Vec<u32>,
    /// The token that ends in a slot, for accepting ones.
    pub ids: Vec<u16>,
    /// Base of the root for word starts.
    pub word_root: u32,
    /// Base of the root for continuations, without their `##`.
    pub rest_root: u32,
}

/// How many of the last blocks of 256 slots are searched for room. Earlier ones are nearly full.
const OPEN_BLOCKS: usize = 16;

struct Builder {
    trie: Trie,
    base_taken: Vec<bool>,
    first_free: usize,
}

/// The trie over token texts (index = id).
pub fn build(vocabulary: &[String]) -> Trie {
    let mut words = Vec::new();
    let mut rests = Vec::new();
    for (id, text) in vocabulary.iter().enumerate() {
        assert!(!text.bytes().any(|b| b == 0));
        let id = u16::try_from(id).expect("checked with the table's shape");
        match text.strip_prefix("##") {
            Some(rest) if !rest.is_empty() => rests.push((rest.as_bytes(), id)),
            _ => words.push((text.as_bytes(), id)),
        }
    }
    words.sort_unstable();
    rests.sort_unstable();
    let trie = Trie { units: Vec::new(), ids: Vec::new(), word_root: 0, rest_root: 0 };
    let mut builder = Builder { trie, base_taken: Vec::new(), first_free: 0 };
    builder.trie.word_root = builder.node(&words, 0);
    builder.trie.rest_root = builder.node(&rests, 0);
    assert!(builder.trie.units.len() < 1 << 23, "bases have 23 bits");
    builder.trie
}

impl Builder {
    /// Places the children of the node that the sorted `keys` share up to `depth`; returns its base.
    fn node(&mut self, keys: &[(&[u8], u16)], depth: usize) -> u32 {
        let inner = match keys.first() {
            Some((key, _)) if key.len() == depth => &keys[1..],
            _ => keys,
        };
        let children: Vec<&[(&[u8], u16)]> = inner.chunk_by(|a, b| a.0[depth] == b.0[depth]).collect();
        let labels: Vec<u8> = children.iter().map(|group| group[0].0[depth]).collect();
        let base = self.place(&labels);
        for (label, group) in labels.iter().zip(children) {
            let slot = base ^ usize::from(*label);
            let (key, id) = group[0];
            let accepting = key.len() == depth + 1;
            if accepting {
                self.trie.ids[slot] = id;
            }
            // A leaf needs no base of its own: base 0 is never given, and byte 0, its only way into a
            // slot that could match, never occurs. Slots 1..256 of block 0 stay empty for it.
            let child = if accepting && group.len() == 1 { 0 } else { self.node(group, depth + 1) };
            self.trie.units[slot] = child << 9 | u32::from(accepting) << 8 | u32::from(*label);
        }
        u32::try_from(base).expect("checked in build")
    }

    /// Finds a base with room for all labels and marks their slots as taken.
    fn place(&mut self, labels: &[u8]) -> usize {
        let open = self.trie.units.len().saturating_sub(OPEN_BLOCKS * 256).max(256);
        let mut slot = self.first_free.max(open);
        let base = loop {
            while slot >= self.trie.units.len() {
                self.trie.units.resize(self.trie.units.len() + 256, 0);
                self.trie.ids.resize(self.trie.units.len(), u16::MAX);
                self.base_taken.resize(self.trie.units.len(), false);
            }
            let base = slot ^ usize::from(labels[0]);
            let free = |label: &u8| self.trie.units[base ^ usize::from(*label)] == 0;
            if !self.base_taken[base] && labels.iter().all(free) {
                break base;
            }
            slot += 1;
        };
        self.base_taken[base] = true;
        for label in labels {
            self.trie.units[base ^ usize::from(*label)] = u32::from(*label);
        }
        while self.trie.units.get(self.first_free.max(256)).is_some_and(|unit| *unit != 0) {
            self.first_free = self.first_free.max(256) + 1;
        }
        base
    }
}
