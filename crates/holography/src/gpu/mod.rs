//! Holography on a graphics card.
//!
//! Bits go to the card as they come; whatever the front end, its amplitudes are sums of weighted bits, which the card
//! makes for all bins at once, exactly ([`GpuFrontEnd`]). Holograms are small: the processor puts their borders around them and
//! chooses their filters, in double precision. Transforms, filters, ways to the plane and transforms back, of pressure
//! and velocity for all frequencies, are the card's again ([`GpuPlanes`]).
//!
//! The same card gives the same bits. What a card cannot do is an error, never left to the processor.

mod comparison;
mod front_end;
mod planes;

use wavefield_gpu::Gpu;
use wavefield_numerics::observe::Observer;

pub use comparison::DeviceDifference;
pub use front_end::GpuFrontEnd;
pub use planes::GpuPlanes;

use crate::error::Error;
use crate::front_end::FrontEnd;
use crate::passage::Passage;
use crate::plan::Plan;
use crate::result::Solution;

impl Plan {
    /// Computes everything with a graphics card: its sums of bits, its planes. Recorded samples are few, and the
    /// processor sums them.
    ///
    /// # Errors
    /// As [`Plan::execute`], [`Error::CardGrid`] for arrays that cards do not transform, [`Error::Device`] and
    /// [`Error::Transform`] for a card that fails or has too little memory.
    pub fn execute_on(&self, gpu: &Gpu, observer: &dyn Observer) -> Result<Solution, Error> {
        let (array, holography) = (self.array(), self.holography());
        let count = self.frequencies().len();
        let planes = GpuPlanes::new(gpu, array, &holography.fluid, &holography.border, count)?;
        let front_end = match self.front_end()? {
            Some(front_end) => {
                Some(Box::new(GpuFrontEnd::new(gpu, &*front_end)?) as Box<dyn FrontEnd>)
            }
            None => None,
        };
        self.execute_by(front_end, observer, &|holograms| {
            let passages = holograms
                .iter()
                .map(|hologram| {
                    observer.checkpoint()?;
                    holography.passage(hologram, self.distance())
                })
                .collect::<Result<Vec<_>, Error>>()?;
            let (ways, found): (Vec<Passage>, Vec<_>) = passages.into_iter().unzip();
            Ok(planes.fields(&ways)?.into_iter().zip(found).collect())
        })
    }
}
