//! The contract's hash stands in its changelog: nobody changes the one without the other.

use super::{Fault, File};
use anyhow::{Context, Result};
use std::fs;

const CHANGELOG: &str = "wit/CHANGELOG.md";
const KEY: &str = "contract-hash: ";

/// Checks the hash.
pub fn check(files: &[File]) -> Result<Vec<Fault>> {
    let changelog = files.iter().find(|file| file.path == CHANGELOG).context("wit/CHANGELOG.md is missing")?;
    let text = changelog.text().unwrap_or_default();
    let now = hash(files);
    let recorded = text.lines().enumerate().find_map(|(at, line)| Some((at + 1, line.strip_prefix(KEY)?)));
    Ok(match recorded {
        Some((_, recorded)) if recorded == now => Vec::new(),
        Some((line, _)) => {
            let message =
                "wit/*.wit changed since this hash was taken: write above what changed, then run `./x tidy --bless`";
            vec![Fault::new(CHANGELOG, line, message)]
        }
        None => vec![Fault::new(CHANGELOG, 0, format!("has no line `{KEY}…`: run `./x tidy --bless`"))],
    })
}

/// Writes the hash as it is now.
pub fn bless() -> Result<()> {
    let path = crate::top().join(CHANGELOG);
    let text = fs::read_to_string(&path).context(CHANGELOG)?;
    let line = format!("{KEY}{}", hash(&super::files()?));
    let mut lines: Vec<&str> = text.lines().collect();
    match lines.iter().position(|line| line.starts_with(KEY)) {
        Some(at) => lines[at] = &line,
        None => lines.extend(["", &line]),
    }
    Ok(fs::write(&path, lines.join("\n") + "\n")?)
}

/// A hash of the live contract's files, names included. What is released lies in a folder of its own and is frozen.
fn hash(files: &[File]) -> String {
    let mut hasher = blake3::Hasher::new();
    for file in files {
        let live = file.path.strip_prefix("wit/").is_some_and(|name| !name.contains('/') && name.ends_with(".wit"));
        if live {
            for part in [file.path.as_bytes(), &file.bytes] {
                hasher.update(&(part.len() as u64).to_le_bytes()).update(part);
            }
        }
    }
    hasher.finalize().to_hex().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_without_the_changelog_is_found() {
        let wit = |text| File::of("wit/types.wit", text);
        let of = |text, recorded: &str| check(&[File::of(CHANGELOG, recorded), wit(text)]).unwrap().len();
        let recorded = format!("# Changes\n\n{KEY}{}\n", hash(&[wit("a")]));
        assert_eq!(of("a", &recorded), 0);
        assert_eq!(of("b", &recorded), 1);
        assert_eq!(of("a", "# Changes\n"), 1);
    }
}
