//! The command line around a session: what was typed, what it means, who prints the answer.
//!
//! Two steps, as in ripgrep: [`args`] is what was typed, [`ask`] what it means. One file a command. Nothing here
//! searches; nothing below knows that there is a command line.

pub mod args;
pub mod ask;
mod clean;
mod completions;
mod doctor;
pub mod error;
mod files;
mod index;
mod mcp;
mod lsp;
pub mod names;
mod search;
mod setup;
mod status;
mod structure;
pub mod values;
mod watch;

use std::ffi::OsString;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Once;

use clap::Parser;
use clap::error::ErrorKind;

use crate::engine::Engine;
use crate::print::terminal::Style;
use crate::progress::Quiet;
use crate::session::Session;
use args::{Arguments, ColorArg, Command, OutputArgs};
use error::Error;

/// How a command ended, unless by an error, which is 2.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// There were hits: 0.
    Hits,
    /// There were none: 1.
    None,
}

/// The whole program: reads the arguments of the process, writes to its outputs.
pub fn main() -> ExitCode {
    report_panics();
    let work = || run(std::env::args_os());
    let ended = std::panic::catch_unwind(work).unwrap_or(Ok(Err(())));
    match ended {
        Ok(Ok(Ended::Hits)) => ExitCode::SUCCESS,
        Ok(Ok(Ended::None)) => ExitCode::from(1),
        Ok(Err(())) => ExitCode::from(2),
        // Whoever reads has seen enough: not a failure of ours. ripgrep ends with 0, too.
        Err(e) if is_closed_pipe(&e) => ExitCode::SUCCESS,
        Err(e) => {
            tell(&e.to_string());
            ExitCode::from(2)
        }
    }
}

/// Runs one command. `Ok(Err(()))` is a failure that has been told already.
fn run(arguments: impl Iterator<Item = OsString>) -> Result<Result<Ended, ()>, Error> {
    let arguments = match Arguments::try_parse_from(arguments) {
        Ok(arguments) => arguments,
        Err(e) if matches!(e.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) => {
            e.print()?;
            return Ok(Ok(Ended::Hits));
        }
        Err(e) => return Err(e.into()),
    };
    let ended = match &arguments.command {
        Some(Command::Search(args)) => search::run(args)?,
        Some(Command::Status(args)) => status::run(args)?,
        Some(Command::Index(args)) => index::run(args)?,
        Some(Command::Watch(args)) => watch::run(args)?,
        Some(Command::Clean(args)) => clean::run(args)?,
        Some(Command::Map(args)) => structure::map(args)?,
        Some(Command::Outline(args)) => structure::outline(args)?,
        Some(Command::Def(args)) => structure::name("def", args)?,
        Some(Command::Refs(args)) => structure::name("refs", args)?,
        Some(Command::Callers(args)) => structure::name("callers", args)?,
        Some(Command::Callees(args)) => structure::name("callees", args)?,
        Some(Command::Mentions(args)) => structure::name("mentions", args)?,
        Some(Command::Impact(args)) => structure::impact(args)?,
        Some(Command::Path(args)) => structure::way(args)?,
        Some(Command::Affected(args)) => structure::affected(args)?,
        Some(Command::Mcp(args)) => mcp::run(args)?,
        Some(Command::Setup(args)) => setup::run(args)?,
        Some(Command::Doctor(args)) => doctor::run(args)?,
        Some(Command::Lsp(args)) => lsp::run(args)?,
        Some(Command::Completions(args)) => completions::script(args)?,
        Some(Command::Man) => completions::manual()?,
        None if arguments.type_list => completions::languages()?,
        None if arguments.files => files::run(&arguments.search, arguments.null)?,
        None => search::run(&arguments.search)?,
    };
    Ok(Ok(ended))
}

/// The JSON answer to a search or a question about structure, by another engine than the binary's: the command line with the engine exchanged, so
/// that tests can hold engines against each other.
pub fn json_with(engine: &dyn Engine, arguments: &[String]) -> Result<String, Error> {
    let program = std::iter::once("seekwell".to_owned());
    let arguments = Arguments::try_parse_from(program.chain(arguments.iter().cloned()))?;
    let args = match &arguments.command {
        Some(Command::Search(args)) => args,
        Some(command) => return structure::json_with(engine, command),
        None => &arguments.search,
    };
    let layout = ask::layout(&args.output)?;
    let ask = ask::search(args, std::time::SystemTime::now())?;
    let outcome = Session::new(engine).search(&ask.request(&Quiet))?;
    Ok(crate::print::json::search(&outcome, &ask.query, layout))
}

/// Writes an answer, in one go.
fn write(text: &str) -> Result<(), Error> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()?;
    Ok(())
}

/// Tells something on stderr. If that is closed there is nobody to tell.
fn tell(line: &str) {
    let _ = writeln!(io::stderr().lock(), "{line}");
}

fn is_closed_pipe(e: &Error) -> bool {
    matches!(e, Error::Output(e) if e.kind() == io::ErrorKind::BrokenPipe)
}

/// One line instead of a backtrace, once, however many threads fall.
fn report_panics() {
    static ONCE: Once = Once::new();
    std::panic::set_hook(Box::new(|info| {
        let at =
            info.location().map_or_else(|| "an unknown place".to_owned(), |at| format!("{}:{}", at.file(), at.line()));
        let message = info.payload_as_str().unwrap_or("no message");
        let message = message.split_whitespace().collect::<Vec<_>>().join(" ");
        ONCE.call_once(|| tell(&format!("seekwell: internal error at {at}: {message}; please report")));
    }));
}

/// What stdout can show.
fn style(args: &OutputArgs, root: &Path, paths: &[PathBuf]) -> Style {
    let terminal = io::stdout().is_terminal();
    let variable = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
    let plain = variable("NO_COLOR").is_some() || variable("TERM").is_some_and(|term| term == "dumb");
    let color = match args.color {
        ColorArg::Always => true,
        ColorArg::Never => false,
        ColorArg::Auto => terminal && !plain,
    };
    Style {
        color,
        heading: args.heading || terminal && !args.no_heading,
        footer: terminal,
        links: (terminal && color).then(host),
        prefix: prefix(root, std::env::current_dir().ok().as_deref(), paths),
    }
}

/// This machine's name, so that a terminal on another one does not open the link. Empty where it is not easily had.
fn host() -> String {
    let name = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    name.trim().chars().filter(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '.')).collect()
}

/// What leads from the current folder to the root, so that printed paths can be opened: as it was typed, if one
/// folder was typed.
fn prefix(root: &Path, current: Option<&Path>, paths: &[PathBuf]) -> String {
    let current = current.and_then(|path| path.canonicalize().ok());
    let typed = match paths {
        [path] if path.is_dir() => Some(path.to_string_lossy().into_owned()),
        _ => None,
    };
    let text = match (typed, &current) {
        (Some(typed), _) => typed,
        (None, Some(current)) => match root.strip_prefix(current) {
            Ok(below) => below.to_string_lossy().into_owned(),
            Err(_) => root.to_string_lossy().into_owned(),
        },
        (None, None) => root.to_string_lossy().into_owned(),
    };
    let text = text.strip_prefix("./").unwrap_or(&text).trim_end_matches('/');
    match text {
        "" if root.parent().is_none() && current.as_deref() != Some(root) => "/".to_owned(),
        "" | "." => String::new(),
        text => format!("{text}/"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn printed_paths_lead_from_the_current_folder() {
        let here = std::env::current_dir().unwrap().canonicalize().unwrap();
        let from = |root: &Path, paths: &[&str]| {
            prefix(root, Some(&here), &paths.iter().map(PathBuf::from).collect::<Vec<_>>())
        };
        assert_eq!(from(&here, &[]), "");
        assert_eq!(from(&here, &["."]), "");
        assert_eq!(from(&here.join("src"), &["src"]), "src/");
        assert_eq!(from(&here.join("src"), &["./src/"]), "src/");
        assert_eq!(from(&here.join("src"), &["src/cli.rs"]), "src/");
        assert_eq!(from(here.parent().unwrap(), &[".."]), "../");
        assert_eq!(from(Path::new("/"), &["/"]), "/");
        assert_eq!(from(Path::new("/elsewhere"), &["a", "/b"]), "/elsewhere/");
    }

    #[test]
    fn a_closed_pipe_is_no_error() {
        let of = |kind: io::ErrorKind| is_closed_pipe(&Error::Output(kind.into()));
        assert!(of(io::ErrorKind::BrokenPipe) && !of(io::ErrorKind::StorageFull));
    }
}
