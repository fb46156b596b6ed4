//! Sum of the fringe currents of all edges.
//!
//! Each edge is divided into short segments; each segment launches a strip over either face. Where a strip
//! ends at another edge, its edge wave is diffracted there at grazing incidence (φ' = 0), up to a given
//! number of edges. Thin plates need the second edge in the hard polarization.

use std::f64::consts::PI;

use num_complex::Complex64;
use rayon::prelude::*;

use super::moment::FaceResponse;
use super::wedge::Wedge;
use wavefield_numerics::vector::{along, combine, cross, dot, norm, scaled, sub, unit};

/// End of the strip of an edge segment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Strip {
    /// Length, m; infinite where the face continues smoothly beyond the search range.
    pub length: f64,
    /// Edge at the end of the strip, if it diffracts.
    pub end: Option<StripEnd>,
}

/// Edge at the end of a strip.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StripEnd {
    /// Index of the wedge.
    pub wedge: usize,
    /// Index of the wedge's face that contains the strip.
    pub face: usize,
    /// Direction of propagation on arrival, in the plane of that face.
    pub direction: [f64; 3],
    /// End point of the strip.
    pub point: [f64; 3],
}

/// Visibility and strip geometry of the body around its edges.
pub trait Surroundings {
    /// Returns the strip that starts at `point` of a wedge and runs along `direction` over one of its faces.
    fn strip(&self, wedge: usize, face: usize, point: [f64; 3], direction: [f64; 3]) -> Strip;

    /// Returns whether `point` of a wedge is illuminated by the incident wave.
    fn lit(&self, wedge: usize, point: [f64; 3]) -> bool;

    /// Returns whether `point` of a wedge is visible to the observer.
    fn seen(&self, wedge: usize, point: [f64; 3]) -> bool;
}

/// Plane wave and direction of observation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Aspect {
    /// Wavenumber k, rad/m.
    pub wavenumber: f64,
    /// Direction of propagation of the incident wave.
    pub propagation: [f64; 3],
    /// Direction of observation; opposite of `propagation` for the monostatic case.
    pub observer: [f64; 3],
}

/// Minimum reduced length of strips with edge waves, in wavelengths/2π.
const SHORTEST_EDGE_WAVE: f64 = 1.0;

/// Number of wedges per block of the parallel sum. Blocks are added in order, which makes the sum bitwise
/// identical for any number of threads.
const BLOCK: usize = 8;

/// Returns the far field r E e^{jkr} of the fringe currents of all wedges, for each incident field at the
/// origin. The phase reference is the origin of coordinates.
///
/// `edges_in_sequence` is the number of successive edges: 1 for the classical truncated wedge, 2 or more
/// with edge waves. Three are accurate for a flat strip and lower the accuracy for most bodies.
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

/// Returns the far field of current moments at the origin toward the observer: r E e^{jkr} = −(jk/4π) (K − ŝ
/// ŝ·K).
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

/// Wave incident on an edge segment.
struct Arrival<const P: usize> {
    wedge: usize,
    /// Face from which `incidence` is measured.
    face: usize,
    point: [f64; 3],
    /// Whether the point is visible to the observer.
    seen: bool,
    /// Length of the segment, m.
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
            // In backscatter, illuminated points are visible.
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

    /// Adds both strips of an edge segment, and the diffraction of their edge waves at the next edge.
    fn add(&mut self, arrival: &Arrival<P>, edges_left: usize) {
        let wedge = &self.wedges[arrival.wedge];
        let k = self.aspect.wavenumber;
        let observer = self.aspect.observer;
        // The phase is linear along a segment, for an edge wave too: adjacent strips are incident like a
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
            // Adjacent strips keep their spacing: the segment that they cover on the next edge is longer at
            // a smaller angle of incidence.
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
