//! Batched fast Fourier transforms (FFT) in one, two, or three dimensions, on the CPU or the GPU.
//!
//! Forward: X\[k\] = Σₙ x\[n\]·e^{−j2πkn/N}; inverse: x\[n\] = Σₖ X\[k\]·e^{+j2πkn/N}. Neither is
//! normalized: forward and inverse in succession multiply by the number of points.
//!
//! Arrays are row-major (last axis fastest), and the transforms of a batch are contiguous. The half spectrum of a
//! real array holds the first n/2 + 1 elements of its last axis; the others follow from conjugate symmetry.
//!
//! The CPU supports all lengths. The GPU supports products of 2, 3, and 5, see
//! [`next_good_size`](wavefield_numerics::fft::next_good_size); a line that fits workgroup memory takes one
//! dispatch (Stockham's autosort algorithm), a longer one two or three (Bailey's four-step algorithm).

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

/// Error of an FFT plan or transform.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum FftError {
    /// The shape is not supported, or an array does not match it.
    #[error(transparent)]
    Shape(#[from] FftShapeError),
    /// The length is not supported on the GPU.
    #[error(
        "FFT length {size} is not supported on the GPU, which needs a product of 2, 3, and 5; use {next}"
    )]
    Size {
        /// Requested length.
        size: usize,
        /// Next supported length.
        next: usize,
    },
    /// A plan for the CPU was given buffers on the GPU.
    #[error("an FFT plan for the CPU cannot transform GPU buffers; create the plan on the GPU")]
    NotOnGpu,
    /// The device failed.
    #[error(transparent)]
    Device(#[from] DeviceError),
}

/// Precision of a transform: `f32` or `f64`.
pub trait Real: wavefield_numerics::fft::Real + Pod + sealed::Precision {}

impl Real for f32 {}
impl Real for f64 {}

mod sealed {
    /// Properties of a precision that the kernels need.
    pub trait Precision {
        /// WGSL text that defines the precision of the kernels appended to it.
        const WGSL: &'static str;
        /// Whether the adapter must support `f64`.
        const NEEDS_F64: bool;
        /// Rounds to this precision.
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

/// FFT plan for one device, shape, batch, kind, and precision (`R` is `f32` or `f64`).
///
/// Creating a plan computes small tables and compiles kernels; scratch memory is allocated by the first transform.
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
    /// Plans `batch` transforms of `shape` (one to three axes, the last one fastest).
    ///
    /// # Errors
    /// Returns [`FftError`] if this device cannot transform the shape, or lacks the precision or the memory.
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

    /// Returns the memory of the plan in bytes: tables, and scratch, which may not be allocated yet.
    ///
    /// The caller's arrays are excluded; transforming host arrays on a GPU needs a copy of one chunk in addition.
    #[must_use]
    pub fn memory(&self) -> u64 {
        match &self.back_end {
            BackEnd::Cpu(fft) => fft.memory(),
            BackEnd::Gpu(fft) => fft.memory(),
        }
    }

    /// Returns the lengths of the axes.
    #[must_use]
    pub fn shape(&self) -> &[usize] {
        self.extent().shape()
    }

    /// Returns the number of transforms per call.
    #[must_use]
    pub fn batch(&self) -> usize {
        self.extent().batch()
    }

    /// Returns the kind of the data.
    #[must_use]
    pub fn kind(&self) -> FftKind {
        self.extent().kind()
    }

    /// Returns the number of elements before the transform, over the whole batch.
    #[must_use]
    pub fn len(&self) -> usize {
        self.extent().len()
    }

    /// Returns whether there are no elements, which is never the case.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the number of elements of the spectra, over the whole batch; fewer than [`FftPlan::len`] for real
    /// data.
    #[must_use]
    pub fn spectrum_len(&self) -> usize {
        self.extent().spectrum_len()
    }

    /// Computes the forward transform of complex data, in place, on the device of the plan.
    ///
    /// # Errors
    /// Returns [`FftError`] if the plan or the length does not match, or the device failed.
    pub fn forward(&self, data: &mut [Complex<R>]) -> Result<(), FftError> {
        self.complex(data, Direction::Forward)
    }

    /// Computes the unnormalized inverse transform of complex data, in place, on the device of the plan.
    ///
    /// # Errors
    /// Returns [`FftError`] if the plan or the length does not match, or the device failed.
    pub fn inverse(&self, data: &mut [Complex<R>]) -> Result<(), FftError> {
        self.complex(data, Direction::Inverse)
    }

    /// Computes the half spectrum of real data, on the device of the plan.
    ///
    /// # Errors
    /// Returns [`FftError`] if the plan or a length does not match, or the device failed.
    pub fn forward_real(&self, input: &[R], spectrum: &mut [Complex<R>]) -> Result<(), FftError> {
        match &self.back_end {
            BackEnd::Cpu(fft) => Ok(fft.forward_real(input, spectrum)?),
            BackEnd::Gpu(fft) => {
                fft.extent().check_real(input.len(), spectrum.len())?;
                fft.forward_real(input, spectrum)
            }
        }
    }

    /// Computes real data from a half spectrum, unnormalized, on the device of the plan.
    ///
    /// Imaginary parts that conjugate symmetry excludes are ignored.
    ///
    /// # Errors
    /// Returns [`FftError`] if the plan or a length does not match, or the device failed.
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
    /// Returns [`FftError`] if the plan or the length does not match, or the device failed.
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
    /// Returns [`FftError`] if the plan or the length does not match, or the device failed.
    pub fn record_inverse(
        &self,
        commands: &mut Commands<'_>,
        data: &Buffer<Complex<R>>,
    ) -> Result<(), FftError> {
        self.extent().check_complex(data.len())?;
        self.on_gpu()?
            .record_complex(commands, data, Direction::Inverse)
    }

    /// Records the transform of real data on the GPU to their half spectrum.
    ///
    /// # Errors
    /// Returns [`FftError`] if the plan or a length does not match, or the device failed.
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

    /// Records the transform of a half spectrum on the GPU to real data; it overwrites the spectrum.
    ///
    /// # Errors
    /// Returns [`FftError`] if the plan or a length does not match, or the device failed.
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
