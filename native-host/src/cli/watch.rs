//! `seekwell watch [PATH]`: keeps the index of a folder up to date until interrupted.

use std::convert::Infallible;

use super::args::WatchArgs;
use super::error::Error;
use super::{Ended, ask};
use crate::print::plain;
use crate::progress::Quiet;
use crate::session;
use crate::watch::{self, Heard, Watcher};

pub(super) fn run(args: &WatchArgs) -> Result<Ended, Error> {
    match watch(args)? {}
}

fn watch(args: &WatchArgs) -> Result<Infallible, Error> {
    let ask = ask::index(args.path.as_deref(), &args.walk)?;
    // Watching begins before the first look: what changes in between is not missed.
    let mut watcher = Watcher::new(&ask.root, args.poll);
    watcher.reason().into_iter().for_each(super::tell);
    let first = session::index(&ask.request(&Quiet), false)?;
    super::write(&plain::indexed(&first))?;
    super::tell(&format!("watching {} ({})", ask.root.display(), watcher.how()));
    loop {
        match watcher.wait() {
            Heard::Change => {}
            Heard::Lost(why) => super::tell(&why),
        }
        // A tree that cannot be read now may be there again in a moment: a switch of branches, a mount.
        match session::index(&ask.request(&Quiet), false) {
            Ok(indexed) if indexed.upkeep.looked_at + indexed.upkeep.gone > 0 => {
                super::write(&plain::brought_up_to_date(&indexed))?;
            }
            Ok(indexed) => indexed.upkeep.troubles.iter().for_each(|trouble| super::tell(trouble)),
            Err(e) => super::tell(&format!("seekwell: {e}; looking again in {} s", watch::PERIOD.as_secs())),
        }
    }
}
