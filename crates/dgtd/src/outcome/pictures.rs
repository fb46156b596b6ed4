//! Figures and files of fields: surface currents, snapshots on a plane, snapshots of the whole mesh.

use crate::{Currents, Discretization, Fields, Snapshots};
use num_complex::Complex64;
use wavefield_numerics::vector::norm;
use wavefield_physics::constants::SPEED_OF_LIGHT;
use wavefield_physics::far_field::power_db;
use wavefield_physics::quantity::Frequency;

use wavefield_solver::outcome::{
    Animation, Array, ColorScale, Data, FieldFile, Figure, FigureKind, Map, MeshView, Outcome,
    SurfaceQuantity,
};

/// Dynamic range of the color scale of surface currents, dB.
const DEPTH: f64 = 30.0;
/// Horizontal and vertical axes of a plane normal to x, y, or z.
const AXES: [[&str; 2]; 3] = [["y", "z"], ["z", "x"], ["x", "y"]];

/// Adds the surface currents at the first frequency to the 3-D view.
pub(super) fn currents(outcome: &mut Outcome, currents: &Currents) {
    let count = currents.triangles.len();
    if count == 0 {
        return;
    }
    let points: Vec<f64> = currents.triangles.as_flattened().as_flattened().to_vec();
    let values: Vec<Complex64> = currents.values.as_flattened().to_vec();
    let decibels: Vec<f64> = (currents.values[..count].iter())
        .map(|j| power_db(j.iter().map(Complex64::norm_sqr).sum()))
        .collect();
    let peak = decibels
        .iter()
        .copied()
        .fold(f64::NEG_INFINITY, f64::max)
        .ceil();
    outcome.arrays.extend([
        Array::real("current/points", points).reshaped(&[3 * count, 3]),
        Array {
            name: "current/triangles".to_owned(),
            shape: vec![count, 3],
            data: Data::Index((0..3 * count as u32).collect()),
        },
        Array::complex("current/j", values).reshaped(&[currents.frequencies.len(), count, 3]),
        Array::real("current/decibels", decibels),
    ]);
    outcome.view.meshes = vec![MeshView {
        name: "conductors".to_owned(),
        points: "current/points".to_owned(),
        triangles: "current/triangles".to_owned(),
        quantity: Some(SurfaceQuantity {
            name: "surface current".to_owned(),
            unit: "dB(A/m)".to_owned(),
            array: "current/decibels".to_owned(),
            range: (peak - DEPTH, peak),
        }),
    }];
    outcome.view.caption = format!(
        "Surface current on conductors at {}, for 1 V/m or 1 V.",
        Frequency(currents.frequencies[0])
    );
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
                        colors: ColorScale {
                            label: "|E|".to_owned(),
                            unit: "V/m".to_owned(),
                            range: Some((0.0, strongest)),
                            cyclic: false,
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
