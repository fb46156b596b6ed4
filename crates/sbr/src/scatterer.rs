//! A body that scatters: its surface, a tracer for it, and its far field under plane waves.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use wavefield_mesh::TriangleMesh;
use wavefield_physics::constants::vacuum_wavenumber;
use wavefield_physics::direction::Direction;
use wavefield_physics::far_field::ScatteringMatrix;

use crate::aperture::{Count, Density, Wave};
use crate::coat::{Coat, Coats};
use crate::edge::{EdgeOptions, Edges};
use crate::error::Error;
use crate::optics::Field;
use crate::patch::{Amplitude, Observer};
use crate::receiver::{FarField, Receiver};
use crate::reciprocity::both_directions;
use crate::trace::{BvhTracer, Surface, Tracer};
use wavefield_numerics::vector::{norm, scaled, sub};

/// A body that conducts perfectly, or is coated.
#[derive(Debug)]
pub struct Scatterer {
    tracer: Arc<BvhTracer>,
    /// Its sharp edges, where they are to diffract.
    diffraction: Option<Edges>,
    /// Longest edge of every triangle, m.
    lengths: Vec<f64>,
    /// What its facets are coated with.
    coats: Coats,
}

/// The far field of a body under one plane wave.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Scattering {
    /// Scattering matrices, observer by observer and within one frequency by frequency.
    pub matrices: Vec<ScatteringMatrix>,
    /// ½|S_VH − S_HV| of the forward paths in m, for each matrix: the error that the two directions of the paths show
    /// in a monostatic cross-polar element. Zero toward other directions, where paths are followed in one direction.
    pub asymmetry: Vec<f64>,
    /// Rays that were traced, reflections included.
    pub rays: u64,
    /// Tubes still bouncing after the last reflection allowed; they count with their last hit.
    pub unfinished: u64,
}

impl Scatterer {
    /// Takes a mesh; which way its triangles are turned does not matter.
    ///
    /// # Errors
    /// A mesh without triangles, or one that is not sound.
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
            coats: Coats::default(),
        })
    }

    /// The same with coats, and which of them each triangle has; the others conduct.
    ///
    /// # Errors
    /// A coat that makes no sense, one that is not there, or a list that does not fit the triangles; edges that are
    /// to diffract, which are known for conductors only.
    pub fn coated(
        self,
        coats: Vec<Coat>,
        of_triangle: Vec<Option<u32>>,
    ) -> Result<Scatterer, Error> {
        let coats = Coats::new(coats, of_triangle, self.triangles())?;
        if self.diffraction.is_some() && !coats.is_empty() {
            return Err(Error::CoatedEdges);
        }
        Ok(Scatterer { coats, ..self })
    }

    /// Whether any of its triangles is coated.
    pub(crate) fn is_coated(&self) -> bool {
        !self.coats.is_empty()
    }

    /// The same with diffraction by its sharp edges and rims. Triangles are turned to agree with their
    /// neighbours first, so that both faces of an edge are known.
    ///
    /// # Errors
    /// As [`Scatterer::new`].
    pub fn with_edges(mesh: &TriangleMesh) -> Result<Scatterer, Error> {
        let mut oriented = mesh.clone();
        oriented.orient();
        let mut body = Scatterer::new(&oriented)?;
        let tracer: Arc<dyn Tracer + Send> = Arc::clone(&body.tracer) as _;
        body.diffraction = Some(Edges::new(&oriented, tracer, Edges::SHARP)?);
        Ok(body)
    }

    /// The diffracting edges, if they were asked for.
    pub fn diffraction(&self) -> Option<&Edges> {
        self.diffraction.as_ref()
    }

    /// Half the diagonal of the body's bounding box, m.
    pub fn radius(&self) -> f64 {
        self.tracer.surface().radius()
    }

    /// Number of triangles.
    pub fn triangles(&self) -> usize {
        self.lengths.len()
    }

    /// The field towards some directions of a wave that comes from one, at several frequencies, which share
    /// the rays. On the rayon pool the caller has installed; the same bits for any number of threads.
    ///
    /// # Errors
    /// A density or a frequency that makes no sense, or more rays than numbers for them.
    pub fn scatter(
        &self,
        from: Direction,
        to: &[Direction],
        frequencies: &[f64],
        density: Density,
    ) -> Result<Scattering, Error> {
        density.check()?;
        let mut one = self.scatter_at(from, to, frequencies, &[density])?;
        Ok(one.remove(0))
    }

    /// The same at several densities, which share what does not depend on them: small facets, whose rays are
    /// counted with the first, and edges.
    pub(crate) fn scatter_at(
        &self,
        from: Direction,
        to: &[Direction],
        frequencies: &[f64],
        densities: &[Density],
    ) -> Result<Vec<Scattering>, Error> {
        let illumination = Illumination::new(from, to, frequencies)?;
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

    /// Hands what the facets reflect, at several densities, to copies of a receiver.
    pub(crate) fn reflect<R: Receiver + Clone>(
        &self,
        tracer: &dyn Tracer,
        illumination: &Illumination,
        densities: &[Density],
        nothing: R,
    ) -> Result<Vec<(R, Count)>, Error> {
        let coating = self.coats.at(&illumination.frequencies)?;
        let wave = Wave {
            tracer,
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

    /// The field of the edges, if they are to diffract.
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

    /// What traces its rays.
    pub(crate) fn tracer(&self) -> &Arc<BvhTracer> {
        &self.tracer
    }

    /// A receiver of every patch from which a wave of one frequency leaves the body.
    ///
    /// # Errors
    /// As [`Scatterer::scatter`].
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

    /// The field back where the wave comes from.
    ///
    /// # Errors
    /// As [`Scatterer::scatter`].
    pub fn monostatic(
        &self,
        from: Direction,
        frequency: f64,
        density: Density,
    ) -> Result<ScatteringMatrix, Error> {
        Ok(self.scatter(from, &[from], &[frequency], density)?.matrices[0])
    }
}

/// A wave and who observes it.
#[derive(Clone, Debug)]
pub(crate) struct Illumination {
    from: Direction,
    pub(crate) observers: Vec<Observer>,
    /// Hz.
    frequencies: Vec<f64>,
    pub(crate) wavenumbers: Vec<f64>,
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
            observers: to.iter().copied().map(Observer::towards).collect(),
            wavenumbers: frequencies.iter().copied().map(vacuum_wavenumber).collect(),
            frequencies,
        })
    }

    /// Where the wave goes.
    pub(crate) fn direction(&self) -> [f64; 3] {
        scaled(self.from.unit(), -1.0)
    }

    /// A far field of nothing.
    pub(crate) fn field(&self) -> FarField<'_> {
        FarField::new(&self.observers, &self.wavenumbers)
    }

    /// The scattering matrices of a far field, reciprocal toward the source.
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

    /// Whether an observer is at the source, with the same polarization vectors.
    fn is_monostatic(&self, observer: &Observer) -> bool {
        observer.direction == self.from.unit() && observer.received == self.transmitted()
    }

    fn transmitted(&self) -> [[f64; 3]; 2] {
        [self.from.theta_hat(), self.from.phi_hat()]
    }

    /// The shortest, m.
    fn wavelength(&self) -> f64 {
        let highest = self.wavenumbers.iter().copied().fold(0.0, f64::max);
        2.0 * std::f64::consts::PI / highest
    }
}

/// A frequency that makes a wave.
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
