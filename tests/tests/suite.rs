//! One suite on three drivers: the engine as a library, the component in wasmtime, and the binary. Each fixture is a small
//! tree with questions; what comes back must be what the fixture says, and the same bytes from all three.

use std::path::{Path, PathBuf};
use std::process::Command;

use seekwell::component::Component;
use seekwell::engine::Engine;
use seekwell_tests::fixture::{Fixture, Question, parse};
use seekwell_tests::native::Native;
use serde_json::Value;

fn fixtures() -> Vec<(String, Fixture)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    let mut paths: Vec<PathBuf> =
        std::fs::read_dir(folder).expect("fixtures").map(|e| e.expect("entry").path()).collect();
    paths.sort();
    paths.retain(|p| p.extension().is_some_and(|e| e == "md"));
    assert!(!paths.is_empty(), "there are fixtures");
    let read = |p: &PathBuf| {
        let name = p.file_stem().expect("name").to_string_lossy().into_owned();
        (name, parse(&std::fs::read_to_string(p).expect("fixture")))
    };
    paths.iter().map(read).collect()
}

/// The arguments that the binary would get.
fn arguments(question: &Question, folder: &Path) -> Vec<String> {
    let mut all = vec![question.command.clone(), "--json".to_owned()];
    all.extend(question.arguments.iter().cloned());
    all.push(folder.to_string_lossy().into_owned());
    all
}

/// Runs an engine in this process, through the very code of the command line.
fn in_process(engine: &dyn Engine, question: &Question, folder: &Path) -> String {
    seekwell::cli::json_with(engine, &arguments(question, folder)).expect("an answer")
}

/// Path of the binary, built by `./x build` before the tests.
fn binary() -> PathBuf {
    std::env::var_os("SEEKWELL_BINARY").map(PathBuf::from).expect("SEEKWELL_BINARY names the binary; ./x test sets it")
}

fn by_binary(question: &Question, folder: &Path) -> String {
    let output = Command::new(binary()).args(arguments(question, folder)).output().expect("the binary runs");
    assert!(output.status.code().is_some_and(|c| c < 2), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// An answer in the words of the fixtures.
fn facts(answer: &Value) -> Vec<String> {
    let mut facts: Vec<String> = Vec::new();
    for row in answer["symbols"].as_array().into_iter().flatten() {
        let text = |key: &str| row[key].as_str().unwrap_or_default();
        let name = [text("container"), text("name")].join("::");
        let confidence = row["confidence"].as_str().map_or(String::new(), |word| format!(" {word}"));
        facts.push(format!(
            "{}:{}-{} {} {}{confidence}",
            text("path"),
            row["start_line"],
            row["end_line"],
            text("kind"),
            name.trim_start_matches("::")
        ));
    }
    for row in answer["references"].as_array().into_iter().flatten() {
        let text = |key: &str| row[key].as_str().unwrap_or_default();
        facts.push(
            format!("{}:{}:{} {} {}", text("path"), row["line"], row["column"], text("role"), text("within"))
                .trim()
                .to_owned(),
        );
    }
    for hit in answer["hits"].as_array().into_iter().flatten() {
        let text = |key: &str| hit[key].as_str().unwrap_or_default().to_owned();
        let line =
            format!("{}:{}-{} {} {}", text("path"), hit["start_line"], hit["end_line"], text("kind"), text("symbol"));
        facts.push(line.trim().to_owned());
    }
    facts
}

fn check(name: &str, question: &Question, answer: &str) {
    let answer: Value = serde_json::from_str(answer).expect("JSON");
    let facts = facts(&answer);
    let mut hits = facts.iter();
    for expected in &question.expected {
        let holds = match expected.as_str() {
            "weak" => answer["weak"] == true,
            "not weak" => answer["weak"] == false,
            "not found" => answer["not_found"] == true,
            "nothing more" => hits.next().is_none(),
            property if property.starts_with("route ") => answer["route"]["kind"] == property[6..],
            property if property.starts_with("total ") => answer["total"].as_u64() == property[6..].parse().ok(),
            property if property.starts_with("nearest ") => {
                answer["nearest"].as_array().is_some_and(|n| n.iter().any(|w| w.as_str() == Some(&property[8..])))
            }
            property if property.starts_with("also in ") => {
                let lists = answer["hits"].as_array().into_iter().flatten().filter_map(|h| h["also_in"].as_array());
                lists.flatten().any(|p| p.as_str() == Some(&property[8..]))
            }
            hit => hits.next().is_some_and(|found| {
                found == hit || found.starts_with(&format!("{hit} ")) || found.starts_with(&format!("{hit}:"))
            }),
        };
        assert!(holds, "{name}: {:?}: expected `{expected}` of\n{}\n{answer:#}", question.arguments, facts.join("\n"));
    }
    assert!(!question.expected.is_empty(), "{name}: {:?} expects nothing", question.arguments);
}

#[test]
fn fixtures_on_three_drivers() {
    let component: &dyn Engine = Component::shared().expect("the component loads");
    let mut count = 0;
    for (name, fixture) in fixtures() {
        let folder = tempfile::tempdir().expect("folder");
        fixture.write(folder.path()).expect("files");
        for question in &fixture.questions {
            let library = in_process(&Native, question, folder.path());
            check(&name, question, &library);
            let wasm = in_process(component, question, folder.path());
            assert_eq!(library, wasm, "{name}: {:?}: the component answers otherwise", question.arguments);
            let binary = by_binary(question, folder.path());
            assert_eq!(library, binary, "{name}: {:?}: the binary answers otherwise", question.arguments);
            count += 1;
        }
    }
    println!("{count} questions, three drivers");
}

#[test]
fn every_snippet_is_its_lines() {
    for (name, fixture) in fixtures() {
        let folder = tempfile::tempdir().expect("folder");
        fixture.write(folder.path()).expect("files");
        for question in fixture.questions.iter().filter(|question| question.command == "search") {
            let answer: Value = serde_json::from_str(&in_process(&Native, question, folder.path())).expect("JSON");
            for hit in answer["hits"].as_array().expect("hits") {
                let path = hit["path"].as_str().expect("path");
                let text = std::fs::read(folder.path().join(path)).expect("file");
                let text = String::from_utf8_lossy(&text);
                let (start, end) = (
                    hit["start_line"].as_u64().expect("line") as usize,
                    hit["end_line"].as_u64().expect("line") as usize,
                );
                let lines: Vec<&str> = text.lines().skip(start - 1).take(end + 1 - start).collect();
                let snippet: Vec<&str> = hit["snippet"].as_str().expect("snippet").lines().collect();
                assert_eq!(snippet, lines, "{name}: {path}:{start}-{end}");
            }
        }
    }
}
