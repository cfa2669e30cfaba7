//! `seekwell clean [PATH]`: removes the index of a folder.

use super::Ended;
use super::args::CleanArgs;
use super::error::Error;
use crate::print;
use crate::session;

pub(super) fn run(args: &CleanArgs) -> Result<Ended, Error> {
    let root = match (&args.path, args.all) {
        (_, true) => None,
        // A folder that is gone may have left an index behind: then the path is taken as it was typed.
        (Some(path), false) => Some(path.canonicalize().or_else(|_| std::path::absolute(path))?),
        (None, false) => Some(session::root_of(&[])?),
    };
    super::write(&print::plain::cleaned(&session::clean(root.as_deref())?))?;
    Ok(Ended::Hits)
}
