//! Integration tests in one binary, so that dependencies are linked once.

mod exact;
mod gpu;
mod layers;
mod pictures;
mod port_convergence;
mod ports;
mod thin_layers;
