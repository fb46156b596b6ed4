//! Integration tests in one binary, so that dependencies are linked once.

mod check_verdicts;
mod command_line;
mod exit_codes;
mod fault_tolerance;
mod mpi;
mod output_stays_inside;
mod resume;
