//! Ray paths in corner reflectors.

use super::common::{Numbers, dot, fast_tracers, surface};
use super::kd_tree::KdTracer;
use wavefield_mesh::primitive;
use wavefield_sbr::Ray;

#[test]
fn a_trihedral_corner_sends_rays_back_after_three_hits() {
    let mesh = primitive::square_trihedral(1.0, 0.2).unwrap();
    let surface = surface(&mesh);
    for (name, tracer) in fast_tracers(&surface) {
        let mut numbers = Numbers::new(1);
        for _ in 0..500 {
            let d = [0, 1, 2].map(|_| 0.55 + 0.1 * numbers.next());
            let size = dot(d, d).sqrt();
            let direction = d.map(|v| -v / size);
            // Around a line to the apex, close enough to hit all plates.
            let origin = [0, 1, 2].map(|k| 0.1 + 0.05 * numbers.next() - 2.0 * direction[k]);
            let ray = Ray::new(origin, direction);
            let mut hits = Vec::new();
            let back = tracer.path(&ray, 10, &mut hits);
            assert_eq!(hits.len(), 3, "{name}");
            for k in 0..3 {
                assert!((back.direction[k] + direction[k]).abs() < 1e-14, "{name}");
            }
            // One hit on each plate.
            let mut groups: Vec<u32> = hits
                .iter()
                .map(|hit| mesh.group_of[hit.triangle as usize])
                .collect();
            groups.sort_unstable();
            assert_eq!(groups, [0, 1, 2], "{name}");
            // From the wavefront through the origin and back to it all paths have the length of the
            // path to the apex; the margin of 10⁻⁶ of a triangle at reflections changes them little.
            let path: f64 = hits.iter().map(|hit| hit.distance).sum();
            let rest = [0, 1, 2].map(|k| origin[k] - back.origin[k]);
            let whole = path + dot(rest, back.direction);
            assert!(
                (whole + 2.0 * dot(origin, direction)).abs() < 1e-6,
                "{name}"
            );
        }
    }
}

#[test]
fn hits_stop_at_the_most_asked_for() {
    let surface = surface(&primitive::square_trihedral(1.0, 0.5).unwrap());
    for (name, tracer) in fast_tracers(&surface) {
        let ray = Ray::new([2.1, 2.2, 2.3], [-0.6, -0.64, -0.48]);
        for most in 0..5 {
            let mut hits = Vec::new();
            tracer.path(&ray, most, &mut hits);
            assert_eq!(hits.len(), most.min(3), "{name}");
        }
    }
}

#[test]
fn ropes_save_steps_most_for_reflected_rays() {
    let surface = surface(&primitive::square_trihedral(1.0, 0.05).unwrap());
    let tracer = KdTracer::new(surface.clone());
    let grid = super::common::grid(&surface, [1.0, 1.1, 0.9], 60, 60);
    let rays: Vec<Ray> = (0..grid.count())
        .map(|n| grid.ray(n % 60, n / 60))
        .collect();
    let [primary, reflected] = tracer.walk_statistics(&rays, 5);
    assert_eq!(primary.rays, 3600);
    assert!(primary.hits > 500 && reflected.rays >= primary.hits);
    assert!(primary.steps <= primary.standard_steps, "{primary:?}");
    assert!(
        2 * reflected.steps < reflected.standard_steps,
        "{reflected:?}"
    );
    let tree = tracer.tree_statistics();
    assert_eq!(tree.nodes, 2 * tree.leaves - 1);
    assert!(tree.empty_leaves < tree.leaves && tree.mean_triangles >= 1.0);
}
