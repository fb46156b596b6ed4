//! Traversal of a list of rays in bundles of up to sixteen.
//!
//! Adjacent rays in a list of reflected rays usually have similar origins and directions. Nodes are culled
//! for a whole bundle at once, by interval arithmetic on its origins and directions; at a leaf each ray is
//! tested with the leaf's box, and those that hit it with its triangles. Incoherent rays are traced
//! individually.

use wavefield_numerics::simd::{Instructions, Job, LANES, Ordered, Vector};

use super::single::{Scaled, Stack, leaf, nearest};
use crate::trace::bvh::bounds::Bounds;
use crate::trace::bvh::hierarchy::Hierarchy;
use crate::trace::bvh::wide::Child;
use crate::trace::bvh::wide::WideNode;
use crate::trace::intersection::ShearedRay;
use crate::trace::ray::{Hit, Ray};

/// Maximum number of rays in a bundle.
pub(crate) const TOGETHER: usize = 2 * LANES;

/// Maximum difference of the origins of a bundle on each axis, in radii of the surface.
const WIDEST: f32 = 0.025;
/// Maximum difference of the directions of a bundle on each axis; the largest component of a direction is
/// one.
const MAX_SPREAD: f32 = 0.1;
/// Minimum size of a bundle; smaller ones are traced individually.
const FEWEST: u32 = 5;

/// Nearest hits of a list of rays.
pub(crate) struct Bundles<'a> {
    pub(crate) hierarchy: &'a Hierarchy,
    pub(crate) rays: &'a [Ray],
    pub(crate) hits: &'a mut [Hit],
    pub(crate) stack: &'a mut Stack,
}

impl Job for Bundles<'_> {
    type Output = ();

    #[inline(always)]
    unsafe fn run<S: Instructions>(self) {
        let bundles = self.rays.chunks(TOGETHER);
        for (rays, hits) in bundles.zip(self.hits.chunks_mut(TOGETHER)) {
            hits.fill(Hit::MISS);
            let mut neighbors = Neighbors::new(self.hierarchy, rays);
            while let Some((bundle, members)) = neighbors.take() {
                // SAFETY: the caller guarantees the instruction set; members are indices of rays.
                unsafe {
                    if members.count_ones() < FEWEST {
                        let mut members = members;
                        while members != 0 {
                            let place = members.trailing_zeros() as usize;
                            members &= members - 1;
                            let ray = rays.get_unchecked(place);
                            let hit = nearest::<S>(self.hierarchy, ray, self.stack);
                            *hits.get_unchecked_mut(place) = hit;
                        }
                    } else {
                        bundle.nearest::<S>(self.hierarchy, &mut neighbors, hits, self.stack);
                    }
                }
            }
        }
    }
}

/// Sixteen rays in structure-of-arrays form, by axis and ray.
struct Neighbors {
    origin: [[f32; TOGETHER]; 3],
    unit: [[f32; TOGETHER]; 3],
    inverse: [[f32; TOGETHER]; 3],
    offset: [[f32; TOGETHER]; 3],
    /// Distance of the nearest hit so far of the active rays; negative for all others.
    bound: [f32; TOGETHER],
    start: [f64; TOGETHER],
    speed: [f64; TOGETHER],
    sheared: [ShearedRay; TOGETHER],
    /// Mask of the rays still to be traced.
    waiting: u32,
}

#[inline(always)]
fn min(a: f32, b: f32) -> f32 {
    if a < b { a } else { b }
}

#[inline(always)]
fn max(a: f32, b: f32) -> f32 {
    if a > b { a } else { b }
}

impl Neighbors {
    #[inline(always)]
    fn new(hierarchy: &Hierarchy, rays: &[Ray]) -> Self {
        let (center, per_radius) = (hierarchy.surface().center(), hierarchy.per_radius());
        let radius = hierarchy.surface().radius();
        let mut all = Self {
            origin: [[0.0; TOGETHER]; 3],
            unit: [[1.0; TOGETHER]; 3],
            inverse: [[0.0; TOGETHER]; 3],
            offset: [[0.0; TOGETHER]; 3],
            bound: [-1.0; TOGETHER],
            start: [0.0; TOGETHER],
            speed: [0.0; TOGETHER],
            sheared: [ShearedRay::NONE; TOGETHER],
            waiting: 0,
        };
        for (place, ray) in rays.iter().enumerate().take(TOGETHER) {
            let Some(scaled) = Scaled::new(ray, center, per_radius) else {
                continue;
            };
            for k in 0..3 {
                all.origin[k][place] = scaled.origin[k];
                all.unit[k][place] = scaled.unit[k];
            }
            all.start[place] = scaled.start;
            all.speed[place] = scaled.speed;
            all.sheared[place] = ShearedRay::new(ray, radius);
            all.waiting |= 1 << place;
        }
        for k in 0..3 {
            for place in 0..TOGETHER {
                all.inverse[k][place] = 1.0 / all.unit[k][place];
                all.offset[k][place] = -all.origin[k][place] * all.inverse[k][place];
            }
        }
        all
    }

    /// Takes the first waiting ray with all rays of similar origin and direction; returns their bundle and
    /// mask.
    #[inline(always)]
    fn take(&mut self) -> Option<(Bundle, u32)> {
        if self.waiting == 0 {
            return None;
        }
        let leader = self.waiting.trailing_zeros() as usize;
        let mut near = [true; TOGETHER];
        for k in 0..3 {
            let (origin, unit) = (self.origin[k][leader], self.unit[k][leader]);
            for place in 0..TOGETHER {
                let aside = (self.origin[k][place] - origin).abs();
                let turned = (self.unit[k][place] - unit).abs();
                let same_sign = self.unit[k][place] * unit > 0.0;
                near[place] &= aside <= WIDEST && turned <= MAX_SPREAD && same_sign;
            }
        }
        let mut members = 0;
        for (place, near) in near.into_iter().enumerate() {
            members |= u32::from(near) << place;
        }
        // Include the leader even with NaN coordinates.
        let members = members & self.waiting | 1 << leader;
        self.waiting &= !members;
        let mut bundle = Bundle {
            first: [0; 3],
            last: [0; 3],
            slowest: [0.0; 3],
            fastest: [0.0; 3],
            near: [[0.0; 2]; 3],
            far: [[0.0; 2]; 3],
        };
        for k in 0..3 {
            let (mut low, mut high) = (self.origin[k][leader], self.origin[k][leader]);
            let (mut slowest, mut fastest) = (self.inverse[k][leader], self.inverse[k][leader]);
            for place in 0..TOGETHER {
                if members & (1 << place) != 0 {
                    low = min(self.origin[k][place], low);
                    high = max(self.origin[k][place], high);
                    slowest = min(self.inverse[k][place], slowest);
                    fastest = max(self.inverse[k][place], fastest);
                }
            }
            let forward = slowest > 0.0;
            let (nearest, furthest) = if forward { (high, low) } else { (low, high) };
            bundle.slowest[k] = slowest;
            bundle.fastest[k] = fastest;
            bundle.near[k] = [slowest, fastest].map(|end| -nearest * end);
            bundle.far[k] = [slowest, fastest].map(|end| -furthest * end);
            bundle.first[k] = if forward { k } else { 3 + k };
            bundle.last[k] = if forward { 3 + k } else { k };
        }
        for place in 0..TOGETHER {
            self.bound[place] = if members & (1 << place) != 0 {
                f32::INFINITY
            } else {
                -1.0
            };
        }
        Some((bundle, members))
    }

    /// Returns the mask of the rays of a half that hit a box.
    ///
    /// # Safety
    /// The CPU must support the instruction set of `S`; there are two halves.
    #[inline(always)]
    unsafe fn meet<S: Instructions>(&self, bundle: &Bundle, bounds: &Bounds, half: usize) -> u32 {
        let planes = [bounds.low, bounds.high];
        // SAFETY: the caller guarantees the instruction set.
        unsafe {
            let at = half * LANES;
            let mut near = S::F32x8::splat(0.0);
            let mut far = S::F32x8::load(self.bound.as_ptr().add(at));
            for k in 0..3 {
                let inverse = S::F32x8::load(self.inverse[k].as_ptr().add(at));
                let offset = S::F32x8::load(self.offset[k].as_ptr().add(at));
                let first = planes[usize::from(bundle.first[k] > 2)][k];
                let last = planes[usize::from(bundle.last[k] > 2)][k];
                near = near.max(offset.plus(S::F32x8::splat(first), inverse));
                far = far.min(offset.plus(S::F32x8::splat(last), inverse));
            }
            near.at_most(far)
        }
    }
}

/// Intervals of the origins and directions of a bundle.
struct Bundle {
    /// Indices of the entry and exit planes of a box on each axis.
    first: [usize; 3],
    last: [usize; 3],
    /// Interval of 1 / direction on each axis.
    slowest: [f32; 3],
    fastest: [f32; 3],
    /// Product of the interval with the origin nearest to a plane, negated.
    near: [[f32; 2]; 3],
    /// Product of the interval with the origin farthest from it, negated.
    far: [[f32; 2]; 3],
}

impl Bundle {
    /// # Safety
    /// The CPU must support the instruction set of `S`; active rays have hits.
    #[inline(always)]
    unsafe fn nearest<S: Instructions>(
        &self,
        hierarchy: &Hierarchy,
        rays: &mut Neighbors,
        hits: &mut [Hit],
        stack: &mut Stack,
    ) {
        let mut bound = f32::INFINITY;
        stack.clear();
        let mut current = Child::node(0);
        loop {
            // SAFETY: the caller guarantees the instruction set; children are indices of existing
            // nodes and blocks, every leaf has a box, and every ray a hit.
            unsafe {
                if current.is_leaf() {
                    let bounds = hierarchy.leaf_bounds().get_unchecked(current.number());
                    let low = rays.meet::<S>(self, bounds, 0);
                    let mut mask = low | rays.meet::<S>(self, bounds, 1) << LANES;
                    if mask != 0 {
                        let block = hierarchy.blocks().get_unchecked(current.number());
                        let mut changed = false;
                        while mask != 0 {
                            let place = mask.trailing_zeros() as usize & (TOGETHER - 1);
                            mask &= mask - 1;
                            let hit = hits.get_unchecked_mut(place);
                            if leaf::<S>(block, &rays.sheared[place], hit) {
                                let distance = hit.distance - rays.start[place];
                                rays.bound[place] =
                                    Scaled::rounded_up(distance * rays.speed[place]);
                                changed = true;
                            }
                        }
                        if changed {
                            bound = rays.bound.iter().fold(0.0, |a, &b| max(b, a));
                        }
                    }
                } else {
                    let node = hierarchy.nodes().get_unchecked(current.number());
                    let near = self
                        .enter::<S>(node, 0)
                        .max(self.enter::<S>(node, 1))
                        .max(self.enter::<S>(node, 2).max(S::F32x8::splat(0.0)));
                    let far = self
                        .leave::<S>(node, 0)
                        .min(self.leave::<S>(node, 1))
                        .min(self.leave::<S>(node, 2).min(S::F32x8::splat(bound)));
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
            }
            match stack.pop(bound) {
                Some(child) => current = child,
                None => return,
            }
        }
    }

    /// Returns a lower bound of the distance at which a ray of the bundle enters the slabs of eight boxes
    /// on an axis.
    ///
    /// # Safety
    /// The CPU must support the instruction set of `S`.
    #[inline(always)]
    unsafe fn enter<S: Instructions>(&self, node: &WideNode, k: usize) -> S::F32x8 {
        // SAFETY: the caller guarantees the instruction set; a box has planes 0 to 5.
        unsafe {
            let from = node.planes.as_ptr().cast::<f32>();
            let plane = S::F32x8::load(from.add(self.first[k] * LANES));
            let [slow, fast] = self.near[k];
            S::F32x8::splat(slow)
                .plus(plane, S::F32x8::splat(self.slowest[k]))
                .min(S::F32x8::splat(fast).plus(plane, S::F32x8::splat(self.fastest[k])))
        }
    }

    /// Returns an upper bound of the distance at which a ray of the bundle leaves the slabs of eight boxes
    /// on an axis.
    ///
    /// # Safety
    /// The CPU must support the instruction set of `S`.
    #[inline(always)]
    unsafe fn leave<S: Instructions>(&self, node: &WideNode, k: usize) -> S::F32x8 {
        // SAFETY: the caller guarantees the instruction set; a box has planes 0 to 5.
        unsafe {
            let from = node.planes.as_ptr().cast::<f32>();
            let plane = S::F32x8::load(from.add(self.last[k] * LANES));
            let [slow, fast] = self.far[k];
            S::F32x8::splat(slow)
                .plus(plane, S::F32x8::splat(self.slowest[k]))
                .max(S::F32x8::splat(fast).plus(plane, S::F32x8::splat(self.fastest[k])))
        }
    }
}
