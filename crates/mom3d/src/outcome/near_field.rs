//! Near field as a table and as maps.

use crate::{Field, Plan, Solution};
use num_complex::Complex64;
use wavefield_physics::constants::VACUUM_IMPEDANCE;
use wavefield_physics::quantity::Frequency;

use super::states;
use wavefield_solver::outcome::{
    Array, ColorMap, ColorScale, Data, Figure, FigureKind, Map, Outcome, Series,
};

const AXES: [&str; 3] = ["x", "y", "z"];

/// Adds the near field at the first frequency; `counts` are the numbers of points along each axis.
pub(super) fn add(outcome: &mut Outcome, plan: &Plan, counts: [usize; 3], solution: &Solution) {
    let points = plan.field_points();
    if points.is_empty() {
        return;
    }
    let at = |axis: usize| points.iter().map(|point| point[axis]).collect::<Vec<f64>>();
    for (name, state) in states(solution) {
        let component = |of: &dyn Fn(&Field) -> Complex64| {
            Data::Complex(state.near_field.iter().map(of).collect())
        };
        let mut columns: Vec<(&str, &str, Data)> = (0..3)
            .map(|axis| (AXES[axis], "m", Data::Real(at(axis))))
            .collect();
        for (axis, column) in ["e_x", "e_y", "e_z"].into_iter().enumerate() {
            columns.push((column, "V/m", component(&|field| field.electric[axis])));
        }
        for (axis, column) in ["h_x", "h_y", "h_z"].into_iter().enumerate() {
            columns.push((
                column,
                "A/m",
                component(&|field| field.magnetic[axis] / VACUUM_IMPEDANCE),
            ));
        }
        let (excited, word) = match name {
            "v" => ("an incident wave of 1 V/m with V polarization", ", V"),
            "h" => ("an incident wave of 1 V/m with H polarization", ", H"),
            _ => ("1 V behind the reference impedance of the first port", ""),
        };
        let table = format!("near_field_{name}");
        let of = Frequency(solution.frequencies[0]);
        outcome.add_table(
            &table,
            &format!("Total field at {of} for {excited}"),
            columns,
        );
        let sizes: Vec<f64> = (state.near_field.iter())
            .map(|field| {
                field
                    .electric
                    .iter()
                    .map(Complex64::norm_sqr)
                    .sum::<f64>()
                    .sqrt()
            })
            .collect();
        let title = format!("Electric field around the body{word}");
        let caption = format!("|E| at {of} for {excited}.");
        let along: Vec<usize> = (0..3).filter(|&axis| counts[axis] > 1).collect();
        let array = format!("{table}/size");
        let figure = match along[..] {
            [x] => {
                outcome.arrays.push(Array::real(&array, sizes));
                Figure {
                    title,
                    caption,
                    kind: FigureKind::Cartesian,
                    x_label: AXES[x].to_owned(),
                    x_unit: "m".to_owned(),
                    y_label: "|E|".to_owned(),
                    y_unit: "V/m".to_owned(),
                    series: vec![Series::new("|E|", &format!("{table}/{}", AXES[x]), &array)],
                }
            }
            [x, y] => {
                let shape = [counts[y], counts[x]];
                outcome
                    .arrays
                    .push(Array::real(&array, sizes).reshaped(&shape));
                let last = points.len() - 1;
                let reach = |axis: usize| (points[0][axis], points[last][axis]);
                Figure {
                    title,
                    caption,
                    kind: FigureKind::Map(Map {
                        array,
                        x: reach(x),
                        y: reach(y),
                        equal_aspect: true,
                        y_down: false,
                        colors: ColorScale {
                            label: "|E|".to_owned(),
                            unit: "V/m".to_owned(),
                            range: None,
                            map: ColorMap::Sequential,
                        },
                        contours: Vec::new(),
                    }),
                    x_label: AXES[x].to_owned(),
                    x_unit: "m".to_owned(),
                    y_label: AXES[y].to_owned(),
                    y_unit: "m".to_owned(),
                    series: Vec::new(),
                }
            }
            _ => continue,
        };
        outcome.figures.push(figure);
    }
}
