//! The seam to the static embedding table: this crate knows what a table does, not where one comes from.

/// Packed rows in two parts, each row after row: what a compressor finds something in, and what it does not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PackedRows<T> {
    /// Leading bits.
    pub high: T,
    /// Last bits.
    pub low: T,
}

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
    /// Appends the vector as int8 codes and returns the scale that brings its length back. Codes may be of a turned space, in
    /// which lengths and inner products are the same.
    fn quantize(&self, vector: &[f32], out: &mut Vec<i8>) -> f32;
    /// The exact inner product of two rows of codes.
    fn dot(&self, a: &[i8], b: &[i8]) -> i32;
    /// Appends a vector of length 1, or the zero vector, as a packed row: coarser codes, for the many that are kept.
    fn pack(&self, vector: &[f32], out: &mut PackedRows<Vec<u8>>);
    /// Appends the inner products of each packed row with two rows of [`Table::quantize`]'s codes: exact, and in units of their
    /// own, which [`Table::squares_packed`] has, too.
    fn dots_packed(&self, rows: PackedRows<&[u8]>, codes: [&[i8]; 2], out: &mut Vec<[i32; 2]>);
    /// Appends the square of each packed row's length; 0 for the zero vector.
    fn squares_packed(&self, rows: PackedRows<&[u8]>, out: &mut Vec<i32>);
    /// Bytes of a packed row.
    fn packed_bytes(&self) -> PackedRows<usize>;
    /// Values per row.
    fn dimensions(&self) -> usize;
    /// Number of rows.
    fn len(&self) -> usize;
    /// Whether there is no row.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
}
