//! `wavefield convert`: converts a mesh between formats, and reports its properties.

use std::path::Path;

use serde_json::json;
use wavefield::inputs::FolderInputs;
use wavefield::result::{is_taken, write_file};
use wavefield::solver::{Inputs, printable};
use wavefield::{Error, display_path};
use wavefield_mesh::{
    AnyMesh, MeshUnit, VtuData, VtuEncoding, write_msh_surface, write_msh_volume, write_obj,
    write_stl_binary, write_vtu_surface, write_vtu_volume,
};

/// Changes to the mesh between reading and writing.
pub(super) struct Changes {
    pub(super) unit: Option<MeshUnit>,
    pub(super) scale: f64,
    pub(super) heal: bool,
}

pub(super) fn convert(
    input: &Path,
    output: Option<&Path>,
    Changes { unit, scale, heal }: Changes,
    force: bool,
    as_json: bool,
) -> Result<(), Error> {
    if !(scale > 0.0 && scale.is_finite()) {
        return Err(Error::input(format!(
            "--scale must be positive and finite, not {scale}"
        )));
    }
    if let Some(output) = output.filter(|output| is_taken(output) && !force) {
        return Err(Error::input(format!(
            "{} exists already; use --force to replace it",
            display_path(output)
        )));
    }
    let inputs: &dyn Inputs = &FolderInputs::default();
    let mut mesh = inputs.mesh(&input.to_string_lossy())?;
    mesh.scale(scale * unit.map_or(1.0, MeshUnit::meters));
    if heal {
        let AnyMesh::Surface(surface) = &mut mesh else {
            return Err(Error::input("--heal needs a surface of triangles"));
        };
        let healing = (surface.heal()).map_err(|error| Error::input(error.to_string()))?;
        eprintln!("{healing}");
    }
    describe(&mesh, unit.is_some(), as_json);
    let Some(output) = output else { return Ok(()) };
    let bytes = encode(&mesh, output)?;
    write_file(output, &bytes)?;
    eprintln!("wrote {}", display_path(output));
    Ok(())
}

/// Parses a length unit by its symbol, as in problem files.
pub(super) fn unit(text: &str) -> Result<MeshUnit, String> {
    serde_json::from_value(json!(text)).map_err(|_| "use one of m, cm, mm, um, in, ft".to_owned())
}

fn describe(mesh: &AnyMesh, in_meters: bool, as_json: bool) {
    match mesh {
        AnyMesh::Surface(surface) => {
            let inspection = surface.inspect();
            if as_json {
                let groups: Vec<&str> = surface
                    .groups
                    .iter()
                    .map(|group| group.name.as_str())
                    .collect();
                say!(
                    "{}",
                    json!({
                        "kind": "surface",
                        "points": inspection.points,
                        "triangles": inspection.triangles,
                        "components": inspection.components,
                        "open_edges": inspection.open_edges,
                        "non_manifold_edges": inspection.non_manifold_edges,
                        "degenerate_triangles": inspection.degenerate_triangles,
                        "duplicate_triangles": inspection.duplicate_triangles,
                        "watertight": inspection.watertight,
                        "area": inspection.area,
                        "volume": inspection.volume,
                        "outward": inspection.outward,
                        "shortest_edge": inspection.shortest_edge,
                        "longest_edge": inspection.longest_edge,
                        "min": inspection.bounding_box.as_ref().map(|bounds| bounds.min),
                        "max": inspection.bounding_box.as_ref().map(|bounds| bounds.max),
                        "unit": in_meters.then_some("m"),
                        "groups": groups,
                    })
                );
            } else {
                let unit = if in_meters { "m" } else { "units" };
                say!("{}", inspection.described(unit).trim_end());
                if !surface.groups.is_empty() {
                    let names: Vec<&str> = surface.groups.iter().map(|g| g.name.as_str()).collect();
                    say!("  groups    {}", printable(&names.join(", ")));
                }
                if !in_meters {
                    say!("  unit      unknown: the file stores none; pass for instance --unit mm");
                }
            }
        }
        AnyMesh::Contour(contour) => {
            let points = contour.points.len();
            if as_json {
                say!("{}", json!({ "kind": "contour", "points": points }));
            } else {
                say!("planar contour, {points} points");
            }
        }
        AnyMesh::Volume(volume) => {
            let named = volume.volume_groups.iter().chain(&volume.surface_groups);
            let groups: Vec<&str> = named.map(|group| group.name.as_str()).collect();
            if as_json {
                say!(
                    "{}",
                    json!({
                        "kind": "volume",
                        "points": volume.points.len(),
                        "tetrahedra": volume.tetrahedra.len(),
                        "triangles": volume.triangles.len(),
                        "volume": volume.volume(),
                        "groups": groups,
                    })
                );
            } else {
                say!(
                    "{} points, {} tetrahedra, {} triangles, volume {:.6e}\ngroups: {}",
                    volume.points.len(),
                    volume.tetrahedra.len(),
                    volume.triangles.len(),
                    volume.volume(),
                    printable(&groups.join(", "))
                );
            }
        }
    }
}

fn encode(mesh: &AnyMesh, output: &Path) -> Result<Vec<u8>, Error> {
    let ending = output
        .extension()
        .and_then(|e| e.to_str())
        .unwrap_or_default()
        .to_lowercase();
    let mut bytes = Vec::new();
    let written = match (mesh, ending.as_str()) {
        (AnyMesh::Surface(surface), "stl") => write_stl_binary(surface, &mut bytes),
        (AnyMesh::Surface(surface), "obj") => write_obj(surface, &mut bytes),
        (AnyMesh::Surface(surface), "msh") => write_msh_surface(surface, &mut bytes),
        (AnyMesh::Surface(surface), "vtu") => write_vtu_surface(
            surface,
            &VtuData::default(),
            VtuEncoding::Base64,
            &mut bytes,
        ),
        (AnyMesh::Volume(volume), "msh") => write_msh_volume(volume, &mut bytes),
        (AnyMesh::Volume(volume), "vtu") => {
            write_vtu_volume(volume, &VtuData::default(), VtuEncoding::Base64, &mut bytes)
        }
        (AnyMesh::Contour(_), _) => {
            return Err(Error::input(
                "planar contours cannot be converted".to_owned(),
            ));
        }
        (AnyMesh::Volume(_), "stl" | "obj") => {
            return Err(Error::input(format!(
                "{}: tetrahedra cannot be written as .{ending}; use .vtu or .msh",
                display_path(output)
            )));
        }
        _ => {
            return Err(Error::input(format!(
                "{}: cannot write `.{ending}`; use .stl, .obj, .vtu or .msh",
                display_path(output)
            )));
        }
    };
    written.map_err(|error| Error::writing(output, &error))?;
    Ok(bytes)
}
