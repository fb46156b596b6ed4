//! From what is asked to what will be computed.

mod memory;

use wavefield_gpu::Gpu;
use wavefield_mesh::{Group, TriangleMesh};
use wavefield_numerics::observe::Observer;
use wavefield_physics::constants::SPEED_OF_LIGHT;
use wavefield_physics::direction::Direction;
use wavefield_physics::far_field::ScatteringMatrix;
use wavefield_solver::checkpoint::{Forgetful, Keeper};
use wavefield_solver::scene::aspects::{self, Aspect, AspectError};
use wavefield_solver::scene::{Body, Coating, CoatingLayer, Face};
use wavefield_solver::tasks::{self, Key};
use wavefield_solver::validate;

use crate::aperture::Density;
use crate::coat::Coat;
use crate::contract::SbrSolver;
use crate::error::Error;
use crate::gpu::GpuScatterer;
use crate::result::Solution;
use crate::scatterer::{Scatterer, Scattering};
use crate::spec::Spec;

/// Most results of a run.
pub(crate) const MOST_ASPECTS: f64 = 1e7;
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

impl Plan {
    /// Lays out body and sweeps; `mesh` is the surface of a geometry that is in a file.
    ///
    /// # Errors
    /// The specification is not valid, or the body cannot be made.
    pub fn new(spec: &Spec, mesh: Option<TriangleMesh>) -> Result<Plan, Error> {
        validate(&SbrSolver, spec)?;
        let frequencies = frequencies(spec);
        let pairs = match spec.excitation.as_plane_wave() {
            Some(wave) => aspects::pairs(wave, &spec.observation, MOST_ASPECTS)?,
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
                coats(asked, &frequencies, wavelength)?,
                coat_of_each(&asked.coatings, &mesh)?,
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
        Ok(Plan {
            body,
            content,
            mesh,
            frequencies,
            waves,
            density: spec.sbr.rays.density(),
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
        (2.0 * self.body.radius() / self.step()).powi(2)
    }

    /// Returns the side of a cell of the first level, m.
    fn step(&self) -> f64 {
        let highest = self.frequencies.iter().copied().fold(0.0, f64::max);
        self.density.step * SPEED_OF_LIGHT / highest
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
fn coats(body: &Body, frequencies: &[f64], wavelength: f64) -> Result<Vec<Coat>, Error> {
    let layer = |layer: &CoatingLayer| (layer.thickness.metres(wavelength), layer.material.clone());
    let mut coats = Vec::with_capacity(body.coatings.len());
    for coating in &body.coatings {
        let backing = coating.backing.as_ref().unwrap_or(&body.material);
        let coat = Coat {
            layers: coating.layers.iter().map(layer).collect(),
            backing: backing.clone(),
        };
        for &frequency in frequencies {
            coat.at(frequency)?;
        }
        coats.push(coat);
    }
    Ok(coats)
}

/// Which coat each triangle has: the last that names its group or the whole body.
fn coat_of_each(specs: &[Coating], mesh: &TriangleMesh) -> Result<Vec<Option<u32>>, Error> {
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

/// Returns the frequencies, Hz; none if they cannot be laid out.
fn frequencies(spec: &Spec) -> Vec<f64> {
    let values = spec.frequency.values().unwrap_or_default();
    values.into_iter().map(|frequency| frequency.0).collect()
}

/// Returns the wavelength of the highest frequency, m.
pub(crate) fn shortest_wavelength(spec: &Spec) -> f64 {
    SPEED_OF_LIGHT / frequencies(spec).into_iter().fold(0.0, f64::max)
}

/// The longest edge on a face: one flat piece needs no small triangles.
pub(crate) fn longest_edge(face: Face, wavelength: f64) -> f64 {
    match face {
        Face::Flat(side) => side,
        Face::Curved(radius) => (CURVED_EDGE.0 * wavelength).min(CURVED_EDGE.1 * radius),
    }
}
