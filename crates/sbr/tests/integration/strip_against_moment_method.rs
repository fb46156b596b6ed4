//! Flat strip compared with a method-of-moments solution, edge by edge, in amplitude and phase.

use std::f64::consts::PI;

use num_complex::Complex64;
use wavefield_sbr::edge::{Aspect, Strip, StripEnd, Surroundings, Wedge, scattered};

/// Strip 0 < x < width in the plane y = 0; wedge 0 at x = 0, wedge 1 at x = width.
struct FlatStrip {
    width: f64,
}

impl Surroundings for FlatStrip {
    fn strip(&self, wedge: usize, face: usize, point: [f64; 3], direction: [f64; 3]) -> Strip {
        let end = [self.width - point[0], point[1], point[2]];
        Strip {
            length: self.width,
            end: Some(StripEnd {
                wedge: 1 - wedge,
                face,
                direction,
                point: end,
            }),
        }
    }

    fn lit(&self, _: usize, _: [f64; 3]) -> bool {
        true
    }

    fn seen(&self, _: usize, _: [f64; 3]) -> bool {
        true
    }
}

/// Returns the current moments ∫J_z e^{jkx cos φ} dx (unit E_z) and ∫J_x e^{jkx cos φ} dx (unit H_z)
/// in backscatter, times k, of a strip with k·width = w, from physical optics and its edges.
fn moments(w: f64, from_normal: f64, edges: usize) -> [Complex64; 2] {
    let phi = 0.5 * PI - from_normal.to_radians();
    let up = [0.0, 1.0, 0.0];
    // Counterclockwise as observed from +y: the strip lies to the left of the edge, x = y × z.
    let wedges = [
        Wedge::rim([[0.0, 0.0, -0.005], [0.0, 0.0, 0.005]], up).unwrap(),
        Wedge::rim([[w, 0.0, 0.005], [w, 0.0, -0.005]], up).unwrap(),
    ];
    let observer = [phi.cos(), phi.sin(), 0.0];
    let aspect = Aspect {
        wavenumber: 1.0,
        propagation: observer.map(|c| -c),
        observer,
    };
    let complex = |v: [f64; 3]| v.map(|c| Complex64::new(c, 0.0));
    let te = [phi.sin(), -phi.cos(), 0.0];
    let [soft, hard] = scattered(
        &wedges,
        &FlatStrip { width: w },
        &aspect,
        [complex([0.0, 0.0, 1.0]), complex(te)],
        8.0,
        edges,
    );
    let front = Complex64::new(0.0, -1.0 / (4.0 * PI)) * 0.01;
    let half = w * phi.cos();
    let optics = Complex64::from_polar(
        2.0 * w * if half == 0.0 { 1.0 } else { half.sin() / half },
        half,
    );
    [
        soft[2] / front + optics * phi.sin(),
        (hard[0] * te[0] + hard[1] * te[1]) / (front * phi.sin()) + optics,
    ]
}

/// w = 57.24, method of moments with 34 unknowns per wavelength: refinement changes its TE values by
/// 0.02.
const WIDE: [(f64, [f64; 2], [f64; 2]); 6] = [
    (30.0, [1.9107, -1.3100], [1.259, 2.800]),
    (60.0, [-2.1206, -0.2382], [-1.878, 5.014]),
    (70.0, [1.4203, -1.4271], [3.450, 7.671]),
    (75.0, [-1.1903, 1.6842], [-4.335, 13.134]),
    (80.0, [-0.7017, -1.8773], [-10.026, 6.456]),
    (85.0, [1.6311, -1.1690], [-6.219, 0.914]),
];

const WIDTH: f64 = 57.23981814840603;

#[test]
fn edge_waves_over_three_edges_agree_with_the_moment_method() {
    for (angle, tm, te) in WIDE {
        let [soft, hard] = moments(WIDTH, angle, 3);
        // The truncated soft strip is not continued at the next edge: the missing term increases
        // toward grazing incidence as K^{-1/2}.
        assert!(
            (soft - Complex64::new(tm[0], tm[1])).norm() < 0.06,
            "{angle} {soft}"
        );
        assert!(
            (hard - Complex64::new(te[0], te[1])).norm() < 0.03,
            "{angle} {hard}"
        );
    }
}

#[test]
fn each_further_edge_brings_the_hard_polarization_closer() {
    for (angle, _, te) in WIDE {
        let exact = Complex64::new(te[0], te[1]);
        let error = |edges: usize| (moments(WIDTH, angle, edges)[1] - exact).norm();
        assert!(error(2) < 0.1 * error(1), "{angle}");
    }
}
