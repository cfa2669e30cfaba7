//! The house rules that a compiler does not hold.

mod contract;
mod layout;
mod licences;
mod order;
mod purity;
mod source;

use std::fmt;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};

/// A rule that does not hold somewhere.
struct Fault {
    file: String,
    /// One-based; 0 where it is the file as a whole.
    line: usize,
    /// What is wrong and what to do.
    message: String,
}

impl Fault {
    fn new(file: &str, line: usize, message: impl Into<String>) -> Self {
        Self { file: file.to_owned(), line, message: message.into() }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            0 => write!(f, "{}: {}", self.file, self.message),
            line => write!(f, "{}:{line}: {}", self.file, self.message),
        }
    }
}

/// All files -> where they break it.
type Rule = fn(&[File]) -> Result<Vec<Fault>>;

/// A file of the repository.
struct File {
    /// Relative to the top, with `/`.
    path: String,
    bytes: Vec<u8>,
}

impl File {
    /// Its text; none if it is binary.
    fn text(&self) -> Option<&str> {
        std::str::from_utf8(&self.bytes).ok().filter(|text| !text.contains('\0'))
    }

    #[cfg(test)]
    fn of(path: &str, text: &str) -> Self {
        Self { path: path.to_owned(), bytes: text.into() }
    }

    fn is_rust(&self) -> bool {
        self.path.ends_with(".rs")
    }
}

/// Runs every rule; with `bless`, what is recorded of the contract is first brought up to date.
pub fn run(bless: bool) -> Result<()> {
    if bless {
        contract::bless()?;
    }
    let files = files()?;
    let rules: [(&str, Rule); 6] = [
        ("module order", order::check),
        ("purity", purity::check),
        ("contract", contract::check),
        ("licences", licences::check),
        ("sources", source::check),
        ("queries", layout::queries),
    ];
    let mut count = 0;
    for (name, rule) in rules {
        let mut faults = rule(&files)?;
        faults.sort_by(|a, b| (&a.file, a.line).cmp(&(&b.file, b.line)));
        for fault in &faults {
            println!("{fault} [{name}]");
        }
        count += faults.len();
    }
    ensure!(count == 0, "tidy: {count} to mend in {} files", files.len());
    eprintln!("xtask: tidy, {} files", files.len());
    Ok(())
}

/// Everything that is committed, or would be: what git knows and what it does not ignore.
fn files() -> Result<Vec<File>> {
    let top = crate::top();
    // A checkout that belongs to another user is still only read.
    let output = Command::new("git")
        .args(["-c", "safe.directory=*", "ls-files", "-z", "--cached", "--others", "--exclude-standard"])
        .current_dir(&top)
        .output()
        .context("git")?;
    if !output.status.success() {
        bail!("git ls-files: {}", String::from_utf8_lossy(&output.stderr).trim());
    }
    let listed = String::from_utf8(output.stdout).context("a file name is not UTF-8")?;
    let mut files = Vec::new();
    for path in listed.split('\0').filter(|path| !path.is_empty()) {
        let on_disk: PathBuf = top.join(path);
        // One that was removed and not yet committed is passed over.
        if on_disk.symlink_metadata().is_ok_and(|metadata| metadata.is_file()) {
            let bytes = fs::read(&on_disk).with_context(|| path.to_owned())?;
            files.push(File { path: path.to_owned(), bytes });
        }
    }
    files.sort_by(|a, b| a.path.cmp(&b.path));
    files.dedup_by(|a, b| a.path == b.path);
    Ok(files)
}
