//! Kd-tree with ropes and stackless traversal: the ray tracer of the first SBR on GPUs (Y. Tao, H. Lin, H. Bao, IEEE
//! Trans. Antennas Propag. 58 (2010) 494–502). Examples and tests compare the tracers of the crate with it.

mod build;
mod ropes;
mod statistics;
mod traverse;

use std::sync::Arc;

use build::KdTree;
use statistics::{Count, Uncounted};

use wavefield_sbr::{Hit, Ray, Surface, Tracer};

/// Ray tracer with a kd-tree whose leaves are linked by ropes. Reflections start at the leaf of the hit. It counts its
/// traversal steps, for comparison with the paper.
#[derive(Clone, Debug)]
pub(crate) struct KdTracer {
    surface: Arc<Surface>,
    tree: KdTree,
}

impl KdTracer {
    /// Builds the tree.
    #[must_use]
    pub(crate) fn new(surface: Arc<Surface>) -> Self {
        let tree = KdTree::new(&surface);
        Self { surface, tree }
    }

    /// Returns the nearest hit of a ray that starts in a leaf or anywhere, and the leaf of the hit.
    fn step(&self, ray: &Ray, last: Option<u32>, count: &mut impl Count) -> (Hit, Option<u32>) {
        let leaf = match last {
            Some(last) => self.tree.start(ray, last, count),
            None => self.tree.entry(ray, count),
        };
        let Some(leaf) = leaf else {
            return (Hit::MISS, None);
        };
        let (hit, leaf) = self.tree.walk(&self.surface, ray, leaf, count);
        (hit, Some(leaf))
    }
}

impl Tracer for KdTracer {
    fn surface(&self) -> &Surface {
        &self.surface
    }

    fn nearest(&self, ray: &Ray) -> Hit {
        self.step(ray, None, &mut Uncounted).0
    }

    fn path(&self, ray: &Ray, most: usize, hits: &mut Vec<Hit>) -> Ray {
        let mut ray = *ray;
        let mut last = None;
        for _ in 0..most {
            let (hit, leaf) = self.step(&ray, last, &mut Uncounted);
            if hit.is_miss() {
                break;
            }
            hits.push(hit);
            ray = self.surface.reflect(&ray, &hit);
            last = leaf;
        }
        ray
    }
}
