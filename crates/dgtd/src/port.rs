//! Lumped ports: resistive sheets with a voltage source, on faces between two conductors.
//!
//! The tangential E is continuous across the sheet, and n × (H⁺ − H⁻) is its surface current Y E − J₀ along the port,
//! with the sheet conductance Y and the short-circuit current density J₀ of the source. With the incoming
//! characteristics w⁻ = E⁻ − Z⁻ n × H⁻ and w⁺ = E⁺ + Z⁺ n × H⁺, the solution of the Riemann problem is
//!
//! E* = (Y⁻w⁻ + Y⁺w⁺ + J₀) / (Y⁻ + Y⁺ + Y) along the port, and that without a sheet across it.
//!
//! Relative to a face without a sheet, E* changes by ΔE*, the rate of E on either side by Y ΔE*/ε, and that of H by
//! −n × ΔE*/μ, both lifted: a port adds source terms to its elements.

use num_complex::Complex64;
use wavefield_numerics::vector::{cross, dot, norm, scaled};
use wavefield_physics::constants::VACUUM_IMPEDANCE;

use crate::discretization::Discretization;
use crate::error::Error;
use crate::extrapolation::{self, SAMPLES};
use crate::flux::Fields;
use crate::pulse::Pulse;
use crate::source::SourceTerms;
use crate::topology::Side;

/// Face of a port as seen from both sides.
#[derive(Clone, Debug)]
struct PortFace {
    /// Element, face, and index among the elements with source terms, on this side and the other.
    sides: [(usize, usize, usize); 2],
    normal: [f64; 3],
    /// Direction of the port within the face.
    along: [f64; 3],
    /// Area, m².
    area: f64,
    /// Fraction of the port's area of each node.
    weights: Vec<f64>,
}

/// Lumped port: a reference impedance in series with a voltage source.
#[derive(Clone, Debug)]
pub struct Port {
    faces: Vec<PortFace>,
    watched: Vec<(u32, u16)>,
    elements: Vec<u32>,
    /// Distance between the conductors, m.
    length: f64,
    /// Reference impedance, Ω.
    resistance: f64,
    /// Sheet conductance Y, relative to the admittance of vacuum.
    conductance: f64,
    /// Source voltage, V at the peak of the pulse; `None` for a matched load.
    pulse: Option<Pulse>,
    /// Voltage across the port at the beginning of each time step, V.
    pub voltages: Vec<f64>,
}

impl Port {
    /// Creates a port on the faces of a surface group, by its number, with the current along a direction.
    ///
    /// A source of unit voltage with the shape of the pulse drives the port.
    ///
    /// # Errors
    /// The surface is not inside the mesh, or not parallel to the direction.
    pub fn new(
        d: &Discretization,
        surface: u32,
        name: &str,
        direction: [f64; 3],
        resistance: f64,
        pulse: Option<Pulse>,
    ) -> Result<Port, Error> {
        let refused = || Error::Port {
            name: name.to_owned(),
        };
        let direction = scaled(direction, norm(direction).recip());
        let mut faces = Vec::new();
        let mut elements = Vec::new();
        let (mut low, mut high, mut area) = (f64::INFINITY, f64::NEG_INFINITY, 0.0);
        for element in 0..d.elements() {
            for face in 0..4 {
                if d.topology.surfaces[element][face] != Some(surface) {
                    continue;
                }
                let Side::Neighbor {
                    element: other,
                    face: opposite,
                } = d.topology.sides[element][face]
                else {
                    return Err(refused());
                };
                if (other as usize) < element {
                    continue;
                }
                let normal = d.geometry[element].normal(face);
                if dot(normal, direction).abs() > 1e-6 {
                    return Err(refused());
                }
                for corner in (0..4).filter(|&c| c != face) {
                    let at = dot(direction, d.corners(element)[corner]);
                    (low, high) = (low.min(at), high.max(at));
                }
                area += d.geometry[element].area(face);
                elements.extend([element as u32, other]);
                faces.push(PortFace {
                    sides: [(element, face, 0), (other as usize, opposite as usize, 0)],
                    normal,
                    along: direction,
                    area: d.geometry[element].area(face),
                    weights: Vec::new(),
                });
            }
        }
        let length = high - low;
        if faces.is_empty() || length.is_nan() || length <= 0.0 {
            return Err(refused());
        }
        elements.sort_unstable();
        elements.dedup();
        for (element, _, place) in faces.iter_mut().flat_map(|face| &mut face.sides) {
            *place = elements.partition_point(|&e| (e as usize) < *element);
        }
        // R = length / (width · Y), and width = area / length.
        let conductance = VACUUM_IMPEDANCE * length * length / (area * resistance);
        let mut port = Port {
            faces,
            watched: Vec::new(),
            elements,
            length,
            resistance,
            conductance,
            pulse,
            voltages: Vec::new(),
        };
        port.set_nodes(d);
        Ok(port)
    }

    /// Returns the port on a discretization of the same mesh with another order.
    pub(crate) fn at_order(&self, d: &Discretization) -> Port {
        let mut port = self.clone();
        port.set_nodes(d);
        port
    }

    /// Computes the nodes of the port and their weights.
    fn set_nodes(&mut self, d: &Discretization) {
        let average: Vec<f64> = d.reference.face_average().collect();
        let area: f64 = self.faces.iter().map(|face| face.area).sum();
        self.watched.clear();
        for face in &mut self.faces {
            face.weights = average.iter().map(|w| w * face.area / area).collect();
            for &(element, number, _) in &face.sides {
                let nodes = d.reference.face_nodes(number).iter();
                (self.watched).extend(nodes.map(|&node| (element as u32, node as u16)));
            }
        }
    }

    /// Returns the elements and nodes whose fields a stage of the port needs.
    pub fn watched(&self) -> &[(u32, u16)] {
        &self.watched
    }

    /// Returns a buffer for the source terms of this port.
    pub fn additions(&self, d: &Discretization) -> SourceTerms {
        SourceTerms {
            elements: self.elements.clone(),
            rates: vec![[[0.0; 3]; 2]; self.elements.len() * d.reference.nodes()],
        }
    }

    /// Writes the source terms at a time (m), given the fields at the watched nodes; returns the voltage across the
    /// port, V.
    pub fn write(
        &self,
        d: &Discretization,
        time: f64,
        fields: &[Fields],
        additions: &mut SourceTerms,
    ) -> f64 {
        additions.rates.fill([[0.0; 3]; 2]);
        let behind = self.pulse.map_or(0.0, |pulse| pulse.value(time));
        let short_circuit = self.conductance * behind / self.length;
        let (nodes, on_face) = (d.reference.nodes(), d.reference.nodes_on_face());
        let mut voltage = 0.0;
        for (face, fields) in self.faces.iter().zip(fields.chunks(2 * on_face)) {
            let admittance = face.sides.map(|(e, ..)| d.media[e].impedance().recip());
            // On both sides n points from the first element to the second.
            let arriving = |side: usize, [e, h]: Fields| {
                let sign = if side == 0 { -1.0 } else { 1.0 };
                let turned = cross(face.normal, h);
                dot(face.along, e) * admittance[side] + sign * dot(face.along, turned)
            };
            let bare = admittance[0] + admittance[1];
            let change: Vec<f64> = (0..on_face)
                .map(|i| {
                    let sum = arriving(0, fields[i]) + arriving(1, fields[on_face + i]);
                    let with = (sum + short_circuit) / (bare + self.conductance);
                    voltage += face.weights[i] * with * self.length;
                    with - sum / bare
                })
                .collect();
            for (side, &(element, number, place)) in face.sides.iter().enumerate() {
                let (shape, medium) = (&d.geometry[element], d.media[element]);
                let scale = shape.face_scale(number);
                let turned = cross(shape.normal(number), face.along);
                let electric = scaled(face.along, scale * admittance[side] / medium.permittivity);
                let magnetic = scaled(turned, -scale / medium.permeability);
                let rates = &mut additions.rates[place * nodes..(place + 1) * nodes];
                for (node, rate) in rates.iter_mut().enumerate() {
                    let lift = &d.reference.lift(node)[number * on_face..(number + 1) * on_face];
                    let value: f64 = lift.iter().zip(&change).map(|(l, c)| l * c).sum();
                    for c in 0..3 {
                        rate[0][c] += value * electric[c];
                        rate[1][c] += value * magnetic[c];
                    }
                }
            }
        }
        voltage
    }

    /// Returns the spectrum ∫ V e^{−jkt} dt of the voltage at a wavenumber (rad/m), for time steps of `dt` (m).
    pub fn voltage(&self, k: f64, dt: f64) -> Complex64 {
        (self.voltages.iter().enumerate())
            .map(|(step, v)| v * dt * Complex64::from_polar(1.0, -k * step as f64 * dt))
            .sum()
    }

    /// Returns the spectrum of the voltage extrapolated to infinite time from free decay after step `from`, and its
    /// relative change with one sample less.
    pub(crate) fn extrapolated_voltage(&self, k: f64, dt: f64, from: u64) -> (Complex64, f64) {
        let turned =
            |(step, v): (usize, &f64)| v * dt * Complex64::from_polar(1.0, -k * step as f64 * dt);
        let from = (from as usize).min(self.voltages.len());
        // The sequence of a scalar becomes a sequence of vectors of successive partial sums.
        let spacing = (self.voltages.len() - from) / (2 * SAMPLES - 1);
        if spacing == 0 {
            return (self.voltage(k, dt), 0.0);
        }
        let mut sum = Complex64::ZERO;
        let sums: Vec<Complex64> = (self.voltages.iter().enumerate())
            .map(turned)
            .map(|part| {
                sum += part;
                sum
            })
            .skip(from)
            .step_by(spacing)
            .take(2 * SAMPLES)
            .collect();
        let sequence: Vec<&[Complex64]> = sums.windows(SAMPLES).collect();
        let (limit, change) = extrapolation::limit(&sequence);
        (limit[limit.len() - 1], change)
    }

    /// Drives the port with a unit voltage of the shape of a pulse.
    pub fn drive(&mut self, pulse: Pulse) {
        self.pulse = Some(pulse);
    }

    /// Returns the reference impedance, Ω.
    pub fn resistance(&self) -> f64 {
        self.resistance
    }

    /// Returns the time at which the source has ended, m.
    pub fn end(&self) -> f64 {
        self.pulse.map_or(0.0, |pulse| pulse.duration())
    }
}
