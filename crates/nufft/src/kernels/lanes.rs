//! Vectors of one instruction set behind one trait: the few operations spreading needs.
//!
//! A kernel is written once over [`Lanes`], is inlined into a function that carries the instruction
//! set's target features ([`dispatch`]) and becomes that set's machine code there.

use num_complex::Complex;
use wavefield_numerics::cpu::Simd;

use crate::error::NufftError;
use crate::kernel::WIDEST;
use crate::options::Options;

/// A vector of real numbers: 4, 8 or 16.
///
/// # Safety
/// Every function needs a processor with the instruction set of the implementing type; loads and
/// stores need [`Lanes::LANES`] numbers at the pointer, of any alignment.
pub trait Lanes: Copy {
    /// The numbers in it.
    type Real: Copy;
    /// How many.
    const LANES: usize;
    /// Numbers of vectors a kernel is compiled for are multiples of this.
    const STEP: usize = 1;
    /// Whether a vector is as long as a cache line. Then one that starts anywhere nearly always lies
    /// across two, and it pays to start where a line does.
    const WHOLE_LINES: bool = Self::LANES * size_of::<Self::Real>() == 64;

    /// Number of vectors for so many complex numbers.
    #[inline(always)]
    fn vectors(count: usize) -> usize {
        (2 * count)
            .div_ceil(Self::LANES)
            .next_multiple_of(Self::STEP)
    }

    /// Whether a kernel for so many vectors is needed.
    #[inline(always)]
    fn uses(vectors: usize) -> bool {
        vectors.is_multiple_of(Self::STEP) && vectors <= Self::vectors(WIDEST)
    }

    /// All lanes the same.
    unsafe fn splat(value: Self::Real) -> Self;
    /// Complex numbers, all the same: re, im, re, im, ….
    unsafe fn splat_complex(value: Complex<Self::Real>) -> Self;
    /// From memory.
    unsafe fn load(from: *const Self::Real) -> Self;
    /// To memory.
    unsafe fn store(self, to: *mut Self::Real);
    /// Lane by lane.
    unsafe fn mul(self, other: Self) -> Self;
    /// self·factor + term, lane by lane.
    unsafe fn mul_add(self, factor: Self, term: Self) -> Self;
    /// Every lane twice: the lower half and the upper half of the lanes.
    unsafe fn twice(self) -> [Self; 2];
    /// The sum of the complex numbers in the lanes.
    unsafe fn sum_complex(self) -> Complex<Self::Real>;
}

/// Work written over lanes of precision `R`.
pub(crate) trait Job<R: Vectors> {
    /// What it gives.
    type Output;

    /// Does the work. Implementations are `#[inline(always)]`.
    ///
    /// # Safety
    /// The processor must have the instruction set of `S`.
    unsafe fn run<S: Lanes<Real = R>>(self) -> Self::Output;
}

/// The vectors of a precision in every instruction set.
pub trait Vectors: Copy {
    /// Without vector instructions.
    type Plain: Lanes<Real = Self>;
    /// 256-bit vectors.
    #[cfg(target_arch = "x86_64")]
    type Avx2: Lanes<Real = Self>;
    /// 512-bit vectors.
    #[cfg(target_arch = "x86_64")]
    type Avx512: Lanes<Real = Self>;
    /// 128-bit vectors.
    #[cfg(target_arch = "aarch64")]
    type Neon: Lanes<Real = Self>;
}

/// An instruction set the processor was asked about and has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Present(Simd);

impl Present {
    /// The widest.
    fn widest() -> Present {
        Present(Simd::detect())
    }

    /// A certain one, if the processor has it.
    fn ask(wanted: Simd) -> Option<Present> {
        let widest = Simd::detect();
        let present = wanted == widest
            || wanted == Simd::Scalar
            || (wanted == Simd::Avx2 && widest == Simd::Avx512);
        present.then_some(Present(wanted))
    }

    /// What the options ask for.
    pub(crate) fn for_options(options: &Options) -> Result<Present, NufftError> {
        match options.simd {
            None => Ok(Present::widest()),
            Some(wanted) => Present::ask(wanted).ok_or(NufftError::Instructions {
                wanted: wanted.to_string(),
            }),
        }
    }

    /// Which one it is.
    pub(crate) fn simd(self) -> Simd {
        self.0
    }
}

/// Runs a job with an instruction set.
#[inline]
pub(crate) fn dispatch<R: Vectors, J: Job<R>>(present: Present, job: J) -> J::Output {
    match present.0 {
        // SAFETY: `Present` is only made of instruction sets the processor has.
        #[cfg(target_arch = "x86_64")]
        Simd::Avx512 => unsafe { in_avx512(job) },
        // SAFETY: as above.
        #[cfg(target_arch = "x86_64")]
        Simd::Avx2 => unsafe { in_avx2(job) },
        // SAFETY: as above.
        #[cfg(target_arch = "aarch64")]
        Simd::Neon => unsafe { in_neon(job) },
        // SAFETY: plain lanes need nothing.
        _ => unsafe { job.run::<R::Plain>() },
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx2,fma")]
unsafe fn in_avx512<R: Vectors, J: Job<R>>(job: J) -> J::Output {
    // SAFETY: the caller has seen that the processor has AVX-512.
    unsafe { job.run::<R::Avx512>() }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
unsafe fn in_avx2<R: Vectors, J: Job<R>>(job: J) -> J::Output {
    // SAFETY: the caller has seen that the processor has AVX2 and FMA.
    unsafe { job.run::<R::Avx2>() }
}

#[cfg(target_arch = "aarch64")]
#[target_feature(enable = "neon")]
unsafe fn in_neon<R: Vectors, J: Job<R>>(job: J) -> J::Output {
    // SAFETY: the caller has seen that the processor has NEON.
    unsafe { job.run::<R::Neon>() }
}

/// Four numbers side by side without vector instructions.
#[derive(Clone, Copy, Debug)]
pub struct Plain<R>([R; 4]);

macro_rules! plain {
    ($real:ty) => {
        impl Lanes for Plain<$real> {
            type Real = $real;
            const LANES: usize = 4;
            // Nobody waits for a few sums more where there are no vector instructions.
            const STEP: usize = 4;

            #[inline(always)]
            unsafe fn splat(value: $real) -> Self {
                Plain([value; 4])
            }
            #[inline(always)]
            unsafe fn splat_complex(value: Complex<$real>) -> Self {
                Plain([value.re, value.im, value.re, value.im])
            }
            #[inline(always)]
            unsafe fn load(from: *const $real) -> Self {
                // SAFETY: four numbers at the pointer, says the caller.
                Plain(unsafe { from.cast::<[$real; 4]>().read_unaligned() })
            }
            #[inline(always)]
            unsafe fn store(self, to: *mut $real) {
                // SAFETY: four numbers at the pointer, says the caller.
                unsafe { to.cast::<[$real; 4]>().write_unaligned(self.0) };
            }
            #[inline(always)]
            unsafe fn mul(self, other: Self) -> Self {
                Plain(std::array::from_fn(|i| self.0[i] * other.0[i]))
            }
            #[inline(always)]
            unsafe fn mul_add(self, factor: Self, term: Self) -> Self {
                Plain(std::array::from_fn(|i| self.0[i] * factor.0[i] + term.0[i]))
            }
            #[inline(always)]
            unsafe fn twice(self) -> [Self; 2] {
                let [a, b, c, d] = self.0;
                [Plain([a, a, b, b]), Plain([c, c, d, d])]
            }
            #[inline(always)]
            unsafe fn sum_complex(self) -> Complex<$real> {
                let [a, b, c, d] = self.0;
                Complex::new(a + c, b + d)
            }
        }
    };
}

plain!(f32);
plain!(f64);

#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::arch::x86_64::*;

    use super::*;

    macro_rules! lanes {
        ($name:ident, $real:ty, $vector:ty, $lanes:literal, $splat:ident, $load:ident,
         $store:ident, $mul:ident, $fma:ident,
         |$pair:ident| $complex:expr, |$one:ident| $twice:expr, |$all:ident| $sum:expr) => {
            #[derive(Clone, Copy, Debug)]
            pub struct $name($vector);

            // SAFETY of every block below: the caller has the instruction set, and the memory.
            impl Lanes for $name {
                type Real = $real;
                const LANES: usize = $lanes;

                #[inline(always)]
                unsafe fn splat(value: $real) -> Self {
                    // SAFETY: see above.
                    $name(unsafe { $splat(value) })
                }
                #[inline(always)]
                unsafe fn splat_complex($pair: Complex<$real>) -> Self {
                    // SAFETY: see above.
                    $name(unsafe { $complex })
                }
                #[inline(always)]
                unsafe fn load(from: *const $real) -> Self {
                    // SAFETY: see above.
                    $name(unsafe { $load(from) })
                }
                #[inline(always)]
                unsafe fn store(self, to: *mut $real) {
                    // SAFETY: see above.
                    unsafe { $store(to, self.0) }
                }
                #[inline(always)]
                unsafe fn mul(self, other: Self) -> Self {
                    // SAFETY: see above.
                    $name(unsafe { $mul(self.0, other.0) })
                }
                #[inline(always)]
                unsafe fn mul_add(self, factor: Self, term: Self) -> Self {
                    // SAFETY: see above.
                    $name(unsafe { $fma(self.0, factor.0, term.0) })
                }
                #[inline(always)]
                unsafe fn twice(self) -> [Self; 2] {
                    let $one = self.0;
                    // SAFETY: see above.
                    let [low, high] = unsafe { $twice };
                    [$name(low), $name(high)]
                }
                #[inline(always)]
                unsafe fn sum_complex(self) -> Complex<$real> {
                    let $all = self.0;
                    // SAFETY: see above.
                    unsafe { $sum }
                }
            }
        };
    }

    #[inline(always)]
    unsafe fn complex_f64(pair: __m128d) -> Complex<f64> {
        // SAFETY: SSE2 is part of x86-64.
        unsafe {
            Complex::new(
                _mm_cvtsd_f64(pair),
                _mm_cvtsd_f64(_mm_unpackhi_pd(pair, pair)),
            )
        }
    }

    /// Two complex numbers: re, im, re, im.
    #[inline(always)]
    unsafe fn complex_f32(pairs: __m128) -> Complex<f32> {
        // SAFETY: SSE is part of x86-64.
        unsafe {
            let sum = _mm_add_ps(pairs, _mm_movehl_ps(pairs, pairs));
            Complex::new(
                _mm_cvtss_f32(sum),
                _mm_cvtss_f32(_mm_shuffle_ps::<1>(sum, sum)),
            )
        }
    }

    lanes!(
        Avx2F64,
        f64,
        __m256d,
        4,
        _mm256_set1_pd,
        _mm256_loadu_pd,
        _mm256_storeu_pd,
        _mm256_mul_pd,
        _mm256_fmadd_pd,
        |z| _mm256_setr_pd(z.re, z.im, z.re, z.im),
        |v| [
            _mm256_permute4x64_pd::<0x50>(v),
            _mm256_permute4x64_pd::<0xFA>(v)
        ],
        |v| complex_f64(_mm_add_pd(
            _mm256_castpd256_pd128(v),
            _mm256_extractf128_pd::<1>(v)
        ))
    );

    lanes!(
        Avx2F32,
        f32,
        __m256,
        8,
        _mm256_set1_ps,
        _mm256_loadu_ps,
        _mm256_storeu_ps,
        _mm256_mul_ps,
        _mm256_fmadd_ps,
        |z| _mm256_setr_ps(z.re, z.im, z.re, z.im, z.re, z.im, z.re, z.im),
        |v| {
            let low = _mm256_setr_epi32(0, 0, 1, 1, 2, 2, 3, 3);
            let high = _mm256_setr_epi32(4, 4, 5, 5, 6, 6, 7, 7);
            [
                _mm256_permutevar8x32_ps(v, low),
                _mm256_permutevar8x32_ps(v, high),
            ]
        },
        |v| complex_f32(_mm_add_ps(
            _mm256_castps256_ps128(v),
            _mm256_extractf128_ps::<1>(v)
        ))
    );

    lanes!(
        Avx512F64,
        f64,
        __m512d,
        8,
        _mm512_set1_pd,
        _mm512_loadu_pd,
        _mm512_storeu_pd,
        _mm512_mul_pd,
        _mm512_fmadd_pd,
        |z| _mm512_setr_pd(z.re, z.im, z.re, z.im, z.re, z.im, z.re, z.im),
        |v| {
            let low = _mm512_setr_epi64(0, 0, 1, 1, 2, 2, 3, 3);
            let high = _mm512_setr_epi64(4, 4, 5, 5, 6, 6, 7, 7);
            [
                _mm512_permutexvar_pd(low, v),
                _mm512_permutexvar_pd(high, v),
            ]
        },
        |v| {
            let half = _mm256_add_pd(_mm512_castpd512_pd256(v), _mm512_extractf64x4_pd::<1>(v));
            complex_f64(_mm_add_pd(
                _mm256_castpd256_pd128(half),
                _mm256_extractf128_pd::<1>(half),
            ))
        }
    );

    lanes!(
        Avx512F32,
        f32,
        __m512,
        16,
        _mm512_set1_ps,
        _mm512_loadu_ps,
        _mm512_storeu_ps,
        _mm512_mul_ps,
        _mm512_fmadd_ps,
        |z| _mm512_setr_ps(
            z.re, z.im, z.re, z.im, z.re, z.im, z.re, z.im, z.re, z.im, z.re, z.im, z.re, z.im,
            z.re, z.im
        ),
        |v| {
            let low = _mm512_setr_epi32(0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7);
            let high =
                _mm512_setr_epi32(8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13, 14, 14, 15, 15);
            [
                _mm512_permutexvar_ps(low, v),
                _mm512_permutexvar_ps(high, v),
            ]
        },
        |v| {
            let upper = _mm256_castpd_ps(_mm512_extractf64x4_pd::<1>(_mm512_castps_pd(v)));
            let half = _mm256_add_ps(_mm512_castps512_ps256(v), upper);
            complex_f32(_mm_add_ps(
                _mm256_castps256_ps128(half),
                _mm256_extractf128_ps::<1>(half),
            ))
        }
    );
}

#[cfg(target_arch = "aarch64")]
mod arm {
    use std::arch::aarch64::*;

    use super::*;

    /// Four numbers: two vectors.
    #[derive(Clone, Copy, Debug)]
    pub struct NeonF64([float64x2_t; 2]);

    // SAFETY of every block below: NEON is part of 64-bit Arm; the caller has the memory.
    impl Lanes for NeonF64 {
        type Real = f64;
        const LANES: usize = 4;

        #[inline(always)]
        unsafe fn splat(value: f64) -> Self {
            // SAFETY: see above.
            NeonF64(unsafe { [vdupq_n_f64(value); 2] })
        }
        #[inline(always)]
        unsafe fn splat_complex(value: Complex<f64>) -> Self {
            // SAFETY: a complex number is its two parts in memory.
            NeonF64(unsafe { [vld1q_f64((&raw const value).cast()); 2] })
        }
        #[inline(always)]
        unsafe fn load(from: *const f64) -> Self {
            // SAFETY: see above.
            NeonF64(unsafe { [vld1q_f64(from), vld1q_f64(from.add(2))] })
        }
        #[inline(always)]
        unsafe fn store(self, to: *mut f64) {
            // SAFETY: see above.
            unsafe {
                vst1q_f64(to, self.0[0]);
                vst1q_f64(to.add(2), self.0[1]);
            }
        }
        #[inline(always)]
        unsafe fn mul(self, other: Self) -> Self {
            // SAFETY: see above.
            NeonF64(std::array::from_fn(|i| unsafe {
                vmulq_f64(self.0[i], other.0[i])
            }))
        }
        #[inline(always)]
        unsafe fn mul_add(self, factor: Self, term: Self) -> Self {
            // SAFETY: see above.
            NeonF64(std::array::from_fn(|i| unsafe {
                vfmaq_f64(term.0[i], self.0[i], factor.0[i])
            }))
        }
        #[inline(always)]
        unsafe fn twice(self) -> [Self; 2] {
            // SAFETY: see above.
            self.0
                .map(|v| NeonF64(unsafe { [vzip1q_f64(v, v), vzip2q_f64(v, v)] }))
        }
        #[inline(always)]
        unsafe fn sum_complex(self) -> Complex<f64> {
            // SAFETY: see above.
            unsafe {
                let sum = vaddq_f64(self.0[0], self.0[1]);
                Complex::new(vgetq_lane_f64::<0>(sum), vgetq_lane_f64::<1>(sum))
            }
        }
    }

    /// Four numbers: one vector.
    #[derive(Clone, Copy, Debug)]
    pub struct NeonF32(float32x4_t);

    // SAFETY of every block below: as above.
    impl Lanes for NeonF32 {
        type Real = f32;
        const LANES: usize = 4;

        #[inline(always)]
        unsafe fn splat(value: f32) -> Self {
            // SAFETY: see above.
            NeonF32(unsafe { vdupq_n_f32(value) })
        }
        #[inline(always)]
        unsafe fn splat_complex(value: Complex<f32>) -> Self {
            let pair = [value; 2];
            // SAFETY: a complex number is its two parts in memory.
            NeonF32(unsafe { vld1q_f32(pair.as_ptr().cast()) })
        }
        #[inline(always)]
        unsafe fn load(from: *const f32) -> Self {
            // SAFETY: see above.
            NeonF32(unsafe { vld1q_f32(from) })
        }
        #[inline(always)]
        unsafe fn store(self, to: *mut f32) {
            // SAFETY: see above.
            unsafe { vst1q_f32(to, self.0) }
        }
        #[inline(always)]
        unsafe fn mul(self, other: Self) -> Self {
            // SAFETY: see above.
            NeonF32(unsafe { vmulq_f32(self.0, other.0) })
        }
        #[inline(always)]
        unsafe fn mul_add(self, factor: Self, term: Self) -> Self {
            // SAFETY: see above.
            NeonF32(unsafe { vfmaq_f32(term.0, self.0, factor.0) })
        }
        #[inline(always)]
        unsafe fn twice(self) -> [Self; 2] {
            // SAFETY: see above.
            unsafe {
                [
                    NeonF32(vzip1q_f32(self.0, self.0)),
                    NeonF32(vzip2q_f32(self.0, self.0)),
                ]
            }
        }
        #[inline(always)]
        unsafe fn sum_complex(self) -> Complex<f32> {
            // SAFETY: see above.
            unsafe {
                Complex::new(
                    vgetq_lane_f32::<0>(self.0) + vgetq_lane_f32::<2>(self.0),
                    vgetq_lane_f32::<1>(self.0) + vgetq_lane_f32::<3>(self.0),
                )
            }
        }
    }
}

impl Vectors for f64 {
    type Plain = Plain<f64>;
    #[cfg(target_arch = "x86_64")]
    type Avx2 = x86::Avx2F64;
    #[cfg(target_arch = "x86_64")]
    type Avx512 = x86::Avx512F64;
    #[cfg(target_arch = "aarch64")]
    type Neon = arm::NeonF64;
}

impl Vectors for f32 {
    type Plain = Plain<f32>;
    #[cfg(target_arch = "x86_64")]
    type Avx2 = x86::Avx2F32;
    #[cfg(target_arch = "x86_64")]
    type Avx512 = x86::Avx512F32;
    #[cfg(target_arch = "aarch64")]
    type Neon = arm::NeonF32;
}
