//! Planners of rustfft and realfft for both precisions.

use std::sync::Arc;

use realfft::{ComplexToReal, RealFftPlanner, RealToComplex};
use rustfft::{Fft, FftPlanner};

/// The two precisions a transform comes in: `f32` and `f64`.
///
/// The planners are asked through here, where the precision is known, so that the many kernels behind
/// them are compiled once in this crate and not again in each that transforms something.
pub trait Real: rustfft::FftNum {
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
