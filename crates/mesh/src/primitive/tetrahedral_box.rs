use super::{PrimitiveError, affordable, positive};
use crate::{Group, TetrahedralMesh};

/// Generates a box around the origin of `cells[0]` × `cells[1]` × `cells[2]` cells with six tetrahedra each.
///
/// The outermost `layer` cells at either end of each axis form the volume "layer" (for a PML), the others
/// "air"; zeros omit the layer. The six faces are the groups "x-", "x+", "y-", "y+", "z-", and "z+", oriented
/// outward: walls of a cavity, or walls and ports of a waveguide.
///
/// The subdivision is that of Kuhn: each tetrahedron follows one path along the axes from the lowest to the
/// highest corner of its cell. All share that diagonal and are congruent in a cube, and adjacent cells agree
/// on the diagonal of their common face.
pub fn tetrahedral_box(
    size: [f64; 3],
    cells: [u32; 3],
    layer: [u32; 3],
) -> Result<TetrahedralMesh, PrimitiveError> {
    let bricks = Bricks::new(size, cells)?;
    let whole = bricks.whole();
    let air = whole.shrunk("the thickness of the layer, in cells,", layer)?;
    let mut mesh = bricks.mesh(&[("air", air), ("layer", whole)]);
    for (name, side) in ["x", "y", "z"].into_iter().zip(0..) {
        for (sign, end) in [("-", End::Low), ("+", End::High)] {
            let group = surface_group(&mut mesh, &format!("{name}{sign}"));
            bricks.face(&mut mesh, group, whole, side, end);
        }
    }
    Ok(mesh)
}

/// Generates a box around the origin like [`tetrahedral_box`], with the volumes of a
/// total-field/scattered-field problem.
///
/// From outside in: the surface "outer", `layer` cells of the volume "layer" (for a PML) on all six sides,
/// `gap` cells of the volume "scattered", the closed surface "huygens", and the volume "total". Both surfaces
/// are oriented outward. A `layer` of 0 omits the layer.
pub fn open_tetrahedral_box(
    size: [f64; 3],
    cells: [u32; 3],
    layer: u32,
    gap: u32,
) -> Result<TetrahedralMesh, PrimitiveError> {
    if gap == 0 {
        return Err(PrimitiveError::OutOfRange {
            what: "the number of cells between the Huygens surface and the layer",
            value: 0.0,
            range: "at least 1",
        });
    }
    let bricks = Bricks::new(size, cells)?;
    let whole = bricks.whole();
    let scattered = whole.shrunk("the thickness of the layer, in cells,", [layer; 3])?;
    let total = scattered.shrunk("the gap to the Huygens surface, in cells,", [gap; 3])?;
    let volumes = [("total", total), ("scattered", scattered), ("layer", whole)];
    let mut mesh = bricks.mesh(&volumes);
    for (name, range) in [("outer", whole), ("huygens", total)] {
        let group = surface_group(&mut mesh, name);
        for side in 0..3 {
            bricks.face(&mut mesh, group, range, side, End::Low);
            bricks.face(&mut mesh, group, range, side, End::High);
        }
    }
    Ok(mesh)
}

fn surface_group(mesh: &mut TetrahedralMesh, name: &str) -> u32 {
    mesh.surface_groups.push(Group::named(name));
    (mesh.surface_groups.len() - 1) as u32
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    Low,
    High,
}

/// A block of cells: half-open index ranges along the axes.
#[derive(Clone, Copy)]
struct Range {
    first: [u32; 3],
    last: [u32; 3],
}

impl Range {
    /// Returns the block without its outermost cells; it must not be empty.
    fn shrunk(self, what: &'static str, by: [u32; 3]) -> Result<Self, PrimitiveError> {
        for axis in 0..3 {
            let count = u64::from(self.last[axis] - self.first[axis]);
            if 2 * u64::from(by[axis]) >= count {
                return Err(PrimitiveError::OutOfRange {
                    what,
                    value: f64::from(by[axis]),
                    range: "less than half of the cells it is taken from",
                });
            }
        }
        Ok(Self {
            first: [0, 1, 2].map(|axis| self.first[axis] + by[axis]),
            last: [0, 1, 2].map(|axis| self.last[axis] - by[axis]),
        })
    }

    fn contains(&self, brick: [u32; 3]) -> bool {
        (0..3).all(|axis| (self.first[axis]..self.last[axis]).contains(&brick[axis]))
    }
}

/// The lattice: number of cells and total size.
struct Bricks {
    size: [f64; 3],
    cells: [u32; 3],
}

impl Bricks {
    fn new(size: [f64; 3], cells: [u32; 3]) -> Result<Self, PrimitiveError> {
        for axis in 0..3 {
            positive("the side of the box", size[axis])?;
            if cells[axis] == 0 {
                return Err(PrimitiveError::OutOfRange {
                    what: "the number of cells",
                    value: 0.0,
                    range: "at least 1",
                });
            }
        }
        let edge = (0..3).fold(f64::INFINITY, |shortest, axis| {
            shortest.min(size[axis] / f64::from(cells[axis]))
        });
        let product: f64 = cells.into_iter().map(f64::from).product();
        affordable(edge, 6.0 * product)?;
        Ok(Self { size, cells })
    }

    fn whole(&self) -> Range {
        Range {
            first: [0; 3],
            last: self.cells,
        }
    }

    fn point(&self, address: [u32; 3]) -> u32 {
        let [nx, ny, _] = self.cells.map(|count| count + 1);
        address[0] + nx * (address[1] + ny * address[2])
    }

    /// Generates points and tetrahedra; a cell belongs to the first volume that contains it.
    fn mesh(&self, volumes: &[(&str, Range)]) -> TetrahedralMesh {
        let mut mesh = TetrahedralMesh::default();
        let [nx, ny, nz] = self.cells;
        for address in addresses([nx + 1, ny + 1, nz + 1]) {
            // Exact at both ends.
            let place = |axis: usize| {
                let part = f64::from(address[axis]) / f64::from(self.cells[axis]);
                self.size[axis] * (part - 0.5)
            };
            mesh.points.push([0, 1, 2].map(place));
        }
        let mut group_of_volume = vec![None; volumes.len()];
        for brick in addresses(self.cells) {
            let Some(volume) = (volumes.iter()).position(|(_, range)| range.contains(brick)) else {
                continue;
            };
            // Volumes without cells have no group.
            let group = *group_of_volume[volume].get_or_insert_with(|| {
                mesh.volume_groups.push(Group::named(volumes[volume].0));
                (mesh.volume_groups.len() - 1) as u32
            });
            // Paths in cyclic order of x, y, z have positive volume; the others are reflected.
            for (first, second, positive) in [
                (0, 1, true),
                (1, 2, true),
                (2, 0, true),
                (1, 0, false),
                (2, 1, false),
                (0, 2, false),
            ] {
                let mut address = brick;
                let mut path = [self.point(brick); 4];
                for (corner, axis) in [(1, first), (2, second), (3, 3 - first - second)] {
                    address[axis] += 1;
                    path[corner] = self.point(address);
                }
                if !positive {
                    path.swap(1, 2);
                }
                mesh.tetrahedra.push(path);
                mesh.volume_group_of.push(group);
            }
        }
        mesh
    }

    /// Adds one side of a block as triangles oriented outward.
    fn face(&self, mesh: &mut TetrahedralMesh, group: u32, range: Range, normal: usize, end: End) {
        let (first, second) = ((normal + 1) % 3, (normal + 2) % 3);
        let level = match end {
            End::Low => range.first[normal],
            End::High => range.last[normal],
        };
        for i in range.first[first]..range.last[first] {
            for j in range.first[second]..range.last[second] {
                let corner = |di: u32, dj: u32| {
                    let mut address = [level; 3];
                    address[first] = i + di;
                    address[second] = j + dj;
                    self.point(address)
                };
                let [a, b, c, d] = [corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1)];
                for [p, q, r] in [[a, b, c], [a, c, d]] {
                    mesh.triangles.push(match end {
                        End::High => [p, q, r],
                        End::Low => [p, r, q],
                    });
                    mesh.surface_group_of.push(group);
                }
            }
        }
    }
}

/// Iterates over all addresses below the counts, the first axis fastest.
fn addresses([nx, ny, nz]: [u32; 3]) -> impl Iterator<Item = [u32; 3]> {
    (0..nz).flat_map(move |z| (0..ny).flat_map(move |y| (0..nx).map(move |x| [x, y, z])))
}
