//! What a score is made of.

use std::fmt::Write as _;

use seekwell_types::Signal;
use serde::ser::{Serialize, SerializeMap, Serializer};

use super::rows::six;

/// Signals as a JSON object, in their order: `{"NAME":{"value":…,"weight":…,"share":…}}`.
pub(super) struct Explain<'a>(pub(super) &'a [Signal]);

#[derive(serde::Serialize)]
struct Parts {
    value: f64,
    weight: f64,
    share: f64,
}

impl Serialize for Explain<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for signal in self.0 {
            let parts = Parts {
                value: six(signal.value),
                weight: six(signal.weight),
                share: six(signal.value * signal.weight),
            };
            map.serialize_entry(&signal.name, &parts)?;
        }
        map.end()
    }
}

/// Signals on one line: `bm25 0.52 × 0.40 = 0.208 (89 %), …`; the last figure is the share of the score.
pub(super) fn line(signals: &[Signal], score: f32) -> String {
    let mut text = String::new();
    for (index, signal) in signals.iter().enumerate() {
        let share = signal.value * signal.weight;
        let comma = if index == 0 { "" } else { ", " };
        let _ = write!(text, "{comma}{} {:.3} × {:.3} = {share:.3}", signal.name, signal.value, signal.weight);
        if score > 0.0 {
            let _ = write!(text, " ({:.0} %)", 100.0 * share / score);
        }
    }
    text
}
