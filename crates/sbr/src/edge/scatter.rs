//! Sum of the fringe currents of all edges.
//!
//! Each edge is cut into short pieces; each piece sends a strip over either face. Where a strip ends at
//! another edge, its wave is diffracted there as a wave that grazes the face (φ' = 0), and so on up to
//! the given number of edges. Thin plates need the second edge in the hard polarisation.

use std::f64::consts::PI;

use num_complex::Complex64;
use rayon::prelude::*;

use super::moment::FaceResponse;
use super::wedge::Wedge;
use wavefield_numerics::vector::{along, combine, cross, dot, norm, scaled, sub, unit};

/// Where the strip of one piece of edge ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Strip {
    /// Length in metres; infinite where the face goes on smoothly out of reach.
    pub length: f64,
    /// The edge it ends at, if that edge diffracts.
    pub end: Option<StripEnd>,
}

/// The edge at the end of a strip.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StripEnd {
    /// Index of the wedge.
    pub wedge: usize,
    /// Which of its two faces the strip lies on.
    pub face: usize,
    /// Direction of travel on arrival, in the plane of that face.
    pub direction: [f64; 3],
    /// The point reached.
    pub point: [f64; 3],
}

/// What the sum asks about the body around its edges.
pub trait Surroundings {
    /// The strip that starts at `point` of a wedge and runs along `direction` over one of its faces.
    fn strip(&self, wedge: usize, face: usize, point: [f64; 3], direction: [f64; 3]) -> Strip;

    /// Whether the incident wave reaches `point` of a wedge.
    fn lit(&self, wedge: usize, point: [f64; 3]) -> bool;

    /// Whether the observer sees `point` of a wedge.
    fn seen(&self, wedge: usize, point: [f64; 3]) -> bool;
}

/// A plane wave and an observer at infinity.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Aspect {
    /// k in 1/m.
    pub wavenumber: f64,
    /// Direction in which the incident wave travels.
    pub propagation: [f64; 3],
    /// Direction to the observer; for the monostatic case the opposite of `propagation`.
    pub observer: [f64; 3],
}

/// Edge waves are not followed over strips shorter than this in wavelengths/2π.
const SHORTEST_EDGE_WAVE: f64 = 1.0;

/// Wedges that one thread sums up. Blocks are added in order, so that the bits do not depend on the threads.
const BLOCK: usize = 8;

/// Far field r E e^{jkr} of the fringe currents of all wedges, for each incident field given at the
/// origin. Phase origin is the origin of coordinates.
///
/// `edges_in_sequence` counts the edges met one after the other: 1 for the classical truncated wedge, 2 or
/// more with edge waves. Three are right for a flat strip and too many for most bodies.
pub fn scattered<const P: usize>(
    wedges: &[Wedge],
    surroundings: &(impl Surroundings + Sync),
    aspect: &Aspect,
    fields: [[Complex64; 3]; P],
    pieces_per_wavelength: f64,
    edges_in_sequence: usize,
) -> [[Complex64; 3]; P] {
    let zero = [[Complex64::new(0.0, 0.0); 3]; P];
    let blocks: Vec<_> = (0..wedges.len().div_ceil(BLOCK))
        .into_par_iter()
        .map(|block| {
            let mut sum = Sum {
                wedges,
                surroundings,
                aspect,
                moments: zero,
            };
            for index in block * BLOCK..wedges.len().min((block + 1) * BLOCK) {
                sum.add_edge(index, fields, pieces_per_wavelength, edges_in_sequence);
            }
            sum.moments
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

/// What current moments at the origin radiate towards the observer: r E e^{jkr} = −(jk/4π) (K − ŝ ŝ·K).
pub(super) fn far_field<const P: usize>(
    aspect: &Aspect,
    moments: [[Complex64; 3]; P],
) -> [[Complex64; 3]; P] {
    let front = Complex64::new(0.0, -aspect.wavenumber / (4.0 * PI));
    moments.map(|moment| {
        let radial = along(moment, aspect.observer);
        [0, 1, 2].map(|i| front * (moment[i] - aspect.observer[i] * radial))
    })
}

struct Sum<'a, S, const P: usize> {
    wedges: &'a [Wedge],
    surroundings: &'a S,
    aspect: &'a Aspect,
    moments: [[Complex64; 3]; P],
}

/// A wave arriving at a piece of edge.
struct Arrival<const P: usize> {
    wedge: usize,
    /// The face from which `incidence` is counted.
    face: usize,
    point: [f64; 3],
    /// Whether the observer sees the point.
    seen: bool,
    /// Length of the piece.
    piece: f64,
    propagation: [f64; 3],
    incidence: f64,
    fields: [[Complex64; 3]; P],
}

impl<S: Surroundings, const P: usize> Sum<'_, S, P> {
    fn add_edge(
        &mut self,
        index: usize,
        fields: [[Complex64; 3]; P],
        pieces_per_wavelength: f64,
        edges_in_sequence: usize,
    ) {
        let wedge = &self.wedges[index];
        let Aspect {
            wavenumber,
            propagation,
            observer,
        } = *self.aspect;
        let Some(incidence) = wedge.incidence_angle(propagation) else {
            return;
        };
        let span = sub(wedge.ends[1], wedge.ends[0]);
        let wavelengths = wedge.length() * wavenumber / (2.0 * PI);
        let pieces = (wavelengths * pieces_per_wavelength).ceil().max(1.0);
        for i in 0..pieces as usize {
            let point = combine(wedge.ends[0], 1.0, span, (i as f64 + 0.5) / pieces);
            if !self.surroundings.lit(index, point) {
                continue;
            }
            // For backscatter, what is lit is seen.
            let backscatter = propagation == scaled(observer, -1.0);
            let arriving = Complex64::from_polar(1.0, -wavenumber * dot(propagation, point));
            let arrival = Arrival {
                wedge: index,
                face: 0,
                point,
                seen: backscatter || self.surroundings.seen(index, point),
                piece: wedge.length() / pieces,
                propagation,
                incidence,
                fields: fields.map(|field| field.map(|c| c * arriving)),
            };
            self.add(&arrival, edges_in_sequence);
        }
    }

    /// Adds both strips of one piece of edge, and what their waves do at the next edge.
    fn add(&mut self, arrival: &Arrival<P>, edges_left: usize) {
        let wedge = &self.wedges[arrival.wedge];
        let k = self.aspect.wavenumber;
        let observer = self.aspect.observer;
        // The phase runs linearly along a piece, for an edge wave too: strips side by side arrive like a
        // plane wave.
        let turn = k * dot(wedge.frames[0].z, sub(observer, arrival.propagation));
        let weight = Complex64::from_polar(
            arrival.piece * sinc(0.5 * arrival.piece * turn),
            k * dot(observer, arrival.point),
        );
        if !arrival.seen && edges_left < 2 {
            return;
        }
        for face in 0..2 {
            let frame = wedge.frames[face];
            let incidence = if face == arrival.face {
                arrival.incidence
            } else {
                wedge.n * PI - arrival.incidence
            };
            let Some(response) =
                FaceResponse::new(frame, wedge.n, k, arrival.propagation, incidence, observer)
            else {
                continue;
            };
            let direction = frame.strip_direction(arrival.propagation);
            let strip = self
                .surroundings
                .strip(arrival.wedge, face, arrival.point, direction);
            let coefficients = response.coefficients(strip.length);
            if arrival.seen {
                for (moment, field) in self.moments.iter_mut().zip(arrival.fields) {
                    let add = response.moment(&coefficients, field);
                    for i in 0..3 {
                        moment[i] += add[i] * weight;
                    }
                }
            }
            let Some(end) = strip.end else { continue };
            if edges_left < 2 || k * strip.length <= SHORTEST_EDGE_WAVE {
                continue;
            }
            let next = &self.wedges[end.wedge];
            // Strips side by side keep their spacing: the piece of the next edge they cover is longer
            // where they meet it at a smaller angle.
            let leaving = norm(cross(direction, frame.z));
            let meeting = norm(cross(end.direction, next.frames[end.face].z));
            if meeting < 1e-3 {
                continue;
            }
            let normal = next.frames[end.face].y;
            let next_arrival = Arrival {
                wedge: end.wedge,
                face: end.face,
                point: end.point,
                seen: self.surroundings.seen(end.wedge, end.point),
                piece: arrival.piece * leaving / meeting,
                propagation: unit(end.direction),
                incidence: 0.0,
                fields: arrival.fields.map(|field| {
                    let wave = response.edge_wave(&coefficients, strip.length, field);
                    normal.map(|c| wave * c)
                }),
            };
            self.add(&next_arrival, edges_left - 1);
        }
    }
}

pub(super) fn sinc(x: f64) -> f64 {
    if x.abs() < 1e-4 {
        1.0 - x * x / 6.0
    } else {
        x.sin() / x
    }
}
