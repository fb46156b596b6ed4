use crate::error::{MeshError, check_elements, check_finite};
use crate::{BoundingBox, Group};

/// A contour: curves of straight segments in the x–y plane, the cross-sections of one or several infinite
/// cylinders.
///
/// The contour of a closed body runs counterclockwise, so that its exterior is to the right of each
/// segment: the outward normal of a segment with direction (dx, dy) is (dy, −dx).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Contour {
    /// Coordinates of the points.
    pub points: Vec<[f64; 2]>,
    /// Start and end of each segment, as indices into `points`.
    pub segments: Vec<[u32; 2]>,
    /// Named parts of the curves.
    pub groups: Vec<Group>,
    /// Group of each segment, as an index into `groups`.
    pub group_of: Vec<u32>,
}

/// A chain of segments: the outline of one body, or an open strip.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Curve {
    /// Segments in order along the curve, as indices into `Contour::segments`.
    pub segments: Vec<u32>,
    /// Whether the last segment ends at the start of the first.
    pub closed: bool,
}

impl Contour {
    /// Checks that all indices are in range and all coordinates are finite.
    pub fn validate(&self) -> Result<(), MeshError> {
        check_elements(
            "segment",
            &self.segments,
            self.points.len(),
            &self.group_of,
            self.groups.len(),
        )?;
        check_finite(&self.points)
    }

    /// Returns start and end of a segment.
    pub fn ends(&self, segment: usize) -> [[f64; 2]; 2] {
        self.segments[segment].map(|index| self.points[index as usize])
    }

    /// Returns the total length of all segments.
    pub fn length(&self) -> f64 {
        (0..self.segments.len())
            .map(|s| {
                let [a, b] = self.ends(s);
                (b[0] - a[0]).hypot(b[1] - a[1])
            })
            .sum()
    }

    /// Returns the area enclosed by counterclockwise curves; clockwise curves count as negative.
    pub fn area(&self) -> f64 {
        let center = self.bounding_box().map_or([0.0; 3], |b| b.center());
        (0..self.segments.len())
            .map(|s| {
                let [a, b] = self.ends(s).map(|p| [p[0] - center[0], p[1] - center[1]]);
                0.5 * (a[0] * b[1] - a[1] * b[0])
            })
            .sum()
    }

    /// Returns the bounding box of the points (with z = 0), or `None` without points.
    pub fn bounding_box(&self) -> Option<BoundingBox> {
        let points: Vec<[f64; 3]> = self.points.iter().map(|p| [p[0], p[1], 0.0]).collect();
        BoundingBox::of(&points)
    }

    /// Scales all coordinates by `meters_per_unit`, to convert from the unit of a file to meters.
    pub fn scale(&mut self, meters_per_unit: f64) {
        for coordinate in self.points.iter_mut().flatten() {
            *coordinate *= meters_per_unit;
        }
    }

    /// Translates all points by a vector.
    pub fn translate(&mut self, shift: [f64; 2]) {
        for point in &mut self.points {
            point[0] += shift[0];
            point[1] += shift[1];
        }
    }

    /// Rotates counterclockwise about the origin by an angle in radians.
    pub fn rotate(&mut self, angle: f64) {
        let (sin, cos) = angle.sin_cos();
        for point in &mut self.points {
            let [x, y] = *point;
            *point = [cos * x - sin * y, sin * x + cos * y];
        }
    }

    /// Mirrors x and reverses the curves, so that the exterior stays outside.
    pub fn mirror_x(&mut self) {
        for point in &mut self.points {
            point[0] = -point[0];
        }
        for segment in &mut self.segments {
            segment.swap(0, 1);
        }
    }

    /// Appends the curves of another contour as further bodies; groups with equal names are merged.
    pub fn append(&mut self, other: &Self) {
        let offset = self.points.len() as u32;
        self.points.extend_from_slice(&other.points);
        self.segments
            .extend(other.segments.iter().map(|s| s.map(|i| i + offset)));
        for &group in &other.group_of {
            let group = &other.groups[group as usize];
            let found = self.groups.iter().position(|g| g.name == group.name);
            let index = found.unwrap_or_else(|| {
                self.groups.push(group.clone());
                self.groups.len() - 1
            });
            self.group_of.push(index as u32);
        }
    }

    /// Chains the segments into curves, one for each outline or strip.
    ///
    /// A curve ends at points shared by more than two segments, and where two segments have opposite
    /// directions.
    pub fn curves(&self) -> Vec<Curve> {
        const NONE: u32 = u32::MAX;
        const MANY: u32 = u32::MAX - 1;
        let mut leaving = vec![NONE; self.points.len()];
        let mut arriving = vec![NONE; self.points.len()];
        for (s, &[from, to]) in self.segments.iter().enumerate() {
            for (list, point) in [(&mut leaving, from), (&mut arriving, to)] {
                let slot = &mut list[point as usize];
                *slot = if *slot == NONE { s as u32 } else { MANY };
            }
        }
        let successor = |s: u32| {
            let joint = self.segments[s as usize][1] as usize;
            (arriving[joint] == s && leaving[joint] < MANY).then_some(leaving[joint])
        };
        let starts_a_chain = |s: u32| {
            let joint = self.segments[s as usize][0] as usize;
            !(leaving[joint] == s && arriving[joint] < MANY)
        };
        let mut visited = vec![false; self.segments.len()];
        let mut curves = Vec::new();
        let numbers = 0..self.segments.len() as u32;
        // Open chains first, from their starting points; the remaining segments form closed loops.
        let beginnings = numbers.clone().filter(|&s| starts_a_chain(s));
        for start in beginnings.chain(numbers) {
            let mut segments = Vec::new();
            let mut current = Some(start);
            while let Some(s) = current.filter(|&s| !visited[s as usize]) {
                visited[s as usize] = true;
                segments.push(s);
                current = successor(s);
            }
            if !segments.is_empty() {
                let closed = current == Some(start);
                curves.push(Curve { segments, closed });
            }
        }
        curves
    }
}
