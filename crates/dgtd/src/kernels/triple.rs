//! Spatial vectors whose components are SIMD vectors over elements.

use super::lanes::Lanes;
use super::{NODE, PACK};

/// Loads three SIMD vectors that are `stride` numbers apart.
///
/// # Safety
/// As for [`Lanes`].
#[inline(always)]
pub(super) unsafe fn load<L: Lanes>(from: *const L::Real, stride: usize) -> [L; 3] {
    // SAFETY: the caller's promise.
    unsafe {
        [
            L::load(from),
            L::load(from.add(stride)),
            L::load(from.add(2 * stride)),
        ]
    }
}

/// Loads the three components at a node of a block.
///
/// # Safety
/// As for [`Lanes`].
#[inline(always)]
pub(super) unsafe fn at_node<L: Lanes>(block: *const L::Real, node: u32) -> [L; 3] {
    // SAFETY: the caller's promise.
    unsafe { load(block.add(node as usize * NODE), PACK) }
}

/// Loads a row of a scratch buffer.
///
/// # Safety
/// As for [`Lanes`].
#[inline(always)]
pub(super) unsafe fn at_row<L: Lanes>(rows: *const L::Real, row: usize) -> [L; 3] {
    // SAFETY: the caller's promise.
    unsafe { load(rows.add(row * 3 * L::COUNT), L::COUNT) }
}

/// Stores a row of a scratch buffer.
///
/// # Safety
/// As for [`Lanes`].
#[inline(always)]
pub(super) unsafe fn put_row<L: Lanes>(value: [L; 3], rows: *mut L::Real, row: usize) {
    // SAFETY: the caller's promise.
    unsafe {
        let to = rows.add(row * 3 * L::COUNT);
        value[0].store(to);
        value[1].store(to.add(L::COUNT));
        value[2].store(to.add(2 * L::COUNT));
    }
}

/// Defines functions of spatial vectors. SAFETY of each block: the caller has the instruction set.
macro_rules! triples {
    ($($(#[$document:meta])* fn $name:ident($($argument:ident: $type:ty),*) -> $result:ty $body:block)*) => {$(
        $(#[$document])*
        ///
        /// # Safety
        /// As for [`Lanes`].
        #[inline(always)]
        pub(super) unsafe fn $name<L: Lanes>($($argument: $type),*) -> $result {
            // SAFETY: see above.
            unsafe { $body }
        }
    )*};
}

triples! {
    /// Returns a + b.
    fn add(a: [L; 3], b: [L; 3]) -> [L; 3] { [a[0].add(b[0]), a[1].add(b[1]), a[2].add(b[2])] }

    /// Returns a − b.
    fn sub(a: [L; 3], b: [L; 3]) -> [L; 3] { [a[0].sub(b[0]), a[1].sub(b[1]), a[2].sub(b[2])] }

    /// Returns a·b with a SIMD vector b.
    fn scaled(a: [L; 3], b: L) -> [L; 3] { [a[0].mul(b), a[1].mul(b), a[2].mul(b)] }

    /// Returns the dot product a·b.
    fn dot(a: [L; 3], b: [L; 3]) -> L { a[0].mul(b[0]).plus(a[1], b[1]).plus(a[2], b[2]) }

    /// Returns a with E and H exchanged.
    fn swapped(a: [L; 3]) -> [L; 3] { [a[0].swap(), a[1].swap(), a[2].swap()] }

    /// Returns the cross product a × b.
    fn cross(a: [L; 3], b: [L; 3]) -> [L; 3] {
        [
            a[1].mul(b[2]).minus(a[2], b[1]),
            a[2].mul(b[0]).minus(a[0], b[2]),
            a[0].mul(b[1]).minus(a[1], b[0]),
        ]
    }

    /// Returns s + a × b.
    fn plus_cross(s: [L; 3], a: [L; 3], b: [L; 3]) -> [L; 3] {
        [
            s[0].plus(a[1], b[2]).minus(a[2], b[1]),
            s[1].plus(a[2], b[0]).minus(a[0], b[2]),
            s[2].plus(a[0], b[1]).minus(a[1], b[0]),
        ]
    }

    /// Returns the sums and differences over n, σn, τn, στn, by character; applied twice, it multiplies by four.
    fn mirrored(v: [[L; 3]; 4]) -> [[L; 3]; 4] {
        let (a, b) = (add(v[0], v[1]), sub(v[0], v[1]));
        let (c, d) = (add(v[2], v[3]), sub(v[2], v[3]));
        [add(a, c), add(b, d), sub(a, c), sub(b, d)]
    }
}
