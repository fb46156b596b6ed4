//! Agreement of all tracers on the meshes of the Austin RCS suite.

use std::io::Read;
use std::path::Path;

use super::common::{austin_folder, fast_tracers, grid, plain, surface};
use wavefield_mesh::{Limits, TriangleMesh, read_any};
use wavefield_sbr::{Hit, Ray, Tracer};

fn read_zipped(folder: &Path, archive: &str) -> TriangleMesh {
    let file = std::fs::File::open(folder.join(archive)).unwrap();
    let mut archive = zip::ZipArchive::new(file).unwrap();
    let mut bytes = Vec::new();
    let mut entry = archive.by_index(0).unwrap();
    entry.read_to_end(&mut bytes).unwrap();
    let loaded = read_any(entry.name(), &bytes, &Limits::default()).unwrap();
    loaded.mesh.into_surface().unwrap()
}

#[test]
fn all_tracers_agree_on_prime_over_three_bounces() {
    let Some(folder) = austin_folder() else {
        return;
    };
    let mesh = read_zipped(&folder.join("mesh"), "Closed-Duct_PRIME_model_meshAB.zip");
    assert_eq!(mesh.triangles.len(), 20_360);
    let surface = surface(&mesh);
    let tracers = fast_tracers(&surface);
    let grid = grid(&surface, [0.8, 0.4, 0.3], 400, 100);
    let mut expected = vec![Hit::MISS; grid.count()];
    tracers[0].1.nearest_of_grid(&grid, &mut expected);
    for (name, tracer) in &tracers[1..] {
        let mut hits = vec![Hit::MISS; grid.count()];
        tracer.nearest_of_grid(&grid, &mut hits);
        assert!(hits == expected, "{name}");
    }
    let mut rays: Vec<Ray> = (0..grid.count())
        .map(|n| grid.ray(n % grid.columns, n / grid.columns))
        .collect();
    let plain = plain(&surface);
    for bounce in 0..3 {
        let mut expected = vec![Hit::MISS; rays.len()];
        tracers[0].1.nearest_of(&rays, &mut expected);
        // The brute-force reference is affordable for a sample only.
        for number in (0..rays.len()).step_by(97) {
            assert_eq!(plain.nearest(&rays[number]), expected[number]);
        }
        for (name, tracer) in &tracers[1..] {
            let mut hits = vec![Hit::MISS; rays.len()];
            tracer.nearest_of(&rays, &mut hits);
            assert!(hits == expected, "{name}, bounce {bounce}");
        }
        let hit = rays.iter().zip(&expected).filter(|(_, hit)| !hit.is_miss());
        rays = hit.map(|(ray, hit)| surface.reflect(ray, hit)).collect();
        assert!(!rays.is_empty());
    }
}
