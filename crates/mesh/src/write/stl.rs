use std::io::Write;

use super::{WriteError, check_name};
use crate::TriangleMesh;
use wavefield_numerics::vector::norm;

/// Writes a binary STL file; coordinates are rounded to single precision and groups are discarded.
pub fn write_stl_binary(mesh: &TriangleMesh, out: &mut impl Write) -> Result<(), WriteError> {
    mesh.validate()?;
    let count = mesh.triangles.len();
    let announced = u32::try_from(count).map_err(|_| WriteError::TooManyTriangles { count })?;
    let mut header = [b' '; 80];
    let title = b"binary STL";
    header[..title.len()].copy_from_slice(title);
    out.write_all(&header)?;
    out.write_all(&announced.to_le_bytes())?;
    for triangle in 0..count {
        let mut facet = [0; 50];
        let vectors = std::iter::once(normal(mesh, triangle)).chain(mesh.corners(triangle));
        for (slot, value) in facet.chunks_exact_mut(4).zip(vectors.flatten()) {
            slot.copy_from_slice(&(value as f32).to_le_bytes());
        }
        out.write_all(&facet)?;
    }
    Ok(())
}

/// Writes an ASCII STL file with one solid per group; coordinates have full precision.
pub fn write_stl_text(mesh: &TriangleMesh, out: &mut impl Write) -> Result<(), WriteError> {
    mesh.validate()?;
    for (number, group) in mesh.groups.iter().enumerate() {
        check_name(&group.name)?;
        writeln!(out, "solid {}", group.name)?;
        let members = (0..mesh.triangles.len()).filter(|&t| mesh.group_of[t] as usize == number);
        for triangle in members {
            let [x, y, z] = normal(mesh, triangle);
            writeln!(out, "facet normal {x} {y} {z}\n outer loop")?;
            for [x, y, z] in mesh.corners(triangle) {
                writeln!(out, "  vertex {x} {y} {z}")?;
            }
            writeln!(out, " endloop\nendfacet")?;
        }
        writeln!(out, "endsolid {}", group.name)?;
    }
    Ok(())
}

/// Returns the outward unit normal, or zero for a degenerate triangle.
fn normal(mesh: &TriangleMesh, triangle: usize) -> [f64; 3] {
    let area = mesh.area_vector(triangle);
    let size = norm(area);
    if size > 0.0 {
        area.map(|c| c / size)
    } else {
        [0.0; 3]
    }
}
