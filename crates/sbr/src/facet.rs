//! First reflections, facet by facet.
//!
//! Physical optics of a flat facet under a plane wave has a closed form, so a first reflection needs no tubes: what
//! of the facet sees the source, and whose reflection leaves the body, radiates as a whole. A facet shorter than a
//! wavelength is taken or left by its middle. Of a longer one the corners of a lattice of pieces are asked; where
//! all say yes the whole facet is one patch, and pieces whose corners disagree, on a shadow's boundary, are
//! divided until they are as small as the finest tubes.

use rayon::prelude::*;

use crate::aperture::{Density, Wave};
use crate::patch::{Outline, Patch};
use crate::receiver::Receiver;
use crate::trace::{Hit, Ray};
use crate::vector::{cross, dot, scaled, sub};

/// Facets up to this length in wavelengths are small.
pub(crate) const SMALL: f64 = 1.0;
/// A piece of a long facet is so many sides of a tube long, 2² of them.
const PIECE: f64 = 4.0;
const PIECE_HALVINGS: u32 = 2;
/// Most pieces along a side of a facet: beyond it pieces are longer.
const MOST_PIECES: f64 = 4096.0;
/// Points a thread asks at once, as far as facets can be kept together.
const BLOCK: usize = 16384;
/// Blocks whose sums are held at once.
const BLOCKS: usize = 64;

/// A point of a facet by the weights of its second and third corner.
type Place = [f64; 2];

/// A piece of a facet, and which of its corners radiate.
#[derive(Clone, Copy, Debug)]
struct Piece {
    triangle: u32,
    corners: [Place; 3],
    radiates: [bool; 3],
}

const WHOLE: [Place; 3] = [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]];

impl Wave<'_> {
    /// Hands small facets that radiate to a receiver; the number of rays that it took.
    pub(crate) fn reflect_by_small_facets<R: Receiver>(&self, receiver: &mut R) -> u64 {
        let small: Vec<u32> = (0..self.lengths.len() as u32)
            .filter(|&triangle| self.is_small(triangle))
            .collect();
        let blocks: Vec<&[u32]> = small.chunks(BLOCK).collect();
        self.in_blocks(&blocks, receiver, |facets, receiver| {
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
        })
    }

    /// Hands what radiates of long facets to a receiver; the number of rays that it took.
    pub(crate) fn reflect_by_long_facets<R: Receiver>(
        &self,
        density: Density,
        receiver: &mut R,
    ) -> u64 {
        let longest_piece = PIECE * density.step * self.wavelength;
        // Pieces along a side.
        let pieces = |triangle: u32| {
            let length = self.lengths[triangle as usize];
            (length / longest_piece).ceil().clamp(1.0, MOST_PIECES) as usize
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
        let halvings = PIECE_HALVINGS + density.halvings;
        self.in_blocks(&blocks, receiver, |facets, receiver| {
            self.long_facets(facets, halvings, receiver)
        })
    }

    fn is_small(&self, triangle: u32) -> bool {
        self.lengths[triangle as usize] <= SMALL * self.wavelength
    }

    /// Works through blocks on all threads and joins their sums in order; the sum of the rays.
    fn in_blocks<R: Receiver, B: Sync>(
        &self,
        blocks: &[B],
        receiver: &mut R,
        work: impl Fn(&B, &mut R) -> u64 + Sync,
    ) -> u64 {
        let mut rays = 0;
        for blocks in blocks.chunks(BLOCKS) {
            let parts: Vec<(R, u64)> = blocks
                .par_iter()
                .map(|block| {
                    let mut part = receiver.empty();
                    let rays = work(block, &mut part);
                    (part, rays)
                })
                .collect();
            for (part, of_part) in &parts {
                receiver.join(part);
                rays += of_part;
            }
        }
        rays
    }

    /// Long facets, each with the number of pieces along its sides.
    fn long_facets<R: Receiver>(
        &self,
        facets: &[(u32, usize)],
        halvings: u32,
        receiver: &mut R,
    ) -> u64 {
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
        for _ in 0..halvings {
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
        let middles: Vec<(u32, Place)> = divided
            .iter()
            .map(|piece| (piece.triangle, piece.middle()))
            .collect();
        let (radiates, of_last) = self.radiating(&middles);
        for (piece, _) in divided.iter().zip(radiates).filter(|(_, yes)| *yes) {
            receiver.receive(&self.piece(piece.triangle, piece.corners));
        }
        rays + of_last
    }

    /// A piece whose corners agree radiates or does not; any other is divided.
    fn settle<R: Receiver>(&self, piece: Piece, receiver: &mut R, divided: &mut Vec<Piece>) {
        match piece.radiates {
            [true, true, true] => receiver.receive(&self.piece(piece.triangle, piece.corners)),
            [false, false, false] => {}
            _ => divided.push(piece),
        }
    }

    /// Which points of facets see the source and send the wave out of the body at its first reflection; and the
    /// number of rays to find out.
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

    /// Of some places those from which a ray leaves the body.
    fn free(
        &self,
        places: &[(u32, Place)],
        some: Vec<usize>,
        towards: impl Fn(u32) -> [f64; 3],
    ) -> Vec<usize> {
        let surface = self.tracer.surface();
        let rays: Vec<Ray> = some
            .iter()
            .map(|&place| {
                let (triangle, [u, v]) = places[place];
                Ray {
                    leaves: triangle,
                    ..Ray::new(surface.inside(triangle, u, v), towards(triangle))
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

    /// A piece of a facet under the incident wave.
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
            way: dot(direction, point),
            direction,
            outline: Outline::Triangle([a, b, c]),
            area: 0.5 * dot(cross(sub(b, a), sub(c, a)), normal).abs(),
            currents: self
                .transmitted
                .map(|field| cross(normal, cross(direction, field))),
        }
    }
}

/// The pieces of a facet with `count` along its sides, by the numbers of their corners in its lattice.
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
    fn middle(&self) -> Place {
        let [a, b, c] = self.corners;
        [0, 1].map(|axis| (a[axis] + b[axis] + c[axis]) / 3.0)
    }

    /// The middles of the sides opposite to each corner.
    fn sides(&self) -> [Place; 3] {
        let between = |a: Place, b: Place| [0, 1].map(|axis| 0.5 * (a[axis] + b[axis]));
        let [a, b, c] = self.corners;
        [between(b, c), between(c, a), between(a, b)]
    }

    /// The four pieces it is divided into, with what is known of the middles of its sides.
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
}
