//! Reference solutions: fields known in two planes, tones with known PDM bits, a published matrix.
//!
//! Shared by the tests and the validation cases.

mod field;
mod matrix;
mod tone;

pub use field::KnownField;
pub use matrix::EIGHT_POINTS;
pub use tone::KnownTone;
