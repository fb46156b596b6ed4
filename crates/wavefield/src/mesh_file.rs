//! Meshes on disk: reading them with their unit.

use std::path::Path;

use wavefield_mesh::{AnyMesh, Contour, Limits, MeshFile, TetrahedralMesh, TriangleMesh, read_any};

use crate::failure::{Failure, shown};

/// Reads the surface mesh a problem file names, in metres.
pub fn read_surface(file: &MeshFile, folder: &Path) -> Result<TriangleMesh, Failure> {
    let path = folder.join(&file.file);
    let mut mesh = read(&path)?.into_surface().ok_or_else(|| {
        Failure::Input(format!(
            "{} holds no surface of triangles, which is needed here",
            shown(&path)
        ))
    })?;
    mesh.scale(file.unit.metres());
    Ok(mesh)
}

/// Reads the tetrahedra a problem file names, in metres.
pub fn read_volume(file: &MeshFile, folder: &Path) -> Result<TetrahedralMesh, Failure> {
    let path = folder.join(&file.file);
    let mut mesh = read(&path)?.into_volume().ok_or_else(|| {
        Failure::Input(format!(
            "{} holds no tetrahedra, which are needed here",
            shown(&path)
        ))
    })?;
    mesh.scale(file.unit.metres());
    Ok(mesh)
}

/// Reads the curves in the plane a problem file names, in metres.
pub fn read_contour(file: &MeshFile, folder: &Path) -> Result<Contour, Failure> {
    let path = folder.join(&file.file);
    let mut contour = read(&path)?.into_contour().ok_or_else(|| {
        Failure::Input(format!(
            "{} holds no curves in the plane, which are needed here",
            shown(&path)
        ))
    })?;
    contour.scale(file.unit.metres());
    Ok(contour)
}

/// Reads any mesh file as it is.
pub fn read(path: &Path) -> Result<AnyMesh, Failure> {
    let bytes = std::fs::read(path).map_err(|error| Failure::reading(path, &error))?;
    let name = path
        .file_name()
        .map(|name| name.to_string_lossy().into_owned())
        .unwrap_or_default();
    let loaded = read_any(&name, &bytes, &Limits::default())
        .map_err(|error| Failure::Input(format!("{}: {error}", shown(path))))?;
    if loaded.report.is_complete() {
        tracing::info!("{}: {}", shown(path), loaded.report);
    } else {
        tracing::warn!("{}: {}", shown(path), loaded.report);
    }
    Ok(loaded.mesh)
}
