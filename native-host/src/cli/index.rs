//! `seekwell index [PATH]`: brings the index of a folder up to date, or begins one.

use super::args::IndexArgs;
use super::error::Error;
use super::{Ended, ask};
use crate::print;
use crate::progress::Bar;
use crate::session;

pub(super) fn run(args: &IndexArgs) -> Result<Ended, Error> {
    let ask = ask::index(args.path.as_deref(), &args.walk)?;
    let indexed = {
        let bar = Bar::new();
        session::index(&ask.request(&bar), args.repo_level)?
    };
    for trouble in &indexed.upkeep.troubles {
        super::tell(trouble);
    }
    super::write(&if args.json { print::json::indexed(&indexed) } else { print::plain::indexed(&indexed) })?;
    Ok(Ended::Hits)
}
