//! `seekwell setup AGENT`: the settings that make an agent or an editor use this program. Printed; written only when asked to,
//! and then added to what is there.

mod insert;

use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::Ended;
use super::args::SetupArgs;
use super::error::Error;
use insert::Inserted;
use seekwell_settings::nearest;

/// Where a settings file lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// Below the project.
    Project(&'static str),
    /// Below the user's home.
    Home(&'static str),
    /// Below the user's folder of settings.
    Settings(&'static str),
}

/// What goes into it.
#[derive(Clone, Debug, PartialEq)]
enum Form {
    /// JSON, with or without comments: two keys, and the value.
    Json([&'static str; 2], Value),
    /// TOML: the name of a table, and its text.
    Toml([&'static str; 2], String),
    /// A file of its own.
    File(String),
}

/// One file of an agent's settings.
struct Piece {
    place: Place,
    form: Form,
}

/// The settings of an agent or an editor.
struct Settings {
    pieces: Vec<Piece>,
    /// What else there is to do or to know, a sentence each.
    notes: Vec<String>,
}

/// Those that there are settings for, with what they are called.
const AGENTS: [(&str, &str); 12] = [
    ("claude", "Claude Code"),
    ("claude-desktop", "Claude Desktop"),
    ("codex", "Codex"),
    ("cursor", "Cursor"),
    ("vscode", "Visual Studio Code"),
    ("gemini", "Gemini CLI"),
    ("opencode", "opencode"),
    ("windsurf", "Windsurf"),
    ("zed", "Zed"),
    ("helix", "Helix"),
    ("neovim", "Neovim"),
    ("emacs", "Emacs"),
];

pub(super) fn run(args: &SetupArgs) -> Result<Ended, Error> {
    let Some(agent) = &args.agent else {
        let mut text = String::new();
        for (word, name) in AGENTS {
            let _ = writeln!(text, "{word:<16}{name}");
        }
        super::write(&text)?;
        return Ok(Ended::Hits);
    };
    let project = match &args.project {
        Some(path) => path.canonicalize().map_err(|_| Error::NoSuchPath { path: path.clone(), quoted: None })?,
        None => std::env::current_dir()?,
    };
    let settings = settings(agent, &command(), &project).ok_or_else(|| unknown(agent))?;
    let mut text = String::new();
    for piece in &settings.pieces {
        let path = located(piece.place, &project);
        if args.write {
            let path = path.ok_or_else(|| Error::Usage("no home folder is known; leave out --write".to_owned()))?;
            let _ = writeln!(text, "{}", written(&path, &piece.form)?);
        } else {
            let place = path.map_or_else(|| "the settings".to_owned(), |path| path.display().to_string());
            let _ = writeln!(text, "{place}:\n{}", shown(&piece.form));
        }
    }
    for note in &settings.notes {
        let _ = writeln!(text, "{note}");
    }
    if !args.write && !settings.pieces.is_empty() {
        let _ = writeln!(text, "seekwell setup {agent} --write adds this to what is there.");
    }
    super::write(&text)?;
    Ok(Ended::Hits)
}

fn unknown(agent: &str) -> Error {
    let near = nearest(agent, AGENTS.iter().map(|(word, _)| *word));
    let mean = if near.is_empty() { String::new() } else { format!("did you mean {}? ", near.join(" or ")) };
    let all: Vec<&str> = AGENTS.iter().map(|(word, _)| *word).collect();
    Error::Usage(format!("unknown agent: {agent}; {mean}there are {}", all.join(", ")))
}

/// What starts this program: its name, where that leads to it, else its path.
fn command() -> String {
    let own = std::env::current_exe().and_then(|path| path.canonicalize()).ok();
    let paths = std::env::var_os("PATH").unwrap_or_default();
    let name = if cfg!(windows) { "seekwell.exe" } else { "seekwell" };
    let first = std::env::split_paths(&paths).map(|folder| folder.join(name)).find(|path| path.is_file());
    match (own, first.and_then(|path| path.canonicalize().ok())) {
        (Some(own), first) if first.as_ref() != Some(&own) => own.to_string_lossy().into_owned(),
        _ => "seekwell".to_owned(),
    }
}

/// The settings of one agent.
fn settings(agent: &str, command: &str, project: &Path) -> Option<Settings> {
    let here = project.to_string_lossy().into_owned();
    let mcp = |args: &[&str]| json!({"command": command, "args": args});
    let one = |place, form, notes: &[&str]| Settings {
        pieces: vec![Piece { place, form }],
        notes: notes.iter().map(|note| (*note).to_owned()).collect(),
    };
    let servers = |value| Form::Json(["mcpServers", "seekwell"], value);
    Some(match agent {
        "claude" => {
            let for_all = format!("For all projects: claude mcp add --scope user seekwell -- {} mcp", shell(command));
            let plugin =
                "With skills, commands and an agent: the plugin folder integrations/claude-code of the sources.";
            one(Place::Project(".mcp.json"), servers(mcp(&["mcp"])), &[&for_all, plugin])
        }
        "claude-desktop" => {
            let place = if cfg!(target_os = "macos") {
                Place::Home("Library/Application Support/Claude/claude_desktop_config.json")
            } else {
                Place::Settings("Claude/claude_desktop_config.json")
            };
            one(place, servers(mcp(&["mcp", "--root", &here])), &["It knows no projects: the root is named."])
        }
        "codex" => {
            let command = toml_text(command);
            let block = format!("[mcp_servers.seekwell]\ncommand = {command}\nargs = [\"mcp\"]\n");
            one(Place::Home(".codex/config.toml"), Form::Toml(["mcp_servers", "seekwell"], block), &[])
        }
        "cursor" => {
            one(Place::Project(".cursor/mcp.json"), servers(mcp(&["mcp", "--root", "${workspaceFolder}"])), &[])
        }
        "vscode" => {
            let value = json!({"type": "stdio", "command": command, "args": ["mcp", "--root", "${workspaceFolder}"]});
            one(Place::Project(".vscode/mcp.json"), Form::Json(["servers", "seekwell"], value), &[])
        }
        "gemini" => one(Place::Project(".gemini/settings.json"), servers(mcp(&["mcp"])), &[]),
        "opencode" => {
            let value = json!({"type": "local", "command": [command, "mcp"], "enabled": true});
            one(Place::Project("opencode.json"), Form::Json(["mcp", "seekwell"], value), &[])
        }
        "windsurf" => one(
            Place::Home(".codeium/windsurf/mcp_config.json"),
            servers(mcp(&["mcp", "--root", &here])),
            &["It starts servers in the home folder: the root is named."],
        ),
        "zed" => {
            let value = json!({"source": "custom", "command": command, "args": ["mcp", "--root", here], "env": {}});
            one(
                Place::Project(".zed/settings.json"),
                Form::Json(["context_servers", "seekwell"], value),
                &[
                    "It starts servers in the home folder: the root is named. Language servers are added to Zed by extensions, not by settings.",
                ],
            )
        }
        "helix" => {
            let block = format!("[language-server.seekwell]\ncommand = {}\nargs = [\"lsp\"]\n", toml_text(command));
            one(
                Place::Settings("helix/languages.toml"),
                Form::Toml(["language-server", "seekwell"], block),
                &[
                    "Then add \"seekwell\" to `language-servers` of each language, behind its own server, for instance:",
                    "[[language]]\nname = \"rust\"\nlanguage-servers = [\"rust-analyzer\", \"seekwell\"]",
                ],
            )
        }
        "neovim" => {
            let quoted = command.replace('\\', "\\\\").replace('"', "\\\"");
            let file =
                format!("return {{\n  cmd = {{ \"{quoted}\", \"lsp\" }},\n  root_markers = {{ \".git\" }},\n}}\n");
            one(
                Place::Settings("nvim/lsp/seekwell.lua"),
                Form::File(file),
                &["Then in init.lua: vim.lsp.enable(\"seekwell\")"],
            )
        }
        "emacs" => {
            let quoted = command.replace('\\', "\\\\").replace('"', "\\\"");
            Settings {
                pieces: Vec::new(),
                notes: vec![
                    "In the init file, for the modes where no other server runs:".to_owned(),
                    format!(
                        "(with-eval-after-load 'eglot\n  (add-to-list 'eglot-server-programs '(prog-mode \"{quoted}\" \"lsp\")))"
                    ),
                ],
            }
        }
        _ => return None,
    })
}

fn located(place: Place, project: &Path) -> Option<PathBuf> {
    match place {
        Place::Project(file) => Some(project.join(file)),
        Place::Home(file) => Some(std::env::home_dir()?.join(file)),
        Place::Settings(file) => {
            let folder = |name| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
            let named = folder("XDG_CONFIG_HOME").or_else(|| folder("APPDATA"));
            Some(named.or_else(|| Some(std::env::home_dir()?.join(".config")))?.join(file))
        }
    }
}

/// A piece as it is printed.
fn shown(form: &Form) -> String {
    match form {
        Form::Json(keys, value) => match insert::json("", *keys, value) {
            Ok(Inserted::Text(text)) => text,
            _ => String::new(),
        },
        Form::Toml(_, text) | Form::File(text) => text.clone(),
    }
}

/// Adds a piece to its file, and says what was done. What the user has written there is never changed.
fn written(path: &Path, form: &Form) -> Result<String, Error> {
    let refuse = |what: String| {
        Error::Usage(format!("cannot add to {}: {what}; leave out --write and add it by hand", path.display()))
    };
    // A link is followed: the file that it leads to is the one that is kept by the user.
    let path_of = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let before = match fs::read(&path_of) {
        Ok(bytes) => String::from_utf8(bytes).map_err(|_| refuse("it is not UTF-8".to_owned()))?,
        Err(e) if e.kind() == io::ErrorKind::NotFound => String::new(),
        Err(e) => return Err(refuse(e.to_string())),
    };
    let inserted = match form {
        Form::Json(keys, value) => insert::json(&before, *keys, value).map_err(refuse)?,
        Form::Toml(keys, text) => insert::toml(&before, *keys, text).map_err(refuse)?,
        Form::File(text) if before == *text => Inserted::Already,
        Form::File(_) if !before.is_empty() => Inserted::Other,
        Form::File(text) => Inserted::Text(text.clone()),
    };
    match inserted {
        Inserted::Already => Ok(format!("{}: it is there already", path.display())),
        Inserted::Other => Err(refuse("there is an entry of that name, and it says something else".to_owned())),
        Inserted::Text(text) => {
            replace(&path_of, &text).map_err(|e| refuse(e.to_string()))?;
            Ok(format!("{}: written", path.display()))
        }
    }
}

/// Written under another name and renamed: there is the old file or the new one, whatever happens.
fn replace(path: &Path, text: &str) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".seekwell-{}", std::process::id()));
    let partial = path.with_file_name(name);
    let done = fs::write(&partial, text)
        .and_then(|()| match fs::metadata(path) {
            Ok(old) => fs::set_permissions(&partial, old.permissions()),
            Err(_) => Ok(()),
        })
        .and_then(|()| fs::rename(&partial, path));
    if done.is_err() {
        let _ = fs::remove_file(&partial);
    }
    done
}

/// A text as TOML has it, which is as JSON has it.
fn toml_text(text: &str) -> String {
    Value::from(text).to_string()
}

/// A word as a shell takes it.
fn shell(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_-./:=@+,".contains(c);
    if word.chars().all(plain) { word.to_owned() } else { format!("'{}'", word.replace('\'', "'\\''")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_agent_has_settings_that_parse() {
        for (agent, _) in AGENTS {
            let settings = settings(agent, "/opt/see well/seekwell", Path::new("/w/app")).unwrap();
            assert!(!settings.pieces.is_empty() || !settings.notes.is_empty(), "{agent}");
            for piece in &settings.pieces {
                let text = shown(&piece.form);
                assert!(text.contains("/opt/see well/seekwell"), "{agent}: {text}");
                match piece.form {
                    Form::Json(..) => drop(serde_json::from_str::<Value>(&text).unwrap()),
                    Form::Toml(..) => drop(text.parse::<toml::Table>().unwrap()),
                    Form::File(_) => {}
                }
            }
        }
        assert!(settings("word", "seekwell", Path::new("/")).is_none());
    }
}
