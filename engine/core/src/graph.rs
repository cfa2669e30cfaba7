//! Who uses whom in a tree, and how much of it leads to each symbol and file.

use serde::{Deserialize, Serialize};

use crate::analysis::Strings;
use crate::rank::{Edge, STEPS, merge, page_rank, percentiles};
use crate::resolve::{Confidence, NONE, Resolved, Site, Target};
use crate::symbols::{CallKind, SymbolKind};

/// Lists of more definitions than this say nothing of any of them.
const MANY: usize = 8;

/// What a use from a test, a benchmark or an example counts, beside one from the code itself.
const FROM_TESTS: f32 = 0.2;

/// What a member hands on to its type.
const TO_TYPE: f32 = 0.3;

/// What ranking needs of a symbol.
#[derive(Clone, Copy, Debug)]
pub struct Node {
    /// The file it is in.
    pub file: u32,
    /// What it is.
    pub kind: SymbolKind,
    /// The symbol around it, or [`NONE`].
    pub parent: u32,
    /// Whether its uses count less: it is in a test, benchmark or example, or is one.
    pub is_test: bool,
}

/// The resolved uses of a tree, indexed.
#[derive(Default, Serialize, Deserialize)]
pub struct Graph {
    names: Strings,
    /// Sites, file after file, in order of place.
    pub sites: Vec<Site>,
    /// First site of each file, and one past the last of all.
    file_sites: Vec<u32>,
    lists: Vec<Vec<u32>>,
    /// Symbol and site: the uses of each symbol, ambiguous ones included.
    incoming: Vec<(u32, u32)>,
    /// File and site: imports of whole files.
    incoming_files: Vec<(u32, u32)>,
    /// Symbol and symbol whose type it mentions.
    mentions: Vec<(u32, u32)>,
    /// The same, turned round.
    mentioned: Vec<(u32, u32)>,
    /// A member, and one above it that it stands in for, in order.
    overrides: Vec<(u32, u32)>,
    /// Function or type and site: what each uses.
    outgoing: Vec<(u32, u32)>,
    /// By symbol: the type that it is a member of, or [`NONE`].
    pub member_of: Vec<u32>,
    /// Edges between symbols, and from files (numbered after the symbols) to symbols.
    edges: Vec<Edge>,
    /// Edges between files.
    file_edges: Vec<Edge>,
    /// By symbol: its share of a walk along uses (see [`page_rank`]).
    pub symbol_rank: Vec<f64>,
    /// By symbol: the share of the tree's functions and types that it ranks above, 0 to 1; 0 for others.
    pub symbol_percentile: Vec<f32>,
    /// By file: its share of a walk along uses between files.
    pub file_rank: Vec<f64>,
    /// By file: the share of the tree's files of code that it ranks above, 0 to 1; 0 for others.
    pub file_percentile: Vec<f32>,
}

impl Graph {
    /// Indexes the uses of a tree. `is_code` says of each file whether it is program text.
    pub fn new(resolved: Resolved, nodes: &[Node], is_code: &[bool]) -> Self {
        let Resolved { names, sites, lists, mentions, member_of, overrides } = resolved;
        let names = names.into_strings();
        let mut graph = Self { names, sites, lists, mentions, member_of, overrides, ..Self::default() };
        graph.index(is_code.len());
        graph.link(nodes);
        let weighed = |at: usize| nodes.get(at).is_some_and(|n| is_ranked(n.kind) && is_code[n.file as usize]);
        graph.symbol_rank = page_rank(nodes.len() + is_code.len(), &graph.edges, &[], STEPS);
        graph.symbol_rank.truncate(nodes.len());
        graph.symbol_percentile = percentiles(&graph.symbol_rank, weighed);
        graph.file_rank = page_rank(is_code.len(), &graph.file_edges, &[], STEPS);
        graph.file_percentile = percentiles(&graph.file_rank, |at| is_code[at]);
        graph
    }

    fn index(&mut self, files: usize) {
        self.file_sites = (0..=files as u32).map(|f| self.sites.partition_point(|s| s.file < f) as u32).collect();
        for (number, site) in self.sites.iter().enumerate() {
            let number = number as u32;
            match site.target {
                Target::Nothing => {}
                Target::Symbol(symbol) => self.incoming.push((symbol, number)),
                Target::File(file) => self.incoming_files.push((file, number)),
                Target::Several(list) => {
                    self.incoming.extend(self.lists[list as usize].iter().map(|&symbol| (symbol, number)));
                }
            }
        }
        self.incoming.sort_unstable();
        self.incoming_files.sort_unstable();
        self.mentioned = self.mentions.iter().map(|&(from, to)| (to, from)).collect();
        self.mentioned.sort_unstable();
    }

    fn link(&mut self, nodes: &[Node]) {
        let symbols = nodes.len() as u32;
        let mut edges = Vec::new();
        let mut between = Vec::new();
        for (number, site) in self.sites.iter().enumerate() {
            let from = user(nodes, site.within);
            if from != NONE {
                self.outgoing.push((from, number as u32));
            }
            let tests = nodes.get(from as usize).is_some_and(|n| n.is_test);
            let from = if from == NONE { symbols + site.file } else { from };
            let factor = if tests { FROM_TESTS } else { 1.0 };
            let targets = match &site.target {
                Target::Symbol(symbol) => std::slice::from_ref(symbol),
                Target::Several(list) => self.lists[*list as usize].as_slice(),
                Target::File(file) => {
                    between.push((site.file, *file, factor));
                    continue;
                }
                Target::Nothing => continue,
            };
            if targets.len() > MANY {
                continue;
            }
            let weight = factor * weight(site) / targets.len() as f32;
            for &to in targets {
                edges.push(Edge { from, to, weight });
                between.push((site.file, nodes[to as usize].file, weight));
            }
        }
        for &(from, to) in &self.mentions {
            let user = user(nodes, from);
            edges.push(Edge { from: if user == NONE { from } else { user }, to, weight: 0.5 });
            between.push((nodes[from as usize].file, nodes[to as usize].file, 0.5));
        }
        for (member, &of) in self.member_of.iter().enumerate().filter(|(_, of)| **of != NONE) {
            edges.push(Edge { from: member as u32, to: of, weight: TO_TYPE });
        }
        self.outgoing.sort_unstable();
        self.edges = merge(edges);
        self.file_edges = merge(summed(between));
    }

    /// The name that a site uses.
    pub fn name(&self, site: &Site) -> &str {
        self.names.get(site.name)
    }

    /// The uses in a file, by place.
    pub fn uses_of(&self, file: u32) -> &[Site] {
        &self.sites[self.file_sites[file as usize] as usize..self.file_sites[file as usize + 1] as usize]
    }

    /// The uses of a symbol, ambiguous ones included, by file and place.
    pub fn uses_to(&self, symbol: u32) -> impl Iterator<Item = &Site> {
        run(&self.incoming, symbol).map(|site| &self.sites[site as usize])
    }

    /// The imports of a whole file, by file and place.
    pub fn imports_to(&self, file: u32) -> impl Iterator<Item = &Site> {
        run(&self.incoming_files, file).map(|site| &self.sites[site as usize])
    }

    /// What a function or type uses itself, by place.
    pub fn uses_by(&self, symbol: u32) -> impl Iterator<Item = &Site> {
        run(&self.outgoing, symbol).map(|site| &self.sites[site as usize])
    }

    /// Members above this one that it stands in for: a use of them can run it.
    pub fn stands_in_for(&self, symbol: u32) -> impl Iterator<Item = u32> {
        run(&self.overrides, symbol)
    }

    /// Members below this one that stand in for it, in order.
    pub fn overridden_by(&self, symbol: u32) -> Vec<u32> {
        self.overrides.iter().filter(|&&(_, above)| above == symbol).map(|&(member, _)| member).collect()
    }

    /// Symbols that declare something of this type, in order.
    pub fn mentions_to(&self, symbol: u32) -> impl Iterator<Item = u32> {
        run(&self.mentioned, symbol)
    }

    /// The definitions that a site may mean, in order.
    pub fn targets<'g>(&'g self, site: &'g Site) -> &'g [u32] {
        match &site.target {
            Target::Symbol(symbol) => std::slice::from_ref(symbol),
            Target::Several(list) => &self.lists[*list as usize],
            Target::File(_) | Target::Nothing => &[],
        }
    }

    /// The share of each symbol in a walk that starts at some of them, by weight.
    pub fn personal_rank(&self, from: &[(u32, f64)]) -> Vec<f64> {
        let nodes = self.symbol_rank.len() + self.file_rank.len();
        let mut both = Vec::with_capacity(self.edges.len() * 2);
        // Who calls the seeds matters to the task, too, but less than what they call.
        both.extend(self.edges.iter().copied());
        both.extend(self.edges.iter().map(|e| Edge { from: e.to, to: e.from, weight: e.weight * 0.5 }));
        let mut ranks = page_rank(nodes, &merge(both), from, STEPS);
        ranks.truncate(self.symbol_rank.len());
        ranks
    }

    /// By file: its share of a walk against uses between files. Much of it comes to files that bring others together.
    pub fn file_reach(&self) -> Vec<f64> {
        let turned = self.file_edges.iter().map(|edge| Edge { from: edge.to, to: edge.from, weight: edge.weight });
        page_rank(self.file_rank.len(), &merge(turned.collect()), &[], STEPS)
    }

    /// The files that a file uses, with the weight of it, in order.
    pub fn file_uses(&self) -> &[Edge] {
        &self.file_edges
    }
}

/// Whether symbols of this kind are ranked: what can be called, and types.
fn is_ranked(kind: SymbolKind) -> bool {
    kind.is_callable() || kind.is_type()
}

/// The function or type that a use is in: fields and variables use nothing by themselves.
fn user(nodes: &[Node], within: u32) -> u32 {
    let mut at = within;
    while at != NONE && !is_ranked(nodes[at as usize].kind) {
        at = nodes[at as usize].parent;
    }
    at
}

fn weight(site: &Site) -> f32 {
    let kind = match site.kind {
        CallKind::Call | CallKind::Extends | CallKind::Value => 1.0,
        CallKind::Import => 0.5,
    };
    let sure = match site.confidence {
        Confidence::Unique => 0.7,
        Confidence::Ambiguous => 0.3,
        Confidence::External => 0.0,
        _ => 1.0,
    };
    kind * sure
}

/// One edge a pair of files: more uses count more, but ever less.
fn summed(mut between: Vec<(u32, u32, f32)>) -> Vec<Edge> {
    between.sort_unstable_by(|a, b| (a.0, a.1).cmp(&(b.0, b.1)).then(a.2.total_cmp(&b.2)));
    between
        .chunk_by(|a, b| (a.0, a.1) == (b.0, b.1))
        .map(|uses| {
            let sum: f32 = uses.iter().map(|u| u.2).sum();
            Edge { from: uses[0].0, to: uses[0].1, weight: libm::logf(1.0 + sum) }
        })
        .collect()
}

/// The second numbers of the pairs that begin with this one.
fn run(pairs: &[(u32, u32)], first: u32) -> impl Iterator<Item = u32> {
    let from = pairs.partition_point(|&(f, _)| f < first);
    pairs[from..].iter().take_while(move |&&(f, _)| f == first).map(|&(_, second)| second)
}
