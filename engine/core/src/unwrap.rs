//! Items inside a macro's braces, laid bare for the parser.
//!
//! To the grammar of Rust the arguments of a macro are tokens. Many projects wrap whole items in one (`cfg_net! { … }`,
//! `proptest! { … }`), whose functions, imports and tests would be lost. Where a macro that stands alone on its line holds
//! items, its name and its braces become blanks of the same length: every offset stays.

use std::borrow::Cow;

/// What an item begins with.
const ITEMS: [&str; 18] = [
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
];

/// The text with the macros around items blanked out.
pub fn items_in_macros(text: &str) -> Cow<'_, str> {
    let mut blanked: Option<Vec<u8>> = None;
    // Indentation and place of the opening lines whose closing line is still to come.
    let mut open: Vec<&str> = Vec::new();
    let mut at = 0;

    let mut blank = |from: usize, len: usize| {
        let bytes = blanked.get_or_insert_with(|| text.as_bytes().to_vec());
        bytes[from..from + len].fill(b' ');
    };
    for line in text.split_inclusive('\n') {
        let bare = line.trim_end();
        let indent = &bare[..bare.len() - bare.trim_start().len()];
        let body = &bare[indent.len()..];
        if opens(body) && holds_items(&text[at + line.len()..]) {
            blank(at, bare.len());
            open.push(indent);
        } else if body == "}" && open.last() == Some(&indent) {
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

/// Whether a line is `name! {` and nothing else.
fn opens(line: &str) -> bool {
    let Some(path) = line.strip_suffix('{').map(str::trim_end).and_then(|line| line.strip_suffix('!')) else {
        return false;
    };
    !path.is_empty()
        && path != "macro_rules"
        && path.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b':')
}

/// Whether the first line that is no comment begins an item.
fn holds_items(text: &str) -> bool {
    let mut lines = text.lines().map(str::trim_start).filter(|line| !line.is_empty() && !line.starts_with("//"));
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
    fn what_holds_no_items_stays() {
        for text in [
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
