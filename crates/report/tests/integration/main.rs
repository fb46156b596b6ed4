//! Integration tests in one binary, so that dependencies are linked once.

mod report_choices;
mod report_planes;
