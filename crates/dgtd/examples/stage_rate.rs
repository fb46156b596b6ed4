//! How fast stages are, against products of matrices and against memory, measured in turn in the same run.
//!
//!     stage_rate THREADS [ORDERS]        e.g. stage_rate 2 1,2,3
//!
//! One degree of freedom (DOF) is one component of E or H at one node. GFLOP/s and "% SGEMM" count the operations of
//! the equations as they are written, 36 Np² + 66 Np for curls, 244 Nf + Np (48 Nf + 6) for fluxes and 24 Np for the
//! Runge–Kutta step of an element with Np nodes, Nf on a face. Symmetry saves most of these, so that more than 100 %
//! is possible: it is the rate an SGEMM-based program would need to keep up. "% STREAM" counts 16 bytes for a DOF and
//! what is known of its element; the triad counts 12 bytes for an entry.

use std::error::Error;
use std::time::Instant;

use faer::linalg::matmul::matmul;
use faer::{Accum, Mat, Par};
use rayon::prelude::*;
use wavefield_compute::cpu::CpuPool;
use wavefield_dgtd::{
    BlockEngine, Boundary, Discretisation, Engine, LayerShape, Meaning, Medium, plain,
};
use wavefield_mesh::primitive::tetrahedral_box;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (threads, orders) = match &arguments[..] {
        [threads] => (threads.parse()?, (1..=8).collect()),
        [threads, orders] => {
            let orders: Result<Vec<usize>, _> = orders.split(',').map(str::parse).collect();
            (threads.parse()?, orders?)
        }
        _ => return Err("usage: stage_rate THREADS [ORDERS]".into()),
    };
    let pool = CpuPool::new(Some(threads))?;
    println!("{}", pool.describe());
    println!("  N  elements   MDOF/s   GFLOP/s  SGEMM  % SGEMM   STREAM GB/s  % STREAM");
    for order in orders {
        pool.install(|| row(order, threads))?;
    }
    Ok(())
}

/// Measures one order.
fn row(order: usize, threads: usize) -> Result<(), Box<dyn Error>> {
    // 384,000 elements of order 1, 164,640 of order 2, 48,000 of higher orders: more than caches hold.
    let cells = [40, 30][..].get(order - 1).copied().unwrap_or(20);
    let mut mesh = tetrahedral_box([1.0; 3], [cells; 3], [0; 3])?;
    for (number, point) in mesh.points.iter_mut().enumerate() {
        for (axis, x) in point.iter_mut().enumerate() {
            *x += 0.1 / f64::from(cells) * ((7 * number + 3 * axis) as f64).sin();
        }
    }
    let meaning = Meaning {
        media: vec![Medium::VACUUM; mesh.volume_groups.len()],
        layers: vec![false; mesh.volume_groups.len()],
        surfaces: vec![Some(Boundary::ElectricWall); mesh.surface_groups.len()],
        outside: Boundary::ElectricWall,
        upwind: 1.0,
        layer: LayerShape::default(),
    };
    let d = Discretisation::new(&mesh, order, &meaning)?;
    let mut engine = BlockEngine::<f32>::new(&d);
    engine.set(&plain::State::from_fn(&d, |[x, y, z]| {
        [[x.sin(), y.cos(), z], [y, z * x, x.cos()]]
    }));
    let dt = d.time_step(0.1);
    let (mut seconds, mut sgemm, mut stream) = (f64::INFINITY, 0.0_f64, 0.0_f64);
    for _ in 0..4 {
        sgemm = sgemm.max(sgemm_rate(threads));
        for _ in 0..5 {
            let start = Instant::now();
            engine.stage(-0.5, 0.3, dt);
            seconds = seconds.min(start.elapsed().as_secs_f64());
        }
        stream = stream.max(stream_rate());
    }
    let elements = d.elements() as f64;
    let (nodes, on_face) = (
        d.reference.nodes() as f64,
        d.reference.nodes_on_face() as f64,
    );
    let operations = 36.0 * nodes * nodes
        + 66.0 * nodes
        + 244.0 * on_face
        + nodes * (48.0 * on_face + 6.0)
        + 24.0 * nodes;
    let unknowns = 6.0 * nodes * elements;
    let rate = operations * elements / seconds / 1e9;
    let bytes = 16.0 * unknowns + engine.geometry_bytes() as f64;
    println!(
        "{order:3} {elements:9} {:8.0} {rate:9.1} {sgemm:6.1} {:8.1} {stream:13.1} {:9.1}",
        unknowns / seconds / 1e6,
        100.0 * rate / sgemm,
        100.0 * bytes / seconds / 1e9 / stream,
    );
    Ok(())
}

/// GFLOP/s of products of single-precision matrices of 2048 rows, one for each thread at a time.
fn sgemm_rate(threads: usize) -> f64 {
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

/// GB/s of a = b + 3 c over arrays of 64 MB, counting 12 bytes for an entry.
fn stream_rate() -> f64 {
    let length = 1 << 24;
    let part = 1 << 18;
    let mut a = vec![0.0_f32; length];
    let (b, c) = (vec![1.0_f32; length], vec![2.0_f32; length]);
    let best = (0..5).map(|_| {
        let start = Instant::now();
        a.par_chunks_mut(part)
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
