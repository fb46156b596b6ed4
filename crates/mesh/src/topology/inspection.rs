use std::fmt;

use serde::Serialize;

use super::{Components, Edges};
use crate::{BoundingBox, TriangleMesh};
use wavefield_numerics::vector::{norm, sub};

/// Everything one wants to know about a surface before computing with it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Inspection {
    /// How many points there are.
    pub points: usize,
    /// How many triangles there are.
    pub triangles: usize,
    /// How many separate pieces there are.
    pub components: usize,
    /// Edges with one triangle: the rim of a hole or of a plate.
    pub open_edges: usize,
    /// Edges with more than two triangles.
    pub non_manifold_edges: usize,
    /// Edges whose two triangles disagree about the outside.
    pub inconsistent_edges: usize,
    /// Triangles without area.
    pub degenerate_triangles: usize,
    /// Triangles with the same three corners as an earlier one.
    pub duplicate_triangles: usize,
    /// Whether every edge has exactly two triangles.
    pub watertight: bool,
    /// Whether the outside of a watertight, consistent surface faces out; `None` if that has no meaning.
    pub outward: Option<bool>,
    /// The area of the surface.
    pub area: f64,
    /// The volume inside, negative if the surface is inside out; `None` if it does not enclose one.
    pub volume: Option<f64>,
    /// The shortest edge.
    pub shortest_edge: f64,
    /// The longest edge.
    pub longest_edge: f64,
    /// The smallest box around the points; `None` without points.
    pub bounding_box: Option<BoundingBox>,
}

impl TriangleMesh {
    /// Looks the surface over; see [`Inspection`].
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
    /// Lengths are in metres.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.described("m"))
    }
}

impl Inspection {
    /// What was seen, with lengths in a unit.
    pub fn described(&self, unit: &str) -> String {
        let mut text = String::new();
        // Text takes any line.
        let _ = self.describe(&mut text, unit);
        text
    }

    fn describe(&self, f: &mut impl fmt::Write, unit: &str) -> fmt::Result {
        let pieces = match self.components {
            1 => "one piece".into(),
            n => format!("{n} pieces"),
        };
        writeln!(
            f,
            "{} triangles on {} points in {pieces}",
            self.triangles, self.points
        )?;
        let state = match (self.watertight, self.outward) {
            (false, _) => "not watertight",
            (true, None) => "watertight, but triangles disagree about the outside",
            (true, Some(true)) => "watertight, outside facing out",
            (true, Some(false)) => "watertight, but inside out",
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
            (self.open_edges, "open edges (rim of a hole or a plate)"),
            (
                self.non_manifold_edges,
                "edges where more than two triangles meet",
            ),
            (
                self.inconsistent_edges,
                "edges whose triangles disagree about the outside (orient the mesh)",
            ),
            (self.degenerate_triangles, "triangles without area"),
            (self.duplicate_triangles, "triangles given twice"),
        ];
        for (count, what) in troubles.into_iter().filter(|&(count, _)| count > 0) {
            writeln!(f, "  note      {count} {what}")?;
        }
        Ok(())
    }
}
