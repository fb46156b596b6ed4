//! Snapshots of the fields in the whole mesh or on a plane.

use serde::{Deserialize, Serialize};
use wavefield_mesh::BoundingBox;

use crate::discretization::Discretization;
use crate::flux::Fields;
use crate::reference::State;

/// Number of points along the longer side of a plane.
const POINTS: usize = 121;

/// Uniform grid of points on a plane normal to an axis.
#[derive(Clone, Debug)]
pub struct Slice {
    /// First and last coordinate along the axis after the normal one, in the cyclic order x, y, z (m).
    pub across: [f64; 2],
    /// First and last coordinate along the axis after that, m.
    pub up: [f64; 2],
    /// Number of points along both axes.
    pub shape: [usize; 2],
    /// Element and interpolation weights of each point, row by row; `None` in conductors.
    places: Vec<Option<(u32, Vec<f64>)>>,
}

impl Slice {
    /// Creates the plane normal to an axis (0 to 2) at a coordinate (m), over the extent of the mesh inside the PML.
    ///
    /// Returns `None` if the plane does not intersect the mesh.
    pub fn new(d: &Discretization, axis: usize, at: f64) -> Option<Slice> {
        let points: Vec<[f64; 3]> = (0..d.first_layer).flat_map(|e| d.corners(e)).collect();
        let bounds = BoundingBox::of(&points)?;
        let (a, b) = ((axis + 1) % 3, (axis + 2) % 3);
        let sizes = [a, b].map(|axis| bounds.max[axis] - bounds.min[axis]);
        let step = sizes[0].max(sizes[1]) / (POINTS - 1) as f64;
        let shape = sizes.map(|size| (size / step).round().max(1.0) as usize + 1);
        let coordinate = |axis: usize, which: usize, number: usize| {
            bounds.min[axis] + sizes[which] * number as f64 / (shape[which] - 1) as f64
        };
        let mut places = vec![None; shape[0] * shape[1]];
        for element in 0..d.first_layer {
            let corners = d.corners(element);
            let Some(around) = BoundingBox::of(&corners) else {
                continue;
            };
            if at < around.min[axis] || at > around.max[axis] {
                continue;
            }
            let range = |axis: usize, which: usize| {
                let number =
                    |x: f64| (x - bounds.min[axis]) / sizes[which] * (shape[which] - 1) as f64;
                let first = (number(around.min[axis]) - 1e-6).ceil().max(0.0) as usize;
                let last = (number(around.max[axis]) + 1e-6).floor() as usize;
                first..=last.min(shape[which] - 1)
            };
            for row in range(b, 1) {
                for column in range(a, 0) {
                    let place = &mut places[row * shape[0] + column];
                    if place.is_some() {
                        continue;
                    }
                    let mut point = [at; 3];
                    (point[a], point[b]) = (coordinate(a, 0, column), coordinate(b, 1, row));
                    if let Some(barycentric) = d.barycentric_within(element, point) {
                        let shares = d.reference.interpolation(barycentric);
                        *place = Some((element as u32, shares));
                    }
                }
            }
        }
        places.iter().any(Option::is_some).then(|| Slice {
            across: [bounds.min[a], bounds.max[a]],
            up: [bounds.min[b], bounds.max[b]],
            shape,
            places,
        })
    }

    /// Returns the fields at the points, NaN in conductors.
    fn fields(&self, nodes: usize, state: &State) -> Vec<Fields> {
        (self.places.iter())
            .map(|place| match place {
                None => [[f64::NAN; 3]; 2],
                Some((element, shares)) => {
                    let first = *element as usize * nodes;
                    weighted(&state.fields[first..first + nodes], shares)
                }
            })
            .collect()
    }
}

/// Snapshot of the fields.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Frame {
    /// Time, m.
    pub time: f64,
    /// Fields on the plane, row by row.
    pub plane: Vec<Fields>,
    /// Fields at the four corners of every element, in memory order.
    pub corners: Vec<Fields>,
}

/// Recorder of snapshots during a run.
#[derive(Clone, Debug)]
pub struct SnapshotRecorder {
    /// Time steps after which snapshots are recorded, in rising order.
    moments: Vec<u64>,
    slice: Option<Slice>,
    /// Whether snapshots of the whole mesh are recorded.
    volume: bool,
    /// Recorded snapshots.
    pub frames: Vec<Frame>,
}

impl SnapshotRecorder {
    /// Creates a recorder without snapshots, for times (m) of a run with time steps of `dt` (m).
    pub fn new(times: &[f64], dt: f64, slice: Option<Slice>, volume: bool) -> SnapshotRecorder {
        let mut moments: Vec<u64> = (times.iter())
            .map(|time| (time / dt).round().max(1.0) as u64)
            .collect();
        moments.sort_unstable();
        moments.dedup();
        SnapshotRecorder {
            moments,
            slice,
            volume,
            frames: Vec::new(),
        }
    }

    /// Returns the plane of the snapshots.
    pub fn slice(&self) -> Option<&Slice> {
        self.slice.as_ref()
    }

    /// Returns the memory of all snapshots of a mesh with so many elements, in bytes.
    pub(crate) fn memory(&self, elements: usize) -> usize {
        let plane = (self.slice.as_ref()).map_or(0, |slice| slice.places.len());
        let corners = if self.volume { 4 * elements } else { 0 };
        self.moments.len() * (plane + corners) * size_of::<Fields>()
    }

    /// Returns the time step of the last snapshot.
    pub(crate) fn last(&self) -> u64 {
        self.moments.last().copied().unwrap_or(0)
    }

    /// Returns whether a snapshot is due after a time step.
    pub(crate) fn is_due(&self, step: u64) -> bool {
        self.moments.binary_search(&step).is_ok()
    }

    /// Records a snapshot at a time (m).
    pub(crate) fn take(&mut self, d: &Discretization, time: f64, state: &State) {
        let nodes = d.reference.nodes();
        let plane = (self.slice.as_ref()).map_or(Vec::new(), |slice| slice.fields(nodes, state));
        let mut corners = Vec::new();
        if self.volume {
            let shares: [Vec<f64>; 4] = std::array::from_fn(|corner| {
                let barycentric = std::array::from_fn(|c| if c == corner { 1.0 } else { 0.0 });
                d.reference.interpolation(barycentric)
            });
            for element in state.fields.chunks(nodes) {
                corners.extend(shares.iter().map(|shares| weighted(element, shares)));
            }
        }
        self.frames.push(Frame {
            time,
            plane,
            corners,
        });
    }
}

/// Returns the weighted sum of fields.
pub(crate) fn weighted(fields: &[Fields], shares: &[f64]) -> Fields {
    let mut sum = [[0.0; 3]; 2];
    for (field, share) in fields.iter().zip(shares) {
        for kind in 0..2 {
            for c in 0..3 {
                sum[kind][c] += share * field[kind][c];
            }
        }
    }
    sum
}
