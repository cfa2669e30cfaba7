//! How far the work has come: told by the session, shown on a terminal, nowhere else.

use std::io::IsTerminal;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Work shorter than this shows no bar: a flash is worse than nothing.
const PATIENCE: Duration = Duration::from_millis(500);

/// Who is told how far the work has come, and says whether it is to go on. Called from any thread, often: implementations must be cheap.
pub trait Progress: Sync {
    /// A stage begins (`reading`, `analysing`); `total` is 0 where it is not known.
    fn stage(&self, name: &str, total: u64);
    /// `steps` more are done.
    fn advance(&self, steps: u64);
    /// Whether the work is to end as soon as it can: nobody wants its result any more.
    fn cancelled(&self) -> bool {
        false
    }
}

/// Tells nobody.
pub struct Quiet;

impl Progress for Quiet {
    fn stage(&self, _name: &str, _total: u64) {}
    fn advance(&self, _steps: u64) {}
}

/// A bar on stderr, if that is a terminal and the work takes long enough. Dropping it clears the line.
pub struct Bar {
    terminal: bool,
    started: Instant,
    done: AtomicU64,
    shown: Mutex<Shown>,
}

#[derive(Default)]
struct Shown {
    stage: String,
    total: u64,
    bar: Option<ProgressBar>,
}

impl Bar {
    /// A bar for work that begins now.
    pub fn new() -> Self {
        Self::started(Instant::now(), std::io::stderr().is_terminal())
    }

    fn started(started: Instant, terminal: bool) -> Self {
        Self { terminal, started, done: AtomicU64::new(0), shown: Mutex::default() }
    }

    fn due(&self) -> bool {
        self.terminal && self.started.elapsed() >= PATIENCE
    }

    /// Draws, unless another thread is drawing: a step missed is caught up by the next one.
    fn draw(&self) {
        let Ok(mut shown) = self.shown.try_lock() else { return };
        let Shown { stage, total, bar } = &mut *shown;
        let bar = bar.get_or_insert_with(|| ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr()));
        if bar.message() != *stage {
            bar.set_style(style(*total > 0));
            bar.set_message(stage.clone());
        }
        if *total > 0 {
            bar.set_length(*total);
        }
        bar.set_position(self.done.load(Ordering::Relaxed));
    }
}

impl Default for Bar {
    fn default() -> Self {
        Self::new()
    }
}

impl Progress for Bar {
    fn stage(&self, name: &str, total: u64) {
        if !self.terminal {
            return;
        }
        self.done.store(0, Ordering::Relaxed);
        if let Ok(mut shown) = self.shown.lock() {
            shown.stage = name.to_owned();
            shown.total = total;
        }
        if self.due() {
            self.draw();
        }
    }

    fn advance(&self, steps: u64) {
        self.done.fetch_add(steps, Ordering::Relaxed);
        if self.due() {
            self.draw();
        }
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        if let Ok(mut shown) = self.shown.lock()
            && let Some(bar) = shown.bar.take()
        {
            bar.finish_and_clear();
        }
    }
}

fn style(bounded: bool) -> ProgressStyle {
    let template = if bounded { "{msg:10} {bar:30} {pos}/{len}, {eta} left" } else { "{msg:10} {spinner} {pos}" };
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_drawn_before_its_time_or_off_a_terminal() {
        let bar = Bar::started(Instant::now(), true);
        bar.stage("reading", 10);
        bar.advance(3);
        assert!(bar.shown.lock().unwrap().bar.is_none());
        let late = Instant::now().checked_sub(PATIENCE).unwrap();
        let bar = Bar::started(late, false);
        bar.stage("reading", 10);
        bar.advance(3);
        assert!(bar.shown.lock().unwrap().bar.is_none());
    }
}
