//! The `wavefield` command.

#![forbid(unsafe_code)]

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(wavefield::command::main(std::env::args_os()))
}
