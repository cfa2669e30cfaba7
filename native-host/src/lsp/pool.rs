//! The threads that answer requests.

use crossbeam_channel::{Sender, unbounded};

use crate::component::config::THREAD_STACK;

/// Fewer threads than this would let two slow answers keep the quick ones waiting.
const FEWEST: usize = 4;

/// What they may use of their stacks beside the engine's guest.
const BESIDE_GUEST: usize = 2 << 20;

type Task = Box<dyn FnOnce() + Send>;

/// A few threads that take tasks in the order that these come.
pub struct Pool(Sender<Task>);

impl Pool {
    /// Starts the threads. They end with the pool, after the tasks that were given.
    pub fn new() -> std::io::Result<Self> {
        let (sender, receiver) = unbounded::<Task>();
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        for number in 0..cores.max(FEWEST) {
            let receiver = receiver.clone();
            thread(&format!("answer {number}"), move || receiver.iter().for_each(|task| task()))?;
        }
        Ok(Self(sender))
    }

    /// Gives them something to do.
    pub fn run(&self, task: impl FnOnce() + Send + 'static) {
        let _ = self.0.send(Box::new(task));
    }
}

/// Starts a thread on which the engine can run.
pub fn thread(name: &str, run: impl FnOnce() + Send + 'static) -> std::io::Result<()> {
    let builder = std::thread::Builder::new().name(name.to_owned()).stack_size(THREAD_STACK + BESIDE_GUEST);
    builder.spawn(run).map(drop)
}
