//! The compiled component: carried in the binary, written once to the cache, mapped from there at each start.
//!
//! Mapping a file costs 0.2 ms and no private memory; handing wasmtime the bytes would copy all of them, at 20 to 30 ms
//! and three times their size. The copy's name is its hash, so that versions do not disturb each other.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use wasmtime::Engine;
use wasmtime::component::Component;

use crate::engine::Failed;

/// The compiled component and its hash; empty in a build without one (`cargo check`, documentation). A static: of a
/// constant, the crate's metadata would hold four copies.
static BYTES: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/seekwell.cwasm"));
const HASH: &str = env!("SEEKWELL_COMPONENT_HASH");
/// Hash of the engine before it was compiled for a processor.
pub const ENGINE_HASH: &str = env!("SEEKWELL_ENGINE_HASH");

/// Loads the component.
pub fn load(engine: &Engine) -> Result<Component, Failed> {
    if BYTES.is_empty() {
        return Err(Failed::Other("this build carries no component; build it with ./x build".to_owned()));
    }
    match cached() {
        // The file is in a folder that only this user can write to, and was compiled by this very build: its name is the
        // hash of what the binary carries, and it was written whole or not at all.
        Some(path) => return load_file(engine, &path),
        // No place to write to: slower, but it works.
        // SAFETY: the bytes were compiled by this very build.
        #[allow(unsafe_code, reason = "wasmtime cannot tell whether the code is its own")]
        None => unsafe { Component::deserialize(engine, BYTES) },
    }
    .map_err(|e| Failed::Other(format!("the compiled component does not load: {e:?}")))
}

/// Loads a component from a file that is trusted.
pub fn load_file(engine: &Engine, path: &Path) -> Result<Component, Failed> {
    // SAFETY: the callers say why the file is trusted; wasmtime itself checks that it is of its own version and settings.
    #[allow(unsafe_code, reason = "wasmtime cannot tell whether the code is its own")]
    let component = unsafe { Component::deserialize_file(engine, path) };
    component.map_err(|e| Failed::Other(format!("the compiled component does not load: {e:?}")))
}

/// Where this machine keeps what can be made again: `$SEEKWELL_CACHE`, else the platform's cache folder.
pub fn cache_folder() -> Option<PathBuf> {
    let variable = |name| std::env::var_os(name).filter(|v| !v.is_empty()).map(PathBuf::from);
    variable("SEEKWELL_CACHE").or_else(|| {
        let platform = variable("XDG_CACHE_HOME").or_else(|| variable("LOCALAPPDATA"));
        let mac = || variable("HOME").map(|home| home.join("Library/Caches")).filter(|_| cfg!(target_os = "macos"));
        let other = || variable("HOME").map(|home| home.join(".cache"));
        Some(platform.or_else(mac).or_else(other)?.join("seekwell"))
    })
}

/// The file to map, written if it is not there; none if there is no private place for it.
fn cached() -> Option<PathBuf> {
    let folder = cache_folder()?.join("component");
    let path = folder.join(format!("{HASH}.cwasm"));
    if is_sound(&folder, &path) {
        return Some(path);
    }
    private_folder(&folder).ok()?;
    write_whole(&folder, &path).ok()?;
    is_sound(&folder, &path).then_some(path)
}

/// Whether the copy is whole and nobody else could have written it. Its content is not hashed again: that would read
/// all of it at each start, which mapping is there to avoid, and who can write here as this user has won already.
fn is_sound(folder: &Path, path: &Path) -> bool {
    let (Ok(folder), Ok(file)) = (fs::symlink_metadata(folder), fs::symlink_metadata(path)) else { return false };
    folder.is_dir() && file.is_file() && file.len() == BYTES.len() as u64 && is_private(&folder) && is_private(&file)
}

#[cfg(unix)]
fn is_private(metadata: &fs::Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    // Whoever this process may write files as owns its own executable's temporary files too; comparing with the owner
    // of /proc/self avoids a call into libc.
    let own = fs::metadata("/proc/self").map(|m| m.uid());
    metadata.mode() & 0o022 == 0 && own.map_or(true, |own| own == metadata.uid())
}

#[cfg(not(unix))]
fn is_private(_metadata: &fs::Metadata) -> bool {
    true
}

fn private_folder(folder: &Path) -> std::io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

/// Written under another name and renamed: another process sees all of it or nothing.
fn write_whole(folder: &Path, path: &Path) -> std::io::Result<()> {
    let partial = folder.join(format!("{HASH}.{}", std::process::id()));
    let mut options = fs::OpenOptions::new();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let written = options.open(&partial).and_then(|mut file| file.write_all(BYTES));
    let done = written.and_then(|()| fs::rename(&partial, path));
    if done.is_err() {
        let _ = fs::remove_file(&partial);
    }
    done
}
