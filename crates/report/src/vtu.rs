//! Fields on tetrahedra for mesh viewers: a `.vtu` file per time sample and a `.pvd` file that lists them with their
//! times.
//!
//! Every tetrahedron has separate corners, since DG fields are discontinuous. The binary data follow the XML, each
//! array after its length in bytes.

use std::fmt::Write as _;

use wavefield_solver::outcome::{FieldFile, Outcome};

/// VTK cell type of a tetrahedron.
const TETRAHEDRON: u8 = 10;

/// Returns the bytes of a `.vtu` file; `None` if an array is missing.
pub fn moment(file: &FieldFile, outcome: &Outcome) -> Option<Vec<u8>> {
    let points = outcome.array(&file.points)?.as_real()?;
    let vectors = [("E", &file.electric), ("Z0H", &file.magnetic)];
    let count = points.len() / 3;
    let cells = count / 4;
    let mut data: Vec<u8> = Vec::new();
    let mut append = |bytes: Vec<u8>| {
        let offset = data.len();
        data.extend((bytes.len() as u64).to_le_bytes());
        data.extend(bytes);
        offset
    };
    let floats = |values: &[f64]| -> Vec<u8> {
        values
            .iter()
            .flat_map(|&x| (x as f32).to_le_bytes())
            .collect()
    };
    let mut text = format!(
        "<?xml version=\"1.0\"?>\n\
         <VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\">\n\
         <UnstructuredGrid>\n<Piece NumberOfPoints=\"{count}\" NumberOfCells=\"{cells}\">\n"
    );
    let array = |text: &mut String, kind: &str, name: &str, components: usize, offset: usize| {
        // Writing to a String cannot fail.
        let _ = writeln!(
            text,
            "<DataArray type=\"{kind}\" Name=\"{name}\" NumberOfComponents=\"{components}\" format=\"appended\" offset=\"{offset}\"/>"
        );
    };
    text.push_str("<Points>\n");
    array(&mut text, "Float32", "points", 3, append(floats(points)));
    text.push_str("</Points>\n<Cells>\n");
    let connectivity = (0..count as i64).flat_map(i64::to_le_bytes).collect();
    array(&mut text, "Int64", "connectivity", 1, append(connectivity));
    let offsets = (1..=cells as i64)
        .flat_map(|n| (4 * n).to_le_bytes())
        .collect();
    array(&mut text, "Int64", "offsets", 1, append(offsets));
    array(
        &mut text,
        "UInt8",
        "types",
        1,
        append(vec![TETRAHEDRON; cells]),
    );
    text.push_str("</Cells>\n<PointData Vectors=\"E\">\n");
    for (name, values) in vectors {
        let values = outcome.array(values)?.as_real()?;
        array(&mut text, "Float32", name, 3, append(floats(values)));
    }
    text.push_str(
        "</PointData>\n</Piece>\n</UnstructuredGrid>\n<AppendedData encoding=\"raw\">\n_",
    );
    let mut bytes = text.into_bytes();
    bytes.extend(data);
    bytes.extend(b"\n</AppendedData>\n</VTKFile>\n");
    Some(bytes)
}

/// Returns the text of the `.pvd` file.
pub fn series(files: &[FieldFile]) -> String {
    let mut text = String::from(
        "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\" byte_order=\"LittleEndian\">\n<Collection>\n",
    );
    for file in files {
        let _ = writeln!(
            text,
            "<DataSet timestep=\"{:e}\" part=\"0\" file=\"{}\"/>",
            file.time,
            file.file_name()
        );
    }
    text.push_str("</Collection>\n</VTKFile>\n");
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use wavefield_solver::outcome::Array;

    #[test]
    fn numbers_lie_where_the_file_says() {
        let values = |scale: f64| (0..12).map(|n| scale * f64::from(n)).collect();
        let array = |name: &str, scale| Array::real(name, values(scale)).reshaped(&[4, 3]);
        let outcome = Outcome {
            arrays: vec![array("p", 1.0), array("e", 2.0), array("h", -3.0)],
            ..Outcome::default()
        };
        let file = FieldFile {
            name: "fields-1".to_owned(),
            time: 2e-9,
            points: "p".to_owned(),
            electric: "e".to_owned(),
            magnetic: "h".to_owned(),
        };
        let bytes = moment(&file, &outcome).unwrap();
        let marker = b"<AppendedData encoding=\"raw\">\n_";
        let data = marker.len()
            + (bytes.windows(marker.len()))
                .position(|window| window == marker)
                .unwrap();
        let text = String::from_utf8_lossy(&bytes[..data]).into_owned();
        assert!(text.contains("NumberOfPoints=\"4\" NumberOfCells=\"1\""));
        for (name, scale) in [("points", 1.0_f32), ("E", 2.0), ("Z0H", -3.0)] {
            let line = text
                .lines()
                .find(|line| line.contains(&format!("Name=\"{name}\"")));
            let (_, offset) = line.unwrap().split_once("offset=\"").unwrap();
            let offset: usize = offset.split('"').next().unwrap().parse().unwrap();
            let at = &bytes[data + offset..];
            assert_eq!(at[..8], 48_u64.to_le_bytes());
            for (number, value) in at[8..56].chunks(4).enumerate() {
                let value = f32::from_le_bytes(value.try_into().unwrap());
                assert_eq!(value, scale * number as f32);
            }
        }
        let listed = series(std::slice::from_ref(&file));
        assert!(listed.contains("timestep=\"2e-9\"") && listed.contains("file=\"fields-1.vtu\""));
        let missing = FieldFile {
            points: "q".to_owned(),
            ..file
        };
        assert!(moment(&missing, &outcome).is_none());
    }
}
