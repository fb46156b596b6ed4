//! Rays of a list through the hierarchy, sixteen neighbours at a time.
//!
//! Neighbours in a list of reflected rays mostly start close together and go nearly the same way. Nodes are
//! culled for all of them at once, by the intervals of their origins and directions; at a leaf each ray
//! meets the leaf's box by itself, and those that hit it its triangles. Neighbours that have little in
//! common go one by one.

use super::lanes::{Job, LANES, Lanes};
use super::single::{Scaled, Stack, leaf, nearest};
use crate::trace::bvh::{Bounds, BvhTracer, Child, WideNode};
use crate::trace::intersection::Sheared;
use crate::trace::ray::{Hit, Ray};
use crate::trace::tracer::Tracer;

/// Rays that go together.
pub(crate) const TOGETHER: usize = 2 * LANES;

/// Origins of a bundle lie in a cube of this side, in radii of the surface.
const WIDEST: f32 = 0.05;
/// Directions of a bundle, of which the fastest coordinate is one, lie in a cube of this side.
const MOST_SPREAD: f32 = 0.2;

/// First hits of a list of rays.
pub(crate) struct Bundles<'a> {
    pub(crate) tracer: &'a BvhTracer,
    pub(crate) rays: &'a [Ray],
    pub(crate) hits: &'a mut [Hit],
    pub(crate) stack: &'a mut Stack,
}

impl Job for Bundles<'_> {
    #[inline(always)]
    unsafe fn run<S: Lanes>(self) {
        let bundles = self.rays.chunks(TOGETHER);
        for (rays, hits) in bundles.zip(self.hits.chunks_mut(TOGETHER)) {
            // SAFETY: the caller has the instruction set.
            unsafe {
                match Bundle::new(self.tracer, rays) {
                    Some(mut bundle) => bundle.nearest::<S>(self.tracer, rays, hits, self.stack),
                    None => {
                        for (hit, ray) in hits.iter_mut().zip(rays) {
                            *hit = nearest::<S>(self.tracer, ray, self.stack);
                        }
                    }
                }
            }
        }
    }
}

/// Sixteen rays as boxes see them.
struct Bundle {
    /// By axis and ray, as in [`Scaled`].
    inverse: [[f32; TOGETHER]; 3],
    offset: [[f32; TOGETHER]; 3],
    /// Distance of each ray's best hit; negative for places without a ray.
    bound: [f32; TOGETHER],
    start: [f64; TOGETHER],
    speed: [f64; TOGETHER],
    /// Which planes of a box are met first and last on each axis.
    first: [usize; 3],
    last: [usize; 3],
    /// Ends of the interval of 1 / direction on each axis.
    slowest: [f32; 3],
    fastest: [f32; 3],
    /// The same times the origin that comes nearest to a plane, negated.
    near: [[f32; 2]; 3],
    /// The same times the origin that stays furthest from it, negated.
    far: [[f32; 2]; 3],
}

impl Bundle {
    /// `None` if the rays have too little in common.
    #[inline(always)]
    fn new(tracer: &BvhTracer, rays: &[Ray]) -> Option<Self> {
        let (centre, per_radius) = (tracer.surface().centre(), tracer.per_radius());
        let mut bundle = Self {
            inverse: [[0.0; TOGETHER]; 3],
            offset: [[0.0; TOGETHER]; 3],
            bound: [-1.0; TOGETHER],
            start: [0.0; TOGETHER],
            speed: [0.0; TOGETHER],
            first: [0; 3],
            last: [0; 3],
            slowest: [f32::INFINITY; 3],
            fastest: [f32::NEG_INFINITY; 3],
            near: [[0.0; 2]; 3],
            far: [[0.0; 2]; 3],
        };
        let (mut low, mut high) = ([f32::INFINITY; 3], [f32::NEG_INFINITY; 3]);
        let (mut back, mut forth) = ([f32::INFINITY; 3], [f32::NEG_INFINITY; 3]);
        for (place, ray) in rays.iter().enumerate().take(TOGETHER) {
            let Some(scaled) = Scaled::new(ray, centre, per_radius) else {
                continue;
            };
            for k in 0..3 {
                bundle.inverse[k][place] = scaled.inverse[k];
                bundle.offset[k][place] = scaled.offset[k];
                bundle.slowest[k] = bundle.slowest[k].min(scaled.inverse[k]);
                bundle.fastest[k] = bundle.fastest[k].max(scaled.inverse[k]);
                low[k] = low[k].min(scaled.origin[k]);
                high[k] = high[k].max(scaled.origin[k]);
                back[k] = back[k].min(scaled.unit[k]);
                forth[k] = forth[k].max(scaled.unit[k]);
            }
            bundle.bound[place] = f32::INFINITY;
            bundle.start[place] = scaled.start;
            bundle.speed[place] = scaled.speed;
        }
        for k in 0..3 {
            let forward = bundle.slowest[k] > 0.0;
            // Also where there is no ray at all, and the intervals are empty.
            if !(forward || bundle.fastest[k] < 0.0)
                || high[k] - low[k] > WIDEST
                || forth[k] - back[k] > MOST_SPREAD
            {
                return None;
            }
            let ends = [bundle.slowest[k], bundle.fastest[k]];
            let (nearest, furthest) = if forward {
                (high[k], low[k])
            } else {
                (low[k], high[k])
            };
            bundle.near[k] = ends.map(|end| -nearest * end);
            bundle.far[k] = ends.map(|end| -furthest * end);
            bundle.first[k] = if forward { k } else { 3 + k };
            bundle.last[k] = if forward { 3 + k } else { k };
        }
        Some(bundle)
    }

    /// # Safety
    /// The processor must have the instruction set of `S`; there are at most [`TOGETHER`] rays, and as
    /// many hits.
    #[inline(always)]
    unsafe fn nearest<S: Lanes>(
        &mut self,
        tracer: &BvhTracer,
        rays: &[Ray],
        hits: &mut [Hit],
        stack: &mut Stack,
    ) {
        let radius = tracer.surface().radius();
        let free = Ray::new([0.0; 3], [0.0, 0.0, 1.0]);
        let mut sheared = [Sheared::new(&free, radius); TOGETHER];
        for (sheared, ray) in sheared.iter_mut().zip(rays) {
            *sheared = Sheared::new(ray, radius);
        }
        hits.fill(Hit::MISS);
        let mut bound = f32::INFINITY;
        stack.clear();
        let mut current = Child::node(0);
        loop {
            // SAFETY of the block: the caller has the instruction set; children hold numbers of nodes and
            // blocks that exist, leaves have a box each, rays have hits.
            unsafe {
                if current.is_leaf() {
                    let bounds = tracer.leaf_bounds().get_unchecked(current.number());
                    let mut mask = self.meet::<S>(bounds, 0) | self.meet::<S>(bounds, 1) << LANES;
                    if mask != 0 {
                        let block = tracer.blocks().get_unchecked(current.number());
                        let mut changed = false;
                        while mask != 0 {
                            let place = mask.trailing_zeros() as usize & (TOGETHER - 1);
                            mask &= mask - 1;
                            let hit = hits.get_unchecked_mut(place);
                            if leaf::<S>(block, &sheared[place], hit) {
                                let speed = self.speed[place];
                                self.bound[place] =
                                    Scaled::rounded_up((hit.distance - self.start[place]) * speed);
                                changed = true;
                            }
                        }
                        if changed {
                            bound = self
                                .bound
                                .iter()
                                .fold(0.0, |a, &b| if a > b { a } else { b });
                        }
                    }
                } else {
                    let node = tracer.nodes().get_unchecked(current.number());
                    let near = S::max(
                        S::max(self.enter::<S>(node, 0), self.enter::<S>(node, 1)),
                        S::max(self.enter::<S>(node, 2), S::splat(0.0)),
                    );
                    let far = S::min(
                        S::min(self.leave::<S>(node, 0), self.leave::<S>(node, 1)),
                        S::min(self.leave::<S>(node, 2), S::splat(bound)),
                    );
                    let mask = S::at_most(near, far);
                    if mask != 0 {
                        if mask & (mask - 1) == 0 {
                            current = *node.children.get_unchecked(mask.trailing_zeros() as usize);
                            continue;
                        }
                        let mut distances = [0.0; LANES];
                        S::store(near, distances.as_mut_ptr());
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

    /// The least distance at which a ray of the bundle may enter the slabs of eight boxes on an axis.
    ///
    /// # Safety
    /// The processor must have the instruction set of `S`.
    #[inline(always)]
    unsafe fn enter<S: Lanes>(&self, node: &WideNode, k: usize) -> S::Float {
        // SAFETY: the caller has the instruction set; a box has planes 0 to 5.
        unsafe {
            let from = node.planes.as_ptr().cast::<f32>();
            let plane = S::load(from.add(self.first[k] * LANES));
            let [slow, fast] = self.near[k];
            S::min(
                S::mul_add(plane, S::splat(self.slowest[k]), S::splat(slow)),
                S::mul_add(plane, S::splat(self.fastest[k]), S::splat(fast)),
            )
        }
    }

    /// The largest distance at which a ray of the bundle may leave the slabs of eight boxes on an axis.
    ///
    /// # Safety
    /// The processor must have the instruction set of `S`.
    #[inline(always)]
    unsafe fn leave<S: Lanes>(&self, node: &WideNode, k: usize) -> S::Float {
        // SAFETY: the caller has the instruction set; a box has planes 0 to 5.
        unsafe {
            let from = node.planes.as_ptr().cast::<f32>();
            let plane = S::load(from.add(self.last[k] * LANES));
            let [slow, fast] = self.far[k];
            S::max(
                S::mul_add(plane, S::splat(self.slowest[k]), S::splat(slow)),
                S::mul_add(plane, S::splat(self.fastest[k]), S::splat(fast)),
            )
        }
    }

    /// Which rays of a half of the bundle meet a box.
    ///
    /// # Safety
    /// The processor must have the instruction set of `S`; there are two halves.
    #[inline(always)]
    unsafe fn meet<S: Lanes>(&self, bounds: &Bounds, half: usize) -> u32 {
        let planes = [bounds.low, bounds.high];
        // SAFETY: the caller has the instruction set.
        unsafe {
            let at = half * LANES;
            let mut near = S::splat(0.0);
            let mut far = S::load(self.bound.as_ptr().add(at));
            for k in 0..3 {
                let inverse = S::load(self.inverse[k].as_ptr().add(at));
                let offset = S::load(self.offset[k].as_ptr().add(at));
                let first = planes[usize::from(self.first[k] > 2)][k];
                let last = planes[usize::from(self.last[k] > 2)][k];
                near = S::max(near, S::mul_add(S::splat(first), inverse, offset));
                far = S::min(far, S::mul_add(S::splat(last), inverse, offset));
            }
            S::at_most(near, far)
        }
    }
}
