//! The arrays that `build.rs` wrote, with their types. Nothing else in the crate knows the files.

include!(concat!(env!("OUT_DIR"), "/shape.rs"));

/// Rows begin at multiples of 16 bytes, so that no load of sixteen lanes crosses two cache lines.
#[repr(align(16))]
struct Rows([u8; TOKENS * DIMENSIONS]);

static ROWS: Rows = Rows(*include_bytes!(concat!(env!("OUT_DIR"), "/rows.bin")));

/// The trie's units, see [`crate::trie`].
pub static TRIE_UNITS: [u32; TRIE_SLOTS] = u32s(include_bytes!(concat!(env!("OUT_DIR"), "/trie_units.bin")));

/// The token that ends in each of the trie's slots.
pub static TRIE_IDS: [u16; TRIE_SLOTS] = u16s(include_bytes!(concat!(env!("OUT_DIR"), "/trie_ids.bin")));

/// Which block of [`CLASSES`] holds each 128 code points.
pub static BLOCKS: [u8; CHAR_BLOCKS] = *include_bytes!(concat!(env!("OUT_DIR"), "/char_blocks.bin"));

/// Character classes, see [`crate::chars`].
pub static CLASSES: [u16; CHAR_CLASSES] = u16s(include_bytes!(concat!(env!("OUT_DIR"), "/char_classes.bin")));

/// What mapped characters become, see [`crate::chars`].
pub static MAPS: [u32; CHAR_MAPS] = u32s(include_bytes!(concat!(env!("OUT_DIR"), "/char_maps.bin")));

/// All rows, by token.
pub fn rows() -> &'static [[i8; DIMENSIONS]] {
    bytemuck::cast_slice(&ROWS.0).as_chunks().0
}

// Both run in the compiler: the binary holds numbers in the target's byte order.
const fn u32s<const N: usize>(bytes: &[u8]) -> [u32; N] {
    assert!(bytes.len() == N * 4);
    let mut numbers = [0; N];
    let mut i = 0;
    while i < N {
        numbers[i] = u32::from_le_bytes([bytes[4 * i], bytes[4 * i + 1], bytes[4 * i + 2], bytes[4 * i + 3]]);
        i += 1;
    }
    numbers
}

const fn u16s<const N: usize>(bytes: &[u8]) -> [u16; N] {
    assert!(bytes.len() == N * 2);
    let mut numbers = [0; N];
    let mut i = 0;
    while i < N {
        numbers[i] = u16::from_le_bytes([bytes[2 * i], bytes[2 * i + 1]]);
        i += 1;
    }
    numbers
}
