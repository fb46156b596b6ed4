//! SIMD engine of the CPU: fields in blocks of elements, advanced by all threads of the current Rayon pool.

use std::ops::Range;

use rayon::prelude::*;
use wavefield_numerics::simd::InstructionSet;

use super::blocks::{Blocks, Places, together};
use super::energy::{Energy, Mass};
use super::lanes::Rows;
use super::memory::zeros;
use super::operators::Operators;
use super::stage::{Memory, Scratch, Stage};
use super::update::Factors;
use super::{ELEMENTS, Number, Pack};
use crate::discretization::Discretization;
use crate::engine::{Engine, PORTION};
use crate::flux::Fields;
use crate::partition::PIECE;
use crate::reference::State;
use crate::source::SourceTerms;

/// Size of the fields in bytes above which they do not stay in the CPU caches from stage to stage.
const LARGE: usize = 1 << 24;

/// Fields in blocks of eight elements, in single or double precision, advanced by SIMD kernels.
///
/// Results are bitwise identical for any number of threads; instruction sets differ by rounding.
#[derive(Clone, Debug)]
pub struct BlockEngine<'a, T: Number> {
    discretization: &'a Discretization,
    instructions: InstructionSet,
    places: Places,
    operators: Operators<T>,
    mass: Mass<T>,
    blocks: Blocks<T>,
    fields: Vec<Pack<T>>,
    /// Fields after the current stage.
    next: Vec<Pack<T>>,
    /// Runge–Kutta register of the fields.
    register: Vec<Pack<T>>,
    /// Auxiliary fields P and Q of the PML, interleaved.
    memory: Vec<Pack<T>>,
    memory_register: Vec<Pack<T>>,
    /// Whether the fields are too large for the CPU caches.
    large: bool,
}

impl<'a, T: Number> BlockEngine<'a, T> {
    /// Creates an engine with zero fields.
    ///
    /// # Panics
    /// The mesh has more than 2³⁰ elements.
    pub fn new(discretization: &'a Discretization) -> BlockEngine<'a, T> {
        BlockEngine::with(discretization, InstructionSet::widest())
    }

    fn with(
        discretization: &'a Discretization,
        instructions: InstructionSet,
    ) -> BlockEngine<'a, T> {
        let places = Places::new(discretization);
        assert!(
            places.blocks() * ELEMENTS <= 1 << 30,
            "a process supports at most 2³⁰ elements; partition the mesh among processes"
        );
        let reference = &discretization.reference;
        let rows = instructions.run(Rows::<T>::new());
        let operators = Operators::new(reference, rows);
        let all = places.blocks() * operators.packs();
        let layers = (places.blocks() - places.plain_blocks()) * operators.packs();
        BlockEngine {
            discretization,
            instructions,
            places,
            mass: Mass::new(reference, rows),
            blocks: Blocks::new(discretization, places),
            fields: zeros(all),
            next: zeros(all),
            register: zeros(all),
            memory: zeros(2 * layers),
            memory_register: zeros(2 * layers),
            large: all * size_of::<Pack<T>>() > LARGE,
            operators,
        }
    }

    /// Returns the memory of geometry, topology, and media that a stage reads besides the fields and registers, in
    /// bytes.
    pub fn geometry_bytes(&self) -> usize {
        self.blocks.memory()
    }

    /// Returns the pack of a component at a node, and the index of E in it.
    fn at(&self, element: usize, node: usize, component: usize) -> (usize, usize) {
        let place = self.places.of(element);
        let pack = (place / ELEMENTS * self.operators.nodes + node) * 3 + component;
        (pack, 2 * (place % ELEMENTS))
    }

    /// Advances a range of blocks outside the PML and one of PML blocks by a stage, each counted from the first of its
    /// kind.
    pub(crate) fn advance(&mut self, ranges: [Range<usize>; 2], [a, b, dt]: [f64; 3]) {
        let factors = Factors {
            a: T::rounded(a),
            b: T::rounded(b),
            dt: T::rounded(dt),
        };
        let packs = self.operators.packs();
        let (operators, blocks, fields) = (&self.operators, &self.blocks, &self.fields);
        let (instructions, large) = (self.instructions, self.large);
        let plain = self.places.plain_blocks();
        let together = together(operators.nodes);
        let length = together * packs;
        let [first, first_layer] = [ranges[0].start, plain + ranges[1].start];
        let [inside, inside_layers] = ranges.map(|range| range.start * packs..range.end * packs);
        let (next, next_of_layers) = self.next.split_at_mut(plain * packs);
        let (register, register_of_layers) = self.register.split_at_mut(plain * packs);
        let advance = |first: usize, number, next: &mut [_], register, memory, scratch: &mut _| {
            let start = first + number * together;
            let stage = Stage {
                operators,
                blocks,
                range: start..start + next.len() / packs,
                fields,
                next,
                register,
                memory,
                factors,
                large,
                scratch,
            };
            instructions.run(stage);
        };
        next[inside.clone()]
            .par_chunks_mut(length)
            .zip(register[inside].par_chunks_mut(length))
            .enumerate()
            .for_each_init(
                || Scratch::new(operators),
                |scratch, (number, (next, register))| {
                    advance(first, number, next, register, None, scratch);
                },
            );
        let twice = 2 * inside_layers.start..2 * inside_layers.end;
        next_of_layers[inside_layers.clone()]
            .par_chunks_mut(length)
            .zip(register_of_layers[inside_layers.clone()].par_chunks_mut(length))
            .zip(self.memory[twice.clone()].par_chunks_mut(2 * length))
            .zip(self.memory_register[twice].par_chunks_mut(2 * length))
            .zip(self.blocks.layers[inside_layers].par_chunks(length))
            .enumerate()
            .for_each_init(
                || Scratch::new(operators),
                |scratch, (number, ((((next, register), values), memory_register), terms))| {
                    let memory = Memory {
                        terms,
                        values,
                        register: memory_register,
                    };
                    advance(first_layer, number, next, register, Some(memory), scratch);
                },
            );
    }

    /// Makes the fields after the stage the current ones.
    pub(crate) fn turn(&mut self) {
        std::mem::swap(&mut self.fields, &mut self.next);
    }

    /// Returns the energy of each element outside the PML.
    pub(crate) fn energies(&self) -> Vec<f64> {
        let d = self.discretization;
        let plain = self.places.plain_blocks();
        let together = together(self.operators.nodes);
        let starts: Vec<usize> = (0..plain).step_by(together).collect();
        let parts: Vec<Vec<Pack<T>>> = starts
            .into_par_iter()
            .map(|start| {
                let energy = Energy {
                    mass: &self.mass,
                    fields: &self.fields,
                    range: start..plain.min(start + together),
                };
                self.instructions.run(energy)
            })
            .collect();
        let of_blocks = parts.iter().flatten().enumerate();
        of_blocks
            .flat_map(|(block, pack)| {
                (0..ELEMENTS).map(move |lane| (block * ELEMENTS + lane, lane, pack))
            })
            .take(d.first_layer)
            .map(|(element, lane, pack)| {
                let [e, h] = [0, 1].map(|kind| pack.0[2 * lane + kind].into());
                let medium = d.media[element];
                // The reference tetrahedron has a volume of 4/3.
                let jacobian = 0.75 * d.geometry[element].volume;
                0.5 * jacobian * (medium.permittivity * e + medium.permeability * h)
            })
            .collect()
    }

    /// Writes the fields at nodes, given by element and node, as bytes of a message.
    pub(crate) fn write_to(&self, nodes: &[(u32, u16)], bytes: &mut [u8]) {
        let size = size_of::<T>();
        for (&(element, node), bytes) in nodes.iter().zip(bytes.chunks_exact_mut(6 * size)) {
            for component in 0..3 {
                let (pack, first) = self.at(element as usize, usize::from(node), component);
                let both = &self.fields[pack].0[first..first + 2];
                bytes[2 * component * size..2 * (component + 1) * size]
                    .copy_from_slice(bytemuck::cast_slice(both));
            }
        }
    }

    /// Reads the fields at nodes from the bytes of a message.
    pub(crate) fn read_from(&mut self, nodes: &[(u32, u16)], bytes: &[u8]) {
        let size = size_of::<T>();
        for (&(element, node), bytes) in nodes.iter().zip(bytes.chunks_exact(6 * size)) {
            for component in 0..3 {
                let (pack, first) = self.at(element as usize, usize::from(node), component);
                for kind in 0..2 {
                    let at = (2 * component + kind) * size;
                    self.fields[pack].0[first + kind] =
                        bytemuck::pod_read_unaligned(&bytes[at..at + size]);
                }
            }
        }
    }
}

impl<T: Number> Engine for BlockEngine<'_, T> {
    fn stage(&mut self, a: f64, b: f64, dt: f64) {
        let plain = self.places.plain_blocks();
        self.advance([0..plain, 0..self.places.blocks() - plain], [a, b, dt]);
        self.turn();
    }

    fn add(&mut self, additions: &SourceTerms, b: f64, dt: f64) {
        let nodes = self.operators.nodes;
        let rates = additions.rates.chunks(nodes);
        for (&element, rates) in additions.elements.iter().zip(rates) {
            for (node, rate) in rates.iter().enumerate() {
                for component in 0..3 {
                    let (pack, first) = self.at(element as usize, node, component);
                    for kind in 0..2 {
                        let rate = dt * rate[kind][component];
                        let register = &mut self.register[pack].0[first + kind];
                        *register = *register + T::rounded(rate);
                        let field = &mut self.fields[pack].0[first + kind];
                        *field = *field + T::rounded(b * rate);
                    }
                }
            }
        }
    }

    fn fields_at(&self, nodes: &[(u32, u16)], fields: &mut Vec<Fields>) {
        fields.clear();
        fields.extend(nodes.iter().map(|&(element, node)| {
            let mut value = [[0.0; 3]; 2];
            for component in 0..3 {
                let (pack, first) = self.at(element as usize, usize::from(node), component);
                for kind in 0..2 {
                    value[kind][component] = self.fields[pack].0[first + kind].into();
                }
            }
            value
        }));
    }

    fn energy(&self) -> f64 {
        // Sums over pieces, so that the result does not depend on the number of processes.
        (self.energies().chunks(PIECE))
            .map(|piece| piece.iter().sum::<f64>())
            .sum()
    }

    fn elements(&self) -> usize {
        self.discretization.elements()
    }

    fn portion(&self) -> usize {
        PORTION
    }

    fn set_of(&mut self, elements: Range<usize>, state: &State) {
        let nodes = self.operators.nodes;
        let first_layer = elements.start.max(self.discretization.first_layer);
        let plain = self.places.plain_blocks() * self.operators.packs();
        for (place, element) in elements.enumerate() {
            for node in 0..nodes {
                for component in 0..3 {
                    let (pack, first) = self.at(element, node, component);
                    for kind in 0..2 {
                        self.fields[pack].0[first + kind] =
                            T::rounded(state.fields[place * nodes + node][kind][component]);
                        self.register[pack].0[first + kind] = T::rounded(0.0);
                        if let Some(layer) = element.checked_sub(first_layer) {
                            for (k, memory) in state.layers[layer * nodes + node].iter().enumerate()
                            {
                                let pack = 2 * (pack - plain) + k;
                                self.memory[pack].0[first + kind] =
                                    T::rounded(memory[kind][component]);
                                self.memory_register[pack].0[first + kind] = T::rounded(0.0);
                            }
                        }
                    }
                }
            }
        }
    }

    fn state_of(&self, elements: Range<usize>) -> State {
        let nodes = self.operators.nodes;
        let plain = self.places.plain_blocks() * self.operators.packs();
        let first_layer = elements.start.max(self.discretization.first_layer);
        let mut state = State {
            fields: vec![[[0.0; 3]; 2]; nodes * elements.len()],
            layers: vec![[[[0.0; 3]; 2]; 2]; nodes * elements.end.saturating_sub(first_layer)],
        };
        for (place, element) in elements.enumerate() {
            for node in 0..nodes {
                for component in 0..3 {
                    let (pack, first) = self.at(element, node, component);
                    for kind in 0..2 {
                        state.fields[place * nodes + node][kind][component] =
                            self.fields[pack].0[first + kind].into();
                        if let Some(layer) = element.checked_sub(first_layer) {
                            for k in 0..2 {
                                state.layers[layer * nodes + node][k][kind][component] =
                                    self.memory[2 * (pack - plain) + k].0[first + kind].into();
                            }
                        }
                    }
                }
            }
        }
        state
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::ReferenceEngine;
    use crate::{Boundary, Medium, PhysicalGroups, PmlShape};
    use rayon::ThreadPoolBuilder;
    use wavefield_mesh::primitive::tetrahedral_box;

    /// Returns a mesh of two media, one with losses, and a PML, with boundaries of all three kinds.
    fn discretization(order: usize, cells: u32) -> Discretization {
        let mut mesh = tetrahedral_box([1.0, 0.8, 0.9], [cells; 3], [1, 0, 0]).unwrap();
        // Perturbs the points so that no two tetrahedra are alike.
        let mut seed = 1;
        for point in &mut mesh.points {
            for x in point {
                *x += 0.02 * random(&mut seed);
            }
        }
        let glass = Medium {
            permittivity: 2.5,
            permeability: 1.3,
            electric_loss: 0.7,
            magnetic_loss: 0.4,
        };
        // A dielectric body in vacuum.
        mesh.volume_groups.push(mesh.volume_groups[0].clone());
        for number in 0..mesh.tetrahedra.len() {
            let middle = mesh.corners(number).iter().map(|c| c[1]).sum::<f64>();
            if mesh.volume_group_of[number] == 0 && middle > 0.3 {
                mesh.volume_group_of[number] = 2;
            }
        }
        let walls = [
            Boundary::ElectricWall,
            Boundary::MagneticWall,
            Boundary::Absorbing,
        ];
        let physical_groups = PhysicalGroups {
            media: vec![Medium::VACUUM, Medium::VACUUM, glass],
            layers: vec![false, true, false],
            surfaces: (0..6).map(|side| Some(walls[side % 3])).collect(),
            outside: Boundary::ElectricWall,
            upwind: 0.9,
            layer: PmlShape::default(),
        };
        Discretization::new(&mesh, order, &physical_groups).unwrap()
    }

    fn random(seed: &mut u64) -> f64 {
        *seed = seed
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (*seed >> 40) as f64 / f64::from(1 << 23) - 1.0
    }

    fn random_state(d: &Discretization) -> State {
        let mut state = State::zero(d);
        let mut seed = 7;
        let layers = state.layers.iter_mut().flatten();
        for x in (state.fields.iter_mut().chain(layers)).flat_map(|f| f.as_flattened_mut()) {
            *x = random(&mut seed);
        }
        state
    }

    fn numbers(state: &State) -> impl Iterator<Item = f64> {
        let all = state.fields.iter().chain(state.layers.as_flattened());
        all.flat_map(|f| f.as_flattened().iter().copied())
    }

    /// Returns the largest difference to the reference implementation, relative to the largest value, after two stages
    /// with such a large time step that the second consists of rates.
    fn difference<T: Number>(order: usize, instructions: InstructionSet) -> f64 {
        let d = discretization(order, 3);
        let state = random_state(&d);
        let mut fast = BlockEngine::<T>::with(&d, instructions);
        let mut plain = ReferenceEngine::new(&d);
        fast.set(&state);
        // Both engines start from the same rounded numbers.
        plain.set(&fast.state());
        for engine in [&mut fast as &mut dyn Engine, &mut plain] {
            engine.stage(0.0, 0.7, 0.5);
            engine.stage(-0.4, 0.3, 0.5);
        }
        let (found, exact) = (fast.state(), plain.state());
        let size = numbers(&exact).fold(0.0, |a: f64, b| a.max(b.abs()));
        let energies = (fast.energy() / plain.energy() - 1.0).abs();
        let worst = numbers(&found)
            .zip(numbers(&exact))
            .fold(0.0, |worst: f64, (a, b)| worst.max((a - b).abs()));
        energies.max(worst / size)
    }

    #[test]
    fn every_order_and_instruction_set_agrees_with_the_plain_equations() {
        for order in 1..=8 {
            for &instructions in InstructionSet::all() {
                // Tolerance: a few rounding errors of the largest values.
                let double = difference::<f64>(order, instructions);
                assert!(
                    double < 2e-14,
                    "order {order}, {instructions:?}: {double:e}"
                );
                let single = difference::<f32>(order, instructions);
                assert!(single < 5e-6, "order {order}, {instructions:?}: {single:e}");
            }
        }
    }

    #[test]
    fn neither_threads_nor_the_way_of_storing_change_a_bit() {
        let d = discretization(4, 8);
        let state = random_state(&d);
        let run = |threads: usize, large: bool| {
            let pool = ThreadPoolBuilder::new()
                .num_threads(threads)
                .build()
                .unwrap();
            pool.install(|| {
                let mut engine = BlockEngine::<f32>::new(&d);
                engine.large = large;
                engine.set(&state);
                for _ in 0..3 {
                    engine.stage(-0.4, 0.3, 1e-3);
                }
                (engine.state(), engine.energy())
            })
        };
        let one = run(1, false);
        assert!(d.elements() > 2 * ELEMENTS * together(d.reference.nodes()));
        assert_eq!(run(1, true), one);
        assert_eq!(run(2, true), one);
        assert_eq!(run(3, false), one);
    }

    #[test]
    fn sources_add_as_in_the_plain_engine() {
        let d = discretization(2, 3);
        let elements = vec![3, 11, d.elements() as u32 - 1];
        let mut seed = 3;
        let rates =
            (0..3 * d.reference.nodes()).map(|_| [0; 2].map(|_| [0; 3].map(|_| random(&mut seed))));
        let additions = SourceTerms {
            elements,
            rates: rates.collect(),
        };
        let mut fast = BlockEngine::<f64>::new(&d);
        let mut plain = ReferenceEngine::new(&d);
        for engine in [&mut fast as &mut dyn Engine, &mut plain] {
            engine.add(&additions, 0.6, 0.1);
            engine.stage(0.5, 0.3, 1e-3);
        }
        let worst = numbers(&fast.state())
            .zip(numbers(&plain.state()))
            .fold(0.0, |worst: f64, (a, b)| worst.max((a - b).abs()));
        // Tolerance: rounding errors of values of about 0.1.
        assert!(worst < 1e-15, "{worst:e}");
        let watched = [(3, 2), (11, 0), (d.elements() as u32 - 1, 9)];
        let (mut from_fast, mut from_plain) = (Vec::new(), Vec::new());
        fast.fields_at(&watched, &mut from_fast);
        plain.fields_at(&watched, &mut from_plain);
        for (a, b) in from_fast
            .as_flattened()
            .iter()
            .zip(from_plain.as_flattened())
        {
            for c in 0..3 {
                assert!(b[c] != 0.0 && (a[c] - b[c]).abs() < 1e-15);
            }
        }
    }
}
