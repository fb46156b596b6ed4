//! Types 1 and 2 compared with direct summation: the error is within the requested tolerance.

use crate::common::{cpu, narrowed, noise, norm, relative, uniform, widened};
use num_complex::{Complex, Complex64};
use wavefield_nufft::{NufftError, Options, Plan, Precision, Sign, Window, direct};

/// Layout of the points.
#[derive(Clone, Copy, Debug)]
enum Layout {
    Uniform,
    Clustered,
    OnTheEdge,
    Coincident,
    FarAway,
}

const LAYOUTS: [Layout; 5] = [
    Layout::Uniform,
    Layout::Clustered,
    Layout::OnTheEdge,
    Layout::Coincident,
    Layout::FarAway,
];

fn points(layout: Layout, axis: u64, count: usize) -> Vec<f64> {
    let pi = std::f64::consts::PI;
    (0..count)
        .map(|i| {
            let u = uniform(axis + 7, i);
            match layout {
                Layout::Uniform => pi * (2.0 * u - 1.0),
                Layout::Clustered => 0.3 + 1e-3 * u,
                Layout::OnTheEdge => [-pi, pi, 0.0, pi.next_down(), -0.0, pi / 2.0][i % 6],
                Layout::Coincident => 1.234,
                // Beyond the first period; rounding of 2π × 10 costs a few units in the last place.
                Layout::FarAway => 20.0 * pi * (u - 0.5),
            }
        })
        .collect()
}

/// Returns the largest error over tolerance of both types, over all layouts.
fn worst<R: Precision>(modes: &[usize], count: usize, tolerance: f64, sign: Sign) -> f64 {
    let options = Options {
        tolerance,
        sign,
        ..Options::default()
    };
    let mut plan = Plan::<R>::new(&cpu(2), modes, &options).unwrap();
    let total = modes.iter().product();
    let mut worst: f64 = 0.0;
    for layout in LAYOUTS {
        let coordinates: Vec<Vec<R>> = (0..modes.len())
            .map(|axis| {
                points(layout, axis as u64, count)
                    .iter()
                    .map(|&x| R::narrow(x))
                    .collect()
            })
            .collect();
        let slices: Vec<&[R]> = coordinates.iter().map(Vec::as_slice).collect();
        let exact: Vec<Vec<f64>> = coordinates
            .iter()
            .map(|axis| axis.iter().map(|x| x.wide()).collect())
            .collect();
        let exact: Vec<&[f64]> = exact.iter().map(Vec::as_slice).collect();
        plan.set_points(&slices).unwrap();

        let strengths = narrowed::<R>(&noise(1, count));
        let mut result = vec![Complex::new(R::zero(), R::zero()); total];
        plan.type1(&strengths, &mut result).unwrap();
        let want = direct::type1(modes, &exact, &widened(&strengths), sign);
        let error = relative(&result, &want) / tolerance;
        assert!(
            error <= 1.0,
            "type 1, {layout:?}, {modes:?}, {tolerance:e}: {error:.3} × tolerance"
        );
        worst = worst.max(error);

        let coefficients = narrowed::<R>(&noise(2, total));
        let mut values = vec![Complex::new(R::zero(), R::zero()); count];
        plan.type2(&coefficients, &mut values).unwrap();
        let want = direct::type2(modes, &exact, &widened(&coefficients), sign);
        // Coincident points have a single value, which may be small: the error is then relative to
        // the average magnitude of values, √Σ|f_k|².
        let mean = norm(&widened(&coefficients)) * (count as f64).sqrt();
        let error = relative(&values, &want) * norm(&want) / norm(&want).max(mean) / tolerance;
        assert!(
            error <= 1.0,
            "type 2, {layout:?}, {modes:?}, {tolerance:e}: {error:.3} × tolerance"
        );
        worst = worst.max(error);
    }
    worst
}

#[test]
fn double_precision_keeps_every_tolerance_in_one_to_three_dimensions() {
    for exponent in 1..=12 {
        let tolerance = 10f64.powi(-exponent);
        let sign = if exponent % 2 == 0 {
            Sign::Plus
        } else {
            Sign::Minus
        };
        for modes in [
            &[1][..],
            &[2],
            &[37],
            &[1000],
            &[20, 33],
            &[1, 50],
            &[9, 10, 13],
        ] {
            let error = worst::<f64>(modes, 120, tolerance, sign);
            println!("{modes:?} {tolerance:e}: {error:.3}");
        }
    }
}

#[test]
fn single_precision_keeps_every_tolerance_down_to_a_hundred_thousandth() {
    for exponent in 1..=5 {
        for modes in [&[37][..], &[1000], &[40, 25], &[9, 10, 13]] {
            worst::<f32>(modes, 120, 10f64.powi(-exponent), Sign::Plus);
        }
    }
}

#[test]
fn the_tightest_tolerance_holds_with_a_hundred_thousand_modes() {
    for sign in [Sign::Plus, Sign::Minus] {
        worst::<f64>(&[100_000], 20, 1e-12, sign);
    }
    worst::<f32>(&[100_000], 20, 1e-5, Sign::Plus);
}

#[test]
fn other_upsampling_factors_keep_the_tolerance_too() {
    for upsampling in [1.25, 1.5, 3.0] {
        let options = Options {
            tolerance: 1e-6,
            upsampling: Some(upsampling),
            ..Options::default()
        };
        let x = points(Layout::Uniform, 0, 200);
        let strengths = noise(3, 200);
        let mut plan = Plan::new(&cpu(2), &[101], &options).unwrap();
        plan.set_points(&[&x]).unwrap();
        let mut result = vec![Complex64::new(0.0, 0.0); 101];
        plan.type1(&strengths, &mut result).unwrap();
        let want = direct::type1(&[101], &[&x], &strengths, Sign::Plus);
        assert!(relative(&result, &want) < 1e-6, "{upsampling}");
    }
}

#[test]
fn type_2_with_the_other_sign_is_the_adjoint_of_type_1() {
    // ⟨A c, f⟩ = ⟨c, A* f⟩ holds by construction, so only rounding remains.
    for modes in [&[64][..], &[24, 31], &[8, 9, 10]] {
        let count = 300;
        let axes: Vec<Vec<f64>> = (0..modes.len())
            .map(|a| points(Layout::Uniform, a as u64, count))
            .collect();
        let slices: Vec<&[f64]> = axes.iter().map(Vec::as_slice).collect();
        let total = modes.iter().product();
        let (c, f) = (noise(4, count), noise(5, total));
        let (mut ac, mut af) = (
            vec![Complex64::new(0.0, 0.0); total],
            vec![Complex64::new(0.0, 0.0); count],
        );
        for (sign, forward) in [(Sign::Plus, true), (Sign::Minus, false)] {
            // A loose tolerance: adjointness must not depend on accuracy.
            let options = Options {
                tolerance: 1e-2,
                sign,
                ..Options::default()
            };
            let mut plan = Plan::new(&cpu(2), modes, &options).unwrap();
            plan.set_points(&slices).unwrap();
            if forward {
                plan.type1(&c, &mut ac).unwrap();
            } else {
                plan.type2(&f, &mut af).unwrap();
            }
        }
        let left: Complex64 = f.iter().zip(&ac).map(|(f, a)| f.conj() * a).sum();
        let right: Complex64 = af.iter().zip(&c).map(|(a, c)| a.conj() * c).sum();
        let norm = |v: &[Complex64]| v.iter().map(Complex64::norm_sqr).sum::<f64>().sqrt();
        assert!(
            (left - right).norm() <= 1e-13 * norm(&f) * norm(&ac),
            "{modes:?} {left} {right}"
        );
    }
}

#[test]
fn the_documents_window_reaches_its_accuracy() {
    // Figures 3 and 8: M × M points over (−M/2, M/2), as many modes, strengths uniform in (0, 1);
    // the error in percent RMS is close to that of double precision.
    for m in [10usize, 40] {
        let count = m * m;
        let scale = 2.0 * std::f64::consts::PI / m as f64;
        let x: Vec<f64> = (0..count)
            .map(|i| scale * m as f64 * (uniform(11, i) - 0.5))
            .collect();
        let y: Vec<f64> = (0..count)
            .map(|i| scale * m as f64 * (uniform(12, i) - 0.5))
            .collect();
        let z: Vec<Complex64> = (0..count)
            .map(|i| Complex64::new(uniform(13, i), uniform(14, i)))
            .collect();
        let options = Options {
            sign: Sign::Minus,
            window: Window::KaiserBessel,
            ..Options::default()
        };
        let mut plan = Plan::new(&cpu(2), &[m, m], &options).unwrap();
        assert_eq!(
            (plan.width(), plan.grid()[0]),
            (13, wavefield_numerics::fft::next_good_size((2 * m).max(26)))
        );
        plan.set_points(&[&x, &y]).unwrap();
        let (mut ned, mut ner) = (z.clone(), z.clone());
        plan.type1(&z, &mut ned).unwrap();
        plan.type2(&z, &mut ner).unwrap();
        let ned_percent =
            100.0 * relative(&ned, &direct::type1(&[m, m], &[&x, &y], &z, Sign::Minus));
        let ner_percent =
            100.0 * relative(&ner, &direct::type2(&[m, m], &[&x, &y], &z, Sign::Minus));
        println!("M = {m}: NED {ned_percent:e} %, NER {ner_percent:e} %");
        assert!(
            ned_percent <= 1e-8 && ner_percent <= 1e-8,
            "{m}: {ned_percent:e} {ner_percent:e}"
        );
    }
}

#[test]
fn no_points_give_zero_and_no_values() {
    let mut plan = Plan::<f64>::new(&cpu(2), &[8], &Options::default()).unwrap();
    plan.set_points(&[&[]]).unwrap();
    let mut modes = vec![Complex64::new(1.0, 0.0); 8];
    plan.type1(&[], &mut modes).unwrap();
    assert!(modes.iter().all(|z| z.norm() == 0.0));
    plan.type2(&modes, &mut []).unwrap();
}

#[test]
fn what_cannot_be_is_refused_with_the_number() {
    let device = cpu(2);
    let with = |tolerance: f64, upsampling: f64| {
        let options = Options {
            tolerance,
            upsampling: Some(upsampling),
            ..Options::default()
        };
        Plan::<f64>::new(&device, &[8], &options).map(|_| ())
    };
    assert!(matches!(
        with(1e-16, 2.0),
        Err(NufftError::Tolerance { .. })
    ));
    assert!(matches!(
        with(f64::NAN, 2.0),
        Err(NufftError::Tolerance { .. })
    ));
    assert!(matches!(
        with(1e-6, 1.0),
        Err(NufftError::Upsampling { .. })
    ));
    let refused = |modes: &[usize]| {
        Plan::<f64>::new(&device, modes, &Options::default())
            .map(|_| ())
            .unwrap_err()
    };
    assert_eq!(refused(&[]), NufftError::Dimensions { found: 0 });
    assert_eq!(refused(&[1, 1, 1, 1]), NufftError::Dimensions { found: 4 });
    assert_eq!(refused(&[4, 0]), NufftError::NoModes { axis: 1 });
    for modes in [vec![1 << 29], vec![4, usize::MAX], vec![1 << 28; 3]] {
        assert_eq!(refused(&modes), NufftError::TooManyModes { modes });
    }
    let mut plan = Plan::<f64>::new(&device, &[8, 8], &Options::default()).unwrap();
    assert!(matches!(
        plan.set_points(&[&[0.0]]),
        Err(NufftError::Length { .. })
    ));
    assert!(matches!(
        plan.set_points(&[&[0.0], &[0.0, 1.0]]),
        Err(NufftError::Length { .. })
    ));
    assert!(matches!(
        plan.set_points(&[&[0.0, 0.0], &[0.0, f64::NAN]]),
        Err(NufftError::NotFinite {
            axis: 1,
            index: 1,
            ..
        })
    ));
    plan.set_points(&[&[0.0], &[0.0]]).unwrap();
    let mut modes = vec![Complex64::new(0.0, 0.0); 63];
    assert!(matches!(
        plan.type1(&[Complex64::new(1.0, 0.0)], &mut modes),
        Err(NufftError::Length { .. })
    ));
}
