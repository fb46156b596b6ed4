//! End-to-end tests of the command: the binary, its files, its exit codes.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::{Duration, Instant};

use serde_json::Value;
use wavefield::examples::{EXAMPLES, Expected, Sample};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .canonicalize()
        .unwrap()
}

fn wavefield(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_wavefield"));
    command
        .current_dir(folder)
        .args(arguments)
        .env("NO_COLOR", "1")
        .env("COLUMNS", "90");
    command
}

fn output(folder: &Path, arguments: &[&str]) -> Output {
    wavefield(folder, arguments).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn json_lines(output: &Output) -> Vec<Value> {
    text(&output.stdout)
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

#[test]
fn new_and_run_leave_a_result_and_a_report_within_two_seconds() {
    let folder = tempfile::tempdir().unwrap();
    let start = Instant::now();
    assert!(
        output(folder.path(), &["new", "exact/sphere"])
            .status
            .success()
    );
    let run = output(folder.path(), &["run"]);
    assert!(run.status.success(), "{}", text(&run.stderr));
    assert!(
        start.elapsed() < Duration::from_secs(2),
        "{:?}",
        start.elapsed()
    );
    let result = folder.path().join("result");
    for name in [
        "result.json",
        "rcs.csv",
        "frequencies.csv",
        "arrays.npz",
        "problem.toml",
        "report.html",
    ] {
        assert!(result.join(name).is_file(), "{name} is missing");
    }
    let record: Value =
        serde_json::from_slice(&std::fs::read(result.join("result.json")).unwrap()).unwrap();
    for key in [
        "program",
        "conventions",
        "problem_sha256",
        "device",
        "accuracy",
    ] {
        assert!(!record[key].is_null(), "{key} is not stamped");
    }
    let table = std::fs::read_to_string(result.join("rcs.csv")).unwrap();
    assert!(table.starts_with(
        "frequency[Hz],theta_i[deg],phi_i[deg],theta[deg],phi[deg],vv_re[m],vv_im[m]"
    ));
    assert_eq!(table.lines().count(), 722);
    assert!(
        text(&run.stdout).is_empty(),
        "progress and summary belong on stderr"
    );
}

#[test]
fn a_report_made_anew_is_the_report_of_the_run() {
    let folder = tempfile::tempdir().unwrap();
    output(folder.path(), &["new", "exact/cylinder"]);
    assert!(output(folder.path(), &["run"]).status.success());
    let page = folder.path().join("result/report.html");
    let first = std::fs::read_to_string(&page).unwrap();
    std::fs::remove_file(&page).unwrap();
    assert!(output(folder.path(), &["report"]).status.success());
    let second = std::fs::read_to_string(&page).unwrap();
    // The time taken to write the result is known only after it is written.
    let figures = |page: &str| {
        page[page.find("id=\"figures\"").unwrap()..page.find("id=\"problem\"").unwrap()].to_owned()
    };
    assert_eq!(figures(&first), figures(&second));
    assert!(!first.contains("http://") && !first.contains("https://") || only_names(&first));
}

/// Addresses in the page are XML namespaces only; the page fetches nothing.
fn only_names(page: &str) -> bool {
    page.match_indices("http").all(|(at, _)| {
        let address: String = page[at..]
            .chars()
            .take_while(|c| !"\"'` )\\".contains(*c))
            .collect();
        !address.contains("://") || address.starts_with("http://www.w3.org/")
    })
}

// Examples whose recorded values are tested elsewhere: those of the README in `.ci/first_runs.py`, those of `sbr` with
// their validation below. Longer ones run by name (`wavefield validate`): dgtd/sphere, reflectarray/europe-71, and
// reflectarray/conus-40, -42, and -44, whose solvers have tests with smaller problems; dgtd/almond and dgtd/helix,
// which `validate/dgtd/against_mom.rs` runs in reduced form.
#[test]
fn every_example_of_exact_solutions_reproduces_its_recorded_values() {
    reproduced(|name| name.starts_with("exact/"));
}

#[test]
fn a_vibrating_plate_reproduces_its_recorded_values() {
    reproduced(|name| name == "holography/plate");
}

/// One polarization only, which halves the time.
#[test]
fn a_lens_in_tm_reproduces_its_recorded_values() {
    one_polarization("mom2d/lens", "tm");
}

#[test]
fn a_lens_in_te_reproduces_its_recorded_values() {
    one_polarization("mom2d/lens", "te");
}

#[test]
fn a_wing_in_tm_reproduces_its_recorded_values() {
    one_polarization("mom2d/wing", "tm");
}

#[test]
fn a_wing_in_te_reproduces_its_recorded_values() {
    one_polarization("mom2d/wing", "te");
}

#[test]
fn a_plate_and_a_dipole_by_their_surface_current_reproduce_their_recorded_values() {
    reproduced(|name| ["mom3d/plate", "mom3d/dipole"].contains(&name));
}

fn one_polarization(example: &str, polarization: &str) {
    let kind = "kind = \"plane-wave\"";
    let edit = format!("{kind}\npolarization = \"{polarization}\"");
    reproduced_in_part(
        |name| name == example,
        &[(kind, &edit)],
        |sample| sample.array.contains(&format!("/{polarization}_")),
    );
}

/// Checks and runs examples, and compares them with the recorded values.
fn reproduced(chosen: impl Fn(&str) -> bool) {
    reproduced_in_part(chosen, &[], |_| true);
}

/// As [`reproduced`], with edits of the problem and for selected recorded values.
fn reproduced_in_part(
    chosen: impl Fn(&str) -> bool,
    edits: &[(&str, &str)],
    compared: impl Fn(&Sample) -> bool,
) {
    let folder = tempfile::tempdir().unwrap();
    for example in EXAMPLES.iter().filter(|example| chosen(example.name)) {
        example.write_files(folder.path()).unwrap();
        let mut text = example.problem.to_owned();
        for (from, to) in edits {
            assert!(text.contains(from), "{} has no {from}", example.name);
            text = text.replace(from, to);
        }
        let problem = wavefield::problem::Problem::parse(&text, example.name, folder.path())
            .unwrap_or_else(|error| panic!("{}", error.render(false, 90)));
        let observer = wavefield_numerics::observe::Silent;
        let (record, outcome) =
            wavefield::run::run(&problem, &wavefield::run::Options::default(), &observer).unwrap();
        assert!(
            record.checks.iter().all(wavefield::outcome::Check::passes),
            "{}: {:?}",
            example.name,
            record.checks
        );
        let mut expected = Expected::of(example).unwrap();
        expected.sample.retain(&compared);
        assert!(!expected.sample.is_empty(), "{}", example.name);
        for sample in &expected.sample {
            let found = outcome.array(&sample.array).unwrap().as_real().unwrap()[sample.index];
            assert!(
                (found - sample.value).abs() <= sample.tolerance,
                "{}: {}[{}] is {found}, recorded {}",
                example.name,
                sample.array,
                sample.index,
                sample.value
            );
        }
    }
}

#[test]
fn the_resolved_problem_is_a_problem_with_the_same_hash() {
    let folder = tempfile::tempdir().unwrap();
    for example in EXAMPLES {
        example.write_files(folder.path()).unwrap();
        let problem =
            wavefield::problem::Problem::parse(example.problem, example.name, folder.path())
                .unwrap();
        let again =
            wavefield::problem::Problem::parse(&problem.resolved(), "resolved", folder.path())
                .unwrap();
        assert_eq!(problem.hash(), again.hash(), "{}", example.name);
        assert_eq!(problem.spec, again.spec);
    }
}

#[test]
fn the_same_problem_gives_the_same_bytes_on_any_number_of_threads() {
    let folder = tempfile::tempdir().unwrap();
    output(folder.path(), &["new", "exact/sphere-coated"]);
    let mut tables = Vec::new();
    for threads in ["1", "2", "3"] {
        let out = format!("result-{threads}");
        assert!(
            output(folder.path(), &["run", "--threads", threads, "--out", &out])
                .status
                .success()
        );
        tables.push(std::fs::read(folder.path().join(out).join("rcs.csv")).unwrap());
    }
    assert!(tables[0] == tables[1] && tables[1] == tables[2]);
}

#[test]
fn misspelled_commands_and_solvers_are_corrected() {
    let folder = tempfile::tempdir().unwrap();
    let wrong = |arguments: &[&str]| {
        let output = output(folder.path(), arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        text(&output.stderr)
    };
    for (written, meant) in [
        ("rnu", "run"),
        ("ran", "run"),
        ("nwe", "new"),
        ("chekc", "check"),
        ("validte", "validate"),
        ("reprot", "report"),
        ("convetr", "convert"),
        ("doctro", "doctor"),
    ] {
        let said = wrong(&[written]);
        let tip = format!("a similar subcommand exists: '{meant}'");
        assert!(said.contains(&tip), "{written}: {said}");
    }
    let said = wrong(&["fly"]);
    assert!(!said.contains("similar"), "{said}");
    let example = EXAMPLES
        .iter()
        .find(|example| example.name == "exact/sphere");
    for (written, meant) in [("exat", "exact"), ("mom33d", "mom3d"), ("dtgd", "dgtd")] {
        let problem = (example.unwrap().problem)
            .replace("solver = \"exact\"", &format!("solver = \"{written}\""));
        std::fs::write(folder.path().join("problem.toml"), problem).unwrap();
        for command in ["check", "run"] {
            let said = wrong(&[command]);
            assert!(said.contains(&format!("did you mean `{meant}`")), "{said}");
        }
    }
}

#[test]
fn bad_input_exits_with_two_and_says_what_to_do() {
    let folder = tempfile::tempdir().unwrap();
    for (arguments, said) in [
        (&["run"][..], "wavefield new exact/sphere"),
        (&["new", "exact/spher"], "did you mean `exact/sphere`"),
        (&["run", "--device", "gpu:", "x.toml"], "gpu:NAME"),
        (&["validate", "nothing/*"], "exact/austin-sphere"),
        (&["convert", "missing.stl"], "missing.stl"),
        (&["report"], "no result in result"),
    ] {
        let output = output(folder.path(), arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(
            text(&output.stderr).contains(said),
            "{arguments:?}: {}",
            text(&output.stderr)
        );
    }
    assert!(
        output(folder.path(), &["new", "exact/sphere"])
            .status
            .success()
    );
    assert_eq!(
        output(folder.path(), &["new", "exact/sphere"])
            .status
            .code(),
        Some(2)
    );
    assert_eq!(
        output(folder.path(), &["run", "--device", "gpu"])
            .status
            .code(),
        Some(2)
    );
    for threads in ["0", "99999999999"] {
        let refused = output(folder.path(), &["run", "--threads", threads]);
        assert_eq!(refused.status.code(), Some(2), "{threads}");
        assert!(
            text(&refused.stderr).contains("threads"),
            "{}",
            text(&refused.stderr)
        );
    }
    std::fs::create_dir(folder.path().join("mine")).unwrap();
    std::fs::write(folder.path().join("mine/thesis.tex"), "years of work").unwrap();
    let refused = output(folder.path(), &["run", "--out", "mine"]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(folder.path().join("mine/thesis.tex").exists());
}

#[test]
fn a_result_is_replaced_whole_and_strangers_are_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let result = folder.path().join("result");
    output(folder.path(), &["new", "exact/sphere"]);
    assert!(output(folder.path(), &["run"]).status.success());
    output(folder.path(), &["new", "exact/cylinder", "--force"]);
    assert!(output(folder.path(), &["run"]).status.success());
    assert!(result.join("scattering_width.csv").is_file() && !result.join("rcs.csv").exists());
    let stranger = folder.path().join("stranger");
    std::fs::create_dir(&stranger).unwrap();
    std::fs::write(stranger.join("result.json"), "{\"mine\": 1}").unwrap();
    let refused = output(folder.path(), &["run", "--out", "stranger"]);
    assert_eq!(refused.status.code(), Some(2));
    assert_eq!(
        std::fs::read_to_string(stranger.join("result.json")).unwrap(),
        "{\"mine\": 1}"
    );
    assert_eq!(
        output(folder.path(), &["run", "--out", "problem.toml"])
            .status
            .code(),
        Some(2)
    );
}

#[test]
fn strange_materials_and_small_bodies_end_well() {
    let folder = tempfile::tempdir().unwrap();
    let sphere = wavefield::examples::Example::find("exact/sphere")
        .unwrap()
        .problem;
    for (from, to, code) in [
        (
            "material = \"pec\"",
            "material = { permittivity = 1e300 }",
            2,
        ),
        (
            "material = \"pec\"",
            "material = { permittivity = [1.0, -1e20] }",
            2,
        ),
        ("material = \"pec\"", "material = \"vacuum\"", 2),
        (
            "material = \"pec\"",
            "material = { permittivity = 4.0, permeability = 4.0 }",
            0,
        ),
        ("radius = \"30 cm\"", "radius = \"1 um\"", 0),
        ("step = \"0.5 deg\"", "count = -1", 2),
        ("theta = \"90 deg\"", "theta = \"200 deg\"", 2),
    ] {
        assert!(sphere.contains(from));
        std::fs::write(folder.path().join("problem.toml"), sphere.replace(from, to)).unwrap();
        let run = output(folder.path(), &["run"]);
        assert_eq!(run.status.code(), Some(code), "{to}: {}", text(&run.stderr));
        if code == 0 {
            assert!(output(folder.path(), &["report"]).status.success(), "{to}");
        }
    }
}

#[test]
fn a_sweep_that_makes_no_sense_is_refused_with_its_key() {
    let folder = tempfile::tempdir().unwrap();
    let sphere = wavefield::examples::Example::find("exact/sphere")
        .unwrap()
        .problem;
    for (from, to, said) in [
        (
            "step = \"0.5 deg\"",
            "step = \"0.7 deg\"",
            "`observation.phi`",
        ),
        ("step = \"0.5 deg\"", "count = 99999999", "between 1 and"),
        (
            "radius = \"30 cm\"",
            "radius = \"-30 cm\"",
            "`bodies.0.geometry.radius` must be positive",
        ),
        ("radius = \"30 cm\"", "radius = \"300 km\"", "ka"),
        (
            "material = \"pec\"",
            "material = { permittivity = [2.0, 0.5] }",
            "negative",
        ),
    ] {
        assert!(sphere.contains(from));
        std::fs::write(folder.path().join("problem.toml"), sphere.replace(from, to)).unwrap();
        let output = output(folder.path(), &["check"]);
        assert_eq!(output.status.code(), Some(2), "{to}");
        assert!(
            text(&output.stderr).contains(said),
            "{to}: {}",
            text(&output.stderr)
        );
    }
}

#[test]
fn an_injected_device_fault_exits_with_three() {
    for fault in ["device-lost", "validation", "out-of-memory"] {
        let output = wavefield(&root(), &["validate", "compute/chunking", "--json"])
            .env("WAVEFIELD_FAULT", fault)
            .output()
            .unwrap();
        assert_eq!(
            output.status.code(),
            Some(3),
            "{fault}: {}",
            text(&output.stderr)
        );
        assert!(
            text(&output.stdout).is_empty(),
            "a faulty device must not produce output"
        );
        assert!(
            text(&output.stderr).contains("device failure"),
            "{}",
            text(&output.stderr)
        );
    }
}

#[test]
fn validation_of_the_exact_solver_passes_on_every_case() {
    let output = output(&root(), &["validate", "exact/*", "--json"]);
    let lines = json_lines(&output);
    let names: Vec<&str> = lines
        .iter()
        .map(|line| line["case"].as_str().unwrap())
        .collect();
    for example in EXAMPLES.iter().filter(|e| e.name.starts_with("exact/")) {
        assert!(
            names.contains(&example.name),
            "{} is not validated",
            example.name
        );
    }
    for line in &lines {
        if line.get("skipped").is_some() {
            eprintln!("SKIPPED: {line}");
            assert!(
                std::env::var_os("CI").is_none(),
                "in CI the data must be there: {line}"
            );
            continue;
        }
        assert_eq!(line["pass"], true, "{line}");
        assert!(!line["limits"].as_object().unwrap().is_empty(), "{line}");
    }
}

fn ray_cases_pass(names: &[&str]) {
    for case in names {
        let run = output(&root(), &["validate", &format!("sbr/{case}"), "--json"]);
        let lines = json_lines(&run);
        assert_eq!(lines.len(), 1, "{case}");
        assert_eq!(lines[0]["pass"], true, "{}", lines[0]);
    }
}

#[test]
fn validation_of_the_ray_solver_passes_on_plates_and_corners() {
    ray_cases_pass(&["plate", "dihedral", "trihedral", "austin-plate"]);
}

#[test]
fn validation_of_the_ray_solver_passes_on_spheres() {
    ray_cases_pass(&["sphere", "coated-sphere"]);
}

#[test]
fn validation_of_the_reflectarray_solver_passes_on_its_short_cases() {
    for case in ["gradient", "directivity"] {
        let output = output(
            &root(),
            &["validate", &format!("reflectarray/{case}"), "--json"],
        );
        let lines = json_lines(&output);
        assert_eq!(lines.len(), 1);
        assert_eq!(lines[0]["pass"], true, "{}", lines[0]);
        assert!(!lines[0]["limits"].as_object().unwrap().is_empty());
    }
}

#[test]
fn short_benchmarks_of_integral_equations_are_near_their_series() {
    let output = output(&root(), &["bench", "mom?d/*-short", "--json"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let lines = json_lines(&output);
    assert_eq!(lines.len(), 2);
    for line in lines {
        assert_eq!(line["pass"], true, "{line}");
    }
}

#[test]
fn every_case_tells_limits_of_correctness_before_it_runs() {
    for (command, least) in [("validate", 70), ("bench", 25)] {
        let listed = output(&root(), &[command, "--list", "--json"]);
        assert_eq!(listed.status.code(), Some(0), "{}", text(&listed.stderr));
        let lines = json_lines(&listed);
        assert!(lines.len() >= least, "{} of {command}", lines.len());
        for line in lines {
            let limits = line["limits"].as_object().unwrap();
            assert!(!limits.is_empty(), "{line}");
            let times = line["time_limits"].as_object().unwrap();
            assert!(
                times.keys().all(|name| !limits.contains_key(name)),
                "{line}"
            );
            for limit in limits.values().chain(times.values()) {
                let sense: Vec<&String> = limit.as_object().unwrap().keys().collect();
                assert!(
                    ["at_most", "at_least"].contains(&sense[0].as_str()),
                    "{line}"
                );
                assert!(limit[sense[0]].is_f64(), "{line}");
            }
            assert!(!line["about"].as_str().unwrap().is_empty());
        }
    }
}

/// The remaining cases take longer: `wavefield validate` runs them by name, and the tests of their crates use smaller
/// sizes.
#[test]
fn short_validation_cases_pass() {
    for case in ["compute/sum", "nufft/kaiser-bessel"] {
        let output = output(&root(), &["validate", case, "--json"]);
        let lines = json_lines(&output);
        assert_eq!(lines.len(), 1, "{case}");
        assert_eq!(lines[0]["pass"], true, "{}", lines[0]);
    }
}

#[test]
fn doctor_lists_processor_and_adapters() {
    let lines = json_lines(&output(&root(), &["doctor", "--json"]));
    assert!(lines[0]["cpu"]["simd"].is_string());
    let adapters = lines[0]["adapters"].as_array().unwrap();
    assert!(
        !adapters.is_empty(),
        "GPU tests do not skip: install mesa-vulkan-drivers"
    );
    for key in [
        "f64",
        "f32_atomics",
        "subgroup_sizes",
        "timestamps",
        "max_storage_binding_bytes",
        "accuracy",
    ] {
        assert!(adapters[0].get(key).is_some(), "{key}");
    }
}

#[test]
fn a_mesh_of_the_body_is_measured_against_it() {
    let folder = tempfile::tempdir().unwrap();
    let mesh = wavefield::mesh::primitive::sphere(300.0, 60.0).unwrap();
    let mut bytes = Vec::new();
    wavefield::mesh::write_stl_binary(&mesh, &mut bytes).unwrap();
    std::fs::write(folder.path().join("sphere.stl"), bytes).unwrap();
    let problem = wavefield::examples::Example::find("exact/sphere")
        .unwrap()
        .problem;
    let with_unit =
        |unit: &str| format!("{problem}\n[exact.mesh]\nfile = \"sphere.stl\"\nunit = \"{unit}\"\n");
    std::fs::write(folder.path().join("problem.toml"), with_unit("mm")).unwrap();
    let good = output(folder.path(), &["run"]);
    assert!(good.status.success(), "{}", text(&good.stderr));
    // In centimeters the mesh is ten times too large, and the check fails.
    std::fs::write(folder.path().join("problem.toml"), with_unit("cm")).unwrap();
    let bad = output(folder.path(), &["run"]);
    assert_eq!(bad.status.code(), Some(1));
    assert!(text(&bad.stderr).contains("distance of mesh vertices from the exact surface"));
}

#[test]
fn meshes_convert_between_formats() {
    let folder = tempfile::tempdir().unwrap();
    let mesh = wavefield::mesh::primitive::cuboid([1.0, 2.0, 3.0], 0.5).unwrap();
    let mut bytes = Vec::new();
    wavefield::mesh::write_stl_binary(&mesh, &mut bytes).unwrap();
    std::fs::write(folder.path().join("box.stl"), bytes).unwrap();
    for (from, to) in [
        ("box.stl", "box.obj"),
        ("box.obj", "box.msh"),
        ("box.msh", "box.vtu"),
    ] {
        let converted = output(folder.path(), &["convert", from, to, "--json"]);
        assert!(converted.status.success(), "{}", text(&converted.stderr));
        let report = &json_lines(&converted)[0];
        assert_eq!(report["watertight"], true);
        assert!((report["volume"].as_f64().unwrap() - 6.0).abs() < 1e-6);
    }
    assert_eq!(
        output(folder.path(), &["convert", "box.stl", "box.docx"])
            .status
            .code(),
        Some(2)
    );
}

#[test]
fn man_pages_are_written_for_every_command() {
    let folder = tempfile::tempdir().unwrap();
    assert!(output(folder.path(), &["man", "man"]).status.success());
    let page = |name: &str| std::fs::read_to_string(folder.path().join("man").join(name)).unwrap();
    assert!(page("wavefield.1").contains("Exit codes"));
    assert!(page("wavefield-run.1").contains("resume"));
}

#[test]
fn figures_are_written_as_files_that_stand_alone() {
    let folder = tempfile::tempdir().unwrap();
    assert!(
        output(folder.path(), &["new", "exact/sphere"])
            .status
            .success()
    );
    assert!(output(folder.path(), &["run"]).status.success());
    assert!(
        output(folder.path(), &["report", "--figures"])
            .status
            .success()
    );
    let figures = folder.path().join("result/figures");
    let text = std::fs::read_to_string(figures.join("1-bistatic-radar-cross-section.svg")).unwrap();
    assert!(text.starts_with("<svg xmlns=") && !text.contains("var("));
    // A run without figures removes those of a previous one.
    assert!(output(folder.path(), &["run"]).status.success());
    assert_eq!(std::fs::read_dir(&figures).unwrap().count(), 0);
}

#[test]
fn completions_and_schema_are_printed() {
    let folder = tempfile::tempdir().unwrap();
    assert!(text(&output(folder.path(), &["completions", "bash"]).stdout).contains("wavefield"));
    let schema: Value = serde_json::from_slice(&output(folder.path(), &["schema"]).stdout).unwrap();
    assert!(schema["$defs"].is_object());
    let list = text(&output(folder.path(), &["new", "--list"]).stdout);
    assert_eq!(list.lines().count(), EXAMPLES.len());
    assert!(list.lines().all(|line| line.split('/').count() == 2));
}
