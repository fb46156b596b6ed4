//! Every transform against the sum it stands for.

mod both_types;
mod common;
mod derivatives;
mod type3;
