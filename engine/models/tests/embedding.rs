//! Vectors are model2vec's, and their bits are the same everywhere.
//!
//! The values were made with PyPI model2vec 0.10.0 (numpy 2.4.6, tokenizers 0.23.3):
//! `StaticModel.from_pretrained("static-code-16k-128-int8").encode(text)[:8]`.

use seekwell_models::{DIMENSIONS, Vector, cosine, dot_i8, embed, pieces, row};

fn vector(text: &str) -> Vector {
    let mut ids = Vec::new();
    pieces(text, &mut ids);
    embed(ids.into_iter().map(|id| (id, 1.0))).normalize()
}

const QUESTION: &str = "parse the configuration file";
const CODE: &str = "def loadLines(path):\n    with open(path) as f:\n        return f.readlines()";
const MIXED: &str = "HTTPServer2x::readFile_naïve(İstanbul, 中文) // 한국어 ≠ café";
const PROSE: &str = "The weather is lovely today.";

#[test]
fn values_of_model2vec() {
    if DIMENSIONS != 128 {
        return; // Built with another table through SEEKWELL_TABLE.
    }
    let expected: [(&str, [f32; 8]); 4] = [
        (QUESTION, [-0.04962564, -0.08601777, -0.1819607, 0.08932615, 0.2646701, 0.05955076, 0.1091764, -0.1455685]),
        (CODE, [-0.205285, 0.2667309, 0.1536147, -0.03211943, 0.2010956, 0.2485764, -0.04189491, -0.1605971]),
        (MIXED, [-0.1260246, -0.08679051, -0.03328951, 0.01426693, 0.2960389, -0.01902258, 0.1878479, -0.2365933]),
        (PROSE, [-0.007297812, 0.03648906, -0.06932922, -0.08757374, 0.06568031, -0.1970409, 0.01459562, 0.04743578]),
    ];
    for (text, values) in expected {
        for (ours, theirs) in vector(text).0.iter().zip(values) {
            assert!((ours - theirs).abs() < 2e-7, "{text:?}: {ours} against {theirs}");
        }
    }
    let question = vector(QUESTION);
    for (text, theirs) in [(CODE, 0.247_505_34), (PROSE, 0.090_467_215), (MIXED, 0.065_801_26)] {
        assert!((cosine(&question, &vector(text)) - theirs).abs() < 3e-7, "{text:?}");
    }
}

/// A hash of exact bits: any change of order, of rounding or of the table moves it. The number was also got from
/// wasm32-unknown-unknown in V8, with and without simd128, by the same function in a small cdylib.
#[test]
fn bits() {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    let mut mix = |bits: u32| hash = (hash ^ u64::from(bits)).wrapping_mul(0x0000_0100_0000_01b3);
    let mut sum = Vector::ZERO;
    for (i, line) in include_str!("data/hard.txt").lines().enumerate() {
        let mut ids = Vec::new();
        pieces(line, &mut ids);
        ids.iter().for_each(|id| mix(u32::from(*id)));
        let vector = embed(ids.into_iter().zip(1..).map(|(id, n)| (id, 1.0 / n as f32))).normalize();
        sum.add(&vector, 1.0 / (i + 3) as f32);
        let (codes, scale) = sum.quantize();
        sum.0.iter().for_each(|value| mix(value.to_bits()));
        [scale, cosine(&sum, &vector)].iter().for_each(|value| mix(value.to_bits()));
        mix(dot_i8(&codes, row(i as u16)) as u32);
    }
    if DIMENSIONS == 128 {
        assert_eq!(hash, 0x7533_2e7a_0162_7dae, "{hash:#018x}");
    }
}

#[test]
fn weights_scale_rows() {
    let mut expected = Vector::ZERO;
    expected.add(&embed([(1000, 1.0)]), 2.0);
    expected.add(&embed([(2000, 1.0)]), 0.5);
    assert_eq!(embed([(1000, 2.0), (2000, 0.5)]), expected);
    assert_eq!(embed([]), Vector::ZERO);
}
