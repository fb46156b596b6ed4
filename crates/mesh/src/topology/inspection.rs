use std::fmt;

use serde::Serialize;

use super::{Components, Edges};
use crate::{BoundingBox, TriangleMesh};
use wavefield_numerics::vector::{norm, sub};

/// Summary of a surface before a computation.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Inspection {
    /// Number of points.
    pub points: usize,
    /// Number of triangles.
    pub triangles: usize,
    /// Number of connected components.
    pub components: usize,
    /// Number of boundary edges (one triangle): the rim of a hole or of a plate.
    pub open_edges: usize,
    /// Number of non-manifold edges (more than two triangles).
    pub non_manifold_edges: usize,
    /// Number of edges with two inconsistently oriented triangles.
    pub inconsistent_edges: usize,
    /// Number of degenerate triangles (zero area).
    pub degenerate_triangles: usize,
    /// Number of triangles with the same three corners as an earlier one.
    pub duplicate_triangles: usize,
    /// Whether every edge has exactly two triangles.
    pub watertight: bool,
    /// Whether a watertight, consistently oriented surface is oriented outward; `None` for other
    /// surfaces.
    pub outward: Option<bool>,
    /// Surface area.
    pub area: f64,
    /// Enclosed volume, negative if the surface is oriented inward; `None` if it encloses none.
    pub volume: Option<f64>,
    /// Length of the shortest edge.
    pub shortest_edge: f64,
    /// Length of the longest edge.
    pub longest_edge: f64,
    /// Bounding box of the points; `None` without points.
    pub bounding_box: Option<BoundingBox>,
}

impl TriangleMesh {
    /// Computes the summary of the surface; see [`Inspection`].
    pub fn inspect(&self) -> Inspection {
        let edges = Edges::of(self);
        let (mut open, mut branching, mut inconsistent) = (0, 0, 0);
        let (mut shortest, mut longest) = (f64::INFINITY, 0.0_f64);
        for edge in edges.iter() {
            match edge.half_edges.len() {
                1 => open += 1,
                2 => inconsistent += usize::from(!edge.is_consistent(self)),
                _ => branching += 1,
            }
            let [from, to] = edge.ends.map(|index| self.points[index as usize]);
            let edge_length = norm(sub(to, from));
            shortest = shortest.min(edge_length);
            longest = longest.max(edge_length);
        }
        let watertight = !edges.is_empty() && open == 0 && branching == 0;
        let volume = (watertight && inconsistent == 0).then(|| self.volume());
        Inspection {
            points: self.points.len(),
            triangles: self.triangles.len(),
            components: Components::of(self, &edges).count,
            open_edges: open,
            non_manifold_edges: branching,
            inconsistent_edges: inconsistent,
            degenerate_triangles: (0..self.triangles.len())
                .filter(|&t| norm(self.area_vector(t)) == 0.0)
                .count(),
            duplicate_triangles: self.duplicate_triangles(),
            watertight,
            outward: volume.map(|v| v > 0.0),
            area: self.area(),
            volume,
            shortest_edge: if edges.is_empty() { 0.0 } else { shortest },
            longest_edge: longest,
            bounding_box: self.bounding_box(),
        }
    }

    fn duplicate_triangles(&self) -> usize {
        let mut corners = self.triangles.clone();
        for triangle in &mut corners {
            triangle.sort_unstable();
        }
        corners.sort_unstable();
        corners.windows(2).filter(|pair| pair[0] == pair[1]).count()
    }
}

impl fmt::Display for Inspection {
    /// Formats lengths in meters.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.described("m"))
    }
}

impl Inspection {
    /// Returns the summary as text, with lengths in a unit.
    pub fn described(&self, unit: &str) -> String {
        let mut text = String::new();
        // Writing to a `String` cannot fail.
        let _ = self.describe(&mut text, unit);
        text
    }

    fn describe(&self, f: &mut impl fmt::Write, unit: &str) -> fmt::Result {
        let pieces = match self.components {
            1 => "one component".into(),
            n => format!("{n} components"),
        };
        writeln!(
            f,
            "{} triangles on {} points in {pieces}",
            self.triangles, self.points
        )?;
        let state = match (self.watertight, self.outward) {
            (false, _) => "not watertight",
            (true, None) => "watertight, but inconsistently oriented",
            (true, Some(true)) => "watertight, oriented outward",
            (true, Some(false)) => "watertight, but oriented inward",
        };
        writeln!(f, "  surface   {state}")?;
        write!(f, "  area      {:.6e} {unit}²", self.area)?;
        if let Some(volume) = self.volume {
            write!(f, ", volume {volume:.6e} {unit}³")?;
        }
        writeln!(f)?;
        writeln!(
            f,
            "  edges     {:.4e} {unit} to {:.4e} {unit}",
            self.shortest_edge, self.longest_edge
        )?;
        if let Some(bounds) = &self.bounding_box {
            writeln!(f, "  extent    {bounds} {unit}")?;
        }
        let troubles = [
            (self.open_edges, "boundary edges (of a hole or a plate)"),
            (
                self.non_manifold_edges,
                "non-manifold edges (more than two triangles)",
            ),
            (
                self.inconsistent_edges,
                "inconsistently oriented edges (orient the mesh)",
            ),
            (
                self.degenerate_triangles,
                "degenerate triangles (zero area)",
            ),
            (self.duplicate_triangles, "duplicate triangles"),
        ];
        for (count, what) in troubles.into_iter().filter(|&(count, _)| count > 0) {
            writeln!(f, "  note      {count} {what}")?;
        }
        Ok(())
    }
}
