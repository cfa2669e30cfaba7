//! What the suite, the evaluation and the benchmarks share: the engine linked natively behind the host's seam, and
//! fixtures written as Markdown.

pub mod fixture;
pub mod native;

use std::path::PathBuf;

use seekwell::progress::Quiet;
use seekwell::session::{Request, WalkOptions};
use seekwell_types::Query;

/// A request for one tree with default options.
pub fn request(paths: Vec<PathBuf>, query: Query) -> Request<'static> {
    Request { paths, query, walk: WalkOptions::default(), since: None, progress: &Quiet }
}
