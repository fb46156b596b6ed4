//! Reading of the meshes of the Austin RCS benchmark suite as published.

use std::io::Read;
use std::path::{Path, PathBuf};

use wavefield_mesh::{Format, Limits, Loaded, TriangleMesh, read_any};

/// Returns the folder with the data of the suite; `None` if it is missing, which is allowed only on a
/// developer's machine.
fn data_folder() -> Option<PathBuf> {
    let named = std::env::var_os("WAVEFIELD_DATA").map(PathBuf::from);
    let found = named
        .into_iter()
        .flat_map(|folder| [folder.join("austin-rcs"), folder]);
    let above = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors();
    let found = found.chain(above.map(|folder| folder.join("shared/data/austin-rcs")));
    let found = found
        .map(|folder| folder.join("mesh"))
        .find(|folder| folder.is_dir());
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

fn read_zipped(folder: &Path, archive: &str) -> Loaded<TriangleMesh> {
    let file = std::fs::File::open(folder.join(archive)).unwrap();
    let mut archive = zip::ZipArchive::new(file).unwrap();
    let mut bytes = Vec::new();
    let name = {
        let mut entry = archive.by_index(0).unwrap();
        entry.read_to_end(&mut bytes).unwrap();
        entry.name().to_owned()
    };
    let loaded = read_any(&name, &bytes, &Limits::default()).unwrap();
    // The format must also be detected from the content alone.
    let unnamed = read_any("mesh", &bytes, &Limits::default()).unwrap();
    assert_eq!(unnamed.report, loaded.report);
    Loaded {
        mesh: loaded.mesh.into_surface().unwrap(),
        report: loaded.report,
    }
}

#[test]
fn inp_meshes_have_their_published_triangles_and_length() {
    let Some(folder) = data_folder() else { return };
    // PRIME is 592.763 inches long.
    let length = 592.763 * 0.0254;
    for (name, triangles) in [
        ("Closed-Duct_PRIME_model_meshAA.zip", 10_404),
        ("Closed-Duct_PRIME_model_meshAB.zip", 20_360),
        ("Closed-Duct_PRIME_model_meshBB.zip", 43_528),
        ("Closed-Duct_PRIME_model_meshCC.zip", 155_432),
        ("Open-Duct_PRIME_model_meshAA.zip", 12_236),
        ("Open-Duct_PRIME_model_meshBB.zip", 48_284),
    ] {
        let Loaded { mesh, report } = read_zipped(&folder, name);
        assert_eq!(report.format, Format::Inp);
        assert_eq!(mesh.triangles.len(), triangles, "{name}");
        assert!(report.skipped.is_empty(), "{name}: {report}");
        mesh.validate().unwrap();
        let size = mesh.bounding_box().unwrap().size();
        // The open-duct variants are 2 % shorter than the closed ones.
        assert!(
            (size[0] / length - 1.0).abs() < 0.025,
            "{name}: {}",
            size[0]
        );
        println!("{name}: {}", mesh.inspect());
    }
}

/// Some of the published meshes are inconsistently oriented.
#[test]
fn orient_gives_every_closed_mesh_one_outside() {
    let Some(folder) = data_folder() else { return };
    for name in [
        "Closed-Duct_PRIME_model_meshAA.zip",
        "Closed-Duct_PRIME_model_meshCC.zip",
        "Open-Duct_PRIME_model_meshAA.zip",
        "Straight-Blade_Fan-Loaded_Camerabox_model_meshYY.zip",
    ] {
        let mut mesh = read_zipped(&folder, name).mesh;
        let before = mesh.inspect();
        let done = mesh.orient();
        let after = mesh.inspect();
        println!("{name}: {done:?}");
        assert_eq!(done.unorientable_edges, 0);
        assert_eq!(
            (after.inconsistent_edges, after.outward),
            (0, Some(true)),
            "{name}: {after}"
        );
        // The same triangles, summed in the same order.
        assert!((after.area / before.area - 1.0).abs() < 1e-12);
    }
}

#[test]
fn fan_box_has_a_third_number_in_its_header_and_a_group_on_each_triangle() {
    let Some(folder) = data_folder() else { return };
    let Loaded { mesh, report } = read_zipped(
        &folder,
        "Straight-Blade_Fan-Loaded_Camerabox_model_meshYY.zip",
    );
    assert_eq!((mesh.triangles.len(), report.points), (6_084, 3_044));
    assert_eq!(mesh.groups.len(), 1);
    assert_eq!(mesh.groups[0].tag, 1);
    println!("{}", mesh.inspect());
}

#[test]
fn binary_stl_meshes_have_their_published_triangles() {
    let Some(folder) = data_folder() else { return };
    for (name, triangles) in [
        ("Cobra-Duct_Camera_Box_s6 .stl Model.zip", 74_130),
        ("Cylindrical-Duct_Camera_Box_s6 .stl Model.zip", 454_616),
    ] {
        let Loaded { mesh, report } = read_zipped(&folder, name);
        assert_eq!(report.format, Format::StlBinary);
        assert_eq!(
            mesh.triangles.len() + report.degenerate_elements,
            triangles,
            "{report}"
        );
        // The camera box is 12.8 m long at full scale.
        let size = mesh.bounding_box().unwrap().size();
        assert!((size[0] - 12.8).abs() < 0.01, "{name}: {size:?}");
        println!("{name}: {report}\n{}", mesh.inspect());
    }
}

/// Every face of the box is meshed independently: points of one are on the edges of the next.
#[test]
fn a_box_of_faces_is_sewn_into_a_closed_surface() {
    let Some(folder) = data_folder() else { return };
    let name = "Cobra-Duct_Camera_Box_s6 .stl Model.zip";
    let Loaded { mut mesh, .. } = read_zipped(&folder, name);
    let before = mesh.inspect();
    assert!(before.open_edges > 4_000, "{before}");
    let sewn = mesh.sew(2e-5).unwrap();
    mesh.orient();
    let after = mesh.inspect();
    println!("{sewn} points: {after}");
    assert_eq!((after.open_edges, after.inconsistent_edges), (0, 0));
    assert!((after.area / before.area - 1.0).abs() < 1e-6);
}
