//! Ctrl-C as a request to stop.

use wavefield_compute::observe::Cancel;

/// A switch that an interrupt throws.
pub(super) fn switch() -> Cancel {
    let cancel = Cancel::new();
    let switch = cancel.clone();
    // Inside Python another handler is in place already, which stops the run in its own way.
    if let Err(error) = ctrlc::try_set_handler(move || switch.request()) {
        tracing::debug!("no handler for interrupts: {error}");
    }
    cancel
}
