//! Type 3: from non-uniform points to non-uniform frequencies, v_k = Σ_j c_j e^{±i s_k·x_j}.
//!
//! The points are spread onto a grid of spacing h = π/(σS) that covers them, S being the largest
//! frequency (both relative to the center of their range). The remaining sum over grid points, Σ_l b_l
//! e^{±i s_k h l}, is a transform of type 2, followed by deconvolution with the transform of the window
//! at s_k h. J.-Y. Lee, L. Greengard, J. Comput. Phys. 206 (2005) 1–5.

use std::f64::consts::PI;

use num_complex::{Complex, Complex64};
#[cfg(feature = "gpu")]
use wavefield_gpu::{Device, Gpu};
use wavefield_numerics::cpu::CpuPool;

use crate::choice::{TWICE, window_for};
use crate::cpu_type3::CpuType3;
use crate::error::NufftError;
#[cfg(feature = "gpu")]
use crate::gpu::GpuType3;
use crate::options::Options;
#[cfg(feature = "gpu")]
use crate::plan::OnDevice;
use crate::precision::Precision;

/// Maximum number of grid points: a larger grid would exceed the memory of most machines.
const MAX_GRID_POINTS: f64 = 1e9;

/// Plan for NUFFTs of type 3.
#[derive(Debug)]
pub struct Type3<R: Precision> {
    dimensions: usize,
    options: Options,
    home: Home,
    prepared: Option<Prepared<R>>,
}

/// Where the transform is computed.
#[derive(Debug)]
enum Home {
    Cpu(CpuPool),
    #[cfg(feature = "gpu")]
    Gpu(Gpu),
}

/// Data derived from points and frequencies.
#[derive(Debug)]
struct Prepared<R: Precision> {
    /// Phase factors e^{±i s̄·(x_j − x̄)} of the points, s̄ and x̄ being the centers.
    before: Vec<Complex<R>>,
    /// Factors e^{±i s_k·x̄} over the transform of the window, of the frequencies.
    after: Vec<Complex<R>>,
    between: Between<R>,
}

/// The transform between points and frequencies without these factors.
#[derive(Debug)]
enum Between<R: Precision> {
    Cpu(Box<CpuType3<R>>),
    #[cfg(feature = "gpu")]
    Gpu(Box<GpuType3<R>>),
}

/// Evaluates an expression with the transform of either device.
macro_rules! with_between {
    ($between:expr, $transform:ident => $run:expr) => {
        match $between {
            Between::Cpu($transform) => $run,
            #[cfg(feature = "gpu")]
            Between::Gpu($transform) => $run,
        }
    };
}

/// Center and half length of a range.
#[derive(Clone, Copy, Debug)]
struct Range {
    middle: f64,
    half: f64,
}

impl<R: Precision> Type3<R> {
    /// Plans a transform of one to three dimensions on the CPU.
    ///
    /// # Errors
    /// Returns [`NufftError`] if the number of dimensions or an option is out of range.
    pub fn on_cpu(
        pool: &CpuPool,
        dimensions: usize,
        options: &Options,
    ) -> Result<Self, NufftError> {
        options.instructions()?;
        Self::at(Home::Cpu(pool.clone()), dimensions, options)
    }

    /// Plans a transform of one to three dimensions on a device.
    ///
    /// # Errors
    /// Returns [`NufftError`] if the number of dimensions or an option is out of range.
    #[cfg(feature = "gpu")]
    pub fn new(device: &Device, dimensions: usize, options: &Options) -> Result<Self, NufftError> {
        match device {
            Device::Cpu(pool) => Self::on_cpu(pool, dimensions, options),
            Device::Gpu(gpu) => Self::at(Home::Gpu(gpu.clone()), dimensions, options),
        }
    }

    fn at(home: Home, dimensions: usize, options: &Options) -> Result<Self, NufftError> {
        if !(1..=3).contains(&dimensions) {
            return Err(NufftError::Dimensions { found: dimensions });
        }
        window_for::<R>(options.tolerance, dimensions)?;
        Ok(Type3 {
            dimensions,
            options: *options,
            home,
            prepared: None,
        })
    }

    /// Returns the number of points; 0 before they are set.
    pub fn points(&self) -> usize {
        let between = self.prepared.as_ref().map(|prepared| &prepared.between);
        between.map_or(0, |between| with_between!(between, t => t.points()))
    }

    /// Returns the number of frequencies; 0 before they are set.
    pub fn frequencies(&self) -> usize {
        let between = self.prepared.as_ref().map(|prepared| &prepared.between);
        between.map_or(0, |between| with_between!(between, t => t.frequencies()))
    }

    /// Sets the points x and the frequencies s: one slice per axis each, any real numbers. The cost
    /// grows with the product of the two ranges along each axis.
    ///
    /// # Errors
    /// Returns [`NufftError`] if axes differ in length, a number is not finite, or the product of the
    /// ranges is too large.
    pub fn set_points(&mut self, points: &[&[R]], frequencies: &[&[R]]) -> Result<(), NufftError> {
        self.prepared = None;
        let x = ranges("a coordinate", self.dimensions, points)?;
        let s = ranges("a frequency", self.dimensions, frequencies)?;
        let axes = self.dimensions;
        // The two steps share the tolerance.
        let tolerance = (0.5 * self.options.tolerance).max(R::MIN_TOLERANCE);
        let kernel = window_for::<R>(tolerance, axes)?;
        let width = kernel.width;

        let mut spacing = vec![0.0; axes];
        let mut lengths = vec![0; axes];
        let mut cells = 1.0;
        for axis in 0..axes {
            let (x, s) = reach(x[axis].half, s[axis].half);
            spacing[axis] = PI / (TWICE * s);
            let length = (2.0 * x / spacing[axis]).ceil() + width as f64 + 2.0;
            cells *= length;
            if cells > MAX_GRID_POINTS {
                return Err(NufftError::Ranges {
                    axis,
                    product: x * s,
                });
            }
            lengths[axis] = (length as usize).max(2 * width.max(8)).next_multiple_of(2);
        }

        let angles: Vec<Vec<f64>> = (0..axes)
            .map(|axis| {
                let turn = 2.0 * PI / (lengths[axis] as f64 * spacing[axis]);
                points[axis]
                    .iter()
                    .map(|p| (p.wide() - x[axis].middle) * turn)
                    .collect()
            })
            .collect();
        let inner_angles: Vec<Vec<f64>> = (0..axes)
            .map(|axis| {
                let shift = s[axis].middle;
                frequencies[axis]
                    .iter()
                    .map(|f| (f.wide() - shift) * spacing[axis])
                    .collect()
            })
            .collect();
        let sign = self.options.sign.factor();
        let before = (0..points[0].len())
            .map(|j| {
                let phase: f64 = (0..axes)
                    .map(|a| s[a].middle * (points[a][j].wide() - x[a].middle))
                    .sum();
                narrow(Complex64::cis(sign * phase))
            })
            .collect();
        // Rounding may move a frequency slightly beyond the last.
        let reciprocal = kernel.reciprocal(PI / TWICE * (1.0 + 1e-9));
        let after = (0..frequencies[0].len())
            .map(|k| {
                let phase: f64 = (0..axes)
                    .map(|a| frequencies[a][k].wide() * x[a].middle)
                    .sum();
                let factor: f64 = inner_angles
                    .iter()
                    .map(|axis| reciprocal.at(axis[k]))
                    .product();
                narrow(Complex64::cis(sign * phase) * factor)
            })
            .collect();

        let inner_options = Options {
            tolerance,
            ..self.options
        };
        NufftError::check_modes(&lengths)?;
        let (angles, inner_angles) = (slices(&angles), slices(&inner_angles));
        let between = match &self.home {
            Home::Cpu(pool) => Between::Cpu(Box::new(CpuType3::new(
                pool,
                &lengths,
                kernel,
                &inner_options,
                &angles,
                &inner_angles,
            )?)),
            #[cfg(feature = "gpu")]
            Home::Gpu(gpu) => {
                let mut inner = OnDevice::new(gpu, &lengths, &inner_options)?.transform;
                inner.set_points(&inner_angles)?;
                let spreader = self.options.spreader;
                Between::Gpu(Box::new(GpuType3::new(
                    gpu, &lengths, kernel, spreader, &angles, inner,
                )?))
            }
        };
        self.prepared = Some(Prepared {
            before,
            after,
            between,
        });
        Ok(())
    }

    /// Computes v_k = Σ_j c_j e^{±i s_k·x_j}, for one or more contiguous vectors of strengths.
    ///
    /// # Errors
    /// Returns [`NufftError`] if the lengths of the arrays do not match points and frequencies, or the
    /// points are not set.
    pub fn execute(
        &self,
        strengths: &[Complex<R>],
        values: &mut [Complex<R>],
    ) -> Result<(), NufftError> {
        let prepared = self.prepared(strengths.len(), values.len())?;
        let (points, frequencies) = (self.points(), self.frequencies());
        if frequencies == 0 {
            return Ok(());
        }
        if points == 0 {
            values.fill(Complex::new(R::zero(), R::zero()));
            return Ok(());
        }
        let given = strengths.chunks_exact(points);
        for (strengths, values) in given.zip(values.chunks_exact_mut(frequencies)) {
            let turned = times(strengths, &prepared.before);
            let sign = self.options.sign;
            with_between!(&prepared.between, t => t.forward(sign, &turned, values))?;
            for (value, &after) in values.iter_mut().zip(&prepared.after) {
                *value = *value * after;
            }
        }
        Ok(())
    }

    /// Computes the adjoint: c_j = Σ_k v_k e^{∓i s_k·x_j}.
    ///
    /// # Errors
    /// Returns the errors of [`Type3::execute`].
    pub fn adjoint(
        &self,
        values: &[Complex<R>],
        strengths: &mut [Complex<R>],
    ) -> Result<(), NufftError> {
        let prepared = self.prepared(strengths.len(), values.len())?;
        let (points, frequencies) = (self.points(), self.frequencies());
        if points == 0 {
            return Ok(());
        }
        if frequencies == 0 {
            strengths.fill(Complex::new(R::zero(), R::zero()));
            return Ok(());
        }
        let sign = self.options.sign.opposite();
        let given = values.chunks_exact(frequencies);
        for (values, strengths) in given.zip(strengths.chunks_exact_mut(points)) {
            let turned = times_conjugate(values, &prepared.after);
            with_between!(&prepared.between, t => t.backward(sign, &turned, strengths))?;
            for (strength, before) in strengths.iter_mut().zip(&prepared.before) {
                *strength = *strength * before.conj();
            }
        }
        Ok(())
    }

    /// Returns the prepared data after a check of the array lengths.
    fn prepared(&self, strengths: usize, values: usize) -> Result<&Prepared<R>, NufftError> {
        let prepared = self.prepared.as_ref().ok_or(NufftError::NoPoints)?;
        let (points, frequencies) = (self.points(), self.frequencies());
        let vectors = match (frequencies, points) {
            (0, 0) => 1,
            (0, _) => strengths / points,
            _ => values / frequencies,
        }
        .max(1);
        let check = NufftError::check_length;
        let over = vectors * frequencies;
        check("the array over the frequencies", over, values)?;
        check("the array over the points", vectors * points, strengths)?;
        Ok(prepared)
    }
}

/// Returns the range of every axis.
fn ranges<R: Precision>(
    what: &'static str,
    axes: usize,
    values: &[&[R]],
) -> Result<Vec<Range>, NufftError> {
    if values.len() != axes {
        return Err(NufftError::Length {
            what: "the list of axes",
            expected: axes,
            found: values.len(),
        });
    }
    let count = values[0].len();
    values
        .iter()
        .enumerate()
        .map(|(axis, row)| {
            if row.len() != count {
                return Err(NufftError::Length {
                    what: "an axis of coordinates",
                    expected: count,
                    found: row.len(),
                });
            }
            if let Some(index) = row.iter().position(|v| !v.wide().is_finite()) {
                return Err(NufftError::NotFinite {
                    what,
                    axis,
                    index,
                    value: row[index].wide(),
                });
            }
            let least = row.iter().map(|v| v.wide()).fold(f64::INFINITY, f64::min);
            let most = row
                .iter()
                .map(|v| v.wide())
                .fold(f64::NEG_INFINITY, f64::max);
            if row.is_empty() {
                return Ok(Range {
                    middle: 0.0,
                    half: 0.0,
                });
            }
            Ok(Range {
                middle: 0.5 * least + 0.5 * most,
                half: 0.5 * most - 0.5 * least,
            })
        })
        .collect()
}

/// Returns half lengths whose product is large enough for a reasonable grid spacing.
fn reach(x: f64, s: f64) -> (f64, f64) {
    match (x > 0.0, s > 0.0) {
        (false, false) => (1.0, 1.0),
        (false, true) => (1.0 / s, s),
        (true, false) => (x, 1.0 / x),
        (true, true) => (x.max(1.0 / s), s.max(1.0 / x)),
    }
}

fn slices(rows: &[Vec<f64>]) -> Vec<&[f64]> {
    rows.iter().map(Vec::as_slice).collect()
}

fn narrow<R: Precision>(z: Complex64) -> Complex<R> {
    Complex::new(R::narrow(z.re), R::narrow(z.im))
}

fn times<R: Precision>(values: &[Complex<R>], factors: &[Complex<R>]) -> Vec<Complex<R>> {
    values.iter().zip(factors).map(|(&v, &f)| v * f).collect()
}

fn times_conjugate<R: Precision>(values: &[Complex<R>], factors: &[Complex<R>]) -> Vec<Complex<R>> {
    values
        .iter()
        .zip(factors)
        .map(|(&v, f)| v * f.conj())
        .collect()
}
