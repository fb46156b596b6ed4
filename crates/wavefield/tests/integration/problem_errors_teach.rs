//! What a person sees who made a mistake in a problem file: every mistake at once, each with its
//! place and what would be right.

use std::path::Path;

use wavefield::problem::Problem;

fn errors(text: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/problems");
    let error = Problem::parse(text, "problem.toml", &folder).expect_err("this problem is wrong");
    error.render(false, 90)
}

#[test]
fn a_misspelt_key_a_wrong_unit_and_a_missing_mesh_are_three_errors() {
    insta::assert_snapshot!(errors(
        r#"format = 1
solver = "exact"
title = "Three mistakes"
frequncy = "1 GHz"

[target]
shape = "sphere"
radius = "30 GHz"
material = "pec"

[incidence]
phi = "0 deg"

[observation]
kind = "monostatic"

[mesh]
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

[target]
shape = "sphere"
radius = "0.3"
material = "pec"

[incidence]
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

[target]
shape = "spere"
radius = "0.3 m"
material = "gold"

[incidence]

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
incidence = { phi = "0 deg" }
observation = { kind = "monostatic" }

[target]
shape = "sphere"
radius = "0.3 m"
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
method = "pulses"
equation = "efie"

[[bodies]]
shape = "circle"
radius = "1 m"
material = "pec"

[incidence]
phi = "0 deg"

[observation]
kind = "monostatic"
"#,
    );
    for wanted in [
        "`method` must be a table with `kind`, not a string",
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
mesh = {{ file = "box.msh", unit = "m" }}
volumes = {{ "my layer" = {filling} }}
surfaces = {{ huygens = "huygens", outer = "pec" }}
dipoles = [{{ position = ["31 mm", "20 mm", "40 mm"], moment = [0.0, 0.3, 1.0] }}]
"#
        )
    };
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("box.msh"), "").unwrap();
    let parsed = Problem::parse(&problem("\"absorber\""), "problem.toml", folder.path());
    assert_eq!(parsed.unwrap().files, [folder.path().join("box.msh")]);
    let error = Problem::parse(&problem("\"absorbr\""), "problem.toml", folder.path());
    let said = error.unwrap_err().render(false, 90);
    assert!(
        said.contains("absorber") && said.contains("my layer"),
        "{said}"
    );
}
