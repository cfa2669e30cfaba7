//! `seekwell QUERY [PATH...]`: asks, prints the answer, and says on stderr what a reader should know of it.

use std::time::SystemTime;

use super::args::SearchArgs;
use super::error::Error;
use super::{Ended, ask};
use crate::print::{self, messages};
use crate::progress::Bar;
use crate::session;

pub(super) fn run(args: &SearchArgs) -> Result<Ended, Error> {
    let layout = ask::layout(&args.output)?;
    let ask = ask::search(args, SystemTime::now())?;
    let outcome = {
        let bar = Bar::new();
        session::search(&ask.request(&bar))?
    };
    let output = &args.output;
    for note in &ask.notes {
        super::tell(&format!("note: {note}"));
    }
    for line in messages::search(&outcome, &ask.query, output.json || output.jsonl) {
        super::tell(&line);
    }
    let text = if output.json {
        print::json::search(&outcome, &ask.query, layout)
    } else if output.jsonl {
        print::jsonl::search(&outcome, &ask.query, layout)
    } else {
        let style = super::style(output, &outcome.root, &ask.paths);
        print::terminal::search(&outcome, &ask.query, layout, &style)
    };
    super::write(&text)?;
    Ok(if outcome.answer.hits.is_empty() { Ended::None } else { Ended::Hits })
}
