//! The package for JavaScript: the engine with wasm-bindgen's glue, the JavaScript around it, ready for `npm publish`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};
use wasm_bindgen_cli_support::Bindgen;

use crate::component::{OPTIMISATION, WASM_FEATURES, mark, stale};

/// The sources of the package that are JavaScript.
const SOURCES: &str = "wasm-pkg/browser/js";

/// Texts that a package carries, from the repository's top.
const TEXTS: [&str; 4] = ["LICENSE", "LICENSE-APACHE", "LICENSE-MIT", "NOTICE"];

/// The folder that the package is put together in: what `npm pack` takes.
pub fn folder() -> PathBuf {
    crate::target().join("browser/seekwell")
}

/// The folders among the arguments of `bench`: what is no option and no value of one.
pub fn folders_of(arguments: &[&str]) -> Vec<PathBuf> {
    let mut folders = Vec::new();
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        match *word {
            "--runs" | "--query" | "--binary" => drop(words.next()),
            option if option.starts_with('-') => {}
            folder => folders.push(folder.into()),
        }
    }
    folders
}

/// Measures the package in Node and the page in Chromium on a folder, beside the command line.
pub fn measure(root: &Path) -> Result<()> {
    let at = crate::top().join("tests/browser");
    let root = fs::canonicalize(root).with_context(|| root.display().to_string())?;
    crate::page::install(&at)?;
    let status = Command::new("node").arg("bench.js").arg(&root).current_dir(&at).status().context("node")?;
    ensure!(status.success(), "tests/browser/bench.js failed: {status}");
    Ok(())
}

/// Makes the package; steps whose input has not changed are passed over.
pub fn build() -> Result<()> {
    let top = crate::top();
    let out = crate::target().join("browser");
    let package = folder();
    fs::create_dir_all(&package)?;
    let script = ". engine/languages/wasm-env.sh &&
        exec cargo build $0 --release -p seekwell-browser --target wasm32-unknown-unknown";
    let loud = std::env::var_os("CI").is_some() || !package.join("engine_bg.wasm").exists();
    let verbosity = if loud { "--color=auto" } else { "--quiet" };
    let status = Command::new("sh").args(["-c", script, verbosity]).current_dir(&top).status().context("sh")?;
    ensure!(status.success(), "the engine for JavaScript did not compile to WebAssembly");

    let module = crate::target().join("wasm32-unknown-unknown/release/seekwell_browser.wasm");
    let inputs: [&[u8]; 2] = [&fs::read(&module)?, include_bytes!("browser.rs")];
    if stale(&out.join("module.hash"), &inputs)? || !package.join("engine_bg.wasm").exists() {
        bind(&module, &out, &package)?;
        mark(&out.join("module.hash"), &inputs)?;
    }
    assemble(&top, &package)
}

/// The glue and the optimised module.
fn bind(module: &Path, out: &Path, package: &Path) -> Result<()> {
    let bound = out.join("bound");
    let mut bindgen = Bindgen::new();
    bindgen
        .input_path(module)
        .out_name("engine")
        // An ES module that is handed the WebAssembly module, so that workers share one that was compiled once.
        .web(true)?
        .omit_default_module_path(true)
        .typescript(true)
        .remove_name_section(true)
        // After a trap, an instance is made anew.
        .reset_state_function(true);
    bindgen.generate(&bound).context("wasm-bindgen")?;
    let wasm = package.join("engine_bg.wasm");
    let mut command = Command::new("wasm-opt");
    command.args(OPTIMISATION).args(WASM_FEATURES).arg(bound.join("engine_bg.wasm")).arg("-o").arg(&wasm);
    ensure!(command.status().context("wasm-opt (Debian's package binaryen)")?.success(), "wasm-opt failed");
    let mut optimised = fs::read(&wasm)?;
    mend_table_export(&fs::read(bound.join("engine_bg.wasm"))?, &mut optimised)?;
    fs::write(&wasm, optimised)?;
    for name in ["engine.js", "engine.d.ts"] {
        fs::copy(bound.join(name), package.join(name)).context(name)?;
    }
    eprintln!("xtask: engine for JavaScript {} KB", fs::metadata(&wasm)?.len() / 1000);
    Ok(())
}

/// binaryen 108, which Debian 12 has, exports the first table of a module where the second one is meant. Writes what the export
/// of externref's table said before. binaryen 130 leaves it as it was; then this changes nothing.
fn mend_table_export(before: &[u8], after: &mut [u8]) -> Result<()> {
    // An export: the length of the name, the name, the kind (1 is a table), the number.
    const EXPORT: &[u8] = b"\x15__wbindgen_externrefs\x01";
    let number = |bytes: &[u8]| Some(bytes.windows(EXPORT.len()).rposition(|window| window == EXPORT)? + EXPORT.len());
    let (Some(from), Some(to)) = (number(before), number(after)) else { bail!("no export of externref's table") };
    ensure!(before[from] < 0x80 && after[to] < 0x80, "the table's number takes more than a byte");
    after[to] = before[from];
    Ok(())
}

/// What is not made by a compiler.
fn assemble(top: &Path, package: &Path) -> Result<()> {
    let version = env!("CARGO_PKG_VERSION");
    for entry in fs::read_dir(top.join(SOURCES)).context(SOURCES)? {
        let entry = entry?;
        let text =
            fs::read_to_string(entry.path())?.replace("\"version\": \"0.0.0\"", &format!("\"version\": \"{version}\""));
        write_if_new(&package.join(entry.file_name()), text.as_bytes())?;
    }
    for name in TEXTS {
        write_if_new(&package.join(name), &fs::read(top.join(name)).context(name)?)?;
    }
    // Analyses and snapshots are kept under names that hold the engine's.
    let fingerprint = blake3::hash(&fs::read(package.join("engine_bg.wasm"))?).to_hex();
    let text = format!(
        "/** Hash of the engine: analyses and snapshots of another one are not used. */\nexport const FINGERPRINT = \"{}\";\n",
        &fingerprint[..32]
    );
    write_if_new(&package.join("fingerprint.js"), text.as_bytes())
}

/// Files that did not change keep their time: a bundler that watches them has nothing to do.
fn write_if_new(path: &Path, bytes: &[u8]) -> Result<()> {
    if fs::read(path).ok().as_deref() != Some(bytes) {
        fs::write(path, bytes).with_context(|| path.display().to_string())?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_of_a_bench() {
        let words = ["--runs", "3", "a", "--query", "b c", "--help", "d/e"];
        assert_eq!(folders_of(&words), [PathBuf::from("a"), PathBuf::from("d/e")]);
    }
}
