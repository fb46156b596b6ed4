//! All lines along one axis on the GPU: one dispatch, or two or three for lines that exceed workgroup memory.

use std::f64::consts::TAU;

use num_complex::Complex;

use super::{
    Direction, FftError, Real,
    radices::{factors, radices},
};
use crate::{
    Access, Bound, Buffer, Commands, Gpu, Kernel, KernelSource, Uniform, error::DeviceError,
};

/// Threads per workgroup: several subgroups on all hardware, and within the limits of all devices.
pub(super) const THREADS: usize = 256;

/// Longest line in workgroup memory; the kernel supports the eight passes this may require.
const LONGEST_LINE: usize = 4096;

/// Elements of workgroup memory at which every thread has a radix-8 butterfly; more only reduce occupancy.
const USEFUL_ELEMENTS: usize = 2048;

#[derive(Debug)]
pub(super) struct LineTransform<R> {
    steps: Vec<Step<R>>,
    /// Uniforms of the forward and the inverse transform.
    orientations: [Uniform; 2],
}

impl<R: Real> LineTransform<R> {
    /// Plans transforms of lines of `length` elements with stride `inner`, in place or out of place.
    pub(super) fn new(
        gpu: &Gpu,
        length: usize,
        inner: usize,
        in_place: bool,
        tables: &mut u64,
    ) -> Result<Self, FftError> {
        let element = size_of::<Complex<R>>();
        let held = gpu.capabilities().workgroup_memory as usize / (2 * element);
        let longest = held.min(LONGEST_LINE);
        let parts = factors(length, longest).ok_or_else(|| DeviceError::TooLarge {
            what: "one line of a transform",
            bytes: (length * element) as u64,
            limit: (longest.saturating_pow(3) as u64).saturating_mul(element as u64),
        })?;
        let mut steps = Vec::new();
        for index in 0..parts.len() {
            // A long line passes through scratch: into it first, in place in between, out of it last.
            let in_place = if parts.len() == 1 {
                in_place
            } else {
                index > 0 && index + 1 < parts.len()
            };
            let lines = (held.min(USEFUL_ELEMENTS) / parts[index]).max(1);
            steps.push(Step::new(
                gpu, &parts, index, inner, lines, in_place, tables,
            )?);
        }
        let orientations = [
            Uniform::new(gpu, &[1.0_f32, 0.0, 0.0, 0.0])?,
            Uniform::new(gpu, &[-1.0_f32, 0.0, 0.0, 0.0])?,
        ];
        Ok(Self {
            steps,
            orientations,
        })
    }

    /// Returns whether scratch of the size of the data is required between steps.
    pub(super) fn needs_passage(&self) -> bool {
        self.steps.len() > 1
    }

    /// Transforms `data` in place, via the first elements of `passage` if the lines are long.
    pub(super) fn record_in_place(
        &self,
        commands: &mut Commands<'_>,
        data: Bound<'_>,
        passage: &Buffer<Complex<R>>,
        elements: usize,
        direction: Direction,
    ) -> Result<(), FftError> {
        let passage = if self.needs_passage() {
            passage.bind()
        } else {
            data
        };
        self.record(commands, data, passage, data, elements, direction)
    }

    /// Transforms from `source` to `sink`, via `passage` if the lines are long.
    pub(super) fn record(
        &self,
        commands: &mut Commands<'_>,
        source: Bound<'_>,
        passage: Bound<'_>,
        sink: Bound<'_>,
        elements: usize,
        direction: Direction,
    ) -> Result<(), FftError> {
        let orientation = self.orientations[usize::from(direction == Direction::Inverse)].bind();
        // The kernel derives its number of lines from the length of its output, so the binding has exactly that
        // length.
        let passage = passage.shortened((elements * size_of::<Complex<R>>()) as u64);
        let last = self.steps.len() - 1;
        for (index, step) in self.steps.iter().enumerate() {
            let from = if index == 0 { source } else { passage };
            let to = if index == last { sink } else { passage };
            step.record(commands, orientation, from, to, elements)?;
        }
        Ok(())
    }
}

#[derive(Debug)]
struct Step<R> {
    kernel: Kernel,
    in_place: bool,
    length: usize,
    lines: usize,
    twiddles: Buffer<Complex<R>>,
    step_twiddles: Buffer<Complex<R>>,
}

impl<R: Real> Step<R> {
    fn new(
        gpu: &Gpu,
        parts: &[usize],
        index: usize,
        inner: usize,
        lines: usize,
        in_place: bool,
        tables: &mut u64,
    ) -> Result<Self, FftError> {
        let length = parts[index];
        let twiddles = twiddle_table(gpu, (0..length).map(|q| (q, length)), tables)?;
        // W_M^q from two tables of about √M elements instead of one of M.
        let modulus: usize = if index + 1 < parts.len() {
            parts[index..].iter().product()
        } else {
            1
        };
        let shift = modulus.ilog2().div_ceil(2);
        let fine = 1_usize << shift;
        let coarse = (0..modulus.div_ceil(fine)).map(|q| q * fine);
        let entries = (0..fine).chain(coarse).map(|q| (q, modulus));
        let step_twiddles = twiddle_table(gpu, entries, tables)?;

        let strides = Strides::of(parts, index, inner);
        let constants: Vec<(&str, usize)> = [
            ("LENGTH", length),
            ("LINES", lines),
            ("THREADS", THREADS),
            ("STEP_TWIDDLES", usize::from(modulus > 1)),
            ("STEP_SHIFT", shift as usize),
            ("SIZE_INNER", inner),
        ]
        .into_iter()
        .chain(strides.constants())
        .chain(RADIX_NAMES.into_iter().zip(radices(length)))
        .collect();
        Ok(Self {
            kernel: compile::<R>(gpu, length, in_place, &constants)?,
            in_place,
            length,
            lines,
            twiddles,
            step_twiddles,
        })
    }

    fn record(
        &self,
        commands: &mut Commands<'_>,
        orientation: Bound<'_>,
        source: Bound<'_>,
        sink: Bound<'_>,
        elements: usize,
    ) -> Result<(), FftError> {
        let mut arguments = vec![
            orientation,
            self.twiddles.bind(),
            self.step_twiddles.bind(),
            sink,
        ];
        if !self.in_place {
            arguments.push(source);
        }
        let groups = (elements / self.length).div_ceil(self.lines) as u64;
        Ok(commands.dispatch(&self.kernel, &arguments, groups)?)
    }
}

const RADIX_NAMES: [&str; 8] = [
    "RADIX_0", "RADIX_1", "RADIX_2", "RADIX_3", "RADIX_4", "RADIX_5", "RADIX_6", "RADIX_7",
];

/// Digits of a line number and their strides for factor `index` of N = N1·N2(·N3), Bailey's algorithm.
///
/// D. H. Bailey, "FFTs in external or hierarchical memory", J. Supercomputing 4, 1990.
struct Strides {
    size_a: usize,
    size_b: usize,
    read_a: usize,
    read_b: usize,
    read_element: usize,
    write_a: usize,
    write_b: usize,
    write_element: usize,
    outer: usize,
}

impl Strides {
    fn of(parts: &[usize], index: usize, inner: usize) -> Self {
        let length = parts[index];
        let before: usize = parts[..index].iter().product();
        let after: usize = parts[index + 1..].iter().product();
        let outer = before * length * after * inner;
        if index + 1 < parts.len() {
            // a runs along the remaining factors, b along those already done; results replace their inputs.
            return Self {
                size_a: after,
                size_b: before,
                read_a: inner,
                read_b: length * after * inner,
                read_element: after * inner,
                write_a: inner,
                write_b: length * after * inner,
                write_element: after * inner,
                outer,
            };
        }
        // The last factor writes in transposed order: result k1 + N1·(k2 + N2·k3), with k1 = b and k2 = a.
        let first = if parts.len() > 1 { parts[0] } else { 1 };
        let middle = if parts.len() > 2 { parts[1] } else { 1 };
        Self {
            size_a: middle,
            size_b: first,
            read_a: length * inner,
            read_b: middle * length * inner,
            read_element: inner,
            write_a: first * inner,
            write_b: inner,
            write_element: before * inner,
            outer,
        }
    }

    fn constants(&self) -> [(&'static str, usize); 11] {
        [
            ("SIZE_A", self.size_a),
            ("SIZE_B", self.size_b),
            ("READ_A", self.read_a),
            ("READ_B", self.read_b),
            ("READ_ELEMENT", self.read_element),
            ("WRITE_A", self.write_a),
            ("WRITE_B", self.write_b),
            ("WRITE_ELEMENT", self.write_element),
            ("OUTER", self.outer),
            ("READ_ACROSS", usize::from(self.read_element != 1)),
            ("WRITE_ACROSS", usize::from(self.write_element != 1)),
        ]
    }
}

fn compile<R: Real>(
    gpu: &Gpu,
    length: usize,
    in_place: bool,
    constants: &[(&str, usize)],
) -> Result<Kernel, DeviceError> {
    if let Some(&(_, value)) = constants
        .iter()
        .find(|(_, value)| u32::try_from(*value).is_err())
    {
        return Err(DeviceError::TooLarge {
            what: "an array with 32-bit indices",
            bytes: value as u64,
            limit: u64::from(u32::MAX),
        });
    }
    let constants: Vec<(&str, f64)> = constants
        .iter()
        .map(|&(name, value)| (name, value as f64))
        .collect();
    let mut bindings = vec![
        Access::Uniform,
        Access::Read,
        Access::Read,
        Access::ReadWrite,
    ];
    if !in_place {
        bindings.push(Access::Read);
    }
    Kernel::new(
        gpu,
        &KernelSource {
            name: &format!("fourier lines of {length}"),
            wgsl: &format!("{}\n{}", R::WGSL, include_str!("../kernels/fft_lines.wgsl")),
            entry: if in_place { "in_place" } else { "out_of_place" },
            constants: &constants,
            bindings: &bindings,
        },
    )
}

/// Returns the twiddle factors W_n^q = e^{−j2πq/n} for the given (q, n), computed in double precision on the host.
pub(super) fn twiddle_table<R: Real>(
    gpu: &Gpu,
    entries: impl Iterator<Item = (usize, usize)>,
    bytes: &mut u64,
) -> Result<Buffer<Complex<R>>, DeviceError> {
    let values: Vec<Complex<R>> = entries
        .map(|(q, n)| {
            let (sine, cosine) = (-TAU * (q as f64 / n as f64)).sin_cos();
            Complex::new(R::nearest(cosine), R::nearest(sine))
        })
        .collect();
    *bytes += size_of_val(values.as_slice()) as u64;
    Buffer::from_slice(gpu, &values)
}
