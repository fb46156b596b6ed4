//! Map of the backscatter over the surface of a body.

use std::collections::HashMap;
use std::f64::consts::PI;

use num_complex::Complex64;
use wavefield_physics::constants::vacuum_wavenumber;
use wavefield_physics::direction::Direction;
use wavefield_physics::far_field::Channel;

use super::direct_image::element;
use crate::aperture::Density;
use crate::error::Error;
use crate::patch::{Observer, Patch};
use crate::receiver::Receiver;
use crate::reciprocity::both_directions;
use crate::scatterer::Scatterer;

/// Returns the backscattered amplitude √σ·e^{j phase} of every triangle, m. Its sum over all triangles is the
/// backscatter of the body without edge diffraction. A multiply reflected wave counts at the exit triangles of
/// both directions of its path.
///
/// # Errors
/// Returns the errors of [`Scatterer::scatter`].
pub fn surface_map(
    body: &Scatterer,
    from: Direction,
    frequency: f64,
    channel: Channel,
    density: Density,
) -> Result<Vec<Complex64>, Error> {
    let parts = Parts {
        observer: Observer::toward(from),
        wavenumber: vacuum_wavenumber(frequency),
        element: element(channel),
        of_triangle: HashMap::new(),
    };
    let parts = body.illuminate(from, frequency, density, parts)?;
    let mut map = vec![Complex64::ZERO; body.triangles()];
    for (triangle, amplitude) in parts.of_triangle {
        map[triangle as usize] = amplitude * (4.0 * PI).sqrt();
    }
    Ok(map)
}

/// Sums of the amplitudes of each triangle; only triangles with an exit have an entry.
#[derive(Clone, Debug)]
struct Parts {
    observer: Observer,
    wavenumber: f64,
    element: [usize; 2],
    of_triangle: HashMap<u32, Complex64>,
}

impl Receiver for Parts {
    fn empty(&self) -> Self {
        Parts {
            observer: self.observer,
            wavenumber: self.wavenumber,
            element: self.element,
            of_triangle: HashMap::new(),
        }
    }

    fn receive(&mut self, patch: &Patch) {
        let mut amplitude = [[Complex64::ZERO; 2]; 2];
        patch.radiate((0, self.wavenumber), &self.observer, &mut amplitude);
        *self.of_triangle.entry(patch.triangle).or_default() +=
            both_directions(&amplitude)[self.element[0]][self.element[1]];
    }

    fn join(&mut self, other: &Self) {
        for (triangle, amplitude) in &other.of_triangle {
            *self.of_triangle.entry(*triangle).or_default() += amplitude;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wavefield_mesh::primitive;

    #[test]
    fn the_parts_sum_to_the_whole() {
        let body = Scatterer::new(&primitive::dihedral(0.3, 0.3, 0.5 * PI, 0.05).unwrap()).unwrap();
        let from = Direction::from_degrees(80.0, 15.0);
        let density = Density::default();
        let whole = body.monostatic(from, 1e10, density).unwrap();
        for channel in Channel::ALL {
            let wanted = whole.channel(channel);
            let map = surface_map(&body, from, 1e10, channel, density).unwrap();
            let sum: Complex64 = map.iter().sum();
            assert!(
                (sum - wanted).norm() < 1e-9 * whole.vv.norm(),
                "{channel:?} {sum} {wanted}"
            );
        }
    }

    #[test]
    fn a_sphere_scatters_from_its_front() {
        let mesh = primitive::sphere(0.3, 0.01).unwrap();
        let body = Scatterer::new(&mesh).unwrap();
        let from = Direction::from_degrees(90.0, 0.0);
        let map = surface_map(&body, from, 1e10, Channel::VV, Density::default()).unwrap();
        let x = |triangle: usize| mesh.corners(triangle).iter().map(|p| p[0]).sum::<f64>() / 3.0;
        for (triangle, amplitude) in map.iter().enumerate() {
            assert!(x(triangle) > -0.01 || amplitude.norm() == 0.0);
        }
        assert!(map.iter().filter(|a| a.norm() > 0.0).count() > map.len() / 3);
    }
}
