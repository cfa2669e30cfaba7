//! `seekwell lsp`: the language server on standard input and output.

use std::io;
use std::path::Path;

use super::args::{LspArgs, WalkArgs};
use super::error::Error;
use super::{Ended, ask};
use crate::config;
use crate::lsp::{Features, Options, serve};
use crate::session::LiveOptions;

/// Exit code 0 if the client ended it by the rules, else 1, as the protocol has it.
pub(super) fn run(args: &LspArgs) -> Result<Ended, Error> {
    let mut features = Features::default();
    args.enable.iter().for_each(|&feature| features.set(feature, true));
    args.disable.iter().for_each(|&feature| features.set(feature, false));
    let by_the_rules = serve(io::BufReader::new(io::stdin()), io::stdout(), Options { features, tree })?;
    Ok(if by_the_rules { Ended::Hits } else { Ended::None })
}

/// A folder is read with its own settings, as on the command line.
fn tree(folder: &Path) -> Result<LiveOptions, String> {
    let ask = ask::index(Some(folder), &WalkArgs::default()).map_err(|e| e.to_string())?;
    let store = config::load(&ask.root).map_err(|e| e.to_string())?.store;
    Ok(LiveOptions { walk: ask.walk, store: store.unwrap_or_default() })
}
