//! First-order curvature correction to physical optics: fringe currents of the bends between smooth facets.
//!
//! Physical optics takes the current of the tangent plane. To first order in the curvature, the correction is
//! the sum over the small turns of a tessellation: a faceted body is a sequence of wedges with exterior angles
//! nπ close to π, above it or below, and the fringe current of each is proportional to its turn. The sum
//! therefore depends on the curvature and not on the tessellation. On a cylinder it yields the terms of order
//! 1/ka, of opposite sign in the two polarizations; on a sphere they cancel. At the shadow boundary it
//! continues the current into the shadow and weakens the abrupt end of the physical-optics current; it does
//! not model creeping waves. A rounded rim narrow against the wavelength diffracts.
//!
//! Strips are infinite here: every bend contributes separately.

use std::f64::consts::PI;

use num_complex::Complex64;
use rayon::prelude::*;

use super::moment::FaceResponse;
use super::scatter::{Aspect, far_field, sinc};
use super::surroundings::MeshSurroundings;
use super::wedge::Wedge;
use wavefield_numerics::vector::{combine, dot, sub};

/// Number of bends per block of the parallel sum. Blocks are added in order, which makes the sum bitwise
/// identical for any number of threads.
const BLOCK: usize = 256;

/// Returns the far field r E e^{jkr} of the bends of a mesh, as [`scattered`](super::scatter::scattered) does
/// for its edges.
pub(super) fn scattered<const P: usize>(
    surroundings: &MeshSurroundings<'_>,
    aspect: &Aspect,
    fields: [[Complex64; 3]; P],
    pieces_per_wavelength: f64,
) -> [[Complex64; 3]; P] {
    let zero = [[Complex64::ZERO; 3]; P];
    let blocks: Vec<_> = surroundings
        .outline
        .bends
        .par_chunks(BLOCK)
        .map(|block| {
            let mut moments = zero;
            for wedge in block {
                add(
                    surroundings,
                    aspect,
                    fields,
                    pieces_per_wavelength,
                    wedge,
                    &mut moments,
                );
            }
            moments
        })
        .collect();
    let mut total = zero;
    for block in &blocks {
        for (sum, add) in total.iter_mut().flatten().zip(block.iter().flatten()) {
            *sum += add;
        }
    }
    far_field(aspect, total)
}

fn add<const P: usize>(
    surroundings: &MeshSurroundings<'_>,
    aspect: &Aspect,
    fields: [[Complex64; 3]; P],
    pieces_per_wavelength: f64,
    wedge: &Wedge,
    moments: &mut [[Complex64; 3]; P],
) {
    let (k, propagation, observer) = (aspect.wavenumber, aspect.propagation, aspect.observer);
    let Some(from_first) = wedge.incidence_angle(propagation) else {
        return;
    };
    let responses = [from_first, wedge.n * PI - from_first];
    let span = sub(wedge.ends[1], wedge.ends[0]);
    let wavelengths = wedge.length() * k / (2.0 * PI);
    let pieces = (wavelengths * pieces_per_wavelength).ceil().max(1.0);
    let piece = wedge.length() / pieces;
    let along = k * dot(wedge.frames[0].z, sub(observer, propagation));
    for i in 0..pieces as usize {
        let point = combine(wedge.ends[0], 1.0, span, (i as f64 + 0.5) / pieces);
        if !surroundings.is_clear(wedge, point, surroundings.source)
            || !(surroundings.source == surroundings.observer
                || surroundings.is_clear(wedge, point, surroundings.observer))
        {
            continue;
        }
        let weight = Complex64::from_polar(
            piece * sinc(0.5 * piece * along),
            k * dot(sub(observer, propagation), point),
        );
        for (face, incidence) in responses.into_iter().enumerate() {
            let frame = wedge.frames[face];
            let Some(response) =
                FaceResponse::new(frame, wedge.n, k, propagation, incidence, observer)
            else {
                continue;
            };
            let coefficients = response.coefficients(f64::INFINITY);
            for (moment, field) in moments.iter_mut().zip(fields) {
                let add = response.moment(&coefficients, field);
                for i in 0..3 {
                    moment[i] += add[i] * weight;
                }
            }
        }
    }
}
