//! Reference implementation of the DGTD method in double precision, element by element, for tests of the fast engines.

use std::ops::Range;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::discretization::Discretization;
use crate::flux::Fields;
use crate::runge_kutta::{A, B};
use crate::topology::Side;

/// E and Z₀H at every node of every element, and the auxiliary fields of the PML.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct State {
    /// Fields at the nodes, element after element, V/m.
    pub fields: Vec<Fields>,
    /// Auxiliary fields P and Q at the nodes of the PML, element after element.
    pub layers: Vec<[Fields; 2]>,
}

impl State {
    /// Creates a state with zero fields.
    pub fn zero(discretization: &Discretization) -> State {
        let nodes = discretization.reference.nodes();
        let layers = discretization.elements() - discretization.first_layer;
        State {
            fields: vec![[[0.0; 3]; 2]; nodes * discretization.elements()],
            layers: vec![[[[0.0; 3]; 2]; 2]; nodes * layers],
        }
    }

    /// Returns the ranges of the nodes of some elements, among all nodes and among those of the PML.
    fn places(d: &Discretization, elements: &Range<usize>) -> [Range<usize>; 2] {
        let nodes = d.reference.nodes();
        let of_layers = |element: usize| element.saturating_sub(d.first_layer) * nodes;
        [
            elements.start * nodes..elements.end * nodes,
            of_layers(elements.start)..of_layers(elements.end),
        ]
    }

    /// Returns the fields of some elements.
    pub fn part(&self, discretization: &Discretization, elements: Range<usize>) -> State {
        let [fields, layers] = State::places(discretization, &elements);
        State {
            fields: self.fields[fields].to_vec(),
            layers: self.layers[layers].to_vec(),
        }
    }

    /// Replaces the fields of some elements.
    pub fn put(&mut self, discretization: &Discretization, elements: Range<usize>, part: &State) {
        let [fields, layers] = State::places(discretization, &elements);
        self.fields[fields].copy_from_slice(&part.fields);
        self.layers[layers].copy_from_slice(&part.layers);
    }

    /// Interpolates fields given as a function of position.
    pub fn from_fn(
        discretization: &Discretization,
        fields: impl Fn([f64; 3]) -> Fields + Sync,
    ) -> State {
        let nodes = discretization.reference.nodes();
        let mut state = State::zero(discretization);
        state
            .fields
            .par_iter_mut()
            .enumerate()
            .for_each(|(at, value)| {
                *value = fields(discretization.position(at / nodes, at % nodes));
            });
        state
    }
}

/// Computes the rate of change ∂/∂t (c = 1) of a state.
pub fn rate(discretization: &Discretization, state: &State) -> State {
    let nodes = discretization.reference.nodes();
    let mut rate = State::zero(discretization);
    rate.fields
        .par_chunks_mut(nodes)
        .enumerate()
        .for_each(|(element, rate)| element_rate(discretization, state, element, rate));
    let first = discretization.first_layer * nodes;
    for (at, terms) in discretization.layer_terms.iter().enumerate() {
        let field = state.fields[first + at];
        let [p, q] = state.layers[at];
        for (component, terms) in terms.iter().enumerate() {
            for kind in 0..2 {
                let (f, p, q) = (
                    field[kind][component],
                    p[kind][component],
                    q[kind][component],
                );
                rate.fields[first + at][kind][component] -=
                    terms.own * f + terms.first * p + terms.second * q;
                let p_rate = f - terms.first_decay * p;
                rate.layers[at][0][kind][component] = p_rate;
                rate.layers[at][1][kind][component] = p_rate - terms.second_decay * q;
            }
        }
    }
    rate
}

/// Computes ∂E/∂t and ∂H/∂t in an element: ε ∂E/∂t = ∇×H + lift − σE, μ ∂H/∂t = −∇×E + lift − σ*H.
fn element_rate(d: &Discretization, state: &State, element: usize, rate: &mut [Fields]) {
    let (reference, shape) = (&d.reference, &d.geometry[element]);
    let (nodes, on_face) = (reference.nodes(), reference.nodes_on_face());
    let own = &state.fields[element * nodes..(element + 1) * nodes];
    let mut flux = vec![[[0.0; 3]; 2]; 4 * on_face];
    for face in 0..4 {
        let (normal, factors) = (shape.normal(face), d.flux(element, face));
        for i in 0..on_face {
            let inside = own[reference.face_nodes(face)[i]];
            let outside = match d.topology.sides[element][face] {
                Side::Neighbor { element, face } => {
                    let node = reference.face_nodes(face as usize)[i];
                    state.fields[element as usize * nodes + node]
                }
                Side::Boundary(boundary) => {
                    let mirror = boundary.mirror();
                    std::array::from_fn(|kind| inside[kind].map(|x| mirror[kind] * x))
                }
            };
            let jump = std::array::from_fn(|kind| {
                std::array::from_fn(|k| outside[kind][k] - inside[kind][k])
            });
            let through = factors.of(normal, jump);
            flux[face * on_face + i] = through.map(|f| f.map(|x| shape.face_scale(face) * x));
        }
    }
    let gradients = shape.reference_gradients();
    let medium = d.media[element];
    for (node, rate) in rate.iter_mut().enumerate() {
        // Derivatives of the components of E and H along the axes.
        let mut along = [[[0.0; 3]; 3]; 2];
        for (derivative, gradient) in reference.derivatives().iter().zip(gradients) {
            for (weight, field) in derivative.row(node).iter().zip(own) {
                for kind in 0..2 {
                    for component in 0..3 {
                        for axis in 0..3 {
                            along[kind][component][axis] +=
                                weight * gradient[axis] * field[kind][component];
                        }
                    }
                }
            }
        }
        let curl = |kind: usize| -> [f64; 3] {
            std::array::from_fn(|c| {
                let (next, last) = ((c + 1) % 3, (c + 2) % 3);
                along[kind][last][next] - along[kind][next][last]
            })
        };
        let (curl_e, curl_h) = (curl(0), curl(1));
        for c in 0..3 {
            rate[0][c] = (curl_h[c] - medium.electric_loss * own[node][0][c]) / medium.permittivity;
            rate[1][c] =
                (-curl_e[c] - medium.magnetic_loss * own[node][1][c]) / medium.permeability;
        }
        for (weight, flux) in reference.lift(node).iter().zip(&flux) {
            for kind in 0..2 {
                for c in 0..3 {
                    rate[kind][c] += weight * flux[kind][c];
                }
            }
        }
    }
}

/// Advances one Runge–Kutta stage: register = a·register + dt·rate, state = state + b·register.
pub fn stage(
    discretization: &Discretization,
    state: &mut State,
    register: &mut State,
    a: f64,
    b: f64,
    dt: f64,
) {
    let rate = rate(discretization, state);
    let advance = |value: &mut Fields, register: &mut Fields, rate: &Fields| {
        for kind in 0..2 {
            for c in 0..3 {
                register[kind][c] = a * register[kind][c] + dt * rate[kind][c];
                value[kind][c] += b * register[kind][c];
            }
        }
    };
    let fields = state.fields.iter_mut().zip(&mut register.fields);
    for ((value, register), rate) in fields.zip(&rate.fields) {
        advance(value, register, rate);
    }
    let layers = state.layers.iter_mut().zip(&mut register.layers);
    for ((value, register), rate) in layers.zip(&rate.layers) {
        for memory in 0..2 {
            advance(&mut value[memory], &mut register[memory], &rate[memory]);
        }
    }
}

/// Advances one time step of length `dt` (times the speed of light); `register` passes from stage to stage.
pub fn step(discretization: &Discretization, state: &mut State, register: &mut State, dt: f64) {
    for (a, b) in A.into_iter().zip(B) {
        stage(discretization, state, register, a, b, dt);
    }
}

/// Computes the energy ½ ∫ ε E² + μ H² over all elements outside the PML, with Z₀H for H.
pub fn energy(discretization: &Discretization, state: &State) -> f64 {
    let reference = &discretization.reference;
    let nodes = reference.nodes();
    (0..discretization.first_layer)
        .map(|element| {
            let own = &state.fields[element * nodes..(element + 1) * nodes];
            let medium = discretization.media[element];
            let density = [medium.permittivity, medium.permeability];
            // The reference tetrahedron has a volume of 4/3.
            let jacobian = 0.75 * discretization.geometry[element].volume;
            let mut sum = 0.0;
            for i in 0..nodes {
                for (j, weight) in reference.mass().row(i).iter().enumerate() {
                    for kind in 0..2 {
                        for c in 0..3 {
                            sum += density[kind] * weight * own[i][kind][c] * own[j][kind][c];
                        }
                    }
                }
            }
            0.5 * jacobian * sum
        })
        .sum()
}
