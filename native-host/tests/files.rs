//! Which files are searched: the walk against git itself, and against the field cases, on trees made for it.

#![cfg(unix)]

#[path = "files/git.rs"]
mod git;

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use seekwell::walk::{Walk, WalkError, read, walk};
use seekwell_admit::{Admission, Exclude, Options};

/// A tree in a folder of its own, outside any repository, gone when the test is over.
struct Fixture {
    home: PathBuf,
    root: PathBuf,
}

impl Fixture {
    /// The files, each with what it holds, in a folder that is no repository.
    fn new(name: &str, files: &[(&str, &str)]) -> Self {
        let base = std::fs::canonicalize(std::env::temp_dir()).expect("a folder for temporary files");
        let home = base.join(format!("seekwell-files-{}-{name}", std::process::id()));
        let _ = std::fs::remove_dir_all(&home);
        let fixture = Self { root: home.join("tree"), home };
        std::fs::create_dir_all(&fixture.root).expect("a fresh folder");
        fixture.write(files);
        fixture
    }

    /// The same in a git work tree.
    fn repo(name: &str, files: &[(&str, &str)]) -> Self {
        let fixture = Self::new(name, files);
        fixture.git("", &["init", "-q"]);
        fixture
    }

    fn write(&self, files: &[(&str, &str)]) {
        for (path, text) in files {
            let path = self.root.join(path);
            std::fs::create_dir_all(path.parent().expect("below the root")).expect("a folder");
            std::fs::write(path, text).expect("a file");
        }
    }

    fn git(&self, folder: &str, arguments: &[&str]) {
        git::git(&self.root.join(folder), &self.home, arguments);
    }

    fn commit(&self, folder: &str, paths: &[&str]) {
        self.git(folder, &[&["add", "-f"], paths].concat());
        self.git(folder, &["commit", "-qm", "x"]);
    }

    fn walk_at(&self, folder: &str) -> Walk {
        self.walk_with(folder, Options::default())
    }

    fn walk_with(&self, folder: &str, options: Options) -> Walk {
        git::walk_with(&[self.root.join(folder)], &self.home, options)
    }

    /// Walks the whole tree, which must find what git names.
    #[track_caller]
    fn walk_like_git(&self) -> Walk {
        self.walk_like_git_at("")
    }

    #[track_caller]
    fn walk_like_git_at(&self, folder: &str) -> Walk {
        let walk = self.walk_at(folder);
        let root = std::fs::canonicalize(self.root.join(folder)).expect("it is there");
        assert_eq!(git::found(&walk), git::files(&root, &root, &self.home), "found here, and by git");
        walk
    }
}

impl Drop for Fixture {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.home);
    }
}

fn paths(walk: &Walk) -> Vec<&str> {
    walk.files.iter().map(|file| file.path.as_str()).collect()
}

/// Reason and detail of a path that was left out.
#[track_caller]
fn why(walk: &Walk, path: &str) -> String {
    let skipped = walk.skipped.iter().find(|skipped| skipped.path == path);
    skipped
        .map(|skipped| format!("{}: {}", skipped.reason, skipped.detail))
        .unwrap_or_else(|| panic!("{path} in {walk:#?}"))
}

#[test]
fn every_rule_of_gitignore_as_git_has_it() {
    let fixture = Fixture::repo(
        "rules",
        &[
            // A byte order mark, both line ends, a comment, escapes, spaces at the end, anchors, folders, wildcards, classes.
            (
                ".gitignore",
                "\u{feff}dist/\r\n# *.rs\n\\#note\n\\!bang\ntrail   \nkept\\ \n/top\nmid/dle\n*.log\n!keep.log\n**/deep/x\nlogs/**/z\nq?\n[ab][!c].t\n[[:digit:]]*.d\nall/*\n!all/but/\n\\\\back\nno-end",
            ),
            ("dist/a", ""),
            ("sub/dist/b", ""),
            ("sub/x/dist", ""),
            ("#note", ""),
            ("!bang", ""),
            ("trail", ""),
            ("kept ", ""),
            ("kept", ""),
            ("top", ""),
            ("sub/top", ""),
            ("mid/dle", ""),
            ("sub/mid/dle", ""),
            ("a.log", ""),
            ("keep.log", ""),
            ("sub/keep.log", ""),
            ("deep/x", ""),
            ("sub/p/deep/x", ""),
            ("logs/z", ""),
            ("logs/1/2/z", ""),
            ("logs/zz", ""),
            ("qq", ""),
            ("q", ""),
            ("ad.t", ""),
            ("ac.t", ""),
            ("1.d", ""),
            ("x1.d", ""),
            ("all/one", ""),
            ("all/but/two", ""),
            ("all/other/three", ""),
            ("\\back", ""),
            ("no-end", ""),
            // Nearer rules win, below an ignored folder nothing comes back.
            ("near/.gitignore", "!*.log\nown\n/near\n"),
            ("near/a.log", ""),
            ("near/own", ""),
            ("near/in/own", ""),
            ("near/near", ""),
            ("near/in/near", ""),
            ("dist/.gitignore", "!*\n"),
            // Hidden files count in a work tree.
            (".github/workflows/ci.yml", ""),
            (".env.example", ""),
            ("info", ""),
            ("global", ""),
            (".git/info/exclude", "/info\n*.both\n"),
            ("x.both", ""),
            ("sub/.gitignore", "!x.both\n"),
            ("sub/x.both", ""),
        ],
    );
    std::fs::create_dir_all(fixture.home.join(".config/git")).expect("a folder");
    std::fs::write(fixture.home.join(".config/git/ignore"), "global\n!info\n").expect("a file");
    let walk = fixture.walk_like_git();
    assert_eq!(why(&walk, "dist/"), "ignored: .gitignore:1: dist/");
    assert_eq!(why(&walk, "near/own"), "ignored: near/.gitignore:2: own");
    assert_eq!(why(&walk, "info"), "ignored: .git/info/exclude:1: /info");
    assert_eq!(why(&walk, "global"), "ignored: ~/.config/git/ignore:1: global");
    // From a folder inside, the same rules hold.
    for folder in ["near", "sub", "logs", ".github/workflows"] {
        fixture.walk_like_git_at(folder);
    }
    assert_eq!(why(&fixture.walk_at("near"), "own"), "ignored: .gitignore:2: own");
    assert_eq!(why(&fixture.walk_at("sub/x/.."), "dist/"), "ignored: ../.gitignore:1: dist/");
    // The setting in the user's or the repository's file takes the place of the default one.
    std::fs::write(fixture.home.join("mine"), "x.both\nq\n").expect("a file");
    std::fs::write(fixture.home.join(".gitconfig"), "[core]\n\texcludesFile = ~/mine ; here\n").expect("a file");
    let walk = fixture.walk_like_git();
    assert_eq!(why(&walk, "q"), "ignored: ~/mine:2: q");
    fixture.git("", &["config", "core.excludesFile", "sub/x/dist"]);
    fixture.write(&[("sub/x/dist", "/kept\n")]);
    assert_eq!(why(&fixture.walk_like_git(), "kept").split(": ").last(), Some("/kept"));
}

#[test]
fn links_to_ignore_files_do_not_count_as_in_git() {
    let fixture = Fixture::repo("ignore-links", &[("rules", "a\n"), ("a", ""), ("b/a", "")]);
    symlink("../rules", fixture.root.join("b/.gitignore")).expect("a link");
    fixture.walk_like_git();
}

#[test]
fn case_02_negated_rules_hold_and_a_second_walk_agrees() {
    let fixture = Fixture::repo(
        "c02",
        &[
            (".gitignore", "wp-content/plugins/*\n!wp-content/plugins/app\n"),
            ("wp-content/plugins/app/a.php", ""),
            ("wp-content/plugins/b/b.php", ""),
            ("wp-content/plugins/c/c.php", ""),
        ],
    );
    let walk = fixture.walk_like_git();
    assert_eq!(paths(&walk), [".gitignore", "wp-content/plugins/app/a.php"]);
    fixture.write(&[("wp-content/plugins/app/a.php", "touched")]);
    assert_eq!(paths(&fixture.walk_at("")), paths(&walk));
}

#[test]
fn case_03_only_gits_ignore_files_count() {
    let files = [
        (".prettierignore", "*\n!src/keep.md\n"),
        (".dockerignore", "**"),
        (".ignore", "*"),
        (".rgignore", "*"),
        ("src/a.py", ""),
    ];
    let fixture = Fixture::new("c03", &files);
    assert_eq!(paths(&fixture.walk_at("")), ["src/a.py"]);
    fixture.git("", &["init", "-q"]);
    assert_eq!(fixture.walk_like_git().files.len(), 5);
}

#[test]
fn case_04_an_anchored_folder_is_one_folder() {
    let files = [(".gitignore", "/Library/\n"), ("Library/a.cs", ""), ("src/Library/b.cs", ""), ("docs/Library", "")];
    let fixture = Fixture::repo("c04", &files);
    assert_eq!(paths(&fixture.walk_like_git()), [".gitignore", "docs/Library", "src/Library/b.cs"]);
}

#[test]
fn case_07_repositories_below_a_plain_folder() {
    let files = [
        (".gitignore", "*.tmp\n"),
        ("a.tmp", ""),
        ("b.txt", ""),
        (".hidden", ""),
        ("childA/.gitignore", "*.o\n"),
        ("childA/c.o", ""),
        ("childA/d.tmp", ""),
        ("childA/.env", ""),
        ("childA/web/.gitignore", ".output\n"),
        ("childA/web/.output/x.js", ""),
        ("childA/web/e.o", ""),
        ("childA/web/f.js", ""),
    ];
    let fixture = Fixture::new("c07", &files);
    fixture.git("childA", &["init", "-q"]);
    let walk = fixture.walk_at("");
    let child = ["childA/.env", "childA/.gitignore", "childA/d.tmp", "childA/web/.gitignore", "childA/web/f.js"];
    assert_eq!(paths(&walk), ["b.txt"].iter().chain(&child).copied().collect::<Vec<_>>());
    assert!(why(&walk, ".hidden").starts_with("hidden: "));
    assert_eq!(why(&walk, "childA/web/.output/"), "ignored: childA/web/.gitignore:1: .output");
    assert_eq!(paths(&fixture.walk_like_git_at("childA/web")), [".gitignore", "f.js"]);
    // A `.git` that is only a marker: the ignore files up to it hold all the same.
    std::fs::remove_dir_all(fixture.root.join("childA/.git")).expect("it was there");
    std::fs::create_dir(fixture.root.join("childA/.git")).expect("a marker");
    assert_eq!(paths(&fixture.walk_at("")), paths(&walk));
    assert_eq!(paths(&fixture.walk_at("childA/web")), [".gitignore", "f.js"]);
}

#[test]
fn case_08_linked_work_trees() {
    let fixture = Fixture::repo("c08", &[("a.rs", ""), ("b.rs", ""), (".gitignore", "")]);
    fixture.commit("", &["a.rs", ".gitignore"]);
    fixture.git("", &["worktree", "add", "-q", "./wt-feature"]);
    fixture.git("", &["worktree", "add", "-q", "../outside"]);
    std::fs::write(fixture.root.join(".git/info/exclude"), "secret\n").expect("a repository");
    fixture.write(&[
        ("wt-feature/secret", ""),
        ("wt-feature/new.rs", ""),
        ("../outside/secret", ""),
        ("../outside/c.rs", ""),
    ]);
    let walk = fixture.walk_like_git();
    assert_eq!(paths(&walk), [".gitignore", "a.rs", "b.rs"]);
    assert!(why(&walk, "wt-feature/").starts_with("worktree: "));
    // Each of them, named, is searched, and the common `info/exclude` holds in it.
    assert_eq!(paths(&fixture.walk_like_git_at("wt-feature")), [".gitignore", "a.rs", "new.rs"]);
    assert_eq!(paths(&fixture.walk_like_git_at("../outside")), [".gitignore", "a.rs", "c.rs"]);
    // Below a bare repository no tree is the main one.
    fixture.git("..", &["clone", "-q", "--bare", "tree", "bare/.git"]);
    fixture.git("../bare", &["worktree", "add", "-q", "one"]);
    assert_eq!(paths(&fixture.walk_at("../bare")), ["one/.gitignore", "one/a.rs"]);
}

#[test]
fn case_09_tracked_files_win_over_rules() {
    let fixture =
        Fixture::repo("c09", &[("gen/api.ts", ""), ("gen/deep/x.ts", ""), ("lib/gone.ts", ""), ("a.bak", "")]);
    fixture.commit("", &["."]);
    fixture.write(&[(".gitignore", "gen/\n*.bak\n"), ("gen/new.ts", ""), ("gen/other/y.ts", ""), ("b.bak", "")]);
    std::fs::remove_file(fixture.root.join("lib/gone.ts")).expect("it was there");
    let expected = [".gitignore", "a.bak", "gen/api.ts", "gen/deep/x.ts"];
    for version in ["2", "3", "4"] {
        fixture.git("", &["update-index", "--index-version", version]);
        // Version 3 is only written where an entry needs it.
        fixture.git("", &["update-index", "--skip-worktree", "a.bak"]);
        let walk = fixture.walk_like_git();
        assert_eq!(paths(&walk), expected, "version {version}");
        assert_eq!(why(&walk, "gen/new.ts"), "ignored: .gitignore:1: gen/");
        assert_eq!(why(&walk, "gen/other/"), "ignored: .gitignore:1: gen/");
    }
    // A split index, then one with entries taken out of the shared part.
    fixture.git("", &["update-index", "--split-index"]);
    assert_eq!(paths(&fixture.walk_like_git()), expected);
    fixture.git("", &["rm", "-q", "--cached", "gen/deep/x.ts"]);
    fixture.git("", &["add", "-f", "gen/new.ts"]);
    assert_eq!(paths(&fixture.walk_like_git()), [".gitignore", "a.bak", "gen/api.ts", "gen/new.ts"]);
    // An index that cannot be read is told; the rules hold.
    std::fs::write(fixture.root.join(".git/index"), "nonsense").expect("a repository");
    let walk = fixture.walk_at("");
    assert_eq!(paths(&walk), [".gitignore"]);
    assert!(why(&walk, ".git/index").starts_with("unreadable: not a git index"));
}

#[test]
fn sha256_and_sparse_indexes_are_read() {
    let fixture = Fixture::new("sha256", &[("a/x.o", ""), ("b/y.o", ""), ("c.o", "")]);
    fixture.git("", &["init", "-q", "--object-format=sha256"]);
    fixture.commit("", &["."]);
    fixture.write(&[(".gitignore", "*.o\n"), ("a/new.o", "")]);
    assert_eq!(paths(&fixture.walk_like_git()), [".gitignore", "a/x.o", "b/y.o", "c.o"]);
    fixture.git("", &["sparse-checkout", "set", "--cone", "--sparse-index", "b"]);
    assert_eq!(paths(&fixture.walk_like_git()), [".gitignore", "b/y.o", "c.o"]);
}

#[test]
fn case_10_no_ignore_switches_off_all_of_git_and_nothing_else() {
    let files = [
        (".gitignore", "a\n"),
        ("a", ""),
        ("b", ""),
        ("c", ""),
        ("d.md", ""),
        (".seekwell/store", ""),
        ("sub/.git", "gitdir: nowhere\n"),
    ];
    let fixture = Fixture::repo("c10", &files);
    std::fs::write(fixture.root.join(".git/info/exclude"), "b\n").expect("a repository");
    std::fs::create_dir_all(fixture.home.join(".config/git")).expect("a folder");
    std::fs::write(fixture.home.join(".config/git/ignore"), "c\n").expect("a file");
    fixture.walk_like_git();
    let exclude = Exclude { pattern: "*.md".into(), origin: ".seekwell.toml:2".into() };
    let options = Options { no_ignore: true, hidden: true, excludes: vec![exclude], ..Options::default() };
    let walk = fixture.walk_with("", options.clone());
    assert_eq!(paths(&walk), [".gitignore", "a", "b", "c"]);
    assert_eq!(why(&walk, "d.md"), "ignored: .seekwell.toml:2: *.md");
    // Outside a work tree, too.
    std::fs::remove_dir_all(fixture.root.join(".git")).expect("it was there");
    assert_eq!(paths(&fixture.walk_with("", options)), [".gitignore", "a", "b", "c"]);
    assert_eq!(paths(&fixture.walk_at("")), ["b", "c", "d.md"]);
}

#[test]
fn case_11_folder_names_are_not_patterns() {
    let names = ["***", "[ab]", "a!b", "!x", "#y", "{z}", "back\\slash", "sp ace ", "?"];
    let mut files: Vec<(String, &str)> = vec![("a.log".into(), ""), ("b/b.log".into(), "")];
    for name in names {
        files.extend([
            (format!("{name}/.gitignore"), "*.log\n/c\n"),
            (format!("{name}/a.log"), ""),
            (format!("{name}/c"), ""),
            (format!("{name}/d/c"), ""),
        ]);
    }
    let files: Vec<_> = files.iter().map(|(path, text)| (path.as_str(), *text)).collect();
    let fixture = Fixture::repo("c11", &files);
    let walk = fixture.walk_like_git();
    assert_eq!(walk.files.len(), 2 + 2 * names.len());
    assert_eq!(why(&walk, "***/a.log"), "ignored: ***/.gitignore:1: *.log");
}

#[test]
fn case_12_no_folder_is_left_out_for_its_name() {
    let files =
        ["src/routes/coverage/index.ts", "pkg/build/builder.go", "dist/a", "vendor/b", "target/c", "node_modules/d"];
    let fixture = Fixture::repo("c12", &files.map(|path| (path, "")));
    assert_eq!(fixture.walk_like_git().files.len(), files.len());
    std::fs::remove_dir_all(fixture.root.join(".git")).expect("it was there");
    assert_eq!(fixture.walk_at("").files.len(), files.len());
}

#[test]
fn case_13_clones_and_submodules_inside() {
    let fixture = Fixture::new(
        "c13",
        &[
            ("lib/l.rs", ""),
            ("lib/.gitignore", "*.o\n"),
            ("super/s.rs", ""),
            ("super/clone/c.rs", ""),
            ("super/mine/m.rs", ""),
        ],
    );
    for folder in ["lib", "super", "super/clone", "super/mine"] {
        fixture.git(folder, &["init", "-q"]);
    }
    fixture.commit("lib", &["."]);
    fixture.git("super", &["submodule", "--quiet", "add", "../lib", "sub"]);
    fixture.git("super", &["submodule", "--quiet", "add", "../lib", "empty"]);
    fixture.commit("super", &["s.rs"]);
    fixture.git("super", &["submodule", "--quiet", "deinit", "-f", "empty"]);
    fixture.write(&[("super/.gitignore", "sub\nmine/\n*.rs\n"), ("super/sub/new.o", ""), ("super/sub/new.rs", "")]);
    let walk = fixture.walk_like_git_at("super");
    let expected = [".gitignore", ".gitmodules", "clone/c.rs", "s.rs", "sub/.gitignore", "sub/l.rs", "sub/new.rs"];
    assert_eq!(paths(&walk), expected);
    assert!(why(&walk, "empty/").starts_with("submodule: "));
    assert_eq!(why(&walk, "mine/"), "ignored: .gitignore:2: mine/");
    // Named, or with all rules off, the ignored clone is searched.
    assert_eq!(paths(&fixture.walk_like_git_at("super/mine")), ["m.rs"]);
    assert!(
        paths(&fixture.walk_with("super", Options { no_ignore: true, ..Options::default() })).contains(&"mine/m.rs")
    );
    // Of a folder whose files the tree around it tracks, git does not see the repository.
    fixture.git("super/clone", &["init", "-q"]);
    fixture.write(&[("super/was/plain.c", "")]);
    fixture.commit("super", &["was/plain.c"]);
    fixture.git("super/was", &["init", "-q"]);
    fixture.write(&[("super/was/x.rs", "")]);
    fixture.walk_like_git_at("super");
}

#[test]
fn case_16_17_links_are_told_and_never_lead_out() {
    let files = [("notes/in.md", ""), ("lib/l.rs", ""), ("ignored", ""), (".gitignore", "ignored\n")];
    let fixture = Fixture::repo("c16", &files);
    let links = [
        ("notes/x.md", "/etc/hostname"),
        ("notes/up.md", "../../../../../../../../etc/hostname"),
        ("notes/ok.md", "in.md"),
        ("notes/twice.md", "ok.md"),
        ("notes/ignored.md", "../ignored"),
        ("notes/gone.md", "nowhere"),
        ("notes/loop.md", "loop.md"),
        ("notes/git.md", "../.git/config"),
        ("shared", "lib"),
        ("out", "/etc"),
        ("self", "."),
    ];
    for (link, target) in links {
        symlink(target, fixture.root.join(link)).expect("a link");
    }
    let expected = [".gitignore", "lib/l.rs", "notes/ignored.md", "notes/in.md", "notes/ok.md", "notes/twice.md"];
    for committed in [false, true] {
        if committed {
            fixture.commit("", &["."]);
            fixture.git("", &["rm", "-q", "--cached", "ignored"]);
        }
        let walk = fixture.walk_like_git();
        assert_eq!(paths(&walk), expected);
        assert_eq!(why(&walk, "notes/x.md"), "link: leads out of the root: /etc/hostname");
        for link in ["notes/up.md", "notes/gone.md", "notes/loop.md", "notes/git.md", "shared", "out", "self"] {
            assert!(why(&walk, link).starts_with("link: "), "{link}");
        }
    }
    // A link is opened where it leads, and not at all once it leads elsewhere.
    let walk = fixture.walk_at("");
    let link = walk.files.iter().find(|file| file.path == "notes/ok.md").expect("seen above");
    assert_eq!(link.absolute, fixture.root.join("notes/in.md"));
    std::fs::remove_file(&link.absolute).expect("it was there");
    symlink("/etc/hostname", &link.absolute).expect("a link");
    assert_eq!(read(link, 100).expect_err("no regular file").reason, "special-file");
}

#[test]
fn special_files_are_told_and_never_opened() {
    let fixture = Fixture::repo("special", &[("a", "text"), ("b", "text")]);
    let fifo = |name: &str| {
        let made = Command::new("mkfifo").arg(fixture.root.join(name)).status().expect("mkfifo is there");
        assert!(made.success());
    };
    fifo("pipe");
    fifo(".gitignore");
    symlink("pipe", fixture.root.join("to-pipe")).expect("a link");
    let _socket = UnixListener::bind(fixture.root.join("socket")).expect("a socket");
    // In a thread: should anything be opened, this waits for ever.
    let (sender, receiver) = std::sync::mpsc::channel();
    let (root, home) = (fixture.root.clone(), fixture.home.clone());
    std::thread::spawn(move || sender.send(git::walk_with(&[root], &home, Options::default())));
    let walk = receiver.recv_timeout(Duration::from_secs(20)).expect("the walk ends");
    assert_eq!(paths(&walk), ["a", "b"]);
    assert_eq!(why(&walk, "pipe"), "special-file: fifo");
    assert_eq!(why(&walk, "socket"), "special-file: socket");
    assert_eq!(why(&walk, "to-pipe"), "special-file: link to pipe");
    // What was a file when it was found may be something else when it is read.
    std::fs::remove_file(fixture.root.join("a")).expect("it was there");
    fifo("a");
    let [a, b] = &walk.files[..] else { panic!("two files") };
    assert_eq!(read(a, 100).expect_err("a fifo").reason, "special-file");
    assert_eq!(read(b, 4).expect("a file"), b"text");
    assert_eq!(read(b, 3).expect_err("too large").detail, "4 bytes, the limit is 3");
}

#[test]
fn case_19_what_cannot_be_read_is_told_and_the_walk_goes_on() {
    let name = "case_19_what_cannot_be_read_is_told_and_the_walk_goes_on";
    let is_root = Command::new("id").arg("-u").output().is_ok_and(|id| id.stdout.trim_ascii() == b"0");
    if is_root {
        // Permissions mean nothing to root, so the test is run again as nobody.
        let mut again = Command::new("setpriv");
        again.args([
            "--reuid=65534",
            "--regid=65534",
            "--clear-groups",
            "--inh-caps=-all",
            "--bounding-set=-all",
            "--",
        ]);
        let again = again.arg(std::env::current_exe().expect("this program")).args(["--exact", name]).output();
        match again {
            Ok(output) if output.status.success() => {}
            Ok(output) if output.stdout.starts_with(b"\nrunning") => {
                panic!("{}", String::from_utf8_lossy(&output.stdout))
            }
            other => println!("{name}: skipped, no way to run it as somebody other than root: {other:?}"),
        }
        return;
    }
    let files = [("a", ""), ("locked/b", ""), ("closed/c", ""), ("d", ""), ("e/.gitignore", "*\n"), ("e/f", "")];
    let fixture = Fixture::new("c19", &files);
    let mode = |path: &str, mode| {
        std::fs::set_permissions(fixture.root.join(path), std::fs::Permissions::from_mode(mode)).expect("our own");
    };
    for (path, bits) in [("locked", 0o000), ("closed", 0o444), ("d", 0o000), ("e/.gitignore", 0o000)] {
        mode(path, bits);
    }
    let walk = fixture.walk_at("");
    let unopened = walk.files.iter().find(|file| file.path == "d").map(|file| read(file, 100));
    for (path, bits) in [("locked", 0o700), ("closed", 0o700)] {
        mode(path, bits);
    }
    assert_eq!(paths(&walk), ["a", "d", "e/f"]);
    assert_eq!(why(&walk, "locked/"), "unreadable: Permission denied (os error 13)");
    assert_eq!(why(&walk, "closed/c"), "unreadable: Permission denied (os error 13)");
    let rules = walk.skipped.iter().find(|skipped| skipped.path == "e/.gitignore" && skipped.reason == "unreadable");
    assert_eq!(rules.expect("told").detail, "Permission denied (os error 13); its rules do not hold");
    let skipped = unopened.expect("listed").expect_err("mode 000");
    assert_eq!((skipped.reason.as_str(), skipped.detail.as_str()), ("unreadable", "Permission denied (os error 13)"));
}

#[test]
fn case_22_names_that_are_no_text() {
    let fixture = Fixture::repo("c22", &[("plain%20", "")]);
    let name = |bytes: &'static [u8]| fixture.root.join(OsStr::from_bytes(bytes));
    std::fs::create_dir(name(b"d\xFF")).expect("a folder");
    for path in [&b"d\xFF/50%"[..], b"d\xFF/.gitignore", b"\xC3\x28.log"] {
        std::fs::write(name(path), "*.log\n").expect("a file");
    }
    let walk = fixture.walk_like_git();
    let shown: Vec<_> = walk.files.iter().map(|file| (file.path.as_str(), file.path_escaped)).collect();
    assert_eq!(shown, [("%C3(.log", true), ("d%FF/.gitignore", true), ("d%FF/50%25", true), ("plain%20", false)]);
    assert!(walk.files.iter().all(|file| read(file, 100).is_ok()));
}

#[test]
fn case_24_spellings_of_one_tree() {
    let files = [(".gitignore", "*.log\n"), ("src/a.ts", ""), ("src/b.log", ""), ("docs/c.md", "")];
    let fixture = Fixture::repo("c24", &files);
    symlink(&fixture.root, fixture.home.join("link")).expect("a link");
    let expected = fixture.walk_like_git();
    for spelling in [".", "./", "src/..", "../tree", "../link", "../link/docs/.."] {
        let walk = fixture.walk_at(spelling);
        assert_eq!((&walk.root, &walk.files), (&expected.root, &expected.files), "{spelling}");
    }
    assert_eq!(paths(&fixture.walk_at("src")), ["a.ts"]);
    // Excludes keep their meaning, too, when their base is said.
    let exclude = Exclude { pattern: "/src/a.ts".into(), origin: "--exclude".into() };
    let mut admission = Admission::new(Options { excludes: vec![exclude], ..Options::default() }).expect("a pattern");
    let mut options = git::options(&fixture.home);
    options.excludes_base = Some(fixture.root.clone());
    assert_eq!(paths(&walk(&[fixture.root.join("src")], &options, &mut admission).expect("a walk")), [""; 0]);
}

#[test]
fn several_paths_have_one_root_and_files_once() {
    let files = [
        (".gitignore", "gen/\n*.log\n"),
        ("a/x", ""),
        ("a/in/y", ""),
        ("b/z.log", ""),
        ("b/z", ""),
        ("c/w", ""),
        ("gen/g", ""),
    ];
    let fixture = Fixture::repo("several", &files);
    let walk = |given: &[&str]| {
        let given: Vec<_> = given.iter().map(|path| fixture.root.join(path)).collect();
        git::walk_with(&given, &fixture.home, Options::default())
    };
    let one = walk(&["b/z.log"]);
    assert_eq!((paths(&one), &one.root), (vec!["z.log"], &fixture.root.join("b")));
    assert_eq!(paths(&walk(&["a", "a/in", "b/z.log", "a/x"])), ["a/in/y", "a/x", "b/z.log"]);
    let all = walk(&["", "gen", "b/z.log"]);
    assert_eq!(paths(&all), [".gitignore", "a/in/y", "a/x", "b/z", "b/z.log", "c/w", "gen/g"]);
    assert_eq!(all.skipped, [], "what was given is not told as left out");
}

#[test]
fn paths_that_cannot_be_walked_are_errors_with_a_next_step() {
    let fixture = Fixture::repo("errors", &[("a", "")]);
    let error = |path: &Path| {
        let mut admission = Admission::new(Options::default()).expect("no patterns");
        walk(&[path.into()], &git::options(&fixture.home), &mut admission).expect_err("no walk")
    };
    let missing = error(&fixture.root.join("nope"));
    assert!(matches!(missing, WalkError::NotThere(..)));
    assert!(missing.to_string().contains("nope (looked from "), "{missing}");
    assert!(matches!(error(&fixture.root.join(".git/config")), WalkError::InsideGit(_)));
}

#[test]
fn large_files_are_told() {
    let fixture = Fixture::new("large", &[("big", "0123456789"), ("small", "0123")]);
    let mut options = git::options(&fixture.home);
    options.max_file_size = 9;
    let mut admission = Admission::new(Options::default()).expect("no patterns");
    let walk = walk(std::slice::from_ref(&fixture.root), &options, &mut admission).expect("a walk");
    assert_eq!((paths(&walk), why(&walk, "big")), (vec!["small"], "too-large: 10 bytes, the limit is 9".into()));
}

#[test]
fn the_walk_ends_on_odd_trees() {
    let fixture = Fixture::repo("odd", &[(".gitignore", &("**/*a".repeat(30) + "\n" + &"[".repeat(2000) + "\n"))]);
    let deep = "d/".repeat(400) + "end";
    fixture.write(&[(deep.as_str(), "")]);
    std::fs::create_dir(fixture.root.join("empty")).expect("a folder");
    let walk = fixture.walk_like_git();
    let expected: BTreeSet<PathBuf> = [".gitignore".into(), deep.into()].into();
    assert_eq!(git::found(&walk), expected);
}
