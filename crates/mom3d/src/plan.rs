//! Plan of a run: mesh, basis functions, symmetry, and excitations laid out from a specification.

use num_complex::Complex64;
use wavefield_gpu::Gpu;
use wavefield_mesh::{Edges, Transform, TriangleMesh};
use wavefield_numerics::dense::Lu;
use wavefield_numerics::observe::Observer;
use wavefield_numerics::vector::{Vector, norm, sub};
use wavefield_physics::antenna::{Network, Radiation};
use wavefield_physics::constants::{SPEED_OF_LIGHT, vacuum_wavenumber};
use wavefield_physics::direction::Direction;
use wavefield_physics::far_field::ScatteringMatrix;
use wavefield_solver::scene::aspects::{self, Aspect};
use wavefield_solver::scene::{Geometry, Observation};
use wavefield_solver::validate;

use crate::basis::Basis;
use crate::contract::Mom3dSolver;
use crate::error::Error;
use crate::excitation::Driven;
use crate::extinction;
use crate::near_field;
use crate::one_frequency::OneFrequency;
use crate::pair::{Combination, Pairs};
use crate::port::{Gap, Port};
use crate::result::{Field, Solution, State};
use crate::solver::{GpuState, Solver};
use crate::spec::{self, Equation, LinearSolver, Spec};
use crate::symmetry::Symmetry;

/// Maximum number of aspects of a run, over all frequencies.
pub(crate) const MAX_ASPECTS: f64 = 1e7;
/// Maximum number of unknowns of a dense matrix.
const MAX_UNKNOWNS: usize = 100_000;
/// Distance below which vertices are merged, relative to the diagonal of the body.
const SAME_POINT: f64 = 1e-9;
/// Plane waves solved together when the factors are stored.
const WAVES: usize = 512;
/// Memory of a near-field point in the table and in a figure, bytes: frequency, coordinates, complex fields, and magnitude.
const BYTES_OF_FIELD_ROW: usize = size_of::<f64>() * (1 + 3 + 12 + 1);

/// A validated problem, ready to run.
#[derive(Debug)]
pub struct Plan {
    mesh: TriangleMesh,
    pub(crate) basis: Basis,
    pub(crate) combination: Combination,
    frequencies: Vec<f64>,
    excitation: Excitation,
    pub(crate) inner_points: Vec<Vector>,
    /// Points at which the total field is evaluated, m.
    field_points: Vec<Vector>,
    longest_edge: f64,
    pub(crate) symmetry: Option<Symmetry>,
    pub(crate) linear_solver: LinearSolver,
}

/// Excitation of the current.
#[derive(Debug)]
enum Excitation {
    /// Each incident direction with its observation directions.
    Waves(Vec<(Direction, Vec<Direction>)>),
    /// Ports, and the observation directions of the far field.
    Ports(Vec<Port>, Vec<Direction>),
}

impl Plan {
    /// Creates the plan; `mesh` is the surface of a geometry read from a file.
    ///
    /// # Errors
    /// The specification is invalid, or the surface supports no current.
    pub fn new(spec: &Spec, mesh: Option<TriangleMesh>) -> Result<Plan, Error> {
        validate(&Mom3dSolver, spec)?;
        let (frequencies, wavelength) = (spec.scene().frequencies(), spec.wavelength());
        let Some(body) = spec.bodies.first() else {
            return Err(Error::NoEdge);
        };
        let edge = spec.edge_length();
        let mut mesh = body.geometry.surface(mesh, wavelength, |_| edge)?;
        mesh.validate()?;
        if let Geometry::Sphere(sphere) = &body.geometry {
            // An inscribed faceted sphere is smaller than the sphere; one of the same volume approximates its scattering
            // better.
            let exact = 4.0 / 3.0 * std::f64::consts::PI * sphere.radius.meters(wavelength).powi(3);
            mesh.transform(&Transform::scaling((exact / mesh.volume()).cbrt()));
        }
        // Current flows only between faces that share vertices.
        let size = mesh.bounding_box().map_or(0.0, |bounds| bounds.diagonal());
        mesh.weld(SAME_POINT * size)?;
        let gaps = (spec.delta_gaps().iter().enumerate())
            .map(|(number, asked)| Gap::new(number, asked, wavelength, SAME_POINT * size))
            .collect::<Result<Vec<Gap>, Error>>()?;
        for gap in &gaps {
            gap.cut(&mut mesh);
        }
        mesh.orient();
        let combination = match spec.mom3d.equation {
            // The magnetic field of a delta gap is undefined.
            Equation::Auto if !gaps.is_empty() => Combination {
                electric: 1.0,
                magnetic: 0.0,
            },
            Equation::Auto => Combination {
                electric: 0.5,
                magnetic: 0.5,
            },
            Equation::Efie => Combination {
                electric: 1.0,
                magnetic: 0.0,
            },
            Equation::Cfie(spec::Combination { alpha }) => {
                let edges = Edges::of(&mesh);
                let open = edges
                    .iter()
                    .filter(|edge| !edge.is_consistent(&mesh))
                    .count();
                if open > 0 {
                    return Err(Error::Open { open });
                }
                Combination {
                    electric: alpha,
                    magnetic: 1.0 - alpha,
                }
            }
        };
        let basis = Basis::new(&mesh);
        if basis.size == 0 {
            return Err(Error::NoEdge);
        }
        let symmetry = Symmetry::new(&spec.mom3d.symmetry, &mesh, &basis)?;
        let largest = (symmetry.as_ref()).map_or(basis.size, Symmetry::largest);
        if largest > MAX_UNKNOWNS && spec.mom3d.linear_solver == LinearSolver::Lu {
            return Err(Error::TooManyUnknowns {
                unknowns: largest,
                gibibytes: Lu::memory(largest) as f64 / f64::from(1 << 30),
                most: MAX_UNKNOWNS,
            });
        }
        let most = MAX_ASPECTS / frequencies.len() as f64;
        let excitation = match (spec.excitation.as_plane_wave(), &spec.observation) {
            (Some(wave), Some(observation)) => {
                Excitation::Waves(by_source(aspects::pairs(wave, observation, most)?))
            }
            (_, observation) => {
                let ports = (gaps.iter().enumerate())
                    .map(|(number, gap)| gap.port(number, &basis))
                    .collect::<Result<Vec<Port>, Error>>()?;
                let directions = match observation {
                    Some(Observation::FarField(asked)) => aspects::directions(asked, most)?,
                    _ => Vec::new(),
                };
                Excitation::Ports(ports, directions)
            }
        };
        let longest_edge = (basis.triangles.iter())
            .flat_map(|t| [0, 1, 2].map(|i| norm(sub(t.corners[i], t.corners[(i + 1) % 3]))))
            .fold(0.0, f64::max);
        Ok(Plan {
            inner_points: extinction::inner_points(&basis),
            field_points: match &spec.near_field {
                Some(asked) => near_field::points(asked, wavelength),
                None => Vec::new(),
            },
            mesh,
            basis,
            combination,
            frequencies,
            excitation,
            longest_edge,
            symmetry,
            linear_solver: spec.mom3d.linear_solver,
        })
    }

    /// Returns the mesh of the body.
    pub fn mesh(&self) -> &TriangleMesh {
        &self.mesh
    }

    /// Returns the frequencies, Hz.
    pub fn frequencies(&self) -> &[f64] {
        &self.frequencies
    }

    /// Returns the number of unknowns.
    pub fn unknowns(&self) -> usize {
        self.basis.size
    }

    /// Returns the points at which the total field is evaluated, m.
    pub fn field_points(&self) -> &[Vector] {
        &self.field_points
    }

    /// Returns the number of observation directions over all excitations and frequencies.
    pub fn aspects(&self) -> usize {
        let seen: usize = match &self.excitation {
            Excitation::Waves(waves) => waves.iter().map(|(_, to)| to.len()).sum(),
            Excitation::Ports(_, directions) => directions.len(),
        };
        seen * self.frequencies.len()
    }

    /// Returns the number of ports.
    pub fn ports(&self) -> usize {
        match &self.excitation {
            Excitation::Waves(_) => 0,
            Excitation::Ports(ports, _) => ports.len(),
        }
    }

    /// Returns the number of right-hand sides per frequency.
    pub(crate) fn right_sides(&self) -> usize {
        match &self.excitation {
            Excitation::Waves(waves) => 2 * waves.len(),
            Excitation::Ports(ports, _) => ports.len(),
        }
    }

    /// Returns the number of plane waves solved together: all of them if the factors are recomputed for every solve.
    pub(crate) fn waves_together(&self) -> usize {
        match self.symmetry {
            Some(_) => usize::MAX,
            None => WAVES,
        }
    }

    /// Returns the number of states stored per frequency.
    fn states(&self) -> usize {
        self.right_sides().min(2)
    }

    /// Returns the number of right-hand sides held at once.
    pub(crate) fn right_sides_together(&self) -> usize {
        (self.right_sides()).min(self.waves_together().saturating_mul(2))
    }

    /// Returns the memory of a run without the plan, bytes, on `threads` threads.
    pub fn memory(&self, threads: usize) -> usize {
        let state = size_of::<State>() + self.mesh.triangles.len() * size_of::<[Complex64; 3]>();
        let fields = self.field_points.len() * (size_of::<Field>() + BYTES_OF_FIELD_ROW);
        let kept = self.states() * (state + fields);
        let aspect = size_of::<Aspect>() + size_of::<ScatteringMatrix>();
        let highest = self.frequencies.iter().copied().fold(0.0, f64::max);
        Solver::memory(
            &self.linear_solver,
            self.symmetry.as_ref(),
            &self.basis,
            vacuum_wavenumber(highest),
            self.combination,
            self.right_sides_solved(highest),
            threads,
        ) + kept * self.frequencies.len()
            + aspect * self.aspects()
    }

    /// Solves for all plane waves or ports on the current rayon pool.
    ///
    /// # Errors
    /// A matrix is singular, the iteration fails, or the run is cancelled.
    pub fn execute(&self, observer: &dyn Observer) -> Result<Solution, Error> {
        self.execute_with(None, observer)
    }

    /// Solves as [`Plan::execute`], with matrices filled and factored on a GPU in single precision.
    ///
    /// # Errors
    /// As [`Plan::execute`]; or the linear solver is not LU, the body is too large for single precision, or the GPU fails or
    /// has too little memory.
    pub fn execute_on(&self, gpu: &Gpu, observer: &dyn Observer) -> Result<Solution, Error> {
        if self.linear_solver != LinearSolver::Lu {
            return Err(Error::GpuSolver);
        }
        if self.symmetry.is_some() {
            return Err(Error::GpuSymmetry);
        }
        self.execute_with(Some(&GpuState::new(gpu)?), observer)
    }

    fn execute_with(
        &self,
        gpu: Option<&GpuState<'_>>,
        observer: &dyn Observer,
    ) -> Result<Solution, Error> {
        let mut solution = Solution {
            frequencies: self.frequencies.clone(),
            aspects: Vec::with_capacity(self.aspects()),
            matrices: Vec::with_capacity(self.aspects()),
            network: None,
            radiation: None,
            unknowns: self.basis.size,
            states: Vec::new(),
            checks: Vec::new(),
        };
        let mut driven = Driven::default();
        for number in 0..self.frequencies.len() {
            let wavenumber = vacuum_wavenumber(self.frequencies[number]);
            let pairs = Pairs::new(&self.basis, wavenumber, self.combination);
            let solver = Solver::new(
                &self.linear_solver,
                self.symmetry.as_ref(),
                &pairs,
                gpu,
                self.right_sides_solved(self.frequencies[number]).vectors,
                observer,
            )?;
            let one = OneFrequency {
                plan: self,
                number,
                pairs: &pairs,
                solver,
                observer,
            };
            match &self.excitation {
                Excitation::Waves(waves) => one.scatter(waves, &mut solution)?,
                Excitation::Ports(ports, directions) => {
                    one.drive(ports, directions, &mut driven, &mut solution)?;
                }
            }
        }
        if let Excitation::Ports(ports, directions) = &self.excitation {
            let resistances = ports.iter().map(|port| port.resistance).collect();
            solution.network = Some(Network::from_admittances(resistances, &driven.admittances));
            solution.radiation = Some(Radiation {
                frequencies: self.frequencies.clone(),
                directions: directions.clone(),
                fields: driven.fields,
                power: driven.power,
            });
        }
        Ok(solution)
    }

    /// Returns the longest edge at a frequency of the sweep, wavelengths.
    pub(crate) fn edge_in_wavelengths(&self, number: usize) -> f64 {
        self.longest_edge * self.frequencies[number] / SPEED_OF_LIGHT
    }

    /// Returns ηJ at the centroid of every triangle of the mesh, V/m.
    pub(crate) fn current(&self, solution: &[Complex64]) -> Vec<[Complex64; 3]> {
        let mut currents = vec![[Complex64::new(0.0, 0.0); 3]; self.mesh.triangles.len()];
        for (number, &of_mesh) in self.basis.of_mesh.iter().enumerate() {
            let center = self.basis.triangles[number].center;
            currents[of_mesh] = self.basis.current(number, center, solution);
        }
        currents
    }
}

/// Groups the observation directions by consecutive incident directions.
fn by_source(pairs: Vec<(Direction, Direction)>) -> Vec<(Direction, Vec<Direction>)> {
    let mut waves: Vec<(Direction, Vec<Direction>)> = Vec::new();
    for (from, to) in pairs {
        match waves.last_mut().filter(|(source, _)| *source == from) {
            Some((_, seen)) => seen.push(to),
            None => waves.push((from, vec![to])),
        }
    }
    waves
}
