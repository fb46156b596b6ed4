use super::*;
use crate::surface::fill::fill;
use crate::surface::pair::Combination;
use wavefield_compute::observe::Silent;
use wavefield_mesh::primitive;

#[test]
fn products_by_the_grid_are_those_of_the_matrix() {
    let mesh = primitive::sphere(0.8, 0.16).unwrap();
    let basis = Basis::new(&mesh);
    let x: Vec<Complex64> = (0..basis.size)
        .map(|i| Complex64::new((0.3 * i as f64).sin(), (0.7 * (i * i) as f64).cos()))
        .collect();
    for electric in [1.0, 0.5, 0.0] {
        let combination = Combination {
            electric,
            magnetic: 1.0 - electric,
        };
        let pairs = Pairs::new(&basis, TAU, combination);
        let matrix = fill(&basis, &pairs, TAU, &Silent).unwrap();
        let mut wanted = vec![ZERO; basis.size];
        matrix.apply(&x, &mut wanted);
        let size: f64 = wanted.iter().map(Complex64::norm_sqr).sum();
        for accuracy in [1e-3, 1e-4, 1e-5] {
            let lengths = Lengths::for_accuracy(accuracy);
            let (operator, _) = FftOperator::new(&basis, &pairs, TAU, lengths, &Silent).unwrap();
            let mut found = vec![ZERO; basis.size];
            operator.apply(&x, &mut found);
            let apart: f64 = (wanted.iter().zip(&found))
                .map(|(a, b)| (a - b).norm_sqr())
                .sum();
            let error = (apart / size).sqrt();
            assert!(error < accuracy, "{electric} {accuracy:e}: {error:e}");
        }
    }
}
