//! Integration tests in one binary, so that dependencies are linked once.

mod book;
mod typed;
