//! Non-uniform transforms over NumPy arrays.
//!
//! Arrays come ready from `wavefield/nufft.py`: C-contiguous, aligned and of the plan's precision. They
//! are borrowed, never copied, and the interpreter is free while a transform runs.

use std::sync::{PoisonError, RwLock};

use numpy::{
    Element, PyArrayDyn, PyArrayMethods, PyReadonlyArrayDyn, PyReadwriteArrayDyn,
    PyUntypedArrayMethods,
};
use pyo3::exceptions::{PyRuntimeError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use wavefield::failure::Failure;
use wavefield::nufft::{NufftError, Options, Plan, Precision, Sign, Spreader};

use crate::devices;
use crate::errors::exception;

/// A transform of type 1 and type 2 in one of the two precisions.
#[pyclass(frozen)]
pub(crate) struct NufftPlan {
    /// The process it was made in: its threads exist nowhere else.
    process: u32,
    transform: Transform,
}

/// The plan; points are set by one thread at a time, transforms run in any number of them.
enum Transform {
    Single(RwLock<Plan<f32>>),
    Double(RwLock<Plan<f64>>),
}

/// Runs an expression with the plan of whichever precision.
macro_rules! with_plan {
    ($self:expr, $plan:ident => $run:expr) => {
        match &$self.transform {
            Transform::Single($plan) => $run,
            Transform::Double($plan) => $run,
        }
    };
}

/// Runs one of the plan's transforms from an array to an array.
macro_rules! transform {
    ($self:expr, $py:expr, $method:ident, $from:expr, $to:expr) => {{
        $self.check_process()?;
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
        let options = Options {
            tolerance,
            sign: if positive { Sign::Plus } else { Sign::Minus },
            upsampling,
            spreader: spreader_named(spreader)?,
            ..Options::default()
        };
        let transform = py
            .detach(|| {
                let device = devices::open(device, threads)?;
                Ok(if single {
                    Transform::Single(RwLock::new(
                        Plan::new(&device, &modes, &options).map_err(failure)?,
                    ))
                } else {
                    Transform::Double(RwLock::new(
                        Plan::new(&device, &modes, &options).map_err(failure)?,
                    ))
                })
            })
            .map_err(exception)?;
        Ok(NufftPlan {
            process: std::process::id(),
            transform,
        })
    }

    /// Takes the coordinates, one array per axis.
    fn set_points(&self, py: Python<'_>, coordinates: Vec<Bound<'_, PyAny>>) -> PyResult<()> {
        fn set<R: Precision + Element>(
            py: Python<'_>,
            plan: &RwLock<Plan<R>>,
            coordinates: &[Bound<'_, PyAny>],
        ) -> PyResult<()> {
            let arrays: Vec<PyReadonlyArrayDyn<'_, R>> =
                coordinates.iter().map(read).collect::<PyResult<_>>()?;
            let axes: Vec<&[R]> = arrays
                .iter()
                .map(|array| array.as_slice())
                .collect::<Result<_, _>>()?;
            py.detach(|| {
                plan.write()
                    .unwrap_or_else(PoisonError::into_inner)
                    .set_points(&axes)
            })
            .map_err(refused)
        }
        self.check_process()?;
        with_plan!(self, plan => set(py, plan, &coordinates))
    }

    /// Strengths to modes.
    fn type1(
        &self,
        py: Python<'_>,
        strengths: &Bound<'_, PyAny>,
        modes: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        transform!(self, py, type1, strengths, modes)
    }

    /// Modes to values.
    fn type2(
        &self,
        py: Python<'_>,
        modes: &Bound<'_, PyAny>,
        values: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        transform!(self, py, type2, modes, values)
    }

    /// The adjoint of type 1.
    fn type1_adjoint(
        &self,
        py: Python<'_>,
        modes: &Bound<'_, PyAny>,
        values: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        transform!(self, py, type1_adjoint, modes, values)
    }

    /// The adjoint of type 2.
    fn type2_adjoint(
        &self,
        py: Python<'_>,
        strengths: &Bound<'_, PyAny>,
        modes: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        transform!(self, py, type2_adjoint, strengths, modes)
    }

    /// Strengths on the waves and on their derivatives to modes.
    fn type1_gradient(
        &self,
        py: Python<'_>,
        strengths: &Bound<'_, PyAny>,
        along: &Bound<'_, PyAny>,
        modes: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        self.check_process()?;
        with_plan!(self, plan => {
            let (strengths, along) = (read(strengths)?, read(along)?);
            let mut modes = write(modes)?;
            let (strengths, along) = (strengths.as_slice()?, along.as_slice()?);
            let modes = modes.as_slice_mut()?;
            py.detach(|| look(plan, |plan| plan.type1_gradient(strengths, along, modes)))
                .map_err(refused)
        })
    }

    /// Modes to values and their derivatives.
    fn type2_gradient(
        &self,
        py: Python<'_>,
        modes: &Bound<'_, PyAny>,
        values: &Bound<'_, PyAny>,
        gradient: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        self.check_process()?;
        with_plan!(self, plan => {
            let modes = read(modes)?;
            let (mut values, mut gradient) = (write(values)?, write(gradient)?);
            let modes = modes.as_slice()?;
            let (values, gradient) = (values.as_slice_mut()?, gradient.as_slice_mut()?);
            py.detach(|| look(plan, |plan| plan.type2_gradient(modes, values, gradient)))
                .map_err(refused)
        })
    }

    /// Number of grid points a point is spread over along each axis.
    #[getter]
    fn width(&self) -> usize {
        with_plan!(self, plan => look(plan, Plan::width))
    }

    /// Lengths of the fine grid.
    #[getter]
    fn grid(&self) -> Vec<usize> {
        with_plan!(self, plan => look(plan, |plan| plan.grid().to_vec()))
    }

    /// The vector instructions in use.
    #[getter]
    fn simd(&self) -> Option<String> {
        with_plan!(self, plan => look(plan, |plan| plan.simd().map(|simd| simd.to_string())))
    }

    /// Bytes a transform of so many points takes beside its arguments.
    fn memory(&self, points: usize) -> usize {
        with_plan!(self, plan => look(plan, |plan| plan.memory(points)))
    }
}

impl NufftPlan {
    fn check_process(&self) -> PyResult<()> {
        if self.process == std::process::id() {
            Ok(())
        } else {
            Err(PyRuntimeError::new_err(
                "this plan was made before the process forked and has no threads here; make a new plan",
            ))
        }
    }
}

fn look<R: Precision, T>(plan: &RwLock<Plan<R>>, run: impl FnOnce(&Plan<R>) -> T) -> T {
    run(&plan.read().unwrap_or_else(PoisonError::into_inner))
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

/// An array to read from.
fn read<'py, T: Element>(array: &Bound<'py, PyAny>) -> PyResult<PyReadonlyArrayDyn<'py, T>> {
    ready(array)?
        .try_readonly()
        .map_err(|_| PyValueError::new_err("an input is being written to by another call"))
}

/// An array to write to.
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

fn failure(error: NufftError) -> Failure {
    match error {
        NufftError::Device(error) => error.into(),
        other => Failure::Input(other.to_string()),
    }
}

fn refused(error: NufftError) -> PyErr {
    exception(failure(error))
}
