//! Pairs of functions that are near each other: what the grid makes of them is taken off and the integrals put in.

use num_complex::{Complex32, Complex64};
use rayon::prelude::*;
use std::collections::HashMap;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use wavefield_compute::observe::{Observer, Progress};
use wavefield_physics::direction::{Vector, difference, norm};

use super::super::basis::Basis;
use super::super::error::Error;
use super::super::pair::{Block, Combination, Pairs};
use super::equivalent::{POINTS, Weights};
use super::grid::{Grid, kernel};
use super::projection::Projected;
use super::schwarz::{self, Pieces, Schwarz};
use super::single;
use crate::kernels::{self, ACROSS, BoxTable, box_products, rows_times, side_by_side};

const ZERO: Complex64 = Complex64::new(0.0, 0.0);
/// Functions of a block of rows.
pub(crate) const ROWS: usize = 160;

/// Rows of near entries, less what the grid makes of them.
pub(crate) struct Near {
    /// Where rows begin, and the total at the end.
    first: Vec<usize>,
    columns: Vec<u32>,
    values: Vec<Complex32>,
}

/// Triangles near each triangle.
pub(crate) struct Neighbours {
    pub(crate) of: Vec<Vec<u32>>,
}

impl Neighbours {
    /// Pairs with centres nearer than a distance.
    pub(crate) fn new(basis: &Basis, distance: f64) -> Neighbours {
        let cell_of = |at: Vector| at.map(|x| (x / distance).floor() as i64);
        let mut cells: HashMap<[i64; 3], Vec<u32>> = HashMap::new();
        for (number, triangle) in (0..).zip(&basis.triangles) {
            cells
                .entry(cell_of(triangle.centre))
                .or_default()
                .push(number);
        }
        let of = (basis.triangles.par_iter())
            .map(|triangle| {
                let own = cell_of(triangle.centre);
                let mut near = Vec::new();
                for offset in 0..27 {
                    let step = [offset / 9, offset / 3 % 3, offset % 3].map(|x| x - 1);
                    let cell = std::array::from_fn(|axis| own[axis] + step[axis]);
                    for &other in cells.get(&cell).into_iter().flatten() {
                        let centre = basis.triangles[other as usize].centre;
                        // Large triangles touch farther away than the distance.
                        let reach =
                            1.01 * (triangle.radius + basis.triangles[other as usize].radius);
                        if norm(difference(centre, triangle.centre)) < distance.max(reach) {
                            near.push(other);
                        }
                    }
                }
                near.sort_unstable();
                near
            })
            .collect();
        Neighbours { of }
    }
}

/// Bytes of the tables between boxes, near pairs reaching so many steps.
pub(crate) fn memory(steps: f64) -> usize {
    // Boxes of near triangles are no more than the reach and a step apart along each axis, within a sphere or so.
    let offsets = 0.55 * (2.0 * (steps + 1.0) + 1.0).powi(3);
    offsets as usize * size_of::<BoxTable>()
}

/// G between the points of two boxes, by how far their first points are apart.
struct BoxKernels {
    of_offset: HashMap<[i32; 3], Box<BoxTable>>,
}

impl BoxKernels {
    fn new(
        wavenumber: f64,
        step: f64,
        projected: &[Projected],
        neighbours: &Neighbours,
    ) -> BoxKernels {
        let mut offsets: Vec<[i32; 3]> = (neighbours.of.par_iter().enumerate())
            .map(|(number, near)| {
                let mut own: Vec<[i32; 3]> = (near.iter())
                    .map(|&other| apart(&projected[number], &projected[other as usize]))
                    .collect();
                own.sort_unstable();
                own.dedup();
                own
            })
            .reduce(Vec::new, |mut all, more| {
                all.extend(more);
                all.sort_unstable();
                all.dedup();
                all
            });
        offsets.dedup();
        let place = |number: usize| {
            [
                number / (ACROSS * ACROSS),
                number / ACROSS % ACROSS,
                number % ACROSS,
            ]
            .map(|x| x as i32)
        };
        let of_offset = (offsets.into_par_iter())
            .map(|offset| {
                let mut table: Box<BoxTable> = Box::new([[[0.0; POINTS]; 2]; POINTS]);
                for source in 0..POINTS {
                    for test in 0..POINTS {
                        let (a, b) = (place(test), place(source));
                        let between = std::array::from_fn(|axis| {
                            (offset[axis] + a[axis] - b[axis]).unsigned_abs() as usize
                        });
                        let g = kernel(wavenumber, step, between);
                        table[source][0][test] = g.re as f32;
                        table[source][1][test] = g.im as f32;
                    }
                }
                (offset, table)
            })
            .collect();
        BoxKernels { of_offset }
    }
}

/// How far the box of a test begins from that of a source, in steps.
fn apart(test: &Projected, source: &Projected) -> [i32; 3] {
    std::array::from_fn(|axis| test.cell[axis] as i32 - source.cell[axis] as i32)
}

/// What the grid makes of a pair: entries by corners, as in `pair.rs`; `projection.rs` has the weights.
fn on_grid(
    kernels: &BoxKernels,
    test: &Projected,
    source: &Projected,
    weights: Combination,
    wavenumber: f64,
) -> Block {
    let mut tests: Vec<&Weights> = test.moments.iter().collect();
    if let Some(turned) = &test.turned {
        tests.extend(turned.iter().flatten());
    }
    let table = &kernels.of_offset[&apart(test, source)];
    // By moment of the source: first with the moments of the test, then with its turned weights by corner and component.
    let products = box_products(table, &source.moments, &tests);
    let product = |moment: usize, test: usize| {
        let [re, im] = products[moment][test];
        Complex64::new(re, im)
    };
    // Currents of the half function j along c: ½ (moment c + arm_c moment 0).
    let current = |c: usize, arm: Vector, test: usize| {
        0.5 * (product(1 + c, test) + arm[c] * product(0, test))
    };
    let charge = product(0, 0);
    let electric = Complex64::new(0.0, weights.electric);
    std::array::from_fn(|i| {
        std::array::from_fn(|j| {
            let (own, other) = (test.arms[i], source.arms[j]);
            let mut along = ZERO;
            let mut turned = ZERO;
            for c in 0..3 {
                along += current(c, other, 1 + c) + own[c] * current(c, other, 0);
                if test.turned.is_some() {
                    turned += current(c, other, 4 + 3 * i + c);
                }
            }
            electric * (0.5 * wavenumber * along - charge / wavenumber) + weights.magnetic * turned
        })
    })
}

/// Rows of one block of functions while they are filled.
struct Rows {
    /// The functions.
    own: Range<usize>,
    /// The triangles that carry them.
    tests: Vec<usize>,
    /// Whether all integrals are kept, or those among the functions of the block.
    keep_all: bool,
    /// Columns of each row, in order, and what is in them.
    columns: Vec<Vec<u32>>,
    values: Vec<Vec<Complex32>>,
    /// The integrals of each row that inverses are made of, with their columns.
    exact: Vec<schwarz::Row>,
}

impl Near {
    /// Fills the rows, and inverts pieces of them.
    ///
    /// # Errors
    /// A piece is singular, or stopped on request.
    pub(crate) fn new(
        pairs: &Pairs<'_>,
        grid: &Grid,
        projected: &[Projected],
        neighbours: &Neighbours,
        observer: &dyn Observer,
    ) -> Result<(Near, Schwarz), Error> {
        let basis = pairs.basis();
        let kernels = BoxKernels::new(pairs.wavenumber(), grid.step, projected, neighbours);
        let pieces = Pieces::new(pairs, neighbours);
        let blocks = pieces.len();
        let done = AtomicUsize::new(0);
        let mut filled: Vec<Rows> = (0..blocks)
            .into_par_iter()
            .map(|block| {
                observer.checkpoint()?;
                let own = schwarz::own(block, basis.size);
                let mut rows = Rows::new(basis, neighbours, own, pieces.overlap);
                rows.fill(pairs, projected, neighbours, &kernels);
                let finished = done.fetch_add(1, Ordering::Relaxed) + 1;
                observer.progress(&Progress::new(
                    "near entries",
                    finished as u64,
                    blocks as u64,
                ));
                Ok(rows)
            })
            .collect::<Result<_, Error>>()?;
        let exact = |function: usize| &filled[function / ROWS].exact[function % ROWS];
        let inverse = Schwarz::new(basis.size, pieces, exact, observer)?;
        let mut entries = 0;
        for rows in &mut filled {
            rows.exact = Vec::new();
            entries += rows.columns.iter().map(Vec::len).sum::<usize>();
        }
        let mut near = Near {
            first: vec![0],
            columns: Vec::with_capacity(entries),
            values: Vec::with_capacity(entries),
        };
        for rows in filled {
            for (columns, values) in rows.columns.into_iter().zip(rows.values) {
                near.columns.extend(columns);
                near.values.extend(values);
                near.first.push(near.columns.len());
            }
        }
        Ok((near, inverse))
    }

    /// Adds the products of the rows with vectors.
    pub(crate) fn add_products(&self, x: &[Vec<Complex64>], y: &mut [Vec<Complex64>]) {
        let size = self.first.len() - 1;
        let width = side_by_side(x.len());
        for (x, y) in x.chunks(width).zip(y.chunks_mut(width)) {
            let mut together = vec![ZERO; size * width];
            (together.par_chunks_mut(width).enumerate()).for_each(|(at, together)| {
                for (to, x) in together.iter_mut().zip(x) {
                    *to = x[at];
                }
            });
            let mut products = vec![ZERO; size * width];
            (products.par_chunks_mut(ROWS * width).enumerate()).for_each(|(block, products)| {
                let own = schwarz::own(block, size);
                let rows = kernels::Rows {
                    first: &self.first[own.start..=own.end],
                    columns: &self.columns,
                    values: &self.values,
                };
                rows_times(rows, width, &together, products);
            });
            for (number, y) in y.iter_mut().enumerate() {
                (y.par_iter_mut().zip(products.par_chunks(width)))
                    .for_each(|(y, products)| *y += products[number]);
            }
        }
    }
}

impl Rows {
    /// The columns of rows; of all of them, or else of those of the block, the integrals are kept.
    fn new(basis: &Basis, neighbours: &Neighbours, own: Range<usize>, keep_all: bool) -> Rows {
        let tests = basis.carriers(own.clone());
        let mut columns = vec![Vec::new(); own.len()];
        for &test in &tests {
            for row in basis.shares(test) {
                let row = row.function as usize;
                if own.contains(&row) {
                    for &source in &neighbours.of[test] {
                        let functions = basis.shares(source as usize).iter();
                        columns[row - own.start].extend(functions.map(|share| share.function));
                    }
                }
            }
        }
        for row in &mut columns {
            row.sort_unstable();
            row.dedup();
            row.shrink_to_fit();
        }
        Rows {
            own,
            tests,
            keep_all,
            columns,
            values: Vec::new(),
            exact: Vec::new(),
        }
    }

    fn fill(
        &mut self,
        pairs: &Pairs<'_>,
        projected: &[Projected],
        neighbours: &Neighbours,
        kernels: &BoxKernels,
    ) {
        let basis = pairs.basis();
        // Integrals, and what the grid makes of them.
        let mut sums: Vec<Vec<[Complex64; 2]>> = (self.columns.iter())
            .map(|row| vec![[ZERO; 2]; row.len()])
            .collect();
        for &test in &self.tests {
            let weights = pairs.weights(&basis.triangles[test]);
            for &source in &neighbours.of[test] {
                let source = source as usize;
                let exact = pairs.block(test, source);
                let grid = on_grid(
                    kernels,
                    &projected[test],
                    &projected[source],
                    weights,
                    pairs.wavenumber(),
                );
                for row in basis.shares(test) {
                    let place = row.function as usize;
                    if !self.own.contains(&place) {
                        continue;
                    }
                    let at = place - self.own.start;
                    for column in basis.shares(source) {
                        let (i, j) = (row.corner as usize, column.corner as usize);
                        let weight = row.weight * column.weight;
                        if let Ok(found) = self.columns[at].binary_search(&column.function) {
                            sums[at][found][0] += weight * exact[i][j];
                            sums[at][found][1] += weight * grid[i][j];
                        }
                    }
                }
            }
        }
        self.values = (sums.iter())
            .map(|row| {
                let entries = row.iter().map(|[exact, grid]| single(exact - grid));
                entries.collect()
            })
            .collect();
        self.exact = (self.columns.iter().zip(&sums))
            .map(|(columns, row)| {
                let entries = columns.iter().zip(row);
                let kept = entries
                    .filter(|(column, _)| self.keep_all || self.own.contains(&(**column as usize)));
                let mut kept: schwarz::Row = kept
                    .map(|(&column, [exact, _])| (column, single(*exact)))
                    .collect();
                kept.shrink_to_fit();
                kept
            })
            .collect();
    }
}
