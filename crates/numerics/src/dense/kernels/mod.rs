//! Compute kernels of the dense solver: SIMD instructions detected at run time, and huge-page advice.
//!
//! `unsafe` code is confined to folders of this name. All kernels work on [`Line`](super::lines::Line)s of
//! eight numbers; the tests of `dense` hold their reference implementations.

#![allow(unsafe_code)]

pub(super) mod column;
pub(super) mod eliminate;
pub(super) mod lanes;
pub(super) mod memory;
pub(super) mod prefetch;
pub(super) mod product;
pub(super) mod substitute;
pub(super) mod subtract;
