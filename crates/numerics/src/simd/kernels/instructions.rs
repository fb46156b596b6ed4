//! SIMD instruction sets and run-time dispatch.
//!
//! A [`Job`] is written once over the vectors of [`Instructions`]. [`InstructionSet::run`] inlines it into a function
//! with the target features of an instruction set, which compiles it for that set.

#![allow(clippy::missing_safety_doc, reason = "each trait states it once")]

#[cfg(target_arch = "aarch64")]
use super::arm;
use super::array::Array;
use super::vector::{Interleaved, Ordered};
#[cfg(target_arch = "x86_64")]
use super::{halves::Halves, x86};
use crate::cpu::Simd;
use crate::simd::LANES;

/// The vector types of an instruction set.
///
/// # Safety
/// Every function requires a CPU with the instruction set; pointers must be valid for eight numbers, at any
/// alignment.
pub trait Instructions {
    /// The widest vector in single precision.
    type F32: Interleaved<Real = f32>;
    /// The widest vector in double precision.
    type F64: Interleaved<Real = f64>;
    /// Eight numbers in single precision.
    type F32x8: Ordered<Real = f32>;
    /// Eight numbers in double precision.
    type F64x8: Ordered<Real = f64>;

    /// Converts eight numbers to double precision.
    unsafe fn widen(single: Self::F32x8) -> Self::F64x8;
    /// Returns the mask of eight integers that equal a number.
    unsafe fn equal(from: *const u32, number: u32) -> u32;
}

/// A kernel written over the vectors of an instruction set.
pub trait Job {
    /// Result of the kernel.
    type Output;

    /// Runs the kernel. Implementations must be `#[inline(always)]`, as must everything they call: functions that are
    /// not inlined, including closures, lose the target features.
    ///
    /// # Safety
    /// The CPU must support the instruction set.
    unsafe fn run<S: Instructions>(self) -> Self::Output;
}

/// An instruction set supported by this CPU.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InstructionSet(Simd);

impl InstructionSet {
    /// Returns the instruction set with the widest vectors.
    #[must_use]
    #[inline]
    pub fn widest() -> InstructionSet {
        InstructionSet(Simd::detect())
    }

    /// Returns all instruction sets of this CPU, widest vectors first.
    #[must_use]
    pub fn all() -> &'static [InstructionSet] {
        use Simd::{Avx2, Avx512, Neon, Scalar};
        match Simd::detect() {
            Avx512 => &[
                InstructionSet(Avx512),
                InstructionSet(Avx2),
                InstructionSet(Scalar),
            ],
            Avx2 => &[InstructionSet(Avx2), InstructionSet(Scalar)],
            Neon => &[InstructionSet(Neon), InstructionSet(Scalar)],
            Scalar => &[InstructionSet(Scalar)],
        }
    }

    /// Returns an instruction set, if the CPU supports it.
    #[must_use]
    pub fn request(simd: Simd) -> Option<InstructionSet> {
        Self::all().iter().copied().find(|set| set.0 == simd)
    }

    /// Returns the name of the instruction set.
    #[must_use]
    #[inline]
    pub fn simd(self) -> Simd {
        self.0
    }

    /// Runs a job with this instruction set.
    #[inline]
    pub fn run<J: Job>(self, job: J) -> J::Output {
        match self.0 {
            // SAFETY: values of this type exist only for instruction sets that the CPU supports.
            #[cfg(target_arch = "x86_64")]
            Simd::Avx512 => unsafe { in_avx512(job) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Simd::Avx2 => unsafe { in_avx2(job) },
            // SAFETY: as above.
            #[cfg(target_arch = "aarch64")]
            Simd::Neon => unsafe { in_neon(job) },
            // SAFETY: arrays require no instruction set.
            _ => unsafe { job.run::<Portable>() },
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx2,fma")]
unsafe fn in_avx512<J: Job>(job: J) -> J::Output {
    // SAFETY: the caller checked that the CPU supports AVX-512.
    unsafe { job.run::<Avx512>() }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
unsafe fn in_avx2<J: Job>(job: J) -> J::Output {
    // SAFETY: the caller checked that the CPU supports AVX2 and FMA.
    unsafe { job.run::<Avx2>() }
}

#[cfg(target_arch = "aarch64")]
#[target_feature(enable = "neon")]
unsafe fn in_neon<J: Job>(job: J) -> J::Output {
    // SAFETY: the caller checked that the CPU supports NEON.
    unsafe { job.run::<Neon>() }
}

/// Returns the mask of eight integers that equal a number.
///
/// # Safety
/// The pointer must be valid for eight numbers.
#[inline(always)]
unsafe fn equal(from: *const u32, number: u32) -> u32 {
    // SAFETY: upheld by the caller.
    let numbers = unsafe { from.cast::<[u32; LANES]>().read_unaligned() };
    (0..LANES).fold(0, |mask, i| mask | u32::from(numbers[i] == number) << i)
}

/// Portable vectors: arrays, which the compiler vectorizes.
struct Portable;

impl Instructions for Portable {
    type F32 = Array<f32, 4>;
    type F64 = Array<f64, 4>;
    type F32x8 = Array<f32, LANES>;
    type F64x8 = Array<f64, LANES>;

    #[inline(always)]
    unsafe fn widen(single: Self::F32x8) -> Self::F64x8 {
        single.widen()
    }
    #[inline(always)]
    unsafe fn equal(from: *const u32, number: u32) -> u32 {
        // SAFETY: upheld by the caller.
        unsafe { equal(from, number) }
    }
}

/// 256-bit vectors.
#[cfg(target_arch = "x86_64")]
struct Avx2;

#[cfg(target_arch = "x86_64")]
impl Instructions for Avx2 {
    type F32 = x86::F32x8;
    type F64 = x86::F64x4;
    type F32x8 = x86::F32x8;
    type F64x8 = Halves<x86::F64x4>;

    #[inline(always)]
    unsafe fn widen(single: Self::F32x8) -> Self::F64x8 {
        // SAFETY: upheld by the caller.
        let [low, high] = unsafe { single.widen_halves() };
        Halves(low, high)
    }
    #[inline(always)]
    unsafe fn equal(from: *const u32, number: u32) -> u32 {
        // SAFETY: upheld by the caller.
        unsafe { x86::equal(from, number) }
    }
}

/// 512-bit vectors.
#[cfg(target_arch = "x86_64")]
struct Avx512;

#[cfg(target_arch = "x86_64")]
impl Instructions for Avx512 {
    type F32 = x86::F32x16;
    type F64 = x86::F64x8;
    type F32x8 = x86::F32x8;
    type F64x8 = x86::F64x8;

    #[inline(always)]
    unsafe fn widen(single: Self::F32x8) -> Self::F64x8 {
        // SAFETY: upheld by the caller.
        unsafe { single.widen() }
    }
    #[inline(always)]
    unsafe fn equal(from: *const u32, number: u32) -> u32 {
        // SAFETY: upheld by the caller.
        unsafe { x86::equal(from, number) }
    }
}

/// 128-bit vectors. Eight lanes are arrays, which the compiler vectorizes, since NEON is part of every 64-bit Arm
/// CPU.
#[cfg(target_arch = "aarch64")]
struct Neon;

#[cfg(target_arch = "aarch64")]
impl Instructions for Neon {
    type F32 = arm::F32x4;
    type F64 = arm::F64x4;
    type F32x8 = Array<f32, LANES>;
    type F64x8 = Array<f64, LANES>;

    #[inline(always)]
    unsafe fn widen(single: Self::F32x8) -> Self::F64x8 {
        single.widen()
    }
    #[inline(always)]
    unsafe fn equal(from: *const u32, number: u32) -> u32 {
        // SAFETY: upheld by the caller.
        unsafe { equal(from, number) }
    }
}
