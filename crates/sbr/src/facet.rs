//! First reflections by closed-form physical optics (PO) of facets.
//!
//! The PO integral of a flat facet under a plane wave has a closed form, and first reflections need no ray tubes:
//! the part of the facet that is illuminated, and whose reflection leaves the body, radiates as a whole. A facet
//! shorter than a wavelength radiates if its centroid does. A longer facet is sampled at the vertices of a lattice
//! of pieces. If all vertices radiate, the whole facet is one patch. Pieces with mixed vertices, at a shadow
//! boundary, are divided down to the size of tubes and then clipped at the straight line between the two points of
//! their sides where the shadow begins.

use crate::aperture::{Density, Wave};
use crate::patch::{Outline, Patch};
use crate::receiver::{Receiver, in_blocks};
use crate::trace::{Hit, Ray};
use wavefield_numerics::vector::{cross, dot, scaled, sub};

/// Maximum length of a small facet, in wavelengths.
pub(crate) const SMALL: f64 = 1.0;
/// Length of a piece of a long facet, in sides of a tube; it may be halved until it is one.
pub(crate) const PIECE: f64 = 4.0;
const HALVINGS: u32 = 2;
/// Number of bisection steps that locate a shadow boundary on a side.
const BISECTIONS: u32 = 4;
/// Maximum number of pieces along a side of a facet; above it the pieces are longer.
pub(crate) const MAX_PIECES: f64 = 4096.0;
/// Number of points a thread tests at once, unless one facet has more.
const BLOCK: usize = 16384;

/// Point of a facet by the barycentric weights of its second and third vertices.
type Place = [f64; 2];

/// Piece of a facet, and whether each of its vertices radiates.
#[derive(Clone, Copy, Debug)]
struct Piece {
    triangle: u32,
    corners: [Place; 3],
    radiates: [bool; 3],
}

const WHOLE: [Place; 3] = [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]];

impl Wave<'_> {
    /// Passes the radiating small facets to a receiver; returns the number of rays.
    pub(crate) fn reflect_by_small_facets<R: Receiver>(&self, receiver: &mut R) -> u64 {
        let small: Vec<u32> = (0..self.lengths.len() as u32)
            .filter(|&triangle| self.is_small(triangle))
            .collect();
        let blocks: Vec<&[u32]> = small.chunks(BLOCK).collect();
        let work = |number: usize, receiver: &mut R| {
            let facets = blocks[number];
            let middles: Vec<(u32, Place)> = facets
                .iter()
                .map(|&triangle| (triangle, [1.0 / 3.0; 2]))
                .collect();
            let (radiates, rays) = self.radiating(&middles);
            for (&triangle, radiates) in facets.iter().zip(radiates) {
                if radiates {
                    receiver.receive(&self.piece(triangle, WHOLE));
                }
            }
            rays
        };
        let mut rays = 0;
        in_blocks(self.threads, blocks.len(), receiver, work, |of_block| {
            rays += of_block;
        });
        rays
    }

    /// Passes the radiating parts of long facets to a receiver; returns the number of rays.
    pub(crate) fn reflect_by_long_facets<R: Receiver>(
        &self,
        density: Density,
        receiver: &mut R,
    ) -> u64 {
        let longest_piece = PIECE * density.step * self.wavelength;
        // Number of pieces along a side.
        let pieces = |triangle: u32| {
            let length = self.lengths[triangle as usize];
            (length / longest_piece).ceil().clamp(1.0, MAX_PIECES) as usize
        };
        let mut blocks: Vec<Vec<(u32, usize)>> = Vec::new();
        let mut points = BLOCK;
        for triangle in (0..self.lengths.len() as u32).filter(|&t| !self.is_small(t)) {
            let count = pieces(triangle);
            if points >= BLOCK {
                blocks.push(Vec::new());
                points = 0;
            }
            points += (count + 1) * (count + 2) / 2;
            if let Some(block) = blocks.last_mut() {
                block.push((triangle, count));
            }
        }
        let work = |number: usize, receiver: &mut R| self.long_facets(&blocks[number], receiver);
        let mut rays = 0;
        in_blocks(self.threads, blocks.len(), receiver, work, |of_block| {
            rays += of_block;
        });
        rays
    }

    fn is_small(&self, triangle: u32) -> bool {
        self.lengths[triangle as usize] <= SMALL * self.wavelength
    }

    /// Processes long facets, each with the number of pieces along its sides.
    fn long_facets<R: Receiver>(&self, facets: &[(u32, usize)], receiver: &mut R) -> u64 {
        let lattice: Vec<(u32, Place)> = facets
            .iter()
            .flat_map(|&(triangle, count)| {
                let place = move |i: usize, j: usize| [i, j].map(|n| n as f64 / count as f64);
                (0..=count).flat_map(move |j| (0..=count - j).map(move |i| (triangle, place(i, j))))
            })
            .collect();
        let (radiates, mut rays) = self.radiating(&lattice);
        let mut divided = Vec::new();
        let mut first = 0;
        for &(triangle, count) in facets {
            let last = first + (count + 1) * (count + 2) / 2;
            let states = &radiates[first..last];
            if states.iter().all(|&radiates| radiates) {
                receiver.receive(&self.piece(triangle, WHOLE));
            } else if states.iter().any(|&radiates| radiates) {
                for corners in pieces(count) {
                    let piece = Piece {
                        triangle,
                        corners: corners.map(|corner| lattice[first + corner].1),
                        radiates: corners.map(|corner| states[corner]),
                    };
                    self.settle(piece, receiver, &mut divided);
                }
            }
            first = last;
        }
        for _ in 0..HALVINGS {
            let middles: Vec<(u32, Place)> = divided
                .iter()
                .flat_map(|piece: &Piece| piece.sides().map(|place| (piece.triangle, place)))
                .collect();
            let (radiates, of_level) = self.radiating(&middles);
            rays += of_level;
            let states = radiates.chunks_exact(3);
            let quarters: Vec<Piece> = divided
                .iter()
                .zip(states)
                .flat_map(|(piece, states)| piece.quarters([states[0], states[1], states[2]]))
                .collect();
            divided.clear();
            for piece in quarters {
                self.settle(piece, receiver, &mut divided);
            }
        }
        let mut cuts: Vec<Cut> = divided.iter().map(Cut::new).collect();
        for _ in 0..BISECTIONS {
            let middles: Vec<(u32, Place)> = cuts
                .iter()
                .flat_map(|cut| cut.middles().map(|place| (cut.triangle, place)))
                .collect();
            let (radiates, of_round) = self.radiating(&middles);
            rays += of_round;
            for (cut, radiates) in cuts.iter_mut().zip(radiates.chunks_exact(2)) {
                cut.narrow([radiates[0], radiates[1]]);
            }
        }
        for cut in &cuts {
            for corners in cut.lit() {
                receiver.receive(&self.piece(cut.triangle, corners));
            }
        }
        rays
    }

    /// Radiates or drops a piece whose vertices agree; divides any other.
    fn settle<R: Receiver>(&self, piece: Piece, receiver: &mut R, divided: &mut Vec<Piece>) {
        match piece.radiates {
            [true, true, true] => receiver.receive(&self.piece(piece.triangle, piece.corners)),
            [false, false, false] => {}
            _ => divided.push(piece),
        }
    }

    /// Returns which points of facets are illuminated and reflect the wave out of the body, and the number of rays.
    fn radiating(&self, places: &[(u32, Place)]) -> (Vec<bool>, u64) {
        let surface = self.tracer.surface();
        let direction = self.direction();
        let mut radiates = vec![false; places.len()];
        let lit = self.free(places, (0..places.len()).collect(), |_| self.source);
        let count = places.len() + lit.len();
        let leaving = self.free(places, lit, |triangle| {
            let normal = surface.normal(triangle);
            sub(direction, scaled(normal, 2.0 * dot(direction, normal)))
        });
        for place in leaving {
            radiates[place] = true;
        }
        (radiates, count as u64)
    }

    /// Returns the points from which a ray leaves the body.
    fn free(
        &self,
        places: &[(u32, Place)],
        some: Vec<usize>,
        toward: impl Fn(u32) -> [f64; 3],
    ) -> Vec<usize> {
        let surface = self.tracer.surface();
        let rays: Vec<Ray> = some
            .iter()
            .map(|&place| {
                let (triangle, [u, v]) = places[place];
                Ray {
                    leaves: triangle,
                    ..Ray::new(surface.inside(triangle, u, v), toward(triangle))
                }
            })
            .collect();
        let mut hits = vec![Hit::MISS; rays.len()];
        self.tracer.nearest_of(&rays, &mut hits);
        let open = some.into_iter().zip(hits);
        open.filter(|(_, hit)| hit.is_miss())
            .map(|(place, _)| place)
            .collect()
    }

    /// Returns the patch of a piece of a facet under the incident wave.
    fn piece(&self, triangle: u32, places: [Place; 3]) -> Patch {
        let surface = self.tracer.surface();
        let direction = self.direction();
        let corners = places.map(|[u, v]| surface.at(triangle, u, v));
        let point = [0, 1, 2].map(|axis| corners.iter().map(|c| c[axis]).sum::<f64>() / 3.0);
        let normal = surface.normal_against(triangle, direction);
        let [a, b, c] = corners.map(|corner| sub(corner, point));
        Patch {
            triangle,
            point,
            entry: point,
            path_length: dot(direction, point),
            direction,
            outline: Outline::Triangle([a, b, c]),
            area: 0.5 * dot(cross(sub(b, a), sub(c, a)), normal).abs(),
            currents: (self.field)
                .reflect(direction, normal, triangle, self.coating)
                .0,
        }
    }
}

/// Returns the pieces of a facet with `count` along its sides, by the indices of their vertices in its lattice.
fn pieces(count: usize) -> impl Iterator<Item = [usize; 3]> {
    // Row j has count + 1 − j points.
    let number = move |i: usize, j: usize| j * (count + 1) - j * j.saturating_sub(1) / 2 + i;
    (0..count).flat_map(move |j| {
        (0..count - j).flat_map(move |i| {
            let upright = [number(i, j), number(i + 1, j), number(i, j + 1)];
            let inverted = (i + j + 2 <= count)
                .then(|| [number(i + 1, j), number(i + 1, j + 1), number(i, j + 1)]);
            std::iter::once(upright).chain(inverted)
        })
    })
}

impl Piece {
    /// Returns the midpoints of the sides opposite to each vertex.
    fn sides(&self) -> [Place; 3] {
        let [a, b, c] = self.corners;
        [between(b, c, 0.5), between(c, a, 0.5), between(a, b, 0.5)]
    }

    /// Returns the four pieces of the subdivision, given which midpoints of the sides radiate.
    fn quarters(&self, radiates: [bool; 3]) -> [Piece; 4] {
        let ([a, b, c], [p, q, r]) = (self.corners, self.radiates);
        let ([d, e, f], [s, t, u]) = (self.sides(), radiates);
        [
            ([a, f, e], [p, u, t]),
            ([f, b, d], [u, q, s]),
            ([e, d, c], [t, s, r]),
            ([d, e, f], [s, t, u]),
        ]
        .map(|(corners, radiates)| Piece {
            triangle: self.triangle,
            corners,
            radiates,
        })
    }
}

/// Piece with one vertex on one side of a shadow boundary and two on the other.
#[derive(Clone, Copy, Debug)]
struct Cut {
    triangle: u32,
    /// The single vertex, then the two others.
    corners: [Place; 3],
    /// Whether the single vertex is the one that radiates.
    lit: bool,
    /// Interval of the boundary on the sides to each of the others, as fractions of the side.
    between: [[f64; 2]; 2],
}

impl Cut {
    fn new(piece: &Piece) -> Cut {
        let [a, b, c] = piece.corners;
        let (corners, lit) = match piece.radiates {
            [p, q, r] if q == r => ([a, b, c], p),
            [p, q, r] if p == r => ([b, c, a], q),
            [_, _, r] => ([c, a, b], r),
        };
        Cut {
            triangle: piece.triangle,
            corners,
            lit,
            between: [[0.0, 1.0]; 2],
        }
    }

    /// Returns the midpoints of both intervals between illuminated and shadowed points.
    fn middles(&self) -> [Place; 2] {
        let [a, b, c] = self.corners;
        let [first, second] = self.between.map(|[low, high]| 0.5 * (low + high));
        [between(a, b, first), between(a, c, second)]
    }

    /// Halves the intervals, given which midpoints radiate.
    fn narrow(&mut self, radiates: [bool; 2]) {
        for (range, radiates) in self.between.iter_mut().zip(radiates) {
            let middle = 0.5 * (range[0] + range[1]);
            range[usize::from(radiates != self.lit)] = middle;
        }
    }

    /// Returns the triangles of the illuminated part.
    fn lit(&self) -> impl Iterator<Item = [Place; 3]> {
        let [a, b, c] = self.corners;
        let [first, second] = self.middles();
        let (one, other) = if self.lit {
            ([a, first, second], None)
        } else {
            ([first, b, c], Some([first, c, second]))
        };
        std::iter::once(one).chain(other)
    }
}

/// Returns the point at a fraction of the segment from `a` to `b`.
fn between(a: Place, b: Place, share: f64) -> Place {
    [0, 1].map(|axis| a[axis] + share * (b[axis] - a[axis]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_cover_a_facet_once() {
        for count in [1, 2, 5] {
            let lattice: Vec<Place> = (0..=count)
                .flat_map(|j| (0..=count - j).map(move |i| [i as f64, j as f64]))
                .collect();
            let areas: Vec<f64> = pieces(count)
                .map(|corners| {
                    let [a, b, c] = corners.map(|corner| lattice[corner]);
                    (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
                })
                .collect();
            assert_eq!(areas.len(), count * count);
            assert!(areas.iter().all(|&area| area == 1.0), "{areas:?}");
        }
    }

    #[test]
    fn quarters_keep_orientation_and_states() {
        let piece = Piece {
            triangle: 0,
            corners: WHOLE,
            radiates: [true, false, false],
        };
        let quarters = piece.quarters([false, true, true]);
        for piece in &quarters {
            let [a, b, c] = piece.corners;
            let area = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
            assert_eq!(area, 0.25);
        }
        assert_eq!(quarters[0].radiates, [true; 3]);
        assert_eq!(quarters[3].radiates, [false, true, true]);
    }

    #[test]
    fn a_straight_shadow_cuts_what_it_should() {
        // Illuminated where u + 2v < 0.7: 0.7²/4 of the triangle's area of one half.
        let lit = |[u, v]: Place| u + 2.0 * v < 0.7;
        for turn in 0..3 {
            let corners = [0, 1, 2].map(|corner| WHOLE[(corner + turn) % 3]);
            let mut cut = Cut::new(&Piece {
                triangle: 0,
                corners,
                radiates: corners.map(lit),
            });
            for _ in 0..20 {
                cut.narrow(cut.middles().map(lit));
            }
            let area = |[a, b, c]: [Place; 3]| {
                0.5 * ((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]))
            };
            let sum: f64 = cut.lit().map(area).sum();
            assert!((sum - 0.49 / 4.0).abs() < 1e-5, "{sum}");
            let dark = Cut { lit: false, ..cut };
            let rest: f64 = dark.lit().map(area).sum();
            assert!((sum + rest - 0.5).abs() < 1e-12);
        }
    }
}
