//! Non-uniform fast Fourier transforms (NUFFT) on NumPy arrays.
//!
//! `python/wavefield/nufft` passes C-contiguous, aligned arrays of the plan's precision. They are borrowed, never
//! copied, and the GIL is released during a transform.

use std::sync::{PoisonError, RwLock};

use numpy::{
    Element, PyArrayDyn, PyArrayMethods, PyReadonlyArrayDyn, PyReadwriteArrayDyn,
    PyUntypedArrayMethods,
};
use pyo3::exceptions::{PyRuntimeError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use wavefield::Error;
use wavefield::gpu::Device;
use wavefield::nufft::{NufftError, Options, Plan, Sign, Spreader, Type3};

use crate::devices;
use crate::errors::exception;

/// Plan of types 1 and 2 in single or double precision.
#[pyclass(frozen)]
pub(crate) struct NufftPlan {
    home: Home,
    plan: Precise<Plan<f32>, Plan<f64>>,
}

/// Plan of type 3 in single or double precision.
#[pyclass(frozen)]
pub(crate) struct NufftType3 {
    home: Home,
    plan: Precise<Type3<f32>, Type3<f64>>,
}

/// Plan in single or double precision; one thread at a time sets points, any number of threads run transforms.
enum Precise<S, D> {
    Single(RwLock<S>),
    Double(RwLock<D>),
}

/// Id of the process that made the plan: its threads do not survive a fork.
struct Home(u32);

/// Evaluates an expression with the plan of either precision.
macro_rules! with_plan {
    ($self:expr, $plan:ident => $run:expr) => {
        match &$self.plan {
            Precise::Single($plan) => $run,
            Precise::Double($plan) => $run,
        }
    };
}

/// Runs a transform of the plan from one array to another.
macro_rules! transform {
    ($self:expr, $py:expr, $method:ident, $from:expr, $to:expr) => {{
        $self.home.check()?;
        with_plan!($self, plan => {
            let from = read($from)?;
            let mut to = write($to)?;
            let (from, to) = (from.as_slice()?, to.as_slice_mut()?);
            $py.detach(|| look(plan, |plan| plan.$method(from, to))).map_err(refused)
        })
    }};
}

#[pymethods]
impl NufftPlan {
    #[new]
    #[pyo3(signature = (modes, single, tolerance, positive, upsampling, spreader, device, threads))]
    fn new(
        py: Python<'_>,
        modes: Vec<usize>,
        single: bool,
        tolerance: f64,
        positive: bool,
        upsampling: Option<f64>,
        spreader: &str,
        device: &str,
        threads: Option<usize>,
    ) -> PyResult<Self> {
        let options = asked(tolerance, positive, upsampling, spreader)?;
        let plan = py
            .detach(|| {
                precise(
                    single,
                    device,
                    threads,
                    |device| Plan::new(device, &modes, &options),
                    |device| Plan::new(device, &modes, &options),
                )
            })
            .map_err(exception)?;
        let home = Home::here();
        Ok(NufftPlan { home, plan })
    }

    /// Sets the coordinates, one array per axis.
    fn set_points(&self, py: Python<'_>, coordinates: Vec<Bound<'_, PyAny>>) -> PyResult<()> {
        self.home.check()?;
        with_plan!(self, plan => {
            let arrays = read_all(&coordinates)?;
            let axes = slices(&arrays)?;
            py.detach(|| change(plan, |plan| plan.set_points(&axes))).map_err(refused)
        })
    }

    /// Type 1: strengths to modes.
    fn type1(
        &self,
        py: Python<'_>,
        strengths: &Bound<'_, PyAny>,
        modes: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        transform!(self, py, type1, strengths, modes)
    }

    /// Type 2: modes to values.
    fn type2(
        &self,
        py: Python<'_>,
        modes: &Bound<'_, PyAny>,
        values: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        transform!(self, py, type2, modes, values)
    }

    /// Adjoint of type 1.
    fn type1_adjoint(
        &self,
        py: Python<'_>,
        modes: &Bound<'_, PyAny>,
        values: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        transform!(self, py, type1_adjoint, modes, values)
    }

    /// Adjoint of type 2.
    fn type2_adjoint(
        &self,
        py: Python<'_>,
        strengths: &Bound<'_, PyAny>,
        modes: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        transform!(self, py, type2_adjoint, strengths, modes)
    }

    /// Type 1 with derivatives: strengths and derivative strengths to modes.
    fn type1_gradient(
        &self,
        py: Python<'_>,
        strengths: &Bound<'_, PyAny>,
        along: &Bound<'_, PyAny>,
        modes: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        self.home.check()?;
        with_plan!(self, plan => {
            let (strengths, along) = (read(strengths)?, read(along)?);
            let mut modes = write(modes)?;
            let (strengths, along) = (strengths.as_slice()?, along.as_slice()?);
            let modes = modes.as_slice_mut()?;
            py.detach(|| look(plan, |plan| plan.type1_gradient(strengths, along, modes)))
                .map_err(refused)
        })
    }

    /// Type 2 with derivatives: modes to values and gradient.
    fn type2_gradient(
        &self,
        py: Python<'_>,
        modes: &Bound<'_, PyAny>,
        values: &Bound<'_, PyAny>,
        gradient: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        self.home.check()?;
        with_plan!(self, plan => {
            let modes = read(modes)?;
            let (mut values, mut gradient) = (write(values)?, write(gradient)?);
            let modes = modes.as_slice()?;
            let (values, gradient) = (values.as_slice_mut()?, gradient.as_slice_mut()?);
            py.detach(|| look(plan, |plan| plan.type2_gradient(modes, values, gradient)))
                .map_err(refused)
        })
    }

    /// Width of the spreading kernel in grid points.
    #[getter]
    fn width(&self) -> usize {
        with_plan!(self, plan => look(plan, Plan::width))
    }

    /// Lengths of the fine grid.
    #[getter]
    fn grid(&self) -> Vec<usize> {
        with_plan!(self, plan => look(plan, |plan| plan.grid().to_vec()))
    }

    /// SIMD instructions in use.
    #[getter]
    fn simd(&self) -> Option<String> {
        with_plan!(self, plan => look(plan, |plan| plan.simd().map(|simd| simd.to_string())))
    }

    /// Memory of a transform of this number of points in addition to its arguments, bytes.
    fn memory(&self, points: usize) -> usize {
        with_plan!(self, plan => look(plan, |plan| plan.memory(points)))
    }
}

#[pymethods]
impl NufftType3 {
    #[new]
    #[pyo3(signature = (dimensions, single, tolerance, positive, upsampling, spreader, device, threads))]
    fn new(
        py: Python<'_>,
        dimensions: usize,
        single: bool,
        tolerance: f64,
        positive: bool,
        upsampling: Option<f64>,
        spreader: &str,
        device: &str,
        threads: Option<usize>,
    ) -> PyResult<Self> {
        let options = asked(tolerance, positive, upsampling, spreader)?;
        let plan = py
            .detach(|| {
                precise(
                    single,
                    device,
                    threads,
                    |device| Type3::new(device, dimensions, &options),
                    |device| Type3::new(device, dimensions, &options),
                )
            })
            .map_err(exception)?;
        let home = Home::here();
        Ok(NufftType3 { home, plan })
    }

    /// Sets coordinates and frequencies, one array per axis each.
    fn set_points(
        &self,
        py: Python<'_>,
        coordinates: Vec<Bound<'_, PyAny>>,
        frequencies: Vec<Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        self.home.check()?;
        with_plan!(self, plan => {
            let (points, frequencies) = (read_all(&coordinates)?, read_all(&frequencies)?);
            let (points, frequencies) = (slices(&points)?, slices(&frequencies)?);
            py.detach(|| change(plan, |plan| plan.set_points(&points, &frequencies)))
                .map_err(refused)
        })
    }

    /// Type 3: strengths to values.
    fn execute(
        &self,
        py: Python<'_>,
        strengths: &Bound<'_, PyAny>,
        values: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        transform!(self, py, execute, strengths, values)
    }

    /// Adjoint of type 3: values to strengths.
    fn adjoint(
        &self,
        py: Python<'_>,
        values: &Bound<'_, PyAny>,
        strengths: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        transform!(self, py, adjoint, values, strengths)
    }
}

impl Home {
    fn here() -> Home {
        Home(std::process::id())
    }

    fn check(&self) -> PyResult<()> {
        if self.0 == std::process::id() {
            Ok(())
        } else {
            Err(PyRuntimeError::new_err(
                "this plan was made before the process forked and has no threads here; create a new plan",
            ))
        }
    }
}

fn asked(
    tolerance: f64,
    positive: bool,
    upsampling: Option<f64>,
    spreader: &str,
) -> PyResult<Options> {
    Ok(Options {
        tolerance,
        sign: if positive { Sign::Plus } else { Sign::Minus },
        upsampling,
        spreader: spreader_named(spreader)?,
        ..Options::default()
    })
}

/// Creates a plan of the requested precision on the requested device.
fn precise<S, D>(
    single: bool,
    device: &str,
    threads: Option<usize>,
    make_single: impl FnOnce(&Device) -> Result<S, NufftError>,
    make_double: impl FnOnce(&Device) -> Result<D, NufftError>,
) -> Result<Precise<S, D>, Error> {
    let device = devices::open(device, threads)?;
    Ok(if single {
        Precise::Single(RwLock::new(make_single(&device).map_err(failure)?))
    } else {
        Precise::Double(RwLock::new(make_double(&device).map_err(failure)?))
    })
}

fn look<P, T>(plan: &RwLock<P>, run: impl FnOnce(&P) -> T) -> T {
    run(&plan.read().unwrap_or_else(PoisonError::into_inner))
}

fn change<P, T>(plan: &RwLock<P>, run: impl FnOnce(&mut P) -> T) -> T {
    run(&mut plan.write().unwrap_or_else(PoisonError::into_inner))
}

fn spreader_named(name: &str) -> PyResult<Spreader> {
    match name {
        "deterministic" => Ok(Spreader::Deterministic),
        "atomic" => Ok(Spreader::Atomic),
        other => Err(PyValueError::new_err(format!(
            "spreader must be \"deterministic\" or \"atomic\", not \"{other}\""
        ))),
    }
}

/// Borrows an array for reading.
fn read<'py, T: Element>(array: &Bound<'py, PyAny>) -> PyResult<PyReadonlyArrayDyn<'py, T>> {
    ready(array)?
        .try_readonly()
        .map_err(|_| PyValueError::new_err("an input is being written to by another call"))
}

/// Borrows the arrays of all axes for reading.
fn read_all<'py, T: Element>(
    arrays: &[Bound<'py, PyAny>],
) -> PyResult<Vec<PyReadonlyArrayDyn<'py, T>>> {
    arrays.iter().map(read).collect()
}

fn slices<'a, T: Element>(arrays: &'a [PyReadonlyArrayDyn<'_, T>]) -> PyResult<Vec<&'a [T]>> {
    arrays.iter().map(|array| Ok(array.as_slice()?)).collect()
}

/// Borrows an array for writing.
fn write<'py, T: Element>(array: &Bound<'py, PyAny>) -> PyResult<PyReadwriteArrayDyn<'py, T>> {
    ready(array)?.try_readwrite().map_err(|_| {
        PyValueError::new_err("out is read-only, or shares memory with an array that is in use")
    })
}

fn ready<'a, 'py, T: Element>(
    array: &'a Bound<'py, PyAny>,
) -> PyResult<&'a Bound<'py, PyArrayDyn<T>>> {
    let array = array.cast::<PyArrayDyn<T>>()?;
    if array.is_c_contiguous() {
        Ok(array)
    } else {
        Err(PyTypeError::new_err("an array is not C-contiguous"))
    }
}

fn failure(error: NufftError) -> Error {
    match error {
        NufftError::Device(error) => error.into(),
        other => Error::input(other.to_string()),
    }
}

fn refused(error: NufftError) -> PyErr {
    exception(failure(error))
}
