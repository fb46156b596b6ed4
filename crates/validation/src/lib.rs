//! Validation cases, benchmarks, and fault injection of Wavefield.
//!
//! A [`measure::Case`] has a name, limits that are known before it runs, and a measurement; a case without limits is an
//! error. [`validate::cases`] compares every solver with exact solutions (Mie series, cylinder series, cavity and
//! waveguide modes), published data (Austin RCS benchmark suite), and other solvers. [`bench::cases`] measures
//! throughput relative to the bounds of the machine (SGEMM, STREAM triad), predicted memory, and fault tolerance: runs
//! that are killed, receive SIGTERM, or find damaged files. Published data that is not part of the program is found by
//! [`reference_data`].
//!
//! ```
//! use wavefield_validation::measure::matching;
//! use wavefield_validation::validate;
//!
//! let cases = validate::cases()?;
//! for case in matching(&cases, Some("exact/cylinder"))? {
//!     let line = case.run()?;
//!     assert!(line.passes(), "{}", line.text());
//! }
//! # Ok::<(), wavefield::Error>(())
//! ```

#![forbid(unsafe_code)]

pub mod bench;
pub mod measure;
mod problems;
pub mod reference_data;
pub mod validate;
