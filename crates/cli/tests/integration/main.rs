//! Integration tests in one binary, so that dependencies are linked once.

mod check_verdicts;
mod command_line;
mod containment;
mod exit_codes;
mod fault_tolerance;
mod memory_faults;
mod mpi;
mod resume;
