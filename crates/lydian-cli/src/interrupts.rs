//! Ctrl-C and SIGTERM, from the first call of a run to the last byte of its card.

use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use tokio::sync::{oneshot, watch};

use crate::error::{CommandError, CommandResult};
use crate::output::Context;
use crate::progress::Waiting;

/// How often the user has asked this process to end. Signals belong to the process, so there is one count; it never
/// goes back to what the system would do, because a handler once installed stays.
static RECEIVED: OnceLock<Option<watch::Receiver<u32>>> = OnceLock::new();

/// Returns how often the user has asked so far.
pub(crate) fn count() -> u32 {
    received().map_or(0, |received| *received.borrow())
}

/// How often waiting is shown.
const TICK: Duration = Duration::from_millis(200);

/// Returns the count of signals and from now on takes them; `None` when they cannot be received, so that the first
/// one ends the process.
pub(crate) fn received() -> Option<watch::Receiver<u32>> {
    RECEIVED.get_or_init(|| listen().ok()).clone()
}

/// Turns a file-size limit into a failed write, which is reported; otherwise the system would end the process.
#[cfg(unix)]
pub(crate) fn survive_file_size_limit() {
    use tokio::signal::unix::{SignalKind, signal};
    /// Number of SIGXFSZ on Linux and macOS.
    const FILE_SIZE_EXCEEDED: i32 = 25;
    let Ok(runtime) = tokio::runtime::Builder::new_current_thread().enable_io().build() else {
        return;
    };
    let _inside = runtime.enter();
    // The handler stays when its stream is gone. Without it a limit ends the process, which loses nothing.
    drop(signal(SignalKind::from_raw(FILE_SIZE_EXCEEDED)));
}

/// Only Unix has such limits.
#[cfg(not(unix))]
pub(crate) fn survive_file_size_limit() {}

/// Does `work`, which may be thrown away at any moment but while a file is written, and stops waiting for it when the
/// user has asked so many times. That work of this name goes on is shown while it takes long.
pub(crate) fn until_signal<T: Send + 'static>(
    asks: u32,
    shown: Option<(&Context, &'static str)>,
    work: impl FnOnce(&Gate) -> CommandResult<T> + Send + 'static,
) -> CommandResult<Ended<T>> {
    let gate = Arc::new(Gate::default());
    let for_work = Arc::clone(&gate);
    let (sender, mut done) = oneshot::channel();
    let worker = std::thread::Builder::new()
        .name("card".into())
        .spawn(move || sender.send(work(&for_work)).is_ok())?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .build()?;
    let mut waiting = shown.map(|(context, what)| Waiting::start(context, what));
    let finished = runtime.block_on(async {
        let mut tick = tokio::time::interval(TICK);
        let mut signal = std::pin::pin!(asked(asks));
        loop {
            tokio::select! {
                biased;
                result = &mut done => return Some(result),
                () = &mut signal => return None,
                _ = tick.tick() => if let Some(waiting) = &mut waiting {
                    waiting.show();
                },
            }
        }
    });
    if let Some(waiting) = waiting {
        waiting.finish();
    }
    match finished {
        Some(Ok(result)) => result.map(Ended::Finished),
        Some(Err(_)) => match worker.join() {
            Err(panic) => std::panic::resume_unwind(panic),
            Ok(_) => Err(CommandError::new(
                crate::error::Exit::Internal,
                "the work ended without a result",
            )),
        },
        None => {
            let written = gate.close();
            // The work may have come to its end while its last file was written.
            if let Ok(result) = done.try_recv() {
                return result.map(Ended::Finished);
            }
            lydian_harness::line_process::end_all();
            Ok(Ended::Interrupted { written })
        }
    }
}

/// How work that may be interrupted ended.
pub(crate) enum Ended<T> {
    /// With a result.
    Finished(T),
    /// By a signal, after so many files were written.
    Interrupted {
        /// Files written.
        written: usize,
    },
}

/// What files pass through on their way to the disk: none is written after a signal, and one that is being written is
/// written whole.
#[derive(Debug, Default)]
pub(crate) struct Gate {
    state: Mutex<GateState>,
}

#[derive(Debug, Default)]
struct GateState {
    closed: bool,
    written: usize,
}

impl Gate {
    /// Writes one file, unless a signal came.
    pub(crate) fn write(&self, write: impl FnOnce() -> CommandResult<()>) -> CommandResult<()> {
        let mut state = self.lock();
        if state.closed {
            return Err(CommandError::new(crate::error::Exit::Interrupted, "interrupted"));
        }
        write()?;
        state.written += 1;
        Ok(())
    }

    /// Lets nothing more pass and returns how many files did.
    fn close(&self) -> usize {
        let mut state = self.lock();
        state.closed = true;
        state.written
    }

    fn lock(&self) -> MutexGuard<'_, GateState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Waits until the user has asked so many times, counted from the start of the process.
async fn asked(times: u32) {
    let Some(mut received) = received() else {
        return std::future::pending().await;
    };
    if received.wait_for(|count| *count >= times).await.is_err() {
        std::future::pending::<()>().await;
    }
}

#[cfg(unix)]
fn listen() -> std::io::Result<watch::Receiver<u32>> {
    use tokio::signal::unix::{SignalKind, signal};
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_io()
        .build()?;
    let (mut interrupt, mut terminate) = {
        let _inside = runtime.enter();
        (signal(SignalKind::interrupt())?, signal(SignalKind::terminate())?)
    };
    count_in(runtime, async move |count| {
        loop {
            tokio::select! {
                _ = interrupt.recv() => {}
                _ = terminate.recv() => {}
            }
            count.send_modify(|count| *count += 1);
        }
    })
}

#[cfg(not(unix))]
fn listen() -> std::io::Result<watch::Receiver<u32>> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_io()
        .build()?;
    count_in(runtime, async move |count| {
        while tokio::signal::ctrl_c().await.is_ok() {
            count.send_modify(|count| *count += 1);
        }
    })
}

/// Runs a counter in a thread of its own, which ends with the process.
fn count_in<F>(runtime: tokio::runtime::Runtime, counter: F) -> std::io::Result<watch::Receiver<u32>>
where
    F: AsyncFnOnce(watch::Sender<u32>) + Send + 'static,
{
    let (sender, receiver) = watch::channel(0);
    std::thread::Builder::new()
        .name("signals".into())
        .spawn(move || runtime.block_on(counter(sender)))?;
    Ok(receiver)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_passes_a_closed_gate_and_what_passed_is_counted() {
        let gate = Gate::default();
        gate.write(|| Ok(())).unwrap();
        assert_eq!(gate.close(), 1);
        let refused = gate.write(|| panic!("it is written"));
        assert_eq!(refused.unwrap_err().exit(), crate::error::Exit::Interrupted);
    }
}
