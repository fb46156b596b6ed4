mod held;
mod split;

use self::held::Held;
use crate::TetrahedralMesh;
use wavefield_numerics::vector::{cross, dot, norm, scaled, sub};

/// Maximum number of sweeps over all bad tetrahedra.
const SWEEPS: usize = 20;
/// Minimum gain of a visit for another one to follow.
const GAIN: f64 = 1.005;
/// Tetrahedra are improved while their inradius is below this multiple of the smallest.
const REACH: f64 = 1.2;
/// Number of step lengths tried for a point, each half of the previous one unless that one helped.
const STEPS: usize = 5;
/// Lower bound on the shape of a tetrahedron after a move, unless an adjacent one was worse before.
const SHAPE: f64 = 0.4;

impl TetrahedralMesh {
    /// Relocates interior points to increase the smallest inradius, and with it the CFL time step of explicit
    /// solvers; returns the number of moves.
    ///
    /// Points on named surfaces, on the boundary, and between volumes are fixed. Each other corner of a bad
    /// tetrahedron is tried at a few positions, away from the nearest faces, and moved to where the smallest
    /// inradius around it is largest. Tetrahedra that lie flat on a surface have no such corner; they are
    /// split first, unless the mesh is a part of a larger one. The algorithm is deterministic.
    pub fn raise_smallest_inradius(&mut self) -> usize {
        let mut held = Held::of(self);
        self.split_flat_tetrahedra(&mut held);
        let around = Neighborhoods::of(self);
        let mut inradii: Vec<f64> = (0..self.tetrahedra.len())
            .map(|t| self.inradius(t))
            .collect();
        let mut moves = 0;
        let mut before = 0.0;
        for _ in 0..SWEEPS {
            let smallest = inradii.iter().copied().fold(f64::INFINITY, f64::min);
            if smallest < GAIN * before {
                break;
            }
            before = smallest;
            let mut bad: Vec<u32> = (0..inradii.len() as u32)
                .filter(|&t| inradii[t as usize] < REACH * smallest)
                .collect();
            bad.sort_by(|&a, &b| inradii[a as usize].total_cmp(&inradii[b as usize]));
            for t in bad {
                for point in self.tetrahedra[t as usize] {
                    let around = around.at(point);
                    if held.points[point as usize] {
                        continue;
                    }
                    let step = self.smallest_around(around).inradius;
                    if self.relocate(point, around, step) {
                        moves += 1;
                        for &t in around {
                            inradii[t as usize] = self.inradius(t as usize);
                        }
                    }
                }
            }
        }
        moves
    }

    /// Moves a point to the position with the largest smallest inradius around it, starting with moves of
    /// length `step`; returns whether it moved.
    fn relocate(&mut self, point: u32, around: &[u32], mut step: f64) -> bool {
        let start = self.points[point as usize];
        let SignedShape {
            mut inradius,
            shape,
        } = self.smallest_around(around);
        let least_shape = shape.min(SHAPE);
        let mut place = start;
        for _ in 0..STEPS {
            let mut improved = None;
            for direction in self.directions(point, around, 1.5 * inradius) {
                let tried = [0, 1, 2].map(|axis| place[axis] + step * direction[axis]);
                self.points[point as usize] = tried;
                let least = inradius * (1.0 + 1e-3);
                if let Some(found) = self.smallest_inradius(around, least, least_shape) {
                    inradius = found;
                    improved = Some(tried);
                }
            }
            match improved {
                Some(tried) => place = tried,
                None => step *= 0.5,
            }
            self.points[point as usize] = place;
        }
        place != start
    }

    /// Returns the smallest inradius and the worst shape of the tetrahedra.
    fn smallest_around(&self, around: &[u32]) -> SignedShape {
        let mut smallest = SignedShape {
            inradius: f64::INFINITY,
            shape: f64::INFINITY,
        };
        for &t in around {
            let seen = self.signed_shape(t as usize);
            smallest.inradius = smallest.inradius.min(seen.inradius);
            smallest.shape = smallest.shape.min(seen.shape);
        }
        smallest
    }

    /// Returns the smallest inradius of the tetrahedra, or `None` if one violates the bounds on inradius or
    /// shape.
    fn smallest_inradius(&self, around: &[u32], least: f64, least_shape: f64) -> Option<f64> {
        let mut smallest = f64::INFINITY;
        for &t in around {
            let seen = self.signed_shape(t as usize);
            if seen.inradius < least || seen.shape < least_shape {
                return None;
            }
            smallest = smallest.min(seen.inradius);
        }
        Some(smallest)
    }

    /// Returns trial directions for a point: away from the opposite face of each tetrahedron with an inradius
    /// below `limit`, their sum, and the positive and negative axes.
    fn directions(&self, point: u32, around: &[u32], limit: f64) -> Vec<[f64; 3]> {
        let mut directions = Vec::new();
        let mut sum = [0.0; 3];
        for &t in around
            .iter()
            .filter(|&&t| self.inradius(t as usize) < limit)
        {
            let corners = self.tetrahedra[t as usize];
            let [a, b, c] = opposite(corners, point).map(|corner| self.points[corner as usize]);
            let normal = cross(sub(b, a), sub(c, a));
            let toward = dot(normal, sub(self.points[point as usize], a));
            let size = norm(normal);
            if size > 0.0 {
                let away = scaled(normal, toward.signum() / size);
                sum = [0, 1, 2].map(|axis| sum[axis] + away[axis]);
                directions.push(away);
            }
        }
        let size = norm(sum);
        if directions.len() > 1 && size > 1e-3 {
            directions.push(scaled(sum, 1.0 / size));
        }
        for axis in 0..3 {
            for sign in [-1.0, 1.0] {
                let mut direction = [0.0; 3];
                direction[axis] = sign;
                directions.push(direction);
            }
        }
        directions
    }

    /// Returns inradius and shape, negative for an inverted tetrahedron.
    fn signed_shape(&self, tetrahedron: usize) -> SignedShape {
        let [a, b, c, d] = self.corners(tetrahedron);
        let [ab, ac, ad] = [sub(b, a), sub(c, a), sub(d, a)];
        let [bc, bd, cd] = [sub(c, b), sub(d, b), sub(d, c)];
        let base = cross(ab, ac);
        let double_areas = [base, cross(ab, ad), cross(ac, ad), cross(bc, bd)].map(norm);
        // Three times the volume over the surface area, with V = base·ad/6.
        let inradius = dot(base, ad) / double_areas.iter().sum::<f64>();
        let squares = [ab, ac, ad, bc, bd, cd].map(|edge| dot(edge, edge));
        let longest = squares.into_iter().fold(0.0, f64::max).sqrt();
        SignedShape {
            inradius,
            shape: inradius / longest * 24.0_f64.sqrt(),
        }
    }
}

/// Objective of a move.
#[derive(Clone, Copy)]
struct SignedShape {
    inradius: f64,
    shape: f64,
}

fn opposite(corners: [u32; 4], point: u32) -> [u32; 3] {
    let [a, b, c, d] = corners;
    match point {
        _ if point == a => [b, c, d],
        _ if point == b => [a, c, d],
        _ if point == c => [a, b, d],
        _ => [a, b, c],
    }
}

/// For each point, the tetrahedra with it as a corner.
struct Neighborhoods {
    first: Vec<u32>,
    members: Vec<u32>,
}

impl Neighborhoods {
    fn of(mesh: &TetrahedralMesh) -> Self {
        let mut first = vec![0_u32; mesh.points.len() + 1];
        for &corner in mesh.tetrahedra.iter().flatten() {
            first[corner as usize + 1] += 1;
        }
        for i in 0..mesh.points.len() {
            first[i + 1] += first[i];
        }
        let mut next = first.clone();
        let mut members = vec![0; 4 * mesh.tetrahedra.len()];
        for (t, corners) in mesh.tetrahedra.iter().enumerate() {
            for &corner in corners {
                let slot = &mut next[corner as usize];
                members[*slot as usize] = t as u32;
                *slot += 1;
            }
        }
        Self { first, members }
    }

    fn at(&self, point: u32) -> &[u32] {
        let [from, to] = [point, point + 1].map(|p| self.first[p as usize] as usize);
        &self.members[from..to]
    }
}
