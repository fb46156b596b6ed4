//! Exit codes of `wavefield run`: 1 without convergence, 3 after a device fault, for every solver in which either can
//! occur.

use std::path::Path;
use std::process::{Command, Output};

use wavefield::mesh::primitive::open_tetrahedral_box;
use wavefield::mesh::write_msh_volume;
use wavefield_gpu::lu::GpuLuError;
use wavefield_numerics::krylov::KrylovError;

const MOM_2D: &str = r#"
solver = "mom2d"
frequency = "300 MHz"
bodies = [{ geometry = { shape = "circle", radius = "0.5 m" }, material = "pec" }]
excitation = { kind = "plane-wave", phi = "180 deg", polarization = "tm" }
observation = { kind = "monostatic" }
"#;

const MOM_3D: &str = r#"
solver = "mom3d"
frequency = "300 MHz"
bodies = [{ geometry = { shape = "plate", width = "1 m", height = "1 m" }, material = "pec", mesh_size = "0.2 lambda" }]
excitation = { kind = "plane-wave", theta = "30 deg", phi = "0 deg" }
observation = { kind = "monostatic" }
"#;

const SBR: &str = r#"
solver = "sbr"
frequency = "3 GHz"
bodies = [{ geometry = { shape = "plate", width = "0.3 m", height = "0.3 m" }, material = "pec" }]
excitation = { kind = "plane-wave", theta = "30 deg", phi = "0 deg" }
observation = { kind = "monostatic" }
"#;

const DGTD: &str = r#"
solver = "dgtd"
frequency = "300 MHz"
excitation = { kind = "dipoles", dipoles = [{ position = ["31 mm", "20 mm", "40 mm"], moment = [0.0, 0.3, 1.0] }] }
observation = { kind = "far-field", theta = ["30 deg"], phi = ["10 deg"] }
[dgtd]
order = 1
mesh = { file = "box.msh", unit = "m" }
volumes = { layer = "pml" }
surfaces = { huygens = "huygens", outer = "pec" }
stop = { energy_decay = 0.0, max_time = "1 ns" }
"#;

const HOLOGRAPHY: &str = r#"
solver = "holography"
frequency = ["1 kHz"]
hologram_z = "5 cm"
reconstruction_z = "1 cm"
array = { columns = 8, rows = 8, pitch = "25 mm" }
[measurement]
kind = "simulated"
seed = 1
sources = [{ kind = "monopole", center = ["-10 cm", "5 cm"], volume_velocity = 2e-5 }]
"#;

fn run(folder: &Path, problem: &str, device: &str, fault: Option<&str>) -> Output {
    let path = folder.join("problem.toml");
    std::fs::write(&path, format!("format = 1\n{problem}")).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_wavefield"));
    command
        .current_dir(folder)
        .args(["run", "--device", device])
        .env("NO_COLOR", "1");
    if let Some(fault) = fault {
        command.env("WAVEFIELD_FAULT", fault);
    }
    command.output().unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// A fault after the device is opened gives exit code 3 and no result; without a fault the same command writes a
/// result.
fn device_faults_exit_with_three(problem: &str) {
    let folder = tempfile::tempdir().unwrap();
    let mesh = open_tetrahedral_box([1.2; 3], [6; 3], 1, 1).unwrap();
    let mut file = std::fs::File::create(folder.path().join("box.msh")).unwrap();
    write_msh_volume(&mesh, &mut file).unwrap();
    let record = folder.path().join("result/result.json");
    for fault in ["device-lost", "validation", "out-of-memory"] {
        let output = run(folder.path(), problem, "gpu", Some(fault));
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(3), "{fault}: {said}");
        assert!(said.contains("device failure"), "{fault}: {said}");
        assert!(!record.exists(), "{fault}: no number may leave it");
    }
    let output = run(folder.path(), problem, "gpu", None);
    let said = stderr(&output);
    assert!(matches!(output.status.code(), Some(0 | 1)), "{said}");
    assert!(record.exists(), "{said}");
}

#[test]
fn device_faults_exit_with_three_in_mom2d() {
    device_faults_exit_with_three(MOM_2D);
}

#[test]
fn device_faults_exit_with_three_in_mom3d() {
    device_faults_exit_with_three(MOM_3D);
}

#[test]
fn device_faults_exit_with_three_in_sbr() {
    device_faults_exit_with_three(SBR);
}

#[test]
fn device_faults_exit_with_three_in_dgtd() {
    device_faults_exit_with_three(DGTD);
}

#[test]
fn device_faults_exit_with_three_in_holography() {
    device_faults_exit_with_three(HOLOGRAPHY);
}

/// GMRES that stops at its iteration limit, or stagnates because its restart is too short: exit code 1, not 2 (bad input).
#[test]
fn iterations_without_convergence_exit_with_one() {
    let short = r#"max_iterations = 2, restart = 2, tolerance = 1e-6"#;
    let said = "after 2 iterations";
    for (name, problem, table, kind) in [
        ("mom2d GMRES", MOM_2D, "mom2d", "gmres"),
        ("mom2d MLFMA", MOM_2D, "mom2d", "mlfma"),
        ("mom3d AIM", MOM_3D, "mom3d", "aim"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let solver =
            format!("{problem}[{table}]\nlinear_solver = {{ kind = \"{kind}\", {short} }}\n");
        let output = run(folder.path(), &solver, "cpu", None);
        assert_eq!(output.status.code(), Some(1), "{name}: {}", stderr(&output));
        assert!(
            stderr(&output).contains(said),
            "{name}: {}",
            stderr(&output)
        );
        assert!(!folder.path().join("result/result.json").exists(), "{name}");
    }
}

/// Errors that a small problem does not provoke reliably.
#[test]
fn stagnation_and_failed_refinement_are_no_bad_input() {
    let stagnated = || KrylovError::Stagnated {
        iterations: 10,
        residual: 0.5,
        before: 0.5,
        restart: 5,
    };
    let refined = GpuLuError::NotRefined {
        steps: 3,
        residual: 0.1,
    };
    let in_2d = wavefield_mom2d::Error::from(stagnated());
    let in_3d = wavefield_mom3d::Error::from(stagnated());
    let refined = wavefield_mom2d::Error::from(refined);
    for (failure, code) in [
        (wavefield::Error::from(in_2d), 1),
        (wavefield::Error::from(refined), 1),
        (wavefield::Error::from(in_3d), 1),
    ] {
        assert_eq!(failure.exit_code(), code, "{failure}");
    }
}
