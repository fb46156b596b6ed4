//! Memory that this process has, and memory that there is, where the system tells.

use wavefield_report::format::format_bytes;

use crate::Error;

/// A value of this process out of `/proc/self/status`, bytes.
fn of_this_process(key: &str) -> Option<usize> {
    kibibytes(&std::fs::read_to_string("/proc/self/status").ok()?, key)
}

/// `key:   123 kB` as bytes.
fn kibibytes(text: &str, key: &str) -> Option<usize> {
    let line = text.lines().find_map(|line| line.strip_prefix(key))?;
    let number = line.strip_prefix(':')?.split_whitespace().next()?;
    number.parse::<usize>().ok()?.checked_mul(1024)
}

/// What this process has in memory now.
pub(crate) fn resident() -> Option<usize> {
    of_this_process("VmRSS")
}

/// The most it has had.
pub fn peak() -> Option<usize> {
    of_this_process("VmHWM")
}

/// What a process can still get: free memory, what can be freed, and swap, but no more than its group may have.
pub(crate) fn available() -> Option<usize> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let free = kibibytes(&text, "MemAvailable")? + kibibytes(&text, "SwapFree").unwrap_or(0);
    Some(left_of_group().map_or(free, |left| left.min(free)))
}

/// What is left of the limit that a container or a batch system has set.
fn left_of_group() -> Option<usize> {
    let number =
        |path: &str| -> Option<usize> { std::fs::read_to_string(path).ok()?.trim().parse().ok() };
    let limit = number("/sys/fs/cgroup/memory.max")?;
    Some(limit.saturating_sub(number("/sys/fs/cgroup/memory.current").unwrap_or(0)))
}

/// What every run takes: stacks of threads, code that is read when it is needed, the report. Code that is not optimized is
/// larger.
const ANY_RUN: usize = if cfg!(debug_assertions) {
    7 << 20
} else {
    11 << 19
};

/// The most a run will have had in the end, if it takes so much more than the process has now.
pub fn foreseen(more: usize) -> usize {
    let then = resident().unwrap_or(0).saturating_add(more);
    peak().unwrap_or(0).max(then.saturating_add(ANY_RUN))
}

/// Bytes in the unit in which they are measured and told.
pub fn gibibytes(bytes: usize) -> f64 {
    bytes as f64 / f64::from(1 << 30)
}

/// Part of its predicted memory that a run must leave free: other processes take and give back memory while it runs.
const MARGIN: f64 = 0.05;

/// Refuses a run that takes more than there is, with a margin of 5 %, and says what would take less.
///
/// # Errors
/// [`Error::input`] with both numbers and `memory_hint`, the advice of the solver.
pub fn fits(more: usize, memory_hint: &str) -> Result<(), Error> {
    let wanted = (1.0 + MARGIN) * more.saturating_add(ANY_RUN) as f64;
    match available() {
        Some(free) if wanted > free as f64 => Err(Error::input(format!(
            "this run needs about {} and {} are free here: it will not fit; {memory_hint}, or take a larger machine",
            format_bytes(foreseen(more)),
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
            let error = fits(1 << 60, "take longer edges").unwrap_err();
            let wanted = "it will not fit; take longer edges, or take a larger machine";
            assert!(error.to_string().ends_with(wanted), "{error}");
            fits(1 << 20, "").unwrap();
        }
    }
}
