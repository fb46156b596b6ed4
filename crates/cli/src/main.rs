//! The `wavefield` command.

#![forbid(unsafe_code)]

#[cfg(feature = "mpi")]
mod mpi;

use std::process::ExitCode;

fn main() -> ExitCode {
    #[cfg(feature = "mpi")]
    wavefield::ranks::register_mpi(mpi::join);
    ExitCode::from(wavefield_cli::main(std::env::args_os()))
}
