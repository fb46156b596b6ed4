//! Traversal of one ray: eight boxes or eight triangles at once, nearest first.

use wavefield_numerics::simd::{Instructions, Job, LANES, Ordered, Vector};

use crate::trace::bvh::build::MAX_LEVELS;
use crate::trace::bvh::hierarchy::Hierarchy;
use crate::trace::bvh::wide::Child;
use crate::trace::bvh::wide::TriangleBlock;
use crate::trace::bvh::wide::WideNode;
use crate::trace::intersection::{BACK, ShearedRay};
use crate::trace::ray::{Hit, Ray};

/// Traversal stack of nodes and leaves, with the entry distance in the upper half of an entry.
pub(crate) struct Stack {
    entries: [u64; MAX_LEVELS * (LANES - 1) + LANES],
    top: usize,
}

impl Stack {
    pub(crate) fn new() -> Self {
        Self {
            entries: [0; _],
            top: 0,
        }
    }

    #[inline(always)]
    pub(super) fn clear(&mut self) {
        self.top = 0;
    }

    /// Pushes the children of the mask, the nearest on top.
    ///
    /// # Safety
    /// This is called once for each of at most [`MAX_LEVELS`] nodes on the path from the root
    /// whose entries remain: a level leaves at most seven after its nearest is taken.
    #[inline(always)]
    pub(super) unsafe fn push(&mut self, node: &WideNode, mut mask: u32, near: &[f32; LANES]) {
        let first = self.top;
        while mask != 0 {
            let lane = mask.trailing_zeros() as usize;
            mask &= mask - 1;
            // SAFETY: a mask has eight bits.
            let (distance, child) =
                unsafe { (near.get_unchecked(lane), node.children.get_unchecked(lane)) };
            // Distances are nonnegative; their bit patterns have the order of their values.
            let entry = u64::from(distance.to_bits()) << 32 | u64::from(child.0);
            let mut place = self.top;
            // SAFETY: the caller guarantees that entries up to the top exist.
            unsafe {
                while place > first && *self.entries.get_unchecked(place - 1) < entry {
                    *self.entries.get_unchecked_mut(place) = *self.entries.get_unchecked(place - 1);
                    place -= 1;
                }
                *self.entries.get_unchecked_mut(place) = entry;
            }
            self.top += 1;
        }
    }

    /// Pops the top entry with an entry distance within `bound`.
    #[inline(always)]
    pub(super) fn pop(&mut self, bound: f32) -> Option<Child> {
        while self.top > 0 {
            self.top -= 1;
            // SAFETY: below the top.
            let entry = unsafe { *self.entries.get_unchecked(self.top) };
            if f32::from_bits((entry >> 32) as u32) <= bound {
                return Some(Child(entry as u32));
            }
        }
        None
    }
}

/// Nearest hit of one ray.
pub(crate) struct Single<'a> {
    pub(crate) hierarchy: &'a Hierarchy,
    pub(crate) ray: &'a Ray,
    pub(crate) hit: &'a mut Hit,
}

impl Job for Single<'_> {
    type Output = ();

    #[inline(always)]
    unsafe fn run<S: Instructions>(self) {
        // SAFETY: the caller guarantees the instruction set.
        *self.hit = unsafe { nearest::<S>(self.hierarchy, self.ray, &mut Stack::new()) };
    }
}

/// Ray in the space of the boxes: the surface has radius one around the origin, and the largest
/// component of the direction is one.
pub(super) struct Scaled {
    pub(super) origin: [f32; 3],
    /// Direction with a largest component of one and none zero.
    pub(super) unit: [f32; 3],
    /// A distance along the ray is start + t / speed, t the distance here.
    pub(super) start: f64,
    pub(super) speed: f64,
}

/// Distance above which origins are moved along the ray, to keep the f32 rounding error small.
const FAR: f64 = 2.0;
/// Half side of the cube to whose faces they are moved.
const NEAR: f64 = 1.5;
/// Minimum magnitude of a direction component.
const SLOWEST: f64 = 1.0 / (1u64 << 60) as f64;

impl Scaled {
    /// Scales a ray; `None` if it misses the cube.
    #[inline(always)]
    pub(super) fn new(ray: &Ray, center: [f64; 3], per_radius: f64) -> Option<Self> {
        let d = ray.direction;
        let fastest = d[0].abs().max(d[1].abs()).max(d[2].abs());
        let per_fastest = 1.0 / fastest;
        let unit: [f64; 3] = std::array::from_fn(|k| {
            let unit = d[k] * per_fastest;
            unit.abs().max(SLOWEST).copysign(unit)
        });
        let mut origin: [f64; 3] =
            std::array::from_fn(|k| (ray.origin[k] - center[k]) * per_radius);
        let speed = fastest * per_radius;
        let mut start = 0.0;
        let furthest = origin[0].abs().max(origin[1].abs()).max(origin[2].abs());
        let close = furthest <= FAR;
        if !close {
            let (mut near, mut far) = (0.0_f64, f64::INFINITY);
            for k in 0..3 {
                let middle = -origin[k] / unit[k];
                let half = NEAR / unit[k].abs();
                near = near.max(middle - half);
                far = far.min(middle + half);
            }
            let meets = near <= far;
            if !meets {
                return None;
            }
            start = near / speed;
            origin = std::array::from_fn(|k| origin[k] + near * unit[k]);
        }
        Some(Self {
            origin: origin.map(|value| value as f32),
            unit: unit.map(|value| value as f32),
            start,
            speed,
        })
    }

    /// Returns a distance rounded up to f32.
    #[inline(always)]
    pub(super) fn rounded_up(distance: f64) -> f32 {
        const UP: f32 = 1.0 + 1.0 / (1 << 22) as f32;
        distance as f32 * UP
    }
}

/// Returns the nearest hit of one ray.
///
/// # Safety
/// The CPU must support the instruction set of `S`.
#[inline(always)]
pub(super) unsafe fn nearest<S: Instructions>(
    hierarchy: &Hierarchy,
    ray: &Ray,
    stack: &mut Stack,
) -> Hit {
    let surface = hierarchy.surface();
    let mut best = Hit::MISS;
    let Some(scaled) = Scaled::new(ray, surface.center(), hierarchy.per_radius()) else {
        return best;
    };
    let sheared = ShearedRay::new(ray, surface.radius());
    // Indices of the entry and exit planes of a box on each axis.
    let first: [usize; 3] = std::array::from_fn(|k| if scaled.unit[k] < 0.0 { 3 + k } else { k });
    let last: [usize; 3] = std::array::from_fn(|k| if scaled.unit[k] < 0.0 { k } else { 3 + k });
    let mut bound = f32::INFINITY;
    stack.clear();
    let mut current = Child::node(0);
    // SAFETY: the caller guarantees the instruction set; children are indices of existing
    // nodes and blocks, and planes have eight values.
    unsafe {
        let [x, y, z] = scaled.unit.map(|unit| 1.0 / unit);
        let inverse = [S::F32x8::splat(x), S::F32x8::splat(y), S::F32x8::splat(z)];
        let [x, y, z] = [
            -scaled.origin[0] * x,
            -scaled.origin[1] * y,
            -scaled.origin[2] * z,
        ];
        let offset = [S::F32x8::splat(x), S::F32x8::splat(y), S::F32x8::splat(z)];
        let zero = S::F32x8::splat(0.0);
        loop {
            if current.is_leaf() {
                let block = hierarchy.blocks().get_unchecked(current.number());
                if leaf::<S>(block, &sheared, &mut best) {
                    bound = Scaled::rounded_up((best.distance - scaled.start) * scaled.speed);
                }
            } else {
                let node = hierarchy.nodes().get_unchecked(current.number());
                let [x, y, z] = distances::<S>(node, &first, &inverse, &offset);
                let near = x.max(y).max(z.max(zero));
                let [x, y, z] = distances::<S>(node, &last, &inverse, &offset);
                let far = x.min(y).min(z.min(S::F32x8::splat(bound)));
                let mask = near.at_most(far);
                if mask != 0 {
                    if mask & (mask - 1) == 0 {
                        current = *node.children.get_unchecked(mask.trailing_zeros() as usize);
                        continue;
                    }
                    let mut distances = [0.0; LANES];
                    near.store(distances.as_mut_ptr());
                    stack.push(node, mask, &distances);
                }
            }
            match stack.pop(bound) {
                Some(child) => current = child,
                None => return best,
            }
        }
    }
}

/// Returns the distances to one plane of every box on each axis.
///
/// # Safety
/// The CPU must support the instruction set of `S`; a box has planes 0 to 5.
#[inline(always)]
unsafe fn distances<S: Instructions>(
    node: &WideNode,
    planes: &[usize; 3],
    inverse: &[S::F32x8; 3],
    offset: &[S::F32x8; 3],
) -> [S::F32x8; 3] {
    let from = node.planes.as_ptr().cast::<f32>();
    // SAFETY: guaranteed by the caller.
    unsafe {
        [
            offset[0].plus(S::F32x8::load(from.add(planes[0] * LANES)), inverse[0]),
            offset[1].plus(S::F32x8::load(from.add(planes[1] * LANES)), inverse[1]),
            offset[2].plus(S::F32x8::load(from.add(planes[2] * LANES)), inverse[2]),
        ]
    }
}

/// Returns a vertex of eight triangles in sheared space.
///
/// # Safety
/// The CPU must support the instruction set of `S`.
#[inline(always)]
unsafe fn sheared_corner<S: Instructions>(
    corner: &[[f64; LANES]; 3],
    ray: &ShearedRay,
    origin: &[S::F64x8; 3],
    slope: &[S::F64x8; 2],
) -> [S::F64x8; 3] {
    let from = corner.as_ptr().cast::<f64>();
    let [x, y, z] = ray.axes;
    // SAFETY: the caller guarantees the instruction set; axes are 0, 1 and 2.
    unsafe {
        let depth = S::F64x8::load(from.add(z * LANES)).sub(origin[2]);
        let x = S::F64x8::load(from.add(x * LANES)).sub(origin[0]);
        let y = S::F64x8::load(from.add(y * LANES)).sub(origin[1]);
        [
            x.sub(slope[0].mul(depth)),
            y.sub(slope[1].mul(depth)),
            depth,
        ]
    }
}

/// Tests the triangles of a leaf; returns whether the nearest hit has changed.
///
/// # Safety
/// The CPU must support the instruction set of `S`.
#[inline(always)]
pub(super) unsafe fn leaf<S: Instructions>(
    block: &TriangleBlock,
    ray: &ShearedRay,
    best: &mut Hit,
) -> bool {
    let [x, y, z] = ray.axes;
    // SAFETY: the caller guarantees the instruction set; every array has eight values.
    unsafe {
        let slope = [S::F64x8::splat(ray.slope[0]), S::F64x8::splat(ray.slope[1])];
        let origin = [
            S::F64x8::splat(ray.origin[x]),
            S::F64x8::splat(ray.origin[y]),
            S::F64x8::splat(ray.origin[z]),
        ];
        let a = sheared_corner::<S>(&block.corners[0], ray, &origin, &slope);
        let b = sheared_corner::<S>(&block.corners[1], ray, &origin, &slope);
        let c = sheared_corner::<S>(&block.corners[2], ray, &origin, &slope);
        let [u, v, w] = products::<S>(&a, &b, &c);
        // A reflected ray starts inside the triangle that it leaves.
        let inside = inside::<S>(u, v, w) & !S::equal(block.numbers.as_ptr(), ray.leaves);
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
        let least =
            S::F64x8::splat(ray.clearance).mul(S::widen(S::F32x8::load(block.twice_area.as_ptr())));
        let mut mask = inside
            & S::F64x8::splat(0.0).at_most(distance)
            & distance.at_most(S::F64x8::splat(best.distance))
            & distance.less(S::F64x8::splat(f64::INFINITY))
            & least.at_most(height.abs());
        if mask == 0 {
            return false;
        }
        let mut distances = [0.0; LANES];
        distance.store(distances.as_mut_ptr());
        let mut chosen = LANES;
        while mask != 0 {
            let lane = mask.trailing_zeros() as usize;
            mask &= mask - 1;
            let hit = Hit {
                distance: *distances.get_unchecked(lane),
                triangle: *block.numbers.get_unchecked(lane),
                ..Hit::MISS
            };
            if hit.precedes(best) {
                *best = hit;
                chosen = lane;
            }
        }
        if chosen == LANES {
            return false;
        }
        let mut values = [[0.0; LANES]; 3];
        determinant.store(values[0].as_mut_ptr());
        v.store(values[1].as_mut_ptr());
        w.store(values[2].as_mut_ptr());
        best.u = values[1].get_unchecked(chosen) / values[0].get_unchecked(chosen);
        best.v = values[2].get_unchecked(chosen) / values[0].get_unchecked(chosen);
        true
    }
}

/// Returns the edge functions U, V, and W of sheared vertices.
///
/// # Safety
/// The CPU must support the instruction set of `S`.
#[inline(always)]
pub(super) unsafe fn products<S: Instructions>(
    a: &[S::F64x8; 3],
    b: &[S::F64x8; 3],
    c: &[S::F64x8; 3],
) -> [S::F64x8; 3] {
    // SAFETY: the caller guarantees the instruction set.
    unsafe {
        [
            c[0].mul(b[1]).sub(c[1].mul(b[0])),
            a[0].mul(c[1]).sub(a[1].mul(c[0])),
            b[0].mul(a[1]).sub(b[1].mul(a[0])),
        ]
    }
}

/// Returns the mask of lanes where U, V, and W have no opposite signs.
///
/// # Safety
/// The CPU must support the instruction set of `S`.
#[inline(always)]
pub(super) unsafe fn inside<S: Instructions>(u: S::F64x8, v: S::F64x8, w: S::F64x8) -> u32 {
    // SAFETY: the caller guarantees the instruction set.
    unsafe {
        let zero = S::F64x8::splat(0.0);
        let least = u.min(v).min(w);
        let most = u.max(v).max(w);
        zero.at_most(least) | most.at_most(zero)
    }
}
