//! Polar format algorithm for ISAR images: sum over frequencies and angles at every pixel.
//!
//! Samples lie at wave vectors K = 2kŝ in k-space, on arcs around the origin of their plane. With dK the area of
//! the plane per sample (∝ k for uniform steps of frequency and angle) and w the windows over both,
//!
//! I(r) = Σ w dK S e^{−jK·r} / Σ w dK.
//!
//! The classical algorithm interpolates the arcs onto a Cartesian grid for an FFT (J. L. Walker, IEEE Trans.
//! Aerosp. Electron. Syst. 16 (1980) 23–52); here a nonuniform FFT (NUFFT) evaluates the sum at the original
//! samples to ten digits. The point response is independent of position.
//!
//! A sweep of φ at θ ≠ 90° lies on a cone outside the plane of the central direction: K is projected onto that
//! plane, the slant plane of the radar.

use num_complex::Complex64;
use wavefield_gpu::Device;
use wavefield_nufft::{Options, Plan, Sign};

use super::angular_aperture::AngularAperture;
use super::band::Band;
use super::error::ProductError;
use super::frame::Frame;
use super::grid::Grid;
use super::window::Window;
use wavefield_numerics::vector::{dot, scaled};

/// Tolerance of the NUFFT relative to the peak of the image.
const TOLERANCE: f64 = 1e-10;

/// Samples of an image in k-space with their weights.
#[derive(Clone, Debug)]
pub struct PolarFormat {
    frame: Frame,
    /// K along cross-range and down-range, rad/m, ordered by frequency and then by angle.
    vectors: Vec<[f64; 2]>,
    /// Weights of the samples; their sum is one.
    weights: Vec<f64>,
}

impl PolarFormat {
    /// Creates the samples of a sweep.
    pub fn new(band: &Band, turn: &AngularAperture, window: Window) -> PolarFormat {
        let frame = turn.frame();
        let count = band.count * turn.directions().len();
        let (mut vectors, mut weights) = (Vec::with_capacity(count), Vec::with_capacity(count));
        let over_angle = window.weights(turn.directions().len());
        for (k, over_frequency) in band.wavenumbers().zip(window.weights(band.count)) {
            for (direction, over_angle) in turn.directions().iter().zip(&over_angle) {
                let vector = scaled(*direction, 2.0 * k);
                vectors.push([dot(frame.across, vector), -dot(frame.toward, vector)]);
                weights.push(k * over_frequency * over_angle);
            }
        }
        let total: f64 = weights.iter().sum();
        for weight in &mut weights {
            *weight /= total;
        }
        PolarFormat {
            frame,
            vectors,
            weights,
        }
    }

    /// Returns the frame of the image plane.
    pub fn frame(&self) -> Frame {
        self.frame
    }

    /// Returns the wave vectors of the samples along cross-range and down-range, rad/m.
    pub fn vectors(&self) -> &[[f64; 2]] {
        &self.vectors
    }

    /// Returns the weights of the samples; their sum is one.
    pub fn weights(&self) -> &[f64] {
        &self.weights
    }

    /// Returns the samples of a point of unit amplitude at a cross-range and a down-range.
    pub fn point(&self, place: [f64; 2]) -> impl Iterator<Item = Complex64> + '_ {
        self.vectors
            .iter()
            .map(move |k| Complex64::cis(k[0] * place[0] + k[1] * place[1]))
    }

    /// Evaluates the image at one position by the direct sum.
    pub fn at(&self, samples: &[Complex64], place: [f64; 2]) -> Complex64 {
        let terms = self.point(place).zip(&self.weights).zip(samples);
        terms
            .map(|((wave, weight), sample)| sample * wave.conj() * weight)
            .sum()
    }

    /// Plans images on a grid.
    ///
    /// # Errors
    /// Returns an error if the transform cannot be planned.
    pub fn imager(&self, device: &Device, grid: &Grid) -> Result<Imager<'_>, ProductError> {
        let options = Options {
            tolerance: TOLERANCE,
            sign: Sign::Minus,
            ..Options::default()
        };
        let [columns, rows] = grid.count;
        let mut plan = Plan::new(device, &[rows, columns], &options)?;
        let along = |axis: usize| -> Vec<f64> {
            let places = self.vectors.iter().map(|k| k[axis] * grid.step[axis]);
            places.collect()
        };
        plan.set_points(&[&along(1), &along(0)])?;
        // Index 0 of the transform is the central pixel.
        let middle = grid.at([columns / 2, rows / 2]);
        let strengths = self
            .point(middle)
            .zip(&self.weights)
            .map(|(wave, weight)| wave.conj() * weight)
            .collect();
        Ok(Imager {
            plan,
            strengths,
            cells: grid.cells(),
            format: self,
        })
    }
}

/// Planned transform of samples to images on one grid.
#[derive(Debug)]
pub struct Imager<'a> {
    plan: Plan<f64>,
    /// Weights of the samples with the phase of the grid center.
    strengths: Vec<Complex64>,
    cells: usize,
    pub(super) format: &'a PolarFormat,
}

impl Imager<'_> {
    /// Computes the image of samples ordered by frequency; pixels are row by row.
    ///
    /// # Errors
    /// Returns an error if the transform fails.
    pub fn image(&self, samples: &[Complex64]) -> Result<Vec<Complex64>, ProductError> {
        let weighted: Vec<Complex64> = (self.strengths.iter().zip(samples))
            .map(|(strength, sample)| strength * sample)
            .collect();
        let mut cells = vec![Complex64::ZERO; self.cells];
        self.plan.type1(&weighted, &mut cells)?;
        Ok(cells)
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use wavefield_gpu::DeviceChoice;
    use wavefield_physics::direction::Direction;

    pub(in super::super) fn device() -> Device {
        Device::open(&DeviceChoice::Cpu, Some(1)).unwrap()
    }

    pub(in super::super) fn sweep(theta: f64, width_degrees: f64) -> (Band, AngularAperture) {
        let band = Band {
            first: 9e9,
            step: 4e7,
            count: 48,
        };
        let directions: Vec<Direction> = (0..56)
            .map(|n| Direction::from_degrees(theta, 30.0 + width_degrees * f64::from(n) / 56.0))
            .collect();
        (band, AngularAperture::new(&directions).unwrap())
    }

    /// Returns the samples of point scatterers in space over a sweep.
    pub(in super::super) fn seen(
        band: &Band,
        turn: &AngularAperture,
        points: &[([f64; 3], Complex64)],
    ) -> Vec<Complex64> {
        band.wavenumbers()
            .flat_map(|k| turn.directions().iter().map(move |s| (k, s)))
            .map(|(k, s)| {
                let waves = points
                    .iter()
                    .map(|(r, a)| a * Complex64::cis(2.0 * k * dot(*s, *r)));
                waves.sum()
            })
            .collect()
    }

    /// Returns an element of a low-discrepancy sequence in 0 … 1.
    pub(in super::super) fn scrambled(number: u32) -> f64 {
        (f64::from(number) * 0.754_877_666_246_693).fract()
    }

    #[test]
    fn images_are_the_matched_filter_of_points_in_the_plane() {
        let (band, turn) = sweep(90.0, 20.0);
        let points: Vec<([f64; 3], Complex64)> = (1..12)
            .map(|n| {
                let place = [0, 1].map(|axis| 3.0 * scrambled(5 * n + axis) - 1.5);
                let amplitude = Complex64::cis(f64::from(n)) * (0.2 + scrambled(n));
                ([place[0], place[1], 0.0], amplitude)
            })
            .collect();
        let samples = seen(&band, &turn, &points);
        let format = PolarFormat::new(&band, &turn, Window::Taylor);
        let grid = Grid::over([-1.7, -2.0], [1.9, 2.2], [0.03, 0.05]).unwrap();
        let image = format
            .imager(&device(), &grid)
            .unwrap()
            .image(&samples)
            .unwrap();
        let largest = image.iter().map(|v| v.norm()).fold(0.0, f64::max);
        assert!(largest > 0.5, "{largest}");
        // Direct sum of the definition: Σ w k S e^{−2jkŝ·r}/Σ w k.
        let (over_f, over_a) = (Window::Taylor.weights(48), Window::Taylor.weights(56));
        for cell in (0..grid.cells()).step_by(397) {
            let r = format.frame().point(grid.place(cell));
            let (mut sum, mut total) = (Complex64::ZERO, 0.0);
            for (n, k) in band.wavenumbers().enumerate() {
                for (m, s) in turn.directions().iter().enumerate() {
                    let weight = over_f[n] * over_a[m] * k;
                    sum += samples[n * 56 + m] * Complex64::cis(-2.0 * k * dot(*s, r)) * weight;
                    total += weight;
                }
            }
            // The NUFFT has ten digits in root mean square; a single pixel may exceed that.
            assert!((image[cell] - sum / total).norm() < 1e-8 * largest);
        }
    }

    #[test]
    fn a_point_reads_its_amplitude_and_is_as_wide_as_said() {
        for theta in [90.0, 60.0] {
            let (band, turn) = sweep(theta, 4.0);
            let format = PolarFormat::new(&band, &turn, Window::None);
            let place = [0.4, -0.7];
            let amplitude = Complex64::from_polar(2.0, 0.5);
            let samples = seen(&band, &turn, &[(format.frame().point(place), amplitude)]);
            assert!((format.at(&samples, place) - amplitude).norm() < 1e-10);
            // Full width at half maximum of sin x/x: 0.886 cells, in both directions.
            let cells = [turn.resolution(&band), band.resolution()];
            for axis in [0, 1] {
                let off = |d: f64| {
                    let mut place = place;
                    place[axis] += d * cells[axis];
                    format.at(&samples, place).norm_sqr() / amplitude.norm_sqr()
                };
                let half = (1..2000)
                    .map(|i| 1e-3 * f64::from(i))
                    .find(|d| off(*d) < 0.5);
                let width = 2.0 * half.unwrap();
                // The support in k-space is a sector, not a rectangle: an aperture of 4° changes the width by
                // parts in a thousand.
                assert!((width - 0.886).abs() < 0.01, "axis {axis}: {width}");
                // The linear weight k over the band partially fills the null.
                assert!(off(1.0) < 5e-3, "first zero: {}", off(1.0));
            }
        }
    }

    #[test]
    fn what_is_farther_than_the_unambiguous_cross_range_comes_back() {
        let (band, turn) = sweep(90.0, 4.0);
        let format = PolarFormat::new(&band, &turn, Window::Taylor);
        let samples = seen(&band, &turn, &[([0.0; 3], Complex64::ONE)]);
        let fold = turn.unambiguous(&band);
        let around = |center: f64| {
            let all = (-40..=40).map(|i| format.at(&samples, [center + 0.02 * f64::from(i), 0.0]));
            all.map(Complex64::norm).fold(0.0, f64::max)
        };
        assert!((around(0.0) - 1.0).abs() < 1e-12);
        // The alias is smeared over the wavelengths of the band, yet far above any sidelobe.
        assert!(around(1.05 * fold) > 0.1, "{}", around(1.05 * fold));
        assert!(around(0.6 * fold) < 0.03, "{}", around(0.6 * fold));
    }
}
