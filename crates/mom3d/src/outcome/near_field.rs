//! Near field as a table and as maps.

use crate::{Field, Plan, Solution, State};
use num_complex::Complex64;
use wavefield_physics::constants::VACUUM_IMPEDANCE;
use wavefield_physics::quantity::Frequency;

use super::state_names;
use wavefield_solver::outcome::{
    Array, ColorMap, ColorScale, Data, Figure, FigureKind, Map, Outcome, Series, selection,
};

const AXES: [&str; 3] = ["x", "y", "z"];
const ELECTRIC: [&str; 3] = ["e_x", "e_y", "e_z"];
const MAGNETIC: [&str; 3] = ["h_x", "h_y", "h_z"];

/// Adds the near field at all frequencies, and its figures at a choice of them, first at the frequency `shown`; `counts` are
/// the numbers of points along each axis.
pub(super) fn add(
    outcome: &mut Outcome,
    plan: &Plan,
    counts: [usize; 3],
    solution: &Solution,
    shown: usize,
) {
    if plan.field_points().is_empty() {
        return;
    }
    for (number, name) in state_names(solution).iter().enumerate() {
        let states: Vec<&State> = solution.states.iter().map(|all| &all[number]).collect();
        let near_field = NearField {
            table: format!("near_field_{name}"),
            word: match *name {
                "v" => ", V",
                "h" => ", H",
                _ => "",
            },
            excited: match *name {
                "v" => "an incident wave of 1 V/m with V polarization",
                "h" => "an incident wave of 1 V/m with H polarization",
                _ => "1 V behind the reference impedance of the first port",
            },
            plan,
            counts,
            states,
        };
        near_field.tabulate(outcome);
        let figures = selection::by_frequency(plan.frequencies(), shown, |at| {
            near_field.figure(outcome, at).into_iter().collect()
        });
        outcome.figures.extend(figures);
    }
}

/// Near field of one excitation at all frequencies.
struct NearField<'a> {
    table: String,
    /// Polarization in titles.
    word: &'static str,
    excited: &'static str,
    plan: &'a Plan,
    counts: [usize; 3],
    states: Vec<&'a State>,
}

impl NearField<'_> {
    fn tabulate(&self, outcome: &mut Outcome) {
        let frequencies = self.plan.frequencies();
        let points = self.plan.field_points();
        let component = |of: &dyn Fn(&Field) -> Complex64| {
            let fields = self.states.iter().flat_map(|state| &state.near_field);
            Data::Complex(fields.map(of).collect())
        };
        let frequency = (frequencies.iter()).flat_map(|&at| points.iter().map(move |_| at));
        let mut columns = vec![("frequency", "Hz", Data::Real(frequency.collect()))];
        for (axis, column) in AXES.into_iter().enumerate() {
            let place = frequencies
                .iter()
                .flat_map(|_| points.iter().map(|point| point[axis]));
            columns.push((column, "m", Data::Real(place.collect())));
        }
        for (axis, column) in ELECTRIC.into_iter().enumerate() {
            columns.push((column, "V/m", component(&|field| field.electric[axis])));
        }
        for (axis, column) in MAGNETIC.into_iter().enumerate() {
            let of = |field: &Field| field.magnetic[axis] / VACUUM_IMPEDANCE;
            columns.push((column, "A/m", component(&of)));
        }
        let caption = format!("Total field for {}", self.excited);
        outcome.add_table(&self.table, &caption, columns);
    }

    /// Returns the curve or the map of the electric field at a frequency; `None` for a single point or a volume.
    fn figure(&self, outcome: &mut Outcome, number: usize) -> Option<Figure> {
        let points = self.plan.field_points();
        let magnitude = |field: &Field| -> f64 {
            let squared = field.electric.iter().map(Complex64::norm_sqr);
            squared.sum::<f64>().sqrt()
        };
        let magnitudes = self.states[number].near_field.iter().map(magnitude);
        let array = format!("{}/magnitude_{number}", self.table);
        let magnitudes = Array::real(&array, magnitudes.collect());
        let along: Vec<usize> = (0..3).filter(|&axis| self.counts[axis] > 1).collect();
        let mut figure = Figure {
            title: format!("Electric field around the body{}", self.word),
            caption: format!(
                "|E| at {} for {}.",
                Frequency(self.plan.frequencies()[number]),
                self.excited
            ),
            kind: FigureKind::Cartesian,
            x_label: String::new(),
            x_unit: "m".to_owned(),
            y_label: "|E|".to_owned(),
            y_unit: "V/m".to_owned(),
            series: Vec::new(),
        };
        match along[..] {
            [x] => {
                outcome.arrays.push(magnitudes);
                AXES[x].clone_into(&mut figure.x_label);
                let place = format!("{}/{}", self.table, AXES[x]);
                figure.series = vec![Series {
                    // The points repeat at each frequency.
                    part: Some((0, points.len())),
                    ..Series::new("|E|", &place, &array)
                }];
            }
            [x, y] => {
                let shape = [self.counts[y], self.counts[x]];
                outcome.arrays.push(magnitudes.reshaped(&shape));
                let last = points.len() - 1;
                let reach = |axis: usize| (points[0][axis], points[last][axis]);
                AXES[x].clone_into(&mut figure.x_label);
                AXES[y].clone_into(&mut figure.y_label);
                "m".clone_into(&mut figure.y_unit);
                figure.kind = FigureKind::Map(Map {
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
                });
            }
            _ => return None,
        }
        Some(figure)
    }
}
