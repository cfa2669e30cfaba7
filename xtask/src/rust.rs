//! Rust text with what is not code taken out: enough for rules about names, without a parser.

/// The text with comments, and what stands in string and character literals, replaced by spaces. Lines stay where
/// they are, and so do bytes, but for those of multi-byte characters that are replaced by as many spaces.
pub fn blank(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let rest = &bytes[at..];
        let (length, keep) = match rest {
            [b'/', b'/', ..] => (rest.iter().position(|&b| b == b'\n').unwrap_or(rest.len()), false),
            [b'/', b'*', ..] => (block_comment(rest), false),
            [b'"', ..] => (string(rest), false),
            [b'r', ..] | [b'b', b'r', ..] if !ends_name(&out) && raw_string(rest).is_some() => {
                (raw_string(rest).unwrap_or(1), false)
            }
            [b'\'', ..] => character(rest).map_or((1, true), |length| (length, false)),
            _ => (1, true),
        };
        let taken = &rest[..length];
        out.extend(taken.iter().map(|&b| if keep || b == b'\n' { b } else { b' ' }));
        at += length;
    }
    String::from_utf8(out).expect("whole characters are replaced, by ASCII")
}

/// [`blank`], and items under `#[cfg(test)]` blanked too.
pub fn without_tests(text: &str) -> String {
    let mut code = blank(text).into_bytes();
    let mark = b"#[cfg(test)]";
    while let Some(start) = code.windows(mark.len()).position(|window| window == mark) {
        let end = start + item(&code[start..]);
        code[start..end].iter_mut().filter(|b| **b != b'\n').for_each(|b| *b = b' ');
    }
    String::from_utf8(code).expect("items end at ASCII characters")
}

/// Length of an item: to its semicolon, or to the brace that closes its first one.
fn item(code: &[u8]) -> usize {
    let mut depth = 0;
    for (at, byte) in code.iter().enumerate() {
        match byte {
            b'{' => depth += 1,
            b'}' => {
                depth -= 1;
                if depth <= 0 {
                    return at + 1;
                }
            }
            b';' if depth == 0 => return at + 1,
            _ => {}
        }
    }
    code.len()
}

fn block_comment(text: &[u8]) -> usize {
    let (mut depth, mut at) = (0, 0);
    while at < text.len() {
        match &text[at..] {
            [b'/', b'*', ..] => (depth, at) = (depth + 1, at + 2),
            [b'*', b'/', ..] => (depth, at) = (depth - 1, at + 2),
            _ => at += 1,
        }
        if depth == 0 {
            return at;
        }
    }
    text.len()
}

fn string(text: &[u8]) -> usize {
    let mut at = 1;
    while at < text.len() {
        match text[at] {
            b'\\' => at += 2,
            b'"' => return at + 1,
            _ => at += 1,
        }
    }
    text.len()
}

fn raw_string(text: &[u8]) -> Option<usize> {
    let prefix = if text[0] == b'b' { 2 } else { 1 };
    let hashes = text[prefix..].iter().take_while(|&&b| b == b'#').count();
    let open = prefix + hashes;
    (text.get(open) == Some(&b'"')).then(|| {
        let close: Vec<u8> = [b"\"".as_slice(), &b"#".repeat(hashes)].concat();
        let found = text[open + 1..].windows(close.len()).position(|window| window == close);
        found.map_or(text.len(), |at| open + 1 + at + close.len())
    })
}

/// Length of a character literal; none for a lifetime.
fn character(text: &[u8]) -> Option<usize> {
    match text {
        [b'\'', b'\\', _, rest @ ..] => rest.iter().position(|&b| b == b'\'').map(|at| at + 4),
        [b'\'', first, rest @ ..] => {
            let more = match first {
                0xC0..=0xDF => 1,
                0xE0..=0xEF => 2,
                0xF0.. => 3,
                _ => 0,
            };
            (rest.get(more) == Some(&b'\'')).then_some(more + 3)
        }
        _ => None,
    }
}

fn ends_name(out: &[u8]) -> bool {
    out.last().is_some_and(|&b| b.is_ascii_alphanumeric() || b == b'_')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_and_comments_go() {
        let text = "let a = \"x // y\"; // z\nlet b: &'a str = r#\"q\"#; /* n /* m */ */ let c = '\"';";
        let code = blank(text);
        assert_eq!(code.len(), text.len());
        assert_eq!(code.split_whitespace().collect::<Vec<_>>().join(" "), "let a = ; let b: &'a str = ; let c = ;");
    }

    #[test]
    fn test_items_go() {
        let text = "use a;\n#[cfg(test)]\nmod tests { fn f() { \"}\" } }\nuse b;\n#[cfg(test)]\nmod more;\n";
        assert_eq!(without_tests(text).split_whitespace().collect::<Vec<_>>(), ["use", "a;", "use", "b;"]);
    }
}
