//! `.seekwell.toml` at the root of a tree: what to leave out, and defaults for searching it.
//!
//! A repository's settings are a stranger's. They can narrow what is read and change defaults; there is no key that
//! runs, fetches, or names anything outside the root, and the size cap can only be lowered.

#![deny(missing_docs)]
#![deny(clippy::disallowed_methods, clippy::disallowed_types, reason = "values in, values out: see clippy.toml")]

mod near;

use std::fmt;
use std::path::{Path, PathBuf};

use seekwell_admit::{Admission, Exclude, Options};
use seekwell_types::{Content, Scope};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

pub use near::nearest;

/// The file's name.
pub const FILE_NAME: &str = ".seekwell.toml";

/// A longer file is refused unread: settings are short.
pub const MAX_BYTES: u64 = 64 << 10;

/// What of the store is used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StoreUse {
    /// Nothing is read from it or written to it.
    Never,
    /// The index of this tree, if there is one: brought up to date, but none is begun.
    Existing,
    /// The same, and one is begun for a tree that is worth it.
    #[default]
    Auto,
    /// One is begun for any tree.
    Always,
}

/// What the file says. What it leaves out is `None` or empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Config {
    /// `ignore.patterns`: excluded paths, in gitignore syntax.
    pub ignore_patterns: Vec<String>,
    /// `ignore.extensions`: excluded extensions, without the dot.
    pub ignore_extensions: Vec<String>,
    /// `search.limit`: hits shown at most.
    pub limit: Option<u32>,
    /// `search.content`: content class searched.
    pub content: Option<Scope>,
    /// `store.use`: whether an index is kept.
    pub store: Option<StoreUse>,
    /// `search.max-filesize`: size above which a file is not read.
    pub max_filesize: Option<u64>,
}

/// Why the file cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfigError {
    /// The file.
    pub file: PathBuf,
    /// The line, one-based; none where the file cannot be read at all.
    pub line: Option<usize>,
    /// What is wrong, naming the key, and what to write instead.
    pub what: String,
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.file.display())?;
        if let Some(line) = self.line {
            write!(f, ":{line}")?;
        }
        write!(f, ": {}", self.what)
    }
}

impl std::error::Error for ConfigError {}

/// Reads the text of a settings file; `file` is for messages only.
pub fn parse(text: &str, file: &Path) -> Result<Config, ConfigError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let reader = Reader { text, file };
    let table = DeTable::parse(text).map_err(|e| {
        let at = e.span().map_or(0, |span| span.start);
        reader.error(at, format!("not TOML: {}; see toml.io", e.message().replace('\n', ", ")))
    })?;
    let mut config = Config::default();
    for (section, key, value) in reader.entries(table.get_ref())? {
        match (section, key) {
            ("ignore", "patterns") => config.ignore_patterns = reader.patterns(value)?,
            ("ignore", "extensions") => {
                let listed = reader.strings("ignore.extensions", value)?;
                config.ignore_extensions = listed.into_iter().map(|e| e.1.trim_start_matches('.').to_owned()).collect();
            }
            ("search", "limit") => config.limit = Some(reader.limit(value)?),
            ("search", "content") => config.content = Some(reader.content(value)?),
            ("store", "use") => config.store = Some(reader.store(value)?),
            ("search", "max-filesize") => config.max_filesize = Some(reader.size(value)?),
            _ => unreachable!("entries() lets known keys pass only"),
        }
    }
    Ok(config)
}

/// Every key there is, by section.
const KEYS: [(&str, &[&str]); 3] =
    [("ignore", &["patterns", "extensions"]), ("search", &["limit", "content", "max-filesize"]), ("store", &["use"])];

type Entry<'t, 'i> = (&'static str, &'static str, &'t Spanned<DeValue<'i>>);

struct Reader<'a> {
    text: &'a str,
    file: &'a Path,
}

impl Reader<'_> {
    fn error(&self, at: usize, what: String) -> ConfigError {
        let before = &self.text.as_bytes()[..at.min(self.text.len())];
        let line = 1 + before.iter().filter(|&&b| b == b'\n').count();
        ConfigError { file: self.file.to_owned(), line: Some(line), what }
    }

    /// All keys with their values, in the order of the file, so that the first error told is the first one in it.
    fn entries<'t, 'i>(&self, root: &'t DeTable<'i>) -> Result<Vec<Entry<'t, 'i>>, ConfigError> {
        let mut sections: Vec<_> = root.iter().collect();
        sections.sort_by_key(|(name, _)| name.span().start);
        let mut entries = Vec::new();
        for (name, value) in sections {
            let known = KEYS.iter().find(|(section, _)| *section == name.get_ref().as_ref());
            let Some((section, keys)) = known else {
                let sections = KEYS.map(|(section, _)| section);
                let whole: Vec<&str> = KEYS.iter().flat_map(|(_, keys)| keys.iter().copied()).collect();
                let what = match KEYS.iter().find(|(_, keys)| keys.contains(&name.get_ref().as_ref())) {
                    Some((section, _)) => format!("write it below [{section}]"),
                    None => suggestion(name.get_ref(), &[&sections[..], &whole[..]].concat()),
                };
                return Err(self.error(name.span().start, format!("unknown key: {}; {what}", name.get_ref())));
            };
            let DeValue::Table(table) = value.get_ref() else {
                let what = format!("{section}: not a table; write [{section}] above its keys");
                return Err(self.error(name.span().start, what));
            };
            let mut rows: Vec<_> = table.iter().collect();
            rows.sort_by_key(|(key, _)| key.span().start);
            for (key, value) in rows {
                let Some(known) = keys.iter().find(|known| **known == key.get_ref().as_ref()) else {
                    let what = suggestion(key.get_ref(), keys);
                    return Err(
                        self.error(key.span().start, format!("unknown key: {section}.{}; {what}", key.get_ref()))
                    );
                };
                entries.push((*section, *known, value));
            }
        }
        Ok(entries)
    }

    fn strings(&self, key: &str, value: &Spanned<DeValue<'_>>) -> Result<Vec<(usize, String)>, ConfigError> {
        let wrong = |at| self.error(at, format!("{key}: not a list of strings; write {key} = [\"…\", \"…\"]"));
        let DeValue::Array(items) = value.get_ref() else { return Err(wrong(value.span().start)) };
        let text = |item: &Spanned<DeValue<'_>>| match item.get_ref() {
            DeValue::String(text) => Ok((item.span().start, text.to_string())),
            _ => Err(wrong(item.span().start)),
        };
        items.iter().map(text).collect()
    }

    fn patterns(&self, value: &Spanned<DeValue<'_>>) -> Result<Vec<String>, ConfigError> {
        let listed = self.strings("ignore.patterns", value)?;
        for (at, pattern) in &listed {
            let outside = pattern.trim_start_matches('!');
            // A leading `/` anchors at the root, as in .gitignore; these name places elsewhere.
            let drive = outside.as_bytes().get(1) == Some(&b':');
            if drive || outside.starts_with('~') || outside.split(['/', '\\']).any(|part| part == "..") {
                let what = format!("ignore.patterns: {pattern}: leads out of the root; write it relative to the root");
                return Err(self.error(*at, what));
            }
            let exclude = Exclude { pattern: pattern.clone(), origin: FILE_NAME.to_owned() };
            if Admission::new(Options { excludes: vec![exclude], ..Options::default() }).is_err() {
                let why = "can match nothing (an unclosed `[`, a `\\` at the end, or empty); write it as in .gitignore";
                return Err(self.error(*at, format!("ignore.patterns: {pattern}: {why}")));
            }
        }
        Ok(listed.into_iter().map(|(_, pattern)| pattern).collect())
    }

    fn limit(&self, value: &Spanned<DeValue<'_>>) -> Result<u32, ConfigError> {
        integer(value).and_then(|n| u32::try_from(n).ok()).filter(|n| *n > 0).ok_or_else(|| {
            self.error(value.span().start, "search.limit: not a whole number from 1; write limit = 10".to_owned())
        })
    }

    fn content(&self, value: &Spanned<DeValue<'_>>) -> Result<Scope, ConfigError> {
        match value.get_ref().as_str() {
            Some("all") => Ok(Scope::All),
            Some("code") => Ok(Scope::Only(Content::Code)),
            Some("docs") => Ok(Scope::Only(Content::Docs)),
            Some("config") => Ok(Scope::Only(Content::Config)),
            _ => Err(self.error(
                value.span().start,
                "search.content: none of \"code\", \"docs\", \"config\", \"all\"; write one of them".to_owned(),
            )),
        }
    }

    fn store(&self, value: &Spanned<DeValue<'_>>) -> Result<StoreUse, ConfigError> {
        match value.get_ref().as_str() {
            Some("never") => Ok(StoreUse::Never),
            Some("auto") => Ok(StoreUse::Auto),
            Some("always") => Ok(StoreUse::Always),
            _ => Err(self.error(
                value.span().start,
                "store.use: none of \"auto\", \"always\", \"never\"; write one of them".to_owned(),
            )),
        }
    }

    fn size(&self, value: &Spanned<DeValue<'_>>) -> Result<u64, ConfigError> {
        let read = match value.get_ref().as_str() {
            Some(text) => size(text).ok(),
            None => integer(value).and_then(|n| u64::try_from(n).ok()),
        };
        read.ok_or_else(|| {
            self.error(value.span().start, "search.max-filesize: not a size; write max-filesize = \"1M\"".to_owned())
        })
    }
}

fn integer(value: &Spanned<DeValue<'_>>) -> Option<i64> {
    let number = value.get_ref().as_integer()?;
    i64::from_str_radix(number.as_str(), number.radix()).ok()
}

fn suggestion(typed: &str, known: &[&str]) -> String {
    match nearest(typed, known.iter().copied()).first() {
        Some(near) => format!("did you mean {near}?"),
        None => format!(
            "the keys are {}",
            KEYS.map(|(section, keys)| format!("{section}.{}", keys.join(&format!(", {section}.")))).join(", ")
        ),
    }
}

/// A size in bytes: `4096`, `500K`, `10M`, `1G` (powers of 1,024, as in ripgrep).
pub fn size(text: &str) -> Result<u64, String> {
    let text = text.trim();
    let unit_at = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (digits, unit) = text.split_at(unit_at);
    let shift = match unit.to_ascii_uppercase().as_str() {
        "" | "B" => 0,
        "K" | "KB" | "KIB" => 10,
        "M" | "MB" | "MIB" => 20,
        "G" | "GB" | "GIB" => 30,
        _ => return Err("write it as 4096, 500K, 10M or 1G".to_owned()),
    };
    let number: u64 = digits.parse().map_err(|_| "write it as 4096, 500K, 10M or 1G".to_owned())?;
    number.checked_mul(1 << shift).ok_or_else(|| "it is too large".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(text: &str) -> String {
        parse(text, Path::new(FILE_NAME)).unwrap_err().to_string()
    }

    #[test]
    fn everything_it_can_say() {
        let text = "\u{feff}# ours\r\n[ignore]\r\npatterns = [\"/gen/**\", \"!gen/keep.rs\"]\nextensions = ['.jsonl', 'md']\n\
                    [search]\nlimit = 2_0\ncontent = \"docs\"\nmax-filesize = \"500K\"\n\
                    [store]\nuse = \"never\"\n";
        let config = parse(text, Path::new(FILE_NAME)).unwrap();
        let expected = Config {
            ignore_patterns: vec!["/gen/**".to_owned(), "!gen/keep.rs".to_owned()],
            ignore_extensions: vec!["jsonl".to_owned(), "md".to_owned()],
            limit: Some(20),
            content: Some(Scope::Only(Content::Docs)),
            store: Some(StoreUse::Never),
            max_filesize: Some(500 << 10),
        };
        assert_eq!(config, expected);
        assert_eq!(parse("", Path::new(FILE_NAME)), Ok(Config::default()));
        assert_eq!(parse("ignore = {}", Path::new(FILE_NAME)), Ok(Config::default()));
    }

    #[test]
    fn errors_name_file_line_and_key() {
        assert_eq!(
            error("[ignore]\n\npaterns = []"),
            ".seekwell.toml:3: unknown key: ignore.paterns; did you mean patterns?"
        );
        assert_eq!(error("[serch]\nlimit = 3"), ".seekwell.toml:1: unknown key: serch; did you mean search?");
        assert_eq!(error("limit = 3"), ".seekwell.toml:1: unknown key: limit; write it below [search]");
        assert_eq!(
            error("[run]"),
            ".seekwell.toml:1: unknown key: run; the keys are ignore.patterns, ignore.extensions, search.limit, \
             search.content, search.max-filesize, store.use"
        );
        assert_eq!(error("ignore = 1"), ".seekwell.toml:1: ignore: not a table; write [ignore] above its keys");
        assert_eq!(
            error("[search]\nlimit = 0"),
            ".seekwell.toml:2: search.limit: not a whole number from 1; write limit = 10"
        );
        assert_eq!(
            error("[search]\ncontent = \"prose\""),
            ".seekwell.toml:2: search.content: none of \"code\", \"docs\", \"config\", \"all\"; write one of them"
        );
        assert_eq!(
            error("[search]\nmax-filesize = \"big\""),
            ".seekwell.toml:2: search.max-filesize: not a size; write max-filesize = \"1M\""
        );
        assert_eq!(
            error("[store]\nuse = true"),
            ".seekwell.toml:2: store.use: none of \"auto\", \"always\", \"never\"; write one of them"
        );
        assert_eq!(
            error("[ignore]\npatterns = \"x\""),
            ".seekwell.toml:2: ignore.patterns: not a list of strings; write ignore.patterns = [\"…\", \"…\"]"
        );
        assert!(
            error("[ignore]\npatterns = [").starts_with(".seekwell.toml:2: not TOML: "),
            "{}",
            error("[ignore]\npatterns = [")
        );
        assert!(!error("a = \"\u{1}\"\nb").contains('\n'));
    }

    #[test]
    fn nothing_outside_the_root() {
        for pattern in ["../x", "a/../../x", "..", "C:/x", "~/x", "!../x", "a\\..\\b"] {
            let text = format!("[ignore]\npatterns = [\n  'ok',\n  '{pattern}']");
            assert_eq!(
                error(&text),
                format!(
                    ".seekwell.toml:4: ignore.patterns: {pattern}: leads out of the root; write it relative to the root"
                )
            );
        }
        assert!(parse("[ignore]\npatterns = ['/a..b', '...']", Path::new(FILE_NAME)).is_ok());
    }
}
