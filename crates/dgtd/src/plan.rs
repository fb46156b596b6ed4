//! Plan of a problem: discretization, runs, and predicted cost.

use std::f64::consts::PI;
use std::sync::{Mutex, PoisonError};

use num_complex::Complex64;
use wavefield_gpu::Gpu;
use wavefield_mesh::TetrahedralMesh;
use wavefield_numerics::observe::Observer;
use wavefield_physics::antenna::{Network, Radiation};
use wavefield_physics::constants::{SPEED_OF_LIGHT, VACUUM_IMPEDANCE, vacuum_wavenumber};
use wavefield_physics::direction::Direction;
use wavefield_physics::far_field::{FarField, ScatteringMatrix};
use wavefield_physics::quantity::{Frequency, Length};
use wavefield_physics::sweep::{Spaced, Sweep};
use wavefield_solver::checkpoint::CheckpointStore;
use wavefield_solver::scene::aspects::{self, Aspect};
use wavefield_solver::scene::{self, Excitation, LumpedPort, Observation, Polarization};
use wavefield_solver::transport::Transport;

use crate::discretization::Discretization;
use crate::distributed::{DistributedEngine, Traffic};
use crate::engine::{Engine, PORTION, engine};
use crate::error::Error;
use crate::extrapolation::{SAMPLES, sampled_steps};
use crate::flux::Fields;
use crate::gpu::GpuEngine;
use crate::huygens::HuygensSurface;
use crate::near_to_far::NearToFarField;
use crate::partition::{Part, Pieces};
use crate::physical_groups::{named, number_of, physical_groups};
use crate::port::Port;
use crate::pulse::Pulse;
use crate::result::{Currents, Run, Scattering, Snapshots, Solution};
use crate::run_checkpoint::RunCheckpoint;
use crate::simulation::{End, LOWER_ORDER_STEPS, Probe, Simulation};
use crate::snapshot::{Slice, SnapshotRecorder};
use crate::source::{IncidentWave, Source};
use crate::spec::{Precision, Spec, SurfaceKind};
use crate::spectrum::Phasors;
use crate::stability::stable_step;
use crate::surface_current::SurfaceCurrent;

/// Maximum number of results (aspects times frequencies) of one problem.
const MAX_RESULTS: f64 = 1e7;
/// Half the relative bandwidth of the pulse around `frequency`, if no band is given.
const BANDWIDTH: f64 = 0.4;
/// Spectrum of the pulse at the ends of its band, relative to its peak.
const BAND_EDGE: f64 = 0.1;
/// Default maximum time after the pulse, in crossings of the mesh's diagonal.
const CROSSINGS: f64 = 40.0;
/// Typical time after the pulse until a body without strong resonances has decayed, in crossings.
const LIKELY_CROSSINGS: f64 = 3.0;

/// Checkpoint store and progress observer of a run.
#[derive(Clone, Copy)]
struct Watch<'w> {
    checkpoints: &'w dyn CheckpointStore,
    observer: &'w dyn Observer,
}

/// Constructor of an engine with zero fields.
type NewEngine<'a> = dyn Fn() -> Result<Box<dyn Engine + 'a>, Error> + 'a;

/// A DGTD problem ready to run.
#[derive(Clone, Debug)]
pub struct Plan {
    spec: Spec,
    frequencies: Vec<f64>,
    /// Frequencies of far fields and surface currents, Hz.
    far_frequencies: Vec<f64>,
    discretization: Discretization,
    surface: Option<HuygensSurface>,
    /// Directions of incidence and observation.
    pairs: Vec<(Direction, Direction)>,
    /// Directions of the radiation pattern.
    directions: Vec<Direction>,
    /// All ports, as undriven loads.
    ports: Vec<Port>,
    pulse: Pulse,
    dt: f64,
    end: End,
    /// Recorder without snapshots, copied for the first run.
    animation: Option<SnapshotRecorder>,
    /// Order of the problem.
    level: Level,
}

/// Whether a plan solves the problem at its own order or at the next lower one.
#[derive(Clone, Copy, Debug)]
enum Level {
    /// The order of the problem, with the cost of the next lower order if port convergence is checked.
    Own(Option<LowerOrder>),
    /// The next lower order.
    Lower,
}

/// Cost of solving the ports at the next lower order.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LowerOrder {
    /// Polynomial order.
    pub order: usize,
    /// Number of field values.
    pub values: usize,
    /// Expected number of time steps of a run.
    pub likely_steps: u64,
    /// Memory with that of the discretization, bytes.
    memory: usize,
}

/// Results gathered over the runs.
#[derive(Default)]
struct Gathered {
    runs: Vec<Run>,
    currents: Option<Currents>,
    pictures: Option<Snapshots>,
}

impl Plan {
    /// Plans a problem on a mesh in meters.
    ///
    /// # Errors
    /// The specification is invalid or does not fit the mesh; see [`Error`].
    pub fn new(spec: &Spec, mesh: &TetrahedralMesh) -> Result<Plan, Error> {
        spec.validate_meshed()?;
        let settings = &spec.dgtd;
        let frequencies = hertz("frequency", &spec.frequency)?;
        let far_frequencies = match &settings.pattern_frequency {
            None => frequencies.clone(),
            Some(pattern) => hertz("dgtd.pattern_frequency", pattern)?,
        };
        let waves = (frequencies.iter().chain(&far_frequencies)).map(|&f| vacuum_wavenumber(f));
        let (low, high) = waves.fold((f64::INFINITY, 0.0), |(low, high): (f64, f64), k| {
            (low.min(k), high.max(k))
        });
        let physical_groups = physical_groups(spec, mesh, low)?;
        let discretization = Discretization::new(mesh, settings.order, &physical_groups)?;
        let huygens = named(mesh, spec, SurfaceKind::Huygens);
        let surface = match huygens.as_slice() {
            [] => None,
            [(number, name)] => Some(HuygensSurface::new(&discretization, *number, name)?),
            [_, (_, second), ..] => {
                return Err(Error::SecondHuygens {
                    name: (*second).to_owned(),
                });
            }
        };
        let pairs = match &spec.excitation {
            Excitation::PlaneWave(wave) => {
                let observation = spec
                    .observation
                    .as_ref()
                    .unwrap_or(&Observation::Monostatic);
                aspects::pairs(wave, observation, MAX_RESULTS / frequencies.len() as f64)?
            }
            Excitation::Ports(_) | Excitation::Dipoles(_) => Vec::new(),
        };
        let directions = match &spec.observation {
            Some(Observation::FarField(observed)) => {
                aspects::directions(observed, MAX_RESULTS / far_frequencies.len() as f64)?
            }
            Some(Observation::Monostatic | Observation::Bistatic(_)) | None => Vec::new(),
        };
        let (low, high) = match settings.band {
            Some([low, high]) => (vacuum_wavenumber(low.0), vacuum_wavenumber(high.0)),
            None => (low * (1.0 - BANDWIDTH), high * (1.0 + BANDWIDTH)),
        };
        let pulse = Pulse::of_band(low, high, BAND_EDGE);
        let ports = (lumped_ports(spec))
            .map(|(index, port)| {
                let path = || format!("excitation.ports.{index}.surface");
                let number = number_of(&mesh.surface_groups, &port.surface, path)?;
                Port::new(
                    &discretization,
                    number,
                    &port.surface,
                    port.direction,
                    port.reference_impedance,
                    None,
                )
            })
            .collect::<Result<_, _>>()?;
        let dt = settings.cfl * stable_step(&discretization);
        let animation = match &settings.snapshots {
            None => None,
            Some(snapshots) => {
                let times = swept("dgtd.snapshots.times", &snapshots.times)?;
                let times: Vec<f64> = times.iter().map(|t| t.0 * SPEED_OF_LIGHT).collect();
                let slice = match snapshots.plane {
                    None => None,
                    Some(plane) => {
                        let at = plane.position.meters(wavelength(&frequencies));
                        let slice = Slice::new(&discretization, plane.normal.number(), at);
                        Some(slice.ok_or(Error::PlaneOutside { at })?)
                    }
                };
                Some(SnapshotRecorder::new(&times, dt, slice, snapshots.volume))
            }
        };
        let size = mesh.bounding_box().map_or(0.0, |b| b.diagonal());
        let end = End {
            decay: settings.stop.energy_decay,
            time: match settings.stop.max_time {
                Some(time) => time.0 * SPEED_OF_LIGHT,
                None => pulse.duration() + CROSSINGS * size,
            },
        };
        let mut plan = Plan {
            spec: spec.clone(),
            frequencies,
            far_frequencies,
            discretization,
            surface,
            pairs,
            directions,
            ports,
            pulse,
            dt,
            end,
            animation,
            level: Level::Own(None),
        };
        plan.level = Level::Own(plan.at_lower_order()?.map(|lower| {
            let d = &lower.discretization;
            LowerOrder {
                order: d.reference.order(),
                values: lower.values(),
                likely_steps: lower.likely_steps(),
                memory: lower.memory() + d.memory(),
            }
        }));
        Ok(plan)
    }

    /// Returns the plan of the ports alone at the next lower order, if their convergence is checked and there is such an
    /// order.
    fn at_lower_order(&self) -> Result<Option<Plan>, Error> {
        let order = self.discretization.reference.order();
        if !self.checks_port_convergence() || order == 1 || matches!(self.level, Level::Lower) {
            return Ok(None);
        }
        let discretization = self.discretization.at_order(order - 1)?;
        let mut spec = self.spec.clone();
        spec.dgtd.surface_currents = false;
        spec.dgtd.probes.clear();
        let ports = self.ports.iter().map(|port| port.at_order(&discretization));
        Ok(Some(Plan {
            frequencies: self.frequencies.clone(),
            far_frequencies: Vec::new(),
            surface: None,
            pairs: Vec::new(),
            directions: Vec::new(),
            ports: ports.collect(),
            pulse: self.pulse,
            dt: spec.dgtd.cfl * stable_step(&discretization),
            end: self.end,
            animation: None,
            level: Level::Lower,
            discretization,
            spec,
        }))
    }

    /// Returns whether the S-parameters are to be compared with those of the next lower order.
    pub(crate) fn checks_port_convergence(&self) -> bool {
        self.spec.dgtd.port_convergence && !self.ports.is_empty()
    }

    /// Returns the cost of solving the ports at the next lower order, if their convergence is checked.
    pub(crate) fn lower_order(&self) -> Option<LowerOrder> {
        match self.level {
            Level::Own(lower) => lower,
            Level::Lower => None,
        }
    }

    /// Returns the specification, with a filling or condition for every named volume and surface.
    pub(crate) fn spec(&self) -> &Spec {
        &self.spec
    }

    /// Returns the discretization of the mesh.
    pub fn discretization(&self) -> &Discretization {
        &self.discretization
    }

    /// Returns the wavelength of the highest frequency, m, by which lengths in wavelengths are scaled.
    pub fn wavelength(&self) -> f64 {
        wavelength(&self.frequencies)
    }

    /// Returns the number of field values.
    pub(crate) fn values(&self) -> usize {
        self.discretization.elements() * self.discretization.reference.nodes() * 6
    }

    /// Returns the number of time-domain runs at the order of the problem: one per incidence and polarization, one per
    /// port, or one for all dipoles.
    pub fn runs(&self) -> usize {
        if self.pairs.is_empty() {
            self.ports.len().max(1)
        } else {
            self.incidences().len() * self.polarizations().len()
        }
    }

    /// Returns an upper bound of the memory of a run, in bytes.
    pub fn memory(&self) -> usize {
        let d = &self.discretization;
        let nodes = d.elements() * d.reference.nodes();
        let layers = (d.elements() - d.first_layer) * d.reference.nodes();
        let number = match self.spec.dgtd.precision {
            Precision::Single => 4,
            Precision::Double => 8,
        };
        // Fields, their successors, and the register; P and Q of the PML with their registers, and its coefficients.
        let values = number * (18 * nodes + 24 * layers + 15 * layers);
        // Portions of the fields while a checkpoint is saved, as numbers and as bytes.
        let kept = 2 * PORTION * d.reference.nodes() * size_of::<[Fields; 3]>();
        let mut faces = self.surface.as_ref().map_or(0, |s| s.faces.len());
        if self.spec.dgtd.surface_currents {
            faces += SurfaceCurrent::faces(d).count();
        }
        let points = faces * d.reference.nodes_on_face();
        let samples = if self.spec.dgtd.stop.extrapolate {
            SAMPLES
        } else {
            0
        };
        let spectra = points * self.far_frequencies.len() * size_of::<Phasors>() * (1 + samples);
        let animation =
            (self.animation.as_ref()).map_or(0, |animation| animation.memory(d.elements()));
        let own = values + kept + d.elements() * 256 + spectra + animation;
        own.max(self.lower_order().map_or(0, |lower| lower.memory))
    }

    /// Returns the maximum number of time steps of a run.
    pub fn steps(&self) -> u64 {
        (self.end.time / self.dt).ceil() as u64
    }

    /// Returns the expected number of time steps of a run that stops when the energy has decayed; resonant bodies take
    /// more.
    pub fn likely_steps(&self) -> u64 {
        if self.spec.dgtd.stop.max_time.is_some() {
            return self.steps();
        }
        let crossing = (self.end.time - self.pulse.duration()) / CROSSINGS;
        let time = self.pulse.duration() + LIKELY_CROSSINGS * crossing;
        self.steps().min((time / self.dt).ceil() as u64)
    }

    /// Returns the time step, s.
    pub fn time_step(&self) -> f64 {
        self.dt / SPEED_OF_LIGHT
    }

    fn incidences(&self) -> Vec<Direction> {
        let mut incidences: Vec<Direction> = self.pairs.iter().map(|pair| pair.0).collect();
        incidences.dedup();
        incidences
    }

    /// Returns for each incident polarization whether it is horizontal (φ̂) rather than vertical (θ̂).
    fn polarizations(&self) -> &'static [bool] {
        match self.spec.polarization() {
            Polarization::V => &[false],
            Polarization::H => &[true],
            // TM and TE are rejected as unsupported.
            Polarization::Both | Polarization::Tm | Polarization::Te => &[false, true],
        }
    }

    /// Runs the problem on the CPU.
    ///
    /// # Errors
    /// The run was canceled, time stepping is unstable, or a checkpoint failed.
    pub fn execute(
        &self,
        checkpoints: &dyn CheckpointStore,
        observer: &dyn Observer,
    ) -> Result<Solution, Error> {
        let precision = self.spec.dgtd.precision;
        let watch = Watch {
            checkpoints,
            observer,
        };
        self.execute_orders(|plan| {
            let d = &plan.discretization;
            plan.execute_with(&move || Ok(engine(d, precision)), watch)
        })
    }

    /// Runs the problem on a GPU, in single precision.
    ///
    /// # Errors
    /// Those of [`execute`](Plan::execute); double precision was requested, or the GPU failed.
    pub fn execute_on(
        &self,
        gpu: &Gpu,
        checkpoints: &dyn CheckpointStore,
        observer: &dyn Observer,
    ) -> Result<Solution, Error> {
        if self.spec.dgtd.precision == Precision::Double {
            return Err(Error::DoubleOnGpu);
        }
        let watch = Watch {
            checkpoints,
            observer,
        };
        self.execute_orders(|plan| {
            let (gpu, d) = (gpu.clone(), &plan.discretization);
            let engine = move || Ok(Box::new(GpuEngine::new(&gpu, d)?) as Box<dyn Engine>);
            plan.execute_with(&engine, watch)
        })
    }

    /// Returns the pieces of the mesh that a partition distributes among processes.
    pub fn pieces(&self) -> Pieces {
        Pieces::new(&self.discretization)
    }

    /// Runs the problem on a mesh partitioned among processes.
    ///
    /// `part_of_piece` is the process of every piece. Each process calls this function, and all return the same
    /// solution, bitwise identical to that of a single process.
    ///
    /// # Errors
    /// Those of [`execute`](Plan::execute); communication between the processes failed.
    pub fn execute_shared(
        &self,
        transport: &dyn Transport,
        part_of_piece: &[u32],
        checkpoints: &dyn CheckpointStore,
        observer: &dyn Observer,
    ) -> Result<(Solution, Traffic), Error> {
        let pieces = self.pieces();
        let precision = self.spec.dgtd.precision;
        let watch = Watch {
            checkpoints,
            observer,
        };
        // That of the order of the problem, which is solved first.
        let mut traffic = None;
        let solution = self.execute_orders(|plan| {
            let d = &plan.discretization;
            let part = Part::new(d, &pieces, part_of_piece, transport.rank());
            let counted = Mutex::default();
            let (part, shared) = (&part, &counted);
            let engine = move || -> Result<Box<dyn Engine + '_>, Error> {
                Ok(match precision {
                    Precision::Single => {
                        Box::new(DistributedEngine::<f32>::new(part, transport, shared))
                    }
                    Precision::Double => {
                        Box::new(DistributedEngine::<f64>::new(part, transport, shared))
                    }
                })
            };
            let solution = plan.execute_with(&engine, watch)?;
            traffic.get_or_insert(*counted.lock().unwrap_or_else(PoisonError::into_inner));
            Ok(solution)
        })?;
        Ok((solution, traffic.unwrap_or_default()))
    }

    /// Solves the problem, and its ports at the next lower order if their convergence is checked.
    fn execute_orders(
        &self,
        mut solve: impl FnMut(&Plan) -> Result<Solution, Error>,
    ) -> Result<Solution, Error> {
        let mut solution = solve(self)?;
        if let Some(lower) = self.at_lower_order()? {
            solution.lower_order = solve(&lower)?.network;
        }
        Ok(solution)
    }

    fn execute_with<'a>(
        &'a self,
        engine: &NewEngine<'a>,
        watch: Watch<'_>,
    ) -> Result<Solution, Error> {
        let mut gathered = Gathered::default();
        let scattering = match &self.surface {
            Some(surface) if !self.pairs.is_empty() => {
                Some(self.scatter(surface, engine, watch, &mut gathered)?)
            }
            _ => None,
        };
        let mut radiation = None;
        if let Excitation::Dipoles(dipoles) = &self.spec.excitation {
            let d = &self.discretization;
            let drives = (dipoles.dipoles.iter())
                .map(|dipole| {
                    Source::dipole(d, self.point(dipole.position), dipole.moment, self.pulse)
                })
                .collect::<Result<_, _>>()?;
            let run = self.run(engine()?, drives, Vec::new(), watch, &mut gathered)?;
            radiation = run.transform.map(|transform| self.radiation(&transform));
        }
        let mut network = None;
        if !self.ports.is_empty() {
            let (found, transform) = self.network(engine, watch, &mut gathered)?;
            network = Some(found);
            radiation = transform.map(|transform| self.radiation(&transform));
        }
        Ok(Solution {
            network,
            lower_order: None,
            frequencies: self.frequencies.clone(),
            scattering,
            radiation,
            currents: gathered.currents,
            pictures: gathered.pictures,
            runs: gathered.runs,
        })
    }

    /// Returns the wavenumbers of far fields and surface currents, rad/m.
    fn far_wavenumbers(&self) -> Vec<f64> {
        (self.far_frequencies.iter())
            .map(|&f| vacuum_wavenumber(f))
            .collect()
    }

    /// Computes the scattering matrices for every incidence and polarization.
    fn scatter<'a>(
        &'a self,
        surface: &HuygensSurface,
        engine: &NewEngine<'a>,
        watch: Watch<'_>,
        gathered: &mut Gathered,
    ) -> Result<Scattering, Error> {
        let d = &self.discretization;
        let unknown = Complex64::new(f64::NAN, f64::NAN);
        let nothing = ScatteringMatrix {
            vv: unknown,
            vh: unknown,
            hv: unknown,
            hh: unknown,
        };
        let mut matrices = vec![nothing; self.pairs.len() * self.frequencies.len()];
        for from in self.incidences() {
            let (first, to): (Vec<usize>, Vec<Direction>) = (self.pairs.iter().enumerate())
                .filter(|(_, pair)| pair.0 == from)
                .map(|(number, pair)| (number, pair.1))
                .unzip();
            for &horizontal in self.polarizations() {
                let polarization = if horizontal {
                    from.phi_hat()
                } else {
                    from.theta_hat()
                };
                let wave = IncidentWave { from, polarization };
                let drive = Source::plane_wave(d, surface, wave, self.pulse);
                let start = Source::start(d, surface, wave);
                let run = self.run(engine()?, vec![drive], Vec::new(), watch, gathered)?;
                let Some(transform) = run.transform else {
                    continue;
                };
                for (number, k) in self.far_wavenumbers().into_iter().enumerate() {
                    // Spectrum of the incident wave at the origin.
                    let incident = self.pulse.spectrum(k) * Complex64::from_polar(1.0, -k * start);
                    let scale = (4.0 * PI).sqrt() / incident;
                    let fields = transform.far_field(number, &to);
                    for (&pair, field) in first.iter().zip(fields) {
                        let matrix = &mut matrices[number * self.pairs.len() + pair];
                        let (v, h) = (field.theta * scale, field.phi * scale);
                        if horizontal {
                            (matrix.vh, matrix.hh) = (v, h);
                        } else {
                            (matrix.vv, matrix.hv) = (v, h);
                        }
                    }
                }
            }
        }
        let aspects = (0..self.frequencies.len()).flat_map(|frequency| {
            (self.pairs.iter()).map(move |&(from, to)| Aspect {
                frequency,
                from,
                to,
            })
        });
        Ok(Scattering {
            aspects: aspects.collect(),
            matrices,
        })
    }

    /// Computes the S-parameters from one run per port, and the near-to-far-field transformation of the first run.
    fn network<'a>(
        &'a self,
        engine: &NewEngine<'a>,
        watch: Watch<'_>,
        gathered: &mut Gathered,
    ) -> Result<(Network, Option<NearToFarField>), Error> {
        let count = self.ports.len();
        let wavenumbers: Vec<f64> = (self.frequencies.iter())
            .map(|&f| vacuum_wavenumber(f))
            .collect();
        let mut parameters = vec![Complex64::ZERO; wavenumbers.len() * count * count];
        let mut first = None;
        for driven in 0..count {
            let mut ports = self.ports.clone();
            ports[driven].drive(self.pulse);
            let run = self.run(engine()?, Vec::new(), ports, watch, gathered)?;
            let mut uncertain: f64 = 0.0;
            for (number, &k) in wavenumbers.iter().enumerate() {
                let behind = self.pulse.spectrum(k);
                for (receiving, port) in run.ports().enumerate() {
                    // b = (V − R I)/2√R and a = V₀/2√R.
                    let ratio = self.ports[driven].resistance() / port.resistance();
                    let voltage = match run.free_decay_start() {
                        None => port.voltage(k, run.dt),
                        Some(from) => {
                            let (voltage, change) = port.extrapolated_voltage(k, run.dt, from);
                            uncertain = uncertain.max(change);
                            voltage
                        }
                    };
                    let wave = 2.0 * voltage / behind * ratio.sqrt();
                    let own = if receiving == driven { 1.0 } else { 0.0 };
                    parameters[(number * count + receiving) * count + driven] = wave - own;
                }
            }
            if let Some(change) = gathered.runs.last_mut().and_then(|r| r.ringing.as_mut()) {
                *change = change.max(uncertain);
            }
            if driven == 0 {
                first = run.transform;
            }
        }
        let network = Network {
            resistances: self.ports.iter().map(Port::resistance).collect(),
            parameters,
        };
        Ok((network, first))
    }

    /// Computes the radiated far field and power through the Huygens surface, per unit of the pulse's spectrum.
    fn radiation(&self, transform: &NearToFarField) -> Radiation {
        let mut fields = Vec::new();
        let mut power = Vec::new();
        for (number, k) in self.far_wavenumbers().into_iter().enumerate() {
            let scale = self.pulse.spectrum(k).inv();
            let at = transform.far_field(number, &self.directions);
            fields.extend(at.into_iter().map(|field| FarField {
                theta: field.theta * scale,
                phi: field.phi * scale,
            }));
            power.push(transform.power(number) * scale.norm_sqr() / (2.0 * VACUUM_IMPEDANCE));
        }
        Radiation {
            frequencies: self.far_frequencies.clone(),
            directions: self.directions.clone(),
            fields,
            power,
        }
    }

    /// Executes one time-domain run.
    fn run<'a>(
        &'a self,
        engine: Box<dyn Engine + 'a>,
        drives: Vec<Source>,
        ports: Vec<Port>,
        watch: Watch<'_>,
        gathered: &mut Gathered,
    ) -> Result<Simulation<'a>, Error> {
        let d = &self.discretization;
        let mut simulation = Simulation::new(d, engine, self.dt);
        let number = gathered.runs.len();
        let name = match self.level {
            Level::Own(_) => format!("run {number}"),
            Level::Lower => {
                simulation.stage = LOWER_ORDER_STEPS;
                format!("run {number} at lower order")
            }
        };
        for drive in drives {
            simulation.drive(drive);
        }
        for port in ports {
            simulation.port(port);
        }
        let transform = |surface| NearToFarField::new(d, surface, &self.far_wavenumbers());
        simulation.transform = self.surface.as_ref().map(transform);
        if gathered.runs.is_empty() {
            let current = || SurfaceCurrent::new(d, &self.far_wavenumbers());
            simulation.current = self.spec.dgtd.surface_currents.then(current);
            simulation.animation = self.animation.clone();
        }
        // Twice the Nyquist rate of the pulse's highest frequency.
        simulation.sampling = (0.5 * PI / self.pulse.highest() / self.dt).max(1.0) as u64;
        if self.spec.dgtd.stop.extrapolate {
            let silent = (simulation.silent() / self.dt).ceil() as u64;
            simulation.remembered = sampled_steps(silent, self.steps(), simulation.sampling)
                .ok_or_else(|| Error::NoTimeToRing {
                    end: 1e9 * self.end.time / SPEED_OF_LIGHT,
                    silent: 1e9 * simulation.silent() / SPEED_OF_LIGHT,
                })?;
        }
        for &probe in &self.spec.dgtd.probes {
            simulation.probes.push(Probe::new(d, self.point(probe))?);
        }
        let kept = RunCheckpoint {
            checkpoints: watch.checkpoints,
            name,
        };
        if !kept.load(&mut simulation)? {
            let is_due = || watch.checkpoints.is_due();
            let keep = |simulation: &Simulation<'_>| kept.save(simulation, false);
            simulation.run_kept(self.end, watch.observer, &is_due, &keep)?;
            kept.save(&simulation, true)?;
        }
        let peak = simulation.peak.max(f64::MIN_POSITIVE);
        let ringing = simulation.extrapolate();
        self.gather(&mut simulation, gathered);
        gathered.runs.push(Run {
            steps: simulation.steps,
            time_step: self.time_step(),
            energies: (simulation.energies.iter())
                .map(|&[time, energy]| [time / SPEED_OF_LIGHT, energy / peak])
                .collect(),
            probes: simulation
                .probes
                .iter_mut()
                .map(|probe| std::mem::take(&mut probe.record))
                .collect(),
            ringing,
        });
        Ok(simulation)
    }

    /// Collects surface currents and snapshots, which only the first run records.
    fn gather(&self, simulation: &mut Simulation<'_>, gathered: &mut Gathered) {
        if let Some(current) = simulation.current.take() {
            let mut values = Vec::new();
            for (number, k) in self.far_wavenumbers().into_iter().enumerate() {
                let scale = self.pulse.spectrum(k).inv();
                values.extend((current.at(number).iter()).map(|j| j.map(|x| x * scale)));
            }
            gathered.currents = Some(Currents {
                frequencies: self.far_frequencies.clone(),
                triangles: current.triangles().to_vec(),
                values,
            });
        }
        if let Some(animation) = simulation.animation.take() {
            gathered.pictures = Some(Snapshots {
                plane: animation.slice().map(|s| (s.across, s.up, s.shape)),
                frames: animation.frames,
            });
        }
    }

    /// Returns a point in meters; wavelengths are those of the highest frequency.
    fn point(&self, point: [Length; 3]) -> [f64; 3] {
        point.map(|x| x.meters(self.wavelength()))
    }
}

/// Returns the wavelength of the highest frequency, m.
fn wavelength(frequencies: &[f64]) -> f64 {
    SPEED_OF_LIGHT / frequencies.iter().copied().fold(0.0, f64::max)
}

/// Returns the values of a sweep; `key` is its key in the problem, for errors.
pub(crate) fn swept<T: Spaced>(key: &'static str, sweep: &Sweep<T>) -> Result<Vec<T>, Error> {
    (sweep.values()).map_err(|source| Error::Aspects(aspects::AspectError::Sweep { key, source }))
}

/// Returns the frequencies of a sweep, Hz; `key` is its key in the problem, for errors.
fn hertz(key: &'static str, sweep: &Sweep<Frequency>) -> Result<Vec<f64>, Error> {
    Ok(swept(key, sweep)?.iter().map(|f| f.0).collect())
}

/// Returns the lumped ports with their indices in the list of ports.
fn lumped_ports(spec: &Spec) -> impl Iterator<Item = (usize, &LumpedPort)> {
    let ports = match &spec.excitation {
        Excitation::Ports(ports) => ports.ports.as_slice(),
        Excitation::PlaneWave(_) | Excitation::Dipoles(_) => &[],
    };
    (ports.iter().enumerate()).filter_map(|(index, port)| match port {
        scene::Port::Lumped(port) => Some((index, port)),
        // Rejected as unsupported.
        scene::Port::DeltaGap(_) => None,
    })
}
