//! Plan for transforms of types 1 and 2 at fixed modes, points, and tolerance.
//!
//! Type 1: spreading of the strengths onto the fine grid with the window, FFT, and deconvolution of the
//! modes. Type 2 is the transpose of each step in reverse order with the same weights, so that the two
//! are adjoint to rounding.

use num_complex::Complex;
#[cfg(feature = "gpu")]
use wavefield_gpu::{Device, Gpu};
use wavefield_numerics::cpu::{CpuPool, Simd};

use crate::choice::Choice;
use crate::cpu::CpuTransform;
use crate::error::NufftError;
#[cfg(feature = "gpu")]
use crate::gpu::{GpuSetup, GpuTransform};
use crate::options::{Options, Sign};
use crate::precision::Precision;

/// Plan for NUFFTs of types 1 and 2.
#[derive(Debug)]
pub struct Plan<R: Precision> {
    modes: Vec<usize>,
    sign: Sign,
    engine: Engine<R>,
}

/// Back end of a plan.
#[derive(Debug)]
enum Engine<R: Precision> {
    Cpu(Box<CpuTransform<R>>),
    #[cfg(feature = "gpu")]
    Gpu(Box<OnDevice<R>>),
}

/// A transform on a GPU, with the chosen window and grid.
#[cfg(feature = "gpu")]
#[derive(Debug)]
pub(crate) struct OnDevice<R: Precision> {
    choice: Choice,
    pub(crate) transform: GpuTransform<R>,
}

#[cfg(feature = "gpu")]
impl<R: Precision> OnDevice<R> {
    /// Chooses window and grid and plans the transform.
    ///
    /// # Errors
    /// Returns [`NufftError`] if a number of modes, the tolerance, or an option is out of range, or if the device lacks a
    /// capability.
    pub(crate) fn new(gpu: &Gpu, modes: &[usize], options: &Options) -> Result<Self, NufftError> {
        // On a GPU the FFT is cheap relative to spreading, so an upsampling factor of 2 with a narrow
        // window is fastest.
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
        Ok(OnDevice { choice, transform })
    }
}

impl<R: Precision> Plan<R> {
    /// Plans a transform with one to three axes of modes on the CPU.
    ///
    /// # Errors
    /// Returns [`NufftError`] if the number of axes, a number of modes, the tolerance, or an option is
    /// out of range.
    pub fn on_cpu(pool: &CpuPool, modes: &[usize], options: &Options) -> Result<Self, NufftError> {
        check_axes(modes)?;
        let engine = Engine::Cpu(Box::new(CpuTransform::new(pool, modes, options)?));
        Ok(Plan {
            modes: modes.to_vec(),
            sign: options.sign,
            engine,
        })
    }

    /// Plans a transform with one to three axes of modes on a device.
    ///
    /// # Errors
    /// Returns [`NufftError`] if the number of axes, a number of modes, the tolerance, or an option is
    /// out of range, or if the device lacks a capability.
    #[cfg(feature = "gpu")]
    pub fn new(device: &Device, modes: &[usize], options: &Options) -> Result<Self, NufftError> {
        let gpu = match device {
            Device::Cpu(pool) => return Self::on_cpu(pool, modes, options),
            Device::Gpu(gpu) => gpu,
        };
        check_axes(modes)?;
        let transform = OnDevice::new(gpu, modes, options)?;
        Ok(Plan {
            modes: modes.to_vec(),
            sign: options.sign,
            engine: Engine::Gpu(Box::new(transform)),
        })
    }

    /// Returns the number of modes along each axis.
    pub fn modes(&self) -> &[usize] {
        &self.modes
    }

    /// Returns the number of points; 0 before they are set.
    pub fn points(&self) -> usize {
        match &self.engine {
            Engine::Cpu(cpu) => cpu.points(),
            #[cfg(feature = "gpu")]
            Engine::Gpu(gpu) => gpu.transform.points(),
        }
    }

    /// Returns the width of the window in grid points.
    pub fn width(&self) -> usize {
        self.choice().width
    }

    /// Returns the lengths of the fine grid.
    pub fn grid(&self) -> &[usize] {
        &self.choice().grid
    }

    /// Returns the SIMD instruction set in use; `None` on a GPU.
    pub fn simd(&self) -> Option<Simd> {
        match &self.engine {
            Engine::Cpu(cpu) => Some(cpu.simd()),
            #[cfg(feature = "gpu")]
            Engine::Gpu(_) => None,
        }
    }

    /// Returns the memory in bytes of a transform with `points` points, excluding its arguments.
    pub fn memory(&self, points: usize) -> usize {
        match &self.engine {
            Engine::Cpu(cpu) => cpu.memory(points),
            #[cfg(feature = "gpu")]
            Engine::Gpu(gpu) => gpu.transform.memory(points),
        }
    }

    /// Sets the points: one slice of coordinates per axis, in radians, any real numbers. On the CPU,
    /// window and grid are chosen again for their number.
    ///
    /// # Errors
    /// Returns [`NufftError`] if axes differ in length or a coordinate is not finite; the plan then has
    /// no points.
    pub fn set_points(&mut self, coordinates: &[&[R]]) -> Result<(), NufftError> {
        match &mut self.engine {
            Engine::Cpu(cpu) => cpu.set_points(coordinates),
            #[cfg(feature = "gpu")]
            Engine::Gpu(gpu) => gpu.transform.set_points(coordinates),
        }
    }

    /// Computes type 1: f_k = Σ_j c_j e^{±ik·x_j}, for one or more contiguous vectors of strengths.
    ///
    /// # Errors
    /// Returns [`NufftError`] if the lengths of the arrays do not match points and modes, or the points
    /// are not set.
    pub fn type1(
        &self,
        strengths: &[Complex<R>],
        coefficients: &mut [Complex<R>],
    ) -> Result<(), NufftError> {
        self.forward(self.sign, strengths, None, coefficients)
    }

    /// Computes type 2: c_j = Σ_k f_k e^{±ik·x_j}, for one or more contiguous vectors of modes.
    ///
    /// # Errors
    /// Returns [`NufftError`] if the lengths of the arrays do not match points and modes, or the points
    /// are not set.
    pub fn type2(
        &self,
        coefficients: &[Complex<R>],
        values: &mut [Complex<R>],
    ) -> Result<(), NufftError> {
        self.backward(self.sign, coefficients, values, None)
    }

    /// Computes the adjoint of type 1, which is type 2 with the opposite sign.
    ///
    /// # Errors
    /// Returns the errors of [`Plan::type2`].
    pub fn type1_adjoint(
        &self,
        coefficients: &[Complex<R>],
        values: &mut [Complex<R>],
    ) -> Result<(), NufftError> {
        self.backward(self.sign.opposite(), coefficients, values, None)
    }

    /// Computes the adjoint of type 2, which is type 1 with the opposite sign.
    ///
    /// # Errors
    /// Returns the errors of [`Plan::type1`].
    pub fn type2_adjoint(
        &self,
        strengths: &[Complex<R>],
        coefficients: &mut [Complex<R>],
    ) -> Result<(), NufftError> {
        self.forward(self.sign.opposite(), strengths, None, coefficients)
    }

    /// Computes type 1 with monopole and dipole strengths: f_k = Σ_j (c_j + Σ_a d_{aj} ∂/∂x_{aj})
    /// e^{±ik·x_j}. `along` holds d axis by axis, for each vector in turn.
    ///
    /// # Errors
    /// Returns the errors of [`Plan::type1`].
    pub fn type1_gradient(
        &self,
        strengths: &[Complex<R>],
        along: &[Complex<R>],
        coefficients: &mut [Complex<R>],
    ) -> Result<(), NufftError> {
        self.forward(self.sign, strengths, Some(along), coefficients)
    }

    /// Computes type 2 with the gradient of the values with respect to the coordinates, in one pass:
    /// c_j and ∂c_j/∂x_{aj}. `gradient` holds the derivatives axis by axis, for each vector in turn.
    ///
    /// # Errors
    /// Returns the errors of [`Plan::type2`].
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

/// Checks the number of axes and of modes.
fn check_axes(modes: &[usize]) -> Result<(), NufftError> {
    if modes.is_empty() || modes.len() > 3 {
        return Err(NufftError::Dimensions { found: modes.len() });
    }
    if let Some(axis) = modes.iter().position(|&count| count == 0) {
        return Err(NufftError::NoModes { axis });
    }
    NufftError::check_modes(modes)
}
