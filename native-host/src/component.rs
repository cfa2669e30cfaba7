//! The engine in wasmtime: loaded from a file that was compiled ahead, contained by limits, one instance a thread.
//!
//! Containment: a file that makes an instance trap, or grow past its limit, costs that file its structure. The instance is
//! dropped, since nothing in it can be trusted any more, and the file is analysed once more as plain text in a new one.
//! Analysis and corpus are different instances, so that no file can take the corpus with it.

mod artefact;
pub mod config;
mod convert;
mod structure;

pub use artefact::cache_folder;

use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use seekwell_types::structure::{Occurrence, StructureAnswer, StructureQuery, SyntaxError, Token};
use seekwell_types::{Answer, ByteSpan, Generation, LineSpan, Query};
use wasmtime::component::{Linker, ResourceAny};
use wasmtime::{ResourceLimiter, Store, Trap};

use crate::engine::{
    Analysed, Change, Engine, Failed, FileMatches, Measurement, Needle, Rejected, Rest, Snapshot, Worker, Workspace,
};
use crate::session::LanguageInfo;

#[allow(missing_docs, unsafe_code, clippy::all, reason = "generated")]
mod generated {
    wasmtime::component::bindgen!({ world: "standalone", path: "../wit" });
}

use generated::exports::seekwell::engine::corpus::Updated;
use generated::exports::seekwell::engine::{analysis, types};
use generated::{Standalone, StandalonePre};

/// Memory of an instance that analyses, in bytes. A file of the largest size that is read needs a tenth of it; what
/// needs more was made to.
const ANALYSIS_MEMORY: usize = 512 << 20;

/// Memory of the instance that holds the corpus, in bytes: what 32 bits can address, less a page for the limit to be seen.
const CORPUS_MEMORY: usize = (4 << 30) - (64 << 10);

/// An instance that has grown past this is dropped after the file that did it: linear memory never shrinks.
const RECYCLED_MEMORY: usize = 96 << 20;

/// Instances that are kept for whoever works next, at most. What an instance has compiled for a language takes as long to make as
/// several files to analyse; but each holds memory while nobody asks.
const IDLE_INSTANCES: usize = 2;

/// The component, ready to be instantiated from any thread.
pub struct Component {
    engine: wasmtime::Engine,
    ready: StandalonePre<Limits>,
    /// Instances without work. They remember nothing of the files they have seen.
    idle: Mutex<Vec<Instance>>,
}

impl Component {
    /// Loads the component that this binary carries.
    pub fn load() -> Result<Self, Failed> {
        let engine = wasmtime::Engine::new(&config::config()).map_err(failed)?;
        let component = artefact::load(&engine)?;
        Self::ready(engine, &component)
    }

    /// Loads a component that was compiled ahead by this version's xtask, for measuring one build against another. The
    /// file is trusted: its code runs as this process.
    pub fn load_file(path: &std::path::Path) -> Result<Self, Failed> {
        let engine = wasmtime::Engine::new(&config::config()).map_err(failed)?;
        let component = artefact::load_file(&engine, path)?;
        Self::ready(engine, &component)
    }

    fn ready(engine: wasmtime::Engine, component: &wasmtime::component::Component) -> Result<Self, Failed> {
        let ready = Linker::new(&engine).instantiate_pre(component).and_then(StandalonePre::new).map_err(failed)?;
        Ok(Self { engine, ready, idle: Mutex::default() })
    }

    /// The component of this process, loaded at its first use.
    pub fn shared() -> Result<&'static Self, Failed> {
        static SHARED: OnceLock<Result<Component, Failed>> = OnceLock::new();
        SHARED.get_or_init(Self::load).as_ref().map_err(Clone::clone)
    }

    /// Gives back the memory of instances that have nothing to do.
    pub fn rest(&self) {
        let idle = std::mem::take(&mut *self.idle());
        drop(idle);
    }

    fn idle(&self) -> MutexGuard<'_, Vec<Instance>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn instance(&self, memory: usize) -> Result<Instance, Failed> {
        let mut store = Store::new(&self.engine, Limits { memory, used: 0, refused: false });
        store.limiter(|limits| limits);
        let bindings = self.ready.instantiate(&mut store).map_err(failed)?;
        Ok(Instance { store, bindings })
    }
}

impl Engine for Component {
    fn worker(&self) -> Result<Box<dyn Worker + '_>, Failed> {
        Ok(Box::new(ComponentWorker { component: self, instance: None }))
    }

    fn fingerprint(&self) -> &str {
        artefact::ENGINE_HASH
    }

    fn workspace(&self, vectors: bool) -> Result<Box<dyn Workspace + '_>, Failed> {
        let Instance { mut store, bindings } = self.instance(CORPUS_MEMORY)?;
        let resource = bindings.seekwell_engine_corpus().workspace();
        let handle = resource.call_constructor(&mut store, vectors).map_err(failed)?;
        Ok(Box::new(ComponentWorkspace { store, bindings, handle }))
    }
}

struct Instance {
    store: Store<Limits>,
    bindings: Standalone,
}

/// What one instance may have, and has.
struct Limits {
    memory: usize,
    used: usize,
    refused: bool,
}

impl ResourceLimiter for Limits {
    fn memory_growing(&mut self, _current: usize, desired: usize, _maximum: Option<usize>) -> wasmtime::Result<bool> {
        let grants = desired <= self.memory;
        self.refused |= !grants;
        if grants {
            self.used = desired;
        }
        Ok(grants)
    }

    fn table_growing(&mut self, _current: usize, _desired: usize, _maximum: Option<usize>) -> wasmtime::Result<bool> {
        Ok(true)
    }
}

struct ComponentWorker<'c> {
    component: &'c Component,
    instance: Option<Instance>,
}

impl Drop for ComponentWorker<'_> {
    fn drop(&mut self) {
        let Some(instance) = self.instance.take() else { return };
        let mut idle = self.component.idle();
        if idle.len() < IDLE_INSTANCES {
            idle.push(instance);
        }
    }
}

impl ComponentWorker<'_> {
    /// Calls into the instance, making one if there is none. After a trap, or when it has grown, it is dropped.
    fn call<T>(&mut self, call: impl FnOnce(&mut Instance) -> wasmtime::Result<T>) -> Result<T, Trapped> {
        let instance = match &mut self.instance {
            Some(instance) => instance,
            none => {
                let idle = self.component.idle().pop();
                none.insert(match idle {
                    Some(instance) => instance,
                    None => self.component.instance(ANALYSIS_MEMORY).map_err(Trapped::Failed)?,
                })
            }
        };
        let result = call(instance);
        let limits = instance.store.data();
        let (used, refused) = (limits.used, limits.refused);
        if result.is_err() || used > RECYCLED_MEMORY {
            self.instance = None;
        }
        result.map_err(|error| Trapped::of(&error, refused))
    }

    /// Has a file analysed by `call`, and if it brings the instance down, once more as plain text.
    fn contained<T>(
        &mut self,
        vectors: bool,
        call: impl Fn(&mut Instance, &analysis::Options) -> wasmtime::Result<Result<T, analysis::Rejection>>,
    ) -> Result<T, Rejected> {
        let options = |degrade: Option<&str>| analysis::Options { vectors, degrade: degrade.map(str::to_owned) };
        let first = self.call(|instance| call(instance, &options(None)));
        let second = match first {
            Ok(analysed) => Ok(analysed),
            Err(Trapped::Guest(reason, _)) => self.call(|instance| call(instance, &options(Some(reason)))),
            Err(failed) => Err(failed),
        };
        match second {
            Ok(analysed) => analysed.map_err(|analysis::Rejection::Binary| Rejected::Binary),
            Err(Trapped::Guest(reason, _)) => Err(Rejected::Limit(reason.to_owned())),
            Err(Trapped::Failed(failed)) => Err(Rejected::Failed(failed)),
        }
    }
}

/// How a call ended that did not return.
enum Trapped {
    /// The guest trapped; the word for the reason.
    Guest(&'static str, String),
    /// There was no instance to call.
    Failed(Failed),
}

impl Trapped {
    fn of(error: &wasmtime::Error, refused: bool) -> Self {
        let reason = match error.downcast_ref::<Trap>() {
            _ if refused => "memory",
            Some(Trap::StackOverflow) => "stack",
            _ => "trap",
        };
        Self::Guest(reason, format!("{error:?}"))
    }

    fn into_failed(self) -> Failed {
        match self {
            Self::Guest(_, words) => Failed::Other(words),
            Self::Failed(failed) => failed,
        }
    }
}

impl Worker for ComponentWorker<'_> {
    fn analyse(&mut self, path: &str, bytes: &[u8], vectors: bool) -> Result<Vec<u8>, Rejected> {
        self.contained(vectors, |instance, options| {
            instance.bindings.seekwell_engine_analysis().call_analyse(&mut instance.store, path, bytes, options)
        })
    }

    fn analyse_to_keep(&mut self, path: &str, bytes: &[u8], vectors: bool) -> Result<Analysed, Rejected> {
        let analysed = self.contained(vectors, |instance, options| {
            let analysis = instance.bindings.seekwell_engine_analysis();
            analysis.call_analyse_to_keep(&mut instance.store, path, bytes, options)
        })?;
        Ok(Analysed { analysis: analysed.analysis, skeleton: analysed.skeleton })
    }

    fn analyse_again(&mut self, path: &str, bytes: &[u8], skeleton: &[u8], vectors: bool) -> Option<Vec<u8>> {
        let again = |instance: &mut Instance| {
            let analysis = instance.bindings.seekwell_engine_analysis();
            analysis.call_analyse_again(&mut instance.store, path, bytes, skeleton, vectors)
        };
        self.call(again).ok().flatten()
    }

    fn scan(&mut self, bytes: &[u8], needle: &Needle) -> Result<Option<Vec<ByteSpan>>, Failed> {
        let needle = convert::needle_in(needle);
        let scanned = self
            .call(|instance| instance.bindings.seekwell_engine_scan().call_scan(&mut instance.store, bytes, &needle))
            .map_err(Trapped::into_failed)?;
        let own = |spans: Vec<types::ByteSpan>| spans.into_iter().map(convert::byte_span).collect();
        scanned.map(|spans| spans.map(own)).map_err(convert::error)
    }

    fn admits(&mut self, query: &Query, path: &str, bytes: &[u8]) -> Result<bool, Failed> {
        let query = convert::query(query);
        let admits = |instance: &mut Instance| {
            instance.bindings.seekwell_engine_search().call_admits(&mut instance.store, &query, path, bytes)
        };
        self.call(admits).map_err(Trapped::into_failed)?.map_err(convert::error)
    }

    fn snippet(&mut self, bytes: &[u8], lines: LineSpan) -> Result<String, Failed> {
        let lines = types::LineSpan { start: lines.start, end: lines.end };
        self.call(|instance| instance.bindings.seekwell_engine_search().call_snippet(&mut instance.store, bytes, lines))
            .map_err(Trapped::into_failed)
    }

    fn needle_of(&mut self, query: &Query) -> Result<Option<Needle>, Failed> {
        let query = convert::query(query);
        let needle = self
            .call(|instance| instance.bindings.seekwell_engine_scan().call_needle_of(&mut instance.store, &query))
            .map_err(Trapped::into_failed)?;
        Ok(needle.map(convert::needle))
    }

    fn path_class(&mut self, path: &str) -> Result<String, Failed> {
        self.call(|instance| instance.bindings.seekwell_engine_analysis().call_path_class(&mut instance.store, path))
            .map_err(Trapped::into_failed)
    }

    fn occurrences(&mut self, path: &str, bytes: &[u8], name: &str) -> Result<Option<Vec<Occurrence>>, Failed> {
        let found = self
            .call(|instance| {
                let structure = instance.bindings.seekwell_engine_structure();
                structure.call_occurrences(&mut instance.store, path, bytes, name)
            })
            .map_err(Trapped::into_failed)?;
        Ok(found.map(|found| found.into_iter().map(structure::occurrence).collect()))
    }

    fn token_at(&mut self, path: &str, bytes: &[u8], line: u32, column: u32) -> Result<Option<Token>, Failed> {
        let token = self
            .call(|instance| {
                let structure = instance.bindings.seekwell_engine_structure();
                structure.call_token_at(&mut instance.store, path, bytes, line, column)
            })
            .map_err(Trapped::into_failed)?;
        Ok(token.map(structure::token))
    }

    fn syntax_errors(&mut self, path: &str, bytes: &[u8]) -> Result<Vec<SyntaxError>, Failed> {
        let errors = self
            .call(|instance| {
                let structure = instance.bindings.seekwell_engine_structure();
                structure.call_syntax_errors(&mut instance.store, path, bytes)
            })
            .map_err(Trapped::into_failed)?;
        Ok(errors.into_iter().map(structure::syntax_error).collect())
    }

    fn languages(&mut self) -> Result<Vec<LanguageInfo>, Failed> {
        let languages = self
            .call(|instance| instance.bindings.seekwell_engine_analysis().call_languages(&mut instance.store))
            .map_err(Trapped::into_failed)?;
        Ok(languages.into_iter().map(convert::language).collect())
    }
}

struct ComponentWorkspace {
    store: Store<Limits>,
    bindings: Standalone,
    handle: ResourceAny,
}

impl Workspace for ComponentWorkspace {
    fn add(&mut self, path: &str, analysis: &[u8]) -> Result<(), Failed> {
        let workspace = self.bindings.seekwell_engine_corpus().workspace();
        workspace.call_add(&mut self.store, self.handle, path, analysis).map_err(failed)?.map_err(convert::error)
    }

    fn commit(&mut self) -> Result<Generation, Failed> {
        let workspace = self.bindings.seekwell_engine_corpus().workspace();
        let generation = workspace.call_commit(&mut self.store, self.handle).map_err(failed)?;
        generation.map(convert::generation).map_err(convert::error)
    }

    fn snapshot(&mut self) -> Result<Option<Snapshot>, Failed> {
        let workspace = self.bindings.seekwell_engine_corpus().workspace();
        let snapshot = workspace.call_snapshot(&mut self.store, self.handle).map_err(failed)?;
        snapshot.map(|snapshot| snapshot.map(convert::snapshot)).map_err(convert::error)
    }

    fn update(&mut self, changes: &[Change], rest: &dyn Rest) -> Result<Generation, Failed> {
        let changes: Vec<_> = changes.iter().map(convert::change).collect();
        let workspace = self.bindings.seekwell_engine_corpus().workspace();
        let begun = workspace.call_begin_update(&mut self.store, self.handle, &changes).map_err(failed)?;
        let mut needs = begun.map_err(convert::error)?;
        loop {
            let parts = needs.into_iter().map(|number| rest.part(number as usize)).collect::<Option<Vec<_>>>();
            let parts = parts.ok_or(Failed::Snapshot)?;
            let updated = workspace.call_update(&mut self.store, self.handle, &parts).map_err(failed)?;
            match updated.map_err(convert::error)? {
                Updated::Needs(more) => needs = more,
                Updated::Done(generation) => return Ok(convert::generation(generation)),
            }
        }
    }

    fn receive(&mut self, bytes: &[u8], left: usize) -> Result<(), Failed> {
        let workspace = self.bindings.seekwell_engine_corpus().workspace();
        let left = u32::try_from(left).map_err(|_| Failed::Snapshot)?;
        workspace.call_receive(&mut self.store, self.handle, bytes, left).map_err(failed)
    }

    fn restore(&mut self, searchable: &[u8]) -> Result<Generation, Failed> {
        let workspace = self.bindings.seekwell_engine_corpus().workspace();
        let restored = workspace.call_restore(&mut self.store, self.handle, searchable).map_err(failed)?;
        restored.map(convert::generation).map_err(convert::error)
    }

    fn find(&mut self, query: &Query, matches: &[FileMatches]) -> Result<Answer, Failed> {
        let matches: Vec<_> = matches.iter().map(convert::file_matches).collect();
        let search = self.bindings.seekwell_engine_search();
        let answer =
            search.call_find(&mut self.store, self.handle, &convert::query(query), &matches).map_err(failed)?;
        answer.map(convert::answer).map_err(convert::error)
    }

    fn ask(&mut self, query: &StructureQuery) -> Result<StructureAnswer, Failed> {
        let question = structure::question(query);
        let asked = self.bindings.seekwell_engine_structure().call_ask(&mut self.store, self.handle, &question);
        asked.map_err(failed)?.map(structure::answer).map_err(convert::error)
    }

    fn measure(&mut self, query: &Query, places: bool) -> Result<Measurement, Failed> {
        let search = self.bindings.seekwell_engine_search();
        let measured =
            search.call_measure(&mut self.store, self.handle, &convert::query(query), places).map_err(failed)?;
        measured.map(convert::measurement).map_err(convert::error)
    }
}

/// wasmtime's own errors, with the frames of the guest if it trapped.
fn failed(error: wasmtime::Error) -> Failed {
    Failed::Other(format!("{error:?}"))
}
