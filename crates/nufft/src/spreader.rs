//! How a type 1 transform brings its points onto the fine grid.

/// How a GPU adds the points to the fine grid; the CPU has one way only.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Spreader {
    /// Every grid point gathers from the sorted points around it: the same bits on every run.
    #[default]
    Deterministic,
    /// Every point adds to its grid points with atomics, in whatever order the GPU finds: the last
    /// bits differ from run to run. In f32 only.
    Atomic,
}
