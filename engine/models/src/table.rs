//! The table's rows, added up.

use crate::data::{DIMENSIONS, rows};

/// What one step of an `i8` row is worth: `value = SCALE * f32::from(code)`.
///
/// model2vec does not store the scale it quantised with, because vectors are normalised. A power of two puts rows into
/// -1..1 and is exact in every product.
const SCALE: f32 = 1.0 / 128.0;

/// Adds `weight` times the row of a token to a sum. With every weight 1, the normalised sum is model2vec's vector.
///
/// How much the token says as such is in the row's length.
///
/// # Panics
///
/// If there is no such token: ids are those that [`crate::tokenizer::pieces`] gives.
pub fn add_row(sum: &mut [f32; DIMENSIONS], id: u16, weight: f32) {
    // Two arrays of one length and a flat loop become vector code at the x86-64 baseline and on wasm (26 ns). By chunks
    // of sixteen LLVM gathers across the chunks instead (74 ns).
    let weight = weight * SCALE;
    for (sum, code) in sum.iter_mut().zip(&rows()[usize::from(id)]) {
        *sum += weight * f32::from(*code);
    }
}
