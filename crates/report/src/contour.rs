//! Contour lines of a grid by marching squares (Lorensen and Cline 1987, in two dimensions).
//!
//! On every edge of the grid whose ends are on different sides of the level, the crossing follows by
//! linear interpolation. A cell with two crossings connects them; a cell with four is a saddle, and the
//! mean of its corners determines the pairs. Every crossing is shared by at most two cells, so the
//! segments form open lines and loops without branches.

use std::collections::BTreeMap;

/// A line through grid positions (column, row); a loop ends at its first position.
pub(super) type Line = Vec<(f64, f64)>;

/// Returns the contour lines of row-major values at a level. Cells with a corner that is not finite have
/// none.
pub(super) fn contour(values: &[f64], columns: usize, level: f64) -> Vec<Line> {
    let mut crossings = Crossings::default();
    let rows = values.len() / columns.max(1);
    for row in 1..rows {
        for column in 1..columns {
            let last = row * columns + column;
            let corners = [last - columns - 1, last - columns, last - 1, last];
            crossings.cross_cell(corners, corners.map(|corner| values[corner]), level);
        }
    }
    let place = |edge: usize| {
        let (from, along_row) = (edge / 2, edge.is_multiple_of(2));
        let to = from + if along_row { 1 } else { columns };
        let part = (level - values[from]) / (values[to] - values[from]);
        let (column, row) = ((from % columns) as f64, (from / columns) as f64);
        if along_row {
            (column + part, row)
        } else {
            (column, row + part)
        }
    };
    crossings
        .lines()
        .into_iter()
        .map(|line| line.into_iter().map(place).collect())
        .collect()
}

/// The crossings and their connections. Edge 2n connects node n to the next column, edge 2n + 1 to the
/// next row.
#[derive(Default)]
struct Crossings {
    joined: BTreeMap<usize, Vec<usize>>,
}

impl Crossings {
    /// Connects the crossings of a cell with the corners a b in its first and c d in its second row.
    fn cross_cell(&mut self, [a, b, c, _]: [usize; 4], values: [f64; 4], level: f64) {
        if !values.iter().all(|value| value.is_finite()) {
            return;
        }
        let [at_a, at_b, at_c, at_d] = values.map(|value| value >= level);
        let (first, second, left, right) = (2 * a, 2 * c, 2 * a + 1, 2 * b + 1);
        let crossed: Vec<usize> = [
            (at_a != at_b, first),
            (at_c != at_d, second),
            (at_a != at_c, left),
            (at_b != at_d, right),
        ]
        .into_iter()
        .filter_map(|(crosses, edge)| crosses.then_some(edge))
        .collect();
        match crossed[..] {
            [p, q] => self.join(p, q),
            [_, _, _, _] => {
                let mean = values.iter().map(|value| 0.25 * value).sum::<f64>();
                if (mean >= level) == at_a {
                    self.join(first, right);
                    self.join(left, second);
                } else {
                    self.join(first, left);
                    self.join(right, second);
                }
            }
            _ => {}
        }
    }

    fn join(&mut self, p: usize, q: usize) {
        self.joined.entry(p).or_default().push(q);
        self.joined.entry(q).or_default().push(p);
    }

    /// Returns the open lines, then the loops.
    fn lines(mut self) -> Vec<Vec<usize>> {
        let ends: Vec<usize> = self
            .joined
            .iter()
            .filter_map(|(&edge, neighbors)| (neighbors.len() == 1).then_some(edge))
            .collect();
        let mut lines = Vec::new();
        for end in ends {
            if self.joined.contains_key(&end) {
                lines.push(self.walk(end));
            }
        }
        while let Some(&start) = self.joined.keys().next() {
            let mut ring = self.walk(start);
            ring.push(start);
            lines.push(ring);
        }
        lines
    }

    /// Follows and removes the line that starts at an edge.
    fn walk(&mut self, start: usize) -> Vec<usize> {
        let mut line = Vec::new();
        let mut next = Some(start);
        while let Some(edge) = next {
            line.push(edge);
            let neighbors = self.joined.remove(&edge).unwrap_or_default();
            next = neighbors
                .into_iter()
                .find(|neighbor| self.joined.contains_key(neighbor));
        }
        line
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn length(line: &Line) -> f64 {
        line.windows(2)
            .map(|w| (w[1].0 - w[0].0).hypot(w[1].1 - w[0].1))
            .sum()
    }

    #[test]
    fn a_cone_is_cut_in_a_circle() {
        let (size, center, radius) = (41, 20.3, 12.7);
        let values: Vec<f64> = (0..size * size)
            .map(|i| ((i % size) as f64 - center).hypot((i / size) as f64 - center))
            .collect();
        let lines = contour(&values, size, radius);
        assert_eq!(lines.len(), 1);
        assert_eq!(lines[0].first(), lines[0].last());
        for &(x, y) in &lines[0] {
            // The error of linear interpolation at curvature 1/r over a unit step is at most 1/(8r).
            let error = (x - center).hypot(y - center) - radius;
            assert!(error.abs() < 1.0 / (8.0 * radius), "{error}");
        }
        let around = std::f64::consts::TAU * radius;
        assert!((length(&lines[0]) - around).abs() < 0.01 * around);
    }

    #[test]
    fn a_saddle_keeps_together_what_its_middle_says() {
        // Corners 1 and 4 are high; the mean is 0.5.
        let values = [1.0, 0.0, 0.0, 1.0];
        let joined_high = contour(&values, 2, 0.4);
        assert_eq!(
            joined_high,
            [vec![(0.6, 0.0), (1.0, 0.4)], vec![(0.0, 0.6), (0.4, 1.0)]]
        );
        let joined_low = contour(&values, 2, 0.6);
        assert_eq!(joined_low.len(), 2);
        // Now each line separates a high corner.
        for (line, corner) in joined_low.iter().zip([0.0, 1.0]) {
            assert!(
                line.iter()
                    .all(|&(x, y)| (x - corner).abs() < 0.5 && (y - corner).abs() < 0.5)
            );
        }
    }

    #[test]
    fn lines_end_where_there_are_no_numbers() {
        // A gradient along the columns: the contour at 1.5 passes through all rows.
        let mut values: Vec<f64> = (0..7 * 4).map(|i| f64::from(i % 4)).collect();
        assert_eq!(contour(&values, 4, 1.5).len(), 1);
        values[3 * 4 + 1] = f64::NAN;
        let lines = contour(&values, 4, 1.5);
        assert_eq!(lines.len(), 2);
        assert_eq!(lines[0], [(1.5, 0.0), (1.5, 1.0), (1.5, 2.0)]);
        assert_eq!(lines[1], [(1.5, 4.0), (1.5, 5.0), (1.5, 6.0)]);
    }

    #[test]
    fn what_never_reaches_the_level_has_no_line() {
        assert!(contour(&[0.0; 12], 4, 1.0).is_empty());
        assert!(contour(&[f64::NAN; 12], 4, 1.0).is_empty());
        for (values, columns) in [(&[][..], 0), (&[1.0][..], 1), (&[0.0, 2.0][..], 2)] {
            assert!(contour(values, columns, 1.0).is_empty());
        }
    }
}
