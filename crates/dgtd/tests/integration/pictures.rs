//! Snapshots on planes and at corners, and surface currents, compared with a cavity mode.

use std::f64::consts::PI;

use num_complex::Complex64;
use wavefield_dgtd::{
    Discretization, End, Fields, PhysicalGroups, Precision, Simulation, Slice, SnapshotRecorder,
    SurfaceCurrent, engine, reference, stable_step,
};
use wavefield_mesh::primitive::tetrahedral_box;
use wavefield_numerics::observe::Silent;
use wavefield_physics::constants::VACUUM_IMPEDANCE;

/// Returns the resonance wavenumber of the mode.
fn omega() -> f64 {
    2f64.sqrt() * PI
}

/// Returns a TM mode of a unit PEC cube around the origin (c = 1): E_z = cos πx cos πy cos ωt.
fn mode([x, y, _]: [f64; 3], time: f64) -> Fields {
    let [(sx, cx), (sy, cy)] = [x, y].map(|x| (PI * x).sin_cos());
    let (s, c) = (omega() * time).sin_cos();
    let factor = PI / omega() * s;
    [
        [0.0, 0.0, cx * cy * c],
        [factor * cx * sy, -factor * sx * cy, 0.0],
    ]
}

fn apart(a: &Fields, b: &Fields) -> f64 {
    let pairs = a.as_flattened().iter().zip(b.as_flattened());
    pairs.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

#[test]
fn pictures_show_the_mode_where_and_when_it_is() {
    let mesh = tetrahedral_box([1.0; 3], [4; 3], [0; 3]).unwrap();
    let d = Discretization::new(&mesh, 4, &PhysicalGroups::vacuum(&mesh)).unwrap();
    let period = 2.0 * PI / omega();
    let steps = (period / (0.5 * stable_step(&d))).ceil();
    let mut run = Simulation::new(&d, engine(&d, Precision::Double), period / steps);
    run.engine
        .set(&reference::State::from_fn(&d, |p| mode(p, 0.0)));
    let slice = Slice::new(&d, 1, 0.1).unwrap();
    let ([left, right], [low, high], [columns, rows]) = (slice.across, slice.up, slice.shape);
    run.animation = Some(SnapshotRecorder::new(
        &[0.3, 0.9],
        run.dt,
        Some(slice),
        true,
    ));
    run.current = Some(SurfaceCurrent::new(&d, &[omega()]));
    let end = End {
        decay: 0.0,
        time: period * (1.0 - 1e-9),
    };
    run.run(end, &Silent).unwrap();

    let animation = run.animation.take().unwrap();
    assert_eq!(animation.frames.len(), 2);
    for (frame, time) in animation.frames.iter().zip([0.3, 0.9]) {
        assert!((frame.time - time).abs() <= run.dt);
        for (number, found) in frame.plane.iter().enumerate() {
            let part = |first: f64, last: f64, at: usize, count: usize| {
                first + (last - first) * at as f64 / (count - 1) as f64
            };
            // Normal to y, the horizontal axis is z and the vertical axis is x.
            let z = part(left, right, number % columns, columns);
            let x = part(low, high, number / columns, rows);
            assert!(apart(found, &mode([x, 0.1, z], frame.time)) < 2e-3);
        }
        assert_eq!(frame.corners.len(), 4 * d.elements());
        for (number, found) in frame.corners.iter().enumerate() {
            let corner = d.corners(number / 4)[number % 4];
            assert!(apart(found, &mode(corner, frame.time)) < 5e-3);
        }
    }

    // Over a period ∫ sin ωt e^{−jωt} dt = −jT/2; J = n × H with n into the cube.
    let current = run.current.take().unwrap();
    let triangles = current.triangles();
    assert_eq!(triangles.len(), 12 * 16);
    let mut largest: f64 = 0.0;
    for (corners, found) in triangles.iter().zip(current.at(0)) {
        let middle: [f64; 3] =
            std::array::from_fn(|c| corners.iter().map(|p| p[c]).sum::<f64>() / 3.0);
        let axis = (0..3)
            .max_by(|&a, &b| middle[a].abs().total_cmp(&middle[b].abs()))
            .unwrap();
        let mut n = [0.0; 3];
        n[axis] = -middle[axis].signum();
        let [_, h] = mode(middle, 0.25 * period);
        for c in 0..3 {
            let (a, b) = ((c + 1) % 3, (c + 2) % 3);
            let factor = Complex64::new(0.0, -0.5 * period / VACUUM_IMPEDANCE);
            let exact = factor * (n[a] * h[b] - n[b] * h[a]);
            largest = largest.max(exact.norm());
            assert!((found[c] - exact).norm() < 0.06 * 0.5 * period / VACUUM_IMPEDANCE);
        }
    }
    assert!(largest > 0.5 * 0.5 * period / VACUUM_IMPEDANCE);
}
