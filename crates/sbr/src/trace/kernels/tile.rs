//! Traversal of parallel rays of a grid in tiles of 16 × 16 rays.
//!
//! Every point of space has grid coordinates (column, row, depth), linear in its position. A tile is
//! a rectangle in the first two. Boxes that do not overlap it, or that lie behind all of its hits,
//! are culled at once; the triangles of a leaf are tested with the rays inside their bounding
//! rectangles, eight rays (4 × 2) at a time.

use wavefield_numerics::simd::{Instructions, Job, LANES, Ordered, Vector};
use wavefield_numerics::vector::{cross, dot, norm, scaled, sub};

use super::single::{Stack, inside, products};
use crate::trace::bvh::bounds::PADDING;
use crate::trace::bvh::hierarchy::Hierarchy;
use crate::trace::bvh::wide::Child;
use crate::trace::bvh::wide::TriangleBlock;
use crate::trace::bvh::wide::WideNode;
use crate::trace::intersection::{BACK, ShearedRay};
use crate::trace::ray::{Hit, Ray, RayGrid};
use crate::trace::surface::Surface;

/// Number of rays along a side of a tile.
pub(crate) const SIDE: usize = 16;
/// Number of columns and rows of a block of rays.
const WIDE: usize = 4;
const HIGH: usize = LANES / WIDE;
/// Number of blocks in a row of a tile, and in a tile.
const BLOCKS_ACROSS: usize = SIDE / WIDE;
const BLOCKS: usize = SIDE * SIDE / LANES;

/// Minimum volume spanned by the unit vectors of the steps and the direction; flatter grids are not
/// traced in tiles.
const FLATTEST: f64 = 1e-6;
/// Bound of the relative f64 rounding error of a sum of a few products.
const ROUNDING: f64 = 1.0 / (1u64 << 44) as f64;

/// Grid coordinates of points: column, row, and depth are dot products with these vectors.
pub(crate) struct Across<'a> {
    grid: &'a RayGrid,
    sheared: ShearedRay,
    /// Dual vectors for a point relative to the grid's origin.
    dual: [[f64; 3]; 3],
    /// Grid coordinates of the surface's center.
    center: [f64; 3],
    /// Dual vectors for a point in the space of the boxes, relative to the surface's center.
    scaled: [[f32; 3]; 3],
    /// Error bound of the coordinates of a vertex.
    slack: [f64; 3],
    /// Error bound of the coordinates of a box.
    box_slack: [f64; 3],
}

impl<'a> Across<'a> {
    /// Creates the coordinates; `None` if the steps and the direction are nearly coplanar.
    pub(crate) fn new(grid: &'a RayGrid, surface: &Surface) -> Option<Self> {
        let (s, t, d) = (grid.column_step, grid.row_step, grid.direction);
        let volume = dot(s, cross(t, d));
        let spans = volume.abs() > FLATTEST * norm(s) * norm(t) * norm(d);
        if !spans || !volume.is_finite() || grid.columns == 0 {
            return None;
        }
        let dual =
            [cross(t, d), cross(d, s), cross(s, t)].map(|normal| scaled(normal, 1.0 / volume));
        let from_origin = sub(surface.center(), grid.origin);
        let center = dual.map(|normal| dot(normal, from_origin));
        let radius = surface.radius();
        // Largest magnitudes that enter a coordinate.
        let size: [f64; 3] = std::array::from_fn(|k| {
            let reach: f64 = (0..3)
                .map(|axis| dual[k][axis].abs() * (radius + from_origin[axis].abs()))
                .sum();
            reach + (grid.columns + grid.rows) as f64 * if k < 2 { 1.0 } else { 0.0 }
        });
        size.iter().all(|value| value.is_finite()).then(|| Self {
            grid,
            sheared: ShearedRay::new(&Ray::new(grid.origin, d), radius),
            dual,
            center,
            scaled: dual.map(|normal| scaled(normal, radius).map(|value| value as f32)),
            slack: size.map(|value| value * ROUNDING),
            box_slack: size.map(|value| value * f64::from(PADDING)),
        })
    }
}

impl Across<'_> {
    /// Returns the grid coordinates of eight points, relative to the grid's origin.
    ///
    /// # Safety
    /// The CPU must support the instruction set of `S`.
    #[inline(always)]
    unsafe fn coordinates<S: Instructions>(&self, points: &[[f64; LANES]; 3]) -> [S::F64x8; 3] {
        let [x, y, z] = self.grid.origin;
        // SAFETY: the caller guarantees the instruction set; every array has eight values.
        unsafe {
            let p = [
                S::F64x8::load(points[0].as_ptr()).sub(S::F64x8::splat(x)),
                S::F64x8::load(points[1].as_ptr()).sub(S::F64x8::splat(y)),
                S::F64x8::load(points[2].as_ptr()).sub(S::F64x8::splat(z)),
            ];
            [
                dot_with::<S>(&p, &self.dual[0]),
                dot_with::<S>(&p, &self.dual[1]),
                dot_with::<S>(&p, &self.dual[2]),
            ]
        }
    }
}

/// # Safety
/// The CPU must support the instruction set of `S`.
#[inline(always)]
unsafe fn dot_with<S: Instructions>(p: &[S::F64x8; 3], vector: &[f64; 3]) -> S::F64x8 {
    // SAFETY: guaranteed by the caller.
    unsafe {
        let x = p[0].mul(S::F64x8::splat(vector[0]));
        let y = p[1].mul(S::F64x8::splat(vector[1]));
        let z = p[2].mul(S::F64x8::splat(vector[2]));
        x.add(y).add(z)
    }
}

/// # Safety
/// The CPU must support the instruction set of `S`.
#[inline(always)]
unsafe fn least<S: Instructions>(a: S::F64x8, b: S::F64x8, c: S::F64x8) -> S::F64x8 {
    // SAFETY: guaranteed by the caller.
    unsafe { a.min(b).min(c) }
}

/// # Safety
/// The CPU must support the instruction set of `S`.
#[inline(always)]
unsafe fn most<S: Instructions>(a: S::F64x8, b: S::F64x8, c: S::F64x8) -> S::F64x8 {
    // SAFETY: guaranteed by the caller.
    unsafe { a.max(b).max(c) }
}

/// # Safety
/// The CPU must support the instruction set of `S`.
#[inline(always)]
unsafe fn splat<S: Instructions>(values: &[f32; 3]) -> [S::F32x8; 3] {
    // SAFETY: guaranteed by the caller.
    unsafe {
        [
            S::F32x8::splat(values[0]),
            S::F32x8::splat(values[1]),
            S::F32x8::splat(values[2]),
        ]
    }
}

/// Returns a grid coordinate of one vertex of every box, given by its planes.
///
/// # Safety
/// The CPU must support the instruction set of `S`; a box has planes 0 to 5.
#[inline(always)]
unsafe fn coordinate<S: Instructions>(
    node: &WideNode,
    planes: &[usize; 3],
    dual: &[S::F32x8; 3],
    offset: S::F32x8,
) -> S::F32x8 {
    let from = node.planes.as_ptr().cast::<f32>();
    // SAFETY: guaranteed by the caller.
    unsafe {
        let sum = offset.plus(S::F32x8::load(from.add(planes[0] * LANES)), dual[0]);
        let sum = sum.plus(S::F32x8::load(from.add(planes[1] * LANES)), dual[1]);
        sum.plus(S::F32x8::load(from.add(planes[2] * LANES)), dual[2])
    }
}

/// Returns a vertex of a triangle in the sheared space of eight rays.
///
/// # Safety
/// The CPU must support the instruction set of `S`.
#[inline(always)]
unsafe fn sheared_corner<S: Instructions>(
    corner: &[f64; 3],
    ray: &ShearedRay,
    origin: &[S::F64x8; 3],
    slope: &[S::F64x8; 2],
) -> [S::F64x8; 3] {
    let [x, y, z] = ray.axes;
    // SAFETY: guaranteed by the caller.
    unsafe {
        let depth = S::F64x8::splat(corner[z]).sub(origin[2]);
        let x = S::F64x8::splat(corner[x]).sub(origin[0]);
        let y = S::F64x8::splat(corner[y]).sub(origin[1]);
        [
            x.sub(slope[0].mul(depth)),
            y.sub(slope[1].mul(depth)),
            depth,
        ]
    }
}

/// Nearest hits of a band of tiles.
pub(crate) struct Tiles<'a> {
    pub(crate) hierarchy: &'a Hierarchy,
    pub(crate) across: &'a Across<'a>,
    pub(crate) first_row: usize,
    /// Complete rows, up to [`SIDE`].
    pub(crate) hits: &'a mut [Hit],
    pub(crate) stack: &'a mut Stack,
}

/// State of the rays of a tile, by block.
#[repr(C, align(64))]
struct Tile {
    origin: [[[f64; LANES]; BLOCKS]; 3],
    distance: [[f64; LANES]; BLOCKS],
    u: [[f64; LANES]; BLOCKS],
    v: [[f64; LANES]; BLOCKS],
    /// Largest hit distance in each block.
    furthest: [f64; BLOCKS],
    triangle: [[u32; LANES]; BLOCKS],
}

/// Returns the position of a ray in the tile: block and lane.
#[inline(always)]
fn place(column: usize, row: usize) -> (usize, usize) {
    (
        row / HIGH * BLOCKS_ACROSS + column / WIDE,
        row % HIGH * WIDE + column % WIDE,
    )
}

impl Tile {
    /// Initializes the tile; rays outside the grid have a distance that no hit precedes.
    #[inline(always)]
    fn start(&mut self, grid: &RayGrid, first_column: usize, first_row: usize) {
        for row in 0..SIDE {
            let j = (first_row + row) as f64;
            let start: [f64; 3] = std::array::from_fn(|k| grid.origin[k] + j * grid.row_step[k]);
            for column in 0..SIDE {
                let i = (first_column + column) as f64;
                let (block, lane) = place(column, row);
                for k in 0..3 {
                    self.origin[k][block][lane] = start[k] + i * grid.column_step[k];
                }
                let beyond = first_row + row >= grid.rows || first_column + column >= grid.columns;
                self.distance[block][lane] = if beyond {
                    f64::NEG_INFINITY
                } else {
                    f64::INFINITY
                };
            }
        }
        self.furthest = [f64::INFINITY; BLOCKS];
        self.triangle = [[u32::MAX; LANES]; BLOCKS];
    }
}

impl Job for Tiles<'_> {
    type Output = ();

    #[inline(always)]
    unsafe fn run<S: Instructions>(self) {
        let grid = self.across.grid;
        let rows = self.hits.len() / grid.columns;
        let mut tile = Tile {
            origin: [[[0.0; LANES]; BLOCKS]; 3],
            distance: [[0.0; LANES]; BLOCKS],
            u: [[0.0; LANES]; BLOCKS],
            v: [[0.0; LANES]; BLOCKS],
            furthest: [0.0; BLOCKS],
            triangle: [[0; LANES]; BLOCKS],
        };
        for first_column in (0..grid.columns).step_by(SIDE) {
            let visit = Visit {
                across: self.across,
                first: [first_column as f64, self.first_row as f64],
            };
            tile.start(grid, first_column, self.first_row);
            // SAFETY: the caller guarantees the instruction set.
            let found = unsafe { visit.traverse::<S>(self.hierarchy, &mut tile, self.stack) };
            let columns = SIDE.min(grid.columns - first_column);
            for row in 0..rows {
                let from = row * grid.columns + first_column;
                let hits = &mut self.hits[from..from + columns];
                if !found {
                    hits.fill(Hit::MISS);
                    continue;
                }
                for (column, hit) in hits.iter_mut().enumerate() {
                    let (block, lane) = place(column, row);
                    let triangle = tile.triangle[block][lane];
                    *hit = if triangle == u32::MAX {
                        Hit::MISS
                    } else {
                        Hit {
                            distance: tile.distance[block][lane],
                            u: tile.u[block][lane],
                            v: tile.v[block][lane],
                            triangle,
                        }
                    };
                }
            }
        }
    }
}

/// Traversal of the BVH by a tile.
struct Visit<'a> {
    across: &'a Across<'a>,
    /// First column and row of the tile.
    first: [f64; 2],
}

impl Visit<'_> {
    /// Traverses the BVH; returns whether any ray has a hit.
    ///
    /// # Safety
    /// The CPU must support the instruction set of `S`.
    #[inline(always)]
    unsafe fn traverse<S: Instructions>(
        &self,
        hierarchy: &Hierarchy,
        tile: &mut Tile,
        stack: &mut Stack,
    ) -> bool {
        let across = self.across;
        // Planes of a box with the minimum and the maximum of each coordinate.
        let least: [[usize; 3]; 3] = across
            .scaled
            .map(|dual| std::array::from_fn(|k| if dual[k] < 0.0 { 3 + k } else { k }));
        let most: [[usize; 3]; 3] = across
            .scaled
            .map(|dual| std::array::from_fn(|k| if dual[k] < 0.0 { k } else { 3 + k }));
        let side = (SIDE - 1) as f64;
        let mut found = false;
        let mut bound = f32::INFINITY;
        stack.clear();
        let mut current = Child::node(0);
        // SAFETY: the caller guarantees the instruction set; children are indices of existing
        // nodes and blocks, and planes have eight values.
        unsafe {
            let [column, row, depth] = &across.scaled;
            let dual = [splat::<S>(column), splat::<S>(row), splat::<S>(depth)];
            let offset = [
                S::F32x8::splat((across.center[0] - self.first[0]) as f32),
                S::F32x8::splat((across.center[1] - self.first[1]) as f32),
                S::F32x8::splat(across.center[2] as f32),
            ];
            let slack = across.box_slack;
            let low = splat::<S>(&[-slack[0] as f32, -slack[1] as f32, -slack[2] as f32]);
            let high = [
                S::F32x8::splat((side + slack[0]) as f32),
                S::F32x8::splat((side + slack[1]) as f32),
            ];
            let zero = S::F32x8::splat(0.0);
            loop {
                if current.is_leaf() {
                    let block = hierarchy.blocks().get_unchecked(current.number());
                    if self.leaf::<S>(block, tile) {
                        found = true;
                        let furthest = tile.furthest.iter().fold(0.0_f64, |a, &b| a.max(b));
                        bound = (furthest + across.box_slack[2]) as f32;
                    }
                } else {
                    let node = hierarchy.nodes().get_unchecked(current.number());
                    let near = coordinate::<S>(node, &least[2], &dual[2], offset[2]);
                    let far = coordinate::<S>(node, &most[2], &dual[2], offset[2]);
                    let left = coordinate::<S>(node, &least[0], &dual[0], offset[0]);
                    let right = coordinate::<S>(node, &most[0], &dual[0], offset[0]);
                    let bottom = coordinate::<S>(node, &least[1], &dual[1], offset[1]);
                    let top = coordinate::<S>(node, &most[1], &dual[1], offset[1]);
                    let mask = near.at_most(S::F32x8::splat(bound))
                        & low[2].at_most(far)
                        & left.at_most(high[0])
                        & low[0].at_most(right)
                        & bottom.at_most(high[1])
                        & low[1].at_most(top);
                    if mask != 0 {
                        if mask & (mask - 1) == 0 {
                            current = *node.children.get_unchecked(mask.trailing_zeros() as usize);
                            continue;
                        }
                        let mut distances = [0.0; LANES];
                        near.max(zero).store(distances.as_mut_ptr());
                        stack.push(node, mask, &distances);
                    }
                }
                match stack.pop(bound) {
                    Some(child) => current = child,
                    None => return found,
                }
            }
        }
    }

    /// Rasterizes the triangles of a leaf into the tile; returns whether a ray has a new hit.
    ///
    /// # Safety
    /// The CPU must support the instruction set of `S`.
    #[inline(always)]
    unsafe fn leaf<S: Instructions>(&self, block: &TriangleBlock, tile: &mut Tile) -> bool {
        let across = self.across;
        let mut range = [[0.0; LANES]; 5];
        // From grid coordinates to those of the tile, with the error bound outward.
        let low: [f64; 2] = std::array::from_fn(|k| self.first[k] + across.slack[k]);
        let high: [f64; 2] = std::array::from_fn(|k| self.first[k] - across.slack[k]);
        let side = (SIDE - 1) as f64;
        // SAFETY: the caller guarantees the instruction set; every array has eight values.
        let mut mask = unsafe {
            let [first, second, third] = &block.corners;
            let a = across.coordinates::<S>(first);
            let b = across.coordinates::<S>(second);
            let c = across.coordinates::<S>(third);
            let bounds = [
                least::<S>(a[0], b[0], c[0]).sub(S::F64x8::splat(low[0])),
                most::<S>(a[0], b[0], c[0]).sub(S::F64x8::splat(high[0])),
                least::<S>(a[1], b[1], c[1]).sub(S::F64x8::splat(low[1])),
                most::<S>(a[1], b[1], c[1]).sub(S::F64x8::splat(high[1])),
                least::<S>(a[2], b[2], c[2]).sub(S::F64x8::splat(across.slack[2])),
            ];
            bounds[0].store(range[0].as_mut_ptr());
            bounds[1].store(range[1].as_mut_ptr());
            bounds[2].store(range[2].as_mut_ptr());
            bounds[3].store(range[3].as_mut_ptr());
            bounds[4].store(range[4].as_mut_ptr());
            let zero = S::F64x8::splat(0.0);
            let side = S::F64x8::splat(side);
            bounds[0].at_most(side)
                & zero.at_most(bounds[1])
                & bounds[2].at_most(side)
                & zero.at_most(bounds[3])
        };
        let mut found = false;
        while mask != 0 {
            let lane = mask.trailing_zeros() as usize & (LANES - 1);
            mask &= mask - 1;
            let first = |k: usize| range[k][lane].max(0.0).ceil() as usize;
            let last = |k: usize| range[k][lane].min(side) as usize;
            let (left, right) = (first(0), last(1));
            let (bottom, top) = (first(2), last(3));
            if left > right || bottom > top {
                continue;
            }
            let nearest = range[4][lane];
            let corners: [[f64; 3]; 3] = std::array::from_fn(|corner| {
                std::array::from_fn(|axis| block.corners[corner][axis][lane])
            });
            for row in bottom / HIGH..=top / HIGH {
                for column in left / WIDE..=right / WIDE {
                    let place = (row * BLOCKS_ACROSS + column) & (BLOCKS - 1);
                    if tile.furthest[place] >= nearest {
                        // SAFETY: the caller guarantees the instruction set.
                        found |=
                            unsafe { self.draw::<S>(&corners, block.numbers[lane], tile, place) };
                    }
                }
            }
        }
        found
    }

    /// Tests one triangle with the rays of a block; returns whether a ray has a new hit.
    ///
    /// # Safety
    /// The CPU must support the instruction set of `S`.
    #[inline(always)]
    unsafe fn draw<S: Instructions>(
        &self,
        corners: &[[f64; 3]; 3],
        triangle: u32,
        tile: &mut Tile,
        place: usize,
    ) -> bool {
        let ray = &self.across.sheared;
        // SAFETY: the caller guarantees the instruction set; every array has eight values.
        unsafe {
            let [x, y, z] = ray.axes;
            let origin = [
                S::F64x8::load(tile.origin[x][place].as_ptr()),
                S::F64x8::load(tile.origin[y][place].as_ptr()),
                S::F64x8::load(tile.origin[z][place].as_ptr()),
            ];
            let slope = [S::F64x8::splat(ray.slope[0]), S::F64x8::splat(ray.slope[1])];
            let a = sheared_corner::<S>(&corners[0], ray, &origin, &slope);
            let b = sheared_corner::<S>(&corners[1], ray, &origin, &slope);
            let c = sheared_corner::<S>(&corners[2], ray, &origin, &slope);
            let [u, v, w] = products::<S>(&a, &b, &c);
            let inside = inside::<S>(u, v, w);
            if inside == 0 {
                return false;
            }
            let determinant = u.add(v).add(w);
            let height = u.mul(a[2]).add(v.mul(b[2])).add(w.mul(c[2]));
            let inverse = S::F64x8::splat(ray.inverse);
            let distance = height
                .div(determinant)
                .mul(inverse)
                .mul_where_negative(S::F64x8::splat(BACK), determinant.mul(inverse));
            let to = tile.distance[place].as_mut_ptr();
            let before = S::F64x8::load(to);
            let seen = inside
                & S::F64x8::splat(0.0).at_most(distance)
                & distance.less(S::F64x8::splat(f64::INFINITY));
            let mut mask = seen & distance.less(before);
            let mut equal = seen & !mask & distance.at_most(before);
            while equal != 0 {
                let lane = equal.trailing_zeros() as usize & (LANES - 1);
                equal &= equal - 1;
                if triangle < tile.triangle[place][lane] {
                    mask |= 1 << lane;
                }
            }
            if mask == 0 {
                return false;
            }
            distance.store_where(mask, to);
            v.div(determinant)
                .store_where(mask, tile.u[place].as_mut_ptr());
            w.div(determinant)
                .store_where(mask, tile.v[place].as_mut_ptr());
            while mask != 0 {
                let lane = mask.trailing_zeros() as usize & (LANES - 1);
                mask &= mask - 1;
                tile.triangle[place][lane] = triangle;
            }
            tile.furthest[place] = tile.distance[place]
                .iter()
                .fold(f64::NEG_INFINITY, |a, &b| a.max(b));
            true
        }
    }
}
