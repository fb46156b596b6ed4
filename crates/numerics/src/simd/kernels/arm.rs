//! NEON vectors.

use std::arch::aarch64::*;

use num_complex::Complex;

use super::vector::{Interleaved, Vector, at};
use crate::cpu::Simd;

/// Four numbers in single precision, in one register.
#[derive(Clone, Copy, Debug)]
pub(super) struct F32x4(float32x4_t);

/// Four numbers in double precision, in two registers.
#[derive(Clone, Copy, Debug)]
pub(super) struct F64x4([float64x2_t; 2]);

/// Defines functions over NEON intrinsics.
macro_rules! functions {
    ($(fn $name:ident($($argument:ident: $type:ty),*) $(-> $result:ty)? $body:block)*) => {$(
        #[inline(always)]
        unsafe fn $name($($argument: $type),*) $(-> $result)? {
            // SAFETY: NEON is part of every 64-bit Arm CPU; the caller upholds the contract of the
            // trait.
            unsafe { $body }
        }
    )*};
}

impl Vector for F32x4 {
    type Real = f32;
    const COUNT: usize = 4;
    const REGISTERS: usize = 32;
    const SIMD: Simd = Simd::Neon;

    functions! {
        fn splat(value: f32) -> Self { F32x4(vdupq_n_f32(value)) }
        fn load(from: *const f32) -> Self { F32x4(vld1q_f32(from)) }
        fn store(self: Self, to: *mut f32) { vst1q_f32(to, self.0) }
        fn add(self: Self, other: Self) -> Self { F32x4(vaddq_f32(self.0, other.0)) }
        fn sub(self: Self, other: Self) -> Self { F32x4(vsubq_f32(self.0, other.0)) }
        fn mul(self: Self, other: Self) -> Self { F32x4(vmulq_f32(self.0, other.0)) }
        fn plus(self: Self, a: Self, b: Self) -> Self { F32x4(vfmaq_f32(self.0, a.0, b.0)) }
        fn minus(self: Self, a: Self, b: Self) -> Self { F32x4(vfmsq_f32(self.0, a.0, b.0)) }
    }
}

impl Interleaved for F32x4 {
    type Masks = ();

    #[inline(always)]
    fn masks() {}
    functions! {
        fn splat_complex(value: Complex<f32>) -> Self {
            let pair = [value; 2];
            F32x4(vld1q_f32(pair.as_ptr().cast()))
        }
        fn load_twice(from: *const f32) -> Self {
            F32x4(vcombine_f32(vdup_n_f32(*from), vdup_n_f32(*from.add(1))))
        }
        fn twice(self: Self) -> [Self; 2] {
            [F32x4(vzip1q_f32(self.0, self.0)), F32x4(vzip2q_f32(self.0, self.0))]
        }
        fn swap(self: Self) -> Self { F32x4(vrev64q_f32(self.0)) }
        fn mul_sub(self: Self, factor: Self, term: Self) -> Self {
            F32x4(vfmaq_f32(vnegq_f32(term.0), self.0, factor.0))
        }
        fn inverse_sqrt(self: Self) -> Self {
            F32x4(vdivq_f32(vdupq_n_f32(1.0), vsqrtq_f32(self.0)))
        }
        fn sum_complex(self: Self) -> Complex<f32> {
            Complex::new(
                vgetq_lane_f32::<0>(self.0) + vgetq_lane_f32::<2>(self.0),
                vgetq_lane_f32::<1>(self.0) + vgetq_lane_f32::<3>(self.0),
            )
        }
        fn gather(_masks: (), addresses: *const usize, offset: usize) -> Self {
            F32x4(vcombine_f32(
                vld1_f32(at::<f32, _>(addresses, offset)),
                vld1_f32(at::<f32, _>(addresses.add(1), offset)),
            ))
        }
    }
}

impl Vector for F64x4 {
    type Real = f64;
    const COUNT: usize = 4;
    const REGISTERS: usize = 16;
    const SIMD: Simd = Simd::Neon;

    functions! {
        fn splat(value: f64) -> Self { F64x4([vdupq_n_f64(value); 2]) }
        fn load(from: *const f64) -> Self { F64x4([vld1q_f64(from), vld1q_f64(from.add(2))]) }
        fn store(self: Self, to: *mut f64) {
            vst1q_f64(to, self.0[0]);
            vst1q_f64(to.add(2), self.0[1]);
        }
        fn add(self: Self, other: Self) -> Self {
            F64x4([vaddq_f64(self.0[0], other.0[0]), vaddq_f64(self.0[1], other.0[1])])
        }
        fn sub(self: Self, other: Self) -> Self {
            F64x4([vsubq_f64(self.0[0], other.0[0]), vsubq_f64(self.0[1], other.0[1])])
        }
        fn mul(self: Self, other: Self) -> Self {
            F64x4([vmulq_f64(self.0[0], other.0[0]), vmulq_f64(self.0[1], other.0[1])])
        }
        fn plus(self: Self, a: Self, b: Self) -> Self {
            F64x4([vfmaq_f64(self.0[0], a.0[0], b.0[0]), vfmaq_f64(self.0[1], a.0[1], b.0[1])])
        }
        fn minus(self: Self, a: Self, b: Self) -> Self {
            F64x4([vfmsq_f64(self.0[0], a.0[0], b.0[0]), vfmsq_f64(self.0[1], a.0[1], b.0[1])])
        }
    }
}

impl Interleaved for F64x4 {
    type Masks = ();

    #[inline(always)]
    fn masks() {}
    functions! {
        fn splat_complex(value: Complex<f64>) -> Self {
            F64x4([vld1q_f64((&raw const value).cast()); 2])
        }
        fn load_twice(from: *const f64) -> Self {
            F64x4([vdupq_n_f64(*from), vdupq_n_f64(*from.add(1))])
        }
        fn twice(self: Self) -> [Self; 2] {
            let [low, high] = self.0;
            [
                F64x4([vzip1q_f64(low, low), vzip2q_f64(low, low)]),
                F64x4([vzip1q_f64(high, high), vzip2q_f64(high, high)]),
            ]
        }
        fn swap(self: Self) -> Self {
            let [low, high] = self.0;
            F64x4([vextq_f64::<1>(low, low), vextq_f64::<1>(high, high)])
        }
        fn mul_sub(self: Self, factor: Self, term: Self) -> Self {
            F64x4([
                vfmaq_f64(vnegq_f64(term.0[0]), self.0[0], factor.0[0]),
                vfmaq_f64(vnegq_f64(term.0[1]), self.0[1], factor.0[1]),
            ])
        }
        fn inverse_sqrt(self: Self) -> Self {
            let one = vdupq_n_f64(1.0);
            let [low, high] = self.0;
            F64x4([vdivq_f64(one, vsqrtq_f64(low)), vdivq_f64(one, vsqrtq_f64(high))])
        }
        fn sum_complex(self: Self) -> Complex<f64> {
            let sum = vaddq_f64(self.0[0], self.0[1]);
            Complex::new(vgetq_lane_f64::<0>(sum), vgetq_lane_f64::<1>(sum))
        }
        fn gather(_masks: (), addresses: *const usize, offset: usize) -> Self {
            F64x4([
                vld1q_f64(at::<f64, _>(addresses, offset)),
                vld1q_f64(at::<f64, _>(addresses.add(1), offset)),
            ])
        }
    }
}
