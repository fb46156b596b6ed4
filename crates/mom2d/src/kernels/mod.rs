//! Hot loops: Hankel functions of many arguments at once, columns of matrices made of them, weighted sums, sums over plane
//! waves.
//!
//! Each is written over fixed arrays of numbers, as [`wavefield_numerics::simd`] says.

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
