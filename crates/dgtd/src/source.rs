//! Sources: plane waves on a Huygens surface (total-field/scattered-field, TF/SF) and Hertzian dipoles.
//!
//! A source adds to the rate of change of the fields in a few elements. The numerical flux is linear in the jumps
//! across a face, so the TF/SF source is the flux of the jump of the incident field on the Huygens surface: it is added
//! to the flux of the computed fields.

use rayon::prelude::*;
use wavefield_numerics::vector::{cross, dot};
use wavefield_physics::constants::VACUUM_IMPEDANCE;
use wavefield_physics::direction::Direction;

use crate::discretization::Discretization;
use crate::error::Error;
use crate::flux::Fields;
use crate::huygens::HuygensSurface;
use crate::pulse::Pulse;

/// Source terms: rates of change at all nodes of some elements.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SourceTerms {
    /// Elements with source terms, each once.
    pub elements: Vec<u32>,
    /// Source terms, node after node, element after element.
    pub rates: Vec<Fields>,
}

/// Source terms of one element: a sum of delayed pulses.
#[derive(Clone, Debug)]
struct Pattern {
    /// Index of the element among those of the source.
    place: usize,
    /// Source term per unit of the pulse.
    strength: Fields,
    /// Delay of each pulse, m.
    delays: Vec<f64>,
    /// Weights of the pulses at each node, node after node.
    weights: Vec<f64>,
}

/// Source with one pulse.
#[derive(Clone, Debug)]
pub struct Source {
    pulse: Pulse,
    /// Time at which the last delayed pulse has ended, m.
    end: f64,
    nodes: usize,
    /// Patterns, sorted by element.
    patterns: Vec<Pattern>,
    elements: Vec<u32>,
}

/// Incident plane wave of unit amplitude.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct IncidentWave {
    /// Direction of incidence: the wave is incident from here.
    pub from: Direction,
    /// Direction of the electric field, a unit vector normal to the direction of propagation.
    pub polarization: [f64; 3],
}

impl IncidentWave {
    /// Returns the direction of propagation, a unit vector.
    pub fn travel(&self) -> [f64; 3] {
        self.from.unit().map(|x| -x)
    }

    /// Returns E and Z₀H per unit of the pulse.
    pub fn fields(&self) -> Fields {
        [self.polarization, cross(self.travel(), self.polarization)]
    }
}

impl Source {
    /// Creates a total-field/scattered-field (TF/SF) source: the incident plane wave exists inside the Huygens surface
    /// only.
    ///
    /// The pulse has its center at the origin at [`start`](Source::start) plus the pulse's delay.
    pub fn plane_wave(
        d: &Discretization,
        surface: &HuygensSurface,
        wave: IncidentWave,
        pulse: Pulse,
    ) -> Source {
        let start = Source::start(d, surface, wave);
        let travel = wave.travel();
        let sides = surface.faces.iter().flat_map(|face| {
            // Seen from inside, the neighbor lacks the incident field; seen from outside, it has it in excess.
            [(face.inside, 1.0), (face.outside, -1.0)]
        });
        let patterns = sides.map(|((element, face), sign)| {
            let (at, face) = (element as usize, face as usize);
            let factors = d.flux(at, face);
            let scale = sign * d.geometry[at].face_scale(face);
            let strength = factors.of(d.geometry[at].normal(face), wave.fields());
            let on_face = d.reference.nodes_on_face();
            let delays = d.reference.face_nodes(face).iter();
            let delays = delays.map(|&node| dot(travel, d.position(at, node)) + start);
            let weights = (0..d.reference.nodes())
                .flat_map(|node| &d.reference.lift(node)[face * on_face..(face + 1) * on_face]);
            let pattern = Pattern {
                place: 0,
                strength: strength.map(|f| f.map(|x| scale * x)),
                delays: delays.collect(),
                weights: weights.copied().collect(),
            };
            (element, pattern)
        });
        Source::new(d, pulse, patterns.collect())
    }

    /// Returns the delay of the wave from the front of the surface to the origin, m.
    pub fn start(d: &Discretization, surface: &HuygensSurface, wave: IncidentWave) -> f64 {
        let travel = wave.travel();
        let corners = surface
            .faces
            .iter()
            .flat_map(|face| d.corners(face.inside.0 as usize));
        -corners
            .map(|c| dot(travel, c))
            .fold(f64::INFINITY, f64::min)
    }

    /// Creates a Hertzian dipole at a point, with a current moment in A·m.
    ///
    /// # Errors
    /// The point lies outside the mesh.
    pub fn dipole(
        d: &Discretization,
        point: [f64; 3],
        moment: [f64; 3],
        pulse: Pulse,
    ) -> Result<Source, Error> {
        let (element, barycentric) = d.locate(point).ok_or(Error::Outside { point })?;
        // ε ∂E/∂t = ∇×H − J; the reference tetrahedron has a volume of 4/3, hence J = 3V/4.
        let scale =
            -VACUUM_IMPEDANCE / d.media[element].permittivity / (0.75 * d.geometry[element].volume);
        let pattern = Pattern {
            place: 0,
            strength: [moment.map(|x| scale * x), [0.0; 3]],
            delays: vec![0.0],
            weights: d.reference.impulse(barycentric),
        };
        Ok(Source::new(d, pulse, vec![(element as u32, pattern)]))
    }

    fn new(d: &Discretization, pulse: Pulse, mut patterns: Vec<(u32, Pattern)>) -> Source {
        patterns.sort_by_key(|(element, _)| *element);
        let mut elements: Vec<u32> = patterns.iter().map(|(element, _)| *element).collect();
        elements.dedup();
        let latest =
            (patterns.iter().flat_map(|(_, p)| &p.delays)).fold(0.0, |a: f64, &b| a.max(b));
        let patterns = patterns
            .into_iter()
            .map(|(element, pattern)| Pattern {
                place: elements.partition_point(|&e| e < element),
                ..pattern
            })
            .collect();
        Source {
            pulse,
            end: latest + pulse.duration(),
            nodes: d.reference.nodes(),
            patterns,
            elements,
        }
    }

    /// Returns a buffer for the source terms.
    pub fn additions(&self) -> SourceTerms {
        SourceTerms {
            elements: self.elements.clone(),
            rates: vec![[[0.0; 3]; 2]; self.elements.len() * self.nodes],
        }
    }

    /// Returns the time at which the source has ended, m.
    pub fn end(&self) -> f64 {
        self.end
    }

    /// Writes the source terms at a time (m).
    pub fn write(&self, time: f64, additions: &mut SourceTerms) {
        let nodes = self.nodes;
        let rates: Vec<(&[Pattern], &mut [Fields])> = (self.patterns)
            .chunk_by(|a, b| a.place == b.place)
            .zip(additions.rates.chunks_mut(nodes))
            .collect();
        rates
            .into_par_iter()
            .with_min_len(64)
            .for_each(|(patterns, rates)| {
                rates.fill([[0.0; 3]; 2]);
                for pattern in patterns {
                    let values: Vec<f64> = (pattern.delays.iter())
                        .map(|delay| self.pulse.value(time - delay))
                        .collect();
                    if values.iter().all(|&v| v == 0.0) {
                        continue;
                    }
                    let weights = pattern.weights.chunks(values.len());
                    for (rate, weights) in rates.iter_mut().zip(weights) {
                        let value: f64 = weights.iter().zip(&values).map(|(w, v)| w * v).sum();
                        for kind in 0..2 {
                            for c in 0..3 {
                                rate[kind][c] += value * pattern.strength[kind][c];
                            }
                        }
                    }
                }
            });
    }
}
