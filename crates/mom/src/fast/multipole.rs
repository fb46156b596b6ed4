//! The field of many sources at their own places by plane waves through a tree of squares (multilevel fast multipole
//! method): V = Σ G m + ∂G/∂n′ d/jk over sources beyond neighbouring leaves, and its slope along the normals over jk.
//!
//! V. Rokhlin, J. Comput. Phys. 86 (1990) 414–439; J. M. Song, C.-C. Lu, W. C. Chew, IEEE Trans. Antennas Propag. 45
//! (1997) 1488–1493. Waves come from one level to another by Fourier transforms over their directions, without error.

use std::sync::{Mutex, PoisonError};

use num_complex::Complex64;
use rayon::prelude::*;
use rustfft::FftPlanner;
use wavefield_physics::special::SpecialError;

use super::directions::Directions;
use super::translation::Translations;
use super::tree::Tree;
use crate::kernels::{add_product, hear, send, turn_back};

const ZERO: Complex64 = Complex64::new(0.0, 0.0);
/// Side of a leaf in wavelengths.
pub(crate) const LEAF: f64 = 1.5;
/// The first level at which squares hear of each other: those above all touch.
const TOP: usize = 2;

/// Places with normals, in the order of a tree.
#[derive(Clone, Debug)]
pub(crate) struct Places {
    pub(crate) x: Vec<f64>,
    pub(crate) y: Vec<f64>,
    pub(crate) normal: Vec<[f64; 2]>,
}

/// What is known of a level before anything is sent.
struct LevelWaves {
    directions: Directions,
    translations: Translations,
    /// Whom each square hears, with the number of the factors for it.
    heard: Vec<Vec<(u32, u16)>>,
    /// e^{jk k̂·r} from the middle of a square to those of its four parts; of none on the level of leaves.
    shifts: Vec<Vec<Complex64>>,
}

/// Sources, a tree over them, and all factors.
pub(crate) struct Multipole {
    pub(crate) tree: Tree,
    places: Places,
    /// From [`TOP`] down to the leaves.
    levels: Vec<LevelWaves>,
    /// e^{jk k̂·ρ} of every source from the middle of its leaf, in all directions of leaves.
    phases: Vec<Complex64>,
    /// The leaf of every source.
    leaves: Vec<u32>,
    /// Waves of the last product: memory that is fetched anew every time takes as long as the product.
    room: Mutex<Room>,
}

/// Room for the waves of a product.
#[derive(Default)]
struct Room {
    /// Of every level.
    outgoing: Vec<Vec<Complex64>>,
    /// Of a level and of the one above it.
    incoming: [Vec<Complex64>; 2],
}

impl Multipole {
    /// For sources at some places, a real wavenumber and so many digits.
    pub(crate) fn new(
        tree: Tree,
        places: Places,
        wavenumber: f64,
        digits: f64,
    ) -> Result<Multipole, SpecialError> {
        let mut planner = FftPlanner::new();
        let depth = tree.levels.len() - 1;
        let mut levels = Vec::new();
        for number in TOP..=depth {
            let level = &tree.levels[number];
            let directions = Directions::new(wavenumber, level.side, digits, &mut planner);
            let heard: Vec<Vec<(u32, u16)>> = (0..level.cells.len())
                .into_par_iter()
                .map(|cell| {
                    let own = level.cells[cell].place.map(i64::from);
                    let others = tree.heard(number, cell).into_iter();
                    others
                        .map(|other| {
                            let place = level.cells[other].place.map(i64::from);
                            let offset = [own[0] - place[0], own[1] - place[1]];
                            (other as u32, Translations::number(offset) as u16)
                        })
                        .collect()
                })
                .collect();
            let mut occurs = [false; 64];
            for (_, offset) in heard.iter().flatten() {
                occurs[usize::from(*offset)] = true;
            }
            let occurs = |offset: usize| occurs[offset];
            let translations = Translations::new(wavenumber, level.side, &directions, occurs)?;
            let shifts = if number == depth {
                Vec::new()
            } else {
                let quarter = 0.25 * level.side;
                let middles = [[-1.0, -1.0], [1.0, -1.0], [-1.0, 1.0], [1.0, 1.0]];
                middles
                    .map(|[x, y]| {
                        let mut phases = vec![ZERO; directions.count()];
                        directions.phases(wavenumber, [x * quarter, y * quarter], &mut phases);
                        phases
                    })
                    .to_vec()
            };
            levels.push(LevelWaves {
                directions,
                translations,
                heard,
                shifts,
            });
        }
        let mut phases = Vec::new();
        if let Some(last) = levels.last() {
            let directions = &last.directions;
            let count = directions.count();
            phases = vec![ZERO; count * places.x.len()];
            let leaves = &tree.leaves().cells;
            let mut rest = &mut phases[..];
            let mut parts = Vec::with_capacity(leaves.len());
            for leaf in leaves {
                let (part, behind) = rest.split_at_mut(count * leaf.nodes.len());
                parts.push(part);
                rest = behind;
            }
            parts.into_par_iter().enumerate().for_each(|(leaf, part)| {
                let middle = tree.centre(depth, leaf);
                for (place, phases) in leaves[leaf].nodes.clone().zip(part.chunks_mut(count)) {
                    let r = [places.x[place] - middle[0], places.y[place] - middle[1]];
                    directions.phases(wavenumber, r, phases);
                }
            });
        }
        let leaves = (tree.leaves().cells.iter().enumerate())
            .flat_map(|(leaf, cell)| cell.nodes.clone().map(move |_| leaf as u32))
            .collect();
        let mut room = Room::default();
        room.outgoing.resize_with(levels.len(), Vec::new);
        Ok(Multipole {
            tree,
            places,
            levels,
            phases,
            leaves,
            room: Mutex::new(room),
        })
    }

    /// Sources in the order of the tree: monopoles m and dipoles d. Returns V and its slope over jk, in the same order.
    pub(crate) fn fields(
        &self,
        monopoles: &[Complex64],
        dipoles: &[Complex64],
    ) -> Vec<[Complex64; 2]> {
        let mut fields = vec![[ZERO; 2]; monopoles.len()];
        // Whatever a panic left there is written over.
        let mut room = self.room.lock().unwrap_or_else(PoisonError::into_inner);
        let Room { outgoing, incoming } = &mut *room;
        self.send_out(monopoles, dipoles, outgoing);
        for (number, outgoing) in outgoing.iter().enumerate() {
            let [now, above] = incoming;
            self.take_in(number, outgoing, above, now);
            incoming.swap(0, 1);
        }
        let incoming = &incoming[1];
        let Some(LevelWaves { directions, .. }) = self.levels.last() else {
            return fields;
        };
        let count = directions.count();
        // The mean over all directions.
        let share = 1.0 / count as f64;
        let compass = directions.compass();
        fields
            .par_iter_mut()
            .zip(self.phases.par_chunks(count))
            .zip(&self.leaves)
            .enumerate()
            .with_min_len(64)
            .for_each(|(place, ((sums, phases), leaf))| {
                let waves = &incoming[*leaf as usize * count..][..count];
                hear(compass, phases, self.places.normal[place], waves, sums);
                *sums = sums.map(|sum| sum * share);
            });
        fields
    }

    /// The waves that go out of the squares of every level.
    fn send_out(
        &self,
        monopoles: &[Complex64],
        dipoles: &[Complex64],
        outgoing: &mut [Vec<Complex64>],
    ) {
        let Some((last, above)) = self.levels.split_last() else {
            return;
        };
        let count = last.directions.count();
        let compass = last.directions.compass();
        let leaves = &self.tree.leaves().cells;
        let patterns = &mut outgoing[above.len()];
        patterns.resize(count * leaves.len(), ZERO);
        patterns
            .par_chunks_mut(count)
            .zip(leaves)
            .for_each(|(pattern, leaf)| {
                pattern.fill(ZERO);
                for place in leaf.nodes.clone() {
                    let phases = &self.phases[place * count..(place + 1) * count];
                    let normal = self.places.normal[place];
                    let (monopole, dipole) = (monopoles[place], dipoles[place]);
                    send(compass, phases, normal, monopole, dipole, pattern);
                }
            });
        for number in (0..above.len()).rev() {
            let (own, below) = (&self.levels[number].directions, &self.levels[number + 1]);
            let below = &below.directions;
            let (count, count_below) = (own.count(), below.count());
            let cells = &self.tree.levels[TOP + number].cells;
            let children = &self.tree.levels[TOP + number + 1].cells;
            let (patterns, from) = outgoing.split_at_mut(number + 1);
            let (patterns, from) = (&mut patterns[number], &from[0]);
            patterns.resize(count * cells.len(), ZERO);
            patterns.par_chunks_mut(count).zip(cells).for_each_init(
                || Scratch::new(below, own),
                |scratch, (pattern, cell)| {
                    pattern.fill(ZERO);
                    for child in cell.children.clone() {
                        let waves = &from[child * count_below..(child + 1) * count_below];
                        scratch.samples.copy_from_slice(waves);
                        below.resample(
                            &mut scratch.samples,
                            own,
                            &mut scratch.out,
                            &mut scratch.transform,
                        );
                        let shift = self.shift(number, children[child].place);
                        add_product(shift, &scratch.out, pattern);
                    }
                },
            );
        }
    }

    /// The waves that come into the squares of a level: from those they hear, and from the square they are part of.
    fn take_in(
        &self,
        number: usize,
        outgoing: &[Complex64],
        above: &[Complex64],
        waves: &mut Vec<Complex64>,
    ) {
        let level = &self.levels[number];
        let own = &level.directions;
        let count = own.count();
        let cells = &self.tree.levels[TOP + number].cells;
        let parent = number.checked_sub(1).map(|n| &self.levels[n].directions);
        waves.resize(count * cells.len(), ZERO);
        waves
            .par_chunks_mut(count)
            .zip(cells)
            .zip(&level.heard)
            .for_each_init(
                || parent.map(|parent| Scratch::new(parent, own)),
                |scratch, ((waves, cell), heard)| {
                    if let (Some(parent), Some(scratch)) = (parent, scratch) {
                        let count = parent.count();
                        let from = &above[cell.parent * count..(cell.parent + 1) * count];
                        let shift = self.shift(number - 1, cell.place);
                        turn_back(shift, from, &mut scratch.samples);
                        parent.resample(&mut scratch.samples, own, waves, &mut scratch.transform);
                    } else {
                        waves.fill(ZERO);
                    }
                    for &(other, offset) in heard {
                        let from = &outgoing[other as usize * count..][..count];
                        add_product(level.translations.at(usize::from(offset)), from, waves);
                    }
                },
            );
    }

    /// The phases from the middle of a square of a level to that of its part at a place.
    fn shift(&self, number: usize, place: [u32; 2]) -> &[Complex64] {
        let quarter = (place[0] & 1) + 2 * (place[1] & 1);
        &self.levels[number].shifts[quarter as usize]
    }
}

/// Room for waves on their way from one sampling to another.
struct Scratch {
    samples: Vec<Complex64>,
    out: Vec<Complex64>,
    transform: Vec<Complex64>,
}

impl Scratch {
    fn new(from: &Directions, to: &Directions) -> Scratch {
        Scratch {
            samples: vec![ZERO; from.count()],
            out: vec![ZERO; to.count()],
            transform: vec![ZERO; from.scratch(to)],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernels::{Coefficients, Points, Source};
    use crate::wave::Wave;

    /// A star of three arms with sources and normals of all kinds, 40 wavelengths across, against plain sums.
    #[test]
    fn fields_are_those_of_plain_sums() {
        let count = 3000;
        let wavenumber = 2.0 * std::f64::consts::PI;
        let (mut x, mut y) = (Vec::new(), Vec::new());
        for i in 0..count {
            let t = 2.0 * std::f64::consts::PI * i as f64 / count as f64;
            let r = 14.0 + 6.0 * (3.0 * t).cos();
            x.push(r * t.cos());
            y.push(r * t.sin());
        }
        let tree = Tree::new(&x, &y, LEAF);
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
        // Towards ten digits the growing factors of the smallest squares are felt.
        for (digits, bound) in [(4.0, 1e-4), (7.0, 1e-7), (10.0, 3e-9)] {
            let fast = Multipole::new(tree.clone(), places.clone(), wavenumber, digits).unwrap();
            let fields = fast.fields(&monopoles, &dipoles);
            let leaves = fast.tree.leaves();
            let [mut error, mut size] = [[0.0; 2]; 2];
            for (leaf, cell) in leaves.cells.iter().enumerate().step_by(5) {
                let place = cell.nodes.start;
                let near: Vec<usize> = leaves.around(leaf).collect();
                let mut exact = [ZERO; 2];
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
                            adjoint: ZERO,
                            hyper: ZERO,
                        };
                        let slope = Coefficients {
                            single: ZERO,
                            double: ZERO,
                            adjoint: m / jk,
                            hyper: d / jk / jk,
                        };
                        for (sum, coefficients) in exact.iter_mut().zip([potential, slope]) {
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
                assert!(error < bound, "{digits} digits: {error}");
            }
        }
    }
}
