//! The rules of one ignore file: gitignore syntax, read and applied exactly as git does.

use super::glob::Glob;

/// What makes the rest of a pattern more than its own bytes.
const WILDCARDS: &[u8] = b"*?[\\";

/// The rules of one ignore file, in its order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rules {
    /// What a reader is told about where a rule stands: `src/.gitignore`.
    label: String,
    rules: Vec<Rule>,
    /// Rules that are one whole name, by name: `node_modules`.
    by_name: Vec<u32>,
    /// Rules that are one file extension, by extension: `*.log`.
    by_extension: Vec<u32>,
    /// All others, in order.
    others: Vec<u32>,
}

/// One rule.
#[derive(Clone, Debug)]
pub(crate) struct Rule {
    /// Its line, one-based.
    line: u32,
    /// The line as written.
    text: Box<[u8]>,
    /// Whether it takes back an earlier rule (`!`).
    pub(crate) negated: bool,
    /// Whether it is about folders only (`/` at the end).
    folders_only: bool,
    shape: Shape,
}

/// How a rule matches, the cheap ways first.
#[derive(Clone, Debug)]
enum Shape {
    /// The last name of the path is this.
    Name(Box<[u8]>),
    /// The last name ends with this.
    Suffix(Box<[u8]>),
    /// The last name matches this.
    NameGlob(Glob),
    /// The path below the ignore file's folder begins with this; what remains is empty or matches the glob.
    Path(Box<[u8]>, Option<Glob>),
}

/// The path of an entry as rules see it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Subject<'a> {
    /// Its path below the folder that the rules are written for.
    pub(crate) path: &'a [u8],
    /// Its last name.
    pub(crate) name: &'a [u8],
    /// Whether it is a folder (a link to one is not).
    pub(crate) is_folder: bool,
}

impl Rules {
    /// Reads an ignore file. Nothing in one is an error: a line that can never match is passed over, as git does.
    /// Under `fold` the rules are put into lower case, and so must be the subjects they are asked about.
    pub(crate) fn parse(label: String, bytes: &[u8], fold: bool) -> Self {
        let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
        let mut rules = Self { label, ..Self::default() };
        for (line, text) in (1..).zip(bytes.split(|&byte| byte == b'\n')) {
            if text.first() == Some(&b'#') {
                continue;
            }
            let text = text.strip_suffix(b"\r").unwrap_or(text);
            rules.rules.extend(Rule::parse(line, without_trailing_spaces(text), fold));
        }
        rules.sort_out();
        rules
    }

    /// The rules of patterns that come one by one, each with its own place; `Err` gives the first one that is no
    /// pattern at all.
    pub(crate) fn from_patterns<'a>(patterns: impl Iterator<Item = &'a str>) -> Result<Self, usize> {
        let mut rules = Self::default();
        for (place, pattern) in patterns.enumerate() {
            let text = without_trailing_spaces(pattern.as_bytes());
            let line = u32::try_from(place).map_err(|_| place)?;
            rules.rules.push(Rule::parse(line, text, false).ok_or(place)?);
        }
        rules.sort_out();
        Ok(rules)
    }

    /// Whether there is no rule.
    pub(crate) fn is_empty(&self) -> bool {
        self.rules.is_empty()
    }

    /// The last rule that matches: the one that counts.
    pub(crate) fn last_match(&self, subject: Subject) -> Option<&Rule> {
        let by_name = self.last_of(&self.by_name, subject.name, subject.is_folder);
        let by_extension = memchr::memrchr(b'.', subject.name)
            .and_then(|dot| self.last_of(&self.by_extension, &subject.name[dot..], subject.is_folder));
        let sorted = by_name.max(by_extension);
        let others = self.others.iter().rev().copied().take_while(|&at| Some(at) > sorted);
        let best = others.into_iter().find(|&at| self.rules[at as usize].matches(subject)).or(sorted)?;
        Some(&self.rules[best as usize])
    }

    /// Where a rule stands and what it says: `.gitignore:3: *.log`.
    pub(crate) fn cite(&self, rule: &Rule) -> String {
        format!("{}:{}: {}", self.label, rule.line, rule.cite())
    }

    fn last_of(&self, sorted: &[u32], literal: &[u8], is_folder: bool) -> Option<u32> {
        let end = sorted.partition_point(|&at| self.rules[at as usize].literal() <= literal);
        let equal = sorted[..end].iter().rev().map(|&at| (at, &self.rules[at as usize]));
        let mut equal = equal.take_while(|(_, rule)| rule.literal() == literal);
        equal.find(|(_, rule)| is_folder || !rule.folders_only).map(|(at, _)| at)
    }

    /// Fills the three lists.
    fn sort_out(&mut self) {
        for (at, rule) in (0..).zip(&self.rules) {
            let list = match &rule.shape {
                Shape::Name(_) => &mut self.by_name,
                Shape::Suffix(suffix) if memchr::memrchr(b'.', suffix) == Some(0) => &mut self.by_extension,
                _ => &mut self.others,
            };
            list.push(at);
        }
        let rules = &self.rules;
        for list in [&mut self.by_name, &mut self.by_extension] {
            list.sort_by_key(|&at| (rules[at as usize].literal(), at));
        }
    }
}

impl Rule {
    /// The place given to [`Rules::from_patterns`], or the line.
    pub(crate) fn line(&self) -> u32 {
        self.line
    }

    /// The rule as written, for a reader.
    pub(crate) fn cite(&self) -> String {
        String::from_utf8_lossy(&self.text).into_owned()
    }

    fn parse(line: u32, text: &[u8], fold: bool) -> Option<Self> {
        let (negated, pattern) = match text {
            [b'!', rest @ ..] => (true, rest),
            _ => (false, text),
        };
        let (folders_only, pattern) = match pattern {
            [rest @ .., b'/'] => (true, rest),
            _ => (false, pattern),
        };
        if pattern.is_empty() {
            return None;
        }
        let shape = Shape::parse(pattern, fold)?;
        Some(Self { line, text: text.into(), negated, folders_only, shape })
    }

    fn matches(&self, subject: Subject) -> bool {
        (subject.is_folder || !self.folders_only) && self.shape.matches(subject)
    }

    fn literal(&self) -> &[u8] {
        match &self.shape {
            Shape::Name(literal) | Shape::Suffix(literal) | Shape::Path(literal, _) => literal,
            Shape::NameGlob(_) => b"",
        }
    }
}

impl Shape {
    fn parse(pattern: &[u8], fold: bool) -> Option<Self> {
        let lower =
            |bytes: &[u8]| -> Box<[u8]> { if fold { bytes.to_ascii_lowercase() } else { bytes.to_vec() }.into() };
        let wild = |bytes: &[u8]| bytes.iter().position(|byte| WILDCARDS.contains(byte));
        if !pattern.contains(&b'/') {
            return Some(match pattern {
                _ if wild(pattern).is_none() => Self::Name(lower(pattern)),
                [b'*', suffix @ ..] if wild(suffix).is_none() => Self::Suffix(lower(suffix)),
                _ => Self::NameGlob(Glob::new(pattern, fold)?),
            });
        }
        let pattern = pattern.strip_prefix(b"/").unwrap_or(pattern);
        // Cut before the glob is compiled, as git does: in `a**/b` the `**` then opens the glob, so it spans folders.
        let plain = wild(pattern).unwrap_or(pattern.len());
        let (prefix, rest) = pattern.split_at(plain);
        let glob = if rest.is_empty() { None } else { Some(Glob::new(rest, fold)?) };
        Some(Self::Path(lower(prefix), glob))
    }

    fn matches(&self, subject: Subject) -> bool {
        match self {
            Self::Name(name) => **name == *subject.name,
            Self::Suffix(suffix) => subject.name.ends_with(suffix),
            Self::NameGlob(glob) => glob.matches(subject.name),
            Self::Path(prefix, None) => **prefix == *subject.path,
            Self::Path(prefix, Some(glob)) => {
                subject.path.strip_prefix(&**prefix).is_some_and(|rest| glob.matches(rest))
            }
        }
    }
}

/// A line without the spaces at its end, unless a backslash keeps them; it also ends at a NUL, as lines do in C.
fn without_trailing_spaces(line: &[u8]) -> &[u8] {
    let line = memchr::memchr(0, line).map_or(line, |nul| &line[..nul]);
    let mut end = 0;
    let mut at = 0;
    while let Some(&byte) = line.get(at) {
        at += if byte == b'\\' { 2 } else { 1 };
        if byte != b' ' {
            end = at.min(line.len());
        }
    }
    &line[..end]
}

#[cfg(test)]
mod tests {
    use super::{Rules, Subject};

    /// What the last matching rule says of a path: `+` ignored, `-` taken back, nothing.
    fn verdict(file: &[u8], path: &str) -> Option<char> {
        let (path, is_folder) = path.strip_suffix('/').map_or((path, false), |path| (path, true));
        let name = path.rsplit('/').next().unwrap_or(path);
        let rules = Rules::parse(".gitignore".into(), file, false);
        let subject = Subject { path: path.as_bytes(), name: name.as_bytes(), is_folder };
        rules.last_match(subject).map(|rule| if rule.negated { '-' } else { '+' })
    }

    #[test]
    fn anchors_and_folders() {
        let file = b"/Library/\ndoc/frotz/\nbuild\na/b\n";
        for (path, expected) in [
            ("Library/", Some('+')),
            ("Library", None),
            ("src/Library/", None),
            ("doc/frotz/", Some('+')),
            ("a/doc/frotz/", None),
            ("x/build", Some('+')),
            ("a/b", Some('+')),
            ("x/a/b", None),
        ] {
            assert_eq!(verdict(file, path), expected, "{path}");
        }
    }

    #[test]
    fn the_last_rule_counts_whatever_its_shape() {
        let file = b"*.log\n!keep.log\nkeep.log\n!k*\n/keep.log\n";
        assert_eq!(verdict(file, "keep.log"), Some('+'));
        assert_eq!(verdict(file, "x/keep.log"), Some('-'));
        assert_eq!(verdict(file, "other.log"), Some('+'));
    }

    #[test]
    fn lines_are_read_as_git_reads_them() {
        let file = b"\xEF\xBB\xBFdist/\r\n# note\n\\#x\n\\!y\nspace  \nkept\\ \ntab\t\nlast";
        for (path, expected) in [
            ("dist/", Some('+')),
            ("# note", None),
            ("#x", Some('+')),
            ("!y", Some('+')),
            ("space", Some('+')),
            ("kept ", Some('+')),
            ("tab", None),
            ("tab\t", Some('+')),
            ("last", Some('+')),
        ] {
            assert_eq!(verdict(file, path), expected, "{path}");
        }
    }

    #[test]
    fn a_rule_is_cited_with_file_line_and_text() {
        let rules = Rules::parse("a/.gitignore".into(), b"x\n\n*.log  \n", false);
        let subject = Subject { path: b"b.log", name: b"b.log", is_folder: false };
        let rule = rules.last_match(subject).expect("the third line");
        assert_eq!(rules.cite(rule), "a/.gitignore:3: *.log");
    }

    #[test]
    fn hopeless_patterns_are_told_apart() {
        for hopeless in ["", "!", "/", "[a", "a/[", "x\\", "[[:nope:]]"] {
            assert_eq!(Rules::from_patterns([hopeless].into_iter()).err(), Some(0), "{hopeless}");
        }
        assert!(Rules::from_patterns(["*.log", "/a/**/b", "[ab]"].into_iter()).is_ok());
    }
}
