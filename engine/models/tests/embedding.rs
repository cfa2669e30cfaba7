//! Vectors are model2vec's, and their bits are the same everywhere.
//!
//! The values were made with PyPI model2vec 0.10.0 (numpy 2.4.6, tokenizers 0.23.3):
//! `StaticModel.from_pretrained("static-code-16k-128-int8").encode(text)[:8]`.

use seekwell_core::table::{PackedRows, Table};
use seekwell_models::StaticTable;

fn sum(pieces: impl IntoIterator<Item = (u16, f32)>) -> Vec<f32> {
    let mut sum = vec![0.0; StaticTable.dimensions()];
    pieces.into_iter().for_each(|(piece, weight)| StaticTable.add_row(&mut sum, piece, weight));
    sum
}

fn pieces(text: &str) -> Vec<u16> {
    let mut ids = Vec::new();
    StaticTable.pieces(text, &mut ids);
    ids
}

fn vector(text: &str) -> Vec<f32> {
    let mut vector = sum(pieces(text).into_iter().map(|id| (id, 1.0)));
    StaticTable.normalize(&mut vector);
    vector
}

/// Built with another table, by `SEEKWELL_TABLE`, what is recorded of ours does not hold.
fn another_table() -> bool {
    option_env!("SEEKWELL_TABLE").is_some()
}

const QUESTION: &str = "parse the configuration file";
const CODE: &str = "def loadLines(path):\n    with open(path) as f:\n        return f.readlines()";
const MIXED: &str = "HTTPServer2x::readFile_naïve(İstanbul, 中文) // 한국어 ≠ café";
const PROSE: &str = "The weather is lovely today.";

#[test]
fn values_of_model2vec() {
    if another_table() {
        return;
    }
    let expected: [(&str, [f32; 8]); 4] = [
        (QUESTION, [-0.2936784, -0.005620639, -0.09414571, -0.2529288, 0.1081973, 0.1601882, -0.1770501, -0.1461366]),
        (CODE, [-0.1169024, -0.02440195, -0.1486816, -0.1078226, -0.09590533, -0.1396019, -0.02383446, -0.2071328]),
        (MIXED, [-0.1338965, -0.1762593, 0.02798967, -0.3487362, 0.1838241, 0.2995652, -0.04690162, -0.3585704]),
        (PROSE, [-0.1873019, -0.0500708, 0.1557758, -0.02225369, 0.01483579, 0.1205408, -0.02039921, 0.04450738]),
    ];
    for (text, values) in expected {
        for (ours, theirs) in vector(text).iter().zip(values) {
            assert!((ours - theirs).abs() < 2e-7, "{text:?}: {ours} against {theirs}");
        }
    }
}

/// A hash of exact bits: any change of order, of rounding or of the table moves it.
#[test]
fn bits() {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    let mut mix = |bits: u32| hash = (hash ^ u64::from(bits)).wrapping_mul(0x0000_0100_0000_01b3);
    let mut before = Vec::new();
    for line in include_str!("data/hard.txt").lines() {
        let ids = pieces(line);
        ids.iter().for_each(|id| mix(u32::from(*id)));
        let mut vector = sum(ids.into_iter().zip(1..).map(|(id, n)| (id, 1.0 / n as f32)));
        mix(u32::from(StaticTable.normalize(&mut vector)));
        let mut codes = Vec::new();
        let scale = StaticTable.quantize(&vector, &mut codes);
        vector.iter().for_each(|value| mix(value.to_bits()));
        mix(scale.to_bits());
        let mut row = PackedRows::<Vec<u8>>::default();
        StaticTable.pack(&vector, &mut row);
        let row = PackedRows { high: &row.high[..], low: &row.low[..] };
        row.high.iter().chain(row.low).for_each(|&byte| mix(u32::from(byte)));
        if !before.is_empty() {
            mix(StaticTable.dot(&codes, &before) as u32);
            let (mut product, mut square) = (Vec::new(), Vec::new());
            StaticTable.dots_packed(row, [&before, &codes], &mut product);
            StaticTable.squares_packed(row, &mut square);
            product.into_iter().flatten().chain(square).for_each(|product| mix(product as u32));
        }
        before = codes;
    }
    if !another_table() {
        assert_eq!(hash, 0xcc85_e687_7ad3_6240, "{hash:#018x}");
    }
}

#[test]
fn weights_scale_rows() {
    let (a, b) = (sum([(1000, 1.0)]), sum([(2000, 1.0)]));
    let expected: Vec<f32> = a.iter().zip(&b).map(|(a, b)| 2.0 * a + 0.5 * b).collect();
    assert_eq!(sum([(1000, 2.0), (2000, 0.5)]), expected);
    let mut nothing = sum([]);
    assert!(!StaticTable.normalize(&mut nothing));
    assert!(nothing.iter().all(|&value| value == 0.0));
}
