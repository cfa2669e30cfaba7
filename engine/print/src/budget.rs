//! Fitting an answer into a budget: never exceeded, never without a hit if there is one.
//!
//! First as many hits as there is room for, each on its line; then, from the best on, as much of each as fits:
//! description, first lines, all. So a small budget shows the best places in full before it drops the last ones, and
//! a hit that is too large on its own never takes the others with it.

use super::Depth;

/// The least budget of the text forms, in tokens: room for a line of 128 bytes and a line on how to go on.
pub const MIN_TEXT: u32 = 64;

/// The least budget of the JSON forms, in tokens: room for all keys, and for a path of some hundred bytes.
pub const MIN_JSON: u32 = 256;

/// An answer that can be printed in parts.
pub(super) trait Pieces {
    /// How many hits there are.
    fn count(&self) -> usize;
    /// One hit, with what separates it from the one before.
    fn hit(&self, index: usize, depth: Depth) -> String;
    /// What stands before and after the hits, if the first `shown` are printed; `shortened` tells whether any is not
    /// printed as deep as asked. Its length must not fall with `shown`, as long as that is below the count.
    fn around(&self, shown: usize, shortened: bool) -> (String, String);
    /// All of it in at most `room` bytes, with (the beginning of) the first hit if there is one.
    fn squeezed(&self, room: usize) -> String;
}

/// Prints all hits as deep as asked, or what fits into `room` bytes.
pub(super) fn assemble(pieces: &dyn Pieces, depth: Depth, room: Option<usize>) -> String {
    let count = pieces.count();
    let whole = join(pieces, &vec![depth; count], false);
    let Some(room) = room.filter(|room| whole.len() > *room) else { return whole };
    let depths = fit(pieces, depth, room);
    if !depths.is_empty() {
        let text = join(pieces, &depths, true);
        if text.len() <= room {
            return text;
        }
    }
    pieces.squeezed(room)
}

/// How deep each of the first hits is printed; empty if not even one fits on its line.
fn fit(pieces: &dyn Pieces, depth: Depth, room: usize) -> Vec<Depth> {
    let count = pieces.count();
    let frame = |shown| {
        let (before, after) = pieces.around(shown, true);
        before.len() + after.len()
    };
    let mut used = frame(count).max(frame(count.saturating_sub(1)));
    let mut sizes = Vec::new();
    for index in 0..count {
        let size = pieces.hit(index, Depth::Line).len();
        if used + size > room {
            break;
        }
        used += size;
        sizes.push(size);
    }
    let mut depths = vec![Depth::Line; sizes.len()];
    for deeper in [Depth::Abstract, Depth::Overview, Depth::Full] {
        if deeper > depth {
            break;
        }
        for (index, size) in sizes.iter_mut().enumerate() {
            let larger = pieces.hit(index, deeper).len();
            if used - *size + larger <= room {
                used = used - *size + larger;
                *size = larger;
                depths[index] = deeper;
            }
        }
    }
    depths
}

fn join(pieces: &dyn Pieces, depths: &[Depth], shortened: bool) -> String {
    let (mut text, after) = pieces.around(depths.len(), shortened);
    for (index, depth) in depths.iter().enumerate() {
        text.push_str(&pieces.hit(index, *depth));
    }
    text + &after
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::samples::{any_outcome, any_query};
    use super::super::{Depth, Layout, json, jsonl, terminal};
    use super::*;

    /// Four letters a level, so that a budget can be counted on fingers.
    struct Letters(usize);

    impl Pieces for Letters {
        fn count(&self) -> usize {
            self.0
        }
        fn hit(&self, index: usize, depth: Depth) -> String {
            let letter = char::from(b'a' + u8::try_from(index).unwrap()).to_string();
            letter.repeat(4 * (1 + depth as usize))
        }
        fn around(&self, shown: usize, shortened: bool) -> (String, String) {
            ("<".to_owned(), if shortened || shown < self.0 { "~>" } else { ">" }.to_owned())
        }
        fn squeezed(&self, room: usize) -> String {
            "s".repeat(room)
        }
    }

    #[test]
    fn the_best_deepest_the_rest_on_lines() {
        let fitted = |count, room| assemble(&Letters(count), Depth::Full, Some(room));
        assert_eq!(fitted(2, 100), format!("<{}{}>", "a".repeat(16), "b".repeat(16)));
        assert_eq!(fitted(2, 33), format!("<{}{}~>", "a".repeat(16), "b".repeat(12)));
        assert_eq!(fitted(2, 20), format!("<{}{}~>", "a".repeat(8), "b".repeat(8)));
        assert_eq!(fitted(2, 8), format!("<{}~>", "a".repeat(4)));
        assert_eq!(fitted(2, 5), "sssss");
        assert_eq!(assemble(&Letters(0), Depth::Full, Some(2)), "<>");
    }

    fn any_depth() -> impl Strategy<Value = Option<Depth>> {
        prop_oneof![Just(None), Just(Some(Depth::Abstract)), Just(Some(Depth::Overview)), Just(Some(Depth::Full))]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(400))]

        #[test]
        fn text_keeps_to_its_budget(outcome in any_outcome(), query in any_query(), depth in any_depth(),
                                    budget in MIN_TEXT..2_000, style in 0u8..16) {
            let style = terminal::Style {
                color: style & 1 != 0,
                heading: style & 2 != 0,
                footer: style & 4 != 0,
                links: (style & 8 != 0).then(|| "host".to_owned()),
                prefix: "sub/".to_owned(),
            };
            let text = terminal::search(&outcome, &query, Layout { depth, budget: Some(budget) }, &style);
            prop_assert!(text.len() <= budget as usize * 4, "{} > {}", text.len(), budget * 4);
            prop_assert_eq!(text.is_empty(), outcome.answer.hits.is_empty());
            prop_assert!(text.is_empty() || text.ends_with('\n'));
        }

        #[test]
        fn json_keeps_to_its_budget(outcome in any_outcome(), query in any_query(), depth in any_depth(), budget in MIN_JSON..4_000) {
            let layout = Layout { depth, budget: Some(budget) };
            let text = json::search(&outcome, &query, layout);
            prop_assert!(text.len() <= budget as usize * 4, "{} > {}", text.len(), budget * 4);
            let value: serde_json::Value = serde_json::from_str(&text).unwrap();
            let hits = value["hits"].as_array().unwrap();
            prop_assert_eq!(hits.is_empty(), outcome.answer.hits.is_empty());
            prop_assert!(hits.len() == outcome.answer.hits.len() || value["truncated"] == true);
            prop_assert_eq!(value["total"].as_u64(), Some(u64::from(outcome.answer.total)));
            let more = u64::from(query.offset) + (hits.len() as u64) < u64::from(outcome.answer.total);
            prop_assert_eq!(value["next"].is_string(), more);

            let text = jsonl::search(&outcome, &query, layout);
            prop_assert!(text.len() <= budget as usize * 4, "{} > {}", text.len(), budget * 4);
            let lines: Vec<serde_json::Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
            prop_assert_eq!(lines.len() > 1, !outcome.answer.hits.is_empty());
        }
    }
}
