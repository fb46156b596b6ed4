//! DGTD compared with cavity and waveguide modes, plane waves, Hertzian dipoles, exact series, and other solvers.

mod against_mom;
mod bodies;
mod machines;
mod thin_layer;

use std::f64::consts::PI;

use num_complex::Complex64;
use wavefield_dgtd::reference::State;
use wavefield_dgtd::{
    Discretization, End, Fields, HuygensSurface, IncidentWave, NearToFarField, PhysicalGroups,
    PmlShape, Precision, Probe, Pulse, Simulation, Source, engine, stable_step,
};
use wavefield_mesh::TetrahedralMesh;
use wavefield_mesh::primitive::{open_tetrahedral_box, tetrahedral_box};
use wavefield_numerics::observe::Silent;
use wavefield_numerics::vector::dot;
use wavefield_physics::constants::SPEED_OF_LIGHT;
use wavefield_physics::direction::Direction;
use wavefield_physics::exact::hertzian_dipole;

use super::{austin, of_example};
use crate::measure::{Case, Limit, Measured, Metrics};
use wavefield::Error;
use wavefield::numerics::worst::Worst;

pub(super) fn cases() -> Result<Vec<Case>, Error> {
    Ok(vec![
        of_example(
            "dgtd/almond",
            "bistatic RCS of an almond of eight wavelengths under incidence from above: both principal planes compared with the method of moments, forward scattering with 4πA²/λ²",
            against_mom::almond,
        )?,
        Case::new(
            "dgtd/austin-almond",
            "monostatic RCS of the NASA almond, 9.936 inches, 3.5 GHz, compared with set IIIA of the Austin suite at five aspects, within 20 dB of the peak",
            || austin::with_data(bodies::austin_almond),
        )
        .limits([("error_db", Limit::AtMost(1.0))]),
        Case::new(
            "dgtd/cavity",
            "mode of a PEC cavity: convergence order for polynomial orders 1 to 6, energy growth, single precision",
            cavity,
        )
        .limits((1..=6).map(|order| {
            (format!("order_{order}"), Limit::AtLeast(f64::from(order) + 0.8))
        }))
        .limits([
            ("energy_growth", Limit::AtMost(1e-13)),
            ("single_precision", Limit::AtMost(1e-4)),
        ]),
        Case::new(
            "dgtd/dipole",
            "far field of a Hertzian dipole by the near-to-far-field transformation compared with the closed form, amplitude and phase",
            dipole,
        )
        .limits([("error", Limit::AtMost(0.01))]),
        Case::new(
            "dgtd/gpu",
            "fields after 200 steps on the GPU compared with the reference implementation, orders 1 to 5",
            machines::gpu,
        )
        .limits([("error", Limit::AtMost(1e-4))]),
        of_example(
            "dgtd/helix",
            "helical antenna above a ground plate: S11 from 5 to 15 GHz and directivity at 9 GHz compared with the method of moments",
            against_mom::helix,
        )?,
        Case::new(
            "dgtd/mie-dielectric",
            "bistatic RCS of a dielectric sphere, 300 mm, relative permittivity 4, 900 MHz, compared with the Mie series outside nulls, and run time",
            bodies::dielectric_sphere,
        )
        .limits([("error_db", Limit::AtMost(0.5))])
        .time_limits([("run_seconds", Limit::AtMost(782.0))]),
        Case::new(
            "dgtd/mie-pec",
            "bistatic RCS of a PEC sphere, 300 mm, 900 MHz, compared with the Mie series outside nulls, and run time",
            bodies::conducting_sphere,
        )
        .limits([("error_db", Limit::AtMost(0.5))])
        .time_limits([("run_seconds", Limit::AtMost(782.0))]),
        Case::new(
            "dgtd/pml",
            "PML reflection, relative to a PML at three times the distance, and late-time energy",
            layer,
        )
        .limits([
            ("reflection_db", Limit::AtMost(-50.0)),
            ("energy_growth", Limit::AtMost(1e-10)),
        ]),
        Case::new(
            "dgtd/resume",
            "run interrupted at ten random steps and resumed from its checkpoint, bitwise compared with an uninterrupted run",
            machines::resume,
        )
        .limits([
            ("differing_bits", Limit::AtMost(0.0)),
            ("stops", Limit::AtLeast(2.0 * machines::STOPS as f64)),
        ]),
        Case::new(
            "dgtd/tfsf",
            "leakage of the total-field/scattered-field boundary around empty space, orders 2 to 5",
            leakage,
        )
        .limits([
            ("leakage_db", Limit::AtMost(-60.0)),
            ("rises_with_order", Limit::AtMost(0.0)),
        ]),
        Case::new(
            "dgtd/thin-layer",
            "stability on flat elements: random fields in one layer of cells of 30 x 30 x 1 mm do not grow in 100000 default time steps, orders 1 to 8",
            thin_layer::thin_layer,
        )
        // A time step 1 % above the stability limit amplifies fields by 1e40 and more in a run.
        .limits([("energy_growth", Limit::AtMost(1e-4))]),
        Case::new(
            "dgtd/waveguide",
            "propagation constant of the TE10 mode of a rectangular waveguide",
            waveguide,
        )
        .limits([("beta_error", Limit::AtMost(1e-4))]),
    ])
}

/// Returns a vacuum lattice with PEC walls.
fn discretized(mesh: &TetrahedralMesh, order: usize) -> Result<Discretization, Error> {
    Ok(Discretization::new(
        mesh,
        order,
        &PhysicalGroups::vacuum(mesh),
    )?)
}

fn huygens(mesh: &TetrahedralMesh, d: &Discretization) -> Result<HuygensSurface, Error> {
    let number = mesh
        .surface_groups
        .iter()
        .position(|group| group.name == "huygens");
    let number =
        number.ok_or_else(|| Error::runtime("the box has no Huygens surface".to_owned()))?;
    Ok(HuygensSurface::new(d, number as u32, "huygens")?)
}

/// Returns a lattice mesh, which cannot fail for the sizes used here.
fn made<E: std::fmt::Display>(mesh: Result<TetrahedralMesh, E>) -> Result<TetrahedralMesh, Error> {
    mesh.map_err(|error| Error::runtime(error.to_string()))
}

/// Returns the largest increase of energy from one sample to a later one, relative to the peak energy.
fn growth(energies: &[[f64; 2]], from: f64) -> f64 {
    let mut least = f64::INFINITY;
    let mut rise: f64 = 0.0;
    let peak = energies.iter().map(|e| e[1]).fold(0.0, f64::max);
    for &[_, energy] in energies.iter().filter(|e| e[0] >= from) {
        rise = rise.max(energy - least);
        least = least.min(energy);
    }
    rise / peak
}

/// TM mode of a unit cube around the origin (c = 1): E_z = cos πx cos πy cos ωt.
fn mode(point: [f64; 3], time: f64) -> Fields {
    let omega = 2f64.sqrt() * PI;
    let [(sx, cx), (sy, cy)] = [point[0], point[1]].map(|x| (PI * x).sin_cos());
    let (s, c) = (omega * time).sin_cos();
    let factor = PI / omega * s;
    [
        [0.0, 0.0, cx * cy * c],
        [factor * cx * sy, -factor * sx * cy, 0.0],
    ]
}

/// Returns the rms error of a mode after a time, and the growth of its energy.
fn mode_error(order: usize, cells: u32, precision: Precision) -> Result<(f64, f64, State), Error> {
    let mesh = made(tetrahedral_box([1.0; 3], [cells; 3], [0; 3]))?;
    let d = discretized(&mesh, order)?;
    // Time stepping must be more accurate than the spatial discretization, so that its order shows.
    let steps = (1.0 / (0.4 * stable_step(&d))).ceil();
    let mut run = Simulation::new(&d, engine(&d, precision), 1.0 / steps);
    run.engine.set(&State::from_fn(&d, |p| mode(p, 0.0)));
    run.run(
        End {
            decay: 0.0,
            time: 1.0 - 0.5 / steps,
        },
        &Silent,
    )?;
    let found = run.engine.state();
    let mut difference = State::from_fn(&d, |p| mode(p, 1.0));
    let whole = wavefield_dgtd::reference::energy(&d, &difference);
    for (exact, found) in difference.fields.iter_mut().zip(&found.fields) {
        for kind in 0..2 {
            for c in 0..3 {
                exact[kind][c] -= found[kind][c];
            }
        }
    }
    let error = (wavefield_dgtd::reference::energy(&d, &difference) / whole).sqrt();
    Ok((error, growth(&run.energies, 0.0), found))
}

fn cavity() -> Result<Measured, Error> {
    let mut metrics = Metrics::new();
    let mut rise: f64 = 0.0;
    for (order, coarse, fine) in [
        (1, 8, 16),
        (2, 4, 8),
        (3, 4, 8),
        (4, 3, 6),
        (5, 2, 4),
        (6, 2, 4),
    ] {
        let (a, growth_a, _) = mode_error(order, coarse, Precision::Double)?;
        let (b, growth_b, _) = mode_error(order, fine, Precision::Double)?;
        let name = format!("order_{order}");
        let observed = (a / b).ln() / (f64::from(fine) / f64::from(coarse)).ln();
        metrics.insert(name, observed);
        rise = rise.max(growth_a).max(growth_b);
    }
    metrics.insert("energy_growth".to_owned(), rise);
    let mut apart = Worst::default();
    for order in 1..=6 {
        let single = mode_error(order, 3, Precision::Single)?.2;
        let double = mode_error(order, 3, Precision::Double)?.2;
        for (a, b) in single.fields.iter().zip(&double.fields) {
            for kind in 0..2 {
                for c in 0..3 {
                    apart.see((a[kind][c] - b[kind][c]).abs());
                }
            }
        }
    }
    metrics.insert("single_precision".to_owned(), apart.value());
    Ok(metrics.into())
}

/// Bandwidth of the pulses in open space, rad/m: 95 to 477 MHz.
const BAND: (f64, f64) = (2.0, 10.0);

fn pulse() -> Pulse {
    Pulse::of_band(BAND.0, BAND.1, 0.1)
}

/// Direction of incidence that is not aligned with any axis or face of a lattice.
fn oblique_wave() -> IncidentWave {
    let from = Direction::from_degrees(60.0, 40.0);
    IncidentWave {
        from,
        polarization: from.theta_hat(),
    }
}

fn leakage() -> Result<Measured, Error> {
    let mut metrics = Metrics::new();
    let mesh = made(open_tetrahedral_box([1.0; 3], [6; 3], 1, 1))?;
    let mut last = f64::INFINITY;
    let mut falls = true;
    for order in 2..=5 {
        let d = discretized(&mesh, order)?;
        let surface = huygens(&mesh, &d)?;
        let mut run = Simulation::new(&d, engine(&d, Precision::Double), 0.9 * stable_step(&d));
        run.drive(Source::plane_wave(&d, &surface, oblique_wave(), pulse()));
        let watched = NearToFarField::new(&d, &surface, &[]).watched().to_vec();
        let mut fields = Vec::new();
        let mut worst: f64 = 0.0;
        while run.time() < pulse().duration() + 1.0 {
            run.step();
            run.engine.fields_at(&watched, &mut fields);
            let strongest = |f: &Fields| dot(f[0], f[0]);
            worst = worst.max(fields.iter().map(strongest).fold(0.0, f64::max));
        }
        let leakage = 10.0 * worst.log10();
        metrics.insert(format!("leakage_db_{order}"), leakage);
        falls &= leakage < last;
        last = leakage;
    }
    metrics.insert("leakage_db".to_owned(), last);
    metrics.insert("rises_with_order".to_owned(), if falls { 0.0 } else { 1.0 });
    Ok(metrics.into())
}

fn dipole() -> Result<Measured, Error> {
    let mesh = made(open_tetrahedral_box([1.5; 3], [10; 3], 3, 1))?;
    let d = discretized(&mesh, 4)?;
    let surface = huygens(&mesh, &d)?;
    let place = [0.031, 0.02, 0.04];
    let wavenumbers = [4.0, 6.0, 8.0];
    let mut run = Simulation::new(&d, engine(&d, Precision::Single), 0.9 * stable_step(&d));
    run.drive(Source::dipole(&d, place, [0.0, 0.0, 1.0], pulse())?);
    run.transform = Some(NearToFarField::new(&d, &surface, &wavenumbers));
    let end = End {
        decay: 0.0,
        time: pulse().duration() + 3.0,
    };
    run.run(end, &Silent)?;
    let transform =
        (run.transform.take()).ok_or_else(|| Error::runtime("no far field".to_owned()))?;
    let mut worst = Worst::default();
    for (number, k) in wavenumbers.into_iter().enumerate() {
        let frequency = k * SPEED_OF_LIGHT / (2.0 * PI);
        let moment = pulse().spectrum(k);
        let hertz = |theta: f64| {
            hertzian_dipole::far_field(moment, frequency, theta)
                .map_err(|error| Error::runtime(error.to_string()))
        };
        let broadside = hertz(PI / 2.0)?.theta.norm();
        for theta in (0..=18).map(|step| 10.0 * f64::from(step)) {
            for phi in [0.0, 70.0, 200.0] {
                let to = Direction::from_degrees(theta, phi);
                let found = transform.far_field(number, &[to])[0];
                let exact = hertz(to.theta)?;
                let shift = Complex64::from_polar(1.0, k * dot(to.unit(), place));
                worst.see((found.theta - exact.theta * shift).norm() / broadside);
                worst.see(found.phi.norm() / broadside);
            }
        }
    }
    Ok([("error", worst.value())].into())
}

/// Samples recorded in a run.
struct Records {
    /// Fields at each probe versus time.
    fields: Vec<Vec<Fields>>,
    /// Time and energy.
    energies: Vec<[f64; 2]>,
}

/// Returns E at some probes versus time, from a dipole in a box of `cells` cells with edges of 1/6 m, including a PML
/// of three cells.
fn records(cells: u32, time: f64, points: &[[f64; 3]]) -> Result<Records, Error> {
    let size = f64::from(cells) / 6.0;
    let mesh = made(tetrahedral_box([size; 3], [cells; 3], [3; 3]))?;
    let d = discretized(&mesh, 3)?;
    let mut run = Simulation::new(&d, engine(&d, Precision::Single), 0.9 * stable_step(&d));
    let (place, moment) = ([0.01, 0.02, 0.03], [0.3, 0.0, 1.0]);
    run.drive(Source::dipole(&d, place, moment, dying_pulse())?);
    for &point in points {
        run.probes.push(Probe::new(&d, point)?);
    }
    run.run(End { decay: 0.0, time }, &Silent)?;
    Ok(Records {
        fields: run.probes.into_iter().map(|probe| probe.record).collect(),
        energies: run.energies,
    })
}

/// Pulse of 191 to 477 MHz with almost no net charge: a current with a mean leaves a static field.
fn dying_pulse() -> Pulse {
    Pulse::of_band(4.0, BAND.1, 0.1)
}

fn layer() -> Result<Measured, Error> {
    let points = [[0.2, 0.05, 0.1], [-0.1, 0.22, -0.15], [0.21, 0.2, 0.2]];
    let duration = dying_pulse().duration();
    let small = records(9, 21.0 * duration, &points)?;
    let large = records(15, duration, &points)?;
    let mut back: f64 = 0.0;
    let mut peak: f64 = 0.0;
    for (small, large) in small.fields.iter().zip(&large.fields) {
        for (a, b) in small.iter().zip(large) {
            for c in 0..3 {
                back = back.max((a[0][c] - b[0][c]).abs());
                peak = peak.max(b[0][c].abs());
            }
        }
    }
    Ok([
        ("reflection_db", 20.0 * (back / peak).log10()),
        ("energy_growth", growth(&small.energies, duration)),
    ]
    .into())
}

fn waveguide() -> Result<Measured, Error> {
    // A waveguide of 1 m × 0.5 m with cutoff k = π, operated at k = 4.5 to 5.5; TE30 has cutoff 3π.
    let mesh = made(tetrahedral_box([1.0, 0.5, 8.0], [4, 2, 32], [0, 0, 6]))?;
    let physical_groups = PhysicalGroups {
        layer: PmlShape {
            reflection: 1e-3,
            ..PmlShape::default()
        },
        ..PhysicalGroups::vacuum(&mesh)
    };
    let d = Discretization::new(&mesh, 4, &physical_groups)?;
    let mut run = Simulation::new(&d, engine(&d, Precision::Double), 0.9 * stable_step(&d));
    let pulse = Pulse::of_band(4.2, 5.8, 0.1);
    run.drive(Source::dipole(
        &d,
        [0.0, 0.0, -2.0],
        [0.0, 1.0, 0.0],
        pulse,
    )?);
    let (middle, step) = (0.8, 0.45);
    for z in [middle - step, middle, middle + step] {
        run.probes.push(Probe::new(&d, [0.0, 0.0, z])?);
    }
    run.run(
        End {
            decay: 1e-8,
            time: pulse.duration() + 80.0,
        },
        &Silent,
    )?;
    let mut worst = Worst::default();
    for k in [4.5, 5.0, 5.5] {
        let at = |probe: usize| -> Complex64 {
            let record = run.probes[probe].record.iter().enumerate();
            record
                .map(|(n, f)| f[0][1] * Complex64::from_polar(1.0, -k * (n + 1) as f64 * run.dt))
                .sum()
        };
        // Waves in both directions satisfy V(z−s) + V(z+s) = 2 cos βs V(z).
        let cosine = ((at(0) + at(2)) / (2.0 * at(1))).re;
        let found = cosine.acos() / step;
        let exact = (k * k - PI * PI).sqrt();
        worst.see((found / exact - 1.0).abs());
    }
    Ok([("beta_error", worst.value())].into())
}
