//! A transform prepared for its modes, its points and a tolerance: both directions from one plan.
//!
//! Type 1: spread the strengths onto a finer grid with the window, transform it, keep the modes and
//! divide by the window's transform. Type 2 is the transpose of each step in reverse order, with
//! the same weights, so that the two are adjoint to rounding.

use num_complex::Complex;
#[cfg(feature = "gpu")]
use wavefield_gpu::Device;
use wavefield_numerics::cpu::{CpuPool, Simd};

use crate::choice::Choice;
use crate::cpu::CpuTransform;
use crate::error::NufftError;
#[cfg(feature = "gpu")]
use crate::gpu::{GpuSetup, GpuTransform};
use crate::options::{Options, Sign};
use crate::precision::Precision;

/// A prepared transform of type 1 and type 2.
#[derive(Debug)]
pub struct Plan<R: Precision> {
    modes: Vec<usize>,
    sign: Sign,
    engine: Engine<R>,
}

/// Where it runs.
#[derive(Debug)]
enum Engine<R: Precision> {
    Cpu(Box<CpuTransform<R>>),
    #[cfg(feature = "gpu")]
    Gpu(Box<OnDevice<R>>),
}

/// A transform on a GPU, and what was chosen for it.
#[cfg(feature = "gpu")]
#[derive(Debug)]
struct OnDevice<R: Precision> {
    choice: Choice,
    transform: GpuTransform<R>,
}

impl<R: Precision> Plan<R> {
    /// Prepares a transform with one to three axes of modes on the CPU.
    ///
    /// # Errors
    /// A number of axes, a length, a tolerance or an option that cannot be.
    pub fn on_cpu(pool: &CpuPool, modes: &[usize], options: &Options) -> Result<Self, NufftError> {
        check_axes(modes)?;
        let engine = Engine::Cpu(Box::new(CpuTransform::new(pool, modes, options)?));
        Ok(Plan {
            modes: modes.to_vec(),
            sign: options.sign,
            engine,
        })
    }

    /// Prepares a transform with one to three axes of modes on a device.
    ///
    /// # Errors
    /// A number of axes, a length, a tolerance or an option that cannot be, or a device that lacks
    /// what is needed.
    #[cfg(feature = "gpu")]
    pub fn new(device: &Device, modes: &[usize], options: &Options) -> Result<Self, NufftError> {
        let gpu = match device {
            Device::Cpu(pool) => return Self::on_cpu(pool, modes, options),
            Device::Gpu(gpu) => gpu,
        };
        check_axes(modes)?;
        // Transforms are cheap there, windows are not.
        let options = Options {
            upsampling: options.upsampling.or(Some(2.0)),
            ..*options
        };
        let points = modes.iter().product();
        let choice = Choice::new::<R>(modes, points, &options, Simd::Scalar)?;
        let kernel = choice.kernel();
        let correction: Vec<Vec<f64>> = modes
            .iter()
            .zip(&choice.grid)
            .map(|(&count, &length)| kernel.corrections(count, length))
            .collect();
        let setup = GpuSetup {
            modes,
            grid: &choice.grid,
            width: choice.width,
            coefficients: &kernel.coefficients,
            correction: &correction,
            spreader: options.spreader,
        };
        let transform = GpuTransform::new(gpu, &setup)?;
        Ok(Plan {
            modes: modes.to_vec(),
            sign: options.sign,
            engine: Engine::Gpu(Box::new(OnDevice { choice, transform })),
        })
    }

    /// Number of modes along each axis.
    pub fn modes(&self) -> &[usize] {
        &self.modes
    }

    /// Number of points; none before they are set.
    pub fn points(&self) -> usize {
        match &self.engine {
            Engine::Cpu(cpu) => cpu.points(),
            #[cfg(feature = "gpu")]
            Engine::Gpu(gpu) => gpu.transform.points(),
        }
    }

    /// Number of grid points a point is spread over along each axis.
    pub fn width(&self) -> usize {
        self.choice().width
    }

    /// Lengths of the fine grid.
    pub fn grid(&self) -> &[usize] {
        &self.choice().grid
    }

    /// The vector instructions in use; none on a GPU.
    pub fn simd(&self) -> Option<Simd> {
        match &self.engine {
            Engine::Cpu(cpu) => Some(cpu.simd()),
            #[cfg(feature = "gpu")]
            Engine::Gpu(_) => None,
        }
    }

    /// Bytes a transform of so many points takes beside its arguments.
    pub fn memory(&self, points: usize) -> usize {
        match &self.engine {
            Engine::Cpu(cpu) => cpu.memory(points),
            #[cfg(feature = "gpu")]
            Engine::Gpu(gpu) => gpu.transform.memory(points),
        }
    }

    /// Takes the points: one slice of coordinates per axis, in radians, any real number. On the
    /// CPU, window and grid are chosen anew for their number.
    ///
    /// # Errors
    /// Axes of different lengths, or a coordinate that is not finite; the plan then has no points.
    pub fn set_points(&mut self, coordinates: &[&[R]]) -> Result<(), NufftError> {
        match &mut self.engine {
            Engine::Cpu(cpu) => cpu.set_points(coordinates),
            #[cfg(feature = "gpu")]
            Engine::Gpu(gpu) => gpu.transform.set_points(coordinates),
        }
    }

    /// Type 1: f_k = Σ_j c_j e^{±ik·x_j}. Several vectors of strengths, one after the other, give as
    /// many vectors of modes.
    ///
    /// # Errors
    /// Arrays whose lengths do not fit points and modes, or no points yet.
    pub fn type1(
        &self,
        strengths: &[Complex<R>],
        coefficients: &mut [Complex<R>],
    ) -> Result<(), NufftError> {
        self.forward(self.sign, strengths, None, coefficients)
    }

    /// Type 2: c_j = Σ_k f_k e^{±ik·x_j}. Several vectors of modes give as many vectors of values.
    ///
    /// # Errors
    /// Arrays whose lengths do not fit points and modes, or no points yet.
    pub fn type2(
        &self,
        coefficients: &[Complex<R>],
        values: &mut [Complex<R>],
    ) -> Result<(), NufftError> {
        self.backward(self.sign, coefficients, values, None)
    }

    /// The adjoint of type 1, which is type 2 with the opposite sign.
    ///
    /// # Errors
    /// As [`Plan::type2`].
    pub fn type1_adjoint(
        &self,
        coefficients: &[Complex<R>],
        values: &mut [Complex<R>],
    ) -> Result<(), NufftError> {
        self.backward(self.sign.opposite(), coefficients, values, None)
    }

    /// The adjoint of type 2, which is type 1 with the opposite sign.
    ///
    /// # Errors
    /// As [`Plan::type1`].
    pub fn type2_adjoint(
        &self,
        strengths: &[Complex<R>],
        coefficients: &mut [Complex<R>],
    ) -> Result<(), NufftError> {
        self.forward(self.sign.opposite(), strengths, None, coefficients)
    }

    /// Type 1 of strengths on the waves and on their derivatives by the points' coordinates:
    /// f_k = Σ_j (c_j + Σ_a d_{aj} ∂/∂x_{aj}) e^{±ik·x_j}. `along` holds d axis by axis (and vector
    /// by vector outside of that).
    ///
    /// # Errors
    /// As [`Plan::type1`].
    pub fn type1_gradient(
        &self,
        strengths: &[Complex<R>],
        along: &[Complex<R>],
        coefficients: &mut [Complex<R>],
    ) -> Result<(), NufftError> {
        self.forward(self.sign, strengths, Some(along), coefficients)
    }

    /// Type 2 with the derivatives of the values by the points' coordinates, in one pass:
    /// c_j and ∂c_j/∂x_{aj}. `gradient` takes them axis by axis (and vector by vector outside of that).
    ///
    /// # Errors
    /// As [`Plan::type2`].
    pub fn type2_gradient(
        &self,
        coefficients: &[Complex<R>],
        values: &mut [Complex<R>],
        gradient: &mut [Complex<R>],
    ) -> Result<(), NufftError> {
        self.backward(self.sign, coefficients, values, Some(gradient))
    }

    fn choice(&self) -> &Choice {
        match &self.engine {
            Engine::Cpu(cpu) => cpu.choice(),
            #[cfg(feature = "gpu")]
            Engine::Gpu(gpu) => &gpu.choice,
        }
    }

    fn forward(
        &self,
        sign: Sign,
        strengths: &[Complex<R>],
        along: Option<&[Complex<R>]>,
        coefficients: &mut [Complex<R>],
    ) -> Result<(), NufftError> {
        match &self.engine {
            Engine::Cpu(cpu) => cpu.forward(sign, strengths, along, coefficients),
            #[cfg(feature = "gpu")]
            Engine::Gpu(_) if along.is_some() => Err(NufftError::NeedsCpu {
                what: "derivatives",
            }),
            #[cfg(feature = "gpu")]
            Engine::Gpu(gpu) => gpu.transform.type1(sign, strengths, coefficients),
        }
    }

    fn backward(
        &self,
        sign: Sign,
        coefficients: &[Complex<R>],
        values: &mut [Complex<R>],
        gradient: Option<&mut [Complex<R>]>,
    ) -> Result<(), NufftError> {
        match &self.engine {
            Engine::Cpu(cpu) => cpu.backward(sign, coefficients, values, gradient),
            #[cfg(feature = "gpu")]
            Engine::Gpu(_) if gradient.is_some() => Err(NufftError::NeedsCpu {
                what: "derivatives",
            }),
            #[cfg(feature = "gpu")]
            Engine::Gpu(gpu) => gpu.transform.type2(sign, coefficients, values),
        }
    }
}

/// Refuses numbers of axes and of modes that cannot be transformed.
fn check_axes(modes: &[usize]) -> Result<(), NufftError> {
    if modes.is_empty() || modes.len() > 3 {
        return Err(NufftError::Dimensions { found: modes.len() });
    }
    if let Some(axis) = modes.iter().position(|&count| count == 0) {
        return Err(NufftError::NoModes { axis });
    }
    NufftError::check_modes(modes)
}
