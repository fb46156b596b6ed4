//! Fast Fourier transforms in one, two, or three dimensions, in batches, on the CPU or the GPU.
//!
//! Forward: X\[k\] = Σₙ x\[n\]·e^{−j2πkn/N}; inverse: x\[n\] = Σₖ X\[k\]·e^{+j2πkn/N}. Neither is
//! normalized: forward and inverse in succession multiply by the number of points.
//!
//! Arrays are row-major with the last axis fastest, one transform after the other. The spectrum of a real
//! array keeps the first n/2 + 1 elements of its last axis; the others are their complex conjugates.
//!
//! The CPU takes any length. The GPU takes products of 2, 3, and 5, see
//! [`next_good_size`](wavefield_numerics::fft::next_good_size); a line that fits
//! workgroup memory is one launch, a longer one two or three (Bailey's four-step algorithm).

mod device;
mod lines;
mod radices;

use bytemuck::Pod;
use num_complex::Complex;
use thiserror::Error;
use wavefield_numerics::fft::{CpuFft, Extent, FftKind, FftShapeError};

use crate::{Buffer, Commands, device::Device, error::DeviceError};
use device::GpuFft;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Direction {
    Forward,
    Inverse,
}

/// Why a transform cannot be planned or run.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum FftError {
    /// The shape cannot be transformed, or an array does not match it.
    #[error(transparent)]
    Shape(#[from] FftShapeError),
    /// The GPU does not transform this length.
    #[error(
        "the GPU transforms lengths that are products of 2, 3 and 5, which {size} is not; the next such length is {next}"
    )]
    Size {
        /// The length asked for.
        size: usize,
        /// The next length that works.
        next: usize,
    },
    /// Arrays on the GPU were given to a plan for the CPU.
    #[error("this plan was made for the CPU and cannot transform arrays on the GPU")]
    NotOnGpu,
    /// The device failed.
    #[error(transparent)]
    Device(#[from] DeviceError),
}

/// The two precisions a transform comes in: `f32` and `f64`.
pub trait Real: wavefield_numerics::fft::Real + Pod + sealed::Precision {}

impl Real for f32 {}
impl Real for f64 {}

mod sealed {
    /// What the kernels need to know of a precision.
    pub trait Precision {
        /// The WGSL text that sets the precision of the kernels appended to it.
        const WGSL: &'static str;
        /// Whether the adapter must offer `f64`.
        const NEEDS_F64: bool;
        /// The nearest number of this precision.
        fn nearest(value: f64) -> Self;
    }

    impl Precision for f32 {
        const WGSL: &'static str = include_str!("../kernels/real_f32.wgsl");
        const NEEDS_F64: bool = false;
        fn nearest(value: f64) -> Self {
            value as Self
        }
    }

    impl Precision for f64 {
        const WGSL: &'static str = include_str!("../kernels/real_f64.wgsl");
        const NEEDS_F64: bool = true;
        fn nearest(value: f64) -> Self {
            value
        }
    }
}

/// A transform prepared for one device, shape, batch, kind and precision (`R` is `f32` or `f64`).
///
/// Making a plan computes small tables and compiles kernels; scratch memory is taken at the first run.
#[derive(Debug)]
pub struct FftPlan<R: Real> {
    back_end: BackEnd<R>,
}

#[derive(Debug)]
enum BackEnd<R: Real> {
    Cpu(CpuFft<R>),
    Gpu(Box<GpuFft<R>>),
}

impl<R: Real> FftPlan<R> {
    /// Prepares `batch` transforms of `shape` (one to three axes, the last one fastest).
    ///
    /// # Errors
    /// When the shape cannot be transformed on this device, or the device lacks the precision or the memory.
    pub fn new(
        device: &Device,
        shape: &[usize],
        batch: usize,
        kind: FftKind,
    ) -> Result<Self, FftError> {
        let back_end = match device {
            Device::Cpu(pool) => BackEnd::Cpu(CpuFft::new(pool, shape, batch, kind)?),
            Device::Gpu(gpu) => {
                let extent = Extent::new(shape, batch, kind)?;
                BackEnd::Gpu(Box::new(GpuFft::new(gpu, &extent)?))
            }
        };
        Ok(Self { back_end })
    }

    fn extent(&self) -> &Extent {
        match &self.back_end {
            BackEnd::Cpu(fft) => fft.extent(),
            BackEnd::Gpu(fft) => fft.extent(),
        }
    }

    /// Bytes of tables and scratch the plan holds while it runs, known before the scratch is taken.
    ///
    /// The caller's arrays are not included; transforming host arrays on a GPU needs a copy of one chunk more.
    #[must_use]
    pub fn memory(&self) -> u64 {
        match &self.back_end {
            BackEnd::Cpu(fft) => fft.memory(),
            BackEnd::Gpu(fft) => fft.memory(),
        }
    }

    /// Lengths of the axes.
    #[must_use]
    pub fn shape(&self) -> &[usize] {
        self.extent().shape()
    }

    /// Number of transforms done at a time.
    #[must_use]
    pub fn batch(&self) -> usize {
        self.extent().batch()
    }

    /// What is transformed into what.
    #[must_use]
    pub fn kind(&self) -> FftKind {
        self.extent().kind()
    }

    /// Elements of the array before the transform, over the whole batch.
    #[must_use]
    pub fn len(&self) -> usize {
        self.extent().len()
    }

    /// Whether there is nothing to transform; a plan never is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Elements of the spectrum, over the whole batch; fewer than [`FftPlan::len`] for real data.
    #[must_use]
    pub fn spectrum_len(&self) -> usize {
        self.extent().spectrum_len()
    }

    /// Forward transform of complex data, in place, on whichever device the plan is for.
    ///
    /// # Errors
    /// When the plan or the length does not match, or the device fails.
    pub fn forward(&self, data: &mut [Complex<R>]) -> Result<(), FftError> {
        self.complex(data, Direction::Forward)
    }

    /// Unnormalized inverse transform of complex data, in place, on whichever device the plan is for.
    ///
    /// # Errors
    /// When the plan or the length does not match, or the device fails.
    pub fn inverse(&self, data: &mut [Complex<R>]) -> Result<(), FftError> {
        self.complex(data, Direction::Inverse)
    }

    /// Half spectrum of real data, on whichever device the plan is for.
    ///
    /// # Errors
    /// When the plan or a length does not match, or the device fails.
    pub fn forward_real(&self, input: &[R], spectrum: &mut [Complex<R>]) -> Result<(), FftError> {
        match &self.back_end {
            BackEnd::Cpu(fft) => Ok(fft.forward_real(input, spectrum)?),
            BackEnd::Gpu(fft) => {
                fft.extent().check_real(input.len(), spectrum.len())?;
                fft.forward_real(input, spectrum)
            }
        }
    }

    /// Real data from a half spectrum, unnormalized, on whichever device the plan is for.
    ///
    /// Imaginary parts that the symmetry of a real array's spectrum forbids are ignored.
    ///
    /// # Errors
    /// When the plan or a length does not match, or the device fails.
    pub fn inverse_real(&self, spectrum: &[Complex<R>], output: &mut [R]) -> Result<(), FftError> {
        match &self.back_end {
            BackEnd::Cpu(fft) => Ok(fft.inverse_real(spectrum, output)?),
            BackEnd::Gpu(fft) => {
                fft.extent().check_real(output.len(), spectrum.len())?;
                fft.inverse_real(spectrum, output)
            }
        }
    }

    /// Records the forward transform of complex data on the GPU, in place.
    ///
    /// # Errors
    /// When the plan or the length does not match, or the device fails.
    pub fn record_forward(
        &self,
        commands: &mut Commands<'_>,
        data: &Buffer<Complex<R>>,
    ) -> Result<(), FftError> {
        self.extent().check_complex(data.len())?;
        self.on_gpu()?
            .record_complex(commands, data, Direction::Forward)
    }

    /// Records the unnormalized inverse transform of complex data on the GPU, in place.
    ///
    /// # Errors
    /// When the plan or the length does not match, or the device fails.
    pub fn record_inverse(
        &self,
        commands: &mut Commands<'_>,
        data: &Buffer<Complex<R>>,
    ) -> Result<(), FftError> {
        self.extent().check_complex(data.len())?;
        self.on_gpu()?
            .record_complex(commands, data, Direction::Inverse)
    }

    /// Records the transform of real data on the GPU into its half spectrum.
    ///
    /// # Errors
    /// When the plan or a length does not match, or the device fails.
    pub fn record_forward_real(
        &self,
        commands: &mut Commands<'_>,
        input: &Buffer<R>,
        spectrum: &Buffer<Complex<R>>,
    ) -> Result<(), FftError> {
        self.extent().check_real(input.len(), spectrum.len())?;
        self.on_gpu()?
            .record_forward_real(commands, input, spectrum)
    }

    /// Records the transform of a half spectrum on the GPU into real data; the spectrum is overwritten on the way.
    ///
    /// # Errors
    /// When the plan or a length does not match, or the device fails.
    pub fn record_inverse_real(
        &self,
        commands: &mut Commands<'_>,
        spectrum: &Buffer<Complex<R>>,
        output: &Buffer<R>,
    ) -> Result<(), FftError> {
        self.extent().check_real(output.len(), spectrum.len())?;
        self.on_gpu()?
            .record_inverse_real(commands, spectrum, output)
    }

    fn complex(&self, data: &mut [Complex<R>], direction: Direction) -> Result<(), FftError> {
        match &self.back_end {
            BackEnd::Cpu(fft) => Ok(match direction {
                Direction::Forward => fft.forward(data),
                Direction::Inverse => fft.inverse(data),
            }?),
            BackEnd::Gpu(fft) => {
                fft.extent().check_complex(data.len())?;
                fft.complex(data, direction)
            }
        }
    }

    fn on_gpu(&self) -> Result<&GpuFft<R>, FftError> {
        match &self.back_end {
            BackEnd::Gpu(fft) => Ok(fft),
            BackEnd::Cpu(_) => Err(FftError::NotOnGpu),
        }
    }
}
