//! The thread that owns what is open: it takes one message after the other, and gives what takes time to others.

use std::collections::BTreeMap;
use std::io::{self, BufRead, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, bounded, unbounded};
use lsp_types::{
    DidChangeTextDocumentParams, DidChangeWorkspaceFoldersParams, DidCloseTextDocumentParams,
    DidOpenTextDocumentParams, Url,
};
use seekwell_types::structure::StructureQuery;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::client::{Client, Level, Work};
use super::failure::Failure;
use super::features::{Feature, Features};
use super::pool::{self, Pool};
use super::requests::{calls, diagnostics, highlight, hover, places, search, symbols};
use super::text::{Encoding, Text};
use super::world::{Document, Folder, Settings, World};
use super::{frames, uri};
use crate::progress::Progress as _;
use crate::session::LiveOptions;

/// After the last key, diagnostics and reading ahead wait this long for the next one.
const PAUSE: Duration = Duration::from_millis(200);

/// After a pause, a tree that takes no longer to be read again than this is, so that the next question need not wait for it.
const AHEAD: Duration = Duration::from_millis(2_000);

/// How long what is on its way to the client is waited for at the end.
const LAST_WORDS: Duration = Duration::from_millis(300);

/// How a server is set up.
pub struct Options {
    /// Which features are on, if the client does not say otherwise.
    pub features: Features,
    /// How the tree below a folder is opened.
    pub tree: fn(&Path) -> Result<LiveOptions, String>,
}

/// What comes to the owning thread.
enum Event {
    /// A message of the client.
    Message(Value),
    /// What is none.
    Fault(String),
    /// The client is gone.
    End,
    /// An answer is ready.
    Done(String, Result<Value, Failure>),
}

/// Serves until the client ends it. Returns whether it did so by the rules: `shutdown`, then `exit`.
pub fn serve(
    mut input: impl BufRead + Send + 'static,
    mut output: impl Write + Send + 'static,
    options: Options,
) -> io::Result<bool> {
    let (events, incoming) = unbounded();
    let (out, outgoing) = unbounded::<Value>();
    let (written, all_written) = bounded::<()>(1);
    let from_reader = events.clone();
    pool::thread("read", move || {
        loop {
            let event = match frames::read(&mut input) {
                Ok(Some(Ok(message))) => Event::Message(message),
                Ok(Some(Err(fault))) => Event::Fault(fault),
                Ok(None) | Err(_) => Event::End,
            };
            let ends = matches!(event, Event::End);
            if from_reader.send(event).is_err() || ends {
                return;
            }
        }
    })?;
    let from_writer = events.clone();
    pool::thread("write", move || {
        for message in &outgoing {
            if frames::write(&mut output, &message).is_err() {
                let _ = from_writer.send(Event::End);
                break;
            }
        }
        let _ = written.send(());
    })?;
    let mut server = Server {
        client: Arc::new(Client::new(out)),
        pool: Pool::new()?,
        events,
        options,
        world: World::default(),
        running: BTreeMap::new(),
        life: Life::New,
        due: BTreeMap::new(),
        ahead: None,
    };
    let by_the_rules = server.run(&incoming);
    server.running.values().for_each(|cancelled| cancelled.store(true, Ordering::Relaxed));
    server.client.close();
    let _ = all_written.recv_timeout(LAST_WORDS);
    Ok(by_the_rules)
}

/// Where in its life a server is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Life {
    New,
    Running,
    ShutDown,
}

struct Server {
    client: Arc<Client>,
    pool: Pool,
    events: Sender<Event>,
    options: Options,
    world: World,
    /// Requests that are being answered, by id, with the flags that end them.
    running: BTreeMap<String, Arc<AtomicBool>>,
    life: Life,
    /// Documents whose diagnostics are to be sent, and when.
    due: BTreeMap<String, Instant>,
    /// When what was edited is put over the trees without being asked.
    ahead: Option<Instant>,
}

impl Server {
    fn run(&mut self, incoming: &Receiver<Event>) -> bool {
        loop {
            let next = self.due.values().copied().chain(self.ahead).min();
            let event = match next {
                Some(next) => incoming.recv_timeout(next.saturating_duration_since(Instant::now())),
                None => incoming.recv().map_err(|_| RecvTimeoutError::Disconnected),
            };
            match event {
                Ok(Event::Message(message)) => {
                    if let Some(by_the_rules) = self.message(message) {
                        return by_the_rules;
                    }
                }
                Ok(Event::Fault(why)) => {
                    self.client.send(json!({"jsonrpc": "2.0", "id": null, "error": {"code": -32700, "message": why}}));
                }
                Ok(Event::Done(id, result)) => {
                    // What was cancelled has been answered.
                    if self.running.remove(&id).is_some() {
                        self.respond(&id, result);
                    }
                }
                Err(RecvTimeoutError::Timeout) => self.send_due(),
                Ok(Event::End) | Err(RecvTimeoutError::Disconnected) => return false,
            }
        }
    }

    /// Takes a message; returns how the server ends, if it does.
    fn message(&mut self, message: Value) -> Option<bool> {
        let id = message.get("id").cloned();
        let Some(method) = message.get("method").and_then(Value::as_str) else {
            self.no_method(&message, id);
            return None;
        };
        let params = message.get("params").cloned().unwrap_or_default();
        match id {
            Some(id @ (Value::Number(_) | Value::String(_))) => self.request(id.to_string(), method, params),
            Some(id) => {
                let why = Failure::Request(format!("an id is a number or a string, not {id}"));
                self.respond("null", Err(why));
            }
            None if method == "exit" => return Some(self.life == Life::ShutDown),
            None if self.life == Life::Running => self.notification(method, params),
            None => {}
        }
        None
    }

    /// An answer to a request of ours, or nothing of the protocol.
    fn no_method(&mut self, message: &Value, id: Option<Value>) {
        match (id, message.get("result"), message.get("error")) {
            (Some(id), _, Some(error)) => self.client.answered(&id, Err(error.clone())),
            (Some(id), Some(result), None) => self.client.answered(&id, Ok(result.clone())),
            (id, _, _) => {
                let id = id.filter(|id| id.is_number() || id.is_string()).unwrap_or_default().to_string();
                self.respond(&id, Err(Failure::Request("a message has a method, or a result for one".to_owned())));
            }
        }
    }

    fn respond(&self, id: &str, result: Result<Value, Failure>) {
        let id: Value = serde_json::from_str(id).unwrap_or_default();
        self.client.send(match result {
            Ok(result) => json!({"jsonrpc": "2.0", "id": id, "result": result}),
            Err(failure) => json!({"jsonrpc": "2.0", "id": id, "error": failure.object()}),
        });
    }

    fn request(&mut self, id: String, method: &str, params: Value) {
        let failure = match (self.life, method) {
            (Life::New, "initialize") => {
                let result = self.initialize(&params);
                return self.respond(&id, result);
            }
            (Life::New, _) => Failure::TooEarly,
            (Life::ShutDown, _) => Failure::Request("the server was shut down".to_owned()),
            (Life::Running, "initialize") => Failure::Request("initialize comes once".to_owned()),
            (Life::Running, "shutdown") => {
                self.life = Life::ShutDown;
                return self.respond(&id, Ok(Value::Null));
            }
            (Life::Running, _) if self.running.contains_key(&id) => {
                Failure::Request(format!("there is a request with this id: {id}"))
            }
            (Life::Running, _) => match self.start(&id, method, params) {
                Ok(()) => return,
                Err(failure) => failure,
            },
        };
        self.respond(&id, Err(failure));
    }

    /// Has a request answered by another thread.
    fn start(&mut self, id: &str, method: &str, params: Value) -> Result<(), Failure> {
        use Feature as F;
        let feature = match method {
            "textDocument/documentSymbol" => F::DocumentSymbol,
            "workspace/symbol" => F::WorkspaceSymbol,
            "textDocument/definition" => F::Definition,
            "textDocument/implementation" => F::Implementation,
            "textDocument/references" => F::References,
            "textDocument/hover" => F::Hover,
            "textDocument/documentHighlight" => F::DocumentHighlight,
            "textDocument/diagnostic" => F::Diagnostics,
            "textDocument/prepareCallHierarchy" | "callHierarchy/incomingCalls" | "callHierarchy/outgoingCalls" => {
                F::CallHierarchy
            }
            "workspace/executeCommand" => F::Search,
            _ => return Err(Failure::Method(format!("not a method of this server: {method}"))),
        };
        if !self.world.settings.features.has(feature) {
            return Err(Failure::Method(format!("{} is switched off", feature.word())));
        }
        let world = self.world.clone();
        let cancelled = Arc::new(AtomicBool::new(false));
        self.running.insert(id.to_owned(), Arc::clone(&cancelled));
        let (id, method, events) = (id.to_owned(), method.to_owned(), self.events.clone());
        let shown = params.get("workDoneToken").filter(|token| !token.is_null()).cloned();
        let client = Arc::clone(&self.client);
        self.pool.run(move || {
            // Nobody waits for it any more.
            if cancelled.load(Ordering::Relaxed) {
                return;
            }
            let shown = shown.map(|token| client.begin_with(token, feature.word(), Some(Arc::clone(&cancelled))));
            let work = Work::new(cancelled, shown);
            let answered = catch_unwind(AssertUnwindSafe(|| answer(&world, &method, params, &work)));
            let result =
                answered.unwrap_or_else(|_| Err(Failure::Internal("an internal error; please report".to_owned())));
            work.end(match &result {
                Ok(_) => "done",
                Err(Failure::Cancelled) => "cancelled",
                Err(_) => "failed",
            });
            let _ = events.send(Event::Done(id, result));
        });
        Ok(())
    }

    fn notification(&mut self, method: &str, params: Value) {
        let taken = match method {
            "initialized" => {
                self.initialized();
                Ok(())
            }
            "$/cancelRequest" => {
                let id = params.get("id").cloned().unwrap_or_default().to_string();
                if let Some(cancelled) = self.running.remove(&id) {
                    cancelled.store(true, Ordering::Relaxed);
                    self.respond(&id, Err(Failure::Cancelled));
                }
                Ok(())
            }
            "window/workDoneProgress/cancel" => {
                self.client.cancel(params.get("token").unwrap_or(&Value::Null));
                Ok(())
            }
            "textDocument/didOpen" => read(params).map(|params| self.did_open(params)),
            "textDocument/didChange" => read(params).and_then(|params| self.did_change(params)),
            "textDocument/didClose" => read(params).map(|params| self.did_close(&params)),
            "textDocument/didSave" | "workspace/didChangeWatchedFiles" => {
                self.world.folders.iter().for_each(|folder| folder.live.touched());
                Ok(())
            }
            "workspace/didChangeWorkspaceFolders" => read(params).map(|params| self.did_change_folders(params)),
            // Others are for other servers.
            _ => Ok(()),
        };
        if let Err(Failure::Params(why)) = taken {
            self.client.tell(Level::Warning, &format!("seekwell: {method} is not understood: {why}"));
        }
    }

    fn initialize(&mut self, params: &Value) -> Result<Value, Failure> {
        let able = |path: &str| params.pointer(&format!("/capabilities{path}"));
        let is = |path: &str| able(path).and_then(Value::as_bool).unwrap_or(false);
        let words = |path: &str| able(path).and_then(Value::as_array).cloned().unwrap_or_default();
        let offered: Vec<_> = words("/general/positionEncodings")
            .iter()
            .filter_map(|word| Some(lsp_types::PositionEncodingKind::from(word.as_str()?.to_owned())))
            .collect();
        let hovers = words("/textDocument/hover/contentFormat");
        let mut features = self.options.features.clone();
        let faults = features.take(params.get("initializationOptions").unwrap_or(&Value::Null));
        let settings = Settings {
            encoding: Encoding::agreed(Some(&offered)),
            features,
            nested_symbols: is("/textDocument/documentSymbol/hierarchicalDocumentSymbolSupport"),
            links: (is("/textDocument/definition/linkSupport"), is("/textDocument/implementation/linkSupport")),
            markdown: hovers.first().is_none_or(|format| format != "plaintext"),
            pulls: able("/textDocument/diagnostic").is_some_and(Value::is_object),
            watches: is("/workspace/didChangeWatchedFiles/dynamicRegistration"),
            progress: is("/window/workDoneProgress"),
        };
        self.world.settings = Arc::new(settings);
        self.life = Life::Running;
        let mut folders: Vec<Url> = params
            .get("workspaceFolders")
            .and_then(Value::as_array)
            .map(|folders| folders.iter().filter_map(|folder| folder.get("uri")?.as_str()?.parse().ok()).collect())
            .unwrap_or_default();
        if folders.is_empty() {
            let root = params.get("rootUri").and_then(Value::as_str).and_then(|root| root.parse().ok());
            let path = params.get("rootPath").and_then(Value::as_str).and_then(|path| uri::of_path(Path::new(path)));
            folders.extend(root.or(path));
        }
        let mut faults: Vec<String> = faults;
        self.world.folders = Arc::new(self.open_folders(Vec::new(), &folders, &mut faults));
        for fault in faults {
            self.client.tell(Level::Warning, &format!("seekwell: {fault}"));
        }
        Ok(json!({
            "capabilities": self.capabilities(),
            "serverInfo": {"name": "seekwell", "version": env!("CARGO_PKG_VERSION")},
        }))
    }

    /// What is offered: no more than is on.
    fn capabilities(&self) -> Value {
        let settings = &self.world.settings;
        let has = |feature| settings.features.has(feature);
        let mut offered = json!({
            "positionEncoding": settings.encoding.kind(),
            "textDocumentSync": {"openClose": true, "change": 2, "save": {"includeText": false}},
            "workspace": {"workspaceFolders": {"supported": true, "changeNotifications": true}},
        });
        let with_progress = json!({"workDoneProgress": true});
        let mut offer = |feature, key: &str, value: &Value| {
            if has(feature) {
                offered[key] = value.clone();
            }
        };
        offer(Feature::DocumentSymbol, "documentSymbolProvider", &json!({"label": "seekwell"}));
        offer(Feature::WorkspaceSymbol, "workspaceSymbolProvider", &with_progress);
        offer(Feature::Definition, "definitionProvider", &with_progress);
        offer(Feature::Implementation, "implementationProvider", &with_progress);
        offer(Feature::References, "referencesProvider", &with_progress);
        offer(Feature::Hover, "hoverProvider", &with_progress);
        offer(Feature::CallHierarchy, "callHierarchyProvider", &with_progress);
        offer(Feature::DocumentHighlight, "documentHighlightProvider", &json!(true));
        offer(
            Feature::Search,
            "executeCommandProvider",
            &json!({"commands": [search::COMMAND], "workDoneProgress": true}),
        );
        if settings.pulls {
            let pulled =
                json!({"identifier": "seekwell", "interFileDependencies": false, "workspaceDiagnostics": false});
            offer(Feature::Diagnostics, "diagnosticProvider", &pulled);
        }
        offered
    }

    fn initialized(&mut self) {
        if self.world.settings.watches {
            let watch = json!({"watchers": [{"globPattern": "**/*"}]});
            let registration =
                json!({"id": "files", "method": "workspace/didChangeWatchedFiles", "registerOptions": watch});
            self.client.request("client/registerCapability", json!({"registrations": [registration]}));
        }
        for folder in self.world.folders.iter() {
            self.warm(folder);
        }
    }

    /// Opens folders beside those that are open.
    fn open_folders(&self, mut open: Vec<Arc<Folder>>, uris: &[Url], faults: &mut Vec<String>) -> Vec<Arc<Folder>> {
        for uri in uris {
            match Folder::open(uri, &self.options.tree) {
                Ok(folder) if open.iter().any(|other| other.path == folder.path) => {}
                Ok(folder) => open.push(Arc::new(folder)),
                Err(fault) => faults.push(fault),
            }
        }
        open
    }

    /// Has a tree read before the first question, and tells how that ended.
    fn warm(&self, folder: &Arc<Folder>) {
        let (client, folder) = (Arc::clone(&self.client), Arc::clone(folder));
        let shows = self.world.settings.progress;
        let started = pool::thread("warm", move || {
            let cancelled = Arc::new(AtomicBool::new(false));
            let title = format!("seekwell: {}", folder.name());
            let shown = if shows { client.begin(&title, Arc::clone(&cancelled)) } else { None };
            let work = Work::new(cancelled, shown);
            let first = StructureQuery::Symbols { text: String::new(), limit: 1 };
            match folder.live.structure(&first, None, &work) {
                Ok(outcome) => {
                    folder.was_read(true);
                    let generation = &outcome.generation;
                    work.end(&format!("{} files, {} symbols", generation.files, generation.symbols));
                }
                Err(_) if work.cancelled() => work.end("cancelled: it goes on with the next question"),
                Err(error) => {
                    work.end(&format!("failed: {error}"));
                    client.tell(Level::Error, &format!("seekwell: {}: {error}", folder.path.display()));
                }
            }
        });
        if let Err(error) = started {
            self.client.tell(Level::Warning, &format!("seekwell: no thread: {error}"));
        }
    }

    fn did_open(&mut self, params: DidOpenTextDocumentParams) {
        let of = params.text_document;
        self.world.edition += 1;
        let document = Document {
            path: uri::to_path(&of.uri),
            language: of.language_id,
            version: of.version,
            edition: self.world.edition,
            text: Text::new(of.text),
            uri: of.uri,
        };
        self.set(document);
    }

    fn set(&mut self, document: Document) {
        let key = document.uri.to_string();
        let settings = &self.world.settings;
        if settings.features.has(Feature::Diagnostics) && !settings.pulls {
            self.due.insert(key.clone(), Instant::now() + PAUSE);
        }
        Arc::make_mut(&mut self.world.documents).insert(key, Arc::new(document));
    }

    fn did_change(&mut self, params: DidChangeTextDocumentParams) -> Result<(), Failure> {
        let of = params.text_document;
        let Some(document) = self.world.documents.get(of.uri.as_str()) else {
            return Err(Failure::Params(format!("not open: {}", of.uri)));
        };
        if of.version < document.version {
            return Err(Failure::Params(format!(
                "version {} of {} comes after version {}",
                of.version, of.uri, document.version
            )));
        }
        let mut document = Document::clone(document);
        let encoding = self.world.settings.encoding;
        for change in params.content_changes {
            document.text = document.text.edited(change.range, &change.text, encoding);
        }
        self.world.edition += 1;
        document.version = of.version;
        document.edition = self.world.edition;
        self.ahead = Some(Instant::now() + PAUSE);
        self.set(document);
        Ok(())
    }

    fn did_close(&mut self, params: &DidCloseTextDocumentParams) {
        let key = params.text_document.uri.to_string();
        self.world.edition += 1;
        Arc::make_mut(&mut self.world.documents).remove(&key);
        self.due.remove(&key);
        let settings = &self.world.settings;
        if settings.features.has(Feature::Diagnostics) && !settings.pulls {
            let nothing = json!({"uri": params.text_document.uri, "diagnostics": []});
            self.client.notify("textDocument/publishDiagnostics", nothing);
        }
    }

    fn did_change_folders(&mut self, params: DidChangeWorkspaceFoldersParams) {
        let gone: Vec<_> = params.event.removed.iter().filter_map(|folder| uri::to_path(&folder.uri)).collect();
        let mut open: Vec<Arc<Folder>> = self.world.folders.to_vec();
        open.retain(|folder| !gone.contains(&folder.path));
        let before = open.len();
        let added: Vec<Url> = params.event.added.into_iter().map(|folder| folder.uri).collect();
        let mut faults = Vec::new();
        let open = self.open_folders(open, &added, &mut faults);
        for fault in faults {
            self.client.tell(Level::Warning, &format!("seekwell: {fault}"));
        }
        open[before..].iter().for_each(|folder| self.warm(folder));
        // Documents may belong to other folders now.
        self.world.edition += 1;
        self.world.folders = Arc::new(open);
    }

    /// Does what is due: diagnostics, and reading ahead.
    fn send_due(&mut self) {
        let now = Instant::now();
        if self.ahead.is_some_and(|at| at <= now) {
            self.ahead = None;
            let world = self.world.clone();
            self.pool.run(move || world.folders.iter().for_each(|folder| folder.read_ahead(&world, AHEAD)));
        }
        let (ready, later) = std::mem::take(&mut self.due).into_iter().partition(|(_, at)| *at <= now);
        self.due = later;
        let ready: BTreeMap<String, Instant> = ready;
        for (key, _) in ready {
            let Some(document) = self.world.documents.get(&key).cloned() else { continue };
            let (world, client) = (self.world.clone(), Arc::clone(&self.client));
            self.pool.run(move || {
                let found = catch_unwind(AssertUnwindSafe(|| diagnostics::of(&world, &document.uri)));
                if let Ok(Ok(found)) = found {
                    let params = json!({"uri": document.uri, "version": document.version, "diagnostics": found});
                    client.notify("textDocument/publishDiagnostics", params);
                }
            });
        }
    }
}

/// Answers a request.
fn answer(world: &World, method: &str, params: Value, work: &Work) -> Result<Value, Failure> {
    match method {
        "textDocument/documentSymbol" => written(symbols::document(world, read(params)?)),
        "workspace/symbol" => written(symbols::workspace(world, read(params)?, work)),
        "textDocument/definition" => written(places::definition(world, read(params)?, work)),
        "textDocument/implementation" => written(places::implementation(world, read(params)?, work)),
        "textDocument/references" => written(places::references(world, read(params)?, work)),
        "textDocument/hover" => written(hover::hover(world, read(params)?, work)),
        "textDocument/documentHighlight" => written(highlight::highlight(world, read(params)?)),
        "textDocument/diagnostic" => written(diagnostics::report(world, read(params)?)),
        "textDocument/prepareCallHierarchy" => written(calls::prepare(world, read(params)?, work)),
        "callHierarchy/incomingCalls" => written(calls::incoming(world, read(params)?, work)),
        "callHierarchy/outgoingCalls" => written(calls::outgoing(world, read(params)?, work)),
        "workspace/executeCommand" => {
            let params: lsp_types::ExecuteCommandParams = read(params)?;
            if params.command != search::COMMAND {
                let why = format!("not a command of this server: {}; there is {}", params.command, search::COMMAND);
                return Err(Failure::Params(why));
            }
            search::search(world, &params.arguments, work)
        }
        _ => Err(Failure::Internal(format!("no answer for {method}"))),
    }
}

fn read<T: DeserializeOwned>(params: Value) -> Result<T, Failure> {
    serde_json::from_value(params).map_err(|e| Failure::Params(e.to_string()))
}

fn written(result: Result<impl Serialize, Failure>) -> Result<Value, Failure> {
    result.and_then(|result| serde_json::to_value(result).map_err(|e| Failure::Internal(e.to_string())))
}
