//! The protocol's side: what the server says of itself, and how a call becomes work on a thread of its own.

use std::collections::{BTreeMap, HashSet};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::{Path, PathBuf};
use std::pin::pin;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use rmcp::model::{
    CacheScope, CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, CustomRequest, CustomResult,
    DiscoverResult, ErrorCode, ErrorData, Implementation, JsonObject, ListResourceTemplatesResult, ListResourcesResult,
    ListToolsResult, PaginatedRequestParams, ProgressNotificationParam, ReadResourceRequestParams,
    ReadResourceResponse, ReadResourceResult, RequestId, ResourceContents, ResourceTemplate, ServerCapabilities,
    ServerConfig, Tool,
};
use rmcp::service::RequestContext;
use rmcp::{RoleServer, ServerHandler};
use tokio::sync::{Notify, Semaphore};
use tokio_util::sync::CancellationToken;

use super::answer::{self, LEAST, MOST, USUAL};
use super::arguments::{Given, relative};
use super::run::{self, Call, Found, Refusal};
use super::tools::{self, Entry, INSTRUCTIONS, TOOLS};
use crate::cli::args::WalkArgs;
use crate::cli::ask;
use crate::component::config::THREAD_STACK;
use crate::config;
use crate::progress::Progress;
use crate::session::{Live, LiveOptions};
use seekwell_settings::nearest;

/// How long a client may keep the list of tools, in milliseconds: as long as the program is the same it is the same list.
const TOOLS_TTL: u64 = 3_600_000;

/// How long a client may keep the text of a file, in milliseconds: the next call may already find it changed.
const FILE_TTL: u64 = 1_000;

/// How often progress is told.
const TELL: Duration = Duration::from_millis(200);

/// Calls that run at the same time. Each uses all cores; more of them only wait on each other, and hold memory.
const AT_ONCE: usize = 4;

/// What all connections of a server share.
pub struct State {
    /// The open folders, or why there are none.
    roots: Result<Vec<PathBuf>, String>,
    /// The trees that were asked, with the settings they were opened with.
    trees: Mutex<BTreeMap<PathBuf, (LiveOptions, Arc<Live>)>>,
    permits: Semaphore,
    /// Nobody will ask any more.
    ended: Notify,
    has_ended: AtomicBool,
    /// Nobody waits for an answer any more.
    closing: CancellationToken,
    running: AtomicUsize,
    /// What was asked over standard input and is not answered, nor cancelled.
    unanswered: Mutex<HashSet<RequestId>>,
    finished: Notify,
}

impl State {
    /// The state of a server for these folders.
    pub fn new(roots: Result<Vec<PathBuf>, String>) -> Arc<Self> {
        Arc::new(Self {
            roots,
            trees: Mutex::default(),
            permits: Semaphore::new(AT_ONCE),
            ended: Notify::new(),
            has_ended: AtomicBool::new(false),
            closing: CancellationToken::new(),
            running: AtomicUsize::new(0),
            unanswered: Mutex::default(),
            finished: Notify::new(),
        })
    }

    /// The input is at its end: nobody will ask any more.
    pub fn input_ended(&self) {
        self.has_ended.store(true, Ordering::SeqCst);
        self.ended.notify_waiters();
        self.ended.notify_one();
    }

    /// Until the input is at its end.
    pub async fn ended(&self) {
        while !self.has_ended.load(Ordering::SeqCst) {
            self.ended.notified().await;
        }
    }

    /// A request was read.
    pub fn asked(&self, id: &RequestId) {
        self.unanswered.lock().unwrap_or_else(PoisonError::into_inner).insert(id.clone());
    }

    /// A request was answered, or nobody waits for its answer any more.
    pub fn answered(&self, id: Option<&RequestId>) {
        if let Some(id) = id {
            self.unanswered.lock().unwrap_or_else(PoisonError::into_inner).remove(id);
            self.finished.notify_waiters();
        }
    }

    /// Until no call is running.
    pub async fn idle(&self) {
        self.until(|| self.running.load(Ordering::SeqCst) == 0).await;
    }

    /// Until no call is running and all that was asked is answered.
    pub async fn done(&self) {
        let answered = || self.unanswered.lock().unwrap_or_else(PoisonError::into_inner).is_empty();
        self.until(|| answered() && self.running.load(Ordering::SeqCst) == 0).await;
    }

    /// Until something holds that is told of by `finished`.
    async fn until(&self, holds: impl Fn() -> bool) {
        loop {
            let mut notified = pin!(self.finished.notified());
            // What is told between the look and the wait must not be missed.
            notified.as_mut().enable();
            if holds() {
                return;
            }
            notified.await;
        }
    }

    /// Ends all work.
    pub fn close(&self) {
        self.closing.cancel();
    }

    /// What is cancelled when all work is to end.
    pub fn closing(&self) -> &CancellationToken {
        &self.closing
    }

    /// The tree of a root, opened with the settings it has now. Nothing of it is read here but these.
    fn tree(&self, root: &Path) -> Result<Arc<Live>, Refusal> {
        let config = config::load(root).map_err(|e| Refusal::Told(format!("settings: {e}")))?;
        let store = config.store.unwrap_or_default();
        let options = LiveOptions { walk: ask::walk(&WalkArgs::default(), config), store };
        let mut trees = self.trees.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((as_opened, live)) = trees.get(root)
            && *as_opened == options
        {
            return Ok(live.clone());
        }
        let live = Live::open(root, options.clone())?;
        trees.insert(root.to_owned(), (options, live.clone()));
        Ok(live)
    }

    /// The roots that a call is about: the one that is named, else all, in order.
    fn roots_for(&self, named: Option<&str>) -> Result<Vec<PathBuf>, String> {
        let roots = self.roots.clone()?;
        let Some(named) = named else { return Ok(roots) };
        let typed = named.trim_end_matches('/');
        let typed = typed.strip_prefix("file://").unwrap_or(typed);
        let same = |root: &&PathBuf| {
            root.as_path() == Path::new(typed)
                || root.file_name().is_some_and(|name| name.to_string_lossy() == typed)
                || matches!(typed, "" | ".") && roots.first() == Some(*root)
                || Path::new(typed).canonicalize().is_ok_and(|path| path == **root)
        };
        match roots.iter().find(same) {
            Some(root) => Ok(vec![root.clone()]),
            None => {
                let open: Vec<String> = roots.iter().map(|root| root.display().to_string()).collect();
                let shown = answer::cut(&answer::one_line(typed), 200);
                let below = if open.iter().any(|root| Path::new(typed).starts_with(root)) {
                    "; for a folder below one pass `path`"
                } else {
                    ""
                };
                Err(format!("`root` {shown} is not open; open are: {}{below}", open.join(", ")))
            }
        }
    }

    /// The file of an address, the root it is in, and the lines that are meant.
    fn file_of(&self, uri: &str) -> Option<(PathBuf, String, (u32, u32))> {
        let (path, lines) = uri.strip_prefix("file://")?.split_once('#').unwrap_or((uri.strip_prefix("file://")?, ""));
        let path = decoded(path);
        let mut numbers = lines.split('-').map(|part| part.trim_start_matches('L').parse::<u32>().ok());
        let first = numbers.next().flatten();
        let last = numbers.next().flatten().or(first);
        let lines = (first.unwrap_or(1), last.unwrap_or(u32::MAX - 1));
        let roots = self.roots.as_ref().ok()?;
        let root =
            roots.iter().filter(|root| Path::new(&path).starts_with(root)).max_by_key(|root| root.as_os_str().len())?;
        let inner = relative(&path, root).ok()?;
        Some((root.clone(), inner, lines))
    }
}

/// Percent-encoding undone.
fn decoded(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let Some((&byte, after)) = rest.split_first() {
        let code = (byte == b'%').then(|| after.get(..2)).flatten();
        let code = code.and_then(|digits| std::str::from_utf8(digits).ok());
        match code.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(value) => {
                bytes.push(value);
                rest = &after[2..];
            }
            None => {
                bytes.push(byte);
                rest = after;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// A connection's server.
#[derive(Clone)]
pub struct Server {
    state: Arc<State>,
}

/// How far a call has come: written by the thread that works, read by the one that tells the client.
struct Told {
    cancelled: CancellationToken,
    closing: CancellationToken,
    stage: Mutex<String>,
    /// Steps of the stages before this one.
    before: AtomicU64,
    done: AtomicU64,
    total: AtomicU64,
}

impl Progress for Told {
    fn stage(&self, name: &str, total: u64) {
        name.clone_into(&mut self.stage.lock().unwrap_or_else(PoisonError::into_inner));
        self.before.store(self.done.load(Ordering::Relaxed), Ordering::Relaxed);
        self.total.store(total, Ordering::Relaxed);
    }

    fn advance(&self, steps: u64) {
        self.done.fetch_add(steps, Ordering::Relaxed);
    }

    fn cancelled(&self) -> bool {
        self.cancelled.is_cancelled() || self.closing.is_cancelled()
    }
}

/// Counts a call while it runs.
struct Running(Arc<State>);

impl Running {
    fn begin(state: &Arc<State>) -> Self {
        state.running.fetch_add(1, Ordering::SeqCst);
        Self(state.clone())
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.0.running.fetch_sub(1, Ordering::SeqCst);
        self.0.finished.notify_waiters();
    }
}

impl Server {
    /// A server on a state.
    pub fn new(state: Arc<State>) -> Self {
        Self { state }
    }

    /// Does a call on a thread for blocking work, and tells how far it has come.
    async fn call(
        &self,
        entry: &'static Entry,
        arguments: JsonObject,
        context: &RequestContext<RoleServer>,
    ) -> Result<CallToolResult, Refusal> {
        let _running = Running::begin(&self.state);
        let given = Given::check(entry.name, &entry.all(), arguments)?;
        let budget = given.number_in("budget", LEAST..=MOST, USUAL)?;
        let roots = self.state.roots_for(given.text("root"))?;
        let told = Arc::new(Told {
            cancelled: context.ct.clone(),
            closing: self.state.closing.clone(),
            stage: Mutex::default(),
            before: AtomicU64::new(0),
            done: AtomicU64::new(0),
            total: AtomicU64::new(0),
        });
        let _permit = tokio::select! {
            permit = self.state.permits.acquire() => permit.map_err(|_| Refusal::Cancelled)?,
            () = context.ct.cancelled() => return Err(Refusal::Cancelled),
            () = self.state.closing.cancelled() => return Err(Refusal::Cancelled),
        };
        let (state, progress) = (self.state.clone(), told.clone());
        let work = move || {
            let _running = Running::begin(&state);
            guarded(entry.name, || on_roots(&state, entry, &given, &roots, budget, progress.as_ref()))
        };
        let mut work = tokio::task::spawn_blocking(work);
        let token = context.meta.get_progress_token();
        let mut shown = 0;
        loop {
            tokio::select! {
                done = &mut work => {
                    return done.unwrap_or_else(|_| Err(Refusal::Told(format!("{} failed inside; please report it", entry.name))));
                }
                () = context.ct.cancelled() => return Err(Refusal::Cancelled),
                () = self.state.closing.cancelled() => return Err(Refusal::Cancelled),
                () = tokio::time::sleep(TELL), if token.is_some() => {}
            }
            let Some(token) = &token else { continue };
            let done = told.done.load(Ordering::Relaxed);
            // Only what has grown is progress.
            if done > shown {
                shown = done;
                let total = told.total.load(Ordering::Relaxed);
                let stage = told.stage.lock().unwrap_or_else(PoisonError::into_inner).clone();
                let mut told_now = ProgressNotificationParam::new(token.clone(), done as f64).with_message(stage);
                if total > 0 {
                    told_now = told_now.with_total((told.before.load(Ordering::Relaxed) + total).max(done) as f64);
                }
                let _ = context.peer.notify_progress(told_now).await;
            }
        }
    }
}

/// Does work that may fall: who asked is told, and the server goes on.
fn guarded(tool: &str, work: impl FnOnce() -> Result<CallToolResult, Refusal>) -> Result<CallToolResult, Refusal> {
    let fell = |_| Err(Refusal::Told(format!("{tool} failed inside; other questions still work, please report it")));
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(fell)
}

/// Of several roots that are asked at once, one: its answer is wanted until one before it has one.
struct OneOf<'a> {
    number: usize,
    /// The first root that has an answer, so far.
    answered: &'a AtomicUsize,
    progress: &'a dyn Progress,
}

impl Progress for OneOf<'_> {
    fn stage(&self, name: &str, total: u64) {
        self.progress.stage(name, total);
    }

    fn advance(&self, steps: u64) {
        self.progress.advance(steps);
    }

    fn cancelled(&self) -> bool {
        self.answered.load(Ordering::Relaxed) < self.number || self.progress.cancelled()
    }
}

/// Asks all roots at once; the first of them that has something answers. With one root, or a named one, that is this one.
fn on_roots(
    state: &State,
    entry: &'static Entry,
    given: &Given,
    roots: &[PathBuf],
    budget: u32,
    progress: &dyn Progress,
) -> Result<CallToolResult, Refusal> {
    let open = state.roots.as_deref().unwrap_or_default();
    let answered = AtomicUsize::new(usize::MAX);
    let one = |number: usize| {
        let progress = OneOf { number, answered: &answered, progress };
        let live = state.tree(&roots[number])?;
        let found = run::run(&Call { entry, given, live: &live, roots: open, progress: &progress, budget })?;
        if !found.nothing {
            answered.fetch_min(number, Ordering::Relaxed);
        }
        Ok(found)
    };
    let one = &one;
    let all: Vec<Result<Found, Refusal>> = match roots {
        [] => Vec::new(),
        [_] => vec![one(0)],
        _ => thread::scope(|scope| {
            let ask = |number| {
                let thread = thread::Builder::new().stack_size(THREAD_STACK);
                thread.spawn_scoped(scope, move || one(number)).map_err(|e| e.to_string())
            };
            let asked: Vec<_> = (0..roots.len()).map(ask).collect();
            let result = |thread: thread::ScopedJoinHandle<'_, _>| thread.join().unwrap_or_else(|e| resume_unwind(e));
            asked.into_iter().map(|thread| result(thread?)).collect()
        }),
    };
    // What the first root says counts, unless it refused and another did not.
    let rank = |result: &Result<Found, Refusal>| match result {
        Ok(found) if !found.nothing => 0,
        Ok(_) => 1,
        Err(Refusal::Told(_)) => 2,
        Err(Refusal::Cancelled) => 3,
    };
    if progress.cancelled() {
        return Err(Refusal::Cancelled);
    }
    match all.into_iter().min_by_key(rank) {
        Some(answer) => answer.map(|found| found.result),
        None => Err(Refusal::Told("no folder is open; start the server with --root DIR".to_owned())),
    }
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder().enable_tools().enable_resources().build();
        let name = Implementation::new("seekwell", env!("CARGO_PKG_VERSION")).with_title("seekwell");
        ServerConfig::new(capabilities).with_server_info(name).with_instructions(INSTRUCTIONS)
    }

    async fn discover(&self, _context: RequestContext<RoleServer>) -> Result<DiscoverResult, ErrorData> {
        let versions = self.supported_protocol_versions().into_owned();
        let mut result = DiscoverResult::from_server_info(versions, self.get_info()).with_ttl_ms(TOOLS_TTL);
        result.cache_scope = CacheScope::Public;
        Ok(result)
    }

    async fn list_tools(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let tools: Vec<Tool> = TOOLS.iter().map(Entry::tool).collect();
        Ok(ListToolsResult::with_all_items(tools).with_ttl_ms(TOOLS_TTL).with_cache_scope(CacheScope::Public))
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        tools::of_name(name).map(Entry::tool)
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let Some(entry) = tools::of_name(&request.name) else {
            let near = nearest(&request.name, TOOLS.iter().map(|entry| entry.name));
            let mean = near.first().map_or_else(String::new, |name| format!("; did you mean {name}?"));
            let name = answer::cut(&answer::one_line(&request.name), 60);
            return Err(ErrorData::invalid_params(format!("unknown tool: {name}{mean}"), None));
        };
        match self.call(entry, request.arguments.unwrap_or_default(), &context).await {
            Ok(result) => Ok(result.into()),
            Err(Refusal::Told(text)) => {
                let text = answer::cut(&answer::one_line(&text), 2_000);
                Ok(CallToolResult::error(vec![ContentBlock::text(text)]).into())
            }
            // A client that has cancelled gets no answer; one that is still there is told.
            Err(Refusal::Cancelled) => Err(ErrorData::internal_error("cancelled", None)),
        }
    }

    async fn on_custom_request(
        &self,
        request: CustomRequest,
        _context: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        // A request of ours with parameters that it cannot have arrives as one that nobody knows.
        let method = request.method;
        if matches!(method.split_once('/'), Some(("tools" | "resources" | "server", _))) || method == "initialize" {
            return Err(ErrorData::invalid_params(
                format!("the parameters of {method} are not as they should be"),
                None,
            ));
        }
        Err(ErrorData::new(ErrorCode::METHOD_NOT_FOUND, method, None))
    }

    async fn list_resources(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        // A tree has too many files for a list: answers link to those that matter.
        Ok(ListResourcesResult::default().with_ttl_ms(TOOLS_TTL).with_cache_scope(CacheScope::Public))
    }

    async fn list_resource_templates(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        let template = ResourceTemplate::new("file://{+path}", "file")
            .with_description("A file below an open root; #L10-L20 chooses lines.");
        let result = ListResourceTemplatesResult::with_all_items(vec![template]);
        Ok(result.with_ttl_ms(TOOLS_TTL).with_cache_scope(CacheScope::Public))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let uri = request.uri.clone();
        let missing = || {
            ErrorData::resource_not_found(format!("no such file below an open root: {}", answer::cut(&uri, 300)), None)
        };
        let (root, path, lines) = self.state.file_of(&request.uri).ok_or_else(missing)?;
        let state = self.state.clone();
        let work = tokio::task::spawn_blocking(move || {
            let live = state.tree(&root).ok()?;
            run::text_of(&live, &path, lines)
        });
        let text = work.await.ok().flatten().ok_or_else(missing)?;
        let contents = ResourceContents::text(text, request.uri);
        let result =
            ReadResourceResult::new(vec![contents]).with_ttl_ms(FILE_TTL).with_cache_scope(CacheScope::Private);
        Ok(result.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn state(roots: &[&str]) -> Arc<State> {
        State::new(Ok(roots.iter().map(PathBuf::from).collect()))
    }

    #[test]
    fn a_panic_is_an_answer() {
        let fallen = guarded("scan_text", || panic!("a fault"));
        assert!(matches!(fallen, Err(Refusal::Told(text)) if text.starts_with("scan_text failed inside")));
    }

    #[test]
    fn roots_by_path_or_by_name() {
        let state = state(&["/w/app", "/w/lib"]);
        let one = |named: &str| state.roots_for(Some(named)).map(|roots| roots[0].clone());
        assert_eq!(state.roots_for(None).unwrap().len(), 2);
        assert_eq!(one("lib"), Ok("/w/lib".into()));
        assert_eq!(one("/w/lib/"), Ok("/w/lib".into()));
        assert_eq!(one("."), Ok("/w/app".into()));
        assert_eq!(one("/etc").unwrap_err(), "`root` /etc is not open; open are: /w/app, /w/lib");
        assert!(one("/w/lib/src").unwrap_err().ends_with("for a folder below one pass `path`"));
    }

    #[test]
    fn addresses_lead_to_files_below_a_root_only() {
        let state = state(&["/w/app"]);
        assert_eq!(
            state.file_of("file:///w/app/a%20b/%C3%A4.rs#L3-L7"),
            Some(("/w/app".into(), "a b/ä.rs".to_owned(), (3, 7)))
        );
        assert_eq!(state.file_of("file:///w/app/a.rs").unwrap().2, (1, u32::MAX - 1));
        for outside in ["file:///etc/passwd", "file:///w/app/../x", "file:///w/apple/x", "http://w/app/a", "%"] {
            assert_eq!(state.file_of(outside), None, "{outside}");
        }
    }
}
