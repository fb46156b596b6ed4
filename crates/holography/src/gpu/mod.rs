//! Holography on the GPU.
//!
//! The GPU computes the amplitudes of any front end exactly from the packed bits, as sums of weighted bits for all bins
//! at once ([`GpuFrontEnd`]). The CPU pads the holograms and chooses their filters, in double precision. The GPU
//! computes FFTs, filters, propagation, and inverse FFTs of pressure and velocity for all frequencies ([`GpuPlanes`]).
//!
//! Results of one GPU are bitwise reproducible. Unsupported operations are errors; there is no fallback to the CPU.

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
    /// Runs the reconstruction with front end and propagation on the GPU. PCM recordings are transformed on the CPU.
    ///
    /// # Errors
    /// Returns the errors of [`Plan::execute`], [`Error::GpuGrid`] for padded grids that the GPU FFT does not support,
    /// and [`Error::Device`] or [`Error::Transform`] if the GPU fails or has insufficient memory.
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
