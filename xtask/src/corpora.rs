//! The corpora that the benchmarks are run on: published crates in pinned versions, so that figures can be compared.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;

/// What of the crates that a manifest names is kept; its `[package.metadata.corpus]`.
struct Selection {
    /// Patterns of crates to keep; all if there is none.
    only: Vec<String>,
    /// Patterns of crates to leave out.
    without: Vec<String>,
    /// Larger files are left out: nearly all are generated tables.
    largest: u64,
}

/// Fetches both corpora.
pub fn fetch(folder: &Path) -> Result<()> {
    for name in ["small", "large"] {
        let manifest = crate::top().join("tests/bench").join(name).join("Cargo.toml");
        let (files, bytes) = corpus(&manifest, folder, name).with_context(|| format!("corpus {name}"))?;
        println!("{}: {files} Rust files, {:.1} MB", folder.join(name).display(), bytes as f64 / 1e6);
    }
    Ok(())
}

/// Fetches one corpus; gives its number of files and of bytes.
fn corpus(manifest: &Path, folder: &Path, name: &str) -> Result<(usize, u64)> {
    let selection = selection(manifest)?;
    let vendored = folder.join(format!(".{name}-vendored"));
    let partial = folder.join(format!(".{name}-partial"));
    for old in [&vendored, &partial] {
        remove(old)?;
    }
    fs::create_dir_all(folder)?;
    eprintln!("xtask: fetching the crates of {}", manifest.display());
    let status = cargo()
        .args(["vendor", "--quiet", "--locked", "--manifest-path"])
        .arg(manifest)
        .arg(&vendored)
        .stdout(Stdio::null())
        .status()
        .context("cargo vendor")?;
    ensure!(status.success(), "cargo vendor failed: {status}");
    let mut total = (0, 0);
    for entry in fs::read_dir(&vendored)? {
        let entry = entry?;
        let krate = entry.file_name().to_string_lossy().into_owned();
        if selection.keeps(&krate) {
            copy(&entry.path(), &partial.join(krate), selection.largest, &mut total)?;
        }
    }
    remove(&vendored)?;
    let done = folder.join(name);
    remove(&done)?;
    fs::rename(&partial, &done)?;
    Ok(total)
}

fn cargo() -> Command {
    Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

fn remove(folder: &Path) -> Result<()> {
    if folder.exists() {
        fs::remove_dir_all(folder).with_context(|| folder.display().to_string())?;
    }
    Ok(())
}

fn selection(manifest: &Path) -> Result<Selection> {
    let output = cargo()
        .args(["metadata", "--format-version", "1", "--no-deps", "--manifest-path"])
        .arg(manifest)
        .output()
        .context("cargo metadata")?;
    if !output.status.success() {
        bail!("cargo metadata: {}", String::from_utf8_lossy(&output.stderr).trim());
    }
    let metadata: Value = serde_json::from_slice(&output.stdout)?;
    let corpus = &metadata["packages"][0]["metadata"]["corpus"];
    let list = |key: &str| {
        let values = corpus[key].as_array().into_iter().flatten();
        values.filter_map(Value::as_str).map(str::to_owned).collect()
    };
    let largest = corpus["largest-file"].as_u64().context("[package.metadata.corpus] has no largest-file")?;
    Ok(Selection { only: list("only"), without: list("without"), largest })
}

impl Selection {
    fn keeps(&self, krate: &str) -> bool {
        let among = |patterns: &[String]| patterns.iter().any(|pattern| matches(pattern, krate));
        (self.only.is_empty() || among(&self.only)) && !among(&self.without) && !is_second_version(krate)
    }
}

/// Whether a name fits a pattern whose first or last character may be a star.
fn matches(pattern: &str, name: &str) -> bool {
    match (pattern.strip_prefix('*'), pattern.strip_suffix('*')) {
        (Some(end), None) => name.ends_with(end),
        (None, Some(start)) => name.starts_with(start),
        (Some(_), Some(_)) => name.contains(pattern.trim_matches('*')),
        (None, None) => name == pattern,
    }
}

/// Cargo writes all but one version of a crate to `NAME-VERSION`: they would be near copies in the corpus.
fn is_second_version(folder: &str) -> bool {
    folder.match_indices('-').any(|(at, _)| {
        let rest = &folder[at + 1..];
        rest.starts_with(|c: char| c.is_ascii_digit()) && rest.split('.').count() >= 3
    })
}

/// Copies the Rust files below a folder and counts them.
fn copy(from: &Path, to: &Path, largest: u64, total: &mut (usize, u64)) -> Result<()> {
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let (path, target) = (entry.path(), to.join(entry.file_name()));
        let kind = entry.file_type()?;
        if kind.is_dir() {
            copy(&path, &target, largest, total)?;
        } else if kind.is_file() && path.extension().is_some_and(|extension| extension == "rs") {
            let size = entry.metadata()?.len();
            if size <= largest {
                fs::create_dir_all(to)?;
                fs::copy(&path, &target)?;
                *total = (total.0 + 1, total.1 + size);
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_and_versions() {
        assert!(matches("windows*", "windows-sys"));
        assert!(matches("*-sys", "alsa-sys"));
        assert!(!matches("libc", "libcrux"));
        assert!(is_second_version("toml_edit-0.22.27"));
        assert!(is_second_version("ndk-sys-0.5.0+25.2.9519653"));
        assert!(!is_second_version("unicode-xid"));
        assert!(!is_second_version("utf-8"));
    }
}
