//! Stability of the default time step on flat tetrahedra, as in substrates.

use wavefield_dgtd::{
    Discretization, End, Medium, PhysicalGroups, Plan, Precision, Simulation, Spec, engine,
    reference,
};
use wavefield_mesh::primitive::tetrahedral_box;
use wavefield_mesh::{Group, TetrahedralMesh};
use wavefield_numerics::observe::Silent;
use wavefield_physics::constants::SPEED_OF_LIGHT;

/// Returns one layer of cells of 30 × 30 × 1 mm between PEC boundaries.
fn layer() -> TetrahedralMesh {
    tetrahedral_box([0.06, 0.06, 0.001], [2, 2, 1], [0; 3]).unwrap()
}

/// Returns a substrate of cells of 30 × 30 × 1 mm below air, in a PEC box.
fn substrate() -> TetrahedralMesh {
    let mut mesh = tetrahedral_box([0.06, 0.06, 0.04], [2, 2, 2], [0; 3]).unwrap();
    for point in &mut mesh.points {
        if point[2].abs() < 1e-9 {
            point[2] = -0.019;
        }
    }
    mesh.volume_groups.push(Group::named("substrate"));
    let group = mesh.volume_groups.len() as u32 - 1;
    for element in 0..mesh.tetrahedra.len() {
        if mesh.corners(element).iter().all(|c| c[2] < -0.0189) {
            mesh.volume_group_of[element] = group;
        }
    }
    mesh
}

/// Returns the residual energy of random fields after some time steps of default length.
fn energy_left(mesh: &TetrahedralMesh, order: usize, permittivity: f64, steps: f64) -> f64 {
    let spec: Spec = toml::from_str(&format!(
        r#"
        frequency = "1 GHz"
        dgtd.order = {order}
        [excitation]
        kind = "dipoles"
        dipoles = [{{ position = ["1 mm", "2 mm", "0.1 mm"], moment = [0.0, 0.0, 1.0] }}]
        "#
    ))
    .unwrap();
    let dt = Plan::new(&spec, mesh).unwrap().time_step() * SPEED_OF_LIGHT;
    let mut physical_groups = PhysicalGroups::vacuum(mesh);
    for (group, medium) in mesh.volume_groups.iter().zip(&mut physical_groups.media) {
        if group.name == "substrate" {
            *medium = Medium {
                permittivity,
                ..Medium::VACUUM
            };
        }
    }
    let d = Discretization::new(mesh, order, &physical_groups).unwrap();
    let mut rough = reference::State::zero(&d);
    let mut seed = 0.1_f64;
    for x in rough.fields.as_flattened_mut().as_flattened_mut() {
        seed = (seed * 997.0 + 0.1234).fract();
        *x = seed - 0.5;
    }
    let before = reference::energy(&d, &rough);
    let mut run = Simulation::new(&d, engine(&d, Precision::Single), dt);
    run.engine.set(&rough);
    let end = End {
        decay: 0.0,
        time: (steps - 0.5) * dt,
    };
    match run.run(end, &Silent) {
        Ok(()) => run.engine.energy() / before,
        Err(error) => panic!("order {order}: {error}"),
    }
}

#[test]
fn the_default_step_is_stable_on_a_thin_layer_at_any_order() {
    for order in 1..=8 {
        let left = energy_left(&layer(), order, 1.0, 500.0);
        assert!(left < 1.0, "order {order}: {left} of the energy is left");
    }
}

#[test]
fn the_default_step_is_stable_on_a_thin_substrate() {
    for order in 1..=4 {
        // A permittivity close to one leaves the least margin: waves are slower in a dense medium.
        for permittivity in [1.0, 1.05, 4.4] {
            let left = energy_left(&substrate(), order, permittivity, 500.0);
            assert!(left < 1.0, "order {order}: {left} of the energy is left");
        }
    }
}
