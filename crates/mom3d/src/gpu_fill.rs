//! Matrix fill on the GPU, in single precision.
//!
//! For a slab of columns the GPU computes the blocks of their triangles with all others by quadrature. Near pairs come from
//! the CPU in double precision and overwrite the GPU's; then every entry gathers the blocks of the two triangles of both
//! functions. Positions are relative to the center of the body, so that the relative error of a phase kR is about 10⁻⁷.

use rayon::prelude::*;
use wavefield_gpu::lu::GpuMatrix;
use wavefield_gpu::{
    Access, Buffer, COS_SIN_WGSL, DeviceError, Gpu, Kernel, KernelSource, Uniform,
};
use wavefield_mesh::BoundingBox;
use wavefield_numerics::observe::{Observer, Progress};
use wavefield_numerics::vector::{Vector, sub};

use crate::basis::{Basis, Side};
use crate::error::Error;
use crate::pair::{Pairs, Reach};
use crate::quadrature;

/// Columns filled per slab.
const COLUMNS: usize = 64;
/// Workgroup size, as in the kernels.
const THREADS: usize = 64;
/// Maximum electrical size kD: beyond it, phase errors in single precision exceed 10⁻³.
const MAX_RADIANS: f64 = 1e4;

/// Compiled kernels of the matrix fill.
#[derive(Clone, Debug)]
pub(crate) struct Kernels {
    blocks: Kernel,
    near: Kernel,
    gather: Kernel,
}

impl Kernels {
    /// Compiles the kernels.
    ///
    /// # Errors
    /// The GPU failed.
    pub(crate) fn new(gpu: &Gpu) -> Result<Kernels, DeviceError> {
        let kernel = |name: &'static str, own: &str, bindings: &[Access]| {
            let wgsl = [COS_SIN_WGSL, include_str!("kernels/triangles.wgsl"), own].join("\n");
            let source = KernelSource {
                name,
                wgsl: &wgsl,
                entry: name,
                constants: &[],
                bindings,
            };
            Kernel::new(gpu, &source)
        };
        let (read, write) = (Access::Read, Access::ReadWrite);
        Ok(Kernels {
            blocks: kernel(
                "triangle_blocks",
                include_str!("kernels/triangle_blocks.wgsl"),
                &[Access::Uniform, read, read, write],
            )?,
            near: kernel(
                "near_blocks",
                include_str!("kernels/near_blocks.wgsl"),
                &[Access::Uniform, read, write],
            )?,
            gather: kernel(
                "gather",
                include_str!("kernels/gather.wgsl"),
                &[Access::Uniform, read, read, read, write],
            )?,
        })
    }
}

/// Function part in the kernels' layout: triangle or index among the sources, corner, weight.
type ShareWords = [u32; 3];

/// Near pair in the kernels' layout: its index among the blocks and its nine entries.
type NearWords = [u32; 19];

/// Fills the matrix on the GPU.
///
/// # Errors
/// The body is electrically too large, the GPU failed or has too little memory, or the run was cancelled.
pub(crate) fn fill(
    gpu: &Gpu,
    kernels: &Kernels,
    pairs: &Pairs<'_>,
    observer: &dyn Observer,
) -> Result<GpuMatrix<f32>, Error> {
    let basis = pairs.basis();
    let corners: Vec<Vector> = basis.triangles.iter().flat_map(|t| t.corners).collect();
    let bounds = BoundingBox::of(&corners);
    let radians = pairs.wavenumber() * bounds.map_or(0.0, |bounds| bounds.diagonal());
    if radians > MAX_RADIANS {
        return Err(Error::GpuPhases {
            radians,
            most: MAX_RADIANS,
        });
    }
    let middle = bounds.map_or([0.0; 3], |bounds| bounds.center());
    let matrix = GpuMatrix::zeros(gpu, basis.size)?;
    let triangles = Buffer::from_slice(gpu, &triangle_words(pairs, middle))?;
    let functions = shares_of_functions(basis);
    let rows = Buffer::from_slice(gpu, &functions)?;
    let mut blocks: Option<Buffer<[f32; 2]>> = None;
    for slab in matrix.iter() {
        for first in slab.columns.clone().step_by(COLUMNS) {
            observer.checkpoint()?;
            let last = (first + COLUMNS).min(slab.columns.end);
            let mut sources: Vec<u32> = (functions[first..last].iter().flatten())
                .map(|share| share[0])
                .collect();
            sources.sort_unstable();
            sources.dedup();
            let columns: Vec<[ShareWords; 2]> = (functions[first..last].iter())
                .map(|both| {
                    both.map(|[triangle, corner, weight]| {
                        let place = sources.partition_point(|&source| source < triangle);
                        [place as u32, corner, weight]
                    })
                })
                .collect();
            let needed = 9 * sources.len() * basis.triangles.len();
            let blocks = match &mut blocks {
                Some(room) if room.len() >= needed => room,
                room => {
                    // Free the old buffer before allocating the new one.
                    *room = None;
                    room.insert(Buffer::zeroed(gpu, needed)?)
                }
            };
            let task = Uniform::new(
                gpu,
                &task(
                    pairs,
                    sources.len(),
                    first - slab.columns.start,
                    columns.len(),
                ),
            )?;
            let own = Buffer::from_slice(gpu, &sources)?;
            let tiles = basis.triangles.len().div_ceil(THREADS) * sources.len();
            let arguments = [task.bind(), triangles.bind(), own.bind(), blocks.bind()];
            gpu.dispatch(&kernels.blocks, &arguments, tiles as u64)?;
            // The CPU computes near pairs while the GPU works.
            let near = near_pairs(pairs, &sources);
            let near = Buffer::from_slice(gpu, &near)?;
            let arguments = [task.bind(), near.bind(), blocks.bind()];
            gpu.dispatch(
                &kernels.near,
                &arguments,
                near.len().div_ceil(THREADS) as u64,
            )?;
            let columns = Buffer::from_slice(gpu, &columns)?;
            let arguments = [
                task.bind(),
                rows.bind(),
                columns.bind(),
                blocks.bind(),
                slab.entries.bind(),
            ];
            let tiles = basis.size.div_ceil(THREADS) * columns.len();
            gpu.dispatch(&kernels.gather, &arguments, tiles as u64)?;
            gpu.wait()?;
            observer.progress(&Progress::new("matrix", last as u64, basis.size as u64));
        }
    }
    Ok(matrix)
}

fn triangle_words(pairs: &Pairs<'_>, middle: Vector) -> Vec<[f32; 16]> {
    (pairs.basis().triangles.iter())
        .map(|triangle| {
            let mut words = [0.0; 16];
            let corners = triangle.corners.map(|corner| sub(corner, middle));
            let weights = pairs.weights(triangle);
            let all = (corners.iter().flatten().copied())
                .chain(triangle.normal)
                .chain([weights.electric, weights.magnetic]);
            for (word, value) in words.iter_mut().zip(all) {
                *word = value as f32;
            }
            words
        })
        .collect()
}

/// Returns both parts of every function.
fn shares_of_functions(basis: &Basis) -> Vec<[ShareWords; 2]> {
    let share = |side: Side| [side.triangle, side.corner, (side.weight as f32).to_bits()];
    basis.sides.iter().map(|sides| sides.map(share)).collect()
}

/// Returns the parameters of a dispatch in the layout of `triangles.wgsl`.
fn task(pairs: &Pairs<'_>, sources: usize, first: usize, columns: usize) -> [u32; 36] {
    let basis = pairs.basis();
    let mut words = [0; 36];
    let head = [basis.triangles.len(), sources, basis.size, first, columns];
    for (word, value) in words.iter_mut().zip(head) {
        *word = value as u32;
    }
    words[5] = (pairs.wavenumber() as f32).to_bits();
    for (number, (weights, weight)) in quadrature::seven_points().into_iter().enumerate() {
        for (part, value) in weights.into_iter().chain([weight]).enumerate() {
            words[8 + 4 * number + part] = (value as f32).to_bits();
        }
    }
    words
}

/// Returns the pairs of these sources that quadrature alone cannot integrate.
fn near_pairs(pairs: &Pairs<'_>, sources: &[u32]) -> Vec<NearWords> {
    let basis = pairs.basis();
    let count = basis.triangles.len();
    (sources.par_iter().enumerate())
        .flat_map_iter(|(place, &source)| {
            let own = &basis.triangles[source as usize];
            (0..count)
                .filter(move |&test| Reach::of(&basis.triangles[test], own) != Reach::Far)
                .map(move |test| {
                    let block = pairs.block(test, source as usize);
                    let mut words = [0; 19];
                    words[0] = (place * count + test) as u32;
                    for (number, entry) in block.iter().flatten().enumerate() {
                        words[1 + 2 * number] = (entry.re as f32).to_bits();
                        words[2 + 2 * number] = (entry.im as f32).to_bits();
                    }
                    words
                })
        })
        .collect()
}
