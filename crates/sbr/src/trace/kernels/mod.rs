//! The hot loops, and the only place of this crate where code is `unsafe`: vector instructions found at
//! run time.

#![allow(unsafe_code)]

pub(super) mod bundle;
pub(super) mod lanes;
pub(super) mod single;
pub(super) mod tile;
