//! Bodies that are their own image: one equation falls into several smaller ones.
//!
//! Where every motion g of a commuting group takes functions to functions, g f_i = s f_{gi} with a sign s, the matrix is the same
//! before and after. Currents of one irreducible representation (irrep), which g multiplies by its character χ(g), stay among
//! themselves. With an orbit O (a function i and its images r = g i) goes the unit vector whose components are conj(w_r),
//! w_r = χ(g) s/√|O|. In these vectors the equation of an irrep is
//!
//!   Â_ij = Σ_r w_r A_rj / w_j over the orbit of i,   b̂_i = Σ_r w_r b_r,   x_r = Σ over irreps of conj(w_r) x̂_i,
//!
//! so that columns of one function of every orbit are enough. An orbit that some g takes to itself with χ(g) s ≠ 1 has no current
//! of this irrep. Characters come in conjugate pairs: for a symmetric matrix the equation of one is the transpose of the other's.
//! E. P. Wigner, Group Theory, Academic Press 1959.

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
/// Points closer than this part of the body's diagonal are images of each other.
const SAME_POINT: f64 = 1e-6;
/// Most images of a body.
const MOST: usize = 64;

/// A function and whether it is met with the other sign.
type Signed = (u32, bool);

/// A motion that brings the body onto itself.
#[derive(Clone, Debug)]
struct Motion {
    /// How often it must be done until all is back in place.
    order: usize,
    /// To what each function goes.
    image: Vec<Signed>,
}

impl Motion {
    fn apply(&self, (function, turned): Signed) -> Signed {
        let (image, other) = self.image[function as usize];
        (image, turned ^ other)
    }
}

/// What is asked, before there are functions.
fn transform(number: usize, asked: &SymmetrySpec) -> Result<(usize, Transform), Error> {
    let (order, transform) = match *asked {
        SymmetrySpec::Mirror { normal } => (2, Transform::reflection(normal)),
        SymmetrySpec::Rotation { axis, fold } => {
            if !(2..=MOST).contains(&fold) {
                return Err(Error::Range {
                    key: "mom3d.symmetry.fold",
                    value: fold as f64,
                    least: 2.0,
                    most: MOST as f64,
                });
            }
            (fold, Transform::rotation(axis, TAU / fold as f64))
        }
    };
    Ok((order, transform.ok_or(Error::SymmetryDirection { number })?))
}

/// Motions that bring a body onto itself and change places with each other.
#[derive(Clone, Debug)]
pub(crate) struct Symmetry {
    motions: Vec<Motion>,
    /// Number of functions.
    size: usize,
    /// Unknowns of every irrep.
    of_irrep: Vec<usize>,
}

impl Symmetry {
    /// What is asked of a body; none without a motion.
    ///
    /// # Errors
    /// The body is not its own image triangle by triangle, or motions do not commute.
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
        if all > MOST {
            return Err(Error::Range {
                key: "mom3d.symmetry (number of images)",
                value: all as f64,
                least: 1.0,
                most: MOST as f64,
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

    /// Number of images, and of irreducible representations.
    pub(crate) fn count(&self) -> usize {
        self.motions.iter().map(|motion| motion.order).product()
    }

    /// How often each motion is done in an element of the group; irreps are numbered alike.
    fn steps(&self, mut number: usize) -> Vec<usize> {
        (self.motions.iter())
            .map(|motion| {
                let step = number % motion.order;
                number /= motion.order;
                step
            })
            .collect()
    }

    /// The irrep with conjugate characters.
    fn conjugate(&self, irrep: usize) -> usize {
        let steps = self.steps(irrep);
        (self.motions.iter().zip(steps))
            .rev()
            .fold(0, |sum, (motion, step)| {
                sum * motion.order + (motion.order - step) % motion.order
            })
    }

    /// Kinds that need a matrix: of a conjugate pair one is enough where it is symmetric.
    fn with_matrices(&self, symmetric: bool) -> impl Iterator<Item = usize> {
        (0..self.count()).filter(move |&irrep| !symmetric || irrep <= self.conjugate(irrep))
    }

    /// Unknowns of the matrices.
    pub(crate) fn sizes(&self, symmetric: bool) -> Vec<usize> {
        let irreps = self.with_matrices(symmetric);
        irreps.map(|irrep| self.of_irrep[irrep]).collect()
    }

    /// Unknowns of the largest matrix.
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
                    Some((_, known)) => alive &= (known - weight).norm() < 0.5 / MOST as f64,
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

/// e^{j2πt}, without rounding at quarters.
fn character(turns: f64) -> Complex64 {
    match (4.0 * turns) % 4.0 {
        0.0 => ONE,
        1.0 => Complex64::new(0.0, 1.0),
        2.0 => -ONE,
        3.0 => Complex64::new(0.0, -1.0),
        _ => Complex64::cis(TAU * turns),
    }
}

/// To what each function goes when points go to these; none where some go to what is no function.
fn images(basis: &Basis, points: &[u32]) -> Option<Vec<Signed>> {
    let sorted = |mut corners: [u32; 3]| {
        corners.sort_unstable();
        corners
    };
    let triangle_of: HashMap<[u32; 3], usize> = (basis.triangles.iter().enumerate())
        .map(|(number, triangle)| (sorted(triangle.points), number))
        .collect();
    // Both halves of a function must go to halves of one, with one sign.
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
            // Where more than two triangles meet, an edge has several functions.
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
