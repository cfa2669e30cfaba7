//! Which folders are served: and that nothing outside of them is.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use super::client::{Era, Server, command, text_of};
use super::tree;

fn status(server: &mut Server) -> Value {
    server.call("get_index_status", json!({}))
}

#[test]
fn what_is_named_then_the_environment_then_the_project() {
    let (tree, other, cache) = (tree::write(), tree::write(), tempfile::tempdir().unwrap());
    let full = |path: &Path| path.canonicalize().unwrap().to_string_lossy().into_owned();
    let root = |change: &dyn Fn(&mut std::process::Command)| {
        let mut command = command(cache.path());
        command.current_dir(tree.path().join("src"));
        change(&mut command);
        status(&mut Server::start(command, Era::Legacy))["structuredContent"]["root"].clone()
    };
    assert_eq!(root(&|_| {}), full(tree.path()), "the folder with .git above");
    assert_eq!(
        root(&|c| {
            c.env("SEEKWELL_ROOT", other.path());
        }),
        full(other.path())
    );
    assert_eq!(
        root(&|c| {
            c.env("CLAUDE_PROJECT_DIR", other.path());
        }),
        full(other.path())
    );
    let named = root(&|c| {
        c.env("SEEKWELL_ROOT", other.path()).arg("--root").arg(tree.path().join("server"));
    });
    assert_eq!(named, full(&tree.path().join("server")));
}

#[test]
fn where_there_is_no_project_the_answer_says_what_to_do() {
    let (home, cache) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let refused = |change: &dyn Fn(&mut std::process::Command), part: &str| {
        let mut command = command(cache.path());
        command.current_dir(home.path()).env("HOME", home.path());
        change(&mut command);
        let mut server = Server::start(command, Era::Legacy);
        assert_eq!(server.ask("tools/list", json!({}))["tools"].as_array().map(Vec::len), Some(12));
        let answer = status(&mut server);
        assert_eq!(answer["isError"], true, "{answer}");
        assert!(text_of(&answer).contains(part), "{answer}");
        let ended = server.end();
        assert!(ended.stderr.contains(part), "{}", ended.stderr);
    };
    refused(&|_| {}, "not a project");
    refused(
        &|c| {
            c.args(["--root", "/"]);
        },
        "the whole machine",
    );
    refused(
        &|c| {
            c.arg("--root").arg(home.path());
        },
        "the home folder",
    );
    refused(
        &|c| {
            c.args(["--root", "/no/such/folder"]);
        },
        "name a folder that is there",
    );
    refused(
        &|c| {
            c.current_dir("/");
        },
        "not a project",
    );
}

#[test]
fn several_roots_are_told_apart() {
    let (tree, other, cache) = (tree::write(), tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    fs::write(other.path().join("only_here.py"), "def only_in_the_other():\n    return 'with_retry'\n").unwrap();
    let mut command = command(cache.path());
    command.arg("--root").arg(tree.path()).arg("--root").arg(other.path());
    let mut server = Server::start(command, Era::Modern);
    let (first, second) = (tree.path().canonicalize().unwrap(), other.path().canonicalize().unwrap());
    let answer = server.call("find_definition", json!({"name": "with_retry"}));
    assert_eq!(answer["structuredContent"]["root"], first.to_string_lossy().as_ref());
    assert!(text_of(&answer).contains(&format!("also open: {}", second.display())), "{answer}");
    // What the first does not have is looked for in the next.
    let answer = server.call("find_definition", json!({"name": "only_in_the_other"}));
    assert_eq!(answer["structuredContent"]["root"], second.to_string_lossy().as_ref());
    for named in [second.to_string_lossy().into_owned(), second.file_name().unwrap().to_string_lossy().into_owned()] {
        let answer = server.call("scan_text", json!({"pattern": "with_retry", "root": named}));
        assert_eq!(answer["structuredContent"]["hits"][0]["path"], "only_here.py", "{answer}");
    }
    let answer = status(&mut server);
    assert_eq!(answer["structuredContent"]["roots"].as_array().map(Vec::len), Some(2));
}

#[test]
fn nothing_outside_is_read() {
    let (tree, outside, cache) = (tree::write(), tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    fs::write(outside.path().join("secret.txt"), "the secret word is xyzzy\n").unwrap();
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(outside.path(), tree.path().join("link")).unwrap();
        std::os::unix::fs::symlink(outside.path().join("secret.txt"), tree.path().join("secret_link.txt")).unwrap();
    }
    let mut command = command(cache.path());
    command.arg("--root").arg(tree.path());
    let mut server = Server::start(command, Era::Legacy);
    let secret = outside.path().join("secret.txt");
    let secret = secret.to_string_lossy();
    for (tool, arguments) in [
        ("scan_text", json!({"pattern": "xyzzy"})),
        ("search_code", json!({"query": "the secret word", "path": outside.path()})),
        ("read_symbol", json!({"path": "link/secret.txt"})),
        ("read_symbol", json!({"path": "secret_link.txt"})),
        ("read_symbol", json!({"path": secret})),
        ("read_symbol", json!({"path": format!("src/../../../{secret}")})),
        ("find_similar_code", json!({"path": "secret_link.txt"})),
        ("outline_file", json!({"path": "link/secret.txt"})),
        ("search_code", json!({"query": "xyzzy", "root": outside.path()})),
    ] {
        let answer = server.call(tool, arguments.clone());
        let told = answer.to_string().replace("\"query\":\"xyzzy\"", "").replace("not in this tree: xyzzy", "");
        assert!(!told.contains("secret word is"), "{tool} {arguments}: {told}");
    }
    let root = tree.path().canonicalize().unwrap();
    for uri in [
        format!("file://{secret}"),
        format!("file://{}/secret_link.txt", root.display()),
        format!("file://{}/link/secret.txt", root.display()),
        format!("file://{}/..{secret}", root.display()),
        format!("file://{}/%2e%2e{secret}", root.display()),
        "file:///etc/passwd".to_owned(),
    ] {
        let id = server.request("resources/read", json!({"uri": uri}));
        let answer = server.answer_to(id);
        assert!(answer["error"]["code"].is_i64(), "{uri}: {answer}");
    }
}
