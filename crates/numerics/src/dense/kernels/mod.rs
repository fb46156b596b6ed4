//! The hot loops, and the only place of this crate where code is `unsafe`: vector instructions found at
//! run time, and the system's advice about memory.
//!
//! All of them work on [`Line`](super::lines::Line)s of eight numbers. Whoever reads an equation finds its
//! plain form in the tests of `dense`.

#![allow(unsafe_code)]

pub(super) mod column;
pub(super) mod eliminate;
pub(super) mod lanes;
pub(super) mod memory;
pub(super) mod prefetch;
pub(super) mod product;
pub(super) mod substitute;
pub(super) mod subtract;
