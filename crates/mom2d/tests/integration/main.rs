//! Integration tests in one binary, so that dependencies are linked once.

mod bodies;
mod circle;
mod corners;
mod crout;
mod gmres;
mod gpu;
mod mlfma;
