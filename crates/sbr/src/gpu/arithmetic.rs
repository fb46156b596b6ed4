//! Floating-point formats of positions and path lengths on the GPU.
//!
//! Across 500 wavelengths the rounding error of a phase is 10⁻³ rad in single precision, and `sin` of such a phase
//! has no correct digits. All summands of a phase therefore have 48 bits or more, and the phase is reduced modulo
//! one turn before its conversion to single precision.

use wavefield_gpu::{DOUBLE_FLOAT_WGSL, DeviceError, Gpu};

/// Floating-point format of the summands of a phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arithmetic {
    /// Native double precision.
    Double,
    /// Double-float: unevaluated sums of two single-precision numbers, 48 bits.
    DoubleFloat,
    /// Single precision: for comparison, and for bodies of a few wavelengths.
    Single,
}

impl Arithmetic {
    /// Returns the fastest format with sufficient accuracy on a GPU, from the accuracy measured at its
    /// initialization.
    ///
    /// # Errors
    /// Returns an error if the GPU has neither double precision nor error-free addition.
    pub fn of(gpu: &Gpu) -> Result<Arithmetic, DeviceError> {
        let [double, double_float] = [Arithmetic::Double, Arithmetic::DoubleFloat]
            .map(|arithmetic| arithmetic.check(gpu).map(|()| arithmetic));
        double.or(double_float)
    }

    /// Checks that a GPU computes correctly in this format.
    ///
    /// # Errors
    /// Returns an error if it does not.
    pub(super) fn check(self, gpu: &Gpu) -> Result<(), DeviceError> {
        let accuracy = gpu.accuracy()?;
        let (kept, capability) = match self {
            Arithmetic::Double => (
                accuracy.f64.is_some_and(|measured| measured.promised()),
                "double precision, required by phases over many wavelengths; use `--device cpu`",
            ),
            Arithmetic::DoubleFloat => (
                accuracy.double_float.promised(),
                "error-free addition, required by phases over many wavelengths; use `--device cpu`",
            ),
            Arithmetic::Single => (true, "single precision"),
        };
        if kept {
            return Ok(());
        }
        Err(DeviceError::Missing {
            adapter: gpu.info().name.clone(),
            capability,
        })
    }

    /// Returns the WGSL source of the type `real`.
    pub(super) fn wgsl(self) -> String {
        let own = match self {
            Arithmetic::Double => include_str!("kernels/real_f64.wgsl"),
            Arithmetic::DoubleFloat => include_str!("kernels/real_double_float.wgsl"),
            Arithmetic::Single => include_str!("kernels/real_f32.wgsl"),
        };
        let places = include_str!("kernels/place.wgsl");
        format!("{DOUBLE_FLOAT_WGSL}\n{own}\n{places}")
    }

    /// Returns the error bound of a sheared triangle vertex after a few roundings, in radii, for ray origins up to
    /// [`FARTHEST`](super::tracer::FARTHEST) radii from the center.
    pub(super) fn rounding(self) -> f64 {
        match self {
            Arithmetic::Double => 1e-14,
            Arithmetic::DoubleFloat => 1e-12,
            Arithmetic::Single => 4e-6,
        }
    }

    /// Encodes a number for the kernels.
    pub(super) fn words(self, value: f64) -> [u32; 2] {
        let high = value as f32;
        match self {
            Arithmetic::Double => {
                let bits = value.to_bits();
                [bits as u32, (bits >> 32) as u32]
            }
            Arithmetic::DoubleFloat => {
                let low = (value - f64::from(high)) as f32;
                [high.to_bits(), low.to_bits()]
            }
            Arithmetic::Single => [high.to_bits(), 0],
        }
    }

    /// Encodes a point for the kernels.
    pub(super) fn place(self, place: [f64; 3]) -> impl Iterator<Item = u32> {
        place.into_iter().flat_map(move |value| self.words(value))
    }
}

/// Collects words into an array padded with zeros.
pub(super) fn filled<const N: usize>(values: impl Iterator<Item = u32>) -> [u32; N] {
    let mut words = [0; N];
    for (word, value) in words.iter_mut().zip(values) {
        *word = value;
    }
    words
}
