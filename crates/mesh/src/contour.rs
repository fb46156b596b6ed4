use crate::error::{MeshError, check_elements, check_finite};
use crate::{BoundingBox, Group};

/// Curves in the x–y plane made of straight segments: the cross-sections of one or several long bodies.
///
/// A closed body runs anticlockwise, so that its outside is to the right of each segment:
/// the outward normal of a segment with direction (dx, dy) is (dy, −dx).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Contour {
    /// Coordinates of the points.
    pub points: Vec<[f64; 2]>,
    /// First and last point of each segment, as positions in `points`.
    pub segments: Vec<[u32; 2]>,
    /// The named parts of the curves.
    pub groups: Vec<Group>,
    /// For each segment the part it belongs to, as a position in `groups`.
    pub group_of: Vec<u32>,
}

/// Segments that follow one another: the outline of one body, or an open strip.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Curve {
    /// The segments in walking order, as positions in `Contour::segments`.
    pub segments: Vec<u32>,
    /// Whether the last segment ends where the first begins.
    pub closed: bool,
}

impl Contour {
    /// Checks that every number refers to something that exists and every coordinate is finite.
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

    /// First and last point of a segment.
    pub fn ends(&self, segment: usize) -> [[f64; 2]; 2] {
        self.segments[segment].map(|index| self.points[index as usize])
    }

    /// The length of all segments together.
    pub fn length(&self) -> f64 {
        (0..self.segments.len())
            .map(|s| {
                let [a, b] = self.ends(s);
                (b[0] - a[0]).hypot(b[1] - a[1])
            })
            .sum()
    }

    /// The area inside closed anticlockwise curves; curves that run clockwise count as negative.
    pub fn area(&self) -> f64 {
        let centre = self.bounding_box().map_or([0.0; 3], |b| b.centre());
        (0..self.segments.len())
            .map(|s| {
                let [a, b] = self.ends(s).map(|p| [p[0] - centre[0], p[1] - centre[1]]);
                0.5 * (a[0] * b[1] - a[1] * b[0])
            })
            .sum()
    }

    /// The smallest rectangle around the points (with z = 0), or `None` when there are none.
    pub fn bounding_box(&self) -> Option<BoundingBox> {
        let points: Vec<[f64; 3]> = self.points.iter().map(|p| [p[0], p[1], 0.0]).collect();
        BoundingBox::of(&points)
    }

    /// Multiplies every coordinate by `metres_per_unit`, to bring a file's unit to metres.
    pub fn scale(&mut self, metres_per_unit: f64) {
        for coordinate in self.points.iter_mut().flatten() {
            *coordinate *= metres_per_unit;
        }
    }

    /// Moves every point by the same vector.
    pub fn translate(&mut self, shift: [f64; 2]) {
        for point in &mut self.points {
            point[0] += shift[0];
            point[1] += shift[1];
        }
    }

    /// Turns about the origin by an angle in radians, anticlockwise.
    pub fn rotate(&mut self, angle: f64) {
        let (sin, cos) = angle.sin_cos();
        for point in &mut self.points {
            let [x, y] = *point;
            *point = [cos * x - sin * y, sin * x + cos * y];
        }
    }

    /// Changes the sign of x and walks the curves the other way round, so that the outside stays outside.
    pub fn mirror_x(&mut self) {
        for point in &mut self.points {
            point[0] = -point[0];
        }
        for segment in &mut self.segments {
            segment.swap(0, 1);
        }
    }

    /// Adds the curves of another contour as further bodies; groups with the same name become one.
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

    /// The segments chained into curves, one for each outline or strip.
    ///
    /// A curve stops where more than two segments meet, and where two segments point at each other.
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
        // Open chains are walked from their beginning; what is left then are closed loops.
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
