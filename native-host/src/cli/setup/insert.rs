//! An entry put into a settings file that is there already, with everything else in it left as it is: its order, its
//! comments, its white space. The text is changed at one place, and then read again: what it says now must be what it said
//! before, and the entry.

use serde_json::{Map, Value};

/// What became of a file's text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Inserted {
    /// The entry is there as it should be.
    Already,
    /// There is another entry of that name, which is the user's.
    Other,
    /// The new text.
    Text(String),
}

/// Puts `value` at `keys` (`mcpServers`, `seekwell`) into JSON, with or without comments.
pub fn json(text: &str, keys: [&str; 2], value: &Value) -> Result<Inserted, String> {
    let entry = |indent: &str| indented(value, indent);
    let [outer, inner] = keys;
    if text.trim().is_empty() {
        let mut object = Map::new();
        object.insert(inner.to_owned(), value.clone());
        return Ok(Inserted::Text(
            indented(&Value::Object(Map::from_iter([(outer.to_owned(), Value::Object(object))])), "") + "\n",
        ));
    }
    let before = read(text)?;
    let Value::Object(top) = &before else { return Err("it is not an object".to_owned()) };
    match top.get(outer) {
        Some(Value::Object(servers)) => {
            if let Some(there) = servers.get(inner) {
                return Ok(if there == value { Inserted::Already } else { Inserted::Other });
            }
        }
        Some(_) => return Err(format!("{outer} is not an object")),
        None => {}
    }
    let lost = || "its form is not understood".to_owned();
    let (at, new) = match opening(text, Some(outer)) {
        Some(at) => (at, format!("\n    \"{inner}\": {}", entry("    "))),
        None => {
            let at = opening(text, None).ok_or_else(lost)?;
            (at, format!("\n  \"{outer}\": {{\n    \"{inner}\": {}\n  }}", entry("    ")))
        }
    };
    let empty = code_after(text, at) == Some('}');
    let end = match (empty, text[at..].starts_with(['\n', '\r'])) {
        (true, _) => "\n",
        (false, true) => ",",
        (false, false) => ",\n    ",
    };
    let changed = format!("{}{new}{end}{}", &text[..at], &text[at..].trim_start_matches([' ', '\t']));
    let mut expected = top.clone();
    let servers = expected.entry(outer).or_insert_with(|| Value::Object(Map::new()));
    servers.as_object_mut().ok_or_else(lost)?.insert(inner.to_owned(), value.clone());
    if read(&changed)? == Value::Object(expected) { Ok(Inserted::Text(changed)) } else { Err(lost()) }
}

/// Puts a table at the end of TOML. `block` is its text, `keys` its name.
pub fn toml(text: &str, keys: [&str; 2], block: &str) -> Result<Inserted, String> {
    let parse = |text: &str| text.parse::<toml::Table>().map_err(|e| e.message().to_owned());
    let (before, new) = (parse(text)?, parse(block)?);
    let at = |table: &toml::Table| table.get(keys[0]).and_then(|outer| outer.get(keys[1])).cloned();
    if let Some(there) = at(&before) {
        return Ok(if Some(there) == at(&new) { Inserted::Already } else { Inserted::Other });
    }
    let gap = match text {
        "" => "",
        text if text.ends_with('\n') => "\n",
        _ => "\n\n",
    };
    let changed = format!("{text}{gap}{block}");
    let after = parse(&changed)?;
    let kept = before.iter().all(|(key, value)| key == keys[0] || after.get(key) == Some(value));
    if kept && at(&after) == at(&new) {
        Ok(Inserted::Text(changed))
    } else {
        Err("its form is not understood".to_owned())
    }
}

fn indented(value: &Value, indent: &str) -> String {
    let text = serde_json::to_string_pretty(value).unwrap_or_default();
    text.replace('\n', &format!("\n{indent}"))
}

/// What JSON with comments and trailing commas says.
fn read(text: &str) -> Result<Value, String> {
    serde_json::from_str(&plain(text)).map_err(|e| format!("it is not JSON: {e}"))
}

/// The same bytes long, with comments and trailing commas made spaces.
fn plain(text: &str) -> String {
    let text = text.strip_prefix('\u{feff}').map_or_else(|| text.to_owned(), |rest| format!("   {rest}"));
    let mut bytes = text.clone().into_bytes();
    let mut comma = None;
    for (at, kind) in tokens(&text) {
        match kind {
            Token::Comment(end) => bytes[at..end].iter_mut().filter(|b| **b != b'\n').for_each(|b| *b = b' '),
            Token::Text(_) => comma = None,
            Token::Mark(b',') => comma = Some(at),
            Token::Mark(b'}' | b']') => {
                if let Some(comma) = comma.take() {
                    bytes[comma] = b' ';
                }
            }
            Token::Mark(mark) if mark.is_ascii_whitespace() => {}
            Token::Mark(_) => comma = None,
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

enum Token {
    /// A text in quotes, with its end.
    Text(usize),
    /// A comment, with its end.
    Comment(usize),
    /// Any other byte.
    Mark(u8),
}

/// The parts of JSON with comments, each with where it begins.
fn tokens(text: &str) -> Vec<(usize, Token)> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let rest = &bytes[at..];
        let (token, end) = if rest[0] == b'"' {
            let mut end = at + 1;
            while end < bytes.len() && bytes[end] != b'"' {
                end += if bytes[end] == b'\\' { 2 } else { 1 };
            }
            let end = (end + 1).min(bytes.len());
            (Token::Text(end), end)
        } else if rest.starts_with(b"//") {
            let end = rest.iter().position(|b| *b == b'\n').map_or(bytes.len(), |n| at + n);
            (Token::Comment(end), end)
        } else if rest.starts_with(b"/*") {
            let end = text[at..].find("*/").map_or(bytes.len(), |n| at + n + 2);
            (Token::Comment(end), end)
        } else {
            (Token::Mark(rest[0]), at + 1)
        };
        found.push((at, token));
        at = end;
    }
    found
}

/// The place behind the brace that opens the top, or the value of one of its keys.
fn opening(text: &str, key: Option<&str>) -> Option<usize> {
    let mut depth = 0;
    let mut last = None;
    for (at, token) in tokens(text) {
        match token {
            Token::Text(end) if depth == 1 => last = serde_json::from_str::<String>(&text[at..end]).ok(),
            Token::Mark(b'{') if depth == 0 && key.is_none() => return Some(at + 1),
            Token::Mark(b'{') if depth == 1 && key.is_some() && last.as_deref() == key => return Some(at + 1),
            Token::Mark(b'{' | b'[') => depth += 1,
            Token::Mark(b'}' | b']') => depth -= 1,
            Token::Mark(b',') if depth == 1 => last = None,
            _ => {}
        }
    }
    None
}

/// The first character behind a place that is neither white space nor a comment.
fn code_after(text: &str, place: usize) -> Option<char> {
    let found = tokens(text).into_iter().find(|(at, token)| match token {
        Token::Comment(_) => false,
        Token::Mark(mark) => *at >= place && !mark.is_ascii_whitespace(),
        Token::Text(_) => *at >= place,
    });
    found.and_then(|(at, _)| text[at..].chars().next())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn put(text: &str) -> Result<Inserted, String> {
        json(text, ["mcpServers", "seekwell"], &json!({"command": "seekwell", "args": ["mcp"]}))
    }

    fn text(inserted: Result<Inserted, String>) -> String {
        match inserted {
            Ok(Inserted::Text(text)) => text,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn what_is_there_stays_as_it_is() {
        let before = "{\n  // mine\n  \"z\": [1, 2,],\n  \"mcpServers\": {\n    \"other\": {\"command\": \"x{\"} /* } */\n  }\n}\n";
        let after = text(put(before));
        for kept in ["  // mine\n  \"z\": [1, 2,],\n", "\n    \"other\": {\"command\": \"x{\"} /* } */\n  }\n}\n"] {
            assert!(after.contains(kept), "{after}");
        }
        assert_eq!(put(&after), Ok(Inserted::Already));
        assert_eq!(put(r#"{"mcpServers":{"seekwell":{"command":"mine"}}}"#), Ok(Inserted::Other));
    }

    #[test]
    fn any_beginning() {
        let whole = "{\n  \"mcpServers\": {\n    \"seekwell\": {\n      \"args\": [\n        \"mcp\"\n      ],\n      \"command\": \"seekwell\"\n    }\n  }\n}\n";
        assert_eq!(text(put("")), whole);
        for before in [
            "{}",
            "{\n}\n",
            "{ \"a\": 1 }",
            "{\"mcpServers\": {}}",
            "{\"mcpServers\":{ },\"a\":{\"mcpServers\":{}}}",
            "{\"a\":1, // x\n}",
            "{\"a\":\"mcpServers\"}",
        ] {
            let after = text(put(before));
            assert_eq!(put(&after), Ok(Inserted::Already), "{after}");
        }
        for wrong in ["[]", "{", "{\"mcpServers\": 3}", "x"] {
            assert!(put(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn toml_is_added_to() {
        let block = "[mcp_servers.seekwell]\ncommand = \"seekwell\"\n";
        let put = |text: &str| toml(text, ["mcp_servers", "seekwell"], block);
        let before = "model = \"x\" # mine\n[mcp_servers.other]\ncommand = \"y\"";
        let after = text(put(before));
        assert!(after.starts_with(before) && after.ends_with(&format!("\n\n{block}")));
        assert_eq!(put(&after), Ok(Inserted::Already));
        assert_eq!(put("[mcp_servers.seekwell]\ncommand = \"z\"\n"), Ok(Inserted::Other));
        assert!(put("mcp_servers = {}\n").is_err());
        assert!(put("= 3").is_err());
    }
}
