//! Curls of a block without the derivatives: with ∇ = g_c D_c + g_a D_a + g_b D_b, ∇ × q is the sum of D_k (g_k × q),
//! since the g are constant in an element.

use super::Number;
use super::lanes::Lanes;
use super::operators::Operators;
use super::triple::{add, at_node, cross, mirrored, put_row, scaled, sub, swapped};

/// Writes 1/ε g × H and −1/μ g × E for the three directions, as sums and differences over mirror images.
///
/// # Safety
/// The CPU supports the instruction set of `L`. `own` points to the fields of the block, from the first of its
/// processed elements on; `inputs` has space for all input rows of the products.
#[inline(always)]
pub(super) unsafe fn curls<L: Lanes>(
    operators: &Operators<L::Real>,
    gradients: [[L; 3]; 3],
    rate: L,
    own: *const L::Real,
    inputs: *mut L::Real,
) {
    // SAFETY: the caller's promise.
    unsafe {
        // D_c = D_s + D_t − D_r, D_a = D_r, D_b = D_t − D_s, so that
        // ∇ = (∇s + ∇t)/2 D_c + (∇r + (∇s + ∇t)/2) D_a + (∇t − ∇s)/2 D_b.
        let half = rate.mul(L::splat(L::Real::HALF));
        let middle = scaled(add(gradients[1], gradients[2]), half);
        let directions = [
            middle,
            add(scaled(gradients[0], rate), middle),
            scaled(sub(gradients[2], gradients[1]), half),
        ];
        let orbits = &operators.node_orbits;
        let rows = &operators.curl_rows;
        for (k, n) in orbits.four.iter().enumerate() {
            let sums = mirrored([
                at_node::<L>(own, n[0]),
                at_node(own, n[1]),
                at_node(own, n[2]),
                at_node(own, n[3]),
            ]);
            for character in 0..4 {
                put(directions, sums[character], inputs, rows[character], k);
            }
        }
        let four = orbits.four.len();
        for (k, n) in orbits.kept_by_sigma.iter().enumerate() {
            let (a, b) = (at_node::<L>(own, n[0]), at_node(own, n[1]));
            put(directions, add(a, b), inputs, rows[0], four + k);
            put(directions, sub(a, b), inputs, rows[2], four + k);
        }
        let kept = four + orbits.kept_by_sigma.len();
        for (k, n) in orbits.kept_by_tau.iter().enumerate() {
            let (a, b) = (at_node::<L>(own, n[0]), at_node(own, n[1]));
            put(directions, add(a, b), inputs, rows[0], kept + k);
            put(directions, sub(a, b), inputs, rows[1], four + k);
        }
        let kept = kept + orbits.kept_by_tau.len();
        for (k, &n) in orbits.one.iter().enumerate() {
            put(directions, at_node::<L>(own, n), inputs, rows[0], kept + k);
        }
    }
}

/// Writes the three rows of one row of fields.
///
/// # Safety
/// As for [`curls`].
#[inline(always)]
unsafe fn put<L: Lanes>(
    directions: [[L; 3]; 3],
    fields: [L; 3],
    inputs: *mut L::Real,
    rows: [usize; 3],
    row: usize,
) {
    // SAFETY: the caller's promise.
    unsafe {
        let fields = swapped(fields);
        for k in 0..3 {
            put_row(cross(directions[k], fields), inputs, rows[k] + row);
        }
    }
}
