//! Matrix fill of the locally corrected Nyström method on a GPU in single precision.
//!
//! Positions are stored on the GPU as integer multiples of a quantum, so that differences of near positions are exact. A
//! product kR in single precision has a relative error of 10⁻⁷, which bounds the phase error. Corrections of near panels are
//! computed on the CPU and overwrite the GPU's entries.

use std::collections::BTreeMap;

use num_complex::Complex64;
use rayon::prelude::*;
use wavefield_gpu::lu::GpuMatrix;
use wavefield_gpu::{
    Access, Buffer, COS_SIN_WGSL, DeviceError, Gpu, Kernel, KernelSource, Uniform,
};
use wavefield_numerics::observe::{Observer, Progress};

use crate::boundary::Boundary;
use crate::error::Error;
use crate::formulation::Coupling;
use crate::kernels::Coefficients;
use crate::nystrom::{BATCH, Corrections, Entry};
use crate::system::System;
use crate::wave::Wave;

/// Quanta along the longer side of the bounding box of all nodes.
const QUANTA: f64 = (1_u32 << 29) as f64;
/// Maximum electrical size kD: beyond it, phase errors in single precision exceed 10⁻³.
const MAX_RADIANS: f64 = 1e4;
/// Rows per workgroup, as in the kernels.
const ROWS: usize = 64;
/// Corrections per workgroup, as in the kernels.
const CORRECTIONS: usize = 64;

/// Compiled kernels of the matrix fill.
#[derive(Clone, Debug)]
pub(super) struct Kernels {
    fill: Kernel,
    correct: Kernel,
}

impl Kernels {
    /// Compiles the kernels.
    ///
    /// # Errors
    /// The GPU failed.
    pub(super) fn new(gpu: &Gpu) -> Result<Kernels, DeviceError> {
        Ok(Kernels {
            fill: Kernel::new(
                gpu,
                &KernelSource {
                    name: "fill",
                    wgsl: &source(),
                    entry: "fill",
                    constants: &[],
                    bindings: &[Access::Uniform, Access::Read, Access::ReadWrite],
                },
            )?,
            correct: Kernel::new(
                gpu,
                &KernelSource {
                    name: "correct",
                    wgsl: include_str!("kernels/correct.wgsl"),
                    entry: "correct",
                    constants: &[],
                    bindings: &[Access::Read, Access::ReadWrite],
                },
            )?,
        })
    }
}

/// Returns the WGSL source: polynomials, sines, Hankel functions, and matrix entries.
fn source() -> String {
    [
        include_str!("kernels/hankel_table.wgsl"),
        COS_SIN_WGSL,
        include_str!("kernels/hankel.wgsl"),
        include_str!("kernels/fill.wgsl"),
    ]
    .join("\n")
}

/// Returns whether all media of a system are lossless, as the GPU's Hankel functions require.
pub(super) fn lossless(system: &System) -> bool {
    system.unknowns().iter().all(|unknown| {
        system.rows().iter().all(|row| {
            let inside = system.coupling(row, unknown).inside;
            inside.is_none_or(|(wave, _)| matches!(wave, Wave::Real(_)))
        })
    })
}

/// Fills a matrix on a GPU; all media must be [`lossless`].
///
/// # Errors
/// The bodies are electrically too large, the GPU failed or has too little memory, or the run was cancelled.
pub(super) fn fill(
    gpu: &Gpu,
    kernels: &Kernels,
    system: &System,
    observer: &dyn Observer,
) -> Result<GpuMatrix<f32>, Error> {
    let matrix = GpuMatrix::zeros(gpu, system.size())?;
    let places = Places::new(gpu, system)?;
    let unknowns = system.unknowns();
    for slab in matrix.iter() {
        observer.checkpoint()?;
        for unknown in &unknowns {
            let first = slab.columns.start.max(unknown.numbers.start);
            let last = slab.columns.end.min(unknown.numbers.end);
            if first >= last {
                continue;
            }
            for row in &system.rows() {
                let node = unknown.nodes.start + first - unknown.numbers.start;
                let head = [
                    matrix.size(),
                    row.numbers.start,
                    row.nodes.start,
                    row.numbers.len(),
                    first - slab.columns.start,
                    node,
                    last - first,
                ];
                let task = places.task(head, &system.coupling(row, unknown), system)?;
                let task = Uniform::new(gpu, &task)?;
                let arguments = [task.bind(), places.nodes.bind(), slab.entries.bind()];
                let groups = row.numbers.len().div_ceil(ROWS) * (last - first);
                gpu.dispatch(&kernels.fill, &arguments, groups as u64)?;
            }
        }
        gpu.wait()?;
        let (done, total) = (slab.columns.end as u64, matrix.size() as u64);
        observer.progress(&Progress::new("matrix", done, total));
    }
    correct(&matrix, &kernels.correct, system, observer)?;
    Ok(matrix)
}

/// Nodes on the GPU.
struct Places {
    nodes: Buffer<[u32; 5]>,
    /// Quantum, m.
    quantum: f64,
    /// Diagonal of the bounding box of all nodes, m.
    across: f64,
}

impl Places {
    fn new(gpu: &Gpu, system: &System) -> Result<Places, DeviceError> {
        let boundary: &Boundary = &system.boundary;
        let mut least = [f64::INFINITY; 2];
        let mut most = [f64::NEG_INFINITY; 2];
        for node in 0..boundary.len() {
            for (axis, value) in boundary.position(node).into_iter().enumerate() {
                least[axis] = least[axis].min(value);
                most[axis] = most[axis].max(value);
            }
        }
        let sides = [most[0] - least[0], most[1] - least[1]];
        let longer = sides[0].max(sides[1]);
        let quantum = if longer > 0.0 { longer / QUANTA } else { 1.0 };
        let nodes: Vec<[u32; 5]> = (0..boundary.len())
            .map(|node| {
                let (at, normal) = (boundary.position(node), boundary.normal(node));
                let whole = |axis: usize| ((at[axis] - least[axis]) / quantum).round() as u32;
                let bits = |value: f64| (value as f32).to_bits();
                [
                    whole(0),
                    whole(1),
                    bits(normal[0]),
                    bits(normal[1]),
                    bits(boundary.weight[node]),
                ]
            })
            .collect();
        Ok(Places {
            nodes: Buffer::from_slice(gpu, &nodes)?,
            quantum,
            across: sides[0].hypot(sides[1]),
        })
    }

    /// Returns the parameters of a dispatch in the layout of `fill.wgsl`.
    fn task(
        &self,
        head: [usize; 7],
        coupling: &Coupling,
        system: &System,
    ) -> Result<[u32; 32], Error> {
        let media = [Some((system.wave(), coupling.outside)), coupling.inside];
        let mut words = [0; 32];
        for (word, value) in words.iter_mut().zip(head) {
            *word = value as u32;
        }
        for (m, (wave, coefficients)) in media.into_iter().flatten().enumerate() {
            let k = wave.wavenumber().re;
            if k * self.across > MAX_RADIANS {
                return Err(Error::TooWideForSingle {
                    radians: k * self.across,
                    most: MAX_RADIANS,
                });
            }
            words[7] = m as u32 + 1;
            let numbers = medium(k, self.quantum, &coefficients);
            words[8 + 12 * m..][..12].copy_from_slice(&numbers.map(f32::to_bits));
        }
        Ok(words)
    }
}

/// Returns a medium in the layout of `fill.wgsl`: the coefficients include −j/4 and the powers of k.
fn medium(k: f64, quantum: f64, coefficients: &Coefficients) -> [f32; 12] {
    let quarter = Complex64::new(0.0, -0.25);
    let [s, d, e, h] = [
        coefficients.single,
        coefficients.double * k,
        coefficients.adjoint * k,
        coefficients.hyper * k * k,
    ]
    .map(|c| quarter * c);
    [
        k * quantum,
        0.0,
        0.0,
        0.0,
        s.re,
        s.im,
        d.re,
        d.im,
        e.re,
        e.im,
        h.re,
        h.im,
    ]
    .map(|value| value as f32)
}

/// Overwrites the entries of near panels by their corrections.
fn correct(
    matrix: &GpuMatrix<f32>,
    kernel: &Kernel,
    system: &System,
    observer: &dyn Observer,
) -> Result<(), Error> {
    let gpu = matrix.gpu();
    let corrections = Corrections::new(system);
    let total = system.boundary.len();
    for first in (0..total).step_by(BATCH) {
        observer.checkpoint()?;
        let nodes = first..(first + BATCH).min(total);
        let end = nodes.end as u64;
        let rows: Vec<Vec<Entry>> = nodes
            .into_par_iter()
            .map(|node| corrections.of_node(node, &corrections.near(node)))
            .collect::<Result<_, _>>()?;
        let places = one_for_each_place(rows.into_iter().flatten());
        for slab in matrix.iter() {
            let (from, to) = (slab.columns.start, slab.columns.end);
            let words: Vec<[u32; 4]> = places
                .range((from, 0)..(to, 0))
                .map(|(&(column, row), &(replaces, value))| {
                    [
                        ((column - from) * matrix.size() + row) as u32,
                        u32::from(replaces),
                        (value.re as f32).to_bits(),
                        (value.im as f32).to_bits(),
                    ]
                })
                .collect();
            if words.is_empty() {
                continue;
            }
            let buffer = Buffer::from_slice(gpu, &words)?;
            let arguments = [buffer.bind(), slab.entries.bind()];
            let groups = words.len().div_ceil(CORRECTIONS);
            gpu.dispatch(kernel, &arguments, groups as u64)?;
        }
        gpu.wait()?;
        observer.progress(&Progress::new("corrections", end, total as u64));
    }
    Ok(())
}

/// Merges entries of the same column and row; replacements come before additions.
fn one_for_each_place(
    entries: impl Iterator<Item = Entry>,
) -> BTreeMap<(usize, usize), (bool, Complex64)> {
    let mut places = BTreeMap::new();
    for entry in entries {
        let nothing = (false, Complex64::new(0.0, 0.0));
        let place = places.entry((entry.column, entry.row)).or_insert(nothing);
        if entry.replaces {
            *place = (true, entry.value);
        } else {
            place.1 += entry.value;
        }
    }
    places
}

#[cfg(test)]
mod tests {
    use wavefield_numerics::observe::Silent;
    use wavefield_numerics::special::CylinderFunctions;

    use super::*;
    use crate::{Plan, Spec, nystrom};

    fn gpu() -> Gpu {
        Gpu::open(None).expect("GPU tests do not skip: install mesa-vulkan-drivers")
    }

    #[test]
    fn hankel_functions_hold_to_a_millionth_of_their_modulus() {
        let gpu = gpu();
        let probe = "
            @group(0) @binding(0) var<storage, read> arguments: array<f32>;
            @group(0) @binding(1) var<storage, read_write> values: array<vec4<f32>>;
            @compute @workgroup_size(64)
            fn probe(@builtin(global_invocation_id) id: vec3<u32>) {
                if id.x < arrayLength(&arguments) {
                    let value = hankel(arguments[id.x]);
                    values[id.x] = vec4<f32>(value.h0, value.h1);
                }
            }";
        let wgsl = [
            include_str!("kernels/hankel_table.wgsl"),
            COS_SIN_WGSL,
            include_str!("kernels/hankel.wgsl"),
            probe,
        ]
        .join("\n");
        let kernel = Kernel::new(
            &gpu,
            &KernelSource {
                name: "probe",
                wgsl: &wgsl,
                entry: "probe",
                constants: &[],
                bindings: &[Access::Read, Access::ReadWrite],
            },
        )
        .unwrap();
        let mut arguments: Vec<f32> = (0..20_000)
            .map(|i| 10_f32.powf(-6.0 + i as f32 * 5e-4))
            .collect();
        arguments.extend((0..20_000).map(|i| 0.5 * i as f32 + 0.37));
        arguments.extend([3.999_999_8, 4.0, 4.000_000_5, 4_194_303.0]);
        let on_gpu = Buffer::from_slice(&gpu, &arguments).unwrap();
        let values = Buffer::<[f32; 4]>::zeroed(&gpu, arguments.len()).unwrap();
        let groups = arguments.len().div_ceil(64) as u64;
        gpu.dispatch(&kernel, &[on_gpu.bind(), values.bind()], groups)
            .unwrap();
        let mut worst = [0.0_f64; 2];
        for (&x, found) in arguments.iter().zip(values.read().unwrap()) {
            let exact = CylinderFunctions::new(1, f64::from(x)).unwrap();
            for order in 0..2 {
                let wanted = exact.hankel2(order);
                let (re, im) = (found[2 * order], found[2 * order + 1]);
                let off = (f64::from(re) - wanted.re).hypot(f64::from(im) - wanted.im);
                assert!(off.is_finite());
                worst[order] = worst[order].max(off / wanted.norm());
            }
        }
        println!("{worst:?}");
        assert!(worst[0] < 1e-6 && worst[1] < 1e-6, "{worst:?}");
    }

    #[test]
    fn entries_are_those_of_the_cpu_rounded() {
        let gpu = gpu();
        for (polarization, material) in [
            ("tm", "\"pec\""),
            ("te", "\"pec\""),
            ("te", "{ permittivity = 2.5 }"),
        ] {
            let text = format!(
                r#"
                frequency = "300 MHz"
                bodies = [
                    {{ geometry = {{ shape = "circle", radius = "0.5 m" }}, material = {material} }},
                    {{ geometry = {{ shape = "ellipse", semi_axes = ["0.3 m", "0.6 m"], center = ["9 m", "4 m"] }}, material = "pec" }},
                ]
                excitation = {{ kind = "plane-wave", phi = "0 deg", polarization = "{polarization}" }}
                observation = {{ kind = "monostatic" }}
                mom2d.error_estimate = "none"
                "#
            );
            let spec: Spec = toml::from_str(&text).unwrap();
            let solution = Plan::new(&spec, Vec::new())
                .unwrap()
                .execute(&Silent)
                .unwrap();
            let system = &solution.cases[0].system;
            let wanted = nystrom::fill(system, &Silent).unwrap();
            let found = fill(&gpu, &Kernels::new(&gpu).unwrap(), system, &Silent).unwrap();
            let found: Vec<[f32; 2]> = found
                .iter()
                .flat_map(|slab| slab.entries.read().unwrap())
                .collect();
            assert_eq!(found.len(), system.size() * wanted.columns());
            let mut worst = 0.0_f64;
            for column in 0..wanted.columns() {
                let wanted = wanted.column(column);
                let largest = wanted.iter().map(|z| z.norm()).fold(0.0, f64::max);
                for (row, z) in wanted.iter().enumerate() {
                    let [re, im] = found[column * system.size() + row].map(f64::from);
                    let off = (re - z.re).hypot(im - z.im) / largest;
                    assert!(off.is_finite());
                    worst = worst.max(off);
                }
            }
            println!("{polarization} {material}: {worst:.1e}");
            // Eight rounding errors of 6e-8, and kR up to 60 radians with one of them.
            assert!(worst < 4e-6, "{polarization} {material}: {worst}");
        }
    }
}
