//! Ray tracer on a GPU with hits bitwise identical to those of the CPU tracers.
//!
//! The GPU finds the triangle: in single precision where that is unambiguous, in [`Arithmetic`] of more bits near
//! edges and between hits close to each other. The CPU then computes distance and point on that triangle in f64 by the
//! intersection test of all tracers. Rays within the rounding error of an edge, or in the plane of a triangle, are
//! rare and traced on the CPU.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;
use wavefield_gpu::{Access, Buffer, DeviceError, Gpu, Kernel, KernelSource, Uniform};

use super::arithmetic::{Arithmetic, filled};
use super::body::Body;
use super::state::GpuState;
use crate::trace::{BvhTracer, Hit, Ray, RayGrid, Surface, Tracer};
use wavefield_numerics::vector::{norm, scaled, sub};

/// Number of threads per workgroup.
const THREADS: usize = 64;
/// Maximum number of rays per dispatch.
const MAX: usize = 1 << 20;
/// Number of rays per block on a CPU thread.
const BLOCK: usize = 1024;
/// Maximum distance of ray origins from the center, in radii of the body; rays from farther points are traced on the
/// CPU, because the error bounds of the GPU assume nearer origins.
pub(super) const FARTHEST: f64 = 4.0;
/// Rounding error of the CPU's intersection test for coordinates as large as a radius.
const OWN_ROUNDING: f64 = 4e-15;
/// Distance in radii below which a ray that leaves a triangle ignores planes (`trace/intersection.rs`).
const CLEARANCE: f32 = 1.0 / (1_u64 << 48) as f32;
/// GPU result for a ray that it cannot decide.
const UNDECIDED: u32 = u32::MAX - 1;

type RayWords = [u32; 14];

/// Ray tracer on a GPU, with a CPU fallback.
#[derive(Debug)]
pub struct GpuTracer {
    on_gpu: Arc<GpuState>,
    arithmetic: Arithmetic,
    body: Body,
    kernel: Kernel,
    /// Error bound of a sheared vertex on CPU and GPU, in radii.
    rounding: f32,
    processor: Arc<BvhTracer>,
    rays: AtomicU64,
    undecided: AtomicU64,
}

impl GpuTracer {
    pub(super) fn new(
        gpu: &Gpu,
        on_gpu: Arc<GpuState>,
        processor: Arc<BvhTracer>,
        arithmetic: Arithmetic,
    ) -> Result<GpuTracer, DeviceError> {
        use Access::{Read, ReadWrite};
        let surface = processor.surface();
        let wgsl = arithmetic.wgsl() + include_str!("kernels/trace.wgsl");
        let kernel = Kernel::new(
            gpu,
            &KernelSource {
                name: "trace",
                wgsl: &wgsl,
                entry: "trace",
                constants: &[],
                bindings: &[Access::Uniform, Read, Read, Read, Read, ReadWrite],
            },
        )?;
        let away = norm(surface.center()) / surface.radius();
        Ok(GpuTracer {
            on_gpu,
            arithmetic,
            body: Body::new(gpu, surface, arithmetic)?,
            kernel,
            rounding: (arithmetic.rounding() + OWN_ROUNDING * (1.0 + away)) as f32,
            processor,
            rays: AtomicU64::new(0),
            undecided: AtomicU64::new(0),
        })
    }

    /// Returns the number of rays traced so far, and the number of those that fell back to the CPU.
    pub fn traced(&self) -> [u64; 2] {
        [&self.rays, &self.undecided].map(|count| count.load(Ordering::Relaxed))
    }

    /// Encodes a ray for the kernels, if its origin is near the body.
    fn words(&self, ray: &Ray) -> Option<RayWords> {
        let surface = self.surface();
        let origin = scaled(sub(ray.origin, surface.center()), 1.0 / surface.radius());
        let size = norm(ray.direction);
        let sound = norm(origin) <= FARTHEST && size.is_finite() && size > f64::MIN_POSITIVE;
        // The GPU returns the triangle only: the length of the direction is irrelevant.
        let direction = scaled(ray.direction, 1.0 / size);
        sound.then(|| {
            let places = self.arithmetic.place(origin);
            let all = places.chain(self.arithmetic.place(direction));
            filled(all.chain([ray.leaves]))
        })
    }

    /// Returns the first triangles on rays, found by the GPU.
    fn triangles(&self, gpu: &Gpu, rays: &[RayWords]) -> Result<Vec<u32>, DeviceError> {
        let task = Uniform::new(
            gpu,
            &[
                rays.len() as u32,
                self.body.nodes.len() as u32,
                self.rounding.to_bits(),
                CLEARANCE.to_bits(),
                // A zero that the compiler cannot fold, which protects error-free transformations; padding for
                // alignment.
                0,
                0,
                0,
                0,
            ],
        )?;
        let rays_there = Buffer::from_slice(gpu, rays)?;
        let found = Buffer::<u32>::zeroed(gpu, rays.len())?;
        gpu.dispatch(
            &self.kernel,
            &[
                task.bind(),
                self.body.nodes.bind(),
                self.body.slots.bind(),
                self.body.facets.bind(),
                rays_there.bind(),
                found.bind(),
            ],
            rays.len().div_ceil(THREADS) as u64,
        )?;
        found.read()
    }

    /// Completes the hit on the triangle found by the GPU.
    fn completed(&self, ray: &Ray, triangle: u32) -> Hit {
        if triangle == Hit::MISS.triangle {
            return Hit::MISS;
        }
        let on_triangle = (triangle != UNDECIDED).then(|| self.surface().meet(ray, triangle));
        on_triangle.filter(|hit| !hit.is_miss()).unwrap_or_else(|| {
            self.undecided.fetch_add(1, Ordering::Relaxed);
            self.processor.nearest(ray)
        })
    }

    /// Traces at most one dispatch of rays.
    fn launch(&self, rays: &[Ray], hits: &mut [Hit]) {
        let words: Vec<Option<RayWords>> = rays.par_iter().map(|ray| self.words(ray)).collect();
        let sent: Vec<RayWords> = words.iter().flatten().copied().collect();
        let found = if sent.is_empty() {
            Some(Vec::new())
        } else {
            self.on_gpu.run(|gpu| self.triangles(gpu, &sent))
        };
        let Some(found) = found else {
            hits.fill(Hit::MISS);
            return;
        };
        let mut found = found.into_iter();
        let triangles: Vec<u32> = words
            .iter()
            .map(|words| words.and_then(|_| found.next()).unwrap_or(UNDECIDED))
            .collect();
        self.rays.fetch_add(rays.len() as u64, Ordering::Relaxed);
        hits.par_chunks_mut(BLOCK)
            .zip(rays.par_chunks(BLOCK).zip(triangles.par_chunks(BLOCK)))
            .for_each(|(hits, (rays, triangles))| {
                for (hit, (ray, &triangle)) in hits.iter_mut().zip(rays.iter().zip(triangles)) {
                    *hit = self.completed(ray, triangle);
                }
            });
    }
}

impl Tracer for GpuTracer {
    fn surface(&self) -> &Surface {
        self.processor.surface()
    }

    fn nearest(&self, ray: &Ray) -> Hit {
        let mut hits = [Hit::MISS];
        self.launch(&[*ray], &mut hits);
        hits[0]
    }

    fn nearest_of(&self, rays: &[Ray], hits: &mut [Hit]) {
        assert_eq!(
            rays.len(),
            hits.len(),
            "`hits` and `rays` must have equal lengths"
        );
        for (rays, hits) in rays.chunks(MAX).zip(hits.chunks_mut(MAX)) {
            self.launch(rays, hits);
        }
    }

    fn nearest_of_grid(&self, grid: &RayGrid, hits: &mut [Hit]) {
        assert_eq!(
            grid.count(),
            hits.len(),
            "`hits` must have one entry per ray"
        );
        let mut first = 0;
        for hits in hits.chunks_mut(MAX) {
            let rays: Vec<Ray> = (first..first + hits.len())
                .map(|number| grid.ray(number % grid.columns, number / grid.columns))
                .collect();
            self.launch(&rays, hits);
            first += hits.len();
        }
    }
}
