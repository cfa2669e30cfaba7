//! Vectors and the arithmetic on them, the same bits on every processor.
//!
//! Two rules make it so. Sums of floats are taken in an order written out here (by lanes, then over the lanes), which
//! also lets the compiler use vector registers. And only operations that IEEE 754 rounds exactly are used: `+ - * /` and
//! the square root, never a fused multiply-add.
//!
//! Values are taken to be finite, as all that come from the table are.

use crate::data::DIMENSIONS;

/// A vector in the space of the table.
pub type Vector = [f32; DIMENSIONS];

/// Scales a vector to length 1; the zero vector stays as it is.
pub fn normalize(vector: &mut Vector) {
    let length = dot(vector, vector).sqrt();
    if length > 0.0 {
        let factor = 1.0 / length;
        vector.iter_mut().for_each(|value| *value *= factor);
    }
}

/// Symmetric `i8` codes and their scale: `value ≈ scale * f32::from(code)`, codes in -127..=127, ties to even.
///
/// The scale is a 127th of the largest magnitude, and 0 for the zero vector.
pub fn quantize(vector: &Vector) -> ([i8; DIMENSIONS], f32) {
    // Adding 1.5 * 2^23 leaves the value, rounded, in the low bits: `f32::round` is a call on plain x86-64.
    const SHIFT: f32 = 12_582_912.0;
    let scale = magnitude(vector) / 127.0;
    let factor = if scale > 0.0 { 1.0 / scale } else { 0.0 };
    // The factor of a subnormal scale overflows; what is that small is zero.
    if !factor.is_finite() {
        return ([0; DIMENSIONS], 0.0);
    }
    let code = |value: f32| (value * factor + SHIFT).to_bits().wrapping_sub(SHIFT.to_bits()) as i8;
    (vector.map(code), scale)
}

/// The largest magnitude. Magnitudes compare as their bits do, and integers may be compared in any order, which is what
/// lets the compiler do many at once.
fn magnitude(vector: &Vector) -> f32 {
    let bits = vector.iter().map(|value| value.abs().to_bits() as i32);
    f32::from_bits(bits.max().unwrap_or(0) as u32)
}

/// The inner product; for normalised vectors the cosine.
fn dot(a: &Vector, b: &Vector) -> f32 {
    // Eight sums and a plain sum of those: the one shape of several tried that needs no shuffles on either target.
    let mut lanes = [0.0f32; 8];
    for (a, b) in a.as_chunks::<8>().0.iter().zip(b.as_chunks::<8>().0) {
        for i in 0..8 {
            lanes[i] += a[i] * b[i];
        }
    }
    lanes.iter().sum()
}

/// The exact inner product of two rows of codes; also of rows of the table.
#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
pub fn dot_i8(a: &[i8; DIMENSIONS], b: &[i8; DIMENSIONS]) -> i32 {
    // Products of two codes fit in i16, and sums by lane let pairs be added where they stand: `pmaddwd` on x86-64.
    // The plain sum over all codes compiles to twice the instructions.
    let mut lanes = [0i32; 16];
    for (a, b) in a.as_chunks::<16>().0.iter().zip(b.as_chunks::<16>().0) {
        for i in 0..16 {
            lanes[i] += i32::from(i16::from(a[i]) * i16::from(b[i]));
        }
    }
    lanes.iter().sum()
}

/// The exact inner product of two rows of codes; also of rows of the table.
// LLVM finds `i32x4.dot_i16x8_s` in no portable form tried. In V8: 6 ns against 20 to 36 ns.
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
pub fn dot_i8(a: &[i8; DIMENSIONS], b: &[i8; DIMENSIONS]) -> i32 {
    use std::arch::wasm32::{i32x4_extract_lane as lane, *};
    // One load: LLVM puts sixteen neighbours together when they are named one by one, and not when they are mapped.
    let load = |c: &[i8; 16]| {
        i8x16(c[0], c[1], c[2], c[3], c[4], c[5], c[6], c[7], c[8], c[9], c[10], c[11], c[12], c[13], c[14], c[15])
    };
    let mut sums = i32x4_splat(0);
    for (a, b) in a.as_chunks::<16>().0.iter().zip(b.as_chunks::<16>().0) {
        let (a, b) = (load(a), load(b));
        let low = i32x4_dot_i16x8(i16x8_extend_low_i8x16(a), i16x8_extend_low_i8x16(b));
        let high = i32x4_dot_i16x8(i16x8_extend_high_i8x16(a), i16x8_extend_high_i8x16(b));
        sums = i32x4_add(sums, i32x4_add(low, high));
    }
    lane::<0>(sums) + lane::<1>(sums) + lane::<2>(sums) + lane::<3>(sums)
}

/// The exact inner products of each of some rows of codes with two others.
#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
pub fn dots_i8(rows: &[[i8; DIMENSIONS]], others: [&[i8; DIMENSIONS]; 2], out: &mut Vec<[i32; 2]>) {
    out.extend(rows.iter().map(|row| others.map(|other| dot_i8(row, other))));
}

/// The exact inner products of each of some rows of codes with two others.
// What does not change from row to row is widened once. A row is read by eights, each one `v128.load8x8_s`, which Cranelift
// makes one instruction of; the upper half of sixteen takes it two more. 16 ns a row, where two calls a row took 42.
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
pub fn dots_i8(rows: &[[i8; DIMENSIONS]], others: [&[i8; DIMENSIONS]; 2], out: &mut Vec<[i32; 2]>) {
    use std::arch::wasm32::{i32x4_extract_lane as lane, *};
    // LLVM makes one load of neighbours that are named one by one.
    let wide = |c: &[i8; 8]| {
        i16x8(c[0].into(), c[1].into(), c[2].into(), c[3].into(), c[4].into(), c[5].into(), c[6].into(), c[7].into())
    };
    let total = |sums| lane::<0>(sums) + lane::<1>(sums) + lane::<2>(sums) + lane::<3>(sums);
    let [a, b] = others.map(|other| {
        let mut widened = [i32x4_splat(0); DIMENSIONS / 8];
        widened.iter_mut().zip(other.as_chunks().0).for_each(|(to, codes)| *to = wide(codes));
        widened
    });
    out.extend(rows.iter().map(|row| {
        let (mut with_a, mut with_b) = (i32x4_splat(0), i32x4_splat(0));
        for ((codes, a), b) in row.as_chunks().0.iter().zip(&a).zip(&b) {
            let codes = wide(codes);
            with_a = i32x4_add(with_a, i32x4_dot_i16x8(codes, *a));
            with_b = i32x4_add(with_b, i32x4_dot_i16x8(codes, *b));
        }
        [total(with_a), total(with_b)]
    }));
}

#[cfg(test)]
mod tests {
    use super::*;

    const ZERO: Vector = [0.0; DIMENSIONS];

    fn sample(seed: u32) -> Vector {
        let value = |i: usize| (((i as u32 + seed).wrapping_mul(2_654_435_761) >> 16) as f32 - 32_768.0) / 40_000.0;
        std::array::from_fn(value)
    }

    fn cosine(a: &Vector, b: &Vector) -> f32 {
        dot(a, b) / (dot(a, a).sqrt() * dot(b, b).sqrt())
    }

    #[test]
    fn normalized_has_length_one() {
        let mut vector = sample(1);
        normalize(&mut vector);
        assert!((dot(&vector, &vector) - 1.0).abs() < 1e-6);
        assert!((cosine(&vector, &sample(1)) - 1.0).abs() < 1e-6);
        let mut zero = ZERO;
        normalize(&mut zero);
        assert_eq!(zero, ZERO);
    }

    #[test]
    fn quantize_rounds_to_the_nearest_code() {
        let vector = sample(2);
        let (codes, scale) = quantize(&vector);
        assert_eq!(codes.iter().map(|code| code.unsigned_abs()).max(), Some(127));
        for (code, value) in codes.iter().zip(vector) {
            assert_eq!(f32::from(*code), (value * (1.0 / scale)).round_ties_even());
        }
        assert_eq!(quantize(&ZERO), ([0; DIMENSIONS], 0.0));
        let mut tiny = ZERO;
        tiny[0] = 1e-44;
        assert_eq!(quantize(&tiny), ([0; DIMENSIONS], 0.0));
    }

    #[test]
    fn dot_i8_is_exact() {
        assert_eq!(dot_i8(&[-128; DIMENSIONS], &[-128; DIMENSIONS]), DIMENSIONS as i32 * 128 * 128);
        let (a, b) = (quantize(&sample(3)).0, quantize(&sample(4)).0);
        assert_eq!(dot_i8(&a, &b), a.iter().zip(b).map(|(a, b)| i32::from(*a) * i32::from(b)).sum::<i32>());
    }

    #[test]
    fn many_products_are_those_of_each_row() {
        let rows = [3, 4, 5].map(|seed| quantize(&sample(seed)).0);
        let [a, b] = [quantize(&sample(6)).0, [-128; DIMENSIONS]];
        let mut out = vec![[7, 7]];
        dots_i8(&rows, [&a, &b], &mut out);
        assert_eq!(out[0], [7, 7]);
        assert_eq!(out[1..], rows.map(|row| [dot_i8(&row, &a), dot_i8(&row, &b)]));
    }

    #[test]
    fn codes_keep_the_cosine() {
        let (a, b) = (sample(5), sample(6));
        let ((x, _), (y, _)) = (quantize(&a), quantize(&b));
        let codes = dot_i8(&x, &y) as f32 / ((dot_i8(&x, &x) as f32).sqrt() * (dot_i8(&y, &y) as f32).sqrt());
        assert!((codes - cosine(&a, &b)).abs() < 5e-3);
    }
}
