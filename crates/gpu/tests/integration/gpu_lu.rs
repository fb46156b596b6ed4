//! LU factors and solutions on the GPU compared with those of the CPU.

use num_complex::Complex64;
use wavefield_gpu::lu::{GpuFactors, GpuLuError};
use wavefield_gpu::{DeviceError, Fault, Gpu};
use wavefield_numerics::dense::{Lu, Matrix};
use wavefield_numerics::krylov::Operator;
use wavefield_numerics::observe::Silent;

fn gpu() -> Gpu {
    Gpu::open(None).expect("GPU tests do not skip: install mesa-vulkan-drivers")
}

/// Returns reproducible numbers spread over a square.
fn spread(count: usize, seed: f64) -> Vec<Complex64> {
    (1..=count)
        .map(|i| {
            let at = |factor: f64| 2.0 * (i as f64 * factor * seed).fract() - 1.0;
            Complex64::new(at(0.618_033_988_749_894_8), at(0.754_877_666_246_692_7))
        })
        .collect()
}

/// Returns a matrix of such numbers with a dominant band off the diagonal.
fn matrix(size: usize) -> Matrix {
    let entries = spread(size * size, 1.37);
    let heavier = 2.0 * (size as f64).sqrt();
    Matrix::from_fn(size, size, |row, column| {
        let entry = entries[column * size + row];
        if row == (column + size / 3 + 1) % size {
            entry * heavier
        } else {
            entry
        }
    })
}

/// Returns the largest difference relative to the largest number.
fn apart(found: &[Complex64], wanted: &[Complex64]) -> f64 {
    assert_eq!(found.len(), wanted.len());
    assert!(found.iter().all(|z| z.is_finite()));
    let largest = wanted.iter().map(|z| z.norm()).fold(0.0, f64::max);
    let differences = found.iter().zip(wanted).map(|(a, b)| (a - b).norm());
    differences.fold(0.0, f64::max) / largest
}

#[test]
fn factors_solve_as_those_of_the_cpu_do() {
    let gpu = gpu();
    for (size, count) in [(1, 3), (5, 1), (64, 2), (65, 70), (200, 3)] {
        let matrix = matrix(size);
        let right = spread(size * count, 0.91);
        let mut wanted = right.clone();
        let norm = matrix.norm1();
        let on_cpu = Lu::factor(matrix.clone(), &Silent).unwrap();
        on_cpu.solve_in_place(&mut wanted);

        let single = GpuFactors::new(&gpu, &matrix).unwrap();
        let mut found = right.clone();
        single.solve_plain(&mut found).unwrap();
        let plain = apart(&found, &wanted);
        let mut found = right.clone();
        let refined = single.solve_refined(&matrix, &mut found).unwrap();
        let error = apart(&found, &wanted);
        println!("{size}: plain {plain:.1e}, {refined:?} {error:.1e}");
        // 6e-8 times a condition number of some tens to hundreds.
        assert!(plain < 1e-4, "{size}: {plain}");
        assert!(error < 1e-12, "{size}: {error}");
        assert!(refined.steps <= 4 && refined.residual <= 1e-13);

        let mut wanted = right.clone();
        on_cpu.solve_adjoint_in_place(&mut wanted);
        let mut found = right.clone();
        single.solve_plain_adjoint(&mut found).unwrap();
        let adjoint = apart(&found, &wanted);
        assert!(adjoint < 1e-4, "{size}: {adjoint}");
        let ratio = single.condition().unwrap() / on_cpu.condition(norm);
        assert!((ratio - 1.0).abs() < 1e-2, "{size}: {ratio}");
    }
}

#[test]
fn factors_of_double_precision_need_no_refinement() {
    let gpu = gpu();
    let matrix = matrix(100);
    let made = GpuFactors::in_double(&gpu, &matrix);
    if !gpu.capabilities().f64 {
        // A device without double precision returns an error.
        assert!(matches!(
            made,
            Err(GpuLuError::Device(DeviceError::Missing { .. }))
        ));
        return;
    }
    let mut found = spread(200, 0.91);
    let mut wanted = found.clone();
    made.unwrap().solve_plain(&mut found).unwrap();
    Lu::factor(matrix, &Silent)
        .unwrap()
        .solve_in_place(&mut wanted);
    let error = apart(&found, &wanted);
    println!("double {error:.1e}");
    assert!(error < 1e-12, "{error}");
}

#[test]
fn a_zero_on_the_diagonal_is_no_obstacle() {
    // Rows in reverse order: every pivot is in another row, often in another block.
    let size = 70;
    let mut matrix = Matrix::zeros(size, size);
    for column in 0..size {
        let value = Complex64::new(1.0 + column as f64, -0.5);
        matrix.column_mut(column)[size - 1 - column] = value;
    }
    let solution = spread(size, 0.77);
    let mut found = vec![Complex64::new(0.0, 0.0); size];
    matrix.apply(&solution, &mut found);
    let factors = GpuFactors::new(&gpu(), &matrix).unwrap();
    factors.solve_refined(&matrix, &mut found).unwrap();
    assert!(apart(&found, &solution) < 1e-14);
}

#[test]
fn a_singular_matrix_is_refused() {
    let gpu = gpu();
    let mut matrix = matrix(70);
    matrix.column_mut(40).fill(Complex64::new(0.0, 0.0));
    let told = GpuFactors::new(&gpu, &matrix).unwrap_err();
    assert_eq!(told, GpuLuError::Singular { index: 40 });
    matrix.column_mut(40)[3] = Complex64::new(1e50, 0.0);
    let told = GpuFactors::new(&gpu, &matrix).unwrap_err();
    assert_eq!(told, GpuLuError::BeyondSingle { row: 3, column: 40 });
}

#[test]
fn a_matrix_too_near_to_a_singular_one_is_an_error_in_words() {
    // The Hilbert matrix of order 12 has a condition number of 1e16.
    let size = 12;
    let matrix = Matrix::from_fn(size, size, |row, column| {
        Complex64::new(1.0 / (row + column + 1) as f64, 0.0)
    });
    let factors = GpuFactors::new(&gpu(), &matrix).unwrap();
    let mut columns = spread(size, 0.3);
    let told = factors.solve_refined(&matrix, &mut columns).unwrap_err();
    assert!(matches!(told, GpuLuError::NotRefined { .. }), "{told}");
    assert!(told.to_string().contains("badly conditioned"), "{told}");
}

#[test]
fn the_same_bits_every_time() {
    let gpu = gpu();
    let matrix = matrix(97);
    let run = || {
        let mut columns = spread(97 * 5, 0.91);
        let factors = GpuFactors::new(&gpu, &matrix).unwrap();
        factors.solve_plain(&mut columns).unwrap();
        columns
    };
    assert_eq!(run(), run());
}

#[test]
fn a_device_that_fails_is_an_error() {
    let gpu = gpu();
    let matrix = matrix(40);
    let factors = GpuFactors::new(&gpu, &matrix).unwrap();
    let mut columns = spread(40, 0.91);
    factors.solve_plain(&mut columns).unwrap();
    gpu.inject_fault(Fault::Validation);
    let told = factors.solve_plain(&mut columns).unwrap_err();
    assert!(matches!(
        told,
        GpuLuError::Device(DeviceError::Validation { .. })
    ));
    gpu.inject_fault(Fault::DeviceLost);
    for _ in 0..2 {
        for told in [
            factors.solve_plain(&mut columns).unwrap_err(),
            factors.solve_refined(&matrix, &mut columns).unwrap_err(),
            GpuFactors::new(&gpu, &matrix).unwrap_err(),
        ] {
            assert!(matches!(told, GpuLuError::Device(DeviceError::Lost { .. })));
        }
    }
}
