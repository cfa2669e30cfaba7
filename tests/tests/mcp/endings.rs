//! How work ends before it is done: the client cancels, or is gone.

use std::fs;
use std::path::Path;
use std::time::Duration;

use serde_json::{Value, json};
use tempfile::TempDir;

use super::client::{Era, Server, command};

/// A tree that takes a while to read.
fn large() -> TempDir {
    let tree = tempfile::tempdir().unwrap();
    for folder in 0..40 {
        let path = tree.path().join(format!("d{folder}"));
        fs::create_dir(&path).unwrap();
        for file in 0..50 {
            let text: String = (0..60)
                .map(|n| format!("/// Handles case {n} of {file}.\npub fn case_{folder}_{file}_{n}(x: u32) -> u32 {{\n    x + {n}\n}}\n\n"))
                .collect();
            fs::write(path.join(format!("f{file}.rs")), text).unwrap();
        }
    }
    tree
}

fn server(root: &Path, cache: &Path) -> Server {
    let mut command = command(cache);
    command.arg("--root").arg(root);
    Server::start(command, Era::Legacy)
}

/// A call that is at work: progress has been told of it.
fn at_work(server: &mut Server) -> u64 {
    let arguments = json!({"name": "case_1_1_1"});
    let id = server.request(
        "tools/call",
        json!({"name": "find_definition", "arguments": arguments, "_meta": {"progressToken": "p"}}),
    );
    loop {
        let message = server.next();
        assert_ne!(message["id"], id, "it was done before it could be ended: {message}");
        if message["method"] == "notifications/progress" {
            assert_eq!(message["params"]["progressToken"], "p");
            return id;
        }
    }
}

#[test]
fn the_end_of_the_input_is_the_end_of_the_work() {
    let (tree, cache) = (large(), tempfile::tempdir().unwrap());
    let mut server = server(tree.path(), cache.path());
    at_work(&mut server);
    let process = server.id();
    let ended = server.end();
    assert!(ended.status.success(), "{:?}", ended.status);
    // A second is what is promised; the rest is for a machine that is busy.
    assert!(ended.after < Duration::from_secs(5), "{:?}", ended.after);
    eprintln!("ended {:?} after the input", ended.after);
    assert_eq!(children_of(process), 0);
    // No lock is left: the next server on this tree and this cache answers.
    let mut next = self::server(tree.path(), cache.path());
    let answer = next.call("find_definition", json!({"name": "case_1_1_1"}));
    assert_eq!(answer["structuredContent"]["total"], 1, "{answer}");
}

/// Processes whose parent this is, where that can be told.
fn children_of(process: u32) -> usize {
    let Ok(entries) = fs::read_dir("/proc") else { return 0 };
    let parent =
        |stat: String| stat.rsplit_once(')').and_then(|(_, rest)| rest.split_whitespace().nth(1)?.parse::<u32>().ok());
    let stats = entries.flatten().filter_map(|entry| fs::read_to_string(entry.path().join("stat")).ok());
    stats.filter_map(parent).filter(|parent| *parent == process).count()
}

#[test]
fn progress_grows() {
    let (tree, cache) = (large(), tempfile::tempdir().unwrap());
    let mut server = server(tree.path(), cache.path());
    let arguments = json!({"name": "case_1_1_1"});
    let id = server.request(
        "tools/call",
        json!({"name": "find_definition", "arguments": arguments, "_meta": {"progressToken": 7}}),
    );
    let answer = server.answer_to(id);
    assert!(answer["error"].is_null(), "{answer}");
    let told: Vec<(f64, Option<f64>)> = server
        .told
        .iter()
        .filter(|message| message["method"] == "notifications/progress")
        .map(|message| (message["params"]["progress"].as_f64().unwrap(), message["params"]["total"].as_f64()))
        .collect();
    assert!(!told.is_empty());
    assert!(told.windows(2).all(|pair| pair[0].0 < pair[1].0), "{told:?}");
    assert!(told.iter().all(|(done, total)| total.is_none_or(|total| *done <= total)), "{told:?}");
}

#[test]
fn a_cancelled_call_is_not_answered_and_stops() {
    let (tree, cache) = (large(), tempfile::tempdir().unwrap());
    let mut server = server(tree.path(), cache.path());
    let id = at_work(&mut server);
    server.send(&json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": id, "reason": "enough"}}));
    // Others are answered meanwhile, and it is not.
    let pinged = server.request("ping", json!({}));
    let answered = loop {
        let message = server.next();
        assert_ne!(message["id"], id, "{message}");
        if message["id"] == pinged {
            break message;
        }
    };
    assert!(answered["error"].is_null());
    // The work of a call that nobody waits for comes to its end.
    let quiet = |process: u32| {
        let before = cpu_time(process);
        std::thread::sleep(Duration::from_millis(500));
        cpu_time(process).zip(before).is_none_or(|(after, before)| after - before < 10)
    };
    let rests = (0..60).any(|_| quiet(server.id()));
    assert!(rests, "it goes on for nobody");
    let ended = server.end();
    assert!(ended.rest.iter().all(|message: &Value| message["id"] != id), "{:?}", ended.rest);
}

/// Time that a process has computed for, in hundredths of a second.
fn cpu_time(process: u32) -> Option<u64> {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
    Some(fields.get(11)?.parse::<u64>().ok()? + fields.get(12)?.parse::<u64>().ok()?)
}

#[test]
fn what_was_asked_just_before_the_end_is_answered() {
    let (tree, cache) = (super::tree::write(), tempfile::tempdir().unwrap());
    let mut server = server(tree.path(), cache.path());
    server.call("get_index_status", json!({}));
    let id = server.request("tools/list", json!({}));
    let ended = server.end();
    assert!(ended.rest.iter().any(|message| message["id"] == id && message["result"]["tools"].is_array()));
}

#[test]
fn a_client_that_never_says_anything_is_waited_for_until_it_goes() {
    let (tree, cache) = (super::tree::write(), tempfile::tempdir().unwrap());
    let mut command = command(cache.path());
    command.arg("--root").arg(tree.path());
    let server = Server::silent(&mut command, Era::Legacy);
    let ended = server.end();
    assert!(ended.status.success() && ended.rest.is_empty());
}
