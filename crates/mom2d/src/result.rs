//! Results of the solver.

use std::fmt;

use num_complex::Complex64;
use wavefield_physics::constants::VACUUM_IMPEDANCE;
use wavefield_physics::exact::cylinder::Polarization;
use wavefield_physics::far_field::scattering_width;

use crate::certificate::current;
use crate::error::Error;
use crate::field;
use crate::interpolation;
use crate::system::{SurfaceFields, System};

/// Solution of a run: one case per frequency and polarization.
#[derive(Clone, Debug)]
pub struct Solution {
    /// Cases, with the polarization varying fastest.
    pub cases: Vec<Case>,
}

/// One frequency and polarization.
#[derive(Clone, Debug)]
pub struct Case {
    /// Frequency, Hz.
    pub frequency: f64,
    /// Polarization: the field component along the bodies.
    pub polarization: Polarization,
    /// Number of unknowns.
    pub unknowns: usize,
    /// Incidence angles φ, radians.
    pub incidences: Vec<f64>,
    /// Index of the incidence and observation angle φ in radians, for every far-field amplitude.
    pub aspects: Vec<(usize, f64)>,
    /// Far-field amplitudes f of u_s = √(2/πkρ) e^{−j(kρ−π/4)} f, with the phase origin at the origin of coordinates.
    pub amplitudes: Vec<Complex64>,
    /// Estimates of the error.
    pub checks: Checks,
    pub(crate) system: System,
    pub(crate) fields: Vec<SurfaceFields>,
}

/// Error estimates of a case.
#[derive(Clone, Debug, PartialEq)]
pub struct Checks {
    /// Estimate of the condition number in the 1-norm; `None` with GMRES.
    pub condition: Option<f64>,
    /// Largest number of matrix–vector products of an incidence, with GMRES and with iterative refinement.
    pub iterations: Option<usize>,
    /// Extinction error: the largest total field inside closed bodies over the incident one, zero for the exact current;
    /// `None` without a closed body.
    pub extinction: Option<f64>,
    /// Deviation from a second solution on other panels.
    pub refinement: Option<Refinement>,
    /// Deviation from the exact series, for a single circle.
    pub exact: Option<Deviation>,
    /// Assessment that follows from these checks.
    pub verdict: Verdict,
}

/// Second solution and its deviation from the first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Refinement {
    /// Number of unknowns of the second solution.
    pub unknowns: usize,
    /// Deviation. If the second solution has fewer unknowns, it is the error of the second, an upper bound of the first's;
    /// otherwise it approximates the error of the first.
    pub deviation: Deviation,
}

/// Deviation of two solutions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Deviation {
    /// Maximum difference of the current at the nodes, over the maximum current.
    pub current_max: f64,
    /// Mean difference of the current along the curves, over the mean current.
    pub current_mean: f64,
    /// Maximum difference of the far-field amplitude, over the maximum amplitude.
    pub amplitude: f64,
    /// Maximum difference of the scattering width in dB, over directions within 30 dB of the maximum.
    pub rcs_db: f64,
}

/// Assessment of a solution.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Verdict {
    /// All checks passed; the estimated relative error of the current.
    Trusted(f64),
    /// The estimated relative error of the current exceeds 1 %: the discretization is too coarse.
    Coarse(f64),
    /// Interior resonance: the extinction error is large and the matrix is nearly singular. The current is wrong; use the
    /// CFIE.
    Resonant {
        /// Extinction error.
        extinction: f64,
        /// Estimate of the condition number.
        condition: f64,
    },
    /// No check applies: an open strip without a second solution.
    Unchecked,
}

/// Limit of the relative error of the current.
const COARSE: f64 = 1e-2;
/// Condition number above which a large extinction error indicates an interior resonance; typical values are some thousands.
const SINGULAR: f64 = 1e5;

/// Condition number that indicates an interior resonance at any extinction error, except on panels graded to corners and ends.
const HOPELESS: f64 = 1e10;
/// Extinction error above which discretization alone is not the cause.
const SPURIOUS: f64 = 1e-3;

impl Verdict {
    pub(crate) fn of(
        condition: Option<f64>,
        extinction: Option<f64>,
        refinement: Option<&Refinement>,
        sharp: bool,
        combined: bool,
    ) -> Verdict {
        let between = refinement.map(|r| {
            // At corners and ends the current may be infinite, so its mean is compared.
            if sharp {
                r.deviation.current_mean
            } else {
                r.deviation.current_max
            }
        });
        if let (Some(extinction), Some(condition)) = (extinction, condition)
            && !combined
            && ((condition > SINGULAR && extinction > SPURIOUS) || (condition > HOPELESS && !sharp))
        {
            return Verdict::Resonant {
                extinction,
                condition,
            };
        }
        let worst = [between, extinction].into_iter().flatten().reduce(f64::max);
        match worst {
            None => Verdict::Unchecked,
            Some(error) if error <= COARSE => Verdict::Trusted(error),
            Some(error) => Verdict::Coarse(error),
        }
    }

    /// Returns whether the error of the current is below its limit.
    pub fn is_trusted(&self) -> bool {
        matches!(self, Verdict::Trusted(_))
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Verdict::Trusted(error) => write!(f, "relative error of the current {error:.1e}"),
            Verdict::Coarse(error) => write!(
                f,
                "relative error of the current {error:.1e}; increase `points_per_wavelength`"
            ),
            Verdict::Resonant {
                extinction,
                condition,
            } => write!(
                f,
                "interior resonance: extinction error {extinction:.1e}, condition \
                 number {condition:.1e}; use the CFIE"
            ),
            Verdict::Unchecked => write!(f, "error not estimated; set `mom2d.error_estimate`"),
        }
    }
}

/// Point on a contour.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContourPoint {
    /// Index of the curve.
    pub body: usize,
    /// Arc length from the start of the curve, m.
    pub arc: f64,
    /// Position, m.
    pub position: [f64; 2],
    /// Unit normal: outward from a closed body, to the right of the direction of a strip.
    pub normal: [f64; 2],
}

impl Case {
    /// Returns the wavenumber outside, rad/m.
    pub fn wavenumber(&self) -> f64 {
        self.system.wavenumber
    }

    /// Returns the angles of propagation, radians.
    pub(crate) fn travels(&self) -> Vec<f64> {
        let from = self.incidences.iter();
        from.map(|phi| phi + std::f64::consts::PI).collect()
    }

    /// Returns the nodes.
    pub fn nodes(&self) -> Vec<ContourPoint> {
        let boundary = &self.system.boundary;
        (0..boundary.bodies())
            .flat_map(|body| boundary.nodes_of(body).map(move |node| (body, node)))
            .map(|(body, node)| ContourPoint {
                body,
                arc: boundary.arc[node],
                position: boundary.position(node),
                normal: boundary.normal(node),
            })
            .collect()
    }

    /// Returns the electric surface current n̂ × H at the nodes: J_z in (A/m)/(V/m) for TM, and its component along the
    /// counterclockwise tangent in (A/m)/(A/m) for TE. On an open strip it is the sum over both sides.
    pub fn current(&self, incidence: usize) -> Vec<Complex64> {
        let scale = match self.polarization {
            Polarization::Tm => 1.0 / VACUUM_IMPEDANCE,
            Polarization::Te => 1.0,
        };
        let mut values = current(self.polarization, &self.fields[incidence]);
        for value in &mut values {
            *value *= scale;
        }
        values
    }

    /// Returns u (E_z for TM, H_z for TE) at the nodes, over the incident field.
    pub fn axial_field(&self, incidence: usize) -> &[Complex64] {
        &self.fields[incidence].u
    }

    /// Returns p = (1/jk) ∂u/∂n at the outer side of the nodes, over the incident field: ηH_t for TM, −E_t/η for TE.
    pub fn normal_slope(&self, incidence: usize) -> &[Complex64] {
        &self.fields[incidence].p
    }

    /// Returns the current at `count` uniform steps of the parameter of each smooth piece, interpolated between the nodes.
    pub fn current_along(&self, incidence: usize, count: usize) -> Vec<(ContourPoint, Complex64)> {
        let boundary = &self.system.boundary;
        let values = self.current(incidence);
        let mut result = Vec::new();
        for (body, curve) in boundary.curves.iter().enumerate() {
            let mut walked = 0.0;
            let mut last: Option<[f64; 2]> = None;
            for (number, piece) in curve.pieces.iter().enumerate() {
                for i in 0..count {
                    // Half a step from the ends, where the current may be infinite.
                    let t = (i as f64 + 0.5) / count as f64;
                    let position = piece.position(t);
                    if let Some([x, y]) = last {
                        walked += (position[0] - x).hypot(position[1] - y);
                    }
                    last = Some(position);
                    let velocity = piece.velocity(t);
                    let speed = velocity[0].hypot(velocity[1]);
                    let point = ContourPoint {
                        body,
                        arc: walked,
                        position,
                        normal: [velocity[1] / speed, -velocity[0] / speed],
                    };
                    let value = interpolation::at(boundary, &values, body, number, t);
                    result.push((point, value));
                }
            }
        }
        result
    }

    /// Returns the scattering widths of all aspects, m.
    pub fn widths(&self) -> Vec<f64> {
        self.amplitudes
            .iter()
            .map(|&f| scattering_width(f, self.wavenumber()))
            .collect()
    }

    /// Returns the total field u (E_z for TM, H_z for TE) at points, over the incident field; zero inside conductors. With the
    /// Nyström method it is accurate up to the contour, with Kress' quadrature and pulses only some steps away from it.
    ///
    /// # Errors
    /// A special function is undefined: the point coincides with a node.
    pub fn field_at(&self, incidence: usize, points: &[[f64; 2]]) -> Result<Vec<Complex64>, Error> {
        let from = self.incidences[incidence];
        let travel = [-from.cos(), -from.sin()];
        Ok(field::total(
            &self.system,
            &self.fields[incidence],
            travel,
            points,
        )?)
    }

    /// Returns the extinction width, −(4/k) Re f in the forward direction, m.
    pub fn extinction_width(&self, incidence: usize) -> f64 {
        let forward = self.incidences[incidence] + std::f64::consts::PI;
        let amplitude = field::far_amplitude(&self.system, &self.fields[incidence], forward);
        -4.0 / self.wavenumber() * amplitude.re
    }
}
