//! A budget is never exceeded and never without a hit. Field case 68.

use serde_json::Value;

use super::support::{Tree, hits};

fn trees() -> Vec<(&'static str, Tree)> {
    let many = Tree::new(&[]);
    for number in 0..60 {
        many.write(
            &format!("a/folder/of/needle_{number}.py"),
            format!("def needle_{number}():\n    \"\"\"Finds a needle.\"\"\"\n    return \"needle\"\n"),
        );
    }
    let large = Tree::new(&[("large.py", &format!("# needle\n{}", "value = needle\n".repeat(8_000)))]);
    let long_line = Tree::new(&[("line.txt", &format!("needle {}\n", "abcdefgh ".repeat(500)))]);
    let escapes = Tree::new(&[("odd.txt", &format!("needle {}\n", "\"\\\u{1}\t😀".repeat(400)))]);
    let long_path = Tree::new(&[(&format!("{}/needle.py", "folder_name".repeat(18)), "def needle(): pass\n")]);
    vec![("many", many), ("large", large), ("long line", long_line), ("escapes", escapes), ("long path", long_path)]
}

fn budgets(least: u32) -> Vec<u32> {
    (0..13).map(|n| least + n * 23).chain([least * 4, least * 16, 20_000]).collect()
}

#[test]
fn text_keeps_to_it() {
    for (name, tree) in trees() {
        for budget in budgets(64) {
            for depth in ["overview", "full"] {
                let run = tree.run(&["needle", "-n", "60", "--depth", depth, "--budget", &budget.to_string()]);
                assert_eq!(run.code, 0, "{name} {budget}: {}", run.stderr);
                assert!(run.stdout.len() <= budget as usize * 4, "{name} {budget}: {}", run.stdout.len());
                assert!(
                    !run.stdout.is_empty() && !run.stdout.starts_with("--") && run.stdout.ends_with('\n'),
                    "{name} {budget}: {}",
                    run.stdout
                );
            }
        }
    }
}

#[test]
fn json_keeps_to_it() {
    for (name, tree) in trees() {
        for budget in budgets(256) {
            let run = tree.run(&["needle", "-n", "60", "--json", "--budget", &budget.to_string()]);
            assert!(run.stdout.len() <= budget as usize * 4, "{name} {budget}: {}", run.stdout.len());
            let answer: Value =
                serde_json::from_str(&run.stdout).unwrap_or_else(|e| panic!("{name} {budget}: {e}: {}", run.stdout));
            assert!(!hits(&answer).is_empty(), "{name} {budget}");
            // What is left out shows, and is not lost.
            let all = answer["total"].as_u64() == Some(hits(&answer).len() as u64);
            assert_eq!(answer["next"].is_null(), all, "{name} {budget}");
            assert!(all || answer["truncated"] == true, "{name} {budget}");

            let run = tree.run(&["needle", "-n", "60", "--jsonl", "--budget", &budget.to_string()]);
            assert!(run.stdout.len() <= budget as usize * 4, "{name} {budget}: {}", run.stdout.len());
            let lines: Vec<Value> =
                run.stdout.lines().map(|line| serde_json::from_str(line).expect("each line is JSON")).collect();
            assert_eq!(lines[0]["type"], "answer");
            assert!(lines.len() > 1 && lines[1..].iter().all(|line| line["type"] == "hit"), "{name} {budget}");
        }
    }
}

/// A budget that is large enough changes nothing.
#[test]
fn a_large_budget_changes_nothing() {
    for (name, tree) in trees() {
        for form in [&["--json"][..], &["--jsonl"], &[]] {
            let line = [&["needle", "-n", "5"], form].concat();
            let (bare, limited) =
                (tree.run(&line).stdout, tree.run(&[&line[..], &["--budget", "1000000"]].concat()).stdout);
            let more = limited.lines().last().filter(|line| line.starts_with("-- ")).map_or(0, |line| line.len() + 1);
            assert_eq!(limited[..limited.len() - more], bare, "{name} {form:?}");
        }
    }
}

/// More room never shows fewer hits.
#[test]
fn more_room_shows_no_less() {
    let (_, many) = trees().remove(0);
    let shown: Vec<usize> = budgets(256)
        .iter()
        .map(|b| hits(&many.ask("needle", &["-n", "60", "--budget", &b.to_string()])).len())
        .collect();
    assert!(shown.is_sorted() && shown[0] < *shown.last().expect("some"), "{shown:?}");
}
