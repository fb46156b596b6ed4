//! Eight numbers side by side behind one trait: the few operations tracing needs.
//!
//! A kernel is written once over [`Lanes`], is inlined into a function that carries the instruction
//! set's target features ([`dispatch`]) and becomes that set's machine code there. Doubles are never
//! fused, so that every instruction set gives the bits of the plain test of a triangle; floats only cull, and may be.

use wavefield_numerics::cpu::Simd;

use crate::error::Error;

/// Numbers in a vector.
pub(crate) const LANES: usize = 8;

/// Vectors of eight floats and of eight doubles. Masks have a bit for each lane.
///
/// # Safety
/// Every function needs a processor with the instruction set of the implementing type; loads and
/// stores need eight numbers at the pointer, of any alignment.
pub(crate) trait Lanes {
    /// Eight f32.
    type Float: Copy;
    /// Eight f64.
    type Double: Copy;

    unsafe fn splat(value: f32) -> Self::Float;
    unsafe fn load(from: *const f32) -> Self::Float;
    unsafe fn store(value: Self::Float, to: *mut f32);
    /// a·b + c, rounded once or twice.
    unsafe fn mul_add(a: Self::Float, b: Self::Float, c: Self::Float) -> Self::Float;
    unsafe fn min(a: Self::Float, b: Self::Float) -> Self::Float;
    unsafe fn max(a: Self::Float, b: Self::Float) -> Self::Float;
    /// Where a ≤ b.
    unsafe fn at_most(a: Self::Float, b: Self::Float) -> u32;

    unsafe fn splat_double(value: f64) -> Self::Double;
    unsafe fn load_double(from: *const f64) -> Self::Double;
    /// Eight f32, widened.
    unsafe fn load_widened(from: *const f32) -> Self::Double;
    unsafe fn store_double(value: Self::Double, to: *mut f64);
    /// Stores the lanes of the mask.
    unsafe fn store_where(mask: u32, value: Self::Double, to: *mut f64);
    unsafe fn add(a: Self::Double, b: Self::Double) -> Self::Double;
    unsafe fn sub(a: Self::Double, b: Self::Double) -> Self::Double;
    unsafe fn mul(a: Self::Double, b: Self::Double) -> Self::Double;
    unsafe fn div(a: Self::Double, b: Self::Double) -> Self::Double;
    unsafe fn min_double(a: Self::Double, b: Self::Double) -> Self::Double;
    unsafe fn max_double(a: Self::Double, b: Self::Double) -> Self::Double;
    unsafe fn abs(a: Self::Double) -> Self::Double;
    /// a·factor where `sign` is negative, a elsewhere.
    unsafe fn mul_where_negative(
        a: Self::Double,
        factor: Self::Double,
        sign: Self::Double,
    ) -> Self::Double;
    /// Where a ≤ b.
    unsafe fn at_most_double(a: Self::Double, b: Self::Double) -> u32;
    /// Where a < b.
    unsafe fn less_double(a: Self::Double, b: Self::Double) -> u32;

    /// Where eight whole numbers are the given one.
    unsafe fn equal(from: *const u32, to: u32) -> u32;
}

/// Work written over lanes.
pub(crate) trait Job {
    /// Does the work. Implementations are `#[inline(always)]`.
    ///
    /// # Safety
    /// The processor must have the instruction set of `S`.
    unsafe fn run<S: Lanes>(self);
}

/// An instruction set the processor was asked about and has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Present(Simd);

impl Present {
    /// The widest.
    pub(crate) fn widest() -> Present {
        Present(Simd::detect())
    }

    /// A certain one.
    pub(crate) fn ask(wanted: Simd) -> Result<Present, Error> {
        let widest = Simd::detect();
        let present = wanted == widest
            || wanted == Simd::Scalar
            || (wanted == Simd::Avx2 && widest == Simd::Avx512);
        present
            .then_some(Present(wanted))
            .ok_or(Error::Instructions {
                wanted: wanted.to_string(),
            })
    }
}

/// Runs a job with an instruction set. On Arm the compiler turns the plain lanes into NEON, which is
/// part of every 64-bit processor.
#[inline]
pub(crate) fn dispatch<J: Job>(present: Present, job: J) {
    match present.0 {
        // SAFETY: `Present` is only made of instruction sets the processor has.
        #[cfg(target_arch = "x86_64")]
        Simd::Avx512 => unsafe { in_avx512(job) },
        // SAFETY: as above.
        #[cfg(target_arch = "x86_64")]
        Simd::Avx2 => unsafe { in_avx2(job) },
        // SAFETY: plain lanes need nothing.
        _ => unsafe { job.run::<Plain>() },
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx2,fma")]
unsafe fn in_avx512<J: Job>(job: J) {
    // SAFETY: the caller has seen that the processor has AVX-512.
    unsafe { job.run::<x86::Avx512>() }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
unsafe fn in_avx2<J: Job>(job: J) {
    // SAFETY: the caller has seen that the processor has AVX2 and FMA.
    unsafe { job.run::<x86::Avx2>() }
}

/// Without vector instructions.
pub(crate) struct Plain;

#[inline(always)]
fn zip<T: Copy, R>(a: [T; LANES], b: [T; LANES], f: impl Fn(T, T) -> R) -> [R; LANES] {
    std::array::from_fn(|i| f(a[i], b[i]))
}

#[inline(always)]
fn mask_of(bits: [bool; LANES]) -> u32 {
    (0..LANES).fold(0, |mask, i| mask | u32::from(bits[i]) << i)
}

// SAFETY of every block below: the caller has eight numbers at the pointer.
impl Lanes for Plain {
    type Float = [f32; LANES];
    type Double = [f64; LANES];

    #[inline(always)]
    unsafe fn splat(value: f32) -> [f32; LANES] {
        [value; LANES]
    }
    #[inline(always)]
    unsafe fn load(from: *const f32) -> [f32; LANES] {
        // SAFETY: see above.
        unsafe { from.cast::<[f32; LANES]>().read_unaligned() }
    }
    #[inline(always)]
    unsafe fn store(value: [f32; LANES], to: *mut f32) {
        // SAFETY: see above.
        unsafe { to.cast::<[f32; LANES]>().write_unaligned(value) };
    }
    #[inline(always)]
    unsafe fn mul_add(a: [f32; LANES], b: [f32; LANES], c: [f32; LANES]) -> [f32; LANES] {
        std::array::from_fn(|i| a[i] * b[i] + c[i])
    }
    #[inline(always)]
    unsafe fn min(a: [f32; LANES], b: [f32; LANES]) -> [f32; LANES] {
        zip(a, b, |a, b| if a < b { a } else { b })
    }
    #[inline(always)]
    unsafe fn max(a: [f32; LANES], b: [f32; LANES]) -> [f32; LANES] {
        zip(a, b, |a, b| if a > b { a } else { b })
    }
    #[inline(always)]
    unsafe fn at_most(a: [f32; LANES], b: [f32; LANES]) -> u32 {
        mask_of(zip(a, b, |a, b| a <= b))
    }

    #[inline(always)]
    unsafe fn splat_double(value: f64) -> [f64; LANES] {
        [value; LANES]
    }
    #[inline(always)]
    unsafe fn load_double(from: *const f64) -> [f64; LANES] {
        // SAFETY: see above.
        unsafe { from.cast::<[f64; LANES]>().read_unaligned() }
    }
    #[inline(always)]
    unsafe fn load_widened(from: *const f32) -> [f64; LANES] {
        // SAFETY: see above.
        unsafe { from.cast::<[f32; LANES]>().read_unaligned() }.map(f64::from)
    }
    #[inline(always)]
    unsafe fn store_double(value: [f64; LANES], to: *mut f64) {
        // SAFETY: see above.
        unsafe { to.cast::<[f64; LANES]>().write_unaligned(value) };
    }
    #[inline(always)]
    unsafe fn store_where(mask: u32, value: [f64; LANES], to: *mut f64) {
        for (i, value) in value.into_iter().enumerate() {
            if mask & (1 << i) != 0 {
                // SAFETY: see above.
                unsafe { to.add(i).write(value) };
            }
        }
    }
    #[inline(always)]
    unsafe fn add(a: [f64; LANES], b: [f64; LANES]) -> [f64; LANES] {
        zip(a, b, |a, b| a + b)
    }
    #[inline(always)]
    unsafe fn sub(a: [f64; LANES], b: [f64; LANES]) -> [f64; LANES] {
        zip(a, b, |a, b| a - b)
    }
    #[inline(always)]
    unsafe fn mul(a: [f64; LANES], b: [f64; LANES]) -> [f64; LANES] {
        zip(a, b, |a, b| a * b)
    }
    #[inline(always)]
    unsafe fn div(a: [f64; LANES], b: [f64; LANES]) -> [f64; LANES] {
        zip(a, b, |a, b| a / b)
    }
    #[inline(always)]
    unsafe fn min_double(a: [f64; LANES], b: [f64; LANES]) -> [f64; LANES] {
        zip(a, b, |a, b| if a < b { a } else { b })
    }
    #[inline(always)]
    unsafe fn max_double(a: [f64; LANES], b: [f64; LANES]) -> [f64; LANES] {
        zip(a, b, |a, b| if a > b { a } else { b })
    }
    #[inline(always)]
    unsafe fn abs(a: [f64; LANES]) -> [f64; LANES] {
        a.map(f64::abs)
    }
    #[inline(always)]
    unsafe fn mul_where_negative(
        a: [f64; LANES],
        factor: [f64; LANES],
        sign: [f64; LANES],
    ) -> [f64; LANES] {
        std::array::from_fn(|i| {
            if sign[i] < 0.0 {
                a[i] * factor[i]
            } else {
                a[i]
            }
        })
    }
    #[inline(always)]
    unsafe fn at_most_double(a: [f64; LANES], b: [f64; LANES]) -> u32 {
        mask_of(zip(a, b, |a, b| a <= b))
    }
    #[inline(always)]
    unsafe fn less_double(a: [f64; LANES], b: [f64; LANES]) -> u32 {
        mask_of(zip(a, b, |a, b| a < b))
    }

    #[inline(always)]
    unsafe fn equal(from: *const u32, to: u32) -> u32 {
        // SAFETY: see above.
        let numbers = unsafe { from.cast::<[u32; LANES]>().read_unaligned() };
        mask_of(numbers.map(|number| number == to))
    }
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::arch::x86_64::*;

    use super::Lanes;

    /// 256-bit vectors: doubles in two of them.
    pub(crate) struct Avx2;

    /// 512-bit vectors of doubles; floats in 256 bits.
    pub(crate) struct Avx512;

    /// Writes the functions of one instruction set: the caller has it, and the memory.
    macro_rules! lanes {
        ($($(#[$attribute:meta])* fn $name:ident($($argument:ident: $type:ty),*) $(-> $result:ty)? $body:block)*) => {$(
            #[inline(always)]
            unsafe fn $name($($argument: $type),*) $(-> $result)? {
                // SAFETY: see above.
                unsafe { $body }
            }
        )*};
    }

    macro_rules! floats {
        () => {
            type Float = __m256;

            lanes! {
                fn splat(value: f32) -> __m256 { _mm256_set1_ps(value) }
                fn load(from: *const f32) -> __m256 { _mm256_loadu_ps(from) }
                fn store(value: __m256, to: *mut f32) { _mm256_storeu_ps(to, value) }
                fn mul_add(a: __m256, b: __m256, c: __m256) -> __m256 { _mm256_fmadd_ps(a, b, c) }
                fn min(a: __m256, b: __m256) -> __m256 { _mm256_min_ps(a, b) }
                fn max(a: __m256, b: __m256) -> __m256 { _mm256_max_ps(a, b) }
                fn equal(from: *const u32, to: u32) -> u32 {
                    let numbers = _mm256_loadu_si256(from.cast());
                    let equal = _mm256_cmpeq_epi32(numbers, _mm256_set1_epi32(to as i32));
                    _mm256_movemask_ps(_mm256_castsi256_ps(equal)) as u32
                }
                fn at_most(a: __m256, b: __m256) -> u32 {
                    _mm256_movemask_ps(_mm256_cmp_ps::<_CMP_LE_OQ>(a, b)) as u32
                }
            }
        };
    }

    impl Lanes for Avx512 {
        type Double = __m512d;
        floats!();

        lanes! {
            fn splat_double(value: f64) -> __m512d { _mm512_set1_pd(value) }
            fn load_double(from: *const f64) -> __m512d { _mm512_loadu_pd(from) }
            fn load_widened(from: *const f32) -> __m512d { _mm512_cvtps_pd(_mm256_loadu_ps(from)) }
            fn store_double(value: __m512d, to: *mut f64) { _mm512_storeu_pd(to, value) }
            fn store_where(mask: u32, value: __m512d, to: *mut f64) {
                _mm512_mask_storeu_pd(to, mask as u8, value);
            }
            fn add(a: __m512d, b: __m512d) -> __m512d { _mm512_add_pd(a, b) }
            fn sub(a: __m512d, b: __m512d) -> __m512d { _mm512_sub_pd(a, b) }
            fn mul(a: __m512d, b: __m512d) -> __m512d { _mm512_mul_pd(a, b) }
            fn div(a: __m512d, b: __m512d) -> __m512d { _mm512_div_pd(a, b) }
            fn min_double(a: __m512d, b: __m512d) -> __m512d { _mm512_min_pd(a, b) }
            fn max_double(a: __m512d, b: __m512d) -> __m512d { _mm512_max_pd(a, b) }
            fn abs(a: __m512d) -> __m512d { _mm512_abs_pd(a) }
            fn mul_where_negative(a: __m512d, factor: __m512d, sign: __m512d) -> __m512d {
                let negative = _mm512_cmp_pd_mask::<_CMP_LT_OQ>(sign, _mm512_setzero_pd());
                _mm512_mask_mul_pd(a, negative, a, factor)
            }
            fn at_most_double(a: __m512d, b: __m512d) -> u32 {
                u32::from(_mm512_cmp_pd_mask::<_CMP_LE_OQ>(a, b))
            }
            fn less_double(a: __m512d, b: __m512d) -> u32 {
                u32::from(_mm512_cmp_pd_mask::<_CMP_LT_OQ>(a, b))
            }
        }
    }

    impl Lanes for Avx2 {
        type Double = [__m256d; 2];
        floats!();

        lanes! {
            fn splat_double(value: f64) -> [__m256d; 2] { [_mm256_set1_pd(value); 2] }
            fn load_double(from: *const f64) -> [__m256d; 2] {
                [_mm256_loadu_pd(from), _mm256_loadu_pd(from.add(4))]
            }
            fn load_widened(from: *const f32) -> [__m256d; 2] {
                [_mm256_cvtps_pd(_mm_loadu_ps(from)), _mm256_cvtps_pd(_mm_loadu_ps(from.add(4)))]
            }
            fn store_double(value: [__m256d; 2], to: *mut f64) {
                _mm256_storeu_pd(to, value[0]);
                _mm256_storeu_pd(to.add(4), value[1]);
            }
            fn store_where(mask: u32, value: [__m256d; 2], to: *mut f64) {
                let all = _mm256_set1_epi64x(i64::from(mask));
                let low = _mm256_setr_epi64x(1, 2, 4, 8);
                let high = _mm256_setr_epi64x(16, 32, 64, 128);
                let low = _mm256_cmpeq_epi64(_mm256_and_si256(all, low), low);
                let high = _mm256_cmpeq_epi64(_mm256_and_si256(all, high), high);
                _mm256_maskstore_pd(to, low, value[0]);
                _mm256_maskstore_pd(to.add(4), high, value[1]);
            }
            fn add(a: [__m256d; 2], b: [__m256d; 2]) -> [__m256d; 2] {
                [_mm256_add_pd(a[0], b[0]), _mm256_add_pd(a[1], b[1])]
            }
            fn sub(a: [__m256d; 2], b: [__m256d; 2]) -> [__m256d; 2] {
                [_mm256_sub_pd(a[0], b[0]), _mm256_sub_pd(a[1], b[1])]
            }
            fn mul(a: [__m256d; 2], b: [__m256d; 2]) -> [__m256d; 2] {
                [_mm256_mul_pd(a[0], b[0]), _mm256_mul_pd(a[1], b[1])]
            }
            fn div(a: [__m256d; 2], b: [__m256d; 2]) -> [__m256d; 2] {
                [_mm256_div_pd(a[0], b[0]), _mm256_div_pd(a[1], b[1])]
            }
            fn min_double(a: [__m256d; 2], b: [__m256d; 2]) -> [__m256d; 2] {
                [_mm256_min_pd(a[0], b[0]), _mm256_min_pd(a[1], b[1])]
            }
            fn max_double(a: [__m256d; 2], b: [__m256d; 2]) -> [__m256d; 2] {
                [_mm256_max_pd(a[0], b[0]), _mm256_max_pd(a[1], b[1])]
            }
            fn abs(a: [__m256d; 2]) -> [__m256d; 2] {
                let sign = _mm256_set1_pd(-0.0);
                [_mm256_andnot_pd(sign, a[0]), _mm256_andnot_pd(sign, a[1])]
            }
            fn mul_where_negative(
                a: [__m256d; 2],
                factor: [__m256d; 2],
                sign: [__m256d; 2]
            ) -> [__m256d; 2] {
                [
                    _mm256_blendv_pd(a[0], _mm256_mul_pd(a[0], factor[0]), sign[0]),
                    _mm256_blendv_pd(a[1], _mm256_mul_pd(a[1], factor[1]), sign[1]),
                ]
            }
            fn at_most_double(a: [__m256d; 2], b: [__m256d; 2]) -> u32 {
                let low = _mm256_movemask_pd(_mm256_cmp_pd::<_CMP_LE_OQ>(a[0], b[0]));
                let high = _mm256_movemask_pd(_mm256_cmp_pd::<_CMP_LE_OQ>(a[1], b[1]));
                (low | high << 4) as u32
            }
            fn less_double(a: [__m256d; 2], b: [__m256d; 2]) -> u32 {
                let low = _mm256_movemask_pd(_mm256_cmp_pd::<_CMP_LT_OQ>(a[0], b[0]));
                let high = _mm256_movemask_pd(_mm256_cmp_pd::<_CMP_LT_OQ>(a[1], b[1]));
                (low | high << 4) as u32
            }
        }
    }
}
