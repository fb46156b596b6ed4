//! The report: one self-contained page, made from a result and nothing else.

mod axis;
mod cartesian;
mod chart;
mod page;
mod polar;
mod text;
mod toml_colour;
mod view;

pub use page::page;
