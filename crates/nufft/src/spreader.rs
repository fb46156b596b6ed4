//! Spreading algorithms of type 1 on the GPU.

/// Spreading algorithm on the GPU; the CPU has a single one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Spreader {
    /// Every grid point gathers from the sorted points around it: bitwise identical on every run.
    #[default]
    Deterministic,
    /// Every point adds to its grid points with atomics, in arbitrary order: the last bits differ
    /// from run to run. In f32 only.
    Atomic,
}
