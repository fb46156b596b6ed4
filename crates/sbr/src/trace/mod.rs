//! Ray tracing: nearest hit of a ray on a triangle mesh, and reflection.
//!
//! A [`Surface`] holds the triangles. Tracers share the trait [`Tracer`], and their hits are bitwise
//! identical: [`BruteForceTracer`] is the reference implementation that tests every triangle, [`BvhTracer`]
//! traverses a bounding volume hierarchy (BVH) with SIMD instructions. `examples/kd_tree` contains the
//! kd-tree with ropes of Tao, Lin, and Bao (2010).

mod brute_force;
mod bvh;
mod intersection;
mod kernels;
mod ray;
mod surface;
mod tracer;

pub use brute_force::BruteForceTracer;
pub use bvh::BvhTracer;
pub(crate) use bvh::{BinaryTree, Bounds, binary_tree};
pub use intersection::ShearedRay;
pub use ray::{Hit, Ray, RayGrid};
pub use surface::Surface;
pub use tracer::Tracer;
