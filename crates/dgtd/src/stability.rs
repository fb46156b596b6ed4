//! How long a time step may be.

/// Largest stable step over the smallest inscribed radius and the time a wave takes through it, for the upwind flux
/// and orders one to eight, on meshes of cubes cut into six tetrahedra; irregular meshes allow a little more.
const LIMITS: [f64; 8] = [1.01, 0.625, 0.437, 0.315, 0.239, 0.188, 0.152, 0.125];

/// The limit of an order.
pub(crate) fn limit(order: usize) -> f64 {
    LIMITS[order - 1]
}
