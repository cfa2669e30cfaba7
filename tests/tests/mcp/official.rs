//! Clients that nobody here wrote: the official ones for Python and TypeScript, installed from their registries, once.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use serde_json::Value;

const PYTHON: &str = "mcp==2.3.0";
const TYPESCRIPT: &str = "@modelcontextprotocol/client@2.4.0";

/// Set to 1 where no registry can be reached: what the official clients would show is then shown by our own alone.
const OFFLINE: &str = "SEEKWELL_OFFLINE";

/// An official client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Official {
    /// The Python SDK's.
    Python,
    /// The TypeScript SDK's.
    TypeScript,
}

impl Official {
    /// Has the client do a plan, and gives what it saw. None where there is none and that was said to be right.
    pub fn run(self, plan: &Value) -> Option<Value> {
        if std::env::var_os(OFFLINE).is_some_and(|value| value == "1") {
            eprintln!("{self:?}: passed over, {OFFLINE}=1: the official client was not run");
            return None;
        }
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("plan.json");
        fs::write(&file, plan.to_string()).expect("the plan");
        let scripts = Path::new(env!("CARGO_MANIFEST_DIR")).join("clients");
        let mut command = match self {
            Self::Python => {
                let mut command = Command::new(installed_python());
                command.arg(scripts.join("python_client.py"));
                command
            }
            Self::TypeScript => {
                // Modules are looked for from where the script lies.
                let script = installed_typescript().join("typescript_client.mjs");
                fs::copy(scripts.join("typescript_client.mjs"), &script).expect("the script");
                let mut command = Command::new("node");
                command.arg(script);
                command
            }
        };
        let output = command.arg(&file).stdin(Stdio::null()).output().expect("the client runs");
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{self:?}: {}\n{stderr}", output.status);
        Some(serde_json::from_slice(&output.stdout).unwrap_or_else(|e| panic!("{self:?}: {e}\n{stderr}")))
    }
}

fn installed_python() -> &'static Path {
    static PLACE: OnceLock<PathBuf> = OnceLock::new();
    PLACE.get_or_init(|| {
        let folder = place(PYTHON);
        let python = folder.join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" });
        install(&folder, PYTHON, |folder| {
            let system = if cfg!(windows) { "python" } else { "python3" };
            must(Command::new(system).args(["-m", "venv", "--clear"]).arg(folder));
            must(Command::new(&python).args([
                "-m",
                "pip",
                "install",
                "--quiet",
                "--disable-pip-version-check",
                PYTHON,
            ]));
        });
        python
    })
}

fn installed_typescript() -> &'static Path {
    static PLACE: OnceLock<PathBuf> = OnceLock::new();
    PLACE.get_or_init(|| {
        let folder = place(TYPESCRIPT);
        install(&folder, TYPESCRIPT, |folder| {
            fs::create_dir_all(folder).expect("a folder");
            fs::write(folder.join("package.json"), "{\"private\": true}\n").expect("a package file");
            let npm = if cfg!(windows) { "npm.cmd" } else { "npm" };
            must(
                Command::new(npm)
                    .args(["install", "--no-audit", "--no-fund", "--ignore-scripts", TYPESCRIPT])
                    .current_dir(folder),
            );
        });
        folder
    })
}

/// Where a client is kept: beside what cargo builds, by its version.
fn place(package: &str) -> PathBuf {
    let name: String = package.chars().map(|c| if c.is_ascii_alphanumeric() || c == '.' { c } else { '-' }).collect();
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("mcp-clients").join(name.trim_matches('-'))
}

/// Installs, unless it was done before to the end.
fn install(folder: &Path, package: &str, how: impl FnOnce(&Path)) {
    let done = folder.join("installed");
    if !done.exists() {
        how(folder);
        fs::write(&done, package).expect("a mark");
    }
}

fn must(command: &mut Command) {
    let shown = format!("{command:?}");
    let help = format!(
        "this test drives the server with an official client; install what is missing, or set {OFFLINE}=1 to do without"
    );
    let output = command.stdin(Stdio::null()).output().unwrap_or_else(|e| panic!("{shown}: {e}; {help}"));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{shown}: {}\n{said}\n{help}", output.status);
}
