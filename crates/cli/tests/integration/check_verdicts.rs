//! `wavefield check` on six bodies as users bring them: its verdicts, each with the key to change.

use std::path::Path;
use std::process::{Command, Output};
use std::time::{Duration, Instant};

use wavefield_mesh::{TriangleMesh, primitive, write_stl_binary};

const TIME_LIMIT: Duration = Duration::from_secs(5);

fn check(mesh: &TriangleMesh, unit: &str, solver: &str, frequency: &str) -> Output {
    let folder = tempfile::tempdir().unwrap();
    let mut bytes = Vec::new();
    write_stl_binary(mesh, &mut bytes).unwrap();
    std::fs::write(folder.path().join("body.stl"), bytes).unwrap();
    let problem = format!(
        "format = 1\nsolver = \"{solver}\"\nfrequency = \"{frequency}\"\n[[bodies]]\nmaterial = \"pec\"\n\
         geometry = {{ shape = \"mesh\", file = \"body.stl\", unit = \"{unit}\" }}\n\
         [excitation]\nkind = \"plane-wave\"\ntheta = \"90 deg\"\nphi = \"0 deg\"\n\
         [observation]\nkind = \"monostatic\"\n"
    );
    std::fs::write(folder.path().join("problem.toml"), problem).unwrap();
    let start = Instant::now();
    let output = wavefield(folder.path(), &["check"]);
    let time = start.elapsed();
    assert!(time < TIME_LIMIT, "{time:?}");
    // A run is refused exactly where the check fails; it stops before the work.
    if !output.status.success() {
        let run = wavefield(folder.path(), &["run"]);
        assert_eq!(run.status.code(), Some(2));
        assert!(!folder.path().join("result").exists());
    }
    output
}

fn wavefield(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_wavefield"))
        .current_dir(folder)
        .args(arguments)
        .output()
        .unwrap()
}

/// Returns the exit code and the verdicts, without the lines that depend on the machine.
fn verdicts(output: &Output) -> String {
    let text = String::from_utf8_lossy(&output.stderr);
    let kept = text.lines().filter(|line| {
        let of_machine = ["device", "ok      memory", "ok      time", "size"];
        !line.is_empty() && !of_machine.iter().any(|start| line.starts_with(start))
    });
    let mut lines = vec![format!("exit code {}", output.status.code().unwrap())];
    lines.extend(kept.map(str::to_owned));
    lines.join("\n")
}

/// A sphere of 20 cm diameter with edges of 1 cm, a tenth of the wavelength at 3 GHz.
fn sphere() -> TriangleMesh {
    primitive::sphere(0.1, 0.01).unwrap()
}

fn scaled(mut mesh: TriangleMesh, factor: f64) -> TriangleMesh {
    mesh.scale(factor);
    mesh
}

#[test]
fn millimeters_read_as_meters_are_an_error() {
    let output = check(&scaled(sphere(), 1000.0), "m", "mom3d", "3 GHz");
    insta::assert_snapshot!(verdicts(&output));
}

#[test]
fn meters_read_as_millimeters_are_an_error() {
    let output = check(&sphere(), "mm", "sbr", "3 GHz");
    insta::assert_snapshot!(verdicts(&output));
}

#[test]
fn holes_are_an_error() {
    let mut mesh = sphere();
    mesh.triangles.drain(100..103);
    mesh.group_of.drain(100..103);
    insta::assert_snapshot!(verdicts(&check(&mesh, "m", "mom3d", "3 GHz")));
}

#[test]
fn flipped_normals_are_a_warning() {
    let mut mesh = sphere();
    for triangle in &mut mesh.triangles[..40] {
        triangle.swap(1, 2);
    }
    insta::assert_snapshot!(verdicts(&check(&mesh, "m", "mom3d", "3 GHz")));
}

#[test]
fn a_coarse_mesh_is_a_warning_and_then_an_error() {
    let coarse = |frequency| verdicts(&check(&sphere(), "m", "mom3d", frequency));
    insta::assert_snapshot!(coarse("9 GHz"));
    insta::assert_snapshot!(coarse("24 GHz"));
}

#[test]
fn a_body_of_too_many_unknowns_is_an_error() {
    let mesh = primitive::sphere(0.1, 0.0015).unwrap();
    insta::assert_snapshot!(verdicts(&check(&mesh, "m", "mom3d", "20 GHz")));
}

#[test]
fn termination_stops_a_check_within_a_second() {
    let folder = tempfile::tempdir().unwrap();
    // Planning takes long: many unknowns, which the iterative solver accepts.
    let problem = "format = 1\nsolver = \"mom3d\"\nfrequency = \"3 GHz\"\n[[bodies]]\nmaterial = \"pec\"\n\
         geometry = { shape = \"sphere\", radius = \"1.5 m\" }\n[excitation]\nkind = \"plane-wave\"\n\
         theta = \"90 deg\"\nphi = \"0 deg\"\n[observation]\nkind = \"monostatic\"\n\
         [mom3d]\nlinear_solver = { kind = \"aim\" }\n";
    std::fs::write(folder.path().join("problem.toml"), problem).unwrap();
    let mut check = Command::new(env!("CARGO_BIN_EXE_wavefield"))
        .current_dir(folder.path())
        .arg("check")
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::null())
        .spawn()
        .unwrap();
    std::thread::sleep(Duration::from_millis(500));
    assert!(check.try_wait().unwrap().is_none(), "planning is too short");
    let id = check.id().to_string();
    let start = Instant::now();
    assert!(
        Command::new("kill")
            .args(["-TERM", &id])
            .status()
            .unwrap()
            .success()
    );
    let status = check.wait().unwrap();
    assert_eq!(status.code(), Some(130));
    let time = start.elapsed();
    assert!(time < Duration::from_secs(1), "{time:?}");
}
