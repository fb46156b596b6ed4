//! 3-D method of moments: physical laws that solutions obey, and problems that are refused.

use num_complex::Complex64;
use std::f64::consts::PI;
use wavefield_mesh::{TriangleMesh, primitive};
use wavefield_mom3d::{Combination, Equation, Error, NearField, Plan, Solution, Spec};
use wavefield_numerics::observe::Silent;
use wavefield_numerics::vector::{cross, dot, norm};
use wavefield_physics::constants::VACUUM_IMPEDANCE;
use wavefield_physics::direction::Direction;
use wavefield_physics::exact::sphere::{MieSeries, Sphere};
use wavefield_physics::quantity::Length;
use wavefield_solver::scene::{DeltaGap, Excitation, Port};

/// Returns a specification at a wavelength of 1 m.
fn spec(target: &str, more: &str) -> Spec {
    toml::from_str(&format!(
        r#"
        frequency = "299792458 Hz"
        bodies = [{{ geometry = {target}, material = "pec" }}]
        {more}
        "#
    ))
    .unwrap()
}

fn solve(spec: &Spec, mesh: Option<TriangleMesh>) -> Solution {
    Plan::new(spec, mesh).unwrap().execute(&Silent).unwrap()
}

const MESH: &str = r#"{ shape = "mesh", file = "body.obj", unit = "m" }"#;

#[test]
fn the_number_of_threads_does_not_change_a_bit() {
    for solver in ["lu", "aim"] {
        let spec = spec(
            r#"{ shape = "sphere", radius = "0.4 m" }"#,
            &format!(
                r#"
                excitation = {{ kind = "plane-wave", phi = ["0 deg", "70 deg"] }}
                observation = {{ kind = "monostatic" }}
                mom3d.max_edge_length = "0.15 lambda"
                mom3d.linear_solver = {{ kind = "{solver}" }}
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
        assert_eq!(one.states, three.states, "{solver}");
    }
}

/// For a sphere of twice the size LU takes 64 times the operations, AIM little more than four times the near pairs and eight
/// times the FFT points.
#[test]
fn work_that_is_foreseen_grows_as_the_method_says() {
    let work = |radius: f64, solver: &str| {
        let spec = spec(
            &format!(r#"{{ shape = "sphere", radius = "{radius} m" }}"#),
            &format!(
                r#"
                excitation = {{ kind = "plane-wave", phi = "0 deg" }}
                observation = {{ kind = "monostatic" }}
                mom3d.max_edge_length = "0.2 lambda"
                mom3d.linear_solver = {{ kind = "{solver}" }}
                "#
            ),
        );
        Plan::new(&spec, None).unwrap().work()
    };
    let [small, large] = [2.0, 4.0].map(|radius| work(radius, "lu"));
    let growth = large.operations / small.operations;
    assert!((55.0..75.0).contains(&growth), "{growth}");
    let [pairs, near] = [
        large.pairs / small.pairs,
        large.near_pairs / small.near_pairs,
    ];
    assert!((14.0..18.0).contains(&pairs), "{pairs}");
    assert!((3.5..4.5).contains(&near), "{near}");
    assert_eq!(small.transformed, 0.0);
    let [small, large] = [2.0, 4.0].map(|radius| work(radius, "aim"));
    let growth = large.near_pairs / small.near_pairs;
    assert!((3.5..4.5).contains(&growth), "{growth}");
    let growth = large.transformed / small.transformed;
    assert!((6.0..12.0).contains(&growth), "{growth}");
    assert_eq!((small.operations, small.pairs), (0.0, 0.0));
}

/// Returns two plates on a third along its middle, with non-manifold edges of three triangles.
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
                excitation = {{ kind = "plane-wave", theta = "{from}", phi = "20 deg" }}
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
            "excitation = {{ kind = \"plane-wave\", phi = \"0 deg\" }}\nobservation = {{ kind = \"monostatic\" }}\n{more}"
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
        refused("mom3d.equation = { kind = \"cfie\" }", three_plates()),
        Error::Open { .. }
    ));
    assert!(matches!(
        refused(
            "mom3d.linear_solver = { kind = \"aim\", accuracy = 1.0 }",
            three_plates()
        ),
        Error::Invalid(_)
    ));
    let zero = refused("mom3d.max_edge_length = \"0 m\"", three_plates());
    let text = zero.to_string();
    assert!(
        text.starts_with("`mom3d.max_edge_length` must be positive"),
        "{text}"
    );
}

/// Returns strips along z with delta-gap ports at their centers, side by side along x.
fn strips(count: usize, length: &str, more: &str) -> (Spec, TriangleMesh) {
    let mut mesh = TriangleMesh::single_group(Vec::new(), Vec::new(), "strips");
    let mut ports = String::new();
    let meters: f64 = length.trim_end_matches(" m").parse().unwrap();
    for strip in 0..count {
        let mut one = primitive::plate(0.02, meters, 0.03).unwrap();
        for point in &mut one.points {
            *point = [point[0] + 0.3 * strip as f64, 0.0, point[1]];
        }
        mesh.append(&one);
        ports += &format!(
            r#"{{ kind = "delta-gap", position = ["{} m", "0 m", "0 m"], direction = [0, 0, 1], radius = "0.02 m" }},"#,
            0.3 * strip as f64
        );
    }
    let text = format!("excitation = {{ kind = \"ports\", ports = [{ports}] }}\n{more}");
    (spec(MESH, &text), mesh)
}

#[test]
fn what_ports_take_is_radiated_and_passes_both_ways_alike() {
    let (spec, mesh) = strips(2, "0.47 m", "");
    let solution = solve(&spec, Some(mesh));
    assert!(
        solution.checks[0].power.unwrap() < 1e-4,
        "{:?}",
        solution.checks
    );
    let network = solution.network.unwrap();
    let z = network.impedances();
    assert!((z[1] - z[2]).norm() < 1e-6 * z[1].norm(), "{z:?}");
    assert!((z[0] - z[3]).norm() < 0.01 * z[0].norm(), "{z:?}");
    // A thin half-wave dipole has 73 + 42j ohms; two of them 0.3 wavelengths apart couple by about 25 − 37j ohms.
    assert!((60.0..110.0).contains(&z[0].re), "{z:?}");
    assert!(
        (15.0..30.0).contains(&z[1].re) && (-50.0..-30.0).contains(&z[1].im),
        "{z:?}"
    );
    // Lossless: power that is not reflected or transmitted is radiated.
    let s = &network.parameters;
    assert!(s[0].norm_sqr() + s[2].norm_sqr() < 1.0);
}

#[test]
fn a_half_wave_has_the_directivity_of_one() {
    let (spec, mesh) = strips(
        1,
        "0.48 m",
        r#"observation = { kind = "far-field", theta = ["0.1 deg", "45 deg", "90 deg"], phi = ["0 deg", "90 deg"] }"#,
    );
    let solution = solve(&spec, Some(mesh));
    let radiation = solution.radiation.unwrap();
    let directivity: Vec<f64> = (radiation.fields.iter())
        .map(|field| field.directivity(radiation.power[0], VACUUM_IMPEDANCE))
        .collect();
    assert!((directivity[4] - 1.64).abs() < 0.02, "{directivity:?}");
    assert!((directivity[5] - 1.64).abs() < 0.02, "{directivity:?}");
    // cos(π/2 cos θ)/sin θ at 45°.
    let slanted = ((0.5 * PI * 0.5_f64.sqrt()).cos() / 0.5_f64.sqrt()).powi(2);
    assert!((directivity[2] / directivity[4] - slanted).abs() < 0.02);
    assert!(directivity[0] < 1e-4 * directivity[4]);
    // A gap off the vertices of the mesh splits triangles and hardly changes the solution.
    let current = &solution.states[0][0].current;
    assert!(current.iter().any(|u| u[2].norm() > 0.0));
}

#[test]
fn a_current_goes_from_a_monopole_onto_its_plate() {
    // A quarter-wave strip on a square plate of one wavelength: three triangles meet at its foot.
    let mut mesh = primitive::plate(1.0, 1.0, 0.1415).unwrap();
    let near = |x: f64| {
        (mesh.points.iter())
            .position(|point| norm([point[0] - x, point[1], point[2]]) < 1e-9)
            .unwrap() as u32
    };
    let mut below = [near(0.0), near(0.1)];
    let xs = [0.0, 0.1];
    for step in 1..=6 {
        let above = xs.map(|x| {
            mesh.points.push([x, 0.0, 0.04 * f64::from(step)]);
            mesh.points.len() as u32 - 1
        });
        mesh.triangles.push([below[0], below[1], above[1]]);
        mesh.triangles.push([below[0], above[1], above[0]]);
        below = above;
    }
    mesh.group_of = vec![0; mesh.triangles.len()];
    let port = r#"excitation = { kind = "ports", ports = [{ kind = "delta-gap", position = ["0.05 m", "0 m", "0 m"], direction = [0, 0, 1], radius = "0.06 m" }] }"#;
    let solution = solve(&spec(MESH, port), Some(mesh));
    let z = solution.network.unwrap().impedances()[0];
    // A monopole on an infinite ground plane has 36 ohms; a small plate changes the value, not its order.
    assert!((20.0..70.0).contains(&z.re), "{z}");
    assert!(solution.checks[0].power.unwrap() < 1e-3);
}

#[test]
fn the_field_around_a_sphere_is_that_of_its_series() {
    let spec = spec(
        r#"{ shape = "sphere", radius = "0.4 m" }"#,
        r#"
        excitation = { kind = "plane-wave", theta = "70 deg", phi = "20 deg" }
        observation = { kind = "monostatic" }
        mom3d.max_edge_length = "0.08 lambda"
        near_field = { start = ["-0.7 m", "0.05 m", "-0.65 m"], stop = ["0.7 m", "0.05 m", "0.7 m"], points = [9, 1, 8] }
        "#,
    );
    let plan = Plan::new(&spec, None).unwrap();
    let solution = plan.execute(&Silent).unwrap();
    let series = MieSeries::new(&Sphere::pec(0.4), 299_792_458.0).unwrap();
    let from = Direction::from_degrees(70.0, 20.0);
    let travel = from.unit().map(|x| -x);
    let points = plan.field_points();
    assert_eq!(points.len(), 72);
    let (mut outside, mut inside) = (0, 0);
    for (state, polarization) in solution.states[0]
        .iter()
        .zip([from.theta_hat(), from.phi_hat()])
    {
        for (point, found) in points.iter().zip(&state.near_field) {
            let far = norm(*point);
            let mut wanted = [[Complex64::ZERO; 3]; 2];
            if far > 0.41 {
                outside += 1;
                let wave = Complex64::from_polar(1.0, 2.0 * PI * dot(from.unit(), *point));
                wanted = series.scattered_field(from, polarization, *point).unwrap();
                for axis in 0..3 {
                    wanted[0][axis] += wave * polarization[axis];
                    wanted[1][axis] += wave * cross(travel, polarization)[axis];
                }
            } else if far < 0.39 {
                inside += 1;
            } else {
                continue;
            }
            let off = (0..3)
                .flat_map(|i| {
                    [
                        found.electric[i] - wanted[0][i],
                        found.magnetic[i] - wanted[1][i],
                    ]
                })
                .map(Complex64::norm)
                .fold(0.0, f64::max);
            assert!(off < 0.03, "{point:?}: {found:?} {wanted:?}");
        }
    }
    assert!(outside > 80 && inside > 10, "{outside} {inside}");
}

#[test]
fn antennas_that_make_no_sense_are_refused_in_a_sentence() {
    let (off, mesh) = strips(1, "0.47 m", "");
    let text = |spec: &Spec| Plan::new(spec, Some(mesh.clone())).unwrap_err().to_string();
    let with_port = |change: &dyn Fn(&mut DeltaGap)| {
        let mut spec = off.clone();
        let Excitation::Ports(ports) = &mut spec.excitation else {
            unreachable!("an antenna has ports")
        };
        let Port::DeltaGap(gap) = &mut ports.ports[0] else {
            unreachable!("its ports are delta gaps")
        };
        change(gap);
        text(&spec)
    };
    let said = with_port(&|gap| gap.direction = [0.0; 3]);
    assert!(said.contains("not [0, 0, 0]"), "{said}");
    let said = with_port(&|gap| gap.position[1] = Length::Meters(0.2));
    assert!(said.contains("does not intersect the conductor"), "{said}");
    let mut spec = off.clone();
    spec.excitation = Excitation::ports(Vec::new());
    assert!(text(&spec).contains("needs a port"));
    let mut spec = off.clone();
    spec.mom3d.equation = Equation::Cfie(Combination { alpha: 0.5 });
    assert!(text(&spec).contains("ports need the EFIE"));
    let mut spec = off;
    spec.near_field = Some(NearField {
        start: [Length::Meters(0.0); 3],
        stop: [Length::Meters(0.0); 3],
        points: [3, 1, 1],
    });
    assert!(text(&spec).contains("near_field"));
}
