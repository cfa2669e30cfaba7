//! The seam to the static embedding table: this crate knows what a table does, not where one comes from.

/// A static embedding table: text pieces with an int8 row each, and the arithmetic on vectors of its dimensions.
///
/// A text's vector is the weighted sum of its pieces' rows, L2-normalised. Every operation gives the same bits on every
/// machine. Slices must have [`Table::dimensions`] values.
pub trait Table: Sync {
    /// Appends the numbers of the pieces of `word` (a run of letters, digits and underscores).
    fn pieces(&self, word: &str, out: &mut Vec<u16>);
    /// Adds `weight` times the row of a piece.
    fn add_row(&self, sum: &mut [f32], piece: u16, weight: f32);
    /// Scales to length 1; false if there is no length.
    fn normalize(&self, vector: &mut [f32]) -> bool;
    /// Appends the vector as int8 codes and returns the scale that brings it back.
    fn quantize(&self, vector: &[f32], out: &mut Vec<i8>) -> f32;
    /// The exact inner product of two rows of codes.
    fn dot(&self, a: &[i8], b: &[i8]) -> i32;
    /// The same of each of some rows, which stand one after the other, with two others.
    fn dots(&self, rows: &[i8], others: [&[i8]; 2], out: &mut Vec<[i32; 2]>) {
        out.extend(rows.chunks_exact(self.dimensions()).map(|row| others.map(|other| self.dot(row, other))));
    }
    /// Values per row.
    fn dimensions(&self) -> usize;
    /// Number of rows.
    fn len(&self) -> usize;
    /// Whether there is no row.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
}
