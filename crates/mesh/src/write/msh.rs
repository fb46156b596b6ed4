use std::io::Write;

use super::{WriteError, check_name};
use crate::{BoundingBox, Group, TetrahedralMesh, TriangleMesh};

/// Writes a surface as Gmsh MSH 4.1 text; groups become physical surfaces.
pub fn write_msh_surface(mesh: &TriangleMesh, out: &mut impl Write) -> Result<(), WriteError> {
    mesh.validate()?;
    let surfaces = Blocks::new(2, 2, &mesh.groups, &mesh.group_of, &mesh.triangles);
    write_msh(&mesh.points, &surfaces, &Blocks::<4>::none(), out)
}

/// Writes a volume as Gmsh MSH 4.1 text; groups become physical volumes and surfaces.
pub fn write_msh_volume(mesh: &TetrahedralMesh, out: &mut impl Write) -> Result<(), WriteError> {
    mesh.validate()?;
    let surfaces = Blocks::new(
        2,
        2,
        &mesh.surface_groups,
        &mesh.surface_group_of,
        &mesh.triangles,
    );
    let volumes = Blocks::new(
        3,
        4,
        &mesh.volume_groups,
        &mesh.volume_group_of,
        &mesh.tetrahedra,
    );
    write_msh(&mesh.points, &surfaces, &volumes, out)
}

/// Elements of one kind; each group is one geometric entity with one physical group, both tagged by
/// index from 1.
struct Blocks<'a, const N: usize> {
    dimension: u32,
    element_type: u32,
    groups: &'a [Group],
    elements: &'a [[u32; N]],
    members: Vec<Vec<u32>>,
}

impl<'a, const N: usize> Blocks<'a, N> {
    fn new(
        dimension: u32,
        element_type: u32,
        groups: &'a [Group],
        group_of: &[u32],
        elements: &'a [[u32; N]],
    ) -> Self {
        let mut members = vec![Vec::new(); groups.len()];
        for (element, &group) in group_of.iter().enumerate() {
            members[group as usize].push(element as u32);
        }
        Self {
            dimension,
            element_type,
            groups,
            elements,
            members,
        }
    }

    fn none() -> Self {
        Self::new(3, 4, &[], &[], &[])
    }

    fn write_names(&self, out: &mut impl Write) -> Result<(), WriteError> {
        for (number, group) in self.groups.iter().enumerate() {
            check_name(&group.name)?;
            writeln!(out, "{} {} \"{}\"", self.dimension, number + 1, group.name)?;
        }
        Ok(())
    }

    fn write_entities(&self, bounds: &str, out: &mut impl Write) -> Result<(), WriteError> {
        for number in 1..=self.groups.len() {
            writeln!(out, "{number} {bounds} 1 {number} 0")?;
        }
        Ok(())
    }

    fn write_elements(&self, next: &mut u64, out: &mut impl Write) -> Result<(), WriteError> {
        let Self {
            dimension,
            element_type,
            ..
        } = self;
        for (number, members) in self.members.iter().enumerate() {
            let entity = number + 1;
            writeln!(out, "{dimension} {entity} {element_type} {}", members.len())?;
            for &element in members {
                write!(out, "{next}")?;
                *next += 1;
                for &index in &self.elements[element as usize] {
                    write!(out, " {}", u64::from(index) + 1)?;
                }
                writeln!(out)?;
            }
        }
        Ok(())
    }
}

fn write_msh(
    points: &[[f64; 3]],
    surfaces: &Blocks<3>,
    volumes: &Blocks<4>,
    out: &mut impl Write,
) -> Result<(), WriteError> {
    let (surface_count, volume_count) = (surfaces.groups.len(), volumes.groups.len());
    writeln!(out, "$MeshFormat\n4.1 0 8\n$EndMeshFormat")?;
    writeln!(out, "$PhysicalNames\n{}", surface_count + volume_count)?;
    surfaces.write_names(out)?;
    volumes.write_names(out)?;
    writeln!(out, "$EndPhysicalNames")?;

    let bounds = BoundingBox::of(points).map_or([0.0; 6], |b| {
        let ([a, b, c], [d, e, f]) = (b.min, b.max);
        [a, b, c, d, e, f]
    });
    let bounds = bounds.map(|c| c.to_string()).join(" ");
    writeln!(out, "$Entities\n0 0 {surface_count} {volume_count}")?;
    surfaces.write_entities(&bounds, out)?;
    volumes.write_entities(&bounds, out)?;
    writeln!(out, "$EndEntities")?;

    // All points are in one block, on the first entity of the highest dimension.
    let dimension = if volume_count > 0 { 3 } else { 2 };
    let count = points.len();
    writeln!(out, "$Nodes\n1 {count} 1 {count}\n{dimension} 1 0 {count}")?;
    for tag in 1..=count {
        writeln!(out, "{tag}")?;
    }
    for [x, y, z] in points {
        writeln!(out, "{x} {y} {z}")?;
    }
    writeln!(out, "$EndNodes")?;

    let total = surfaces.elements.len() + volumes.elements.len();
    let blocks = surface_count + volume_count;
    writeln!(out, "$Elements\n{blocks} {total} 1 {total}")?;
    let mut next = 1;
    surfaces.write_elements(&mut next, out)?;
    volumes.write_elements(&mut next, out)?;
    writeln!(out, "$EndElements")?;
    Ok(())
}
