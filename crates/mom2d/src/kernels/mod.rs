//! Compute kernels: Hankel functions, matrix columns made of them, weighted sums, and sums over plane waves.
//!
//! Each is written over fixed-size arrays, as described in [`wavefield_numerics::simd`].

#![allow(unsafe_code)]

mod column;
mod hankel;
mod hankel_table;
mod plane_waves;
mod weights;

pub(crate) use column::{Coefficients, Points, Source, column};
pub(crate) use hankel::hankel;
pub(crate) use plane_waves::{
    Compass, add_product, add_sum_of_products, aggregate, disaggregate, turn_back,
};
pub(crate) use weights::Weights;
