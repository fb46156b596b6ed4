//! Plans that wait for their next transform: a compiled function repeats the same one.

use std::sync::{Mutex, PoisonError};

use wavefield::nufft::{Plan, Precision};

/// Maximum number of idle plans of a precision, and maximum memory of each in bytes.
const MAX_IDLE: usize = 8;
const LARGEST_IDLE: usize = 1 << 24;

/// What tells plans apart: process (threads do not survive a fork), modes, bits of the tolerance, sign, threads.
pub(super) type Key = (u32, Vec<usize>, u64, bool, Option<usize>);

/// Precision with a store of idle plans.
pub(super) trait Idle: Precision {
    fn store() -> &'static Mutex<Vec<(Key, Plan<Self>)>>;
}

impl Idle for f32 {
    fn store() -> &'static Mutex<Vec<(Key, Plan<f32>)>> {
        static STORE: Mutex<Vec<(Key, Plan<f32>)>> = Mutex::new(Vec::new());
        &STORE
    }
}

impl Idle for f64 {
    fn store() -> &'static Mutex<Vec<(Key, Plan<f64>)>> {
        static STORE: Mutex<Vec<(Key, Plan<f64>)>> = Mutex::new(Vec::new());
        &STORE
    }
}

/// Takes an idle plan.
pub(super) fn take<R: Idle>(key: &Key) -> Option<Plan<R>> {
    let mut store = R::store().lock().unwrap_or_else(PoisonError::into_inner);
    let at = store.iter().position(|(found, _)| found == key)?;
    Some(store.remove(at).1)
}

/// Keeps a plan for later, in place of the oldest one.
pub(super) fn keep<R: Idle>(key: Key, plan: Plan<R>) {
    if plan.memory(plan.points()) > LARGEST_IDLE {
        return;
    }
    let mut store = R::store().lock().unwrap_or_else(PoisonError::into_inner);
    store.push((key, plan));
    if store.len() > MAX_IDLE {
        store.remove(0);
    }
}
