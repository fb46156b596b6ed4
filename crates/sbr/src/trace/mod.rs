//! Tracing: which triangle a ray meets first, and what becomes of it after.
//!
//! A [`Surface`] holds the triangles. Tracers share the trait [`Tracer`] and give the same hits bit for
//! bit: [`PlainTracer`] tests every triangle, [`BvhTracer`] walks a bounding volume hierarchy (BVH) with SIMD
//! instructions. `examples/kd_tree` has the kd-tree with ropes of Tao, Lin, and Bao (2010).

mod bvh;
mod intersection;
mod kernels;
mod plain;
mod ray;
mod surface;
mod tracer;

pub use bvh::BvhTracer;
pub(crate) use bvh::{BinaryTree, Bounds, binary_tree};
pub use intersection::ShearedRay;
pub use plain::PlainTracer;
pub use ray::{Hit, Ray, RayGrid};
pub use surface::Surface;
pub use tracer::Tracer;
