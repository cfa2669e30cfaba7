//! PageRank: how much of a walk along edges ends at each node.
//!
//! L. Page, S. Brin, R. Motwani, T. Winograd, "The PageRank Citation Ranking", 1998; with a restart vector it is the
//! personalised form of the same paper. Sums are taken in the order of nodes and edges, so that every machine gets the
//! same bits.

use serde::{Deserialize, Serialize};

/// The share of a walk that goes on at each step, as in the paper.
const DAMPING: f64 = 0.85;

/// Steps. With this damping what a further one would move is below 1 % of a node's share (0.85^30).
pub const STEPS: usize = 30;

/// An edge.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Edge {
    /// Where it starts.
    pub from: u32,
    /// Where it leads.
    pub to: u32,
    /// Its weight, above 0.
    pub weight: f32,
}

/// One edge for each pair of nodes, by target and start; the weight is the largest of the pair's. No edge leads to its own
/// start.
pub fn merge(mut edges: Vec<Edge>) -> Vec<Edge> {
    edges.retain(|edge| edge.from != edge.to && edge.weight > 0.0);
    edges.sort_unstable_by(|a, b| (a.to, a.from).cmp(&(b.to, b.from)).then(b.weight.total_cmp(&a.weight)));
    edges.dedup_by_key(|edge| (edge.to, edge.from));
    edges
}

/// The share of each node after some `steps`; the shares sum up to 1. `edges` come from [`merge`]. A walk starts, and starts
/// anew, at the nodes of `restart` by their weights; at any if there are none.
pub fn page_rank(nodes: usize, edges: &[Edge], restart: &[(u32, f64)], steps: usize) -> Vec<f64> {
    if nodes == 0 {
        return Vec::new();
    }
    let total: f64 = restart.iter().map(|&(_, weight)| weight).sum();
    let mut start = vec![if total > 0.0 { 0.0 } else { 1.0 / nodes as f64 }; nodes];
    if total > 0.0 {
        restart.iter().for_each(|&(node, weight)| start[node as usize] += weight / total);
    }
    let mut out = vec![0.0f64; nodes];
    edges.iter().for_each(|edge| out[edge.from as usize] += f64::from(edge.weight));
    let mut share = start.clone();
    // What a node hands on for each unit of an edge's weight.
    let mut handed = vec![0.0f64; nodes];
    for _ in 0..steps {
        // What stands at nodes without a way on starts anew.
        let mut stuck = 0.0;
        for ((handed, &share), &out) in handed.iter_mut().zip(&share).zip(&out) {
            if out == 0.0 {
                stuck += share;
            } else {
                *handed = DAMPING * share / out;
            }
        }
        let anew = 1.0 - DAMPING + DAMPING * stuck;
        share.iter_mut().zip(&start).for_each(|(share, start)| *share = start * anew);
        for to in edges.chunk_by(|a, b| a.to == b.to) {
            let reached: f64 = to.iter().map(|edge| handed[edge.from as usize] * f64::from(edge.weight)).sum();
            share[to[0].to as usize] += reached;
        }
    }
    share
}

/// The share of the others that each value is above, from 0 to 1; equal values share the middle of their places. Nodes
/// that are not `counted` have 0.
pub fn percentiles(values: &[f64], counted: impl Fn(usize) -> bool) -> Vec<f32> {
    let mut order: Vec<u32> = (0..values.len() as u32).filter(|&at| counted(at as usize)).collect();
    order.sort_by(|&a, &b| values[a as usize].total_cmp(&values[b as usize]));
    let mut percentiles = vec![0.0; values.len()];
    let last = order.len().saturating_sub(1).max(1) as f32;
    let mut from = 0;
    for group in order.chunk_by(|&a, &b| values[a as usize] == values[b as usize]) {
        let middle = (from as f32 + (group.len() - 1) as f32 / 2.0) / last;
        group.iter().for_each(|&at| percentiles[at as usize] = middle);
        from += group.len();
    }
    percentiles
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edges(pairs: &[(u32, u32)]) -> Vec<Edge> {
        merge(pairs.iter().map(|&(from, to)| Edge { from, to, weight: 1.0 }).collect())
    }

    #[test]
    fn what_many_call_ranks_first() {
        let shares = page_rank(4, &edges(&[(0, 3), (1, 3), (2, 3), (0, 1)]), &[], STEPS);
        assert!(shares[3] > shares[1] && shares[1] > shares[0] && shares[0] == shares[2], "{shares:?}");
        assert!((shares.iter().sum::<f64>() - 1.0).abs() < 1e-9);
    }

    /// The stationary distribution of two nodes that point to each other is one half each, and a third that points at
    /// one of them adds (1 - d) / 3 and its share: solved by hand.
    #[test]
    fn a_cycle_by_hand() {
        let shares = page_rank(3, &edges(&[(0, 1), (1, 0), (2, 0)]), &[], STEPS);
        let (d, base) = (DAMPING, (1.0 - DAMPING) / 3.0);
        let zero = (base + d * base + d * base) / (1.0 - d * d);
        assert!((shares[0] - zero).abs() < 1e-2, "{shares:?} {zero}");
        assert!((shares[2] - base).abs() < 1e-12);
    }

    #[test]
    fn a_restart_pulls_the_walk_to_it() {
        let line = edges(&[(0, 1), (1, 2), (3, 2)]);
        let near = page_rank(4, &line, &[(0, 1.0)], STEPS);
        assert!(near[0] > near[1] && near[1] > near[2] && near[3] == 0.0, "{near:?}");
    }

    #[test]
    fn loops_and_nothing() {
        assert!(page_rank(0, &[], &[], STEPS).is_empty());
        assert_eq!(page_rank(2, &edges(&[(0, 0), (1, 1)]), &[], STEPS), [0.5, 0.5]);
        assert!(edges(&[(1, 1)]).is_empty());
    }

    #[test]
    fn percentiles_share_places() {
        assert_eq!(percentiles(&[0.3, 0.1, 0.1, 0.9], |_| true), [2.0 / 3.0, 0.5 / 3.0, 0.5 / 3.0, 1.0]);
        assert_eq!(percentiles(&[0.3, 9.0, 0.1], |at| at != 1), [1.0, 0.0, 0.0]);
        assert_eq!(percentiles(&[1.0], |_| true), [0.0]);
    }
}
