//! Compares the walk with `git ls-files -co --exclude-standard`: on every repository in a folder, and on random trees.
//!
//! `cargo run --release -p seekwell --example compare_git -- repos FOLDER`
//! `cargo run --release -p seekwell --example compare_git -- random ROUNDS [SEED]`

#[path = "../tests/files/git.rs"]
mod git;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Instant;

use seekwell_admit::Options;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let differences = match words[..] {
        ["repos", folder] => repos(Path::new(folder)),
        ["random", rounds] => random(rounds.parse().expect("a number"), 1),
        ["random", rounds, seed] => random(rounds.parse().expect("a number"), seed.parse().expect("a number")),
        _ => panic!("repos FOLDER | random ROUNDS [SEED]"),
    };
    println!("{differences} differences");
    std::process::exit(i32::from(differences > 0));
}

/// Compares one tree; the number of files that differ.
fn compare(root: &Path, home: &Path) -> usize {
    let start = Instant::now();
    let walk = git::walk_with(&[root.into()], home, Options::default());
    let took = start.elapsed();
    let ours = git::found(&walk);
    let theirs = git::files(root, root, home);
    let differ: Vec<_> = ours.symmetric_difference(&theirs).collect();
    if !differ.is_empty() || std::env::var_os("QUIET").is_none() {
        println!("{}: {} files, {} skipped, {took:?}", root.display(), ours.len(), walk.skipped.len());
    }
    for path in &differ {
        println!("  {} {}", if ours.contains(*path) { "only here:   " } else { "only in git: " }, path.display());
    }
    differ.len()
}

fn repos(folder: &Path) -> usize {
    let home = std::env::temp_dir().join("seekwell-no-home");
    let entries = std::fs::read_dir(folder).expect("a folder");
    let folders: BTreeSet<PathBuf> =
        entries.flatten().map(|entry| entry.path()).filter(|path| path.join(".git").exists()).collect();
    folders.iter().map(|root| compare(&std::fs::canonicalize(root).expect("it is there"), &home)).sum()
}

/// Random trees under random ignore files: names and patterns from a small alphabet, so that they meet.
fn random(rounds: u64, seed: u64) -> usize {
    let home = std::env::temp_dir().join(format!("seekwell-random-{}", std::process::id()));
    let root = home.join("tree");
    let mut dice = Dice(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
    let mut differences = 0;
    for round in 0..rounds {
        let _ = std::fs::remove_dir_all(&root);
        std::fs::create_dir_all(&root).expect("a folder for the tree");
        git::git(&root, &home, &["init", "-q", "--template="]);
        let fold = dice.below(8) == 0;
        if fold {
            git::git(&root, &home, &["config", "core.ignorecase", "true"]);
        }
        tree(&root, 0, fold, &mut dice);
        if dice.below(2) == 0 {
            let paths: Vec<_> = git::files(&root, &root, &home).into_iter().filter(|_| dice.below(4) == 0).collect();
            // Fails for files of repositories inside, which this one cannot take.
            let mut add = git::command(&root, &home, &["add", "-f", "--ignore-errors", "--"]);
            let _ = add.args(&paths).output();
            git::git(&root, &home, &["update-index", "--index-version", ["2", "3", "4"][dice.below(3)]]);
            if dice.below(4) == 0 {
                git::git(&root, &home, &["update-index", "--split-index"]);
                git::git(&root, &home, &["rm", "-rq", "--cached", "--ignore-unmatch", "a", "b"]);
            }
            rules(&root, &mut dice);
        }
        std::fs::create_dir_all(root.join(".git/info")).expect("a repository");
        std::fs::write(root.join(".git/info/exclude"), pattern_lines(&mut dice)).expect("a repository");
        let found = compare(&root, &home);
        if found > 0 {
            println!("round {round}; kept in {}", root.display());
            return differences + found;
        }
        differences += found;
    }
    let _ = std::fs::remove_dir_all(&home);
    differences
}

fn tree(folder: &Path, depth: usize, fold: bool, dice: &mut Dice) {
    for _ in 0..3 + dice.below(6) {
        let mut name = name(dice);
        if fold {
            // Where case does not count, a disk has no `A` beside `a`.
            name.make_ascii_lowercase();
        }
        let path = folder.join(name);
        if depth < 3 && dice.below(2) == 0 {
            if std::fs::create_dir(&path).is_ok() {
                if dice.below(12) == 0 {
                    let home = path.clone();
                    git::git(&path, &home, &["init", "-q", "--template="]);
                }
                tree(&path, depth + 1, fold, dice);
            }
        } else if !path.exists() {
            std::fs::write(&path, "x").expect("a fresh name");
        }
    }
    if depth == 0 || dice.below(3) == 0 {
        rules(folder, dice);
    }
}

fn rules(folder: &Path, dice: &mut Dice) {
    std::fs::write(folder.join(".gitignore"), pattern_lines(dice)).expect("a folder");
}

fn name(dice: &mut Dice) -> String {
    let letters = ["a", "b", "a", "b", "A", "ab", ".", "-", "*", "[", "]", "!", "#", " ", "\\", "?", "é"];
    let name: String = (0..1 + dice.below(3)).map(|_| letters[dice.below(letters.len())]).collect();
    if name.bytes().all(|byte| byte == b'.') { "a".into() } else { name }
}

fn pattern_lines(dice: &mut Dice) -> String {
    let parts = [
        "a",
        "b",
        "a",
        "b",
        "ab",
        "A",
        "*",
        "*",
        "?",
        "/",
        "/",
        "**",
        "**/",
        "/**",
        "/**/",
        ".",
        "-",
        "[ab]",
        "[!a]",
        "[^b-]",
        "[a-b",
        "[]a]",
        "[[:alpha:]]",
        "[[:upper:]]",
        "[[:x:]]",
        "[a\\]b]",
        "\\a",
        "\\",
        "\\*",
        "\\[",
        "\\ ",
        " ",
        "#",
        "!",
        "é",
        "*.",
        "[/]",
        "***",
        "\\/",
        "[A-b]",
    ];
    let mut lines = String::new();
    for _ in 0..1 + dice.below(6) {
        lines += ["", "", "", "!", "/", "#", "!/"][dice.below(7)];
        for _ in 0..1 + dice.below(4) {
            lines += parts[dice.below(parts.len())];
        }
        lines += ["", "", "", "/", "  ", "\r"][dice.below(6)];
        lines += "\n";
    }
    if dice.below(10) == 0 {
        lines.insert(0, '\u{feff}');
    }
    lines
}

/// Numbers that look random and are the same for the same seed (xorshift).
struct Dice(u64);

impl Dice {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        ((self.0 >> 11) % limit as u64) as usize
    }
}
