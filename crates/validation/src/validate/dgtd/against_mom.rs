//! DGTD for PEC bodies compared with the 3-D method of moments, which shares neither mesh nor equation with it.

use std::f64::consts::PI;

use num_complex::Complex64;
use wavefield_mesh::MeshUnit;
use wavefield_mesh::primitive::helix_antenna;
use wavefield_mom3d as mom3d;
use wavefield_numerics::observe::Silent;
use wavefield_physics::constants::VACUUM_IMPEDANCE;
use wavefield_physics::far_field::power_db;
use wavefield_physics::quantity::{Frequency, Length};
use wavefield_physics::sweep::Sweep;
use wavefield_solver::scene::{Body, DeltaGap, Excitation, Geometry, Port};

use super::super::ExampleRun;
use super::bodies::column;
use crate::measure::{Measured, Metrics};
use wavefield::Error;
use wavefield::numerics::worst::Worst;

/// Returns the DGTD specification of a problem.
fn spec(run: &ExampleRun) -> Result<&wavefield_dgtd::Spec, Error> {
    let spec = run.problem.spec.downcast();
    spec.ok_or_else(|| missing("time domain"))
}

/// Creates the error of a problem that lacks a required item.
fn missing(what: &str) -> Error {
    Error::runtime(format!("the problem has no {what}"))
}

/// Adds the mean differences over directions within 20 and 30 dB of the reference's peak, and the largest within 20 dB.
fn compare(metrics: &mut Metrics, name: &str, found: &[f64], reference: &[f64]) {
    let peak = reference.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    for (below, label) in [(20.0, "20db"), (30.0, "30db")] {
        let apart: Vec<f64> = (found.iter().zip(reference))
            .filter(|(_, reference)| **reference > peak - below)
            .map(|(found, reference)| (found - reference).abs())
            .collect();
        let mean = apart.iter().sum::<f64>() / apart.len() as f64;
        metrics.insert(format!("{name}_mean_{label}"), Worst::of([mean]));
        if label == "20db" {
            metrics.insert(format!("{name}_max_{label}"), Worst::of(apart));
        }
    }
}

/// Compares the scattering of an almond in the planes of its problem with the CFIE on triangles with edge length λ/10.
/// Both received polarizations are added, so that the result does not depend on the orientation of a plane.
fn almond_metrics(run: &ExampleRun) -> Result<Metrics, Error> {
    let spec = spec(run)?;
    let Some(Geometry::Almond(almond)) = spec.bodies.first().map(|body| &body.geometry) else {
        return Err(missing("almond"));
    };
    let frequency = spec.frequency.values();
    let frequency =
        (frequency.ok().and_then(|f| f.first().copied())).ok_or_else(|| missing("frequency"))?;
    let length = Length::Meters(almond.length.meters(frequency.wavelength()));
    let wave = spec
        .excitation
        .as_plane_wave()
        .ok_or_else(|| missing("plane wave"))?;
    let mut asked = mom3d::Spec::new(
        frequency,
        Body::pec(Geometry::almond(length)),
        Excitation::plane_wave(wave.theta.clone(), wave.phi.clone()),
        spec.observation.clone(),
    );
    asked.mom3d.linear_solver = mom3d::LinearSolver::Aim(mom3d::Aim::default());
    let reference = mom3d::Plan::new(&asked, None)?.execute(&Silent)?;
    let outcome = &run.outcome;
    let sigma = |name: &str| column(outcome, name);
    let found: Vec<f64> = (sigma("rcs/vv_dbsm")?.iter().zip(sigma("rcs/hv_dbsm")?))
        .map(|(vv, hv)| power_db(10f64.powf(0.1 * vv) + 10f64.powf(0.1 * hv)))
        .collect();
    if found.len() != reference.matrices.len() {
        return Err(missing("direction of the reference"));
    }
    let phi = column(outcome, "rcs/phi")?;
    let mut metrics = Metrics::new();
    for (plane, name) in [(0.0, "rcs_phi_0"), (90.0, "rcs_phi_90")] {
        let (found, reference): (Vec<f64>, Vec<f64>) = (found.iter().zip(&reference.matrices))
            .zip(phi)
            .filter(|(_, phi)| (**phi - plane).abs() < 1e-9)
            .map(|((found, s), _)| (*found, power_db(s.vv.norm_sqr() + s.hv.norm_sqr())))
            .unzip();
        compare(&mut metrics, name, &found, &reference);
    }
    metrics.insert("mom_unknowns".to_owned(), reference.unknowns as f64);
    Ok(metrics)
}

/// Compares the almond of eight wavelengths with the method of moments in both principal planes, and its forward
/// scattering with that of its shadow area, σ = 4πA²/λ².
pub(super) fn almond(run: &ExampleRun) -> Result<Measured, Error> {
    let mut metrics = almond_metrics(run)?;
    let outcome = &run.outcome;
    let (theta, sigma) = (
        column(outcome, "rcs/theta")?,
        column(outcome, "rcs/vv_dbsm")?,
    );
    let at = |angle: f64| {
        let found = theta.iter().zip(sigma).find(|(theta, _)| **theta == angle);
        found.map_or(f64::NAN, |(_, sigma)| *sigma)
    };
    let (length, wavelength) = (2.499, Frequency(1e9).wavelength());
    // Rear half ellipse, front arcs: with sin 0.28 and cos 0.96 of the angle at the tip.
    let half_width = 29.0 / 150.0;
    let rear = 0.5 * PI * 5.0 / 12.0 * half_width;
    let arcs = 0.5 * (0.28 * 0.96 + 0.28_f64.asin()) - 0.96 * 0.28;
    let front = 2.0 * half_width * 25.0 / 12.0 * arcs / 0.04;
    let area = (rear + front) * length * length;
    let shadow = power_db(4.0 * PI * (area / wavelength).powi(2));
    metrics.extend([
        ("forward_dbsm".to_owned(), at(180.0)),
        ("backward_dbsm".to_owned(), at(0.0)),
        (
            "forward_scatter_error_db".to_owned(),
            (at(180.0) - shadow).abs(),
        ),
        ("run_seconds".to_owned(), run.seconds),
    ]);
    Ok(metrics.into())
}

/// Number of delta gaps in series that model the lumped port of the DGTD.
///
/// That port is a resistive sheet over the whole feed. Delta gaps across a conducting strip, each with its fraction of
/// the resistance and of the voltage, approximate such a sheet in steps. With all gaps driven alike, S₁₁ of the series
/// is the sum of their scattering matrix divided by their number.
const GAPS: usize = 3;

/// Compares a helical antenna at several frequencies, the last that of the pattern, with the EFIE on the same triangles
/// of wire, plate, and feed.
fn helix_metrics(run: &ExampleRun, frequencies: &[f64]) -> Result<Metrics, Error> {
    let spec = spec(run)?;
    let [body] = spec.bodies.as_slice() else {
        return Err(missing("body"));
    };
    let Geometry::Helix(helix) = body.geometry else {
        return Err(missing("helix"));
    };
    let domain = spec.dgtd.domain.ok_or_else(|| missing("domain"))?;
    let port = match &spec.excitation {
        Excitation::Ports(ports) => match ports.ports.as_slice() {
            [Port::Lumped(port)] => port.reference_impedance,
            _ => return Err(missing("lumped port")),
        },
        _ => return Err(missing("port")),
    };
    let highest = (spec.frequency.values().ok())
        .and_then(|all| all.iter().map(|f| f.0).reduce(f64::max))
        .ok_or_else(|| missing("frequency"))?;
    let wavelength = Frequency(highest).wavelength();
    let antenna = helix.antenna(wavelength, domain.mesh_size_on(body).meters(wavelength));
    let failed = |error: &dyn std::fmt::Display| Error::runtime(error.to_string());
    let surfaces = helix_antenna(&antenna).map_err(|error| failed(&error))?;
    let mut mesh = surfaces.wire;
    mesh.append(&surfaces.sheet);
    mesh.weld(1e-6 * antenna.gap)
        .map_err(|error| failed(&error))?;
    let width = helix.width.meters(wavelength);
    let gaps = (0..GAPS).map(|gap| {
        let height = antenna.gap * (gap as f64 + 0.5) / GAPS as f64;
        Port::DeltaGap(DeltaGap {
            position: [antenna.radius, 0.0, height].map(Length::Meters),
            direction: [0.0, 0.0, 1.0],
            radius: Length::Meters(0.55 * width),
            reference_impedance: port / GAPS as f64,
        })
    });
    let asked = mom3d::Spec::new(
        Sweep::List(frequencies.iter().map(|&f| Frequency(f)).collect()),
        Body::pec(Geometry::mesh("helix", MeshUnit::Meter)),
        Excitation::ports(gaps.collect()),
        spec.observation.clone(),
    );
    let reference = mom3d::Plan::new(&asked, Some(mesh))?.execute(&Silent)?;
    let (Some(network), Some(radiation)) = (&reference.network, &reference.radiation) else {
        return Err(missing("network"));
    };
    let outcome = &run.outcome;
    let all = column(outcome, "network/frequency")?;
    let reflections = (outcome.array("network/s11"))
        .and_then(|array| array.as_complex())
        .ok_or_else(|| missing("column `network/s11`"))?;
    let mut metrics = Metrics::new();
    let (mut sum, mut worst) = (0.0, Worst::default());
    for (f, s) in frequencies
        .iter()
        .zip(network.parameters.chunks(GAPS * GAPS))
    {
        let reference = s.iter().sum::<Complex64>() / GAPS as f64;
        let at = all.iter().position(|g| (g / f - 1.0).abs() < 1e-9);
        let found = at.map_or(Complex64::new(f64::NAN, 0.0), |at| reflections[at]);
        let apart = (found - reference).norm();
        sum += apart;
        worst.see(apart);
        let ghz = 1e-9 * f;
        let impedance = |s: Complex64| port * (1.0 + s) / (1.0 - s);
        for (name, s) in [("dgtd", found), ("mom", reference)] {
            metrics.insert(format!("s11_{name}_{ghz:.0}ghz_db"), power_db(s.norm_sqr()));
            metrics.insert(format!("resistance_{name}_{ghz:.0}ghz"), impedance(s).re);
            metrics.insert(format!("reactance_{name}_{ghz:.0}ghz"), impedance(s).im);
        }
    }
    metrics.insert(
        "s11_error_mean".to_owned(),
        Worst::of([sum / frequencies.len() as f64]),
    );
    metrics.insert("s11_error_max".to_owned(), worst.value());
    let count = radiation.directions.len();
    let last = frequencies.len() - 1;
    let pattern: Vec<f64> = (radiation.fields[last * count..].iter())
        .map(|field| power_db(field.directivity(radiation.power[last], VACUUM_IMPEDANCE)))
        .collect();
    let found = column(outcome, "pattern/directivity")?;
    if found.len() != pattern.len() {
        return Err(missing("direction of the reference"));
    }
    compare(&mut metrics, "directivity", found, &pattern);
    let theta = column(outcome, "pattern/theta")?;
    let axis = theta.iter().position(|theta| *theta == 0.0);
    let on_axis = |values: &[f64]| axis.map_or(f64::NAN, |at| values[at]);
    metrics.insert("directivity_axis_dgtd_dbi".to_owned(), on_axis(found));
    metrics.insert("directivity_axis_mom_dbi".to_owned(), on_axis(&pattern));
    metrics.insert("mom_unknowns".to_owned(), reference.unknowns as f64);
    Ok(metrics)
}

/// Compares the helix of the gallery. Its turns have a circumference of about a wavelength at 9 GHz: axial mode.
pub(super) fn helix(run: &ExampleRun) -> Result<Measured, Error> {
    let mut metrics = helix_metrics(run, &[5e9, 7e9, 11e9, 13e9, 15e9, 9e9])?;
    let outcome = &run.outcome;
    let largest = |values: &[f64]| values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    metrics.extend([
        // |S₁₁| ≤ 1 for a passive antenna.
        (
            "s11_largest_db".to_owned(),
            largest(column(outcome, "network/s11_db")?),
        ),
        (
            "directivity_9ghz_dbi".to_owned(),
            largest(column(outcome, "pattern/directivity")?),
        ),
        ("run_seconds".to_owned(), run.seconds),
    ]);
    Ok(metrics.into())
}

/// Reduced forms of both cases: same bodies and references, electrically smaller.
#[cfg(test)]
mod tests {
    use wavefield_dgtd::{DgtdSolver, Spec};
    use wavefield_physics::quantity::Angle;
    use wavefield_solver::AnySpec;
    use wavefield_solver::scene::{Directions, Observation};

    use super::super::super::built_in;
    use super::*;

    /// Returns the example with some values of its problem changed.
    fn reduced(name: &str, change: impl FnOnce(&mut Spec)) -> ExampleRun {
        let example = built_in(name).unwrap();
        let run = ExampleRun::changed(example, |problem| {
            let mut spec = problem.spec.downcast::<Spec>().unwrap().clone();
            change(&mut spec);
            problem.spec = AnySpec::new(&DgtdSolver, spec);
        });
        run.unwrap()
    }

    fn millimeters(length: f64) -> Length {
        Length::Meters(length / 1e3)
    }

    /// Returns directions on great circles with a step of a few degrees.
    fn directions(observation: &mut Option<Observation>, step: f64) {
        let (Some(Observation::Bistatic(Directions { theta, .. }))
        | Some(Observation::FarField(Directions { theta, .. }))) = observation
        else {
            panic!("no directions");
        };
        let Sweep::Range(range) = theta else {
            panic!("no range");
        };
        range.step = Some(Angle::from_degrees(step));
    }

    #[test]
    fn a_small_almond_agrees_with_the_method_of_moments() {
        let run = reduced("dgtd/almond", |spec| {
            spec.frequency = Frequency(250e6).into();
            spec.bodies[0].mesh_size = Some(millimeters(200.0));
            directions(&mut spec.observation, 5.0);
            let settings = &mut spec.dgtd;
            settings.order = 2;
            settings.surface_currents = false;
            settings.stop.energy_decay = 1e-3;
            let domain = settings.domain.as_mut().unwrap();
            domain.mesh_size = millimeters(300.0);
            domain.huygens_margin = millimeters(100.0);
            domain.pml_gap = millimeters(100.0);
            domain.pml_thickness = millimeters(450.0);
            domain.pml_mesh_size = Some(millimeters(450.0));
        });
        // 0.142 and 0.062 dB.
        let metrics = almond_metrics(&run).unwrap();
        assert!(metrics["rcs_phi_0_mean_20db"] < 0.18, "{metrics:?}");
        assert!(metrics["rcs_phi_90_mean_20db"] < 0.1, "{metrics:?}");
    }

    #[test]
    fn a_helix_of_one_turn_agrees_with_the_method_of_moments() {
        let run = reduced("dgtd/helix", |spec| {
            let gigahertz = |f: f64| Frequency(1e9 * f);
            spec.frequency = Sweep::by_step(gigahertz(5.0), gigahertz(9.0), gigahertz(2.0));
            directions(&mut spec.observation, 10.0);
            let body = &mut spec.bodies[0];
            body.mesh_size = Some(millimeters(3.0));
            let Geometry::Helix(helix) = &mut body.geometry else {
                panic!("no helix");
            };
            helix.turns = 1.0;
            helix.ground_mesh_size = millimeters(5.0);
            let settings = &mut spec.dgtd;
            settings.surface_currents = false;
            settings.stop.energy_decay = 1e-3;
            let domain = settings.domain.as_mut().unwrap();
            domain.mesh_size = millimeters(9.0);
            domain.pml_mesh_size = Some(millimeters(11.0));
        });
        // 0.132 and 0.53 dB with edges of 2.5 mm on the wire; with order 3, 0.083 and 0.35 dB.
        let metrics = helix_metrics(&run, &[5e9, 9e9]).unwrap();
        assert!(metrics["s11_error_max"] < 0.165, "{metrics:?}");
        assert!(metrics["directivity_mean_20db"] < 0.65, "{metrics:?}");
    }
}
