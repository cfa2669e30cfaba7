//! The same work for many files, on all cores.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::component::config::THREAD_STACK;
use crate::engine::{Engine, Failed, Worker};

/// A thread is worth its instance from this many files on.
const FILES_PER_THREAD: usize = 8;

/// Does the work for each number below `count`, on all cores, each with a worker of its own; numbers are taken in order. The
/// first failure ends it.
pub fn on_all_cores(
    engine: &dyn Engine,
    count: usize,
    work: &(dyn Fn(&mut dyn Worker, usize) -> Result<(), Failed> + Sync),
) -> Result<(), Failed> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let threads = cores.min(count / FILES_PER_THREAD).max(1);
    let next = AtomicUsize::new(0);
    let failed: Mutex<Option<Failed>> = Mutex::default();
    let one = || -> Result<(), Failed> {
        let mut worker = engine.worker()?;
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            if at >= count {
                return Ok(());
            }
            work(worker.as_mut(), at).inspect_err(|_| next.store(count, Ordering::Relaxed))?;
        }
    };
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .stack_size(THREAD_STACK)
        .build()
        .map_err(|e| Failed::Other(format!("no threads: {e}")))?;
    pool.in_place_scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|_| {
                if let Err(other) = one() {
                    *failed.lock().expect("no thread panics") = Some(other);
                }
            });
        }
    });
    failed.into_inner().expect("no thread panics").map_or(Ok(()), Err)
}
