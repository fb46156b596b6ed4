//! From what is asked to what will be computed: curves cut into panels, equations chosen, cost known.

use num_complex::Complex64;
use wavefield_compute::observe::{Observer, Progress};
use wavefield_mesh::Contour;
use wavefield_physics::aspects;
use wavefield_physics::constants::{SPEED_OF_LIGHT, vacuum_wavenumber};
use wavefield_physics::exact::cylinder::Polarisation;
use wavefield_physics::exact::sphere::Core;
use wavefield_physics::medium::Medium;

use crate::boundary::{Boundary, Layout, Size};
use crate::certificate::{self, Canonical, Solved};
use crate::crout::CroutInverse;
use crate::curve::{self, Curve};
use crate::error::Error;
use crate::factor::Factors;
use crate::field;
use crate::formulation::{BodyEquations, Surface};
use crate::krylov::{self, Limits};
use crate::operator::{DenseMatrix, Operator};
use crate::piece::Piece;
use crate::result::{Case, Checks, Refinement, Solution, Verdict};
use crate::spec::{
    Body, BodyMaterial, Certificate, Combination, Density, Equation, LinearSolver, Method,
    Polarisations, Spec,
};
use crate::system::{SurfaceFields, System};
use crate::wave::Wave;
use crate::{kress, nystrom, pulse};

/// Most unknowns: a matrix of 160 GB.
const MOST_UNKNOWNS: usize = 100_000;
/// Most pairs of directions.
const MOST_ASPECTS: f64 = 1e6;
/// Largest angle of an arc in one panel, where panels are chosen by the wavelength.
const WIDEST_ARC: f64 = std::f64::consts::FRAC_PI_4;
/// Halvings more towards corners in a finer solution, less in a coarser one.
const GRADING_STEP: isize = 4;

/// A problem ready to run.
#[derive(Clone, Debug)]
pub struct Plan {
    spec: Spec,
    contour: Option<Contour>,
    frequencies: Vec<f64>,
    /// Where waves come from, φ in radians.
    incidences: Vec<f64>,
    /// Number of the incidence and direction of observation.
    aspects: Vec<(usize, f64)>,
    /// Unknowns of every case, and of its companion.
    unknowns: Vec<[usize; 2]>,
}

/// One curve and what its surface does.
struct Outline {
    curve: Curve,
    surface: Surface,
    /// Largest part of the wavelength's reach: refractive index of the denser side.
    index: f64,
}

/// Panels are made twice as many so often; half as many where it is negative.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Fineness(pub(crate) i32);

impl Fineness {
    pub(crate) const AS_ASKED: Fineness = Fineness(0);
}

impl Plan {
    /// Lays out directions, curves and panels and checks them; `contour` is that of `mesh`, in metres.
    ///
    /// # Errors
    /// Whatever in the problem makes no sense.
    pub fn new(spec: &Spec, contour: Option<Contour>) -> Result<Plan, Error> {
        let frequencies: Vec<f64> = spec
            .frequency
            .values()
            .map_err(|source| Error::Sweep {
                key: "frequency",
                source,
            })?
            .into_iter()
            .map(|f| positive("frequency", f.0))
            .collect::<Result<_, _>>()?;
        check_method(&spec.method, spec.linear_solver)?;
        let mut plan = Plan {
            spec: spec.clone(),
            contour,
            frequencies,
            incidences: Vec::new(),
            aspects: Vec::new(),
            unknowns: Vec::new(),
        };
        for (from, to) in aspects::pairs(&spec.incidence, &spec.observation, MOST_ASPECTS)? {
            for (key, direction) in [("incidence.theta", from), ("observation.theta", to)] {
                let degrees = direction.theta.to_degrees();
                if (degrees - 90.0).abs() > 1e-9 {
                    return Err(Error::Oblique { key, degrees });
                }
            }
            if plan.incidences.last() != Some(&from.phi) {
                plan.incidences.push(from.phi);
            }
            plan.aspects.push((plan.incidences.len() - 1, to.phi));
        }
        for index in 0..plan.cases() {
            let (frequency, polarisation) = plan.case(index);
            let own = plan.system(frequency, polarisation, Fineness::AS_ASKED)?;
            overlap(&own.boundary)?;
            let own = own.size();
            let other = match plan.companion() {
                Some(fineness) => plan.system(frequency, polarisation, fineness)?.size(),
                None => 0,
            };
            let most = own.max(other);
            if most > MOST_UNKNOWNS {
                return Err(Error::TooLarge {
                    unknowns: most,
                    most: MOST_UNKNOWNS,
                });
            }
            plan.unknowns.push([own, other]);
        }
        Ok(plan)
    }

    fn polarisations(&self) -> &'static [Polarisation] {
        match self.spec.polarisation {
            Polarisations::Tm => &[Polarisation::Tm],
            Polarisations::Te => &[Polarisation::Te],
            Polarisations::Both => &[Polarisation::Tm, Polarisation::Te],
        }
    }

    /// Number of cases: frequencies times polarisations.
    pub fn cases(&self) -> usize {
        self.frequencies.len() * self.polarisations().len()
    }

    fn case(&self, index: usize) -> (f64, Polarisation) {
        let polarisations = self.polarisations();
        (
            self.frequencies[index / polarisations.len()],
            polarisations[index % polarisations.len()],
        )
    }

    fn companion(&self) -> Option<Fineness> {
        match self.spec.certificate {
            Certificate::None => None,
            Certificate::Coarser => Some(Fineness(-1)),
            Certificate::Finer => Some(Fineness(1)),
        }
    }

    /// The largest number of unknowns of any matrix.
    pub fn unknowns(&self) -> usize {
        self.unknowns.iter().flatten().copied().max().unwrap_or(0)
    }

    /// Number of matrices that are filled and solved.
    pub fn matrices(&self) -> usize {
        let all = self.unknowns.iter().flatten();
        all.filter(|size| **size > 0).count()
    }

    /// Bytes a run takes: the largest matrix with what its solver makes of it, and all solutions.
    pub fn memory(&self) -> usize {
        let size = self.unknowns();
        let matrices = match self.spec.linear_solver {
            LinearSolver::Lu => Factors::memory(size),
            LinearSolver::Gmres(_) => size * size * size_of::<Complex64>(),
            LinearSolver::CroutInverse => 5 * size * size * size_of::<Complex64>(),
        };
        let basis = match self.spec.linear_solver {
            LinearSolver::Gmres(gmres) => gmres.restart * size,
            _ => 0,
        };
        let solutions: usize = self
            .unknowns
            .iter()
            .map(|[own, _]| 3 * own * self.incidences.len())
            .sum();
        let number = size_of::<Complex64>();
        matrices + number * (basis + solutions + self.aspects.len() * self.cases())
    }

    /// Floating-point operations of a run, for a guess at the time.
    pub fn operations(&self) -> f64 {
        let right = self.incidences.len() as f64;
        self.unknowns
            .iter()
            .flatten()
            .map(|&n| {
                let n = n as f64;
                8.0 / 3.0 * n.powi(3) + 8.0 * n * n * right + 100.0 * n * n
            })
            .sum()
    }

    /// Solves every case, on the rayon pool the caller has installed.
    ///
    /// # Errors
    /// Stopped on request, a singular matrix, or an iteration that did not converge.
    pub fn execute(&self, observer: &dyn Observer) -> Result<Solution, Error> {
        let cases = (0..self.cases())
            .map(|index| {
                let (frequency, polarisation) = self.case(index);
                self.solve_case(frequency, polarisation, observer)
            })
            .collect::<Result<_, _>>()?;
        Ok(Solution { cases })
    }

    fn solve_case(
        &self,
        frequency: f64,
        polarisation: Polarisation,
        observer: &dyn Observer,
    ) -> Result<Case, Error> {
        let system = self.system(frequency, polarisation, Fineness::AS_ASKED)?;
        let solved = self.solve_system(&system, observer)?;
        let amplitudes = certificate::amplitudes(&system, &solved.fields, &self.aspects);
        let own = Solved {
            system: &system,
            fields: &solved.fields,
            amplitudes: &amplitudes,
        };
        let refinement = match self.companion() {
            None => None,
            Some(fineness) => {
                let other = self.system(frequency, polarisation, fineness)?;
                let fields = self.solve_system(&other, observer)?.fields;
                let amplitudes = certificate::amplitudes(&other, &fields, &self.aspects);
                let second = Solved {
                    system: &other,
                    fields: &fields,
                    amplitudes: &amplitudes,
                };
                let (coarse, fine) = if fineness.0 < 0 {
                    (&second, &own)
                } else {
                    (&own, &second)
                };
                Some(Refinement {
                    unknowns: other.size(),
                    deviation: certificate::difference(coarse, fine, polarisation),
                })
            }
        };
        let travels: Vec<f64> = self
            .incidences
            .iter()
            .map(|phi| phi + std::f64::consts::PI)
            .collect();
        let exact = match self.canonical(frequency)? {
            None => None,
            Some(circle) => Some(certificate::exact(
                &circle,
                &own,
                polarisation,
                frequency,
                &travels,
                &self.aspects,
            )?),
        };
        let directions: Vec<[f64; 2]> = travels.iter().map(|t| [t.cos(), t.sin()]).collect();
        let extinction = field::extinction(&system, &solved.fields, &directions)?;
        let sharp = system
            .boundary
            .curves
            .iter()
            .any(|curve| (0..curve.pieces.len()).any(|i| curve.sharp(i) != [false; 2]));
        let verdict = Verdict::of(
            solved.condition,
            extinction,
            refinement.as_ref(),
            sharp,
            (0.0 < self.alpha() && self.alpha() < 1.0)
                || system
                    .equations
                    .iter()
                    .all(|e| matches!(e.surface, Surface::Dielectric { .. })),
        );
        Ok(Case {
            frequency,
            polarisation,
            unknowns: system.size(),
            incidences: self.incidences.clone(),
            aspects: self.aspects.clone(),
            amplitudes,
            checks: Checks {
                condition: solved.condition,
                iterations: solved.iterations,
                extinction,
                refinement,
                exact,
                verdict,
            },
            fields: solved.fields,
            system,
        })
    }

    /// Fills and solves for every incidence.
    pub(crate) fn solve_system(
        &self,
        system: &System,
        observer: &dyn Observer,
    ) -> Result<Answer, Error> {
        observer.checkpoint()?;
        let matrix = fill(system, &self.spec.method, observer)?;
        let size = system.size();
        let mut columns: Vec<Complex64> = self
            .incidences
            .iter()
            .flat_map(|phi| system.right_hand_side([-phi.cos(), -phi.sin()]))
            .collect();
        observer.checkpoint()?;
        let mut answer = Answer {
            fields: Vec::new(),
            condition: None,
            iterations: None,
        };
        match self.spec.linear_solver {
            LinearSolver::Lu => {
                let factors = Factors::new(matrix, observer)?;
                factors.solve(&mut columns);
                answer.condition = Some(factors.condition());
            }
            LinearSolver::CroutInverse => {
                observer.progress(&Progress::new("factors", 0, 1));
                let inverse = CroutInverse::new(&matrix)?;
                observer.progress(&Progress::new("factors", 1, 1));
                inverse.solve(&mut columns);
            }
            LinearSolver::Gmres(options) => {
                let limits = Limits {
                    tolerance: options.tolerance,
                    restart: options.restart,
                    iterations: options.iterations,
                };
                for column in columns.chunks_mut(size) {
                    let found = krylov::gmres(&matrix, column, limits, observer)?;
                    column.copy_from_slice(&found.solution);
                    let most = answer.iterations.unwrap_or(0).max(found.iterations);
                    answer.iterations = Some(most);
                }
            }
        }
        answer.fields = columns
            .chunks(size)
            .map(|column| system.fields(column))
            .collect();
        Ok(answer)
    }

    /// Share of the electric field; strips always have 1.
    fn alpha(&self) -> f64 {
        match self.spec.equation {
            Some(Equation::Efie) => 1.0,
            Some(Equation::Mfie) => 0.0,
            Some(Equation::Cfie(Combination { alpha })) => alpha,
            None => match self.spec.method {
                Method::Pulse(_) => 1.0,
                _ => Combination::default().alpha,
            },
        }
    }

    /// Lays out one case.
    pub(crate) fn system(
        &self,
        frequency: f64,
        polarisation: Polarisation,
        fineness: Fineness,
    ) -> Result<System, Error> {
        let outlines = self.outlines(frequency, polarisation)?;
        let wavelength = SPEED_OF_LIGHT / frequency;
        let alpha = self.alpha();
        if !(0.0..=1.0).contains(&alpha) {
            return Err(Error::Range {
                key: "equation.alpha",
                value: alpha,
                least: 0.0,
                most: 1.0,
            });
        }
        for (i, outline) in outlines.iter().enumerate() {
            if !outline.curve.closed && self.spec.equation.is_some() && alpha < 1.0 {
                return Err(Error::OpenBody {
                    body: i + 1,
                    what: "the MFIE or CFIE",
                });
            }
        }
        let equations = outlines
            .iter()
            .map(|outline| {
                let share = if outline.curve.closed { alpha } else { 1.0 };
                BodyEquations::new(outline.surface, polarisation, share)
            })
            .collect();
        let indices: Vec<f64> = outlines.iter().map(|outline| outline.index).collect();
        if matches!(self.spec.method, Method::Pulse(_)) {
            let conductors = outlines.iter().all(|o| o.surface == Surface::Conductor);
            if polarisation != Polarisation::Tm || !conductors || alpha != 1.0 {
                return Err(Error::Method {
                    method: "pulse",
                    reason: "is the TM EFIE of perfect conductors and nothing else; use \"nystrom\"",
                });
            }
        }
        let curves: Vec<Curve> = outlines.into_iter().map(|outline| outline.curve).collect();
        let boundary = match &self.spec.method {
            Method::Nystrom(nystrom) => {
                let layouts: Vec<Layout> = indices
                    .iter()
                    .map(|index| Layout {
                        size: match nystrom.panels {
                            Some(count) => Size::Count(fineness.count(count)),
                            None => {
                                let nodes = nystrom.points_per_wavelength * index / wavelength;
                                Size::Longest(fineness.length(nystrom.order as f64 / nodes))
                            }
                        },
                        widest_arc: fineness.length(WIDEST_ARC),
                        grading: fineness.grading(nystrom.grading),
                    })
                    .collect();
                Boundary::panels(curves, &layouts, nystrom.order)
            }
            Method::Kress(density) => {
                if !curves.iter().all(smooth) {
                    return Err(Error::Method {
                        method: "kress",
                        reason: "needs circles and ellipses; use \"nystrom\"",
                    });
                }
                let counts: Vec<usize> = curves
                    .iter()
                    .zip(&indices)
                    .map(|(curve, index)| {
                        let count = match density.unknowns {
                            Some(count) => count as f64,
                            None => {
                                let longest = curve.pieces[0].top_speed();
                                (density.points_per_wavelength * index * longest / wavelength)
                                    .max(16.0)
                            }
                        };
                        2 * fineness.count((0.5 * count).ceil() as usize)
                    })
                    .collect();
                Boundary::even(curves, &counts)
            }
            Method::Pulse(density) => {
                let layouts: Vec<Layout> = indices
                    .iter()
                    .map(|index| Layout {
                        size: match density.unknowns {
                            Some(count) => Size::Count(fineness.count(count)),
                            None => {
                                let cells = density.points_per_wavelength * index / wavelength;
                                Size::Longest(fineness.length(1.0 / cells))
                            }
                        },
                        widest_arc: fineness.length(WIDEST_ARC),
                        grading: 0,
                    })
                    .collect();
                let mut boundary = Boundary::panels(curves, &layouts, 1);
                // A pulse has the length of its cell, not that of its tangent.
                for panel in 0..boundary.panels.len() {
                    boundary.weight[panel] = boundary.panels[panel].length;
                }
                boundary
            }
        };
        Ok(System {
            boundary,
            equations,
            wavenumber: vacuum_wavenumber(frequency),
        })
    }

    /// The curves of all bodies with their surfaces.
    fn outlines(&self, frequency: f64, polarisation: Polarisation) -> Result<Vec<Outline>, Error> {
        if self.spec.bodies.is_empty() {
            return Err(Error::NoBody);
        }
        let meshed = self.spec.bodies.iter().any(|b| matches!(b, Body::Mesh(_)));
        if meshed != self.contour.is_some() {
            return Err(Error::MeshMissing);
        }
        let wavelength = SPEED_OF_LIGHT / frequency;
        let mut outlines = Vec::new();
        for (i, body) in self.spec.bodies.iter().enumerate() {
            let number = i + 1;
            let (surface, index) = surface(number, body, frequency, polarisation)?;
            let curves = curve::of_body(number, body, wavelength, self.contour.as_ref())?;
            for curve in curves {
                if !curve.closed && surface != Surface::Conductor {
                    return Err(Error::OpenBody {
                        body: number,
                        what: "a material other than \"pec\"",
                    });
                }
                outlines.push(Outline {
                    curve,
                    surface,
                    index,
                });
            }
        }
        Ok(outlines)
    }

    /// The circle, if it is alone and has a series.
    pub(crate) fn canonical(&self, frequency: f64) -> Result<Option<Canonical>, Error> {
        let [Body::Circle(circle)] = &self.spec.bodies[..] else {
            return Ok(None);
        };
        let BodyMaterial::Material(material) = &circle.material else {
            return Ok(None);
        };
        let wavelength = SPEED_OF_LIGHT / frequency;
        Ok(Some(Canonical {
            centre: circle.centre.map(|c| c.metres(wavelength)),
            radius: circle.radius.metres(wavelength),
            core: material
                .core(frequency)
                .map_err(|source| Error::Material { body: 1, source })?,
        }))
    }
}

/// What a solver found.
pub(crate) struct Answer {
    pub(crate) fields: Vec<SurfaceFields>,
    condition: Option<f64>,
    iterations: Option<usize>,
}

impl Fineness {
    fn count(self, count: usize) -> usize {
        match self.0 {
            0.. => count << self.0,
            _ => count.div_ceil(1 << -self.0),
        }
    }

    fn length(self, length: f64) -> f64 {
        length * 2f64.powi(-self.0)
    }

    fn grading(self, grading: usize) -> usize {
        grading.saturating_add_signed(GRADING_STEP * self.0 as isize)
    }
}

/// The matrix of a system by one of the methods.
fn fill(system: &System, method: &Method, observer: &dyn Observer) -> Result<DenseMatrix, Error> {
    let matrix = match method {
        Method::Nystrom(_) => nystrom::fill(system, observer)?,
        Method::Kress(_) => kress::fill(system, observer)?,
        Method::Pulse(_) => pulse::fill(system, observer)?,
    };
    debug_assert_eq!(matrix.size(), system.size());
    Ok(matrix)
}

/// A body's surface and the refractive index of the denser side.
fn surface(
    number: usize,
    body: &Body,
    frequency: f64,
    polarisation: Polarisation,
) -> Result<(Surface, f64), Error> {
    let material = match body {
        Body::Circle(shape) => &shape.material,
        Body::Ellipse(shape) => &shape.material,
        Body::Polygon(shape) => &shape.material,
        Body::Spline(shape) => &shape.material,
        Body::Mesh(shape) => &shape.material,
        Body::Strip(_) => return Ok((Surface::Conductor, 1.0)),
    };
    match material {
        BodyMaterial::Impedance(surface) => {
            let z = surface.impedance.value();
            if !z.is_finite() || z.re < 0.0 {
                return Err(Error::Range {
                    key: "impedance",
                    value: z.re,
                    least: 0.0,
                    most: f64::MAX,
                });
            }
            Ok((Surface::Impedance(z), 1.0))
        }
        BodyMaterial::Material(material) => {
            let core = material.core(frequency).map_err(|source| Error::Material {
                body: number,
                source,
            })?;
            match core {
                Core::Pec => Ok((Surface::Conductor, 1.0)),
                Core::Medium(medium) if medium == Medium::VACUUM => {
                    Err(Error::Nothing { body: number })
                }
                Core::Medium(medium) => Ok((
                    Surface::Dielectric {
                        wave: Wave::new(medium.wavenumber(frequency)),
                        ratio: match polarisation {
                            Polarisation::Tm => medium.permeability,
                            Polarisation::Te => medium.permittivity,
                        },
                    },
                    medium.refractive_index().norm().max(1.0),
                )),
            }
        }
    }
}

/// Whether a curve is one closed arc.
fn smooth(curve: &Curve) -> bool {
    curve.closed && matches!(&curve.pieces[..], [Piece::Arc { .. }])
}

fn check_method(method: &Method, solver: LinearSolver) -> Result<(), Error> {
    let within = |key, value: f64, least: f64, most: f64| {
        if (least..=most).contains(&value) {
            Ok(())
        } else {
            Err(Error::Range {
                key,
                value,
                least,
                most,
            })
        }
    };
    let most = MOST_UNKNOWNS as f64;
    let density = |density: &Density| {
        positive(
            "method.points_per_wavelength",
            density.points_per_wavelength,
        )?;
        let unknowns = density.unknowns.unwrap_or(4) as f64;
        within("method.unknowns", unknowns, 4.0, most)
    };
    match method {
        Method::Nystrom(nystrom) => {
            within("method.order", nystrom.order as f64, 1.0, 12.0)?;
            within("method.grading", nystrom.grading as f64, 0.0, 40.0)?;
            within(
                "method.panels",
                nystrom.panels.unwrap_or(2) as f64,
                2.0,
                most,
            )?;
            positive(
                "method.points_per_wavelength",
                nystrom.points_per_wavelength,
            )?;
        }
        Method::Kress(options) | Method::Pulse(options) => density(options)?,
    }
    if let LinearSolver::Gmres(gmres) = solver {
        within("solver.tolerance", gmres.tolerance, 1e-15, 0.1)?;
        within("solver.restart", gmres.restart as f64, 1.0, most)?;
        within("solver.iterations", gmres.iterations as f64, 1.0, 1e9)?;
    }
    Ok(())
}

fn positive(key: &'static str, value: f64) -> Result<f64, Error> {
    if value > 0.0 && value.is_finite() {
        Ok(value)
    } else {
        Err(Error::NotPositive { key, value })
    }
}

/// Refuses bodies of which one holds a node of another.
fn overlap(boundary: &Boundary) -> Result<(), Error> {
    for (first, curve) in boundary.curves.iter().enumerate() {
        if !curve.closed || boundary.bodies() == 1 {
            continue;
        }
        let line = curve.polyline(field::fineness(curve.pieces.len()));
        for second in (0..boundary.bodies()).filter(|&b| b != first) {
            let held = |node| curve.holds(boundary.position(node), &line);
            if boundary.nodes_of(second).any(held) {
                return Err(Error::Overlap {
                    first: first + 1,
                    second: second + 1,
                });
            }
        }
    }
    Ok(())
}
