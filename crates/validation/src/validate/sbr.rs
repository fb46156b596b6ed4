//! Shooting and bouncing rays compared with closed forms and exact series.

use std::f64::consts::PI;

use num_complex::Complex64;
use wavefield_mesh::{TriangleMesh, primitive};
use wavefield_physics::constants::SPEED_OF_LIGHT;
use wavefield_physics::direction::Direction;
use wavefield_physics::exact::sphere::{Core, Layer, MieSeries, Sphere};
use wavefield_physics::far_field::{Channel, ScatteringMatrix, power_db};
use wavefield_physics::material::{ComplexNumber, Material, MediumSpec, NamedMaterial};
use wavefield_physics::medium::Medium;
use wavefield_sbr::{Density, LayeredCoating, Scatterer};

use super::of_example;
use crate::measure::{Case, Limit, Measured};
use wavefield::Error;
use wavefield::numerics::worst::Worst;

pub(super) fn cases() -> Result<Vec<Case>, Error> {
    Ok(vec![
        of_example(
            "sbr/sphere",
            "backscatter of a PEC sphere with ray tubes of λ/5 compared with the Mie series and the exact physical-optics integral",
            |_| sphere(),
        )?,
        of_example(
            "sbr/plate",
            "RCS of a plate at normal incidence compared with 4πA²/λ², and its lobes with their closed form",
            |_| plate(),
        )?,
        of_example(
            "sbr/dihedral",
            "double bounce of a dihedral compared with 8πa²b²/λ², and the phase of VV relative to HH",
            |_| dihedral(),
        )?,
        of_example(
            "sbr/trihedral",
            "triple bounce of a trihedral compared with 4πa⁴/3λ² at 3 and 6 GHz",
            |_| trihedral(),
        )?,
        of_example(
            "sbr/coated-sphere",
            "monostatic and bistatic RCS of a PEC sphere with absorbing coating compared with the Mie series of the coated sphere",
            |_| coated_sphere(),
        )?,
        Case::new(
            "sbr/refinement",
            "adaptive ray-tube subdivision compared with uniform tubes of λ/10 on corner reflectors within 30 dB of the peak, and the rays saved",
            refinement,
        )
        .limits([
            ("error_db", Limit::AtMost(0.1)),
            ("ray_ratio", Limit::AtLeast(5.0)),
        ]),
    ])
}

fn body(mesh: Result<TriangleMesh, primitive::PrimitiveError>) -> Result<Scatterer, Error> {
    let mesh = mesh.map_err(|error| Error::runtime(error.to_string()))?;
    Ok(Scatterer::new(&mesh)?)
}

/// Compares both co-polar channels with a cross section in dBsm.
fn off(found: &ScatteringMatrix, dbsm: f64) -> f64 {
    Worst::of([Channel::VV, Channel::HH].map(|channel| (found.dbsm(channel) - dbsm).abs()))
}

fn sphere() -> Result<Measured, Error> {
    let body = body(primitive::sphere(1.0, 0.0125))?;
    let from = Direction::from_degrees(50.0, 20.0);
    let (mut mie, mut optics, mut phase) = (Worst::default(), Worst::default(), Worst::default());
    for ka in [60.0, 100.0, 200.0] {
        let frequency = ka * SPEED_OF_LIGHT / (2.0 * PI);
        let found = body.monostatic(from, frequency, Density::even(0.2))?;
        if ka > 60.0 {
            let series = MieSeries::new(&Sphere::pec(1.0), frequency)
                .map_err(|error| Error::runtime(error.to_string()))?;
            let exact = series.scattering(from, from);
            mie.see(off(&found, exact.dbsm(Channel::VV)));
            phase.see((found.vv / exact.vv).arg().to_degrees().abs());
        }
        optics.see(off(&found, power_db(optical_sphere(ka).norm_sqr())));
    }
    Ok([
        ("error_db", mie.value()),
        ("po_error_db", optics.value()),
        ("phase_error_deg", phase.value()),
    ]
    .into())
}

fn coated_sphere() -> Result<Measured, Error> {
    let frequency = 1e10;
    let (permittivity, permeability) = ([16.9, -0.337], [1.45, -1.73]);
    let thickness = 1.5e-3;
    let absorber = MediumSpec {
        permittivity: ComplexNumber::Complex(permittivity),
        permeability: ComplexNumber::Complex(permeability),
        conductivity: None,
    };
    let medium = Medium {
        permittivity: absorber.permittivity.value(),
        permeability: absorber.permeability.value(),
    };
    let wavelength = SPEED_OF_LIGHT / frequency;
    let from = Direction::from_degrees(50.0, 20.0);
    let to = [from, Direction::from_degrees(60.0, 80.0)];
    let (mut error, mut phase) = (Worst::default(), Worst::default());
    for ka in [60.0, 100.0, 200.0] {
        let radius = ka * wavelength / (2.0 * PI);
        let mesh = primitive::sphere(radius, 0.2 * wavelength);
        let mesh = mesh.map_err(|error| Error::runtime(error.to_string()))?;
        let coating = LayeredCoating {
            layers: vec![(thickness, Material::Medium(absorber.clone()))],
            backing: Material::Named(NamedMaterial::Pec),
        };
        let all = vec![Some(0); mesh.triangles.len()];
        let body = Scatterer::new(&mesh)?.coated(vec![coating], all)?;
        let found = body.scatter(from, &to, &[frequency], Density::even(0.2))?;
        let sphere = Sphere {
            core_radius: radius - thickness,
            core: Core::Pec,
            coatings: vec![Layer {
                outer_radius: radius,
                medium,
            }],
        };
        let series = MieSeries::new(&sphere, frequency)
            .map_err(|error| Error::runtime(error.to_string()))?;
        for (to, found) in to.iter().zip(&found.matrices) {
            let exact = series.scattering(from, *to);
            for channel in [Channel::VV, Channel::HH] {
                error.see((found.dbsm(channel) - exact.dbsm(channel)).abs());
            }
            phase.see((found.vv / exact.vv).arg().to_degrees().abs());
        }
    }
    Ok([
        ("error_db", error.value()),
        ("phase_error_deg", phase.value()),
    ]
    .into())
}

/// Returns √(4π)F of physical optics for a sphere of unit radius: F = −jka ∫₀¹ t e^{2jkat} dt.
fn optical_sphere(ka: f64) -> Complex64 {
    let x = 2.0 * ka;
    let end = Complex64::cis(x);
    let integral = end / Complex64::new(0.0, x) + (end - 1.0) / (x * x);
    Complex64::new(0.0, -ka) * integral * (4.0 * PI).sqrt()
}

fn plate() -> Result<Measured, Error> {
    let body = body(primitive::plate(1.0, 1.0, 1.0))?;
    let frequency = 3e9;
    let k = 2.0 * PI * frequency / SPEED_OF_LIGHT;
    let largest = k / PI.sqrt();
    let normal = body.monostatic(
        Direction::from_degrees(0.0, 0.0),
        frequency,
        Density::default(),
    )?;
    let mut lobes = Worst::default();
    for step in 0..240 {
        let theta = f64::from(step) * 0.25_f64.to_radians();
        let found = body.monostatic(Direction::new(theta, 0.0), frequency, Density::default())?;
        let x = k * theta.sin();
        let sinc = if x == 0.0 { 1.0 } else { x.sin() / x };
        let exact = Complex64::new(0.0, -largest * theta.cos() * sinc);
        lobes.see((found.vv - exact).norm().max((found.hh - exact).norm()) / largest);
    }
    Ok([
        ("error_db", off(&normal, power_db(largest * largest))),
        ("lobe_error", lobes.value()),
    ]
    .into())
}

fn dihedral() -> Result<Measured, Error> {
    let body = body(primitive::dihedral(1.0, 1.0, 0.5 * PI, 1.0))?;
    let from = Direction::from_degrees(90.0, 0.0);
    let found = body.monostatic(from, 3e9, Density::default())?;
    let exact = power_db(8.0 * PI * (3e9 / SPEED_OF_LIGHT).powi(2));
    let turned = (found.vv / found.hh).arg().to_degrees().abs();
    Ok([
        ("error_db", off(&found, exact)),
        ("phase_difference_deg", turned),
        ("phase_error_deg", (turned - 180.0).abs()),
    ]
    .into())
}

fn trihedral() -> Result<Measured, Error> {
    let body = body(primitive::triangular_trihedral(1.0, 1.0))?;
    let from = Direction::from_vector([1.0, 1.0, 1.0]);
    let mut worst = Worst::default();
    for frequency in [3e9, 6e9] {
        let found = body.monostatic(from, frequency, Density::default())?;
        let exact = power_db(4.0 * PI / 3.0 * (frequency / SPEED_OF_LIGHT).powi(2));
        worst.see(off(&found, exact));
    }
    Ok([("error_db", worst.value())].into())
}

/// Returns a trihedral and a dihedral corner at 6 GHz, swept across their apertures.
fn refinement() -> Result<Measured, Error> {
    let corners = [
        (primitive::triangular_trihedral(1.0, 1.0), 54.7356, 45.0),
        (primitive::dihedral(1.0, 1.0, 0.5 * PI, 1.0), 90.0, 0.0),
    ];
    let even = Density::even(0.1);
    let divided = Density {
        step: 1.0,
        halvings: 3,
        ..Density::default()
    };
    let (mut error, mut ratio) = (Worst::default(), f64::INFINITY);
    for (corner, theta, middle) in corners {
        let body = body(corner)?;
        let mut pairs = Vec::new();
        let (mut many, mut few) = (0, 0);
        for step in -15..=15 {
            let from = Direction::from_degrees(theta, middle + 2.0 * f64::from(step));
            let a = body.scatter(from, &[from], &[6e9], even)?;
            let b = body.scatter(from, &[from], &[6e9], divided)?;
            many += a.rays;
            few += b.rays;
            for channel in [Channel::VV, Channel::HH] {
                pairs.push((a.matrices[0].dbsm(channel), b.matrices[0].dbsm(channel)));
            }
        }
        let peak = pairs
            .iter()
            .fold(f64::NEG_INFINITY, |most, (a, _)| most.max(*a));
        for (a, b) in pairs.iter().filter(|(a, _)| *a > peak - 30.0) {
            error.see((a - b).abs());
        }
        ratio = ratio.min(many as f64 / few as f64);
    }
    Ok([("error_db", error.value()), ("ray_ratio", ratio)].into())
}
