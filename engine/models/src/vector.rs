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

/// Length of the pieces that [`rotate`] works on: the largest power of two that divides the dimensions.
const ROTATED: usize = 1 << DIMENSIONS.trailing_zeros();

/// Turns the space, so that each value of a vector becomes a sum of many. Lengths and inner products stay what they are.
///
/// Most vectors of the table share a direction, and some of their values are ten times as large as others; turned, all
/// look as if drawn from one bell curve, which few codes cover well. It is the fast Walsh-Hadamard transform.
pub fn rotate(vector: &mut Vector) {
    for piece in vector.chunks_exact_mut(ROTATED) {
        let mut half = 1;
        while half < ROTATED {
            for pair in piece.chunks_exact_mut(half * 2) {
                let (low, high) = pair.split_at_mut(half);
                for (low, high) in low.iter_mut().zip(high) {
                    (*low, *high) = (*low + *high, *low - *high);
                }
            }
            half *= 2;
        }
    }
    let factor = 1.0 / (ROTATED as f32).sqrt();
    vector.iter_mut().for_each(|value| *value *= factor);
}

/// Bytes of a packed vector: the four leading bits of each code, and the last bits of all. They lie apart, since the first
/// are not equally likely and a compressor finds something in them.
pub const PACKED: [usize; 2] = [DIMENSIONS / 2, DIMENSIONS / 8];

/// Values that are worked on at once: bytes of leading bits, and bytes of last bits, for sixteen times eight of them.
const GROUP: [usize; 2] = [64, 16];

/// Distance of neighbouring levels, for values of which the mean square is 1: of 32 levels that lie evenly, those which keep
/// most of a value from a bell curve (J. Max, Quantizing for minimum distortion, 1960, table II). With 16, the order of hits
/// suffers, by 0.001 of NDCG@10 over whole repositories; with 32, by less than what a fit varies by.
const STEP: f32 = 0.1881;

/// Codes of five bits for a vector of length 1 that was turned by [`rotate`]: code `c` in 0..=31 stands for a value in
/// proportion to `2 c - 31`. The zero vector is the row of zeros, which no other vector is.
///
/// Of a group of 128 values, the one at `8 p + w` has its leading bits in the `w`th word of sixteen bits of the `p / 4`th eight
/// such words, and its last bit at `p` of the `w`th word of last bits: so each mask gives eight neighbours.
pub fn pack(vector: &Vector) -> ([u8; PACKED[0]], [u8; PACKED[1]]) {
    let (mut high, mut low) = ([0; PACKED[0]], [0; PACKED[1]]);
    if vector.iter().all(|&value| value == 0.0) {
        return (high, low);
    }
    // The mean square of a vector of length 1 is one over its dimensions.
    let factor = (DIMENSIONS as f32).sqrt() / STEP;
    let groups = high.as_chunks_mut::<{ GROUP[0] }>().0.iter_mut().zip(low.as_chunks_mut::<{ GROUP[1] }>().0);
    for ((high, low), values) in groups.zip(vector.as_chunks::<128>().0) {
        for (at, value) in values.iter().enumerate() {
            // Not `floor`, which is a call on plain x86-64: what is positive is cut off towards zero.
            let code = (value * factor + 16.0).clamp(0.0, 31.0) as u8;
            let (plane, word) = (at / 8, at % 8);
            high[plane / 4 * 16 + word * 2 + plane % 4 / 2] |= (code >> 1) << (plane % 2 * 4);
            low[word * 2 + plane / 8] |= (code & 1) << (plane % 8);
        }
    }
    (high, low)
}

/// Calls `each` with the codes of a group, eight neighbours after the other.
#[inline(always)]
fn unpack(high: &[u8; GROUP[0]], low: &[u8; GROUP[1]], mut each: impl FnMut(usize, [i16; 8])) {
    let words = |bytes: &[u8; 16]| -> [u16; 8] {
        std::array::from_fn(|w| u16::from_le_bytes([bytes[w * 2], bytes[w * 2 + 1]]))
    };
    let low = words(low);
    for (block, bytes) in high.as_chunks().0.iter().enumerate() {
        let high = words(bytes);
        for nibble in 0..4 {
            let plane = block * 4 + nibble;
            each(plane, std::array::from_fn(|w| (high[w] >> (nibble * 4) << 1 & 30 | low[w] >> plane & 1) as i16));
        }
    }
}

/// Each group of a packed vector.
#[inline(always)]
fn groups<'a>(
    (high, low): (&'a [u8; PACKED[0]], &'a [u8; PACKED[1]]),
) -> impl Iterator<Item = (&'a [u8; GROUP[0]], &'a [u8; GROUP[1]])> {
    high.as_chunks().0.iter().zip(low.as_chunks().0)
}

fn sum(lanes: [i16; 8]) -> i32 {
    lanes.into_iter().map(i32::from).sum()
}

/// The exact inner products of packed rows with two rows of codes, in proportion: each code of the first counts `2 c - 31`.
pub fn dots_packed(
    high: &[[u8; PACKED[0]]],
    low: &[[u8; PACKED[1]]],
    codes: [&[i8; DIMENSIONS]; 2],
    out: &mut Vec<[i32; 2]>,
) {
    let [a, b] = codes.map(|codes| codes.map(i16::from));
    let middle = codes.map(|codes| 31 * codes.iter().map(|&code| i32::from(code)).sum::<i32>());
    let planes = a.as_chunks::<8>().0.as_chunks::<16>().0.iter().zip(b.as_chunks::<8>().0.as_chunks::<16>().0);
    out.extend(high.iter().zip(low).map(|row| {
        let mut products = [0; 2];
        for ((high, low), (a, b)) in groups(row).zip(planes.clone()) {
            // Eight products of 31 and 128 fit in sixteen bits, sixteen do not.
            let (mut with_a, mut with_b) = ([[0i16; 8]; 2], [[0i16; 8]; 2]);
            unpack(high, low, |plane, values| {
                for w in 0..8 {
                    with_a[plane / 8][w] += values[w] * a[plane][w];
                    with_b[plane / 8][w] += values[w] * b[plane][w];
                }
            });
            for (product, lanes) in products.iter_mut().zip([with_a, with_b]) {
                *product += lanes.map(sum).iter().sum::<i32>();
            }
        }
        [2 * products[0] - middle[0], 2 * products[1] - middle[1]]
    }));
}

/// The squared length of each packed row, where each code counts `2 c - 31`; 0 for the zero vector.
pub fn squares_packed(high: &[[u8; PACKED[0]]], low: &[[u8; PACKED[1]]], out: &mut Vec<i32>) {
    out.extend(high.iter().zip(low).map(|row| {
        let mut square = 0;
        for (high, low) in groups(row) {
            // Sixteen squares of 31 fit in sixteen bits.
            let mut lanes = [0i16; 8];
            unpack(high, low, |_, values| {
                for w in 0..8 {
                    let value = 2 * values[w] - 31;
                    lanes[w] += value * value;
                }
            });
            square += sum(lanes);
        }
        if row == (&[0; PACKED[0]], &[0; PACKED[1]]) { 0 } else { square }
    }));
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
    fn turning_keeps_lengths_and_products() {
        let (mut a, mut b) = (sample(7), sample(8));
        let (length, product) = (dot(&a, &a), dot(&a, &b));
        rotate(&mut a);
        rotate(&mut b);
        assert!((dot(&a, &a) - length).abs() < 1e-4 && (dot(&a, &b) - product).abs() < 1e-4);
        // One value becomes as many as there are, all of one size.
        let mut axis = ZERO;
        axis[3] = 1.0;
        rotate(&mut axis);
        let size = 1.0 / (ROTATED as f32).sqrt();
        assert!(axis[..ROTATED].iter().all(|value| (value.abs() - size).abs() < 1e-7), "{axis:?}");
    }

    type Row = ([u8; PACKED[0]], [u8; PACKED[1]]);

    const NOTHING: Row = ([0; PACKED[0]], [0; PACKED[1]]);

    fn packed_codes((high, low): &Row) -> Vec<i32> {
        let mut codes = vec![0; DIMENSIONS];
        for ((high, low), codes) in groups((high, low)).zip(codes.as_chunks_mut::<128>().0) {
            unpack(high, low, |plane, eight| {
                eight.iter().enumerate().for_each(|(w, &code)| codes[plane * 8 + w] = i32::from(code));
            });
        }
        codes
    }

    #[test]
    fn packed_codes_are_those_of_the_nearest_levels() {
        let mut vector = sample(9);
        normalize(&mut vector);
        let codes = packed_codes(&pack(&vector));
        let step = STEP / (DIMENSIONS as f32).sqrt();
        for (code, value) in codes.iter().zip(vector) {
            let level = |code: i32| (code as f32 - 15.5) * step;
            let nearest = (0..32).map(|code| (level(code) - value).abs()).fold(f32::MAX, f32::min);
            assert!((level(*code) - value).abs() <= nearest + 1e-6, "{code} for {value}");
        }
        assert_eq!(pack(&ZERO), NOTHING);
        let mut axis = ZERO;
        axis[0] = -1.0;
        assert_ne!(pack(&axis), NOTHING, "far out, but not everywhere");
    }

    #[test]
    fn packed_products_are_exact() {
        let byte = |i: usize, seed: u32| ((i as u32 + seed).wrapping_mul(2_654_435_761) >> 13) as u8;
        let row = |seed| (std::array::from_fn(|i| byte(i, seed)), std::array::from_fn(|i| byte(i, seed + 999)));
        let rows = [row(1), row(2), NOTHING, ([255; PACKED[0]], [255; PACKED[1]]), ([15; PACKED[0]], [0; PACKED[1]])];
        let (high, low): (Vec<_>, Vec<_>) = rows.into_iter().unzip();
        for codes in [quantize(&sample(3)).0, [-128; DIMENSIONS], [127; DIMENSIONS]] {
            let (mut products, mut squares) = (Vec::new(), Vec::new());
            let other = quantize(&sample(4)).0;
            dots_packed(&high, &low, [&codes, &other], &mut products);
            squares_packed(&high, &low, &mut squares);
            for (row, (product, square)) in rows.iter().zip(products.into_iter().zip(squares)) {
                let values: Vec<i32> = packed_codes(row).iter().map(|code| 2 * code - 31).collect();
                let expected = |codes: &[i8]| values.iter().zip(codes).map(|(v, &c)| v * i32::from(c)).sum::<i32>();
                assert_eq!(product, [expected(&codes), expected(&other)]);
                let expected = values.iter().map(|v| v * v).sum();
                assert_eq!(square, if row == &NOTHING { 0 } else { expected });
            }
        }
    }

    #[test]
    fn packed_codes_keep_the_cosine() {
        let mut random = 1u64;
        let mut value = || {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (random >> 33) as f32 / (1u64 << 30) as f32 - 1.0
        };
        for _ in 0..50 {
            let mut a: Vector = std::array::from_fn(|_| value());
            // Vectors of a tree have much in common, and a few large values.
            let mut b = a.map(|a| 0.5 * value() + 0.4 * a);
            [&mut a, &mut b].into_iter().for_each(|vector| vector[5] = 4.0);
            [&mut a, &mut b].into_iter().for_each(normalize);
            let cosine = dot(&a, &b);
            [&mut a, &mut b].into_iter().for_each(rotate);
            let ((codes, scale), (high, low)) = (quantize(&a), pack(&b));
            let (mut product, mut square) = (Vec::new(), Vec::new());
            dots_packed(&[high], &[low], [&codes; 2], &mut product);
            squares_packed(&[high], &[low], &mut square);
            let packed = product[0][0] as f32 * scale / (square[0] as f32).sqrt();
            assert!((packed - cosine).abs() < 0.02, "{packed} for {cosine}");
        }
    }

    #[test]
    fn codes_keep_the_cosine() {
        let (a, b) = (sample(5), sample(6));
        let ((x, _), (y, _)) = (quantize(&a), quantize(&b));
        let codes = dot_i8(&x, &y) as f32 / ((dot_i8(&x, &x) as f32).sqrt() * (dot_i8(&y, &y) as f32).sqrt());
        assert!((codes - cosine(&a, &b)).abs() < 5e-3);
    }
}
