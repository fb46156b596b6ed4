//! Integration tests in one binary, so that dependencies are linked once.

mod austin_meshes;
mod gmsh_fills_domains;
mod hostile_files_are_refused;
mod primitives_converge;
mod readers;
mod relocation;
mod round_trips;
mod tetrahedral_boxes;
mod topology;
