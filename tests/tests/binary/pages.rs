//! `limit` and `cursor` cut an answer; they never change it.

use serde_json::Value;

use super::support::{Tree, hits};

fn tree() -> Tree {
    let tree = Tree::new(&[]);
    for number in 0..45 {
        let body = "    queue.push(request)\n".repeat(number % 5);
        tree.write(
            &format!("h{number}.py"),
            format!("def handler_{number}(request, queue):\n{body}    return request\n"),
        );
    }
    tree
}

const QUESTIONS: [&[&str]; 5] = [
    &["--", "handles the request queue"],
    &["--mode", "semantic", "--", "request queue"],
    &["--mode", "keyword", "--", "request"],
    &["-F", "--", "request"],
    &["--mode", "regex", "-t", "python", "--", "handler_[0-9]"],
];

fn ask(tree: &Tree, question: &[&str], options: &[&str]) -> Value {
    tree.json(&[&["search", "--json"], options, question].concat())
}

#[test]
fn a_limit_takes_the_first_of_the_same_list() {
    let tree = tree();
    for question in QUESTIONS {
        let all = ask(&tree, question, &["-n", "1000"]);
        assert!(hits(&all).len() > 30 && all["truncated"] == false && all["next"].is_null(), "{question:?}: {all}");
        assert_eq!(all["total"], hits(&all).len());
        for limit in [1, 2, 10, 29] {
            let some = ask(&tree, question, &["-n", &limit.to_string()]);
            assert_eq!(hits(&some), &hits(&all)[..limit], "{question:?} -n {limit}");
            assert_eq!((&some["total"], &some["truncated"]), (&all["total"], &true.into()));
        }
        assert_eq!(hits(&ask(&tree, question, &[])).len(), 10, "ten unless told otherwise");
    }
}

#[test]
fn pages_join_to_the_whole_list() {
    let tree = tree();
    for question in QUESTIONS {
        let all = ask(&tree, question, &["-n", "1000"]);
        for size in ["1", "7", "30"] {
            // A page by page walk with one hit a page takes a process each: a few of them will do.
            let mut joined: Vec<Value> = Vec::new();
            let mut cursor: Option<String> = None;
            loop {
                let mut options = vec!["-n", size];
                if let Some(cursor) = &cursor {
                    options.extend(["--cursor", cursor]);
                }
                let page = ask(&tree, question, &options);
                assert_eq!(page["total"], all["total"]);
                joined.extend_from_slice(hits(&page));
                cursor = page["next"].as_str().map(str::to_owned);
                assert_eq!(page["truncated"], cursor.is_some());
                if cursor.is_none() || size == "1" && joined.len() == 5 {
                    break;
                }
            }
            assert_eq!(joined, hits(&all)[..joined.len()], "{question:?} -n {size}");
            assert!(size == "1" || joined.len() == hits(&all).len(), "{question:?} -n {size}");
        }
    }
}

/// Pages under a budget leave nothing out either: `next` goes on behind the last hit that was printed.
#[test]
fn budgets_page_too() {
    let tree = tree();
    let all = ask(&tree, QUESTIONS[3], &["-n", "1000"]);
    let mut joined: Vec<String> = Vec::new();
    let mut options: Vec<String> = Vec::new();
    loop {
        let mut line: Vec<&str> = vec!["-n", "1000", "--budget", "1500"];
        line.extend(options.iter().map(String::as_str));
        let page = ask(&tree, QUESTIONS[3], &line);
        assert!(!hits(&page).is_empty());
        joined.extend(hits(&page).iter().map(|hit| hit["path"].to_string()));
        let Some(next) = page["next"].as_str() else { break };
        options = vec!["--cursor".to_owned(), next.to_owned()];
    }
    let expected: Vec<String> = hits(&all).iter().map(|hit| hit["path"].to_string()).collect();
    assert_eq!(joined, expected);
}

/// Field case 69.
#[test]
fn a_cursor_that_is_garbled_or_foreign_leads_to_the_beginning_and_says_so() {
    let tree = tree();
    let question = QUESTIONS[3];
    let first = ask(&tree, question, &["-n", "5"]);
    let next = first["next"].as_str().expect("there is more").to_owned();
    let foreign = ask(&tree, QUESTIONS[0], &["-n", "5"])["next"].as_str().expect("there is more").to_owned();
    let cut = &next[..next.len() - 1];
    for (cursor, word) in [
        (cut, "damaged"),
        ("", "damaged"),
        ("-é😀", "damaged"),
        (&"f".repeat(50_000), "damaged"),
        (&foreign, "another query"),
    ] {
        let run = tree.run(&[&["search", "--json", "-n", "5", "--cursor", cursor], question].concat());
        assert_eq!(run.code, 0, "{cursor}");
        assert!(
            run.stderr.contains(word) && run.stderr.contains("beginning of the answer"),
            "{cursor}: {}",
            run.stderr
        );
        assert_eq!(serde_json::from_str::<Value>(&run.stdout).expect("JSON")["hits"], first["hits"], "{cursor}");
    }
}

#[test]
fn past_the_end_there_is_nothing_and_that_is_told() {
    let tree = tree();
    let question = QUESTIONS[3];
    let page = ask(&tree, question, &["-n", "40"]);
    let next = page["next"].as_str().expect("five are left").to_owned();
    // The tree shrinks between two pages.
    (3..45).for_each(|n| std::fs::remove_file(tree.path().join(format!("h{n}.py"))).expect("our own file"));
    let run = tree.run(&[&["search", "--cursor", &next], question].concat());
    assert_eq!((run.code, run.stdout.as_str()), (1, ""));
    assert_eq!(run.stderr, "no more hits: the answer has 3 in all; leave out --cursor to see them\n");
}
