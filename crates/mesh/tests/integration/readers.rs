//! Every format, with the peculiarities of common writers.

use wavefield_mesh::*;

const ALL: Limits = Limits {
    points: 1000,
    elements: 1000,
};

fn stl_facet(points: [[f32; 3]; 3]) -> String {
    let vertices = points
        .map(|[x, y, z]| format!("vertex {x} {y} {z}\n"))
        .concat();
    format!("facet normal nan 0 0\nouter loop\n{vertices}endloop\nendfacet\n")
}

const CORNERS: [[f32; 3]; 4] = [
    [0.0, 0.0, 0.0],
    [1.0, 0.0, 0.0],
    [1.0, 1.0, 0.0],
    [-0.0, 1.0, 0.0],
];

fn facets() -> [[[f32; 3]; 3]; 2] {
    let [a, b, c, d] = CORNERS;
    [[a, b, c], [[-0.0, 0.0, 0.0], c, d]]
}

fn binary_stl(header: &[u8], announced: u32) -> Vec<u8> {
    let mut bytes = header.to_vec();
    bytes.resize(80, b' ');
    bytes.extend(announced.to_le_bytes());
    for facet in facets() {
        bytes.extend([0xff; 12]);
        bytes.extend(facet.iter().flatten().flat_map(|c| c.to_le_bytes()));
        bytes.extend([0; 2]);
    }
    bytes
}

#[test]
fn stl_solids_become_groups_and_equal_corners_one_point() {
    let [first, second] = facets().map(stl_facet);
    let text = format!("solid left wing\n{first}endsolid left wing\nSOLID\n{second}endsolid\n");
    for text in [
        text.clone(),
        text.replace('\n', "\r\n"),
        format!("\u{feff}{text}"),
        text.replace('\n', " \n "),
    ] {
        let loaded = read_stl(text.as_bytes(), &ALL).unwrap();
        assert_eq!(loaded.mesh.points.len(), 4, "−0 and +0 are the same point");
        assert_eq!(loaded.report.welded_points, 2);
        assert_eq!(loaded.mesh.triangles, [[0, 1, 2], [0, 2, 3]]);
        assert_eq!(loaded.mesh.groups[0].name, "left wing");
        assert_eq!(loaded.mesh.groups[1].name, "solid 2");
        assert_eq!(loaded.mesh.group_of, [0, 1]);
    }
}

#[test]
fn binary_stl_is_recognized_even_if_it_begins_with_solid() {
    for header in [
        &b"solid made by a CAD program"[..],
        b"",
        b"solid\0",
        b"\xef\xbb\xbfsolid",
    ] {
        let loaded = read_stl(&binary_stl(header, 2), &ALL).unwrap();
        assert_eq!(loaded.report.format, Format::StlBinary);
        assert_eq!(loaded.mesh.triangles, [[0, 1, 2], [0, 2, 3]]);
    }
}

#[test]
fn bytes_after_the_last_facet_are_reported() {
    let mut bytes = binary_stl(b"header", 2);
    bytes.extend([7; 9]);
    let report = read_stl(&bytes, &ALL).unwrap().report;
    assert_eq!(
        report.skipped,
        [Skipped {
            what: "byte after the last facet".into(),
            count: 9
        }]
    );
    assert!(
        report
            .to_string()
            .contains("9 × byte after the last facet skipped")
    );
}

#[test]
fn degenerate_facets_are_left_out_and_counted() {
    let [a, b, c, _] = CORNERS;
    let text = format!(
        "solid s\n{}{}endsolid",
        stl_facet([a, b, b]),
        stl_facet([a, b, c])
    );
    let loaded = read_stl(text.as_bytes(), &ALL).unwrap();
    assert_eq!(
        (
            loaded.mesh.triangles.len(),
            loaded.report.degenerate_elements
        ),
        (1, 1)
    );
}

#[test]
fn obj_understands_every_form_of_a_face() {
    let text = "# comment\nmtllib x.mtl\nv 0 0 0 1.0\nv 1 0 0\nv 1 1 0 0.5 0.5 0.5\nv 0 1 0\nvt 0 0\nvn 0 0 1\n\
                g flat part\nf 1/1/1 2//1 3/1 # corner forms\nusemtl metal\nf -4 \\\n -2 \\\n -1\ns off\n\
                g flat part\nf 1 2 3 4\nl 1 2\nnonsense 3\n";
    let loaded = read_obj(text.as_bytes(), &ALL).unwrap();
    assert_eq!(
        loaded.mesh.triangles,
        [[0, 1, 2], [0, 2, 3], [0, 1, 2], [0, 2, 3]]
    );
    assert_eq!(
        loaded
            .mesh
            .groups
            .iter()
            .map(|g| &g.name[..])
            .collect::<Vec<_>>(),
        ["flat part", "metal"]
    );
    assert_eq!(loaded.mesh.group_of, [0, 1, 0, 0]);
    assert_eq!(loaded.report.split_polygons, 1);
    assert_eq!(loaded.report.skipped.len(), 2);
}

#[test]
fn obj_faces_may_come_before_their_points_but_not_without_them() {
    let loaded = read_obj(b"f 1 2 3\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 9 9 9\n", &ALL).unwrap();
    assert_eq!(
        (loaded.mesh.points.len(), loaded.report.unused_points),
        (3, 1)
    );
    let error = read_obj(b"v 0 0 0\nv 1 0 0\n\nf 1 2 3\n", &ALL).unwrap_err();
    assert!(matches!(
        error,
        ReadError::NoSuchPoint {
            index: 3,
            points: 2,
            place: Place::Line(4),
            ..
        }
    ));
    assert_eq!(
        error.to_string(),
        "line 4: point 3 is used, but the file has 2 points (numbered from 1)"
    );
    for bad in ["0", "-3", "99999999999", "x", "1.5"] {
        let text = format!("v 0 0 0\nv 1 0 0\nf 1 2 {bad}\n");
        assert!(read_obj(text.as_bytes(), &ALL).is_err(), "{bad}");
    }
}

#[test]
fn inp_reads_fortran_numbers_and_groups() {
    let text =
        "  3  2  6\n 0.0D+00 0.0 0.0\n 1.d0 0 0\n\n 0 1.0E+000 0\n 1 2 3 7\n 3 2 1 8\nrest\n";
    let loaded = read_inp(text.as_bytes(), &ALL).unwrap();
    assert_eq!(loaded.mesh.points[1], [1.0, 0.0, 0.0]);
    assert_eq!(
        loaded.mesh.groups[0],
        Group {
            name: "group 7".into(),
            tag: 7
        }
    );
    assert_eq!(loaded.mesh.group_of, [0, 1]);
    assert_eq!(loaded.report.skipped[0].count, 1);
}

const PLATE_22: &str = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Comments\n$Nodes\n$EndComments\n\
    $PhysicalNames\n1\n2 5 \"the plate\"\n$EndPhysicalNames\n\
    $Nodes\n5\n10 0 0 0\n3 1 0 0\n7 1 1 0\n8 0 1 0\n100 5 5 5\n$EndNodes\n\
    $Elements\n5\n1 15 2 0 1 10\n2 1 2 9 1 10 3\n3 2 4 5 1 1 1 10 3 7\n4 2 2 -6 1 10 7 8\n5 99 0 1 2 3\n$EndElements\n";

#[test]
fn msh_22_numbers_need_not_run() {
    let loaded = read_msh(PLATE_22.as_bytes(), &ALL).unwrap();
    let report = loaded.report;
    let mesh = loaded.mesh.into_surface().unwrap();
    assert_eq!(mesh.triangles, [[0, 1, 2], [0, 2, 3]]);
    assert_eq!(
        mesh.groups[0],
        Group {
            name: "the plate".into(),
            tag: 5
        }
    );
    assert_eq!(
        mesh.groups[1],
        Group {
            name: "group 6".into(),
            tag: 6
        }
    );
    assert_eq!(report.unused_points, 1);
    let skipped: Vec<&str> = report.skipped.iter().map(|s| &s.what[..]).collect();
    assert_eq!(
        skipped,
        ["point element", "element of unknown type 99", "line"]
    );
}

#[test]
fn msh_curved_elements_keep_their_corners_and_quadrangles_are_cut() {
    let text = PLATE_22.replace("3 2 4 5 1 1 1 10 3 7\n", "3 9 2 5 1 10 3 7 10 3 7\n");
    let text = text.replace("4 2 2 -6 1 10 7 8\n", "4 3 2 5 1 10 3 7 8\n");
    let loaded = read_msh(text.as_bytes(), &ALL).unwrap();
    assert_eq!(
        (
            loaded.report.straightened_elements,
            loaded.report.split_polygons
        ),
        (1, 1)
    );
    assert_eq!(loaded.mesh.into_surface().unwrap().triangles.len(), 3);
}

#[test]
fn msh_lines_alone_make_a_contour() {
    let text = PLATE_22.replace("3 2 4 5 1 1 1 10 3 7\n", "3 1 2 9 1 3 7\n");
    let text = text.replace("4 2 2 -6 1 10 7 8\n", "4 1 2 4 1 7 10\n");
    let contour = read_msh(text.as_bytes(), &ALL)
        .unwrap()
        .mesh
        .into_contour()
        .unwrap();
    contour.validate().unwrap();
    assert_eq!(contour.segments, [[0, 1], [1, 2], [2, 0]]);
    assert_eq!(contour.group_of, [0, 0, 1]);
    assert!(contour.curves()[0].closed);
    let tilted = text.replace("7 1 1 0", "7 1 1 0.5");
    assert!(matches!(
        read_msh(tilted.as_bytes(), &ALL),
        Err(ReadError::Empty { .. })
    ));
}

/// Returns a surface with parametric points and a volume, both in two physical groups, and a
/// partitioned entity.
fn tetrahedron_41(order: Option<bool>) -> Vec<u8> {
    let mut out = b"$MeshFormat\n".to_vec();
    let ints = |out: &mut Vec<u8>, values: &[i32]| {
        for v in values {
            match order {
                None => out.extend(format!("{v} ").bytes()),
                Some(true) => out.extend(v.to_be_bytes()),
                Some(false) => out.extend(v.to_le_bytes()),
            }
        }
    };
    let sizes = |out: &mut Vec<u8>, values: &[u64]| {
        for v in values {
            match order {
                None => out.extend(format!("{v} ").bytes()),
                Some(true) => out.extend(v.to_be_bytes()),
                Some(false) => out.extend(v.to_le_bytes()),
            }
        }
    };
    let reals = |out: &mut Vec<u8>, values: &[f64]| {
        for v in values {
            match order {
                None => out.extend(format!("{v} ").bytes()),
                Some(true) => out.extend(v.to_be_bytes()),
                Some(false) => out.extend(v.to_le_bytes()),
            }
        }
    };
    if order.is_some() {
        out.extend(b"4.1 1 8\n");
        ints(&mut out, &[1]);
        out.extend(b"\n");
    } else {
        out.extend(b"4.1 0 8\n");
    }
    out.extend(b"$EndMeshFormat\n$PhysicalNames\n2\n2 1 \"skin\"\n3 4 \"body\"\n$EndPhysicalNames\n$Entities\n");
    sizes(&mut out, &[1, 0, 1, 0]);
    ints(&mut out, &[9]);
    reals(&mut out, &[0.0, 0.0, 0.0]);
    sizes(&mut out, &[0]);
    ints(&mut out, &[5]);
    reals(&mut out, &[f64::NEG_INFINITY, 0.0, 0.0, 1.0, 1.0, 1.0]);
    sizes(&mut out, &[2]);
    ints(&mut out, &[1, 2]);
    sizes(&mut out, &[1]);
    ints(&mut out, &[-3]);
    out.extend(b"\n$EndEntities\n$PartitionedEntities\n");
    sizes(&mut out, &[2, 1]);
    ints(&mut out, &[7, 1]);
    sizes(&mut out, &[0, 0, 0, 1]);
    ints(&mut out, &[6, 3, 1]);
    sizes(&mut out, &[2]);
    ints(&mut out, &[1, 2]);
    reals(&mut out, &[0.0; 6]);
    sizes(&mut out, &[1]);
    ints(&mut out, &[4]);
    sizes(&mut out, &[0]);
    out.extend(b"\n$EndPartitionedEntities\n$Nodes\n");
    sizes(&mut out, &[2, 4, 1, 50]);
    ints(&mut out, &[2, 5, 1]);
    sizes(&mut out, &[3, 1, 2, 50]);
    reals(&mut out, &[0.0, 0.0, 0.0, 0.1, 0.1]);
    reals(&mut out, &[1.0, 0.0, 0.0, 0.1, 0.1]);
    reals(&mut out, &[0.0, 1.0, 0.0, 0.1, 0.1]);
    ints(&mut out, &[3, 6, 0]);
    sizes(&mut out, &[1, 3]);
    reals(&mut out, &[0.0, 0.0, 1.0]);
    out.extend(b"\n$EndNodes\n$Elements\n");
    sizes(&mut out, &[2, 2, 1, 2]);
    ints(&mut out, &[2, 5, 2]);
    sizes(&mut out, &[1, 1, 1, 50, 2]);
    ints(&mut out, &[3, 6, 11]);
    sizes(&mut out, &[1, 2, 1, 2, 50, 3, 1, 1, 1, 1, 1, 1]);
    out.extend(b"\n$EndElements\n$NodeData\nanything $End\n$EndNodeData\n");
    out
}

#[test]
fn msh_41_text_and_both_byte_orders_give_the_same_mesh() {
    let text = read_msh(&tetrahedron_41(None), &ALL).unwrap();
    assert_eq!(text.report.straightened_elements, 1);
    assert_eq!(text.report.elements_in_several_groups, 1);
    for big in [true, false] {
        assert_eq!(read_msh(&tetrahedron_41(Some(big)), &ALL).unwrap(), text);
    }
    let mesh = text.mesh.into_volume().unwrap();
    mesh.validate().unwrap();
    assert!((mesh.volume_of("body").unwrap() - 1.0 / 6.0).abs() < 1e-15);
    assert_eq!(mesh.surface_groups[0].name, "skin");
    assert_eq!(mesh.triangles, [[0, 2, 1]]);
}

#[test]
fn old_and_new_msh_versions_are_refused_with_advice() {
    for version in ["1.0", "3.0", "4.0", "4.2", "5"] {
        let text = format!("$MeshFormat\n{version} 0 8\n$EndMeshFormat\n");
        let error = read_msh(text.as_bytes(), &ALL).unwrap_err();
        assert!(error.to_string().contains("-format msh41"), "{error}");
    }
}

#[test]
fn coordinates_that_are_not_finite_are_refused_with_their_place() {
    for word in ["nan", "inf", "-infinity", "1e999"] {
        let obj = format!("v 0 0 0\nv 0 {word} 0\n");
        assert!(matches!(
            read_obj(obj.as_bytes(), &ALL),
            Err(ReadError::NotFinite {
                place: Place::Line(2),
                ..
            })
        ));
        let inp = format!("1 1\n0 0 {word}\n1 1 1\n");
        assert!(matches!(
            read_inp(inp.as_bytes(), &ALL),
            Err(ReadError::NotFinite {
                place: Place::Line(2),
                ..
            })
        ));
        let stl = format!("solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 {word}\n");
        assert!(matches!(
            read_stl(stl.as_bytes(), &ALL),
            Err(ReadError::NotFinite {
                place: Place::Line(4),
                ..
            })
        ));
        let msh = PLATE_22.replace("7 1 1 0", &format!("7 1 {word} 0"));
        assert!(matches!(
            read_msh(msh.as_bytes(), &ALL),
            Err(ReadError::NotFinite {
                place: Place::Line(15),
                ..
            })
        ));
    }
    let mut stl = binary_stl(b"", 2);
    // The last coordinate of the second facet.
    stl[84 + 50 + 44..84 + 50 + 48].copy_from_slice(&f32::NAN.to_le_bytes());
    let error = read_stl(&stl, &ALL).unwrap_err();
    assert!(
        matches!(
            error,
            ReadError::NotFinite {
                place: Place::Byte(178),
                ..
            }
        ),
        "{error}"
    );
}

#[test]
fn limits_are_kept_by_every_reader() {
    let few_points = Limits {
        points: 2,
        elements: 1000,
    };
    let few_elements = Limits {
        points: 1000,
        elements: 1,
    };
    let [first, second] = facets().map(stl_facet);
    let files: [(&str, Vec<u8>); 5] = [
        ("a.stl", format!("solid\n{first}{second}").into_bytes()),
        ("a.stl", binary_stl(b"", 2)),
        (
            "a.obj",
            b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\nf 3 2 1\n".to_vec(),
        ),
        (
            "a.inp",
            b"3 2\n0 0 0\n1 0 0\n0 1 0\n1 2 3\n3 2 1\n".to_vec(),
        ),
        ("a.msh", PLATE_22.into()),
    ];
    for (name, bytes) in files {
        for limits in [few_points, few_elements] {
            let result = read_any(name, &bytes, &limits);
            assert!(
                matches!(result, Err(ReadError::TooLarge { .. })),
                "{name}: {result:?}"
            );
        }
        assert!(read_any(name, &bytes, &ALL).is_ok());
    }
}

#[test]
fn formats_are_told_apart_by_name_or_content() {
    let [first, second] = facets().map(stl_facet);
    let files: [(Vec<u8>, Format); 5] = [
        (
            format!("solid\n{first}{second}").into_bytes(),
            Format::StlText,
        ),
        (binary_stl(b"", 2), Format::StlBinary),
        (
            b"# made by hand\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n".to_vec(),
            Format::Obj,
        ),
        (b"3 1\n0 0 0\n1 0 0\n0 1 0\n1 2 3\n".to_vec(), Format::Inp),
        (PLATE_22.into(), Format::Msh22),
    ];
    for (bytes, format) in files {
        let loaded = read_any("upload", &bytes, &ALL).unwrap();
        assert_eq!(loaded.report.format, format);
        assert!(loaded.mesh.bounding_box().is_some());
    }
    let upper = read_any("PLATE.OBJ", b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", &ALL);
    assert_eq!(upper.unwrap().report.format, Format::Obj);
    for nonsense in [&b""[..], b"hello world", b"\x89PNG\r\n", b"<html>"] {
        assert!(matches!(
            read_any("x", nonsense, &ALL),
            Err(ReadError::UnknownFormat { .. })
        ));
    }
}
