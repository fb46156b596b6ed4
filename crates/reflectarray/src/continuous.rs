//! First stage: continuous aperture with free amplitudes.
//!
//! Over the coverage an aperture of this size is described by C, some hundred coefficients of the window's
//! bases, with the directivity D_p = 4πA|Σ K_pc C_c|²/(λ²|C|²) and the cell area A. With free amplitudes the
//! soft minimum has few local optima. The phase of the best one starts the phase synthesis, and its amplitude
//! relative to the illumination gives initial cell sizes if spacings are free.

use num_complex::Complex64;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use wavefield_numerics::observe::{Cancelled, Observer, Progress};
use wavefield_physics::far_field::power_db;

use crate::aperture::Aperture;
use crate::beam::{Beam, soft_minimum};
use crate::descent::descend;

const MEMORY: usize = 12;
/// Sharpness of the soft minimum and iterations.
const SCHEDULE: [(f64, usize); 4] = [(5.0, 60), (15.0, 60), (50.0, 60), (150.0, 100)];

/// Quadratic starting phases: factors of x² and y² relative to the phase that fills the coverage.
const STARTS: [[f64; 2]; 4] = [[0.6, 0.6], [0.6, -0.6], [-0.6, 0.6], [-0.6, -0.6]];

/// An excitation with free amplitudes.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Continuous {
    /// Excitation of a uniform array, relative to a beam toward the center of the window.
    pub(crate) excitation: Vec<Complex64>,
    /// Minimum directivity over the beam's directions, dBi.
    pub(crate) least_dbi: f64,
    /// Number of field evaluations.
    pub(crate) fields: usize,
}

/// Synthesizes the best excitation of a uniform array.
pub(crate) fn synthesize(
    beam: &Beam<'_>,
    half_widths: [f64; 2],
    observer: &dyn Observer,
) -> Result<Continuous, Cancelled> {
    observer.progress(&Progress::new("continuous aperture", 0, 1));
    let found: Vec<(f64, Vec<f64>, usize)> = STARTS
        .par_iter()
        .map(|&factors| {
            observer.checkpoint()?;
            Ok(follow(
                beam,
                &quadratic(beam.aperture, half_widths, factors),
            ))
        })
        .collect::<Result<_, Cancelled>>()?;
    let fields = found.iter().map(|(_, _, fields)| fields).sum();
    let (_, best, _) = found
        .into_iter()
        .reduce(|best, other| if other.0 < best.0 { other } else { best })
        .expect("there is always a start");
    let coefficients = complex(&best);
    let mut excitation = vec![Complex64::ZERO; beam.aperture.len()];
    beam.operator
        .window()
        .expand(&coefficients, &mut excitation);
    let (_, directivity) = directivity(beam, &coefficients);
    let least = directivity.into_iter().fold(f64::INFINITY, f64::min);
    Ok(Continuous {
        excitation,
        least_dbi: power_db(least),
        fields,
    })
}

/// Returns the phases k·R·(c_x b_u ξ²/2 + c_y b_v η²/2), which in ray optics spread the beam over the fraction
/// c of the half widths b of the coverage.
pub(crate) fn quadratic(aperture: &Aperture, half_widths: [f64; 2], factors: [f64; 2]) -> Vec<f64> {
    let k = aperture.wavenumber();
    let reach = |places: &[f64]| places.iter().fold(0.0_f64, |most, p| most.max(p.abs()));
    let (rx, ry) = (reach(&aperture.columns), reach(&aperture.rows));
    let curvature = [
        factors[0] * half_widths[0] / rx,
        factors[1] * half_widths[1] / ry,
    ];
    aperture
        .places()
        .map(|[x, y]| 0.5 * k * (curvature[0] * x * x + curvature[1] * y * y))
        .collect()
}

/// Optimizes from one start; returns the final value, its coefficients, and the number of field evaluations.
fn follow(beam: &Beam<'_>, phases: &[f64]) -> (f64, Vec<f64>, usize) {
    let window = beam.operator.window();
    let mut coefficients = vec![Complex64::ZERO; window.rank()];
    window.compress(&beam.aperture.excitation(phases), &mut coefficients);
    let size = coefficients.iter().map(Complex64::norm_sqr).sum::<f64>();
    let unit = (coefficients.len() as f64 / size).sqrt();
    let mut at: Vec<f64> = coefficients
        .iter()
        .flat_map(|c| [unit * c.re, unit * c.im])
        .collect();
    let diagonal = vec![1.0; at.len()];
    let (mut value, mut fields) = (f64::INFINITY, 0);
    for (sharpness, iterations) in SCHEDULE {
        let goal = |at: &[f64], gradient: &mut [f64]| {
            fields += 1;
            goal(beam, at, sharpness, gradient)
        };
        value = descend(goal, &mut at, iterations, MEMORY, &diagonal);
    }
    (value, at, fields)
}

fn complex(at: &[f64]) -> Vec<Complex64> {
    let pairs = at.as_chunks::<2>().0.iter();
    pairs.map(|&[re, im]| Complex64::new(re, im)).collect()
}

/// Returns fields and directivities of coefficients.
fn directivity(beam: &Beam<'_>, coefficients: &[Complex64]) -> (Vec<Complex64>, Vec<f64>) {
    let aperture = beam.aperture;
    let size: f64 = coefficients.iter().map(Complex64::norm_sqr).sum();
    let scale =
        4.0 * std::f64::consts::PI * aperture.cell_area(0) / (aperture.wavelength.powi(2) * size);
    let field = beam.operator.field_of(coefficients);
    let directivity = field.iter().map(|f| scale * f.norm_sqr()).collect();
    (field, directivity)
}

/// Evaluates the negative soft minimum of the normalized directivities and its gradient: with q = ∂f/∂D, ∂f/∂C*
/// = (s Σ q_p K*_p F_p − C Σ q_p D_p)/|C|².
fn goal(beam: &Beam<'_>, at: &[f64], sharpness: f64, gradient: &mut [f64]) -> f64 {
    let coefficients = complex(at);
    let (mut field, directivity) = directivity(beam, &coefficients);
    let (value, weights) = soft_minimum(&directivity, beam.reference, sharpness);
    let size: f64 = coefficients.iter().map(Complex64::norm_sqr).sum();
    let aperture = beam.aperture;
    let scale = 4.0 * std::f64::consts::PI * aperture.cell_area(0) / aperture.wavelength.powi(2);
    let mut weighted = 0.0;
    for ((f, w), d) in field.iter_mut().zip(&weights).zip(&directivity) {
        let q = -w / beam.reference;
        weighted += q * d;
        *f *= q * scale;
    }
    let back = beam.operator.adjoint_of(&field);
    for ((gradient, h), c) in gradient
        .as_chunks_mut::<2>()
        .0
        .iter_mut()
        .zip(&back)
        .zip(&coefficients)
    {
        let by = (h - c * weighted) * (2.0 / size);
        *gradient = [by.re, by.im];
    }
    value
}
