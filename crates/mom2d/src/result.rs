//! What this solver returns.

use std::fmt;

use num_complex::Complex64;
use wavefield_physics::constants::VACUUM_IMPEDANCE;
use wavefield_physics::exact::cylinder::Polarisation;
use wavefield_physics::far_field::scattering_width;

use crate::certificate::current;
use crate::error::Error;
use crate::field;
use crate::interpolation;
use crate::system::{SurfaceFields, System};

/// Everything computed for a problem: a case for each frequency and polarisation.
#[derive(Clone, Debug)]
pub struct Solution {
    /// The cases, polarisations running faster than frequencies.
    pub cases: Vec<Case>,
}

/// One frequency and polarisation.
#[derive(Clone, Debug)]
pub struct Case {
    /// Frequency, Hz.
    pub frequency: f64,
    /// Which field lies along the bodies.
    pub polarisation: Polarisation,
    /// Unknowns of the matrix.
    pub unknowns: usize,
    /// Where each wave comes from, φ in radians.
    pub incidences: Vec<f64>,
    /// For every far amplitude the number of its incidence and the direction φ in radians.
    pub aspects: Vec<(usize, f64)>,
    /// Amplitudes f of u_s = √(2/πkρ) e^{−j(kρ−π/4)} f, phase at the origin.
    pub amplitudes: Vec<Complex64>,
    /// What was found out about the error.
    pub checks: Checks,
    pub(crate) system: System,
    pub(crate) fields: Vec<SurfaceFields>,
}

/// What was found out about the error of a case.
#[derive(Clone, Debug, PartialEq)]
pub struct Checks {
    /// Estimate of the condition number in the 1-norm; none for iterated solutions.
    pub condition: Option<f64>,
    /// The most products with the matrix any incidence took, for iterated and for refined solutions.
    pub iterations: Option<usize>,
    /// The largest field left inside closed bodies, over the incident one: zero for the true current. None where there
    /// is no closed body.
    pub extinction: Option<f64>,
    /// Distance from a second solution on other panels.
    pub refinement: Option<Refinement>,
    /// Distance from the exact series, for a single circle.
    pub exact: Option<Deviation>,
    /// What follows.
    pub verdict: Verdict,
}

/// A second solution and how far it is from the first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Refinement {
    /// Unknowns of the second solution.
    pub unknowns: usize,
    /// The distance. With fewer unknowns in the second solution it is the second's error, an upper bound of the
    /// first's; with more it is close to the first's error.
    pub deviation: Deviation,
}

/// The distance between two solutions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Deviation {
    /// Largest difference of the current over the largest current, at the nodes.
    pub current_max: f64,
    /// Mean difference of the current over the mean current, along the curves.
    pub current_mean: f64,
    /// Largest difference of the far amplitude over the largest amplitude.
    pub amplitude: f64,
    /// Largest difference of the scattering width in dB, over directions within 30 dB of the strongest.
    pub rcs_db: f64,
}

/// Whether a solution may be used.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Verdict {
    /// Every check was passed; the relative error of the current they allow.
    Trusted(f64),
    /// The current is more than 1 % in doubt: too few unknowns.
    Coarse(f64),
    /// A field is left inside a closed body and the matrix is nearly singular: the frequency is that of a resonance of
    /// the inside, to which this equation is blind. The current is wrong; use the CFIE.
    Resonant {
        /// The field left inside, over the incident one.
        extinction: f64,
        /// Estimate of the condition number.
        condition: f64,
    },
    /// No check could be made: an open strip without a second solution.
    Unchecked,
}

/// Errors of the current above this are coarse.
const COARSE: f64 = 1e-2;
/// A condition number above this, with a field inside, is a resonance: away from them it is some thousands.
const SINGULAR: f64 = 1e5;

/// Above this it is one whatever is left inside; only panels graded to corners and ends make such numbers otherwise.
const HOPELESS: f64 = 1e10;
/// A field inside above this, over the incident one, is more than an error of discretisation.
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
            // At corners and ends the current may be infinite: there its mean counts.
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

    /// Whether the current may be used.
    pub fn is_trusted(&self) -> bool {
        matches!(self, Verdict::Trusted(_))
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Verdict::Trusted(error) => write!(f, "the current is good to {error:.1e}"),
            Verdict::Coarse(error) => write!(
                f,
                "the current is in doubt by {error:.1e}: use more points per wavelength"
            ),
            Verdict::Resonant {
                extinction,
                condition,
            } => write!(
                f,
                "the current is wrong: {extinction:.1e} of the incident field is left inside the body and the condition \
                 number is {condition:.1e}, so the inside resonates at this frequency; use the CFIE"
            ),
            Verdict::Unchecked => write!(f, "the error is unknown: set `mom2d.error_estimate`"),
        }
    }
}

/// A point on a contour.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContourPoint {
    /// Number of the body's curve.
    pub body: usize,
    /// Distance walked along the curve, metres.
    pub arc: f64,
    /// Position, metres.
    pub position: [f64; 2],
    /// Unit normal, out of a closed body, to the right of a strip's direction.
    pub normal: [f64; 2],
}

impl Case {
    /// Wavenumber outside, rad/m.
    pub fn wavenumber(&self) -> f64 {
        self.system.wavenumber
    }

    /// Angles the waves travel along, radians.
    pub(crate) fn travels(&self) -> Vec<f64> {
        let from = self.incidences.iter();
        from.map(|phi| phi + std::f64::consts::PI).collect()
    }

    /// The nodes.
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

    /// The electric surface current n̂ × H at the nodes: J_z in (A/m)/(V/m) for TM, along the anticlockwise tangent in
    /// (A/m)/(A/m) for TE. On an open strip that of both sides together.
    pub fn current(&self, incidence: usize) -> Vec<Complex64> {
        let scale = match self.polarisation {
            Polarisation::Tm => 1.0 / VACUUM_IMPEDANCE,
            Polarisation::Te => 1.0,
        };
        let mut values = current(self.polarisation, &self.fields[incidence]);
        for value in &mut values {
            *value *= scale;
        }
        values
    }

    /// u (E_z for TM, H_z for TE) at the nodes, over the incident field.
    pub fn axial_field(&self, incidence: usize) -> &[Complex64] {
        &self.fields[incidence].u
    }

    /// p = (1/jk) ∂u/∂n at the nodes, outside, over the incident field: ηH_t for TM, −E_t/η for TE.
    pub fn normal_slope(&self, incidence: usize) -> &[Complex64] {
        &self.fields[incidence].p
    }

    /// The current at `count` even steps of the parameter of each smooth piece, interpolated between the nodes.
    pub fn current_along(&self, incidence: usize, count: usize) -> Vec<(ContourPoint, Complex64)> {
        let boundary = &self.system.boundary;
        let values = self.current(incidence);
        let mut result = Vec::new();
        for (body, curve) in boundary.curves.iter().enumerate() {
            let mut walked = 0.0;
            let mut last: Option<[f64; 2]> = None;
            for (number, piece) in curve.pieces.iter().enumerate() {
                for i in 0..count {
                    // Half a step off the ends, where the current may be infinite.
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

    /// Scattering widths in metres, for every aspect.
    pub fn widths(&self) -> Vec<f64> {
        self.amplitudes
            .iter()
            .map(|&f| scattering_width(f, self.wavenumber()))
            .collect()
    }

    /// The whole field u (E_z for TM, H_z for TE) at points, over the incident field: accurate up to the contour
    /// itself on panels; with Kress' method and pulses only some steps away from it. Zero inside conductors.
    ///
    /// # Errors
    /// A special function has no value there: the point lies on a node.
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

    /// Power taken out of an incident wave, −(4/k) Re f forward, metres.
    pub fn extinction_width(&self, incidence: usize) -> f64 {
        let forward = self.incidences[incidence] + std::f64::consts::PI;
        let amplitude = field::far_amplitude(&self.system, &self.fields[incidence], forward);
        -4.0 / self.wavenumber() * amplitude.re
    }
}
