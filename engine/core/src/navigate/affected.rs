//! The tests that reach what was changed: uses are followed backwards, sure ones and ambiguous ones, until there are none.

use std::collections::BTreeMap;

use seekwell_types::structure::{Change, Row, StructureAnswer};

use super::uses::Reached;
use super::{Navigator, confidence, names};
use crate::generation::Generation;
use crate::place::Prior;
use crate::resolve::{Family, Target};
use crate::symbols::{CallKind, SymbolKind};

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
        for change in changes {
            self.changed(change, &mut reached, &mut files, &mut answer);
        }
        let starts = reached.order.len();
        answer.subjects = reached.order.iter().map(|&(symbol, ..)| self.symbol(symbol)).collect();
        let top = self.follow(&mut reached, files);
        self.tell(&reached, starts, &top, &mut answer);
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

    fn changed(&self, change: &Change, reached: &mut Reached, top: &mut Vec<u32>, answer: &mut StructureAnswer) {
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
        for lines in &change.lines {
            for line in lines.start..=lines.end {
                match self.at_line(file as u32, line) {
                    Some(symbol) => self.start(symbol, reached),
                    None if top.last() != Some(&(file as u32)) => top.push(file as u32),
                    None => {}
                }
            }
        }
    }

    /// The innermost function or type on a line. Fields are their type's, constants their file's.
    fn at_line(&self, file: u32, line: u32) -> Option<u32> {
        let (first, end) = self.generation.files[file as usize].symbols;
        let on = |&s: &u32| {
            let (start, last) = self.record(s).lines;
            let kind = self.record(s).kind;
            start <= line && line <= last && (kind.is_callable() || kind.is_type() || kind == SymbolKind::Impl)
        };
        (first..end).rev().find(on)
    }

    /// Follows uses backwards. Returns the files whose top level reaches what was changed.
    fn follow(&self, reached: &mut Reached, files: Vec<u32>) -> BTreeMap<u32, u32> {
        let graph = self.generation.graph();
        let mut top: BTreeMap<u32, u32> = BTreeMap::new();
        let mut open: Vec<(u32, u32)> = files.into_iter().map(|file| (file, 0)).collect();
        let mut at = 0;
        loop {
            while let Some((file, steps)) = open.pop() {
                if top.contains_key(&file) {
                    continue;
                }
                top.insert(file, steps);
                // What runs at the top of a file runs for whoever imports it, and before each of its tests.
                let (first, end) = self.generation.files[file as usize].symbols;
                (first..end).filter(|&s| self.is_test(s)).for_each(|s| reached.add(s, steps + 1, usize::MAX, None));
                let whole = graph.imports_to(file).map(|site| site.file);
                let named = (first..end).flat_map(|s| graph.uses_to(s)).filter(|site| site.kind == CallKind::Import);
                open.extend(whole.chain(named.map(|site| site.file)).map(|file| (file, steps + 1)));
            }
            let Some(&(symbol, steps, _, _)) = reached.order.get(at) else { return top };
            self.each_user(symbol, &mut |user, site| reached.add(user, steps + 1, at, site));
            self.each_fixture_use(symbol, &mut |test| reached.add(test, steps + 1, at, None));
            for site in
                graph.uses_to(symbol).filter(|site| site.kind != CallKind::Import && self.user(site.within).is_none())
            {
                open.push((site.file, steps + 1));
            }
            at += 1;
        }
    }

    /// What runs around tests is used by each of them, and so is a fixture by each test that asks for it by name.
    fn each_fixture_use(&self, symbol: u32, each: &mut dyn FnMut(u32)) {
        let name = self.generation.symbol_name(symbol);
        let file = self.file_of(symbol);
        let (first, end) = self.generation.files[file as usize].symbols;
        if AROUND_TESTS.contains(&name) {
            let parent = self.record(symbol).parent;
            (first..end).filter(|&s| self.record(s).parent == parent && self.is_test(s)).for_each(&mut *each);
        }
        if Family::of(&self.generation.files[file as usize].language) != Family::Python {
            return;
        }
        let path = self.path(file);
        let is_conftest = crate::place::file_name(path) == "conftest.py";
        let is_test_file = self.generation.files[file as usize].priors.has(Prior::Test);
        if !is_conftest && !is_test_file {
            return;
        }
        let folder = &path[..path.len() - crate::place::file_name(path).len()];
        for (number, other) in self.generation.files.iter().enumerate() {
            let sees = if is_conftest { other.path.starts_with(folder) } else { number as u32 == file };
            if !sees || Family::of(&other.language) != Family::Python {
                continue;
            }
            for s in other.symbols.0..other.symbols.1 {
                let signature = other.strings.get(self.record(s).signature);
                if s != symbol && self.record(s).kind.is_callable() && takes(signature, name) {
                    each(s);
                }
            }
        }
    }

    fn tell(&self, reached: &Reached, starts: usize, top: &BTreeMap<u32, u32>, answer: &mut StructureAnswer) {
        let mut ambiguous = 0;
        for &(symbol, steps, _, site) in &reached.order {
            if !self.is_test(symbol) {
                continue;
            }
            ambiguous += usize::from(site.is_some_and(|site| matches!(site.target, Target::Several(_))));
            answer.rows.push(Row {
                symbol: Some(self.symbol(symbol)),
                name: self.full_name(symbol),
                places: site.iter().map(|site| self.place(site)).collect(),
                confidence: site.map(|site| confidence(site.confidence)),
                depth: steps,
                ..Row::default()
            });
        }
        // Tests that no symbol stands for: in macros, or at the top of a file of tests.
        for (&file, &steps) in top {
            let data = &self.generation.files[file as usize];
            let (first, end) = data.symbols;
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
        if starts == 0 && top.is_empty() && !answer.not_found {
            answer.notes.push("nothing that was changed is code of the tree".to_owned());
        }
    }
}

/// Whether a function has a parameter of this name.
fn takes(signature: &str, name: &str) -> bool {
    let Some((_, parameters)) = signature.split_once('(') else { return false };
    parameters.split([',', ')']).any(|one| one.trim().split([':', '=', ' ']).next() == Some(name))
}
