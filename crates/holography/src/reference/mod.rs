//! Ground truth this crate is measured against: fields known in two planes, tones known in the bits, a printed matrix.
//!
//! Tests and the program's validation hold the same things against each other; what they share is here.

mod field;
mod matrix;
mod tone;

pub use field::KnownField;
pub use matrix::EIGHT_POINTS;
pub use tone::KnownTone;
