//! The language server: byte by byte where a client would have to misbehave, and with a real client for all that it offers.
//!
//! `SEEKWELL_BINARY` names the binary. The real client is pytest-lsp from the Python registry, in a virtual environment below
//! the target folder that the first run makes; a machine without `python3` or without the registry fails, and says so.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use serde_json::{Value, json};

/// Nothing takes this long, unless it hangs.
const HANGS: Duration = Duration::from_secs(120);

/// A server, and what it writes.
struct Server {
    child: Child,
    stdin: Option<ChildStdin>,
    messages: Receiver<Result<Value, String>>,
    _cache: tempfile::TempDir,
}

impl Server {
    fn start(arguments: &[&str]) -> Self {
        let cache = tempfile::tempdir().expect("a folder");
        let mut child = Command::new(std::env::var_os("SEEKWELL_BINARY").expect("SEEKWELL_BINARY names the binary"))
            .arg("lsp")
            .args(arguments)
            .env("XDG_CACHE_HOME", cache.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("it starts");
        let stdin = child.stdin.take();
        let mut output = BufReader::new(child.stdout.take().expect("piped"));
        let (sender, messages) = channel();
        std::thread::spawn(move || {
            while let Some(message) = frame(&mut output) {
                let wrong = message.is_err();
                if sender.send(message).is_err() || wrong {
                    return;
                }
            }
        });
        Self { child, stdin, messages, _cache: cache }
    }

    /// A server for a folder, initialized.
    fn on(root: &Path) -> Self {
        let mut server = Self::start(&[]);
        let uri = format!("file://{}", root.display());
        server.ask(1, "initialize", json!({"capabilities": {}, "workspaceFolders": [{"uri": uri, "name": "x"}]}));
        assert!(server.answer(1).get("result").is_some());
        server.tell("initialized", json!({}));
        server
    }

    fn raw(&mut self, bytes: &[u8]) {
        self.stdin.as_mut().expect("open").write_all(bytes).expect("it reads");
    }

    fn send(&mut self, message: &Value) {
        let body = message.to_string();
        self.raw(format!("Content-Length: {}\r\n\r\n{body}", body.len()).as_bytes());
    }

    fn ask(&mut self, id: i32, method: &str, params: Value) {
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
    }

    fn tell(&mut self, method: &str, params: Value) {
        self.send(&json!({"jsonrpc": "2.0", "method": method, "params": params}));
    }

    /// The next message; whatever is no message of the protocol fails the test.
    fn next(&self) -> Value {
        self.messages.recv_timeout(HANGS).expect("it answers").expect("each byte is the protocol's")
    }

    /// The next answer to a request.
    fn answer(&self, id: impl Into<Value>) -> Value {
        let id = id.into();
        loop {
            let message = self.next();
            if message.get("method").is_none() && message["id"] == id {
                return message;
            }
        }
    }

    fn code(&self, id: impl Into<Value>) -> i64 {
        let answer = self.answer(id);
        answer["error"]["code"].as_i64().unwrap_or_else(|| panic!("an error: {answer}"))
    }

    /// Closes its input; its exit code, and what it said on stderr.
    fn end(mut self) -> (Option<i32>, String) {
        self.stdin = None;
        let begun = std::time::Instant::now();
        let code = loop {
            if let Some(status) = self.child.try_wait().expect("it is ours") {
                break status.code();
            }
            assert!(begun.elapsed() < HANGS, "it goes on without a client");
            std::thread::sleep(Duration::from_millis(5));
        };
        for message in self.messages.iter() {
            message.expect("each byte is the protocol's");
        }
        let mut said = String::new();
        self.child.stderr.take().expect("piped").read_to_string(&mut said).expect("text");
        (code, said)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The next message of a stream, by the letter; none at its end.
fn frame(output: &mut impl BufRead) -> Option<Result<Value, String>> {
    let mut header = String::new();
    if output.read_line(&mut header).ok()? == 0 {
        return None;
    }
    let Some(length) = header.strip_prefix("Content-Length: ").and_then(|rest| rest.trim_end().parse().ok()) else {
        return Some(Err(header));
    };
    let mut blank = String::new();
    output.read_line(&mut blank).ok()?;
    let mut body = vec![0; length];
    if blank != "\r\n" || output.read_exact(&mut body).is_err() {
        return Some(Err(blank));
    }
    let message: Result<Value, String> = serde_json::from_slice(&body).map_err(|e| e.to_string());
    Some(message.and_then(|m| if m["jsonrpc"] == "2.0" { Ok(m) } else { Err(m.to_string()) }))
}

/// A tree of this many files of Rust, each with a function that calls the next one's.
fn tree(files: usize) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for number in 0..files {
        let next = (number + 1) % files;
        let body: String = (0..30).map(|line| format!("    let x{line} = shared({line});\n")).collect();
        let text = format!(
            "pub fn function_{number}() {{\n{body}    function_{next}();\n}}\nfn shared(x: u32) -> u32 {{ x }}\n"
        );
        std::fs::write(folder.path().join(format!("file_{number}.rs")), text).expect("written");
    }
    folder
}

#[test]
fn what_is_no_message_is_told_and_survived() {
    let folder = tree(3);
    let mut server = Server::on(folder.path());
    server.raw(b"hello there\r\n\r\n");
    assert_eq!(server.code(Value::Null), -32700);
    server.raw(b"Content-Length: 5\r\n\r\n{\"id\"");
    assert_eq!(server.code(Value::Null), -32700);
    server.raw(&[&[b'x'; 10 << 20][..], b"\n\n"].concat());
    assert_eq!(server.code(Value::Null), -32700);
    server.raw(b"Content-Length: lots\r\n\r\n");
    assert_eq!(server.code(Value::Null), -32700);
    for (message, code) in [
        (json!([]), -32600),
        (json!(7), -32600),
        (json!({"jsonrpc": "2.0"}), -32600),
        (json!({"jsonrpc": "2.0", "id": {"a": 1}, "method": "shutdown"}), -32600),
    ] {
        server.send(&message);
        assert_eq!(server.code(Value::Null), code, "{message}");
    }
    // An answer that nobody asked for, and notifications that are for others.
    server.send(&json!({"jsonrpc": "2.0", "id": 12345, "result": null}));
    server.tell("$/setTrace", json!({"value": "off"}));
    server.tell("textDocument/didChange", json!({"textDocument": 7}));
    server.tell("$/cancelRequest", json!({"id": "never"}));
    server.ask(2, "workspace/symbol", json!({"query": "function_2"}));
    assert_eq!(server.answer(2)["result"][0]["name"], "function_2");
}

#[test]
fn wrong_requests_have_the_protocols_numbers() {
    let mut server = Server::start(&[]);
    server.ask(1, "textDocument/hover", json!({}));
    assert_eq!(server.code(1), -32002);
    server.ask(2, "initialize", json!({"capabilities": {}}));
    assert!(server.answer(2)["result"]["capabilities"].is_object());
    for (id, method, params, code) in [
        (3, "initialize", json!({"capabilities": {}}), -32600),
        (4, "textDocument/rename", json!({}), -32601),
        (5, "textDocument/hover", json!({"textDocument": {}}), -32602),
        (6, "textDocument/diagnostic", json!({}), -32601),
        (7, "workspace/executeCommand", json!({"command": "rm"}), -32602),
        (8, "textDocument/documentSymbol", json!({"textDocument": {"uri": "not a uri"}}), -32602),
        (9, "textDocument/documentSymbol", json!({"textDocument": {"uri": "file:///nowhere/x.rs"}}), -32602),
    ] {
        server.ask(id, method, params);
        assert_eq!(server.code(id), code, "{method}");
    }
    server.send(&json!({"jsonrpc": "2.0", "id": "a word", "method": "shutdown"}));
    assert_eq!(server.answer("a word")["result"], Value::Null);
    server.ask(10, "workspace/symbol", json!({"query": ""}));
    assert_eq!(server.code(10), -32600);
}

#[test]
fn the_exit_code_tells_whether_it_was_shut_down() {
    let mut server = Server::start(&["--stdio"]);
    server.ask(1, "initialize", json!({"capabilities": {}}));
    server.ask(2, "shutdown", Value::Null);
    server.answer(2);
    server.tell("exit", Value::Null);
    assert_eq!(server.end(), (Some(0), String::new()));

    let mut server = Server::start(&[]);
    server.tell("exit", Value::Null);
    assert_eq!(server.end().0, Some(1));
    assert_eq!(Server::start(&[]).end().0, Some(1), "its client went away");
}

#[test]
fn the_end_of_its_input_ends_it_in_the_middle_of_work() {
    let folder = tree(400);
    let mut server = Server::on(folder.path());
    for id in 2..30 {
        server.ask(id, "workspace/symbol", json!({"query": "shared"}));
    }
    let (code, said) = server.end();
    assert_eq!((code, said.as_str()), (Some(1), ""));
}

#[test]
fn a_cancelled_request_is_answered_once_and_as_such() {
    let folder = tree(400);
    let mut server = Server::on(folder.path());
    // Nothing of the tree is known yet: this takes its time.
    for id in 10..20 {
        server.ask(id, "workspace/symbol", json!({"query": "shared"}));
    }
    for id in 10..20 {
        server.tell("$/cancelRequest", json!({"id": id}));
    }
    server.ask(99, "workspace/symbol", json!({"query": "function_399"}));
    let mut answers: BTreeMap<i64, Vec<Value>> = BTreeMap::new();
    while !answers.contains_key(&99) {
        let message = server.next();
        if let (None, Some(id)) = (message.get("method"), message["id"].as_i64()) {
            answers.entry(id).or_default().push(message);
        }
    }
    server.ask(100, "shutdown", Value::Null);
    server.answer(100);
    for id in 10..20 {
        let of = &answers[&id];
        assert_eq!((of.len(), of[0]["error"]["code"].as_i64()), (1, Some(-32800)), "{of:?}");
    }
}

#[test]
fn a_folder_that_is_not_there_is_told() {
    let mut server = Server::start(&[]);
    server.ask(1, "initialize", json!({"capabilities": {}, "rootUri": "file:///there/is/no/such%20folder"}));
    let mut told = String::new();
    loop {
        let message = server.next();
        if message["method"] == "window/showMessage" {
            told = message["params"]["message"].as_str().unwrap_or_default().to_owned();
        }
        if message["id"] == 1 {
            break;
        }
    }
    assert!(told.contains("/there/is/no/such folder"), "{told}");
    server.ask(2, "workspace/symbol", json!({"query": ""}));
    assert_eq!(server.answer(2)["result"], json!([]));
}

#[test]
fn options_that_do_not_exist_are_refused() {
    let output = Command::new(std::env::var_os("SEEKWELL_BINARY").expect("SEEKWELL_BINARY names the binary"))
        .args(["lsp", "--disable", "hoover"])
        .stdin(Stdio::null())
        .output()
        .expect("it starts");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.code() == Some(2) && output.stdout.is_empty(), "{said}");
    assert!(said.contains("hoover") && said.contains("documentSymbol"), "{said}");
}

/// Python with the client in it, made if it is not there.
fn python() -> PathBuf {
    let requirements = Path::new(env!("CARGO_MANIFEST_DIR")).join("clients/lsp/requirements.txt");
    let wanted = std::fs::read(&requirements).expect("the list of packages");
    let name = blake3::hash(&wanted).to_hex();
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("lsp-client-{}", &name[..12]));
    let python = folder.join("bin/python");
    let complete = folder.join("complete");
    if complete.exists() {
        return python;
    }
    let run = |command: &mut Command, next: &str| {
        let output = command.output().unwrap_or_else(|e| panic!("{command:?}: {e}; {next}"));
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{command:?}: {}\n{said}\n{next}", output.status);
    };
    let _ = std::fs::remove_dir_all(&folder);
    let next = "install Python 3.10 or newer with venv (Debian: python3-venv)";
    run(Command::new("python3").args(["-m", "venv"]).arg(&folder), next);
    let next = "the client is fetched once, from the Python registry that pip is set up for";
    run(Command::new(&python).args(["-m", "pip", "install", "--quiet", "-r"]).arg(&requirements), next);
    std::fs::write(complete, "").expect("the target folder can be written");
    python
}

#[test]
fn neovim_gets_right_answers() {
    if let Err(missing) = Command::new("nvim").arg("--version").output() {
        eprintln!("not driven by Neovim, which is not here ({missing}); Debian's package is neovim");
        return;
    }
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("clients/neovim/drive.lua");
    let cache = tempfile::tempdir().expect("a folder");
    let output = Command::new("nvim")
        .args(["--headless", "-u", "NONE", "-i", "NONE", "-c"])
        .arg(format!("luafile {}", script.display()))
        .env("XDG_CACHE_HOME", cache.path())
        .output()
        .expect("nvim starts");
    let said = [output.stdout, output.stderr].concat();
    let said = String::from_utf8_lossy(&said);
    assert!(output.status.success() && said.contains("all answers are right"), "{said}");
}

#[test]
fn a_real_client_gets_right_answers_to_all_that_is_offered() {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("clients/lsp");
    let output = Command::new(python())
        .args(["-B", "-m", "pytest", "--color=no", "--tb=short"])
        .current_dir(tests)
        .env_remove("PYTHONPATH")
        .output()
        .expect("pytest starts");
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{said}\n{}", String::from_utf8_lossy(&output.stderr));
    let passed = said.lines().rev().find(|line| line.contains(" passed")).unwrap_or_default();
    assert!(!passed.contains("skipped") && !passed.is_empty(), "{said}");
}
