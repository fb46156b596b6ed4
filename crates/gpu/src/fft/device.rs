//! FFT on the GPU: for every axis, dispatches of a kernel that transforms lines in workgroup memory.

use std::sync::{Mutex, PoisonError};

use num_complex::Complex;

use wavefield_numerics::fft::{Extent, FftKind, FftShapeError, is_good_size, next_good_size};

use super::{
    Direction, FftError, Real,
    lines::{LineTransform, THREADS, twiddle_table},
};
use crate::{Access, Bound, Buffer, Commands, Gpu, Kernel, KernelSource, error::DeviceError};

#[derive(Debug)]
pub(super) struct GpuFft<R: Real> {
    gpu: Gpu,
    extent: Extent,
    /// Transforms per binding.
    per_chunk: usize,
    /// Complex axes in the order of the forward transform, in place.
    axes: Vec<LineTransform<R>>,
    real: Option<RealAxis<R>>,
    tables: u64,
    /// Elements of each scratch buffer, for one chunk.
    scratch_lens: [usize; 2],
    scratch: Mutex<Option<[Buffer<Complex<R>>; 2]>>,
}

/// Last axis of real data.
#[derive(Debug)]
struct RealAxis<R> {
    lines: LineTransform<R>,
    /// To the half spectrum after the lines, and from it before them.
    to_spectrum: Kernel,
    from_spectrum: Kernel,
    /// Conversion between real and complex numbers, for odd lengths only.
    odd: Option<OddEnds>,
    twiddles: Buffer<Complex<R>>,
}

#[derive(Debug)]
struct OddEnds {
    widen: Kernel,
    narrow: Kernel,
}

impl<R: Real> GpuFft<R> {
    pub(super) fn new(gpu: &Gpu, extent: &Extent) -> Result<Self, FftError> {
        for &size in extent.shape() {
            if !is_good_size(size) {
                return Err(FftError::Size {
                    size,
                    next: next_good_size(size),
                });
            }
        }
        let capabilities = gpu.capabilities();
        if R::NEEDS_F64 && !capabilities.f64 {
            let adapter = gpu.info().name.clone();
            return Err(DeviceError::Missing {
                adapter,
                capability: "double precision",
            }
            .into());
        }

        let mut tables = 0;
        let mut lines = |length: usize, inner: usize, in_place: bool| {
            LineTransform::new(gpu, length, inner, in_place, &mut tables)
        };
        let last = extent.last();
        let real = match extent.kind() {
            FftKind::Complex => None,
            FftKind::Real if last.is_multiple_of(2) => Some(lines(last / 2, 1, false)?),
            FftKind::Real => Some(lines(last, 1, true)?),
        };
        let shape = extent.spectrum_shape();
        let complex_axes = shape.len() - usize::from(real.is_some());
        let mut axes = Vec::new();
        for axis in (0..complex_axes).rev().filter(|&axis| shape[axis] > 1) {
            axes.push(lines(
                shape[axis],
                shape[axis + 1..].iter().product(),
                true,
            )?);
        }
        let real = real
            .map(|lines| RealAxis::new(gpu, last, lines, &mut tables))
            .transpose()?;

        let (points, spectrum) = (extent.points(), extent.spectrum());
        let lines_of_real = points / last;
        // First scratch buffer: intermediate results of long lines, and the lines of real data.
        let through = if axes.iter().any(LineTransform::needs_passage) {
            spectrum
        } else {
            0
        };
        let (held, second) = match &real {
            None => (0, 0),
            Some(real) if real.odd.is_none() => (lines_of_real * (last / 2), 0),
            Some(real) => (
                points,
                if real.lines.needs_passage() {
                    points
                } else {
                    0
                },
            ),
        };
        let first = through.max(held);
        let element = size_of::<Complex<R>>();
        let per_chunk = transforms_per_binding(
            gpu,
            extent.batch(),
            [spectrum, first, second]
                .into_iter()
                .max()
                .unwrap_or(spectrum)
                * element,
            &match extent.kind() {
                FftKind::Complex => vec![points * element],
                FftKind::Real => vec![points * element / 2, spectrum * element],
            },
        )?;
        Ok(Self {
            gpu: gpu.clone(),
            extent: extent.clone(),
            per_chunk,
            axes,
            real,
            tables,
            scratch_lens: [first * per_chunk, second * per_chunk],
            scratch: Mutex::new(None),
        })
    }

    pub(super) fn extent(&self) -> &Extent {
        &self.extent
    }

    pub(super) fn memory(&self) -> u64 {
        let scratch: usize = self.scratch_lens.iter().sum();
        self.tables + (scratch * size_of::<Complex<R>>()) as u64
    }

    pub(super) fn complex(
        &self,
        data: &mut [Complex<R>],
        direction: Direction,
    ) -> Result<(), FftError> {
        let points = self.extent.points();
        let held = Buffer::zeroed(&self.gpu, self.per_chunk * points)?;
        for part in data.chunks_mut(self.per_chunk * points) {
            held.write(0, part)?;
            self.gpu.submit(|commands| {
                self.complex_chunk(
                    commands,
                    held.bind_range(0..part.len()),
                    part.len() / points,
                    direction,
                )
            })?;
            held.read_into(0, part)?;
        }
        Ok(())
    }

    pub(super) fn forward_real(
        &self,
        input: &[R],
        spectrum: &mut [Complex<R>],
    ) -> Result<(), FftError> {
        let (points, half) = (self.extent.points(), self.extent.spectrum());
        let values = Buffer::zeroed(&self.gpu, self.per_chunk * points)?;
        let spectra = Buffer::zeroed(&self.gpu, self.per_chunk * half)?;
        for (values_part, spectra_part) in input
            .chunks(self.per_chunk * points)
            .zip(spectrum.chunks_mut(self.per_chunk * half))
        {
            values.write(0, values_part)?;
            self.gpu.submit(|commands| {
                let (from, to) = (
                    values.bind_range(0..values_part.len()),
                    spectra.bind_range(0..spectra_part.len()),
                );
                self.forward_real_chunk(commands, from, to, values_part.len() / points)
            })?;
            spectra.read_into(0, spectra_part)?;
        }
        Ok(())
    }

    pub(super) fn inverse_real(
        &self,
        spectrum: &[Complex<R>],
        output: &mut [R],
    ) -> Result<(), FftError> {
        let (points, half) = (self.extent.points(), self.extent.spectrum());
        let values = Buffer::zeroed(&self.gpu, self.per_chunk * points)?;
        let spectra = Buffer::zeroed(&self.gpu, self.per_chunk * half)?;
        for (values_part, spectra_part) in output
            .chunks_mut(self.per_chunk * points)
            .zip(spectrum.chunks(self.per_chunk * half))
        {
            spectra.write(0, spectra_part)?;
            self.gpu.submit(|commands| {
                let (to, from) = (
                    values.bind_range(0..values_part.len()),
                    spectra.bind_range(0..spectra_part.len()),
                );
                self.inverse_real_chunk(commands, from, to, values_part.len() / points)
            })?;
            values.read_into(0, values_part)?;
        }
        Ok(())
    }

    pub(super) fn record_complex(
        &self,
        commands: &mut Commands<'_>,
        data: &Buffer<Complex<R>>,
        direction: Direction,
    ) -> Result<(), FftError> {
        let points = self.extent.points();
        for (first, count) in self.chunks() {
            let range = first * points..(first + count) * points;
            self.complex_chunk(commands, data.bind_range(range), count, direction)?;
        }
        Ok(())
    }

    pub(super) fn record_forward_real(
        &self,
        commands: &mut Commands<'_>,
        input: &Buffer<R>,
        spectrum: &Buffer<Complex<R>>,
    ) -> Result<(), FftError> {
        let (points, half) = (self.extent.points(), self.extent.spectrum());
        for (first, count) in self.chunks() {
            let from = input.bind_range(first * points..(first + count) * points);
            let to = spectrum.bind_range(first * half..(first + count) * half);
            self.forward_real_chunk(commands, from, to, count)?;
        }
        Ok(())
    }

    pub(super) fn record_inverse_real(
        &self,
        commands: &mut Commands<'_>,
        spectrum: &Buffer<Complex<R>>,
        output: &Buffer<R>,
    ) -> Result<(), FftError> {
        let (points, half) = (self.extent.points(), self.extent.spectrum());
        for (first, count) in self.chunks() {
            let from = spectrum.bind_range(first * half..(first + count) * half);
            let to = output.bind_range(first * points..(first + count) * points);
            self.inverse_real_chunk(commands, from, to, count)?;
        }
        Ok(())
    }

    /// Returns the first transform and the number of transforms of each chunk.
    fn chunks(&self) -> impl Iterator<Item = (usize, usize)> {
        let (batch, per_chunk) = (self.extent.batch(), self.per_chunk);
        (0..batch)
            .step_by(per_chunk)
            .map(move |first| (first, per_chunk.min(batch - first)))
    }

    fn complex_chunk(
        &self,
        commands: &mut Commands<'_>,
        data: Bound<'_>,
        count: usize,
        direction: Direction,
    ) -> Result<(), FftError> {
        let elements = count * self.extent.spectrum();
        let [through, _] = self.scratch()?;
        for axis in &self.axes {
            axis.record_in_place(commands, data, &through, elements, direction)?;
        }
        Ok(())
    }

    fn forward_real_chunk(
        &self,
        commands: &mut Commands<'_>,
        input: Bound<'_>,
        spectrum: Bound<'_>,
        count: usize,
    ) -> Result<(), FftError> {
        let Some(real) = &self.real else {
            return Err(FftShapeError::Kind {
                planned: self.extent.kind(),
            }
            .into());
        };
        let [first, second] = self.scratch()?;
        let held_len = count * self.held_len();
        let held = first.bind_range(0..held_len);
        match &real.odd {
            None => real.lines.record(
                commands,
                input,
                spectrum,
                held,
                held_len,
                Direction::Forward,
            )?,
            Some(odd) => {
                commands.dispatch(
                    &odd.widen,
                    &[real.twiddles.bind(), input, held],
                    groups(held_len),
                )?;
                real.lines.record_in_place(
                    commands,
                    held,
                    &second,
                    held_len,
                    Direction::Forward,
                )?;
            }
        }
        let elements = count * self.extent.spectrum();
        commands.dispatch(
            &real.to_spectrum,
            &[real.twiddles.bind(), held, spectrum],
            groups(elements),
        )?;
        for axis in &self.axes {
            axis.record_in_place(commands, spectrum, &first, elements, Direction::Forward)?;
        }
        Ok(())
    }

    fn inverse_real_chunk(
        &self,
        commands: &mut Commands<'_>,
        spectrum: Bound<'_>,
        output: Bound<'_>,
        count: usize,
    ) -> Result<(), FftError> {
        let Some(real) = &self.real else {
            return Err(FftShapeError::Kind {
                planned: self.extent.kind(),
            }
            .into());
        };
        let [first, second] = self.scratch()?;
        let elements = count * self.extent.spectrum();
        for axis in &self.axes {
            axis.record_in_place(commands, spectrum, &first, elements, Direction::Inverse)?;
        }
        let held_len = count * self.held_len();
        let held = first.bind_range(0..held_len);
        commands.dispatch(
            &real.from_spectrum,
            &[real.twiddles.bind(), spectrum, held],
            groups(held_len),
        )?;
        match &real.odd {
            None => real.lines.record(
                commands,
                held,
                spectrum,
                output,
                held_len,
                Direction::Inverse,
            )?,
            Some(odd) => {
                real.lines.record_in_place(
                    commands,
                    held,
                    &second,
                    held_len,
                    Direction::Inverse,
                )?;
                commands.dispatch(
                    &odd.narrow,
                    &[real.twiddles.bind(), held, output],
                    groups(held_len),
                )?;
            }
        }
        Ok(())
    }

    /// Returns the elements of the first scratch buffer that one transform of real data takes.
    fn held_len(&self) -> usize {
        let points = self.extent.points();
        if self.extent.last().is_multiple_of(2) {
            points / 2
        } else {
            points
        }
    }

    fn scratch(&self) -> Result<[Buffer<Complex<R>>; 2], DeviceError> {
        let mut scratch = self.scratch.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(taken) = &*scratch {
            return Ok(taken.clone());
        }
        let [first, second] = self.scratch_lens;
        let taken = [
            Buffer::zeroed(&self.gpu, first)?,
            Buffer::zeroed(&self.gpu, second)?,
        ];
        Ok(scratch.insert(taken).clone())
    }
}

impl<R: Real> RealAxis<R> {
    fn new(
        gpu: &Gpu,
        length: usize,
        lines: LineTransform<R>,
        tables: &mut u64,
    ) -> Result<Self, FftError> {
        let twiddles = twiddle_table(gpu, (0..=length / 2).map(|k| (k, length)), tables)?;
        let wgsl = format!("{}\n{}", R::WGSL, include_str!("../kernels/fft_real.wgsl"));
        let kernel = |entry: &str| {
            Kernel::new(
                gpu,
                &KernelSource {
                    name: entry,
                    wgsl: &wgsl,
                    entry,
                    constants: &[("THREADS", THREADS as f64), ("LENGTH", length as f64)],
                    bindings: &[Access::Read, Access::Read, Access::ReadWrite],
                },
            )
        };
        let even = length.is_multiple_of(2);
        Ok(Self {
            lines,
            to_spectrum: kernel(if even { "separate_even" } else { "crop_odd" })?,
            from_spectrum: kernel(if even { "join_even" } else { "mirror_odd" })?,
            odd: if even {
                None
            } else {
                Some(OddEnds {
                    widen: kernel("widen_odd")?,
                    narrow: kernel("narrow_odd")?,
                })
            },
            twiddles,
        })
    }
}

/// Returns how many transforms of `widest` bytes one binding holds; chunks of the caller's arrays must start
/// aligned.
fn transforms_per_binding(
    gpu: &Gpu,
    batch: usize,
    widest: usize,
    strides: &[usize],
) -> Result<usize, DeviceError> {
    let capabilities = gpu.capabilities();
    let limit = capabilities
        .max_storage_binding
        .min(capabilities.max_buffer);
    let fitting = usize::try_from(limit / widest as u64).unwrap_or(usize::MAX);
    if fitting >= batch {
        return Ok(batch);
    }
    let alignment = capabilities.storage_alignment as usize;
    // The alignment is a power of two, so the missing factor of a stride is a power of two as well.
    let lacking =
        |stride: usize| alignment >> stride.trailing_zeros().min(alignment.trailing_zeros());
    let unit = strides
        .iter()
        .map(|&stride| lacking(stride))
        .max()
        .unwrap_or(1);
    match fitting / unit * unit {
        0 => Err(DeviceError::TooLarge {
            what: "one binding",
            bytes: (widest * unit) as u64,
            limit,
        }),
        fitting => Ok(fitting),
    }
}

fn groups(elements: usize) -> u64 {
    elements.div_ceil(THREADS) as u64
}
