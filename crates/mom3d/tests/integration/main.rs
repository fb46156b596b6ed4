//! Integration tests in one binary, so that dependencies are linked once.

mod gpu;
mod surfaces;
mod symmetry;
