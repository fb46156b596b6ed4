//! Eight doubles side by side behind one trait: the few operations dense matrices need.
//!
//! A kernel is written once over [`Lanes`], is inlined into a function that carries the instruction set's
//! target features ([`dispatch`]) and becomes that set's machine code there. Products are fused with their
//! sums where the processor can, so instruction sets differ in the last bits; numbers of threads do not.

use crate::{cpu::Simd, dense::lines::Line};

/// A vector of eight doubles.
///
/// # Safety
/// Every function needs a processor with the instruction set of the implementing type.
pub(crate) trait Lanes: Copy {
    unsafe fn splat(value: f64) -> Self;
    unsafe fn load(from: &Line) -> Self;
    unsafe fn store(self, to: &mut Line);
    unsafe fn add(self, other: Self) -> Self;
    unsafe fn sub(self, other: Self) -> Self;
    unsafe fn mul(self, other: Self) -> Self;
    /// self + a·b.
    unsafe fn plus(self, a: Self, b: Self) -> Self;
    /// self − a·b.
    unsafe fn minus(self, a: Self, b: Self) -> Self;
    unsafe fn abs(self) -> Self;
    unsafe fn max(self, other: Self) -> Self;
}

/// Work written over lanes.
pub(crate) trait Job {
    /// What it gives.
    type Output;

    /// Does the work. Implementations are `#[inline(always)]`. `WIDE` says that 24 vectors and what they
    /// are multiplied by fit the registers; otherwise four do.
    ///
    /// # Safety
    /// The processor must have the instruction set of `L`.
    unsafe fn run<L: Lanes, const WIDE: bool>(self) -> Self::Output;
}

/// An instruction set the processor was asked about and has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Present(Simd);

impl Present {
    /// The widest.
    pub(crate) fn widest() -> Present {
        Present(Simd::detect())
    }

    /// All of them, for tests that hold one against the other.
    #[cfg(test)]
    pub(crate) fn all() -> Vec<Present> {
        match Simd::detect() {
            Simd::Avx512 => vec![
                Present(Simd::Avx512),
                Present(Simd::Avx2),
                Present(Simd::Scalar),
            ],
            Simd::Avx2 => vec![Present(Simd::Avx2), Present(Simd::Scalar)],
            other => vec![Present(other)],
        }
    }
}

/// Runs a job with an instruction set. On Arm the compiler turns the plain lanes into NEON, which is part
/// of every 64-bit processor.
#[inline]
pub(crate) fn dispatch<J: Job>(present: Present, job: J) -> J::Output {
    match present.0 {
        // SAFETY: `Present` is only made of instruction sets the processor has.
        #[cfg(target_arch = "x86_64")]
        Simd::Avx512 => unsafe { in_avx512(job) },
        // SAFETY: as above.
        #[cfg(target_arch = "x86_64")]
        Simd::Avx2 => unsafe { in_avx2(job) },
        // SAFETY: plain lanes need nothing.
        _ => unsafe { job.run::<Plain, false>() },
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx2,fma")]
unsafe fn in_avx512<J: Job>(job: J) -> J::Output {
    // SAFETY: the caller has seen that the processor has AVX-512.
    unsafe { job.run::<x86::Avx512, true>() }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
unsafe fn in_avx2<J: Job>(job: J) -> J::Output {
    // SAFETY: the caller has seen that the processor has AVX2 and FMA.
    unsafe { job.run::<x86::Avx2, false>() }
}

/// Without vector instructions.
#[derive(Clone, Copy)]
pub(crate) struct Plain([f64; 8]);

impl Plain {
    #[inline(always)]
    fn zip(self, other: Plain, with: impl Fn(f64, f64) -> f64) -> Plain {
        Plain(std::array::from_fn(|lane| {
            with(self.0[lane], other.0[lane])
        }))
    }
}

impl Lanes for Plain {
    #[inline(always)]
    unsafe fn splat(value: f64) -> Self {
        Plain([value; 8])
    }
    #[inline(always)]
    unsafe fn load(from: &Line) -> Self {
        Plain(from.0)
    }
    #[inline(always)]
    unsafe fn store(self, to: &mut Line) {
        to.0 = self.0;
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
    #[inline(always)]
    unsafe fn abs(self) -> Self {
        Plain(self.0.map(f64::abs))
    }
    #[inline(always)]
    unsafe fn max(self, other: Self) -> Self {
        self.zip(other, |a, b| if a > b { a } else { b })
    }
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::arch::x86_64::*;

    use super::{Lanes, Line};

    /// One 512-bit vector.
    #[derive(Clone, Copy)]
    pub(crate) struct Avx512(__m512d);

    /// Two 256-bit vectors.
    #[derive(Clone, Copy)]
    pub(crate) struct Avx2(__m256d, __m256d);

    /// Writes the functions of one instruction set. SAFETY of each block: the caller has the set, and a
    /// line holds eight doubles from a multiple of 64 bytes on.
    macro_rules! lanes {
        ($(fn $name:ident($($argument:ident: $type:ty),*) $(-> $result:ty)? $body:block)*) => {$(
            #[inline(always)]
            unsafe fn $name($($argument: $type),*) $(-> $result)? {
                // SAFETY: see above.
                unsafe { $body }
            }
        )*};
    }

    impl Lanes for Avx512 {
        lanes! {
            fn splat(value: f64) -> Self { Avx512(_mm512_set1_pd(value)) }
            fn load(from: &Line) -> Self { Avx512(_mm512_load_pd(from.0.as_ptr())) }
            fn store(self: Self, to: &mut Line) { _mm512_store_pd(to.0.as_mut_ptr(), self.0); }
            fn add(self: Self, other: Self) -> Self { Avx512(_mm512_add_pd(self.0, other.0)) }
            fn sub(self: Self, other: Self) -> Self { Avx512(_mm512_sub_pd(self.0, other.0)) }
            fn mul(self: Self, other: Self) -> Self { Avx512(_mm512_mul_pd(self.0, other.0)) }
            fn plus(self: Self, a: Self, b: Self) -> Self {
                Avx512(_mm512_fmadd_pd(a.0, b.0, self.0))
            }
            fn minus(self: Self, a: Self, b: Self) -> Self {
                Avx512(_mm512_fnmadd_pd(a.0, b.0, self.0))
            }
            fn abs(self: Self) -> Self { Avx512(_mm512_abs_pd(self.0)) }
            fn max(self: Self, other: Self) -> Self { Avx512(_mm512_max_pd(self.0, other.0)) }
        }
    }

    impl Lanes for Avx2 {
        lanes! {
            fn splat(value: f64) -> Self { Avx2(_mm256_set1_pd(value), _mm256_set1_pd(value)) }
            fn load(from: &Line) -> Self {
                let from = from.0.as_ptr();
                Avx2(_mm256_load_pd(from), _mm256_load_pd(from.add(4)))
            }
            fn store(self: Self, to: &mut Line) {
                let to = to.0.as_mut_ptr();
                _mm256_store_pd(to, self.0);
                _mm256_store_pd(to.add(4), self.1);
            }
            fn add(self: Self, other: Self) -> Self {
                Avx2(_mm256_add_pd(self.0, other.0), _mm256_add_pd(self.1, other.1))
            }
            fn sub(self: Self, other: Self) -> Self {
                Avx2(_mm256_sub_pd(self.0, other.0), _mm256_sub_pd(self.1, other.1))
            }
            fn mul(self: Self, other: Self) -> Self {
                Avx2(_mm256_mul_pd(self.0, other.0), _mm256_mul_pd(self.1, other.1))
            }
            fn plus(self: Self, a: Self, b: Self) -> Self {
                Avx2(_mm256_fmadd_pd(a.0, b.0, self.0), _mm256_fmadd_pd(a.1, b.1, self.1))
            }
            fn minus(self: Self, a: Self, b: Self) -> Self {
                Avx2(_mm256_fnmadd_pd(a.0, b.0, self.0), _mm256_fnmadd_pd(a.1, b.1, self.1))
            }
            fn abs(self: Self) -> Self {
                let sign = _mm256_set1_pd(-0.0);
                Avx2(_mm256_andnot_pd(sign, self.0), _mm256_andnot_pd(sign, self.1))
            }
            fn max(self: Self, other: Self) -> Self {
                Avx2(_mm256_max_pd(self.0, other.0), _mm256_max_pd(self.1, other.1))
            }
        }
    }
}
