//! The command `wavefield`: parses the arguments, runs the command, and reports on the terminal.
//!
//! Results go to files and stdout, everything else to stderr. Exit codes: 0 success; 1 the run finished, but a check,
//! convergence, or validation failed; 2 invalid input; 3 device or run-time failure; 130 interrupted.
//!
//! ```
//! assert_eq!(wavefield_cli::main(["wavefield", "new", "--list"].map(Into::into)), 0);
//! assert_eq!(wavefield_cli::main(["wavefield", "check", "no_such_file.toml"].map(Into::into)), 2);
//! ```

#![forbid(unsafe_code)]

/// Prints a line of data. A closed pipe is not a failure of this program.
macro_rules! say {
    ($($what:tt)*) => {{
        use std::io::Write as _;
        let _ = writeln!(std::io::stdout(), $($what)*);
    }};
}

mod command;
mod progress;

pub use command::main;
