//! The modules of the engine's core stand in the order of the pipeline: each uses only those above it.

use super::{Fault, File};
use crate::rust;
use anyhow::{Context, Result};
use std::collections::BTreeMap;

const FOLDER: &str = "engine/core/src/";

/// A module's use of another, with the first place of it.
struct Use {
    file: String,
    line: usize,
    of: usize,
}

/// Checks the order.
pub fn check(files: &[File]) -> Result<Vec<Fault>> {
    let lib = files.iter().find(|file| file.path == format!("{FOLDER}lib.rs")).context("engine/core has no lib.rs")?;
    let modules = modules(lib.text().unwrap_or_default());
    let mut uses: Vec<BTreeMap<usize, Use>> = modules.iter().map(|_| BTreeMap::new()).collect();
    for file in files {
        let Some(path) = file.path.strip_prefix(FOLDER).and_then(|path| path.strip_suffix(".rs")) else { continue };
        let depth = path.matches('/').count();
        let Some(module) = modules.iter().position(|name| Some(name.as_str()) == path.split('/').next()) else {
            continue;
        };
        if path.ends_with("/tests") {
            continue;
        }
        // In `a/b.rs`, the crate is `super::super`.
        let root = "super::".repeat(depth + 1);
        let code = rust::without_tests(file.text().unwrap_or_default());
        for prefix in ["crate::", &root] {
            for (line, name) in names_after(&code, prefix) {
                let of = modules.iter().position(|module| *module == name).filter(|of| *of != module);
                if let Some(of) = of {
                    uses[module].entry(of).or_insert_with(|| Use { file: file.path.clone(), line, of });
                }
            }
        }
    }
    let mut faults = Vec::new();
    for (module, uses_of) in uses.iter().enumerate() {
        for found in uses_of.values().filter(|found| found.of > module) {
            let (name, below) = (&modules[module], &modules[found.of]);
            let what = match way(&uses, found.of, module) {
                Some(way) => {
                    let way: Vec<&str> = way.iter().map(|&at| modules[at].as_str()).collect();
                    format!("a cycle, {name} -> {}: move what both need into a module above them", way.join(" -> "))
                }
                None => format!("move `mod {below}` above `mod {name}` in {FOLDER}lib.rs"),
            };
            let message = format!("`{name}` uses `{below}`, which is declared below it; {what}");
            faults.push(Fault::new(&found.file, found.line, message));
        }
    }
    Ok(faults)
}

/// The modules of a crate, in the order of declaration.
fn modules(lib: &str) -> Vec<String> {
    let code = rust::without_tests(lib);
    let names = code.lines().filter_map(|line| {
        let line = line.trim();
        let line = line.strip_prefix("pub(crate) ").or(line.strip_prefix("pub ")).unwrap_or(line);
        line.strip_prefix("mod ")?.strip_suffix(';')
    });
    names.map(str::to_owned).collect()
}

/// The names that directly follow a path prefix, alone or in braces, each with its line.
pub(super) fn names_after(code: &str, prefix: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    for (at, _) in code.match_indices(prefix) {
        if code[..at].ends_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | ':')) {
            continue;
        }
        let rest = &code[at + prefix.len()..];
        let line_of = |offset: usize| 1 + code[..at + prefix.len() + offset].matches('\n').count();
        let Some(group) = rest.strip_prefix('{') else {
            found.push((line_of(0), name(rest)));
            continue;
        };
        let (mut depth, mut fresh) = (1, true);
        for (offset, c) in group.char_indices() {
            match c {
                '{' => depth += 1,
                '}' => depth -= 1,
                ',' if depth == 1 => fresh = true,
                c if fresh && !c.is_whitespace() => {
                    found.push((line_of(offset + 1), name(&group[offset..])));
                    fresh = false;
                }
                _ => {}
            }
            if depth == 0 {
                break;
            }
        }
    }
    found
}

fn name(text: &str) -> String {
    text.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect()
}

/// A way along uses from one module to another.
fn way(uses: &[BTreeMap<usize, Use>], from: usize, to: usize) -> Option<Vec<usize>> {
    let mut before = vec![None; uses.len()];
    let mut open = std::collections::VecDeque::from([from]);
    while let Some(at) = open.pop_front() {
        if at == to {
            let mut way = vec![at];
            while let Some(previous) = before[*way.last().expect("not empty")] {
                way.push(previous);
            }
            way.reverse();
            return Some(way);
        }
        for &next in uses[at].keys() {
            if next != from && before[next].is_none() {
                before[next] = Some(at);
                open.push_back(next);
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_alone_and_in_braces() {
        let code = "use crate::a::B;\nuse crate::{\n    b::{C, D},\n    c,\n};\nfn f() { crate::d::e(); mycrate::x() }";
        let names = names_after(code, "crate::");
        let expected = [(1, "a"), (3, "b"), (4, "c"), (6, "d")].map(|(line, name)| (line, name.to_owned()));
        assert_eq!(names, expected);
    }

    #[test]
    fn uses_of_what_stands_below() {
        let of = |a: &str, b: &str| {
            let lib = File::of("engine/core/src/lib.rs", "pub mod a;\npub mod b;\n");
            let files = [lib, File::of("engine/core/src/a.rs", a), File::of("engine/core/src/b/c.rs", b)];
            check(&files).unwrap().iter().map(Fault::to_string).collect::<Vec<_>>().join("\n")
        };
        assert_eq!(of("", "use crate::a::A;"), "");
        assert_eq!(of("/// See [`crate::b`].\n#[cfg(test)]\nmod tests { use crate::b::B; }", ""), "");
        assert!(
            of("\nuse super::b::B;", "").starts_with("engine/core/src/a.rs:2: `a` uses `b`, which is declared below")
        );
        assert!(of("use crate::b::B;", "").ends_with("move `mod b` above `mod a` in engine/core/src/lib.rs"));
        assert!(of("use crate::b::B;", "use super::super::a::A;").contains("a cycle, a -> b -> a"));
    }
}
