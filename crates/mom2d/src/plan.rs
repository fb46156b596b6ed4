//! Plan of a run: curves cut into panels, equations, excitations, and cost, from a specification.

use num_complex::Complex64;
use rayon::prelude::*;
use wavefield_mesh::Contour;
use wavefield_numerics::dense::Matrix;

use wavefield_numerics::krylov::{self, Limits, Operator};
use wavefield_numerics::observe::Observer;
use wavefield_physics::exact::cylinder::Polarization;
use wavefield_solver::scene::aspects::{self, AspectError};
use wavefield_solver::scene::{self, Geometry};
use wavefield_solver::validate;

use crate::certificate::{self, Solved};
use crate::contract::Mom2dSolver;
use crate::curve::Curve;
use crate::error::Error;
use crate::extinction::extinction;
use crate::factor::Factors;
use crate::formulation::Surface;
use crate::layout::{Bodies, Fineness, most_unknowns, overlap};
use crate::mlfma::{self, MlfmaOperator, NearInverse};
use crate::result::{Case, Checks, Refinement, Solution, Verdict};
use crate::spec::{ErrorEstimate, LinearSolver, Method, Mlfma, Settings, Spec};
use crate::system::{SurfaceFields, System};
use crate::{kress, nystrom, pulse};

/// Maximum number of aspects.
pub(crate) const MAX_ASPECTS: f64 = 1e6;

/// Krylov vectors reserved for a smooth convex conductor.
const SMOOTH_STEPS: usize = 30;
/// Memory per unknown of an MLFMA case that is solved and not yet reported, bytes.
const BYTES_OF_SOLVED: usize = 1100;

/// A validated problem, ready to run.
#[derive(Clone, Debug)]
pub struct Plan {
    pub(crate) bodies: Bodies,
    frequencies: Vec<f64>,
    /// Incidence angles φ, radians.
    incidences: Vec<f64>,
    /// Index of the incidence, and observation angle φ in radians.
    aspects: Vec<(usize, f64)>,
    /// Number of unknowns of every case, and of its second solution.
    unknowns: Vec<[usize; 2]>,
}

impl Plan {
    /// Creates the plan. `contours` has the contours of bodies of shape "mesh" in meters, by body index; trailing entries of
    /// other shapes may be omitted.
    ///
    /// # Errors
    /// The specification is invalid, bodies overlap, or there are too many unknowns.
    pub fn new(spec: &Spec, contours: Vec<Option<Contour>>) -> Result<Plan, Error> {
        Plan::within(usize::MAX, spec, contours)
    }

    /// Creates the plan of a run that may use `memory` bytes; refuses a problem that is too large before it is laid out.
    ///
    /// # Errors
    /// Those of [`Plan::new`], and insufficient memory.
    pub fn within(
        memory: usize,
        spec: &Spec,
        contours: Vec<Option<Contour>>,
    ) -> Result<Plan, Error> {
        validate(&Mom2dSolver, spec)?;
        let Some(wave) = spec.excitation.as_plane_wave() else {
            return Err(AspectError::NotScattering.into());
        };
        let mut plan = Plan {
            bodies: Bodies {
                spec: spec.clone(),
                contours,
                memory,
            },
            frequencies: spec.scene().frequencies(),
            incidences: Vec::new(),
            aspects: Vec::new(),
            unknowns: Vec::new(),
        };
        for (from, to) in aspects::pairs(wave, &spec.observation, MAX_ASPECTS)? {
            if plan.incidences.last() != Some(&from.phi) {
                plan.incidences.push(from.phi);
            }
            plan.aspects.push((plan.incidences.len() - 1, to.phi));
        }
        for index in 0..plan.cases() {
            let (frequency, polarization) = plan.case(index);
            let own = plan
                .bodies
                .system(frequency, polarization, Fineness::AS_ASKED)?;
            overlap(&own.boundary)?;
            let other = plan.companion(frequency, polarization, &own)?;
            let own = own.size();
            let other = other.map_or(0, |(_, system)| system.size());
            let most = own.max(other);
            let allowed = most_unknowns(spec.mom2d.linear_solver);
            if most > allowed {
                return Err(Error::TooLarge {
                    unknowns: most as f64,
                    most: allowed,
                });
            }
            plan.unknowns.push([own, other]);
        }
        Ok(plan)
    }

    /// Returns the polarizations of the run.
    pub fn polarizations(&self) -> &'static [Polarization] {
        match self.bodies.spec.polarization() {
            // In the xy-plane θ̂ is along −z.
            scene::Polarization::Tm | scene::Polarization::V => &[Polarization::Tm],
            scene::Polarization::Te | scene::Polarization::H => &[Polarization::Te],
            scene::Polarization::Both => &[Polarization::Tm, Polarization::Te],
        }
    }

    /// Returns the number of cases: frequencies times polarizations.
    pub fn cases(&self) -> usize {
        self.frequencies.len() * self.polarizations().len()
    }

    fn case(&self, index: usize) -> (f64, Polarization) {
        let polarizations = self.polarizations();
        (
            self.frequencies[index / polarizations.len()],
            polarizations[index % polarizations.len()],
        )
    }

    /// Returns the system of the second solution of a case; `None` if it was not requested, or if the panels cannot be longer
    /// because the points of a smooth curve are close together.
    fn companion(
        &self,
        frequency: f64,
        polarization: Polarization,
        own: &System,
    ) -> Result<Option<(Fineness, System)>, Error> {
        let fineness = match self.settings().error_estimate {
            ErrorEstimate::None => return Ok(None),
            ErrorEstimate::Coarser => Fineness(-1),
            ErrorEstimate::Finer => Fineness(1),
        };
        let other = self.bodies.system(frequency, polarization, fineness)?;
        Ok((other.size() != own.size()).then_some((fineness, other)))
    }

    /// Returns the largest number of unknowns of any matrix.
    pub fn unknowns(&self) -> usize {
        self.unknowns.iter().flatten().copied().max().unwrap_or(0)
    }

    /// Returns the number of matrices that are filled and solved.
    pub fn matrices(&self) -> usize {
        let all = self.unknowns.iter().flatten();
        all.filter(|size| **size > 0).count()
    }

    /// Returns the memory of a run, bytes: the largest matrix, the workspace of its solver, and all solutions.
    pub fn memory(&self) -> usize {
        let size = self.unknowns();
        let number = size_of::<Complex64>();
        let matrix = Matrix::memory(size, size) as usize;
        let solver = match self.settings().linear_solver {
            LinearSolver::Lu => Factors::memory(size),
            LinearSolver::Gmres(gmres) => matrix + number * size * gmres.restart,
            LinearSolver::Mlfma(options) => {
                let products = mlfma::memory(size, -options.accuracy.log10());
                let vectors = self.basis_vectors(options) + 4 + 3 * self.incidences.len();
                let kept = (self.cases() - 1) * size * BYTES_OF_SOLVED;
                return products + number * size * vectors + kept;
            }
        };
        // The self-interaction operators of Kress' quadrature are held beside the matrix.
        let filling = match self.settings().method {
            Method::Kress(_) => matrix + kress::ROOMS * number * size * size,
            Method::Nystrom(_) | Method::Pulse(_) => matrix,
        };
        // Two fields of every case and its right-hand sides; in addition those of a second solution.
        let kept: usize = self.unknowns.iter().map(|[own, _]| 3 * own).sum();
        let second = self.unknowns.iter().map(|[_, other]| 2 * other).max();
        let solutions = (kept + second.unwrap_or(0)) * self.incidences.len();
        solver.max(filling) + number * (solutions + self.aspects.len() * self.cases())
    }

    /// Returns the maximum number of Krylov vectors. A smooth convex conductor takes few iterations at any size: circles 6,
    /// ellipses of aspect ratio 20 up to 20, measured to six digits.
    fn basis_vectors(&self, options: Mlfma) -> usize {
        let convex = |geometry| matches!(geometry, &Geometry::Circle(_) | &Geometry::Ellipse(_));
        match self.bodies.spec.bodies.as_slice() {
            [body] if convex(&body.geometry) && body.material.is_pec() => {
                options.restart.min(SMOOTH_STEPS)
            }
            _ => options.restart,
        }
    }

    /// Estimates the floating-point operations of a run, for the time estimate.
    pub fn operations(&self) -> f64 {
        let right = self.incidences.len() as f64;
        self.unknowns
            .iter()
            .flatten()
            .map(|&n| {
                let n = n as f64;
                if let LinearSolver::Mlfma(_) = self.settings().linear_solver {
                    // The near-field matrix once, and 50 matrix–vector products per incidence.
                    return n * (1e5 + 50.0 * right * 600.0 * n.max(2.0).log2());
                }
                8.0 / 3.0 * n.powi(3) + 8.0 * n * n * right + 100.0 * n * n
            })
            .sum()
    }

    /// Solves every case on the current rayon pool.
    ///
    /// # Errors
    /// The run was cancelled, a matrix is singular, or the iteration did not converge.
    pub fn execute(&self, observer: &dyn Observer) -> Result<Solution, Error> {
        self.execute_by(observer, &|system| self.solve_system(system, observer))
    }

    /// Solves every case with the given solver of linear systems.
    pub(crate) fn execute_by(
        &self,
        observer: &dyn Observer,
        solve: &dyn Fn(&System) -> Result<Answer, Error>,
    ) -> Result<Solution, Error> {
        let cases = (0..self.cases())
            .map(|index| {
                observer.checkpoint()?;
                let (frequency, polarization) = self.case(index);
                self.solve_case(frequency, polarization, solve)
            })
            .collect::<Result<_, _>>()?;
        Ok(Solution { cases })
    }

    fn solve_case(
        &self,
        frequency: f64,
        polarization: Polarization,
        solve: &dyn Fn(&System) -> Result<Answer, Error>,
    ) -> Result<Case, Error> {
        let system = self
            .bodies
            .system(frequency, polarization, Fineness::AS_ASKED)?;
        let solved = solve(&system)?;
        let amplitudes = certificate::amplitudes(&system, &solved.fields, &self.aspects);
        let own = Solved {
            system: &system,
            fields: &solved.fields,
            amplitudes: &amplitudes,
        };
        let refinement = match self.companion(frequency, polarization, &system)? {
            None => None,
            Some((fineness, other)) => {
                let fields = solve(&other)?.fields;
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
                    deviation: certificate::difference(coarse, fine, polarization),
                })
            }
        };
        let travels: Vec<f64> = self
            .incidences
            .iter()
            .map(|phi| phi + std::f64::consts::PI)
            .collect();
        let exact = match self.bodies.canonical(frequency)? {
            None => None,
            Some(circle) => Some(certificate::exact(
                &circle,
                &own,
                polarization,
                frequency,
                &travels,
                &self.aspects,
            )?),
        };
        let directions: Vec<[f64; 2]> = travels.iter().map(|t| [t.cos(), t.sin()]).collect();
        let extinction = extinction(&system, &solved.fields, &directions)?;
        let sharp = !system.boundary.curves.iter().all(Curve::is_smooth);
        let verdict = Verdict::of(
            solved.condition,
            extinction,
            refinement.as_ref(),
            sharp,
            (0.0 < self.settings().alpha() && self.settings().alpha() < 1.0)
                || system
                    .equations
                    .iter()
                    .all(|e| matches!(e.surface, Surface::Dielectric { .. })),
        );
        Ok(Case {
            frequency,
            polarization,
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

    pub(crate) fn settings(&self) -> &Settings {
        &self.bodies.spec.mom2d
    }

    /// Returns the right-hand sides of all incidences, concatenated.
    pub(crate) fn right_hand_sides(&self, system: &System) -> Vec<Complex64> {
        let count = system.equations();
        let mut columns = vec![Complex64::new(0.0, 0.0); count * self.incidences.len()];
        columns
            .par_chunks_mut(count)
            .zip(&self.incidences)
            .for_each(|(column, phi)| {
                system.right_hand_side([-phi.cos(), -phi.sin()], column);
            });
        columns
    }

    /// Returns the matrix of a system, filled by the method of the specification.
    pub(crate) fn fill(&self, system: &System, observer: &dyn Observer) -> Result<Matrix, Error> {
        let matrix = match self.settings().method {
            Method::Nystrom(_) => nystrom::fill(system, observer)?,
            Method::Kress(_) => kress::fill(system, observer)?,
            Method::Pulse(_) => pulse::fill(system, observer)?,
        };
        debug_assert_eq!(matrix.size(), system.size());
        Ok(matrix)
    }

    /// Fills the matrix and solves for every incidence.
    pub(crate) fn solve_system(
        &self,
        system: &System,
        observer: &dyn Observer,
    ) -> Result<Answer, Error> {
        observer.checkpoint()?;
        let size = system.size();
        if let LinearSolver::Mlfma(options) = self.settings().linear_solver {
            return self.solve_by_mlfma(system, options, observer);
        }
        let matrix = self.fill(system, observer)?;
        let mut columns = self.right_hand_sides(system);
        observer.checkpoint()?;
        let mut answer = Answer {
            fields: Vec::new(),
            condition: None,
            iterations: None,
        };
        match self.settings().linear_solver {
            LinearSolver::Lu => {
                let factors = Factors::watched(matrix, observer)?;
                factors.solve(&mut columns);
                answer.condition = Some(factors.condition());
            }
            LinearSolver::Gmres(options) => {
                let limits = Limits {
                    tolerance: options.tolerance,
                    restart: options.restart,
                    iterations: options.max_iterations,
                    vectors: usize::MAX,
                };
                for column in columns.chunks_mut(size) {
                    let found = krylov::gmres(&matrix, column, limits, observer)?;
                    column.copy_from_slice(&found.solution);
                    let most = answer.iterations.unwrap_or(0).max(found.iterations);
                    answer.iterations = Some(most);
                }
            }
            LinearSolver::Mlfma(_) => {}
        }
        answer.fields = columns
            .par_chunks(size)
            .map(|column| system.fields(column))
            .collect();
        Ok(answer)
    }
}

impl Plan {
    /// Solves for every incidence by MLFMA, without a matrix.
    fn solve_by_mlfma(
        &self,
        system: &System,
        options: Mlfma,
        observer: &dyn Observer,
    ) -> Result<Answer, Error> {
        let operator = MlfmaOperator::new(system, -options.accuracy.log10(), observer)?;
        let inverse = NearInverse::new(&operator)?;
        let limits = Limits {
            tolerance: options.tolerance,
            restart: options.restart,
            iterations: options.max_iterations,
            vectors: self.basis_vectors(options) + 1,
        };
        let mut columns = operator.right_hand_sides(|parts| self.right_hand_sides(parts));
        let mut iterations = 0;
        for column in columns.chunks_mut(system.size()) {
            let found =
                krylov::preconditioned_gmres(&operator, Some(&inverse), column, limits, observer)?;
            column.copy_from_slice(&found.solution);
            iterations = iterations.max(found.iterations);
        }
        Ok(Answer {
            fields: (columns.par_chunks(system.size()))
                .map(|column| system.fields(column))
                .collect(),
            condition: None,
            iterations: Some(iterations),
        })
    }
}

/// Result of a solver of linear systems.
pub(crate) struct Answer {
    pub(crate) fields: Vec<SurfaceFields>,
    pub(crate) condition: Option<f64>,
    pub(crate) iterations: Option<usize>,
}
