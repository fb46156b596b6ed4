//! The door of integral equations on surfaces: its mesh file, its cost, and its solution as an outcome.

use num_complex::Complex64;
use wavefield_compute::observe::Observer;
use wavefield_mesh::Target;
use wavefield_mom::surface::{Checks, Plan, Solution, Spec};
use wavefield_physics::constants::SPEED_OF_LIGHT;
use wavefield_physics::far_field::{Channel, power_db};

use super::Cost;
use super::sweep::{self, incident_wave};
use crate::failure::Failure;
use crate::gmsh;
use crate::mesh_file;
use crate::outcome::{Array, Check, Data, KeyFigure, Outcome, SurfaceQuantity};
use crate::problem::Problem;

/// Operations per second of factors on two cores, for a guess at the time,
const OPERATIONS_PER_SECOND: f64 = 8e10;
/// and pairs of triangles.
const PAIRS_PER_SECOND: f64 = 2e7;

pub(super) struct Planned {
    plan: Plan,
}

/// Bends sharper than this stay edges of a mesh that is made anew, radians.
pub(crate) const CREASE: f64 = 0.6;

pub(super) fn plan(
    spec: &Spec,
    problem: &Problem,
    observer: &dyn Observer,
) -> Result<Planned, Failure> {
    let mesh = match &spec.target {
        Target::Mesh(target) => {
            let mesh = mesh_file::read_surface(&target.mesh, &problem.folder)?;
            Some(if spec.remesh {
                gmsh::remeshed(&mesh, spec.edge_length()?, CREASE, observer)?
            } else {
                mesh
            })
        }
        _ => None,
    };
    Ok(Planned {
        plan: Plan::new(spec, mesh)?,
    })
}

impl Planned {
    pub(super) fn cost(&self) -> Cost {
        let pairs = (self.plan.mesh().triangles.len() as f64).powi(2)
            * self.plan.frequencies().len() as f64;
        Cost {
            memory: self.plan.memory(),
            seconds: self.plan.operations() / OPERATIONS_PER_SECOND + pairs / PAIRS_PER_SECOND,
            size: format!(
                "{} unknowns on {} triangles, {} aspects",
                self.plan.unknowns(),
                self.plan.mesh().triangles.len(),
                self.plan.aspects()
            ),
        }
    }

    pub(super) fn execute(&self, observer: &dyn Observer) -> Result<Outcome, Failure> {
        let solution = self.plan.execute(observer)?;
        let worst =
            |value: &dyn Fn(&Checks) -> f64| solution.checks.iter().map(value).fold(0.0, f64::max);
        let peak = peak(&solution);
        let inside = (solution.checks.iter().filter_map(|checks| checks.inside)).reduce(f64::max);
        let mut outcome = Outcome {
            summary: format!(
                "{} unknowns on {} triangles, {} aspects; {}.",
                solution.unknowns,
                self.plan.mesh().triangles.len(),
                solution.aspects.len(),
                match inside {
                    Some(left) => format!(
                        "of the incident wave {:.2} % is left inside, where nothing should be",
                        100.0 * left
                    ),
                    None => "the surface encloses nothing that the current could be judged by"
                        .to_owned(),
                }
            ),
            accuracy: inside.unwrap_or_else(|| worst(&|checks| checks.longest_edge)),
            key_figures: vec![
                KeyFigure::new("peak σ", format!("{:.2}", 2.0 * power_db(peak)), "dBsm"),
                KeyFigure::new("unknowns", solution.unknowns.to_string(), ""),
                KeyFigure::new(
                    "longest edge",
                    format!("{:.3}", worst(&|checks| checks.longest_edge)),
                    "wavelengths",
                ),
                solved(&solution),
            ],
            checks: checks(&solution),
            ..Outcome::default()
        };
        let mut table = sweep::columns(&solution.frequencies, &solution.aspects);
        table.extend(sweep::matrix_columns(&solution.matrices));
        outcome.add_table(
            "rcs",
            "Complex scattering matrix √σ·e^{j phase} (phase origin: origin of coordinates) and radar cross section",
            table,
        );
        self.certificate(&mut outcome, &solution);
        sweep::radar_figures(
            &mut outcome,
            &solution.frequencies,
            &solution.aspects,
            &solution.matrices,
        );
        self.show_current(&mut outcome, &solution);
        Ok(outcome)
    }

    /// What is known of each frequency.
    fn certificate(&self, outcome: &mut Outcome, solution: &Solution) {
        let column = |value: &dyn Fn(&Checks) -> f64| {
            Data::Real(solution.checks.iter().map(value).collect())
        };
        outcome.add_table(
            "solution",
            "What is known of the solution at each frequency: the longest edge in wavelengths, the condition number (with factors) or products and residual (with iterations), and the largest field left inside closed surfaces for a wave of unit amplitude",
            vec![
                ("frequency", "Hz", Data::Real(solution.frequencies.clone())),
                ("longest_edge", "", column(&|checks| checks.longest_edge)),
                (
                    "condition",
                    "",
                    column(&|checks| checks.condition.unwrap_or(f64::NAN)),
                ),
                (
                    "iterations",
                    "",
                    column(&|checks| checks.iterated.map_or(f64::NAN, |(count, _)| count as f64)),
                ),
                (
                    "residual",
                    "",
                    column(&|checks| checks.iterated.map_or(f64::NAN, |(_, residual)| residual)),
                ),
                ("left_inside", "", column(&|checks| checks.inside.unwrap_or(f64::NAN))),
            ],
        );
    }

    /// The body in the colours of the current under the first wave.
    fn show_current(&self, outcome: &mut Outcome, solution: &Solution) {
        outcome.show_mesh("body", self.plan.mesh());
        outcome.view.arrows = vec![incident_wave(solution.aspects[0].from)];
        let current = &solution.currents[0];
        for (name, values) in [("v", &current.vertical), ("h", &current.horizontal)] {
            let flat: Vec<_> = values.iter().flatten().copied().collect();
            outcome
                .arrays
                .push(Array::complex(format!("current/{name}"), flat).reshaped(&[values.len(), 3]));
        }
        let sizes: Vec<f64> = (current.vertical.iter())
            .map(|vector| vector.iter().map(Complex64::norm_sqr).sum::<f64>().sqrt())
            .collect();
        let largest = sizes.iter().copied().fold(0.0, f64::max);
        outcome.arrays.push(Array::real("current/size", sizes));
        if let Some(mesh) = outcome.view.meshes.last_mut() {
            mesh.quantity = Some(SurfaceQuantity {
                name: "surface current |ηJ| under the V wave".to_owned(),
                unit: "V/m".to_owned(),
                array: "current/size".to_owned(),
                range: (0.0, largest),
            });
        }
        outcome.view.caption =
            "The body in the colours of its current, times the impedance of free space, for a wave of 1 V/m; the arrow is the first incident wave with its V polarisation.".to_owned();
    }
}

/// How the equation was solved.
fn solved(solution: &Solution) -> KeyFigure {
    let iterations = solution.checks.iter().filter_map(|checks| checks.iterated);
    match iterations.map(|(count, _)| count).max() {
        Some(count) => KeyFigure::new("iterations", count.to_string(), ""),
        None => {
            let conditions = solution.checks.iter().filter_map(|checks| checks.condition);
            let worst = conditions.fold(0.0, f64::max);
            KeyFigure::new("condition number", format!("{worst:.1e}"), "")
        }
    }
}

/// The largest co-polar |S|, m.
fn peak(solution: &Solution) -> f64 {
    let all = solution.matrices.iter();
    all.flat_map(|m| [m.rcs(Channel::VV), m.rcs(Channel::HH)])
        .fold(f64::MIN_POSITIVE, f64::max)
        .sqrt()
}

fn checks(solution: &Solution) -> Vec<Check> {
    let mut all = Vec::new();
    for (frequency, checks) in solution.frequencies.iter().zip(&solution.checks) {
        let at = format!("at {}", wavefield_physics::quantity::Frequency(*frequency));
        all.push(Check {
            name: format!("longest edge in wavelengths {at}"),
            value: checks.longest_edge,
            limit: Checks::LONGEST_EDGE,
            against: format!(
                "five edges to a wavelength of {:.4} m",
                SPEED_OF_LIGHT / frequency
            ),
        });
        if let Some(left) = checks.inside {
            all.push(Check {
                name: format!("field left inside closed surfaces {at}, of the incident"),
                value: left,
                limit: Checks::INSIDE,
                against: "nothing, which is what a conductor leaves; a resonance of the inside shows here, and the combined field (equation cfie) has none".to_owned(),
            });
        }
    }
    all
}
