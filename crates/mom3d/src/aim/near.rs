//! Near-field interactions: the integrals, less the grid's approximation of them.

use num_complex::{Complex32, Complex64};
use rayon::prelude::*;
use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use wavefield_numerics::observe::{Observer, Progress};
use wavefield_numerics::vector::{Vector, norm, sub};

use super::equivalent::{POINTS, Weights};
use super::grid::{Grid, kernel};
use super::projection::Projected;
use super::schwarz::{self, Pieces, Schwarz};
use super::single;
use crate::basis::Basis;
use crate::error::Error;
use crate::kernels::{self, ACROSS, BoxTable, box_products, rows_times, side_by_side};
use crate::pair::{Block, Combination, Pairs};

/// Functions per block of rows.
pub(crate) const ROWS: usize = 160;

/// Sparse rows of near entries, less the grid's approximation of them.
pub(crate) struct Near {
    /// Offset of each row, and the total.
    first: Vec<usize>,
    columns: Vec<u32>,
    values: Vec<Complex32>,
}

/// Triangles by the cells of a grid, for the search for near pairs.
struct Cells<'a> {
    basis: &'a Basis,
    distance: f64,
    of: HashMap<[i64; 3], Vec<u32>>,
}

impl<'a> Cells<'a> {
    fn new(basis: &'a Basis, distance: f64) -> Cells<'a> {
        let mut cells = Cells {
            basis,
            distance,
            of: HashMap::new(),
        };
        for (number, triangle) in (0..).zip(&basis.triangles) {
            let cell = cells.cell(triangle.center);
            cells.of.entry(cell).or_default().push(number);
        }
        cells
    }

    fn cell(&self, at: Vector) -> [i64; 3] {
        at.map(|x| (x / self.distance).floor() as i64)
    }

    /// Returns the triangles near a triangle, itself included, in ascending order.
    fn near(&self, triangle: usize) -> Vec<u32> {
        let triangles = &self.basis.triangles;
        let triangle = &triangles[triangle];
        let own = self.cell(triangle.center);
        let mut near = Vec::new();
        for offset in 0..27 {
            let step = [offset / 9, offset / 3 % 3, offset % 3].map(|x| x - 1);
            let cell = std::array::from_fn(|axis| own[axis] + step[axis]);
            for &other in self.of.get(&cell).into_iter().flatten() {
                let center = triangles[other as usize].center;
                // Large triangles touch at more than the near distance.
                let reach = 1.01 * (triangle.radius + triangles[other as usize].radius);
                if norm(sub(center, triangle.center)) < self.distance.max(reach) {
                    near.push(other);
                }
            }
        }
        near.sort_unstable();
        near.shrink_to_fit();
        near
    }
}

/// Triangles near each triangle.
pub(crate) struct Neighbors {
    pub(crate) of: Vec<Vec<u32>>,
}

impl Neighbors {
    /// Finds the pairs with centroids closer than a distance, m.
    pub(crate) fn new(basis: &Basis, distance: f64) -> Neighbors {
        let cells = Cells::new(basis, distance);
        let of = (0..basis.triangles.len())
            .into_par_iter()
            .map(|triangle| cells.near(triangle))
            .collect();
        Neighbors { of }
    }
}

/// Number of functions sampled for the count of near pairs.
const COUNTED: usize = 256;
/// Number of blocks sampled for the count of near pairs.
const COUNTED_BLOCKS: usize = 16;

/// Average numbers of near interactions of a surface.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NearCount {
    /// Triangles near a triangle.
    pub(crate) triangles: f64,
    /// Entries per row.
    pub(crate) functions: f64,
    /// Functions of a preconditioner block with its overlap, relative to those of the block.
    pub(crate) spread: f64,
}

impl NearCount {
    /// Estimates the averages from evenly spaced functions.
    pub(crate) fn new(basis: &Basis, combination: Combination, distance: f64) -> NearCount {
        let cells = Cells::new(basis, distance);
        let step = basis.size.div_ceil(COUNTED).max(1);
        let counts: Vec<[usize; 2]> = (0..basis.size)
            .into_par_iter()
            .step_by(step)
            .map(|function| {
                let lists = basis.sides[function].map(|side| cells.near(side.triangle as usize));
                let triangles = lists.iter().map(Vec::len).sum();
                [triangles, functions_of(basis, &lists).len()]
            })
            .collect();
        let mean = |at: usize| {
            let total: usize = counts.iter().map(|count| count[at]).sum();
            total as f64 / counts.len().max(1) as f64
        };
        let blocks = basis.size.div_ceil(ROWS);
        let sizes: Vec<[usize; 2]> = (0..blocks)
            .into_par_iter()
            .step_by(blocks.div_ceil(COUNTED_BLOCKS).max(1))
            .map(|block| {
                let near = |triangle: usize| Cow::from(cells.near(triangle));
                let functions = schwarz::piece(basis, combination, block, near);
                [functions.len(), schwarz::own(block, basis.size).len()]
            })
            .collect();
        let [all, own] = [0, 1].map(|at| sizes.iter().map(|size| size[at]).sum::<usize>());
        NearCount {
            triangles: mean(0) / 2.0,
            functions: mean(1),
            spread: all as f64 / own.max(1) as f64,
        }
    }
}

/// Returns the functions on triangles, without duplicates, in ascending order.
fn functions_of<'a>(basis: &Basis, lists: impl IntoIterator<Item = &'a Vec<u32>>) -> Vec<u32> {
    let mut functions: Vec<u32> = (lists.into_iter().flatten())
        .flat_map(|&triangle| basis.shares(triangle as usize))
        .map(|share| share.function)
        .collect();
    functions.sort_unstable();
    functions.dedup();
    functions
}

/// Returns the bytes of the tables between boxes for a near-field radius of `steps` grid steps.
pub(crate) fn tables_memory(steps: f64) -> usize {
    // Boxes of near triangles are at most the radius and one step apart along each axis, approximately within a sphere.
    let offsets = 0.55 * (2.0 * (steps + 1.0) + 1.0).powi(3);
    offsets as usize * size_of::<BoxTable>()
}

/// G between the points of two boxes, by the offset of their first points.
struct BoxKernels {
    of_offset: HashMap<[i32; 3], Box<BoxTable>>,
}

impl BoxKernels {
    fn new(
        wavenumber: f64,
        step: f64,
        projected: &[Projected],
        neighbors: &Neighbors,
    ) -> BoxKernels {
        let mut offsets: Vec<[i32; 3]> = (neighbors.of.par_iter().enumerate())
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

/// Returns the offset of the test box from the source box, grid steps.
fn apart(test: &Projected, source: &Projected) -> [i32; 3] {
    std::array::from_fn(|axis| test.cell[axis] as i32 - source.cell[axis] as i32)
}

/// Returns the grid's approximation of a pair: entries by corners, as in `pair.rs`, with the weights of `projection.rs`.
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
    // By moment of the source: with the moments of the test, then with its rotated weights by corner and component.
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
            let mut along = Complex64::ZERO;
            let mut turned = Complex64::ZERO;
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

/// Rows of one block of functions, to be filled.
struct Rows<'a> {
    /// Functions of the block.
    own: Range<usize>,
    /// Sorted columns of all rows, concatenated.
    columns: &'a mut [u32],
    /// Integrals, less the grid's approximation.
    values: &'a mut [Complex32],
    /// Integrals, from which the preconditioner is built.
    exact: &'a mut [Complex32],
}

impl Near {
    /// Bytes of an entry.
    const ENTRY: usize = size_of::<u32>() + size_of::<Complex32>();
    /// Bytes of an entry while the preconditioner is built from the integrals.
    const ENTRY_FILLED: usize = Near::ENTRY + size_of::<Complex32>();

    /// Fills the rows and builds the preconditioner from them.
    ///
    /// # Errors
    /// A preconditioner block is singular, or the run was cancelled.
    pub(crate) fn new(
        pairs: &Pairs<'_>,
        grid: &Grid,
        projected: &[Projected],
        neighbors: &Neighbors,
        observer: &dyn Observer,
    ) -> Result<(Near, Schwarz), Error> {
        let basis = pairs.basis();
        let columns_of = |function: usize| {
            let sides = basis.sides[function].iter();
            let lists = sides.map(|side| &neighbors.of[side.triangle as usize]);
            functions_of(basis, lists)
        };
        // Columns are found twice: growing arrays, or rows joined later, would take twice the memory.
        let counts: Vec<usize> = (0..basis.size)
            .into_par_iter()
            .map(|function| columns_of(function).len())
            .collect();
        let mut first = Vec::with_capacity(basis.size + 1);
        first.push(0);
        let mut entries = 0;
        for count in counts {
            entries += count;
            first.push(entries);
        }
        let mut near = Near {
            first,
            columns: vec![0; entries],
            values: vec![single(Complex64::ZERO); entries],
        };
        let mut exact = vec![single(Complex64::ZERO); entries];
        let kernels = BoxKernels::new(pairs.wavenumber(), grid.step, projected, neighbors);
        let mut blocks = Vec::new();
        let (mut columns, mut values) = (&mut near.columns[..], &mut near.values[..]);
        let mut integrals = &mut exact[..];
        for block in 0..basis.size.div_ceil(ROWS) {
            let own = schwarz::own(block, basis.size);
            let count = near.first[own.end] - near.first[own.start];
            let (own_columns, own_values, own_exact);
            (own_columns, columns) = columns.split_at_mut(count);
            (own_values, values) = values.split_at_mut(count);
            (own_exact, integrals) = integrals.split_at_mut(count);
            blocks.push(Rows {
                own,
                columns: own_columns,
                values: own_values,
                exact: own_exact,
            });
        }
        let (done, count) = (AtomicUsize::new(0), blocks.len());
        blocks.into_par_iter().try_for_each(|mut rows| {
            observer.checkpoint()?;
            let starts = &near.first[rows.own.start..=rows.own.end];
            for (function, at) in rows.own.clone().zip(starts.windows(2)) {
                let at = at[0] - starts[0]..at[1] - starts[0];
                rows.columns[at].copy_from_slice(&columns_of(function));
            }
            rows.fill(pairs, projected, neighbors, &kernels, starts);
            let finished = done.fetch_add(1, Ordering::Relaxed) + 1;
            observer.progress(&Progress::new(
                "near-field matrix",
                finished as u64,
                count as u64,
            ));
            Ok::<(), Error>(())
        })?;
        drop(kernels);
        let row = |function: usize| {
            let at = near.first[function]..near.first[function + 1];
            near.columns[at.clone()].iter().zip(&exact[at])
        };
        let pieces = Pieces::new(basis, pairs.combination(), neighbors);
        let inverse = Schwarz::new(basis.size, pieces, row, observer)?;
        Ok((near, inverse))
    }

    /// Returns the bytes of the rows, and the bytes while they are filled and the preconditioner is built.
    pub(crate) fn memory(basis: &Basis, near: NearCount) -> [usize; 2] {
        let entries = (basis.size as f64 * near.functions) as usize;
        let first = (basis.size + 1) * size_of::<usize>();
        [Near::ENTRY, Near::ENTRY_FILLED].map(|entry| first + entries * entry)
    }

    /// Adds the products of the rows with vectors.
    pub(crate) fn add_products(&self, x: &[Vec<Complex64>], y: &mut [Vec<Complex64>]) {
        let size = self.first.len() - 1;
        let width = side_by_side(x.len());
        for (x, y) in x.chunks(width).zip(y.chunks_mut(width)) {
            let mut together = vec![Complex64::ZERO; size * width];
            (together.par_chunks_mut(width).enumerate()).for_each(|(at, together)| {
                for (to, x) in together.iter_mut().zip(x) {
                    *to = x[at];
                }
            });
            let mut products = vec![Complex64::ZERO; size * width];
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

impl Rows<'_> {
    /// Sums the entries of the rows with offsets `starts`, relative to the first.
    fn fill(
        &mut self,
        pairs: &Pairs<'_>,
        projected: &[Projected],
        neighbors: &Neighbors,
        kernels: &BoxKernels,
        starts: &[usize],
    ) {
        let basis = pairs.basis();
        // Integrals, and the grid's approximation of them.
        let mut sums = vec![[Complex64::ZERO; 2]; self.columns.len()];
        for test in basis.carriers(self.own.clone()) {
            let weights = pairs.weights(&basis.triangles[test]);
            for &source in &neighbors.of[test] {
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
                    let (begin, end) = (starts[at] - starts[0], starts[at + 1] - starts[0]);
                    for column in basis.shares(source) {
                        let (i, j) = (row.corner as usize, column.corner as usize);
                        let weight = row.weight * column.weight;
                        let columns = &self.columns[begin..end];
                        if let Ok(found) = columns.binary_search(&column.function) {
                            sums[begin + found][0] += weight * exact[i][j];
                            sums[begin + found][1] += weight * grid[i][j];
                        }
                    }
                }
            }
        }
        let filled = self.values.iter_mut().zip(&mut *self.exact).zip(&sums);
        for ((value, integral), [exact, grid]) in filled {
            *value = single(exact - grid);
            *integral = single(*exact);
        }
    }
}
