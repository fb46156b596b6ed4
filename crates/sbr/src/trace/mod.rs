//! Tracing: which triangle a ray meets first, and what becomes of it after.
//!
//! A [`Surface`] holds the triangles. Three tracers share one trait, [`Tracer`], and give the same hits
//! bit for bit: [`PlainTracer`] tests every triangle, [`KdTracer`] walks a kd-tree with ropes, as the
//! first SBR on graphics cards did, and [`BvhTracer`] uses the processor's vector instructions.

mod bvh;
mod intersection;
mod kd_tree;
mod kernels;
mod plain;
mod ray;
mod surface;
mod tracer;

pub use bvh::BvhTracer;
pub(crate) use bvh::{BinaryTree, Bounds, binary_tree};
pub use kd_tree::{KdTracer, TreeStatistics, WalkStatistics};
pub use plain::PlainTracer;
pub use ray::{Hit, Ray, RayGrid};
pub use surface::Surface;
pub use tracer::Tracer;
