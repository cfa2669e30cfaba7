//! The store: whatever happened to a tree and to the store before, the answer is that of a tree seen for the first time.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use seekwell::store::{Store, manifest};
use seekwell::walk::Stamp;
use serde_json::Value;

use super::support::{Run, Tree, command, command_by, has, is_root, pass_over, run};

const QUESTIONS: [&str; 3] = ["retry with exponential backoff", "parse_duration", "zebra quagga"];

/// A cache of its own.
struct Cache(tempfile::TempDir);

impl Cache {
    fn new() -> Self {
        Self(tempfile::tempdir().expect("a folder"))
    }

    fn path(&self) -> PathBuf {
        self.0.path().to_owned()
    }

    fn store(&self) -> PathBuf {
        self.path().join(format!("store-{}", seekwell::store::STORE_FORMAT))
    }

    fn command(&self, tree: &Path, arguments: &[&str]) -> Command {
        let mut command = command(tree, arguments);
        command.env("SEEKWELL_CACHE", self.path());
        command
    }

    fn run(&self, tree: &Path, arguments: &[&str]) -> Run {
        run(&mut self.command(tree, arguments))
    }

    fn json(&self, tree: &Path, arguments: &[&str]) -> Value {
        let run = self.run(tree, arguments);
        serde_json::from_str(&run.stdout).unwrap_or_else(|e| panic!("{e}: {}{}", run.stdout, run.stderr))
    }

    /// Files of one kind in the store.
    fn files(&self, kind: &str) -> Vec<PathBuf> {
        let mut found = Vec::new();
        let mut open = vec![self.store().join(kind)];
        while let Some(folder) = open.pop() {
            for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
                if entry.path().is_dir() { open.push(entry.path()) } else { found.push(entry.path()) }
            }
        }
        found.sort();
        found
    }
}

/// The answer without the word for where it came from.
fn plain(run: &Run) -> String {
    assert!(run.code < 2, "{}", run.stderr);
    run.stdout.replacen("\"source\":\"store\"", "\"source\":\"memory\"", 1)
}

/// Every question is answered as from memory.
fn check(cache: &Cache, tree: &Path, when: &str) {
    for question in QUESTIONS {
        for mode in ["hybrid", "keyword"] {
            let ask = ["search", "--json", "--explain", "--mode", mode];
            let from_store = cache.run(tree, &[&ask[..], &["--store", "--", question]].concat());
            let from_memory = cache.run(tree, &[&ask[..], &["--no-store", "--", question]].concat());
            assert_eq!(plain(&from_store), plain(&from_memory), "{when}: {question}: {}", from_store.stderr);
        }
    }
}

fn text(number: u32) -> String {
    match number % 5 {
        0 => format!("pub fn retry_with_backoff_{number}(attempts: u32) {{\n    sleep(attempts);\n}}\n"),
        1 => format!("/// Parses.\npub fn parse_duration_{number}(text: &str) {{}}\nstruct Parser{number};\n"),
        2 => format!("# Retrying {number}\n\nWith exponential backoff.\n"),
        3 => format!("zebra quagga {number}\n"),
        _ => format!("def retry_{number}(call):\n    return parse_duration(call)\n"),
    }
}

fn sample(files: u32) -> Tree {
    let tree = Tree::new(&[]);
    for number in 0..files {
        let extension = ["rs", "rs", "md", "txt", "py"][number as usize % 5];
        tree.write(&format!("src/m{}/file{number}.{extension}", number % 7), text(number));
    }
    tree.write("src/parse_duration.rs", "pub fn parse_duration(text: &str) -> u64 { 0 }\n");
    tree
}

fn git(tree: &Path, arguments: &[&str]) {
    let status = Command::new("git")
        .args(["-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgsign=false"])
        .args(arguments)
        .current_dir(tree)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    assert!(status.is_ok_and(|s| s.success()), "git {arguments:?}");
}

/// Numbers that are the same every time.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: u32) -> u32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % u64::from(end)) as u32
    }
}

/// Everything that a tree can go through.
fn mishap(tree: &Path, numbers: &mut Numbers, round: u32) -> String {
    let files: Vec<PathBuf> = {
        let mut found = Vec::new();
        let mut open = vec![tree.join("src")];
        while let Some(folder) = open.pop() {
            for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
                if entry.path().is_dir() { open.push(entry.path()) } else { found.push(entry.path()) }
            }
        }
        found.sort();
        found
    };
    let file = files[numbers.below(files.len() as u32) as usize].clone();
    let what = match numbers.below(11) {
        0 => fs::write(&file, text(1_000 + round)).map(|()| "edited"),
        1 => fs::remove_file(&file).map(|()| "deleted"),
        2 => fs::rename(&file, file.with_file_name(format!("renamed{round}.rs"))).map(|()| "renamed"),
        3 => {
            let name = file.file_name().unwrap_or_default().to_string_lossy().to_uppercase();
            fs::rename(&file, file.with_file_name(name)).map(|()| "case changed")
        }
        4 => fs::remove_file(&file)
            .and_then(|()| fs::create_dir(&file))
            .and_then(|()| fs::write(file.join("inside.rs"), text(2_000 + round)))
            .map(|()| "became a folder"),
        5 => fs::write(&file, "").map(|()| "emptied"),
        6 => fs::write(&file, b"\x00\x01\x02binary\x00").map(|()| "became binary"),
        7 => {
            // The same size and time: only what no program can set tells.
            let times = fs::metadata(&file).and_then(|m| m.modified());
            let bytes: Vec<u8> = fs::read(&file).unwrap_or_default().iter().rev().copied().collect();
            fs::write(&file, bytes)
                .and_then(|()| fs::File::options().append(true).open(&file)?.set_modified(times?))
                .map(|()| "edited, its time set back")
        }
        8 => fs::File::options()
            .append(true)
            .open(&file)
            .and_then(|f| f.set_modified(std::time::SystemTime::now()))
            .map(|()| "touched"),
        9 => fs::write(tree.join(format!("new{round}.py")), text(3_000 + round)).map(|()| "added"),
        _ => fs::write(tree.join(".gitignore"), format!("m{}/\n", round % 7)).map(|()| "ignored"),
    };
    format!("round {round}: {} {}", file.display(), what.unwrap_or("gone before"))
}

#[test]
fn after_any_edits_the_answers_are_those_of_a_clean_tree() {
    let (cache, tree) = (Cache::new(), sample(40));
    let mut numbers = Numbers(7);
    check(&cache, &tree.path(), "first");
    check(&cache, &tree.path(), "second");
    for round in 0..24 {
        let mut what = String::new();
        for _ in 0..=numbers.below(3) {
            what = mishap(&tree.path(), &mut numbers, round);
        }
        check(&cache, &tree.path(), &what);
    }
    // What is known in the end is what a first look comes to.
    let end = cache.json(&tree.path(), &["index", "--json"]);
    let other = Cache::new().json(&tree.path(), &["index", "--json"]);
    assert_eq!(end["index"], other["index"]);
}

#[test]
fn branches_clones_and_touches_cost_no_analysis() {
    let (cache, tree) = (Cache::new(), sample(40));
    let root = tree.path();
    git(&root, &["init", "-q", "-b", "main"]);
    git(&root, &["add", "."]);
    git(&root, &["commit", "-qm", "a"]);
    assert_eq!(cache.json(&root, &["index", "--json"])["analysed"], 41);
    git(&root, &["checkout", "-qb", "other"]);
    for number in 0..20 {
        tree.write(&format!("src/m{}/more{number}.rs", number % 7), text(number * 5 + 500));
    }
    git(&root, &["add", "."]);
    git(&root, &["commit", "-qm", "b"]);
    assert_eq!(cache.json(&root, &["index", "--json"])["analysed"], 20);
    git(&root, &["checkout", "-q", "main"]);
    check(&cache, &root, "main again");
    assert_eq!(cache.json(&root, &["index", "--json"])["analysed"], 0);
    git(&root, &["checkout", "-q", "other"]);
    assert_eq!(cache.json(&root, &["index", "--json"])["analysed"], 0, "back");

    let elsewhere = tempfile::tempdir().expect("a folder");
    let clone = elsewhere.path().join("clone");
    git(&root, &["clone", "-q", ".", &clone.to_string_lossy()]);
    let indexed = cache.json(&clone, &["index", "--json"]);
    assert_eq!((&indexed["analysed"], &indexed["looked_at"]), (&Value::from(0), &Value::from(61)));
    let worktree = elsewhere.path().join("worktree");
    git(&root, &["worktree", "add", "-q", &worktree.to_string_lossy(), "main"]);
    assert_eq!(cache.json(&worktree, &["index", "--json"])["analysed"], 0);
    check(&cache, &worktree, "a worktree");
    for number in 0..41 {
        let path = root.join(format!("src/m{}/file{number}.rs", number % 7));
        if path.exists() {
            tree.write(&path.strip_prefix(&root).expect("below").to_string_lossy(), fs::read(&path).expect("a file"));
        }
    }
    assert_eq!(cache.json(&root, &["index", "--json"])["analysed"], 0, "touched");
}

#[test]
fn a_stale_hit_is_looked_at_again() {
    let (cache, tree) = (Cache::new(), Tree::new(&[("a.rs", "fn quagga_zebra() {}\n"), ("b.rs", "fn other() {}\n")]));
    let root = tree.path();
    cache.json(&root, &["index", "--json"]);
    tree.write("a.rs", "fn zebra_quagga() {}\n");
    // A file system that tells nothing of the change: the manifest has the new stamp and the old content. What is wrong is
    // found when the file is about to be shown.
    let path = cache.files("trees").into_iter().find(|path| path.ends_with("manifest")).expect("a manifest");
    let mut manifest = manifest::read(&path).expect("sound").expect("there");
    let meta = fs::metadata(root.join("a.rs")).expect("a file");
    let nanoseconds = |seconds: i64, rest: i64| seconds * 1_000_000_000 + rest;
    manifest.files[0].stamp = Stamp {
        mtime: nanoseconds(meta.mtime(), meta.mtime_nsec()),
        ctime: nanoseconds(meta.ctime(), meta.ctime_nsec()),
        inode: meta.ino(),
    };
    manifest.files.iter_mut().for_each(|entry| entry.racy = false);
    let key = path.parent().and_then(Path::file_name).expect("a folder").to_string_lossy().into_owned();
    assert!(Store::at(cache.store(), &manifest.fingerprint).put_manifest(&key, &manifest));
    let missed = cache.json(&root, &["search", "--json", "--store", "--mode", "keyword", "other"]);
    assert_eq!(missed["hits"][0]["path"], "b.rs", "nobody has looked at the other file yet");
    let answer = cache.json(&root, &["search", "--json", "--store", "zebra_quagga"]);
    assert_eq!(answer["hits"][0]["symbol"], "zebra_quagga");
    assert_eq!(answer["hits"][0]["snippet"], "fn zebra_quagga() {}\n".trim_end());
    check(&cache, &root, "a stale hit");
    let verified = cache.json(&root, &["index", "--json", "--verify"]);
    assert_eq!((&verified["looked_at"], &verified["analysed"]), (&Value::from(2), &Value::from(0)));
}

#[test]
fn what_is_damaged_is_told_and_healed() {
    damage_is_told_and_healed(&sample(20), "objects");
    // So many that they make a pack.
    damage_is_told_and_healed(&sample(40), "packs");
}

fn damage_is_told_and_healed(tree: &Tree, skeletons: &str) {
    let cache = Cache::new();
    let root = tree.path();
    let ask = ["search", "--json", "--store", "--verify", "--", QUESTIONS[0]];
    let expected = plain(&cache.run(&root, &ask));
    let damage = |kind: &str, how: &dyn Fn(Vec<u8>) -> Vec<u8>| {
        let files = cache.files(kind);
        assert!(!files.is_empty(), "{kind}");
        for path in &files {
            fs::write(path, how(fs::read(path).expect("a file"))).expect("written");
        }
    };
    let cut = |bytes: Vec<u8>| bytes[..bytes.len() / 2].to_vec();
    let flip = |mut bytes: Vec<u8>| {
        let at = bytes.len() - 3;
        bytes[at] ^= 0x40;
        bytes
    };
    let empty = |_: Vec<u8>| Vec::new();
    for (name, how) in [("cut", &cut as &dyn Fn(Vec<u8>) -> Vec<u8>), ("flipped", &flip), ("empty", &empty)] {
        for kinds in [&[skeletons][..], &["snapshots"], &[skeletons, "snapshots"]] {
            kinds.iter().for_each(|kind| damage(kind, how));
            let run = cache.run(&root, &ask);
            assert_eq!(plain(&run), expected, "{name} {kinds:?}");
            assert!(run.stderr.contains("was damaged"), "{name} {kinds:?}: {}", run.stderr);
            let again = cache.run(&root, &ask);
            assert_eq!(plain(&again), expected, "{name} {kinds:?}, again");
            assert!(!again.stderr.contains("damaged"), "{name} {kinds:?} healed: {}", again.stderr);
        }
        for tree in cache.files("trees").iter().filter(|path| path.ends_with("manifest")) {
            fs::write(tree, how(fs::read(tree).expect("a file"))).expect("written");
        }
        let run = cache.run(&root, &ask);
        assert_eq!(plain(&run), expected, "{name} manifest");
        assert!(run.stderr.contains("damaged"), "{name} manifest: {}", run.stderr);
    }
    check(&cache, &root, "after all damage");
}

#[test]
fn no_place_to_write_is_told_and_done_without() {
    let tree = sample(20);
    let expected = plain(&Cache::new().run(&tree.path(), &["search", "--json", "--no-store", QUESTIONS[0]]));
    // A cache that cannot be made.
    let mut asked = command(&tree.path(), &["search", "--json", "--store", QUESTIONS[0]]);
    let told = run(asked.env("SEEKWELL_CACHE", "/dev/null/cache"));
    assert_eq!(plain(&told), expected);
    assert!(told.stderr.contains("answers are computed without it"), "{}", told.stderr);
    let mut indexed = command(&tree.path(), &["index"]);
    let refused = run(indexed.env("SEEKWELL_CACHE", "/dev/null/cache"));
    assert_eq!(refused.code, 2, "what cannot be kept is not said to be: {}", refused.stdout);
    assert!(refused.stderr.contains("the index was not made"), "{}", refused.stderr);

    // A disk that is full from the first kilobytes on. `trap` makes the limit an error instead of a signal.
    let cache = Cache::new();
    cache.run(&tree.path(), &["search", "--no-store", "x"]);
    let line = "trap '' XFSZ; ulimit -f 1; exec \"$0\" \"$@\"";
    let mut limited = command_by(&["sh", "-c", line], &tree.path(), &["search", "--json", "--store", QUESTIONS[0]]);
    let full = run(limited.env("SEEKWELL_CACHE", cache.path()));
    assert_eq!(plain(&full), expected);
    assert!(full.stderr.contains("cannot be written"), "{}", full.stderr);
    let partial = |path: &PathBuf| path.file_name().is_some_and(|n| n.to_string_lossy().starts_with(".partial"));
    assert!(!cache.files("").iter().any(partial), "nothing half done is left");
    check(&cache, &tree.path(), "when there is room again");
}

#[test]
fn a_cache_that_may_only_be_read_is_read() {
    let nobody = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"];
    if !is_root() || !has("setpriv") {
        return pass_over("a_cache_that_may_only_be_read_is_read", "no way to become another user");
    }
    let (cache, tree) = (Cache::new(), sample(20));
    let expected = plain(&cache.run(&tree.path(), &["search", "--json", "--store", QUESTIONS[0]]));
    for path in [tree.path(), cache.path()] {
        let open = Command::new("chmod").args(["-R", "a+rX"]).arg(&path).status();
        assert!(open.is_ok_and(|s| s.success()));
    }
    let question = ["search", "--json", "--store", QUESTIONS[0]];
    let read = run(command_by(&nobody, &tree.path(), &question).env("SEEKWELL_CACHE", cache.path()));
    assert_eq!(plain(&read), expected);
    assert!(read.stdout.contains("\"source\":\"store\""), "{}", read.stdout);
    tree.write("src/new.rs", text(5));
    let changed = run(command_by(&nobody, &tree.path(), &question).env("SEEKWELL_CACHE", cache.path()));
    let fresh = cache.run(&tree.path(), &["search", "--json", "--no-store", QUESTIONS[0]]);
    assert_eq!(plain(&changed), plain(&fresh), "{}", changed.stderr);
    assert!(changed.stderr.contains("cannot be"), "it is told that nothing is kept: {}", changed.stderr);
}

#[test]
fn another_engine_heals_by_itself() {
    let (cache, tree) = (Cache::new(), sample(20));
    let root = tree.path();
    cache.run(&root, &["index"]);
    let path = cache.files("trees").into_iter().find(|path| path.ends_with("manifest")).expect("a manifest");
    let mut manifest = manifest::read(&path).expect("it can be read").expect("it is there");
    manifest.fingerprint = "another engine".to_owned();
    let key = path.parent().and_then(Path::file_name).expect("a folder").to_string_lossy().into_owned();
    assert!(Store::at(cache.store(), &manifest.fingerprint).put_manifest(&key, &manifest));
    let status = cache.json(&root, &["status", "--json"]);
    assert!(status["store"]["troubles"].as_array().is_some_and(Vec::is_empty), "{status}");
    check(&cache, &root, "after another engine");
    assert_eq!(cache.json(&root, &["status", "--json"])["store"]["other_engine"], "");
}

#[test]
fn the_rule_when_an_index_is_begun() {
    let (cache, small) = (Cache::new(), sample(20));
    let ask = |tree: &Path, options: &[&str]| {
        let run = cache.run(tree, &[&["search", "--json"], options, &["retry"]].concat());
        (run.stdout.contains("\"source\":\"store\""), run.stderr)
    };
    ask(&small.path(), &[]);
    assert!(!cache.store().exists(), "a small tree leaves nothing behind");
    let large = sample(160);
    let (_, told) = ask(&large.path(), &[]);
    assert!(told.contains("an index of 161 files is kept"), "{told}");
    assert!(ask(&large.path(), &[]).0 && !ask(&large.path(), &["--no-store"]).0);
    assert!(ask(&small.path(), &["--store"]).1.contains("an index of 21 files"));
    assert!(ask(&small.path(), &[]).0, "an index that is there is used");
    small.write(".seekwell.toml", "[store]\nuse = \"never\"\n");
    assert!(!ask(&small.path(), &[]).0, "the tree does not want one");
    assert!(!large.path().join(".seekwell").exists(), "nothing is written into a tree");

    let cleaned = cache.run(&large.path(), &["clean"]);
    assert!(cleaned.stdout.starts_with("1 index forgotten"), "{}", cleaned.stdout);
    let status = cache.json(&large.path(), &["status", "--json"]);
    assert_eq!((&status["store"]["indexed"], &status["index"]["files"]), (&Value::from(false), &Value::from(161)));
    cache.run(&large.path(), &["clean", "--all"]);
    assert!(!cache.store().exists());
}

#[test]
fn a_repository_can_carry_its_index() {
    let (cache, tree) = (Cache::new(), sample(30));
    let root = tree.path();
    git(&root, &["init", "-q", "-b", "main"]);
    let indexed = cache.json(&root, &["index", "--repo-level", "--json"]);
    assert_eq!(indexed["carried"], 31);
    git(&root, &["add", "."]);
    git(&root, &["commit", "-qm", "a"]);
    let elsewhere = tempfile::tempdir().expect("a folder");
    let clone = elsewhere.path().join("clone");
    git(&root, &["clone", "-q", ".", &clone.to_string_lossy()]);
    // A teammate has a cache of their own.
    let theirs = Cache::new();
    assert_eq!(theirs.json(&clone, &["index", "--json"])["analysed"], 0);
    check(&theirs, &clone, "a teammate");
    assert_eq!(theirs.json(&clone, &["status", "--json"])["store"]["carried"], true);

    // What is damaged there is not used, nor what another engine made.
    let carried = clone.join(".seekwell/objects");
    for folder in fs::read_dir(&carried).expect("a folder").flatten() {
        for file in fs::read_dir(folder.path()).expect("a folder").flatten() {
            fs::write(file.path(), b"not an analysis").expect("written");
        }
    }
    check(&Cache::new(), &clone, "a damaged index in the tree");
    let pins = clone.join(".seekwell/index.toml");
    let other = fs::read_to_string(&pins).expect("text").replace("fingerprint = \"", "fingerprint = \"0");
    fs::write(&pins, other).expect("written");
    let told = Cache::new().run(&clone, &["search", "--store", "retry"]);
    assert!(told.stderr.contains("made by another engine") && told.code == 0, "{}", told.stderr);
    fs::write(&pins, "run = \"rm -rf /\"\n").expect("written");
    let told = Cache::new().run(&clone, &["search", "--store", "retry"]);
    assert!(told.stderr.contains("not the index of a repository") && told.code == 0, "{}", told.stderr);
}

/// Eight processes ask while files change and one of them is killed, again and again. `SEEKWELL_ROUNDS` says how often.
#[test]
fn eight_processes_and_one_is_killed() {
    let rounds: u32 = std::env::var("SEEKWELL_ROUNDS").ok().and_then(|n| n.parse().ok()).unwrap_or(3);
    let (cache, tree) = (Cache::new(), sample(60));
    let root = tree.path();
    let mut numbers = Numbers(rounds.into());
    // Each begins on a store that is empty, or as the last has left it.
    for round in 0..rounds {
        if round % 5 == 4 {
            let _ = fs::remove_dir_all(cache.store());
        }
        let mut children: Vec<_> = (0..8)
            .map(|number| {
                let question = QUESTIONS[number % QUESTIONS.len()];
                let mut command = cache.command(&root, &["search", "--json", "--store", "--", question]);
                command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
                command.spawn().expect("it starts")
            })
            .collect();
        for step in 0..3 {
            for number in 0..20 {
                let file = numbers.below(60);
                let extension = ["rs", "rs", "md", "txt", "py"][file as usize % 5];
                let path = format!("src/m{}/file{file}.{extension}", file % 7);
                // Renamed into place, as an editor does it: a process that reads sees the one or the other.
                let partial = root.join("src").join(".partial");
                fs::write(&partial, text(round * 1_000 + step * 100 + number)).expect("written");
                fs::rename(partial, root.join(path)).expect("renamed");
            }
            std::thread::sleep(std::time::Duration::from_millis(u64::from(numbers.below(60))));
            if step == 1 {
                let victim = numbers.below(8) as usize;
                children[victim].kill().expect("our own child");
            }
        }
        for child in children {
            let output = child.wait_with_output().expect("it ends");
            if output.status.signal() == Some(9) {
                continue;
            }
            let told = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.code().is_some_and(|code| code < 2), "round {round}: {told}");
            let answer: Value = serde_json::from_slice(&output.stdout).expect("an answer");
            // While files change, no moment is the right one; but what is shown stands in the file, or is said not to.
            assert_eq!(answer["schema"], "seekwell/1", "{answer}");
        }
        // Now that nothing changes, every answer is that of a clean tree.
        check(&cache, &root, &format!("after round {round}"));
    }
    let end = cache.json(&root, &["index", "--json"]);
    let clean = Cache::new().json(&root, &["index", "--json"]);
    assert_eq!(end["index"], clean["index"]);
    assert!(end["store"]["troubles"].as_array().is_some_and(Vec::is_empty), "{end}");
}

/// A process that is killed while it indexes leaves what was done; the next one goes on from there.
#[test]
fn indexing_that_was_killed_is_resumed() {
    let (cache, tree) = (Cache::new(), sample(400));
    let root = tree.path();
    cache.run(&root, &["search", "--no-store", "x"]);
    let mut child = cache.command(&root, &["index", "--threads", "1"]);
    let mut child = child.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it starts");
    let whole = |path: &&PathBuf| !path.file_name().is_some_and(|n| n.to_string_lossy().starts_with(".partial"));
    while cache.files("objects").iter().filter(whole).count() < 50 {
        assert!(child.try_wait().expect("our own child").is_none(), "it was done before it could be killed");
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    child.kill().expect("our own child");
    child.wait().expect("it ends");
    let indexed = cache.json(&root, &["index", "--json"]);
    let analysed = indexed["analysed"].as_u64().expect("a number");
    assert!(analysed <= 401 - 50, "{analysed} were analysed again");
    assert_eq!(indexed["index"]["files"], 401);
}

#[test]
fn a_watch_follows_the_tree() {
    use std::io::{BufRead, BufReader};
    let (cache, tree) = (Cache::new(), sample(20));
    let mut child = cache.command(&tree.path(), &["watch"]);
    let mut child =
        child.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
    let mut told = BufReader::new(child.stderr.take().expect("piped")).lines();
    let begun = told.find_map(|line| line.ok().filter(|line| line.starts_with("watching"))).expect("it says so");
    assert!(begun.contains("told of changes") || begun.contains("looks every"), "{begun}");
    tree.write("src/another.rs", text(100));
    let lines = BufReader::new(child.stdout.take().expect("piped")).lines();
    let (sender, seen) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        let line = lines.map_while(Result::ok).find(|line| line.contains("looked at, 1 analysed"));
        let _ = sender.send(line);
    });
    let seen = seen.recv_timeout(std::time::Duration::from_secs(60));
    child.kill().expect("our own child");
    child.wait().expect("it ends");
    let seen = seen.expect("it is seen in time").expect("it is seen");
    assert!(seen.ends_with("22 files in all"), "{seen}");
    check(&cache, &tree.path(), "after a watch was killed");
}
