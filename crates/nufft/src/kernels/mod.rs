//! The hot loops, and the only place of this crate where code is `unsafe`: vector instructions found at
//! run time, and arrays that several threads write to, each its own part.

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

/// The passes over points of D axes. Implemented for each precision and number of axes by name, so that
/// their many forms (instruction set, width, with and without derivatives) are compiled once, here.
pub trait Passes<const D: usize>: Sized {
    /// Adds points to the grid.
    fn spread(instructions: InstructionSet, job: spread::Spread<'_, Self, D>);
    /// Collects values of points from the grid.
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

/// Runs an expression with two constants: V, the number of vectors that w complex numbers of a row take,
/// and M, one more.
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
