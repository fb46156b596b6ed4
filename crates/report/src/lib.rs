//! Result files: a self-contained HTML report, figures as SVG, and exchange formats (CSV, NPZ, Touchstone, GRASP, VTK).
//!
//! The input is the [`Outcome`](wavefield_solver::outcome::Outcome) of a run: named arrays, tables and figures over
//! them, a 3-D view, and checks. All functions are pure functions of it and of the [`record::Record`] of the run; no
//! file is opened.
//!
//! | format | function |
//! |---|---|
//! | HTML page | [`page()`] |
//! | SVG of a figure | [`svg_file`] |
//! | CSV of a table | [`csv::write`] |
//! | NPZ of all arrays (NumPy) | [`npz::write`], [`npz::read`] |
//! | Touchstone 1.1 of S-parameters | [`touchstone::network`] |
//! | GRASP `.grd` and `.cut` of far fields | [`grasp::grid`], [`grasp::cuts`] |
//! | VTK `.vtu` and `.pvd` of fields on tetrahedra | [`vtu::moment`], [`vtu::series`] |
//!
//! ```
//! use wavefield_solver::outcome::{Data, Outcome};
//! use wavefield_report::record::Record;
//!
//! let mut outcome = Outcome::default();
//! let angles = Data::Real(vec![0.0, 90.0]);
//! let sections = Data::Real(vec![-5.25, 1.5]);
//! outcome.add_table("rcs", "Radar cross section.", vec![("phi", "deg", angles), ("vv", "dBsm", sections)]);
//! let csv = wavefield_report::csv::write(&outcome.tables[0], &outcome);
//! assert_eq!(csv, "phi[deg],vv[dBsm]\n0,-5.25\n90,1.5\n");
//!
//! let record = Record::of("exact", "Sphere".to_owned(), String::new(), &outcome);
//! assert!(wavefield_report::page(&record, &outcome).starts_with("<!doctype html>"));
//! ```
//!
//! Style sheet and scripts of the page are built from `viewer/` into `assets/`.

#![forbid(unsafe_code)]

mod axis;
mod cartesian;
mod chart;
mod choice;
mod color;
mod color_scale;
mod contour;
pub mod csv;
mod error;
mod figure;
pub mod format;
pub mod grasp;
mod map;
mod npy;
pub mod npz;
mod page;
mod plane;
mod polar;
mod raster;
pub mod record;
mod scatter;
mod smith;
mod table;
mod text;
mod toml_color;
pub mod touchstone;
mod view;
pub mod vtu;

pub use error::Error;
pub use figure::{file_names, svg_file};
pub use page::{STYLE, page};
