//! The engine as a plugin of a Rust program: `plugin seekwell.wasm FOLDER QUERY`. The component imports nothing, so the linker
//! is empty: the plugin can touch what it is handed, and nothing else.
//!
//! Its one dependency is `wasmtime = "48"`.

use std::{env, fs, path::Path};

use wasmtime::component::{Component, Linker};
use wasmtime::{Engine, Result, Store};

#[allow(missing_docs, unsafe_code, clippy::all, reason = "generated")]
mod generated {
    wasmtime::component::bindgen!({ world: "standalone", path: "../wit" });
}
use generated::Standalone;
use generated::exports::seekwell::engine::{
    analysis::Options,
    types::{Mode, Query},
};

fn main() -> Result<()> {
    let [component, folder, text] =
        env::args().skip(1).collect::<Vec<_>>().try_into().expect("plugin COMPONENT FOLDER QUERY");
    let engine = Engine::default();
    let component = Component::from_file(&engine, component)?;
    let mut store = Store::new(&engine, ());
    let plugin = Standalone::instantiate(&mut store, &component, &Linker::new(&engine))?;
    let workspace = plugin.seekwell_engine_corpus().workspace();
    let tree = workspace.call_constructor(&mut store, true)?;
    let mut paths = Vec::new();
    list(Path::new(&folder), "", &mut paths)?;
    // Files come in the order of their paths' bytes.
    paths.sort();
    for path in paths {
        let (bytes, options) = (fs::read(Path::new(&folder).join(&path))?, Options { vectors: true, degrade: None });
        // A file that is no text has no analysis.
        let analysis = plugin.seekwell_engine_analysis().call_analyse(&mut store, &path, &bytes, &options)?;
        if let Ok(analysis) = analysis {
            workspace.call_add(&mut store, tree, &path, &analysis)??;
        }
    }
    workspace.call_commit(&mut store, tree)??;
    let (mode, none) = (Mode::Hybrid, Vec::new);
    let query = Query {
        text,
        mode,
        limit: 10,
        per_file: 1,
        offset: 0,
        languages: none(),
        globs: none(),
        path_prefix: String::new(),
        kinds: none(),
        scope: None,
        explain: false,
    };
    for hit in plugin.seekwell_engine_search().call_find(&mut store, tree, &query, &[])??.hits {
        println!("{}:{}-{} {} {}", hit.path, hit.lines.start, hit.lines.end, hit.kind, hit.symbol);
    }
    Ok(())
}

fn list(folder: &Path, above: &str, paths: &mut Vec<String>) -> Result<()> {
    for entry in fs::read_dir(folder)? {
        let (entry, name) = entry.map(|entry| (entry.path(), entry.file_name()))?;
        let path = format!("{above}{}", name.to_string_lossy());
        if entry.is_dir() { list(&entry, &format!("{path}/"), paths)? } else { paths.push(path) }
    }
    Ok(())
}
