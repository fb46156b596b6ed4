//! AVX2 and AVX-512 vectors.

use std::arch::x86_64::*;
use std::hint::black_box;

use num_complex::Complex;

use super::vector::{Interleaved, Ordered, Vector, at};
use crate::cpu::Simd;

/// Defines functions over the intrinsics of an instruction set.
macro_rules! functions {
    ($($(#[$document:meta])* $visible:vis fn $name:ident($($argument:ident: $type:ty),*) $(-> $result:ty)? $body:block)*) => {$(
        $(#[$document])*
        #[inline(always)]
        $visible unsafe fn $name($($argument: $type),*) $(-> $result)? {
            // SAFETY: the caller guarantees the instruction set and upholds the contract of the
            // trait.
            unsafe { $body }
        }
    )*};
}

/// Defines a vector type and the operations common to all.
macro_rules! vector {
    ($(#[$document:meta])* $name:ident($vector:ident) of $count:literal $real:ident,
     $simd:ident with $registers:literal registers:
     $splat:ident $load:ident $store:ident $add:ident $sub:ident $mul:ident $plus:ident $minus:ident) => {
        $(#[$document])*
        #[derive(Clone, Copy, Debug)]
        pub(super) struct $name($vector);

        impl Vector for $name {
            type Real = $real;
            const COUNT: usize = $count;
            const REGISTERS: usize = $registers;
            const SIMD: Simd = Simd::$simd;

            functions! {
                fn splat(value: $real) -> Self { $name($splat(value)) }
                fn load(from: *const $real) -> Self { $name($load(from)) }
                fn store(self: Self, to: *mut $real) { $store(to, self.0) }
                fn add(self: Self, other: Self) -> Self { $name($add(self.0, other.0)) }
                fn sub(self: Self, other: Self) -> Self { $name($sub(self.0, other.0)) }
                fn mul(self: Self, other: Self) -> Self { $name($mul(self.0, other.0)) }
                fn plus(self: Self, a: Self, b: Self) -> Self { $name($plus(a.0, b.0, self.0)) }
                fn minus(self: Self, a: Self, b: Self) -> Self { $name($minus(a.0, b.0, self.0)) }
            }
        }
    };
}

vector! {
    /// Sixteen numbers in single precision.
    F32x16(__m512) of 16 f32, Avx512 with 32 registers:
    _mm512_set1_ps _mm512_loadu_ps _mm512_storeu_ps
    _mm512_add_ps _mm512_sub_ps _mm512_mul_ps _mm512_fmadd_ps _mm512_fnmadd_ps
}

vector! {
    /// Eight numbers in double precision.
    F64x8(__m512d) of 8 f64, Avx512 with 32 registers:
    _mm512_set1_pd _mm512_loadu_pd _mm512_storeu_pd
    _mm512_add_pd _mm512_sub_pd _mm512_mul_pd _mm512_fmadd_pd _mm512_fnmadd_pd
}

vector! {
    /// Eight numbers in single precision.
    F32x8(__m256) of 8 f32, Avx2 with 16 registers:
    _mm256_set1_ps _mm256_loadu_ps _mm256_storeu_ps
    _mm256_add_ps _mm256_sub_ps _mm256_mul_ps _mm256_fmadd_ps _mm256_fnmadd_ps
}

vector! {
    /// Four numbers in double precision.
    F64x4(__m256d) of 4 f64, Avx2 with 16 registers:
    _mm256_set1_pd _mm256_loadu_pd _mm256_storeu_pd
    _mm256_add_pd _mm256_sub_pd _mm256_mul_pd _mm256_fmadd_pd _mm256_fnmadd_pd
}

impl Interleaved for F32x16 {
    type Masks = [u8; 7];

    #[inline(always)]
    fn masks() -> [u8; 7] {
        // Opaque to the compiler, which would replace constant masks by a longer sequence of
        // shuffles.
        black_box([2, 4, 8, 16, 32, 64, 128])
    }
    functions! {
        fn splat_complex(value: Complex<f32>) -> Self {
            let Complex { re, im } = value;
            F32x16(_mm512_setr_ps(
                re, im, re, im, re, im, re, im, re, im, re, im, re, im, re, im,
            ))
        }
        fn load_twice(from: *const f32) -> Self {
            let narrow = _mm512_cvtepu32_epi64(_mm256_loadu_si256(from.cast()));
            F32x16(_mm512_castsi512_ps(_mm512_or_si512(narrow, _mm512_slli_epi64::<32>(narrow))))
        }
        fn twice(self: Self) -> [Self; 2] {
            let low = _mm512_setr_epi32(0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7);
            let high = _mm512_setr_epi32(8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13, 14, 14, 15, 15);
            [F32x16(_mm512_permutexvar_ps(low, self.0)), F32x16(_mm512_permutexvar_ps(high, self.0))]
        }
        fn swap(self: Self) -> Self { F32x16(_mm512_permute_ps::<0b10_11_00_01>(self.0)) }
        fn mul_sub(self: Self, factor: Self, term: Self) -> Self {
            F32x16(_mm512_fmsub_ps(self.0, factor.0, term.0))
        }
        fn inverse_sqrt(self: Self) -> Self {
            // Approximation to 14 bits, then one Newton step: x (3/2 − a/2 x²).
            let first = _mm512_rsqrt14_ps(self.0);
            let half = _mm512_mul_ps(_mm512_mul_ps(self.0, _mm512_set1_ps(-0.5)), first);
            let rest = _mm512_fmadd_ps(half, first, _mm512_set1_ps(0.5));
            F32x16(_mm512_fmadd_ps(first, rest, first))
        }
        fn sum_complex(self: Self) -> Complex<f32> {
            let upper = _mm256_castpd_ps(_mm512_extractf64x4_pd::<1>(_mm512_castps_pd(self.0)));
            F32x8(_mm256_add_ps(_mm512_castps512_ps256(self.0), upper)).sum_complex()
        }
        fn stream(self: Self, to: *mut f32) { _mm512_stream_ps(to, self.0); }
        fn settle() { _mm_sfence(); }
        fn gather(masks: [u8; 7], addresses: *const usize, offset: usize) -> Self {
            let first = _mm512_broadcastsd_pd(_mm_load_sd(at::<f32, _>(addresses, offset)));
            let mut pairs = first;
            for lane in 1..8 {
                let pair = _mm_load_sd(at::<f32, _>(addresses.add(lane), offset));
                pairs = _mm512_mask_broadcastsd_pd(pairs, masks[lane - 1], pair);
            }
            F32x16(_mm512_castpd_ps(pairs))
        }
    }
}

impl Interleaved for F64x8 {
    type Masks = ();

    #[inline(always)]
    fn masks() {}
    functions! {
        fn splat_complex(value: Complex<f64>) -> Self {
            let Complex { re, im } = value;
            F64x8(_mm512_setr_pd(re, im, re, im, re, im, re, im))
        }
        fn load_twice(from: *const f64) -> Self {
            let narrow = _mm512_castpd256_pd512(_mm256_loadu_pd(from));
            F64x8(_mm512_permutexvar_pd(_mm512_setr_epi64(0, 0, 1, 1, 2, 2, 3, 3), narrow))
        }
        fn twice(self: Self) -> [Self; 2] {
            let low = _mm512_setr_epi64(0, 0, 1, 1, 2, 2, 3, 3);
            let high = _mm512_setr_epi64(4, 4, 5, 5, 6, 6, 7, 7);
            [F64x8(_mm512_permutexvar_pd(low, self.0)), F64x8(_mm512_permutexvar_pd(high, self.0))]
        }
        fn swap(self: Self) -> Self { F64x8(_mm512_permute_pd::<0b01_01_01_01>(self.0)) }
        fn mul_sub(self: Self, factor: Self, term: Self) -> Self {
            F64x8(_mm512_fmsub_pd(self.0, factor.0, term.0))
        }
        fn inverse_sqrt(self: Self) -> Self {
            F64x8(_mm512_div_pd(_mm512_set1_pd(1.0), _mm512_sqrt_pd(self.0)))
        }
        fn sum_complex(self: Self) -> Complex<f64> {
            let upper = _mm512_extractf64x4_pd::<1>(self.0);
            F64x4(_mm256_add_pd(_mm512_castpd512_pd256(self.0), upper)).sum_complex()
        }
        fn stream(self: Self, to: *mut f64) { _mm512_stream_pd(to, self.0); }
        fn settle() { _mm_sfence(); }
        fn gather(_masks: (), addresses: *const usize, offset: usize) -> Self {
            let low = F64x4::gather((), addresses, offset);
            let high = F64x4::gather((), addresses.add(2), offset);
            F64x8(_mm512_insertf64x4::<1>(_mm512_castpd256_pd512(low.0), high.0))
        }
    }
}

impl Interleaved for F32x8 {
    type Masks = ();

    #[inline(always)]
    fn masks() {}
    functions! {
        fn splat_complex(value: Complex<f32>) -> Self {
            let Complex { re, im } = value;
            F32x8(_mm256_setr_ps(re, im, re, im, re, im, re, im))
        }
        fn load_twice(from: *const f32) -> Self {
            let narrow = _mm256_cvtepu32_epi64(_mm_loadu_si128(from.cast()));
            F32x8(_mm256_castsi256_ps(_mm256_or_si256(narrow, _mm256_slli_epi64::<32>(narrow))))
        }
        fn twice(self: Self) -> [Self; 2] {
            let low = _mm256_setr_epi32(0, 0, 1, 1, 2, 2, 3, 3);
            let high = _mm256_setr_epi32(4, 4, 5, 5, 6, 6, 7, 7);
            [F32x8(_mm256_permutevar8x32_ps(self.0, low)), F32x8(_mm256_permutevar8x32_ps(self.0, high))]
        }
        fn swap(self: Self) -> Self { F32x8(_mm256_permute_ps::<0b10_11_00_01>(self.0)) }
        fn mul_sub(self: Self, factor: Self, term: Self) -> Self {
            F32x8(_mm256_fmsub_ps(self.0, factor.0, term.0))
        }
        fn inverse_sqrt(self: Self) -> Self {
            F32x8(_mm256_div_ps(_mm256_set1_ps(1.0), _mm256_sqrt_ps(self.0)))
        }
        fn sum_complex(self: Self) -> Complex<f32> {
            let upper = _mm256_extractf128_ps::<1>(self.0);
            let pairs = _mm_add_ps(_mm256_castps256_ps128(self.0), upper);
            let sum = _mm_add_ps(pairs, _mm_movehl_ps(pairs, pairs));
            Complex::new(_mm_cvtss_f32(sum), _mm_cvtss_f32(_mm_shuffle_ps::<1>(sum, sum)))
        }
        fn gather(_masks: (), addresses: *const usize, offset: usize) -> Self {
            let low = _mm_load_sd(at::<f32, _>(addresses, offset));
            let low = _mm_loadh_pd(low, at::<f32, _>(addresses.add(1), offset));
            let high = _mm_load_sd(at::<f32, _>(addresses.add(2), offset));
            let high = _mm_loadh_pd(high, at::<f32, _>(addresses.add(3), offset));
            F32x8(_mm256_castpd_ps(_mm256_insertf128_pd::<1>(_mm256_castpd128_pd256(low), high)))
        }
    }
}

impl Interleaved for F64x4 {
    type Masks = ();

    #[inline(always)]
    fn masks() {}
    functions! {
        fn splat_complex(value: Complex<f64>) -> Self {
            F64x4(_mm256_setr_pd(value.re, value.im, value.re, value.im))
        }
        fn load_twice(from: *const f64) -> Self {
            let narrow = _mm256_castpd128_pd256(_mm_loadu_pd(from));
            F64x4(_mm256_permute4x64_pd::<0b01_01_00_00>(narrow))
        }
        fn twice(self: Self) -> [Self; 2] {
            [
                F64x4(_mm256_permute4x64_pd::<0b01_01_00_00>(self.0)),
                F64x4(_mm256_permute4x64_pd::<0b11_11_10_10>(self.0)),
            ]
        }
        fn swap(self: Self) -> Self { F64x4(_mm256_permute_pd::<0b01_01>(self.0)) }
        fn mul_sub(self: Self, factor: Self, term: Self) -> Self {
            F64x4(_mm256_fmsub_pd(self.0, factor.0, term.0))
        }
        fn inverse_sqrt(self: Self) -> Self {
            F64x4(_mm256_div_pd(_mm256_set1_pd(1.0), _mm256_sqrt_pd(self.0)))
        }
        fn sum_complex(self: Self) -> Complex<f64> {
            let sum = _mm_add_pd(_mm256_castpd256_pd128(self.0), _mm256_extractf128_pd::<1>(self.0));
            Complex::new(_mm_cvtsd_f64(sum), _mm_cvtsd_f64(_mm_unpackhi_pd(sum, sum)))
        }
        fn gather(_masks: (), addresses: *const usize, offset: usize) -> Self {
            F64x4(_mm256_loadu2_m128d(at::<f64, _>(addresses.add(1), offset), at::<f64, _>(addresses, offset)))
        }
    }
}

impl Ordered for F64x8 {
    functions! {
        fn div(self: Self, other: Self) -> Self { F64x8(_mm512_div_pd(self.0, other.0)) }
        fn abs(self: Self) -> Self { F64x8(_mm512_abs_pd(self.0)) }
        fn min(self: Self, other: Self) -> Self { F64x8(_mm512_min_pd(self.0, other.0)) }
        fn max(self: Self, other: Self) -> Self { F64x8(_mm512_max_pd(self.0, other.0)) }
        fn at_most(self: Self, other: Self) -> u32 {
            u32::from(_mm512_cmp_pd_mask::<_CMP_LE_OQ>(self.0, other.0))
        }
        fn less(self: Self, other: Self) -> u32 {
            u32::from(_mm512_cmp_pd_mask::<_CMP_LT_OQ>(self.0, other.0))
        }
        fn mul_where_negative(self: Self, factor: Self, sign: Self) -> Self {
            let negative = _mm512_cmp_pd_mask::<_CMP_LT_OQ>(sign.0, _mm512_setzero_pd());
            F64x8(_mm512_mask_mul_pd(self.0, negative, self.0, factor.0))
        }
        fn store_where(self: Self, mask: u32, to: *mut f64) {
            _mm512_mask_storeu_pd(to, mask as u8, self.0);
        }
    }
}

impl Ordered for F32x8 {
    functions! {
        fn div(self: Self, other: Self) -> Self { F32x8(_mm256_div_ps(self.0, other.0)) }
        fn abs(self: Self) -> Self { F32x8(_mm256_andnot_ps(_mm256_set1_ps(-0.0), self.0)) }
        fn min(self: Self, other: Self) -> Self { F32x8(_mm256_min_ps(self.0, other.0)) }
        fn max(self: Self, other: Self) -> Self { F32x8(_mm256_max_ps(self.0, other.0)) }
        fn at_most(self: Self, other: Self) -> u32 {
            _mm256_movemask_ps(_mm256_cmp_ps::<_CMP_LE_OQ>(self.0, other.0)) as u32
        }
        fn less(self: Self, other: Self) -> u32 {
            _mm256_movemask_ps(_mm256_cmp_ps::<_CMP_LT_OQ>(self.0, other.0)) as u32
        }
        fn mul_where_negative(self: Self, factor: Self, sign: Self) -> Self {
            F32x8(_mm256_blendv_ps(self.0, _mm256_mul_ps(self.0, factor.0), sign.0))
        }
        fn store_where(self: Self, mask: u32, to: *mut f32) {
            let bits = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
            let all = _mm256_set1_epi32(mask as i32);
            _mm256_maskstore_ps(to, _mm256_cmpeq_epi32(_mm256_and_si256(all, bits), bits), self.0);
        }
    }
}

impl Ordered for F64x4 {
    functions! {
        fn div(self: Self, other: Self) -> Self { F64x4(_mm256_div_pd(self.0, other.0)) }
        fn abs(self: Self) -> Self { F64x4(_mm256_andnot_pd(_mm256_set1_pd(-0.0), self.0)) }
        fn min(self: Self, other: Self) -> Self { F64x4(_mm256_min_pd(self.0, other.0)) }
        fn max(self: Self, other: Self) -> Self { F64x4(_mm256_max_pd(self.0, other.0)) }
        fn at_most(self: Self, other: Self) -> u32 {
            _mm256_movemask_pd(_mm256_cmp_pd::<_CMP_LE_OQ>(self.0, other.0)) as u32
        }
        fn less(self: Self, other: Self) -> u32 {
            _mm256_movemask_pd(_mm256_cmp_pd::<_CMP_LT_OQ>(self.0, other.0)) as u32
        }
        fn mul_where_negative(self: Self, factor: Self, sign: Self) -> Self {
            F64x4(_mm256_blendv_pd(self.0, _mm256_mul_pd(self.0, factor.0), sign.0))
        }
        fn store_where(self: Self, mask: u32, to: *mut f64) {
            let bits = _mm256_setr_epi64x(1, 2, 4, 8);
            let all = _mm256_set1_epi64x(i64::from(mask));
            _mm256_maskstore_pd(to, _mm256_cmpeq_epi64(_mm256_and_si256(all, bits), bits), self.0);
        }
    }
}

impl F32x8 {
    functions! {
        /// Converts the numbers to double precision.
        pub(super) fn widen(self: Self) -> F64x8 { F64x8(_mm512_cvtps_pd(self.0)) }
        /// Converts the lower and the upper half to double precision.
        pub(super) fn widen_halves(self: Self) -> [F64x4; 2] {
            [
                F64x4(_mm256_cvtps_pd(_mm256_castps256_ps128(self.0))),
                F64x4(_mm256_cvtps_pd(_mm256_extractf128_ps::<1>(self.0))),
            ]
        }
    }
}

functions! {
    /// Returns the mask of eight integers that equal a number.
    pub(super) fn equal(from: *const u32, number: u32) -> u32 {
        let numbers = _mm256_loadu_si256(from.cast());
        let equal = _mm256_cmpeq_epi32(numbers, _mm256_set1_epi32(number as i32));
        _mm256_movemask_ps(_mm256_castsi256_ps(equal)) as u32
    }
}
