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
/// Cells along the longer side of the image of the map, about those of a screen, and tolerance of their field.
const IMAGE_CELLS: usize = 480;
const IMAGE_TOLERANCE: f64 = 1e-9;
/// Memory of the transform of a cell of the image, of its fields, and of its drawing, bytes, measured.
const BYTES_PER_CELL: usize = 100;
/// φ of the cuts, and first θ, step, and number of points of each, degrees.
const CUT_PHI: [f64; 4] = [0.0, 45.0, 90.0, 135.0];
const CUT_THETA: (f64, f64, usize) = (-30.0, 0.1, 601);

/// Returns the grid of the map around the coverage.
fn map_grid(aperture: &Aperture, coverage: &Coverage) -> Grid {
    let beamwidth = aperture.beamwidth();
    let (margin, step) = (MAP_MARGIN * beamwidth, MAP_STEP * beamwidth);
    Grid::around(coverage.bounds(), margin, step)
}

/// Returns the grid of the image of a map.
fn image_grid(map: &Grid) -> Grid {
    let longest = map.counts[0].max(map.counts[1]);
    map.refined((IMAGE_CELLS / longest).max(1))
}

/// Predicts the memory of the image of the map, bytes.
pub(crate) fn memory(aperture: &Aperture, coverage: &Coverage) -> usize {
    let [rows, columns] = image_grid(&map_grid(aperture, coverage)).counts;
    rows * columns * BYTES_PER_CELL
}

/// Computes the field around the coverage.
pub(crate) fn map(
    device: &Device,
    aperture: &Aperture,
    excitation: &[Complex64],
    coverage: &Coverage,
) -> Result<(Grid, [Vec<Complex64>; 2]), Error> {
    let grid = map_grid(aperture, coverage);
    let (x, y): (Vec<f64>, Vec<f64>) = aperture.places().map(|[x, y]| (x, y)).unzip();
    let pattern = Pattern::new(device, grid, aperture.wavenumber(), &x, &y)?;
    let factors = pattern.field(excitation)?;
    Ok((grid, polarized(aperture, &factors, grid.directions())))
}

/// Computes the co-polar directivity over a map on a finer grid that contains it: the array factor itself, without
/// interpolation.
pub(crate) fn image(
    device: &Device,
    aperture: &Aperture,
    excitation: &[Complex64],
    map: &Grid,
) -> Result<(Grid, Vec<f64>), Error> {
    let grid = image_grid(map);
    let (x, y): (Vec<f64>, Vec<f64>) = aperture.places().map(|[x, y]| (x, y)).unzip();
    let wavenumber = aperture.wavenumber();
    let pattern = Pattern::with_tolerance(device, grid, wavenumber, &x, &y, IMAGE_TOLERANCE)?;
    let factors = pattern.field(excitation)?;
    let [co, _] = polarized(aperture, &factors, grid.directions());
    Ok((grid, co.iter().map(Complex64::norm_sqr).collect()))
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coverage::{CoverageSpec, EllipseUv};
    use crate::element::Element;
    use crate::feed::Feed;
    use wavefield_gpu::DeviceChoice;
    use wavefield_physics::quantity::Angle;

    #[test]
    fn the_image_contains_the_map_and_is_exact_between() {
        let feed = Feed {
            position: [0.0, -3.0, 8.0],
            exponent: 6.0,
        };
        let aperture = Aperture::new(1.0, feed, Element::Aperture, &[0.5; 15], &[0.5; 15]);
        let spec = CoverageSpec {
            ellipse: Some(EllipseUv {
                center: [0.05, 0.1],
                semi_axes: [0.2, 0.14],
                rotation: Angle::from_degrees(20.0),
            }),
            ..CoverageSpec::default()
        };
        let coverage = Coverage::new(&spec, None).unwrap();
        let device = Device::open(&DeviceChoice::Cpu, Some(1)).unwrap();
        let phases: Vec<f64> = (0..aperture.len())
            .map(|n| (n as f64 * 1.7).sin())
            .collect();
        let excitation = aperture.excitation(&phases);
        let (grid, [co, _]) = map(&device, &aperture, &excitation, &coverage).unwrap();
        let (fine, image) = image(&device, &aperture, &excitation, &grid).unwrap();
        let factor = (fine.counts[0] - 1) / (grid.counts[0] - 1);
        assert!(factor > 1, "{:?} {:?}", grid.counts, fine.counts);
        assert!(fine.counts.iter().all(|&count| count <= IMAGE_CELLS));
        let peak = image.iter().copied().fold(0.0, f64::max);
        // The tolerance of the transform, relative to the sum of all excitations.
        let close = |found: f64, wanted: f64| (found - wanted).abs() < 1e-6 * peak;
        for (n, field) in co.iter().enumerate() {
            let (i, j) = (n / grid.counts[1], n % grid.counts[1]);
            let found = image[factor * i * fine.counts[1] + factor * j];
            assert!(close(found, field.norm_sqr()), "{i} {j}");
        }
        let directions: Vec<[f64; 2]> = fine.directions().collect();
        for n in (0..image.len()).step_by(997) {
            let factors = aperture.array_factor(&excitation, &directions[n..=n]);
            let [exact, _] = polarized(&aperture, &factors, directions[n..=n].iter().copied());
            assert!(close(image[n], exact[0].norm_sqr()), "{n}");
        }
    }
}
