//! Scattering of a plane wave by a sphere (Mie series): PEC, dielectric, or coated with any number of layers.
//!
//! In a layer, each partial wave n has a radial function u(kr) = ψₙ + Aζₙ. Continuity of the tangential fields makes η
//! u′/u (TM, electric multipoles) and u′/(ηu) (TE, magnetic multipoles) continuous, so one number per order and
//! polarization is propagated outward from the core. At the outer surface it determines the coefficients
//!
//!   aₙ = (pψ − qψ′)/(pζ − qζ′) with p/q = u′/u just outside.
//!
//! A PEC core has u′ = 0 for TM (aₙ = ψ′/ζ′) and u = 0 for TE (bₙ = ψ/ζ). The amplitudes are
//! S₁ = Σ (2n+1)/(n(n+1)) (aₙπₙ + bₙτₙ) and S₂ with π and τ exchanged, with
//! E_s = e^{−jkr}/(jkr) · S · E_i. Bohren & Huffman, ch. 4 and 8, with the time dependence
//! changed to e^{+jωt}.

use std::f64::consts::PI;

use num_complex::Complex64;

use super::{ExactError, MAX_INSIDE, MAX_OUTSIDE, limited, passive, positive};
use crate::constants::vacuum_wavenumber;
use crate::direction::Direction;
use crate::far_field::ScatteringMatrix;
use crate::medium::Medium;
use wavefield_numerics::special::{MieAngular, RiccatiFunctions, series_length};
use wavefield_numerics::vector::{Vector, cross, dot, norm, scaled};

/// Material of the innermost part of a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Core {
    /// Perfect electric conductor.
    Pec,
    /// A penetrable medium.
    Medium(Medium),
}

/// A layer around the core.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Layer {
    /// Outer radius of the layer, in m.
    pub outer_radius: f64,
    /// Medium of the layer.
    pub medium: Medium,
}

/// A sphere at the origin, possibly coated.
#[derive(Clone, Debug, PartialEq)]
pub struct Sphere {
    /// Radius of the core, in m.
    pub core_radius: f64,
    /// Material of the core.
    pub core: Core,
    /// Layers around the core, from inside to outside.
    pub coatings: Vec<Layer>,
}

impl Sphere {
    /// Creates a PEC sphere.
    pub fn pec(radius: f64) -> Sphere {
        Sphere {
            core_radius: radius,
            core: Core::Pec,
            coatings: Vec::new(),
        }
    }

    /// Creates a homogeneous dielectric sphere.
    pub fn dielectric(radius: f64, medium: Medium) -> Sphere {
        Sphere {
            core_radius: radius,
            core: Core::Medium(medium),
            coatings: Vec::new(),
        }
    }

    /// Returns the outer radius in m.
    pub fn outer_radius(&self) -> f64 {
        self.coatings
            .last()
            .map_or(self.core_radius, |coating| coating.outer_radius)
    }

    fn check(&self) -> Result<(), ExactError> {
        let mut inner = positive("the radius of the sphere", self.core_radius)?;
        if let Core::Medium(medium) = &self.core {
            passive(medium)?;
        }
        for (index, coating) in self.coatings.iter().enumerate() {
            positive("the radius of a layer", coating.outer_radius)?;
            if coating.outer_radius < inner {
                return Err(ExactError::LayersOutOfOrder {
                    layer: index + 1,
                    outer: coating.outer_radius,
                    inner,
                });
            }
            passive(&coating.medium)?;
            inner = coating.outer_radius;
        }
        Ok(())
    }
}

/// Partial-wave (Mie) coefficients of a sphere at one frequency.
#[derive(Clone, Debug)]
pub struct MieSeries {
    wavenumber: f64,
    electric: Vec<Complex64>,
    magnetic: Vec<Complex64>,
}

/// Logarithmic derivative u′/u of a partial wave as p/q, which avoids a division by zero at nodes and extrema.
#[derive(Clone, Copy)]
struct Slope {
    p: Complex64,
    q: Complex64,
}

const ONE: Complex64 = Complex64::new(1.0, 0.0);

impl Slope {
    /// Propagates u′/u across a layer from z₁ to z₂.
    fn through(self, n: usize, inner: &RiccatiFunctions, outer: &RiccatiFunctions) -> Slope {
        let quotient = inner
            .psi(n)
            .times(outer.zeta(n))
            .divide(inner.zeta(n).times(outer.psi(n)))
            .value();
        let (d1, d3) = (inner.psi_log_derivative(n), inner.zeta_log_derivative(n));
        let mixture = -quotient * (self.p - self.q * d1) / (self.p - self.q * d3);
        Slope {
            p: outer.psi_log_derivative(n) + mixture * outer.zeta_log_derivative(n),
            q: ONE + mixture,
        }
    }

    /// Propagates u′/u across an interface: η u′/u is continuous for TM; for TE the impedances are exchanged.
    fn across(self, inside: Complex64, outside: Complex64) -> Slope {
        Slope {
            p: self.p * inside,
            q: self.q * outside,
        }
    }
}

impl MieSeries {
    /// Computes the coefficients at a frequency in Hz.
    pub fn new(sphere: &Sphere, frequency: f64) -> Result<MieSeries, ExactError> {
        sphere.check()?;
        let wavenumber = vacuum_wavenumber(positive("the frequency", frequency)?);
        let size = wavenumber * sphere.outer_radius();
        limited("the sphere", size, MAX_OUTSIDE)?;
        let inside = match &sphere.core {
            Core::Pec => 0.0,
            Core::Medium(medium) => {
                (medium.refractive_index() * wavenumber * sphere.core_radius).norm()
            }
        };
        limited("the interior of the sphere", inside, MAX_INSIDE)?;
        for coating in &sphere.coatings {
            let across =
                (coating.medium.refractive_index() * wavenumber * coating.outer_radius).norm();
            limited("a coating of the sphere", across, MAX_INSIDE)?;
        }
        let count = series_length(size);
        let (mut tm, mut te, mut impedance) = core_slopes(sphere, wavenumber, count)?;
        let mut inner_radius = sphere.core_radius;
        for coating in &sphere.coatings {
            let (index, next) = (
                coating.medium.refractive_index(),
                coating.medium.relative_impedance(),
            );
            let inner = RiccatiFunctions::new(count, index * wavenumber * inner_radius)?;
            let outer = RiccatiFunctions::new(count, index * wavenumber * coating.outer_radius)?;
            for n in 1..=count {
                tm[n - 1] = tm[n - 1].across(impedance, next).through(n, &inner, &outer);
                te[n - 1] = te[n - 1].across(next, impedance).through(n, &inner, &outer);
            }
            impedance = next;
            inner_radius = coating.outer_radius;
        }
        let outside = RiccatiFunctions::new(count, Complex64::new(size, 0.0))?;
        let coefficient = |n: usize, derivative: Slope| {
            let (psi, psi_prime) = (outside.psi(n).value(), outside.psi_prime(n).value());
            let (zeta, zeta_prime) = (outside.zeta(n).value(), outside.zeta_prime(n).value());
            (derivative.p * psi - derivative.q * psi_prime)
                / (derivative.p * zeta - derivative.q * zeta_prime)
        };
        Ok(MieSeries {
            wavenumber,
            electric: (1..=count)
                .map(|n| coefficient(n, tm[n - 1].across(impedance, ONE)))
                .collect(),
            magnetic: (1..=count)
                .map(|n| coefficient(n, te[n - 1].across(ONE, impedance)))
                .collect(),
        })
    }

    /// Returns the number of partial waves.
    pub fn len(&self) -> usize {
        self.electric.len()
    }

    /// Returns whether there are no partial waves, which is never the case.
    pub fn is_empty(&self) -> bool {
        self.electric.is_empty()
    }

    /// Returns the electric multipole coefficients a₁, a₂, ….
    pub fn electric(&self) -> &[Complex64] {
        &self.electric
    }

    /// Returns the magnetic multipole coefficients b₁, b₂, ….
    pub fn magnetic(&self) -> &[Complex64] {
        &self.magnetic
    }

    /// Returns the amplitudes (S₁, S₂) at scattering angle θ in radians from the forward direction: S₁ for E
    /// perpendicular to the scattering plane, S₂ for E in it.
    pub fn amplitudes(&self, theta: f64) -> (Complex64, Complex64) {
        self.sum(MieAngular::new(theta))
    }

    fn sum(&self, angular: MieAngular) -> (Complex64, Complex64) {
        let (mut s1, mut s2) = (Complex64::ZERO, Complex64::ZERO);
        let waves = self.electric.iter().zip(&self.magnetic);
        for (order, ((a, b), (pi, tau))) in waves.zip(angular).enumerate() {
            let n = (order + 1) as f64;
            let weight = (2.0 * n + 1.0) / (n * (n + 1.0));
            s1 += weight * (a * pi + b * tau);
            s2 += weight * (a * tau + b * pi);
        }
        (s1, s2)
    }

    /// Returns the scattering matrix for incidence from `from` and observation at `to`.
    pub fn scattering(&self, from: Direction, to: Direction) -> ScatteringMatrix {
        let travel = scaled(from.unit(), -1.0);
        let out = to.unit();
        let perpendicular = normal_of_plane(travel, out, from);
        // sin²(θ/2) and cos²(θ/2) from the half difference and half sum of the unit vectors keep full precision near
        // the forward and backward directions, where the cosine loses it.
        let half = |sign: f64| -> f64 {
            (0..3)
                .map(|i| (travel[i] + sign * out[i]).powi(2))
                .sum::<f64>()
                / 4.0
        };
        let (s1, s2) = self.sum(MieAngular::from_half_angle(half(-1.0), half(1.0)));
        let parallel_in = cross(travel, perpendicular);
        let parallel_out = cross(out, perpendicular);
        let scale = 1.0 / Complex64::new(0.0, self.wavenumber);
        let element = |received: Vector, transmitted: Vector| {
            scale
                * (s2 * dot(transmitted, parallel_in) * dot(received, parallel_out)
                    + s1 * dot(transmitted, perpendicular) * dot(received, perpendicular))
        };
        let (vt, ht) = (from.theta_hat(), from.phi_hat());
        let (vr, hr) = (to.theta_hat(), to.phi_hat());
        ScatteringMatrix::from_amplitude(
            element(vr, vt),
            element(vr, ht),
            element(hr, vt),
            element(hr, ht),
        )
    }

    /// Returns the current times η on a PEC sphere at the point in the given direction, for a wave of unit amplitude
    /// incident from `from` with its electric field along `polarization`.
    ///
    /// For propagation along z and E along x, with Eₙ = (−j)ⁿ(2n+1)/(n(n+1)), the radial functions on the surface
    /// reduce to 1/ζ and 1/ζ′ (the Wronskian is −j):
    ///
    ///   ηJ_θ = −(j cosφ/ka) Σ Eₙ [jπₙ/ζₙ − τₙ/ζₙ′],  ηJ_φ = (j sinφ/ka) Σ Eₙ [jτₙ/ζₙ − πₙ/ζₙ′].
    ///
    /// # Errors
    /// The electrical size of the sphere is out of range.
    pub fn conductor_current(
        radius: f64,
        frequency: f64,
        from: Direction,
        polarization: Vector,
        points: &[Direction],
    ) -> Result<Vec<[Complex64; 3]>, ExactError> {
        let size = vacuum_wavenumber(positive("the frequency", frequency)?)
            * positive("the radius of the sphere", radius)?;
        limited("the sphere", size, MAX_OUTSIDE)?;
        let count = series_length(size);
        let functions = RiccatiFunctions::new(count, Complex64::new(size, 0.0))?;
        let j = Complex64::new(0.0, 1.0);
        let mut turn = ONE;
        let weights: Vec<(Complex64, Complex64)> = (1..=count)
            .map(|n| {
                turn *= -j;
                let order = n as f64;
                let weight = turn * (2.0 * order + 1.0) / (order * (order + 1.0));
                (
                    weight / functions.zeta(n).value(),
                    weight / functions.zeta_prime(n).value(),
                )
            })
            .collect();
        let z = scaled(from.unit(), -1.0);
        let y = cross(z, polarization);
        Ok(points
            .iter()
            .map(|point| {
                let out = point.unit();
                let along = [dot(out, polarization), dot(out, y), dot(out, z)];
                let own = Direction::from_vector(along);
                let (mut theta, mut phi) = (Complex64::ZERO, Complex64::ZERO);
                for ((te, tm), (pi, tau)) in weights.iter().zip(MieAngular::new(own.theta)) {
                    theta -= j * pi * te - tau * tm;
                    phi += j * tau * te - pi * tm;
                }
                let (sin, cos) = own.phi.sin_cos();
                let (theta, phi) = (theta * j * cos / size, phi * j * sin / size);
                let (at, ap) = (own.theta_hat(), own.phi_hat());
                std::array::from_fn(|axis| {
                    let to =
                        |v: Vector| v[0] * polarization[axis] + v[1] * y[axis] + v[2] * z[axis];
                    theta * to(at) + phi * to(ap)
                })
            })
            .collect())
    }

    /// Returns the scattered E and ηH at a point outside the sphere, for a wave of unit amplitude incident from `from`
    /// with its electric field along `polarization`.
    ///
    /// For propagation along z and E along x, with ρ = kr and Eₙ = (−j)ⁿ(2n+1)/(n(n+1)), E = −Σ Eₙ (j aₙ **N**ₑ + bₙ
    /// **M**ₒ) and ηH = Σ Eₙ (aₙ **M**ₑ − j bₙ **N**ₒ), where
    ///
    ///   **M** = (ζₙ/ρ) [πₙ (cosφ, −sinφ) θ̂ − τₙ (sinφ, cosφ) φ̂] for (o, e),
    ///   **N** = n(n+1) sinθ πₙ (ζₙ/ρ²) (cosφ, sinφ) r̂ + (ζₙ′/ρ) [τₙ (cosφ, sinφ) θ̂ + πₙ (−sinφ, cosφ) φ̂] for (e, o).
    ///
    /// # Errors
    /// The point is too close to the center for the Riccati–Bessel functions.
    pub fn scattered_field(
        &self,
        from: Direction,
        polarization: Vector,
        point: Vector,
    ) -> Result<[[Complex64; 3]; 2], ExactError> {
        let rho = self.wavenumber * dot(point, point).sqrt();
        let functions = RiccatiFunctions::new(self.len(), Complex64::new(rho, 0.0))?;
        let j = Complex64::new(0.0, 1.0);
        let z = scaled(from.unit(), -1.0);
        let y = cross(z, polarization);
        let own = Direction::from_vector([dot(point, polarization), dot(point, y), dot(point, z)]);
        let (sin, cos) = own.phi.sin_cos();
        // Components along r̂, θ̂, and φ̂, without the factors cosφ or sinφ.
        let (mut e, mut h) = ([Complex64::ZERO; 3], [Complex64::ZERO; 3]);
        let mut turn = ONE;
        let series = self.electric.iter().zip(&self.magnetic);
        for (n, ((a, b), (pi, tau))) in (1..).zip(series.zip(MieAngular::new(own.theta))) {
            turn *= -j;
            let order = n as f64;
            let weight = turn * (2.0 * order + 1.0) / (order * (order + 1.0));
            let (zeta, derivative) = (functions.zeta(n).value(), functions.zeta_prime(n).value());
            let (m, across) = (weight * zeta / rho, weight * derivative / rho);
            let out = order * (order + 1.0) * own.theta.sin() * pi * m / rho;
            e[0] -= j * a * out;
            e[1] -= j * a * across * tau + b * m * pi;
            e[2] += j * a * across * pi + b * m * tau;
            h[0] -= j * b * out;
            h[1] -= j * b * across * tau + a * m * pi;
            h[2] -= j * b * across * pi + a * m * tau;
        }
        let axes = [own.unit(), own.theta_hat(), own.phi_hat()];
        let turned = |field: [Complex64; 3]| {
            std::array::from_fn(|axis| {
                (0..3)
                    .map(|part| {
                        let v = axes[part];
                        field[part] * (v[0] * polarization[axis] + v[1] * y[axis] + v[2] * z[axis])
                    })
                    .sum()
            })
        };
        Ok([
            turned([e[0] * cos, e[1] * cos, e[2] * sin]),
            turned([h[0] * sin, h[1] * sin, h[2] * cos]),
        ])
    }

    /// Returns the extinction cross section (2π/k²) Σ (2n+1) Re(aₙ + bₙ) in m².
    pub fn extinction(&self) -> f64 {
        self.weighted(|a, b| (a + b).re)
    }

    /// Returns the total scattering cross section (2π/k²) Σ (2n+1) (|aₙ|² + |bₙ|²) in m².
    pub fn total_scattering(&self) -> f64 {
        self.weighted(|a, b| a.norm_sqr() + b.norm_sqr())
    }

    fn weighted(&self, term: impl Fn(Complex64, Complex64) -> f64) -> f64 {
        let sum: f64 = self
            .electric
            .iter()
            .zip(&self.magnetic)
            .enumerate()
            .map(|(i, (&a, &b))| (2 * i + 3) as f64 * term(a, b))
            .sum();
        2.0 * PI / (self.wavenumber * self.wavenumber) * sum
    }
}

/// Returns the logarithmic derivatives of both polarizations inside the surface of the core, and their reference
/// impedance.
fn core_slopes(
    sphere: &Sphere,
    wavenumber: f64,
    count: usize,
) -> Result<(Vec<Slope>, Vec<Slope>, Complex64), ExactError> {
    match &sphere.core {
        Core::Pec => Ok((
            vec![
                Slope {
                    p: Complex64::ZERO,
                    q: ONE
                };
                count
            ],
            vec![
                Slope {
                    p: ONE,
                    q: Complex64::ZERO
                };
                count
            ],
            ONE,
        )),
        Core::Medium(medium) => {
            let argument = medium.refractive_index() * wavenumber * sphere.core_radius;
            let inside = RiccatiFunctions::new(count, argument)?;
            let derivatives: Vec<Slope> = (1..=count)
                .map(|n| Slope {
                    p: inside.psi_log_derivative(n),
                    q: ONE,
                })
                .collect();
            Ok((
                derivatives.clone(),
                derivatives,
                medium.relative_impedance(),
            ))
        }
    }
}

/// Returns the unit normal of the scattering plane; in the forward and backward directions, where the plane is
/// arbitrary, the V vector.
fn normal_of_plane(travel: Vector, out: Vector, from: Direction) -> Vector {
    let normal = cross(travel, out);
    let length = norm(normal);
    if length > 1e-9 {
        return scaled(normal, 1.0 / length);
    }
    from.theta_hat()
}
