//! Far-field sums on a GPU: patches are buffered until they fill a dispatch.
//!
//! The GPU computes phases in turns in an [`Arithmetic`] of 48 bits or more and sums in single precision over blocks
//! of patches in a fixed tree; the CPU adds the sums of blocks in f64, in order.

use std::f64::consts::{PI, TAU};

use num_complex::Complex64;
use wavefield_gpu::{Access, Buffer, DeviceError, Gpu, Kernel, KernelSource, Uniform};

use super::arithmetic::{Arithmetic, filled};
use super::state::GpuState;
use crate::optics::Currents;
use crate::patch::{Amplitude, Observer, Outline, Patch};
use crate::receiver::{FarField, Receiver};
use crate::trace::Surface;
use wavefield_numerics::vector::{dot, scaled, sub};

/// Number of patches summed by one workgroup.
const BLOCK: usize = 1024;
/// Number of patches that trigger a dispatch.
const ENOUGH: usize = 1 << 16;
/// Maximum number of block sums per readback.
const MAX_SUMS: usize = 1 << 20;

type PatchWords = [u32; 40];

/// Creates the kernel of the far-field sums.
pub(super) fn kernel(gpu: &Gpu, arithmetic: Arithmetic) -> Result<Kernel, DeviceError> {
    use Access::{Read, ReadWrite};
    let wgsl = [
        &arithmetic.wgsl(),
        include_str!("kernels/phase.wgsl"),
        include_str!("kernels/radiate.wgsl"),
    ]
    .concat();
    Kernel::new(
        gpu,
        &KernelSource {
            name: "radiate",
            wgsl: &wgsl,
            entry: "radiate",
            constants: &[],
            bindings: &[Access::Uniform, Read, Read, Read, ReadWrite],
        },
    )
}

/// GPU buffers of an incident wave and its observers.
#[derive(Debug)]
pub(super) struct Observation<'a> {
    on_gpu: &'a GpuState,
    arithmetic: Arithmetic,
    kernel: &'a Kernel,
    surface: &'a Surface,
    /// Direction of propagation of the incident wave.
    direction: [f64; 3],
    observers: Buffer<[u32; 12]>,
    frequencies: Buffer<[u32; 2]>,
}

impl<'a> Observation<'a> {
    pub(super) fn new(
        on_gpu: &'a GpuState,
        arithmetic: Arithmetic,
        kernel: &'a Kernel,
        surface: &'a Surface,
        direction: [f64; 3],
        (observers, wavenumbers): (&[Observer], &[f64]),
    ) -> Result<Observation<'a>, DeviceError> {
        let observers: Vec<[u32; 12]> = observers
            .iter()
            .map(|observer| {
                let received = observer.received.into_iter().flatten();
                let received = received.map(|value| (value as f32).to_bits());
                filled(arithmetic.place(observer.direction).chain(received))
            })
            .collect();
        let frequencies: Vec<[u32; 2]> = wavenumbers
            .iter()
            .map(|k| arithmetic.words(k * surface.radius() / TAU))
            .collect();
        let buffers = on_gpu.run(|gpu| {
            let observers = Buffer::from_slice(gpu, &observers)?;
            Ok((observers, Buffer::from_slice(gpu, &frequencies)?))
        });
        on_gpu.fault()?;
        let (observers, frequencies) = buffers.ok_or_else(|| DeviceError::Internal {
            operation: "observers".to_owned(),
            message: "the GPU returned neither buffers nor an error".to_owned(),
        })?;
        Ok(Observation {
            on_gpu,
            arithmetic,
            kernel,
            surface,
            direction,
            observers,
            frequencies,
        })
    }

    /// Returns an empty far field.
    pub(super) fn field(&'a self) -> GpuFarField<'a> {
        GpuFarField {
            on: self,
            held: Vec::new(),
            sums: vec![[0.0; 8]; self.pairs()],
        }
    }

    /// Returns the number of pairs of an observer and a frequency.
    fn pairs(&self) -> usize {
        self.observers.len() * self.frequencies.len()
    }

    /// Encodes a patch for the kernels: lengths in radii of the body, positions and path lengths relative to its
    /// center.
    fn words(&self, patch: &Patch) -> PatchWords {
        let (center, per_radius) = (self.surface.center(), 1.0 / self.surface.radius());
        let path_length = (patch.path_length - dot(self.direction, center)) * per_radius;
        let (outline, is_triangle) = match patch.outline {
            Outline::Parallelogram([a, b]) => ([a, b, [0.0; 3]], 0),
            Outline::Triangle(corners) => (corners, 1),
        };
        let outline = outline.into_iter();
        let Currents::Real(currents) = &patch.currents else {
            unreachable!("coated bodies run on the CPU");
        };
        let currents = currents.iter().flatten().copied();
        let area = patch.area * per_radius * per_radius;
        let point = scaled(sub(patch.point, center), per_radius);
        let words = (self.arithmetic.place(point))
            .chain(self.arithmetic.words(path_length))
            .chain(self.arithmetic.place(patch.direction))
            .chain(outline.flat_map(|side| self.arithmetic.place(scaled(side, per_radius))))
            .chain(currents.chain([area]).map(|value| (value as f32).to_bits()))
            .chain([is_triangle]);
        filled(words)
    }

    /// Adds the fields of patches.
    fn integrate(
        &self,
        gpu: &Gpu,
        patches: &[PatchWords],
        sums: &mut [[f64; 8]],
    ) -> Result<(), DeviceError> {
        let blocks = patches.len().div_ceil(BLOCK);
        let patches_there = Buffer::from_slice(gpu, patches)?;
        let at_once = (MAX_SUMS / blocks).clamp(1, sums.len());
        let of_blocks = Buffer::<[f32; 8]>::zeroed(gpu, at_once * blocks)?;
        for (first, sums) in (0..).step_by(at_once).zip(sums.chunks_mut(at_once)) {
            let count = sums.len() * blocks;
            let task = [
                patches.len(),
                blocks,
                self.observers.len(),
                self.frequencies.len(),
                first,
                // A zero that the compiler cannot fold, which protects error-free transformations; padding for
                // alignment.
                0,
                0,
                0,
            ];
            let task = Uniform::new(gpu, &task.map(|number| number as u32))?;
            gpu.dispatch(
                self.kernel,
                &[
                    task.bind(),
                    self.observers.bind(),
                    self.frequencies.bind(),
                    patches_there.bind(),
                    of_blocks.bind_range(0..count),
                ],
                count as u64,
            )?;
            let mut found = vec![[0.0; 8]; count];
            of_blocks.read_into(0, &mut found)?;
            for (sum, of_pair) in sums.iter_mut().zip(found.chunks_exact(blocks)) {
                for of_block in of_pair {
                    for (sum, part) in sum.iter_mut().zip(of_block) {
                        *sum += f64::from(*part);
                    }
                }
            }
        }
        Ok(())
    }
}

/// Far-field sums on a GPU.
#[derive(Clone, Debug)]
pub(super) struct GpuFarField<'a> {
    on: &'a Observation<'a>,
    /// Patches not yet summed.
    held: Vec<PatchWords>,
    /// Real and imaginary parts of VV, VH, HV, HH in radii without the factor k/2π, ordered by observer and then by
    /// frequency.
    sums: Vec<[f64; 8]>,
}

impl GpuFarField<'_> {
    /// Sums the buffered patches.
    fn sum(&mut self) {
        if self.held.is_empty() || self.sums.is_empty() {
            self.held.clear();
            return;
        }
        let (on, held, sums) = (self.on, &self.held, &mut self.sums);
        // The GPU state stores the fault; the caller checks it at the end.
        let _ = on.on_gpu.run(|gpu| on.integrate(gpu, held, sums));
        self.held.clear();
    }

    /// Adds the sums to a field, with the factor k/2π, the square of the radius, and the phase of the body's center,
    /// which the GPU omits.
    pub(super) fn add_to(mut self, field: &mut FarField<'_>) {
        self.sum();
        let surface = self.on.surface;
        let size = surface.radius() * surface.radius() / (2.0 * PI);
        let mut sums = self.sums.iter();
        field.add(|observer, (_, k), amplitude: &mut Amplitude| {
            let along = sub(observer.direction, self.on.direction);
            let factor = Complex64::from_polar(k * size, k * dot(along, surface.center()));
            let numbers = sums.next().map_or(&[][..], |sum| &sum[..]);
            let parts = numbers.chunks_exact(2);
            for (sum, part) in amplitude.iter_mut().flatten().zip(parts) {
                *sum += factor * Complex64::new(part[0], part[1]);
            }
        });
    }
}

impl Receiver for GpuFarField<'_> {
    fn empty(&self) -> Self {
        self.on.field()
    }

    fn receive(&mut self, patch: &Patch) {
        self.held.push(self.on.words(patch));
        if self.held.len() >= ENOUGH {
            self.sum();
        }
    }

    fn join(&mut self, other: &Self) {
        for (sum, part) in self
            .sums
            .iter_mut()
            .flatten()
            .zip(other.sums.iter().flatten())
        {
            *sum += part;
        }
        self.held.extend_from_slice(&other.held);
        if self.held.len() >= ENOUGH {
            self.sum();
        }
    }
}
