//! What several targets share.

mod coverage;
mod scratch;

pub use coverage::assert_sound;
pub use scratch::Scratch;
