//! The same over HTTP: the official clients, and requests that must be refused.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use serde_json::json;

use super::client::{binary, text_of};
use super::official::Official;
use super::tree;

/// A server at a port of its own.
struct Http {
    child: Child,
    address: String,
}

impl Http {
    fn start(root: &Path, cache: &Path, change: impl FnOnce(&mut Command)) -> Self {
        let mut command = Command::new(binary());
        command.args(["mcp", "--root"]).arg(root).args(["--http", "127.0.0.1:0"]).env("SEEKWELL_CACHE", cache);
        change(&mut command);
        let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stderr.take().unwrap()).read_line(&mut line).unwrap();
        let address = line.trim().strip_prefix("listening at http://").and_then(|rest| rest.strip_suffix("/mcp"));
        let address = address.unwrap_or_else(|| panic!("{line}")).to_owned();
        Self { child, address }
    }

    /// Sends a request with these headers, and gives status and body.
    fn post(&self, headers: &[(&str, &str)], body: &str) -> (u16, String) {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(120))).unwrap();
        let mut request = "POST /mcp HTTP/1.1\r\nConnection: close\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\n".to_owned();
        if !headers.iter().any(|(name, _)| *name == "Host") {
            request.push_str(&format!("Host: {}\r\n", self.address));
        }
        headers.iter().for_each(|(name, value)| request.push_str(&format!("{name}: {value}\r\n")));
        request.push_str(&format!("Content-Length: {}\r\n\r\n{body}", body.len()));
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = String::new();
        let _ = stream.read_to_string(&mut answer);
        let status = answer.split_whitespace().nth(1).and_then(|word| word.parse().ok());
        (status.unwrap_or_else(|| panic!("{answer}")), answer)
    }
}

impl Drop for Http {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn greeting() -> String {
    let params =
        json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}});
    json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params}).to_string()
}

#[test]
fn the_official_clients_over_http() {
    let (tree, cache) = (tree::write(), tempfile::tempdir().unwrap());
    let server = Http::start(tree.path(), cache.path(), |_| {});
    for client in [Official::Python, Official::TypeScript] {
        for mode in ["legacy", "modern"] {
            let plan = json!({
                "url": format!("http://{}/mcp", server.address),
                "mode": mode,
                "calls": [
                    {"tool": "find_definition", "arguments": {"name": "tax_rate"}},
                    {"tool": "search_code", "arguments": {"query": "is the password right"}},
                ],
            });
            let Some(told) = client.run(&plan) else { continue };
            let answers = told["answers"].as_array().unwrap();
            assert_eq!(
                answers[0]["structuredContent"]["symbols"][0]["path"], "billing/invoice.py",
                "{client:?} {mode}: {told}"
            );
            assert!(text_of(&answers[1]).contains("checkPassword"), "{client:?} {mode}");
        }
    }
}

#[test]
fn who_must_not_ask_is_refused() {
    let (tree, cache) = (tree::write(), tempfile::tempdir().unwrap());
    let server = Http::start(tree.path(), cache.path(), |_| {});
    let status = |headers: &[(&str, &str)]| server.post(headers, &greeting()).0;
    assert_eq!(status(&[]), 200);
    let own = format!("http://{}", server.address);
    assert_eq!(status(&[("Origin", &own)]), 200);
    // A page elsewhere, and a name elsewhere that leads here.
    assert_eq!(status(&[("Origin", "https://evil.example")]), 403);
    assert_eq!(status(&[("Origin", "null")]), 403);
    assert_eq!(status(&[("Host", "evil.example")]), 403);
    let (status, _) = server.post(&[], "not json");
    assert!((400..500).contains(&status), "{status}");
}

#[test]
fn a_token_where_there_is_one() {
    let (tree, cache) = (tree::write(), tempfile::tempdir().unwrap());
    let server = Http::start(tree.path(), cache.path(), |command| {
        command.env("SEEKWELL_MCP_TOKEN", "s3cret");
    });
    let status = |headers: &[(&str, &str)]| server.post(headers, &greeting()).0;
    assert_eq!(status(&[]), 401);
    assert_eq!(status(&[("Authorization", "Bearer wrong")]), 401);
    assert_eq!(status(&[("Authorization", "s3cret")]), 401);
    assert_eq!(status(&[("Authorization", "Bearer s3cret")]), 200);
}

#[test]
fn off_the_machine_only_with_a_token() {
    let (tree, cache) = (tree::write(), tempfile::tempdir().unwrap());
    let mut command = Command::new(binary());
    command.args(["mcp", "--root"]).arg(tree.path()).args(["--http", "0.0.0.0:0"]);
    let output = command.env("SEEKWELL_CACHE", cache.path()).env_remove("SEEKWELL_MCP_TOKEN").output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("SEEKWELL_MCP_TOKEN") && output.stdout.is_empty(), "{said}");
}

#[test]
fn many_clients_at_once() {
    let (tree, cache) = (tree::write(), tempfile::tempdir().unwrap());
    let server = Http::start(tree.path(), cache.path(), |_| {});
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "t", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let call = |id: u32| {
        json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": {"name": "find_definition", "arguments": {"name": "tax_rate"}, "_meta": meta}}).to_string()
    };
    std::thread::scope(|scope| {
        for id in 0..8 {
            let (server, body) = (&server, call(id));
            scope.spawn(move || {
                let headers = [
                    ("MCP-Protocol-Version", "2026-07-28"),
                    ("Mcp-Method", "tools/call"),
                    ("Mcp-Name", "find_definition"),
                ];
                let (status, answer) = server.post(&headers, &body);
                assert_eq!(status, 200, "{answer}");
                assert!(answer.contains("billing/invoice.py"), "{answer}");
            });
        }
    });
}
