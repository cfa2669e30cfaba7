//! Items inside a macro's braces, laid bare for the parser.
//!
//! To the grammar of Rust the arguments of a macro are tokens. Many projects wrap whole items in one (`cfg_net! { … }`,
//! `proptest! { … }`, `cfg_unix!( … );`), whose functions, imports and tests would be lost. Where a macro that stands alone on
//! its line holds items, its name and its braces become blanks of the same length: every offset stays.

use std::borrow::Cow;

/// What an item begins with.
const ITEMS: [&str; 19] = [
    "pub ",
    "pub(",
    "use ",
    "mod ",
    "fn ",
    "impl ",
    "impl<",
    "struct ",
    "enum ",
    "trait ",
    "const ",
    "static ",
    "type ",
    "unsafe ",
    "async ",
    "extern ",
    "macro_rules!",
    "#[",
    "#![",
];

/// The text with the macros around items blanked out.
pub fn items_in_macros(text: &str) -> Cow<'_, str> {
    let mut blanked: Option<Vec<u8>> = None;
    // Indentation of the opening lines whose closing line is still to come, and how that begins.
    let mut open: Vec<(&str, char)> = Vec::new();
    let mut at = 0;

    let mut blank = |from: usize, len: usize| {
        let bytes = blanked.get_or_insert_with(|| text.as_bytes().to_vec());
        bytes[from..from + len].fill(b' ');
    };
    for line in text.split_inclusive('\n') {
        let bare = line.trim_end();
        let indent = &bare[..bare.len() - bare.trim_start().len()];
        let body = &bare[indent.len()..];
        let closes =
            |&(at, with): &(&str, char)| at == indent && body.trim_end_matches(';') == with.encode_utf8(&mut [0; 4]);
        if let Some(close) = opens(body).filter(|_| holds_items(&text[at + line.len()..])) {
            blank(at, bare.len());
            open.push((indent, close));
        } else if open.last().is_some_and(closes) {
            blank(at, bare.len());
            open.pop();
        }
        at += line.len();
    }
    match blanked.map(String::from_utf8) {
        // Only ASCII was blanked, so this is text still.
        Some(Ok(text)) => Cow::Owned(text),
        _ => Cow::Borrowed(text),
    }
}

/// If a line is `name! {` or `name!(` and nothing else: what closes it.
fn opens(line: &str) -> Option<char> {
    let close = match line.chars().last()? {
        '{' => '}',
        '(' => ')',
        _ => return None,
    };
    let path = line[..line.len() - 1].trim_end().strip_suffix('!')?;
    let is_path = !path.is_empty()
        && path != "macro_rules"
        && path.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b':');
    is_path.then_some(close)
}

/// Whether the first line that is no comment begins an item, be it in further macros.
fn holds_items(text: &str) -> bool {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with("//"));
    let mut lines = lines.skip_while(|line| opens(line).is_some());
    lines.next().is_some_and(|line| ITEMS.iter().any(|item| line.starts_with(item)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_are_laid_bare_and_nothing_moves() {
        let text = "cfg_net! {\n    // Why.\n    pub mod unix;\n\n    impl A {\n        cfg_rt! {\n            fn a() {}\n        }\n    }\n}\nfn b() {}\n";
        let bare = items_in_macros(text);
        assert_eq!(bare.len(), text.len());
        let expected =
            "\n    // Why.\n    pub mod unix;\n\n    impl A {\n\n            fn a() {}\n\n    }\n\nfn b() {}\n";
        let trimmed: Vec<&str> = bare.lines().map(str::trim_end).collect();
        assert_eq!(trimmed.join("\n") + "\n", expected);
    }

    #[test]
    fn macros_in_macros_and_in_parentheses() {
        let text = "cfg_rt! {\n    cfg_metrics! {\n        fn a() {}\n    }\n}\ncfg_unix!(\n    impl A {}\n);\nfeature! {\n    #![any(\n    )]\n    fn b() {}\n}\n";
        let bare = items_in_macros(text);
        assert_eq!(bare.len(), text.len());
        let lines: Vec<&str> = bare.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
        assert_eq!(lines, ["fn a() {}", "impl A {}", "#![any(", ")]", "fn b() {}"]);
    }

    #[test]
    fn what_holds_no_items_stays() {
        for text in [
            "assert!(\n    a\n);\n",
            "vec! {\n    1,\n}\n",
            "macro_rules! m {\n    () => {}\n}\n",
            "let x = select! {\n    a = b => {}\n};\n",
            "fn a() {\n}\n",
            "select! {\n",
            "",
        ] {
            assert!(matches!(items_in_macros(text), Cow::Borrowed(_)), "{text}");
        }
    }
}
