//! Cases `exact/*`: validation of the reference solutions.

use std::f64::consts::PI;

use num_complex::Complex64;
use wavefield_gpu::DeviceChoice;
use wavefield_gpu::fft::FftPlan;
use wavefield_numerics::fft::FftKind;
use wavefield_numerics::special::CylinderFunctions;
use wavefield_physics::constants::{SPEED_OF_LIGHT, VACUUM_IMPEDANCE};
use wavefield_physics::direction::Direction;
use wavefield_physics::exact::cylinder::{CylinderSeries, Polarization};
use wavefield_physics::exact::sphere::{Core, MieSeries, Sphere};
use wavefield_physics::far_field::Channel;
use wavefield_physics::medium::Medium;

use super::of_example;
use crate::measure::{Case, Measured, Metrics};
use crate::reference_data;
use wavefield::Error;
use wavefield::device;
use wavefield::numerics::worst::Worst;

pub(super) fn cases() -> Result<Vec<Case>, Error> {
    Ok(vec![
        of_example(
            "exact/austin-sphere",
            "Mie series of a PEC sphere compared with the eight tables of set IA of the Austin RCS benchmark suite",
            |_| austin_sphere(),
        )?,
        of_example(
            "exact/cylinder",
            "residual tangential electric field on a PEC cylinder, TM and TE, ka = 0.1 to 100",
            |_| {
                Ok([
                    ("boundary_error_tm", boundary_error(Polarization::Tm)?),
                    ("boundary_error_te", boundary_error(Polarization::Te)?),
                ]
                .into())
            },
        )?,
        of_example(
            "exact/cylinder-dielectric",
            "power conservation of every partial wave of a lossless dielectric cylinder",
            |_| unitarity(),
        )?,
    ])
}

fn austin_sphere() -> Result<Measured, Error> {
    let Some(data) = reference_data::find("austin-rcs") else {
        return Ok(Measured::Skipped(reference_data::missing("austin-rcs")));
    };
    let mut metrics = Metrics::new();
    let (mut worst, mut rows) = (Worst::default(), 0usize);
    for (size, diameter) in [("s2", 0.6), ("s7", 19.2)] {
        for frequency in ["f1", "f6"] {
            for (name, channel) in [("V", Channel::VV), ("H", Channel::HH)] {
                let table = reference_data::read_table(
                    &data.join(format!("IA/ref_rcs.I.A.{size}.{frequency}.{name}.txt")),
                )?;
                let Some([frequency, ..]) = table.first() else {
                    return Err(Error::input(
                        "a reference table of set IA is empty".to_owned(),
                    ));
                };
                let series = MieSeries::new(&Sphere::pec(diameter / 2.0), *frequency)
                    .map_err(|error| Error::runtime(error.to_string()))?;
                let from = Direction::from_degrees(90.0, 0.0);
                for [_, theta, phi, want] in &table {
                    let got = series
                        .scattering(from, Direction::from_degrees(*theta, *phi))
                        .dbsm(channel);
                    worst.see((got - want).abs());
                    rows += 1;
                }
            }
        }
    }
    metrics.insert("max_error_db".to_owned(), worst.value());
    metrics.insert("values".to_owned(), rows as f64);
    Ok(metrics.into())
}

/// The current, sampled on the surface, is inserted into the EFIE, whose kernel is diagonal in e^{jnφ}: E_z = −(πkaη/2)
/// JₙHₙ J (TM), E_φ = −(πkaη/2) Jₙ′Hₙ′ J (TE). The error is the residual tangential field relative to the incident one.
fn boundary_error(polarization: Polarization) -> Result<f64, Error> {
    let failed = |error: &dyn std::fmt::Display| Error::runtime(error.to_string());
    let cpu = device::open(&DeviceChoice::Cpu, None)?;
    let mut worst = Worst::default();
    for ka in [0.1, 1.0, 10.0, 11.791_534_439_014_28, 100.0] {
        // Unit wavenumber: the radius is ka.
        let frequency = SPEED_OF_LIGHT / (2.0 * PI);
        let series = CylinderSeries::new(ka, &Core::Pec, polarization, 0.0, frequency)
            .map_err(|e| failed(&e))?;
        // Twice the number of significant partial waves: no aliasing of the current.
        let count = 4 * ((ka as usize) + 64);
        let angle = |i: usize| 2.0 * PI * i as f64 / count as f64;
        let mut spectrum: Vec<Complex64> = (0..count)
            .map(|i| series.surface_current(angle(i)))
            .collect();
        let transform =
            FftPlan::new(&cpu, &[count], 1, FftKind::Complex).map_err(|e| failed(&e))?;
        transform.forward(&mut spectrum).map_err(|e| failed(&e))?;
        let functions = CylinderFunctions::new(count / 2, ka).map_err(|e| failed(&e))?;
        for (index, value) in spectrum.iter_mut().enumerate() {
            let n = index.min(count - index);
            let kernel = match polarization {
                Polarization::Tm => functions.j(n) * functions.hankel2(n),
                Polarization::Te => functions.j_prime(n) * functions.hankel2_prime(n),
            };
            // Far above n = ka the product of a tiny J and a huge H exceeds the range of f64; the current has no such
            // partial waves.
            let kernel = if kernel.is_finite() {
                kernel
            } else {
                Complex64::new(0.0, 0.0)
            };
            *value *= -0.5 * PI * ka * VACUUM_IMPEDANCE * kernel / count as f64;
        }
        transform.inverse(&mut spectrum).map_err(|e| failed(&e))?;
        for (i, scattered) in spectrum.iter().enumerate() {
            let phi = angle(i);
            let wave = Complex64::from_polar(1.0, -ka * phi.cos());
            let (incident, scale) = match polarization {
                Polarization::Tm => (wave, 1.0),
                // E = −η k̂ × H: E_φ = η cosφ H_z.
                Polarization::Te => (wave * phi.cos() * VACUUM_IMPEDANCE, VACUUM_IMPEDANCE),
            };
            worst.see((incident + scattered).norm() / scale);
        }
    }
    Ok(worst.value())
}

fn unitarity() -> Result<Measured, Error> {
    let mut worst = Worst::default();
    for permittivity in [1.5, 4.0, 12.0, 80.0] {
        let body = Core::Medium(Medium {
            permittivity: Complex64::new(permittivity, 0.0),
            permeability: Complex64::new(1.0, 0.0),
        });
        for ka in [0.1, 1.0, 10.0, 100.0] {
            for polarization in [Polarization::Tm, Polarization::Te] {
                let series =
                    CylinderSeries::new(ka, &body, polarization, 0.0, SPEED_OF_LIGHT / (2.0 * PI))
                        .map_err(|error| Error::runtime(error.to_string()))?;
                for coefficient in series.coefficients() {
                    worst.see(((1.0 + 2.0 * coefficient).norm() - 1.0).abs());
                }
            }
        }
    }
    Ok([("unitarity_error", worst.value())].into())
}
