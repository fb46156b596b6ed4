use super::*;
use wavefield_mesh::primitive;

fn mirror(normal: [f64; 3]) -> SymmetrySpec {
    SymmetrySpec::Mirror { normal }
}

fn turns(axis: [f64; 3], fold: usize) -> SymmetrySpec {
    SymmetrySpec::Rotation { axis, fold }
}

const CORNER: [f64; 3] = [1.0, 1.0, 1.0];

/// Returns numbers without symmetry.
fn any(size: usize) -> Vec<Complex64> {
    (0..size)
        .map(|i| Complex64::new((0.3 * i as f64).sin(), (0.7 * (i * i) as f64).cos()))
        .collect()
}

#[test]
fn kinds_share_out_all_currents_and_keep_their_lengths() {
    let corner = primitive::triangular_trihedral(1.0, 0.2).unwrap();
    let sphere = primitive::sphere(1.0, 0.4).unwrap();
    let axes = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    for (mesh, asked, images) in [
        (&corner, vec![turns(CORNER, 3)], 3),
        (&corner, vec![mirror([0.0, 1.0, -1.0])], 2),
        (&sphere, axes.map(mirror).to_vec(), 8),
        (&sphere, vec![turns(axes[2], 2), mirror(axes[2])], 4),
        // A rotation that is the product of two mirrors: half the irreps have no currents.
        (
            &sphere,
            vec![mirror(axes[0]), mirror(axes[1]), turns(axes[2], 2)],
            8,
        ),
    ] {
        let basis = Basis::new(mesh);
        let symmetry = Symmetry::new(&asked, mesh, &basis).unwrap().unwrap();
        assert_eq!(symmetry.count(), images);
        let sizes = symmetry.sizes(false);
        assert_eq!(sizes.iter().sum::<usize>(), basis.size, "{asked:?}");
        let column = any(basis.size);
        let mut back = vec![Complex64::ZERO; basis.size];
        let (mut whole, mut parts) = (0.0, 0.0);
        for number in 0..images {
            let irrep = symmetry.irrep(number);
            let folded = irrep.fold(&column);
            parts += folded.iter().map(Complex64::norm_sqr).sum::<f64>();
            irrep.unfold(&folded, &mut back);
        }
        for (back, column) in back.iter().zip(&column) {
            whole += column.norm_sqr();
            assert!((back - column).norm() < 1e-12);
        }
        assert!((parts / whole - 1.0).abs() < 1e-12);
    }
}

#[test]
fn conjugate_kinds_have_conjugate_weights() {
    let corner = primitive::triangular_trihedral(1.0, 0.2).unwrap();
    let basis = Basis::new(&corner);
    let asked = [turns(CORNER, 3)];
    let symmetry = Symmetry::new(&asked, &corner, &basis).unwrap().unwrap();
    assert_eq!(symmetry.with_matrices(true).collect::<Vec<_>>(), [0, 1]);
    let [one, other] = [1, symmetry.conjugate(1)].map(|number| symmetry.irrep(number));
    for function in 0..basis.size as u32 {
        let (place, weight) = one.row(function).unwrap();
        let (same, conjugate) = other.row(function).unwrap();
        assert_eq!(place, same);
        assert!((weight - conjugate.conj()).norm() < 1e-15);
    }
}

#[test]
fn points_with_images_are_not_enough() {
    let square = TriangleMesh::single_group(
        vec![
            [-1.0, -1.0, 0.0],
            [1.0, -1.0, 0.0],
            [1.0, 1.0, 0.0],
            [-1.0, 1.0, 0.0],
        ],
        vec![[0, 1, 2], [0, 2, 3]],
        "square",
    );
    let basis = Basis::new(&square);
    let new = |motion| Symmetry::new(&[motion], &square, &basis);
    assert!(new(turns([0.0, 0.0, 1.0], 2)).is_ok());
    assert!(new(mirror([1.0, -1.0, 0.0])).is_ok());
    assert!(matches!(
        new(mirror([1.0, 0.0, 0.0])),
        Err(Error::SymmetryEdges { number: 0 })
    ));
}
