//! Accuracy of a device's arithmetic, measured when it is opened: drivers differ, and some eliminate error terms.

use crate::error::DeviceError;
use crate::{Access, Buffer, Gpu, Kernel, KernelSource, Uniform};

/// WGSL functions of double-float arithmetic: numbers of about 48 bits as pairs of `f32`, for devices without
/// `f64`.
///
/// Prepend the text to a kernel; each function takes a `zero: u32` that must come from a uniform, see the comments
/// in the text.
pub const DOUBLE_FLOAT_WGSL: &str = include_str!("kernels/double_float.wgsl");

/// Samples per operation: enough to include the worst roundings, at negligible cost.
const SAMPLES: usize = 4096;

/// A measured error and its limit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Measured {
    /// Largest measured error.
    pub error: f64,
    /// Largest acceptable error.
    pub limit: f64,
}

impl Measured {
    /// Returns whether the error is within its limit.
    #[must_use]
    pub fn promised(&self) -> bool {
        self.error <= self.limit
    }
}

/// Measured errors of a device's arithmetic.
#[derive(Debug, Clone, PartialEq)]
pub struct Accuracy {
    /// `f32` addition, in units in the last place; 0.5 is correct rounding.
    pub add: Measured,
    /// `f32` multiplication, in units in the last place; 0.5 is correct rounding.
    pub multiply: Measured,
    /// `fma` in `f32`, in units in the last place; beyond 0.5 it is not fused.
    pub fused_multiply_add: Measured,
    /// `f32` division, in units in the last place; WGSL allows 2.5.
    pub divide: Measured,
    /// `f32` square root, in units in the last place.
    pub square_root: Measured,
    /// `sin` in `f32`, absolute error between −π and π; WGSL allows 2⁻¹¹.
    pub sine: Measured,
    /// `cos` in `f32`, absolute error between −π and π; WGSL allows 2⁻¹¹.
    pub cosine: Measured,
    /// Relative error of `f64` addition, multiplication, division, and square root, if the device has `f64`.
    pub f64: Option<Measured>,
    /// Relative error of double-float addition and multiplication, see [`DOUBLE_FLOAT_WGSL`].
    pub double_float: Measured,
}

impl Accuracy {
    pub(super) fn probe(gpu: &Gpu) -> Result<Self, DeviceError> {
        let rows = f32_rows(gpu)?;
        let ulp = |row: usize, limit: f64| Measured {
            error: rows[row],
            limit,
        };
        Ok(Self {
            add: ulp(0, 0.5),
            multiply: ulp(1, 0.5),
            fused_multiply_add: ulp(2, 0.5),
            divide: ulp(3, 2.5),
            // WGSL derives the accuracy of the square root from 1/inverseSqrt: 2 units for the root, 2.5 for the
            // division.
            square_root: ulp(4, 4.5),
            sine: ulp(5, 2.0_f64.powi(-11)),
            cosine: ulp(6, 2.0_f64.powi(-11)),
            f64: gpu.capabilities().f64.then(|| f64_error(gpu)).transpose()?,
            double_float: double_float_error(gpu)?,
        })
    }
}

/// Returns reproducible nonzero numbers in (−π, π) from a Weyl sequence.
fn spread(seed: f64) -> impl Iterator<Item = f64> {
    (1..=SAMPLES).map(move |index| {
        let fraction = (index as f64 * seed).fract();
        let value = std::f64::consts::PI * (2.0 * fraction - 1.0);
        if value.abs() < 1e-3 { 1e-3 } else { value }
    })
}

const SEEDS: [f64; 3] = [
    0.618_033_988_749_894_8,
    0.754_877_666_246_692_7,
    0.569_840_290_998_053_3,
];

fn f32_rows(gpu: &Gpu) -> Result<[f64; 7], DeviceError> {
    let kernel = Kernel::new(
        gpu,
        &KernelSource {
            name: "accuracy of f32",
            wgsl: include_str!("kernels/accuracy_f32.wgsl"),
            entry: "probe",
            constants: &[],
            bindings: &[Access::Read, Access::Read, Access::Read, Access::ReadWrite],
        },
    )?;
    let [a, b, mut c] =
        SEEDS.map(|seed| spread(seed).map(|value| value as f32).collect::<Vec<_>>());
    // Every second sum nearly cancels, which distinguishes a fused multiply-add from an unfused one.
    for index in (0..SAMPLES).step_by(2) {
        c[index] = -(a[index] * b[index]);
    }
    let result = Buffer::<f32>::zeroed(gpu, 7 * SAMPLES)?;
    let [on_a, on_b, on_c] = [
        Buffer::from_slice(gpu, &a)?,
        Buffer::from_slice(gpu, &b)?,
        Buffer::from_slice(gpu, &c)?,
    ];
    let arguments = [on_a.bind(), on_b.bind(), on_c.bind(), result.bind()];
    gpu.dispatch(&kernel, &arguments, SAMPLES.div_ceil(64) as u64)?;
    let found = result.read()?;

    let mut worst = [0.0_f64; 7];
    for index in 0..SAMPLES {
        let (x, y, z) = (
            f64::from(a[index]),
            f64::from(b[index]),
            f64::from(c[index]),
        );
        let exact = [
            x + y,
            x * y,
            x * y + z,
            x / y,
            x.abs().sqrt(),
            x.sin(),
            x.cos(),
        ];
        for (row, &right) in exact.iter().enumerate() {
            let error = (f64::from(found[row * SAMPLES + index]) - right).abs();
            let unit = if row < 5 {
                unit_in_last_place(right)
            } else {
                1.0
            };
            // `f64::max` ignores a NaN, which must not count as exact.
            let error = if error.is_nan() {
                f64::INFINITY
            } else {
                error / unit
            };
            worst[row] = worst[row].max(error);
        }
    }
    Ok(worst)
}

fn f64_error(gpu: &Gpu) -> Result<Measured, DeviceError> {
    let kernel = Kernel::new(
        gpu,
        &KernelSource {
            name: "accuracy of f64",
            wgsl: include_str!("kernels/accuracy_f64.wgsl"),
            entry: "probe",
            constants: &[],
            bindings: &[Access::Read, Access::Read, Access::ReadWrite],
        },
    )?;
    let a: Vec<f64> = spread(SEEDS[0]).collect();
    let b: Vec<f64> = spread(SEEDS[1]).collect();
    let result = Buffer::<f64>::zeroed(gpu, 4 * SAMPLES)?;
    let (on_a, on_b) = (Buffer::from_slice(gpu, &a)?, Buffer::from_slice(gpu, &b)?);
    gpu.dispatch(
        &kernel,
        &[on_a.bind(), on_b.bind(), result.bind()],
        SAMPLES.div_ceil(64) as u64,
    )?;
    let found = result.read()?;
    let errors = (0..SAMPLES).flat_map(|index| {
        let (x, y) = (a[index], b[index]);
        let exact = [x + y, x * y, x / y, x.abs().sqrt()];
        let found = &found;
        (0..4).map(move |row| relative(found[row * SAMPLES + index], exact[row]))
    });
    // Division and square root may be off by one unit in the last place; a fallback to f32 is off by 2²⁹.
    Ok(Measured {
        error: errors.fold(0.0, f64::max),
        limit: 2.0 * f64::EPSILON,
    })
}

fn double_float_error(gpu: &Gpu) -> Result<Measured, DeviceError> {
    let text = format!(
        "{DOUBLE_FLOAT_WGSL}\n{}",
        include_str!("kernels/accuracy_double_float.wgsl")
    );
    let kernel = Kernel::new(
        gpu,
        &KernelSource {
            name: "accuracy of double float",
            wgsl: &text,
            entry: "probe",
            constants: &[],
            bindings: &[
                Access::Uniform,
                Access::Read,
                Access::Read,
                Access::ReadWrite,
            ],
        },
    )?;
    let pair = |value: f64| {
        let high = value as f32;
        [high, (value - f64::from(high)) as f32]
    };
    let value = |pair: [f32; 2]| f64::from(pair[0]) + f64::from(pair[1]);
    // Positive terms: a sum that cancels would lose its digits in any arithmetic.
    let [a, b] = [SEEDS[0], SEEDS[1]].map(|seed| {
        spread(seed)
            .map(|value| pair(value.abs()))
            .collect::<Vec<_>>()
    });
    let result = Buffer::<[f32; 2]>::zeroed(gpu, 2 * SAMPLES)?;
    let zero = Uniform::new(gpu, &[0_u32; 4])?;
    let (on_a, on_b) = (Buffer::from_slice(gpu, &a)?, Buffer::from_slice(gpu, &b)?);
    let arguments = [zero.bind(), on_a.bind(), on_b.bind(), result.bind()];
    gpu.dispatch(&kernel, &arguments, SAMPLES.div_ceil(64) as u64)?;
    let found = result.read()?;
    let errors = (0..SAMPLES).flat_map(|index| {
        let (x, y) = (value(a[index]), value(b[index]));
        [
            relative(value(found[index]), x + y),
            relative(value(found[SAMPLES + index]), x * y),
        ]
    });
    // With u = 2⁻²⁴ the relative error of the addition is at most 3u², that of the multiplication 7u² = 2.5e-14
    // (Joldes, Muller, Popescu, ACM TOMS 44, 2017); if the compiler folds the arithmetic to f32, it is 6e-8.
    Ok(Measured {
        error: errors.fold(0.0, f64::max),
        limit: 7.0 * 2.0_f64.powi(-48),
    })
}

fn relative(found: f64, exact: f64) -> f64 {
    let error = ((found - exact) / exact).abs();
    if error.is_nan() { f64::INFINITY } else { error }
}

/// Returns the distance between adjacent `f32` numbers at `value`.
fn unit_in_last_place(value: f64) -> f64 {
    let exponent = value.abs().max(f64::from(f32::MIN_POSITIVE)).log2().floor() as i32;
    2.0_f64.powi(exponent - 23)
}
