//! SIMD vectors: the operations over which kernels are written.
//!
//! `plus` and `minus` fuse multiplication and addition if the instruction set does, so instruction sets differ in the last
//! bits; all other operations are rounded as in IEEE 754.

#![allow(clippy::missing_safety_doc, reason = "each trait states it once")]

use num_complex::Complex;

use super::instructions::Instructions;
use crate::cpu::Simd;

/// A SIMD vector of real numbers, one per lane.
///
/// # Safety
/// Every function requires a CPU with the instruction set of the implementing type; pointers must be valid for as many
/// numbers as the function reads or writes, at any alignment.
pub trait Vector: Copy {
    /// Type of the number in a lane.
    type Real: Copy;
    /// Number of lanes.
    const COUNT: usize;
    /// Number of vectors that fit the registers.
    const REGISTERS: usize;
    /// Required instruction set.
    const SIMD: Simd;

    /// Returns a vector with the same number in all lanes.
    unsafe fn splat(value: Self::Real) -> Self;
    /// Loads [`Vector::COUNT`] numbers.
    unsafe fn load(from: *const Self::Real) -> Self;
    /// Stores [`Vector::COUNT`] numbers.
    unsafe fn store(self, to: *mut Self::Real);
    /// Returns self + other.
    unsafe fn add(self, other: Self) -> Self;
    /// Returns self − other.
    unsafe fn sub(self, other: Self) -> Self;
    /// Returns self·other.
    unsafe fn mul(self, other: Self) -> Self;
    /// Returns self + a·b.
    unsafe fn plus(self, a: Self, b: Self) -> Self;
    /// Returns self − a·b.
    unsafe fn minus(self, a: Self, b: Self) -> Self;
}

/// A vector of interleaved pairs, such as the real and imaginary parts of complex numbers.
///
/// # Safety
/// As for [`Vector`].
pub trait Interleaved: Vector {
    /// Constants of [`Interleaved::gather`] that a loop keeps in registers.
    type Masks: Copy;

    /// Returns a vector with the same complex number in all pairs.
    unsafe fn splat_complex(value: Complex<Self::Real>) -> Self;
    /// Loads half as many numbers as lanes, each into both lanes of a pair.
    unsafe fn load_twice(from: *const Self::Real) -> Self;
    /// Duplicates the lanes of the lower half and those of the upper half.
    unsafe fn twice(self) -> [Self; 2];
    /// Returns the vector with the two lanes of every pair exchanged.
    unsafe fn swap(self) -> Self;
    /// Returns self·factor − term.
    unsafe fn mul_sub(self, factor: Self, term: Self) -> Self;
    /// Returns 1/√self; AVX-512 refines an approximation to a few units in the last place in single precision.
    unsafe fn inverse_sqrt(self) -> Self;
    /// Returns the sum of the complex numbers in the pairs.
    unsafe fn sum_complex(self) -> Complex<Self::Real>;
    /// Stores without caching (non-temporal) if a vector is a whole cache line; the address must be a multiple of the
    /// vector size. [`Interleaved::settle`] ends a sequence of stores.
    #[inline(always)]
    unsafe fn stream(self, to: *mut Self::Real) {
        // SAFETY: upheld by the caller.
        unsafe { self.store(to) }
    }
    /// Makes non-temporal stores visible to other threads (store fence).
    #[inline(always)]
    unsafe fn settle() {}
    /// Returns the constants for [`Interleaved::gather`].
    fn masks() -> Self::Masks;
    /// Loads one pair per exposed address, at an offset of `offset` numbers.
    unsafe fn gather(masks: Self::Masks, addresses: *const usize, offset: usize) -> Self;
}

/// Returns the pointer `offset` numbers of type T beyond an exposed address.
///
/// # Safety
/// `address` must be valid for reads.
#[inline(always)]
pub(super) unsafe fn at<T, U>(address: *const usize, offset: usize) -> *const U {
    // SAFETY: upheld by the caller.
    unsafe {
        std::ptr::with_exposed_provenance::<T>(*address)
            .wrapping_add(offset)
            .cast()
    }
}

/// A vector with comparisons. Masks have one bit per lane, the lowest for the first.
///
/// # Safety
/// As for [`Vector`].
pub trait Ordered: Vector {
    /// Returns self/other.
    unsafe fn div(self, other: Self) -> Self;
    /// Returns |self|.
    unsafe fn abs(self) -> Self;
    /// Returns self where self < other, and other elsewhere.
    unsafe fn min(self, other: Self) -> Self;
    /// Returns self where self > other, and other elsewhere.
    unsafe fn max(self, other: Self) -> Self;
    /// Returns the mask of lanes with self ≤ other.
    unsafe fn at_most(self, other: Self) -> u32;
    /// Returns the mask of lanes with self < other.
    unsafe fn less(self, other: Self) -> u32;
    /// Returns self·factor where `sign` is negative, and self elsewhere; −0 may count as negative.
    unsafe fn mul_where_negative(self, factor: Self, sign: Self) -> Self;
    /// Stores the lanes selected by a mask.
    unsafe fn store_where(self, mask: u32, to: *mut Self::Real);
}

/// A number that vectors hold: `f32` or `f64`.
pub trait Scalar: Copy {
    /// The widest vector of an instruction set.
    type Vector<S: Instructions>: Interleaved<Real = Self>;
}

impl Scalar for f32 {
    type Vector<S: Instructions> = S::F32;
}

impl Scalar for f64 {
    type Vector<S: Instructions> = S::F64;
}
