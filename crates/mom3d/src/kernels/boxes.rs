//! Near-field corrections of the AIM: potentials of the point sources of one box at the points of another, in single
//! precision, and their testing, summed in double precision.

use num_complex::Complex32;
use wavefield_numerics::simd::{Accumulate, LANES, dispatch, lane_sums_of_singles};

/// Points of a box along an axis.
pub(crate) const ACROSS: usize = 4;
/// Points of a box.
pub(crate) const BOX: usize = ACROSS * ACROSS * ACROSS;
/// Weights of the points of a box.
pub(crate) type BoxWeights = [f32; BOX];

/// Real and imaginary parts of the Green's function from each point of the source box to all points of the test box.
pub(crate) type BoxTable = [[BoxWeights; 2]; BOX];

/// Maximum number of testing weight sets.
const TESTS: usize = 13;

/// Returns the field of source weights tested with sets of testing weights at the points of the test box: real and imaginary
/// parts for each of four sets of source weights.
pub(crate) fn box_products(
    table: &BoxTable,
    sources: &[BoxWeights; 4],
    tests: &[&BoxWeights],
) -> [[[f64; 2]; TESTS]; 4] {
    sources.each_ref().map(|weights| {
        let mut field = [[0.0; BOX]; 2];
        field_of(table, weights, &mut field);
        let mut products = [[0.0; 2]; TESTS];
        box_sums(&field, tests, &mut products);
        products
    })
}

dispatch! {
    /// Adds the field of source weights at the points of the test box.
    fn field_of(table: &BoxTable, weights: &BoxWeights, field: &mut [BoxWeights; 2]) = field_either
}

#[inline(always)]
fn field_either<const FUSED: bool>(
    table: &BoxTable,
    weights: &BoxWeights,
    field: &mut [BoxWeights; 2],
) {
    for (kernel, &weight) in table.iter().zip(weights) {
        for part in 0..2 {
            for at in 0..BOX {
                field[part][at] = field[part][at].plus::<FUSED>(weight, kernel[part][at]);
            }
        }
    }
}

/// Writes the sums of a field at the points of a box, real and imaginary parts, weighted by sets of testing weights.
pub(crate) fn box_sums(field: &[BoxWeights; 2], tests: &[&BoxWeights], products: &mut [[f64; 2]]) {
    let mut weights: [&[f32]; TESTS] = [&[]; TESTS];
    for (to, test) in weights.iter_mut().zip(tests) {
        *to = &test[..];
    }
    let mut sums = [[0.0; LANES]; 2 * TESTS];
    let weights = &weights[..tests.len()];
    lane_sums_of_singles(
        &[&field[0], &field[1]],
        weights,
        &mut sums[..2 * tests.len()],
    );
    for (at, product) in products.iter_mut().enumerate().take(tests.len()) {
        *product = [sums[at], sums[at + tests.len()]].map(|lanes| {
            let four: [f64; 4] = std::array::from_fn(|lane| lanes[lane] + lanes[lane + 4]);
            (four[0] + four[2]) + (four[1] + four[3])
        });
    }
}

/// Position of a box in a grid.
#[derive(Clone, Copy)]
pub(crate) struct BoxPlace {
    /// Index of the first point.
    pub(crate) first: usize,
    /// Strides from plane to plane and from row to row.
    pub(crate) steps: [usize; 2],
}

dispatch! {
    /// Adds sets of weights times factors to the points of a box.
    pub(crate) fn add_to_box(
        weights: [&BoxWeights; 2],
        factors: [Complex32; 2],
        place: BoxPlace,
        grid: &mut [Complex32],
    ) = add_either
}

#[inline(always)]
fn add_either<const FUSED: bool>(
    weights: [&BoxWeights; 2],
    factors: [Complex32; 2],
    place: BoxPlace,
    grid: &mut [Complex32],
) {
    let [a, b] = weights.map(|weights| weights.as_chunks::<ACROSS>().0);
    let [by_a, by_b] = factors.map(|factor| [factor.re, factor.im]);
    for (row, (a, b)) in a.iter().zip(b).enumerate() {
        let first = place.first + row / ACROSS * place.steps[0] + row % ACROSS * place.steps[1];
        let points: &mut [f32] = bytemuck::cast_slice_mut(&mut grid[first..first + ACROSS]);
        for (part, point) in points.iter_mut().enumerate() {
            let sum = point.plus::<FUSED>(by_a[part % 2], a[part / 2]);
            *point = sum.plus::<FUSED>(by_b[part % 2], b[part / 2]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns weights that depend on an index.
    fn weights(number: usize) -> BoxWeights {
        std::array::from_fn(|at| ((3 * at + 11 * number) as f32).sin())
    }

    fn close(found: f64, plain: f64, terms: usize) -> bool {
        (found - plain).abs() < f64::from(f32::EPSILON) * terms as f64
    }

    #[test]
    fn products_and_sums_of_boxes_are_those_written_out() {
        let table: BoxTable =
            std::array::from_fn(|source| [weights(2 * source), weights(2 * source + 1)]);
        let sources = [200, 201, 202, 203].map(weights);
        for count in [1, 2, 4, 5, 13] {
            let tests: Vec<BoxWeights> = (0..count).map(|test| weights(300 + test)).collect();
            let tests: Vec<&BoxWeights> = tests.iter().collect();
            let products = box_products(&table, &sources, &tests);
            for (source, products) in sources.iter().zip(&products) {
                for (test, product) in tests.iter().zip(products) {
                    for part in 0..2 {
                        let mut plain = 0.0;
                        for a in 0..BOX {
                            for b in 0..BOX {
                                let pair = f64::from(source[b]) * f64::from(table[b][part][a]);
                                plain += f64::from(test[a]) * pair;
                            }
                        }
                        assert!(close(product[part], plain, BOX * BOX), "{count} {plain}");
                    }
                }
            }
        }
    }

    #[test]
    fn a_box_is_filled_and_nothing_around_it() {
        let shape = [6, 7, 8];
        let mut grid = vec![Complex32::new(1.0, -1.0); shape.iter().product()];
        let [a, b] = [weights(1), weights(2)];
        let factors = [Complex32::new(0.3, -0.7), Complex32::new(-1.1, 0.2)];
        let corner = [1, 2, 3];
        let at = |[x, y, z]: [usize; 3]| (x * shape[1] + y) * shape[2] + z;
        let place = BoxPlace {
            first: at(corner),
            steps: [shape[1] * shape[2], shape[2]],
        };
        add_to_box([&a, &b], factors, place, &mut grid);
        for x in 0..shape[0] {
            for y in 0..shape[1] {
                for z in 0..shape[2] {
                    let inside = [x, y, z]
                        .iter()
                        .zip(corner)
                        .all(|(at, first)| (first..first + ACROSS).contains(at));
                    let mut plain = Complex32::new(1.0, -1.0);
                    if inside {
                        let point =
                            ((x - corner[0]) * ACROSS + y - corner[1]) * ACROSS + z - corner[2];
                        plain += factors[0] * a[point] + factors[1] * b[point];
                    }
                    let found = grid[at([x, y, z])];
                    assert!(
                        (found - plain).norm() < 4.0 * f32::EPSILON,
                        "{found} {plain}"
                    );
                }
            }
        }
    }
}
