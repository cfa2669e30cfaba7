//! A client of our own: it sends what it is told to, also what no good client would, and looks at every byte.

use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// A server that has not answered by then never will. Generous: the machine may be busy.
pub const PATIENCE: Duration = Duration::from_secs(120);

/// The two eras of the protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Era {
    /// `initialize`, then a session.
    Legacy,
    /// Each request by itself.
    Modern,
}

impl Era {
    /// The revision that is asked for.
    pub fn version(self) -> &'static str {
        match self {
            Self::Legacy => "2025-11-25",
            Self::Modern => "2026-07-28",
        }
    }
}

/// The binary under test.
pub fn binary() -> PathBuf {
    let path = std::env::var_os("SEEKWELL_BINARY").expect("SEEKWELL_BINARY names the binary; ./x test sets it");
    PathBuf::from(path)
}

/// A server as a child process.
pub struct Server {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<Vec<u8>>,
    next: u64,
    era: Era,
    /// What came without being an answer.
    pub told: Vec<Value>,
}

/// How a server ended.
pub struct Ended {
    /// Its exit status.
    pub status: ExitStatus,
    /// The lines it still wrote.
    pub rest: Vec<Value>,
    /// How long it took from the end of its input.
    pub after: Duration,
    /// What it wrote to stderr.
    pub stderr: String,
}

/// A command that starts the server, with a cache of its own.
pub fn command(cache: &Path) -> Command {
    let mut command = Command::new(binary());
    command.arg("mcp").env("SEEKWELL_CACHE", cache).env_remove("SEEKWELL_ROOT").env_remove("CLAUDE_PROJECT_DIR");
    command
}

impl Server {
    /// Starts a server. It is greeted as the era wants it.
    pub fn start(mut command: Command, era: Era) -> Self {
        let mut server = Self::silent(&mut command, era);
        server.greet();
        server
    }

    /// Starts a server and says nothing to it.
    pub fn silent(command: &mut Command, era: Era) -> Self {
        let command = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the server starts");
        let output = child.stdout.take().expect("its output");
        let (sender, lines) = channel();
        thread::spawn(move || {
            let mut output = BufReader::new(output);
            let mut line = Vec::new();
            while output.read_until(b'\n', &mut line).is_ok_and(|count| count > 0) {
                if sender.send(std::mem::take(&mut line)).is_err() {
                    break;
                }
            }
        });
        let input = child.stdin.take();
        Self { child, input, lines, next: 1, era, told: Vec::new() }
    }

    /// Opens the conversation, and gives what the server says of itself.
    pub fn greet(&mut self) -> Value {
        match self.era {
            Era::Legacy => {
                let params = json!({"protocolVersion": self.era.version(), "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}});
                let answer = self.ask("initialize", params);
                self.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
                answer
            }
            Era::Modern => self.ask("server/discover", json!({})),
        }
    }

    /// Sends one line.
    pub fn send_bytes(&mut self, line: &[u8]) {
        let input = self.input.as_mut().expect("the input is open");
        // A server that has ended tells by its silence.
        let _ = input.write_all(line).and_then(|()| input.write_all(b"\n")).and_then(|()| input.flush());
    }

    /// Sends one message.
    pub fn send(&mut self, message: &Value) {
        self.send_bytes(message.to_string().as_bytes());
    }

    /// Sends a request and gives its id.
    pub fn request(&mut self, method: &str, mut params: Value) -> u64 {
        let id = self.next;
        self.next += 1;
        if self.era == Era::Modern {
            params["_meta"]["io.modelcontextprotocol/protocolVersion"] = self.era.version().into();
            params["_meta"]["io.modelcontextprotocol/clientInfo"] = json!({"name": "test", "version": "1"});
            params["_meta"]["io.modelcontextprotocol/clientCapabilities"] = json!({});
        }
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        id
    }

    /// The next line, which must be a message.
    pub fn next(&mut self) -> Value {
        let line = self.lines.recv_timeout(PATIENCE).expect("a line from the server");
        message(&line)
    }

    /// The answer to a request: its `result` or its `error`, in an object.
    pub fn answer_to(&mut self, id: u64) -> Value {
        loop {
            let message = self.next();
            if message["id"] == id {
                return message;
            }
            self.told.push(message);
        }
    }

    /// Asks and waits for the result, which must be one.
    pub fn ask(&mut self, method: &str, params: Value) -> Value {
        let id = self.request(method, params);
        let answer = self.answer_to(id);
        assert!(answer["error"].is_null(), "{method}: {answer}");
        answer["result"].clone()
    }

    /// Calls a tool.
    pub fn call(&mut self, tool: &str, arguments: Value) -> Value {
        self.ask("tools/call", json!({"name": tool, "arguments": arguments}))
    }

    /// Closes the input, and waits for the end.
    pub fn end(mut self) -> Ended {
        let begun = Instant::now();
        drop(self.input.take());
        let status = loop {
            if let Some(status) = self.child.try_wait().expect("its status") {
                break status;
            }
            assert!(begun.elapsed() < PATIENCE, "the server goes on without input");
            thread::sleep(Duration::from_millis(2));
        };
        let after = begun.elapsed();
        let rest = self.lines.iter().map(|line| message(&line)).collect();
        let mut stderr = String::new();
        let _ = self.child.stderr.take().map(|mut pipe| pipe.read_to_string(&mut stderr));
        Ended { status, rest, after, stderr }
    }

    /// The process.
    pub fn id(&self) -> u32 {
        self.child.id()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A line as a message of the protocol: anything else on stdout is a fault.
pub fn message(line: &[u8]) -> Value {
    let text = String::from_utf8_lossy(line);
    let value: Value = serde_json::from_slice(line).unwrap_or_else(|e| panic!("not the protocol: {text:?}: {e}"));
    assert_eq!(value["jsonrpc"], "2.0", "{text}");
    assert!(line.ends_with(b"\n"), "half a line: {text:?}");
    let known = ["method", "result", "error"].iter().filter(|key| !value[**key].is_null()).count();
    assert_eq!(known, 1, "{text}");
    value
}

/// The text of a tool's answer.
pub fn text_of(answer: &Value) -> String {
    let blocks = answer["content"].as_array().map(Vec::as_slice).unwrap_or_default();
    let texts: Vec<&str> = blocks.iter().filter_map(|block| block["text"].as_str()).collect();
    texts.join("\n")
}
