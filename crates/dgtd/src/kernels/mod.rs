//! SIMD kernels of a Runge–Kutta stage, near the speed of matrix products.
//!
//! Only this module of the crate contains `unsafe` code: SIMD instructions detected at run time, and prefetching.
//!
//! Elements are processed in blocks of eight. A [`Pack`] holds one component at one node of a block, with E and Z₀H of
//! an element side by side: the matrices of the reference element apply to both alike, and the trace of a neighbor is
//! gathered as pairs. One stage of a block is
//!
//! 1. `fluxes`: jumps across faces, and the numerical flux,
//! 2. `curls`: g × q for three directions g, without the derivatives,
//! 3. `products`: all derivatives and the lift, as one product of a matrix with the results of 1 and 2,
//! 4. `update`: losses, PML, and the Runge–Kutta step.
//!
//! Steps 1 and 2 write sums and differences over mirror images of nodes (`symmetry`), in which the matrices of step 3
//! have a quarter of their entries.
//!
//! The reference implementation is [`reference`](mod@crate::reference).

#![allow(unsafe_code)]

mod blocks;
mod curls;
mod energy;
mod engine;
mod fluxes;
mod lanes;
mod memory;
mod operators;
mod products;
mod stage;
mod symmetry;
mod triple;
mod update;

use std::ops::Add;

use wavefield_numerics::simd::Scalar;

pub use engine::BlockEngine;

/// Number of elements per block.
pub const ELEMENTS: usize = 8;

/// Numbers per pack: E and H of each element of a block.
const PACK: usize = 2 * ELEMENTS;

/// Numbers per node of a block: three packs, one per component.
const NODE: usize = 3 * PACK;

/// One component of E and Z₀H at one node of a block of elements, E and H interleaved.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C, align(64))]
pub(crate) struct Pack<T>([T; PACK]);

impl<T: Number> Pack<T> {
    const ZERO: Pack<T> = Pack([T::ZERO; PACK]);

    /// Creates a pack of numbers given by element and kind (0 for E, 1 for H).
    fn from_fn(number: impl Fn(usize, usize) -> f64) -> Pack<T> {
        Pack(std::array::from_fn(|at| T::rounded(number(at / 2, at % 2))))
    }
}

/// Floating-point type of a stage: `f32` or `f64`.
pub trait Number:
    Scalar
    + Send
    + Sync
    + PartialEq
    + bytemuck::Pod
    + std::fmt::Debug
    + Into<f64>
    + Add<Output = Self>
    + 'static
{
    /// Zero.
    const ZERO: Self;
    /// One.
    const ONE: Self;
    /// One half.
    const HALF: Self;

    /// Rounds to the nearest number of this type.
    fn rounded(value: f64) -> Self;
}

impl Number for f32 {
    const ZERO: f32 = 0.0;
    const ONE: f32 = 1.0;
    const HALF: f32 = 0.5;

    fn rounded(value: f64) -> f32 {
        value as f32
    }
}

impl Number for f64 {
    const ZERO: f64 = 0.0;
    const ONE: f64 = 1.0;
    const HALF: f64 = 0.5;

    fn rounded(value: f64) -> f64 {
        value
    }
}
