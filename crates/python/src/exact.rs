//! Exact solutions on NumPy arrays. Angles are in degrees where a name ends in `_deg`; all else is in SI units.

use numpy::{Complex64, IntoPyArray, PyArray1, PyReadonlyArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use wavefield::physics::direction::Direction;
use wavefield::physics::exact::cylinder::{CylinderSeries, Polarization};
use wavefield::physics::exact::piston::Piston;
use wavefield::physics::exact::plate::PlateMode;
use wavefield::physics::exact::sphere::{Core, Layer, MieSeries, Sphere};
use wavefield::physics::exact::{ExactError, half_plane as sommerfeld};
use wavefield::physics::far_field::Channel;
use wavefield::physics::medium::{Fluid, Medium};

type Array<'py> = Bound<'py, PyArray1<Complex64>>;

/// Density and speed of sound of a fluid.
pub(crate) type Constants = (f64, f64);

pub(crate) fn fluid_of((density, sound_speed): Constants) -> Fluid {
    Fluid {
        density,
        sound_speed,
    }
}

fn refused(error: ExactError) -> PyErr {
    PyValueError::new_err(error.to_string())
}

fn material(constants: Option<(Complex64, Complex64)>) -> Core {
    constants.map_or(Core::Pec, |(permittivity, permeability)| {
        Core::Medium(Medium {
            permittivity,
            permeability,
        })
    })
}

fn polarization(name: &str) -> PyResult<Polarization> {
    match name {
        "tm" | "TM" => Ok(Polarization::Tm),
        "te" | "TE" => Ok(Polarization::Te),
        other => Err(PyValueError::new_err(format!(
            "polarization must be \"tm\" or \"te\", not \"{other}\""
        ))),
    }
}

/// Returns the radius of the core and the layers around it, for a sphere with its outer radius and a coating listed
/// from inside out.
fn coated(radius: f64, coating: Vec<(f64, Complex64, Complex64)>) -> PyResult<(f64, Vec<Layer>)> {
    let mut outer_radius = radius;
    let mut layers = Vec::with_capacity(coating.len());
    for (thickness, permittivity, permeability) in coating.into_iter().rev() {
        if !(thickness > 0.0 && thickness.is_finite()) {
            return Err(PyValueError::new_err(format!(
                "the thickness of a coating layer must be positive and finite, not {thickness}"
            )));
        }
        layers.push(Layer {
            outer_radius,
            medium: Medium {
                permittivity,
                permeability,
            },
        });
        outer_radius -= thickness;
    }
    if !layers.is_empty() && outer_radius <= 0.0 {
        return Err(PyValueError::new_err(format!(
            "the coating is thicker than the sphere: the core radius would be {outer_radius} m"
        )));
    }
    layers.reverse();
    Ok((outer_radius, layers))
}

/// Returns the scattering matrix of a sphere: VV, VH, HV, HH in meters for pairs of directions.
#[pyfunction]
pub(crate) fn sphere<'py>(
    py: Python<'py>,
    radius: f64,
    frequency: f64,
    constants: Option<(Complex64, Complex64)>,
    coating: Vec<(f64, Complex64, Complex64)>,
    incidence_deg: (f64, f64),
    theta_deg: PyReadonlyArray1<'py, f64>,
    phi_deg: PyReadonlyArray1<'py, f64>,
) -> PyResult<(Array<'py>, Array<'py>, Array<'py>, Array<'py>)> {
    let (core_radius, coatings) = coated(radius, coating)?;
    let body = Sphere {
        core_radius,
        core: material(constants),
        coatings,
    };
    let directions: Vec<Direction> = theta_deg
        .as_array()
        .iter()
        .zip(phi_deg.as_array())
        .map(|(&theta, &phi)| Direction::from_degrees(theta, phi))
        .collect();
    let from = Direction::from_degrees(incidence_deg.0, incidence_deg.1);
    let matrices = py
        .detach(|| {
            let series = MieSeries::new(&body, frequency)?;
            Ok(directions
                .iter()
                .map(|&to| series.scattering(from, to))
                .collect::<Vec<_>>())
        })
        .map_err(refused)?;
    let column = |channel: Channel| {
        let values: Vec<Complex64> = matrices.iter().map(|m| m.channel(channel)).collect();
        values.into_pyarray(py)
    };
    Ok((
        column(Channel::VV),
        column(Channel::VH),
        column(Channel::HV),
        column(Channel::HH),
    ))
}

/// Returns far-field amplitude and surface current of a cylinder under a wave incident from `incidence_deg`.
#[pyfunction]
pub(crate) fn cylinder<'py>(
    py: Python<'py>,
    radius: f64,
    frequency: f64,
    constants: Option<(Complex64, Complex64)>,
    polarization_name: &str,
    incidence_deg: f64,
    phi_deg: PyReadonlyArray1<'py, f64>,
) -> PyResult<(Array<'py>, Array<'py>, f64)> {
    let travel = incidence_deg.to_radians() - std::f64::consts::PI;
    let series = CylinderSeries::new(
        radius,
        &material(constants),
        polarization(polarization_name)?,
        travel,
        frequency,
    )
    .map_err(refused)?;
    let angles: Vec<f64> = phi_deg
        .as_array()
        .iter()
        .map(|phi| phi.to_radians())
        .collect();
    let (amplitude, current) = py.detach(|| {
        let amplitude: Vec<Complex64> = angles.iter().map(|&phi| series.amplitude(phi)).collect();
        let current: Vec<Complex64> = angles
            .iter()
            .map(|&phi| series.surface_current(phi))
            .collect();
        (amplitude, current)
    });
    Ok((
        amplitude.into_pyarray(py),
        current.into_pyarray(py),
        series.wavenumber(),
    ))
}

/// Returns the total field of Sommerfeld's half-plane.
#[pyfunction]
pub(crate) fn half_plane<'py>(
    py: Python<'py>,
    polarization_name: &str,
    wavenumber: f64,
    incidence_deg: f64,
    rho: PyReadonlyArray1<'py, f64>,
    phi_deg: PyReadonlyArray1<'py, f64>,
) -> PyResult<Array<'py>> {
    let polarization = polarization(polarization_name)?;
    let points: Vec<(f64, f64)> = rho
        .as_array()
        .iter()
        .zip(phi_deg.as_array())
        .map(|(&r, &p)| (r, p.to_radians()))
        .collect();
    let incidence = incidence_deg.to_radians();
    let field: Result<Vec<Complex64>, ExactError> = py.detach(|| {
        points
            .iter()
            .map(|&(rho, phi)| {
                sommerfeld::total_field(polarization, wavenumber, incidence, rho, phi)
            })
            .collect()
    });
    Ok(field.map_err(refused)?.into_pyarray(py))
}

/// Returns the pressure of a baffled piston at distances r from its axis and z from its plane.
#[pyfunction]
pub(crate) fn piston<'py>(
    py: Python<'py>,
    radius: f64,
    velocity: Complex64,
    frequency: f64,
    fluid: Constants,
    r: PyReadonlyArray1<'py, f64>,
    z: PyReadonlyArray1<'py, f64>,
) -> PyResult<Array<'py>> {
    let piston = Piston { radius, velocity };
    let fluid = fluid_of(fluid);
    let points: Vec<(f64, f64)> = r
        .as_array()
        .iter()
        .copied()
        .zip(z.as_array().iter().copied())
        .collect();
    let pressure: Result<Vec<Complex64>, ExactError> = py.detach(|| {
        points
            .iter()
            .map(|&(r, z)| piston.pressure(&fluid, frequency, r, z))
            .collect()
    });
    Ok(pressure.map_err(refused)?.into_pyarray(py))
}

/// Returns the pressure of a plate mode at points (x, y, z).
#[pyfunction]
pub(crate) fn plate<'py>(
    py: Python<'py>,
    size: [f64; 2],
    mode: [u32; 2],
    velocity: Complex64,
    frequency: f64,
    fluid: Constants,
    x: PyReadonlyArray1<'py, f64>,
    y: PyReadonlyArray1<'py, f64>,
    z: PyReadonlyArray1<'py, f64>,
) -> PyResult<Array<'py>> {
    let plate = PlateMode {
        size,
        mode,
        velocity,
    };
    let fluid = fluid_of(fluid);
    let points: Vec<[f64; 3]> = x
        .as_array()
        .iter()
        .zip(y.as_array())
        .zip(z.as_array())
        .map(|((&x, &y), &z)| [x, y, z])
        .collect();
    let pressure: Result<Vec<Complex64>, ExactError> = py.detach(|| {
        points
            .iter()
            .map(|&point| plate.pressure(&fluid, frequency, point))
            .collect()
    });
    Ok(pressure.map_err(refused)?.into_pyarray(py))
}
