//! Scattering centers by CLEAN: the peak of the image is recorded and subtracted from the sweep, repeatedly.
//!
//! J. Tsao, B. D. Steinberg, IEEE Trans. Antennas Propag. 36 (1988) 543–556 (CLEAN for radar images). A point is
//! subtracted from the samples rather than from the image, so that its position is not tied to a pixel. A final
//! RELAX stage reestimates each center from the residual of the others (J. Li, P. Stoica, IEEE Trans. Signal
//! Process. 44 (1996) 281–295), which removes the bias by their sidelobes from its position and amplitude.

use num_complex::Complex64;

use super::error::ProductError;
use super::grid::Grid;
use super::polar_format::{Imager, PolarFormat};

/// Scattering center.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Center {
    /// Position: cross-range and down-range, m.
    pub place: [f64; 2],
    /// Amplitude √σ·e^{j phase}, m.
    pub amplitude: Complex64,
}

/// Maximum number of Newton steps toward a peak; three suffice from within a pixel.
const STEPS: usize = 8;

/// Number of RELAX rounds; each reduces the error due to sidelobes by about the sidelobe level.
const ROUNDS: usize = 3;

/// Returns the scattering centers of a sweep in order of decreasing amplitude: at most `count`, with a dynamic
/// range of `below_peak` decibels. They lie on `grid`, the grid of `imager`.
///
/// # Errors
/// Returns an error if the transform fails.
pub fn centers(
    imager: &Imager<'_>,
    grid: &Grid,
    samples: &[Complex64],
    count: usize,
    below_peak: f64,
) -> Result<Vec<Center>, ProductError> {
    let format = imager.format;
    let mut left = samples.to_vec();
    let mut found: Vec<Center> = Vec::new();
    let mut least = 0.0;
    while found.len() < count {
        let image = imager.image(&left)?;
        let brightest = image
            .iter()
            .enumerate()
            .max_by(|a, b| a.1.norm_sqr().total_cmp(&b.1.norm_sqr()));
        let Some((cell, _)) = brightest else { break };
        let place = top(format, &left, grid.place(cell), grid.step);
        let amplitude = format.at(&left, place);
        if found.is_empty() {
            least = amplitude.norm() * 10f64.powf(-below_peak / 20.0);
        }
        if amplitude.norm() <= least {
            break;
        }
        let center = Center { place, amplitude };
        take(format, &mut left, &center, -1.0);
        found.push(center);
    }
    for _ in 0..ROUNDS {
        for center in &mut found {
            take(format, &mut left, center, 1.0);
            center.place = top(format, &left, center.place, grid.step);
            center.amplitude = format.at(&left, center.place);
            take(format, &mut left, center, -1.0);
        }
    }
    // A center hidden by the sidelobes of a stronger one may exceed earlier ones after RELAX.
    found.sort_by(|a, b| b.amplitude.norm_sqr().total_cmp(&a.amplitude.norm_sqr()));
    Ok(found)
}

/// Adds a center to samples, or subtracts it.
fn take(format: &PolarFormat, samples: &mut [Complex64], center: &Center, sign: f64) {
    let amplitude = center.amplitude * sign;
    for (sample, wave) in samples.iter_mut().zip(format.point(center.place)) {
        *sample += amplitude * wave;
    }
}

/// Returns the maximum of |I|² near a pixel by Newton's method, or the best position so far where it does not
/// ascend.
fn top(format: &PolarFormat, samples: &[Complex64], start: [f64; 2], cell: [f64; 2]) -> [f64; 2] {
    let mut place = start;
    let mut highest = format.at(samples, place).norm_sqr();
    for _ in 0..STEPS {
        let Some(step) = newton_step(format, samples, place) else {
            break;
        };
        let next = [0, 1].map(|axis| {
            let wanted = place[axis] + step[axis];
            wanted.clamp(start[axis] - cell[axis], start[axis] + cell[axis])
        });
        let height = format.at(samples, next).norm_sqr();
        if height <= highest {
            break;
        }
        (place, highest) = (next, height);
    }
    place
}

/// Returns the Newton step to the zero of the gradient of |I|², if that is a maximum.
fn newton_step(format: &PolarFormat, samples: &[Complex64], place: [f64; 2]) -> Option<[f64; 2]> {
    // Subtracting the mean wave vector changes the phase of I only.
    let mut mean = [0.0; 2];
    for (k, weight) in format.vectors().iter().zip(format.weights()) {
        mean = [0, 1].map(|axis| mean[axis] + k[axis] * weight);
    }
    // I, its gradient, and its second derivatives xx, xy, yy.
    let mut value = Complex64::ZERO;
    let mut first = [Complex64::ZERO; 2];
    let mut second = [Complex64::ZERO; 3];
    let terms = format.vectors().iter().zip(format.weights());
    for (((k, weight), wave), sample) in terms.zip(format.point(place)).zip(samples) {
        let term = sample * wave.conj() * weight;
        let [x, y] = [0, 1].map(|axis| k[axis] - mean[axis]);
        value += term;
        first[0] -= Complex64::I * term * x;
        first[1] -= Complex64::I * term * y;
        second[0] -= term * (x * x);
        second[1] -= term * (x * y);
        second[2] -= term * (y * y);
    }
    let gradient = first.map(|d| 2.0 * (value.conj() * d).re);
    let curvature = |d: Complex64, a: usize, b: usize| {
        2.0 * ((value.conj() * d).re + (first[a].conj() * first[b]).re)
    };
    let [xx, xy, yy] = [
        curvature(second[0], 0, 0),
        curvature(second[1], 0, 1),
        curvature(second[2], 1, 1),
    ];
    let determinant = xx * yy - xy * xy;
    (xx < 0.0 && determinant > 0.0).then(|| {
        [
            -(yy * gradient[0] - xy * gradient[1]) / determinant,
            -(xx * gradient[1] - xy * gradient[0]) / determinant,
        ]
    })
}

#[cfg(test)]
mod tests {
    use super::super::polar_format::tests::{device, seen, sweep};
    use super::super::window::Window;
    use super::*;

    #[test]
    fn three_points_are_found_to_a_fraction_of_a_cell() {
        let (band, turn) = sweep(90.0, 10.0);
        let format = PolarFormat::new(&band, &turn, Window::Taylor);
        let cells = [turn.resolution(&band), band.resolution()];
        // Positions in resolution cells, levels in dB, and phases.
        let asked = [
            ([0.3, 0.2], 0.0, 0.4),
            ([4.37, 1.71], -6.0, -2.0),
            ([-3.12, -5.43], -20.0, 3.0),
        ]
        .map(|([x, y], decibels, phase)| Center {
            place: [x * cells[0], y * cells[1]],
            amplitude: Complex64::from_polar(10f64.powf(decibels / 20.0), phase),
        });
        let points = asked.map(|c| (format.frame().point(c.place), c.amplitude));
        let samples = seen(&band, &turn, &points);
        let reach = [0, 1].map(|axis| 8.0 * cells[axis]);
        let grid = Grid::over(reach.map(|r| -r), reach, cells.map(|c| 0.5 * c)).unwrap();
        let imager = format.imager(&device(), &grid).unwrap();
        let found = centers(&imager, &grid, &samples, 20, 30.0).unwrap();
        assert_eq!(found.len(), 3, "{found:?}");
        for (found, asked) in found.iter().zip(&asked) {
            for axis in [0, 1] {
                let off = (found.place[axis] - asked.place[axis]) / cells[axis];
                assert!(off.abs() < 1e-3, "{off} cells");
            }
            // The phase of the carrier depends on the position: a thousandth of a cell is half a degree.
            assert!((found.amplitude / asked.amplitude - 1.0).norm() < 0.01);
        }
        // At most the requested number, and none in an empty sweep.
        assert_eq!(centers(&imager, &grid, &samples, 2, 30.0).unwrap().len(), 2);
        let empty = vec![Complex64::ZERO; samples.len()];
        assert!(centers(&imager, &grid, &empty, 5, 30.0).unwrap().is_empty());
    }
}
