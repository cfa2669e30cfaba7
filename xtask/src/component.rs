//! The engine as a component: built, optimised, wrapped, checked and compiled ahead.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};

#[path = "../../native-host/src/component/config.rs"]
mod config;

/// Name of the custom section that says which version of the contract a component keeps; the host reads it before it
/// instantiates.
const VERSION_SECTION: &str = "seekwell-contract";

/// What the guest may use; the same as rustc was told, plus what it turns on by itself.
pub const WASM_FEATURES: [&str; 7] = [
    "--enable-simd",
    "--enable-bulk-memory",
    "--enable-sign-ext",
    "--enable-mutable-globals",
    "--enable-nontrapping-float-to-int",
    "--enable-reference-types",
    "--enable-multivalue",
];

/// Makes `target/component/seekwell.wasm` and `seekwell.cwasm`; steps whose input has not changed are passed over.
pub fn build() -> Result<()> {
    let top = crate::top();
    let out = crate::target().join("component");
    fs::create_dir_all(&out)?;
    // The shell file sets the C compiler for the grammars.
    let script = ". engine/languages/wasm-env.sh &&
        exec cargo build $0 --release -p seekwell-component --target wasm32-unknown-unknown";
    // The first build takes minutes and shows what it does; a search after it should show its answer only.
    let loud = std::env::var_os("CI").is_some() || !out.join("seekwell.cwasm").exists();
    let verbosity = if loud { "--color=auto" } else { "--quiet" };
    let status = Command::new("sh").args(["-c", script, verbosity]).current_dir(&top).status().context("sh")?;
    ensure!(status.success(), "the engine did not compile to WebAssembly");

    let module = crate::target().join("wasm32-unknown-unknown/release/seekwell_component.wasm");
    let component = out.join("seekwell.wasm");
    if stale(&out.join("module.hash"), &[&fs::read(&module)?, include_bytes!("component.rs")])? || !component.exists() {
        let optimised = out.join("module.wasm");
        optimise(&module, &optimised)?;
        let bytes = wrap(&fs::read(&optimised)?)?;
        fs::write(&component, &bytes)?;
        mark(&out.join("module.hash"), &[&fs::read(&module)?, include_bytes!("component.rs")])?;
    }
    let bytes = fs::read(&component)?;
    let imports = imports(&bytes)?;
    ensure!(imports.is_empty(), "the component imports {imports:?}; world `standalone` imports nothing");

    let compiled = out.join("seekwell.cwasm");
    let settings: &[u8] = include_bytes!("../../native-host/src/component/config.rs");
    let inputs: [&[u8]; 3] = [&bytes, settings, WASMTIME.as_bytes()];
    if stale(&out.join("component.hash"), &inputs)? || !compiled.exists() {
        let engine = wasmtime::Engine::new(&config::config()).map_err(|e| anyhow::anyhow!("{e:?}"))?;
        let code = engine.precompile_component(&bytes).map_err(|e| anyhow::anyhow!("{e:?}"))?;
        fs::write(&compiled, code)?;
        mark(&out.join("component.hash"), &inputs)?;
        let size = fs::metadata(&compiled)?.len();
        eprintln!("xtask: component {} KB, compiled ahead {} KB", bytes.len() / 1000, size / 1000);
    }
    Ok(())
}

/// Compiled code fits only the runtime of this version.
const WASMTIME: &str = "48.0.8";

/// Settings of wasm-opt. Functions with one caller are not inlined without limit: the parser would become one function too
/// large for Cranelift's register allocator, and analysis took 17 % longer.
pub const OPTIMISATION: [&str; 2] = ["-O3", "--one-caller-inline-max-function-size=200"];

fn optimise(module: &Path, out: &Path) -> Result<()> {
    let mut command = Command::new("wasm-opt");
    // Names stay: a trap's backtrace is all that is seen of a panic in the guest.
    command.args(OPTIMISATION).arg("-g").args(WASM_FEATURES).arg(module).arg("-o").arg(out);
    let status = command.status().context("wasm-opt (Debian's package binaryen)")?;
    ensure!(status.success(), "wasm-opt failed");
    Ok(())
}

fn wrap(module: &[u8]) -> Result<Vec<u8>> {
    let mut bytes = wit_component::ComponentEncoder::default().validate(true).module(module)?.encode()?;
    append_section(&mut bytes, VERSION_SECTION, contract_version()?.as_bytes());
    Ok(bytes)
}

/// The version in the `package` line of the WIT files.
pub fn contract_version() -> Result<String> {
    let text = fs::read_to_string(crate::top().join("wit/worlds.wit"))?;
    let line = text.lines().find(|l| l.starts_with("package ")).context("worlds.wit has no package line")?;
    let version = line.rsplit_once('@').context("the package has no version")?.1;
    Ok(version.trim_end_matches(';').to_owned())
}

/// Appends a custom section: id 0, size, length of the name, name, content.
fn append_section(bytes: &mut Vec<u8>, name: &str, content: &[u8]) {
    let mut body = Vec::new();
    leb128(&mut body, name.len());
    body.extend(name.as_bytes());
    body.extend(content);
    bytes.push(0);
    leb128(bytes, body.len());
    bytes.extend(body);
}

fn leb128(out: &mut Vec<u8>, mut value: usize) {
    while value >= 0x80 {
        out.push((value as u8 & 0x7F) | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

/// The names of a component's imports.
fn imports(bytes: &[u8]) -> Result<Vec<String>> {
    let wit_component::DecodedWasm::Component(resolve, world) = wit_component::decode(bytes)? else {
        bail!("not a component");
    };
    Ok(resolve.worlds[world].imports.keys().map(|key| resolve.name_world_key(key)).collect())
}

fn hash(inputs: &[&[u8]]) -> String {
    let mut hasher = blake3::Hasher::new();
    for input in inputs {
        hasher.update(&(input.len() as u64).to_le_bytes()).update(input);
    }
    hasher.finalize().to_hex().to_string()
}

/// Whether these are not the inputs that a mark was made for.
pub fn stale(mark: &Path, inputs: &[&[u8]]) -> Result<bool> {
    Ok(fs::read_to_string(mark).ok().as_deref() != Some(hash(inputs).as_str()))
}

/// Marks what was made of these inputs.
pub fn mark(mark: &Path, inputs: &[&[u8]]) -> Result<()> {
    Ok(fs::write(mark, hash(inputs))?)
}
