//! What a run costs, known before it starts.

/// Predicted cost of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Cost {
    /// Memory that the run takes beyond that of its plan, in bytes.
    pub memory: usize,
    /// Rough time in seconds on this machine.
    pub seconds: f64,
    /// Size of the problem, in a line.
    pub size: String,
    /// How to reduce the memory, as an imperative.
    pub memory_hint: &'static str,
}
