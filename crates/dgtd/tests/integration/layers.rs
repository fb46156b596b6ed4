//! Stability of PMLs that are thinner and steeper than recommended.

use wavefield_dgtd::{
    Discretization, End, PhysicalGroups, PmlShape, Precision, Simulation, engine, reference,
    stable_step,
};
use wavefield_mesh::primitive::tetrahedral_box;
use wavefield_numerics::observe::Silent;

#[test]
fn a_layer_of_one_cell_does_not_grow_at_any_order() {
    let mesh = tetrahedral_box([1.0; 3], [3; 3], [1; 3]).unwrap();
    for order in 1..=8 {
        let physical_groups = PhysicalGroups {
            layer: PmlShape {
                reflection: 1e-6,
                exponent: 3.0,
                shift: 0.1,
            },
            ..PhysicalGroups::vacuum(&mesh)
        };
        let d = Discretization::new(&mesh, order, &physical_groups).unwrap();
        let mut rough = reference::State::zero(&d);
        let mut seed = 0.1_f64;
        for x in rough.fields.as_flattened_mut().as_flattened_mut() {
            seed = (seed * 997.0 + 0.1234).fract();
            *x = seed - 0.5;
        }
        let before = reference::energy(&d, &rough);
        let mut run = Simulation::new(&d, engine(&d, Precision::Double), 0.9 * stable_step(&d));
        run.engine.set(&rough);
        run.run(
            End {
                decay: 0.0,
                // More than a thousand time steps at every order.
                time: 6.0 / order.min(4) as f64,
            },
            &Silent,
        )
        .unwrap();
        let [_, middle] = run.energies[run.energies.len() / 2];
        let after = run.engine.energy();
        // Random fields have a static part, which does not decay.
        assert!(
            after < 1.01 * middle && middle < 0.5 * before,
            "order {order}: {before} fell to {middle} and {after}"
        );
    }
}
