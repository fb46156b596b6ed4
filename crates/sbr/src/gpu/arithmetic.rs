//! In which numbers the card keeps places and ways.
//!
//! Across 500 wavelengths single precision leaves some 10⁻³ of a radian, and `sin` of such a phase nothing at all.
//! Everything that adds up to a phase is therefore kept in 48 bits or more, and reduced to a part of one turn
//! before anything is made of it in single precision.

use wavefield_gpu::{DOUBLE_FLOAT_WGSL, DeviceError, Gpu};

/// Numbers for what adds up to a phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arithmetic {
    /// The card's own double precision.
    Double,
    /// Sums of two numbers of single precision, 48 bits.
    DoubleFloat,
    /// Single precision: for comparison, and for bodies of a few wavelengths.
    Single,
}

impl Arithmetic {
    /// The fastest that is exact enough on a card, by what was measured when it was opened.
    ///
    /// # Errors
    /// The card has neither double precision nor additions that keep their rounding errors.
    pub fn of(gpu: &Gpu) -> Result<Arithmetic, DeviceError> {
        let [double, double_float] = [Arithmetic::Double, Arithmetic::DoubleFloat]
            .map(|arithmetic| arithmetic.check(gpu).map(|()| arithmetic));
        double.or(double_float)
    }

    /// Whether a card computes in these numbers as it should.
    ///
    /// # Errors
    /// It does not.
    pub(super) fn check(self, gpu: &Gpu) -> Result<(), DeviceError> {
        let accuracy = gpu.accuracy()?;
        let (kept, capability) = match self {
            Arithmetic::Double => (
                accuracy.f64.is_some_and(|measured| measured.promised()),
                "double precision, which phases over many wavelengths need",
            ),
            Arithmetic::DoubleFloat => (
                accuracy.double_float.promised(),
                "exact rounding errors, which phases over many wavelengths need; choose the device `cpu`",
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

    /// The type `real` of the kernels.
    pub(super) fn wgsl(self) -> String {
        let own = match self {
            Arithmetic::Double => include_str!("kernels/real_f64.wgsl"),
            Arithmetic::DoubleFloat => include_str!("kernels/real_double_float.wgsl"),
            Arithmetic::Single => include_str!("kernels/real_f32.wgsl"),
        };
        let places = include_str!("kernels/place.wgsl");
        format!("{DOUBLE_FLOAT_WGSL}\n{own}\n{places}")
    }

    /// How far a coordinate of a triangle seen from a ray may be off after some roundings, of places up to
    /// [`FARTHEST`](super::tracer::FARTHEST) radii away.
    pub(super) fn rounding(self) -> f64 {
        match self {
            Arithmetic::Double => 1e-14,
            Arithmetic::DoubleFloat => 1e-12,
            Arithmetic::Single => 4e-6,
        }
    }

    /// A number as the kernels read it.
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

    /// A place as the kernels read it.
    pub(super) fn place(self, place: [f64; 3]) -> impl Iterator<Item = u32> {
        place.into_iter().flat_map(move |value| self.words(value))
    }
}

/// Words in their order, and noughts after them.
pub(super) fn filled<const N: usize>(values: impl Iterator<Item = u32>) -> [u32; N] {
    let mut words = [0; N];
    for (word, value) in words.iter_mut().zip(values) {
        *word = value;
    }
    words
}
