//! Hits of all tracers are bitwise identical to those of the brute-force reference.

use std::sync::Arc;

use super::common::{Numbers, fast_tracers, grid, plain, soup, surface, toward};
use wavefield_mesh::{TriangleMesh, primitive};
use wavefield_sbr::{BvhTracer, Error, Hit, Ray, Surface, Tracer};

fn bodies() -> Vec<(&'static str, TriangleMesh)> {
    let mut moved = primitive::cuboid([3.0, 2.0, 1.0], 0.3).unwrap();
    for point in &mut moved.points {
        *point = [point[0] + 1000.0, point[1] - 500.0, point[2] + 20.0];
    }
    vec![
        ("soup", soup(400, 1)),
        ("small soup", soup(3, 2)),
        ("one triangle", soup(2, 5).part("soup").unwrap()),
        ("sphere", primitive::sphere(0.7, 0.2).unwrap()),
        ("cuboid", primitive::cuboid([1.0, 2.0, 0.5], 0.25).unwrap()),
        ("corner", primitive::square_trihedral(1.0, 0.3).unwrap()),
        ("plate", primitive::plate(2.0, 1.0, 0.5).unwrap()),
        ("cuboid far from the origin", moved),
    ]
}

/// Rays from outside, from inside, from far away, along axes, and toward vertices and edges.
fn rays(surface: &Surface, count: usize) -> Vec<Ray> {
    let mut numbers = Numbers::new(7);
    let (center, radius) = (surface.center(), surface.radius());
    let mut rays = Vec::new();
    for number in 0..count {
        let reach = radius * [0.5, 1.5, 3.0, 1000.0][number % 4];
        let from = numbers.direction();
        let from = [0, 1, 2].map(|k| center[k] + reach * from[k]);
        let triangle = (numbers.next().abs() * surface.count() as f64) as u32;
        let corners = surface.corners(triangle.min(surface.count() as u32 - 1));
        let mut to = match number % 5 {
            0 => corners[0],
            1 => [0, 1, 2].map(|k| 0.5 * (corners[0][k] + corners[1][k])),
            2 => [0, 1, 2].map(|k| (corners[0][k] + corners[1][k] + corners[2][k]) / 3.0),
            _ => {
                let p = numbers.point();
                [0, 1, 2].map(|k| center[k] + radius * p[k])
            }
        };
        if number % 7 == 0 {
            // Exactly along an axis.
            to = from;
            to[number % 3] -= reach;
        }
        rays.push(toward(from, to));
    }
    rays
}

#[test]
fn first_hits_and_reflections_are_those_of_the_plain_loop() {
    for (name, mesh) in bodies() {
        let surface = surface(&mesh);
        let plain = plain(&surface);
        let mut rays = rays(&surface, 3000);
        let tracers = fast_tracers(&surface);
        let mut hit_any = 0;
        for bounce in 0..3 {
            let expected: Vec<Hit> = rays.iter().map(|ray| plain.nearest(ray)).collect();
            for (tracer_name, tracer) in &tracers {
                let mut hits = vec![Hit::MISS; rays.len()];
                tracer.nearest_of(&rays, &mut hits);
                for (number, (hit, expected)) in hits.iter().zip(&expected).enumerate() {
                    assert_eq!(
                        hit, expected,
                        "{name}, {tracer_name}, bounce {bounce}: {:?}",
                        rays[number]
                    );
                }
            }
            let hit = rays.iter().zip(&expected).filter(|(_, hit)| !hit.is_miss());
            rays = hit.map(|(ray, hit)| surface.reflect(ray, hit)).collect();
            hit_any += rays.len();
        }
        assert!(hit_any > 100, "{name}: {hit_any}");
    }
}

#[test]
fn grids_and_their_reflections_give_the_hits_of_their_rays() {
    let directions = [
        [0.3, 0.5, 0.7],
        [1.0, 0.0, 0.0],
        [0.0, 0.0, -1.0],
        [-0.9, 0.01, 0.0],
    ];
    for (name, mesh) in bodies() {
        let surface = surface(&mesh);
        let plain = plain(&surface);
        let tracers = fast_tracers(&surface);
        // Sizes that are not multiples of a tile.
        for (from, (columns, rows)) in
            directions
                .into_iter()
                .zip([(50, 37), (16, 16), (1, 70), (33, 5)])
        {
            let grid = grid(&surface, from, columns, rows);
            let mut expected = vec![Hit::MISS; grid.count()];
            plain.nearest_of_grid(&grid, &mut expected);
            for (tracer_name, tracer) in &tracers {
                let mut hits = vec![Hit::MISS; grid.count()];
                tracer.nearest_of_grid(&grid, &mut hits);
                assert!(hits == expected, "{name}, {tracer_name}, from {from:?}");
            }
            // Adjacent rays of these lists form bundles.
            let rays: Vec<Ray> = (expected.iter().enumerate())
                .filter(|(_, hit)| !hit.is_miss())
                .map(|(n, hit)| surface.reflect(&grid.ray(n % columns, n / columns), hit))
                .collect();
            let mut expected = vec![Hit::MISS; rays.len()];
            plain.nearest_of(&rays, &mut expected);
            for (tracer_name, tracer) in &tracers {
                let mut hits = vec![Hit::MISS; rays.len()];
                tracer.nearest_of(&rays, &mut hits);
                assert!(
                    hits == expected,
                    "{name}, {tracer_name}, from {from:?}, reflected"
                );
            }
        }
    }
}

#[test]
fn a_grid_whose_steps_lie_along_its_rays_is_traced_ray_by_ray() {
    let surface = surface(&primitive::sphere(1.0, 0.5).unwrap());
    let mut grid = grid(&surface, [1.0, 0.0, 0.0], 5, 4);
    grid.row_step = grid.direction;
    let mut expected = vec![Hit::MISS; grid.count()];
    plain(&surface).nearest_of_grid(&grid, &mut expected);
    for (name, tracer) in fast_tracers(&surface) {
        let mut hits = vec![Hit::MISS; grid.count()];
        tracer.nearest_of_grid(&grid, &mut hits);
        assert_eq!(hits, expected, "{name}");
        grid.columns = 0;
        tracer.nearest_of_grid(&grid, &mut []);
        grid.columns = 5;
    }
}

#[test]
fn the_same_bits_for_any_number_of_threads() {
    let surface = surface(&primitive::almond(1.0, 0.03).unwrap());
    let grid = grid(&surface, [0.4, 0.3, 0.2], 200, 150);
    let mut first = None;
    for threads in [1, 2, 5] {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        let found = pool.install(|| {
            // These threads also build the BVH.
            let tracer = BvhTracer::new(surface.clone());
            let mut hits = vec![Hit::MISS; grid.count()];
            tracer.nearest_of_grid(&grid, &mut hits);
            let rays: Vec<Ray> = (hits.iter().enumerate())
                .filter(|(_, hit)| !hit.is_miss())
                .map(|(n, hit)| surface.reflect(&grid.ray(n % 200, n / 200), hit))
                .collect();
            let mut second = vec![Hit::MISS; rays.len()];
            tracer.nearest_of(&rays, &mut second);
            (hits, second)
        });
        assert!(found.0.iter().any(|hit| !hit.is_miss()));
        match &first {
            None => first = Some(found),
            Some(first) => assert!(*first == found, "{threads} threads"),
        }
    }
}

#[test]
fn rays_that_are_no_rays_miss() {
    let surface = surface(&primitive::sphere(1.0, 0.5).unwrap());
    let mut tracers = fast_tracers(&surface);
    tracers.push(("plain".into(), Box::new(plain(&surface))));
    for (name, tracer) in tracers {
        for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            for axis in 0..3 {
                let (mut origin, mut direction) = ([3.0, 0.1, 0.2], [-1.0, 0.0, 0.0]);
                origin[axis] = bad;
                assert!(
                    tracer.nearest(&Ray::new(origin, direction)).is_miss(),
                    "{name}"
                );
                direction[axis] = bad;
                let ray = Ray::new([3.0, 0.1, 0.2], direction);
                assert!(tracer.nearest(&ray).is_miss(), "{name} {ray:?}");
            }
        }
        assert!(
            tracer
                .nearest(&Ray::new([3.0, 0.1, 0.2], [0.0; 3]))
                .is_miss()
        );
        // Directions need not be unit vectors.
        for size in [1e-20, 1.0, 1e20] {
            let hit = tracer.nearest(&Ray::new([3.0, 0.1, 0.2], [-size, 0.0, 0.0]));
            assert!((hit.distance * size - 2.0).abs() < 0.1, "{name} {hit:?}");
        }
    }
}

#[test]
fn surfaces_that_cannot_be_traced_are_refused() {
    let of = |points: Vec<[f64; 3]>, triangles| {
        Surface::new(&TriangleMesh::single_group(points, triangles, "bad")).unwrap_err()
    };
    assert_eq!(of(vec![], vec![]), Error::NoTriangles);
    assert_eq!(of(vec![[1.0; 3]], vec![[0, 0, 0]]), Error::NoTriangles);
    let nan = of(
        vec![[f64::NAN, 0.0, 0.0], [1.0; 3], [2.0; 3]],
        vec![[0, 1, 2]],
    );
    assert!(matches!(nan, Error::Mesh(_)));
    let huge = of(
        vec![[0.0; 3], [1e40, 0.0, 0.0], [0.0, 1.0, 0.0]],
        vec![[0, 1, 2]],
    );
    assert!(matches!(huge, Error::Size { .. }));
    // No plane separates identical triangles, and the first of them is hit.
    let points = vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    let mesh = TriangleMesh::single_group(points, vec![[0, 1, 2]; 100], "equal");
    for (name, tracer) in fast_tracers(&surface(&mesh)) {
        let hit = tracer.nearest(&Ray::new([0.2, 0.2, 1.0], [0.0, 0.0, -1.0]));
        assert_eq!(hit.triangle, 0, "{name}");
    }
}

#[test]
fn lines_and_points_among_the_triangles_are_never_hit() {
    let points = vec![[0.0; 3], [1.0, 0.0, 0.0], [2.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    let mesh = TriangleMesh::single_group(points, vec![[0, 1, 2], [0, 0, 0], [0, 1, 3]], "few");
    let surface: Arc<Surface> = surface(&mesh);
    for (name, tracer) in fast_tracers(&surface) {
        let hit = tracer.nearest(&Ray::new([0.5, 0.0, 1.0], [0.0, 0.0, -1.0]));
        assert_eq!(hit.triangle, 2, "{name}");
    }
}
