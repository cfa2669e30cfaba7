//! Everything that ends a command with exit code 2, in one form: `seekwell: what: where; next step`.

use std::fmt;
use std::io;
use std::path::PathBuf;

use clap::error::{ContextKind, ContextValue, ErrorKind};

use crate::config::ConfigError;
use crate::session;

use super::names::KINDS;

/// Why a command failed.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// There is no question at all.
    NoQuery,
    /// The question is empty.
    EmptyQuery,
    /// A path to search does not exist.
    NoSuchPath {
        /// The path, as typed.
        path: PathBuf,
        /// The command with the question in quotes, where it looks as if these were forgotten.
        quoted: Option<String>,
    },
    /// A path to search cannot be read, or is neither a file nor a folder.
    Unreadable {
        /// The path, as typed.
        path: PathBuf,
        /// What is in the way.
        detail: String,
    },
    /// `.seekwell.toml` cannot be used.
    Config(ConfigError),
    /// No language has this name.
    UnknownLanguage {
        /// The name.
        word: String,
        /// Names it may be a slip of.
        nearest: Vec<String>,
    },
    /// No kind has this name.
    UnknownKind {
        /// The name.
        word: String,
        /// Names it may be a slip of.
        nearest: Vec<String>,
    },
    /// An option's value cannot be used.
    Value {
        /// The option (`--budget`).
        option: &'static str,
        /// The value, as typed.
        value: String,
        /// What to write instead.
        next: String,
    },
    /// The command line cannot be understood.
    Usage(String),
    /// The session failed.
    Session(session::Error),
    /// The answer cannot be written. A closed pipe is not an error, see [`super::main`].
    Output(io::Error),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::new();
        self.describe(&mut text)?;
        // One line, whatever a path, a parser or a system call put in; and nothing that a terminal would obey.
        let line: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        write!(f, "seekwell: {line}")
    }
}

impl Error {
    fn describe(&self, f: &mut impl fmt::Write) -> fmt::Result {
        match self {
            Self::NoQuery => {
                f.write_str("no query: nothing to search for; write seekwell QUERY [PATH...], or seekwell --help")
            }
            Self::EmptyQuery => f.write_str(
                "the query is empty; write what to search for, or seekwell --files to list what would be searched",
            ),
            Self::NoSuchPath { path, quoted: None } => {
                write!(
                    f,
                    "no such file or folder: {}; paths follow the query, relative to the current folder",
                    path.display()
                )
            }
            Self::NoSuchPath { path, quoted: Some(command) } => {
                write!(f, "no such file or folder: {}; to search for all these words: {command}", path.display())
            }
            Self::Unreadable { path, detail } => {
                write!(f, "cannot search: {}: {detail}; name a readable file or folder", path.display())
            }
            Self::Config(e) => write!(f, "settings: {e}"),
            Self::UnknownLanguage { word, nearest } => {
                write!(f, "unknown language: {word}; {}seekwell --type-list lists all", did_you_mean(nearest))
            }
            Self::UnknownKind { word, nearest } => {
                write!(f, "unknown kind: {word}; {}the kinds are {}", did_you_mean(nearest), KINDS.join(", "))
            }
            Self::Value { option, value, next } => write!(f, "not a value for {option}: {value}; {next}"),
            Self::Usage(message) => f.write_str(message),
            Self::Session(e) => write!(f, "{e}"),
            Self::Output(e) => write!(f, "cannot write the answer: {e}; check where the output goes"),
        }
    }
}

impl std::error::Error for Error {}

impl From<ConfigError> for Error {
    fn from(e: ConfigError) -> Self {
        Self::Config(e)
    }
}

impl From<session::Error> for Error {
    fn from(e: session::Error) -> Self {
        Self::Session(e)
    }
}

impl From<io::Error> for Error {
    fn from(e: io::Error) -> Self {
        Self::Output(e)
    }
}

impl From<clap::Error> for Error {
    fn from(e: clap::Error) -> Self {
        Self::Usage(reworded(&e))
    }
}

fn did_you_mean(nearest: &[String]) -> String {
    if nearest.is_empty() { String::new() } else { format!("did you mean {}? ", nearest.join(" or ")) }
}

/// What clap found, in our form.
fn reworded(e: &clap::Error) -> String {
    let one = |kind| match e.get(kind) {
        Some(ContextValue::String(text)) => Some(text.clone()),
        Some(ContextValue::Strings(texts)) if !texts.is_empty() => Some(texts.join(", ")),
        _ => None,
    };
    // clap names an argument with its placeholder: `--mode <MODE>`.
    let option = one(ContextKind::InvalidArg).unwrap_or_default();
    let option = option.split(' ').next().unwrap_or_default().trim_end_matches("...").to_owned();
    match e.kind() {
        ErrorKind::UnknownArgument if option.starts_with('-') => {
            let near = one(ContextKind::SuggestedArg).map_or(String::new(), |near| format!("did you mean {near}? "));
            format!("unknown option: {option}; {near}to search for this text: seekwell -- {option}")
        }
        ErrorKind::InvalidValue => {
            let value = one(ContextKind::InvalidValue).unwrap_or_default();
            match one(ContextKind::ValidValue) {
                Some(_) if value.is_empty() => format!("no value for {option}; {}", one_of(e)),
                Some(_) => format!("not a value for {option}: {value}; {}", one_of(e)),
                None => format!("no value for {option}; write {option} VALUE"),
            }
        }
        ErrorKind::ValueValidation => {
            let value = one(ContextKind::InvalidValue).unwrap_or_default();
            let why = std::error::Error::source(e).map_or(String::new(), ToString::to_string);
            format!("not a value for {option}: {value}; {why}")
        }
        ErrorKind::ArgumentConflict => {
            let other = one(ContextKind::PriorArg).unwrap_or_default();
            let other = other.split(' ').next().unwrap_or_default();
            format!("cannot be used together: {option} and {other}; leave one out")
        }
        ErrorKind::MissingRequiredArgument => format!("missing: {option}; seekwell --help lists the options"),
        _ => {
            let text = e.to_string();
            let first = text.lines().next().unwrap_or_default();
            let first = first.strip_prefix("error: ").unwrap_or(first).trim_end_matches(':');
            format!("{first}; seekwell --help lists the options")
        }
    }
}

fn one_of(e: &clap::Error) -> String {
    match e.get(ContextKind::ValidValue) {
        Some(ContextValue::Strings(values)) => format!("write one of {}", values.join(", ")),
        _ => "seekwell --help lists the values".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_line_whatever_is_in_it() {
        let e = Error::NoSuchPath { path: PathBuf::from("a\nb\u{1b}[2J"), quoted: None };
        assert_eq!(
            e.to_string(),
            "seekwell: no such file or folder: a b [2J; paths follow the query, relative to the current folder"
        );
    }
}
