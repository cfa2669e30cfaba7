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

/// Signals on one line: `words.head 0.52 × 1.37 = 0.712 (22 %), …`; the last figure is the share of all that was added
/// and taken away. The score that is shown is a logistic of the sum.
pub(super) fn line(signals: &[Signal]) -> String {
    let share = |signal: &Signal| signal.value * signal.weight;
    let moved: f32 = signals.iter().map(|signal| share(signal).abs()).sum();
    let mut text = String::new();
    for (index, signal) in signals.iter().enumerate() {
        let comma = if index == 0 { "" } else { ", " };
        let Signal { name, value, weight } = signal;
        let _ = write!(text, "{comma}{name} {value:.3} × {weight:.2} = {:.3}", share(signal));
        if moved > 0.0 {
            let _ = write!(text, " ({:.0} %)", 100.0 * share(signal).abs() / moved);
        }
    }
    text
}
