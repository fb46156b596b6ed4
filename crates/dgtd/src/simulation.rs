//! Time-domain simulation: sources, recording of the fields, checkpoints, and stopping criteria.

use serde::{Deserialize, Serialize};
use wavefield_numerics::observe::{Cancelled, Observer, Progress};

use crate::discretization::Discretization;
use crate::engine::Engine;
use crate::error::Error;
use crate::flux::Fields;
use crate::near_to_far::NearToFarField;
use crate::port::Port;
use crate::runge_kutta::{A, B, C};
use crate::snapshot::{Frame, SnapshotRecorder, weighted};
use crate::source::{Source, SourceTerms};
use crate::spectrum::{Kept, Spectrum};
use crate::surface_current::SurfaceCurrent;

/// Time steps between two evaluations of the energy.
const LOOK: u64 = 20;
/// Energy, relative to its peak while sources were active, above which time stepping is unstable.
const GROWTH: f64 = 10.0;

/// Elements up to this many times as thick as the thinnest one are reported as a probable cause of instability.
const THIN: f64 = 1.5;

/// Name of the time steps in progress events.
const STEPS: &str = "time steps";
/// Name of the time steps at the next lower order in progress events.
pub(crate) const LOWER_ORDER_STEPS: &str = "time steps at lower order";

/// Stopping criteria of a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct End {
    /// Energy at which the run stops, relative to its peak.
    pub decay: f64,
    /// Maximum time, m.
    pub time: f64,
}

/// Recorder of the fields at a point.
#[derive(Clone, Debug)]
pub struct Probe {
    /// Element and node of every basis function of the element that contains the point.
    nodes: Vec<(u32, u16)>,
    /// Interpolation weights of the nodes.
    weights: Vec<f64>,
    /// Fields after each time step.
    pub record: Vec<Fields>,
}

impl Probe {
    /// Creates a probe at a point, m.
    ///
    /// # Errors
    /// The point lies outside the mesh.
    pub fn new(d: &Discretization, point: [f64; 3]) -> Result<Probe, Error> {
        let (element, barycentric) = d.locate(point).ok_or(Error::Outside { point })?;
        let nodes = 0..d.reference.nodes() as u16;
        Ok(Probe {
            nodes: nodes.map(|node| (element as u32, node)).collect(),
            weights: d.reference.interpolation(barycentric),
            record: Vec::new(),
        })
    }
}

/// State of a run between two time steps, except for the fields; a restored run is bitwise identical to an
/// uninterrupted one.
///
/// The Runge–Kutta register is not part of it, since the first stage of a step overwrites the register.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct SimulationState {
    steps: u64,
    peak: f64,
    energies: Vec<[f64; 2]>,
    /// Number of elements per checkpoint section of fields; `None` if the run has ended and no fields are saved.
    pub(crate) portion: Option<u64>,
    /// Spectra of the near-to-far-field transformation and of the surface currents.
    spectra: [Kept; 2],
    frames: Vec<Frame>,
    records: Vec<Vec<Fields>>,
    voltages: Vec<Vec<f64>>,
}

/// A time-domain simulation in progress; times are lengths (c = 1).
pub struct Simulation<'a> {
    /// Engine that holds and advances the fields.
    pub engine: Box<dyn Engine + 'a>,
    discretization: &'a Discretization,
    /// Sources with buffers for their terms.
    drives: Vec<(Source, SourceTerms)>,
    /// Lumped ports with buffers for their terms.
    ports: Vec<(Port, SourceTerms)>,
    /// Near-to-far-field transformation.
    pub transform: Option<NearToFarField>,
    /// Surface currents on conductors.
    pub current: Option<SurfaceCurrent>,
    /// Recorder of snapshots.
    pub animation: Option<SnapshotRecorder>,
    /// Time steps between two samples of the running Fourier transforms.
    pub sampling: u64,
    /// Time steps after which spectra are sampled for extrapolation.
    pub(crate) remembered: Vec<u64>,
    /// Probes of the fields.
    pub probes: Vec<Probe>,
    /// Time step, m.
    pub dt: f64,
    /// Number of time steps so far.
    pub steps: u64,
    /// Peak energy so far.
    pub peak: f64,
    /// Time (m) and energy at each evaluation.
    pub energies: Vec<[f64; 2]>,
    /// Name of the stage in progress events.
    pub(crate) stage: &'static str,
}

impl<'a> Simulation<'a> {
    /// Creates a simulation at time zero.
    pub fn new(
        discretization: &'a Discretization,
        engine: Box<dyn Engine + 'a>,
        dt: f64,
    ) -> Simulation<'a> {
        Simulation {
            engine,
            discretization,
            drives: Vec::new(),
            ports: Vec::new(),
            transform: None,
            current: None,
            animation: None,
            sampling: 1,
            remembered: Vec::new(),
            probes: Vec::new(),
            dt,
            steps: 0,
            peak: 0.0,
            energies: Vec::new(),
            stage: STEPS,
        }
    }

    /// Returns the current time, m.
    pub fn time(&self) -> f64 {
        self.steps as f64 * self.dt
    }

    /// Adds a source.
    pub fn drive(&mut self, drive: Source) {
        let room = drive.additions();
        self.drives.push((drive, room));
    }

    /// Adds a port.
    pub fn port(&mut self, port: Port) {
        let room = port.additions(self.discretization);
        self.ports.push((port, room));
    }

    /// Returns the ports with their recorded voltages.
    pub fn ports(&self) -> impl Iterator<Item = &Port> {
        self.ports.iter().map(|(port, _)| port)
    }

    /// Advances the fields by one time step.
    pub fn step(&mut self) {
        let time = self.time();
        let mut fields = Vec::new();
        for stage in 0..5 {
            let now = time + C[stage] * self.dt;
            for (port, additions) in &mut self.ports {
                self.engine.fields_at(port.watched(), &mut fields);
                let voltage = port.write(self.discretization, now, &fields, additions);
                if stage == 0 {
                    port.voltages.push(voltage);
                }
            }
            self.engine.stage(A[stage], B[stage], self.dt);
            for (_, additions) in &self.ports {
                self.engine.add(additions, B[stage], self.dt);
            }
            for (drive, additions) in &mut self.drives {
                if time <= drive.end() {
                    drive.write(now, additions);
                    self.engine.add(additions, B[stage], self.dt);
                }
            }
        }
        self.steps += 1;
    }

    /// Returns the state of the run for a checkpoint, without a portion size once it has ended.
    pub(crate) fn simulation_state(&self, ended: bool) -> SimulationState {
        SimulationState {
            steps: self.steps,
            peak: self.peak,
            energies: self.energies.clone(),
            portion: (!ended).then(|| self.engine.portion() as u64),
            spectra: [
                (self.transform.as_ref()).map_or_else(Kept::default, |t| t.spectrum.kept()),
                (self.current.as_ref()).map_or_else(Kept::default, |c| c.spectrum.kept()),
            ],
            frames: (self.animation.as_ref())
                .map_or(Vec::new(), |animation| animation.frames.clone()),
            records: self
                .probes
                .iter()
                .map(|probe| probe.record.clone())
                .collect(),
            voltages: self
                .ports
                .iter()
                .map(|(port, _)| port.voltages.clone())
                .collect(),
        }
    }

    /// Restores the state of a run from a checkpoint; the fields are restored separately.
    pub(crate) fn restore(&mut self, simulation_state: SimulationState) {
        self.steps = simulation_state.steps;
        self.peak = simulation_state.peak;
        self.energies = simulation_state.energies;
        let [far, current] = simulation_state.spectra;
        if let Some(transform) = &mut self.transform {
            transform.spectrum.restore(far);
        }
        if let Some(currents) = &mut self.current {
            currents.spectrum.restore(current);
        }
        if let Some(animation) = &mut self.animation {
            animation.frames = simulation_state.frames;
        }
        for (probe, record) in self.probes.iter_mut().zip(simulation_state.records) {
            probe.record = record;
        }
        for ((port, _), voltages) in self.ports.iter_mut().zip(simulation_state.voltages) {
            port.voltages = voltages;
        }
    }

    /// Records spectra, snapshots, and probes after a time step.
    fn watch(&mut self, fields: &mut Vec<Fields>) {
        let (time, span) = (self.time(), self.dt * self.sampling as f64);
        if self.steps.is_multiple_of(self.sampling) {
            let remembered = self.remembered.contains(&self.steps);
            let far = self.transform.as_mut().map(|t| &mut t.spectrum);
            let current = self.current.as_mut().map(|c| &mut c.spectrum);
            for spectrum in far.into_iter().chain(current) {
                self.engine.fields_at(spectrum.watched(), fields);
                spectrum.add(time, span, fields);
                if remembered {
                    spectrum.sample();
                }
            }
        }
        if let Some(animation) = &mut self.animation
            && animation.is_due(self.steps)
        {
            animation.take(self.discretization, time, &self.engine.state());
        }
        for probe in &mut self.probes {
            self.engine.fields_at(&probe.nodes, fields);
            probe.record.push(weighted(fields, &probe.weights));
        }
    }

    /// Returns the time at which all sources have ended, m.
    pub(crate) fn silent(&self) -> f64 {
        let drives = self.drives.iter().map(|(drive, _)| drive.end());
        let ports = self.ports.iter().map(|(port, _)| port.end());
        drives.chain(ports).fold(0.0, f64::max)
    }

    /// Estimates the number of time steps of the run from the decay of the energy so far: exponential after its peak, and
    /// as long as the excitation before a decay is seen. `last` is the maximum.
    fn expected_steps(&self, end: End, silent: f64, last: u64) -> u64 {
        let Some(&[now, energy]) = self.energies.last() else {
            return last;
        };
        if end.decay <= 0.0 {
            return last;
        }
        let peak = (self.energies.iter())
            .max_by(|a, b| a[1].total_cmp(&b[1]))
            .map_or(now, |[time, _]| *time);
        // Half of the decay so far: early modes decay faster than those that last.
        let middle = 0.5 * (peak.max(silent) + now);
        let since = self.energies.iter().find(|[time, _]| *time >= middle);
        let rate = since.map_or(0.0, |[time, then]| (then / energy).ln() / (now - time));
        let more = if now > silent && rate.is_finite() && rate > 0.0 {
            (energy / (end.decay * self.peak)).ln() / rate
        } else {
            (2.0 * silent - now).max(0.1 * now)
        };
        let steps = ((now + more.max(0.0)) / self.dt).ceil() as u64;
        steps.clamp(self.steps.min(last), last)
    }

    /// Extrapolates the spectra to infinite time, if the run was truncated during free decay.
    ///
    /// Returns the largest relative change of a spectrum if its last sample is omitted.
    pub(crate) fn extrapolate(&mut self) -> Option<f64> {
        self.free_decay_start()?;
        let far = self.transform.as_mut().map(|t| &mut t.spectrum);
        let current = self.current.as_mut().map(|c| &mut c.spectrum);
        let spectra = far.into_iter().chain(current);
        Some(spectra.map(Spectrum::extrapolate).fold(0.0, f64::max))
    }

    /// Returns the first time step of free decay, if spectra are to be extrapolated and the run was truncated.
    pub(crate) fn free_decay_start(&self) -> Option<u64> {
        let (first, last) = (self.remembered.first()?, self.remembered.last()?);
        (self.steps >= *last).then_some(*first)
    }

    /// Returns the error of an unstable run, with the position and the probable cause.
    fn diverged(&self, energy: f64) -> Error {
        let d = self.discretization;
        let nodes = d.reference.nodes();
        let state = self.engine.state();
        // NaN counts as the largest value.
        let strength = |element: usize| {
            let fields = state.fields[element * nodes..(element + 1) * nodes].as_flattened();
            let values = fields.as_flattened().iter();
            values.fold(0.0, |most: f64, x| match x.abs() {
                size if size.is_finite() => most.max(size),
                _ => f64::INFINITY,
            })
        };
        let strongest = (0..d.elements()).max_by(|&a, &b| strength(a).total_cmp(&strength(b)));
        let element = strongest.unwrap_or(0);
        let thickness = |element: usize| d.geometry[element].inradius();
        let thinnest = (0..d.elements()).map(thickness).fold(f64::MAX, f64::min);
        let corners = d.corners(element);
        Error::Diverged {
            step: self.steps,
            growth: energy / self.peak,
            element: d.original[element],
            place: std::array::from_fn(|axis| corners.iter().map(|c| c[axis]).sum::<f64>() / 4.0),
            in_layer: element >= d.first_layer,
            thin: thickness(element) <= THIN * thinnest,
        }
    }

    /// Runs until a stopping criterion is met.
    ///
    /// # Errors
    /// The run was canceled, time stepping is unstable, or the engine failed.
    pub fn run(&mut self, end: End, observer: &dyn Observer) -> Result<(), Error> {
        self.run_kept(end, observer, &|| false, &|_| Ok(()))
    }

    /// Runs like [`run`](Simulation::run), and calls `keep` whenever a checkpoint is due and when the run is canceled.
    pub(crate) fn run_kept(
        &mut self,
        end: End,
        observer: &dyn Observer,
        is_due: &dyn Fn() -> bool,
        keep: &dyn Fn(&Simulation<'a>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let silent = self.silent();
        let animationed = self.animation.as_ref().map_or(0, SnapshotRecorder::last);
        let last = ((end.time / self.dt).ceil() as u64).max(animationed);
        if self.steps == 0 {
            self.peak = self.engine.energy();
        }
        let mut fields = Vec::new();
        while self.steps < last {
            self.step();
            self.watch(&mut fields);
            let looks = self.steps.is_multiple_of(LOOK);
            // Agreement among processes costs a message, so a stop is requested at evaluations of the energy only.
            let mut stop = (looks || self.engine.is_alone()) && observer.stop_requested();
            if !looks && !stop {
                continue;
            }
            let mut keeps = stop || is_due();
            [stop, keeps] = self.engine.agree([stop, keeps]);
            let energy = self.engine.energy();
            self.engine.fault()?;
            if !energy.is_finite() || (self.time() > silent && energy > GROWTH * self.peak) {
                return Err(self.diverged(energy));
            }
            if looks {
                self.energies.push([self.time(), energy]);
                self.peak = self.peak.max(energy);
                let expected = self.expected_steps(end, silent, last);
                observer.progress(&Progress {
                    residual: Some(energy / self.peak),
                    ..Progress::new(self.stage, self.steps, expected)
                });
                let gone = energy <= end.decay * self.peak;
                if self.time() > silent && self.steps >= animationed && gone {
                    break;
                }
            }
            // A stop takes effect between two evaluations too; the fields were checked above, so the checkpoint is
            // sound.
            if keeps {
                keep(self)?;
            }
            if stop {
                return Err(Cancelled.into());
            }
        }
        self.engine.fault()?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use wavefield_mesh::primitive::tetrahedral_box;
    use wavefield_numerics::observe::Silent;

    use super::*;
    use crate::reference::State;
    use crate::{PhysicalGroups, ReferenceEngine};

    #[test]
    fn fields_that_grow_are_stopped_and_told_where() {
        let mut mesh = tetrahedral_box([1.0; 3], [3; 3], [0; 3]).unwrap();
        // Moves a plane of points so that the tetrahedra behind it become thin.
        for point in &mut mesh.points {
            if (point[0] - 1.0 / 6.0).abs() < 1e-9 {
                point[0] = 0.45;
            }
        }
        let d = Discretization::new(&mesh, 2, &PhysicalGroups::vacuum(&mesh)).unwrap();
        let start = State::from_fn(&d, |[x, y, z]| [[x, y * z, 0.3], [z, -x, y]]);
        let mut engine = ReferenceEngine::new(&d);
        engine.set(&start);
        // Thin tetrahedra beside larger ones are stable up to nearly twice the step of a layer of thin ones.
        let dt = 2.0 * crate::stable_step(&d);
        let mut simulation = Simulation::new(&d, Box::new(engine), dt);
        let end = End {
            decay: 0.0,
            time: 1e4 * dt,
        };
        let error = simulation.run_kept(end, &Silent, &|| true, &|simulation| {
            // Every checkpoint holds finite fields.
            let state = simulation.engine.state();
            let sound = (state.fields.as_flattened().as_flattened().iter()).all(|x| x.is_finite());
            assert!(sound);
            Ok(())
        });
        let error = error.unwrap_err();
        let Error::Diverged { element, thin, .. } = error else {
            panic!("{error}");
        };
        let corners = mesh.corners(element as usize);
        assert!(thin && corners.iter().all(|c| c[0] > 0.4), "{error}");
        assert!(error.to_string().contains("thinnest"), "{error}");
    }
}
