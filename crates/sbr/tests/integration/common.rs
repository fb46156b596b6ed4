//! Bodies and rays shared by the tests.
#![allow(dead_code, reason = "each test uses some of it")]

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::kd_tree::KdTracer;
use wavefield_mesh::TriangleMesh;
use wavefield_sbr::{BruteForceTracer, BvhTracer, Ray, RayGrid, Surface, Tracer};

/// Deterministic pseudorandom numbers.
pub(crate) struct Numbers(u64);

impl Numbers {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// Returns a number between −1 and 1.
    pub(crate) fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^= z >> 31;
        (z >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    pub(crate) fn point(&mut self) -> [f64; 3] {
        [self.next(), self.next(), self.next()]
    }

    pub(crate) fn direction(&mut self) -> [f64; 3] {
        loop {
            let p = self.point();
            let size = dot(p, p).sqrt();
            if size > 0.1 && size < 1.0 {
                return p.map(|v| v / size);
            }
        }
    }
}

pub(crate) fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

pub(crate) fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]
}

/// Returns a ray from one point toward another.
pub(crate) fn toward(from: [f64; 3], to: [f64; 3]) -> Ray {
    let d = [0, 1, 2].map(|k| to[k] - from[k]);
    let size = dot(d, d).sqrt();
    Ray::new(from, d.map(|v| v / size))
}

pub(crate) fn surface(mesh: &TriangleMesh) -> Arc<Surface> {
    Arc::new(Surface::new(mesh).unwrap())
}

/// Returns triangles of random position and size, some of them degenerate.
pub(crate) fn soup(count: usize, seed: u64) -> TriangleMesh {
    let mut numbers = Numbers::new(seed);
    let mut points = Vec::new();
    for number in 0..count {
        let center = numbers.point();
        let size = 0.5_f64.powi((number % 9) as i32);
        for _ in 0..3 {
            let offset = numbers.point();
            points.push([0, 1, 2].map(|k| center[k] + size * offset[k]));
        }
        if number % 17 == 0 {
            let last = points.len() - 1;
            points[last] = points[last - 1];
        }
    }
    let triangles = (0..count as u32)
        .map(|t| [3 * t, 3 * t + 1, 3 * t + 2])
        .collect();
    TriangleMesh::single_group(points, triangles, "soup")
}

/// Returns every tracer but the brute-force reference, for every instruction set of this CPU.
pub(crate) fn fast_tracers(surface: &Arc<Surface>) -> Vec<(String, Box<dyn Tracer>)> {
    use wavefield_numerics::cpu::Simd;
    let mut tracers: Vec<(String, Box<dyn Tracer>)> =
        vec![("kd-tree".into(), Box::new(KdTracer::new(surface.clone())))];
    for simd in [Simd::Avx512, Simd::Avx2, Simd::Neon, Simd::Scalar] {
        if let Ok(tracer) = BvhTracer::with_simd(surface.clone(), simd) {
            tracers.push((simd.to_string(), Box::new(tracer)));
        }
    }
    tracers
}

pub(crate) fn plain(surface: &Arc<Surface>) -> BruteForceTracer {
    BruteForceTracer::new(surface.clone())
}

/// Returns parallel rays over a body, from a direction.
pub(crate) fn grid(surface: &Surface, from: [f64; 3], columns: usize, rows: usize) -> RayGrid {
    let size = dot(from, from).sqrt();
    let from = from.map(|v| v / size);
    let aside = if from[2].abs() < 0.9 {
        [0.0, 0.0, 1.0]
    } else {
        [1.0, 0.0, 0.0]
    };
    let across = cross(aside, from);
    let across = across.map(|v| v / dot(across, across).sqrt());
    let up = cross(from, across);
    let reach = surface.radius() * 1.05;
    let (c, r) = (2.0 * reach / columns as f64, 2.0 * reach / rows as f64);
    let center = surface.center();
    RayGrid {
        origin: [0, 1, 2].map(|k| {
            center[k] + 3.0 * reach * from[k]
                - (reach - 0.5 * c) * across[k]
                - (reach - 0.5 * r) * up[k]
        }),
        column_step: across.map(|v| v * c),
        row_step: up.map(|v| v * r),
        direction: from.map(|v| -v),
        columns,
        rows,
    }
}

/// Returns the folder of the Austin data; `None` if it is missing, which is an error in CI.
pub(crate) fn austin_folder() -> Option<PathBuf> {
    let named = std::env::var_os("WAVEFIELD_DATA").map(PathBuf::from);
    let found = named
        .into_iter()
        .flat_map(|folder| [folder.join("austin-rcs"), folder]);
    let above = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors();
    let mut found = found.chain(above.map(|folder| folder.join("shared/data/austin-rcs")));
    let found = found.find(|folder| folder.join("mesh").is_dir());
    if found.is_none() {
        assert!(
            std::env::var_os("CI").is_none(),
            "the Austin RCS data are missing"
        );
        println!(
            "SKIPPED: no Austin RCS data; set WAVEFIELD_DATA to the folder that holds austin-rcs"
        );
    }
    found
}
