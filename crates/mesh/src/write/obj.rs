use std::io::Write;

use super::{WriteError, check_name};
use crate::TriangleMesh;

/// Writes a Wavefront OBJ file with one `g` statement per group; coordinates have full precision.
pub fn write_obj(mesh: &TriangleMesh, out: &mut impl Write) -> Result<(), WriteError> {
    mesh.validate()?;
    for [x, y, z] in &mesh.points {
        writeln!(out, "v {x} {y} {z}")?;
    }
    let mut current = None;
    for (corners, &group) in mesh.triangles.iter().zip(&mesh.group_of) {
        if current != Some(group) {
            let name = &mesh.groups[group as usize].name;
            check_name(name)?;
            writeln!(out, "g {name}")?;
            current = Some(group);
        }
        let [a, b, c] = corners.map(|index| u64::from(index) + 1);
        writeln!(out, "f {a} {b} {c}")?;
    }
    Ok(())
}
