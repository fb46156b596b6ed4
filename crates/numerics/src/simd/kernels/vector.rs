//! Vectors of numbers side by side: the operations that kernels are written over.
//!
//! A product is fused with its sum where the instruction set can, so instruction sets differ in the last bits; all else is
//! rounded as IEEE 754 says.

#![allow(clippy::missing_safety_doc, reason = "each trait states it once")]

use num_complex::Complex;

use super::instructions::Instructions;
use crate::cpu::Simd;

/// A vector of real numbers, one in each lane.
///
/// # Safety
/// Every function needs a CPU with the instruction set of the implementing type; pointers must lead to as many numbers as
/// the function reads or writes, of any alignment.
pub trait Vector: Copy {
    /// The number in a lane.
    type Real: Copy;
    /// Number of lanes.
    const COUNT: usize;
    /// Vectors that fit the registers.
    const REGISTERS: usize;
    /// The instruction set it needs.
    const SIMD: Simd;

    /// Returns a vector with the same number in all lanes.
    unsafe fn splat(value: Self::Real) -> Self;
    /// Reads [`Vector::COUNT`] numbers.
    unsafe fn load(from: *const Self::Real) -> Self;
    /// Writes [`Vector::COUNT`] numbers.
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

/// A vector whose lanes come in pairs, such as the real and imaginary parts of complex numbers.
///
/// # Safety
/// As for [`Vector`].
pub trait Interleaved: Vector {
    /// Constants of [`Interleaved::gather`] that a loop keeps in registers.
    type Masks: Copy;

    /// Returns a vector with the same complex number in all pairs.
    unsafe fn splat_complex(value: Complex<Self::Real>) -> Self;
    /// Reads half as many numbers as lanes, each into both lanes of its pair.
    unsafe fn load_twice(from: *const Self::Real) -> Self;
    /// Returns every lane of the lower half twice, and every lane of the upper half twice.
    unsafe fn twice(self) -> [Self; 2];
    /// Returns the vector with the two lanes of every pair exchanged.
    unsafe fn swap(self) -> Self;
    /// Returns self·factor − term.
    unsafe fn mul_sub(self, factor: Self, term: Self) -> Self;
    /// Returns 1/√self. One instruction set approximates the root and improves it, to a few units in the last place.
    unsafe fn inverse_sqrt(self) -> Self;
    /// Returns the sum of the complex numbers in the pairs.
    unsafe fn sum_complex(self) -> Complex<Self::Real>;
    /// Writes past the caches where a vector is a whole line of them, at a multiple of its size; [`Interleaved::settle`]
    /// ends a series.
    #[inline(always)]
    unsafe fn stream(self, to: *mut Self::Real) {
        // SAFETY: the caller's promise.
        unsafe { self.store(to) }
    }
    /// Lets other threads see what was stored past the caches.
    #[inline(always)]
    unsafe fn settle() {}
    /// Returns the constants for [`Interleaved::gather`].
    fn masks() -> Self::Masks;
    /// Reads a pair `offset` numbers beyond each of the exposed addresses, of which there is one for each pair.
    unsafe fn gather(masks: Self::Masks, addresses: *const usize, offset: usize) -> Self;
}

/// Returns the pointer `offset` numbers of type T beyond an exposed address.
///
/// # Safety
/// There is an address.
#[inline(always)]
pub(super) unsafe fn at<T, U>(address: *const usize, offset: usize) -> *const U {
    // SAFETY: the caller's promise.
    unsafe {
        std::ptr::with_exposed_provenance::<T>(*address)
            .wrapping_add(offset)
            .cast()
    }
}

/// A vector with comparisons and what goes with them. Masks have a bit for each lane, the lowest for the first.
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
    /// Returns where self ≤ other.
    unsafe fn at_most(self, other: Self) -> u32;
    /// Returns where self < other.
    unsafe fn less(self, other: Self) -> u32;
    /// Returns self·factor where `sign` is negative, and self elsewhere; −0 may count as negative.
    unsafe fn mul_where_negative(self, factor: Self, sign: Self) -> Self;
    /// Writes the lanes of a mask.
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
