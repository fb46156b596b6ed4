//! Effect of the triangles around an edge: shadowing and strip ends.

use super::outline::{ASIDE, Beyond, Outline};
use super::scatter::{Strip, StripEnd, Surroundings};
use super::wedge::Wedge;
use crate::trace::{Ray, Tracer};
use wavefield_numerics::vector::{combine, cross, dot, norm, scaled, sub};

/// Cosine of the turn (30°) beyond which a strip leaves the plane of its current.
const BENT: f64 = 0.866_025_403_784_438_6;

/// Maximum number of hits on its own faces that a ray from an edge passes through; they are due to
/// rounding and rare.
const MAX_OWN_HITS: usize = 8;

/// Maximum number of triangles along a strip.
const MAX_TRIANGLES: usize = 100_000;

const ENDLESS: Strip = Strip {
    length: f64::INFINITY,
    end: None,
};

/// Mesh with a direction of incidence and a direction of observation.
pub(super) struct MeshSurroundings<'a> {
    pub(super) outline: &'a Outline,
    pub(super) tracer: &'a dyn Tracer,
    /// Direction toward the source.
    pub(super) source: [f64; 3],
    /// Direction toward the observer.
    pub(super) observer: [f64; 3],
    /// Treats all strips as infinite.
    pub(super) endless: bool,
}

impl Surroundings for MeshSurroundings<'_> {
    fn strip(&self, wedge: usize, face: usize, point: [f64; 3], direction: [f64; 3]) -> Strip {
        if self.endless {
            ENDLESS
        } else {
            self.march(wedge, face, point, direction)
        }
    }

    fn lit(&self, wedge: usize, point: [f64; 3]) -> bool {
        self.is_clear(&self.outline.wedges[wedge], point, self.source)
    }

    fn seen(&self, wedge: usize, point: [f64; 3]) -> bool {
        self.is_clear(&self.outline.wedges[wedge], point, self.observer)
    }
}

impl MeshSurroundings<'_> {
    /// Returns whether the path from a point of an edge to infinity is unobstructed.
    ///
    /// The ray starts on the bisector of the exterior angle. From there a direction outside the wedge
    /// never crosses its faces, even at grazing incidence; hits on them are due to rounding and passed
    /// through.
    pub(super) fn is_clear(&self, wedge: &Wedge, point: [f64; 3], toward: [f64; 3]) -> bool {
        if wedge.incidence_angle(scaled(toward, -1.0)).is_none() {
            return false;
        }
        let surface = self.tracer.surface();
        let aside = ASIDE * surface.radius();
        let own = |triangle: u32| {
            let normal = self.outline.normals[triangle as usize];
            let offset = sub(surface.corners(triangle)[0], point);
            wedge
                .frames
                .iter()
                .any(|face| norm(cross(normal, face.y)) < 1e-5 && dot(offset, face.y).abs() < aside)
        };
        let mut ray = Ray::new(combine(point, 1.0, wedge.outward(), aside), toward);
        for _ in 0..MAX_OWN_HITS {
            let hit = self.tracer.nearest(&ray);
            if hit.is_miss() {
                return true;
            }
            if !own(hit.triangle) {
                return false;
            }
            ray.origin = surface.point(&hit);
            ray.leaves = hit.triangle;
        }
        true
    }

    /// Follows a geodesic strip over the triangles, unfolding each into the plane of the last, to the
    /// end of the face.
    fn march(&self, wedge: usize, face: usize, point: [f64; 3], direction: [f64; 3]) -> Strip {
        let start = self.outline.face_at(wedge, face, point);
        let normal_of = |side: u32| self.outline.normals[side as usize / 3];
        let first_normal = normal_of(start.side);
        let (mut entry, mut point, mut direction) = (start.side, point, direction);
        let mut length = 0.0;
        for _ in 0..MAX_TRIANGLES {
            let ends_here = |length| Strip { length, end: None };
            // At a vertex the surface ends ahead of the strip.
            let Some((step, exit)) = self.leave(entry, point, direction) else {
                return ends_here(length);
            };
            length += step;
            point = combine(point, 1.0, direction, step);
            match self.outline.beyond[exit as usize] {
                Beyond::Wedge { wedge, face } => {
                    let end = face[usize::from(start.behind)].map(|face| StripEnd {
                        wedge: wedge as usize,
                        face: face.into(),
                        direction,
                        point,
                    });
                    return Strip { length, end };
                }
                Beyond::Crease => return ends_here(length),
                Beyond::Seam => return ENDLESS,
                Beyond::Surface(next) => {
                    let normal = normal_of(next);
                    // A degenerate triangle makes the direction of the strip undefined.
                    if dot(first_normal, normal) <= BENT {
                        return ENDLESS;
                    }
                    direction = self.unfold(next, normal, direction);
                    entry = next;
                }
            }
        }
        ENDLESS
    }

    /// Returns the distance to, and the index of, the side through which a path that entered over side
    /// `entry` leaves that triangle.
    fn leave(&self, entry: u32, point: [f64; 3], direction: [f64; 3]) -> Option<(f64, u32)> {
        let triangle = entry / 3;
        let corners = self.tracer.surface().corners(triangle);
        let normal = self.outline.normals[triangle as usize];
        let mut best: Option<(f64, u32)> = None;
        for turn in 1..3 {
            let side = 3 * triangle + (entry + turn - 3 * triangle) % 3;
            let corner = side as usize % 3;
            let [from, to] = [corners[corner], corners[(corner + 1) % 3]];
            let outward = cross(sub(to, from), normal);
            let speed = dot(direction, outward);
            if speed > 1e-12 * norm(outward) {
                let distance = (dot(sub(from, point), outward) / speed).max(0.0);
                if best.is_none_or(|(nearest, _)| distance < nearest) {
                    best = Some((distance, side));
                }
            }
        }
        best
    }

    /// Returns the direction of the straight continuation in the triangle entered over a side.
    fn unfold(&self, side: u32, normal: [f64; 3], direction: [f64; 3]) -> [f64; 3] {
        let corners = self.tracer.surface().corners(side / 3);
        let corner = side as usize % 3;
        let edge = sub(corners[(corner + 1) % 3], corners[corner]);
        let edge = scaled(edge, 1.0 / norm(edge));
        let along = dot(direction, edge);
        let across = (1.0 - along * along).max(0.0).sqrt();
        combine(edge, along, cross(normal, edge), across)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use wavefield_mesh::{TriangleMesh, primitive};

    use super::*;
    use crate::edge::Edges;
    use crate::trace::{BruteForceTracer, Surface};
    use wavefield_numerics::vector::unit;

    /// Returns the strips from several points of every wedge, in three directions.
    fn strips(
        mesh: &TriangleMesh,
        check: impl Fn([f64; 3], [f64; 3], [f64; 3], Strip, &Outline),
    ) -> usize {
        let tracer = BruteForceTracer::new(Arc::new(Surface::new(mesh).unwrap()));
        let outline = Outline::of(mesh, &tracer, Edges::SHARP);
        let body = MeshSurroundings {
            outline: &outline,
            tracer: &tracer,
            source: [1.0, 0.0, 0.0],
            observer: [1.0, 0.0, 0.0],
            endless: false,
        };
        let mut count = 0;
        for (number, wedge) in outline.wedges.iter().enumerate() {
            for face in 0..2 {
                let frame = wedge.frames[face];
                for part in [0.0625, 0.25, 0.5, 0.71] {
                    let point = combine(wedge.ends[0], 1.0 - part, wedge.ends[1], part);
                    for slope in [-1.0, 0.0, 0.37] {
                        let direction = unit(combine(frame.x, 1.0, frame.z, slope));
                        let strip = body.strip(number, face, point, direction);
                        check(point, direction, frame.y, strip, &outline);
                        count += 1;
                    }
                }
            }
        }
        count
    }

    #[test]
    fn strips_over_a_box_end_at_the_edge_they_point_to() {
        let size = [0.4, 0.3, 0.2];
        let mesh = primitive::cuboid(size, 0.05).unwrap();
        let count = strips(&mesh, |point, direction, normal, strip, outline| {
            let exact = (0..3)
                .filter(|&i| direction[i].abs() > 1e-9)
                .map(|i| (0.5 * size[i] - point[i] * direction[i].signum()) / direction[i].abs())
                .fold(f64::INFINITY, f64::min);
            assert!(
                (strip.length - exact).abs() < 1e-12,
                "{point:?} {direction:?}"
            );
            let end = strip.end.unwrap();
            let goal = combine(point, 1.0, direction, exact);
            assert!(norm(sub(end.point, goal)) < 1e-12);
            let reached = &outline.wedges[end.wedge];
            assert!(norm(sub(reached.frames[end.face].y, normal)) < 1e-12);
            let offset = sub(goal, reached.ends[0]);
            assert!(norm(cross(offset, reached.frames[0].z)) < 1e-12);
        });
        assert_eq!(count, 12 * 2 * 4 * 3);
    }

    #[test]
    fn either_side_of_a_sheet_has_its_own_strips() {
        let mesh = primitive::plate(0.3, 0.2, 0.04).unwrap();
        strips(&mesh, |_, _, normal, strip, outline| {
            let end = strip.end.unwrap();
            assert_eq!(outline.wedges[end.wedge].frames[end.face].y, normal);
        });
    }

    #[test]
    fn a_strip_that_goes_around_a_cylinder_is_endless_and_one_along_it_ends() {
        let (radius, height) = (0.1, 0.3);
        let mesh = primitive::cylinder(radius, height, 0.02).unwrap();
        strips(&mesh, |_, direction, normal, strip, _| {
            if normal[2].abs() > 0.9 {
                // On a cap the maximum length is a diameter.
                assert!(strip.length <= 2.0 * radius && strip.end.is_some());
            } else if direction[2].abs() > 0.999 {
                assert!((strip.length - height).abs() < 1e-9 && strip.end.is_some());
            } else if direction[2].abs() < 0.9 {
                // 45° over a height of three radii turns by 170°.
                assert_eq!(strip, ENDLESS);
            }
        });
    }
}
