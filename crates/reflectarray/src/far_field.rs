//! Co- and cross-polar far field of a synthesized array, over a map and along cuts; |E|² is the directivity.

use num_complex::Complex64;
use wavefield_gpu::Device;

use crate::aperture::Aperture;
use crate::coverage::Coverage;
use crate::error::Error;
use crate::pattern::{Grid, Pattern};
use crate::result::Cuts;

/// Step and margin of the map, beamwidths.
const MAP_STEP: f64 = 1.0 / 6.0;
const MAP_MARGIN: f64 = 3.0;
/// φ of the cuts, and first θ, step, and number of points of each, degrees.
const CUT_PHI: [f64; 4] = [0.0, 45.0, 90.0, 135.0];
const CUT_THETA: (f64, f64, usize) = (-30.0, 0.1, 601);

/// Computes the field around the coverage.
pub(crate) fn map(
    device: &Device,
    aperture: &Aperture,
    excitation: &[Complex64],
    coverage: &Coverage,
) -> Result<(Grid, [Vec<Complex64>; 2]), Error> {
    let beamwidth = aperture.beamwidth();
    let grid = Grid::around(
        coverage.bounds(),
        MAP_MARGIN * beamwidth,
        MAP_STEP * beamwidth,
    );
    let (x, y): (Vec<f64>, Vec<f64>) = aperture.places().map(|[x, y]| (x, y)).unzip();
    let pattern = Pattern::new(device, grid, aperture.wavenumber(), &x, &y)?;
    let factors = pattern.field(excitation)?;
    Ok((grid, polarized(aperture, &factors, grid.directions())))
}

/// Returns co- and cross-polar fields of array factors, scaled so that |E|² is the directivity.
fn polarized(
    aperture: &Aperture,
    factors: &[Complex64],
    directions: impl Iterator<Item = [f64; 2]>,
) -> [Vec<Complex64>; 2] {
    let size = aperture.scale().sqrt();
    factors
        .iter()
        .zip(directions)
        .map(|(f, [u, v])| {
            let [co, cross] = aperture.element.factor(u, v);
            (f * (size * co), f * (size * cross))
        })
        .unzip::<_, _, Vec<_>, Vec<_>>()
        .into()
}

/// Computes the field along cuts through the normal of the array.
pub(crate) fn cuts(aperture: &Aperture, excitation: &[Complex64]) -> Cuts {
    let (first, step, number) = CUT_THETA;
    let directions: Vec<[f64; 2]> = CUT_PHI
        .iter()
        .flat_map(|phi| {
            (0..number).map(move |i| {
                let sine = (first + step * i as f64).to_radians().sin();
                let phi = phi.to_radians();
                [sine * phi.cos(), sine * phi.sin()]
            })
        })
        .collect();
    let factors = aperture.array_factor(excitation, &directions);
    Cuts {
        phi: CUT_PHI.to_vec(),
        theta: CUT_THETA,
        field: polarized(aperture, &factors, directions.into_iter()),
    }
}
