//! Outline of a body on an image plane.
//!
//! Triangles are rasterized onto a fine grid, and the boundary of the covered cells is traced, which supports
//! open, overlapping, and defective meshes as well as closed ones.

use std::collections::BTreeMap;

use wavefield_mesh::TriangleMesh;

use super::frame::Frame;

/// Number of raster cells along the longer side of the body.
const CELLS: f64 = 1000.0;
/// Tolerance of the outline in raster cells; removes the staircase.
const SMOOTH: f64 = 0.8;

/// Returns the outline of a body projected onto an image plane: closed lines of cross-range and down-range in
/// m, each with its first point repeated at the end.
pub fn silhouette(mesh: &TriangleMesh, frame: &Frame) -> Vec<Vec<[f64; 2]>> {
    let points: Vec<[f64; 2]> = mesh
        .points
        .iter()
        .map(|point| frame.place(*point))
        .collect();
    let Some(mask) = Mask::new(&points, &mesh.triangles) else {
        return Vec::new();
    };
    let lines = mask.borders().into_iter();
    lines
        .map(|line| {
            let kept = simplified(&line);
            kept.into_iter().map(|corner| mask.place(corner)).collect()
        })
        // Drop specks of one or two cells.
        .filter(|line: &Vec<[f64; 2]>| line.len() > 3)
        .collect()
}

/// Coverage of the raster, with a margin of one uncovered cell.
struct Mask {
    low: [f64; 2],
    cell: f64,
    count: [usize; 2],
    covered: Vec<bool>,
}

impl Mask {
    fn new(points: &[[f64; 2]], triangles: &[[u32; 3]]) -> Option<Mask> {
        let used = || triangles.iter().flatten().map(|&i| points[i as usize]);
        let extent = |axis: usize| {
            used().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), p| {
                (low.min(p[axis]), high.max(p[axis]))
            })
        };
        let sides = [extent(0), extent(1)];
        let longest = sides
            .iter()
            .map(|(low, high)| high - low)
            .fold(0.0, f64::max);
        if !(longest > 0.0 && longest.is_finite()) {
            return None;
        }
        let cell = longest / CELLS;
        let mut mask = Mask {
            low: sides.map(|(low, _)| low - cell),
            cell,
            count: sides.map(|(low, high)| ((high - low) / cell).ceil() as usize + 3),
            covered: Vec::new(),
        };
        mask.covered = vec![false; mask.count[0] * mask.count[1]];
        for triangle in triangles {
            mask.paint(triangle.map(|i| points[i as usize]));
        }
        Some(mask)
    }

    /// Covers the cells whose centers lie in a triangle.
    fn paint(&mut self, corners: [[f64; 2]; 3]) {
        let corners =
            corners.map(|c| [0, 1].map(|axis| (c[axis] - self.low[axis]) / self.cell - 0.5));
        let range = |axis: usize| {
            let low = corners
                .iter()
                .map(|c| c[axis])
                .fold(f64::INFINITY, f64::min);
            let high = corners.iter().map(|c| c[axis]).fold(0.0, f64::max);
            (low.ceil().max(0.0) as usize, high.floor() as usize)
        };
        let (first, last) = range(1);
        for row in first..=last {
            // Intersections of the row with the sides of the triangle.
            let y = row as f64;
            let (mut left, mut right) = (f64::INFINITY, f64::NEG_INFINITY);
            for side in 0..3 {
                let (a, b) = (corners[side], corners[(side + 1) % 3]);
                if (a[1] - y) * (b[1] - y) > 0.0 || a[1] == b[1] {
                    continue;
                }
                let x = a[0] + (b[0] - a[0]) * (y - a[1]) / (b[1] - a[1]);
                (left, right) = (left.min(x), right.max(x));
            }
            if left > right {
                continue;
            }
            for column in left.ceil().max(0.0) as usize..=right.floor().max(0.0) as usize {
                self.covered[row * self.count[0] + column] = true;
            }
        }
    }

    /// Returns the closed boundaries of the covered region, through cell corners.
    fn borders(&self) -> Vec<Vec<[i64; 2]>> {
        let is_covered = |column: i64, row: i64| {
            let inside = [column, row]
                .iter()
                .zip(self.count)
                .all(|(number, count)| (0..count as i64).contains(number));
            inside && self.covered[row as usize * self.count[0] + column as usize]
        };
        // Sides with the covered cell on their left, by start point.
        let mut sides: BTreeMap<[i64; 2], Vec<[i64; 2]>> = BTreeMap::new();
        let mut add = |from: [i64; 2], to: [i64; 2]| sides.entry(from).or_default().push(to);
        for row in 0..self.count[1] as i64 {
            for column in 0..self.count[0] as i64 {
                if !is_covered(column, row) {
                    continue;
                }
                let (right, up) = (column + 1, row + 1);
                if !is_covered(column, row - 1) {
                    add([column, row], [right, row]);
                }
                if !is_covered(right, row) {
                    add([right, row], [right, up]);
                }
                if !is_covered(column, up) {
                    add([right, up], [column, up]);
                }
                if !is_covered(column - 1, row) {
                    add([column, up], [column, row]);
                }
            }
        }
        let mut lines = Vec::new();
        while let Some((&start, _)) = sides.first_key_value() {
            let mut line = vec![start];
            let mut at = start;
            while let Some(next) = sides.get_mut(&at).and_then(Vec::pop) {
                if sides.get(&at).is_some_and(Vec::is_empty) {
                    sides.remove(&at);
                }
                line.push(next);
                at = next;
            }
            lines.push(line);
        }
        lines
    }

    /// Returns the cross-range and down-range of a cell corner.
    fn place(&self, corner: [i64; 2]) -> [f64; 2] {
        [0, 1].map(|axis| self.low[axis] + self.cell * corner[axis] as f64)
    }
}

/// Simplifies a line within the tolerance [`SMOOTH`] (D. H. Douglas, T. K. Peucker, Cartographica 10 (1973)
/// 112–122).
fn simplified(line: &[[i64; 2]]) -> Vec<[i64; 2]> {
    // A closed line is split at the corner farthest from its start.
    let far = (0..line.len())
        .max_by_key(|&i| (line[i][0] - line[0][0]).pow(2) + (line[i][1] - line[0][1]).pow(2))
        .unwrap_or(0);
    let mut kept = vec![false; line.len()];
    let mut parts = vec![(0, far), (far, line.len() - 1)];
    while let Some((from, to)) = parts.pop() {
        (kept[from], kept[to]) = (true, true);
        let (a, b) = (line[from], line[to]);
        let along = [(b[0] - a[0]) as f64, (b[1] - a[1]) as f64];
        let length = along[0].hypot(along[1]).max(1.0);
        let off = |i: &usize| {
            let p = [(line[*i][0] - a[0]) as f64, (line[*i][1] - a[1]) as f64];
            (along[0] * p[1] - along[1] * p[0]).abs() / length
        };
        let farthest = (from + 1..to).max_by(|i, j| off(i).total_cmp(&off(j)));
        if let Some(middle) = farthest.filter(|i| off(i) > SMOOTH) {
            parts.extend([(from, middle), (middle, to)]);
        }
    }
    let all = line.iter().zip(kept);
    all.filter(|(_, kept)| *kept).map(|(c, _)| *c).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use wavefield_mesh::primitive;

    const ABOVE: Frame = Frame {
        toward: [1.0, 0.0, 0.0],
        across: [0.0, 1.0, 0.0],
    };

    fn area(line: &[[f64; 2]]) -> f64 {
        let pairs = line.windows(2);
        0.5 * pairs
            .map(|w| w[0][0] * w[1][1] - w[1][0] * w[0][1])
            .sum::<f64>()
    }

    #[test]
    fn a_sphere_is_a_disc_and_a_plate_a_rectangle() {
        let disc = silhouette(&primitive::sphere(0.5, 0.02).unwrap(), &ABOVE);
        assert_eq!(disc.len(), 1);
        assert!((area(&disc[0]) / (0.25 * std::f64::consts::PI) - 1.0).abs() < 0.01);
        assert!(
            disc[0]
                .iter()
                .all(|p| (p[0].hypot(p[1]) - 0.5).abs() < 0.003)
        );
        let plate = silhouette(&primitive::plate(2.0, 1.0, 0.1).unwrap(), &ABOVE);
        assert_eq!(plate.len(), 1);
        assert!(plate[0].len() < 12, "{:?}", plate[0]);
        assert!((area(&plate[0]) - 2.0).abs() < 0.02);
    }

    #[test]
    fn two_bodies_have_two_outlines_and_a_hole_has_its_own() {
        let mut two = primitive::sphere(0.5, 0.05).unwrap();
        let mut other = two.clone();
        for point in &mut other.points {
            point[0] += 3.0;
        }
        two.append(&other);
        assert_eq!(silhouette(&two, &ABOVE).len(), 2);
        // Four strips around a square hole.
        let strips = [
            (0.0, 0.0, 3.0, 1.0),
            (0.0, 2.0, 3.0, 3.0),
            (0.0, 1.0, 1.0, 2.0),
            (2.0, 1.0, 3.0, 2.0),
        ];
        let mut points = Vec::new();
        let mut triangles = Vec::new();
        for (n, (x, y, right, top)) in strips.into_iter().enumerate() {
            points.extend([
                [x, y, 0.0],
                [right, y, 0.0],
                [right, top, 0.0],
                [x, top, 0.0],
            ]);
            let first = 4 * n as u32;
            triangles.extend([[first, first + 1, first + 2], [first, first + 2, first + 3]]);
        }
        let ring = TriangleMesh::single_group(points, triangles, "ring");
        let mut areas: Vec<f64> = silhouette(&ring, &ABOVE).iter().map(|l| area(l)).collect();
        areas.sort_by(f64::total_cmp);
        assert_eq!(areas.len(), 2, "{areas:?}");
        assert!((areas[0] + 1.0).abs() < 0.02 && (areas[1] - 9.0).abs() < 0.05);
    }

    #[test]
    fn a_mesh_without_extent_has_no_outline() {
        assert!(silhouette(&TriangleMesh::default(), &ABOVE).is_empty());
    }
}
