//! What the suite, the evaluation and the benchmarks share: the engine linked natively behind the host's seam, and
//! fixtures written as Markdown.

pub mod fixture;
pub mod native;

use std::path::PathBuf;

use seekwell::progress::Quiet;
use seekwell::session::{Request, StoreUse, WalkOptions};
use seekwell_types::Query;

/// A request for one tree with default options, answered from memory.
pub fn request(paths: Vec<PathBuf>, query: Query) -> Request<'static> {
    let (walk, store) = (WalkOptions::default(), StoreUse::Never);
    Request { paths, query, walk, since: None, store, verify: false, overlay: None, progress: &Quiet }
}
