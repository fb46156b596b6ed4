//! Element types, node numbers, and groups, common to both versions of the MSH format.

use std::collections::HashMap;

use super::{Limits, Place, ReadError, ReadReport};
use crate::group::GroupsByTag;

/// Shape of a Gmsh element type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    Line,
    Triangle,
    Quadrangle,
    Tetrahedron,
    /// Known but unsupported; the name is for the report.
    Other(&'static str),
}

/// A row of the table of element types in the Gmsh reference manual.
#[derive(Clone, Copy, Debug)]
pub(super) struct ElementType {
    pub(super) shape: Shape,
    pub(super) nodes: usize,
}

impl ElementType {
    /// Returns the type with this number in the Gmsh reference manual, "MSH file format".
    pub(super) fn of(number: i64) -> Option<Self> {
        let (shape, nodes) = match number {
            1 => (Shape::Line, 2),
            2 => (Shape::Triangle, 3),
            3 => (Shape::Quadrangle, 4),
            4 => (Shape::Tetrahedron, 4),
            5 => (Shape::Other("hexahedron"), 8),
            6 => (Shape::Other("prism"), 6),
            7 => (Shape::Other("pyramid"), 5),
            8 => (Shape::Line, 3),
            9 => (Shape::Triangle, 6),
            10 => (Shape::Quadrangle, 9),
            11 => (Shape::Tetrahedron, 10),
            12 => (Shape::Other("hexahedron"), 27),
            13 => (Shape::Other("prism"), 18),
            14 => (Shape::Other("pyramid"), 14),
            15 => (Shape::Other("point element"), 1),
            16 => (Shape::Quadrangle, 8),
            17 => (Shape::Other("hexahedron"), 20),
            18 => (Shape::Other("prism"), 15),
            19 => (Shape::Other("pyramid"), 13),
            20 => (Shape::Triangle, 9),
            21 => (Shape::Triangle, 10),
            22 => (Shape::Triangle, 12),
            23 => (Shape::Triangle, 15),
            24 => (Shape::Triangle, 15),
            25 => (Shape::Triangle, 21),
            26 => (Shape::Line, 4),
            27 => (Shape::Line, 5),
            28 => (Shape::Line, 6),
            29 => (Shape::Tetrahedron, 20),
            30 => (Shape::Tetrahedron, 35),
            31 => (Shape::Tetrahedron, 56),
            92 => (Shape::Other("hexahedron"), 64),
            93 => (Shape::Other("hexahedron"), 125),
            _ => return None,
        };
        Some(Self { shape, nodes })
    }
}

/// Creates the error for an element type of unknown length, which prevents reading a binary file
/// further.
pub(super) fn unknown_type(number: i64, place: Place) -> ReadError {
    ReadError::Unsupported {
        what: format!("element type {number}"),
        advice: "save the mesh with lines, triangles, and tetrahedra only",
        place,
    }
}

/// Points with their numbers in the file.
#[derive(Default)]
pub(super) struct Nodes {
    pub(super) points: Vec<[f64; 3]>,
    first: u64,
    /// Numbers of the points; empty while they are consecutive.
    tags: Vec<u64>,
    /// Sorted numbers with the index of their point, if not consecutive.
    sorted: Vec<(u64, u32)>,
}

impl Nodes {
    pub(super) fn push(&mut self, tag: u64, point: [f64; 3]) {
        let count = self.points.len() as u64;
        if count == 0 {
            self.first = tag;
        }
        if !self.tags.is_empty() {
            self.tags.push(tag);
        } else if self.first.checked_add(count) != Some(tag) {
            self.tags = (self.first..self.first.saturating_add(count)).collect();
            self.tags.push(tag);
        }
        self.points.push(point);
    }

    /// Prepares the search by number and checks that numbers are unique.
    pub(super) fn finish(&mut self) -> Result<(), ReadError> {
        self.sorted = (self.tags.iter().enumerate())
            .map(|(position, &tag)| (tag, position as u32))
            .collect();
        self.tags = Vec::new();
        self.sorted.sort_unstable();
        if let Some(pair) = self.sorted.windows(2).find(|pair| pair[0].0 == pair[1].0) {
            return Err(ReadError::DuplicatePoint { tag: pair[0].0 });
        }
        Ok(())
    }

    fn position(&self, tag: u64) -> Option<u32> {
        if self.sorted.is_empty() {
            let offset = tag.checked_sub(self.first)?;
            return (offset < self.points.len() as u64).then_some(offset as u32);
        }
        let found = self.sorted.binary_search_by_key(&tag, |&(t, _)| t).ok()?;
        Some(self.sorted[found].1)
    }

    fn smallest_tag(&self) -> u64 {
        self.sorted.first().map_or(self.first, |&(tag, _)| tag)
    }
}

/// Elements with `N` corners and their groups.
#[derive(Default)]
pub(super) struct Elements<const N: usize> {
    pub(super) corners: Vec<[u32; N]>,
    pub(super) group_of: Vec<u32>,
    pub(super) groups: GroupsByTag,
}

impl<const N: usize> Elements<N> {
    fn push(&mut self, corners: [u32; N], physical: i64, names: &PhysicalNames) {
        let dimension = N as i64 - 1;
        let group = (self.groups).index(physical, || names.name(dimension, physical));
        self.corners.push(corners);
        self.group_of.push(group);
    }
}

/// Names of physical groups, by dimension and tag.
#[derive(Default)]
pub(super) struct PhysicalNames(pub(super) HashMap<(i64, i64), String>);

impl PhysicalNames {
    fn name(&self, dimension: i64, physical: i64) -> String {
        match (self.0.get(&(dimension, physical)), physical, dimension) {
            (Some(name), ..) => name.clone(),
            (None, 0, 1) => "contour".into(),
            (None, 0, 2) => "surface".into(),
            (None, 0, _) => "volume".into(),
            (None, ..) => format!("group {physical}"),
        }
    }
}

/// Content collected from a file so far.
pub(super) struct Collected<'l> {
    pub(super) limits: &'l Limits,
    pub(super) report: ReadReport,
    pub(super) names: PhysicalNames,
    pub(super) nodes: Nodes,
    pub(super) lines: Elements<2>,
    pub(super) triangles: Elements<3>,
    pub(super) tetrahedra: Elements<4>,
}

impl Collected<'_> {
    pub(super) fn push_node(
        &mut self,
        tag: u64,
        point: [f64; 3],
        place: Place,
    ) -> Result<(), ReadError> {
        self.nodes.push(tag, point);
        self.limits.check_points(self.nodes.points.len(), place)
    }

    /// Adds an element; `tags` are all its nodes, corners first.
    pub(super) fn push_element(
        &mut self,
        shape: Shape,
        tags: &[u64],
        physical: i64,
        place: Place,
    ) -> Result<(), ReadError> {
        let corners = match shape {
            Shape::Line => 2,
            Shape::Triangle => 3,
            Shape::Quadrangle | Shape::Tetrahedron => 4,
            Shape::Other(name) => {
                self.report.skip(name, 1);
                return Ok(());
            }
        };
        let mut points = [0; 4];
        for (point, &tag) in points.iter_mut().zip(&tags[..corners]) {
            *point = (self.nodes.position(tag)).ok_or_else(|| ReadError::NoSuchPoint {
                index: i64::try_from(tag).unwrap_or(i64::MAX),
                points: self.nodes.points.len(),
                first: self.nodes.smallest_tag(),
                place,
            })?;
        }
        let [a, b, c, d] = points;
        let repeated = (1..corners).any(|i| points[..i].contains(&points[i]));
        if repeated {
            self.report.degenerate_elements += 1;
            return Ok(());
        }
        self.report.straightened_elements += usize::from(tags.len() > corners);
        match shape {
            Shape::Line => self.lines.push([a, b], physical, &self.names),
            Shape::Triangle => self.triangles.push([a, b, c], physical, &self.names),
            Shape::Quadrangle => {
                self.report.split_polygons += 1;
                self.triangles.push([a, b, c], physical, &self.names);
                self.triangles.push([a, c, d], physical, &self.names);
            }
            _ => self.tetrahedra.push(points, physical, &self.names),
        }
        let elements =
            self.lines.corners.len() + self.triangles.corners.len() + self.tetrahedra.corners.len();
        self.limits.check_elements(elements, place)
    }
}
