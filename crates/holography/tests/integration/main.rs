//! Integration tests in one binary, so that dependencies are linked once.

mod files;
mod front_ends;
mod gpu;
mod ground_truth;
mod live;
mod problem;
mod reconstruction;
