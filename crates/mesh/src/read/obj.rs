use std::borrow::Cow;
use std::collections::HashMap;

use super::scanner::{Scanner, parse_coordinate, parse_int, words};
use super::{Format, Limits, Loaded, Place, ReadError, ReadReport};
use crate::{Group, TriangleMesh};

/// Reads the surface in a Wavefront OBJ file.
///
/// Polygons are triangulated as fans from their first corner, which is valid for convex ones. The latest
/// `g`, `o`, or `usemtl` statement names the group of the faces below it. Texture coordinates and
/// normals are ignored: the order of the corners determines the orientation.
pub fn read_obj(bytes: &[u8], limits: &Limits) -> Result<Loaded<TriangleMesh>, ReadError> {
    let mut report = ReadReport::new(Format::Obj);
    let mut mesh = TriangleMesh::default();
    let mut group_number: HashMap<Vec<u8>, u32> = HashMap::new();
    let mut group = None;
    let mut scanner = Scanner::new(bytes);
    // A face may precede its points, so the range of the largest number is checked at the end.
    let mut largest = (0_i64, Place::Line(1));
    loop {
        let place = scanner.line_place();
        let Some(line) = logical_line(&mut scanner) else {
            break;
        };
        let line = line.split(|&b| b == b'#').next().unwrap_or_default();
        let mut words = words(line);
        let Some(keyword) = words.next() else {
            continue;
        };
        match keyword {
            b"v" => {
                let mut point = [0.0; 3];
                for coordinate in &mut point {
                    *coordinate = parse_coordinate(words.next(), place)?;
                }
                mesh.points.push(point);
                limits.check_points(mesh.points.len(), place)?;
            }
            b"f" => {
                let group = *group.get_or_insert_with(|| {
                    mesh.groups.push(Group::named("surface"));
                    (mesh.groups.len() - 1) as u32
                });
                let points = mesh.points.len();
                let mut corner = |word: &[u8]| -> Result<u32, ReadError> {
                    let number = corner_number(word, points, place)?;
                    if number > largest.0 {
                        largest = (number, place);
                    }
                    Ok((number - 1) as u32)
                };
                let mut next = || words.next().map(&mut corner).transpose();
                let (Some(first), Some(second), Some(third)) = (next()?, next()?, next()?) else {
                    return Err(ReadError::unexpected("at least three corners", line, place));
                };
                mesh.triangles.push([first, second, third]);
                let mut previous = third;
                let before = mesh.triangles.len();
                while let Some(index) = next()? {
                    mesh.triangles.push([first, previous, index]);
                    previous = index;
                }
                report.split_polygons += usize::from(mesh.triangles.len() > before);
                limits.check_elements(mesh.triangles.len(), place)?;
                mesh.group_of.resize(mesh.triangles.len(), group);
            }
            b"g" | b"o" | b"usemtl" => {
                let name = line.trim_ascii()[keyword.len()..].trim_ascii();
                let name = if name.is_empty() { b"default" } else { name };
                group = Some(*group_number.entry(name.to_vec()).or_insert_with(|| {
                    let name = String::from_utf8_lossy(name).into_owned();
                    mesh.groups.push(Group::named(name));
                    (mesh.groups.len() - 1) as u32
                }));
            }
            b"vt" | b"vn" | b"vp" | b"s" | b"mtllib" => {}
            b"l" => report.skip("line element", 1),
            b"p" => report.skip("point element", 1),
            b"curv" | b"curv2" | b"surf" => report.skip("free-form curve or surface", 1),
            _ if line.contains(&0) => {
                return Err(ReadError::unexpected("text", line, place));
            }
            _ => report.skip("unknown statement", 1),
        }
    }
    if largest.0 > mesh.points.len() as i64 {
        return Err(ReadError::NoSuchPoint {
            index: largest.0,
            points: mesh.points.len(),
            first: 1,
            place: largest.1,
        });
    }
    report.finish_surface(&mut mesh)?;
    Ok(Loaded { mesh, report })
}

/// Returns a line joined with its continuation lines (a backslash at the end).
fn logical_line<'a>(scanner: &mut Scanner<'a>) -> Option<Cow<'a, [u8]>> {
    let line = scanner.line()?;
    let Some(start) = line.strip_suffix(b"\\") else {
        return Some(Cow::Borrowed(line));
    };
    let mut joined = start.to_vec();
    while let Some(next) = scanner.line() {
        joined.push(b' ');
        match next.strip_suffix(b"\\") {
            Some(part) => joined.extend_from_slice(part),
            None => {
                joined.extend_from_slice(next);
                break;
            }
        }
    }
    Some(Cow::Owned(joined))
}

/// Parses the point number in `7`, `7/1`, `7//3`, or `7/1/3`; −1 is the latest point.
fn corner_number(word: &[u8], points: usize, place: Place) -> Result<i64, ReadError> {
    let number = word.split(|&b| b == b'/').next().unwrap_or_default();
    let index = parse_int(number, "the number of a point", place)?;
    let absolute = if index < 0 {
        index.saturating_add(points as i64 + 1)
    } else {
        index
    };
    if absolute < 1 || absolute > i64::from(u32::MAX) {
        return Err(ReadError::NoSuchPoint {
            index,
            points,
            first: 1,
            place,
        });
    }
    Ok(absolute)
}
