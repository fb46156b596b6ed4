//! The FFT on the CPU compared with the defining sum, the discrete Fourier transform.

use num_complex::Complex;
use wavefield_numerics::{
    cpu::CpuPool,
    fft::{CpuFft, FftKind, FftShapeError},
};

/// The direct sum rounds once per term: ε·√N for these sizes is below 1e-14.
const TOLERANCE: f64 = 1e-13;

fn cpu() -> CpuPool {
    CpuPool::new(Some(2)).unwrap()
}

fn sample(index: usize) -> Complex<f64> {
    let x = index as f64;
    Complex::new((0.7 * x + 0.1).sin() + 0.3, (1.3 * x * x).cos())
}

/// Returns X[k] = Σ x[n] e^{∓j2π(k·n/N)} over all axes by direct summation.
fn naive(data: &[Complex<f64>], shape: &[usize], sign: f64) -> Vec<Complex<f64>> {
    let points: usize = shape.iter().product();
    let digits = |mut index: usize| {
        let mut digits = vec![0; shape.len()];
        for axis in (0..shape.len()).rev() {
            digits[axis] = index % shape[axis];
            index /= shape[axis];
        }
        digits
    };
    let digits: Vec<Vec<usize>> = (0..points).map(digits).collect();
    data.chunks(points)
        .flat_map(|data| {
            digits.iter().map(|k| {
                let terms = data.iter().zip(&digits).map(|(value, n)| {
                    let turns: f64 = (0..shape.len())
                        .map(|axis| ((k[axis] * n[axis]) % shape[axis]) as f64 / shape[axis] as f64)
                        .sum();
                    value * Complex::cis(sign * std::f64::consts::TAU * turns)
                });
                terms.sum::<Complex<f64>>()
            })
        })
        .collect()
}

fn relative_error(found: &[Complex<f64>], exact: &[Complex<f64>]) -> f64 {
    assert_eq!(found.len(), exact.len());
    let error: f64 = found
        .iter()
        .zip(exact)
        .map(|(a, b)| (a - b).norm_sqr())
        .sum();
    let norm: f64 = exact.iter().map(Complex::norm_sqr).sum();
    (error / norm).sqrt()
}

const SHAPES: [&[usize]; 9] = [
    &[1],
    &[2],
    &[7],
    &[60],
    &[210],
    &[6, 10],
    &[17, 5],
    &[4, 3, 5],
    &[2, 19, 8],
];

#[test]
fn complex_transforms_in_both_directions() {
    for shape in SHAPES {
        for batch in [1, 3] {
            let plan = CpuFft::<f64>::new(&cpu(), shape, batch, FftKind::Complex).unwrap();
            let data: Vec<_> = (0..plan.extent().len()).map(sample).collect();
            let mut found = data.clone();
            plan.forward(&mut found).unwrap();
            assert!(
                relative_error(&found, &naive(&data, shape, -1.0)) < TOLERANCE,
                "{shape:?}"
            );
            found.clone_from(&data);
            plan.inverse(&mut found).unwrap();
            assert!(
                relative_error(&found, &naive(&data, shape, 1.0)) < TOLERANCE,
                "{shape:?}"
            );
        }
    }
}

#[test]
fn real_transforms_are_half_of_the_complex_ones() {
    for shape in SHAPES {
        let plan = CpuFft::<f64>::new(&cpu(), shape, 2, FftKind::Real).unwrap();
        let data: Vec<f64> = (0..plan.extent().len())
            .map(|index| sample(index).re)
            .collect();
        let mut found = vec![Complex::default(); plan.extent().spectrum_len()];
        plan.forward_real(&data, &mut found).unwrap();
        let complex: Vec<_> = data.iter().map(|&value| Complex::new(value, 0.0)).collect();
        let last = shape[shape.len() - 1];
        let half: Vec<_> = naive(&complex, shape, -1.0)
            .chunks(last)
            .flat_map(|line| line[..=last / 2].to_vec())
            .collect();
        assert!(relative_error(&found, &half) < TOLERANCE, "{shape:?}");

        let mut back = vec![0.0; plan.extent().len()];
        plan.inverse_real(&found, &mut back).unwrap();
        let points = shape.iter().product::<usize>() as f64;
        for (back, value) in back.iter().zip(&data) {
            assert!((back / points - value).abs() < TOLERANCE, "{shape:?}");
        }
    }
}

#[test]
fn single_precision_rounds_like_single_precision() {
    let plan = CpuFft::<f32>::new(&cpu(), &[30, 14], 1, FftKind::Complex).unwrap();
    let data: Vec<_> = (0..plan.extent().len()).map(sample).collect();
    let mut found: Vec<_> = data
        .iter()
        .map(|z| Complex::new(z.re as f32, z.im as f32))
        .collect();
    plan.forward(&mut found).unwrap();
    let wide: Vec<_> = found
        .iter()
        .map(|z| Complex::new(f64::from(z.re), f64::from(z.im)))
        .collect();
    // ε = 6e-8 for rounding of the input, plus a few for the passes.
    assert!(relative_error(&wide, &naive(&data, &[30, 14], -1.0)) < 5e-7);
}

#[test]
fn what_cannot_be_transformed_is_named() {
    let cpu = cpu();
    let plan = |shape: &[usize], batch| {
        CpuFft::<f64>::new(&cpu, shape, batch, FftKind::Complex).map(|_| ())
    };
    assert_eq!(plan(&[], 1), Err(FftShapeError::Axes { found: 0 }));
    assert_eq!(
        plan(&[2, 2, 2, 2], 1),
        Err(FftShapeError::Axes { found: 4 })
    );
    assert_eq!(
        plan(&[4, 0], 1),
        Err(FftShapeError::Empty { what: "an axis" })
    );
    assert_eq!(
        plan(&[4], 0),
        Err(FftShapeError::Empty { what: "the batch" })
    );
    let (shape, batch) = (vec![usize::MAX / 2, 3], 1);
    assert_eq!(
        plan(&shape, batch),
        Err(FftShapeError::Overflow { shape, batch })
    );

    let plan = CpuFft::<f64>::new(&cpu, &[4, 4], 1, FftKind::Complex).unwrap();
    let short = plan.forward(&mut [Complex::default(); 15]);
    assert_eq!(
        short,
        Err(FftShapeError::Length {
            what: "the array",
            expected: 16,
            found: 15
        })
    );
    let real = plan.forward_real(&[0.0; 16], &mut [Complex::default(); 12]);
    assert_eq!(
        real,
        Err(FftShapeError::Kind {
            planned: FftKind::Complex
        })
    );
}

#[test]
fn memory_is_known_before_it_is_taken() {
    let plan = CpuFft::<f64>::new(&cpu(), &[1 << 14, 1 << 14], 1, FftKind::Complex).unwrap();
    // Gathering the strided axis takes one copy of the data; the lines themselves are negligible.
    let data = (1_u64 << 28) * 16;
    assert!(plan.memory() >= data && plan.memory() < data + data / 100);
}
