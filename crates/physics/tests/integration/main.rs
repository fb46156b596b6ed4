//! Integration tests in one binary, so that dependencies are linked once.

mod exact_solutions_obey_physics;
mod reference_tables;
