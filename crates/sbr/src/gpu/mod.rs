//! Rays on a graphics card: traced and summed there, with the hits of the processor and phases as exact as its own.
//!
//! What becomes of a hit — tubes, facets, and where they are divided — is decided by the same code as without a card
//! (`aperture`, `facet`, `tube`). The card stands behind its two doors: [`GpuTracer`] finds the hits and a receiver
//! sums the far field. Edges are few and diffract on the processor. The same card gives the same bits.

mod arithmetic;
mod body;
mod card;
mod far_field;
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
use card::Card;
use far_field::Observation;

/// A perfectly conducting body in the memory of a graphics card.
#[derive(Debug)]
pub struct GpuScatterer<'a> {
    body: &'a Scatterer,
    card: Arc<Card>,
    arithmetic: Arithmetic,
    tracer: GpuTracer,
    radiate: Kernel,
}

impl<'a> GpuScatterer<'a> {
    /// Brings a body to a card, in the arithmetic that suits the card.
    ///
    /// # Errors
    /// The card does not compute exactly enough, has too little memory, or fails.
    pub fn new(gpu: &Gpu, body: &'a Scatterer) -> Result<GpuScatterer<'a>, Error> {
        GpuScatterer::with_arithmetic(gpu, body, Arithmetic::of(gpu)?)
    }

    /// The same in a chosen arithmetic.
    ///
    /// # Errors
    /// As [`GpuScatterer::new`].
    pub fn with_arithmetic(
        gpu: &Gpu,
        body: &'a Scatterer,
        arithmetic: Arithmetic,
    ) -> Result<GpuScatterer<'a>, Error> {
        arithmetic.check(gpu)?;
        if body.is_coated() {
            return Err(Error::CoatedOnCard);
        }
        let card = Arc::new(Card::new(gpu));
        let processor = Arc::clone(body.tracer());
        Ok(GpuScatterer {
            body,
            tracer: GpuTracer::new(gpu, Arc::clone(&card), processor, arithmetic)?,
            card,
            arithmetic,
            radiate: far_field::kernel(gpu, arithmetic)?,
        })
    }

    /// The arithmetic of its phases.
    pub fn arithmetic(&self) -> Arithmetic {
        self.arithmetic
    }

    /// What traces its rays.
    pub fn tracer(&self) -> &GpuTracer {
        &self.tracer
    }

    /// The field towards some directions of a wave that comes from one, at several frequencies, which share the
    /// rays: what [`Scatterer::scatter`] gives.
    ///
    /// # Errors
    /// A density or a frequency that makes no sense, more rays than numbers for them, or a card that failed, now or
    /// before.
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

    /// The same at several densities, which share what does not depend on them.
    pub(crate) fn scatter_at(
        &self,
        from: Direction,
        to: &[Direction],
        frequencies: &[f64],
        densities: &[Density],
    ) -> Result<Vec<Scattering>, Error> {
        let illumination = Illumination::new(from, to, frequencies)?;
        let observation = Observation::new(
            &self.card,
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
        self.card.fault()?;
        Ok(found)
    }
}
