//! Symmetric bodies: the same currents from smaller matrices, and symmetries that are refused.

use wavefield_mom3d::{Plan, Spec};
use wavefield_numerics::observe::Silent;

const TRIHEDRAL: &str = r#"{ shape = "trihedral", side = "1.2 m" }"#;
const SPHERE: &str = r#"{ shape = "sphere", radius = "0.45 m" }"#;
const THIRDS: &str = r#"mom3d.symmetry = [{ kind = "rotation", axis = [1, 1, 1], fold = 3 }]"#;

/// Returns a specification of a body of about a wavelength, with incident directions that no symmetry relates.
fn spec(target: &str, more: &str) -> Spec {
    toml::from_str(&format!(
        r#"
        frequency = "299792458 Hz"
        bodies = [{{ geometry = {target}, material = "pec" }}]
        excitation = {{ kind = "plane-wave", theta = "40 deg", phi = ["25 deg", "130 deg"] }}
        observation = {{ kind = "monostatic" }}
        mom3d.max_edge_length = "0.15 lambda"
        {more}
        "#
    ))
    .unwrap()
}

#[test]
fn one_matrix_and_the_smaller_ones_of_kinds_find_the_same_current() {
    let axes = r#"
        mom3d.symmetry = [
            { kind = "mirror", normal = [1, 0, 0] },
            { kind = "mirror", normal = [0, 1, 0] },
            { kind = "mirror", normal = [0, 0, 1] },
        ]"#;
    for (target, symmetry, images) in [
        (TRIHEDRAL, THIRDS, 3.0),
        (SPHERE, axes, 8.0),
        (SPHERE, THIRDS, 3.0),
    ] {
        let [(whole_work, whole), (work, parts)] = ["", symmetry].map(|symmetry| {
            let plan = Plan::new(&spec(target, symmetry), None).unwrap();
            (plan.work(), plan.execute(&Silent).unwrap())
        });
        let saved = whole_work.operations / work.operations;
        assert!(saved > 0.9 * images * images, "{target}: {saved}");
        let (mut apart, mut size) = (0.0, 0.0);
        for (a, b) in whole.states[0].iter().zip(&parts.states[0]) {
            for (a, b) in a.current.iter().flatten().zip(b.current.iter().flatten()) {
                apart += (a - b).norm_sqr();
                size += a.norm_sqr();
            }
        }
        let apart = f64::sqrt(apart / size);
        assert!(apart < 1e-5, "{target}: currents apart by {apart:e}");
        for (a, b) in whole.matrices.iter().zip(&parts.matrices) {
            assert!((a.vv - b.vv).norm() < 1e-5 * a.vv.norm().max(a.hh.norm()));
        }
    }
}

#[test]
fn symmetries_that_a_body_does_not_have_are_refused_in_a_sentence() {
    let third = r#"{ kind = "rotation", axis = [1, 1, 1], fold = 3 }"#;
    for (target, more, words) in [
        (
            TRIHEDRAL,
            r#"mom3d.symmetry = [{ kind = "rotation", axis = [1, 1, 1], fold = 4 }]"#,
            "is missing",
        ),
        (
            TRIHEDRAL,
            r#"mom3d.symmetry = [
                { kind = "rotation", axis = [1, 1, 1], fold = 3 },
                { kind = "mirror", normal = [1, -1, 0] },
            ]"#,
            "does not commute",
        ),
        (
            TRIHEDRAL,
            r#"mom3d.symmetry = [{ kind = "mirror", normal = [0, 0, 0] }]"#,
            "must not be [0, 0, 0]",
        ),
        (
            TRIHEDRAL,
            r#"mom3d.symmetry = [{ kind = "rotation", axis = [1, 1, 1], fold = 1 }]"#,
            "`mom3d.symmetry.fold` must lie between 2 and 64",
        ),
        (
            TRIHEDRAL,
            r#"
            mom3d.symmetry = [{ kind = "rotation", axis = [1, 1, 1], fold = 3 }]
            mom3d.linear_solver = { kind = "aim" }
            "#,
            "linear solver \"lu\"",
        ),
        (
            TRIHEDRAL,
            &format!("mom3d.symmetry = [{}]", [third; 50].join(", ")),
            "must lie between 1 and 64",
        ),
    ] {
        let refused = Plan::new(&spec(target, more), None).unwrap_err();
        assert!(refused.to_string().contains(words), "{refused}");
    }
}
