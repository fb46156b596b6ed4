//! Ctrl-C and SIGTERM as requests to stop.
//!
//! The first signal lets a run write its checkpoint; the second exits at once.

use std::time::Duration;

use wavefield::Error;
use wavefield_numerics::observe::Cancel;

/// Time that a command without results has to stop Gmsh and remove its temporary folder.
const GRACE: Duration = Duration::from_millis(500);

/// Installs the signal handlers and returns the switch they set.
pub(super) fn switch() -> Cancel {
    let cancel = Cancel::new();
    let switch = cancel.clone();
    on_interruption(move || {
        if switch.is_requested() {
            exit();
        }
        switch.request();
    });
    cancel
}

/// Installs the signal handlers of a command that leaves nothing behind: it exits at once, even from work that does not
/// look at the switch.
pub(super) fn switch_with_exit() -> Cancel {
    let cancel = Cancel::new();
    let switch = cancel.clone();
    on_interruption(move || {
        switch.request();
        std::thread::sleep(GRACE);
        exit();
    });
    cancel
}

fn exit() -> ! {
    std::process::exit(i32::from(Error::interrupted().exit_code()))
}

/// Calls `interrupted` on SIGINT and SIGTERM, on threads of their own.
fn on_interruption(interrupted: impl Fn() + Clone + Send + 'static) {
    // Under Python another handler is installed already and stops the run itself.
    if let Err(error) = ctrlc::try_set_handler(interrupted.clone()) {
        tracing::debug!("cannot install the SIGINT handler: {error}");
    }
    #[cfg(unix)]
    hear_termination(interrupted);
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
    let hear = move || {
        for _ in signals.forever() {
            interrupted();
        }
    };
    if let Err(error) = std::thread::Builder::new().spawn(hear) {
        tracing::debug!("cannot start the thread of the SIGTERM handler: {error}");
    }
}
