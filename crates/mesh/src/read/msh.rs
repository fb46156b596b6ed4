use super::msh_elements::{Collected, Elements, Nodes, PhysicalNames};
use super::scanner::{Encoding, Scanner, parse_real};
use super::{AnyMesh, Format, Limits, Loaded, Place, ReadError, ReadReport, msh22, msh41};
use crate::{Contour, TetrahedralMesh, TriangleMesh};

/// Reads a Gmsh MSH file, version 2.2 or 4.1, text or binary of either byte order.
///
/// The kind of mesh follows from the elements of the highest dimension: tetrahedra form a volume
/// (with the triangles as its surfaces), triangles a surface, lines in the x–y plane a contour.
/// Physical groups become groups. Curved elements are reduced to their corners; the report has their
/// number.
pub fn read_msh(bytes: &[u8], limits: &Limits) -> Result<Loaded<AnyMesh>, ReadError> {
    let mut scanner = Scanner::new(bytes);
    let (format, encoding) = read_header(&mut scanner)?;
    let mut collected = Collected {
        limits,
        report: ReadReport::new(format),
        names: PhysicalNames::default(),
        nodes: Nodes::default(),
        lines: Elements::default(),
        triangles: Elements::default(),
        tetrahedra: Elements::default(),
    };
    let mut entities = msh41::Entities::default();
    while let Some(section) = scanner.word() {
        let place = scanner.place(encoding);
        // The line end belongs to the heading; in a binary file the data follow immediately.
        scanner.line();
        match (section, format) {
            (b"$PhysicalNames", _) => read_names(&mut scanner, &mut collected.names)?,
            (b"$Entities", Format::Msh41) => entities.read(&mut scanner, encoding)?,
            (b"$PartitionedEntities", Format::Msh41) => {
                entities.read_partitioned(&mut scanner, encoding)?;
            }
            (b"$Nodes", _) => {
                if !collected.nodes.points.is_empty() {
                    return Err(ReadError::unexpected("only one $Nodes", section, place));
                }
                match format {
                    Format::Msh41 => msh41::read_nodes(&mut scanner, encoding, &mut collected)?,
                    _ => msh22::read_nodes(&mut scanner, encoding, &mut collected)?,
                }
                collected.nodes.finish()?;
            }
            (b"$Elements", Format::Msh41) => {
                msh41::read_elements(&mut scanner, encoding, &entities, &mut collected)?;
            }
            (b"$Elements", _) => match encoding {
                Encoding::Text => msh22::read_text_elements(&mut scanner, &mut collected)?,
                _ => msh22::read_binary_elements(&mut scanner, encoding, &mut collected)?,
            },
            _ => {
                skip_section(&mut scanner, section, place)?;
                continue;
            }
        }
        let end = scanner.word().unwrap_or_default();
        if end.strip_prefix(b"$End") != Some(&section[1..]) {
            let place = scanner.place(encoding);
            return Err(match end {
                b"" => ReadError::Truncated {
                    expected: "the end of a section",
                    place,
                },
                _ => ReadError::unexpected("the end of the section", end, place),
            });
        }
    }
    assemble(collected)
}

fn read_header(scanner: &mut Scanner) -> Result<(Format, Encoding), ReadError> {
    let first = scanner.word().unwrap_or_default();
    let place = scanner.line_place();
    if first != b"$MeshFormat" {
        return Err(ReadError::unexpected("$MeshFormat", first, place));
    }
    let version = scanner.word().unwrap_or_default();
    let place = scanner.line_place();
    let number = parse_real(version, "a version number", place)?;
    let format = match number {
        _ if (2.0..3.0).contains(&number) => Format::Msh22,
        _ if number == 4.1 => Format::Msh41,
        _ => {
            return Err(ReadError::Unsupported {
                what: format!("MSH version {number}"),
                advice: "save it as version 4.1 (gmsh -save -format msh41)",
                place,
            });
        }
    };
    let kind = scanner.int(Encoding::Text, "0 for text or 1 for binary")?;
    let word_size = scanner.int(Encoding::Text, "the size of a number in bytes")?;
    let rest = scanner.line().unwrap_or_default();
    if !rest.trim_ascii().is_empty() {
        return Err(ReadError::unexpected("the end of the line", rest, place));
    }
    let encoding = match kind {
        0 => Encoding::Text,
        1 if word_size != 8 => {
            return Err(ReadError::Unsupported {
                what: format!("a binary file with {word_size}-byte numbers"),
                advice: "save it as text",
                place,
            });
        }
        1 => match scanner.byte_order_mark()? {
            [1, 0, 0, 0] => Encoding::LittleEndian,
            [0, 0, 0, 1] => Encoding::BigEndian,
            other => {
                let place = scanner.place(Encoding::LittleEndian);
                return Err(ReadError::unexpected("the number 1", &other, place));
            }
        },
        _ => {
            return Err(ReadError::Unsupported {
                what: format!("file type {kind}"),
                advice: "save it as text",
                place,
            });
        }
    };
    let end = scanner.word().unwrap_or_default();
    if end != b"$EndMeshFormat" {
        let place = scanner.place(encoding);
        return Err(ReadError::unexpected("$EndMeshFormat", end, place));
    }
    Ok((format, encoding))
}

fn read_names(scanner: &mut Scanner, names: &mut PhysicalNames) -> Result<(), ReadError> {
    let count = scanner.size(Encoding::Text, "the number of names")?;
    for _ in 0..count {
        let dimension = scanner.int(Encoding::Text, "the dimension of a group")?;
        let tag = scanner.int(Encoding::Text, "the number of a group")?;
        let place = scanner.line_place();
        let line = scanner.line().unwrap_or_default().trim_ascii();
        let name = line
            .strip_prefix(b"\"")
            .and_then(|rest| rest.strip_suffix(b"\""))
            .ok_or_else(|| ReadError::unexpected("a name in quotes", line, place))?;
        let name = String::from_utf8_lossy(name).into_owned();
        names.0.insert((dimension, tag), name);
    }
    Ok(())
}

/// Skips to the end of an unused section.
fn skip_section(scanner: &mut Scanner, section: &[u8], place: Place) -> Result<(), ReadError> {
    // A bound on the length of section names keeps the search linear in the file size.
    const LONGEST: usize = 64;
    let name = match section {
        [b'$', name @ ..] if !name.is_empty() && name.len() <= LONGEST => name,
        _ => {
            return Err(ReadError::unexpected(
                "the name of a section",
                section,
                place,
            ));
        }
    };
    let end = [b"$End", name].concat();
    if scanner.skip_past(&end) {
        Ok(())
    } else {
        Err(ReadError::Truncated {
            expected: "the end of a section",
            place,
        })
    }
}

/// Assembles the mesh of the highest dimension in the file.
fn assemble(collected: Collected) -> Result<Loaded<AnyMesh>, ReadError> {
    let Collected {
        mut report,
        nodes,
        lines,
        triangles,
        tetrahedra,
        ..
    } = collected;
    let unused_lines = lines.corners.len() as u64;
    if !tetrahedra.corners.is_empty() {
        if unused_lines > 0 {
            report.skip("line", unused_lines);
        }
        let mut mesh = TetrahedralMesh {
            points: nodes.points,
            tetrahedra: tetrahedra.corners,
            volume_groups: tetrahedra.groups.groups,
            volume_group_of: tetrahedra.group_of,
            triangles: triangles.corners,
            surface_groups: triangles.groups.groups,
            surface_group_of: triangles.group_of,
            global_points: None,
            global_tetrahedra: None,
        };
        report.unused_points = mesh.drop_unused_points();
        report.points = mesh.points.len();
        report.elements = mesh.tetrahedra.len();
        let mesh = AnyMesh::Volume(mesh);
        return Ok(Loaded { mesh, report });
    }
    if !triangles.corners.is_empty() {
        if unused_lines > 0 {
            report.skip("line", unused_lines);
        }
        let mut mesh = TriangleMesh {
            points: nodes.points,
            triangles: triangles.corners,
            groups: triangles.groups.groups,
            group_of: triangles.group_of,
        };
        report.finish_surface(&mut mesh)?;
        let mesh = AnyMesh::Surface(mesh);
        return Ok(Loaded { mesh, report });
    }
    if !lines.corners.is_empty() {
        return contour(nodes, lines, report);
    }
    let other = report.skipped.first();
    let hint = other.map_or(String::new(), |s| {
        format!("; it contains {} × {}", s.count, s.what)
    });
    Err(ReadError::Empty {
        what: "tetrahedra, triangles or lines",
        hint,
    })
}

fn contour(
    mut nodes: Nodes,
    mut lines: Elements<2>,
    mut report: ReadReport,
) -> Result<Loaded<AnyMesh>, ReadError> {
    let before = nodes.points.len();
    let used = lines.corners.iter().flatten().copied();
    if let Some(new_number) = crate::weld::drop_unused_points(&mut nodes.points, used) {
        for index in lines.corners.iter_mut().flatten() {
            *index = new_number[*index as usize];
        }
    }
    report.unused_points = before - nodes.points.len();
    let height = nodes.points.first().map_or(0.0, |p| p[2]);
    if let Some(off) = nodes.points.iter().find(|p| p[2] != height) {
        return Err(ReadError::Empty {
            what: "triangles, and its lines are not in one plane z = constant",
            hint: format!(" (z = {height} and z = {})", off[2]),
        });
    }
    let mesh = Contour {
        points: nodes.points.iter().map(|p| [p[0], p[1]]).collect(),
        segments: lines.corners,
        groups: lines.groups.groups,
        group_of: lines.group_of,
    };
    report.points = mesh.points.len();
    report.elements = mesh.segments.len();
    let mesh = AnyMesh::Contour(mesh);
    Ok(Loaded { mesh, report })
}
