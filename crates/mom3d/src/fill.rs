//! Matrix fill of a basis, or of one irrep of its currents, one block of columns at a time.
//!
//! A block has the triangles of its functions as sources, eight SIMD lanes at a time, against all test triangles one by one;
//! near pairs come from `pair.rs`. Blocks are fixed and each entry is summed in the order of the triangles, so that results
//! are bitwise identical for any number of threads.

use num_complex::Complex64;
use rayon::prelude::*;
use wavefield_numerics::dense::Matrix;
use wavefield_numerics::observe::{Cancelled, Observer, Progress};
use wavefield_numerics::simd::LANES;
use wavefield_numerics::vector::sub;

use std::sync::atomic::{AtomicUsize, Ordering};

use crate::basis::{Basis, Triangle};
use crate::kernels::{Blocks, SourceGroup, TestPoint, TestTriangle, far_blocks};
use crate::pair::{Pairs, Reach};
use crate::quadrature::{self, Node};
use crate::symmetry::Irrep;

/// Minimum and maximum number of functions per block: few triangles belong to two blocks.
const COLUMNS: [usize; 2] = [48, 384];
/// Number of blocks of matrices between these sizes: enough to balance threads.
const BLOCKS: usize = 16;

/// Fills the matrix of one irrep of currents.
pub(crate) fn fill(
    pairs: &Pairs<'_>,
    irrep: &Irrep,
    observer: &dyn Observer,
) -> Result<Matrix, Cancelled> {
    let basis = pairs.basis();
    let rule = quadrature::seven_points();
    let tests: Vec<TestTriangle> = (basis.triangles.iter())
        .map(|triangle| tested(triangle, pairs, &rule))
        .collect();
    let weights: Vec<f64> = rule.iter().map(|node| node.1).collect();
    let mut matrix = Matrix::zeros(irrep.len(), irrep.len());
    let [fewest, most] = COLUMNS;
    let together = irrep.len().div_ceil(BLOCKS).clamp(fewest, most);
    let blocks: Vec<Columns> = (irrep.columns().par_chunks(together))
        .map(|functions| Columns::new(basis, irrep, functions, &rule))
        .collect();
    let done = AtomicUsize::new(0);
    let mut columns: Vec<&mut [Complex64]> = matrix.par_columns_mut().map(|(_, c)| c).collect();
    columns
        .par_chunks_mut(together)
        .zip(&blocks)
        .try_for_each(|(columns, block)| {
            observer.checkpoint()?;
            block.fill(pairs, irrep, &tests, &weights, columns);
            let finished = done.fetch_add(1, Ordering::Relaxed) + 1;
            observer.progress(&Progress::new(
                "matrix",
                finished as u64,
                blocks.len() as u64,
            ));
            Ok(())
        })?;
    drop(columns);
    Ok(matrix)
}

pub(crate) fn tested(triangle: &Triangle, pairs: &Pairs<'_>, rule: &[Node]) -> TestTriangle {
    let weights = pairs.weights(triangle);
    TestTriangle {
        normal: triangle.normal,
        electric: weights.electric,
        magnetic: weights.magnetic,
        points: (rule.iter())
            .map(|&(weights, weight)| {
                let at = triangle.at(weights);
                TestPoint {
                    at,
                    weight,
                    arms: triangle.corners.map(|corner| sub(at, corner)),
                }
            })
            .collect(),
    }
}

/// Groups eight triangles for SIMD; a shorter group is padded with its last triangle.
pub(crate) fn group(basis: &Basis, members: &[usize], rule: &[Node]) -> SourceGroup {
    let of = |lane: usize| &basis.triangles[members[lane.min(members.len() - 1)]];
    SourceGroup {
        corners: std::array::from_fn(|corner| {
            lanes(std::array::from_fn(|lane| of(lane).corners[corner]))
        }),
        points: std::array::from_fn(|at| {
            lanes(std::array::from_fn(|lane| of(lane).at(rule[at].0)))
        }),
    }
}

/// Functions of a block and the triangles that support them.
struct Columns {
    triangles: Vec<usize>,
    /// Function parts on each of these triangles.
    shares: Vec<Vec<Part<f64>>>,
    groups: Vec<SourceGroup>,
}

/// Function part on a triangle: row or column index, corner opposite the edge, and weight.
struct Part<T> {
    place: usize,
    corner: usize,
    weight: T,
}

impl Columns {
    /// Creates the block of these functions, which are in ascending order.
    fn new(basis: &Basis, irrep: &Irrep, functions: &[u32], rule: &[Node]) -> Columns {
        let (mut triangles, mut shares) = (Vec::new(), Vec::new());
        for triangle in 0..basis.triangles.len() {
            let own: Vec<Part<f64>> = (basis.shares(triangle).iter())
                .filter_map(|share| {
                    Some(Part {
                        place: functions.binary_search(&share.function).ok()?,
                        corner: share.corner as usize,
                        weight: share.weight * irrep.column_scale(share.function),
                    })
                })
                .collect();
            if !own.is_empty() {
                triangles.push(triangle);
                shares.push(own);
            }
        }
        let groups = (triangles.chunks(LANES))
            .map(|members| group(basis, members, rule))
            .collect();
        Columns {
            triangles,
            shares,
            groups,
        }
    }

    fn fill(
        &self,
        pairs: &Pairs<'_>,
        irrep: &Irrep,
        tests: &[TestTriangle],
        weights: &[f64],
        columns: &mut [&mut [Complex64]],
    ) {
        let (basis, wavenumber) = (pairs.basis(), pairs.wavenumber());
        let mut blocks = Blocks::zero();
        for (number, test) in tests.iter().enumerate() {
            let own = &basis.triangles[number];
            let rows: Vec<Part<Complex64>> = (basis.shares(number).iter())
                .filter_map(|share| {
                    let (place, weight) = irrep.row(share.function)?;
                    Some(Part {
                        place,
                        corner: share.corner as usize,
                        weight: share.weight * weight,
                    })
                })
                .collect();
            let members = self.triangles.chunks(LANES).zip(self.shares.chunks(LANES));
            for ((members, shares), group) in members.zip(&self.groups) {
                let mut reach = [Reach::Far; LANES];
                for (reach, &member) in reach.iter_mut().zip(members) {
                    *reach = Reach::of(own, &basis.triangles[member]);
                }
                let reach = &reach[..members.len()];
                let far = |reach: &Reach| *reach == Reach::Far;
                if reach.iter().any(far) {
                    far_blocks(wavenumber, test, group, weights, &mut blocks);
                }
                for (lane, ((&member, shares), reach)) in
                    members.iter().zip(shares).zip(reach).enumerate()
                {
                    let near = (!far(reach)).then(|| pairs.block(number, member));
                    for column in shares {
                        let out = &mut columns[column.place];
                        for row in &rows {
                            let (i, j) = (row.corner, column.corner);
                            let entry = near.map_or_else(
                                || {
                                    let [re, im] = &blocks.0[i][j];
                                    Complex64::new(re[lane], im[lane])
                                },
                                |block| block[i][j],
                            );
                            out[row.place] += row.weight * column.weight * entry;
                        }
                    }
                }
            }
        }
    }
}

/// Transposes vectors to one array of lanes per coordinate.
fn lanes(vectors: [[f64; 3]; LANES]) -> [[f64; LANES]; 3] {
    std::array::from_fn(|axis| vectors.map(|vector| vector[axis]))
}
