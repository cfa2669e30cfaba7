//! Answers for people and for pipes: a line per hit, then its text.
//!
//! Under headings (on a terminal) the path stands once; without them (in a pipe) every line begins with its path, so
//! that `grep`, `cut` and an editor's error list can take lines one by one, as they take ripgrep's.

mod body;

use std::fmt::Write as _;

use seekwell_types::{Hit, Query, Skipped};

use super::budget::{self, Pieces};
use super::highlight::Class;
use super::lines::{self, inert, one_line};
use super::terms::Terms;
use super::{Depth, Layout, counted, explain, reasons, rows};
use crate::outcome::Outcome;

/// How many other paths a hit names.
const COPIES: usize = 3;

/// What the place that the text goes to can show.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Style {
    /// Whether colour is shown.
    pub color: bool,
    /// Whether paths stand above the text instead of in each line.
    pub heading: bool,
    /// Whether a last line says what was counted and left out.
    pub footer: bool,
    /// Paths are links to files of this host, if any.
    pub links: Option<String>,
    /// What leads from the current folder to the root: empty, or ends with `/`.
    pub prefix: String,
}

impl Style {
    /// A terminal obeys control characters, a pipe hands them on.
    fn shown(&self, text: &str) -> String {
        if self.color || self.heading || self.footer { inert(text) } else { text.to_owned() }
    }

    fn paint(&self, code: &str, text: &str) -> String {
        if self.color && !text.is_empty() { format!("\u{1b}[{code}m{text}\u{1b}[0m") } else { text.to_owned() }
    }
}

// As in ripgrep: magenta paths, green line numbers, bold red matches.
const PATH: &str = "1;35";
const NUMBER: &str = "32";
const MATCH: &str = "1;31";
const DIM: &str = "2";
const KIND: &str = "36";
const NAME: &str = "1";

const fn code(class: Class) -> &'static str {
    match class {
        Class::Comment => "2",
        Class::Text => "33",
        Class::Number => "36",
        Class::Keyword => "34",
        Class::Heading => "1",
    }
}

/// The answer to a search, without what [`super::messages`] says of it. Empty if there are no hits, but for a footer.
pub fn search(outcome: &Outcome, query: &Query, layout: Layout, style: &Style) -> String {
    let page = Page { outcome, query, layout, style, terms: Terms::of(query) };
    budget::assemble(&page, layout.depth.unwrap_or(Depth::Overview), layout.room())
}

struct Page<'a> {
    outcome: &'a Outcome,
    query: &'a Query,
    layout: Layout,
    style: &'a Style,
    terms: Terms,
}

impl Pieces for Page<'_> {
    fn count(&self) -> usize {
        self.outcome.answer.hits.len()
    }

    fn hit(&self, index: usize, depth: Depth) -> String {
        let hit = &self.outcome.answer.hits[index];
        let mut text =
            if self.style.heading && index > 0 && depth > Depth::Line { "\n".to_owned() } else { String::new() };
        text.push_str(&self.head(index, depth));
        text.push('\n');
        if depth > Depth::Line {
            let snippet = self.outcome.snippets.get(index).filter(|_| depth > Depth::Abstract);
            self.remarks(hit, snippet.map(|snippet| snippet.text.as_str()), &mut text);
        }
        if depth > Depth::Abstract {
            self.body(index, depth, &mut text);
        }
        text
    }

    fn around(&self, shown: usize, shortened: bool) -> (String, String) {
        let next = rows::next(self.outcome, self.query, shown);
        let after = match (self.layout.budget, next) {
            (Some(_), _) if self.count() == 0 => String::new(),
            (Some(_), Some(next)) => self.tail(shown, &next),
            (Some(_), None) if shortened => "-- cut to the budget\n".to_owned(),
            (Some(_), None) => String::new(),
            (None, next) if self.style.footer => self.footer(shown, next.as_deref()),
            (None, _) => String::new(),
        };
        (String::new(), after)
    }

    fn squeezed(&self, room: usize) -> String {
        if self.count() == 0 {
            return String::new();
        }
        let (_, after) = self.around(1, true);
        let plain = Style { color: false, links: None, ..self.style.clone() };
        let line = Page { style: &plain, terms: Terms::Words(Vec::new()), ..*self }.head(0, Depth::Line);
        let line_room = room.saturating_sub(after.len() + 1);
        if line.len() <= line_room {
            return format!("{line}\n{after}");
        }
        let end = lines::boundary(&line, line_room.saturating_sub("…".len()));
        format!("{}…\n{after}", &line[..end])
    }
}

impl Page<'_> {
    fn path(&self, hit: &Hit) -> String {
        // A line break in a path would end the line: the picture of it does not.
        let path = inert(&format!("{}{}", self.style.prefix, hit.path));
        if self.style.color || self.style.footer { path } else { format!("{}{}", self.style.prefix, hit.path) }
    }

    fn place(hit: &Hit) -> String {
        format!("{}-{}", hit.lines.start, hit.lines.end)
    }

    /// `path:42-78 [0.91] function with_retry`, and in a pipe `: description`.
    fn head(&self, index: usize, depth: Depth) -> String {
        let hit = &self.outcome.answer.hits[index];
        let style = self.style;
        let mut path = style.paint(PATH, &self.path(hit));
        if let Some(host) = &style.links {
            path = format!("\u{1b}]8;;{}\u{1b}\\{path}\u{1b}]8;;\u{1b}\\", self.address(host, index));
        }
        let score = format!("[{:.2}]", if hit.score.is_finite() { hit.score } else { 0.0 });
        let mut text = format!("{path}:{} {}", style.paint(NUMBER, &Self::place(hit)), style.paint(DIM, &score));
        if !(hit.kind.is_empty() || hit.kind == "text" && hit.symbol.is_empty()) {
            let _ = write!(text, " {}", style.paint(KIND, &style.shown(&one_line(&hit.kind))));
        }
        if !hit.symbol.is_empty() {
            let _ = write!(text, " {}", style.paint(NAME, &style.shown(&one_line(&hit.symbol))));
        }
        if !style.heading && depth > Depth::Line && !hit.description.is_empty() {
            let _ = write!(text, ": {}", style.shown(&one_line(&hit.description)));
        }
        text
    }

    /// The address of the hit's file, each byte that is not plain percent-encoded.
    fn address(&self, host: &str, index: usize) -> String {
        let hit = &self.outcome.answer.hits[index];
        let escaped = self.outcome.snippets.get(index).is_some_and(|snippet| snippet.path_escaped);
        let path = format!("{}/{}", self.outcome.root.to_string_lossy().trim_end_matches('/'), hit.path);
        let mut address = format!("file://{host}");
        for byte in path.bytes() {
            let plain = byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte) || escaped && byte == b'%';
            let _ = if plain { write!(address, "{}", char::from(byte)) } else { write!(address, "%{byte:02X}") };
        }
        address
    }

    /// Description, copies and explanation, each on a line of its own.
    /// `below` is the text that follows, if it is shown.
    fn remarks(&self, hit: &Hit, below: Option<&str>, text: &mut String) {
        let style = self.style;
        let lead = if style.heading { "    ".to_owned() } else { format!("{}:{} ", self.path(hit), Self::place(hit)) };
        if style.heading && !hit.description.is_empty() {
            let description = one_line(&hit.description);
            // A signature that stands in the text below is not told twice.
            if !below.is_some_and(|below| {
                lines::split(below).take(lines::OVERVIEW).any(|line| one_line(line) == description)
            }) {
                let _ = writeln!(text, "{lead}{}", self.emphasised(&description, &[]));
            }
        }
        if !hit.also_in.is_empty() {
            let rest = hit.also_in.len().saturating_sub(COPIES);
            let more = if rest > 0 { format!(" and {rest} more") } else { String::new() };
            let paths: Vec<String> =
                hit.also_in.iter().take(COPIES).map(|path| format!("{}{path}", style.prefix)).collect();
            let _ = writeln!(text, "{lead}also in: {}{more}", style.shown(&paths.join(", ")));
        }
        if !hit.signals.is_empty() {
            let _ = writeln!(text, "{lead}score: {}", style.shown(&explain::line(&hit.signals)));
        }
    }

    /// What a budget left out.
    fn tail(&self, shown: usize, next: &str) -> String {
        format!(
            "-- {shown} of {} hits; more: --cursor {next}\n",
            u64::from(self.outcome.answer.total).saturating_sub(u64::from(self.query.offset))
        )
    }

    fn footer(&self, shown: usize, next: Option<&str>) -> String {
        let Outcome { generation, skipped, answer, .. } = self.outcome;
        let mut parts = vec![match shown {
            0 => "no hits".to_owned(),
            _ if shown == answer.total as usize => counted(shown, "hit"),
            _ => format!("{shown} of {}", counted(answer.total as usize, "hit")),
        }];
        parts.push(format!("{} searched", counted(generation.files as usize, "file")));
        if !skipped.is_empty() {
            parts.push(skipped_words(skipped));
        }
        if let Some(next) = next {
            parts.push(format!("more: --cursor {next}"));
        }
        let gap = if shown > 0 { "\n" } else { "" };
        format!("{gap}{}\n", self.style.paint(DIM, &self.style.shown(&parts.join("; "))))
    }
}

/// `12 paths skipped: 9 ignored, 2 binary (seekwell status --skipped lists them)`.
pub(super) fn skipped_words(skipped: &[Skipped]) -> String {
    format!("{} skipped: {} (seekwell status --skipped lists them)", counted(skipped.len(), "path"), reasons(skipped))
}

#[cfg(test)]
mod tests {
    use super::super::samples::{outcome, query};
    use super::*;

    fn heading() -> Style {
        Style { heading: true, footer: true, ..Style::default() }
    }

    #[test]
    fn in_a_pipe_each_line_has_its_path() {
        let text = search(&outcome(), &query(), Layout::default(), &Style::default());
        let expected = "\
src/a.rs:42-44 [0.91] function with_retry: Tries again.
src/a.rs:42-44 also in: b/a.rs
src/a.rs:42-44 score: bm25 0.500 × 1.20 = 0.600 (66 %), path 0.310 × 1.00 = 0.310 (34 %)
src/a.rs:42:pub fn with_retry() {
src/a.rs:43:    again() // retry
src/a.rs:44:}
docs/r%FF.md:1-1 [0.33] section
docs/r%FF.md:1:# Retry
";
        assert_eq!(text, expected);
    }

    #[test]
    fn under_headings() {
        let style = Style { prefix: "../dir/".to_owned(), ..heading() };
        let text = search(&outcome(), &Query { offset: 3, ..query() }, Layout::default(), &style);
        let expected = "\
../dir/src/a.rs:42-44 [0.91] function with_retry
    Tries again.
    also in: ../dir/b/a.rs
    score: bm25 0.500 × 1.20 = 0.600 (66 %), path 0.310 × 1.00 = 0.310 (34 %)
42:pub fn with_retry() {
43:    again() // retry
44:}

../dir/docs/r%FF.md:1-1 [0.33] section
1:# Retry

2 of 5 hits; 3 files searched; 2 paths skipped: 1 binary, 1 ignored (seekwell status --skipped lists them)
";
        assert_eq!(text, expected);
    }

    #[test]
    fn a_signature_is_not_told_twice() {
        let mut one = outcome();
        one.answer.hits[0].description = "pub fn with_retry()  {".to_owned();
        let style = Style { heading: true, ..Style::default() };
        let at = |depth| search(&one, &query(), Layout { depth: Some(depth), budget: None }, &style);
        assert_eq!(at(Depth::Overview).matches("pub fn with_retry").count(), 1);
        assert_eq!(at(Depth::Abstract).matches("pub fn with_retry").count(), 1);
    }

    #[test]
    fn colours_and_links() {
        let mut one = outcome();
        one.answer.hits.truncate(1);
        one.answer.hits[0].also_in.clear();
        one.answer.hits[0].signals.clear();
        one.root = "/abs/d ir".into();
        let style = Style { color: true, heading: true, links: Some("box".to_owned()), ..Style::default() };
        let text = search(&one, &query(), Layout::default(), &style).replace('\u{1b}', "^");
        let expected = concat!(
            "^]8;;file://box/abs/d%20ir/src/a.rs^\\^[1;35msrc/a.rs^[0m^]8;;^\\:^[32m42-44^[0m ^[2m[0.91]^[0m ^[36mfunction^[0m ^[1mwith_retry^[0m\n",
            "    Tries again.\n",
            "^[32m42^[0m:^[34mpub^[0m ^[34mfn^[0m with_^[1;31mretry^[0m() {\n",
            "^[32m43^[0m:    again() ^[2m// ^[0m^[1;31mretry^[0m\n",
            "^[32m44^[0m:}\n",
        );
        assert_eq!(text, expected);
    }

    #[test]
    fn a_terminal_is_given_nothing_to_obey() {
        let mut evil = outcome();
        let bad = "\u{1b}]0;owned\u{7}\u{9b}2J";
        evil.answer.hits[0].path = bad.to_owned();
        evil.answer.hits[0].symbol = bad.to_owned();
        evil.answer.hits[0].description = bad.to_owned();
        evil.answer.hits[0].also_in = vec![bad.to_owned()];
        evil.answer.hits[0].signals[0].name = bad.to_owned();
        evil.snippets[0].text = format!("{bad}\r{bad}");
        for style in [heading(), Style { color: true, ..heading() }] {
            let text = search(&evil, &query(), Layout::default(), &style);
            let plain = text.replace("\u{1b}[0m", "").replace("\u{1b}[1;35m", "");
            assert!(!plain.contains("\u{1b}]") && !plain.contains('\u{7}') && !plain.contains('\u{9b}'), "{plain:?}");
        }
        let piped = search(&evil, &query(), Layout::default(), &Style::default());
        assert!(piped.contains("\u{1b}]0;owned"), "a pipe gets the bytes as they are");
    }

    #[test]
    fn long_texts_show_their_head_and_the_best_place() {
        let page_of = |text: String| {
            let mut long = outcome();
            long.answer.hits.truncate(1);
            long.answer.hits[0].lines.end = 81;
            long.snippets[0].text = text;
            let style = Style { heading: true, ..Style::default() };
            let layout = Layout { depth: Some(Depth::Overview), budget: None };
            search(&long, &query(), layout, &style).lines().skip(4).map(str::to_owned).collect::<Vec<_>>()
        };
        let numbered =
            |best: usize| (0..40).map(|n| format!("{}\n", if n == best { "retry" } else { "x" })).collect::<String>();
        assert_eq!(
            page_of(numbered(20)),
            [
                "42:x",
                "43:x",
                "44:x",
                "45:x",
                "46:x",
                "47:x",
                "--",
                "59:x",
                "60:x",
                "61:x",
                "62:retry",
                "63:x",
                "64:x",
                "… 17 more lines"
            ]
        );
        assert_eq!(page_of(numbered(3)).last().unwrap(), "… 28 more lines");
        assert_eq!(page_of(numbered(39)).last().unwrap(), "81:retry");
        assert_eq!(page_of("é".repeat(300)), [format!("42:{} … 200 more bytes", "é".repeat(200))]);
    }

    #[test]
    fn a_budget_says_how_to_go_on() {
        let text = search(&outcome(), &query(), Layout { depth: None, budget: Some(64) }, &Style::default());
        let next = super::super::cursor::write(&query(), 2);
        let expected = format!(
            "src/a.rs:42-44 [0.91] function with_retry\ndocs/r%FF.md:1-1 [0.33] section\ndocs/r%FF.md:1:# Retry\n-- 2 of 5 hits; more: --cursor {next}\n"
        );
        assert_eq!(text, expected);
    }
}
