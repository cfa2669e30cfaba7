//! `seekwell --files [PATH...]`: the files that would be searched.

use std::time::SystemTime;

use super::args::SearchArgs;
use super::error::Error;
use super::{Ended, ask};
use crate::print;
use crate::progress::Bar;
use crate::session;

pub(super) fn run(args: &SearchArgs, null: bool) -> Result<Ended, Error> {
    let ask = ask::files(args, SystemTime::now())?;
    let list = {
        let bar = Bar::new();
        session::files(&ask.request(&bar))?
    };
    let text = if args.output.json {
        print::json::files(&list)
    } else {
        let style = super::style(&args.output, &list.root, &ask.paths);
        print::plain::files(&list, &style.prefix, if null { '\0' } else { '\n' })
    };
    super::write(&text)?;
    Ok(if list.files.is_empty() { Ended::None } else { Ended::Hits })
}
