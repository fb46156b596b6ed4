//! Hits of the GPU are bitwise identical to those of the CPU.

use std::sync::Arc;

use wavefield_gpu::Gpu;
use wavefield_mesh::{TriangleMesh, primitive};
use wavefield_sbr::gpu::Arithmetic;
use wavefield_sbr::{BvhTracer, GpuScatterer, Hit, Ray, RayGrid, Scatterer, Surface, Tracer};

fn gpu() -> Gpu {
    Gpu::open(None).expect("GPU tests do not skip: install mesa-vulkan-drivers")
}

/// Compares the hits of rays in all formats; returns the maximum fraction of rays traced on the CPU, in formats
/// of more than single precision.
fn compare(mesh: &TriangleMesh, rays: &[Ray]) -> f64 {
    let gpu = gpu();
    let tracer = BvhTracer::new(Arc::new(Surface::new(mesh).unwrap()));
    let body = Scatterer::new(mesh).unwrap();
    let mut wanted = vec![Hit::MISS; rays.len()];
    tracer.nearest_of(rays, &mut wanted);
    assert!(wanted.iter().filter(|hit| !hit.is_miss()).count() > rays.len() / 20);
    let double = gpu.capabilities().f64.then_some(Arithmetic::Double);
    let exact = double.into_iter().chain([Arithmetic::DoubleFloat]);
    let mut largest: f64 = 0.0;
    for arithmetic in exact.chain([Arithmetic::Single]) {
        let on_gpu = GpuScatterer::with_arithmetic(&gpu, &body, arithmetic).unwrap();
        let mut found = vec![Hit::MISS; rays.len()];
        on_gpu.tracer().nearest_of(rays, &mut found);
        let [_, undecided] = on_gpu.tracer().traced();
        println!("{arithmetic:?}: {undecided} of {} undecided", rays.len());
        for ((ray, wanted), found) in rays.iter().zip(&wanted).zip(&found) {
            assert_eq!(found, wanted, "{arithmetic:?} {ray:?}");
        }
        if arithmetic != Arithmetic::Single {
            largest = largest.max(undecided as f64 / rays.len() as f64);
        }
    }
    largest
}

/// Returns parallel rays with their reflections up to the fourth.
fn bouncing(mesh: &TriangleMesh, direction: [f64; 3], side: f64, count: usize) -> Vec<Ray> {
    let tracer = BvhTracer::new(Arc::new(Surface::new(mesh).unwrap()));
    let surface = tracer.surface();
    let step = 2.0 * side / count as f64;
    let grid = RayGrid {
        origin: [0, 1, 2].map(|axis| {
            let corner = if axis == 0 { 0.0 } else { -side };
            surface.center()[axis] + corner - 1.5 * surface.radius() * direction[axis]
        }),
        column_step: [0.0, step, 0.0],
        // A different step: otherwise rows would lie on the diagonals of square faces.
        row_step: [0.0, 0.0, 0.97 * step],
        direction,
        columns: count,
        rows: count,
    };
    let mut rays: Vec<Ray> = (0..grid.count())
        .map(|number| grid.ray(number % count, number / count))
        .collect();
    let mut first = 0;
    for _ in 0..3 {
        let mut hits = vec![Hit::MISS; rays.len() - first];
        tracer.nearest_of(&rays[first..], &mut hits);
        let next: Vec<Ray> = rays[first..]
            .iter()
            .zip(&hits)
            .filter(|(_, hit)| !hit.is_miss())
            .map(|(ray, hit)| surface.reflect(ray, hit))
            .collect();
        first = rays.len();
        rays.extend(next);
    }
    rays
}

#[test]
fn on_a_sphere_of_many_facets_away_from_the_origin() {
    let mut mesh = primitive::sphere(1.0, 0.03).unwrap();
    for point in &mut mesh.points {
        *point = [point[0] + 30.0, point[1] - 20.0, point[2] + 7.0];
    }
    let direction = [-0.8, 0.36, -0.48];
    let undecided = compare(&mesh, &bouncing(&mesh, direction, 1.2, 200));
    assert!(undecided < 1e-3, "{undecided}");
}

#[test]
fn in_a_corner() {
    let mesh = primitive::square_trihedral(1.0, 0.1).unwrap();
    let undecided = compare(&mesh, &bouncing(&mesh, [-0.6, -0.64, -0.48], 1.2, 201));
    assert!(undecided < 1e-3, "{undecided}");
}

#[test]
fn of_rays_through_corners_and_along_faces() {
    // Cases decided by rounding: rays toward vertices of facets, and along the faces of a corner.
    let mesh = primitive::square_trihedral(1.0, 0.25).unwrap();
    let from = [2.0, 1.9, 1.7];
    let at_corners = (mesh.points.iter())
        .map(|point| Ray::new(from, [0, 1, 2].map(|axis| point[axis] - from[axis])));
    let along_faces = (0..50).map(|number| {
        let height = f64::from(number) * 0.02;
        Ray::new([2.0, 0.0, height], [-1.0, 0.0, 0.0])
    });
    let far_away = (0..50).map(|number| {
        let height = f64::from(number) * 0.02;
        Ray::new([1e4, 0.3, height], [-1.0, 0.0, 0.0])
    });
    let rays: Vec<Ray> = at_corners.chain(along_faces).chain(far_away).collect();
    compare(&mesh, &rays);
}

#[test]
fn of_rays_that_leave_points_next_to_the_edges_of_facets() {
    // Rays of the pieces of long facets: toward a source, from the vertices of a lattice.
    let mesh = primitive::square_trihedral(1.0, 0.25).unwrap();
    let surface = Surface::new(&mesh).unwrap();
    let places = [[0.0, 0.0], [0.5, 0.0], [1.0, 0.0], [0.5, 0.5], [0.0, 0.25]];
    let rays: Vec<Ray> = (0..surface.count() as u32)
        .flat_map(|triangle| places.map(|[u, v]| (triangle, surface.inside(triangle, u, v))))
        .flat_map(|(triangle, origin)| {
            [[0.6, 0.64, 0.48], [0.1, 0.2, 0.97], [-0.6, 0.64, 0.48]].map(|direction| Ray {
                leaves: triangle,
                ..Ray::new(origin, direction)
            })
        })
        .collect();
    let undecided = compare(&mesh, &rays);
    assert!(undecided < 1e-3, "{undecided}");
}

#[test]
fn of_rays_that_are_none() {
    let mesh = primitive::plate(1.0, 1.0, 1.0).unwrap();
    let body = Scatterer::new(&mesh).unwrap();
    let on_gpu = GpuScatterer::new(&gpu(), &body).unwrap();
    let rays = [
        Ray::new([f64::NAN, 0.0, 1.0], [0.0, 0.0, -1.0]),
        Ray::new([0.0, 0.0, 1.0], [0.0; 3]),
        Ray::new([0.0, 0.0, 1.0], [0.0, f64::INFINITY, -1.0]),
    ];
    let mut hits = [Hit {
        distance: 1.0,
        u: 0.0,
        v: 0.0,
        triangle: 0,
    }; 3];
    on_gpu.tracer().nearest_of(&rays, &mut hits);
    assert_eq!(hits, [Hit::MISS; 3]);
    on_gpu.tracer().nearest_of(&[], &mut []);
}
