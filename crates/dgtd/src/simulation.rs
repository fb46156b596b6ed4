//! A run: sources drive an engine, fields are watched, and the end comes when they have gone.

use wavefield_compute::observe::{Observer, Progress};

use crate::discretisation::Discretisation;
use crate::engine::Engine;
use crate::error::Error;
use crate::flux::Fields;
use crate::near_to_far::SurfaceTransform;
use crate::runge_kutta::{A, B, C};
use crate::source::{Additions, Drive};

/// Steps between two looks at the energy.
const LOOK: u64 = 20;
/// Energy over its largest value while sources were active beyond which a run has diverged.
const GROWTH: f64 = 10.0;

/// When to stop.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct End {
    /// Part of the largest energy that may be left.
    pub decay: f64,
    /// Latest time, m.
    pub time: f64,
}

/// Fields at a point over time.
#[derive(Clone, Debug)]
pub struct Probe {
    element: u32,
    weights: Vec<f64>,
    /// Fields after each step.
    pub record: Vec<Fields>,
}

impl Probe {
    /// A probe at a point.
    ///
    /// # Errors
    /// The point lies outside the mesh.
    pub fn new(d: &Discretisation, point: [f64; 3]) -> Result<Probe, Error> {
        let (element, barycentric) = d.locate(point).ok_or(Error::Outside { point })?;
        Ok(Probe {
            element: element as u32,
            weights: d.reference.interpolation(barycentric),
            record: Vec::new(),
        })
    }
}

/// A run in progress. Times are lengths (c = 1).
pub struct Simulation<'a> {
    /// The fields.
    pub engine: Box<dyn Engine + 'a>,
    /// What drives them.
    pub drives: Vec<Drive>,
    /// Where far fields are taken.
    pub transform: Option<SurfaceTransform>,
    /// Steps between two samples of the transform.
    pub sampling: u64,
    /// Where fields are recorded.
    pub probes: Vec<Probe>,
    /// Length of a step, m.
    pub dt: f64,
    /// Steps made so far.
    pub steps: u64,
    /// Largest energy seen.
    pub peak: f64,
    /// Energy at each look, with its time.
    pub energies: Vec<[f64; 2]>,
}

impl<'a> Simulation<'a> {
    /// A run that has not begun.
    pub fn new(engine: Box<dyn Engine + 'a>, dt: f64) -> Simulation<'a> {
        Simulation {
            engine,
            drives: Vec::new(),
            transform: None,
            sampling: 1,
            probes: Vec::new(),
            dt,
            steps: 0,
            peak: 0.0,
            energies: Vec::new(),
        }
    }

    /// Time now.
    pub fn time(&self) -> f64 {
        self.steps as f64 * self.dt
    }

    /// Makes one step.
    pub fn step(&mut self, room: &mut [Additions]) {
        let time = self.time();
        for stage in 0..5 {
            self.engine.stage(A[stage], B[stage], self.dt);
            for (drive, additions) in self.drives.iter().zip(room.iter_mut()) {
                let now = time + C[stage] * self.dt;
                // The register passes on what was added within this step only.
                if time <= drive.end() {
                    drive.write(now, additions);
                    self.engine.add(additions, B[stage], self.dt);
                }
            }
        }
        self.steps += 1;
    }

    /// Looks at the fields after a step.
    fn watch(&mut self, fields: &mut Vec<Fields>) {
        let (time, span) = (self.time(), self.dt * self.sampling as f64);
        if let Some(transform) = &mut self.transform
            && self.steps.is_multiple_of(self.sampling)
        {
            self.engine.fields_at(transform.watched(), fields);
            transform.add(time, span, fields);
        }
        for probe in &mut self.probes {
            let nodes: Vec<(u32, u16)> = (0..probe.weights.len() as u16)
                .map(|node| (probe.element, node))
                .collect();
            self.engine.fields_at(&nodes, fields);
            let mut sum = [[0.0; 3]; 2];
            for (weight, field) in probe.weights.iter().zip(fields.iter()) {
                for kind in 0..2 {
                    for c in 0..3 {
                        sum[kind][c] += weight * field[kind][c];
                    }
                }
            }
            probe.record.push(sum);
        }
    }

    /// Runs to the end.
    ///
    /// # Errors
    /// The run was stopped, or the fields have grown beyond bounds.
    pub fn run(&mut self, end: End, observer: &dyn Observer) -> Result<(), Error> {
        let silent = self.drives.iter().map(Drive::end).fold(0.0, f64::max);
        let mut room: Vec<Additions> = self.drives.iter().map(Drive::additions).collect();
        let last = (end.time / self.dt).ceil() as u64;
        let mut fields = Vec::new();
        while self.steps < last {
            self.step(&mut room);
            self.watch(&mut fields);
            if self.steps.is_multiple_of(LOOK) {
                observer.checkpoint()?;
                observer.progress(&Progress::new("time steps", self.steps, last));
                let energy = self.engine.energy();
                self.energies.push([self.time(), energy]);
                if !energy.is_finite() || (self.time() > silent && energy > GROWTH * self.peak) {
                    return Err(Error::Diverged {
                        step: self.steps,
                        growth: energy / self.peak,
                    });
                }
                self.peak = self.peak.max(energy);
                if self.time() > silent && energy <= end.decay * self.peak {
                    break;
                }
            }
        }
        Ok(())
    }
}
