//! GMRES with the dense matrix.

use wavefield_mom2d::{Case, Error, Plan, Spec};
use wavefield_numerics::krylov::KrylovError;
use wavefield_numerics::observe::Silent;

/// Solves a conductor with corners, a circular conductor, and a dielectric side by side.
fn solve(polarization: &str, linear_solver: &str) -> Result<Case, Error> {
    let text = format!(
        r#"
        frequency = "300 MHz"
        bodies = [
            {{ geometry = {{ shape = "polygon", points = [["0 m", "0 m"], ["1 m", "0 m"], ["1 m", "1 m"], ["0 m", "1 m"]] }}, material = "pec" }},
            {{ geometry = {{ shape = "circle", radius = "0.5 m", center = ["3 m", "0 m"] }}, material = "pec" }},
            {{ geometry = {{ shape = "ellipse", semi_axes = ["0.6 m", "0.3 m"], center = ["0 m", "3 m"] }}, material = {{ permittivity = 3.0 }} }},
        ]
        excitation = {{ kind = "plane-wave", phi = "30 deg", polarization = "{polarization}" }}
        observation = {{ kind = "bistatic", phi = {{ start = "0 deg", stop = "350 deg", step = "10 deg" }} }}
        mom2d.error_estimate = "none"
        mom2d.method = {{ kind = "nystrom", grading = 24 }}
        mom2d.linear_solver = {{ {linear_solver} }}
        "#
    );
    let spec: Spec = toml::from_str(&text).unwrap();
    let solution = Plan::new(&spec, Vec::new())?.execute(&Silent)?;
    Ok(solution.cases.into_iter().next().unwrap())
}

#[test]
fn gmres_finds_the_solution_of_lu() {
    let [found, wanted] = ["gmres", "lu"].map(|kind| {
        let kind = format!("kind = \"{kind}\"");
        solve("tm", &kind).unwrap()
    });
    assert!(found.checks.iterations.unwrap() < 100);
    let largest = wanted.amplitudes.iter().map(|f| f.norm());
    let largest = largest.fold(0.0, f64::max);
    for (a, b) in found.amplitudes.iter().zip(&wanted.amplitudes) {
        assert!((a - b).norm() < 1e-8 * largest, "{a} {b}");
    }
}

/// In TE, panels graded to corners give a condition number of 10⁹, for which one Krylov basis is too short; the residual still
/// must not exceed that of the zero solution.
#[test]
fn residuals_do_not_rise_where_convergence_is_slow() {
    let kind = "kind = \"gmres\", restart = 200, max_iterations = 200";
    match solve("te", kind) {
        Err(Error::Iteration(KrylovError::NotConverged {
            iterations: 200,
            residual,
            ..
        })) => assert!(residual < 0.96, "{residual}"),
        other => panic!("{other:?}"),
    }
}
