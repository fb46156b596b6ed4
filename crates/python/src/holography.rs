//! Acoustic holography on NumPy arrays: simulated PDM bitstreams, single holograms, and streams of holograms.
//!
//! `python/wavefield/holography.py` passes C-contiguous, aligned arrays of the right type and shape.

use std::sync::{Mutex, PoisonError};

use numpy::ndarray::{Array2, Array4};
use numpy::{
    Complex32, Complex64, IntoPyArray, PyArray2, PyArray4, PyReadonlyArray1, PyReadonlyArray2,
    PyUntypedArrayMethods,
};
use pyo3::prelude::*;
use wavefield::Error;
use wavefield::holography::front_end::{Frame, Streaming};
use wavefield::holography::{
    Border, Filter, Hologram, LiveHolography, Microphone, MicrophoneArray, Packing, Padding,
    PlanarHolography, Regularization,
};
use wavefield::numerics::cpu::CpuPool;

use crate::errors::exception;
use crate::exact::{Constants, fluid_of};

/// Rows, columns, and pitch of an array.
type Grid = (usize, usize, f64);

/// Returns the extrapolation with this name: zeros, edge values, or linear prediction of an order.
fn border(padding: &str, order: usize) -> Result<Border, Error> {
    let padding = match padding {
        "zero" => Padding::Zero,
        "edge" => Padding::Edge,
        "linear-prediction" => Padding::LinearPrediction { order },
        other => {
            return Err(Error::input(format!(
                "`border` cannot be {other:?}; use \"linear-prediction\", \"edge\", or \"zero\""
            )));
        }
    };
    Ok(Border {
        padding,
        ..Border::default()
    })
}

/// Returns the field of a hologram in the plane `distance` nearer to the sources, with the regularization parameter and the noise.
#[pyfunction]
#[pyo3(signature = (hologram, pitch, frequency, distance, regularization, padding, order, fluid))]
#[expect(clippy::too_many_arguments, reason = "arguments of a Python function")]
pub(crate) fn holography_reconstruct<'py>(
    py: Python<'py>,
    hologram: PyReadonlyArray2<'py, Complex64>,
    pitch: f64,
    frequency: f64,
    distance: f64,
    regularization: Option<f64>,
    padding: &str,
    order: usize,
    fluid: Constants,
) -> PyResult<(Bound<'py, PyArray2<Complex64>>, f64, f64)> {
    let shape = (hologram.shape()[0], hologram.shape()[1]);
    let values = hologram.as_slice()?.to_vec();
    let found = py.detach(|| -> Result<_, Error> {
        let array = MicrophoneArray::new(shape.0, shape.1, pitch)?;
        let holography = PlanarHolography {
            fluid: fluid_of(fluid),
            border: border(padding, order)?,
            regularization: match regularization {
                Some(parameter) => Regularization::Fixed(Filter::ModifiedTikhonov { parameter }),
                None => Regularization::default(),
            },
        };
        let hologram = Hologram::new(array, frequency, values)?;
        let found = holography.back_propagate(&hologram, distance)?;
        let parameter = match found.filter {
            Filter::ModifiedTikhonov { parameter } => parameter,
            _ => f64::NAN,
        };
        Ok((found.spectrum.pressure(), parameter, found.noise))
    });
    let (pressure, parameter, noise) = found.map_err(exception)?;
    let field = Array2::from_shape_vec(shape, pressure)
        .map_err(|error| exception(Error::runtime(error.to_string())))?;
    Ok((field.into_pyarray(py), parameter, noise))
}

/// Returns the PDM bitstream of microphones under tones, in words, clock by clock.
#[pyfunction]
pub(crate) fn holography_simulate_pdm<'py>(
    py: Python<'py>,
    tones: Vec<(f64, PyReadonlyArray2<'py, Complex64>)>,
    grid: Grid,
    clocks: usize,
    seed: u64,
) -> PyResult<Bound<'py, PyArray2<u32>>> {
    let tones = tones
        .iter()
        .map(|(frequency, values)| Ok((*frequency, values.as_slice()?.to_vec())))
        .collect::<PyResult<Vec<_>>>()?;
    let recorded = py.detach(|| -> Result<_, Error> {
        let (rows, columns, pitch) = grid;
        let array = MicrophoneArray::new(rows, columns, pitch)?;
        let packing = Packing::new(&array)?;
        let tones = tones
            .into_iter()
            .map(|(frequency, values)| Hologram::new(array, frequency, values))
            .collect::<Result<Vec<_>, _>>()?;
        let stream = Microphone::default().record(packing, &tones, clocks, seed)?;
        Ok((packing.words(), stream.words().to_vec()))
    });
    let (per_clock, words) = recorded.map_err(exception)?;
    let words = Array2::from_shape_vec((clocks, per_clock), words)
        .map_err(|error| exception(Error::runtime(error.to_string())))?;
    Ok(words.into_pyarray(py))
}

/// A stream of holograms, reconstructed in a plane nearer to the sources.
#[pyclass(frozen)]
pub(crate) struct StreamingHolography {
    pool: CpuPool,
    state: Mutex<State>,
    #[pyo3(get)]
    frequencies: Vec<f64>,
    #[pyo3(get)]
    hop_words: usize,
    shape: (usize, usize),
}

struct State {
    live: LiveHolography,
    /// Words of an incomplete hop.
    waiting: Vec<u32>,
}

#[pymethods]
impl StreamingHolography {
    #[new]
    #[pyo3(signature = (frequencies, grid, distance, regularization, samples, hop, cic_order, full_scale, padding, order, fluid, threads))]
    #[expect(clippy::too_many_arguments, reason = "arguments of a Python function")]
    fn new(
        frequencies: Vec<f64>,
        grid: Grid,
        distance: f64,
        regularization: Vec<f64>,
        samples: usize,
        hop: usize,
        cic_order: usize,
        full_scale: f64,
        padding: &str,
        order: usize,
        fluid: Constants,
        threads: Option<usize>,
    ) -> PyResult<Self> {
        let made = || -> Result<Self, Error> {
            let (rows, columns, pitch) = grid;
            let array = MicrophoneArray::new(rows, columns, pitch)?;
            let packing = Packing::new(&array)?;
            let bins = frequencies
                .iter()
                .map(|&frequency| Frame::nearest_bin(samples, frequency))
                .collect::<Result<Vec<_>, _>>()?;
            let frame = Frame::new(packing, samples, &bins)?;
            let frequencies = bins.iter().map(|&bin| frame.frequency(bin)).collect();
            let filters: Vec<Filter> = regularization
                .iter()
                .map(|&parameter| Filter::ModifiedTikhonov { parameter })
                .collect();
            let live = LiveHolography::new(
                array,
                Streaming::new(frame, cic_order, hop)?,
                full_scale,
                &fluid_of(fluid),
                &border(padding, order)?,
                distance,
                &filters,
            )?;
            Ok(Self {
                pool: CpuPool::new(threads)?,
                hop_words: live.hop_clocks() * packing.words(),
                state: Mutex::new(State {
                    live,
                    waiting: Vec::new(),
                }),
                frequencies,
                shape: (rows, columns),
            })
        };
        made().map_err(exception)
    }

    /// Ingests words; returns the fields of every hop that they complete, [hops, frequencies, rows, columns].
    fn push<'py>(
        &self,
        py: Python<'py>,
        words: PyReadonlyArray1<'py, u32>,
    ) -> PyResult<Bound<'py, PyArray4<Complex32>>> {
        let words = words.as_slice()?;
        let bins = self.frequencies.len();
        let fields = py.detach(|| -> Result<Vec<Complex32>, Error> {
            let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
            let State { live, waiting } = &mut *state;
            waiting.extend_from_slice(words);
            let whole = waiting.len() / self.hop_words * self.hop_words;
            let mut fields = Vec::new();
            self.pool.install(|| -> Result<(), Error> {
                for hop in waiting[..whole].chunks_exact(self.hop_words) {
                    if live.push(hop)? {
                        for bin in 0..bins {
                            fields.extend_from_slice(live.field(bin).unwrap_or_default());
                        }
                    }
                }
                Ok(())
            })?;
            waiting.drain(..whole);
            Ok(fields)
        });
        let fields = fields.map_err(exception)?;
        let (rows, columns) = self.shape;
        let hops = fields.len() / (bins * rows * columns);
        let fields = Array4::from_shape_vec((hops, bins, rows, columns), fields)
            .map_err(|error| exception(Error::runtime(error.to_string())))?;
        Ok(fields.into_pyarray(py))
    }

    /// Returns the latest hologram of a frequency.
    fn hologram<'py>(
        &self,
        py: Python<'py>,
        number: usize,
    ) -> PyResult<Bound<'py, PyArray2<Complex64>>> {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let hologram = state.live.hologram(number);
        let hologram = hologram.map_err(|error| exception(error.into()))?;
        let values = Array2::from_shape_vec(self.shape, hologram.values().to_vec())
            .map_err(|error| exception(Error::runtime(error.to_string())))?;
        Ok(values.into_pyarray(py))
    }

    /// Clears the stream.
    fn restart(&self) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.live.restart();
        state.waiting.clear();
    }
}
