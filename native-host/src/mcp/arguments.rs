//! The arguments of tools: one table says what there is, the schema and the check are made of it.
//!
//! Schemas are plain on purpose: each property has one type, none is nullable, nothing is referred to. Some clients refuse a
//! whole server for one union of types.

use std::path::Path;

use serde_json::{Map, Value, json};

use seekwell_settings::nearest;

/// Bytes of a text at most: more is no question, and engines of expressions take long over it.
const LONGEST: usize = 64 << 10;

/// What an argument may hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Text.
    Text,
    /// A list of texts.
    Texts,
    /// A whole number, 0 or more.
    Number,
    /// Yes or no.
    Flag,
    /// One of a few words.
    Word(&'static [&'static str]),
}

/// An argument of a tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Argument {
    /// Its name.
    pub name: &'static str,
    /// What it may hold.
    pub kind: Kind,
    /// What it means; empty where the name says it.
    pub about: &'static str,
    /// Whether there is no answer without it.
    pub required: bool,
}

impl Argument {
    /// An argument that may be left out.
    pub const fn new(name: &'static str, kind: Kind, about: &'static str) -> Self {
        Self { name, kind, about, required: false }
    }

    /// An argument that may not be left out.
    pub const fn needed(name: &'static str, kind: Kind, about: &'static str) -> Self {
        Self { name, kind, about, required: true }
    }

    fn schema(&self) -> Value {
        let mut schema = match self.kind {
            Kind::Text => json!({"type": "string"}),
            Kind::Texts => json!({"type": "array", "items": {"type": "string"}}),
            Kind::Number => json!({"type": "integer"}),
            Kind::Flag => json!({"type": "boolean"}),
            Kind::Word(words) => json!({"type": "string", "enum": words}),
        };
        if !self.about.is_empty() {
            schema["description"] = self.about.into();
        }
        schema
    }
}

/// The schema of a tool's arguments.
pub fn schema(arguments: &[Argument]) -> Map<String, Value> {
    let properties: Map<String, Value> = arguments.iter().map(|a| (a.name.to_owned(), a.schema())).collect();
    let required: Vec<&str> = arguments.iter().filter(|a| a.required).map(|a| a.name).collect();
    let mut schema = Map::new();
    schema.insert("type".to_owned(), "object".into());
    schema.insert("properties".to_owned(), Value::Object(properties));
    if !required.is_empty() {
        schema.insert("required".to_owned(), required.into());
    }
    schema.insert("additionalProperties".to_owned(), false.into());
    schema
}

/// What a caller has given, checked against the table: names, types, words.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Given(Map<String, Value>);

impl Given {
    /// Checks what was given. The error is for the model that called: it names the argument and what to write.
    pub fn check(tool: &str, arguments: &[Argument], given: Map<String, Value>) -> Result<Self, String> {
        let mut kept = Map::new();
        for (name, value) in given {
            let Some(argument) = arguments.iter().find(|a| a.name == name) else {
                return Err(unknown(tool, arguments, &name));
            };
            // Some clients send every argument, those that are not set as null.
            if !value.is_null() {
                kept.insert(name, checked(argument, value)?);
            }
        }
        match arguments.iter().find(|a| a.required && !kept.contains_key(a.name)) {
            Some(missing) => {
                let about = if missing.about.is_empty() { "" } else { ": " };
                Err(format!("{tool} needs the argument `{}`{about}{}", missing.name, missing.about))
            }
            None => Ok(Self(kept)),
        }
    }

    /// A text, trimmed; none if it was left out or is empty.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.0.get(name).and_then(Value::as_str).map(str::trim).filter(|text| !text.is_empty())
    }

    /// A text as it was given, which white space may be the point of.
    pub fn verbatim(&self, name: &str) -> Option<&str> {
        self.0.get(name).and_then(Value::as_str).filter(|text| !text.is_empty())
    }

    /// A list of texts, without empty ones.
    pub fn texts(&self, name: &str) -> Vec<String> {
        let list = self.0.get(name).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        let texts = list.iter().filter_map(Value::as_str).map(str::trim).filter(|text| !text.is_empty());
        texts.map(str::to_owned).collect()
    }

    /// A number.
    pub fn number(&self, name: &str) -> Option<u32> {
        self.0.get(name).and_then(Value::as_u64).and_then(|number| u32::try_from(number).ok())
    }

    /// A flag; no, if it was left out.
    pub fn flag(&self, name: &str) -> bool {
        self.0.get(name).and_then(Value::as_bool).unwrap_or_default()
    }

    /// A number that must lie in a range.
    pub fn number_in(&self, name: &str, range: std::ops::RangeInclusive<u32>, default: u32) -> Result<u32, String> {
        let number = self.number(name).unwrap_or(default);
        if range.contains(&number) {
            return Ok(number);
        }
        Err(format!("`{name}` is {number}; write a number from {} to {}", range.start(), range.end()))
    }
}

fn unknown(tool: &str, arguments: &[Argument], name: &str) -> String {
    let near = nearest(name, arguments.iter().map(|a| a.name));
    // What other tools call it.
    let other = match name {
        "q" | "text" | "question" | "search" | "task" => Some(["query", "pattern", "task"]),
        "symbol" | "symbol_name" | "identifier" | "function" | "target" => Some(["name", "symbols", "query"]),
        "file" | "file_path" | "filepath" | "filename" | "directory" | "folder" | "dir" | "collection" => {
            Some(["path", "files", "root"])
        }
        "top_k" | "k" | "n" | "max_results" | "count" | "num_results" => Some(["limit", "budget", "depth"]),
        "max_tokens" | "tokens" | "token_budget" => Some(["budget", "limit", "depth"]),
        "repo" | "repository" | "project" | "workspace" => Some(["root", "path", "root"]),
        "lang" | "languages" | "type" | "types" => Some(["language", "kind", "language"]),
        "regexp" | "is_regex" => Some(["regex", "pattern", "regex"]),
        _ => None,
    };
    let has = |name: &&str| arguments.iter().any(|a| a.name == *name);
    let meant = near.first().cloned().or_else(|| other.and_then(|o| o.into_iter().find(has)).map(str::to_owned));
    let mean = meant.map_or_else(String::new, |name| format!("; did you mean `{name}`?"));
    let all: Vec<&str> = arguments.iter().map(|a| a.name).collect();
    let shown: String = name.chars().take(60).collect();
    format!("{tool} has no argument `{shown}`{mean} It takes: {}", all.join(", ")).replace("` It", "`. It")
}

/// A value of the argument's type. What is meant beyond doubt is taken: a number in quotes, one text for a list of one.
fn checked(argument: &Argument, value: Value) -> Result<Value, String> {
    let name = argument.name;
    let shown = || {
        let text = value.to_string();
        if text.chars().count() > 60 { text.chars().take(60).chain(['…']).collect() } else { text }
    };
    let longest = match &value {
        Value::Array(list) => list.iter().filter_map(Value::as_str).map(str::len).max(),
        value => value.as_str().map(str::len),
    };
    if let Some(length) = longest.filter(|length| *length > LONGEST) {
        return Err(format!("`{name}` is {length} bytes long; write at most {LONGEST}"));
    }
    match argument.kind {
        Kind::Text => match &value {
            Value::String(_) => Ok(value),
            Value::Number(number) => Ok(number.to_string().into()),
            _ => Err(format!("`{name}` is {}; write a text", shown())),
        },
        Kind::Texts => match &value {
            Value::String(text) => Ok(json!([text])),
            Value::Array(list) if list.iter().all(Value::is_string) => Ok(value),
            _ => Err(format!("`{name}` is {}; write a list of texts", shown())),
        },
        Kind::Number => {
            let number = match &value {
                Value::Number(number) => number.as_u64().or_else(|| {
                    let float = number.as_f64().filter(|float| float.fract() == 0.0 && (0.0..4e9).contains(float));
                    float.map(|float| float as u64)
                }),
                Value::String(text) => text.trim().parse().ok(),
                _ => None,
            };
            let number = number.filter(|number| u32::try_from(*number).is_ok());
            number.map(Value::from).ok_or_else(|| format!("`{name}` is {}; write a whole number, 0 or more", shown()))
        }
        Kind::Flag => match &value {
            Value::Bool(_) => Ok(value),
            Value::String(text) if text == "true" || text == "false" => Ok((text == "true").into()),
            _ => Err(format!("`{name}` is {}; write true or false", shown())),
        },
        Kind::Word(words) => {
            let given = value.as_str().unwrap_or_default().trim().to_lowercase();
            match words.iter().find(|word| **word == given) {
                Some(word) => Ok((*word).into()),
                None => Err(format!("`{name}` is {}; write one of {}", shown(), words.join(", "))),
            }
        }
    }
}

/// A path relative to a root, from one relative to it or an absolute one below it.
pub fn relative(typed: &str, root: &Path) -> Result<String, String> {
    let typed = typed.strip_prefix("file://").unwrap_or(typed);
    let below = Path::new(typed).strip_prefix(root).ok().map(|path| path.to_string_lossy().into_owned());
    crate::cli::values::prefix(below.as_deref().unwrap_or(typed)).ok_or_else(|| {
        let shown: String = typed.chars().take(200).collect();
        format!("the path {shown} is not below {}; write it relative to that", root.display())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const ARGUMENTS: [Argument; 6] = [
        Argument::needed("query", Kind::Text, "What to look for"),
        Argument::new("limit", Kind::Number, ""),
        Argument::new("files", Kind::Texts, ""),
        Argument::new("regex", Kind::Flag, ""),
        Argument::new("content", Kind::Word(&["code", "docs"]), ""),
        Argument::new("path", Kind::Text, ""),
    ];

    fn given(value: Value) -> Result<Given, String> {
        let Value::Object(map) = value else { panic!("not an object") };
        Given::check("search_code", &ARGUMENTS, map)
    }

    #[test]
    fn schemas_are_plain() {
        let schema = Value::Object(schema(&ARGUMENTS));
        assert_eq!(schema["properties"]["query"], json!({"type": "string", "description": "What to look for"}));
        assert_eq!(schema["properties"]["files"], json!({"type": "array", "items": {"type": "string"}}));
        assert_eq!(schema["required"], json!(["query"]));
        assert_eq!(schema["additionalProperties"], json!(false));
    }

    #[test]
    fn unknown_arguments_name_the_right_one() {
        let error = |name: &str| given(json!({"query": "x", name: 1})).unwrap_err();
        assert_eq!(
            error("limt"),
            "search_code has no argument `limt`; did you mean `limit`? It takes: query, limit, files, regex, content, path"
        );
        assert!(error("top_k").contains("did you mean `limit`?"));
        assert!(error("collection").contains("did you mean `path`?"));
        assert!(error("zzz").starts_with("search_code has no argument `zzz`. It takes: query"), "{}", error("zzz"));
    }

    #[test]
    fn what_is_meant_beyond_doubt_is_taken() {
        let some = given(
            json!({"query": " a ", "limit": "7", "files": "a.rs", "regex": "true", "content": "DOCS", "path": null}),
        );
        let some = some.unwrap();
        assert_eq!(
            (some.text("query"), some.verbatim("query"), some.number("limit")),
            (Some("a"), Some(" a "), Some(7))
        );
        assert_eq!(some.texts("files"), ["a.rs"]);
        assert!(some.flag("regex") && some.text("path").is_none());
        assert_eq!(some.text("content"), Some("docs"));
        assert_eq!(given(json!({"query": "a", "limit": 3.0})).unwrap().number("limit"), Some(3));
    }

    #[test]
    fn wrong_values_name_the_argument() {
        let error = |value: Value| given(value).unwrap_err();
        assert_eq!(error(json!({"limit": 3})), "search_code needs the argument `query`: What to look for");
        assert_eq!(error(json!({"query": "a", "limit": -1})), "`limit` is -1; write a whole number, 0 or more");
        assert_eq!(error(json!({"query": ["a"]})), "`query` is [\"a\"]; write a text");
        assert_eq!(
            error(json!({"query": "a", "content": "pictures"})),
            "`content` is \"pictures\"; write one of code, docs"
        );
        assert_eq!(error(json!({"query": "a", "files": [1]})), "`files` is [1]; write a list of texts");
        assert_eq!(
            given(json!({"query": "a", "limit": 900})).unwrap().number_in("limit", 1..=100, 10).unwrap_err(),
            "`limit` is 900; write a number from 1 to 100"
        );
    }

    #[test]
    fn paths_stay_below_the_root() {
        let root = Path::new("/r");
        assert_eq!(relative("./src/", root), Ok("src".to_owned()));
        assert_eq!(relative("/r/src/a.rs", root), Ok("src/a.rs".to_owned()));
        assert_eq!(relative("file:///r/a.rs", root), Ok("a.rs".to_owned()));
        assert!(relative("../x", root).unwrap_err().contains("not below /r"));
        assert!(relative("/etc/passwd", root).is_err());
    }
}
