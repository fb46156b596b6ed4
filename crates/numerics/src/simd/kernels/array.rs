//! Portable vectors without CPU-specific instructions. Multiplication and addition are not fused: without FMA
//! instructions that is a slow function call.

use num_complex::Complex;

use super::vector::{Interleaved, Ordered, Vector, at};
use crate::cpu::Simd;

/// A vector as an array.
#[derive(Clone, Copy, Debug)]
pub(super) struct Array<T, const N: usize>([T; N]);

impl<const N: usize> Array<f32, N> {
    /// Converts the numbers to double precision.
    #[inline(always)]
    pub(super) fn widen(self) -> Array<f64, N> {
        Array(self.0.map(f64::from))
    }
}

impl<T: Copy, const N: usize> Array<T, N> {
    #[inline(always)]
    fn zip(self, other: Self, with: impl Fn(T, T) -> T) -> Self {
        Array(std::array::from_fn(|i| with(self.0[i], other.0[i])))
    }

    /// Returns the mask of lanes in which a comparison holds.
    #[inline(always)]
    fn compare(self, other: Self, holds: impl Fn(T, T) -> bool) -> u32 {
        (0..N).fold(0, |mask, i| {
            mask | u32::from(holds(self.0[i], other.0[i])) << i
        })
    }
}

macro_rules! array {
    ($real:ty) => {
        impl<const N: usize> Vector for Array<$real, N> {
            type Real = $real;
            const COUNT: usize = N;
            /// Sixteen registers of four numbers.
            const REGISTERS: usize = 64 / N;
            const SIMD: Simd = Simd::Scalar;

            #[inline(always)]
            unsafe fn splat(value: $real) -> Self {
                Array([value; N])
            }
            #[inline(always)]
            unsafe fn load(from: *const $real) -> Self {
                // SAFETY: upheld by the caller.
                Array(unsafe { from.cast::<[$real; N]>().read_unaligned() })
            }
            #[inline(always)]
            unsafe fn store(self, to: *mut $real) {
                // SAFETY: upheld by the caller.
                unsafe { to.cast::<[$real; N]>().write_unaligned(self.0) }
            }
            #[inline(always)]
            unsafe fn add(self, other: Self) -> Self {
                self.zip(other, |a, b| a + b)
            }
            #[inline(always)]
            unsafe fn sub(self, other: Self) -> Self {
                self.zip(other, |a, b| a - b)
            }
            #[inline(always)]
            unsafe fn mul(self, other: Self) -> Self {
                self.zip(other, |a, b| a * b)
            }
            #[inline(always)]
            unsafe fn plus(self, a: Self, b: Self) -> Self {
                self.zip(a.zip(b, |a, b| a * b), |sum, product| sum + product)
            }
            #[inline(always)]
            unsafe fn minus(self, a: Self, b: Self) -> Self {
                self.zip(a.zip(b, |a, b| a * b), |sum, product| sum - product)
            }
        }

        impl<const N: usize> Interleaved for Array<$real, N> {
            type Masks = ();

            #[inline(always)]
            unsafe fn splat_complex(value: Complex<$real>) -> Self {
                Array(std::array::from_fn(|i| [value.re, value.im][i % 2]))
            }
            #[inline(always)]
            unsafe fn load_twice(from: *const $real) -> Self {
                // SAFETY: upheld by the caller.
                Array(std::array::from_fn(|i| unsafe { *from.add(i / 2) }))
            }
            #[inline(always)]
            unsafe fn twice(self) -> [Self; 2] {
                [0, N / 2].map(|first| Array(std::array::from_fn(|i| self.0[first + i / 2])))
            }
            #[inline(always)]
            unsafe fn swap(self) -> Self {
                Array(std::array::from_fn(|i| self.0[i ^ 1]))
            }
            #[inline(always)]
            unsafe fn mul_sub(self, factor: Self, term: Self) -> Self {
                self.zip(factor, |a, b| a * b)
                    .zip(term, |product, term| product - term)
            }
            #[inline(always)]
            unsafe fn inverse_sqrt(self) -> Self {
                Array(self.0.map(|x| 1.0 / x.sqrt()))
            }
            #[inline(always)]
            unsafe fn sum_complex(self) -> Complex<$real> {
                // Pairwise by halves, as SIMD vectors do.
                let mut sums = self.0;
                let mut count = N;
                while count > 2 {
                    count /= 2;
                    for i in 0..count {
                        sums[i] += sums[i + count];
                    }
                }
                Complex::new(sums[0], sums[1])
            }
            #[inline(always)]
            fn masks() {}
            #[inline(always)]
            unsafe fn gather(_: (), addresses: *const usize, offset: usize) -> Self {
                // SAFETY: upheld by the caller.
                Array(std::array::from_fn(|i| unsafe {
                    *at::<$real, $real>(addresses.add(i / 2), offset).add(i % 2)
                }))
            }
        }

        impl<const N: usize> Ordered for Array<$real, N> {
            #[inline(always)]
            unsafe fn div(self, other: Self) -> Self {
                self.zip(other, |a, b| a / b)
            }
            #[inline(always)]
            unsafe fn abs(self) -> Self {
                Array(self.0.map(<$real>::abs))
            }
            #[inline(always)]
            unsafe fn min(self, other: Self) -> Self {
                self.zip(other, |a, b| if a < b { a } else { b })
            }
            #[inline(always)]
            unsafe fn max(self, other: Self) -> Self {
                self.zip(other, |a, b| if a > b { a } else { b })
            }
            #[inline(always)]
            unsafe fn at_most(self, other: Self) -> u32 {
                self.compare(other, |a, b| a <= b)
            }
            #[inline(always)]
            unsafe fn less(self, other: Self) -> u32 {
                self.compare(other, |a, b| a < b)
            }
            #[inline(always)]
            unsafe fn mul_where_negative(self, factor: Self, sign: Self) -> Self {
                Array(std::array::from_fn(|i| {
                    if sign.0[i] < 0.0 {
                        self.0[i] * factor.0[i]
                    } else {
                        self.0[i]
                    }
                }))
            }
            #[inline(always)]
            unsafe fn store_where(self, mask: u32, to: *mut $real) {
                for (i, value) in self.0.into_iter().enumerate() {
                    if mask & (1 << i) != 0 {
                        // SAFETY: upheld by the caller.
                        unsafe { to.add(i).write(value) };
                    }
                }
            }
        }
    };
}

array!(f32);
array!(f64);
