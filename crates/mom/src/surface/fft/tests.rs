use super::*;
use crate::surface::fill::fill;
use crate::surface::pair::Combination;
use wavefield_compute::observe::Silent;
use wavefield_mesh::primitive;

/// Products by the grid against those of the matrix, relative in the norm.
fn difference(electric: f64, lengths: Lengths, edge: f64) -> f64 {
    let mesh = primitive::sphere(0.8, edge).unwrap();
    let basis = Basis::new(&mesh);
    let combination = Combination {
        electric,
        magnetic: 1.0 - electric,
    };
    let pairs = Pairs::new(&basis, TAU, combination);
    let matrix = fill(&basis, &pairs, TAU, &Silent).unwrap();
    let (operator, _) = FftOperator::new(&basis, &pairs, TAU, lengths, &Silent).unwrap();
    let x: Vec<Complex64> = (0..basis.size)
        .map(|i| Complex64::new((0.3 * i as f64).sin(), (0.7 * (i * i) as f64).cos()))
        .collect();
    let mut y = [vec![ZERO; basis.size], vec![ZERO; basis.size]];
    matrix.apply(&x, &mut y[0]);
    operator.apply(&x, &mut y[1]);
    let apart: f64 = y[0]
        .iter()
        .zip(&y[1])
        .map(|(a, b)| (a - b).norm_sqr())
        .sum();
    let size: f64 = y[0].iter().map(Complex64::norm_sqr).sum();
    (apart / size).sqrt()
}

#[test]
fn products_by_the_grid_are_those_of_the_matrix() {
    for electric in [1.0, 0.5, 0.0] {
        for accuracy in [1e-3, 1e-4, 1e-5] {
            let found = difference(electric, Lengths::for_accuracy(accuracy), 0.16);
            assert!(found < accuracy, "{electric} {accuracy:e}: {found:e}");
        }
    }
}
