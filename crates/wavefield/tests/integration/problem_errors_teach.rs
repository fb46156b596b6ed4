//! Error reports of problem files: all errors at once, each with its position and remedy.

use std::path::Path;

use wavefield::problem::{Document, Problem};

fn errors(text: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/problems");
    let error = Problem::parse(text, "problem.toml", &folder).expect_err("this problem is wrong");
    error.render(false, 90)
}

#[test]
fn a_misspelled_key_a_wrong_unit_and_a_missing_mesh_are_three_errors() {
    insta::assert_snapshot!(errors(
        r#"format = 1
solver = "exact"
title = "Three mistakes"
frequncy = "1 GHz"

[[bodies]]
geometry = { shape = "sphere", radius = "30 GHz" }
material = "pec"

[excitation]
kind = "plane-wave"
phi = "0 deg"

[observation]
kind = "monostatic"

[exact.mesh]
file = "spere.stl"
unit = "mm"
"#
    ));
}

#[test]
fn a_number_without_a_unit_is_refused_with_an_example() {
    insta::assert_snapshot!(errors(
        r#"format = 1
solver = "exact"
frequency = 1e9

[[bodies]]
geometry = { shape = "sphere", radius = "0.3" }
material = "pec"

[excitation]
kind = "plane-wave"
phi = "0 deg"

[observation]
kind = "monostatic"
"#
    ));
}

#[test]
fn wrong_choices_and_missing_keys_name_what_is_possible() {
    insta::assert_snapshot!(errors(
        r#"format = 1
solver = "exact"
frequency = "1 GHz"

[[bodies]]
geometry = { shape = "spere", radius = "0.3 m" }
material = "gold"

[excitation]
kind = "plane-wave"

[observation]
kind = "bistatic"
phi = { start = "0 deg", stop = "90 deg", steps = 10 }
"#
    ));
}

#[test]
fn a_material_is_a_name_or_a_table() {
    insta::assert_snapshot!(errors(
        r#"format = 1
solver = "exact"
frequency = "1 GHz"
excitation = { kind = "plane-wave", phi = "0 deg" }
observation = { kind = "monostatic" }

[[bodies]]
geometry = { shape = "sphere", radius = "0.3 m" }
material = 4.0
"#
    ));
}

#[test]
fn broken_toml_is_shown_where_it_breaks() {
    insta::assert_snapshot!(errors(
        "format = 1\nsolver = \"exact\nfrequency = \"1 GHz\"\n"
    ));
}

#[test]
fn other_solvers_and_formats_are_said_to_be_unknown() {
    insta::assert_snapshot!(errors("format = 1\nsolver = \"exakt\"\n"));
    insta::assert_snapshot!(errors("format = 7\nsolver = \"exact\"\n"));
    insta::assert_snapshot!(errors("title = \"nothing else\"\n"));
}

#[test]
fn former_names_of_solvers_are_told_by_their_new_ones() {
    for (former, now) in [("mom", "mom2d"), ("mom-3d", "mom3d")] {
        let found = errors(&format!("format = 1\nsolver = \"{former}\"\n"));
        assert!(
            found.contains(&format!("`{former}` is now `{now}`")),
            "{found}"
        );
    }
}

#[test]
fn a_choice_with_settings_that_is_written_as_a_word_is_told_how_to_write_it() {
    let found = errors(
        r#"format = 1
solver = "mom2d"
frequency = "300 MHz"

[[bodies]]
geometry = { shape = "circle", radius = "1 m" }
material = "pec"

[excitation]
kind = "plane-wave"
phi = "0 deg"

[mom2d]
method = "pulses"
equation = "efie"

[observation]
kind = "monostatic"
"#,
    );
    for wanted in [
        "`mom2d.method` must be a table with `kind`, not a string",
        "write `method = { kind = \"pulse\" }`",
        "write `equation = { kind = \"efie\" }`",
        "possible: `efie`, `mfie`, `cfie`",
    ] {
        assert!(found.contains(wanted), "{found}");
    }
    assert!(!found.contains("null"), "{found}");
}

#[test]
fn groups_of_a_mesh_go_by_the_users_own_names() {
    let problem = |filling: &str| {
        format!(
            r#"format = 1
solver = "dgtd"
frequency = "300 MHz"

[excitation]
kind = "dipoles"
dipoles = [{{ position = ["31 mm", "20 mm", "40 mm"], moment = [0.0, 0.3, 1.0] }}]

[dgtd]
mesh = {{ file = "box.msh", unit = "m" }}
volumes = {{ "my layer" = {filling} }}
surfaces = {{ huygens = "huygens", outer = "pec" }}
"#
        )
    };
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("box.msh"), "").unwrap();
    let parsed = Problem::parse(&problem("\"pml\""), "problem.toml", folder.path());
    assert_eq!(parsed.unwrap().files, [folder.path().join("box.msh")]);
    let error = Problem::parse(&problem("\"pmll\""), "problem.toml", folder.path());
    let said = error.unwrap_err().render(false, 90);
    assert!(
        said.contains("`pml`") && said.contains("my layer"),
        "{said}"
    );
}

/// Three semantic errors and three misspelled keys, reported together.
#[test]
fn semantic_errors_are_told_together_with_misspelled_keys() {
    insta::assert_snapshot!(errors(
        r#"format = 1
solver = "sbr"
titel = "Six mistakes"
frequency = { start = "9 GHz", stop = "10 GHz", step = "0.3 GHz" }

[[bodies]]
geometry = { shape = "dihedral", width = "1 m", height = "-1 m", opening = "60 deg" }
material = "pec"

[excitation]
kind = "plane-wave"
theta = { start = "0 deg", stop = "200 deg", count = 11 }
phi = "0 deg"

[observation]
kind = "monostatic"

[sbr]
rays = { step = 0.1 }
"#
    ));
}

#[test]
fn keys_that_were_renamed_are_told_by_their_new_names() {
    let found = errors(
        r#"format = 1
solver = "sbr"
frequency = "1 GHz"
edges = true

[target]
shape = "plate"

[incidence]
phi = "0 deg"

[observation]
kind = "monostatic"
"#,
    );
    for wanted in [
        "`target` is now `bodies`",
        "`incidence` is now `excitation`",
        "`edges` is now `sbr.edge_diffraction`",
    ] {
        assert!(found.contains(wanted), "{found}");
    }
}

#[test]
fn a_solver_that_cannot_treat_something_names_those_that_can() {
    insta::assert_snapshot!(errors(
        r#"format = 1
solver = "sbr"
frequency = "1 GHz"

[[bodies]]
geometry = { shape = "helix", radius = "5 mm", pitch = "8 mm", turns = 3, width = "3 mm", gap = "1 mm", ground_radius = "10 mm", ground_mesh_size = "2 mm" }
material = { permittivity = 2.5 }

[excitation]
kind = "dipoles"
dipoles = [{ position = ["0 m", "0 m", "0 m"], moment = [0, 0, 1] }]

[observation]
kind = "far-field"
phi = "0 deg"
"#
    ));
}

#[test]
fn files_for_several_solvers_say_how_one_is_chosen() {
    let text = r#"format = 1
solvers = ["exact", { solver = "sbr", name = "coarse rays", sbr = { rays = { spacing = 0.5 } } }, "sbr"]
frequency = "1 GHz"

[[bodies]]
geometry = { shape = "sphere", radius = "0.3 m" }
material = "pec"

[excitation]
kind = "plane-wave"
phi = "0 deg"

[observation]
kind = "monostatic"

[sbr.rays]
spacing = 0.1
max_bounces = 4
"#;
    let found = errors(text);
    assert!(
        found.contains("choose one with --solver") && found.contains("exact, coarse rays, sbr"),
        "{found}"
    );
    let document = Document::parse(text, "problem.toml", Path::new("")).unwrap();
    let rays = |name: &str| {
        let problem = document.problem(Some(name)).unwrap();
        let spec: &wavefield_sbr::Spec = problem.spec.downcast().unwrap();
        (spec.sbr.rays.spacing, spec.sbr.rays.max_bounces)
    };
    assert_eq!(rays("sbr"), (0.1, 4));
    assert_eq!(rays("coarse rays"), (0.5, 4));
    let names: Vec<String> = (document.problems().unwrap().into_iter())
        .map(|(name, _)| name)
        .collect();
    assert_eq!(names, ["exact", "coarse rays", "sbr"]);
    let twice = text.replace(", name = \"coarse rays\"", "");
    assert!(errors(&twice).contains("duplicate name `sbr` in `solvers`"));
}
