//! A stage at the speed of matrix products, and the only place of this crate where code is `unsafe`: vector
//! instructions found at run time, and advice to the system about memory.
//!
//! Elements are taken eight at a time. A [`Pack`] holds one component at one node of a block of eight, E and Z₀H of an
//! element side by side: matrices of the reference element treat both alike, and the trace of a neighbour is fetched
//! as pairs. With r the row of a node, one stage of a block is
//!
//! 1. `fluxes`: jumps across faces, and what flows through,
//! 2. `curls`: g × q for three directions g, to which derivatives are yet to be applied,
//! 3. `products`: all derivatives and the lift as one product of a matrix with what 1 and 2 have left,
//! 4. `update`: losses, layers, and the Runge–Kutta step.
//!
//! Steps 1 and 2 leave their results as sums and differences over mirror images of nodes (`symmetry`), in which the
//! matrices of step 3 have a quarter of their entries.
//!
//! The plain twin is [`plain`](crate::plain).

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

/// Elements of a block.
pub const ELEMENTS: usize = 8;

/// Numbers of a pack: E and H of each element of a block.
const PACK: usize = 2 * ELEMENTS;

/// Numbers of a node of a block: three components.
const NODE: usize = 3 * PACK;

/// One component of E and Z₀H at one node of a block of elements, E and H in turn.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C, align(64))]
pub(crate) struct Pack<T>([T; PACK]);

impl<T: Number> Pack<T> {
    const ZERO: Pack<T> = Pack([T::ZERO; PACK]);

    /// The pack with these numbers, given by element and kind (0 for E, 1 for H).
    fn from_fn(number: impl Fn(usize, usize) -> f64) -> Pack<T> {
        Pack(std::array::from_fn(|at| T::rounded(number(at / 2, at % 2))))
    }
}

/// Real numbers a stage can be computed in.
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
    /// Nothing.
    const ZERO: Self;
    /// One.
    const ONE: Self;
    /// One half.
    const HALF: Self;

    /// The nearest number.
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
