//! The tests that reach what was changed: uses are followed backwards, sure ones and ambiguous ones, until there are none.
//!
//! Much is run without being named: a constructor by who makes a value, a special method by an operator, an override by
//! the base class, a registered function by its registry. There the users of the type, or those who import the file, are
//! taken to run it ([`conventions`](super::conventions)); the answer says how many tests are there for no better reason,
//! and what no use at all leads to.

use std::collections::{BTreeMap, BTreeSet};

use seekwell_types::structure::{Change, Row, StructureAnswer};

use super::uses::Reached;
use super::{Navigator, confidence, names};
use crate::generation::Generation;
use crate::lexical::Part;
use crate::place::Prior;
use crate::resolve::{Confidence, Family, NONE, Site, Target};
use crate::symbols::{CallKind, SymbolKind};
use crate::words::{self, Terms};

/// Names of values that are shorter stand in the text of everything.
const SHORTEST: usize = 3;

/// Changed symbols without a use that are named in the answer.
const NAMED: usize = 5;

/// Members that run before or after each test of their class or file.
const AROUND_TESTS: [&str; 22] = [
    "setUp",
    "tearDown",
    "setUpClass",
    "tearDownClass",
    "setup",
    "teardown",
    "setup_method",
    "teardown_method",
    "setup_class",
    "teardown_class",
    "asyncSetUp",
    "asyncTearDown",
    "beforeEach",
    "afterEach",
    "beforeAll",
    "afterAll",
    "before",
    "after",
    "setup_function",
    "SetUp",
    "TearDown",
    "TestMain",
];

/// Whether a symbol is a test: it is marked as one, or is called like one in a file of tests.
pub(super) fn is_test(generation: &Generation, symbol: u32) -> bool {
    let record = &generation.symbols[symbol as usize].record;
    if record.kind == SymbolKind::Test || record.test {
        return true;
    }
    let file = &generation.files[generation.symbols[symbol as usize].file as usize];
    let name = generation.symbol_name(symbol);
    let called = ["test", "Test", "Benchmark", "Fuzz", "Example"].iter().any(|word| name.starts_with(word));
    let callable = matches!(record.kind, SymbolKind::Function | SymbolKind::Method);
    called && callable && file.priors.has(Prior::Test)
}

impl Navigator<'_> {
    /// The tests that reach what was changed.
    pub(super) fn affected(&self, changes: &[Change], symbols: &[String]) -> StructureAnswer {
        let mut answer = StructureAnswer::default();
        let mut reached = Reached::default();
        let mut files: Vec<u32> = Vec::new();
        for name in symbols {
            let (subjects, notes) = self.subjects(name);
            answer.notes.extend(notes);
            if subjects.is_empty() {
                answer.notes.push(format!("no symbol is called {name}"));
                answer.nearest.extend(self.nearest_names(name));
                answer.not_found = true;
            }
            subjects.iter().for_each(|&subject| self.start(subject, &mut reached));
        }
        let mut quiet = 0;
        for change in changes {
            self.changed(change, &mut reached, &mut files, &mut quiet, &mut answer);
        }
        if quiet > 0 {
            answer.notes.push(format!(
                "{quiet} changed lines are of no definition, import or call (comments, blank lines): nothing follows from them"
            ));
        }
        let starts = reached.order.len();
        answer.subjects = reached.order.iter().map(|&(symbol, ..)| self.symbol(symbol)).collect();
        let followed = self.follow(&mut reached, files);
        self.tell(&reached, starts, &followed, &mut answer);
        answer
    }

    /// A changed symbol; a changed type is all of its members.
    fn start(&self, symbol: u32, reached: &mut Reached) {
        reached.start(symbol);
        if self.record(symbol).kind.is_type() || self.record(symbol).kind == SymbolKind::Impl {
            let (first, end) = self.generation.files[self.file_of(symbol) as usize].symbols;
            let inside = |&s: &u32| self.record(s).parent == Some(symbol);
            (first..end).filter(inside).for_each(|member| reached.start(member));
        }
    }

    fn changed(
        &self,
        change: &Change,
        reached: &mut Reached,
        top: &mut Vec<u32>,
        quiet: &mut u32,
        answer: &mut StructureAnswer,
    ) {
        let files = &self.generation.files;
        let path = change.path.trim_start_matches("./");
        let Ok(file) = files.binary_search_by(|f| f.path.as_bytes().cmp(path.as_bytes())) else {
            answer.notes.push(format!("not in the tree, so nothing is known of what uses it: {path}"));
            if change.lines.is_empty() {
                answer.not_found = true;
                answer.nearest.extend(names::nearest(path, files.iter().map(|f| f.path.as_str())));
            }
            return;
        };
        let (first, end) = files[file].symbols;
        if change.lines.is_empty() {
            (first..end).for_each(|symbol| reached.start(symbol));
            top.push(file as u32);
            return;
        }
        for line in change.lines.iter().flat_map(|lines| lines.start..=lines.end) {
            if !self.changed_line(file as u32, line, reached, top) {
                *quiet += 1;
            }
        }
    }

    /// Starts from what a line is of. Returns whether it is of anything: comments and blank lines between definitions are
    /// not.
    fn changed_line(&self, file: u32, line: u32, reached: &mut Reached, top: &mut Vec<u32>) -> bool {
        let sites = self.generation.graph().uses_of(file);
        let first = sites.partition_point(|site| site.line < line);
        let on_line = &sites[first..first + sites[first..].partition_point(|site| site.line == line)];
        let within = self.at_line(file, line);
        let kind = within.map(|symbol| self.record(symbol).kind);
        match (within, kind) {
            (Some(symbol), Some(kind)) if kind.is_type() || kind == SymbolKind::Impl => {
                let in_head = self.record(symbol).name_line == line;
                let runs = on_line.iter().any(|site| site.kind != CallKind::Import && site.within == symbol);
                if in_head || runs {
                    self.start(symbol, reached);
                }
                in_head || runs
            }
            (Some(symbol), _) => {
                reached.start(symbol);
                true
            }
            (None, _) if on_line.iter().all(|site| site.kind == CallKind::Import) => {
                on_line.iter().for_each(|import| self.each_use_of_import(import, &mut |user| reached.start(user)));
                !on_line.is_empty()
            }
            (None, _) => {
                if top.last() != Some(&file) {
                    top.push(file);
                }
                true
            }
        }
    }

    /// What a file does with what it imports at a place.
    fn each_use_of_import(&self, import: &Site, each: &mut dyn FnMut(u32)) {
        let graph = self.generation.graph();
        let is_same =
            |site: &&Site| site.name == import.name || import.target != Target::Nothing && site.target == import.target;
        for site in graph.uses_of(import.file).iter().filter(|site| site.kind != CallKind::Import).filter(is_same) {
            self.user(site.within).into_iter().for_each(&mut *each);
        }
    }

    /// The innermost definition on a line: of functions, types, and what has a value.
    fn at_line(&self, file: u32, line: u32) -> Option<u32> {
        let (first, end) = self.generation.files[file as usize].symbols;
        let on = |&s: &u32| {
            let (start, last) = self.record(s).lines;
            let kind = self.record(s).kind;
            start <= line
                && line <= last
                && (kind.is_callable() || kind.is_type() || kind == SymbolKind::Impl || has_value(kind))
        };
        let innermost = (first..end).rev().find(on)?;
        // What has a value inside of a function is the function's.
        let mut around = std::iter::successors(Some(innermost), |&at| self.record(at).parent);
        Some(around.find(|&s| self.record(s).kind.is_callable()).filter(|_| has_value(self.record(innermost).kind)))
            .map(|function| function.unwrap_or(innermost))
    }

    /// Functions in whose text the name of a constant, a variable or a field stands, in files of the same language: what
    /// reads a value is no use that is resolved.
    fn each_reader(&self, symbol: u32, each: &mut dyn FnMut(u32)) {
        let generation = self.generation;
        let name = generation.symbol_name(symbol);
        let family = Family::of(&generation.files[self.file_of(symbol) as usize].language);
        let mut terms: Vec<String> = Vec::new();
        Terms::default().of_word(name, |term| terms.push(term.to_owned()));
        let (part, term) = match &terms[..] {
            // Too short to tell anything apart: who uses the type around it may read it.
            _ if name.len() < SHORTEST => return self.record(symbol).parent.into_iter().for_each(each),
            [] => return,
            [one] => (Part::Body, one.clone()),
            _ => (Part::Whole, words::whole(name)),
        };
        let mut chunks: Vec<u32> = Vec::new();
        // An index that cannot be read says so to whoever searches.
        let _ = generation.lexical.postings(part, &term, |chunk, _| chunks.push(chunk));
        for chunk in chunks {
            let chunk = &generation.chunks[chunk as usize];
            let file = &generation.files[chunk.file as usize];
            if Family::of(&file.language) != family {
                continue;
            }
            let shares = |&s: &u32| {
                let record = self.record(s);
                let is_over = record.extent.0 < chunk.span.1 && chunk.span.0 < record.extent.1;
                s != symbol && record.kind.is_callable() && is_over
            };
            (file.symbols.0..file.symbols.1).filter(shares).for_each(&mut *each);
        }
    }

    /// Follows uses backwards.
    fn follow(&self, reached: &mut Reached, files: Vec<u32>) -> Followed {
        let graph = self.generation.graph();
        let mut followed = Followed::default();
        let starts = reached.order.len();
        let mut open: Vec<(u32, u32)> = files.into_iter().map(|file| (file, 0)).collect();
        let mut at = 0;
        loop {
            while let Some((file, steps)) = open.pop() {
                if followed.top.contains_key(&file) {
                    continue;
                }
                followed.top.insert(file, steps);
                self.each_run_with(file, &mut |test| {
                    reached.add(test, steps + 1, usize::MAX, None);
                });
                open.extend(self.importers(file).into_iter().map(|file| (file, steps + 1)));
            }
            let Some(&(symbol, steps, _, _)) = reached.order.get(at) else { return followed };
            let mut has_user = false;
            if has_value(self.record(symbol).kind) {
                self.each_reader(symbol, &mut |reader| {
                    has_user = true;
                    if reached.add(reader, steps + 1, at, None) {
                        followed.guessed.insert(reader);
                    }
                });
            }
            self.each_user(symbol, &mut |user, site| {
                has_user |= user != symbol;
                reached.add(user, steps + 1, at, site);
            });
            self.each_fixture_use(symbol, &mut |test| {
                has_user = true;
                reached.add(test, steps + 1, at, None);
            });
            for site in
                graph.uses_to(symbol).filter(|site| site.kind != CallKind::Import && self.user(site.within).is_none())
            {
                has_user = true;
                // What is kept in a variable is run by who reads it.
                match Some(site.within).filter(|within| *within != NONE && has_value(self.record(*within).kind)) {
                    Some(variable) => _ = reached.add(variable, steps + 1, at, Some(*site)),
                    None => open.push((site.file, steps + 1)),
                }
            }
            let by = self.convention(symbol, has_user);
            if let Some(around) = by.around {
                reached.add(around, steps + 1, at, None);
            }
            if let Some(of) = by.of
                && reached.add(of, steps + 1, at, None)
                && !by.is_sure
            {
                followed.guessed.insert(of);
            }
            if by.at_top && !has_user {
                open.push((self.file_of(symbol), steps + 1));
            }
            if at < starts && !has_user && by.around.is_none() && by.of.is_none() && !self.is_test(symbol) {
                followed.unseen.push(symbol);
            }
            at += 1;
        }
    }

    /// The tests that the top level of a file runs before: its own, those of its package in Go, those of the folder for
    /// pytest's `conftest.py`.
    fn each_run_with(&self, file: u32, each: &mut dyn FnMut(u32)) {
        let mut tests_of = |file: u32| {
            let (first, end) = self.generation.files[file as usize].symbols;
            (first..end).filter(|&s| self.is_test(s)).for_each(&mut *each);
        };
        if crate::place::file_name(self.path(file)) == "conftest.py" {
            self.files_below(file).for_each(&mut tests_of);
        } else {
            self.package_of(file).into_iter().for_each(&mut tests_of);
        }
    }

    /// The files that import a file, or something of it.
    fn importers(&self, file: u32) -> Vec<u32> {
        let graph = self.generation.graph();
        let mut found = Vec::new();
        for file in self.package_of(file) {
            let (first, end) = self.generation.files[file as usize].symbols;
            found.extend(graph.imports_to(file).map(|site| site.file));
            let named = (first..end).flat_map(|s| graph.uses_to(s)).filter(|site| site.kind == CallKind::Import);
            found.extend(named.map(|site| site.file));
        }
        found
    }

    /// The files that are one with a file: in Go those of its folder, else itself alone.
    fn package_of(&self, file: u32) -> Vec<u32> {
        let files = &self.generation.files;
        let is_go = |file: u32| Family::of(&files[file as usize].language) == Family::Go;
        if !is_go(file) {
            return vec![file];
        }
        let here = folder(self.path(file));
        (0..files.len() as u32).filter(|&f| is_go(f) && folder(self.path(f)) == here).collect()
    }

    /// The files in a file's folder and below.
    fn files_below(&self, file: u32) -> impl Iterator<Item = u32> {
        let here = folder(self.path(file));
        (0..self.generation.files.len() as u32).filter(move |&f| self.path(f).starts_with(here))
    }

    /// What runs around tests is used by each of them, and so is a fixture of pytest by each test that asks for it by
    /// name; one that nobody asks for is taken to run by itself (`autouse`), for every test that sees it.
    fn each_fixture_use(&self, symbol: u32, each: &mut dyn FnMut(u32)) {
        let name = self.generation.symbol_name(symbol);
        let file = self.file_of(symbol);
        let (first, end) = self.generation.files[file as usize].symbols;
        if AROUND_TESTS.contains(&name) {
            let parent = self.record(symbol).parent;
            (first..end).filter(|&s| self.record(s).parent == parent && self.is_test(s)).for_each(&mut *each);
        }
        let data = &self.generation.files[file as usize];
        let is_conftest = crate::place::file_name(&data.path) == "conftest.py";
        let is_python = Family::of(&data.language) == Family::Python;
        let is_fixture = is_python && (is_conftest || data.priors.has(Prior::Test)) && !self.is_test(symbol);
        if !is_fixture || !self.is_decorated(symbol) {
            return;
        }
        let sees: Vec<u32> = if is_conftest { self.files_below(file).collect() } else { vec![file] };
        let python = |f: &&u32| Family::of(&self.generation.files[**f as usize].language) == Family::Python;
        let mut asked = false;
        let mut all = Vec::new();
        for &seen in sees.iter().filter(python) {
            let other = &self.generation.files[seen as usize];
            for s in other.symbols.0..other.symbols.1 {
                if s == symbol || !self.record(s).kind.is_callable() {
                    continue;
                }
                if takes(other.strings.get(self.record(s).signature), name) {
                    asked = true;
                    each(s);
                } else if self.is_test(s) {
                    all.push(s);
                }
            }
        }
        if !asked {
            all.into_iter().for_each(each);
        }
    }

    fn tell(&self, reached: &Reached, starts: usize, followed: &Followed, answer: &mut StructureAnswer) {
        let (mut ambiguous, mut guessed) = (0, 0);
        for (at, &(symbol, steps, _, site)) in reached.order.iter().enumerate() {
            if !self.is_test(symbol) {
                continue;
            }
            let is_guess = reached.way(at).any(|symbol| followed.guessed.contains(&symbol));
            guessed += usize::from(is_guess);
            ambiguous += usize::from(!is_guess && site.is_some_and(|site| matches!(site.target, Target::Several(_))));
            answer.rows.push(Row {
                symbol: Some(self.symbol(symbol)),
                name: self.full_name(symbol),
                places: site.iter().map(|site| self.place(site)).collect(),
                confidence: if is_guess {
                    Some(confidence(Confidence::Ambiguous))
                } else {
                    site.map(|site| confidence(site.confidence))
                },
                depth: steps,
                ..Row::default()
            });
        }
        // Tests that no symbol stands for: in macros, or at the top of a file of tests.
        for (&file, &steps) in &followed.top {
            let data = &self.generation.files[file as usize];
            let (first, end) = data.symbols;
            // In these a test is a function, and a file without one a helper of tests.
            if matches!(Family::of(&data.language), Family::Python | Family::Go) {
                continue;
            }
            if data.priors.has(Prior::Test) && steps > 0 && !(first..end).any(|s| self.is_test(s)) {
                let name = data.path.clone();
                answer.rows.push(Row { name, depth: steps, ..Row::default() });
            }
        }
        answer.rows.sort_by(|a, b| {
            let key = |row: &Row| {
                (
                    row.symbol.as_ref().map_or(row.name.clone(), |s| s.path.clone()),
                    row.symbol.as_ref().map_or(0, |s| s.name_line),
                )
            };
            key(a).cmp(&key(b))
        });
        answer.total = answer.rows.len() as u32;
        if ambiguous > 0 {
            answer.notes.push(format!("{ambiguous} of the tests are reached by a name that several definitions have"));
        }
        if guessed > 0 {
            answer.notes.push(format!(
                "{guessed} of the tests are reached only by what no call in the text shows: they use the type of a special \
                 method, a property, a registered function or an override of what is not in the tree, or the name of a value"
            ));
        }
        if !followed.unseen.is_empty() {
            let names: Vec<String> = followed.unseen.iter().take(NAMED).map(|&s| self.full_name(s)).collect();
            let more = match followed.unseen.len().saturating_sub(NAMED) {
                0 => String::new(),
                more => format!(" and {more} more"),
            };
            answer.notes.push(format!(
                "no use is seen of {}{more}: what calls it by a string, a configuration or from outside the tree is not told",
                names.join(", ")
            ));
        }
        if starts == 0 && followed.top.is_empty() && !answer.not_found {
            answer.notes.push("nothing that was changed is code of the tree".to_owned());
        }
    }
}

/// What following uses backwards found besides symbols.
#[derive(Default)]
struct Followed {
    /// Files whose top level reaches what was changed, with the steps.
    top: BTreeMap<u32, u32>,
    /// Types that were reached since one of their members runs by convention.
    guessed: BTreeSet<u32>,
    /// Changed symbols that nothing is seen to use.
    unseen: Vec<u32>,
}

/// Whether a symbol of this kind holds a value that functions read.
fn has_value(kind: SymbolKind) -> bool {
    matches!(kind, SymbolKind::Variable | SymbolKind::Field)
}

/// The part of a path up to its file's name.
fn folder(path: &str) -> &str {
    &path[..path.len() - crate::place::file_name(path).len()]
}

/// Whether a function has a parameter of this name.
fn takes(signature: &str, name: &str) -> bool {
    let Some((_, parameters)) = signature.split_once('(') else { return false };
    parameters.split([',', ')']).any(|one| one.trim().split([':', '=', ' ']).next() == Some(name))
}
