//! Fields in GPU memory, and the requests to the GPU.

use bytemuck::Pod;
use wavefield_gpu::{Access, Buffer, Commands, DeviceError, Gpu, Kernel, KernelSource, Uniform};

use super::layout::{COMPONENTS, Layout, MEMORIES};
use super::tables;
use crate::discretization::Discretization;
use crate::flux::Fields;
use crate::reference::State;
use crate::source::SourceTerms;

/// Number of stages submitted together if no request comes in between: those of one time step.
const TOGETHER: usize = 5;
/// Number of stages whose parameters are cached on the GPU: those of a time step, and of one of another length.
const KEPT: usize = 10;
/// Threads per workgroup of copy kernels; as in `add.wgsl` and `gather.wgsl`.
const COPIED: usize = 64;

/// Fields in GPU memory, with kernels and constant buffers.
#[derive(Debug)]
pub(super) struct GpuState {
    gpu: Gpu,
    layout: Layout,
    kernels: Kernels,
    tables: Tables,
    /// Field buffers before and after a stage, in alternation.
    fields: [Buffer<f32>; 2],
    /// Index of the buffer with the current fields, once all waiting stages are done.
    now: usize,
    registers: Buffer<f32>,
    /// P, Q, and their registers, in the PML.
    memory: Buffer<f32>,
    /// Stages to be submitted.
    waiting: Vec<[f32; 3]>,
    /// Cached parameters of stages.
    stages: Vec<([u32; 3], Uniform)>,
    /// Buffers for source terms: elements and rates.
    added: (Buffer<u32>, Buffer<f32>),
    /// Buffers for fields at nodes: offsets and fields.
    watched: (Buffer<u32>, Buffer<f32>),
    energies: Buffer<f32>,
}

#[derive(Debug)]
struct Kernels {
    /// Stage outside the PML, and stage in the PML.
    outside: Kernel,
    layers: Kernel,
    add: Kernel,
    gather: Kernel,
    energy: Kernel,
}

#[derive(Debug)]
struct Tables {
    face_nodes: Uniform,
    faces: Buffer<[u32; 8]>,
    shapes: Buffer<[f32; 16]>,
    operators: Buffer<[f32; 4]>,
    terms: Buffer<f32>,
    mass: Buffer<f32>,
    densities: Buffer<[f32; 2]>,
}

impl GpuState {
    /// Creates GPU buffers with zero fields.
    ///
    /// # Errors
    /// The mesh is too large for the GPU, or the GPU failed.
    pub(super) fn new(gpu: &Gpu, d: &Discretization) -> Result<GpuState, DeviceError> {
        let layout = Layout::new(gpu.capabilities(), d)?;
        let zeros = |len: usize| Buffer::<f32>::zeroed(gpu, len);
        Ok(GpuState {
            kernels: Kernels::new(gpu, &layout)?,
            tables: Tables::new(gpu, d)?,
            fields: [zeros(layout.fields())?, zeros(layout.fields())?],
            now: 0,
            registers: zeros(layout.fields())?,
            memory: zeros(MEMORIES * layout.nodes * layout.layers())?,
            waiting: Vec::new(),
            stages: Vec::new(),
            added: (Buffer::zeroed(gpu, 0)?, zeros(0)?),
            watched: (Buffer::zeroed(gpu, 0)?, zeros(0)?),
            energies: zeros(layout.first_layer)?,
            gpu: gpu.clone(),
            layout,
        })
    }

    /// Checks for faults outside of any request.
    ///
    /// # Errors
    /// The GPU failed.
    pub(super) fn check(&self) -> Result<(), DeviceError> {
        self.gpu.check()
    }

    /// Advances the fields by one stage.
    ///
    /// # Errors
    /// The GPU failed.
    pub(super) fn stage(&mut self, a: f64, b: f64, dt: f64) -> Result<(), DeviceError> {
        self.waiting.push([a, b, dt].map(|x| x as f32));
        if self.waiting.len() < TOGETHER {
            return Ok(());
        }
        self.submit(|_, _| Ok(()))
    }

    /// Adds source terms to the rate of the last stage.
    ///
    /// # Errors
    /// The GPU failed, or the lengths of the arrays do not match.
    pub(super) fn add(
        &mut self,
        additions: &SourceTerms,
        b: f64,
        dt: f64,
    ) -> Result<(), DeviceError> {
        let nodes = self.layout.nodes;
        let rates: Vec<f32> = (additions.rates.chunks(nodes))
            .flat_map(|element| numbers(element).collect::<Vec<f32>>())
            .collect();
        let expected = COMPONENTS * nodes * additions.elements.len();
        if rates.len() != expected {
            return Err(DeviceError::Length {
                what: "the array of source terms",
                expected,
                found: rates.len(),
            });
        }
        make_room(&mut self.added.0, additions.elements.len())?;
        make_room(&mut self.added.1, rates.len())?;
        self.added.0.write(0, &additions.elements)?;
        self.added.1.write(0, &rates)?;
        let words = [
            rates.len() as u32,
            (dt as f32).to_bits(),
            ((b * dt) as f32).to_bits(),
            0,
        ];
        let addition = Uniform::new(&self.gpu, &words)?;
        self.submit(|on_gpu, commands| {
            let arguments = [
                addition.bind(),
                on_gpu.fields[on_gpu.now].bind(),
                on_gpu.registers.bind(),
                on_gpu.added.0.bind(),
                on_gpu.added.1.bind(),
            ];
            let groups = rates.len().div_ceil(COPIED) as u64;
            commands.dispatch(&on_gpu.kernels.add, &arguments, groups)
        })
    }

    /// Returns the fields at nodes, given by element and node.
    ///
    /// # Errors
    /// The GPU failed, now or before.
    pub(super) fn fields_at(&mut self, nodes: &[(u32, u16)]) -> Result<Vec<Fields>, DeviceError> {
        let count = self.layout.nodes;
        let first = |&(element, node): &(u32, u16)| {
            (element as usize * COMPONENTS * count + usize::from(node)) as u32
        };
        let places: Vec<u32> = nodes.iter().map(first).collect();
        make_room(&mut self.watched.0, places.len())?;
        make_room(&mut self.watched.1, COMPONENTS * places.len())?;
        self.watched.0.write(0, &places)?;
        let request = Uniform::new(&self.gpu, &[places.len() as u32, 0, 0, 0])?;
        self.submit(|on_gpu, commands| {
            let arguments = [
                request.bind(),
                on_gpu.fields[on_gpu.now].bind(),
                on_gpu.watched.0.bind(),
                on_gpu.watched.1.bind(),
            ];
            let groups = (COMPONENTS * places.len()).div_ceil(COPIED) as u64;
            commands.dispatch(&on_gpu.kernels.gather, &arguments, groups)
        })?;
        let mut found = vec![0.0; COMPONENTS * places.len()];
        self.watched.1.read_into(0, &mut found)?;
        let fields = |six: &[f32]| {
            std::array::from_fn(|kind| std::array::from_fn(|c| f64::from(six[3 * kind + c])))
        };
        Ok(found.chunks(COMPONENTS).map(fields).collect())
    }

    /// Returns the energy ½ ∫ ε E² + μ H² outside the PML: per element on the GPU, summed in double precision.
    ///
    /// # Errors
    /// The GPU failed, now or before.
    pub(super) fn energy(&mut self) -> Result<f64, DeviceError> {
        self.submit(|on_gpu, commands| {
            let arguments = [
                on_gpu.fields[on_gpu.now].bind(),
                on_gpu.tables.mass.bind(),
                on_gpu.tables.densities.bind(),
                on_gpu.energies.bind(),
            ];
            let groups = on_gpu.layout.workgroups(on_gpu.layout.first_layer);
            commands.dispatch(&on_gpu.kernels.energy, &arguments, groups)
        })?;
        Ok(self.energies.read()?.into_iter().map(f64::from).sum())
    }

    /// Replaces the fields by those of a state and clears the registers.
    ///
    /// # Errors
    /// The state belongs to another mesh, or the GPU failed.
    pub(super) fn set(&mut self, state: &State) -> Result<(), DeviceError> {
        let (nodes, layers) = (self.layout.nodes, self.layout.layers());
        for (what, expected, found) in [
            (
                "the field array of a state",
                nodes * self.layout.elements,
                state.fields.len(),
            ),
            (
                "the PML array of a state",
                nodes * layers,
                state.layers.len(),
            ),
        ] {
            if expected != found {
                return Err(DeviceError::Length {
                    what,
                    expected,
                    found,
                });
            }
        }
        self.waiting.clear();
        let fields: Vec<f32> = (state.fields.chunks(nodes))
            .flat_map(|element| numbers(element).collect::<Vec<f32>>())
            .collect();
        let memory: Vec<f32> = (state.layers.chunks(nodes))
            .flat_map(|element| {
                let [p, q]: [Vec<Fields>; 2] =
                    std::array::from_fn(|which| element.iter().map(|both| both[which]).collect());
                let mut all: Vec<f32> = numbers(&p).chain(numbers(&q)).collect();
                all.resize(MEMORIES * nodes, 0.0);
                all
            })
            .collect();
        self.fields[self.now].write(0, &fields)?;
        self.registers.write(0, &vec![0.0; fields.len()])?;
        self.memory.write(0, &memory)
    }

    /// Returns all fields.
    ///
    /// # Errors
    /// The GPU failed, now or before.
    pub(super) fn state(&mut self) -> Result<State, DeviceError> {
        self.submit(|_, _| Ok(()))?;
        let nodes = self.layout.nodes;
        // E and H at a node of an element, from an array that begins with them.
        let at = |numbers: &[f32], node: usize| -> Fields {
            std::array::from_fn(|kind| {
                std::array::from_fn(|c| f64::from(numbers[(3 * kind + c) * nodes + node]))
            })
        };
        let fields = self.fields[self.now].read()?;
        let memory = self.memory.read()?;
        Ok(State {
            fields: (fields.chunks(COMPONENTS * nodes))
                .flat_map(|element| (0..nodes).map(move |node| at(element, node)))
                .collect(),
            layers: (memory.chunks(MEMORIES * nodes))
                .flat_map(|element| {
                    let (p, q) = element.split_at(COMPONENTS * nodes);
                    (0..nodes).map(move |node| [at(p, node), at(q, node)])
                })
                .collect(),
        })
    }

    /// Submits the waiting stages, and the commands that follow.
    fn submit(
        &mut self,
        then: impl FnOnce(&GpuState, &mut Commands<'_>) -> Result<(), DeviceError>,
    ) -> Result<(), DeviceError> {
        let waiting = std::mem::take(&mut self.waiting);
        let stages = waiting
            .into_iter()
            .map(|parameters| self.parameters(parameters))
            .collect::<Result<Vec<Uniform>, DeviceError>>()?;
        let gpu = self.gpu.clone();
        gpu.submit(|commands| {
            for stage in &stages {
                self.record(stage, commands)?;
                self.now = 1 - self.now;
            }
            then(self, commands)
        })
    }

    /// Returns the parameters of a stage in GPU memory, cached.
    fn parameters(&mut self, [a, b, dt]: [f32; 3]) -> Result<Uniform, DeviceError> {
        let bits = [a, b, dt].map(f32::to_bits);
        if let Some((_, known)) = self.stages.iter().find(|(known, _)| *known == bits) {
            return Ok(known.clone());
        }
        if self.stages.len() >= KEPT {
            self.stages.remove(0);
        }
        let uniform = Uniform::new(&self.gpu, &[a, b, dt, 0.0])?;
        self.stages.push((bits, uniform.clone()));
        Ok(uniform)
    }

    /// Records one stage from the current field buffer to the other.
    fn record(&self, stage: &Uniform, commands: &mut Commands<'_>) -> Result<(), DeviceError> {
        let arguments = [
            stage.bind(),
            self.tables.face_nodes.bind(),
            self.fields[self.now].bind(),
            self.fields[1 - self.now].bind(),
            self.registers.bind(),
            self.tables.faces.bind(),
            self.tables.shapes.bind(),
            self.tables.operators.bind(),
            self.memory.bind(),
            self.tables.terms.bind(),
        ];
        for (kernel, elements) in [
            (&self.kernels.outside, self.layout.first_layer),
            (&self.kernels.layers, self.layout.layers()),
        ] {
            commands.dispatch(kernel, &arguments, self.layout.workgroups(elements))?;
        }
        Ok(())
    }
}

impl Kernels {
    fn new(gpu: &Gpu, layout: &Layout) -> Result<Kernels, DeviceError> {
        let nodes = ("NODES", layout.nodes as f64);
        let batch = ("BATCH", layout.batch as f64);
        let stage = |name: &str, layer: bool, first: usize, end: usize| {
            Kernel::new(
                gpu,
                &KernelSource {
                    name,
                    wgsl: include_str!("kernels/stage.wgsl"),
                    entry: "advance_batch",
                    constants: &[
                        nodes,
                        batch,
                        ("ON_FACE", layout.on_face as f64),
                        ("FIRST", first as f64),
                        ("END", end as f64),
                        ("LAYER", f64::from(u8::from(layer))),
                    ],
                    bindings: &[
                        Access::Uniform,
                        Access::Uniform,
                        Access::Read,
                        Access::ReadWrite,
                        Access::ReadWrite,
                        Access::Read,
                        Access::Read,
                        Access::Read,
                        Access::ReadWrite,
                        Access::Read,
                    ],
                },
            )
        };
        let (first_layer, elements) = (layout.first_layer, layout.elements);
        Ok(Kernels {
            outside: stage("stage", false, 0, first_layer)?,
            layers: stage("stage in the PML", true, first_layer, elements)?,
            add: Kernel::new(
                gpu,
                &KernelSource {
                    name: "sources",
                    wgsl: include_str!("kernels/add.wgsl"),
                    entry: "add",
                    constants: &[("NUMBERS", (COMPONENTS * layout.nodes) as f64)],
                    bindings: &[
                        Access::Uniform,
                        Access::ReadWrite,
                        Access::ReadWrite,
                        Access::Read,
                        Access::Read,
                    ],
                },
            )?,
            gather: Kernel::new(
                gpu,
                &KernelSource {
                    name: "fields at nodes",
                    wgsl: include_str!("kernels/gather.wgsl"),
                    entry: "gather",
                    constants: &[nodes],
                    bindings: &[
                        Access::Uniform,
                        Access::Read,
                        Access::Read,
                        Access::ReadWrite,
                    ],
                },
            )?,
            energy: Kernel::new(
                gpu,
                &KernelSource {
                    name: "energy",
                    wgsl: include_str!("kernels/energy.wgsl"),
                    entry: "measure",
                    constants: &[nodes, batch, ("END", first_layer as f64)],
                    bindings: &[Access::Read, Access::Read, Access::Read, Access::ReadWrite],
                },
            )?,
        })
    }
}

impl Tables {
    fn new(gpu: &Gpu, d: &Discretization) -> Result<Tables, DeviceError> {
        Ok(Tables {
            face_nodes: Uniform::new(gpu, &tables::face_nodes(&d.reference))?,
            faces: Buffer::from_slice(gpu, &tables::faces(d))?,
            shapes: Buffer::from_slice(gpu, &tables::shapes(d))?,
            operators: Buffer::from_slice(gpu, &tables::operators(&d.reference))?,
            terms: Buffer::from_slice(gpu, &tables::terms(d))?,
            mass: Buffer::from_slice(gpu, &tables::mass(&d.reference))?,
            densities: Buffer::from_slice(gpu, &tables::densities(d))?,
        })
    }
}

/// Returns the fields of an element, component after component, node after node.
fn numbers(element: &[Fields]) -> impl Iterator<Item = f32> {
    (0..COMPONENTS).flat_map(move |c| element.iter().map(move |f| f[c / 3][c % 3] as f32))
}

/// Enlarges a buffer to at least this length; its content is lost.
fn make_room<T: Pod>(buffer: &mut Buffer<T>, len: usize) -> Result<(), DeviceError> {
    if buffer.len() < len {
        *buffer = Buffer::zeroed(buffer.gpu(), len)?;
    }
    Ok(())
}
