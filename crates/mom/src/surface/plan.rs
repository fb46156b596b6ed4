//! From what is asked to what will be computed.

use num_complex::Complex64;
use rayon::prelude::*;
use wavefield_compute::dense::Lu;
use wavefield_compute::observe::{Observer, Progress};
use wavefield_mesh::{Edges, Target, Transform, TriangleMesh};
use wavefield_physics::aspects::{self, Aspect};
use wavefield_physics::constants::{SPEED_OF_LIGHT, vacuum_wavenumber};
use wavefield_physics::direction::{Direction, Vector, difference, norm};
use wavefield_physics::far_field::ScatteringMatrix;

use super::basis::Basis;
use super::error::{Error, positive};
use super::extinction;
use super::pair::{Combination, Pairs};
use super::result::{Checks, Solution, SurfaceCurrent};
use super::solver::Solver;
use super::spec::{Equation, LinearSolver, Spec};
use super::wave::PlaneWaves;

/// Most results of a run.
const MOST_ASPECTS: f64 = 1e7;
/// Most unknowns of a matrix.
const MOST_UNKNOWNS: usize = 100_000;
/// Points closer than this part of the body's diagonal are the same.
const SAME_POINT: f64 = 1e-9;
/// Waves that are solved for together.
const WAVES: usize = 512;

/// A problem ready to run.
#[derive(Debug)]
pub struct Plan {
    mesh: TriangleMesh,
    basis: Basis,
    combination: Combination,
    frequencies: Vec<f64>,
    /// Every source with the directions it is seen in.
    waves: Vec<(Direction, Vec<Direction>)>,
    inner_points: Vec<Vector>,
    longest_edge: f64,
    linear_solver: LinearSolver,
}

impl Plan {
    /// Lays out body and sweeps; `mesh` is what the target's file holds, if it names one.
    ///
    /// # Errors
    /// Whatever in the problem makes no surface, no wave or no equation.
    pub fn new(spec: &Spec, mesh: Option<TriangleMesh>) -> Result<Plan, Error> {
        let frequencies = (spec.frequency.values()?.into_iter())
            .map(|frequency| positive("frequency", frequency.0))
            .collect::<Result<Vec<f64>, Error>>()?;
        let pairs = aspects::pairs(&spec.incidence, &spec.observation, MOST_ASPECTS)?;
        aspects::limited(pairs.len() as f64 * frequencies.len() as f64, MOST_ASPECTS)?;
        let mut waves: Vec<(Direction, Vec<Direction>)> = Vec::new();
        for (from, to) in pairs {
            match waves.last_mut().filter(|(source, _)| *source == from) {
                Some((_, seen)) => seen.push(to),
                None => waves.push((from, vec![to])),
            }
        }
        let highest = frequencies.iter().copied().fold(0.0, f64::max);
        let wavelength = SPEED_OF_LIGHT / highest;
        let edge = spec.edge_length()?;
        let mut mesh = spec.target.surface(mesh, wavelength, |_| edge)?;
        mesh.validate()?;
        if let Target::Sphere(sphere) = &spec.target {
            // Facets within the sphere enclose less than it; one of the same volume scatters alike.
            let exact = 4.0 / 3.0 * std::f64::consts::PI * sphere.radius.metres(wavelength).powi(3);
            mesh.transform(&Transform::scaling((exact / mesh.volume()).cbrt()));
        }
        Solver::check(&spec.linear_solver)?;
        // Faces that touch must have their points in common for a current to flow across.
        let size = mesh.bounding_box().map_or(0.0, |bounds| bounds.diagonal());
        mesh.weld(SAME_POINT * size)?;
        mesh.orient();
        let combination = match spec.equation {
            Equation::Auto => Combination {
                electric: 0.5,
                magnetic: 0.5,
            },
            Equation::Efie => Combination {
                electric: 1.0,
                magnetic: 0.0,
            },
            Equation::Cfie(share) => {
                if !(0.0..=1.0).contains(&share.electric) {
                    return Err(Error::Share {
                        value: share.electric,
                    });
                }
                let edges = Edges::of(&mesh);
                let open = edges
                    .iter()
                    .filter(|edge| !edge.is_consistent(&mesh))
                    .count();
                if open > 0 {
                    return Err(Error::Open { open });
                }
                Combination {
                    electric: share.electric,
                    magnetic: 1.0 - share.electric,
                }
            }
        };
        let basis = Basis::new(&mesh);
        if basis.size == 0 {
            return Err(Error::NoEdge);
        }
        if basis.size > MOST_UNKNOWNS && spec.linear_solver == LinearSolver::Lu {
            return Err(Error::TooManyUnknowns {
                unknowns: basis.size,
                gibibytes: Lu::memory(basis.size) as f64 / f64::from(1 << 30),
                most: MOST_UNKNOWNS,
            });
        }
        let longest_edge = (basis.triangles.iter())
            .flat_map(|t| [0, 1, 2].map(|i| norm(difference(t.corners[i], t.corners[(i + 1) % 3]))))
            .fold(0.0, f64::max);
        Ok(Plan {
            inner_points: extinction::inner_points(&basis),
            mesh,
            basis,
            combination,
            frequencies,
            waves,
            longest_edge,
            linear_solver: spec.linear_solver,
        })
    }

    /// The mesh of the body.
    pub fn mesh(&self) -> &TriangleMesh {
        &self.mesh
    }

    /// The frequencies, Hz.
    pub fn frequencies(&self) -> &[f64] {
        &self.frequencies
    }

    /// Number of unknowns.
    pub fn unknowns(&self) -> usize {
        self.basis.size
    }

    /// Number of results.
    pub fn aspects(&self) -> usize {
        let seen: usize = self.waves.iter().map(|(_, to)| to.len()).sum();
        seen * self.frequencies.len()
    }

    /// Bytes a run takes beside the plan.
    pub fn memory(&self) -> usize {
        let size = self.basis.size;
        let number = size_of::<Complex64>();
        let waves = 2 * WAVES.min(self.waves.len());
        let kept = size_of::<SurfaceCurrent>()
            + 2 * self.mesh.triangles.len() * size_of::<[Complex64; 3]>();
        let aspect = size_of::<Aspect>() + size_of::<ScatteringMatrix>();
        let highest = self.frequencies.iter().copied().fold(0.0, f64::max);
        Solver::memory(
            &self.linear_solver,
            &self.basis,
            vacuum_wavenumber(highest),
            self.combination,
        ) + waves * size * number
            + kept * self.frequencies.len()
            + aspect * self.aspects()
    }

    /// Operations with real numbers of a run.
    pub fn operations(&self) -> f64 {
        let size = self.basis.size as f64;
        let factors = 8.0 / 3.0 * size.powi(3);
        let solutions = 16.0 * size * size * self.waves.len() as f64;
        (factors + solutions) * self.frequencies.len() as f64
    }

    /// Solves for all waves on the rayon pool the caller has installed.
    ///
    /// # Errors
    /// A matrix that cannot be factored, or stopped on request.
    pub fn execute(&self, observer: &dyn Observer) -> Result<Solution, Error> {
        let mut solution = Solution {
            frequencies: self.frequencies.clone(),
            aspects: Vec::with_capacity(self.aspects()),
            matrices: Vec::with_capacity(self.aspects()),
            unknowns: self.basis.size,
            currents: Vec::new(),
            checks: Vec::new(),
        };
        for number in 0..self.frequencies.len() {
            self.solve(number, observer, &mut solution)?;
        }
        Ok(solution)
    }

    fn solve(
        &self,
        number: usize,
        observer: &dyn Observer,
        solution: &mut Solution,
    ) -> Result<(), Error> {
        let wavenumber = vacuum_wavenumber(self.frequencies[number]);
        let pairs = Pairs::new(&self.basis, wavenumber, self.combination);
        let solver = Solver::new(
            &self.linear_solver,
            &self.basis,
            &pairs,
            wavenumber,
            observer,
        )?;
        let plane_waves = PlaneWaves::new(&self.basis, wavenumber);
        let size = self.basis.size;
        for (block, waves) in self.waves.chunks(WAVES).enumerate() {
            observer.checkpoint()?;
            let mut columns = vec![Complex64::new(0.0, 0.0); 2 * waves.len() * size];
            columns
                .par_chunks_mut(2 * size)
                .zip(waves)
                .for_each(|(columns, (from, _))| {
                    let (vertical, horizontal) = columns.split_at_mut(size);
                    plane_waves.excite(*from, &pairs, [vertical, horizontal]);
                });
            let iterated = solver.solve(&mut columns, observer)?;
            for (columns, (from, to)) in columns.chunks(2 * size).zip(waves) {
                let (vertical, horizontal) = columns.split_at(size);
                let [v, h] = [vertical, horizontal].map(|sent| plane_waves.amplitudes(to, sent));
                for ((&to, v), h) in to.iter().zip(v).zip(h) {
                    solution.aspects.push(Aspect {
                        frequency: number,
                        from: *from,
                        to,
                    });
                    let matrix = ScatteringMatrix::from_amplitude(v[0], h[0], v[1], h[1]);
                    solution.matrices.push(matrix);
                }
            }
            let done = (block * WAVES + waves.len()) as u64;
            observer.progress(&Progress::new("waves", done, self.waves.len() as u64));
            if block > 0 {
                if let Some(checks) = solution.checks.last_mut() {
                    checks.iterated = worse(checks.iterated, iterated);
                }
            } else {
                let (vertical, rest) = columns.split_at(size);
                let both = [vertical, &rest[..size]];
                solution.checks.push(Checks {
                    condition: solver.condition(),
                    iterated,
                    inside: extinction::left_inside(
                        &self.basis,
                        wavenumber,
                        &self.inner_points,
                        self.waves[0].0,
                        both,
                    ),
                    longest_edge: self.longest_edge * self.frequencies[number] / SPEED_OF_LIGHT,
                });
                let [vertical, horizontal] = both.map(|sent| self.current(sent));
                solution.currents.push(SurfaceCurrent {
                    vertical,
                    horizontal,
                });
            }
        }
        Ok(())
    }

    /// The current at the centre of every triangle of the mesh.
    fn current(&self, solution: &[Complex64]) -> Vec<[Complex64; 3]> {
        let mut currents = vec![[Complex64::new(0.0, 0.0); 3]; self.mesh.triangles.len()];
        for (number, &of_mesh) in self.basis.of_mesh.iter().enumerate() {
            let centre = self.basis.triangles[number].centre;
            currents[of_mesh] = self.basis.current(number, centre, solution);
        }
        currents
    }
}

/// The more products and the larger residual of two.
fn worse(a: Option<(usize, f64)>, b: Option<(usize, f64)>) -> Option<(usize, f64)> {
    match (a, b) {
        (Some(a), Some(b)) => Some((a.0.max(b.0), a.1.max(b.1))),
        (a, b) => a.or(b),
    }
}
