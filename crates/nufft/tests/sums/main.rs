//! Every transform compared with direct summation.

mod both_types;
mod common;
mod derivatives;
mod engine;
mod type3;
