//! From what is asked to what will be computed.

use wavefield_gpu::Gpu;
use wavefield_mesh::{Face, Group, TriangleMesh};
use wavefield_numerics::observe::Observer;
use wavefield_physics::aspects::{self, Aspect};
use wavefield_physics::constants::SPEED_OF_LIGHT;
use wavefield_physics::direction::Direction;
use wavefield_physics::far_field::ScatteringMatrix;
use wavefield_solver::checkpoint::{Forgetful, Keeper};
use wavefield_solver::tasks::{self, Key};

use crate::aperture::{CELLS_OF_TILE, Density};
use crate::coat::Coat;
use crate::error::Error;
use crate::gpu::GpuScatterer;
use crate::result::Solution;
use crate::scatterer::{Scatterer, Scattering, positive};
use crate::spec::{CoatLayer, CoatSpec, Spec};
use wavefield_numerics::vector::{dot, sub};

/// Most results of a run.
const MOST_ASPECTS: f64 = 1e7;
/// Edges on curved faces in wavelengths and in radii, whichever is shorter: facets of a sphere then stay within a
/// thousandth of a wavelength of it.
const CURVED_EDGE: (f64, f64) = (0.2, 0.02);

/// A problem ready to run.
#[derive(Debug)]
pub struct Plan {
    mesh: TriangleMesh,
    body: Scatterer,
    frequencies: Vec<f64>,
    /// Every source with the directions it is seen in.
    waves: Vec<(Direction, Vec<Direction>)>,
    density: Density,
    /// What decides the scattering of any wave, as a key: the body, its coats, frequencies and rays.
    content: Key,
}

/// Bytes that a cell in work takes if nothing is reflected twice, and if it is, measured;
const BYTES_OF_CELL: f64 = 420.0;
const BYTES_OF_REFLECTED_CELL: f64 = 1560.0;
/// and those of an aspect, up to its row in the report.
const BYTES_OF_ASPECT: usize = 900;
/// Triangles and points that a body is judged convex by.
const JUDGED: usize = 1024;

/// Whether no triangle has a point of the body before it, of some that are looked at: then nothing is reflected twice.
fn is_convex(mesh: &TriangleMesh) -> bool {
    let every = |count: usize| count.div_ceil(JUDGED).max(1);
    let mut triangles = (0..mesh.triangles.len()).step_by(every(mesh.triangles.len()));
    triangles.all(|triangle| {
        let normal = mesh.area_vector(triangle);
        let area = dot(normal, normal).sqrt();
        let [on, ..] = mesh.corners(triangle);
        let mut points = mesh.points.iter().step_by(every(mesh.points.len()));
        points.all(|&point| dot(sub(point, on), normal) <= 1e-3 * area.powf(1.5))
    })
}

impl Plan {
    /// Lays out body and sweeps; `mesh` is what the target's file holds, if it names one.
    ///
    /// # Errors
    /// Whatever in the problem makes no body, no wave or no sensible density.
    pub fn new(spec: &Spec, mesh: Option<TriangleMesh>) -> Result<Plan, Error> {
        let frequencies: Vec<f64> = spec
            .frequency
            .values()
            .map_err(|source| Error::Sweep { source })?
            .into_iter()
            .map(|frequency| positive(frequency.0))
            .collect::<Result<_, _>>()?;
        let pairs = aspects::pairs(&spec.incidence, &spec.observation, MOST_ASPECTS)?;
        aspects::limited(pairs.len() as f64 * frequencies.len() as f64, MOST_ASPECTS)?;
        if let Some(products) = &spec.products {
            products.check(&frequencies, &pairs)?;
        }
        let mut waves: Vec<(Direction, Vec<Direction>)> = Vec::new();
        for (from, to) in pairs {
            match waves.last_mut().filter(|(source, _)| *source == from) {
                Some((_, seen)) => seen.push(to),
                None => waves.push((from, vec![to])),
            }
        }
        let density = Density {
            step: spec.rays.step,
            halvings: spec.rays.halvings,
            bounces: spec.rays.bounces,
            ..Density::default()
        };
        density.check()?;
        let highest = frequencies.iter().copied().fold(0.0, f64::max);
        let wavelength = SPEED_OF_LIGHT / highest;
        let mesh =
            (spec.target).surface(mesh, wavelength, |face| longest_edge(face, wavelength))?;
        let bare = if spec.edges {
            Scatterer::with_edges(&mesh)?
        } else {
            Scatterer::new(&mesh)?
        };
        let body = if spec.coats.is_empty() {
            bare
        } else {
            bare.coated(
                coats(&spec.coats, &frequencies, wavelength)?,
                coat_of_each(&spec.coats, &mesh)?,
            )?
        };
        let groups: Vec<&str> = mesh.groups.iter().map(|g| g.name.as_str()).collect();
        let content = tasks::common(&(
            ("sbr", &mesh.points, &mesh.triangles, &mesh.group_of, groups),
            (&spec.coats, spec.edges, &spec.rays, &frequencies),
        ))?;
        Ok(Plan {
            body,
            content,
            mesh,
            frequencies,
            waves,
            density,
        })
    }

    /// The mesh of the body.
    pub fn mesh(&self) -> &TriangleMesh {
        &self.mesh
    }

    /// Edges between triangles that could not be told to be sharp or smooth: rims that other triangles touch, and
    /// those of more than two triangles. They do not diffract.
    pub fn unclear_edges(&self) -> usize {
        let edges = self.body.diffraction();
        edges.map_or(0, |edges| edges.seams() + edges.unclear())
    }

    /// The body as it scatters.
    pub fn body(&self) -> &Scatterer {
        &self.body
    }

    /// How finely waves are cut.
    pub fn density(&self) -> Density {
        self.density
    }

    /// The frequencies, Hz.
    pub fn frequencies(&self) -> &[f64] {
        &self.frequencies
    }

    /// Number of results.
    pub fn aspects(&self) -> usize {
        let seen: usize = self.waves.iter().map(|(_, to)| to.len()).sum();
        seen * self.frequencies.len()
    }

    /// Cells of the first level over the body's largest shadow, of one wave.
    pub fn cells(&self) -> f64 {
        let highest = self.frequencies.iter().copied().fold(0.0, f64::max);
        let step = self.density.step * SPEED_OF_LIGHT / highest;
        (2.0 * self.body.radius() / step).powi(2)
    }

    /// Bytes a run takes beside the plan, on so many threads: tiles in work and what comes out for every aspect.
    pub fn memory(&self, threads: usize) -> usize {
        let highest = self.frequencies.iter().copied().fold(0.0, f64::max);
        let step = self.density.step * SPEED_OF_LIGHT / highest;
        // Half of a closed body is seen; cells are divided, and all of it is done at two densities.
        let seen = 1.65 * self.mesh.area() / (step * step);
        let cells = seen.min((threads * CELLS_OF_TILE) as f64);
        let of_cell = if is_convex(&self.mesh) {
            BYTES_OF_CELL
        } else {
            BYTES_OF_REFLECTED_CELL
        };
        let tiles = (cells * of_cell) as usize;
        let aspect = size_of::<Aspect>() + size_of::<ScatteringMatrix>();
        // The allocator returns some of the tiles before the report is written.
        (tiles + aspect * self.aspects()).max(7 * tiles / 10 + BYTES_OF_ASPECT * self.aspects())
    }

    /// Rays of a run, for a guess at the time: cells of the first level with as many again for what is divided,
    /// at two densities.
    pub fn rays(&self) -> f64 {
        3.0 * self.cells() * self.waves.len() as f64
    }

    /// Follows all waves on the rayon pool the caller has installed.
    ///
    /// # Errors
    /// Stopped on request.
    pub fn execute(&self, observer: &dyn Observer) -> Result<Solution, Error> {
        self.execute_kept(&Forgetful, observer)
    }

    /// The same with every wave a task of the keeper's crew.
    ///
    /// # Errors
    /// Stopped on request, or what was finished could not be kept.
    pub fn execute_kept(
        &self,
        keeper: &dyn Keeper,
        observer: &dyn Observer,
    ) -> Result<Solution, Error> {
        self.follow(keeper, observer, "cpu", |from, to, densities| {
            self.body.scatter_at(from, to, &self.frequencies, densities)
        })
    }

    /// The same with the rays traced and the field summed by a graphics card.
    ///
    /// # Errors
    /// Stopped on request; or a card that lacks what is needed, or fails.
    pub fn execute_on(
        &self,
        gpu: &Gpu,
        keeper: &dyn Keeper,
        observer: &dyn Observer,
    ) -> Result<Solution, Error> {
        let body = GpuScatterer::new(gpu, &self.body)?;
        self.follow(keeper, observer, "gpu", |from, to, densities| {
            body.scatter_at(from, to, &self.frequencies, densities)
        })
    }

    fn follow(
        &self,
        keeper: &dyn Keeper,
        observer: &dyn Observer,
        device: &str,
        scatter: impl Fn(Direction, &[Direction], &[Density]) -> Result<Vec<Scattering>, Error> + Sync,
    ) -> Result<Solution, Error> {
        let coarse = Density {
            step: 2.0 * self.density.step,
            ..self.density
        };
        let densities = [self.density, coarse];
        let keys = (self.waves.iter())
            .map(|wave| tasks::key(&self.content, &(device, wave)))
            .collect::<Result<Vec<Key>, _>>()?;
        let found: Vec<Vec<Scattering>> =
            tasks::each(keeper, observer, "aspects", &keys, |number| {
                let (from, to) = &self.waves[number];
                scatter(*from, to, &densities)
            })?;
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

fn difference(a: &ScatteringMatrix, b: &ScatteringMatrix) -> f64 {
    (a.vv - b.vv).norm().max((a.hh - b.hh).norm())
}

/// Coats with thicknesses in metres, which make sense at all frequencies.
fn coats(specs: &[CoatSpec], frequencies: &[f64], wavelength: f64) -> Result<Vec<Coat>, Error> {
    let layer = |layer: &CoatLayer| (layer.thickness.metres(wavelength), layer.material.clone());
    let mut coats = Vec::with_capacity(specs.len());
    for spec in specs {
        let coat = Coat {
            layers: spec.layers.iter().map(layer).collect(),
            backing: spec.backing.clone(),
        };
        for &frequency in frequencies {
            coat.at(frequency)?;
        }
        coats.push(coat);
    }
    Ok(coats)
}

/// Which coat each triangle has: the last that names its group or the whole body.
fn coat_of_each(specs: &[CoatSpec], mesh: &TriangleMesh) -> Result<Vec<Option<u32>>, Error> {
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
        for (group, coat) in mesh.groups.iter().zip(&mut of_group) {
            if named(group) {
                *coat = Some(number);
            }
        }
    }
    Ok(mesh
        .group_of
        .iter()
        .map(|&group| of_group[group as usize])
        .collect())
}

/// The longest edge on a face: one flat piece needs no small triangles.
fn longest_edge(face: Face, wavelength: f64) -> f64 {
    match face {
        Face::Flat(side) => side,
        Face::Curved(radius) => (CURVED_EDGE.0 * wavelength).min(CURVED_EDGE.1 * radius),
    }
}
