//! Integration tests in one binary, so that dependencies are linked once.

mod command_line;
mod mpi;
mod resume;
mod survive;
