//! Throughput of the ray tracer in rays per second, for `bench/peers/embree`.
//!
//!     trace_rate export <mesh file | sphere:EDGE> SIDE OUT   mesh, grid and first reflections as one file
//!     trace_rate rate FILE THREADS REPEATS                   best rates in million rays per second, as JSON
//!     trace_rate statistics <mesh file | sphere:EDGE> SIDE   the kd-tree in numbers

mod kd_tree;

use std::error::Error;
use std::io::Write;
use std::sync::Arc;
use std::time::Instant;

use kd_tree::KdTracer;
use wavefield_mesh::{Limits, TriangleMesh, primitive, read_any};
use wavefield_numerics::cpu::CpuPool;
use wavefield_sbr::{BvhTracer, Hit, Ray, RayGrid, Surface, Tracer};

type Outcome<T> = Result<T, Box<dyn Error>>;

fn main() -> Outcome<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words[..] {
        ["export", mesh, side, out] => export(mesh, side.parse()?, out),
        ["statistics", mesh, side] => statistics(mesh, side.parse()?),
        ["rate", file, threads, repeats] => rate(file, threads.parse()?, repeats.parse()?),
        _ => Err("invalid arguments; see the header of trace_rate.rs".into()),
    }
}

fn load(name: &str) -> Outcome<TriangleMesh> {
    if let Some(edge) = name.strip_prefix("sphere:") {
        return Ok(primitive::sphere(1.0, edge.parse()?)?);
    }
    let loaded = read_any(name, &std::fs::read(name)?, &Limits::default())?;
    loaded
        .mesh
        .into_surface()
        .ok_or_else(|| "the file contains no surface; export a triangle mesh".into())
}

/// Returns parallel rays over the projected area of the surface, from θ = 70°, φ = 30°.
fn grid(surface: &Surface, side: usize) -> RayGrid {
    let (theta, phi) = (70.0_f64.to_radians(), 30.0_f64.to_radians());
    let from = [
        theta.sin() * phi.cos(),
        theta.sin() * phi.sin(),
        theta.cos(),
    ];
    let across = [-phi.sin(), phi.cos(), 0.0];
    let up = [
        -theta.cos() * phi.cos(),
        -theta.cos() * phi.sin(),
        theta.sin(),
    ];
    let dot = |a: [f64; 3], b: [f64; 3]| a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    let center = surface.center();
    let mut reach = [[f64::INFINITY, f64::NEG_INFINITY]; 2];
    for triangle in 0..surface.count() as u32 {
        for corner in surface.corners(triangle) {
            let p = [0, 1, 2].map(|k| corner[k] - center[k]);
            for (axis, reach) in [across, up].into_iter().zip(&mut reach) {
                reach[0] = reach[0].min(dot(p, axis));
                reach[1] = reach[1].max(dot(p, axis));
            }
        }
    }
    let step = reach.map(|[low, high]| (high - low) / side as f64);
    let origin = [0, 1, 2].map(|k| {
        center[k]
            + 2.0 * surface.radius() * from[k]
            + (reach[0][0] + 0.5 * step[0]) * across[k]
            + (reach[1][0] + 0.5 * step[1]) * up[k]
    });
    RayGrid {
        origin,
        column_step: across.map(|value| value * step[0]),
        row_step: up.map(|value| value * step[1]),
        direction: from.map(|value| -value),
        columns: side,
        rows: side,
    }
}

fn export(mesh: &str, side: usize, out: &str) -> Outcome<()> {
    let mesh = load(mesh)?;
    let surface = Arc::new(Surface::new(&mesh)?);
    let grid = grid(&surface, side);
    let tracer = BvhTracer::new(surface.clone());
    let mut hits = vec![Hit::MISS; grid.count()];
    tracer.nearest_of_grid(&grid, &mut hits);
    let reflected: Vec<Ray> = (hits.iter().enumerate())
        .filter(|(_, hit)| !hit.is_miss())
        .map(|(number, hit)| surface.reflect(&grid.ray(number % side, number / side), hit))
        .collect();
    let mut bytes = Vec::new();
    for count in [
        mesh.points.len(),
        mesh.triangles.len(),
        side,
        reflected.len(),
    ] {
        bytes.extend((count as u64).to_le_bytes());
    }
    let vectors = [grid.origin, grid.column_step, grid.row_step, grid.direction];
    let vectors = vectors.iter().chain(&mesh.points);
    let rays = reflected
        .iter()
        .flat_map(|ray| [&ray.origin, &ray.direction]);
    for value in vectors.chain(rays).flatten() {
        bytes.extend(value.to_le_bytes());
    }
    let numbers = mesh.triangles.iter().flatten().copied();
    for number in numbers.chain(reflected.iter().map(|ray| ray.leaves)) {
        bytes.extend(number.to_le_bytes());
    }
    std::fs::File::create(out)?.write_all(&bytes)?;
    Ok(())
}

/// Maximum number of reflections in the statistics, as in the paper.
const MAX_HITS: usize = 5;

fn statistics(mesh: &str, side: usize) -> Outcome<()> {
    let surface = Arc::new(Surface::new(&load(mesh)?)?);
    let grid = grid(&surface, side);
    let start = Instant::now();
    let tracer = KdTracer::new(surface);
    println!("built in {:.2} s", start.elapsed().as_secs_f64());
    println!("{:#?}", tracer.tree_statistics());
    let rays: Vec<Ray> = (0..grid.count())
        .map(|number| grid.ray(number % side, number / side))
        .collect();
    let names = ["primary", "reflected"];
    for (name, count) in names.iter().zip(tracer.walk_statistics(&rays, MAX_HITS)) {
        let per_ray = |total: u64| total as f64 / count.rays.max(1) as f64;
        println!(
            "{name}: {} rays, {} hits; per ray {:.2} standard steps, {:.2} steps, {:.2} leaves, {:.2} tests",
            count.rays,
            count.hits,
            per_ray(count.standard_steps),
            per_ray(count.steps),
            per_ray(count.leaves),
            per_ray(count.tests),
        );
    }
    let mut hits = vec![Hit::MISS; rays.len()];
    let time = best(3, || tracer.nearest_of(&rays, &mut hits));
    println!(
        "{:.2} million primary rays per second",
        rays.len() as f64 / time * 1e-6
    );
    Ok(())
}

/// Data written by `export`.
struct Case {
    mesh: TriangleMesh,
    grid: RayGrid,
    reflected: Vec<Ray>,
}

fn import(file: &str) -> Outcome<Case> {
    let bytes = std::fs::read(file)?;
    let mut rest = &bytes[..];
    let mut take = |count: usize| -> Outcome<&[u8]> {
        let (taken, left) = rest
            .split_at_checked(count)
            .ok_or("the file is truncated; export it again")?;
        rest = left;
        Ok(taken)
    };
    let mut counts = [0; 4];
    for count in &mut counts {
        *count = u64::from_le_bytes(take(8)?.try_into()?) as usize;
    }
    let [points, triangles, side, rays] = counts;
    let mut vectors = Vec::new();
    for _ in 0..4 + points + 2 * rays {
        let mut vector = [0.0; 3];
        for value in &mut vector {
            *value = f64::from_le_bytes(take(8)?.try_into()?);
        }
        vectors.push(vector);
    }
    let mut numbers = Vec::new();
    for _ in 0..3 * triangles + rays {
        numbers.push(u32::from_le_bytes(take(4)?.try_into()?));
    }
    let (corners, leaves) = numbers.split_at(3 * triangles);
    let corners = corners.chunks(3).map(|c| [c[0], c[1], c[2]]).collect();
    let reflected = (vectors[4 + points..].chunks(2).zip(leaves))
        .map(|(ray, &leaves)| Ray {
            origin: ray[0],
            direction: ray[1],
            leaves,
        })
        .collect();
    Ok(Case {
        grid: RayGrid {
            origin: vectors[0],
            column_step: vectors[1],
            row_step: vectors[2],
            direction: vectors[3],
            columns: side,
            rows: side,
        },
        mesh: TriangleMesh::single_group(vectors[4..4 + points].to_vec(), corners, "mesh"),
        reflected,
    })
}

fn rate(file: &str, threads: usize, repeats: usize) -> Outcome<()> {
    let case = import(file)?;
    let surface = Arc::new(Surface::new(&case.mesh)?);
    let pool = CpuPool::new(Some(threads))?;
    pool.install(|| {
        let start = Instant::now();
        let tracer = BvhTracer::new(surface);
        let build = start.elapsed().as_secs_f64();
        let mut hits = vec![Hit::MISS; case.grid.count()];
        let primary = best(repeats, || tracer.nearest_of_grid(&case.grid, &mut hits));
        let primary_hits = hits.iter().filter(|hit| !hit.is_miss()).count();
        let mut hits = vec![Hit::MISS; case.reflected.len()];
        let reflected = best(repeats, || tracer.nearest_of(&case.reflected, &mut hits));
        let reflected_hits = hits.iter().filter(|hit| !hit.is_miss()).count();
        println!(
            "{{\"primary\": {:.3}, \"reflected\": {:.3}, \"primary_hits\": {primary_hits}, \
             \"reflected_hits\": {reflected_hits}, \"build\": {build:.3}, \"memory\": {}}}",
            case.grid.count() as f64 / primary * 1e-6,
            case.reflected.len() as f64 / reflected * 1e-6,
            tracer.memory(),
        );
    });
    Ok(())
}

/// Returns the shortest time of several runs, s.
fn best(repeats: usize, mut work: impl FnMut()) -> f64 {
    let time = |_| {
        let start = Instant::now();
        work();
        start.elapsed().as_secs_f64()
    };
    (0..repeats).map(time).fold(f64::INFINITY, f64::min)
}
