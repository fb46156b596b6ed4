use super::check::check_length;
use super::task::{Script, msh_file};
use super::{DomainError, InputFile, Task};
use crate::TriangleMesh;

/// How far apart the two sides of a seam may be, as part of the body's diagonal: what files in single precision leave.
const SEAM: f64 = 1e-6;

/// The task of covering a surface with new triangles of about the given edge length.
///
/// Edges where the surface bends by more than `crease` (in radians) stay edges. Where neighbouring patches
/// cannot be flattened into a plane Gmsh cuts them further by itself. Faces that touch but were divided each for itself, as
/// CAD programs write them, are sewn together first: new triangles share their points across the seam.
pub fn remesh(surface: &TriangleMesh, edge: f64, crease: f64) -> Result<Task, DomainError> {
    surface.validate()?;
    check_length("the edge length", edge)?;
    check_length("the angle of a crease", crease)?;
    let mut skin = surface.clone();
    skin.groups = vec![crate::Group::named("surface")];
    skin.group_of = vec![0; surface.triangles.len()];
    if let Some(bounds) = skin.bounding_box() {
        skin.sew(SEAM * bounds.diagonal())?;
    }
    let mut script = Script::default();
    script.line("Merge \"surface.msh\";");
    // Patches that can be flattened, cut along creases and along the rims of the patches.
    script.line(format!(
        "ClassifySurfaces{{{crease:e}, 1, 1, {:e}}};",
        std::f64::consts::PI
    ));
    script.line("CreateGeometry;");
    write_settings(&mut script, edge);
    script.line("Physical Surface(\"surface\", 1) = {Surface{:}};");
    Ok(Task {
        files: vec![script.into_file(), msh_file("surface.msh", &skin)?],
        dimension: 2,
    })
}

/// The task of covering the skin of the solids in a STEP file with triangles of about the given edge length.
///
/// The file's own unit is honoured: edge and result are in metres.
pub fn step_surface(step: &[u8], edge: f64) -> Result<Task, DomainError> {
    check_length("the edge length", edge)?;
    let mut script = Script::default();
    script.line("SetFactory(\"OpenCASCADE\");");
    script.line("Geometry.OCCTargetUnit = \"M\";");
    script.line("Merge \"body.step\";");
    write_settings(&mut script, edge);
    script.line("skin() = Abs(CombinedBoundary{ Volume{:}; });");
    script.line("Physical Surface(\"surface\", 1) = {skin()};");
    Ok(Task {
        files: vec![
            script.into_file(),
            InputFile {
                name: "body.step",
                bytes: step.to_vec(),
            },
        ],
        dimension: 2,
    })
}

fn write_settings(script: &mut Script, edge: f64) {
    for (option, value) in [
        ("Algorithm", 6.0),
        ("MeshSizeExtendFromBoundary", 0.0),
        ("MeshSizeFromCurvature", 0.0),
        ("MeshSizeFromPoints", 0.0),
        ("MeshSizeFactor", 1.0),
        ("MeshSizeMin", edge),
        ("MeshSizeMax", edge),
    ] {
        script.line(format!("Mesh.{option} = {value:e};"));
    }
}
