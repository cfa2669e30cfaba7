//! The table as the engine sees it.

use seekwell_core::table::Table;

use crate::data::{DIMENSIONS, TOKENS};
use crate::table::add_row;
use crate::tokenizer::pieces;
use crate::vector::{dot_i8, dots_i8, normalize, quantize};

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
        let (codes, scale) = quantize(sized(vector));
        out.extend_from_slice(&codes);
        scale
    }

    fn dot(&self, a: &[i8], b: &[i8]) -> i32 {
        dot_i8(sized(a), sized(b))
    }

    fn dots(&self, rows: &[i8], others: [&[i8]; 2], out: &mut Vec<[i32; 2]>) {
        dots_i8(rows.as_chunks().0, others.map(sized), out);
    }

    fn dimensions(&self) -> usize {
        DIMENSIONS
    }

    fn len(&self) -> usize {
        TOKENS
    }
}

fn sized<T>(slice: &[T]) -> &[T; DIMENSIONS] {
    slice.try_into().expect("vectors have the table's dimensions")
}

fn sized_mut<T>(slice: &mut [T]) -> &mut [T; DIMENSIONS] {
    slice.try_into().expect("vectors have the table's dimensions")
}
