//! NUFFTs as foreign function calls of XLA, for `wavefield.jax`.
//!
//! XLA runs the handlers on its own threads, without Python's interpreter lock. Arguments are the data, complex, and the
//! coordinates of each axis, in the same precision; leading axes are batches, of length one where an argument is the same for all.

mod batch;
mod ffi;
mod idle;

use std::ffi::c_void;

use num_complex::Complex;
use wavefield::nufft::{NufftError, Options, Plan, Precision, Sign, Type3};

use crate::devices;
use batch::{groups, split};
use ffi::{Array, Call, Element, Frame, Handler, answer};
use idle::{Idle, keep, take};

/// Handlers by name.
pub(crate) const HANDLERS: [(&str, Handler); 5] = [
    ("nufft_type1", type1),
    ("nufft_type2", type2),
    ("nufft_type3", type3),
    ("nufft_type1_gradient", type1_gradient),
    ("nufft_type2_gradient", type2_gradient),
];

/// Type 1: strengths and coordinates to modes.
extern "C" fn type1(frame: *mut Frame) -> *mut c_void {
    answer(frame, |call| in_precision(call, Transform::Type1))
}

/// Type 2: modes and coordinates to values.
extern "C" fn type2(frame: *mut Frame) -> *mut c_void {
    answer(frame, |call| in_precision(call, Transform::Type2))
}

/// Type 3: strengths, coordinates, and frequencies to values.
extern "C" fn type3(frame: *mut Frame) -> *mut c_void {
    answer(frame, |call| {
        if is_single(call) {
            run_type3::<f32>(call)
        } else {
            run_type3::<f64>(call)
        }
    })
}

/// Type 1 with derivatives: strengths, derivative strengths, and coordinates to modes.
extern "C" fn type1_gradient(frame: *mut Frame) -> *mut c_void {
    answer(frame, |call| in_precision(call, Transform::Type1Gradient))
}

/// Type 2 with derivatives: modes and coordinates to values and their gradients.
extern "C" fn type2_gradient(frame: *mut Frame) -> *mut c_void {
    answer(frame, |call| in_precision(call, Transform::Type2Gradient))
}

#[derive(Clone, Copy)]
enum Transform {
    Type1,
    Type2,
    Type1Gradient,
    Type2Gradient,
}

/// Options among the attributes.
struct Settings {
    options: Options,
    threads: Option<usize>,
}

/// Real type that XLA and the transforms know.
trait Real: Precision + Element + Idle {}

impl Real for f32 {}
impl Real for f64 {}

fn in_precision(call: &mut Call<'_>, transform: Transform) -> Result<(), String> {
    if is_single(call) {
        run::<f32>(call, transform)
    } else {
        run::<f64>(call, transform)
    }
}

fn is_single(call: &Call<'_>) -> bool {
    let data = call.arguments.first();
    data.is_some_and(Array::holds::<Complex<f32>>)
}

/// Runs transforms of types 1 and 2.
fn run<R: Real>(call: &mut Call<'_>, transform: Transform) -> Result<(), String>
where
    Complex<R>: Element,
{
    let settings = Settings::of(call)?;
    let data = if matches!(transform, Transform::Type1Gradient) {
        2
    } else {
        1
    };
    let (data, axes) = call
        .arguments
        .split_at_checked(data)
        .ok_or("arguments are missing")?;
    let Some((result, rest)) = call.results.split_first_mut() else {
        return Err("a result is missing".into());
    };
    let dimensions = axes.len();
    let points = length(axes)?;
    // The axes of the first data argument and of the first result of one transform.
    let to_modes = matches!(transform, Transform::Type1 | Transform::Type1Gradient);
    let (from, to) = if to_modes {
        (1, dimensions)
    } else {
        (dimensions, 1)
    };
    let result_shape = result.shape().to_vec();
    let (batches, of_result) = split(&result_shape, to)?;
    let (_, of_data) = split(data[0].shape, from)?;
    let modes = if to_modes { of_result } else { of_data };
    let cores: Vec<_> = data.iter().zip([from, 2]).collect();
    let groups = groups(batches, &cores, axes)?;
    let coordinates = values::<R>(axes)?;
    let given = data
        .iter()
        .map(Array::values::<Complex<R>>)
        .collect::<Result<Vec<_>, _>>()?;
    let found = result.values::<Complex<R>>()?;

    let key = settings.key(modes);
    let mut plan = match take::<R>(&key) {
        Some(plan) => plan,
        None => {
            let device =
                devices::open("cpu", settings.threads).map_err(|error| error.to_string())?;
            Plan::new(&device, modes, &settings.options).map_err(told)?
        }
    };
    let size = modes.iter().product();
    let gradient = match rest.first_mut() {
        Some(gradient) => gradient.values::<Complex<R>>()?,
        None => &mut [],
    };
    for group in &groups {
        plan.set_points(&group.axes(&coordinates, 0, points))
            .map_err(told)?;
        match transform {
            Transform::Type1 => {
                plan.type1(group.part(given[0], 0, points), group.result(found, size))
            }
            Transform::Type1Gradient => plan.type1_gradient(
                group.part(given[0], 0, points),
                group.part(given[1], 1, dimensions * points),
                group.result(found, size),
            ),
            Transform::Type2Gradient => plan.type2_gradient(
                group.part(given[0], 0, size),
                group.result(found, points),
                group.result(gradient, dimensions * points),
            ),
            Transform::Type2 => {
                plan.type2(group.part(given[0], 0, size), group.result(found, points))
            }
        }
        .map_err(told)?;
    }
    keep(key, plan);
    Ok(())
}

/// Runs transforms of type 3.
fn run_type3<R: Real>(call: &mut Call<'_>) -> Result<(), String>
where
    Complex<R>: Element,
{
    let settings = Settings::of(call)?;
    let ([strengths], axes) = call
        .arguments
        .split_first_chunk()
        .ok_or("arguments are missing")?;
    let [found] = &mut call.results[..] else {
        return Err("a result is missing".into());
    };
    let dimensions = axes.len() / 2;
    let (points, frequencies) = axes.split_at(dimensions);
    let (from, to) = (length(points)?, length(frequencies)?);
    let result_shape = found.shape().to_vec();
    let (batches, _) = split(&result_shape, 1)?;
    let groups = groups(batches, &[(strengths, 1)], axes)?;
    let (points, frequencies) = (values::<R>(points)?, values::<R>(frequencies)?);
    let strengths = strengths.values::<Complex<R>>()?;
    let found = found.values::<Complex<R>>()?;
    let device = devices::open("cpu", settings.threads).map_err(|error| error.to_string())?;
    let mut plan = Type3::<R>::new(&device, dimensions, &settings.options).map_err(told)?;
    for group in &groups {
        let points = group.axes(&points, 0, from);
        let frequencies = group.axes(&frequencies, dimensions, to);
        plan.set_points(&points, &frequencies)
            .and_then(|()| plan.execute(group.part(strengths, 0, from), group.result(found, to)))
            .map_err(told)?;
    }
    Ok(())
}

impl Settings {
    fn of(call: &Call<'_>) -> Result<Settings, String> {
        let threads: i64 = call.number("nthreads")?;
        let sign: i64 = call.number("iflag")?;
        Ok(Settings {
            options: Options {
                tolerance: call.number("eps")?,
                sign: if sign < 0 { Sign::Minus } else { Sign::Plus },
                ..Options::default()
            },
            threads: usize::try_from(threads).ok().filter(|&count| count > 0),
        })
    }

    fn key(&self, modes: &[usize]) -> idle::Key {
        (
            std::process::id(),
            modes.to_vec(),
            self.options.tolerance.to_bits(),
            self.options.sign == Sign::Plus,
            self.threads,
        )
    }
}

/// Returns the number of points: the last axis of every array of coordinates.
fn length(axes: &[Array<'_>]) -> Result<usize, String> {
    let last = |array: &Array<'_>| array.shape.last().copied();
    let length = axes
        .first()
        .and_then(last)
        .ok_or("there are no coordinates")?;
    if axes.iter().all(|array| last(array) == Some(length)) {
        Ok(length)
    } else {
        Err("the axes have different numbers of coordinates".into())
    }
}

fn values<'a, R: Element>(arrays: &[Array<'a>]) -> Result<Vec<&'a [R]>, String> {
    arrays.iter().map(Array::values).collect()
}

fn told(error: NufftError) -> String {
    error.to_string()
}
