//! Tests of the fuzz targets, in one binary.

use std::time::Duration;

mod planning;
mod replay;

/// Seed of the mutations.
const SEED: u64 = 1;
/// Limit of the peak resident memory of a test's process.
const MEMORY_LIMIT: usize = 512 << 20;

/// Returns the peak resident memory of this process, where the system reports it, bytes.
fn peak_memory() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kibibytes = line.and_then(|line| line.trim().strip_suffix(" kB"));
    kibibytes.map_or(0, |number| 1024 * number.parse::<usize>().unwrap())
}

/// Returns the CPU time of this process, where the system reports it.
fn cpu_time() -> Option<Duration> {
    /// Linux reports hundredths of a second to programs, whatever the kernel counts in.
    const TICK: Duration = Duration::from_millis(10);
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    // The name of the program, in parentheses, may have spaces.
    let (_, fields) = stat.rsplit_once(')')?;
    // User and system time are the 14th and 15th field of the file; the name is the second.
    let ticks = fields.split_whitespace().skip(11).take(2);
    let ticks: u32 = ticks.map(|field| field.parse::<u32>().unwrap()).sum();
    Some(TICK * ticks)
}
