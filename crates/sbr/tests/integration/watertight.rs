//! Watertightness: no ray passes between the triangles of a closed surface.

use super::common::{Numbers, fast_tracers, grid, surface, toward};
use wavefield_mesh::{TriangleMesh, primitive};
use wavefield_sbr::{Hit, Ray};

/// Checks that rays from inside toward and near all vertices and edge midpoints hit.
fn no_leak(mesh: &TriangleMesh, inside: [f64; 3]) {
    let surface = surface(mesh);
    let mut targets = mesh.points.clone();
    let mut numbers = Numbers::new(3);
    for triangle in 0..mesh.triangles.len() {
        let [a, b, c] = mesh.corners(triangle);
        for (p, q) in [(a, b), (b, c), (c, a)] {
            let at = 0.5 + 0.5 * numbers.next();
            targets.push([0, 1, 2].map(|k| 0.5 * (p[k] + q[k])));
            targets.push([0, 1, 2].map(|k| p[k] + at * (q[k] - p[k])));
        }
    }
    // Adjacent floating-point numbers as well.
    let nudged: Vec<[f64; 3]> = (targets.iter())
        .map(|p| {
            p.map(|v| {
                if numbers.next() > 0.0 {
                    v.next_up()
                } else {
                    v.next_down()
                }
            })
        })
        .collect();
    targets.extend(nudged);
    let rays: Vec<Ray> = targets
        .iter()
        .map(|&target| toward(inside, target))
        .collect();
    for (name, tracer) in fast_tracers(&surface) {
        let mut hits = vec![Hit::MISS; rays.len()];
        tracer.nearest_of(&rays, &mut hits);
        let leaks = hits.iter().filter(|hit| hit.is_miss()).count();
        assert_eq!(leaks, 0, "{name}: of {} rays", rays.len());
        // The position of the hit is correct.
        for (hit, (ray, target)) in hits.iter().zip(rays.iter().zip(&targets)) {
            let point = ray.at(hit.distance);
            let off = (0..3)
                .map(|k| (point[k] - target[k]).abs())
                .fold(0.0, f64::max);
            assert!(off < 1e-9 * surface.radius(), "{name}: {off:e}");
        }
    }
}

#[test]
fn sphere_seen_from_inside() {
    let sphere = primitive::sphere(1.0, 0.15).unwrap();
    no_leak(&sphere, [0.0; 3]);
    no_leak(&sphere, [0.1, -0.2, 0.3]);
}

#[test]
fn cuboid_seen_from_inside() {
    let cuboid = primitive::cuboid([1.0, 0.7, 0.3], 0.1).unwrap();
    no_leak(&cuboid, [0.0; 3]);
    no_leak(&cuboid, [0.25, 0.1, 0.05]);
}

#[test]
fn parallel_rays_through_the_corners_of_a_cuboid_hit_its_front() {
    // Rays pass exactly through edges and vertices of the 0.1 m mesh.
    let cuboid = primitive::cuboid([0.8, 0.8, 0.8], 0.15).unwrap();
    let surface = surface(&cuboid);
    let mut grid = grid(&surface, [0.0, 0.0, 1.0], 9, 9);
    grid.column_step = [0.1, 0.0, 0.0];
    grid.row_step = [0.0, 0.1, 0.0];
    grid.origin = [-0.4, -0.4, 2.0];
    for (name, tracer) in fast_tracers(&surface) {
        let mut hits = vec![Hit::MISS; grid.count()];
        tracer.nearest_of_grid(&grid, &mut hits);
        for (number, hit) in hits.iter().enumerate() {
            // On the boundary the rounding of coordinates decides.
            let inner = |n: usize| n > 0 && n < 8;
            if inner(number % 9) && inner(number / 9) {
                assert!(
                    (hit.distance - 1.6).abs() < 1e-12,
                    "{name}: {number} {hit:?}"
                );
            }
        }
    }
}

#[test]
fn rays_inside_a_closed_body_never_get_out() {
    // Concave edges everywhere; rays often start on edges and graze.
    for mesh in [
        primitive::cuboid([1.0, 1.0, 1.0], 0.3).unwrap(),
        primitive::sphere(1.0, 0.4).unwrap(),
    ] {
        let surface = surface(&mesh);
        let mut numbers = Numbers::new(11);
        for (name, tracer) in fast_tracers(&surface) {
            for number in 0..300 {
                let target = if number % 2 == 0 {
                    let [a, b, _] = mesh.corners(number % mesh.triangles.len());
                    [0, 1, 2].map(|k| 0.5 * (a[k] + b[k]))
                } else {
                    numbers.point().map(|v| 0.4 * v)
                };
                let from = numbers.point().map(|v| 0.3 * v);
                let mut hits = Vec::new();
                tracer.path(&toward(from, target), 50, &mut hits);
                assert_eq!(hits.len(), 50, "{name}: ray {number}");
            }
        }
    }
}

#[test]
fn rays_reflected_by_a_convex_body_never_hit_it_again() {
    let sphere = primitive::sphere(1.0, 0.1).unwrap();
    let surface = surface(&sphere);
    let mut numbers = Numbers::new(5);
    for (name, tracer) in fast_tracers(&surface) {
        for number in 0..3000 {
            let [a, b, _] = sphere.corners(number % sphere.triangles.len());
            let at = 0.5 + 0.5 * numbers.next();
            // Edges, where neighbors are nearest, some of them at grazing incidence.
            let target = [0, 1, 2].map(|k| a[k] + at * (b[k] - a[k]));
            let from = numbers.direction();
            let ray = toward(from.map(|v| 4.0 * v), target);
            let mut hits = Vec::new();
            tracer.path(&ray, 5, &mut hits);
            assert!(hits.len() <= 1, "{name}: {hits:?}");
        }
    }
}
