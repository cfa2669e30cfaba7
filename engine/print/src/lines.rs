//! Lines of a text under the rule of the contract: they end at `\n`, `\r\n` or `\r`.

/// Lines shown of a longer text under `overview`.
pub(super) const OVERVIEW: usize = 12;

/// Lines without their ends. A last line end begins no further line.
pub(super) fn split(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let (line, after) = cut(rest);
        rest = after;
        Some(line)
    })
}

fn cut(text: &str) -> (&str, &str) {
    let Some(end) = text.find(['\n', '\r']) else { return (text, "") };
    let skip = if text[end..].starts_with("\r\n") { 2 } else { 1 };
    (&text[..end], &text[end + skip..])
}

/// The first `count` lines, without the end of the last one unless the text is no longer.
pub(super) fn first(text: &str, count: usize) -> &str {
    let mut rest = text;
    for _ in 0..count {
        rest = cut(rest).1;
        if rest.is_empty() {
            return text;
        }
    }
    let whole = &text[..text.len() - rest.len()];
    whole.strip_suffix("\r\n").or_else(|| whole.strip_suffix(['\n', '\r'])).unwrap_or(whole)
}

/// The largest index up to `at` that is a character boundary.
pub(super) fn boundary(text: &str, at: usize) -> usize {
    text.floor_char_boundary(at)
}

/// Text on one line: runs of white space and line ends become one space each.
pub(super) fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Text that a terminal shows and does not obey: control characters become their pictures (`␛`).
pub(super) fn inert(text: &str) -> String {
    let picture = |c: char| match c {
        '\t' => c,
        '\0'..='\u{1f}' => char::from_u32(0x2400 + c as u32).unwrap_or('\u{fffd}'),
        '\u{7f}' => '\u{2421}',
        // C1 controls, and the marks that reorder what is shown around them.
        '\u{80}'..='\u{9f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => '\u{fffd}',
        _ => c,
    };
    text.chars().map(picture).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_line_ends() {
        let lines: Vec<&str> = split("a\r\nb\rc\n\nd").collect();
        assert_eq!(lines, ["a", "b", "c", "", "d"]);
        assert_eq!(split("a\n").collect::<Vec<_>>(), ["a"]);
        assert_eq!(split("").count(), 0);
        assert_eq!(split("\r").collect::<Vec<_>>(), [""]);
    }

    #[test]
    fn first_lines() {
        assert_eq!(first("a\r\nb\r\nc", 2), "a\r\nb");
        assert_eq!(first("a\nb\n", 2), "a\nb\n");
        assert_eq!(first("a\nb", 5), "a\nb");
        assert_eq!(first("\n\n\n", 1), "");
        assert_eq!(first("", 1), "");
    }

    #[test]
    fn nothing_for_a_terminal_to_obey() {
        assert_eq!(inert("a\u{1b}[2Jb\tc\u{9b}\u{202e}"), "a␛[2Jb\tc\u{fffd}\u{fffd}");
        assert_eq!(one_line(" a \n b\t\u{2028}c "), "a b c");
    }
}
