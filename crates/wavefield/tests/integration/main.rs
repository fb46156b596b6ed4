//! Integration tests in one binary, so that dependencies are linked once.

mod book;
mod compare;
mod gmsh_makes_meshes;
mod house;
mod live_view;
mod problem_errors_teach;
mod radar_products;
mod ranks;
mod report_planes;
mod shaders_avoid_what_drivers_get_wrong;
