//! Canonical bodies with known scattering, compared in amplitude and phase.

use std::f64::consts::PI;

use num_complex::Complex64;
use wavefield_gpu::{Device, DeviceChoice};
use wavefield_mesh::primitive;
use wavefield_physics::constants::{SPEED_OF_LIGHT, vacuum_wavenumber};
use wavefield_physics::direction::Direction;
use wavefield_physics::exact::sphere::{MieSeries, Sphere};
use wavefield_physics::far_field::Channel;
use wavefield_sbr::{Density, Error, Scatterer};

const GIGAHERTZ: f64 = 1e9;

/// Returns a ratio of fields in decibels and degrees.
fn apart(a: Complex64, b: Complex64) -> (f64, f64) {
    let ratio = a / b;
    (20.0 * ratio.norm().log10(), ratio.arg().to_degrees())
}

#[test]
fn a_large_sphere_is_that_of_mie_in_amplitude_and_phase() {
    let sphere = Scatterer::new(&primitive::sphere(1.0, 0.0125).unwrap()).unwrap();
    let from = Direction::from_degrees(50.0, 20.0);
    for ka in [100.0, 200.0] {
        let frequency = ka * SPEED_OF_LIGHT / (2.0 * PI);
        let series = MieSeries::new(&Sphere::pec(1.0), frequency).unwrap();
        let exact = series.scattering(from, from);
        let found = sphere
            .monostatic(from, frequency, Density::even(0.2))
            .unwrap();
        for (found, exact) in [(found.vv, exact.vv), (found.hh, exact.hh)] {
            let (decibels, degrees) = apart(found, exact);
            // Error of the physical-optics shadow boundary: 1/(2ka) of the total, and as much again for
            // the staircase of the grid along it.
            assert!(decibels.abs() < 0.12, "ka {ka}: {decibels} dB");
            assert!(degrees.abs() < 1.5, "ka {ka}: {degrees}°");
        }
        assert!(found.vh.norm() < 1e-3 * found.vv.norm());
    }
}

#[test]
fn a_plate_is_its_closed_form_over_the_main_and_side_lobes() {
    let plate = Scatterer::new(&primitive::plate(1.0, 1.0, 0.3).unwrap()).unwrap();
    let k = vacuum_wavenumber(3.0 * GIGAHERTZ);
    for degrees in [0.0_f64, 1.0, 3.0, 4.5, 20.0, 40.0] {
        let from = Direction::from_degrees(degrees, 0.0);
        let found = plate
            .monostatic(from, 3.0 * GIGAHERTZ, Density::default())
            .unwrap();
        let (sine, cosine) = degrees.to_radians().sin_cos();
        let x = k * sine;
        let sinc = if x == 0.0 { 1.0 } else { x.sin() / x };
        // E_r = −E_i over the plate radiates F = −(jk/2π) cosθ sinc; θ̂ and φ̂ of both waves are equal.
        let exact = Complex64::new(0.0, -k / (2.0 * PI) * cosine * sinc) * (4.0 * PI).sqrt();
        let largest = k / (2.0 * PI) * (4.0 * PI).sqrt();
        for found in [found.vv, found.hh] {
            let error = (found - exact).norm() / largest;
            assert!(error < 1e-3, "{degrees}°: {found} {exact}");
        }
    }
}

#[test]
fn a_dihedral_doubles_the_bounce_and_turns_one_polarization() {
    let mesh = primitive::dihedral(1.0, 1.0, PI / 2.0, 0.3).unwrap();
    let found = Scatterer::new(&mesh)
        .unwrap()
        .monostatic(
            Direction::from_degrees(90.0, 0.0),
            3.0 * GIGAHERTZ,
            Density::default(),
        )
        .unwrap();
    // 8πa²b²/λ².
    let wavelength = SPEED_OF_LIGHT / (3.0 * GIGAHERTZ);
    let exact = 10.0 * (8.0 * PI / wavelength.powi(2)).log10();
    assert!((exact - 34.01).abs() < 0.01);
    for channel in [Channel::VV, Channel::HH] {
        assert!((found.dbsm(channel) - exact).abs() < 0.02);
    }
    let turned = (found.vv / found.hh).arg().to_degrees().abs();
    assert!((turned - 180.0).abs() < 0.1, "{turned}");
    assert!(found.vh.norm() < 1e-9 * found.vv.norm());
}

#[test]
fn a_trihedral_sends_back_what_its_aperture_takes() {
    let corner = Scatterer::new(&primitive::triangular_trihedral(1.0, 0.3).unwrap()).unwrap();
    let from = Direction::from_vector([1.0, 1.0, 1.0]);
    for (frequency, exact) in [(3.0, 26.23), (6.0, 32.25)] {
        let found = corner
            .monostatic(from, frequency * GIGAHERTZ, Density::default())
            .unwrap();
        for channel in [Channel::VV, Channel::HH] {
            let decibels = found.dbsm(channel);
            assert!(
                (decibels - exact).abs() < 0.02,
                "{frequency} GHz: {decibels}"
            );
        }
    }
}

#[test]
fn frequencies_share_rays_and_threads_do_not_change_a_bit() {
    let mesh = primitive::almond(primitive::ALMOND_LENGTH, 0.01).unwrap();
    let body = Scatterer::new(&mesh).unwrap();
    let from = Direction::from_degrees(80.0, 25.0);
    let to = [from, Direction::from_degrees(70.0, 60.0)];
    let scatter = |threads: usize, frequencies: &[f64]| {
        let device = Device::open(&DeviceChoice::Cpu, Some(threads)).unwrap();
        let Device::Cpu(pool) = &device else {
            unreachable!("a CPU device was requested")
        };
        pool.install(|| body.scatter(from, &to, frequencies, Density::default()))
            .unwrap()
    };
    let frequencies = [7.0 * GIGAHERTZ, 10.25 * GIGAHERTZ];
    let one = scatter(1, &frequencies);
    assert_eq!(one, scatter(2, &frequencies));
    assert_eq!(one, scatter(3, &frequencies));
    // The rays are those of the highest frequency.
    let alone = scatter(1, &frequencies[1..]);
    assert_eq!(alone.rays, one.rays);
    assert_eq!(alone.matrices[0], one.matrices[1]);
}

#[test]
fn scattering_by_single_bounces_is_reciprocal() {
    let body = Scatterer::new(&primitive::sphere(1.0, 0.0125).unwrap()).unwrap();
    let (a, b) = (
        Direction::from_degrees(60.0, 10.0),
        Direction::from_degrees(75.0, 40.0),
    );
    let frequency = 3.0 * GIGAHERTZ;
    let toward = |from: Direction, to: Direction| {
        let density = Density {
            step: 0.1,
            ..Density::default()
        };
        let found = body.scatter(from, &[to], &[frequency], density).unwrap();
        found.matrices[0]
    };
    let (ab, ba) = (toward(a, b), toward(b, a));
    // Physical optics is reciprocal at the specular point only; the illuminated regions differ.
    assert!((ab.vv - ba.vv).norm() < 0.03 * ab.vv.norm());
    assert!((ab.hh - ba.hh).norm() < 0.03 * ab.hh.norm());
}

#[test]
fn what_cannot_be_is_refused() {
    let plate = Scatterer::new(&primitive::plate(1.0, 1.0, 1.0).unwrap()).unwrap();
    let from = Direction::from_degrees(0.0, 0.0);
    let refused = |frequency: f64, step: f64| {
        plate
            .monostatic(from, frequency, Density::even(step))
            .unwrap_err()
    };
    assert!(matches!(refused(-1.0, 0.2), Error::Frequency { .. }));
    assert!(matches!(refused(f64::NAN, 0.2), Error::Frequency { .. }));
    assert!(matches!(refused(1e9, 0.0), Error::Range { .. }));
    assert!(matches!(refused(1e15, 0.2), Error::TooManyRays { .. }));
}

#[test]
fn facets_smaller_than_the_cells_do_not_change_a_corner() {
    let from = Direction::from_degrees(90.0, 12.0);
    let at = |edge: f64, density: Density| {
        let corner = primitive::dihedral(1.0, 1.0, 0.5 * PI, edge).unwrap();
        let body = Scatterer::new(&corner).unwrap();
        body.monostatic(from, 3.0 * GIGAHERTZ, density).unwrap()
    };
    let whole = at(1.0, Density::default());
    // Facets of λ/5 under cells of λ/4.
    for density in [Density::default(), Density::even(0.25)] {
        let fine = at(0.02, density);
        for (a, b) in [(whole.vv, fine.vv), (whole.hh, fine.hh)] {
            let (decibels, degrees) = apart(a, b);
            assert!(decibels.abs() < 0.1, "{density:?}: {decibels} dB");
            assert!(degrees.abs() < 1.0, "{density:?}: {degrees}°");
        }
    }
}
