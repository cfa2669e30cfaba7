//! The same tree and question give the same bytes: twice, on any number of threads, by whatever name the tree is called.

use std::path::Path;

use super::support::{Tree, command, run};

/// Enough files for several threads, with ties among them.
fn tree() -> Tree {
    let tree = Tree::new(&[("README.md", "# Sample\n\nHandles requests.\n\n## Queues\n\nA queue holds requests.\n")]);
    for number in 0..80 {
        let text = format!(
            "def handler_{number}(request):\n    \"\"\"Handles a request of the queue.\"\"\"\n    return process(request)\n"
        );
        tree.write(&format!("pkg{}/handler_{number}.py", number % 7), text);
        tree.write(
            &format!("lib/copy_{}/queue.rs", number % 9),
            "/// A queue of requests.\npub struct Queue {\n    items: Vec<Request>,\n    limit: usize,\n}\n",
        );
    }
    tree
}

const QUESTIONS: [&[&str]; 8] = [
    &["handles a request", "-n", "100"],
    &["Queue", "-n", "50"],
    &["queue of requests", "--mode", "semantic", "-n", "200"],
    &["process request", "--mode", "keyword", "--explain"],
    &["request", "-F", "-n", "300"],
    &["-e", r"handler_\d+", "-n", "300"],
    &["requests", "--budget", "500"],
    &["nothing of this kind xyzzy"],
];

fn output(folder: &Path, line: &[&str]) -> String {
    let run = run(&mut command(folder, line));
    assert!(run.code < 2, "{line:?}: {}", run.stderr);
    run.stdout
}

#[test]
fn twice_and_on_any_number_of_threads() {
    let tree = tree();
    for question in QUESTIONS {
        for form in ["--json", "--jsonl", "--no-heading"] {
            let line = [question, &[form]].concat();
            let first = output(&tree.path(), &line);
            assert!(!first.is_empty(), "{line:?}");
            assert_eq!(output(&tree.path(), &line), first, "{line:?}");
            for threads in ["1", "2", "5"] {
                let line = [&line[..], &["--threads", threads]].concat();
                assert_eq!(output(&tree.path(), &line), first, "{line:?}");
            }
        }
    }
}

/// Field case 24.
#[test]
fn whatever_the_tree_is_called() {
    let tree = tree();
    let root = tree.path();
    let elsewhere = tempfile::tempdir().expect("a folder");
    let link = elsewhere.path().join("link");
    std::os::unix::fs::symlink(&root, &link).expect("a link");
    let (absolute, link) = (root.display().to_string(), link.display().to_string());
    let (parent, name) =
        (root.parent().expect("a parent"), root.file_name().expect("a name").to_string_lossy().into_owned());
    let way_round = format!("{absolute}/../{name}/pkg0/..");
    for question in QUESTIONS {
        let line =
            |path: &str| -> Vec<String> { question.iter().chain(&["--json", path]).map(|w| (*w).to_owned()).collect() };
        let of = |folder: &Path, path: &str| {
            let line = line(path);
            output(folder, &line.iter().map(String::as_str).collect::<Vec<_>>())
        };
        let bare = output(&root, &[question, &["--json"]].concat());
        assert!(bare.contains(&format!("\"root\":\"{absolute}\"")), "{bare}");
        for path in [".", "./", "././/", &absolute, &way_round, &link] {
            assert_eq!(of(&root, path), bare, "{path}");
        }
        assert_eq!(of(parent, &name), bare);
        assert_eq!(of(&root.join("pkg0"), ".."), bare);
        assert_eq!(of(Path::new("/"), &format!("{absolute}/")), bare);
        // Started in a folder that was reached by a link.
        assert_eq!(output(Path::new(&link), &[question, &["--json"]].concat()), bare);
    }
}

#[test]
fn a_copy_of_the_tree_answers_alike_but_for_its_root() {
    let (one, other) = (tree(), tree());
    let named =
        |tree: &Tree, line: &[&str]| output(&tree.path(), line).replace(&tree.path().display().to_string(), "ROOT");
    for question in QUESTIONS {
        let line = [question, &["--json"]].concat();
        assert_eq!(named(&one, &line), named(&other, &line), "{line:?}");
    }
}

#[test]
fn times_of_files_do_not_show() {
    let tree = tree();
    let before = QUESTIONS.map(|q| output(&tree.path(), &[q, &["--json"]].concat()));
    for number in 0..80 {
        let file = std::fs::File::options()
            .append(true)
            .open(tree.path().join(format!("pkg{}/handler_{number}.py", number % 7)));
        file.expect("our own file").set_modified(std::time::UNIX_EPOCH).expect("a time");
    }
    assert_eq!(QUESTIONS.map(|q| output(&tree.path(), &[q, &["--json"]].concat())), before);
}
