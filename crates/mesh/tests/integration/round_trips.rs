//! The readers read back what the writers write.

use wavefield_mesh::primitive::{cuboid, sphere};
use wavefield_mesh::*;

fn sorted_triangles(mesh: &TriangleMesh) -> Vec<[[u64; 3]; 3]> {
    let mut triangles: Vec<_> = (0..mesh.triangles.len())
        .map(|t| mesh.corners(t).map(|p| p.map(|c| (c + 0.0).to_bits())))
        .collect();
    triangles.sort_unstable();
    triangles
}

fn group_sizes(mesh: &TriangleMesh) -> Vec<(String, usize)> {
    let size = |g: usize| mesh.group_of.iter().filter(|&&o| o as usize == g).count();
    (mesh.groups.iter().enumerate())
        .map(|(g, group)| (group.name.clone(), size(g)))
        .collect()
}

#[test]
fn stl_text_keeps_every_bit_and_every_group() {
    let mesh = cuboid([1.0, 0.3, 0.7], 0.2).unwrap();
    let mut bytes = Vec::new();
    write_stl_text(&mesh, &mut bytes).unwrap();
    let loaded = read_stl(&bytes, &Limits::default()).unwrap();
    assert_eq!(loaded.report.format, Format::StlText);
    assert_eq!(sorted_triangles(&loaded.mesh), sorted_triangles(&mesh));
    assert_eq!(group_sizes(&loaded.mesh), group_sizes(&mesh));
    assert_eq!(loaded.mesh.points.len(), mesh.points.len());
    assert!(loaded.mesh.inspect().watertight);
}

#[test]
fn stl_binary_keeps_single_precision() {
    let mut mesh = sphere(1.0, 0.3).unwrap();
    for c in mesh.points.iter_mut().flatten() {
        *c = f64::from(*c as f32);
    }
    let mut bytes = Vec::new();
    write_stl_binary(&mesh, &mut bytes).unwrap();
    let loaded = read_stl(&bytes, &Limits::default()).unwrap();
    assert_eq!(loaded.report.format, Format::StlBinary);
    assert_eq!(sorted_triangles(&loaded.mesh), sorted_triangles(&mesh));
    assert_eq!(
        loaded.report.welded_points,
        3 * mesh.triangles.len() - mesh.points.len()
    );
}

#[test]
fn obj_gives_the_same_mesh_back() {
    let mesh = cuboid([1.0, 0.3, 0.7], 0.2).unwrap();
    let mut bytes = Vec::new();
    write_obj(&mesh, &mut bytes).unwrap();
    assert_eq!(read_obj(&bytes, &Limits::default()).unwrap().mesh, mesh);
}

#[test]
fn msh_gives_the_same_surface_back() {
    let mesh = cuboid([1.0, 0.3, 0.7], 0.2).unwrap();
    let mut bytes = Vec::new();
    write_msh_surface(&mesh, &mut bytes).unwrap();
    let read = read_msh(&bytes, &Limits::default())
        .unwrap()
        .mesh
        .into_surface()
        .unwrap();
    assert_eq!(
        (&read.points, &read.triangles, &read.group_of),
        (&mesh.points, &mesh.triangles, &mesh.group_of)
    );
    assert_eq!(group_sizes(&read), group_sizes(&mesh));
}

fn two_tetrahedra() -> TetrahedralMesh {
    TetrahedralMesh {
        points: vec![
            [0.0, 0.0, 0.0],
            [1.0, 0.0, 0.0],
            [0.0, 1.0, 0.0],
            [0.0, 0.0, 1.0],
            [0.1, 0.0, -1.0 / 3.0],
        ],
        tetrahedra: vec![[0, 1, 2, 3], [0, 2, 1, 4]],
        volume_groups: vec![
            Group {
                name: "upper".into(),
                tag: 1,
            },
            Group {
                name: "lower half".into(),
                tag: 2,
            },
        ],
        volume_group_of: vec![0, 1],
        triangles: vec![[0, 1, 2]],
        surface_groups: vec![Group {
            name: "interface".into(),
            tag: 1,
        }],
        surface_group_of: vec![0],
        global_points: None,
        global_tetrahedra: None,
    }
}

#[test]
fn msh_gives_the_same_volume_back() {
    let mesh = two_tetrahedra();
    mesh.validate().unwrap();
    let mut bytes = Vec::new();
    write_msh_volume(&mesh, &mut bytes).unwrap();
    let read = read_msh(&bytes, &Limits::default()).unwrap().mesh;
    assert_eq!(read, AnyMesh::Volume(mesh));
}

#[test]
fn tetrahedra_measure_their_volume_and_keep_it_when_mirrored() {
    let mut mesh = two_tetrahedra();
    assert!((mesh.volume_of("upper").unwrap() - 1.0 / 6.0).abs() < 1e-15);
    assert!((mesh.volume_of("lower half").unwrap() - 1.0 / 18.0).abs() < 1e-15);
    assert!(mesh.volume_of("nothing").is_none());
    let before = mesh.volume();
    mesh.transform(&Transform::mirror(Axis::Y));
    assert_eq!(mesh.volume(), before);
    mesh.tetrahedra[1].swap(0, 1);
    assert_eq!(mesh.make_volumes_positive(), 1);
    assert_eq!(mesh.volume(), before);
    mesh.scale(1e-3);
    assert!((mesh.volume() - 1e-9 * before).abs() < 1e-24);
    let surface = mesh.surface();
    assert_eq!((surface.points.len(), surface.triangles.len()), (3, 1));
    surface.validate().unwrap();
}

/// A minimal parser for the XML of the writer.
fn appended_or_inline(text: &[u8], name: &str) -> Vec<u8> {
    let find = |from: usize, what: &[u8]| {
        from + text[from..]
            .windows(what.len())
            .position(|w| w == what)
            .unwrap()
    };
    let tag = find(0, format!("Name=\"{name}\"").as_bytes());
    let end = find(tag, b">");
    let head = String::from_utf8(text[tag..end].to_vec()).unwrap();
    let body = if let Some(offset) = head.split("offset=\"").nth(1) {
        let offset: usize = offset.split('"').next().unwrap().parse().unwrap();
        let start = find(0, b"encoding=\"raw\"");
        let start = find(start, b"_") + 1;
        text[start + offset..].to_vec()
    } else {
        let close = find(end, b"<");
        decode_base64(&text[end + 1..close])
    };
    let length = u64::from_le_bytes(*body.first_chunk().unwrap()) as usize;
    body[8..8 + length].to_vec()
}

fn decode_base64(text: &[u8]) -> Vec<u8> {
    let value = |c: u8| match c {
        b'A'..=b'Z' => c - b'A',
        b'a'..=b'z' => c - b'a' + 26,
        b'0'..=b'9' => c - b'0' + 52,
        b'+' => 62,
        _ => 63,
    };
    let letters: Vec<u8> = text
        .iter()
        .copied()
        .filter(|&c| c != b'=')
        .map(value)
        .collect();
    let mut bytes = Vec::new();
    for quad in letters.chunks(4) {
        let bits =
            quad.iter().fold(0_u32, |bits, &v| bits << 6 | u32::from(v)) << (6 * (4 - quad.len()));
        bytes.extend_from_slice(&bits.to_be_bytes()[1..quad.len()]);
    }
    bytes
}

#[test]
fn vtu_holds_points_cells_and_data_in_both_encodings() {
    let mesh = two_tetrahedra();
    let field = [1.0, 2.0, 3.0, 4.0, 5.5];
    let vectors = [0.5_f32, 1.0, 2.0, 3.0, 4.0, 5.0];
    let data = VtuData {
        points: &[VtuArray {
            name: "E <V/m>",
            components: 1,
            values: VtuValues::Float64(&field),
        }],
        cells: &[VtuArray {
            name: "J",
            components: 3,
            values: VtuValues::Float32(&vectors),
        }],
    };
    for encoding in [VtuEncoding::Base64, VtuEncoding::AppendedRaw] {
        let mut bytes = Vec::new();
        write_vtu_volume(&mesh, &data, encoding, &mut bytes).unwrap();
        let doubles = |name: &str| -> Vec<f64> {
            appended_or_inline(&bytes, name)
                .chunks(8)
                .map(|c| f64::from_le_bytes(c.try_into().unwrap()))
                .collect()
        };
        let longs = |name: &str| -> Vec<i64> {
            appended_or_inline(&bytes, name)
                .chunks(8)
                .map(|c| i64::from_le_bytes(c.try_into().unwrap()))
                .collect()
        };
        assert_eq!(doubles("Points"), mesh.points.concat());
        assert_eq!(doubles("E &lt;V/m&gt;"), field);
        assert_eq!(longs("connectivity"), [0, 1, 2, 3, 0, 2, 1, 4]);
        assert_eq!(longs("offsets"), [4, 8]);
        assert_eq!(appended_or_inline(&bytes, "types"), [10, 10]);
        assert_eq!(appended_or_inline(&bytes, "J").len(), 24);
        assert_eq!(
            appended_or_inline(&bytes, "group"),
            [0, 0, 0, 0, 1, 0, 0, 0]
        );
    }
    let surface = sphere(1.0, 0.8).unwrap();
    let mut bytes = Vec::new();
    write_vtu_surface(
        &surface,
        &VtuData::default(),
        VtuEncoding::Base64,
        &mut bytes,
    )
    .unwrap();
    assert_eq!(
        appended_or_inline(&bytes, "types"),
        vec![5; surface.triangles.len()]
    );
}

#[test]
fn data_of_the_wrong_length_are_refused() {
    let mesh = two_tetrahedra();
    let data = VtuData {
        points: &[],
        cells: &[VtuArray {
            name: "J",
            components: 3,
            values: VtuValues::Float64(&[1.0, 2.0]),
        }],
    };
    let result = write_vtu_volume(&mesh, &data, VtuEncoding::Base64, &mut Vec::new());
    assert!(matches!(
        result,
        Err(WriteError::DataLength {
            found: 2,
            expected: 6,
            ..
        })
    ));
}

#[test]
fn names_that_would_break_a_file_are_refused() {
    let mut mesh = sphere(1.0, 0.8).unwrap();
    mesh.groups[0].name = "a\nf 1 2 3".into();
    assert!(matches!(
        write_obj(&mesh, &mut Vec::new()),
        Err(WriteError::Name { .. })
    ));
    assert!(matches!(
        write_stl_text(&mesh, &mut Vec::new()),
        Err(WriteError::Name { .. })
    ));
    mesh.groups[0].name = "a\"b".into();
    assert!(matches!(
        write_msh_surface(&mesh, &mut Vec::new()),
        Err(WriteError::Name { .. })
    ));
}

#[test]
fn broken_meshes_are_refused_by_writers() {
    let mut mesh = sphere(1.0, 0.8).unwrap();
    mesh.triangles[3][1] = 1000;
    let error = write_stl_binary(&mesh, &mut Vec::new()).unwrap_err();
    assert!(
        error.to_string().contains("triangle 3 uses point 1000"),
        "{error}"
    );
    mesh.triangles[3][1] = 0;
    mesh.points[2][0] = f64::NAN;
    assert!(matches!(
        mesh.validate(),
        Err(MeshError::NotFinite { point: 2, .. })
    ));
    mesh.points[2][0] = 0.0;
    mesh.group_of.pop();
    assert!(matches!(
        mesh.validate(),
        Err(MeshError::LengthMismatch { .. })
    ));
    mesh.group_of.push(1);
    assert!(matches!(
        mesh.validate(),
        Err(MeshError::GroupOutOfRange { index: 1, .. })
    ));
}

#[test]
fn pvd_lists_files_by_time() {
    let mut bytes = Vec::new();
    write_pvd(&[(0.0, "field-0.vtu"), (1.5e-9, "a&b.vtu")], &mut bytes).unwrap();
    let text = String::from_utf8(bytes).unwrap();
    assert!(text.contains("timestep=\"1.5e-9\" part=\"0\" file=\"a&amp;b.vtu\""));
    assert_eq!(text.matches("<DataSet").count(), 2);
}
