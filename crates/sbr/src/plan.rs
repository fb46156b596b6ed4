//! Plan of a run: mesh, coatings, sweep, and ray density from a specification.

mod memory;
mod work;

use wavefield_gpu::Gpu;
use wavefield_mesh::{Group, TriangleMesh};
use wavefield_numerics::observe::Observer;
use wavefield_physics::constants::SPEED_OF_LIGHT;
use wavefield_physics::direction::Direction;
use wavefield_physics::far_field::ScatteringMatrix;
use wavefield_solver::checkpoint::{CheckpointStore, NullStore};
use wavefield_solver::scene::aspects::{self, Aspect, AspectError};
use wavefield_solver::scene::{Body, Coating, CoatingLayer, Face};
use wavefield_solver::tasks::{self, Key};
use wavefield_solver::validate;

use crate::aperture::{Density, MAX_CELLS};
use crate::coating::LayeredCoating;
use crate::contract::SbrSolver;
use crate::error::Error;
use crate::gpu::GpuScatterer;
use crate::receiver::Threads;
use crate::result::Solution;
use crate::scatterer::{Scatterer, Scattering};
use crate::spec::Spec;

pub use work::Work;

/// Maximum number of results of a run.
pub(crate) const MAX_ASPECTS: f64 = 1e7;
/// Difference between two ray densities, relative to the peak, at which a wave has converged: 0.26 dB at the peak.
pub(crate) const CONVERGED: f64 = 0.03;
/// Number of waves per thread from which each wave is processed by one thread.
const WAVES_PER_THREAD: usize = 8;
/// Maximum edge length on curved faces, in wavelengths and in radii of curvature; the shorter applies. Facets of
/// a sphere then deviate from it by at most λ/1000.
const CURVED_EDGE: (f64, f64) = (0.2, 0.02);

/// Planned run of the solver.
#[derive(Debug)]
pub struct Plan {
    mesh: TriangleMesh,
    body: Scatterer,
    frequencies: Vec<f64>,
    /// Incident directions, each with its observation directions.
    waves: Vec<(Direction, Vec<Direction>)>,
    density: Density,
    /// Maximum number of times the density is doubled.
    refinements: u32,
    /// Checkpoint key of everything that determines the scattering of a wave: body, coatings, frequencies, and
    /// rays.
    content: Key,
}

impl Plan {
    /// Meshes the body and expands the sweeps; `mesh` is the surface of a geometry given by a file.
    ///
    /// # Errors
    /// Returns an error if the specification is not valid or the body cannot be meshed.
    pub fn new(spec: &Spec, mesh: Option<TriangleMesh>) -> Result<Plan, Error> {
        validate(&SbrSolver, spec)?;
        let frequencies = spec.scene().frequencies();
        let pairs = match spec.excitation.as_plane_wave() {
            Some(wave) => aspects::pairs(wave, &spec.observation, MAX_ASPECTS)?,
            None => return Err(AspectError::NotScattering.into()),
        };
        let mut waves: Vec<(Direction, Vec<Direction>)> = Vec::new();
        for (from, to) in pairs {
            match waves.last_mut().filter(|(source, _)| *source == from) {
                Some((_, seen)) => seen.push(to),
                None => waves.push((from, vec![to])),
            }
        }
        let wavelength = shortest_wavelength(spec);
        let Some(asked) = spec.bodies.first() else {
            return Err(Error::NoTriangles);
        };
        let mesh =
            (asked.geometry).surface(mesh, wavelength, |face| longest_edge(face, wavelength))?;
        let bare = if spec.sbr.edge_diffraction {
            Scatterer::with_edges(&mesh)?
        } else {
            Scatterer::new(&mesh)?
        };
        let body = if asked.coatings.is_empty() {
            bare
        } else {
            bare.coated(
                coatings(asked, &frequencies, wavelength)?,
                coating_of_each(&asked.coatings, &mesh)?,
            )?
        };
        let groups: Vec<&str> = mesh.groups.iter().map(|g| g.name.as_str()).collect();
        let content = tasks::common(&(
            ("sbr", &mesh.points, &mesh.triangles, &mesh.group_of, groups),
            (
                &asked.coatings,
                &spec.sbr.edge_diffraction,
                &spec.sbr.rays,
                &frequencies,
            ),
        ))?;
        let plan = Plan {
            body,
            content,
            mesh,
            frequencies,
            waves,
            density: spec.sbr.rays.density(),
            refinements: spec.sbr.rays.max_refinements,
        };
        let count = plan.cells();
        // Written so that NaN is refused.
        if count <= MAX_CELLS {
            Ok(plan)
        } else {
            let most = MAX_CELLS;
            Err(Error::TooManyRays { count, most })
        }
    }

    /// Returns the mesh of the body.
    pub fn mesh(&self) -> &TriangleMesh {
        &self.mesh
    }

    /// Returns the number of ambiguous edges: boundary edges that other triangles touch, and non-manifold edges.
    /// They do not diffract.
    pub fn ambiguous_edges(&self) -> usize {
        let edges = self.body.diffraction();
        edges.map_or(0, |edges| edges.seams() + edges.ambiguous())
    }

    /// Returns the scattering body.
    pub fn body(&self) -> &Scatterer {
        &self.body
    }

    /// Returns the density of the ray tubes.
    pub fn density(&self) -> Density {
        self.density
    }

    /// Returns the frequencies, Hz.
    pub fn frequencies(&self) -> &[f64] {
        &self.frequencies
    }

    /// Returns the number of results: frequencies times pairs of directions.
    pub fn aspects(&self) -> usize {
        let seen: usize = self.waves.iter().map(|(_, to)| to.len()).sum();
        seen * self.frequencies.len()
    }

    /// Returns the number of cells of the coarsest level per incident wave, for the largest projected area of the
    /// body.
    pub fn cells(&self) -> f64 {
        (2.0 * self.body.radius() / self.step()).powi(2)
    }

    /// Returns the side of a cell of the coarsest level, m.
    fn step(&self) -> f64 {
        let highest = self.frequencies.iter().copied().fold(0.0, f64::max);
        self.density.step * SPEED_OF_LIGHT / highest
    }

    /// Runs all aspects on the current rayon pool.
    ///
    /// # Errors
    /// Returns an error if the run is cancelled.
    pub fn execute(&self, observer: &dyn Observer) -> Result<Solution, Error> {
        self.execute_kept(&NullStore, observer)
    }

    /// Runs all aspects as parallel tasks with checkpoints.
    ///
    /// # Errors
    /// Returns an error if the run is cancelled or a checkpoint cannot be saved.
    pub fn execute_kept(
        &self,
        checkpoints: &dyn CheckpointStore,
        observer: &dyn Observer,
    ) -> Result<Solution, Error> {
        self.follow(
            checkpoints,
            observer,
            "cpu",
            |from, to, densities, threads| {
                (self.body).scatter_at(from, to, &self.frequencies, densities, threads)
            },
        )
    }

    /// Runs all aspects with ray tracing and far-field sums on a GPU.
    ///
    /// # Errors
    /// Returns an error if the run is cancelled, or if the GPU fails or lacks a required feature.
    pub fn execute_on(
        &self,
        gpu: &Gpu,
        checkpoints: &dyn CheckpointStore,
        observer: &dyn Observer,
    ) -> Result<Solution, Error> {
        let body = GpuScatterer::new(gpu, &self.body)?;
        self.follow(checkpoints, observer, "gpu", |from, to, densities, _| {
            body.scatter_at(from, to, &self.frequencies, densities)
        })
    }

    fn follow(
        &self,
        checkpoints: &dyn CheckpointStore,
        observer: &dyn Observer,
        device: &str,
        scatter: impl Scatter,
    ) -> Result<Solution, Error> {
        let run = (checkpoints, observer, device);
        let all: Vec<usize> = (0..self.waves.len()).collect();
        let mut found = self.scatter_at(run, 0, &all, &scatter)?;
        for refinement in 1..=self.refinements {
            let peak = found
                .iter()
                .map(|both| strongest(&both[0]))
                .fold(0.0, f64::max);
            let waves: Vec<usize> = (0..found.len())
                .filter(|&wave| worst_difference(&found[wave]) > CONVERGED * peak)
                .collect();
            if waves.is_empty() {
                break;
            }
            // Which waves are refined follows from all results: every rank has them, a shard ends before.
            let finer = self.scatter_at(run, refinement, &waves, &scatter)?;
            for (wave, both) in waves.into_iter().zip(finer) {
                let rays: u64 = found[wave].iter().map(|scattering| scattering.rays).sum();
                found[wave] = both;
                found[wave][1].rays += rays;
            }
        }
        let mut solution = Solution {
            frequencies: self.frequencies.clone(),
            aspects: Vec::with_capacity(self.aspects()),
            matrices: Vec::with_capacity(self.aspects()),
            uncertainty: Vec::with_capacity(self.aspects()),
            asymmetry: Vec::with_capacity(self.aspects()),
            rays: 0,
            unfinished: 0,
        };
        let count = self.frequencies.len();
        for frequency in 0..count {
            for ((from, to), both) in self.waves.iter().zip(&found) {
                for (number, &to) in to.iter().enumerate() {
                    let place = number * count + frequency;
                    let [matrix, other] = [0, 1].map(|density| both[density].matrices[place]);
                    solution.aspects.push(Aspect {
                        frequency,
                        from: *from,
                        to,
                    });
                    solution.matrices.push(matrix);
                    solution.uncertainty.push(difference(&matrix, &other));
                    solution.asymmetry.push(both[0].asymmetry[place]);
                }
            }
        }
        for both in &found {
            solution.rays += both.iter().map(|scattering| scattering.rays).sum::<u64>();
            solution.unfinished += both[0].unfinished;
        }
        Ok(solution)
    }
}

impl Plan {
    /// Computes some of the incident waves as parallel tasks at two densities: the requested one, doubled `refinement`
    /// times, and half of it.
    fn scatter_at(
        &self,
        (checkpoints, observer, device): (&dyn CheckpointStore, &dyn Observer, &str),
        refinement: u32,
        waves: &[usize],
        scatter: &impl Scatter,
    ) -> Result<Vec<Vec<Scattering>>, Error> {
        let fine = Density {
            step: self.density.step / f64::from(1 << refinement),
            ..self.density
        };
        let coarse = Density {
            step: 2.0 * fine.step,
            ..fine
        };
        let keys = (waves.iter())
            .map(|&wave| tasks::key(&self.content, &(device, &self.waves[wave], refinement)))
            .collect::<Result<Vec<Key>, _>>()?;
        let threads = threads_of_wave(waves.len(), rayon::current_num_threads());
        tasks::run_all(checkpoints, observer, "aspects", &keys, |number| {
            let (from, to) = &self.waves[waves[number]];
            scatter(*from, to, &[fine, coarse], threads)
        })
    }
}

/// Function that scatters a wave from a direction to others at several densities.
trait Scatter:
    Fn(Direction, &[Direction], &[Density], Threads) -> Result<Vec<Scattering>, Error> + Sync
{
}

impl<F> Scatter for F where
    F: Fn(Direction, &[Direction], &[Density], Threads) -> Result<Vec<Scattering>, Error> + Sync
{
}

/// Returns the threads of each of several waves. Many waves occupy all threads; a thread that waited for parts of one wave
/// would take up another, whose memory adds to that of the first.
fn threads_of_wave(waves: usize, threads: usize) -> Threads {
    if waves >= WAVES_PER_THREAD * threads {
        Threads::One
    } else {
        Threads::All
    }
}

/// Returns the largest co-polar |S| of a wave, m.
fn strongest(scattering: &Scattering) -> f64 {
    let all = scattering.matrices.iter();
    all.flat_map(|m| [m.vv.norm(), m.hh.norm()])
        .fold(0.0, f64::max)
}

/// Returns the largest difference of a wave between both densities, m.
fn worst_difference(both: &[Scattering]) -> f64 {
    let pairs = both[0].matrices.iter().zip(&both[1].matrices);
    pairs.map(|(a, b)| difference(a, b)).fold(0.0, f64::max)
}

fn difference(a: &ScatteringMatrix, b: &ScatteringMatrix) -> f64 {
    (a.vv - b.vv).norm().max((a.hh - b.hh).norm())
}

/// Returns the coatings with thicknesses in meters, validated at all frequencies.
fn coatings(
    body: &Body,
    frequencies: &[f64],
    wavelength: f64,
) -> Result<Vec<LayeredCoating>, Error> {
    let layer = |layer: &CoatingLayer| (layer.thickness.meters(wavelength), layer.material.clone());
    let mut coatings = Vec::with_capacity(body.coatings.len());
    for coating in &body.coatings {
        let backing = coating.backing.as_ref().unwrap_or(&body.material);
        let coating = LayeredCoating {
            layers: coating.layers.iter().map(layer).collect(),
            backing: backing.clone(),
        };
        for &frequency in frequencies {
            coating.at(frequency)?;
        }
        coatings.push(coating);
    }
    Ok(coatings)
}

/// Returns the coating index of every triangle: the last coating that names its group or the whole body.
fn coating_of_each(specs: &[Coating], mesh: &TriangleMesh) -> Result<Vec<Option<u32>>, Error> {
    let mut of_group = vec![None; mesh.groups.len()];
    for (number, spec) in (0..).zip(specs) {
        let Some(name) = &spec.group else {
            of_group.fill(Some(number));
            continue;
        };
        let named = |group: &Group| &group.name == name;
        if !mesh.groups.iter().any(named) {
            return Err(Error::NoGroup {
                name: name.clone(),
                groups: mesh.groups.iter().map(|group| group.name.clone()).collect(),
            });
        }
        for (group, coating) in mesh.groups.iter().zip(&mut of_group) {
            if named(group) {
                *coating = Some(number);
            }
        }
    }
    Ok(mesh
        .group_of
        .iter()
        .map(|&group| of_group[group as usize])
        .collect())
}

/// Returns the wavelength of the highest frequency, m.
pub(crate) fn shortest_wavelength(spec: &Spec) -> f64 {
    SPEED_OF_LIGHT / spec.scene().frequencies().into_iter().fold(0.0, f64::max)
}

/// Returns the maximum edge length on a face, m; flat faces need no refinement.
pub(crate) fn longest_edge(face: Face, wavelength: f64) -> f64 {
    match face {
        Face::Flat(side) => side,
        Face::Curved(radius) => (CURVED_EDGE.0 * wavelength).min(CURVED_EDGE.1 * radius),
    }
}
