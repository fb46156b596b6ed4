//! Planners of rustfft and realfft for both precisions.

use std::sync::Arc;

use realfft::{ComplexToReal, RealFftPlanner, RealToComplex};
use rustfft::{Fft, FftPlanner};

/// Precision of a transform: `f32` or `f64`.
///
/// The planners are called here, for concrete types, so that the many kernels behind them are
/// compiled once in this crate and not again in each dependent crate.
pub trait Real: rustfft::FftNum {
    /// Plans complex transforms of a line: the forward (e^{−j…}) and the inverse (e^{+j…}) transform.
    fn plan_line(length: usize) -> [Arc<dyn Fft<Self>>; 2];

    /// Plans real transforms of a line: to its half spectrum, and back.
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
