//! What is close to the inverse of the matrix: inverses of pieces of its near entries.
//!
//! A piece has a block of functions of its own. Where the electric field alone is tested, currents and charges of the
//! shortest waves hold on to all around them, and a piece also has the functions within some two and a half edges: its
//! inverse is that of all of them, of which the rows of its own functions are kept (restricted additive Schwarz: X.-C. Cai,
//! M. Sarkis, SIAM J. Sci. Comput. 21 (1999) 792–797). On a plate of 6 λ with edges of 0.12 λ, GMRES takes 765 products with
//! blocks and 34 with pieces.

use num_complex::{Complex32, Complex64};
use rayon::current_num_threads;
use rayon::prelude::*;
use std::borrow::Cow;
use std::ops::Range;
use wavefield_numerics::dense::{FactorError, Lu, Matrix};
use wavefield_numerics::krylov::Operator;
use wavefield_numerics::observe::{Observer, Silent};
use wavefield_numerics::vector::{norm, sub};

use super::near::{Neighbours, ROWS};
use super::single;
use crate::basis::Basis;
use crate::error::Error;
use crate::kernels::{TILE, side_by_side, tiles_times};
use crate::pair::Combination;
use crate::solver::LU_OF_THREAD;

/// How far apart the centres of triangles may be for their functions to be of one piece, in sums of their radii.
const OVERLAP: f64 = 2.2;

/// Which functions are inverted together.
pub(crate) struct Pieces {
    /// Functions of every block's piece, its own among them, in order.
    functions: Vec<Vec<u32>>,
}

impl Pieces {
    pub(crate) fn new(basis: &Basis, combination: Combination, neighbours: &Neighbours) -> Pieces {
        let functions = (0..basis.size.div_ceil(ROWS))
            .into_par_iter()
            .map(|block| {
                let near = |triangle: usize| Cow::from(&neighbours.of[triangle]);
                piece(basis, combination, block, near)
            })
            .collect();
        Pieces { functions }
    }
}

/// The functions of a block's piece, `near` telling the triangles near one.
pub(crate) fn piece<'a>(
    basis: &Basis,
    combination: Combination,
    block: usize,
    near: impl Fn(usize) -> Cow<'a, [u32]>,
) -> Vec<u32> {
    let own = own(block, basis.size);
    let mut functions: Vec<u32> = own.clone().map(|function| function as u32).collect();
    for triangle in basis.carriers(own) {
        let shape = &basis.triangles[triangle];
        if combination.on(shape).magnetic != 0.0 {
            continue;
        }
        for &other in near(triangle).iter() {
            let near = &basis.triangles[other as usize];
            let apart = norm(sub(near.centre, shape.centre));
            if apart < OVERLAP * (near.radius + shape.radius) {
                let shares = basis.shares(other as usize).iter();
                functions.extend(shares.map(|share| share.function));
            }
        }
    }
    functions.sort_unstable();
    functions.dedup();
    functions.shrink_to_fit();
    functions
}

/// The functions of a block.
pub(crate) fn own(block: usize, size: usize) -> Range<usize> {
    block * ROWS..size.min((block + 1) * ROWS)
}

/// Rows of the inverses of all pieces.
pub(crate) struct Schwarz {
    size: usize,
    pieces: Vec<Piece>,
}

/// Rows of an inverse for the functions of a block.
struct Piece {
    functions: Vec<u32>,
    /// The columns of the first rows, then of the next.
    inverse: Vec<[Complex32; TILE]>,
}

impl Schwarz {
    /// Inverts the pieces; `row` has the exact near entries of a function.
    ///
    /// # Errors
    /// A piece is singular, or stopped on request.
    pub(crate) fn new<'a, R: Iterator<Item = (&'a u32, &'a Complex32)>>(
        size: usize,
        pieces: Pieces,
        row: impl Fn(usize) -> R + Sync,
        observer: &dyn Observer,
    ) -> Result<Schwarz, Error> {
        let mut inverted = Vec::with_capacity(pieces.functions.len());
        let mut waiting = pieces.functions.into_iter().enumerate();
        // As many at a time as there are threads: one that waits within a decomposition would begin another piece, and the
        // memory for them would have no bound.
        while waiting.len() > 0 {
            observer.checkpoint()?;
            let next: Vec<_> = waiting.by_ref().take(current_num_threads()).collect();
            let next: Result<Vec<Piece>, FactorError> = (next.into_par_iter())
                .map(|(block, functions)| Piece::new(own(block, size), functions, &row))
                .collect();
            inverted.extend(next?);
        }
        Ok(Schwarz {
            size,
            pieces: inverted,
        })
    }

    /// Bytes of the inverses of pieces of so many functions to one of their own, and bytes that each thread needs to make them.
    pub(crate) fn memory(size: usize, spread: f64) -> [usize; 2] {
        let functions = (spread * ROWS as f64) as usize;
        let own = ROWS * functions;
        let piece = own * size_of::<Complex32>() + functions * size_of::<u32>();
        // Rows of the inverse, and a copy of them that is being solved.
        let made = Lu::memory(functions) as usize + LU_OF_THREAD + 2 * own * size_of::<Complex64>();
        [size.div_ceil(ROWS) * piece, made]
    }
}

impl Piece {
    fn new<'a, R: Iterator<Item = (&'a u32, &'a Complex32)>>(
        own: Range<usize>,
        functions: Vec<u32>,
        row: &(impl Fn(usize) -> R + Sync),
    ) -> Result<Piece, FactorError> {
        // Rows of the inverse are columns of that of the transpose.
        let count = functions.len();
        let mut transpose = Matrix::zeros(count, count);
        for (at, &function) in functions.iter().enumerate() {
            let column = transpose.column_mut(at);
            let mut place = 0;
            for (other, value) in row(function as usize) {
                while place < count && functions[place] < *other {
                    place += 1;
                }
                if functions.get(place) == Some(other) {
                    column[place] = Complex64::new(f64::from(value.re), f64::from(value.im));
                }
            }
        }
        let factors = Lu::factor(transpose, &Silent)?;
        let first = functions.partition_point(|&function| (function as usize) < own.start);
        let mut rows = vec![Complex64::ZERO; own.len() * count];
        for (number, row) in rows.chunks_mut(count).enumerate() {
            row[first + number] = Complex64::new(1.0, 0.0);
        }
        factors.solve_in_place(&mut rows);
        let mut inverse = Vec::with_capacity(own.len().div_ceil(TILE) * count);
        for tile in rows.chunks(TILE * count) {
            inverse.extend((0..count).map(|column| {
                let entry = |row: usize| tile.get(row * count + column).copied();
                std::array::from_fn(|row| single(entry(row).unwrap_or(Complex64::ZERO)))
            }));
        }
        Ok(Piece { functions, inverse })
    }

    /// The rows times vectors, so many side by side.
    fn times(&self, x: &[Vec<Complex64>], width: usize, products: &mut [Complex32]) {
        let mut own = vec![single(Complex64::ZERO); self.functions.len() * width];
        for (&function, own) in self.functions.iter().zip(own.chunks_mut(width)) {
            for (own, x) in own.iter_mut().zip(x) {
                *own = single(x[function as usize]);
            }
        }
        tiles_times(&self.inverse, width, &own, products);
    }
}

impl Operator for Schwarz {
    fn size(&self) -> usize {
        self.size
    }

    fn apply(&self, x: &[Complex64], y: &mut [Complex64]) {
        let mut images = [y.to_vec()];
        self.apply_many(&[x.to_vec()], &mut images);
        y.copy_from_slice(&images[0]);
    }

    fn apply_many(&self, x: &[Vec<Complex64>], y: &mut [Vec<Complex64>]) {
        let width = side_by_side(x.len());
        for (x, y) in x.chunks(width).zip(y.chunks_mut(width)) {
            let mut products = vec![single(Complex64::ZERO); self.size * width];
            (products.par_chunks_mut(ROWS * width).zip(&self.pieces))
                .for_each(|(products, piece)| piece.times(x, width, products));
            for (number, y) in y.iter_mut().enumerate() {
                (y.par_iter_mut().zip(products.par_chunks(width))).for_each(|(y, products)| {
                    let value = products[number];
                    *y = Complex64::new(f64::from(value.re), f64::from(value.im));
                });
            }
        }
    }
}
