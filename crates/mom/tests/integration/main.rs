//! Integration tests in one binary, so that dependencies are linked once.

mod bodies;
mod circle;
mod fast;
mod gpu;
mod surface;
mod symmetry;
