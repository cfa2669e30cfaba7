//! Makes the static embedding table of `engine/models` anew, from published packages under permissive licences.
//!
//! What is done is told in `xtask/model/README.md`, by the scripts there; this starts them, one after the other, on one
//! thread and with whatever could differ between runs fixed.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use anyhow::{Context, Result, ensure};

/// The table in use, below the top folder.
const TABLE: &str = "engine/models/data/static-code-16k-128-int8";

/// Its files, and the one that records their hashes.
const FILES: [&str; 3] = ["config.json", "model.safetensors", "tokenizer.json"];
const RECORD: &str = "BLAKE3SUMS";

/// A script, and what else in its folder its result depends on.
struct Step {
    script: &'static str,
    reads: &'static [&'static str],
    what: &'static str,
}

/// In order: a step also depends on all that those before it depend on.
const STEPS: [Step; 4] = [
    Step {
        script: "fetch.py",
        reads: &["sources.tsv", "crates/Cargo.lock"],
        what: "fetching packages, checking hashes and licences",
    },
    Step { script: "text.py", reads: &[], what: "reading them" },
    Step { script: "teacher.py", reads: &["teacher.txt", "requirements.txt"], what: "asking the teacher" },
    Step { script: "train.py", reads: &["bags.py"], what: "training" },
];

/// Makes the table in `folder/table`, judges it beside the one in use and says whether they are the same.
pub fn make(folder: &Path) -> Result<()> {
    fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    let folder = folder.canonicalize()?;
    let started = Instant::now();
    let say = |what: &str| eprintln!("xtask: [{:>4} s] {what}", started.elapsed().as_secs());
    say("preparing Python");
    let python = python(&folder)?;
    let mut state = blake3::Hasher::new();
    for step in STEPS {
        for name in [step.script].iter().chain(step.reads) {
            state.update(&fs::read(scripts().join(name)).with_context(|| (*name).to_owned())?);
        }
        // Half an hour is worth going on with: what a step has made from the same scripts and lists is kept.
        let (mark, state) = (folder.join(step.script).with_extension("done"), state.finalize().to_hex());
        if fs::read_to_string(&mark).is_ok_and(|done| done == state.as_str()) {
            say(&format!("kept from before: {}", step.what));
            continue;
        }
        say(step.what);
        run(call(&python, step.script).arg(&folder))?;
        fs::write(&mark, state.as_str())?;
    }
    let (made, used) = (folder.join("table"), crate::top().join(TABLE));
    fs::write(made.join(RECORD), record(&made)?)?;
    say("judging: the table in use, then the new one");
    run(call(&python, "judge.py").arg(&folder).args([&used, &made]))?;
    print!("{}", record(&made)?);
    if record(&made)? == record(&used)? {
        say("the same bytes as the table in use");
    } else {
        say(&format!("not the table in use; to take it, copy {}/* to {TABLE}", made.display()));
    }
    Ok(())
}

/// The interpreter of a virtual environment with what the scripts import; the teacher's files are laid beside it.
fn python(folder: &Path) -> Result<PathBuf> {
    let (venv, scripts) = (folder.join("venv"), scripts());
    let python = venv.join("bin/python");
    if !python.exists() {
        run(Command::new("python3").args(["-m", "venv"]).arg(&venv))?;
    }
    let install = || {
        let mut command = Command::new(&python);
        command.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"]);
        command
    };
    run(install().arg("--requirement").arg(scripts.join("requirements.txt")))?;
    if !folder.join("teacher").exists() {
        let partial = folder.join("teacher.partial");
        let list = scripts.join("teacher.txt");
        run(install()
            .args(["--no-deps", "--require-hashes", "--requirement"])
            .arg(list)
            .arg("--target")
            .arg(&partial))?;
        fs::rename(&partial, folder.join("teacher"))?;
    }
    Ok(python)
}

/// A call of a script.
fn call(python: &Path, script: &str) -> Command {
    let mut command = Command::new(python);
    command.arg(scripts().join(script));
    // One thread: sums of several come out in the order in which the threads end.
    for variable in ["OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"] {
        command.env(variable, "1");
    }
    command.env("TOKENIZERS_PARALLELISM", "false").env("PYTHONHASHSEED", "0").env("PYTHONDONTWRITEBYTECODE", "1");
    command
}

fn scripts() -> PathBuf {
    crate::top().join("xtask/model")
}

fn run(command: &mut Command) -> Result<()> {
    let name = command.get_program().to_string_lossy().into_owned();
    let status = command.status().with_context(|| format!("{name}: is it installed?"))?;
    let arguments: Vec<_> = command.get_args().map(|argument| argument.to_string_lossy()).collect();
    ensure!(status.success(), "{name} {} failed: {status}", arguments.join(" "));
    Ok(())
}

/// The hashes of a table's files, as `b3sum` writes them.
fn record(folder: &Path) -> Result<String> {
    let mut lines = String::new();
    for name in FILES {
        let path = folder.join(name);
        let bytes = fs::read(&path).with_context(|| path.display().to_string())?;
        lines.push_str(&format!("{}  {name}\n", blake3::hash(&bytes).to_hex()));
    }
    Ok(lines)
}
