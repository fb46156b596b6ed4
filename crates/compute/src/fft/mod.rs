//! Fast Fourier transforms in one, two or three dimensions, many at a time, on the CPU or the GPU.
//!
//! Forward: X\[k\] = Σₙ x\[n\]·e^{−j2πkn/N}; inverse: x\[n\] = Σₖ X\[k\]·e^{+j2πkn/N}. Neither is
//! normalised: forward and inverse in succession multiply by the number of points.
//!
//! Arrays are row-major with the last axis fastest, one transform after the other. The spectrum of a real
//! array keeps the first n/2 + 1 elements of its last axis; the others are their complex conjugates.
//!
//! The CPU takes any length. The GPU takes products of 2, 3 and 5, see [`next_good_size`]; a line that fits
//! workgroup memory is one launch, a longer one two or three (Bailey's four-step algorithm).

mod cpu;
mod gpu;
mod lines;
mod size;

use std::sync::Arc;

use bytemuck::Pod;
use num_complex::Complex;
use realfft::{ComplexToReal, RealFftPlanner, RealToComplex};
use rustfft::{Fft, FftPlanner};
use thiserror::Error;

pub use size::{is_good_size, next_good_size};

use crate::{
    device::Device,
    error::DeviceError,
    gpu::{Buffer, Commands},
};
use cpu::CpuFft;
use gpu::GpuFft;

/// What is transformed into what.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FftKind {
    /// Complex numbers to complex numbers, in place.
    Complex,
    /// Real numbers to the half spectrum and back.
    Real,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Direction {
    Forward,
    Inverse,
}

/// Why a transform cannot be planned or run.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum FftError {
    /// Only one to three axes are transformed.
    #[error("{found} axes were given; a transform has 1, 2 or 3")]
    Axes {
        /// Number of axes given.
        found: usize,
    },
    /// An axis, or the batch, is empty.
    #[error("{what} has length 0; a transform needs at least one element")]
    Empty {
        /// Which one.
        what: &'static str,
    },
    /// The number of elements does not fit the machine's address range.
    #[error(
        "{batch} transforms of shape {shape:?} are more elements than this machine can address"
    )]
    Overflow {
        /// The shape asked for.
        shape: Vec<usize>,
        /// The batch asked for.
        batch: usize,
    },
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
    /// A real transform was asked of a complex plan or the other way round.
    #[error("this plan is for {planned:?} data; make another plan for the other kind")]
    Kind {
        /// What the plan was made for.
        planned: FftKind,
    },
    /// An array does not have the length the plan asks for.
    #[error("{what} needs {expected} elements, but {found} were given")]
    Length {
        /// Which array.
        what: &'static str,
        /// Elements the plan asks for.
        expected: usize,
        /// Elements given.
        found: usize,
    },
    /// Arrays on the GPU were given to a plan for the CPU.
    #[error("this plan was made for the CPU and cannot transform arrays on the GPU")]
    NotOnGpu,
    /// The device failed.
    #[error(transparent)]
    Device(#[from] DeviceError),
}

/// The two precisions a transform comes in: `f32` and `f64`.
///
/// The planners are asked through here, where the precision is known, so that the many kernels behind
/// them are compiled once in this crate and not again in each that transforms something.
pub trait Real: rustfft::FftNum + Pod + sealed::Precision {
    /// Transforms of a line of complex numbers: e^{−i…} and e^{+i…}.
    fn plan_line(length: usize) -> [Arc<dyn Fft<Self>>; 2];

    /// Transforms of a line of real numbers to its half spectrum, and back.
    fn plan_real_line(
        length: usize,
    ) -> (Arc<dyn RealToComplex<Self>>, Arc<dyn ComplexToReal<Self>>);
}

macro_rules! real {
    ($real:ty) => {
        impl Real for $real {
            #[inline(never)]
            fn plan_line(length: usize) -> [Arc<dyn Fft<Self>>; 2] {
                let mut planner = FftPlanner::<$real>::new();
                [
                    planner.plan_fft_forward(length),
                    planner.plan_fft_inverse(length),
                ]
            }

            #[inline(never)]
            fn plan_real_line(
                length: usize,
            ) -> (Arc<dyn RealToComplex<Self>>, Arc<dyn ComplexToReal<Self>>) {
                let mut planner = RealFftPlanner::<$real>::new();
                (
                    planner.plan_fft_forward(length),
                    planner.plan_fft_inverse(length),
                )
            }
        }
    };
}
real!(f32);
real!(f64);

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

/// Lengths of the arrays of a plan.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Extent {
    shape: Vec<usize>,
    batch: usize,
    kind: FftKind,
}

impl Extent {
    fn new(shape: &[usize], batch: usize, kind: FftKind) -> Result<Self, FftError> {
        if shape.is_empty() || shape.len() > 3 {
            return Err(FftError::Axes { found: shape.len() });
        }
        if shape.contains(&0) {
            return Err(FftError::Empty { what: "an axis" });
        }
        if batch == 0 {
            return Err(FftError::Empty { what: "the batch" });
        }
        // Room for the widest element, so that sizes in bytes never overflow either.
        let addressable = shape
            .iter()
            .try_fold(batch, |product, &axis| product.checked_mul(axis));
        if addressable
            .and_then(|elements| elements.checked_mul(64))
            .is_none()
        {
            return Err(FftError::Overflow {
                shape: shape.to_vec(),
                batch,
            });
        }
        Ok(Self {
            shape: shape.to_vec(),
            batch,
            kind,
        })
    }

    fn last(&self) -> usize {
        self.shape[self.shape.len() - 1]
    }

    /// Points of one transform before it.
    fn points(&self) -> usize {
        self.shape.iter().product()
    }

    /// Shape of one transform after it.
    fn spectrum_shape(&self) -> Vec<usize> {
        let mut shape = self.shape.clone();
        if self.kind == FftKind::Real {
            let last = shape.len() - 1;
            shape[last] = shape[last] / 2 + 1;
        }
        shape
    }

    /// Elements of one transform after it.
    fn spectrum(&self) -> usize {
        self.spectrum_shape().iter().product()
    }
}

/// A transform prepared for one device, shape, batch, kind and precision (`R` is `f32` or `f64`).
///
/// Making a plan computes small tables and compiles kernels; scratch memory is taken at the first run.
#[derive(Debug)]
pub struct FftPlan<R: Real> {
    extent: Extent,
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
        let extent = Extent::new(shape, batch, kind)?;
        let back_end = match device {
            Device::Cpu(pool) => BackEnd::Cpu(CpuFft::new(pool, &extent)),
            Device::Gpu(gpu) => BackEnd::Gpu(Box::new(GpuFft::new(gpu, &extent)?)),
        };
        Ok(Self { extent, back_end })
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
        &self.extent.shape
    }

    /// Number of transforms done at a time.
    #[must_use]
    pub fn batch(&self) -> usize {
        self.extent.batch
    }

    /// What is transformed into what.
    #[must_use]
    pub fn kind(&self) -> FftKind {
        self.extent.kind
    }

    /// Elements of the array before the transform, over the whole batch.
    #[must_use]
    pub fn len(&self) -> usize {
        self.extent.points() * self.extent.batch
    }

    /// Whether there is nothing to transform; a plan never is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Elements of the spectrum, over the whole batch; fewer than [`FftPlan::len`] for real data.
    #[must_use]
    pub fn spectrum_len(&self) -> usize {
        self.extent.spectrum() * self.extent.batch
    }

    /// Forward transform of complex data, in place, on whichever device the plan is for.
    ///
    /// # Errors
    /// When the plan or the length does not match, or the device fails.
    pub fn forward(&self, data: &mut [Complex<R>]) -> Result<(), FftError> {
        self.complex(data, Direction::Forward)
    }

    /// Unnormalised inverse transform of complex data, in place, on whichever device the plan is for.
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
        self.check_real(input.len(), spectrum.len())?;
        match &self.back_end {
            BackEnd::Cpu(fft) => {
                fft.forward_real(input, spectrum);
                Ok(())
            }
            BackEnd::Gpu(fft) => fft.forward_real(input, spectrum),
        }
    }

    /// Real data from a half spectrum, unnormalised, on whichever device the plan is for.
    ///
    /// Imaginary parts that the symmetry of a real array's spectrum forbids are ignored.
    ///
    /// # Errors
    /// When the plan or a length does not match, or the device fails.
    pub fn inverse_real(&self, spectrum: &[Complex<R>], output: &mut [R]) -> Result<(), FftError> {
        self.check_real(output.len(), spectrum.len())?;
        match &self.back_end {
            BackEnd::Cpu(fft) => {
                fft.inverse_real(spectrum, output);
                Ok(())
            }
            BackEnd::Gpu(fft) => fft.inverse_real(spectrum, output),
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
        self.check_complex(data.len())?;
        self.on_gpu()?
            .record_complex(commands, data, Direction::Forward)
    }

    /// Records the unnormalised inverse transform of complex data on the GPU, in place.
    ///
    /// # Errors
    /// When the plan or the length does not match, or the device fails.
    pub fn record_inverse(
        &self,
        commands: &mut Commands<'_>,
        data: &Buffer<Complex<R>>,
    ) -> Result<(), FftError> {
        self.check_complex(data.len())?;
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
        self.check_real(input.len(), spectrum.len())?;
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
        self.check_real(output.len(), spectrum.len())?;
        self.on_gpu()?
            .record_inverse_real(commands, spectrum, output)
    }

    fn complex(&self, data: &mut [Complex<R>], direction: Direction) -> Result<(), FftError> {
        self.check_complex(data.len())?;
        match &self.back_end {
            BackEnd::Cpu(fft) => {
                fft.complex(data, direction);
                Ok(())
            }
            BackEnd::Gpu(fft) => fft.complex(data, direction),
        }
    }

    fn on_gpu(&self) -> Result<&GpuFft<R>, FftError> {
        match &self.back_end {
            BackEnd::Gpu(fft) => Ok(fft),
            BackEnd::Cpu(_) => Err(FftError::NotOnGpu),
        }
    }

    fn check_complex(&self, data: usize) -> Result<(), FftError> {
        if self.extent.kind != FftKind::Complex {
            return Err(FftError::Kind {
                planned: self.extent.kind,
            });
        }
        check_length("the array", self.len(), data)
    }

    fn check_real(&self, points: usize, spectrum: usize) -> Result<(), FftError> {
        if self.extent.kind != FftKind::Real {
            return Err(FftError::Kind {
                planned: self.extent.kind,
            });
        }
        check_length("the real array", self.len(), points)?;
        check_length("the spectrum", self.spectrum_len(), spectrum)
    }
}

fn check_length(what: &'static str, expected: usize, found: usize) -> Result<(), FftError> {
    if expected == found {
        Ok(())
    } else {
        Err(FftError::Length {
            what,
            expected,
            found,
        })
    }
}
