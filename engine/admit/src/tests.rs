//! Trees written as lists of paths, walked without a disk.

use super::*;
use std::collections::BTreeMap;

/// A tree: what stands at each path; a path that ends with `/` is a folder with a repository in it.
#[derive(Default)]
struct Tree {
    files: BTreeMap<String, String>,
    repos: BTreeMap<String, Repo>,
    odd: BTreeMap<String, Kind>,
}

impl Tree {
    fn new(files: &[(&str, &str)]) -> Self {
        let files = files.iter().map(|(path, text)| ((*path).into(), (*text).into())).collect();
        Self { files, ..Self::default() }
    }

    fn repo(mut self, folder: &str, tracked: &[&str]) -> Self {
        let index = (!tracked.is_empty()).then(|| git_index::tests::index(4, 20, tracked));
        let repo = Repo { identity: folder.into(), sound: true, index, ..Repo::default() };
        self.repos.insert(folder.into(), repo);
        self
    }

    fn listing(&self, folder: &str) -> Listing {
        let mut entries = BTreeMap::new();
        let here = |path: &String| path.strip_prefix(folder).map(ToString::to_string);
        for rest in self.files.keys().chain(self.repos.keys()).filter_map(here).filter(|rest| !rest.is_empty()) {
            match rest.split_once('/') {
                Some((name, _)) => entries.insert(name.to_string(), Kind::Folder),
                None => entries.insert(rest, Kind::File),
            };
        }
        for (path, kind) in &self.odd {
            entries.extend(here(path).filter(|rest| !rest.contains('/')).map(|rest| (rest, kind.clone())));
        }
        let entries = entries.into_iter().map(|(name, kind)| Entry { name: name.into_bytes(), kind });
        Listing {
            gitignore: self.files.get(&format!("{folder}.gitignore")).map(|text| text.clone().into_bytes()),
            repo: self.repos.get(folder).filter(|_| !folder.is_empty()).cloned(),
            entries: entries.collect(),
        }
    }

    /// Admitted paths, and skipped ones with reason and detail.
    fn walk(&self, options: Options) -> (Vec<String>, BTreeMap<String, String>) {
        let mut admission = Admission::new(options).expect("sound patterns");
        let root = Root { repo: self.repos.get("").cloned(), ..Root::default() };
        let mut open = vec![(admission.root(&root).value, String::new())];
        let (mut files, mut skipped) = (Vec::new(), BTreeMap::new());
        while let Some((id, folder)) = open.pop() {
            let listing = self.listing(&folder);
            let verdicts = match admission.enter(id, &listing).value {
                Entered::Verdicts(verdicts) => verdicts,
                Entered::Skipped(skip) => {
                    skipped.insert(folder, format!("{} {}", skip.reason, skip.detail));
                    continue;
                }
            };
            for (entry, verdict) in listing.entries.iter().zip(verdicts) {
                let path = folder.clone() + std::str::from_utf8(&entry.name).expect("test names are text");
                match verdict {
                    Verdict::Admit => files.push(path),
                    Verdict::Descend(id) => open.push((id, path + "/")),
                    Verdict::Skip(skip) => drop(skipped.insert(path, format!("{} {}", skip.reason, skip.detail))),
                    Verdict::Own => {}
                }
            }
        }
        files.sort();
        (files, skipped)
    }

    fn files(&self) -> Vec<String> {
        self.walk(Options::default()).0
    }
}

fn exclude(patterns: &[&str]) -> Options {
    let exclude = |pattern: &&str| Exclude { pattern: (*pattern).into(), origin: "--exclude".into() };
    Options { excludes: patterns.iter().map(exclude).collect(), ..Options::default() }
}

#[test]
fn nearer_files_win_and_are_cited() {
    let tree = Tree::new(&[
        (".gitignore", "*.log\n"),
        ("a.log", ""),
        ("keep/.gitignore", "!*.log\n"),
        ("keep/b.log", ""),
        ("keep/deep/c.log", ""),
        ("other/.gitignore", "# nothing\n/x\n"),
        ("other/d.log", ""),
        ("other/x", ""),
    ])
    .repo("", &[]);
    let (files, skipped) = tree.walk(Options::default());
    assert_eq!(files, [".gitignore", "keep/.gitignore", "keep/b.log", "keep/deep/c.log", "other/.gitignore"]);
    assert_eq!(skipped["other/d.log"], "ignored .gitignore:1: *.log");
    assert_eq!(skipped["other/x"], "ignored other/.gitignore:2: /x");
}

#[test]
fn nothing_below_an_ignored_folder_is_taken_back() {
    let tree = Tree::new(&[(".gitignore", "gen/\n!gen/keep.rs\n"), ("gen/keep.rs", ""), ("gen/.gitignore", "!*\n")]);
    let (files, skipped) = tree.walk(Options { hidden: true, ..Options::default() });
    assert_eq!(files, [".gitignore"]);
    assert_eq!(skipped["gen"], "ignored .gitignore:1: gen/");
}

#[test]
fn tracked_files_win_over_rules() {
    let tree = Tree::new(&[
        (".gitignore", "gen/\n*.pb.go\n"),
        ("gen/api.ts", ""),
        ("gen/new.ts", ""),
        ("gen/more/x", ""),
        ("a.pb.go", ""),
        ("b.pb.go", ""),
    ])
    .repo("", &["a.pb.go", "gen/api.ts", "gone"]);
    let (files, skipped) = tree.walk(Options::default());
    assert_eq!(files, [".gitignore", "a.pb.go", "gen/api.ts"]);
    assert_eq!(skipped["gen/new.ts"], "ignored .gitignore:1: gen/");
    assert_eq!(skipped["gen/more"], "ignored .gitignore:1: gen/");
}

#[test]
fn hidden_entries_count_inside_a_work_tree_only() {
    let tree = Tree::new(&[(".github/ci.yml", ""), ("a", ""), ("in/.env.example", ""), ("in/b", "")]).repo("in/", &[]);
    assert_eq!(tree.files(), ["a", "in/.env.example", "in/b"]);
    let all = tree.walk(Options { hidden: true, ..Options::default() }).0;
    assert_eq!(all, [".github/ci.yml", "a", "in/.env.example", "in/b"]);
}

#[test]
fn a_repository_inside_has_rules_of_its_own() {
    let files = [(".gitignore", "*.js\nclone/\n"), ("a.js", ""), ("sub/b.js", ""), ("clone/c", ""), ("sub/d.rs", "")];
    let tree = Tree::new(&files).repo("", &[]).repo("sub/", &[]).repo("clone/", &[]);
    assert_eq!(tree.files(), [".gitignore", "sub/b.js", "sub/d.rs"]);
    // A pattern of the caller's cannot take back what git ignores.
    assert_eq!(tree.walk(exclude(&["!clone/"])).0, [".gitignore", "sub/b.js", "sub/d.rs"]);
    let all = tree.walk(Options { no_ignore: true, ..Options::default() }).0;
    assert_eq!(all, [".gitignore", "a.js", "clone/c", "sub/b.js", "sub/d.rs"]);
}

#[test]
fn a_marker_is_no_repository_where_git_is_asked() {
    let mut tree =
        Tree::new(&[(".gitignore", "*.js\n"), ("sub/b.js", ""), ("sub/c", "")]).repo("", &[]).repo("sub/", &[]);
    tree.repos.get_mut("sub/").expect("just made").sound = false;
    assert_eq!(tree.files(), [".gitignore", "sub/c"]);
    tree.repos.remove("");
    assert_eq!(tree.files(), ["sub/b.js", "sub/c"]);
}

#[test]
fn submodules_are_entered_if_they_are_there() {
    let tree = Tree::new(&[(".gitignore", "sub\n"), ("sub/a", ""), ("gone/b", "")]).repo("", &["gone@", "sub@"]);
    let (files, skipped) = tree.repo("sub/", &["a"]).walk(Options::default());
    assert_eq!(files, [".gitignore", "sub/a"]);
    assert!(skipped["gone/"].starts_with("submodule "), "{skipped:?}");
}

#[test]
fn second_work_trees_are_left_out() {
    let mut tree = Tree::new(&[("a", ""), ("wt/a", "")]).repo("", &[]).repo("wt/", &[]);
    tree.repos.get_mut("wt/").expect("just made").identity = String::new();
    let (files, skipped) = tree.walk(Options::default());
    assert_eq!(files, ["a"]);
    assert!(skipped["wt/"].starts_with("worktree "), "{skipped:?}");
}

#[test]
fn files_for_the_whole_tree_are_weakest() {
    let mut tree = Tree::new(&[(".gitignore", "!b\n"), ("a", ""), ("b", ""), ("c", ""), ("d", "")]).repo("", &[]);
    let file = |label: &str, text: &[u8]| IgnoreFile { label: label.into(), bytes: text.to_vec() };
    tree.repos.get_mut("").expect("just made").excludes =
        vec![file("~/ignore", b"/a\nb\nc\n"), file(".git/info/exclude", b"!c\nd\n")];
    let (files, skipped) = tree.walk(Options::default());
    assert_eq!(files, [".gitignore", "b", "c"]);
    assert_eq!(skipped["a"], "ignored ~/ignore:1: /a");
    assert_eq!(skipped["d"], "ignored .git/info/exclude:2: d");
    assert_eq!(tree.walk(Options { no_ignore: true, ..Options::default() }).0, [".gitignore", "a", "b", "c", "d"]);
}

#[test]
fn a_root_inside_a_work_tree_inherits() {
    let tree = Tree::new(&[("a.log", ""), ("b", ""), ("c", ""), ("t", "")]);
    let mut admission = Admission::new(exclude(&["/docs/src/c"])).expect("sound patterns");
    let index = git_index::tests::index(2, 32, &["src/t"]);
    let root = Root {
        below_excludes: b"docs/src".to_vec(),
        below_top: b"src".to_vec(),
        repo: Some(Repo { sound: true, index: Some(index), ..Repo::default() }),
        above: vec![Above { folder: Vec::new(), bytes: b"*.log\n/src/b\n/b\nt\n".to_vec() }],
        ..Root::default()
    };
    let id = admission.root(&root).value;
    let Entered::Verdicts(verdicts) = admission.enter(id, &tree.listing("")).value else { panic!("a plain folder") };
    let skip = |detail: &str| Verdict::Skip(super::skip("ignored", detail));
    let expected = [
        skip("../.gitignore:1: *.log"),
        skip("../.gitignore:2: /src/b"),
        skip("--exclude: /docs/src/c"),
        Verdict::Admit,
    ];
    assert_eq!(verdicts, expected);
}

#[test]
fn own_excludes_hold_for_tracked_files_too() {
    let tree = Tree::new(&[("a.JSONL", ""), ("b.min.js", ""), ("c.js", ""), ("docs/d", ""), ("e.md", "")]);
    let tree = tree.repo("", &["a.JSONL", "b.min.js", "c.js", "docs/d", "e.md"]);
    let mut options = exclude(&["*.md", "c.*", "!c.js", "/docs/"]);
    options.exclude_extensions = vec!["jsonl".into(), ".min.js".into()];
    let (files, skipped) = tree.walk(options);
    assert_eq!(files, ["c.js"]);
    assert_eq!(skipped["docs"], "ignored --exclude: /docs/");
    assert_eq!(skipped["b.min.js"], "ignored excluded extension: min.js");
    let error = Admission::new(exclude(&["ok", "[x"])).expect_err("an unclosed bracket");
    assert!(error.to_string().starts_with("--exclude: the pattern `[x`"), "{error}");
}

#[test]
fn git_and_the_store_are_never_admitted() {
    let tree = Tree::new(&[(".git/config", ""), ("x/.git", ""), (".seekwell/store", ""), (".seekwell.toml", "")]);
    let options = Options { no_ignore: true, hidden: true, ..exclude(&["!.git", "!.seekwell"]) };
    assert_eq!(tree.repo("", &[".seekwell/store"]).walk(options), (vec![".seekwell.toml".into()], BTreeMap::new()));
}

#[test]
fn links_and_special_files() {
    let mut tree = Tree::new(&[("a", "")]).repo("", &[]);
    let targets = [
        ("file", Target::File(b"a".to_vec())),
        ("folder", Target::Folder),
        ("git", Target::File(b"x/.git/config".to_vec())),
        ("missing", Target::Missing("No such file".into())),
        ("outside", Target::Outside),
        ("special", Target::Special),
    ];
    for (name, target) in targets {
        tree.odd.insert(name.into(), Kind::Link(Link { text: "there".into(), target }));
    }
    tree.odd.insert("pipe".into(), Kind::Special("fifo".into()));
    let (files, skipped) = tree.walk(Options::default());
    assert_eq!(files, ["a", "file"]);
    let reasons: Vec<_> =
        skipped.iter().map(|(path, why)| format!("{path} {}", why.split(' ').next().unwrap_or(""))).collect();
    assert_eq!(
        reasons,
        ["folder link", "git link", "missing link", "outside link", "pipe special-file", "special special-file"]
    );
}

#[test]
fn a_damaged_index_is_told_and_rules_hold() {
    let mut tree = Tree::new(&[(".gitignore", "x\n"), ("x", "")]).repo("", &[]);
    tree.repos.get_mut("").expect("just made").index = Some(b"DIRC nonsense".to_vec());
    assert_eq!(tree.files(), [".gitignore"]);
    let mut admission = Admission::new(Options::default()).expect("no patterns");
    let notes = admission.root(&Root { repo: tree.repos.get("").cloned(), ..Root::default() }).notes;
    assert_eq!(notes[0].path, ".git/index");
}

#[test]
fn case_can_be_made_not_to_count() {
    let mut tree = Tree::new(&[
        (".gitignore", "Build/\n*.LOG\n/Src/A*\n"),
        ("BUILD/x", ""),
        ("a.log", ""),
        ("b.log", ""),
        ("src/abc", ""),
    ])
    .repo("", &["B.log"]);
    tree.repos.get_mut("").expect("just made").ignore_case = true;
    assert_eq!(tree.files(), [".gitignore", "b.log"]);
}
