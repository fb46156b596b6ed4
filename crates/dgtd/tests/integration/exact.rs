//! Convergence of the reference implementation to cavity modes.

use std::f64::consts::PI;

use wavefield_dgtd::{Discretization, Fields, PhysicalGroups, reference, stable_step};
use wavefield_mesh::primitive::tetrahedral_box;

/// Returns a TM mode of a unit PEC cube at a time (c = 1): E_z = sin πx sin πy cos ωt.
fn mode(point: [f64; 3], time: f64) -> Fields {
    let omega = 2f64.sqrt() * PI;
    let [(sx, cx), (sy, cy)] = [point[0], point[1]].map(|x| (PI * (x + 0.5)).sin_cos());
    let (s, c) = (omega * time).sin_cos();
    // ∂H/∂t = −∇×E.
    let factor = PI / omega * s;
    [
        [0.0, 0.0, sx * sy * c],
        [-factor * sx * cy, factor * cx * sy, 0.0],
    ]
}

/// Returns the root-mean-square error at time 1 (the cube's edge length over c).
fn error(order: usize, cells: u32) -> f64 {
    let mesh = tetrahedral_box([1.0; 3], [cells; 3], [0; 3]).unwrap();
    let d = Discretization::new(&mesh, order, &PhysicalGroups::vacuum(&mesh)).unwrap();
    let mut state = reference::State::from_fn(&d, |p| mode(p, 0.0));
    let mut register = reference::State::zero(&d);
    let steps = (1.0 / (0.45 * stable_step(&d))).ceil();
    let mut energy = reference::energy(&d, &state);
    for step in 0..steps as usize {
        reference::step(&d, &mut state, &mut register, 1.0 / steps);
        if step % 10 == 0 {
            let now = reference::energy(&d, &state);
            assert!(now <= energy * (1.0 + 1e-14));
            energy = now;
        }
    }
    let exact = reference::State::from_fn(&d, |p| mode(p, 1.0));
    for (a, b) in state.fields.iter_mut().zip(&exact.fields) {
        for kind in 0..2 {
            for c in 0..3 {
                a[kind][c] -= b[kind][c];
            }
        }
    }
    (reference::energy(&d, &state) / reference::energy(&d, &exact)).sqrt()
}

#[test]
fn modes_of_a_cavity_converge_with_the_order_plus_one() {
    for (order, coarse, fine) in [(1, 4, 8), (2, 3, 6), (3, 2, 4), (4, 2, 3)] {
        let (a, b) = (error(order, coarse), error(order, fine));
        let observed = (a / b).ln() / (f64::from(fine) / f64::from(coarse)).ln();
        assert!(observed > order as f64 + 0.8, "order {order}: {observed}");
    }
}
