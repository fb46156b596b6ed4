//! Real-time holography: a hop of PDM bits in, fields in the reconstruction plane out.
//!
//! All buffers are allocated beforehand, and every bit is read once. Stages for each bin: linear prediction of the
//! border with one SIMD lane per line, Tukey window, FFT, multiplication by filter and propagator, inverse FFT of the
//! rows on the array. Bins are distributed over the rayon pool installed around [`LiveHolography::push`]; each bin is
//! computed by one thread, so that results are bitwise identical for any number of threads.

use std::sync::Arc;

use num_complex::{Complex32, Complex64};
use rayon::prelude::*;
use rustfft::Fft;
use wavefield_numerics::fft::Real as _;
use wavefield_numerics::simd::InstructionSet;
use wavefield_physics::medium::Fluid;

use crate::array::MicrophoneArray;
use crate::border::{Border, Padding};
use crate::error::{Error, long_as, positive};
use crate::filter::Filter;
use crate::front_end::{FrontEnd, Streaming};
use crate::hologram::Hologram;
use crate::kernels::prediction::{Lines, Room, extend_lines};
use crate::propagator::Propagator;
use crate::wavenumber::Wavenumbers;

/// Streaming back-propagation of holograms to the reconstruction plane.
#[derive(Debug)]
pub struct LiveHolography {
    array: MicrophoneArray,
    front_end: Streaming,
    full_scale: f64,
    amplitudes: Vec<Complex64>,
    stages: Vec<Stage>,
}

impl LiveHolography {
    /// Allocates the stages for the bins of a front end, each with its filter.
    ///
    /// # Errors
    /// Returns [`Error::Length`] if array, front end, and filters do not match, [`Error::NotLive`] for
    /// [`Padding::PlanarPrediction`], and [`Error::OutOfRange`] or [`Error::NotPositive`] for invalid parameters.
    pub fn new(
        array: MicrophoneArray,
        front_end: Streaming,
        full_scale: f64,
        fluid: &Fluid,
        border: &Border,
        distance: f64,
        filters: &[Filter],
    ) -> Result<Self, Error> {
        let frame = front_end.frame();
        let channels = frame.packing().channels();
        long_as("the array", channels, array.channels())?;
        long_as("the filter list", frame.bins().len(), filters.len())?;
        positive("the full scale of a microphone", full_scale)?;
        border.check(array.rows, array.columns)?;
        let stages = frame
            .bins()
            .iter()
            .zip(filters)
            .map(|(&bin, filter)| {
                Stage::new(
                    &array,
                    fluid,
                    border,
                    frame.frequency(bin),
                    distance,
                    filter,
                )
            })
            .collect::<Result<_, _>>()?;
        Ok(Self {
            amplitudes: vec![Complex64::new(0.0, 0.0); channels * filters.len()],
            array,
            full_scale,
            stages,
            front_end,
        })
    }

    /// Returns the number of clock cycles in a hop.
    pub fn hop_clocks(&self) -> usize {
        self.front_end.hop_clocks()
    }

    /// Processes the words of a hop. Returns whether new fields are available, which is the case from the first
    /// complete frame on.
    ///
    /// # Errors
    /// Returns [`Error::Length`] unless `words` is a whole hop.
    pub fn push(&mut self, words: &[u32]) -> Result<bool, Error> {
        self.ingest(words)?;
        if !self.front_end.is_ready() {
            return Ok(false);
        }
        self.front_end.read(&mut self.amplitudes)?;
        self.compute();
        Ok(true)
    }

    /// Processes the words of a hop without computing fields, at a fraction of the cost, so that a late consumer loses
    /// no bits. The fields of the next pushed hop are unaffected.
    ///
    /// # Errors
    /// Returns [`Error::Length`] unless `words` is a whole hop.
    pub fn ingest(&mut self, words: &[u32]) -> Result<(), Error> {
        self.front_end.push(words)
    }

    /// Back-propagates amplitudes from another front end, relative to full scale: all channels of the first bin, then
    /// of the second.
    ///
    /// # Errors
    /// Returns [`Error::Length`] unless there is one amplitude for every bin and channel.
    pub fn reconstruct(&mut self, amplitudes: &[Complex64]) -> Result<(), Error> {
        long_as(
            "the amplitude array",
            self.amplitudes.len(),
            amplitudes.len(),
        )?;
        self.amplitudes.copy_from_slice(amplitudes);
        self.compute();
        Ok(())
    }

    fn compute(&mut self) {
        let full_scale = self.full_scale as f32;
        if let [stage] = &mut self.stages[..] {
            // A single bin does not justify waking a thread.
            stage.compute(&self.amplitudes, full_scale);
        } else {
            self.stages
                .par_iter_mut()
                .zip(self.amplitudes.par_chunks_exact(self.array.channels()))
                .for_each(|(stage, hologram)| stage.compute(hologram, full_scale));
        }
    }

    /// Resets the front end after an interruption of the stream.
    pub fn restart(&mut self) {
        self.front_end.reset();
    }

    /// Changes the reconstruction plane and the filters of all bins from the next hop on; the state of the front end is
    /// retained.
    ///
    /// # Errors
    /// Returns [`Error::Length`] unless there is one filter for each bin, and [`Error::OutOfRange`] for an invalid
    /// distance; the stages are then unchanged.
    pub fn retune(&mut self, distance: f64, filters: &[Filter]) -> Result<(), Error> {
        long_as("the filter list", self.stages.len(), filters.len())?;
        let factors = self
            .stages
            .iter()
            .zip(filters)
            .map(|(stage, filter)| factors(&stage.wavenumbers, distance, filter))
            .collect::<Result<Vec<_>, _>>()?;
        for (stage, factors) in self.stages.iter_mut().zip(factors) {
            stage.factors = factors;
        }
        Ok(())
    }

    /// Returns the latest pressure of a bin in the reconstruction plane, Pa, row by row.
    pub fn field(&self, bin: usize) -> Option<&[Complex32]> {
        self.stages.get(bin).map(|stage| &stage.field[..])
    }

    /// Returns the latest hologram of a bin, from which a filter can be chosen.
    ///
    /// # Errors
    /// Returns [`Error::OutOfRange`] for a bin that is not computed.
    pub fn hologram(&self, bin: usize) -> Result<Hologram, Error> {
        let channels = self.array.channels();
        let stage = self.stages.get(bin).ok_or(Error::OutOfRange {
            what: "the bin index",
            value: bin as f64,
            least: 0.0,
            most: self.stages.len() as f64 - 1.0,
        })?;
        let values = self.amplitudes[bin * channels..(bin + 1) * channels]
            .iter()
            .map(|a| a * self.full_scale)
            .collect();
        Hologram::new(self.array, stage.frequency, values)
    }
}

/// Processing stage of one bin, with its buffers.
struct Stage {
    frequency: f64,
    instructions: InstructionSet,
    padding: Padding,
    /// Rows and columns of the array, then width of the border along columns and rows.
    shape: [usize; 2],
    border: [usize; 2],
    windows: [Vec<f32>; 2],
    /// Extended rows, point-major; then extended columns, point-major.
    rows: [Vec<f32>; 2],
    columns: [Vec<f32>; 2],
    rooms: [Room; 2],
    /// Forward and inverse FFT along rows, then along columns.
    along: [[Arc<dyn Fft<f32>>; 2]; 2],
    plane: Vec<Complex32>,
    turned: Vec<Complex32>,
    scratch: Vec<Complex32>,
    wavenumbers: Wavenumbers,
    /// Product of filter, propagator, and 1/points, column by column.
    factors: Vec<Complex32>,
    field: Vec<Complex32>,
}

impl std::fmt::Debug for Stage {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("Stage")
            .field("frequency", &self.frequency)
            .field("padding", &self.padding)
            .finish_non_exhaustive()
    }
}

impl Stage {
    fn new(
        array: &MicrophoneArray,
        fluid: &Fluid,
        border: &Border,
        frequency: f64,
        distance: f64,
        filter: &Filter,
    ) -> Result<Self, Error> {
        let order = match border.padding {
            Padding::LinearPrediction { order } => order,
            Padding::Zero | Padding::Edge => 0,
            Padding::PlanarPrediction { .. } => {
                return Err(Error::NotLive {
                    what: "planar linear prediction",
                });
            }
        };
        let shape = [array.rows, array.columns];
        let points = shape.map(|count| border.points(count));
        let [rows, columns] = [0, 1].map(|axis| shape[axis] + 2 * points[axis]);
        let wavenumbers = Wavenumbers::new(rows, columns, array.pitch, fluid.wavenumber(frequency));
        let factors = factors(&wavenumbers, distance, filter)?;
        let along = [columns, rows].map(f32::plan_line);
        let room = along
            .iter()
            .flatten()
            .map(|fft| fft.get_inplace_scratch_len());
        let zero = Complex32::new(0.0, 0.0);
        Ok(Self {
            frequency,
            instructions: InstructionSet::widest(),
            padding: border.padding,
            shape,
            border: points,
            windows: shape.map(|count| border.window(count).iter().map(|&w| w as f32).collect()),
            rows: [0, 1].map(|_| vec![0.0; array.rows * columns]),
            columns: [0, 1].map(|_| vec![0.0; rows * columns]),
            rooms: [
                Room::new(array.columns, order),
                Room::new(array.rows, order),
            ],
            plane: vec![zero; rows * columns],
            turned: vec![zero; rows * columns],
            scratch: vec![zero; room.max().unwrap_or(0)],
            along,
            factors,
            wavenumbers,
            field: vec![zero; array.channels()],
        })
    }

    fn compute(&mut self, hologram: &[Complex64], full_scale: f32) {
        self.continue_field(hologram, full_scale);
        self.propagate();
    }

    /// Extrapolates rows, then columns, and applies the window to the border.
    fn continue_field(&mut self, hologram: &[Complex64], full_scale: f32) {
        let ([height, width], [top, left]) = (self.shape, self.border);
        let (rows, columns) = (height + 2 * top, width + 2 * left);
        for (row, line) in hologram.chunks_exact(width).enumerate() {
            for (column, value) in line.iter().enumerate() {
                let to = (left + column) * height + row;
                self.rows[0][to] = full_scale * value.re as f32;
                self.rows[1][to] = full_scale * value.im as f32;
            }
        }
        let [re, im] = &mut self.rows;
        let mut lines = Lines {
            re,
            im,
            lines: height,
        };
        extend(
            self.padding,
            self.instructions,
            &mut lines,
            left,
            &mut self.rooms[0],
        );
        for (from, to) in self.rows.iter().zip(&mut self.columns) {
            for row in 0..height {
                let to = &mut to[(top + row) * columns..(top + row + 1) * columns];
                for (column, to) in to.iter_mut().enumerate() {
                    *to = from[column * height + row];
                }
            }
        }
        let [re, im] = &mut self.columns;
        let mut lines = Lines {
            re,
            im,
            lines: columns,
        };
        extend(
            self.padding,
            self.instructions,
            &mut lines,
            top,
            &mut self.rooms[1],
        );
        let [down, across] = &self.windows;
        for row in 0..rows {
            let range = row * columns..(row + 1) * columns;
            let parts = self.columns[0][range.clone()]
                .iter()
                .zip(&self.columns[1][range.clone()]);
            for ((to, (re, im)), weight) in self.plane[range].iter_mut().zip(parts).zip(across) {
                *to = Complex32::new(re * weight, im * weight) * down[row];
            }
        }
    }

    /// Computes FFT, filter and propagator, and inverse FFT of the rows on the array.
    fn propagate(&mut self) {
        let ([height, width], [top, left]) = (self.shape, self.border);
        let (rows, columns) = (height + 2 * top, width + 2 * left);
        let [[row_forward, row_inverse], [column_forward, column_inverse]] = &self.along;
        row_forward.process_with_scratch(&mut self.plane, &mut self.scratch);
        crate::plane_transform::turn(&self.plane, &mut self.turned, rows, columns);
        column_forward.process_with_scratch(&mut self.turned, &mut self.scratch);
        for (value, factor) in self.turned.iter_mut().zip(&self.factors) {
            *value *= factor;
        }
        column_inverse.process_with_scratch(&mut self.turned, &mut self.scratch);
        crate::plane_transform::turn(&self.turned, &mut self.plane, columns, rows);
        let wanted = &mut self.plane[top * columns..(top + height) * columns];
        row_inverse.process_with_scratch(wanted, &mut self.scratch);
        for (to, from) in self
            .field
            .chunks_exact_mut(width)
            .zip(wanted.chunks_exact(columns))
        {
            to.copy_from_slice(&from[left..left + width]);
        }
    }
}

/// Returns the product of filter, propagator, and 1/points, column by column.
fn factors(
    wavenumbers: &Wavenumbers,
    distance: f64,
    filter: &Filter,
) -> Result<Vec<Complex32>, Error> {
    let [rows, columns] = wavenumbers.shape();
    let way = Propagator::back_propagate(wavenumbers, distance, filter)?;
    Ok((0..rows * columns)
        .map(|i| {
            let factor = way.factors()[i % rows * columns + i / rows] / (rows * columns) as f64;
            Complex32::new(factor.re as f32, factor.im as f32)
        })
        .collect())
}

/// Extrapolates lines by `border` points at both ends.
fn extend(
    padding: Padding,
    instructions: InstructionSet,
    lines: &mut Lines<'_>,
    border: usize,
    room: &mut Room,
) {
    match padding {
        Padding::LinearPrediction { .. } => extend_lines(instructions, lines, border, room),
        Padding::Edge => {
            let count = lines.lines;
            let end = lines.re.len() / count - border;
            for part in [&mut *lines.re, &mut *lines.im] {
                for point in 0..border {
                    part.copy_within(border * count..(border + 1) * count, point * count);
                    part.copy_within((end - 1) * count..end * count, (end + point) * count);
                }
            }
        }
        // The border of zero padding is never written. Planar prediction has no stage.
        Padding::Zero | Padding::PlanarPrediction { .. } => {}
    }
}
