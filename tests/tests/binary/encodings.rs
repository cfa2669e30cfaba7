//! Bytes and lines: whatever a file is written in, it is found, its place is right, and its snippet is its lines.

use serde_json::json;

use super::support::{Tree, hits};

/// A text as UTF-16 with its mark.
fn utf16(text: &str, big: bool) -> Vec<u8> {
    let unit = |u: u16| if big { u.to_be_bytes() } else { u.to_le_bytes() };
    format!("\u{FEFF}{text}").encode_utf16().flat_map(unit).collect()
}

/// The text of a file on disk, by the rules of the contract, written once more on its own.
fn decoded(bytes: &[u8]) -> String {
    let units = |big: bool| {
        let unit = |pair: &[u8]| {
            if big { u16::from_be_bytes([pair[0], pair[1]]) } else { u16::from_le_bytes([pair[0], pair[1]]) }
        };
        String::from_utf16_lossy(&bytes[2..].chunks_exact(2).map(unit).collect::<Vec<_>>())
    };
    match bytes {
        [0xff, 0xfe, ..] => units(false),
        [0xfe, 0xff, ..] => units(true),
        [0xef, 0xbb, 0xbf, rest @ ..] => String::from_utf8(rest.to_vec()).expect("UTF-8"),
        _ => String::from_utf8(bytes.to_vec()).unwrap_or_else(|_| bytes.iter().map(|&b| char::from(b)).collect()),
    }
}

/// Lines with their ends: `\n`, `\r\n` or `\r`.
fn lines(text: &str) -> Vec<&str> {
    let mut lines = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find(['\n', '\r']) {
        let end = at + if rest[at..].starts_with("\r\n") { 2 } else { 1 };
        let (line, after) = rest.split_at(end);
        lines.push(line);
        rest = after;
    }
    if !rest.is_empty() {
        lines.push(rest);
    }
    lines
}

/// Three functions, long enough for a chunk each, with characters of one to four bytes in them.
fn sample(name: &str, end: &str) -> String {
    let body = (0..40).map(|n| format!("    let straße_{n} = \"日本 😀 e\u{301}\";{end}")).collect::<String>();
    format!(
        "// Über {name} 😀{end}fn {name}_first() {{{end}{body}}}{end}{end}fn {name}_second() {{{end}{body}}}{end}fn {name}_last() {{{end}{body}}}"
    )
}

fn tree() -> Tree {
    let tree = Tree::new(&[]);
    tree.write("utf8.rs", sample("utf8", "\n"));
    tree.write("ended.rs", sample("ended", "\n") + "\n");
    tree.write("bom.rs", format!("\u{FEFF}{}", sample("bom", "\n")));
    tree.write("crlf.rs", sample("crlf", "\r\n") + "\r\n");
    tree.write("cr.rs", sample("cr", "\r"));
    tree.write("mixed.rs", sample("mixed", "\n").replace("}\n", "}\r").replace("ß_3 ", "ß_3 \r\n"));
    tree.write("little.rs", utf16(&sample("little", "\n"), false));
    tree.write("big.rs", utf16(&sample("big", "\r\n"), true));
    let latin: String = sample("latin", "\n").chars().filter(|c| u32::from(*c) < 256).collect();
    tree.write("latin.rs", latin.chars().map(|c| c as u8).collect::<Vec<_>>());
    tree
}

const NAMES: [&str; 9] = ["utf8", "ended", "bom", "crlf", "cr", "mixed", "little", "big", "latin"];

#[test]
fn every_snippet_is_its_lines_and_its_bytes() {
    let tree = tree();
    for name in NAMES {
        let bytes = std::fs::read(tree.path().join(format!("{name}.rs"))).expect("a file");
        let text = decoded(&bytes);
        let all = lines(&text);
        for part in ["first", "second", "last"] {
            let symbol = format!("{name}_{part}");
            let answer = tree.ask(&symbol, &[]);
            let hit = &hits(&answer)[0];
            assert_eq!(
                (&hit["path"], &hit["symbol"]),
                (&format!("{name}.rs").into(), &symbol.as_str().into()),
                "{symbol}"
            );
            assert_eq!((&hit["language"], &hit["kind"]), (&"rust".into(), &"function".into()));
            let number = |key: &str| hit[key].as_u64().unwrap_or_else(|| panic!("no {key}")) as usize;
            let (first, last) = (number("start_line"), number("end_line"));
            assert!(1 <= first && first <= last && last <= all.len(), "{symbol}: {first}-{last} of {}", all.len());

            let shown = all[first - 1..last].concat();
            let shown = shown.strip_suffix("\r\n").or(shown.strip_suffix(['\n', '\r'])).unwrap_or(&shown);
            assert_eq!(hit["snippet"], shown, "{symbol}:{first}-{last}");
            assert!(shown.contains(&format!("fn {symbol}() {{")), "{symbol}: {shown}");

            // The bytes on disk of these lines, no less and no more, but for the mark and the last line's end.
            let mark = match name {
                "bom" => &bytes[..3],
                "little" | "big" => &bytes[..2],
                _ => &[],
            };
            let place = [mark, &bytes[number("start_byte")..number("end_byte")]].concat();
            assert_eq!(decoded(&place), all[first - 1..last].concat(), "{symbol}");
        }
    }
}

#[test]
fn what_was_read_with_loss_is_told() {
    let tree = tree();
    tree.write("half.txt", [&utf16("a half character follows", false)[..], b"x"].concat());
    tree.write("lone.txt", [&utf16("a lone surrogate: ", true)[..], &[0xd8, 0x00]].concat());
    let status = tree.json(&["status", "--json"]);
    let expected = json!([
        {"path": "half.txt", "encoding": "utf-16le"},
        {"path": "latin.rs", "encoding": "latin-1"},
        {"path": "lone.txt", "encoding": "utf-16be"},
    ]);
    assert_eq!(status["lossy"], expected);
    assert_eq!(status["index"]["lossy"], 3);
    let plain = tree.run(&["status"]).stdout;
    assert!(plain.contains("lossy: latin.rs (read as latin-1)\n"), "{plain}");
}

#[test]
fn binary_is_told_by_content_not_by_name() {
    let tree = Tree::new(&[
        ("image.png", "def really_python(): a text whatever its name says\n"),
        ("code.py", "def hidden_in_binary():\n    pass\n\0\n"),
        ("paper", "%PDF-1.7 hidden_in_binary\n"),
    ]);
    tree.write("wide.txt", utf16("many_nul_bytes but a text", false));
    tree.write("noise", (0..2000u32).map(|n| (n * 7 % 256) as u8).filter(|b| *b != 0).collect::<Vec<_>>());
    let status = tree.json(&["status", "--json"]);
    let row = |path: &str| json!({"path": path, "reason": "binary", "detail": "its content is not text"});
    assert_eq!(status["skipped"], json!([row("code.py"), row("noise"), row("paper")]));
    assert_eq!(tree.paths("really_python", &["-F"]), ["image.png"]);
    assert_eq!(tree.paths("many_nul_bytes", &["-F"]), ["wide.txt"]);
    assert!(tree.paths("hidden_in_binary", &["-F"]).is_empty());
}

#[test]
fn empty_and_tiny_files_are_no_trouble() {
    let tree = Tree::new(&[
        ("empty.py", ""),
        ("blank.rs", "\n\n\n"),
        ("letter.c", "x"),
        ("named.go", "package named_package"),
    ]);
    tree.write("mark.ts", "\u{FEFF}");
    tree.write("mark16.ts", b"\xff\xfe");
    let status = tree.json(&["status", "--json"]);
    assert_eq!((&status["index"]["files"], &status["index"]["skipped"]), (&6.into(), &0.into()), "{status}");
    let answer = tree.ask("named_package", &["-n", "1"]);
    let hit = &hits(&answer)[0];
    assert_eq!(
        (&hit["path"], &hit["start_line"], &hit["end_line"], &hit["end_byte"]),
        (&"named.go".into(), &1.into(), &1.into(), &21.into())
    );
}

/// In a file whose lines end with `\r` alone, a line comment ends where the line does.
#[test]
fn a_comment_ends_with_its_line_whatever_ends_that() {
    let tree = Tree::new(&[("cr.rs", "// a comment\rfn after_comment() {}\r")]);
    assert_eq!(hits(&tree.ask("after_comment", &[]))[0]["symbol"], "after_comment");
}

/// Field case 30.
#[test]
fn the_last_line_counts_once_with_and_without_its_end() {
    for (text, bytes) in [("fn only() {\n}", 13), ("fn only() {\n}\n", 14), ("fn only() {\r\n}\r\n", 16)] {
        let tree = Tree::new(&[("one.rs", text)]);
        let answer = tree.ask("only", &[]);
        let hit = &hits(&answer)[0];
        assert_eq!(
            (&hit["start_line"], &hit["end_line"], &hit["end_byte"]),
            (&1.into(), &2.into(), &bytes.into()),
            "{text:?}"
        );
    }
}

/// Field case 31: four-byte characters across every place where something is cut.
#[test]
fn cuts_keep_characters_whole() {
    let tree = Tree::new(&[]);
    for shift in 0..4 {
        let pad = "a".repeat(shift);
        tree.write(
            &format!("s{shift}.py"),
            format!("def {pad}needle():\n    x = \"{}\" # {pad}needle\n", "😀".repeat(300)),
        );
        tree.write(
            &format!("d{shift}.md"),
            format!("# {pad}needle {}\n\n{}\n", "👩‍👩‍👧".repeat(100), "e\u{301}😀".repeat(400)),
        );
    }
    for budget in (256..270).chain([331, 1_000, 5_000]) {
        let budget = budget.to_string();
        for line in [
            &["needle", "--json"][..],
            &["needle", "--jsonl"],
            &["needle"],
            &["needle", "--heading", "--color", "always"],
        ] {
            let run = tree.run(&[line, &["-n", "20", "--budget", &budget]].concat());
            assert_eq!(run.code, 0, "{line:?} {budget}: {}", run.stderr);
            assert!(!run.stdout.contains('\u{FFFD}'), "{line:?} {budget}");
        }
    }
}
