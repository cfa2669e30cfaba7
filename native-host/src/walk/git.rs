//! What git knows of a tree: work trees, their ignore files and indexes. Read from git's own files, never by running
//! `git`, whose version would then decide which files are found.

use super::{Environment, below, read_regular};
use seekwell_admit::{Above, GitConfig, IgnoreFile, Repo, SharedIndex, is_head};
use std::path::{Path, PathBuf};

/// No ignore or settings file is larger; git itself stops reading them here.
pub(super) const MAX_IGNORE_FILE: u64 = 100 << 20;
/// Linux's index has 10 MB. This is for trees a hundred times as large.
const MAX_INDEX: u64 = 1 << 30;
/// `HEAD`, `commondir` and a `.git` file hold one line.
const MAX_LINE: u64 = 1 << 16;

/// Reads git's files.
pub(super) struct Git {
    environment: Environment,
    /// The machine's and the user's settings.
    config: GitConfig,
}

/// The work tree around a folder.
pub(super) struct Around {
    /// The folder's path below the top.
    pub(super) below_top: Vec<u8>,
    /// What git knows of it.
    pub(super) repo: Repo,
    /// Ignore files between the top and the folder.
    pub(super) above: Vec<Above>,
}

/// What a `.git` leads to.
struct GitDir {
    /// The work tree's own folder.
    dir: PathBuf,
    /// The folder that all work trees of the repository share.
    common: PathBuf,
    /// Whether it is what git takes for a repository.
    sound: bool,
}

impl Git {
    /// Reads the settings that hold for all repositories.
    pub(super) fn new(environment: &Environment) -> Self {
        let mut config = GitConfig::default();
        let user = match &environment.git_config_global {
            Some(file) => vec![file.clone()],
            None => {
                let config_home = environment.config_home.as_ref().map(|folder| folder.join("git/config"));
                config_home.into_iter().chain(environment.home.as_ref().map(|home| home.join(".gitconfig"))).collect()
            }
        };
        for file in environment.git_config_system.iter().chain(&user) {
            config.add(&read_through_links(file, MAX_IGNORE_FILE).unwrap_or_default());
        }
        Self { environment: environment.clone(), config }
    }

    /// The work tree that a folder lies in. If no `.git` on the way up is a repository, the nearest counts as a marker:
    /// its ignore files hold, though no index says what is tracked.
    pub(super) fn around(&self, folder: &Path, shown: &str) -> Option<Around> {
        let mut marker = None;
        let mut found = None;
        for top in folder.ancestors() {
            let Some(git) = GitDir::of(top) else { continue };
            if git.sound {
                found = (!git.is_bare()).then_some((top, git));
                break;
            }
            marker = marker.or(Some((top, git)));
        }
        let (top, git) = found.or(marker)?;
        let below_top = below(folder, top)?;
        let depth = folder.strip_prefix(top).ok()?.components().count();
        let label = shown.to_owned() + &"../".repeat(depth);
        let mut folders: Vec<_> = folder.ancestors().skip(1).take(depth).collect();
        folders.reverse();
        let above = folders.into_iter().filter_map(|folder| {
            let bytes = read_regular(&folder.join(".gitignore"), MAX_IGNORE_FILE).ok()?;
            Some(Above { folder: below(folder, top)?, bytes })
        });
        Some(Around { below_top, above: above.collect(), repo: self.repo(top, &git, &label) })
    }

    /// What the `.git` of a folder leads to. `label` is the folder as a reader sees it, with a slash.
    pub(super) fn repo_in(&self, folder: &Path, label: &str) -> Option<Repo> {
        Some(self.repo(folder, &GitDir::of(folder)?, label))
    }

    fn repo(&self, top: &Path, git: &GitDir, label: &str) -> Repo {
        let mut config = self.config.clone();
        config.add(&read_regular(&git.common.join("config"), MAX_IGNORE_FILE).unwrap_or_default());
        if config.is_on("extensions.worktreeconfig") {
            config.add(&read_regular(&git.dir.join("config.worktree"), MAX_IGNORE_FILE).unwrap_or_default());
        }
        let info = read_through_links(&git.common.join("info/exclude"), MAX_IGNORE_FILE)
            .map(|bytes| IgnoreFile { label: format!("{label}.git/info/exclude"), bytes });
        let identity = std::fs::canonicalize(&git.common).unwrap_or_else(|_| git.common.clone());
        Repo {
            identity: identity.to_string_lossy().into_owned(),
            sound: git.sound,
            ignore_case: config.is_on("core.ignorecase"),
            index: read_regular(&git.dir.join("index"), MAX_INDEX).ok(),
            shared_indexes: shared_indexes(&git.dir),
            excludes: self.excludes_file(top, &config).into_iter().chain(info).collect(),
        }
    }

    /// The user's ignore file for all repositories.
    fn excludes_file(&self, top: &Path, config: &GitConfig) -> Option<IgnoreFile> {
        let home = self.environment.home.as_deref();
        let file = match config.get("core.excludesfile") {
            Some("") => return None,
            Some(path) => match path.strip_prefix("~/") {
                Some(path) => home?.join(path),
                None => top.join(path),
            },
            None => self.environment.config_home.as_ref()?.join("git/ignore"),
        };
        // Said from the home, so that answers name no user.
        let label = match home.and_then(|home| file.strip_prefix(home).ok()) {
            Some(path) => format!("~/{}", path.display()),
            None => file.display().to_string(),
        };
        Some(IgnoreFile { label, bytes: read_through_links(&file, MAX_IGNORE_FILE)? })
    }
}

impl GitDir {
    /// Where a folder's `.git` leads: it is the repository itself, or a file that names it (linked work trees,
    /// submodules).
    fn of(folder: &Path) -> Option<Self> {
        let dot_git = folder.join(".git");
        let metadata = std::fs::metadata(&dot_git).ok()?;
        let dir = if metadata.is_dir() {
            dot_git
        } else {
            let line = first_line(&dot_git)?;
            folder.join(line.strip_prefix("gitdir:")?.trim())
        };
        let common = first_line(&dir.join("commondir")).map_or_else(|| dir.clone(), |path| dir.join(path.trim()));
        let sound = has_head(&dir) && common.join("objects").is_dir() && common.join("refs").is_dir();
        Some(Self { dir, common, sound })
    }

    /// Whether the repository has no work tree here. Its linked ones have one whatever it says of itself.
    fn is_bare(&self) -> bool {
        let mut config = GitConfig::default();
        config.add(&read_regular(&self.dir.join("config"), MAX_IGNORE_FILE).unwrap_or_default());
        config.is_on("core.bare")
    }
}

/// Whether `HEAD` is a link into `refs/`, names such a reference, or is a commit.
fn has_head(git_dir: &Path) -> bool {
    let head = git_dir.join("HEAD");
    if let Ok(target) = std::fs::read_link(&head) {
        return target.starts_with("refs");
    }
    first_line(&head).is_some_and(|line| is_head(&line))
}

/// A file's text without the ends of lines behind it.
fn first_line(file: &Path) -> Option<String> {
    let text = String::from_utf8(read_regular(file, MAX_LINE).ok()?).ok()?;
    Some(text.trim_end_matches(['\n', '\r']).to_string())
}

/// Reads a file of the user's or of git's, which may be a link, unlike one of the tree.
fn read_through_links(file: &Path, limit: u64) -> Option<Vec<u8>> {
    read_regular(&std::fs::canonicalize(file).ok()?, limit).ok()
}

/// The files that a split index may build on.
fn shared_indexes(git_dir: &Path) -> Vec<SharedIndex> {
    let entries = std::fs::read_dir(git_dir).into_iter().flatten().flatten();
    let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
    let names = names.filter(|name| name.starts_with("sharedindex."));
    let mut files: Vec<_> = names
        .filter_map(|name| Some(SharedIndex { bytes: read_regular(&git_dir.join(&name), MAX_INDEX).ok()?, name }))
        .collect();
    files.sort_by(|one, other| one.name.cmp(&other.name));
    files
}
