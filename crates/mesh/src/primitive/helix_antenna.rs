use std::f64::consts::{FRAC_PI_2, PI, SQRT_2, TAU};

use super::rings::stitch;
use super::{PrimitiveError, affordable, pieces, positive};
use crate::weld::ExactWeld;
use crate::{Group, TriangleMesh};

/// A helical antenna: a wire above a circular ground plate, with a feed in the gap between them.
///
/// The axis is +z and the plate is in z = 0. The wire begins above the +x axis and is right-handed. Its
/// cross-section is defined in planes through the axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HelixAntenna {
    /// Radius of the helix, from the axis to the center of the wire.
    pub radius: f64,
    /// Pitch: rise per turn.
    pub pitch: f64,
    /// Number of turns, not necessarily an integer.
    pub turns: f64,
    /// Cross-section of the wire.
    pub section: WireSection,
    /// Gap between the plate and the lowest side of the wire at its beginning.
    pub gap: f64,
    /// Radius of the plate, which has zero thickness.
    pub ground_radius: f64,
    /// Maximum edge length on the wire and on the feed.
    pub edge: f64,
    /// Maximum edge length on the plate, away from the feed.
    pub ground_edge: f64,
}

/// Cross-section of a wire.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum WireSection {
    /// A square with sides normal to and along the axis.
    Square {
        /// Side length.
        width: f64,
    },
    /// A circle, approximated by an inscribed regular polygon with an even number of corners and one side
    /// parallel to the plate.
    Round {
        /// Radius.
        radius: f64,
    },
}

/// Surfaces of a helical antenna, which share the points on common edges.
#[derive(Clone, Debug, PartialEq)]
pub struct HelixSurfaces {
    /// Closed surface of the wire, the group "wire".
    pub wire: TriangleMesh,
    /// Surfaces of zero thickness: the plate, the group "ground", and the feed, the group "feed", a vertical
    /// rectangle from the plate to the lowest side of the wire at its beginning, where a port excites the
    /// antenna.
    pub sheet: TriangleMesh,
}

/// Generates the surfaces of a helical antenna.
pub fn helix_antenna(antenna: &HelixAntenna) -> Result<HelixSurfaces, PrimitiveError> {
    check(antenna)?;
    let section = Section::new(antenna)?;
    Ok(HelixSurfaces {
        wire: wire(antenna, &section)?,
        sheet: sheet(antenna, &section)?,
    })
}

fn check(antenna: &HelixAntenna) -> Result<(), PrimitiveError> {
    let (what, size) = match antenna.section {
        WireSection::Square { width } => ("the width of the wire", width),
        WireSection::Round { radius } => ("the radius of the wire", radius),
    };
    for (what, value) in [
        (what, size),
        ("the radius of the helix", antenna.radius),
        ("the pitch of the helix", antenna.pitch),
        ("the number of turns", antenna.turns),
        ("the gap of the feed", antenna.gap),
        ("the radius of the ground", antenna.ground_radius),
        ("the edge length on the wire", antenna.edge),
        ("the edge length on the ground", antenna.ground_edge),
    ] {
        positive(what, value)?;
    }
    let half = antenna.half_width();
    for (what, value, holds, range) in [
        (
            "the radius of the helix",
            antenna.radius,
            antenna.radius > half,
            "larger than half the width of the wire",
        ),
        (
            "the pitch of the helix",
            antenna.pitch,
            antenna.pitch > 2.0 * half || antenna.turns < 1.0,
            "larger than the width of the wire, so that turns do not touch",
        ),
        (
            "the radius of the ground",
            antenna.ground_radius,
            antenna.ground_radius > antenna.radius + half,
            "larger than the radius of the helix plus half the width of the wire, so that the feed stands on it",
        ),
    ] {
        if !holds {
            return Err(PrimitiveError::OutOfRange { what, value, range });
        }
    }
    Ok(())
}

impl HelixAntenna {
    fn half_width(&self) -> f64 {
        match self.section {
            WireSection::Square { width } => 0.5 * width,
            WireSection::Round { radius } => radius,
        }
    }
}

/// Cross-section of the wire: positions (outward, up) relative to its center.
struct Section {
    /// Boundary points, counterclockwise with outward to the right and up; the lowest side comes first.
    rim: Vec<[f64; 2]>,
    /// Number of steps of the lowest side.
    lowest: usize,
    /// Interior points.
    inner: Vec<[f64; 2]>,
    /// Triangles of an end cap, counterclockwise; indices run over `rim`, then `inner`.
    cap: Vec<[u32; 3]>,
    /// Distance of the lowest side below the center.
    depth: f64,
}

impl Section {
    fn new(antenna: &HelixAntenna) -> Result<Self, PrimitiveError> {
        let step = antenna.edge / SQRT_2;
        match antenna.section {
            WireSection::Square { width } => {
                affordable(antenna.edge, 2.0 * (width / step + 1.0).powi(2))?;
                Ok(Self::square(width, pieces(width, step)))
            }
            WireSection::Round { radius } => {
                affordable(antenna.edge, 2.0 * (TAU * radius / step + 1.0).powi(2))?;
                let count = 2 * pieces(PI * radius, step).max(3);
                Ok(Self::round(radius, count, pieces(radius, step)))
            }
        }
    }

    fn square(width: f64, n: u32) -> Self {
        let at = |i: u32| width * (f64::from(i) / f64::from(n) - 0.5);
        let mut rim = Vec::new();
        rim.extend((0..n).map(|i| [at(i), at(0)]));
        rim.extend((0..n).map(|i| [at(n), at(i)]));
        rim.extend((0..n).map(|i| [at(n - i), at(n)]));
        rim.extend((0..n).map(|i| [at(0), at(n - i)]));
        let mut inner = Vec::new();
        for j in 1..n {
            inner.extend((1..n).map(|i| [at(i), at(j)]));
        }
        let number = |i: u32, j: u32| match (i, j) {
            (i, 0) => i,
            (i, j) if i == n => n + j,
            (i, j) if j == n => 3 * n - i,
            (0, j) => (4 * n - j) % (4 * n),
            (i, j) => 4 * n + (j - 1) * (n - 1) + i - 1,
        };
        let mut cap = Vec::new();
        for j in 0..n {
            for i in 0..n {
                let [a, b] = [number(i, j), number(i + 1, j)];
                let [c, d] = [number(i + 1, j + 1), number(i, j + 1)];
                cap.extend([[a, b, c], [a, c, d]]);
            }
        }
        Self {
            rim,
            lowest: n as usize,
            inner,
            cap,
            depth: 0.5 * width,
        }
    }

    /// Creates a polygon of `count` sides; its cap consists of rings with decreasing numbers of points down
    /// to one.
    fn round(radius: f64, count: u32, rings: u32) -> Self {
        // The lowest side is centered below the center.
        let first = -FRAC_PI_2 - PI / f64::from(count);
        let depth = radius * (PI / f64::from(count)).cos();
        let ring = |radius: f64, count: u32| {
            (0..count).map(move |k| {
                let (sin, cos) = (first + TAU * f64::from(k) / f64::from(count)).sin_cos();
                [radius * cos, radius * sin]
            })
        };
        let mut rim: Vec<[f64; 2]> = ring(radius, count).collect();
        // Both ends of the lowest side must have bitwise identical heights.
        rim[0][1] = -depth;
        rim[1][1] = -depth;
        let mut inner = Vec::new();
        let mut cap = Vec::new();
        let mut outside = (0, count);
        for k in (0..rings).rev() {
            let part = f64::from(k) / f64::from(rings);
            let points = if k == 0 {
                1
            } else {
                (count * k / rings).max(3)
            };
            let inside = (count + inner.len() as u32, points);
            inner.extend(ring(radius * part, points));
            stitch(&mut cap, outside, inside);
            outside = inside;
        }
        Self {
            rim,
            lowest: 1,
            inner,
            cap,
            depth,
        }
    }

    /// Returns the distances from the axis of the points on the lowest side at the beginning of the wire.
    fn feed_line(&self, antenna: &HelixAntenna) -> Vec<f64> {
        (self.rim[..=self.lowest].iter())
            .map(|[outward, _]| antenna.radius + outward)
            .collect()
    }

    /// Returns the height of the center of the wire at its beginning.
    fn start(&self, antenna: &HelixAntenna) -> f64 {
        antenna.gap + self.depth
    }
}

fn wire(antenna: &HelixAntenna, section: &Section) -> Result<TriangleMesh, PrimitiveError> {
    let step = antenna.edge / SQRT_2;
    let widest = antenna.radius + antenna.half_width();
    let length = antenna.turns * (TAU * widest).hypot(antenna.pitch);
    let rim = section.rim.len() as u32;
    affordable(
        antenna.edge,
        2.0 * f64::from(rim) * (length / step + 1.0) + 2.0 * section.cap.len() as f64,
    )?;
    let steps = pieces(length, step);
    let place = |[outward, up]: [f64; 2], k: u32| {
        let part = f64::from(k) / f64::from(steps);
        let (sin, cos) = (TAU * antenna.turns * part).sin_cos();
        let radius = antenna.radius + outward;
        let rise = antenna.pitch * antenna.turns * part;
        // Exactly at the top of the feed at the beginning of the wire.
        let height = if k == 0 && up == -section.depth {
            antenna.gap
        } else {
            section.start(antenna) + rise + up
        };
        [radius * cos, radius * sin, height]
    };
    let mut points = Vec::new();
    for k in 0..=steps {
        points.extend(section.rim.iter().map(|&p| place(p, k)));
    }
    let mut triangles = Vec::new();
    for k in 0..steps {
        for i in 0..rim {
            let j = (i + 1) % rim;
            let [a, b] = [k * rim + i, k * rim + j];
            let [c, d] = [b + rim, a + rim];
            // Outward × up is opposite to the direction of the wire, so the rim runs clockwise seen from
            // ahead. The shorter diagonal is at most as long as that of a rectangle.
            let diagonal = |from: u32, to: u32| {
                let [from, to] = [from, to].map(|index| points[index as usize]);
                wavefield_numerics::vector::norm(wavefield_numerics::vector::sub(to, from))
            };
            if diagonal(a, c) <= diagonal(b, d) {
                triangles.extend([[a, c, b], [a, d, c]]);
            } else {
                triangles.extend([[a, d, b], [b, d, c]]);
            }
        }
    }
    for (k, facing_back) in [(0, true), (steps, false)] {
        let first_inner = points.len() as u32;
        points.extend(section.inner.iter().map(|&p| place(p, k)));
        triangles.extend(section.cap.iter().map(|corners| {
            let [a, b, c] = corners.map(|corner| match corner.checked_sub(rim) {
                Some(inner) => first_inner + inner,
                None => k * rim + corner,
            });
            if facing_back { [a, b, c] } else { [a, c, b] }
        }));
    }
    Ok(TriangleMesh::single_group(points, triangles, "wire"))
}

/// Generates the plate and the feed.
fn sheet(antenna: &HelixAntenna, section: &Section) -> Result<TriangleMesh, PrimitiveError> {
    let line = section.feed_line(antenna);
    let (inner, outer) = (line[0], line[line.len() - 1]);
    let around = antenna.ground_radius / antenna.ground_edge.min(antenna.edge);
    affordable(antenna.edge, 10.0 * (around + 1.0).powi(2))?;

    // Rings of points, with one ring through each point of the line below the feed.
    let mut radii = vec![0.0];
    let graded = |radii: &mut Vec<f64>, from: f64, to: f64, ends: [f64; 2]| {
        radii.extend(graded_steps(from, to, ends.map(|edge| edge / SQRT_2)));
    };
    let fine = antenna.edge.min(antenna.ground_edge);
    graded(&mut radii, 0.0, inner, [antenna.ground_edge, fine]);
    radii.extend(&line[1..]);
    graded(
        &mut radii,
        outer,
        antenna.ground_radius,
        [fine, antenna.ground_edge],
    );

    let mut weld = ExactWeld::default();
    let mut triangles = Vec::new();
    let mut points = vec![[0.0; 3]];
    let mut previous = (0, 1);
    for pair in radii.windows(2) {
        let radius = pair[1];
        let spacing = (pair[1] - pair[0]).max(fine / SQRT_2);
        let ring = (points.len() as u32, pieces(TAU * radius, spacing).max(6));
        points.extend((0..ring.1).map(|k| {
            let (sin, cos) = (TAU * f64::from(k) / f64::from(ring.1)).sin_cos();
            [radius * cos, radius * sin, 0.0]
        }));
        stitch(&mut triangles, ring, previous);
        previous = ring;
    }
    let number: Vec<u32> = points.iter().map(|&p| weld.number(p)).collect();
    let mut mesh = TriangleMesh {
        triangles: (triangles.iter())
            .map(|t| t.map(|corner| number[corner as usize]))
            .collect(),
        groups: vec![Group::named("ground"), Group::named("feed")],
        ..TriangleMesh::default()
    };
    mesh.group_of = vec![0; mesh.triangles.len()];

    let rows = pieces(antenna.gap, antenna.edge / SQRT_2);
    for row in 0..rows {
        for pair in line.windows(2) {
            let mut at = |x: f64, row: u32| {
                let height = antenna.gap * (f64::from(row) / f64::from(rows));
                weld.number([x, 0.0, height])
            };
            let [a, b] = [at(pair[0], row), at(pair[1], row)];
            let [c, d] = [at(pair[1], row + 1), at(pair[0], row + 1)];
            mesh.triangles.extend([[a, b, c], [a, c, d]]);
            mesh.group_of.extend([1, 1]);
        }
    }
    mesh.points = weld.points;
    Ok(mesh)
}

/// Returns positions after `from` up to `to` whose spacing varies linearly between the two `ends`.
fn graded_steps(from: f64, to: f64, ends: [f64; 2]) -> Vec<f64> {
    let distance = to - from;
    let ends = ends.map(|end| end.min(distance));
    let count = pieces(distance, 0.5 * (ends[0] + ends[1]));
    (1..=count)
        .map(|k| {
            if k == count {
                return to;
            }
            // The spacing is linear in the step, so the distance is quadratic.
            let s = f64::from(k) / f64::from(count);
            let gone = ends[0] * s + 0.5 * (ends[1] - ends[0]) * s * s;
            from + distance * gone / (0.5 * (ends[0] + ends[1]))
        })
        .collect()
}
