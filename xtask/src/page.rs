//! The page: the browser's package and `web-demo`, put together in `web-demo/dist`.

use std::path::Path;
use std::process::Command;
use std::{fs, io};

use anyhow::{Context, Result, ensure};

/// Builds the page. The package must be there: `xtask browser` makes it.
pub fn build() -> Result<()> {
    let folder = crate::top().join("web-demo");
    install(&folder)?;
    link(&folder)?;
    npm(&folder, &["run", "--silent", "build"])
}

/// Serves what was built, as any static host does.
pub fn serve(arguments: &[&str]) -> Result<()> {
    let folder = crate::top().join("web-demo");
    npm(&folder, &[&["run", "--silent", "serve", "--"], arguments].concat())
}

/// Installs what a folder's lock file names, unless that is done.
pub fn install(folder: &Path) -> Result<()> {
    let wanted = fs::read(folder.join("package-lock.json"))
        .with_context(|| format!("{}: package-lock.json", folder.display()))?;
    let mark = folder.join("node_modules/.installed");
    let hash = blake3::hash(&wanted).to_hex();
    if fs::read(&mark).is_ok_and(|done| done == hash.as_bytes()) {
        return Ok(());
    }
    npm(folder, &["ci", "--no-audit", "--no-fund", "--loglevel", "error"])?;
    fs::write(&mark, hash.as_bytes()).with_context(|| mark.display().to_string())
}

/// Lets the page import the package by its name. It lies in the target folder, wherever that is, so a lock file cannot name it.
fn link(folder: &Path) -> Result<()> {
    let package = crate::target().join("browser/seekwell");
    ensure!(package.join("package.json").exists(), "the browser's package is not built: run `xtask browser`");
    let package = fs::canonicalize(&package)?;
    let link = folder.join("node_modules/seekwell");
    match fs::remove_file(&link) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error).context(link.display().to_string()),
        _ => std::os::unix::fs::symlink(&package, &link).with_context(|| link.display().to_string()),
    }
}

fn npm(folder: &Path, arguments: &[&str]) -> Result<()> {
    let status = Command::new("npm").args(arguments).current_dir(folder).status().context("npm")?;
    ensure!(status.success(), "npm {} failed: {status}", arguments.join(" "));
    Ok(())
}
