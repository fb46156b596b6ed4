//! Surface current along the contours, and the bodies in the 3-D view.

use crate::{Case, ContourPoint, Polarization};
use wavefield_mesh::TriangleMesh;
use wavefield_physics::quantity::Frequency;

use super::{Names, names};
use wavefield_solver::outcome::{Data, Figure, FigureKind, Outcome, Series};

/// Number of points along all contours at which the current is drawn.
const POINTS: usize = 1200;
/// Minimum and maximum number of them on a smooth piece of a contour.
const ON_A_PIECE: (usize, usize) = (4, 600);

/// Returns the current of the first incidence along the contours.
fn along(case: &Case) -> Vec<(ContourPoint, num_complex::Complex64)> {
    let pieces = case.current_along(0, 1).len().max(1);
    let (fewest, most) = ON_A_PIECE;
    case.current_along(0, (POINTS / pieces).clamp(fewest, most))
}

/// Returns the points of each body.
fn bodies(
    points: &[(ContourPoint, num_complex::Complex64)],
) -> impl Iterator<Item = &[(ContourPoint, num_complex::Complex64)]> {
    points.chunk_by(|(a, _), (b, _)| a.body == b.body)
}

/// Returns the start and the number of points of each body.
fn parts(points: &[(ContourPoint, num_complex::Complex64)]) -> Vec<(usize, usize)> {
    let mut next = 0;
    bodies(points)
        .map(|points| {
            let first = next;
            next += points.len();
            (first, points.len())
        })
        .collect()
}

/// Adds a table of the currents at one frequency, one column group per polarization, and their figures.
pub(super) fn add(outcome: &mut Outcome, cases: &[Case]) {
    let currents: Vec<_> = cases.iter().map(along).collect();
    let points = &currents[0];
    let column = |value: &dyn Fn(&ContourPoint) -> f64| {
        Data::Real(points.iter().map(|p| value(&p.0)).collect())
    };
    let mut table = vec![
        ("body".to_owned(), "", column(&|p| (p.body + 1) as f64)),
        ("arc".to_owned(), "m", column(&|p| p.arc)),
        ("x".to_owned(), "m", column(&|p| p.position[0])),
        ("y".to_owned(), "m", column(&|p| p.position[1])),
    ];
    for (case, values) in cases.iter().zip(&currents) {
        let name = names(case.polarization).column;
        let real = |value: &dyn Fn(num_complex::Complex64) -> f64| {
            Data::Real(values.iter().map(|(_, j)| value(*j)).collect())
        };
        let complex = values.iter().map(|(_, j)| *j).collect();
        table.push((name.to_owned(), "", Data::Complex(complex)));
        table.push((format!("{name}_magnitude"), "", real(&|j| j.norm())));
        table.push((
            format!("{name}_phase"),
            "deg",
            real(&|j| j.arg().to_degrees()),
        ));
    }
    outcome.add_table(
        "current",
        "Surface current n × H along the contours, for the first incidence and frequency: J_z over the incident E (TM, S), tangential J over the incident H (TE)",
        table.iter().map(|(name, unit, data)| (name.as_str(), *unit, data.clone())).collect(),
    );
    let parts = parts(points);
    for (title, suffix) in [
        ("Surface current", "magnitude"),
        ("Phase of the surface current", "phase"),
    ] {
        let of_case = |case: &Case| {
            let Names {
                column: name, word, ..
            } = names(case.polarization);
            let (label, unit) = match (suffix, case.polarization) {
                ("phase", _) => ("phase", "deg"),
                (_, Polarization::Tm) => ("|n × H| / |E_inc|", "S"),
                (_, Polarization::Te) => ("|n × H| / |H_inc|", ""),
            };
            let series: Vec<Series> = parts
                .iter()
                .enumerate()
                .map(|(body, part)| {
                    let legend = if parts.len() > 1 {
                        format!("{word}, body {}", body + 1)
                    } else {
                        word.to_owned()
                    };
                    Series {
                        part: (parts.len() > 1).then_some(*part),
                        ..Series::new(&legend, "current/arc", &format!("current/{name}_{suffix}"))
                    }
                })
                .collect();
            Figure {
                title: format!("{title}, {word}"),
                caption: format!(
                    "Electric surface current at {} over the arc length, counterclockwise from the start of the contour.",
                    Frequency(case.frequency)
                ),
                kind: FigureKind::Cartesian,
                x_label: "arc length".to_owned(),
                x_unit: "m".to_owned(),
                y_label: label.to_owned(),
                y_unit: unit.to_owned(),
                series,
            }
        };
        outcome.figures.extend(cases.iter().map(of_case));
    }
}

/// Adds a section of the bodies, as long as they are wide, to the view.
pub(super) fn show_body(outcome: &mut Outcome, case: &Case) {
    let points = along(case);
    let size = |axis: usize| {
        let along = points.iter().map(|(point, _)| point.position[axis]);
        let low = along.clone().fold(f64::INFINITY, f64::min);
        along.fold(f64::NEG_INFINITY, f64::max) - low
    };
    let half = 0.5 * size(0).max(size(1));
    let mut mesh = TriangleMesh::single_group(Vec::new(), Vec::new(), "bodies");
    for corners in bodies(&points) {
        let count = corners.len();
        let start = mesh.points.len() as u32;
        for (point, _) in corners {
            let [x, y] = point.position;
            mesh.points.extend([[x, y, -half], [x, y, half]]);
        }
        // A closed contour returns to its start: no farther than from point to point.
        let step = |a: usize, b: usize| {
            let ([x, y], [u, v]) = (corners[a].0.position, corners[b].0.position);
            (x - u).hypot(y - v)
        };
        let longest = (1..count).map(|i| step(i - 1, i)).fold(0.0, f64::max);
        let closed = count > 2 && step(count - 1, 0) <= 1.5 * longest;
        let sides = if closed { count } else { count - 1 };
        for side in 0..sides as u32 {
            let [a, b] = [side, (side + 1) % count as u32].map(|corner| start + 2 * corner);
            mesh.triangles.extend([[a, b, b + 1], [a, b + 1, a + 1]]);
        }
    }
    mesh.group_of = vec![0; mesh.triangles.len()];
    outcome.show_mesh("bodies", &mesh);
}
