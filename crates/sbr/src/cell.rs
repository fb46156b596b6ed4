//! Cells of the incident wave and their subdivision.

use crate::neighborhood::Seen;
use crate::tube::{Exit, Tube};

/// Cell by level and indices: level l has 2ˡ columns and rows per cell of the coarsest level.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cell {
    pub(crate) level: u32,
    pub(crate) column: i64,
    pub(crate) row: i64,
    /// Whether the cell belongs to the tile and not to its halo.
    pub(crate) counted: bool,
    /// Neighbors in the order of [`Cell::AROUND`].
    pub(crate) around: [Option<Neighbor>; 8],
}

/// Neighbor of the same level or, where that level is not divided, the larger cell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Neighbor {
    pub(crate) level: u32,
    /// Index among the cells of its level.
    pub(crate) number: u32,
}

/// Cells of a level and the tubes of those with more than one reflection.
#[derive(Debug)]
pub(crate) struct Level {
    pub(crate) cells: Vec<Cell>,
    tubes: Vec<Tube>,
    /// Index of each cell's tube.
    tube_of: Vec<u32>,
}

/// Sentinel: no tube, no quarters.
const NONE: u32 = u32::MAX;

impl Level {
    /// Creates a level from cells and from tubes with the indices of their cells.
    pub(crate) fn new(cells: Vec<Cell>, of_cell: &[usize], tubes: Vec<Tube>) -> Level {
        let mut tube_of = vec![NONE; cells.len()];
        for (place, &cell) in (0..).zip(of_cell) {
            tube_of[cell] = place;
        }
        Level {
            cells,
            tubes,
            tube_of,
        }
    }

    /// Returns whether a cell leaves the body after more than one reflection.
    pub(crate) fn leaves(&self, number: usize) -> bool {
        self.tube_of[number] != NONE
    }

    /// Returns the exit of a cell's tube.
    pub(crate) fn exit(&self, number: usize) -> Option<Exit<'_>> {
        self.tubes.get(self.tube_of[number] as usize)?.exit()
    }
}

impl Cell {
    /// Offsets of the eight neighbors of a cell.
    pub(crate) const AROUND: [(i64, i64); 8] = [
        (-1, -1),
        (0, -1),
        (1, -1),
        (-1, 0),
        (1, 0),
        (-1, 1),
        (0, 1),
        (1, 1),
    ];

    /// Returns the center, in cells of the coarsest level.
    pub(crate) fn middle(&self) -> [f64; 2] {
        let side = 1.0 / f64::from(1_u32 << self.level);
        [self.column, self.row].map(|number| (number as f64 + 0.5) * side)
    }
}

/// Returns the quarters of divided cells of a level, with their neighbors and the paths known for
/// them.
pub(crate) fn quarters(
    cells: &[Cell],
    divided: &[(usize, Vec<Seen>)],
) -> (Vec<Cell>, Vec<Vec<Seen>>) {
    let mut first_quarter = vec![NONE; cells.len()];
    for (place, (number, _)) in divided.iter().enumerate() {
        first_quarter[*number] = 4 * place as u32;
    }
    let quarter = |number: usize, column: i64, row: i64| {
        let cell = &cells[number];
        // The quarter of this cell, or of a neighbor if that was divided.
        let beside = (column.div_euclid(2), row.div_euclid(2));
        let of = match Cell::AROUND.iter().position(|step| *step == beside) {
            Some(place) => cell.around[place]?,
            None => Neighbor {
                level: cell.level,
                number: number as u32,
            },
        };
        if of.level < cell.level || first_quarter[of.number as usize] == NONE {
            return Some(of);
        }
        let first = first_quarter[of.number as usize];
        Some(Neighbor {
            level: cell.level + 1,
            number: first + (2 * row.rem_euclid(2) + column.rem_euclid(2)) as u32,
        })
    };
    divided
        .iter()
        .flat_map(|(number, known)| {
            let cell = &cells[*number];
            [(0, 0), (1, 0), (0, 1), (1, 1)].map(|(column, row)| {
                let around = Cell::AROUND
                    .map(|(beside, below)| quarter(*number, column + beside, row + below));
                let known = known.iter().map(|seen| seen.by_quarter(column, row));
                let quarter = Cell {
                    level: cell.level + 1,
                    column: 2 * cell.column + column,
                    row: 2 * cell.row + row,
                    counted: cell.counted,
                    around,
                };
                (quarter, known.collect())
            })
        })
        .unzip()
}
