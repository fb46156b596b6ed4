//! For arbitrary bytes, every reader returns an error or a valid mesh, in bounded time and memory.

use std::path::Path;
use std::time::Instant;

use wavefield_mesh::*;

/// Reads bytes with every reader; a returned mesh must be valid.
fn read_with_every_reader(bytes: &[u8]) -> [Result<AnyMesh, ReadError>; 4] {
    let limits = Limits::default();
    let results = [
        read_stl(bytes, &limits).map(|l| AnyMesh::Surface(l.mesh)),
        read_obj(bytes, &limits).map(|l| AnyMesh::Surface(l.mesh)),
        read_inp(bytes, &limits).map(|l| AnyMesh::Surface(l.mesh)),
        read_msh(bytes, &limits).map(|l| l.mesh),
    ];
    for result in &results {
        match result {
            Ok(mesh) => mesh.validate().expect("a mesh that was read is sound"),
            // The message must not contain the whole hostile line.
            Err(error) => assert!(error.to_string().len() < 400, "{error}"),
        }
    }
    results
}

fn refused(bytes: &[u8]) {
    for (reader, result) in ["stl", "obj", "inp", "msh"]
        .iter()
        .zip(read_with_every_reader(bytes))
    {
        assert!(result.is_err(), "{reader} accepted {result:?}");
    }
}

#[test]
fn every_file_in_the_hostile_folder_is_refused() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/hostile");
    let mut files = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let bytes = std::fs::read(entry.unwrap().path()).unwrap();
        refused(&bytes);
        files += 1;
    }
    assert!(files > 0);
}

#[test]
fn counts_in_headers_are_never_believed() {
    let huge = u64::MAX.to_string();
    let large = i64::MAX.to_string();
    for count in [&huge, &large, &"1000000000000".into(), &"-1".into()] {
        refused(format!("{count} {count}\n0 0 0\n").as_bytes());
        refused(
            format!("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n{count}\n1 0 0 0\n").as_bytes(),
        );
        refused(
            format!("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Elements\n{count}\n1 2 {count} 1\n")
                .as_bytes(),
        );
        refused(
            format!(
                "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Nodes\n{count} 1 1 1\n2 1 0 {count}\n1\n"
            )
            .as_bytes(),
        );
        refused(
            format!(
                "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Entities\n{count} 0 0 0\n1 0 0 0 {count}\n"
            )
            .as_bytes(),
        );
        refused(
            format!("$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$PhysicalNames\n{count}\n2 1 \"a\"\n")
                .as_bytes(),
        );
        refused(
            format!("$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$PartitionedEntities\n1 {count}\n")
                .as_bytes(),
        );
        refused(
            format!(
                "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Elements\n1 {count} 1 1\n2 1 99 {count}\n"
            )
            .as_bytes(),
        );
    }
    let mut binary = b"$MeshFormat\n4.1 1 8\n\x01\0\0\0\n$EndMeshFormat\n$Nodes\n".to_vec();
    binary.extend([0xff; 64]);
    refused(&binary);
}

#[test]
fn a_header_for_a_million_facets_costs_nothing() {
    for announced in [1_000_000_u32, u32::MAX] {
        let mut bytes = vec![b' '; 80];
        bytes.extend(announced.to_le_bytes());
        bytes.extend([0; 50]);
        let error = read_stl(&bytes, &Limits::default()).unwrap_err();
        let expected = ReadError::Overstated {
            what: "facets",
            announced: announced.into(),
            room: 1,
        };
        assert_eq!(error, expected);
        refused(&bytes);
    }
}

/// Seeds of the fuzzer: one small valid file for each feature of each format.
fn seeds() -> Vec<(String, Vec<u8>)> {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus");
    let mut seeds = Vec::new();
    for target in ["read_stl", "read_obj", "read_inp", "read_msh"] {
        for entry in std::fs::read_dir(corpus.join(target)).unwrap() {
            let path = entry.unwrap().path();
            seeds.push((format!("{}", path.display()), std::fs::read(path).unwrap()));
        }
    }
    assert!(seeds.len() >= 10);
    seeds
}

#[test]
fn every_seed_is_a_valid_file() {
    for (name, bytes) in seeds() {
        assert!(
            read_with_every_reader(&bytes).iter().any(Result::is_ok),
            "{name}"
        );
    }
}

#[test]
fn a_file_cut_off_at_any_byte_is_survived() {
    for (_, bytes) in seeds() {
        for end in 0..bytes.len() {
            let _ = read_with_every_reader(&bytes[..end]);
        }
    }
}

#[test]
fn a_file_with_any_byte_changed_is_survived() {
    for (_, bytes) in seeds() {
        let mut changed = bytes.clone();
        for position in 0..bytes.len() {
            for value in [0, b' ', b'-', b'9', b'\n', 0x7f, 0xff] {
                changed[position] = value;
                let _ = read_with_every_reader(&changed);
            }
            changed[position] = bytes[position];
        }
    }
}

#[test]
fn a_binary_file_in_the_wrong_byte_order_is_refused() {
    for (name, mut bytes) in seeds() {
        // The four bytes before "
        // $EndMeshFormat" are the byte-order mark; reversing them makes it wrong.
        let mark = bytes.windows(15).position(|w| w == b"\n$EndMeshFormat");
        if let Some(end) = mark.filter(|_| name.ends_with("little") || name.ends_with("big")) {
            bytes[end - 4..end].reverse();
            assert!(read_msh(&bytes, &Limits::default()).is_err(), "{name}");
        }
    }
}

#[test]
fn indices_beyond_the_points_are_refused() {
    for index in [
        "0",
        "4",
        "-4",
        "4294967296",
        "18446744073709551616",
        "-9223372036854775808",
    ] {
        refused(format!("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 {index}\n").as_bytes());
        refused(format!("3 1\n0 0 0\n1 0 0\n0 1 0\n1 2 {index}\n").as_bytes());
        for version in ["2.2", "4.1"] {
            let (nodes, element) = match version {
                "2.2" => (
                    "3\n1 0 0 0\n2 1 0 0\n3 0 1 0\n",
                    format!("1\n1 2 0 1 2 {index}\n"),
                ),
                _ => (
                    "1 3 1 3\n2 1 0 3\n1\n2\n3\n0 0 0\n1 0 0\n0 1 0\n",
                    format!("1 1 1 1\n2 1 2 1\n1 1 2 {index}\n"),
                ),
            };
            refused(
                format!(
                    "$MeshFormat\n{version} 0 8\n$EndMeshFormat\n$Nodes\n{nodes}$EndNodes\n$Elements\n{element}$EndElements\n"
                )
                .as_bytes(),
            );
        }
    }
}

#[test]
fn triangles_that_refer_only_to_themselves_make_no_surface() {
    refused(b"v 0 0 0\nf 1 1 1\nf -1 -1 -1\n");
    refused(b"1 2\n0 0 0\n1 1 1\n1 1 1\n");
    let error = read_inp(b"1 1\n0 0 0\n1 1 1\n", &Limits::default()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the file contains no triangles; it contains 1 degenerate triangles"
    );
}

#[test]
fn points_given_twice_are_refused() {
    let text =
        "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n3\n1 0 0 0\n2 1 0 0\n1 0 1 0\n$EndNodes\n";
    assert_eq!(
        read_msh(text.as_bytes(), &Limits::default()),
        Err(ReadError::DuplicatePoint { tag: 1 })
    );
    refused(format!("{text}$Nodes\n1\n9 0 0 0\n$EndNodes\n").as_bytes());
}

#[test]
fn nul_bytes_are_refused() {
    refused(&[0; 1000]);
    refused(b"v 0 0 0\0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    refused(b"3 1\n0 0 0\0\n1 0 0\n0 1 0\n1 2 3\n");
}

#[test]
fn long_lines_and_many_sections_take_linear_time() {
    let start = Instant::now();
    let megabytes = 4 << 20;
    refused(&vec![b'a'; megabytes]);
    refused(&vec![b'9'; megabytes]);
    refused(&vec![b'\\'; megabytes]);
    refused("\\\n".repeat(megabytes / 2).as_bytes());
    refused("solid ".repeat(megabytes / 6).as_bytes());
    refused("solid\n".repeat(megabytes / 6).as_bytes());
    refused(format!("v 0 0 {}\n", "9".repeat(megabytes)).as_bytes());
    refused(
        format!(
            "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n{}",
            "$A\n".repeat(megabytes / 3)
        )
        .as_bytes(),
    );
    refused(
        format!(
            "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n{}",
            "$A\n$EndA\n".repeat(megabytes / 9)
        )
        .as_bytes(),
    );
    refused(
        format!(
            "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n${}\n",
            "$End".repeat(megabytes / 4)
        )
        .as_bytes(),
    );
    let many_groups: String = (0..megabytes / 16).map(|k| format!("g {k}\n")).collect();
    refused(many_groups.as_bytes());
    let unknown: String = (0..megabytes / 16)
        .map(|k| format!("{k} {} 0\n", 100 + k))
        .collect();
    refused(
        format!(
            "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Elements\n{}\n{unknown}$EndElements\n",
            megabytes / 16
        )
        .as_bytes(),
    );
    // The readers process some 200 MB in about two seconds; a quadratic step would take minutes.
    assert!(start.elapsed().as_secs() < 30, "{:?}", start.elapsed());
}

#[test]
fn a_fan_of_a_million_corners_is_cut_in_linear_time_and_memory() {
    let corners: String = (0..1_000_000)
        .map(|k| if k % 2 == 0 { " 1" } else { " 2" })
        .collect();
    let file = format!("v 0 0 0\nv 1 0 0\nv 0 1 0\nf{corners} 3 1 3 2\n");
    let loaded = read_obj(file.as_bytes(), &Limits::default()).unwrap();
    assert!(loaded.report.degenerate_elements > 900_000);
}
