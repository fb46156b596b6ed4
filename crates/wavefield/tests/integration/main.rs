//! Integration tests in one binary, so that dependencies are linked once.

mod antenna_reports;
mod compare;
mod gmsh_makes_meshes;
mod live_view;
mod problem_errors_teach;
mod problems_folder;
mod radar_products;
mod ranks;
mod shaders_avoid_what_drivers_get_wrong;
mod storage_faults;
