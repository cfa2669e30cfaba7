//! Speed and memory of the real binary, against named peers and against the same engine linked natively.
//!
//! Every figure is the median over runs of a whole process: CPU seconds (user and system), wall time, peak resident
//! memory. CPU seconds are the fairer ones on a machine that does other things too.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use seekwell::engine::{Change, Engine, Snapshot, Workspace};
use seekwell::session::WalkOptions;
use seekwell::{component::Component, walk};
use seekwell_tests::native::Native;
use seekwell_tests::request;
use seekwell_types::Query;
use seekwell_types::structure::StructureQuery;

const USAGE: &str = "bench --binary SEEKWELL [--runs N] [--query TEXT] FOLDER...

  For each folder: start-up on ten files, cold end to end, keyword mode, with an index and what that takes, and the stages (analysis, commit, query) of the
  component and of the engine linked natively, with ripgrep beside them if it is installed.
";

fn main() -> Result<()> {
    let mut runs = 5;
    let mut binary = None;
    let mut query = "retry with exponential backoff".to_owned();
    let mut folders: Vec<PathBuf> = Vec::new();
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().with_context(|| format!("{argument} needs a value"));
        match argument.as_str() {
            "--runs" => runs = value()?.parse()?,
            "--binary" => binary = Some(PathBuf::from(value()?)),
            "--query" => query = value()?,
            // Not for people: one stage in a process of its own, so that its memory is its own.
            "--stage" => return stage(&value()?, &value()?, &query),
            "--help" | "-h" => {
                print!("{USAGE}");
                return Ok(());
            }
            folder if !folder.starts_with('-') => folders.push(folder.into()),
            other => bail!("{other} is not an option; --help lists them"),
        }
    }
    let binary = binary.context("--binary is missing; --help says what it is")?;
    ensure!(!folders.is_empty(), "name a folder; --help says what is measured");
    println!("| folder | what | CPU s | wall s | peak MB |");
    println!("|---|---|---:|---:|---:|");
    for folder in &folders {
        one_folder(&binary, folder, &query, runs)?;
    }
    Ok(())
}

fn one_folder(binary: &Path, folder: &Path, query: &str, runs: usize) -> Result<()> {
    let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let row = |what: &str, cost: Cost| {
        println!("| {name} | {what} | {:.3} | {:.3} | {:.0} |", cost.cpu, cost.wall, cost.peak_mb)
    };
    let ten = ten_files(folder)?;
    let seekwell = |arguments: &[&str], folder: &Path| {
        median(runs, || {
            let mut command = Command::new(binary);
            command.args(arguments).arg(folder);
            command
        })
    };
    row("start-up: ten files", seekwell(&["search", query], ten.path())?);
    row("cold, end to end", seekwell(&["search", query, "--no-store"], folder)?);
    row("cold, keyword", seekwell(&["search", query, "--mode", "keyword", "--no-store"], folder)?);
    row("exact", seekwell(&["search", query, "--mode", "exact"], folder)?);
    stored(binary, folder, query, runs, &row)?;
    if Command::new("rg").arg("--version").stdout(Stdio::null()).status().is_ok() {
        let words = query.split(' ').filter(|w| w.len() > 4).collect::<Vec<_>>().join("|");
        let rg = median(runs, || {
            let mut command = Command::new("rg");
            command.args(["-i", "--no-messages", &words]).arg(folder);
            command
        })?;
        row("rg -i of its words", rg);
    }
    let me = std::env::current_exe()?;
    for engine in ["component", "native"] {
        let cost = median(runs, || {
            let mut command = Command::new(&me);
            command.args(["--query", query, "--stage", engine]).arg(folder);
            command
        })?;
        row(&format!("{engine}: stages"), cost);
        let output = Command::new(&me).args(["--query", query, "--stage", engine]).arg(folder).output()?;
        print!("{}", String::from_utf8_lossy(&output.stdout));
    }
    Ok(())
}

/// What a store costs and saves, on a copy of the folder with a cache of its own.
fn stored(binary: &Path, folder: &Path, query: &str, runs: usize, row: &dyn Fn(&str, Cost)) -> Result<()> {
    let (cache, copies) = (tempfile::tempdir()?, tempfile::tempdir()?);
    let seekwell = |arguments: &[&str], folder: &Path| {
        let mut command = Command::new(binary);
        command.args(arguments).arg(folder).env("SEEKWELL_CACHE", cache.path());
        command
    };
    let (first, second) = (copies.path().join("first"), copies.path().join("second"));
    copy(folder, &first)?;
    let source = copy(folder, &second)?;
    // Writes the component to the cache, too, which is no part of what is measured.
    measure(&mut seekwell(&["search", "--no-store", query], ten_files(folder)?.path()))?;
    // A file that has just been written may change once more without a trace: it would be hashed again.
    std::thread::sleep(Duration::from_millis(2_100));
    row("index, begun", measure(&mut seekwell(&["index"], &first))?);
    let store = cache.path().join(format!("store-{}", seekwell::store::STORE_FORMAT));
    let on_disk = size(&store)?;
    row("with the index", median(runs, || seekwell(&["search", query], &first))?);
    row("with the index, keyword", median(runs, || seekwell(&["search", query, "--mode", "keyword"], &first))?);
    row("index of a clone", measure(&mut seekwell(&["index"], &second))?);
    let listed = seekwell::session::files(&request(vec![first.clone()], Query::default()))?;
    let changed = listed.files.iter().map(|path| first.join(path)).find(|path| {
        path.extension().is_some_and(|e| e == "rs") && path.metadata().is_ok_and(|m| (4_000..20_000).contains(&m.len()))
    });
    let changed = changed.context("no file to change")?;
    let mut text = std::fs::read(&changed)?;
    text.extend_from_slice(b"\npub fn one_function_more() {}\n");
    std::fs::write(&changed, text)?;
    std::thread::sleep(Duration::from_millis(2_100));
    row("with the index, one file changed", median(runs, || seekwell(&["search", query], &first))?);
    println!(
        "| | the store has {:.1} MB, {:.2} times the source of {:.1} MB | | | |",
        on_disk as f64 / 1e6,
        on_disk as f64 / source as f64,
        source as f64 / 1e6
    );
    Ok(())
}

/// Copies the files that are searched; gives their bytes.
fn copy(folder: &Path, to: &Path) -> Result<u64> {
    let listed = seekwell::session::files(&request(vec![folder.to_owned()], Query::default()))?;
    let mut bytes = 0;
    for path in &listed.files {
        let target = to.join(path);
        std::fs::create_dir_all(target.parent().context("a file is in a folder")?)?;
        bytes += std::fs::copy(listed.root.join(path), target)?;
    }
    Ok(bytes)
}

/// Bytes of the files below a folder.
fn size(folder: &Path) -> Result<u64> {
    let mut bytes = 0;
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        bytes += if entry.file_type()?.is_dir() { size(&entry.path())? } else { entry.metadata()?.len() };
    }
    Ok(bytes)
}

/// Prints what each stage costs in this process, on one thread.
fn stage(engine: &str, folder: &str, query: &str) -> Result<()> {
    let other;
    let engine: &dyn Engine = match engine {
        "component" => Component::shared()?,
        file if file.ends_with(".cwasm") => {
            other = Component::load_file(Path::new(file))?;
            &other
        }
        "native" => &Native,
        other => bail!("--stage {other}: component, native or a .cwasm file"),
    };
    let query = Query { text: query.to_owned(), limit: 10, ..Query::default() };
    let mut ask = request(vec![folder.into()], query.clone());
    ask.walk = WalkOptions { threads: 1, ..WalkOptions::default() };
    let started = cpu_seconds();
    let listed = seekwell::session::files(&ask)?;
    let listing = cpu_seconds() - started;
    let contents: Vec<(String, Vec<u8>)> = listed
        .files
        .into_iter()
        .filter_map(|path| Some((path.clone(), std::fs::read(listed.root.join(&path)).ok()?)))
        .filter(|(_, bytes)| bytes.len() as u64 <= walk::DEFAULT_MAX_FILE_SIZE)
        .collect();
    let bytes: usize = contents.iter().map(|(_, b)| b.len()).sum();
    let mut worker = engine.worker()?;
    let started = cpu_seconds();
    let analysed: Vec<(&str, Vec<u8>)> = contents
        .iter()
        .filter_map(|(path, bytes)| Some((path.as_str(), worker.analyse(path, bytes, true).ok()?)))
        .collect();
    let analysis = cpu_seconds() - started;
    let blobs: usize = analysed.iter().map(|(_, b)| b.len()).sum();
    let started = cpu_seconds();
    let mut workspace = engine.workspace(true)?;
    for (path, blob) in &analysed {
        workspace.add(path, blob)?;
    }
    let added = cpu_seconds() - started;
    let generation = workspace.commit()?;
    let committed = cpu_seconds() - started;
    let started = cpu_seconds();
    const QUESTIONS: u32 = 20;
    for _ in 0..QUESTIONS {
        workspace.find(&query, &[])?;
    }
    let found = (cpu_seconds() - started) / f64::from(QUESTIONS);
    updated(engine, workspace.as_mut(), &contents, &analysed, &query)?;
    structure(workspace.as_mut())?;
    println!(
        "| | {} files, {:.1} MB, {} chunks: list {:.0} ms, analyse {:.0} ms ({:.1} MB/s, blobs {:.1} MB), add {:.0} ms, commit {:.0} ms, question {:.2} ms | | | |",
        generation.files,
        bytes as f64 / 1e6,
        generation.chunks,
        listing * 1e3,
        analysis * 1e3,
        bytes as f64 / 1e6 / analysis,
        blobs as f64 / 1e6,
        added * 1e3,
        (committed - added) * 1e3,
        found * 1e3,
    );
    Ok(())
}

/// Prints what it costs to restore a snapshot, to bring it up to date after a change of one file, and to ask then; and sees to
/// it that the answer is that of a tree that was read anew.
fn updated(
    engine: &dyn Engine,
    workspace: &mut dyn Workspace,
    contents: &[(String, Vec<u8>)],
    analysed: &[(&str, Vec<u8>)],
    query: &Query,
) -> Result<()> {
    let snapshot = workspace.snapshot()?.context("a snapshot of what was committed")?;
    let of_size = |(path, bytes): &&(String, Vec<u8>)| path.ends_with(".rs") && (4_000..20_000).contains(&bytes.len());
    let candidates: Vec<_> = contents.iter().filter(of_size).collect();
    let Some((path, bytes)) = candidates.get(candidates.len() / 2) else { return Ok(()) };
    let lines: Vec<&[u8]> = bytes.split_inclusive(|&byte| byte == b'\n').collect();
    let middle = lines.len() / 2;
    let without = [&lines[..middle], lines.get(middle + 12..).unwrap_or_default()].concat().concat();
    let more = [&bytes[..], b"\npub fn one_function_more() {}\n"].concat();
    let beside = path.replace(".rs", "_one_more.rs");
    let edits: [(&str, &str, Option<&[u8]>); 4] = [
        ("a function more", path, Some(&more)),
        ("twelve lines less", path, Some(&without)),
        ("a file more", &beside, Some(bytes)),
        ("a file less", path, None),
    ];
    for (what, path, bytes) in edits {
        updated_by(engine, &snapshot, analysed, query, (what, path, bytes))?;
    }
    Ok(())
}

fn updated_by(
    engine: &dyn Engine,
    snapshot: &Snapshot,
    analysed: &[(&str, Vec<u8>)],
    query: &Query,
    (what, path, bytes): (&str, &str, Option<&[u8]>),
) -> Result<()> {
    const AGAIN: u32 = 20;
    let blob = |bytes| engine.worker()?.analyse(path, bytes, true).map_err(|e| anyhow::anyhow!("{e:?}"));
    let new = bytes.map(blob).transpose()?;
    let mut files: BTreeMap<&str, &[u8]> = analysed.iter().map(|(path, old)| (*path, &old[..])).collect();
    match &new {
        Some(new) => files.insert(path, new),
        None => files.remove(path),
    };
    let mut anew = engine.workspace(true)?;
    for (path, blob) in files {
        anew.add(path, blob)?;
    }
    anew.commit()?;
    let own = Query { text: "one function more".to_owned(), ..query.clone() };
    let change = Change { path: path.to_owned(), new };
    let (mut restored, mut updated, mut found) = (0.0, 0.0, 0.0);
    for _ in 0..AGAIN {
        let mut workspace = engine.workspace(true)?;
        let started = cpu_seconds();
        workspace.restore(&snapshot.searchable)?;
        let then = cpu_seconds();
        workspace.update(std::slice::from_ref(&change), &snapshot.rest)?;
        let after = cpu_seconds();
        workspace.find(query, &[])?;
        restored += then - started;
        updated += after - then;
        found += cpu_seconds() - after;
        for query in [query, &own] {
            ensure!(workspace.find(query, &[])? == anew.find(query, &[])?, "{what}: an updated tree answers otherwise");
        }
    }
    let each = |seconds: f64| seconds * 1e3 / f64::from(AGAIN);
    println!(
        "| | restore {:.1} ms, {what} {:.1} ms, then a question {:.1} ms | | | |",
        each(restored),
        each(updated),
        each(found)
    );
    Ok(())
}

/// Prints what questions about structure cost: the first, for which all uses are resolved, and `impact` on the function
/// that is called from the most places of those whose name no other has, again and again.
fn structure(workspace: &mut dyn Workspace) -> Result<()> {
    const AGAIN: u32 = 20;
    let started = Instant::now();
    let map = workspace.ask(&StructureQuery::Map { task: String::new(), files: 200 })?;
    let first = started.elapsed();
    let (mut most, mut commonest) = ((0, String::new()), (0, String::new()));
    let functions =
        map.files.iter().flat_map(|file| &file.symbols).filter(|s| s.kind == "function" || s.kind == "method");
    for name in functions.map(|s| s.name.clone()).collect::<BTreeSet<_>>() {
        let callers = workspace.ask(&StructureQuery::Callers { name: name.clone() })?;
        // A name like `new` is many functions.
        if callers.subjects.len() > 1 {
            commonest = commonest.max((callers.subjects.len(), name));
            continue;
        }
        most = most.max((callers.rows.iter().map(|row| row.places.len()).sum(), name));
    }
    println!("| | structure: first question {:.0} ms | | | |", first.as_secs_f64() * 1e3);
    let called = |(places, name): (usize, String)| (format!("called at {places} places"), name);
    let defined = |(definitions, name): (usize, String)| (format!("with {definitions} definitions"), name);
    for (what, name) in [called(most), defined(commonest)] {
        let (mut worst, mut rows) = (Duration::ZERO, 0);
        let started = cpu_seconds();
        for _ in 0..AGAIN {
            let one = Instant::now();
            rows = workspace.ask(&StructureQuery::Impact { name: name.clone(), depth: 0 })?.rows.len();
            worst = worst.max(one.elapsed());
        }
        println!(
            "| | impact of `{name}`, {what}, {rows} rows: {:.1} ms of CPU, at most {:.1} ms by the clock | | | |",
            (cpu_seconds() - started) * 1e3 / f64::from(AGAIN),
            worst.as_secs_f64() * 1e3,
        );
    }
    Ok(())
}

/// CPU seconds of this process so far.
fn cpu_seconds() -> f64 {
    let usage = nix::sys::resource::getrusage(nix::sys::resource::UsageWho::RUSAGE_SELF).expect("getrusage");
    let seconds = |t: nix::sys::time::TimeVal| t.tv_sec() as f64 + t.tv_usec() as f64 / 1e6;
    seconds(usage.user_time()) + seconds(usage.system_time())
}

/// A folder with the first ten files of another, flat.
fn ten_files(folder: &Path) -> Result<tempfile::TempDir> {
    let ten = tempfile::tempdir()?;
    let listed = seekwell::session::files(&request(vec![folder.to_owned()], Query::default()))?;
    for (i, path) in listed.files.iter().filter(|p| p.ends_with(".rs") || p.ends_with(".py")).take(10).enumerate() {
        let name = Path::new(path).file_name().unwrap_or_default().to_string_lossy().into_owned();
        std::fs::copy(listed.root.join(path), ten.path().join(format!("{i}_{name}")))?;
    }
    Ok(ten)
}

/// What one run of a process cost.
#[derive(Clone, Copy)]
struct Cost {
    cpu: f64,
    wall: f64,
    peak_mb: f64,
}

/// Median of each figure over `runs` runs, after one that warms the page cache.
fn median(runs: usize, mut command: impl FnMut() -> Command) -> Result<Cost> {
    measure(&mut command())?;
    let costs = (0..runs).map(|_| measure(&mut command())).collect::<Result<Vec<Cost>>>()?;
    let middle = |of: fn(&Cost) -> f64| {
        let mut values: Vec<f64> = costs.iter().map(of).collect();
        values.sort_by(f64::total_cmp);
        values[values.len() / 2]
    };
    Ok(Cost { cpu: middle(|c| c.cpu), wall: middle(|c| c.wall), peak_mb: middle(|c| c.peak_mb) })
}

/// Runs a process under `wait4`, which tells what that process alone has used.
fn measure(command: &mut Command) -> Result<Cost> {
    let started = Instant::now();
    #[allow(clippy::zombie_processes, reason = "wait4 below waits for it")]
    let child = command.stdout(Stdio::null()).stderr(Stdio::null()).stdin(Stdio::null()).spawn()?;
    let mut status = 0;
    // SAFETY: plain data, filled by the call; the process id is our child's and nobody else waits for it.
    #[allow(unsafe_code, reason = "the standard library has no wait4")]
    let (waited, usage) = unsafe {
        let mut usage: libc::rusage = std::mem::zeroed();
        (libc::wait4(child.id() as i32, &mut status, 0, &mut usage), usage)
    };
    ensure!(waited > 0, "wait4 failed");
    ensure!(libc::WIFEXITED(status) && libc::WEXITSTATUS(status) < 2, "{command:?} failed");
    let seconds = |t: libc::timeval| t.tv_sec as f64 + t.tv_usec as f64 / 1e6;
    Ok(Cost {
        cpu: seconds(usage.ru_utime) + seconds(usage.ru_stime),
        wall: started.elapsed().as_secs_f64(),
        peak_mb: usage.ru_maxrss as f64 / 1e3,
    })
}
