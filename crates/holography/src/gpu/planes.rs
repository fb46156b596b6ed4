//! Propagation of padded holograms to another plane on the GPU: FFT, filter and propagator, inverse FFT.
//!
//! Back-propagation amplifies evanescent waves, and roundoff with them, by some hundredfold. GPUs with working double
//! precision, tested when the device is opened, compute in it; on others the relative error is 10⁻⁴ for pressure and
//! 10⁻³ for velocity.

use num_complex::{Complex, Complex64};
use wavefield_gpu::fft::{FftError, FftPlan, Real};
use wavefield_gpu::{Access, Buffer, Device, Gpu, Kernel, KernelSource};
use wavefield_numerics::fft::FftKind;
use wavefield_physics::constants::angular_frequency;
use wavefield_physics::exact::sound::SoundField;
use wavefield_physics::medium::Fluid;

use crate::array::MicrophoneArray;
use crate::border::Border;
use crate::error::{Error, long_as};
use crate::passage::Passage;

/// Workgroup size, as in the kernels.
const THREADS: usize = 64;

/// Number of fields: pressure and three components of velocity.
const FIELDS: usize = 4;

/// Maximum size of the spectra of all fields in one dispatch, bytes.
const MAX_BYTES: usize = 64 << 20;

/// FFTs and propagation for holograms of one array, in batches.
#[derive(Debug)]
pub struct GpuPlanes(Precision);

#[derive(Debug)]
enum Precision {
    Single(Planes<f32>),
    Double(Planes<f64>),
}

impl GpuPlanes {
    /// Allocates buffers for `holograms` holograms, which may be computed in several batches.
    ///
    /// # Errors
    /// Returns [`Error::GpuGrid`] for grids that the GPU FFT does not support, and [`Error::Device`] if the GPU fails
    /// or has insufficient memory.
    pub fn new(
        gpu: &Gpu,
        array: &MicrophoneArray,
        fluid: &Fluid,
        border: &Border,
        holograms: usize,
    ) -> Result<Self, Error> {
        let double = gpu.accuracy()?.f64.is_some_and(|f64| f64.promised());
        Ok(Self(if double {
            Precision::Double(Planes::new(gpu, array, fluid, border, holograms)?)
        } else {
            Precision::Single(Planes::new(gpu, array, fluid, border, holograms)?)
        }))
    }

    /// Returns whether the GPU computes in double precision.
    pub fn is_double(&self) -> bool {
        matches!(self.0, Precision::Double(_))
    }

    /// Returns the GPU memory in use, bytes.
    pub fn gpu_memory(&self) -> usize {
        match &self.0 {
            Precision::Single(planes) => planes.gpu_memory(),
            Precision::Double(planes) => planes.gpu_memory(),
        }
    }

    /// Computes pressure and velocity at the grid of the microphones in the reconstruction planes.
    ///
    /// # Errors
    /// Returns [`Error::Length`] for a hologram of another grid, and [`Error::Device`] or [`Error::Transform`] if the
    /// GPU fails.
    pub fn fields(&self, passages: &[Passage]) -> Result<Vec<Vec<SoundField>>, Error> {
        match &self.0 {
            Precision::Single(planes) => planes.fields(passages),
            Precision::Double(planes) => planes.fields(passages),
        }
    }
}

/// Floating-point precision of the GPU computation.
trait Number: Real {
    /// Definition of the type `complex` of the kernels.
    const COMPLEX: &'static str;

    fn rounded(value: Complex64) -> Complex<Self>;

    fn widened(value: Complex<Self>) -> Complex64;
}

impl Number for f32 {
    const COMPLEX: &'static str = "alias complex = vec2<f32>;";

    fn rounded(value: Complex64) -> Complex<f32> {
        Complex::new(value.re as f32, value.im as f32)
    }

    fn widened(value: Complex<f32>) -> Complex64 {
        Complex::new(value.re.into(), value.im.into())
    }
}

impl Number for f64 {
    const COMPLEX: &'static str = "alias complex = vec2<f64>;";

    fn rounded(value: Complex64) -> Complex64 {
        value
    }

    fn widened(value: Complex64) -> Complex64 {
        value
    }
}

/// The implementation in one precision.
#[derive(Debug)]
struct Planes<R: Number> {
    gpu: Gpu,
    /// Points of a padded grid.
    points: usize,
    channels: usize,
    density: f64,
    forward: FftPlan<R>,
    inverse: FftPlan<R>,
    propagate: Kernel,
    crop: Kernel,
    spectra: Buffer<Complex<R>>,
    factors: Buffer<Complex<R>>,
    waves: Buffer<Complex<R>>,
    fields: Buffer<Complex<R>>,
}

impl<R: Number> Planes<R> {
    fn new(
        gpu: &Gpu,
        array: &MicrophoneArray,
        fluid: &Fluid,
        border: &Border,
        holograms: usize,
    ) -> Result<Self, Error> {
        border.check(array.rows, array.columns)?;
        let first = [border.points(array.rows), border.points(array.columns)];
        let [rows, columns] = [array.rows + 2 * first[0], array.columns + 2 * first[1]];
        let points = rows * columns;
        let at_once = MAX_BYTES / (FIELDS * points * size_of::<Complex<R>>());
        let at_once = at_once.min(holograms).max(1);
        let device = Device::Gpu(gpu.clone());
        let transform = |batch| {
            FftPlan::new(&device, &[rows, columns], batch, FftKind::Complex).map_err(|error| {
                match error {
                    FftError::Size { .. } => Error::GpuGrid { rows, columns },
                    other => Error::Transform(other),
                }
            })
        };
        let wgsl = format!("{}\n{}", R::COMPLEX, include_str!("kernels/planes.wgsl"));
        let kernel = |entry: &str| {
            Kernel::new(
                gpu,
                &KernelSource {
                    name: entry,
                    wgsl: &wgsl,
                    entry,
                    constants: &[
                        ("POINTS", points as f64),
                        ("GRID_COLUMNS", columns as f64),
                        ("ROWS", array.rows as f64),
                        ("COLUMNS", array.columns as f64),
                        ("TOP", first[0] as f64),
                        ("LEFT", first[1] as f64),
                    ],
                    bindings: &[
                        Access::Read,
                        Access::Read,
                        Access::ReadWrite,
                        Access::ReadWrite,
                    ],
                },
            )
        };
        let channels = array.channels();
        Ok(Self {
            forward: transform(at_once)?,
            inverse: transform(FIELDS * at_once)?,
            propagate: kernel("propagate")?,
            crop: kernel("crop")?,
            spectra: Buffer::zeroed(gpu, at_once * points)?,
            factors: Buffer::zeroed(gpu, FIELDS * at_once * points)?,
            waves: Buffer::zeroed(gpu, FIELDS * at_once * points)?,
            fields: Buffer::zeroed(gpu, FIELDS * at_once * channels)?,
            gpu: gpu.clone(),
            points,
            channels,
            density: fluid.density,
        })
    }

    fn gpu_memory(&self) -> usize {
        let transforms = self.forward.memory() + self.inverse.memory();
        let numbers =
            self.spectra.len() + self.factors.len() + self.waves.len() + self.fields.len();
        transforms as usize + size_of::<Complex<R>>() * numbers
    }

    fn fields(&self, passages: &[Passage]) -> Result<Vec<Vec<SoundField>>, Error> {
        let mut found = Vec::with_capacity(passages.len());
        for together in passages.chunks(self.forward.batch()) {
            self.compute(together, &mut found)?;
        }
        Ok(found)
    }

    fn compute(&self, passages: &[Passage], found: &mut Vec<Vec<SoundField>>) -> Result<(), Error> {
        for (i, passage) in passages.iter().enumerate() {
            long_as(
                "the padded hologram",
                self.points,
                passage.extended.values.len(),
            )?;
            long_as("the propagator", self.points, passage.way.factors().len())?;
            let values: Vec<Complex<R>> = passage
                .extended
                .values
                .iter()
                .map(|&v| R::rounded(v))
                .collect();
            self.spectra.write(i * self.points, &values)?;
            let factors = self.factors_of(passage);
            self.factors.write(i * FIELDS * self.points, &factors)?;
        }
        let arguments = [
            self.spectra.bind(),
            self.factors.bind(),
            self.waves.bind(),
            self.fields.bind(),
        ];
        self.gpu.submit(|commands| {
            let groups = |count: usize| count.div_ceil(THREADS) as u64;
            self.forward.record_forward(commands, &self.spectra)?;
            commands.dispatch(&self.propagate, &arguments, groups(self.waves.len()))?;
            self.inverse.record_inverse(commands, &self.waves)?;
            commands.dispatch(&self.crop, &arguments, groups(self.fields.len()))?;
            Ok::<(), Error>(())
        })?;
        let mut fields =
            vec![R::rounded(Complex64::new(0.0, 0.0)); passages.len() * FIELDS * self.channels];
        self.fields.read_into(0, &mut fields)?;
        for fields in fields.chunks_exact(FIELDS * self.channels) {
            let at =
                |field: usize, channel: usize| R::widened(fields[field * self.channels + channel]);
            let of = |channel| SoundField {
                pressure: at(0, channel),
                velocity: [at(1, channel), at(2, channel), at(3, channel)],
            };
            found.push((0..self.channels).map(of).collect());
        }
        Ok(())
    }

    /// Returns filter and propagator of pressure, then of each component of velocity, divided by the number of points.
    fn factors_of(&self, passage: &Passage) -> Vec<Complex<R>> {
        let scale = 1.0 / (angular_frequency(passage.frequency) * self.density);
        let mut factors = vec![R::rounded(Complex64::new(0.0, 0.0)); FIELDS * self.points];
        for (i, factor) in passage.way.factors().iter().enumerate() {
            let pressure = factor / self.points as f64;
            factors[i] = R::rounded(pressure);
            for (axis, component) in passage.wavenumbers.travel(i).into_iter().enumerate() {
                factors[(1 + axis) * self.points + i] = R::rounded(pressure * component * scale);
            }
        }
        factors
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::deviation::relative_error;
    use crate::filter::Filter;
    use crate::hologram::Hologram;
    use crate::reconstruction::PlanarHolography;
    use crate::regularization::Regularization;

    /// Returns the relative differences of pressure and velocity between CPU and GPU.
    fn differences<R: Number>(filter: Filter) -> [f64; 2] {
        let gpu = Gpu::open(None).expect("GPU tests do not skip: install mesa-vulkan-drivers");
        let array = MicrophoneArray::new(24, 16, 0.02).unwrap();
        let values = (0..array.channels())
            .map(|c| {
                let [x, y] = array.position(c);
                let r = (x * x + y * y + 0.0025).sqrt();
                Complex64::from_polar(1.0 / r, -20.0 * r)
            })
            .collect();
        let hologram = Hologram::new(array, 1000.0, values)
            .unwrap()
            .with_noise(80.0, 1);
        let holography = PlanarHolography {
            regularization: Regularization::Fixed(filter),
            ..PlanarHolography::default()
        };
        let wanted = holography.back_propagate(&hologram, 0.04).unwrap();
        let wanted = wanted.spectrum.sound_field();
        let planes =
            Planes::<R>::new(&gpu, &array, &holography.fluid, &holography.border, 1).unwrap();
        let (passage, _) = holography.passage(&hologram, 0.04).unwrap();
        // More than fit one batch.
        let found = planes.fields(&[passage.clone(), passage]).unwrap();
        assert_eq!(found[0], found[1]);
        let pressure = |field: &[SoundField]| field.iter().map(|f| f.pressure).collect();
        let velocity = |field: &[SoundField]| field.iter().flat_map(|f| f.velocity).collect();
        let differ = |p: Vec<Complex64>, q: Vec<Complex64>| relative_error(&p, &q).unwrap();
        [
            differ(pressure(&wanted), pressure(&found[0])),
            differ(velocity(&wanted), velocity(&found[0])),
        ]
    }

    #[test]
    fn both_precisions_are_as_exact_as_they_say() {
        // A filter as weak as chosen at a signal-to-noise ratio of 80 dB.
        let filter = Filter::ModifiedTikhonov { parameter: 1e-6 };
        let [single, double] = [differences::<f32>(filter), differences::<f64>(filter)];
        println!("single {single:?}, double {double:?}");
        assert!(single[0] < 1e-4 && single[1] < 1e-3, "{single:?}");
        assert!(double[0] < 1e-11 && double[1] < 1e-11, "{double:?}");
    }
}
