//! Scattering body: surface, ray tracer, and far field under plane waves.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use wavefield_mesh::TriangleMesh;
use wavefield_physics::constants::vacuum_wavenumber;
use wavefield_physics::direction::Direction;
use wavefield_physics::far_field::ScatteringMatrix;

use crate::aperture::{Count, Density, Wave};
use crate::coating::{CoatingTable, LayeredCoating};
use crate::edge::{EdgeOptions, Edges};
use crate::error::Error;
use crate::optics::Field;
use crate::patch::{Amplitude, Observer};
use crate::receiver::{FarField, Receiver, Threads};
use crate::reciprocity::both_directions;
use crate::trace::{BvhTracer, Surface, Tracer};
use wavefield_numerics::vector::{norm, scaled, sub};

/// PEC or coated body.
#[derive(Debug)]
pub struct Scatterer {
    tracer: Arc<BvhTracer>,
    /// Sharp edges, if they diffract.
    diffraction: Option<Edges>,
    /// Longest edge of every triangle, m.
    lengths: Vec<f64>,
    /// Coatings of the facets.
    coatings: CoatingTable,
}

/// Far field of a body under one plane wave.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Scattering {
    /// Scattering matrices, ordered by observer and then by frequency.
    pub matrices: Vec<ScatteringMatrix>,
    /// ½|S_VH − S_HV| of the forward paths for each matrix, m: an error estimate of monostatic cross-polar elements
    /// from the two directions of the paths. Zero in bistatic directions, where paths are traced in one direction.
    pub asymmetry: Vec<f64>,
    /// Number of traced rays, reflections included.
    pub rays: u64,
    /// Number of tubes truncated at the maximum number of reflections; their last hit radiates.
    pub unfinished: u64,
}

impl Scatterer {
    /// Creates a PEC body from a mesh of any orientation.
    ///
    /// # Errors
    /// Returns an error if the mesh has no triangles or is not valid.
    pub fn new(mesh: &TriangleMesh) -> Result<Scatterer, Error> {
        let surface = Surface::new(mesh)?;
        let lengths = (0..surface.count() as u32)
            .map(|triangle| {
                let [a, b, c] = surface.corners(triangle);
                let sides = [sub(b, a), sub(c, b), sub(a, c)];
                sides.into_iter().map(norm).fold(0.0, f64::max)
            })
            .collect();
        Ok(Scatterer {
            tracer: Arc::new(BvhTracer::new(Arc::new(surface))),
            diffraction: None,
            lengths,
            coatings: CoatingTable::default(),
        })
    }

    /// Adds coatings, with the index of each triangle's coating; triangles without one are PEC.
    ///
    /// # Errors
    /// Returns an error if a coating is not physical, an index is out of range, the list does not match the
    /// triangles, or edge diffraction is enabled, which supports PEC edges only.
    pub fn coated(
        self,
        coatings: Vec<LayeredCoating>,
        of_triangle: Vec<Option<u32>>,
    ) -> Result<Scatterer, Error> {
        let coatings = CoatingTable::new(coatings, of_triangle, self.triangles())?;
        if self.diffraction.is_some() && !coatings.is_empty() {
            return Err(Error::CoatedEdges);
        }
        Ok(Scatterer { coatings, ..self })
    }

    /// Returns whether any triangle is coated.
    pub(crate) fn is_coated(&self) -> bool {
        !self.coatings.is_empty()
    }

    /// Creates a PEC body with diffraction by its sharp edges and rims. Triangles are oriented consistently with
    /// their neighbors first, because a wedge needs the outward normals of both faces.
    ///
    /// # Errors
    /// Returns the errors of [`Scatterer::new`].
    pub fn with_edges(mesh: &TriangleMesh) -> Result<Scatterer, Error> {
        let mut oriented = mesh.clone();
        oriented.orient();
        let mut body = Scatterer::new(&oriented)?;
        let tracer: Arc<dyn Tracer + Send> = Arc::clone(&body.tracer) as _;
        body.diffraction = Some(Edges::new(&oriented, tracer, Edges::SHARP)?);
        Ok(body)
    }

    /// Returns the diffracting edges, if edge diffraction is enabled.
    pub fn diffraction(&self) -> Option<&Edges> {
        self.diffraction.as_ref()
    }

    /// Returns half the diagonal of the body's bounding box, m.
    pub fn radius(&self) -> f64 {
        self.tracer.surface().radius()
    }

    /// Returns the number of triangles.
    pub fn triangles(&self) -> usize {
        self.lengths.len()
    }

    /// Returns the number of triangles whose edges are at most this long, m.
    pub(crate) fn small_facets(&self, longest: f64) -> usize {
        self.lengths
            .iter()
            .filter(|&&length| length <= longest)
            .count()
    }

    /// Computes the field toward several directions for one direction of incidence at several frequencies (Hz), which
    /// share the rays. Runs on the current rayon pool; the result is bitwise identical for any number of threads.
    ///
    /// # Errors
    /// Returns an error if a density or a frequency is not valid, or if the wave needs too many rays.
    pub fn scatter(
        &self,
        from: Direction,
        to: &[Direction],
        frequencies: &[f64],
        density: Density,
    ) -> Result<Scattering, Error> {
        density.check()?;
        let mut one = self.scatter_at(from, to, frequencies, &[density], Threads::All)?;
        Ok(one.remove(0))
    }

    /// Computes the field at several densities, which share what does not depend on them: edges and small facets,
    /// whose rays count toward the first density.
    pub(crate) fn scatter_at(
        &self,
        from: Direction,
        to: &[Direction],
        frequencies: &[f64],
        densities: &[Density],
        threads: Threads,
    ) -> Result<Vec<Scattering>, Error> {
        let illumination = Illumination {
            threads,
            ..Illumination::new(from, to, frequencies)?
        };
        let nothing = illumination.field();
        let parts = self.reflect(self.tracer.as_ref(), &illumination, densities, nothing)?;
        let fringes = self.diffract(&illumination);
        Ok(parts
            .into_iter()
            .map(|(mut field, count)| {
                field.join(&fringes);
                illumination.scattering(&field, count)
            })
            .collect())
    }

    /// Passes the patches of all reflections, at several densities, to copies of a receiver.
    pub(crate) fn reflect<R: Receiver + Clone>(
        &self,
        tracer: &dyn Tracer,
        illumination: &Illumination,
        densities: &[Density],
        nothing: R,
    ) -> Result<Vec<(R, Count)>, Error> {
        let coating = self.coatings.at(&illumination.frequencies)?;
        let wave = Wave {
            tracer,
            threads: illumination.threads,
            source: illumination.from.unit(),
            transmitted: illumination.transmitted(),
            field: Field::incident(illumination.transmitted(), &coating),
            wavelength: illumination.wavelength(),
            lengths: &self.lengths,
            coating: &coating,
        };
        let grids = densities
            .iter()
            .map(|&density| wave.grid(density))
            .collect::<Result<Vec<_>, _>>()?;
        let mut shared = nothing;
        let mut shared_rays = wave.reflect_by_small_facets(&mut shared);
        let at_density = |(&density, grid)| {
            let mut receiver = shared.clone();
            let rays = wave.reflect_by_long_facets(density, &mut receiver);
            let mut count = wave.reflect_by_tubes(grid, &mut receiver);
            count.rays += rays + std::mem::take(&mut shared_rays);
            (receiver, count)
        };
        Ok(densities.iter().zip(&grids).map(at_density).collect())
    }

    /// Returns the diffracted field of the edges, zero without edge diffraction.
    pub(crate) fn diffract<'a>(&self, illumination: &'a Illumination) -> FarField<'a> {
        let mut field = illumination.field();
        if let Some(edges) = &self.diffraction {
            field.add(|observer, (_, k), sum| {
                *sum = edges.scattering(
                    k,
                    illumination.from.unit(),
                    observer.direction,
                    illumination.transmitted(),
                    observer.received,
                    &EdgeOptions::default(),
                );
            });
        }
        field
    }

    /// Returns the ray tracer.
    pub(crate) fn tracer(&self) -> &Arc<BvhTracer> {
        &self.tracer
    }

    /// Passes every patch from which a wave of one frequency leaves the body to a receiver.
    ///
    /// # Errors
    /// Returns the errors of [`Scatterer::scatter`].
    pub(crate) fn illuminate<R: Receiver + Clone>(
        &self,
        from: Direction,
        frequency: f64,
        density: Density,
        nothing: R,
    ) -> Result<R, Error> {
        density.check()?;
        let illumination = Illumination::new(from, &[], &[frequency])?;
        let tracer = self.tracer.as_ref();
        let mut one = self.reflect(tracer, &illumination, &[density], nothing)?;
        Ok(one.remove(0).0)
    }

    /// Computes the monostatic field.
    ///
    /// # Errors
    /// Returns the errors of [`Scatterer::scatter`].
    pub fn monostatic(
        &self,
        from: Direction,
        frequency: f64,
        density: Density,
    ) -> Result<ScatteringMatrix, Error> {
        Ok(self.scatter(from, &[from], &[frequency], density)?.matrices[0])
    }
}

/// Incident wave with its observers.
#[derive(Clone, Debug)]
pub(crate) struct Illumination {
    from: Direction,
    pub(crate) observers: Vec<Observer>,
    /// Frequencies, Hz.
    frequencies: Vec<f64>,
    pub(crate) wavenumbers: Vec<f64>,
    /// Threads that process the wave.
    pub(crate) threads: Threads,
}

impl Illumination {
    pub(crate) fn new(
        from: Direction,
        to: &[Direction],
        frequencies: &[f64],
    ) -> Result<Illumination, Error> {
        let frequencies: Vec<f64> = (frequencies.iter().copied())
            .map(positive)
            .collect::<Result<_, _>>()?;
        Ok(Illumination {
            from,
            observers: to.iter().copied().map(Observer::toward).collect(),
            wavenumbers: frequencies.iter().copied().map(vacuum_wavenumber).collect(),
            frequencies,
            threads: Threads::All,
        })
    }

    /// Returns the direction of propagation.
    pub(crate) fn direction(&self) -> [f64; 3] {
        scaled(self.from.unit(), -1.0)
    }

    /// Returns a far field of zero.
    pub(crate) fn field(&self) -> FarField<'_> {
        FarField::new(&self.observers, &self.wavenumbers)
    }

    /// Returns the scattering matrices of a far field, reciprocal toward the source.
    pub(crate) fn scattering(&self, field: &FarField<'_>, count: Count) -> Scattering {
        let per_observer = field.amplitudes.chunks_exact(self.wavenumbers.len());
        let (matrices, asymmetry) = (self.observers.iter().zip(per_observer))
            .flat_map(|(observer, amplitudes)| {
                let monostatic = self.is_monostatic(observer);
                amplitudes.iter().map(move |forward| {
                    if monostatic {
                        let of_path = matrix(forward);
                        let apart = 0.5 * (of_path.vh - of_path.hv).norm();
                        (matrix(&both_directions(forward)), apart)
                    } else {
                        (matrix(forward), 0.0)
                    }
                })
            })
            .unzip();
        Scattering {
            matrices,
            asymmetry,
            rays: count.rays,
            unfinished: count.unfinished,
        }
    }

    /// Returns whether an observer is at the source, with the same polarization vectors.
    fn is_monostatic(&self, observer: &Observer) -> bool {
        observer.direction == self.from.unit() && observer.received == self.transmitted()
    }

    fn transmitted(&self) -> [[f64; 3]; 2] {
        [self.from.theta_hat(), self.from.phi_hat()]
    }

    /// Returns the shortest wavelength, m.
    pub(crate) fn wavelength(&self) -> f64 {
        let highest = self.wavenumbers.iter().copied().fold(0.0, f64::max);
        2.0 * std::f64::consts::PI / highest
    }
}

/// Returns the frequency if it is positive and finite.
fn positive(frequency: f64) -> Result<f64, Error> {
    if frequency > 0.0 && frequency.is_finite() {
        Ok(frequency)
    } else {
        Err(Error::Frequency { frequency })
    }
}

fn matrix(f: &Amplitude) -> ScatteringMatrix {
    ScatteringMatrix::from_amplitude(f[0][0], f[0][1], f[1][0], f[1][1])
}
