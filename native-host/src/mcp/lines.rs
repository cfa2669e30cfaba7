//! Standard input and output as a transport: a message a line.
//!
//! Reading and writing have a thread each, so that a client that does not read stops nobody but itself. A line that is no
//! message is answered as far as it can be told who asked, and never ends the connection.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::sync::Arc;
use std::thread;

use rmcp::RoleServer;
use rmcp::model::{
    ClientJsonRpcMessage, ClientNotification, ErrorData, JsonRpcNotification, RequestId, ServerJsonRpcMessage,
};
use rmcp::transport::Transport;
use serde_json::Value;
use tokio::sync::{mpsc, oneshot};

use super::server::State;

/// A longer line is dropped: no client has that much to say, and memory is finite.
const LONGEST: usize = 16 << 20;

/// Messages that wait to be read, or written.
const WAITING: usize = 64;

/// Takes standard output for the protocol alone: whatever else prints is led to standard error.
#[cfg(unix)]
pub fn take_stdout() -> io::Result<Box<dyn Write + Send>> {
    let own = rustix::io::dup(io::stdout())?;
    rustix::stdio::dup2_stdout(io::stderr())?;
    // A pipe's end is the plainest thing that writes to a descriptor, whatever this one is of.
    Ok(Box::new(io::PipeWriter::from(own)))
}

/// Takes standard output for the protocol.
#[cfg(not(unix))]
pub fn take_stdout() -> io::Result<Box<dyn Write + Send>> {
    Ok(Box::new(io::stdout()))
}

/// The transport.
pub struct Lines {
    incoming: mpsc::Receiver<ClientJsonRpcMessage>,
    outgoing: Option<mpsc::Sender<Vec<u8>>>,
    state: Arc<State>,
}

/// A transport over two streams, and what is told when everything has been written.
pub fn transport(
    input: impl Read + Send + 'static,
    output: Box<dyn Write + Send>,
    state: Arc<State>,
) -> (Lines, oneshot::Receiver<()>) {
    let (to_server, incoming) = mpsc::channel(WAITING);
    let (outgoing, to_client) = mpsc::channel(WAITING);
    let (all_written, written) = oneshot::channel();
    let replies = outgoing.clone();
    let (reading, answering) = (state.clone(), state.clone());
    thread::spawn(move || {
        read(input, &to_server, &replies, &reading);
        reading.input_ended();
    });
    thread::spawn(move || {
        write(output, to_client, &state);
        let _ = all_written.send(());
    });
    (Lines { incoming, outgoing: Some(outgoing), state: answering }, written)
}

impl Transport<RoleServer> for Lines {
    type Error = io::Error;

    fn send(&mut self, item: ServerJsonRpcMessage) -> impl Future<Output = Result<(), io::Error>> + Send + 'static {
        let outgoing = self.outgoing.clone();
        let state = self.state.clone();
        async move {
            let gone = || io::Error::from(io::ErrorKind::BrokenPipe);
            let line = serde_json::to_vec(&item)?;
            let sent = outgoing.ok_or_else(gone)?.send(line).await.map_err(|_| gone());
            match &item {
                ServerJsonRpcMessage::Response(response) => state.answered(Some(&response.id)),
                ServerJsonRpcMessage::Error(error) => state.answered(error.id.as_ref()),
                _ => {}
            }
            sent
        }
    }

    async fn receive(&mut self) -> Option<ClientJsonRpcMessage> {
        self.incoming.recv().await
    }

    async fn close(&mut self) -> Result<(), io::Error> {
        self.outgoing = None;
        Ok(())
    }
}

fn write(mut output: Box<dyn Write + Send>, mut lines: mpsc::Receiver<Vec<u8>>, state: &State) {
    while let Some(mut line) = lines.blocking_recv() {
        line.push(b'\n');
        if output.write_all(&line).and_then(|()| output.flush()).is_err() {
            // Nobody reads any more.
            state.input_ended();
            state.close();
            return;
        }
    }
}

fn read(
    input: impl Read,
    messages: &mpsc::Sender<ClientJsonRpcMessage>,
    replies: &mpsc::Sender<Vec<u8>>,
    state: &State,
) {
    let mut input = BufReader::with_capacity(1 << 16, input);
    let mut line = Vec::new();
    let mut opened = false;
    loop {
        line.clear();
        let whole = match (&mut input).take(LONGEST as u64).read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => return,
            Ok(_) => line.ends_with(b"\n"),
        };
        if !whole && line.len() >= LONGEST {
            if !skip_line(&mut input) {
                return;
            }
            let what = format!("a message of more than {LONGEST} bytes was dropped");
            reply(replies, &ErrorData::invalid_request(what, None), None);
            continue;
        }
        let text = line.trim_ascii();
        let text = text.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(text);
        if text.is_empty() {
            continue;
        }
        match serde_json::from_slice::<ClientJsonRpcMessage>(text) {
            Ok(message) => {
                // Before the first request there is nothing that a notification could be about.
                opened |= matches!(message, ClientJsonRpcMessage::Request(_));
                match &message {
                    ClientJsonRpcMessage::Request(request) => state.asked(&request.id),
                    ClientJsonRpcMessage::Notification(JsonRpcNotification {
                        notification: ClientNotification::CancelledNotification(cancelled),
                        ..
                    }) => state.answered(cancelled.params.request_id.as_ref()),
                    _ => {}
                }
                if opened && messages.blocking_send(message).is_err() {
                    return;
                }
            }
            Err(e) => explain(text, &e, replies),
        }
    }
}

/// Reads to the end of a line, and tells whether there was one.
fn skip_line(input: &mut impl BufRead) -> bool {
    loop {
        let Ok(bytes) = input.fill_buf() else { return false };
        if bytes.is_empty() {
            return false;
        }
        let (used, found) = match bytes.iter().position(|byte| *byte == b'\n') {
            Some(at) => (at + 1, true),
            None => (bytes.len(), false),
        };
        input.consume(used);
        if found {
            return true;
        }
    }
}

/// Answers a line that is no message, if it asks for an answer. What is not even JSON is passed over, as the official servers
/// do: an answer to noise can be more noise.
fn explain(text: &[u8], e: &serde_json::Error, replies: &mpsc::Sender<Vec<u8>>) {
    let Ok(value) = serde_json::from_slice::<Value>(text) else { return };
    let id = value.get("id").and_then(|id| serde_json::from_value::<RequestId>(id.clone()).ok());
    let answer = value.get("result").is_some() || value.get("error").is_some();
    let notification = value.get("method").is_some() && value.get("id").is_none();
    if answer || notification {
        return;
    }
    let error = match value.get("method").and_then(Value::as_str) {
        Some(method) if id.is_some() => {
            ErrorData::invalid_params(format!("the parameters of {method} are not as they should be: {e}"), None)
        }
        _ => ErrorData::invalid_request("not a JSON-RPC 2.0 request", None),
    };
    reply(replies, &error, id);
}

fn reply(replies: &mpsc::Sender<Vec<u8>>, error: &ErrorData, id: Option<RequestId>) {
    if let Ok(line) = serde_json::to_vec(&ServerJsonRpcMessage::error(error.clone(), id)) {
        let _ = replies.blocking_send(line);
    }
}
