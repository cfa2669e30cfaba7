//! Variables and parameters, language by language: where the one under the cursor is declared and used.

use seekwell_core::occurrences::Occurrences;
use seekwell_core::syntax::Syntax;
use seekwell_languages::LANGUAGES;
use seekwell_types::structure::Role;

/// `¦` stands before the name that is asked about. The places come as line:column, a `!` behind the declaration.
fn places(path: &str, marked: &str) -> String {
    let at = marked.find('¦').expect("a cursor");
    let text = marked.replacen('¦', "", 1);
    let line = marked[..at].matches('\n').count() as u32 + 1;
    let column = (at - marked[..at].rfind('\n').map_or(0, |end| end + 1)) as u32 + 1;
    let token = Occurrences::new(LANGUAGES).token(path, text.as_bytes(), line, column).expect("text").expect("a name");
    let place = |local: &seekwell_types::structure::LocalPlace| {
        let mark = if local.role == Role::Definition { "!" } else { "" };
        format!("{}:{}{mark}", local.line, local.column)
    };
    token.locals.iter().map(place).collect::<Vec<_>>().join(" ")
}

#[test]
fn the_declaration_and_the_uses() {
    for (path, text, expected) in [
        // A parameter, a use in a macro, the end of a name.
        ("a.rs", "fn f(count: u32) -> u32 {\n    g(¦count) + count\n}", "1:6! 2:7 2:16"),
        // A second `let` is another variable, and its value still means the first one.
        ("a.rs", "fn f() {\n    let x = 1;\n    let x = ¦x + 1;\n    g(x);\n}", "2:9! 3:13"),
        ("a.rs", "fn f() {\n    let x = 1;\n    let x = x + 1;\n    g(¦x);\n}", "3:9! 4:7"),
        // Inner scopes end.
        ("a.rs", "fn f() {\n    let x = 1;\n    {\n        let x = 2;\n    }\n    g(¦x);\n}", "2:9! 6:7"),
        ("a.rs", "fn f(o: Option<u32>) {\n    if let Some(x) = o {\n        g(¦x);\n    }\n}", "2:17! 3:11"),
        (
            "a.rs",
            "fn f(o: Option<u32>) {\n    match o {\n        Some(y) => g(¦y),\n        None => {}\n    }\n}",
            "3:14! 3:22",
        ),
        ("a.rs", "fn f(v: Vec<u32>) {\n    v.iter().map(|it: &u32| ¦it + 1);\n}", "2:19! 2:29"),
        // Neither a field nor a constant that looks like a pattern.
        ("a.rs", "fn f(s: S) {\n    let x = 1;\n    s.¦x\n}", ""),
        ("a.rs", "fn f(o: O) {\n    match o { ¦None => 1, _ => 2 }\n}", ""),
        ("a.py", "def f(a, b=1, *rest, **more):\n    return a + ¦b\n", "1:10! 2:16"),
        ("a.py", "def f():\n    x = 1\n    x = x + 2\n    return ¦x\n", "2:5! 3:5 3:9 4:12"),
        ("a.py", "def f(xs):\n    for x in xs:\n        g(¦x)\n", "2:9! 3:11"),
        ("a.py", "def f(xs):\n    return [¦y for y in xs]\n", "2:13 2:19!"),
        ("a.py", "def f(p):\n    with open(p) as file:\n        return ¦file\n", "2:21! 3:16"),
        ("a.py", "def f(x):\n    return g(¦x=1)\n", ""),
        ("a.py", "def f(typed: int, ¦other: str = ''):\n    return other\n", "1:19! 2:12"),
        ("a.js", "function f(a, { b, c: d }) {\n  const e = a + ¦d;\n  return e;\n}", "1:23! 2:17"),
        // Code inside of a string is code, its words are not.
        ("a.py", "def f(x):\n    return f\"{¦x} x {x + 1}\"\n", "1:7! 2:15 2:21"),
        ("a.js", "function f(x) {\n  return `${¦x} x`;\n}", "1:12! 2:13"),
        ("a.js", "function f(a) {\n  const { x } = a;\n  return () => ¦x;\n}", "2:11! 3:16"),
        ("a.ts", "function f(a: number, b?: string): void {\n  let c = ¦b;\n}", "1:23! 2:11"),
        ("a.ts", "const f = ¦a => a + 1;", "1:11! 1:16"),
        ("a.ts", "function f(xs: X[]) {\n  for (const x of xs) { g(¦x); }\n}", "2:14! 2:27"),
        (
            "a.go",
            "package a\n\nfunc (s *S) f(n int) int {\n\tm, err := g(¦n)\n\tif err != nil { return 0 }\n\treturn m\n}",
            "3:15! 4:14",
        ),
        ("a.go", "package a\n\nfunc f() {\n\ta, err := g()\n\tb, err := h(a)\n\tuse(b, ¦err)\n}", "4:5! 5:5 6:9"),
        ("a.go", "package a\n\nfunc f(xs []int) {\n\tfor _, x := range xs {\n\t\tg(¦x)\n\t}\n}", "4:9! 5:5"),
        ("A.java", "class A {\n  int f(int n) {\n    int m = ¦n;\n    return m;\n  }\n}", "2:13! 3:13"),
        ("A.java", "class A {\n  void f(List<B> bs) {\n    for (B b : bs) { g(¦b); }\n  }\n}", "3:12! 3:24"),
        ("a.c", "int f(int n) {\n  int m = 1, *p = &m;\n  return ¦m + n;\n}", "2:7! 2:20 3:10"),
        ("a.c", "int f(char *text) {\n  return g(¦text);\n}", "1:13! 2:12"),
        ("a.cpp", "int f(const std::string& s) {\n  for (auto c : s) { g(¦c); }\n}", "2:13! 2:24"),
        ("a.rb", "def f(a, b = 1)\n  c = a\n  ¦c + b\nend\n", "2:3! 3:3"),
        ("a.rb", "def f(xs)\n  xs.each { |x| g(¦x) }\nend\n", "2:14! 2:19"),
        ("a.php", "<?php\nfunction f($a) {\n  $b = $a;\n  return $¦b;\n}\n", "3:4! 4:11"),
        ("a.sh", "f() {\n  local name=$1\n  echo \"$¦name\"\n}\n", "2:9! 3:10"),
    ] {
        assert_eq!(places(path, text), expected, "{path}\n{text}");
    }
}

#[test]
fn many_places_of_one_name_take_no_long_time() {
    let uses = "    x = x + x;\n".repeat(20_000);
    let text = format!("fn f() {{\n    let mut x = 1;\n{uses}}}\n");
    let token = Occurrences::new(LANGUAGES).token("a.rs", text.as_bytes(), 2, 13).expect("text");
    assert_eq!(token.expect("a name").name, "x");
    let nested = format!("fn f() {{ {} {} }}", "{ let x = x; ".repeat(500), "}".repeat(500));
    assert!(Occurrences::new(LANGUAGES).find("a.rs", nested.as_bytes(), "x").expect("text").len() == 1000);
}

#[test]
fn faults_of_syntax_are_where_they_are() {
    let faults = |path: &str, text: &str| {
        let faults = Syntax::new(LANGUAGES).faults(path, text.as_bytes()).expect("text");
        faults.into_iter().map(|f| (f.lines.start, f.column, f.message)).collect::<Vec<_>>()
    };
    assert_eq!(faults("a.rs", "fn a() {}\n"), []);
    assert_eq!(faults("a.rs", "fn a() {\n    let x = 1\n}\n"), [(2, 14, "missing \";\"".to_owned())]);
    let found = faults("a.py", "def a():\n    return 1\n\nclass ) x\n");
    assert!(!found.is_empty() && found.iter().all(|f| f.0 == 4), "{found:?}");
    assert_eq!(faults("README.md", "# ( ["), []);
    assert_eq!(faults("a.unknown", "( ["), []);
    let many = "fn (\n".repeat(1000);
    assert!(faults("a.rs", &many).len() <= 100);
}
