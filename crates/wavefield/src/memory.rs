//! Memory of this process and available memory, where the system reports them.

use wavefield_report::format::format_bytes;
use wavefield_solver::Cost;
use wavefield_solver::assessment::{Assessment, Verdict};

use crate::Error;

/// Reads a value of this process from `/proc/self/status`, bytes.
fn of_this_process(key: &str) -> Option<usize> {
    kibibytes(&std::fs::read_to_string("/proc/self/status").ok()?, key)
}

/// Parses `key:   123 kB`; returns bytes.
fn kibibytes(text: &str, key: &str) -> Option<usize> {
    let line = text.lines().find_map(|line| line.strip_prefix(key))?;
    let number = line.strip_prefix(':')?.split_whitespace().next()?;
    number.parse::<usize>().ok()?.checked_mul(1024)
}

/// Returns the resident memory of this process, bytes.
pub(crate) fn resident() -> Option<usize> {
    of_this_process("VmRSS")
}

/// Returns the peak resident memory of this process, bytes.
pub fn peak() -> Option<usize> {
    of_this_process("VmHWM")
}

/// Returns the memory that this process can still allocate, bytes: free and reclaimable memory and swap, limited by its
/// control group.
pub(crate) fn available() -> Option<usize> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let free = kibibytes(&text, "MemAvailable")? + kibibytes(&text, "SwapFree").unwrap_or(0);
    Some(left_of_group().map_or(free, |left| left.min(free)))
}

/// Returns what is left of the limit set by a container or batch system, bytes.
fn left_of_group() -> Option<usize> {
    let number =
        |path: &str| -> Option<usize> { std::fs::read_to_string(path).ok()?.trim().parse().ok() };
    let limit = number("/sys/fs/cgroup/memory.max")?;
    Some(limit.saturating_sub(number("/sys/fs/cgroup/memory.current").unwrap_or(0)))
}

/// Memory of every run, bytes: thread stacks, code loaded on demand, and the report. Unoptimized code is larger.
const ANY_RUN: usize = if cfg!(debug_assertions) {
    7 << 20
} else {
    5 << 20
};

/// Returns the predicted peak memory, bytes, of a run that allocates `run` bytes on top of the process.
pub fn predicted(more: usize) -> usize {
    let then = resident().unwrap_or(0).saturating_add(more);
    peak().unwrap_or(0).max(then.saturating_add(ANY_RUN))
}

/// Formats bytes.
pub fn gibibytes(bytes: usize) -> f64 {
    bytes as f64 / f64::from(1 << 30)
}

/// Fraction of its predicted memory that a run must leave free: other processes allocate and free memory while it runs.
const MARGIN: f64 = 0.05;

/// Assesses the predicted memory of a run.
pub(crate) fn assess(cost: &Cost) -> Assessment {
    let verdict = match fits(cost.memory, "") {
        Ok(()) => Verdict::Ok,
        Err(_) => Verdict::Error,
    };
    let free = available().map_or_else(String::new, |free| {
        format!(" of {} available", format_bytes(free))
    });
    Assessment::new(
        "memory",
        format!("{}{free}", format_bytes(predicted(cost.memory))),
        verdict,
        format!("{}, or use a larger machine", cost.memory_hint),
    )
}

/// Rejects a run that needs more than the available memory with a margin of 5 %, with advice on how to reduce it.
///
/// # Errors
/// [`Error::input`] with both numbers and `memory_hint`, the advice of the solver.
pub fn fits(more: usize, memory_hint: &str) -> Result<(), Error> {
    let wanted = (1.0 + MARGIN) * more.saturating_add(ANY_RUN) as f64;
    match available() {
        Some(free) if wanted > free as f64 => Err(Error::input(format!(
            "insufficient memory: {} required, {} available; {memory_hint}, or use a larger machine",
            format_bytes(predicted(more)),
            format_bytes(free)
        ))),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_read_in_bytes() {
        let text = "VmHWM:\t   12 kB\nVmRSS:\t    7 kB\n";
        assert_eq!(kibibytes(text, "VmRSS"), Some(7 * 1024));
        assert_eq!(kibibytes(text, "VmSwap"), None);
    }

    #[test]
    fn what_cannot_fit_is_refused() {
        if available().is_some() {
            let error = fits(1 << 60, "use longer edges").unwrap_err();
            let wanted = "available; use longer edges, or use a larger machine";
            assert!(error.to_string().ends_with(wanted), "{error}");
            fits(1 << 20, "").unwrap();
        }
    }
}
