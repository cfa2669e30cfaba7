//! What the command line says of itself: completions, the manual page, the languages.

use clap::CommandFactory;

use super::Ended;
use super::args::{Arguments, CompletionsArgs};
use super::error::Error;
use crate::session;

/// `seekwell completions SHELL`.
pub(super) fn script(args: &CompletionsArgs) -> Result<Ended, Error> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Arguments::command(), "seekwell", &mut script);
    super::write(&String::from_utf8_lossy(&script))?;
    Ok(Ended::Hits)
}

/// `seekwell man`.
pub(super) fn manual() -> Result<Ended, Error> {
    let mut page = Vec::new();
    clap_mangen::Man::new(Arguments::command()).render(&mut page)?;
    super::write(&String::from_utf8_lossy(&page))?;
    Ok(Ended::Hits)
}

/// `seekwell --type-list`: `rust: *.rs`, as ripgrep prints them.
pub(super) fn languages() -> Result<Ended, Error> {
    let mut text = String::new();
    for language in session::languages()? {
        let other = language.aliases.iter().map(|alias| format!(" ({alias})"));
        let globs: Vec<String> = language.extensions.iter().map(|extension| format!("*.{extension}")).collect();
        text.push_str(&format!("{}{}: {}\n", language.id, other.collect::<String>(), globs.join(", ")));
    }
    super::write(&text)?;
    Ok(if text.is_empty() { Ended::None } else { Ended::Hits })
}
