//! Progress of long work: a bar on a terminal, else a plain line every ten seconds.

use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::output::{Context, ProgressChoice};

/// Shows how far a piece of work has come. Work of under a second shows nothing.
pub(crate) struct Progress {
    context: Context,
    what: &'static str,
    total: u64,
    bar: Option<ProgressBar>,
    started: Instant,
    last_line: Instant,
}

impl Progress {
    /// Starts showing progress of `total` steps of `what`, such as `entries`.
    pub(crate) fn start(context: &Context, what: &'static str, total: u64) -> Self {
        let now = Instant::now();
        let bar = (context.progress() == ProgressChoice::Bar).then(|| {
            let bar = ProgressBar::with_draw_target(Some(total), ProgressDrawTarget::hidden());
            let template = "{wide_bar:.cyan} {pos}/{len} {msg} [{elapsed} / eta {eta}]";
            bar.set_style(
                ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar()),
            );
            bar.set_message(what);
            bar
        });
        Self {
            context: context.clone(),
            what,
            total,
            bar,
            started: now,
            last_line: now,
        }
    }

    /// Says that `done` steps are finished.
    pub(crate) fn set(&mut self, done: u64) {
        if let Some(bar) = &self.bar {
            if bar.is_hidden() && self.started.elapsed() > Duration::from_secs(1) {
                bar.set_draw_target(ProgressDrawTarget::stderr());
            }
            bar.set_position(done);
        } else if self.context.progress() == ProgressChoice::Plain
            && self.last_line.elapsed() > Duration::from_secs(10)
        {
            self.last_line = Instant::now();
            self.context.note(&format!("{done}/{} {}", self.total, self.what));
        }
    }

    /// Stops showing progress.
    pub(crate) fn finish(self) {
        if let Some(bar) = self.bar {
            bar.finish_and_clear();
        }
    }
}

/// How often work that takes long is shown.
const TICK: Duration = Duration::from_millis(200);

/// Waits for work and meanwhile calls `show` several times a second, also while no step of it ends.
pub(crate) async fn shown<T>(work: impl Future<Output = T>, mut show: impl FnMut()) -> T {
    let mut work = std::pin::pin!(work);
    let mut tick = tokio::time::interval(TICK);
    loop {
        tokio::select! {
            biased;
            result = &mut work => return result,
            _ = tick.tick() => show(),
        }
    }
}

/// Shows that something is being worked on that cannot say how far it has come. Under a second it shows nothing.
pub(crate) struct Waiting {
    context: Context,
    what: String,
    spinner: Option<ProgressBar>,
    started: Instant,
    last_line: Instant,
}

impl Waiting {
    /// Starts waiting for `what`, such as `scoring`.
    pub(crate) fn start(context: &Context, what: &str) -> Self {
        let now = Instant::now();
        let spinner = (context.progress() == ProgressChoice::Bar).then(|| {
            let spinner = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
            spinner.set_style(
                ProgressStyle::with_template("{spinner:.cyan} {msg} [{elapsed}]")
                    .unwrap_or_else(|_| ProgressStyle::default_spinner()),
            );
            spinner.set_message(what.to_owned());
            spinner
        });
        Self {
            context: context.clone(),
            what: what.to_owned(),
            spinner,
            started: now,
            last_line: now,
        }
    }

    /// Shows that the work is still going on; called several times a second.
    pub(crate) fn show(&mut self) {
        if let Some(spinner) = &self.spinner {
            if spinner.is_hidden() && self.started.elapsed() > Duration::from_secs(1) {
                spinner.set_draw_target(ProgressDrawTarget::stderr());
            }
            spinner.tick();
        } else if self.context.progress() == ProgressChoice::Plain
            && self.last_line.elapsed() > Duration::from_secs(10)
        {
            self.last_line = Instant::now();
            let seconds = self.started.elapsed().as_secs();
            self.context.note(&format!("{}, {seconds} s so far", self.what));
        }
    }

    /// Stops showing.
    pub(crate) fn finish(self) {
        if let Some(spinner) = self.spinner {
            spinner.finish_and_clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_is_shown_while_it_waits() {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_time()
            .build()
            .unwrap();
        let shown_often = tokio::sync::Notify::new();
        let mut times = 0;
        let show = || {
            times += 1;
            if times == 3 {
                shown_often.notify_one();
            }
        };
        runtime.block_on(shown(shown_often.notified(), show));
        assert_eq!(times, 3);
    }
}
