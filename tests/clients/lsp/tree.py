"""A small project in four languages, in which the same things are done in each: an interface with two implementations, a
function that retries in one file, and a caller of it in another."""

RUST = {
    "rust/src/lib.rs": """\
//! Sends things.

pub mod client;
pub mod retry;
""",
    "rust/src/retry.rs": """\
use crate::client::Transport;

/// Tries again until it works. Not for ever.
pub fn with_retry(times: u32, transport: &dyn Transport) -> bool {
    let mut left = times;
    while left > 0 {
        if transport.send("ping") {
            return true;
        }
        left -= 1;
    }
    false
}
""",
    "rust/src/client.rs": """\
use crate::retry::with_retry;

pub trait Transport {
    fn send(&self, text: &str) -> bool;
}

pub struct WebRequest {
    pub count: u32,
}

impl Transport for WebRequest {
    fn send(&self, text: &str) -> bool {
        self.count > 0 && !text.is_empty()
    }
}

pub struct Offline;

impl Transport for Offline {
    fn send(&self, _text: &str) -> bool {
        false
    }
}

pub fn run() -> bool {
    let request = WebRequest { count: 3 };
    /* 😀 e\u0301 */ with_retry(2, &request)
}
""",
}

PYTHON = {
    "python/sender/__init__.py": "",
    "python/sender/transport.py": '''\
class Transport:
    """How things are sent."""

    def send(self, text):
        raise NotImplementedError


class WebTransport(Transport):
    def send(self, text):
        return bool(text)


class OfflineTransport(Transport):
    def send(self, text):
        return False
''',
    "python/sender/retries.py": '''\
from sender.transport import Transport


def retry_call(times, transport: Transport):
    """Tries again until it works."""
    left = times
    while left > 0:
        if transport.send("ping"):
            return True
        left -= 1
    return False
''',
    "python/sender/main.py": '''\
from sender.retries import retry_call
from sender.transport import WebTransport


def run():
    transport = WebTransport()
    smile = "😀"; return retry_call(2, transport) and smile
''',
}

TYPESCRIPT = {
    "web/src/transport.ts": """\
export interface Transport {
  send(text: string): boolean;
}

export class WebTransport implements Transport {
  send(text: string): boolean {
    return text.length > 0;
  }
}

export class OfflineTransport implements Transport {
  send(_text: string): boolean {
    return false;
  }
}
""",
    "web/src/retry.ts": """\
import { Transport } from "./transport";

/** Tries again until it works. */
export function retryCall(times: number, transport: Transport): boolean {
  for (let left = times; left > 0; left -= 1) {
    if (transport.send("ping")) {
      return true;
    }
  }
  return false;
}
""",
    "web/src/main.ts": """\
import { retryCall } from "./retry";
import { WebTransport } from "./transport";

export function run(): boolean {
  const transport = new WebTransport();
  /* 😀 */ return retryCall(2, transport);
}
""",
}

GO = {
    "go/sender/transport.go": """\
package sender

// Transport is how things are sent.
type Transport interface {
	Send(text string) bool
}

// WebTransport sends.
type WebTransport struct {
	Count int
}

// Send sends.
func (w *WebTransport) Send(text string) bool {
	return w.Count > 0 && text != ""
}
""",
    "go/sender/retry.go": """\
package sender

// RetryCall tries again until it works.
func RetryCall(times int, transport Transport) bool {
	for left := times; left > 0; left-- {
		if transport.Send("ping") {
			return true
		}
	}
	return false
}

// Run runs.
func Run() bool {
	transport := &WebTransport{Count: 1}
	return RetryCall(2, transport)
}
""",
}

OTHER = {
    "README.md": "# Sender\n\nSends things. See `with_retry`.\n\n## Use\n\nRun it.\n",
    "settings/app.json": '{\n  "retries": {"times": 3}\n}\n',
    "with blank/é%41#.py": "def odd_name():\n    return 1\n\n\nodd_name()\n",
}

ALL = {**RUST, **PYTHON, **TYPESCRIPT, **GO, **OTHER}
