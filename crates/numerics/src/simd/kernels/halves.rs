//! Vectors of twice the length of the registers.

use super::vector::{Ordered, Vector};
use crate::cpu::Simd;

/// A pair of vectors; the second holds the upper lanes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Halves<V>(pub(super) V, pub(super) V);

/// Defines functions that apply the same operation to both halves.
macro_rules! both {
    ($($name:ident($($argument:ident),*);)*) => {$(
        #[inline(always)]
        unsafe fn $name(self, $($argument: Self),*) -> Self {
            // SAFETY: upheld by the caller.
            unsafe { Halves(self.0.$name($($argument.0),*), self.1.$name($($argument.1),*)) }
        }
    )*};
}

impl<V: Vector> Vector for Halves<V> {
    type Real = V::Real;
    const COUNT: usize = 2 * V::COUNT;
    const REGISTERS: usize = V::REGISTERS / 2;
    const SIMD: Simd = V::SIMD;

    #[inline(always)]
    unsafe fn splat(value: V::Real) -> Self {
        // SAFETY: upheld by the caller.
        unsafe { Halves(V::splat(value), V::splat(value)) }
    }
    #[inline(always)]
    unsafe fn load(from: *const V::Real) -> Self {
        // SAFETY: upheld by the caller.
        unsafe { Halves(V::load(from), V::load(from.add(V::COUNT))) }
    }
    #[inline(always)]
    unsafe fn store(self, to: *mut V::Real) {
        // SAFETY: upheld by the caller.
        unsafe {
            self.0.store(to);
            self.1.store(to.add(V::COUNT));
        }
    }
    both! {
        add(other);
        sub(other);
        mul(other);
        plus(a, b);
        minus(a, b);
    }
}

impl<V: Ordered> Ordered for Halves<V> {
    both! {
        div(other);
        abs();
        min(other);
        max(other);
        mul_where_negative(factor, sign);
    }
    #[inline(always)]
    unsafe fn at_most(self, other: Self) -> u32 {
        // SAFETY: upheld by the caller.
        unsafe { self.0.at_most(other.0) | self.1.at_most(other.1) << V::COUNT }
    }
    #[inline(always)]
    unsafe fn less(self, other: Self) -> u32 {
        // SAFETY: upheld by the caller.
        unsafe { self.0.less(other.0) | self.1.less(other.1) << V::COUNT }
    }
    #[inline(always)]
    unsafe fn store_where(self, mask: u32, to: *mut V::Real) {
        // SAFETY: upheld by the caller.
        unsafe {
            self.0.store_where(mask, to);
            self.1.store_where(mask >> V::COUNT, to.add(V::COUNT));
        }
    }
}
