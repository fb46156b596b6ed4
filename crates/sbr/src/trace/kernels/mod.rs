//! The hot loops, and the only place of this crate where code is `unsafe`: vector instructions found at
//! run time.
//!
//! Doubles are never fused, so that every instruction set gives the bits of the plain test of a triangle; floats only
//! cull, and may be.

#![allow(unsafe_code)]

pub(super) mod bundle;
pub(super) mod single;
pub(super) mod tile;
