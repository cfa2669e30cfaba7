//! The table's rows and weighted sums of them.

use crate::data::{DIMENSIONS, rows};
use crate::vector::Vector;

/// What one step of an `i8` row is worth: `value = SCALE * f32::from(code)`.
///
/// model2vec does not store the scale it quantised with, because vectors are normalised. A power of two puts rows into
/// -1..1 and is exact in every product.
pub const SCALE: f32 = 1.0 / 128.0;

/// The row of a token.
///
/// The importance of the token (rare tokens count for more) is in the row's length.
///
/// # Panics
///
/// If there is no such token: ids are those that [`crate::pieces`] gives, below [`crate::TOKENS`].
pub fn row(id: u16) -> &'static [i8; DIMENSIONS] {
    &rows()[usize::from(id)]
}

/// The sum of the rows of tokens, each times its weight, in the order given. Not normalised.
///
/// With every weight 1, the normalised result is model2vec's vector of the text.
///
/// # Panics
///
/// If there is no such token, see [`row`].
pub fn embed(pieces: impl IntoIterator<Item = (u16, f32)>) -> Vector {
    let mut sum = Vector::ZERO;
    for (id, weight) in pieces {
        add_row(&mut sum.0, id, weight);
    }
    sum
}

/// Adds `weight` times the row of a token to a sum: one step of [`embed`].
///
/// # Panics
///
/// If there is no such token, see [`row`].
pub fn add_row(sum: &mut [f32; DIMENSIONS], id: u16, weight: f32) {
    // Two arrays of one length and a flat loop become vector code at the x86-64 baseline and on wasm (26 ns). By chunks
    // of sixteen LLVM gathers across the chunks instead (74 ns).
    let weight = weight * SCALE;
    for (sum, code) in sum.iter_mut().zip(row(id)) {
        *sum += weight * f32::from(*code);
    }
}
