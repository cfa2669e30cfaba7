//! What the server says of itself before anybody has asked anything: short, at once, and in a form that the strictest clients
//! take.

use std::process::Stdio;

use serde_json::{Value, json};

use super::client::{Era, Server, command};

/// What strict clients refuse in a schema.
fn faults(at: &str, schema: &Value, found: &mut Vec<String>) {
    let Some(object) = schema.as_object() else {
        found.push(format!("{at}: not an object"));
        return;
    };
    for word in
        ["$schema", "$ref", "$defs", "definitions", "anyOf", "oneOf", "allOf", "not", "nullable", "const", "format"]
    {
        if object.contains_key(word) {
            found.push(format!("{at}: {word}"));
        }
    }
    match object.get("type") {
        Some(Value::String(word)) if word == "object" => match object.get("properties").and_then(Value::as_object) {
            Some(properties) if !properties.is_empty() => {
                properties.iter().for_each(|(name, schema)| faults(&format!("{at}.{name}"), schema, found));
            }
            _ => found.push(format!("{at}: empty properties")),
        },
        Some(Value::String(word)) if word == "array" => match object.get("items") {
            Some(items) => faults(&format!("{at}[]"), items, found),
            None => found.push(format!("{at}: an array of anything")),
        },
        Some(Value::String(_)) => {}
        other => found.push(format!("{at}: type {other:?}")),
    }
    if object.values().any(Value::is_null) {
        found.push(format!("{at}: null"));
    }
}

#[test]
fn the_list_of_tools_is_strict_and_short_in_both_eras() {
    let folder = tempfile::tempdir().unwrap();
    for era in [Era::Legacy, Era::Modern] {
        let mut command = command(folder.path());
        command.arg("--root").arg(folder.path());
        let mut server = Server::silent(&mut command, era);
        let greeting = server.greet();
        let name = match era {
            Era::Legacy => &greeting["serverInfo"],
            Era::Modern => &greeting["_meta"]["io.modelcontextprotocol/serverInfo"],
        };
        assert_eq!(name["name"], "seekwell", "{greeting}");
        assert_eq!(name["version"], env!("CARGO_PKG_VERSION"));
        let instructions = greeting["instructions"].as_str().unwrap();
        assert!(instructions.chars().count() < 2_000);
        assert!(instructions.find("USE IT WHEN").unwrap() < 200 && instructions.contains("DO NOT USE IT WHEN"));
        let list = server.ask("tools/list", json!({}));
        assert!(list.to_string().len() <= 8_192, "{}", list.to_string().len());
        assert!(list["ttlMs"].as_u64().unwrap() > 0, "{}", list["ttlMs"]);
        let tools = list["tools"].as_array().unwrap();
        assert!(!tools.is_empty() && tools.len() <= 12);
        let mut found = Vec::new();
        for tool in tools {
            let name = tool["name"].as_str().unwrap();
            faults(name, &tool["inputSchema"], &mut found);
            faults(&format!("{name} (output)"), &tool["outputSchema"], &mut found);
            assert_eq!(tool["inputSchema"]["additionalProperties"], false, "{name}");
            let reads =
                json!({"readOnlyHint": true, "destructiveHint": false, "idempotentHint": true, "openWorldHint": false});
            assert_eq!(tool["annotations"], reads, "{name}");
        }
        assert!(found.is_empty(), "{found:#?}");
        assert_eq!(server.ask("resources/list", json!({}))["resources"], json!([]));
        assert_eq!(
            server.ask("resources/templates/list", json!({}))["resourceTemplates"].as_array().map(Vec::len),
            Some(1)
        );
    }
}

#[test]
fn nothing_of_the_tree_is_touched_before_a_tool_is_called() {
    let tree = tempfile::tempdir().unwrap();
    // Whoever opened this would wait for a writer for ever.
    let fifo = tree.path().join(".seekwell.toml");
    nix_fifo(&fifo);
    let cache = tempfile::tempdir().unwrap();
    let mut command = command(cache.path());
    command.arg("--root").arg(tree.path());
    let mut server = Server::start(command, Era::Legacy);
    assert_eq!(server.ask("tools/list", json!({}))["tools"].as_array().map(Vec::len), Some(12));
    // The engine may have been laid out by now, but nothing is kept of any tree.
    assert!(!cache.path().join("store-1").exists(), "something was kept");
    let answer = server.call("search_code", json!({"query": "x"}));
    assert!(super::client::text_of(&answer).contains("not a regular file"), "{answer}");
}

fn nix_fifo(path: &std::path::Path) {
    let status = std::process::Command::new("mkfifo").arg(path).stdin(Stdio::null()).status().expect("mkfifo");
    assert!(status.success());
}

#[test]
fn either_era_may_open_and_both_live_on_one_connection() {
    let folder = tempfile::tempdir().unwrap();
    let mut command = command(folder.path());
    command.arg("--root").arg(folder.path());
    let mut server = Server::silent(&mut command, Era::Modern);
    // Discovery first, then a session all the same.
    server.greet();
    let params =
        json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}});
    server.send(&json!({"jsonrpc": "2.0", "id": "a", "method": "initialize", "params": params}));
    let answer = loop {
        let message = server.next();
        if message["id"] == "a" {
            break message;
        }
    };
    assert_eq!(answer["result"]["protocolVersion"], "2025-11-25");
    server.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
    assert_eq!(server.ask("tools/list", json!({}))["tools"].as_array().map(Vec::len), Some(12));
    // A version that nobody knows is answered with one that both may know.
    let mut old = super::client::command(folder.path());
    old.arg("--root").arg(folder.path());
    let mut server = Server::silent(&mut old, Era::Legacy);
    let params =
        json!({"protocolVersion": "1999-01-01", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}});
    let answer = server.ask("initialize", params);
    assert!(answer["protocolVersion"].as_str().unwrap().starts_with("20"), "{answer}");
}
