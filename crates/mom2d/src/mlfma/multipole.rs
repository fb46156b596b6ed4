//! Far field of many sources at their own positions by the multilevel fast multipole algorithm: V = Σ G m + ∂G/∂n′ d/jk over
//! sources beyond adjacent leaves, and its derivative along the normals over jk.
//!
//! V. Rokhlin, J. Comput. Phys. 86 (1990) 414–439; J. M. Song, C.-C. Lu, W. C. Chew, IEEE Trans. Antennas Propag. 45 (1997)
//! 1488–1493. Waves of large cells are sampled in directions and resampled between levels exactly, by Fourier transforms;
//! waves of small cells are stored as cylindrical orders.

use std::sync::{Mutex, PoisonError};

use num_complex::Complex64;
use rayon::prelude::*;
use wavefield_numerics::special::SpecialError;

use super::cylindrical::{Between, Orders, add_image};
use super::directions::Directions;
use super::translation::Translations;
use super::tree::Tree;
use crate::kernels::{add_product, aggregate, disaggregate, turn_back};

/// Side in wavelengths of the smallest cells whose waves are sampled in directions, and of leaves that hold few nodes.
pub(crate) const LEAF: f64 = 1.5;
/// First level with interactions: all cells of the levels above are adjacent.
const TOP: usize = 2;

/// Positions with normals, in tree order.
#[derive(Clone, Debug)]
pub(crate) struct Places {
    pub(crate) x: Vec<f64>,
    pub(crate) y: Vec<f64>,
    pub(crate) normal: Vec<[f64; 2]>,
}

/// Representation of the waves of a level.
enum Form {
    Directions(Directions),
    Orders(Orders),
}

impl Form {
    /// Returns the number of coefficients per cell.
    fn count(&self) -> usize {
        match self {
            Form::Directions(directions) => directions.count(),
            Form::Orders(orders) => orders.count(),
        }
    }

    /// Returns the number of coefficients per node of a leaf.
    fn count_of_node(&self) -> usize {
        match self {
            Form::Directions(directions) => directions.count(),
            Form::Orders(orders) => orders.count_of_node(),
        }
    }
}

/// Shift operators from a cell to its four children.
enum Shifts {
    /// e^{jk k̂·r} in directions, for children in any representation.
    Phases(Vec<Vec<Complex64>>),
    /// Outgoing from children, and incoming to them.
    Matrices(Vec<[Between; 2]>),
    /// Leaves have no children.
    None,
}

/// Precomputed data of a level.
struct LevelWaves {
    form: Form,
    translations: Translations,
    /// Interaction list of each cell, with the indices of the translation operators.
    interaction_lists: Vec<Vec<(u32, u16)>>,
    shifts: Shifts,
}

/// Sources with their tree and all operators.
pub(crate) struct Multipole {
    pub(crate) tree: Tree,
    places: Places,
    /// Levels from [`TOP`] down to the leaves.
    levels: Vec<LevelWaves>,
    /// Radiation pattern of every unit source about the center of its leaf.
    unit_patterns: Vec<Complex64>,
    /// Leaf of every source.
    leaves: Vec<u32>,
    /// Workspace of the last product: allocating it anew takes as long as the product.
    room: Mutex<Room>,
}

/// Workspace for the waves of a product.
#[derive(Default)]
struct Room {
    /// Outgoing waves of every level.
    outgoing: Vec<Vec<Complex64>>,
    /// Incoming waves of a level and of its parent level.
    incoming: [Vec<Complex64>; 2],
}

/// Centers of the children of a cell, in sides of the cell, ordered by the last bits of column and row.
const PARTS: [[f64; 2]; 4] = [[-0.25, -0.25], [0.25, -0.25], [-0.25, 0.25], [0.25, 0.25]];

impl Multipole {
    /// Creates the operators for sources at fixed positions, a real wavenumber, and a number of digits.
    pub(crate) fn new(
        tree: Tree,
        places: Places,
        wavenumber: f64,
        digits: f64,
    ) -> Result<Multipole, SpecialError> {
        let depth = tree.levels.len() - 1;
        let smallest = 0.99 * LEAF * 2.0 * std::f64::consts::PI / wavenumber;
        let forms: Vec<Form> = (TOP..=depth)
            .map(|number| {
                let side = tree.levels[number].side;
                if side >= smallest {
                    Form::Directions(Directions::new(wavenumber, side, digits))
                } else {
                    Form::Orders(Orders::new(wavenumber, side, digits))
                }
            })
            .collect();
        let mut shifts: Vec<Shifts> = Vec::new();
        for (number, form) in forms.iter().enumerate() {
            let side = tree.levels[TOP + number].side;
            let parts = PARTS.map(|part| part.map(|place| place * side));
            shifts.push(match (form, forms.get(number + 1)) {
                (_, None) => Shifts::None,
                (Form::Directions(directions), _) => Shifts::Phases(
                    parts
                        .map(|part| {
                            let mut phases = vec![Complex64::ZERO; directions.count()];
                            directions.phases(wavenumber, part, &mut phases);
                            phases
                        })
                        .to_vec(),
                ),
                (Form::Orders(own), Some(Form::Orders(part))) => Shifts::Matrices(
                    (parts.iter())
                        .map(|&r| {
                            Ok([
                                own.outgoing_from_part(part, wavenumber, r)?,
                                own.incoming_to_part(part, wavenumber, r)?,
                            ])
                        })
                        .collect::<Result<_, SpecialError>>()?,
                ),
                // Children are never larger.
                (Form::Orders(_), Some(Form::Directions(_))) => Shifts::None,
            });
        }
        let mut levels = Vec::new();
        for (number, (form, shifts)) in forms.into_iter().zip(shifts).enumerate() {
            let interaction_lists = interaction_lists(&tree, TOP + number);
            let mut occurs = [false; 64];
            for (_, offset) in interaction_lists.iter().flatten() {
                occurs[usize::from(*offset)] = true;
            }
            let factors = |between: [f64; 2]| match &form {
                Form::Directions(directions) => directions.translation(wavenumber, between),
                Form::Orders(orders) => orders.translation(wavenumber, between),
            };
            let side = tree.levels[TOP + number].side;
            let translations = Translations::new(side, |offset| occurs[offset], factors)?;
            levels.push(LevelWaves {
                form,
                translations,
                interaction_lists,
                shifts,
            });
        }
        let unit_patterns = match levels.last() {
            None => Vec::new(),
            Some(last) => unit_patterns(&tree, &places, &last.form, wavenumber)?,
        };
        let leaves = (tree.leaves().cells.iter().enumerate())
            .flat_map(|(leaf, cell)| cell.nodes.clone().map(move |_| leaf as u32))
            .collect();
        let mut room = Room::default();
        room.outgoing.resize_with(levels.len(), Vec::new);
        Ok(Multipole {
            tree,
            places,
            levels,
            unit_patterns,
            leaves,
            room: Mutex::new(room),
        })
    }

    /// Returns V and its derivative over jk in tree order, for monopoles m and dipoles d in tree order.
    pub(crate) fn fields(
        &self,
        monopoles: &[Complex64],
        dipoles: &[Complex64],
    ) -> Vec<[Complex64; 2]> {
        let mut fields = vec![[Complex64::ZERO; 2]; monopoles.len()];
        // A panic in another product may have left any content, which is overwritten.
        let mut room = self.room.lock().unwrap_or_else(PoisonError::into_inner);
        let Room { outgoing, incoming } = &mut *room;
        self.aggregate(monopoles, dipoles, outgoing);
        for (number, outgoing) in outgoing.iter().enumerate() {
            let [now, above] = incoming;
            self.disaggregate(number, outgoing, above, now);
            incoming.swap(0, 1);
        }
        let incoming = &incoming[1];
        let Some(LevelWaves { form, .. }) = self.levels.last() else {
            return fields;
        };
        let count = form.count();
        fields
            .par_iter_mut()
            .zip(self.unit_patterns.par_chunks(form.count_of_node()))
            .zip(&self.leaves)
            .enumerate()
            .with_min_len(64)
            .for_each(|(place, ((fields, pattern), leaf))| {
                let waves = &incoming[*leaf as usize * count..][..count];
                let normal = self.places.normal[place];
                match form {
                    Form::Directions(directions) => {
                        disaggregate(directions.compass(), pattern, normal, waves, fields);
                        // Average over all directions.
                        *fields = fields.map(|sum| sum / count as f64);
                    }
                    Form::Orders(orders) => *fields = orders.disaggregate(pattern, normal, waves),
                }
            });
        fields
    }

    /// Aggregation: computes the outgoing waves of the cells of every level.
    fn aggregate(
        &self,
        monopoles: &[Complex64],
        dipoles: &[Complex64],
        outgoing: &mut [Vec<Complex64>],
    ) {
        let Some((last, above)) = self.levels.split_last() else {
            return;
        };
        let (count, of_node) = (last.form.count(), last.form.count_of_node());
        let leaves = &self.tree.leaves().cells;
        let patterns = &mut outgoing[above.len()];
        patterns.resize(count * leaves.len(), Complex64::ZERO);
        patterns
            .par_chunks_mut(count)
            .zip(leaves)
            .for_each(|(pattern, leaf)| {
                pattern.fill(Complex64::ZERO);
                for place in leaf.nodes.clone() {
                    let unit = &self.unit_patterns[place * of_node..(place + 1) * of_node];
                    let normal = self.places.normal[place];
                    let (monopole, dipole) = (monopoles[place], dipoles[place]);
                    match &last.form {
                        Form::Directions(directions) => {
                            aggregate(
                                directions.compass(),
                                unit,
                                normal,
                                monopole,
                                dipole,
                                pattern,
                            );
                        }
                        Form::Orders(orders) => {
                            orders.aggregate(unit, normal, monopole, dipole, pattern);
                        }
                    }
                }
            });
        for number in (0..above.len()).rev() {
            let (own, below) = (&self.levels[number], &self.levels[number + 1]);
            let (count, count_below) = (own.form.count(), below.form.count());
            let cells = &self.tree.levels[TOP + number].cells;
            let children = &self.tree.levels[TOP + number + 1].cells;
            let (patterns, from) = outgoing.split_at_mut(number + 1);
            let (patterns, from) = (&mut patterns[number], &from[0]);
            patterns.resize(count * cells.len(), Complex64::ZERO);
            patterns.par_chunks_mut(count).zip(cells).for_each_init(
                Scratch::default,
                |scratch, (pattern, cell)| {
                    pattern.fill(Complex64::ZERO);
                    for child in cell.children.clone() {
                        let waves = &from[child * count_below..(child + 1) * count_below];
                        own.add_part(
                            part(children[child].place),
                            &below.form,
                            waves,
                            pattern,
                            scratch,
                        );
                    }
                },
            );
        }
    }

    /// Translation and disaggregation: computes the incoming waves of the cells of a level from their interaction lists and
    /// from their parents.
    fn disaggregate(
        &self,
        number: usize,
        outgoing: &[Complex64],
        above: &[Complex64],
        waves: &mut Vec<Complex64>,
    ) {
        let level = &self.levels[number];
        let count = level.form.count();
        let cells = &self.tree.levels[TOP + number].cells;
        let parent = number.checked_sub(1).map(|n| &self.levels[n]);
        waves.resize(count * cells.len(), Complex64::ZERO);
        waves
            .par_chunks_mut(count)
            .zip(cells)
            .zip(&level.interaction_lists)
            .for_each_init(Scratch::default, |scratch, ((waves, cell), list)| {
                waves.fill(Complex64::ZERO);
                if let Some(parent) = parent {
                    let count = parent.form.count();
                    let from = &above[cell.parent * count..(cell.parent + 1) * count];
                    parent.give_part(part(cell.place), from, &level.form, waves, scratch);
                }
                for &(other, offset) in list {
                    let from = &outgoing[other as usize * count..][..count];
                    let factors = level.translations.at(usize::from(offset));
                    match level.form {
                        Form::Directions(_) => add_product(factors, from, waves),
                        Form::Orders(_) => add_image(factors, from, waves),
                    }
                }
            });
    }
}

impl LevelWaves {
    /// Adds the outgoing waves of a child.
    fn add_part(
        &self,
        part: usize,
        form: &Form,
        waves: &[Complex64],
        pattern: &mut [Complex64],
        scratch: &mut Scratch,
    ) {
        match (&self.shifts, &self.form, form) {
            (Shifts::Phases(phases), Form::Directions(own), Form::Directions(below)) => {
                let (samples, out, transform) =
                    scratch.of(below.count(), own.count(), below.scratch(own));
                samples.copy_from_slice(waves);
                below.resample(samples, own, out, transform);
                add_product(&phases[part], out, pattern);
            }
            (Shifts::Phases(phases), Form::Directions(own), Form::Orders(below)) => {
                let (_, out, transform) = scratch.of(0, own.count(), own.scratch(own));
                below.spread(waves, out);
                own.inverse.process_with_scratch(out, transform);
                add_product(&phases[part], out, pattern);
            }
            (Shifts::Matrices(matrices), _, _) => add_image(&matrices[part][0], waves, pattern),
            // Leaves have no children, and no child is larger than its parent.
            _ => {}
        }
    }

    /// Writes the incoming waves of a child from those of its parent.
    fn give_part(
        &self,
        part: usize,
        from: &[Complex64],
        form: &Form,
        waves: &mut [Complex64],
        scratch: &mut Scratch,
    ) {
        match (&self.shifts, &self.form, form) {
            (Shifts::Phases(phases), Form::Directions(own), Form::Directions(below)) => {
                let (samples, _, transform) = scratch.of(own.count(), 0, own.scratch(below));
                turn_back(&phases[part], from, samples);
                own.resample(samples, below, waves, transform);
            }
            (Shifts::Phases(phases), Form::Directions(own), Form::Orders(below)) => {
                let (samples, _, transform) = scratch.of(own.count(), 0, own.scratch(own));
                turn_back(&phases[part], from, samples);
                own.forward.process_with_scratch(samples, transform);
                below.gather(samples, waves);
            }
            (Shifts::Matrices(matrices), _, _) => add_image(&matrices[part][1], from, waves),
            _ => {}
        }
    }
}

/// Returns the index of a cell among the children of its parent, by its column and row.
fn part(place: [u32; 2]) -> usize {
    ((place[0] & 1) + 2 * (place[1] & 1)) as usize
}

/// Returns the interaction lists of the cells of a level, with the indices of their offsets.
fn interaction_lists(tree: &Tree, number: usize) -> Vec<Vec<(u32, u16)>> {
    let cells = &tree.levels[number].cells;
    (0..cells.len())
        .into_par_iter()
        .map(|cell| {
            let own = cells[cell].place.map(i64::from);
            let others = tree.interaction_list(number, cell).into_iter();
            others
                .map(|other| {
                    let place = cells[other].place.map(i64::from);
                    let offset = [own[0] - place[0], own[1] - place[1]];
                    (other as u32, Translations::number(offset) as u16)
                })
                .collect()
        })
        .collect()
}

/// Returns the radiation pattern of every unit source about the center of its leaf.
fn unit_patterns(
    tree: &Tree,
    places: &Places,
    form: &Form,
    wavenumber: f64,
) -> Result<Vec<Complex64>, SpecialError> {
    let count = form.count_of_node();
    let leaves = &tree.leaves().cells;
    let depth = tree.levels.len() - 1;
    let mut patterns = vec![Complex64::ZERO; count * places.x.len()];
    let mut parts = Vec::with_capacity(leaves.len());
    let mut rest = &mut patterns[..];
    for leaf in leaves {
        let (part, behind) = rest.split_at_mut(count * leaf.nodes.len());
        parts.push(part);
        rest = behind;
    }
    parts
        .into_par_iter()
        .enumerate()
        .try_for_each(|(leaf, part)| {
            let middle = tree.center(depth, leaf);
            for (place, out) in leaves[leaf].nodes.clone().zip(part.chunks_mut(count)) {
                let r = [places.x[place] - middle[0], places.y[place] - middle[1]];
                match form {
                    Form::Directions(directions) => directions.phases(wavenumber, r, out),
                    Form::Orders(orders) => orders.node(wavenumber, r, out)?,
                }
            }
            Ok(())
        })?;
    Ok(patterns)
}

/// Workspace for shifts between representations.
#[derive(Default)]
struct Scratch {
    samples: Vec<Complex64>,
    out: Vec<Complex64>,
    transform: Vec<Complex64>,
}

impl Scratch {
    /// Allocates the workspace.
    fn of(
        &mut self,
        samples: usize,
        out: usize,
        transform: usize,
    ) -> (&mut [Complex64], &mut [Complex64], &mut [Complex64]) {
        self.samples.resize(samples, Complex64::ZERO);
        self.out.resize(out, Complex64::ZERO);
        self.transform.resize(transform, Complex64::ZERO);
        (&mut self.samples, &mut self.out, &mut self.transform)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernels::{Coefficients, Points, Source};
    use crate::wave::Wave;

    /// Star of three arms with various sources and normals, 40 wavelengths across, compared with direct sums.
    #[test]
    fn fields_are_those_of_plain_sums() {
        // Toward ten digits the low-frequency breakdown of the smallest cells shows.
        check(
            2.0 * std::f64::consts::PI,
            LEAF,
            &[(4.0, 1e-4), (7.0, 1e-7), (10.0, 3e-9)],
        );
    }

    /// Leaves much smaller than a wavelength, and a star much smaller than one.
    #[test]
    fn small_squares_lose_nothing() {
        // As above for cells of about a wavelength.
        for (wavelengths, last) in [(40.0, 1e-8), (3.0, 1e-10), (0.1, 1e-10), (1e-4, 1e-10)] {
            let wavenumber = 2.0 * std::f64::consts::PI * wavelengths / 40.0;
            let mut leaf = LEAF * 40.0 / wavelengths;
            while leaf > 0.4 {
                leaf *= 0.5;
            }
            check(wavenumber, leaf, &[(4.0, 1e-4), (7.0, 1e-7), (10.0, last)]);
        }
    }

    fn check(wavenumber: f64, leaf: f64, cases: &[(f64, f64)]) {
        let count = 3000;
        let (mut x, mut y) = (Vec::new(), Vec::new());
        for i in 0..count {
            let t = 2.0 * std::f64::consts::PI * i as f64 / count as f64;
            let r = 14.0 + 6.0 * (3.0 * t).cos();
            x.push(r * t.cos());
            y.push(r * t.sin());
        }
        let tree = Tree::new(&x, &y, leaf);
        let sorted = |values: &[f64]| tree.order.iter().map(|&n| values[n]).collect::<Vec<_>>();
        let places = Places {
            x: sorted(&x),
            y: sorted(&y),
            normal: (tree.order.iter())
                .map(|&n| [(7.0 * n as f64).cos(), (7.0 * n as f64).sin()])
                .collect(),
        };
        let number =
            |i: usize, f: f64| Complex64::new((f * i as f64).sin(), (1.7 * f * i as f64).cos());
        let monopoles: Vec<Complex64> = (0..count).map(|i| number(i, 0.3)).collect();
        let dipoles: Vec<Complex64> = (0..count).map(|i| number(i, 1.1)).collect();
        for &(digits, bound) in cases {
            let multipole =
                Multipole::new(tree.clone(), places.clone(), wavenumber, digits).unwrap();
            let fields = multipole.fields(&monopoles, &dipoles);
            let leaves = multipole.tree.leaves();
            let [mut error, mut size] = [[0.0; 2]; 2];
            for (leaf, cell) in leaves.cells.iter().enumerate().step_by(5) {
                let place = cell.nodes.start;
                let near: Vec<usize> = leaves.around(leaf).collect();
                let mut exact = [Complex64::ZERO; 2];
                for (other, cell) in leaves.cells.iter().enumerate() {
                    if near.contains(&other) {
                        continue;
                    }
                    for source in cell.nodes.clone() {
                        let point = Points {
                            x: &places.x[place..=place],
                            y: &places.y[place..=place],
                            normal_x: &[places.normal[place][0]],
                            normal_y: &[places.normal[place][1]],
                        };
                        let at = Source {
                            at: [places.x[source], places.y[source]],
                            normal: places.normal[source],
                        };
                        let jk = Complex64::new(0.0, wavenumber);
                        let (m, d) = (monopoles[source], dipoles[source]);
                        let potential = Coefficients {
                            single: m,
                            double: d / jk,
                            adjoint: Complex64::ZERO,
                            hyper: Complex64::ZERO,
                        };
                        let derivative = Coefficients {
                            single: Complex64::ZERO,
                            double: Complex64::ZERO,
                            adjoint: m / jk,
                            hyper: d / jk / jk,
                        };
                        for (sum, coefficients) in exact.iter_mut().zip([potential, derivative]) {
                            let out = std::slice::from_mut(sum);
                            Wave::Real(wavenumber)
                                .add_column(point, at, &coefficients, out)
                                .unwrap();
                        }
                    }
                }
                for kind in 0..2 {
                    error[kind] += (fields[place][kind] - exact[kind]).norm_sqr();
                    size[kind] += exact[kind].norm_sqr();
                }
            }
            for kind in 0..2 {
                let error = (error[kind] / size[kind]).sqrt();
                assert!(
                    error < bound,
                    "k = {wavenumber}, {digits} digits: {error:e}"
                );
            }
        }
    }
}
