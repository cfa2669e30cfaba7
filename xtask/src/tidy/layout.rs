//! The language table and the folders of queries belong together.

use super::{Fault, File};
use anyhow::{Context, Result};

const QUERIES: &str = "engine/languages/queries/";
const GRAMMARS: &str = "engine/languages/src/grammars.rs";

/// Checks that every query is used by a grammar; one that a grammar names and nobody wrote does not compile.
pub fn queries(files: &[File]) -> Result<Vec<Fault>> {
    let grammars = files.iter().find(|file| file.path == GRAMMARS).context("grammars.rs is missing")?;
    let text = grammars.text().unwrap_or_default();
    let mut faults = Vec::new();
    for file in files {
        let Some(query) = file.path.strip_prefix(QUERIES) else { continue };
        if !text.contains(&format!("\"{query}\"")) {
            let message = format!("no grammar uses it: name it in {GRAMMARS}, or remove it");
            faults.push(Fault::new(&file.path, 0, message));
        }
    }
    Ok(faults)
}
