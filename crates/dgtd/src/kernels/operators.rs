//! Matrices of the reference element in the memory order of the products.

use super::symmetry::{Orbits, Row};
use super::{NODE, Number};
use crate::basis::ReferenceElement;

/// Tile of a matrix: rows of a product that are accumulated in registers together.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tile {
    /// Number of rows.
    pub(super) rows: usize,
    /// Index of the first entry; entries are stored column by column.
    pub(super) entries: usize,
    /// First row of the input.
    pub(super) input: usize,
    /// Number of rows of the input, which is the number of columns of the tile.
    pub(super) depth: usize,
    /// First row of the result.
    pub(super) output: usize,
}

/// Derivatives and lift in the symmetry-adapted basis of sums and differences over mirror images.
///
/// The input of a product is ordered by the character of its result: rows for D_c, D_a, D_b, and the lift.
#[derive(Clone, Debug)]
pub(super) struct Operators<T> {
    /// Number of nodes of an element.
    pub(super) nodes: usize,
    /// Number of nodes of a face.
    pub(super) on_face: usize,
    /// Orbits of the nodes.
    pub(super) node_orbits: Orbits,
    /// Orbits of the face nodes, face after face.
    pub(super) face_orbits: Orbits,
    /// First input rows for D_c, D_a, and D_b by character of the fields.
    pub(super) curl_rows: [[usize; 3]; 4],
    /// First input row by character of the fluxes.
    pub(super) flux_rows: [usize; 4],
    /// First row of the result by character.
    pub(super) output_rows: [usize; 4],
    /// Number of input rows of the products.
    pub(super) inputs: usize,
    /// Tiles of the matrices.
    pub(super) tiles: Vec<Tile>,
    /// Entries of all tiles.
    pub(super) entries: Vec<T>,
    /// Offset in a block of each face node, face after face.
    pub(super) own: Vec<usize>,
    /// Offset in a block of each node of a face, by the face.
    pub(super) theirs: Vec<[i64; 4]>,
}

/// Lowest order at which the use of symmetry is faster.
const SYMMETRIC_FROM: usize = 2;

/// Entries of a matrix, by row and column.
type Entries<'a> = &'a dyn Fn(usize, usize) -> f64;

impl<T: Number> Operators<T> {
    /// Creates the matrices, in tiles of at most `most` rows.
    pub(super) fn new(reference: &ReferenceElement, most: usize) -> Operators<T> {
        let (nodes, on_face) = (reference.nodes(), reference.nodes_on_face());
        let symmetric = reference.order() >= SYMMETRIC_FROM;
        let characters = if symmetric { 4 } else { 1 };
        let [node_orbits, face_orbits] = if symmetric {
            let [sigma, tau] = [[0, 1], [2, 3]].map(|corners| Mirror::new(reference, corners));
            [
                Orbits::new(&sigma.nodes, &tau.nodes),
                Orbits::new(&sigma.on_faces, &tau.on_faces),
            ]
        } else {
            [Orbits::alone(nodes), Orbits::alone(4 * on_face)]
        };
        let [dr, ds, dt] = reference.derivatives();
        let at = |i: usize, j: usize| [dr.row(i)[j], ds.row(i)[j], dt.row(i)[j]];
        let along: [&dyn Fn(usize, usize) -> f64; 3] = [
            // D_c, from the midpoint of edge 01 to that of edge 23.
            &|i, j| at(i, j)[1] + at(i, j)[2] - at(i, j)[0],
            // D_a, along edge 01.
            &|i, j| at(i, j)[0],
            // D_b, along edge 23.
            &|i, j| at(i, j)[2] - at(i, j)[1],
        ];
        let lift = |i: usize, j: usize| reference.lift(i)[j];
        let faces = (0..4).map(|face| reference.face_nodes(face));
        let mut operators = Operators {
            nodes,
            on_face,
            node_orbits,
            face_orbits,
            curl_rows: [[0; 3]; 4],
            flux_rows: [0; 4],
            output_rows: [0; 4],
            inputs: 0,
            tiles: Vec::new(),
            entries: Vec::new(),
            own: faces.flatten().map(|&node| node * NODE).collect(),
            theirs: (0..on_face)
                .map(|i| std::array::from_fn(|face| (reference.face_nodes(face)[i] * NODE) as i64))
                .collect(),
        };
        let mut output = 0;
        for character in 0..characters {
            let rows = operators.node_orbits.rows(character);
            let input = operators.inputs;
            let mut columns: Vec<(Entries<'_>, Row)> = Vec::new();
            for (direction, operator) in along.into_iter().enumerate() {
                // D_a changes sign with σ, bit 0, and D_b with τ, bit 1.
                let from = (character ^ direction) & (characters - 1);
                operators.curl_rows[from][direction] = input + columns.len();
                let rows = operators.node_orbits.rows(from).into_iter();
                columns.extend(rows.map(|row| (operator, row)));
            }
            operators.flux_rows[character] = input + columns.len();
            let rows_of_fluxes = operators.face_orbits.rows(character).into_iter();
            columns.extend(rows_of_fluxes.map(|row| (&lift as &dyn Fn(usize, usize) -> f64, row)));
            operators.inputs += columns.len();
            operators.output_rows[character] = output;
            for rows in evenly(&rows, most) {
                operators.tiles.push(Tile {
                    rows: rows.len(),
                    entries: operators.entries.len(),
                    input,
                    depth: columns.len(),
                    output,
                });
                output += rows.len();
                for (operator, column) in &columns {
                    let entry = |row: &Row| T::rounded(between(*operator, row, column));
                    operators.entries.extend(rows.iter().map(entry));
                }
            }
        }
        operators
    }

    /// Returns the number of packs of a block.
    pub(super) fn packs(&self) -> usize {
        3 * self.nodes
    }
}

/// Returns the matrix entry of an operator between two symmetry-adapted rows: the mean over both, with signs.
fn between(operator: &dyn Fn(usize, usize) -> f64, row: &Row, column: &Row) -> f64 {
    let mut sum = 0.0;
    for &(i, result) in row {
        for &(j, argument) in column {
            sum += result * argument * operator(i, j);
        }
    }
    sum / (row.len() * column.len()) as f64
}

/// Splits a slice into parts of nearly equal length, none longer than `most`.
pub(super) fn evenly<V>(all: &[V], most: usize) -> impl Iterator<Item = &[V]> {
    let parts = all.len().div_ceil(most);
    (0..parts).map(move |part| &all[all.len() * part / parts..all.len() * (part + 1) / parts])
}

/// Permutation of the nodes by the exchange of two corners.
struct Mirror {
    nodes: Vec<usize>,
    /// Permutation of the face nodes, face after face.
    on_faces: Vec<usize>,
}

impl Mirror {
    fn new(reference: &ReferenceElement, corners: [usize; 2]) -> Mirror {
        let exchanged = |face: usize| match corners {
            [a, b] if face == a => b,
            [a, b] if face == b => a,
            _ => face,
        };
        let nodes: Vec<usize> = (0..reference.nodes())
            .map(|node| {
                let mut image = reference.barycentric(node);
                image.swap(corners[0], corners[1]);
                let distance = |other: &usize| -> f64 {
                    let other = reference.barycentric(*other);
                    (0..4).map(|k| (other[k] - image[k]).abs()).sum()
                };
                let nearest = |a: &usize, b: &usize| distance(a).total_cmp(&distance(b));
                (0..reference.nodes()).min_by(nearest).unwrap_or(node)
            })
            .collect();
        let on_faces = (0..4)
            .flat_map(|face| {
                let (here, there) = (reference.face_nodes(face), exchanged(face));
                let place = |&node: &usize| {
                    let there = reference.face_nodes(there);
                    there.iter().position(|&other| other == nodes[node])
                };
                let places: Vec<usize> = here.iter().filter_map(place).collect();
                places.into_iter().map(move |i| there * here.len() + i)
            })
            .collect();
        Mirror { nodes, on_faces }
    }
}
