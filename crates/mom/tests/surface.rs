//! Integral equations on surfaces: laws that solutions obey, and problems that are refused.

use num_complex::Complex64;
use wavefield_compute::observe::Silent;
use wavefield_mesh::TriangleMesh;
use wavefield_mom::surface::{Error, Plan, Solution, Spec};

/// A problem at a wavelength of one metre.
fn spec(target: &str, more: &str) -> Spec {
    toml::from_str(&format!(
        r#"
        frequency = "299792458 Hz"
        target = {target}
        {more}
        "#
    ))
    .unwrap()
}

fn solve(spec: &Spec, mesh: Option<TriangleMesh>) -> Solution {
    Plan::new(spec, mesh).unwrap().execute(&Silent).unwrap()
}

const MESH: &str = r#"{ shape = "mesh", mesh = { file = "body.obj", unit = "m" } }"#;

#[test]
fn the_number_of_threads_does_not_change_a_bit() {
    for solver in ["lu", "fft"] {
        let spec = spec(
            r#"{ shape = "sphere", radius = "0.4 m" }"#,
            &format!(
                r#"
                incidence = {{ phi = ["0 deg", "70 deg"] }}
                observation = {{ kind = "monostatic" }}
                edge = "0.15 lambda"
                linear_solver = {{ kind = "{solver}" }}
                "#
            ),
        );
        let on = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new()
                .num_threads(threads)
                .build()
                .unwrap();
            pool.install(|| solve(&spec, None))
        };
        let (one, three) = (on(1), on(3));
        assert_eq!(one.matrices, three.matrices, "{solver}");
        assert_eq!(one.currents, three.currents, "{solver}");
    }
}

/// Two plates that stand on a third along its middle: three triangles meet at every edge there.
fn three_plates() -> TriangleMesh {
    let steps = 4;
    let mut mesh = TriangleMesh::single_group(Vec::new(), Vec::new(), "plates");
    let grid: Vec<f64> = (0..=steps)
        .map(|i| 0.4 * f64::from(i) / f64::from(steps))
        .collect();
    // Directions away from the common edge, which is along y.
    for away in [[1.0, 0.0], [-1.0, 0.0], [0.3, 0.95]] {
        let first = mesh.points.len() as u32;
        for &x in &grid {
            for &y in &grid {
                mesh.points.push([x * away[0], y, x * away[1]]);
            }
        }
        let at = |i: u32, j: u32| first + i * (steps as u32 + 1) + j;
        for i in 0..steps as u32 {
            for j in 0..steps as u32 {
                mesh.triangles
                    .push([at(i, j), at(i + 1, j), at(i + 1, j + 1)]);
                mesh.triangles
                    .push([at(i, j), at(i + 1, j + 1), at(i, j + 1)]);
            }
        }
    }
    mesh.group_of = vec![0; mesh.triangles.len()];
    mesh
}

#[test]
fn what_is_sent_one_way_is_heard_the_other() {
    let along = |from: &str, to: &str| {
        let spec = spec(
            MESH,
            &format!(
                r#"
                incidence = {{ theta = "{from}", phi = "20 deg" }}
                observation = {{ kind = "bistatic", theta = "{to}", phi = "20 deg" }}
                "#
            ),
        );
        let solution = solve(&spec, Some(three_plates()));
        // Forty edges within each plate, and two functions at each of the four edges where three plates meet.
        assert_eq!(solution.unknowns, 3 * 40 + 2 * 4);
        solution.matrices[0]
    };
    let (there, back) = (along("35 deg", "110 deg"), along("110 deg", "35 deg"));
    let near = |a: Complex64, b: Complex64| (a - b).norm() < 1e-5 * there.vv.norm();
    assert!(near(there.vv, back.vv), "{} {}", there.vv, back.vv);
    assert!(near(there.hh, back.hh), "{} {}", there.hh, back.hh);
    assert!(near(there.vh, back.hv), "{} {}", there.vh, back.hv);
}

#[test]
fn what_cannot_be_solved_is_said() {
    let refused = |more: &str, mesh: TriangleMesh| {
        let text = format!(
            "incidence = {{ phi = \"0 deg\" }}\nobservation = {{ kind = \"monostatic\" }}\n{more}"
        );
        Plan::new(&spec(MESH, &text), Some(mesh)).unwrap_err()
    };
    let one = TriangleMesh::single_group(
        vec![[0.0; 3], [0.1, 0.0, 0.0], [0.0, 0.1, 0.0]],
        vec![[0, 1, 2]],
        "one",
    );
    assert_eq!(refused("", one), Error::NoEdge);
    assert!(matches!(
        refused("equation = { kind = \"cfie\" }", three_plates()),
        Error::Open { .. }
    ));
    assert!(matches!(
        refused(
            "linear_solver = { kind = \"fft\", accuracy = 1.0 }",
            three_plates()
        ),
        Error::Range { .. }
    ));
    assert!(matches!(
        refused("edge = \"0 m\"", three_plates()),
        Error::NotPositive { key: "edge", .. }
    ));
}
