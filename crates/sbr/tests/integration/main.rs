//! Integration tests in one binary: dependencies are linked once.

mod agreement;
mod austin_meshes;
mod bounces;
mod canonical;
mod coatings;
mod common;
mod edges_of_a_plate;
mod edges_of_curved_faces;
mod edges_of_meshes;
mod gpu_agrees_with_cpu;
mod gpu_faults_are_errors;
mod gpu_hits_are_those_of_the_cpu;
#[path = "../../examples/kd_tree/mod.rs"]
mod kd_tree;
mod predicted_work;
mod reciprocity;
mod strip_against_moment_method;
mod watertight;
