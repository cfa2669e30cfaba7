//! Who uses a symbol, what it uses, where its name stands, and the ways between two.

use std::collections::{BTreeMap, VecDeque};

use seekwell_types::structure::{self as types, FileOccurrences, Place, Role, Row, StructureAnswer};

use super::{Navigator, confidence};
use crate::resolve::{Confidence, NONE, Site, Target};
use crate::symbols::CallKind;

/// Rows of an impact that are told. What reaches more than this reaches everything.
const IMPACT_ROWS: usize = 5_000;

/// Symbols that a search for a way looks at.
const WAY_STEPS: usize = 200_000;

impl Navigator<'_> {
    /// What uses these symbols, each user once a subject, with all places; the sure ones first.
    pub(super) fn callers(&self, subjects: &[u32]) -> Vec<Row> {
        let mut rows: Vec<Row> = Vec::new();
        // An ambiguous use of a name with several subjects is told once.
        let mut told: BTreeMap<(u32, u32), ()> = BTreeMap::new();
        for (number, &subject) in subjects.iter().enumerate() {
            let mut by_user: BTreeMap<(u32, Option<u32>), Vec<&Site>> = BTreeMap::new();
            for site in self.generation.graph().uses_to(subject).filter(|site| site.kind != CallKind::Import) {
                if told.insert((site.file, site.start), ()).is_none() {
                    by_user.entry((site.file, self.user(site.within))).or_default().push(site);
                }
            }
            for ((file, user), sites) in by_user {
                rows.push(self.user_row(file, user, number as u32, &sites));
            }
        }
        rows.sort_by_key(|row| (row.confidence >= Some(types::Confidence::Ambiguous), row.subject));
        rows
    }

    fn user_row(&self, file: u32, user: Option<u32>, subject: u32, sites: &[&Site]) -> Row {
        let surest = sites.iter().min_by_key(|site| site.confidence).expect("a row has a site");
        let (candidates, candidate_count) = self.candidates(surest);
        Row {
            symbol: user.map(|user| self.symbol(user)),
            name: user.map_or(self.path(file), |user| self.generation.symbol_name(user)).to_owned(),
            subject: Some(subject),
            places: sites.iter().map(|site| self.place(site)).collect(),
            confidence: Some(confidence(surest.confidence)),
            candidates,
            candidate_count,
            ..Row::default()
        }
    }

    /// What these symbols use: each target once a subject, in order of place; what is not in the tree last.
    pub(super) fn callees(&self, subjects: &[u32]) -> Vec<Row> {
        let mut rows: Vec<(bool, u32, u32, Row)> = Vec::new();
        for (number, &subject) in subjects.iter().enumerate() {
            let mut seen: BTreeMap<(u32, u32, u32), usize> = BTreeMap::new();
            for site in self.sites_in(subject) {
                let key = match site.target {
                    Target::Symbol(symbol) => (0, symbol, 0),
                    Target::Several(list) => (1, list, site.name),
                    Target::File(file) => (2, file, 0),
                    Target::Nothing => (3, site.name, 0),
                };
                if let Some(&at) = seen.get(&key) {
                    rows[at].3.places.push(self.place(site));
                    continue;
                }
                seen.insert(key, rows.len());
                let (candidates, candidate_count) = self.candidates(site);
                let row = Row {
                    symbol: match site.target {
                        Target::Symbol(symbol) => Some(self.symbol(symbol)),
                        _ => None,
                    },
                    name: self.generation.graph().name(site).to_owned(),
                    subject: Some(number as u32),
                    places: vec![self.place(site)],
                    confidence: Some(confidence(site.confidence)),
                    candidates,
                    candidate_count,
                    ..Row::default()
                };
                rows.push((site.confidence == Confidence::External, number as u32, site.start, row));
            }
        }
        rows.sort_by_key(|&(external, subject, start, _)| (external, subject, start));
        rows.into_iter().map(|(_, _, _, row)| row).collect()
    }

    /// The uses inside a symbol, those of what is nested in it included, by place; without imports.
    fn sites_in(&self, symbol: u32) -> impl Iterator<Item = &Site> {
        let (start, end) = self.record(symbol).extent;
        let sites = self.generation.graph().uses_of(self.file_of(symbol));
        let from = sites.partition_point(|site| site.start < start);
        sites[from..].iter().take_while(move |site| site.start < end).filter(|site| site.kind != CallKind::Import)
    }

    /// Where a name stands: every place, with what is known of it.
    pub(super) fn references(&self, name: &str, found: &[FileOccurrences]) -> StructureAnswer {
        let (subjects, notes) = self.subjects(name);
        let rows = self.places(&subjects, found, |_| true);
        if rows.is_empty() && subjects.is_empty() {
            return self.nothing(name);
        }
        let subjects = subjects.iter().map(|&symbol| self.symbol(symbol)).collect();
        StructureAnswer { subjects, total: rows.len() as u32, rows, notes, ..StructureAnswer::default() }
    }

    /// Where documentation speaks of a symbol.
    pub(super) fn mentions(&self, name: &str, found: &[FileOccurrences]) -> StructureAnswer {
        let (subjects, mut notes) = self.subjects(name);
        let rows = self.places(&subjects, found, |role| role == Role::Mention);
        if subjects.is_empty() && rows.is_empty() {
            return self.nothing(name);
        }
        if subjects.is_empty() {
            notes.push("nothing of this name is defined in the tree".to_owned());
        }
        let subjects = subjects.iter().map(|&symbol| self.symbol(symbol)).collect();
        StructureAnswer { subjects, total: rows.len() as u32, rows, notes, ..StructureAnswer::default() }
    }

    fn places(&self, subjects: &[u32], found: &[FileOccurrences], wanted: impl Fn(Role) -> bool) -> Vec<Row> {
        let files = &self.generation.files;
        let mut rows = Vec::new();
        for FileOccurrences { path, occurrences } in found {
            let Ok(file) = files.binary_search_by(|f| f.path.as_bytes().cmp(path.as_bytes())) else { continue };
            let sites = self.generation.graph().uses_of(file as u32);
            for occurrence in occurrences.iter().filter(|occurrence| wanted(occurrence.role)) {
                let start = occurrence.span.start;
                let site = sites.binary_search_by_key(&start, |site| site.start).ok().map(|at| &sites[at]);
                let around = self.innermost(file as u32, start);
                let defined = around.filter(|&s| self.record(s).name_span.0 == start);
                let subject = match (defined, site) {
                    (Some(symbol), _) => subjects.iter().position(|&s| s == symbol),
                    (None, Some(site)) => match self.generation.graph().targets(site) {
                        [one] => subjects.iter().position(|s| s == one),
                        _ => None,
                    },
                    (None, None) => None,
                };
                let (candidates, candidate_count) = site.map_or((Vec::new(), 0), |site| self.candidates(site));
                rows.push(Row {
                    symbol: around.map(|symbol| self.symbol(symbol)),
                    name: around.map_or(path.as_str(), |symbol| self.generation.symbol_name(symbol)).to_owned(),
                    subject: subject.map(|subject| subject as u32),
                    places: vec![Place {
                        path: path.clone(),
                        line: occurrence.line,
                        column: occurrence.column,
                        span: occurrence.span,
                        role: occurrence.role,
                    }],
                    confidence: site.map(|site| confidence(site.confidence)),
                    candidates,
                    candidate_count,
                    ..Row::default()
                });
            }
        }
        rows
    }

    /// The innermost symbol around a place.
    pub(super) fn innermost(&self, file: u32, at: u32) -> Option<u32> {
        let (first, end) = self.generation.files[file as usize].symbols;
        let symbols = &self.generation.symbols[first as usize..end as usize];
        let before = symbols.partition_point(|symbol| symbol.record.extent.0 <= at) as u32;
        let last = (first + before).checked_sub(1).filter(|last| *last >= first)?;
        let mut around = std::iter::successors(Some(last), |&s| self.record(s).parent);
        around.find(|&s| self.record(s).extent.1 > at)
    }

    /// What uses these symbols, directly and through others: a tree, each user where it is nearest.
    pub(super) fn impact(&self, subjects: &[u32], depth: u32) -> Vec<Row> {
        let limit = if depth == 0 { u32::MAX } else { depth };
        let mut reached = Reached::default();
        for &subject in subjects {
            reached.start(subject);
        }
        let mut at = 0;
        let mut told = Told::default();
        while let Some(&(symbol, steps, _, _)) = reached.order.get(at) {
            if steps < limit && reached.order.len() < IMPACT_ROWS + subjects.len() {
                self.each_new_user(symbol, &mut told, &mut |user, site| {
                    reached.add(user, steps + 1, at, site);
                });
            }
            at += 1;
        }
        self.tree(subjects.len(), &reached)
    }

    /// Calls back with each function or type that uses a symbol, with the place.
    pub(super) fn each_user(&self, symbol: u32, each: &mut dyn FnMut(u32, Option<Site>)) {
        self.each_new_user(symbol, &mut Told::default(), each);
    }

    /// The same, without users that were told of another symbol: a use that could mean any of a hundred definitions is a use of
    /// each.
    fn each_new_user(&self, symbol: u32, told: &mut Told, each: &mut dyn FnMut(u32, Option<Site>)) {
        let graph = self.generation.graph();
        for site in graph.uses_to(symbol).filter(|site| site.kind != CallKind::Import) {
            if let Target::Several(list) = site.target
                && !told.lists.is_of(list, symbol)
            {
                continue;
            }
            if let Some(user) = self.user(site.within) {
                each(user, Some(*site));
            }
        }
        for within in graph.mentions_to(symbol) {
            if let Some(user) = self.user(within) {
                each(user, None);
            }
        }
        // Whoever calls the method of a trait or a base class may come here.
        for above in graph.stands_in_for(symbol).filter(|&above| told.above.is_of(above, symbol)) {
            for site in graph.uses_to(above).filter(|site| site.kind == CallKind::Call) {
                if let Some(user) = self.user(site.within) {
                    each(user, Some(Site { confidence: Confidence::Ambiguous, ..*site }));
                }
            }
        }
    }

    /// The rows of a tree, each before its children, children in order of importance.
    fn tree(&self, roots: usize, reached: &Reached) -> Vec<Row> {
        let mut children: Vec<Vec<usize>> = vec![Vec::new(); reached.order.len()];
        for (at, &(_, _, parent, _)) in reached.order.iter().enumerate().skip(roots) {
            children[parent].push(at);
        }
        let importance = |at: usize| self.generation.graph().symbol_percentile[reached.order[at].0 as usize];
        for list in &mut children {
            list.sort_by(|&a, &b| importance(b).total_cmp(&importance(a)).then(a.cmp(&b)));
        }
        let mut rows: Vec<Row> = Vec::new();
        let mut open: Vec<(usize, Option<u32>, u32)> = (0..roots)
            .rev()
            .flat_map(|root| children[root].iter().rev().map(move |&c| (c, None, root as u32)))
            .collect();
        while let Some((at, parent, subject)) = open.pop() {
            let (symbol, steps, _, site) = reached.order[at];
            let number = rows.len() as u32;
            rows.push(Row {
                symbol: Some(self.symbol(symbol)),
                name: self.generation.symbol_name(symbol).to_owned(),
                subject: Some(subject),
                places: site.iter().map(|site| self.place(site)).collect(),
                confidence: site.map(|site| confidence(site.confidence)),
                depth: steps,
                parent,
                ..Row::default()
            });
            open.extend(children[at].iter().rev().map(|&child| (child, Some(number), subject)));
        }
        rows
    }

    /// The shortest way of uses from one name to another; certain uses are tried before ambiguous ones.
    pub(super) fn way(&self, from: &str, to: &str) -> StructureAnswer {
        let (starts, mut notes) = self.subjects(from);
        let (ends, more) = self.subjects(to);
        notes.extend(more);
        for (name, found) in [(from, &starts), (to, &ends)] {
            if found.is_empty() {
                let answer = self.nothing(name);
                return StructureAnswer { notes: vec![format!("no symbol is called {name}")], ..answer };
            }
        }
        let subjects = starts.iter().chain(&ends).map(|&symbol| self.symbol(symbol)).collect();
        for sure in [true, false] {
            if let Some(rows) = self.shortest(&starts, &ends, sure) {
                if !sure {
                    notes.push("a step of this way is ambiguous: it is one of several definitions".to_owned());
                }
                return StructureAnswer {
                    subjects,
                    total: rows.len() as u32,
                    rows,
                    notes,
                    ..StructureAnswer::default()
                };
            }
        }
        notes.push(format!("no way of calls leads from {from} to {to}"));
        StructureAnswer { subjects, not_found: true, notes, ..StructureAnswer::default() }
    }

    fn shortest(&self, starts: &[u32], ends: &[u32], sure: bool) -> Option<Vec<Row>> {
        let mut before: Vec<(u32, Option<Site>)> = vec![(NONE, None); self.generation.symbols.len()];
        let mut open: VecDeque<u32> = VecDeque::new();
        for &start in starts {
            before[start as usize] = (start, None);
            open.push_back(start);
        }
        let mut steps = 0;
        let mut end = None;
        while let Some(symbol) = open.pop_front() {
            steps += 1;
            if ends.contains(&symbol) {
                end = Some(symbol);
                break;
            }
            if steps > WAY_STEPS {
                break;
            }
            for site in self.sites_in(symbol) {
                if sure && site.confidence == Confidence::Ambiguous {
                    continue;
                }
                for &target in self.generation.graph().targets(site) {
                    if before[target as usize].0 == NONE {
                        before[target as usize] = (symbol, Some(*site));
                        open.push_back(target);
                    }
                }
            }
        }
        let mut way = vec![end?];
        while let (previous, Some(_)) = before[*way.last()? as usize] {
            way.push(previous);
        }
        way.reverse();
        let row = |(depth, &symbol): (usize, &u32)| {
            let site = before[symbol as usize].1;
            Row {
                symbol: Some(self.symbol(symbol)),
                name: self.generation.symbol_name(symbol).to_owned(),
                places: site.iter().map(|site| self.place(site)).collect(),
                confidence: site.map(|site| confidence(site.confidence)),
                depth: depth as u32,
                parent: depth.checked_sub(1).map(|parent| parent as u32),
                ..Row::default()
            }
        };
        Some(way.iter().enumerate().map(row).collect())
    }
}

/// What was told of which symbol first: of the uses that lists of definitions share, and of those of a member that others stand
/// in for.
#[derive(Default)]
struct Told {
    lists: First,
    above: First,
}

/// Who came first to each of some things.
#[derive(Default)]
struct First(Vec<u32>);

impl First {
    /// Whether this one came first, which it does if nobody has.
    fn is_of(&mut self, thing: u32, one: u32) -> bool {
        if self.0.len() <= thing as usize {
            self.0.resize(thing as usize + 1, NONE);
        }
        let first = &mut self.0[thing as usize];
        if *first == NONE {
            *first = one;
        }
        *first == one
    }
}

/// Symbols in the order that they were reached: symbol, steps, the one it was reached from, the place.
#[derive(Default)]
pub(super) struct Reached {
    pub order: Vec<(u32, u32, usize, Option<Site>)>,
    /// By symbol; those beyond the end were not reached.
    seen: Vec<bool>,
}

impl Reached {
    pub fn start(&mut self, symbol: u32) {
        self.add(symbol, 0, usize::MAX, None);
    }

    /// Whether it had not been reached before.
    pub fn add(&mut self, symbol: u32, steps: u32, from: usize, site: Option<Site>) -> bool {
        if self.seen.len() <= symbol as usize {
            self.seen.resize(symbol as usize + 1, false);
        }
        let is_new = !std::mem::replace(&mut self.seen[symbol as usize], true);
        if is_new {
            self.order.push((symbol, steps, from, site));
        }
        is_new
    }

    /// What it was reached through, from itself back to the start.
    pub fn way(&self, at: usize) -> impl Iterator<Item = u32> {
        let before = |&at: &usize| self.order.get(self.order[at].2).map(|_| self.order[at].2);
        std::iter::successors(Some(at), before).map(|at| self.order[at].0)
    }
}
