//! Shooting and bouncing rays on a GPU: hits are bitwise identical to those of the CPU, and phases have the same
//! accuracy.
//!
//! Ray tubes, facets, and their subdivision use the CPU code (`aperture`, `facet`, `tube`). The GPU implements its
//! two interfaces: [`GpuTracer`] finds the hits, and a receiver sums the far field. Edges are few and diffract on
//! the CPU. Results on the same GPU are bitwise identical.

mod arithmetic;
mod body;
mod far_field;
mod state;
mod tracer;

use std::sync::Arc;

use wavefield_gpu::{Gpu, Kernel};
use wavefield_physics::direction::Direction;

pub use arithmetic::Arithmetic;
pub use tracer::GpuTracer;

use crate::aperture::Density;
use crate::error::Error;
use crate::receiver::Receiver;
use crate::scatterer::{Illumination, Scatterer, Scattering};
use crate::trace::Tracer;
use far_field::Observation;
use state::GpuState;

/// PEC body in GPU memory.
#[derive(Debug)]
pub struct GpuScatterer<'a> {
    body: &'a Scatterer,
    on_gpu: Arc<GpuState>,
    arithmetic: Arithmetic,
    tracer: GpuTracer,
    radiate: Kernel,
}

impl<'a> GpuScatterer<'a> {
    /// Uploads a body to a GPU, with the fastest arithmetic of sufficient accuracy.
    ///
    /// # Errors
    /// Returns an error if the GPU is not accurate enough, has too little memory, or fails.
    pub fn new(gpu: &Gpu, body: &'a Scatterer) -> Result<GpuScatterer<'a>, Error> {
        GpuScatterer::with_arithmetic(gpu, body, Arithmetic::of(gpu)?)
    }

    /// Uploads a body to a GPU with a given arithmetic.
    ///
    /// # Errors
    /// Returns the errors of [`GpuScatterer::new`].
    pub fn with_arithmetic(
        gpu: &Gpu,
        body: &'a Scatterer,
        arithmetic: Arithmetic,
    ) -> Result<GpuScatterer<'a>, Error> {
        arithmetic.check(gpu)?;
        if body.is_coated() {
            return Err(Error::CoatedOnGpu);
        }
        let on_gpu = Arc::new(GpuState::new(gpu));
        let processor = Arc::clone(body.tracer());
        Ok(GpuScatterer {
            body,
            tracer: GpuTracer::new(gpu, Arc::clone(&on_gpu), processor, arithmetic)?,
            on_gpu,
            arithmetic,
            radiate: far_field::kernel(gpu, arithmetic)?,
        })
    }

    /// Returns the arithmetic of the phases.
    pub fn arithmetic(&self) -> Arithmetic {
        self.arithmetic
    }

    /// Returns the ray tracer.
    pub fn tracer(&self) -> &GpuTracer {
        &self.tracer
    }

    /// Computes the field toward several directions for one direction of incidence at several frequencies (Hz),
    /// which share the rays; equivalent to [`Scatterer::scatter`].
    ///
    /// # Errors
    /// Returns an error if a density or a frequency is not valid, if the wave needs too many rays, or if the GPU has
    /// failed.
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

    /// Computes the field at several densities, which share what does not depend on them.
    pub(crate) fn scatter_at(
        &self,
        from: Direction,
        to: &[Direction],
        frequencies: &[f64],
        densities: &[Density],
    ) -> Result<Vec<Scattering>, Error> {
        let illumination = Illumination::new(from, to, frequencies)?;
        let observation = Observation::new(
            &self.on_gpu,
            self.arithmetic,
            &self.radiate,
            self.tracer.surface(),
            illumination.direction(),
            (&illumination.observers, &illumination.wavenumbers),
        )?;
        let nothing = observation.field();
        let parts = (self.body).reflect(&self.tracer, &illumination, densities, nothing)?;
        let fringes = self.body.diffract(&illumination);
        let found = parts
            .into_iter()
            .map(|(part, count)| {
                let mut field = illumination.field();
                part.add_to(&mut field);
                field.join(&fringes);
                illumination.scattering(&field, count)
            })
            .collect();
        self.on_gpu.fault()?;
        Ok(found)
    }
}
