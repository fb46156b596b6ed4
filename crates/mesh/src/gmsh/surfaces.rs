use super::check::check_length;
use super::task::{Script, msh_file};
use super::{DomainError, InputFile, Task};
use crate::TriangleMesh;

/// Tolerance of the seams between faces relative to the diagonal of the body: rounding error of single-precision files.
const SEAM: f64 = 1e-6;

/// Creates the task of remeshing a surface with triangles of edge length `edge`.
///
/// Edges where the normal turns by more than `crease` (radians) are preserved. Gmsh splits patches that have no
/// parametrization over a plane. Faces that touch but are meshed independently, as CAD programs export them, are sewn
/// together first, so that new triangles share points across the seam.
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
    // Patches with a parametrization, split along creases and along the boundaries of the patches.
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

/// Creates the task of meshing the boundary of the solids in a STEP file with triangles of edge length `edge`.
///
/// The unit of the file is respected: `edge` and the result are in meters.
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
