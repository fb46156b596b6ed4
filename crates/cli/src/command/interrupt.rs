//! Ctrl-C and SIGTERM as requests to stop.
//!
//! The first signal lets a run write its checkpoint; the second exits at once.

use wavefield::Error;
use wavefield_numerics::observe::Cancel;

/// Installs the signal handlers and returns the switch they set.
pub(super) fn switch() -> Cancel {
    let cancel = Cancel::new();
    let switch = cancel.clone();
    let interrupted = move || {
        if switch.is_requested() {
            std::process::exit(i32::from(Error::interrupted().exit_code()));
        }
        switch.request();
    };
    // Under Python another handler is installed already and stops the run itself.
    if let Err(error) = ctrlc::try_set_handler(interrupted.clone()) {
        tracing::debug!("cannot install the SIGINT handler: {error}");
    }
    #[cfg(unix)]
    hear_termination(interrupted);
    cancel
}

/// Calls `interrupted` on SIGTERM, which batch systems and service managers send before they kill a process.
#[cfg(unix)]
fn hear_termination(interrupted: impl Fn() + Send + 'static) {
    let mut signals = match signal_hook::iterator::Signals::new([signal_hook::consts::SIGTERM]) {
        Ok(signals) => signals,
        Err(error) => {
            tracing::debug!("cannot install the SIGTERM handler: {error}");
            return;
        }
    };
    std::thread::spawn(move || {
        for _ in signals.forever() {
            interrupted();
        }
    });
}
