//! Which folders a server may read: what was named, else what the environment names, else the project that it was started in.

use std::path::{Path, PathBuf};

/// Variables that name the folder where no `--root` does, the first that is set counts: our own, and what Claude Code sets.
const VARIABLES: [&str; 2] = ["SEEKWELL_ROOT", "CLAUDE_PROJECT_DIR"];

/// What tells that a folder is a project, where no `.git` is.
const MARKERS: [&str; 17] = [
    ".hg",
    ".jj",
    ".seekwell.toml",
    ".seekwell",
    "Cargo.toml",
    "package.json",
    "pyproject.toml",
    "setup.py",
    "go.mod",
    "pom.xml",
    "build.gradle",
    "build.gradle.kts",
    "CMakeLists.txt",
    "Makefile",
    "composer.json",
    "Gemfile",
    "mix.exs",
];

/// Where a server was started, as far as it says which folders are meant.
#[derive(Clone, Debug, Default)]
pub struct Surroundings {
    /// The current folder, if there is one.
    pub current: Option<PathBuf>,
    /// The user's home, if it is known.
    pub home: Option<PathBuf>,
    /// A folder that the environment names, with the name of the variable.
    pub variable: Option<(&'static str, PathBuf)>,
}

impl Surroundings {
    /// Those of this process.
    pub fn of_process() -> Self {
        let set = |name: &'static str| {
            let value = std::env::var_os(name).filter(|value| !value.is_empty())?;
            Some((name, PathBuf::from(value)))
        };
        Self {
            current: std::env::current_dir().ok(),
            home: std::env::home_dir(),
            variable: VARIABLES.iter().find_map(|name| set(name)),
        }
    }
}

/// The folders that are served, the first is the one that is meant where nobody says which. The error tells what to do.
pub fn choose(named: &[PathBuf], around: &Surroundings) -> Result<Vec<PathBuf>, String> {
    if !named.is_empty() {
        let mut roots: Vec<PathBuf> = Vec::new();
        for path in named {
            let root = checked(path, "--root", around)?;
            if !roots.contains(&root) {
                roots.push(root);
            }
        }
        return Ok(roots);
    }
    if let Some((name, path)) = &around.variable {
        return Ok(vec![checked(path, name, around)?]);
    }
    let Some(current) = around.current.as_deref().and_then(|path| path.canonicalize().ok()) else {
        return Err(
            "no folder to search: the current folder cannot be read; start the server with --root DIR".to_owned()
        );
    };
    match project(&current) {
        Some(root) if too_large(&root, around).is_none() => Ok(vec![root]),
        _ => Err(format!(
            "no folder to search: the server was started in {}, which is not a project; start it with --root DIR, or set {}",
            current.display(),
            VARIABLES[0]
        )),
    }
}

/// The project that a folder is in: the nearest folder with a `.git`, else the folder itself if it looks like one.
fn project(current: &Path) -> Option<PathBuf> {
    let with_git = current.ancestors().find(|folder| folder.join(".git").exists());
    let marked = || MARKERS.iter().any(|marker| current.join(marker).exists()).then_some(current);
    with_git.or_else(marked).map(Path::to_owned)
}

fn checked(path: &Path, from: &str, around: &Surroundings) -> Result<PathBuf, String> {
    let say = |what: &str| format!("cannot search {} ({from}): {what}", path.display());
    let full = path.canonicalize().map_err(|e| say(&format!("{e}; name a folder that is there")))?;
    if !full.is_dir() {
        return Err(say("it is not a folder; name the folder that it is in"));
    }
    match too_large(&full, around) {
        Some(why) => Err(say(&format!("{why}; name the folder of a project"))),
        None => Ok(full),
    }
}

/// Why a folder is refused, though it is there: it holds everything that a user has.
fn too_large(root: &Path, around: &Surroundings) -> Option<&'static str> {
    let home = around.home.as_deref().and_then(|home| home.canonicalize().ok());
    match home {
        _ if root.parent().is_none() => Some("it is the whole machine"),
        Some(home) if home == root => Some("it is the home folder"),
        Some(home) if home.starts_with(root) => Some("it holds the home folder"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn around(current: &Path, home: &Path) -> Surroundings {
        Surroundings { current: Some(current.to_owned()), home: Some(home.to_owned()), variable: None }
    }

    fn this_folder() -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).canonicalize().unwrap()
    }

    #[test]
    fn what_is_named_counts_then_the_environment_then_the_project_around() {
        let here = this_folder();
        let source = here.join("src");
        let mut around = around(&here, Path::new("/nowhere"));
        assert_eq!(choose(&[source.clone(), source.clone()], &around), Ok(vec![source.clone()]));
        around.variable = Some(("SEEKWELL_ROOT", source.clone()));
        assert_eq!(choose(&[], &around), Ok(vec![source]));
        around.variable = None;
        let found = choose(&[], &around).unwrap();
        assert!(here.starts_with(&found[0]), "{found:?}");
    }

    #[test]
    fn the_whole_machine_and_the_home_folder_are_refused() {
        let here = this_folder();
        let home = here.join("src");
        let around = around(&home, &home);
        let error = |path: &Path| choose(&[path.to_owned()], &around).unwrap_err();
        assert!(error(Path::new("/")).contains("the whole machine"));
        assert!(error(&home).contains("the home folder"));
        assert!(error(&here).contains("it holds the home folder"));
        assert!(error(Path::new("/no/such")).contains("name a folder that is there"));
        assert!(error(&here.join("Cargo.toml")).contains("not a folder"));
        assert!(choose(&[home.join("mcp")], &around).is_ok());
    }
}
