//! The table as the engine sees it.

use seekwell_core::table::{PackedRows, Table};

use crate::data::{DIMENSIONS, TOKENS};
use crate::table::add_row;
use crate::tokenizer::pieces;
use crate::vector::{PACKED, dot_i8, dots_packed, normalize, pack, quantize, rotate, squares_packed};

/// The embedded table behind the engine's seam.
pub struct StaticTable;

impl Table for StaticTable {
    fn pieces(&self, word: &str, out: &mut Vec<u16>) {
        pieces(word, out);
    }

    fn add_row(&self, sum: &mut [f32], piece: u16, weight: f32) {
        add_row(sized_mut(sum), piece, weight);
    }

    fn normalize(&self, vector: &mut [f32]) -> bool {
        let vector = sized_mut(vector);
        normalize(vector);
        vector.iter().any(|&v| v != 0.0)
    }

    fn quantize(&self, vector: &[f32], out: &mut Vec<i8>) -> f32 {
        let mut turned = *sized(vector);
        rotate(&mut turned);
        let (codes, scale) = quantize(&turned);
        out.extend_from_slice(&codes);
        scale
    }

    fn pack(&self, vector: &[f32], out: &mut PackedRows<Vec<u8>>) {
        let mut turned = *sized(vector);
        rotate(&mut turned);
        let (high, low) = pack(&turned);
        out.high.extend_from_slice(&high);
        out.low.extend_from_slice(&low);
    }

    fn dot(&self, a: &[i8], b: &[i8]) -> i32 {
        dot_i8(sized(a), sized(b))
    }

    fn dots_packed(&self, rows: PackedRows<&[u8]>, codes: [&[i8]; 2], out: &mut Vec<[i32; 2]>) {
        dots_packed(rows_of(rows.high), rows_of(rows.low), codes.map(sized), out);
    }

    fn squares_packed(&self, rows: PackedRows<&[u8]>, out: &mut Vec<i32>) {
        squares_packed(rows_of(rows.high), rows_of(rows.low), out);
    }

    fn packed_bytes(&self) -> PackedRows<usize> {
        PackedRows { high: PACKED[0], low: PACKED[1] }
    }

    fn dimensions(&self) -> usize {
        DIMENSIONS
    }

    fn len(&self) -> usize {
        TOKENS
    }
}

fn rows_of<const N: usize>(bytes: &[u8]) -> &[[u8; N]] {
    let (rows, rest) = bytes.as_chunks();
    assert!(rest.is_empty(), "rows are whole");
    rows
}

fn sized<T>(slice: &[T]) -> &[T; DIMENSIONS] {
    slice.try_into().expect("vectors have the table's dimensions")
}

fn sized_mut<T>(slice: &mut [T]) -> &mut [T; DIMENSIONS] {
    slice.try_into().expect("vectors have the table's dimensions")
}
