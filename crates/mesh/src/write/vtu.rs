use std::io::Write;

use base64::{Engine as _, engine::general_purpose::STANDARD};

use super::WriteError;
use crate::{TetrahedralMesh, TriangleMesh};

/// Encoding of the data arrays in a VTU file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VtuEncoding {
    /// Base64 text inside the XML: a third larger, but valid XML.
    Base64,
    /// Raw bytes appended to the XML: compact and fast.
    AppendedRaw,
}

/// Values of a data array.
#[derive(Clone, Copy, Debug)]
pub enum VtuValues<'a> {
    /// Double precision.
    Float64(&'a [f64]),
    /// Single precision.
    Float32(&'a [f32]),
    /// 32-bit unsigned integers.
    UInt32(&'a [u32]),
}

/// A named data array on points or cells.
#[derive(Clone, Copy, Debug)]
pub struct VtuArray<'a> {
    /// Name shown in the viewer.
    pub name: &'a str,
    /// Number of components per point or cell: 1 for a scalar, 3 for a vector.
    pub components: usize,
    /// Values; the components of one point or cell are contiguous.
    pub values: VtuValues<'a>,
}

/// Data arrays stored with a mesh.
#[derive(Clone, Copy, Debug, Default)]
pub struct VtuData<'a> {
    /// Data arrays on points.
    pub points: &'a [VtuArray<'a>],
    /// Data arrays on cells.
    pub cells: &'a [VtuArray<'a>],
}

/// Writes a surface as VTU for ParaView (VTK XML unstructured grid), with the group of each triangle as
/// "group".
pub fn write_vtu_surface(
    mesh: &TriangleMesh,
    data: &VtuData,
    encoding: VtuEncoding,
    out: &mut impl Write,
) -> Result<(), WriteError> {
    mesh.validate()?;
    // VTK_TRIANGLE
    write_vtu(
        &mesh.points,
        &mesh.triangles,
        5,
        &mesh.group_of,
        data,
        encoding,
        out,
    )
}

/// Writes a volume as VTU for ParaView (VTK XML unstructured grid), with the group of each tetrahedron as
/// "group".
pub fn write_vtu_volume(
    mesh: &TetrahedralMesh,
    data: &VtuData,
    encoding: VtuEncoding,
    out: &mut impl Write,
) -> Result<(), WriteError> {
    mesh.validate()?;
    // VTK_TETRA
    let groups = &mesh.volume_group_of;
    write_vtu(
        &mesh.points,
        &mesh.tetrahedra,
        10,
        groups,
        data,
        encoding,
        out,
    )
}

fn write_vtu<const N: usize>(
    points: &[[f64; 3]],
    cells: &[[u32; N]],
    cell_type: u8,
    groups: &[u32],
    data: &VtuData,
    encoding: VtuEncoding,
    out: &mut impl Write,
) -> Result<(), WriteError> {
    for (arrays, of, count) in [
        (data.points, "point", points.len()),
        (data.cells, "cell", cells.len()),
    ] {
        for array in arrays {
            array.check_length(of, count)?;
        }
    }
    let group = VtuArray {
        name: "group",
        components: 1,
        values: VtuValues::UInt32(groups),
    };
    let mut arrays = Arrays {
        encoding,
        appended: Vec::new(),
        out,
    };
    let (point_count, cell_count) = (points.len(), cells.len());
    writeln!(arrays.out, "<?xml version=\"1.0\"?>")?;
    writeln!(
        arrays.out,
        "<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\">\n\
         <UnstructuredGrid>\n\
         <Piece NumberOfPoints=\"{point_count}\" NumberOfCells=\"{cell_count}\">"
    )?;
    writeln!(arrays.out, "<PointData>")?;
    for array in data.points {
        arrays.write_data(array)?;
    }
    writeln!(arrays.out, "</PointData>\n<CellData>")?;
    arrays.write_data(&group)?;
    for array in data.cells {
        arrays.write_data(array)?;
    }
    writeln!(arrays.out, "</CellData>\n<Points>")?;
    arrays.write(
        "Points",
        "Float64",
        3,
        little_endian(points.iter().flatten(), |v| v.to_le_bytes()),
    )?;
    writeln!(arrays.out, "</Points>\n<Cells>")?;
    let corners = little_endian(cells.iter().flatten(), |&v| i64::from(v).to_le_bytes());
    arrays.write("connectivity", "Int64", 1, corners)?;
    let ends: Vec<i64> = (1..=cell_count).map(|k| (k * N) as i64).collect();
    arrays.write(
        "offsets",
        "Int64",
        1,
        little_endian(&ends, |v| v.to_le_bytes()),
    )?;
    arrays.write("types", "UInt8", 1, vec![cell_type; cell_count])?;
    writeln!(arrays.out, "</Cells>\n</Piece>\n</UnstructuredGrid>")?;
    arrays.finish()?;
    writeln!(out, "</VTKFile>")?;
    Ok(())
}

impl VtuArray<'_> {
    fn check_length(&self, of: &'static str, count: usize) -> Result<(), WriteError> {
        let found = match self.values {
            VtuValues::Float64(values) => values.len(),
            VtuValues::Float32(values) => values.len(),
            VtuValues::UInt32(values) => values.len(),
        };
        let expected = count.saturating_mul(self.components);
        if found == expected {
            return Ok(());
        }
        Err(WriteError::DataLength {
            name: self.name.into(),
            found,
            expected,
            components: self.components,
            of,
        })
    }
}

/// Data arrays of a file, each preceded by its length in bytes as the format requires.
struct Arrays<'a, W: Write> {
    encoding: VtuEncoding,
    appended: Vec<u8>,
    out: &'a mut W,
}

impl<W: Write> Arrays<'_, W> {
    fn write_data(&mut self, array: &VtuArray) -> Result<(), WriteError> {
        let (kind, bytes) = match array.values {
            VtuValues::Float64(v) => ("Float64", little_endian(v, |v| v.to_le_bytes())),
            VtuValues::Float32(v) => ("Float32", little_endian(v, |v| v.to_le_bytes())),
            VtuValues::UInt32(v) => ("UInt32", little_endian(v, |v| v.to_le_bytes())),
        };
        self.write(array.name, kind, array.components, bytes)
    }

    fn write(
        &mut self,
        name: &str,
        kind: &str,
        components: usize,
        bytes: Vec<u8>,
    ) -> Result<(), WriteError> {
        let name = escape(name);
        let mut head = format!("<DataArray type=\"{kind}\" Name=\"{name}\"");
        // Without the attribute a reader returns a flat array, with it a table of one column.
        if components != 1 {
            head.push_str(&format!(" NumberOfComponents=\"{components}\""));
        }
        let length = (bytes.len() as u64).to_le_bytes();
        match self.encoding {
            VtuEncoding::Base64 => {
                let coded = STANDARD.encode([&length, &bytes[..]].concat());
                writeln!(self.out, "{head} format=\"binary\">{coded}</DataArray>")?;
            }
            VtuEncoding::AppendedRaw => {
                let offset = self.appended.len();
                writeln!(self.out, "{head} format=\"appended\" offset=\"{offset}\"/>")?;
                self.appended.extend_from_slice(&length);
                self.appended.extend_from_slice(&bytes);
            }
        }
        Ok(())
    }

    fn finish(self) -> Result<(), WriteError> {
        if self.encoding == VtuEncoding::AppendedRaw {
            write!(self.out, "<AppendedData encoding=\"raw\">\n_")?;
            self.out.write_all(&self.appended)?;
            writeln!(self.out, "\n</AppendedData>")?;
        }
        Ok(())
    }
}

fn little_endian<'a, T: 'a, const B: usize>(
    values: impl IntoIterator<Item = &'a T>,
    bytes: impl Fn(&T) -> [u8; B],
) -> Vec<u8> {
    values.into_iter().flat_map(bytes).collect()
}

/// Escapes text for an XML attribute.
pub(super) fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            c if c.is_control() => escaped.push(' '),
            c => escaped.push(c),
        }
    }
    escaped
}
