//! `seekwell status [PATH]`: what is searched, and what is not.

use super::args::StatusArgs;
use super::error::Error;
use super::{Ended, ask};
use crate::print;
use crate::progress::Bar;
use crate::session;

pub(super) fn run(args: &StatusArgs) -> Result<Ended, Error> {
    let ask = ask::status(args.path.as_deref(), &args.walk)?;
    let status = {
        let bar = Bar::new();
        session::status(&ask.request(&bar))?
    };
    let text = if args.json {
        print::json::status(&status)
    } else if args.skipped {
        print::plain::skipped(&status.skipped)
    } else {
        print::plain::status(&status)
    };
    super::write(&text)?;
    Ok(Ended::Hits)
}
