//! Integration tests of the solver contract.

mod predicted_triangles;
mod sweeps_of_directions;
mod transport_adds_in_the_order_of_ranks;
