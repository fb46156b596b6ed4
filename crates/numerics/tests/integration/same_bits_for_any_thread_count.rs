//! Results are bitwise identical for any number of threads.

use num_complex::Complex;
use wavefield_numerics::{
    cpu::CpuPool,
    fft::{CpuFft, FftKind},
    sum,
};

const THREADS: [usize; 4] = [1, 2, 3, 8];

/// Returns terms of very different magnitude and both signs, so that any change of order affects the
/// last bits.
fn term(index: usize) -> f64 {
    let x = index as f64;
    (x * 0.37).sin() * 10.0_f64.powi((index % 17) as i32 - 8)
}

fn assert_one_result<V: PartialEq + std::fmt::Debug + Send>(work: impl Fn() -> V + Sync) {
    let results: Vec<V> = THREADS
        .iter()
        .map(|&threads| CpuPool::new(Some(threads)).unwrap().install(&work))
        .collect();
    for result in &results[1..] {
        assert_eq!(result, &results[0]);
    }
}

#[test]
fn sums() {
    for len in [0, 1, 7, 1023, 1024, 1025, 300_001] {
        let doubles: Vec<f64> = (0..len).map(term).collect();
        let singles: Vec<f32> = doubles.iter().map(|&value| value as f32).collect();
        let complexes: Vec<Complex<f64>> = (0..len)
            .map(|index| Complex::new(term(index), term(index + 5)))
            .collect();
        let small: Vec<Complex<f32>> = complexes
            .iter()
            .map(|z| Complex::new(z.re as f32, z.im as f32))
            .collect();
        assert_one_result(|| sum::sum(&doubles).to_bits());
        assert_one_result(|| sum::sum(&singles).to_bits());
        let bits = |z: Complex<f64>| (z.re.to_bits(), z.im.to_bits());
        assert_one_result(|| bits(sum::sum(&complexes)));
        assert_one_result(|| {
            let total = sum::sum(&small);
            (total.re.to_bits(), total.im.to_bits())
        });
        assert_one_result(|| bits(sum::dot(&complexes, &complexes)));
        assert_one_result(|| sum::sum_by(len, term).to_bits());
        // All three functions compute the same definition.
        assert_eq!(
            sum::sum_by(len, |index| doubles[index]).to_bits(),
            sum::sum(&doubles).to_bits()
        );
    }
}

#[test]
fn block_reductions_keep_their_order() {
    // String concatenation is not commutative, so any change of order shows.
    assert_one_result(|| {
        let join = |left: String, right: String| format!("({left}{right})");
        sum::reduce_blocks(50, 7, String::new(), |range| format!("{range:?}"), join)
    });
}

#[test]
fn transforms() {
    for shape in [&[5040][..], &[210, 96], &[24, 35, 18]] {
        for kind in [FftKind::Complex, FftKind::Real] {
            let results: Vec<Vec<u64>> = THREADS
                .iter()
                .map(|&threads| {
                    let pool = CpuPool::new(Some(threads)).unwrap();
                    let plan = CpuFft::<f64>::new(&pool, shape, 5, kind).unwrap();
                    let mut spectrum = vec![Complex::default(); plan.extent().spectrum_len()];
                    if kind == FftKind::Complex {
                        for (index, value) in spectrum.iter_mut().enumerate() {
                            *value = Complex::new(term(index), term(index + 1));
                        }
                        plan.forward(&mut spectrum).unwrap();
                    } else {
                        let data: Vec<f64> = (0..plan.extent().len()).map(term).collect();
                        plan.forward_real(&data, &mut spectrum).unwrap();
                    }
                    spectrum
                        .iter()
                        .flat_map(|z| [z.re.to_bits(), z.im.to_bits()])
                        .collect()
                })
                .collect();
            for result in &results[1..] {
                assert_eq!(result, &results[0]);
            }
        }
    }
}
