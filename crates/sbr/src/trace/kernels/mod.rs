//! SIMD kernels, selected at run time; the only module of this crate with `unsafe` code.
//!
//! f64 operations are never fused, which makes all instruction sets bitwise identical to the scalar triangle test;
//! f32 operations only cull and may be fused.

#![allow(unsafe_code)]

pub(super) mod bundle;
pub(super) mod single;
pub(super) mod tile;
