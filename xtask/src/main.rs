//! Builds, checks and measures: `./x` calls this, `cargo xtask` too.

mod component;
mod tidy;

use std::path::PathBuf;
use std::process::ExitCode;

const USAGE: &str = "xtask VERB

  component [--if-stale]   compile the engine to WebAssembly, wrap it as a component, compile that ahead
  tidy                     hold the architecture: module order, the contract's hash, licences, sources
";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match words.as_slice() {
        ["component", ..] => component::build(),
        ["tidy"] => tidy::run(),
        _ => {
            eprint!("{USAGE}");
            return ExitCode::from(2);
        }
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("xtask: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// The repository's top folder.
fn top() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask lies in the repository").to_owned()
}

/// Cargo's target folder.
fn target() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| top().join("target"), PathBuf::from)
}
