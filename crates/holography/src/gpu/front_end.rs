//! GPU implementation of any front end: the equivalent sum of weighted bits, computed from the packed words.
//!
//! Linear prediction amplifies small differences of holograms by some thousandfold. The sums are therefore integer sums
//! with 42-bit weights: exact, and bitwise identical on every GPU.

use std::ops::Range;

use num_complex::Complex64;
use wavefield_gpu::{Access, Buffer, DeviceError, Gpu, Kernel, KernelSource, Uniform};

use crate::error::Error;
use crate::front_end::{Frame, FrontEnd, WeightedBits};

/// Clock cycles summed by one thread.
const BLOCK: usize = 512;

/// Workgroup size, as in the kernels.
const THREADS: usize = 64;

/// Maximum size of a GPU buffer, bytes; frames are divided accordingly. Larger buffers are not faster.
const MAX_BYTES: u64 = 64 << 20;

/// Bits of the low limb of a weight, as in the kernels. The sum of a limb over a block fits 32 bits.
const LIMB: u32 = 21;

/// Maximum weight and maximum sum of all weights, as integers: limbs of 21 and of 31 bits above the low one.
const LARGEST: [f64; 2] = [(1_u64 << 41) as f64, (1_u64 << 50) as f64];

/// High and low limb of the real part, then of the imaginary part.
type Limbs = [i32; 4];

/// A front end whose sums are computed exactly on the GPU.
#[derive(Debug)]
pub struct GpuFrontEnd {
    gpu: Gpu,
    /// Reference implementation of the sums.
    twin: WeightedBits,
    /// Integer that represents one.
    scale: f64,
    weigh: Kernel,
    gather: Kernel,
    slices: Vec<Slice>,
    bits: Buffer<u32>,
    parts: Buffer<Limbs>,
    sums: Buffer<Limbs>,
}

/// Clock cycles processed by one dispatch.
#[derive(Debug)]
struct Slice {
    clocks: Range<usize>,
    parameters: Uniform,
    weights: Buffer<Limbs>,
}

impl Slice {
    fn blocks(&self) -> usize {
        self.clocks.len().div_ceil(BLOCK)
    }
}

impl GpuFrontEnd {
    /// Creates the GPU implementation of `front_end`.
    ///
    /// # Errors
    /// Returns [`Error::Device`] if the GPU fails or has insufficient memory.
    pub fn new(gpu: &Gpu, front_end: &dyn FrontEnd) -> Result<Self, Error> {
        let twin = WeightedBits::new(front_end);
        let (frame, weights) = (twin.frame(), twin.weights());
        let bins = frame.bins();
        let (words, channels) = (frame.packing().words(), frame.packing().channels());
        let clocks = front_end.lead_in() + frame.clocks();
        let capabilities = gpu.capabilities();
        let limit = MAX_BYTES
            .min(capabilities.max_storage_binding)
            .min(capabilities.max_buffer);
        // Memory of bits, weights, and sums of one block.
        let bytes = [
            size_of::<u32>() * BLOCK * words,
            size_of::<Limbs>() * BLOCK * bins.len(),
            size_of::<Limbs>() * channels * bins.len(),
        ];
        let bytes = bytes.into_iter().max().unwrap_or(0) as u64;
        let blocks = usize::try_from(limit / bytes).unwrap_or(usize::MAX);
        if blocks == 0 {
            return Err(Error::Device(DeviceError::TooLarge {
                what: "one block of clock cycles of all microphones and bins",
                bytes,
                limit,
            }));
        }
        let longest = (blocks * BLOCK).min(clocks);
        let scale = scale(weights);
        let kernel = |entry: &str| {
            Kernel::new(
                gpu,
                &KernelSource {
                    name: entry,
                    wgsl: include_str!("kernels/bit_sums.wgsl"),
                    entry,
                    constants: &[
                        ("WORDS", words as f64),
                        ("BINS", bins.len() as f64),
                        ("BLOCK", BLOCK as f64),
                    ],
                    bindings: &[
                        Access::Uniform,
                        Access::Read,
                        Access::Read,
                        Access::ReadWrite,
                        Access::ReadWrite,
                    ],
                },
            )
        };
        let slices = (0..clocks)
            .step_by(longest)
            .map(|first| {
                let clocks = first..(first + longest).min(clocks);
                let weights: Vec<Limbs> = weights
                    .iter()
                    .flat_map(|weights| weights[clocks.clone()].iter().map(|&w| limbs(w * scale)))
                    .collect();
                let shape = [clocks.len() as u32, clocks.len().div_ceil(BLOCK) as u32];
                Ok(Slice {
                    parameters: Uniform::new(gpu, &shape)?,
                    weights: Buffer::from_slice(gpu, &weights)?,
                    clocks,
                })
            })
            .collect::<Result<Vec<_>, DeviceError>>()?;
        let parts = longest.div_ceil(BLOCK) * bins.len() * channels;
        Ok(Self {
            weigh: kernel("weigh")?,
            gather: kernel("gather")?,
            bits: Buffer::zeroed(gpu, longest * words)?,
            parts: Buffer::zeroed(gpu, parts)?,
            sums: Buffer::zeroed(gpu, bins.len() * channels)?,
            gpu: gpu.clone(),
            scale,
            slices,
            twin,
        })
    }

    /// Returns the GPU memory in use, bytes.
    pub fn gpu_memory(&self) -> usize {
        let weights: usize = self.slices.iter().map(|slice| slice.weights.len()).sum();
        let sums = weights + self.parts.len() + self.sums.len();
        size_of::<u32>() * self.bits.len() + size_of::<Limbs>() * sums
    }
}

impl FrontEnd for GpuFrontEnd {
    fn frame(&self) -> &Frame {
        self.twin.frame()
    }

    fn lead_in(&self) -> usize {
        self.twin.lead_in()
    }

    fn amplitudes(&mut self, words: &[u32], amplitudes: &mut [Complex64]) -> Result<(), Error> {
        self.frame().check(self.lead_in(), words, amplitudes)?;
        let packing = self.frame().packing();
        let (per_clock, channels) = (packing.words(), packing.channels());
        let bins = self.frame().bins().len();
        self.sums.write(0, &vec![[0; 4]; self.sums.len()])?;
        for slice in &self.slices {
            let bits = slice.clocks.start * per_clock..slice.clocks.end * per_clock;
            self.bits.write(0, &words[bits])?;
            let arguments = [
                slice.parameters.bind(),
                self.bits.bind(),
                slice.weights.bind(),
                self.parts.bind(),
                self.sums.bind(),
            ];
            self.gpu.submit(|commands| {
                let pairs = per_clock * 32 / THREADS;
                let groups = slice.blocks() * bins * pairs;
                commands.dispatch(&self.weigh, &arguments, groups as u64)?;
                let groups = self.sums.len().div_ceil(THREADS);
                commands.dispatch(&self.gather, &arguments, groups as u64)
            })?;
        }
        for (sums, amplitudes) in self
            .sums
            .read()?
            .chunks_exact(channels)
            .zip(amplitudes.chunks_exact_mut(channels))
        {
            for (place, &[re_high, re_low, im_high, im_low]) in sums.iter().enumerate() {
                let value = |high, low| {
                    (f64::from(high) * f64::from(1 << LIMB) + f64::from(low)) / self.scale
                };
                amplitudes[packing.channel_at(place)] =
                    Complex64::new(value(re_high, re_low), value(im_high, im_low));
            }
        }
        Ok(())
    }

    fn bit_weights(&self, bin: usize) -> Vec<Complex64> {
        self.twin.bit_weights(bin)
    }
}

/// Returns the scale factor from weights to integers that keeps weights and their sums within the limits.
fn scale(weights: &[Vec<Complex64>]) -> f64 {
    let part = |w: &Complex64| w.re.abs().max(w.im.abs());
    let largest = weights.iter().flatten().map(part).fold(0.0, f64::max);
    let most = weights
        .iter()
        .map(|weights| weights.iter().map(part).sum::<f64>())
        .fold(0.0, f64::max);
    (LARGEST[0] / largest.max(f64::MIN_POSITIVE)).min(LARGEST[1] / most.max(f64::MIN_POSITIVE))
}

/// Rounds a weight to an integer, in limbs.
fn limbs(weight: Complex64) -> Limbs {
    let limbs = |value: f64| {
        let whole = value.round() as i64;
        [(whole >> LIMB) as i32, (whole & ((1 << LIMB) - 1)) as i32]
    };
    let ([re_high, re_low], [im_high, im_low]) = (limbs(weight.re), limbs(weight.im));
    [re_high, re_low, im_high, im_low]
}
