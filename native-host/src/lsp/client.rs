//! The other side of the wire: what is sent to the client, and what it answers.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, bounded};
use serde_json::{Value, json};

use crate::progress::Progress;

/// How long an answer to one of our own requests is waited for.
const ANSWER: Duration = Duration::from_secs(5);

/// Progress is told at most so often.
const BETWEEN: Duration = Duration::from_millis(100);

/// Who is spoken to.
pub struct Client {
    /// None when nothing more is to be sent.
    out: Mutex<Option<Sender<Value>>>,
    next: AtomicI64,
    waiting: Mutex<BTreeMap<i64, Sender<Result<Value, Value>>>>,
    /// Flags of work that the client can end, by the token of its progress.
    cancellable: Mutex<BTreeMap<String, Arc<AtomicBool>>>,
}

/// How much a message matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// Something does not work.
    Error = 1,
    /// Something works less well.
    Warning = 2,
    /// For whoever looks into the log.
    Log = 4,
}

impl Client {
    /// A client that hears what is sent into a channel.
    pub fn new(out: Sender<Value>) -> Self {
        Self {
            out: Mutex::new(Some(out)),
            next: AtomicI64::new(1),
            waiting: Mutex::default(),
            cancellable: Mutex::default(),
        }
    }

    /// Sends a message. If nobody hears it any more, the reader will notice.
    pub fn send(&self, message: Value) {
        if let Some(out) = &*lock(&self.out) {
            let _ = out.send(message);
        }
    }

    /// Sends nothing more: what was sent is written, and then the writer ends.
    pub fn close(&self) {
        lock(&self.out).take();
    }

    /// Sends a notification.
    pub fn notify(&self, method: &str, params: Value) {
        self.send(json!({"jsonrpc": "2.0", "method": method, "params": params}));
    }

    /// Sends a request; the answer comes through the channel.
    pub fn request(&self, method: &str, params: Value) -> Receiver<Result<Value, Value>> {
        let id = self.next.fetch_add(1, Ordering::Relaxed);
        let (sender, receiver) = bounded(1);
        lock(&self.waiting).insert(id, sender);
        self.send(json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        receiver
    }

    /// Takes the answer to a request of ours.
    pub fn answered(&self, id: &Value, answer: Result<Value, Value>) {
        let waiting = id.as_i64().and_then(|id| lock(&self.waiting).remove(&id));
        if let Some(waiting) = waiting {
            let _ = waiting.send(answer);
        }
    }

    /// Tells the user something.
    pub fn tell(&self, level: Level, message: &str) {
        if level != Level::Log {
            self.notify("window/showMessage", json!({"type": level as i32, "message": message}));
        }
        self.notify("window/logMessage", json!({"type": level as i32, "message": message}));
    }

    /// Ends the work whose progress has this token.
    pub fn cancel(&self, token: &Value) {
        if let Some(flag) = lock(&self.cancellable).get(&token.to_string()) {
            flag.store(true, Ordering::Relaxed);
        }
    }

    /// Begins a progress that we have a token made for; none if the client will have none.
    pub fn begin(self: &Arc<Self>, title: &str, cancelled: Arc<AtomicBool>) -> Option<WorkDone> {
        let token = json!(format!("seekwell-{}", self.next.fetch_add(1, Ordering::Relaxed)));
        let answer = self.request("window/workDoneProgress/create", json!({"token": token}));
        answer.recv_timeout(ANSWER).ok()?.ok()?;
        Some(self.begin_with(token, title, Some(cancelled)))
    }

    /// Begins a progress on a token of the client.
    pub fn begin_with(self: &Arc<Self>, token: Value, title: &str, cancelled: Option<Arc<AtomicBool>>) -> WorkDone {
        let cancellable = cancelled.is_some();
        if let Some(flag) = cancelled {
            lock(&self.cancellable).insert(token.to_string(), flag);
        }
        let value = json!({"kind": "begin", "title": title, "cancellable": cancellable});
        self.notify("$/progress", json!({"token": token, "value": value}));
        WorkDone {
            client: Arc::clone(self),
            token,
            done: AtomicU64::new(0),
            shown: Mutex::new(Shown::new()),
            ended: false,
        }
    }
}

/// A lock whose holder does nothing that could panic.
pub fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// A progress that the client shows. It is ended by [`Self::end`], with what came of the work; a failure is no quiet end.
pub struct WorkDone {
    client: Arc<Client>,
    token: Value,
    done: AtomicU64,
    shown: Mutex<Shown>,
    ended: bool,
}

struct Shown {
    stage: String,
    total: u64,
    last: Instant,
}

impl Shown {
    fn new() -> Self {
        Self { stage: String::new(), total: 0, last: Instant::now() }
    }
}

impl WorkDone {
    /// Ends it with what is to be said of the work.
    pub fn end(mut self, message: &str) {
        self.send_end(message);
    }

    fn send_end(&mut self, message: &str) {
        self.ended = true;
        lock(&self.client.cancellable).remove(&self.token.to_string());
        self.report(json!({"kind": "end", "message": message}));
    }

    fn report(&self, value: Value) {
        self.client.notify("$/progress", json!({"token": self.token, "value": value}));
    }

    fn told(&self, shown: &mut Shown) {
        shown.last = Instant::now();
        let done = self.done.load(Ordering::Relaxed);
        let mut value = json!({"kind": "report", "message": shown.stage});
        if let Some(percentage) = (done * 100).checked_div(shown.total) {
            value["percentage"] = json!(percentage.min(100));
            value["message"] = json!(format!("{} {done}/{}", shown.stage, shown.total));
        }
        self.report(value);
    }
}

impl Progress for WorkDone {
    fn stage(&self, name: &str, total: u64) {
        let mut shown = lock(&self.shown);
        self.done.store(0, Ordering::Relaxed);
        shown.stage = name.to_owned();
        shown.total = total;
        self.told(&mut shown);
    }

    fn advance(&self, steps: u64) {
        self.done.fetch_add(steps, Ordering::Relaxed);
        // A step missed is caught up by the next one.
        if let Ok(mut shown) = self.shown.try_lock()
            && shown.last.elapsed() >= BETWEEN
        {
            self.told(&mut shown);
        }
    }
}

impl Drop for WorkDone {
    fn drop(&mut self) {
        if !self.ended {
            self.send_end("given up");
        }
    }
}

/// The progress of a request: shown if the client gave a token for it, and ended when the client cancels.
pub struct Work {
    cancelled: Arc<AtomicBool>,
    shown: Option<WorkDone>,
}

impl Work {
    /// The work of a request.
    pub fn new(cancelled: Arc<AtomicBool>, shown: Option<WorkDone>) -> Self {
        Self { cancelled, shown }
    }

    /// Ends what is shown.
    pub fn end(self, message: &str) {
        if let Some(shown) = self.shown {
            shown.end(message);
        }
    }
}

impl Progress for Work {
    fn stage(&self, name: &str, total: u64) {
        if let Some(shown) = &self.shown {
            shown.stage(name, total);
        }
    }

    fn advance(&self, steps: u64) {
        if let Some(shown) = &self.shown {
            shown.advance(steps);
        }
    }

    fn cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed)
    }
}
