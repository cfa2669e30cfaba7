//! Arguments that are not as they should be: told to the model, with the right ones, and never taken for others.

use serde_json::{Value, json};

use super::client::{Era, Server, command, text_of};
use super::tree;

fn server(cache: &std::path::Path, root: &std::path::Path) -> Server {
    let mut command = command(cache);
    command.arg("--root").arg(root);
    Server::start(command, Era::Legacy)
}

#[test]
fn each_error_says_what_to_write() {
    let (tree, cache) = (tree::write(), tempfile::tempdir().unwrap());
    let mut server = server(cache.path(), tree.path());
    let mut refused = |tool: &str, arguments: Value, parts: &[&str]| {
        let answer = server.call(tool, arguments.clone());
        let text = text_of(&answer);
        assert_eq!(answer["isError"], true, "{tool} {arguments}: {text}");
        for part in parts {
            assert!(text.contains(part), "{tool} {arguments}: no {part:?} in {text:?}");
        }
        assert!(!text.contains("index_code") && !text.contains("rebuild") && !text.contains("reindex"), "{text}");
    };
    refused("search_code", json!({}), &["needs the argument `query`"]);
    refused("search_code", json!({"query": "  "}), &["`query` is empty"]);
    refused("search_code", json!({"query": "x".repeat(100_000)}), &["`query` is 100000 bytes long", "65536"]);
    refused(
        "search_code",
        json!({"query": "x", "top_k": 5}),
        &["no argument `top_k`", "did you mean `limit`?", "It takes: query, path"],
    );
    refused("search_code", json!({"query": "x", "limit": "many"}), &["`limit` is \"many\"", "whole number"]);
    refused("search_code", json!({"query": "x", "limit": 0}), &["`limit` is 0", "from 1 to 100"]);
    refused("search_code", json!({"query": "x", "budget": 100}), &["`budget` is 100", "512", "6000"]);
    refused(
        "search_code",
        json!({"query": "x", "language": "pyhton"}),
        &["unknown language: pyhton", "did you mean python"],
    );
    refused("search_code", json!({"query": "x", "kind": "metod"}), &["unknown kind: metod", "method"]);
    refused("search_code", json!({"query": "x", "content": "pictures"}), &["one of all, code, docs, config"]);
    refused("search_code", json!({"query": "x", "glob": "a{b"}), &["not a glob", "a{b"]);
    refused("search_code", json!({"query": "x", "path": "../.."}), &["not below"]);
    refused("search_code", json!({"query": "x", "root": "/etc"}), &["`root` /etc is not open", "open are:"]);
    refused("scan_text", json!({"pattern": "a(", "regex": true}), &["not a regular expression", "leave out `regex`"]);
    refused("read_symbol", json!({}), &["needs `name`, or `path`"]);
    refused("read_symbol", json!({"path": "no/such.rs", "line": 3}), &["no such file: no/such.rs"]);
    refused("find_similar_code", json!({}), &["needs `code`, or `path`"]);
    refused("find_affected_tests", json!({}), &["nothing to start from"]);
    refused("find_affected_tests", json!({"files": ["/etc/passwd"]}), &["not below"]);
    refused("trace_calls", json!({"name": "x", "direction": "up"}), &["one of callers, callees"]);
    refused("outline_file", json!({"path": ""}), &["`path` is empty"]);
}

#[test]
fn what_is_meant_beyond_doubt_is_taken() {
    let (tree, cache) = (tree::write(), tempfile::tempdir().unwrap());
    let mut server = server(cache.path(), tree.path());
    let answer = server.call("search_code", json!({"query": "login", "limit": "2", "path": null, "cursor": ""}));
    assert_eq!(answer["isError"], false, "{answer}");
    assert_eq!(answer["structuredContent"]["hits"].as_array().map(Vec::len), Some(2));
    let absolute = tree.path().canonicalize().unwrap().join("server/login.go");
    let answer = server.call("outline_file", json!({"path": absolute}));
    assert!(text_of(&answer).contains("HandleLogin"), "{answer}");
}

#[test]
fn unknown_tools_and_methods_are_errors_of_the_protocol() {
    let (tree, cache) = (tree::write(), tempfile::tempdir().unwrap());
    let mut server = server(cache.path(), tree.path());
    let id = server.request("tools/call", json!({"name": "search_cod", "arguments": {}}));
    let error = server.answer_to(id)["error"].clone();
    assert_eq!(error["code"], -32602, "{error}");
    assert!(error["message"].as_str().unwrap().contains("did you mean search_code?"), "{error}");
    let id = server.request("no/such", json!({}));
    assert_eq!(server.answer_to(id)["error"]["code"], -32601);
    let id = server.request("tools/call", json!({"name": 3}));
    assert_eq!(server.answer_to(id)["error"]["code"], -32602);
}
