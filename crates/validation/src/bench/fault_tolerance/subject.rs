//! Small problems that are run by the command and monitored from outside.

use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use sha2::{Digest as _, Sha256};
use wavefield_dgtd::DgtdSolver;
use wavefield_physics::quantity::{Frequency, Length, Time};
use wavefield_physics::sweep::Sweep;
use wavefield_reflectarray::{ReflectarraySolver, Spacing};
use wavefield_sbr::SbrSolver;
use wavefield_solver::AnySpec;
use wavefield_solver::scene::{Body, Excitation, Geometry, Observation};

use crate::problems;
use wavefield::Error;
use wavefield::checkpoint::file::generation;
use wavefield::checkpoint::journal;
use wavefield::checkpoint::kill_point::{KillPoint, REACHED, VARIABLE};
use wavefield::this_program::this_program;

/// Returns a dihedral corner observed from 400 directions.
fn corner() -> wavefield_sbr::Spec {
    let side = Length::Meters(0.5);
    wavefield_sbr::Spec::new(
        Frequency(3e9),
        Body::pec(Geometry::dihedral(side, side)),
        Excitation::plane_wave(
            Sweep::degrees_by_count(60.0, 120.0, 20),
            Sweep::degrees_by_count(-45.0, 45.0, 20),
        ),
        Observation::Monostatic,
    )
}

/// Problem in its own folder.
pub(super) struct Subject {
    pub(super) name: &'static str,
    problem: PathBuf,
    out: PathBuf,
    /// Kill points that apply to it.
    pub(super) points: &'static [KillPoint],
}

impl Subject {
    /// Returns a DGTD run, a reflectarray synthesis, and an SBR sweep.
    pub(super) fn all(folder: &Path) -> Result<[Subject; 3], Error> {
        problems::write_box(folder, 1.0, 5)?;
        let waves_in_time = problems::dipole_in_a_box(3, Time(25e-9));
        let reflectarray = problems::reflectarray(10, Spacing::Even(Length::Wavelengths(0.55)));
        Ok([
            Subject::new(
                folder,
                "dgtd",
                AnySpec::new(&DgtdSolver, waves_in_time),
                &KillPoint::CHECKPOINT,
            )?,
            Subject::new(
                folder,
                "reflectarray",
                AnySpec::new(&ReflectarraySolver, reflectarray),
                &KillPoint::CHECKPOINT,
            )?,
            Subject::new(
                folder,
                "sbr",
                AnySpec::new(&SbrSolver, corner()),
                &KillPoint::JOURNAL,
            )?,
        ])
    }

    /// Writes a problem file.
    pub(super) fn new(
        folder: &Path,
        name: &'static str,
        spec: AnySpec,
        points: &'static [KillPoint],
    ) -> Result<Subject, Error> {
        Ok(Subject {
            name,
            problem: problems::write(folder, name, name, spec)?,
            out: folder.join(name),
            points,
        })
    }

    /// Returns the result folder, which holds its checkpoint too.
    pub(super) fn out(&self) -> &Path {
        &self.out
    }

    /// Starts a run with --resume and further options.
    pub(super) fn start(
        &self,
        options: &[&str],
        kill_point: Option<(KillPoint, u64)>,
    ) -> Result<Running, Error> {
        let mut command = Command::new(this_program()?);
        command.args(["run", "--resume", "--checkpoint-interval", "0.05", "--json"]);
        command.args(options).arg(&self.problem);
        command.arg("--out").arg(&self.out);
        // The debug log reports every save.
        command.env("RUST_LOG", "wavefield=debug");
        command.env_remove(VARIABLE);
        if let Some((point, count)) = kill_point {
            command.env(VARIABLE, format!("{}:{count}", point.name()));
        }
        let mut child = command
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|error| Error::runtime(format!("cannot start the command: {error}")))?;
        let (sender, said) = channel();
        if let Some(stderr) = child.stderr.take() {
            std::thread::spawn(move || {
                for line in BufReader::new(stderr).lines().map_while(Result::ok) {
                    if sender.send(line).is_err() {
                        return;
                    }
                }
            });
        }
        Ok(Running {
            child,
            said,
            log: Vec::new(),
            announced: Vec::new(),
            at_kill_point: false,
        })
    }

    /// Returns the amount of saved work: number of saves, or number of results.
    pub(super) fn kept(&self) -> u64 {
        let bytes = std::fs::read(self.out.join(journal::NAME)).unwrap_or_default();
        let results = journal::believed(&bytes).0.len() as u64;
        generation(&self.out).unwrap_or(0).max(results)
    }

    /// Runs it uninterrupted from the beginning; returns the digest of its result.
    pub(super) fn undisturbed(&self, options: &[&str]) -> Result<String, Error> {
        self.clear()?;
        let mut running = self.start(options, None)?;
        let status = running.wait(None)?;
        if !status.is_some_and(finished) {
            return Err(running.failed(self.name));
        }
        let digest = self.digest()?;
        self.clear()?;
        Ok(digest)
    }

    /// Returns the digest of all numbers of the result.
    pub(super) fn digest(&self) -> Result<String, Error> {
        let path = self.out.join("arrays.npz");
        let bytes = std::fs::read(&path).map_err(|error| Error::reading(&path, &error))?;
        let digest = Sha256::digest(bytes);
        Ok(digest.iter().map(|byte| format!("{byte:02x}")).collect())
    }

    /// Removes the result and all saved work.
    pub(super) fn clear(&self) -> Result<(), Error> {
        match std::fs::remove_dir_all(&self.out) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                Err(Error::writing(&self.out, &error))
            }
            _ => Ok(()),
        }
    }
}

/// Returns whether a run finished. Failed checks do not matter: a small problem is a coarse one.
pub(super) fn finished(status: ExitStatus) -> bool {
    matches!(status.code(), Some(0 | 1))
}

/// Monitored run.
pub(super) struct Running {
    pub(super) child: Child,
    said: Receiver<String>,
    log: Vec<String>,
    /// Amounts of saved work that it reported.
    pub(super) announced: Vec<u64>,
    pub(super) at_kill_point: bool,
}

impl Running {
    /// Reads its log.
    fn listen(&mut self) {
        while let Ok(line) = self.said.try_recv() {
            self.at_kill_point |= line.contains(REACHED);
            if let Some((_, kept)) = line.rsplit_once("kept ")
                && let Ok(kept) = kept.trim().parse()
            {
                self.announced.push(kept);
            }
            self.log.push(line);
        }
    }

    /// Waits until it exits, reaches its kill point, or a timeout expires; returns its exit status, if it exited.
    pub(super) fn wait(&mut self, time: Option<Duration>) -> Result<Option<ExitStatus>, Error> {
        self.wait_until(time, |_| false)
    }

    /// As `wait`, with a further condition.
    pub(super) fn wait_until(
        &mut self,
        time: Option<Duration>,
        holds: impl Fn(&Running) -> bool,
    ) -> Result<Option<ExitStatus>, Error> {
        let start = Instant::now();
        loop {
            self.listen();
            let ended = (self.child.try_wait())
                .map_err(|error| Error::runtime(format!("cannot wait for a run: {error}")))?;
            if ended.is_some() {
                // The last lines may still arrive.
                std::thread::sleep(Duration::from_millis(2));
                self.listen();
                return Ok(ended);
            }
            let over = time.is_some_and(|time| start.elapsed() >= time);
            if over || self.at_kill_point || holds(self) {
                return Ok(None);
            }
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    /// Kills it, and reads the rest of its log.
    pub(super) fn kill(&mut self) -> Result<(), Error> {
        let lost = |error: std::io::Error| Error::runtime(format!("cannot kill a run: {error}"));
        self.child.kill().map_err(lost)?;
        self.child.wait().map_err(lost)?;
        std::thread::sleep(Duration::from_millis(2));
        self.listen();
        Ok(())
    }

    /// Creates the error of a failed run with its last message.
    pub(super) fn failed(&self, name: &str) -> Error {
        let last = self.log.iter().rev().take(3).rev().cloned();
        Error::runtime(format!(
            "the run of {name} failed: {}",
            last.collect::<Vec<_>>().join(" | ")
        ))
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // It may have exited.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
