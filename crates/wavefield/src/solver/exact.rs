//! The exact solver's door: its mesh file, its cost, and its solution as an outcome.

use wavefield_compute::observe::Observer;
use wavefield_exact::{Aspect, Plan, Scattering, Solution, Spec};
use wavefield_mesh::{TriangleMesh, primitive};
use wavefield_physics::direction::{Direction, scaled};
use wavefield_physics::far_field::{Channel, power_db};

use super::Cost;
use crate::failure::Failure;
use crate::mesh_file;
use crate::outcome::{
    Array, ArrowView, Check, Data, Figure, FigureKind, KeyFigure, MeshView, Outcome, PatternView,
    Series, View,
};
use crate::problem::Problem;

/// Operations per second of the series on one core, for a guess at the time.
const OPERATIONS_PER_SECOND: f64 = 1e9;

pub(super) struct Planned {
    plan: Plan,
    mesh: Option<TriangleMesh>,
}

pub(super) fn plan(spec: &Spec, problem: &Problem) -> Result<Planned, Failure> {
    let mesh = match &spec.mesh {
        Some(file) => Some(mesh_file::read_surface(file, &problem.folder)?),
        None => None,
    };
    Ok(Planned {
        plan: Plan::new(spec)?,
        mesh,
    })
}

impl Planned {
    pub(super) fn cost(&self) -> Cost {
        Cost {
            memory: self.plan.memory(),
            seconds: self.plan.operations() / OPERATIONS_PER_SECOND,
            size: format!(
                "{} aspects, ka = {:.4}",
                self.plan.aspects(),
                self.plan.ka(0)
            ),
        }
    }

    pub(super) fn execute(&self, observer: &dyn Observer) -> Result<Outcome, Failure> {
        let solution = self.plan.execute(observer)?;
        let mut outcome = outcome(&solution);
        let (radius, is_sphere) = self.plan.first_body();
        self.show_body(&mut outcome, radius, is_sphere)?;
        Ok(outcome)
    }

    /// Adds the user's mesh, or one of our own, to the view, and how far the user's is from the truth.
    fn show_body(
        &self,
        outcome: &mut Outcome,
        radius: f64,
        is_sphere: bool,
    ) -> Result<(), Failure> {
        let own;
        let (name, mesh) = match &self.mesh {
            Some(mesh) => {
                outcome
                    .checks
                    .push(distance_from_body(mesh, radius, is_sphere));
                ("mesh", mesh)
            }
            None => {
                let made = if is_sphere {
                    primitive::sphere(radius, radius / 8.0)
                } else {
                    primitive::cylinder(radius, 4.0 * radius, radius / 6.0)
                };
                own = made.map_err(|error| Failure::Runtime(error.to_string()))?;
                (if is_sphere { "sphere" } else { "cylinder" }, &own)
            }
        };
        let points: Vec<f64> = mesh.points.iter().flatten().copied().collect();
        let triangles: Vec<u32> = mesh.triangles.iter().flatten().copied().collect();
        outcome
            .arrays
            .push(Array::real("mesh/points", points).reshaped(&[mesh.points.len(), 3]));
        outcome.arrays.push(Array {
            name: "mesh/triangles".to_owned(),
            shape: vec![mesh.triangles.len(), 3],
            data: Data::Index(triangles),
        });
        outcome.view.meshes.push(MeshView {
            name: name.to_owned(),
            points: "mesh/points".to_owned(),
            triangles: "mesh/triangles".to_owned(),
        });
        Ok(())
    }
}

/// Largest distance of a vertex from the exact surface, relative to the radius.
fn distance_from_body(mesh: &TriangleMesh, radius: f64, is_sphere: bool) -> Check {
    let worst = mesh
        .points
        .iter()
        .map(|p| {
            let across = p[0].hypot(p[1]);
            let distance = if is_sphere {
                across.hypot(p[2])
            } else {
                across
            };
            (distance / radius - 1.0).abs()
        })
        .fold(0.0, f64::max);
    Check {
        name: "mesh vertices off the exact surface, relative to the radius".to_owned(),
        value: worst,
        // A vertex a hundredth of the radius away belongs to another body.
        limit: 1e-2,
        against: "the exact body".to_owned(),
    }
}

fn outcome(solution: &Solution) -> Outcome {
    let mut outcome = Outcome {
        accuracy: solution
            .frequencies
            .iter()
            .map(|f| f.accuracy)
            .fold(0.0, f64::max),
        ..Outcome::default()
    };
    match &solution.scattering {
        Scattering::Sphere {
            aspects,
            matrices,
            cross_sections,
            pattern,
        } => {
            let mut columns = aspect_columns(solution, aspects);
            for channel in Channel::ALL {
                columns.push((
                    channel_name(channel, false),
                    "m",
                    Data::Complex(matrices.iter().map(|m| m.channel(channel)).collect()),
                ));
            }
            for channel in Channel::ALL {
                columns.push((
                    channel_name(channel, true),
                    "dBsm",
                    Data::Real(matrices.iter().map(|m| m.dbsm(channel)).collect()),
                ));
            }
            outcome.add_table(
                "rcs",
                "Complex scattering matrix √σ·e^{j phase} (phase origin: centre of the sphere) and radar cross section",
                columns,
            );
            outcome.add_table(
                "frequencies",
                "Cross sections and size of the series at each frequency",
                vec![
                    ("frequency", "Hz", real(solution, |f| f.frequency)),
                    ("ka", "", real(solution, |f| f.ka)),
                    (
                        "partial_waves",
                        "",
                        real(solution, |f| f.partial_waves as f64),
                    ),
                    (
                        "extinction",
                        "m2",
                        Data::Real(cross_sections.iter().map(|c| c.extinction).collect()),
                    ),
                    (
                        "scattering",
                        "m2",
                        Data::Real(cross_sections.iter().map(|c| c.scattering).collect()),
                    ),
                ],
            );
            rcs_figures(
                &mut outcome,
                solution,
                aspects,
                "rcs",
                &[("VV", "vv_dbsm"), ("HH", "hh_dbsm")],
                "σ",
                "dBsm",
            );
            outcome.view = sphere_view(&mut outcome, pattern);
            let absorbed = cross_sections[0].extinction - cross_sections[0].scattering;
            let peak = matrices
                .iter()
                .map(|m| m.rcs(Channel::VV).max(m.rcs(Channel::HH)))
                .fold(0.0, f64::max);
            outcome.key_figures = vec![
                figure("peak σ", format!("{:.2}", power_db(peak)), "dBsm"),
                figure("ka", format!("{:.4}", solution.frequencies[0].ka), ""),
                figure(
                    "partial waves",
                    solution.frequencies[0].partial_waves.to_string(),
                    "",
                ),
                figure(
                    "σ extinction",
                    format!("{:.4}", cross_sections[0].extinction),
                    "m²",
                ),
                figure(
                    "absorbed",
                    format!(
                        "{:.2}",
                        100.0 * absorbed.max(0.0) / cross_sections[0].extinction
                    ),
                    "%",
                ),
                figure("accuracy", format!("{:.0e}", outcome.accuracy), "relative"),
            ];
            outcome.checks.push(energy_check(cross_sections));
            outcome.checks.extend(symmetry_check(aspects, matrices));
            outcome.summary = format!(
                "Mie series, {} aspects, {} of {} at {}.",
                matrices.len(),
                if absorbed > 1e-9 * cross_sections[0].extinction {
                    "lossy sphere"
                } else {
                    "lossless sphere"
                },
                format_args!("ka = {:.3}", solution.frequencies[0].ka),
                wavefield_physics::quantity::Frequency(solution.frequencies[0].frequency),
            );
        }
        Scattering::Cylinder {
            aspects,
            amplitudes,
            currents,
        } => {
            let mut columns = aspect_columns(solution, aspects);
            columns.push((
                "tm",
                "",
                Data::Complex(amplitudes.iter().map(|a| a.tm).collect()),
            ));
            columns.push((
                "te",
                "",
                Data::Complex(amplitudes.iter().map(|a| a.te).collect()),
            ));
            columns.push((
                "tm_dbm",
                "dBm",
                Data::Real(amplitudes.iter().map(|a| power_db(a.tm_width)).collect()),
            ));
            columns.push((
                "te_dbm",
                "dBm",
                Data::Real(amplitudes.iter().map(|a| power_db(a.te_width)).collect()),
            ));
            outcome.add_table(
                "width",
                "Far-field amplitude f of u_s = sqrt(2/(pi k rho)) exp(-j(k rho - pi/4)) f, and scattering width",
                columns,
            );
            outcome.add_table(
                "current",
                "Surface current n × H over the incident H, by angle on the contour",
                vec![
                    (
                        "phi",
                        "deg",
                        Data::Real(currents.iter().map(|c| c.phi.to_degrees()).collect()),
                    ),
                    (
                        "tm",
                        "",
                        Data::Complex(currents.iter().map(|c| c.tm).collect()),
                    ),
                    (
                        "te",
                        "",
                        Data::Complex(currents.iter().map(|c| c.te).collect()),
                    ),
                    (
                        "tm_magnitude",
                        "",
                        Data::Real(currents.iter().map(|c| c.tm.norm()).collect()),
                    ),
                    (
                        "te_magnitude",
                        "",
                        Data::Real(currents.iter().map(|c| c.te.norm()).collect()),
                    ),
                    (
                        "tm_phase",
                        "deg",
                        Data::Real(currents.iter().map(|c| c.tm.arg().to_degrees()).collect()),
                    ),
                    (
                        "te_phase",
                        "deg",
                        Data::Real(currents.iter().map(|c| c.te.arg().to_degrees()).collect()),
                    ),
                ],
            );
            outcome.add_table(
                "frequencies",
                "Size of the series at each frequency",
                vec![
                    ("frequency", "Hz", real(solution, |f| f.frequency)),
                    ("ka", "", real(solution, |f| f.ka)),
                    (
                        "partial_waves",
                        "",
                        real(solution, |f| f.partial_waves as f64),
                    ),
                ],
            );
            rcs_figures(
                &mut outcome,
                solution,
                aspects,
                "width",
                &[("TM", "tm_dbm"), ("TE", "te_dbm")],
                "σ",
                "dBm",
            );
            for (title, suffix, label, unit) in [
                ("Surface current", "magnitude", "|n × H| / H incident", ""),
                ("Phase of the surface current", "phase", "phase", "deg"),
            ] {
                outcome.figures.push(Figure {
                    title: title.to_owned(),
                    caption: "Electric current along the contour, for the first incidence; φ = 0 lies towards +x.".to_owned(),
                    kind: FigureKind::Cartesian,
                    x_label: "φ".to_owned(),
                    x_unit: "deg".to_owned(),
                    y_label: label.to_owned(),
                    y_unit: unit.to_owned(),
                    series: ["tm", "te"]
                        .iter()
                        .map(|name| series(&name.to_uppercase(), "current/phi", &format!("current/{name}_{suffix}")))
                        .collect(),
                });
            }
            outcome.view = View {
                caption: "The cylinder (a piece of it) and the incident wave.".to_owned(),
                arrows: vec![arrow(aspects[0].from)],
                ..View::default()
            };
            let peak = amplitudes
                .iter()
                .map(|a| a.tm_width.max(a.te_width))
                .fold(0.0, f64::max);
            outcome.key_figures = vec![
                figure("peak σ", format!("{:.2}", power_db(peak)), "dBm"),
                figure("ka", format!("{:.4}", solution.frequencies[0].ka), ""),
                figure(
                    "partial waves",
                    solution.frequencies[0].partial_waves.to_string(),
                    "",
                ),
                figure("accuracy", format!("{:.0e}", outcome.accuracy), "relative"),
            ];
            outcome.summary = format!(
                "Cylindrical wave series, {} aspects, TM and TE, ka = {:.3} at {}.",
                amplitudes.len(),
                solution.frequencies[0].ka,
                wavefield_physics::quantity::Frequency(solution.frequencies[0].frequency),
            );
        }
    }
    convergence_figure(&mut outcome, solution);
    outcome
}

fn figure(label: &str, value: String, unit: &str) -> KeyFigure {
    KeyFigure {
        label: label.to_owned(),
        value,
        unit: unit.to_owned(),
    }
}

fn real(solution: &Solution, value: impl Fn(&wavefield_exact::AtFrequency) -> f64) -> Data {
    Data::Real(solution.frequencies.iter().map(value).collect())
}

fn channel_name(channel: Channel, decibels: bool) -> &'static str {
    match (channel, decibels) {
        (Channel::VV, false) => "vv",
        (Channel::VH, false) => "vh",
        (Channel::HV, false) => "hv",
        (Channel::HH, false) => "hh",
        (Channel::VV, true) => "vv_dbsm",
        (Channel::VH, true) => "vh_dbsm",
        (Channel::HV, true) => "hv_dbsm",
        (Channel::HH, true) => "hh_dbsm",
    }
}

fn aspect_columns(
    solution: &Solution,
    aspects: &[Aspect],
) -> Vec<(&'static str, &'static str, Data)> {
    let column = |value: &dyn Fn(&Aspect) -> f64| Data::Real(aspects.iter().map(value).collect());
    vec![
        (
            "frequency",
            "Hz",
            column(&|a| solution.frequencies[a.frequency].frequency),
        ),
        ("theta_i", "deg", column(&|a| tidy(a.from.theta))),
        ("phi_i", "deg", column(&|a| tidy(a.from.phi))),
        ("theta", "deg", column(&|a| tidy(a.to.theta))),
        ("phi", "deg", column(&|a| tidy(a.to.phi))),
    ]
}

/// Degrees without the last digits that the way through radians has left.
fn tidy(radians: f64) -> f64 {
    (radians.to_degrees() * 1e9).round() / 1e9
}

fn series(name: &str, x: &str, y: &str) -> Series {
    Series {
        name: name.to_owned(),
        x: x.to_owned(),
        y: y.to_owned(),
        part: None,
        reference: false,
    }
}

/// σ over the angle or frequency that is swept, and as a polar diagram where it goes round.
fn rcs_figures(
    outcome: &mut Outcome,
    solution: &Solution,
    aspects: &[Aspect],
    table: &str,
    channels: &[(&str, &str)],
    y_label: &str,
    y_unit: &str,
) {
    let per_frequency = aspects.len() / solution.frequencies.len();
    let first = &aspects[..per_frequency];
    let varies =
        |value: &dyn Fn(&Aspect) -> f64| first.iter().any(|a| value(a) != value(&first[0]));
    let monostatic = first.iter().all(|a| a.from == a.to);
    let (mut column, mut label) = ("phi", "φ");
    if varies(&|a| a.to.theta) && !varies(&|a| a.to.phi) {
        (column, label) = ("theta", "θ");
    } else if !varies(&|a| a.to.phi) && solution.frequencies.len() > 1 {
        (column, label) = ("frequency", "frequency");
    }
    let over_frequency = column == "frequency";
    // A cut: the leading run over which the abscissa rises, so that a grid does not draw a zigzag.
    let abscissa = |a: &Aspect| {
        if column == "theta" {
            a.to.theta
        } else {
            a.to.phi
        }
    };
    let run = 1 + first
        .windows(2)
        .take_while(|w| abscissa(&w[1]) > abscissa(&w[0]))
        .count();
    let part = if over_frequency || run == aspects.len() {
        None
    } else {
        Some((0, run))
    };
    if !over_frequency && run < 2 {
        return;
    }
    let kind_word = if monostatic { "Monostatic" } else { "Bistatic" };
    let cut = if over_frequency {
        String::new()
    } else {
        format!(
            " at {}",
            wavefield_physics::quantity::Frequency(solution.frequencies[0].frequency)
        )
    };
    let quantity = if table == "rcs" {
        "radar cross section"
    } else {
        "scattering width"
    };
    let curves: Vec<Series> = channels
        .iter()
        .map(|(name, y)| Series {
            part,
            ..series(name, &format!("{table}/{column}"), &format!("{table}/{y}"))
        })
        .collect();
    outcome.figures.push(Figure {
        title: format!("{kind_word} {quantity}"),
        caption: format!(
            "σ over {}{cut}; the wave comes from θ = {}°, φ = {}°.",
            if over_frequency { "frequency" } else { label },
            tidy(first[0].from.theta),
            tidy(first[0].from.phi)
        ),
        kind: FigureKind::Cartesian,
        x_label: label.to_owned(),
        x_unit: if over_frequency { "Hz" } else { "deg" }.to_owned(),
        y_label: y_label.to_owned(),
        y_unit: y_unit.to_owned(),
        series: curves.clone(),
    });
    let span = abscissa(&first[run - 1]) - abscissa(&first[0]);
    if !over_frequency && span > std::f64::consts::PI * 0.99 {
        outcome.figures.push(Figure {
            title: format!("{kind_word} {quantity}, polar"),
            caption: format!("The same cut{cut} around the body."),
            kind: FigureKind::Polar,
            x_label: label.to_owned(),
            x_unit: "deg".to_owned(),
            y_label: y_label.to_owned(),
            y_unit: y_unit.to_owned(),
            series: curves,
        });
    }
}

fn convergence_figure(outcome: &mut Outcome, solution: &Solution) {
    let remainders = &solution.frequencies[0].convergence;
    // Below the rounding of f64 the remainder says nothing; the last term has none at all.
    let shown: Vec<f64> = remainders
        .iter()
        .copied()
        .take_while(|r| *r > 1e-17)
        .collect();
    if shown.len() < 2 {
        return;
    }
    let orders: Vec<f64> = (1..=shown.len()).map(|n| n as f64).collect();
    outcome
        .arrays
        .push(Array::real("convergence/partial_waves", orders));
    outcome
        .arrays
        .push(Array::real("convergence/remainder", shown));
    outcome.figures.push(Figure {
        title: "Convergence of the series".to_owned(),
        caption: "Relative distance of the backscattered amplitude from its limit after so many partial waves.".to_owned(),
        kind: FigureKind::Logarithmic,
        x_label: "partial waves".to_owned(),
        x_unit: String::new(),
        y_label: "remainder".to_owned(),
        y_unit: String::new(),
        series: vec![series("backscatter", "convergence/partial_waves", "convergence/remainder")],
    });
}

fn sphere_view(outcome: &mut Outcome, pattern: &wavefield_exact::Pattern) -> View {
    let shape = [pattern.theta_count, pattern.phi_count];
    let mut patterns = Vec::new();
    for channel in Channel::ALL {
        let values: Vec<f64> = pattern.matrices.iter().map(|m| m.dbsm(channel)).collect();
        let peak = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        // Cross-polar channels that vanish everywhere are rounding noise, not a pattern.
        if peak < -250.0 {
            continue;
        }
        let array = format!("pattern/{}", channel_name(channel, true));
        outcome
            .arrays
            .push(Array::real(array.clone(), values).reshaped(&shape));
        patterns.push(PatternView {
            name: channel.name().to_owned(),
            unit: "dBsm".to_owned(),
            array,
        });
    }
    View {
        caption: format!(
            "Bistatic pattern of the sphere over all directions at {}; the arrow is the incident wave.",
            wavefield_physics::quantity::Frequency(pattern.frequency)
        ),
        patterns,
        meshes: Vec::new(),
        arrows: vec![arrow(pattern.from)],
    }
}

fn arrow(from: Direction) -> ArrowView {
    ArrowView {
        name: "incident wave".to_owned(),
        direction: scaled(from.unit(), -1.0),
        polarisation: Some(from.theta_hat()),
    }
}

/// No sphere scatters more power than it takes out of the wave.
fn energy_check(cross_sections: &[wavefield_exact::CrossSections]) -> Check {
    let excess = |c: &wavefield_exact::CrossSections| (c.scattering / c.extinction - 1.0).max(0.0);
    Check {
        name: "scattered power over extinguished power, excess".to_owned(),
        value: cross_sections.iter().map(excess).fold(0.0, f64::max),
        // Rounding of two sums of some hundred terms.
        limit: 1e-12,
        against: "conservation of energy".to_owned(),
    }
}

/// Seen from where the wave comes from, a sphere treats V and H alike and turns neither into the
/// other: the largest violation over the monostatic aspects, relative to the co-polar amplitude.
fn symmetry_check(
    aspects: &[Aspect],
    matrices: &[wavefield_physics::far_field::ScatteringMatrix],
) -> Option<Check> {
    let violation = |m: &wavefield_physics::far_field::ScatteringMatrix| {
        (m.vv - m.hh).norm().max(m.vh.norm()).max(m.hv.norm()) / m.vv.norm()
    };
    let backscatter = aspects
        .iter()
        .zip(matrices)
        .filter(|(aspect, _)| aspect.from == aspect.to);
    let worst = backscatter.map(|(_, m)| violation(m)).reduce(f64::max)?;
    Some(Check {
        name: "VV − HH and cross-polar backscatter, relative".to_owned(),
        value: worst,
        // A hundred roundings of the sums.
        limit: 1e-12,
        against: "symmetry of the sphere".to_owned(),
    })
}
