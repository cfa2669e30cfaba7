//! Whatever goes wrong, every line on stdout is the protocol, and the next question is answered. The client of these tests
//! checks each line that it reads.

use std::fs;
use std::path::Path;

use serde_json::json;

use super::client::{Era, Server, command, text_of};
use super::tree;

fn server(root: &Path, cache: &Path) -> Server {
    let mut command = command(cache);
    command.arg("--root").arg(root);
    Server::start(command, Era::Legacy)
}

#[test]
fn lines_that_are_no_messages() {
    let (tree, cache) = (tree::write(), tempfile::tempdir().unwrap());
    let mut command = command(cache.path());
    command.arg("--root").arg(tree.path());
    let mut server = Server::silent(&mut command, Era::Legacy);
    // Also before the greeting.
    for line in [
        "",
        "not json",
        "{",
        "[]",
        "42",
        "null",
        "\"text\"",
        "{\"method\": \"x\"}",
        "\u{feff}",
        "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\"}",
        "{\"jsonrpc\":\"2.0\",\"id\":9,\"result\":{}}",
    ] {
        server.send_bytes(line.as_bytes());
    }
    server.send_bytes(b"\xff\xfe\x00garbage\x80");
    server.send_bytes(b"Content-Length: 52\r");
    server.greet();
    for line in [
        "{}",
        "{\"jsonrpc\":\"2.0\"}",
        "[{\"jsonrpc\":\"2.0\"}]",
        "{\"jsonrpc\":\"2.0\",\"id\":null,\"method\":\"ping\"}",
        "{\"jsonrpc\":\"2.0\",\"id\":1.5,\"method\":\"tools/list\"}",
        "{\"id\":77,\"method\":\"tools/list\"}",
        "\u{feff}{\"jsonrpc\":\"2.0\",\"id\":78,\"method\":\"ping\"}",
    ] {
        server.send_bytes(line.as_bytes());
    }
    // A request whose parameters are not as they should be is answered by its id, so that nobody waits for ever.
    server.send(&json!({"jsonrpc": "2.0", "id": 79, "method": "tools/call", "params": "x"}));
    assert_eq!(server.answer_to(79)["error"]["code"], -32602);
    // Text with line separators that JSON does not know as line ends.
    let answer = server.call("search_code", json!({"query": "cart\u{2028}total\u{2029}\u{0}x"}));
    assert_eq!(answer["isError"], false, "{answer}");
    assert!(server.end().status.success());
}

#[test]
fn a_line_of_ten_megabytes_and_one_of_twenty() {
    let (tree, cache) = (tree::write(), tempfile::tempdir().unwrap());
    let mut server = server(tree.path(), cache.path());
    for (tool, argument) in [("scan_text", "pattern"), ("search_code", "query"), ("find_definition", "name")] {
        let answer = server.call(tool, json!({argument: "x y".repeat((10 << 20) / 3)}));
        assert_eq!(answer["isError"], true);
        assert!(text_of(&answer).contains("bytes long") && answer.to_string().len() < 1_000, "{answer}");
    }
    // What is long, but not too long, is taken.
    for text in ["word ".repeat(13_000), "(".repeat(60_000), "x".repeat(60_000), "é\u{301}".repeat(15_000)] {
        for (tool, argument) in [
            ("scan_text", "pattern"),
            ("search_code", "query"),
            ("find_similar_code", "code"),
            ("find_references", "name"),
        ] {
            let answer = server.call(tool, json!({argument: text}));
            assert!(answer["isError"] == false, "{tool}: {answer}");
            assert!(answer.to_string().len() < 60_000, "{tool}");
        }
    }
    server.send_bytes(&vec![b'y'; 20 << 20]);
    let dropped = server.next();
    assert_eq!(dropped["error"]["code"], -32600, "{dropped}");
    let answer = server.call("find_definition", json!({"name": "placeOrder"}));
    assert_eq!(answer["structuredContent"]["total"], 1);
}

#[test]
fn a_folder_that_goes_while_it_is_served() {
    let (tree, cache) = (tree::write(), tempfile::tempdir().unwrap());
    let root = tree.path().canonicalize().unwrap();
    let mut server = server(&root, cache.path());
    server.call("search_code", json!({"query": "cart"}));
    fs::remove_dir_all(&root).unwrap();
    let answer = server.call("search_code", json!({"query": "cart"}));
    let nothing = answer["isError"] == true
        || answer["structuredContent"]["not_found"] == true
        || answer["structuredContent"]["hits"] == json!([]);
    assert!(nothing, "{answer}");
    fs::create_dir(&root).unwrap();
    fs::write(root.join("back.rs"), "pub fn back_again() {}\n").unwrap();
    let answer = server.call("find_definition", json!({"name": "back_again"}));
    assert_eq!(answer["structuredContent"]["total"], 1, "{answer}");
}

#[test]
fn a_damaged_store() {
    let cache = tempfile::tempdir().unwrap();
    let tree = tempfile::tempdir().unwrap();
    for number in 0..200 {
        fs::write(tree.path().join(format!("f{number}.py")), format!("def handler_{number}():\n    return {number}\n"))
            .unwrap();
    }
    let mut first = server(tree.path(), cache.path());
    first.call("search_code", json!({"query": "handler"}));
    first.call("get_index_status", json!({}));
    assert!(first.end().status.success());
    damage(cache.path());
    let mut second = server(tree.path(), cache.path());
    for name in ["handler_7", "handler_199"] {
        let answer = second.call("find_definition", json!({"name": name}));
        assert_eq!(answer["structuredContent"]["total"], 1, "{answer}");
    }
    assert!(second.end().status.success());
}

/// Writes rubbish over everything that is kept, but for the compiled component, which is trusted.
fn damage(folder: &Path) {
    for entry in fs::read_dir(folder).unwrap().flatten() {
        let path = entry.path();
        if path.ends_with("component") {
            continue;
        }
        if path.is_dir() {
            damage(&path);
        } else {
            let length = fs::metadata(&path).unwrap().len() as usize;
            let _ = fs::write(&path, vec![0xA5; length / 2]);
        }
    }
}

#[test]
fn a_cache_that_cannot_be_written_to() {
    let tree = tree::write();
    let place = tempfile::tempdir().unwrap();
    // A file where the folder should be: nobody can write below it, not even root.
    let file = place.path().join("cache");
    fs::write(&file, "").unwrap();
    let mut server = server(tree.path(), &file);
    let answer = server.call("find_definition", json!({"name": "checkPassword"}));
    assert_eq!(answer["structuredContent"]["total"], 1, "{answer}");
    assert!(server.end().status.success());
}

#[test]
fn settings_that_cannot_be_read_are_named() {
    let (tree, cache) = (tree::write(), tempfile::tempdir().unwrap());
    let mut server = server(tree.path(), cache.path());
    let settings = tree.path().join(".seekwell.toml");
    fs::write(&settings, "[search]\nlimt = 3\n").unwrap();
    let answer = server.call("search_code", json!({"query": "cart"}));
    assert_eq!(answer["isError"], true);
    let text = text_of(&answer);
    assert!(text.contains(".seekwell.toml:2") && text.contains("limt"), "{text}");
    // Settings that are mended count at once.
    fs::write(&settings, "[ignore]\npatterns = [\"web/\"]\n").unwrap();
    let answer = server.call("find_definition", json!({"name": "placeOrder"}));
    assert_eq!(answer["structuredContent"]["not_found"], true, "{answer}");
    fs::remove_file(&settings).unwrap();
    let answer = server.call("find_definition", json!({"name": "placeOrder"}));
    assert_eq!(answer["structuredContent"]["total"], 1, "{answer}");
}

#[test]
fn many_at_once_are_all_answered() {
    let (tree, cache) = (tree::write(), tempfile::tempdir().unwrap());
    let mut server = server(tree.path(), cache.path());
    let mut waiting: Vec<u64> = (0..40)
        .map(|number| {
            let (tool, arguments) = match number % 4 {
                0 => ("search_code", json!({"query": "cart total"})),
                1 => ("find_definition", json!({"name": "tax_rate"})),
                2 => ("scan_text", json!({"pattern": "password"})),
                _ => ("nothing", json!({})),
            };
            server.request("tools/call", json!({"name": tool, "arguments": arguments}))
        })
        .collect();
    while !waiting.is_empty() {
        let message = server.next();
        let at = waiting.iter().position(|id| message["id"] == *id).unwrap_or_else(|| panic!("{message}"));
        waiting.remove(at);
    }
}
