//! What git says belongs to a tree, asked of git itself; and git kept from the settings of whoever runs the tests.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use seekwell::walk::{Environment, Walk, WalkOptions, walk};
use seekwell_admit::{Admission, Options};

/// A git command in a folder, with the settings in `home` only.
pub fn command(folder: &Path, home: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new("git");
    command.env_clear().env("PATH", std::env::var_os("PATH").unwrap_or_default());
    command.env("HOME", home).env("XDG_CONFIG_HOME", home.join(".config")).env("GIT_CONFIG_NOSYSTEM", "1");
    command.env("GIT_LITERAL_PATHSPECS", "1");
    for who in ["AUTHOR", "COMMITTER"] {
        command.env(format!("GIT_{who}_NAME"), "t").env(format!("GIT_{who}_EMAIL"), "t@example.org");
    }
    // Fixtures made as root are walked as somebody else, and submodules come from folders.
    command.args(["-c", "safe.directory=*", "-c", "protocol.file.allow=always", "-c", "init.defaultBranch=main"]);
    command.arg("-C").arg(folder).args(arguments);
    command
}

/// Runs git; its output, or a panic with its errors.
pub fn git(folder: &Path, home: &Path, arguments: &[&str]) -> Vec<u8> {
    let output = command(folder, home, arguments).output().expect("git is installed");
    assert!(output.status.success(), "git {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    output.stdout
}

/// The walk's settings that see what [`command`] lets git see.
pub fn options(home: &Path) -> WalkOptions {
    let environment =
        Environment { home: Some(home.into()), config_home: Some(home.join(".config")), ..Environment::default() };
    WalkOptions { environment, max_file_size: u64::MAX, ..WalkOptions::from_env() }
}

/// Walks with these options.
pub fn walk_with(paths: &[PathBuf], home: &Path, admission: Options) -> Walk {
    let mut admission = Admission::new(admission).expect("sound patterns");
    walk(paths, &options(home), &mut admission).expect("a walk")
}

/// What `git ls-files -co --exclude-standard` names in a folder, reduced to what a search can read: regular files that
/// are there, and links to one inside `root`; with other repositories inside replaced by what git names in them.
pub fn files(root: &Path, folder: &Path, home: &Path) -> BTreeSet<PathBuf> {
    let listed = git(folder, home, &["ls-files", "-co", "--exclude-standard", "-z"]);
    let mut files = BTreeSet::new();
    for name in listed.split(|&byte| byte == 0).filter(|name| !name.is_empty()) {
        let path = folder.join(OsStr::from_bytes(name));
        let Ok(metadata) = path.symlink_metadata() else { continue };
        let real = std::fs::canonicalize(&path);
        let parent = path.parent().expect("below the folder");
        if std::fs::canonicalize(parent).ok().as_deref() != Some(parent) {
            // Tracked, but on disk it lies behind a link by now.
            continue;
        }
        let inside = |real: &Path| real.starts_with(root) && !real.components().any(|name| name.as_os_str() == ".git");
        if metadata.is_dir() {
            if path.join(".git").exists() && !same_repository(folder, &path, home) {
                files.extend(self::files(root, &path, home));
            }
        } else if metadata.is_file() || real.is_ok_and(|real| real.is_file() && inside(&real)) {
            files.insert(path.strip_prefix(root).expect("below the root").into());
        }
    }
    files.retain(|path| !path.components().any(|name| name.as_os_str() == ".seekwell"));
    files
}

fn same_repository(one: &Path, other: &Path, home: &Path) -> bool {
    let common = |folder| {
        let output = git(folder, home, &["rev-parse", "--path-format=absolute", "--git-common-dir"]);
        std::fs::canonicalize(OsStr::from_bytes(output.trim_ascii_end())).ok()
    };
    common(one) == common(other)
}

/// What a walk found, in the form of [`files`].
pub fn found(walk: &Walk) -> BTreeSet<PathBuf> {
    let path = |escaped: &str| -> PathBuf {
        let mut bytes = Vec::new();
        let mut rest = escaped.as_bytes();
        while let Some((&byte, after)) = rest.split_first() {
            rest = after;
            if byte == b'%' {
                let (code, after) = rest.split_at(2);
                let code = std::str::from_utf8(code).expect("two hex digits");
                bytes.push(u8::from_str_radix(code, 16).expect("two hex digits"));
                rest = after;
            } else {
                bytes.push(byte);
            }
        }
        OsStr::from_bytes(&bytes).into()
    };
    let path =
        |found: &seekwell::walk::Found| if found.path_escaped { path(&found.path) } else { PathBuf::from(&found.path) };
    walk.files.iter().map(path).collect()
}
