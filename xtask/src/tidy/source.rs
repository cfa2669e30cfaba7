//! What every source file looks like, and nothing in it of the machine it was written on.

use super::{Fault, File};
use crate::rust;
use anyhow::Result;

/// A longer file answers more than one question. Tables and tests may be longer.
const LONGEST: usize = 900;

/// Folders of a developer's machine that must not be written down. In two parts, or this file would be reported.
const FOLDERS: [&str; 2] = [concat!("/", "work", "/"), concat!("/", "root", "/")];

/// Parts of host names that only package mirrors have.
const MIRRORS: [&str; 6] = ["registry", "artifactory", "nexus", "mirror", "proxy", "pypi"];

/// Where packages come from in `Cargo.lock`.
const PUBLIC_INDEX: &str = "source = \"registry+https://github.com/rust-lang/crates.io-index\"";

/// Checks all files.
pub fn check(files: &[File]) -> Result<Vec<Fault>> {
    let mut faults = Vec::new();
    for file in files {
        let Some(text) = file.text() else { continue };
        let sample = is_sample(&file.path);
        for (at, line) in text.lines().enumerate() {
            let mut fault = |message: String| faults.push(Fault::new(&file.path, at + 1, message));
            if !sample && line.ends_with([' ', '\t', '\r']) {
                fault("white space at the end of the line: remove it".into());
            }
            if let Some(folder) = FOLDERS.into_iter().find(|folder| names_folder(line, folder)) {
                fault(format!("{folder} is a folder of one machine: use a relative path or a variable"));
            }
            if let Some(host) = hosts(line).find(|host| MIRRORS.iter().any(|part| host.contains(part))) {
                fault(format!("{host} is the host of a package registry: leave that to the user's settings"));
            }
            if file.path.ends_with("Cargo.lock") && line.starts_with("source = ") && line != PUBLIC_INDEX {
                fault("not from the public index: take the package from there".into());
            }
        }
        if !sample && !text.is_empty() && !text.ends_with('\n') {
            faults.push(Fault::new(&file.path, text.lines().count(), "the last line has no end: add a newline"));
        }
        if file.is_rust() && !sample {
            rust_file(file, text, &mut faults);
        }
    }
    Ok(faults)
}

/// Whether a file is data: what a test reads, or what a program wrote.
fn is_sample(path: &str) -> bool {
    path.contains("/fixtures/") || path.contains("/data/") || path.contains("/truth/") || path.contains("/snapshots/")
}

fn rust_file(file: &File, text: &str, faults: &mut Vec<Fault>) {
    let mut fault = |line, message: String| faults.push(Fault::new(&file.path, line, message));
    let lines = text.lines().count();
    if !text.starts_with("//!") {
        fault(1, "begins without `//!`: say in one line what this file answers".into());
    }
    let may_be_long = file.path.contains("/tests") || file.path.contains("table");
    if lines > LONGEST && !may_be_long {
        fault(LONGEST, format!("{lines} lines, more than {LONGEST}: split it by the questions that it answers"));
    }
    let code = rust::blank(text);
    for (at, (line, code)) in text.lines().zip(code.lines()).enumerate() {
        if line.contains('\t') {
            fault(at + 1, "a tab: indent with spaces, write \\t in strings".into());
        }
        if code.contains("#[ignore") {
            fault(at + 1, "an ignored test: assert today's result, with a FIXME that says what is right".into());
        }
        if let Some(mark) = unexplained(line, code) {
            fault(at + 1, format!("{mark} without a reason: `{mark}: what is to be done, and why not now`"));
        }
    }
}

/// A mark in a comment that is not followed by a sentence.
fn unexplained(line: &str, code: &str) -> Option<&'static str> {
    let mark = [concat!("TO", "DO"), concat!("FIX", "ME")].into_iter().find(|mark| line.contains(mark))?;
    let at = line.find(mark)?;
    let in_comment = line[..at].contains("//") && code.get(at..at + mark.len()).is_some_and(|c| c.trim().is_empty());
    let reason = line[at + mark.len()..].strip_prefix(':').map_or(0, |reason| reason.split_whitespace().count());
    (in_comment && reason < 3).then_some(mark)
}

/// Whether an absolute path below this folder is written here; `src/work/` is none.
fn names_folder(line: &str, folder: &str) -> bool {
    line.match_indices(folder).any(|(at, _)| {
        !line[..at]
            .ends_with(|c: char| c.is_alphanumeric() || matches!(c, '.' | '_' | '-' | '/' | '~' | '}' | '*' | ')'))
    })
}

/// The hosts of the URLs in a line.
fn hosts(line: &str) -> impl Iterator<Item = &str> {
    line.split("://").skip(1).filter_map(|rest| {
        let host = rest.split(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '.' | '-'))).next()?;
        host.contains('.').then_some(host)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_of_a_machine() {
        let [folder, _] = FOLDERS;
        assert!(names_folder(&format!("cd {folder}main"), folder));
        assert!(names_folder(&format!("\"{folder}main\""), folder));
        assert!(!names_folder(&format!("src{folder}main"), folder));
    }

    #[test]
    fn hosts_of_urls() {
        let line = "see https://example.org/a and sparse+https://packages.example.org/index";
        assert_eq!(hosts(line).collect::<Vec<_>>(), ["example.org", "packages.example.org"]);
    }

    #[test]
    fn marks_need_a_reason() {
        let mark = concat!("TO", "DO");
        let of = |line: String| unexplained(&line, &rust::blank(&line));
        assert_eq!(of(format!("// {mark} later")), Some(mark));
        assert_eq!(of(format!("// {mark}: cut after the third word")), None);
        assert_eq!(of(format!("let name = \"{mark}\";")), None);
    }
}
