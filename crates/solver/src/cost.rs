//! Predicted cost of a run.

/// Predicted memory, time, and size of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Cost {
    /// Memory in bytes, beyond that of the plan.
    pub memory: usize,
    /// Estimated run time in seconds on this machine.
    pub seconds: f64,
    /// Problem size, in one line.
    pub size: String,
    /// Remedy for insufficient memory, as an imperative.
    pub memory_hint: &'static str,
}
