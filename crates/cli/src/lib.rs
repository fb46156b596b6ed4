//! The command `wavefield`: reads its arguments, runs what they ask for, and says on the terminal how that went.
//!
//! Results go to files and stdout, everything else to stderr. The exit code is 0 for a good run, 1 for one that did not
//! converge or validate, 2 for bad input, 3 for a failure of the device or of the system, and 130 after an interrupt.
//!
//! ```
//! assert_eq!(wavefield_cli::main(["wavefield", "new", "--list"].map(Into::into)), 0);
//! assert_eq!(wavefield_cli::main(["wavefield", "check", "no_such_file.toml"].map(Into::into)), 2);
//! ```

#![forbid(unsafe_code)]

/// Prints a line of data. A closed pipe is the reader's choice, not our failure.
macro_rules! say {
    ($($what:tt)*) => {{
        use std::io::Write as _;
        let _ = writeln!(std::io::stdout(), $($what)*);
    }};
}

mod command;
mod progress;

pub use command::main;
