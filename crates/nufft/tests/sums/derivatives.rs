//! Values and their derivatives with respect to the coordinates compared with differentiated direct
//! sums.

use crate::common::{cpu, narrowed, noise, norm, relative, uniform, widened};
use num_complex::{Complex, Complex64};
use wavefield_nufft::{Options, Plan, Precision, Sign, direct};

/// Returns coordinates axis by axis.
fn points<R: Precision>(axes: usize, count: usize) -> Vec<Vec<R>> {
    let at = |axis: usize, i: usize| R::narrow(6.3 * uniform(axis as u64 + 3, i) - 3.0);
    (0..axes)
        .map(|axis| (0..count).map(|i| at(axis, i)).collect())
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

/// Returns errors over tolerance of type 2 with derivatives (values, derivatives) and of type 1.
fn errors<R: Precision>(modes: &[usize], tolerance: f64, sign: Sign) -> [f64; 3] {
    let (count, axes, total) = (150, modes.len(), modes.iter().product());
    let coordinates = points::<R>(axes, count);
    let exact = wide(&coordinates);
    let options = Options {
        tolerance,
        sign,
        ..Options::default()
    };
    let mut plan = Plan::<R>::new(&cpu(1), modes, &options).unwrap();
    plan.set_points(&slices(&coordinates)).unwrap();
    let zero = Complex::new(R::zero(), R::zero());

    let coefficients = narrowed::<R>(&noise(1, total));
    let (mut values, mut gradient) = (vec![zero; count], vec![zero; axes * count]);
    plan.type2_gradient(&coefficients, &mut values, &mut gradient)
        .unwrap();
    let want = direct::type2_gradient(modes, &slices(&exact), &widened(&coefficients), sign);
    // Values bitwise identical to those without derivatives.
    let mut alone = vec![zero; count];
    plan.type2(&coefficients, &mut alone).unwrap();
    assert_eq!(alone, values);

    let strengths = narrowed::<R>(&noise(2, count));
    let along = narrowed::<R>(&noise(3, axes * count));
    let mut result = vec![zero; total];
    plan.type1_gradient(&strengths, &along, &mut result)
        .unwrap();
    let modes_want = direct::type1_gradient(
        modes,
        &slices(&exact),
        &widened(&strengths),
        &widened(&along),
        sign,
    );

    // Adjoint: ⟨f, T1(c, d)⟩ = ⟨T1*(f), (c, d)⟩, T1* being type 2 with the opposite sign.
    let other = Options {
        sign: sign.opposite(),
        ..options
    };
    let mut back = Plan::<R>::new(&cpu(1), modes, &other).unwrap();
    back.set_points(&slices(&coordinates)).unwrap();
    back.type2_gradient(&coefficients, &mut values, &mut gradient)
        .unwrap();
    let inner = |a: &[Complex<R>], b: &[Complex<R>]| -> Complex64 {
        widened(a)
            .iter()
            .zip(widened(b))
            .map(|(x, y)| x.conj() * y)
            .sum()
    };
    let there = inner(&coefficients, &result);
    let here = inner(&values, &strengths) + inner(&gradient, &along);
    let scale = norm(&widened(&coefficients)) * norm(&modes_want);
    assert!(
        (there - here).norm() <= 100.0 * R::epsilon().wide() * scale,
        "{there} {here}"
    );

    let values = plan_values(&plan, &coefficients, count);
    let mut gradient = vec![zero; axes * count];
    let mut again = vec![zero; count];
    plan.type2_gradient(&coefficients, &mut again, &mut gradient)
        .unwrap();
    [
        relative(&values, &want.0) / tolerance,
        relative(&gradient, &want.1) / tolerance,
        relative(&result, &modes_want) / tolerance,
    ]
}

fn plan_values<R: Precision>(
    plan: &Plan<R>,
    coefficients: &[Complex<R>],
    count: usize,
) -> Vec<Complex<R>> {
    let mut values = vec![Complex::new(R::zero(), R::zero()); count];
    plan.type2(coefficients, &mut values).unwrap();
    values
}

#[test]
fn derivatives_are_as_good_as_ten_tolerances() {
    for modes in [&[64][..], &[23, 40], &[10, 9, 12]] {
        for exponent in [2, 4, 6, 9, 11, 12] {
            let tolerance = 10f64.powi(-exponent);
            let sign = if exponent % 2 == 0 {
                Sign::Plus
            } else {
                Sign::Minus
            };
            let found = errors::<f64>(modes, tolerance, sign);
            println!("{modes:?} {tolerance:e}: {found:.2?}");
            assert!(
                found[0] <= 1.0 && found[1] <= 10.0 && found[2] <= 10.0,
                "{modes:?} {tolerance:e} {found:?}"
            );
        }
        for tolerance in [1e-2, 1e-4, 1e-5] {
            let found = errors::<f32>(modes, tolerance, Sign::Plus);
            println!("{modes:?} {tolerance:e} f32: {found:.2?}");
            assert!(
                found[0] <= 1.0 && found[1] <= 10.0 && found[2] <= 10.0,
                "{modes:?} {tolerance:e} {found:?}"
            );
        }
    }
}
