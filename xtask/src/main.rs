//! Builds, checks and measures: `./x` calls this, `cargo xtask` too.

mod browser;
#[allow(dead_code, reason = "it includes the host's settings whole, and needs some of them")]
mod component;
mod corpora;
mod model;
mod page;
mod rust;
mod tidy;

use std::path::PathBuf;
use std::process::{Command, ExitCode};

use anyhow::{Context, Result, ensure};

const USAGE: &str = "xtask VERB

  component              compile the engine to WebAssembly, wrap it as a component, compile that ahead
  browser                the package for JavaScript, in target/browser/seekwell
  page                   build web-demo into web-demo/dist, on the browser's package
  demo [ARGS]            serve it; arguments are those of `vite preview`
  tidy [--bless]         hold the house rules: module order, purity, the contract's hash, licences, sources;
                         --bless first records the hash of a contract that was changed on purpose
  eval [ARGS]            quality of ranking; --help lists what it takes
  bench [ARGS]           speed and memory, of the package and the page in Chromium, too; --help lists what it takes,
                         --no-browser leaves these out
  bench --corpora DIR    fetch the two corpora that the benchmarks are run on into DIR/small and DIR/large
  model DIR              make the static embedding table anew in DIR/table (half an hour; xtask/model/README.md says how)
";

/// The option of `bench` that leaves out the package and the page.
const NO_BROWSER: &str = "--no-browser";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match words.as_slice() {
        ["component"] => component::build(),
        ["browser"] => browser::build(),
        ["page"] => page::build(),
        ["demo", rest @ ..] => page::serve(rest),
        ["tidy"] => tidy::run(false),
        ["tidy", "--bless"] => tidy::run(true),
        ["eval", rest @ ..] => program("eval", rest),
        ["bench", "--corpora", folder] => corpora::fetch(folder.as_ref()),
        ["model", folder] => model::make(folder.as_ref()),
        ["bench", rest @ ..] => {
            let binary = target().join("release/seekwell");
            let binary = binary.to_string_lossy();
            let named = rest.contains(&"--binary");
            let binary: &[&str] = if named { &[] } else { &["--binary", &binary] };
            let own: Vec<&str> = rest.iter().copied().filter(|word| *word != NO_BROWSER).collect();
            program("bench", &[binary, &own].concat()).and_then(|()| {
                let folders = if own.len() == rest.len() { browser::folders_of(&own) } else { Vec::new() };
                folders.iter().try_for_each(|folder| browser::measure(folder))
            })
        }
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

/// Runs a program of the crate seekwell-tests.
fn program(name: &str, arguments: &[&str]) -> Result<()> {
    let path = target().join("release").join(name);
    ensure!(path.exists(), "{name} is not built: run `./x {name}`");
    let status = Command::new(&path).args(arguments).status().with_context(|| name.to_owned())?;
    ensure!(status.success(), "{name} failed: {status}");
    Ok(())
}

/// The repository's top folder.
fn top() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask lies in the repository").to_owned()
}

/// Cargo's target folder.
fn target() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| top().join("target"), PathBuf::from)
}
