//! Fuzz targets as functions: each takes arbitrary bytes and panics if an invariant of a reader is violated.
//!
//! Two drivers call them: libFuzzer (`fuzz/`, coverage-guided) and the tests of this crate, which replay the corpus and
//! seeded mutations of it ([`Mutator`]).
//!
//! ```
//! wavefield_fuzz::quantity(b"14.25 GHz");
//! ```

#![forbid(unsafe_code)]

mod coverage;
mod mutate;
mod planning;
mod problem_mutator;
mod scratch;
mod targets;

pub use mutate::{Mutator, dictionary};
pub use planning::{Planning, plan_problem};
pub use problem_mutator::ProblemMutator;
pub use scratch::scratch_folder;
pub use targets::*;

/// Fuzz target: the name of its corpus, and its function.
pub type Target = (&'static str, fn(&[u8]));

/// All fuzz targets.
pub const TARGETS: [Target; 23] = [
    ("bit_stream", bit_stream),
    ("compared_table", compared_table),
    ("coverage_description", coverage_description),
    ("coverage_geojson", coverage_geojson),
    ("device_choice", device_choice),
    ("packet_stream", packet_stream),
    ("problem_file", problem_file),
    ("quantity", quantity),
    ("read_acoular", read_acoular),
    ("read_any_mesh", read_any_mesh),
    ("read_calibration", read_calibration),
    ("read_inp", read_inp),
    ("read_microphones", read_microphones),
    ("read_msh", read_msh),
    ("read_obj", read_obj),
    ("read_stl", read_stl),
    ("read_wav", read_wav),
    ("recorded_sound", recorded_sound),
    ("reference_mesh", reference_mesh),
    ("reference_table", reference_table),
    ("result_arrays", result_arrays),
    ("result_record", result_record),
    ("sweep", sweep),
];
