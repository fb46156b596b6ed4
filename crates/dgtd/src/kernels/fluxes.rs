//! Numerical fluxes through the faces of a block, with the coefficients of [`FaceFlux`](crate::FaceFlux).

use super::blocks::Material;
use super::lanes::Lanes;
use super::memory::prefetch;
use super::operators::Operators;
use super::triple::{add, at_row, dot, load, mirrored, plus_cross, put_row, scaled, sub, swapped};
use super::{ELEMENTS, NODE, Number, PACK, Pack};

/// Coefficients of a face, with G = 2 |∇λ| n along the outward normal n.
#[derive(Clone, Copy)]
struct Face<L> {
    /// Scaled normal G.
    normal: [L; 3],
    /// G times the coefficient of n × Δ.
    cross: [L; 3],
    /// |G| times the coefficient of the tangential part.
    penalty: L,
    /// Coefficient of the tangential part over |G|.
    along: L,
}

/// Fields and boundary conditions on the other side of the faces of a block.
pub(super) struct Beyond<'a, T> {
    /// Fields of all blocks.
    pub(super) fields: *const T,
    /// For each face 4 × the position of the neighbor + its face.
    pub(super) neighbors: &'a [[u32; ELEMENTS]; 4],
    /// Factors of E and H beyond each face, if the block has a face on a boundary.
    pub(super) mirror: Option<&'a [Pack<T>; 4]>,
    /// Memory to prefetch, needed after the fluxes.
    pub(super) soon: *const u8,
}

/// Writes the fluxes at the nodes of all faces, face after face.
///
/// # Safety
/// The CPU supports the instruction set of `L`. `own` points to the fields of the block, from the first of its
/// processed elements on, which is `shift`/2; neighbors exist; `places` has space for eight addresses for each node of
/// a face, and `to` for a row for each node of all faces.
#[inline(always)]
pub(super) unsafe fn fluxes<L: Lanes>(
    operators: &Operators<L::Real>,
    gradients: [[L; 3]; 3],
    material: &Material<L::Real>,
    own: *const L::Real,
    shift: usize,
    beyond: &Beyond<L::Real>,
    masks: L::Masks,
    places: *mut usize,
    to: *mut L::Real,
) {
    // SAFETY: the caller's promise.
    unsafe {
        let zero = L::splat(L::Real::ZERO);
        let mut faces = [Face {
            normal: [zero; 3],
            cross: [zero; 3],
            penalty: zero,
            along: zero,
        }; 4];
        // All coefficients first, so that the square roots of the four faces overlap.
        for face in 0..4 {
            let normal = match face {
                0 => add(add(gradients[0], gradients[1]), gradients[2]),
                _ => sub([zero; 3], gradients[face - 1]),
            };
            let square = dot(normal, normal);
            let inverse = square.inverse_sqrt();
            let penalty = L::load(material.penalty[face].0.as_ptr().add(shift));
            let cross = L::load(material.cross[face].0.as_ptr().add(shift));
            faces[face] = Face {
                normal,
                cross: scaled(normal, cross),
                penalty: penalty.mul(square).mul(inverse),
                along: penalty.mul(inverse),
            };
        }
        let stride = (operators.nodes * NODE) as u32;
        let mut soon = beyond.soon;
        for face in 0..4 {
            let factors = faces[face];
            let mirror = match beyond.mirror {
                Some(mirror) => L::load(mirror[face].0.as_ptr().add(shift)),
                None => L::splat(L::Real::ONE),
            };
            let codes = beyond.neighbors[face].as_ptr().add(shift / 2);
            L::places(beyond.fields, codes, stride, &operators.theirs, places);
            let first = face * operators.on_face;
            for i in 0..operators.on_face {
                let places = places.add(i * L::COUNT / 2);
                let here = load::<L>(own.add(*operators.own.as_ptr().add(first + i)), PACK);
                let jump = [
                    L::gather(masks, places, 0).mul_sub(mirror, here[0]),
                    L::gather(masks, places, PACK).mul_sub(mirror, here[1]),
                    L::gather(masks, places, 2 * PACK).mul_sub(mirror, here[2]),
                ];
                prefetch(soon);
                prefetch(soon.wrapping_add(64));
                soon = soon.wrapping_add(128);
                let along = dot(factors.normal, jump).mul(factors.along);
                let tangential = [
                    jump[0].mul(factors.penalty).minus(factors.normal[0], along),
                    jump[1].mul(factors.penalty).minus(factors.normal[1], along),
                    jump[2].mul(factors.penalty).minus(factors.normal[2], along),
                ];
                let flux = plus_cross(tangential, factors.cross, swapped(jump));
                put_row(flux, to, first + i);
            }
        }
    }
}

/// Transforms fluxes into sums and differences over mirror images, in the input rows of the products.
///
/// # Safety
/// The CPU supports the instruction set of `L`; `fluxes` were written by [`fluxes`], and `inputs` has space for all
/// input rows of the products.
#[inline(always)]
pub(super) unsafe fn sums_of_fluxes<L: Lanes>(
    operators: &Operators<L::Real>,
    fluxes: *const L::Real,
    inputs: *mut L::Real,
) {
    // SAFETY: the caller's promise.
    unsafe {
        let orbits = &operators.face_orbits;
        let rows = operators.flux_rows;
        for (k, n) in orbits.four.iter().enumerate() {
            let sums = mirrored([
                at_row::<L>(fluxes, n[0] as usize),
                at_row(fluxes, n[1] as usize),
                at_row(fluxes, n[2] as usize),
                at_row(fluxes, n[3] as usize),
            ]);
            for character in 0..4 {
                put_row(sums[character], inputs, rows[character] + k);
            }
        }
        let four = orbits.four.len();
        for (k, n) in orbits.kept_by_sigma.iter().enumerate() {
            let (a, b) = (
                at_row::<L>(fluxes, n[0] as usize),
                at_row(fluxes, n[1] as usize),
            );
            put_row(add(a, b), inputs, rows[0] + four + k);
            put_row(sub(a, b), inputs, rows[2] + four + k);
        }
        let kept = four + orbits.kept_by_sigma.len();
        for (k, n) in orbits.kept_by_tau.iter().enumerate() {
            let (a, b) = (
                at_row::<L>(fluxes, n[0] as usize),
                at_row(fluxes, n[1] as usize),
            );
            put_row(add(a, b), inputs, rows[0] + kept + k);
            put_row(sub(a, b), inputs, rows[1] + four + k);
        }
        let kept = kept + orbits.kept_by_tau.len();
        for (k, &n) in orbits.one.iter().enumerate() {
            put_row(at_row::<L>(fluxes, n as usize), inputs, rows[0] + kept + k);
        }
    }
}
