//! Dense complex matrices: LU decomposition, systems with many right-hand sides, condition.

mod condition;
mod error;
mod kernels;
mod lines;
mod lu;
mod matrix;
mod pack;
mod panel;
mod solve;
#[cfg(test)]
mod tests;

pub use error::FactorError;
pub use lu::Lu;
pub use matrix::Matrix;
