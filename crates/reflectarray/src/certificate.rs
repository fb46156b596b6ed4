//! Upper bounds on the directivity for any phases, with given array and amplitudes.
//!
//! **Minimum directivity.** Let A_w = s Σ w_p f*_p f_pᵀ, so that xᴴA_wx = Σ w_p D_p. For any weights w ≥ 0, Σw
//! = 1, over directions of the coverage, and any y > 0,
//!
//! D_min ≤ Σ w_p D_p = xᴴA_wx ≤ μ Σ aₙ²yₙ, μ = λ_max of M_pq = s√(w_p w_q) Σₙ f_pn f*_qn / yₙ,
//!
//! for every x with |xₙ| = aₙ, since μ·diag(y) − A_w is positive semidefinite. M is computed with the exact
//! steering vectors, so that the bound holds regardless of approximations in w and y; since the directions lie
//! in the coverage, it holds for the minimum over the whole coverage.
//!
//! Tight w and y come from a low-rank relaxation, in which each element has a vector of m phasors instead of
//! one (S. Burer, R. D. C. Monteiro, Math. Program. 95 (2003) 329–357). Its minimum directivity is maximized
//! with multipliers on the directions, which become w; yₙ follows from its stationarity conditions.
//!
//! **Mean directivity.** D_mean = xᴴMx is at most λ_max(M)Σaₙ² for any excitation of that power, and by the
//! same dual bound for |xₙ| = aₙ.

use faer::{Mat, Side};
use num_complex::Complex64;
use serde::{Deserialize, Serialize};
use wavefield_numerics::observe::{Observer, Progress};
use wavefield_physics::far_field::power_db;

use crate::aperture::Aperture;
use crate::beam::Beam;
use crate::descent::descend;
use crate::error::Error;
use crate::window::{Operator, Window};

/// Phasors per element of the relaxation.
const PHASORS: usize = 6;
const MEMORY: usize = 12;
/// Sharpness of the soft minimum and iterations before multipliers are used.
const WARM_UP: [(f64, usize); 2] = [(5.0, 30), (15.0, 30)];
/// Rounds of multiplier updates, sharpness, and iterations of each.
const ROUNDS: usize = 12;
const SHARPNESS: f64 = 20.0;
const ITERATIONS: usize = 30;
/// Lower limit on the logarithm of a weight relative to the largest.
const MIN_LOG: f64 = -40.0;
/// Weights below this fraction of the largest are removed before the final descent.
const DROPPED: f64 = 1e-4;
const POLISH: usize = 80;
/// Roundoff of an eigenvalue of a matrix with some hundred rows.
const ROUNDING: f64 = 1e-9;

/// An upper bound on the minimum directivity.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MinimumBound {
    /// Upper bound on the minimum directivity over the coverage for any phases, dBi.
    pub bound_dbi: f64,
    /// Minimum directivity of the relaxation, dBi, a lower limit on bounds of this kind.
    pub relaxed_dbi: f64,
    /// Directions with nonzero weight.
    pub directions: Vec<[f64; 2]>,
    /// Weights of the directions.
    pub weights: Vec<f64>,
}

/// Upper bounds on the mean directivity.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct MeanBound {
    /// Bound for any excitation of the captured power, dBi.
    pub eigenvalue_dbi: f64,
    /// Bound for the given amplitudes, dBi.
    pub bound_dbi: f64,
}

/// Computes the bound on the minimum directivity over the beam's directions.
///
/// # Errors
/// Returns an error if the run is cancelled or an eigenvalue decomposition fails.
pub(crate) fn minimum(beam: &Beam<'_>, observer: &dyn Observer) -> Result<MinimumBound, Error> {
    let relaxed = Relaxed { beam };
    let aperture = beam.aperture;
    let mut at = relaxed.start();
    let weight = |_| beam.diagonal.iter().flat_map(|&h| [h, h]);
    let diagonal: Vec<f64> = (0..PHASORS).flat_map(weight).collect();
    let mut log_weights = vec![0.0; beam.operator.directions().len()];
    for (sharpness, iterations) in WARM_UP {
        let goal =
            |z: &[f64], gradient: &mut [f64]| relaxed.soft(z, &log_weights, sharpness, gradient);
        descend(goal, &mut at, iterations, MEMORY, &diagonal);
    }
    let mut reached = 0.0_f64;
    for round in 0..ROUNDS {
        observer.checkpoint()?;
        observer.progress(&Progress::new(
            "minimum directivity bound",
            round as u64,
            ROUNDS as u64,
        ));
        let goal =
            |z: &[f64], gradient: &mut [f64]| relaxed.soft(z, &log_weights, SHARPNESS, gradient);
        descend(goal, &mut at, ITERATIONS, MEMORY, &diagonal);
        let vectors = relaxed.vectors(&at);
        at = relaxed.normalized(&vectors);
        let directivity = relaxed.directivity(&relaxed.fields(&beam.operator, &vectors));
        reached = reached.max(directivity.iter().copied().fold(f64::INFINITY, f64::min));
        for (log, d) in log_weights.iter_mut().zip(&directivity) {
            *log -= SHARPNESS * d / beam.reference;
        }
        let most = log_weights
            .iter()
            .copied()
            .fold(f64::NEG_INFINITY, f64::max);
        for log in &mut log_weights {
            *log = (*log - most).max(MIN_LOG);
        }
    }
    // Small weights are removed first, so that y fits the remaining weights.
    let kept: Vec<usize> = (0..log_weights.len())
        .filter(|&p| log_weights[p] > DROPPED.ln())
        .collect();
    let sum: f64 = kept.iter().map(|&p| log_weights[p].exp()).sum();
    let weights: Vec<f64> = kept.iter().map(|&p| log_weights[p].exp() / sum).collect();
    let directions: Vec<[f64; 2]> = kept
        .iter()
        .map(|&p| beam.operator.directions()[p])
        .collect();
    let operator = Operator::new(beam.operator.window(), directions.clone());
    let goal = |z: &[f64], gradient: &mut [f64]| relaxed.weighted(&operator, z, &weights, gradient);
    descend(goal, &mut at, POLISH, MEMORY, &diagonal);
    let vectors = relaxed.vectors(&at);
    let fields = relaxed.fields(&operator, &vectors);
    let back = relaxed.back(&operator, &fields, &weights);
    // y = Re⟨(A_wV)ₙ, Vₙ⟩/aₙ².
    let mut y: Vec<f64> = vec![0.0; aperture.len()];
    for (back, vector) in back.iter().zip(&vectors) {
        for ((y, g), (v, a)) in y
            .iter_mut()
            .zip(back)
            .zip(vector.iter().zip(&aperture.amplitude))
        {
            *y += 0.5 * (g.conj() * v).re / (a * a);
        }
    }
    let most = y.iter().copied().fold(0.0, f64::max);
    for y in &mut y {
        *y = y.max(1e-12 * most);
    }
    let bound = dual(aperture, &directions, &weights, &y)?;
    Ok(MinimumBound {
        bound_dbi: power_db(bound),
        relaxed_dbi: power_db(reached),
        directions,
        weights,
    })
}

/// Evaluates the dual bound μ Σ aₙ²yₙ, valid for any weights of sum one and any positive y.
///
/// # Errors
/// Returns an error if the eigenvalue decomposition fails.
pub fn dual(
    aperture: &Aperture,
    directions: &[[f64; 2]],
    weights: &[f64],
    y: &[f64],
) -> Result<f64, Error> {
    let (k, scale) = (aperture.wavenumber(), aperture.scale());
    let root: Vec<f64> = y.iter().map(|y| 1.0 / y.sqrt()).collect();
    // Rows √(s w_p) f_pn / √yₙ.
    let rows: Vec<Vec<Complex64>> = directions
        .iter()
        .zip(weights)
        .map(|(&[u, v], w)| {
            let size = (scale * w).sqrt() * aperture.element.factor(u, v)[0];
            let places = aperture.places().zip(&root);
            places
                .map(|([x, y], root)| Complex64::from_polar(size * root, k * (u * x + v * y)))
                .collect()
        })
        .collect();
    let products = Mat::from_fn(rows.len(), rows.len(), |p, q| {
        if p < q {
            return Complex64::ZERO;
        }
        rows[p]
            .iter()
            .zip(&rows[q])
            .map(|(a, b)| a * b.conj())
            .sum()
    });
    let largest = largest_eigenvalue(&products)?;
    let power: f64 = aperture
        .amplitude
        .iter()
        .zip(y)
        .map(|(a, y)| a * a * y)
        .sum();
    Ok(largest * power * (1.0 + ROUNDING))
}

/// Computes bounds on the mean directivity over uniformly distributed directions.
///
/// # Errors
/// Returns an error if an eigenvalue decomposition fails.
pub(crate) fn mean(
    aperture: &Aperture,
    window: &Window,
    directions: &[[f64; 2]],
) -> Result<MeanBound, Error> {
    let rank = window.rank();
    let count = directions.len();
    let gram =
        window.gram(directions) * faer::Scale(Complex64::from(aperture.scale() / count as f64));
    let eigen = gram
        .self_adjoint_eigen(Side::Lower)
        .map_err(|_| Error::NoEigenvalues)?;
    let (values, vectors) = (eigen.S().column_vector(), eigen.U());
    let power: f64 = aperture.amplitude.iter().map(|a| a * a).sum();
    let eigenvalue = values[rank - 1].re * power;

    // x ← a·phase(U M Uᵀ x) never decreases the mean.
    let mut back = vec![Complex64::ZERO; aperture.len()];
    let first: Vec<Complex64> = (0..rank).map(|i| vectors[(i, rank - 1)]).collect();
    window.expand(&first, &mut back);
    let mut coefficients = vec![Complex64::ZERO; rank];
    let most = aperture.amplitude.iter().copied().fold(0.0, f64::max);
    let mut excitation: Vec<Complex64> = vec![Complex64::ZERO; aperture.len()];
    for _ in 0..MEAN_ITERATIONS {
        let mut change = 0.0_f64;
        for ((x, g), &a) in excitation.iter_mut().zip(&back).zip(&aperture.amplitude) {
            let turned = Complex64::from_polar(a, g.arg());
            change = change.max((turned - *x).norm());
            *x = turned;
        }
        window.compress(&excitation, &mut coefficients);
        let product: Vec<Complex64> = (0..rank)
            .map(|i| (0..rank).map(|j| gram[(i, j)] * coefficients[j]).sum())
            .collect();
        window.expand(&product, &mut back);
        if change < MEAN_CHANGE * most {
            break;
        }
    }
    let y: Vec<f64> = back
        .iter()
        .zip(&aperture.amplitude)
        .map(|(g, a)| (g.norm() / a).max(f64::MIN_POSITIVE))
        .collect();
    // μ of M^½ Uᵀ diag(1/y) U M^½.
    let metric = window.metric(&y);
    let root = Mat::from_fn(rank, rank, |i, j| {
        (0..rank)
            .map(|m| vectors[(i, m)] * values[m].re.max(0.0).sqrt() * vectors[(j, m)].conj())
            .sum::<Complex64>()
    });
    let product = &root * (&metric * &root);
    let largest = largest_eigenvalue(&product)?;
    let bound: f64 = largest
        * aperture
            .amplitude
            .iter()
            .zip(&y)
            .map(|(a, y)| a * a * y)
            .sum::<f64>();
    Ok(MeanBound {
        eigenvalue_dbi: power_db(eigenvalue),
        bound_dbi: power_db(bound * (1.0 + ROUNDING)),
    })
}

const MEAN_ITERATIONS: usize = 2000;
const MEAN_CHANGE: f64 = 1e-8;

/// Returns the largest eigenvalue of a Hermitian matrix given by its lower triangle.
fn largest_eigenvalue(matrix: &Mat<Complex64>) -> Result<f64, Error> {
    let values = matrix
        .self_adjoint_eigenvalues(Side::Lower)
        .map_err(|_| Error::NoEigenvalues)?;
    values
        .into_iter()
        .reduce(f64::max)
        .ok_or(Error::NoEigenvalues)
}

/// Low-rank relaxation: every element has a vector of phasors of length aₙ, Vₙ = aₙzₙ/|zₙ|. Variables are the
/// real and imaginary parts of z, phasor by phasor.
struct Relaxed<'a, 'b> {
    beam: &'a Beam<'b>,
}

impl Relaxed<'_, '_> {
    /// Returns random combinations of the steering vectors as a start.
    fn start(&self) -> Vec<f64> {
        let mut random = Random(0x9e37_79b9_7f4a_7c15);
        let count = self.beam.operator.directions().len();
        let vectors: Vec<Vec<Complex64>> = (0..PHASORS)
            .map(|_| {
                let mix: Vec<Complex64> = (0..count).map(|_| random.phasor()).collect();
                self.beam.operator.adjoint(&mix)
            })
            .collect();
        self.normalized(&vectors)
    }

    /// Normalizes vectors to z of unit length.
    fn normalized(&self, vectors: &[Vec<Complex64>]) -> Vec<f64> {
        let n = self.beam.aperture.len();
        let mut lengths = vec![0.0; n];
        for vector in vectors {
            for (length, v) in lengths.iter_mut().zip(vector) {
                *length += v.norm_sqr();
            }
        }
        let divided = |(v, length): (&Complex64, &f64)| {
            let z = v / length.sqrt().max(f64::MIN_POSITIVE);
            [z.re, z.im]
        };
        vectors
            .iter()
            .flat_map(|vector| vector.iter().zip(&lengths).flat_map(divided))
            .collect()
    }

    /// Returns 1/|zₙ|.
    fn shortening(&self, z: &[f64]) -> Vec<f64> {
        let n = self.beam.aperture.len();
        let mut lengths = vec![0.0; n];
        for phasor in z.chunks_exact(2 * n) {
            for (length, pair) in lengths.iter_mut().zip(phasor.chunks_exact(2)) {
                *length += pair[0] * pair[0] + pair[1] * pair[1];
            }
        }
        lengths
            .into_iter()
            .map(|l| 1.0 / l.sqrt().max(f64::MIN_POSITIVE))
            .collect()
    }

    fn vectors(&self, z: &[f64]) -> Vec<Vec<Complex64>> {
        let amplitude = &self.beam.aperture.amplitude;
        let shortening = self.shortening(z);
        z.chunks_exact(2 * amplitude.len())
            .map(|phasor| {
                let pairs = phasor
                    .chunks_exact(2)
                    .zip(amplitude.iter().zip(&shortening));
                pairs
                    .map(|(z, (a, s))| Complex64::new(z[0], z[1]) * (a * s))
                    .collect()
            })
            .collect()
    }

    fn fields(&self, operator: &Operator, vectors: &[Vec<Complex64>]) -> Vec<Vec<Complex64>> {
        vectors
            .iter()
            .map(|vector| operator.field(vector))
            .collect()
    }

    /// Returns the directivities D_p = s Σ_c |F_cp|².
    fn directivity(&self, fields: &[Vec<Complex64>]) -> Vec<f64> {
        let scale = self.beam.aperture.scale();
        (0..fields[0].len())
            .map(|p| scale * fields.iter().map(|f| f[p].norm_sqr()).sum::<f64>())
            .collect()
    }

    /// Computes 2s Aᴴ(qF), the gradient with respect to V of a function with the derivatives q by directivity.
    fn back(
        &self,
        operator: &Operator,
        fields: &[Vec<Complex64>],
        by_directivity: &[f64],
    ) -> Vec<Vec<Complex64>> {
        let scale = 2.0 * self.beam.aperture.scale();
        fields
            .iter()
            .map(|field| {
                let pairs = field.iter().zip(by_directivity);
                operator.adjoint(&pairs.map(|(f, q)| f * (scale * q)).collect::<Vec<_>>())
            })
            .collect()
    }

    /// Computes the gradient with respect to z: (G − V Re⟨G, V⟩/a²)·a/|z|.
    fn gradient(
        &self,
        z: &[f64],
        vectors: &[Vec<Complex64>],
        back: &[Vec<Complex64>],
        gradient: &mut [f64],
    ) {
        let amplitude = &self.beam.aperture.amplitude;
        let n = amplitude.len();
        let shortening = self.shortening(z);
        let mut along = vec![0.0; n];
        for (g, v) in back.iter().zip(vectors) {
            for ((along, g), v) in along.iter_mut().zip(g).zip(v) {
                *along += g.re * v.re + g.im * v.im;
            }
        }
        for ((gradient, g), v) in gradient.chunks_exact_mut(2 * n).zip(back).zip(vectors) {
            for i in 0..n {
                let a = amplitude[i];
                let tangent = (g[i] - v[i] * (along[i] / (a * a))) * (a * shortening[i]);
                gradient[2 * i] = tangent.re;
                gradient[2 * i + 1] = tangent.im;
            }
        }
    }

    /// Evaluates (1/β) ln Σ e^{l_p − βd_p} and its gradient.
    fn soft(&self, z: &[f64], log_weights: &[f64], sharpness: f64, gradient: &mut [f64]) -> f64 {
        let beam = self.beam;
        let vectors = self.vectors(z);
        let fields = self.fields(&beam.operator, &vectors);
        let exponents: Vec<f64> = self
            .directivity(&fields)
            .iter()
            .zip(log_weights)
            .map(|(d, log)| log - sharpness * d / beam.reference)
            .collect();
        let most = exponents.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let sum: f64 = exponents.iter().map(|e| (e - most).exp()).sum();
        let by_directivity: Vec<f64> = exponents
            .iter()
            .map(|e| -(e - most).exp() / (sum * beam.reference))
            .collect();
        let back = self.back(&beam.operator, &fields, &by_directivity);
        self.gradient(z, &vectors, &back, gradient);
        (most + sum.ln()) / sharpness
    }

    /// Evaluates −Σ w_p D_p relative to the reference, and its gradient.
    fn weighted(
        &self,
        operator: &Operator,
        z: &[f64],
        weights: &[f64],
        gradient: &mut [f64],
    ) -> f64 {
        let reference = self.beam.reference;
        let vectors = self.vectors(z);
        let fields = self.fields(operator, &vectors);
        let directivity = self.directivity(&fields);
        let by_directivity: Vec<f64> = weights.iter().map(|w| -w / reference).collect();
        let back = self.back(operator, &fields, &by_directivity);
        self.gradient(z, &vectors, &back, gradient);
        -directivity
            .iter()
            .zip(weights)
            .map(|(d, w)| d * w)
            .sum::<f64>()
            / reference
    }
}

/// The generator SplitMix64 (G. L. Steele, D. Lea, C. H. Flood, OOPSLA 2014).
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^= z >> 31;
        (z >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Returns a complex number with Gaussian parts.
    fn phasor(&mut self) -> Complex64 {
        let (size, angle) = (1.0 - self.next(), self.next());
        Complex64::from_polar(
            (-2.0 * size.ln()).sqrt(),
            2.0 * std::f64::consts::PI * angle,
        )
    }
}
