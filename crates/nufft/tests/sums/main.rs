//! Every transform against the sum it stands for.

mod both_types;
mod common;
mod derivatives;
mod engine;
mod type3;
