//! Tetrahedral meshes and surfaces from Gmsh, run as an external program.
//!
//! Gmsh is found as `$WAVEFIELD_GMSH`, or as `gmsh` on the path (the Python wheel and the system's package both install
//! it). It works in a temporary folder and receives scripts made by `wavefield_mesh::gmsh` only: nothing in a problem
//! file is executed, and a user's file is copied there under a fixed name.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use wavefield_mesh::gmsh::Task;
use wavefield_mesh::{AnyMesh, Limits, read_msh};
use wavefield_numerics::observe::Observer;

use crate::Error;
use crate::temporary_folder::TemporaryFolder;

/// Returns the Gmsh program.
pub fn program() -> PathBuf {
    std::env::var_os("WAVEFIELD_GMSH").map_or_else(|| PathBuf::from("gmsh"), PathBuf::from)
}

/// Returns the version of Gmsh, if it is installed.
pub fn version() -> Option<String> {
    let folder = TemporaryFolder::new().ok()?;
    let output = at_home(&mut Command::new(program()), folder.path())
        .arg("--version")
        .stdin(Stdio::null())
        .output()
        .ok()?;
    // Some builds print the version on stderr.
    let text = [output.stdout, output.stderr].concat();
    let text = String::from_utf8_lossy(&text);
    let line = text
        .lines()
        .map(str::trim)
        .find(|line| line.starts_with(|c: char| c.is_ascii_digit()))?;
    Some(line.to_owned())
}

/// Runs Gmsh on a task in a temporary folder and reads the mesh it writes.
///
/// # Errors
/// Gmsh is missing or fails, or the run was stopped.
pub fn generate(task: &Task, observer: &dyn Observer) -> Result<AnyMesh, Error> {
    let folder = TemporaryFolder::new()?;
    for file in &task.files {
        let path = folder.path().join(file.name);
        std::fs::write(&path, &file.bytes).map_err(|error| Error::writing(&path, &error))?;
    }
    let mesh = folder.path().join("result.msh");
    let script = folder.path().join(task.files[0].name);
    run(&script, task.dimension, &mesh, observer)?;
    let bytes = std::fs::read(&mesh)
        .map_err(|error| Error::runtime(format!("Gmsh wrote no mesh: {error}")))?;
    let loaded = read_msh(&bytes, &Limits::default())
        .map_err(|error| Error::runtime(format!("cannot read the mesh from Gmsh: {error}")))?;
    Ok(loaded.mesh)
}

fn run(script: &Path, dimension: u8, mesh: &Path, observer: &dyn Observer) -> Result<(), Error> {
    let log = script.with_extension("log");
    let file = std::fs::File::create(&log).map_err(|error| Error::writing(&log, &error))?;
    let errors = file
        .try_clone()
        .map_err(|error| Error::writing(&log, &error))?;
    let mut command = dying_with_parent(&program());
    // Ctrl-C on a terminal must reach this process only, which then stops Gmsh.
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    let mut child = at_home(&mut command, mesh.parent().unwrap_or(mesh))
        .arg(format!("-{dimension}"))
        .args(["-format", "msh41", "-bin", "-nopopup", "-v", "2"])
        // One thread, so that the mesh is the same on every machine.
        .args(["-nt", "1", "-o"])
        .arg(mesh)
        .arg(script)
        .stdin(Stdio::null())
        .stdout(file)
        .stderr(errors)
        .spawn()
        .map_err(|error| {
            Error::runtime(format!(
                "cannot start {}: {error}; install Gmsh (`pip install gmsh`, or the system's package `gmsh`) \
                 or set WAVEFIELD_GMSH to its path",
                program().display()
            ))
        })?;
    let start = Instant::now();
    loop {
        let finished = child
            .try_wait()
            .map_err(|error| Error::runtime(format!("cannot wait for Gmsh: {error}")))?;
        if let Some(status) = finished {
            let said = std::fs::read(&log).map_err(|error| {
                Error::runtime(format!("cannot read the output of Gmsh: {error}"))
            })?;
            let said = String::from_utf8_lossy(&said);
            return match complaint(&said) {
                None if status.success() => Ok(()),
                Some(complaint) => Err(Error::runtime(format!(
                    "Gmsh meshing failed; check for touching or intersecting surfaces. Gmsh reports:\n{complaint}"
                ))),
                None => {
                    let skipped = said.lines().count().saturating_sub(5);
                    let tail: Vec<&str> = said.lines().skip(skipped).collect();
                    Err(Error::runtime(format!(
                        "Gmsh failed ({status}):\n{}",
                        tail.join("\n")
                    )))
                }
            };
        }
        if observer.stop_requested() {
            // Gmsh may have exited meanwhile; after the wait it is gone in either case.
            let _ = child.kill();
            let _ = child.wait();
            return Err(Error::interrupted());
        }
        // Poll quickly for small meshes, then rarely.
        let pause = if start.elapsed() < Duration::from_secs(1) {
            5
        } else {
            50
        };
        std::thread::sleep(Duration::from_millis(pause));
    }
}

/// Makes a folder the home of Gmsh: options of the user would change the mesh, and Gmsh writes its log of a fatal error,
/// and its toolkit its preferences, there. Python still finds a wheel that was installed for the user.
fn at_home<'a>(command: &'a mut Command, folder: &Path) -> &'a mut Command {
    let of_user = std::env::var_os("HOME").filter(|_| std::env::var_os("PYTHONUSERBASE").is_none());
    if let Some(home) = of_user {
        command.env("PYTHONUSERBASE", Path::new(&home).join(".local"));
    }
    command.env("GMSH_HOME", folder).env("HOME", folder)
}

/// Returns a command that the system kills when this process dies, even by SIGKILL, so that no Gmsh is left behind. Linux
/// only, where `setpriv` of util-linux sets the parent-death signal.
fn dying_with_parent(program: &Path) -> Command {
    static SETPRIV: LazyLock<bool> = LazyLock::new(|| {
        cfg!(target_os = "linux")
            && (Command::new("setpriv").args(["--pdeathsig", "KILL", "true"]))
                .stdin(Stdio::null())
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .status()
                .is_ok_and(|status| status.success())
    });
    // A program that is missing must fail to start, so that the message says so.
    if !is_found(program) || !*SETPRIV {
        return Command::new(program);
    }
    let mut command = Command::new("setpriv");
    command.args(["--pdeathsig", "KILL", "--"]).arg(program);
    command
}

/// Returns whether a program exists at its path, or in a folder of the search path.
fn is_found(program: &Path) -> bool {
    if program.components().count() > 1 {
        return program.is_file();
    }
    let folders = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&folders).any(|folder| folder.join(program).is_file())
}

/// Returns the errors in the output of Gmsh, which its exit status does not report.
fn complaint(said: &str) -> Option<String> {
    let errors: Vec<&str> = (said.lines())
        .filter_map(|line| {
            Some(
                line.strip_prefix("Error")?
                    .trim_start()
                    .strip_prefix(':')?
                    .trim(),
            )
        })
        // The rest is a summary between rules.
        .take_while(|error| !error.starts_with("---"))
        .take(5)
        .collect();
    (!errors.is_empty()).then(|| errors.join("\n"))
}
