//! Special functions and analytical solutions compared with tables computed with 60 digits by
//! `tests/reference/generate.py`, which shares no code with this crate.
//!
//! Tolerance: 1e-13, the specified accuracy of the crate, relative to the envelope of the function
//! (for a wave its amplitude, not its value at a zero). Where rounding of the input limits the
//! result, its effect is added and stated.

use num_complex::Complex64;
use wavefield_numerics::special::{
    CylinderFunctions, MieAngular, RiccatiFunctions, bessel_j_sequence, hankel2_sequence,
    legendre_p,
};
use wavefield_numerics::vector::norm;
use wavefield_physics::constants::{SPEED_OF_LIGHT, VACUUM_IMPEDANCE};
use wavefield_physics::direction::Direction;
use wavefield_physics::exact::cylinder::{CylinderSeries, Polarization};
use wavefield_physics::exact::piston::Piston;
use wavefield_physics::exact::plate::PlateMode;
use wavefield_physics::exact::sphere::{Core, Layer, MieSeries, Sphere};
use wavefield_physics::exact::{half_plane, hertzian_dipole, sound};
use wavefield_physics::medium::{Fluid, Medium};

const PROMISE: f64 = 1e-13;

struct Table {
    columns: Vec<String>,
    rows: Vec<Vec<String>>,
}

struct Row<'a>(&'a Table, &'a [String]);

impl Table {
    fn read(name: &str) -> Table {
        let path = format!("{}/tests/reference/{name}.csv", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{path}: {e}"));
        let split = |line: &str| {
            line.split(',')
                .map(|cell| cell.trim().to_owned())
                .collect::<Vec<_>>()
        };
        let mut lines = text.lines();
        let columns = split(lines.next().expect("a header"));
        let rows: Vec<_> = lines.map(split).collect();
        assert!(rows.len() >= 10, "{name} has only {} rows", rows.len());
        Table { columns, rows }
    }

    fn rows(&self) -> impl Iterator<Item = Row<'_>> {
        self.rows.iter().map(|row| Row(self, row))
    }
}

impl Row<'_> {
    fn text(&self, column: &str) -> &str {
        let index = self.0.columns.iter().position(|c| c == column);
        &self.1[index.unwrap_or_else(|| panic!("no column {column}"))]
    }

    fn real(&self, column: &str) -> f64 {
        self.text(column)
            .parse()
            .unwrap_or_else(|_| panic!("{column}: {:?}", self.1))
    }

    fn order(&self, column: &str) -> usize {
        self.text(column)
            .parse()
            .unwrap_or_else(|_| panic!("{column}: {:?}", self.1))
    }

    fn complex(&self, column: &str) -> Complex64 {
        Complex64::new(
            self.real(&format!("{column}_re")),
            self.real(&format!("{column}_im")),
        )
    }
}

/// Collects the largest ratio of error to tolerance, and fails once with all violations.
#[derive(Default)]
struct Verdict {
    worst: f64,
    offenders: Vec<String>,
}

impl Verdict {
    fn hold(&mut self, what: &str, got: Complex64, want: Complex64, allowance: f64, row: &Row<'_>) {
        let ratio = (got - want).norm() / allowance;
        if ratio.is_nan() || ratio > 1.0 {
            self.offenders.push(format!(
                "{what}: got {got}, want {want}, {ratio:.1} × allowed at {:?}",
                row.1
            ));
        }
        self.worst = self.worst.max(ratio);
    }

    fn check(self) {
        assert!(
            self.offenders.is_empty(),
            "{} offenders\n{}",
            self.offenders.len(),
            self.offenders.join("\n")
        );
        println!("worst error / allowance {:.3}", self.worst);
    }
}

fn real(value: f64) -> Complex64 {
    Complex64::new(value, 0.0)
}

#[test]
fn bessel_functions_of_real_argument() {
    let mut verdict = Verdict::default();
    for row in Table::read("bessel_real").rows() {
        let (n, x) = (row.order("n"), row.real("x"));
        let functions = CylinderFunctions::new(n, x).unwrap();
        let (j, y, dj, dy) = (row.real("j"), row.real("y"), row.real("dj"), row.real("dy"));
        // Below the turning point J and Y oscillate with the common amplitude √(J² + Y²); above it
        // each is compared with its own magnitude.
        let oscillating = x > n as f64;
        let envelope = |a: f64, b: f64| if oscillating { a.hypot(b) } else { a.abs() };
        verdict.hold(
            "J",
            real(functions.j(n)),
            real(j),
            PROMISE * envelope(j, y),
            &row,
        );
        verdict.hold(
            "Y",
            real(functions.y(n)),
            real(y),
            PROMISE * envelope(y, j),
            &row,
        );
        verdict.hold(
            "J'",
            real(functions.j_prime(n)),
            real(dj),
            PROMISE * envelope(dj, dy),
            &row,
        );
        verdict.hold(
            "Y'",
            real(functions.y_prime(n)),
            real(dy),
            PROMISE * envelope(dy, dj),
            &row,
        );
    }
    verdict.check();
}

#[test]
fn bessel_functions_of_complex_argument() {
    let mut verdict = Verdict::default();
    for row in Table::read("bessel_complex").rows() {
        let (n, z) = (row.order("n"), row.complex("z"));
        let j = bessel_j_sequence(n, z).unwrap()[n];
        let h = hankel2_sequence(n, z).unwrap()[n];
        let (wj, wh) = (row.complex("j"), row.complex("h2"));
        // Near the real axis J oscillates with the envelope |H|.
        let envelope = if n as f64 <= z.norm() && z.im.abs() < 1.0 {
            wj.norm().max(wh.norm())
        } else {
            wj.norm()
        };
        verdict.hold("J", j, wj, PROMISE * envelope, &row);
        verdict.hold("H", h, wh, PROMISE * wh.norm(), &row);
    }
    verdict.check();
}

#[test]
fn riccati_bessel_functions_of_real_argument() {
    let mut verdict = Verdict::default();
    for row in Table::read("spherical_bessel").rows() {
        let (n, x) = (row.order("n"), row.real("x"));
        let functions = RiccatiFunctions::new(n, real(x)).unwrap();
        let (psi, xi) = (row.real("psi"), row.complex("xi"));
        let envelope = |value: f64, other: f64| if x > n as f64 { other } else { value.abs() };
        verdict.hold(
            "psi",
            functions.psi(n).value(),
            real(psi),
            PROMISE * envelope(psi, xi.norm()),
            &row,
        );
        verdict.hold(
            "zeta",
            functions.zeta(n).value(),
            xi,
            PROMISE * xi.norm(),
            &row,
        );
        if n >= 1 {
            let (dpsi, dxi) = (row.real("dpsi"), row.complex("dxi"));
            verdict.hold(
                "psi'",
                functions.psi_prime(n).value(),
                real(dpsi),
                PROMISE * envelope(dpsi, dxi.norm()),
                &row,
            );
            verdict.hold(
                "zeta'",
                functions.zeta_prime(n).value(),
                dxi,
                PROMISE * dxi.norm(),
                &row,
            );
        }
    }
    verdict.check();
}

#[test]
fn riccati_bessel_functions_of_complex_argument() {
    let mut verdict = Verdict::default();
    for row in Table::read("spherical_bessel_complex").rows() {
        let (n, z) = (row.order("n"), row.complex("z"));
        if z.im > 0.0 {
            // Active media are errors.
            assert!(RiccatiFunctions::new(n, z).is_err());
            continue;
        }
        let functions = RiccatiFunctions::new(n, z).unwrap();
        let (psi, zeta) = (row.complex("j") * z, row.complex("h2") * z);
        let oscillating = n as f64 <= z.norm() && z.im.abs() < 1.0;
        let envelope = |a: Complex64, b: Complex64| {
            if oscillating {
                a.norm().max(b.norm())
            } else {
                a.norm()
            }
        };
        verdict.hold(
            "psi",
            functions.psi(n).value(),
            psi,
            PROMISE * envelope(psi, zeta),
            &row,
        );
        verdict.hold(
            "zeta",
            functions.zeta(n).value(),
            zeta,
            PROMISE * zeta.norm(),
            &row,
        );
        if n >= 1 {
            let (dpsi, dxi) = (row.complex("dpsi"), row.complex("dxi"));
            verdict.hold(
                "psi'",
                functions.psi_prime(n).value(),
                dpsi,
                PROMISE * envelope(dpsi, dxi),
                &row,
            );
            verdict.hold(
                "zeta'",
                functions.zeta_prime(n).value(),
                dxi,
                PROMISE * dxi.norm(),
                &row,
            );
        }
    }
    verdict.check();
}

#[test]
fn legendre_and_mie_angular_functions() {
    let mut verdict = Verdict::default();
    for row in Table::read("legendre").rows() {
        let (n, x) = (row.order("n"), row.real("x"));
        // Envelopes: |P| ≤ 1, |π| ≤ n(n+1)/2, |τ| ≤ n(n+1)/2, reached on the axis.
        verdict.hold(
            "P",
            real(legendre_p(n, x)),
            real(row.real("p_x")),
            PROMISE,
            &row,
        );
        if n == 0 {
            continue;
        }
        let (pi, tau) = MieAngular::new(row.real("theta_rad")).nth(n - 1).unwrap();
        let size = n as f64;
        verdict.hold(
            "pi",
            real(pi),
            real(row.real("pi_theta")),
            PROMISE * size * (size + 1.0) / 2.0,
            &row,
        );
        verdict.hold(
            "tau",
            real(tau),
            real(row.real("tau_theta")),
            PROMISE * size * (size + 1.0) / 2.0,
            &row,
        );
    }
    verdict.check();
}

fn medium(row: &Row<'_>, prefix: &str) -> Medium {
    Medium {
        permittivity: row.complex(&format!("{prefix}eps")),
        permeability: row.complex(&format!("{prefix}mu")),
    }
}

/// Compares both principal planes of a sphere illuminated along +z with E along x.
fn hold_sphere(verdict: &mut Verdict, row: &Row<'_>, sphere: &Sphere) {
    let k = row.real("k");
    let series = MieSeries::new(sphere, k * SPEED_OF_LIGHT / (2.0 * std::f64::consts::PI)).unwrap();
    // A wave that propagates along +z is incident from θ = 180°, where x̂ is −V.
    let from = Direction::from_degrees(180.0, 0.0);
    let theta = row.real("theta_deg");
    let scale = (4.0 * std::f64::consts::PI).sqrt();
    let e_plane = -series
        .scattering(from, Direction::from_degrees(theta, 0.0))
        .vv
        / scale;
    let h_plane = -series
        .scattering(from, Direction::from_degrees(theta, 90.0))
        .hv
        / scale;
    // The envelope of the pattern is the root of the mean intensity over all directions. The phase
    // kr of a sphere of size ka is known only to ka rounding errors of k.
    let envelope = (series.total_scattering() / (4.0 * std::f64::consts::PI)).sqrt();
    let forward = (series.amplitudes(0.0).0 / k).norm();
    let ka = k * sphere.outer_radius();
    let allowance = PROMISE * envelope.max(forward * 0.1) * (1.0 + 0.01 * ka);
    verdict.hold("F_theta", e_plane, row.complex("f_theta"), allowance, row);
    verdict.hold("F_phi", h_plane, row.complex("f_phi"), allowance, row);
}

#[test]
fn pec_sphere() {
    let mut verdict = Verdict::default();
    for row in Table::read("sphere_pec").rows() {
        hold_sphere(&mut verdict, &row, &Sphere::pec(row.real("a")));
    }
    verdict.check();
}

#[test]
fn dielectric_sphere() {
    let mut verdict = Verdict::default();
    for row in Table::read("sphere_dielectric").rows() {
        hold_sphere(
            &mut verdict,
            &row,
            &Sphere::dielectric(row.real("a"), medium(&row, "")),
        );
    }
    verdict.check();
}

#[test]
fn coated_sphere() {
    let mut verdict = Verdict::default();
    for row in Table::read("sphere_coated").rows() {
        let core = match row.text("core") {
            "pec" => Core::Pec,
            _ => Core::Medium(medium(&row, "core_")),
        };
        let sphere = Sphere {
            core_radius: row.real("b"),
            core,
            coatings: vec![Layer {
                outer_radius: row.real("a"),
                medium: medium(&row, "coat_"),
            }],
        };
        hold_sphere(&mut verdict, &row, &sphere);
    }
    verdict.check();
}

fn cylinder(row: &Row<'_>, material: &Core, polarization: Polarization) -> CylinderSeries {
    let frequency = SPEED_OF_LIGHT / (2.0 * std::f64::consts::PI);
    CylinderSeries::new(row.real("ka"), material, polarization, 0.0, frequency).unwrap()
}

#[test]
fn pec_cylinder() {
    let mut verdict = Verdict::default();
    for row in Table::read("cylinder_pec").rows() {
        let phi = row.real("phi_deg").to_radians();
        let (tm, te) = (
            cylinder(&row, &Core::Pec, Polarization::Tm),
            cylinder(&row, &Core::Pec, Polarization::Te),
        );
        // The envelope of the current is the physical-optics current 2; that of the amplitude is
        // √(ka), with ka rounding errors of the argument.
        let growth = 1.0 + 0.01 * row.real("ka");
        let envelope = row.real("ka").sqrt().max(1.0) * growth;
        verdict.hold(
            "J TM",
            tm.surface_current(phi) * VACUUM_IMPEDANCE,
            row.complex("tm_current"),
            2.0 * PROMISE * growth,
            &row,
        );
        verdict.hold(
            "J TE",
            te.surface_current(phi),
            row.complex("te_current"),
            2.0 * PROMISE * growth,
            &row,
        );
        verdict.hold(
            "f TM",
            tm.amplitude(phi),
            row.complex("f_tm"),
            PROMISE * envelope,
            &row,
        );
        verdict.hold(
            "f TE",
            te.amplitude(phi),
            row.complex("f_te"),
            PROMISE * envelope,
            &row,
        );
    }
    verdict.check();
}

#[test]
fn dielectric_cylinder() {
    let mut verdict = Verdict::default();
    for row in Table::read("cylinder_dielectric").rows() {
        let phi = row.real("phi_deg").to_radians();
        let material = Core::Medium(medium(&row, ""));
        let envelope = row.real("ka").max(1.0);
        for (name, polarization) in [("f_tm", Polarization::Tm), ("f_te", Polarization::Te)] {
            let series = cylinder(&row, &material, polarization);
            verdict.hold(
                name,
                series.amplitude(phi),
                row.complex(name),
                PROMISE * envelope,
                &row,
            );
        }
    }
    for row in Table::read("cylinder_dielectric_coefficients").rows() {
        let material = Core::Medium(medium(&row, ""));
        for (name, polarization) in [("a_tm", Polarization::Tm), ("a_te", Polarization::Te)] {
            let series = cylinder(&row, &material, polarization);
            let allowance = PROMISE * row.real("ka").max(1.0);
            verdict.hold(
                name,
                series.coefficients()[row.order("n")],
                row.complex(name),
                allowance,
                &row,
            );
        }
    }
    verdict.check();
}

#[test]
fn half_plane_diffraction() {
    let mut verdict = Verdict::default();
    for row in Table::read("half_plane").rows() {
        let (phi0, phi) = (
            row.real("phi0_deg").to_radians(),
            row.real("phi_deg").to_radians(),
        );
        let krho = row.real("krho");
        for (name, polarization) in [("tm", Polarization::Tm), ("te", Polarization::Te)] {
            let field = half_plane::total_field(polarization, 1.0, phi0, krho, phi).unwrap();
            // The incident wave has amplitude one and a phase kρ cos(φ ± φ₀), with angles of up to
            // 4π that are rounded at 2π ε.
            verdict.hold(
                name,
                field,
                row.complex(name),
                PROMISE + 6.3 * f64::EPSILON * krho,
                &row,
            );
        }
    }
    verdict.check();
}

#[test]
fn hertzian_dipole_near_field() {
    let mut verdict = Verdict::default();
    for row in Table::read("hertzian_dipole").rows() {
        let theta = row.real("theta_deg").to_radians();
        let (frequency, r) = (row.real("frequency_hz"), row.real("r"));
        let field = hertzian_dipole::field(real(row.real("moment")), frequency, r, theta).unwrap();
        let phase = 1.0 + 2.0 * std::f64::consts::PI * frequency / SPEED_OF_LIGHT * r;
        // η in the table has 12 digits.
        assert!((row.real("eta") / VACUUM_IMPEDANCE - 1.0).abs() < 1e-11);
        let eta = row.real("eta") / VACUUM_IMPEDANCE;
        let size = row
            .complex("e_r")
            .norm()
            .hypot(row.complex("e_theta").norm());
        let allowance = PROMISE.max(4.0 * f64::EPSILON * phase);
        verdict.hold(
            "E_r",
            field.e_r * eta,
            row.complex("e_r"),
            allowance * size,
            &row,
        );
        verdict.hold(
            "E_theta",
            field.e_theta * eta,
            row.complex("e_theta"),
            allowance * size,
            &row,
        );
        let size = row
            .complex("h_phi")
            .norm()
            .max(1e-13 * field.h_phi.norm())
            .max(1e-20);
        verdict.hold(
            "H_phi",
            field.h_phi,
            row.complex("h_phi"),
            allowance * size,
            &row,
        );
    }
    verdict.check();
}

#[test]
fn acoustic_monopole_and_dipole() {
    let mut verdict = Verdict::default();
    let mut hold = |row: &Row<'_>, field: sound::SoundField| {
        // The phase kr is a product of rounded numbers.
        let distance = ["x", "y", "z"].map(|name| row.real(name));
        let phase = Fluid::AIR.wavenumber(row.real("frequency_hz")) * norm(distance);
        let promise = PROMISE + 2.0 * f64::EPSILON * phase;
        let pressure = row.complex("p");
        let velocity = ["ux", "uy", "uz"].map(|name| row.complex(name));
        let speed = velocity.iter().map(Complex64::norm_sqr).sum::<f64>().sqrt();
        verdict.hold(
            "p",
            field.pressure,
            pressure,
            promise * pressure.norm().max(1e-3 * speed * Fluid::AIR.impedance()),
            row,
        );
        for i in 0..3 {
            verdict.hold("u", field.velocity[i], velocity[i], promise * speed, row);
        }
    };
    let point = |row: &Row<'_>| ["x", "y", "z"].map(|name| row.real(name));
    for row in Table::read("monopole").rows() {
        let field = sound::monopole(
            &Fluid::AIR,
            real(row.real("q")),
            row.real("frequency_hz"),
            point(&row),
        );
        hold(&row, field.unwrap());
    }
    for row in Table::read("dipole").rows() {
        let moment = ["dx", "dy", "dz"].map(|name| row.real(name));
        hold(
            &row,
            sound::dipole(&Fluid::AIR, moment, row.real("frequency_hz"), point(&row)).unwrap(),
        );
    }
    verdict.check();
}

#[test]
fn baffled_piston() {
    let mut verdict = Verdict::default();
    let piston = |row: &Row<'_>| Piston {
        radius: row.real("a"),
        velocity: real(row.real("u")),
    };
    for row in Table::read("piston").rows() {
        let (r, z) = (row.real("r"), row.real("z"));
        let frequency = row.real("frequency_hz");
        // The phase kR is a product of rounded numbers.
        let phase = Fluid::AIR.wavenumber(frequency) * (r + z + row.real("a"));
        let allowance =
            (PROMISE + 2.0 * f64::EPSILON * phase) * Fluid::AIR.impedance() * row.real("u");
        let field = piston(&row).pressure(&Fluid::AIR, frequency, r, z).unwrap();
        verdict.hold("p", field, row.complex("p"), allowance, &row);
        if r == 0.0 {
            let axis = piston(&row).on_axis(&Fluid::AIR, frequency, z).unwrap();
            verdict.hold("axis", axis, row.complex("p"), allowance, &row);
        }
    }
    for row in Table::read("piston_directivity").rows() {
        let theta = row.real("theta_deg").to_radians();
        let got = piston(&row)
            .directivity(&Fluid::AIR, row.real("frequency_hz"), theta)
            .unwrap();
        verdict.hold("D", real(got), real(row.real("directivity")), PROMISE, &row);
    }
    verdict.check();
}

#[test]
fn plate_modes() {
    let mut verdict = Verdict::default();
    for row in Table::read("plate").rows() {
        let plate = PlateMode {
            size: [row.real("lx"), row.real("ly")],
            mode: [row.order("m") as u32, row.order("n") as u32],
            velocity: real(row.real("v0")),
        };
        let point = ["x", "y", "z"].map(|name| row.real(name));
        let got = plate
            .pressure(&Fluid::AIR, row.real("frequency_hz"), point)
            .unwrap();
        let allowance = PROMISE * Fluid::AIR.impedance() * row.real("v0");
        verdict.hold("p", got, row.complex("p"), allowance, &row);
    }
    verdict.check();
}
