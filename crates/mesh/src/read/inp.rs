use super::scanner::{Scanner, parse_coordinate, parse_int, words};
use super::{Format, Limits, Loaded, Place, ReadError, ReadReport};
use crate::TriangleMesh;
use crate::group::GroupsByTag;

/// Reads the triangle format (`.inp`) of the Austin RCS benchmark suite.
///
/// The first line contains the numbers of points and triangles (in some files also three times the
/// latter, which is ignored). The points follow as x y z, then the triangles as three point numbers from
/// 1, in some files with a group number as a fourth.
pub fn read_inp(bytes: &[u8], limits: &Limits) -> Result<Loaded<TriangleMesh>, ReadError> {
    let mut report = ReadReport::new(Format::Inp);
    let mut scanner = Scanner::new(bytes);
    let (header, place) = data_line(&mut scanner, "the numbers of points and triangles")?;
    let mut header_words = words(header);
    let mut count = || {
        let word = header_words.next().unwrap_or_default();
        let value = parse_int(word, "the numbers of points and triangles", place)?;
        u64::try_from(value)
            .map_err(|_| ReadError::unexpected("a count that is not negative", word, place))
    };
    let (point_count, triangle_count) = (count()?, count()?);

    let mut mesh = TriangleMesh::default();
    for _ in 0..point_count {
        let (line, place) = data_line(&mut scanner, "a point")?;
        let mut words = words(line);
        let mut point = [0.0; 3];
        for coordinate in &mut point {
            *coordinate = parse_coordinate(words.next(), place)?;
        }
        mesh.points.push(point);
        limits.check_points(mesh.points.len(), place)?;
    }
    let points = mesh.points.len();
    let mut groups = GroupsByTag::default();
    for _ in 0..triangle_count {
        let (line, place) = data_line(&mut scanner, "a triangle")?;
        let mut words = words(line);
        let mut corners = [0; 3];
        for corner in &mut corners {
            let word = words.next().unwrap_or_default();
            let index = parse_int(word, "the number of a point", place)?;
            if index < 1 || index > points as i64 {
                return Err(ReadError::NoSuchPoint {
                    index,
                    points,
                    first: 1,
                    place,
                });
            }
            *corner = (index - 1) as u32;
        }
        let group = match words.next() {
            Some(word) => {
                let tag = parse_int(word, "the number of a group", place)?;
                groups.index(tag, || format!("group {tag}"))
            }
            None => groups.index(0, || "surface".into()),
        };
        mesh.triangles.push(corners);
        mesh.group_of.push(group);
        limits.check_elements(mesh.triangles.len(), place)?;
    }
    while let Some(line) = scanner.line() {
        if !line.trim_ascii().is_empty() {
            report.skip("line after the last triangle", 1);
        }
    }
    mesh.groups = groups.groups;
    report.finish_surface(&mut mesh)?;
    Ok(Loaded { mesh, report })
}

/// Returns whether the first line has the form of the header of this format.
pub(super) fn looks_like_inp(bytes: &[u8]) -> bool {
    let Ok((header, place)) = data_line(&mut Scanner::new(bytes), "a header") else {
        return false;
    };
    let counts = words(header).take(4).collect::<Vec<_>>();
    (2..=3).contains(&counts.len()) && counts.iter().all(|w| parse_int(w, "", place).is_ok())
}

/// Returns the next line that is not blank.
fn data_line<'a>(
    scanner: &mut Scanner<'a>,
    expected: &'static str,
) -> Result<(&'a [u8], Place), ReadError> {
    loop {
        let place = scanner.line_place();
        match scanner.line() {
            Some(line) if line.trim_ascii().is_empty() => {}
            Some(line) => return Ok((line, place)),
            None => return Err(ReadError::Truncated { expected, place }),
        }
    }
}
