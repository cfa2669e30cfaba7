//! A tree in a temporary folder, and the binary run on it.

use std::ffi::{OsStr, OsString};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

/// What runs longer hangs.
const PATIENCE: Duration = Duration::from_secs(120);

/// Path of the binary, built before the tests.
pub fn binary() -> PathBuf {
    std::env::var_os("SEEKWELL_BINARY").map(PathBuf::from).expect("SEEKWELL_BINARY names the binary; ./x test sets it")
}

/// The cache that all tests share, so that none depends on the user's and the component is written once. The name of
/// the user who runs the tests is not known to `setpriv`, so others get none and load from the bytes.
fn cache() -> PathBuf {
    std::env::temp_dir().join("seekwell-tests-cache")
}

/// A tree of files that goes when dropped.
pub struct Tree(tempfile::TempDir);

impl Tree {
    /// A tree with these files.
    pub fn new(files: &[(&str, &str)]) -> Self {
        let tree = Self(tempfile::tempdir().expect("a temporary folder"));
        files.iter().for_each(|(path, text)| tree.write(path, text));
        tree
    }

    /// Writes a file, with its folders.
    pub fn write(&self, path: &str, content: impl AsRef<[u8]>) {
        let path = self.path().join(path);
        std::fs::create_dir_all(path.parent().expect("a path below the root")).expect("folders");
        std::fs::write(path, content).expect("a file");
    }

    /// Its root, without links on the way.
    pub fn path(&self) -> PathBuf {
        self.0.path().canonicalize().expect("the folder is there")
    }

    /// Runs the binary in the root.
    pub fn run<S: AsRef<OsStr>>(&self, arguments: &[S]) -> Run {
        run(&mut command(&self.path(), arguments))
    }

    /// The answer of a command that prints JSON; it must have been one.
    pub fn json<S: AsRef<OsStr>>(&self, arguments: &[S]) -> Value {
        let run = self.run(arguments);
        assert!(run.code < 2, "{}", run.stderr);
        serde_json::from_str(&run.stdout).unwrap_or_else(|e| panic!("{e}: {}", run.stdout))
    }

    /// The answer to a question, with these options.
    pub fn ask(&self, query: &str, options: &[&str]) -> Value {
        self.json(&[&["search", "--json"], options, &["--", query]].concat())
    }

    /// The paths of the hits, in order.
    pub fn paths(&self, query: &str, options: &[&str]) -> Vec<String> {
        paths(&self.ask(query, options))
    }
}

/// The paths of an answer's hits, in order.
pub fn paths(answer: &Value) -> Vec<String> {
    hits(answer).iter().map(|hit| hit["path"].as_str().expect("a path").to_owned()).collect()
}

/// An answer's hits.
pub fn hits(answer: &Value) -> &[Value] {
    answer["hits"].as_array().expect("hits")
}

/// How a run ended.
#[derive(Debug, PartialEq)]
pub struct Run {
    /// The exit code; 128 and the signal if it was killed.
    pub code: i32,
    /// What it wrote, which must be UTF-8.
    pub stdout: String,
    /// What it told.
    pub stderr: String,
}

/// The binary in a folder, in an environment that asks for backtraces and holds nothing that changes output.
pub fn command<S: AsRef<OsStr>>(folder: &Path, arguments: &[S]) -> Command {
    command_by(&[], folder, arguments)
}

/// The same, started by another program (`setpriv …`).
pub fn command_by<S: AsRef<OsStr>>(starter: &[&str], folder: &Path, arguments: &[S]) -> Command {
    let mut line: Vec<OsString> = starter.iter().map(OsString::from).collect();
    line.push(binary().into_os_string());
    line.extend(arguments.iter().map(|a| a.as_ref().to_owned()));
    let mut command = Command::new(&line[0]);
    command.args(&line[1..]).current_dir(folder).env("SEEKWELL_CACHE", cache()).env("RUST_BACKTRACE", "1");
    for name in ["NO_COLOR", "CLICOLOR_FORCE", "GIT_DIR", "GIT_CONFIG_GLOBAL"] {
        command.env_remove(name);
    }
    command
}

/// Runs to the end, or panics when it hangs.
pub fn run(command: &mut Command) -> Run {
    let mut child =
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
    let reader = |mut pipe: Box<dyn Read + Send>| {
        std::thread::spawn(move || {
            let mut bytes = Vec::new();
            pipe.read_to_end(&mut bytes).expect("a pipe can be read");
            String::from_utf8(bytes).expect("output is UTF-8")
        })
    };
    let stdout = reader(Box::new(child.stdout.take().expect("piped")));
    let stderr = reader(Box::new(child.stderr.take().expect("piped")));
    let started = Instant::now();
    let status = loop {
        match child.try_wait().expect("a child can be waited for") {
            Some(status) => break status,
            None if started.elapsed() > PATIENCE => {
                child.kill().expect("our own child");
                panic!("it hangs: {command:?}");
            }
            None => std::thread::sleep(Duration::from_millis(2)),
        }
    };
    let code =
        status.code().unwrap_or_else(|| 128 + std::os::unix::process::ExitStatusExt::signal(&status).unwrap_or(0));
    Run { code, stdout: stdout.join().expect("UTF-8"), stderr: stderr.join().expect("UTF-8") }
}

/// Whether this process may become another user, or make a network of its own.
pub fn is_root() -> bool {
    let own = std::fs::metadata("/proc/self");
    own.is_ok_and(|own| std::os::unix::fs::MetadataExt::uid(&own) == 0)
}

/// Whether a program can be started here.
pub fn has(program: &str) -> bool {
    Command::new(program)
        .arg("--version")
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|s| s.success())
}

/// Says that a check is passed over.
pub fn pass_over(check: &str, why: &str) {
    println!("passed over: {check}: {why}");
}
