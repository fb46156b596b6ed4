//! Lumped ports on a line between two plates, whose impedance is known.

use wavefield_compute::observe::Silent;
use wavefield_dgtd::{
    Boundary, Discretisation, End, Meaning, Port, Precision, Pulse, Simulation, engine, stable_step,
};
use wavefield_mesh::Group;
use wavefield_mesh::primitive::tetrahedral_box;
use wavefield_physics::constants::VACUUM_IMPEDANCE;

/// S₁₁ of a port in the middle of a line along x, between conducting plates 0.1 m apart, 0.1 m wide between magnetic
/// walls, so that its impedance is that of vacuum; both ends absorb.
fn reflection(resistance: f64, k: f64) -> f64 {
    let mut mesh = tetrahedral_box([0.8, 0.1, 0.1], [8, 1, 1], [0; 3]).unwrap();
    // The faces at x = 0 are the port.
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
    let conditions = ["x-", "x+", "y-", "y+", "z-", "z+", "port"].map(|name| {
        assert!(mesh.surface_groups.iter().any(|g| g.name == name));
        match name {
            "x-" | "x+" => Some(Boundary::Absorbing),
            "y-" | "y+" => Some(Boundary::MagneticWall),
            "port" => None,
            _ => Some(Boundary::ElectricWall),
        }
    });
    let meaning = Meaning {
        surfaces: conditions.to_vec(),
        ..Meaning::vacuum(&mesh)
    };
    let d = Discretisation::new(&mesh, 2, &meaning).unwrap();
    let pulse = Pulse::of_band(2.0, 10.0, 0.1);
    let mut run = Simulation::new(&d, engine(&d, Precision::Double), 0.8 * stable_step(&d));
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
    // Both halves end in walls that absorb, so the port sees half of Z₀.
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
