//! How long a time step may be.

use crate::discretisation::Discretisation;

/// Largest stable step over the smallest inscribed radius and the time a wave takes through it, for the upwind flux
/// and orders one to eight, on meshes of cubes cut into six tetrahedra; irregular meshes allow a little more.
const LIMITS: [f64; 8] = [1.01, 0.625, 0.437, 0.315, 0.239, 0.188, 0.152, 0.125];

/// The longest stable time step times the speed of light, m.
pub fn stable_step(discretisation: &Discretisation) -> f64 {
    discretisation.time_step(LIMITS[discretisation.reference.order() - 1])
}
