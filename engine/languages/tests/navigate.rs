//! Questions about structure on small trees, with the engine alone: what is affected though no call shows it, which files a
//! map puts first, and what TypeScript hands on under other names.

use seekwell_core::analyse::Analyst;
use seekwell_core::generation::{Builder, Generation};
use seekwell_core::navigate::Navigator;
use seekwell_languages::LANGUAGES;
use seekwell_types::LineSpan;
use seekwell_types::structure::{Change, Confidence, StructureAnswer, StructureQuery};

/// A tree of files.
struct Tree(Generation);

impl Tree {
    fn new(files: &[(&str, &str)]) -> Self {
        let mut analyst = Analyst::new(LANGUAGES, None);
        let mut builder = Builder::new(LANGUAGES, None).expect("a builder");
        let mut files = files.to_vec();
        files.sort();
        for (path, text) in files {
            let analysis = analyst.analyse(path, text.as_bytes(), None).expect("text");
            builder.add(path, analysis).expect("added in order");
        }
        Self(builder.commit().expect("committed"))
    }

    fn ask(&self, query: &StructureQuery) -> StructureAnswer {
        Navigator::new(&self.0, LANGUAGES, None).answer(query).expect("an answer")
    }

    /// What is affected by a line.
    fn affected(&self, path: &str, line: u32) -> StructureAnswer {
        let lines = vec![LineSpan { start: line, end: line }];
        let changes = vec![Change { path: path.to_owned(), lines }];
        self.ask(&StructureQuery::Affected { changes, names: Vec::new() })
    }

    /// The names of the tests that are affected by a line.
    fn tests(&self, path: &str, line: u32) -> Vec<String> {
        self.affected(path, line).rows.into_iter().map(|row| row.name).collect()
    }

    /// The places of what calls a name.
    fn callers(&self, name: &str) -> Vec<String> {
        let answer = self.ask(&StructureQuery::Callers { name: name.to_owned() });
        let sure = answer.rows.iter().filter(|row| row.confidence < Some(Confidence::Unique));
        sure.flat_map(|row| &row.places).map(|place| format!("{}:{}", place.path, place.line)).collect()
    }
}

#[test]
fn who_makes_a_value_runs_its_constructor() {
    let tree = Tree::new(&[
        (
            "app.py",
            "class Base:\n    def __init__(self):\n        pass\n\nclass App(Base):\n    def other(self):\n        pass\n",
        ),
        ("test_app.py", "from app import App\n\ndef test_made():\n    App()\n\ndef test_other():\n    pass\n"),
    ]);
    assert_eq!(tree.tests("app.py", 3), ["test_made"], "through the class that extends it");
}

#[test]
fn what_is_defined_in_a_test_is_run_by_it() {
    let tree = Tree::new(&[
        ("app.py", "class App:\n    def route(self, path):\n        return path\n\ndef helper():\n    pass\n"),
        (
            "test_app.py",
            "from app import App, helper\n\ndef test_view():\n    app = App()\n    @app.route(\"/\")\n    def view():\n        helper()\n",
        ),
    ]);
    assert_eq!(tree.tests("app.py", 3), ["test_view"], "by the decorator");
    assert_eq!(tree.tests("app.py", 6), ["test_view"], "by what is decorated");
}

#[test]
fn what_runs_without_being_named_is_told_as_a_guess() {
    let tree = Tree::new(&[
        (
            "app.py",
            "import other\n\nclass App:\n    def __call__(self):\n        pass\n\nclass Group(other.Group):\n    def main(self):\n        pass\n\ndef lonely():\n    pass\n",
        ),
        (
            "test_app.py",
            "from app import App, Group\n\ndef test_called():\n    App()()\n\ndef test_group():\n    Group().run()\n\ndef test_neither():\n    pass\n",
        ),
    ]);
    for (line, test) in [(5, "test_called"), (9, "test_group")] {
        let answer = tree.affected("app.py", line);
        assert_eq!(answer.rows.iter().map(|row| row.name.as_str()).collect::<Vec<_>>(), [test]);
        assert_eq!(answer.rows[0].confidence, Some(Confidence::Ambiguous));
        assert!(answer.notes[0].starts_with("1 of the tests are reached only by what no call"), "{:?}", answer.notes);
    }
    let answer = tree.affected("app.py", 12);
    assert!(answer.rows.is_empty());
    assert!(answer.notes[0].starts_with("no use is seen of lonely: "), "{:?}", answer.notes);
}

#[test]
fn fixtures_run_for_the_tests_that_name_them_or_for_all() {
    let tree = Tree::new(&[
        ("app.py", "def connect():\n    pass\n\ndef clean():\n    pass\n"),
        (
            "tests/conftest.py",
            "import pytest\nfrom app import clean, connect\n\n@pytest.fixture\ndef db():\n    return connect()\n\n@pytest.fixture(autouse=True)\ndef sweep():\n    clean()\n",
        ),
        ("tests/test_db.py", "def test_rows(db):\n    pass\n\ndef test_nothing():\n    pass\n"),
    ]);
    assert_eq!(tree.tests("app.py", 2), ["test_rows"]);
    assert_eq!(tree.tests("app.py", 5), ["test_rows", "test_nothing"]);
}

#[test]
fn a_value_is_followed_to_who_reads_it_and_a_comment_nowhere() {
    let tree = Tree::new(&[
        ("a/a.go", "package a\n\n// Says how many.\nconst maxRetries = 3\n\nfunc Retry() int { return maxRetries }\n"),
        ("a/b.go", "package a\n\nfunc Other() {}\n"),
        (
            "a/a_test.go",
            "package a\n\nimport \"testing\"\n\nfunc TestRetry(t *testing.T) { Retry() }\n\nfunc TestOther(t *testing.T) { Other() }\n",
        ),
    ]);
    assert_eq!(tree.tests("a/a.go", 4), ["TestRetry"]);
    let answer = tree.affected("a/a.go", 2);
    assert!(answer.rows.is_empty());
    assert!(answer.notes[0].starts_with("1 changed lines are of no definition"), "{:?}", answer.notes);
}

#[test]
fn a_method_of_a_standard_interface_is_run_by_who_uses_the_type() {
    let tree = Tree::new(&[
        (
            "a/a.go",
            "package a\n\ntype Name struct{}\n\nfunc (n Name) String() string { return \"\" }\n\nfunc (n Name) Lonely() {}\n\nfunc init() { setUp() }\n\nfunc setUp() {}\n",
        ),
        (
            "a/a_test.go",
            "package a\n\nimport \"testing\"\n\nfunc TestName(t *testing.T) { t.Log(Name{}) }\n\nfunc TestOther(t *testing.T) {}\n",
        ),
    ]);
    assert_eq!(tree.tests("a/a.go", 5), ["TestName"]);
    assert!(tree.tests("a/a.go", 7).is_empty());
    assert_eq!(tree.tests("a/a.go", 11), ["TestName", "TestOther"], "`init` runs before all of a package");
}

/// As in an asynchronous runtime: everything rests on a list, tests and benchmarks use everything, and the parts meet in the
/// runtime.
#[test]
fn a_map_begins_with_the_parts_and_not_with_tests() {
    let list = "pub struct List;\nimpl List {\n    pub fn new() -> List { List }\n    pub fn push(&self) {}\n    pub fn pop(&self) {}\n}\n";
    let part = |name: &str, uses: &str| {
        format!(
            "use crate::util::list::List;\n{uses}\npub struct {name} {{ list: List }}\nimpl {name} {{\n    pub fn start() -> {name} {{ let list = List::new(); list.push(); list.pop(); {name} {{ list }} }}\n    pub fn poll(&self) {{ self.list.push(); }}\n}}\n"
        )
    };
    let runtime = "use crate::io::Driver;\nuse crate::scheduler::Scheduler;\nuse crate::sync::Semaphore;\npub struct Runtime { driver: Driver, scheduler: Scheduler }\nimpl Runtime {\n    pub fn start() -> Runtime {\n        let permits = Semaphore::start();\n        permits.poll();\n        Runtime { driver: Driver::start(), scheduler: Scheduler::start() }\n    }\n}\n";
    let user = "use mini::runtime::Runtime;\nuse mini::sync::Semaphore;\nuse mini::io::Driver;\nfn run() { Runtime::start(); Semaphore::start(); Driver::start(); helper(); }\nfn helper() { run(); }\n";
    let scheduler =
        part("Scheduler", "use crate::sync::Semaphore;\npub fn permits() -> Semaphore { Semaphore::start() }");
    let (sync, io) = (part("Semaphore", ""), part("Driver", "use crate::runtime::Runtime;\npub fn own(_: Runtime) {}"));
    let tree = Tree::new(&[
        ("Cargo.toml", "[package]\nname = \"mini\"\n"),
        ("benches/all.rs", user),
        ("src/io.rs", &io),
        ("src/lib.rs", "pub mod io;\npub mod runtime;\npub mod scheduler;\npub mod sync;\nmod util;\n"),
        ("src/runtime.rs", runtime),
        ("src/scheduler.rs", &scheduler),
        ("src/sync.rs", &sync),
        ("src/util/list.rs", list),
        ("src/util/mod.rs", "pub mod list;\n"),
        ("tests/all.rs", user),
    ]);
    let map = tree.ask(&StructureQuery::Map { task: String::new(), files: 20 });
    let paths: Vec<&str> = map.files.iter().map(|file| file.path.as_str()).collect();
    let place = |path: &str| paths.iter().position(|p| *p == path).unwrap_or_else(|| panic!("{path} in {paths:?}"));
    for part in ["src/runtime.rs", "src/scheduler.rs", "src/sync.rs", "src/io.rs"] {
        assert!(place(part) < place("tests/all.rs") && place(part) < place("benches/all.rs"), "{paths:?}");
    }
}

#[test]
fn typescript_hands_on_under_other_names() {
    let tree = Tree::new(&[
        (
            "src/types.ts",
            "export class Text {\n  static create = (value: string): Text => {\n    return new Text();\n  };\n  check(): boolean {\n    return true;\n  }\n}\nconst textType = Text.create;\nexport { textType as text };\nexport function long(first: Record<string, number>, second: Record<string, number>, third: Record<string, number>, fourth: string): Text {\n  return Text.create(\"\");\n}\n",
        ),
        ("src/util.ts", "export function help() {}\n"),
        ("src/index.ts", "export * from \"./types\";\nexport * as util from \"./util\";\n"),
        (
            "use.ts",
            "import * as z from \"./src/index\";\nz.text().check();\nz.util.help();\nz.long({}, {}, {}, \"\").check();\nconst held = z.long({\n  one: 1, two: 2, three: 3, four: 4, five: 5, six: 6, seven: 7, eight: 8, nine: 9, ten: 10, eleven: 11, twelve: 12,\n  a: 1, b: 2, c: 3, d: 4, e: 5, f: 6, g: 7, h: 8, i: 9, j: 10, k: 11, l: 12, m: 13, n: 14, o: 15, p: 16, q: 17, r: 18,\n}, {}, {}, \"\");\nheld.check();\n",
        ),
    ]);
    assert_eq!(tree.callers("Text.check"), ["use.ts:2", "use.ts:4", "use.ts:9"]);
    assert_eq!(tree.callers("help"), ["use.ts:3"]);
}
