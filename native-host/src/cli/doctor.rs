//! `seekwell doctor`: what this program needs of the machine, each with what to do if it is not so.

use std::fmt::Write as _;
use std::path::Path;

use super::args::DoctorArgs;
use super::error::Error;
use super::{Ended, ask};
use crate::component::Component;
use crate::config;
use crate::engine::Engine as _;
use crate::mcp::roots;
use crate::progress::Bar;
use crate::session::{self, SNAPSHOT_FORMAT, WIT_VERSION};
use crate::store::{self, Store};
use crate::watch::Watcher;

/// How a check came out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    /// As it should be.
    Fine,
    /// It works, but not as well as it could.
    Note,
    /// It does not work.
    Wrong,
}

impl Verdict {
    const fn word(self) -> &'static str {
        match self {
            Self::Fine => "ok",
            Self::Note => "note",
            Self::Wrong => "wrong",
        }
    }
}

/// One check.
struct Check {
    name: &'static str,
    verdict: Verdict,
    /// What was found.
    what: String,
    /// What to do about it; empty if there is nothing to do.
    fix: String,
}

impl Check {
    fn fine(name: &'static str, what: impl Into<String>) -> Self {
        Self { name, verdict: Verdict::Fine, what: what.into(), fix: String::new() }
    }

    fn note(name: &'static str, what: impl Into<String>, fix: impl Into<String>) -> Self {
        Self { name, verdict: Verdict::Note, what: what.into(), fix: fix.into() }
    }

    fn wrong(name: &'static str, what: impl Into<String>, fix: impl Into<String>) -> Self {
        Self { name, verdict: Verdict::Wrong, what: what.into(), fix: fix.into() }
    }
}

pub(super) fn run(args: &DoctorArgs) -> Result<Ended, Error> {
    let root = session::root_of(&args.path.iter().cloned().collect::<Vec<_>>())?;
    let mut checks = vec![
        Check::fine(
            "version",
            format!("{} (wit {WIT_VERSION}, snapshot format {SNAPSHOT_FORMAT})", env!("CARGO_PKG_VERSION")),
        ),
        component(),
        cache(),
        settings(&root),
    ];
    checks.extend(tree(&root));
    checks.extend([watching(&root), serving(&root)]);
    super::write(&if args.json { json(&root, &checks) } else { text(&checks) })?;
    let wrong = checks.iter().any(|check| check.verdict == Verdict::Wrong);
    Ok(if wrong { Ended::None } else { Ended::Hits })
}

/// Whether the engine is there and runs.
fn component() -> Check {
    let name = "engine";
    let languages = Component::shared().and_then(|engine| engine.worker()?.languages());
    match languages {
        Ok(languages) => Check::fine(name, format!("the component loads and knows {} languages", languages.len())),
        Err(e) => Check::wrong(name, e.to_string(), "install the program again, or build it with ./x build"),
    }
}

/// Whether what is kept can be kept.
fn cache() -> Check {
    let name = "cache";
    let Some(folder) = store::folder() else {
        return Check::note(
            name,
            "no place for a cache is known",
            "set SEEKWELL_CACHE to a folder that you can write to",
        );
    };
    let fingerprint = Component::shared().map(|engine| engine.fingerprint().to_owned()).unwrap_or_default();
    match Store::at(folder.clone(), &fingerprint).create() {
        Ok(()) => Check::fine(name, format!("{} can be written to", folder.display())),
        Err(why) => Check::wrong(
            name,
            format!("{} cannot be written to: {why}", folder.display()),
            "give it to yourself, or set SEEKWELL_CACHE to another folder; answers are right without it, but slower",
        ),
    }
}

/// Whether the tree's settings can be used.
fn settings(root: &Path) -> Check {
    let name = "settings";
    match config::load(root) {
        Ok(_) if root.join(config::FILE_NAME).exists() => {
            Check::fine(name, format!("{} is understood", config::FILE_NAME))
        }
        Ok(_) => Check::fine(name, format!("no {}, the defaults hold", config::FILE_NAME)),
        Err(e) => Check::wrong(name, e.to_string(), "nothing is searched here until the file is mended or removed"),
    }
}

/// What is searched, and what state its index is in.
fn tree(root: &Path) -> Vec<Check> {
    let asked = ask::status(Some(root), &super::args::WalkArgs::default()).and_then(|ask| {
        let bar = Bar::new();
        Ok(session::status(&ask.request(&bar))?)
    });
    let status = match asked {
        Ok(status) => status,
        Err(e) => {
            let what = e.to_string().trim_start_matches("seekwell: ").to_owned();
            return vec![Check::wrong("tree", what, "name a folder that can be read")];
        }
    };
    let files = status.generation.files;
    let unreadable = status.skipped.iter().filter(|skipped| skipped.reason == "unreadable").count();
    let tree = match (files, unreadable) {
        (0, _) => Check::note(
            "tree",
            format!("no file is searched in {}, {} paths are skipped", root.display(), status.skipped.len()),
            "seekwell status --skipped says why",
        ),
        (files, 0) => Check::fine("tree", format!("{files} files are searched in {}", root.display())),
        (files, some) => Check::note(
            "tree",
            format!("{files} files are searched, {some} paths cannot be read"),
            "seekwell status --skipped lists them; check their permissions",
        ),
    };
    let index = &status.index;
    let size = |bytes: u64| format!("{:.1} MB", bytes as f64 / 1e6);
    let index = match (index.troubles.as_slice(), index.exists) {
        ([], true) if !index.other_engine.is_empty() => Check::note(
            "index",
            format!("made by another version: {}", index.other_engine),
            "nothing: the next question brings it up to date",
        ),
        ([], true) => {
            Check::fine("index", format!("{}, all trees together {}", size(index.bytes), size(index.store_bytes)))
        }
        ([], false) => {
            Check::fine("index", "none of this folder; one is begun when it is worth it, or by seekwell index")
        }
        (troubles, _) => Check::note(
            "index",
            troubles.join("; "),
            "nothing: what is damaged is made again; seekwell clean removes the index",
        ),
    };
    vec![tree, index]
}

/// Whether the system tells of changes.
fn watching(root: &Path) -> Check {
    let watcher = Watcher::new(root, false);
    match watcher.reason() {
        None => Check::fine("watch", "the system tells of changes"),
        Some(why) => Check::note(
            "watch",
            why,
            "as root: sysctl fs.inotify.max_user_watches=524288 fs.inotify.max_user_instances=512, and the same in /etc/sysctl.d",
        ),
    }
}

/// Whether a server that is started here has a root.
fn serving(root: &Path) -> Check {
    let mut around = roots::Surroundings::of_process();
    around.current = Some(root.to_owned());
    match roots::choose(&[], &around) {
        Ok(roots) => Check::fine("mcp", format!("a server started here serves {}", roots[0].display())),
        Err(why) => Check::note("mcp", why, "seekwell setup AGENT prints settings with a root"),
    }
}

fn text(checks: &[Check]) -> String {
    let mut text = String::new();
    for Check { name, verdict, what, fix } in checks {
        let fix = if fix.is_empty() { String::new() } else { format!("; {fix}") };
        let line: String = format!("{:<6}{name}: {what}{fix}", verdict.word())
            .chars()
            .map(|c| if c.is_control() { ' ' } else { c })
            .collect();
        let _ = writeln!(text, "{line}");
    }
    text
}

fn json(root: &Path, checks: &[Check]) -> String {
    let rows: Vec<serde_json::Value> = checks
        .iter()
        .map(|check| serde_json::json!({"name": check.name, "verdict": check.verdict.word(), "what": check.what, "fix": check.fix}))
        .collect();
    let object = serde_json::json!({"schema": "seekwell/1", "command": "doctor", "root": root.to_string_lossy(), "checks": rows});
    object.to_string() + "\n"
}
