//! `seekwell setup` and `seekwell doctor`.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

use super::client::binary;
use super::tree;

fn run(arguments: &[&str], home: &Path, project: &Path) -> Output {
    let mut command = Command::new(binary());
    command.args(arguments).current_dir(project).env("HOME", home).env("SEEKWELL_CACHE", home.join("cache"));
    command.env_remove("XDG_CONFIG_HOME").env_remove("SEEKWELL_ROOT").env_remove("CLAUDE_PROJECT_DIR");
    command.output().unwrap()
}

fn out(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// All files below a folder, with their texts.
fn files(folder: &Path) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(folder).unwrap().flatten() {
            match entry.path() {
                path if path.is_dir() => open.push(path),
                path => {
                    found.push((path.to_string_lossy().into_owned(), fs::read_to_string(&path).unwrap_or_default()))
                }
            }
        }
    }
    found.sort();
    found
}

#[test]
fn printed_for_every_agent_and_written_only_when_asked_to() {
    let (home, project) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let listed = out(&run(&["setup"], home.path(), project.path()));
    let agents: Vec<&str> = listed.lines().filter_map(|line| line.split_whitespace().next()).collect();
    for agent in ["claude", "codex", "cursor", "vscode", "zed", "helix", "neovim", "gemini"] {
        assert!(agents.contains(&agent), "{listed}");
    }
    for agent in &agents {
        let output = run(&["setup", agent], home.path(), project.path());
        assert!(output.status.success(), "{agent}");
        let text = out(&output);
        assert!(text.contains("seekwell") && (text.contains("mcp") || text.contains("lsp")), "{agent}: {text}");
    }
    assert!(files(project.path()).is_empty() && files(home.path()).iter().all(|(path, _)| path.contains("cache")));
    for agent in &agents {
        let output = run(&["setup", agent, "--write"], home.path(), project.path());
        assert!(output.status.success(), "{agent}: {}", String::from_utf8_lossy(&output.stderr));
        let before = (files(project.path()), files(home.path()));
        // Once more changes nothing.
        assert!(run(&["setup", agent, "--write"], home.path(), project.path()).status.success());
        assert_eq!(before, (files(project.path()), files(home.path())), "{agent}");
    }
    let claude: Value = serde_json::from_str(&fs::read_to_string(project.path().join(".mcp.json")).unwrap()).unwrap();
    assert_eq!(claude["mcpServers"]["seekwell"]["args"][0], "mcp");
    assert!(home.path().join(".codex/config.toml").is_file());
}

#[test]
fn what_is_there_is_added_to() {
    let (home, project) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let file = project.path().join(".vscode/mcp.json");
    fs::create_dir(file.parent().unwrap()).unwrap();
    let before =
        "{\n  // for the team\n  \"inputs\": [],\n  \"servers\": {\n    \"other\": { \"command\": \"x\" },\n  },\n}\n";
    fs::write(&file, before).unwrap();
    assert!(run(&["setup", "vscode", "--write"], home.path(), project.path()).status.success());
    let after = fs::read_to_string(&file).unwrap();
    assert!(
        after.contains("// for the team")
            && after.contains("\"other\": { \"command\": \"x\" },")
            && after.contains("\"seekwell\""),
        "{after}"
    );
    // What cannot be understood, or is the user's own, is left alone.
    for text in ["{ broken", "{\"servers\": {\"seekwell\": {\"command\": \"mine\"}}}"] {
        fs::write(&file, text).unwrap();
        let output = run(&["setup", "vscode", "--write"], home.path(), project.path());
        assert_eq!(output.status.code(), Some(2));
        assert!(String::from_utf8_lossy(&output.stderr).contains("by hand"));
        assert_eq!(fs::read_to_string(&file).unwrap(), text);
    }
    let output = run(&["setup", "claud"], home.path(), project.path());
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("did you mean claude"));
}

#[test]
fn the_doctor_finds_what_is_wrong() {
    let (home, tree) = (tempfile::tempdir().unwrap(), tree::write());
    let output = run(&["doctor"], home.path(), tree.path());
    assert!(output.status.success(), "{}", out(&output));
    for name in ["version", "engine", "cache", "settings", "tree", "index", "watch", "mcp"] {
        assert!(out(&output).lines().any(|line| line.contains(&format!(" {name}: "))), "{name}: {}", out(&output));
    }
    fs::write(tree.path().join(".seekwell.toml"), "[search]\nlimit = \"x\"\n").unwrap();
    let output = run(&["doctor", "--json"], home.path(), tree.path());
    assert_eq!(output.status.code(), Some(1));
    let told: Value = serde_json::from_slice(&output.stdout).unwrap();
    let check =
        |name: &str| told["checks"].as_array().unwrap().iter().find(|check| check["name"] == name).unwrap().clone();
    assert_eq!(check("settings")["verdict"], "wrong");
    assert!(check("settings")["what"].as_str().unwrap().contains(".seekwell.toml:2"));
    fs::remove_file(tree.path().join(".seekwell.toml")).unwrap();
    fs::remove_dir_all(home.path().join("cache")).unwrap();
    fs::write(home.path().join("cache"), "").unwrap();
    let output = run(&["doctor"], home.path(), tree.path());
    assert_eq!(output.status.code(), Some(1), "{}", out(&output));
    assert!(out(&output).contains("wrong cache: ") && out(&output).contains("SEEKWELL_CACHE"), "{}", out(&output));
}
