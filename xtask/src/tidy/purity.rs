//! Who may touch the machine: the engine never, the host in named files only.

use super::order::names_after;
use super::{Fault, File};
use crate::rust;
use anyhow::Result;

/// Crates that know nothing of the machine.
const PURE: [&str; 8] = ["types", "admit", "core", "keep", "languages", "models", "print", "settings"];

/// Those that have clippy hold their methods, too (clippy.toml). `types` has no behaviour.
const OPTED_IN: [&str; 7] = ["admit", "core", "keep", "languages", "models", "print", "settings"];

/// The line that opts in.
const OPT_IN: &str = "#![deny(clippy::disallowed_methods, clippy::disallowed_types";

/// Modules of the standard library that are the machine.
const MACHINE: [&str; 6] = ["fs", "net", "process", "thread", "time", "env"];

/// Names that are a clock, wherever they come from.
const CLOCKS: [&str; 2] = ["SystemTime", "Instant"];

/// The host's files that may read: the tree (`walk`), the engine's artefact, the store, the settings, what is named on the
/// command line.
const READERS: [&str; 8] =
    ["walk.rs", "walk/", "store.rs", "store/", "component/artefact.rs", "config.rs", "cli.rs", "cli/"];

/// The host's files that may write: the engine's artefact and the store, into the user's cache; settings of agents, when asked
/// to.
const WRITERS: [&str; 4] = ["component/artefact.rs", "store.rs", "store/", "cli/setup.rs"];

/// The host's files that may be reached over the network, when asked to. None calls out.
const LISTENERS: [&str; 3] = ["mcp/http.rs", "cli/mcp.rs", "cli/args.rs"];

/// What writes.
const WRITING: [&str; 12] = [
    "fs::write",
    "fs::create_dir",
    "fs::rename",
    "fs::remove",
    "fs::copy",
    "fs::hard_link",
    "fs::set_permissions",
    "File::create",
    ".write(true)",
    ".append(true)",
    ".create(true)",
    ".create_new(true)",
];

/// Checks the engine's crates and the host.
pub fn check(files: &[File]) -> Result<Vec<Fault>> {
    let mut faults = Vec::new();
    for file in files.iter().filter(|file| file.is_rust()) {
        let Some((krate, inner)) = file.path.split_once("/src/") else { continue };
        // Modules of tests in files of their own.
        if inner == "tests.rs" || inner.ends_with("/tests.rs") || inner.starts_with("tests/") {
            continue;
        }
        let text = file.text().unwrap_or_default();
        let code = rust::without_tests(text);
        if let Some(name) = krate.strip_prefix("engine/").filter(|name| PURE.contains(name)) {
            engine(file, &code, &mut faults);
            if inner == "lib.rs" && OPTED_IN.contains(&name) && !text.contains(OPT_IN) {
                faults.push(Fault::new(&file.path, 1, format!("does not opt in to clippy.toml: add `{OPT_IN}, …)]`")));
            }
        } else if krate == "native-host" {
            host(file, inner, &code, &mut faults);
        }
    }
    Ok(faults)
}

fn engine(file: &File, code: &str, faults: &mut Vec<Fault>) {
    let mut fault = |line, what: &str| {
        let message = format!("the engine names `{what}`: values in, values out; let the host pass a value");
        faults.push(Fault::new(&file.path, line, message));
    };
    for (line, name) in names_after(code, "std::") {
        if MACHINE.contains(&name.as_str()) {
            fault(line, &format!("std::{name}"));
        }
    }
    for (at, line) in code.lines().enumerate() {
        for word in words(line).filter(|word| CLOCKS.contains(word)) {
            fault(at + 1, word);
        }
        if line.contains("rand::") && words(line).any(|word| word == "rand") {
            fault(at + 1, "rand");
        }
    }
}

fn host(file: &File, inner: &str, code: &str, faults: &mut Vec<Fault>) {
    let among = |places: &[&str]| {
        places.iter().any(|place| inner == *place || (place.ends_with('/') && inner.starts_with(place)))
    };
    let mut fault = |line, message: String| faults.push(Fault::new(&file.path, line, message));
    let (reader, writer) = (among(&READERS), among(&WRITERS));
    for (line, name) in names_after(code, "std::") {
        match name.as_str() {
            "fs" if !reader => {
                fault(line, format!("reads files: only {} may; move it there", READERS.join(", ")));
            }
            "net" if !among(&LISTENERS) => {
                fault(line, "opens the network: nothing that is searched may leave the machine".into())
            }
            _ => {}
        }
    }
    for (at, line) in code.lines().enumerate() {
        if let Some(call) = WRITING.iter().find(|call| line.contains(*call)).filter(|_| !writer) {
            fault(at + 1, format!("{call} writes: only {} may; move it there", WRITERS.join(", ")));
        }
        if line.contains("process::Command") || line.contains("process::{Command") {
            fault(at + 1, "starts a process: nothing in a tree may have one started".into());
        }
    }
}

fn words(line: &str) -> impl Iterator<Item = &str> {
    line.split(|c: char| !(c.is_alphanumeric() || c == '_'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn faults(path: &str, text: &str) -> usize {
        check(&[File::of(path, text)]).unwrap().len()
    }

    #[test]
    fn the_engine_names_no_part_of_the_machine() {
        let file = "engine/core/src/find.rs";
        assert_eq!(faults(file, "use std::fmt;\n// std::fs\nconst A: &str = \"std::fs\";"), 0);
        assert_eq!(faults(file, "#[cfg(test)]\nmod tests { use std::fs; }"), 0);
        assert_eq!(faults(file, "use std::fs;"), 1);
        assert_eq!(faults(file, "use std::{fmt, thread::spawn};"), 1);
        assert_eq!(faults(file, "fn f(at: Instant) {}"), 1);
        assert_eq!(faults(file, "let operand::A = rand::random();"), 1);
        assert_eq!(faults("engine/core/src/lib.rs", "//! Does not opt in."), 1);
    }

    #[test]
    fn the_host_reads_and_writes_in_named_files() {
        assert_eq!(faults("native-host/src/walk/tree.rs", "use std::fs;"), 0);
        assert_eq!(faults("native-host/src/print.rs", "use std::fs;"), 1);
        assert_eq!(faults("native-host/src/walk.rs", "std::fs::write(path, bytes)"), 1);
        assert_eq!(faults("native-host/src/component/artefact.rs", "fs::rename(a, b)"), 0);
        assert_eq!(faults("native-host/src/cli.rs", "use std::process::Command;"), 1);
        assert_eq!(faults("native-host/src/mcp/http.rs", "use std::net::IpAddr;"), 0);
        assert_eq!(faults("native-host/src/mcp/lines.rs", "use std::net::IpAddr;"), 1);
    }
}
