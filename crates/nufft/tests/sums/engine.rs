//! Results agree for all instruction sets, numbers of threads and vectors, and for long lines.

use num_complex::{Complex, Complex64};
use wavefield_nufft::{NufftError, Options, Plan, Precision, Sign, direct};
use wavefield_numerics::cpu::Simd;

use crate::common::{cpu, narrowed, noise, norm, relative, uniform, widened};

fn points<R: Precision>(axes: usize, count: usize) -> Vec<Vec<R>> {
    let at = |axis: usize, i: usize| R::narrow(7.0 * uniform(axis as u64 + 21, i) - 3.5);
    (0..axes)
        .map(|axis| (0..count).map(|i| at(axis, i)).collect())
        .collect()
}

fn slices<T>(rows: &[Vec<T>]) -> Vec<&[T]> {
    rows.iter().map(Vec::as_slice).collect()
}

/// Computes all transforms of a plan: type 1, type 1 with dipole strengths, type 2, derivatives.
fn everything<R: Precision>(plan: &Plan<R>, vectors: usize) -> Vec<Vec<Complex<R>>> {
    let (count, total) = (plan.points(), plan.modes().iter().product::<usize>());
    let axes = plan.modes().len();
    let strengths = narrowed::<R>(&noise(4, vectors * count));
    let along = narrowed::<R>(&noise(5, vectors * axes * count));
    let coefficients = narrowed::<R>(&noise(6, vectors * total));
    let zeros = |length: usize| vec![Complex::new(R::zero(), R::zero()); length];
    let (mut one, mut with) = (zeros(vectors * total), zeros(vectors * total));
    let (mut values, mut gradient) = (zeros(vectors * count), zeros(vectors * axes * count));
    plan.type1(&strengths, &mut one).unwrap();
    plan.type1_gradient(&strengths, &along, &mut with).unwrap();
    plan.type2_gradient(&coefficients, &mut values, &mut gradient)
        .unwrap();
    vec![one, with, values, gradient]
}

/// Returns the results with one instruction set, if the CPU supports it.
fn with_simd<R: Precision>(
    simd: Simd,
    modes: &[usize],
    tolerance: f64,
) -> Option<Vec<Vec<Complex<R>>>> {
    let options = Options {
        tolerance,
        // A fixed window for all, instead of the fastest for each.
        upsampling: Some(2.0),
        simd: Some(simd),
        ..Options::default()
    };
    let mut plan = match Plan::<R>::new(&cpu(1), modes, &options) {
        Err(NufftError::Instructions { .. }) => return None,
        plan => plan.unwrap(),
    };
    assert_eq!(plan.simd(), Some(simd));
    plan.set_points(&slices(&points::<R>(modes.len(), 333)))
        .unwrap();
    Some(everything(&plan, 1))
}

fn instruction_sets_agree<R: Precision>(tolerances: &[f64], rounding: f64) {
    let mut compared = 0;
    for modes in [&[50][..], &[17, 22], &[9, 8, 11]] {
        // Tolerances that require windows of every number of vectors.
        for &tolerance in tolerances {
            let plain = with_simd::<R>(Simd::Scalar, modes, tolerance).unwrap();
            for simd in [Simd::Avx2, Simd::Avx512, Simd::Neon] {
                let Some(vectors) = with_simd::<R>(simd, modes, tolerance) else {
                    continue;
                };
                compared += 1;
                for (got, want) in vectors.iter().zip(&plain) {
                    let error = relative(got, &widened(want));
                    assert!(
                        error < rounding,
                        "{simd}, {modes:?}, {tolerance:e}: {error:e}"
                    );
                }
            }
        }
    }
    println!("{compared} comparisons");
}

#[test]
fn every_instruction_set_gives_what_plain_arithmetic_gives() {
    let doubles: Vec<f64> = (1..=13).map(|e| 10f64.powi(-e)).collect();
    instruction_sets_agree::<f64>(&doubles, 1e-13);
    instruction_sets_agree::<f32>(&doubles[..5], 1e-5);
}

#[test]
fn many_vectors_are_each_what_they_are_alone() {
    for modes in [&[60][..], &[20, 30]] {
        let mut plan = Plan::<f64>::new(&cpu(2), modes, &Options::default()).unwrap();
        plan.set_points(&slices(&points::<f64>(modes.len(), 200)))
            .unwrap();
        let together = everything(&plan, 3);
        let total: usize = modes.iter().product();
        let strengths = noise(4, 3 * 200);
        for vector in 0..3 {
            let mut alone = vec![Complex64::new(0.0, 0.0); total];
            plan.type1(&strengths[vector * 200..(vector + 1) * 200], &mut alone)
                .unwrap();
            assert_eq!(alone, together[0][vector * total..(vector + 1) * total]);
        }
    }
}

#[test]
fn any_number_of_threads_gives_the_same_bits() {
    for (modes, count) in [
        (&[3000][..], 70_000),
        (&[100, 120], 50_000),
        (&[30, 20, 40], 30_000),
    ] {
        let results: Vec<_> = [1, 2, 3]
            .map(|threads| {
                let mut plan = Plan::<f64>::new(&cpu(threads), modes, &Options::default()).unwrap();
                plan.set_points(&slices(&points::<f64>(modes.len(), count)))
                    .unwrap();
                everything(&plan, 1)
            })
            .into();
        assert_eq!(results[0], results[1]);
        assert_eq!(results[0], results[2]);
    }
}

#[test]
fn long_lines_agree_with_direct_sums() {
    let (modes, count) = (70_001, 40);
    let coordinates = points::<f64>(1, count);
    for (sign, threads) in [(Sign::Plus, 1), (Sign::Minus, 2)] {
        let options = Options {
            tolerance: 1e-9,
            sign,
            ..Options::default()
        };
        let mut plan = Plan::<f64>::new(&cpu(threads), &[modes], &options).unwrap();
        plan.set_points(&slices(&coordinates)).unwrap();
        let strengths = noise(1, count);
        let mut result = vec![Complex64::new(0.0, 0.0); modes];
        plan.type1(&strengths, &mut result).unwrap();
        let want = direct::type1(&[modes], &slices(&coordinates), &strengths, sign);
        assert!(relative(&result, &want) < 1e-9);
        let coefficients = noise(2, modes);
        let mut values = vec![Complex64::new(0.0, 0.0); count];
        plan.type2(&coefficients, &mut values).unwrap();
        let want = direct::type2(&[modes], &slices(&coordinates), &coefficients, sign);
        assert!(relative(&values, &want) < 1e-9, "{}", norm(&want));
    }
}
