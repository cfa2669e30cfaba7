//! The table of languages, and what is and is no pattern.

#![allow(clippy::disallowed_methods, reason = "reads files: it is no part of the engine")]

use seekwell_core::grammar::Structure;
#[cfg(feature = "rust")]
use seekwell_core::parse::Parsers;
use seekwell_core::pattern::Patterns;
use seekwell_languages::LANGUAGES;
use seekwell_types::Content;
use std::collections::BTreeMap;

#[test]
fn nothing_is_claimed_twice() {
    let mut claims: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for language in LANGUAGES.0 {
        let mut claim = |what: String| claims.entry(what).or_default().push(language.id);
        claim(format!("id {}", language.id));
        language.extensions.iter().for_each(|e| claim(format!("extension {}", e.to_lowercase())));
        language.file_names.iter().for_each(|n| claim(format!("file {}", n.to_lowercase())));
        language.interpreters.iter().for_each(|i| claim(format!("interpreter {i}")));
        assert!(language.id.chars().all(|c| c.is_ascii_lowercase() || c == '-'), "{}", language.id);
    }
    let twice: Vec<_> = claims.iter().filter(|(_, ids)| ids.len() > 1).collect();
    assert!(twice.is_empty(), "{twice:?}");
    for language in LANGUAGES.0 {
        for alias in language.aliases {
            assert_eq!(LANGUAGES.named(alias).map(|l| l.id), Some(language.id), "{alias}");
        }
    }
}

#[test]
fn files_are_recognised() {
    let cases = [
        ("src/main.rs", "", "rust", Content::Code),
        ("a/Dockerfile", "", "dockerfile", Content::Code),
        ("Makefile", "", "make", Content::Code),
        ("CMakeLists.txt", "", "cmake", Content::Code),
        ("notes.txt", "", "text", Content::Docs),
        ("requirements.txt", "", "ini", Content::Config),
        ("LICENSE", "", "text", Content::Docs),
        ("README.md", "", "markdown", Content::Docs),
        ("docs/index.rst", "", "rst", Content::Docs),
        ("Cargo.lock", "", "toml", Content::Config),
        ("yarn.lock", "", "lock", Content::Config),
        ("package-lock.json", "", "json", Content::Config),
        (".env", "", "ini", Content::Config),
        ("pom.xml", "", "xml", Content::Config),
        ("bin/run", "#!/usr/bin/env python3", "python", Content::Code),
        ("bin/run", "#!/bin/sh -e", "bash", Content::Code),
        ("a.phtml", "", "php", Content::Code),
        ("main.tf", "", "hcl", Content::Code),
        ("App.VUE", "", "vue", Content::Code),
        ("a.d.ts", "", "typescript", Content::Code),
        ("x.h", "", "c", Content::Code),
        ("x.hpp", "", "cpp", Content::Code),
    ];
    for (path, first_line, id, content) in cases {
        let language = LANGUAGES.of(path, first_line).unwrap_or_else(|| panic!("{path}"));
        assert_eq!((language.id, language.content), (id, content), "{path}");
    }
    let header = |text: &str| LANGUAGES.of_text("x.h", text).map(|l| l.id);
    assert_eq!(header("#include <stdio.h>\nint f(void);\n"), Some("c"));
    assert_eq!(header("#pragma once\nnamespace a {\n}\n"), Some("cpp"));
    assert!(LANGUAGES.of("noextension", "").is_none());
    assert!(LANGUAGES.of("a.unknownthing", "").is_none());
}

#[test]
fn all_patterns_compile() {
    for language in LANGUAGES.0 {
        if let Structure::Grammar(grammar) = &language.structure {
            let patterns = Patterns::of(grammar, &(grammar.language)());
            assert!(patterns.is_ok_and(|patterns| !patterns.is_empty()), "{}", language.id);
        }
    }
}

#[cfg(feature = "rust")]
#[test]
fn what_is_no_pattern() {
    let language = tree_sitter_rust::LANGUAGE.into();
    let error = |text: &str| Patterns::compile(&[text], &language).err().map(|error| error.what).unwrap_or_default();
    let cases = [
        ("(struct_item name: (_) @name)", "no role"),
        ("(struct_item) @definition.class", "no @name"),
        ("(struct_item name: (_) @name) @definition.thing", "unknown capture @definition.thing"),
        ("(structure name: (_) @name) @definition.class", "no kind \"structure\""),
        ("(struct_item title: (_) @name) @definition.class", "no field \"title\""),
        ("(struct_item name: (_) @name (#match? @name \"^a\")) @definition.class", "unknown condition #match"),
        ("(struct_item name: (_) @name (#eq? @name @name)) @definition.class", "a condition compares with strings"),
        ("(struct_item \"structure\" name: (_) @name) @definition.class", "no token \"structure\""),
        ("(_ name: (_) @name) @definition.class", "a pattern must start with a kind"),
        ("(struct_item name: (_) @name", "unclosed pattern"),
        ("(struct_item name: (_ (_) @scope) @name) @definition.class", "a role is captured once, at the root"),
        ("(_expression (_) @name) @reference.call", "no kind \"_expression\""),
    ];
    for (text, what) in cases {
        assert!(error(text).starts_with(what), "{text}: {}", error(text));
    }
    assert_eq!(error("; nothing\n"), "");
}

#[cfg(feature = "rust")]
#[test]
fn too_much_work_gives_no_structure() {
    let language = LANGUAGES.named("rust").expect("a row");
    let Structure::Grammar(grammar) = &language.structure else { panic!("no grammar") };
    let mut parsers = Parsers::new();
    let text = "fn f() { g(1 + 2); }\n".repeat(1_000);
    assert_eq!(parsers.parse_within(grammar, &text, 3).err().map(|given_up| given_up.reason), Some("steps"));
    // The next file is parsed from its start.
    let parsed = parsers.parse(grammar, "fn a() {}").expect("small");
    assert_eq!(
        parsed.tree.root_node().to_sexp(),
        "(source_file (function_item name: (identifier) parameters: (parameters) body: (block)))"
    );
}

/// Each text ends the process that parses it, or overwrites fields of the parser, if it is parsed.
#[cfg(feature = "all")]
#[test]
fn texts_that_a_scanner_cannot_hold_are_not_parsed() {
    let word = "A".repeat(300);
    let ruby = format!("def f\n  x = <<{word}\nfoo #{{1}} bar\n{word}\nend\n");
    let yaml: String = (0..400).map(|n| format!("{}a:\n", " ".repeat(n))).collect();
    let in_line = format!("{}a: b\n", "- ".repeat(300));
    let python: String = (0..520).map(|n| format!("{}if x:\n", " ".repeat(n))).collect();
    let python = format!("{python}{}y = 'text'\n", " ".repeat(520));
    for (language, text) in [("ruby", &ruby), ("yaml", &yaml), ("yaml", &in_line), ("python", &python)] {
        let language = LANGUAGES.named(language).expect("a row");
        let Structure::Grammar(grammar) = &language.structure else { panic!("no grammar") };
        let given_up = Parsers::new().parse(grammar, text).err().map(|given_up| given_up.reason);
        assert_eq!(given_up, Some("scanner"), "{}", language.id);
    }
}

/// What the other scanners with a state of growing size are given when it is too large: they forget it, and nothing breaks.
#[cfg(feature = "all")]
#[test]
fn scanners_that_forget() {
    let word = "A".repeat(1_200);
    let deep = |open: &str, close: &str| format!("{}1{}", open.repeat(300), close.repeat(300));
    let texts = [
        ("bash", format!("cat <<{word}\na $b\n{word}\nf() {{ a; }}\n")),
        ("bash", format!("cat {}\na\n", "<<A1234567 ".repeat(300))),
        ("php", format!("<?php $x = <<<{word}\na $b\n{word};\n$y = <<<'{word}'\na\n{word};\nfunction f() {{}}\n")),
        ("hcl", format!("a = <<{word}\nx ${{b}}\n{word}\nb = {}\n", deep("\"${", "}\""))),
        ("c-sharp", format!("class A {{ void F() {{ var x = {}; }} }}\n", deep("$\"{", "}\""))),
        ("sql", format!("select ${word}$ a ${word}$;\n")),
        ("html", format!("{}{}", "<x-custom-element>".repeat(300), "</x-custom-element>".repeat(300))),
        ("html", format!("<{word}><div></div></{word}>")),
        ("scala", (0..600).map(|n| format!("{}object A:\n", " ".repeat(n))).collect()),
        ("haskell", (0..600).map(|n| format!("{}f = do\n", " ".repeat(n))).collect()),
        ("swift", format!("let x = {0}\"a \\{0}(b)\"{0}\n", "#".repeat(300))),
        ("rust", format!("const A: &str = r{0}\"a\"{0};\n", "#".repeat(300))),
        ("lua", format!("x = [{0}[a]{0}]\n", "=".repeat(300))),
        ("cpp", "auto x = R\"abcdefghijklmnopqrstu(a)abcdefghijklmnopqrstu\";\n".to_owned()),
        ("elixir", deep("\"#{", "}\"")),
        ("kotlin", format!("val x = {}\n", deep("\"${", "}\""))),
        ("ruby", format!("x = {}\n", deep("\"#{", "}\"")).replace("1", "")),
    ];
    for (language, text) in texts {
        let language = LANGUAGES.named(language).expect("a row");
        let Structure::Grammar(grammar) = &language.structure else { panic!("no grammar") };
        let mut parsers = Parsers::new();
        let first = parsers.parse(grammar, &text).map(|parsed| parsed.tree.root_node().to_sexp());
        let again = parsers.parse(grammar, &text).map(|parsed| parsed.tree.root_node().to_sexp());
        assert_eq!(first.ok(), again.ok(), "{}", language.id);
    }
}
