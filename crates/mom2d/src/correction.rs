//! Local correction: quadrature over panels near the observation point.
//!
//! Where a kernel is singular or nearly singular, the product of kernel and Gauss weight is replaced by weights that integrate
//! the kernel times each of the first q Legendre polynomials to rounding error (L. F. Canino et al., J. Comput. Phys. 146
//! (1998) 627–663). With the moments Mₙ = ∫ K Pₙ ds the weight of node i is wᵢ Σ (n + ½)Pₙ(xᵢ)Mₙ, since the polynomials are
//! orthogonal under the rule.
//!
//! On the panel that contains the point, both sides are integrated with the substitution x′ − x = L u⁵, which makes a
//! logarithm smooth enough for 48 Gauss nodes. The hypersingular kernel is integrated by parts (Maue):
//!
//!   ∫ ∂²G/∂n∂n′ φ ds′ = ∫ ∂G/∂s dφ/ds′ ds′ − [∂G/∂s φ] + k² ∫ n·n′ G φ ds′,
//!
//! where the first integral is a principal value; 1/(x′ − x) is subtracted and added back as a logarithm. Other near panels
//! are bisected until each part is farther away than it is long.

use num_complex::Complex64;
use wavefield_numerics::special::{SpecialError, gauss_legendre};

use crate::boundary::{Boundary, Panel, Rule, legendre, legendre_slopes};
use crate::extension::Extension;
use crate::kernels::Coefficients;
use crate::piece::{dot, minus, norm};
use crate::wave::{Pair, Wave, combination};

/// Distance in panel lengths below which panels are corrected.
pub(crate) const NEAR: f64 = 3.0;
/// Exponent of the substitution at a singular point.
const POWER: i32 = 5;
/// Gauss nodes on each side of a singular point.
const SINGULAR_NODES: usize = 48;
/// Gauss nodes on each part of a near panel; parts are no longer than their distance.
const NEAR_NODES: usize = 20;
/// Maximum number of bisections, after which a point is on the panel to rounding error.
const DEEPEST: usize = 45;

/// Quadrature point on a panel for one observation point.
#[derive(Clone, Copy, Debug)]
struct Sample {
    /// Local coordinate.
    x: f64,
    /// x′ − x on the panel that contains the observation point; unused elsewhere.
    offset: f64,
    /// Weight in the local coordinate.
    weight: f64,
    /// ds/dx.
    speed: f64,
    /// R̂·τ, where τ is the tangent at the observation point.
    tangent: f64,
    pair: Pair,
}

/// All quadrature points on a panel for one observation point.
#[derive(Clone, Debug)]
pub(crate) struct Samples {
    list: Vec<Sample>,
    /// Observation point, if the panel contains it.
    own: Option<OwnPoint>,
}

/// Observation point on its own panel.
#[derive(Clone, Copy, Debug)]
struct OwnPoint {
    /// Local coordinate.
    x: f64,
    /// ds/dx.
    speed: f64,
    /// Ends of the panel relative to the observation point.
    ends: [Sample; 2],
}

/// Hankel functions of a wave at the samples, followed by those at the ends of the panel that contains the observation point.
#[derive(Clone, Debug)]
pub(crate) struct SampledHankel {
    wavenumber: Complex64,
    h0: Vec<Complex64>,
    h1: Vec<Complex64>,
}

/// Observation point.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Observation {
    pub(crate) at: [f64; 2],
    pub(crate) normal: [f64; 2],
    /// Panel and local coordinate of a point on the boundary.
    pub(crate) on: Option<(usize, f64)>,
}

/// Quadrature rules shared by all panels.
#[derive(Clone, Debug)]
pub(crate) struct LocalCorrection {
    singular: (Vec<f64>, Vec<f64>),
    near: (Vec<f64>, Vec<f64>),
}

impl LocalCorrection {
    pub(crate) fn new() -> LocalCorrection {
        LocalCorrection {
            singular: gauss_legendre(SINGULAR_NODES),
            near: gauss_legendre(NEAR_NODES),
        }
    }

    /// Returns the samples of a panel for an observation point.
    pub(crate) fn samples(
        &self,
        boundary: &Boundary,
        panel: usize,
        observation: &Observation,
    ) -> Samples {
        let geometry = &boundary.panels[panel];
        match observation.on {
            Some((own, x)) if own == panel => {
                let velocity = boundary.piece(geometry).velocity(geometry.parameter(x));
                Samples {
                    list: self.own_samples(boundary, geometry, x),
                    own: Some(OwnPoint {
                        x,
                        speed: geometry.half() * norm(velocity),
                        ends: [1.0 - x, -1.0 - x]
                            .map(|offset| own_sample(boundary, geometry, x, offset, 0.0)),
                    }),
                }
            }
            _ => Samples {
                list: self.near_samples(boundary, geometry, observation),
                own: None,
            },
        }
    }

    /// Returns samples on both sides of a point of the panel, graded toward it.
    fn own_samples(&self, boundary: &Boundary, panel: &Panel, x: f64) -> Vec<Sample> {
        let mut samples = Vec::with_capacity(2 * SINGULAR_NODES);
        for length in [1.0 - x, -1.0 - x] {
            for (node, weight) in self.singular.0.iter().zip(&self.singular.1) {
                let u = 0.5 * (node + 1.0);
                let offset = length * u.powi(POWER);
                let weight = 0.5 * weight * length.abs() * f64::from(POWER) * u.powi(POWER - 1);
                samples.push(own_sample(boundary, panel, x, offset, weight));
            }
        }
        samples
    }

    /// Returns samples of a panel that does not contain the observation point.
    fn near_samples(
        &self,
        boundary: &Boundary,
        panel: &Panel,
        observation: &Observation,
    ) -> Vec<Sample> {
        let piece = boundary.piece(panel);
        // On the same smooth piece, differences are evaluated without cancellation.
        let parameter = observation.on.and_then(|(own, x)| {
            let own = &boundary.panels[own];
            (own.body == panel.body && own.piece == panel.piece).then(|| own.parameter(x))
        });
        let tangent = [-observation.normal[1], observation.normal[0]];
        let mut samples = Vec::new();
        let mut parts = vec![(-1.0, 1.0, 0)];
        while let Some((from, to, depth)) = parts.pop() {
            let middle: f64 = 0.5 * (from + to);
            let t = panel.parameter(middle);
            let length = (to - from) * panel.half() * norm(piece.velocity(t));
            let clear = norm(minus(observation.at, piece.position(t))) - 0.5 * length;
            if clear < length && depth < DEEPEST {
                parts.push((middle, to, depth + 1));
                parts.push((from, middle, depth + 1));
                continue;
            }
            for (node, weight) in self.near.0.iter().zip(&self.near.1) {
                let x = middle + 0.5 * (to - from) * node;
                let t = panel.parameter(x);
                let velocity = piece.velocity(t);
                let speed = norm(velocity);
                let normal = [velocity[1] / speed, -velocity[0] / speed];
                let (place, at_source) = match parameter {
                    Some(own) => {
                        let chord = piece.chord(own, t - own);
                        ([-chord[0], -chord[1]], piece.bend(t, own - t) / speed)
                    }
                    None => {
                        let place = minus(observation.at, piece.position(t));
                        (place, dot(place, normal))
                    }
                };
                let distance = norm(place);
                samples.push(Sample {
                    x,
                    offset: 0.0,
                    weight: 0.5 * (to - from) * weight,
                    speed: panel.half() * speed,
                    tangent: dot(place, tangent) / distance,
                    pair: Pair {
                        distance,
                        at_point: dot(place, observation.normal) / distance,
                        at_source: at_source / distance,
                        along: dot(observation.normal, normal),
                    },
                });
            }
        }
        samples
    }
}

/// Returns the sample at x + `offset` for an observation point at x of the same panel.
fn own_sample(boundary: &Boundary, panel: &Panel, x: f64, offset: f64, weight: f64) -> Sample {
    let piece = boundary.piece(panel);
    let own = panel.parameter(x);
    let delta = offset * panel.half();
    let there = own + delta;
    let (velocity, source_velocity) = (piece.velocity(own), piece.velocity(there));
    let (speed, source_speed) = (norm(velocity), norm(source_velocity));
    let chord = piece.chord(own, delta);
    let distance = norm(chord);
    Sample {
        x: x + offset,
        offset,
        weight,
        speed: panel.half() * source_speed,
        tangent: -dot(chord, velocity) / (speed * distance),
        pair: Pair {
            distance,
            at_point: -piece.bend(own, delta) / (speed * distance),
            at_source: piece.bend(there, -delta) / (source_speed * distance),
            along: dot(velocity, source_velocity) / (speed * source_speed),
        },
    }
}

fn to_weight(row: &[f64], moments: &[Complex64]) -> Complex64 {
    row.iter().zip(moments).map(|(a, m)| m * *a).sum()
}

impl Samples {
    /// Returns the Hankel functions of a wave at the samples.
    pub(crate) fn hankel(&self, wave: Wave) -> Result<SampledHankel, SpecialError> {
        let ends = self.own.iter().flat_map(|own| &own.ends);
        let distances: Vec<f64> = (self.list.iter().chain(ends))
            .map(|sample| sample.pair.distance)
            .collect();
        let (h0, h1) = wave.hankel(&distances)?;
        Ok(SampledHankel {
            wavenumber: wave.wavenumber(),
            h0,
            h1,
        })
    }

    /// Returns the weights of a panel's nodes for a combination of kernels without the hypersingular one.
    pub(crate) fn weights(
        &self,
        rule: &Rule,
        hankel: &SampledHankel,
        coefficients: &Coefficients,
    ) -> Vec<Complex64> {
        let moments = self.moments(hankel, coefficients, rule.order());
        (0..rule.order())
            .map(|i| to_weight(rule.to_node(i), &moments))
            .collect()
    }

    /// Returns the weights of the nodes of a panel's extended polynomial for the hypersingular kernel.
    pub(crate) fn hyper_weights(
        &self,
        extension: &Extension,
        hankel: &SampledHankel,
    ) -> Vec<Complex64> {
        let moments = match &self.own {
            Some(own) => self.own_hyper_moments(own, hankel, extension.len()),
            None => {
                let hyper = Coefficients {
                    single: Complex64::ZERO,
                    double: Complex64::ZERO,
                    adjoint: Complex64::ZERO,
                    hyper: Complex64::new(1.0, 0.0),
                };
                self.moments(hankel, &hyper, extension.len())
            }
        };
        (0..extension.len())
            .map(|j| to_weight(extension.to_node(j), &moments))
            .collect()
    }

    /// Returns the moments ∫ K Pₙ ds by quadrature over the samples.
    fn moments(
        &self,
        hankel: &SampledHankel,
        coefficients: &Coefficients,
        order: usize,
    ) -> Vec<Complex64> {
        let k = hankel.wavenumber;
        let mut moments = vec![Complex64::ZERO; order];
        let mut values = vec![0.0; order];
        for (i, sample) in self.list.iter().enumerate() {
            let (h0, h1) = (hankel.h0[i], hankel.h1[i]);
            let kernel =
                combination(k, coefficients, &sample.pair, h0, h1) * (sample.weight * sample.speed);
            legendre(sample.x, &mut values);
            for (moment, value) in moments.iter_mut().zip(&values) {
                *moment += kernel * *value;
            }
        }
        moments
    }

    /// Returns the moments ∫ ∂²G/∂n∂n′ Pₙ ds′ on the panel that contains the point.
    fn own_hyper_moments(
        &self,
        own: &OwnPoint,
        hankel: &SampledHankel,
        order: usize,
    ) -> Vec<Complex64> {
        let (k, x) = (hankel.wavenumber, own.x);
        let quarter = Complex64::new(0.0, 0.25);
        // ∂G/∂s = (jk/4) H₁ R̂·τ; near the point it is c/(x′ − x).
        let derivative = |sample: &Sample, h1: Complex64| quarter * k * h1 * sample.tangent;
        let c = 1.0 / (std::f64::consts::TAU * own.speed);
        let mut values = vec![0.0; order];
        let mut derivatives = vec![0.0; order];
        let mut own_slopes = vec![0.0; order];
        legendre(x, &mut values);
        legendre_slopes(&values, &mut own_slopes);
        let principal = c * ((1.0 - x) / (1.0 + x)).ln();
        let mut moments: Vec<Complex64> = own_slopes
            .iter()
            .map(|p| Complex64::new(principal * p, 0.0))
            .collect();
        for (i, sample) in self.list.iter().enumerate() {
            legendre(sample.x, &mut values);
            legendre_slopes(&values, &mut derivatives);
            let steep = derivative(sample, hankel.h1[i]) * sample.weight;
            let pole = c * sample.weight / sample.offset;
            let along = sample.pair.along * sample.weight * sample.speed;
            let flat = -quarter * k * k * hankel.h0[i] * along;
            for n in 0..order {
                moments[n] += steep * derivatives[n] - pole * own_slopes[n] + flat * values[n];
            }
        }
        let ends = &hankel.h1[self.list.len()..];
        let [right, left] = [
            derivative(&own.ends[0], ends[0]),
            derivative(&own.ends[1], ends[1]),
        ];
        for (n, moment) in moments.iter_mut().enumerate() {
            let sign = if n % 2 == 0 { 1.0 } else { -1.0 };
            *moment -= right - left * sign;
        }
        moments
    }
}
