//! A body that scatters: its surface, a tracer for it, and its far field under plane waves.

use std::sync::Arc;

use wavefield_mesh::TriangleMesh;
use wavefield_physics::constants::{SPEED_OF_LIGHT, vacuum_wavenumber};
use wavefield_physics::direction::Direction;
use wavefield_physics::far_field::ScatteringMatrix;

use crate::aperture::{Density, Wave};
use crate::edge::{EdgeOptions, Edges};
use crate::error::Error;
use crate::patch::{Amplitude, Observer};
use crate::receiver::{FarField, Receiver};
use crate::trace::{BvhTracer, Surface, Tracer};
use crate::vector::{length, sub};

/// A perfectly conducting body.
#[derive(Debug)]
pub struct Scatterer {
    tracer: Arc<BvhTracer>,
    /// Its sharp edges, where they are to diffract.
    diffraction: Option<Edges>,
    /// Longest edge of every triangle, m.
    lengths: Vec<f64>,
}

/// The far field of a body under one plane wave.
#[derive(Clone, Debug, PartialEq)]
pub struct Scattering {
    /// Scattering matrices, observer by observer and within one frequency by frequency.
    pub matrices: Vec<ScatteringMatrix>,
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
                sides.into_iter().map(length).fold(0.0, f64::max)
            })
            .collect();
        Ok(Scatterer {
            tracer: Arc::new(BvhTracer::new(Arc::new(surface))),
            diffraction: None,
            lengths,
        })
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

    /// Bytes of the tree over the body.
    pub fn memory(&self) -> usize {
        self.tracer.memory()
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
        let wavenumbers: Vec<f64> = frequencies
            .iter()
            .map(|&frequency| positive(frequency).map(vacuum_wavenumber))
            .collect::<Result<_, _>>()?;
        let observers: Vec<Observer> = to
            .iter()
            .map(|direction| Observer {
                direction: direction.unit(),
                received: [direction.theta_hat(), direction.phi_hat()],
            })
            .collect();
        let highest = wavenumbers.iter().copied().fold(0.0, f64::max);
        let wavelength = 2.0 * std::f64::consts::PI / highest;
        let wave = self.wave(from, wavelength);
        let grids = densities
            .iter()
            .map(|&density| wave.grid(density))
            .collect::<Result<Vec<_>, _>>()?;
        let mut shared = FarField::new(&observers, &wavenumbers);
        let mut shared_rays = wave.reflect_by_small_facets(&mut shared);
        if let Some(edges) = &self.diffraction {
            shared.add(|observer, k, sum| {
                let fringe = edges.scattering(
                    k,
                    wave.source,
                    observer.direction,
                    wave.transmitted,
                    observer.received,
                    &EdgeOptions::default(),
                );
                for (sum, part) in sum.iter_mut().flatten().zip(fringe.iter().flatten()) {
                    *sum += part;
                }
            });
        }
        let at_density = |(&density, grid)| {
            let mut field = shared.clone();
            let rays = wave.reflect_by_long_facets(density, &mut field);
            let count = wave.reflect_by_tubes(grid, &mut field);
            Scattering {
                matrices: field.amplitudes.iter().map(matrix).collect(),
                rays: count.rays + rays + std::mem::take(&mut shared_rays),
                unfinished: count.unfinished,
            }
        };
        Ok(densities.iter().zip(&grids).map(at_density).collect())
    }

    /// Hands every patch from which a wave of one frequency leaves the body to a receiver.
    ///
    /// # Errors
    /// As [`Scatterer::scatter`].
    pub(crate) fn illuminate<R: Receiver>(
        &self,
        from: Direction,
        frequency: f64,
        density: Density,
        receiver: &mut R,
    ) -> Result<(), Error> {
        density.check()?;
        let wavelength = SPEED_OF_LIGHT / positive(frequency)?;
        let wave = self.wave(from, wavelength);
        let grid = wave.grid(density)?;
        wave.reflect_by_small_facets(receiver);
        wave.reflect_by_long_facets(density, receiver);
        wave.reflect_by_tubes(&grid, receiver);
        Ok(())
    }

    fn wave(&self, from: Direction, wavelength: f64) -> Wave<'_> {
        Wave {
            tracer: self.tracer.as_ref(),
            source: from.unit(),
            transmitted: [from.theta_hat(), from.phi_hat()],
            wavelength,
            lengths: &self.lengths,
        }
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

/// A frequency that makes a wave.
pub(crate) fn positive(frequency: f64) -> Result<f64, Error> {
    if frequency > 0.0 && frequency.is_finite() {
        Ok(frequency)
    } else {
        Err(Error::Frequency { frequency })
    }
}

fn matrix(f: &Amplitude) -> ScatteringMatrix {
    ScatteringMatrix::from_amplitude(f[0][0], f[0][1], f[1][0], f[1][1])
}
