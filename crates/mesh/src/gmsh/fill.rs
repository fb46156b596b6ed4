use super::check::{BOX_FACES, check};
use super::domain::{AIR, HUYGENS, LAYER, OUTER, SCATTERED, TOTAL};
use super::layout::Layout;
use super::nest::{Shell, box_corner};
use super::task::{Script, list, msh_file};
use super::{Domain, DomainError, Faces, Interior, Task};
use crate::BoundingBox;
use wavefield_numerics::vector::{norm, sub};

/// Name of the file with the given surface meshes.
const SURFACES: &str = "surfaces.msh";

/// Quality threshold below which Gmsh swaps and smooths tetrahedra (1 is regular).
///
/// The default of Gmsh is 0.3. The relevant quantity is the smallest inradius, which limits the CFL time step of
/// explicit solvers: for a sphere of 0.3 m in a Huygens box, air, and a PML (29 000 tetrahedra) it was 5.1, 5.6,
/// and 8.0 mm at 0.3, 0.5, and 0.6, and 7.0, 11.1, and 11.3 mm after
/// [`raise_smallest_inradius`](crate::TetrahedralMesh::raise_smallest_inradius).
const OPTIMIZE_BELOW: f64 = 0.5;

/// Creates the task of meshing a domain with tetrahedra.
///
/// Every volume and surface has a physical group; elements outside of groups are not saved. Edges inside a volume
/// are about 20 % longer than those on the surfaces around it.
pub fn fill(domain: &Domain) -> Result<Task, DomainError> {
    check(domain)?;
    let layout = Layout::new(domain)?;
    let mut files = vec![script(domain, &layout).into_file()];
    if !layout.kept.mesh.triangles.is_empty() {
        files.push(msh_file(SURFACES, &layout.kept.mesh)?);
    }
    Ok(Task {
        files,
        dimension: 3,
    })
}

/// Writes the script. Tags: given surfaces first, then six faces for each box; loop and volume of body k have the
/// tag k + 1, and those of the shells follow.
fn script(domain: &Domain, layout: &Layout) -> Script {
    let mut script = Script::default();
    let bodies = domain.bodies.len();
    let (huygens_loop, air_loop, outer_loop) = (bodies + 1, bodies + 2, bodies + 3);
    let mut boxes = Boxes {
        next: layout.kept.mesh.groups.len() + 1,
    };
    if !layout.kept.mesh.triangles.is_empty() {
        script.line(format!("Merge \"{SURFACES}\";"));
    }
    script.line("SetFactory(\"Built-in\");");
    write_settings(&mut script, longest_edge(domain));

    // Enclosures: surface loops, and the group of each box face.
    for (number, tag) in layout.kept.bodies.iter().enumerate() {
        surface_loop(&mut script, number + 1, &[*tag]);
    }
    let mut surface_groups: Vec<(String, Vec<usize>)> = Vec::new();
    let mut shell_loop =
        |script: &mut Script, tag: usize, shell: &Shell, edge: f64, kept: &[usize]| {
            let faces = match shell {
                Shell::Box(bounds) => boxes.write(script, bounds, edge),
                _ => kept.to_vec(),
            };
            surface_loop(script, tag, &faces);
            faces
        };
    if let (Some(shell), Some(asked)) = (&layout.huygens, &domain.huygens) {
        let kept = &layout.kept.huygens;
        let faces = shell_loop(&mut script, huygens_loop, shell, asked.edge, kept);
        surface_groups.push((HUYGENS.into(), faces));
    }
    let kept = &layout.kept.air;
    let mut outermost = shell_loop(&mut script, air_loop, &layout.air, domain.air_edge, kept);
    if let (Some(bounds), Some(layer)) = (layout.outer, domain.layer) {
        let shell = Shell::Box(bounds);
        outermost = shell_loop(&mut script, outer_loop, &shell, layer.edge, &[]);
    }
    match domain.faces {
        Faces::Together => surface_groups.push((OUTER.into(), outermost)),
        Faces::Apart => {
            let faces = BOX_FACES.map(String::from).into_iter().zip(outermost);
            surface_groups.extend(faces.map(|(name, tag)| (name, vec![tag])));
        }
    }

    // Volumes between a loop and the loops directly inside it.
    let inside = |host: Option<usize>| {
        let children = (layout.parents.iter().enumerate()).filter(move |(_, p)| **p == host);
        children.map(|(child, _)| child + 1)
    };
    for (number, body) in domain.bodies.iter().enumerate() {
        if let Interior::Meshed { volume } = &body.interior {
            let loops = std::iter::once(number + 1).chain(inside(Some(number)));
            fill_volume(&mut script, number + 1, volume, list(loops));
        }
    }
    let innermost_air = match domain.huygens {
        Some(_) => {
            let loops = std::iter::once(huygens_loop).chain(inside(None));
            fill_volume(&mut script, huygens_loop, TOTAL, list(loops));
            let loops = [air_loop, huygens_loop];
            fill_volume(&mut script, air_loop, SCATTERED, list(loops));
            huygens_loop
        }
        None => {
            let loops = std::iter::once(air_loop).chain(inside(None));
            fill_volume(&mut script, air_loop, AIR, list(loops));
            air_loop
        }
    };
    if domain.layer.is_some() {
        fill_volume(&mut script, outer_loop, LAYER, list([outer_loop, air_loop]));
    }
    for (tags, host) in layout.kept.sheets.iter().zip(&layout.hosts) {
        let volume = host.map_or(innermost_air, |body| body + 1);
        let tags = list(tags.iter().copied());
        script.line(format!("Surface{{{tags}}} In Volume{{{volume}}};"));
    }
    // Given surfaces keep their groups.
    let kept = layout.kept.mesh.groups.len();
    let new = (surface_groups.into_iter()).filter(|(_, tags)| tags.iter().all(|tag| *tag > kept));
    for (number, (name, tags)) in (kept + 1..).zip(new) {
        let tags = list(tags);
        script.line(format!(
            "Physical Surface(\"{name}\", {number}) = {{{tags}}};"
        ));
    }
    script
}

/// Writes all settings that affect the result, so that the user's Gmsh configuration does not change it.
fn write_settings(script: &mut Script, longest: f64) {
    for (option, value) in [
        // Frontal-Delaunay triangles and Delaunay tetrahedra: HXT is not always reproducible, and the Netgen
        // optimizer fails for embedded sheets.
        ("Algorithm", 6.0),
        ("Algorithm3D", 1.0),
        ("Optimize", 1.0),
        ("OptimizeThreshold", OPTIMIZE_BELOW),
        ("OptimizeNetgen", 0.0),
        // The mesh size in a volume is extended from its boundary triangles.
        ("MeshSizeExtendFromBoundary", 1.0),
        ("MeshSizeFromCurvature", 0.0),
        ("MeshSizeFromPoints", 1.0),
        ("MeshSizeFactor", 1.0),
        ("MeshSizeMin", 0.0),
        ("MeshSizeMax", longest),
    ] {
        script.line(format!("Mesh.{option} = {value:e};"));
    }
}

fn surface_loop(script: &mut Script, tag: usize, surfaces: &[usize]) {
    let surfaces = list(surfaces.iter().copied());
    script.line(format!("Surface Loop({tag}) = {{{surfaces}}};"));
}

fn fill_volume(script: &mut Script, tag: usize, name: &str, loops: String) {
    script.line(format!("Volume({tag}) = {{{loops}}};"));
    script.line(format!("Physical Volume(\"{name}\", {tag}) = {{{tag}}};"));
}

/// Boxes of points, lines, and plane faces.
struct Boxes {
    /// Next unused tag of points, lines, and faces.
    next: usize,
}

impl Boxes {
    /// Writes a box and returns the tags of its faces.
    fn write(&mut self, script: &mut Script, bounds: &BoundingBox, edge: f64) -> Vec<usize> {
        let first = self.next;
        // A box has at most twelve entities of a kind, its lines.
        self.next += 12;
        for corner in 0..8 {
            let [x, y, z] = box_corner(bounds, corner);
            let tag = first + corner;
            script.line(format!("Point({tag}) = {{{x:e}, {y:e}, {z:e}, {edge:e}}};"));
        }
        // Line 4·axis + n is the n-th along its axis, ordered by the coordinates on the other two axes.
        let line = |from: usize, axis: usize| {
            let (second, third) = ((axis + 1) % 3, (axis + 2) % 3);
            first + 4 * axis + (from >> second & 1) + 2 * (from >> third & 1)
        };
        for axis in 0..3 {
            for from in (0..8).filter(|corner| corner >> axis & 1 == 0) {
                let (tag, to) = (line(from, axis), from | 1 << axis);
                let (from, to) = (first + from, first + to);
                script.line(format!("Line({tag}) = {{{from}, {to}}};"));
            }
        }
        let mut faces = Vec::new();
        for normal in 0..3 {
            let (u, v) = ((normal + 1) % 3, (normal + 2) % 3);
            for base in [0, 1 << normal] {
                let tag = first + faces.len();
                let [bottom, right] = [line(base, u), line(base | 1 << u, v)];
                let [top, left] = [line(base | 1 << v, u), line(base, v)];
                script.line(format!(
                    "Curve Loop({tag}) = {{{bottom}, {right}, -{top}, -{left}}};"
                ));
                script.line(format!("Plane Surface({tag}) = {{{tag}}};"));
                faces.push(tag);
            }
        }
        faces
    }
}

fn longest_edge(domain: &Domain) -> f64 {
    let mut longest = domain.air_edge;
    longest = domain.huygens.iter().fold(longest, |l, h| l.max(h.edge));
    longest = domain
        .layer
        .iter()
        .fold(longest, |l, layer| l.max(layer.edge));
    let skins = domain.bodies.iter().map(|body| &body.skin);
    skins
        .chain(&domain.sheets)
        .fold(longest, |longest, surface| {
            (0..surface.triangles.len()).fold(longest, |longest, t| {
                let [a, b, c] = surface.corners(t);
                longest
                    .max(norm(sub(b, a)))
                    .max(norm(sub(c, b)))
                    .max(norm(sub(a, c)))
            })
        })
}
