//! Symmetric bodies: the matrix is block diagonal in the irreducible representations of the symmetry group.
//!
//! If every operation g of a commuting group maps basis functions to basis functions, g f_i = s f_{gi} with a sign s, the
//! matrix commutes with the group. Currents of one irreducible representation (irrep), which g multiplies by its character
//! χ(g), are decoupled from those of the others. An orbit O (a function i and its images r = g i) has the unit vector with
//! components conj(w_r), w_r = χ(g) s/√|O|. In these vectors the equation of an irrep is
//!
//!   Â_ij = Σ_r w_r A_rj / w_j over the orbit of i,   b̂_i = Σ_r w_r b_r,   x_r = Σ over irreps of conj(w_r) x̂_i,
//!
//! so that the columns of one function per orbit suffice. An orbit that some g maps to itself with χ(g) s ≠ 1 has no current
//! of this irrep. Characters come in conjugate pairs: for a symmetric matrix the equation of one is the transpose of the
//! other's. E. P. Wigner, Group Theory, Academic Press 1959.

mod irrep;
mod solve;
#[cfg(test)]
mod tests;

pub(crate) use irrep::Irrep;

use num_complex::Complex64;
use std::collections::HashMap;
use std::f64::consts::TAU;
use wavefield_mesh::{Transform, TriangleMesh};

use crate::basis::Basis;
use crate::error::Error;
use crate::spec::SymmetrySpec;

const ONE: Complex64 = Complex64::new(1.0, 0.0);
/// Distance below which vertices are images of each other, relative to the diagonal of the body.
const SAME_POINT: f64 = 1e-6;
/// Maximum order of the symmetry group.
const MAX: usize = 64;

/// Function index and whether its sign is reversed.
type Signed = (u32, bool);

/// Generator of the symmetry group.
#[derive(Clone, Debug)]
struct Motion {
    /// Order of the operation.
    order: usize,
    /// Image of each function.
    image: Vec<Signed>,
}

impl Motion {
    fn apply(&self, (function, turned): Signed) -> Signed {
        let (image, other) = self.image[function as usize];
        (image, turned ^ other)
    }
}

/// Returns the order and the transform of a specified operation.
fn transform(number: usize, asked: &SymmetrySpec) -> Result<(usize, Transform), Error> {
    let (order, transform) = match *asked {
        SymmetrySpec::Mirror { normal } => (2, Transform::reflection(normal)),
        SymmetrySpec::Rotation { axis, fold } => {
            if !(2..=MAX).contains(&fold) {
                return Err(Error::Range {
                    key: "mom3d.symmetry.fold",
                    value: fold as f64,
                    least: 2.0,
                    most: MAX as f64,
                });
            }
            (fold, Transform::rotation(axis, TAU / fold as f64))
        }
    };
    Ok((order, transform.ok_or(Error::SymmetryDirection { number })?))
}

/// Commuting symmetry operations that map the body onto itself.
#[derive(Clone, Debug)]
pub(crate) struct Symmetry {
    motions: Vec<Motion>,
    /// Number of basis functions.
    size: usize,
    /// Number of unknowns of every irrep.
    of_irrep: Vec<usize>,
}

impl Symmetry {
    /// Creates the symmetry group; `None` without operations.
    ///
    /// # Errors
    /// The mesh is not invariant triangle by triangle, or operations do not commute.
    pub(crate) fn new(
        asked: &[SymmetrySpec],
        mesh: &TriangleMesh,
        basis: &Basis,
    ) -> Result<Option<Symmetry>, Error> {
        let tolerance = SAME_POINT * mesh.bounding_box().map_or(0.0, |bounds| bounds.diagonal());
        let mut motions: Vec<Motion> = Vec::new();
        for (number, asked) in asked.iter().enumerate() {
            let (order, transform) = transform(number, asked)?;
            let points = (mesh.images(&transform, tolerance))
                .map_err(|error| Error::NotSymmetric { number, error })?;
            let image = images(basis, &points).ok_or(Error::SymmetryEdges { number })?;
            motions.push(Motion { order, image });
        }
        let orders = motions.iter().map(|motion| motion.order);
        let all = orders.fold(1, usize::saturating_mul);
        if all > MAX {
            return Err(Error::Range {
                key: "mom3d.symmetry (number of images)",
                value: all as f64,
                least: 1.0,
                most: MAX as f64,
            });
        }
        for (number, own) in motions.iter().enumerate() {
            for other in &motions[..number] {
                let all = (0..basis.size as u32).map(|function| (function, false));
                for function in all {
                    if own.apply(other.apply(function)) != other.apply(own.apply(function)) {
                        return Err(Error::SymmetriesDiffer { number });
                    }
                }
            }
        }
        if motions.is_empty() {
            return Ok(None);
        }
        let mut symmetry = Symmetry {
            motions,
            size: basis.size,
            of_irrep: Vec::new(),
        };
        symmetry.of_irrep = (0..all).map(|irrep| symmetry.irrep(irrep).len()).collect();
        Ok(Some(symmetry))
    }

    /// Returns the order of the group, which is also the number of irreps.
    pub(crate) fn count(&self) -> usize {
        self.motions.iter().map(|motion| motion.order).product()
    }

    /// Returns the exponent of each generator in an element of the group; irreps have the same numbering.
    fn steps(&self, mut number: usize) -> Vec<usize> {
        (self.motions.iter())
            .map(|motion| {
                let step = number % motion.order;
                number /= motion.order;
                step
            })
            .collect()
    }

    /// Returns the irrep with conjugate characters.
    fn conjugate(&self, irrep: usize) -> usize {
        let steps = self.steps(irrep);
        (self.motions.iter().zip(steps))
            .rev()
            .fold(0, |sum, (motion, step)| {
                sum * motion.order + (motion.order - step) % motion.order
            })
    }

    /// Returns the irreps that need a matrix: if it is symmetric, one of each conjugate pair.
    fn with_matrices(&self, symmetric: bool) -> impl Iterator<Item = usize> {
        (0..self.count()).filter(move |&irrep| !symmetric || irrep <= self.conjugate(irrep))
    }

    /// Returns the numbers of unknowns of the matrices.
    pub(crate) fn sizes(&self, symmetric: bool) -> Vec<usize> {
        let irreps = self.with_matrices(symmetric);
        irreps.map(|irrep| self.of_irrep[irrep]).collect()
    }

    /// Returns the number of unknowns of the largest matrix.
    pub(crate) fn largest(&self) -> usize {
        self.of_irrep.iter().copied().max().unwrap_or(0)
    }

    fn irrep(&self, number: usize) -> Irrep {
        let turns = self.steps(number);
        let elements: Vec<(Vec<usize>, Complex64)> = (0..self.count())
            .map(|element| {
                let steps = self.steps(element);
                let angle: f64 = (self.motions.iter().zip(&steps).zip(&turns))
                    .map(|((motion, step), turn)| {
                        (step * turn % motion.order) as f64 / motion.order as f64
                    })
                    .sum();
                (steps, character(angle))
            })
            .collect();
        let mut irrep = Irrep {
            first: Vec::new(),
            of_function: vec![(u32::MAX, Complex64::ZERO); self.size],
        };
        let mut orbit: Vec<(u32, Complex64)> = Vec::new();
        for function in 0..self.size as u32 {
            if irrep.of_function[function as usize].0 != u32::MAX {
                continue;
            }
            orbit.clear();
            let mut alive = true;
            for (steps, character) in &elements {
                let (image, turned) = self.moved(function, steps);
                let weight = if turned { -character } else { *character };
                match orbit.iter().find(|(other, _)| *other == image) {
                    Some((_, known)) => alive &= (known - weight).norm() < 0.5 / MAX as f64,
                    None => orbit.push((image, weight)),
                }
            }
            let (place, scale) = if alive {
                irrep.first.push(function);
                (
                    irrep.first.len() as u32 - 1,
                    1.0 / (orbit.len() as f64).sqrt(),
                )
            } else {
                (0, 0.0)
            };
            for &(image, weight) in &orbit {
                irrep.of_function[image as usize] = (place, weight * scale);
            }
        }
        irrep
    }

    fn moved(&self, function: u32, steps: &[usize]) -> Signed {
        let mut at = (function, false);
        for (motion, &step) in self.motions.iter().zip(steps) {
            for _ in 0..step {
                at = motion.apply(at);
            }
        }
        at
    }
}

/// Returns e^{j2πt}, exact at quarter turns.
fn character(turns: f64) -> Complex64 {
    match (4.0 * turns) % 4.0 {
        0.0 => ONE,
        1.0 => Complex64::new(0.0, 1.0),
        2.0 => -ONE,
        3.0 => Complex64::new(0.0, -1.0),
        _ => Complex64::cis(TAU * turns),
    }
}

/// Returns the image of each function under a permutation of the vertices; `None` if some image is not a function.
fn images(basis: &Basis, points: &[u32]) -> Option<Vec<Signed>> {
    let sorted = |mut corners: [u32; 3]| {
        corners.sort_unstable();
        corners
    };
    let triangle_of: HashMap<[u32; 3], usize> = (basis.triangles.iter().enumerate())
        .map(|(number, triangle)| (sorted(triangle.points), number))
        .collect();
    // Both halves of a function must map to halves of one function, with the same sign.
    let mut images: Vec<Option<Signed>> = vec![None; basis.size];
    for (number, triangle) in basis.triangles.iter().enumerate() {
        let moved = triangle.points.map(|point| points[point as usize]);
        let to = *triangle_of.get(&sorted(moved))?;
        for share in basis.shares(number) {
            let opposite = moved[share.corner as usize];
            let mut candidates = (basis.shares(to).iter())
                .filter(|other| basis.triangles[to].points[other.corner as usize] == opposite);
            let image = candidates.next()?;
            let signed = (image.function, image.weight * share.weight < 0.0);
            // At a non-manifold edge there are several functions.
            if candidates.next().is_some() {
                return None;
            }
            let known = images[share.function as usize].get_or_insert(signed);
            if *known != signed {
                return None;
            }
        }
    }
    images.into_iter().collect()
}
