//! Panels at corners.

use std::f64::consts::TAU;

use wavefield_mom2d::{Case, Plan, Spec};
use wavefield_numerics::observe::Silent;

/// Returns points as a list in TOML.
fn list(points: &[[f64; 2]]) -> String {
    let points: Vec<String> = (points.iter())
        .map(|[x, y]| format!("[\"{x} m\", \"{y} m\"]"))
        .collect();
    format!("[{}]", points.join(", "))
}

fn plan_from(
    phi: &str,
    shape: &str,
    points: &[[f64; 2]],
    polarization: &str,
    material: &str,
    more: &str,
) -> Plan {
    let text = format!(
        r#"
        frequency = "299792458 Hz"
        bodies = [{{ geometry = {{ shape = {shape}, points = {} }}, material = {material} }}]
        excitation = {{ kind = "plane-wave", phi = "{phi}", polarization = "{polarization}" }}
        observation = {{ kind = "bistatic", phi = {{ start = "0 deg", stop = "358 deg", step = "2 deg" }} }}
        {more}
        "#,
        list(points)
    );
    let spec: Spec = toml::from_str(&text).unwrap();
    Plan::new(&spec, Vec::new()).unwrap()
}

fn solve(plan: &Plan) -> Case {
    plan.execute(&Silent).unwrap().cases.remove(0)
}

/// Solves for an incidence at 40°; `shape` may be followed by further keys.
fn shape(shape: &str, points: &[[f64; 2]], polarization: &str, material: &str, more: &str) -> Case {
    solve(&plan_from(
        "40 deg",
        shape,
        points,
        polarization,
        material,
        more,
    ))
}

fn polygon(points: &[[f64; 2]], polarization: &str, material: &str, more: &str) -> Case {
    shape("\"polygon\"", points, polarization, material, more)
}

/// Returns the largest difference of far-field amplitudes, relative to the strongest.
fn apart(found: &Case, wanted: &Case) -> f64 {
    let strongest = wanted.amplitudes.iter().map(|f| f.norm());
    let strongest = strongest.fold(0.0, f64::max);
    (found.amplitudes.iter().zip(&wanted.amplitudes))
        .map(|(a, b)| (a - b).norm() / strongest)
        .fold(0.0, f64::max)
}

fn ellipse(count: usize, a: f64, b: f64) -> Vec<[f64; 2]> {
    (0..count)
        .map(|i| TAU * i as f64 / count as f64)
        .map(|t| [a * t.cos(), b * t.sin()])
        .collect()
}

const SQUARE: [[f64; 2]; 4] = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]];

/// Returns the settings for a number of bisections.
fn fixed(grading: usize) -> String {
    format!("mom2d.method = {{ kind = \"nystrom\", grading = {grading} }}")
}

/// Returns a NACA 0012 airfoil with a sharp trailing edge at x = 1 m, with points denser at both edges.
fn airfoil(count: usize) -> Vec<[f64; 2]> {
    let thickness = |x: f64| {
        0.6 * (0.2969 * x.sqrt() - 0.126 * x - 0.3516 * x.powi(2) + 0.2843 * x.powi(3)
            - 0.1036 * x.powi(4))
    };
    (0..count)
        .map(|i| TAU * i as f64 / count as f64)
        .map(|t| (0.5 * (1.0 + t.cos()), t.sin().signum()))
        .map(|(x, side)| [x, side * thickness(x).max(0.0)])
        .collect()
}

/// Smooth curves of 118 points, which bisections of every panel by 24 would give 47,200 unknowns.
#[test]
fn polygons_through_smooth_curves_have_four_panels_on_a_side() {
    // Four panels of eight nodes; in addition, bisections toward a sharp trailing edge and at a few blunter vertices.
    let sides = 4 * 8 * 118;
    for (points, most, polarization) in [
        (ellipse(118, 1.0, 0.4), sides, "tm"),
        (airfoil(118), sides + 2 * 24 * 8, "te"),
    ] {
        let case = polygon(&points, polarization, "\"pec\"", "");
        let refinement = case.checks.refinement.unwrap();
        assert!(case.unknowns <= most, "{}", case.unknowns);
        assert!(4 * refinement.unknowns < 3 * case.unknowns);
        // The limit of the check is 1 % of the current.
        assert!(case.checks.verdict.is_trusted());
        assert!(refinement.deviation.amplitude < 1e-4, "{refinement:?}");
        assert!(refinement.deviation.rcs_db < 0.01, "{refinement:?}");
    }
}

/// The second solution has fewer panels although the sides are shorter than a panel, and another far field.
#[test]
fn the_check_of_a_polygon_with_short_sides_is_not_vacuous() {
    let case = polygon(&ellipse(60, 0.5, 0.2), "tm", "\"pec\"", "");
    let refinement = case.checks.refinement.unwrap();
    assert_eq!([case.unknowns, refinement.unknowns], [3232, 1472]);
    assert!(refinement.deviation.amplitude > 1e-7, "{refinement:?}");
    assert!(case.checks.verdict.is_trusted(), "{refinement:?}");
}

/// Panels of a spline through dense points cannot be longer; a second solution on the same panels would deviate by nothing.
#[test]
fn a_spline_through_dense_points_has_a_second_solution_only_on_shorter_panels() {
    let estimated = |kind: &str| {
        let more = format!("mom2d.error_estimate = \"{kind}\"");
        let case = shape("\"spline\"", &ellipse(40, 0.5, 0.2), "te", "\"pec\"", &more);
        assert_eq!(case.unknowns, 320);
        case.checks
    };
    assert_eq!(estimated("coarser").refinement, None);
    let checks = estimated("finer");
    let refinement = checks.refinement.unwrap();
    assert_eq!(refinement.unknowns, 640);
    assert!(refinement.deviation.current_max > 0.0);
    assert!(checks.verdict.is_trusted());
}

/// As if every corner had 24 bisections.
#[test]
fn the_far_field_of_real_corners_needs_no_more_bisections() {
    let notched = [SQUARE[0], SQUARE[1], SQUARE[2], [0.5, 0.6], SQUARE[3]];
    for (points, material, polarization) in [
        (&SQUARE[..], "\"pec\"", "tm"),
        (&SQUARE[..], "{ permittivity = 3.0 }", "tm"),
        (&SQUARE[..], "{ surface_impedance = [0.1, 0.05] }", "te"),
        (&notched[..], "\"pec\"", "te"),
    ] {
        let [found, wanted] = ["", &fixed(24)].map(|method| {
            let more = format!("mom2d.error_estimate = \"none\"\n{method}");
            polygon(points, polarization, material, &more)
        });
        let error = apart(&found, &wanted);
        assert!(found.unknowns < wanted.unknowns);
        assert!(error < 1e-6, "{polarization} {material}: {error:e}");
    }
}

#[test]
fn a_symmetric_polygon_has_symmetric_nodes_and_fields() {
    // Mirrored at y = 0, as the incidence at 40° is by one at −40°.
    let points = airfoil(40);
    let from = |phi: &str| {
        let more = "mom2d.error_estimate = \"none\"";
        solve(&plan_from(
            phi,
            "\"polygon\"",
            &points,
            "tm",
            "\"pec\"",
            more,
        ))
    };
    let (case, other) = (from("40 deg"), from("-40 deg"));
    let strongest = case.amplitudes.iter().map(|f| f.norm());
    let strongest = strongest.fold(0.0, f64::max);
    // At φ and −φ; the first angle is 0.
    let count = case.amplitudes.len();
    for (i, a) in case.amplitudes.iter().enumerate() {
        let b = other.amplitudes[(count - i) % count];
        assert!((a - b).norm() < 1e-11 * strongest, "{a} {b}");
    }
    let nodes = case.nodes();
    for (a, b) in nodes.iter().zip(nodes.iter().rev()) {
        assert!((a.position[0] - b.position[0]).abs() < 1e-14);
        assert!((a.position[1] + b.position[1]).abs() < 1e-14);
    }
}

#[test]
fn corners_of_splines_are_graded_as_those_of_polygons() {
    let [found, wanted] = ["", &fixed(24)].map(|method| {
        let more = format!("mom2d.error_estimate = \"none\"\n{method}");
        let smooth = "\"spline\", corner_angle = \"60 deg\"";
        shape(smooth, &airfoil(60), "tm", "\"pec\"", &more)
    });
    // One panel between points, and bisections toward the trailing edge.
    assert!(found.unknowns <= 8 * 60 + 2 * 8 * 24 && found.unknowns > 8 * 60);
    assert!(apart(&found, &wanted) < 1e-6);
}

#[test]
fn a_requested_number_of_bisections_is_that_of_every_corner() {
    let count = |grading: usize| {
        let more = format!("mom2d.error_estimate = \"none\"\n{}", fixed(grading));
        plan_from("0 deg", "\"polygon\"", &SQUARE, "tm", "\"pec\"", &more).unknowns()
    };
    // Two panels of half a wavelength on each of four sides.
    for grading in [0, 5, 30] {
        assert_eq!(count(grading), 4 * (2 + 2 * grading) * 8);
    }
}
