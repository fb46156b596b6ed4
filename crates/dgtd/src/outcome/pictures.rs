//! Figures and files of fields: surface currents, snapshots on a plane, snapshots of the whole mesh.

use crate::{Currents, Discretization, Fields, Snapshots};
use num_complex::Complex64;
use wavefield_numerics::vector::norm;
use wavefield_physics::constants::SPEED_OF_LIGHT;
use wavefield_physics::quantity::Frequency;

use wavefield_solver::outcome::antenna::nearest;
use wavefield_solver::outcome::{
    Animation, Array, ColorMap, ColorScale, Data, FieldFile, Figure, FigureKind, Map, MeshView,
    Outcome,
};

/// Horizontal and vertical axes of a plane normal to x, y, or z.
const AXES: [[&str; 2]; 3] = [["y", "z"], ["z", "x"], ["x", "y"]];

/// Adds the surface currents to the 3-D view; the frequency nearest to `best`, or else the first one, is shown first.
pub(super) fn currents(outcome: &mut Outcome, currents: &Currents, best: Option<f64>) {
    let count = currents.triangles.len();
    if count == 0 {
        return;
    }
    let points: Vec<f64> = currents.triangles.as_flattened().as_flattened().to_vec();
    let values: Vec<Complex64> = currents.values.as_flattened().to_vec();
    outcome.arrays.extend([
        Array::real("current/points", points).reshaped(&[3 * count, 3]),
        Array {
            name: "current/triangles".to_owned(),
            shape: vec![count, 3],
            data: Data::Index((0..3 * count as u32).collect()),
        },
        Array::complex("current/j", values).reshaped(&[currents.frequencies.len(), count, 3]),
    ]);
    outcome.add_coordinates("current/frequency", "Hz", currents.frequencies.clone());
    outcome.label(
        "current/j",
        "A/m",
        &["current/frequency", "triangle", "axis"],
    );
    outcome.view.meshes = vec![MeshView {
        name: "conductors".to_owned(),
        points: "current/points".to_owned(),
        triangles: "current/triangles".to_owned(),
        quantities: Vec::new(),
    }];
    let magnitudes = |number: usize| -> Vec<f64> {
        (currents.values[number * count..][..count].iter())
            .map(|j| j.iter().map(Complex64::norm_sqr).sum::<f64>().sqrt())
            .collect()
    };
    let shown = best.map_or(0, |best| nearest(&currents.frequencies, best));
    let maximum = outcome.show_current("surface current", &currents.frequencies, shown, magnitudes);
    outcome.view.caption = format!(
        "Magnitude of the surface current on conductors relative to its maximum, {:.2} mA/m at {}, for 1 V/m or 1 V.",
        1e3 * maximum,
        Frequency(currents.frequencies[shown])
    );
}

/// Returns evenly spaced values, both ends included.
fn spaced(first: f64, last: f64, count: usize) -> Vec<f64> {
    let step = (last - first) / (count.max(2) - 1) as f64;
    (0..count).map(|n| first + step * n as f64).collect()
}

/// Adds the snapshots: an animation of |E| on the plane, and the fields of the whole mesh.
pub(super) fn pictures(
    outcome: &mut Outcome,
    d: &Discretization,
    normal: Option<usize>,
    picture: &Snapshots,
) {
    let seconds = |time: f64| time / SPEED_OF_LIGHT;
    if let (Some(([left, right], [low, high], [columns, rows])), Some(normal)) =
        (picture.plane, normal)
    {
        let strength = |f: &Fields| norm(f[0]);
        let frames = picture.frames.iter();
        let strongest = (frames.flat_map(|frame| &frame.plane))
            .map(strength)
            .filter(|e| e.is_finite())
            .fold(0.0, f64::max);
        let [x_label, y_label] = AXES[normal];
        let moments = picture.frames.len();
        let values = (picture.frames.iter()).flat_map(|frame| frame.plane.iter().map(strength));
        let values: Vec<f64> = values.collect();
        if values.len() == moments * rows * columns && moments > 0 {
            let name = "plane/e".to_owned();
            outcome
                .arrays
                .push(Array::real(&name, values).reshaped(&[moments, rows, columns]));
            let times = picture.frames.iter().map(|frame| seconds(frame.time));
            outcome.add_coordinates("plane/time", "s", times.collect());
            let (across, along) = (format!("plane/{x_label}"), format!("plane/{y_label}"));
            outcome.add_coordinates(&across, "m", spaced(left, right, columns));
            outcome.add_coordinates(&along, "m", spaced(low, high, rows));
            outcome.label(&name, "V/m", &["plane/time", &along, &across]);
            outcome.figures.push(Figure {
                title: "|E| on the plane".to_owned(),
                caption: "Electric field over time in the first run: the total field inside the Huygens surface, the \
                          scattered field outside."
                    .to_owned(),
                kind: FigureKind::Animation(Animation {
                    map: Map {
                        array: name,
                        x: (1e3 * left, 1e3 * right),
                        y: (1e3 * low, 1e3 * high),
                        equal_aspect: true,
                        y_down: false,
                        colors: ColorScale {
                            label: "|E|".to_owned(),
                            unit: "V/m".to_owned(),
                            range: Some((0.0, strongest)),
                            map: ColorMap::Sequential,
                        },
                        contours: Vec::new(),
                    },
                    moments: (picture.frames.iter())
                        .map(|frame| format!("{:.3} ns", 1e9 * seconds(frame.time)))
                        .collect(),
                    shown: moments / 2,
                }),
                x_label: x_label.to_owned(),
                x_unit: "mm".to_owned(),
                y_label: y_label.to_owned(),
                y_unit: "mm".to_owned(),
                series: Vec::new(),
            });
        }
    }
    if picture.frames.iter().all(|frame| frame.corners.is_empty()) {
        return;
    }
    let corners: Vec<f64> = (0..d.elements())
        .flat_map(|element| d.corners(element))
        .flatten()
        .collect();
    let points = "fields/points".to_owned();
    let shape = [corners.len() / 3, 3];
    outcome
        .arrays
        .push(Array::real(&points, corners).reshaped(&shape));
    for (number, frame) in picture.frames.iter().enumerate() {
        let [electric, magnetic] = [("e", 0), ("h", 1)].map(|(name, kind)| {
            let name = format!("fields/{name}_{}", number + 1);
            let values = frame.corners.iter().flat_map(|f| f[kind]).collect();
            outcome
                .arrays
                .push(Array::real(&name, values).reshaped(&shape));
            name
        });
        outcome.fields.push(FieldFile {
            name: format!("fields-{}", number + 1),
            time: seconds(frame.time),
            points: points.clone(),
            electric,
            magnetic,
        });
    }
}
