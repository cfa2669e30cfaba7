//! Puts the compiled component where `artefact.rs` includes it from; without one, an empty file, so that checks and
//! documentation build on any machine.

use std::path::PathBuf;

fn main() {
    println!("cargo:rerun-if-env-changed=SEEKWELL_COMPONENT");
    let out = PathBuf::from(std::env::var_os("OUT_DIR").expect("cargo sets OUT_DIR")).join("seekwell.cwasm");
    let component = std::env::var_os("SEEKWELL_COMPONENT").map(PathBuf::from);
    let bytes = match &component {
        Some(path) => {
            println!("cargo:rerun-if-changed={}", path.display());
            std::fs::read(path).unwrap_or_else(|e| panic!("SEEKWELL_COMPONENT={}: {e}", path.display()))
        }
        None => Vec::new(),
    };
    let hash = blake3::hash(&bytes).to_hex();
    println!("cargo:rustc-env=SEEKWELL_COMPONENT_HASH={}", &hash[..32]);
    // The engine itself, which is the same for every processor, stands beside what was compiled of it.
    let engine = component.map(|path| path.with_extension("wasm")).and_then(|path| std::fs::read(path).ok());
    let engine = engine.map_or(hash, |bytes| blake3::hash(&bytes).to_hex());
    println!("cargo:rustc-env=SEEKWELL_ENGINE_HASH={}", &engine[..32]);
    std::fs::write(out, bytes).expect("OUT_DIR can be written to");
}
