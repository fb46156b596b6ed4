//! Type 3 compared with direct summation.

use crate::common::{cpu, narrowed, noise, norm, relative, uniform, widened};
use num_complex::{Complex, Complex64};
use wavefield_nufft::{NufftError, Options, Precision, Sign, Type3, direct};

/// Returns numbers around a center, axis by axis.
fn spread_out<R: Precision>(
    seed: u64,
    axes: usize,
    count: usize,
    middle: f64,
    half: f64,
) -> Vec<Vec<R>> {
    (0..axes)
        .map(|axis| {
            (0..count)
                .map(|i| {
                    let u = 2.0 * uniform(seed + axis as u64, i) - 1.0;
                    R::narrow(middle * (1.0 + axis as f64) + half * u)
                })
                .collect()
        })
        .collect()
}

fn wide<R: Precision>(rows: &[Vec<R>]) -> Vec<Vec<f64>> {
    rows.iter()
        .map(|row| row.iter().map(|x| x.wide()).collect())
        .collect()
}

fn slices<T>(rows: &[Vec<T>]) -> Vec<&[T]> {
    rows.iter().map(Vec::as_slice).collect()
}

/// Returns the error over tolerance, and checks that the adjoint is one.
fn error<R: Precision>(axes: usize, x: (f64, f64), s: (f64, f64), tolerance: f64) -> f64 {
    let (points, frequencies) = (130, 170);
    let at = spread_out::<R>(5, axes, points, x.0, x.1);
    let of = spread_out::<R>(9, axes, frequencies, s.0, s.1);
    let options = Options {
        tolerance,
        sign: Sign::Minus,
        ..Options::default()
    };
    let mut plan = Type3::<R>::new(&cpu(2), axes, &options).unwrap();
    plan.set_points(&slices(&at), &slices(&of)).unwrap();
    let zero = Complex::new(R::zero(), R::zero());
    let strengths = narrowed::<R>(&noise(1, points));
    let mut values = vec![zero; frequencies];
    plan.execute(&strengths, &mut values).unwrap();
    let (at, of) = (wide(&at), wide(&of));
    let want = direct::type3(
        &slices(&at),
        &slices(&of),
        &widened(&strengths),
        Sign::Minus,
    );

    let given = narrowed::<R>(&noise(2, frequencies));
    let mut back = vec![zero; points];
    plan.adjoint(&given, &mut back).unwrap();
    let inner = |a: &[Complex<R>], b: &[Complex<R>]| -> Complex64 {
        widened(a)
            .iter()
            .zip(widened(b))
            .map(|(x, y)| x.conj() * y)
            .sum()
    };
    let gap = (inner(&given, &values) - inner(&back, &strengths)).norm();
    let scale = norm(&widened(&given)) * norm(&want);
    assert!(
        gap <= 100.0 * R::epsilon().wide() * scale,
        "{gap:e} {scale:e}"
    );
    relative(&values, &want) / tolerance
}

#[test]
fn every_range_keeps_the_tolerance() {
    let mut worst: f64 = 0.0;
    for axes in 1..=3 {
        // Centers and half ranges of points and frequencies.
        for (x, s) in [
            ((0.0, 3.0), (0.0, 10.0)),
            ((100.0, 1.0), (-7.0, 25.0)),
            ((0.0, 1e-3), (50.0, 30.0)),
            ((2.0, 0.0), (3.0, 4.0)),
            ((2.0, 3.0), (3.0, 0.0)),
            ((0.0, 1e6), (0.0, 2e-5)),
        ] {
            for tolerance in [1e-2, 1e-6, 1e-9, 1e-12] {
                let found = error::<f64>(axes, x, s, tolerance);
                // A phase of thousands of radians has lost digits, in the direct sum as well.
                let n = axes as f64;
                let phase = n * (n * x.0.abs() + x.1) * (n * s.0.abs() + s.1);
                assert!(
                    found <= 1.0 + f64::EPSILON * phase / tolerance,
                    "{axes} axes, {x:?}, {s:?}, {tolerance:e}: {found}"
                );
                worst = worst.max(found);
            }
            // f32 cannot represent a phase of thousands of radians to more digits.
            if x.0 * s.0 == 0.0 && x.1 < 1e5 {
                let found = error::<f32>(axes, x, s, 1e-4);
                assert!(found <= 1.0, "f32, {axes} axes, {x:?}, {s:?}: {found}");
            }
        }
    }
    println!("worst {worst:.2}");
}

#[test]
fn what_cannot_be_is_refused() {
    let options = Options::default();
    assert!(matches!(
        Type3::<f64>::new(&cpu(1), 4, &options),
        Err(NufftError::Dimensions { found: 4 })
    ));
    let mut plan = Type3::<f64>::new(&cpu(1), 1, &options).unwrap();
    let mut out = [Complex64::new(0.0, 0.0)];
    assert_eq!(plan.execute(&[], &mut out), Err(NufftError::NoPoints));
    assert!(matches!(
        plan.set_points(&[&[0.0, f64::NAN]], &[&[1.0]]),
        Err(NufftError::NotFinite {
            what: "a coordinate",
            index: 1,
            ..
        })
    ));
    assert!(matches!(
        plan.set_points(&[&[0.0]], &[&[f64::INFINITY]]),
        Err(NufftError::NotFinite {
            what: "a frequency",
            ..
        })
    ));
    assert!(matches!(
        plan.set_points(&[&[0.0, 1e9]], &[&[0.0, 1e9]]),
        Err(NufftError::Ranges { axis: 0, .. })
    ));
    plan.set_points(&[&[0.0, 1.0]], &[&[0.5]]).unwrap();
    assert!(matches!(
        plan.execute(&out.clone(), &mut out),
        Err(NufftError::Length { .. })
    ));
}

#[test]
fn nothing_to_sum_gives_zero() {
    let mut plan = Type3::<f64>::new(&cpu(1), 2, &Options::default()).unwrap();
    plan.set_points(&[&[], &[]], &[&[0.5], &[0.5]]).unwrap();
    let mut out = [Complex64::new(1.0, 1.0)];
    plan.execute(&[], &mut out).unwrap();
    assert_eq!(out[0], Complex64::new(0.0, 0.0));
}
