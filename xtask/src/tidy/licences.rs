//! Licences: ours are said everywhere, those of others are among the ones that we can keep.

use super::{Fault, File};
use anyhow::{Context, Result, bail};
use serde_json::Value;
use std::process::Command;

/// What a dependency may be under.
const ALLOWED: [&str; 14] = [
    "MIT",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "ISC",
    "Zlib",
    "Unicode-3.0",
    "MPL-2.0",
    "CC0-1.0",
    "0BSD",
    "Unlicense",
    "BSL-1.0",
    "CDLA-Permissive-2.0",
];

/// What the manifest of each crate takes from the workspace.
const INHERITED: [&str; 5] = ["version", "edition", "rust-version", "license", "publish"];

/// Checks manifests, our licence texts and the licences of all dependencies.
pub fn check(files: &[File]) -> Result<Vec<Fault>> {
    let mut faults = Vec::new();
    for name in ["LICENSE", "LICENSE-MIT", "LICENSE-APACHE", "NOTICE"] {
        if !files.iter().any(|file| file.path == name) {
            faults.push(Fault::new(name, 0, "is missing: restore it"));
        }
    }
    let metadata = metadata()?;
    let top = crate::top();
    let members: Vec<&str> =
        metadata["workspace_members"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    for package in metadata["packages"].as_array().context("cargo metadata lists no packages")? {
        let text = |key: &str| package[key].as_str().unwrap_or_default();
        let name = text("name");
        if members.contains(&text("id")) {
            let path = std::path::Path::new(text("manifest_path"));
            let manifest = std::fs::read_to_string(path).with_context(|| path.display().to_string())?;
            let shown = path.strip_prefix(&top).unwrap_or(path).to_string_lossy();
            for key in INHERITED.iter().filter(|key| !manifest.contains(&format!("\n{key}.workspace = true\n"))) {
                faults.push(Fault::new(&shown, 1, format!("add `{key}.workspace = true` to [package]")));
            }
            if !manifest.contains("[lints]\nworkspace = true") {
                faults.push(Fault::new(&shown, 1, "add `[lints]` with `workspace = true`"));
            }
            if text("description").is_empty() {
                faults.push(Fault::new(&shown, 1, "has no description: say in one line what the crate is"));
            }
            continue;
        }
        let licence = text("license");
        if licence.is_empty() || !Expression::new(licence).holds()? {
            let message =
                format!("{name} {} is under `{licence}`, which is not allowed: do without it", text("version"));
            faults.push(Fault::new("Cargo.lock", 0, message));
        }
    }
    Ok(faults)
}

fn metadata() -> Result<Value> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .args(["metadata", "--format-version", "1", "--locked"])
        .current_dir(crate::top())
        .output()
        .context("cargo metadata")?;
    if !output.status.success() {
        bail!("cargo metadata: {}", String::from_utf8_lossy(&output.stderr).trim());
    }
    Ok(serde_json::from_slice(&output.stdout)?)
}

/// A licence expression; `/` is an old way to write OR. AND binds closer than OR.
struct Expression<'a> {
    text: &'a str,
    tokens: std::iter::Peekable<std::vec::IntoIter<String>>,
}

impl<'a> Expression<'a> {
    fn new(text: &'a str) -> Self {
        let spaced = text.replace('(', " ( ").replace(')', " ) ").replace('/', " OR ");
        let tokens: Vec<String> = spaced.split_whitespace().map(str::to_owned).collect();
        Self { text, tokens: tokens.into_iter().peekable() }
    }

    /// Whether it can be kept by what is allowed.
    fn holds(mut self) -> Result<bool> {
        let holds = self.any()?;
        if self.tokens.next().is_some() {
            bail!("{}: not a licence expression", self.text);
        }
        Ok(holds)
    }

    fn any(&mut self) -> Result<bool> {
        let mut holds = self.all()?;
        while self.tokens.next_if(|token| token == "OR").is_some() {
            holds |= self.all()?;
        }
        Ok(holds)
    }

    fn all(&mut self) -> Result<bool> {
        let mut holds = self.one()?;
        while self.tokens.next_if(|token| token == "AND").is_some() {
            holds &= self.one()?;
        }
        Ok(holds)
    }

    fn one(&mut self) -> Result<bool> {
        let mut licence = self.tokens.next().with_context(|| format!("{}: ends early", self.text))?;
        if licence == "(" {
            let holds = self.any()?;
            if self.tokens.next().as_deref() != Some(")") {
                bail!("{}: a parenthesis is not closed", self.text);
            }
            return Ok(holds);
        }
        if self.tokens.next_if(|token| token == "WITH").is_some() {
            let exception = self.tokens.next().with_context(|| format!("{}: ends early", self.text))?;
            licence = format!("{licence} WITH {exception}");
        }
        Ok(ALLOWED.contains(&licence.as_str()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions() {
        let holds = |text| Expression::new(text).holds().unwrap();
        assert!(holds("MIT"));
        assert!(holds("Unlicense/MIT"));
        assert!(holds("GPL-3.0 OR MIT"));
        assert!(holds("(Apache-2.0 OR GPL-2.0) AND BSD-3-Clause"));
        assert!(holds("Apache-2.0 WITH LLVM-exception OR GPL-2.0"));
        assert!(!holds("GPL-3.0"));
        assert!(!holds("MIT AND GPL-3.0"));
        assert!(!holds("GPL-3.0 OR MIT AND LGPL-3.0"));
        assert!(Expression::new("(MIT").holds().is_err());
    }
}
