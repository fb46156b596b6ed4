use super::scanner::{Encoding, Scanner};
use super::{Format, Limits, Loaded, Place, ReadError, ReadReport};
use crate::weld::ExactWeld;
use crate::{Group, TriangleMesh};

const HEADER: usize = 80;
const PREAMBLE: usize = HEADER + 4;
const FACET: usize = 50;

/// Reads an STL file, text or binary.
///
/// STL repeats the coordinates of each corner; bitwise identical corners become one point. Use
/// [`TriangleMesh::weld`] afterward for files whose corners agree only approximately. Each `solid` of
/// a text file becomes a group. Normals in the file are ignored: the order of the corners determines
/// the orientation.
pub fn read_stl(bytes: &[u8], limits: &Limits) -> Result<Loaded<TriangleMesh>, ReadError> {
    let mut weld = ExactWeld::default();
    let (mut mesh, mut report) = if is_binary(bytes) {
        read_binary(bytes, limits, &mut weld)?
    } else {
        read_text(bytes, limits, &mut weld)?
    };
    mesh.points = weld.points;
    report.welded_points = 3 * mesh.triangles.len() - mesh.points.len();
    report.finish_surface(&mut mesh)?;
    Ok(Loaded { mesh, report })
}

/// Returns whether the file is binary.
///
/// The word "solid" at the beginning is not conclusive, since the header of a binary file may contain
/// it. A length that matches the facet count is, and so are non-text bytes.
pub(super) fn is_binary(bytes: &[u8]) -> bool {
    if has_binary_length(bytes) {
        return true;
    }
    let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let text = text.trim_ascii_start();
    let says_solid = (text.get(..5)).is_some_and(|word| word.eq_ignore_ascii_case(b"solid"));
    let start = &bytes[..bytes.len().min(512)];
    bytes.len() >= PREAMBLE && (!says_solid || start.contains(&0))
}

/// Returns whether the facet count of a binary file matches the file length.
pub(super) fn has_binary_length(bytes: &[u8]) -> bool {
    announced_facets(bytes).is_some_and(|count| {
        bytes.len() as u64 == PREAMBLE as u64 + u64::from(count) * FACET as u64
    })
}

fn announced_facets(bytes: &[u8]) -> Option<u32> {
    let count = bytes.get(HEADER..)?.first_chunk()?;
    Some(u32::from_le_bytes(*count))
}

fn read_binary(
    bytes: &[u8],
    limits: &Limits,
    weld: &mut ExactWeld,
) -> Result<(TriangleMesh, ReadReport), ReadError> {
    let mut report = ReadReport::new(Format::StlBinary);
    let announced = announced_facets(bytes).unwrap_or(0);
    let body = &bytes[PREAMBLE..];
    let room = (body.len() / FACET) as u64;
    if u64::from(announced) > room {
        return Err(ReadError::Overstated {
            what: "facets",
            announced: announced.into(),
            room,
        });
    }
    let count = announced as usize;
    limits.check_elements(count, Place::Byte(HEADER as u64))?;
    let mut triangles = Vec::with_capacity(count);
    for (number, facet) in body.chunks_exact(FACET).take(count).enumerate() {
        let mut corners = [0; 3];
        for (corner, index) in corners.iter_mut().enumerate() {
            // The first twelve bytes are the normal.
            let start = 12 + 12 * corner;
            let mut point = [0.0; 3];
            for (axis, coordinate) in point.iter_mut().enumerate() {
                let offset = start + 4 * axis;
                let raw = facet[offset..].first_chunk().copied().unwrap_or_default();
                let value = f64::from(f32::from_le_bytes(raw));
                if !value.is_finite() {
                    let byte = PREAMBLE + number * FACET + offset;
                    let place = Place::Byte(byte as u64);
                    return Err(ReadError::NotFinite { value, place });
                }
                *coordinate = value;
            }
            *index = weld.number(point);
        }
        limits.check_points(
            weld.points.len(),
            Place::Byte((PREAMBLE + number * FACET) as u64),
        )?;
        triangles.push(corners);
    }
    let trailing = body.len() - count * FACET;
    if trailing > 0 {
        report.skip("byte after the last facet", trailing as u64);
    }
    let mesh = TriangleMesh::single_group(Vec::new(), triangles, "surface");
    Ok((mesh, report))
}

fn read_text(
    bytes: &[u8],
    limits: &Limits,
    weld: &mut ExactWeld,
) -> Result<(TriangleMesh, ReadReport), ReadError> {
    let report = ReadReport::new(Format::StlText);
    let mut mesh = TriangleMesh::default();
    let mut scanner = Scanner::new(bytes);
    let mut corners = Vec::with_capacity(4);
    let mut in_facet = false;
    while let Some(word) = scanner.word() {
        let place = scanner.line_place();
        match word.to_ascii_lowercase().as_slice() {
            b"solid" => {
                let name = scanner.line().unwrap_or_default().trim_ascii();
                let name = match String::from_utf8_lossy(name).into_owned() {
                    empty if empty.is_empty() => format!("solid {}", mesh.groups.len() + 1),
                    name => name,
                };
                mesh.groups.push(Group::named(name));
            }
            b"endsolid" => {
                scanner.line();
            }
            b"facet" if in_facet => {
                return Err(ReadError::unexpected("endfacet first", word, place));
            }
            b"facet" => {
                in_facet = true;
                // "normal" and its three components, which are ignored.
                for _ in 0..4 {
                    scanner.word();
                }
            }
            b"outer" | b"loop" | b"endloop" => {}
            b"vertex" if in_facet => {
                let mut point = [0.0; 3];
                for coordinate in &mut point {
                    *coordinate = scanner.coordinate(Encoding::Text)?;
                }
                if corners.len() == 3 {
                    return Err(ReadError::unexpected(
                        "endloop after three corners",
                        word,
                        place,
                    ));
                }
                corners.push(weld.number(point));
                limits.check_points(weld.points.len(), place)?;
            }
            b"endfacet" => {
                let [a, b, c] = corners[..] else {
                    return Err(ReadError::unexpected("three corners", word, place));
                };
                if mesh.groups.is_empty() {
                    mesh.groups.push(Group::named("surface"));
                }
                mesh.triangles.push([a, b, c]);
                mesh.group_of.push((mesh.groups.len() - 1) as u32);
                limits.check_elements(mesh.triangles.len(), place)?;
                corners.clear();
                in_facet = false;
            }
            _ => {
                let expected = "solid, facet, vertex or their ends";
                return Err(ReadError::unexpected(expected, word, place));
            }
        }
    }
    if in_facet {
        return Err(ReadError::Truncated {
            expected: "the rest of a facet",
            place: scanner.line_place(),
        });
    }
    Ok((mesh, report))
}
