//! Dense complex matrices: LU decomposition with partial pivoting, systems with many right-hand sides, condition.
//!
//! A boundary-element matrix is factored once and solved for every incidence:
//!
//! ```
//! use num_complex::Complex64;
//! use wavefield_numerics::dense::{Lu, Matrix};
//! use wavefield_numerics::observe::Silent;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let order = 100;
//! let entry = |i: usize, j: usize| {
//!     let distance = i.abs_diff(j) as f64;
//!     Complex64::cis(-distance) / (1.0 + distance)
//! };
//! let matrix = Matrix::from_fn(order, order, entry);
//! let norm = matrix.norm1();
//! let lu = Lu::factor(matrix, &Silent)?;
//! assert!(lu.condition(norm) < 100.0);
//!
//! // Three right-hand sides, column after column; the first is the first unit vector.
//! let mut x = vec![Complex64::ONE; 3 * order];
//! x[1..order].fill(Complex64::ZERO);
//! lu.solve_in_place(&mut x);
//! let first: Complex64 = (0..order).map(|j| entry(0, j) * x[j]).sum();
//! assert!((first - 1.0).norm() < 1e-12);
//! # Ok(())
//! # }
//! ```
//!
//! | file | what it holds |
//! |---|---|
//! | `matrix` | a matrix of complex numbers, as it is filled |
//! | `lines` | the same memory with real and imaginary parts apart, as it is computed with |
//! | `lu`, `panel` | the decomposition: block columns from left to right, each by halves |
//! | `pack` | operands in the order in which the kernels read them |
//! | `solve`, `condition` | what the factors are for |
//! | `kernels` | products and triangles in vector instructions |
//!
//! Large products multiply complex numbers with three real products instead of four. That costs a factor of about
//! three in rounding: ‖PA − LU‖₁ of random matrices of orders 257 to 1000 is 0.07 to 0.09 Nε‖A‖₁, with four 0.02 to
//! 0.03. Tests hold the error element by element; `bench/peers/lu.py` prints that of a solution beside LAPACK's.
//!
//! The bits of a result do not depend on the number of threads; they do depend on the vector instructions of
//! the processor.

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

pub use condition::inverse_norm1;
pub use error::FactorError;
pub use lu::Lu;
pub use matrix::Matrix;
