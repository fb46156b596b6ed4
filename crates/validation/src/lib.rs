//! Validation cases, benchmarks, and fault injection of Wavefield.
//!
//! A [`measure::Case`] has a name, limits that are known before it runs, and a measurement; a case that could not fail is an
//! error. [`validate::cases`] compares every solver with exact solutions, published data, and other solvers;
//! [`bench::cases`] measures rates relative to the bounds of the machine, predicted memory, and how runs survive kills,
//! signals, and damaged files. Published data that is not part of the program is found by [`reference_data`].
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
