//! The choice of an instruction set, and loops that several solvers use.

#![allow(unsafe_code)]

mod dispatch;
mod lane_sums;
mod sine;

pub use lane_sums::{Accumulate, lane_sums, lane_sums_of_singles};
pub use sine::{Lanes, mul_add, polynomial, sine_and_cosine};
