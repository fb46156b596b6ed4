//! Runs of several processes under `mpirun` are bitwise identical to runs of one process; a command built without MPI
//! refuses to start several times.

use std::path::Path;

use super::fault_tolerance::SWEEP;

fn wavefield(folder: &Path) -> std::process::Command {
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_wavefield"));
    command.current_dir(folder);
    command
}

#[cfg(not(feature = "mpi"))]
#[test]
fn a_program_without_mpi_refuses_to_be_started_many_times() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("problem.toml"), SWEEP).unwrap();
    let mut command = wavefield(folder.path());
    let output = command.arg("run").env("OMPI_COMM_WORLD_SIZE", "2").output();
    let output = output.unwrap();
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("--features mpi"), "{said}");
    assert!(!folder.path().join("result").exists());
}

#[cfg(feature = "mpi")]
fn arrays(folder: &Path) -> Vec<u8> {
    std::fs::read(folder.join("arrays.npz")).unwrap()
}

#[cfg(feature = "mpi")]
fn mpirun(count: u32, folder: &Path, arguments: &[&str]) -> std::process::Output {
    let program = wavefield(folder).get_program().to_owned();
    std::process::Command::new("mpirun")
        .args([
            "--oversubscribe",
            "--allow-run-as-root",
            "--bind-to",
            "none",
            "-n",
        ])
        .arg(count.to_string())
        .arg(program)
        .args(arguments)
        .current_dir(folder)
        .output()
        .unwrap()
}

#[cfg(feature = "mpi")]
#[test]
fn processes_of_mpirun_share_a_mesh_bit_by_bit() {
    let folder = tempfile::tempdir().unwrap();
    let output = wavefield(folder.path())
        .args(["bench", "scale/mpi-short"])
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
}

#[cfg(feature = "mpi")]
#[test]
fn processes_of_mpirun_share_a_sweep_and_fail_together() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("problem.toml"), SWEEP).unwrap();
    let output = mpirun(
        3,
        folder.path(),
        &["run", "--threads", "1", "--out", "many"],
    );
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    let one = wavefield(folder.path())
        .args(["run", "--out", "one"])
        .output();
    assert!(one.unwrap().status.success());
    let [many, one] = ["many", "one"].map(|name| arrays(&folder.path().join(name)));
    assert!(many == one);
    // Rank 0 finds a non-empty folder that is no result; the other ranks end with it.
    std::fs::create_dir(folder.path().join("full")).unwrap();
    std::fs::write(folder.path().join("full/letter.txt"), "dear").unwrap();
    let output = mpirun(
        2,
        folder.path(),
        &["run", "--threads", "1", "--out", "full"],
    );
    assert!(!output.status.success());
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("is not empty"), "{said}");
}
