//! Compute kernels with `unsafe` code, which is confined to this module: SIMD instructions detected at
//! run time, and arrays with disjoint ranges written by several threads.

#![allow(unsafe_code)]

pub(crate) mod columns;
pub(crate) mod interpolate;
pub(crate) mod lanes;
pub(crate) mod long_line;
pub(crate) mod memory;
pub(crate) mod order;
pub(crate) mod shared;
pub(crate) mod sort;
pub(crate) mod spread;
pub(crate) mod transform;
pub(crate) mod weights;

use wavefield_numerics::simd::InstructionSet;

/// Spreading and interpolation of points in D dimensions, implemented explicitly for each precision and
/// dimension, so that their many instances (instruction set, width, with and without derivatives) are
/// compiled once, in this crate.
pub trait Passes<const D: usize>: Sized {
    /// Spreads points onto the grid.
    fn spread(instructions: InstructionSet, job: spread::Spread<'_, Self, D>);
    /// Interpolates values at points from the grid.
    fn interpolate(instructions: InstructionSet, job: interpolate::Interpolate<'_, Self, D>);
}

macro_rules! passes {
    ($($real:ty, $axes:literal;)*) => {$(
        impl Passes<$axes> for $real {
            #[inline(never)]
            fn spread(instructions: InstructionSet, job: spread::Spread<'_, Self, $axes>) {
                instructions.run(job);
            }
            #[inline(never)]
            fn interpolate(instructions: InstructionSet, job: interpolate::Interpolate<'_, Self, $axes>) {
                instructions.run(job);
            }
        }
    )*};
}
passes!(f32, 1; f32, 2; f32, 3; f64, 1; f64, 2; f64, 3;);

/// Evaluates an expression with two constants: V, the number of vectors for w complex numbers of a row,
/// and M = V + 1.
macro_rules! with_vectors {
    ($lanes:ty, $width:expr, ($V:ident, $M:ident) => $run:expr) => {
        with_vectors!(@ $lanes, $width, ($V, $M) => $run; 1 2 3 4 5 6 7 8)
    };
    (@ $lanes:ty, $width:expr, ($V:ident, $M:ident) => $run:expr; $($number:literal)*) => {
        match <$lanes>::vectors($width) {
            $($number if <$lanes>::uses($number) => {
                const $V: usize = $number;
                const $M: usize = $number + 1;
                $run
            })*
            // Windows have at most `WIDEST` grid points, vectors at least four lanes.
            other => unreachable!("{other} vectors"),
        }
    };
}
pub(crate) use with_vectors;
