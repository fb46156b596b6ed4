//! Throughput of DGTD stages relative to matrix products (SGEMM) and memory bandwidth (STREAM triad), measured
//! alternately.
//!
//! One degree of freedom (DOF) is one component of E or H at one node. GFLOP/s count the operations of the equations as
//! written: 36 Np² + 66 Np for curls, 244 Nf + Np (48 Nf + 6) for fluxes, and 24 Np for the Runge–Kutta step of an
//! element with Np nodes, Nf on a face. Symmetry of the tetrahedron saves most of these, so that more than 100 % of
//! SGEMM is possible: it is the rate that an implementation by matrix products would need. Memory traffic counts 16
//! bytes per DOF plus the data of the element; the triad counts 12 bytes per entry.

use std::time::Instant;

use faer::linalg::matmul::matmul;
use faer::{Accum, Mat, Par};
use rayon::prelude::*;
use wavefield_dgtd::reference::State;
use wavefield_dgtd::{BlockEngine, Discretization, Engine, PhysicalGroups, stable_step};
use wavefield_mesh::primitive::tetrahedral_box;
use wavefield_numerics::cpu::CpuPool;

use crate::measure::{Limit, Measured, Metrics};
use wavefield::Error;

/// Number of alternations of products, stages, and memory.
const TURNS: usize = 4;

pub(super) fn kernel() -> Result<Measured, Error> {
    let mut metrics = Metrics::new();
    for threads in [1, 2] {
        let pool = CpuPool::new(Some(threads))?;
        for order in 1..=8 {
            let row = pool.install(|| Row::measured(order, threads))?;
            let name = |what: &str| metric(what, order, threads);
            metrics.insert(name("mdof"), row.unknowns / row.seconds / 1e6);
            metrics.insert(name("gflops"), row.operations / row.seconds / 1e9);
            let of_products = 100.0 * row.operations / row.seconds / 1e9 / row.products;
            let of_memory = 100.0 * row.bytes / row.seconds / 1e9 / row.memory;
            metrics.insert(name("percent_sgemm"), of_products);
            metrics.insert(name("percent_stream"), of_memory);
        }
    }
    Ok(metrics.into())
}

/// Minimum fractions of the machine's bounds: of memory bandwidth at low orders, of SGEMM at high ones.
pub(super) fn kernel_limits() -> Vec<(String, Limit)> {
    let of_order = |threads: usize| {
        (1..=8).map(move |order| {
            let (what, least) = match order {
                1 | 2 => ("percent_stream", 70.0),
                3 | 4 => ("percent_sgemm", 70.0),
                5 => ("percent_sgemm", 85.0),
                _ => ("percent_sgemm", 90.0),
            };
            (metric(what, order, threads), Limit::AtLeast(least))
        })
    };
    of_order(1).chain(of_order(2)).collect()
}

/// Returns the name of a metric for an order and a number of threads.
fn metric(what: &str, order: usize, threads: usize) -> String {
    match threads {
        1 => format!("{what}_{order}"),
        _ => format!("{what}_{order}_two_threads"),
    }
}

/// Measurements of one order.
struct Row {
    unknowns: f64,
    /// Operations per stage.
    operations: f64,
    /// Minimum memory traffic of a stage, bytes.
    bytes: f64,
    /// Best time of a stage, s.
    seconds: f64,
    /// SGEMM rate, GFLOP/s.
    products: f64,
    /// STREAM triad bandwidth, GB/s.
    memory: f64,
}

impl Row {
    fn measured(order: usize, threads: usize) -> Result<Row, Error> {
        let d = discretized(order)?;
        let mut engine = BlockEngine::<f32>::new(&d);
        engine.set(&State::from_fn(&d, |[x, y, z]| {
            [[x.sin(), y.cos(), z], [y, z * x, x.cos()]]
        }));
        let dt = 0.1 * stable_step(&d);
        let (mut seconds, mut products, mut memory) = (f64::INFINITY, 0.0_f64, 0.0_f64);
        for _ in 0..TURNS {
            products = products.max(sgemm(threads));
            for _ in 0..5 {
                let start = Instant::now();
                engine.stage(-0.5, 0.3, dt);
                seconds = seconds.min(start.elapsed().as_secs_f64());
            }
            memory = memory.max(triad());
        }
        let elements = d.elements() as f64;
        let nodes = d.reference.nodes() as f64;
        let on_face = d.reference.nodes_on_face() as f64;
        let of_element = 36.0 * nodes * nodes
            + 66.0 * nodes
            + 244.0 * on_face
            + nodes * (48.0 * on_face + 6.0)
            + 24.0 * nodes;
        let unknowns = 6.0 * nodes * elements;
        Ok(Row {
            unknowns,
            operations: of_element * elements,
            bytes: 16.0 * unknowns + engine.geometry_bytes() as f64,
            seconds,
            products,
            memory,
        })
    }
}

/// Returns cells cut into six tetrahedra with displaced vertices, so that all elements differ: 384,000 elements of
/// order 1, 162,000 of order 2, 48,000 of higher orders, more than fit into caches.
fn discretized(order: usize) -> Result<Discretization, Error> {
    let cells = match order {
        1 => 40,
        2 => 30,
        _ => 20,
    };
    let mut mesh = tetrahedral_box([1.0; 3], [cells; 3], [0; 3])
        .map_err(|error| Error::runtime(error.to_string()))?;
    for (number, point) in mesh.points.iter_mut().enumerate() {
        for (axis, x) in point.iter_mut().enumerate() {
            *x += 0.1 / f64::from(cells) * ((7 * number + 3 * axis) as f64).sin();
        }
    }
    Ok(Discretization::new(
        &mesh,
        order,
        &PhysicalGroups::vacuum(&mesh),
    )?)
}

/// Measures the rate of single-precision products of matrices with 2048 rows, one per thread at a time, GFLOP/s.
fn sgemm(threads: usize) -> f64 {
    let size = 2048;
    let entry = |i: usize, j: usize| ((7 * i + 3 * j) % 13) as f32;
    let mut operands: Vec<[Mat<f32>; 3]> = (0..threads)
        .map(|_| {
            let [a, b] = [0, 1].map(|_| Mat::from_fn(size, size, entry));
            [a, b, Mat::zeros(size, size)]
        })
        .collect();
    let best = (0..3).map(|_| {
        let start = Instant::now();
        operands.par_iter_mut().for_each(|[a, b, product]| {
            let (a, b) = (a.as_ref(), b.as_ref());
            matmul(product.as_mut(), Accum::Replace, a, b, 1.0, Par::Seq);
        });
        start.elapsed().as_secs_f64()
    });
    let seconds = best.fold(f64::INFINITY, f64::min);
    threads as f64 * 2.0 * (size as f64).powi(3) / seconds / 1e9
}

/// Measures the bandwidth of a = b + 3 c over arrays of 64 MB, counting 12 bytes per entry, GB/s.
fn triad() -> f64 {
    let length = 1 << 24;
    let part = 1 << 18;
    let mut a = vec![0.0_f32; length];
    let (b, c) = (vec![1.0_f32; length], vec![2.0_f32; length]);
    let best = (0..5).map(|_| {
        let start = Instant::now();
        (a.par_chunks_mut(part))
            .zip(b.par_chunks(part))
            .zip(c.par_chunks(part))
            .for_each(|((a, b), c)| {
                for ((a, b), c) in a.iter_mut().zip(b).zip(c) {
                    *a = b + 3.0 * c;
                }
            });
        start.elapsed().as_secs_f64()
    });
    let seconds = best.fold(f64::INFINITY, f64::min);
    12.0 * length as f64 / seconds / 1e9
}
