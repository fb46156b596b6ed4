//! Physical properties of the analytical solutions: energy conservation, reciprocity, limits, boundary conditions.

use num_complex::Complex64;
use wavefield_numerics::special::gauss_legendre;
use wavefield_numerics::vector::{cross, dot};
use wavefield_physics::constants::{SPEED_OF_LIGHT, VACUUM_IMPEDANCE};
use wavefield_physics::direction::Direction;
use wavefield_physics::exact::cylinder::{CylinderSeries, Polarization};
use wavefield_physics::exact::half_plane;
use wavefield_physics::exact::hertzian_dipole;
use wavefield_physics::exact::sphere::{Core, Layer, MieSeries, Sphere};
use wavefield_physics::exact::{ExactError, sound};
use wavefield_physics::far_field::Channel;
use wavefield_physics::medium::{Fluid, Medium};

const PI: f64 = std::f64::consts::PI;
/// Frequency at which the wavenumber is 1 rad/m.
const UNIT: f64 = SPEED_OF_LIGHT / (2.0 * PI);
/// Rounding error of sums of some hundred terms.
const ROUNDING: f64 = 1e-12;

fn medium(eps: (f64, f64), mu: (f64, f64)) -> Medium {
    Medium {
        permittivity: Complex64::new(eps.0, eps.1),
        permeability: Complex64::new(mu.0, mu.1),
    }
}

fn spheres() -> Vec<(Sphere, bool)> {
    let lossless = medium((4.0, 0.0), (1.0, 0.0));
    let lossy = medium((3.0, -0.4), (1.2, -0.3));
    let coated = |core: Core, coating: Medium| Sphere {
        core_radius: 4.0,
        core,
        coatings: vec![Layer {
            outer_radius: 5.0,
            medium: coating,
        }],
    };
    vec![
        (Sphere::pec(5.0), true),
        (Sphere::dielectric(5.0, lossless), true),
        (Sphere::dielectric(5.0, lossy), false),
        (coated(Core::Pec, lossless), true),
        (
            coated(Core::Medium(lossless), medium((2.0, 0.0), (1.5, 0.0))),
            true,
        ),
        (coated(Core::Pec, lossy), false),
    ]
}

#[test]
fn lossless_spheres_scatter_all_they_take() {
    for (sphere, lossless) in spheres() {
        let series = MieSeries::new(&sphere, UNIT).unwrap();
        let (taken, scattered) = (series.extinction(), series.total_scattering());
        if lossless {
            assert!(
                (taken / scattered - 1.0).abs() < ROUNDING,
                "{sphere:?} {taken} {scattered}"
            );
        } else {
            assert!(taken > scattered * 1.001, "{sphere:?} {taken} {scattered}");
        }
    }
}

#[test]
fn small_bodies_keep_their_power_balance() {
    let glass = medium((4.0, 0.0), (1.0, 0.0));
    for ka in [1e-6, 1e-4, 1e-3, 1e-2, 0.1] {
        for sphere in [Sphere::pec(ka), Sphere::dielectric(ka, glass)] {
            let series = MieSeries::new(&sphere, UNIT).unwrap();
            let ratio = series.total_scattering() / series.extinction();
            assert!((ratio - 1.0).abs() < ROUNDING, "{sphere:?} {ratio}");
        }
        for body in [Core::Pec, Core::Medium(glass)] {
            for polarization in [Polarization::Tm, Polarization::Te] {
                let series = CylinderSeries::new(ka, &body, polarization, 0.0, UNIT).unwrap();
                let ratio = series.total_scattering() / series.extinction();
                assert!((ratio - 1.0).abs() < ROUNDING, "{body:?} {ka} {ratio}");
            }
        }
    }
}

#[test]
fn extreme_sizes_are_refused_or_finite() {
    let tiny = CylinderSeries::new(1e-20, &Core::Pec, Polarization::Tm, 0.0, UNIT).unwrap();
    assert!(tiny.amplitude(0.3).is_finite() && tiny.surface_current(0.3).is_finite());
    let dense = medium((1e300, 0.0), (1.0, 0.0));
    assert!(matches!(
        MieSeries::new(&Sphere::dielectric(1.0, dense), UNIT),
        Err(ExactError::TooLarge { .. })
    ));
    assert!(matches!(
        MieSeries::new(&Sphere::pec(1e12), UNIT),
        Err(ExactError::TooLarge { .. })
    ));
    let metal = Core::Medium(dense);
    assert!(matches!(
        CylinderSeries::new(1.0, &metal, Polarization::Te, 0.0, UNIT),
        Err(ExactError::TooLarge { .. })
    ));
}

#[test]
fn scattered_power_is_the_integral_of_the_pattern() {
    for (sphere, _) in spheres() {
        let series = MieSeries::new(&sphere, UNIT).unwrap();
        let from = Direction::new(2.0, 0.5);
        let (x, w) = gauss_legendre(40);
        let mut power = 0.0;
        for (x, w) in x.iter().zip(&w) {
            for i in 0..40 {
                let to = Direction::new(x.acos(), 2.0 * PI * f64::from(i) / 40.0);
                let matrix = series.scattering(from, to);
                // |S|²/4π per steradian, for polarization V.
                power += w * 2.0 * PI / 40.0 * (matrix.rcs(Channel::VV) + matrix.rcs(Channel::HV))
                    / (4.0 * PI);
            }
        }
        assert!((power / series.total_scattering() - 1.0).abs() < ROUNDING);
    }
}

#[test]
fn forward_amplitude_obeys_the_optical_theorem() {
    for (sphere, _) in spheres() {
        let series = MieSeries::new(&sphere, UNIT).unwrap();
        let from = Direction::new(1.1, 0.3);
        let to = Direction::new(PI - 1.1, 0.3 + PI);
        let forward = series.scattering(from, to);
        // σ_ext = −(4π/k) Im F for e^{+jωt}. In the forward direction θ̂ keeps its sign and φ̂ changes it.
        let amplitude = forward.vv / (4.0 * PI).sqrt();
        assert!((-4.0 * PI * amplitude.im / series.extinction() - 1.0).abs() < ROUNDING);
        assert!((forward.vv + forward.hh).norm() < ROUNDING * forward.vv.norm());
    }
}

#[test]
fn source_and_receiver_may_be_exchanged() {
    for (sphere, _) in spheres() {
        let series = MieSeries::new(&sphere, UNIT).unwrap();
        let (a, b) = (Direction::new(0.7, -1.0), Direction::new(2.2, 1.9));
        let (there, back) = (series.scattering(a, b), series.scattering(b, a));
        let size = there.vv.norm() + there.hh.norm();
        assert!((there.vv - back.vv).norm() < ROUNDING * size);
        assert!((there.hh - back.hh).norm() < ROUNDING * size);
        assert!((there.hv - back.vh).norm() < ROUNDING * size);
    }
}

#[test]
fn a_large_pec_sphere_reflects_like_geometrical_optics() {
    // E_s → −(a/2) e^{2jka} e^{−jkr}/r with a relative error of order 1/(2ka).
    let a = 2000.0;
    let series = MieSeries::new(&Sphere::pec(a), UNIT).unwrap();
    let radar = Direction::new(1.0, 2.0);
    let matrix = series.scattering(radar, radar);
    let optics = -(PI.sqrt() * a) * Complex64::from_polar(1.0, 2.0 * a);
    assert!((matrix.vv / optics - 1.0).norm() < 1.0 / a);
    assert!((matrix.vv - matrix.hh).norm() < ROUNDING * matrix.vv.norm());
    assert!(matrix.vh.norm() < ROUNDING * matrix.vv.norm());
}

#[test]
fn a_small_pec_sphere_scatters_like_rayleigh() {
    // The backscatter σ → 9π a² (ka)⁴ has relative corrections of order (ka)².
    let a: f64 = 1e-3;
    let series = MieSeries::new(&Sphere::pec(a), UNIT).unwrap();
    let radar = Direction::new(0.4, 0.0);
    let rayleigh = 9.0 * PI * a.powi(6);
    assert!(
        (series.scattering(radar, radar).rcs(Channel::VV) / rayleigh - 1.0).abs() < 10.0 * a * a
    );
}

#[test]
fn limits_of_coats_and_media_meet_the_simpler_spheres() {
    let radar = Direction::new(1.0, 0.0);
    let value = |sphere: &Sphere| {
        MieSeries::new(sphere, UNIT)
            .unwrap()
            .scattering(radar, Direction::new(0.3, 1.0))
            .vv
    };
    let bare = value(&Sphere::pec(5.0));
    let coating = |outer_radius: f64, medium: Medium| Sphere {
        core_radius: 5.0,
        core: Core::Pec,
        coatings: vec![Layer {
            outer_radius,
            medium,
        }],
    };
    let glass = medium((4.0, 0.0), (1.0, 0.0));
    assert!((value(&coating(5.0, glass)) - bare).norm() < ROUNDING * bare.norm());
    assert!((value(&coating(6.0, Medium::VACUUM)) - bare).norm() < ROUNDING * bare.norm());
    // A conductor of skin depth δ = 1e-6 differs from PEC by about its surface impedance, 1e-6.
    let metal = medium((1.0, -2e12), (1.0, 0.0));
    assert!((value(&Sphere::dielectric(5.0, metal)) - bare).norm() < 1e-5 * bare.norm());
    let mut split = Sphere::dielectric(2.0, glass);
    split.coatings = vec![
        Layer {
            outer_radius: 3.5,
            medium: glass,
        },
        Layer {
            outer_radius: 5.0,
            medium: glass,
        },
    ];
    let whole = value(&Sphere::dielectric(5.0, glass));
    assert!((value(&split) - whole).norm() < ROUNDING * whole.norm());
}

#[test]
fn impossible_bodies_are_refused() {
    let active = medium((2.0, 0.1), (1.0, 0.0));
    assert!(matches!(
        MieSeries::new(&Sphere::dielectric(1.0, active), UNIT),
        Err(ExactError::ActiveMedium { .. })
    ));
    assert!(matches!(
        MieSeries::new(&Sphere::pec(-1.0), UNIT),
        Err(ExactError::NotPositive { .. })
    ));
    assert!(matches!(
        MieSeries::new(&Sphere::pec(1.0), f64::NAN),
        Err(ExactError::NotPositive { .. })
    ));
    let mut inward = Sphere::pec(1.0);
    inward.coatings.push(Layer {
        outer_radius: 0.9,
        medium: Medium::VACUUM,
    });
    assert!(matches!(
        MieSeries::new(&inward, UNIT),
        Err(ExactError::LayersOutOfOrder { .. })
    ));
}

#[test]
fn the_field_vanishes_on_a_pec_cylinder_in_tm_and_is_flat_in_te() {
    for ka in [0.3, 10.0, 77.0] {
        let tm = CylinderSeries::new(ka, &Core::Pec, Polarization::Tm, 0.4, UNIT).unwrap();
        let te = CylinderSeries::new(ka, &Core::Pec, Polarization::Te, 0.4, UNIT).unwrap();
        for i in 0..24 {
            let phi = f64::from(i) * PI / 12.0;
            assert!(tm.total_field(ka, phi).unwrap().norm() < ROUNDING);
            let surface = te.surface_field(phi);
            assert!(surface.azimuthal.norm() == 0.0);
            assert!((te.total_field(ka, phi).unwrap() - surface.axial).norm() < ROUNDING);
        }
    }
}

#[test]
fn tm_current_of_a_large_cylinder_is_twice_the_incident_magnetic_field() {
    let ka = 1e3;
    let series = CylinderSeries::new(ka, &Core::Pec, Polarization::Tm, 0.0, UNIT).unwrap();
    // At the specular point J = 2 n̂ × H_i to order 1/ka, H_i = E/η e^{jka}.
    let current = series.surface_current(PI) * VACUUM_IMPEDANCE;
    let optics = 2.0 * Complex64::from_polar(1.0, ka);
    assert!(
        (current / optics - 1.0).norm() < 2.0 / ka,
        "{current} {optics}"
    );
}

#[test]
fn lossless_cylinders_are_unitary() {
    for polarization in [Polarization::Tm, Polarization::Te] {
        for eps in [1.5, 4.0, 80.0] {
            let body = Core::Medium(medium((eps, 0.0), (1.0, 0.0)));
            let series = CylinderSeries::new(10.0, &body, polarization, 0.0, UNIT).unwrap();
            for a in series.coefficients() {
                assert!(((1.0 + 2.0 * a).norm() - 1.0).abs() < 1e-13);
            }
        }
    }
}

#[test]
fn cylinders_scatter_what_they_take_and_no_more() {
    for polarization in [Polarization::Tm, Polarization::Te] {
        for (body, lossless) in [
            (Core::Pec, true),
            (Core::Medium(medium((4.0, 0.0), (1.0, 0.0))), true),
            (Core::Medium(medium((4.0, -0.5), (1.0, 0.0))), false),
        ] {
            let series = CylinderSeries::new(7.0, &body, polarization, 0.3, UNIT).unwrap();
            let (taken, scattered) = (series.extinction(), series.total_scattering());
            // The pattern integrates to the total scattering width: σ/2π over the circle.
            let count = 200;
            let mean: f64 = (0..count)
                .map(|i| series.width(2.0 * PI * f64::from(i) / f64::from(count)))
                .sum::<f64>()
                / f64::from(count);
            assert!((mean / scattered - 1.0).abs() < ROUNDING);
            if lossless {
                assert!((taken / scattered - 1.0).abs() < ROUNDING);
            } else {
                assert!(taken > scattered * 1.01);
            }
        }
    }
}

#[test]
fn the_half_plane_obeys_its_boundary_condition_and_reciprocity() {
    for krho in [0.2, 3.0, 40.0] {
        for phi0 in [0.6, 2.0, 5.0] {
            for phi in [0.0, 2.0 * PI] {
                let field =
                    half_plane::total_field(Polarization::Tm, 1.0, phi0, krho, phi).unwrap();
                assert!(field.norm() < ROUNDING);
            }
        }
        let there = half_plane::total_field(Polarization::Te, 1.0, 0.7, krho, 2.5).unwrap();
        let back = half_plane::total_field(Polarization::Te, 1.0, 2.5, krho, 0.7).unwrap();
        assert!((there - back).norm() < ROUNDING);
    }
}

#[test]
fn dipole_power_is_the_same_at_every_distance() {
    let (moment, frequency) = (Complex64::new(0.3, 0.2), 1e9);
    let expected = hertzian_dipole::radiated_power(moment, frequency).unwrap();
    let (x, w) = gauss_legendre(8);
    for r in [0.01, 0.3, 7.0] {
        let mut power = 0.0;
        for (x, w) in x.iter().zip(&w) {
            let field = hertzian_dipole::field(moment, frequency, r, x.acos()).unwrap();
            power += w * 2.0 * PI * r * r * 0.5 * (field.e_theta * field.h_phi.conj()).re;
        }
        // In the near field, the reactive field is 1/(kr)³ times the radiating one, and so is its rounding error.
        let reactive = (1.0 / (2.0 * PI * frequency / SPEED_OF_LIGHT * r))
            .powi(3)
            .max(1.0);
        assert!(
            (power / expected - 1.0).abs() < ROUNDING * reactive,
            "{r} {power} {expected}"
        );
    }
}

#[test]
fn a_dipole_is_the_limit_of_two_monopoles() {
    let (frequency, point, step) = (700.0, [0.2, -0.1, 0.3], 1e-5);
    let dipole = sound::dipole(&Fluid::AIR, [0.0, step, 0.0], frequency, point).unwrap();
    let at = |shift: f64| {
        let moved = [point[0], point[1] - shift, point[2]];
        sound::monopole(&Fluid::AIR, Complex64::new(1.0, 0.0), frequency, moved).unwrap()
    };
    let (plus, minus) = (at(0.5 * step), at(-0.5 * step));
    let pressure = plus.pressure - minus.pressure;
    // Third-order terms: (step/r)² ~ 1e-9; cancellation: 1e-16/1e-5.
    assert!((pressure / dipole.pressure - 1.0).norm() < 1e-8);
    for i in 0..3 {
        let velocity = plus.velocity[i] - minus.velocity[i];
        assert!((velocity - dipole.velocity[i]).norm() < 1e-8 * dipole.velocity[1].norm());
    }
}

/// The current radiates the scattered field, F = −(jk/4π) ∫ (ηJ)·ê e^{jk r̂·r} dS, and on the illuminated side of a
/// large sphere it is the physical-optics current 2 n̂ × H_i.
#[test]
fn the_current_of_a_conducting_sphere_radiates_its_scattered_field() {
    let (radius, frequency) = (0.4, 900e6);
    let k = wavefield_physics::constants::vacuum_wavenumber(frequency);
    let from = Direction::from_degrees(70.0, 20.0);
    let series = MieSeries::new(&Sphere::pec(radius), frequency).unwrap();
    let (nodes, weights) = gauss_legendre(40);
    let steps = 80;
    let mut points = Vec::new();
    for cosine in &nodes {
        for step in 0..steps {
            let phi = std::f64::consts::TAU * f64::from(step) / f64::from(steps);
            points.push(Direction::new(cosine.acos(), phi));
        }
    }
    for (polarization, vertical) in [(from.theta_hat(), true), (from.phi_hat(), false)] {
        let current =
            MieSeries::conductor_current(radius, frequency, from, polarization, &points).unwrap();
        for to in [
            Direction::from_degrees(110.0, 200.0),
            Direction::from_degrees(35.0, 75.0),
            from,
        ] {
            let mut heard = [Complex64::new(0.0, 0.0); 2];
            for (number, (point, current)) in points.iter().zip(&current).enumerate() {
                let area = weights[number / steps as usize] * std::f64::consts::TAU
                    / f64::from(steps)
                    * radius
                    * radius;
                let out = point.unit();
                let phase = Complex64::from_polar(area, k * radius * dot(out, to.unit()));
                for (heard, along) in heard.iter_mut().zip([to.theta_hat(), to.phi_hat()]) {
                    *heard += (0..3).map(|i| current[i] * along[i]).sum::<Complex64>() * phase;
                }
            }
            let matrix = series.scattering(from, to);
            let wanted = if vertical {
                [matrix.vv, matrix.hv]
            } else {
                [matrix.vh, matrix.hh]
            };
            // Converts an amplitude to √σ.
            let scale = Complex64::new(0.0, -k / (4.0 * PI)) * (4.0 * PI).sqrt();
            for (heard, wanted) in heard.iter().zip(wanted) {
                assert!((scale * heard - wanted).norm() < 1e-12, "{heard} {wanted}");
            }
        }
    }
}

/// On the sphere the total electric field is normal and n̂ × ηH is the current; far away the field agrees with the
/// scattering matrix.
#[test]
fn the_field_around_a_conducting_sphere_meets_its_surface_and_its_far_field() {
    let (radius, frequency) = (0.4, 900e6);
    let k = wavefield_physics::constants::vacuum_wavenumber(frequency);
    let from = Direction::from_degrees(70.0, 20.0);
    let series = MieSeries::new(&Sphere::pec(radius), frequency).unwrap();
    for (polarization, vertical) in [(from.theta_hat(), true), (from.phi_hat(), false)] {
        for to in [
            Direction::from_degrees(110.0, 200.0),
            Direction::from_degrees(35.0, 75.0),
            Direction::from_degrees(80.0, 10.0),
        ] {
            let out = to.unit();
            let point = out.map(|x| x * radius);
            let wave = Complex64::from_polar(1.0, k * dot(from.unit(), point));
            let [e, h] = series.scattered_field(from, polarization, point).unwrap();
            let travel = from.unit().map(|x| -x);
            let sent = cross(travel, polarization);
            let e: [Complex64; 3] = std::array::from_fn(|i| e[i] + wave * polarization[i]);
            let h: [Complex64; 3] = std::array::from_fn(|i| h[i] + wave * sent[i]);
            let current =
                MieSeries::conductor_current(radius, frequency, from, polarization, &[to]).unwrap()
                    [0];
            for i in 0..3 {
                let (j, l) = ((i + 1) % 3, (i + 2) % 3);
                assert!((out[j] * e[l] - out[l] * e[j]).norm() < 1e-10, "{e:?}");
                assert!((out[j] * h[l] - out[l] * h[j] - current[i]).norm() < 1e-10);
            }
            let far = 1e5;
            let [e, h] =
                (series.scattered_field(from, polarization, out.map(|x| x * far))).unwrap();
            let along = |field: [Complex64; 3], axis: [f64; 3]| {
                (0..3).map(|i| field[i] * axis[i]).sum::<Complex64>()
                    * Complex64::from_polar(far * (4.0 * PI).sqrt(), k * far)
            };
            let matrix = series.scattering(from, to);
            let wanted = if vertical {
                [matrix.vv, matrix.hv]
            } else {
                [matrix.vh, matrix.hh]
            };
            let (theta, phi) = (to.theta_hat(), to.phi_hat());
            assert!((along(e, theta) - wanted[0]).norm() < 1e-3, "{wanted:?}");
            assert!((along(e, phi) - wanted[1]).norm() < 1e-3, "{wanted:?}");
            assert!((along(h, phi) - wanted[0]).norm() < 1e-3);
            assert!((along(h, theta) + wanted[1]).norm() < 1e-3);
        }
    }
}
