//! Ctrl-C, and the signal by which machines are asked to end a program, as requests to stop.
//!
//! The first lets a run keep what it has finished; the second ends the program at once.

use wavefield::Error;
use wavefield_numerics::observe::Cancel;

/// A switch that an interrupt throws.
pub(super) fn switch() -> Cancel {
    let cancel = Cancel::new();
    let switch = cancel.clone();
    let interrupted = move || {
        if switch.is_requested() {
            std::process::exit(i32::from(Error::interrupted().exit_code()));
        }
        switch.request();
    };
    // Inside Python another handler is in place already, which stops the run in its own way.
    if let Err(error) = ctrlc::try_set_handler(interrupted.clone()) {
        tracing::debug!("no handler for interrupts: {error}");
    }
    #[cfg(unix)]
    hear_termination(interrupted);
    cancel
}

/// Batch systems and service managers end programs by SIGTERM.
#[cfg(unix)]
fn hear_termination(interrupted: impl Fn() + Send + 'static) {
    let mut signals = match signal_hook::iterator::Signals::new([signal_hook::consts::SIGTERM]) {
        Ok(signals) => signals,
        Err(error) => {
            tracing::debug!("no handler for termination: {error}");
            return;
        }
    };
    std::thread::spawn(move || {
        for _ in signals.forever() {
            interrupted();
        }
    });
}
