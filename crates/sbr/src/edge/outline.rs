//! Detection of the diffracting edges of a mesh, and adjacency across the sides of its triangles.
//!
//! An edge diffracts where the faces turn outward by more than a threshold, or at the boundary of a sheet.
//! Collinear adjacent edges between the same two planes are merged.

use std::collections::{HashMap, HashSet};

use wavefield_mesh::{Components, SharpEdges, TriangleMesh};

use super::wedge::Wedge;
use crate::trace::{Ray, Tracer};
use wavefield_numerics::vector::{combine, dot, norm, scaled, sub, unit};

/// Offset of rays around an edge, in radii of the surface: far above the rounding of single-precision mesh
/// files, far below a wavelength.
pub(super) const ASIDE: f64 = 1e-5;

/// Tolerance in rad of directions and normals of edges that are merged.
const SAME: f64 = 1e-6;

/// Orientation of edges: all point to the side of this vector. Edges perpendicular to it, which are rare,
/// may remain unmerged.
const SENSE: [f64; 3] = [0.874_1, 0.412_7, 0.256_3];

/// Cosine limit for faces folded onto each other: their exterior angle is 2π, and rounding must not turn
/// it into 0.
const FOLDED: f64 = -1.0 + 1e-12;

/// Adjacency across a side of a triangle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Beyond {
    /// The surface continues: index of the neighbor's side.
    Surface(u32),
    /// A wedge, with the indices of its faces that are the front and the back of this triangle.
    Wedge { wedge: u32, face: [Option<u8>; 2] },
    /// A concave crease or a non-manifold edge, which ends a strip and does not diffract.
    Crease,
    /// Triangles that touch without shared vertices: the surface continues, with unknown connectivity.
    Seam,
}

/// Diffracting edges and adjacency of all triangles. Side c of triangle t, from its vertex c to the next,
/// has the index 3t + c.
#[derive(Clone, Debug)]
pub(super) struct Outline {
    pub(super) wedges: Vec<Wedge>,
    /// Other edges, where smooth faces turn by a small angle.
    pub(super) bends: Vec<Wedge>,
    /// Sides of triangles along each wedge, in order.
    spans: Vec<Vec<Span>>,
    pub(super) beyond: Vec<Beyond>,
    /// Unit normals of the triangles; zero for degenerate triangles.
    pub(super) normals: Vec<[f64; 3]>,
    /// Number of edges excluded because their faces are inconsistently oriented or the edge is
    /// non-manifold.
    pub(super) ambiguous: usize,
    /// Number of boundary edges excluded because another triangle touches them.
    pub(super) seams: usize,
}

/// Part of a wedge between the same two triangles.
#[derive(Clone, Copy, Debug)]
struct Span {
    /// Distance of its start from the start of the wedge, m.
    start: f64,
    faces: [Face; 2],
}

/// Face of an edge: side of a triangle and whether it is its front or its back.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Face {
    pub(super) side: u32,
    pub(super) behind: bool,
}

/// Sharp edge of the mesh before collinear edges are merged.
#[derive(Clone, Copy, Debug)]
struct Segment {
    ends: [u32; 2],
    faces: [Face; 2],
    normals: [[f64; 3]; 2],
    direction: [f64; 3],
}

impl Outline {
    /// Finds the edges of a mesh. `threshold` in rad; smaller turns of the normal belong to a smooth
    /// surface.
    pub(super) fn of(mesh: &TriangleMesh, tracer: &dyn Tracer, threshold: f64) -> Self {
        let edges = wavefield_mesh::Edges::of(mesh);
        let sharp = mesh.sharp_edges(&edges, threshold);
        let normals: Vec<[f64; 3]> = (0..mesh.triangles.len())
            .map(|t| {
                let area = mesh.area_vector(t);
                let size = norm(area);
                scaled(area, if size > 0.0 { 1.0 / size } else { 0.0 })
            })
            .collect();
        let mut beyond = vec![Beyond::Crease; 3 * mesh.triangles.len()];
        for edge in edges.iter().filter(|edge| edge.is_consistent(mesh)) {
            let [a, b] = [0, 1].map(|i| {
                let half = edge.half_edges[i];
                3 * half.triangle() + half.corner() as u32
            });
            beyond[a as usize] = Beyond::Surface(b);
            beyond[b as usize] = Beyond::Surface(a);
        }
        let (segments, seams) = segments(mesh, tracer, &edges, &sharp, &normals, &mut beyond);
        let mut outline = Self {
            bends: bends(mesh, &edges, &sharp, &normals),
            wedges: Vec::new(),
            spans: Vec::new(),
            beyond,
            normals,
            ambiguous: sharp.non_manifold.len() + sharp.inconsistent.len(),
            seams,
        };
        for run in straight_runs(&segments) {
            outline.add(mesh, &run);
        }
        outline
    }

    /// Returns the side of a triangle on which a strip over one face starts, at a point of the wedge.
    pub(super) fn face_at(&self, wedge: usize, face: usize, point: [f64; 3]) -> Face {
        let frame = &self.wedges[wedge].frames[0];
        let distance = dot(sub(point, self.wedges[wedge].ends[0]), frame.z);
        let spans = &self.spans[wedge];
        let after = spans.partition_point(|span| span.start <= distance);
        spans[after.max(1) - 1].faces[face]
    }

    fn add(&mut self, mesh: &TriangleMesh, run: &[Segment]) {
        let place = |index: u32| mesh.points[index as usize];
        let (first, last) = (run[0], run[run.len() - 1]);
        let ends = [place(first.ends[0]), place(last.ends[1])];
        let wedge = if dot(first.normals[0], first.normals[1]) < FOLDED {
            Wedge::rim(ends, first.normals[0])
        } else {
            Wedge::between(ends, first.normals)
        };
        // Errors are creases that are concave from outside, and edges of zero length.
        let Ok(wedge) = wedge else { return };
        let number = self.wedges.len() as u32;
        let mut spans = Vec::with_capacity(run.len());
        for segment in run {
            spans.push(Span {
                start: dot(sub(place(segment.ends[0]), ends[0]), wedge.frames[0].z),
                faces: segment.faces,
            });
            for (number_of_face, face) in segment.faces.iter().enumerate() {
                let slot = &mut self.beyond[face.side as usize];
                let mut known = match *slot {
                    Beyond::Wedge { wedge, face } if wedge == number => face,
                    _ => [None; 2],
                };
                known[usize::from(face.behind)] = Some(number_of_face as u8);
                *slot = Beyond::Wedge {
                    wedge: number,
                    face: known,
                };
            }
        }
        self.wedges.push(wedge);
        self.spans.push(spans);
    }
}

/// Returns the sharp edges of a mesh and the number of seams; records creases and seams.
fn segments(
    mesh: &TriangleMesh,
    tracer: &dyn Tracer,
    edges: &wavefield_mesh::Edges,
    sharp: &SharpEdges,
    normals: &[[f64; 3]],
    beyond: &mut [Beyond],
) -> (Vec<Segment>, usize) {
    let components = Components::of(mesh, edges);
    let mut open = vec![false; components.count];
    for &(_, triangle) in &sharp.open {
        open[components.of_triangle[triangle as usize] as usize] = true;
    }
    let mut segments = Vec::new();
    for wedge in &sharp.wedges {
        let sides = wedge.faces.map(|triangle| side(mesh, triangle, wedge.ends));
        for side in sides {
            beyond[side as usize] = Beyond::Crease;
        }
        let [n0, n1] = wedge.faces.map(|t| normals[t as usize]);
        let hollow = wedge.exterior_angle < std::f64::consts::PI && dot(n0, n1) > FOLDED;
        let [from, to] = wedge.ends;
        if !hollow {
            segments.extend(Segment::new(
                mesh,
                [from, to],
                sides.map(|side| Face {
                    side,
                    behind: false,
                }),
                [n0, n1],
            ));
        } else if open[components.of_triangle[wedge.faces[0] as usize] as usize] {
            // A crease of a sheet is a convex edge from behind.
            segments.extend(Segment::new(
                mesh,
                [to, from],
                sides.map(|side| Face { side, behind: true }),
                [scaled(n0, -1.0), scaled(n1, -1.0)],
            ));
        }
    }
    let mut seams = 0;
    for &(ends, triangle) in &sharp.open {
        let normal = normals[triangle as usize];
        let side = side(mesh, triangle, ends);
        let faces = [false, true].map(|behind| Face { side, behind });
        let Some(segment) = Segment::new(mesh, ends, faces, [normal, scaled(normal, -1.0)]) else {
            continue;
        };
        if touched(mesh, tracer, ends, normal) {
            beyond[side as usize] = Beyond::Seam;
            seams += 1;
        } else {
            segments.push(segment);
        }
    }
    (segments, seams)
}

/// Returns the edges between the triangles of smooth faces. A sheet has them on both sides.
fn bends(
    mesh: &TriangleMesh,
    edges: &wavefield_mesh::Edges,
    sharp: &SharpEdges,
    normals: &[[f64; 3]],
) -> Vec<Wedge> {
    let components = Components::of(mesh, edges);
    let mut open = vec![false; components.count];
    for &(_, triangle) in &sharp.open {
        open[components.of_triangle[triangle as usize] as usize] = true;
    }
    let sharp: HashSet<[u32; 2]> = sharp
        .wedges
        .iter()
        .map(|wedge| sorted(wedge.ends))
        .collect();
    let mut bends = Vec::new();
    for edge in edges.iter().filter(|edge| edge.is_consistent(mesh)) {
        let [first, second] = [edge.half_edges[0], edge.half_edges[1]];
        let ends = first.ends(mesh);
        if sharp.contains(&sorted(ends)) {
            continue;
        }
        let places = ends.map(|index| mesh.points[index as usize]);
        let front = [first, second].map(|half| normals[half.triangle() as usize]);
        let back = front.map(|normal| scaled(normal, -1.0));
        let turned = [places[1], places[0]];
        let both = open[components.of_triangle[first.triangle() as usize] as usize];
        for (ends, normals, behind) in [(places, front, false), (turned, back, true)] {
            if both || !behind {
                bends.extend(Wedge::bend(ends, normals));
            }
        }
    }
    bends
}

fn sorted([a, b]: [u32; 2]) -> [u32; 2] {
    [a.min(b), a.max(b)]
}

/// Returns the index of the side of a triangle between two vertices.
fn side(mesh: &TriangleMesh, triangle: u32, ends: [u32; 2]) -> u32 {
    let corners = mesh.triangles[triangle as usize];
    // The side opposite to a vertex starts at the next one.
    let opposite = (0..3).find(|&c| !ends.contains(&corners[c]));
    3 * triangle + (opposite.unwrap_or(2) as u32 + 1) % 3
}

impl Segment {
    /// Creates a segment with the common orientation. `None` for an edge of zero length or a degenerate
    /// face.
    fn new(
        mesh: &TriangleMesh,
        ends: [u32; 2],
        faces: [Face; 2],
        normals: [[f64; 3]; 2],
    ) -> Option<Self> {
        let [from, to] = ends.map(|index| mesh.points[index as usize]);
        let span = sub(to, from);
        let degenerate = norm(span) == 0.0 || normals.iter().any(|&n| dot(n, n) == 0.0);
        if degenerate {
            return None;
        }
        let direction = unit(span);
        Some(if dot(direction, SENSE) > 0.0 {
            Self {
                ends,
                faces,
                normals,
                direction,
            }
        } else {
            Self {
                ends: [ends[1], ends[0]],
                faces: [faces[1], faces[0]],
                normals: [normals[1], normals[0]],
                direction: scaled(direction, -1.0),
            }
        })
    }

    fn continues(&self, other: &Self) -> bool {
        let close = |a, b| norm(sub(a, b)) < SAME;
        close(self.direction, other.direction)
            && (0..2).all(|f| {
                close(self.normals[f], other.normals[f])
                    && self.faces[f].behind == other.faces[f].behind
            })
    }
}

/// Merges segments that continue each other; runs are in the order of their first segments.
fn straight_runs(segments: &[Segment]) -> Vec<Vec<Segment>> {
    let mut starting_at: HashMap<u32, Vec<usize>> = HashMap::new();
    for (number, segment) in segments.iter().enumerate() {
        starting_at.entry(segment.ends[0]).or_default().push(number);
    }
    let next = |segment: &Segment| {
        let after = starting_at.get(&segment.ends[1])?;
        after
            .iter()
            .copied()
            .find(|&n| segment.continues(&segments[n]))
    };
    let mut continued = vec![false; segments.len()];
    for segment in segments {
        if let Some(number) = next(segment) {
            continued[number] = true;
        }
    }
    let mut taken = vec![false; segments.len()];
    let mut runs = Vec::new();
    // Segments that a run rejects because it drifted from its start begin a run of their own.
    let heads = (0..segments.len()).filter(|&n| !continued[n]);
    for head in heads.chain(0..segments.len()) {
        if taken[head] {
            continue;
        }
        taken[head] = true;
        let mut run = vec![segments[head]];
        while let Some(number) = next(&run[run.len() - 1]) {
            if taken[number] || !segments[head].continues(&segments[number]) {
                break;
            }
            taken[number] = true;
            run.push(segments[number]);
        }
        runs.push(run);
    }
    runs
}

/// Returns whether another triangle touches the midpoint of a boundary edge: rays follow a polygon around
/// it, from just in front of its own triangle to just behind.
fn touched(mesh: &TriangleMesh, tracer: &dyn Tracer, ends: [u32; 2], normal: [f64; 3]) -> bool {
    const STEPS: u32 = 11;
    let [from, to] = ends.map(|index| mesh.points[index as usize]);
    let middle = combine(from, 0.5, to, 0.5);
    let Ok(wedge) = Wedge::rim([from, to], normal) else {
        return false;
    };
    let radius = ASIDE * tracer.surface().radius();
    let around = |step: u32| {
        let angle = (15.0 + 30.0 * f64::from(step)).to_radians();
        let offset = combine(wedge.frames[0].x, angle.cos(), normal, angle.sin());
        combine(middle, 1.0, offset, radius)
    };
    (0..STEPS).any(|step| {
        let (here, there) = (around(step), around(step + 1));
        // Distances are in lengths of the direction: 1 is the next vertex of the polygon.
        tracer.nearest(&Ray::new(here, sub(there, here))).distance <= 1.0
    })
}
