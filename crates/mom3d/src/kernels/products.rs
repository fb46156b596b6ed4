//! Products of single-precision matrices with several interleaved vectors: every entry is read once for all vectors.
//!
//! As in the kernels of `wavefield_numerics::krylov`, real and imaginary parts are processed alike and swapped at the end.

use num_complex::{Complex32, Complex64};
use wavefield_numerics::simd::{Accumulate, dispatch};

/// Maximum number of interleaved vectors.
const WIDTH: usize = 8;
/// Rows per tile of a [`tiles_times`] matrix.
pub(crate) const TILE: usize = 4;

/// Returns the number of vectors to interleave: the next power of two, at most [`WIDTH`].
pub(crate) fn side_by_side(vectors: usize) -> usize {
    vectors.next_power_of_two().min(WIDTH)
}

/// Sparse rows, concatenated.
#[derive(Clone, Copy)]
pub(crate) struct Rows<'a> {
    /// Offset of each row, and the total.
    pub(crate) first: &'a [usize],
    pub(crate) columns: &'a [u32],
    pub(crate) values: &'a [Complex32],
}

dispatch! {
    /// Writes the products of rows with vectors, [interleaved](side_by_side).
    pub(crate) fn rows_times(
        rows: Rows<'_>,
        width: usize,
        x: &[Complex64],
        products: &mut [Complex64],
    ) = rows_either
}

#[inline(always)]
fn rows_either<const FUSED: bool>(
    rows: Rows<'_>,
    width: usize,
    x: &[Complex64],
    products: &mut [Complex64],
) {
    let (x, products) = (bytemuck::cast_slice(x), bytemuck::cast_slice_mut(products));
    match width {
        1 => rows_by::<FUSED, 2>(rows, x, products),
        2 => rows_by::<FUSED, 4>(rows, x, products),
        4 => rows_by::<FUSED, 8>(rows, x, products),
        _ => rows_by::<FUSED, { 2 * WIDTH }>(rows, x, products),
    }
}

#[inline(always)]
fn rows_by<const FUSED: bool, const PARTS: usize>(rows: Rows<'_>, x: &[f64], products: &mut [f64]) {
    let x = x.as_chunks::<PARTS>().0;
    for (row, product) in (rows.first.windows(2)).zip(products.as_chunks_mut::<PARTS>().0) {
        let entries = row[0]..row[1];
        let mut along = [0.0_f64; PARTS];
        let mut across = [0.0_f64; PARTS];
        for (&column, value) in (rows.columns[entries.clone()].iter()).zip(&rows.values[entries]) {
            let x = &x[column as usize];
            let (re, im) = (f64::from(value.re), f64::from(value.im));
            for part in 0..PARTS {
                along[part] = along[part].plus::<FUSED>(re, x[part]);
                across[part] = across[part].plus::<FUSED>(im, x[part]);
            }
        }
        for part in 0..PARTS {
            let turned = across[part ^ 1];
            product[part] = along[part] + if part % 2 == 0 { -turned } else { turned };
        }
    }
}

dispatch! {
    /// Writes the products of a matrix with vectors, [interleaved](side_by_side); `matrix` has the columns of its first
    /// [`TILE`] rows, then those of the next.
    pub(crate) fn tiles_times(
        matrix: &[[Complex32; TILE]],
        width: usize,
        x: &[Complex32],
        products: &mut [Complex32],
    ) = tiles_either
}

#[inline(always)]
fn tiles_either<const FUSED: bool>(
    matrix: &[[Complex32; TILE]],
    width: usize,
    x: &[Complex32],
    products: &mut [Complex32],
) {
    let (x, products) = (bytemuck::cast_slice(x), bytemuck::cast_slice_mut(products));
    match width {
        1 => tiles_by::<FUSED, 2>(matrix, x, products),
        2 => tiles_by::<FUSED, 4>(matrix, x, products),
        4 => tiles_by::<FUSED, 8>(matrix, x, products),
        _ => tiles_by::<FUSED, { 2 * WIDTH }>(matrix, x, products),
    }
}

#[inline(always)]
fn tiles_by<const FUSED: bool, const PARTS: usize>(
    matrix: &[[Complex32; TILE]],
    x: &[f32],
    products: &mut [f32],
) {
    let x = x.as_chunks::<PARTS>().0;
    let tiles = matrix.chunks(x.len().max(1));
    for (tile, products) in tiles.zip(products.chunks_mut(TILE * PARTS)) {
        let mut along = [[0.0_f32; PARTS]; TILE];
        let mut across = [[0.0_f32; PARTS]; TILE];
        for (entries, x) in tile.iter().zip(x) {
            for row in 0..TILE {
                for part in 0..PARTS {
                    along[row][part] = along[row][part].plus::<FUSED>(entries[row].re, x[part]);
                    across[row][part] = across[row][part].plus::<FUSED>(entries[row].im, x[part]);
                }
            }
        }
        let rows = products.as_chunks_mut::<PARTS>().0;
        for ((product, along), across) in rows.iter_mut().zip(&along).zip(&across) {
            for part in 0..PARTS {
                let turned = across[part ^ 1];
                product[part] = along[part] + if part % 2 == 0 { -turned } else { turned };
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const EPSILON: f64 = f32::EPSILON as f64;

    fn entry(row: usize, column: usize) -> Complex32 {
        Complex32::from_polar(1.0, (3 * row + 7 * column * column) as f32)
    }

    fn double(z: Complex32) -> Complex64 {
        Complex64::new(f64::from(z.re), f64::from(z.im))
    }

    fn x(column: usize, vector: usize) -> Complex64 {
        Complex64::from_polar(1.0, (column + 5 * vector * vector) as f64)
    }

    #[test]
    fn rows_and_tiles_make_the_sums_written_out() {
        let (rows, columns) = (11, 19);
        let kept = |row: usize, column: usize| (row + 2 * column) % 5 < 2;
        let mut first = vec![0];
        let mut places = Vec::new();
        let mut values = Vec::new();
        for row in 0..rows {
            for column in (0..columns).filter(|&column| kept(row, column)) {
                places.push(column as u32);
                values.push(entry(row, column));
            }
            first.push(places.len());
        }
        let tiled: Vec<[Complex32; TILE]> = (0..rows.div_ceil(TILE))
            .flat_map(|tile| (0..columns).map(move |column| (tile, column)))
            .map(|(tile, column)| std::array::from_fn(|row| entry(TILE * tile + row, column)))
            .collect();
        for vectors in [1, 2, 3, 4, 5, 8, 11] {
            let width = side_by_side(vectors);
            let x: Vec<Complex64> = (0..columns * width)
                .map(|at| x(at / width, at % width))
                .collect();
            let mut of_rows = vec![Complex64::new(7.0, 7.0); rows * width];
            let given = Rows {
                first: &first,
                columns: &places,
                values: &values,
            };
            rows_times(given, width, &x, &mut of_rows);
            let single: Vec<Complex32> = x
                .iter()
                .map(|z| Complex32::new(z.re as f32, z.im as f32))
                .collect();
            let mut of_tiles = vec![Complex32::new(7.0, 7.0); rows * width];
            tiles_times(&tiled, width, &single, &mut of_tiles);
            for at in 0..rows * width {
                let (row, vector) = (at / width, at % width);
                let sum = |kept: &dyn Fn(usize) -> bool| -> Complex64 {
                    (0..columns)
                        .filter(|&column| kept(column))
                        .map(|column| double(entry(row, column)) * x[column * width + vector])
                        .sum()
                };
                let some = sum(&|column| kept(row, column));
                assert!((of_rows[at] - some).norm() < 1e-13);
                let all = sum(&|_| true);
                assert!((double(of_tiles[at]) - all).norm() < 2.0 * EPSILON * columns as f64);
            }
        }
    }
}
