//! Lumped ports on a parallel-plate line of known impedance.

use num_complex::Complex64;
use wavefield_dgtd::{
    Boundary, Discretization, End, Error, PhysicalGroups, Plan, Port, Precision, Pulse, Simulation,
    Solution, engine, stable_step,
};
use wavefield_mesh::primitive::tetrahedral_box;
use wavefield_mesh::{Group, TetrahedralMesh};
use wavefield_numerics::observe::Silent;
use wavefield_physics::constants::{VACUUM_IMPEDANCE, vacuum_wavenumber};
use wavefield_solver::checkpoint::NullStore;

/// Returns a line along x, 0.1 m high along z and 0.1 m wide, with the faces at x = 0 named "port".
pub(crate) fn line() -> TetrahedralMesh {
    let mut mesh = tetrahedral_box([0.8, 0.1, 0.1], [8, 1, 1], [0; 3]).unwrap();
    mesh.surface_groups.push(Group::named("port"));
    let port = mesh.surface_groups.len() as u32 - 1;
    let mut seen = std::collections::HashSet::new();
    for tetrahedron in mesh.tetrahedra.clone() {
        for face in 0..4 {
            let mut corners: Vec<u32> = (0..4)
                .filter(|&c| c != face)
                .map(|c| tetrahedron[c])
                .collect();
            corners.sort_unstable();
            let flat = corners
                .iter()
                .all(|&c| mesh.points[c as usize][0].abs() < 1e-12);
            if flat && seen.insert(corners.clone()) {
                mesh.triangles.push([corners[0], corners[1], corners[2]]);
                mesh.surface_group_of.push(port);
            }
        }
    }
    mesh
}

/// Returns S₁₁ of a port in the middle of a line between PEC plates, with PMC sides for a line impedance of Z₀, and
/// absorbing ends.
fn reflection(resistance: f64, k: f64) -> f64 {
    let mesh = line();
    let port = mesh.surface_groups.len() as u32 - 1;
    let conditions = ["x-", "x+", "y-", "y+", "z-", "z+", "port"].map(|name| {
        assert!(mesh.surface_groups.iter().any(|g| g.name == name));
        match name {
            "x-" | "x+" => Some(Boundary::Absorbing),
            "y-" | "y+" => Some(Boundary::MagneticWall),
            "port" => None,
            _ => Some(Boundary::ElectricWall),
        }
    });
    let physical_groups = PhysicalGroups {
        surfaces: conditions.to_vec(),
        ..PhysicalGroups::vacuum(&mesh)
    };
    let d = Discretization::new(&mesh, 2, &physical_groups).unwrap();
    let pulse = Pulse::of_band(2.0, 10.0, 0.1);
    let mut run = Simulation::new(&d, engine(&d, Precision::Double), 0.9 * stable_step(&d));
    let port = Port::new(&d, port, "port", [0.0, 0.0, 1.0], resistance, Some(pulse)).unwrap();
    run.port(port);
    run.run(
        End {
            decay: 0.0,
            time: pulse.duration() + 3.0,
        },
        &Silent,
    )
    .unwrap();
    let port = run.ports().next().unwrap();
    let s11 = 2.0 * port.voltage(k, run.dt) / pulse.spectrum(k) - 1.0;
    assert!(s11.im.abs() < 2e-3, "{s11}");
    s11.re
}

#[test]
fn a_port_sees_both_halves_of_a_line_in_parallel() {
    // Both halves end in absorbing boundaries, so the load of the port is Z₀/2.
    let seen = VACUUM_IMPEDANCE / 2.0;
    for resistance in [50.0, seen, 600.0] {
        let exact = (seen - resistance) / (seen + resistance);
        let found = reflection(resistance, 6.0);
        assert!(
            (found - exact).abs() < 2e-3,
            "{resistance}: {found} {exact}"
        );
    }
}

/// Solves a line that is shorted at both ends, with a port of 10 Ω in its middle.
fn shorted(stop: &str) -> Result<Solution, Error> {
    let problem = format!(
        r#"
        frequency = ["300 MHz", "350 MHz", "365 MHz"]
        [excitation]
        kind = "ports"
        ports = [{{ kind = "lumped", surface = "port", direction = [0.0, 0.0, 1.0], reference_impedance = 10.0 }}]
        [dgtd]
        band = ["200 MHz", "500 MHz"]
        order = 3
        precision = "double"
        stop = {{ energy_decay = 1e-12, {stop} }}
        [dgtd.surfaces]
        "x-" = "pec"
        "x+" = "pec"
        "y-" = "pmc"
        "y+" = "pmc"
        "z-" = "pec"
        "z+" = "pec"
        port = "transparent"
        "#
    );
    Plan::new(&toml::from_str(&problem).unwrap(), &line())?.execute(&NullStore, &Silent)
}

#[test]
fn what_rings_on_a_line_is_extrapolated() {
    let off = |solution: &Solution| {
        let found = &solution.network.as_ref().unwrap().parameters;
        let worst = (solution.frequencies.iter().zip(found)).map(|(&f, s11)| {
            // Both halves in parallel, each shorted at 0.4 m.
            let seen = 0.5 * VACUUM_IMPEDANCE * (vacuum_wavenumber(f) * 0.4).tan();
            let seen = Complex64::new(0.0, seen);
            (s11 - (seen - 10.0) / (seen + 10.0)).norm()
        });
        worst.fold(0.0, f64::max)
    };
    let cut = shorted("max_time = \"40 ns\"").unwrap();
    assert!(off(&cut) > 0.2, "{}", off(&cut));
    assert_eq!(cut.runs[0].ringing, None);
    let extrapolated = shorted("max_time = \"40 ns\", extrapolate = true").unwrap();
    assert!(off(&extrapolated) < 2e-3, "{}", off(&extrapolated));
    assert!(extrapolated.runs[0].ringing.unwrap() < 2e-3);
    let refused = shorted("max_time = \"5 ns\", extrapolate = true").unwrap_err();
    assert!(
        refused
            .to_string()
            .contains("increase `dgtd.stop.max_time`"),
        "{refused}"
    );
}
