//! The report: one self-contained page, made from a result and nothing else.

mod axis;
mod cartesian;
mod chart;
mod colour;
mod colour_scale;
mod contour;
mod figure;
mod map;
mod page;
mod plane;
mod polar;
mod raster;
mod scatter;
mod table;
mod text;
mod toml_colour;
mod view;

pub use figure::{file_names, svg_file};
pub use page::page;
