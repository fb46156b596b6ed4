//! Exit code of a process that aborts.
//!
//! The standard library aborts the process when memory cannot be allocated, after it has printed the size of the
//! allocation; drivers and libraries abort on faults of their own.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use signal_hook::consts::SIGABRT;
use signal_hook::flag::register_conditional_shutdown;
use wavefield::ErrorClass;

/// Turns an abort into the exit code of a run-time failure. Results are safe: they are replaced as a whole.
pub(super) fn exit_with_code() {
    let code = i32::from(ErrorClass::Runtime.exit_code());
    let always = Arc::new(AtomicBool::new(true));
    if let Err(error) = register_conditional_shutdown(SIGABRT, code, always) {
        tracing::debug!("cannot install the SIGABRT handler: {error}");
    }
}
